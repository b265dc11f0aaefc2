package dashboard

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/internal/browsertest"
)

// browserTime is how long the whole test may take.
const browserTime = 8 * time.Minute

// TestChromium looks at every page in a browser: signing in by keyboard, then each page in
// light and dark, wide and 320 pixels wide.
func TestChromium(t *testing.T) {
	ctx, complained := browsertest.Start(t, browserTime)
	w := newWorld(t)
	secret, _, err := w.Operator.CreateKey(t.Context(), tracking.NewKey{Account: w.Account.Scope()})
	if err != nil {
		t.Fatal(err)
	}
	do := func(actions ...chromedp.Action) {
		t.Helper()
		if err := chromedp.Run(ctx, actions...); err != nil {
			t.Fatal(err)
		}
	}
	axe := browsertest.ReadAxe(t)
	look := func(path string) {
		t.Helper()
		do(chromedp.Navigate(w.server.URL+path), chromedp.Evaluate(`document.querySelectorAll("details").forEach(d => d.open = true)`, nil))
		violations := axe.On(ctx, t)
		for _, width := range []int64{1280, 320} {
			for _, scheme := range []string{"light", "dark"} {
				var content int64
				do(emulation.SetDeviceMetricsOverride(width, 900, 1, false),
					emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: "reduce"}}),
					chromedp.Evaluate(`document.documentElement.scrollWidth`, &content))
				if content > width {
					t.Errorf("%s, %s: %d pixels wide in a window of %d", path, scheme, content, width)
				}
				for _, c := range append(complained.Take(), violations()...) {
					t.Errorf("%s, %s, %d pixels: %s", path, scheme, width, c)
				}
			}
		}
	}
	invited, err := w.Users().Create(t.Context(), tracking.NewUser{Permissions: []tracking.Permission{tracking.Show}})
	if err != nil {
		t.Fatal(err)
	}
	link, _, err := w.Users().NewLink(t.Context(), invited.ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/sign-in", "/sign-in/link", "/sign-in/link?token=" + link} {
		look(path)
	}
	var heading, focused string
	do(chromedp.Navigate(w.server.URL+"/"), chromedp.WaitVisible("#key"),
		chromedp.KeyEvent("\t\t\t"), // past the address, the password and their button
		chromedp.KeyEvent(secret), chromedp.KeyEvent("\r"), chromedp.WaitVisible(".tiles"), chromedp.Text("h1", &heading),
		chromedp.KeyEvent("\t"), chromedp.Evaluate(`document.activeElement.className`, &focused))
	if heading != "Today" || focused != "skip" {
		t.Errorf("after signing in: %q, and the first element by keyboard is %q", heading, focused)
	}
	for _, path := range append(w.paths(), "/shipments?q=none") {
		look(path)
	}
}

var (
	colourBlock = regexp.MustCompile(`(?s):root \{(.*?)\n *\}`)
	colour      = regexp.MustCompile(`--([a-z-]+): #([0-9a-f]{3,6})`)
)

// luminance is the relative luminance of a colour as WCAG 2.2 defines it.
func luminance(t *testing.T, hex string) float64 {
	t.Helper()
	if len(hex) == 3 {
		hex = strings.Join([]string{hex[:1], hex[:1], hex[1:2], hex[1:2], hex[2:], hex[2:]}, "")
	}
	sum := 0.0
	for i, weight := range []float64{.2126, .7152, .0722} {
		n, err := strconv.ParseUint(hex[2*i:2*i+2], 16, 8)
		if err != nil {
			t.Fatal(err)
		}
		c := float64(n) / 255
		if c <= .04045 {
			sum += weight * c / 12.92
		} else {
			sum += weight * math.Pow((c+.055)/1.055, 2.4)
		}
	}
	return sum
}

// TestStagesInChromium: the last stage has no line behind it, and on narrow screens none below it.
func TestStagesInChromium(t *testing.T) {
	ctx, _ := browsertest.Start(t, browserTime)
	b := newBench(t)
	const stages = `{ const list = document.createElement("ol"); list.className = "stages"; list.append(document.createElement("li"), document.createElement("li")); document.querySelector("main").append(list) }`
	const line = `(() => { const s = getComputedStyle(document.querySelector(".stages li:last-child"), "::before"); return s.display == "none" ? "none" : s.height })()`
	for width, want := range map[int64]string{1280: "3px", 390: "none"} {
		var got string
		if err := chromedp.Run(ctx, emulation.SetDeviceMetricsOverride(width, 900, 1, false), chromedp.Navigate(b.server.URL+"/sign-in"),
			chromedp.Evaluate(stages, nil), chromedp.Evaluate(line, &got)); err != nil {
			t.Fatal(err)
		}
		if got != want {
			t.Errorf("%d pixels: the line is %s, want %s", width, got, want)
		}
	}
}

