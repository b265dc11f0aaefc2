package dashboard

import (
	"encoding/csv"
	"io"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"golang.org/x/net/html"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freetime"
	"github.com/landfallhq/tracking/source/sandbox"
	"github.com/landfallhq/tracking/trackingtest"
)

// hostile are texts that must be shown as they are.
var hostile = []string{
	`<script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `' onmouseover='alert(1)`, `javascript:alert(1)`, "\u202eright to left", `{{.}}`,
	strings.Repeat("long ", 51),
}

// world is a bench with shipments in two accounts, whose texts are hostile.
type world struct {
	*bench
	other *tracking.Account
	// ids has one record of each kind, by the beginning of its path.
	ids map[string]tracking.ID
	// shared are the addresses of two share links: of a shipment and of a view.
	shared []string
	// bulk are the pages of actions on many records: before and after they are confirmed.
	bulk []string
}

const lateVoyage = "TEST-VOYAGE-UNCLAIMED-90"

func newWorld(t *testing.T) *world {
	t.Helper()
	b := trackingtest.New(t, func(c *tracking.Config) { c.Sources = tracking.Sources{sandbox.SCAC: sandbox.New(sandbox.Config{})} })
	w := &world{bench: newBenchOf(t, b), ids: map[string]tracking.ID{}}
	var err error
	if w.other, _, err = b.Operator.EnsureAccount(t.Context(), "other"); err != nil {
		t.Fatal(err)
	}
	for _, account := range []*tracking.Account{w.other, b.Account} {
		w.fill(account)
	}
	w.fillBulk()
	return w
}

// fillBulk chooses actions on many records, and confirms one.
func (w *world) fillBulk() {
	w.t.Helper()
	w.signIn()
	token := w.token("/")
	for _, action := range [][2]string{{"shipments", "stop"}, {"containers", "refresh"}, {"tracking-requests", "add_tags"}, {"shipments", "custom_fields.po"}, {"shipments", "resume"}} {
		a := w.post("/bulk-actions", url.Values{"csrf": {token}, "list": {action[0]}, "action": {action[1]}, "scope": {"all"}})
		if a.status != 303 {
			w.t.Fatalf("%s: %d %s", action, a.status, a.body)
		}
		w.bulk = append(w.bulk, a.header.Get("Location"))
	}
	w.bulk = append(w.bulk, w.bulk[2]+"?given=yes&value=a%2C+b", w.bulk[3]+"?given=yes&value=%3Cb%3EPO%3C%2Fb%3E")
	if a := w.post(w.bulk[4], url.Values{"csrf": {token}}); a.status != 303 {
		w.t.Fatalf("confirmed: %d %s", a.status, a.body)
	}
}

// fill tracks voyages for an account.
func (w *world) fill(account *tracking.Account) {
	t, ctx := w.t, w.t.Context()
	t.Helper()
	tr := w.Operator.For(tracking.Actor{Account: account.Scope()})
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	customer, err := tr.CreateParty(ctx, tracking.NewParty{CompanyName: hostile[0]})
	must(err)
	terms := freetime.DefaultTerms()
	terms.Name, terms.Clock, terms.FreeDays, terms.Currency, terms.Tiers = hostile[1], freetime.Demurrage, 1, "USD", []freetime.TierTerms{{From: 1, Amount: "185.00"}}
	_, err = tr.Tariffs().Create(ctx, terms)
	must(err)
	for _, number := range []string{lateVoyage, "TEST-VOYAGE-SHORT-SHIPPED-90", "TEST-VOYAGE-AT-SEA-90"} {
		_, err := tr.CreateTrackingRequest(ctx, tracking.NewTrackingRequest{Number: number, Type: tracking.BillOfLading, SCAC: sandbox.SCAC, RefNumbers: hostile[:3], Tags: hostile[3:5], Customer: customer.ID})
		must(err)
	}
	w.Settle()
	shipments, _, err := tr.Shipments(ctx, tracking.ShipmentQuery{Number: lateVoyage}, tracking.Page{})
	must(err)
	if len(shipments) != 1 || len(shipments[0].Containers) == 0 {
		t.Fatalf("%d shipments", len(shipments))
	}
	s := shipments[0]
	for i, of := range []tracking.EntityType{tracking.ShipmentEntity, tracking.ContainerEntity, tracking.TrackingRequestEntity} {
		_, err := tr.CreateCustomFieldDefinition(ctx, tracking.NewCustomFieldDefinition{EntityType: of, APISlug: "po", DisplayName: hostile[i], DataType: tracking.ShortTextField, Description: hostile[2]})
		must(err)
	}
	f, err := tr.SetCustomField(ctx, tracking.NewCustomField{Entity: tracking.Entity{Type: tracking.ShipmentEntity, ID: s.ID}, APISlug: "po", Value: []byte(`"<b>PO</b>"`)})
	must(err)
	w.ids["shipments"], w.ids["containers"], w.ids["custom-fields"] = s.ID, s.Containers[0], f.ID
	w.fillSettings(account.Scope(), tr)
	list, _, err := tr.Exceptions().List(ctx, tracking.ExceptionQuery{Shipments: []tracking.ID{s.ID}, Open: tracking.Yes}, tracking.Page{Number: 1, Size: 1})
	must(err)
	if len(list) == 0 {
		t.Fatal("there is no exception")
	}
	w.ids["exceptions"] = list[0].ID
	paper := "%PDF-1.7\ntype: arrival_notice\nbl_number: " + s.BillOfLadingNumber + "\neta: <b>19 June</b>\ncontainers: MRKU9465770 MSKU1234567\npage\nnote: second\n"
	d, err := tr.CreateDocument(ctx, tracking.NewDocument{Name: hostile[0], FileName: hostile[1] + ".pdf", Content: []byte(paper), Shipment: s.ID})
	must(err)
	w.Settle()
	w.ids["documents"] = d.ID
	view, err := tr.Views().Create(ctx, tracking.NewView{Name: hostile[0], List: "shipment", Parameters: "sort=pod_eta_at", Shared: true})
	must(err)
	w.ids["views"] = view.ID
	w.shared = nil
	for _, n := range []tracking.NewShareLink{{Shipment: s.ID, Columns: []string{timelineChoice, "customer", "tags", "ref_numbers", "containers/equipment"}}, {View: view.ID, Name: hostile[1], Columns: []string{"number", "tags", "customer"}}} {
		n.ExpiresAt = w.Clock.Now().AddDate(0, 0, 30)
		token, link, err := tr.ShareLinks().Create(ctx, n)
		must(err)
		w.shared, w.ids["settings/share-links"] = append(w.shared, "/shared/"+token), link.ID
	}
}

// routed returns method and path of a route with the record that it is about.
func (w *world) routed(rt route) (method, path string) {
	method, path = filled(rt.pattern, w.ids[recordOf(rt)])
	return method, strings.Replace(path, "{option}", w.ids["option"].String(), 1)
}

// recordOf is the kind of the record that a route is about: what stands before its ID.
func recordOf(rt route) string {
	_, path, _ := strings.Cut(rt.pattern, " ")
	before, _, _ := strings.Cut(path, "/{id}")
	return strings.TrimPrefix(before, "/")
}

// isPage reports whether a route answers with a page.
func isPage(rt route) bool {
	return strings.HasPrefix(rt.pattern, "GET ") && !strings.HasSuffix(rt.pattern, "/file") && !strings.HasSuffix(rt.pattern, "/{page}") && !strings.HasSuffix(rt.pattern, "/{sheet}") && !strings.HasSuffix(rt.pattern, "/{bulk}") && !slices.Contains([]string{".csv", ".xlsx", ".geojson", ".json"}, path.Ext(rt.pattern)) && rt.pattern != "GET /live"
}

// paths are the pages that are looked at: those of all routes, and some in other states.
func (w *world) paths() (list []string) {
	for _, rt := range routes() {
		if isPage(rt) && !rt.public && rt.pattern != "GET /views/{id}" { // which leads to a list
			_, path := w.routed(rt)
			list = append(list, path)
		}
	}
	at := w.Clock.Now().UTC().Format(asOfLayout)
	list = append(append(list, w.shared...), w.bulk...)
	return append(list, "/nothing", "/shared/none", "/docs", "/docs?q=tariff", "/docs/operations/createWebhook", "/docs/operations/listShipments", "/docs/schemas/shipment", "/search?q=TEST", "/shipments?columns="+url.QueryEscape("number,custom_fields.po,ref_numbers,customer,tags")+"&sort=custom_fields.po",
		"/exceptions?sort=severity&state=open", "/containers?size=1", "/shipments?tags=x&view="+w.ids["views"].String(), "/shipments?pod_eta_at=this_week", "/shipments/"+w.ids["shipments"].String()+"?as_of="+at, "/containers/"+w.ids["containers"].String()+"?as_of="+at)
}

func TestPages(t *testing.T) {
	w := newWorld(t)
	w.signIn()
	seen := map[string]bool{}
	for _, path := range w.paths() {
		a := w.get(path)
		if want := 200; a.status != want && !(slices.Contains([]string{"/nothing", "/shared/none"}, path) && a.status == 404) {
			t.Errorf("%s: %d", path, a.status)
			continue
		}
		w.inspect(path, a.body)
		for link := range w.links(a.body) {
			if seen[link] {
				continue
			}
			seen[link] = true
			if a := w.get(link); a.status >= 400 {
				t.Errorf("%s links to %s, which answers %d", path, link, a.status)
			}
		}
	}
	w.newBrowser()
	w.inspect("/sign-in", w.get("/sign-in").body)
}

// walk calls visit for each element of a page.
func walk(n *html.Node, visit func(*html.Node)) {
	if n.Type == html.ElementNode {
		visit(n)
	}
	for c := range n.ChildNodes() {
		walk(c, visit)
	}
}

func attr(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func (w *world) parse(body string) *html.Node {
	root, err := html.Parse(strings.NewReader(body))
	if err != nil {
		w.t.Fatal(err)
	}
	return root
}

// links are the addresses on a page.
func (w *world) links(body string) map[string]bool {
	found := map[string]bool{}
	walk(w.parse(body), func(n *html.Node) {
		if href := attr(n, "href"); href != "" && href[0] != '#' {
			href, _, _ = strings.Cut(href, "#")
			found[href] = true
		}
	})
	return found
}

// inspect checks the markup of a page.
func (w *world) inspect(path, body string) {
	w.t.Helper()
	count, ids, labels, inLabel := map[string]int{}, map[string]int{}, map[string]bool{}, map[*html.Node]bool{}
	root := w.parse(body)
	walk(root, func(n *html.Node) {
		count[n.Data]++
		if id := attr(n, "id"); id != "" {
			ids[id]++
		}
		keys := map[string]bool{}
		for c := range n.ChildNodes() {
			key := attr(c, "data-key")
			if key != "" && keys[key] { // an open page would lose all but one of them
				w.t.Errorf("%s: two rows have the key %q", path, key)
			}
			keys[key] = true
		}
		if n.Data == "label" {
			labels[attr(n, "for")] = true
			walk(n, func(c *html.Node) { inLabel[c] = true })
		}
		for _, a := range n.Attr {
			if strings.HasPrefix(a.Key, "on") || a.Key == "style" || strings.HasPrefix(strings.TrimSpace(strings.ToLower(a.Val)), "javascript:") && (a.Key == "href" || a.Key == "src" || a.Key == "action") {
				w.t.Errorf("%s: <%s %s=%q>", path, n.Data, a.Key, a.Val)
			}
		}
		if n.Data == "style" || n.Data == "script" && (attr(n, "src") == "" || n.FirstChild != nil) {
			w.t.Errorf("%s: inline <%s>", path, n.Data)
		}
		if n.Data == "form" && attr(n, "method") == "post" && !strings.Contains(body, `name="csrf"`) {
			w.t.Errorf("%s: a form without a token", path)
		}
	})
	walk(root, func(n *html.Node) {
		labelled := inLabel[n] || labels[attr(n, "id")] || attr(n, "aria-label") != ""
		if (n.Data == "input" || n.Data == "select" || n.Data == "textarea") && attr(n, "type") != "hidden" && !labelled {
			w.t.Errorf("%s: <%s name=%q> has no label", path, n.Data, attr(n, "name"))
		}
		for _, name := range []string{"aria-labelledby", "aria-describedby"} {
			if id := attr(n, name); id != "" && ids[id] == 0 {
				w.t.Errorf("%s: %s names %q, which is not there", path, name, id)
			}
		}
	})
	for id, n := range ids {
		if n > 1 {
			w.t.Errorf("%s: %d elements have the id %q", path, n, id)
		}
	}
	if count["h1"] != 1 || count["main"] != 1 || count["title"] != 1 {
		w.t.Errorf("%s: %d h1, %d main, %d title", path, count["h1"], count["main"], count["title"])
	}
}

// TestTenants: the records of another account are not found, by any route.
func TestTenants(t *testing.T) {
	w := newWorld(t)
	w.signInTo(w.other.Scope())
	token := w.token("/")
	for _, rt := range routes() {
		if !strings.Contains(rt.pattern, "{id}") {
			continue
		}
		for _, id := range []string{w.ids[recordOf(rt)].String(), uuid.NewString(), "no-id", strings.ToUpper(uuid.NewString()) + "0"} {
			method, path := filled(rt.pattern, tracking.ID{})
			path = strings.Replace(path, tracking.ID{}.String(), id, 1)
			var a answer
			if method == http.MethodPost {
				a = w.post(path, url.Values{"csrf": {token}, "slug": {"po"}, "value": {"PO-1"}})
			} else {
				a = w.get(path)
			}
			if a.status != 404 {
				t.Errorf("%s %s of another account: %d", method, path, a.status)
			}
		}
	}
}

// TestHostileText: what somebody else wrote is shown as text, and what a browser sends never
// breaks a page.
func TestHostileText(t *testing.T) {
	w := newWorld(t)
	w.signIn()
	for _, path := range w.paths() {
		for _, s := range hostile[:3] {
			if strings.Contains(w.get(path).body, s) {
				t.Errorf("%s has %q as markup", path, s)
			}
		}
	}
	shipment := "/shipments/" + w.ids["shipments"].String()
	for _, s := range append(slices.Clone(hostile), strings.Repeat("x", 10_000), "\x00", "\xff", "🚢") {
		q := url.QueryEscape(s)
		for _, path := range []string{"/search?q=" + q, "/shipments?q=" + q, "/shipments?custom_fields.po=" + q, "/shipments?" + q + "=1", "/shipments?sort=" + q, "/shipments?columns=" + q,
			"/containers?status=" + q, "/exceptions?assignee=" + q, "/containers?pickup_lfd.from=" + q, "/shipments?page=" + q, shipment + "?as_of=" + q, "/sign-in?next=" + q} {
			if a := w.get(path); a.status >= 500 || strings.Contains(a.body, s) && strings.ContainsAny(s, `<>"'`) {
				t.Errorf("%.80s: %d", path, a.status)
			}
		}
		a := w.post(shipment+"/fields", url.Values{"csrf": {w.token("/")}, "slug": {"po"}, "value": {s}})
		if a.status != 303 && a.status != 422 && a.status != 400 {
			t.Errorf("a field set to %.40q: %d", s, a.status)
		}
	}
}

