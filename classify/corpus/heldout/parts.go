package heldout

import (
	"fmt"
	"strings"

	"github.com/landfallhq/tracking/classify/corpus/form"
	"github.com/landfallhq/tracking/classify/corpus/trade"
)

// band is a caption in a grey band with the lines below it, as programs of forwarders
// print them.
func band(f *form.Form, x, y, w, h float64, caption string, lines ...string) {
	f.Shade(x, y, w, 4.4, 215)
	f.Frame(x, y, w, h)
	f.Say(x+1, y+1.1, 6.5, "B", caption)
	for i, line := range lines {
		f.Fill(x+1, y+6+3.6*float64(i), w-2, 8, line)
	}
}

// under is a value on a dotted line with its caption in small type below it.
func under(f *form.Form, x, y, w float64, caption, value string) {
	f.Fill(x, y, w, 9, value)
	f.Rule(x, y+4, x+w, y+4)
	f.Say(x, y+5, 5.5, "I", caption)
}

// colon prints captions as typewriters do, with colons below each other.
func colon(f *form.Form, x, y float64, caption, value string) float64 {
	f.Say(x, y, 9, "", caption)
	f.Fill(x+58, y, 190-x-58, 9, ": "+value)
	return y + 5
}

// said is how the papers of this part describe goods.
func said(s trade.Shipment) string {
	var words []string
	for _, g := range s.Goods {
		words = append(words, fmt.Sprintf("%s (H.S. %s)", g.Words, strings.ReplaceAll(g.HS, ".", "")))
	}
	return strings.Join(words, "; ")
}

// payable is the freight clause.
func payable(f *form.Form, prepaid, collect string) string {
	if f.S.Prepaid {
		return f.Code("freight_terms", "prepaid", prepaid)
	}
	return f.Code("freight_terms", "collect", collect)
}

func all(c trade.Company) []string { return append([]string{c.Name}, c.Address...) }

var numerals = []string{"NIL", "ONE", "TWO", "THREE", "FOUR", "FIVE"}
