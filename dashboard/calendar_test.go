package dashboard

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/internal/calendar/calendartest"
	"github.com/landfallhq/tracking/trackingtest"
)

// calendarWorld is a dashboard with one container on its way to Oakland.
type calendarWorld struct {
	world
	tr *tracking.Tracker
}

func newCalendarWorld(t *testing.T) *calendarWorld {
	t.Helper()
	b := newBenchOf(t, trackingtest.New(t))
	w := &calendarWorld{world{bench: b, ids: map[string]tracking.ID{}}, b.Operator.For(tracking.Actor{Account: b.Account.Scope()})}
	w.Clock.Set(time.Date(2026, 2, 20, 8, 0, 0, 0, time.UTC))
	w.report("MAEU1", "MRKU9465770", `"event":"depart","at":"2026-02-10T10:00:00Z","place":{"locode":"CNSHA","role":"pol"},"mode":"vessel","vessel":{"imo":"9321483","name":"Alpha"}`, oaklandAt("2026-03-01T08:00:00-08:00"))
	w.signIn()
	return w
}

// report ingests facts of a shipment with one container.
func (w *calendarWorld) report(bill, box string, facts ...string) {
	w.t.Helper()
	for i, f := range facts {
		facts[i] = fmt.Sprintf(`{"containers":[%q],"numbers":[{"type":"bill_of_lading","number":%q}],%s}`, box, bill, f)
	}
	r, err := tracking.ParseReport([]byte(`{"source":"carrier","scac":"MAEU","facts":[` + strings.Join(facts, ",") + `]}`))
	if err != nil {
		w.t.Fatal(err)
	}
	receipt, err := w.tr.Ingest(w.t.Context(), r)
	if err != nil {
		w.t.Fatal(err)
	}
	w.ids[bill] = receipt.ShipmentIDs[0]
	w.Settle()
}

func oaklandAt(at string) string {
	return `"id":"eta","event":"arrive","classifier":"estimated","at":"` + at + `","place":{"locode":"USOAK","role":"pod"},"mode":"vessel","vessel":{"imo":"9321483","name":"Alpha"}`
}

const atTerminal = `"id":"terminal","event":"terminal_status","at":"2026-03-02T12:00:00-08:00","data_source":"terminal","place":{"locode":"USOAK","smdg_code":"TRAP"},"terminal":{"available_for_pickup":true,"last_free_day":"2026-03-05","appointment":"2026-03-04T07:30:00-08:00"}`

// calendar makes a calendar of a view by its form, and returns the path of its address.
func (w *calendarWorld) calendar(list, parameters string, columns ...string) string {
	w.t.Helper()
	view, err := w.tr.Views().Create(w.t.Context(), tracking.NewView{Name: list + parameters, List: list, Parameters: parameters, Shared: true})
	if err != nil {
		w.t.Fatal(err)
	}
	page := "/views/" + view.ID.String() + "/calendar"
	if len(columns) == 0 { // those that are ticked
		for _, m := range tickedColumn.FindAllStringSubmatch(w.get(page).body, -1) {
			columns = append(columns, m[1])
		}
	}
	return w.sharedAddress(page, w.shareForm(page, w.Clock.Now().AddDate(0, 1, 0).Format(time.DateOnly), columns...))
}

var tickedColumn = regexp.MustCompile(`name="columns" value="([^"]*)" checked`)

// events reads a calendar, checks it, and returns its events: their properties by name.
func (w *calendarWorld) events(path string) (list []map[string]string) {
	w.t.Helper()
	a := w.get(path)
	if a.status != 200 || a.header.Get("Content-Type") != "text/calendar; charset=utf-8" || a.header.Get("Set-Cookie") != "" {
		w.t.Fatalf("%s: %d %v %s", path, a.status, a.header, a.body)
	}
	if id := anyID.FindString(a.body); id != "" {
		w.t.Errorf("%s has the ID %s", path, id)
	}
	for line := range strings.SplitSeq(strings.ReplaceAll(a.body, "\r\n ", ""), "\r\n") {
		name, value, _ := strings.Cut(line, ":")
		switch {
		case line == "BEGIN:VEVENT":
			list = append(list, map[string]string{})
		case len(list) > 0:
			list[len(list)-1][name] = value
		}
	}
	return list
}

