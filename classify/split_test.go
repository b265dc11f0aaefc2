package classify_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/classify"
)

// TestSplitBeforePagesWithoutHeadings: the fields of a page say that it is another paper, where
// it has a number of its own.
func TestSplitBeforePagesWithoutHeadings(t *testing.T) {
	title := []string{"FREIGHT INVOICE", "Invoice No.: FI 883120", "Due date: 14 March 2026", "Total: USD 1,200.00"}
	fields := []string{"Shipped goods", "Net weight: 800 kg", "Gross weight: 900 kg", "Total packages: 12", "Total volume: 3.2 m3", "PO No.: 55120"}
	for _, c := range []struct {
		number string
		want   []int
	}{{"Packing list No.: PL 7781", []int{1, 2}}, {"see overleaf", []int{1}}} {
		text := pagesOf(title, append([]string{c.number}, fields...))
		got, err := classify.New().Split(t.Context(), tracking.DocumentFile{}, text)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, %v, want %v", c.number, got, err, c.want)
		}
	}
}

// pagesOf are pages with a line of words for each text.
func pagesOf(pages ...[]string) (text tracking.DocumentText) {
	for _, lines := range pages {
		p := tracking.TextPage{Width: 595, Height: 842}
		for i, line := range lines {
			left, top, size := 40.0, 60+24*float64(i), 10.0
			if line == strings.ToUpper(line) {
				size = 18 // a title
			}
			for _, w := range strings.Fields(line) {
				right := left + 0.5*size*float64(len(w))
				p.Words = append(p.Words, tracking.TextWord{Text: w, Box: tracking.TextBox{Left: left, Top: top, Right: right, Bottom: top + size}})
				left = right + 0.3*size
			}
		}
		text.Pages = append(text.Pages, p)
	}
	return text
}
