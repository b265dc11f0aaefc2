package dashboard

import (
	"html"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/landfallhq/tracking"
)

var beforeField = regexp.MustCompile(`name="before" value="([^"]+)"`)

// before is what the form of a page was filled with.
func before(page string) string {
	return html.UnescapeString(beforeField.FindStringSubmatch(page)[1])
}

// TestFollowUp: an exception is acknowledged, assigned and noted once, and stays open; a change
// by somebody else meanwhile is shown and not overwritten.
func TestFollowUp(t *testing.T) {
	w := newWorld(t)
	w.signIn()
	id := w.ids["exceptions"]
	path := "/exceptions/" + id.String()
	if _, err := w.Users().Create(t.Context(), tracking.NewUser{Name: hostile[0]}); err != nil {
		t.Fatal(err)
	}
	stored := func() *tracking.Exception {
		e, err := w.Exceptions().Get(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	form := url.Values{"csrf": {w.token(path)}, "before": {before(w.get(path).body)}, "acknowledged": {"yes"}, "assignee": {hostile[0]}, "note": {" called the customer "}}
	for range 2 {
		if a := w.post(path, form); a.status != 303 || a.header.Get("Location") != path {
			t.Fatalf("%d %s", a.status, a.body)
		}
	}
	e := stored()
	version := e.Version
	if e.AcknowledgedAt.IsZero() || e.Assignee != hostile[0] || e.Note != "called the customer" || !e.ClosedAt.IsZero() {
		t.Errorf("%+v", e)
	}
	late := url.Values{"csrf": form["csrf"], "before": form["before"], "note": {"mine"}}
	a := w.post(path, late)
	w.inspect(path, a.body)
	if a.status != 409 || !strings.Contains(a.body, "called the customer") || !strings.Contains(a.body, `value="mine"`) || stored().Version != version {
		t.Errorf("a change that came too late: %d", a.status)
	}
	if !strings.Contains(a.body, `value="yes" checked`) {
		t.Error("the form takes back what somebody else has acknowledged")
	}
	late.Set("before", before(a.body))
	if a := w.post(path, late); a.status != 303 || stored().Note != "mine" || stored().Assignee != "" || !stored().AcknowledgedAt.IsZero() {
		t.Errorf("sent again on purpose: %d %+v", a.status, stored())
	}
	other := url.Values{"csrf": form["csrf"], "before": {before(w.get(path).body)}, "note": {"mine"}, "assignee": {hostile[0]}}
	if _, err := w.Exceptions().Update(t.Context(), id, tracking.ExceptionUpdate{Note: tracking.Set("theirs")}); err != nil {
		t.Fatal(err)
	}
	if a := w.post(path, other); a.status != 303 || stored().Note != "theirs" || stored().Assignee != hostile[0] {
		t.Errorf("changes of two things: %d %+v", a.status, stored())
	}
	for _, s := range []string{strings.Repeat("x", 2_001), "\x00"} {
		a := w.post(path, url.Values{"csrf": form["csrf"], "before": {before(w.get(path).body)}, "note": {s}})
		if a.status != 422 || !strings.Contains(a.body, `id="note-problem"`) || strings.Contains(s, "x") && !strings.Contains(a.body, s) {
			t.Errorf("a note %.10q: %d", s, a.status)
		}
	}
	w.signIn(tracking.Show)
	if a := w.get(path); a.status != 200 || strings.Contains(a.body, `action="`+path) {
		t.Errorf("a form is offered without the permission: %d", a.status)
	}
	form.Set("csrf", w.token("/"))
	if a := w.post(path, form); a.status != 403 {
		t.Errorf("without the permission: %d", a.status)
	}
}
