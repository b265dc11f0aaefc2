package fresh

import (
	"fmt"
	"strings"

	"github.com/landfallhq/tracking/classify/corpus/form"
)

// doBroker is an American customs broker's order, in the order in which such blanks
// have had their boxes since typewriters filled them.
func doBroker(f *form.Form) {
	recast(f, plan{way: "us", boxes: 3, lines: 2})
	habits(f, form.Pick(f, "01/02/06", "02-Jan-06"), ",", ".", 1, 0, 1)
	f.Font, f.ValueFont = form.Sans, form.Pick(f, form.Typed, form.Mono)
	s := f.S
	f.Page("Letter")
	f.Say(12, 9, 11, "B", strings.ToUpper(s.Notify.Name))
	f.Say(12, 14, 7.5, "", strings.Join(s.Notify.Address, ", "))
	f.Say(12, 20, 7, "I", "Dates are month/day/year")
	f.Right(204, 9, 16, "B", "DELIVERY ORDER")
	y := strip(f, 12, 26, 10, 6, []float64{48, 48, 48, 48}, c("OUR REF. NO.", ref(f.R, "I######")), c("DELIVERY ORDER NO.", f.Number("do_number", ref(f.R, "#####-##"))), c("DATE", f.Day("issue_date", s.Noticed)), c("ENTRY NO.", ref(f.R, "###-#######-#")))
	y = strip(f, 12, y, 11, 6, []float64{64, 64, 64}, c("IMPORTING CARRIER / VESSEL", f.Text("vessel", s.Ship.Name)), c("VOYAGE", f.Number("voyage", s.Voyage)), c("LOCATION OF MERCHANDISE", f.Text("terminal", strings.ToUpper(s.Terminal.Name)), ""))
	y = strip(f, 12, y, 11, 6, []float64{64, 64, 64}, c("B/L OR AWB NO.", f.Number("bl_number", ref(f.R, s.Line.SCAC+"#########"))), c("HOUSE BILL", f.Number("hbl_number", ref(f.R, "@@@@#######"))), c("FREE TIME EXPIRES", f.Day("last_free_day", s.FreeUntil)))
	y = strip(f, 12, y, 24, 6, []float64{96, 96}, c("LOCAL DELIVERY OR TRANSFER BY (DELIVERY ORDER ISSUED TO)", party(f, "trucker", s.Trucker)...), c("FOR DELIVERY TO", party(f, "deliver_to", s.Buyer)...))
	y = strip(f, 12, y, 10, 6, []float64{96, 96}, c("FIRMS CODE OF LOCATION", f.Number("firms_code", s.Terminal.FIRMS)), c("PICK-UP NO. / RELEASE", f.Number("pickup_number", ref(f.R, "PU#####"))))
	columns := []form.Column{{Title: "NO. OF PKGS", Width: 26, Right: true}, {Title: "DESCRIPTION OF ARTICLES, MARKS & CONTAINER NOS.", Width: 128}, {Title: "WEIGHT (LBS)", Width: 38, Right: true}}
	var rows [][]string
	for _, b := range s.Containers {
		row := f.Row("containers")
		rows = append(rows, []string{row.Count("packages", b.Packages), "CTNR " + row.Container("number", b.Number) + " " + row.Size("size_type", b.Size) + " SEAL " + row.Number("seal", b.Seal), row.BarePounds("gross_weight", b.Gross)})
	}
	rows = append(rows, []string{"", "STC: " + goods(f, ", ", true), ""})
	y = f.Table(12, y, 8.5, true, columns, rows)
	y = strip(f, 12, y+4, 16, 6, []float64{96, 96}, c("EMPTY RETURN TO", f.Text("empty_return", strings.ToUpper(s.Depot))), c("INLAND FREIGHT", "[X] PREPAID   [ ] COLLECT"))
	f.Paragraph(12, y+4, 190, 7, "CARRIER TO NOTIFY CONSIGNEE 24 HOURS BEFORE DELIVERY. IF FREE TIME IS ABOUT TO EXPIRE CALL US AT ONCE. PIER DEMURRAGE CAUSED BY LATE PICK UP WILL BE CHARGED BACK TO THE TRUCKMAN.")
	f.Say(120, 245, 7.5, "", "Received in good order by ______________________")
}

