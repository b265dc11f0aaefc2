package train

import (
	"fmt"
	"strings"
	"time"

	"github.com/landfallhq/tracking/classify/corpus/form"
	"github.com/landfallhq/tracking/classify/corpus/truth"
)

// specimenNoticesA are arrival notices, delivery orders and booking confirmations of
// the first lot.
var specimenNoticesA = []form.Layout{
	{Name: "an-freight-location", Type: truth.ArrivalNotice, Copies: 2, Draw: locationNotice},
	{Name: "an-collect", Type: truth.ArrivalNotice, Copies: 2, Draw: collectNotice},
	{Name: "do-broker", Type: truth.DeliveryOrder, Copies: 2, Draw: brokerOrder},
	{Name: "do-pin", Type: truth.DeliveryOrder, Copies: 2, Draw: pinOrder},
	{Name: "bc-run", Type: truth.BookingConfirmation, Copies: 2, Draw: runBooking},
}

// locationNotice is that of an American agent of a carrier without ships, as forwarding
// programs print it: parties down the left, numbers and dates in a grid at the right,
// two weights a container, charges to be paid below.
func locationNotice(f *form.Form) {
	redraw(f, form.Pick(f, "01-02-2006", "01/02/2006", "Jan-02-2006"), to("US"))
	s := f.S
	f.Page("Letter")
	f.Say(12, 9, 13, "B", s.Agent.Name)
	f.Lines(12, 15, 7, "", strings.Join(s.Agent.Address, ", "), "TEL: "+s.Agent.Phone+"   FAX: 310-555-0177   E-MAIL: import@agent.example")
	f.Right(204, 9, 12, "B", "ARRIVAL NOTICE / FREIGHT INVOICE")
	f.Right(204, 22, 7, "", "PREPARED BY: JLEE  "+s.Noticed.Format("15:04"))
	for i, p := range []struct {
		caption string
		lines   []string
	}{{"SHIPPER", []string{s.Shipper.Name}}, {"CONSIGNEE", f.Party("consignee", s.Buyer, 4)}, {"NOTIFY PARTY", f.Party("notify_party", s.Notify, 4)}, {"CUSTOMS BROKER", []string{"TO BE ADVISED"}}} {
		f.Shade(12, 26+25*float64(i), 80, 4, 225)
		f.Say(13, 26.8+25*float64(i), 7, "B", p.caption)
		stack(f, 13, 31.5+25*float64(i), 78, 8.5, p.lines...)
	}
	y := ruled(f, 95, 26, 6.5, []float64{56, 53}, [][][2]string{
		{{"A/N NO.", f.Number("notice_number", s.Notice)}, {"A/N DATE", f.Day("issue_date", s.Noticed)}},
		{{"MASTER B/L NO.", f.Number("bl_number", s.BL)}, {"CARRIER", f.SCAC(s.Line)}},
		{{"HOUSE B/L NO.", f.Number("hbl_number", s.HBL)}, {"SUB B/L NO.", ""}},
		{{"AMS B/L NO.", f.Number("ams_number", s.AMS)}, {"CUSTOMER REF.", s.PO}},
		{{"VESSEL / VOYAGE", f.Text("vessel", s.Ship.Name) + " / " + f.Number("voyage", s.Voyage)}},
		{{"PORT OF LOADING", f.Place("port_of_lading", s.Lading)}, {"ETD", f.Day("", s.Sailed)}},
		{{"PORT OF DISCHARGE", f.Place("port_of_discharge", s.Unlading)}, {"ETA", f.Day("eta", s.Arrives)}},
		{{"PLACE OF DELIVERY", f.Place("place_of_delivery", s.Delivery)}, {"DEL. ETA", ""}},
		{{"FREIGHT LOCATION", f.Text("terminal", s.Terminal.Name)}, {"FIRMS CODE", f.Number("firms_code", s.Terminal.FIRMS)}},
		{{"CNTR RETURN LOCATION", s.Depot}},
		{{"IT NO.", f.Number("it_number", s.Entry)}, {"IT DATE", f.Day("it_date", s.Arrives.AddDate(0, 0, 1))}},
		{{"G.O. DATE", f.Day("go_date", s.GeneralOrder)}, {"L.F.D.", f.Day("last_free_day", s.FreeUntil)}},
		{{"EXPRESS B/L: YES", ""}, {"OB/L RCVD", ""}},
	})
	y = twoWeights(f, max(y, 120)+4)
	due := [][]string{}
	total := 0
	for _, name := range []string{"OCEAN FREIGHT", "CLEAN TRUCK FEE", "D/O HANDLING", "PIERPASS"}[f.R.IntN(2):] {
		row := f.Row("charges")
		cents := 2500 + 25*f.R.IntN(9000)
		total += cents
		due = append(due, []string{row.Text("description", name), "1.00", f.Money("", "", cents), "USD", row.Money("amount", "USD", cents)})
	}
	y = f.Table(12, y+5, 7.5, true, []form.Column{{Title: "DESCRIPTION OF CHARGES", Width: 92}, {Title: "QTY", Width: 20, Right: true}, {Title: "RATE", Width: 30, Right: true}, {Title: "CUR", Width: 16}, {Title: "AMOUNT", Width: 34, Right: true}}, due)
	f.Say(140, y+2, 8, "B", "TOTAL DUE (USD)")
	f.FillRight(203, y+2, 30, 8.5, f.Money("", "", total))
	f.Paragraph(12, y+9, 186, 6, "REMARK: Payment by company check or wire before release. Please present one original bill of lading, unless express. Free time as per tariff of the terminal; we are not liable for storage or per diem.")
}

