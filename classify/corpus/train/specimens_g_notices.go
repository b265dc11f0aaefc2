package train

import (
	"fmt"
	"strings"
	"time"

	"github.com/landfallhq/tracking/classify/corpus/form"
	"github.com/landfallhq/tracking/classify/corpus/truth"
)

// specimenNoticesG are notices, orders and confirmations of lot G: in Spanish and
// German, in mails, and with captions below.
var specimenNoticesG = []form.Layout{
	{Name: "an-aviso-llegada", Type: truth.ArrivalNotice, Copies: 3, Draw: spanishNotice},
	{Name: "an-mail", Type: truth.ArrivalNotice, Copies: 3, Draw: mailNotice},
	{Name: "an-captions-below", Type: truth.ArrivalNotice, Copies: 3, Draw: belowNotice},
	{Name: "bc-buchung", Type: truth.BookingConfirmation, Copies: 2, Draw: germanBooking},
	{Name: "bc-portal", Type: truth.BookingConfirmation, Copies: 3, Draw: portalBooking},
	{Name: "bc-running", Type: truth.BookingConfirmation, Copies: 3, Draw: runningBooking},
	{Name: "do-mail", Type: truth.DeliveryOrder, Copies: 3, Draw: mailOrder},
	{Name: "do-freistellung", Type: truth.DeliveryOrder, Copies: 2, Draw: germanOrder},
	{Name: "do-orden-entrega", Type: truth.DeliveryOrder, Copies: 2, Draw: spanishOrder},
}

// spanishNotice is a line's agent's, with what is due in a table, and a foot that speaks
// of the delivery order.
func spanishNotice(f *form.Form) {
	s := strange(f, form.Pick(f, "2 de January de 2006", "02-January-2006", "02/01/2006"), to("ES", "MX"))
	f.Style.Months = tongues[form.Pick(f, "es", "ES")]
	notation(f, ".", ",", 2)
	f.Page("A4")
	f.Badge(12, 8, 186, 3)
	f.Say(12, 13, 12, "B", s.Agent.Name)
	f.Lines(12, 18.5, 7, "", "Agentes generales de "+s.Line.Name, strings.Join(s.Agent.Address, ", "))
	f.SCAC(s.Line)
	f.Right(198, 13, 14, "B", form.Pick(f, "AVISO DE LLEGADA", "NOTIFICACIÓN DE ARRIBO", "Aviso de llegada"))
	f.Right(198, 20, 8, "", "Aviso n.º "+f.Number("notice_number", s.Notice)+"   Fecha: "+f.Day("issue_date", s.Noticed))
	f.Say(12, 29, 8, "B", "CONSIGNATARIO")
	stack(f, 12, 33, 85, 8.5, f.Party("consignee", s.Buyer, 4)...)
	f.Say(108, 29, 8, "B", "NOTIFICAR A")
	stack(f, 108, 33, 85, 8.5, f.Party("notify_party", s.Notify, 4)...)
	y := f.Paragraph(12, 52, 186, 8.5, "Muy señores nuestros: les informamos de la próxima llegada de la mercancía que se detalla a continuación, consignada a ustedes.") + 2
	y = ruled(f, 12, y, 7.5, []float64{93, 93}, [][][2]string{
		{{"Buque:", f.Text("vessel", s.Ship.Name)}, {"Viaje:", f.Number("voyage", s.Voyage)}},
		{{"Conocimiento (B/L):", f.Number("bl_number", s.BL)}, {"B/L hijo:", f.Number("hbl_number", s.HBL)}},
		{{"Puerto de carga:", f.Place("port_of_lading", s.Lading)}, {"Puerto de descarga:", f.Place("port_of_discharge", s.Unlading)}},
		{{"Destino final:", f.Place("place_of_delivery", s.Delivery)}, {"Fecha estimada de llegada:", f.Day("eta", s.Arrives)}},
		{{"Terminal:", f.Text("terminal", s.Terminal.Name)}, {"Último día libre de almacenaje:", f.Day("last_free_day", s.FreeUntil)}},
	}) + 3
	var rows [][]string
	for _, b := range s.Containers {
		row := f.Row("containers")
		rows = append(rows, []string{row.Container("number", b.Number), row.Size("size_type", b.Size), row.Number("seal", b.Seal), row.Count("packages", b.Packages), row.BareMass("gross_weight", b.Gross), row.BareVolume("volume", b.Volume)})
	}
	y = f.Table(12, y, 8, true, []form.Column{{Title: "Contenedor", Width: 36}, {Title: "Tipo", Width: 36}, {Title: "Precinto", Width: 34}, {Title: "Bultos", Width: 20, Right: true}, {Title: "Peso bruto (kg)", Width: 30, Right: true}, {Title: "m³", Width: 30, Right: true}}, rows) + 4
	rows = nil
	total := 0
	for _, name := range []string{"THC destino", "Emisión de documentos", "ISPS", "Gastos de desconsolidación"}[f.R.IntN(2):] {
		row := f.Row("charges")
		cents := 3000 + 25*f.R.IntN(900)
		total += cents
		rows = append(rows, []string{row.Text("description", name), "EUR", row.Money("amount", "EUR", cents)})
	}
	rows = append(rows, []string{"TOTAL A PAGAR", "EUR", f.Money("", "", total)})
	y = f.Table(12, y, 8, false, []form.Column{{Title: "Concepto", Width: 80}, {Title: "Divisa", Width: 20}, {Title: "Importe", Width: 34, Right: true}}, rows)
	f.Paragraph(12, y+6, 186, 7, "Este aviso de llegada no es una orden de entrega. El entréguese se emitirá contra presentación del conocimiento de embarque original debidamente endosado y pago de los gastos arriba indicados. La fecha de llegada es estimada y no compromete al transportista.")
}

