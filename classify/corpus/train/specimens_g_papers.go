package train

import (
	"fmt"
	"strings"

	"github.com/landfallhq/tracking/classify/corpus/form"
	"github.com/landfallhq/tracking/classify/corpus/trade"
	"github.com/landfallhq/tracking/classify/corpus/truth"
)

// specimenPapersG are packing lists whose sums stand in rows alone, an invoice, and
// others of lot G.
var specimenPapersG = []form.Layout{
	{Name: "pl-per-carton", Type: truth.PackingList, Copies: 3, Draw: perCartonPacking},
	{Name: "pl-lista-empaque", Type: truth.PackingList, Copies: 3, Draw: spanishPacking},
	{Name: "pl-mail", Type: truth.PackingList, Copies: 2, Draw: mailPacking},
	{Name: "pl-carried-forward", Type: truth.PackingList, Copies: 3, Draw: carriedPacking},
	{Name: "ci-facture", Type: truth.CommercialInvoice, Copies: 2, Draw: frenchInvoice},
	{Name: "other-vgm", Type: truth.Other, Copies: 2, Draw: massCertificate},
	{Name: "other-carrier-invoice", Type: truth.FreightInvoice, Copies: 3, Draw: carrierInvoice},
	{Name: "other-entry-summary", Type: truth.CustomsEntry, Copies: 2, Draw: entrySummary},
}

// perCartonPacking has columns for one carton beside those for all of them, and says
// sums in the last row and the number of cartons in words.
func perCartonPacking(f *form.Form) {
	s := strange(f, form.Pick(f, "Jan. 2, 2006", "2006.01.02", "Jan.02,2006"), from("CN", "TW", "VN", "KR", "HK"))
	f.Page("A4")
	f.Centre(105, 8, 14, "B", s.Shipper.Name)
	f.Centre(105, 14.5, 7, "", strings.Join(s.Shipper.Address, ", "))
	f.Centre(105, 20, 14, "B", "PACKING LIST")
	f.Say(12, 29, 8, "", "TO: MESSRS.")
	stack(f, 12, 33, 90, 8.5, append([]string{s.Buyer.Name}, s.Buyer.Address...)...)
	f.Label(130, 29, 26, 68, 8, "", "INVOICE NO.:", f.Number("invoice_number", s.Invoice))
	f.Label(130, 34, 26, 68, 8, "", "DATE:", f.Day("issue_date", s.Invoiced))
	f.Label(130, 39, 26, 68, 8, "", "P/O NO.:", f.Number("po_number", s.PO))
	f.Fill(12, 52, 186, 8, "SHIPPED PER "+s.Ship.Name+" V."+s.Voyage+"  FROM "+strings.ToUpper(s.Lading.Name)+"  TO "+strings.ToUpper(s.Unlading.Name))
	var rows [][]string
	first := 1
	for _, g := range s.Goods {
		row, n := f.Row("lines"), float64(g.Cartons)
		rows = append(rows, []string{fmt.Sprintf("%d-%d", first, first+g.Cartons-1), row.Text("description", g.Words), row.Count("quantity", g.Quantity), row.Count("packages", g.Cartons), f.BareMass("", g.Net/n), row.BareMass("net_weight", g.Net), f.BareMass("", g.Gross/n), row.BareMass("gross_weight", g.Gross), row.BareVolume("volume", g.Volume)})
		first += g.Cartons
	}
	rows = append(rows, []string{form.Pick(f, "TOTAL:", "TTL", "G.TOTAL"), "", "", f.Count("packages", s.Packages()), "", f.BareMass("net_weight", s.Net()), "", f.BareMass("gross_weight", s.Gross()), f.BareVolume("volume", s.Volume())})
	y := f.Table(12, 58, 7.5, f.R.IntN(2) == 0, []form.Column{
		{Title: "C/NO.", Width: 17}, {Title: "DESCRIPTION\nOF GOODS", Width: 44}, {Title: "Q'TY\n" + s.Goods[0].Unit, Width: 17, Right: true}, {Title: "CTNS", Width: 14, Right: true}, {Title: "@N.W.\nKGS", Width: 16, Right: true}, {Title: "TTL N.W.\nKGS", Width: 21, Right: true},
		{Title: "@G.W.\nKGS", Width: 16, Right: true}, {Title: "TTL G.W.\nKGS", Width: 21, Right: true}, {Title: "MEAS'T\nCBM", Width: 20, Right: true},
	}, rows)
	f.Fill(12, y+3, 186, 8.5, "SAY TOTAL "+inWords(s.Packages())+" CARTONS ONLY.")
	y += 11
	f.Say(12, y, 8, "B", "SHIPPING MARKS:")
	marks := []string{s.Buyer.Name, "P/O " + s.PO, "MADE IN " + strings.ToUpper(origin(s.Lading.Country)), fmt.Sprintf("C/NO. 1-%d", s.Packages())}
	f.Text("marks", strings.Join(marks, " "))
	stack(f, 20, y+4.5, 80, 8.5, marks...)
	for i := range s.Containers {
		f.Label(112, y+4.6*float64(i), 0, 86, 8, "", "CNTR/SEAL:", containerAndSeal(f, i))
	}
	f.Right(198, 250, 8.5, "B", s.Shipper.Name)
	f.Right(198, 262, 7, "", "AUTHORIZED SIGNATURE")
}

