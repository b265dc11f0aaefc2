package dashboard

import (
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"golang.org/x/net/html"

	"github.com/landfallhq/tracking"
)

// sentForm is a form of a page, as a browser sends it.
type sentForm struct {
	method, action string
	values         url.Values
	// written are the fields that a user may write in.
	written []string
}

// forms are those of a page, without what script adds.
func (w *world) forms(body string) (list []sentForm) {
	walk(w.parse(body), func(n *html.Node) {
		if n.Data != "form" {
			return
		}
		f := sentForm{method: strings.ToUpper(attr(n, "method")), action: attr(n, "action"), values: url.Values{}}
		if f.method == "" {
			f.method = "GET"
		}
		walk(n, func(c *html.Node) {
			name, kind := attr(c, "name"), attr(c, "type")
			switch {
			case name == "" || c.Data != "input" && c.Data != "textarea" && c.Data != "select" && c.Data != "button":
			case kind == "hidden" || c.Data == "button":
				f.values.Add(name, attr(c, "value"))
			case kind != "file":
				f.written = append(f.written, name)
			}
		})
		list = append(list, f)
	})
	return list
}

// ownRoutes change nothing but the password and the e-mails of the user who sends them.
var ownRoutes = []string{"POST " + passwordPath, "POST " + mailPath, "POST " + mailPath + "/end", "POST " + mailPath + "/digest"}

// changing are the routes that change something, but those for signing in and out, and those
// by which users change themselves.
func changing() (list []route) {
	for _, rt := range routes() {
		if strings.HasPrefix(rt.pattern, "POST ") && !strings.Contains(rt.pattern, " /sign-") && !slices.Contains(ownRoutes, rt.pattern) {
			list = append(list, rt)
		}
	}
	return list
}

// TestOnlyPostChanges: a route that changes something is a form, and needs a permission other
// than show.
func TestOnlyPostChanges(t *testing.T) {
	for _, rt := range routes() {
		if method, _, _ := strings.Cut(rt.pattern, " "); method != "GET" && method != "POST" {
			t.Errorf("%s: forms send GET and POST alone", rt.pattern)
		}
	}
	for _, rt := range changing() {
		if rt.public || rt.permission == "" || rt.permission == tracking.Show {
			t.Errorf("%s changes something with the permission %q", rt.pattern, rt.permission)
		}
	}
}

// TestShowAlone: who may only look is offered nothing else, and is refused it.
func TestShowAlone(t *testing.T) {
	w := newWorld(t)
	w.signIn(tracking.Show)
	token := w.token("/")
	for _, rt := range changing() {
		_, path := w.routed(rt)
		if a := w.post(path, url.Values{"csrf": {token}}); a.status != 403 {
			t.Errorf("%s: %d", rt.pattern, a.status)
		}
	}
	for _, path := range w.paths() {
		a := w.get(path)
		if a.status == 403 {
			continue
		}
		for _, f := range w.forms(a.body) {
			if f.method == "POST" && f.action != "/sign-out" && !slices.Contains(ownRoutes, "POST "+f.action) {
				t.Errorf("%s offers %s", path, f.action)
			}
		}
	}
}

// TestHostileForms: whatever is sent in whichever field of a form is answered with a page or
// refused, and shown as text.
func TestHostileForms(t *testing.T) {
	w := newWorld(t)
	w.signIn()
	texts := append(slices.Clone(hostile[:5]), strings.Repeat("x", 10_000), "\x00", "\xff", uuid.NewString())
	sent := map[string]bool{}
	for _, path := range w.paths() {
		for _, f := range w.forms(w.get(path).body) {
			key := f.method + " " + f.action + " " + strings.Join(f.written, " ")
			if sent[key] || len(f.written) == 0 {
				continue
			}
			sent[key] = true
			for _, s := range texts {
				values := url.Values{}
				for name, v := range f.values {
					values[name] = v
				}
				for _, name := range f.written {
					values.Set(name, s)
				}
				var a answer
				if f.method == "POST" {
					a = w.post(f.action, values)
				} else {
					a = w.get(f.action + "?" + values.Encode())
				}
				if a.status >= 500 || strings.Contains(a.body, s) && strings.ContainsAny(s, `<>"'`) {
					t.Errorf("%s on %s with %.40q: %d", key, path, s, a.status)
				}
			}
		}
	}
	if len(sent) < 8 {
		t.Errorf("%d forms were sent: %v", len(sent), sent)
	}
}
