package fresh

import (
	"fmt"
	"strings"

	"github.com/landfallhq/tracking/classify/corpus/form"
)

// Documents of types that are not read. They have the parties, ships, bills and
// containers of the other documents.

// otOrigin is a chamber's certificate of origin.
func otOrigin(f *form.Form) {
	recast(f, plan{way: "ex-de", boxes: 2, lines: 3})
	habits(f, "02.01.2006", ".", ",", 1, 0, 0)
	f.Font, f.ValueFont = form.Serif, form.Typed
	s := f.S
	f.Page("A4")
	f.Right(195, 9, 9, "", "No. "+ref(f.R, "@@ ######"))
	y := strip(f, 15, 16, 30, 7, []float64{90, 90}, c("1 Consignor - Absender", append([]string{s.Shipper.Name}, s.Shipper.Address...)...), c(""))
	f.Say(108, 20, 10, "B", "EUROPEAN UNION - EUROPÄISCHE UNION")
	f.Say(108, 28, 15, "B", "CERTIFICATE OF ORIGIN")
	f.Say(108, 35, 10, "I", "URSPRUNGSZEUGNIS")
	y = strip(f, 15, y, 30, 7, []float64{90, 90}, c("2 Consignee - Empfänger", append([]string{s.Buyer.Name}, s.Buyer.Address...)...), c("3 Country of origin - Ursprungsland", "Germany (European Union)"))
	y = strip(f, 15, y, 20, 7, []float64{90, 90}, c("4 Transport details - Angaben über die Beförderung", "by sea, MV "+s.Ship.Name), c("5 Remarks - Bemerkungen", "Invoice "+s.Invoice+" of "+f.Day("", s.Invoiced)))
	strip(f, 15, y, 90, 7, []float64{145, 35}, c("6 Item number; marks, numbers, number and kind of packages; description of goods"), c("7 Quantity - Menge"))
	f.Prose(18, y+8, 135, 9, fmt.Sprint(s.Packages(), " cartons ")+goods(f, ", ", false)+", containers "+numbers(f))
	f.Fill(162, y+8, 32, 9, kg(f, s.Gross()))
	y += 90
	f.Paragraph(17, y+3, 175, 8, "8 THE UNDERSIGNED AUTHORITY CERTIFIES THAT THE GOODS DESCRIBED ABOVE ORIGINATE IN THE COUNTRY SHOWN IN BOX 3. Die unterzeichnende Stelle bescheinigt, dass die oben bezeichneten Waren ihren Ursprung in dem in Feld 3 genannten Land haben.")
	f.Say(17, y+24, 9, "", "Chamber of Commerce and Industry, "+city(s.Lading)+", "+f.Day("", s.Invoiced.AddDate(0, 0, 2)))
}

// numbers are all containers, none of which the truth asks for.
func numbers(f *form.Form) string {
	var all []string
	for _, b := range f.S.Containers {
		all = append(all, f.Container("", b.Number))
	}
	return strings.Join(all, ", ")
}

// otInsurance is a certificate of marine cargo insurance.
func otInsurance(f *form.Form) {
	recast(f, plan{way: "us", boxes: 1, lines: 2})
	habits(f, "2 January 2006", ",", ".", 1, 0, 0)
	f.Font, f.ValueFont = form.Pick(f, form.Serif, form.Sans), form.Serif
	s := f.S
	f.Page("A4")
	f.Centre(105, 12, 16, "B", "Meridian Mutual Marine Underwriters")
	f.Centre(105, 22, 13, "B", "CERTIFICATE OF MARINE CARGO INSURANCE")
	y := 36.0
	for _, one := range [][2]string{
		{"Certificate No.", ref(f.R, "MC-########")}, {"Open cover", ref(f.R, "OC ####/@")}, {"Assured", s.Shipper.Name + " and/or as endorsed"}, {"Amount insured", "USD " + f.Money("", "", s.Total()*11/10)},
		{"Vessel / conveyance", s.Ship.Name + " " + s.Voyage}, {"From", city(s.Lading)}, {"To", city(s.Unlading)}, {"Sailing on or about", f.Day("", s.Sailed)}, {"Bill of lading", s.BL}, {"Subject matter insured", goods(f, ", ", false)},
	} {
		y = beside(f, 20, y, 50, 170, 10, "B", one[0]+":", one[1]) + 2
	}
	y = f.Paragraph(20, y+4, 170, 9, "Conditions: Institute Cargo Clauses (A) 1/1/09, Institute War Clauses (Cargo), Institute Strikes Clauses (Cargo). Claims payable at destination in the currency of this certificate, upon surrender of this certificate and production of the bill of lading and the commercial invoice.")
	f.Paragraph(20, y+5, 170, 9, "In the event of loss or damage which may result in a claim, immediate notice must be given to the surveyors named overleaf, so that a survey may be held before delivery of the goods.")
	f.Label(20, 230, 50, 170, 10, "", "Issued at Zurich on", f.Day("", s.Invoiced.AddDate(0, 0, 3)))
	f.Say(130, 250, 9, "I", "Authorised representative of the underwriters")
}