// twoWeights says containers with size and seal in one cell, and each weight in
// kilograms and, below, in pounds.
func twoWeights(f *form.Form, y float64) float64 {
	f.Shade(12, y, 192, 5, 225)
	for i, title := range []string{"CONTAINER NO. / SEAL NO.", "NO. OF PKGS", "DESCRIPTION OF PACKAGES AND GOODS", "GROSS WEIGHT", "MEASUREMENT"} {
		f.Say([]float64{13, 64, 88, 152, 180}[i], y+1.4, 6, "B", title)
	}
	y += 6.5
	for i, b := range f.S.Containers {
		row := f.Row("containers")
		stack(f, 13, y, 49, 8, row.Container("number", b.Number)+" / "+row.Size("size_type", b.Size), row.Number("seal", b.Seal))
		f.Fill(64, y, 22, 8, row.Count("packages", b.Packages)+" CTN")
		stack(f, 152, y, 26, 8, row.Mass("gross_weight", b.Gross), row.Pounds("", b.Gross))
		f.Fill(180, y, 24, 8, row.Volume("volume", b.Volume))
		if i == 0 {
			f.Fill(88, y, 62, 8, "SAID TO CONTAIN: "+f.S.Goods[0].Words)
		}
		y += 9
	}
	return y
}

// collectNotice is a line's: captions that end in colons in two columns, containers
// with a line of captions each, and charges of which some are paid already.
func collectNotice(f *form.Form) {
	s := f.S
	f.Page("A4")
	f.Say(12, 9, 14, "B", strings.ToUpper(s.Line.Name))
	f.SCAC(s.Line)
	f.Say(12, 16, 7, "", "as agent: "+s.Agent.Name+", "+s.Agent.Phone)
	f.Centre(105, 22, 13, "B", form.Pick(f, "ARRIVAL NOTICE", "NOTICE OF ARRIVAL / FREIGHT BILL", "Arrival Notice and Freight Statement"))
	f.Right(198, 22, 7, "", "PAGE : 1 OF 1")
	f.Label(12, 30, 20, 90, 8, "", "NTFY :", f.Party("notify_party", s.Notify, 4)[0])
	stack(f, 32, 34.4, 70, 8, s.Notify.Address[:min(3, len(s.Notify.Address))]...)
	f.Label(110, 30, 30, 88, 8, "", "PRINTED :", f.Day("issue_date", s.Noticed))
	f.Label(110, 34.4, 30, 88, 8, "", "B/L NO. :", f.Number("bl_number", s.BL))
	f.Label(110, 38.8, 30, 88, 8, "", "B/L TYPE :", "ORIGINAL, NOT YET SURRENDERED")
	f.Label(12, 50, 20, 90, 8, "", "CNEE :", f.Party("consignee", s.Buyer, 4)[0])
	stack(f, 32, 54.4, 70, 8, s.Buyer.Address[:min(3, len(s.Buyer.Address))]...)
	f.Label(110, 50, 30, 88, 8, "", "SHPR :", s.Shipper.Name)
	f.Rule(12, 68, 198, 68)
	pairs := [][2]string{
		{"VSL/VOY :", f.Text("vessel", s.Ship.Name) + " " + f.Number("voyage", s.Voyage)}, {"EST. ARRIVAL :", f.Day("eta", s.Arrives)},
		{"POR :", f.Place("place_of_receipt", s.Receipt)}, {"POL :", f.Place("port_of_lading", s.Lading)},
		{"POD :", f.Place("port_of_discharge", s.Unlading)}, {"DEL :", f.Place("place_of_delivery", s.Delivery)},
		{"DISCH. TERMINAL :", f.Text("terminal", s.Terminal.Name)}, {"FREE TIME EXPIRES :", f.Day("last_free_day", s.FreeUntil)},
		{"PICK UP NO. :", f.Number("pickup_number", s.Pickup)}, {"SERVICE :", "CY/CY"},
	}
	for i, p := range pairs {
		f.Label(12+98*float64(i%2), 71+4.6*float64(i/2), 30, 88, 8, "", p[0], p[1])
	}
	y := 98.0
	f.Rule(12, y-2, 198, y-2)
	for _, b := range s.Containers {
		row := f.Row("containers")
		f.Label(12, y, 0, 50, 8, "", "CNTR :", row.Container("number", b.Number))
		f.Label(66, y, 0, 40, 8, "", "SEAL :", row.Number("seal", b.Seal))
		f.Label(110, y, 0, 24, 8, "", "SZ/TP :", lineSize(row, 1, b.Size))
		y = f.Label(138, y, 0, 60, 8, "", "PKGS :", row.Count("packages", b.Packages)+" CARTONS")
		f.Label(66, y, 0, 44, 8, "", "GROSS :", row.Mass("gross_weight", b.Gross))
		y = f.Label(110, y, 0, 60, 8, "", "MEAS :", row.Volume("volume", b.Volume)) + 1.5
	}
	y = f.Label(12, y, 0, 180, 8, "", "COMMODITY :", s.Goods[0].Words) + 2
	var rows [][]string
	for _, name := range []string{"OCEAN FREIGHT", "BUNKER SURCHARGE", "DESTINATION THC", "CONTAINER CLEANING"} {
		cents := 3500 + 50*f.R.IntN(6000)
		if strings.HasPrefix(name, "OCEAN") {
			rows = append(rows, []string{name, "CTR", f.Money("", "", cents), "USD", "PREPAID", ""})
			continue
		}
		row := f.Row("charges")
		rows = append(rows, []string{row.Text("description", name), "CTR", f.Money("", "", cents), "USD", "", row.Money("amount", "USD", cents*len(s.Containers))})
	}
	f.Table(12, y, 7.5, false, []form.Column{{Title: "CHARGE", Width: 60}, {Title: "BASIS", Width: 20}, {Title: "RATE", Width: 26, Right: true}, {Title: "CUR", Width: 16}, {Title: "PREPAID", Width: 26}, {Title: "COLLECT", Width: 32, Right: true}}, rows)
}

