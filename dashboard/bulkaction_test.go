package dashboard

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freight"
)

// shipped reports a shipment for each number.
func (b *bench) shipped(numbers ...string) (list []*tracking.Shipment) {
	b.t.Helper()
	for _, number := range numbers {
		f := freight.Fact{Classifier: freight.Actual, Activity: freight.Loading, SCAC: "MAEU", RecordedAt: b.Clock.Now(), At: freight.Moment{Time: b.Clock.Now()}, Mode: freight.ByVessel, LoadStatus: freight.Laden,
			Numbers: []freight.ShipmentNumber{{Type: freight.BillOfLading, Number: number}}, Vessel: freight.VesselRef{IMO: "9321483"}}
		f.Place.LOCODE = "CNSHA"
		if _, err := b.Ingest(b.t.Context(), tracking.Report{Source: "test", SCAC: "MAEU", Facts: []freight.Fact{f}}); err != nil {
			b.t.Fatal(err)
		}
		list = append(list, b.shipment(number))
	}
	return list
}

func (b *bench) shipment(number string) *tracking.Shipment {
	b.t.Helper()
	found, _, err := b.Shipments(b.t.Context(), tracking.ShipmentQuery{Number: number}, tracking.Page{})
	if err != nil || len(found) != 1 {
		b.t.Fatalf("%s: %d shipments, error %v", number, len(found), err)
	}
	return found[0]
}

// numbered are numbers of bills of lading.
func numbered(prefix string, n int) (list []string) {
	for i := range n {
		list = append(list, fmt.Sprintf("%s%04d", prefix, i))
	}
	return list
}

// chosen sends the form of a list, and returns the page of the action.
func (b *bench) chosen(form url.Values) string {
	b.t.Helper()
	form.Set("csrf", b.token("/"))
	a := b.post("/bulk-actions", form)
	if a.status != 303 {
		b.t.Fatalf("%v: %d %s", form, a.status, a.body)
	}
	return a.header.Get("Location")
}

// confirmed confirms an action, and returns its page when it has ended.
func (b *bench) confirmed(path string, values ...string) answer {
	b.t.Helper()
	if a := b.post(path, url.Values{"csrf": {b.token("/")}, "given": {"yes"}, "value": values}); a.status != 303 || a.header.Get("Location") != path {
		b.t.Fatalf("confirmed: %d %s", a.status, a.body)
	}
	return b.tracked(path)
}

// says checks what a page has.
func says(t *testing.T, what string, a answer, texts ...string) {
	t.Helper()
	for _, s := range texts {
		if a.status != 200 || !strings.Contains(a.body, s) {
			t.Errorf("%s: %d, without %q", what, a.status, s)
		}
	}
}

