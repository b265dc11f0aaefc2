package heldout

import (
	"strings"

	"github.com/landfallhq/tracking/classify/corpus/form"
	"github.com/landfallhq/tracking/classify/corpus/truth"
)

var houseBills = []form.Layout{
	{Name: "hbl-fiata", Type: truth.HouseBillOfLading, Copies: 3, Draw: fiata},
	{Name: "hbl-through", Type: truth.HouseBillOfLading, Copies: 2, Draw: throughBill},
	{Name: "hbl-surrendered", Type: truth.HouseBillOfLading, Copies: 2, Draw: surrenderedBill},
}

// fiata follows the negotiable multimodal bill of FIATA, which forwarders issue.
func fiata(f *form.Form) {
	s := f.S
	f.Page("A4")
	f.Box(12, 10, 93, 25, "Consignor", f.Party("shipper", s.Shipper, 4)...)
	f.Say(108, 11, 20, "B", "FBL")
	f.Say(150, 11, 6, "", "No.")
	f.Fill(156, 10.5, 42, 9, f.Number("hbl_number", s.HBL))
	f.Lines(108, 20, 8, "B", "NEGOTIABLE FIATA", "MULTIMODAL TRANSPORT", "BILL OF LADING")
	f.Lines(150, 20, 5.5, "", "issued subject to UNCTAD/ICC Rules for", "Multimodal Transport Documents", "(ICC Publication 481).")
	f.Box(12, 35, 93, 25, "Consigned to order of", f.Party("consignee", s.Buyer, 4)...)
	f.Lines(108, 38, 9, "B", s.Forward.Name)
	f.Lines(108, 43, 7, "", s.Forward.Address...)
	f.Box(12, 60, 93, 25, "Notify address", f.Party("notify_party", s.Notify, 4)...)
	f.Box(12, 85, 46, 11, "", "")
	f.Box(58, 85, 47, 11, "Place of receipt", f.Place("place_of_receipt", s.Receipt))
	f.Box(12, 96, 46, 11, "Ocean vessel", f.Text("vessel", s.Ship.Name)+" "+f.Number("voyage", s.Voyage))
	f.Box(58, 96, 47, 11, "Port of loading", f.Place("port_of_lading", s.Lading))
	f.Box(12, 107, 46, 11, "Port of discharge", f.Place("port_of_discharge", s.Unlading))
	f.Box(58, 107, 47, 11, "Place of delivery", f.Place("place_of_delivery", s.Delivery))
	for i, caption := range []string{"Marks and numbers", "Number and kind of packages", "Description of goods", "Gross weight", "Measurement"} {
		f.Say([]float64{12, 58, 98, 150, 178}[i], 120, 6, "", caption)
	}
	y := 125.0
	for _, b := range s.Containers {
		row := f.Row("containers")
		f.Fill(12, y, 44, 8, row.Container("number", b.Number))
		f.Fill(12, y+3.8, 44, 8, "SEAL "+row.Number("seal", b.Seal))
		f.Fill(58, y, 38, 8, row.Count("packages", b.Packages)+" CARTONS IN")
		f.Fill(58, y+3.8, 38, 8, "1 X "+row.Size("size_type", b.Size))
		f.FillRight(172, y, 26, 8, row.Mass("gross_weight", b.Gross))
		f.FillRight(198, y, 24, 8, row.Volume("volume", b.Volume))
		y += 9
	}
	f.Prose(98, 125, 48, 8, f.Text("description", said(s)))
	f.Fill(98, 205, 60, 8, payable(f, "FREIGHT PREPAID", "FREIGHT COLLECT"))
	f.Say(12, 216, 6, "I", "according to the declaration of the consignor")
	f.Paragraph(12, 220, 186, 5.5, "The goods and instructions are accepted and dealt with subject to the Standard Conditions printed overleaf. Taken in charge in apparent good order and condition, unless otherwise noted herein, at the place of receipt for transport and delivery as mentioned above. One of these Multimodal Transport Bills of Lading must be surrendered duly endorsed in exchange for the goods.")
	f.Box(12, 236, 62, 12, "Freight amount", "AS ARRANGED")
	f.Box(74, 236, 62, 12, "Freight payable at", form.Pick(f, "ORIGIN", "DESTINATION"))
	f.Box(136, 236, 62, 12, "Place and date of issue", f.Place("issue_place", s.Lading)+" "+f.Day("issue_date", s.Sailed))
	f.Box(12, 248, 62, 12, "Cargo Insurance through the undersigned", "not covered")
	f.Box(74, 248, 62, 12, "Number of Original FBL's", f.Code("originals", "3", "3/THREE"))
	f.Box(136, 248, 62, 12, "Stamp and signature", "")
	f.Box(12, 260, 124, 20, "For delivery of goods please apply to:", s.Agent.Name, s.Agent.Address[0], s.Agent.Phone)
}

