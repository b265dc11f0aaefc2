package dashboard

import (
	"errors"
	"log/slog"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/trackingtest"
)

// TestReference: everybody reads the reference. Each operation has a page, and each schema that
// a page names too.
func TestReference(t *testing.T) {
	b := newBench(t)
	index := b.get("/docs")
	if index.status != 200 || !strings.Contains(index.body, "<code>GET /shipments</code>") {
		t.Fatalf("%d %s", index.status, index.body)
	}
	r, err := Config{OpenAPI: readOpenAPI}.readReference()
	if err != nil || len(r.operations) < 100 {
		t.Fatalf("%d operations, %v", len(r.operations), err)
	}
	for _, op := range r.operations {
		path := "/docs/operations/" + op.ID
		if !strings.Contains(index.body, path) {
			t.Errorf("%s is not in the index", path)
		}
		a := b.get(path)
		if a.status != 200 || !strings.Contains(a.body, "<code>"+op.Method+" ") || !strings.Contains(a.body, "Response ") {
			t.Errorf("%s: %d", path, a.status)
		}
	}
	for _, m := range r.components["schemas"] {
		if a := b.get("/docs/schemas/" + m.name); a.status != 200 {
			t.Errorf("the schema %s: %d", m.name, a.status)
		}
	}
	page := b.get("/docs/operations/createWebhook").body
	for _, want := range []string{"Idempotency-Key", "required", "container.updated", "URL that notifications are posted to.", "/docs/schemas/event_name"} {
		if !strings.Contains(page, want) {
			t.Errorf("createWebhook lacks %q", want)
		}
	}
	found := b.get("/docs?q=import+TARIFFS").body
	if !strings.Contains(found, "/docs/operations/createTariffImport") || strings.Contains(found, "/docs/operations/listShipments") {
		t.Error("the search finds other operations")
	}
	for _, path := range []string{"/docs/operations/none", "/docs/schemas/none", "/docs/schemas/%3Cscript%3E"} {
		if a := b.get(path); a.status != 404 {
			t.Errorf("%s: %d", path, a.status)
		}
	}
	if a := b.get("/docs/openapi.json"); a.body != string(r.document) {
		t.Errorf("the document: %d", a.status)
	}
}

// TestLinkToReference: the settings lead to the reference where it is served.
func TestLinkToReference(t *testing.T) {
	b := newBench(t)
	b.signIn(tracking.Show)
	const link = `href="/docs"`
	if !strings.Contains(b.get("/settings").body, link) {
		t.Error("the settings have no link to the reference")
	}
	b.server.Config.Handler = New(Config{Tracker: b.Operator, Clock: b.Clock})
	b.signIn(tracking.Show)
	if a := b.get("/settings"); a.status != 200 || strings.Contains(a.body, link) {
		t.Errorf("without a reference: %d", a.status)
	}
}

// TestReferenceIsReadWhenAskedFor: the description takes longer than the rest of a start. It is
// generated once, for a visitor of the reference; one that fails is an error of that page alone.
func TestReferenceIsReadWhenAskedFor(t *testing.T) {
	for _, c := range []struct {
		name    string
		openAPI func() ([]byte, error)
		status  int
	}{
		{"valid", readOpenAPI, 200},
		{"malformed", func() ([]byte, error) { return []byte("{"), nil }, 500},
		{"failed", func() ([]byte, error) { return nil, errors.New("none") }, 500},
	} {
		t.Run(c.name, func(t *testing.T) {
			calls := 0
			h := New(Config{Tracker: trackingtest.New(t).Operator, Logger: slog.New(slog.DiscardHandler), OpenAPI: func() ([]byte, error) {
				calls++
				return c.openAPI()
			}})
			get := func(path string, want int) {
				w := httptest.NewRecorder()
				h.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
				if w.Code != want {
					t.Errorf("%s: %d, not %d", path, w.Code, want)
				}
			}
			get("/sign-in", 200)
			if calls != 0 {
				t.Error("the description was generated without a visitor of the reference")
			}
			for _, path := range []string{"/docs", "/docs/openapi.json", "/docs/operations/listShipments", "/docs/schemas/event_name"} {
				get(path, c.status)
			}
			if calls != 1 {
				t.Errorf("the description was generated %d times", calls)
			}
		})
	}
}
