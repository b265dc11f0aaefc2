package train

import (
	"fmt"
	"strings"

	"github.com/landfallhq/tracking/classify/corpus/form"
	"github.com/landfallhq/tracking/classify/corpus/truth"
)

// specimenBillsB are transport documents of the second lot.
var specimenBillsB = []form.Layout{
	{Name: "bl-onward-routing", Type: truth.BillOfLading, Copies: 2, Draw: onwardBill},
	{Name: "bl-charter", Type: truth.BillOfLading, Copies: 2, Draw: charterBill},
	{Name: "bl-final-place", Type: truth.BillOfLading, Copies: 2, Draw: finalPlaceBill},
	{Name: "swb-flag", Type: truth.SeaWaybill, Copies: 2, Draw: flagWaybill},
	{Name: "hbl-on-board-stamp", Type: truth.HouseBillOfLading, Copies: 2, Draw: stampedHouseBill},
	{Name: "hbl-groupage", Type: truth.HouseBillOfLading, Copies: 2, Draw: groupageBill},
}

// under prints a rule, a caption of several lines in small type under it, and what is
// filled in below, deep from the rule.
func under(f *form.Form, x, y, w, deep float64, caption string, lines ...string) {
	f.Rule(x, y, x+w-1, y)
	f.Paragraph(x, y+0.8, w-2, 5.5, caption)
	stack(f, x+1, y+deep, w-3, 9, lines...)
}

// onwardBill has rules and no frames, number and line's code at the right of the title,
// captions that go on about clauses, and containers in columns without captions.
func onwardBill(f *form.Form) {
	s := f.S
	f.Page("A4")
	f.Say(12, 9, 18, "B", s.Line.ShortName)
	f.Lines(70, 9, 8, "B", "BILL OF LADING FOR OCEAN TRANSPORT", "OR MULTIMODAL TRANSPORT")
	f.Label(150, 8, 14, 50, 8, "", "SCAC", f.SCAC(s.Line))
	f.Label(150, 13, 14, 50, 8, "", "B/L No.", f.Number("bl_number", s.BL))
	under(f, 12, 20, 94, 4, "Shipper", f.Party("shipper", s.Shipper, 4)...)
	under(f, 106, 20, 94, 4, "Booking No.", f.Number("booking_number", s.Booking))
	under(f, 106, 30, 60, 4, "Export references", s.PO)
	under(f, 166, 30, 34, 4, "Svc Contract", "29"+s.Pickup)
	under(f, 106, 44, 94, 7, "Onward inland routing (Not part of Carriage as defined in clause 1. For account and risk of Merchant)", "")
	under(f, 12, 44, 94, 7, "Consignee (negotiable only if consigned \"to order\", \"to order of\" a named Person or \"to order of bearer\")", f.Party("consignee", s.Buyer, 4)...)
	under(f, 12, 71, 94, 4, "Notify Party (see clause 22)", f.Party("notify_party", s.Notify, 4)...)
	under(f, 12, 95, 58, 4, "Vessel (see clause 1 + 19)", f.Text("vessel", s.Ship.Name))
	under(f, 70, 95, 36, 4, "Voyage No.", f.Number("voyage", s.Voyage))
	under(f, 106, 95, 94, 7, "Place of Receipt. Applicable only when document used as Multimodal Transport B/L. (see clause 1)", f.Place("place_of_receipt", s.Receipt))
	under(f, 12, 107, 47, 7, "Port of Loading", f.Place("port_of_lading", s.Lading))
	under(f, 59, 107, 47, 7, "Port of Discharge", f.Place("port_of_discharge", s.Unlading))
	under(f, 106, 107, 94, 7, "Place of Delivery. Applicable only when document used as Multimodal Transport B/L. (see clause 1)", f.Place("place_of_delivery", s.Delivery))
	f.Rule(12, 119, 200, 119)
	f.Centre(105, 120, 6.5, "B", "PARTICULARS FURNISHED BY SHIPPER")
	under(f, 12, 124, 120, 7, "Kind of Packages; Description of goods; Marks and Numbers; Container No./Seal No.", fmt.Sprintf("%d container(s) said to contain %d CARTONS", len(s.Containers), s.Packages()))
	under(f, 140, 124, 28, 7, "Weight", f.Mass("", s.Gross()))
	under(f, 170, 124, 30, 7, "Measurement", f.Volume("", s.Volume()))
	y := f.Prose(13, 137, 118, 8.5, f.Text("description", named(s))) + 4
	for _, b := range s.Containers {
		row := f.Row("containers")
		for i, cell := range []string{row.Container("number", b.Number), row.Number("seal", b.Seal), lineSize(row, 2, b.Size), row.Count("packages", b.Packages) + " CARTONS", row.Mass("gross_weight", b.Gross), row.Volume("volume", b.Volume)} {
			f.Fill([]float64{13, 46, 80, 108, 136, 170}[i], y, []float64{32, 32, 27, 27, 32, 30}[i], 8.5, cell)
		}
		y += 4
	}
	y = stack(f, 13, y+3, 110, 8.5, "SHIPPER'S LOAD, STOW, WEIGHT AND COUNT", freight(f), "CY/CY")
	f.Say(13, y+4, 5.5, "", "Above particulars as declared by Shipper, but without responsibility of or representation by Carrier (see clause 14)")
	for i, title := range []string{"Freight & Charges", "Rate", "Unit", "Currency", "Prepaid", "Collect"} {
		f.Say([]float64{13, 70, 95, 115, 140, 170}[i], 228, 6, "", title)
	}
	f.Rule(12, 227, 200, 227)
	under(f, 12, 240, 60, 9, "Carrier's Receipt (see clause 1 and 14). Total number of containers or packages received by Carrier.", fmt.Sprintf("%d container(s)", len(s.Containers)))
	under(f, 72, 240, 60, 9, "Place of Issue of B/L", f.Place("issue_place", s.Lading))
	under(f, 12, 255, 60, 4, "Number & Sequence of Original B(s)/L", f.Code("originals", "3", form.Pick(f, "THREE/3", "3", "THREE (3)")))
	under(f, 72, 255, 60, 4, "Date of Issue of B/L", f.Day("issue_date", s.Sailed))
	under(f, 12, 266, 60, 4, "Declared Value (see clause 7.3)", "")
	under(f, 72, 266, 60, 4, "Shipped on Board Date (Local Time)", f.Day("on_board_date", s.Sailed))
	f.Paragraph(134, 241, 66, 4.5, "Shipped, as far as could be ascertained by reasonable means of checking, in apparent good order, for carriage from the port of loading to the port of discharge. The merchant agrees to the terms overleaf.")
	f.Say(134, 270, 6, "", "Signed for the Carrier "+s.Line.Name)
}

