package train

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/landfallhq/tracking/classify/corpus/form"
	"github.com/landfallhq/tracking/classify/corpus/truth"
)

var bookings = []form.Layout{
	{Name: "bc-list", Type: truth.BookingConfirmation, Copies: 5, Draw: listBooking},
	{Name: "bc-table", Type: truth.BookingConfirmation, Copies: 4, Draw: tableBooking},
	{Name: "bc-boxes", Type: truth.BookingConfirmation, Copies: 4, Draw: boxedBooking},
}

// equipment prints how many containers of the one size.
func equipment(f *form.Form, with string) string {
	row := f.Row("equipment")
	n := len(f.S.Containers)
	return row.Code("quantity", strconv.Itoa(n), fmt.Sprint(n)) + with + row.Size("size_type", f.S.Containers[0].Size)
}

func listBooking(f *form.Form) {
	s := f.S
	f.Page("A4")
	f.Say(12, 10, 16, "B", strings.ToUpper(s.Line.Name))
	f.SCAC(s.Line)
	f.Say(12, 18, 13, "B", form.Pick(f, "BOOKING CONFIRMATION", "Booking Confirmation", "BOOKING ACKNOWLEDGEMENT"))
	y := f.Pair(12, 28, 48, 120, "Booking No.:", f.Number("booking_number", s.Booking))
	y = f.Pair(12, y, 48, 120, "Confirmation date:", f.Day("issue_date", s.Booked))
	y = f.Pair(12, y, 48, 150, "Booked by:", s.Forward.Name)
	y = f.Pair(12, y, 48, 150, "Shipper:", s.Shipper.Name)
	f.Rule(12, y+1, 198, y+1)
	y = f.Pair(12, y+4, 48, 120, "Equipment:", equipment(f, " x "))
	y = f.Pair(12, y, 48, 120, "Commodity:", s.Goods[0].Words)
	y = f.Pair(12, y, 48, 120, "Vessel/Voyage:", f.Text("vessel", s.Ship.Name)+" / "+f.Number("voyage", s.Voyage))
	y = f.Pair(12, y, 48, 120, "Place of receipt:", f.Place("place_of_receipt", s.Receipt))
	y = f.Pair(12, y, 48, 120, "Port of loading:", f.Place("port_of_lading", s.Lading))
	y = f.Pair(12, y, 48, 120, "Port of discharge:", f.Place("port_of_discharge", s.Unlading))
	y = f.Pair(12, y, 48, 120, "Place of delivery:", f.Place("place_of_delivery", s.Delivery))
	y = f.Pair(12, y, 48, 120, "ETD:", f.Day("etd", s.Sailed))
	y = f.Pair(12, y, 48, 120, "ETA:", f.Day("eta", s.Arrives))
	f.Rule(12, y+1, 198, y+1)
	y = f.Pair(12, y+4, 48, 120, "SI cut-off:", f.Moment("si_cutoff", s.Cutoff.Add(-24*time.Hour)))
	y = f.Pair(12, y, 48, 120, "VGM cut-off:", f.Moment("vgm_cutoff", s.Cutoff.Add(-6*time.Hour)))
	y = f.Pair(12, y, 48, 120, "CY cut-off:", f.Moment("cy_cutoff", s.Cutoff))
	y = f.Pair(12, y, 48, 120, "Customs cut-off:", f.Moment("customs_cutoff", s.Cutoff.Add(-12*time.Hour)))
	y = f.Pair(12, y, 48, 120, "Empty pickup depot:", f.Text("empty_pickup", s.Depot))
	f.Paragraph(12, y+6, 186, 7, "Space and equipment are subject to availability. Containers without verified gross mass will not be loaded. Please quote the booking number in all correspondence.")
}

