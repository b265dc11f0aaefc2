package train

import (
	"fmt"
	"strings"

	"github.com/landfallhq/tracking/classify/corpus/form"
	"github.com/landfallhq/tracking/classify/corpus/trade"
	"github.com/landfallhq/tracking/classify/corpus/truth"
)

// Lots G, H and I were drawn by somebody who knew neither the rules nor the held-out
// part, for types that are read badly where the form is new. Their shipments are of
// companies and goods of their own.

// specimenBillsG are bills of lading of the first of these lots: who issues them, and
// for whom, stands in the small type.
var specimenBillsG = []form.Layout{
	{Name: "bl-nvocc-shipper", Type: truth.BillOfLading, Copies: 3, Draw: masterBill},
	{Name: "bl-connaissement", Type: truth.BillOfLading, Copies: 2, Draw: frenchBill},
	{Name: "hbl-fbl", Type: truth.HouseBillOfLading, Copies: 3, Draw: multimodalFBL},
	{Name: "hbl-apply-to", Type: truth.HouseBillOfLading, Copies: 3, Draw: applyToHouseBill},
	{Name: "hbl-hijo", Type: truth.HouseBillOfLading, Copies: 2, Draw: spanishHouseBill},
}

// masterBill is a carrier's, for a consolidator who ships to its own agent: it mentions
// the house bill among the marks, and is signed by an agent.
func masterBill(f *form.Form) {
	s := strange(f, form.Pick(f, "02-Jan-2006", "Jan. 02, 2006", "2006/01/02"), anywhere)
	f.Page("Letter")
	f.Say(12, 8, 16, "B", s.Line.Name)
	f.SCAC(s.Line)
	f.Say(12, 15, 7, "I", "Bill of Lading for port to port shipment or for combined transport")
	f.Right(204, 8, 9, "", "PAGE 1 OF 1")
	y := f.Cells(12, 20, 11, []float64{64, 64, 64}, [2]string{"B/L NUMBER", f.Number("bl_number", s.BL)}, [2]string{"CARRIER BOOKING", f.Number("booking_number", s.Booking)}, [2]string{"CONTRACT NO.", num(f, "SC26####")})
	f.Box(12, y, 96, 24, "SHIPPER (PRINCIPAL OR SELLER LICENSEE AND FULL ADDRESS)", append(f.Party("shipper", s.Forward, 4), "AS NVOCC, FMC NO. "+num(f, "0#####"))...)
	f.Box(108, y, 96, 24, "CONSIGNEE (NAME AND FULL ADDRESS)", f.Party("consignee", trade.Company{Name: "FIVE HARBOURS LOGISTICS LTD", Address: s.Agent.Address}, 4)...)
	f.Box(12, y+24, 96, 24, "NOTIFY PARTY (CARRIER IS NOT RESPONSIBLE FOR FAILURE TO NOTIFY)", f.Party("notify_party", s.Notify, 4)...)
	f.Box(108, y+24, 96, 24, "FOR DELIVERY OF GOODS PLEASE APPLY TO", append([]string{s.Agent.Name}, s.Agent.Address...)...)
	y = f.Cells(12, y+48, 11, []float64{48, 48, 48, 48}, [2]string{"PRE-CARRIAGE BY", ""}, [2]string{"PLACE OF RECEIPT *", f.Place("place_of_receipt", s.Receipt)}, [2]string{"COUNTRY OF ORIGIN", origin(s.Lading.Country)}, [2]string{"NUMBER OF ORIGINAL Bs/L", f.Code("originals", "3", "THREE/3")})
	y = f.Cells(12, y, 11, []float64{48, 48, 48, 48}, [2]string{"VESSEL / VOYAGE", f.Text("vessel", s.Ship.Name) + " / " + f.Number("voyage", s.Voyage)}, [2]string{"PORT OF LOADING", f.Place("port_of_lading", s.Lading)}, [2]string{"PORT OF DISCHARGE", f.Place("port_of_discharge", s.Unlading)}, [2]string{"FINAL PLACE OF DELIVERY *", f.Place("place_of_delivery", s.Delivery)})
	stops := []float64{13, 62, 84, 150, 178, 204}
	f.Heads(y+1, 6, stops, "lllrr", "MARKS AND NOS / CONTAINER AND SEAL", "PACKAGES", "DESCRIPTION OF GOODS AS STATED BY SHIPPER", "GROSS WEIGHT", "MEASUREMENT")
	y += 5
	for _, b := range s.Containers {
		row := f.Row("containers")
		f.Spread(y, 8, stops, "lllrr", row.Container("number", b.Number), row.Count("packages", b.Packages)+" CTNS", "1 x "+row.Size("size_type", b.Size)+" CONTAINER S.T.C.", row.Mass("gross_weight", b.Gross), row.Volume("volume", b.Volume))
		f.Fill(13, y+3.8, 46, 8, "SEAL "+row.Number("seal", b.Seal))
		y += 9.5
	}
	y = f.Prose(84, y, 88, 8, f.Text("description", named(s))) + 2
	stack(f, 84, y, 88, 8, "HOUSE B/L NO. "+f.Number("hbl_number", s.HBL), "CONSOLIDATED CARGO, SHIPPER'S LOAD AND COUNT", paid(f, "OCEAN FREIGHT PREPAID", "OCEAN FREIGHT COLLECT"))
	f.Rule(12, 228, 204, 228)
	f.Paragraph(12, 230, 100, 5.5, "Received by the Carrier from the Shipper in apparent good order the containers or packages said to contain the goods mentioned above. A house bill of lading issued by the merchant is no document of the Carrier. One original must be surrendered, duly endorsed, in exchange for a delivery order.")
	f.Label(120, 230, 34, 84, 7, "B", "LADEN ON BOARD", f.Day("on_board_date", s.Sailed))
	f.Label(120, 235, 34, 84, 7, "B", "PLACE OF B/L ISSUE", f.Place("issue_place", s.Lading))
	f.Label(120, 240, 34, 84, 7, "B", "DATED", f.Day("issue_date", s.Sailed.AddDate(0, 0, 1)))
	f.Lines(120, 248, 7, "", "SIGNED FOR THE CARRIER", s.Line.Name, "BY ITS AGENT, "+num(f, "@@@")+" SHIPPING, AS AGENT FOR THE CARRIER")
	f.Centre(108, 268, 6, "", "* only where this document is used for combined transport")
}

