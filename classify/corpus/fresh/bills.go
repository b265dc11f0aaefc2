package fresh

import (
	"fmt"
	"strings"

	"github.com/landfallhq/tracking/classify/corpus/form"
)

// blNumbered is a line's own bill on Letter: every box has a number in brackets, and
// containers stand in the column of the marks.
func blNumbered(f *form.Form) {
	recast(f, plan{way: "us", scac: "EGLV", boxes: 3, lines: 2})
	habits(f, form.Pick(f, "Jan. 02,2006", "02 Jan 2006"), ",", ".", 3, 0, form.Pick(f, 1, 3))
	f.Style.Upper = true
	f.Font, f.ValueFont = form.Sans, form.Pick(f, form.Typed, form.Sans)
	s := f.S
	f.Page("Letter")
	f.SCAC(s.Line)
	f.Say(12, 9, 15, "B", "EVERGREEN LINE")
	f.Say(12, 15.5, 6.5, "", "A joint service agreement of several carriers")
	f.Right(203, 9.5, 13, "B", "BILL OF LADING")
	f.Right(203, 15.5, 6.5, "I", "NOT NEGOTIABLE UNLESS CONSIGNED TO ORDER")
	wide := []float64{96, 96}
	half := []float64{48, 48, 48, 48}
	y := strip(f, 12, 20, 23, 6, wide, c("(2) Shipper/Exporter (complete name and address)", party(f, "shipper", s.Shipper)...), c(""))
	right := stack(f, 109, 21, 45, 6, "(5) Document No.", f.Number("bl_number", ref(f.R, "EGLV############")))
	stack(f, 157, 21, 45, 6, "(6) Booking No.", f.Number("booking_number", s.Booking))
	f.Rule(108, right, 204, right)
	stack(f, 109, right+1, 90, 6, "(7) Export References", ref(f.R, "SO @@####/##"))
	y = strip(f, 12, y, 23, 6, wide, c("(3) Consignee (complete name and address)", party(f, "consignee", s.Buyer)...), c("(8) Forwarding Agent-References", upper(s.Forward).Name, "FMC NO. "+ref(f.R, "####F")))
	y = strip(f, 12, y, 23, 6, wide, c("(4) Notify Party (complete name and address)", party(f, "notify_party", s.Notify)...), c("(9) Point and Country of Origin (for the Merchant's reference only)", strings.ToUpper(origins[s.Lading.Country])))
	y = strip(f, 12, y, 9, 6, half, c("(12) Pre-carriage by"), c("(13) Place of Receipt/Date", at(f, "place_of_receipt", s.Receipt, both)), c("(10) Onward Inland Routing"), c(""))
	y = strip(f, 12, y, 9, 6, half, c("(14) Ocean Vessel/Voy. No.", f.Text("vessel", s.Ship.Name)+" "+f.Number("voyage", s.Voyage)), c("(15) Port of Loading", at(f, "port_of_lading", s.Lading, both)), c("(16) Port of Discharge", at(f, "port_of_discharge", s.Unlading, both)), c("(17) Place of Delivery", at(f, "place_of_delivery", s.Delivery, both)))
	f.Say(70, y+1, 6.5, "B", "Particulars furnished by the Merchant")
	y = strip(f, 12, y+5, 88, 6, []float64{52, 27, 63, 25, 25}, c("(18) Container No. And Seal No. Marks & Nos."), c("(19) Quantity And Kind of Packages"), c("(20) Description of Goods"), c("(21) Gross Weight (KGS)"), c("Measurement (M3)"))
	blNumberedGoods(f, y-82)
	y = strip(f, 12, y, 9, 6, []float64{60, 66, 66}, c("(22) Freight & charges", terms(f, "OCEAN FREIGHT PREPAID", "OCEAN FREIGHT COLLECT")), c("(25) Number of Original B(s)/L", originals(f, 0)), c("(26) Prepaid at / Collect at", payable(f, "ORIGIN", "DESTINATION")))
	y = strip(f, 12, y, 11, 6, []float64{60, 66, 66}, c("(24) Service Type/Mode", "FCL/FCL   O/O"), c("(27) Place of B(s)/L Issue/Date", at(f, "issue_place", s.Lading, capital)+"   "+f.Day("issue_date", s.Sailed)), c("(32) Laden on Board", f.Day("on_board_date", s.Sailed)))
	f.Paragraph(12, y+2, 120, 5.5, "IN WITNESS WHEREOF the undersigned, on behalf of the Carrier, has signed the number of Bill(s) of Lading stated above, all of this tenor and date, one of which being accomplished, the others to stand void.")
	f.Say(150, y+12, 7, "", "By ______________________ as Carrier")
}

