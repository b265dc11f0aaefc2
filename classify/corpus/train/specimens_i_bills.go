package train

import (
	"fmt"
	"strings"

	"github.com/landfallhq/tracking/classify/corpus/form"
	"github.com/landfallhq/tracking/classify/corpus/truth"
)

// specimenBillsI are transport documents of lot I: copies with stamps, and house bills
// with codes and numbers of their issuers.
var specimenBillsI = []form.Layout{
	{Name: "bl-copy-stamps", Type: truth.BillOfLading, Copies: 3, Draw: stampedCopyBill},
	{Name: "bl-conocimiento", Type: truth.BillOfLading, Copies: 2, Draw: spanishBill},
	{Name: "bl-letters", Type: truth.BillOfLading, Copies: 2, Draw: letteredBill},
	{Name: "hbl-nvocc-code", Type: truth.HouseBillOfLading, Copies: 3, Draw: codedHouseBill},
	{Name: "hbl-bracketed", Type: truth.HouseBillOfLading, Copies: 3, Draw: bracketHouseBill},
	{Name: "hbl-groupeur", Type: truth.HouseBillOfLading, Copies: 2, Draw: frenchHouseBill},
}

// stampedCopyBill is a copy with stamps beside the goods, captions in capitals to the left
// of what is filled in, and no frames at all.
func stampedCopyBill(f *form.Form) {
	s := strange(f, form.Pick(f, "02 Jan 2006", "Jan 2, 2006", "2006-Jan-02"), anywhere)
	f.Page("A4")
	f.Centre(105, 6, 9, "B", form.Pick(f, "COPY - NON-NEGOTIABLE", "NON NEGOTIABLE COPY OF ORIGINAL BILL OF LADING", "DRAFT - COPY NOT NEGOTIABLE"))
	f.Say(12, 13, 14, "B", s.Line.Name)
	f.SCAC(s.Line)
	f.Right(198, 13, 12, "B", "BILL OF LADING")
	y := 24.0
	both := func(a, av, b, bv string) {
		f.Say(12, y, 6.5, "", a)
		f.Fill(42, y, 64, 9, av)
		f.Say(110, y, 6.5, "", b)
		f.Fill(140, y, 58, 9, bv)
		y += 5.4
	}
	both("B/L NO", f.Number("bl_number", s.BL), "BOOKING", f.Number("booking_number", s.Booking))
	both("VESSEL", f.Text("vessel", s.Ship.Name), "VOYAGE", f.Number("voyage", s.Voyage))
	both("LOAD PORT", f.Place("port_of_lading", s.Lading), "DISCH PORT", f.Place("port_of_discharge", s.Unlading))
	both("ORIGIN", f.Place("place_of_receipt", s.Receipt), "DESTINATION", f.Place("place_of_delivery", s.Delivery))
	for _, p := range []struct {
		caption string
		lines   []string
	}{{"SHIPPER", f.Party("shipper", s.Shipper, 4)}, {"CONSIGNEE", f.Party("consignee", s.Buyer, 4)}, {"NOTIFY", f.Party("notify_party", s.Notify, 4)}} {
		f.Say(12, y+1, 6.5, "", p.caption)
		y = stack(f, 42, y+1, 150, 9, p.lines...) + 2
	}
	f.Rule(12, y, 198, y)
	f.Say(12, y+1.5, 6.5, "", "CONTAINERS, SEALS, PACKAGES, WEIGHTS, MEASUREMENTS")
	y += 6
	for _, b := range s.Containers {
		row := f.Row("containers")
		f.Fill(12, y, 186, 8.5, row.Container("number", b.Number)+" "+lineSize(row, 3, b.Size)+" SL# "+row.Number("seal", b.Seal)+" "+row.Count("packages", b.Packages)+" PKG "+row.Mass("gross_weight", b.Gross)+" "+row.Volume("volume", b.Volume))
		y += 4.6
	}
	y = f.Prose(12, y+4, 120, 9, f.Text("description", described(s)))
	for i, stamp := range [][]string{{"SHIPPED ON BOARD", f.Day("on_board_date", s.Sailed)}, {paid(f, "FREIGHT PREPAID", "FREIGHT COLLECT"), "as per tariff"}, {"SURRENDERED", "telex release sent"}} {
		if i == 2 && f.R.IntN(2) == 0 {
			break
		}
		f.Frame(146, 165+20*float64(i), 48, 14)
		f.Centre(170, 168+20*float64(i), 9, "B", stamp[0])
		f.Centre(170, 173+20*float64(i), 8, "", stamp[1])
	}
	f.Label(12, 240, 42, 120, 8, "", "PLACE OF ISSUE", f.Place("issue_place", s.Lading))
	f.Label(12, 245, 42, 120, 8, "", "DATE OF ISSUE", f.Day("issue_date", s.Sailed))
	f.Label(12, 250, 42, 120, 8, "", "ORIGINALS ISSUED", f.Code("originals", "3", "3"))
	f.Paragraph(12, 262, 186, 6, "This copy is for information. It is not an arrival notice, entitles nobody to a delivery order, and is no sea waybill.")
}