// tableBooking tells the route and the deadlines in tables.
func tableBooking(f *form.Form) {
	s := f.S
	f.Page("A4")
	f.Badge(12, 10, 186, 9)
	f.Say(14, 24, 13, "B", s.Line.ShortName+" "+form.Pick(f, "Booking Confirmation", "booking confirmation", "Booking confirmed"))
	f.Right(198, 24, 9, "", "Booking number "+f.Number("booking_number", s.Booking))
	f.Right(198, 30, 8, "", "Issued "+f.Day("issue_date", s.Booked)+"   SCAC "+f.SCAC(s.Line))
	y := f.Table(12, 40, 8, true, []form.Column{{Title: "Vessel", Width: 46}, {Title: "Voyage", Width: 24}, {Title: "Port of loading", Width: 42}, {Title: "ETD", Width: 32}, {Title: "Port of discharge", Width: 42}}, [][]string{{
		f.Text("vessel", s.Ship.Name), f.Number("voyage", s.Voyage), f.Place("port_of_lading", s.Lading), f.Day("etd", s.Sailed), f.Place("port_of_discharge", s.Unlading),
	}})
	y = f.Table(12, y+5, 8, true, []form.Column{{Title: "ETA", Width: 46}, {Title: "Place of receipt", Width: 52}, {Title: "Place of delivery", Width: 52}, {Title: "IMO", Width: 36}}, [][]string{{
		f.Day("eta", s.Arrives), f.Place("place_of_receipt", s.Receipt), f.Place("place_of_delivery", s.Delivery), f.Number("vessel_imo", s.Ship.IMO),
	}})
	row := f.Row("equipment")
	y = f.Table(12, y+5, 8, true, []form.Column{{Title: "Quantity", Width: 24}, {Title: "Size/Type", Width: 46}, {Title: "Commodity", Width: 70}, {Title: "Empty pickup", Width: 46}}, [][]string{{
		row.Count("quantity", len(s.Containers)), row.Size("size_type", s.Containers[0].Size), s.Goods[0].Words, f.Text("empty_pickup", s.Depot),
	}})
	f.Say(12, y+5, 9, "B", "Deadlines (local time)")
	y = f.Table(12, y+10, 8, true, []form.Column{{Title: "Deadline", Width: 80}, {Title: "Date and time", Width: 60}}, [][]string{
		{"Shipping instructions (SI)", f.Moment("si_cutoff", s.Cutoff.Add(-24*time.Hour))},
		{"Verified gross mass (VGM)", f.Moment("vgm_cutoff", s.Cutoff.Add(-6*time.Hour))},
		{"Container yard (CY)", f.Moment("cy_cutoff", s.Cutoff)},
	})
	f.Paragraph(12, y+6, 186, 7, "This confirmation is subject to the terms of the carrier's bill of lading, and to its tariff.")
}

func boxedBooking(f *form.Form) {
	s := f.S
	f.Page("Letter")
	letterhead(f, s.Agent)
	f.Centre(108, f.Y, 13, "B", "BOOKING CONFIRMATION")
	f.Centre(108, f.Y+6, 8, "", "As agents for "+s.Line.Name)
	f.SCAC(s.Line)
	y := f.Y + 13
	f.Box(12, y, 64, 12, "BOOKING NUMBER", f.Number("booking_number", s.Booking))
	f.Box(76, y, 64, 12, "DATE", f.Day("issue_date", s.Booked))
	f.Box(140, y, 64, 12, "SHIPPER", s.Shipper.Name)
	f.Box(12, y+12, 64, 12, "VESSEL", f.Text("vessel", s.Ship.Name))
	f.Box(76, y+12, 64, 12, "VOYAGE", f.Number("voyage", s.Voyage))
	f.Box(140, y+12, 64, 12, "EQUIPMENT", equipment(f, "X"))
	f.Box(12, y+24, 48, 12, "PLACE OF RECEIPT", f.Place("place_of_receipt", s.Receipt))
	f.Box(60, y+24, 48, 12, "PORT OF LOADING", f.Place("port_of_lading", s.Lading))
	f.Box(108, y+24, 48, 12, "PORT OF DISCHARGE", f.Place("port_of_discharge", s.Unlading))
	f.Box(156, y+24, 48, 12, "FINAL DESTINATION", f.Place("place_of_delivery", s.Delivery))
	f.Box(12, y+36, 48, 12, "ETD POL", f.Day("etd", s.Sailed))
	f.Box(60, y+36, 48, 12, "ETA POD", f.Day("eta", s.Arrives))
	f.Box(108, y+36, 96, 12, "EMPTY PICK-UP", f.Text("empty_pickup", s.Depot))
	f.Box(12, y+48, 48, 12, "SI CUT-OFF", f.Moment("si_cutoff", s.Cutoff.Add(-24*time.Hour)))
	f.Box(60, y+48, 48, 12, "VGM CUT-OFF", f.Moment("vgm_cutoff", s.Cutoff.Add(-6*time.Hour)))
	f.Box(108, y+48, 48, 12, "PORT CUT-OFF (CY)", f.Moment("cy_cutoff", s.Cutoff))
	f.Box(156, y+48, 48, 12, "CUSTOMS CUT-OFF", f.Moment("customs_cutoff", s.Cutoff.Add(-12*time.Hour)))
	f.Paragraph(12, y+66, 190, 7, "Remarks: please check the particulars and report errors within 24 hours. No-show fees apply for containers that are booked and not delivered.")
}