// frenchBill is a line's, with captions in French and remarks in English.
func frenchBill(f *form.Form) {
	s := strange(f, form.Pick(f, "2 January 2006", "02/01/2006"), several(to("FR", "CA", "BE")))
	f.Style.Months = tongues["fr"]
	notation(f, " ", ",", 3)
	f.Page("A4")
	f.Centre(105, 8, 14, "B", "CONNAISSEMENT")
	f.Centre(105, 14, 7, "I", "Transport combiné ou de port à port")
	f.Badge(172, 7, 26, 9)
	f.Lines(12, 8, 8, "B", s.Line.Name)
	f.SCAC(s.Line)
	y := f.Cells(12, 20, 12, []float64{62, 62, 62}, [2]string{"N° du connaissement", f.Number("bl_number", s.BL)}, [2]string{"N° de réservation", f.Number("booking_number", s.Booking)}, [2]string{"Nombre d'originaux", f.Code("originals", "3", "TROIS (3)")})
	for _, p := range []struct {
		caption string
		lines   []string
	}{{"Chargeur", f.Party("shipper", s.Shipper, 4)}, {"Destinataire", f.Party("consignee", s.Buyer, 4)}, {"Notifier (sans responsabilité du transporteur)", f.Party("notify_party", s.Notify, 4)}} {
		f.Box(12, y, 110, 22, p.caption, p.lines...)
		y += 22
	}
	at := 32.0
	for _, p := range [][2]string{{"Navire", f.Text("vessel", s.Ship.Name)}, {"Voyage n°", f.Number("voyage", s.Voyage)}, {"Lieu de prise en charge", f.Place("place_of_receipt", s.Receipt)}, {"Port de chargement", f.Place("port_of_lading", s.Lading)}, {"Port de déchargement", f.Place("port_of_discharge", s.Unlading)}, {"Lieu de livraison", f.Place("place_of_delivery", s.Delivery)}} {
		f.Box(122, at, 76, 11, p[0], p[1])
		at += 11
	}
	var rows [][]string
	for _, b := range s.Containers {
		row := f.Row("containers")
		rows = append(rows, []string{row.Container("number", b.Number), row.Number("seal", b.Seal), lineSize(row, 0, b.Size), row.Count("packages", b.Packages), row.BareMass("gross_weight", b.Gross), row.BareVolume("volume", b.Volume)})
	}
	rows = append(rows, []string{"TOTAL", "", "", f.Count("", s.Packages()), f.BareMass("", s.Gross()), f.BareVolume("", s.Volume())})
	y = f.Table(12, y+4, 8, true, []form.Column{{Title: "Conteneur", Width: 36}, {Title: "Plomb", Width: 32}, {Title: "Type", Width: 24}, {Title: "Colis", Width: 22, Right: true}, {Title: "Poids brut (kg)", Width: 36, Right: true}, {Title: "Volume (m³)", Width: 36, Right: true}}, rows)
	f.Say(12, y+4, 7, "", "Désignation des marchandises, déclarée par le chargeur, le transporteur n'ayant pas vérifié :")
	y = f.Prose(16, y+9, 170, 8.5, f.Text("description", named(s)))
	f.Fill(16, y+3, 100, 9, paid(f, "FRET PAYÉ AU DÉPART", "FRET PAYABLE À DESTINATION"))
	f.Label(12, 244, 50, 180, 8, "", "Mis à bord le", f.Day("on_board_date", s.Sailed))
	f.Label(12, 250, 50, 180, 8, "", "Fait à", f.Place("issue_place", s.Lading))
	f.Label(12, 256, 50, 180, 8, "", "le", f.Day("issue_date", s.Sailed))
	f.Paragraph(12, 266, 186, 5.5, "Reçu en bon état apparent sauf réserves. En foi de quoi il a été signé le nombre d'originaux indiqué ci-dessus, l'un étant accompli, les autres seront sans valeur. Un bon à délivrer est remis contre ce connaissement.")
	f.Right(198, 276, 8, "", "Pour le transporteur, l'agent consignataire")
}