// spanishBill is a line's in Spanish, as shippers fill it in on their own.
func spanishBill(f *form.Form) {
	s := strange(f, form.Pick(f, "2 de January de 2006", "02-January-2006"), from("ES", "CL", "PE"))
	f.Style.Months = tongues["es"]
	notation(f, ".", ",", 3)
	f.Page("A4")
	f.Say(12, 8, 13, "B", strings.ToUpper(s.Line.Name))
	f.SCAC(s.Line)
	f.Centre(105, 15, 12, "B", "CONOCIMIENTO DE EMBARQUE")
	f.Centre(105, 20.5, 7, "", "para transporte combinado o de puerto a puerto")
	f.Box(12, 26, 110, 22, "Cargador", f.Party("shipper", s.Shipper, 4)...)
	f.Box(12, 48, 110, 22, "Consignatario (o a su orden)", f.Party("consignee", s.Buyer, 4)...)
	f.Box(12, 70, 110, 22, "Dirección de aviso", f.Party("notify_party", s.Notify, 4)...)
	f.Box(122, 26, 76, 11, "Conocimiento núm.", f.Number("bl_number", s.BL))
	f.Box(122, 37, 76, 11, "Ref. de la reserva", f.Number("booking_number", s.Booking))
	f.Box(122, 48, 76, 11, "Buque", f.Text("vessel", s.Ship.Name))
	f.Box(122, 59, 76, 11, "Viaje núm.", f.Number("voyage", s.Voyage))
	f.Box(122, 70, 38, 11, "Lugar de recepción", f.Place("place_of_receipt", s.Receipt))
	f.Box(160, 70, 38, 11, "Puerto de carga", f.Place("port_of_lading", s.Lading))
	f.Box(122, 81, 38, 11, "Puerto de descarga", f.Place("port_of_discharge", s.Unlading))
	f.Box(160, 81, 38, 11, "Lugar de entrega", f.Place("place_of_delivery", s.Delivery))
	stops := []float64{13, 52, 84, 118, 140, 172, 199}
	f.Heads(94, 7, stops, "lllrrr", "Contenedor", "Precinto", "Clase", "Bultos", "Peso bruto "+f.Kilo, f.Cubic)
	y := 99.0
	for _, b := range s.Containers {
		row := f.Row("containers")
		y = f.Spread(y, 8.5, stops, "lllrrr", row.Container("number", b.Number), row.Number("seal", b.Seal), row.Size("size_type", b.Size), row.Count("packages", b.Packages), row.BareMass("gross_weight", b.Gross), row.BareVolume("volume", b.Volume))
	}
	f.Say(13, y+3, 7, "", "Mercancía que se dice contener:")
	y = f.Prose(13, y+7, 180, 8.5, f.Text("description", named(s)))
	f.Fill(13, y+4, 100, 9, paid(f, "FLETE PAGADO EN ORIGEN", "FLETE PAGADERO EN DESTINO"))
	f.Cells(12, 238, 12, []float64{46.5, 46.5, 46.5, 46.5}, [2]string{"Embarcado a bordo el", f.Day("on_board_date", s.Sailed)}, [2]string{"Expedido en", f.Place("issue_place", s.Lading)}, [2]string{"Con fecha", f.Day("issue_date", s.Sailed)}, [2]string{"Originales", f.Code("originals", "3", "TRES (3)")})
	f.Paragraph(12, 254, 186, 6, "Recibido en aparente buen estado. Cumplido uno de los originales, los demás quedan sin valor. El consignatario del buque firma como agente del porteador.")
}

