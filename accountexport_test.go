package tracking_test

import (
	"encoding/json"
	"errors"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/blob/memory"
	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/trackingtest"
)

// exported is what an export has given.
type exported struct {
	resources map[string][]json.RawMessage
	reports   []tracking.Report
	files     map[string]string
}

func exportAccount(t *testing.T, b *trackingtest.Bench, name string) exported {
	t.Helper()
	e := exported{map[string][]json.RawMessage{}, nil, map[string]string{}}
	err := b.Operator.ExportAccount(ctx, name, tracking.AccountExport{
		Resource: func(typ string, doc []byte) error {
			e.resources[typ] = append(e.resources[typ], slices.Clone(doc))
			return nil
		},
		Report: func(r tracking.Report) error { e.reports = append(e.reports, r); return nil },
		File: func(d *tracking.Document, b tracking.Blob, err error) error {
			if err != nil {
				return err
			}
			content, err := io.ReadAll(io.NewSectionReader(b, 0, b.Size()))
			e.files[d.FileName] = string(content)
			return err
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// indexInReport is the only attribute that differs when a fact comes in another report.
var indexInReport = regexp.MustCompile(`"index":\d+,`)

// attributes returns the attributes of the records of a type, sorted.
func (e exported) attributes(t *testing.T, typ string) (list []string) {
	t.Helper()
	for _, doc := range e.resources[typ] {
		var r struct {
			ID, Type   string
			Attributes json.RawMessage
		}
		if err := json.Unmarshal(doc, &r); err != nil || r.Type != typ || r.ID == "" {
			t.Errorf("%s: %v", doc, err)
		}
		list = append(list, indexInReport.ReplaceAllString(string(r.Attributes), ""))
	}
	slices.Sort(list)
	return list
}

// TestExportAccount: an export has the resources and files of one account and no secrets,
// and its reports make the same shipments in another account.
func TestExportAccount(t *testing.T) {
	b := trackingtest.New(t, func(c *tracking.Config) {
		c.MasterKey, c.Blobs = []byte(strings.Repeat("k", 32)), &memory.Blobs{Now: c.Clock.Now}
	})
	for _, number := range []string{"B1", "B2"} {
		report := api(voyage(number)...)
		report.Facts[0].Payload = []byte(`{"as":"sent"}`)
		ingest(t, b, report)
	}
	first, _, err := b.Shipments(ctx, tracking.ShipmentQuery{}, tracking.Page{})
	if err != nil {
		t.Fatal(err)
	}
	ingest(t, b, api(tracking.Fact{Activity: freight.Other, Numbers: []tracking.ShipmentNumber{{Type: tracking.BillOfLading, Number: "B2"}}, Containers: []string{"CSQU3054383"}}))
	ticket := upload(t, b.Tracker, "B1 invoice.txt", "an invoice")
	if _, err := b.CreateDocument(ctx, tracking.NewDocument{Name: "invoice", Attached: ticket.SignedID}); err != nil {
		t.Fatal(err)
	}
	gone, err := b.CreateDocument(ctx, tracking.NewDocument{Name: "gone", Attached: upload(t, b.Tracker, "gone.txt", "gone").SignedID})
	if err != nil {
		t.Fatal(err)
	}
	if err := b.DeleteDocument(ctx, gone.ID); err != nil {
		t.Fatal(err)
	}
	hook, err := b.CreateWebhook(ctx, tracking.NewWebhook{URL: "https://example.com/a", Events: []tracking.EventName{"container.created"}, Headers: []tracking.Header{{Name: "X-Key", Value: "hush-hush"}}})
	if err != nil {
		t.Fatal(err)
	}
	ann := newUser(t, b.Tracker, tracking.NewUser{Name: "ann", Email: "ann@example.com"})
	for owner, shared := range map[tracking.ID]bool{ann.ID: false, {}: true} {
		keeper := b.Operator.For(tracking.Actor{Account: b.Account.Scope(), User: owner})
		if _, err := keeper.Views().Create(ctx, tracking.NewView{Name: `"late"`, List: "shipment", Parameters: "tags=x&sort=pod_eta_at", Shared: shared}); err != nil {
			t.Fatal(err)
		}
	}
	secret, key := newKey(t, b, tracking.NewKey{Account: b.Account.Scope()})
	other, _, err := b.Operator.EnsureAccount(ctx, "other")
	if err != nil {
		t.Fatal(err)
	}
	b.Settle()

	e := exportAccount(t, b, b.Account.Name)
	for _, typ := range []string{"shipment", "container", "raw_event", "transport_event", "document", "webhook", "audit_event", "vessel", "account"} {
		if len(e.resources[typ]) == 0 {
			t.Errorf("no %s among %v", typ, slices.Sorted(maps.Keys(e.resources)))
		}
	}
	views := strings.Join(e.attributes(t, "view"), " ")
	for _, want := range []string{`"name":"\"late\""`, `"list":"shipment"`, `"shared":false`, `"shared":true`} {
		if !strings.Contains(views, want) {
			t.Errorf("the views have no %s: %s", want, views)
		}
	}
	if owned := string(slices.Concat(e.resources["view"]...)); !strings.Contains(owned, `"owner":{"data":{"type":"user","id":"`+ann.ID.String()+`"}}`) || !strings.Contains(owned, `"owner":{"data":null}`) {
		t.Errorf("the owners of the views: %s", owned)
	}
	if n := len(e.resources["next_milestone"]); n > 0 {
		t.Errorf("%d records that stand beside a container are exported by themselves", n)
	}
	if len(e.resources["shipment"]) != len(first) {
		t.Errorf("%d shipments", len(e.resources["shipment"]))
	}
	if diff := cmp.Diff(map[string]string{"B1 invoice.txt": "an invoice"}, e.files); diff != "" {
		t.Error(diff)
	}
	all, err := json.Marshal([]any{e.resources, e.reports})
	if err != nil {
		t.Fatal(err)
	}
	for _, hidden := range []string{secret, key.Hash, hook.Secret, "hush", "gone.txt"} {
		if strings.Contains(string(all), hidden) {
			t.Errorf("the export has %s", hidden)
		}
	}
	if !strings.Contains(string(all), `{"as":"sent"}`) {
		t.Error("the payloads are missing")
	}

	for _, r := range e.reports {
		text, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		again, err := tracking.ParseReport(text)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := b.Operator.For(tracking.Actor{Account: other.Scope()}).Ingest(ctx, again); err != nil {
			t.Fatal(err)
		}
	}
	moved := exportAccount(t, b, "other")
	for _, typ := range []string{"shipment", "container", "raw_event", "transport_event"} {
		if diff := cmp.Diff(e.attributes(t, typ), moved.attributes(t, typ)); diff != "" {
			t.Errorf("%s: %s", typ, diff)
		}
	}

	stop := errors.New("stop")
	if err := b.Operator.ExportAccount(ctx, "other", tracking.AccountExport{Resource: func(string, []byte) error { return stop }}); !errors.Is(err, stop) {
		t.Errorf("an error of the receiver: %v", err)
	}
	if err := b.ExportAccount(ctx, "other", tracking.AccountExport{}); !isKind(err, tracking.Forbidden) {
		t.Errorf("by a user: %v", err)
	}
	if err := b.Operator.ExportAccount(ctx, "nobody", tracking.AccountExport{}); !errors.Is(err, tracking.ErrNotFound) {
		t.Errorf("an account that does not exist: %v", err)
	}
}

// TestExportInPages: nothing is lost or repeated between the pages and the reports of a large
// account.
func TestExportInPages(t *testing.T) {
	b := trackingtest.New(t)
	var facts []tracking.Fact
	for range 1_001 {
		facts = append(facts, tracking.Fact{ID: string(rune(0x4e00 + len(facts))), Activity: freight.Other, Numbers: []tracking.ShipmentNumber{{Type: tracking.BillOfLading, Number: "B1"}}})
	}
	ingest(t, b, api(facts...))
	e := exportAccount(t, b, b.Account.Name)
	if len(e.resources["raw_event"]) != 1_001 || len(e.reports) != 2 || len(e.reports[0].Facts) != 1_000 {
		t.Fatalf("%d raw events, %d reports", len(e.resources["raw_event"]), len(e.reports))
	}
	seen := map[string]bool{}
	for i, f := range slices.Concat(e.reports[0].Facts, e.reports[1].Facts) {
		if f.ID != facts[i].ID || seen[string(e.resources["raw_event"][i])] {
			t.Fatalf("fact %d is %q", i, f.ID)
		}
		seen[string(e.resources["raw_event"][i])] = true
	}
}
