package train

import (
	"fmt"
	"strings"

	"github.com/landfallhq/tracking/classify/corpus/form"
	"github.com/landfallhq/tracking/classify/corpus/truth"
)

var variedBills = []form.Layout{
	{Name: "bl-column", Type: truth.BillOfLading, Copies: 2, Draw: columnBill},
	{Name: "bl-inline", Type: truth.BillOfLading, Copies: 2, Draw: inlineBill},
	{Name: "bl-leaders", Type: truth.BillOfLading, Copies: 2, Draw: leaderBill},
	{Name: "bl-side", Type: truth.BillOfLading, Copies: 2, Draw: sideBill},
	{Name: "swb-bands", Type: truth.SeaWaybill, Copies: 2, Draw: bandWaybill},
	{Name: "swb-typed", Type: truth.SeaWaybill, Copies: 2, Draw: typedWaybill},
}

// inline prints a caption and its value as one text.
func inline(f *form.Form, x, y, width float64, caption, value string) float64 {
	f.Fill(x, y, width, 8.5, caption+" "+value)
	return y + 4.4
}

// stacked prints the container's particulars in one column, one below the other, and
// its goods, weight and volume in the next ones, as most carriers' forms have them.
func stacked(f *form.Form, x, y float64, goods string) float64 {
	s := f.S
	text := f.Text("description", goods)
	for i, b := range s.Containers {
		row := f.Row("containers")
		f.Fill(x, y, 42, 8, row.Container("number", b.Number))
		f.Fill(x, y+3.8, 42, 8, "SEAL "+row.Number("seal", b.Seal))
		f.Fill(x, y+7.6, 42, 8, row.Size("size_type", b.Size))
		f.Fill(x+44, y, 26, 8, row.Count("packages", b.Packages)+" CARTONS")
		f.Fill(x+128, y, 26, 8, row.Mass("gross_weight", b.Gross))
		f.Fill(x+156, y, 26, 8, row.Volume("volume", b.Volume))
		if i == 0 {
			f.Prose(x+72, y, 52, 7, text)
		}
		y += 13
	}
	return y + 20
}

// columnBill is a liner form of the old kind: the parties and the route down the left
// half, and the right half empty but for the number.
func columnBill(f *form.Form) {
	s := f.S
	f.Page("A4")
	f.Right(196, 12, 13, "B", "BILL OF LADING")
	f.Right(196, 19, 8, "", form.Pick(f, "For port to port or combined transport shipment", "TO BE USED WITH CHARTER-PARTIES OR LINER SERVICE", "Received for shipment"))
	f.Box(12, 10, 90, 25, form.Pick(f, "Shipper", "Consignor", "Shipper / Exporter (full style and address)"), f.Party("shipper", s.Shipper, 4)...)
	f.Box(102, 26, 96, 9, "", "")
	f.Say(103, 27, 6, "", form.Pick(f, "B/L No.", "Bill of Lading number", "B/L number"))
	f.Fill(140, 28, 55, 9, f.Number("bl_number", s.BL))
	f.Box(12, 35, 90, 25, form.Pick(f, "Consignee or order", "Consigned to the order of", "Consignee (or Order of)"), f.Party("consignee", s.Buyer, 4)...)
	f.Box(12, 60, 90, 25, form.Pick(f, "Notify address", "Notify party/address", "Notify"), f.Party("notify_party", s.Notify, 4)...)
	f.Centre(150, 60, 17, "B", strings.ToUpper(s.Line.ShortName))
	f.SCAC(s.Line)
	f.Box(12, 85, 45, 10, "Pre-carriage by", "")
	f.Box(57, 85, 45, 10, "Place of receipt by pre-carrier", f.Place("place_of_receipt", s.Receipt))
	f.Box(12, 95, 45, 10, form.Pick(f, "Ocean vessel", "Vessel"), "M.V. "+f.Text("vessel", s.Ship.Name))
	f.Box(57, 95, 45, 10, form.Pick(f, "Voy. No.", "Voyage no"), f.Number("voyage", s.Voyage))
	f.Box(12, 105, 45, 10, "Port of loading", f.Place("port_of_lading", s.Lading))
	f.Box(57, 105, 45, 10, "Port of discharge", f.Place("port_of_discharge", s.Unlading))
	f.Box(12, 115, 90, 10, "Place of delivery by on-carrier", f.Place("place_of_delivery", s.Delivery))
	f.Say(13, 127, 6, "", "Container Nos./Seal Nos.")
	f.Say(13, 130, 6, "", "Marks and Numbers")
	f.Say(56, 127, 6, "", "No. of pkgs.")
	f.Say(84, 127, 6, "", "Description of packages and goods")
	f.Say(140, 127, 6, "", "Gross weight")
	f.Say(168, 127, 6, "", "Measurement")
	stacked(f, 12, 136, described(s))
	f.Box(12, 230, 93, 10, "Freight and charges", freight(f))
	f.Box(12, 240, 93, 10, "Number of original Bs/L", f.Code("originals", "3", form.Pick(f, "THREE (3)", "3/3", "3 (THREE)")))
	f.Box(105, 230, 93, 10, "Place and date of issue", f.Place("issue_place", s.Lading)+", "+f.Day("issue_date", s.Sailed))
	f.Box(105, 240, 93, 20, "Signature", "As agents for the carrier")
	f.Say(12, 264, 5.5, "", "Shipped at the port of loading in apparent good order and condition on board the vessel for carriage to the port of discharge.")
}

