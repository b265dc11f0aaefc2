package train

import (
	"fmt"
	"strings"
	"time"

	"github.com/landfallhq/tracking/classify/corpus/form"
	"github.com/landfallhq/tracking/classify/corpus/truth"
)

// specimenNoticesH are notices, orders and confirmations of lot H: in French, German and
// Spanish, with dotted lines, over two pages, and amended ones.
var specimenNoticesH = []form.Layout{
	{Name: "an-avis", Type: truth.ArrivalNotice, Copies: 2, Draw: frenchNotice},
	{Name: "an-ankunft", Type: truth.ArrivalNotice, Copies: 2, Draw: germanNotice},
	{Name: "an-leaders", Type: truth.ArrivalNotice, Copies: 3, Draw: leaderNotice},
	{Name: "an-two-pages", Type: truth.ArrivalNotice, Copies: 3, Draw: twoPageNotice},
	{Name: "bc-reserva", Type: truth.BookingConfirmation, Copies: 2, Draw: spanishBooking},
	{Name: "bc-amended", Type: truth.BookingConfirmation, Copies: 3, Draw: amendedBooking},
	{Name: "bc-release-order", Type: truth.BookingConfirmation, Copies: 3, Draw: releaseBooking},
	{Name: "do-bon", Type: truth.DeliveryOrder, Copies: 2, Draw: frenchOrder},
	{Name: "do-freight-release", Type: truth.DeliveryOrder, Copies: 3, Draw: freightReleaseOrder},
	{Name: "do-warehouse", Type: truth.DeliveryOrder, Copies: 3, Draw: warehouseOrder},
}

// frenchNotice is an agent's in France, Belgium or Quebec.
func frenchNotice(f *form.Form) {
	s := strange(f, form.Pick(f, "2 January 2006", "02/01/2006"), to("FR", "BE", "CA"))
	f.Style.Months, f.Style.Upper = tongues["fr"], false
	notation(f, " ", ",", 2)
	f.Page("A4")
	f.Say(12, 9, 12, "B", s.Agent.Name)
	f.Lines(12, 15, 7, "", append(s.Agent.Address, "Agent de "+s.Line.Name)...)
	f.SCAC(s.Line)
	stack(f, 118, 28, 80, 9, f.Party("consignee", s.Buyer, 4)...)
	f.Say(12, 48, 14, "B", form.Pick(f, "AVIS D'ARRIVÉE", "Avis d'arrivée", "AVIS D'ARRIVÉE DE MARCHANDISES"))
	f.Label(118, 49, 0, 80, 8.5, "", "Le", f.Day("issue_date", s.Noticed))
	f.Say(12, 56, 8.5, "", "Nous vous informons de l'arrivée prochaine du navire désigné ci-dessous :")
	y := 63.0
	for _, p := range [][2]string{{"Navire / voyage :", f.Text("vessel", s.Ship.Name) + " / " + f.Number("voyage", s.Voyage)}, {"Arrivée prévue (ETA) :", f.Day("eta", s.Arrives)}, {"Connaissement n° :", f.Number("bl_number", s.BL)}, {"Dossier n° :", f.Number("notice_number", s.Notice)}, {"Port de chargement :", f.Place("port_of_lading", s.Lading)}, {"Port de déchargement :", f.Place("port_of_discharge", s.Unlading)}, {"Destination finale :", f.Place("place_of_delivery", s.Delivery)}, {"Terminal :", f.Text("terminal", s.Terminal.Name)}, {"Franchise jusqu'au :", f.Day("last_free_day", s.FreeUntil)}} {
		y = f.Label(12, y, 44, 186, 9, "", p[0], p[1]) + 0.4
	}
	f.Say(12, y+2, 8, "", "À notifier :")
	y = stack(f, 56, y+2, 100, 9, f.Party("notify_party", s.Notify, 4)...) + 3
	var rows [][]string
	for _, b := range s.Containers {
		row := f.Row("containers")
		rows = append(rows, []string{row.Container("number", b.Number), row.Size("size_type", b.Size), row.Number("seal", b.Seal), row.Count("packages", b.Packages) + " colis", row.Mass("gross_weight", b.Gross), row.Volume("volume", b.Volume)})
	}
	y = f.Table(12, y, 8, true, []form.Column{{Title: "Conteneur n°", Width: 36}, {Title: "Type", Width: 34}, {Title: "Scellé", Width: 32}, {Title: "Nombre", Width: 24}, {Title: "Poids brut", Width: 32}, {Title: "Cubage", Width: 28}}, rows) + 4
	rows = nil
	for _, name := range []string{"Manutention portuaire", "Frais de dossier", "Taxe ISPS"}[f.R.IntN(2):] {
		row := f.Row("charges")
		rows = append(rows, []string{row.Text("description", name), row.Money("amount", "EUR", 2500+50*f.R.IntN(500)) + " EUR"})
	}
	y = f.Table(12, y, 8, false, []form.Column{{Title: "Frais à régler", Width: 80}, {Title: "Montant", Width: 40}}, rows)
	f.Paragraph(12, y+5, 186, 7, "Le présent avis d'arrivée ne vaut pas bon à délivrer. Celui-ci vous sera remis contre le connaissement original dûment endossé et le règlement des frais. Passé la franchise, les surestaries sont à votre charge.")
}