func blNumberedGoods(f *form.Form, y float64) {
	for i, b := range f.S.Containers {
		row := f.Row("containers")
		at := y + 11*float64(i)
		f.Fill(13, at, 50, 8, row.Container("number", b.Number)+"/"+row.Size("size_type", b.Size))
		f.Fill(13, at+3.6, 50, 8, "SEAL "+row.Number("seal", b.Seal))
		f.Fill(65, at, 25, 8, row.Count("packages", b.Packages)+" CARTONS")
		f.FillRight(178, at, 23, 8, row.BareMass("gross_weight", b.Gross))
		f.FillRight(203, at, 23, 8, row.BareVolume("volume", b.Volume))
	}
	f.Prose(92, y, 60, 8, f.Text("description", goods(f, ", ", true)))
	f.Say(13, y+60, 7.5, "", "TOTAL:")
	f.Fill(65, y+60, 25, 8, fmt.Sprint(f.S.Packages(), " CARTONS"))
	f.FillRight(178, y+60, 23, 8, f.BareMass("", f.S.Gross()))
	f.FillRight(203, y+60, 23, 8, f.BareVolume("", f.S.Volume()))
	f.Say(13, y+70, 6.5, "", "SHIPPER'S LOAD, COUNT AND SEAL.  CY-CY")
}

// blTyped is a continental line's bill: sparse captions that end in colons, and
// containers as running text among the goods.
func blTyped(f *form.Form) {
	recast(f, plan{way: "ex-de", scac: "HLCU", boxes: 3, lines: 2})
	habits(f, form.Pick(f, "02.Jan.2006", "2006-01-02"), "", ".", 1, 1, 2)
	f.Style.Upper = true
	f.Font, f.ValueFont = form.Pick(f, form.Sans, form.Go), form.Typed
	s := f.S
	f.Page("A4")
	f.SCAC(s.Line)
	f.Say(14, 10, 7, "", "Carrier:")
	f.Say(25, 10, 7, "B", "Hapag-Lloyd Aktiengesellschaft, Hamburg")
	f.Say(118, 10, 13, "B", "Bill of Lading")
	f.Say(160, 11, 7, "", "Multimodal Transport or Port to Port")
	typedParty(f, 14, 20, "Shipper:", party(f, "shipper", s.Shipper))
	typedParty(f, 14, 45, "Consignee (not negotiable unless consigned to order):", party(f, "consignee", s.Buyer))
	typedParty(f, 14, 70, "Notify Address (Carrier not responsible for failure to notify):", party(f, "notify_party", s.Notify))
	f.Rule(108, 18, 108, 115)
	stack(f, 111, 20, 40, 6, "Carrier's Reference (Booking):", f.Number("booking_number", ref(f.R, "########")))
	stack(f, 150, 20, 40, 6, "B/L-No.:", f.Number("bl_number", "HLCU"+ref(f.R, "@@@")+ref(f.R, "######")+ref(f.R, "@@@@")))
	stack(f, 190, 20, 14, 6, "Page:", "1 / 1")
	stack(f, 111, 32, 80, 6, "Export References:", ref(f.R, "AUFTRAG ######-##"))
	stack(f, 111, 46, 90, 6, "Forwarding Agent:", upper(s.Forward).Name)
	stack(f, 111, 60, 90, 6, "Consignee's Reference:", ref(f.R, "PO ######"))
	stack(f, 111, 74, 90, 6, "Place of Receipt:", at(f, "place_of_receipt", s.Receipt, both))
	f.Rule(14, 93, 204, 93)
	stack(f, 14, 94, 60, 6, "Vessel(s):", f.Text("vessel", s.Ship.Name))
	stack(f, 76, 94, 30, 6, "Voyage-No.:", f.Number("voyage", s.Voyage))
	stack(f, 111, 94, 90, 6, "Place of Delivery:", at(f, "place_of_delivery", s.Delivery, both))
	stack(f, 14, 104, 60, 6, "Port of Loading:", at(f, "port_of_lading", s.Lading, both))
	stack(f, 111, 104, 90, 6, "Port of Discharge:", at(f, "port_of_discharge", s.Unlading, both))
	f.Rule(14, 115, 204, 115)
	f.Say(14, 116.5, 6, "", "Container Nos., Seal Nos.; Marks and Nos.")
	f.Say(68, 116.5, 6, "", "Number and Kind of Packages, Description of Goods")
	f.Say(150, 116.5, 6, "", "Gross Weight:")
	f.Say(182, 116.5, 6, "", "Measurement:")
	y := 122.0
	for _, b := range s.Containers {
		row := f.Row("containers")
		f.Fill(14, y, 52, 8.5, row.Container("number", b.Number))
		f.Fill(14, y+3.8, 52, 8.5, "SEAL: "+row.Number("seal", b.Seal))
		f.Fill(68, y, 80, 8.5, "1 CONT. "+row.Size("size_type", b.Size)+" SLAC*")
		f.Fill(68, y+3.8, 80, 8.5, row.Count("packages", b.Packages)+" PACKAGES")
		f.Fill(150, y+3.8, 30, 8.5, row.Mass("gross_weight", b.Gross))
		f.Fill(180, y+3.8, 25, 8.5, row.Volume("volume", b.Volume))
		y += 11
	}
	f.Prose(68, y+2, 78, 8.5, f.Text("description", goods(f, " ", true)))
	f.Say(14, 218, 6.5, "", "*SLAC = Shipper's Load, Stow, Weight and Count")
	f.Rule(14, 222, 204, 222)
	stack(f, 14, 224, 60, 6, "Shipper's declared Value:", "NVD")
	stack(f, 14, 234, 60, 6, "Movement:", "FCL/FCL")
	stack(f, 60, 234, 60, 6, "Currency:", "EUR")
	stack(f, 14, 244, 90, 6, "Freight and charges:", terms(f, "FREIGHT PREPAID", "FREIGHT COLLECT"))
	stack(f, 111, 224, 60, 6, "Total No. of Containers received by the Carrier:", fmt.Sprint("- ", len(s.Containers), " -"))
	stack(f, 111, 234, 90, 6, "Place and date of issue:", at(f, "issue_place", s.Lading, capital)+", "+f.Day("issue_date", s.Sailed.AddDate(0, 0, 1)))
	stack(f, 111, 244, 40, 6, "Number of original Bs/L:", originals(f, 2))
	stack(f, 150, 244, 50, 6, "Freight payable at:", payable(f, "ORIGIN", "DESTINATION"))
	stack(f, 111, 254, 90, 6, "", "SHIPPED ON BOARD "+f.Day("on_board_date", s.Sailed))
	f.Say(111, 270, 7, "B", "FOR ABOVE NAMED CARRIER")
}

