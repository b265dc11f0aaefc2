package heldout

import (
	"fmt"
	"strings"

	"github.com/landfallhq/tracking/classify/corpus/form"
	"github.com/landfallhq/tracking/classify/corpus/truth"
)

var bills = []form.Layout{
	{Name: "bl-conline", Type: truth.BillOfLading, Copies: 2, Draw: conline},
	{Name: "bl-stacked", Type: truth.BillOfLading, Copies: 3, Draw: stackedBill},
	{Name: "bl-words", Type: truth.BillOfLading, Copies: 3, Draw: wordsBill},
}

var waybills = []form.Layout{
	{Name: "swb-line", Type: truth.SeaWaybill, Copies: 3, Draw: lineWaybill},
	{Name: "swb-print", Type: truth.SeaWaybill, Copies: 4, Draw: printWaybill},
}

// conline follows BIMCO's form for liners: particulars as one block of text, the
// containers in it.
func conline(f *form.Form) {
	s := f.S
	f.Page("A4")
	f.Say(12, 9, 6.5, "", `CODE NAME: "CONLINEBILL 2016"`)
	f.Box(12, 14, 90, 24, "Shipper", f.Party("shipper", s.Shipper, 4)...)
	f.Centre(150, 14, 14, "B", "LINER BILL OF LADING")
	f.Field(104, 22, 44, "B/L No.", f.Number("bl_number", s.BL))
	f.Field(152, 22, 44, "Reference No.", s.PO)
	f.Box(12, 38, 90, 24, "Consignee", f.Party("consignee", s.Buyer, 4)...)
	f.Box(12, 62, 90, 24, "Notify address", f.Party("notify_party", s.Notify, 4)...)
	f.Say(110, 50, 15, "B", strings.ToUpper(s.Line.Name))
	f.Say(110, 58, 7, "", "Carrier's code "+f.SCAC(s.Line))
	f.Box(12, 86, 45, 11, "Pre-carriage by*", "")
	f.Box(57, 86, 45, 11, "Place of receipt by pre-carrier*", f.Place("place_of_receipt", s.Receipt))
	f.Box(12, 97, 45, 11, "Vessel", f.Text("vessel", s.Ship.Name)+" V"+f.Number("voyage", s.Voyage))
	f.Box(57, 97, 45, 11, "Port of loading", f.Place("port_of_lading", s.Lading))
	f.Box(12, 108, 45, 11, "Port of discharge", f.Place("port_of_discharge", s.Unlading))
	f.Box(57, 108, 45, 11, "Place of delivery by on-carrier*", f.Place("place_of_delivery", s.Delivery))
	f.Frame(12, 119, 186, 92)
	for i, caption := range []string{"Marks and Nos.", "Number and kind of packages; description of goods", "Gross weight", "Measurement"} {
		f.Say([]float64{13, 50, 140, 170}[i], 120, 6, "", caption)
	}
	f.Fill(13, 126, 35, 8, "AS ADDRESSED")
	y := f.Prose(50, 126, 84, 8, f.Text("description", said(s))) + 3
	f.FillRight(166, 126, 28, 8, f.Mass("", s.Gross()))
	f.FillRight(196, 126, 28, 8, f.Volume("", s.Volume()))
	for _, b := range s.Containers {
		row := f.Row("containers")
		f.Fill(50, y, 140, 8, "CONTAINER "+row.Container("number", b.Number)+" ("+row.Size("size_type", b.Size)+") SEAL "+row.Number("seal", b.Seal))
		f.Fill(54, y+3.8, 140, 8, "WITH "+row.Count("packages", b.Packages)+" PACKAGES, "+row.Mass("gross_weight", b.Gross)+", "+row.Volume("volume", b.Volume))
		y += 8.4
	}
	f.Say(13, 206, 6, "", "Particulars furnished by the Merchant")
	f.Box(12, 211, 90, 22, "Freight details, charges etc.", payable(f, "FREIGHT PREPAID AS PER AGREEMENT", "FREIGHT TO COLLECT AT DESTINATION"))
	f.Paragraph(104, 213, 92, 5.5, "SHIPPED on board in apparent good order and condition (unless otherwise stated herein) the total number of containers/packages or units indicated above and the cargo as specified, for carriage to the port of discharge or so near thereunto as the vessel may safely get and lie always afloat.")
	f.Box(12, 233, 62, 12, "Freight payable at", "AS STATED")
	f.Box(74, 233, 124, 12, "Place and date of issue", f.Place("issue_place", s.Lading)+", "+f.Day("issue_date", s.Sailed))
	f.Box(12, 245, 62, 12, "Number of original Bs/L", f.Code("originals", "3", "THREE/3"))
	f.Box(74, 245, 124, 12, "Signature", "AS AGENT FOR THE CARRIER")
	f.Say(12, 260, 5.5, "", "* Applicable only when document used as a through bill of lading")
}

