package fresh

import (
	"fmt"
	"strings"

	"github.com/landfallhq/tracking/classify/corpus/form"
)

// charge is what is to be paid at the port of discharge, in cents.
type charge struct {
	words string
	cents int
}

// charges draws two to four of a list, each once.
func charges(f *form.Form, words ...string) (all []charge, sum int) {
	for _, i := range f.R.Perm(len(words))[:2+f.R.IntN(min(3, len(words)-1))] {
		one := charge{words[i], 100*(25+f.R.IntN(900)) + f.R.IntN(2)*50}
		all, sum = append(all, one), sum+one.cents
	}
	return all, sum
}

// anUnder is an agency's notice in the United States: what is filled in stands on
// rules, with the captions below.
func anUnder(f *form.Form) {
	recast(f, plan{way: "us", boxes: 3, lines: 2})
	habits(f, form.Pick(f, "01/02/2006", "02-Jan-2006"), ",", ".", 0, 0, 0)
	f.Font, f.ValueFont = form.Pick(f, form.Sans, form.Serif), form.Pick(f, form.Typed, form.Sans)
	recastWhole(f)
	s := f.S
	f.Page("Letter")
	f.Say(14, 10, 12, "B", s.Agent.Name)
	f.Lines(14, 15.5, 7.5, "", append(s.Agent.Address, "Import Department")...)
	f.Right(202, 10, 14, "B", "NOTICE OF ARRIVAL")
	f.Right(202, 16, 7, "", "as agents for "+strings.ToUpper(s.Line.Name))
	f.SCAC(s.Line)
	if strings.Contains(f.Style.Day, "/") {
		f.Right(202, 20, 6.5, "I", "all dates MM/DD/YYYY")
	}
	two := func(y float64, captions [2]string, a, b []string) float64 {
		for i, x := range []float64{14, 112} {
			top := y
			for _, line := range [][]string{a, b}[i] {
				f.Fill(x, top, 88, 9, line)
				top += 3.9
			}
			f.Rule(x, y+20, x+90, y+20)
			f.Say(x, y+20.8, 5.5, "", captions[i])
		}
		return y + 26
	}
	y := two(28, [2]string{"CONSIGNEE", "NOTIFY PARTY"}, party(f, "consignee", s.Buyer), party(f, "notify_party", s.Notify))
	trio := func(a, av, b, bv, c, cv string) {
		under(f, 14, y, 58, a, av)
		under(f, 78, y, 58, b, bv)
		under(f, 142, y, 60, c, cv)
		y += 11
	}
	trio("NOTICE NUMBER", f.Number("notice_number", ref(f.R, "NOA-######")), "NOTICE DATE", f.Day("issue_date", s.Noticed), "BILL OF LADING", f.Number("bl_number", ref(f.R, s.Line.SCAC+"@@@######")))
	trio("VESSEL", f.Text("vessel", s.Ship.Name), "VOYAGE", f.Number("voyage", s.Voyage), "LLOYD'S / IMO", f.Number("vessel_imo", s.Ship.IMO))
	trio("LOAD PORT", at(f, "port_of_lading", s.Lading, both), "DISCHARGE PORT", at(f, "port_of_discharge", s.Unlading, both), "DELIVERY PLACE", at(f, "place_of_delivery", s.Delivery, both))
	trio("ETA AT DISCHARGE PORT", f.Day("eta", s.Arrives), "DISCHARGE TERMINAL", f.Text("terminal", strings.ToUpper(s.Terminal.Name)), "FIRMS", f.Number("firms_code", s.Terminal.FIRMS))
	trio("IT NUMBER", f.Number("it_number", ref(f.R, "V#########")), "IT ISSUED", f.Day("it_date", s.Arrives), "GENERAL ORDER DATE", f.Day("go_date", s.GeneralOrder))
	trio("LAST FREE DAY", f.Day("last_free_day", s.FreeUntil), "PICK UP NUMBER", f.Number("pickup_number", ref(f.R, "@@-#####")), "SERVICE", "CY/CY")
	columns := []form.Column{{Title: "Container", Width: 36}, {Title: "Size", Width: 18}, {Title: "Seal", Width: 34}, {Title: "Pieces", Width: 24, Right: true}, {Title: "Weight KG", Width: 34, Right: true}, {Title: "Cube M3", Width: 34, Right: true}}
	var rows [][]string
	for _, b := range s.Containers {
		row := f.Row("containers")
		rows = append(rows, []string{row.Container("number", b.Number), row.Size("size_type", b.Size), row.Number("seal", b.Seal), row.Count("packages", b.Packages), row.BareMass("gross_weight", b.Gross), row.BareVolume("volume", b.Volume)})
	}
	y = f.Table(14, y+2, 8.5, false, columns, rows) + 4
	f.Say(14, y, 7.5, "B", "SAID TO CONTAIN")
	y = f.Prose(50, y, 145, 8.5, goods(f, ", ", true)) + 4
	f.Paragraph(14, y, 185, 7, "Freight and all charges must be settled, and original documents surrendered where required, before cargo will be released. Verify availability with the terminal before dispatching your trucker. This notice is a courtesy; the carrier is not liable for failure to give it.")
}

