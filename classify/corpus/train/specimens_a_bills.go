package train

import (
	"fmt"
	"strings"

	"github.com/landfallhq/tracking/classify/corpus/form"
	"github.com/landfallhq/tracking/classify/corpus/truth"
)

// specimenBillsA are transport documents of the first lot.
var specimenBillsA = []form.Layout{
	{Name: "bl-endorsements", Type: truth.BillOfLading, Copies: 2, Draw: endorsedBill},
	{Name: "bl-combined", Type: truth.BillOfLading, Copies: 2, Draw: combinedBill},
	{Name: "swb-references", Type: truth.SeaWaybill, Copies: 2, Draw: referenceWaybill},
	{Name: "hbl-short-form", Type: truth.HouseBillOfLading, Copies: 2, Draw: shortFormBill},
}

// endorsedBill has the number in its title, the agents at the port of discharge and
// what they are told in a tall box, and remarks on clauses in its captions.
func endorsedBill(f *form.Form) {
	s := f.S
	f.Page("A4")
	f.Badge(10, 8, 20, 15)
	f.Say(33, 9, 9, "B", strings.ToUpper(s.Line.Name))
	f.SCAC(s.Line)
	f.Lines(33, 14, 6, "", "Registered office: 4 Lake Quay", "Phone +41 22 555 0134")
	f.Label(112, 8, 0, 88, 11, "B", "BILL OF LADING No.", f.Number("bl_number", s.BL))
	f.Say(112, 13.5, 6, "", "\"Port-to-Port\" or \"Combined Transport\" (see Clause 1)")
	f.Captioned(110, 17, 50, 10, 5.5, "NO. & SEQUENCE OF ORIGINAL B/L's", f.Code("originals", "3", form.Pick(f, "THREE (3)", "3/Three", "THREE")))
	f.Captioned(160, 17, 40, 10, 5.5, "NO. OF RIDER PAGES", "NIL")
	f.Captioned(10, 27, 100, 26, 6, "SHIPPER:", f.Party("shipper", s.Shipper, 4)...)
	f.Captioned(10, 53, 100, 26, 6, "CONSIGNEE: (this B/L is not negotiable unless marked \"To Order\" or \"To Order of ...\" here)", f.Party("consignee", s.Buyer, 4)...)
	f.Captioned(10, 79, 100, 26, 6, "NOTIFY PARTIES: (no responsibility of Carrier or his Agent for failure to notify - see Clause 20)", f.Party("notify_party", s.Notify, 4)...)
	f.Captioned(110, 27, 90, 78, 6, "CARRIER'S AGENTS ENDORSEMENTS: (Include Agent(s) at POD)", endorsements(f)...)
	f.Captioned(10, 105, 63, 12, 6, "VESSEL & VOYAGE NO. (see Clauses 8 & 9)", f.Text("vessel", s.Ship.Name)+" - "+f.Number("voyage", s.Voyage))
	f.Captioned(73, 105, 63, 12, 6, "PORT OF LOADING", f.Place("port_of_lading", s.Lading))
	f.Captioned(136, 105, 64, 12, 5.5, "PLACE OF RECEIPT: (Combined Transport ONLY - see Clause 1 & 5.2)", f.Place("place_of_receipt", s.Receipt))
	f.Captioned(10, 117, 63, 12, 6, "BOOKING REF. (or) SHIPPER'S REF.", f.Number("booking_number", s.Booking))
	f.Captioned(73, 117, 63, 12, 6, "PORT OF DISCHARGE", f.Place("port_of_discharge", s.Unlading))
	f.Captioned(136, 117, 64, 12, 5.5, "PLACE OF DELIVERY: (Combined Transport ONLY - see Clause 1 & 5.2)", f.Place("place_of_delivery", s.Delivery))
	f.Centre(105, 130, 6, "B", "PARTICULARS FURNISHED BY THE SHIPPER - NOT CHECKED BY CARRIER (see Clause 14)")
	f.Frame(10, 133, 190, 98)
	f.Lines(11, 134, 6, "", "Container Numbers, Seal", "Numbers and Marks")
	f.Lines(58, 134, 6, "", "Description of Packages and Goods", "(continued on rider page(s), if applicable)")
	f.Lines(150, 134, 6, "", "Gross Cargo", "Weight")
	f.Say(177, 134, 6, "", "Measurement")
	sealedBlocks(f, 143)
	f.Captioned(10, 231, 100, 31, 6, "FREIGHT & CHARGES   Cargo is released against payment of all charges", freight(f))
	f.Paragraph(112, 232, 86, 4.5, "The goods were taken over in apparent good order unless stated otherwise, to be carried under the terms on both sides of this page, which the Merchant accepts. Originals in the number stated above were signed; on surrender of one the others are void.")
	f.Captioned(110, 244, 45, 18, 5.5, "DECLARED VALUE (only if Ad Valorem charges paid - see Clause 7.3)", "")
	f.Captioned(155, 244, 45, 18, 5.5, "CARRIER'S RECEIPT (No. of Cntrs or Pkgs rcvd by Carrier - see Clause 14.1)", fmt.Sprintf("%d cntr(s)", len(s.Containers)))
	f.Captioned(10, 262, 63, 14, 6, "PLACE AND DATE OF ISSUE", f.Place("issue_place", s.Lading)+"   "+f.Day("issue_date", s.Sailed))
	f.Captioned(73, 262, 63, 14, 6, "SHIPPED ON BOARD DATE", f.Day("on_board_date", s.Sailed))
	f.Captioned(136, 262, 64, 14, 6, "SIGNED on behalf of the Carrier", "by its agent")
}