// germanNotice is that of a forwarder at the port, with the bill of the house and that of
// the line, and captions over values in a grid without lines.
func germanNotice(f *form.Form) {
	s := strange(f, "02.01.2006", to("DE", "NL", "BE"))
	notation(f, ".", ",", 1)
	f.Page("A4")
	f.Right(198, 8, 14, "B", s.Forward.Name)
	f.Right(198, 14.5, 7, "", "Importabteilung, "+strings.Join(s.Agent.Address, ", "))
	stack(f, 12, 26, 85, 9, f.Party("consignee", s.Buyer, 4)...)
	f.Say(12, 50, 14, "B", form.Pick(f, "ANKUNFTSANZEIGE", "Eingangsmeldung / Arrival Notice", "Ankunftsavis Seefracht"))
	f.Label(130, 51, 20, 68, 8.5, "", "Datum", f.Day("issue_date", s.Noticed))
	f.Label(130, 56, 20, 68, 8.5, "", "Avis-Nr.", f.Number("notice_number", s.Notice))
	y := 66.0
	for i, p := range [][2]string{{"Schiff", f.Text("vessel", s.Ship.Name)}, {"Reise", f.Number("voyage", s.Voyage)}, {"Erwartete Ankunft", f.Day("eta", s.Arrives)}, {"Reederei-Konnossement", f.Number("bl_number", s.BL)}, {"Haus-Konnossement", f.Number("hbl_number", s.HBL)}, {"Lagergeldfrei bis", f.Day("last_free_day", s.FreeUntil)}, {"Ladehafen", f.Place("port_of_lading", s.Lading)}, {"Löschhafen", f.Place("port_of_discharge", s.Unlading)}, {"Bestimmungsort", f.Place("place_of_delivery", s.Delivery)}, {"Liegeplatz / Terminal", f.Text("terminal", s.Terminal.Name)}} {
		x := 12 + 62*float64(i%3)
		f.Say(x, y+11*float64(i/3), 6.5, "", p[0])
		f.Fill(x, y+3.4+11*float64(i/3), 60, 9, p[1])
	}
	y += 46
	f.Say(12, y, 6.5, "", "Weitere Meldeadresse")
	stack(f, 12, y+3.4, 100, 9, f.Party("notify_party", s.Notify, 4)...)
	y += 22
	stops := []float64{12, 54, 92, 124, 144, 172, 199}
	f.Heads(y, 7, stops, "lllrrr", "Container", "Plombe", "Größe", "Kolli", "Brutto "+f.Kilo, f.Cubic)
	y += 5
	for _, b := range s.Containers {
		row := f.Row("containers")
		y = f.Spread(y, 9, stops, "lllrrr", row.Container("number", b.Number), row.Number("seal", b.Seal), row.Size("size_type", b.Size), row.Count("packages", b.Packages), row.BareMass("gross_weight", b.Gross), row.BareVolume("volume", b.Volume))
	}
	f.Paragraph(12, y+6, 186, 8, "Bitte senden Sie uns das indossierte Konnossement, Handelsrechnung und Packliste sowie Ihren Verzollungsauftrag. Die Freistellung erfolgt nach Zahlung unserer Auslagen. Ankunftszeiten ohne Gewähr. Dieses Avis ist kein Auslieferungsauftrag.")
}

