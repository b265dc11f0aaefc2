package postgres

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/httpserver"
	"github.com/landfallhq/tracking/internal/postgrestest"
)

// served is an account with shipments in PostgreSQL, and what serves it.
type served struct {
	store    *Store
	operator *tracking.Tracker
	account  tracking.AccountID
	no       int64
	key      string
	ids      []string // of shipments
	trips    atomic.Int64
}

const servedShipments = 1000

// newServed fills an account by reports.
func newServed(b *testing.B) *served {
	b.Helper()
	ctx := context.Background()
	s := &served{}
	var err error
	if s.store, err = Open(ctx, postgrestest.Shared(b).Schema(b), Options{}); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { s.store.Close() })
	s.store.sent = func(bool, *pgx.Batch) { s.trips.Add(1) }
	if s.operator, err = tracking.New(tracking.Config{Store: s.store}); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { s.operator.Close() })
	account, _, err := s.operator.EnsureAccount(ctx, "served")
	if err != nil {
		b.Fatal(err)
	}
	s.account = account.Scope()
	if s.key, _, err = s.operator.CreateKey(ctx, tracking.NewKey{Account: s.account}); err != nil {
		b.Fatal(err)
	}
	tracker := s.operator.For(tracking.Actor{Account: s.account})
	for i := 0; i < servedShipments; i += 50 {
		var facts []tracking.Fact
		for n := i; n < i+50; n++ {
			number := fmt.Sprintf("SERVED%06d", n)
			facts = append(facts, fact(number, freight.Departure, freight.Actual, "CNSHA", 75), fact(number, freight.Arrival, freight.Estimated, "NLRTM", 28*24))
			for box := range 2 {
				facts = append(facts, loading(number, 2*n+box, freight.Loading, "CNSHA", 70))
			}
		}
		if _, err := tracker.Ingest(ctx, tracking.Report{Source: "carrier", SCAC: "MAEU", Silent: true, Facts: facts}); err != nil {
			b.Fatal(err)
		}
	}
	found, _, err := tracker.Shipments(ctx, tracking.ShipmentQuery{}, tracking.Page{Number: 1, Size: servedShipments})
	if err != nil || len(found) != servedShipments {
		b.Fatalf("%d shipments, %v", len(found), err)
	}
	for _, shipment := range found {
		s.ids = append(s.ids, shipment.ID.String())
	}
	if err := s.store.pool.QueryRow(ctx, "SELECT no FROM accounts WHERE id = $1", [16]byte(s.account)).Scan(&s.no); err != nil {
		b.Fatal(err)
	}
	if _, err := s.store.pool.Exec(ctx, "VACUUM ANALYZE"); err != nil {
		b.Fatal(err)
	}
	return s
}

// listPath is that of a page of 30 shipments with their containers and ports.
func listPath(page int) string {
	return fmt.Sprintf("/v2/shipments?page[size]=30&page[number]=%d&include=containers,port_of_lading,port_of_discharge", page)
}

// BenchmarkServed measures requests over HTTP, each answered from PostgreSQL by our server and
// by a program without a store, which gets the same documents with pgx: a shipment in one
// statement, a page with its containers, their next milestones and the total in one round
// trip. That program checks no key and makes no links, and its ports are ready.
func BenchmarkServed(b *testing.B) {
	s := newServed(b)
	ours := func(cacheBytes int64) http.Handler {
		return httpserver.New(httpserver.Config{Tracker: s.operator, Limits: unlimitedRequests, ListCacheBytes: cacheBytes})
	}
	byHand := s.byHand(b)
	single := func(i int) string { return "/v2/shipments/" + s.ids[i%len(s.ids)] }
	page := func(i int) string { return listPath(1 + i%(servedShipments/30)) }
	hot := func(int) string { return listPath(1) }
	for _, row := range []struct {
		name    string
		handler http.Handler
		path    func(int) string
	}{
		{"single/landfall", ours(-1), single}, {"single/pgx", byHand, single},
		{"page/landfall", ours(-1), page}, {"page/pgx", byHand, page},
		{"memory/landfall", ours(64 << 20), hot}, {"memory/pgx", byHand, hot},
	} {
		b.Run(row.name, func(b *testing.B) { s.request(b, row.handler, row.path) })
	}
}

// request sends requests from eight callers over connections that stay open.
func (s *served) request(b *testing.B, h http.Handler, path func(int) string) {
	server := httptest.NewServer(h)
	defer server.Close()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}
	defer client.CloseIdleConnections()
	get := func(i int) error {
		r, err := http.NewRequest(http.MethodGet, server.URL+path(i), nil)
		if err != nil {
			return err
		}
		r.Header.Set("Authorization", "Token "+s.key)
		answer, err := client.Do(r)
		if err != nil {
			return err
		}
		defer answer.Body.Close()
		if n, err := io.Copy(io.Discard, answer.Body); err != nil || answer.StatusCode != http.StatusOK || n < 1000 {
			return fmt.Errorf("%s: %s, %d bytes, %v", path(i), answer.Status, n, err)
		}
		return nil
	}
	for i := range 2 { // which fills the cache
		if err := get(i); err != nil {
			b.Fatal(err)
		}
	}
	var next atomic.Int64
	s.trips.Store(0)
	b.SetParallelism(8 / runtime.GOMAXPROCS(0))
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if err := get(int(next.Add(1))); err != nil {
				b.Error(err)
				return
			}
		}
	})
	b.ReportMetric(float64(s.trips.Load())/float64(b.N), "trips/op")
}