// spanishPacking is in Spanish, with captions in frames and sums in the last row.
func spanishPacking(f *form.Form) {
	s := strange(f, form.Pick(f, "2 de January de 2006", "02/01/2006", "02-January-06"), func(s trade.Shipment) bool { return from("CL", "PE", "ES")(s) || to("ES", "MX")(s) })
	f.Style.Months = tongues[form.Pick(f, "es", "ES")]
	notation(f, ".", ",", 2)
	f.Page("A4")
	f.Say(12, 9, 12, "B", s.Shipper.Name)
	f.Lines(12, 15, 7, "", s.Shipper.Address...)
	f.Right(198, 9, 15, "B", form.Pick(f, "LISTA DE EMPAQUE", "PACKING LIST / LISTA DE EMPAQUE", "LISTA DE CONTENIDO"))
	y := f.Cells(12, 27, 11, []float64{46.5, 46.5, 46.5, 46.5}, [2]string{"Lista N.º", f.Number("packing_list_number", s.Packing)}, [2]string{"Fecha", f.Day("issue_date", s.Invoiced)}, [2]string{"Factura comercial N.º", f.Number("invoice_number", s.Invoice)}, [2]string{"Orden de compra", f.Number("po_number", s.PO)})
	f.Box(12, y, 93, 22, "Destinatario", append([]string{s.Buyer.Name}, s.Buyer.Address...)...)
	f.Box(105, y, 93, 22, "Marcas y números", f.Text("marks", s.Buyer.Name+" / "+s.PO))
	var rows [][]string
	for _, g := range s.Goods {
		row := f.Row("lines")
		rows = append(rows, []string{row.Count("packages", g.Cartons), "cajas", row.Text("description", g.Words), row.Count("quantity", g.Quantity), row.BareMass("net_weight", g.Net), row.BareMass("gross_weight", g.Gross), row.BareVolume("volume", g.Volume)})
	}
	rows = append(rows, []string{f.Count("packages", s.Packages()), "cajas", "TOTALES", "", f.BareMass("net_weight", s.Net()), f.BareMass("gross_weight", s.Gross()), f.BareVolume("volume", s.Volume())})
	y = f.Table(12, y+26, 8, true, []form.Column{{Title: "Bultos", Width: 18, Right: true}, {Title: "Clase", Width: 16}, {Title: "Descripción de la mercancía", Width: 58}, {Title: "Cantidad", Width: 20, Right: true}, {Title: "Peso neto\n(kg)", Width: 25, Right: true}, {Title: "Peso bruto\n(kg)", Width: 25, Right: true}, {Title: "Volumen\n(m³)", Width: 24, Right: true}}, rows)
	y += 5
	for _, b := range s.Containers {
		row := f.Row("containers")
		y = f.Label(12, y, 26, 170, 8.5, "", "Contenedor:", row.Container("number", b.Number)+"     Precinto: "+row.Number("seal", b.Seal))
	}
	f.Label(12, y+3, 0, 186, 8, "", "Embarque:", "marítimo, "+s.Lading.Name+" - "+s.Unlading.Name+", buque "+s.Ship.Name)
	f.Right(198, 255, 8, "", "Firma autorizada")
}