// otEntry is a summary of an entry with American customs.
func otEntry(f *form.Form) {
	recast(f, plan{way: "us", boxes: 2, lines: 3})
	habits(f, "01/02/2006", ",", ".", 0, 0, 0)
	f.Font, f.ValueFont = form.Sans, form.Typed
	s := f.S
	f.Page("Letter")
	f.Say(12, 8, 7, "", "DEPARTMENT OF HOMELAND SECURITY - U.S. Customs and Border Protection")
	f.Say(12, 12, 13, "B", "ENTRY SUMMARY")
	four := []float64{48, 48, 48, 48}
	y := strip(f, 12, 20, 10, 6, four, c("1. Filer Code/Entry Number", ref(f.R, "@##-#######-#")), c("2. Entry Type", "01 ABI/A"), c("3. Summary Date", f.Day("", s.Arrives.AddDate(0, 0, 8))), c("5. Bond Type", "8"))
	y = strip(f, 12, y, 10, 6, four, c("6. Port Code", ref(f.R, "####")), c("7. Entry Date", f.Day("", s.Arrives)), c("8. Importing Carrier", s.Ship.Name), c("9. Mode of Transport", "11"))
	y = strip(f, 12, y, 10, 6, four, c("10. Country of Origin", s.Lading.Country), c("11. Import Date", f.Day("", s.Arrives)), c("12. B/L or AWB Number", s.BL), c("13. Manufacturer ID", ref(f.R, "@@@@@@####@@@")))
	y = strip(f, 12, y, 10, 6, four, c("16. I.T. Number", ref(f.R, "V#########")), c("17. I.T. Date", f.Day("", s.Arrives)), c("19. Foreign Port of Lading", city(s.Lading)), c("20. U.S. Port of Unlading", city(s.Unlading)))
	y = strip(f, 12, y, 24, 6, []float64{96, 96}, c("25. Ultimate Consignee (Name and Address)", append([]string{s.Buyer.Name}, s.Buyer.Address...)...), c("26. Importer of Record (Name and Address)", append([]string{s.Buyer.Name}, s.Buyer.Address...)...))
	columns := []form.Column{{Title: "27. Line No.", Width: 20}, {Title: "28. Description of Merchandise", Width: 70}, {Title: "29. HTSUS No.", Width: 32}, {Title: "32. Entered Value", Width: 36, Right: true}, {Title: "34. Duty", Width: 34, Right: true}}
	var rows [][]string
	for i, g := range s.Goods {
		rows = append(rows, []string{fmt.Sprintf("%03d", i+1), g.Words, g.HS, f.Money("", "", g.Amount()), f.Money("", "", g.Amount()*4/100)})
	}
	y = f.Table(12, y, 8, true, columns, rows)
	f.Paragraph(12, y+6, 190, 7, "41. DECLARATION OF IMPORTER OF RECORD (OWNER OR PURCHASER) OR AUTHORIZED AGENT: I declare that I am the importer of record and that the actual owner, purchaser, or consignee for customs purposes is as shown above. Merchandise processing fee and harbor maintenance fee are included.")
}