// multimodalFBL is a forwarder's negotiable bill after the model of their federation,
// without a caption for the carrier's bill.
func multimodalFBL(f *form.Form) {
	s := strange(f, form.Pick(f, "02.01.2006", "02 Jan 2006", "2.1.2006"), anywhere)
	f.Page("A4")
	f.Frame(10, 10, 92, 26)
	f.Say(11, 11, 6, "", "Consignor")
	stack(f, 13, 15, 88, 8.5, f.Party("shipper", s.Shipper, 4)...)
	f.Frame(10, 36, 92, 26)
	f.Say(11, 37, 6, "", "Consigned to order of")
	stack(f, 13, 41, 88, 8.5, f.Party("consignee", s.Buyer, 4)...)
	f.Frame(10, 62, 92, 26)
	f.Say(11, 63, 6, "", "Notify address")
	stack(f, 13, 67, 88, 8.5, f.Party("notify_party", s.Notify, 4)...)
	f.Say(108, 11, 13, "B", "FBL")
	f.Fill(150, 11, 48, 10, f.Number("hbl_number", s.HBL))
	f.Lines(108, 19, 8, "B", "NEGOTIABLE FIATA", "MULTIMODAL TRANSPORT", "BILL OF LADING")
	f.Paragraph(108, 33, 90, 6, "issued subject to UNCTAD/ICC Rules for Multimodal Transport Documents (ICC Publication 481).")
	f.Frame(108, 40, 20, 14)
	f.Centre(118, 45, 6, "", "national emblem")
	stack(f, 108, 60, 90, 9, append([]string{s.Forward.Name}, s.Forward.Address...)...)
	y := f.Cells(10, 88, 10, []float64{46, 46}, [2]string{"", ""}, [2]string{"Place of receipt", f.Place("place_of_receipt", s.Receipt)})
	y = f.Cells(10, y, 10, []float64{46, 46}, [2]string{"Ocean vessel", f.Text("vessel", s.Ship.Name)}, [2]string{"Port of loading", f.Place("port_of_lading", s.Lading)})
	y = f.Cells(10, y, 10, []float64{46, 46}, [2]string{"Port of discharge", f.Place("port_of_discharge", s.Unlading)}, [2]string{"Place of delivery", f.Place("place_of_delivery", s.Delivery)})
	stops := []float64{11, 52, 82, 146, 174, 199}
	f.Heads(y+1, 6, stops, "lllrr", "Marks and numbers", "No. and kind of packages", "Description of goods", "Gross weight", "Measurement")
	y += 7
	for i, b := range s.Containers {
		row := f.Row("containers")
		f.Fill(11, y, 39, 8, row.Container("number", b.Number))
		f.Fill(11, y+3.7, 39, 8, row.Number("seal", b.Seal))
		f.Fill(52, y, 28, 8, row.Count("packages", b.Packages)+" "+form.Pick(f, "packages", "cases", "pallets"))
		f.Fill(52, y+3.7, 28, 8, "in 1 x "+row.Size("size_type", b.Size))
		f.FillRight(172, y, 25, 8, row.Mass("gross_weight", b.Gross))
		f.FillRight(197, y, 22, 8, row.Volume("volume", b.Volume))
		if i == 0 {
			f.Prose(82, y, 62, 8, f.Text("description", named(s)))
		}
		y += 10
	}
	y = max(y, 180)
	f.Fill(82, y, 60, 9, freight(f))
	f.Fill(82, y+5, 60, 8, "on board "+f.Day("on_board_date", s.Sailed))
	f.Say(10, 206, 5.5, "", "according to the declaration of the consignor")
	f.Captioned(10, 210, 95, 12, 5.5, "Declaration of interest of the consignor in timely delivery (Clause 6.2.)", "")
	f.Captioned(105, 210, 95, 12, 5.5, "Declared value for ad valorem rate according to the declaration of the consignor (Clauses 7 and 8).", "")
	f.Paragraph(10, 224, 190, 5.5, "The goods and instructions are accepted and dealt with subject to the Standard Conditions printed overleaf. Taken in charge in apparent good order and condition, unless otherwise noted herein, at the place of receipt for transport and delivery as mentioned above. One of these Multimodal Transport Bills of Lading must be surrendered duly endorsed in exchange for the goods. Whereof the original documents have been signed in the number stated below.")
	f.Cells(10, 240, 11, []float64{63, 63, 64}, [2]string{"Freight amount", ""}, [2]string{"Freight payable at", "as arranged"}, [2]string{"Place and date of issue", f.Place("issue_place", s.Lading) + ", " + f.Day("issue_date", s.Sailed)})
	f.Cells(10, 251, 11, []float64{63, 63, 64}, [2]string{"Cargo insurance through the undersigned", "not covered"}, [2]string{"Number of original FBL's", f.Code("originals", "3", form.Pick(f, "3 / three", "Three"))}, [2]string{"Stamp and signature", "As carrier"})
	f.Captioned(10, 262, 126, 16, 5.5, "For delivery of goods please apply to:", s.Agent.Name, strings.Join(s.Agent.Address, ", "))
}

