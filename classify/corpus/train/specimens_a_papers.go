package train

import (
	"fmt"
	"strings"

	"github.com/landfallhq/tracking/classify/corpus/form"
	"github.com/landfallhq/tracking/classify/corpus/truth"
)

// specimenPapersA are invoices, packing lists and others of the first lot.
var specimenPapersA = []form.Layout{
	{Name: "ci-exporter", Type: truth.CommercialInvoice, Copies: 2, Draw: exporterInvoice},
	{Name: "ci-factory", Type: truth.CommercialInvoice, Copies: 2, Draw: factoryInvoice},
	{Name: "pl-garments", Type: truth.PackingList, Copies: 2, Draw: garmentPacking},
	{Name: "pl-batches", Type: truth.PackingList, Copies: 2, Draw: batchPacking},
	{Name: "other-dangerous", Type: truth.Other, Copies: 2, Draw: dangerousGoods},
	{Name: "other-statement", Type: truth.Other, Copies: 2, Draw: statement},
}

// exporterInvoice is that of exporters in India: number and date in one box, tax and
// licence numbers below the exporter, and terms of delivery and payment together.
func exporterInvoice(f *form.Form) {
	redraw(f, form.Pick(f, "02/01/2006", "02.01.2006", "02-01-2006"), from("IN", "LK"))
	s := f.S
	f.Page("A4")
	f.Centre(105, 8, 13, "B", form.Pick(f, "INVOICE", "COMMERCIAL INVOICE", "EXPORT INVOICE"))
	f.Centre(105, 14, 6.5, "I", "SUPPLY MEANT FOR EXPORT UNDER LUT WITHOUT PAYMENT OF INTEGRATED TAX")
	f.Captioned(10, 18, 95, 32, 6, "Exporter", append(f.Party("seller", s.Shipper, 4), "GSTIN 27AAB"+s.Pickup+"C1Z5", "IEC 03"+s.Entry[:8])...)
	f.Captioned(105, 18, 55, 11, 6, "Invoice No. & Date", f.Number("invoice_number", s.Invoice)+" DT. "+f.Day("issue_date", s.Invoiced))
	f.Captioned(160, 18, 40, 11, 6, "Exporter's Ref.", "LUT AD27"+s.Pickup)
	f.Captioned(105, 29, 95, 11, 6, "Buyer's Order No. & Date", f.Number("po_number", s.PO)+" DT. "+f.Day("", s.Booked))
	f.Captioned(105, 40, 95, 10, 6, "Other Reference(s)", "AD CODE 051"+s.Pickup)
	f.Captioned(10, 50, 95, 26, 6, "Consignee", f.Party("buyer", s.Buyer, 4)...)
	f.Captioned(105, 50, 95, 14, 6, "Buyer (if other than consignee)", "SAME AS CONSIGNEE")
	f.Captioned(105, 64, 48, 12, 6, "Country of Origin of Goods", origin(s.Lading.Country))
	f.Captioned(153, 64, 47, 12, 6, "Country of Final Destination", origin(s.Delivery.Country))
	f.Captioned(10, 76, 47, 10, 6, "Pre-Carriage by", "ROAD")
	f.Captioned(57, 76, 48, 10, 6, "Place of Receipt by Pre-Carrier", "")
	f.Captioned(10, 86, 47, 10, 6, "Vessel/Flight No.", s.Ship.Name+" "+s.Voyage)
	f.Captioned(57, 86, 48, 10, 6, "Port of Loading", s.Lading.Name)
	f.Captioned(10, 96, 47, 10, 6, "Port of Discharge", s.Unlading.Name)
	f.Captioned(57, 96, 48, 10, 6, "Final Destination", s.Delivery.Name)
	f.Captioned(105, 76, 95, 30, 6, "Terms of Delivery and Payment", f.Code("incoterm", s.Incoterm, s.Incoterm+" "+strings.ToUpper(s.Lading.Name)), f.Text("payment_terms", s.Pay))
	var rows [][]string
	for i, g := range s.Goods {
		row := f.Row("lines")
		mark := ""
		if i < len(s.Containers) {
			mark = f.Row("containers").Container("number", s.Containers[i].Number)
		}
		rows = append(rows, []string{mark, fmt.Sprintf("%d CTNS", g.Cartons), row.Text("description", g.Words), row.Number("hs_code", g.HS), row.Count("quantity", g.Quantity) + " " + row.Text("unit", g.Unit), row.Money("unit_price", s.Currency, g.Price), row.Money("amount", s.Currency, g.Amount())})
	}
	y := f.Table(10, 108, 7.5, true, []form.Column{
		{Title: "Marks & Nos./\nContainer No.", Width: 30}, {Title: "No. & Kind\nof Pkgs.", Width: 22}, {Title: "Description of Goods", Width: 52}, {Title: "HSN Code", Width: 22},
		{Title: "Quantity", Width: 20}, {Title: "Rate\n" + f.Code("currency", s.Currency, s.Currency), Width: 19, Right: true}, {Title: "Amount\n" + s.Currency, Width: 25, Right: true},
	}, rows)
	f.Frame(10, y, 190, 13)
	f.Say(11, y+1, 6, "", "Amount Chargeable (in words)")
	f.Fill(11, y+5, 135, 7, inMoney(s.Currency, s.Total()))
	f.Say(150, y+5, 8, "B", "Total")
	f.FillRight(199, y+5, 34, 8.5, f.Money("total", s.Currency, s.Total()))
	f.Paragraph(11, y+16, 110, 6.5, "Declaration: the price shown is the actual price of the goods and all particulars are true.")
	f.Captioned(125, y+15, 75, 22, 6, "Signature & Date", "FOR "+s.Shipper.Name)
}