// inlineBill has captions and values as one text, in two columns.
func inlineBill(f *form.Form) {
	s := f.S
	f.Page("Letter")
	f.Say(12, 10, 13, "B", strings.ToUpper(s.Line.Name))
	f.Say(12, 17, 11, "B", form.Pick(f, "MASTER BILL OF LADING", "BILL OF LADING - ORIGINAL", "Bill of Lading (draft)"))
	f.SCAC(s.Line)
	inline(f, 12, 26, 90, form.Pick(f, "BL#:", "B/L NO:", "MBL:"), f.Number("bl_number", s.BL))
	inline(f, 110, 26, 90, form.Pick(f, "BKG NO:", "Booking Ref.:", "BOOKING:"), f.Number("booking_number", s.Booking))
	y := 34.0
	for i, p := range []struct {
		caption string
		lines   []string
	}{
		{form.Pick(f, "Shipper:", "SHPR:", "SHIPPER/EXPORTER:"), f.Party("shipper", s.Shipper, 4)},
		{form.Pick(f, "Consignee:", "CNEE:"), f.Party("consignee", s.Buyer, 4)},
		{form.Pick(f, "Notify Party:", "NOTIFY:"), f.Party("notify_party", s.Notify, 4)},
	} {
		x := 12.0 + 98*float64(i%2)
		f.Say(x, y, 8, "B", p.caption)
		for n, line := range p.lines {
			f.Fill(x, y+4.2*float64(n+1), 92, 8.5, line)
		}
		if i == 1 {
			y += 25
		}
	}
	y += 26
	inline(f, 12, y, 90, "VESSEL/VOYAGE:", f.Text("vessel", s.Ship.Name)+" V."+f.Number("voyage", s.Voyage))
	y = inline(f, 110, y, 90, "LLOYD'S NO.:", f.Number("vessel_imo", s.Ship.IMO))
	inline(f, 12, y, 90, "POL:", f.Place("port_of_lading", s.Lading))
	y = inline(f, 110, y, 90, "POD:", f.Place("port_of_discharge", s.Unlading))
	inline(f, 12, y, 90, "PLACE OF RECEIPT:", f.Place("place_of_receipt", s.Receipt))
	y = inline(f, 110, y, 90, "FINAL DEST.:", f.Place("place_of_delivery", s.Delivery)) + 3
	f.Rule(12, y, 204, y)
	y += 3
	for _, b := range s.Containers {
		row := f.Row("containers")
		f.Fill(12, y, 190, 8, fmt.Sprintf("%s / %s / %s / %s PKGS / %s / %s", row.Container("number", b.Number), row.Number("seal", b.Seal), row.Size("size_type", b.Size), row.Count("packages", b.Packages), row.Mass("gross_weight", b.Gross), row.Volume("volume", b.Volume)))
		y += 4.2
	}
	y += 3
	f.Say(12, y, 8, "B", "CARGO DESCRIPTION:")
	y = f.Prose(12, y+4.5, 170, 8, f.Text("description", described(s))) + 3
	inline(f, 12, y, 90, "FREIGHT TERMS:", freight(f))
	y = inline(f, 110, y, 90, "ORIGINALS:", f.Code("originals", "3", "3"))
	inline(f, 12, y, 90, "SHIPPED ON BOARD:", f.Day("on_board_date", s.Sailed))
	inline(f, 110, y, 90, "ISSUED AT:", f.Place("issue_place", s.Lading))
	inline(f, 12, y+4.4, 90, "DATE OF ISSUE:", f.Day("issue_date", s.Sailed))
}

