package train

import (
	"fmt"
	"strings"

	"github.com/landfallhq/tracking/classify/corpus/form"
	"github.com/landfallhq/tracking/classify/corpus/truth"
)

// specimenPapersB are invoices, packing lists and others of the second lot.
var specimenPapersB = []form.Layout{
	{Name: "ci-fatura", Type: truth.CommercialInvoice, Copies: 2, Draw: faturaInvoice},
	{Name: "ci-tax-free", Type: truth.CommercialInvoice, Copies: 2, Draw: taxFreeInvoice},
	{Name: "ci-numbered", Type: truth.CommercialInvoice, Copies: 2, Draw: numberedInvoice},
	{Name: "pl-crates", Type: truth.PackingList, Copies: 2, Draw: cratePacking},
	{Name: "pl-blocks", Type: truth.PackingList, Copies: 2, Draw: blockPacking},
	{Name: "other-quotation", Type: truth.Other, Copies: 2, Draw: quotation},
	{Name: "other-fumigation", Type: truth.Other, Copies: 2, Draw: fumigation},
}

// faturaInvoice is that of exporters in Turkey: captions in two languages, Turkish
// first and without its own letters, as their programs print it.
func faturaInvoice(f *form.Form) {
	redraw(f, form.Pick(f, "02.01.2006", "02/01/2006"), from("TR", "IT", "ES"))
	f.Style.Thousands, f.Style.Point = ".", ","
	s := f.S
	f.Page("A4")
	f.Say(12, 9, 13, "B", s.Shipper.Name)
	f.Party("seller", s.Shipper, 4)
	f.Lines(12, 15, 7, "", append(s.Shipper.Address, "Vergi Dairesi / Tax office: DIS TICARET   V.No: "+s.Entry)...)
	f.Right(198, 9, 13, "B", "IHRACAT FATURASI")
	f.Right(198, 15, 10, "B", "COMMERCIAL INVOICE")
	f.Rule(12, 33, 198, 33)
	f.Say(12, 35, 7, "B", "SAYIN / MESSRS")
	stack(f, 12, 39, 88, 8.5, f.Party("buyer", s.Buyer, 4)...)
	y := 35.0
	for _, p := range [][2]string{{"FATURA NO / INVOICE NO", f.Number("invoice_number", s.Invoice)}, {"TARIH / DATE", f.Day("issue_date", s.Invoiced)}, {"SIPARIS NO / ORDER NO", f.Number("po_number", s.PO)}, {"IRSALIYE NO / WAYBILL NO", s.Pickup}} {
		y = f.Label(108, y, 46, 90, 7.5, "", p[0]+" :", p[1])
	}
	var rows [][]string
	for _, g := range s.Goods {
		row := f.Row("lines")
		rows = append(rows, []string{row.Text("description", g.Words), row.Number("hs_code", g.HS), row.Count("quantity", g.Quantity), row.Text("unit", g.Unit), row.Money("unit_price", s.Currency, g.Price), row.Money("amount", s.Currency, g.Amount())})
	}
	y = f.Table(12, 58, 7.5, true, []form.Column{
		{Title: "MALIN CINSI\nDESCRIPTION OF GOODS", Width: 66}, {Title: "GTIP\nHS CODE", Width: 26}, {Title: "MIKTAR\nQUANTITY", Width: 22, Right: true}, {Title: "BIRIM\nUNIT", Width: 14},
		{Title: "BIRIM FIYATI\nUNIT PRICE", Width: 26, Right: true}, {Title: "TUTARI\nAMOUNT", Width: 32, Right: true},
	}, rows)
	f.Say(112, y+2, 8, "B", "TOPLAM / TOTAL "+f.Code("currency", s.Currency, s.Currency))
	f.FillRight(197, y+2, 34, 8.5, f.Money("total", s.Currency, s.Total()))
	y += 10
	f.Fill(12, y, 186, 7.5, "YALNIZ / ONLY: "+inMoney(s.Currency, s.Total()))
	y += 6
	for _, p := range [][2]string{
		{"TESLIM SEKLI / DELIVERY TERMS", f.Code("incoterm", s.Incoterm, s.Incoterm+" "+strings.ToUpper(s.Lading.Name))}, {"ODEME SEKLI / PAYMENT", f.Text("payment_terms", s.Pay)},
		{"MENSEI / ORIGIN", strings.ToUpper(origin(s.Lading.Country))}, {"KAP ADEDI / PACKAGES", fmt.Sprintf("%d KOLI / CARTONS", s.Packages())},
		{"BRUT AGIRLIK / GROSS WEIGHT", f.Mass("", s.Gross())}, {"NET AGIRLIK / NET WEIGHT", f.Mass("", s.Net())}, {"NAKLIYE SEKLI / SHIPPED BY", "DENIZYOLU / SEA, " + s.Ship.Name},
	} {
		y = f.Label(12, y, 56, 180, 7.5, "", p[0]+" :", p[1])
	}
	f.Paragraph(12, y+4, 186, 6.5, "BANKA / BANK: Harbour Trade Bank, IBAN TR00 0000 0000 0000 "+s.Pickup+". KDV'den istisnadir / exempt from VAT as export.")
}

