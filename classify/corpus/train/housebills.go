package train

import (
	"fmt"

	"github.com/landfallhq/tracking/classify/corpus/form"
	"github.com/landfallhq/tracking/classify/corpus/truth"
)

var houseBills = []form.Layout{
	{Name: "hbl-forwarder", Type: truth.HouseBillOfLading, Copies: 6, Draw: forwarderBill},
	{Name: "hbl-nvocc", Type: truth.HouseBillOfLading, Copies: 7, Draw: nvoccBill},
}

// forwarderBill is a form in boxes that says house bill, and names the master.
func forwarderBill(f *form.Form) {
	s := f.S
	f.Page("A4")
	letterhead(f, s.Forward)
	y := f.Y + 7
	f.Right(198, f.Y, 13, "B", form.Pick(f, "HOUSE BILL OF LADING", "House Bill of Lading", "HOUSE B/L"))
	f.Box(12, y, 93, 24, "Consignor / Shipper", f.Party("shipper", s.Shipper, 4)...)
	f.Box(105, y, 93, 12, form.Pick(f, "House B/L No.", "HBL No.", "HB/L Number"), f.Number("hbl_number", s.HBL))
	f.Box(105, y+12, 93, 12, form.Pick(f, "Master B/L No.", "MBL No.", "Ocean B/L No."), f.Number("bl_number", s.BL))
	f.Box(12, y+24, 93, 24, "Consignee", f.Party("consignee", s.Buyer, 4)...)
	f.Box(105, y+24, 93, 24, "Delivery agent", s.Agent.Name, s.Agent.Address[0])
	f.Box(12, y+48, 93, 24, "Notify address", f.Party("notify_party", s.Notify, 4)...)
	f.Box(105, y+48, 93, 24, "Carrier of the ocean leg", s.Line.Name)
	f.SCAC(s.Line)
	f.Box(12, y+72, 62, 12, "Place of receipt", f.Place("place_of_receipt", s.Receipt))
	f.Box(74, y+72, 62, 12, "Vessel", f.Text("vessel", s.Ship.Name))
	f.Box(136, y+72, 62, 12, "Voyage", f.Number("voyage", s.Voyage))
	f.Box(12, y+84, 62, 12, "Port of loading", f.Place("port_of_lading", s.Lading))
	f.Box(74, y+84, 62, 12, "Port of discharge", f.Place("port_of_discharge", s.Unlading))
	f.Box(136, y+84, 62, 12, "Place of delivery", f.Place("place_of_delivery", s.Delivery))
	y = loads(f, 12, y+99, 7.5, f.R.IntN(2) == 0)
	f.Say(12, y+4, 6, "", "Description of goods")
	y = f.Prose(12, y+8, 130, 8, f.Text("description", described(s)))
	f.Fill(12, y+3, 60, 8, freight(f))
	n := 1 + f.R.IntN(3)
	f.Box(12, 240, 62, 12, "Number of original bills", f.Code("originals", fmt.Sprint(n), originals[n]))
	f.Box(74, 240, 62, 12, "Place and date of issue", f.Place("issue_place", s.Lading)+"   "+f.Day("issue_date", s.Sailed))
	f.Box(136, 240, 62, 12, "On board", f.Day("on_board_date", s.Sailed))
	f.Say(12, 256, 6, "", "In accepting this bill the merchant agrees to be bound by the standard trading conditions of "+s.Forward.Name+".")
}

// nvoccBill says bill of lading, but is issued by a common carrier without ships,
// which signs as carrier and gives its own SCAC.
func nvoccBill(f *form.Form) {
	s := f.S
	f.Page("Letter")
	f.Centre(108, 10, 15, "B", s.Forward.Name)
	f.Centre(108, 17, 8, "", "Non-Vessel-Operating Common Carrier - FMC Org. No. 0"+s.Pickup[:5]+" - SCAC "+f.Number("scac", s.NVOCC))
	f.Centre(108, 23, 12, "B", "BILL OF LADING FOR COMBINED TRANSPORT (HOUSE)")
	y := f.Pair(12, 32, 34, 98, "HB/L NO.", f.Number("hbl_number", s.HBL))
	f.Pair(110, 32, 34, 90, "AMS B/L NO.", s.AMS)
	f.Pair(110, y, 34, 90, "CARRIER BOOKING", f.Number("booking_number", s.Booking))
	if f.R.IntN(2) == 0 {
		f.Pair(12, y, 34, 98, "MASTER B/L", f.Number("bl_number", s.BL))
	}
	f.Rule(12, 43, 204, 43)
	f.Field(12, 45, 90, "SHIPPER", f.Party("shipper", s.Shipper, 4)...)
	f.Field(110, 45, 90, "CONSIGNEE", f.Party("consignee", s.Buyer, 4)...)
	f.Field(12, 66, 90, "NOTIFY PARTY", f.Party("notify_party", s.Notify, 4)...)
	f.Field(110, 66, 90, "TO OBTAIN DELIVERY CONTACT", s.Agent.Name, s.Agent.Phone)
	f.Rule(12, 86, 204, 86)
	f.Field(12, 88, 60, "OCEAN VESSEL / VOY", f.Text("vessel", s.Ship.Name)+" V."+f.Number("voyage", s.Voyage))
	f.Field(80, 88, 55, "PORT OF LOADING", f.Place("port_of_lading", s.Lading))
	f.Field(140, 88, 60, "PORT OF DISCHARGE", f.Place("port_of_discharge", s.Unlading))
	f.Field(12, 99, 60, "PLACE OF RECEIPT", f.Place("place_of_receipt", s.Receipt))
	f.Field(80, 99, 55, "PLACE OF DELIVERY", f.Place("place_of_delivery", s.Delivery))
	f.Field(140, 99, 60, "FREIGHT", freight(f))
	y = loads(f, 12, 114, 7.5, true)
	y = f.Prose(12, y+4, 130, 8, "SAID TO CONTAIN: "+f.Text("description", described(s)))
	y = f.Pair(12, y+6, 50, 120, "SHIPPED ON BOARD", f.Day("on_board_date", s.Sailed))
	f.Pair(12, y, 50, 120, "PLACE AND DATE OF ISSUE", f.Place("issue_place", s.Lading)+", "+f.Day("issue_date", s.Sailed))
	f.Say(12, 262, 7, "", "Signed: "+s.Forward.Name+" AS CARRIER")
}
