package train

import (
	"fmt"
	"strings"
	"time"

	"github.com/landfallhq/tracking/classify/corpus/form"
	"github.com/landfallhq/tracking/classify/corpus/truth"
)

// specimenNoticesI are notices, orders and confirmations of lot I: in Dutch and Italian,
// by fax, with ramps inland, reefers, and appointments.
var specimenNoticesI = []form.Layout{
	{Name: "an-aankomst", Type: truth.ArrivalNotice, Copies: 2, Draw: dutchNotice},
	{Name: "an-avviso", Type: truth.ArrivalNotice, Copies: 2, Draw: italianNotice},
	{Name: "an-fax", Type: truth.ArrivalNotice, Copies: 3, Draw: faxNotice},
	{Name: "an-ramp", Type: truth.ArrivalNotice, Copies: 2, Draw: rampNotice},
	{Name: "bc-boeking", Type: truth.BookingConfirmation, Copies: 2, Draw: dutchBooking},
	{Name: "bc-reefer", Type: truth.BookingConfirmation, Copies: 2, Draw: reeferBooking},
	{Name: "bc-letter", Type: truth.BookingConfirmation, Copies: 3, Draw: letterBooking},
	{Name: "bc-below", Type: truth.BookingConfirmation, Copies: 2, Draw: belowBooking},
	{Name: "do-afgifte", Type: truth.DeliveryOrder, Copies: 2, Draw: dutchOrder},
	{Name: "do-buono", Type: truth.DeliveryOrder, Copies: 2, Draw: italianOrder},
	{Name: "do-appointments", Type: truth.DeliveryOrder, Copies: 3, Draw: appointmentOrder},
}

// dutchNotice is a forwarder's in Rotterdam or Antwerp.
func dutchNotice(f *form.Form) {
	s := strange(f, form.Pick(f, "02-01-2006", "2 January 2006"), to("NL", "BE"))
	f.Style.Months, f.Style.Upper = tongues["nl"], false
	notation(f, ".", ",", 2)
	f.Page("A4")
	f.Say(12, 9, 13, "B", s.Agent.Name)
	f.Say(12, 15, 7, "", strings.Join(s.Agent.Address, ", "))
	f.Say(12, 24, 13, "B", form.Pick(f, "AANKOMSTBERICHT", "Aankomstbericht / Arrival notice", "AANKOMSTADVIES ZEEVRACHT"))
	y := ruled(f, 12, 32, 7.5, []float64{62, 62, 62}, [][][2]string{
		{{"Dossier", f.Number("notice_number", s.Notice)}, {"Datum", f.Day("issue_date", s.Noticed)}, {"Uw ref.", s.PO}},
		{{"Zeeschip", f.Text("vessel", s.Ship.Name)}, {"Reis", f.Number("voyage", s.Voyage)}, {"Verwachte aankomst", f.Day("eta", s.Arrives)}},
		{{"Laadhaven", f.Place("port_of_lading", s.Lading)}, {"Loshaven", f.Place("port_of_discharge", s.Unlading)}, {"Bestemming", f.Place("place_of_delivery", s.Delivery)}},
		{{"B/L rederij", f.Number("bl_number", s.BL)}, {"House B/L", f.Number("hbl_number", s.HBL)}, {"Kade", f.Text("terminal", s.Terminal.Name)}},
		{{"Vrij liggen t/m", f.Day("last_free_day", s.FreeUntil)}, {"Pincode", f.Number("pickup_number", s.Pickup)}},
	}) + 4
	f.Say(12, y, 7, "B", "Ontvanger")
	stack(f, 12, y+3.6, 85, 8.5, f.Party("consignee", s.Buyer, 4)...)
	f.Say(108, y, 7, "B", "Te waarschuwen")
	stack(f, 108, y+3.6, 85, 8.5, f.Party("notify_party", s.Notify, 4)...)
	y += 23
	var rows [][]string
	for _, b := range s.Containers {
		row := f.Row("containers")
		rows = append(rows, []string{row.Container("number", b.Number), row.Size("size_type", b.Size), row.Number("seal", b.Seal), row.Count("packages", b.Packages), row.BareMass("gross_weight", b.Gross), row.BareVolume("volume", b.Volume)})
	}
	y = f.Table(12, y, 8, true, []form.Column{{Title: "Container", Width: 36}, {Title: "Type", Width: 36}, {Title: "Zegel", Width: 34}, {Title: "Colli", Width: 20, Right: true}, {Title: "Bruto kg", Width: 30, Right: true}, {Title: "m³", Width: 30, Right: true}}, rows)
	f.Paragraph(12, y+5, 186, 7.5, "Wij verzoeken u ons de originele cognossementen, de handelsfactuur en de paklijst toe te zenden. Dit aankomstbericht geeft geen recht op afgifte. Op al onze werkzaamheden zijn de Nederlandse Expeditievoorwaarden van toepassing.")
}