// letteredBill has letters for its boxes, captions and remarks in running text, and
// all particulars of containers in one line each.
func letteredBill(f *form.Form) {
	s := strange(f, form.Pick(f, "02.01.2006", "2 January 2006"), anywhere)
	whole(f)
	f.Style.Thousands = form.Pick(f, ",", "'", "")
	s = f.S
	f.Page("A4")
	f.Say(12, 9, 12, "B", s.Line.ShortName+" - Bill of Lading")
	f.SCAC(s.Line)
	f.Right(198, 9, 10, "B", f.Number("bl_number", s.BL))
	f.Right(198, 13.5, 6, "", "number of this bill")
	y := 20.0
	letter := 'A'
	item := func(caption string, lines ...string) {
		f.Say(12, y, 8, "B", string(letter)+")")
		f.Say(18, y, 7.5, "I", caption)
		y = stack(f, 78, y, 120, 9, lines...) + 1.6
		letter++
	}
	item("Shipped by", f.Party("shipper", s.Shipper, 4)...)
	item("Consigned to the order of", f.Party("consignee", s.Buyer, 4)...)
	item("Who is to be notified", f.Party("notify_party", s.Notify, 4)...)
	item("Received for carriage at", f.Place("place_of_receipt", s.Receipt))
	item("Ocean vessel, voyage", f.Text("vessel", s.Ship.Name)+", "+f.Number("voyage", s.Voyage))
	item("Loaded on board at", f.Place("port_of_lading", s.Lading))
	item("To be discharged at", f.Place("port_of_discharge", s.Unlading))
	item("To be delivered at", f.Place("place_of_delivery", s.Delivery))
	item("Carrier's booking", f.Number("booking_number", s.Booking))
	item("Terms of freight", paid(f, "prepaid", "collect"))
	var boxes []string
	for _, b := range s.Containers {
		row := f.Row("containers")
		boxes = append(boxes, row.Container("number", b.Number)+" ("+row.Size("size_type", b.Size)+") "+row.Number("seal", b.Seal)+", "+row.Count("packages", b.Packages)+" pcs, "+row.Mass("gross_weight", b.Gross)+", "+row.Volume("volume", b.Volume))
	}
	item("Containers, seals, contents", boxes...)
	f.Say(12, y, 8, "B", string(letter)+")")
	f.Say(18, y, 7.5, "I", "Goods as the shipper says")
	y = f.Prose(78, y, 118, 9, f.Text("description", named(s))) + 6
	f.Rule(12, y, 198, y)
	f.Prose(12, y+3, 186, 9, "On board on "+f.Day("on_board_date", s.Sailed)+". Issued in "+f.Place("issue_place", s.Lading)+" on "+f.Day("issue_date", s.Sailed.AddDate(0, 0, 2))+" in "+f.Code("originals", "3", "three")+" originals, signed by the agent on behalf of the carrier.")
}

// codedHouseBill has its issuer's own code, as the customs of the United States want it.
func codedHouseBill(f *form.Form) {
	s := strange(f, form.Pick(f, "01/02/2006", "02-Jan-2006"), to("US"))
	f.Page("Letter")
	f.Shade(12, 8, 192, 14, 232)
	f.Say(15, 10, 13, "B", s.Forward.Name)
	f.Say(15, 16, 6.5, "", strings.Join(s.Forward.Address, ", "))
	f.Right(201, 10, 12, "B", form.Pick(f, "House Bill of Lading", "HOUSE OCEAN BILL OF LADING", "NVOCC BILL OF LADING"))
	y := ruled(f, 12, 24, 7.5, []float64{48, 48, 48, 48}, [][][2]string{
		{{"HB/L", f.Number("hbl_number", s.HBL)}, {"SCAC", f.Number("scac", num(f, "@@@@"))}, {"MB/L", f.Number("bl_number", s.BL)}, {"Bkg", f.Number("booking_number", s.Booking)}},
		{{"AMS", s.AMS}, {"File", num(f, "SE26#####")}, {"ISF by", "importer"}, {"Release", form.Pick(f, "original", "telex")}},
	}) + 2
	for i, p := range []struct {
		caption string
		lines   []string
	}{{"Exporter", f.Party("shipper", s.Shipper, 4)}, {"Ultimate consignee", f.Party("consignee", s.Buyer, 4)}, {"Notify / broker", f.Party("notify_party", s.Notify, 4)}, {"Release agent", append([]string{s.Agent.Name}, s.Agent.Address...)}} {
		f.Say(12+96*float64(i%2), y+23*float64(i/2), 7, "B", p.caption)
		stack(f, 12+96*float64(i%2), y+3.6+23*float64(i/2), 92, 8.5, p.lines...)
	}
	y = ruled(f, 12, y+47, 7.5, []float64{64, 64, 64}, [][][2]string{
		{{"Vessel", f.Text("vessel", s.Ship.Name)}, {"Voyage", f.Number("voyage", s.Voyage)}, {"Place of receipt", f.Place("place_of_receipt", s.Receipt)}},
		{{"Loading", f.Place("port_of_lading", s.Lading)}, {"Unlading", f.Place("port_of_discharge", s.Unlading)}, {"Delivery", f.Place("place_of_delivery", s.Delivery)}},
	}) + 3
	var rows [][]string
	for i, b := range s.Containers {
		row := f.Row("containers")
		words := ""
		if i == 0 {
			words = f.Text("description", named(s))
		}
		rows = append(rows, []string{row.Container("number", b.Number), row.Number("seal", b.Seal), row.Count("packages", b.Packages) + " CTN", words, row.Mass("gross_weight", b.Gross), row.Volume("volume", b.Volume)})
	}
	y = f.Table(12, y, 7.5, true, []form.Column{{Title: "Container", Width: 31}, {Title: "Seal", Width: 29}, {Title: "Pkgs", Width: 22}, {Title: "Commodity, shipper's load and count", Width: 58}, {Title: "Gross", Width: 28}, {Title: "Cube", Width: 24}}, rows)
	f.Fill(12, y+4, 100, 9, freight(f))
	f.Prose(12, 226, 190, 8.5, "Clean on board "+f.Day("on_board_date", s.Sailed)+"   Signed at "+f.Place("issue_place", s.Lading)+" on "+f.Day("issue_date", s.Sailed)+"   Number of originals: "+f.Code("originals", "3", "THREE"))
	f.Paragraph(12, 236, 190, 6, "Issued by the NVOCC named above as carrier. The master bill of lading of the ocean carrier is consigned to our release agent. Goods are released against this house bill alone. An arrival notice will be sent by the release agent.")
}

