package fresh

import (
	"fmt"
	"strings"
	"time"

	"github.com/landfallhq/tracking/classify/corpus/form"
)

// equipment keeps what is booked, and returns how many of which size.
func equipment(f *form.Form) (quantity, size string) {
	row := f.Row("equipment")
	return row.Count("quantity", len(f.S.Containers)), row.Size("size_type", f.S.Containers[0].Size)
}

// bkPlan is a large line's confirmation: paragraphs of captions, a table of the
// equipment, one of the voyage's legs, and one of deadlines.
func bkPlan(f *form.Form) {
	recast(f, plan{way: form.Pick(f, "us", "eu"), scac: "MAEU", boxes: 4, lines: 1})
	habits(f, "2006-01-02", "", ".", 0, 0, form.Pick(f, 1, 3))
	f.Font = form.Sans
	f.ValueFont = f.Font
	s := f.S
	f.Page("A4")
	f.SCAC(s.Line)
	f.Say(14, 10, 16, "B", "MAERSK")
	f.Right(196, 10, 14, "B", "BOOKING CONFIRMATION")
	f.Label(14, 22, 32, 90, 9, "B", "Booking No.:", f.Number("booking_number", ref(f.R, "#########")))
	f.Label(120, 22, 28, 76, 9, "B", "Print Date:", f.Day("issue_date", s.Booked))
	f.Label(14, 27, 32, 100, 9, "B", "Booked by Party:", s.Forward.Name)
	f.Label(120, 27, 28, 76, 9, "B", "Service Mode:", "CY/CY")
	f.Label(14, 32, 32, 100, 9, "B", "From:", at(f, "place_of_receipt", s.Receipt, country))
	f.Label(14, 37, 32, 100, 9, "B", "To:", at(f, "place_of_delivery", s.Delivery, country))
	f.Label(14, 42, 32, 100, 9, "B", "Commodity:", goods(f, ", ", false))
	f.Say(14, 52, 10, "B", "Equipment")
	n, size := equipment(f)
	y := f.Table(14, 57, 8.5, true, []form.Column{{Title: "Quantity", Width: 22}, {Title: "Size/Type/Height", Width: 50}, {Title: "Gross Weight", Width: 40}, {Title: "Equipment Substitution", Width: 70}}, [][]string{{n, size, fmt.Sprintf("%.0f KGS", s.Gross()), "No"}}) + 6
	f.Say(14, y, 10, "B", "Intended Transport Plan")
	f.Text("vessel", s.Ship.Name)
	leg := []string{at(f, "port_of_lading", s.Lading, country), at(f, "port_of_discharge", s.Unlading, country), s.Ship.Name, f.Number("voyage", s.Voyage), f.Day("etd", s.Sailed), f.Day("eta", s.Arrives)}
	y = f.Table(14, y+5, 8.5, true, []form.Column{{Title: "From", Width: 38}, {Title: "To", Width: 38}, {Title: "Vessel", Width: 42}, {Title: "Voy No.", Width: 22}, {Title: "ETD", Width: 21}, {Title: "ETA", Width: 21}}, [][]string{leg}) + 6
	f.Say(14, y, 10, "B", "Load Itinerary")
	y = f.Table(14, y+5, 8.5, true, []form.Column{{Title: "Type", Width: 34}, {Title: "Location", Width: 100}, {Title: "Release Date", Width: 48}}, [][]string{{"Empty Container Depot", f.Text("empty_pickup", s.Depot), s.Cutoff.AddDate(0, 0, -6).Format("2006-01-02 08:00")}}) + 6
	f.Say(14, y, 10, "B", "Deadlines")
	y = f.Table(14, y+5, 8.5, true, []form.Column{{Title: "Deadline", Width: 110}, {Title: "Date/Time (local)", Width: 72}}, [][]string{
		{"Shipping Instructions Deadline", f.Moment("si_cutoff", s.Cutoff.AddDate(0, 0, -1))},
		{"Verified Gross Mass (VGM) Deadline", f.Moment("vgm_cutoff", s.Cutoff.Add(-3*time.Hour))},
		{"Commercial Cargo Cutoff (CY)", f.Moment("cy_cutoff", s.Cutoff)},
	})
	f.Paragraph(14, y+6, 180, 7, "The shipment is subject to the terms and conditions of carriage of the carrier, which can be had from any of its offices. Estimated dates are not guaranteed. Amendments must be sent before the deadlines above.")
}

