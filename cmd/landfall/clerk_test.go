package main

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/landfallhq/tracking/internal/browsertest"
)

const (
	// mostClicks is how many activations a task may take.
	mostClicks = 6
	// patience is how long one action in the browser may take, on a busy machine.
	patience = 45 * time.Second
)

// clerk is a user in a browser. Its methods name what is on the page by its text or label.
type clerk struct {
	t          *testing.T
	o          *office
	name       string
	ctx        context.Context
	complaints *browsertest.Complaints
	clicks     int
}

// signIn returns a user of Acme who sees Today. Each user has a name of this machine, so that
// their cookies differ.
func (o *office) signIn(t *testing.T, name string) *clerk {
	t.Helper()
	ctx, complaints := browsertest.Page(t, o.browser)
	c := &clerk{t: t, o: o, name: name, ctx: ctx, complaints: complaints}
	c.do("size", emulation.SetDeviceMetricsOverride(1280, 900, 1, false), emulation.SetTimezoneOverride("Europe/Berlin"),
		emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-reduced-motion", Value: "reduce"}}))
	if withoutScript {
		c.do("no script", emulation.SetScriptExecutionDisabled(true))
	}
	c.open("/sign-in")
	if c.path() == "/sign-in" {
		c.write("E-mail address", address(name))
		c.write("Password", officePassword)
		c.enter()
	}
	return c
}

// begin opens Today and counts from there.
func (c *clerk) begin() {
	c.t.Helper()
	c.open("/")
	c.clicks = 0
}

// do runs actions, within a time.
func (c *clerk) do(what string, actions ...chromedp.Action) {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(c.ctx, patience)
	defer cancel()
	if err := chromedp.Run(ctx, actions...); err != nil {
		c.t.Fatalf("%s: %s: %v\n%s", c.name, what, err, c.text())
	}
}

// evaluate returns the value of an expression.
func evaluate[T any](c *clerk, expression string) (value T) {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(c.ctx, patience)
	defer cancel()
	if err := chromedp.Run(ctx, chromedp.Evaluate(expression, &value)); err != nil {
		c.t.Fatalf("%s: %s: %v", c.name, expression, err)
	}
	return value
}

// text is what the page shows.
func (c *clerk) text() string {
	c.t.Helper()
	return evaluate[string](c, `document.body ? (document.body.innerText + "\n" +
		[...document.querySelectorAll("main input:not([type=hidden]), main textarea")].map(i => i.value).join("\n")).replace(/[ \t\u00a0]+/g, " ") : ""`)
}

// open goes to an address of the dashboard, as one who was sent it.
func (c *clerk) open(path string) {
	c.t.Helper()
	c.do("open "+path, chromedp.Navigate("http://"+strings.ToLower(c.name)+".localhost:"+c.o.port+path))
	c.looked()
}

// path is the address of the page, without the host.
func (c *clerk) path() string {
	c.t.Helper()
	u, err := url.Parse(evaluate[string](c, `location.href`))
	if err != nil {
		c.t.Fatal(err)
	}
	return u.RequestURI()
}

// looked checks the page that is open: nothing was reported, and it is accessible.
func (c *clerk) looked() {
	c.t.Helper()
	for _, complaint := range append(c.complaints.Take(), c.o.axe.On(c.ctx, c.t)()...) {
		c.t.Errorf("%s at %s: %s", c.name, c.path(), complaint)
	}
	c.seesNoSecret()
}

// becomes waits until the open page shows a text by itself, and vanishes until it does not show
// it any more. It may take two seconds; a busy machine is allowed some more.
func (c *clerk) becomes(text string) {
	c.t.Helper()
	c.waits(text, true)
}

func (c *clerk) vanishes(text string) {
	c.t.Helper()
	c.waits(text, false)
}

func (c *clerk) waits(text string, shown bool) {
	c.t.Helper()
	began := time.Now()
	eventually(c.t, patience, func() error {
		if withoutScript {
			c.do("reload", chromedp.Reload())
		}
		if all := c.text(); strings.Contains(all, text) != shown {
			return fmt.Errorf("%s waits for %q (shown: %t) at %s:\n%s", c.name, text, shown, c.path(), all)
		}
		return nil
	})
	took := time.Since(began)
	c.t.Logf("%s: %q (shown: %t) after %s", c.name, text, shown, took.Round(10*time.Millisecond))
	if took > 5*time.Second {
		c.t.Errorf("%s: %q (shown: %t) after %s only", c.name, text, shown, took)
	}
	c.looked()
}

// file chooses a file.
func (c *clerk) file(field, path string) {
	c.t.Helper()
	c.clicks++
	if byKeyboard {
		c.reach(field, element("file", field, nil)) // what its key opens belongs to the browser
	}
	c.do("choose "+path, chromedp.SetUploadFiles(element("file", field, nil), []string{path}, chromedp.ByJSPath))
}

// part is the text of a part of the page.
func (c *clerk) part(selector string) string {
	c.t.Helper()
	return evaluate[string](c, `(document.querySelector(`+browsertest.Quote(selector)+`) || {innerText: ""}).innerText.replace(/\s+/g, " ")`)
}

// awaited returns what a promise becomes.
func awaited[T any](c *clerk, promise string) (value T) {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(c.ctx, patience)
	defer cancel()
	await := func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }
	if err := chromedp.Run(ctx, chromedp.Evaluate(promise, &value, await)); err != nil {
		c.t.Fatalf("%s: %s: %v", c.name, promise, err)
	}
	return value
}