// stackedBill has number, size and seal of each container below each other in the
// column of marks, and a total at the end.
func stackedBill(f *form.Form) {
	s := f.S
	f.Gap = form.Pick(f, 0, 1, 4)
	f.Page("A4")
	f.Say(12, 8, 13, "B", strings.ToUpper(s.Line.Name))
	f.Right(198, 8, 9, "B", "BILL OF LADING No. "+f.Number("bl_number", s.BL))
	f.Right(198, 13, 6.5, "", form.Pick(f, "ORIGINAL", "NOT NEGOTIABLE COPY")+" - \"Port-to-Port\" or \"Combined Transport\" (see Clause 1)")
	f.SCAC(s.Line)
	f.Box(12, 20, 100, 24, "SHIPPER:", f.Party("shipper", s.Shipper, 4)...)
	f.Box(112, 20, 43, 12, "NO. & SEQUENCE OF ORIGINAL B/L's", f.Code("originals", "3", "THREE/3"))
	f.Box(155, 20, 43, 12, "NO. OF RIDER PAGES", "0")
	f.Box(112, 32, 86, 36, "CARRIER'S AGENTS ENDORSEMENTS:", append([]string{"PORT OF DISCHARGE AGENT:"}, all(s.Agent)...)...)
	f.Box(12, 44, 100, 24, "CONSIGNEE: This B/L is not negotiable unless marked \"To Order\"", f.Party("consignee", s.Buyer, 4)...)
	f.Box(12, 68, 100, 24, "NOTIFY PARTIES: (No responsibility shall attach to the carrier)", f.Party("notify_party", s.Notify, 4)...)
	f.Box(112, 68, 86, 12, "PORT OF DISCHARGE", f.Place("port_of_discharge", s.Unlading))
	f.Box(112, 80, 86, 12, "PLACE OF DELIVERY: (Combined Transport ONLY)", f.Place("place_of_delivery", s.Delivery))
	f.Box(12, 92, 100, 11, "VESSEL AND VOYAGE NO (see Clause 8 & 9)", f.Text("vessel", s.Ship.Name)+" - "+f.Number("voyage", s.Voyage))
	f.Box(112, 92, 43, 11, "PORT OF LOADING", f.Place("port_of_lading", s.Lading))
	f.Box(155, 92, 43, 11, "PLACE OF RECEIPT", f.Place("place_of_receipt", s.Receipt))
	f.Box(12, 103, 100, 11, "BOOKING REF.", f.Number("booking_number", s.Booking))
	f.Box(112, 103, 86, 11, "SHIPPER'S REF.", s.Invoice)
	f.Centre(105, 115, 6.5, "B", "PARTICULARS FURNISHED BY THE SHIPPER - NOT CHECKED BY CARRIER - CARRIER NOT RESPONSIBLE")
	for i, caption := range []string{"Container Numbers, Seal Numbers and Marks", "Description of Packages and Goods", "Gross Cargo Weight", "Measurement"} {
		f.Say([]float64{13, 64, 142, 173}[i], 120, 6, "B", caption)
	}
	f.Rule(12, 123.5, 198, 123.5)
	y := 126.0
	for i, b := range s.Containers {
		row := f.Row("containers")
		f.Fill(13, y, 48, 8, row.Container("number", b.Number))
		f.Fill(13, y+3.6, 48, 8, row.Size("size_type", b.Size))
		f.Fill(13, y+7.2, 48, 8, "Seal Number: "+row.Number("seal", b.Seal))
		f.Fill(64, y, 74, 8, row.Count("packages", b.Packages)+" Carton(s) of")
		foot := y + 12
		if i == 0 {
			foot = max(foot, f.Prose(64, y+3.6, 74, 8, f.Text("description", said(s)))+1)
		} else {
			f.Fill(64, y+3.6, 74, 8, "the same")
		}
		f.FillRight(168, y, 28, 8, row.Mass("gross_weight", b.Gross))
		f.FillRight(197, y, 26, 8, row.Volume("volume", b.Volume))
		y = foot + 1
	}
	f.Rule(12, y, 198, y)
	f.Fill(64, y+2, 40, 8, fmt.Sprintf("Total Items: %d", s.Packages()))
	f.FillRight(197, y+2, 90, 8, "Total Gross Weight: "+f.Mass("", s.Gross()))
	f.Box(12, 236, 62, 11, "FREIGHT & CHARGES", payable(f, "FREIGHT PREPAID", "FREIGHT COLLECT"))
	f.Box(74, 236, 62, 11, "SHIPPED ON BOARD DATE", f.Day("on_board_date", s.Sailed))
	f.Box(136, 236, 62, 11, "PLACE AND DATE OF ISSUE", f.Place("issue_place", s.Lading)+"  "+f.Day("issue_date", s.Sailed))
	f.Say(12, 250, 6, "", "SIGNED on behalf of the Carrier "+s.Line.Name)
}

