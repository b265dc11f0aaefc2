package metrics

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/httpserver"
	"github.com/landfallhq/tracking/store"
)

func newMetrics() *Metrics {
	return New(Config{
		Carriers: []string{"MAEU"}, DocumentTypes: []string{"arrival_notice"},
		Connections: func() int { return 3 }, Log: slog.New(slog.DiscardHandler),
	})
}

// read returns what /metrics shows of the server.
func (m *Metrics) read(t *testing.T) string {
	t.Helper()
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	text, err := io.ReadAll(w.Result().Body)
	if err != nil || w.Code != 200 {
		t.Fatal(w.Code, err)
	}
	var own strings.Builder
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "landfall_") {
			own.WriteString(line)
		}
	}
	return own.String()
}

// Whatever clients, carriers and documents bring, the number of series stays.
func TestSeriesAreBounded(t *testing.T) {
	m := newMetrics()
	o := m.Observer()
	anything := func(i int) {
		odd := fmt.Sprintf("odd-%d", i)
		m.Request(httpserver.Exchange{Method: odd, Status: 404, Limit: odd})
		m.Announced(context.Background(), []tracking.Announcement{{Event: tracking.EventName(odd)}})
		o.JobEnded(store.JobKind(odd), time.Second, errors.New(odd))
		o.SourceAnswered(odd, time.Second, tracking.FailedReason(odd))
		o.DeliveryEnded(time.Second, odd)
		o.DocumentRead(odd, time.Second, odd)
	}
	anything(0)
	before := m.read(t)
	for i := range 100 {
		anything(i)
	}
	after := m.read(t)
	if n, was := strings.Count(after, "\n"), strings.Count(before, "\n"); n != was {
		t.Errorf("%d series, before %d", n, was)
	}
	if strings.Contains(after, "odd") {
		t.Error("a label has a value that is not known")
	}
	t.Logf("%d series", strings.Count(after, "\n"))
}

// What a carrier says about a number is an answer; what keeps it from answering is not.
func TestLastSuccessOfACarrier(t *testing.T) {
	const series = `landfall_carrier_last_success_timestamp_seconds{scac="MAEU"} `
	for failure, success := range map[tracking.FailedReason]bool{
		"": true, "not_found": true, "booking_cancelled": true,
		"shipping_line_unreachable": false, "unrecognized_response": false, "internal_processing_error": false,
	} {
		m := newMetrics()
		m.Observer().SourceAnswered("MAEU", time.Second, failure)
		if text := m.read(t); strings.Contains(text, series+"0\n") == success || !strings.Contains(text, series) {
			t.Errorf("%q: it is a success: %t", failure, !success)
		}
	}
}

// A store that does not answer leaves out its own metrics, and no others.
func TestStoreThatFails(t *testing.T) {
	m := newMetrics()
	m.Watch(failing{})
	m.Committed(3, time.Millisecond, nil)
	m.Committed(1, time.Second, errors.New("the disk is full"))
	text := m.read(t)
	if strings.Contains(text, "landfall_store_wal_bytes") || strings.Contains(text, "landfall_jobs_due") {
		t.Error("there are metrics of a store that fails")
	}
	for _, line := range []string{
		"landfall_store_commit_updates_sum 3\n", "landfall_store_commit_updates_count 1\n", "landfall_store_commit_failures_total 1\n", "landfall_connections_open 3\n",
	} {
		if !strings.Contains(text, line) {
			t.Errorf("no line %s", line)
		}
	}
}

type failing struct{ store.Store }

func (failing) Stats(context.Context, time.Time) (store.Stats, error) {
	return store.Stats{}, store.ErrUnavailable
}

// Jobs of kinds that this program does not know are one, with the oldest of them.
func TestUnknownJobs(t *testing.T) {
	now := time.Unix(1000, 0)
	s := storeState{jobs: values{"refresh"}}
	by := s.byKind([]store.JobStats{
		{Kind: "refresh", Due: 1, Oldest: now},
		{Kind: "a", Due: 2, Leased: 1, Oldest: now.Add(-time.Minute)},
		{Kind: "b", Due: 3, Paused: 4},
		{Kind: "c", Oldest: now.Add(-time.Second)},
	})
	want := store.JobStats{Due: 5, Leased: 1, Paused: 4, Oldest: now.Add(-time.Minute)}
	if len(by) != 2 || by[other] != want || by["refresh"].Due != 1 {
		t.Errorf("%+v", by)
	}
	if got := secondsSince(by[other].Oldest, now); got != 60 {
		t.Errorf("it has been waiting for %g s", got)
	}
}

func BenchmarkRequest(b *testing.B) {
	m := newMetrics()
	e := httpserver.Exchange{Method: "GET", Route: "/v2/shipments/{id}", Status: 200, Bytes: 1000, Duration: time.Millisecond}
	b.ReportAllocs()
	for b.Loop() {
		m.Request(e)
	}
}
