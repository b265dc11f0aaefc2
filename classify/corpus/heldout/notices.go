package heldout

import (
	"fmt"
	"strings"
	"time"

	"github.com/landfallhq/tracking/classify/corpus/form"
	"github.com/landfallhq/tracking/classify/corpus/truth"
)

var notices = []form.Layout{
	{Name: "an-bands", Type: truth.ArrivalNotice, Copies: 3, Draw: bandNotice},
	{Name: "an-mail", Type: truth.ArrivalNotice, Copies: 2, Draw: mailNotice},
	{Name: "an-grid", Type: truth.ArrivalNotice, Copies: 3, Draw: gridNotice},
}

// bandNotice is what programs of forwarders in the United States print: captions in
// grey bands, goods, charges.
func bandNotice(f *form.Form) {
	s := f.S
	f.Page("Letter")
	f.Say(12, 8, 11, "B", s.Forward.Name)
	f.Lines(12, 13, 7, "", strings.Join(s.Forward.Address, ", "), "Tel: "+s.Forward.Phone)
	f.Right(204, 8, 13, "B", "ARRIVAL NOTICE")
	f.Right(204, 15, 8, "", form.Pick(f, "FREIGHT DUE", "This is not a freight release"))
	band(f, 12, 22, 96, 24, "SHIPPER", all(s.Shipper)...)
	band(f, 108, 22, 48, 12, "REFERENCE", f.Number("notice_number", s.Notice))
	band(f, 156, 22, 48, 12, "ISSUED", f.Day("issue_date", s.Noticed))
	band(f, 108, 34, 48, 12, "OCEAN BILL OF LADING", f.Number("bl_number", s.BL))
	band(f, 156, 34, 48, 12, "HOUSE BILL OF LADING", f.Number("hbl_number", s.HBL))
	band(f, 12, 46, 96, 24, "CONSIGNEE", f.Party("consignee", s.Buyer, 4)...)
	band(f, 108, 46, 96, 24, "NOTIFY", f.Party("notify_party", s.Notify, 4)...)
	band(f, 12, 70, 72, 12, "IMPORTING VESSEL / VOYAGE / IMO (LLOYDS)", f.Text("vessel", s.Ship.Name)+" / "+f.Number("voyage", s.Voyage)+" / "+f.Number("vessel_imo", s.Ship.IMO))
	band(f, 84, 70, 60, 12, "CARRIER", s.Line.Name+" ("+f.SCAC(s.Line)+")")
	band(f, 144, 70, 60, 12, "AMS", f.Number("ams_number", s.AMS))
	band(f, 12, 82, 48, 12, "LOADED AT", f.Place("port_of_lading", s.Lading))
	band(f, 60, 82, 48, 12, "ARRIVING AT", f.Place("port_of_discharge", s.Unlading))
	band(f, 108, 82, 48, 12, "DESTINATION", f.Place("place_of_delivery", s.Delivery))
	band(f, 156, 82, 48, 12, "EST. ARRIVAL", f.Day("eta", s.Arrives))
	firms := ""
	if s.Terminal.FIRMS != "" {
		firms = "  FIRMS " + f.Number("firms_code", s.Terminal.FIRMS)
	}
	band(f, 12, 94, 96, 12, "CARGO AVAILABLE AT", f.Text("terminal", s.Terminal.Name)+firms)
	band(f, 108, 94, 32, 12, "FREE TIME ENDS", f.Day("last_free_day", s.FreeUntil))
	band(f, 140, 94, 32, 12, "GENERAL ORDER", f.Day("go_date", s.GeneralOrder))
	band(f, 172, 94, 32, 12, "PICK UP NO.", f.Number("pickup_number", s.Pickup))
	var rows [][]string
	for _, b := range s.Containers {
		row := f.Row("containers")
		rows = append(rows, []string{row.Container("number", b.Number), row.Size("size_type", b.Size), row.Number("seal", b.Seal), row.Count("packages", b.Packages) + " CTN", row.Mass("gross_weight", b.Gross), row.Volume("volume", b.Volume)})
	}
	y := f.Table(12, 110, 7.5, false, []form.Column{{Title: "CONTAINER", Width: 32}, {Title: "TYPE", Width: 36}, {Title: "SEAL", Width: 30}, {Title: "PIECES", Width: 28}, {Title: "WEIGHT", Width: 34}, {Title: "VOLUME", Width: 30}}, rows)
	y = f.Prose(12, y+3, 150, 8, said(s))
	f.Shade(12, y+4, 192, 5, 215)
	f.Say(13, y+5.4, 7, "B", "CHARGES")
	f.Right(203, y+5.4, 7, "B", "USD")
	y += 11
	total := 0
	for _, name := range []string{"Destination handling", "Import documentation", "Clean truck fee", "Pier pass", "Delivery to door"}[:1+f.R.IntN(5)] {
		cents := 3500 + 25*f.R.IntN(4000)
		total += cents
		row := f.Row("charges")
		f.Fill(13, y, 120, 8, row.Text("description", name))
		f.FillRight(203, y, 40, 8, row.Money("amount", "USD", cents))
		y += 4.4
	}
	f.Say(13, y+1, 8, "B", "TOTAL CHARGES DUE")
	f.FillRight(203, y+1, 40, 8, f.Money("", "", total))
}