// factoryInvoice is that of Chinese factories: no lines at all, marks at the left, the
// term of delivery above the prices, currencies before each amount, the sum in words.
func factoryInvoice(f *form.Form) {
	redraw(f, form.Pick(f, "Jan. 02, 2006", "2006-01-02", "2006.01.02"), from("CN", "HK", "TW"))
	s := f.S
	f.Page("A4")
	f.Centre(105, 10, 14, "B", s.Shipper.Name)
	f.Party("seller", s.Shipper, 4)
	f.Centre(105, 17, 8, "", "ADD: "+strings.Join(s.Shipper.Address, ", "))
	f.Centre(105, 21, 8, "", "TEL: "+s.Shipper.Phone+"  FAX: 86-755-5550177  E-MAIL: sales@factory.example")
	f.Rule(12, 26, 198, 26)
	f.Centre(105, 30, 14, "B", "COMMERCIAL INVOICE")
	f.Say(12, 40, 8.5, "", form.Pick(f, "TO:", "TO MESSRS:", "MESSRS."))
	stack(f, 36, 40, 84, 8.5, f.Party("buyer", s.Buyer, 4)...)
	y := f.Label(128, 40, 24, 70, 8.5, "", form.Pick(f, "INVOICE NO.:", "INV. NO.:"), f.Number("invoice_number", s.Invoice))
	y = f.Label(128, y, 24, 70, 8.5, "", "DATE:", f.Day("issue_date", s.Invoiced))
	y = f.Label(128, y, 24, 70, 8.5, "", "S/C NO.:", "SC26"+s.Pickup)
	f.Label(128, y, 24, 70, 8.5, "", "ORDER NO.:", f.Number("po_number", s.PO))
	f.Fill(12, 62, 180, 8.5, fmt.Sprintf("SHIPPED FROM %s TO %s BY SEA PER %s", f.Place("", s.Lading), f.Place("", s.Unlading), s.Ship.Name))
	f.Rule(12, 67, 198, 67)
	for i, title := range []string{"MARKS & NOS.", "COMMODITY AND SPECIFICATION", "QUANTITY", "UNIT PRICE", "AMOUNT"} {
		f.Say([]float64{12, 46, 110, 138, 168}[i], 68.5, 7.5, "B", title)
	}
	f.Rule(12, 73, 198, 73)
	f.Fill(138, 75, 58, 8.5, f.Code("incoterm", s.Incoterm, s.Incoterm+" "+strings.ToUpper(s.Lading.Name)))
	stack(f, 12, 80, 32, 7.5, strings.Fields(s.Buyer.Name)[0], s.PO, strings.ToUpper(s.Unlading.Name), fmt.Sprintf("NO. 1-%d", s.Packages()))
	y = 80
	pieces := 0
	for _, g := range s.Goods {
		row := f.Row("lines")
		foot := f.Prose(46, y, 62, 8, row.Text("description", g.Words))
		f.Fill(110, y, 26, 8, row.Count("quantity", g.Quantity)+row.Text("unit", g.Unit))
		f.Fill(138, y, 28, 8, f.Code("currency", s.Currency, s.Currency)+row.Money("unit_price", s.Currency, g.Price))
		f.Fill(168, y, 30, 8, s.Currency+row.Money("amount", s.Currency, g.Amount()))
		pieces += g.Quantity
		y = max(foot, y+4) + 1.5
	}
	y = max(y, 98)
	f.Rule(108, y, 198, y)
	f.Say(46, y+2, 8, "B", "TOTAL:")
	f.Fill(110, y+2, 26, 8, f.Count("", pieces))
	f.Fill(168, y+2, 30, 8, s.Currency+f.Money("total", s.Currency, s.Total()))
	y = f.Prose(12, y+9, 180, 8.5, "SAY TOTAL "+inMoney(s.Currency, s.Total())+".") + 3
	y = f.Label(12, y, 0, 180, 8.5, "", "PAYMENT TERM:", f.Text("payment_terms", s.Pay))
	y = f.Label(12, y, 0, 180, 8.5, "", "PACKING:", fmt.Sprintf("IN %d CARTONS", s.Packages()))
	y = f.Label(12, y, 0, 180, 8.5, "", "ORIGIN:", "MADE IN "+strings.ToUpper(origin(s.Lading.Country)))
	f.Lines(12, y+3, 7.5, "", "BENEFICIARY'S BANK: HARBOUR CITY BANK, SWIFT HCBKXXXX", "A/C NO.: 4410 "+s.Entry)
	f.Right(198, y+20, 8, "", "AUTHORIZED SIGNATURE")
}