// event returns the event whose summary has a text.
func event(t *testing.T, list []map[string]string, text string) map[string]string {
	t.Helper()
	i := slices.IndexFunc(list, func(e map[string]string) bool { return strings.Contains(e["SUMMARY"], text) })
	if i < 0 {
		t.Fatalf("no event %q in %v", text, list)
	}
	return list[i]
}

// TestCalendar: a calendar of containers has each known date as an event, which moves with the
// date and keeps its UID; the same data have the same bytes; and a calendar that was revoked
// answers like an address that never existed.
func TestCalendar(t *testing.T) {
	w := newCalendarWorld(t)
	path := w.calendar("container", "")
	w.visitor()
	calendartest.Validate(t, []byte(w.get(path).body))
	before := event(t, w.events(path), "Estimated arrival")
	for name, want := range map[string]string{
		"DTSTART": "20260301T160000Z", "STATUS": "TENTATIVE", "SUMMARY": "MRKU9465770 · Estimated arrival · Oakland (USOAK)", "LOCATION": "Oakland (USOAK)",
		"DESCRIPTION": `Estimated arrival: 1 Mar 2026\, 08:00 UTC−8\nNumber: MRKU9465770\nShipment: MAEU1\nAt: Oakland (USOAK)\nRecorded on 20 Feb 2026\, 08:00 UTC`,
	} {
		if before[name] != want {
			t.Errorf("%s is %q, want %q", name, before[name], want)
		}
	}
	if n := len(w.events(path)); n != 1 {
		t.Errorf("%d events while two dates are not known", n)
	}
	w.unchanged(path)

	w.Clock.Advance(time.Hour)
	w.report("MAEU1", "MRKU9465770", oaklandAt("2026-03-02T10:00:00-08:00"), atTerminal)
	list := w.events(path)
	after := event(t, list, "Estimated arrival")
	if after["UID"] != before["UID"] || after["DTSTART"] != "20260302T180000Z" || after["SEQUENCE"] <= before["SEQUENCE"] {
		t.Errorf("the moved arrival is %v, was %v", after, before)
	}
	if e := event(t, list, "Last free day"); e["DTSTART;VALUE=DATE"] != "20260305" || e["DTEND;VALUE=DATE"] != "20260306" {
		t.Errorf("the last free day is %v", e)
	}
	if e := event(t, list, "Pickup appointment"); e["DTSTART"] != "20260304T153000Z" {
		t.Errorf("the appointment is %v", e)
	}
	w.Clock.Set(time.Date(2026, 3, 3, 8, 0, 0, 0, time.UTC))
	w.report("MAEU1", "MRKU9465770", strings.Replace(oaklandAt("2026-03-02T11:00:00-08:00"), "estimated", "actual", 1))
	if e := event(t, w.events(path), "Arrived"); e["UID"] != before["UID"] || e["STATUS"] != "CONFIRMED" || len(w.events(path)) != 3 {
		t.Errorf("the actual arrival is %v", e)
	}
	calendartest.Validate(t, []byte(w.get(path).body))
	w.revoked(path)
}

// unchanged checks that a program which has a calendar is answered without it.
func (w *calendarWorld) unchanged(path string) {
	w.t.Helper()
	a := w.get(path)
	w.Clock.Advance(10 * time.Minute)
	r, _ := http.NewRequest("GET", w.server.URL+path, nil)
	r.Header.Set("If-None-Match", a.header.Get("ETag"))
	if again := w.do(r); again.status != 304 || again.body != "" || again.header.Get("Cache-Control") != "private, no-cache" {
		w.t.Errorf("with the ETag %q: %d %v", a.header.Get("ETag"), again.status, again.header)
	}
	r, _ = http.NewRequest("HEAD", w.server.URL+path, nil)
	if head := w.do(r); head.status != 200 || head.header.Get("ETag") != a.header.Get("ETag") {
		w.t.Errorf("HEAD: %d", head.status)
	}
}

