package train

import (
	"fmt"
	"strings"

	"github.com/landfallhq/tracking/classify/corpus/form"
	"github.com/landfallhq/tracking/classify/corpus/truth"
)

// oddForms are what reading by captions fails at first: captions that go on in small
// type, values in the middle of wide boxes, several values in one cell.
var oddForms = []form.Layout{
	{Name: "bl-centred", Type: truth.BillOfLading, Copies: 2, Draw: centredBill},
	{Name: "swb-cells", Type: truth.SeaWaybill, Copies: 2, Draw: cellWaybill},
	{Name: "hbl-remarks", Type: truth.HouseBillOfLading, Copies: 2, Draw: remarkHouseBill},
	{Name: "an-table", Type: truth.ArrivalNotice, Copies: 2, Draw: tableNotice},
	{Name: "do-right", Type: truth.DeliveryOrder, Copies: 2, Draw: rightOrder},
	{Name: "bc-matrix", Type: truth.BookingConfirmation, Copies: 2, Draw: matrixBooking},
	{Name: "ci-wrapped", Type: truth.CommercialInvoice, Copies: 2, Draw: wrappedInvoice},
	{Name: "pl-each", Type: truth.PackingList, Copies: 2, Draw: eachPacking},
}

// middle prints a frame with caption and value around its middle.
func middle(f *form.Form, x, y, w, h float64, caption, value string) {
	f.Frame(x, y, w, h)
	f.Centre(x+w/2, y+1, 6.5, "", caption)
	size := 9.0
	if len(value) > int(w/2.2) {
		size = 6.5
	}
	f.Centre(x+w/2, y+h-4.5, size, "B", value)
}

func centredBill(f *form.Form) {
	s := f.S
	f.Page("A4")
	f.Centre(105, 8, 15, "B", strings.ToUpper(s.Line.Name))
	f.SCAC(s.Line)
	f.Centre(105, 15, 13, "B", "BILL OF")
	f.Centre(105, 21, 13, "B", "LADING")
	middle(f, 12, 28, 62, 13, "B/L NUMBER", f.Number("bl_number", s.BL))
	middle(f, 74, 28, 62, 13, "BOOKING NUMBER", f.Number("booking_number", s.Booking))
	middle(f, 136, 28, 62, 13, "DATE OF ISSUE", f.Day("issue_date", s.Sailed))
	for i, p := range []struct {
		caption string
		lines   []string
	}{{"SHIPPER", f.Party("shipper", s.Shipper, 4)}, {"CONSIGNEE", f.Party("consignee", s.Buyer, 4)}, {"NOTIFY PARTY", f.Party("notify_party", s.Notify, 4)}} {
		x := 12 + 62*float64(i)
		f.Box(x, 41, 62, 27, p.caption, "")
		for n, line := range p.lines {
			f.Fill(x+4, 48+4*float64(n), 56, 8, line)
		}
	}
	middle(f, 12, 68, 46, 13, "VESSEL", f.Text("vessel", s.Ship.Name))
	middle(f, 58, 68, 46, 13, "VOYAGE", f.Number("voyage", s.Voyage))
	middle(f, 104, 68, 47, 13, "PORT OF LOADING", f.Place("port_of_lading", s.Lading))
	middle(f, 151, 68, 47, 13, "PORT OF DISCHARGE", f.Place("port_of_discharge", s.Unlading))
	middle(f, 12, 81, 62, 13, "POR", f.Place("place_of_receipt", s.Receipt))
	middle(f, 74, 81, 62, 13, "PLACE OF DELIVERY", f.Place("place_of_delivery", s.Delivery))
	middle(f, 136, 81, 62, 13, "ON BOARD", f.Day("on_board_date", s.Sailed))
	var rows [][]string
	for _, b := range s.Containers {
		row := f.Row("containers")
		rows = append(rows, []string{row.Container("number", b.Number) + " / " + row.Number("seal", b.Seal), row.Size("size_type", b.Size), row.Count("packages", b.Packages) + " CTNS", row.Mass("gross_weight", b.Gross), row.Volume("volume", b.Volume)})
	}
	y := f.Table(12, 98, 7.5, false, []form.Column{{Title: "CONTAINER / SEAL", Width: 60}, {Title: "TYPE", Width: 36}, {Title: "PACKAGES", Width: 28}, {Title: "GROSS WEIGHT", Width: 34}, {Title: "VOLUME", Width: 28}}, rows)
	f.Fill(12, y+6, 60, 8, freight(f))
}

