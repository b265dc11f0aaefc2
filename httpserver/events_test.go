package httpserver_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/httpserver"
)

// openStream opens a stream of events.
func openStream(t *testing.T, server *httptest.Server, key, query, last string) (*http.Response, context.CancelFunc) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	r, err := http.NewRequestWithContext(ctx, "GET", server.URL+"/v2/events"+query, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Token "+key)
	r.Header.Set("Accept", "text/event-stream")
	if last != "" {
		r.Header.Set("Last-Event-ID", last)
	}
	answer, err := server.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { answer.Body.Close() })
	return answer, cancel
}

// nextIDs reads a stream up to n events, and returns their ids.
func nextIDs(t *testing.T, from *bufio.Reader, n int) (ids []string) {
	t.Helper()
	id, data := "", false
	for len(ids) < n {
		line, err := from.ReadString('\n')
		if err != nil {
			t.Fatalf("the stream ends behind %v: %v", ids, err)
		}
		switch line = strings.TrimSuffix(line, "\n"); {
		case strings.HasPrefix(line, "id: "):
			id = line[4:]
		case strings.HasPrefix(line, `data: {"data":{"id":"`):
			data = true
		case line == "" && data:
			ids, data = append(ids, id), false
		}
	}
	return ids
}

// A stream has what the list has and each further event; a client that comes back with the last
// id gets the rest. The header wins over the parameter.
func TestStreamOfEvents(t *testing.T) {
	b := newBench(t)
	server := httptest.NewServer(b.server)
	t.Cleanup(server.Close)
	all := b.as(b.mine, "GET", "/v2/events?page[size]=100", "").want(200).list("data")
	if len(all) < 2 {
		t.Fatalf("%d events", len(all))
	}
	for from := range all {
		cursor := fmt.Sprint(from + 1)
		answer, cancel := openStream(t, server, b.mine.key, "?after=0", cursor)
		if typ := answer.Header.Get("Content-Type"); answer.StatusCode != 200 || typ != "text/event-stream" {
			t.Fatalf("%d %s", answer.StatusCode, typ)
		}
		ids := nextIDs(t, bufio.NewReader(answer.Body), len(all)-from-1)
		for i, id := range ids {
			if want := fmt.Sprint(from + 2 + i); id != want {
				t.Errorf("after %s comes %s, want %s", cursor, id, want)
			}
		}
		cancel()
	}
	answer, _ := openStream(t, server, b.mine.key, "", fmt.Sprint(len(all)))
	lines := bufio.NewReader(answer.Body)
	for i := range 3 {
		b.as(b.mine, "POST", "/v2/tracking_requests", fmt.Sprintf(`{"data":{"type":"tracking_request","attributes":{"request_type":"bill_of_lading","request_number":"MAEULIVE%d","scac":"MAEU"}}}`, i)).want(201)
		b.Settle()
		if ids := nextIDs(t, lines, 1); ids[0] != fmt.Sprint(len(all)+1+i) {
			t.Errorf("event %d has the id %s", i, ids[0])
		}
	}
}

// Wrong cursors and parameters are refused by name, in lists and in streams.
func TestEventCursorsOverHTTP(t *testing.T) {
	b := newBench(t)
	server := httptest.NewServer(b.server)
	t.Cleanup(server.Close)
	for _, row := range []struct {
		query, parameter string
		status           int
	}{
		{"after=x", "after", 400}, {"after=-1", "after", 400}, {"after=100000", "after", 400},
		{"page[number]=2", "page[number]", 400}, {"filter[event]=nothing", "filter[event]", 422}, {"filter[shipment]=x", "filter[shipment]", 422},
	} {
		a := b.as(b.mine, "GET", "/v2/events?"+row.query, "").want(row.status)
		if !strings.Contains(string(a.body), `"parameter":"`+row.parameter+`"`) {
			t.Errorf("%s: %s", row.query, a.body)
		}
		answer, _ := openStream(t, server, b.mine.key, "?"+row.query, "")
		body, _ := io.ReadAll(answer.Body)
		if answer.StatusCode != row.status || !strings.Contains(string(body), `"parameter":"`+row.parameter+`"`) {
			t.Errorf("stream with %s: %d %s", row.query, answer.StatusCode, body)
		}
	}
	noShow, _ := b.newKey(b.mine.account, b.mine.user, tracking.Create)
	if answer, _ := openStream(t, server, noShow, "", ""); answer.StatusCode != 403 {
		t.Errorf("without show: %d", answer.StatusCode)
	}
	if answer, _ := openStream(t, server, "lf_wrong", "", ""); answer.StatusCode != 401 {
		t.Errorf("with a wrong key: %d", answer.StatusCode)
	}
	theirs := b.as(b.theirs, "GET", "/v2/events?page[size]=1", "").want(200).list("data")[0]["id"].(string)
	b.as(b.mine, "GET", "/v2/events/"+theirs, "").want(404)
}

// A stream shows that it lives, ends when its key is revoked and when the server drains, and
// there are at most 20 of a key.
func TestEndsOfStreams(t *testing.T) {
	b := newBench(t, func(c *httpserver.Config) { c.EventHeartbeat = 5 * time.Millisecond })
	server := httptest.NewServer(b.server)
	t.Cleanup(server.Close)
	key, id := b.newKey(b.mine.account, b.mine.user)
	var streams []*bufio.Reader
	for range 20 {
		answer, _ := openStream(t, server, key, "?filter[event]=document.extracted", "")
		if answer.StatusCode != 200 {
			t.Fatal(answer.StatusCode)
		}
		streams = append(streams, bufio.NewReader(answer.Body))
	}
	if answer, _ := openStream(t, server, key, "", ""); answer.StatusCode != 429 || answer.Header.Get("Retry-After") == "" {
		t.Errorf("a 21st stream: %d", answer.StatusCode)
	}
	other, _ := openStream(t, server, b.mine.key, "", "")
	rest := bufio.NewReader(other.Body)
	for _, s := range streams {
		for line, err := "", error(nil); line != ": heartbeat\n"; {
			if line, err = s.ReadString('\n'); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := b.Operator.RevokeKey(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	b.Clock.Advance(2 * time.Second) // keys are cached for a second
	for _, s := range streams {
		if _, err := io.Copy(io.Discard, s); err != nil {
			t.Error(err)
		}
	}
	b.server.Drain()
	if _, err := io.Copy(io.Discard, rest); err != nil {
		t.Error(err)
	}
}
