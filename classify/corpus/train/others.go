package train

import (
	"fmt"

	"github.com/landfallhq/tracking/classify/corpus/form"
	"github.com/landfallhq/tracking/classify/corpus/truth"
	"github.com/landfallhq/tracking/refdata"
)

// others are papers of the trade that are none of the types, though they speak of
// bills of lading, invoices and containers.
var others = []form.Layout{
	{Name: "other-origin", Type: truth.CertificateOfOrigin, Copies: 3, Draw: certificateOfOrigin},
	{Name: "other-insurance", Type: truth.Other, Copies: 3, Draw: insurance},
	{Name: "other-freight-invoice", Type: truth.FreightInvoice, Copies: 3, Draw: freightInvoice},
	{Name: "other-letter", Type: truth.Other, Copies: 3, Draw: letter},
	{Name: "other-rates", Type: truth.Other, Copies: 2, Draw: rates},
}

func certificateOfOrigin(f *form.Form) {
	s := f.S
	f.Page("A4")
	f.Centre(105, 12, 15, "B", "CERTIFICATE OF ORIGIN")
	f.Box(12, 24, 93, 26, "1. Exporter", append([]string{s.Shipper.Name}, s.Shipper.Address...)...)
	f.Box(105, 24, 93, 26, "Certificate No.", "CO"+s.Entry)
	f.Box(12, 50, 93, 26, "2. Consignee", append([]string{s.Buyer.Name}, s.Buyer.Address...)...)
	f.Box(105, 50, 93, 26, "3. Means of transport and route", "BY SEA, "+s.Ship.Name, s.Lading.Name+" TO "+s.Unlading.Name)
	var rows [][]string
	for _, g := range s.Goods {
		rows = append(rows, []string{g.Words, g.HS, f.Count("", g.Cartons) + " CTNS", f.Mass("", g.Gross), s.Invoice})
	}
	y := f.Table(12, 82, 8, true, []form.Column{{Title: "Description of goods", Width: 66}, {Title: "H.S. code", Width: 30}, {Title: "Packages", Width: 26}, {Title: "Gross weight", Width: 32}, {Title: "Invoice", Width: 32}}, rows)
	f.Paragraph(12, y+10, 186, 8, "The undersigned hereby declares that the goods described above were produced in "+refdata.CountryName(s.Lading.Country)+". It is hereby certified that the declaration of the exporter is correct. Chamber of Commerce, stamp and signature.")
}

func insurance(f *form.Form) {
	s := f.S
	f.Page("A4")
	f.Centre(105, 12, 14, "B", "MARINE CARGO INSURANCE CERTIFICATE")
	y := f.Pair(12, 26, 45, 130, "Certificate No.", "MC-"+s.Entry)
	y = f.Pair(12, y, 45, 130, "Assured", s.Shipper.Name)
	y = f.Pair(12, y, 45, 130, "Sum insured", s.Currency+" "+f.Money("", "", s.Total()*11/10))
	y = f.Pair(12, y, 45, 130, "Vessel", s.Ship.Name)
	y = f.Pair(12, y, 45, 130, "Voyage from / to", s.Lading.Name+" / "+s.Unlading.Name)
	y = f.Pair(12, y, 45, 130, "B/L No.", s.BL)
	y = f.Pair(12, y, 45, 130, "Interest", s.Goods[0].Words)
	f.Paragraph(12, y+5, 186, 8, "Institute Cargo Clauses (A). Claims, if any, payable at destination. In the event of loss or damage apply at once to the surveyor named, with bill of lading, commercial invoice, packing list and delivery receipt.")
}

// freightInvoice is a bill for transport, not for goods.
func freightInvoice(f *form.Form) {
	s := f.S
	f.Page("Letter")
	letterhead(f, s.Forward)
	f.Right(204, f.Y, 15, "B", form.Pick(f, "FREIGHT INVOICE", "INVOICE", "DEBIT NOTE"))
	y := f.Pair(12, f.Y+10, 36, 90, "Invoice number", "F"+s.Entry)
	y = f.Pair(12, y, 36, 90, "Invoice date", f.Day("", s.Sailed))
	y = f.Pair(12, y, 36, 90, "Bill to", s.Buyer.Name)
	y = f.Pair(12, y, 36, 90, "B/L", s.BL)
	y = f.Pair(12, y, 36, 90, "Container", f.Container("", s.Containers[0].Number))
	var rows [][]string
	total := 0
	for _, charge := range []string{"Ocean freight", "Bunker adjustment factor", "Terminal handling charge origin", "Documentation fee", "Customs clearance"} {
		cents := 4000 + f.R.IntN(250000)
		total += cents
		rows = append(rows, []string{charge, fmt.Sprint(len(s.Containers)), "USD", f.Money("", "", cents)})
	}
	rows = append(rows, []string{"Amount due", "", "USD", f.Money("", "", total)})
	y = f.Table(12, y+5, 8, true, []form.Column{{Title: "Charge", Width: 90}, {Title: "Qty", Width: 18}, {Title: "Currency", Width: 24}, {Title: "Amount", Width: 40, Right: true}}, rows)
	f.Paragraph(12, y+6, 180, 8, "Please remit within 14 days. Demurrage and detention are billed separately.")
}

func letter(f *form.Form) {
	s := f.S
	f.Page("A4")
	letterhead(f, s.Forward)
	f.Say(12, f.Y, 9, "", f.Day("", s.Noticed))
	f.Say(12, f.Y+8, 10, "B", "Your shipment "+s.PO)
	f.Paragraph(12, f.Y+16, 180, 9, fmt.Sprintf("Dear %s team, thank you for your mail. We have asked the carrier for the arrival notice and expect the delivery order tomorrow. The original bill of lading %s was sent by courier on %s; please let us have the commercial invoice and the packing list so that the broker can file the entry for container %s. We will write again when %s has berthed. Kind regards, import desk.",
		s.Buyer.Name, s.BL, f.Day("", s.Sailed), f.Container("", s.Containers[0].Number), s.Ship.Name))
}

func rates(f *form.Form) {
	s := f.S
	f.Page("A4")
	letterhead(f, s.Agent)
	f.Say(12, f.Y, 14, "B", "Rate sheet, valid from "+f.Day("", s.Booked))
	var rows [][]string
	for range 14 {
		rows = append(rows, []string{s.Lading.Name, s.Unlading.Name, form.Pick(f, "20GP", "40GP", "40HC"), "USD " + f.Money("", "", 90000+f.R.IntN(300000)), fmt.Sprint(18+f.R.IntN(20), " days")})
	}
	f.Table(12, f.Y+10, 8, false, []form.Column{{Title: "From", Width: 45}, {Title: "To", Width: 45}, {Title: "Equipment", Width: 30}, {Title: "All-in rate", Width: 34}, {Title: "Transit", Width: 30}}, rows)
}
