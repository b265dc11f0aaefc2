package train

import (
	"fmt"
	"strings"

	"github.com/landfallhq/tracking/classify/corpus/form"
	"github.com/landfallhq/tracking/classify/corpus/truth"
	"github.com/landfallhq/tracking/refdata"
)

// specimenPapersH are packing lists container by container and pallet by pallet, with
// sums in sentences, and others of lot H.
var specimenPapersH = []form.Layout{
	{Name: "pl-container-bands", Type: truth.PackingList, Copies: 3, Draw: bandPacking},
	{Name: "pl-two-units", Type: truth.PackingList, Copies: 2, Draw: twoUnitPacking},
	{Name: "pl-packliste", Type: truth.PackingList, Copies: 3, Draw: germanPacking},
	{Name: "pl-pallets", Type: truth.PackingList, Copies: 3, Draw: palletPacking},
	{Name: "pl-said-sums", Type: truth.PackingList, Copies: 3, Draw: saidPacking},
	{Name: "other-eur1", Type: truth.CertificateOfOrigin, Copies: 2, Draw: movementCertificate},
	{Name: "other-policy", Type: truth.Other, Copies: 2, Draw: insurancePolicy},
	{Name: "other-si", Type: truth.Other, Copies: 3, Draw: shippingInstruction},
	{Name: "other-dock-receipt", Type: truth.Other, Copies: 3, Draw: dockReceipt},
}

// bandPacking has a band for each container, its goods below, and sums of each and all.
func bandPacking(f *form.Form) {
	s := strange(f, form.Pick(f, "2006-01-02", "02 January 2006", "Jan-02-06"), several(anywhere))
	lots := []string{"LOT A", "LOT B", "LOT C", "LOT D", "LOT E"}[:len(s.Containers)]
	goods := assorted(f, lots...)
	f.Page("A4")
	f.Say(12, 9, 15, "B", form.Pick(f, "Packing List", "PACKING LIST BY CONTAINER", "Container packing list"))
	f.Right(198, 9, 9, "", s.Shipper.Name)
	f.Right(198, 13.5, 7, "", strings.Join(s.Shipper.Address, ", "))
	f.Label(12, 20, 24, 90, 8, "B", "P/L ref.", f.Number("packing_list_number", s.Packing))
	f.Label(12, 24.5, 24, 90, 8, "B", "Invoice ref.", f.Number("invoice_number", s.Invoice))
	f.Label(110, 20, 24, 88, 8, "B", "Dated", f.Day("issue_date", s.Invoiced))
	f.Label(110, 24.5, 24, 88, 8, "B", "Order ref.", f.Number("po_number", s.PO))
	f.Label(12, 30, 24, 186, 8, "B", "Consignee", oneLine(s.Buyer))
	stops := []float64{12, 94, 114, 134, 156, 178, 199}
	f.Rule(12, 36, 198, 36)
	f.Heads(37.5, 7.5, stops, "lrrrrr", "Goods", "Pcs", "Pkgs", "Net "+f.Kilo, "Gross "+f.Kilo, f.Cubic)
	y := 43.0
	for i, b := range s.Containers {
		box := f.Row("containers")
		f.Shade(12, y, 186, 5.5, 225)
		f.Fill(13, y+1.2, 120, 8.5, "Container "+box.Container("number", b.Number)+"   Seal "+box.Number("seal", b.Seal))
		y += 7.5
		var inside [][]string
		var sub []int
		for k := i; k < len(goods); k += len(lots) {
			g, row := goods[k], f.Row("lines")
			inside = append(inside, []string{row.Text("description", g.Words), row.Count("quantity", g.Quantity), row.Count("packages", g.Cartons), row.BareMass("net_weight", g.Net), row.BareMass("gross_weight", g.Gross), row.BareVolume("volume", g.Volume)})
			sub = append(sub, k)
		}
		for _, cells := range inside {
			y = f.Spread(y, 8, stops, "lrrrrr", cells...)
		}
		part := goods[:0:0]
		for _, k := range sub {
			part = append(part, goods[k])
		}
		sum := together(part)
		y = f.Spread(y+0.5, 8, stops, "lrrrrr", "Sum of this container", "", f.Count("", sum.Cartons), f.BareMass("", sum.Net), f.BareMass("", sum.Gross), f.BareVolume("", sum.Volume)) + 2
	}
	f.Rule(12, y, 198, y)
	packages, net, gross, volume := weighed(f, together(goods))
	f.Spread(y+1.5, 9, stops, "lrrrrr", form.Pick(f, "All containers", "GRAND TOTAL", "Total shipment"), "", packages, net, gross, volume)
}