// mailNotice is a mail of a consolidator's import desk, printed: all of it in sentences.
func mailNotice(f *form.Form) {
	s := strange(f, form.Pick(f, "Jan 2, 2006", "January 2, 2006", "02-Jan-2006", "Mon 02 Jan 2006"), to("US", "CA", "GB"))
	f.Page("Letter")
	y := 10.0
	y = f.Label(14, y, 20, 185, 9, "B", "From:", "Import Desk <imports@"+strings.ToLower(num(f, "@@@@"))+"lines.example>")
	y = f.Label(14, y, 20, 185, 9, "B", "Sent:", f.Day("issue_date", s.Noticed))
	y = f.Label(14, y, 20, 185, 9, "B", "To:", "traffic@"+strings.ToLower(s.Buyer.Name[:4])+".example")
	y = f.Label(14, y, 20, 185, 9, "B", "Subject:", form.Pick(f, "ARRIVAL NOTICE // ", "Arrival notice - ", "PRE-ALERT / ARRIVAL NOTICE: ")+"HBL "+f.Number("hbl_number", s.HBL)+" // MBL "+f.Number("bl_number", s.BL)+" // "+s.Ship.Name)
	f.Rule(14, y+1, 202, y+1)
	y = f.Prose(14, y+5, 185, 9.5, "Dear customer, we are pleased to inform you that the shipment below is on board the "+f.Text("vessel", s.Ship.Name)+" voyage "+f.Number("voyage", s.Voyage)+" from "+f.Place("port_of_lading", s.Lading)+" and is expected to arrive at "+f.Place("port_of_discharge", s.Unlading)+" on or about "+f.Day("eta", s.Arrives)+".") + 3
	y = stack(f, 14, y, 150, 9.5, append([]string{"Consignee as per bill of lading:"}, f.Party("consignee", s.Buyer, 4)...)...) + 3
	for i, b := range s.Containers {
		row := f.Row("containers")
		y = f.Prose(14, y, 185, 9.5, fmt.Sprintf("%d) %s, %s, seal number %s, %s packages weighing %s gross and measuring %s.", i+1, row.Container("number", b.Number), row.Size("size_type", b.Size), row.Number("seal", b.Seal), row.Count("packages", b.Packages), row.Mass("gross_weight", b.Gross), row.Volume("volume", b.Volume)))
	}
	y = f.Prose(14, y+3, 185, 9.5, "The cargo will be available for pickup at "+f.Text("terminal", s.Terminal.Name)+"; free time expires on "+f.Day("last_free_day", s.FreeUntil)+". Final destination: "+f.Place("place_of_delivery", s.Delivery)+".") + 3
	row := f.Row("charges")
	fee := row.Text("description", "Destination handling fee")
	y = f.Prose(14, y, 185, 9.5, "Please remit the following before release: "+fee+" USD "+row.Money("amount", "USD", 5000+500*f.R.IntN(80))+".") + 3
	f.Paragraph(14, y, 185, 9, "We need one original house bill of lading, duly endorsed, and a copy of the commercial invoice and packing list for customs. Once these are with us the delivery order goes to your trucker. Please advise your customs broker. Best regards, import desk.")
	f.Say(14, 268, 7, "", "Page 1 of 1")
}