// TestCustomField: a field is changed in place, and a refused value is shown with its reason.
func TestCustomField(t *testing.T) {
	w := newWorld(t)
	w.signIn()
	if _, err := w.CreateCustomFieldDefinition(t.Context(), tracking.NewCustomFieldDefinition{EntityType: tracking.ShipmentEntity, APISlug: "day", DisplayName: "Delivery date", DataType: tracking.DateField}); err != nil {
		t.Fatal(err)
	}
	path := "/shipments/" + w.ids["shipments"].String()
	set := func(value string) answer {
		return w.post(path+"/fields", url.Values{"csrf": {w.token("/")}, "slug": {"day"}, "value": {value}})
	}
	if a := set("2026-02-30"); a.status != 422 || !strings.Contains(a.body, `value="2026-02-30"`) || !strings.Contains(a.body, `id="problem-day"`) {
		t.Errorf("a day that does not exist: %d", a.status)
	}
	if a := set("2026-02-28"); a.status != 303 {
		t.Errorf("a day: %d", a.status)
	}
	f, err := w.CustomFieldOf(t.Context(), tracking.Entity{Type: tracking.ShipmentEntity, ID: w.ids["shipments"]}, "day")
	if err != nil || string(f.Value) != `"2026-02-28"` {
		t.Errorf("the value is %s, error %v", f.Value, err)
	}
	if a := set(""); a.status != 303 {
		t.Errorf("no value: %d", a.status)
	}
	if a := w.get("/custom-fields/" + f.ID.String()); strings.Count(a.body, "<tr") != 3 { // with the heading
		t.Errorf("the history has %d rows", strings.Count(a.body, "<tr"))
	}
	w.signIn(tracking.Show)
	if a := w.post(path+"/fields", url.Values{"csrf": {w.token("/")}, "slug": {"day"}, "value": {"2026-03-01"}}); a.status != 403 {
		t.Errorf("without the permission: %d", a.status)
	}
	if a := w.get(path); strings.Contains(a.body, path+"/fields") {
		t.Error("a form is offered without the permission")
	}
}