// garmentPacking counts the pieces of each size in a carton, and has the sums in the
// last row.
func garmentPacking(f *form.Form) {
	redraw(f, f.Style.Day, of("61", "62", "63"))
	s := f.S
	f.Page("L")
	f.Centre(148, 8, 13, "B", s.Shipper.Name)
	f.Centre(148, 14, 7, "", strings.Join(s.Shipper.Address, ", "))
	f.Centre(148, 19, 12, "B", form.Pick(f, "DETAILED PACKING LIST", "PACKING LIST - ASSORTMENT", "CARTON PACKING LIST"))
	f.Label(12, 27, 26, 90, 8, "", "BUYER", s.Buyer.Name)
	f.Label(12, 32, 26, 90, 8, "", "ORDER / PO NO", f.Number("po_number", s.PO))
	f.Label(110, 27, 30, 80, 8, "", "COMM. INVOICE NO", f.Number("invoice_number", s.Invoice))
	f.Label(110, 32, 30, 80, 8, "", "INVOICE DATE", f.Day("issue_date", s.Invoiced))
	f.Label(200, 27, 24, 84, 8, "", "CONTAINER", containerAndSeal(f, 0))
	f.Label(200, 32, 24, 84, 8, "", "DESTINATION", s.Delivery.Name)
	columns := []form.Column{{Title: "CTN NO.\nFROM - TO", Width: 26}, {Title: "STYLE", Width: 24}, {Title: "DESCRIPTION", Width: 58}}
	for _, size := range []string{"S", "M", "L", "XL"} {
		columns = append(columns, form.Column{Title: size, Width: 10, Right: true})
	}
	columns = append(columns, form.Column{Title: "PCS/\nCTN", Width: 14, Right: true}, form.Column{Title: "TTL\nCTNS", Width: 16, Right: true}, form.Column{Title: "TTL\nQTY", Width: 20, Right: true},
		form.Column{Title: "N.W.\n" + f.Kilo, Width: 24, Right: true}, form.Column{Title: "G.W.\n" + f.Kilo, Width: 24, Right: true}, form.Column{Title: "MEAS.\n" + f.Cubic, Width: 24, Right: true})
	var rows [][]string
	first, pieces := 1, 0
	for _, g := range s.Goods {
		row := f.Row("lines")
		each := g.Quantity / g.Cartons
		cells := []string{fmt.Sprintf("%d - %d", first, first+g.Cartons-1), g.Item, row.Text("description", g.Words)}
		for i := range 4 {
			cells = append(cells, fmt.Sprint((each+i)/4))
		}
		rows = append(rows, append(cells, fmt.Sprint(each), row.Count("packages", g.Cartons), row.Count("quantity", g.Quantity), row.BareMass("net_weight", g.Net), row.BareMass("gross_weight", g.Gross), row.BareVolume("volume", g.Volume)))
		first, pieces = first+g.Cartons, pieces+g.Quantity
	}
	rows = append(rows, []string{"", "", "GRAND TOTAL", "", "", "", "", "", f.Count("packages", s.Packages()), f.Count("", pieces), f.BareMass("net_weight", s.Net()), f.BareMass("gross_weight", s.Gross()), f.BareVolume("volume", s.Volume())})
	y := f.Table(12, 40, 7.5, true, columns, rows)
	f.Say(12, y+4, 8, "B", "CARTON SIZE: 60 X 40 X 40 CM")
	f.Say(12, y+10, 8, "B", "SHIPPING MARK")
	f.Prose(44, y+10, 100, 8, f.Text("marks", s.Buyer.Name+" "+s.PO+" MADE IN "+strings.ToUpper(origin(s.Lading.Country))))
}

