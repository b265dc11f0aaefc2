package train

import (
	"fmt"

	"github.com/landfallhq/tracking/classify/corpus/form"
	"github.com/landfallhq/tracking/classify/corpus/truth"
)

var packingLists = []form.Layout{
	{Name: "pl-table", Type: truth.PackingList, Copies: 5, Draw: tablePacking},
	{Name: "pl-boxes", Type: truth.PackingList, Copies: 4, Draw: boxedPacking},
	{Name: "pl-pages", Type: truth.PackingList, Copies: 4, Draw: pagedPacking},
}

// packed prints the goods as rows, with units in the titles.
func packed(f *form.Form, y float64, ruled bool) float64 {
	var rows [][]string
	for _, g := range f.S.Goods {
		row := f.Row("lines")
		rows = append(rows, []string{
			row.Text("description", g.Words), row.Count("packages", g.Cartons), row.Count("quantity", g.Quantity),
			row.BareMass("net_weight", g.Net), row.BareMass("gross_weight", g.Gross), row.BareVolume("volume", g.Volume),
		})
	}
	return f.Table(12, y, 7.5, ruled, []form.Column{
		{Title: "Description", Width: 64}, {Title: form.Pick(f, "Cartons", "No. of cartons", "CTNS"), Width: 24, Right: true}, {Title: "Quantity", Width: 22, Right: true},
		{Title: "N.W. (" + f.Kilo + ")", Width: 26, Right: true}, {Title: "G.W. (" + f.Kilo + ")", Width: 26, Right: true}, {Title: "Meas. (" + f.Cubic + ")", Width: 26, Right: true},
	}, rows)
}

func marks(f *form.Form) string {
	s := f.S
	return f.Text("marks", fmt.Sprintf("%s %s C/NO. 1-%d", s.Buyer.Name, s.PO, s.Packages()))
}

// tablePacking has the shipper's letterhead and a table with totals below.
func tablePacking(f *form.Form) {
	s := f.S
	f.Page("A4")
	letterhead(f, s.Shipper)
	f.Centre(105, f.Y, 15, "B", form.Pick(f, "PACKING LIST", "Packing List", "PACKING LIST / WEIGHT LIST"))
	y := f.Pair(12, f.Y+10, 34, 90, "Packing list No.:", f.Number("packing_list_number", s.Packing))
	f.Pair(120, f.Y+10, 26, 78, "Date:", f.Day("issue_date", s.Invoiced))
	f.Pair(120, y, 26, 78, "PO No.:", f.Number("po_number", s.PO))
	y = f.Pair(12, y, 34, 90, "Invoice No.:", f.Number("invoice_number", s.Invoice))
	y = f.Pair(12, y, 34, 130, "Consignee:", s.Buyer.Name)
	y = f.Pair(12, y, 34, 150, "Marks:", marks(f))
	y = packed(f, y+4, f.R.IntN(2) == 0)
	y = f.Pair(12, y+4, 44, 110, "Total packages:", f.Count("packages", s.Packages())+" CARTONS")
	y = f.Pair(12, y, 44, 110, "Total net weight:", f.Mass("net_weight", s.Net()))
	y = f.Pair(12, y, 44, 110, "Total gross weight:", f.Mass("gross_weight", s.Gross()))
	y = f.Pair(12, y, 44, 110, "Total measurement:", f.Volume("volume", s.Volume()))
	for _, b := range s.Containers {
		row := f.Row("containers")
		y = f.Pair(12, y, 44, 110, "Container / seal:", row.Container("number", b.Number)+" / "+row.Number("seal", b.Seal))
	}
}

// boxedPacking has its particulars in boxes and the totals in the last row.
func boxedPacking(f *form.Form) {
	s := f.S
	f.Page("Letter")
	f.Centre(108, 10, 14, "B", "PACKING LIST")
	f.Box(12, 18, 96, 24, "SELLER", append([]string{s.Shipper.Name}, s.Shipper.Address...)...)
	f.Box(108, 18, 96, 12, "INVOICE NO.", f.Number("invoice_number", s.Invoice))
	f.Box(108, 30, 48, 12, "DATE", f.Day("issue_date", s.Invoiced))
	f.Box(156, 30, 48, 12, "P.O. NO.", f.Number("po_number", s.PO))
	f.Box(12, 42, 96, 24, "BUYER", append([]string{s.Buyer.Name}, s.Buyer.Address...)...)
	f.Box(108, 42, 96, 24, "SHIPPING MARKS", f.Text("marks", s.Buyer.Name+" "+s.PO))
	y := packed(f, 72, true)
	f.Box(12, y+4, 48, 12, "TOTAL PACKAGES", f.Count("packages", s.Packages()))
	f.Box(60, y+4, 48, 12, "NET WEIGHT", f.Mass("net_weight", s.Net()))
	f.Box(108, y+4, 48, 12, "GROSS WEIGHT", f.Mass("gross_weight", s.Gross()))
	f.Box(156, y+4, 48, 12, "MEASUREMENT", f.Volume("volume", s.Volume()))
}

// pagedPacking has a page for each container, and the totals on the first.
func pagedPacking(f *form.Form) {
	s := f.S
	f.Page("A4")
	f.Say(12, 10, 12, "B", s.Shipper.Name)
	f.Right(198, 10, 12, "B", form.Pick(f, "DETAILED PACKING LIST", "Packing List"))
	y := f.Pair(12, 22, 50, 110, "Packing list number", f.Number("packing_list_number", s.Packing))
	y = f.Pair(12, y, 50, 110, "Packing list date", f.Day("issue_date", s.Invoiced))
	y = f.Pair(12, y, 50, 110, "Purchase order", f.Number("po_number", s.PO))
	y = f.Pair(12, y, 50, 110, "Number of packages", f.Count("packages", s.Packages()))
	y = f.Pair(12, y, 50, 110, "Gross weight", f.Mass("gross_weight", s.Gross()))
	y = f.Pair(12, y, 50, 110, "Net weight", f.Mass("net_weight", s.Net()))
	y = f.Pair(12, y, 50, 110, "Volume", f.Volume("volume", s.Volume()))
	packed(f, y+4, true)
	for i, b := range s.Containers {
		row := f.Row("containers")
		f.Page("A4")
		f.Say(12, 10, 10, "B", fmt.Sprintf("Packing list %s - container %d of %d", s.Packing, i+1, len(s.Containers)))
		y := f.Pair(12, 20, 50, 110, "Container number", row.Container("number", b.Number))
		y = f.Pair(12, y, 50, 110, "Seal number", row.Number("seal", b.Seal))
		y = f.Pair(12, y, 50, 110, "Cartons in this container", f.Count("", b.Packages))
		f.Pair(12, y, 50, 110, "Gross weight of this container", f.Mass("", b.Gross))
	}
}