// row is the text of the row of a table that has a text.
func (c *clerk) row(with string) string {
	c.t.Helper()
	return evaluate[string](c, `([...document.querySelectorAll("tbody tr")].find(r => r.innerText.includes(`+browsertest.Quote(with)+`)) || {innerText: ""}).innerText.replace(/\s+/g, " ")`)
}

// back goes back to the page before.
func (c *clerk) back() {
	c.t.Helper()
	from := c.path()
	c.do("back", chromedp.Evaluate(`history.back()`, nil)) // no page loads if the browser has kept it
	eventually(c.t, patience, func() error {
		if c.path() == from {
			return fmt.Errorf("%s is still at %s", c.name, from)
		}
		return nil
	})
	c.looked()
}

// sends sends the form of a button, and stays on the page.
func (c *clerk) sends(button string) {
	c.t.Helper()
	status := awaited[int](c, `(b => fetch(b.form.action, {method: "POST", body: new URLSearchParams(new FormData(b.form, b))}).then(r => r.status))(`+element("button", button, nil)+`)`)
	if status != http.StatusOK {
		c.t.Errorf("%s sends %q: %d", c.name, button, status)
	}
}

// finder finds an element that is shown, by its kind, its name, and a text near it.
const finder = `(function (kind, name, near) {
	const kinds = {link: "a[href]", button: "button, summary", box: "input[type=checkbox], input[type=radio]", list: "select", file: "input[type=file]",
		field: "input:not([type=checkbox]):not([type=radio]):not([type=hidden]):not([type=file]):not([type=range]), textarea"};
	const plain = s => (s || "").replace(/\s+/g, " ").trim();
	const labels = e => [e.getAttribute("aria-label"), ...[...(e.labels || [])].map(l => l.textContent), e.textContent, e.value].map(plain);
	const around = e => { for (let at = e; at; at = at.parentElement) if (at.matches("tr, li, dialog, fieldset, form, details, section, article, main, [data-near]") && plain(at.textContent + " " + [...at.querySelectorAll("input, textarea")].map(i => i.value).join(" ")).includes(near)) return at; };
	let all = [...document.querySelectorAll(kinds[kind])].filter(e => (kind === "file" || e.checkVisibility({visibilityProperty: true})) && !e.disabled && !e.closest("[inert]"));
	const same = all.filter(e => labels(e).includes(name));
	all = same.length ? same : all.filter(e => labels(e).some(l => l && l.includes(name)));
	if (!near) return all[0] || null;
	const rank = e => { let n = 0; for (let at = e; at && at !== around(e); at = at.parentElement) n++; return n; };
	return all.filter(around).sort((a, b) => around(a).contains(around(b)) ? (around(a) === around(b) ? 0 : 1) : -1)[0] || null;
})(%s, %s, %s)`

func element(kind, name string, near []string) string {
	return fmt.Sprintf(finder, browsertest.Quote(kind), browsertest.Quote(name), browsertest.Quote(strings.Join(near, " ")))
}

// activate clicks on an element, and counts it.
func (c *clerk) activate(kind, name string, near []string) {
	c.t.Helper()
	c.clicks++
	what := strings.TrimSpace(kind + " " + name + " " + strings.Join(near, " "))
	if byKeyboard {
		c.typeAt(what, element(kind, name, near), keyOf(kind))
		return
	}
	c.do(what, chromedp.Click(element(kind, name, near), chromedp.ByJSPath))
}