// leaderNotice has dots between captions and values, as from a printer of lines, and
// free days container by container.
func leaderNotice(f *form.Form) {
	s := strange(f, form.Pick(f, "02Jan06", "02-Jan-2006", "01/02/2006"), to("US"))
	f.Style.Upper = true
	f.Page("Letter")
	f.Font, f.ValueFont = form.Typed, form.Typed
	f.Centre(108, 10, 11, "B", strings.ToUpper(s.Line.Name))
	f.SCAC(s.Line)
	f.Centre(108, 15.5, 10, "B", form.Pick(f, "A R R I V A L   N O T I C E", "IMPORT ARRIVAL NOTICE", "NOTICE OF ARRIVAL TO CONSIGNEE"))
	y := 24.0
	line := func(caption, value string) {
		f.Say(12, y, 8.5, "", caption+strings.Repeat(".", 30-len(caption))+":")
		f.Fill(72, y, 130, 8.5, value)
		y += 4.3
	}
	line("NOTICE DATE", f.Day("issue_date", s.Noticed))
	line("B/L NUMBER", f.Number("bl_number", s.BL))
	line("SCAC", s.Line.SCAC)
	for i, l := range f.Party("consignee", s.Buyer, 4) {
		line([]string{"CONSIGNEE", "", "", ""}[i], l)
	}
	for i, l := range f.Party("notify_party", s.Notify, 4) {
		line([]string{"NOTIFY", "", "", ""}[i], l)
	}
	line("VESSEL/VOYAGE", f.Text("vessel", s.Ship.Name)+"/"+f.Number("voyage", s.Voyage))
	line("LLOYDS/IMO NO", f.Number("vessel_imo", s.Ship.IMO))
	line("LOADED AT", f.Place("port_of_lading", s.Lading))
	line("DISCHARGING AT", f.Place("port_of_discharge", s.Unlading))
	line("FINAL DESTINATION", f.Place("place_of_delivery", s.Delivery))
	line("EST. ARRIVAL", f.Day("eta", s.Arrives))
	line("PIER/TERMINAL", f.Text("terminal", s.Terminal.Name))
	line("FIRMS CODE", f.Number("firms_code", s.Terminal.FIRMS))
	line("LAST FREE DAY (DEMURRAGE)", f.Day("last_free_day", s.FreeUntil))
	line("G.O. DATE", f.Day("go_date", s.GeneralOrder))
	y += 3
	stops := []float64{12, 46, 74, 114, 134, 166, 202}
	f.Heads(y, 8, stops, "lllrrr", "CONTAINER", "SEAL", "TYPE", "PKGS", "WEIGHT LBS", "CU.FT.")
	y += 5
	f.Style.Figures = 1
	for _, b := range s.Containers {
		row := f.Row("containers")
		y = f.Spread(y, 8.5, stops, "lllrrr", row.Container("number", b.Number), row.Number("seal", b.Seal), row.Size("size_type", b.Size), row.Count("packages", b.Packages), row.BarePounds("gross_weight", b.Gross), row.BareCubicFeet("volume", b.Volume))
	}
	y += 4
	for _, name := range []string{"OCEAN FREIGHT COLLECT", "DESTINATION THC", "CHASSIS USAGE"}[f.R.IntN(2):] {
		row := f.Row("charges")
		say := row.Text("description", name)
		f.Say(12, y, 8.5, "", say)
		f.FillRight(110, y, 40, 8.5, row.Money("amount", "USD", 5000+100*f.R.IntN(2000)))
		f.Say(114, y, 8.5, "", "USD")
		y += 4.3
	}
	f.Paragraph(12, y+4, 185, 7.5, "THIS NOTICE IS GIVEN AS A COURTESY. IT IS NOT A DELIVERY ORDER NOR A FREIGHT RELEASE. ORIGINAL BILL OF LADING AND CERTIFIED FUNDS REQUIRED.")
}