func endorsements(f *form.Form) []string {
	a := f.S.Agent
	lines := append([]string{"PORT OF DISCHARGE AGENT:", a.Name}, a.Address...)
	return append(lines, "PHONE: "+a.Phone, "E-MAIL: imports@agency.example", "", "SHIPPER'S LOAD, STOW AND COUNT", "FCL/FCL", "10 DAYS FREE DETENTION AT DESTINATION")
}

// sealedBlocks prints a block for each container: its number, size and seal one below
// the other, beside them what it holds.
func sealedBlocks(f *form.Form, y float64) {
	for i, b := range f.S.Containers {
		row := f.Row("containers")
		stack(f, 11, y, 45, 8, row.Container("number", b.Number), lineSize(row, 3, b.Size))
		f.Say(11, y+7.4, 7, "", "Seal Number:")
		f.Fill(11, y+10.6, 45, 8, row.Number("seal", b.Seal))
		count := row.Count("packages", b.Packages) + " CARTON(S)"
		f.Fill(149, y, 26, 8, row.Mass("gross_weight", b.Gross))
		f.Fill(176, y, 23, 8, row.Volume("volume", b.Volume))
		foot := y + 16
		if i == 0 {
			foot = max(foot, 2+f.Prose(58, y, 88, 8, f.Text("description", count+" of "+named(f.S))))
		} else {
			f.Fill(58, y, 88, 8, count)
		}
		y = foot
	}
	f.Fill(58, y+2, 90, 8, fmt.Sprintf("Total Items : %d", f.S.Packages()))
	f.Fill(58, y+6, 90, 8, "Total Gross Weight : "+f.Mass("", f.S.Gross()))
}

