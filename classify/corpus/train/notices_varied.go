package train

import (
	"fmt"
	"strings"

	"github.com/landfallhq/tracking/classify/corpus/form"
	"github.com/landfallhq/tracking/classify/corpus/truth"
)

var variedNotices = []form.Layout{
	{Name: "an-prose", Type: truth.ArrivalNotice, Copies: 2, Draw: proseNotice},
	{Name: "an-rows", Type: truth.ArrivalNotice, Copies: 2, Draw: rowNotice},
	{Name: "an-columns", Type: truth.ArrivalNotice, Copies: 2, Draw: columnNotice},
	{Name: "an-typed", Type: truth.ArrivalNotice, Copies: 2, Draw: typedNotice},
}

var variedOrders = []form.Layout{
	{Name: "do-dispatch", Type: truth.DeliveryOrder, Copies: 2, Draw: dispatchOrder},
	{Name: "do-cells", Type: truth.DeliveryOrder, Copies: 2, Draw: cellOrder},
	{Name: "do-prose", Type: truth.DeliveryOrder, Copies: 2, Draw: proseOrder},
}

// proseNotice is a mail: sentences, then a few lines with colons.
func proseNotice(f *form.Form) {
	s := f.S
	f.Page("A4")
	letterhead(f, s.Agent)
	y := f.Y
	f.Right(198, y, 8.5, "", f.Day("issue_date", s.Noticed))
	for i, line := range f.Party("consignee", s.Buyer, 4) {
		f.Fill(12, y+4*float64(i), 90, 8.5, line)
	}
	y += 22
	f.Say(12, y, 10, "B", form.Pick(f, "NOTICE OF ARRIVAL", "Cargo arrival notice", "ARRIVAL ADVICE"))
	y = f.Paragraph(12, y+8, 180, 8.5, "Please be advised that the following shipment carried by "+s.Line.Name+" is expected to arrive as stated below. Kindly present the documents to us.")
	f.SCAC(s.Line)
	y += 3
	for _, p := range [][2]string{
		{form.Pick(f, "B/L No.:", "Our B/L:", "Bill of lading number:"), f.Number("bl_number", s.BL)},
		{form.Pick(f, "M.V.:", "Vessel name:", "Ocean vessel:"), f.Text("vessel", s.Ship.Name) + "   Voy. No.: " + f.Number("voyage", s.Voyage)},
		{"Port of loading:", f.Place("port_of_lading", s.Lading)},
		{"Port of discharge:", f.Place("port_of_discharge", s.Unlading)},
		{form.Pick(f, "Estimated arrival:", "Arr. date:", "ETA:"), f.Day("eta", s.Arrives)},
		{form.Pick(f, "Berth / terminal:", "Terminal:", "Discharging terminal:"), f.Text("terminal", s.Terminal.Name)},
		{form.Pick(f, "Free time until:", "Last free day (LFD):", "Free until:"), f.Day("last_free_day", s.FreeUntil)},
	} {
		y = inline(f, 18, y, 170, p[0], p[1])
	}
	y = f.Table(18, y+4, 8, false, []form.Column{{Title: "Container", Width: 40}, {Title: "Type", Width: 40}, {Title: "Weight (" + f.Kilo + ")", Width: 36, Right: true}, {Title: "Packages", Width: 28, Right: true}}, boxRows(f))
	f.Paragraph(12, y+6, 180, 8.5, "Any storage or demurrage that accrues after the free time is for the account of the cargo. Yours faithfully,")
}

// boxRows are containers with size, weight and packages alone.
func boxRows(f *form.Form) (rows [][]string) {
	for _, b := range f.S.Containers {
		row := f.Row("containers")
		rows = append(rows, []string{row.Container("number", b.Number), row.Size("size_type", b.Size), row.BareMass("gross_weight", b.Gross), row.Count("packages", b.Packages)})
	}
	return rows
}

