package train

import (
	"fmt"

	"github.com/landfallhq/tracking/classify/corpus/form"
	"github.com/landfallhq/tracking/classify/corpus/truth"
)

var notices = []form.Layout{
	{Name: "an-boxes", Type: truth.ArrivalNotice, Copies: 6, Draw: boxedNotice},
	{Name: "an-letter", Type: truth.ArrivalNotice, Copies: 5, Draw: letterNotice},
	{Name: "an-invoice", Type: truth.ArrivalNotice, Copies: 5, Draw: invoiceNotice},
}

// boxedNotice is a line's notice with all dates in boxes.
func boxedNotice(f *form.Form) {
	s := f.S
	f.Page(form.Pick(f, "A4", "Letter"))
	f.Say(12, 10, 15, "B", s.Line.Name)
	f.Right(198, 10, 14, "B", form.Pick(f, "ARRIVAL NOTICE", "Arrival Notice", "NOTICE OF ARRIVAL"))
	f.Right(198, 17, 7, "", "Carrier SCAC: "+f.SCAC(s.Line))
	f.Box(12, 24, 62, 12, "Notice No.", f.Number("notice_number", s.Notice))
	f.Box(74, 24, 62, 12, "Notice date", f.Day("issue_date", s.Noticed))
	f.Box(136, 24, 62, 12, "Bill of Lading No.", f.Number("bl_number", s.BL))
	f.Box(12, 36, 93, 24, "Consignee", f.Party("consignee", s.Buyer, 4)...)
	f.Box(105, 36, 93, 24, "Notify party", f.Party("notify_party", s.Notify, 4)...)
	f.Box(12, 60, 62, 12, "Vessel / Voyage", f.Text("vessel", s.Ship.Name)+" / "+f.Number("voyage", s.Voyage))
	f.Box(74, 60, 62, 12, "IMO No.", f.Number("vessel_imo", s.Ship.IMO))
	f.Box(136, 60, 62, 12, form.Pick(f, "ETA", "Estimated Time of Arrival", "ETA at POD"), f.Day("eta", s.Arrives))
	f.Box(12, 72, 62, 12, "Port of loading", f.Place("port_of_lading", s.Lading))
	f.Box(74, 72, 62, 12, "Port of discharge", f.Place("port_of_discharge", s.Unlading))
	f.Box(136, 72, 62, 12, "Place of delivery", f.Place("place_of_delivery", s.Delivery))
	f.Box(12, 84, 93, 12, "Discharge terminal", f.Text("terminal", s.Terminal.Name))
	if s.Terminal.FIRMS != "" {
		f.Box(105, 84, 46, 12, "FIRMS code", f.Number("firms_code", s.Terminal.FIRMS))
	}
	f.Box(151, 84, 47, 12, form.Pick(f, "Last Free Day", "LFD", "Last free date"), f.Day("last_free_day", s.FreeUntil))
	if s.Unlading.Country == "US" {
		f.Box(12, 96, 62, 12, "IT No.", f.Number("it_number", s.Entry))
		f.Box(74, 96, 62, 12, "IT date", f.Day("it_date", s.Arrives))
		f.Box(136, 96, 62, 12, "G.O. date", f.Day("go_date", s.GeneralOrder))
	}
	y := loads(f, 12, 114, 7.5, true)
	y = f.Prose(12, y+3, 150, 8, described(s))
	f.Paragraph(12, y+8, 186, 7, "Please note that this is an estimate and that free time is counted from the day of availability. Original bills of lading must be surrendered before release of the cargo.")
}

