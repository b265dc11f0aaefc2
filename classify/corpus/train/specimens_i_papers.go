package train

import (
	"fmt"
	"strings"
	"time"

	"github.com/landfallhq/tracking/classify/corpus/form"
	"github.com/landfallhq/tracking/classify/corpus/truth"
)

// specimenPapersI are packing lists in Portuguese, Italian, Dutch and French, slips and
// lists in sentences, invoices, and others of lot I.
var specimenPapersI = []form.Layout{
	{Name: "pl-romaneio", Type: truth.PackingList, Copies: 2, Draw: portuguesePacking},
	{Name: "pl-distinta", Type: truth.PackingList, Copies: 2, Draw: italianPacking},
	{Name: "pl-paklijst", Type: truth.PackingList, Copies: 2, Draw: dutchPacking},
	{Name: "pl-colisage", Type: truth.PackingList, Copies: 2, Draw: frenchPacking},
	{Name: "pl-slip", Type: truth.PackingList, Copies: 3, Draw: slipPacking},
	{Name: "pl-numbered-lines", Type: truth.PackingList, Copies: 3, Draw: numberedPacking},
	{Name: "ci-fattura", Type: truth.CommercialInvoice, Copies: 2, Draw: italianInvoice},
	{Name: "ci-in-words", Type: truth.CommercialInvoice, Copies: 2, Draw: wordyInvoice},
	{Name: "other-demurrage", Type: truth.FreightInvoice, Copies: 3, Draw: demurrageInvoice},
	{Name: "other-proof-of-delivery", Type: truth.Other, Copies: 2, Draw: proofOfDelivery},
	{Name: "other-manifest", Type: truth.Other, Copies: 2, Draw: manifest},
	{Name: "other-account", Type: truth.Other, Copies: 2, Draw: openAccount},
	{Name: "other-phyto", Type: truth.Other, Copies: 2, Draw: phytosanitary},
}

// columns of a packing list's lines, as most have them: words, packages, quantity, net,
// gross, volume.
func lineRows(f *form.Form) (rows [][]string) {
	for _, g := range f.S.Goods {
		row := f.Row("lines")
		rows = append(rows, []string{row.Text("description", g.Words), row.Count("packages", g.Cartons), row.Count("quantity", g.Quantity), row.BareMass("net_weight", g.Net), row.BareMass("gross_weight", g.Gross), row.BareVolume("volume", g.Volume)})
	}
	return rows
}

// portuguesePacking is an exporter's in Brazil.
func portuguesePacking(f *form.Form) {
	s := strange(f, form.Pick(f, "2 de January de 2006", "02/01/2006"), from("BR"))
	f.Style.Months, f.Style.Upper = tongues["pt"], false
	notation(f, ".", ",", 2)
	f.Page("A4")
	f.Centre(105, 9, 14, "B", form.Pick(f, "ROMANEIO DE CARGA / PACKING LIST", "ROMANEIO DE EMBARQUE", "ROMANEIO (PACKING LIST)"))
	f.Box(12, 18, 93, 24, "Exportador", append([]string{s.Shipper.Name}, s.Shipper.Address...)...)
	f.Box(105, 18, 93, 24, "Importador", append([]string{s.Buyer.Name}, s.Buyer.Address...)...)
	y := f.Cells(12, 42, 11, []float64{46.5, 46.5, 46.5, 46.5}, [2]string{"Romaneio n.º", f.Number("packing_list_number", s.Packing)}, [2]string{"Data", f.Day("issue_date", s.Invoiced)}, [2]string{"Fatura comercial n.º", f.Number("invoice_number", s.Invoice)}, [2]string{"Pedido", f.Number("po_number", s.PO)})
	rows := append(lineRows(f), []string{"TOTAL", f.Count("packages", s.Packages()), "", f.BareMass("net_weight", s.Net()), f.BareMass("gross_weight", s.Gross()), f.BareVolume("volume", s.Volume())})
	y = f.Table(12, y+4, 8, true, []form.Column{{Title: "Descrição da mercadoria", Width: 66}, {Title: "Volumes\n(caixas)", Width: 20, Right: true}, {Title: "Quantidade", Width: 22, Right: true}, {Title: "Peso líquido\n(kg)", Width: 26, Right: true}, {Title: "Peso bruto\n(kg)", Width: 26, Right: true}, {Title: "Cubagem\n(m³)", Width: 26, Right: true}}, rows) + 4
	y = f.Label(12, y, 30, 186, 8.5, "", "Marcação:", f.Text("marks", s.Buyer.Name+" - "+s.PO))
	for _, b := range s.Containers {
		row := f.Row("containers")
		y = f.Label(12, y, 30, 186, 8.5, "", "Contêiner / lacre:", row.Container("number", b.Number)+" / "+row.Number("seal", b.Seal))
	}
	f.Label(12, y, 30, 186, 8.5, "", "Navio:", s.Ship.Name+", "+s.Lading.Name+" - "+s.Unlading.Name)
}

