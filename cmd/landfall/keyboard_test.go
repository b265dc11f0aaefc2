package main

import (
	"os"
	"strings"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// byKeyboard: the tasks are done with the keyboard alone.
var byKeyboard = os.Getenv("LANDFALL_KEYBOARD") != ""

// withoutScript: the pages run no script. A page is read again where it would change by itself.
var withoutScript = os.Getenv("LANDFALL_NO_SCRIPT") != ""

// mostTabs is how often Tab is pressed before an element counts as out of reach.
const mostTabs = 1000

// reach moves the focus to an element by Tab and, among radio buttons, by the arrows, and checks
// that the focus is visible there.
func (c *clerk) reach(what, at string) {
	c.t.Helper()
	if !evaluate[bool](c, `(window.landfallTarget = `+at+`) !== null`) {
		c.t.Fatalf("%s finds no %s at %s:\n%s", c.name, what, c.path(), c.text())
	}
	for range mostTabs {
		switch evaluate[string](c, `(e => {
			const at = document.activeElement, style = getComputedStyle(at);
			if (e === at) return at.matches(":focus-visible") && (style.outlineStyle !== "none" || style.boxShadow !== "none") ? "reached" : "unseen";
			return e.type === "radio" && at.type === "radio" && at.name === e.name && at.form === e.form ? "near" : "away";
		})(window.landfallTarget)`) {
		case "reached":
			return
		case "unseen":
			c.t.Errorf("%s does not see the focus on %s at %s", c.name, what, c.path())
			return
		case "near":
			c.do("arrow", chromedp.KeyEvent(kb.ArrowDown))
		default:
			c.do("tab", chromedp.KeyEvent("\t"))
		}
	}
	c.t.Fatalf("%s cannot reach %s by keyboard at %s:\n%s", c.name, what, c.path(), c.text())
}

// typeAt reaches an element and presses a key.
func (c *clerk) typeAt(what, at, key string) {
	c.t.Helper()
	c.reach(what, at)
	c.do(what, chromedp.KeyEvent(key))
}

// keyOf is the key that activates an element of a kind.
func keyOf(kind string) string {
	if kind == "box" {
		return " "
	}
	return "\r"
}

// chooseByKeys types the label of an option until its list has it, and leaves the list.
func (c *clerk) chooseByKeys(what, at, label string) {
	c.t.Helper()
	c.reach(what, at)
	c.do("choose "+label, chromedp.KeyEvent(label))
	if got := evaluate[string](c, `(e => e.selectedOptions[0].text.trim())(`+at+`)`); got != strings.TrimSpace(label) {
		c.t.Errorf("%s types %q in %s at %s and chooses %q", c.name, label, what, c.path(), got)
	}
}