// rowNotice has its particulars in tables of one row, and charges without lines.
func rowNotice(f *form.Form) {
	s := f.S
	f.Page("L")
	f.Say(12, 10, 15, "B", strings.ToUpper(s.Line.ShortName))
	f.SCAC(s.Line)
	f.Right(285, 10, 15, "B", form.Pick(f, "ARRIVAL NOTICE", "ARRIVAL NOTIFICATION"))
	one := func(y float64, titles []string, values ...string) float64 {
		var columns []form.Column
		for _, title := range titles {
			columns = append(columns, form.Column{Title: title, Width: 273 / float64(len(titles))})
		}
		return f.Table(12, y, 8.5, true, columns, [][]string{values}) + 3
	}
	y := one(22, []string{"B/L Number", "Notice No.", "Date of notice", "Vessel", "Voyage"}, f.Number("bl_number", s.BL), f.Number("notice_number", s.Notice), f.Day("issue_date", s.Noticed), f.Text("vessel", s.Ship.Name), f.Number("voyage", s.Voyage))
	y = one(y, []string{"POL", "POD", "Place of delivery", form.Pick(f, "ETA POD", "ETA")}, f.Place("port_of_lading", s.Lading), f.Place("port_of_discharge", s.Unlading), f.Place("place_of_delivery", s.Delivery), f.Day("eta", s.Arrives))
	f.Field(12, y, 130, "Consignee", f.Party("consignee", s.Buyer, 4)...)
	f.Field(150, y, 130, "Notify", f.Party("notify_party", s.Notify, 4)...)
	y = one(y+22, []string{form.Pick(f, "Freight location", "Terminal"), "Last free day", "Pickup no."}, f.Text("terminal", s.Terminal.Name), f.Day("last_free_day", s.FreeUntil), f.Number("pickup_number", s.Pickup))
	y = loads(f, 12, y, 7.5, true) + 5
	f.Say(12, y, 8.5, "B", "Charges")
	var rows [][]string
	for _, name := range []string{"DESTINATION THC", "DELIVERY ORDER FEE", "IMPORT DOCUMENTATION"}[:2+f.R.IntN(2)] {
		row := f.Row("charges")
		rows = append(rows, []string{row.Text("description", name), row.Money("amount", "EUR", 3000+100*f.R.IntN(400)), "EUR"})
	}
	f.Table(12, y+4, 8, false, []form.Column{{Title: "Description", Width: 70}, {Title: "Amount", Width: 34, Right: true}, {Title: "Currency", Width: 24}}, rows)
}

// columnNotice has two columns of captions with their values beside them.
func columnNotice(f *form.Form) {
	s := f.S
	f.Page("Letter")
	letterhead(f, s.Forward)
	f.Centre(108, f.Y, 13, "B", "Arrival Notice")
	y := f.Y + 9
	f.Field(12, y, 90, "NOTIFY", f.Party("notify_party", s.Notify, 4)...)
	f.Field(110, y, 90, "CNEE", f.Party("consignee", s.Buyer, 4)...)
	y += 22
	pairs := [][2]string{
		{"Our ref", s.PO}, {"Notice date", f.Day("issue_date", s.Noticed)},
		{"HBL", f.Number("hbl_number", s.HBL)}, {"MBL", f.Number("bl_number", s.BL)},
		{"Vessel/Voyage", f.Text("vessel", s.Ship.Name) + " / " + f.Number("voyage", s.Voyage)}, {"AMS No.", f.Number("ams_number", s.AMS)},
		{"Loading port", f.Place("port_of_lading", s.Lading)}, {"Discharge port", f.Place("port_of_discharge", s.Unlading)},
		{"ETD", f.Day("", s.Sailed)}, {"ETA", f.Day("eta", s.Arrives)},
		{"Final destination", f.Place("place_of_delivery", s.Delivery)}, {"LFD", f.Day("last_free_day", s.FreeUntil)},
		{"Available at", f.Text("terminal", s.Terminal.Name)}, {"Freight", "COLLECT"},
	}
	if s.Terminal.FIRMS != "" {
		pairs = append(pairs, [2]string{"FIRMS", f.Number("firms_code", s.Terminal.FIRMS)}, [2]string{"G.O. date", f.Day("go_date", s.GeneralOrder)})
	}
	for i, p := range pairs {
		x := 12 + 98*float64(i%2)
		f.Say(x, y, 8, "", p[0])
		f.Fill(x+32, y, 62, 8.5, p[1])
		if i%2 == 1 {
			y += 5
		}
	}
	y = loads(f, 12, y+4, 7.5, false)
	f.Say(12, y+6, 7, "", "Please send the original house bill of lading and a customs release to our office before pickup.")
}

