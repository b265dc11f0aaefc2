package fresh

import (
	"fmt"
	"strings"

	"github.com/landfallhq/tracking/classify/corpus/form"
)

// swbNonNegotiable is a large line's waybill: captions in small type at the left edge
// of open boxes, the line's code under its own caption.
func swbNonNegotiable(f *form.Form) {
	recast(f, plan{way: "us", scac: "MAEU", boxes: 3, lines: 2})
	habits(f, "2006-01-02", "", ".", 3, 0, 3)
	f.Font = form.Pick(f, form.Sans, form.Go)
	f.ValueFont = f.Font
	s := f.S
	f.Page("A4")
	f.Say(110, 9, 16, "B", "MAERSK")
	f.Say(12, 10, 11, "B", "NON-NEGOTIABLE WAYBILL")
	f.Say(165, 9, 6, "", "SCAC")
	f.Fill(165, 12, 20, 9, f.SCAC(s.Line))
	f.Say(183, 9, 6, "", "B/L No.")
	f.Fill(178, 12, 26, 10, f.Number("bl_number", ref(f.R, "#########")))
	f.Frame(10, 18, 190, 76)
	f.Rule(105, 18, 105, 94)
	stack(f, 12, 19, 88, 6, "Shipper", party(f, "shipper", s.Shipper)...)
	f.Rule(10, 41, 200, 41)
	stack(f, 107, 19, 60, 6, "Booking No.", f.Number("booking_number", ref(f.R, "#########")))
	stack(f, 150, 19, 48, 6, "Export references", ref(f.R, "###-@@-##"))
	stack(f, 107, 30, 90, 6, "Svc Contract", ref(f.R, "29#######"))
	stack(f, 12, 42, 88, 6, "Consignee", party(f, "consignee", s.Buyer)...)
	f.Rule(10, 66, 105, 66)
	f.Paragraph(107, 42, 90, 5.5, "This contract is subject to the terms, conditions and exceptions, including the law & jurisdiction clause and limitation of liability & declared value clauses, of the current Bill of Lading, available from the carrier, its agents and at terms on its site.")
	stack(f, 107, 67, 90, 6, "Onward inland routing (Not part of Carriage as defined in clause 1. For account and risk of Merchant)")
	stack(f, 12, 67, 88, 6, "Notify Party (see clause 22)", party(f, "notify_party", s.Notify)...)
	y := 94.0
	four := []float64{60, 35, 47, 48}
	y = strip(f, 10, y, 9.5, 6, four, c("Vessel (see clause 1 + 19)", f.Text("vessel", s.Ship.Name)), c("Voyage No.", f.Number("voyage", s.Voyage)), c("Place of Receipt. Applicable only when document used as Multimodal Waybill"), c("Place of Delivery. (see clause 1)", at(f, "place_of_delivery", s.Delivery, both)))
	y = strip(f, 10, y, 9.5, 6, []float64{95, 95}, c("Port of Loading", at(f, "port_of_lading", s.Lading, both)), c("Port of Discharge", at(f, "port_of_discharge", s.Unlading, both)))
	f.Centre(105, y+1, 7.5, "B", "PARTICULARS FURNISHED BY SHIPPER")
	f.Say(12, y+5, 6, "", "Kind of Packages; Description of goods; Marks and Numbers; Container No./Seal No.")
	f.Say(150, y+5, 6, "", "Weight")
	f.Say(178, y+5, 6, "", "Measurement")
	y += 10
	f.Fill(14, y, 120, 8.5, fmt.Sprintf("%d Container%s Said to Contain %d CARTONS", len(s.Containers), strings.Repeat("s", min(1, len(s.Containers)-1)), s.Packages()))
	f.Fill(150, y, 26, 8.5, kg(f, s.Gross()))
	f.Fill(176, y, 25, 8.5, m3(f, s.Volume()))
	y = f.Prose(14, y+6, 120, 8.5, f.Text("description", goods(f, ", ", true))) + 4
	for _, b := range s.Containers {
		row := f.Row("containers")
		f.Fill(14, y, 130, 8.5, row.Container("number", b.Number)+"  "+row.Size("size_type", b.Size)+"  "+row.Number("seal", b.Seal)+"  "+row.Count("packages", b.Packages)+" CARTONS")
		f.Fill(150, y, 26, 8.5, row.Mass("gross_weight", b.Gross))
		f.Fill(176, y, 25, 8.5, row.Volume("volume", b.Volume))
		y += 4.4
	}
	f.Fill(14, y+4, 120, 8.5, terms(f, "FREIGHT PREPAID", "FREIGHT COLLECT")+"    SHIPPED ON BOARD")
	f.Frame(10, 232, 190, 40)
	stack(f, 12, 233, 60, 6, "Carrier's Receipt. Total number of containers or packages received", fmt.Sprint(len(s.Containers), " containers"))
	stack(f, 80, 233, 60, 6, "Place of Issue of Waybill", at(f, "issue_place", s.Lading, capital))
	stack(f, 12, 246, 60, 6, "Shipped on Board Date (Local Time)", f.Day("on_board_date", s.Sailed))
	stack(f, 80, 246, 60, 6, "Date of Issue of Waybill", f.Day("issue_date", s.Sailed.AddDate(0, 0, f.R.IntN(4))))
	stack(f, 12, 259, 60, 6, "Declared Value (see clause 7.3)")
	f.Say(140, 262, 7, "", "Signed for the Carrier Maersk A/S")
}