// italianNotice is an agent's in Italy, with captions above values and charges.
func italianNotice(f *form.Form) {
	s := strange(f, form.Pick(f, "02/01/2006", "2 January 2006"), to("IT"))
	f.Style.Months, f.Style.Upper = tongues["it"], false
	notation(f, ".", ",", 2)
	f.Page("A4")
	f.Centre(105, 8, 13, "B", s.Agent.Name)
	f.Centre(105, 14, 7, "", "agenti raccomandatari di "+s.Line.Name+" - "+strings.Join(s.Agent.Address, ", "))
	f.SCAC(s.Line)
	f.Rule(12, 18, 198, 18)
	stack(f, 112, 22, 86, 9, append([]string{"Spett.le"}, f.Party("consignee", s.Buyer, 4)...)...)
	f.Say(12, 45, 13, "B", form.Pick(f, "AVVISO DI ARRIVO", "Avviso di arrivo merce", "AVVISO D'ARRIVO NAVE"))
	y := 54.0
	for i, p := range [][2]string{{"Avviso n.", f.Number("notice_number", s.Notice)}, {"Data", f.Day("issue_date", s.Noticed)}, {"Polizza di carico", f.Number("bl_number", s.BL)}, {"Nave", f.Text("vessel", s.Ship.Name)}, {"Viaggio", f.Number("voyage", s.Voyage)}, {"Arrivo previsto", f.Day("eta", s.Arrives)}, {"Porto d'imbarco", f.Place("port_of_lading", s.Lading)}, {"Porto di sbarco", f.Place("port_of_discharge", s.Unlading)}, {"Franchigia fino al", f.Day("last_free_day", s.FreeUntil)}} {
		f.Box(12+62*float64(i%3), y+12*float64(i/3), 62, 12, p[0], p[1])
	}
	y += 40
	f.Label(12, y, 34, 186, 8.5, "", "Terminal di sbarco", f.Text("terminal", s.Terminal.Name))
	f.Say(12, y+6, 8.5, "", "Notify")
	y = stack(f, 46, y+6, 120, 9, f.Party("notify_party", s.Notify, 4)...) + 3
	for _, b := range s.Containers {
		row := f.Row("containers")
		y = f.Prose(12, y, 186, 9, "Contenitore "+row.Container("number", b.Number)+" tipo "+row.Size("size_type", b.Size)+", sigillo "+row.Number("seal", b.Seal)+", colli "+row.Count("packages", b.Packages)+", peso lordo "+row.Mass("gross_weight", b.Gross)+", volume "+row.Volume("volume", b.Volume)) + 0.6
	}
	var rows [][]string
	for _, name := range []string{"Spese di sbarco (THC)", "Diritto di agenzia", "Emissione delivery order"}[f.R.IntN(2):] {
		row := f.Row("charges")
		rows = append(rows, []string{row.Text("description", name), row.Money("amount", "EUR", 2500+50*f.R.IntN(600)), "EUR"})
	}
	y = f.Table(12, y+4, 8, false, []form.Column{{Title: "Spese a Vostro carico", Width: 80}, {Title: "Importo", Width: 30, Right: true}, {Title: "Valuta", Width: 20}}, rows)
	f.Paragraph(12, y+5, 186, 7.5, "Il presente avviso di arrivo non è un buono di consegna. La consegna avviene contro ritiro dell'originale della polizza, debitamente girata, e pagamento delle spese. La data di arrivo è indicativa.")
}

