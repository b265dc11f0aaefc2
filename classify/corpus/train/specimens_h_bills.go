package train

import (
	"fmt"
	"strings"

	"github.com/landfallhq/tracking/classify/corpus/form"
	"github.com/landfallhq/tracking/classify/corpus/trade"
	"github.com/landfallhq/tracking/classify/corpus/truth"
)

// specimenBillsH are transport documents of lot H: goods in metric tons, containers on
// an attached list, and house bills that do not call themselves so in their title.
var specimenBillsH = []form.Layout{
	{Name: "bl-polizza", Type: truth.BillOfLading, Copies: 2, Draw: italianBill},
	{Name: "bl-good-ship", Type: truth.BillOfLading, Copies: 2, Draw: goodShipBill},
	{Name: "bl-attached-list", Type: truth.BillOfLading, Copies: 3, Draw: attachedListBill},
	{Name: "swb-express", Type: truth.SeaWaybill, Copies: 2, Draw: expressWaybill},
	{Name: "hbl-as-carrier", Type: truth.HouseBillOfLading, Copies: 3, Draw: asCarrierBill},
	{Name: "hbl-spediteur", Type: truth.HouseBillOfLading, Copies: 2, Draw: germanHouseBill},
	{Name: "hbl-part-load", Type: truth.HouseBillOfLading, Copies: 3, Draw: partLoadBill},
}

// italianBill has captions in Italian with English behind a stroke, values at their right.
func italianBill(f *form.Form) {
	s := strange(f, form.Pick(f, "02/01/2006", "2 January 2006"), from("IT"))
	f.Style.Months = tongues["it"]
	notation(f, ".", ",", 2)
	f.Page("A4")
	f.Say(12, 9, 15, "B", strings.ToUpper(s.Line.ShortName))
	f.Say(12, 16, 7, "", s.Line.Name)
	f.SCAC(s.Line)
	f.Right(198, 9, 12, "B", "POLIZZA DI CARICO / BILL OF LADING")
	f.Right(198, 16, 9, "", "N. "+f.Number("bl_number", s.BL))
	y := 24.0
	for _, p := range []struct {
		caption string
		lines   []string
	}{{"Caricatore / Shipper", f.Party("shipper", s.Shipper, 4)}, {"Ricevitore / Consignee", f.Party("consignee", trade.Company{Name: "ALL'ORDINE DI BANCA DEL TIRRENO", Address: s.Buyer.Address}, 3)}, {"Notificare a / Notify", f.Party("notify_party", s.Buyer, 4)}} {
		f.Rule(12, y, 198, y)
		f.Say(12, y+1.5, 7, "I", p.caption)
		stack(f, 60, y+1.5, 130, 9, p.lines...)
		y += 19
	}
	f.Rule(12, y, 198, y)
	y += 2
	for _, p := range [][2]string{{"Nave / Vessel", f.Text("vessel", s.Ship.Name) + "   viaggio " + f.Number("voyage", s.Voyage)}, {"Luogo di presa in carico / Receipt", f.Place("place_of_receipt", s.Receipt)}, {"Porto d'imbarco / Loading", f.Place("port_of_lading", s.Lading)}, {"Porto di sbarco / Discharge", f.Place("port_of_discharge", s.Unlading)}, {"Luogo di riconsegna / Delivery", f.Place("place_of_delivery", s.Delivery)}, {"Prenotazione / Booking", f.Number("booking_number", s.Booking)}, {"Nolo / Freight", paid(f, "PAGATO / PREPAID", "ASSEGNATO / COLLECT")}, {"Originali emessi / Originals", f.Code("originals", "3", "3 (TRE)")}} {
		y = f.Label(12, y, 62, 186, 8, "I", p[0], p[1]) + 0.4
	}
	var rows [][]string
	for _, b := range s.Containers {
		row := f.Row("containers")
		rows = append(rows, []string{row.Container("number", b.Number), row.Number("seal", b.Seal), row.Size("size_type", b.Size), row.Count("packages", b.Packages) + " colli", row.Mass("gross_weight", b.Gross), row.Volume("volume", b.Volume)})
	}
	y = f.Table(12, y+4, 8, false, []form.Column{{Title: "Contenitore", Width: 36}, {Title: "Sigillo", Width: 32}, {Title: "Tipo", Width: 36}, {Title: "Colli", Width: 26}, {Title: "Peso lordo", Width: 30}, {Title: "Volume", Width: 26}}, rows)
	f.Say(12, y+3, 7, "I", "Descrizione della merce, secondo dichiarazione del caricatore")
	f.Prose(12, y+7, 180, 8.5, f.Text("description", named(s)))
	f.Label(12, 250, 48, 180, 8, "I", "Imbarcato il / On board", f.Day("on_board_date", s.Sailed))
	f.Label(12, 255, 48, 180, 8, "I", "Luogo e data / Issued", f.Place("issue_place", s.Lading)+", "+f.Day("issue_date", s.Sailed))
	f.Right(198, 268, 8, "", "L'agente per conto del vettore / The agent for the carrier")
}

