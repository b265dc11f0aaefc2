package heldout

import (
	"fmt"
	"strings"

	"github.com/landfallhq/tracking/classify/corpus/form"
	"github.com/landfallhq/tracking/classify/corpus/truth"
)

var packingLists = []form.Layout{
	{Name: "pl-messrs", Type: truth.PackingList, Copies: 3, Draw: messrsPacking},
	{Name: "pl-pallets", Type: truth.PackingList, Copies: 2, Draw: palletPacking},
	{Name: "pl-weights", Type: truth.PackingList, Copies: 2, Draw: weightPacking},
}

// messrsPacking goes with messrsInvoice.
func messrsPacking(f *form.Form) {
	s := f.S
	f.Page("A4")
	f.Centre(105, 9, 15, "B", s.Shipper.Name)
	f.Centre(105, 16, 8, "", strings.Join(s.Shipper.Address, ", "))
	f.Centre(105, 24, 13, "B", "PACKING LIST")
	under(f, 130, 32, 66, "Packing list of invoice No.", f.Number("invoice_number", s.Invoice))
	under(f, 130, 42, 66, "Date", f.Day("issue_date", s.Invoiced))
	f.Say(12, 32, 8, "", "To Messrs.")
	for i, line := range all(s.Buyer) {
		f.Fill(20, 36.5+4*float64(i), 100, 9, line)
	}
	f.Say(12, 56, 8, "", "Shipped by sea, "+s.Ship.Name+", order "+f.Number("po_number", s.PO))
	f.Rule(12, 63, 198, 63)
	for i, title := range []string{"Marks & Nos.", "Description", "C/T", "Q'ty", "Net Wt.", "Gross Wt.", "Meas't"} {
		f.Say([]float64{13, 44, 98, 112, 131, 154, 178}[i], 64.5, 8, "B", title)
	}
	f.Rule(12, 69, 198, 69)
	for i, line := range []string{s.Buyer.Name, s.PO, "MADE IN " + s.Lading.Country} {
		f.Fill(13, 72+4*float64(i), 29, 8, line)
	}
	f.Text("marks", s.Buyer.Name+" "+s.PO+" MADE IN "+s.Lading.Country)
	y := 72.0
	for _, g := range s.Goods {
		row := f.Row("lines")
		foot := f.Prose(44, y, 50, 8.5, row.Text("description", g.Words))
		f.FillRight(110, y, 12, 8.5, row.Count("packages", g.Cartons))
		f.FillRight(130, y, 19, 8.5, row.Count("quantity", g.Quantity))
		f.FillRight(152, y, 21, 8.5, row.Mass("net_weight", g.Net))
		f.FillRight(175, y, 22, 8.5, row.Mass("gross_weight", g.Gross))
		f.FillRight(198, y, 22, 8.5, row.Volume("volume", g.Volume))
		y = max(foot+3, y+8)
	}
	y = max(y, 88)
	f.Rule(44, y, 198, y)
	f.Say(44, y+2, 8.5, "B", "TOTAL")
	f.FillRight(110, y+2, 12, 8.5, f.Count("packages", s.Packages()))
	f.FillRight(152, y+2, 21, 8.5, f.Mass("net_weight", s.Net()))
	f.FillRight(175, y+2, 22, 8.5, f.Mass("gross_weight", s.Gross()))
	f.FillRight(198, y+2, 22, 8.5, f.Volume("volume", s.Volume()))
	y += 10
	for _, b := range s.Containers {
		row := f.Row("containers")
		f.Fill(44, y, 140, 8.5, "STUFFED IN "+row.Container("number", b.Number)+" SEAL NO. "+row.Number("seal", b.Seal))
		y += 4.5
	}
}

