package browsertest

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// Axe is the source of axe-core, which checks a page for accessibility; empty if there is none.
type Axe string

// ReadAxe reads the file that LANDFALL_AXE names: axe.min.js of the npm package axe-core.
func ReadAxe(t *testing.T) Axe {
	t.Helper()
	path := os.Getenv("LANDFALL_AXE")
	if path == "" {
		t.Log("LEFT OUT: axe-core does not check the pages: LANDFALL_AXE names no axe.min.js")
		return ""
	}
	source, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return Axe(source)
}

// axeRun checks the document against WCAG 2.2 AA and returns what violates it, as JSON.
const axeRun = `axe.run(document, {resultTypes: ["violations"], runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}).then(r =>
	JSON.stringify(r.violations.map(v => v.id + ": " + v.help + ": " + v.nodes.slice(0, 3).map(n => n.target.join(" ") + " " + n.html.slice(0, 200) + " " + n.failureSummary).join("; "))))`

// On prepares the page that is open, and returns a function that checks it as it is shown.
// axe-core runs in a world of its own, which the policy of the page does not bind.
func (a Axe) On(ctx context.Context, t *testing.T) (violations func() []string) {
	t.Helper()
	if a == "" {
		return func() []string { return nil }
	}
	var world runtime.ExecutionContextID
	evaluate := func(source string) (text string) {
		t.Helper()
		err := chromedp.Run(ctx, chromedp.ActionFunc(func(ctx context.Context) error {
			result, thrown, err := runtime.Evaluate(source).WithContextID(world).WithAwaitPromise(true).WithReturnByValue(true).Do(ctx)
			if err != nil {
				return err
			}
			if thrown != nil {
				return fmt.Errorf("axe-core: %w", thrown)
			}
			return json.Unmarshal(result.Value, &text)
		}))
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	err := chromedp.Run(ctx, chromedp.ActionFunc(func(ctx context.Context) error {
		tree, err := page.GetFrameTree().Do(ctx)
		if err != nil {
			return err
		}
		world, err = page.CreateIsolatedWorld(tree.Frame.ID).WithWorldName("axe").Do(ctx)
		return err
	}))
	if err != nil {
		t.Fatal(err)
	}
	evaluate(string(a) + `; ""`)
	return func() (list []string) {
		t.Helper()
		if err := json.Unmarshal([]byte(evaluate(axeRun)), &list); err != nil {
			t.Fatal(err)
		}
		return list
	}
}