// charterBill is the form that goes with charter-parties: no containers, no voyage, and
// of the freight only where it is agreed.
func charterBill(f *form.Form) {
	s := f.S
	f.Page("A4")
	f.Right(200, 8, 6, "", "CODE NAME: \"CHARTERBILL\"   EDITION 2016")
	f.Captioned(10, 12, 95, 28, 6, "Shipper", f.Party("shipper", s.Shipper, 4)...)
	f.Say(112, 14, 14, "B", "BILL OF LADING")
	f.Say(112, 21, 7, "", "TO BE USED WITH CHARTER-PARTIES")
	f.Label(160, 14.5, 0, 40, 8, "", "B/L No.", f.Number("bl_number", s.BL))
	f.Label(112, 28, 0, 86, 7, "", "Reference No.", s.PO)
	f.Captioned(10, 40, 95, 28, 6, "Consignee", f.Party("consignee", s.Buyer, 4)...)
	f.Captioned(10, 68, 95, 28, 6, "Notify address", f.Party("notify_party", s.Notify, 4)...)
	f.Captioned(10, 96, 48, 12, 6, "Vessel", "MV "+f.Text("vessel", s.Ship.Name))
	f.Captioned(58, 96, 47, 12, 6, "Port of loading", f.Place("port_of_lading", s.Lading))
	f.Captioned(10, 108, 95, 12, 6, "Port of discharge", f.Place("port_of_discharge", s.Unlading))
	f.Captioned(10, 120, 190, 96, 6, "Shipper's description of goods", "")
	f.Say(165, 121, 6, "", "Gross weight")
	f.Prose(14, 130, 120, 9, f.Text("description", named(s)))
	f.Fill(160, 130, 38, 9, f.Mass("", s.Gross()))
	stack(f, 14, 160, 120, 9, "CLEAN ON BOARD "+f.Day("on_board_date", s.Sailed), "STOWED IN HOLDS NO. 2 AND 4")
	f.Say(14, 211, 6, "", "(of which NIL on deck at Shipper's risk; the Carrier not being responsible for loss or damage howsoever arising)")
	f.Frame(10, 216, 80, 60)
	f.Label(12, 219, 0, 76, 7, "", "Freight payable as per CHARTER-PARTY dated", f.Day("", s.Booked.AddDate(0, -1, 0)))
	f.Lines(12, 227, 7, "", "FREIGHT ADVANCE.", "Received on account of freight: as agreed")
	f.Say(12, 240, 7, "", "Time used for loading .......... days .......... hours.")
	f.Paragraph(92, 218, 106, 6.5, "SHIPPED at the port of loading in apparent good order and condition on board the vessel for carriage to the port of discharge, or so near to it as she may safely get. Weight, measure, quality, quantity, condition, contents and value are unknown to the master.")
	f.Captioned(90, 240, 110, 12, 6, "Freight payable at", "AS PER CHARTER-PARTY")
	f.Captioned(90, 252, 45, 12, 6, "Number of original Bs/L", f.Code("originals", "3", form.Pick(f, "THREE", "3 (THREE)", "3/3")))
	f.Captioned(135, 252, 65, 12, 6, "Place and date of issue", f.Place("issue_place", s.Lading)+", "+f.Day("issue_date", s.Sailed))
	f.Captioned(90, 264, 110, 12, 6, "Signature", "FOR THE MASTER, "+s.Agent.Name)
}