// goodShipBill says in the old words what was shipped on which ship, in sentences, with
// weights in metric tons.
func goodShipBill(f *form.Form) {
	s := strange(f, form.Pick(f, "2 January 2006", "January 2, 2006"), anywhere)
	f.Page("A4")
	f.Font = form.Serif
	f.Centre(105, 10, 18, "B", "Bill of Lading")
	f.Label(150, 20, 0, 48, 9, "", "B/L No.", f.Number("bl_number", s.BL))
	f.Label(12, 20, 0, 120, 9, "", "Carrier:", s.Line.Name)
	f.SCAC(s.Line)
	y := f.Prose(12, 30, 186, 10, "SHIPPED in apparent good order and condition by") + 1
	y = stack(f, 24, y, 150, 10, f.Party("shipper", s.Shipper, 4)...) + 2
	y = f.Prose(12, y, 186, 10, "on board the good vessel "+f.Text("vessel", s.Ship.Name)+", voyage "+f.Number("voyage", s.Voyage)+", now lying in the port of "+f.Place("port_of_lading", s.Lading)+" and bound for "+f.Place("port_of_discharge", s.Unlading)+", the goods described below, to be delivered there in the like good order and condition unto") + 1
	y = stack(f, 24, y, 150, 10, f.Party("consignee", s.Buyer, 4)...) + 2
	y = f.Prose(12, y, 186, 10, "or to his or their assigns, and arrival to be notified to") + 1
	y = stack(f, 24, y, 150, 10, f.Party("notify_party", s.Notify, 4)...) + 6
	for _, b := range s.Containers {
		row := f.Row("containers")
		y = f.Prose(12, y, 186, 9.5, "Container "+row.Container("number", b.Number)+" ("+row.Size("size_type", b.Size)+"), sealed "+row.Number("seal", b.Seal)+": "+row.Count("packages", b.Packages)+" bags, "+row.Tonnes("gross_weight", b.Gross)+" gross.") + 0.5
	}
	y = f.Label(12, y+4, 0, 186, 9, "I", "Said to be", "")
	y = f.Prose(30, y, 160, 9.5, f.Text("description", named(s)))
	f.Fill(12, y+5, 100, 10, paid(f, "Freight prepaid.", "Freight payable at destination."))
	f.Paragraph(12, 225, 186, 8, "Weight, measure, marks, numbers, quality, contents and value unknown to the carrier. All terms and exceptions of the carrier's form are herein incorporated.")
	f.Prose(12, 238, 186, 10, "In witness whereof the master or agent of the said vessel has signed "+f.Code("originals", "3", "three")+" bills of lading, all of this tenor and date, one of which being accomplished, the others to stand void.")
	f.Prose(12, 252, 186, 10, "Dated at "+f.Place("issue_place", s.Lading)+" this "+f.Day("issue_date", s.Sailed)+".")
	f.Right(198, 266, 9, "", "For the Master")
}