var unlimitedRequests = httpserver.Limits{Default: -1, Create: -1, Infer: -1, Refresh: -1}

// byHand returns the program without a store.
func (s *served) byHand(b *testing.B) http.Handler {
	ports := s.ports(b)
	shipments := s.store.prepared.Load().tables["shipment"].name
	containers := s.store.prepared.Load().tables["container"].name
	milestones := s.store.prepared.Load().tables["next_milestone"].name
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v2/shipments/{id}", func(w http.ResponseWriter, r *http.Request) {
		id, err := uuid.Parse(r.PathValue("id"))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		var doc []byte
		if err := s.store.pool.QueryRow(r.Context(), "SELECT doc FROM "+shipments+" WHERE account = $1 AND id = $2", s.no, [16]byte(id)).Scan(&doc); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		writeJSON(w, func(out *bytes.Buffer) { out.WriteString(`{"data":`); out.Write(doc); out.WriteByte('}') })
	})
	mux.HandleFunc("GET /v2/shipments", func(w http.ResponseWriter, r *http.Request) {
		number := 1
		if _, err := fmt.Sscan(r.URL.Query().Get("page[number]"), &number); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		batch, docs, included, total := &pgx.Batch{}, []json.RawMessage{}, []json.RawMessage{}, 0
		read := func(to *[]json.RawMessage) func(pgx.Rows) error {
			return func(rows pgx.Rows) error {
				for rows.Next() {
					var doc, expected []byte
					if err := rows.Scan(&doc, &expected); err != nil {
						return err
					}
					*to = append(*to, withExpected(doc, expected))
				}
				return rows.Err()
			}
		}
		ofPage := "FROM " + shipments + " WHERE account = $1 ORDER BY rid DESC LIMIT 30 OFFSET $2"
		batch.Queue("SELECT doc, NULL::bytea "+ofPage, s.no, 30*(number-1)).Query(read(&docs))
		batch.Queue("SELECT c.doc, m.doc FROM "+containers+" c LEFT JOIN "+milestones+" m ON m.account = c.account AND m.id = c.id WHERE c.account = $1 AND c.c_shipment IN (SELECT id "+ofPage+")", s.no, 30*(number-1)).Query(read(&included))
		batch.Queue("SELECT count(*) FROM "+shipments+" WHERE account = $1", s.no).QueryRow(func(row pgx.Row) error { return row.Scan(&total) })
		if err := s.store.pool.SendBatch(r.Context(), batch).Close(); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		writeJSON(w, func(out *bytes.Buffer) {
			out.WriteString(`{"data":[`)
			writeList(out, docs)
			out.WriteString(`],"included":[`)
			writeList(out, included)
			out.WriteByte(',')
			out.Write(ports)
			fmt.Fprintf(out, `],"meta":{"size":30,"total":%d}}`, total)
		})
	})
	return mux
}

// withExpected adds the attributes of a container's next milestone to it.
func withExpected(doc, expected []byte) []byte {
	_, attributes, ok := bytes.Cut(expected, []byte(`"attributes":{`))
	if !ok {
		return doc
	}
	return append(append(doc[:len(doc)-2], ','), attributes...)
}

func writeList(out *bytes.Buffer, docs []json.RawMessage) {
	for i, doc := range docs {
		if i > 0 {
			out.WriteByte(',')
		}
		out.Write(doc)
	}
}

func writeJSON(w http.ResponseWriter, write func(*bytes.Buffer)) {
	var out bytes.Buffer
	write(&out)
	w.Header().Set("Content-Type", "application/vnd.api+json")
	w.Header().Set("Content-Length", fmt.Sprint(out.Len()))
	_, _ = w.Write(out.Bytes())
}

// ports returns the resources of the ports that the pages include.
func (s *served) ports(b *testing.B) []byte {
	b.Helper()
	w, r := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, listPath(1), nil)
	r.Header.Set("Authorization", "Token "+s.key)
	httpserver.New(httpserver.Config{Tracker: s.operator, Limits: unlimitedRequests}).ServeHTTP(w, r)
	var page struct{ Included []json.RawMessage }
	if err := json.Unmarshal(w.Body.Bytes(), &page); err != nil {
		b.Fatal(err)
	}
	var out bytes.Buffer
	for _, resource := range page.Included {
		var kind struct{ Type string }
		if err := json.Unmarshal(resource, &kind); err != nil {
			b.Fatal(err)
		}
		if kind.Type != "container" {
			writeList(&out, []json.RawMessage{resource})
			out.WriteByte(',')
		}
	}
	return bytes.TrimSuffix(out.Bytes(), []byte(","))
}