// combinedBill numbers its boxes, with stars for those of combined transport, and says
// the containers in lines with slashes below the goods.
func combinedBill(f *form.Form) {
	s := f.S
	f.Page("A4")
	f.Captioned(10, 8, 95, 25, 6, "1. Shipper   Insert Name Address and Phone/Fax", f.Party("shipper", s.Shipper, 4)...)
	f.Captioned(105, 8, 47, 11, 6, "Booking No.", f.Number("booking_number", s.Booking))
	f.Captioned(152, 8, 48, 11, 6, "Bill of Lading No.", f.Number("bl_number", s.BL))
	f.Captioned(105, 19, 95, 14, 6, "Export References", "SC "+s.Entry, s.PO)
	f.Captioned(10, 33, 95, 25, 6, "2. Consignee   Insert Name Address and Phone/Fax", f.Party("consignee", s.Buyer, 4)...)
	f.Captioned(105, 33, 95, 14, 6, "Forwarding Agent and References   FMC/CHB No.", s.Forward.Name)
	f.Captioned(105, 47, 95, 11, 6, "Point and Country of Origin", f.Place("", s.Receipt))
	f.Captioned(10, 58, 95, 25, 6, "3. Notify Party   Insert Name Address and Phone/Fax (It is agreed that no responsibility shall attach to the Carrier or his agents for failure to notify)", f.Party("notify_party", s.Notify, 4)...)
	f.Captioned(105, 58, 95, 25, 6, "Also Notify Party-routing & Instructions", "")
	f.Captioned(10, 83, 47, 12, 6, "4. Combined Transport*   Pre-Carriage by", "")
	f.Captioned(57, 83, 48, 12, 6, "5. Combined Transport*   Place of Receipt", f.Place("place_of_receipt", s.Receipt))
	f.Captioned(10, 95, 47, 11, 6, "6. Ocean Vessel Voy. No.", f.Text("vessel", s.Ship.Name)+" "+f.Number("voyage", s.Voyage))
	f.Captioned(57, 95, 48, 11, 6, "7. Port of Loading", f.Place("port_of_lading", s.Lading))
	f.Captioned(105, 95, 47, 11, 6, "Service Contract No.", "SHA"+s.Pickup)
	f.Captioned(152, 95, 48, 11, 6, "Commodity Code", s.Goods[0].HS)
	f.Captioned(10, 106, 47, 12, 6, "8. Port of Discharge", f.Place("port_of_discharge", s.Unlading))
	f.Captioned(57, 106, 48, 12, 6, "9. Combined Transport*   Place of Delivery", f.Place("place_of_delivery", s.Delivery))
	f.Captioned(105, 106, 95, 12, 6, "Type of Movement", "FCL / FCL   CY-CY")
	f.Say(107, 86, 14, "B", strings.ToUpper(s.Line.ShortName))
	f.SCAC(s.Line)
	for i, title := range []string{"Marks & Nos.", "No. of Container", "Description of Goods (If Dangerous Goods, See Clause 20)", "Gross Weight", "Measurement"} {
		f.Say([]float64{11, 47, 77, 152, 177}[i], 119, 6, "", title)
	}
	f.Lines(11, 122, 6, "", "Container / Seal No.")
	f.Lines(47, 122, 6, "", "or Packages")
	f.Fill(11, 128, 34, 8, "N/M")
	f.Fill(47, 128, 28, 8, fmt.Sprintf("%d CARTONS", s.Packages()))
	f.Fill(151, 128, 25, 8, f.Mass("", s.Gross()))
	f.Fill(176, 128, 24, 8, f.Volume("", s.Volume()))
	y := f.Prose(77, 128, 72, 7.5, f.Text("description", described(s)))
	y = stack(f, 77, y+2, 72, 8, "SHIPPER'S LOAD, COUNT AND SEAL", freight(f), "ON CY-CY TERM")
	slashed(f, 11, max(y, 160)+3)
	f.Captioned(10, 215, 190, 9, 6, "Declared Cargo Value US$   Description of Contents for Shipper's Use Only (Not part of This B/L Contract)", "")
	f.Captioned(10, 224, 190, 10, 6, "10. Total Number of Containers and/or packages (in words) Subject to Clause 7 Limitation", "SAY "+inWords(len(s.Containers))+" CONTAINER(S) TOTAL")
	for i, title := range []string{"11. Freight & Charges", "Revenue Tons", "Rate", "Per", "Amount", "Prepaid", "Collect"} {
		f.Captioned(10+27*float64(i), 234, 27, 14, 6, title, "")
	}
	f.Captioned(10, 248, 63, 12, 6, "Date Laden on Board", f.Day("on_board_date", s.Sailed))
	f.Captioned(73, 248, 63, 12, 6, "Date of Issue", f.Day("issue_date", s.Sailed))
	f.Captioned(136, 248, 64, 12, 6, "Place of Issue", f.Place("issue_place", s.Lading))
	f.Paragraph(10, 262, 95, 5, "Taken over in external apparent good order and condition except as noted. * Applicable only when this document is used as a Combined Transport Bill of Lading.")
	f.Right(200, 264, 8, "B", form.Pick(f, "ORIGINAL", "COPY NON-NEGOTIABLE"))
	f.Right(200, 270, 7, "", "Port-to-Port or Combined Transport BILL OF LADING")
}