// belowNotice has captions below their values, as forms printed by old programs do.
func belowNotice(f *form.Form) {
	s := strange(f, form.Pick(f, "01/02/2006", "01/02/06", "Jan 02 2006"), to("US"))
	f.Page("Letter")
	f.Centre(108, 8, 15, "B", s.Forward.Name)
	f.Centre(108, 14.5, 10, "B", form.Pick(f, "ARRIVAL NOTICE / FREIGHT INVOICE", "CARGO ARRIVAL NOTICE", "NOTICE OF ARRIVAL"))
	line := func(y float64, widths []float64, cells ...[2]string) {
		x := 12.0
		for i, c := range cells {
			f.Below(x, y, widths[i], 9, c[0], c[1])
			x += widths[i]
		}
	}
	line(22, []float64{64, 64, 64}, [2]string{f.Number("notice_number", s.Notice), "OUR FILE / NOTICE NO."}, [2]string{f.Day("issue_date", s.Noticed), "DATE OF NOTICE"}, [2]string{s.Trucker.Name, "YOUR TRUCKER"})
	consignee, notify := f.Party("consignee", s.Buyer, 4), f.Party("notify_party", s.Notify, 4)
	for i, p := range [][]string{consignee, notify} {
		x := 12 + 96*float64(i)
		stack(f, x+1, 33, 92, 8.5, p...)
		f.Rule(x, 49.5, x+94, 49.5)
		f.Say(x, 50.2, 5.5, "", []string{"CONSIGNEE", "NOTIFY PARTY"}[i])
	}
	line(56, []float64{64, 64, 64}, [2]string{f.Number("bl_number", s.BL), "MASTER B/L NO."}, [2]string{f.Number("hbl_number", s.HBL), "HOUSE B/L NO."}, [2]string{f.Number("ams_number", s.AMS), "AMS B/L NO."})
	line(65, []float64{64, 64, 64}, [2]string{f.Text("vessel", s.Ship.Name), "IMPORTING VESSEL"}, [2]string{f.Number("voyage", s.Voyage), "VOYAGE NO."}, [2]string{f.Day("eta", s.Arrives), "ETA AT PORT OF DISCHARGE"})
	line(74, []float64{64, 64, 64}, [2]string{f.Place("port_of_lading", s.Lading), "LOADED AT"}, [2]string{f.Place("port_of_discharge", s.Unlading), "DISCHARGED AT"}, [2]string{f.Place("place_of_delivery", s.Delivery), "PLACE OF DELIVERY"})
	line(83, []float64{64, 64, 64}, [2]string{f.Text("terminal", s.Terminal.Name), "FREIGHT LOCATION"}, [2]string{f.Number("firms_code", s.Terminal.FIRMS), "FIRMS"}, [2]string{f.Day("last_free_day", s.FreeUntil), "STORAGE FREE UNTIL"})
	line(92, []float64{64, 64, 64}, [2]string{f.Number("it_number", s.Entry), "I.T. NO."}, [2]string{f.Day("it_date", s.Arrives), "I.T. DATE"}, [2]string{f.Day("go_date", s.GeneralOrder), "G.O. DATE"})
	y := 104.0
	stops := []float64{12, 52, 86, 118, 140, 172, 204}
	for _, b := range s.Containers {
		row := f.Row("containers")
		y = f.Spread(y, 8.5, stops, "lllrrr", row.Container("number", b.Number), row.Number("seal", b.Seal), row.Size("size_type", b.Size), row.Count("packages", b.Packages), row.Mass("gross_weight", b.Gross), row.Volume("volume", b.Volume))
	}
	f.Rule(12, y, 204, y)
	for i, title := range []string{"CONTAINER", "SEAL", "KIND", "PACKAGES", "GROSS WEIGHT", "MEASURE"} {
		f.Say(stops[i]+float64(i/3*8), y+0.8, 5.5, "", title)
	}
	y += 8
	total := 0
	for _, name := range []string{"OCEAN FREIGHT", "DOCUMENT TRANSFER", "CHASSIS", "CFS / HANDLING"}[f.R.IntN(2):] {
		row := f.Row("charges")
		cents := 4500 + 500*f.R.IntN(400)
		total += cents
		y = f.Spread(y, 8.5, []float64{80, 150, 204}, "lr", row.Text("description", name), row.Money("amount", "USD", cents))
	}
	f.Rule(80, y, 204, y)
	f.Spread(y+1, 9, []float64{80, 150, 204}, "lr", "USD", f.Money("", "", total))
	f.Say(80, y+6, 5.5, "", "CHARGES DUE BEFORE RELEASE, IN U.S. DOLLARS")
	f.Paragraph(12, 240, 190, 6.5, "THIS ARRIVAL NOTICE IS NOT A DELIVERY ORDER. Freight release is given upon receipt of payment and of the original bill of lading, if one was issued. Demurrage and per diem are for account of the cargo.")
}