// brokerOrder is the form of American customs brokers: what was imported how and lies
// where, who fetches it, and to whom it goes; goods with weights below.
func brokerOrder(f *form.Form) {
	redraw(f, form.Pick(f, "01/02/06", "01/02/2006", "January 2, 2006"), to("US"))
	s := f.S
	f.Page("Letter")
	f.Centre(108, 9, 16, "B", "DELIVERY ORDER")
	f.Lines(12, 10, 8, "B", "FIVE LANTERNS CUSTOMS BROKERS")
	f.Lines(12, 14, 6.5, "", "900 PIER ROAD, SUITE 12", "PHONE 201-555-0119   FAX 201-555-0120")
	f.Captioned(140, 16, 32, 11, 6, "DATE", f.Day("issue_date", s.Noticed))
	f.Captioned(172, 16, 32, 11, 6, "OUR REF. NO.", "B"+s.Pickup)
	f.Paragraph(12, 25, 110, 7, "THE GOODS BELOW ARE TO BE ENTERED AND FORWARDED AS STATED:")
	f.Captioned(12, 30, 64, 12, 6, "IMPORTING CARRIER", f.Text("vessel", s.Ship.Name)+" V. "+f.Number("voyage", s.Voyage))
	f.Captioned(76, 30, 64, 12, 6, "LOCATION", f.Text("terminal", s.Terminal.Name))
	f.Captioned(140, 30, 64, 12, 6, "FROM PORT OF/ORIGIN AIRPORT", f.Place("", s.Lading))
	f.Captioned(12, 42, 64, 12, 6, "B/L OR AWB NO.", f.Number("bl_number", s.BL))
	f.Captioned(76, 42, 32, 12, 6, "ARRIVAL DATE", f.Day("", s.Arrives))
	f.Captioned(108, 42, 32, 12, 6, "FREE TIME EXP.", f.Day("last_free_day", s.FreeUntil))
	f.Captioned(140, 42, 64, 12, 6, "HOUSE B/L OR HAWB NO.", f.Number("hbl_number", s.HBL))
	f.Captioned(12, 54, 96, 24, 6, "LOCAL DELIVERY OR TRANSFER BY (DELIVERING CARRIER)", f.Party("trucker", s.Trucker, 4)...)
	f.Captioned(108, 54, 48, 12, 6, "ENTRY NO.", "EG4-"+s.Entry[:7]+"-"+s.Entry[8:])
	f.Captioned(156, 54, 48, 12, 6, "FIRMS CODE", f.Number("firms_code", s.Terminal.FIRMS))
	f.Captioned(108, 66, 48, 12, 6, "PICKUP NUMBER", f.Number("pickup_number", s.Pickup))
	f.Captioned(156, 66, 48, 12, 6, "G.O. NO.", "")
	f.Captioned(12, 78, 130, 26, 6, "FOR DELIVERY TO", f.Party("deliver_to", s.Buyer, 4)...)
	f.Captioned(142, 78, 62, 26, 6, "ROUTE / INLAND FREIGHT", "[ ] PREPAID   [X] COLLECT", "CALL 24 HOURS BEFORE DELIVERY")
	for i, title := range []string{"NO. OF PKGS.", "DESCRIPTION OF ARTICLES, MARKS & EXCEPTIONS", "WEIGHT"} {
		f.Say([]float64{13, 42, 170}[i], 105.5, 6, "", title)
	}
	f.Frame(12, 104, 28, 110)
	f.Frame(40, 104, 128, 110)
	f.Frame(168, 104, 36, 110)
	y := 111.0
	for _, b := range s.Containers {
		row := f.Row("containers")
		f.Fill(14, y, 24, 8.5, row.Count("packages", b.Packages)+" CTNS")
		stack(f, 42, y, 124, 8.5, "CONTAINER# "+row.Container("number", b.Number)+" ("+row.Size("size_type", b.Size)+")", "SEAL# "+row.Number("seal", b.Seal))
		f.Fill(170, y, 32, 8.5, row.Mass("gross_weight", b.Gross))
		y += 11
	}
	f.Fill(42, y, 124, 8.5, s.Goods[0].Words)
	f.Fill(42, y+6, 124, 8.5, "RETURN EMPTY TO: "+f.Text("empty_return", s.Depot))
	f.Say(12, 218, 7, "", "SHIP TO BE CHECKED BY DRIVER BEFORE PICKUP. DELIVERY CLERK: DELIVER TO CARRIER SHOWN ABOVE.")
	f.Label(12, 240, 0, 90, 7, "", "RECEIVED IN GOOD ORDER BY:", "______________________")
	f.Label(120, 240, 0, 80, 7, "", "PER:", "______________________")
}