func typedParty(f *form.Form, x, y float64, caption string, lines []string) {
	f.Rule(x, y-1, 108, y-1)
	stack(f, x, y, 90, 6, caption, lines...)
}

// blLiner is in the manner of a liner bill of a shipowners' council: a code name, an
// asterisk at what is only for combined transport, and weights in the running text.
func blLiner(f *form.Form) {
	recast(f, plan{way: "it", scac: "TRKU", boxes: 1, lines: 2, whole: true})
	habits(f, "2 January 2006", ".", ",", 0, 0, 0)
	f.Style.Kilo = "kg"
	f.Font, f.ValueFont = form.Serif, form.Pick(f, form.Typed, form.Serif)
	s := f.S
	f.Page("A4")
	f.SCAC(s.Line)
	f.Say(15, 8, 6, "I", `Code Name: "TURKLINE 2016"`)
	f.Centre(150, 9, 14, "B", "LINER BILL OF LADING")
	f.Centre(150, 15, 6, "", "(Liner terms approved for through shipments)")
	left := 15.0
	y := 13.0
	for _, one := range []cell{c("Shipper (full style and address)", f.Party("shipper", s.Shipper, 5)...), c("Consignee or Order", f.Text("", "")), c("Notify party/address", f.Party("notify_party", s.Buyer, 5)...)} {
		if one.caption == "Consignee or Order" {
			one.lines = orderParty(f)
		}
		y = strip(f, left, y, 25, 6.5, []float64{90}, one)
	}
	small := []float64{45, 45}
	y = strip(f, left, y, 10, 6.5, small, c("Pre-carriage by*"), c("Place of receipt by pre-carrier*"))
	y = strip(f, left, y, 10, 6.5, small, c("Vessel, voyage no.", f.Text("vessel", s.Ship.Name)+", "+f.Number("voyage", s.Voyage)), c("Port of loading", at(f, "port_of_lading", s.Lading, plain)))
	y = strip(f, left, y, 10, 6.5, small, c("Port of discharge", at(f, "port_of_discharge", s.Unlading, plain)), c("Place of delivery by on-carrier*"))
	f.Frame(105, 20, 90, 20)
	f.Say(107, 21.5, 6.5, "", "B/L No.")
	f.Fill(107, 25, 40, 11, f.Number("bl_number", ref(f.R, "TRK/@@@/#####")))
	f.Say(107, 31, 6.5, "", "Reference No.")
	f.Fill(107, 34.5, 40, 9, ref(f.R, "EXP ####/26"))
	f.Centre(150, 60, 22, "B", "TURKON LINE")
	f.Centre(150, 69, 8, "", "Turkon Konteyner Tasimacilik ve Denizcilik A.S., Istanbul")
	f.Rule(15, y+2, 195, y+2)
	for i, title := range []string{"Marks and Nos.", "Number and kind of packages; description of goods", "Gross weight", "Measurement"} {
		f.Say([]float64{15, 52, 138, 170}[i], y+3.5, 6.5, "", title)
	}
	y += 9
	row := f.Row("containers")
	b := s.Containers[0]
	f.Fill(15, y, 35, 8.5, ref(f.R, "LOT ##/2026"))
	f.Fill(52, y, 80, 8.5, "1 x "+row.Size("size_type", b.Size)+" container No. "+row.Container("number", b.Number))
	f.Fill(52, y+4, 80, 8.5, "Seal No. "+row.Number("seal", b.Seal)+", said to contain")
	f.Fill(52, y+8, 80, 8.5, row.Count("packages", b.Packages)+" cartons:")
	f.Prose(52, y+13, 80, 8.5, f.Text("description", goods(f, "; ", false)))
	f.Fill(138, y+8, 30, 8.5, row.Mass("gross_weight", b.Gross))
	f.Fill(170, y+8, 25, 8.5, row.Volume("volume", b.Volume))
	y = 214
	f.Centre(60, y, 6.5, "", "Particulars above as declared by the Shipper")
	f.Frame(15, y+4, 90, 50)
	stack(f, 17, y+6, 85, 6.5, "", "Freight details, charges etc.", terms(f, "Freight prepaid as per agreement", "Freight collect as per agreement"))
	f.Paragraph(17, y+30, 84, 6, "Daily demurrage rate (additional Clause A): as per tariff")
	f.Say(17, y+48, 6, "I", "*Applicable only when document used as a Through Bill of Lading")
	f.Paragraph(107, y+5, 88, 6, "SHIPPED on board in apparent good order and condition, weight, measure, marks, numbers, quality, contents and value unknown, for carriage to the port of discharge or so near thereunto as the vessel may safely get and lie always afloat. In WITNESS whereof the Master or Agent of the said vessel has signed the number of original Bills of Lading stated below.")
	z := strip(f, 105, y+26, 10, 6.5, []float64{45, 45}, c("Freight payable at", payable(f, "Genoa", "destination")), c("Place and date of issue", at(f, "issue_place", s.Lading, plain)+", "+f.Day("issue_date", s.Sailed)))
	strip(f, 105, z, 18, 6.5, []float64{45, 45}, c("Number of original Bs/L", originals(f, 1)), c("Signature"))
}

