package heldout

import (
	"strconv"
	"time"

	"github.com/landfallhq/tracking/classify/corpus/form"
	"github.com/landfallhq/tracking/classify/corpus/truth"
)

var bookings = []form.Layout{
	{Name: "bc-legs", Type: truth.BookingConfirmation, Copies: 3, Draw: legsBooking},
	{Name: "bc-receipt", Type: truth.BookingConfirmation, Copies: 2, Draw: receiptBooking},
	{Name: "bc-forwarder", Type: truth.BookingConfirmation, Copies: 2, Draw: forwarderBooking},
}

// legsBooking has the plan of transport as a table of legs, on two pages.
func legsBooking(f *form.Form) {
	s := f.S
	f.Page("A4")
	f.Say(12, 9, 12, "B", s.Line.Name)
	f.SCAC(s.Line)
	f.Right(198, 9, 15, "B", "Booking Confirmation")
	f.Right(198, 16, 9, "", "Booking No.: "+f.Number("booking_number", s.Booking))
	f.Say(12, 24, 8, "", "Print Date: "+f.Day("issue_date", s.Booked))
	f.Say(110, 24, 8, "", "Booked by Party: "+s.Forward.Name)
	f.Say(12, 29, 8, "", "Service Mode: CY/CY")
	f.Say(110, 29, 8, "", "Service Contract: "+s.Entry)
	f.Rule(12, 35, 198, 35)
	y := f.Pair(12, 38, 36, 80, "From:", f.Place("place_of_receipt", s.Receipt))
	f.Pair(110, 38, 36, 88, "To:", f.Place("place_of_delivery", s.Delivery))
	y = f.Pair(12, y, 36, 180, "Commodity Description:", "")
	y = f.Prose(16, y, 160, 8.5, s.Goods[0].Words)
	f.Say(12, y+3, 9, "B", "Equipment")
	row := f.Row("equipment")
	y = f.Table(12, y+8, 8, false, []form.Column{{Title: "Quantity", Width: 24, Right: true}, {Title: "Size/Type/Height", Width: 60}, {Title: "Gross Weight", Width: 50}}, [][]string{
		{row.Count("quantity", len(s.Containers)), row.Size("size_type", s.Containers[0].Size), f.Mass("", s.Gross())},
	})
	f.Say(12, y+4, 9, "B", "Intended Transport Plan")
	y = f.Table(12, y+9, 8, true, []form.Column{{Title: "From", Width: 36}, {Title: "To", Width: 36}, {Title: "Vessel", Width: 40}, {Title: "Voy No.", Width: 22}, {Title: "ETD", Width: 26}, {Title: "ETA", Width: 26}}, [][]string{{
		f.Place("port_of_lading", s.Lading), f.Place("port_of_discharge", s.Unlading), f.Text("vessel", s.Ship.Name), f.Number("voyage", s.Voyage), f.Day("etd", s.Sailed), f.Day("eta", s.Arrives),
	}})
	f.Say(12, y+4, 9, "B", "Load Itinerary")
	f.Table(12, y+9, 8, true, []form.Column{{Title: "Type", Width: 34}, {Title: "Location", Width: 80}, {Title: "Release Date", Width: 36}}, [][]string{
		{"Empty Container Depot", f.Text("empty_pickup", s.Depot), f.Day("", s.Booked.AddDate(0, 0, 2))},
	})
	f.Right(198, 285, 7, "", "1 / 2")
	f.Page("A4")
	f.Say(12, 9, 9, "B", "Booking No.: "+s.Booking)
	f.Say(12, 18, 9, "B", "Deadline Information")
	f.Table(12, 23, 8, false, []form.Column{{Title: "Deadline", Width: 70}, {Title: "Local date and time", Width: 60}}, [][]string{
		{"Shipping Instructions", f.Moment("si_cutoff", s.Cutoff.Add(-20*time.Hour))},
		{"Verified Gross Mass", f.Moment("vgm_cutoff", s.Cutoff.Add(-4*time.Hour))},
		{"Commercial Cargo (CY gate-in)", f.Moment("cy_cutoff", s.Cutoff)},
	})
	f.Paragraph(12, 60, 186, 7, "The shipment is subject to the carrier's tariff and its terms for carriage. Please note that dates of arrival and departure are estimates.")
	f.Right(198, 285, 7, "", "2 / 2")
}

