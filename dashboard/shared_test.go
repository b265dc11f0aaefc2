package dashboard

import (
	"context"
	"html"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/trackingtest"
)

// shareForm returns the form of a share link, as a browser sends it with some choices.
func (w *world) shareForm(path string, until string, columns ...string) url.Values {
	w.t.Helper()
	return url.Values{"csrf": {w.token("/")}, "once": {w.onceOf(path)}, "expires_at": {until}, "columns": columns}
}

// sharedAddress makes a link by its form, and returns the path of its address.
func (w *world) sharedAddress(path string, form url.Values) string {
	w.t.Helper()
	a := w.post(path, form)
	m := onceCode.FindStringSubmatch(html.UnescapeString(a.body))
	if a.status != 200 || m == nil {
		w.t.Fatalf("%s: %d %s", path, a.status, a.body)
	}
	address, ok := strings.CutPrefix(m[1], w.server.URL)
	if !ok {
		w.t.Fatalf("the address is %q", m[1])
	}
	return address
}

// field defines a custom field and sets it.
func (w *world) field(of tracking.Entity, slug, name, value string) {
	w.t.Helper()
	_, err := w.CreateCustomFieldDefinition(w.t.Context(), tracking.NewCustomFieldDefinition{EntityType: of.Type, APISlug: slug, DisplayName: name, DataType: tracking.ShortTextField})
	if err == nil {
		_, err = w.SetCustomField(w.t.Context(), tracking.NewCustomField{Entity: of, APISlug: slug, Value: []byte(`"` + value + `"`)})
	}
	if err != nil {
		w.t.Fatal(err)
	}
}

// visitor is a browser that has never signed in.
func (w *world) visitor() { w.newBrowser() }

var anyID = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)

// onlyShared checks that an answer has nothing of the account but what it shows.
func (w *world) onlyShared(path string, a answer, secrets ...string) {
	w.t.Helper()
	w.inspect(path, a.body)
	for _, s := range append(secrets, "/shipments", "/containers", "/sign-", "/settings", "csrf", "<script", "<form", `action=`) {
		if strings.Contains(a.body, s) {
			w.t.Errorf("%s has %q", path, s)
		}
	}
	if id := anyID.FindString(a.body); id != "" {
		w.t.Errorf("%s has the ID %s", path, id)
	}
	for name, want := range map[string]string{
		"Content-Security-Policy": contentPolicy, "Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "X-Robots-Tag": "noindex, nofollow, noarchive", "Set-Cookie": "",
	} {
		if got := a.header.Get(name); got != want {
			w.t.Errorf("%s: %s is %q", path, name, got)
		}
	}
}