// doDispatch is a drayage dispatch sheet: captions with colons in two columns, stops
// in numbered blocks.
func doDispatch(f *form.Form) {
	recast(f, plan{way: "us", boxes: 2, lines: 1})
	habits(f, form.Pick(f, "Mon 02-Jan-2006", "Jan 2, 2006"), ",", ".", 0, 1, 0)
	f.Font = form.Pick(f, form.Go, form.Sans)
	f.ValueFont = f.Font
	recastWhole(f)
	s := f.S
	f.Page("Letter")
	f.Shade(0, 0, 216, 22, 70)
	f.Shade(0, 17, 216, 5, 230)
	f.Say(14, 24, 15, "B", "Delivery Order / Dispatch Instructions")
	f.Say(14, 31, 8, "", "Issued by "+s.Notify.Name+" | "+strings.Join(s.Notify.Address, ", "))
	y := 40.0
	duo := func(a, av, b, bv string) {
		f.Label(14, y, 34, 92, 9, "B", a+":", av)
		if b != "" {
			f.Label(112, y, 34, 92, 9, "B", b+":", bv)
		}
		y += 6
	}
	duo("D/O #", f.Number("do_number", ref(f.R, "DSP######")), "Issued", f.Day("issue_date", s.Noticed))
	duo("Master BL", f.Number("bl_number", ref(f.R, s.Line.SCAC+"@@#######")), "House BL", f.Number("hbl_number", ref(f.R, "@@@@/##/#####")))
	duo("Vessel", f.Text("vessel", s.Ship.Name), "Voyage", f.Number("voyage", s.Voyage))
	duo("Customer PO", ref(f.R, "45########"), "LFD", f.Day("last_free_day", s.FreeUntil))
	stop := func(title string, lines ...string) {
		f.Shade(14, y, 188, 6, 225)
		f.Say(16, y+1.5, 9, "B", title)
		y += 8
		for _, line := range lines {
			f.Fill(20, y, 180, 9.5, line)
			y += 4.4
		}
		y += 3
	}
	y += 2
	stop("Dispatch to (motor carrier)", f.Party("trucker", s.Trucker, 4)...)
	stop("Stop 1 - Pick up loaded at", f.Text("terminal", s.Terminal.Name))
	y -= 3
	f.Fill(20, y, 100, 9, "FIRMS: "+f.Number("firms_code", s.Terminal.FIRMS)+"     Pickup #: "+f.Number("pickup_number", ref(f.R, "######")))
	y += 8
	stop("Stop 2 - Deliver to", f.Party("deliver_to", s.Buyer, 5)...)
	stop("Stop 3 - Return empty to", f.Text("empty_return", s.Depot))
	columns := []form.Column{{Title: "Container #", Width: 44}, {Title: "Type", Width: 26}, {Title: "Seal #", Width: 40}, {Title: "Pieces", Width: 36, Right: true}, {Title: "Weight (kg)", Width: 42, Right: true}}
	var rows [][]string
	for _, b := range s.Containers {
		row := f.Row("containers")
		rows = append(rows, []string{row.Container("number", b.Number), row.Size("size_type", b.Size), row.Number("seal", b.Seal), row.Count("packages", b.Packages), row.BareMass("gross_weight", b.Gross)})
	}
	y = f.Table(14, y, 9, false, columns, rows) + 5
	f.Say(14, y, 9, "B", "Cargo:")
	y = f.Prose(34, y, 165, 9, goods(f, ", ", false)) + 4
	f.Say(14, y, 9, "B", "Notes:")
	f.Paragraph(34, y, 165, 9, "Appointment required. Driver must have TWIC. Call dispatch with any exception before leaving the terminal.")
}

