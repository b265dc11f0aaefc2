package train

import (
	"github.com/landfallhq/tracking/classify/corpus/form"
	"github.com/landfallhq/tracking/classify/corpus/truth"
	"github.com/landfallhq/tracking/refdata"
)

var invoices = []form.Layout{
	{Name: "ci-table", Type: truth.CommercialInvoice, Copies: 5, Draw: tableInvoice},
	{Name: "ci-export", Type: truth.CommercialInvoice, Copies: 5, Draw: exportInvoice},
	{Name: "ci-bilingual", Type: truth.CommercialInvoice, Copies: 4, Draw: bilingualInvoice},
}

// origin is the country in words, as invoices have it.
func origin(code string) string { return refdata.CountryName(code) }

// tableInvoice has the seller as letterhead, and everything of a line in its row.
func tableInvoice(f *form.Form) {
	s := f.S
	f.Page("A4")
	letterhead(f, s.Shipper)
	f.Party("seller", s.Shipper, 4)
	y := f.Y
	f.Right(198, y, 16, "B", "COMMERCIAL INVOICE")
	f.Say(12, y, 8, "B", "Sold to / Buyer:")
	for i, line := range f.Party("buyer", s.Buyer, 4) {
		f.Fill(12, y+5+4*float64(i), 90, 8.5, line)
	}
	right := f.Pair(125, y+9, 28, 70, "Invoice No.:", f.Number("invoice_number", s.Invoice))
	right = f.Pair(125, right, 28, 70, "Date:", f.Day("issue_date", s.Invoiced))
	right = f.Pair(125, right, 28, 70, "PO No.:", f.Number("po_number", s.PO))
	y = f.Pair(12, right+6, 32, 90, "Terms of delivery:", f.Code("incoterm", s.Incoterm, s.Incoterm+" "+f.Place("", s.Lading)))
	y = f.Pair(12, y, 32, 90, "Payment terms:", f.Text("payment_terms", s.Pay))
	y = f.Pair(12, y, 32, 120, "Shipped per:", s.Ship.Name)
	var rows [][]string
	for _, g := range s.Goods {
		row := f.Row("lines")
		rows = append(rows, []string{
			row.Text("description", g.Words), row.Number("hs_code", g.HS), row.Text("origin", origin(g.Origin)),
			row.Count("quantity", g.Quantity), row.Text("unit", g.Unit), row.Money("unit_price", s.Currency, g.Price), row.Money("amount", s.Currency, g.Amount()),
		})
	}
	y = f.Table(12, y+4, 7.5, f.R.IntN(2) == 0, []form.Column{
		{Title: "Description of goods", Width: 62}, {Title: "HS code", Width: 25}, {Title: "Origin", Width: 24}, {Title: "Qty", Width: 16, Right: true},
		{Title: "Unit", Width: 12}, {Title: "Unit price\n" + f.Code("currency", s.Currency, s.Currency), Width: 22, Right: true}, {Title: "Amount\n" + s.Currency, Width: 27, Right: true},
	}, rows)
	f.Say(140, y+3, 9, "B", "Total "+s.Currency)
	f.FillRight(199, y+3, 36, 9, f.Money("total", s.Currency, s.Total()))
	f.Paragraph(12, y+14, 180, 7.5, "We hereby certify that this invoice is true and correct and that the goods are of the origin stated.")
}