// pinOrder is that of a line's agent on the Continent: one row for each container with
// its PIN, how long the release holds, and where the empty one goes.
func pinOrder(f *form.Form) {
	redraw(f, form.Pick(f, "02-01-2006", "02.01.2006", "02/01/2006"), to("NL", "BE", "DE"))
	f.Style.Thousands, f.Style.Point, f.Style.Figures = ".", ",", 2
	s := f.S
	f.Page("A4")
	f.Say(12, 9, 15, "B", s.Agent.Name)
	f.Lines(12, 16, 7, "", strings.Join(s.Agent.Address, " - "), "Import desk "+s.Agent.Phone+" - VAT NL8001.23.456.B01 - release@agency.example")
	f.Say(12, 27, 14, "B", form.Pick(f, "Release order / Vrijgave", "DELIVERY ORDER (commercial release)", "Freistellung / Delivery order"))
	y := 36.0
	for _, p := range [][2]string{
		{"Order no.", f.Number("do_number", s.Order)}, {"Issued", f.Moment("issue_date", s.Noticed.Add(9*time.Hour+20*time.Minute))}, {"Carrier", s.Line.Name}, {"B/L", f.Number("bl_number", s.BL)},
		{"MV / voyage", f.Text("vessel", s.Ship.Name) + " / " + f.Number("voyage", s.Voyage)}, {"Quay / terminal", f.Text("terminal", s.Terminal.Name)}, {"ETA / ATA", f.Day("", s.Arrives)},
	} {
		y = f.Label(12, y, 34, 100, 8.5, "", p[0], p[1])
	}
	f.Say(120, 36, 8, "B", "Released to")
	stack(f, 120, 40, 76, 8.5, f.Party("deliver_to", s.Buyer, 4)...)
	f.Paragraph(12, y+3, 186, 8, "Kindly hand over the units below, customs permitting, to the haulier who states the PIN. Units not collected by the date shown need a new release.")
	var rows [][]string
	for _, b := range s.Containers {
		row := f.Row("containers")
		rows = append(rows, []string{row.Container("number", b.Number), row.Size("size_type", b.Size), row.Mass("gross_weight", b.Gross), f.Number("pickup_number", s.Pickup), f.Day("last_free_day", s.FreeUntil), f.Text("empty_return", s.Depot), "TR" + s.Pickup})
	}
	y = f.Table(12, y+14, 7.5, true, []form.Column{{Title: "Unit", Width: 32}, {Title: "Type", Width: 26}, {Title: "Gross", Width: 26}, {Title: "PIN code", Width: 18}, {Title: "Demurrage\nfree until", Width: 24}, {Title: "Empty to be\nredelivered at", Width: 40}, {Title: "Turn-in\nreference", Width: 20}}, rows)
	f.Paragraph(12, y+5, 186, 6.5, "Demurrage and detention per tariff. This order gives no right to delivery before the freight is paid. Our general conditions, filed with the Chamber of Commerce, apply.")
}