// italianPacking is a maker's in Italy: sums in boxes below the table, captions first.
func italianPacking(f *form.Form) {
	s := strange(f, form.Pick(f, "02/01/2006", "2 January 2006"), from("IT", "TR"))
	f.Style.Months, f.Style.Upper = tongues["it"], false
	notation(f, ".", ",", 2)
	f.Page("A4")
	f.Say(12, 9, 13, "B", s.Shipper.Name)
	f.Say(12, 15, 7, "", strings.Join(s.Shipper.Address, " - "))
	f.Say(12, 24, 14, "B", form.Pick(f, "DISTINTA COLLI", "Lista colli / Packing list", "DISTINTA DI IMBALLAGGIO"))
	f.Label(12, 33, 26, 90, 8.5, "I", "Numero", f.Number("packing_list_number", s.Packing))
	f.Label(12, 38, 26, 90, 8.5, "I", "Data", f.Day("issue_date", s.Invoiced))
	f.Label(12, 43, 26, 90, 8.5, "I", "Rif. fattura", f.Number("invoice_number", s.Invoice))
	f.Label(12, 48, 26, 90, 8.5, "I", "Vs. ordine", f.Number("po_number", s.PO))
	f.Say(118, 30, 7, "", "Destinatario")
	stack(f, 118, 34, 80, 9, append([]string{s.Buyer.Name}, s.Buyer.Address...)...)
	y := f.Table(12, 58, 8, false, []form.Column{{Title: "Descrizione", Width: 70}, {Title: "Colli", Width: 20, Right: true}, {Title: "Quantità", Width: 22, Right: true}, {Title: "Peso netto", Width: 25, Right: true}, {Title: "Peso lordo", Width: 25, Right: true}, {Title: "Volume", Width: 24, Right: true}}, lineRows(f))
	f.Say(12, y+1.5, 6.5, "I", "Pesi in kg, volumi in m³")
	f.Cells(12, y+8, 12, []float64{46.5, 46.5, 46.5, 46.5}, [2]string{"Totale colli", f.Count("packages", s.Packages())}, [2]string{"Peso netto totale", f.Mass("net_weight", s.Net())}, [2]string{"Peso lordo totale", f.Mass("gross_weight", s.Gross())}, [2]string{"Volume totale", f.Volume("volume", s.Volume())})
	y += 25
	for _, b := range s.Containers {
		row := f.Row("containers")
		y = f.Label(12, y, 30, 186, 8.5, "I", "Contenitore", row.Container("number", b.Number)+"   sigillo "+row.Number("seal", b.Seal))
	}
}