// palletPacking is a bilingual list from Europe, a block for each article.
func palletPacking(f *form.Form) {
	s := f.S
	w := form.Pick(f,
		[]string{"PACKLISTE", "Packlisten-Nr.", "Rechnung", "Datum", "Bestellung", "Menge", "Kartons", "netto", "brutto", "Gesamt"},
		[]string{"LISTE DE COLISAGE", "N° de liste", "Facture", "Date", "Commande", "Quantité", "Cartons", "net", "brut", "Total"},
		[]string{"LISTA DE EMPAQUE", "N.º de lista", "Factura", "Fecha", "Pedido", "Cantidad", "Cajas", "neto", "bruto", "Total"},
	)
	f.Page("A4")
	f.Say(12, 10, 10, "B", s.Shipper.Name)
	f.Say(12, 20, 15, "B", "PACKING LIST / "+w[0])
	y := 32.0
	pair := func(caption, value string) {
		f.Say(12, y, 8.5, "B", caption)
		f.Fill(78, y, 100, 9, value)
		y += 5
	}
	pair("List No. / "+w[1], f.Number("packing_list_number", s.Packing))
	pair("Invoice / "+w[2], f.Number("invoice_number", s.Invoice))
	pair("Date / "+w[3], f.Day("issue_date", s.Invoiced))
	pair("Order / "+w[4], f.Number("po_number", s.PO))
	pair("Ship to", s.Buyer.Name)
	y += 3
	for i, g := range s.Goods {
		row := f.Row("lines")
		f.Shade(12, y, 186, 5.5, 230)
		f.Say(13, y+1.4, 8.5, "B", fmt.Sprintf("%d.", i+1))
		f.Fill(20, y+1.4, 170, 8.5, row.Text("description", g.Words))
		f.Say(20, y+7.5, 7, "", "Quantity / "+w[5])
		f.Fill(20, y+11, 40, 8.5, row.Count("quantity", g.Quantity))
		f.Say(62, y+7.5, 7, "", "Cartons / "+w[6])
		f.Fill(62, y+11, 30, 8.5, row.Count("packages", g.Cartons))
		f.Say(100, y+7.5, 7, "", "Net weight / "+w[7])
		f.Fill(100, y+11, 40, 8.5, row.Mass("net_weight", g.Net))
		f.Say(148, y+7.5, 7, "", "Gross weight / "+w[8])
		f.Fill(148, y+11, 40, 8.5, row.Mass("gross_weight", g.Gross))
		y += 18
	}
	f.Say(12, y+2, 10, "B", "Total / "+w[9])
	y += 9
	pair("Packages", f.Count("packages", s.Packages()))
	pair("Net weight", f.Mass("net_weight", s.Net()))
	pair("Gross weight", f.Mass("gross_weight", s.Gross()))
	pair("Volume", f.Volume("volume", s.Volume()))
}

// weightPacking has one line for each container, in a wide table with a row of totals.
func weightPacking(f *form.Form) {
	s := f.S
	f.Page("L")
	f.Centre(148, 9, 14, "B", form.Pick(f, "PACKING LIST AND WEIGHT NOTE", "WEIGHT AND PACKING LIST"))
	band(f, 12, 18, 91, 24, "SUPPLIER", all(s.Shipper)...)
	band(f, 103, 18, 91, 24, "CUSTOMER", all(s.Buyer)...)
	band(f, 194, 18, 45, 12, "LIST NUMBER", f.Number("packing_list_number", s.Packing))
	band(f, 239, 18, 46, 12, "LIST DATE", f.Day("issue_date", s.Invoiced))
	band(f, 194, 30, 45, 12, "INVOICE REF.", f.Number("invoice_number", s.Invoice))
	band(f, 239, 30, 46, 12, "PURCHASE ORDER", f.Number("po_number", s.PO))
	var rows [][]string
	for _, b := range s.Containers {
		row := f.Row("containers")
		line := f.Row("lines")
		rows = append(rows, []string{
			row.Container("number", b.Number), row.Number("seal", b.Seal), line.Text("description", s.Goods[0].Words), line.Count("packages", b.Packages),
			line.BareMass("net_weight", b.Net), line.BareMass("gross_weight", b.Gross), line.BareVolume("volume", b.Volume),
		})
	}
	rows = append(rows, []string{"TOTAL", "", "", f.Count("packages", s.Packages()), f.BareMass("net_weight", s.Net()), f.BareMass("gross_weight", s.Gross()), f.BareVolume("volume", s.Volume())})
	f.Table(12, 48, 8.5, true, []form.Column{
		{Title: "Container", Width: 40}, {Title: "Seal", Width: 34}, {Title: "Contents", Width: 83}, {Title: "Packages", Width: 24, Right: true},
		{Title: "Net " + f.Kilo, Width: 32, Right: true}, {Title: "Gross " + f.Kilo, Width: 32, Right: true}, {Title: f.Cubic, Width: 28, Right: true},
	}, rows)
}