// swbGrid is a line's waybill with shaded captions in capitals, and one box for each
// of the containers' values.
func swbGrid(f *form.Form) {
	recast(f, plan{way: "eu", scac: "ONEY", boxes: 4, lines: 2})
	habits(f, form.Pick(f, "02 Jan 2006", "02Jan2006"), ",", ".", 3, 0, 1)
	f.Style.Upper = true
	f.Font, f.ValueFont = form.Sans, form.Pick(f, form.Sans, form.Mono)
	s := f.S
	f.Page("A4")
	f.SCAC(s.Line)
	f.Say(12, 9, 14, "B", "OCEAN NETWORK EXPRESS")
	f.Right(198, 9, 13, "B", "SEA WAYBILL")
	f.Right(198, 14.5, 7, "", "ORIGINAL NON-NEGOTIABLE")
	y := 20.0
	shaded := func(x, y, w, h float64, caption string, lines ...string) {
		f.Shade(x, y, w, 4, 225)
		f.Frame(x, y, w, h)
		f.Say(x+1, y+0.9, 6, "B", caption)
		for i, line := range lines {
			f.Fill(x+1.5, y+5+3.6*float64(i), w-3, 8.5, line)
		}
	}
	shaded(12, y, 93, 26, "SHIPPER/EXPORTER", party(f, "shipper", s.Shipper)...)
	shaded(105, y, 46, 11, "BOOKING NO.", f.Number("booking_number", ref(f.R, "@@@@########")))
	shaded(151, y, 47, 11, "SEA WAYBILL NO.", f.Number("bl_number", ref(f.R, "ONEY@@@@########")))
	shaded(105, y+11, 93, 15, "EXPORT REFERENCES (FOR THE MERCHANT'S AND/OR CARRIER'S REFERENCE ONLY)", ref(f.R, "@@##/####-##"))
	y += 26
	shaded(12, y, 93, 26, "CONSIGNEE", party(f, "consignee", s.Buyer)...)
	shaded(105, y, 93, 26, "FORWARDING AGENT-REFERENCES FMC NO.", upper(s.Forward).Name)
	y += 26
	shaded(12, y, 93, 26, "NOTIFY PARTY (Carrier is not responsible for failure to notify)", party(f, "notify_party", s.Notify)...)
	shaded(105, y, 93, 26, "RECEIVED BY THE CARRIER FROM THE SHIPPER")
	f.Paragraph(107, y+6, 88, 6, "in apparent good order and condition unless otherwise indicated herein, the Goods, or the container(s) or package(s) said to contain the cargo herein mentioned, to be carried subject to all the terms and conditions provided for on the face and back of this Sea Waybill.")
	y += 26
	shaded(12, y, 46, 10, "PRE-CARRIAGE BY")
	shaded(58, y, 47, 10, "PLACE OF RECEIPT", at(f, "place_of_receipt", s.Receipt, both))
	shaded(105, y, 93, 10, "FINAL DESTINATION (FOR THE MERCHANT'S REFERENCE ONLY)")
	y += 10
	shaded(12, y, 46, 10, "OCEAN VESSEL VOYAGE NO. FLAG", f.Text("vessel", s.Ship.Name)+" "+f.Number("voyage", s.Voyage))
	shaded(58, y, 47, 10, "PORT OF LOADING", at(f, "port_of_lading", s.Lading, both))
	shaded(105, y, 46, 10, "PORT OF DISCHARGE", at(f, "port_of_discharge", s.Unlading, both))
	shaded(151, y, 47, 10, "PLACE OF DELIVERY", at(f, "place_of_delivery", s.Delivery, both))
	y += 12
	columns := []form.Column{{Title: "CONTAINER NO.", Width: 34}, {Title: "SEAL NO.", Width: 30}, {Title: "TYPE", Width: 20}, {Title: "PKGS", Width: 22, Right: true}, {Title: "GROSS WEIGHT KGS", Width: 44, Right: true}, {Title: "MEASUREMENT CBM", Width: 36, Right: true}}
	var rows [][]string
	for _, b := range s.Containers {
		row := f.Row("containers")
		rows = append(rows, []string{row.Container("number", b.Number), row.Number("seal", b.Seal), row.Size("size_type", b.Size), row.Count("packages", b.Packages), row.BareMass("gross_weight", b.Gross), row.BareVolume("volume", b.Volume)})
	}
	y = f.Table(12, y, 8.5, true, columns, rows) + 3
	shaded(12, y, 186, 40, "DESCRIPTION OF GOODS")
	f.Prose(14, y+6, 180, 8.5, f.Text("description", goods(f, ", ", true)))
	f.Say(14, y+34, 7, "", "SHIPPER'S LOAD & COUNT.   EXPRESS RELEASE")
	y = 248
	shaded(12, y, 62, 12, "FREIGHT & CHARGES", terms(f, "FREIGHT PREPAID AS ARRANGED", "FREIGHT COLLECT AS ARRANGED"))
	shaded(74, y, 62, 12, "NUMBER OF ORIGINAL WAYBILL(S)", f.Code("originals", "0", form.Pick(f, "ZERO (0)", "0")))
	shaded(136, y, 62, 12, "PLACE WAYBILL(S) ISSUED", at(f, "issue_place", s.Lading, capital))
	y += 12
	shaded(12, y, 62, 12, "DATE LADEN ON BOARD", f.Day("on_board_date", s.Sailed))
	shaded(74, y, 62, 12, "DATE ISSUED", f.Day("issue_date", s.Sailed.AddDate(0, 0, 2)))
	shaded(136, y, 62, 12, "SIGNED AS CARRIER")
}