// taxFreeInvoice is that of a firm in the Union: bare captions at the right, the tariff
// code below the goods, and freight between the goods' value and the sum.
func taxFreeInvoice(f *form.Form) {
	redraw(f, form.Pick(f, "02.01.2006", "02-01-2006"), from("DE", "NL", "IT", "ES"))
	f.Style.Thousands, f.Style.Point = ".", ","
	s := f.S
	s.Currency = "EUR"
	f.Page("A4")
	f.Badge(150, 8, 48, 14)
	f.Say(12, 30, 6, "", s.Shipper.Name+" - "+strings.Join(s.Shipper.Address, " - "))
	f.Party("seller", s.Shipper, 4)
	f.Rule(12, 33.5, 95, 33.5)
	stack(f, 12, 36, 83, 9, f.Party("buyer", s.Buyer, 4)...)
	y := 36.0
	for _, p := range [][2]string{{"Invoice no.", f.Number("invoice_number", s.Invoice)}, {"Invoice date", f.Day("issue_date", s.Invoiced)}, {"Customer no.", s.Pickup[:5]}, {"Your order", f.Number("po_number", s.PO)}, {"Delivery note", "LS" + s.Pickup}, {"Our VAT ID", "DE 81" + s.Pickup + "9"}} {
		y = f.Label(130, y, 28, 68, 8, "", p[0], p[1])
	}
	f.Say(12, 70, 15, "B", form.Pick(f, "Commercial invoice", "Invoice", "Export invoice"))
	f.Say(12, 77.5, 8, "", "We charge for our delivery as follows:")
	f.Rule(12, 83, 198, 83)
	xs := []float64{12, 24, 112, 132, 168, 198}
	for i, title := range []string{"Pos.", "Article / description", "Qty", "Unit"} {
		f.Say(xs[i], 84.5, 7.5, "B", title)
	}
	f.Right(xs[4], 84.5, 7.5, "B", "Unit price EUR")
	f.Right(xs[5], 84.5, 7.5, "B", "Total EUR")
	f.Rule(12, 89, 198, 89)
	y = 91
	for i, g := range s.Goods {
		row := f.Row("lines")
		f.Fill(12, y, 10, 8.5, fmt.Sprint(10*(i+1)))
		f.Fill(24, y, 84, 8.5, row.Text("description", g.Words))
		f.Fill(24, y+4, 84, 7.5, "Tariff no. "+row.Number("hs_code", g.HS)+", origin "+row.Text("origin", origin(g.Origin)))
		f.Fill(112, y, 18, 8.5, row.Count("quantity", g.Quantity))
		f.Fill(132, y, 12, 8.5, row.Text("unit", g.Unit))
		f.FillRight(xs[4], y, 24, 8.5, row.Money("unit_price", "EUR", g.Price))
		f.FillRight(xs[5], y, 28, 8.5, row.Money("amount", "EUR", g.Amount()))
		y += 10.5
	}
	f.Rule(112, y, 198, y)
	carriage := 10000 + 500*f.R.IntN(300)
	for _, p := range [][2]string{{"Value of goods", f.Money("", "", s.Total())}, {"Freight and packing", f.Money("", "", carriage)}, {"VAT 0 % (tax-free export)", f.Money("", "", 0)}, {form.Pick(f, "Invoice amount", "Total amount", "Amount payable") + " " + f.Code("currency", "EUR", "EUR"), f.Money("total", "EUR", s.Total()+carriage)}} {
		f.Say(112, y+1.5, 8, "", p[0])
		f.FillRight(198, y+1.5, 34, 8.5, p[1])
		y += 5
	}
	y = f.Label(12, y+6, 34, 180, 8, "", "Terms of delivery", f.Code("incoterm", s.Incoterm, s.Incoterm+" "+s.Lading.Name+" (Incoterms 2020)"))
	y = f.Label(12, y, 34, 180, 8, "", "Terms of payment", f.Text("payment_terms", s.Pay))
	f.Paragraph(12, y+3, 186, 7, "The goods remain our property until paid in full. The exporter of the products covered by this document declares their preferential origin where stated.")
	f.Rule(12, 274, 198, 274)
	f.Lines(12, 276, 5.5, "", "Managing director: A. Lindgren - Commercial register HRB 12345 - Bank: Harbour Trade Bank, IBAN DE00 0000 0000 "+s.Entry, "Phone "+s.Shipper.Phone+" - office@firm.example")
}