// leaving waits, after an action, until another document is shown.
func (c *clerk) leaving(action func()) {
	c.t.Helper()
	c.do("mark", chromedp.Evaluate(`window.landfallLeft = 1; 0`, nil))
	action()
	eventually(c.t, patience, func() error {
		var shown bool
		if err := chromedp.Run(c.ctx, chromedp.Evaluate(`!window.landfallLeft && document.readyState === "complete"`, &shown)); err != nil || !shown {
			return fmt.Errorf("%s waits for the next page: %v", c.name, err)
		}
		return nil
	})
	c.looked()
}

// follow follows a link, and press presses a button, to another page.
func (c *clerk) follow(name string, near ...string) {
	c.t.Helper()
	c.leaving(func() { c.activate("link", name, near) })
}

func (c *clerk) press(name string, near ...string) {
	c.t.Helper()
	c.leaving(func() { c.activate("button", name, near) })
}

// unfold presses a button that opens a part of the page.
func (c *clerk) unfold(name string, near ...string) {
	c.t.Helper()
	c.activate("button", name, near)
}

// tick ticks a box.
func (c *clerk) tick(name string, near ...string) {
	c.t.Helper()
	c.activate("box", name, near)
}

// choose chooses an option of a list by its label.
func (c *clerk) choose(list, label string, near ...string) {
	c.t.Helper()
	c.clicks++
	if byKeyboard {
		c.chooseByKeys(list, element("list", list, near), label)
		return
	}
	value := evaluate[string](c, fmt.Sprintf(`(e => [...e.options].find(o => o.text.trim() === %s).value)(%s)`, browsertest.Quote(label), element("list", list, near)))
	c.do("choose "+label, chromedp.SetValue(element("list", list, near), value, chromedp.ByJSPath),
		chromedp.Evaluate(fmt.Sprintf(`(e => { e.dispatchEvent(new Event("input", {bubbles: true})); e.dispatchEvent(new Event("change", {bubbles: true})); })(%s)`, element("list", list, near)), nil))
}

// write replaces what a field has, by keys.
func (c *clerk) write(field, text string, near ...string) {
	c.t.Helper()
	at := element("field", field, near)
	c.do("write in "+field, chromedp.WaitReady(at, chromedp.ByJSPath))
	if byKeyboard {
		c.reach(field, at)
	}
	c.do("write in "+field, chromedp.Focus(at, chromedp.ByJSPath), chromedp.Evaluate(`(e => { if (e.select) e.select(); })(`+at+`)`, nil))
	if kind := evaluate[string](c, at+`.type`); kind == "date" || kind == "datetime-local" {
		c.do("write in "+field, chromedp.SetValue(at, text, chromedp.ByJSPath))
		return
	}
	if text == "" {
		text = "\b"
	}
	c.do("write in "+field, chromedp.KeyEvent(text))
}

// enter presses Enter in the field that has the focus.
func (c *clerk) enter() {
	c.t.Helper()
	c.leaving(func() { c.do("enter", chromedp.KeyEvent("\r")) })
}

// sees checks that the page shows texts, in this order.
func (c *clerk) sees(texts ...string) {
	c.t.Helper()
	shown := c.text()
	rest := shown
	for _, text := range texts {
		at := strings.Index(strings.ToLower(rest), strings.ToLower(text))
		if at < 0 {
			c.t.Errorf("%s does not see %q (in this order: %q) at %s:\n%s", c.name, text, texts, c.path(), shown)
			return
		}
		rest = rest[at+len(text):]
	}
}

// seesNot checks that the page shows none of these texts.
func (c *clerk) seesNot(texts ...string) {
	c.t.Helper()
	shown := strings.ToLower(c.text())
	for _, text := range texts {
		if strings.Contains(shown, strings.ToLower(text)) {
			c.t.Errorf("%s sees %q at %s:\n%s", c.name, text, c.path(), shown)
		}
	}
}

// done checks the number of activations since begin.
func (c *clerk) done() {
	c.t.Helper()
	c.t.Logf("%s: %d activations", c.name, c.clicks)
	if c.clicks > mostClicks {
		c.t.Errorf("%s needs %d activations, and may need %d", c.name, c.clicks, mostClicks)
	}
}

// reopens checks that the address of the page shows the same to a colleague.
func (c *clerk) reopens(as *clerk, texts ...string) {
	c.t.Helper()
	as.open(c.path())
	as.sees(texts...)
}