// germanBooking is a forwarder's or a line's, captions at the left in German.
func germanBooking(f *form.Form) {
	s := strange(f, form.Pick(f, "2. January 2006", "02.01.2006"), from("DE", "NL", "IT"))
	f.Style.Months, f.Style.Upper = tongues["de"], false
	notation(f, ".", ",", 1)
	f.Page("A4")
	f.Right(198, 9, 15, "B", s.Line.ShortName)
	f.SCAC(s.Line)
	f.Say(12, 26, 6, "", s.Forward.Name+" · "+strings.Join(s.Forward.Address, " · "))
	stack(f, 12, 31, 85, 9, append([]string{s.Shipper.Name}, s.Shipper.Address...)...)
	f.Say(12, 56, 14, "B", form.Pick(f, "Buchungsbestätigung", "BUCHUNGSBESTÄTIGUNG EXPORT", "Buchungsbestätigung / Booking Confirmation"))
	f.Label(140, 57, 0, 58, 8.5, "", "Datum:", f.Day("issue_date", s.Booked))
	f.Say(12, 65, 8.5, "", "Sehr geehrte Damen und Herren, wir danken für Ihren Auftrag und bestätigen wie folgt:")
	y := 73.0
	for _, p := range [][2]string{
		{"Buchungsnummer", f.Number("booking_number", s.Booking)}, {"Ihr Zeichen", s.PO}, {"Übernahmeort", f.Place("place_of_receipt", s.Receipt)}, {"Ladehafen", f.Place("port_of_lading", s.Lading)}, {"Löschhafen", f.Place("port_of_discharge", s.Unlading)}, {"Bestimmungsort", f.Place("place_of_delivery", s.Delivery)},
		{"Schiff", f.Text("vessel", s.Ship.Name)}, {"Reise-Nr.", f.Number("voyage", s.Voyage)}, {"Abfahrt (ETS)", f.Day("etd", s.Sailed)}, {"Ankunft (ETA)", f.Day("eta", s.Arrives)}, {"Equipment", equipment(f, " x ")}, {"Ware", s.Goods[0].Words},
	} {
		f.Rule(12, y+5, 130, y+5)
		f.Say(12, y, 8.5, "", p[0])
		f.Fill(56, y, 74, 9, p[1])
		y += 6
	}
	f.Say(12, y+4, 10, "B", "Fristen (Ortszeit)")
	y = f.Table(12, y+9, 8.5, true, []form.Column{{Title: "Vorgang", Width: 96}, {Title: "Spätestens", Width: 60}}, [][]string{
		{"Verladeanweisung (SI)", f.Moment("si_cutoff", s.Cutoff.Add(-26*time.Hour))}, {"VGM-Meldung", f.Moment("vgm_cutoff", s.Cutoff.Add(-5*time.Hour))}, {"Zollfreigabe Ausfuhr", f.Moment("customs_cutoff", s.Cutoff.Add(-2*time.Hour))}, {"Ladeschluss Terminal (Vollcontainer)", f.Moment("cy_cutoff", s.Cutoff)},
	})
	y = f.Label(12, y+5, 44, 180, 8.5, "", "Leercontainer-Depot", f.Text("empty_pickup", s.Depot))
	f.Paragraph(12, y+6, 186, 7.5, "Es gelten unsere Konnossementsbedingungen. Diese Buchungsbestätigung ist kein Konnossement. Fahrplanänderungen bleiben vorbehalten; ein Rücktritt nach Gestellung des Leercontainers wird berechnet.")
}

