package train

import (
	"fmt"
	"time"

	"github.com/landfallhq/tracking/classify/corpus/form"
	"github.com/landfallhq/tracking/classify/corpus/truth"
)

var variedBookings = []form.Layout{
	{Name: "bc-columns", Type: truth.BookingConfirmation, Copies: 2, Draw: columnBooking},
	{Name: "bc-legs", Type: truth.BookingConfirmation, Copies: 2, Draw: legBooking},
	{Name: "bc-mail", Type: truth.BookingConfirmation, Copies: 2, Draw: mailBooking},
}

// columnBooking has two columns of captions, with a colon each.
func columnBooking(f *form.Form) {
	s := f.S
	f.Page("Letter")
	letterhead(f, s.Agent)
	f.Say(12, f.Y, 13, "B", form.Pick(f, "BOOKING CONFIRMATION", "Export Booking Confirmation", "Booking Receipt Notice"))
	f.SCAC(s.Line)
	y := f.Y + 10
	pairs := [][2]string{
		{form.Pick(f, "Bkg No.:", "Booking Ref. No.:", "Booking #:"), f.Number("booking_number", s.Booking)}, {"Booking Date:", f.Day("issue_date", s.Booked)},
		{"Carrier:", s.Line.Name}, {"Commodity:", s.Goods[0].Item},
		{form.Pick(f, "Vessel/Voy. No.:", "Mother Vessel/Voyage:", "Intended Vessel/Voyage:"), f.Text("vessel", s.Ship.Name) + " " + f.Number("voyage", s.Voyage)}, {"Qty/Type:", equipment(f, " x ")},
		{form.Pick(f, "Receipt:", "Origin:", "Place of receipt:"), f.Place("place_of_receipt", s.Receipt)}, {form.Pick(f, "Delivery:", "Final Destination:", "Place of delivery:"), f.Place("place_of_delivery", s.Delivery)},
		{form.Pick(f, "Load Port:", "POL:", "Port of loading:"), f.Place("port_of_lading", s.Lading)}, {form.Pick(f, "Discharge Port:", "POD:", "Port of discharge:"), f.Place("port_of_discharge", s.Unlading)},
		{form.Pick(f, "ETD:", "ETS:", "Sailing date:"), f.Day("etd", s.Sailed)}, {form.Pick(f, "ETA:", "Est. arrival:", "Arrival date:"), f.Day("eta", s.Arrives)},
		{form.Pick(f, "SI closing:", "Docs cut-off:", "SI cut-off:"), f.Moment("si_cutoff", s.Cutoff.Add(-24*time.Hour))}, {form.Pick(f, "VGM closing:", "VGM deadline:", "VGM cut-off:"), f.Moment("vgm_cutoff", s.Cutoff.Add(-6*time.Hour))},
		{form.Pick(f, "CY closing:", "Cargo cut-off:", "CY cutoff:"), f.Moment("cy_cutoff", s.Cutoff)}, {"Customs closing:", f.Moment("customs_cutoff", s.Cutoff.Add(-12*time.Hour))},
	}
	for i, p := range pairs {
		x := 12 + 98*float64(i%2)
		f.Say(x, y, 8, "", p[0])
		f.Fill(x+38, y, 56, 8.5, p[1])
		if i%2 == 1 {
			y += 5.2
		}
	}
	y = f.Pair(12, y+3, 38, 120, form.Pick(f, "Empty pick up:", "Empty depot:", "Pick up depot:"), f.Text("empty_pickup", s.Depot))
	f.Paragraph(12, y+5, 186, 7, "All dates are estimates without guarantee. The carrier's bill of lading terms apply to this booking.")
}