// TestSharedShipment: a visitor sees what was chosen of a shipment and nothing else, openings
// are counted, and a link that has ended answers like one that never existed.
func TestSharedShipment(t *testing.T) {
	w := newWorld(t)
	w.signIn()
	id := w.ids["shipments"]
	of := tracking.Entity{Type: tracking.ShipmentEntity, ID: id}
	w.field(of, "order", "Purchase order", "PO-4711")
	w.field(of, "margin", "Margin", "18 percent")
	page := "/shipments/" + id.String()
	form := w.shareForm(page+"/share", w.Clock.Now().AddDate(0, 0, 20).Format(time.DateOnly), "custom_fields.order")
	address := w.sharedAddress(page+"/share", form)
	w.visitor()
	s, err := w.Shipment(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	for _, query := range []string{"", "?page=2"} { // a shipment has no second page that would not count
		a := w.get(address + query)
		w.onlyShared(address, a, "Margin", "18 percent", "USD", "alert(1)", "MRKU9465770.pdf", "exception", tracking.ID(w.Account.Scope()).String())
		for _, want := range []string{s.BillOfLadingNumber, "Purchase order", "PO-4711", "Departed", "Shared until the end of"} {
			if a.status != 200 || !strings.Contains(a.body, want) {
				t.Errorf("%d without %q", a.status, want)
			}
		}
	}
	// Other requests are no openings, and change nothing.
	r, _ := http.NewRequest("HEAD", w.server.URL+address, nil)
	if a := w.do(r); a.status != 200 {
		t.Errorf("HEAD: %d", a.status)
	}
	if a := w.post(address, url.Values{}); a.status != 405 {
		t.Errorf("POST: %d", a.status)
	}
	w.signIn()
	if rows := w.get(page).body; !strings.Contains(rows, `data-label="Openings">2</td>`) || strings.Contains(rows, address) {
		t.Error("the page of the shipment does not show two openings, or shows the address again")
	}
	w.sentTwiceShared(page+"/share", form)

	never := "/shared/" + strings.Repeat("A", 64)
	answers := map[string]answer{"never": w.get(never), "changed": w.get(address[:len(address)-4] + "AAAA"), "other form": w.get("/shared/x/y"), "none": w.get("/shared/none?page=2")}
	list, _, err := w.ShareLinks().List(t.Context(), tracking.ShareLinkQuery{Shipments: []tracking.ID{id}}, tracking.Page{})
	if err != nil {
		t.Fatal(err)
	}
	link := list[slices.IndexFunc(list, func(l *tracking.ShareLink) bool { return strings.HasSuffix(address, l.Hint) })]
	at := link.ExpiresAt
	w.signIn(tracking.Show, tracking.Update, tracking.Delete)
	revoke := shareLinksPath + "/" + link.ID.String() + "/revoke"
	if a := w.post(revoke, url.Values{"csrf": {w.token("/")}}); a.status != 403 || strings.Contains(w.get(page).body, "/share") || strings.Contains(w.get(shareLinksPath).body, "/revoke") {
		t.Errorf("revoking is offered or done without the permission: %d", a.status)
	}
	w.signIn(tracking.Show, tracking.Create)
	if a := w.get(revoke); a.status != 200 || !strings.Contains(a.body, link.Hint) {
		t.Errorf("the question: %d", a.status)
	}
	for query, want := range map[string]string{"": "Shared,State,", "?columns=state,revoke": "State\n", "?columns=revoke": "Shared,State,"} {
		if file := w.get(shareLinksPath + ".csv" + query).body; !strings.HasPrefix(file, want) || strings.Contains(file, "Revoke") {
			t.Errorf("the export%s is %s", query, file)
		}
		if a := w.get(shareLinksPath + query); !strings.Contains(a.body, revoke) || strings.Contains(a.body, `value="revoke"`) {
			t.Errorf("the list%s offers no revoking, or has it among the columns", query)
		}
	}
	other := w.sharedAddress(page+"/share", w.shareForm(page+"/share", at.Add(-time.Second).Format(time.DateOnly)))
	for range 2 {
		if a := w.post(revoke, url.Values{"csrf": {w.token("/")}}); a.status != 303 {
			t.Errorf("revoked: %d", a.status)
		}
	}
	w.visitor()
	answers["revoked"] = w.get(address)
	w.Clock.Set(at.Add(-time.Second))
	if a := w.get(other); a.status != 200 {
		t.Errorf("in the last second: %d", a.status)
	}
	w.Clock.Set(at)
	answers["expired"] = w.get(other)
	want := answers["never"]
	for name, a := range answers {
		w.onlyShared(name, a)
		a.header.Del("Date")
		if want.header.Del("Date"); a.status != 404 || a.body != want.body || strings.Join(flat(a.header), "\n") != strings.Join(flat(want.header), "\n") {
			t.Errorf("%s answers with %d, %v and another page than an address that never existed", name, a.status, a.header)
		}
	}
}

// sentTwiceShared checks that a form makes one link, and shows its address to a double click.
func (w *world) sentTwiceShared(path string, form url.Values) {
	w.t.Helper()
	form = w.shareForm(path, form.Get("expires_at"))
	var wait sync.WaitGroup
	bodies := make([]string, 4)
	for i := range bodies {
		wait.Go(func() { bodies[i] = w.post(path, form).body })
	}
	wait.Wait()
	for _, b := range bodies {
		if b != bodies[0] || !onceCode.MatchString(b) {
			w.t.Error("a form that is sent several times shows other addresses, or none")
		}
	}
	w.sentTwice(path, form, answer{body: bodies[0]})
}

func flat(h http.Header) (list []string) {
	for _, name := range []string{"Content-Type", "Content-Length", "Cache-Control", "Vary", "Referrer-Policy", "X-Robots-Tag", "Set-Cookie", "Location", "Retry-After"} {
		list = append(list, name+": "+strings.Join(h.Values(name), ", "))
	}
	return list
}

// TestSharedList: a list shows the chosen columns of the rows that its view had when it was
// shared, page by page.
func TestSharedList(t *testing.T) {
	w := newWorld(t)
	w.signIn()
	of := tracking.Entity{Type: tracking.ShipmentEntity, ID: w.ids["shipments"]}
	w.field(of, "buyer", "Buyer", "Müller")
	w.field(of, "margin", "Margin", "18 percent")
	view, err := w.Views().Create(t.Context(), tracking.NewView{Name: "low margin", List: "shipment", Parameters: "columns=number%2Ctags%2Ccustom_fields.margin&custom_fields.margin=18+percent", Shared: true})
	if err == nil {
		_, err = w.UpdateCustomFieldDefinition(t.Context(), w.definition("margin"), tracking.CustomFieldDefinitionUpdate{Filterable: tracking.Set(true)})
	}
	if err != nil {
		t.Fatal(err)
	}
	w.Settle()
	page := "/views/" + view.ID.String() + "/share"
	offered := w.get(page).body
	for _, text := range []string{`value="cost"`, `value="tracking"`, `value="tags" checked`, `value="custom_fields.margin" checked`} {
		if strings.Contains(offered, text) {
			t.Errorf("the form has %s", text)
		}
	}
	if !strings.Contains(offered, `value="number" checked`) {
		t.Error("the columns of the view are not chosen")
	}
	until := w.Clock.Now().Format(time.DateOnly)
	for want, form := range map[string]url.Values{
		"problem-columns": w.shareForm(page, until), "problem-expires_at": w.shareForm(page, "2026-02-30", "number"), "problem-name": w.shareForm(page, until, "number"),
	} {
		if form.Set("name", "For Müller"); want == "problem-name" {
			form.Set("name", strings.Repeat("x", 81))
		}
		if a := w.post(page, form); a.status != 422 || !strings.Contains(a.body, want) || !strings.Contains(a.body, `value="`+form.Get("name")+`"`) {
			t.Errorf("%s: %d", want, a.status)
		}
	}
	form := w.shareForm(page, until, "number", "custom_fields.buyer", "cost", "tracking")
	form.Set("name", "For Müller")
	address := w.sharedAddress(page, form)
	if err := w.Views().Delete(t.Context(), view.ID); err != nil {
		t.Fatal(err)
	}
	w.visitor()
	a := w.get(address)
	w.onlyShared(address, a, "margin", "Margin", "18 percent", "low margin", "alert(1)", "Tracked")
	for _, want := range []string{"<h1>For Müller</h1>", "1 shipment<", lateVoyage, "Buyer", "<td data-label=\"Buyer\">Müller"} {
		if a.status != 200 || !strings.Contains(a.body, want) {
			t.Errorf("%d without %q: %s", a.status, want, a.body)
		}
	}
	if again := w.get(address + "?custom_fields.margin=&columns=tags&sort=pod_eta_at&q=x"); again.body != a.body {
		t.Error("the address has parameters of a list")
	}
	for _, bad := range []string{"?page=0", "?page=x", "?page=99999999999"} {
		if a := w.get(address + bad); a.status != 404 {
			t.Errorf("%s: %d", bad, a.status)
		}
	}
	if a := w.get(address + "?page=2"); a.status != 200 || strings.Contains(a.body, lateVoyage) || !strings.Contains(a.body, `The list has no such page. <a href="?page=1">`) {
		t.Errorf("the second page: %d", a.status)
	}
	// Another field of the same name was not chosen, and a filter that is no longer there must
	// not show more rows.
	if err := w.DeleteCustomFieldDefinition(t.Context(), w.definition("buyer")); err != nil {
		t.Fatal(err)
	}
	w.Settle()
	w.field(of, "buyer", "Buyer", "a secret buyer")
	if a := w.get(address); a.status != 200 || strings.Contains(a.body, "secret") || strings.Contains(a.body, "Buyer") {
		t.Errorf("a later field of the same name: %d", a.status)
	}
	if err := w.DeleteCustomFieldDefinition(t.Context(), w.definition("margin")); err != nil {
		t.Fatal(err)
	}
	w.Settle()
	if a := w.get(address); a.status != 404 {
		t.Errorf("a filter by a field that is no longer there: %d", a.status)
	}
}

// definition returns the definition of a custom field of shipments.
func (w *world) definition(slug string) tracking.ID {
	w.t.Helper()
	list, _, err := w.CustomFieldDefinitions(w.t.Context(), tracking.CustomFieldDefinitionQuery{EntityTypes: []tracking.EntityType{tracking.ShipmentEntity}}, tracking.Page{})
	for _, d := range list {
		if d.APISlug == slug {
			return d.ID
		}
	}
	w.t.Fatalf("there is no field %s, error %v", slug, err)
	return tracking.ID{}
}

// TestSharedViews: lists of all kinds can be shared, in pages.
func TestSharedViews(t *testing.T) {
	w := newWorld(t)
	w.signIn()
	for typ, noun := range viewedNouns {
		view, err := w.Views().Create(t.Context(), tracking.NewView{Name: noun, List: typ, Shared: true})
		if err != nil {
			t.Fatal(err)
		}
		page := "/views/" + view.ID.String() + "/share"
		l := optionValue.FindAllStringSubmatch(w.get(page).body, -1)
		var all []string
		for _, m := range l {
			all = append(all, m[1])
		}
		if len(all) < 5 {
			t.Errorf("%s: %v can be chosen", noun, all)
		}
		address := w.sharedAddress(page, w.shareForm(page, w.Clock.Now().Format(time.DateOnly), all...))
		if a := w.get(address); a.status != 200 || !strings.Contains(a.body, "<td") {
			t.Errorf("%s: %d", noun, a.status)
		} else {
			w.onlyShared(noun, a)
		}
	}
}

var optionValue = regexp.MustCompile(`type="checkbox" name="columns" value="([^"]*)"`)

// TestSharedColumns: what cannot be chosen in the form is not shown of a link that has it all the
// same.
func TestSharedColumns(t *testing.T) {
	w := newWorld(t)
	view, err := w.Views().Create(t.Context(), tracking.NewView{Name: "All", List: "container", Shared: true})
	if err != nil {
		t.Fatal(err)
	}
	w.field(tracking.Entity{Type: tracking.ShipmentEntity, ID: w.ids["shipments"]}, "margin", "Margin", "18 percent")
	columns := []string{"number", "tracking", "cost", "tomorrow", "free_time_ends_on", "custom_fields.margin", "containers/cost", "containers/tomorrow", "containers/shipment", "none"}
	for _, n := range []tracking.NewShareLink{{Shipment: w.ids["shipments"], Columns: columns}, {View: view.ID, Columns: columns}} {
		n.ExpiresAt = w.Clock.Now().Add(time.Hour)
		token, _, err := w.ShareLinks().Create(t.Context(), n)
		if err != nil {
			t.Fatal(err)
		}
		a := w.get("/shared/" + token)
		w.onlyShared("the link", a, "USD", "Free time", "Tracked", "Margin", "18 percent")
		if a.status != 200 || !strings.Contains(a.body, "TSTU") {
			t.Errorf("%d %s", a.status, a.body)
		}
	}
}

// TestSharedLimit: the openings of one network are bounded, whether or not there is a link.
func TestSharedLimit(t *testing.T) {
	w := newWorld(t)
	var last [2]answer
	for i := range maxShared + 2 {
		last[i%2] = w.get([]string{w.shared[0], "/shared/none"}[i%2])
	}
	for _, a := range last {
		if a.status != 429 || a.header.Get("Retry-After") == "" || a.body != last[0].body {
			t.Errorf("%d %v", a.status, a.header)
		}
	}
	w.Clock.Advance(sharedWindow)
	if a := w.get(w.shared[0]); a.status != 200 {
		t.Errorf("a minute later: %d", a.status)
	}
}

// TestEndOf: the last day of a link ends when the next date begins at its place.
func TestEndOf(t *testing.T) {
	for _, row := range []struct{ day, zone, want string }{
		{"2026-06-30", "", "2026-07-01T00:00:00Z"}, {"2026-06-30", "Europe/Amsterdam", "2026-06-30T22:00:00Z"},
		{"2026-09-05", "America/Santiago", "2026-09-06T04:00:00Z"}, // the clocks go forward at midnight
		{"2026-09-06", "America/Santiago", "2026-09-07T03:00:00Z"}, {"2026-04-23", "Africa/Cairo", "2026-04-23T22:00:00Z"},
	} {
		day, err := time.Parse(time.DateOnly, row.day)
		if err != nil {
			t.Fatal(err)
		}
		if got := endOf(day, row.zone).UTC().Format(time.RFC3339); got != row.want {
			t.Errorf("%s in %s ends at %s, want %s", row.day, row.zone, got, row.want)
		}
	}
}

// TestShowOnceOfCancelledRequest: what is shown once is made although the browser gives up the
// request, as it does with the first one of a double click.
func TestShowOnceOfCancelledRequest(t *testing.T) {
	h := newHandler(Config{Tracker: trackingtest.New(t).Operator})
	for n := range 2 {
		ctx, err := h.plain.Load(t.Context(), "")
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(ctx)
		if n == 0 {
			cancel()
		}
		defer cancel()
		w := httptest.NewRecorder()
		req := &request{handler: h, w: w, r: httptest.NewRequest("POST", "/", nil).WithContext(ctx), sessions: h.plain}
		req.r.PostForm = url.Values{"once": {"form"}}
		err = req.showOnce("/", func() (shownOnce, error) {
			return shownOnce{"Made", oncePage{Value: "secret " + strconv.Itoa(n)}}, req.r.Context().Err()
		})
		if err != nil || !strings.Contains(w.Body.String(), "secret 0") {
			t.Errorf("request %d: %v %s", n, err, w.Body.String())
		}
	}
}
