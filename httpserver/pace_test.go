package httpserver_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/landfallhq/tracking/httpserver"
)

// deadlineRecorder is a ResponseWriter whose deadlines a test can see.
type deadlineRecorder struct {
	*httptest.ResponseRecorder
	deadlines []time.Time
}

func (t *deadlineRecorder) SetReadDeadline(at time.Time) error {
	t.deadlines = append(t.deadlines, at)
	return nil
}

// chunkedBody is a body that is read in pieces of the given sizes.
type chunkedBody []int

func (p *chunkedBody) Read(b []byte) (int, error) {
	if len(*p) == 0 {
		return 0, io.EOF
	}
	n := (*p)[0]
	*p = (*p)[1:]
	for i := range n {
		b[i] = ' '
	}
	return n, nil
}

// Each piece of a body extends the deadline, up to the host's own.
func TestBodyPace(t *testing.T) {
	b := newBench(t, func(c *httpserver.Config) { c.BodyPace = httpserver.BodyPace{Grace: time.Minute, Rate: 100} })
	r := request("POST", "/v2/parties", "", b.mine.auth())
	r.Body, r.ContentLength = io.NopCloser(&chunkedBody{50, 200, 250}), 500
	w := &deadlineRecorder{ResponseRecorder: httptest.NewRecorder()}
	b.server.ServeHTTP(w, r)
	want := []time.Duration{0, 500 * time.Millisecond, 2500 * time.Millisecond, 5 * time.Second}
	if len(w.deadlines) != len(want)+1 || !w.deadlines[len(want)].IsZero() {
		t.Fatalf("deadlines %v, want %d and none at last", w.deadlines, len(want))
	}
	for i, after := range want {
		if got := w.deadlines[i].Sub(w.deadlines[0]); got != after {
			t.Errorf("after piece %d the deadline is %v later, want %v", i, got, after)
		}
	}
	if left := time.Until(w.deadlines[0]); left > time.Minute || left < 30*time.Second {
		t.Errorf("%v of a minute at first", left)
	}

	w.deadlines = nil
	r = request("POST", "/v2/parties", "{}", b.mine.auth())
	host := &http.Server{ReadTimeout: time.Second}
	b.server.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), http.ServerContextKey, host)))
	if n := len(w.deadlines); n < 2 || w.deadlines[0].IsZero() || !w.deadlines[n-1].IsZero() {
		t.Errorf("deadlines %v: want some of the host's, and none after the body", w.deadlines)
	}

	b.serve(func(c *httpserver.Config) { c.BodyPace.Rate = -1 })
	w.deadlines = nil
	b.server.ServeHTTP(w, request("POST", "/v2/parties", "{}", b.mine.auth()))
	if len(w.deadlines) > 0 {
		t.Errorf("deadlines without a bound: %v", w.deadlines)
	}
	b.serve()
	b.server.ServeHTTP(w, request("GET", "/v2/parties", "", b.mine.auth()))
	if len(w.deadlines) > 0 {
		t.Errorf("deadlines for a request without a body: %v", w.deadlines)
	}
}

// paced starts a server, sends it an incomplete request and returns how the
// connection ends.
func paced(t *testing.T, readTimeout time.Duration, pace httpserver.BodyPace) (b *bench, stall func(text string) (status int, closed bool)) {
	b = newBench(t, func(c *httpserver.Config) { c.BodyPace = pace })
	s := httptest.NewUnstartedServer(b.server)
	s.Config.ReadTimeout = readTimeout
	s.Start()
	t.Cleanup(s.Close)
	return b, func(text string) (int, bool) {
		t.Helper()
		conn, err := net.Dial("tcp", s.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		_ = conn.SetDeadline(time.Now().Add(30 * time.Second))
		if _, err := io.WriteString(conn, text); err != nil {
			t.Fatal(err)
		}
		in := bufio.NewReader(conn)
		a, err := http.ReadResponse(in, nil)
		if err != nil {
			t.Fatalf("no answer: %v", err)
		}
		_, _ = io.Copy(io.Discard, a.Body)
		_, err = in.ReadByte()
		return a.StatusCode, err == io.EOF
	}
}

// A stalled body gets a response and its connection is closed, whether or not a
// handler reads it.
func TestStalledBodies(t *testing.T) {
	post := func(b *bench, auth, rest string) string {
		return "POST /v2/parties HTTP/1.1\r\nHost: host\r\nContent-Type: application/json\r\n" + auth + "\r\n" + rest
	}
	b, stall := paced(t, time.Hour, httpserver.BodyPace{Grace: 50 * time.Millisecond})
	for name, c := range map[string]struct {
		text string
		want int
	}{
		"of known length":   {post(b, b.mine.auth(), "Content-Length: 100\r\n\r\n{"), 408},
		"in chunks":         {post(b, b.mine.auth(), "Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n"), 408},
		"without a key":     {post(b, "X: y", "Content-Length: 100\r\n\r\n{"), 401},
		"not read":          {"GET /v2/parties HTTP/1.1\r\nHost: host\r\n" + b.mine.auth() + "\r\nContent-Length: 100\r\n\r\n{", 200},
		"of an unknown way": {"PUT /nowhere HTTP/1.1\r\nHost: host\r\nContent-Length: 100\r\n\r\n{", 404},
	} {
		status, closed := stall(c.text)
		if status != c.want || !closed {
			t.Errorf("a stalled body %s: %d, closed %v; want %d", name, status, closed, c.want)
		}
	}
}

// The deadline of a body is never later than the host's ReadTimeout.
func TestBodyPaceKeepsTheHostsTimeout(t *testing.T) {
	b, stall := paced(t, 300*time.Millisecond, httpserver.BodyPace{Grace: time.Hour})
	status, closed := stall(fmt.Sprintf("POST /v2/parties HTTP/1.1\r\nHost: host\r\nContent-Type: application/json\r\n%s\r\nContent-Length: 100\r\n\r\n{", b.mine.auth()))
	if status != 408 || !closed {
		t.Errorf("%d, closed %v", status, closed)
	}
}
