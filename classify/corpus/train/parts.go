package train

import (
	"fmt"
	"strings"

	"github.com/landfallhq/tracking/classify/corpus/form"
	"github.com/landfallhq/tracking/classify/corpus/trade"
)

// letterhead prints a company's name and address at the top, left or in the middle,
// and leaves Y below it.
func letterhead(f *form.Form, c trade.Company) {
	switch f.R.IntN(3) {
	case 0:
		f.Badge(12, f.Y, 14, 10)
		f.Say(29, f.Y, 14, "B", c.Name)
		f.Lines(29, f.Y+6, 7, "", strings.Join(c.Address, ", "), "Tel. "+c.Phone)
	case 1:
		f.Centre(105, f.Y, 15, "B", c.Name)
		f.Centre(105, f.Y+6.5, 7, "", strings.Join(c.Address, ", ")+" - Phone "+c.Phone)
	default:
		f.Say(12, f.Y, 13, "B", c.Name)
		f.Lines(12, f.Y+6, 7, "", c.Address...)
	}
	f.Y += 17
}

// described joins what a transport document says of the goods.
func described(s trade.Shipment) string {
	var words []string
	for _, g := range s.Goods {
		words = append(words, fmt.Sprintf("%d CARTONS %s HS CODE %s", g.Cartons, g.Words, g.HS))
	}
	return strings.Join(words, " ")
}

func freight(f *form.Form) string {
	if f.S.Prepaid {
		return f.Code("freight_terms", "prepaid", "FREIGHT PREPAID")
	}
	return f.Code("freight_terms", "collect", "FREIGHT COLLECT")
}

var originals = []string{"ZERO", "ONE", "TWO", "THREE"}

// loads prints a table of containers, with units in the titles or beside the figures.
func loads(f *form.Form, x, y, size float64, ruled bool) float64 {
	bare := f.R.IntN(2) == 0
	gross, volume := "Gross Weight", "Measurement"
	if bare {
		gross, volume = "Gross Weight ("+f.Kilo+")", "Measurement ("+f.Cubic+")"
	}
	columns := []form.Column{
		{Title: "Container No.", Width: 34}, {Title: "Seal No.", Width: 30}, {Title: "Size/Type", Width: 34},
		{Title: "Packages", Width: 20, Right: true}, {Title: gross, Width: 34, Right: true}, {Title: volume, Width: 34, Right: true},
	}
	var rows [][]string
	for _, b := range f.S.Containers {
		row := f.Row("containers")
		cells := []string{
			row.Container("number", b.Number), row.Number("seal", b.Seal), row.Size("size_type", b.Size), row.Count("packages", b.Packages),
		}
		if bare {
			cells = append(cells, row.BareMass("gross_weight", b.Gross), row.BareVolume("volume", b.Volume))
		} else {
			cells = append(cells, row.Mass("gross_weight", b.Gross), row.Volume("volume", b.Volume))
		}
		rows = append(rows, cells)
	}
	return f.Table(x, y, size, ruled, columns, rows)
}