// dutchPacking is a grower's or merchant's in the Netherlands.
func dutchPacking(f *form.Form) {
	s := strange(f, form.Pick(f, "02-01-2006", "2 January 2006"), from("NL", "DE"))
	f.Style.Months, f.Style.Upper = tongues["nl"], false
	notation(f, ".", ",", 1)
	f.Page("A4")
	f.Right(198, 9, 13, "B", s.Shipper.Name)
	f.Right(198, 15, 7, "", strings.Join(s.Shipper.Address, ", "))
	f.Say(12, 9, 15, "B", form.Pick(f, "PAKLIJST", "Paklijst / packing list", "PAKLIJST EXPORT"))
	y := 26.0
	for _, p := range [][2]string{{"Paklijst nr.", f.Number("packing_list_number", s.Packing)}, {"Factuur nr.", f.Number("invoice_number", s.Invoice)}, {"Uw order", f.Number("po_number", s.PO)}, {"Datum", f.Day("issue_date", s.Invoiced)}} {
		y = f.Label(12, y, 30, 90, 9, "", p[0], p[1])
	}
	stack(f, 118, 26, 80, 9, append([]string{s.Buyer.Name}, s.Buyer.Address...)...)
	stops := []float64{12, 86, 106, 126, 150, 174, 199}
	y += 6
	f.Heads(y, 8, stops, "lrrrrr", "Omschrijving", "Colli", "Aantal", "Netto kg", "Bruto kg", "m³")
	f.Rule(12, y+4, 198, y+4)
	y += 6
	for _, cells := range lineRows(f) {
		y = f.Spread(y, 9, stops, "lrrrrr", cells...) + 0.5
	}
	f.Rule(86, y, 198, y)
	y = f.Spread(y+1.5, 9, stops, "lrrrrr", "Totaal", f.Count("packages", s.Packages()), "", f.BareMass("net_weight", s.Net()), f.BareMass("gross_weight", s.Gross()), f.BareVolume("volume", s.Volume())) + 5
	y = f.Label(12, y, 30, 186, 9, "", "Merken", f.Text("marks", s.Buyer.Name+" "+strings.ToUpper(s.Delivery.Name)))
	for _, b := range s.Containers {
		row := f.Row("containers")
		y = f.Label(12, y, 30, 186, 9, "", "Container", row.Container("number", b.Number)+"   zegel "+row.Number("seal", b.Seal))
	}
}

// frenchPacking is in French, with what is in each package named before its weights.
func frenchPacking(f *form.Form) {
	s := strange(f, form.Pick(f, "02/01/2006", "2 January 2006"), to("FR", "CA", "BE"))
	f.Style.Months, f.Style.Upper = tongues["fr"], false
	notation(f, " ", ",", 2)
	f.Page("A4")
	f.Say(12, 9, 12, "B", s.Shipper.Name)
	f.Lines(12, 15, 7, "", s.Shipper.Address...)
	f.Centre(105, 28, 14, "B", form.Pick(f, "LISTE DE COLISAGE", "Liste de colisage", "NOTE DE COLISAGE / PACKING LIST"))
	y := f.Cells(12, 37, 11, []float64{46.5, 46.5, 46.5, 46.5}, [2]string{"Liste n°", f.Number("packing_list_number", s.Packing)}, [2]string{"Du", f.Day("issue_date", s.Invoiced)}, [2]string{"Facture n°", f.Number("invoice_number", s.Invoice)}, [2]string{"Commande n°", f.Number("po_number", s.PO)})
	f.Box(12, y, 186, 18, "Destinataire", s.Buyer.Name, strings.Join(s.Buyer.Address, ", "))
	rows := append(lineRows(f), []string{"Total général", f.Count("packages", s.Packages()), "", f.BareMass("net_weight", s.Net()), f.BareMass("gross_weight", s.Gross()), f.BareVolume("volume", s.Volume())})
	y = f.Table(12, y+22, 8, true, []form.Column{{Title: "Désignation", Width: 66}, {Title: "Nombre\nde colis", Width: 20, Right: true}, {Title: "Quantité", Width: 22, Right: true}, {Title: "Poids net\nkg", Width: 26, Right: true}, {Title: "Poids brut\nkg", Width: 26, Right: true}, {Title: "Cubage\nm³", Width: 26, Right: true}}, rows) + 4
	for _, b := range s.Containers {
		row := f.Row("containers")
		y = f.Prose(12, y, 186, 9, "Conteneur "+row.Container("number", b.Number)+", plomb n° "+row.Number("seal", b.Seal))
	}
	f.Label(12, y+3, 0, 186, 8.5, "", "Marques :", f.Text("marks", s.Buyer.Name+" "+s.PO))
}