// TestBulkStop: all that a filter finds is stopped, on every page of the list, and nothing else;
// what was stopped before keeps its reason.
func TestBulkStop(t *testing.T) {
	w := newWorld(t)
	w.signIn()
	lot := w.shipped(append(numbered("MAEUL", 7), numbered("MAEUM", 2)...)...)
	for i, s := range lot {
		tag := "lot-44"
		if i >= 7 {
			tag = "lot-440"
		}
		if _, err := w.UpdateShipment(t.Context(), s.ID, tracking.ShipmentUpdate{Tags: tracking.Set([]string{tag})}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.StopTracking(t.Context(), lot[6].ID); err != nil {
		t.Fatal(err)
	}
	before := w.shipment("MAEUL0006")
	w.Clock.Advance(time.Hour)
	list := w.get("/shipments?size=2&tags=lot-44")
	w.inspect("the list", list.body)
	says(t, "the list", list, "Apply to all: 7 shipments", `value="stop"`, "Set ")
	path := w.chosen(url.Values{"list": {"shipments"}, "parameters": {"tags=lot-44"}, "action": {"stop"}, "scope": {"all"}})
	says(t, "the preview", w.get(path), "7 shipments", "Will be stopped: 6.", "Left as they are: 1.", "Tracking is stopped already: By a user", "Stop tracking: 6 shipments")
	late := w.shipped("MAEUL0099")[0] // after the question
	if _, err := w.UpdateShipment(t.Context(), late.ID, tracking.ShipmentUpdate{Tags: tracking.Set([]string{"lot-44"})}); err != nil {
		t.Fatal(err)
	}
	if s := w.shipment("MAEUL0000"); !s.LineTrackingStoppedAt.IsZero() {
		t.Fatal("stopped before that was confirmed")
	}
	says(t, "the result", w.confirmed(path), "Stopped: 6.", "Left as they are: 1.", "7 of 7 rows are done", "MAEUL0006")
	for _, number := range append(append(numbered("MAEUL", 7), numbered("MAEUM", 2)...), "MAEUL0099") {
		s := w.shipment(number)
		switch {
		case number == "MAEUL0006":
			if !s.LineTrackingStoppedAt.Equal(before.LineTrackingStoppedAt) || s.Version != before.Version {
				t.Errorf("what was stopped before is changed: %+v", s)
			}
		case number < "MAEUL0007":
			if !s.LineTrackingStoppedAt.Equal(w.Clock.Now()) || s.LineTrackingStoppedReason != tracking.StoppedByUser {
				t.Errorf("%s is not stopped", number)
			}
		case !s.LineTrackingStoppedAt.IsZero():
			t.Errorf("%s is stopped", number)
		}
	}
	if _, err := w.ResumeTracking(t.Context(), lot[0].ID); err != nil {
		t.Fatal(err)
	}
	w.confirmed(path)
	if s := w.shipment("MAEUL0000"); !s.LineTrackingStoppedAt.IsZero() {
		t.Error("sent a second time, it is stopped again")
	}
	events, _, err := w.AuditEvents(t.Context(), tracking.AuditEventQuery{Operations: []string{"shipment.stop_tracking"}}, tracking.Page{})
	if err != nil || len(events) != 7 {
		t.Errorf("%d events in the audit log, error %v", len(events), err)
	}
	w.signIn(tracking.Show)
	says(t, "the result without the permission", w.get(path), "Stopped: 6.")
	if a := w.get("/shipments?tags=lot-44"); strings.Contains(a.body, "bulk-actions") || strings.Contains(a.body, `name="id"`) {
		t.Error("an action is offered without the permission")
	}
	w.signInTo(w.other.Scope())
	if a := w.get(path); a.status != 404 {
		t.Errorf("the action of another account: %d", a.status)
	}
	if a := w.post(path, url.Values{"csrf": {w.token("/")}}); a.status != 404 {
		t.Errorf("the action of another account, confirmed: %d", a.status)
	}
	stolen := w.chosen(url.Values{"list": {"shipments"}, "action": {"resume"}, "id": {lot[1].ID.String()}})
	if a := w.confirmed(stolen); !strings.Contains(a.body, "Refused: 1.") || strings.Contains(a.body, "MAEUL") || w.shipment("MAEUL0001").LineTrackingStoppedAt.IsZero() {
		t.Errorf("a shipment of another account: %d", a.status)
	}
}

// TestBulkTags: tags are added to what each record has, and removed from it.
func TestBulkTags(t *testing.T) {
	w := newWorld(t)
	w.signIn()
	lot := w.shipped(numbered("MAEUT", 3)...)
	ids := []string{lot[0].ID.String(), lot[1].ID.String(), lot[0].ID.String()}
	if _, err := w.UpdateShipment(t.Context(), lot[1].ID, tracking.ShipmentUpdate{Tags: tracking.Set([]string{"b", "c"})}); err != nil {
		t.Fatal(err)
	}
	tags := func() (list []string) {
		for _, number := range numbered("MAEUT", 3) {
			list = append(list, strings.Join(w.shipment(number).Tags, "+"))
		}
		return list
	}
	add := w.chosen(url.Values{"list": {"shipments"}, "action": {"add_tags"}, "scope": {"chosen"}, "id": ids})
	says(t, "the page", w.get(add), "2 shipments", `name="value"`)
	says(t, "no tag", w.get(add+"?given=yes&value=+,"), "Enter at least one tag", `aria-invalid="true"`)
	says(t, "the preview", w.get(add+"?given=yes&value=a,+b"), "Will get the tags: 2.", `value="a"`, `value="b"`)
	for _, form := range []url.Values{{}, {"given": {"yes"}}, {"given": {"yes"}, "value": {strings.Repeat("x", 256)}}} {
		form.Set("csrf", w.token("/"))
		if a := w.post(add, form); a.status != 422 || !strings.Contains(a.body, `id="problem-value"`) {
			t.Errorf("%v: %d", form, a.status)
		}
	}
	says(t, "the result", w.confirmed(add, "a", "b"), "Tagged: 2.")
	if got := tags(); !slices.Equal(got, []string{"a+b", "b+c+a", ""}) {
		t.Errorf("added: %q", got)
	}
	remove := w.chosen(url.Values{"list": {"shipments"}, "action": {"remove_tags"}, "id": append(ids, lot[2].ID.String())})
	says(t, "removed", w.confirmed(remove, "b"), "Tags removed: 2.", "Left as they are: 1.", "It has none of these tags")
	if got := tags(); !slices.Equal(got, []string{"a", "c+a", ""}) {
		t.Errorf("removed: %q", got)
	}
	full := w.chosen(url.Values{"list": {"shipments"}, "action": {"add_tags"}, "id": ids})
	says(t, "too many", w.confirmed(full, numbered("t", 100)...), "Refused: 2.", "holds more than 100")
}

// TestBulkField: a custom field is set on all, and a value that it cannot have is refused before.
func TestBulkField(t *testing.T) {
	w := newWorld(t)
	w.signIn()
	if _, err := w.CreateCustomFieldDefinition(t.Context(), tracking.NewCustomFieldDefinition{EntityType: tracking.ShipmentEntity, APISlug: "day", DisplayName: "Delivery date", DataType: tracking.DateField}); err != nil {
		t.Fatal(err)
	}
	lot := w.shipped(numbered("MAEUD", 3)...)
	value := func(i int) string {
		f, err := w.CustomFieldOf(t.Context(), tracking.Entity{Type: tracking.ShipmentEntity, ID: lot[i].ID}, "day")
		if err != nil {
			return ""
		}
		return string(f.Value)
	}
	if _, err := w.SetCustomField(t.Context(), tracking.NewCustomField{Entity: tracking.Entity{Type: tracking.ShipmentEntity, ID: lot[2].ID}, APISlug: "day", Value: []byte(`"2026-06-30"`)}); err != nil {
		t.Fatal(err)
	}
	path := w.chosen(url.Values{"list": {"shipments"}, "parameters": {"number=MAEUD0000"}, "action": {"custom_fields.day"}, "id": {lot[0].ID.String(), lot[2].ID.String()}})
	bad := w.get(path + "?given=yes&value=2026-06-31")
	says(t, "31 June", bad, `value="2026-06-31"`, `id="problem-value"`)
	if strings.Contains(bad.body, "Will be set") {
		t.Error("31 June can be confirmed")
	}
	if a := w.post(path, url.Values{"csrf": {w.token("/")}, "given": {"yes"}, "value": {"2026-06-31"}}); a.status != 422 || value(0) != "" {
		t.Errorf("31 June confirmed: %d", a.status)
	}
	says(t, "the preview", w.get(path+"?given=yes&value=2026-06-30"), "Will be set: 1.", "It has this value already")
	says(t, "the result", w.confirmed(path, "2026-06-30"), "Set: 1.", "2026-06-30")
	if value(0) != `"2026-06-30"` || value(1) != "" {
		t.Errorf("the values are %s and %s", value(0), value(1))
	}
	empty := w.chosen(url.Values{"list": {"shipments"}, "action": {"custom_fields.day"}, "id": {lot[0].ID.String()}})
	w.confirmed(empty, "")
	if value(0) == `"2026-06-30"` {
		t.Errorf("emptied: %s", value(0))
	}
}

// TestBulkRefusals: what cannot be understood is refused on the list, with what was ticked.
func TestBulkRefusals(t *testing.T) {
	w := newWorld(t)
	w.signIn()
	id := w.ids["shipments"].String()
	for _, form := range []url.Values{
		{"list": {"shipments"}, "id": {id}}, {"list": {"shipments"}, "action": {"custom_fields.none"}, "id": {id}}, {"list": {"containers"}, "action": {"stop"}, "id": {id}},
		{"list": {"shipments"}, "action": {"stop"}}, {"list": {"shipments"}, "action": {"stop"}, "id": {"x"}}, {"list": {"shipments"}, "action": {"stop"}, "id": numbered("x", 300)},
	} {
		form.Set("csrf", w.token("/"))
		a := w.post("/bulk-actions", form)
		if a.status != 422 || !strings.Contains(a.body, `id="bulk-problem"`) || form.Get("list") == "shipments" && form.Get("id") == id && !strings.Contains(a.body, `value="`+id+`" checked`) {
			t.Errorf("%v: %d", form, a.status)
		}
		w.inspect("a refused form", a.body)
	}
	for _, s := range append([]string{"%zz", "none=1", "sort=x", ""}, hostile...) {
		for _, name := range []string{"list", "parameters", "action", "scope", "id"} {
			form := url.Values{"csrf": {w.token("/")}, "list": {"shipments"}, "action": {"stop"}, "scope": {"all"}}
			form.Set(name, s)
			if a := w.post("/bulk-actions", form); a.status >= 500 || strings.Contains(a.body, s) && strings.ContainsAny(s, `<>"'`) {
				t.Errorf("%s %q: %d", name, s, a.status)
			}
		}
	}
	for _, path := range []string{"/bulk-actions/none", "/bulk-actions/%00"} {
		if a := w.get(path); a.status != 404 {
			t.Errorf("%s: %d", path, a.status)
		}
	}
}

// TestLargeBulk does an action on 5,000 records, and refuses one on more.
func TestLargeBulk(t *testing.T) {
	w := newBench(t)
	w.signIn()
	track := func(numbers []string) {
		var list []tracking.NewTrackingRequest
		for _, number := range numbers {
			list = append(list, tracking.NewTrackingRequest{Number: number, SCAC: "MAEU", Type: tracking.BillOfLading})
		}
		if _, err := w.CreateTrackingRequests(t.Context(), list); err != nil {
			t.Fatal(err)
		}
	}
	for batch := range slices.Chunk(numbered("MAEUB", maxBulk), tracking.MaxBulkRequests) {
		track(batch)
	}
	form := url.Values{"list": {"tracking-requests"}, "action": {"add_tags"}, "scope": {"all"}}
	began := time.Now()
	path := w.chosen(form)
	says(t, "the preview", w.get(path+"?given=yes&value=spring"), "Will get the tags: 5,000.", "1–200 of 5,000")
	t.Logf("the preview took %s", time.Since(began))
	began = time.Now()
	says(t, "the result", w.confirmed(path, "spring"), "Tagged: 5,000.", "5,000 of 5,000 rows are done")
	t.Logf("the action took %s", time.Since(began))
	list, _, err := w.TrackingRequests(t.Context(), tracking.TrackingRequestQuery{}, tracking.Page{})
	if err != nil || slices.ContainsFunc(list, func(r *tracking.TrackingRequest) bool { return !slices.Equal(r.Tags, []string{"spring"}) }) {
		t.Errorf("a request has other tags, error %v", err)
	}
	track([]string{"MAEUB9999"})
	form.Set("csrf", w.token("/"))
	if a := w.post("/bulk-actions", form); a.status != 422 || !strings.Contains(a.body, "The list finds 5,001, and an action takes at most 5,000.") {
		t.Errorf("5,001 records: %d %s", a.status, a.body)
	}
}

// TestBulkGoesOn: after the program has ended in between, the page offers to do the rest, and does
// nothing again.
func TestBulkGoesOn(t *testing.T) {
	w := newWorld(t)
	w.signIn()
	lot := w.shipped(numbered("MAEUG", 3)...)
	path := w.chosen(url.Values{"list": {"shipments"}, "action": {"add_tags"}, "id": {lot[0].ID.String(), lot[1].ID.String(), lot[2].ID.String()}})
	before := &request{handler: newHandler(Config{Tracker: w.Operator, Clock: w.Clock}), actor: tracking.Actor{Account: w.Account.Scope()}}
	done := bulkProgress{Entered: []string{"spring"}, Results: []bulkResult{{}}}
	if err := before.keep("bulk-progress/"+strings.TrimPrefix(path, "/bulk-actions/"), done); err != nil {
		t.Fatal(err)
	}
	page := w.get(path)
	says(t, "the page", page, "1 of 3 rows are done", "Go on", "MAEUG0000")
	if page.header.Get("Refresh") != "" {
		t.Error("the page waits for what does not run")
	}
	says(t, "the result", w.confirmed(path, "autumn"), "Tagged: 3.", "spring") // what was confirmed first
	for i, want := range []string{"", "spring", "spring"} {
		if got := strings.Join(w.shipment(fmt.Sprintf("MAEUG%04d", i)).Tags, "+"); got != want {
			t.Errorf("shipment %d has %q, not %q", i, got, want)
		}
	}
	w.Clock.Advance(keptLife)
	w.signIn()
	if a := w.post(path, url.Values{"csrf": {w.token("/")}}); a.status != 404 || !strings.Contains(a.body, "wait for a day") {
		t.Errorf("a day later: %d", a.status)
	}
}