// bkPrint is a print of a line's older system: one face, captions with colons in
// columns of characters.
func bkPrint(f *form.Form) {
	recast(f, plan{way: "eu", scac: "YMLU", boxes: 4, lines: 1})
	habits(f, form.Pick(f, "02 Jan 2006", "02/Jan/2006"), ",", ".", 0, 0, form.Pick(f, 0, 2))
	f.Style.Upper = true
	f.Font = form.Pick(f, form.Typed, form.Mono)
	f.ValueFont = f.Font
	s := f.S
	f.Page("A4")
	f.SCAC(s.Line)
	y := 14.0
	say := func(words string) {
		f.Say(16, y, 8.5, "", words)
		y += 4.4
	}
	line := func(caption, value string) {
		f.Say(16, y, 8.5, "", caption)
		f.Say(66, y, 8.5, "", ":")
		f.Fill(70, y, 125, 8.5, value)
		y += 4.4
	}
	say("YANG MING MARINE TRANSPORT CORP.")
	say("*** BOOKING ACKNOWLEDGEMENT ***")
	say(strings.Repeat("-", 80))
	line("BOOKING REF NO", f.Number("booking_number", ref(f.R, "@#########")))
	line("DATE", f.Day("issue_date", s.Booked))
	line("TO", upper(s.Forward).Name)
	line("SHIPPER", upper(s.Shipper).Name)
	y += 4
	line("VESSEL / VOYAGE", f.Text("vessel", s.Ship.Name)+" / "+f.Number("voyage", s.Voyage))
	line("IMO", f.Number("vessel_imo", s.Ship.IMO))
	line("PLACE OF RECEIPT", at(f, "place_of_receipt", s.Receipt, codeend))
	line("PORT OF LOADING", at(f, "port_of_lading", s.Lading, codeend))
	line("PORT OF DISCHARGE", at(f, "port_of_discharge", s.Unlading, codeend))
	line("PLACE OF DELIVERY", at(f, "place_of_delivery", s.Delivery, codeend))
	line("ETD LOAD PORT", f.Day("etd", s.Sailed))
	line("ETA DISCHARGE PORT", f.Day("eta", s.Arrives))
	y += 4
	n, size := equipment(f)
	line("EQUIPMENT", n+" X "+size)
	line("COMMODITY", goods(f, ", ", true))
	line("EMPTY PICK UP DEPOT", f.Text("empty_pickup", strings.ToUpper(s.Depot)))
	line("FULL RETURN TO", strings.ToUpper(s.Terminal.Name))
	y += 4
	line("SI CUT OFF", f.Moment("si_cutoff", s.Cutoff.AddDate(0, 0, -1)))
	line("CY CLOSING", f.Moment("cy_cutoff", s.Cutoff))
	line("VGM CLOSING", f.Moment("vgm_cutoff", s.Cutoff.Add(-90*time.Minute)))
	line("CUSTOMS CLOSING", f.Moment("customs_cutoff", s.Cutoff.Add(-5*time.Hour)))
	say(strings.Repeat("-", 80))
	say("PLEASE QUOTE THE BOOKING REFERENCE IN ALL MESSAGES. TIMES ARE LOCAL.")
	say("VESSEL SCHEDULE IS SUBJECT TO CHANGE WITHOUT NOTICE.")
}

// bkMail is a forwarder's electronic letter with a small table in it.
func bkMail(f *form.Form) {
	recast(f, plan{way: form.Pick(f, "us", "ex-cn"), boxes: 3, lines: 1})
	habits(f, form.Pick(f, "Mon 2 Jan 2006", "Jan 2, 2006"), ",", ".", 0, 0, 4)
	f.Font = form.Pick(f, form.Serif, form.Sans)
	f.ValueFont = f.Font
	s := f.S
	f.Page("A4")
	number := f.Number("booking_number", ref(f.R, "@@@@######"))
	f.SCAC(s.Line)
	y := 14.0
	for _, one := range [][2]string{{"From", "ops@example.com"}, {"To", "shipping@example.net"}, {"Date", f.Day("issue_date", s.Booked)}, {"Subject", "RE: Booking confirmed " + number + " // " + s.Shipper.Name}} {
		f.Say(20, y, 9.5, "B", one[0]+":")
		f.Fill(38, y, 150, 9.5, one[1])
		y += 5
	}
	f.Rule(20, y+1, 190, y+1)
	y += 6
	f.Say(20, y, 10.5, "", "Good day,")
	y = f.Paragraph(20, y+7, 170, 10.5, "Space is confirmed with "+s.Line.Name+" as follows, please arrange pick up of the empties.") + 4
	n, size := equipment(f)
	for _, row := range [][2]string{
		{"Carrier booking no.", number}, {"Vessel/voyage", f.Text("vessel", s.Ship.Name) + " v. " + f.Number("voyage", s.Voyage)},
		{"POL", at(f, "port_of_lading", s.Lading, country)}, {"POD", at(f, "port_of_discharge", s.Unlading, country)}, {"Final destination", at(f, "place_of_delivery", s.Delivery, country)},
		{"ETD", f.Day("etd", s.Sailed)}, {"ETA", f.Day("eta", s.Arrives)}, {"Volume", n + "x" + size}, {"Empty pick-up", f.Text("empty_pickup", s.Depot)},
		{"Docs cut-off", f.Moment("si_cutoff", s.Cutoff.AddDate(0, 0, -2))}, {"VGM cut-off", f.Moment("vgm_cutoff", s.Cutoff.AddDate(0, 0, -1))}, {"Gate-in cut-off", f.Moment("cy_cutoff", s.Cutoff)},
	} {
		f.Frame(20, y, 44, 6.4)
		f.Frame(64, y, 120, 6.4)
		f.Say(21.5, y+1.6, 9.5, "", row[0])
		f.Fill(65.5, y+1.6, 116, 9.5, row[1])
		y += 6.4
	}
	y = f.Paragraph(20, y+5, 170, 10.5, "Kindly send the shipping instructions in time; the terminal takes no boxes after the gate has closed. Free time at origin 7 days.") + 5
	f.Lines(20, y, 10.5, "", "Best regards", "Wendy / Seafreight export")
	f.Lines(20, y+12, 9, "B", s.Forward.Name)
	f.Lines(20, y+16.5, 8.5, "", s.Forward.Address...)
	f.Say(20, 283, 6.5, "", "All business is done on the basis of our general conditions.")
}