// twoPageNotice is a letter, with containers and charges on the second page.
func twoPageNotice(f *form.Form) {
	s := strange(f, form.Pick(f, "January 2, 2006", "2 Jan. 2006", "02-01-2006"), several(to("US", "GB", "CA", "NL")))
	f.Page("A4")
	letterhead(f, s.Agent)
	stack(f, 12, f.Y+2, 90, 9, f.Party("consignee", s.Buyer, 4)...)
	f.Right(198, f.Y+2, 9, "", f.Day("issue_date", s.Noticed))
	y := f.Y + 26
	f.Say(12, y, 11, "B", form.Pick(f, "Re: Arrival notice no. ", "ARRIVAL NOTICE ", "Notice of arrival - our file ")+f.Number("notice_number", s.Notice))
	y = f.Paragraph(12, y+8, 186, 9, "We herewith notify you of the arrival of your cargo. Kindly take note of the particulars below; containers and our charges are on the next page.") + 3
	for _, p := range [][2]string{{"Bill of lading", f.Number("bl_number", s.BL)}, {"House bill, if any", f.Number("hbl_number", s.HBL)}, {"Name of ship", f.Text("vessel", s.Ship.Name)}, {"Voyage", f.Number("voyage", s.Voyage)}, {"Loaded in", f.Place("port_of_lading", s.Lading)}, {"To be discharged in", f.Place("port_of_discharge", s.Unlading)}, {"For delivery in", f.Place("place_of_delivery", s.Delivery)}, {"Due on", f.Day("eta", s.Arrives)}, {"At terminal", f.Text("terminal", s.Terminal.Name)}, {"Free storage ends", f.Day("last_free_day", s.FreeUntil)}} {
		f.Say(20, y, 9, "", p[0])
		f.Fill(70, y, 120, 9.5, p[1])
		y += 5
	}
	y = stack(f, 12, y+5, 150, 9, append([]string{"Copy to:"}, f.Party("notify_party", s.Notify, 4)...)...)
	f.Paragraph(12, y+6, 186, 8, "Delivery takes place against the duly discharged original bill of lading, after which we hand you our delivery order. Please check whether your booking, invoice and packing list agree with what is said here.")
	f.Centre(105, 284, 7, "", "- 1 -")
	f.Page("A4")
	f.Say(12, 10, 9, "B", "Arrival notice "+s.Notice+", continued")
	y = loads(f, 12, 18, 8.5, true)
	var rows [][]string
	total := 0
	for _, name := range []string{"Terminal handling charges", "Delivery order fee", "Import service fee", "Harbour dues"}[f.R.IntN(2):] {
		row := f.Row("charges")
		cents := 2000 + 50*f.R.IntN(900)
		total += cents
		rows = append(rows, []string{row.Text("description", name), "per B/L", row.Money("amount", "EUR", cents)})
	}
	rows = append(rows, []string{"", "Total EUR", f.Money("", "", total)})
	f.Table(12, y+6, 8.5, true, []form.Column{{Title: "Charges", Width: 100}, {Title: "Basis", Width: 40}, {Title: "EUR", Width: 40, Right: true}}, rows)
	f.Centre(105, 284, 7, "", "- 2 -")
}