// attachedListBill has neither containers nor weights one by one on its first page; they
// go on over the second and third.
func attachedListBill(f *form.Form) {
	s := strange(f, form.Pick(f, "02-Jan-2006", "2006-01-02", "02 Jan 2006"), func(s trade.Shipment) bool { return len(s.Containers) > 2 })
	f.Page("A4")
	f.Right(198, 8, 17, "B", s.Line.ShortName)
	f.SCAC(s.Line)
	f.Say(12, 9, 12, "B", form.Pick(f, "Bill of Lading", "Ocean Bill of Lading", "Bill of Lading - Original"))
	y := 20.0
	widths := []float64{106, 80}
	for i, p := range []struct {
		caption string
		lines   []string
		beside  [][2]string
	}{
		{"Shipper / Exporter", f.Party("shipper", s.Shipper, 4), [][2]string{{"Document No.", f.Number("bl_number", s.BL)}, {"Booking No.", f.Number("booking_number", s.Booking)}}},
		{"Consignee", f.Party("consignee", s.Buyer, 4), [][2]string{{"Vessel", f.Text("vessel", s.Ship.Name)}, {"Voyage", f.Number("voyage", s.Voyage)}}},
		{"Notify party", f.Party("notify_party", s.Notify, 4), [][2]string{{"Place of receipt", f.Place("place_of_receipt", s.Receipt)}, {"Place of delivery", f.Place("place_of_delivery", s.Delivery)}}},
	} {
		at := y + 24*float64(i)
		f.Box(12, at, widths[0], 24, p.caption, p.lines...)
		f.Box(118, at, widths[1], 12, p.beside[0][0], p.beside[0][1])
		f.Box(118, at+12, widths[1], 12, p.beside[1][0], p.beside[1][1])
	}
	y = f.Cells(12, 92, 12, []float64{62, 62, 62}, [2]string{"Port of loading", f.Place("port_of_lading", s.Lading)}, [2]string{"Port of discharge", f.Place("port_of_discharge", s.Unlading)}, [2]string{"Freight", paid(f, "Prepaid", "Collect")})
	f.Say(12, y+3, 7, "B", "Particulars furnished by the shipper")
	y = f.Prose(16, y+9, 170, 9, fmt.Sprintf("%d containers said to contain %d packages", len(s.Containers), s.Packages()))
	y = f.Prose(16, y+2, 170, 9, f.Text("description", named(s)))
	f.Fill(16, y+4, 170, 9, "*** CONTAINERS AS PER ATTACHED LIST, PAGES 2 AND 3 ***")
	f.Fill(16, y+9, 170, 9, "Total "+f.Mass("", s.Gross())+" / "+f.Volume("", s.Volume()))
	f.Cells(12, 246, 12, []float64{62, 62, 62}, [2]string{"Shipped on board", f.Day("on_board_date", s.Sailed)}, [2]string{"Issued at", f.Place("issue_place", s.Lading)}, [2]string{"Date of issue", f.Day("issue_date", s.Sailed)})
	f.Cells(12, 258, 12, []float64{62, 124}, [2]string{"Originals", f.Code("originals", "3", "Three")}, [2]string{"Signed", "for the carrier by its agents"})
	half := len(s.Containers) / 2
	for page, boxes := range [][]trade.Container{s.Containers[:half], s.Containers[half:]} {
		f.Page("A4")
		f.Say(12, 9, 9, "B", fmt.Sprintf("Attached list to bill of lading %s, page %d of 3", s.BL, page+2))
		var rows [][]string
		for i, b := range boxes {
			row := f.Row("containers")
			rows = append(rows, []string{fmt.Sprint(page*half + i + 1), row.Container("number", b.Number), lineSize(row, 3, b.Size), row.Number("seal", b.Seal), row.Count("packages", b.Packages), row.BareMass("gross_weight", b.Gross), row.BareVolume("volume", b.Volume)})
		}
		f.Table(12, 18, 8, f.R.IntN(2) == 0, []form.Column{{Title: "#", Width: 8}, {Title: "Container", Width: 36}, {Title: "Type", Width: 46}, {Title: "Seal", Width: 32}, {Title: "Pkgs", Width: 16, Right: true}, {Title: "Gross " + f.Kilo, Width: 26, Right: true}, {Title: f.Cubic, Width: 22, Right: true}}, rows)
	}
}

