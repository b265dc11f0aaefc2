package train

import (
	"fmt"
	"strings"

	"github.com/landfallhq/tracking/classify/corpus/form"
	"github.com/landfallhq/tracking/classify/corpus/truth"
)

var bills = []form.Layout{
	{Name: "bl-liner", Type: truth.BillOfLading, Copies: 6, Draw: linerBill},
	{Name: "bl-rider", Type: truth.BillOfLading, Copies: 5, Draw: riderBill},
	{Name: "bl-captions-left", Type: truth.BillOfLading, Copies: 4, Draw: leftBill},
}

var waybills = []form.Layout{
	{Name: "swb-liner", Type: truth.SeaWaybill, Copies: 6, Draw: linerWaybill},
	{Name: "swb-list", Type: truth.SeaWaybill, Copies: 6, Draw: listWaybill},
}

func linerBill(f *form.Form) {
	f.Page("A4")
	title := form.Pick(f, "BILL OF LADING", "BILL OF LADING FOR OCEAN TRANSPORT OR MULTIMODAL TRANSPORT", "OCEAN BILL OF LADING")
	liner(f, title)
	foot(f)
}

func linerWaybill(f *form.Form) {
	f.Page("A4")
	liner(f, form.Pick(f, "SEA WAYBILL", "NON-NEGOTIABLE SEA WAYBILL", "WAYBILL FOR COMBINED TRANSPORT"))
	f.Say(12, 268, 6, "", "This waybill is not a document of title. Delivery will be made to the consignee named upon proof of identity.")
	f.Box(105, 232, 46, 12, "Place of issue", f.Place("issue_place", f.S.Lading))
	f.Box(151, 232, 47, 12, "Date of issue", f.Day("issue_date", f.S.Sailed))
	f.Box(12, 232, 93, 12, "Laden on board", f.Day("on_board_date", f.S.Sailed))
}

// liner is the upper part of a carrier's form, in boxes with captions above.
func liner(f *form.Form, title string) {
	s := f.S
	f.Say(12, 9, 16, "B", strings.ToUpper(s.Line.Name))
	f.Right(198, 16, 12, "B", title)
	f.Say(12, 17, 7, "", "SCAC "+f.SCAC(s.Line))
	f.Box(12, 22, 93, 24, form.Pick(f, "Shipper", "Shipper/Exporter", "Shipper (complete name and address)"), f.Party("shipper", s.Shipper, 4)...)
	f.Box(105, 22, 47, 12, form.Pick(f, "B/L No.", "Bill of Lading No.", "Document No."), f.Number("bl_number", s.BL))
	f.Box(152, 22, 46, 12, form.Pick(f, "Booking No.", "Booking Number", "Booking ref."), f.Number("booking_number", s.Booking))
	f.Box(105, 34, 93, 12, "Export references", s.PO)
	f.Box(12, 46, 93, 24, form.Pick(f, "Consignee", "Consignee (if to order, so indicate)"), f.Party("consignee", s.Buyer, 4)...)
	f.Box(105, 46, 93, 24, "Forwarding agent - references", s.Forward.Name)
	f.Box(12, 70, 93, 24, form.Pick(f, "Notify party", "Notify Party (no claim shall attach for failure to notify)"), f.Party("notify_party", s.Notify, 4)...)
	f.Box(105, 70, 93, 24, "For delivery of goods please apply to", s.Agent.Name, s.Agent.Phone)
	f.Box(12, 94, 46, 12, form.Pick(f, "Vessel", "Ocean Vessel"), f.Text("vessel", s.Ship.Name))
	f.Box(58, 94, 47, 12, form.Pick(f, "Voyage No.", "Voy. No."), f.Number("voyage", s.Voyage))
	f.Box(105, 94, 93, 12, "Place of receipt", f.Place("place_of_receipt", s.Receipt))
	f.Box(12, 106, 62, 12, form.Pick(f, "Port of loading", "Port of Loading (POL)"), f.Place("port_of_lading", s.Lading))
	f.Box(74, 106, 62, 12, form.Pick(f, "Port of discharge", "Port of Discharge (POD)"), f.Place("port_of_discharge", s.Unlading))
	f.Box(136, 106, 62, 12, form.Pick(f, "Place of delivery", "Final destination"), f.Place("place_of_delivery", s.Delivery))
	f.Centre(105, 120, 7, "B", "PARTICULARS FURNISHED BY SHIPPER")
	y := loads(f, 12, 124, 7.5, f.R.IntN(2) == 0)
	f.Say(12, y+5, 6, "", "Kind of packages; description of goods")
	y = f.Prose(12, y+9, 120, 8, f.Text("description", described(s)))
	f.Fill(12, y+3, 80, 8, freight(f))
	f.Say(12, y+9, 6, "", "SHIPPER'S LOAD, STOW, WEIGHT AND COUNT. CY/CY")
}

