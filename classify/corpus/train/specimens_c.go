package train

import (
	"fmt"
	"strings"

	"github.com/landfallhq/tracking/classify/corpus/form"
	"github.com/landfallhq/tracking/classify/corpus/truth"
)

// specimensC have what few of the other layouts have: numbers and days of transit in
// bond, codes of warehouses, pounds and cubic feet, numbers of ships, and waybills that
// say of how many originals they are.
var specimensC = []form.Layout{
	{Name: "an-in-bond", Type: truth.ArrivalNotice, Copies: 2, Draw: inBondNotice},
	{Name: "an-availability", Type: truth.ArrivalNotice, Copies: 2, Draw: availabilityNotice},
	{Name: "do-pounds", Type: truth.DeliveryOrder, Copies: 2, Draw: poundOrder},
	{Name: "swb-no-originals", Type: truth.SeaWaybill, Copies: 6, Draw: noOriginalsWaybill},
	{Name: "hbl-booking", Type: truth.HouseBillOfLading, Copies: 6, Draw: bookedHouseBill},
	{Name: "pl-pounds", Type: truth.PackingList, Copies: 2, Draw: poundPacking},
}

// inBondNotice is a line's for goods that go on by rail in bond: when and under which
// number, and weights as American railways want them.
func inBondNotice(f *form.Form) {
	redraw(f, form.Pick(f, "01/02/2006", "Jan 2, 2006", "02-Jan-2006"), to("US"))
	f.Style.Figures = 1
	s := f.S
	f.Page("Letter")
	f.Say(12, 9, 14, "B", strings.ToUpper(s.Line.ShortName))
	f.Right(204, 9, 12, "B", form.Pick(f, "ARRIVAL NOTICE - INTERMODAL", "RAIL ARRIVAL NOTICE", "ARRIVAL NOTICE (IN-BOND)"))
	y := ruled(f, 12, 18, 7.5, []float64{64, 64, 64}, [][][2]string{
		{{"B/L", f.Number("bl_number", s.BL)}, {"SCAC", f.SCAC(s.Line)}, {"Date sent", f.Day("issue_date", s.Noticed)}},
		{{"Vessel", f.Text("vessel", s.Ship.Name)}, {"Voyage", f.Number("voyage", s.Voyage)}, {"IMO", f.Number("vessel_imo", s.Ship.IMO)}},
		{{"Load port", f.Place("port_of_lading", s.Lading)}, {"Discharge port", f.Place("port_of_discharge", s.Unlading)}, {"ETA", f.Day("eta", s.Arrives)}},
		{{"Final dest.", f.Place("place_of_delivery", s.Delivery)}, {"Receipt", f.Place("place_of_receipt", s.Receipt)}, {"Move", "CY-RAMP"}},
		{{"I.T. number", f.Number("it_number", s.Entry)}, {"I.T. issued", f.Day("it_date", s.Arrives.AddDate(0, 0, 1))}, {"I.T. port", strings.ToUpper(s.Unlading.Name)}},
		{{"Available at", f.Text("terminal", s.Terminal.Name)}, {"FIRMS", f.Number("firms_code", s.Terminal.FIRMS)}, {"Pick-up #", f.Number("pickup_number", s.Pickup)}},
		{{"Last free day", f.Day("last_free_day", s.FreeUntil)}, {"General order", f.Day("go_date", s.GeneralOrder)}, {"Freight", "PREPAID"}},
	}) + 4
	f.Say(12, y, 7.5, "B", "Consignee")
	stack(f, 12, y+4, 90, 8, f.Party("consignee", s.Buyer, 4)...)
	f.Say(110, y, 7.5, "B", "Notify")
	stack(f, 110, y+4, 90, 8, f.Party("notify_party", s.Notify, 4)...)
	var rows [][]string
	for _, b := range s.Containers {
		row := f.Row("containers")
		rows = append(rows, []string{row.Container("number", b.Number), lineSize(row, 3, b.Size), row.Number("seal", b.Seal), row.Count("packages", b.Packages), row.BarePounds("gross_weight", b.Gross), row.BareCubicFeet("volume", b.Volume)})
	}
	y = f.Table(12, y+22, 8, true, []form.Column{{Title: "Equipment", Width: 36}, {Title: "Type", Width: 46}, {Title: "Seal", Width: 34}, {Title: "Pieces", Width: 20, Right: true}, {Title: "Gross wt (LBS)", Width: 28, Right: true}, {Title: "Cube (CFT)", Width: 28, Right: true}}, rows)
	f.Paragraph(12, y+5, 190, 7, "Goods move under bond to the ramp named; file the entry there. Hours and storage are the railway's. This is not a guarantee of availability.")
}

