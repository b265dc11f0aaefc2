package dashboard

import (
	"os"
	"strings"
	"testing"
)

// TestReference: everybody reads the reference. Each operation has a page, and each schema that
// a page names too.
func TestReference(t *testing.T) {
	b := newBench(t)
	index := b.get("/docs")
	if index.status != 200 || !strings.Contains(index.body, "<code>GET /shipments</code>") {
		t.Fatalf("%d %s", index.status, index.body)
	}
	data, err := os.ReadFile("../docs/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	r, err := readReference(data)
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
	if a := b.get("/docs/openapi.json"); a.body != string(data) {
		t.Errorf("the document: %d", a.status)
	}
}