// portalBooking is a page of a carrier's web site, printed: cards with small grey
// captions above, and icons that are no text.
func portalBooking(f *form.Form) {
	s := strange(f, form.Pick(f, "02 Jan 2006", "Mon, 02 Jan 2006", "2006-01-02"), anywhere)
	f.Page("A4")
	f.Lines(5, 4, 6, "", strings.Trim(f.Day("", s.Booked), " ")+", 09:41")
	f.Centre(105, 4, 6, "", s.Line.ShortName+" | My bookings")
	f.SCAC(s.Line)
	f.Badge(12, 10, 186, 12)
	f.Say(14, 26, 16, "B", form.Pick(f, "Your booking is confirmed", "Booking confirmed", "Thank you, your booking is confirmed"))
	card := func(x, y, w float64, caption, value string) {
		f.Say(x, y, 6.5, "", caption)
		f.Fill(x, y+3.4, w, 10, value)
	}
	y := 38.0
	f.Shade(12, y-2, 186, 14, 240)
	card(14, y, 60, "Booking reference", f.Number("booking_number", s.Booking))
	card(78, y, 60, "Confirmed", f.Day("issue_date", s.Booked))
	card(140, y, 56, "Contract", num(f, "2990#####"))
	y += 18
	f.Say(14, y, 11, "B", "Route")
	card(14, y+6, 60, "From", f.Place("place_of_receipt", s.Receipt))
	card(78, y+6, 60, "Load port", f.Place("port_of_lading", s.Lading))
	card(14, y+18, 60, "Discharge port", f.Place("port_of_discharge", s.Unlading))
	card(78, y+18, 60, "To", f.Place("place_of_delivery", s.Delivery))
	card(140, y+6, 56, "Departs", f.Day("etd", s.Sailed))
	card(140, y+18, 56, "Arrives", f.Day("eta", s.Arrives))
	y += 34
	f.Say(14, y, 11, "B", "Vessel")
	card(14, y+6, 60, "Name", f.Text("vessel", s.Ship.Name))
	card(78, y+6, 60, "Voyage", f.Number("voyage", s.Voyage))
	card(140, y+6, 56, "IMO", f.Number("vessel_imo", s.Ship.IMO))
	y += 22
	f.Say(14, y, 11, "B", "Equipment")
	card(14, y+6, 120, "Containers", equipment(f, " x "))
	card(140, y+6, 56, "Empty pick-up depot", f.Text("empty_pickup", s.Depot))
	y += 22
	f.Say(14, y, 11, "B", form.Pick(f, "Deadlines", "Key dates", "Do not miss"))
	card(14, y+6, 60, "Shipping instructions by", f.Moment("si_cutoff", s.Cutoff.Add(-30*time.Hour)))
	card(78, y+6, 60, "Verified gross mass by", f.Moment("vgm_cutoff", s.Cutoff.Add(-8*time.Hour)))
	card(140, y+6, 56, "Gate-in by", f.Moment("cy_cutoff", s.Cutoff))
	f.Paragraph(14, y+24, 180, 7.5, "Need a change? You can amend or cancel until the empty container is released. You will receive the draft bill of lading after your shipping instructions. The arrival notice goes to the parties named there.")
	f.Lines(5, 288, 6, "", "https://bookings.example/confirmed")
	f.Right(205, 288, 6, "", "1/1")
}