// TestExports: an export has the rows and columns of its list, and no formula.
func TestExports(t *testing.T) {
	w := newWorld(t)
	w.signIn()
	id := w.ids["shipments"]
	if _, err := w.UpdateShipment(t.Context(), id, tracking.ShipmentUpdate{Tags: tracking.Set([]string{"=HYPERLINK(1)"})}); err != nil {
		t.Fatal(err)
	}
	query := "?columns=number,tags,pod_eta_at&sort=pod_eta_at"
	rows, err := csv.NewReader(strings.NewReader(w.get("/shipments.csv" + query).body)).ReadAll()
	if err != nil || len(rows) != 4 || !slices.Equal(rows[0], []string{"Number", "Tags", "Estimated arrival"}) {
		t.Fatalf("%q, error %v", rows, err)
	}
	found := false
	for _, r := range rows[1:] {
		found = found || r[0] == lateVoyage && r[1] == "'=HYPERLINK(1)"
		if _, err := time.Parse(time.RFC3339, r[2]); err != nil {
			t.Errorf("the arrival is %q", r[2])
		}
	}
	if !found {
		t.Errorf("%q", rows)
	}
	if a := w.get("/shipments.xlsx" + query); a.status != 200 || !strings.HasPrefix(a.body, "PK") || a.header.Get("Content-Length") != strconv.Itoa(len(a.body)) {
		t.Errorf("the workbook: %d, %d bytes, %v", a.status, len(a.body), a.header)
	}
	for _, columns := range []string{"nothing", "tags,nothing", strings.Repeat("tags,", 5_000)} {
		for _, path := range []string{"/shipments", "/shipments.csv"} {
			if a := w.get(path + "?columns=" + url.QueryEscape(strings.TrimSuffix(columns, ","))); a.status != 400 || a.header.Get("Content-Disposition") != "" {
				t.Errorf("%s with columns %.20s: %d", path, columns, a.status)
			}
		}
	}
	_, err = w.CreateCustomFieldDefinition(t.Context(), tracking.NewCustomFieldDefinition{EntityType: tracking.ShipmentEntity, APISlug: "sum", DisplayName: "=1+1", DataType: tracking.ShortTextField})
	if err != nil {
		t.Fatal(err)
	}
	if head, _, _ := strings.Cut(w.get("/shipments.csv?columns=custom_fields.sum").body, "\n"); strings.TrimSpace(head) != "'=1+1" {
		t.Errorf("the heading of a custom field is %q", head)
	}
}

