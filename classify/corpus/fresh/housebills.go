package fresh

import (
	"fmt"
	"strings"

	"github.com/landfallhq/tracking/classify/corpus/form"
)

// hblFederation is the blank of the forwarders' federation, filled in by typewriter.
func hblFederation(f *form.Form) {
	recast(f, plan{way: "ex-de", boxes: 2, lines: 3, whole: true})
	habits(f, form.Pick(f, "02.01.2006", "02. Jan 2006"), ".", ",", 1, 3, 4)
	f.Style.Kilo, f.Style.Cubic = "kg", "cbm"
	f.Font, f.ValueFont = form.Sans, form.Typed
	s := f.S
	f.Page("A4")
	f.Frame(18, 12, 88, 24)
	stack(f, 19.5, 13, 84, 7, "Consignor", f.Party("shipper", s.Shipper, 4)...)
	f.Say(110, 13, 18, "B", "FBL")
	f.Say(168, 13, 7, "", form.Pick(f, "DE", "D"))
	f.Say(110, 22, 9, "B", "NEGOTIABLE FIATA MULTIMODAL")
	f.Say(110, 26.5, 9, "B", "TRANSPORT BILL OF LADING")
	f.Say(110, 31, 6, "", "issued subject to UNCTAD/ICC Rules for Multimodal Transport Documents")
	f.Say(150, 18.4, 7, "", "No.")
	f.Fill(157, 18, 40, 9, f.Number("hbl_number", ref(f.R, "LB-HAM/######")))
	f.Frame(18, 36, 88, 24)
	stack(f, 19.5, 37, 84, 7, "Consigned to order of", f.Party("consignee", s.Buyer, 4)...)
	f.Frame(18, 60, 88, 24)
	stack(f, 19.5, 61, 84, 7, "Notify address", f.Party("notify_party", s.Notify, 4)...)
	f.Lines(110, 44, 10, "B", s.Forward.Name)
	f.Lines(110, 49, 8, "", s.Forward.Address...)
	f.Frame(62, 84, 44, 10)
	stack(f, 63.5, 85, 40, 7, "Place of receipt", at(f, "place_of_receipt", s.Receipt, plain))
	f.Frame(18, 94, 44, 10)
	stack(f, 19.5, 95, 40, 7, "Ocean vessel", f.Text("vessel", s.Ship.Name))
	f.Frame(62, 94, 44, 10)
	stack(f, 63.5, 95, 40, 7, "Port of loading", at(f, "port_of_lading", s.Lading, plain))
	f.Frame(18, 104, 44, 10)
	stack(f, 19.5, 105, 40, 7, "Port of discharge", at(f, "port_of_discharge", s.Unlading, plain))
	f.Frame(62, 104, 44, 10)
	stack(f, 63.5, 105, 40, 7, "Place of delivery", at(f, "place_of_delivery", s.Delivery, plain))
	for i, title := range []string{"Marks and numbers", "Number and kind of packages", "Description of goods", "Gross weight", "Measurement"} {
		f.Say([]float64{18, 52, 94, 152, 176}[i], 116, 7, "", title)
	}
	y := 123.0
	f.Fill(18, y, 32, 8.5, ref(f.R, "L&B ##-###"))
	f.Fill(52, y, 40, 8.5, fmt.Sprint(s.Packages(), " Kartons"))
	f.Prose(94, y, 55, 8.5, f.Text("description", goods(f, ", ", false)))
	f.Fill(152, y, 23, 8.5, kg(f, s.Gross()))
	f.Fill(176, y, 24, 8.5, m3(f, s.Volume()))
	y = 150
	for _, b := range s.Containers {
		row := f.Row("containers")
		f.Fill(18, y, 32, 8.5, row.Container("number", b.Number))
		f.Fill(52, y, 98, 8.5, row.Size("size_type", b.Size)+" Siegel "+row.Number("seal", b.Seal)+"  "+row.Count("packages", b.Packages)+" Ktn.")
		f.Fill(152, y, 23, 8.5, row.Mass("gross_weight", b.Gross))
		f.Fill(176, y, 24, 8.5, row.Volume("volume", b.Volume))
		y += 5
	}
	f.Centre(108, 200, 7, "", "according to the declaration of the consignor")
	f.Rule(18, 204, 200, 204)
	f.Paragraph(18, 206, 182, 6, "The goods and instructions are accepted and dealt with subject to the Standard Conditions printed overleaf. Taken in charge in apparent good order and condition, unless otherwise noted herein, at the place of receipt for transport and delivery as mentioned above. One of these Multimodal Transport Bills of Lading must be surrendered duly endorsed in exchange for the goods.")
	f.Frame(18, 226, 58, 12)
	stack(f, 19.5, 227, 55, 7, "Freight amount", terms(f, "freight prepaid", "freight collect"))
	f.Frame(76, 226, 58, 12)
	stack(f, 77.5, 227, 55, 7, "Freight payable at", payable(f, "Hamburg", "destination"))
	f.Frame(134, 226, 66, 12)
	stack(f, 135.5, 227, 62, 7, "Place and date of issue", at(f, "issue_place", s.Lading, plain)+", "+f.Day("issue_date", s.Sailed))
	f.Frame(18, 238, 58, 12)
	f.Say(19.5, 239, 7, "", "Cargo insurance through the undersigned")
	f.Fill(19.5, 243, 50, 8, "[X] not covered  [ ] covered")
	f.Frame(76, 238, 58, 12)
	stack(f, 77.5, 239, 55, 7, "Number of Original FBL's", originals(f, 2))
	f.Frame(134, 238, 66, 28)
	f.Say(135.5, 239, 7, "", "Stamp and signature")
	f.Frame(18, 250, 116, 16)
	f.Say(19.5, 251, 7, "", "For delivery of goods please apply to:")
	f.Fill(19.5, 255, 110, 8, s.Agent.Name+", "+s.Agent.Address[0])
}