// cellWaybill says several things in one cell.
func cellWaybill(f *form.Form) {
	s := f.S
	f.Page("A4")
	f.Say(12, 9, 13, "B", s.Line.Name)
	f.SCAC(s.Line)
	f.Right(198, 9, 12, "B", "SEA WAYBILL")
	f.Box(12, 20, 93, 12, "Sea Waybill No. / Booking No.", f.Number("bl_number", s.BL)+" / "+f.Number("booking_number", s.Booking))
	f.Box(105, 20, 93, 12, "Place and date of issue", f.Place("issue_place", s.Lading)+" / "+f.Day("issue_date", s.Sailed))
	f.Box(12, 32, 93, 26, "Shipper/Exporter (Full Name and Address)", f.Party("shipper", s.Shipper, 4)...)
	f.Box(105, 32, 93, 26, "Consignee (Full Name and Address)", f.Party("consignee", s.Buyer, 4)...)
	f.Box(12, 58, 93, 26, "Notify Party (Full Name and Address)", f.Party("notify_party", s.Notify, 4)...)
	f.Box(105, 58, 93, 13, "Ocean Vessel / Voyage / Flag", f.Text("vessel", s.Ship.Name)+" / "+f.Number("voyage", s.Voyage)+" / PANAMA")
	f.Box(105, 71, 93, 13, "Port of loading / Port of discharge", f.Place("port_of_lading", s.Lading)+" / "+f.Place("port_of_discharge", s.Unlading))
	y := loads(f, 12, 90, 7.5, false)
	f.Say(12, y+5, 7, "", "Description of goods")
	f.Prose(12, y+9, 130, 8, f.Text("description", described(s)))
	f.Fill(12, 240, 60, 8, freight(f))
}

// remarkHouseBill has captions whose remarks go on in a second line.
func remarkHouseBill(f *form.Form) {
	s := f.S
	f.Page("A4")
	letterhead(f, s.Forward)
	f.Right(198, f.Y, 12, "B", "HOUSE BILL OF LADING")
	y := f.Y + 8
	box := func(x, w, h float64, caption, remark string, lines ...string) {
		f.Frame(x, y, w, h)
		f.Say(x+1, y+1, 6, "", caption)
		f.Say(x+1, y+3.4, 5, "", remark)
		for i, line := range lines {
			f.Fill(x+2, y+7+3.8*float64(i), w-3, 8.5, line)
		}
	}
	box(12, 93, 27, "Shipper", "(complete name, street address, city, country and telephone)", f.Party("shipper", s.Shipper, 4)...)
	box(105, 93, 13, "HBL No.", "to be quoted in all correspondence", f.Number("hbl_number", s.HBL))
	y += 13
	box(105, 93, 14, "Carrier's bill of lading no.", "(master)", f.Number("bl_number", s.BL))
	y += 14
	box(12, 93, 27, "Consignee (non-negotiable unless", "consigned to order)", f.Party("consignee", s.Buyer, 4)...)
	box(105, 93, 27, "Notify party (see clause 9; carrier not", "responsible for failure to notify)", f.Party("notify_party", s.Notify, 4)...)
	y += 27
	box(12, 62, 13, "Vessel", "(see clauses 1 and 19)", f.Text("vessel", s.Ship.Name))
	box(74, 62, 13, "Voyage No.", "(of the carrier)", f.Number("voyage", s.Voyage))
	box(136, 62, 13, "Place of receipt", "(applicable only when used for multimodal transport)", f.Place("place_of_receipt", s.Receipt))
	y += 13
	box(12, 62, 13, "Port of loading", "(see clause 4)", f.Place("port_of_lading", s.Lading))
	box(74, 62, 13, "Port of discharge", "(see clause 4)", f.Place("port_of_discharge", s.Unlading))
	box(136, 62, 13, "Place of delivery", "(applicable only when used for multimodal transport)", f.Place("place_of_delivery", s.Delivery))
	y += 16
	loads(f, 12, y, 7.5, true)
	y = 240
	box(12, 62, 13, "Freight", "(payable as per tariff)", freight(f))
	box(74, 62, 13, "Number of original bills", "(all of one tenor and date)", f.Code("originals", "3", "THREE"))
	box(136, 62, 13, "Place and date of issue", "(of this bill)", f.Place("issue_place", s.Lading)+" "+f.Day("issue_date", s.Sailed))
}