// foot is where a carrier signs.
func foot(f *form.Form) {
	s := f.S
	n := f.R.IntN(4)
	f.Box(12, 232, 46, 12, form.Pick(f, "No. of original B(s)/L", "Number of originals"), f.Code("originals", fmt.Sprint(n), form.Pick(f, originals[n], fmt.Sprint(n), fmt.Sprintf("%s (%d)", originals[n], n))))
	f.Box(58, 232, 47, 12, "Shipped on board date", f.Day("on_board_date", s.Sailed))
	f.Box(105, 232, 46, 12, "Place of issue", f.Place("issue_place", s.Lading))
	f.Box(151, 232, 47, 12, "Date of issue", f.Day("issue_date", s.Sailed))
	f.Box(12, 244, 186, 20, "Signed for the carrier", "AS AGENT FOR "+strings.ToUpper(s.Line.Name))
	f.Paragraph(12, 266, 186, 5.5, "Received by the carrier in apparent good order and condition unless otherwise noted herein, the total number of containers or packages said to contain cargo as indicated above. One original must be surrendered, duly endorsed, in exchange for the goods.")
}

// riderBill names two containers at most on the first page, and all on the second.
func riderBill(f *form.Form) {
	s := f.S
	f.Page("Letter")
	f.Centre(108, 10, 14, "B", strings.ToUpper(s.Line.Name))
	f.Centre(108, 16, 10, "B", "COMBINED TRANSPORT BILL OF LADING")
	f.Box(12, 24, 100, 26, "(2) SHIPPER / EXPORTER", f.Party("shipper", s.Shipper, 4)...)
	f.Box(112, 24, 92, 13, "(5) BOOKING NO.", f.Number("booking_number", s.Booking))
	f.Box(112, 37, 92, 13, "(5a) BILL OF LADING NO.", f.Number("bl_number", s.BL))
	f.Box(12, 50, 100, 26, "(3) CONSIGNEE", f.Party("consignee", s.Buyer, 4)...)
	f.Box(112, 50, 92, 26, "(7) FORWARDING AGENT", s.Forward.Name)
	f.Box(12, 76, 100, 26, "(4) NOTIFY PARTY", f.Party("notify_party", s.Notify, 4)...)
	f.Box(112, 76, 92, 13, "(8) POINT AND COUNTRY OF ORIGIN", s.Receipt.Name)
	f.Box(112, 89, 92, 13, "(10) ONWARD INLAND ROUTING", "")
	f.Box(12, 102, 50, 11, "(12) PRE-CARRIAGE BY", "TRUCK")
	f.Box(62, 102, 50, 11, "(13) PLACE OF RECEIPT", f.Place("place_of_receipt", s.Receipt))
	f.Box(12, 113, 50, 11, "(14) VESSEL / VOYAGE", f.Text("vessel", s.Ship.Name)+" / "+f.Number("voyage", s.Voyage))
	f.Box(62, 113, 50, 11, "(15) PORT OF LOADING", f.Place("port_of_lading", s.Lading))
	f.Box(112, 113, 46, 11, "(16) PORT OF DISCHARGE", f.Place("port_of_discharge", s.Unlading))
	f.Box(158, 113, 46, 11, "(17) PLACE OF DELIVERY", f.Place("place_of_delivery", s.Delivery))
	f.Box(12, 126, 192, 92, "(18) MARKS & NOS. / (20) DESCRIPTION OF GOODS", "")
	f.Prose(62, 134, 100, 8, f.Text("description", described(s)))
	f.Fill(62, 160, 90, 8, freight(f))
	f.Fill(62, 168, 120, 8, fmt.Sprintf("TOTAL: %d CONTAINERS, %d PACKAGES, SEE ATTACHED RIDER", len(s.Containers), s.Packages()))
	f.Box(12, 220, 64, 12, "LADEN ON BOARD", f.Day("on_board_date", s.Sailed))
	f.Box(76, 220, 64, 12, "DATED AT", f.Place("issue_place", s.Lading))
	f.Box(140, 220, 64, 12, "DATE", f.Day("issue_date", s.Sailed))
	f.SCAC(s.Line)
	f.Page("Letter")
	f.Centre(108, 10, 11, "B", "BILL OF LADING - RIDER PAGE")
	f.Pair(12, 18, 30, 80, "B/L NO.:", s.BL)
	f.Pair(12, 23, 30, 80, "VESSEL:", s.Ship.Name)
	loads(f, 12, 32, 7.5, false)
}