// hblCommon is a consolidator's own paper on Letter, with its numbers down the right.
func hblCommon(f *form.Form) {
	recast(f, plan{way: "us", boxes: 2, lines: 3})
	habits(f, form.Pick(f, "Jan 2, 2006", "02-JAN-2006"), ",", ".", 1, 0, form.Pick(f, 0, 4))
	f.Style.Day = strings.Replace(f.Style.Day, "JAN", "Jan", 1)
	f.Style.Upper = true
	f.Font, f.ValueFont = form.Pick(f, form.Sans, form.Serif), form.Pick(f, form.Mono, form.Typed)
	s := f.S
	f.Page("Letter")
	f.Centre(108, 8, 14, "B", strings.ToUpper(s.Forward.Name))
	f.Centre(108, 14, 7, "", strings.Join(s.Forward.Address, ", ")+"   OTI License "+ref(f.R, "#####N"))
	f.Centre(108, 18, 9, "B", "COMBINED TRANSPORT BILL OF LADING")
	y := 26.0
	for _, one := range []cell{c("EXPORTER / SHIPPER", party(f, "shipper", s.Shipper)...), c("CONSIGNED TO", party(f, "consignee", s.Buyer)...), c("NOTIFY PARTY / INTERMEDIATE CONSIGNEE", party(f, "notify_party", s.Notify)...)} {
		y = strip(f, 10, y, 24, 5.5, []float64{112}, one)
	}
	r := 26.0
	right := func(caption, value string) {
		f.Frame(122, r, 84, 9)
		f.Say(123.5, r+3, 6.5, "B", caption)
		f.Fill(160, r+2.8, 44, 9, value)
		r += 9
	}
	right("HOUSE B/L NO.", f.Number("hbl_number", ref(f.R, "@@@-########")))
	right("MASTER B/L NO.", f.Number("bl_number", ref(f.R, "@@@@#########")))
	right("SCAC CODE", f.Number("scac", ref(f.R, "@@@@")))
	right("BOOKING REF.", f.Number("booking_number", ref(f.R, "@@@#######")))
	right("SHIPPER'S REF.", ref(f.R, "#####/@@"))
	right("AES / ITN", ref(f.R, "N/A ###"))
	right("NO. OF ORIGINALS", originals(f, 0))
	right("FREIGHT", terms(f, "PREPAID", "COLLECT"))
	three := []float64{65.3, 65.3, 65.4}
	y = strip(f, 10, y, 9.5, 5.5, three, c("PLACE OF RECEIPT BY PRE-CARRIER", at(f, "place_of_receipt", s.Receipt, codeend)), c("PORT OF LOADING / EXPORT", at(f, "port_of_lading", s.Lading, codeend)), c("EXPORTING CARRIER (VESSEL)", f.Text("vessel", s.Ship.Name)))
	y = strip(f, 10, y, 9.5, 5.5, three, c("FOREIGN PORT OF UNLOADING", at(f, "port_of_discharge", s.Unlading, codeend)), c("PLACE OF DELIVERY BY ON-CARRIER", at(f, "place_of_delivery", s.Delivery, codeend)), c("VOYAGE", f.Number("voyage", s.Voyage)))
	columns := []form.Column{{Title: "CONTAINER NO.\nSEAL NO.", Width: 38}, {Title: "TYPE", Width: 15}, {Title: "PKGS", Width: 18}, {Title: "DESCRIPTION OF COMMODITIES", Width: 69}, {Title: "GROSS WT\n(KGS)", Width: 28, Right: true}, {Title: "MEASURE\n(CBM)", Width: 28, Right: true}}
	words := goods(f, ", ", true)
	f.Text("description", words)
	var rows [][]string
	for i, b := range s.Containers {
		row := f.Row("containers")
		if i > 0 {
			words = "DITTO"
		}
		rows = append(rows, []string{row.Container("number", b.Number) + " " + row.Number("seal", b.Seal), row.Size("size_type", b.Size), row.Count("packages", b.Packages) + " CTN", words, row.BareMass("gross_weight", b.Gross), row.BareVolume("volume", b.Volume)})
	}
	f.Table(10, y, 8, true, columns, rows)
	f.Frame(10, 215, 196, 16)
	f.Paragraph(12, 216, 190, 6, "Carrier has a policy against payment, solicitation or receipt of any rebate. Received in apparent good order by the carrier named above for carriage between the port of loading and the port of discharge.")
	under(f, 12, 240, 50, "LADEN ON BOARD DATE", f.Day("on_board_date", s.Sailed))
	under(f, 80, 240, 50, "PLACE OF ISSUE", at(f, "issue_place", s.Lading, capital))
	under(f, 148, 240, 50, "DATED", f.Day("issue_date", s.Sailed.AddDate(0, 0, f.R.IntN(3))))
	f.Say(12, 256, 7, "", "FOR DELIVERY APPLY TO: "+s.Agent.Name)
	f.Say(120, 262, 7, "B", "AS CARRIER: "+strings.ToUpper(s.Forward.Name))
}