// numberedInvoice is that of exporters in South America: numbered captions, the tax
// code of the customs union, and the term of delivery in the caption of the sum.
func numberedInvoice(f *form.Form) {
	redraw(f, "02/01/2006", from("BR", "CL", "PE"))
	s := f.S
	f.Page("A4")
	f.Centre(105, 8, 13, "B", form.Pick(f, "COMMERCIAL INVOICE / FATURA COMERCIAL", "FATURA COMERCIAL - COMMERCIAL INVOICE", "COMMERCIAL INVOICE"))
	f.Box(10, 16, 100, 27, "1. EXPORTER / EXPORTADOR", append(f.Party("seller", s.Shipper, 4), "CNPJ 12.345.678/0001-"+s.Pickup[:2])...)
	f.Box(110, 16, 45, 13.5, "2. INVOICE NUMBER / FATURA N.", f.Number("invoice_number", s.Invoice))
	f.Box(155, 16, 45, 13.5, "3. DATE / DATA", f.Day("issue_date", s.Invoiced))
	f.Box(110, 29.5, 45, 13.5, "4. PURCHASE ORDER / PEDIDO", f.Number("po_number", s.PO))
	f.Box(155, 29.5, 45, 13.5, "5. EXPORT PROCESS", s.Pickup+"/26")
	f.Box(10, 43, 100, 27, "6. IMPORTER / IMPORTADOR", f.Party("buyer", s.Buyer, 4)...)
	f.Box(110, 43, 90, 13.5, "7. PAYMENT TERMS / CONDIÇÃO DE PAGAMENTO", f.Text("payment_terms", s.Pay))
	f.Box(110, 56.5, 90, 13.5, "8. INCOTERM (2020)", f.Code("incoterm", s.Incoterm, s.Incoterm))
	f.Box(10, 70, 47, 12, "9. PORT OF LOADING", s.Lading.Name)
	f.Box(57, 70, 53, 12, "10. PORT OF DESTINATION", s.Unlading.Name)
	f.Box(110, 70, 45, 12, "11. VESSEL", s.Ship.Name)
	f.Box(155, 70, 45, 12, "12. B/L N.", f.Number("bl_number", s.BL))
	var rows [][]string
	for i, g := range s.Goods {
		row := f.Row("lines")
		rows = append(rows, []string{fmt.Sprint(i + 1), row.Number("hs_code", g.HS), row.Text("description", g.Words), row.Count("quantity", g.Quantity), row.Text("unit", g.Unit), row.Money("unit_price", s.Currency, g.Price), row.Money("amount", s.Currency, g.Amount())})
	}
	y := f.Table(10, 86, 7.5, true, []form.Column{
		{Title: "ITEM", Width: 11}, {Title: "NCM / HS", Width: 25}, {Title: "DESCRIPTION / DESCRIÇÃO", Width: 66}, {Title: "QTY", Width: 18, Right: true}, {Title: "UM", Width: 12},
		{Title: "UNIT PRICE\n" + f.Code("currency", s.Currency, s.Currency), Width: 26, Right: true}, {Title: "TOTAL PRICE\n" + s.Currency, Width: 32, Right: true},
	}, rows)
	f.Frame(10, y, 190, 7)
	f.Say(90, y+2, 7.5, "B", "TOTAL "+s.Incoterm+" "+strings.ToUpper(s.Lading.Name))
	f.FillRight(199, y+2, 46, 8.5, s.Currency+" "+f.Money("total", s.Currency, s.Total()))
	f.Box(10, y+7, 48, 12, "PACKAGES / VOLUMES", fmt.Sprint(s.Packages()))
	f.Box(58, y+7, 48, 12, "NET WEIGHT / PESO LÍQUIDO", f.Mass("", s.Net()))
	f.Box(106, y+7, 48, 12, "GROSS WEIGHT / PESO BRUTO", f.Mass("", s.Gross()))
	f.Box(154, y+7, 46, 12, "ORIGIN / ORIGEM", strings.ToUpper(origin(s.Lading.Country)))
	f.Say(11, y+21, 7, "B", "CONTAINERS:")
	for i, b := range s.Containers {
		f.Fill(36+40*float64(i), y+21, 38, 8, f.Row("containers").Container("number", b.Number))
	}
	f.Paragraph(11, y+28, 186, 6.5, "BANK DETAILS: Banco do Porto, SWIFT BPORXXXX, account 0001-"+s.Pickup+". WE DECLARE THAT THE PRICES ARE THOSE AGREED WITH THE IMPORTER.")
}