// legBooking has a table of the leg, and deadlines side by side.
func legBooking(f *form.Form) {
	s := f.S
	f.Page("A4")
	f.Say(12, 9, 15, "B", s.Line.Name)
	f.SCAC(s.Line)
	f.Say(12, 18, 12, "", form.Pick(f, "Booking confirmation", "Your booking is confirmed", "Confirmation of booking"))
	f.Rule(12, 25, 198, 25)
	f.Field(12, 28, 60, "Booking reference", f.Number("booking_number", s.Booking))
	f.Field(75, 28, 60, "Date of booking", f.Day("issue_date", s.Booked))
	f.Field(138, 28, 60, "Customer", s.Shipper.Name)
	f.Field(12, 40, 60, "From", f.Place("place_of_receipt", s.Receipt))
	f.Field(75, 40, 60, "To", f.Place("place_of_delivery", s.Delivery))
	f.Say(12, 54, 9, "B", "Schedule")
	y := f.Table(12, 59, 8, false, []form.Column{{Title: "Load port", Width: 40}, {Title: "ETD", Width: 28}, {Title: "Discharge port", Width: 40}, {Title: "ETA", Width: 28}, {Title: "Vessel", Width: 32}, {Title: "Voyage", Width: 18}}, [][]string{
		{f.Place("port_of_lading", s.Lading), f.Day("etd", s.Sailed), f.Place("port_of_discharge", s.Unlading), f.Day("eta", s.Arrives), f.Text("vessel", s.Ship.Name), f.Number("voyage", s.Voyage)},
	})
	f.Say(12, y+5, 9, "B", "Equipment")
	row := f.Row("equipment")
	y = f.Table(12, y+10, 8, false, []form.Column{{Title: "Type", Width: 60}, {Title: "No. of units", Width: 40}, {Title: "Empty release depot", Width: 70}}, [][]string{{row.Size("size_type", s.Containers[0].Size), row.Count("quantity", len(s.Containers)), f.Text("empty_pickup", s.Depot)}})
	f.Say(12, y+5, 9, "B", "Deadlines")
	f.Table(12, y+10, 8, true, []form.Column{{Title: "SI cut-off", Width: 46}, {Title: "VGM cut-off", Width: 46}, {Title: "CY cut-off", Width: 46}}, [][]string{{
		f.Moment("si_cutoff", s.Cutoff.Add(-24*time.Hour)), f.Moment("vgm_cutoff", s.Cutoff.Add(-6*time.Hour)), f.Moment("cy_cutoff", s.Cutoff),
	}})
}

// mailBooking is a mail to the customer.
func mailBooking(f *form.Form) {
	s := f.S
	f.Page("A4")
	f.Say(12, 10, 10, "B", "Subject: Booking confirmation "+f.Number("booking_number", s.Booking))
	f.Say(12, 16, 8.5, "", "Sent: "+f.Day("issue_date", s.Booked))
	y := f.Paragraph(12, 26, 180, 9, "Dear customer, thank you for your booking with "+s.Line.Name+". We are pleased to confirm space and equipment as follows:")
	f.SCAC(s.Line)
	y += 3
	for _, p := range [][2]string{
		{"Booking number", s.Booking},
		{"Vessel", f.Text("vessel", s.Ship.Name) + " (IMO " + f.Number("vessel_imo", s.Ship.IMO) + ")"},
		{"Voyage", f.Number("voyage", s.Voyage)},
		{"Port of loading", f.Place("port_of_lading", s.Lading)},
		{"Port of discharge", f.Place("port_of_discharge", s.Unlading)},
		{"Estimated departure", f.Day("etd", s.Sailed)},
		{"Estimated arrival", f.Day("eta", s.Arrives)},
		{"Equipment", equipment(f, " x ")},
		{"Empty pick-up at", f.Text("empty_pickup", s.Depot)},
		{"Shipping instructions by", f.Moment("si_cutoff", s.Cutoff.Add(-24*time.Hour))},
		{"VGM by", f.Moment("vgm_cutoff", s.Cutoff.Add(-6*time.Hour))},
		{"Gate closing", f.Moment("cy_cutoff", s.Cutoff)},
	} {
		f.Fill(16, y, 170, 8.5, fmt.Sprintf("- %s: %s", p[0], p[1]))
		y += 4.6
	}
	f.Paragraph(12, y+5, 180, 9, "Please send your shipping instructions in time. Kind regards, export desk.")
}