// faxNotice is a sheet sent by fax: who to whom in a grid, the rest in short lines of a
// typewriter with colons, several to a line.
func faxNotice(f *form.Form) {
	s := strange(f, form.Pick(f, "2-Jan-06", "Jan-02-2006", "02.Jan.2006"), to("US", "GB", "DE", "NL"))
	f.Style.Upper = true
	f.Page("A4")
	f.Font, f.ValueFont = form.Typed, form.Typed
	f.Fill(8, 5, 190, 7, f.Day("", s.Noticed)+" 14:07  FROM "+s.Agent.Phone+"  P.1/1")
	f.Say(12, 14, 16, "B", "F A X")
	y := 24.0
	for _, p := range [][2]string{{"TO", s.Buyer.Name}, {"ATTN", "IMPORT DEPT."}, {"FROM", s.Agent.Name}, {"DATE", f.Day("issue_date", s.Noticed)}, {"RE", form.Pick(f, "ARRIVAL NOTICE", "NOTICE OF ARRIVAL", "ARRIVAL OF YOUR GOODS (ARRIVAL NOTICE)")}} {
		f.Say(12, y, 9, "B", p[0]+":")
		f.Fill(32, y, 160, 9, p[1])
		y += 4.8
	}
	f.Rule(12, y+1, 198, y+1)
	y += 5
	line := func(say string) { f.Fill(12, y, 186, 9, say); y += 4.8 }
	line("M/V " + f.Text("vessel", s.Ship.Name) + "  VOY: " + f.Number("voyage", s.Voyage) + "  ETA " + f.Place("port_of_discharge", s.Unlading) + ": " + f.Day("eta", s.Arrives))
	line("B/L: " + f.Number("bl_number", s.BL) + "  H/BL: " + f.Number("hbl_number", s.HBL))
	line("EX: " + f.Place("port_of_lading", s.Lading) + "  FINAL: " + f.Place("place_of_delivery", s.Delivery))
	line("DISCHARGING AT: " + f.Text("terminal", s.Terminal.Name) + "  FREE TIL: " + f.Day("last_free_day", s.FreeUntil))
	y += 2
	line("CNEE:")
	for _, l := range f.Party("consignee", s.Buyer, 4) {
		line("  " + l)
	}
	y += 2
	tons := f.R.IntN(2) == 0
	for _, b := range s.Containers {
		row := f.Row("containers")
		line(row.Container("number", b.Number) + " " + row.Size("size_type", b.Size) + " S/" + row.Number("seal", b.Seal))
		weight := row.Mass("gross_weight", b.Gross)
		if tons {
			weight = row.Tonnes("gross_weight", b.Gross)
		}
		line("   " + row.Count("packages", b.Packages) + " PKGS  G/W " + weight + "  " + row.Volume("volume", b.Volume))
	}
	y += 2
	row := f.Row("charges")
	line("OUR CHARGES: " + row.Text("description", "AGENCY AND D/O FEE") + " EUR " + row.Money("amount", "EUR", 4000+500*f.R.IntN(40)))
	line("PLS SEND OBL ENDORSED + COPY INVOICE + P/LIST ASAP.")
	line("THIS IS NOT A DELIVERY ORDER.   REGARDS")
}

