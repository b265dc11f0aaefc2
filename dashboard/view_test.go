package dashboard

import (
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/landfallhq/tracking"
)

var parametersField = regexp.MustCompile(`name="parameters" value="([^"]*)"`)

// TestViews: a list is kept once, and opened with its parameters; other filters change the
// address and not the view.
func TestViews(t *testing.T) {
	w := newWorld(t)
	w.signIn()
	list := "/shipments?columns=number%2Ctags&pod_eta_at=this_week&sort=pod_eta_at&tracking_stopped=false"
	page := w.get(list)
	w.inspect(list, page.body)
	sent := strings.ReplaceAll(parametersField.FindStringSubmatch(page.body)[1], "&amp;", "&")
	form := url.Values{"csrf": {w.token("/")}, "list": {"shipments"}, "parameters": {sent}, "name": {"This week"}}
	at := ""
	for range 2 {
		a := w.post("/views", form)
		if a.status != 303 || at != "" && at != a.header.Get("Location") {
			t.Fatalf("%d %q %s", a.status, a.header.Get("Location"), a.body)
		}
		at = a.header.Get("Location")
	}
	to := w.get(at).header.Get("Location")
	if want := list + "&view=" + strings.TrimPrefix(at, "/views/"); to != want {
		t.Fatalf("the view leads to %q, not %q", to, want)
	}
	if a := w.get(to); a.status != 200 || !strings.Contains(a.body, "<h1>This week</h1>") || strings.Contains(a.body, "The view stays") {
		t.Errorf("the view: %d", a.status)
	}
	if a := w.get(strings.Replace(to, "false", "true", 1)); !strings.Contains(a.body, "The view stays") || w.get(at).header.Get("Location") != to {
		t.Errorf("other filters: %d", a.status)
	}
	if a := w.get("/"); !strings.Contains(a.body, at) {
		t.Error("Today does not show the view")
	}
	form.Set("parameters", "tags=x")
	if a := w.post("/views", form); a.status != 422 || !strings.Contains(a.body, `id="view-problem"`) || !strings.Contains(a.body, `value="This week"`) {
		t.Errorf("a name that is taken: %d", a.status)
	}
	if a := w.post(at, form); a.status != 303 || !strings.Contains(w.get(at).header.Get("Location"), "tags=x") {
		t.Errorf("a change: %d", a.status)
	}
	for _, s := range append([]string{"%zz", ""}, hostile...) {
		for _, name := range []string{"list", "name", "parameters"} {
			bad := url.Values{"csrf": form["csrf"], "list": {"shipments"}, "parameters": {"tags=x"}, "name": {"y"}}
			bad.Set(name, s)
			if a := w.post("/views", bad); a.status >= 500 || strings.Contains(a.body, s) && strings.ContainsAny(s, `<>"'`) {
				t.Errorf("%s %q: %d", name, s, a.status)
			}
		}
	}
	w.signIn(tracking.Show)
	form.Set("csrf", w.token("/"))
	for _, path := range []string{"/views", at, at + "/delete"} {
		if a := w.post(path, form); a.status != 403 {
			t.Errorf("%s without the permission: %d", path, a.status)
		}
	}
	if a := w.get("/shipments?tags=x"); strings.Contains(a.body, `action="/views`) {
		t.Error("a form is offered without the permission")
	}
	w.signIn()
	form.Set("csrf", w.token("/"))
	if a := w.post(at+"/delete", form); a.status != 303 || w.get(at).status != 404 {
		t.Errorf("deleted: %d", a.status)
	}
	if a := w.get(to); a.status != 200 {
		t.Errorf("the list of a deleted view, by its address: %d", a.status)
	}
}

// TestPageBehindTheLast: a page that a list does not have says so, and leads to the first one with
// the same filters. A list without rows says that.
func TestPageBehindTheLast(t *testing.T) {
	w := newWorld(t)
	w.signIn()
	number := w.shipmentNumber()
	for path, first := range map[string]string{"/shipments?page=9": "/shipments", "/shipments?page=9&number=" + number: "/shipments?number=" + number} {
		a := w.get(path)
		w.inspect(path, a.body)
		if !strings.Contains(a.body, "The list has no such page.") || !strings.Contains(a.body, `href="`+first+`">Go to page 1`) {
			t.Errorf("%s: %d %s", path, a.status, a.body)
		}
	}
	if a := w.get("/shipments?page=9&number=NOTHING"); strings.Contains(a.body, "no such page") || !strings.Contains(a.body, "Nothing matches") {
		t.Errorf("a list without rows: %d", a.status)
	}
}

// TestPeriods: periods are counted from today, in UTC.
func TestPeriods(t *testing.T) {
	now := time.Date(2026, 6, 10, 16, 0, 0, 0, time.UTC) // a Wednesday
	for word, want := range map[string][2]string{
		"today": {"2026-06-10", "2026-06-10"}, "tomorrow": {"2026-06-11", "2026-06-11"}, "yesterday": {"2026-06-09", "2026-06-09"},
		"this_week": {"2026-06-08", "2026-06-14"}, "next_week": {"2026-06-15", "2026-06-21"}, "last_week": {"2026-06-01", "2026-06-07"},
		"next_3_days": {"2026-06-10", "2026-06-13"}, "next_7_days": {"2026-06-10", "2026-06-17"}, "next_30_days": {"2026-06-10", "2026-07-10"},
		"last_7_days": {"2026-06-03", "2026-06-10"}, "last_30_days": {"2026-05-11", "2026-06-10"},
	} {
		p := periodOf(word, now)
		if got := [2]string{p.From.Format(time.DateOnly), p.To.Format(time.DateOnly)}; got != want || !p.To.Add(1).Truncate(24*time.Hour).Equal(p.To.Add(1)) {
			t.Errorf("%s is %s", word, got)
		}
	}
	q := &query{Values: url.Values{"day": {"this_week"}, "day.from": {"2026-06-10"}, "day.to": {"2026-07-01"}}, texts: catalog{}, now: now}
	if r := q.days("day"); r.From.Day() != 10 || r.To.Day() != 14 {
		t.Errorf("within two days as well: %v", r)
	}
	q = &query{Values: url.Values{"day": {"some day"}}, texts: catalog{}, now: now}
	if q.days("day"); q.fault == "" {
		t.Error("a word that is no period is taken")
	}
	for _, word := range periods {
		if periodOf(word, now) == (tracking.TimeRange{}) {
			t.Errorf("%s is no period", word)
		}
	}
}