// mailPacking is a mail with the list typed into it, in columns of a typewriter's face.
func mailPacking(f *form.Form) {
	s := strange(f, form.Pick(f, "January 2, 2006", "02 Jan 2006"), to("US", "GB", "CA"))
	f.Page("Letter")
	f.Font, f.ValueFont = form.Sans, form.Typed
	y := 10.0
	for _, p := range [][2]string{{"From:", "shipping@" + strings.ToLower(s.Shipper.Name[:3]) + ".example"}, {"Date:", f.Day("issue_date", s.Invoiced)}, {"To:", "logistics@" + strings.ToLower(s.Buyer.Name[:3]) + ".example"}, {"Subject:", "packing list, inv. " + f.Number("invoice_number", s.Invoice) + ", your PO " + f.Number("po_number", s.PO)}} {
		y = f.Label(14, y, 20, 185, 9, "B", p[0], p[1])
	}
	f.Rule(14, y+1, 202, y+1)
	y = f.Prose(14, y+6, 186, 9, "Hello, goods were packed today as follows, the invoice comes with the bank's papers.") + 4
	stops := []float64{14, 88, 106, 124, 150, 177, 203}
	f.Spread(y, 8.5, stops, "lrrrrr", "article", "ctns", "pcs", "net kg", "gross kg", "cbm")
	f.Fill(14, y+3.5, 186, 8.5, strings.Repeat("-", 98))
	y += 8
	for _, g := range s.Goods {
		row := f.Row("lines")
		y = f.Spread(y, 8.5, stops, "lrrrrr", row.Text("description", g.Words), row.Count("packages", g.Cartons), row.Count("quantity", g.Quantity), row.BareMass("net_weight", g.Net), row.BareMass("gross_weight", g.Gross), row.BareVolume("volume", g.Volume)) + 0.5
	}
	f.Fill(14, y, 186, 8.5, strings.Repeat("-", 98))
	y = f.Spread(y+4, 8.5, stops, "lrrrrr", "all", f.Count("packages", s.Packages()), "", f.BareMass("net_weight", s.Net()), f.BareMass("gross_weight", s.Gross()), f.BareVolume("volume", s.Volume())) + 4
	for _, b := range s.Containers {
		row := f.Row("containers")
		y = f.Prose(14, y, 186, 9, "loaded in "+row.Container("number", b.Number)+" sealed "+row.Number("seal", b.Seal))
	}
	f.Prose(14, y+4, 186, 9, "Cartons bear your name and numbers 1 to "+fmt.Sprint(s.Packages())+". The bill of lading will follow when the ship has sailed. Regards, "+s.Shipper.Name)
}