// bracketHouseBill is that of forwarders in Korea and Japan: captions with numbers in
// brackets, the issuer at the lower right.
func bracketHouseBill(f *form.Form) {
	s := strange(f, form.Pick(f, "Jan. 02, 2006", "2006-01-02", "2006.01.02"), from("KR", "JP", "TW", "HK", "CN"))
	f.Page("A4")
	n := 0
	box := func(x, y, w, h float64, caption string, lines ...string) {
		n++
		f.Captioned(x, y, w, h, 6, fmt.Sprintf("(%d) %s", n, caption), lines...)
	}
	box(10, 10, 100, 24, "Shipper/Exporter", f.Party("shipper", s.Shipper, 4)...)
	box(10, 34, 100, 24, "Consignee", f.Party("consignee", s.Buyer, 4)...)
	box(10, 58, 100, 24, "Notify Party", f.Party("notify_party", s.Notify, 4)...)
	box(110, 10, 90, 12, "B/L No.", f.Number("hbl_number", s.HBL))
	box(110, 22, 90, 12, "Reference: carrier's B/L", f.Number("bl_number", s.BL))
	f.Centre(155, 38, 11, "B", form.Pick(f, "MULTIMODAL TRANSPORT BILL OF LADING", "COMBINED TRANSPORT HOUSE B/L", "FORWARDER'S BILL OF LADING"))
	f.Paragraph(112, 45, 86, 5.5, "Received by the freight forwarder in apparent good order, to be carried as principal under the terms overleaf. The forwarder operates no ships; the vessel named is that of the performing carrier.")
	box(110, 58, 90, 24, "For delivery of goods please apply to", append([]string{s.Agent.Name}, s.Agent.Address...)...)
	box(10, 82, 50, 11, "Pre-carriage by", "")
	box(60, 82, 50, 11, "Place of Receipt", f.Place("place_of_receipt", s.Receipt))
	box(110, 82, 45, 11, "Booking", f.Number("booking_number", s.Booking))
	box(155, 82, 45, 11, "Type of service", "CY/CY")
	box(10, 93, 50, 11, "Vessel / Voyage", f.Text("vessel", s.Ship.Name)+" "+f.Number("voyage", s.Voyage))
	box(60, 93, 50, 11, "Port of Loading", f.Place("port_of_lading", s.Lading))
	box(110, 93, 45, 11, "Port of Discharge", f.Place("port_of_discharge", s.Unlading))
	box(155, 93, 45, 11, "Place of Delivery", f.Place("place_of_delivery", s.Delivery))
	f.Frame(10, 104, 190, 110)
	for i, title := range []string{"Container No. / Seal No.", "No. of Pkgs", "Description of Packages and Goods", "Gross Weight", "Measurement"} {
		f.Say([]float64{11, 58, 80, 150, 176}[i], 105, 6, "", fmt.Sprintf("(%d) %s", n+1+i, title))
	}
	y := 111.0
	for _, b := range s.Containers {
		row := f.Row("containers")
		f.Fill(11, y, 46, 8, row.Container("number", b.Number)+"/"+row.Number("seal", b.Seal))
		f.Fill(58, y, 20, 8, row.Count("packages", b.Packages)+"CT")
		f.Fill(80, y, 66, 8, "1 X "+row.Size("size_type", b.Size))
		f.Fill(150, y, 25, 8, row.Mass("gross_weight", b.Gross))
		f.Fill(176, y, 23, 8, row.Volume("volume", b.Volume))
		y += 5
	}
	y = f.Prose(80, y+2, 66, 8, f.Text("description", named(s)))
	stack(f, 80, y+3, 66, 8, "SAY : "+inWords(len(s.Containers))+" CONTAINER(S) ONLY", "\""+freight(f)+"\"")
	f.Cells(10, 214, 11, []float64{63, 63, 64}, [2]string{"Freight payable at", "AS ARRANGED"}, [2]string{"No. of original B/L", f.Code("originals", "3", "THREE(3)")}, [2]string{"Place and date of issue", f.Place("issue_place", s.Lading) + ", " + f.Day("issue_date", s.Sailed)})
	f.Label(12, 230, 30, 90, 8, "", "On board date", f.Day("on_board_date", s.Sailed))
	f.Centre(155, 236, 11, "B", s.Forward.Name)
	f.Centre(155, 250, 7, "", "ACTING AS A CARRIER")
}