// bkReserva is a South American agent's, in two languages, with captions on grey.
func bkReserva(f *form.Form) {
	recast(f, plan{way: "es", scac: "MSCU", boxes: 3, lines: 1})
	habits(f, "02-01-2006", ".", ",", 0, 0, 1)
	f.Font, f.ValueFont = form.Pick(f, form.Go, form.Sans), form.Pick(f, form.Typed, form.Sans)
	s := f.S
	f.Page("Letter")
	f.SCAC(s.Line)
	f.Say(16, 10, 13, "B", "MSC Mediterranean Shipping Company")
	f.Say(16, 17, 8, "", "Agencia: "+city(s.Lading))
	f.Say(16, 25, 14, "B", "CONFIRMACIÓN DE RESERVA")
	f.Say(108, 26, 10, "I", "Booking Confirmation")
	f.Say(16, 32, 7, "I", "Fechas: día-mes-año / dates: day-month-year")
	y := 38.0
	pair := func(a, av, b, bv string) {
		for i, one := range [][2]string{{a, av}, {b, bv}} {
			if one[0] == "" {
				continue
			}
			x := 16 + 94*float64(i)
			f.Shade(x, y, 90, 4.6, 218)
			f.Say(x+1, y+1, 7, "B", one[0])
			f.Fill(x+1, y+5.8, 86, 9.5, one[1])
		}
		y += 12.6
	}
	n, size := equipment(f)
	pair("No. DE RESERVA / Booking number", f.Number("booking_number", ref(f.R, "EBKG########")), "FECHA DE EMISIÓN / Date of issue", f.Day("issue_date", s.Booked))
	pair("CLIENTE / Customer", s.Shipper.Name, "EMBARCADOR / Shipper", s.Shipper.Name)
	pair("NAVE / Vessel", f.Text("vessel", s.Ship.Name), "VIAJE / Voyage", f.Number("voyage", s.Voyage))
	pair("PUERTO DE EMBARQUE / Load port", at(f, "port_of_lading", s.Lading, country), "PUERTO DE DESCARGA / Discharge port", at(f, "port_of_discharge", s.Unlading, country))
	pair("ETD (zarpe estimado)", f.Day("etd", s.Sailed), "ETA (arribo estimado)", f.Day("eta", s.Arrives))
	pair("CANTIDAD DE CONTENEDORES / Quantity", n, "TIPO DE CONTENEDOR / Container type", size)
	pair("MERCANCÍA / Commodity", goods(f, ", ", false), "RETIRO DE VACÍO / Empty pick-up", f.Text("empty_pickup", s.Depot))
	pair("CIERRE DOCUMENTAL / SI cut-off", f.Moment("si_cutoff", s.Cutoff.AddDate(0, 0, -1)), "CIERRE VGM / VGM cut-off", f.Moment("vgm_cutoff", s.Cutoff.AddDate(0, 0, -1).Add(4*time.Hour)))
	pair("CIERRE DE STACKING / Port cut-off", f.Moment("cy_cutoff", s.Cutoff), "CIERRE DE ADUANA / Customs cut-off", f.Moment("customs_cutoff", s.Cutoff.Add(-2*time.Hour)))
	f.Paragraph(16, y+4, 184, 7, "La reserva queda sujeta a disponibilidad de equipos y de espacio. This booking is subject to availability of equipment and space, and to the carrier's terms.")
}

var bookings = []form.Layout{
	{Name: "bk-plan", Type: "booking_confirmation", Copies: 3, Draw: bkPlan},
	{Name: "bk-print", Type: "booking_confirmation", Copies: 2, Draw: bkPrint},
	{Name: "bk-mail", Type: "booking_confirmation", Copies: 2, Draw: bkMail},
	{Name: "bk-reserva", Type: "booking_confirmation", Copies: 2, Draw: bkReserva},
}