// leaderBill is a print of a program: captions with dots to the colon, type of one
// width.
func leaderBill(f *form.Form) {
	s := f.S
	f.Font, f.ValueFont = form.Typed, form.Typed
	f.Page("A4")
	f.Centre(105, 10, 12, "B", strings.ToUpper(s.Line.Name))
	f.Centre(105, 16, 11, "B", "B I L L   O F   L A D I N G")
	f.Centre(105, 21, 8, "", "OCEAN BILL OF LADING - NON NEGOTIABLE COPY")
	f.SCAC(s.Line)
	y := 30.0
	line := func(caption, value string) {
		f.Fill(12, y, 185, 9, caption+strings.Repeat(".", 24-len(caption))+": "+value)
		y += 4.3
	}
	lines := func(caption string, values []string) {
		line(caption, values[0])
		for _, v := range values[1:] {
			f.Fill(12+26*1.905, y, 130, 9, v)
			y += 4.3
		}
	}
	line("B/L NUMBER", f.Number("bl_number", s.BL))
	line("BOOKING REFERENCE", f.Number("booking_number", s.Booking))
	lines("SHIPPER", f.Party("shipper", s.Shipper, 3))
	lines("CONSIGNEE", f.Party("consignee", s.Buyer, 3))
	lines("NOTIFY PARTY", f.Party("notify_party", s.Notify, 3))
	line("VESSEL", f.Text("vessel", s.Ship.Name))
	line("VOYAGE", f.Number("voyage", s.Voyage))
	line("LOAD PORT", f.Place("port_of_lading", s.Lading))
	line("DISCHARGE PORT", f.Place("port_of_discharge", s.Unlading))
	line("DELIVERY PLACE", f.Place("place_of_delivery", s.Delivery))
	line("FREIGHT", freight(f))
	line("ON BOARD DATE", f.Day("on_board_date", s.Sailed))
	line("NO. OF ORIGINALS", f.Code("originals", "3", "3"))
	line("ISSUED AT", f.Place("issue_place", s.Lading))
	line("ISSUED ON", f.Day("issue_date", s.Sailed))
	y += 4
	for _, b := range s.Containers {
		row := f.Row("containers")
		line("CONTAINER", row.Container("number", b.Number))
		line("  SEAL", row.Number("seal", b.Seal))
		line("  TYPE", row.Size("size_type", b.Size))
		line("  PACKAGES", row.Count("packages", b.Packages))
		line("  GROSS WEIGHT", row.Mass("gross_weight", b.Gross))
		line("  MEASUREMENT", row.Volume("volume", b.Volume))
	}
}