// runningBooking says several things in each line, and all deadlines in one sentence;
// the equipment is of two kinds.
func runningBooking(f *form.Form) {
	s := strange(f, form.Pick(f, "02-Jan-06", "2006/01/02", "02 Jan 2006"), anywhere)
	f.Page("A4")
	f.Font, f.ValueFont = form.Typed, form.Typed
	f.Centre(105, 10, 12, "B", strings.ToUpper(s.Line.Name))
	f.SCAC(s.Line)
	f.Centre(105, 16, 11, "B", form.Pick(f, "BOOKING ACKNOWLEDGEMENT", "BOOKING NOTE - CONFIRMED", "** BOOKING CONFIRMATION **"))
	y := 28.0
	say := func(line string) { f.Fill(12, y, 186, 9, line); y += 5.4 }
	say("BKG NBR " + f.Number("booking_number", s.Booking) + "   ISSUED " + f.Day("issue_date", s.Booked) + "   BY EXPORT CUSTOMER SERVICE")
	say("ATTN: " + s.Forward.Name)
	say("A/C SHIPPER: " + s.Shipper.Name)
	say("")
	say("VSL/VOY " + f.Text("vessel", s.Ship.Name) + " / " + f.Number("voyage", s.Voyage) + "   ETD " + f.Day("etd", s.Sailed) + "   ETA " + f.Day("eta", s.Arrives))
	say("POL " + f.Place("port_of_lading", s.Lading) + "  POD " + f.Place("port_of_discharge", s.Unlading))
	say("DLV " + f.Place("place_of_delivery", s.Delivery))
	one, two := f.Row("equipment"), f.Row("equipment")
	say("EQPT " + one.Count("quantity", len(s.Containers)) + " X " + one.Size("size_type", "40HC") + " AND " + two.Count("quantity", 1+f.R.IntN(3)) + " X " + two.Size("size_type", "20GP") + "   CMDTY " + s.Goods[0].Words)
	say("")
	f.Y = f.Prose(12, y, 186, 9, "PLS NOTE CUT-OFFS: S/I "+f.Moment("si_cutoff", s.Cutoff.Add(-24*time.Hour))+" HRS, VGM "+f.Moment("vgm_cutoff", s.Cutoff.Add(-4*time.Hour))+" HRS, CY CLOSING "+f.Moment("cy_cutoff", s.Cutoff)+" HRS LOCAL TIME. EMPTIES TO BE DRAWN AT "+f.Text("empty_pickup", s.Depot)+" AGAINST THIS NUMBER.")
	y = f.Y + 6
	say("REMARKS: NO SHOW FEE APPLIES. SUBJECT TO SPACE AND EQUIPMENT.")
	say("THIS IS A COMPUTER PRINT AND NEEDS NO SIGNATURE.")
}

