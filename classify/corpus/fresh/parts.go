package fresh

import (
	"fmt"
	"strings"

	"github.com/landfallhq/tracking/classify/corpus/form"
	"github.com/landfallhq/tracking/classify/corpus/trade"
)

// cell is a box of a grid: a caption and what is filled in.
type cell struct {
	caption string
	lines   []string
}

func c(caption string, lines ...string) cell { return cell{caption, lines} }

// strip draws boxes side by side, with captions of so many points above the values,
// and returns the y below.
func strip(f *form.Form, x, y, h, points float64, widths []float64, cells ...cell) float64 {
	for i, one := range cells {
		f.Frame(x, y, widths[i], h)
		stack(f, x+1.2, y+1, widths[i]-2.4, points, one.caption, one.lines...)
		x += widths[i]
	}
	return y + h
}

// stack prints a caption, wrapped where it is long, and lines below it; it returns the
// y below.
func stack(f *form.Form, x, y, w, points float64, caption string, lines ...string) float64 {
	if caption != "" {
		y = f.Paragraph(x, y, w, points, caption) + 1 - points*0.09
	}
	for _, line := range lines {
		f.Fill(x, y, w, 8.5, line)
		y += 3.6
	}
	return y
}

// under prints a value on a rule, and its caption in small type below the rule.
func under(f *form.Form, x, y, w float64, caption, value string) {
	f.Fill(x, y, w, 9, value)
	f.Rule(x, y+3.7, x+w, y+3.7)
	f.Say(x, y+4.4, 5.5, "", caption)
}

// beside prints a caption and, gap further on, lines; it returns the y of the next.
func beside(f *form.Form, x, y, gap, w, points float64, style, caption string, lines ...string) float64 {
	f.Say(x, y, points, style, caption)
	for _, line := range lines {
		f.Fill(x+gap, y, w-gap, points, line)
		y += points * 0.48
	}
	return y + 0.8
}

// goods are the words for what is shipped.
func goods(f *form.Form, between string, upper bool) string {
	var words []string
	for _, g := range f.S.Goods {
		words = append(words, g.Words)
	}
	all := strings.Join(words, between)
	if upper {
		all = strings.ToUpper(all)
	}
	return all
}

// ways of writing how many originals there are.
func originals(f *form.Form, how int) string {
	n := 1 + f.R.IntN(3)
	word := []string{"ONE", "TWO", "THREE"}[n-1]
	f.Count("originals", n)
	return []string{fmt.Sprintf("%s (%d)", word, n), fmt.Sprint(n), fmt.Sprintf("%d/%s", n, word)}[how]
}

// terms keeps who pays the freight, and returns the word that fits.
func terms(f *form.Form, prepaid, collect string) string {
	if f.S.Prepaid {
		return f.Code("freight_terms", "prepaid", prepaid)
	}
	return f.Code("freight_terms", "collect", collect)
}

// payable is where the freight is paid.
func payable(f *form.Form, origin, destination string) string {
	if f.S.Prepaid {
		return origin
	}
	return destination
}

// party prints a company in capitals.
func party(f *form.Form, name string, who trade.Company) []string {
	return f.Party(name, upper(who), 5)
}

// kg and m3 print sums that the truth does not ask for.
func kg(f *form.Form, x float64) string { return f.Mass("", x) }
func m3(f *form.Form, x float64) string { return f.Volume("", x) }

// prose is a company as one line of text.
func prose(lines []string) string { return strings.Join(lines, ", ") }