// twoUnitPacking gives weights in kilograms and, below them, in pounds.
func twoUnitPacking(f *form.Form) {
	s := strange(f, form.Pick(f, "January 2, 2006", "02-Jan-2006"), to("US"))
	f.Style.Figures = 1
	f.Page("Letter")
	f.Centre(108, 9, 14, "B", form.Pick(f, "PACKING LIST AND WEIGHT NOTE", "WEIGHT & MEASUREMENT LIST", "PACKING / WEIGHT LIST"))
	y := ruled(f, 12, 19, 8, []float64{96, 96}, [][][2]string{{{"Exporter:", s.Shipper.Name}, {"Importer:", s.Buyer.Name}}, {{"No.", f.Number("packing_list_number", s.Packing)}, {"Date", f.Day("issue_date", s.Invoiced)}}, {{"To invoice", f.Number("invoice_number", s.Invoice)}, {"To order", f.Number("po_number", s.PO)}}}) + 5
	stops := []float64{12, 90, 112, 132, 158, 184, 206}
	f.Heads(y, 7.5, stops, "lrrrrr", "Merchandise", "Cartons", "Units", "Net weight", "Gross weight", "Volume")
	y += 5
	for _, g := range s.Goods {
		row := f.Row("lines")
		f.Spread(y, 8.5, stops, "lrrrrr", row.Text("description", g.Words), row.Count("packages", g.Cartons), row.Count("quantity", g.Quantity), row.Mass("net_weight", g.Net), row.Mass("gross_weight", g.Gross), row.Volume("volume", g.Volume))
		y = f.Spread(y+3.7, 8, stops, "lrrrrr", "", "", "", f.Pounds("", g.Net), f.Pounds("", g.Gross), "") + 1.5
	}
	f.Rule(12, y, 204, y)
	f.Spread(y+1.5, 8.5, stops, "lrrrrr", "Totals", f.Count("packages", s.Packages()), "", f.Mass("net_weight", s.Net()), f.Mass("gross_weight", s.Gross()), f.Volume("volume", s.Volume()))
	y = f.Spread(y+5.2, 8, stops, "lrrrrr", "", "", "", f.Pounds("", s.Net()), f.Pounds("", s.Gross()), "") + 5
	f.Label(12, y, 0, 190, 8.5, "", "Marked:", f.Text("marks", s.Buyer.Name+", "+strings.ToUpper(s.Delivery.Name)+", "+s.PO))
	for i := range s.Containers {
		f.Label(12, y+6+4.5*float64(i), 0, 190, 8.5, "", "Stuffed in", containerAndSeal(f, i))
	}
}

// germanPacking is a maker's of machines or a merchant's in Germany.
func germanPacking(f *form.Form) {
	s := strange(f, form.Pick(f, "02.01.2006", "2. January 2006"), from("DE", "NL", "TR", "IT"))
	f.Style.Months, f.Style.Upper = tongues["de"], false
	notation(f, ".", ",", form.Pick(f, 1, 2))
	f.Page("A4")
	f.Say(12, 26, 6, "", s.Shipper.Name+", "+strings.Join(s.Shipper.Address, ", "))
	stack(f, 12, 30, 85, 9, append([]string{s.Buyer.Name}, s.Buyer.Address...)...)
	f.Say(12, 55, 14, "B", form.Pick(f, "PACKLISTE", "Packliste / Packing List", "Versand- und Packliste"))
	y := 30.0
	for _, p := range [][2]string{{"Nummer", f.Number("packing_list_number", s.Packing)}, {"Datum", f.Day("issue_date", s.Invoiced)}, {"Rechnung", f.Number("invoice_number", s.Invoice)}, {"Bestellung", f.Number("po_number", s.PO)}, {"Kundennummer", num(f, "1####")}} {
		y = f.Label(130, y, 28, 68, 8.5, "", p[0], p[1])
	}
	var rows [][]string
	for i, g := range s.Goods {
		row := f.Row("lines")
		rows = append(rows, []string{fmt.Sprint(i + 1), row.Text("description", g.Words), row.Count("quantity", g.Quantity), row.Count("packages", g.Cartons), row.BareMass("net_weight", g.Net), row.BareMass("gross_weight", g.Gross), row.BareVolume("volume", g.Volume)})
	}
	rows = append(rows, []string{"", form.Pick(f, "Summe", "Gesamt"), "", f.Count("packages", s.Packages()), f.BareMass("net_weight", s.Net()), f.BareMass("gross_weight", s.Gross()), f.BareVolume("volume", s.Volume())})
	y = f.Table(12, 66, 8, true, []form.Column{{Title: "Pos.", Width: 10}, {Title: "Bezeichnung", Width: 68}, {Title: "Menge", Width: 20, Right: true}, {Title: "Kolli", Width: 18, Right: true}, {Title: "Netto kg", Width: 23, Right: true}, {Title: "Brutto kg", Width: 23, Right: true}, {Title: "m³", Width: 24, Right: true}}, rows) + 4
	y = f.Label(12, y, 30, 186, 8.5, "", "Markierung", f.Text("marks", s.Buyer.Name+" "+s.PO))
	for _, b := range s.Containers {
		row := f.Row("containers")
		y = f.Label(12, y, 30, 186, 8.5, "", "Container", row.Container("number", b.Number)+", Plombe "+row.Number("seal", b.Seal))
	}
	f.Paragraph(12, y+5, 186, 7.5, "Verpackung nach ISPM 15. Lieferbedingung: "+s.Incoterm+" "+s.Lading.Name+". Diese Packliste ist keine Rechnung.")
}