// wordsBill tells totals in words and stamps the date on board into the description;
// its captions stand below the values.
func wordsBill(f *form.Form) {
	s := f.S
	f.Style.Day = "2 Jan 2006"
	f.Page("Letter")
	f.Centre(108, 8, 17, "B", "BILL OF LADING")
	f.Centre(108, 16, 8, "", strings.ToUpper(s.Line.Name)+"  (SCAC: "+f.SCAC(s.Line)+")")
	under(f, 120, 24, 38, "Carrier's bill of lading number", f.Number("bl_number", s.BL))
	under(f, 162, 24, 40, "Carrier's booking number", f.Number("booking_number", s.Booking))
	y := 34.0
	for i, lines := range [][]string{f.Party("shipper", s.Shipper, 4), f.Party("consignee", s.Buyer, 4), f.Party("notify_party", s.Notify, 4)} {
		f.Say(12, y, 7, "B", []string{"SHIPPER", "CONSIGNEE", "NOTIFY"}[i])
		for n, line := range lines {
			f.Fill(40, y+4*float64(n), 110, 8.5, line)
		}
		y += 19
		f.Rule(12, y-2, 204, y-2)
	}
	under(f, 12, y, 58, "Ocean vessel", f.Text("vessel", s.Ship.Name))
	under(f, 76, y, 30, "Voyage", f.Number("voyage", s.Voyage))
	under(f, 112, y, 90, "Received at", f.Place("place_of_receipt", s.Receipt))
	under(f, 12, y+11, 58, "Loaded at (port)", f.Place("port_of_lading", s.Lading))
	under(f, 76, y+11, 60, "Discharged at (port)", f.Place("port_of_discharge", s.Unlading))
	under(f, 142, y+11, 60, "Delivered at", f.Place("place_of_delivery", s.Delivery))
	var rows [][]string
	for _, b := range s.Containers {
		row := f.Row("containers")
		rows = append(rows, []string{
			row.Container("number", b.Number) + " / " + row.Number("seal", b.Seal), row.Count("packages", b.Packages) + " PACKAGES", row.Size("size_type", b.Size),
			row.Mass("gross_weight", b.Gross), row.Volume("volume", b.Volume),
		})
	}
	y = f.Table(12, y+24, 8, false, []form.Column{{Title: "CNTR. NOS. W/SEAL NOS.", Width: 62}, {Title: "QUANTITY", Width: 34}, {Title: "TYPE", Width: 36}, {Title: "GROSS WEIGHT", Width: 30, Right: true}, {Title: "MEASUREMENT", Width: 30, Right: true}}, rows)
	f.Fill(12, y+3, 60, 8, "SAID TO CONTAIN")
	y = f.Prose(12, y+7, 150, 8, f.Text("description", said(s)))
	f.Fill(12, y+4, 120, 8, "\""+payable(f, "OCEAN FREIGHT PREPAID", "OCEAN FREIGHT COLLECT")+"\"")
	f.Fill(12, y+10, 120, 8, "LADEN ON BOARD "+f.Day("on_board_date", s.Sailed))
	f.Say(12, y+18, 7, "", "TOTAL NUMBER OF CONTAINERS OR PACKAGES (IN WORDS)")
	f.Fill(12, y+22, 150, 8, "SAY "+numerals[len(s.Containers)]+" CONTAINER(S) ONLY")
	under(f, 12, 245, 60, "Bill(s) issued at", f.Place("issue_place", s.Lading))
	under(f, 80, 245, 40, "Dated", f.Day("issue_date", s.Sailed))
	under(f, 130, 245, 60, "Number of originals signed", f.Code("originals", "3", "THREE (3)"))
}