// rampNotice is a line's for goods that go on by rail: dates at the port and at the ramp.
func rampNotice(f *form.Form) {
	s := strange(f, form.Pick(f, "01/02/2006", "Jan 02, 2006"), to("US", "CA"))
	f.Page("Letter")
	f.Badge(12, 8, 60, 10)
	f.Right(204, 9, 14, "", form.Pick(f, "Arrival Notice - Rail", "INLAND ARRIVAL NOTICE", "Arrival notice"))
	f.Right(204, 16, 8, "", s.Line.Name+"   printed "+f.Day("issue_date", s.Noticed))
	f.SCAC(s.Line)
	y := f.Cells(12, 24, 12, []float64{64, 64, 64}, [2]string{"Bill of lading number", f.Number("bl_number", s.BL)}, [2]string{"Vessel", f.Text("vessel", s.Ship.Name)}, [2]string{"Voyage", f.Number("voyage", s.Voyage)})
	y = f.Cells(12, y, 12, []float64{64, 64, 64}, [2]string{"Load port", f.Place("port_of_lading", s.Lading)}, [2]string{"Discharge port", f.Place("port_of_discharge", s.Unlading)}, [2]string{"Estimated arrival at discharge port", f.Day("eta", s.Arrives)})
	y = f.Cells(12, y, 12, []float64{64, 64, 64}, [2]string{"Final destination", f.Place("place_of_delivery", s.Delivery)}, [2]string{"Available at ramp from", f.Day("", s.Arrives.AddDate(0, 0, 4))}, [2]string{"Storage free through", f.Day("last_free_day", s.FreeUntil)})
	y = f.Cells(12, y, 12, []float64{64, 64, 64}, [2]string{"Ramp", f.Text("terminal", s.Terminal.Name)}, [2]string{"In-bond (IT) number", f.Number("it_number", s.Entry)}, [2]string{"In-bond issued", f.Day("it_date", s.Arrives)})
	f.Box(12, y, 96, 22, "Consignee", f.Party("consignee", s.Buyer, 4)...)
	f.Box(108, y, 96, 22, "Notify party", f.Party("notify_party", s.Notify, 4)...)
	y += 26
	for i, b := range s.Containers {
		row := f.Row("containers")
		x := 12 + 96*float64(i%2)
		top := y + 28*float64(i/2)
		f.Frame(x, top, 94, 26)
		f.Fill(x+2, top+2, 60, 11, row.Container("number", b.Number))
		f.Label(x+2, top+8, 24, 90, 8, "", "Type", row.Size("size_type", b.Size))
		f.Label(x+2, top+12.2, 24, 90, 8, "", "Seal", row.Number("seal", b.Seal))
		f.Label(x+2, top+16.4, 24, 90, 8, "", "Pieces", row.Count("packages", b.Packages))
		f.Label(x+2, top+20.6, 24, 90, 8, "", "Weight", row.Mass("gross_weight", b.Gross)+" / "+row.Volume("volume", b.Volume))
	}
	f.Paragraph(12, y+62, 190, 7, "Containers move only with freight release and customs clearance. A pickup number is given by the railway when the unit is grounded. This notice is neither a delivery order nor an invoice; charges are billed apart.")
}

// dutchBooking is a line's agent's in Dutch.
func dutchBooking(f *form.Form) {
	s := strange(f, form.Pick(f, "02-01-2006", "02-January-2006"), from("NL"))
	f.Style.Months = tongues["NL"]
	notation(f, ".", ",", 1)
	f.Page("A4")
	f.Say(12, 9, 14, "B", s.Line.Name)
	f.SCAC(s.Line)
	f.Right(198, 9, 13, "B", form.Pick(f, "BOEKINGSBEVESTIGING", "Boekingsbevestiging export", "BEVESTIGING VAN BOEKING"))
	stack(f, 12, 22, 90, 9, append([]string{s.Shipper.Name}, s.Shipper.Address...)...)
	y := 42.0
	for i, p := range [][2]string{{"Boekingsnummer", f.Number("booking_number", s.Booking)}, {"Datum", f.Day("issue_date", s.Booked)}, {"Schip", f.Text("vessel", s.Ship.Name)}, {"Reisnummer", f.Number("voyage", s.Voyage)}, {"Laadhaven", f.Place("port_of_lading", s.Lading)}, {"Loshaven", f.Place("port_of_discharge", s.Unlading)}, {"Plaats van ontvangst", f.Place("place_of_receipt", s.Receipt)}, {"Eindbestemming", f.Place("place_of_delivery", s.Delivery)}, {"Vertrek (ETS)", f.Day("etd", s.Sailed)}, {"Aankomst (ETA)", f.Day("eta", s.Arrives)}, {"Equipment", equipment(f, " x ")}, {"Lading", s.Goods[0].Words}} {
		x := 12 + 94*float64(i%2)
		f.Say(x, y+7*float64(i/2), 8, "B", p[0])
		f.Fill(x+36, y+7*float64(i/2), 56, 8.5, p[1])
	}
	y += 48
	f.Say(12, y, 9, "B", "Sluitingen")
	for i, p := range [][2]string{{"Documenten (SI) uiterlijk", f.Moment("si_cutoff", s.Cutoff.Add(-29*time.Hour))}, {"VGM uiterlijk", f.Moment("vgm_cutoff", s.Cutoff.Add(-6*time.Hour))}, {"Douane uiterlijk", f.Moment("customs_cutoff", s.Cutoff.Add(-3*time.Hour))}, {"Aanlevering volle container uiterlijk", f.Moment("cy_cutoff", s.Cutoff)}} {
		f.Label(12, y+6+5*float64(i), 62, 180, 8.5, "", p[0], p[1])
	}
	f.Label(12, y+29, 62, 180, 8.5, "", "Lege container af te halen bij", f.Text("empty_pickup", s.Depot))
	f.Paragraph(12, y+40, 186, 7.5, "Wijzigingen voorbehouden. Deze bevestiging is geen cognossement. Bij annulering na sluiting brengen wij foutvracht in rekening.")
}