// palletPacking has a row for each pallet.
func palletPacking(f *form.Form) {
	s := strange(f, form.Pick(f, "02-Jan-06", "2006/01/02", "2 January 2006"), anywhere)
	goods := assorted(f, "PALLET 1", "PALLET 2", "PALLET 3", "PALLET 4")
	f.Page("L")
	f.Say(12, 9, 13, "B", s.Shipper.Name)
	f.Right(285, 9, 13, "B", form.Pick(f, "PALLET PACKING LIST", "Packing list", "PACKING LIST (PALLETISED)"))
	f.Lines(12, 15, 7, "", strings.Join(s.Shipper.Address, ", "))
	f.Cells(12, 21, 11, []float64{55, 55, 55, 54, 54}, [2]string{"List", f.Number("packing_list_number", s.Packing)}, [2]string{"Day", f.Day("issue_date", s.Invoiced)}, [2]string{"Invoice", f.Number("invoice_number", s.Invoice)}, [2]string{"Customer order", f.Number("po_number", s.PO)}, [2]string{"Customer", s.Buyer.Name})
	var rows [][]string
	for i, g := range goods {
		row := f.Row("lines")
		rows = append(rows, []string{fmt.Sprintf("P%02d", i+1), g.Item, row.Text("description", g.Words), "120x80x" + fmt.Sprint(90+10*f.R.IntN(10)), row.Count("packages", g.Cartons), row.Count("quantity", g.Quantity), row.BareMass("net_weight", g.Net), row.BareMass("gross_weight", g.Gross), row.BareVolume("volume", g.Volume)})
	}
	packages, net, gross, volume := weighed(f, together(goods))
	rows = append(rows, []string{fmt.Sprint(len(goods)), "", form.Pick(f, "TOTAL", "Pallets in all"), "", packages, "", net, gross, volume})
	y := f.Table(12, 36, 7.5, f.R.IntN(2) == 0, []form.Column{{Title: "Pallet", Width: 18}, {Title: "Item", Width: 28}, {Title: "Contents", Width: 86}, {Title: "Dim. cm", Width: 27}, {Title: "Cartons", Width: 20, Right: true}, {Title: "Pieces", Width: 22, Right: true}, {Title: "Net (" + f.Kilo + ")", Width: 24, Right: true}, {Title: "Gross (" + f.Kilo + ")", Width: 24, Right: true}, {Title: "Vol. (" + f.Cubic + ")", Width: 24, Right: true}}, rows) + 4
	for i := range s.Containers {
		y = f.Label(12, y, 0, 186, 8, "B", "Loaded into", containerAndSeal(f, i))
	}
}