// sideBill has frames with the caption at the left and the value beside it.
func sideBill(f *form.Form) {
	s := f.S
	f.Page("A4")
	f.Badge(12, 8, 40, 10)
	f.Right(198, 9, 13, "B", form.Pick(f, "BILL OF LADING", "Multimodal Transport Bill of Lading"))
	f.Say(56, 10, 10, "B", s.Line.Name)
	f.SCAC(s.Line)
	y := 22.0
	cell := func(x, w, h, gap float64, caption string, lines ...string) {
		f.Frame(x, y, w, h)
		f.Say(x+1, y+1.5, 7, "", caption)
		for i, line := range lines {
			f.Fill(x+gap, y+1.2+4*float64(i), w-gap-1, 8.5, line)
		}
	}
	row := func(h float64) { y += h }
	cell(12, 93, 7, 30, "B/L No.", f.Number("bl_number", s.BL))
	cell(105, 93, 7, 30, "Booking No.", f.Number("booking_number", s.Booking))
	row(7)
	cell(12, 186, 18, 30, "Shipper", f.Party("shipper", s.Shipper, 4)...)
	row(18)
	cell(12, 186, 18, 30, "Consignee", f.Party("consignee", s.Buyer, 4)...)
	row(18)
	cell(12, 186, 18, 30, "Notify Party", f.Party("notify_party", s.Notify, 4)...)
	row(18)
	cell(12, 93, 7, 30, "Vessel", f.Text("vessel", s.Ship.Name))
	cell(105, 93, 7, 30, "Voyage No.", f.Number("voyage", s.Voyage))
	row(7)
	cell(12, 93, 7, 30, "Port of Loading", f.Place("port_of_lading", s.Lading))
	cell(105, 93, 7, 30, "Port of Discharge", f.Place("port_of_discharge", s.Unlading))
	row(7)
	cell(12, 93, 7, 30, "Place of Receipt", f.Place("place_of_receipt", s.Receipt))
	cell(105, 93, 7, 30, "Place of Delivery", f.Place("place_of_delivery", s.Delivery))
	row(9)
	y = loads(f, 12, y, 7.5, true) + 2
	cell(12, 186, 30, 30, "Goods")
	f.Prose(42, y+1.2, 130, 8, f.Text("description", described(s)))
	row(30)
	cell(12, 93, 7, 34, "Freight", freight(f))
	cell(105, 93, 7, 34, "No. of original B/L", f.Code("originals", "3", "THREE"))
	row(7)
	cell(12, 93, 7, 34, "Shipped on board", f.Day("on_board_date", s.Sailed))
	cell(105, 93, 7, 34, "Place of issue", f.Place("issue_place", s.Lading))
	row(7)
	cell(12, 93, 7, 34, "Date of issue", f.Day("issue_date", s.Sailed))
}

// bandWaybill has grey bands of captions with the values in a row below.
func bandWaybill(f *form.Form) {
	s := f.S
	f.Page("A4")
	f.Say(12, 9, 15, "B", s.Line.ShortName)
	f.SCAC(s.Line)
	f.Right(198, 9, 13, "B", form.Pick(f, "SEAWAYBILL", "Non-Negotiable Waybill", "SEA WAYBILL"))
	f.Right(198, 16, 8, "", form.Pick(f, "SWB No.: ", "SWB-No. ", "Sea Waybill No. ")+f.Number("bl_number", s.BL))
	y := 24.0
	band := func(titles []string, values [][]string) {
		w := 186 / float64(len(titles))
		f.Shade(12, y, 186, 5, 225)
		deep := 0
		for i, title := range titles {
			f.Say(13+w*float64(i), y+1, 7, "B", title)
			for n, v := range values[i] {
				f.Fill(13+w*float64(i), y+6.5+3.8*float64(n), w-3, 8.5, v)
			}
			deep = max(deep, len(values[i]))
		}
		y += 9 + 3.8*float64(deep)
	}
	one := func(s string) []string { return []string{s} }
	band([]string{form.Pick(f, "Shipper", "Consignor"), form.Pick(f, "Consignee", "Receiver")}, [][]string{f.Party("shipper", s.Shipper, 4), f.Party("consignee", s.Buyer, 4)})
	band([]string{"Notify party", "Booking reference"}, [][]string{f.Party("notify_party", s.Notify, 4), one(f.Number("booking_number", s.Booking))})
	band([]string{form.Pick(f, "Vessel & Voyage", "Vessel / Voy."), "Place of receipt", "Place of delivery"}, [][]string{one(f.Text("vessel", s.Ship.Name) + " / " + f.Number("voyage", s.Voyage)), one(f.Place("place_of_receipt", s.Receipt)), one(f.Place("place_of_delivery", s.Delivery))})
	band([]string{form.Pick(f, "Load port", "POL"), form.Pick(f, "Discharge port", "POD"), "Shipped on board"}, [][]string{one(f.Place("port_of_lading", s.Lading)), one(f.Place("port_of_discharge", s.Unlading)), one(f.Day("on_board_date", s.Sailed))})
	f.Shade(12, y, 186, 5, 225)
	for i, title := range []string{"Cntr / Seal", "Pkgs", "Description of goods", "Weight", "CBM"} {
		f.Say([]float64{13, 57, 85, 141, 169}[i], y+1, 7, "B", title)
	}
	y = stacked(f, 13, y+7, described(s))
	band([]string{"Freight", "Place of issue", "Date of issue"}, [][]string{one(freight(f)), one(f.Place("issue_place", s.Lading)), one(f.Day("issue_date", s.Sailed))})
}

