package flow

import "testing"

// Columns that have merged cells alone stand apart all the same.
func TestMergedColumns(t *testing.T) {
	cell := func(text string) Cell { return Cell{Blocks: []Block{Paragraph{Text: text}}, Columns: 2} }
	p := Pages([]Block{Table{{cell("Cartage contractor:"), cell("Westgate Container Carriers Pty Ltd")}, {cell("Order no.:"), cell("DO85220")}}})[0]
	right := map[int]float64{}
	for _, w := range p.Words {
		c := p.Cells[w.Cell-1]
		right[c.Column] = max(right[c.Column], w.Box.Right)
	}
	for _, w := range p.Words {
		if c := p.Cells[w.Cell-1]; c.Column > 1 && w.Box.Left < right[1] {
			t.Errorf("%s begins at %v, the column before ends at %v", w.Text, w.Box.Left, right[1])
		}
	}
}