// exportInvoice is the exporter's form in boxes, with the ship and the containers.
func exportInvoice(f *form.Form) {
	s := f.S
	f.Page("Letter")
	f.Centre(108, 10, 14, "B", form.Pick(f, "COMMERCIAL INVOICE", "Commercial Invoice"))
	f.Box(12, 20, 96, 24, "EXPORTER / SELLER", f.Party("seller", s.Shipper, 4)...)
	f.Box(108, 20, 48, 12, "INVOICE NUMBER", f.Number("invoice_number", s.Invoice))
	f.Box(156, 20, 48, 12, "INVOICE DATE", f.Day("issue_date", s.Invoiced))
	f.Box(108, 32, 96, 12, "CUSTOMER ORDER NO.", f.Number("po_number", s.PO))
	f.Box(12, 44, 96, 24, "BUYER / IMPORTER", f.Party("buyer", s.Buyer, 4)...)
	f.Box(108, 44, 96, 12, "B/L NO.", f.Number("bl_number", s.BL))
	f.Box(108, 56, 48, 12, "COUNTRY OF ORIGIN", origin(s.Lading.Country))
	f.Box(156, 56, 48, 12, "CURRENCY", f.Code("currency", s.Currency, s.Currency))
	f.Box(12, 68, 64, 12, "VESSEL / VOYAGE", s.Ship.Name+" "+s.Voyage)
	f.Box(76, 68, 64, 12, "INCOTERM", f.Code("incoterm", s.Incoterm, s.Incoterm))
	f.Box(140, 68, 64, 12, "PAYMENT", f.Text("payment_terms", s.Pay))
	var rows [][]string
	for _, g := range s.Goods {
		row := f.Row("lines")
		rows = append(rows, []string{
			g.Item, row.Text("description", g.Words), row.Number("hs_code", g.HS),
			row.Count("quantity", g.Quantity) + " " + row.Text("unit", g.Unit), row.Money("unit_price", s.Currency, g.Price), row.Money("amount", s.Currency, g.Amount()),
		})
	}
	y := f.Table(12, 86, 7.5, true, []form.Column{
		{Title: "ITEM", Width: 20}, {Title: "DESCRIPTION", Width: 66}, {Title: "HS CODE", Width: 26}, {Title: "QUANTITY", Width: 26, Right: true},
		{Title: "UNIT PRICE", Width: 24, Right: true}, {Title: "TOTAL", Width: 30, Right: true},
	}, rows)
	f.Say(120, y+3, 9, "B", "INVOICE TOTAL")
	f.FillRight(203, y+3, 40, 9, s.Currency+" "+f.Money("total", s.Currency, s.Total()))
	f.Say(12, y+12, 8, "B", "CONTAINER(S):")
	for i, b := range s.Containers {
		f.Fill(44, y+12+4.2*float64(i), 60, 8.5, f.Row("containers").Container("number", b.Number))
	}
	f.Say(12, 255, 7, "", "Signature of the exporter ______________________")
}

// bilingualInvoice has its captions in English and another language.
func bilingualInvoice(f *form.Form) {
	s := f.S
	words := form.Pick(f,
		[]string{"FACTURA COMERCIAL", "Vendedor", "Comprador", "N.º de factura", "Fecha", "Pedido", "Forma de pago", "Descripción", "Cantidad", "Precio unitario", "Importe"},
		[]string{"FACTURE COMMERCIALE", "Vendeur", "Acheteur", "Facture n°", "Date", "Commande", "Conditions de paiement", "Désignation", "Quantité", "Prix unitaire", "Montant"},
		[]string{"HANDELSRECHNUNG", "Verkäufer", "Käufer", "Rechnungs-Nr.", "Datum", "Bestellung", "Zahlungsbedingungen", "Bezeichnung", "Menge", "Einzelpreis", "Betrag"},
	)
	f.Page("A4")
	f.Say(12, 10, 14, "B", "COMMERCIAL INVOICE / "+words[0])
	f.Field(12, 22, 90, "Seller / "+words[1], f.Party("seller", s.Shipper, 4)...)
	f.Field(110, 22, 88, "Buyer / "+words[2], f.Party("buyer", s.Buyer, 4)...)
	y := f.Pair(12, 46, 52, 110, "Invoice No. / "+words[3], f.Number("invoice_number", s.Invoice))
	y = f.Pair(12, y, 52, 110, "Date / "+words[4], f.Day("issue_date", s.Invoiced))
	y = f.Pair(12, y, 52, 110, "Order No. / "+words[5], f.Number("po_number", s.PO))
	y = f.Pair(12, y, 52, 110, "Incoterms", f.Code("incoterm", s.Incoterm, s.Incoterm+" "+f.Place("", s.Unlading)))
	f.Say(12, y, 8, "B", "Payment / "+words[6])
	f.Fill(78, y, 110, 8.5, f.Text("payment_terms", s.Pay))
	var rows [][]string
	for _, g := range s.Goods {
		row := f.Row("lines")
		rows = append(rows, []string{
			row.Text("description", g.Words), row.Number("hs_code", g.HS), row.Count("quantity", g.Quantity), row.Text("unit", g.Unit),
			row.Money("unit_price", s.Currency, g.Price), row.Money("amount", s.Currency, g.Amount()),
		})
	}
	y = f.Table(12, y+8, 7.5, false, []form.Column{
		{Title: "Description\n" + words[7], Width: 68}, {Title: "HS / NC", Width: 26}, {Title: "Quantity\n" + words[8], Width: 22, Right: true},
		{Title: "Unit", Width: 14}, {Title: "Unit price\n" + words[9], Width: 26, Right: true}, {Title: "Amount\n" + words[10], Width: 30, Right: true},
	}, rows)
	f.Rule(12, y+1, 198, y+1)
	f.Say(128, y+3, 9, "B", "TOTAL "+f.Code("currency", s.Currency, s.Currency))
	f.FillRight(197, y+3, 40, 9, f.Money("total", s.Currency, s.Total()))
}
