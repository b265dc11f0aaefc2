package train

import (
	"fmt"

	"github.com/landfallhq/tracking/classify/corpus/form"
	"github.com/landfallhq/tracking/classify/corpus/truth"
)

var variedInvoices = []form.Layout{
	{Name: "ci-plain", Type: truth.CommercialInvoice, Copies: 2, Draw: plainInvoice},
	{Name: "ci-grid", Type: truth.CommercialInvoice, Copies: 2, Draw: gridInvoice},
	{Name: "ci-typed", Type: truth.CommercialInvoice, Copies: 2, Draw: typedInvoice},
}

var variedPackingLists = []form.Layout{
	{Name: "pl-ranges", Type: truth.PackingList, Copies: 2, Draw: rangePacking},
	{Name: "pl-sentence", Type: truth.PackingList, Copies: 2, Draw: sentencePacking},
	{Name: "pl-columns", Type: truth.PackingList, Copies: 2, Draw: columnPacking},
}

var variedOthers = []form.Layout{
	{Name: "other-instructions", Type: truth.Other, Copies: 2, Draw: instructions},
	{Name: "other-order", Type: truth.Other, Copies: 2, Draw: purchaseOrder},
	{Name: "other-mass", Type: truth.Other, Copies: 2, Draw: verifiedMass},
}

// plainInvoice has no lines at all, the quantity first, and sums above the total.
func plainInvoice(f *form.Form) {
	s := f.S
	f.Page("A4")
	f.Right(198, 10, 20, "", form.Pick(f, "Commercial Invoice", "INVOICE", "Export Invoice"))
	for i, line := range f.Party("seller", s.Shipper, 4) {
		f.Say(12, 12+4*float64(i), 8.5, "", line)
	}
	f.Say(12, 36, 8, "B", form.Pick(f, "Bill to", "Sold to", "Invoice to"))
	for i, line := range f.Party("buyer", s.Buyer, 4) {
		f.Fill(12, 40+4*float64(i), 90, 8.5, line)
	}
	y := f.Pair(130, 36, 32, 68, form.Pick(f, "Invoice #", "Inv. No.", "Invoice no."), f.Number("invoice_number", s.Invoice))
	y = f.Pair(130, y, 32, 68, form.Pick(f, "Invoice date", "Date"), f.Day("issue_date", s.Invoiced))
	y = f.Pair(130, y, 32, 68, form.Pick(f, "P.O. #", "Your order", "Order no."), f.Number("po_number", s.PO))
	y = f.Pair(130, y, 32, 68, "Terms", f.Text("payment_terms", s.Pay))
	f.Pair(130, y, 32, 68, form.Pick(f, "Incoterms 2020", "Delivery terms"), f.Code("incoterm", s.Incoterm, s.Incoterm+" "+f.Place("", s.Lading)))
	var rows [][]string
	for _, g := range s.Goods {
		row := f.Row("lines")
		rows = append(rows, []string{
			row.Count("quantity", g.Quantity), row.Text("unit", g.Unit), g.Item, row.Text("description", g.Words), row.Money("unit_price", s.Currency, g.Price), row.Money("amount", s.Currency, g.Amount()),
		})
	}
	y = f.Table(12, 72, 8, false, []form.Column{
		{Title: "Qty", Width: 18, Right: true}, {Title: "UOM", Width: 16}, {Title: "Item", Width: 24}, {Title: "Description", Width: 74}, {Title: "Price", Width: 24, Right: true}, {Title: "Extended", Width: 30, Right: true},
	}, rows) + 5
	for _, p := range [][2]string{
		{"Subtotal", f.Money("", "", s.Total())}, {"Discount", "0" + f.Point + "00"},
		{form.Pick(f, "Total", "Grand total", "Amount due"), f.Code("currency", s.Currency, s.Currency) + " " + f.Money("total", s.Currency, s.Total())},
	} {
		f.Say(140, y, 8.5, "B", p[0])
		f.FillRight(197, y, 36, 8.5, p[1])
		y += 5
	}
	f.Say(12, y, 8, "", "B/L "+f.Number("bl_number", s.BL))
}