// throughBill is the form of forwarders in the United States, with numbered boxes.
func throughBill(f *form.Form) {
	s := f.S
	f.Page("Letter")
	f.Say(12, 8, 12, "B", s.Forward.Name)
	f.Say(12, 14, 7, "", "OTI License No. "+s.Pickup+"NF, as carrier (NVOCC), SCAC "+f.Number("scac", s.NVOCC))
	f.Right(204, 8, 11, "B", "THROUGH BILL OF LADING")
	f.Box(12, 20, 96, 24, "2. EXPORTER (Principal or seller - licensee and address including ZIP Code)", f.Party("shipper", s.Shipper, 4)...)
	f.Box(108, 20, 48, 12, "5. DOCUMENT NUMBER", s.Order)
	f.Box(156, 20, 48, 12, "5a. HOUSE B/L NUMBER", f.Number("hbl_number", s.HBL))
	f.Box(108, 32, 96, 12, "6. EXPORT REFERENCES", s.PO)
	f.Box(12, 44, 96, 24, "3. CONSIGNED TO", f.Party("consignee", s.Buyer, 4)...)
	f.Box(108, 44, 96, 24, "7. FORWARDING AGENT (Name and address - references)", all(s.Forward)...)
	f.Box(12, 68, 96, 24, "4. NOTIFY PARTY/INTERMEDIATE CONSIGNEE", f.Party("notify_party", s.Notify, 4)...)
	f.Box(108, 68, 96, 12, "8. POINT (STATE) OF ORIGIN OR FTZ NUMBER", s.Receipt.Name)
	f.Box(108, 80, 96, 12, "9. DOMESTIC ROUTING/EXPORT INSTRUCTIONS", "")
	f.Box(12, 92, 48, 11, "12. PRE-CARRIAGE BY", "TRUCK")
	f.Box(60, 92, 48, 11, "13. PLACE OF RECEIPT BY PRE-CARRIER", f.Place("place_of_receipt", s.Receipt))
	f.Box(108, 92, 96, 11, "10. LOADING PIER/TERMINAL", "AS DIRECTED")
	f.Box(12, 103, 48, 11, "14. EXPORTING CARRIER", f.Text("vessel", s.Ship.Name)+" / "+f.Number("voyage", s.Voyage))
	f.Box(60, 103, 48, 11, "15. PORT OF LOADING/EXPORT", f.Place("port_of_lading", s.Lading))
	f.Box(108, 103, 96, 11, "11. TYPE OF MOVE", "FCL/FCL CY-CY")
	f.Box(12, 114, 48, 11, "16. FOREIGN PORT OF UNLOADING", f.Place("port_of_discharge", s.Unlading))
	f.Box(60, 114, 48, 11, "17. PLACE OF DELIVERY BY ON-CARRIER", f.Place("place_of_delivery", s.Delivery))
	f.Box(108, 114, 96, 11, "11a. CONTAINERIZED (Vessel only)", "[X] Yes   [ ] No")
	var rows [][]string
	for i, b := range s.Containers {
		row := f.Row("containers")
		words := "DITTO"
		if i == 0 {
			words = f.Text("description", said(s))
		}
		rows = append(rows, []string{
			row.Container("number", b.Number) + " " + row.Number("seal", b.Seal), row.Count("packages", b.Packages), row.Size("size_type", b.Size) + " STC: " + words,
			row.BareMass("gross_weight", b.Gross), row.BareVolume("volume", b.Volume),
		})
	}
	y := f.Table(12, 128, 7.5, true, []form.Column{{Title: "18. MARKS AND NUMBERS", Width: 40}, {Title: "19. NUMBER\nOF PACKAGES", Width: 24}, {Title: "20. DESCRIPTION OF COMMODITIES in Schedule B detail", Width: 76}, {Title: "21. GROSS WEIGHT\n(" + f.Kilo + ")", Width: 27, Right: true}, {Title: "22. MEASUREMENT\n(" + f.Cubic + ")", Width: 25, Right: true}}, rows)
	f.Fill(80, y+4, 80, 8, payable(f, "FREIGHT PREPAID", "FREIGHT COLLECT"))
	f.Box(12, 240, 64, 12, "DATED AT", f.Place("issue_place", s.Lading))
	f.Box(76, 240, 64, 12, "MO. / DAY / YEAR", f.Day("issue_date", s.Sailed))
	f.Box(140, 240, 64, 12, "BY", "AGENT FOR THE CARRIER")
}