// batchPacking is a food exporter's: a lot and two dates for each line, the sums beside
// captions at the right, a list of containers at the foot.
func batchPacking(f *form.Form) {
	redraw(f, f.Style.Day, of("09"))
	s := f.S
	f.Page("A4")
	f.Badge(12, 8, 30, 12)
	f.Right(198, 9, 16, "", form.Pick(f, "Packing List", "Packing & Weight List", "Packing specification"))
	f.Lines(12, 23, 7, "", s.Shipper.Name+", "+strings.Join(s.Shipper.Address, ", "), "FDA reg. no. 1"+s.Entry+"   Phone "+s.Shipper.Phone)
	f.Rule(12, 31, 198, 31)
	f.Say(12, 33, 7, "B", "Delivered to")
	stack(f, 12, 37, 80, 8.5, append([]string{s.Buyer.Name}, s.Buyer.Address...)...)
	y := f.Label(110, 33, 40, 88, 8, "", "Packing list number", f.Number("packing_list_number", s.Packing))
	y = f.Label(110, y, 40, 88, 8, "", "Packing list date", f.Day("issue_date", s.Invoiced))
	y = f.Label(110, y, 40, 88, 8, "", "Belongs to invoice", f.Number("invoice_number", s.Invoice))
	f.Label(110, y, 40, 88, 8, "", "Your purchase order", f.Number("po_number", s.PO))
	var rows [][]string
	for i, g := range s.Goods {
		row := f.Row("lines")
		rows = append(rows, []string{g.Item, row.Text("description", g.Words), fmt.Sprintf("L%s%d", s.Pickup[:4], i+1), f.Day("", s.Invoiced.AddDate(0, -2, 0)), f.Day("", s.Invoiced.AddDate(1, 10, 0)), row.Count("packages", g.Cartons), row.BareMass("net_weight", g.Net), row.BareMass("gross_weight", g.Gross)})
	}
	y = f.Table(12, 60, 7, false, []form.Column{
		{Title: "Article", Width: 20}, {Title: "Product", Width: 48}, {Title: "Lot No.", Width: 16}, {Title: "Production\ndate", Width: 22}, {Title: "Best\nbefore", Width: 22},
		{Title: "Packages", Width: 16, Right: true}, {Title: "Net weight\n(" + f.Kilo + ")", Width: 21, Right: true}, {Title: "Gross weight\n(" + f.Kilo + ")", Width: 21, Right: true},
	}, rows) + 4
	for _, p := range [][2]string{{"Packages in all", f.Count("packages", s.Packages())}, {"Net weight in all", f.Mass("net_weight", s.Net())}, {"Gross weight in all", f.Mass("gross_weight", s.Gross())}, {"Cubic measurement", f.Volume("volume", s.Volume())}} {
		f.Say(120, y, 8, "", p[0])
		f.FillRight(198, y, 36, 8.5, p[1])
		y += 4.8
	}
	f.Say(12, y+3, 7.5, "B", "Stuffed into")
	for i := range s.Containers {
		f.Fill(40, y+3+4.2*float64(i), 90, 8.5, containerAndSeal(f, i))
	}
	f.Paragraph(12, 262, 186, 6, "Store dry below 25 degrees. The goods were inspected before stuffing; pallets are heat treated as ISPM 15 wants.")
}

