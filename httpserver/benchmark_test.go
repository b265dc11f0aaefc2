package httpserver_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/httpserver"
)

// discardResponse is a ResponseWriter that drops the response, so that a benchmark measures
// only the handler.
type discardResponse struct{ header http.Header }

func (d *discardResponse) Header() http.Header         { return d.header }
func (d *discardResponse) WriteHeader(int)             {}
func (d *discardResponse) Write(p []byte) (int, error) { return len(p), nil }

// readBench is a server with 30 more shipments, and the most frequent read requests.
func readBench(tb testing.TB) (*bench, map[string]*http.Request) {
	b := newBench(tb)
	b.server = httpserver.New(httpserver.Config{Tracker: b.Operator, Limits: unlimited})
	t := b.mine
	for i := range 30 {
		_, err := b.Ingest(tb.Context(), tracking.Report{Source: "s", SCAC: "MAEU", Facts: []tracking.Fact{{
			ID: fmt.Sprint(i), Activity: freight.Loading, Mode: freight.ByVessel, Place: tracking.Place{LOCODE: "CNSHA"},
			Numbers: []tracking.ShipmentNumber{{Type: tracking.BillOfLading, Number: fmt.Sprintf("MAEU9900%d", i)}}, Containers: []string{"MRKU9465770"},
		}}})
		if err != nil {
			tb.Fatal(err)
		}
	}
	return b, map[string]*http.Request{
		"single":  request("GET", t.fill("/v2/shipments/{shipment}"), "", t.auth()),
		"list":    request("GET", "/v2/shipments?page[size]=30", "", t.auth()),
		"include": request("GET", "/v2/shipments?page[size]=30&include=containers,port_of_lading", "", t.auth()),
	}
}

func BenchmarkRead(b *testing.B) {
	s, requests := readBench(b)
	for _, name := range sorted(requests) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				s.server.ServeHTTP(&discardResponse{header: http.Header{}}, requests[name])
			}
		})
	}
}

// BenchmarkBare is the baseline: a handler that only writes the same bytes, and the
// allocations of the engine alone.
func BenchmarkBare(b *testing.B) {
	s, requests := readBench(b)
	w := httptest.NewRecorder()
	s.server.ServeHTTP(w, requests["single"])
	body := w.Body.Bytes()
	b.Run("handler", func(b *testing.B) {
		b.ReportAllocs()
		h := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(body) })
		for b.Loop() {
			h.ServeHTTP(&discardResponse{header: http.Header{}}, requests["single"])
		}
	})
	id := parse(b, s.mine.ids["shipment"])
	b.Run("engine-single", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := s.Rendered().Get(b.Context(), "shipment", id, nil); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("engine-list", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := s.Rendered().List(b.Context(), tracking.ShipmentQuery{}, tracking.Page{Number: 1, Size: 30}, nil); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func parse(tb testing.TB, s string) (id tracking.ID) {
	tb.Helper()
	if err := id.UnmarshalText([]byte(s)); err != nil {
		tb.Fatal(err)
	}
	return id
}

// BenchmarkWire measures a request through net/http over one connection, with a
// client that does not allocate; bare is a handler that writes the same bytes.
func BenchmarkWire(b *testing.B) {
	s, requests := readBench(b)
	for _, name := range sorted(requests) {
		w := httptest.NewRecorder()
		s.server.ServeHTTP(w, requests[name])
		length, body := []string{fmt.Sprint(w.Body.Len())}, w.Body.Bytes()
		bare := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header()["Content-Length"] = length
			_, _ = w.Write(body)
		})
		b.Run(name+"/bare", func(b *testing.B) { wire(b, bare, requests[name]) })
		b.Run(name+"/served", func(b *testing.B) { wire(b, s.server, requests[name]) })
	}
}

func wire(b *testing.B, h http.Handler, r *http.Request) {
	server := httptest.NewServer(h)
	defer server.Close()
	conn, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		b.Fatal(err)
	}
	defer conn.Close()
	send := fmt.Appendf(nil, "GET %s HTTP/1.1\r\nHost: host\r\nAuthorization: %s\r\n\r\n", r.URL.RequestURI(), r.Header.Get("Authorization"))
	buf := make([]byte, 1<<20)
	if _, err := conn.Write(send); err != nil {
		b.Fatal(err)
	}
	time.Sleep(50 * time.Millisecond)
	n, err := conn.Read(buf) // every answer has this length
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := conn.Write(send); err != nil {
			b.Fatal(err)
		}
		if _, err := io.ReadFull(conn, buf[:n]); err != nil {
			b.Fatal(err)
		}
	}
}

// This package adds few allocations to those of the engine: at most 45 for a single
// resource and 60 for a warm list, including net/http.
func TestAllocations(t *testing.T) {
	if raceOn {
		t.Skip("allocations cannot be counted under the race detector")
	}
	s, requests := readBench(t)
	ctx, id := t.Context(), parse(t, s.mine.ids["shipment"])
	for _, row := range []struct {
		name   string
		most   float64
		engine func() error
	}{
		{"single", 16, func() error { _, err := s.Rendered().Get(ctx, "shipment", id, nil); return err }},
		{"list", 24, func() error {
			_, err := s.Rendered().List(ctx, tracking.ShipmentQuery{}, tracking.Page{Number: 1, Size: 30}, nil)
			return err
		}},
	} {
		engine := testing.AllocsPerRun(200, func() {
			if err := row.engine(); err != nil {
				t.Fatal(err)
			}
		})
		served := testing.AllocsPerRun(200, func() { s.server.ServeHTTP(&discardResponse{header: http.Header{}}, requests[row.name]) })
		t.Logf("%s: %.0f allocations, %.0f of them the engine's", row.name, served, engine)
		if served-engine > row.most {
			t.Errorf("%s: %.0f allocations besides the engine's, want at most %.0f", row.name, served-engine, row.most)
		}
	}
}