// applyToHouseBill is a consolidator's: the master bill in small type, and the agent at
// destination beside the parties; containers in a rider on the second page.
func applyToHouseBill(f *form.Form) {
	s := strange(f, form.Pick(f, "02-Jan-06", "Jan 2, 2006", "20060102"), several(anywhere))
	f.Page("Letter")
	f.Centre(108, 8, 17, "B", s.Forward.Name)
	f.Centre(108, 15, 7, "", "OCEAN TRANSPORT INTERMEDIARY - NON-VESSEL-OPERATING COMMON CARRIER - "+strings.Join(s.Forward.Address, ", "))
	f.Rule(12, 19, 204, 19)
	f.Say(12, 21, 12, "B", form.Pick(f, "BILL OF LADING", "OCEAN BILL OF LADING", "COMBINED TRANSPORT BILL OF LADING"))
	f.Say(150, 21, 7, "", "B/L No.")
	f.Fill(164, 21, 40, 10, f.Number("hbl_number", s.HBL))
	f.Label(150, 26, 22, 54, 6, "", "Master B/L", f.Number("bl_number", s.BL))
	f.Label(150, 30, 22, 54, 6, "", "Carrier ref.", f.Number("booking_number", s.Booking))
	y := 30.0
	for _, p := range []struct {
		caption string
		lines   []string
	}{{"SHIPPER", f.Party("shipper", s.Shipper, 4)}, {"CONSIGNEE (or order)", f.Party("consignee", s.Buyer, 4)}, {"NOTIFY", f.Party("notify_party", s.Notify, 4)}} {
		f.Say(12, y, 6, "B", p.caption)
		y = stack(f, 40, y, 100, 8.5, p.lines...) + 4
	}
	f.Frame(148, 36, 56, y-38)
	f.Paragraph(149, 37, 54, 6, "DESTINATION AGENT - FOR CARGO RELEASE APPLY TO")
	stack(f, 150, 44, 53, 7.5, append([]string{s.Agent.Name}, append(s.Agent.Address, "TEL "+s.Agent.Phone)...)...)
	y = ruled(f, 12, y, 7, []float64{64, 64, 64}, [][][2]string{
		{{"Vessel/Voy", f.Text("vessel", s.Ship.Name) + " V." + f.Number("voyage", s.Voyage)}, {"P.O.L.", f.Place("port_of_lading", s.Lading)}, {"P.O.D.", f.Place("port_of_discharge", s.Unlading)}},
		{{"P.O.R.", f.Place("place_of_receipt", s.Receipt)}, {"Deliv.", f.Place("place_of_delivery", s.Delivery)}, {"Originals", f.Code("originals", "3", "3 (THREE)")}},
	}) + 3
	f.Say(12, y, 6, "B", "SAID TO CONTAIN")
	f.Say(150, y, 6, "B", "WEIGHT / MEASUREMENT")
	f.Fill(150, y+4, 54, 8, f.Mass("", s.Gross()))
	f.Fill(150, y+8, 54, 8, f.Volume("", s.Volume()))
	y = f.Prose(12, y+4, 130, 8, fmt.Sprintf("%d PACKAGES OF", s.Packages()))
	f.Prose(12, y, 130, 8, f.Text("description", named(s)))
	f.Fill(12, 205, 100, 9, freight(f)+"   CONTAINERS AS PER ATTACHED RIDER")
	f.Paragraph(12, 232, 120, 5.5, "In witness whereof the undersigned, acting as carrier, has signed the number of bills of lading stated above. This bill covers the whole carriage; the bill of the vessel's operator, if mentioned, is given for reference alone and confers no right.")
	f.Label(136, 232, 26, 68, 7, "", "On board", f.Day("on_board_date", s.Sailed))
	f.Label(136, 238, 26, 68, 7, "", "Issued at", f.Place("issue_place", s.Lading))
	f.Label(136, 244, 26, 68, 7, "", "Issued on", f.Day("issue_date", s.Sailed))
	f.Page("Letter")
	f.Say(12, 9, 10, "B", "RIDER TO B/L "+s.HBL+"   PAGE 2")
	stops := []float64{12, 54, 92, 124, 146, 174, 204}
	f.Heads(18, 7, stops, "lllrrr", "CONTAINER", "SEAL", "TYPE", "PKGS", f.Kilo, f.Cubic)
	y = 23
	for _, b := range s.Containers {
		row := f.Row("containers")
		y = f.Spread(y, 8.5, stops, "lllrrr", row.Container("number", b.Number), row.Number("seal", b.Seal), lineSize(row, 0, b.Size), row.Count("packages", b.Packages), row.BareMass("gross_weight", b.Gross), row.BareVolume("volume", b.Volume))
	}
}