// leftBill has captions beside values, without boxes.
func leftBill(f *form.Form) {
	s := f.S
	f.Page("A4")
	f.Badge(12, 10, 18, 12)
	f.Say(34, 12, 15, "B", s.Line.ShortName)
	f.SCAC(s.Line)
	f.Say(120, 12, 15, "B", "Bill of Lading")
	f.Say(120, 19, 8, "", form.Pick(f, "ORIGINAL", "COPY NON NEGOTIABLE", "DRAFT"))
	y := f.Pair(12, 30, 38, 95, "B/L number:", f.Number("bl_number", s.BL))
	y = f.Pair(12, y, 38, 95, "Booking number:", f.Number("booking_number", s.Booking))
	y = party(f, y, "Shipper:", f.Party("shipper", s.Shipper, 4))
	y = party(f, y, "Consignee:", f.Party("consignee", s.Buyer, 4))
	y = party(f, y, "Notify party:", f.Party("notify_party", s.Notify, 4))
	y = f.Pair(12, y+2, 38, 110, "Vessel / Voyage:", f.Text("vessel", s.Ship.Name)+" "+f.Number("voyage", s.Voyage))
	y = f.Pair(12, y, 38, 110, "IMO number:", f.Number("vessel_imo", s.Ship.IMO))
	y = f.Pair(12, y, 38, 110, "Place of receipt:", f.Place("place_of_receipt", s.Receipt))
	y = f.Pair(12, y, 38, 110, "Load port:", f.Place("port_of_lading", s.Lading))
	y = f.Pair(12, y, 38, 110, "Discharge port:", f.Place("port_of_discharge", s.Unlading))
	y = f.Pair(12, y, 38, 110, "Place of delivery:", f.Place("place_of_delivery", s.Delivery))
	y = loads(f, 12, y+4, 7.5, true)
	f.Say(12, y+4, 8, "B", "Description of goods:")
	y = f.Prose(50, y+4, 130, 8, f.Text("description", described(s)))
	y = f.Pair(12, y+4, 38, 110, "Freight terms:", freight(f))
	y = f.Pair(12, y, 38, 110, "Shipped on board:", f.Day("on_board_date", s.Sailed))
	y = f.Pair(12, y, 38, 110, "Issued at:", f.Place("issue_place", s.Lading))
	y = f.Pair(12, y, 38, 110, "Date of issue:", f.Day("issue_date", s.Sailed))
	f.Pair(12, y, 38, 110, "Original bills:", f.Code("originals", "3", "3 (THREE)"))
}

// party prints a caption, and a name and address beside it.
func party(f *form.Form, y float64, caption string, lines []string) float64 {
	f.Say(12, y+2, 8, "B", caption)
	for _, line := range lines {
		f.Fill(50, y+2, 120, 8.5, line)
		y += 4
	}
	return y + 2
}

// listWaybill prints a waybill as programs print records: captions in columns.
func listWaybill(f *form.Form) {
	s := f.S
	f.Page("A4")
	f.Say(12, 10, 18, "B", s.Line.ShortName)
	f.SCAC(s.Line)
	f.Right(198, 10, 14, "B", form.Pick(f, "Sea Waybill", "NON-NEGOTIABLE WAYBILL", "Express Sea Waybill"))
	f.Rule(12, 20, 198, 20)
	f.Field(12, 23, 60, "Waybill No.", f.Number("bl_number", s.BL))
	f.Field(75, 23, 60, "Booking No.", f.Number("booking_number", s.Booking))
	f.Field(140, 23, 58, "Issue date", f.Day("issue_date", s.Sailed))
	f.Rule(12, 34, 198, 34)
	f.Field(12, 36, 60, "Shipper", f.Party("shipper", s.Shipper, 4)...)
	f.Field(75, 36, 60, "Consignee", f.Party("consignee", s.Buyer, 4)...)
	f.Field(140, 36, 58, "Notify party", f.Party("notify_party", s.Notify, 4)...)
	f.Rule(12, 60, 198, 60)
	f.Field(12, 62, 45, "Vessel", f.Text("vessel", s.Ship.Name))
	f.Field(60, 62, 45, "Voyage", f.Number("voyage", s.Voyage))
	f.Field(108, 62, 45, "IMO", f.Number("vessel_imo", s.Ship.IMO))
	f.Field(12, 73, 45, "Place of receipt", f.Place("place_of_receipt", s.Receipt))
	f.Field(60, 73, 45, "Port of loading", f.Place("port_of_lading", s.Lading))
	f.Field(108, 73, 45, "Port of discharge", f.Place("port_of_discharge", s.Unlading))
	f.Field(155, 73, 43, "Place of delivery", f.Place("place_of_delivery", s.Delivery))
	y := loads(f, 12, 88, 7.5, false)
	f.Say(12, y+5, 8, "B", "Cargo description")
	y = f.Prose(12, y+10, 150, 8, f.Text("description", described(s)))
	y = f.Pair(12, y+4, 40, 120, "Freight", freight(f))
	f.Pair(12, y, 40, 120, "Shipped on board", f.Day("on_board_date", s.Sailed))
	f.Say(12, 270, 6, "", "Not to order. No bill of lading will be issued. Contract evidenced by this non-negotiable sea waybill.")
}