// carriedPacking goes on over two pages, with what is carried forward between them.
func carriedPacking(f *form.Form) {
	s := strange(f, form.Pick(f, "02/01/2006", "2 Jan 2006", "02.01.06"), func(s trade.Shipment) bool { return len(s.Goods) > 1 && to("DE", "NL", "GB", "FR", "BE")(s) })
	goods := assorted(f, "TYPE A", "TYPE B", "TYPE C", "TYPE D", "SPARES")
	f.Page("A4")
	columns := []form.Column{{Title: "No.", Width: 10}, {Title: "Article", Width: 74}, {Title: "Packages", Width: 20, Right: true}, {Title: "Quantity", Width: 20, Right: true}, {Title: "Net weight", Width: 22, Right: true}, {Title: "Gross weight", Width: 22, Right: true}, {Title: "Cubic metres", Width: 22, Right: true}}
	half := len(goods) / 2
	rows := func(from, to int) (rows [][]string) {
		for i, g := range goods[from:to] {
			row := f.Row("lines")
			rows = append(rows, []string{fmt.Sprint(from + i + 1), row.Text("description", g.Words), row.Count("packages", g.Cartons), row.Count("quantity", g.Quantity), row.BareMass("net_weight", g.Net), row.BareMass("gross_weight", g.Gross), row.BareVolume("volume", g.Volume)})
		}
		return rows
	}
	sum := func(words string, to int) []string {
		var net, gross, volume float64
		cartons := 0
		for _, g := range goods[:to] {
			net, gross, volume, cartons = net+g.Net, gross+g.Gross, volume+g.Volume, cartons+g.Cartons
		}
		return []string{"", words, f.Count("", cartons), "", f.BareMass("", net), f.BareMass("", gross), f.BareVolume("", volume)}
	}
	head := func(page int) {
		f.Say(10, 8, 12, "", s.Shipper.Name)
		f.Right(200, 8, 12, "B", "Packing list")
		f.Label(10, 16, 30, 90, 8, "", "Packing list no.", s.Packing)
		f.Label(110, 16, 30, 60, 8, "", "Invoice no.", s.Invoice)
		f.Right(200, 16, 8, "", fmt.Sprintf("Page %d of 2", page))
	}
	f.Number("packing_list_number", s.Packing)
	f.Number("invoice_number", s.Invoice)
	head(1)
	f.Label(10, 21, 30, 90, 8, "", "Date", f.Day("issue_date", s.Invoiced))
	f.Label(110, 21, 30, 90, 8, "", "Your order", f.Number("po_number", s.PO))
	stack(f, 10, 28, 90, 8.5, append([]string{s.Buyer.Name}, s.Buyer.Address...)...)
	f.Say(110, 28, 7, "", "Weights in kg.")
	first := append(rows(0, half), sum(form.Pick(f, "Carried forward", "Subtotal, carried over"), half))
	f.Table(10, 48, 8, true, columns, first)
	f.Page("A4")
	head(2)
	second := append([][]string{sum("Brought forward", half)}, rows(half, len(goods))...)
	second = append(second, []string{"", "Total", f.Count("packages", s.Packages()), "", f.BareMass("net_weight", s.Net()), f.BareMass("gross_weight", s.Gross()), f.BareVolume("volume", s.Volume())})
	y := f.Table(10, 26, 8, true, columns, second) + 5
	for i := range s.Containers {
		y = f.Label(10, y, 0, 180, 8, "", "Container no. / seal no.:", containerAndSeal(f, i))
	}
}

// frenchInvoice is an exporter's or importer's in French.
func frenchInvoice(f *form.Form) {
	s := strange(f, form.Pick(f, "02/01/2006", "2 January 2006"), to("FR", "BE", "CA"))
	f.Style.Months = tongues["fr"]
	notation(f, " ", ",", 2)
	f.Page("A4")
	f.Say(12, 9, 12, "B", s.Shipper.Name)
	f.Party("seller", s.Shipper, 4)
	f.Lines(12, 15, 7, "", s.Shipper.Address...)
	f.Say(12, 34, 14, "B", form.Pick(f, "FACTURE COMMERCIALE", "Facture commerciale", "FACTURE COMMERCIALE / COMMERCIAL INVOICE"))
	f.Label(12, 43, 34, 90, 8.5, "", "Facture n°", f.Number("invoice_number", s.Invoice))
	f.Label(12, 48, 34, 90, 8.5, "", "Date", f.Day("issue_date", s.Invoiced))
	f.Label(12, 53, 34, 90, 8.5, "", "Votre commande", f.Number("po_number", s.PO))
	f.Say(118, 40, 7, "", "Client")
	stack(f, 118, 44, 80, 9, f.Party("buyer", s.Buyer, 4)...)
	var rows [][]string
	for _, g := range s.Goods {
		row := f.Row("lines")
		rows = append(rows, []string{row.Text("description", g.Words), row.Number("hs_code", g.HS), row.Count("quantity", g.Quantity), row.Text("unit", g.Unit), row.Money("unit_price", s.Currency, g.Price), row.Money("amount", s.Currency, g.Amount())})
	}
	y := f.Table(12, 64, 8, true, []form.Column{{Title: "Désignation", Width: 66}, {Title: "Code douanier", Width: 26}, {Title: "Quantité", Width: 22, Right: true}, {Title: "Unité", Width: 16}, {Title: "Prix unitaire\n" + f.Code("currency", s.Currency, s.Currency), Width: 26, Right: true}, {Title: "Montant HT\n" + s.Currency, Width: 30, Right: true}}, rows)
	f.Say(110, y+3, 9, "B", "Total à payer "+s.Currency)
	f.FillRight(197, y+3, 40, 9, f.Money("total", s.Currency, s.Total()))
	y = f.Label(12, y+12, 44, 186, 8.5, "", "Conditions de livraison", f.Code("incoterm", s.Incoterm, s.Incoterm+" "+s.Lading.Name))
	y = f.Label(12, y, 44, 186, 8.5, "", "Conditions de paiement", f.Text("payment_terms", s.Pay))
	y = f.Label(12, y, 44, 186, 8.5, "", "Conteneur", f.Row("containers").Container("number", s.Containers[0].Number))
	f.Paragraph(12, y+5, 186, 7, "TVA non applicable, livraison à l'exportation. Nous certifions la présente facture sincère et véritable. La liste de colisage est jointe.")
}