// spanishHouseBill is that of a freight agent ("agente de carga") in Latin America.
func spanishHouseBill(f *form.Form) {
	s := strange(f, form.Pick(f, "02/01/2006", "02-January-2006"), from("CL", "PE", "ES"))
	f.Style.Months = tongues["ES"]
	notation(f, ".", ",", 2)
	f.Page("A4")
	f.Say(12, 9, 13, "B", s.Forward.Name)
	f.Lines(12, 15, 7, "", "Agente de carga internacional", strings.Join(s.Forward.Address, ", "))
	f.Right(198, 9, 11, "B", "CONOCIMIENTO DE EMBARQUE HIJO")
	f.Right(198, 14.5, 8, "I", "House Bill of Lading")
	y := f.Cells(12, 23, 11, []float64{62, 62, 62}, [2]string{"HBL N°", f.Number("hbl_number", s.HBL)}, [2]string{"B/L madre (naviera)", f.Number("bl_number", s.BL)}, [2]string{"Reserva N°", f.Number("booking_number", s.Booking)})
	f.Box(12, y, 93, 24, "Embarcador / Exportador", f.Party("shipper", s.Shipper, 4)...)
	f.Box(105, y, 93, 24, "Consignatario", f.Party("consignee", s.Buyer, 4)...)
	f.Box(12, y+24, 93, 24, "Notificar a", f.Party("notify_party", s.Notify, 4)...)
	f.Box(105, y+24, 93, 24, "Agente en destino", append([]string{s.Agent.Name}, s.Agent.Address...)...)
	y = f.Cells(12, y+48, 11, []float64{46.5, 46.5, 46.5, 46.5}, [2]string{"Nave", f.Text("vessel", s.Ship.Name)}, [2]string{"Viaje", f.Number("voyage", s.Voyage)}, [2]string{"Puerto de embarque", f.Place("port_of_lading", s.Lading)}, [2]string{"Puerto de desembarque", f.Place("port_of_discharge", s.Unlading)})
	y = f.Cells(12, y, 11, []float64{46.5, 46.5, 46.5, 46.5}, [2]string{"Lugar de recepción", f.Place("place_of_receipt", s.Receipt)}, [2]string{"Lugar de entrega final", f.Place("place_of_delivery", s.Delivery)}, [2]string{"Flete", paid(f, "PREPAGADO", "POR COBRAR")}, [2]string{"Originales emitidos", f.Code("originals", "3", "3")})
	y += 4
	for _, b := range s.Containers {
		row := f.Row("containers")
		y = f.Label(12, y, 0, 186, 7.5, "", "Contenedor", row.Container("number", b.Number)+"  Sello "+row.Number("seal", b.Seal)+"  "+row.Size("size_type", b.Size)+"  "+row.Count("packages", b.Packages)+" bultos  "+row.Mass("gross_weight", b.Gross)+"  "+row.Volume("volume", b.Volume)) + 0.4
	}
	f.Say(12, y+3, 7, "", "Descripción de la mercancía (según declara el embarcador)")
	f.Prose(14, y+7, 170, 8.5, f.Text("description", described(s)))
	f.Label(12, 246, 40, 180, 8, "", "Fecha a bordo:", f.Day("on_board_date", s.Sailed))
	f.Label(12, 251, 40, 180, 8, "", "Lugar de emisión:", f.Place("issue_place", s.Lading))
	f.Label(12, 256, 40, 180, 8, "", "Fecha de emisión:", f.Day("issue_date", s.Sailed))
	f.Paragraph(12, 264, 186, 5.5, "El agente de carga emite este documento como transportador contractual. La entrega se hace contra un original debidamente endosado. No es factura comercial ni lista de empaque.")
}