// typedWaybill is a form of boxes filled in by a typewriter, with numbered captions.
func typedWaybill(f *form.Form) {
	s := f.S
	f.Page("Letter")
	f.Font, f.ValueFont = form.Serif, form.Typed
	f.Say(12, 8, 11, "B", s.Line.Name)
	f.SCAC(s.Line)
	f.Say(12, 14, 12, "B", "EXPRESS CARGO WAYBILL (NON-NEGOTIABLE)")
	f.Box(12, 22, 95, 24, "1. Consignor (Name, full address)", f.Party("shipper", s.Shipper, 4)...)
	f.Box(107, 22, 95, 12, "2. Waybill number", f.Number("bl_number", s.BL))
	f.Box(107, 34, 95, 12, "3. Carrier's reference / Booking No.", f.Number("booking_number", s.Booking))
	f.Box(12, 46, 95, 24, "4. Consignee (Name, full address)", f.Party("consignee", s.Buyer, 4)...)
	f.Box(107, 46, 95, 24, "5. Notify (Name, full address)", f.Party("notify_party", s.Notify, 4)...)
	f.Box(12, 70, 63, 11, "6. Vessel and voyage no.", f.Text("vessel", s.Ship.Name)+" "+f.Number("voyage", s.Voyage))
	f.Box(75, 70, 63, 11, "7. Port of loading", f.Place("port_of_lading", s.Lading))
	f.Box(138, 70, 64, 11, "8. Port of discharge", f.Place("port_of_discharge", s.Unlading))
	f.Box(12, 81, 95, 11, "9. Place of acceptance", f.Place("place_of_receipt", s.Receipt))
	f.Box(107, 81, 95, 11, "10. Place of final delivery", f.Place("place_of_delivery", s.Delivery))
	var rows [][]string
	for _, b := range s.Containers {
		row := f.Row("containers")
		rows = append(rows, []string{row.Size("size_type", b.Size), row.Container("number", b.Number), row.Number("seal", b.Seal), row.BareVolume("volume", b.Volume), row.BareMass("gross_weight", b.Gross), row.Count("packages", b.Packages)})
	}
	y := f.Table(12, 96, 8, false, []form.Column{{Title: "Type", Width: 42}, {Title: "Unit No.", Width: 34}, {Title: "Seal", Width: 30}, {Title: "Volume\n(m3)", Width: 24, Right: true}, {Title: "Gross mass\n(kg)", Width: 30, Right: true}, {Title: "No. of\npackages", Width: 26, Right: true}}, rows)
	f.Say(12, y+4, 7, "", "Nature of goods")
	f.Prose(12, y+8, 150, 8, f.Text("description", described(s)))
	f.Box(12, 220, 63, 11, "Freight and charges", freight(f))
	f.Box(75, 220, 63, 11, "Shipped on board (date)", f.Day("on_board_date", s.Sailed))
	f.Box(138, 220, 64, 11, "Place and date of issue", f.Place("issue_place", s.Lading)+" "+f.Day("issue_date", s.Sailed))
}