// slipPacking is an American packing slip: ordered, shipped and left, and sums at the foot
// above their captions, in pounds.
func slipPacking(f *form.Form) {
	s := strange(f, form.Pick(f, "1/2/2006", "01/02/06", "Jan 2, 2006"), to("US"))
	f.Style.Figures = 1
	f.Page("Letter")
	f.Say(12, 8, 13, "B", s.Shipper.Name)
	f.Right(204, 8, 16, "B", form.Pick(f, "PACKING SLIP", "Packing List", "PACKING LIST"))
	f.Lines(12, 14, 7, "", s.Shipper.Address...)
	y := 28.0
	for i, p := range [][2]string{{"SLIP NO.", f.Number("packing_list_number", s.Packing)}, {"SHIP DATE", f.Day("issue_date", s.Invoiced)}, {"INVOICE", f.Number("invoice_number", s.Invoice)}, {"CUST. P.O.", f.Number("po_number", s.PO)}} {
		f.Shade(12+48*float64(i), y, 48, 5, 215)
		f.Centre(36+48*float64(i), y+1.2, 7, "B", p[0])
		f.Frame(12+48*float64(i), y, 48, 11)
		f.Fill(16+48*float64(i), y+6.5, 42, 9, p[1])
	}
	f.Say(12, 42, 7, "B", "SHIP TO")
	stack(f, 12, 46, 90, 9, append([]string{s.Buyer.Name}, s.Buyer.Address...)...)
	f.Say(110, 42, 7, "B", "BILL TO")
	stack(f, 110, 46, 90, 9, append([]string{s.Buyer.Name}, s.Buyer.Address...)...)
	var rows [][]string
	for i, g := range s.Goods {
		row := f.Row("lines")
		rows = append(rows, []string{fmt.Sprint(i + 1), g.Item, row.Text("description", g.Words), f.Count("", g.Quantity+10), row.Count("quantity", g.Quantity), "10", row.Count("packages", g.Cartons), row.BarePounds("gross_weight", g.Gross)})
	}
	f.Table(12, 66, 8, true, []form.Column{{Title: "LN", Width: 9}, {Title: "ITEM", Width: 26}, {Title: "DESCRIPTION", Width: 65}, {Title: "ORDERED", Width: 19, Right: true}, {Title: "SHIPPED", Width: 19, Right: true}, {Title: "B/O", Width: 12, Right: true}, {Title: "CARTONS", Width: 18, Right: true}, {Title: "WT (LBS)", Width: 24, Right: true}}, rows)
	f.Below(12, 220, 48, 10, f.Count("packages", s.Packages()), "TOTAL CARTONS")
	f.Below(60, 220, 48, 10, f.Pounds("gross_weight", s.Gross()), "GROSS SHIPPING WEIGHT")
	f.Below(108, 220, 48, 10, f.Pounds("net_weight", s.Net()), "NET WEIGHT")
	f.Below(156, 220, 48, 10, containerAndSeal(f, 0), "CONTAINER / SEAL")
	f.Paragraph(12, 236, 190, 7, "Report shortages within five days. This slip is not an invoice. Ship via ocean, "+s.Line.Name+". Thank you for your order.")
}

// numberedPacking says each line in sentences with abbreviations, and its sums in the
// same manner below a row of stars.
func numberedPacking(f *form.Form) {
	s := strange(f, form.Pick(f, "02-Jan-06", "Jan.02.2006", "2006/01/02"), anywhere)
	f.Page("A4")
	f.Font, f.ValueFont = form.Typed, form.Typed
	f.Centre(105, 10, 11, "B", s.Shipper.Name)
	f.Centre(105, 16, 11, "B", form.Pick(f, "P A C K I N G   L I S T", "PACKING LIST", "PACKING LIST / PACKING NOTE"))
	y := 26.0
	line := func(x float64, say string) { f.Fill(x, y, 198-x, 9, say); y += 4.6 }
	line(12, "REF INV. "+f.Number("invoice_number", s.Invoice)+" DD. "+f.Day("issue_date", s.Invoiced)+"   P.O. "+f.Number("po_number", s.PO))
	line(12, "FOR ACCOUNT OF "+s.Buyer.Name)
	y += 3
	for i, g := range s.Goods {
		row := f.Row("lines")
		line(12, fmt.Sprintf("%d) %s", i+1, row.Text("description", g.Words)))
		line(20, row.Count("packages", g.Cartons)+" CTNS, "+row.Count("quantity", g.Quantity)+" "+g.Unit)
		line(20, "N.W. "+row.Mass("net_weight", g.Net)+"  G.W. "+row.Mass("gross_weight", g.Gross)+"  MEAST. "+row.Volume("volume", g.Volume))
		y += 1
	}
	line(12, strings.Repeat("*", 80))
	line(12, form.Pick(f, "GRAND TOTAL:", "TOTALLY:", "TTL:")+" "+f.Count("packages", s.Packages())+" CTNS")
	line(20, "N.W. "+f.Mass("net_weight", s.Net())+"  G.W. "+f.Mass("gross_weight", s.Gross())+"  MEAST. "+f.Volume("volume", s.Volume()))
	line(12, strings.Repeat("*", 80))
	y += 2
	for i := range s.Containers {
		line(12, "CNTR "+containerAndSeal(f, i))
	}
	marks := s.Buyer.Name + " C/NO. 1-UP"
	line(12, "MARKS: "+f.Text("marks", marks))
}