// spanishBooking is a line's or forwarder's in Spanish, values below in frames.
func spanishBooking(f *form.Form) {
	s := strange(f, form.Pick(f, "02/01/2006", "02-January-2006"), from("ES", "CL", "PE"))
	f.Style.Months = tongues["ES"]
	notation(f, ".", ",", 1)
	f.Page("A4")
	f.Badge(12, 8, 40, 8)
	f.Say(56, 9, 12, "B", s.Line.Name)
	f.SCAC(s.Line)
	f.Say(12, 20, 14, "B", form.Pick(f, "CONFIRMACIÓN DE RESERVA", "Confirmación de reserva", "CONFIRMACIÓN DE BOOKING"))
	y := f.Cells(12, 30, 12, []float64{62, 62, 62}, [2]string{"N.º de reserva", f.Number("booking_number", s.Booking)}, [2]string{"Fecha de emisión", f.Day("issue_date", s.Booked)}, [2]string{"Cliente", s.Shipper.Name})
	y = f.Cells(12, y, 12, []float64{62, 62, 62}, [2]string{"Lugar de recepción", f.Place("place_of_receipt", s.Receipt)}, [2]string{"Puerto de carga", f.Place("port_of_lading", s.Lading)}, [2]string{"Salida estimada (ETD)", f.Day("etd", s.Sailed)})
	y = f.Cells(12, y, 12, []float64{62, 62, 62}, [2]string{"Puerto de descarga", f.Place("port_of_discharge", s.Unlading)}, [2]string{"Destino final", f.Place("place_of_delivery", s.Delivery)}, [2]string{"Llegada estimada (ETA)", f.Day("eta", s.Arrives)})
	y = f.Cells(12, y, 12, []float64{62, 62, 62}, [2]string{"Nave", f.Text("vessel", s.Ship.Name)}, [2]string{"Viaje", f.Number("voyage", s.Voyage)}, [2]string{"Equipo", equipment(f, " x ")})
	y = f.Cells(12, y, 12, []float64{62, 62, 62}, [2]string{"Cierre documental", f.Moment("si_cutoff", s.Cutoff.Add(-27*time.Hour))}, [2]string{"Cierre VGM", f.Moment("vgm_cutoff", s.Cutoff.Add(-7*time.Hour))}, [2]string{"Cierre físico (stacking)", f.Moment("cy_cutoff", s.Cutoff)})
	f.Cells(12, y, 12, []float64{124, 62}, [2]string{"Depósito de retiro de vacíos", f.Text("empty_pickup", s.Depot)}, [2]string{"Mercadería", s.Goods[0].Words})
	f.Paragraph(12, y+18, 186, 7.5, "Reserva sujeta a disponibilidad de espacio y equipo. La anulación con menos de siete días genera falso flete. El conocimiento de embarque se emitirá según las instrucciones recibidas antes del cierre documental.")
}

// amendedBooking confirms once more: what held before stands struck through in real
// ones, here in brackets behind.
func amendedBooking(f *form.Form) {
	s := strange(f, form.Pick(f, "02-Jan-2006", "Jan 2, 2006", "2006-01-02"), anywhere)
	f.Page("Letter")
	f.Say(12, 9, 13, "B", s.Line.ShortName)
	f.SCAC(s.Line)
	f.Say(12, 17, 12, "B", form.Pick(f, "BOOKING CONFIRMATION - 2nd AMENDMENT", "Booking amendment confirmation", "REVISED BOOKING CONFIRMATION (REV. 3)"))
	f.Say(12, 24, 8, "", "Changes against our last confirmation are marked >>")
	stops := []float64{12, 60, 130, 204}
	f.Shade(12, 29, 192, 5, 215)
	f.Heads(30, 8, stops, "lll", "Item", "Confirmed", "Before")
	y := 36.0
	for _, p := range [][3]string{
		{"Booking reference", f.Number("booking_number", s.Booking), ""},
		{"Date of this confirmation", f.Day("issue_date", s.Booked), f.Day("", s.Booked.AddDate(0, 0, -6))},
		{">> Vessel", f.Text("vessel", s.Ship.Name), form.Pick(f, "GALWAY STAR", "IBERIAN DAWN", "MV KOTA PERAK")},
		{">> Voyage", f.Number("voyage", s.Voyage), num(f, "###N")},
		{">> Departure", f.Day("etd", s.Sailed), f.Day("", s.Sailed.AddDate(0, 0, -7))},
		{">> Arrival", f.Day("eta", s.Arrives), f.Day("", s.Arrives.AddDate(0, 0, -7))},
		{"Receipt", f.Place("place_of_receipt", s.Receipt), ""}, {"Load port", f.Place("port_of_lading", s.Lading), ""}, {"Discharge port", f.Place("port_of_discharge", s.Unlading), ""}, {"Delivery", f.Place("place_of_delivery", s.Delivery), ""},
		{"Equipment", equipment(f, " x "), ""},
		{"Empty pick-up", f.Text("empty_pickup", s.Depot), ""},
		{">> SI cut-off", f.Moment("si_cutoff", s.Cutoff.Add(-25*time.Hour)), f.Moment("", s.Cutoff.AddDate(0, 0, -7).Add(-25*time.Hour))},
		{">> VGM cut-off", f.Moment("vgm_cutoff", s.Cutoff.Add(-3*time.Hour)), f.Moment("", s.Cutoff.AddDate(0, 0, -7).Add(-3*time.Hour))},
		{">> Cargo cut-off (CY)", f.Moment("cy_cutoff", s.Cutoff), f.Moment("", s.Cutoff.AddDate(0, 0, -7))},
	} {
		y = f.Spread(y, 8.5, stops, "lll", p[0], p[1], p[2]) + 1
		f.Rule(12, y-0.8, 204, y-0.8)
	}
	f.Paragraph(12, y+5, 190, 7.5, "Shippers: "+s.Shipper.Name+". Containers already fetched keep their release. The bill of lading will show the vessel that in fact carries the goods. This is neither a quotation nor an invoice.")
}