// reeferBooking is for goods that are kept cold, with settings among the particulars.
func reeferBooking(f *form.Form) {
	s := strange(f, form.Pick(f, "02-Jan-2006", "2 Jan 2006"), anywhere)
	for i := range s.Containers {
		s.Containers[i].Size = "40RH"
	}
	f.Page("A4")
	f.Shade(12, 8, 186, 9, 40)
	f.Say(12, 20, 13, "B", form.Pick(f, "Reefer booking confirmation", "BOOKING CONFIRMATION - REEFER CARGO", "Temperature controlled booking: confirmation"))
	f.Right(198, 20, 11, "B", s.Line.ShortName)
	f.SCAC(s.Line)
	y := ruled(f, 12, 29, 7.5, []float64{62, 62, 62}, [][][2]string{
		{{"Booking ID", f.Number("booking_number", s.Booking)}, {"Confirmed on", f.Day("issue_date", s.Booked)}, {"Status", "CONFIRMED"}},
		{{"Main vessel", f.Text("vessel", s.Ship.Name)}, {"Voyage", f.Number("voyage", s.Voyage)}, {"IMO", f.Number("vessel_imo", s.Ship.IMO)}},
		{{"Place of receipt", f.Place("place_of_receipt", s.Receipt)}, {"POL", f.Place("port_of_lading", s.Lading)}, {"ETD POL", f.Day("etd", s.Sailed)}},
		{{"POD", f.Place("port_of_discharge", s.Unlading)}, {"Final delivery", f.Place("place_of_delivery", s.Delivery)}, {"ETA POD", f.Day("eta", s.Arrives)}},
	})
	row := f.Row("equipment")
	y = f.Table(12, y+5, 8, true, []form.Column{{Title: "Units", Width: 18}, {Title: "Equipment", Width: 46}, {Title: "Set point", Width: 24}, {Title: "Ventilation", Width: 26}, {Title: "Humidity", Width: 20}, {Title: "Cargo weight", Width: 52}}, [][]string{{row.Count("quantity", len(s.Containers)), row.Size("size_type", "40RH"), fmt.Sprintf("-%d.0 C", 16+f.R.IntN(6)), "closed", "off", f.Mass("", s.Gross())}})
	f.Label(12, y+4, 40, 180, 8, "B", "Pre-tripped units from", f.Text("empty_pickup", s.Depot))
	y += 12
	for i, p := range [][2]string{{"Doc cut", f.Moment("si_cutoff", s.Cutoff.Add(-31*time.Hour))}, {"VGM cut", f.Moment("vgm_cutoff", s.Cutoff.Add(-10*time.Hour))}, {"Customs cut", f.Moment("customs_cutoff", s.Cutoff.Add(-6*time.Hour))}, {"Reefer gate-in cut", f.Moment("cy_cutoff", s.Cutoff)}} {
		f.Frame(12+46.5*float64(i), y, 46.5, 14)
		f.Centre(35+46.5*float64(i), y+1.5, 7, "", p[0])
		f.Centre(35+46.5*float64(i), y+7, 9, "B", p[1])
	}
	f.Paragraph(12, y+20, 186, 7.5, "Shippers must set temperature in the shipping instructions as well. Containers are plugged in upon gate-in; earlier arrival is charged. Commodity: "+s.Goods[0].Words+".")
}