// tableNotice has a row for each container, with its last free day and its ship.
func tableNotice(f *form.Form) {
	s := f.S
	f.Page("L")
	letterhead(f, s.Agent)
	f.Say(12, f.Y, 12, "B", "ARRIVAL NOTICE")
	y := f.Table(12, f.Y+8, 8, true, []form.Column{{Title: "Carrier", Width: 60}, {Title: "Vessel / Voyage", Width: 60}, {Title: "Load Port", Width: 50}, {Title: "Discharge Port", Width: 50}, {Title: "Estimated\nArrival", Width: 40}}, [][]string{{
		s.Line.Name, f.Text("vessel", s.Ship.Name) + " / " + f.Number("voyage", s.Voyage), f.Place("port_of_lading", s.Lading), f.Place("port_of_discharge", s.Unlading), f.Day("eta", s.Arrives),
	}})
	f.SCAC(s.Line)
	y = f.Table(12, y+4, 8, true, []form.Column{{Title: "Bill of Lading", Width: 60}, {Title: "Terminal", Width: 80}, {Title: "Last Free Day", Width: 60}, {Title: "Date Issued", Width: 60}}, [][]string{{f.Number("bl_number", s.BL), f.Text("terminal", s.Terminal.Name), f.Day("last_free_day", s.FreeUntil), f.Day("issue_date", s.Noticed)}})
	y += 4
	for i, p := range [][]string{f.Party("consignee", s.Buyer, 4), f.Party("notify_party", s.Notify, 4)} {
		x := 12 + 130*float64(i)
		f.Say(x, y, 8, "B", []string{"Consignee:", "Notify Party:"}[i])
		for n, line := range p {
			f.Fill(x+26, y+4*float64(n), 95, 8.5, line)
		}
	}
	var rows [][]string
	for _, b := range s.Containers {
		row := f.Row("containers")
		rows = append(rows, []string{row.Number("seal", b.Seal), row.Container("number", b.Number), row.Size("size_type", b.Size), row.Mass("gross_weight", b.Gross) + " / " + row.Volume("volume", b.Volume), row.Count("packages", b.Packages) + " CARTONS"})
	}
	f.Table(12, y+20, 8, true, []form.Column{{Title: "Seal", Width: 40}, {Title: "Equipment", Width: 50}, {Title: "Type", Width: 50}, {Title: "Weight / Volume", Width: 70}, {Title: "Pieces", Width: 40}}, rows)
}

// rightOrder has captions at the left edge and values at the right one.
func rightOrder(f *form.Form) {
	s := f.S
	f.Page("A4")
	letterhead(f, s.Forward)
	f.Centre(105, f.Y, 14, "B", "DELIVERY ORDER")
	y := f.Y + 10
	for _, p := range [][2]string{
		{"Delivery order number", f.Number("do_number", s.Order)}, {"Issue date", f.Day("issue_date", s.Noticed)}, {"Master bill of lading", f.Number("bl_number", s.BL)}, {"House bill of lading", f.Number("hbl_number", s.HBL)},
		{"Vessel", f.Text("vessel", s.Ship.Name)}, {"Voyage", f.Number("voyage", s.Voyage)}, {"Pickup terminal", f.Text("terminal", s.Terminal.Name)}, {"Pickup number", f.Number("pickup_number", s.Pickup)}, {"Last free day", f.Day("last_free_day", s.FreeUntil)}, {"Empty return", f.Text("empty_return", s.Depot)},
	} {
		f.Say(12, y, 8.5, "", p[0])
		f.FillRight(140, y, 80, 8.5, p[1])
		f.Rule(12, y+4.4, 140, y+4.4)
		y += 5.5
	}
	f.Field(12, y+3, 80, "Trucker", f.Party("trucker", s.Trucker, 4)...)
	f.Field(105, y+3, 80, "Deliver to", f.Party("deliver_to", s.Buyer, 4)...)
	loads(f, 12, y+26, 7.5, false)
}