// cratePacking is a maker of machines': sizes of cases between goods and weights.
func cratePacking(f *form.Form) {
	redraw(f, f.Style.Day, of("84", "73", "94"))
	s := f.S
	f.Page("A4")
	f.Say(12, 9, 12, "B", s.Shipper.Name)
	f.Lines(12, 15, 7, "", s.Shipper.Address...)
	f.Right(198, 9, 14, "B", form.Pick(f, "PACKING LIST", "COLLI LIST", "Packing list / colli list"))
	ruled(f, 110, 17, 7, []float64{44, 44}, [][][2]string{
		{{"List no.", f.Number("packing_list_number", s.Packing)}, {"Date", f.Day("issue_date", s.Invoiced)}},
		{{"Invoice", f.Number("invoice_number", s.Invoice)}, {"P.O.", f.Number("po_number", s.PO)}},
		{{"Project", "LINE 4 EXTENSION, " + strings.ToUpper(s.Delivery.Name)}},
	})
	f.Say(12, 30, 7, "B", "Consigned to")
	stack(f, 12, 34, 90, 8.5, append([]string{s.Buyer.Name}, s.Buyer.Address...)...)
	var rows [][]string
	first := 1
	for _, g := range s.Goods {
		row := f.Row("lines")
		rows = append(rows, []string{fmt.Sprintf("%d/%d", first, first+g.Cartons-1), row.Text("description", g.Words), row.Count("packages", g.Cartons), row.Count("quantity", g.Quantity), fmt.Sprintf("%d x %d x %d", 60+10*f.R.IntN(6), 40+10*f.R.IntN(3), 30+5*f.R.IntN(5)), row.BareVolume("volume", g.Volume), row.BareMass("net_weight", g.Net), row.BareMass("gross_weight", g.Gross)})
		first += g.Cartons
	}
	y := f.Table(12, 54, 7.5, true, []form.Column{
		{Title: "Case no.", Width: 20}, {Title: "Contents", Width: 50}, {Title: "Cases", Width: 14, Right: true}, {Title: "Pieces", Width: 16, Right: true}, {Title: "L x W x H\n(cm)", Width: 25},
		{Title: "Volume\n(" + f.Cubic + ")", Width: 19, Right: true}, {Title: "Net\n(" + f.Kilo + ")", Width: 21, Right: true}, {Title: "Gross\n(" + f.Kilo + ")", Width: 21, Right: true},
	}, rows)
	f.Fill(12, y+4, 186, 9, fmt.Sprintf("%s cases in all, %s net, %s gross, %s", f.Count("packages", s.Packages()), f.Mass("net_weight", s.Net()), f.Mass("gross_weight", s.Gross()), f.Volume("volume", s.Volume())))
	y += 12
	f.Frame(12, y, 80, 22)
	f.Say(13, y+1, 6.5, "", "Case marking")
	f.Prose(13, y+5, 78, 9, f.Text("marks", s.Buyer.Name+" "+strings.ToUpper(s.Delivery.Name)+" "+s.PO+" KEEP DRY"))
	for i, b := range s.Containers {
		row := f.Row("containers")
		f.Label(100, y+1+5*float64(i), 0, 98, 8, "", fmt.Sprintf("Container %d", i+1), row.Container("number", b.Number)+"   Seal "+row.Number("seal", b.Seal))
	}
	f.Paragraph(12, 262, 186, 6.5, "Wooden packing is heat treated. Lifting points are marked on each case; do not stack more than two high.")
}