// hblText is a print of a forwarder's system: one typewriter face, captions with dots.
func hblText(f *form.Form) {
	recast(f, plan{way: "eu", boxes: 3, lines: 3})
	habits(f, form.Pick(f, "02-Jan-06", "2006/01/02"), "", ".", 2, 0, 0)
	f.Style.Upper = true
	f.Font = form.Pick(f, form.Typed, form.Mono)
	f.ValueFont = f.Font
	s := f.S
	f.Page("A4")
	y := 14.0
	say := func(line string) {
		f.Say(14, y, 9, "", line)
		y += 4.2
	}
	dots := func(caption, value string) {
		f.Say(14, y, 9, "", caption+strings.Repeat(".", max(1, 24-len(caption)))+":")
		f.Fill(66, y, 130, 9, value)
		y += 4.2
	}
	block := func(caption string, lines []string) {
		dots(caption, lines[0])
		for _, line := range lines[1:] {
			f.Fill(66, y, 130, 9, line)
			y += 4.2
		}
		y += 2
	}
	say(strings.ToUpper(s.Forward.Name))
	say("HOUSE BILL OF LADING" + strings.Repeat(" ", 20) + "PAGE 1")
	say(strings.Repeat("=", 78))
	dots("HBL NUMBER", f.Number("hbl_number", ref(f.R, "SZX#######")))
	dots("MBL NUMBER", f.Number("bl_number", ref(f.R, "@@@@@@#######")))
	dots("ISSUED AT / ON", at(f, "issue_place", s.Lading, capital)+" / "+f.Day("issue_date", s.Sailed))
	y += 3
	block("SHIPPER", party(f, "shipper", s.Shipper))
	block("CONSIGNEE", party(f, "consignee", s.Buyer))
	f.Party("notify_party", upper(s.Buyer), 1)
	block("NOTIFY", []string{upper(s.Buyer).Name})
	dots("VESSEL/VOYAGE", f.Text("vessel", s.Ship.Name)+" / "+f.Number("voyage", s.Voyage))
	dots("IMO NO", f.Number("vessel_imo", s.Ship.IMO))
	dots("LOADPORT", at(f, "port_of_lading", s.Lading, both))
	dots("DISCHARGE PORT", at(f, "port_of_discharge", s.Unlading, both))
	dots("FINAL DESTINATION", at(f, "place_of_delivery", s.Delivery, both))
	dots("SHIPPED ON BOARD", f.Day("on_board_date", s.Sailed))
	dots("FREIGHT", terms(f, "PREPAID", "COLLECT"))
	dots("ORIGINAL B/LS", originals(f, 1))
	y += 3
	say(strings.Repeat("-", 78))
	f.Say(14, y, 9, "", "CONTAINER")
	for i, title := range []string{"SEAL", "TYPE", "CTNS", "KILOS", "CBM"} {
		f.Say([]float64{48, 80, 100, 122, 152}[i], y, 9, "", title)
	}
	y += 5
	for _, b := range s.Containers {
		row := f.Row("containers")
		f.Fill(14, y, 32, 9, row.Container("number", b.Number))
		f.Fill(48, y, 30, 9, row.Number("seal", b.Seal))
		f.Fill(80, y, 18, 9, row.Size("size_type", b.Size))
		f.Fill(100, y, 18, 9, row.Count("packages", b.Packages))
		f.Fill(122, y, 28, 9, row.BareMass("gross_weight", b.Gross))
		f.Fill(152, y, 28, 9, row.BareVolume("volume", b.Volume))
		y += 4.4
	}
	say(strings.Repeat("-", 78))
	say("DESCRIPTION OF GOODS")
	y = f.Prose(20, y, 150, 9, f.Text("description", goods(f, " / ", true)))
	y += 4
	say("SHIPPERS LOAD AND COUNT. DELIVERY AGENT: " + strings.ToUpper(s.Agent.Name))
	say("*** END OF DOCUMENT ***")
}