// doRelease is a Dutch ship's agent's order to the terminal.
func doRelease(f *form.Form) {
	recast(f, plan{way: "nl", boxes: 3, lines: 2, whole: true})
	habits(f, "02-01-2006", ".", ",", 0, 3, 4)
	f.Style.Kilo = "kg"
	f.Font, f.ValueFont = form.Pick(f, form.Sans, form.Serif), form.Pick(f, form.Sans, form.Typed)
	s := f.S
	f.Page("A4")
	f.Say(20, 12, 13, "B", s.Agent.Name)
	f.Lines(20, 18, 8, "", s.Agent.Address...)
	f.Say(20, 34, 14, "B", "LAAT-VOLGEN / DELIVERY ORDER")
	f.Say(20, 41, 7.5, "I", "datum: dag-maand-jaar / dates: day-month-year")
	y := 50.0
	half := []float64{85, 85}
	y = strip(f, 20, y, 11, 7, half, c("Ordernummer / Order no.", f.Number("do_number", ref(f.R, "LV.####.####"))), c("Datum / Date", f.Day("issue_date", s.Noticed)))
	y = strip(f, 20, y, 11, 7, half, c("Zeeschip / Vessel", f.Text("vessel", s.Ship.Name)), c("Reis / Voyage", f.Number("voyage", s.Voyage)))
	y = strip(f, 20, y, 11, 7, half, c("Cognossement / B/L number", f.Number("bl_number", ref(f.R, s.Line.SCAC+"##########"))), c("Vrijstellingscode / PIN", f.Number("pickup_number", ref(f.R, "########"))))
	y = strip(f, 20, y, 11, 7, half, c("Aan terminal / To terminal", f.Text("terminal", s.Terminal.Name)), c("Opslagvrij t/m / Free until", f.Day("last_free_day", s.FreeUntil)))
	y = strip(f, 20, y, 25, 7, half, c("Gelieve te laten volgen aan / Please deliver to", f.Party("deliver_to", s.Buyer, 5)...), c("Af te halen door / Collected by (haulier)", f.Party("trucker", s.Trucker, 4)...))
	columns := []form.Column{{Title: "Container", Width: 40}, {Title: "Type", Width: 22}, {Title: "Zegel / Seal", Width: 42}, {Title: "Colli", Width: 26, Right: true}, {Title: "Bruto kg", Width: 20, Right: true}, {Title: "m3", Width: 20, Right: true}}
	var rows [][]string
	for _, b := range s.Containers {
		row := f.Row("containers")
		rows = append(rows, []string{row.Container("number", b.Number), row.Size("size_type", b.Size), row.Number("seal", b.Seal), row.Count("packages", b.Packages), row.BareMass("gross_weight", b.Gross), row.BareVolume("volume", b.Volume)})
	}
	y = f.Table(20, y+4, 8.5, true, columns, rows)
	y = strip(f, 20, y+4, 12, 7, []float64{170}, c("Leeg inleveren / Empty container to be returned to", f.Text("empty_return", s.Depot)))
	f.Paragraph(20, y+6, 170, 7, "Deze order is alleen geldig voor bovengenoemde containers. Douaneformaliteiten zijn voor rekening van de ontvanger. This order is valid only for the containers listed above; customs formalities are for account of the receiver.")
	f.Say(130, 262, 8, "", "Namens de rederij / for the carrier")
}