// revoked checks that the readings of a calendar were no openings, revokes its link and checks
// that its answer is that of an address that never existed.
func (w *calendarWorld) revoked(path string) {
	w.t.Helper()
	links, _, err := w.tr.ShareLinks().List(w.t.Context(), tracking.ShareLinkQuery{}, tracking.Page{})
	if err != nil || len(links) != 1 || links[0].Openings != 0 {
		w.t.Fatalf("links %v, error %v", links, err)
	}
	if _, err := w.tr.ShareLinks().Revoke(w.t.Context(), links[0].ID); err != nil {
		w.t.Fatal(err)
	}
	revoked, never := w.get(path), w.get("/shared/"+strings.Repeat("A", 64)+"/"+calendarFile)
	page := w.get(strings.TrimSuffix(path, "/"+calendarFile))
	for _, a := range []answer{never, page} {
		if revoked.status != 404 || a.body != revoked.body || strings.Join(flat(a.header), "\n") != strings.Join(flat(revoked.header), "\n") {
			w.t.Errorf("revoked: %d %v, else %d %v", revoked.status, revoked.header, a.status, a.header)
		}
	}
}

// TestCalendarColumns: a calendar shows the dates of the chosen columns and no other text, and
// there is none without a date.
func TestCalendarColumns(t *testing.T) {
	w := newCalendarWorld(t)
	w.report("MAEU1", "MRKU9465770", atTerminal)
	list := w.events(w.calendar("container", "", "pickup_lfd"))
	if len(list) != 1 || list[0]["SUMMARY"] != "Last free day" || list[0]["LOCATION"] != "" || strings.Contains(list[0]["DESCRIPTION"], "MRKU") {
		t.Errorf("a calendar of last free days has %v", list)
	}
	path := w.calendar("shipment", "sort=pod_eta_at")
	if e := event(t, w.events(path), "Estimated arrival"); e["SUMMARY"] != "MAEU1 · Estimated arrival · Oakland (USOAK)" || !strings.Contains(e["DESCRIPTION"], `Line: Maersk\nTo: Oakland`) {
		t.Errorf("a shipment has %v", e)
	}
	page := strings.TrimSuffix(path, "/"+calendarFile)
	m := regexp.MustCompile(`href="([^"]*)" type="text/calendar"`).FindStringSubmatch(w.get(page).body)
	if m == nil || "/shared/"+m[1] != path {
		t.Errorf("the page of the list leads to %v, the calendar is at %s", m, path)
	}
	if a := w.get("/views/" + w.view("tracking_request").String() + "/calendar"); a.status != 404 {
		t.Errorf("a calendar of tracking requests: %d", a.status)
	}
	form := "/views/" + w.view("container").String() + "/calendar"
	if a := w.post(form, w.shareForm(form, w.Clock.Now().Format(time.DateOnly), "number", "place")); a.status != 422 || !strings.Contains(a.body, "Choose at least one column with a date") {
		t.Errorf("a calendar without dates: %d", a.status)
	}
	// A link without dates, or of a shipment, has no calendar.
	for _, n := range []tracking.NewShareLink{{View: w.view("container"), Columns: []string{"number"}}, {Shipment: w.ids["MAEU1"], Columns: []string{"pod_eta_at"}}} {
		n.ExpiresAt = w.Clock.Now().Add(time.Hour)
		token, _, err := w.tr.ShareLinks().Create(t.Context(), n)
		if err != nil {
			t.Fatal(err)
		}
		if a := w.get("/shared/" + token + "/" + calendarFile); a.status != 404 || strings.Contains(w.get("/shared/"+token).body, calendarFile) {
			t.Errorf("%v: %d", n, a.status)
		}
	}
}