// letterNotice is a letter from the line's agent with a list of what matters.
func letterNotice(f *form.Form) {
	s := f.S
	f.Page("A4")
	letterhead(f, s.Agent)
	f.Say(12, f.Y, 8, "", "Date: "+f.Day("issue_date", s.Noticed))
	y := f.Y + 6
	f.Say(12, y, 8, "", "To:")
	for i, line := range f.Party("consignee", s.Buyer, 4) {
		f.Fill(20, y+4*float64(i), 90, 8.5, line)
	}
	y += 20
	f.Say(12, y, 11, "B", "Re: "+form.Pick(f, "Arrival notice", "Pre-arrival notice", "Notice of arrival of your cargo")+" - B/L "+f.Number("bl_number", s.BL))
	y = f.Paragraph(12, y+8, 180, 8, "Dear Sirs, we are pleased to inform you, as agents of "+s.Line.Name+", that the goods below are about to arrive.") + 3
	f.SCAC(s.Line)
	y = f.Pair(20, y, 45, 120, "Vessel", f.Text("vessel", s.Ship.Name))
	y = f.Pair(20, y, 45, 120, "Voyage", f.Number("voyage", s.Voyage))
	y = f.Pair(20, y, 45, 120, "From", f.Place("port_of_lading", s.Lading))
	y = f.Pair(20, y, 45, 120, "To", f.Place("port_of_discharge", s.Unlading))
	y = f.Pair(20, y, 45, 120, "Expected arrival", f.Moment("eta", s.Arrives.Add(6*3600e9)))
	y = f.Pair(20, y, 45, 120, "Terminal", f.Text("terminal", s.Terminal.Name))
	y = f.Pair(20, y, 45, 120, "Free time expires", f.Day("last_free_day", s.FreeUntil))
	y = f.Pair(20, y, 45, 120, "Pick-up number", f.Number("pickup_number", s.Pickup))
	y += 3
	for _, b := range s.Containers {
		row := f.Row("containers")
		f.Fill(20, y, 170, 8.5, fmt.Sprintf("%s  %s  seal %s  %s packages  %s",
			row.Container("number", b.Number), row.Size("size_type", b.Size), row.Number("seal", b.Seal), row.Count("packages", b.Packages), row.Mass("gross_weight", b.Gross)))
		y += 4.4
	}
	f.Paragraph(12, y+5, 180, 8, "Kindly arrange customs clearance and take delivery in good time. Storage and demurrage after free time are for account of the merchant.")
}

// invoiceNotice is a forwarder's notice with charges, master and house bill.
func invoiceNotice(f *form.Form) {
	s := f.S
	f.Page("Letter")
	letterhead(f, s.Forward)
	f.Centre(108, f.Y, 13, "B", form.Pick(f, "ARRIVAL NOTICE / FREIGHT INVOICE", "ARRIVAL NOTICE AND INVOICE"))
	y := f.Y + 9
	f.Field(12, y, 60, "NOTICE NO.", f.Number("notice_number", s.Notice))
	f.Field(75, y, 60, "DATE", f.Day("issue_date", s.Noticed))
	f.Field(138, y, 60, "AMS B/L NO.", f.Number("ams_number", s.AMS))
	f.Field(12, y+10, 60, "MASTER B/L NO.", f.Number("bl_number", s.BL))
	f.Field(75, y+10, 60, "HOUSE B/L NO.", f.Number("hbl_number", s.HBL))
	f.Field(138, y+10, 60, "OCEAN CARRIER", s.Line.ShortName)
	f.SCAC(s.Line)
	f.Rule(12, y+20, 204, y+20)
	f.Field(12, y+21, 90, "CONSIGNEE", f.Party("consignee", s.Buyer, 4)...)
	f.Field(110, y+21, 90, "NOTIFY PARTY", f.Party("notify_party", s.Notify, 4)...)
	f.Rule(12, y+42, 204, y+42)
	f.Field(12, y+43, 60, "VESSEL", f.Text("vessel", s.Ship.Name))
	f.Field(75, y+43, 60, "VOYAGE", f.Number("voyage", s.Voyage))
	f.Field(138, y+43, 60, "ETA DISCHARGE PORT", f.Day("eta", s.Arrives))
	f.Field(12, y+53, 60, "LOADING PORT", f.Place("port_of_lading", s.Lading))
	f.Field(75, y+53, 60, "DISCHARGE PORT", f.Place("port_of_discharge", s.Unlading))
	f.Field(138, y+53, 60, "FINAL DESTINATION", f.Place("place_of_delivery", s.Delivery))
	f.Field(12, y+63, 60, "CFS / CY LOCATION", f.Text("terminal", s.Terminal.Name))
	if s.Terminal.FIRMS != "" {
		f.Field(75, y+63, 60, "FIRMS", f.Number("firms_code", s.Terminal.FIRMS))
	}
	f.Field(138, y+63, 60, "LAST FREE DAY", f.Day("last_free_day", s.FreeUntil))
	y = loads(f, 12, y+74, 7.5, false)
	total := 0
	var rows [][]string
	for _, name := range []string{"OCEAN FREIGHT", "TERMINAL HANDLING", "DOCUMENTATION FEE", "CHASSIS USAGE", "ISF FILING"}[:2+f.R.IntN(4)] {
		cents := 2500 + 100*f.R.IntN(3000)
		total += cents
		row := f.Row("charges")
		rows = append(rows, []string{row.Text("description", name), "USD", row.Money("amount", "USD", cents)})
	}
	rows = append(rows, []string{"TOTAL DUE", "USD", f.Money("", "USD", total)})
	f.Table(90, y+6, 8, true, []form.Column{{Title: "Charge", Width: 60}, {Title: "Curr.", Width: 14}, {Title: "Amount", Width: 34, Right: true}}, rows)
}