// letterBooking confirms in a letter of a few sentences.
func letterBooking(f *form.Form) {
	s := strange(f, form.Pick(f, "2 January 2006", "January 2, 2006", "02 Jan 2006"), anywhere)
	f.Page("A4")
	letterhead(f, s.Forward)
	y := stack(f, 12, f.Y+4, 100, 9, append([]string{s.Shipper.Name}, s.Shipper.Address...)...)
	f.Right(198, y+2, 9, "", f.Day("issue_date", s.Booked))
	f.Say(12, y+10, 10, "B", form.Pick(f, "Confirmation of your booking ", "Re: booking confirmation ", "Booking confirmed - ref. ")+f.Number("booking_number", s.Booking))
	y = f.Prose(12, y+18, 186, 10, "We are pleased to confirm space for "+equipment(f, " x ")+" with "+s.Line.Name+" on the vessel "+f.Text("vessel", s.Ship.Name)+", voyage "+f.Number("voyage", s.Voyage)+", sailing from "+f.Place("port_of_lading", s.Lading)+" on "+f.Day("etd", s.Sailed)+" and due in "+f.Place("port_of_discharge", s.Unlading)+" on "+f.Day("eta", s.Arrives)+".") + 3
	f.SCAC(s.Line)
	y = f.Prose(12, y, 186, 10, "Empty containers can be collected from "+f.Text("empty_pickup", s.Depot)+". Please bring the full ones to the terminal before "+f.Moment("cy_cutoff", s.Cutoff)+"; we need your shipping instructions by "+f.Moment("si_cutoff", s.Cutoff.Add(-25*time.Hour))+" and the verified gross mass by "+f.Moment("vgm_cutoff", s.Cutoff.Add(-5*time.Hour))+".") + 3
	y = f.Prose(12, y, 186, 10, "The goods ("+s.Goods[0].Words+", about "+f.Mass("", s.Gross())+") will be delivered to "+f.Place("place_of_delivery", s.Delivery)+". Our quotation applies. The house bill of lading will be issued when the vessel has sailed.") + 5
	f.Lines(12, y, 9, "", "Yours faithfully,", "", s.Forward.Name)
}

// belowBooking has captions below what is filled in, and deadlines on their sides.
func belowBooking(f *form.Form) {
	s := strange(f, form.Pick(f, "Jan 02, 2006", "2006-01-02", "02/01/2006"), anywhere)
	f.Page("Letter")
	f.Right(204, 8, 14, "B", "BOOKING CONFIRMATION")
	f.Say(12, 8, 11, "B", s.Line.Name)
	f.SCAC(s.Line)
	y := 20.0
	line := func(widths []float64, cells ...[2]string) {
		x := 12.0
		for i, c := range cells {
			f.Below(x, y, widths[i], 9.5, c[0], c[1])
			x += widths[i]
		}
		y += 10
	}
	three, two := []float64{64, 64, 64}, []float64{96, 96}
	line(three, [2]string{f.Number("booking_number", s.Booking), "Our booking number"}, [2]string{f.Day("issue_date", s.Booked), "Date"}, [2]string{s.PO, "Your reference"})
	line(two, [2]string{f.Text("vessel", s.Ship.Name), "Name of vessel"}, [2]string{f.Number("voyage", s.Voyage), "Voyage"})
	line(two, [2]string{f.Place("place_of_receipt", s.Receipt), "Place of receipt"}, [2]string{f.Place("port_of_lading", s.Lading), "Port of loading"})
	line(two, [2]string{f.Place("port_of_discharge", s.Unlading), "Port of discharge"}, [2]string{f.Place("place_of_delivery", s.Delivery), "Place of delivery"})
	line(three, [2]string{f.Day("etd", s.Sailed), "Estimated departure"}, [2]string{f.Day("eta", s.Arrives), "Estimated arrival"}, [2]string{equipment(f, " x "), "Containers"})
	line(three, [2]string{f.Moment("si_cutoff", s.Cutoff.Add(-28*time.Hour)), "Closing of documentation"}, [2]string{f.Moment("vgm_cutoff", s.Cutoff.Add(-7*time.Hour)), "Closing of VGM"}, [2]string{f.Moment("cy_cutoff", s.Cutoff), "Closing of container yard"})
	line(two, [2]string{f.Text("empty_pickup", s.Depot), "Empty containers from"}, [2]string{s.Goods[0].Words, "Commodity"})
	f.Paragraph(12, y+4, 190, 7.5, "Subject to the terms of our bill of lading and tariff. Detention is counted from the day of release of the empty container. Please read all particulars; silence is taken for consent.")
}