// typedNotice is in type of one width, with dashes as rules.
func typedNotice(f *form.Form) {
	s := f.S
	f.Font, f.ValueFont = form.Typed, form.Typed
	f.Page("A4")
	f.Say(12, 10, 11, "B", s.Line.Name)
	f.SCAC(s.Line)
	f.Say(12, 16, 11, "B", "*** ARRIVAL NOTICE ***")
	y := 24.0
	pair := func(caption, value string) {
		f.Fill(12, y, 185, 9, fmt.Sprintf("%-18s: %s", caption, value))
		y += 4.4
	}
	rule := func() {
		f.Say(12, y, 9, "", strings.Repeat("-", 90))
		y += 4.4
	}
	pair("NOTICE DATE", f.Day("issue_date", s.Noticed))
	pair("BL NUMBER", f.Number("bl_number", s.BL))
	pair("VESSEL", f.Text("vessel", s.Ship.Name))
	pair("VOYAGE", f.Number("voyage", s.Voyage))
	pair("LOAD PORT", f.Place("port_of_lading", s.Lading))
	pair("DISCHARGE PORT", f.Place("port_of_discharge", s.Unlading))
	pair("ARRIVAL DATE", f.Day("eta", s.Arrives))
	pair("TERMINAL", f.Text("terminal", s.Terminal.Name))
	pair("LAST FREE DAY", f.Day("last_free_day", s.FreeUntil))
	rule()
	pair("CONSIGNEE", f.Party("consignee", s.Buyer, 2)[0])
	pair("NOTIFY PARTY", f.Party("notify_party", s.Notify, 2)[0])
	rule()
	for _, b := range s.Containers {
		row := f.Row("containers")
		f.Fill(12, y, 185, 9, fmt.Sprintf("%-14s %-12s %-8s %6s PKGS %s", row.Container("number", b.Number), row.Number("seal", b.Seal), row.Size("size_type", b.Size), row.Count("packages", b.Packages), row.Mass("gross_weight", b.Gross)))
		y += 4.4
	}
}

// dispatchOrder is a form of a trucking desk: where from, where to, what.
func dispatchOrder(f *form.Form) {
	s := f.S
	f.Page("Letter")
	f.Say(12, 10, 12, "B", s.Forward.Name)
	f.Right(204, 10, 14, "B", form.Pick(f, "PICK-UP & DELIVERY ORDER", "DELIVERY ORDER", "DISPATCH ORDER"))
	f.Right(204, 17, 9, "", form.Pick(f, "D.O. #: ", "Order No. ", "DO No: ")+f.Number("do_number", s.Order))
	f.Right(204, 22, 9, "", "Date: "+f.Day("issue_date", s.Noticed))
	y := 30.0
	for i, p := range []struct {
		caption string
		lines   []string
	}{
		{form.Pick(f, "CARRIER / TRUCKER", "Drayage company", "Motor carrier"), f.Party("trucker", s.Trucker, 4)},
		{form.Pick(f, "PICK UP FROM", "Pick up at"), []string{f.Text("terminal", s.Terminal.Name)}},
		{form.Pick(f, "DELIVER TO", "Ship to", "Delivery address"), f.Party("deliver_to", s.Buyer, 4)},
		{form.Pick(f, "RETURN EMPTY TO", "Empty return"), []string{f.Text("empty_return", s.Depot)}},
	} {
		x := 12 + 98*float64(i%2)
		f.Shade(x, y, 94, 5, 220)
		f.Say(x+1, y+1, 8, "B", p.caption)
		for n, line := range p.lines {
			f.Fill(x+1, y+6.5+4*float64(n), 90, 8.5, line)
		}
		if i%2 == 1 {
			y += 25
		}
	}
	inline(f, 12, y, 60, "MBL:", f.Number("bl_number", s.BL))
	inline(f, 80, y, 60, "HBL:", f.Number("hbl_number", s.HBL))
	y = inline(f, 145, y, 58, "Vessel:", f.Text("vessel", s.Ship.Name)+" / "+f.Number("voyage", s.Voyage))
	inline(f, 12, y, 60, "PU#:", f.Number("pickup_number", s.Pickup))
	y = inline(f, 80, y, 60, "LFD:", f.Day("last_free_day", s.FreeUntil))
	loads(f, 12, y+5, 7.5, true)
	f.Say(12, 255, 7, "", "Driver signature ____________________    Received by ____________________")
}