// matrixBooking has captions in grey cells beside those of their values, four a row.
func matrixBooking(f *form.Form) {
	s := f.S
	f.Page("A4")
	f.Say(12, 9, 14, "B", s.Line.Name)
	f.SCAC(s.Line)
	f.Say(12, 17, 11, "B", "BOOKING CONFIRMATION")
	y := 25.0
	pairs := [][2]string{
		{"Booking No", f.Number("booking_number", s.Booking)}, {"Issued on", f.Day("issue_date", s.Booked)},
		{"Vessel Name", f.Text("vessel", s.Ship.Name)}, {"Voyage No", f.Number("voyage", s.Voyage)},
		{"Place of Receipt", f.Place("place_of_receipt", s.Receipt)}, {"Port of Loading", f.Place("port_of_lading", s.Lading)},
		{"Port of Discharge", f.Place("port_of_discharge", s.Unlading)}, {"Place of Delivery", f.Place("place_of_delivery", s.Delivery)},
		{"Departure (ETD)", f.Day("etd", s.Sailed)}, {"Arrival (ETA)", f.Day("eta", s.Arrives)},
		{"Containers", equipment(f, " x ")}, {"Empty depot", f.Text("empty_pickup", s.Depot)},
		{"Documentation closing", f.Moment("si_cutoff", s.Cutoff)}, {"VGM closing", f.Moment("vgm_cutoff", s.Cutoff)},
		{"Terminal closing", f.Moment("cy_cutoff", s.Cutoff)}, {"Customs closing", f.Moment("customs_cutoff", s.Cutoff)},
	}
	for i, p := range pairs {
		x := 12 + 93*float64(i%2)
		f.Shade(x, y, 32, 7, 225)
		f.Frame(x, y, 32, 7)
		f.Frame(x+32, y, 61, 7)
		f.Say(x+1, y+2, 7.5, "", p[0])
		f.Fill(x+33, y+2, 59, 8, p[1])
		y += 7 * float64(i%2)
	}
}

// wrappedInvoice has descriptions of several lines, and the goods' codes below them.
func wrappedInvoice(f *form.Form) {
	s := f.S
	f.Page("A4")
	f.Say(12, 10, 16, "", "Commercial invoice")
	f.Field(120, 10, 35, "Number", f.Number("invoice_number", s.Invoice))
	f.Field(160, 10, 38, "Date", f.Day("issue_date", s.Invoiced))
	f.Field(12, 24, 80, "From", f.Party("seller", s.Shipper, 4)...)
	f.Field(105, 24, 80, "To", f.Party("buyer", s.Buyer, 4)...)
	f.Field(12, 46, 60, "Customer reference (PO)", f.Number("po_number", s.PO))
	f.Field(75, 46, 60, "Delivery terms (Incoterms)", f.Code("incoterm", s.Incoterm, s.Incoterm+" "+s.Lading.Name))
	f.Field(140, 46, 58, "Payment", f.Text("payment_terms", s.Pay))
	var rows [][]string
	for i, g := range s.Goods {
		row := f.Row("lines")
		rows = append(rows, []string{fmt.Sprint(i + 1), row.Text("description", g.Words), row.Number("hs_code", g.HS), row.Count("quantity", g.Quantity), row.Text("unit", g.Unit), row.Money("unit_price", s.Currency, g.Price), row.Money("amount", s.Currency, g.Amount())})
	}
	y := f.Table(12, 60, 8, true, []form.Column{{Title: "#", Width: 10}, {Title: "Product", Width: 40}, {Title: "Tariff\ncode", Width: 28}, {Title: "Quantity", Width: 22, Right: true}, {Title: "Unit", Width: 16}, {Title: "Price\nper unit", Width: 30, Right: true}, {Title: "Line total", Width: 36, Right: true}}, rows)
	f.Right(198, y+4, 10, "B", "Total amount "+f.Code("currency", s.Currency, s.Currency)+" "+f.Money("total", s.Currency, s.Total()))
}

// eachPacking has a block for each line of goods, captions at the left.
func eachPacking(f *form.Form) {
	s := f.S
	f.Page("A4")
	letterhead(f, s.Shipper)
	f.Say(12, f.Y, 13, "B", "PACKING LIST")
	y := f.Y + 9
	for i, p := range [][2]string{{"Packing list #", f.Number("packing_list_number", s.Packing)}, {"Date", f.Day("issue_date", s.Invoiced)}, {"Invoice #", f.Number("invoice_number", s.Invoice)}, {"PO #", f.Number("po_number", s.PO)}} {
		f.Say(12+47*float64(i), y, 7, "B", p[0])
		f.Fill(12+47*float64(i), y+4, 45, 9, p[1])
	}
	y = packed(f, y+13, true) + 4
	f.Fill(12, y, 180, 8.5, fmt.Sprintf("TOTAL: %s CARTONS   N.W.: %s   G.W.: %s   MEAS.: %s", f.Count("packages", s.Packages()), f.Mass("net_weight", s.Net()), f.Mass("gross_weight", s.Gross()), f.Volume("volume", s.Volume())))
	y += 8
	for _, b := range s.Containers {
		row := f.Row("containers")
		f.Fill(12, y, 180, 8.5, row.Container("number", b.Number)+" / "+row.Number("seal", b.Seal))
		y += 4.4
	}
}
