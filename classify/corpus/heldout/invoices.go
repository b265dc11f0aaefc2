package heldout

import (
	"strings"

	"github.com/landfallhq/tracking/classify/corpus/form"
	"github.com/landfallhq/tracking/classify/corpus/truth"
	"github.com/landfallhq/tracking/refdata"
)

var invoices = []form.Layout{
	{Name: "ci-messrs", Type: truth.CommercialInvoice, Copies: 3, Draw: messrsInvoice},
	{Name: "ci-modern", Type: truth.CommercialInvoice, Copies: 2, Draw: modernInvoice},
	{Name: "ci-customs", Type: truth.CommercialInvoice, Copies: 2, Draw: customsInvoice},
}

// messrsInvoice is how exporters in Asia write: for account and risk of Messrs.
func messrsInvoice(f *form.Form) {
	s := f.S
	f.Page("A4")
	f.Centre(105, 9, 15, "B", f.Party("seller", s.Shipper, 3)[0])
	f.Centre(105, 16, 8, "", strings.Join(s.Shipper.Address, ", "))
	f.Centre(105, 24, 13, "B", form.Pick(f, "COMMERCIAL INVOICE", "INVOICE"))
	under(f, 130, 32, 66, "No.", f.Number("invoice_number", s.Invoice))
	under(f, 130, 42, 66, "Date", f.Day("issue_date", s.Invoiced))
	f.Say(12, 32, 8, "", "For account and risk of Messrs.")
	for i, line := range f.Party("buyer", s.Buyer, 4) {
		f.Fill(20, 36.5+4*float64(i), 100, 9, line)
	}
	f.Say(12, 56, 8, "", "Shipped per")
	f.Fill(36, 56, 60, 9, s.Ship.Name+" "+s.Voyage)
	f.Say(110, 56, 8, "", "Sailing on or about")
	f.Fill(142, 56, 54, 9, f.Day("", s.Sailed))
	f.Say(12, 62, 8, "", "From")
	f.Fill(36, 62, 60, 9, f.Place("", s.Lading))
	f.Say(110, 62, 8, "", "To")
	f.Fill(142, 62, 54, 9, f.Place("", s.Unlading))
	f.Say(12, 68, 8, "", "Terms")
	f.Fill(36, 68, 70, 9, f.Text("payment_terms", s.Pay))
	f.Say(110, 68, 8, "", "Contract/PO")
	f.Fill(142, 68, 54, 9, f.Number("po_number", s.PO))
	f.Rule(12, 75, 198, 75)
	for i, title := range []string{"Marks & Nos.", "Description of Goods", "Quantity", "Unit Price", "Amount"} {
		f.Say([]float64{13, 48, 116, 143, 172}[i], 76.5, 8, "B", title)
	}
	f.Rule(12, 81, 198, 81)
	f.Fill(13, 84, 32, 7.5, "N/M")
	f.Fill(143, 84, 54, 9, f.Code("incoterm", s.Incoterm, s.Incoterm)+" "+f.Place("", s.Lading))
	y := 90.0
	for _, g := range s.Goods {
		row := f.Row("lines")
		foot := f.Prose(48, y, 64, 8.5, row.Text("description", g.Words))
		f.Fill(48, foot, 64, 7.5, "H.S. CODE "+row.Number("hs_code", g.HS))
		f.FillRight(138, y, 24, 8.5, row.Count("quantity", g.Quantity)+" "+row.Text("unit", g.Unit))
		f.FillRight(168, y, 28, 8.5, s.Currency+" "+row.Money("unit_price", s.Currency, g.Price))
		f.FillRight(198, y, 28, 8.5, s.Currency+" "+row.Money("amount", s.Currency, g.Amount()))
		y = foot + 6
	}
	f.Code("currency", s.Currency, "")
	f.Rule(116, y, 198, y)
	f.Say(116, y+2, 9, "B", "TOTAL")
	f.FillRight(198, y+2, 50, 9, s.Currency+" "+f.Money("total", s.Currency, s.Total()))
	f.Fill(48, y+9, 100, 8.5, "COUNTRY OF ORIGIN: "+strings.ToUpper(refdata.CountryName(s.Lading.Country)))
	f.Right(198, 250, 9, "B", s.Shipper.Name)
	f.Right(198, 266, 7, "", "authorized signature")
}