// gridInvoice is a form in numbered boxes, its currency in the captions.
func gridInvoice(f *form.Form) {
	s := f.S
	f.Page("Letter")
	f.Centre(108, 8, 13, "B", "COMMERCIAL INVOICE")
	f.Box(12, 16, 96, 24, "(1) "+form.Pick(f, "SHIPPER/EXPORTER", "SELLER (NAME AND ADDRESS)", "VENDOR"), f.Party("seller", s.Shipper, 4)...)
	f.Box(108, 16, 48, 12, "(2) INVOICE NO.", f.Number("invoice_number", s.Invoice))
	f.Box(156, 16, 48, 12, "(3) DATE OF INVOICE", f.Day("issue_date", s.Invoiced))
	f.Box(108, 28, 96, 12, "(4) PURCHASE ORDER NO.", f.Number("po_number", s.PO))
	f.Box(12, 40, 96, 24, "(5) "+form.Pick(f, "FOR ACCOUNT AND RISK OF MESSRS.", "SOLD TO", "CONSIGNEE"), f.Party("buyer", s.Buyer, 4)...)
	f.Box(108, 40, 96, 12, "(6) NOTIFY PARTY", s.Notify.Name)
	f.Box(108, 52, 96, 12, "(7) TERMS OF DELIVERY AND PAYMENT", f.Code("incoterm", s.Incoterm, s.Incoterm+" "+s.Lading.Name))
	f.Box(12, 64, 48, 12, "(8) VESSEL", s.Ship.Name)
	f.Box(60, 64, 48, 12, "(9) FROM", s.Lading.Name)
	f.Box(108, 64, 48, 12, "(10) TO", s.Unlading.Name)
	f.Box(156, 64, 48, 12, "(11) SAILING ON OR ABOUT", f.Day("", s.Sailed))
	var rows [][]string
	for _, g := range s.Goods {
		row := f.Row("lines")
		rows = append(rows, []string{
			s.PO, row.Text("description", g.Words), row.Number("hs_code", g.HS), row.Text("origin", origin(g.Origin)), row.Count("quantity", g.Quantity) + " " + row.Text("unit", g.Unit), row.Money("unit_price", s.Currency, g.Price), row.Money("amount", s.Currency, g.Amount()),
		})
	}
	y := f.Table(12, 82, 7, true, []form.Column{
		{Title: "MARKS", Width: 22}, {Title: "DESCRIPTION OF GOODS", Width: 56}, {Title: "H.S. CODE", Width: 24}, {Title: "COUNTRY OF\nORIGIN", Width: 22}, {Title: "QUANTITY", Width: 24, Right: true}, {Title: "UNIT PRICE\n(" + f.Code("currency", s.Currency, s.Currency) + ")", Width: 20, Right: true}, {Title: "AMOUNT\n(" + s.Currency + ")", Width: 24, Right: true},
	}, rows)
	f.Frame(12, y, 192, 7)
	f.Say(120, y+1.5, 8, "B", form.Pick(f, "TOTAL AMOUNT", "GRAND TOTAL:", "TOTAL:"))
	f.FillRight(203, y+1.5, 40, 8.5, s.Currency+" "+f.Money("total", s.Currency, s.Total()))
}

// typedInvoice has captions with colons, and each line of goods in two lines.
func typedInvoice(f *form.Form) {
	s := f.S
	f.Font, f.ValueFont = form.Typed, form.Typed
	f.Page("A4")
	f.Centre(105, 10, 12, "B", s.Shipper.Name)
	f.Centre(105, 16, 8, "", s.Shipper.Address[0])
	f.Centre(105, 24, 12, "B", "COMMERCIAL INVOICE")
	y := 34.0
	pair := func(caption, value string) {
		f.Fill(12, y, 185, 9, fmt.Sprintf("%-16s: %s", caption, value))
		y += 4.4
	}
	pair("INVOICE NO", f.Number("invoice_number", s.Invoice))
	pair("DATE", f.Day("issue_date", s.Invoiced))
	pair("CONTRACT/PO NO", f.Number("po_number", s.PO))
	pair("BUYER", f.Party("buyer", s.Buyer, 2)[0])
	pair("PRICE TERMS", f.Code("incoterm", s.Incoterm, s.Incoterm+" "+s.Lading.Name))
	pair("PAYMENT", f.Text("payment_terms", s.Pay))
	pair("CURRENCY", f.Code("currency", s.Currency, s.Currency))
	f.Party("seller", s.Shipper, 2)
	var rows [][]string
	for _, g := range s.Goods {
		row := f.Row("lines")
		rows = append(rows, []string{
			row.Text("description", g.Words), row.Count("quantity", g.Quantity), row.Money("unit_price", s.Currency, g.Price), row.Money("amount", s.Currency, g.Amount()),
		})
	}
	y = f.Table(12, y+4, 8.5, false, []form.Column{{Title: "COMMODITY", Width: 76}, {Title: "QTY", Width: 28, Right: true}, {Title: "PRICE", Width: 34, Right: true}, {Title: "AMOUNT", Width: 44, Right: true}}, rows)
	f.Rule(12, y+1, 194, y+1)
	f.Say(100, y+3, 9, "B", "TOTAL")
	f.FillRight(193, y+3, 44, 9, f.Money("total", s.Currency, s.Total()))
	y += 12
	f.Say(12, y, 9, "", "CONTAINER NO.:")
	for i, b := range s.Containers {
		f.Fill(48, y+4.4*float64(i), 60, 9, f.Row("containers").Container("number", b.Number))
	}
}