// finalPlaceBill has the voyage far from its vessel, at the top, stars on captions, a
// column of tare weights, and units in the titles.
func finalPlaceBill(f *form.Form) {
	s := f.S
	f.Page("A4")
	f.Frame(10, 8, 92, 24)
	f.Field(11, 9, 90, "SHIPPER", f.Party("shipper", s.Shipper, 4)...)
	f.Centre(150, 9, 13, "B", "BILL OF LADING")
	middle(f, 102, 16, 42, 12, "VOYAGE NUMBER", f.Number("voyage", s.Voyage))
	middle(f, 144, 16, 56, 12, "BILL OF LADING NUMBER", f.Number("bl_number", s.BL))
	f.Say(103, 29, 6, "", "EXPORT REFERENCES")
	f.Fill(103, 33, 90, 8, "BKG "+f.Number("booking_number", s.Booking)+"  PO "+s.PO)
	f.Frame(10, 32, 92, 24)
	f.Field(11, 33, 90, "CONSIGNEE", f.Party("consignee", s.Buyer, 4)...)
	f.Frame(10, 56, 92, 24)
	f.Field(11, 57, 90, "NOTIFY PARTY, Carrier not to be responsible for failure to notify", f.Party("notify_party", s.Notify, 4)...)
	f.Say(104, 42, 6, "", "CARRIER: "+strings.ToUpper(s.Line.Name))
	f.SCAC(s.Line)
	f.Paragraph(104, 46, 94, 5, "Société Anonyme au capital de 175 000 000 Euros. Head Office: 4 quai de la Mer, 13002 Marseille. Tel: (33) 4 91 55 01 00")
	for i, c := range []struct{ caption, value string }{
		{"PRE CARRIAGE BY*", ""}, {"PLACE OF RECEIPT*", f.Place("place_of_receipt", s.Receipt)}, {"FREIGHT TO BE PAID AT", "ORIGIN"}, {"NUMBER OF ORIGINAL BILLS OF LADING", f.Code("originals", "3", "THREE (3)")},
		{"VESSEL", f.Text("vessel", s.Ship.Name)}, {"PORT OF LOADING", f.Place("port_of_lading", s.Lading)}, {"PORT OF DISCHARGE", f.Place("port_of_discharge", s.Unlading)}, {"FINAL PLACE OF DELIVERY*", f.Place("place_of_delivery", s.Delivery)},
	} {
		middle(f, 10+47.5*float64(i%4), 80+11*float64(i/4), 47.5, 11, c.caption, c.value)
	}
	xs := []float64{11, 47, 74, 142, 164, 180}
	for i, title := range [][2]string{{"MARKS AND NOS", "CONTAINER AND SEALS"}, {"NO AND KIND", "OF PACKAGES"}, {"DESCRIPTION OF PACKAGES AND GOODS", "AS STATED BY SHIPPER"}, {"GROSS WEIGHT", "CARGO (KGS)"}, {"TARE", ""}, {"MEASUREMENT", "(CBM)"}} {
		f.Lines(xs[i], 103, 5.5, "", title[0], title[1])
	}
	f.Rule(10, 109, 200, 109)
	y := 111.0
	for i, b := range s.Containers {
		row := f.Row("containers")
		stack(f, 11, y, 35, 8, row.Container("number", b.Number), "SEAL "+row.Number("seal", b.Seal))
		stack(f, 47, y, 26, 8, "1 x "+lineSize(row, 0, b.Size), row.Count("packages", b.Packages)+" CARTONS")
		f.FillRight(163, y, 21, 8, row.BareMass("gross_weight", b.Gross))
		f.FillRight(178, y, 13, 8, f.Count("", 3700+10*f.R.IntN(40)))
		f.FillRight(199, y, 19, 8, row.BareVolume("volume", b.Volume))
		foot := y + 9
		if i == 0 {
			foot = max(foot, 2+f.Prose(74, y, 66, 7.5, f.Text("description", named(s))))
		}
		y = foot
	}
	stack(f, 74, y+3, 66, 8, freight(f), "SHIPPED ON BOARD "+f.Day("on_board_date", s.Sailed), "CY / CY")
	f.Say(11, 212, 6, "B", "ADDITIONAL CLAUSES")
	f.Paragraph(11, 215.5, 186, 5.5, "5. THC at destination payable by Merchants as per line/port tariff. 77. Cargo at port is at Merchant risk, expenses and responsibility. 195. The Merchant is liable for all costs of containers that are not returned empty and clean.")
	f.Paragraph(11, 232, 186, 5, "RECEIVED by the carrier from the shipper in apparent good order and condition. All claims must be brought before the courts of Marseille.")
	f.Frame(10, 252, 95, 20)
	f.Field(11, 253, 90, "PLACE AND DATE OF ISSUE", f.Place("issue_place", s.Lading), f.Day("issue_date", s.Sailed))
	f.Frame(105, 252, 95, 20)
	f.Field(106, 253, 90, "SIGNED FOR THE CARRIER", "BY ITS AGENT")
	f.Say(10, 275, 5.5, "", "* APPLICABLE ONLY WHEN THIS DOCUMENT IS USED AS A COMBINED TRANSPORT BILL OF LADING")
}

