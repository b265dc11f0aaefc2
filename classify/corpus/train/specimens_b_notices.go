package train

import (
	"fmt"
	"strings"
	"time"

	"github.com/landfallhq/tracking/classify/corpus/form"
	"github.com/landfallhq/tracking/classify/corpus/truth"
)

// specimenNoticesB are arrival notices, delivery orders and booking confirmations of
// the second lot.
var specimenNoticesB = []form.Layout{
	{Name: "an-plan", Type: truth.ArrivalNotice, Copies: 2, Draw: plannedNotice},
	{Name: "an-port-agent", Type: truth.ArrivalNotice, Copies: 2, Draw: portAgentNotice},
	{Name: "do-undermentioned", Type: truth.DeliveryOrder, Copies: 2, Draw: undermentionedOrder},
	{Name: "do-cartage", Type: truth.DeliveryOrder, Copies: 2, Draw: cartageOrder},
	{Name: "bc-itinerary", Type: truth.BookingConfirmation, Copies: 2, Draw: itineraryBooking},
	{Name: "bc-forwarder", Type: truth.BookingConfirmation, Copies: 2, Draw: forwarderBooking},
}

// plannedNotice is a line's, in sections with grey heads: a plan of the legs, and free
// time container by container.
func plannedNotice(f *form.Form) {
	s := f.S
	f.Page("A4")
	f.Badge(12, 8, 10, 10)
	f.Say(25, 9, 13, "B", s.Line.ShortName)
	f.SCAC(s.Line)
	f.Right(198, 9, 13, "", form.Pick(f, "Arrival notice", "Import arrival notice", "Arrival Notice"))
	f.Right(198, 16, 7.5, "", "Created on "+f.Day("issue_date", s.Noticed))
	y := 22.0
	head := func(title string) {
		f.Shade(12, y, 186, 5.5, 220)
		f.Say(13, y+1.4, 8, "B", title)
		y += 7.5
	}
	head("Your shipment")
	for i, p := range [][2]string{
		{"Bill of lading", f.Number("bl_number", s.BL)}, {"Document type", "Original bill of lading"}, {"Origin", f.Place("place_of_receipt", s.Receipt)},
		{"Destination", f.Place("place_of_delivery", s.Delivery)}, {"Freight terms", "Collect"}, {"Customer reference", s.PO},
	} {
		f.Label(13+93*float64(i%2), y+5*float64(i/2), 32, 90, 8, "", p[0], p[1])
	}
	y += 17
	head("Parties")
	f.Say(13, y, 7, "B", "Consignee")
	stack(f, 13, y+3.5, 85, 8, f.Party("consignee", s.Buyer, 4)...)
	f.Say(106, y, 7, "B", "First notify party")
	stack(f, 106, y+3.5, 85, 8, f.Party("notify_party", s.Notify, 4)...)
	y += 20
	head("Transport plan")
	legs := [][]string{{f.Place("port_of_lading", s.Lading), f.Place("port_of_discharge", s.Unlading), "Vessel", f.Text("vessel", s.Ship.Name), f.Number("voyage", s.Voyage), f.Day("", s.Sailed), f.Day("eta", s.Arrives)}}
	if s.Delivery.Code != s.Unlading.Code {
		legs = append(legs, []string{f.Place("", s.Unlading), f.Place("", s.Delivery), "Rail", "", "", "", f.Day("", s.Arrives.AddDate(0, 0, 4))})
	}
	y = f.Table(12, y-1, 7.5, false, []form.Column{{Title: "From", Width: 34}, {Title: "To", Width: 34}, {Title: "Mode", Width: 14}, {Title: "Vessel name", Width: 34}, {Title: "Voy.", Width: 18}, {Title: "Departure", Width: 25}, {Title: "Arrival", Width: 26}}, legs) + 3
	f.Label(13, y, 0, 184, 8, "", "Discharge terminal", f.Text("terminal", s.Terminal.Name))
	y += 7
	head("Containers and free time")
	var rows [][]string
	for _, b := range s.Containers {
		row := f.Row("containers")
		rows = append(rows, []string{row.Container("number", b.Number), lineSize(row, 2, b.Size), row.Number("seal", b.Seal), row.Count("packages", b.Packages) + " Carton", row.Mass("gross_weight", b.Gross), row.Volume("volume", b.Volume), f.Day("last_free_day", s.FreeUntil)})
	}
	y = f.Table(12, y-1, 7.5, false, []form.Column{{Title: "Container no.", Width: 32}, {Title: "Size, type", Width: 24}, {Title: "Seal", Width: 28}, {Title: "Contents", Width: 24}, {Title: "Weight", Width: 26}, {Title: "Volume", Width: 24}, {Title: "Last free day", Width: 26}}, rows) + 4
	head("Before you collect")
	f.Paragraph(13, y, 184, 7, "Please surrender one original, settle all charges and clear customs. Arrival times may change; they are shown on our site under the number of your bill. Goods left after free time are charged per diem.")
}