// view keeps a view of a list.
func (w *calendarWorld) view(list string) tracking.ID {
	w.t.Helper()
	v, err := w.tr.Views().Create(w.t.Context(), tracking.NewView{Name: "any " + list, List: list, Shared: true})
	if err != nil {
		w.t.Fatal(err)
	}
	return v.ID
}

// TestCalendarBounds: a calendar has the dates of so many rows at most and says so, each page of
// rows counts as a request of its network, and a row that leaves the list leaves the calendar.
func TestCalendarBounds(t *testing.T) {
	w := newCalendarWorld(t)
	h := newHandler(Config{Tracker: w.Operator, Clock: w.Clock})
	h.calendarRows = 2 * maxSize
	w.server = httptest.NewServer(h.secured(h.mux))
	t.Cleanup(w.server.Close)
	w.signIn()
	var facts []json.RawMessage
	for n := range h.calendarRows {
		fact := strings.Replace(oaklandAt("2026-03-01T08:00:00-08:00"), `"id":"eta"`, fmt.Sprintf(`"id":"eta-%d"`, n), 1)
		facts = append(facts, json.RawMessage(fmt.Sprintf(`{"numbers":[{"type":"bill_of_lading","number":"MAEU7%05d"}],%s}`, n, fact)))
	}
	body, _ := json.Marshal(map[string]any{"source": "carrier", "scac": "MAEU", "facts": facts})
	r, err := tracking.ParseReport(body)
	if err == nil {
		_, err = w.tr.Ingest(t.Context(), r)
	}
	if err != nil {
		t.Fatal(err)
	}
	path := w.calendar("shipment", "tracking_stopped=false")
	a := w.get(path)
	if n := strings.Count(a.body, "BEGIN:VEVENT"); n != h.calendarRows || !strings.Contains(a.body, "the first 400 rows of 401") {
		t.Errorf("%d events of %d rows: %.500s", n, h.calendarRows+1, a.body)
	}
	for range maxShared - 3 { // the first page of the calendar is then the last that is allowed
		w.get("/shared/none")
	}
	if a := w.get(path); a.status != 429 || a.header.Get("Retry-After") == "" {
		t.Errorf("the second page of a calendar beyond the bound: %d", a.status)
	}
	w.Clock.Advance(sharedWindow)
	one := w.calendar("shipment", "number=MAEU1&tracking_stopped=false")
	if n := len(w.events(one)); n != 1 {
		t.Errorf("%d events", n)
	}
	if _, err := w.tr.StopTracking(t.Context(), w.ids["MAEU1"]); err != nil {
		t.Fatal(err)
	}
	if a := w.get(one); strings.Contains(a.body, "VEVENT") {
		t.Errorf("a shipment that left the list is in the calendar: %s", a.body)
	}
	calendartest.Validate(t, []byte(w.get(one).body))
}

// TestLastFreeDayZone: a last free day that a railway has stated is the date at the inland
// destination, which the zone of the port would show as the day before.
func TestLastFreeDayZone(t *testing.T) {
	for _, row := range []struct{ at, want string }{
		{"2026-03-05T08:00:00Z", "America/Los_Angeles"}, {"2026-03-05T06:00:00Z", "America/Chicago"}, {"2026-03-05T00:00:00Z", "America/Los_Angeles"},
	} {
		at, err := time.Parse(time.RFC3339, row.at)
		if err != nil {
			t.Fatal(err)
		}
		b := &tracking.Container{PickupLFD: at, PODTimezone: "America/Los_Angeles", FinalDestinationTimezone: "America/Chicago"}
		if zone := lastFreeDayZone(b); zone != row.want {
			t.Errorf("%s: %s, want %s", row.at, zone, row.want)
		}
	}
}