// flagWaybill has vessel, voyage and flag in one box, and each container in a line that
// goes right across the columns.
func flagWaybill(f *form.Form) {
	s := f.S
	f.Page("Letter")
	f.Say(12, 8, 16, "B", strings.ToUpper(s.Line.ShortName))
	f.Right(204, 8, 13, "B", "SEA WAYBILL")
	f.Right(204, 14, 6.5, "", form.Pick(f, "NON-NEGOTIABLE", "NOT NEGOTIABLE UNLESS OTHERWISE STATED", "COPY"))
	f.Box(12, 18, 96, 24, "SHIPPER/EXPORTER", f.Party("shipper", s.Shipper, 4)...)
	f.Box(108, 18, 48, 10, "BOOKING NO.", f.Number("booking_number", s.Booking))
	f.Box(156, 18, 48, 10, "SEA WAYBILL NO.", f.Number("bl_number", s.BL))
	f.Box(108, 28, 96, 14, "EXPORT REFERENCES (for merchant's reference only)", s.PO)
	f.Box(12, 42, 96, 24, "CONSIGNEE", f.Party("consignee", s.Buyer, 4)...)
	f.Box(108, 42, 96, 12, "FORWARDING AGENT-REFERENCES FMC NO.", s.Forward.Name)
	f.SCAC(s.Line)
	f.Paragraph(110, 55.5, 92, 5, "Received in apparent good order, unless stated otherwise, for transport to the place of delivery. The carrier delivers to the consignee on proof of identity; this is no document of title.")
	f.Box(12, 66, 96, 24, "NOTIFY PARTY (the carrier is not responsible for failure to notify)", f.Party("notify_party", s.Notify, 4)...)
	f.Box(108, 66, 48, 12, "FINAL DESTINATION (reference only)", "")
	f.Box(156, 66, 48, 12, "ALSO NOTIFY", "")
	f.Box(108, 78, 96, 12, "TYPE OF MOVEMENT (IF MIXED, SEE DESCRIPTION)", "FCL / FCL   CY / CY")
	f.Box(12, 90, 48, 10, "PRE-CARRIAGE BY", "")
	f.Box(60, 90, 48, 10, "PLACE OF RECEIPT", f.Place("place_of_receipt", s.Receipt))
	f.Box(12, 100, 64, 10, "OCEAN VESSEL VOYAGE NO. FLAG", f.Text("vessel", s.Ship.Name)+" "+f.Number("voyage", s.Voyage)+" "+form.Pick(f, "PANAMA", "LIBERIA", "JAPAN"))
	f.Box(76, 100, 64, 10, "PORT OF LOADING", f.Place("port_of_lading", s.Lading))
	f.Box(12, 110, 64, 10, "PORT OF DISCHARGE", f.Place("port_of_discharge", s.Unlading))
	f.Box(76, 110, 64, 10, "PLACE OF DELIVERY", f.Place("place_of_delivery", s.Delivery))
	f.Say(12, 121, 5.5, "", "(CHECK \"HM\" COLUMN IF HAZARDOUS MATERIAL)      PARTICULARS DECLARED BY SHIPPER BUT NOT ACKNOWLEDGED BY THE CARRIER")
	for i, title := range []string{"CNTR. NOS. W/SEAL NOS.", "QUANTITY", "HM", "DESCRIPTION OF GOODS", "GROSS WEIGHT", "MEASUREMENT"} {
		f.Say([]float64{13, 52, 76, 84, 152, 180}[i], 125, 5.5, "", title)
	}
	f.Lines(13, 127.6, 5.5, "", "MARKS & NUMBERS")
	f.Rule(12, 131, 204, 131)
	y := 133.0
	for _, b := range s.Containers {
		row := f.Row("containers")
		f.Fill(13, y, 190, 8, fmt.Sprintf("%s / %s / %s CARTONS / FCL / FCL / %s / %s / %s", row.Container("number", b.Number), row.Number("seal", b.Seal),
			row.Count("packages", b.Packages), row.Size("size_type", b.Size), row.Mass("gross_weight", b.Gross), row.Volume("volume", b.Volume)))
		y += 4
	}
	y += 3
	stack(f, 13, y, 37, 8, "N/M")
	stack(f, 52, y, 22, 8, fmt.Sprint(s.Packages()), "CARTONS")
	f.Fill(152, y, 26, 8, f.Mass("", s.Gross()))
	f.Fill(180, y, 24, 8, f.Volume("", s.Volume()))
	y = f.Prose(84, y, 66, 7.5, f.Text("description", named(s)))
	stack(f, 84, y+3, 66, 8, "\"SHIPPER'S LOAD AND COUNT\"", "\""+freight(f)+"\"")
	for i, title := range []string{"FREIGHT & CHARGES PAYABLE AT / BY", "CODE", "TARIFF ITEM", "FREIGHTED AS", "RATE", "PREPAID", "COLLECT"} {
		f.Say([]float64{13, 60, 74, 96, 122, 145, 175}[i], 226, 5.5, "", title)
	}
	f.Rule(12, 225, 204, 225)
	f.Box(12, 240, 64, 12, "DATE LADEN ON BOARD", f.Day("on_board_date", s.Sailed))
	f.Box(76, 240, 64, 12, "PLACE OF ISSUE", f.Place("issue_place", s.Lading))
	f.Box(140, 240, 64, 12, "DATED", f.Day("issue_date", s.Sailed))
	f.Say(140, 256, 6, "", "SIGNED BY: "+s.Line.Name+", as Carrier")
}

