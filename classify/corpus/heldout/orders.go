package heldout

import (
	"fmt"
	"strings"

	"github.com/landfallhq/tracking/classify/corpus/form"
	"github.com/landfallhq/tracking/classify/corpus/truth"
)

var orders = []form.Layout{
	{Name: "do-customs-broker", Type: truth.DeliveryOrder, Copies: 3, Draw: brokerOrder},
	{Name: "do-bilingual", Type: truth.DeliveryOrder, Copies: 2, Draw: bilingualOrder},
	{Name: "do-dispatch", Type: truth.DeliveryOrder, Copies: 2, Draw: dispatchOrder},
}

// brokerOrder is the form of customs brokers in the United States: to the importing
// carrier, delivered to the local carrier.
func brokerOrder(f *form.Form) {
	s := f.S
	f.Page("Letter")
	f.Say(12, 8, 10, "B", s.Notify.Name)
	f.Lines(12, 13, 7, "", s.Notify.Address...)
	f.Centre(130, 9, 16, "B", "DELIVERY ORDER")
	band(f, 12, 26, 64, 12, "OUR REF. / ORDER NO.", f.Number("do_number", s.Order))
	band(f, 76, 26, 64, 12, "DATE", f.Day("issue_date", s.Noticed))
	band(f, 140, 26, 64, 12, "ENTRY NO.", s.Entry)
	band(f, 12, 38, 64, 12, "IMPORTING CARRIER", f.Text("vessel", s.Ship.Name)+" V."+f.Number("voyage", s.Voyage))
	band(f, 76, 38, 64, 12, "LOCATION", f.Text("terminal", s.Terminal.Name))
	band(f, 140, 38, 64, 12, "FROM PORT OF/ORIGIN", s.Lading.Name)
	band(f, 12, 50, 48, 12, "B/L OR AWB NO.", f.Number("bl_number", s.BL))
	band(f, 60, 50, 48, 12, "SUB B/L (HOUSE)", f.Number("hbl_number", s.HBL))
	band(f, 108, 50, 32, 12, "ARRIVAL DATE", f.Day("", s.Arrives))
	band(f, 140, 50, 32, 12, "FREE TIME EXP.", f.Day("last_free_day", s.FreeUntil))
	band(f, 172, 50, 32, 12, "FIRMS", firms(f))
	band(f, 12, 62, 96, 22, "LOCAL DELIVERY OR TRANSFER BY (DELIVERY ORDER ISSUED TO)", f.Party("trucker", s.Trucker, 3)...)
	band(f, 108, 62, 96, 22, "DELIVERY CLERK: DELIVER TO", f.Party("deliver_to", s.Buyer, 4)...)
	band(f, 12, 84, 96, 12, "PICKUP NO. / P.I.N.", f.Number("pickup_number", s.Pickup))
	band(f, 108, 84, 96, 12, "RETURN EMPTY CONTAINER TO", f.Text("empty_return", s.Depot))
	var rows [][]string
	for _, b := range s.Containers {
		row := f.Row("containers")
		rows = append(rows, []string{row.Container("number", b.Number) + " SEAL " + row.Number("seal", b.Seal), row.Count("packages", b.Packages), row.Size("size_type", b.Size) + " SAID TO CONTAIN " + s.Goods[0].Words, row.Pounds("gross_weight", b.Gross)})
	}
	f.Table(12, 100, 8, true, []form.Column{{Title: "MARKS & NUMBERS", Width: 66}, {Title: "NO. OF PKGS.", Width: 24}, {Title: "DESCRIPTION OF ARTICLES", Width: 68}, {Title: "WEIGHT", Width: 34, Right: true}}, rows)
	f.Box(12, 235, 96, 18, "RECEIVED IN GOOD ORDER BY", "")
	f.Box(108, 235, 96, 18, "PER (for the broker)", s.Notify.Name)
	f.Say(12, 256, 6, "", "INLAND FREIGHT COLLECT. Carrier to notify this office at once of any exception. Liable for demurrage if free time is missed.")
}

func firms(f *form.Form) string {
	if f.S.Terminal.FIRMS == "" {
		return ""
	}
	return f.Number("firms_code", f.S.Terminal.FIRMS)
}