// saidPacking has its sums in a sentence alone, and no number of its own.
func saidPacking(f *form.Form) {
	s := strange(f, form.Pick(f, "Jan. 02, 2006", "2 January, 2006", "02 Jan, 2006"), from("IN", "LK", "AE", "SG", "TH", "MY", "VN"))
	f.Page("A4")
	f.Frame(10, 8, 190, 262)
	f.Centre(105, 10, 13, "B", "PACKING LIST")
	f.Rule(10, 17, 200, 17)
	f.Field(12, 18, 90, "EXPORTER", append([]string{s.Shipper.Name}, s.Shipper.Address...)...)
	f.Field(106, 18, 90, "INVOICE NO. & DATE", f.Number("invoice_number", s.Invoice)+"  DT. "+f.Day("issue_date", s.Invoiced))
	f.Field(106, 29, 90, "BUYER'S ORDER NO.", f.Number("po_number", s.PO))
	f.Rule(10, 40, 200, 40)
	f.Field(12, 41, 90, "CONSIGNEE", append([]string{s.Buyer.Name}, s.Buyer.Address...)...)
	f.Field(106, 41, 90, "COUNTRY OF ORIGIN / FINAL DESTINATION", strings.ToUpper(origin(s.Lading.Country)+" / "+origin(s.Delivery.Country)))
	f.Field(106, 52, 90, "VESSEL / PORT OF LOADING", s.Ship.Name+" / "+strings.ToUpper(s.Lading.Name))
	f.Rule(10, 63, 200, 63)
	stops := []float64{12, 40, 102, 120, 140, 168, 198}
	f.Heads(64.5, 6.5, stops, "llrrrr", "MARKS & NOS.", "DESCRIPTION", "PKGS", "QTY", "NET WT. KGS", "GROSS WT. KGS")
	f.Rule(10, 69, 200, 69)
	y := 71.0
	for i, g := range s.Goods {
		row := f.Row("lines")
		mark := ""
		if i == 0 {
			mark = f.Text("marks", "AS ADDRESSED")
		}
		y = f.Spread(y, 8.5, stops, "llrrrr", mark, row.Text("description", g.Words), row.Count("packages", g.Cartons), row.Count("quantity", g.Quantity), row.BareMass("net_weight", g.Net), row.BareMass("gross_weight", g.Gross)) + 2
	}
	f.Rule(10, 190, 200, 190)
	y = f.Prose(12, 193, 184, 9, "TOTAL "+inWords(s.Packages())+" ("+f.Count("packages", s.Packages())+") PACKAGES ONLY, TOTAL NET WEIGHT "+f.Mass("net_weight", s.Net())+", TOTAL GROSS WEIGHT "+f.Mass("gross_weight", s.Gross())+", TOTAL MEASUREMENT "+f.Volume("volume", s.Volume())) + 3
	for i := range s.Containers {
		y = f.Label(12, y, 0, 180, 8, "", "CONTAINER NO./LINE SEAL:", containerAndSeal(f, i))
	}
	f.Say(12, 252, 7, "", "DECLARATION: We declare that the packages contain the goods stated and nothing else.")
	f.Right(196, 262, 8, "", "For "+s.Shipper.Name)
}

// movementCertificate is of origin, for the customs of two unions.
func movementCertificate(f *form.Form) {
	s := strange(f, "02/01/2006", from("TR", "CL", "PE", "ZA", "CH", "IN"))
	f.Page("A4")
	f.Centre(105, 8, 13, "B", "MOVEMENT CERTIFICATE EUR.1")
	f.Right(198, 15, 9, "", "No A "+num(f, "### ###"))
	f.Box(12, 20, 93, 24, "1. Exporter (name, full address, country)", append([]string{s.Shipper.Name}, s.Shipper.Address...)...)
	f.Box(105, 20, 93, 24, "2. Certificate used in preferential trade between", strings.ToUpper(origin(s.Lading.Country)), "and", "THE EUROPEAN UNION")
	f.Box(12, 44, 93, 24, "3. Consignee (name, full address, country) (optional)", append([]string{s.Buyer.Name}, s.Buyer.Address...)...)
	f.Box(105, 44, 46, 24, "4. Country of origin", refdata.CountryName(s.Lading.Country))
	f.Box(151, 44, 47, 24, "5. Country of destination", refdata.CountryName(s.Delivery.Country))
	f.Box(12, 68, 93, 16, "6. Transport details (optional)", "BY SEA, "+s.Ship.Name+" "+s.Voyage, "B/L "+s.BL)
	f.Box(105, 68, 93, 16, "7. Remarks", "CONTAINER "+f.Container("", s.Containers[0].Number))
	f.Box(12, 84, 120, 60, "8. Item number; marks and numbers; number and kind of packages; description of goods")
	y := 90.0
	for i, g := range s.Goods {
		y = f.Prose(14, y, 114, 8, fmt.Sprintf("%d. %d CARTONS %s", i+1, g.Cartons, g.Words)) + 1
	}
	f.Box(132, 84, 33, 60, "9. Gross mass (kg)", f.Mass("", s.Gross()))
	f.Box(165, 84, 33, 60, "10. Invoices (optional)", s.Invoice, f.Day("", s.Invoiced))
	f.Box(12, 144, 93, 40, "11. CUSTOMS ENDORSEMENT. Declaration certified", "Export document", "Place and date "+s.Lading.Name+" "+f.Day("", s.Sailed))
	f.Box(105, 144, 93, 40, "12. DECLARATION BY THE EXPORTER", "The goods meet the conditions required", "for the issue of this certificate.")
}