// releaseBooking is one paper for the booking and for the depots: equipment and where to
// fetch and return it in a table, captions in capitals with numbers in front.
func releaseBooking(f *form.Form) {
	s := strange(f, form.Pick(f, "02/Jan/2006", "02.01.2006", "2 Jan 2006"), anywhere)
	f.Page("A4")
	f.Centre(105, 8, 13, "B", strings.ToUpper(s.Line.ShortName)+" EXPORT DESK")
	f.SCAC(s.Line)
	f.Centre(105, 14, 11, "B", form.Pick(f, "BOOKING CONFIRMATION AND EMPTY RELEASE ORDER", "BOOKING CONFIRMATION / EQUIPMENT RELEASE", "CONFIRMATION OF BOOKING & CONTAINER RELEASE"))
	y := 24.0
	for i, p := range [][2]string{{"BOOKING/RELEASE NO", f.Number("booking_number", s.Booking)}, {"DATED", f.Day("issue_date", s.Booked)}, {"SHIPPER", s.Shipper.Name}, {"FORWARDER", s.Forward.Name}, {"1ST VESSEL/VOY", f.Text("vessel", s.Ship.Name) + " " + f.Number("voyage", s.Voyage)}, {"ETS", f.Day("etd", s.Sailed)}, {"POR", f.Place("place_of_receipt", s.Receipt)}, {"POL", f.Place("port_of_lading", s.Lading)}, {"POD", f.Place("port_of_discharge", s.Unlading)}, {"FND", f.Place("place_of_delivery", s.Delivery)}, {"ETA POD", f.Day("eta", s.Arrives)}} {
		f.Say(12, y, 7.5, "B", fmt.Sprintf("%02d  %s", i+1, p[0]))
		f.Fill(64, y, 134, 9, p[1])
		y += 5.2
	}
	row := f.Row("equipment")
	y = f.Table(12, y+4, 8, true, []form.Column{{Title: "QTY", Width: 14}, {Title: "TYPE", Width: 38}, {Title: "PICK UP EMPTY AT", Width: 58}, {Title: "FROM", Width: 24}, {Title: "DELIVER FULL TO", Width: 52}}, [][]string{{row.Count("quantity", len(s.Containers)), row.Size("size_type", s.Containers[0].Size), f.Text("empty_pickup", s.Depot), f.Day("", s.Cutoff.AddDate(0, 0, -6)), strings.ToUpper(s.Lading.Name) + " MAIN TERMINAL"}})
	y = f.Table(12, y+5, 8, true, []form.Column{{Title: "DOCS (SI) CLOSE", Width: 46}, {Title: "VGM CLOSE", Width: 46}, {Title: "CUSTOMS CLOSE", Width: 46}, {Title: "CY CLOSE", Width: 48}}, [][]string{{f.Moment("si_cutoff", s.Cutoff.Add(-32*time.Hour)), f.Moment("vgm_cutoff", s.Cutoff.Add(-9*time.Hour)), f.Moment("customs_cutoff", s.Cutoff.Add(-5*time.Hour)), f.Moment("cy_cutoff", s.Cutoff)}})
	f.Paragraph(12, y+5, 186, 7.5, "Depots hand out containers against the number above only. This release order is not a delivery order for laden containers. Units not returned full within the free time are charged detention as per tariff.")
}