// bilingualOrder is that of a port agent in Europe: release to the bearer.
func bilingualOrder(f *form.Form) {
	s := f.S
	w := form.Pick(f,
		[]string{"FREISTELLUNG", "Auftragsnummer", "Datum", "Konnossement", "Schiff", "Reise", "Umschlagbetrieb", "Freistellreferenz", "frei bis", "auszuliefern an", "Leerrückgabe", "Gewicht"},
		[]string{"BON À DÉLIVRER", "Numéro", "Date", "Connaissement", "Navire", "Voyage", "Terminal", "Code de retrait", "franchise jusqu'au", "livrer à", "Retour du vide", "Poids"},
		[]string{"ENTRÉGUESE", "Número", "Fecha", "Conocimiento", "Buque", "Viaje", "Terminal", "Código de retirada", "libre hasta", "entregar a", "Devolución del vacío", "Peso"},
	)
	f.Page("A4")
	f.Right(198, 10, 9, "B", s.Agent.Name)
	f.Right(198, 15, 7, "", strings.Join(s.Agent.Address, ", "))
	f.Say(12, 24, 15, "B", "DELIVERY ORDER")
	f.Say(12, 31, 10, "I", w[0])
	y := 42.0
	pair := func(english, other, value string) {
		f.Say(12, y, 8.5, "B", english)
		f.Say(12, y+3.6, 6.5, "I", other)
		f.Fill(70, y, 120, 9, value)
		y += 9
	}
	pair("Delivery order No.", w[1], f.Number("do_number", s.Order))
	pair("Date", w[2], f.Day("issue_date", s.Noticed))
	pair("Bill of lading", w[3], f.Number("bl_number", s.BL))
	pair("Vessel", w[4], f.Text("vessel", s.Ship.Name))
	pair("Voyage", w[5], f.Number("voyage", s.Voyage))
	pair("Terminal", w[6], f.Text("terminal", s.Terminal.Name))
	pair("Release PIN", w[7], f.Number("pickup_number", s.Pickup))
	pair("Free of storage until", w[8], f.Day("last_free_day", s.FreeUntil))
	pair("Deliver to", w[9], f.Party("deliver_to", s.Buyer, 1)[0])
	pair("Empty return depot", w[10], f.Text("empty_return", s.Depot))
	var rows [][]string
	for _, b := range s.Containers {
		row := f.Row("containers")
		rows = append(rows, []string{row.Container("number", b.Number), row.Size("size_type", b.Size), row.Number("seal", b.Seal), row.Count("packages", b.Packages), row.Mass("gross_weight", b.Gross)})
	}
	f.Table(12, y+3, 8, true, []form.Column{{Title: "Container", Width: 40}, {Title: "Type", Width: 42}, {Title: "Seal", Width: 36}, {Title: "Colli", Width: 22, Right: true}, {Title: "Weight / " + w[11], Width: 42, Right: true}}, rows)
	f.Paragraph(12, 262, 186, 6.5, "Release only against this order, or the PIN. Valid until free time ends; later charges are for account of the receiver.")
}

// dispatchOrder is a work order to a trucker: stops below each other, a section for
// each container.
func dispatchOrder(f *form.Form) {
	s := f.S
	s.BL = s.BL[4:]
	f.Page("Letter")
	f.Say(12, 9, 14, "B", "Delivery Order #"+f.Number("do_number", s.Order))
	f.Right(204, 10, 9, "", "created "+f.Day("issue_date", s.Noticed)+" by "+s.Forward.Name)
	f.Rule(12, 17, 204, 17)
	f.Say(12, 20, 8, "B", "DISPATCHED TO")
	for i, line := range f.Party("trucker", s.Trucker, 3) {
		f.Fill(12, 24.5+4*float64(i), 90, 9, line)
	}
	f.Say(110, 20, 8, "B", "MASTER BILL")
	f.Fill(150, 20, 54, 9, f.Number("bl_number", s.BL))
	f.Say(110, 25, 8, "B", "VESSEL/VOY")
	f.Fill(150, 25, 54, 9, f.Text("vessel", s.Ship.Name)+" / "+f.Number("voyage", s.Voyage))
	f.Say(110, 30, 8, "B", "LAST FREE DAY")
	f.Fill(150, 30, 54, 9, f.Day("last_free_day", s.FreeUntil))
	f.Say(12, 42, 10, "B", "STOP 1 - PICK UP LOADED")
	f.Fill(16, 47.5, 110, 9, f.Text("terminal", s.Terminal.Name))
	f.Say(130, 47.5, 8, "B", "PICKUP #")
	f.Fill(150, 47.5, 50, 9, f.Number("pickup_number", s.Pickup))
	f.Say(12, 55, 10, "B", "STOP 2 - DELIVER TO")
	for i, line := range f.Party("deliver_to", s.Buyer, 4) {
		f.Fill(16, 60.5+4*float64(i), 110, 9, line)
	}
	f.Say(12, 79, 10, "B", "STOP 3 - RETURN EMPTY")
	f.Fill(16, 84.5, 110, 9, f.Text("empty_return", s.Depot))
	y := 95.0
	for i, b := range s.Containers {
		row := f.Row("containers")
		f.Shade(12, y, 192, 6, 225)
		f.Say(14, y+1.6, 9, "B", fmt.Sprintf("UNIT %d", i+1))
		f.Fill(34, y+1.6, 60, 9, row.Container("number", b.Number))
		f.Fill(100, y+1.6, 60, 9, row.Size("size_type", b.Size))
		f.Say(14, y+8, 8, "", "Seal #")
		f.Fill(34, y+8, 50, 9, row.Number("seal", b.Seal))
		f.Say(86, y+8, 8, "", "Pieces")
		f.Fill(100, y+8, 20, 9, row.Count("packages", b.Packages))
		f.Say(128, y+8, 8, "", "Weight")
		f.Fill(144, y+8, 50, 9, row.Pounds("gross_weight", b.Gross))
		y += 16
	}
	f.Paragraph(12, y+4, 190, 8, "Call for an appointment 24 hours ahead. Photos of seal and of the empty container are required. Waiting time must be approved by our office before it is billed.")
}