// TestDiscardedWorkbook: a workbook that is given up leaves no temporary file.
func TestDiscardedWorkbook(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	w, err := openXLSX(io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	for range 20_000 { // more than is kept in memory
		if err := w.row([]cell{{Text: strings.Repeat("x", 1_000)}}); err != nil {
			t.Fatal(err)
		}
	}
	files := func() int {
		list, err := os.ReadDir(os.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		return len(list)
	}
	if files() == 0 {
		t.Error("all is in memory: write more rows")
	}
	w.discard()
	if n := files(); n != 0 {
		t.Errorf("%d temporary files are left", n)
	}
}

// TestPastPages show neither exceptions nor costs, which are known of the present alone.
func TestPastPages(t *testing.T) {
	w := newWorld(t)
	w.signIn()
	for _, noun := range []string{"shipments", "containers"} {
		path := "/" + noun + "/" + w.ids[noun].String()
		past := w.get(path + "?as_of=" + w.Clock.Now().UTC().Format(asOfLayout)).body
		if now := w.get(path).body; !strings.Contains(now, `id="exceptions"`) || strings.Contains(past, `id="exceptions"`) {
			t.Errorf("%s: exceptions belong to the present alone", noun)
		}
		if noun == "shipments" && strings.Contains(past, "Tomorrow adds") {
			t.Error("the past of a shipment has the costs of tomorrow")
		}
	}
}

// TestZoneAt: a milestone is on the clock of its place.
func TestZoneAt(t *testing.T) {
	s := &tracking.Shipment{PortOfLadingLOCODE: "CNSHA", POLTimezone: "Asia/Shanghai", PortOfDischargeLOCODE: "USLGB", PODTimezone: "America/Los_Angeles", DestinationLOCODE: "USCHI", DestinationTimezone: "America/Chicago"}
	for locode, want := range map[string]string{"CNSHA": "Asia/Shanghai", "USLGB": "America/Los_Angeles", "USCHI": "America/Chicago", "SGSIN": "", "": ""} {
		if got := zoneAt(s, locode); got != want {
			t.Errorf("%q: %q, not %q", locode, got, want)
		}
	}
}

// TestTrack: numbers are checked, and tracked once when that is confirmed.
func TestTrack(t *testing.T) {
	w := newWorld(t)
	w.signIn()
	page := w.get("/track").body
	form := url.Values{"csrf": {w.token("/track")}, "once": {regexp.MustCompile(`name="once" value="([^"]+)"`).FindStringSubmatch(page)[1]},
		"numbers": {"TEST-VOYAGE-SIMPLE-1 TEST PO-1\n\n" + lateVoyage + ";TEST\nTEST-VOYAGE-SIMPLE-1,TEST\nTEST-VOYAGE-SIMPLE-2 NONE\nFOO"}, "type": {"bill_of_lading"}}
	count := func() int {
		_, n, err := w.TrackingRequests(t.Context(), tracking.TrackingRequestQuery{}, tracking.Page{Number: 1, Size: 1})
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	before := count()
	many := url.Values{"csrf": form["csrf"], "once": form["once"], "type": form["type"], "numbers": {strings.Repeat("1\n", 101)}}
	if a := w.post("/track", many); a.status != 422 || !strings.Contains(a.body, "101") || strings.Contains(a.body, "<td") {
		t.Errorf("101 numbers: %d", a.status)
	}
	checked := w.post("/track", form)
	w.inspect("/track", checked.body)
	if checked.status != 200 || count() != before || !strings.Contains(checked.body, "Track 1 number") || !strings.Contains(checked.body, "Repeats line 1") {
		t.Errorf("checked: %d, %d requests", checked.status, count()-before)
	}
	confirm(form, checked)
	for range 2 {
		if a := w.post("/track", form); a.status != 200 || !strings.Contains(a.body, "Is being tracked") {
			t.Errorf("confirmed: %d", a.status)
		}
	}
	if n := count(); n != before+1 {
		t.Errorf("%d requests were made, want 1", n-before)
	}
	for _, numbers := range []string{"", strings.Repeat("X1\n", tracking.MaxBulkRequests+1)} {
		if a := w.post("/track", url.Values{"csrf": form["csrf"], "numbers": {numbers}}); a.status != 422 {
			t.Errorf("%d characters: %d", len(numbers), a.status)
		}
	}
	for _, s := range hostile {
		if a := w.post("/track", url.Values{"csrf": form["csrf"], "numbers": {s}}); a.status >= 500 || strings.Contains(a.body, s) && strings.ContainsAny(s, `<>"'`) {
			t.Errorf("%q: %d", s, a.status)
		}
	}
}

var repeatedLine = regexp.MustCompile(`name="(repeated\.[0-9]+)" value="([0-9]+)"`)

// confirm adds what the form for the confirmation has more than that for the check.
func confirm(form url.Values, checked answer) {
	form.Set("confirmed", "yes")
	for _, found := range repeatedLine.FindAllStringSubmatch(checked.body, -1) {
		form.Set(found[1], found[2])
	}
}

// TestTrackRepeated: a number that is pasted several times without a carrier is tracked once, as
// the check says; one with two carriers is tracked at each.
func TestTrackRepeated(t *testing.T) {
	w := newWorld(t)
	w.signIn()
	form := url.Values{"csrf": {w.token("/track")}, "once": {"o"}, "numbers": {"HLCUBKK551100\nhlcubkk551100\nHLCUBKK551100 HLCU\n551102 HLCU\n551102 MAEU"}, "type": {"bill_of_lading"}}
	for _, want := range []string{"Track 3 numbers", "Is being tracked", "Is being tracked"} {
		a := w.post("/track", form)
		if a.status != 200 || strings.Count(a.body, "Repeats line 1") != 2 || !strings.Contains(a.body, want) {
			t.Errorf("%q: %d %s", want, a.status, a.body)
		}
		confirm(form, a)
	}
	for number, want := range map[string]int{"HLCUBKK551100": 1, "551102": 2} {
		if _, n, err := w.TrackingRequests(t.Context(), tracking.TrackingRequestQuery{Numbers: []string{number}}, tracking.Page{Number: 1, Size: 1}); err != nil || n != want {
			t.Errorf("%s: %d requests, want %d, error %v", number, n, want, err)
		}
	}
	none := url.Values{"csrf": form["csrf"], "once": {"p"}, "numbers": {"?"}, "confirmed": {"yes"}}
	if a := w.post("/track", none); a.status != 200 || strings.Contains(a.body, "Is being tracked") {
		t.Errorf("nothing to track: %d", a.status)
	}
}

// TestTrackRepeatsRefused: a line that repeats a refused one is tracked; one that repeats that is
// not. A line that is refused itself says why.
func TestTrackRepeatsRefused(t *testing.T) {
	w := newWorld(t)
	w.signIn()
	form := url.Values{"csrf": {w.token("/track")}, "once": {"o"}, "numbers": {"MAEU77001 XXXX\nMAEU77001\nMAEU77001 MAEU\nMAEU77001 XXXX"}, "type": {"bill_of_lading"}}
	for _, want := range []string{"Track 1 number", "Is being tracked", "Is being tracked"} {
		a := w.post("/track", form)
		if a.status != 200 || !strings.Contains(a.body, want) || strings.Contains(a.body, "Repeats line 1") || strings.Count(a.body, "Repeats line 2") != 1 || strings.Count(a.body, "is not recognized") != 2 {
			t.Errorf("%q: %d %s", want, a.status, a.body)
		}
		confirm(form, a)
	}
	if _, n, err := w.TrackingRequests(t.Context(), tracking.TrackingRequestQuery{Numbers: []string{"MAEU77001"}}, tracking.Page{Number: 1, Size: 1}); err != nil || n != 1 {
		t.Errorf("%d requests, want 1, error %v", n, err)
	}
	delete(form, "repeated.3")
	if a := w.post("/track", form); a.status != 422 {
		t.Errorf("confirmed with other rows: %d", a.status)
	}
}

// TestActions: tracking is stopped and resumed, and a container refreshed.
func TestActions(t *testing.T) {
	w := newWorld(t)
	w.signIn()
	shipment, form := "/shipments/"+w.ids["shipments"].String(), url.Values{"csrf": {w.token("/")}}
	for _, row := range []struct {
		action, offered string
		stopped         bool
	}{{"stop", "resume", true}, {"resume", "stop", false}} {
		if a := w.post(shipment+"/"+row.action, form); a.status != 303 || a.header.Get("Location") != shipment {
			t.Errorf("%s: %d", row.action, a.status)
		}
		s, err := w.Shipment(t.Context(), w.ids["shipments"])
		if err != nil || s.LineTrackingStoppedAt.IsZero() == row.stopped {
			t.Errorf("%s: stopped at %v, error %v", row.action, s.LineTrackingStoppedAt, err)
		}
		if a := w.get(shipment); !strings.Contains(a.body, shipment+"/"+row.offered) || !strings.Contains(a.body, `role="status"`) {
			t.Errorf("after %s the page does not offer %s", row.action, row.offered)
		}
	}
	if a := w.post("/containers/"+w.ids["containers"].String()+"/refresh", form); a.status != 303 {
		t.Errorf("refresh: %d %s", a.status, a.body)
	}
}

// TestCanonical: an address in another form leads to the canonical one.
func TestCanonical(t *testing.T) {
	w := newWorld(t)
	w.signIn()
	a := w.get("/containers?status=on_ship&status=new&scac=&page=1&size=50&accruing=")
	if to := a.header.Get("Location"); a.status != 303 || to != "/containers?status=on_ship%2Cnew" {
		t.Errorf("%d %q", a.status, to)
	}
}

// textKey finds the keys that templates and code name as a whole.
var textKey = regexp.MustCompile(`(?:\{\{-? ?|\(|\{\{else\}\}\{\{)t "([a-z][a-z0-9_.-]*)"|texts\.get\("([a-z][a-z0-9_.-]*)"[,)]|\bc\.get\("([a-z][a-z0-9_.-]*)"[,)]`)

// TestCatalog: every text that is named exists, and so does one for each value of the engine
// that the pages show.
func TestCatalog(t *testing.T) {
	texts, err := readCatalog("en")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range sourceFiles(t) {
		for _, m := range textKey.FindAllStringSubmatch(file, -1) {
			key := m[1] + m[2] + m[3]
			if _, ok := texts[key]; !ok {
				t.Errorf("there is no text %q", key)
			}
		}
	}
	w := newBench(t)
	values := map[string][]string{"exception": w.Exceptions().Kinds(), "severity": w.Exceptions().Severities(), "container_status": containerStatuses, "request_status": requestStatuses}
	for _, a := range tracking.Describe().RevisedAttributes {
		values["attribute"] = append(values["attribute"], string(a))
	}
	for _, e := range tracking.EventNames() {
		if strings.HasPrefix(string(e), "container.transport.") && !strings.Contains(string(e), "estimated") {
			values["event"] = append(values["event"], string(e))
		}
	}
	for kind := range maps.Keys(values) {
		for _, v := range values[kind] {
			if _, ok := texts[kind+"."+v]; !ok {
				t.Errorf("there is no text for the %s %q", kind, v)
			}
		}
	}
}

// TestTemplates: the templates of all pages are parsed, which a program does when it first shows
// a page.
func TestTemplates(t *testing.T) {
	b := newBench(t)
	h := newHandler(Config{Tracker: b.Operator})
	if len(h.pages) < 30 {
		t.Errorf("there are %d pages", len(h.pages))
	}
	for name, page := range h.pages {
		if page().Lookup("layout") == nil || page().Lookup("content") == nil {
			t.Errorf("%s has no layout or no content", name)
		}
	}
}