// availabilityNotice is a warehouse's or an agent's for goods that wait: dates in a
// column at the right edge, each with its caption above.
func availabilityNotice(f *form.Form) {
	redraw(f, form.Pick(f, "01/02/2006", "January 2, 2006", "2006-01-02"), to("US"))
	s := f.S
	f.Page("Letter")
	letterhead(f, s.Agent)
	f.Say(12, f.Y, 13, "B", form.Pick(f, "ARRIVAL NOTICE", "Notice of arrival and availability", "CARGO ARRIVAL NOTICE"))
	y := f.Y + 9
	for i, c := range []struct{ caption, value string }{
		{"NOTICE DATE", f.Day("issue_date", s.Noticed)}, {"ETA", f.Day("eta", s.Arrives)}, {"IT DATE", f.Day("it_date", s.Arrives.AddDate(0, 0, 1))}, {"LAST FREE DAY", f.Day("last_free_day", s.FreeUntil)}, {"G.O. DATE", f.Day("go_date", s.GeneralOrder)},
	} {
		f.Shade(160, y+13*float64(i), 44, 5, 225)
		f.Centre(182, y+1.2+13*float64(i), 7, "B", c.caption)
		f.Fill(165, y+6.6+13*float64(i), 38, 9, c.value)
	}
	left := y
	for _, p := range [][2]string{
		{"Notice #", f.Number("notice_number", s.Notice)}, {"Ocean B/L #", f.Number("bl_number", s.BL)}, {"House B/L #", f.Number("hbl_number", s.HBL)}, {"AMS #", f.Number("ams_number", s.AMS)}, {"I.T. #", f.Number("it_number", s.Entry)},
		{"Ship", f.Text("vessel", s.Ship.Name)}, {"Voyage", f.Number("voyage", s.Voyage)}, {"From", f.Place("port_of_lading", s.Lading)}, {"Via", f.Place("port_of_discharge", s.Unlading)}, {"To", f.Place("place_of_delivery", s.Delivery)},
		{"Goods at", f.Text("terminal", s.Terminal.Name) + "   FIRMS " + f.Number("firms_code", s.Terminal.FIRMS)},
	} {
		left = f.Label(12, left, 30, 140, 8.5, "B", p[0], p[1])
	}
	y = max(left, y+66) + 4
	f.Label(12, y, 30, 180, 8.5, "B", "Consignee", f.Party("consignee", s.Buyer, 4)[0])
	y = stack(f, 42, y+4.4, 130, 8, s.Buyer.Address[:min(3, len(s.Buyer.Address))]...) + 2
	for _, b := range s.Containers {
		row := f.Row("containers")
		f.Fill(12, y, 190, 8.5, fmt.Sprintf("%s   seal %s   %s   %s ctns   %s", row.Container("number", b.Number), row.Number("seal", b.Seal), row.Size("size_type", b.Size), row.Count("packages", b.Packages), row.Pounds("gross_weight", b.Gross)))
		y += 4.4
	}
	f.Paragraph(12, y+4, 190, 7, "Storage starts the day after the last free day. Goods without entry go to general order on the date shown. Payment of our charges is due before release.")
}

// poundOrder is an order of an American importer's broker, with pounds.
func poundOrder(f *form.Form) {
	redraw(f, form.Pick(f, "01/02/2006", "Jan 02, 2006"), to("US"))
	f.Style.Figures = 1
	s := f.S
	f.Page("Letter")
	f.Badge(12, 8, 192, 7)
	f.Say(12, 18, 14, "B", form.Pick(f, "Delivery Order", "DELIVERY ORDER", "Drayage delivery order"))
	f.Right(204, 18, 9, "", "D/O # "+f.Number("do_number", s.Order)+"   "+f.Day("issue_date", s.Noticed))
	y := 27.0
	for i, p := range []struct {
		caption string
		lines   []string
	}{{"Motor carrier", f.Party("trucker", s.Trucker, 4)}, {"Deliver to", f.Party("deliver_to", s.Buyer, 4)}} {
		f.Say(12+98*float64(i), y, 7, "I", p.caption)
		stack(f, 12+98*float64(i), y+4, 92, 8.5, p.lines...)
	}
	y = ruled(f, 12, 50, 7.5, []float64{96, 96}, [][][2]string{
		{{"Pickup terminal", f.Text("terminal", s.Terminal.Name)}, {"FIRMS", f.Number("firms_code", s.Terminal.FIRMS)}},
		{{"Vessel", f.Text("vessel", s.Ship.Name)}, {"Voyage", f.Number("voyage", s.Voyage)}},
		{{"MBL", f.Number("bl_number", s.BL)}, {"HBL", f.Number("hbl_number", s.HBL)}},
		{{"Pickup number", f.Number("pickup_number", s.Pickup)}, {"LFD", f.Day("last_free_day", s.FreeUntil)}},
		{{"Return empty to", f.Text("empty_return", s.Depot)}},
	})
	var rows [][]string
	for _, b := range s.Containers {
		row := f.Row("containers")
		rows = append(rows, []string{row.Container("number", b.Number), row.Size("size_type", b.Size), row.Number("seal", b.Seal), row.Count("packages", b.Packages), row.Pounds("gross_weight", b.Gross)})
	}
	y = f.Table(12, y+5, 8, false, []form.Column{{Title: "Container #", Width: 40}, {Title: "Size", Width: 46}, {Title: "Seal #", Width: 36}, {Title: "Pcs", Width: 20, Right: true}, {Title: "Weight", Width: 40, Right: true}}, rows)
	f.Paragraph(12, y+5, 190, 7.5, "Appointment needed. Driver assist is not included. Send the signed proof of delivery with your bill to dispatch@broker.example.")
}