// frenchHouseBill is a groupage agent's, in French.
func frenchHouseBill(f *form.Form) {
	s := strange(f, form.Pick(f, "02/01/2006", "2 January 2006"), to("FR", "BE", "CA"))
	f.Style.Months, f.Style.Upper = tongues["fr"], false
	notation(f, " ", ",", 2)
	f.Page("A4")
	f.Say(12, 8, 13, "B", s.Forward.Name)
	f.Say(12, 14, 7, "I", "Commissionnaire de transport, groupage maritime")
	f.Right(198, 8, 11, "B", form.Pick(f, "CONNAISSEMENT DE GROUPAGE", "CONNAISSEMENT MAISON (HBL)", "CONNAISSEMENT COMMISSIONNAIRE / HOUSE B/L"))
	y := 22.0
	for _, p := range [][2]string{{"HBL n°", f.Number("hbl_number", s.HBL)}, {"Connaissement maître (compagnie)", f.Number("bl_number", s.BL)}, {"Navire", f.Text("vessel", s.Ship.Name)}, {"Voyage", f.Number("voyage", s.Voyage)}, {"Pris en charge à", f.Place("place_of_receipt", s.Receipt)}, {"Chargement", f.Place("port_of_lading", s.Lading)}, {"Déchargement", f.Place("port_of_discharge", s.Unlading)}, {"Livraison", f.Place("place_of_delivery", s.Delivery)}, {"Fret", paid(f, "payé", "dû à destination")}} {
		f.Say(120, y, 7, "", p[0])
		f.Fill(120, y+3, 78, 9, p[1])
		y += 9
	}
	y = 24
	for _, p := range []struct {
		caption string
		lines   []string
	}{{"EXPÉDITEUR", f.Party("shipper", s.Shipper, 4)}, {"DESTINATAIRE", f.Party("consignee", s.Buyer, 4)}, {"NOTIFIÉ", f.Party("notify_party", s.Notify, 4)}} {
		f.Say(12, y, 7, "B", p.caption)
		stack(f, 12, y+4, 100, 9, p.lines...)
		y += 26
	}
	var rows [][]string
	for _, b := range s.Containers {
		row := f.Row("containers")
		rows = append(rows, []string{row.Container("number", b.Number), row.Number("seal", b.Seal), row.Size("size_type", b.Size), row.Count("packages", b.Packages), row.BareMass("gross_weight", b.Gross), row.BareVolume("volume", b.Volume)})
	}
	y = f.Table(12, 106, 8, false, []form.Column{{Title: "Conteneur", Width: 36}, {Title: "Plomb", Width: 32}, {Title: "Type", Width: 36}, {Title: "Colis", Width: 20, Right: true}, {Title: "Poids brut kg", Width: 32, Right: true}, {Title: "Volume m³", Width: 30, Right: true}}, rows)
	f.Say(12, y+4, 7, "", "Nature de la marchandise")
	f.Prose(12, y+8, 180, 9, f.Text("description", named(s)))
	f.Label(12, 238, 50, 180, 8, "", "Embarqué le", f.Day("on_board_date", s.Sailed))
	f.Label(12, 243, 50, 180, 8, "", "Émis à", f.Place("issue_place", s.Lading))
	f.Label(12, 248, 50, 180, 8, "", "Date d'émission", f.Day("issue_date", s.Sailed))
	f.Label(12, 253, 50, 180, 8, "", "Originaux", f.Code("originals", "3", "3 (trois)"))
}