// otFreight is a line's bill for freight.
func otFreight(f *form.Form) {
	recast(f, plan{way: "eu", boxes: 3, lines: 1})
	habits(f, "02-Jan-2006", ",", ".", 1, 0, 0)
	f.Font = form.Pick(f, form.Sans, form.Go)
	f.ValueFont = f.Font
	s := f.S
	f.Page("A4")
	f.Say(15, 10, 16, "B", strings.ToUpper(s.Line.Name))
	f.Right(195, 10, 14, "B", "FREIGHT INVOICE")
	f.Say(15, 24, 7, "", "Invoice to")
	for i, line := range append([]string{s.Forward.Name}, s.Forward.Address...) {
		f.Fill(15, 28+4.2*float64(i), 90, 9, line)
	}
	y := 24.0
	for _, one := range [][2]string{{"Invoice number", ref(f.R, "EXP########")}, {"Invoice date", f.Day("", s.Sailed.AddDate(0, 0, 1))}, {"Due date", f.Day("", s.Sailed.AddDate(0, 0, 15))}, {"B/L number", s.BL}, {"Vessel / voyage", s.Ship.Name + " / " + s.Voyage}, {"Load port", city(s.Lading)}, {"Discharge port", city(s.Unlading)}} {
		y = beside(f, 120, y, 34, 75, 8.5, "B", one[0], one[1])
	}
	n := len(s.Containers)
	var rows [][]string
	sum := 0
	for _, one := range []charge{{"Basic ocean freight", 185000}, {"Bunker recovery charge", 41300}, {"Terminal handling origin", 22500}, {"Bill of lading fee", 6500}, {"Low sulphur surcharge", 7700}} {
		rate := one.cents + 100*f.R.IntN(90)
		rows = append(rows, []string{one.words, fmt.Sprint(n), "USD", f.Money("", "", rate), f.Money("", "", rate*n)})
		sum += rate * n
	}
	rows = append(rows, []string{"Total payable", "", "USD", "", f.Money("", "", sum)})
	y = f.Table(15, 70, 8.5, true, []form.Column{{Title: "Charge", Width: 74}, {Title: "Containers", Width: 24}, {Title: "Cur.", Width: 18}, {Title: "Rate", Width: 30, Right: true}, {Title: "Amount", Width: 34, Right: true}}, rows)
	f.Label(15, y+6, 26, 180, 8.5, "B", "Containers:", numbers(f))
	f.Paragraph(15, y+16, 180, 7.5, "Please remit in full, quoting the invoice number, to the account of the carrier's agent. Interest is charged on late payments. Disputes must be raised within 10 days of the invoice date.")
}

// otDangerous is a shipper's declaration of dangerous goods for the sea.
func otDangerous(f *form.Form) {
	recast(f, plan{way: "ex-cn", boxes: 1, lines: 1, whole: true})
	habits(f, "02 Jan 2006", ",", ".", 0, 0, 2)
	f.Font, f.ValueFont = form.Sans, form.Pick(f, form.Typed, form.Sans)
	s := f.S
	f.Page("A4")
	f.Centre(105, 9, 13, "B", "MULTIMODAL DANGEROUS GOODS FORM")
	f.Centre(105, 15, 7, "", "This form may be used as a dangerous goods declaration under SOLAS chapter VII and the IMDG Code")
	half := []float64{90, 90}
	y := strip(f, 15, 20, 24, 6.5, half, c("1 Shipper/consignor/sender", append([]string{s.Shipper.Name}, s.Shipper.Address...)...), c("2 Transport document number", s.Booking))
	y = strip(f, 15, y, 24, 6.5, half, c("6 Consignee", append([]string{s.Buyer.Name}, s.Buyer.Address...)...), c("7 Carrier (to be completed by the carrier)", s.Line.Name))
	y = strip(f, 15, y, 12, 6.5, []float64{60, 60, 60}, c("10 Vessel/flight no. and date", s.Ship.Name+" "+f.Day("", s.Sailed)), c("11 Port/place of loading", city(s.Lading)), c("12 Port/place of discharge", city(s.Unlading)))
	strip(f, 15, y, 70, 6.5, []float64{120, 30, 30}, c("14 Shipping marks; number and kind of packages; description of goods"), c("Gross mass (kg)", f.BareMass("", s.Gross())), c("Net mass (kg)", f.BareMass("", s.Net())))
	f.Lines(18, y+8, 9, "", "UN "+form.Pick(f, "3480, LITHIUM ION BATTERIES, Class 9", "1263, PAINT, Class 3, PG III, Flashpoint 27 C", "1993, FLAMMABLE LIQUID, N.O.S., Class 3, PG II"), fmt.Sprint(s.Packages(), " fibreboard boxes"), "EmS: F-A, S-I", "Marine pollutant: no")
	y += 70
	y = strip(f, 15, y, 12, 6.5, []float64{45, 45, 45, 45}, c("15 Container identification no.", f.Container("", s.Containers[0].Number)), c("16 Seal number(s)", s.Containers[0].Seal), c("17 Container size & type", f.Size("", s.Containers[0].Size)), c("19 Total gross mass (incl. tare)", f.BareMass("", s.Gross()+2300)))
	y = f.Paragraph(16, y+3, 176, 7, "CONTAINER/VEHICLE PACKING CERTIFICATE. I hereby declare that the goods described above have been packed/loaded into the container identified above in accordance with the applicable provisions.")
	f.Paragraph(16, y+3, 176, 7, "SHIPPER'S DECLARATION. I hereby declare that the contents of this consignment are fully and accurately described by the proper shipping name, and are classified, packaged, marked and labelled and in all respects in proper condition for transport.")
}

