// Package browsertest drives Chromium for tests of pages. The browser reaches no other
// machine, and what it reports is collected: violations of the policy, errors of scripts,
// requests to other hosts, and answers with a status of 500 or above.
package browsertest

import (
	"context"
	"fmt"
	"net/url"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	cdplog "github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// Complaints are what a browser has reported.
type Complaints struct {
	mu   sync.Mutex
	list []string
}

// Take returns the complaints so far, and forgets them.
func (c *Complaints) Take() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	list := c.list
	c.list = nil
	return list
}

func (c *Complaints) add(format string, args ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.list = append(c.list, fmt.Sprintf(format, args...))
}

func (c *Complaints) listen(event any) {
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
	case *network.EventRequestWillBeSent:
		if u, err := url.Parse(e.Request.URL); err != nil || u.Hostname() != "127.0.0.1" && !strings.HasSuffix(u.Hostname(), ".localhost") && !slices.Contains([]string{"data", "blob", "about"}, u.Scheme) {
			c.add("a request to another host: %s", e.Request.URL)
		}
	case *network.EventResponseReceived:
		if e.Response.Status >= 500 {
			c.add("%s: %d", e.Response.URL, e.Response.Status)
		}
	}
}

// Start starts a browser that lives until the test ends, for at most so long, and returns the
// context of its first page. The test is skipped where there is no browser, and with -short.
func Start(t *testing.T, within time.Duration) (context.Context, *Complaints) {
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
		chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE *.localhost"))
	ctx, cancel := context.WithTimeout(t.Context(), within)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewExecAllocator(ctx, options...)
	t.Cleanup(cancel)
	return Page(t, ctx)
}

// Page opens another page in the browser of a context, in a window of its own: a page behind
// another one is hidden, and a hidden page is not kept up to date.
func Page(t *testing.T, of context.Context) (context.Context, *Complaints) {
	t.Helper()
	var options []chromedp.ContextOption
	if c := chromedp.FromContext(of); c != nil && c.Browser != nil {
		id, err := target.CreateTarget("about:blank").WithNewWindow(true).Do(cdp.WithExecutor(of, c.Browser))
		if err != nil {
			t.Fatal(err)
		}
		options = append(options, chromedp.WithTargetID(id))
	}
	ctx, cancel := chromedp.NewContext(of, options...)
	t.Cleanup(cancel)
	c := &Complaints{}
	chromedp.ListenTarget(ctx, c.listen)
	if err := chromedp.Run(ctx, cdplog.Enable(), network.Enable()); err != nil {
		t.Fatal(err)
	}
	return ctx, c
}

// Quote writes a text as a literal of JavaScript.
func Quote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\r", `\r`).Replace(s) + `"`
}