// orderParty is a consignee to the order of a bank.
func orderParty(f *form.Form) []string {
	who := f.S.Buyer
	who.Name = "To the order of " + some(f.R, []string{"Banca Popolare del Tirreno", "First Harbor National Bank", "Banco Comercial Austral"})
	who.Address = []string{"Documentary Credits Dept.", ref(f.R, "L/C No. ##@@####")}
	return f.Party("consignee", who, 3)
}

// blRider is in Spanish and English, and lists its containers on a second page.
func blRider(f *form.Form) {
	recast(f, plan{way: "es", scac: "CMDU", boxes: 5, lines: 3})
	habits(f, form.Pick(f, "02/01/2006", "02-Jan-2006"), ",", ".", 2, 0, 4)
	f.Font = form.Pick(f, form.Sans, form.Go)
	f.ValueFont = f.Font
	s := f.S
	f.Page("A4")
	f.SCAC(s.Line)
	number := ref(f.R, "@@@0######")
	f.Say(12, 8, 20, "B", "CMA CGM")
	f.Say(80, 9, 11, "B", "CONOCIMIENTO DE EMBARQUE")
	f.Say(80, 14, 11, "I", "BILL OF LADING")
	f.Say(150, 9, 6.5, "", "No. de conocimiento / B/L No.")
	f.Fill(150, 13, 45, 11, f.Number("bl_number", number))
	y := 21.0
	y = captionRight(f, y, "EMBARCADOR", "Shipper", party(f, "shipper", s.Shipper))
	y = captionRight(f, y, "CONSIGNATARIO", "Consignee", party(f, "consignee", s.Buyer))
	y = captionRight(f, y, "NOTIFICAR A", "Notify party", party(f, "notify_party", s.Notify))
	four := []float64{46, 46, 47, 47}
	y = strip(f, 12, y, 10, 6, four, c("BUQUE / Vessel", f.Text("vessel", s.Ship.Name)), c("VIAJE / Voyage", f.Number("voyage", s.Voyage)), c("RESERVA / Booking", f.Number("booking_number", s.Booking)), c("ORIGINALES / Originals", originals(f, 0)))
	y = strip(f, 12, y, 10, 6, four, c("LUGAR DE RECEPCIÓN / Place of receipt"), c("PUERTO DE CARGA / Port of loading", at(f, "port_of_lading", s.Lading, capital)), c("PUERTO DE DESCARGA / Port of discharge", at(f, "port_of_discharge", s.Unlading, capital)), c("LUGAR DE ENTREGA / Place of delivery"))
	f.Shade(12, y+2, 186, 6, 215)
	f.Say(14, y+3.6, 7, "B", "BULTOS / Packages")
	f.Say(50, y+3.6, 7, "B", "DESCRIPCIÓN DE LA MERCANCÍA / Description of goods")
	f.Say(136, y+3.6, 7, "B", "PESO BRUTO / G.W.")
	f.Say(170, y+3.6, 7, "B", "VOLUMEN / Meas.")
	y += 12
	f.Fill(14, y, 34, 9, fmt.Sprint(s.Packages(), " CAJAS"))
	f.Prose(50, y, 82, 9, f.Text("description", goods(f, ", ", true)))
	f.Fill(136, y, 32, 9, kg(f, s.Gross()))
	f.Fill(170, y, 28, 9, m3(f, s.Volume()))
	f.Say(50, y+40, 8, "", "SIGUE LISTA DE CONTENEDORES / containers as per attached list")
	f.Rule(12, 225, 198, 225)
	f.Say(12, 228, 8, "B", "FLETE / Freight:")
	f.Fill(42, 228, 60, 8.5, terms(f, "PAGADO EN ORIGEN / PREPAID", "PAGADERO EN DESTINO / COLLECT"))
	f.Say(12, 234, 8, "B", "EMBARCADO A BORDO / Shipped on board:")
	f.Fill(80, 234, 60, 8.5, f.Day("on_board_date", s.Sailed))
	f.Say(12, 240, 8, "B", "LUGAR Y FECHA DE EMISIÓN (día/mes/año) / Place and date of issue (d/m/y):")
	f.Fill(128, 240, 70, 8.5, at(f, "issue_place", s.Lading, capital)+", "+f.Day("issue_date", s.Sailed.AddDate(0, 0, 1+f.R.IntN(3))))
	f.Say(12, 256, 7, "", "Firmado como agentes del transportista CMA CGM S.A. / Signed as agents for the carrier CMA CGM S.A.")
	f.Say(176, 280, 7, "", "Hoja 1/2")
	f.Page("A4")
	f.Say(12, 10, 10, "B", "ANEXO AL CONOCIMIENTO / RIDER TO BILL OF LADING "+number)
	f.Say(176, 10, 7, "", "Hoja 2/2")
	columns := []form.Column{{Title: "CONTENEDOR\nContainer", Width: 40}, {Title: "TIPO\nType", Width: 20}, {Title: "PRECINTO\nSeal", Width: 36}, {Title: "BULTOS\nPkgs", Width: 22, Right: true}, {Title: "PESO KGS\nWeight", Width: 34, Right: true}, {Title: "M3", Width: 30, Right: true}}
	var rows [][]string
	for _, b := range s.Containers {
		row := f.Row("containers")
		rows = append(rows, []string{row.Container("number", b.Number), row.Size("size_type", b.Size), row.Number("seal", b.Seal), row.Count("packages", b.Packages), row.BareMass("gross_weight", b.Gross), row.BareVolume("volume", b.Volume)})
	}
	rows = append(rows, []string{"TOTAL", "", "", fmt.Sprint(s.Packages()), f.BareMass("", s.Gross()), f.BareVolume("", s.Volume())})
	f.Table(12, 18, 8.5, f.R.IntN(2) == 0, columns, rows)
}

// captionRight draws a row whose two captions stand in a margin at the left.
func captionRight(f *form.Form, y float64, spanish, english string, lines []string) float64 {
	f.Frame(12, y, 186, 21)
	f.Say(14, y+2, 7, "B", spanish)
	f.Say(14, y+5.5, 6.5, "I", english)
	for i, line := range lines {
		f.Fill(50, y+1.5+3.8*float64(i), 140, 9, line)
	}
	return y + 21
}