// otMass is a declaration of the verified gross mass of containers.
func otMass(f *form.Form) {
	recast(f, plan{way: "latam", boxes: 4, lines: 1, whole: true})
	habits(f, "02-01-2006", "", ".", 0, 0, 1)
	f.Font, f.ValueFont = form.Go, form.Pick(f, form.Go, form.Typed)
	s := f.S
	f.Page("A4")
	f.Say(18, 14, 15, "B", "VERIFIED GROSS MASS DECLARATION")
	f.Say(18, 21, 9, "", "according to SOLAS VI/2, method "+form.Pick(f, "1 (weighing of the packed container)", "2 (sum of all masses and tare)"))
	y := 34.0
	for _, one := range [][2]string{{"Shipper", s.Shipper.Name}, {"Carrier", s.Line.Name}, {"Booking number", s.Booking}, {"Vessel and voyage", s.Ship.Name + " " + s.Voyage}, {"Port of loading", city(s.Lading)}} {
		y = beside(f, 18, y, 46, 175, 10, "B", one[0], one[1]) + 1
	}
	var rows [][]string
	for _, b := range s.Containers {
		rows = append(rows, []string{f.Container("", b.Number), f.Size("", b.Size), f.BareMass("", b.Gross), "2280", f.BareMass("", b.Gross+2280)})
	}
	y = f.Table(18, y+4, 9, true, []form.Column{{Title: "Container", Width: 46}, {Title: "Type", Width: 30}, {Title: "Cargo kg", Width: 32, Right: true}, {Title: "Tare kg", Width: 28, Right: true}, {Title: "VGM kg", Width: 38, Right: true}}, rows)
	f.Paragraph(18, y+8, 172, 9, "The weights stated were obtained on a calibrated and certified weighbridge. The undersigned is authorised to sign on behalf of the shipper and is responsible for the accuracy of the above.")
	f.Label(18, y+28, 60, 170, 9, "", "Weighed on (dd-mm-yyyy)", f.Day("", s.Sailed.AddDate(0, 0, -4)))
	f.Say(18, y+40, 9, "", "Authorised person: M. OYARZUN")
}