// portAgentNotice is that of a port agent: captions above values without boxes, dates in
// words, charges with their tax, and the ship in a sentence.
func portAgentNotice(f *form.Form) {
	redraw(f, form.Pick(f, "2 January 2006", "02 Jan 2006"), to("GB", "NL", "BE", "FR", "DE", "IT", "ES"))
	s := f.S
	f.Page("A4")
	f.Centre(105, 9, 14, "B", s.Agent.Name)
	f.Centre(105, 15.5, 7, "", strings.Join(s.Agent.Address, ", ")+" | "+s.Agent.Phone+" | VAT reg. GB 123 4567 89")
	f.Rule(12, 20, 198, 20)
	stack(f, 12, 25, 90, 8.5, f.Party("consignee", s.Buyer, 4)...)
	f.Right(198, 25, 8.5, "", f.Day("issue_date", s.Noticed))
	f.Right(198, 30, 8, "", "Our notice: "+f.Number("notice_number", s.Notice))
	f.Say(12, 45, 12, "B", form.Pick(f, "Notice of arrival", "ADVICE OF ARRIVAL", "Pre-arrival advice"))
	y := f.Prose(12, 52, 186, 9, "We beg to advise that the following goods per "+f.Text("vessel", s.Ship.Name)+", voyage "+f.Number("voyage", s.Voyage)+", are due here on "+f.Day("eta", s.Arrives)+".") + 3
	f.SCAC(s.Line)
	for i, c := range []struct{ caption, value string }{
		{"Carrier", s.Line.Name}, {"Carrier's bill", f.Number("bl_number", s.BL)}, {"Shipped at", f.Place("port_of_lading", s.Lading)}, {"To be landed at", f.Place("port_of_discharge", s.Unlading)},
		{"Through to", f.Place("place_of_delivery", s.Delivery)}, {"Berth", f.Text("terminal", s.Terminal.Name)}, {"Rent free until", f.Day("last_free_day", s.FreeUntil)}, {"Release PIN", f.Number("pickup_number", s.Pickup)},
	} {
		x := 12 + 47*float64(i%4)
		f.Say(x, y+11*float64(i/4), 6.5, "I", c.caption)
		f.Fill(x, y+3.4+11*float64(i/4), 45, 8.5, c.value)
	}
	y += 24
	f.Say(12, y, 6.5, "I", "Also notified")
	stack(f, 40, y, 110, 8.5, f.Party("notify_party", s.Notify, 4)...)
	y += 20
	for _, b := range s.Containers {
		row := f.Row("containers")
		f.Fill(12, y, 186, 8.5, fmt.Sprintf("1 x %s  %s  (seal %s)  s.t.c. %s cartons  %s  %s", row.Size("size_type", b.Size), row.Container("number", b.Number), row.Number("seal", b.Seal), row.Count("packages", b.Packages), row.Mass("gross_weight", b.Gross), row.Volume("volume", b.Volume)))
		y += 4.4
	}
	var rows [][]string
	for _, name := range []string{"Terminal handling", "Port security (ISPS)", "Documentation", "Customs entry"}[f.R.IntN(2):] {
		row := f.Row("charges")
		rows = append(rows, []string{row.Text("description", name), row.Money("amount", "GBP", 1500+50*f.R.IntN(500)), "GBP", form.Pick(f, "Z", "S")})
	}
	y = f.Table(12, y+4, 8, false, []form.Column{{Title: "Our charges", Width: 70}, {Title: "Net", Width: 28, Right: true}, {Title: "Curr.", Width: 16}, {Title: "VAT code", Width: 20}}, rows)
	f.Paragraph(12, y+5, 186, 7.5, "Kindly let us have your customs instructions and the duly endorsed bill in good time. All business is done under our trading conditions, of which a copy is sent on request. E & O E.")
}