// rangePacking numbers the cartons, and has the sums as the table's last row.
func rangePacking(f *form.Form) {
	s := f.S
	f.Page("A4")
	f.Say(12, 10, 12, "B", s.Shipper.Name)
	f.Right(198, 10, 15, "", form.Pick(f, "Packing List", "PACKING & WEIGHT LIST", "Packing Slip"))
	f.Field(12, 20, 60, form.Pick(f, "P/L No.", "Packing list no."), f.Number("packing_list_number", s.Packing))
	f.Field(75, 20, 60, form.Pick(f, "Date", "Packing date"), f.Day("issue_date", s.Invoiced))
	f.Field(138, 20, 60, form.Pick(f, "Ref. invoice", "Commercial invoice no."), f.Number("invoice_number", s.Invoice))
	f.Field(12, 32, 60, form.Pick(f, "Customer PO", "P.O. No.", "Your order no."), f.Number("po_number", s.PO))
	f.Field(75, 32, 60, "Ship to", s.Buyer.Name)
	var rows [][]string
	first := 1
	for _, g := range s.Goods {
		row := f.Row("lines")
		rows = append(rows, []string{
			fmt.Sprintf("%d-%d", first, first+g.Cartons-1), row.Text("description", g.Words), row.Count("quantity", g.Quantity) + " " + g.Unit, row.Count("packages", g.Cartons),
			row.BareMass("gross_weight", g.Gross), row.BareMass("net_weight", g.Net), row.BareVolume("volume", g.Volume),
		})
		first += g.Cartons
	}
	rows = append(rows, []string{"", "TOTAL", "", f.Count("packages", s.Packages()), f.BareMass("gross_weight", s.Gross()), f.BareMass("net_weight", s.Net()), f.BareVolume("volume", s.Volume())})
	f.Table(12, 46, 7.5, f.R.IntN(2) == 0, []form.Column{
		{Title: "Carton No.", Width: 24}, {Title: "Contents", Width: 56}, {Title: "Qty", Width: 22, Right: true}, {Title: "Cartons", Width: 18, Right: true},
		{Title: "Gross\n" + f.Kilo, Width: 22, Right: true}, {Title: "Net\n" + f.Kilo, Width: 22, Right: true}, {Title: "Volume\n" + f.Cubic, Width: 22, Right: true},
	}, rows)
}

// sentencePacking tells the sums in lines of text.
func sentencePacking(f *form.Form) {
	s := f.S
	f.Page("Letter")
	letterhead(f, s.Shipper)
	f.Centre(108, f.Y, 13, "B", "PACKING LIST")
	y := f.Y + 9
	f.Say(12, y, 8, "B", "MESSRS.:")
	for i, line := range append([]string{s.Buyer.Name}, s.Buyer.Address...) {
		f.Fill(32, y+4*float64(i), 80, 8.5, line)
	}
	right := inline(f, 135, y, 68, "NO.:", f.Number("packing_list_number", s.Packing))
	right = inline(f, 135, right, 68, "DATE:", f.Day("issue_date", s.Invoiced))
	inline(f, 135, right, 68, "INVOICE NO.:", f.Number("invoice_number", s.Invoice))
	y = packed(f, y+22, false) + 4
	y = inline(f, 12, y, 150, "TOTAL PACKAGES:", f.Count("packages", s.Packages())+" CARTONS ONLY")
	y = inline(f, 12, y, 150, "TOTAL G.W.:", f.Mass("gross_weight", s.Gross()))
	y = inline(f, 12, y, 150, "TOTAL N.W.:", f.Mass("net_weight", s.Net()))
	y = inline(f, 12, y, 150, "TOTAL MEASUREMENT:", f.Volume("volume", s.Volume()))
	for _, b := range s.Containers {
		row := f.Row("containers")
		y = inline(f, 12, y, 150, "CONTAINER NO.:", row.Container("number", b.Number)+"  SEAL NO.: "+row.Number("seal", b.Seal))
	}
}