// mailNotice is a mail of a line, printed.
func mailNotice(f *form.Form) {
	s := f.S
	s.BL = s.BL[4:]
	f.ValueFont = f.Font
	f.Page("A4")
	y := f.Lines(12, 10, 9, "", "From: Import desk, "+s.Line.Name, "To: "+s.Buyer.Name, "Sent: "+f.Day("issue_date", s.Noticed), "Subject: Cargo arrival notification, bill "+f.Number("bl_number", s.BL)+", "+s.Ship.Name)
	f.SCAC(s.Line)
	f.Rule(12, y+2, 198, y+2)
	y = f.Paragraph(12, y+6, 184, 9, "Dear customer, this is to notify you of the arrival of the shipment below, for which you are named on the bill of lading. Please contact us for release.")
	y += 3
	item := func(caption, value string) {
		f.Say(16, y, 9, "", "- "+caption+": "+value)
		y += 4.8
	}
	item("Consignee", f.Party("consignee", s.Buyer, 1)[0])
	item("Notify", f.Party("notify_party", s.Notify, 1)[0])
	item("Ship", f.Text("vessel", s.Ship.Name)+", voyage "+f.Number("voyage", s.Voyage))
	item("Origin port", f.Place("port_of_lading", s.Lading))
	item("Arrival port", f.Place("port_of_discharge", s.Unlading))
	item("Estimated date and time of arrival", f.Moment("eta", s.Arrives.Add(time.Duration(5+f.R.IntN(16))*time.Hour)))
	item("Discharging at", f.Text("terminal", s.Terminal.Name))
	item("Last day of free storage", f.Day("last_free_day", s.FreeUntil))
	y += 2
	for _, b := range s.Containers {
		row := f.Row("containers")
		f.Say(16, y, 9, "", fmt.Sprintf("%s (%s), %s packages, %s", row.Container("number", b.Number), row.Size("size_type", b.Size), row.Count("packages", b.Packages), row.Mass("gross_weight", b.Gross)))
		y += 4.8
	}
	f.Paragraph(12, y+4, 184, 9, "Dates are estimates and may change without notice. With kind regards, import desk.")
}

// gridNotice is a line's notice as one table of captions and values, four cells a row.
func gridNotice(f *form.Form) {
	s := f.S
	f.Page("A4")
	f.Badge(170, 8, 28, 12)
	f.Say(12, 9, 12, "B", s.Line.Name)
	f.SCAC(s.Line)
	f.Say(12, 16, 15, "B", form.Pick(f, "Arrival Notice", "IMPORT ARRIVAL NOTICE", "Arrival Notice / Avis d'arrivée"))
	y := 28.0
	cells := func(pairs ...string) {
		for i := 0; i < len(pairs); i += 2 {
			x := 12 + 93*float64(i/2)
			f.Shade(x, y, 32, 6, 230)
			f.Frame(x, y, 32, 6)
			f.Frame(x+32, y, 61, 6)
			f.Say(x+1, y+1.8, 7, "B", pairs[i])
			f.Fill(x+33, y+1.6, 59, 8, pairs[i+1])
		}
		y += 6
	}
	cells("B/L", f.Number("bl_number", s.BL), "Booking", s.Booking)
	cells("Print date", f.Day("issue_date", s.Noticed), "Service", "CY / CY")
	cells("Vessel name", f.Text("vessel", s.Ship.Name), "Voyage", f.Number("voyage", s.Voyage))
	cells("POL", f.Place("port_of_lading", s.Lading), "POD", f.Place("port_of_discharge", s.Unlading))
	cells("ETA POD", f.Day("eta", s.Arrives), "Delivery", f.Place("place_of_delivery", s.Delivery))
	cells("Terminal", f.Text("terminal", s.Terminal.Name), "Free until", f.Day("last_free_day", s.FreeUntil))
	if s.Unlading.Country == "US" {
		cells("I.T. number", f.Number("it_number", s.Entry), "I.T. date", f.Day("it_date", s.Arrives))
		cells("FIRMS code", f.Number("firms_code", s.Terminal.FIRMS), "G.O. on", f.Day("go_date", s.GeneralOrder))
	}
	y += 3
	f.Field(12, y, 88, "Consignee", f.Party("consignee", s.Buyer, 4)...)
	f.Field(105, y, 88, "Also notify", f.Party("notify_party", s.Notify, 4)...)
	var rows [][]string
	for i, b := range s.Containers {
		row := f.Row("containers")
		rows = append(rows, []string{fmt.Sprint(i + 1), row.Container("number", b.Number), row.Number("seal", b.Seal), row.BareMass("gross_weight", b.Gross), row.Count("packages", b.Packages), row.Size("size_type", b.Size)})
	}
	y = f.Table(12, y+23, 8, true, []form.Column{{Title: "#", Width: 8}, {Title: "Equipment", Width: 42}, {Title: "Seal(s)", Width: 34}, {Title: "Weight (" + f.Kilo + ")", Width: 30, Right: true}, {Title: "Pkgs", Width: 22, Right: true}, {Title: "Type", Width: 50}}, rows)
	f.Paragraph(12, y+5, 186, 6.5, "Merchant is responsible for demurrage, detention and storage that arise after free time. This notice is sent as a courtesy; failure to receive it does not release the merchant from its duties under the bill of lading.")
}