// italianInvoice is an exporter's in Italy.
func italianInvoice(f *form.Form) {
	s := strange(f, form.Pick(f, "02/01/2006", "2 January 2006"), from("IT"))
	f.Style.Months, f.Style.Upper = tongues["it"], false
	notation(f, ".", ",", 2)
	f.Page("A4")
	f.Say(12, 9, 12, "B", s.Shipper.Name)
	f.Party("seller", s.Shipper, 4)
	f.Lines(12, 15, 7, "", append(s.Shipper.Address, "P.IVA IT 0"+s.Entry+"1")...)
	f.Right(198, 9, 14, "B", form.Pick(f, "FATTURA COMMERCIALE", "FATTURA / COMMERCIAL INVOICE", "Fattura export"))
	f.Right(198, 16, 9, "", "n. "+f.Number("invoice_number", s.Invoice)+" del "+f.Day("issue_date", s.Invoiced))
	f.Say(118, 30, 7, "", "Spett.le / Messrs.")
	stack(f, 118, 34, 80, 9, f.Party("buyer", s.Buyer, 4)...)
	f.Label(12, 36, 24, 90, 8.5, "", "Vs. ordine", f.Number("po_number", s.PO))
	f.Label(12, 41, 24, 90, 8.5, "", "Resa", f.Code("incoterm", s.Incoterm, s.Incoterm+" "+s.Lading.Name))
	f.Label(12, 46, 24, 90, 8.5, "", "Pagamento", f.Text("payment_terms", s.Pay))
	var rows [][]string
	for _, g := range s.Goods {
		row := f.Row("lines")
		rows = append(rows, []string{g.Item, row.Text("description", g.Words), row.Number("hs_code", g.HS), row.Text("unit", g.Unit), row.Count("quantity", g.Quantity), row.Money("unit_price", s.Currency, g.Price), row.Money("amount", s.Currency, g.Amount())})
	}
	y := f.Table(12, 58, 7.5, true, []form.Column{{Title: "Codice", Width: 20}, {Title: "Descrizione", Width: 58}, {Title: "Voce doganale", Width: 24}, {Title: "U.M.", Width: 12}, {Title: "Q.tà", Width: 18, Right: true}, {Title: "Prezzo unit.", Width: 24, Right: true}, {Title: "Importo", Width: 30, Right: true}}, rows)
	f.Frame(128, y+4, 70, 9)
	f.Say(130, y+7, 8.5, "B", "TOTALE "+f.Code("currency", s.Currency, s.Currency))
	f.FillRight(197, y+7, 40, 9, f.Money("total", s.Currency, s.Total()))
	f.Paragraph(12, y+20, 186, 7, "Operazione non imponibile art. 8. Origine della merce: "+origin(s.Lading.Country)+". Segue distinta colli.")
}

