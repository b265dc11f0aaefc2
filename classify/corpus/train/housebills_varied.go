package train

import (
	"github.com/landfallhq/tracking/classify/corpus/form"
	"github.com/landfallhq/tracking/classify/corpus/truth"
)

var variedHouseBills = []form.Layout{
	{Name: "hbl-multimodal", Type: truth.HouseBillOfLading, Copies: 2, Draw: multimodalBill},
	{Name: "hbl-list", Type: truth.HouseBillOfLading, Copies: 2, Draw: listHouseBill},
	{Name: "hbl-bilingual", Type: truth.HouseBillOfLading, Copies: 2, Draw: bilingualHouseBill},
}

// multimodalBill is an association's form that forwarders fill in.
func multimodalBill(f *form.Form) {
	s := f.S
	f.Page("A4")
	f.Box(12, 10, 93, 25, "Consignor", f.Party("shipper", s.Shipper, 4)...)
	f.Say(108, 11, 9, "B", "FBL")
	f.Say(108, 16, 8, "", "NEGOTIABLE FIATA MULTIMODAL TRANSPORT")
	f.Say(108, 20, 8, "", "BILL OF LADING")
	f.Say(160, 11, 7, "", form.Pick(f, "No.", "FBL No.", "B/L No."))
	f.Fill(172, 11, 26, 8.5, f.Number("hbl_number", s.HBL))
	f.Box(12, 35, 93, 25, "Consigned to order of", f.Party("consignee", s.Buyer, 4)...)
	f.Say(110, 40, 12, "B", s.Forward.Name)
	f.Lines(110, 46, 7, "", s.Forward.Address...)
	f.Box(12, 60, 93, 25, "Notify address", f.Party("notify_party", s.Notify, 4)...)
	f.Box(57, 85, 48, 10, "Place of receipt", f.Place("place_of_receipt", s.Receipt))
	f.Box(12, 95, 45, 10, "Ocean vessel", f.Text("vessel", s.Ship.Name))
	f.Box(57, 95, 48, 10, "Port of loading", f.Place("port_of_lading", s.Lading))
	f.Box(12, 105, 45, 10, "Port of discharge", f.Place("port_of_discharge", s.Unlading))
	f.Box(57, 105, 48, 10, "Place of delivery", f.Place("place_of_delivery", s.Delivery))
	for i, title := range []string{"Marks and numbers", "Number and kind of packages", "Description of goods", "Gross weight", "Measurement"} {
		f.Say([]float64{13, 55, 92, 140, 168}[i], 117, 6, "", title)
	}
	stacked(f, 12, 122, described(s))
	f.Centre(105, 222, 6, "", "according to the declaration of the consignor")
	f.Box(12, 232, 62, 11, "Freight amount", freight(f))
	f.Box(74, 232, 62, 11, "Freight payable at", s.Unlading.Name)
	f.Box(136, 232, 62, 11, "Place and date of issue", f.Place("issue_place", s.Lading)+"  "+f.Day("issue_date", s.Sailed))
	f.Box(74, 243, 62, 11, "Number of Original FBL's", f.Code("originals", "3", form.Pick(f, "3", "THREE", "3 / THREE")))
	f.Box(136, 243, 62, 22, "Stamp and signature", "")
	f.Box(12, 243, 62, 11, "Cargo insurance through the undersigned", "not covered")
}