// recastWhole makes all masses whole kilograms.
func recastWhole(f *form.Form) {
	for i := range f.S.Containers {
		f.S.Containers[i].Gross = float64(int(f.S.Containers[i].Gross + 0.5))
	}
}

// anInvoice is a consolidator's notice that is an invoice of its charges as well.
func anInvoice(f *form.Form) {
	recast(f, plan{way: "us", boxes: 2, lines: 2})
	habits(f, form.Pick(f, "Jan-02-2006", "02 Jan 2006"), ",", ".", 2, 0, form.Pick(f, 1, 4))
	f.Font = form.Pick(f, form.Go, form.Sans)
	f.ValueFont = f.Font
	s := f.S
	f.Page("Letter")
	f.Badge(12, 9, 22, 10)
	f.Say(38, 10, 11, "B", "Meridew Consolidators LLC")
	f.Say(38, 15, 7, "", "One Anchor Square, Suite 1100, Elizabeth, NJ 07201   T 908 555 0117")
	f.Shade(12, 22, 192, 7, 205)
	f.Centre(108, 23.6, 12, "B", "ARRIVAL NOTICE / FREIGHT INVOICE")
	l, r := 33.0, 33.0
	left := func(caption string, lines ...string) {
		l = beside(f, 12, l, 30, 100, 8.5, "B", caption, lines...)
	}
	right := func(caption string, line string) { r = beside(f, 120, r, 36, 84, 8.5, "B", caption, line) }
	left("CONSIGNEE", f.Party("consignee", s.Buyer, 5)...)
	l += 3
	left("NOTIFY", f.Party("notify_party", s.Notify, 5)...)
	l += 3
	left("SHIPPER", s.Shipper.Name)
	right("OUR FILE NO.", ref(f.R, "SI-######"))
	right("NOTICE DATE", f.Day("issue_date", s.Noticed))
	right("HOUSE B/L", f.Number("hbl_number", ref(f.R, "MRDW@@@######")))
	right("MASTER B/L", f.Number("bl_number", ref(f.R, s.Line.SCAC+"#########")))
	right("CARRIER", s.Line.Name)
	f.SCAC(s.Line)
	right("AMS B/L", f.Number("ams_number", ref(f.R, "MRDW########")))
	right("VESSEL", f.Text("vessel", s.Ship.Name))
	right("VOYAGE", f.Number("voyage", s.Voyage))
	right("PORT OF LOADING", at(f, "port_of_lading", s.Lading, country))
	right("PORT OF DISCHARGE", at(f, "port_of_discharge", s.Unlading, country))
	right("ETA", f.Day("eta", s.Arrives))
	right("FINAL DEST.", at(f, "place_of_delivery", s.Delivery, country))
	y := max(l, r) + 2
	f.Rule(12, y, 204, y)
	y = beside(f, 12, y+2, 40, 190, 8.5, "B", "FREIGHT LOCATION", f.Text("terminal", s.Terminal.Name)+"   FIRMS "+f.Number("firms_code", s.Terminal.FIRMS))
	y = beside(f, 12, y, 40, 110, 8.5, "B", "LAST FREE DAY", f.Day("last_free_day", s.FreeUntil))
	y = beside(f, 12, y, 40, 110, 8.5, "B", "G.O. DATE", f.Day("go_date", s.GeneralOrder))
	columns := []form.Column{{Title: "Container / Seal", Width: 62}, {Title: "Size", Width: 22}, {Title: "Pkgs", Width: 26}, {Title: "Weight", Width: 40}, {Title: "Volume", Width: 42}}
	var rows [][]string
	for _, b := range s.Containers {
		row := f.Row("containers")
		rows = append(rows, []string{row.Container("number", b.Number) + " / " + row.Number("seal", b.Seal), row.Size("size_type", b.Size), row.Count("packages", b.Packages) + " CTN", row.Mass("gross_weight", b.Gross), row.Volume("volume", b.Volume)})
	}
	y = f.Table(12, y+2, 8.5, true, columns, rows) + 3
	f.Say(12, y, 8, "B", "Description:")
	y = f.Prose(36, y, 160, 8.5, goods(f, ", ", false)) + 4
	all, sum := charges(f, "Ocean freight", "Destination handling", "ISF filing fee", "Chassis usage", "CFS/THC recovery", "Document transfer", "Pier pass")
	rows = nil
	for _, one := range all {
		row := f.Row("charges")
		rows = append(rows, []string{row.Text("description", one.words), form.Pick(f, "1.00", "1"), row.Money("amount", "USD", one.cents)})
	}
	rows = append(rows, []string{"TOTAL DUE", "", f.Money("", "USD", sum)})
	y = f.Table(12, y, 8.5, true, []form.Column{{Title: "Charge", Width: 100}, {Title: "Qty", Width: 40}, {Title: "Amount (USD)", Width: 52, Right: true}}, rows)
	f.Paragraph(12, y+5, 190, 7, "Make checks payable to Meridew Consolidators LLC. Cargo is released against payment in full and, where the bill is negotiable, one original duly endorsed.")
}