// frenchOrder is an agent's to the terminal: who may take the goods.
func frenchOrder(f *form.Form) {
	s := strange(f, form.Pick(f, "02/01/2006", "2 January 2006"), to("FR", "BE"))
	f.Style.Months, f.Style.Upper = tongues["fr"], false
	notation(f, " ", ",", 1)
	f.Page("A4")
	f.Say(12, 9, 12, "B", s.Agent.Name)
	f.Lines(12, 15, 7, "", s.Agent.Address...)
	f.Frame(110, 8, 88, 16)
	f.Centre(154, 10, 14, "B", form.Pick(f, "BON À DÉLIVRER", "BON À ENLEVER / DELIVERY ORDER", "BON DE LIVRAISON IMPORT"))
	f.Label(114, 18, 0, 84, 8.5, "", "N°", f.Number("do_number", s.Order)+" du "+f.Day("issue_date", s.Noticed))
	y := ruled(f, 12, 30, 7.5, []float64{93, 93}, [][][2]string{{{"Navire", f.Text("vessel", s.Ship.Name)}, {"Voyage", f.Number("voyage", s.Voyage)}}, {{"Connaissement", f.Number("bl_number", s.BL)}, {"Connaissement groupeur", f.Number("hbl_number", s.HBL)}}, {{"Terminal d'enlèvement", f.Text("terminal", s.Terminal.Name)}, {"Code d'enlèvement", f.Number("pickup_number", s.Pickup)}}, {{"Valable jusqu'au", f.Day("last_free_day", s.FreeUntil)}, {"Restitution du vide", f.Text("empty_return", s.Depot)}}}) + 3
	f.Say(12, y, 8, "", "Veuillez délivrer à :")
	stack(f, 46, y, 60, 8.5, f.Party("deliver_to", s.Buyer, 4)...)
	f.Say(110, y, 8, "", "Transporteur :")
	stack(f, 134, y, 64, 8.5, f.Party("trucker", s.Trucker, 4)...)
	y += 22
	for _, b := range s.Containers {
		row := f.Row("containers")
		y = f.Prose(12, y, 186, 9, "1 conteneur "+row.Size("size_type", b.Size)+" n° "+row.Container("number", b.Number)+", plomb "+row.Number("seal", b.Seal)+", contenant "+row.Count("packages", b.Packages)+" colis, poids brut "+row.Mass("gross_weight", b.Gross)) + 1
	}
	f.Paragraph(12, y+6, 186, 7, "Sous réserve de mainlevée douanière. Toute immobilisation du conteneur au-delà de la franchise est facturée. Ce bon annule et remplace tout avis antérieur.")
	f.Right(198, 200, 8, "", "Cachet et signature de l'agent")
}

// freightReleaseOrder is a liner agent's by mail: captions at the left without any lines,
// containers each with their own PIN.
func freightReleaseOrder(f *form.Form) {
	s := strange(f, form.Pick(f, "2 January 2006", "02-Jan-06", "Mon 2 Jan 2006"), to("GB", "NL", "BE", "DE"))
	f.Page("A4")
	f.Say(12, 9, 14, "B", form.Pick(f, "Delivery Order / Freight Release", "DELIVERY ORDER (commercial release)", "Release & delivery order"))
	f.Say(12, 17, 8, "", "issued by "+s.Agent.Name+" for and on behalf of "+s.Line.Name)
	y := 26.0
	for _, p := range [][2]string{{"order no", f.Number("do_number", s.Order)}, {"issued", f.Day("issue_date", s.Noticed)}, {"to terminal", f.Text("terminal", s.Terminal.Name)}, {"ship", f.Text("vessel", s.Ship.Name)}, {"voyage", f.Number("voyage", s.Voyage)}, {"B/L", f.Number("bl_number", s.BL)}, {"free until", f.Day("last_free_day", s.FreeUntil)}, {"pin", f.Number("pickup_number", s.Pickup)}} {
		f.Right(46, y, 8.5, "I", p[0])
		f.Fill(50, y, 140, 9, p[1])
		y += 5
	}
	for _, p := range []struct {
		caption string
		lines   []string
	}{{"release to", f.Party("deliver_to", s.Buyer, 4)}, {"carrier inland", f.Party("trucker", s.Trucker, 4)}} {
		f.Right(46, y+1, 8.5, "I", p.caption)
		y = stack(f, 50, y+1, 120, 9, p.lines...) + 1
	}
	f.Right(46, y+1, 8.5, "I", "empties to")
	f.Fill(50, y+1, 140, 9, f.Text("empty_return", s.Depot))
	y += 9
	for i, b := range s.Containers {
		row := f.Row("containers")
		f.Right(46, y, 8.5, "I", fmt.Sprintf("container %d", i+1))
		f.Fill(50, y, 140, 9, row.Container("number", b.Number)+" / "+row.Size("size_type", b.Size)+" / seal "+row.Number("seal", b.Seal))
		f.Fill(50, y+4.2, 140, 9, row.Count("packages", b.Packages)+" packages / "+row.Mass("gross_weight", b.Gross)+" / "+row.Volume("volume", b.Volume))
		y += 10
	}
	f.Paragraph(12, y+5, 186, 7, "Freight and charges are settled and the original bill of lading has been surrendered. Customs status is not confirmed hereby. This order is no receipt and no arrival notice.")
}