// dangerousGoods is the shipper's declaration of what is dangerous, in boxes like those
// of a bill of lading.
func dangerousGoods(f *form.Form) {
	s := f.S
	f.Page("A4")
	f.Centre(105, 8, 12, "B", form.Pick(f, "MULTIMODAL DANGEROUS GOODS FORM", "DANGEROUS GOODS DECLARATION", "IMO DANGEROUS GOODS DECLARATION"))
	f.Captioned(10, 15, 95, 27, 6, "1. Shipper / Consignor / Sender", append([]string{s.Shipper.Name}, s.Shipper.Address...)...)
	f.Captioned(105, 15, 95, 11, 6, "2. Transport document number", s.BL)
	f.Captioned(105, 26, 47, 16, 6, "3. Page 1 of 1 pages", "")
	f.Captioned(152, 26, 48, 16, 6, "4. Shipper's reference", s.PO)
	f.Captioned(10, 42, 95, 27, 6, "6. Consignee", append([]string{s.Buyer.Name}, s.Buyer.Address...)...)
	f.Captioned(105, 42, 95, 27, 6, "7. Carrier (to be completed by the carrier)", s.Line.Name)
	f.Captioned(10, 69, 95, 12, 6, "8. This shipment is within the limitations prescribed for", "CARGO AIRCRAFT ONLY: N/A")
	f.Captioned(105, 69, 95, 24, 6, "9. Additional handling information", "EmS F-E, S-D", "24 HOUR EMERGENCY CONTACT "+s.Shipper.Phone)
	f.Captioned(10, 81, 50, 12, 6, "10. Vessel/flight no. and date", s.Ship.Name+" "+s.Voyage)
	f.Captioned(60, 81, 45, 12, 6, "11. Port/place of loading", s.Lading.Name)
	f.Captioned(10, 93, 50, 12, 6, "12. Port/place of discharge", s.Unlading.Name)
	f.Captioned(60, 93, 45, 12, 6, "13. Destination", s.Delivery.Name)
	f.Captioned(10, 105, 190, 60, 6, "14. Shipping marks   Number and kind of packages; description of goods   Gross mass (kg)   Net mass (kg)   Cube (m3)",
		"UN 1263, PAINT, CLASS 3, PG II, (12 C c.c.), MARINE POLLUTANT", fmt.Sprintf("%d FIBREBOARD BOXES", s.Packages()), "GROSS "+f.Mass("", s.Gross())+"   NET "+f.Mass("", s.Net())+"   "+f.Volume("", s.Volume()))
	f.Captioned(10, 165, 50, 13, 6, "15. Container identification no.", f.Container("", s.Containers[0].Number))
	f.Captioned(60, 165, 45, 13, 6, "16. Seal number(s)", s.Containers[0].Seal)
	f.Captioned(105, 165, 47, 13, 6, "17. Container/vehicle size & type", f.Size("", s.Containers[0].Size))
	f.Captioned(152, 165, 48, 13, 6, "19. Total gross mass (including tare) (kg)", f.Mass("", s.Containers[0].Gross+3800))
	f.Captioned(10, 178, 95, 34, 6, "CONTAINER/VEHICLE PACKING CERTIFICATE", "PACKED AS THE CODE REQUIRES", s.Lading.Name+", "+f.Day("", s.Invoiced))
	f.Captioned(105, 178, 95, 34, 6, "21. RECEIVING ORGANISATION RECEIPT", "HAULIER'S NAME: "+s.Trucker.Name)
	f.Paragraph(11, 216, 186, 6, "SHIPPER'S DECLARATION: the contents of this consignment are described above by their proper shipping names, and are classified, packed, marked and labelled as the international rules require.")
}

// statement lists what a customer owes, by bills of lading and invoices.
func statement(f *form.Form) {
	s := f.S
	f.Page("Letter")
	f.Say(12, 10, 14, "B", s.Agent.Name)
	f.Lines(12, 17, 7, "", strings.Join(s.Agent.Address, ", "), "accounts@agency.example")
	f.Right(204, 10, 14, "B", form.Pick(f, "STATEMENT OF ACCOUNT", "Account statement", "OUTSTANDING INVOICES"))
	f.Label(140, 20, 26, 64, 8, "", "Statement date", f.Day("", s.Noticed))
	f.Label(140, 25, 26, 64, 8, "", "Customer no.", s.Pickup)
	stack(f, 12, 30, 90, 8.5, append([]string{s.Buyer.Name}, s.Buyer.Address...)...)
	var rows [][]string
	total := 0
	for i := range 4 + f.R.IntN(8) {
		cents := 10000 + f.R.IntN(500000)
		total += cents
		day := s.Invoiced.AddDate(0, 0, -9*i)
		rows = append(rows, []string{f.Day("", day), form.Pick(f, "Freight invoice", "Demurrage invoice", "Credit note"), fmt.Sprintf("%d", 880100+f.R.IntN(900)), fmt.Sprintf("%s%d", s.Line.SCAC, 100200300+f.R.IntN(90000)), f.Container("", s.Containers[0].Number), f.Money("", "", cents), f.Day("", day.AddDate(0, 0, 30))})
	}
	y := f.Table(12, 54, 7, true, []form.Column{{Title: "Date", Width: 28}, {Title: "Document", Width: 32}, {Title: "Invoice No.", Width: 22}, {Title: "Bill of lading", Width: 32}, {Title: "Container", Width: 30}, {Title: "Amount USD", Width: 22, Right: true}, {Title: "Due date", Width: 26}}, rows)
	f.Say(130, y+4, 9, "B", "Balance due")
	f.FillRight(192, y+4, 34, 9, "USD "+f.Money("", "", total))
	f.Paragraph(12, y+14, 180, 7, "Cargo may be held until overdue invoices are paid. Please remit with the invoice numbers and send your remittance advice by e-mail.")
}