// dutchOrder is a forwarder's to a haulier in Dutch.
func dutchOrder(f *form.Form) {
	s := strange(f, form.Pick(f, "02-01-2006", "2 January 2006"), to("NL", "BE"))
	f.Style.Months, f.Style.Upper = tongues["nl"], false
	notation(f, ".", ",", 1)
	f.Page("A4")
	f.Say(12, 9, 13, "B", s.Forward.Name)
	f.Say(12, 18, 13, "B", form.Pick(f, "AFLEVERINGSOPDRACHT", "TRANSPORTOPDRACHT / DELIVERY ORDER", "AFLEVERORDER"))
	y := 27.0
	for _, p := range [][2]string{{"Ordernummer", f.Number("do_number", s.Order)}, {"Datum", f.Day("issue_date", s.Noticed)}, {"Zeeschip / reis", f.Text("vessel", s.Ship.Name) + " / " + f.Number("voyage", s.Voyage)}, {"B/L rederij", f.Number("bl_number", s.BL)}, {"House B/L", f.Number("hbl_number", s.HBL)}, {"Ophalen bij terminal", f.Text("terminal", s.Terminal.Name)}, {"Pincode", f.Number("pickup_number", s.Pickup)}, {"Vrij tot en met", f.Day("last_free_day", s.FreeUntil)}, {"Leeg inleveren bij", f.Text("empty_return", s.Depot)}} {
		f.Say(12, y, 8.5, "", p[0])
		f.Say(54, y, 8.5, "", ":")
		f.Fill(58, y, 130, 9, p[1])
		y += 5
	}
	f.Say(12, y+3, 8.5, "B", "Vervoerder")
	stack(f, 12, y+8, 85, 9, f.Party("trucker", s.Trucker, 4)...)
	f.Say(108, y+3, 8.5, "B", "Afleveradres")
	stack(f, 108, y+8, 85, 9, f.Party("deliver_to", s.Buyer, 4)...)
	y += 28
	var rows [][]string
	for _, b := range s.Containers {
		row := f.Row("containers")
		rows = append(rows, []string{row.Container("number", b.Number), row.Size("size_type", b.Size), row.Number("seal", b.Seal), row.Count("packages", b.Packages), row.BareMass("gross_weight", b.Gross)})
	}
	y = f.Table(12, y, 8.5, false, []form.Column{{Title: "Containernummer", Width: 42}, {Title: "Type", Width: 40}, {Title: "Zegel", Width: 38}, {Title: "Colli", Width: 24, Right: true}, {Title: "Bruto kg", Width: 36, Right: true}}, rows)
	f.Paragraph(12, y+5, 186, 7.5, "Wachturen alleen na overleg. Getekende vrachtbrief terug met de factuur. De lading is door de douane vrijgegeven, tenzij hier anders vermeld.")
}

// italianOrder is an agent's to a terminal in Italian, half in sentences.
func italianOrder(f *form.Form) {
	s := strange(f, "02/01/2006", to("IT"))
	notation(f, ".", ",", 2)
	f.Page("A4")
	f.Say(12, 9, 12, "B", s.Agent.Name)
	f.Say(12, 15, 7, "", strings.Join(s.Agent.Address, ", "))
	f.Right(198, 9, 14, "B", form.Pick(f, "BUONO DI CONSEGNA", "BUONO DI CONSEGNA / DELIVERY ORDER", "ORDINE DI CONSEGNA"))
	f.Right(198, 16, 9, "", "N. "+f.Number("do_number", s.Order)+" del "+f.Day("issue_date", s.Noticed))
	y := f.Prose(12, 28, 186, 9.5, "Spett.le "+f.Text("terminal", s.Terminal.Name)+", vogliate consegnare la merce sbarcata dalla nave "+f.Text("vessel", s.Ship.Name)+", viaggio "+f.Number("voyage", s.Voyage)+", polizza di carico "+f.Number("bl_number", s.BL)+", come segue.") + 4
	f.Box(12, y, 93, 24, "Destinatario della consegna", f.Party("deliver_to", s.Buyer, 4)...)
	f.Box(105, y, 93, 24, "Autotrasportatore", f.Party("trucker", s.Trucker, 4)...)
	y = ruled(f, 12, y+24, 8, []float64{93, 93}, [][][2]string{{{"Codice ritiro", f.Number("pickup_number", s.Pickup)}, {"Sosta franca fino al", f.Day("last_free_day", s.FreeUntil)}}, {{"Riconsegna del vuoto", f.Text("empty_return", s.Depot)}}}) + 4
	var rows [][]string
	for i, b := range s.Containers {
		row := f.Row("containers")
		rows = append(rows, []string{fmt.Sprint(i + 1), row.Container("number", b.Number), row.Number("seal", b.Seal), row.Size("size_type", b.Size), row.Count("packages", b.Packages), row.Mass("gross_weight", b.Gross), row.Volume("volume", b.Volume)})
	}
	y = f.Table(12, y, 8, true, []form.Column{{Title: "N.", Width: 8}, {Title: "Sigla contenitore", Width: 36}, {Title: "Sigillo", Width: 32}, {Title: "Tipo", Width: 34}, {Title: "Colli", Width: 18, Right: true}, {Title: "Peso lordo", Width: 32, Right: true}, {Title: "Volume", Width: 26, Right: true}}, rows)
	f.Paragraph(12, y+6, 186, 7.5, "La presente vale previo svincolo doganale. Soste e danni al contenitore sono a carico del ricevitore.")
	f.Right(198, 230, 8.5, "", "Per l'agente della compagnia")
}