// insurancePolicy is a certificate in sentences.
func insurancePolicy(f *form.Form) {
	s := strange(f, form.Pick(f, "2 January 2006", "Jan 02, 2006"), anywhere)
	f.Page("A4")
	f.Centre(105, 10, 12, "B", "NORTH SEA MUTUAL MARINE INSURANCE")
	f.Centre(105, 17, 14, "B", form.Pick(f, "CERTIFICATE OF INSURANCE", "CARGO TRANSPORTATION INSURANCE POLICY", "Open cover declaration and certificate"))
	f.Label(12, 27, 0, 90, 9, "", "Certificate no.", num(f, "NSM-26-#####"))
	f.Label(140, 27, 0, 58, 9, "", "Dated", f.Day("", s.Sailed))
	y := f.Prose(12, 36, 186, 9.5, "This is to certify that "+s.Shipper.Name+" have been insured under our open policy for the sum of "+s.Currency+" "+f.Money("", "", s.Total()*110/100)+" ("+inMoney(s.Currency, s.Total()*110/100)+") on "+s.Goods[0].Words+" and other goods as per commercial invoice "+s.Invoice+" and packing list "+s.Packing+", shipped per "+s.Ship.Name+" "+s.Voyage+" from "+f.Place("", s.Lading)+" to "+f.Place("", s.Unlading)+", bill of lading "+s.BL+", sailing on or about "+f.Day("", s.Sailed)+".") + 4
	for _, b := range s.Containers {
		y = f.Prose(12, y, 186, 9.5, "Container "+f.Container("", b.Number)+", "+fmt.Sprint(b.Packages)+" packages, "+f.Mass("", b.Gross)+".")
	}
	f.Paragraph(12, y+5, 186, 8, "Conditions: Institute Cargo Clauses (A), War and Strikes. Claims are payable in "+s.Delivery.Name+". Deliver at once to the agent: this certificate, the bill of lading, the invoice, the packing list, the delivery order with notes of damage, and the report of survey.")
	f.Right(198, 230, 9, "", "For the insurers, authorised signature")
}

// shippingInstruction tells a carrier what the bill is to say: it has all of a bill's boxes.
func shippingInstruction(f *form.Form) {
	s := strange(f, form.Pick(f, "02-Jan-2006", "02.01.2006"), anywhere)
	f.Page("A4")
	f.Say(12, 9, 14, "B", form.Pick(f, "SHIPPING INSTRUCTIONS", "B/L INSTRUCTIONS", "SHIPPER'S LETTER OF INSTRUCTION (OCEAN)"))
	f.Right(198, 10, 8.5, "", "to "+s.Line.Name+" documentation")
	y := f.Cells(12, 18, 11, []float64{62, 62, 62}, [2]string{"Booking number", s.Booking}, [2]string{"Sent on", f.Day("", s.Cutoff)}, [2]string{"B/L type requested", form.Pick(f, "3 originals", "sea waybill", "express release")})
	f.Box(12, y, 93, 22, "Shipper (to appear on B/L)", append([]string{s.Shipper.Name}, s.Shipper.Address...)...)
	f.Box(105, y, 93, 22, "Consignee (to appear on B/L)", append([]string{s.Buyer.Name}, s.Buyer.Address...)...)
	f.Box(12, y+22, 93, 22, "Notify (to appear on B/L)", append([]string{s.Notify.Name}, s.Notify.Address...)...)
	f.Box(105, y+22, 93, 22, "Freight and charges", map[bool]string{true: "PREPAID", false: "COLLECT"}[s.Prepaid], "B/L to be released to forwarder")
	y = f.Cells(12, y+44, 11, []float64{46.5, 46.5, 46.5, 46.5}, [2]string{"Vessel / voyage", s.Ship.Name + " " + s.Voyage}, [2]string{"Load port", f.Place("", s.Lading)}, [2]string{"Discharge port", f.Place("", s.Unlading)}, [2]string{"Delivery", f.Place("", s.Delivery)})
	var rows [][]string
	for _, b := range s.Containers {
		rows = append(rows, []string{f.Container("", b.Number), b.Seal, f.Size("", b.Size), f.Count("", b.Packages), f.BareMass("", b.Gross), f.BareVolume("", b.Volume)})
	}
	y = f.Table(12, y+4, 8, true, []form.Column{{Title: "Container", Width: 38}, {Title: "Seal", Width: 34}, {Title: "Type", Width: 38}, {Title: "Packages", Width: 22, Right: true}, {Title: "Cargo weight kg", Width: 28, Right: true}, {Title: "CBM", Width: 26, Right: true}}, rows)
	y = f.Prose(12, y+4, 186, 8.5, described(s))
	f.Paragraph(12, y+5, 186, 7.5, "Please send us the draft bill of lading for approval before the documentation cut-off. Amendments after release are charged. We need two copies non-negotiable besides.")
}

