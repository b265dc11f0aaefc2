package train

import (
	"fmt"

	"github.com/landfallhq/tracking/classify/corpus/form"
	"github.com/landfallhq/tracking/classify/corpus/truth"
)

var orders = []form.Layout{
	{Name: "do-boxes", Type: truth.DeliveryOrder, Copies: 5, Draw: boxedOrder},
	{Name: "do-trucker", Type: truth.DeliveryOrder, Copies: 4, Draw: truckerOrder},
	{Name: "do-release", Type: truth.DeliveryOrder, Copies: 4, Draw: releaseOrder},
}

// boxedOrder is a broker's order to the trucker, in boxes.
func boxedOrder(f *form.Form) {
	s := f.S
	f.Page("Letter")
	letterhead(f, s.Forward)
	y := f.Y
	f.Right(204, 10, 15, "B", "DELIVERY ORDER")
	f.Box(12, y, 64, 12, "D/O No.", f.Number("do_number", s.Order))
	f.Box(76, y, 64, 12, "Date", f.Day("issue_date", s.Noticed))
	f.Box(140, y, 64, 12, "Our ref.", s.PO)
	f.Box(12, y+12, 96, 24, "Inland carrier (trucker)", f.Party("trucker", s.Trucker, 3)...)
	f.Box(108, y+12, 96, 24, "Deliver to", f.Party("deliver_to", s.Buyer, 4)...)
	f.Box(12, y+36, 96, 12, "Pickup location / terminal", f.Text("terminal", s.Terminal.Name))
	if s.Terminal.FIRMS != "" {
		f.Box(108, y+36, 32, 12, "FIRMS", f.Number("firms_code", s.Terminal.FIRMS))
	}
	f.Box(140, y+36, 64, 12, "Pickup No.", f.Number("pickup_number", s.Pickup))
	f.Box(12, y+48, 64, 12, "Vessel", f.Text("vessel", s.Ship.Name))
	f.Box(76, y+48, 32, 12, "Voyage", f.Number("voyage", s.Voyage))
	f.Box(108, y+48, 96, 12, "Master B/L", f.Number("bl_number", s.BL))
	f.Box(12, y+60, 64, 12, "House B/L", f.Number("hbl_number", s.HBL))
	f.Box(76, y+60, 64, 12, "Arrival date", f.Day("", s.Arrives))
	f.Box(140, y+60, 64, 12, "Last free day", f.Day("last_free_day", s.FreeUntil))
	y = loads(f, 12, y+76, 7.5, true)
	y = f.Prose(12, y+4, 140, 8, described(s))
	f.Pair(12, y+4, 40, 120, "Return empty to:", f.Text("empty_return", s.Depot))
	f.Say(12, 250, 7, "", "Received in good order by ______________________   Date ____________   Time ________")
}

// truckerOrder lists captions and values, then one line a container.
func truckerOrder(f *form.Form) {
	s := f.S
	f.Page("A4")
	f.Centre(105, 12, 16, "B", form.Pick(f, "DELIVERY ORDER", "Pickup and Delivery Order"))
	f.Centre(105, 20, 9, "", s.Forward.Name)
	f.Rule(12, 27, 198, 27)
	y := f.Pair(12, 31, 40, 90, "Order number:", f.Number("do_number", s.Order))
	y = f.Pair(12, y, 40, 90, "Issued:", f.Day("issue_date", s.Noticed))
	y = f.Pair(12, y, 40, 90, "Ocean B/L:", f.Number("bl_number", s.BL))
	y = f.Pair(12, y, 40, 120, "Vessel/voyage:", f.Text("vessel", s.Ship.Name)+" / "+f.Number("voyage", s.Voyage))
	y = party(f, y+2, "Trucking company:", f.Party("trucker", s.Trucker, 3))
	y = f.Pair(12, y+3, 40, 120, "Pick up at:", f.Text("terminal", s.Terminal.Name))
	y = f.Pair(12, y, 40, 120, "Pickup number:", f.Number("pickup_number", s.Pickup))
	y = f.Pair(12, y, 40, 120, "Last free day:", f.Day("last_free_day", s.FreeUntil))
	y = party(f, y+2, "Deliver to:", f.Party("deliver_to", s.Buyer, 4))
	y = f.Pair(12, y+3, 40, 120, "Empty return:", f.Text("empty_return", s.Depot))
	f.Say(12, y+3, 9, "B", "Containers")
	y += 8
	for _, b := range s.Containers {
		row := f.Row("containers")
		f.Fill(12, y, 180, 8.5, fmt.Sprintf("%s   %s   Seal: %s   %s pkgs   %s", row.Container("number", b.Number),
			row.Size("size_type", b.Size), row.Number("seal", b.Seal), row.Count("packages", b.Packages), row.Mass("gross_weight", b.Gross)))
		y += 4.5
	}
	f.Paragraph(12, y+5, 180, 7.5, "Driver must check seal before leaving the terminal. Call two hours before delivery. Detention after two hours free.")
}

// releaseOrder is a line's agent's order to the terminal: release to bearer.
func releaseOrder(f *form.Form) {
	s := f.S
	f.Page("A4")
	letterhead(f, s.Agent)
	f.Centre(105, f.Y, 14, "B", form.Pick(f, "DELIVERY ORDER", "DELIVERY ORDER / CARGO RELEASE"))
	y := f.Y + 10
	f.Field(12, y, 60, "DO NUMBER", f.Number("do_number", s.Order))
	f.Field(75, y, 60, "DO DATE", f.Day("issue_date", s.Noticed))
	f.Field(138, y, 60, "VALID UNTIL (LAST FREE DAY)", f.Day("last_free_day", s.FreeUntil))
	f.Field(12, y+11, 60, "BILL OF LADING", f.Number("bl_number", s.BL))
	f.Field(75, y+11, 60, "VESSEL", f.Text("vessel", s.Ship.Name))
	f.Field(138, y+11, 60, "VOYAGE", f.Number("voyage", s.Voyage))
	f.Field(12, y+22, 100, "TO: TERMINAL", f.Text("terminal", s.Terminal.Name))
	f.Field(138, y+22, 60, "PICKUP NUMBER (PIN)", f.Number("pickup_number", s.Pickup))
	y = f.Paragraph(12, y+36, 180, 8.5, "Please deliver the goods below to the party named, or to its carrier, against this order and payment of your charges.")
	f.Field(12, y+3, 100, "DELIVER TO", f.Party("deliver_to", s.Buyer, 4)...)
	y = loads(f, 12, y+26, 7.5, f.R.IntN(2) == 0)
	f.Field(12, y+5, 100, "EMPTY RETURN LOCATION", f.Text("empty_return", s.Depot))
	f.Say(12, y+22, 8, "", "For "+s.Agent.Name+" as agents only")
}