// stampedHouseBill is that of a Chinese forwarder: the issuer in small type, whom to
// ask for delivery, containers at the foot, and the date on board in a stamp.
func stampedHouseBill(f *form.Form) {
	s := f.S
	f.Page("A4")
	f.Box(10, 10, 92, 25, "SHIPPER", f.Party("shipper", s.Shipper, 4)...)
	f.Label(106, 10, 0, 92, 9, "B", "B/L NO.", f.Number("hbl_number", s.HBL))
	f.Centre(150, 18, 11, "B", s.Forward.Name)
	f.Centre(150, 24, 6, "", "NVOCC REG. NO. MOC-NV 0"+s.Pickup[:4]+"   SCAC "+f.Number("scac", s.NVOCC))
	f.Centre(150, 29, 12, "B", "BILL OF LADING")
	f.Box(10, 35, 92, 25, "CONSIGNEE", f.Party("consignee", s.Buyer, 4)...)
	f.Paragraph(106, 36, 92, 5.5, "RECEIVED in external apparent good order, to be transported by such means as the undersigned, as carrier, may choose. The merchant is bound by all terms of this house bill.")
	f.Box(10, 60, 92, 25, "NOTIFY PARTY", f.Party("notify_party", s.Notify, 4)...)
	f.Box(102, 60, 98, 25, "FOR DELIVERY OF GOODS PLEASE APPLY TO:", append([]string{s.Agent.Name}, s.Agent.Address...)...)
	for i, c := range []struct{ caption, value string }{
		{"PRE-CARRIAGE BY", ""}, {"PLACE OF RECEIPT", f.Place("place_of_receipt", s.Receipt)},
		{"OCEAN VESSEL / VOYAGE NO.", f.Text("vessel", s.Ship.Name) + "/" + f.Number("voyage", s.Voyage)}, {"PORT OF LOADING", f.Place("port_of_lading", s.Lading)},
		{"PORT OF DISCHARGE", f.Place("port_of_discharge", s.Unlading)}, {"PLACE OF DELIVERY", f.Place("place_of_delivery", s.Delivery)},
	} {
		f.Box(10+46*float64(i%2), 85+10*float64(i/2), 46, 10, c.caption, c.value)
	}
	f.Box(102, 85, 98, 30, "EXCESS VALUE DECLARATION: REFER TO CLAUSE 6 (4)(B) + (C)", "")
	for i, title := range []string{"MARKS AND NUMBERS", "NO. OF PKGS", "DESCRIPTION OF GOODS", "GROSS WEIGHT", "MEASUREMENT"} {
		f.Say([]float64{11, 46, 72, 150, 177}[i], 116, 6, "B", title)
	}
	f.Rule(10, 119.5, 200, 119.5)
	stack(f, 11, 122, 33, 8, "N/M")
	f.Fill(46, 122, 25, 8, fmt.Sprintf("%dCTNS", s.Packages()))
	f.Fill(150, 122, 26, 8, f.Mass("", s.Gross()))
	f.Fill(177, 122, 23, 8, f.Volume("", s.Volume()))
	y := f.Prose(72, 122, 76, 8, f.Text("description", named(s)))
	y = stack(f, 72, y+2, 76, 8, freight(f), "TELEX RELEASE", "M/BL "+f.Number("bl_number", s.BL))
	y += 6
	for _, b := range s.Containers {
		row := f.Row("containers")
		f.Fill(11, y, 186, 8, row.Container("number", b.Number)+"/"+row.Number("seal", b.Seal)+"/"+row.Size("size_type", b.Size)+"/"+row.Count("packages", b.Packages)+"CTNS/"+row.Mass("gross_weight", b.Gross)+"/"+row.Volume("volume", b.Volume))
		y += 4
	}
	f.Fill(11, 222, 186, 8, "TOTAL NUMBER OF CONTAINERS OR PACKAGES (IN WORDS): SAY "+inWords(s.Packages())+" CARTONS ONLY.")
	f.Box(10, 228, 63, 11, "FREIGHT & CHARGES", "AS ARRANGED")
	f.Box(73, 228, 63, 11, "NUMBER OF ORIGINAL B(S)/L", f.Code("originals", "3", form.Pick(f, "THREE(3)", "3(THREE)", "THREE")))
	f.Box(136, 228, 64, 11, "PLACE AND DATE OF ISSUE", f.Place("issue_place", s.Lading)+" "+f.Day("issue_date", s.Sailed))
	f.Frame(20, 246, 60, 14)
	f.Centre(50, 248, 9, "B", "LADEN ON BOARD")
	f.Centre(50, 253, 9, "", f.Day("on_board_date", s.Sailed))
	f.Say(110, 250, 7, "", "SIGNED FOR THE CARRIER: "+s.Forward.Name)
	f.Say(110, 255, 7, "", "AS CARRIER")
}