// massCertificate says what containers weigh, for the ship's master.
func massCertificate(f *form.Form) {
	s := strange(f, "02 Jan 2006", anywhere)
	f.Page("A4")
	f.Centre(105, 10, 14, "B", form.Pick(f, "VERIFIED GROSS MASS CERTIFICATE", "VGM DECLARATION (SOLAS VI/2)", "SHIPPER'S VGM CERTIFICATE"))
	y := ruled(f, 12, 22, 7.5, []float64{93, 93}, [][][2]string{{{"Booking no.", s.Booking}, {"Date", f.Day("", s.Booked)}}, {{"Vessel / voyage", s.Ship.Name + " / " + s.Voyage}, {"Carrier", s.Line.Name}}, {{"Port of loading", f.Place("", s.Lading)}, {"Port of discharge", f.Place("", s.Unlading)}}, {{"Shipper", s.Shipper.Name}, {"Method", form.Pick(f, "1 (weighing)", "2 (sum)")}}})
	var rows [][]string
	for _, b := range s.Containers {
		rows = append(rows, []string{f.Container("", b.Number), f.Size("", b.Size), b.Seal, f.BareMass("", b.Gross), "3 900", f.BareMass("", b.Gross+3900), "WB-" + num(f, "####")})
	}
	y = f.Table(12, y+5, 8, true, []form.Column{{Title: "Container", Width: 36}, {Title: "Type", Width: 34}, {Title: "Seal", Width: 30}, {Title: "Cargo kg", Width: 24, Right: true}, {Title: "Tare kg", Width: 18, Right: true}, {Title: "VGM kg", Width: 24, Right: true}, {Title: "Ticket", Width: 20}}, rows)
	f.Paragraph(12, y+6, 186, 8, "We declare that the gross mass of each packed container was verified as said. Without this certificate before the VGM cut-off the container is not loaded; the booking confirmation tells the time.")
	f.Label(12, y+24, 40, 180, 8.5, "", "Authorised person", "M. OKAFOR")
}

// carrierInvoice is a line's bill for freight, which names ship, bill and containers.
func carrierInvoice(f *form.Form) {
	s := strange(f, form.Pick(f, "02-Jan-2006", "2006-01-02"), anywhere)
	f.Page("A4")
	f.Say(12, 9, 14, "B", s.Line.Name)
	f.Right(198, 9, 14, "B", form.Pick(f, "INVOICE", "FREIGHT INVOICE", "EXPORT INVOICE"))
	f.Box(12, 20, 90, 24, "Invoice to", append([]string{s.Shipper.Name}, s.Shipper.Address...)...)
	y := 20.0
	for _, p := range [][2]string{{"Invoice no.", num(f, "5#########")}, {"Invoice date", f.Day("", s.Sailed)}, {"Due date", f.Day("", s.Sailed.AddDate(0, 0, 14))}, {"Customer no.", num(f, "000####")}, {"Our reference", s.Booking}} {
		y = f.Label(110, y, 32, 88, 8, "", p[0], p[1])
	}
	y = ruled(f, 12, 48, 7.5, []float64{62, 62, 62}, [][][2]string{{{"Bill of lading", s.BL}, {"Vessel", s.Ship.Name}, {"Voyage", s.Voyage}}, {{"From", f.Place("", s.Lading)}, {"To", f.Place("", s.Unlading)}, {"Sailing", f.Day("", s.Sailed)}}}) + 4
	var rows [][]string
	total := 0
	for _, name := range []string{"Basic ocean freight", "Low sulphur surcharge", "Terminal handling, origin", "Peak season surcharge", "Documentation fee", "Seal fee"} {
		cents := (1000 + 100*f.R.IntN(1500)) * len(s.Containers)
		total += cents
		rows = append(rows, []string{name, fmt.Sprint(len(s.Containers)), f.Size("", s.Containers[0].Size), f.Money("", "", cents/len(s.Containers)), "USD", f.Money("", "", cents)})
	}
	rows = append(rows, []string{"Total amount due", "", "", "", "USD", f.Money("", "", total)})
	y = f.Table(12, y, 8, true, []form.Column{{Title: "Description of charge", Width: 66}, {Title: "Qty", Width: 12}, {Title: "Basis", Width: 38}, {Title: "Rate", Width: 24, Right: true}, {Title: "Cur", Width: 14}, {Title: "Amount", Width: 32, Right: true}}, rows) + 4
	for _, b := range s.Containers {
		y = f.Label(12, y, 0, 186, 8, "", "Container", f.Container("", b.Number)+"   "+f.Mass("", b.Gross))
	}
	f.Paragraph(12, y+5, 186, 7, "Payable without deduction. Original bills of lading are released after receipt of this amount. Please state the invoice number. Interest is charged on late payment. "+inMoney("USD", total))
}