// warehouseOrder is a broker's for goods at a freight station, with captions in the
// upper left of tall cells, and pieces and pounds of each container.
func warehouseOrder(f *form.Form) {
	s := strange(f, form.Pick(f, "01/02/06", "01-02-2006", "Jan 2 2006"), to("US"))
	f.Style.Figures = 1
	f.Page("Letter")
	f.Centre(108, 8, 14, "B", form.Pick(f, "PICKUP / DELIVERY ORDER", "DELIVERY ORDER", "TRUCK DELIVERY ORDER"))
	f.Centre(108, 14.5, 8, "", s.Notify.Name+" - LICENSED CUSTOMHOUSE BROKERS")
	y := f.Cells(12, 20, 14, []float64{64, 64, 64}, [2]string{"OUR REF. NO. / D.O. NO.", f.Number("do_number", s.Order)}, [2]string{"DATE", f.Day("issue_date", s.Noticed)}, [2]string{"CUSTOMER'S P.O.", s.PO})
	y = f.Cells(12, y, 14, []float64{64, 64, 64}, [2]string{"IMPORTING CARRIER", f.Text("vessel", s.Ship.Name)}, [2]string{"VOYAGE", f.Number("voyage", s.Voyage)}, [2]string{"FREE TIME EXPIRES", f.Day("last_free_day", s.FreeUntil)})
	y = f.Cells(12, y, 14, []float64{64, 64, 64}, [2]string{"MASTER B/L", f.Number("bl_number", s.BL)}, [2]string{"HOUSE B/L", f.Number("hbl_number", s.HBL)}, [2]string{"RELEASE / PICKUP NO.", f.Number("pickup_number", s.Pickup)})
	f.Captioned(12, y, 96, 24, 5.5, "THE MERCHANDISE DESCRIBED BELOW WILL BE ENTERED AND FORWARDED AS FOLLOWS, BY (LOCAL DELIVERY OR TRANSFER)", f.Party("trucker", s.Trucker, 4)...)
	f.Box(108, y, 96, 24, "FOR DELIVERY TO", f.Party("deliver_to", s.Buyer, 4)...)
	f.Box(12, y+24, 96, 12, "GOODS LOCATED AT", f.Text("terminal", s.Terminal.Name)+" / "+f.Number("firms_code", s.Terminal.FIRMS))
	f.Box(108, y+24, 96, 12, "RETURN EMPTY TO", f.Text("empty_return", s.Depot))
	var rows [][]string
	for _, b := range s.Containers {
		row := f.Row("containers")
		rows = append(rows, []string{row.Count("packages", b.Packages), row.Container("number", b.Number), row.Size("size_type", b.Size), row.Number("seal", b.Seal), row.BarePounds("gross_weight", b.Gross)})
	}
	y = f.Table(12, y+40, 8.5, true, []form.Column{{Title: "NO. OF PKGS", Width: 26, Right: true}, {Title: "MARKS / CONTAINER NO.", Width: 50}, {Title: "SIZE", Width: 42}, {Title: "SEAL", Width: 38}, {Title: "WEIGHT (LBS)", Width: 36, Right: true}}, rows)
	f.Label(12, y+4, 0, 190, 8, "", "CONTENTS:", s.Goods[0].Words)
	f.Cells(12, 240, 16, []float64{96, 96}, [2]string{"RECEIVED IN GOOD ORDER BY", ""}, [2]string{"DATE AND TIME", ""})
	f.Paragraph(12, 259, 190, 6, "INLAND FREIGHT: COLLECT. Demurrage incurred through the delivering carrier's fault is for its account. This order is a transfer of neither the bill of lading nor title.")
}