// hblTransit is a French forwarder's, with captions in two languages at the left of
// what is filled in on dotted lines.
func hblTransit(f *form.Form) {
	recast(f, plan{way: "fr", boxes: 2, lines: 2, whole: true})
	habits(f, "02/01/2006", " ", ",", 1, 1, 0)
	f.Style.Kilo, f.Style.Cubic = "kg", "m3"
	f.Font, f.ValueFont = form.Pick(f, form.Go, form.Sans), form.Pick(f, form.Go, form.Serif)
	s := f.S
	f.Page("A4")
	f.Badge(15, 10, 14, 14)
	f.Say(33, 11, 12, "B", s.Forward.Name)
	f.Say(33, 17, 7.5, "", strings.Join(s.Forward.Address, " - ")+" - Commissionnaire de transport")
	f.Say(15, 30, 11, "B", "CONNAISSEMENT DE TRANSPORT COMBINÉ")
	f.Say(15, 35.5, 9, "I", "Combined Transport House Bill of Lading")
	f.Say(130, 30, 8, "", "N° du connaissement / HBL no.")
	f.Fill(130, 35, 60, 11, f.Number("hbl_number", ref(f.R, "TRM/@@/26-####")))
	y := 46.0
	side := func(french, english string, lines ...string) {
		f.Say(15, y, 8, "B", french)
		f.Say(15, y+3.6, 7, "I", english)
		for _, line := range lines {
			f.Fill(62, y, 130, 9, line)
			y += 4.2
		}
		y += max(0, 8.4-4.2*float64(len(lines)))
		f.Rule(62, y-0.6, 195, y-0.6)
		y += 1.6
	}
	side("Expéditeur", "Shipper", f.Party("shipper", s.Shipper, 5)...)
	side("Destinataire", "Consignee", f.Party("consignee", s.Buyer, 5)...)
	side("Partie à aviser", "Notify party", f.Party("notify_party", s.Notify, 5)...)
	side("Navire / Voyage", "Vessel / Voyage", f.Text("vessel", s.Ship.Name)+" / "+f.Number("voyage", s.Voyage))
	side("Port d'embarquement", "Port of loading", at(f, "port_of_lading", s.Lading, country))
	side("Port de déchargement", "Port of discharge", at(f, "port_of_discharge", s.Unlading, country))
	side("Lieu de livraison", "Place of delivery", at(f, "place_of_delivery", s.Delivery, country))
	side("Désignation des marchandises", "Description of goods", f.Text("description", goods(f, ", ", false)))
	side("Fret", "Freight", terms(f, "Port payé / prepaid", "Port dû / collect"))
	side("Nombre d'originaux", "Number of originals", originals(f, 0))
	columns := []form.Column{{Title: "Conteneur\nContainer", Width: 42}, {Title: "Plomb\nSeal", Width: 34}, {Title: "Colis\nPackages", Width: 24, Right: true}, {Title: "Poids brut kg\nGross weight", Width: 40, Right: true}, {Title: "Cubage m3\nMeasurement", Width: 40, Right: true}}
	var rows [][]string
	for _, b := range s.Containers {
		row := f.Row("containers")
		rows = append(rows, []string{row.Container("number", b.Number), row.Number("seal", b.Seal), row.Count("packages", b.Packages), row.BareMass("gross_weight", b.Gross), row.BareVolume("volume", b.Volume)})
	}
	y = f.Table(15, y+3, 9, false, columns, rows)
	f.Say(15, y+10, 8.5, "", "Chargé à bord le / Shipped on board (jj/mm/aaaa):")
	f.Fill(92, y+10, 50, 9, f.Day("on_board_date", s.Sailed))
	f.Say(15, y+16, 8.5, "", "Fait à / Issued at")
	f.Fill(44, y+16, 40, 9, at(f, "issue_place", s.Lading, plain))
	f.Say(92, y+16, 8.5, "", "le / on")
	f.Fill(106, y+16, 40, 9, f.Day("issue_date", s.Sailed.AddDate(0, 0, 1)))
	f.Paragraph(15, y+24, 180, 6.5, "Pris en charge en apparent bon état aux conditions générales figurant au verso. Received in apparent good order, subject to the conditions overleaf.")
}

var houseBills = []form.Layout{
	{Name: "hbl-federation", Type: "house_bill_of_lading", Copies: 2, Draw: hblFederation},
	{Name: "hbl-common", Type: "house_bill_of_lading", Copies: 2, Draw: hblCommon},
	{Name: "hbl-text", Type: "house_bill_of_lading", Copies: 3, Draw: hblText},
	{Name: "hbl-transit", Type: "house_bill_of_lading", Copies: 2, Draw: hblTransit},
}