// entrySummary is what a broker files with customs.
func entrySummary(f *form.Form) {
	s := strange(f, "01/02/2006", to("US"))
	f.Page("Letter")
	f.Say(12, 8, 9, "B", "DEPARTMENT OF CUSTOMS - ENTRY SUMMARY")
	y := f.Cells(12, 14, 10, []float64{48, 32, 32, 40, 40}, [2]string{"1. Filer code / entry no.", num(f, "@@# #######-#")}, [2]string{"2. Entry type", "01 ABI/A"}, [2]string{"3. Summary date", f.Day("", s.FreeUntil)}, [2]string{"4. Surety no.", num(f, "###")}, [2]string{"5. Bond type", "8"})
	y = f.Cells(12, y, 10, []float64{48, 32, 32, 40, 40}, [2]string{"6. Port code", "2704"}, [2]string{"7. Entry date", f.Day("", s.Arrives)}, [2]string{"8. Importing carrier", s.Ship.Name}, [2]string{"9. Mode of transport", "11"}, [2]string{"10. Country of origin", s.Lading.Country})
	y = f.Cells(12, y, 10, []float64{48, 64, 40, 40}, [2]string{"11. Import date", f.Day("", s.Arrives)}, [2]string{"12. B/L or AWB no.", s.BL}, [2]string{"13. Manufacturer ID", num(f, "@@@@@###@@@")}, [2]string{"14. Exporting country", s.Lading.Country})
	y = f.Cells(12, y, 10, []float64{48, 64, 40, 40}, [2]string{"15. I.T. no.", s.Entry}, [2]string{"16. I.T. date", f.Day("", s.Arrives)}, [2]string{"17. Foreign port of lading", s.Lading.Name}, [2]string{"18. U.S. port of unlading", s.Unlading.Name})
	f.Box(12, y, 96, 22, "19. Ultimate consignee name and address", append([]string{s.Buyer.Name}, s.Buyer.Address...)...)
	f.Box(108, y, 96, 22, "20. Importer of record name and address", append([]string{s.Buyer.Name}, s.Buyer.Address...)...)
	var rows [][]string
	for i, g := range s.Goods {
		rows = append(rows, []string{fmt.Sprintf("%03d", i+1), g.Words, g.HS, f.BareMass("", g.Gross), f.Count("", g.Quantity) + " " + g.Unit, f.Money("", "", g.Amount()), "3.4%", f.Money("", "", g.Amount()*34/1000)})
	}
	y = f.Table(12, y+26, 7.5, true, []form.Column{{Title: "21.\nLine", Width: 12}, {Title: "22. Description\nof merchandise", Width: 54}, {Title: "HTSUS no.", Width: 26}, {Title: "Gross wt\nkg", Width: 20, Right: true}, {Title: "Net quantity", Width: 26}, {Title: "Entered value\nUSD", Width: 24, Right: true}, {Title: "Rate", Width: 12}, {Title: "Duty", Width: 18, Right: true}}, rows)
	f.Paragraph(12, y+6, 190, 7, "Commercial invoice "+s.Invoice+", containers "+f.Container("", s.Containers[0].Number)+" and others as manifested. I declare that I am the importer of record or his agent, and that the statements in the documents herein filed fully disclose the true prices, values and quantities.")
	f.Right(204, 250, 7.5, "", "Broker's declaration, signature and date")
}