// wordyInvoice says its sum in words, and has its terms in the head of the amounts.
func wordyInvoice(f *form.Form) {
	s := strange(f, form.Pick(f, "Jan. 02, 2006", "02-Jan-2006"), from("IN", "LK", "VN", "TH", "MY", "AE"))
	f.Page("A4")
	f.Frame(10, 8, 190, 266)
	f.Centre(105, 10, 13, "B", form.Pick(f, "INVOICE", "COMMERCIAL INVOICE", "EXPORT INVOICE"))
	f.Rule(10, 17, 200, 17)
	f.Field(12, 18, 92, "EXPORTER", f.Party("seller", s.Shipper, 4)...)
	f.Field(106, 18, 92, "INVOICE NO. AND DATE", f.Number("invoice_number", s.Invoice)+"   "+f.Day("issue_date", s.Invoiced))
	f.Field(106, 29, 92, "BUYER'S ORDER NO.", f.Number("po_number", s.PO))
	f.Rule(10, 40, 200, 40)
	f.Field(12, 41, 92, "CONSIGNEE / BUYER", f.Party("buyer", s.Buyer, 4)...)
	f.Field(106, 41, 92, "TERMS OF DELIVERY", f.Code("incoterm", s.Incoterm, s.Incoterm+" "+strings.ToUpper(s.Unlading.Name)))
	f.Field(106, 52, 92, "TERMS OF PAYMENT", f.Text("payment_terms", s.Pay))
	f.Rule(10, 63, 200, 63)
	stops := []float64{12, 78, 104, 124, 140, 168, 199}
	f.Heads(64.5, 6.5, stops, "llrlrr", "DESCRIPTION OF GOODS", "H.S. CODE", "QTY", "UNIT", "RATE "+f.Code("currency", s.Currency, s.Currency), "AMOUNT "+s.Currency)
	f.Rule(10, 69, 200, 69)
	y := 71.0
	for _, g := range s.Goods {
		row := f.Row("lines")
		y = f.Spread(y, 8.5, stops, "llrlrr", row.Text("description", g.Words), row.Number("hs_code", g.HS), row.Count("quantity", g.Quantity), row.Text("unit", g.Unit), row.Money("unit_price", s.Currency, g.Price), row.Money("amount", s.Currency, g.Amount())) + 2
	}
	f.Rule(10, 200, 200, 200)
	f.Spread(202, 9, stops, "llrlrr", "TOTAL", "", "", "", "", f.Money("total", s.Currency, s.Total()))
	f.Prose(12, 209, 180, 8.5, "AMOUNT CHARGEABLE (IN WORDS): "+inMoney(s.Currency, s.Total()))
	for i, b := range s.Containers {
		f.Label(12, 222+4.6*float64(i), 0, 180, 8, "", "CONTAINER NO.", f.Row("containers").Container("number", b.Number))
	}
	f.Paragraph(12, 256, 120, 6.5, "DECLARATION: We declare that this invoice shows the actual price of the goods described and that all particulars are true and correct. A packing list is enclosed.")
	f.Right(196, 266, 8, "", "For "+s.Shipper.Name)
}

// demurrageInvoice is a line's bill for containers that were kept too long.
func demurrageInvoice(f *form.Form) {
	s := strange(f, form.Pick(f, "02-Jan-2006", "2006-01-02", "2 Jan 2006"), anywhere)
	f.Page("A4")
	f.Say(12, 9, 13, "B", s.Line.Name)
	f.Right(198, 9, 13, "B", form.Pick(f, "DEMURRAGE INVOICE", "Import demurrage & detention invoice", "PER DIEM INVOICE"))
	y := ruled(f, 12, 20, 7.5, []float64{62, 62, 62}, [][][2]string{{{"Invoice number", num(f, "D#######")}, {"Invoice date", f.Day("", s.GeneralOrder)}, {"Payable by", f.Day("", s.GeneralOrder.AddDate(0, 0, 10))}}, {{"Bill of lading", s.BL}, {"Vessel / voyage", s.Ship.Name + " / " + s.Voyage}, {"Discharged", f.Day("", s.Arrives)}}, {{"Bill to", s.Buyer.Name}, {"Location", s.Terminal.Name}, {"Last free day", f.Day("", s.FreeUntil)}}})
	var rows [][]string
	total := 0
	for i, b := range s.Containers {
		days := 3 + i + f.R.IntN(6)
		cents := days * 17500
		total += cents
		rows = append(rows, []string{f.Container("", b.Number), f.Size("", b.Size), f.Day("", s.FreeUntil.AddDate(0, 0, 1)), f.Day("", s.FreeUntil.AddDate(0, 0, days)), fmt.Sprint(days), f.Money("", "", 17500), f.Money("", "", cents)})
	}
	rows = append(rows, []string{"Total due", "", "", "", "", "USD", f.Money("", "", total)})
	y = f.Table(12, y+5, 8, true, []form.Column{{Title: "Container", Width: 34}, {Title: "Type", Width: 34}, {Title: "From", Width: 26}, {Title: "Through", Width: 26}, {Title: "Days", Width: 14, Right: true}, {Title: "Rate", Width: 22, Right: true}, {Title: "Amount", Width: 30, Right: true}}, rows)
	f.Paragraph(12, y+5, 186, 7.5, "The arrival notice told free time and this rate. Disputes are to be raised within thirty days with the delivery order and the gate tickets. "+inMoney("USD", total)+".")
}