// runBooking is a print of a carrier's program: captions and values run on in lines,
// empty ones too, times of day by halves.
func runBooking(f *form.Form) {
	f.Style.Day, f.Style.Upper, f.Style.Clock = "02-Jan-2006", true, form.Pick(f, "03:04 PM", "15:04")
	s := f.S
	f.Page("A4")
	f.Right(198, 8, 7, "", "RUN "+s.Booked.Format("02-JAN-06")+"  PAGE 1 OF 1")
	f.Badge(12, 9, 26, 12)
	f.Centre(105, 11, 14, "B", "Booking Confirmation")
	stack(f, 12, 24, 90, 8, append([]string{s.Line.Name + " AGENCY"}, s.Shipper.Address...)...)
	stack(f, 110, 24, 88, 8, append([]string{"Attn: EXPORT DESK", s.Forward.Name}, s.Forward.Address...)...)
	y := 44.0
	line := func(step float64, cells ...[2]string) {
		for i, c := range cells {
			f.Label(12+step*float64(i), y, 0, step-2, 8, "B", c[0], c[1])
		}
		y += 4.8
	}
	line(93, [2]string{"SCAC Code:", f.SCAC(s.Line)}, [2]string{"B/L Number:", s.Booking})
	line(62, [2]string{"Booking Number:", f.Number("booking_number", s.Booking)}, [2]string{"Bkg Pty Ref:", s.PO}, [2]string{"Booking Date:", f.Day("issue_date", s.Booked)})
	line(186, [2]string{"Vessel/Voyage:", f.Text("vessel", s.Ship.Name) + " / " + f.Number("voyage", s.Voyage)})
	line(186, [2]string{"Connecting Vessel / Voyage:", "/"})
	y += 2
	line(93, [2]string{"Receipt:", f.Place("place_of_receipt", s.Receipt)})
	line(93, [2]string{"Alternate Base Port:", ""}, [2]string{"Ramp Cut-Off Date/Time:", ""})
	line(93, [2]string{"Feeder Vessel/Voyage:", "/"}, [2]string{"ETD:", ""})
	line(93, [2]string{"Port Of Loading:", f.Place("port_of_lading", s.Lading)}, [2]string{"SI Cut-Off Date/Time:", f.Moment("si_cutoff", s.Cutoff.Add(-26*time.Hour))})
	line(93, [2]string{"Loading Terminal:", "INTERNATIONAL TERMINAL 2"}, [2]string{"VGM Cut-Off Date/Time:", f.Moment("vgm_cutoff", s.Cutoff.Add(-5*time.Hour))})
	line(93, [2]string{"", ""}, [2]string{"Port Cut-Off Date/Time:", f.Moment("cy_cutoff", s.Cutoff)})
	line(93, [2]string{"", ""}, [2]string{"ETD:", f.Moment("etd", s.Sailed.Add(11*time.Hour))})
	line(93, [2]string{"Port Of Discharge:", f.Place("port_of_discharge", s.Unlading)}, [2]string{"ETA:", f.Moment("eta", s.Arrives.Add(8*time.Hour+45*time.Minute))})
	line(93, [2]string{"Final Place Of Delivery:", f.Place("place_of_delivery", s.Delivery)}, [2]string{"FPD ETA:", ""})
	f.Say(12, y, 7, "I", "(All times are in local time)")
	y += 7
	row := f.Row("equipment")
	n := len(s.Containers)
	line(93, [2]string{"Merchant Haulage By:", "Road"}, [2]string{"Eqp Available Date:", f.Day("", s.Cutoff.AddDate(0, 0, -4))})
	line(93, [2]string{"Quantity:", row.Code("quantity", fmt.Sprint(n), fmt.Sprint(n)) + " x " + lineSize(row, 0, s.Containers[0].Size)}, [2]string{"HS Commodity:", s.Goods[0].Words})
	line(93, [2]string{"Net Weight:", f.Mass("", s.Net())}, [2]string{"Gross Weight:", f.Mass("", s.Gross())})
	line(46, [2]string{"HAZ:", "N"}, [2]string{"Reefer:", "N"}, [2]string{"OverSized Cargo:", "N"}, [2]string{"Flexitank:", "N"})
	line(186, [2]string{"Preferred Depot:", f.Text("empty_pickup", s.Depot)})
	f.Paragraph(12, y+4, 186, 6.5, "Please note: dates and cut-offs are estimates and may change without notice. A container whose verified mass was not sent in time is not loaded. Weights above the maximum payload are rolled at the shipper's cost.")
}