// undermentionedOrder is a letter to the custodian, with the goods in a grid, of agents
// in South Asia.
func undermentionedOrder(f *form.Form) {
	s := f.S
	f.Page("A4")
	f.Centre(105, 9, 14, "B", s.Agent.Name)
	f.Centre(105, 15.5, 7, "", "(As agents for "+s.Line.Name+")  Tel "+s.Agent.Phone)
	f.Rule(12, 20, 198, 20)
	f.Centre(105, 23, 12, "B", "DELIVERY ORDER")
	f.Label(12, 32, 0, 80, 9, "", "D.O. No. :", f.Number("do_number", s.Order))
	f.Label(140, 32, 0, 58, 9, "", "Dt. :", f.Day("issue_date", s.Noticed))
	f.Lines(12, 39, 9, "", "To,", "The Manager,")
	f.Fill(12, 48, 100, 9, f.Text("terminal", s.Terminal.Name))
	f.Say(12, 56, 9, "", "Dear Sir, please deliver to M/s.")
	stack(f, 66, 56, 120, 9, f.Party("deliver_to", s.Buyer, 4)...)
	f.Say(12, 74, 9, "", "or order the undermentioned goods, on payment of your dues:")
	y := ruled(f, 12, 81, 8, []float64{93, 93}, [][][2]string{
		{{"Vessel :", f.Text("vessel", s.Ship.Name)}, {"Voy :", f.Number("voyage", s.Voyage)}},
		{{"IGM No. :", s.Entry[:7]}, {"Item No. :", s.Pickup[:3]}},
		{{"B/L No. :", f.Number("bl_number", s.BL)}, {"HBL No. :", f.Number("hbl_number", s.HBL)}},
		{{"Port of Shipment :", f.Place("", s.Lading)}, {"Valid Upto :", f.Day("last_free_day", s.FreeUntil)}},
		{{"Description :", s.Goods[0].Words}},
	})
	var rows [][]string
	for i, b := range s.Containers {
		row := f.Row("containers")
		rows = append(rows, []string{fmt.Sprint(i + 1), row.Container("number", b.Number), row.Size("size_type", b.Size), row.Number("seal", b.Seal), row.Count("packages", b.Packages) + " PKGS", row.Mass("gross_weight", b.Gross)})
	}
	y = f.Table(12, y+4, 8.5, true, []form.Column{{Title: "Sr.", Width: 10}, {Title: "Container No.", Width: 40}, {Title: "Size/Type", Width: 36}, {Title: "Seal No.", Width: 34}, {Title: "Pkgs", Width: 28}, {Title: "Gross Wt.", Width: 38}}, rows)
	y = f.Label(12, y+4, 0, 180, 9, "", "Empty to be returned at :", f.Text("empty_return", s.Depot))
	y = f.Label(12, y+1, 0, 180, 9, "", "C.H.A. :", s.Notify.Name)
	f.Lines(12, y+6, 8, "", "NOTE: 1) Revalidation after the date above against payment.", "2) Ground rent and detention are for the consignee's account.")
	f.Right(198, y+24, 9, "", "For "+s.Agent.Name)
	f.Right(198, y+38, 8, "", "Authorised Signatory")
}