// blockPacking has no table: a block of captions for each line of goods, and one for all
// of them.
func blockPacking(f *form.Form) {
	s := f.S
	f.Page("Letter")
	letterhead(f, s.Shipper)
	f.Centre(108, f.Y, 14, "B", form.Pick(f, "PACKING LIST", "Packing List", "EXPORT PACKING LIST"))
	y := f.Y + 9
	f.Label(12, y, 0, 90, 8.5, "", "Ship to:", s.Buyer.Name)
	f.Label(12, y+4.6, 0, 90, 8.5, "", "Ref. P.O.:", f.Number("po_number", s.PO))
	f.Label(120, y, 0, 84, 8.5, "", "Date:", f.Day("issue_date", s.Invoiced))
	f.Label(120, y+4.6, 0, 84, 8.5, "", "Ref. invoice:", f.Number("invoice_number", s.Invoice))
	y += 12
	for i, g := range s.Goods {
		row := f.Row("lines")
		f.Rule(12, y, 204, y)
		f.Say(12, y+1.5, 8.5, "B", fmt.Sprintf("Item %d", i+1))
		f.Fill(30, y+1.5, 170, 8.5, row.Text("description", g.Words))
		for k, p := range [][2]string{
			{"Cartons:", row.Count("packages", g.Cartons)}, {"Qty:", row.Count("quantity", g.Quantity) + " " + g.Unit}, {"Net:", row.Mass("net_weight", g.Net)},
			{"Gross:", row.Mass("gross_weight", g.Gross)}, {"Volume:", row.Volume("volume", g.Volume)}, {"Item code:", g.Item},
		} {
			f.Label(30+58*float64(k%3), y+6.5+4.6*float64(k/3), 18, 56, 8, "", p[0], p[1])
		}
		y += 17
	}
	f.Rule(12, y, 204, y)
	f.Say(12, y+1.5, 8.5, "B", "Shipment totals")
	for k, p := range [][2]string{{"Cartons:", f.Count("packages", s.Packages())}, {"Net weight:", f.Mass("net_weight", s.Net())}, {"Gross weight:", f.Mass("gross_weight", s.Gross())}, {"Volume:", f.Volume("volume", s.Volume())}} {
		f.Label(60, y+1.5+4.8*float64(k), 26, 90, 8.5, "", p[0], p[1])
	}
	y += 24
	for i := range s.Containers {
		y = f.Label(12, y, 0, 180, 8.5, "", "Container / seal:", containerAndSeal(f, i))
	}
	f.Label(12, y+3, 0, 190, 8.5, "", "Marks:", f.Text("marks", s.Buyer.Name+" / "+s.PO+" / C/NO. 1-"+fmt.Sprint(s.Packages())))
}