// slashed prints a line for each container, all of it between slashes.
func slashed(f *form.Form, x, y float64) {
	for _, b := range f.S.Containers {
		row := f.Row("containers")
		f.Fill(x, y, 186, 8, fmt.Sprintf("%s /%s /%s CARTONS /FCL/FCL /%s /%s /%s", row.Container("number", b.Number), row.Number("seal", b.Seal),
			row.Count("packages", b.Packages), row.Size("size_type", b.Size), row.Mass("gross_weight", b.Gross), row.Volume("volume", b.Volume)))
		y += 4
	}
}

// referenceWaybill has captions with colons in its boxes, the line's own reference for
// the booking, units by UN/ECE's codes, and a table of charges.
func referenceWaybill(f *form.Form) {
	s := f.S
	f.Style.Kilo, f.Style.Cubic = "KGM", "MTQ"
	f.Page("A4")
	f.Captioned(10, 10, 92, 24, 6.5, "Shipper:", f.Party("shipper", s.Shipper, 4)...)
	f.Say(106, 10, 15, "B", s.Line.ShortName)
	f.SCAC(s.Line)
	f.Say(150, 11, 7, "", "Carrier: "+s.Line.Name)
	f.Say(106, 17, 10, "B", form.Pick(f, "SEA WAYBILL", "Sea Waybill"))
	f.Say(106, 22, 6.5, "", "Multimodal Transport or Port to Port Shipment")
	f.Captioned(104, 26, 40, 10, 6, "Carrier's Reference:", f.Number("booking_number", s.Booking))
	f.Captioned(144, 26, 40, 10, 6, "SWB-No.:", f.Number("bl_number", s.BL))
	f.Captioned(184, 26, 16, 10, 6, "Page:", "1 / 1")
	f.Captioned(104, 36, 96, 12, 6, "Export References:", "PO "+s.PO)
	f.Captioned(10, 34, 92, 26, 6.5, "Consignee (not negotiable):", f.Party("consignee", s.Buyer, 4)...)
	f.Captioned(104, 48, 96, 12, 6, "Forwarding Agent:", s.Forward.Name)
	f.Captioned(10, 60, 92, 27, 6.5, "Notify Address (Carrier not responsible for failure to notify; see clause 20 (1) hereof):", f.Party("notify_party", s.Notify, 4)...)
	f.Captioned(104, 60, 96, 13, 6, "Consignee's Reference:", "")
	f.Captioned(104, 73, 96, 14, 6, "Place of Receipt:", f.Place("place_of_receipt", s.Receipt))
	f.Captioned(10, 87, 55, 12, 6, "Vessel(s):", f.Text("vessel", s.Ship.Name))
	f.Captioned(65, 87, 37, 12, 6, "Voyage-No.:", f.Number("voyage", s.Voyage))
	f.Captioned(10, 99, 92, 11, 6, "Port of Loading:", f.Place("port_of_lading", s.Lading))
	f.Captioned(10, 110, 92, 11, 6, "Port of Discharge:", f.Place("port_of_discharge", s.Unlading))
	f.Captioned(104, 110, 96, 11, 6, "Place of Delivery:", f.Place("place_of_delivery", s.Delivery))
	for i, title := range []string{"Container Nos., Seal Nos.; Marks and Nos.", "Number and Kind of Packages, Description of Goods", "Gross Weight:", "Measurement:"} {
		f.Say([]float64{11, 62, 146, 174}[i], 123, 6, "", title)
	}
	f.Rule(10, 126, 200, 126)
	goodsByContainer(f, 129)
	f.Table(10, 228, 7, false, []form.Column{{Title: "Charge", Width: 44}, {Title: "Rate", Width: 22}, {Title: "Basis", Width: 16}, {Title: "Wt/Vol/Val", Width: 22}, {Title: "P/C", Width: 10}, {Title: "Amount", Width: 24, Right: true}}, charged(f))
	f.Captioned(150, 228, 50, 9, 6, "Freight payable at:", "ORIGIN")
	f.Captioned(150, 237, 50, 13, 6, "Place and date of issue:", f.Place("issue_place", s.Lading)+" "+f.Day("issue_date", s.Sailed))
	f.Captioned(10, 250, 60, 11, 6, "Total No. of Containers received by the Carrier:", fmt.Sprint(len(s.Containers)))
	f.Captioned(70, 250, 60, 11, 6, "Packages received by the Carrier:", fmt.Sprint(s.Packages()))
	f.Captioned(130, 250, 35, 11, 6, "Movement:", "FCL/FCL")
	f.Captioned(165, 250, 35, 11, 6, "Currency:", "USD")
	f.Paragraph(10, 263, 190, 5, "The goods were received for carriage subject to the Carrier's terms, a copy of which can be had from any of its offices. They are delivered to the consignee named above, or his agent, upon proof of identity without presentation of this waybill.")
}