// proofOfDelivery is what a driver brings back.
func proofOfDelivery(f *form.Form) {
	s := strange(f, form.Pick(f, "02/01/2006", "2 Jan 2006"), to("GB", "NL", "DE", "FR", "BE"))
	f.Page("A4")
	f.Say(12, 9, 13, "B", s.Trucker.Name)
	f.Right(198, 9, 14, "B", form.Pick(f, "PROOF OF DELIVERY", "DELIVERY NOTE (POD)", "Delivery receipt"))
	y := 22.0
	for _, p := range [][2]string{{"Our job", num(f, "TJ-#####")}, {"Your delivery order", s.Order}, {"Container", f.Container("", s.Containers[0].Number)}, {"Seal intact", s.Containers[0].Seal}, {"Collected from", s.Terminal.Name}, {"Delivered to", s.Buyer.Name}, {"Address", strings.Join(s.Buyer.Address, ", ")}, {"Arrived", f.Moment("", s.FreeUntil.Add(8*time.Hour))}, {"Left", f.Moment("", s.FreeUntil.Add(10*time.Hour))}, {"Packages counted", fmt.Sprint(s.Containers[0].Packages)}, {"Empty returned to", s.Depot}} {
		y = f.Label(12, y, 44, 180, 9, "", p[0], p[1]) + 1
	}
	f.Frame(12, y+6, 186, 26)
	f.Say(14, y+8, 7, "", "Received in apparent good order, remarks, name in capitals, signature")
	f.Fill(14, y+18, 160, 9, form.Pick(f, "2 CARTONS WET - J. KOWALSKI", "NO REMARKS - P. ADEYEMI"))
}

// manifest lists several bills of one ship; it belongs to none of them.
func manifest(f *form.Form) {
	s := strange(f, form.Pick(f, "02-Jan-2006", "2006/01/02"), anywhere)
	f.Page("L")
	f.Centre(148, 8, 14, "B", form.Pick(f, "CARGO MANIFEST", "FREIGHT MANIFEST", "INWARD CARGO MANIFEST"))
	f.Label(12, 18, 0, 80, 8.5, "B", "Ship:", s.Ship.Name)
	f.Label(90, 18, 0, 60, 8.5, "B", "Voyage:", s.Voyage)
	f.Label(150, 18, 0, 60, 8.5, "B", "Master:", "CAPT. R. ILIEV")
	f.Label(220, 18, 0, 65, 8.5, "B", "Sailed:", f.Day("", s.Sailed))
	f.Label(12, 23, 0, 80, 8.5, "B", "From:", f.Place("", s.Lading))
	f.Label(90, 23, 0, 80, 8.5, "B", "To:", f.Place("", s.Unlading))
	var rows [][]string
	for i := range 9 {
		b := s.Containers[i%len(s.Containers)]
		rows = append(rows, []string{num(f, "@@@@26######"), form.Pick(f, s.Shipper, stranger(f, s.Shipper), s.Forward).Name, form.Pick(f, s.Buyer, s.Notify, stranger(f, s.Buyer)).Name, f.Container("", b.Number), fmt.Sprint(b.Packages), s.Goods[i%len(s.Goods)].Words, f.BareMass("", b.Gross), f.BareVolume("", b.Volume)})
	}
	f.Table(12, 30, 7, true, []form.Column{{Title: "B/L No.", Width: 30}, {Title: "Shipper", Width: 56}, {Title: "Consignee / notify", Width: 56}, {Title: "Container", Width: 28}, {Title: "Pkgs", Width: 14}, {Title: "Description", Width: 50}, {Title: "Kilos", Width: 22, Right: true}, {Title: "M3", Width: 17, Right: true}}, rows)
}