// dockReceipt is the form of American piers, with the numbers of its boxes.
func dockReceipt(f *form.Form) {
	s := strange(f, form.Pick(f, "01/02/2006", "Jan 2, 2006"), to("US"))
	f.Page("Letter")
	f.Centre(108, 8, 14, "B", form.Pick(f, "DOCK RECEIPT", "DOCK RECEIPT - NON-NEGOTIABLE", "PIER RECEIPT"))
	f.Captioned(12, 16, 96, 24, 5.5, "2. EXPORTER (Principal or seller-licensee and address)", append([]string{s.Shipper.Name}, s.Shipper.Address...)...)
	f.Captioned(108, 16, 48, 12, 5.5, "5. DOCUMENT NUMBER", num(f, "DR#####"))
	f.Captioned(156, 16, 48, 12, 5.5, "5a. B/L OR AWB NUMBER", s.BL)
	f.Captioned(108, 28, 96, 12, 5.5, "6. EXPORT REFERENCES", s.Booking+"  "+s.PO)
	f.Captioned(12, 40, 96, 24, 5.5, "3. CONSIGNED TO", append([]string{s.Buyer.Name}, s.Buyer.Address...)...)
	f.Captioned(108, 40, 96, 24, 5.5, "7. FORWARDING AGENT", s.Forward.Name)
	f.Captioned(12, 64, 96, 12, 5.5, "14. EXPORTING CARRIER", s.Ship.Name+" "+s.Voyage)
	f.Captioned(108, 64, 48, 12, 5.5, "15. PORT OF LOADING/EXPORT", f.Place("", s.Lading))
	f.Captioned(156, 64, 48, 12, 5.5, "16. FOREIGN PORT OF UNLOADING", f.Place("", s.Unlading))
	var rows [][]string
	for _, b := range s.Containers {
		rows = append(rows, []string{f.Container("", b.Number) + " / " + b.Seal, f.Count("", b.Packages), s.Goods[0].Words, f.Mass("", b.Gross), f.Volume("", b.Volume)})
	}
	f.Table(12, 80, 7.5, true, []form.Column{{Title: "MARKS AND NUMBERS\n(18)", Width: 52}, {Title: "PKGS\n(19)", Width: 18, Right: true}, {Title: "DESCRIPTION OF COMMODITIES\n(20)", Width: 64}, {Title: "GROSS WEIGHT\n(21)", Width: 30}, {Title: "MEASUREMENT\n(22)", Width: 28}}, rows)
	f.Cells(12, 215, 14, []float64{64, 64, 64}, [2]string{"DELIVERED BY: LIGHTER / TRUCK", "TRUCK " + s.Trucker.Name}, [2]string{"ARRIVED - DATE, TIME", f.Moment("", s.Cutoff)}, [2]string{"CHECKED BY", ""})
	f.Paragraph(12, 234, 190, 6.5, "RECEIVED THE ABOVE DESCRIBED GOODS OR PACKAGES SUBJECT TO ALL THE TERMS OF THE UNDERSIGNED'S REGULAR FORM OF DOCK RECEIPT AND BILL OF LADING, WHICH SHALL CONSTITUTE THE CONTRACT UNDER WHICH THE GOODS ARE RECEIVED. COPIES ARE AVAILABLE FROM THE CARRIER ON REQUEST.")
	f.Right(204, 256, 8, "", "FOR THE MASTER, BY RECEIVING CLERK")
}