// lineWaybill follows BIMCO's waybill for liners.
func lineWaybill(f *form.Form) {
	s := f.S
	f.Page("A4")
	f.Say(12, 8, 6.5, "", `CODE NAME: "LINEWAYBILL"`)
	f.Right(198, 8, 13, "B", "LINER SEA WAYBILL")
	f.Right(198, 14, 6.5, "I", "Non-negotiable. Not to be used as a document of title.")
	f.Box(12, 20, 93, 23, "Shipper (full style and address)", f.Party("shipper", s.Shipper, 4)...)
	f.Box(105, 20, 93, 11.5, "Waybill No.", f.Number("bl_number", s.BL))
	f.Box(105, 31.5, 93, 11.5, "Carrier", s.Line.Name)
	f.SCAC(s.Line)
	f.Box(12, 43, 93, 23, "Consignee (not to order; full style and address)", f.Party("consignee", s.Buyer, 4)...)
	f.Box(105, 43, 93, 23, "Notify party (full style and address)", f.Party("notify_party", s.Notify, 4)...)
	f.Box(12, 66, 62, 11, "Vessel and voyage", f.Text("vessel", s.Ship.Name)+", "+f.Number("voyage", s.Voyage))
	f.Box(74, 66, 62, 11, "Port of loading", f.Place("port_of_lading", s.Lading))
	f.Box(136, 66, 62, 11, "Port of discharge", f.Place("port_of_discharge", s.Unlading))
	f.Say(12, 80, 7, "B", "PARTICULARS DECLARED BY THE SHIPPER BUT NOT ACKNOWLEDGED BY THE CARRIER")
	var rows [][]string
	for _, b := range s.Containers {
		row := f.Row("containers")
		rows = append(rows, []string{row.Container("number", b.Number), row.Number("seal", b.Seal), row.Count("packages", b.Packages) + " ctns, " + row.Size("size_type", b.Size), row.BareMass("gross_weight", b.Gross), row.BareVolume("volume", b.Volume)})
	}
	y := f.Table(12, 85, 8, true, []form.Column{{Title: "Container No.", Width: 40}, {Title: "Seal", Width: 36}, {Title: "Number and kind", Width: 50}, {Title: "Gross weight, " + f.Kilo, Width: 30, Right: true}, {Title: "Measure, " + f.Cubic, Width: 30, Right: true}}, rows)
	f.Say(12, y+3, 6, "", "Description of cargo")
	y = f.Prose(12, y+7, 160, 8, f.Text("description", said(s)))
	f.Field(12, y+5, 80, "Freight and charges", payable(f, "Freight prepaid", "Freight payable at destination (collect)"))
	f.Box(12, 240, 93, 12, "Place and date of issue", f.Place("issue_place", s.Lading)+" / "+f.Day("issue_date", s.Sailed))
	f.Box(105, 240, 93, 12, "Shipped on board", f.Day("on_board_date", s.Sailed))
}

// printWaybill is what a line's web site prints: headings, and captions in bold with
// values behind colons.
func printWaybill(f *form.Form) {
	s := f.S
	s.BL = s.BL[4:] // some lines leave their code out
	f.ValueFont = f.Font
	f.Page("Letter")
	f.Badge(12, 8, 30, 9)
	f.Say(48, 9, 11, "B", s.Line.ShortName)
	f.SCAC(s.Line)
	f.Say(12, 22, 14, "B", form.Pick(f, "Waybill (non-negotiable)", "Express Release Waybill", "Sea waybill - copy"))
	y := 31.0
	pair := func(caption, value string) {
		f.Say(12, y, 8.5, "", caption+": "+value)
		y += 4.6
	}
	pair("SWB no", f.Number("bl_number", s.BL))
	pair("Carrier reference", f.Number("booking_number", s.Booking))
	pair("Shipped on board", f.Day("on_board_date", s.Sailed))
	pair("Date of issue", f.Day("issue_date", s.Sailed))
	pair("Issued at", f.Place("issue_place", s.Lading))
	f.Say(12, y+2, 9.5, "B", "Parties")
	y += 8
	for i, lines := range [][]string{f.Party("shipper", s.Shipper, 4), f.Party("consignee", s.Buyer, 4), f.Party("notify_party", s.Notify, 4)} {
		x := 12 + 64*float64(i)
		f.Say(x, y, 8, "B", []string{"Shipper", "Consignee", "First notify party"}[i])
		for n, line := range lines {
			f.Fill(x, y+4.4+4*float64(n), 62, 8, line)
		}
	}
	y += 24
	f.Say(12, y, 9.5, "B", "Transport")
	y += 6
	pair("Vessel/voyage", f.Text("vessel", s.Ship.Name)+"/"+f.Number("voyage", s.Voyage))
	pair("IMO", f.Number("vessel_imo", s.Ship.IMO))
	pair("From", f.Place("port_of_lading", s.Lading))
	pair("To", f.Place("port_of_discharge", s.Unlading))
	pair("Final place of delivery", f.Place("place_of_delivery", s.Delivery))
	f.Say(12, y+2, 9.5, "B", "Cargo")
	y += 8
	for _, b := range s.Containers {
		row := f.Row("containers")
		pair("Container", row.Container("number", b.Number)+", "+row.Size("size_type", b.Size)+", seal "+row.Number("seal", b.Seal))
		pair("Packages, gross, volume", row.Count("packages", b.Packages)+" packages, "+row.Mass("gross_weight", b.Gross)+", "+row.Volume("volume", b.Volume))
	}
	f.Say(12, y, 8.5, "", "Goods:")
	y = f.Prose(30, y, 150, 8.5, f.Text("description", said(s))) + 2
	pair("Freight", payable(f, "prepaid", "collect"))
}