// modernInvoice is what bookkeeping programs in Europe print: a line's tariff number
// and origin below its description.
func modernInvoice(f *form.Form) {
	s := f.S
	f.ValueFont = f.Font
	f.Page("A4")
	f.Badge(150, 8, 48, 14)
	f.Say(12, 10, 6, "", strings.Join(all(s.Shipper), " | "))
	f.Lines(12, 16, 9, "", f.Party("buyer", s.Buyer, 4)...)
	f.Party("seller", s.Shipper, 4)
	f.Say(12, 42, 17, "", "Commercial invoice "+f.Number("invoice_number", s.Invoice))
	y := 54.0
	for i, pair := range [][2]string{
		{"Date of invoice", f.Day("issue_date", s.Invoiced)}, {"Your order", f.Number("po_number", s.PO)}, {"Delivery terms (Incoterms 2020)", f.Code("incoterm", s.Incoterm, s.Incoterm)}, {"Terms of payment", f.Text("payment_terms", s.Pay)},
	} {
		x := 12 + 47*float64(i)
		f.Say(x, y, 6.5, "", pair[0])
		f.Fill(x, y+3.6, 45, 8.5, pair[1])
	}
	y = 70
	for i, title := range []string{"Pos", "Article", "Pcs/qty", "Price", "Sum " + f.Code("currency", s.Currency, s.Currency)} {
		f.Say([]float64{12, 24, 120, 146, 174}[i], y, 8, "B", title)
	}
	f.Rule(12, y+4.5, 198, y+4.5)
	y += 7
	for i, g := range s.Goods {
		row := f.Row("lines")
		f.Fill(12, y, 10, 8.5, string(rune('1'+i)))
		f.Fill(24, y, 92, 8.5, row.Text("description", g.Words))
		f.Fill(24, y+4, 92, 7, "Customs tariff no. "+row.Number("hs_code", g.HS)+", country of origin "+row.Text("origin", refdata.CountryName(g.Origin)))
		f.FillRight(140, y, 22, 8.5, row.Count("quantity", g.Quantity)+" "+row.Text("unit", strings.ToLower(g.Unit)))
		f.FillRight(166, y, 24, 8.5, row.Money("unit_price", s.Currency, g.Price))
		f.FillRight(198, y, 28, 8.5, row.Money("amount", s.Currency, g.Amount()))
		y += 10
	}
	f.Rule(120, y, 198, y)
	f.Say(120, y+2, 8, "", "Net")
	f.FillRight(198, y+2, 40, 8.5, f.Money("", "", s.Total()))
	f.Say(120, y+6.5, 8, "", "VAT 0 % (export)")
	f.FillRight(198, y+6.5, 40, 8.5, "0"+f.Point+"00")
	f.Say(120, y+11.5, 10, "B", "Amount payable")
	f.FillRight(198, y+11.5, 40, 10, f.Money("total", s.Currency, s.Total()))
	f.Paragraph(12, y+22, 180, 7.5, "The exporter of the products covered by this document declares that, except where otherwise clearly indicated, these products are of preferential origin. Tax-free export delivery.")
}

// customsInvoice is the form of parcel and freight companies for customs: lying on its
// side, with everything in boxes.
func customsInvoice(f *form.Form) {
	s := f.S
	f.Page("L")
	f.Say(12, 9, 13, "B", "COMMERCIAL INVOICE")
	f.Right(285, 10, 7, "", "for customs purposes - page 1 of 1")
	band(f, 12, 18, 90, 26, "SHIPPER / EXPORTER (seller)", f.Party("seller", s.Shipper, 4)...)
	band(f, 102, 18, 90, 26, "SOLD TO (if other than consignee)", f.Party("buyer", s.Buyer, 4)...)
	band(f, 192, 18, 93, 13, "DATE AND NUMBER OF INVOICE", f.Day("issue_date", s.Invoiced)+"   "+f.Number("invoice_number", s.Invoice))
	band(f, 192, 31, 93, 13, "CUSTOMER P.O. NUMBER", f.Number("po_number", s.PO))
	band(f, 12, 44, 90, 13, "BILL OF LADING / AIR WAYBILL", f.Number("bl_number", s.BL))
	band(f, 102, 44, 90, 13, "TERMS OF SALE", f.Code("incoterm", s.Incoterm, s.Incoterm))
	band(f, 192, 44, 93, 13, "TERMS OF PAYMENT", f.Text("payment_terms", s.Pay))
	var rows [][]string
	for _, g := range s.Goods {
		row := f.Row("lines")
		rows = append(rows, []string{
			f.Count("", g.Cartons), row.Count("quantity", g.Quantity), row.Text("unit", g.Unit), row.Text("description", g.Words), row.Number("hs_code", g.HS),
			row.Text("origin", refdata.CountryName(g.Origin)), row.Money("unit_price", s.Currency, g.Price), row.Money("amount", s.Currency, g.Amount()),
		})
	}
	y := f.Table(12, 62, 8, true, []form.Column{
		{Title: "NO. OF\nPKGS", Width: 20, Right: true}, {Title: "NO. OF\nUNITS", Width: 24, Right: true}, {Title: "UNIT OF\nMEASURE", Width: 22}, {Title: "FULL DESCRIPTION OF GOODS", Width: 84}, {Title: "HARMONIZED\nTARIFF NO.", Width: 34},
		{Title: "COUNTRY OF\nMANUFACTURE", Width: 33}, {Title: "UNIT\nVALUE", Width: 24, Right: true}, {Title: "TOTAL\nVALUE", Width: 32, Right: true},
	}, rows)
	f.Say(190, y+3, 9, "B", "TOTAL INVOICE VALUE")
	f.FillRight(284, y+3, 50, 9, f.Money("total", s.Currency, s.Total()))
	f.Say(190, y+9, 9, "B", "CURRENCY")
	f.FillRight(284, y+9, 50, 9, f.Code("currency", s.Currency, s.Currency))
	f.Say(12, 185, 7, "", "I declare all the information contained in this invoice to be true and correct. Signature of shipper ____________________")
}