// swbBrief is a German agent's waybill in two languages, values before captions.
func swbBrief(f *form.Form) {
	recast(f, plan{way: "ex-de", scac: "ACLU", boxes: 2, lines: 2, whole: true})
	habits(f, "02.01.2006", ".", ",", 0, 3, 4)
	f.Style.Kilo, f.Style.Cubic = "kg", "cbm"
	f.Font, f.ValueFont = form.Serif, form.Pick(f, form.Serif, form.Sans)
	s := f.S
	f.Page("A4")
	f.SCAC(s.Line)
	f.Say(20, 12, 15, "B", "SEEFRACHTBRIEF")
	f.Say(20, 19, 10, "I", "Liner Sea Waybill (not negotiable)")
	f.Right(195, 12, 11, "B", "ATLANTIC CONTAINER LINE")
	f.Right(195, 17, 7, "", "Agentur Hamburg / Bremerhaven")
	under(f, 140, 26, 55, "Nr. / Waybill No.", f.Number("bl_number", ref(f.R, "SA########")))
	under(f, 140, 37, 55, "Buchungs-Nr. / Booking No.", f.Number("booking_number", ref(f.R, "B/#######")))
	under(f, 140, 48, 55, "Ihr Zeichen / Your reference", ref(f.R, "@@-####"))
	y := 28.0
	block := func(lines []string, caption string) {
		for _, line := range lines {
			f.Fill(20, y, 105, 9, line)
			y += 4
		}
		f.Rule(20, y, 125, y)
		f.Say(20, y+0.7, 6, "", caption)
		y += 6
	}
	block(f.Party("shipper", s.Shipper, 5), "Ablader / Shipper")
	block(f.Party("consignee", s.Buyer, 5), "Empfänger / Consignee (not to order)")
	block(f.Party("notify_party", s.Notify, 5), "Meldeadresse / Notify address")
	y = 98
	under(f, 20, y, 52, "Schiff / Vessel", f.Text("vessel", s.Ship.Name))
	under(f, 78, y, 52, "Reise / Voyage", f.Number("voyage", s.Voyage))
	under(f, 136, y, 59, "Übernahmeort / Place of receipt", at(f, "place_of_receipt", s.Receipt, plain))
	under(f, 20, y+11, 52, "Ladehafen / Port of loading", at(f, "port_of_lading", s.Lading, plain))
	under(f, 78, y+11, 52, "Löschhafen / Port of discharge", at(f, "port_of_discharge", s.Unlading, plain))
	under(f, 136, y+11, 59, "Ablieferungsort / Place of delivery", at(f, "place_of_delivery", s.Delivery, plain))
	columns := []form.Column{{Title: "Container / Plombe\nContainer / seal", Width: 58}, {Title: "Anzahl, Art\nNumber, kind", Width: 32}, {Title: "Inhalt\nContents", Width: 45}, {Title: "Brutto kg\nGross kg", Width: 20, Right: true}, {Title: "cbm\n", Width: 20, Right: true}}
	words := f.Text("description", goods(f, ", ", false))
	var rows [][]string
	for i, b := range s.Containers {
		row := f.Row("containers")
		if i > 0 {
			words = "dito"
		}
		rows = append(rows, []string{row.Container("number", b.Number) + " / " + row.Number("seal", b.Seal), row.Count("packages", b.Packages) + " Kartons in " + row.Size("size_type", b.Size), words, row.BareMass("gross_weight", b.Gross), row.BareVolume("volume", b.Volume)})
	}
	f.Table(20, 124, 8.5, false, columns, rows)
	f.Rule(20, 225, 195, 225)
	under(f, 20, 230, 52, "Fracht / Freight", terms(f, "vorausbezahlt (prepaid)", "zahlbar am Bestimmungsort (collect)"))
	under(f, 78, 230, 52, "An Bord / Shipped on board", f.Day("on_board_date", s.Sailed))
	under(f, 136, 230, 59, "Ort, Datum / Place, date of issue", at(f, "issue_place", s.Lading, plain)+", "+f.Day("issue_date", s.Sailed.AddDate(0, 0, 1)))
	f.Paragraph(20, 245, 170, 6.5, "Die Güter werden ohne Vorlage dieses Frachtbriefes an den Empfänger ausgeliefert. Delivery will be made to the consignee named, without production of this waybill, on proof of identity.")
	f.Say(136, 262, 7, "", "Als Agent des Verfrachters / as agent only")
}