// groupageBill is for a part of a container: one line of it, with weights of the lot.
func groupageBill(f *form.Form) {
	s := f.S
	s.Containers = s.Containers[:1]
	f.S = s
	b := s.Containers[0]
	f.Page("A4")
	letterhead(f, s.Forward)
	f.Shade(12, f.Y, 186, 8, 215)
	f.Say(14, f.Y+2, 11, "B", form.Pick(f, "House Bill of Lading (LCL)", "HOUSE BILL OF LADING - GROUPAGE", "Consolidation House B/L"))
	f.Right(196, f.Y+2, 10, "B", f.Number("hbl_number", s.HBL))
	y := f.Y + 12
	f.Say(12, y, 7.5, "I", "Consignor")
	stack(f, 40, y, 70, 8.5, f.Party("shipper", s.Shipper, 4)...)
	f.Say(12, y+19, 7.5, "I", "Consignee")
	stack(f, 40, y+19, 70, 8.5, f.Party("consignee", s.Buyer, 4)...)
	f.Say(12, y+38, 7.5, "I", "Notify")
	stack(f, 40, y+38, 70, 8.5, f.Party("notify_party", s.Notify, 4)...)
	right := y
	for _, p := range [][2]string{
		{"Ocean B/L", f.Number("bl_number", s.BL)}, {"Vessel", f.Text("vessel", s.Ship.Name)}, {"Voy.", f.Number("voyage", s.Voyage)},
		{"Received at", f.Place("place_of_receipt", s.Receipt)}, {"Loading", f.Place("port_of_lading", s.Lading)}, {"Discharge", f.Place("port_of_discharge", s.Unlading)}, {"Delivery", f.Place("place_of_delivery", s.Delivery)},
		{"Service", "CFS / CFS"}, {"Originals", f.Code("originals", "2", form.Pick(f, "2", "TWO", "2 (TWO)"))},
	} {
		right = f.Label(118, right, 22, 80, 8, "I", p[0], p[1]) + 1
	}
	row := f.Row("containers")
	y = f.Table(12, y+62, 8, true, []form.Column{{Title: "Marks", Width: 30}, {Title: "Pkgs", Width: 20}, {Title: "Said to contain", Width: 76}, {Title: "Weight", Width: 30, Right: true}, {Title: "Cube", Width: 30, Right: true}}, [][]string{{
		s.PO, row.Count("packages", b.Packages), f.Text("description", named(s)), row.Mass("gross_weight", b.Gross), row.Volume("volume", b.Volume),
	}})
	y = f.Label(12, y+4, 0, 180, 8.5, "I", "Part of container", row.Container("number", b.Number)+", "+row.Size("size_type", b.Size)+", seal "+row.Number("seal", b.Seal))
	y = f.Label(12, y, 0, 180, 8.5, "I", "Freight", freight(f))
	y = f.Label(12, y, 0, 180, 8.5, "I", "Shipped on board", f.Day("on_board_date", s.Sailed))
	f.Label(12, y, 0, 180, 8.5, "I", "Issued", f.Place("issue_place", s.Lading)+", "+f.Day("issue_date", s.Sailed))
	f.Paragraph(12, 262, 186, 5.5, "The forwarder acts as contracting carrier. Its liability ends with delivery from the groupage warehouse at destination. Standard trading conditions apply.")
}