// cellOrder has captions at the left of their frames.
func cellOrder(f *form.Form) {
	s := f.S
	f.Page("A4")
	f.Centre(105, 9, 11, "B", s.Agent.Name)
	f.Centre(105, 15, 14, "B", form.Pick(f, "DELIVERY ORDER", "Release Order"))
	y := 26.0
	line := func(h float64, caption string, values ...string) {
		f.Frame(12, y, 186, h)
		f.Rule(60, y, 60, y+h)
		f.Say(13, y+1.5, 8, "", caption)
		for i, v := range values {
			f.Fill(62, y+1.5+4*float64(i), 130, 8.5, v)
		}
		y += h
	}
	line(6.5, form.Pick(f, "Delivery order no.", "D/O reference"), f.Number("do_number", s.Order))
	line(6.5, "Date of issue", f.Day("issue_date", s.Noticed))
	line(6.5, "Bill of lading no.", f.Number("bl_number", s.BL))
	line(6.5, "Vessel / voyage", f.Text("vessel", s.Ship.Name)+" / "+f.Number("voyage", s.Voyage))
	line(6.5, "Terminal", f.Text("terminal", s.Terminal.Name))
	line(6.5, form.Pick(f, "Release no.", "Release PIN", "Pick-up reference"), f.Number("pickup_number", s.Pickup))
	line(6.5, form.Pick(f, "Valid until", "Free time expires"), f.Day("last_free_day", s.FreeUntil))
	line(19, form.Pick(f, "Deliver to", "Release to"), f.Party("deliver_to", s.Buyer, 4)...)
	line(15, "Haulier", f.Party("trucker", s.Trucker, 3)...)
	line(6.5, "Empty return depot", f.Text("empty_return", s.Depot))
	f.Table(12, y+4, 8, true, []form.Column{{Title: "Container", Width: 46}, {Title: "Size/Type", Width: 46}, {Title: "Gross weight (" + f.Kilo + ")", Width: 46, Right: true}, {Title: "Packages", Width: 30, Right: true}}, boxRows(f))
}

// proseOrder orders by sentences and a short list.
func proseOrder(f *form.Form) {
	s := f.S
	f.Page("A4")
	letterhead(f, s.Agent)
	y := f.Y
	f.Say(12, y, 9, "", "To: "+f.Text("terminal", s.Terminal.Name))
	f.Say(12, y+5, 9, "", "Date: "+f.Day("issue_date", s.Noticed))
	f.Say(12, y+13, 11, "B", "DELIVERY ORDER NO. "+f.Number("do_number", s.Order))
	y = f.Paragraph(12, y+21, 180, 9, "Please deliver to the party named below, or its haulier, the following containers against this order and subject to your charges being paid.")
	y += 3
	y = inline(f, 12, y, 180, "Ex vessel:", f.Text("vessel", s.Ship.Name)+" voyage "+f.Number("voyage", s.Voyage))
	y = inline(f, 12, y, 180, "B/L:", f.Number("bl_number", s.BL))
	y = inline(f, 12, y, 180, "Free until:", f.Day("last_free_day", s.FreeUntil))
	f.Say(12, y+3, 8.5, "B", "Deliver to:")
	for i, line := range f.Party("deliver_to", s.Buyer, 4) {
		f.Fill(40, y+3+4*float64(i), 120, 8.5, line)
	}
	y += 24
	for i, b := range s.Containers {
		row := f.Row("containers")
		f.Fill(12, y, 180, 8.5, fmt.Sprintf("%d)  %s  %s  seal %s  gross %s", i+1, row.Container("number", b.Number), row.Size("size_type", b.Size), row.Number("seal", b.Seal), row.Mass("gross_weight", b.Gross)))
		y += 4.6
	}
	f.Say(12, y+5, 9, "", "Empty containers to be returned to: "+f.Text("empty_return", s.Depot))
}