// swbPortal is a page of a line's portal, printed from a browser.
func swbPortal(f *form.Form) {
	recast(f, plan{way: "nl", scac: "OOLU", boxes: 3, lines: 2})
	habits(f, "02 Jan 2006", ",", ".", 2, 0, 4)
	f.Style.Kilo = "KG"
	f.Font = form.Pick(f, form.Go, form.Sans)
	f.ValueFont = f.Font
	s := f.S
	f.Page("A4")
	f.Say(10, 6, 6.5, "", "Document Centre | View waybill")
	f.Right(200, 6, 6.5, "", "1/1")
	f.SCAC(s.Line)
	f.Say(14, 14, 16, "B", "OOCL")
	f.Say(14, 23, 13, "", "Express Cargo Sea Waybill "+f.Number("bl_number", ref(f.R, "OOLU##########")))
	y := 33.0
	head := func(words string) {
		f.Shade(14, y, 182, 6, 235)
		f.Say(16, y+1.5, 9, "B", words)
		y += 9
	}
	line := func(caption string, values ...string) { y = beside(f, 16, y, 46, 176, 9, "", caption, values...) }
	head("Parties")
	line("Shipper", f.Party("shipper", s.Shipper, 5)...)
	line("Consignee", f.Party("consignee", s.Buyer, 5)...)
	line("Notify party", f.Party("notify_party", s.Notify, 5)...)
	head("Routing")
	line("Vessel / voyage", f.Text("vessel", s.Ship.Name)+" / "+f.Number("voyage", s.Voyage))
	line("Vessel IMO", f.Number("vessel_imo", s.Ship.IMO))
	line("Port of loading", at(f, "port_of_lading", s.Lading, coded))
	line("Port of discharge", at(f, "port_of_discharge", s.Unlading, coded))
	line("On board date", f.Day("on_board_date", s.Sailed))
	head("Document")
	line("Booking number", f.Number("booking_number", ref(f.R, "##########")))
	line("Freight terms", terms(f, "Prepaid", "Collect"))
	line("Issued in", at(f, "issue_place", s.Lading, coded))
	line("Issue date", f.Day("issue_date", s.Sailed.AddDate(0, 0, f.R.IntN(3))))
	head("Cargo")
	y = f.Prose(16, y, 176, 9, f.Text("description", goods(f, ", ", false))) + 3
	head("Equipment")
	for i, b := range s.Containers {
		row := f.Row("containers")
		f.Say(16, y, 9, "B", fmt.Sprintf("%d.", i+1))
		f.Fill(24, y, 60, 9, row.Container("number", b.Number)+" ("+row.Size("size_type", b.Size)+")")
		f.Fill(90, y, 100, 9, "Seal "+row.Number("seal", b.Seal))
		f.Fill(24, y+4.5, 160, 8.5, row.Count("packages", b.Packages)+" packages, "+row.Mass("gross_weight", b.Gross)+", "+row.Volume("volume", b.Volume))
		y += 11
	}
	f.Say(14, 285, 6.5, "", "This waybill is not a document of title. The goods are released to the consignee against identification.")
}

var waybills = []form.Layout{
	{Name: "swb-nonnegotiable", Type: "sea_waybill", Copies: 2, Draw: swbNonNegotiable},
	{Name: "swb-grid", Type: "sea_waybill", Copies: 2, Draw: swbGrid},
	{Name: "swb-brief", Type: "sea_waybill", Copies: 2, Draw: swbBrief},
	{Name: "swb-portal", Type: "sea_waybill", Copies: 2, Draw: swbPortal},
}