// noOriginalsWaybill says that there is no original of it.
func noOriginalsWaybill(f *form.Form) {
	s := f.S
	f.Page("A4")
	f.Centre(105, 9, 14, "B", form.Pick(f, "EXPRESS SEA WAYBILL", "SEAWAYBILL", "Non-negotiable Sea Waybill"))
	f.Centre(105, 16, 8, "", s.Line.Name)
	f.SCAC(s.Line)
	f.Captioned(12, 22, 62, 26, 6, "Shipper", f.Party("shipper", s.Shipper, 4)...)
	f.Captioned(74, 22, 62, 26, 6, "Consignee (straight)", f.Party("consignee", s.Buyer, 4)...)
	f.Captioned(136, 22, 62, 26, 6, "Notify", f.Party("notify_party", s.Notify, 4)...)
	y := ruled(f, 12, 48, 7.5, []float64{62, 62, 62}, [][][2]string{
		{{"Waybill", f.Number("bl_number", s.BL)}, {"Booking", f.Number("booking_number", s.Booking)}, {"Originals issued", f.Code("originals", "0", form.Pick(f, "ZERO (0)", "0", "ZERO"))}},
		{{"Vessel", f.Text("vessel", s.Ship.Name)}, {"IMO no.", f.Number("vessel_imo", s.Ship.IMO)}, {"Voyage", f.Number("voyage", s.Voyage)}},
		{{"Receipt", f.Place("place_of_receipt", s.Receipt)}, {"Loading", f.Place("port_of_lading", s.Lading)}, {"Freight", freight(f)}},
		{{"Discharge", f.Place("port_of_discharge", s.Unlading)}, {"Delivery", f.Place("place_of_delivery", s.Delivery)}, {"Shipped", f.Day("on_board_date", s.Sailed)}},
		{{"Place of issue", f.Place("issue_place", s.Lading)}, {"Date of issue", f.Day("issue_date", s.Sailed)}, {"Payable at", "ORIGIN"}},
	}) + 4
	f.Say(12, y, 7, "B", "Cargo")
	y = f.Prose(12, y+4, 186, 8, f.Text("description", described(s))) + 3
	for _, b := range s.Containers {
		row := f.Row("containers")
		f.Fill(12, y, 186, 8, row.Container("number", b.Number)+"  "+row.Size("size_type", b.Size)+"  SEAL "+row.Number("seal", b.Seal)+"  "+row.Count("packages", b.Packages)+" CTNS  GW "+row.Mass("gross_weight", b.Gross)+"  VOL "+row.Volume("volume", b.Volume))
		y += 4
	}
	f.Paragraph(12, 258, 186, 5.5, "No document needs to be surrendered. The shipper may name another consignee until delivery is claimed. Terms as in the carrier's bill of lading.")
}