// appointmentOrder gives every container its own time at the warehouse.
func appointmentOrder(f *form.Form) {
	s := strange(f, form.Pick(f, "01/02/2006", "Mon 01/02/2006", "Jan 2, 2006"), several(to("US")))
	f.Style.Figures = 1
	f.Page("L")
	f.Say(12, 8, 15, "B", form.Pick(f, "DRAYAGE DELIVERY ORDER", "Delivery Order & Appointment Schedule", "DELIVERY ORDER"))
	f.Right(285, 9, 10, "", "Order "+f.Number("do_number", s.Order)+" of "+f.Day("issue_date", s.Noticed))
	widths := []float64{69, 68, 68, 68}
	y := f.Cells(12, 18, 12, widths, [2]string{"SSL bill", f.Number("bl_number", s.BL)}, [2]string{"House bill", f.Number("hbl_number", s.HBL)}, [2]string{"Vessel", f.Text("vessel", s.Ship.Name)}, [2]string{"Voyage", f.Number("voyage", s.Voyage)})
	y = f.Cells(12, y, 12, widths, [2]string{"Pull from", f.Text("terminal", s.Terminal.Name)}, [2]string{"FIRMS", f.Number("firms_code", s.Terminal.FIRMS)}, [2]string{"Pickup number", f.Number("pickup_number", s.Pickup)}, [2]string{"Last free day at port", f.Day("last_free_day", s.FreeUntil)})
	f.Box(12, y, 137, 22, "Drayman", f.Party("trucker", s.Trucker, 4)...)
	f.Box(149, y, 136, 22, "Ship to", f.Party("deliver_to", s.Buyer, 4)...)
	var rows [][]string
	for i, b := range s.Containers {
		row := f.Row("containers")
		rows = append(rows, []string{row.Container("number", b.Number), row.Size("size_type", b.Size), row.Number("seal", b.Seal), row.Count("packages", b.Packages), row.BarePounds("gross_weight", b.Gross), f.Moment("", s.Arrives.AddDate(0, 0, 3+i).Add(time.Duration(7+2*i)*time.Hour)), fmt.Sprintf("Door %d", 3+f.R.IntN(40))})
	}
	y = f.Table(12, y+26, 8.5, true, []form.Column{{Title: "Unit", Width: 42}, {Title: "Size", Width: 44}, {Title: "Seal", Width: 40}, {Title: "Cartons", Width: 24, Right: true}, {Title: "Lbs", Width: 32, Right: true}, {Title: "Delivery appointment", Width: 60}, {Title: "Dock", Width: 31}}, rows)
	f.Label(12, y+4, 34, 200, 9, "B", "Terminate empty at", f.Text("empty_return", s.Depot))
	f.Paragraph(12, y+12, 270, 7.5, "Missed appointments are rescheduled at the drayman's cost. Report chassis splits the same day. The arrival notice and the packing list travel with the driver; the original bill of lading does not.")
}