// surrenderedBill is a forwarder's own paper, with captions behind each other.
func surrenderedBill(f *form.Form) {
	s := f.S
	f.Page("A4")
	f.Centre(105, 10, 13, "B", "FORWARDER'S BILL OF LADING")
	f.Centre(105, 17, 8, "", s.Forward.Name+", "+strings.Join(s.Forward.Address, ", "))
	f.Centre(105, 23, 11, "B", form.Pick(f, "SURRENDERED", "TELEX RELEASE"))
	y := colon(f, 12, 34, "House Bill No.", f.Number("hbl_number", s.HBL))
	y = colon(f, 12, y, "Ocean carrier's B/L", f.Number("bl_number", s.BL))
	y = colon(f, 12, y, "Carrier", s.Line.Name)
	f.SCAC(s.Line)
	for i, lines := range [][]string{f.Party("shipper", s.Shipper, 3), f.Party("consignee", s.Buyer, 3), f.Party("notify_party", s.Notify, 3)} {
		y = colon(f, 12, y+1, []string{"Consignor", "Consignee", "Notify"}[i], lines[0])
		for _, line := range lines[1:] {
			f.Fill(72, y-0.8, 110, 8.5, line)
			y += 4
		}
	}
	y = colon(f, 12, y+2, "M/V and voyage", f.Text("vessel", s.Ship.Name)+" "+f.Number("voyage", s.Voyage))
	y = colon(f, 12, y, "Taken in charge at", f.Place("place_of_receipt", s.Receipt))
	y = colon(f, 12, y, "Load port", f.Place("port_of_lading", s.Lading))
	y = colon(f, 12, y, "Discharge port", f.Place("port_of_discharge", s.Unlading))
	y = colon(f, 12, y, "Final delivery", f.Place("place_of_delivery", s.Delivery))
	y = colon(f, 12, y, "Freight", payable(f, "PREPAID", "COLLECT"))
	y += 3
	for _, b := range s.Containers {
		row := f.Row("containers")
		f.Fill(12, y, 184, 8.5, strings.Join([]string{row.Container("number", b.Number), row.Size("size_type", b.Size), "S/N " + row.Number("seal", b.Seal), row.Count("packages", b.Packages) + " CTN", "G.W. " + row.Mass("gross_weight", b.Gross), row.Volume("volume", b.Volume)}, " / "))
		y += 4.4
	}
	y = f.Prose(12, y+3, 160, 8.5, f.Text("description", said(s)))
	y = colon(f, 12, y+4, "On board", f.Day("on_board_date", s.Sailed))
	y = colon(f, 12, y, "Issued", f.Place("issue_place", s.Lading)+", "+f.Day("issue_date", s.Sailed))
	colon(f, 12, y, "Originals", f.Code("originals", "0", "NIL"))
}