// quotation offers what a booking would later confirm.
func quotation(f *form.Form) {
	s := f.S
	f.Page("A4")
	letterhead(f, s.Forward)
	f.Say(12, f.Y, 15, "B", form.Pick(f, "QUOTATION", "Freight quotation", "OFFER - SEA FREIGHT FCL"))
	y := f.Y + 9
	for _, p := range [][2]string{{"Quote no.", "Q" + s.Entry}, {"Date", f.Day("", s.Booked)}, {"Valid until", f.Day("", s.Sailed)}, {"Customer", s.Shipper.Name}, {"Port of loading", f.Place("", s.Lading)}, {"Port of discharge", f.Place("", s.Unlading)}, {"Carrier", s.Line.Name}, {"Equipment", fmt.Sprint(len(s.Containers)) + " x " + f.Size("", s.Containers[0].Size)}, {"Commodity", s.Goods[0].Words}, {"Transit time", fmt.Sprint(18+f.R.IntN(20)) + " days"}} {
		y = f.Label(12, y, 36, 180, 8.5, "B", p[0], p[1])
	}
	var rows [][]string
	for _, name := range []string{"Ocean freight", "Bunker factor", "THC origin", "Bill of lading fee", "VGM fee"} {
		rows = append(rows, []string{name, form.Pick(f, "per container", "per B/L"), "USD", f.Money("", "", 2500+100*f.R.IntN(2500))})
	}
	y = f.Table(12, y+4, 8, true, []form.Column{{Title: "Charge", Width: 70}, {Title: "Basis", Width: 40}, {Title: "Currency", Width: 24}, {Title: "Rate", Width: 34, Right: true}}, rows)
	f.Paragraph(12, y+5, 186, 8, "This offer is subject to space and equipment, and to surcharges in force on the day of shipment. To book, please reply with the number of this quotation, date of readiness and weight; we shall then send a booking confirmation. No commercial invoice is needed at this stage.")
}

// fumigation certifies what was done to a container, and names all of its papers.
func fumigation(f *form.Form) {
	s := f.S
	f.Page("A4")
	f.Centre(105, 10, 12, "", "STRAITS PEST CONTROL SERVICE")
	f.Centre(105, 17, 15, "B", form.Pick(f, "FUMIGATION CERTIFICATE", "CERTIFICATE OF FUMIGATION", "CERTIFICATE OF DISINFECTION"))
	y := ruled(f, 12, 28, 7.5, []float64{93, 93}, [][][2]string{
		{{"Certificate no.", "FC" + s.Pickup}, {"Date of issue", f.Day("", s.Invoiced)}},
		{{"Exporter", s.Shipper.Name}, {"Consignee", s.Buyer.Name}},
		{{"Vessel / voyage", s.Ship.Name + " / " + s.Voyage}, {"B/L no.", s.BL}},
		{{"Port of loading", f.Place("", s.Lading)}, {"Port of discharge", f.Place("", s.Unlading)}},
		{{"Commercial invoice no.", s.Invoice}, {"Packages", fmt.Sprintf("%d CARTONS ON PALLETS", s.Packages())}},
		{{"Gross weight", f.Mass("", s.Gross())}, {"Net weight", f.Mass("", s.Net())}},
	})
	for _, b := range s.Containers {
		y = f.Label(13, y+1, 0, 170, 8.5, "", "Container no.", f.Container("", b.Number)+"   seal "+b.Seal)
	}
	f.Paragraph(12, y+6, 186, 8.5, "The container named above, with the goods and the wood in it, was treated with methyl bromide, 48 g per cubic metre, for 24 hours at 21 degrees, and aired thereafter. Nothing is certified about the quality of the goods.")
	f.Right(198, 200, 8.5, "", "Fumigator in charge, stamp and signature")
}