// charged are charges of a carrier in its own table; they are no fields of a waybill.
func charged(f *form.Form) (rows [][]string) {
	paid := map[bool]string{true: "P", false: "C"}[f.S.Prepaid]
	for _, charge := range []string{"SEAFREIGHT", "MARINE FUEL RECOVERY", "TERMINAL HANDLING ORIG."} {
		rows = append(rows, []string{charge, f.Money("", "", 10000+100*f.R.IntN(2000)), "CTR", fmt.Sprint(len(f.S.Containers)), paid, f.Money("", "", 20000+100*f.R.IntN(9000))})
	}
	return rows
}

// goodsByContainer prints container and seal at the left, and beside them its kind in
// words, its packages and, for the first, the goods.
func goodsByContainer(f *form.Form, y float64) {
	for i, b := range f.S.Containers {
		row := f.Row("containers")
		stack(f, 11, y, 48, 8, row.Container("number", b.Number), "SEAL: "+row.Number("seal", b.Seal))
		f.Fill(62, y, 82, 8, "1 CONT. "+lineSize(row, 3, b.Size)+" SLAC*")
		f.Fill(62, y+3.6, 82, 8, row.Count("packages", b.Packages)+" CARTONS")
		f.Fill(146, y+3.6, 26, 8, row.Mass("gross_weight", b.Gross))
		f.Fill(174, y+3.6, 26, 8, row.Volume("volume", b.Volume))
		y += 9
		if i == 0 {
			y = f.Prose(62, y, 82, 7.5, f.Text("description", described(f.S))) + 2
		}
	}
	y = stack(f, 62, y+2, 82, 8, "SHIPPED ON BOARD, DATE : "+f.Day("on_board_date", f.S.Sailed), "PORT OF LOADING: "+f.Place("", f.S.Lading), "VESSEL NAME: "+f.S.Ship.Name)
	f.Fill(62, y+2, 82, 8, freight(f))
	f.Say(11, y+2, 6, "", "*SLAC = Shipper's Load, Stow, Weight and Count")
}