// anMail is a notice sent as an electronic letter, printed to a file.
func anMail(f *form.Form) {
	recast(f, plan{way: "eu", boxes: 2, lines: 1})
	habits(f, form.Pick(f, "2 Jan 2006", "02-Jan-2006"), ",", ".", 1, 0, 4)
	f.Style.Kilo, f.Style.Cubic = "kg", "m3"
	f.Font = form.Pick(f, form.Sans, form.Serif)
	f.ValueFont = f.Font
	s := f.S
	f.Page("A4")
	number := f.Number("bl_number", ref(f.R, s.Line.SCAC+"@@@@######"))
	f.SCAC(s.Line)
	f.Say(18, 14, 11, "B", "Import desk "+s.Agent.Name)
	f.Rule(18, 20, 192, 20)
	f.Text("vessel", s.Ship.Name)
	y := 23.0
	for _, one := range [][2]string{{"From:", "Import desk <import@example.com>"}, {"Sent:", f.Day("issue_date", s.Noticed)}, {"To:", s.Buyer.Name}, {"Subject:", "Arrival notice - m/v " + s.Ship.Name + " - B/L " + number}} {
		f.Say(18, y, 9.5, "B", one[0])
		f.Fill(40, y, 150, 9.5, one[1])
		y += 5
	}
	y += 6
	para := func(words string) { y = f.Paragraph(18, y, 172, 10, words) + 3 }
	para("Dear Sirs,")
	para("Please be advised that the following shipment carried by " + s.Line.Name + " is due to arrive. Kindly arrange customs clearance and collection in good time.")
	item := func(caption, value string) {
		f.Say(22, y, 10, "", "- "+caption+": ")
		f.Fill(70, y, 120, 10, value)
		y += 5
	}
	item("Vessel and voyage", s.Ship.Name+" / "+f.Number("voyage", s.Voyage))
	item("Bill of lading", number)
	item("Loaded at", at(f, "port_of_lading", s.Lading, country))
	item("Discharging at", at(f, "port_of_discharge", s.Unlading, country))
	item("Expected arrival", f.Day("eta", s.Arrives))
	item("Terminal", f.Text("terminal", s.Terminal.Name))
	item("Consignee", strings.Join(f.Party("consignee", s.Buyer, 5), ", "))
	item("Free time ends", f.Day("last_free_day", s.FreeUntil))
	item("Release reference", f.Number("pickup_number", ref(f.R, "R@@#####")))
	y += 3
	para("Containers:")
	for _, b := range s.Containers {
		row := f.Row("containers")
		f.Fill(22, y, 165, 10, row.Container("number", b.Number)+", "+row.Size("size_type", b.Size)+", seal "+row.Number("seal", b.Seal)+", "+row.Count("packages", b.Packages)+" ctns, "+row.Mass("gross_weight", b.Gross)+", "+row.Volume("volume", b.Volume))
		y += 5
	}
	y += 3
	all, sum := charges(f, "Terminal handling", "ISPS surcharge", "Delivery order fee", "Documentation", "Import service fee")
	para("Local charges to be settled before release:")
	for _, one := range all {
		row := f.Row("charges")
		f.Fill(22, y, 60, 10, row.Text("description", one.words))
		f.FillRight(120, y, 40, 10, "EUR "+row.Money("amount", "EUR", one.cents))
		y += 5
	}
	f.Fill(22, y, 60, 10, "Total")
	f.FillRight(120, y, 40, 10, "EUR "+f.Money("", "EUR", sum))
	y += 10
	para("Kind regards,")
	f.Lines(18, y, 9, "", append([]string{s.Agent.Name}, s.Agent.Address...)...)
	f.Say(18, 283, 6.5, "I", "This message is confidential. All business subject to our standard trading terms.")
}