// expressWaybill says what it is in the small type, and prints its boxes from the right.
func expressWaybill(f *form.Form) {
	s := strange(f, form.Pick(f, "02.01.2006", "02 Jan 2006"), anywhere)
	f.Page("A4")
	f.Say(110, 8, 13, "B", "SEA WAYBILL")
	f.Say(110, 14, 7, "", "EXPRESS RELEASE - NON-NEGOTIABLE - NO ORIGINALS ARE ISSUED")
	f.Say(12, 8, 12, "B", s.Line.Name)
	f.SCAC(s.Line)
	f.Box(110, 20, 88, 12, "Waybill number", f.Number("bl_number", s.BL))
	f.Box(110, 32, 88, 12, "Booking", f.Number("booking_number", s.Booking))
	f.Box(110, 44, 88, 12, "Vessel and voyage", f.Text("vessel", s.Ship.Name)+", "+f.Number("voyage", s.Voyage))
	f.Box(110, 56, 44, 12, "Loaded at", f.Place("port_of_lading", s.Lading))
	f.Box(154, 56, 44, 12, "To be discharged at", f.Place("port_of_discharge", s.Unlading))
	f.Box(110, 68, 44, 12, "Received at", f.Place("place_of_receipt", s.Receipt))
	f.Box(154, 68, 44, 12, "Delivered at", f.Place("place_of_delivery", s.Delivery))
	f.Box(12, 20, 98, 20, "Shipper", f.Party("shipper", s.Shipper, 4)...)
	f.Box(12, 40, 98, 20, "Consignee (delivery to, on proof of identity)", f.Party("consignee", s.Buyer, 4)...)
	f.Box(12, 60, 98, 20, "Notify", f.Party("notify_party", s.Notify, 4)...)
	y := 86.0
	for _, b := range s.Containers {
		row := f.Row("containers")
		f.Fill(14, y, 180, 8.5, row.Container("number", b.Number)+"   "+row.Size("size_type", b.Size)+"   Seal: "+row.Number("seal", b.Seal))
		f.Fill(30, y+4.2, 160, 8.5, row.Count("packages", b.Packages)+" packages   Gross: "+row.Mass("gross_weight", b.Gross)+"   Measurement: "+row.Volume("volume", b.Volume))
		y += 10
	}
	y = f.Prose(14, y+2, 170, 8.5, f.Text("description", described(s)))
	f.Fill(14, y+4, 100, 9, freight(f))
	f.Label(12, 236, 40, 180, 8, "", "On board since", f.Day("on_board_date", s.Sailed))
	f.Label(12, 241, 40, 180, 8, "", "Issued in", f.Place("issue_place", s.Lading))
	f.Label(12, 246, 40, 180, 8, "", "Issued on", f.Day("issue_date", s.Sailed))
	f.Paragraph(12, 256, 186, 6, "This waybill is not a document of title and, unlike a bill of lading, need not be surrendered. The arrival notice is sent to the notify party without obligation.")
}

// asCarrierBill is titled as a carrier's bill is, but its issuer has no ships: that stands
// in the foot and in the licence below the name.
func asCarrierBill(f *form.Form) {
	s := strange(f, form.Pick(f, "Jan-02-2006", "02-Jan-2006", "2006/1/2"), anywhere)
	f.Page("Letter")
	f.Badge(12, 8, 12, 12)
	f.Say(27, 9, 14, "B", s.Forward.Name)
	f.Say(27, 15.5, 6.5, "", "FMC-OTI No. "+num(f, "0#####")+"N  -  "+strings.Join(s.Forward.Address, ", "))
	f.Right(204, 9, 13, "B", "BILL OF LADING")
	f.Right(204, 15.5, 7, "", form.Pick(f, "FOR COMBINED TRANSPORT OR PORT TO PORT", "NEGOTIABLE", "ORIGINAL"))
	left, right := 24.0, 24.0
	for _, p := range []struct {
		caption string
		lines   []string
	}{{"Shipper", f.Party("shipper", s.Shipper, 4)}, {"Consignee", f.Party("consignee", s.Buyer, 4)}, {"Notify party", f.Party("notify_party", s.Notify, 4)}} {
		f.Shade(12, left, 94, 4, 215)
		f.Say(13, left+0.8, 6.5, "B", p.caption)
		stack(f, 13, left+5.5, 92, 8.5, p.lines...)
		left += 24
	}
	for _, p := range [][2]string{{"B/L number", f.Number("hbl_number", s.HBL)}, {"Reference", s.PO}, {"Underlying carrier's B/L", f.Number("bl_number", s.BL)}, {"Underlying carrier", s.Line.Name}, {"Ocean vessel / voyage", f.Text("vessel", s.Ship.Name) + " / " + f.Number("voyage", s.Voyage)}, {"Place of receipt", f.Place("place_of_receipt", s.Receipt)}, {"Port of loading", f.Place("port_of_lading", s.Lading)}, {"Port of discharge", f.Place("port_of_discharge", s.Unlading)}, {"Place of delivery", f.Place("place_of_delivery", s.Delivery)}} {
		f.Shade(110, right, 34, 7, 235)
		f.Say(111, right+2, 7, "", p[0])
		f.Fill(146, right+2, 58, 8.5, p[1])
		right += 8
	}
	f.SCAC(s.Line)
	y := loads(f, 12, 100, 8, f.R.IntN(2) == 0)
	f.Say(12, y+3, 7, "B", "Goods, as declared by the shipper")
	f.Prose(12, y+7, 180, 8.5, f.Text("description", named(s)))
	f.Fill(12, 200, 80, 9, freight(f))
	f.Label(12, 215, 40, 180, 7.5, "B", "Laden on board", f.Day("on_board_date", s.Sailed))
	f.Label(12, 220, 40, 180, 7.5, "B", "Originals issued", f.Code("originals", "3", "THREE (3)"))
	f.Label(12, 225, 40, 180, 7.5, "B", "Place and date", f.Place("issue_place", s.Lading)+"   "+f.Day("issue_date", s.Sailed))
	f.Lines(120, 215, 7.5, "", "Signed: "+s.Forward.Name, "as carrier (non-vessel operating)")
	f.Paragraph(12, 245, 190, 6, "The carrier named at the top of this page contracts as principal and does not own or operate the vessel. Terms continue on reverse. In case of doubt this document prevails over that of the underlying carrier.")
}