// shortFormBill is the numbered form of American exporters, as carriers without ships
// fill it in: ship and voyage in one box, other numbers among the references.
func shortFormBill(f *form.Form) {
	s := f.S
	f.Page("Letter")
	f.Say(12, 8, 11, "B", s.Forward.Name)
	f.Right(204, 8, 11, "B", "BILL OF LADING")
	f.Lines(12, 13, 6, "", "NVOCC - OTI LICENSE NO. 0"+s.Pickup[:5]+"N", "(SPACES IMMEDIATELY BELOW ARE FOR SHIPPERS MEMORANDA - NOT PART OF HOUSE BILL OF LADING)")
	f.Captioned(12, 19, 96, 27, 5.5, "2. EXPORTER (Principal or seller-licensee and address including ZIP Code)", f.Party("shipper", s.Shipper, 4)...)
	f.Captioned(108, 19, 48, 11, 5.5, "5. BOOKING NUMBER", f.Number("booking_number", s.Booking))
	f.Captioned(156, 19, 48, 11, 5.5, "5a. B/L OR AWB NUMBER", f.Number("hbl_number", s.HBL))
	f.Captioned(108, 30, 96, 16, 5.5, "6. EXPORT REFERENCES", "OCEAN B/L "+f.Number("bl_number", s.BL), "REF "+s.PO)
	f.Captioned(12, 46, 96, 27, 5.5, "3. CONSIGNED TO", f.Party("consignee", s.Buyer, 4)...)
	f.Captioned(108, 46, 96, 16, 5.5, "7. FORWARDING AGENT (Name and address - references)", s.Forward.Name)
	f.Captioned(108, 62, 96, 11, 5.5, "8. POINT (STATE) OF ORIGIN OR FTZ NUMBER", s.Lading.Country)
	f.Captioned(12, 73, 96, 27, 5.5, "4. NOTIFY PARTY/INTERMEDIATE CONSIGNEE (Name and address)", f.Party("notify_party", s.Notify, 4)...)
	f.Captioned(108, 73, 96, 27, 5.5, "9. DOMESTIC ROUTING/EXPORT INSTRUCTIONS", "FOR RELEASE CONTACT:", s.Agent.Name, "TEL "+s.Agent.Phone)
	f.Captioned(12, 100, 48, 11, 5.5, "12. PRE-CARRIAGE BY", "TRUCK")
	f.Captioned(60, 100, 48, 11, 5.5, "13. PLACE OF RECEIPT BY PRE-CARRIER", f.Place("place_of_receipt", s.Receipt))
	f.Captioned(12, 111, 48, 11, 5.5, "14. EXPORTING CARRIER", f.Text("vessel", s.Ship.Name)+" V."+f.Number("voyage", s.Voyage))
	f.Captioned(60, 111, 48, 11, 5.5, "15. PORT OF LOADING/EXPORT", f.Place("port_of_lading", s.Lading))
	f.Captioned(108, 111, 96, 11, 5.5, "10. LOADING PIER/TERMINAL", "BERTH 7")
	f.Captioned(12, 122, 48, 14, 5.5, "16. FOREIGN PORT OF UNLOADING (Vessel and air only)", f.Place("port_of_discharge", s.Unlading))
	f.Captioned(60, 122, 48, 14, 5.5, "17. PLACE OF DELIVERY BY ON-CARRIER", f.Place("place_of_delivery", s.Delivery))
	f.Captioned(108, 122, 48, 14, 5.5, "11. TYPE OF MOVE", "CY / CY")
	f.Captioned(156, 122, 48, 14, 5.5, "11a. CONTAINERIZED (Vessel only)", "[X] Yes  [ ] No")
	for i, title := range []string{"MARKS AND NUMBERS", "NO. OF PKGS", "DESCRIPTION OF COMMODITIES", "GROSS WEIGHT", "MEASUREMENT"} {
		x := []float64{13, 56, 80, 150, 178}[i]
		f.Say(x, 137, 5.5, "", title)
		f.Say(x, 139.6, 5.5, "", fmt.Sprintf("(%d)", 18+i))
	}
	f.Rule(12, 143, 204, 143)
	numberedGoods(f, 146)
	f.Fill(80, 218, 68, 9, freight(f))
	f.Fill(80, 223, 68, 8, "LADEN ON BOARD "+f.Day("on_board_date", s.Sailed))
	f.Paragraph(12, 232, 110, 5, "Carrier has a policy against payment of any rebate, directly or indirectly. The number of bills stated were signed, all of the same tenor; one being accomplished the others stand void.")
	f.Label(130, 232, 0, 74, 7, "", "DATED AT", f.Place("issue_place", s.Lading))
	f.Label(130, 238, 0, 74, 7, "", "DATE", f.Day("issue_date", s.Sailed))
	f.Label(130, 244, 0, 74, 7, "", "BY", s.Forward.Name+" AS CARRIER")
}

func numberedGoods(f *form.Form, y float64) {
	f.Prose(80, y, 68, 7, f.Text("description", described(f.S)))
	for _, b := range f.S.Containers {
		row := f.Row("containers")
		stack(f, 13, y, 42, 8, row.Container("number", b.Number), "S/"+row.Number("seal", b.Seal), row.Size("size_type", b.Size))
		f.Fill(56, y, 23, 8, row.Count("packages", b.Packages)+" CTN")
		f.Fill(149, y, 27, 8, row.Mass("gross_weight", b.Gross))
		f.Fill(177, y, 27, 8, row.Volume("volume", b.Volume))
		y += 15
	}
}