// listHouseBill prints pairs in two columns, and the goods in a table without lines.
func listHouseBill(f *form.Form) {
	s := f.S
	f.Page("Letter")
	f.Say(12, 10, 14, "B", s.Forward.Name)
	f.Say(12, 17, 8, "", form.Pick(f, "as agent, NVOCC", "Non vessel operating common carrier (NVOCC)", "International freight forwarders"))
	f.Right(204, 10, 12, "B", form.Pick(f, "HOUSE B/L", "House Bill of Lading", "HBL - HOUSE BILL OF LADING"))
	y := f.Pair(12, 28, 36, 95, form.Pick(f, "HBL:", "House B/L:", "HBL #"), f.Number("hbl_number", s.HBL))
	f.Pair(110, 28, 36, 95, form.Pick(f, "MBL:", "Master B/L:", "MBL #"), f.Number("bl_number", s.BL))
	f.Pair(110, y, 36, 95, "Booking Ref.:", f.Number("booking_number", s.Booking))
	y = f.Pair(12, y, 36, 95, "Issue date:", f.Day("issue_date", s.Sailed)) + 3
	left, right := y, y
	for i, p := range []struct {
		caption string
		lines   []string
	}{{"Shipper:", f.Party("shipper", s.Shipper, 3)}, {"Consignee:", f.Party("consignee", s.Buyer, 3)}, {"Notify:", f.Party("notify_party", s.Notify, 3)}} {
		x, at := 12.0, left
		if i == 1 {
			x, at = 110, right
		}
		f.Say(x, at, 8, "B", p.caption)
		for n, line := range p.lines {
			f.Fill(x+22, at+4*float64(n), 70, 8.5, line)
		}
		if i != 1 {
			left += 15
		}
	}
	y = left + 3
	for i, p := range [][2]string{
		{"Vessel/Voy:", f.Text("vessel", s.Ship.Name) + " / " + f.Number("voyage", s.Voyage)}, {"Place of issue:", f.Place("issue_place", s.Lading)},
		{"Load port:", f.Place("port_of_lading", s.Lading)}, {"Discharge port:", f.Place("port_of_discharge", s.Unlading)},
		{"Origin:", f.Place("place_of_receipt", s.Receipt)}, {"Destination:", f.Place("place_of_delivery", s.Delivery)},
		{"On board:", f.Day("on_board_date", s.Sailed)}, {"Freight:", freight(f)},
	} {
		f.Pair(12+98*float64(i%2), y+4.6*float64(i/2), 32, 95, p[0], p[1])
	}
	y = loads(f, 12, y+24, 7.5, false)
	f.Say(12, y+5, 8, "B", "Goods")
	f.Prose(12, y+10, 150, 8, f.Text("description", described(s)))
	f.Say(12, 262, 6.5, "", "All business is transacted under our standard trading conditions.")
}

// bilingualHouseBill has captions in two languages above its boxes.
func bilingualHouseBill(f *form.Form) {
	s := f.S
	words := form.Pick(f,
		[]string{"Absender", "Empfänger", "Meldeadresse", "Schiff", "Reise", "Ladehafen", "Löschhafen", "Lieferort", "Ort und Datum der Ausstellung", "Übernahmeort"},
		[]string{"Expéditeur", "Destinataire", "Notifier", "Navire", "Voyage", "Port de chargement", "Port de déchargement", "Lieu de livraison", "Lieu et date d'émission", "Lieu de prise en charge"},
		[]string{"Embarcador", "Consignatario", "Notificar a", "Buque", "Viaje", "Puerto de carga", "Puerto de descarga", "Lugar de entrega", "Lugar y fecha de emisión", "Lugar de recepción"},
	)
	f.Page("A4")
	f.Say(12, 9, 13, "B", s.Forward.Name)
	f.Right(198, 17, 12, "B", "HOUSE BILL OF LADING")
	f.Box(12, 24, 93, 25, "Shipper / "+words[0], f.Party("shipper", s.Shipper, 4)...)
	f.Box(105, 24, 93, 12, "HBL No.", f.Number("hbl_number", s.HBL))
	f.Box(105, 36, 93, 13, "MBL No.", f.Number("bl_number", s.BL))
	f.Box(12, 49, 93, 25, "Consignee / "+words[1], f.Party("consignee", s.Buyer, 4)...)
	f.Box(105, 49, 93, 25, "Notify party / "+words[2], f.Party("notify_party", s.Notify, 4)...)
	f.Box(12, 74, 62, 11, "Vessel / "+words[3], f.Text("vessel", s.Ship.Name))
	f.Box(74, 74, 62, 11, "Voyage No. / "+words[4], f.Number("voyage", s.Voyage))
	f.Box(136, 74, 62, 11, "Place of receipt / "+words[9], f.Place("place_of_receipt", s.Receipt))
	f.Box(12, 85, 62, 11, "Port of loading / "+words[5], f.Place("port_of_lading", s.Lading))
	f.Box(74, 85, 62, 11, "Port of discharge / "+words[6], f.Place("port_of_discharge", s.Unlading))
	f.Box(136, 85, 62, 11, "Place of delivery / "+words[7], f.Place("place_of_delivery", s.Delivery))
	y := loads(f, 12, 100, 7.5, true)
	f.Say(12, y+4, 6, "", "Description of goods")
	f.Prose(12, y+8, 130, 8, f.Text("description", described(s)))
	f.Box(12, 235, 93, 12, "Freight", freight(f))
	f.Box(105, 235, 93, 12, "Place and date of issue / "+words[8], f.Place("issue_place", s.Lading)+", "+f.Day("issue_date", s.Sailed))
}