// germanHouseBill is a forwarder's with German captions in a grid.
func germanHouseBill(f *form.Form) {
	s := strange(f, form.Pick(f, "02.01.2006", "2. January 2006"), from("DE", "NL"))
	f.Style.Months, f.Style.Upper = tongues["de"], false
	notation(f, ".", ",", 1)
	f.Page("A4")
	f.Centre(105, 8, 13, "B", s.Forward.Name)
	f.Centre(105, 14, 7, "", strings.Join(s.Forward.Address, ", "))
	f.Centre(105, 20, 12, "B", form.Pick(f, "HAUS-KONNOSSEMENT", "Spediteur-Konnossement (House B/L)", "HOUSE BILL OF LADING / HAUSKONNOSSEMENT"))
	y := ruled(f, 12, 29, 7.5, []float64{93, 93}, [][][2]string{{{"HBL-Nr.", f.Number("hbl_number", s.HBL)}, {"Master-B/L-Nr.", f.Number("bl_number", s.BL)}}, {{"Buchung", f.Number("booking_number", s.Booking)}, {"Anzahl Originale", f.Code("originals", "3", "3 / drei")}}})
	for i, p := range []struct {
		caption string
		lines   []string
	}{{"Ablader", f.Party("shipper", s.Shipper, 4)}, {"Empfänger (Order)", f.Party("consignee", s.Buyer, 4)}, {"Meldeadresse", f.Party("notify_party", s.Notify, 4)}} {
		f.Box(12+62*float64(i), y, 62, 24, p.caption, p.lines...)
	}
	y = ruled(f, 12, y+24, 7.5, []float64{62, 62, 62}, [][][2]string{{{"Schiff", f.Text("vessel", s.Ship.Name)}, {"Reise", f.Number("voyage", s.Voyage)}, {"Übernahmeort", f.Place("place_of_receipt", s.Receipt)}}, {{"Ladehafen", f.Place("port_of_lading", s.Lading)}, {"Löschhafen", f.Place("port_of_discharge", s.Unlading)}, {"Ablieferungsort", f.Place("place_of_delivery", s.Delivery)}}})
	var rows [][]string
	for _, b := range s.Containers {
		row := f.Row("containers")
		rows = append(rows, []string{row.Container("number", b.Number), row.Number("seal", b.Seal), row.Size("size_type", b.Size), row.Count("packages", b.Packages), row.BareMass("gross_weight", b.Gross), row.BareVolume("volume", b.Volume)})
	}
	y = f.Table(12, y+4, 8, true, []form.Column{{Title: "Container-Nr.", Width: 36}, {Title: "Siegel", Width: 32}, {Title: "Größe", Width: 36}, {Title: "Packstücke", Width: 22, Right: true}, {Title: "Bruttogewicht (kg)", Width: 32, Right: true}, {Title: "Rauminhalt (m³)", Width: 28, Right: true}}, rows)
	f.Say(12, y+3, 7, "", "Inhalt laut Angabe des Abladers")
	f.Prose(14, y+7, 175, 8.5, f.Text("description", named(s)))
	f.Label(12, 235, 40, 186, 8, "", "Fracht", paid(f, "bezahlt (prepaid)", "unfrei (collect)"))
	f.Label(12, 240, 40, 186, 8, "", "An Bord am", f.Day("on_board_date", s.Sailed))
	f.Label(12, 245, 40, 186, 8, "", "Ort und Tag", f.Place("issue_place", s.Lading)+", den "+f.Day("issue_date", s.Sailed))
	f.Paragraph(12, 256, 186, 6, "Ausgestellt vom Spediteur als Verfrachter. Die Auslieferung erfolgt gegen Rückgabe eines ordnungsgemäß indossierten Originals bei der Empfangsagentur "+s.Agent.Name+".")
}