// mailOrder is a broker's mail to a trucker, with the order in its text.
func mailOrder(f *form.Form) {
	s := strange(f, form.Pick(f, "1/2/2006", "Jan 2, 2006", "Monday, January 2, 2006"), to("US"))
	f.Page("Letter")
	y := 10.0
	for _, p := range [][2]string{{"From:", "dispatch@" + strings.ToLower(num(f, "@@@@@")) + ".example"}, {"Sent:", f.Day("issue_date", s.Noticed)}, {"To:", "orders@drayage.example"}, {"Subject:", form.Pick(f, "Delivery Order ", "D/O ", "DELIVERY ORDER # ") + f.Number("do_number", s.Order) + " - please dispatch"}} {
		y = f.Label(14, y, 20, 185, 9, "B", p[0], p[1])
	}
	f.Rule(14, y+1, 202, y+1)
	y = stack(f, 14, y+5, 120, 9.5, append([]string{"To trucker:"}, f.Party("trucker", s.Trucker, 4)...)...) + 3
	y = f.Prose(14, y, 185, 9.5, "Please pick up the below from "+f.Text("terminal", s.Terminal.Name)+" (FIRMS "+f.Number("firms_code", s.Terminal.FIRMS)+"), pickup # "+f.Number("pickup_number", s.Pickup)+". LFD is "+f.Day("last_free_day", s.FreeUntil)+", no demurrage please.") + 3
	for _, b := range s.Containers {
		row := f.Row("containers")
		y = f.Prose(14, y, 185, 9.5, "- "+row.Container("number", b.Number)+" ("+row.Size("size_type", b.Size)+"), seal "+row.Number("seal", b.Seal)+", "+row.Count("packages", b.Packages)+" ctns, "+row.Pounds("gross_weight", b.Gross))
	}
	y = f.Prose(14, y+3, 185, 9.5, "Ocean B/L "+f.Number("bl_number", s.BL)+", arrived on "+f.Text("vessel", s.Ship.Name)+" voyage "+f.Number("voyage", s.Voyage)+". Customs cleared, freight released.") + 3
	y = stack(f, 14, y, 120, 9.5, append([]string{"Deliver to:"}, f.Party("deliver_to", s.Buyer, 4)...)...) + 3
	y = f.Prose(14, y, 185, 9.5, "Return empty to "+f.Text("empty_return", s.Depot)+". Call the warehouse 24 h ahead. Send signed POD with your invoice.") + 4
	f.Paragraph(14, y, 185, 8, "Confidential. Arrival notice and packing list are attached for your reference.")
}

// germanOrder is a forwarder's to a haulier in Germany.
func germanOrder(f *form.Form) {
	s := strange(f, "02.01.2006", to("DE", "NL", "BE"))
	notation(f, ".", ",", 1)
	f.Page("A4")
	f.Say(12, 9, 13, "B", s.Forward.Name)
	f.Right(198, 9, 15, "B", form.Pick(f, "LIEFERAUFTRAG", "AUSLIEFERUNGSAUFTRAG", "Auslieferungsauftrag / Delivery Order"))
	f.Right(198, 16, 8.5, "", "Nr. "+f.Number("do_number", s.Order)+"   vom "+f.Day("issue_date", s.Noticed))
	f.Box(12, 24, 92, 25, "Frachtführer / Fuhrunternehmer", f.Party("trucker", s.Trucker, 4)...)
	f.Box(106, 24, 92, 25, "Ablieferungsadresse (Empfänger)", f.Party("deliver_to", s.Buyer, 4)...)
	y := ruled(f, 12, 53, 7.5, []float64{93, 93}, [][][2]string{
		{{"Schiff", f.Text("vessel", s.Ship.Name)}, {"Reise", f.Number("voyage", s.Voyage)}},
		{{"Reederei-B/L", f.Number("bl_number", s.BL)}, {"Haus-B/L", f.Number("hbl_number", s.HBL)}},
		{{"Abholung am Terminal", f.Text("terminal", s.Terminal.Name)}, {"Freistellungs-PIN", f.Number("pickup_number", s.Pickup)}},
		{{"Lagergeldfrei bis", f.Day("last_free_day", s.FreeUntil)}, {"Leerrückgabe", f.Text("empty_return", s.Depot)}},
	}) + 4
	for _, b := range s.Containers {
		row := f.Row("containers")
		f.Frame(12, y, 186, 12)
		f.Label(14, y+1.5, 0, 60, 8.5, "", "Container", row.Container("number", b.Number))
		f.Label(80, y+1.5, 0, 50, 8.5, "", "Plombe", row.Number("seal", b.Seal))
		f.Label(134, y+1.5, 0, 60, 8.5, "", "Typ", row.Size("size_type", b.Size))
		f.Label(14, y+6.8, 0, 60, 8.5, "", "Kolli", row.Count("packages", b.Packages))
		f.Label(80, y+6.8, 0, 50, 8.5, "", "Brutto", row.Mass("gross_weight", b.Gross))
		f.Label(134, y+6.8, 0, 60, 8.5, "", "Volumen", row.Volume("volume", b.Volume))
		y += 14
	}
	f.Paragraph(12, y+4, 186, 7.5, "Wir arbeiten ausschließlich auf Grundlage der ADSp. Standzeiten nur nach Rücksprache. Den quittierten Lieferschein bitte mit der Rechnung einreichen. Zollgut: Gestellung beim Empfänger veranlassen.")
}