// receiptBooking is a receipt notice as lines in Asia send it.
func receiptBooking(f *form.Form) {
	s := f.S
	f.Font, f.ValueFont = form.Typed, form.Typed
	f.Page("A4")
	f.Centre(105, 10, 12, "B", s.Line.ShortName+" BOOKING RECEIPT NOTICE")
	f.SCAC(s.Line)
	y := colon(f, 12, 20, "ATTN", s.Shipper.Name)
	y = colon(f, 12, y, "DATE", f.Day("issue_date", s.Booked))
	y = f.Paragraph(12, y+2, 186, 8.5, "WE CONFIRM YOUR BOOKING AS FOLLOWS:")
	y = colon(f, 12, y+3, "BOOKING NUMBER", f.Number("booking_number", s.Booking))
	y = colon(f, 12, y, "BKG PTY REFERENCE", s.PO)
	y = colon(f, 12, y, "INTENDED VESSEL/VOYAGE", f.Text("vessel", s.Ship.Name)+" / "+f.Number("voyage", s.Voyage))
	y = colon(f, 12, y, "POR", f.Place("place_of_receipt", s.Receipt))
	y = colon(f, 12, y, "POL", f.Place("port_of_lading", s.Lading))
	y = colon(f, 12, y, "POD", f.Place("port_of_discharge", s.Unlading))
	y = colon(f, 12, y, "DEL", f.Place("place_of_delivery", s.Delivery))
	y = colon(f, 12, y, "ETD AT POL", f.Day("etd", s.Sailed))
	y = colon(f, 12, y, "ETA AT POD", f.Day("eta", s.Arrives))
	row := f.Row("equipment")
	y = colon(f, 12, y, "EQ TYPE/Q'TY", row.Size("size_type", s.Containers[0].Size)+" - "+row.Code("quantity", strconv.Itoa(len(s.Containers)), strconv.Itoa(len(s.Containers))))
	y = colon(f, 12, y, "DOC CUT-OFF (SI)", f.Moment("si_cutoff", s.Cutoff.Add(-30*time.Hour)))
	y = colon(f, 12, y, "VGM CLOSING", f.Moment("vgm_cutoff", s.Cutoff.Add(-5*time.Hour)))
	y = colon(f, 12, y, "PORT CARGO CLOSING", f.Moment("cy_cutoff", s.Cutoff))
	y = colon(f, 12, y, "CUSTOMS CLOSING", f.Moment("customs_cutoff", s.Cutoff.Add(-8*time.Hour)))
	y = colon(f, 12, y, "EMPTY PICK UP CY", f.Text("empty_pickup", s.Depot))
	f.Paragraph(12, y+5, 186, 7.5, "REMARK: PLEASE ADVISE US OF ANY DISCREPANCY WITHIN ONE WORKING DAY. ROLL-OVER WITHOUT NOTICE IS POSSIBLE WHEN CARGO MISSES CLOSING.")
}

// forwarderBooking is a letter of a forwarder, with the particulars in bands.
func forwarderBooking(f *form.Form) {
	s := f.S
	f.Page("Letter")
	f.Say(12, 9, 13, "B", s.Forward.Name)
	f.Say(12, 18, 12, "", "Confirmation of booking")
	f.Say(12, 26, 9, "", f.Day("issue_date", s.Booked)+" - to "+s.Shipper.Name)
	y := f.Paragraph(12, 33, 190, 8.5, "Thank you for your order. The space below has been confirmed by "+s.Line.Name+".")
	f.SCAC(s.Line)
	band(f, 12, y+3, 64, 12, "CARRIER BOOKING REFERENCE", f.Number("booking_number", s.Booking))
	band(f, 76, y+3, 64, 12, "MOTHER VESSEL", f.Text("vessel", s.Ship.Name))
	band(f, 140, y+3, 64, 12, "VOYAGE", f.Number("voyage", s.Voyage))
	band(f, 12, y+15, 48, 12, "PLACE OF RECEIPT", f.Place("place_of_receipt", s.Receipt))
	band(f, 60, y+15, 48, 12, "LOAD PORT", f.Place("port_of_lading", s.Lading))
	band(f, 108, y+15, 48, 12, "DISCHARGE PORT", f.Place("port_of_discharge", s.Unlading))
	band(f, 156, y+15, 48, 12, "FINAL PLACE", f.Place("place_of_delivery", s.Delivery))
	row := f.Row("equipment")
	band(f, 12, y+27, 64, 12, "CONTAINERS", row.Code("quantity", strconv.Itoa(len(s.Containers)), strconv.Itoa(len(s.Containers)))+" x "+row.Size("size_type", s.Containers[0].Size))
	band(f, 76, y+27, 64, 12, "SAILING", f.Day("etd", s.Sailed))
	band(f, 140, y+27, 64, 12, "ARRIVAL", f.Day("eta", s.Arrives))
	band(f, 12, y+39, 64, 12, "EMPTIES FROM", f.Text("empty_pickup", s.Depot))
	band(f, 76, y+39, 64, 12, "GATE-IN LATEST (CY)", f.Moment("cy_cutoff", s.Cutoff))
	band(f, 140, y+39, 64, 12, "B/L INSTRUCTIONS LATEST (SI)", f.Moment("si_cutoff", s.Cutoff.Add(-26*time.Hour)))
	f.Paragraph(12, y+56, 190, 8, "Verified gross mass must reach us with the instructions. Please attach the commercial invoice and packing list for export clearance.")
}