// bookedHouseBill has the ship's number, the booking and the carrier's name beside the
// forwarder's own.
func bookedHouseBill(f *form.Form) {
	s := f.S
	f.Page("Letter")
	f.Say(12, 9, 13, "B", s.Forward.Name)
	f.Say(12, 15, 7, "", strings.Join(s.Forward.Address, ", "))
	f.Right(204, 15, 12, "B", form.Pick(f, "HOUSE BILL OF LADING", "House Bill of Lading (HBL)", "HBL - HOUSE B/L"))
	y := 22.0
	for _, p := range []struct {
		caption string
		lines   []string
	}{{"SHIPPER / EXPORTER", f.Party("shipper", s.Shipper, 4)}, {"CONSIGNEE", f.Party("consignee", s.Buyer, 4)}, {"NOTIFY PARTY / ALSO NOTIFY", f.Party("notify_party", s.Notify, 4)}} {
		f.Frame(12, y, 100, 23)
		f.Say(13, y+1, 6, "B", p.caption)
		stack(f, 14, y+4.5, 96, 8.5, p.lines...)
		y += 23
	}
	for i, p := range [][2]string{
		{"HBL", f.Number("hbl_number", s.HBL)}, {"Carrier", s.Line.Name}, {"SCAC", f.SCAC(s.Line)}, {"Carrier booking", f.Number("booking_number", s.Booking)}, {"Carrier B/L", f.Number("bl_number", s.BL)},
		{"Vessel", f.Text("vessel", s.Ship.Name)}, {"Voyage", f.Number("voyage", s.Voyage)}, {"IMO", f.Number("vessel_imo", s.Ship.IMO)}, {"Originals", f.Code("originals", "3", form.Pick(f, "THREE (3)", "3"))}, {"Terms", freight(f)},
	} {
		f.Label(116, 23+6.8*float64(i), 28, 88, 8, "", p[0], p[1])
	}
	y = f.Table(12, y+3, 8, true, []form.Column{{Title: "Receipt", Width: 48}, {Title: "Loading", Width: 48}, {Title: "Discharge", Width: 48}, {Title: "Delivery", Width: 48}}, [][]string{{f.Place("place_of_receipt", s.Receipt), f.Place("port_of_lading", s.Lading), f.Place("port_of_discharge", s.Unlading), f.Place("place_of_delivery", s.Delivery)}})
	y = loads(f, 12, y+3, 7.5, true)
	y = f.Prose(12, y+3, 180, 8, f.Text("description", described(s)))
	f.Label(12, y+5, 0, 190, 8, "", "Laden on board:", f.Day("on_board_date", s.Sailed))
	f.Label(12, y+10, 0, 190, 8, "", "Issued at / on:", f.Place("issue_place", s.Lading)+" / "+f.Day("issue_date", s.Sailed))
}

// poundPacking is in pounds, as buyers in the United States ask for it.
func poundPacking(f *form.Form) {
	redraw(f, form.Pick(f, "01/02/2006", "02-Jan-2006"), to("US"))
	f.Style.Figures = 1
	s := f.S
	f.Page("Letter")
	f.Right(204, 9, 15, "B", form.Pick(f, "PACKING LIST", "Packing slip", "PACKING LIST (U.S. UNITS)"))
	f.Lines(12, 10, 8, "B", s.Shipper.Name)
	f.Lines(12, 14, 7, "", s.Shipper.Address...)
	for i, p := range [][2]string{{"P.L. #", f.Number("packing_list_number", s.Packing)}, {"Date", f.Day("issue_date", s.Invoiced)}, {"Invoice #", f.Number("invoice_number", s.Invoice)}, {"P.O. #", f.Number("po_number", s.PO)}} {
		f.Shade(12+48*float64(i), 28, 48, 5, 225)
		f.Say(13+48*float64(i), 29, 7.5, "B", p[0])
		f.Fill(13+48*float64(i), 34.5, 46, 8.5, p[1])
	}
	f.Label(12, 42, 0, 190, 8, "B", "Ship to", s.Buyer.Name+", "+strings.Join(s.Buyer.Address, ", "))
	var rows [][]string
	for _, g := range s.Goods {
		row := f.Row("lines")
		rows = append(rows, []string{row.Count("packages", g.Cartons), row.Count("quantity", g.Quantity) + " " + g.Unit, g.Item, row.Text("description", g.Words), row.BarePounds("net_weight", g.Net), row.BarePounds("gross_weight", g.Gross), row.BareCubicFeet("volume", g.Volume)})
	}
	rows = append(rows, []string{f.Count("packages", s.Packages()), "", "", "TOTALS", f.BarePounds("net_weight", s.Net()), f.BarePounds("gross_weight", s.Gross()), f.BareCubicFeet("volume", s.Volume())})
	y := f.Table(12, 50, 8, true, []form.Column{{Title: "Ctns", Width: 16, Right: true}, {Title: "Ordered /\nshipped", Width: 26}, {Title: "Item", Width: 22}, {Title: "Description", Width: 60}, {Title: "Net wt\n(lbs)", Width: 24, Right: true}, {Title: "Gross wt\n(lbs)", Width: 24, Right: true}, {Title: "Cube\n(cu ft)", Width: 20, Right: true}}, rows)
	f.Label(12, y+5, 0, 190, 8, "B", "Container", containerAndSeal(f, 0))
}
