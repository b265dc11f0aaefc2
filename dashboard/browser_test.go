package dashboard

import (
	"context"
	"fmt"
	"math"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	cdplog "github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/landfallhq/tracking"
)

// browserTime is how long the whole test may take.
const browserTime = 2 * time.Minute

// complaints are what the browser reports: violations of the policy, and errors of scripts.
type complaints struct {
	mu   sync.Mutex
	list []string
}

func (c *complaints) add(format string, args ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.list = append(c.list, fmt.Sprintf(format, args...))
}

func (c *complaints) take() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	list := c.list
	c.list = nil
	return list
}

func (c *complaints) listen(event any) {
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		c.add("%s", e.ExceptionDetails.Error())
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.APITypeError || e.Type == runtime.APITypeWarning {
			c.add("console: %v", e.Args)
		}
	case *cdplog.EventEntryAdded:
		if e.Entry.Source != cdplog.SourceNetwork { // a page that says 404 is no error of the page
			c.add("%s: %s", e.Entry.Source, e.Entry.Text)
		}
	}
}

// newChromium starts a browser that reaches no other machine. The test is skipped where there
// is none.
func newChromium(t *testing.T) (context.Context, *complaints) {
	t.Helper()
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil {
			path = found
			break
		}
	}
	if path == "" || testing.Short() {
		t.Skip("SKIPPED: the pages are not looked at in a browser: needs chromium, and no -short")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox,
		chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"))
	ctx, cancel := context.WithTimeout(t.Context(), browserTime)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewExecAllocator(ctx, options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	c := &complaints{}
	chromedp.ListenTarget(ctx, c.listen)
	return ctx, c
}

// TestChromium looks at every page in a browser: signing in by keyboard, then each page in
// light and dark, wide and 320 pixels wide.
func TestChromium(t *testing.T) {
	ctx, complained := newChromium(t)
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
	var heading, focused string
	do(cdplog.Enable(), chromedp.Navigate(w.server.URL+"/"), chromedp.WaitVisible("#key"),
		chromedp.KeyEvent("\t\t\t"), // past the address, the password and their button
		chromedp.KeyEvent(secret), chromedp.KeyEvent("\r"), chromedp.WaitVisible(".tiles"), chromedp.Text("h1", &heading),
		chromedp.KeyEvent("\t"), chromedp.Evaluate(`document.activeElement.className`, &focused))
	if heading != "Today" || focused != "skip" {
		t.Errorf("after signing in: %q, and the first element by keyboard is %q", heading, focused)
	}
	for _, width := range []int64{1280, 320} {
		for _, scheme := range []string{"light", "dark"} {
			do(emulation.SetDeviceMetricsOverride(width, 900, 1, false),
				emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}))
			for _, path := range append(w.paths(), "/shipments?q=none") {
				var content int64
				do(chromedp.Navigate(w.server.URL+path), chromedp.Evaluate(`document.querySelectorAll("details").forEach(d => d.open = true); document.documentElement.scrollWidth`, &content))
				if content > width {
					t.Errorf("%s, %s: %d pixels wide in a window of %d", path, scheme, content, width)
				}
				for _, c := range complained.take() {
					t.Errorf("%s, %s, %d pixels: %s", path, scheme, width, c)
				}
			}
		}
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