// cartageOrder is a forwarder's to its haulier: three blocks of where and when, and a
// row a container.
func cartageOrder(f *form.Form) {
	s := f.S
	f.Page("A4")
	letterhead(f, s.Forward)
	y := f.Y
	f.Say(12, y, 15, "B", form.Pick(f, "Delivery order to haulier", "CARTAGE ADVICE / DELIVERY ORDER", "Transport & delivery order"))
	y = f.Label(12, y+9, 30, 90, 8, "B", "Job", f.Number("do_number", s.Order))
	y = f.Label(12, y, 30, 90, 8, "B", "Raised", f.Day("issue_date", s.Noticed))
	f.Label(110, y-8.8, 34, 88, 8, "B", "Master / house", f.Number("bl_number", s.BL)+" / "+f.Number("hbl_number", s.HBL))
	f.Label(110, y-4.4, 34, 88, 8, "B", "Ship / voy", f.Text("vessel", s.Ship.Name)+" / "+f.Number("voyage", s.Voyage))
	y += 4
	block := func(x, top float64, title string, lines ...string) {
		f.Frame(x, top, 60, 32)
		f.Shade(x, top, 60, 5, 40)
		f.Say(x+1, top+6.4, 7.5, "B", title)
		stack(f, x+1, top+11, 58, 8, lines...)
	}
	block(12, y, "1  Haulier", f.Party("trucker", s.Trucker, 4)...)
	block(75, y, "2  Collect full", f.Text("terminal", s.Terminal.Name), "not later than "+f.Day("last_free_day", s.FreeUntil), "PIN "+f.Number("pickup_number", s.Pickup))
	block(138, y, "3  Deliver", f.Party("deliver_to", s.Buyer, 4)...)
	y += 36
	f.Label(12, y, 0, 180, 8, "B", "Slot booked:", f.Moment("", s.Arrives.AddDate(0, 0, 2).Add(9*time.Hour))+" (tail-lift not needed)")
	y = f.Label(12, y+5, 0, 180, 8, "B", "4  Restitute empty:", f.Text("empty_return", s.Depot))
	var rows [][]string
	for _, b := range s.Containers {
		row := f.Row("containers")
		rows = append(rows, []string{row.Size("size_type", b.Size), row.Container("number", b.Number) + " / " + row.Number("seal", b.Seal), row.Count("packages", b.Packages), row.BareMass("gross_weight", b.Gross), row.BareVolume("volume", b.Volume)})
	}
	y = f.Table(12, y+3, 8, true, []form.Column{{Title: "Type", Width: 36}, {Title: "Unit / seal", Width: 66}, {Title: "Ctns", Width: 20, Right: true}, {Title: f.Kilo, Width: 30, Right: true}, {Title: f.Cubic, Width: 30, Right: true}}, rows)
	f.Paragraph(12, y+5, 186, 7.5, "Waiting time after one hour by prior consent only. Damage to be noted on the delivery note, which is to be sent to us with your invoice on the same day.")
}

// itineraryBooking is a carrier's: parties and route in pairs, a table of equipment, one
// of the voyage, and one of where the empty is fetched and the full one brought.
func itineraryBooking(f *form.Form) {
	f.Style.Day, f.Style.Clock = "2006-01-02", "15:04"
	s := f.S
	f.Page("A4")
	f.Say(12, 9, 14, "B", s.Line.ShortName)
	f.SCAC(s.Line)
	f.Right(198, 9, 13, "B", "BOOKING CONFIRMATION")
	f.Rule(12, 17, 198, 17)
	for i, p := range [][2]string{
		{"Booking No.:", f.Number("booking_number", s.Booking)}, {"Print Date:", f.Moment("issue_date", s.Booked.Add(8*time.Hour+26*time.Minute)) + " UTC"},
		{"Booked by Party:", s.Forward.Name}, {"Service Mode:", "CY/CY"},
		{"Contact Name:", "Export Desk"}, {"From:", f.Place("place_of_receipt", s.Receipt)},
		{"Booked by Ref. No:", s.PO}, {"To:", f.Place("place_of_delivery", s.Delivery)},
		{"Service Contract:", "29" + s.Pickup}, {"Cargo Detail:", s.Goods[0].Words},
	} {
		f.Label(12+95*float64(i%2), 20+4.6*float64(i/2), 30, 92, 8, "B", p[0], p[1])
	}
	y := f.Paragraph(12, 46, 186, 7, "Thank you for your booking. Please look through the particulars below and tell us of any change before a container is fetched. Tariff and terms of carriage apply as published.") + 3
	f.Say(12, y, 9, "B", "Equipment")
	row := f.Row("equipment")
	y = f.Table(12, y+4, 7.5, true, []form.Column{{Title: "Quantity", Width: 18}, {Title: "Size/Type/Height\n(ft in)", Width: 34}, {Title: "Collapsible", Width: 20}, {Title: "Gross Weight", Width: 34}, {Title: "Pack. Qty/Kind", Width: 40}, {Title: "Cargo Volume", Width: 40}}, [][]string{
		{row.Count("quantity", len(s.Containers)), lineSize(row, 2, s.Containers[0].Size), "", f.Mass("", s.Gross()), fmt.Sprintf("%d Carton(s)", s.Packages()), f.Volume("", s.Volume())},
	})
	f.Say(12, y+4, 9, "B", "Intended Transport Plan")
	y = f.Table(12, y+8, 7.5, true, []form.Column{{Title: "From", Width: 38}, {Title: "To", Width: 38}, {Title: "Mode", Width: 14}, {Title: "Vessel", Width: 38}, {Title: "Voy No.", Width: 18}, {Title: "ETD", Width: 20}, {Title: "ETA", Width: 20}}, [][]string{
		{f.Place("port_of_lading", s.Lading), f.Place("port_of_discharge", s.Unlading), "MVS", f.Text("vessel", s.Ship.Name), f.Number("voyage", s.Voyage), f.Day("etd", s.Sailed), f.Day("eta", s.Arrives)},
	})
	f.Say(12, y+4, 9, "B", "Load Itinerary")
	y = f.Table(12, y+8, 7.5, true, []form.Column{{Title: "Type", Width: 44}, {Title: "Location", Width: 62}, {Title: "Release Date", Width: 40}, {Title: "Return Date", Width: 40}}, [][]string{
		{"Empty Container Depot", f.Text("empty_pickup", s.Depot), f.Day("", s.Cutoff.AddDate(0, 0, -5)), ""},
		{"Return Equip Delivery Terminal", strings.ToUpper(s.Lading.Name) + " TERMINAL", "", f.Day("", s.Cutoff.AddDate(0, 0, -1))},
	})
	f.Say(12, y+4, 9, "B", "Deadlines")
	f.Table(12, y+8, 7.5, false, []form.Column{{Title: "Task", Width: 100}, {Title: "To be done by (local)", Width: 60}}, [][]string{
		{"Submission of shipping instructions", f.Moment("si_cutoff", s.Cutoff.Add(-30*time.Hour))},
		{"Declaration of verified gross mass", f.Moment("vgm_cutoff", s.Cutoff.Add(-8*time.Hour))},
		{"Export customs release", f.Moment("customs_cutoff", s.Cutoff.Add(-4*time.Hour))},
		{"Full containers into the yard (CY)", f.Moment("cy_cutoff", s.Cutoff)},
	})
}