// partLoadBill is for a part of a container that others share: CFS to CFS.
func partLoadBill(f *form.Form) {
	s := strange(f, form.Pick(f, "02 Jan 06", "Jan 02, 2006", "02/Jan/2006"), func(s trade.Shipment) bool { return len(s.Containers) == 1 })
	f.Page("A4")
	f.Frame(10, 8, 190, 270)
	f.Say(13, 10, 12, "B", s.Forward.Name+" - LCL")
	f.Right(197, 10, 9, "B", form.Pick(f, "HOUSE BILL OF LADING", "CONSOLIDATED CARGO BILL OF LADING", "THROUGH BILL OF LADING (HOUSE)"))
	y := 18.0
	row := func(cells ...[2]string) {
		w := 190 / float64(len(cells))
		for i, c := range cells {
			f.Field(12+w*float64(i), y+1, w-3, c[0], c[1])
		}
		f.Rule(10, y+9, 200, y+9)
		y += 9
	}
	row([2]string{"HOUSE B/L NO", f.Number("hbl_number", s.HBL)}, [2]string{"CO-LOAD / MASTER B/L NO", f.Number("bl_number", s.BL)}, [2]string{"S/O NO", num(f, "SO####")})
	for _, p := range []struct {
		caption string
		lines   []string
	}{{"SHIPPER", f.Party("shipper", s.Shipper, 4)}, {"CONSIGNEE", f.Party("consignee", s.Buyer, 4)}, {"NOTIFY PARTY", f.Party("notify_party", s.Notify, 4)}} {
		f.Field(12, y+1, 180, p.caption, strings.Join(p.lines[:1], ""), strings.Join(p.lines[1:], ", "))
		f.Rule(10, y+13, 200, y+13)
		y += 13
	}
	row([2]string{"VESSEL", f.Text("vessel", s.Ship.Name)}, [2]string{"VOY", f.Number("voyage", s.Voyage)}, [2]string{"SERVICE", "CFS / CFS"})
	row([2]string{"PLACE OF RECEIPT", f.Place("place_of_receipt", s.Receipt)}, [2]string{"LOADING PORT", f.Place("port_of_lading", s.Lading)}, [2]string{"DISCHARGE PORT", f.Place("port_of_discharge", s.Unlading)}, [2]string{"DELIVERY", f.Place("place_of_delivery", s.Delivery)})
	b := s.Containers[0]
	c := f.Row("containers")
	row([2]string{"PART OF CONTAINER", c.Container("number", b.Number)}, [2]string{"SEAL", c.Number("seal", b.Seal)}, [2]string{"TYPE", c.Size("size_type", b.Size)})
	row([2]string{"PACKAGES", c.Count("packages", b.Packages) + " CARTONS"}, [2]string{"GROSS WEIGHT", c.Mass("gross_weight", b.Gross)}, [2]string{"MEASUREMENT", c.Volume("volume", b.Volume)}, [2]string{"FREIGHT", paid(f, "PREPAID", "COLLECT")})
	f.Say(12, y+2, 6, "", "DESCRIPTION OF PACKAGES AND GOODS (PARTICULARS DECLARED BY SHIPPER)")
	f.Prose(14, y+6, 180, 9, f.Text("description", named(s)))
	y = 228
	f.Rule(10, y, 200, y)
	row([2]string{"SHIPPED ON BOARD", f.Day("on_board_date", s.Sailed)}, [2]string{"PLACE OF ISSUE", f.Place("issue_place", s.Lading)}, [2]string{"DATE OF ISSUE", f.Day("issue_date", s.Sailed)}, [2]string{"ORIGINALS", f.Code("originals", "3", "3 (THREE)")})
	f.Paragraph(12, y+3, 186, 6, "Cargo is released at the container freight station of "+s.Agent.Name+" against surrender of one original and payment of charges as per arrival notice. Storage begins five days after unstuffing.")
}