// TestContrast: text has a contrast of 4.5 to 1 at least, in light and dark.
func TestContrast(t *testing.T) {
	data, err := staticFiles.ReadFile("static/dashboard.css")
	if err != nil {
		t.Fatal(err)
	}
	blocks := colourBlock.FindAllStringSubmatch(string(data), -1)
	if len(blocks) != 2 {
		t.Fatalf("%d sets of colours", len(blocks))
	}
	for i, scheme := range []string{"light", "dark"} {
		colours := map[string]string{}
		for _, m := range colour.FindAllStringSubmatch(blocks[i][1], -1) {
			colours[m[1]] = m[2]
		}
		pairs := [][2]string{{"accent-ink", "accent"}}
		for _, ink := range []string{"ink", "soft", "accent", "good", "warn", "bad", "info"} {
			for _, ground := range []string{"ground", "card", "hover"} {
				pairs = append(pairs, [2]string{ink, ground})
			}
			if colours[ink+"-ground"] != "" {
				pairs = append(pairs, [2]string{ink, ink + "-ground"})
			}
		}
		for _, p := range pairs {
			a, b := luminance(t, colours[p[0]]), luminance(t, colours[p[1]])
			if ratio := (max(a, b) + .05) / (min(a, b) + .05); ratio < 4.5 {
				t.Errorf("%s: %s on %s has a contrast of %.2f", scheme, p[0], p[1], ratio)
			}
		}
	}
}

// TestLiveInChromium: an open page shows changes within two seconds. Focus, what is typed and
// open details stay, and a lost connection is said.
func TestLiveInChromium(t *testing.T) {
	ctx, complained := browsertest.Start(t, browserTime)
	w := newWorld(t)
	w.server.Close() // its dashboard would hear of the changes too
	w.serve()
	secret, _, err := w.Operator.CreateKey(t.Context(), tracking.NewKey{Account: w.Account.Scope()})
	if err != nil {
		t.Fatal(err)
	}
	do := func(actions ...chromedp.Action) {
		t.Helper()
		if err := chromedp.Run(ctx, actions...); err != nil {
			t.Fatal(err)
		}
	}
	soon := func(expression string) chromedp.Action {
		return chromedp.Poll(expression, nil, chromedp.WithPollingTimeout(2*time.Second), chromedp.WithPollingInterval(20*time.Millisecond))
	}
	shipment := w.ids["shipments"]
	do(chromedp.Navigate(w.server.URL+"/"), chromedp.WaitVisible("#key"), chromedp.SendKeys("#key", secret+"\r"), chromedp.WaitVisible(".tiles"),
		chromedp.Navigate(w.server.URL+"/shipments/"+shipment.String()), chromedp.WaitVisible("#value-po"),
		chromedp.Evaluate(`document.querySelector("details").open = true; window.first = document.querySelector("h1"); 0`, nil),
		chromedp.SendKeys("#value-po", " typed")) // before what is there
	if _, err := w.StopTracking(t.Context(), shipment); err != nil {
		t.Fatal(err)
	}
	var kept string
	do(soon(`document.querySelector('form[action$="/resume"]') !== null`),
		chromedp.Evaluate(`[document.activeElement.id, document.getElementById("value-po").value, document.querySelector("details").open, window.first.isConnected].join("|")`, &kept))
	if kept != "value-po| typed<b>PO</b>|true|true" {
		t.Errorf("after a change: %s", kept)
	}
	// A second change, and a list to which a row is added.
	if _, err := w.ResumeTracking(t.Context(), shipment); err != nil {
		t.Fatal(err)
	}
	do(soon(`document.querySelector('form[action$="/stop"]') !== null`),
		chromedp.Navigate(w.server.URL+"/tracking-requests"), chromedp.WaitVisible("tbody tr"),
		chromedp.Evaluate(`document.querySelector("tbody a").focus(); window.focused = document.activeElement; window.rows = document.querySelectorAll("tbody tr").length; 0`, nil))
	if _, err := w.CreateTrackingRequest(t.Context(), tracking.NewTrackingRequest{Number: "TEST-VOYAGE-91", Type: tracking.BillOfLading, SCAC: "TEST"}); err != nil {
		t.Fatal(err)
	}
	do(soon(`document.querySelectorAll("tbody tr").length === window.rows + 1`),
		chromedp.Evaluate(`[window.focused === document.activeElement, window.focused.isConnected, document.getElementById("live").textContent].join("|")`, &kept))
	if kept != "true|true|" {
		t.Errorf("after a new row: %s", kept)
	}
	// A box ticks all rows of the page, and the ticks stay when a row comes.
	do(chromedp.Evaluate(`document.querySelector("th input").click(); window.rows = document.querySelectorAll("tbody tr").length; 0`, nil))
	if _, err := w.CreateTrackingRequest(t.Context(), tracking.NewTrackingRequest{Number: "TEST-VOYAGE-92", Type: tracking.BillOfLading, SCAC: "TEST"}); err != nil {
		t.Fatal(err)
	}
	do(soon(`document.querySelectorAll("tbody tr").length === window.rows + 1`),
		chromedp.Evaluate(`[document.querySelectorAll("td.pick input:checked").length === window.rows, document.querySelector("th input").indeterminate].join("|")`, &kept))
	if kept != "true|true" {
		t.Errorf("ticked rows: %s", kept)
	}
	for _, c := range complained.Take() {
		t.Error(c)
	}
	w.server.CloseClientConnections()
	w.server.Listener.Close()
	do(chromedp.Poll(`document.getElementById("live").textContent.includes("lost")`, nil, chromedp.WithPollingTimeout(10*time.Second)))
}