// forwarderBooking is a forwarder's on to its customer: short captions of the trade with
// spaces before their colons, and ports in one line.
func forwarderBooking(f *form.Form) {
	s := f.S
	f.Page("A4")
	letterhead(f, s.Forward)
	f.Centre(105, f.Y, 14, "B", form.Pick(f, "BOOKING CONFIRMATION", "BOOKING CONFIRMATION / RELEASE ORDER", "Booking confirmation - sea FCL export"))
	y := f.Y + 10
	line := func(caption, value string) { y = f.Label(20, y, 46, 170, 9, "", caption+" :", value) + 0.8 }
	line("DATE", f.Day("issue_date", s.Booked))
	line("OUR REF. NO.", "SE"+s.Pickup)
	line("CARRIER / BKG. NO.", f.SCAC(s.Line)+" / "+f.Number("booking_number", s.Booking))
	line("SHIPPER", s.Shipper.Name)
	line("VOLUME", equipment(f, form.Pick(f, "X", " X ", " x ")))
	line("COMMODITY", s.Goods[0].Words)
	line("POL / POD", f.Place("port_of_lading", s.Lading)+" / "+f.Place("port_of_discharge", s.Unlading))
	line("FINAL DEST", f.Place("place_of_delivery", s.Delivery))
	line("M/VSL", f.Text("vessel", s.Ship.Name)+" "+form.Pick(f, "V.", "VOY ", "V ")+f.Number("voyage", s.Voyage))
	line("ETD POL", f.Day("etd", s.Sailed))
	line("ETA POD", f.Day("eta", s.Arrives))
	line("LCT - DOCS (S/I)", f.Moment("si_cutoff", s.Cutoff.Add(-28*time.Hour)))
	line("LCT - VGM", f.Moment("vgm_cutoff", s.Cutoff.Add(-6*time.Hour)))
	line("LCT - CONTAINER (CY)", f.Moment("cy_cutoff", s.Cutoff))
	line("EMPTY RELEASE DEPOT", f.Text("empty_pickup", s.Depot))
	line("TRUCKER", s.Trucker.Name)
	f.Say(20, y+4, 9, "B", "REMINDER:")
	f.Paragraph(20, y+9, 170, 8, "Late containers are rolled to the next sailing. Please check that units are clean, dry and free of rust before loading, and keep the seals given by the depot. Rates are valid for the sailing stated.")
}