// openAccount lists what a customer still owes.
func openAccount(f *form.Form) {
	s := strange(f, form.Pick(f, "02-Jan-2006", "02.01.2006"), anywhere)
	f.Page("A4")
	letterhead(f, s.Forward)
	f.Say(12, f.Y, 14, "B", form.Pick(f, "STATEMENT OF ACCOUNT", "Account statement", "OPEN ITEMS"))
	f.Label(12, f.Y+9, 0, 90, 8.5, "", "Customer:", s.Buyer.Name)
	f.Label(130, f.Y+9, 0, 68, 8.5, "", "As at:", f.Day("", s.GeneralOrder))
	var rows [][]string
	sum := 0
	for i := range 8 {
		cents := 10000 + f.R.IntN(400000)
		sum += cents
		rows = append(rows, []string{f.Day("", s.Sailed.AddDate(0, 0, 3*i)), form.Pick(f, "Freight invoice", "Delivery order fee", "Demurrage", "Customs duty outlay", "Arrival notice charges"), num(f, "######"), form.Pick(f, s.BL, s.HBL, s.Booking), f.Money("", "", cents), f.Money("", "", sum)})
	}
	y := f.Table(12, f.Y+18, 8, false, []form.Column{{Title: "Date", Width: 26}, {Title: "Item", Width: 48}, {Title: "Document", Width: 24}, {Title: "B/L or booking", Width: 36}, {Title: "Amount", Width: 26, Right: true}, {Title: "Balance", Width: 26, Right: true}}, rows)
	f.Label(120, y+4, 30, 78, 9, "B", "Balance due "+s.Currency, f.Money("", "", sum))
	f.Paragraph(12, y+14, 186, 7.5, "Please settle at once. Bills of lading and delivery orders are withheld while items are overdue.")
}

// phytosanitary certifies plants for the authorities of another country.
func phytosanitary(f *form.Form) {
	s := strange(f, "2 January 2006", anywhere)
	f.Page("A4")
	f.Centre(105, 9, 14, "B", "PHYTOSANITARY CERTIFICATE")
	f.Right(198, 16, 9, "", "No. "+num(f, "EC/@@/######"))
	f.Box(12, 22, 93, 24, "1. Name and address of exporter", append([]string{s.Shipper.Name}, s.Shipper.Address...)...)
	f.Box(105, 22, 93, 24, "2. Declared name and address of consignee", append([]string{s.Buyer.Name}, s.Buyer.Address...)...)
	f.Box(12, 46, 93, 12, "3. Plant protection organisation of", strings.ToUpper(origin(s.Lading.Country)))
	f.Box(105, 46, 93, 12, "4. Place of origin", strings.ToUpper(s.Lading.Name))
	f.Box(12, 58, 93, 12, "5. Declared means of conveyance", "VESSEL "+s.Ship.Name+" "+s.Voyage)
	f.Box(105, 58, 93, 12, "6. Declared point of entry", f.Place("", s.Unlading))
	f.Box(12, 70, 120, 50, "7. Distinguishing marks: number and description of packages; name of produce")
	y := 77.0
	for _, b := range s.Containers {
		y = f.Prose(14, y, 116, 8.5, fmt.Sprintf("%d BAGS, CONTAINER %s, SEAL %s", b.Packages, f.Container("", b.Number), b.Seal)) + 0.5
	}
	f.Box(132, 70, 66, 50, "8. Quantity declared", f.Mass("", s.Net())+" NET", f.Mass("", s.Gross())+" GROSS")
	f.Paragraph(12, 124, 186, 8, "This is to certify that the plants or plant products described herein have been inspected according to appropriate procedures and are considered to be free from quarantine pests.")
	f.Box(12, 140, 186, 30, "Place of issue, date, name of authorised officer, stamp of organisation", s.Lading.Name+", "+f.Day("", s.Invoiced))
}