// spanishOrder is an agent's to the terminal in Spanish, half of it in running text.
func spanishOrder(f *form.Form) {
	s := strange(f, form.Pick(f, "02/01/2006", "2 de January de 2006"), to("ES", "MX"))
	f.Style.Months = tongues["es"]
	notation(f, ".", ",", 2)
	f.Page("A4")
	f.Centre(105, 9, 13, "B", s.Agent.Name)
	f.Centre(105, 15, 7, "", strings.Join(s.Agent.Address, ", ")+" - Tel. "+s.Agent.Phone)
	f.Rule(12, 20, 198, 20)
	f.Say(12, 24, 13, "B", form.Pick(f, "ORDEN DE ENTREGA", "ENTRÉGUESE / ORDEN DE ENTREGA", "ENTRÉGUESE"))
	f.Label(130, 24, 0, 68, 9, "", "N.º", f.Number("do_number", s.Order))
	f.Label(130, 29, 0, 68, 9, "", "Fecha", f.Day("issue_date", s.Noticed))
	y := f.Prose(12, 38, 186, 9.5, "A la terminal "+f.Text("terminal", s.Terminal.Name)+": sírvanse entregar a la orden de los señores que abajo se citan la mercancía llegada en el buque "+f.Text("vessel", s.Ship.Name)+", viaje "+f.Number("voyage", s.Voyage)+", al amparo del conocimiento "+f.Number("bl_number", s.BL)+".") + 3
	f.Say(12, y, 8, "B", "Entregar a:")
	stack(f, 34, y, 100, 9, f.Party("deliver_to", s.Buyer, 4)...)
	y += 18
	f.Say(12, y, 8, "B", "Transportista:")
	stack(f, 34, y, 100, 9, f.Party("trucker", s.Trucker, 4)...)
	y += 18
	var rows [][]string
	for _, b := range s.Containers {
		row := f.Row("containers")
		rows = append(rows, []string{row.Container("number", b.Number), row.Number("seal", b.Seal), row.Size("size_type", b.Size), row.Count("packages", b.Packages), row.Mass("gross_weight", b.Gross)})
	}
	y = f.Table(12, y, 8.5, true, []form.Column{{Title: "Nº de contenedor", Width: 44}, {Title: "Nº de precinto", Width: 40}, {Title: "Tipo", Width: 40}, {Title: "Bultos", Width: 22, Right: true}, {Title: "Peso bruto", Width: 40, Right: true}}, rows)
	y = f.Label(12, y+4, 0, 186, 9, "", "Localizador de retirada:", f.Number("pickup_number", s.Pickup))
	y = f.Label(12, y, 0, 186, 9, "", "Válida hasta / último día libre:", f.Day("last_free_day", s.FreeUntil))
	y = f.Label(12, y, 0, 186, 9, "", "Devolver el vacío en:", f.Text("empty_return", s.Depot))
	f.Paragraph(12, y+6, 186, 7, "Los gastos de almacenaje y demora son por cuenta de la mercancía. Sin levante de aduana no habrá salida de la terminal.")
	f.Right(198, 250, 8, "", "Firma y sello del consignatario del buque")
}