// doLetter is an Indian agent's order in the form of a letter to the freight station.
func doLetter(f *form.Form) {
	recast(f, plan{way: "in", boxes: 2, lines: 1})
	habits(f, form.Pick(f, "02-Jan-2006", "02 January 2006"), ",", ".", 3, 0, 0)
	f.Font = form.Pick(f, form.Serif, form.Go)
	f.ValueFont = f.Font
	s := f.S
	f.Page("A4")
	f.Centre(105, 12, 14, "B", strings.ToUpper(s.Agent.Name))
	f.Centre(105, 18.5, 8, "", strings.Join(s.Agent.Address, ", "))
	f.Rule(15, 24, 195, 24)
	f.Centre(105, 28, 12, "B", "DELIVERY ORDER")
	f.Say(15, 38, 10, "", "D.O. No.: ")
	f.Fill(36, 38, 60, 10, f.Number("do_number", ref(f.R, "CHN/IMP/####/26-27")))
	f.Say(140, 38, 10, "", "Date: ")
	f.Fill(152, 38, 45, 10, f.Day("issue_date", s.Arrives.AddDate(0, 0, 1)))
	f.Lines(15, 48, 10, "", "To", "The Manager,")
	f.Fill(15, 57.4, 120, 10, f.Text("terminal", s.Terminal.Name))
	f.Say(15, 66, 10, "", "Dear Sir,")
	y := f.Paragraph(15, 74, 180, 10, "Please deliver the undermentioned goods, discharged from the vessel named below, to the order of:") + 2
	for _, line := range f.Party("deliver_to", s.Buyer, 5) {
		f.Fill(30, y, 150, 10, line)
		y += 4.6
	}
	y += 4
	pair := func(a, av string) {
		f.Say(15, y, 10, "", a)
		f.Say(58, y, 10, "", ":")
		f.Fill(62, y, 120, 10, av)
		y += 5.4
	}
	pair("Vessel / Voy", f.Text("vessel", s.Ship.Name)+" / "+f.Number("voyage", s.Voyage))
	pair("IGM No. / Item No.", ref(f.R, "#######")+" / "+ref(f.R, "###"))
	pair("B/L No.", f.Number("bl_number", ref(f.R, s.Line.SCAC+"@@@#######")))
	pair("HBL No.", f.Number("hbl_number", ref(f.R, "@@@/###/#####")))
	pair("Port of Loading", city(s.Lading))
	pair("Description", goods(f, ", ", false))
	pair("Free days expire on", f.Day("last_free_day", s.FreeUntil))
	y += 3
	columns := []form.Column{{Title: "Container No.", Width: 40}, {Title: "Size", Width: 20}, {Title: "Seal No.", Width: 36}, {Title: "Pkgs", Width: 24, Right: true}, {Title: "Gross Wt. (Kgs)", Width: 34, Right: true}, {Title: "CBM", Width: 26, Right: true}}
	var rows [][]string
	for _, b := range s.Containers {
		row := f.Row("containers")
		rows = append(rows, []string{row.Container("number", b.Number), row.Size("size_type", b.Size), row.Number("seal", b.Seal), row.Count("packages", b.Packages), row.BareMass("gross_weight", b.Gross), row.BareVolume("volume", b.Volume)})
	}
	y = f.Table(15, y, 9, true, columns, rows) + 5
	y = f.Paragraph(15, y, 180, 10, fmt.Sprintf("Empty container%s to be returned in clean condition to:", strings.Repeat("s", min(1, len(s.Containers)-1)))) + 1
	f.Fill(30, y, 120, 10, f.Text("empty_return", s.Depot))
	y += 10
	f.Lines(130, y, 10, "", "Yours faithfully,", "For "+s.Agent.Name, "", "", "Authorised Signatory")
	f.Say(15, 280, 7, "", "Subject to payment of customs duty, port dues and detention. E. & O. E.")
}

var orders = []form.Layout{
	{Name: "do-broker", Type: "delivery_order", Copies: 2, Draw: doBroker},
	{Name: "do-dispatch", Type: "delivery_order", Copies: 2, Draw: doDispatch},
	{Name: "do-release", Type: "delivery_order", Copies: 2, Draw: doRelease},
	{Name: "do-letter", Type: "delivery_order", Copies: 3, Draw: doLetter},
}