// otTariff is a sheet of local charges.
func otTariff(f *form.Form) {
	recast(f, plan{way: "nl", boxes: 1, lines: 1})
	habits(f, "2 January 2006", ".", ",", 1, 0, 0)
	f.Font = form.Pick(f, form.Serif, form.Sans)
	f.ValueFont = f.Font
	s := f.S
	f.Page("A4")
	f.Say(18, 12, 13, "B", s.Agent.Name)
	f.Say(18, 20, 15, "B", "Local charges and demurrage tariff - import")
	f.Say(18, 28, 9, "", "Valid from "+s.Noticed.Format("2 January 2006")+" until further notice, carrier "+s.Line.Name)
	var rows [][]string
	for _, one := range []string{"Terminal handling charge", "ISPS", "Delivery order fee", "Bill of lading correction", "Container cleaning", "Late payment fee"} {
		base := 1500 + 50*f.R.IntN(400)
		rows = append(rows, []string{one, form.Pick(f, "per container", "per B/L"), f.Money("", "", base), f.Money("", "", base*3/2)})
	}
	y := f.Table(18, 38, 9.5, true, []form.Column{{Title: "Charge", Width: 70}, {Title: "Basis", Width: 36}, {Title: "20 ft EUR", Width: 32, Right: true}, {Title: "40 ft EUR", Width: 32, Right: true}}, rows) + 8
	rows = nil
	for i, days := range []string{"calendar days 1 to 5", "calendar days 6 to 12", "from calendar day 13"} {
		rate := 4500 * i
		rows = append(rows, []string{"Demurrage, " + days, "per day", f.Money("", "", rate), f.Money("", "", rate*2)})
	}
	y = f.Table(18, y, 9.5, true, []form.Column{{Title: "Demurrage and detention", Width: 70}, {Title: "Basis", Width: 36}, {Title: "20 ft EUR", Width: 32, Right: true}, {Title: "40 ft EUR", Width: 32, Right: true}}, rows)
	f.Paragraph(18, y+8, 172, 9, "Free time begins on the day after discharge. Delivery orders and arrival notices are sent by electronic mail only. Rates exclude VAT.")
}

// otClaim is a letter about damage.
func otClaim(f *form.Form) {
	recast(f, plan{way: "us", boxes: 1, lines: 1})
	habits(f, "January 2, 2006", ",", ".", 1, 0, 0)
	f.Font = form.Pick(f, form.Serif, form.Go)
	f.ValueFont = f.Font
	s := f.S
	f.Page("Letter")
	y := f.Lines(22, 16, 10, "", append([]string{s.Buyer.Name}, s.Buyer.Address...)...) + 6
	f.Say(22, y, 10, "", f.Day("", s.Arrives.AddDate(0, 0, 6)))
	y = f.Lines(22, y+10, 10, "", s.Line.Name, "c/o "+s.Agent.Name, "Cargo Claims Department") + 6
	y = f.Paragraph(22, y, 170, 10.5, "Re: Notice of loss and intent to claim - m/v "+s.Ship.Name+" voyage "+s.Voyage+", bill of lading "+s.BL+", container "+f.Container("", s.Containers[0].Number)) + 5
	y = f.Lines(22, y, 10.5, "", "Dear Sir or Madam,") + 4
	for _, para := range []string{
		"On opening the above container at our warehouse, we found that " + fmt.Sprint(3+f.R.IntN(20)) + " of " + fmt.Sprint(s.Packages()) + " cartons were wet and their contents (" + goods(f, ", ", false) + ") unfit for sale. The seal " + s.Containers[0].Seal + " was intact.",
		"We hold you responsible for the loss, which we estimate at " + s.Currency + " " + f.Money("", "", 100*(900+f.R.IntN(9000))) + ", and invite you to attend a joint survey. The commercial invoice, the packing list and the delivery receipt will follow with our formal claim.",
		"Please confirm receipt of this letter, and extend the time for suit by six months from today.",
	} {
		y = f.Paragraph(22, y, 170, 10.5, para) + 4
	}
	f.Lines(22, y+4, 10.5, "", "Yours truly,", "", "", "Claims and insurance")
}

var others = []form.Layout{
	{Name: "ot-origin", Type: "certificate_of_origin", Copies: 1, Draw: otOrigin},
	{Name: "ot-insurance", Type: "other", Copies: 1, Draw: otInsurance},
	{Name: "ot-entry", Type: "customs_entry", Copies: 1, Draw: otEntry},
	{Name: "ot-freight", Type: "freight_invoice", Copies: 2, Draw: otFreight},
	{Name: "ot-dangerous", Type: "other", Copies: 1, Draw: otDangerous},
	{Name: "ot-mass", Type: "other", Copies: 1, Draw: otMass},
	{Name: "ot-tariff", Type: "other", Copies: 1, Draw: otTariff},
	{Name: "ot-claim", Type: "other", Copies: 1, Draw: otClaim},
}