// anAvis is a German broker's, in two languages, with its values in a ruled ladder.
func anAvis(f *form.Form) {
	recast(f, plan{way: "de", boxes: 4, lines: 2, whole: true})
	habits(f, form.Pick(f, "02.01.2006", "02.01.06"), ".", ",", 1, form.Pick(f, 0, 3), 0)
	f.Style.Kilo, f.Style.Cubic = "kg", "cbm"
	f.Font, f.ValueFont = form.Pick(f, form.Sans, form.Go), form.Pick(f, form.Typed, form.Sans)
	s := f.S
	f.Page("A4")
	f.Right(196, 10, 12, "B", s.Agent.Name)
	f.Right(196, 15.5, 7.5, "", strings.Join(s.Agent.Address, ", "))
	f.Say(18, 26, 6, "", "Empfänger / Consignee")
	for i, line := range f.Party("consignee", s.Buyer, 5) {
		f.Fill(18, 30+4.2*float64(i), 85, 9.5, line)
	}
	f.Say(120, 26, 15, "B", "ANKUNFTSAVIS")
	f.Say(120, 33, 10, "", "Arrival Notice")
	f.Label(120, 40, 30, 76, 8.5, "", "Avis-Nr. / No.", f.Number("notice_number", ref(f.R, "A-26/#####")))
	f.Label(120, 45, 30, 76, 8.5, "", "Datum / Date", f.Day("issue_date", s.Noticed))
	y := 58.0
	step := func(german, english, value string) {
		f.Frame(18, y, 178, 7)
		f.Rule(84, y, 84, y+7)
		f.Say(20, y+2, 8, "B", german)
		f.Say(58, y+2.2, 6.5, "I", english)
		f.Fill(87, y+1.9, 106, 9, value)
		y += 7
	}
	step("Reederei", "Carrier", s.Line.Name)
	f.SCAC(s.Line)
	step("Schiff", "Vessel", f.Text("vessel", s.Ship.Name))
	step("Reise-Nr.", "Voyage", f.Number("voyage", s.Voyage))
	step("Konnossement-Nr.", "B/L no.", f.Number("bl_number", ref(f.R, s.Line.SCAC+"########")))
	step("Ladehafen", "Port of loading", at(f, "port_of_lading", s.Lading, country))
	step("Löschhafen", "Port of discharge", at(f, "port_of_discharge", s.Unlading, country))
	step("Bestimmungsort", "Destination", at(f, "place_of_delivery", s.Delivery, country))
	step("Vorauss. Ankunft", "ETA", f.Day("eta", s.Arrives))
	step("Löschterminal", "Terminal", f.Text("terminal", s.Terminal.Name))
	step("Lagergeldfrei bis", "Storage-free until", f.Day("last_free_day", s.FreeUntil))
	step("Meldeadresse", "Notify", prose(f.Party("notify_party", s.Notify, 3)))
	columns := []form.Column{{Title: "Container", Width: 36}, {Title: "Typ", Width: 18}, {Title: "Siegel", Width: 34}, {Title: "Colli", Width: 24, Right: true}, {Title: "Brutto (kg)", Width: 34, Right: true}, {Title: "Volumen (cbm)", Width: 32, Right: true}}
	var rows [][]string
	for _, b := range s.Containers {
		row := f.Row("containers")
		rows = append(rows, []string{row.Container("number", b.Number), row.Size("size_type", b.Size), row.Number("seal", b.Seal), row.Count("packages", b.Packages), row.BareMass("gross_weight", b.Gross), row.BareVolume("volume", b.Volume)})
	}
	y = f.Table(18, y+4, 8.5, true, columns, rows) + 4
	f.Say(18, y, 8, "B", "Ware / Goods")
	y = f.Prose(46, y, 145, 8.5, goods(f, ", ", false)) + 4
	all, sum := charges(f, "THC Löschhafen", "ISPS", "Freistellungsgebühr", "Dokumentengebühr", "Containerumfuhr")
	f.Say(18, y, 8, "B", "Kosten / Charges (EUR)")
	y += 5
	for _, one := range all {
		row := f.Row("charges")
		f.Fill(22, y, 80, 8.5, row.Text("description", one.words))
		f.FillRight(130, y, 40, 8.5, row.Money("amount", "EUR", one.cents))
		y += 4.4
	}
	f.Rule(22, y, 130, y)
	f.Fill(22, y+1, 80, 8.5, "Summe / Total")
	f.FillRight(130, y+1, 40, 8.5, f.Money("", "EUR", sum))
	f.Paragraph(18, 272, 178, 6.5, fmt.Sprintf("Die Freistellung von %d Container(n) erfolgt nach Zahlung und Vorlage der Originaldokumente. Wir arbeiten ausschließlich auf Grundlage der ADSp in der jeweils gültigen Fassung.", len(s.Containers)))
}

var notices = []form.Layout{
	{Name: "an-under", Type: "arrival_notice", Copies: 2, Draw: anUnder},
	{Name: "an-invoice", Type: "arrival_notice", Copies: 3, Draw: anInvoice},
	{Name: "an-mail", Type: "arrival_notice", Copies: 2, Draw: anMail},
	{Name: "an-avis", Type: "arrival_notice", Copies: 2, Draw: anAvis},
}