// columnPacking has boxes, and its sums in a row of captions below the table.
func columnPacking(f *form.Form) {
	s := f.S
	f.Page("A4")
	f.Centre(105, 9, 14, "B", form.Pick(f, "PACKING LIST / PACKLISTE", "PACKING LIST / LISTE DE COLISAGE", "PACKING LIST / LISTA DE EMPAQUE"))
	f.Box(12, 18, 93, 24, "Exporter", append([]string{s.Shipper.Name}, s.Shipper.Address...)...)
	f.Box(105, 18, 47, 12, "Packing list number", f.Number("packing_list_number", s.Packing))
	f.Box(152, 18, 46, 12, "Date of issue", f.Day("issue_date", s.Invoiced))
	f.Box(105, 30, 47, 12, "Invoice number", f.Number("invoice_number", s.Invoice))
	f.Box(152, 30, 46, 12, "Buyer's order no.", f.Number("po_number", s.PO))
	f.Box(12, 42, 93, 24, "Consignee", append([]string{s.Buyer.Name}, s.Buyer.Address...)...)
	f.Box(105, 42, 93, 24, "Marks and numbers", f.Text("marks", s.Buyer.Name+" "+s.PO))
	var rows [][]string
	for i, b := range s.Containers {
		row := f.Row("containers")
		rows = append(rows, []string{fmt.Sprint(i + 1), row.Container("number", b.Number), row.Number("seal", b.Seal), f.Size("", b.Size)})
	}
	y := f.Table(12, 70, 7.5, true, []form.Column{{Title: "No.", Width: 12}, {Title: "Container", Width: 50}, {Title: "Seal", Width: 40}, {Title: "Type", Width: 50}}, rows)
	y = packed(f, y+4, true) + 4
	for i, p := range [][2]string{
		{"Total cartons", f.Count("packages", s.Packages())}, {"Total net weight", f.Mass("net_weight", s.Net())}, {"Total gross weight", f.Mass("gross_weight", s.Gross())}, {"Total volume", f.Volume("volume", s.Volume())},
	} {
		f.Field(12+47*float64(i), y, 45, p[0], p[1])
	}
}

// instructions are a shipper's to the carrier: they have all that a bill of lading has.
func instructions(f *form.Form) {
	s := f.S
	f.Page("A4")
	f.Centre(105, 10, 13, "B", form.Pick(f, "SHIPPING INSTRUCTIONS", "SHIPPER'S LETTER OF INSTRUCTION", "B/L INSTRUCTIONS"))
	f.Box(12, 20, 93, 24, "Shipper", append([]string{s.Shipper.Name}, s.Shipper.Address...)...)
	f.Box(105, 20, 93, 24, "Booking No.", s.Booking)
	f.Box(12, 44, 93, 24, "Consignee", append([]string{s.Buyer.Name}, s.Buyer.Address...)...)
	f.Box(105, 44, 93, 24, "Notify party", s.Notify.Name)
	f.Box(12, 68, 93, 12, "Port of loading", s.Lading.Name)
	f.Box(105, 68, 93, 12, "Port of discharge", s.Unlading.Name)
	f.Prose(12, 86, 150, 8.5, described(s))
	f.Paragraph(12, 120, 180, 8, "Please issue three original bills of lading and send a draft for our approval. The undersigned authorises the forwarder to act on its behalf for export control and customs purposes.")
}

// purchaseOrder is what invoices refer to.
func purchaseOrder(f *form.Form) {
	s := f.S
	f.Page("Letter")
	letterhead(f, s.Buyer)
	f.Right(204, f.Y, 15, "B", "PURCHASE ORDER")
	y := f.Pair(12, f.Y+9, 34, 90, "PO Number", s.PO)
	y = f.Pair(12, y, 34, 90, "Order date", f.Day("", s.Booked))
	y = f.Pair(12, y, 34, 90, "Vendor", s.Shipper.Name)
	y = f.Pair(12, y, 34, 90, "Ship to", s.Buyer.Name)
	var rows [][]string
	for _, g := range s.Goods {
		rows = append(rows, []string{g.Words, f.Count("", g.Quantity), f.Money("", "", g.Price), f.Money("", "", g.Amount())})
	}
	y = f.Table(12, y+5, 8, true, []form.Column{{Title: "Description", Width: 90}, {Title: "Qty", Width: 26, Right: true}, {Title: "Unit price", Width: 34, Right: true}, {Title: "Amount", Width: 38, Right: true}}, rows)
	f.Paragraph(12, y+6, 180, 8, "Please acknowledge this order and quote its number on commercial invoice, packing list and bill of lading.")
}

// verifiedMass certifies what a container weighs.
func verifiedMass(f *form.Form) {
	s := f.S
	f.Page("A4")
	f.Centre(105, 12, 14, "B", form.Pick(f, "VERIFIED GROSS MASS (VGM) DECLARATION", "VGM CERTIFICATE"))
	y := f.Pair(12, 24, 45, 130, "Booking number:", s.Booking)
	y = f.Pair(12, y, 45, 130, "Container number:", f.Container("", s.Containers[0].Number))
	y = f.Pair(12, y, 45, 130, "Verified gross mass:", f.Mass("", s.Containers[0].Gross+3900))
	y = f.Pair(12, y, 45, 130, "Method:", "SOLAS method 1")
	y = f.Pair(12, y, 45, 130, "Shipper:", s.Shipper.Name)
	f.Paragraph(12, y+5, 180, 8, "The weight stated was obtained in accordance with the regulations in force. Authorised person, signature and date.")
}
