package heldout

import (
	"fmt"

	"github.com/landfallhq/tracking/classify/corpus/form"
	"github.com/landfallhq/tracking/classify/corpus/truth"
)

var others = []form.Layout{
	{Name: "other-vgm", Type: truth.Other, Copies: 1, Draw: grossMass},
	{Name: "other-instruction", Type: truth.Other, Copies: 2, Draw: shippingInstruction},
	{Name: "other-dangerous", Type: truth.Other, Copies: 1, Draw: dangerousGoods},
	{Name: "other-entry", Type: truth.CustomsEntry, Copies: 1, Draw: entrySummary},
	{Name: "other-demurrage", Type: truth.FreightInvoice, Copies: 1, Draw: demurrage},
	{Name: "other-quotation", Type: truth.Other, Copies: 1, Draw: quotation},
}

// grossMass is a declaration of verified gross mass.
func grossMass(f *form.Form) {
	s := f.S
	f.Page("A4")
	f.Say(12, 10, 14, "B", "VERIFIED GROSS MASS DECLARATION (SOLAS VI/2)")
	y := f.Pair(12, 24, 50, 120, "Booking No.", s.Booking)
	y = f.Pair(12, y, 50, 120, "Shipper", s.Shipper.Name)
	y = f.Pair(12, y, 50, 120, "Vessel / voyage", s.Ship.Name+" "+s.Voyage)
	for _, b := range s.Containers {
		y = f.Pair(12, y+3, 50, 120, "Container No.", f.Container("", b.Number))
		y = f.Pair(12, y, 50, 120, "Verified gross mass", f.Mass("", b.Gross+3900))
		y = f.Pair(12, y, 50, 120, "Method", form.Pick(f, "1 (weighed)", "2 (calculated)"))
	}
	f.Pair(12, y+8, 50, 120, "Authorized person", "____________________")
}

// shippingInstruction is what a shipper wants a bill of lading to say: it is not one.
func shippingInstruction(f *form.Form) {
	s := f.S
	f.Page("A4")
	f.Say(12, 9, 15, "B", form.Pick(f, "SHIPPING INSTRUCTIONS", "Shipper's Letter of Instruction"))
	f.Say(12, 17, 8, "", "to "+s.Line.Name+" - please issue the bill of lading as follows")
	band(f, 12, 24, 93, 24, "Shipper", all(s.Shipper)...)
	band(f, 105, 24, 93, 12, "Booking number", s.Booking)
	band(f, 105, 36, 93, 12, "Kind of document wanted", form.Pick(f, "3 original bills of lading", "sea waybill"))
	band(f, 12, 48, 93, 24, "Consignee", all(s.Buyer)...)
	band(f, 105, 48, 93, 24, "Notify", all(s.Notify)...)
	band(f, 12, 72, 62, 12, "Port of loading", f.Place("", s.Lading))
	band(f, 74, 72, 62, 12, "Port of discharge", f.Place("", s.Unlading))
	band(f, 136, 72, 62, 12, "Vessel", s.Ship.Name)
	var rows [][]string
	for _, b := range s.Containers {
		rows = append(rows, []string{f.Container("", b.Number), b.Seal, f.Count("", b.Packages), f.Mass("", b.Gross)})
	}
	y := f.Table(12, 90, 8, true, []form.Column{{Title: "Container", Width: 50}, {Title: "Seal", Width: 50}, {Title: "Packages", Width: 40}, {Title: "Gross weight", Width: 46}}, rows)
	y = f.Prose(12, y+4, 160, 8.5, said(s))
	f.Say(12, y+8, 8, "", "Submitted by the shipper on "+f.Day("", s.Invoiced)+". Please send a draft for approval.")
}

func dangerousGoods(f *form.Form) {
	s := f.S
	f.Page("A4")
	f.Centre(105, 10, 13, "B", "MULTIMODAL DANGEROUS GOODS FORM")
	f.Box(12, 20, 93, 24, "1. Shipper / Consignor / Sender", all(s.Shipper)...)
	f.Box(105, 20, 93, 12, "2. Transport document number", s.BL)
	f.Box(12, 44, 93, 24, "6. Consignee", all(s.Buyer)...)
	f.Box(105, 44, 93, 24, "7. Carrier", s.Line.Name)
	f.Box(12, 68, 62, 12, "10. Vessel and voyage", s.Ship.Name+" "+s.Voyage)
	f.Box(74, 68, 62, 12, "11. Port of loading", f.Place("", s.Lading))
	f.Box(136, 68, 62, 12, "12. Port of discharge", f.Place("", s.Unlading))
	f.Prose(12, 90, 180, 9, "UN 1263, PAINT, CLASS 3, PG III, FLASH POINT 27 C, "+fmt.Sprint(s.Containers[0].Packages)+" DRUMS, EMS F-E, S-E")
	f.Box(12, 110, 93, 12, "15. Container identification No.", f.Container("", s.Containers[0].Number))
	f.Box(105, 110, 93, 12, "16. Seal number(s)", s.Containers[0].Seal)
	f.Paragraph(12, 130, 186, 7.5, "I hereby declare that the contents of this consignment are fully and accurately described above by the proper shipping name, and are classified, packaged, marked and labelled in all respects in proper condition for transport.")
}

// entrySummary has what a customs declaration has, in numbered boxes.
func entrySummary(f *form.Form) {
	s := f.S
	f.Page("Letter")
	f.Centre(108, 8, 12, "B", "ENTRY SUMMARY")
	f.Centre(108, 14, 7, "", "Department of Homeland Security - U.S. Customs and Border Protection")
	for i, box := range [][2]string{
		{"1. Filer Code/Entry Number", "XJ7-" + s.Entry[:7] + "-4"}, {"2. Entry Type", "01 ABI/A"}, {"3. Summary Date", f.Day("", s.Arrives.AddDate(0, 0, 10))}, {"8. Importing Carrier", s.Ship.Name},
		{"9. Mode of Transport", "11"}, {"10. Country of Origin", s.Lading.Country}, {"11. Import Date", f.Day("", s.Arrives)}, {"12. B/L or AWB Number", s.BL},
		{"13. Manufacturer ID", "CNHUAXIN" + s.Pickup}, {"16. I.T. Number", ""}, {"19. Foreign Port of Lading", s.Lading.Code}, {"20. U.S. Port of Unlading", s.Unlading.Code},
	} {
		f.Box(12+48*float64(i%4), 22+12*float64(i/4), 48, 12, box[0], box[1])
	}
	f.Box(12, 60, 96, 24, "25. Ultimate Consignee Name and Address", all(s.Buyer)...)
	f.Box(108, 60, 96, 24, "26. Importer of Record Name and Address", all(s.Buyer)...)
	var rows [][]string
	for i, g := range s.Goods {
		rows = append(rows, []string{fmt.Sprintf("%03d", i+1), g.HS + " " + g.Words, f.Mass("", g.Gross), f.Money("", "", g.Amount()), "3.9%", f.Money("", "", g.Amount()*39/1000)})
	}
	f.Table(12, 90, 8, true, []form.Column{{Title: "27. Line", Width: 16}, {Title: "28. Description / 29. HTSUS No.", Width: 76}, {Title: "30. Gross weight", Width: 30, Right: true}, {Title: "32. Entered value", Width: 28, Right: true}, {Title: "33. Rate", Width: 16}, {Title: "34. Duty", Width: 26, Right: true}}, rows)
}

// demurrage is an invoice, but not one of goods.
func demurrage(f *form.Form) {
	s := f.S
	f.Page("A4")
	f.Say(12, 9, 12, "B", s.Line.Name)
	f.Say(12, 17, 14, "B", "DEMURRAGE AND DETENTION INVOICE")
	y := f.Pair(12, 28, 46, 120, "Invoice No.", "DD"+s.Entry)
	y = f.Pair(12, y, 46, 120, "Invoice date", f.Day("", s.FreeUntil.AddDate(0, 0, 9)))
	y = f.Pair(12, y, 46, 120, "Bill of lading", s.BL)
	y = f.Pair(12, y, 46, 120, "Billed party", s.Buyer.Name)
	y = f.Pair(12, y, 46, 120, "Free time ended (last free day)", f.Day("", s.FreeUntil))
	var rows [][]string
	for _, b := range s.Containers {
		days := 1 + f.R.IntN(9)
		rows = append(rows, []string{f.Container("", b.Number), f.Size("", b.Size), fmt.Sprint(days), "USD " + f.Money("", "", 18500), "USD " + f.Money("", "", 18500*days)})
	}
	f.Table(12, y+5, 8, true, []form.Column{{Title: "Container", Width: 40}, {Title: "Type", Width: 44}, {Title: "Chargeable days", Width: 30}, {Title: "Rate per day", Width: 34, Right: true}, {Title: "Amount", Width: 36, Right: true}}, rows)
	f.Paragraph(12, 250, 186, 7, "Disputes must reach us within 30 days. The rates are those of the tariff that is published for the port of discharge.")
}

func quotation(f *form.Form) {
	s := f.S
	f.Page("A4")
	f.Say(12, 9, 13, "B", s.Forward.Name)
	f.Say(12, 19, 14, "", "Quotation "+s.Pickup+" for ocean freight")
	y := f.Paragraph(12, 29, 184, 9, fmt.Sprintf("Dear Sir or Madam, for %d containers %s with %s from %s to %s we offer as follows. Booking is subject to space; a booking confirmation, bill of lading and arrival notice follow in due course.",
		len(s.Containers), f.Size("", s.Containers[0].Size), s.Goods[0].Words, f.Place("", s.Receipt), f.Place("", s.Delivery)))
	for _, c := range []string{"Ocean freight, per container", "Export handling", "Documentation, per bill of lading", "Delivery order fee at destination", "On-carriage"} {
		f.Say(16, y+4, 9, "", c)
		f.FillRight(150, y+4, 40, 9, "USD "+f.Money("", "", 4500+f.R.IntN(240000)))
		y += 5.4
	}
	f.Say(12, y+8, 9, "", "Valid until "+f.Day("", s.Booked.AddDate(0, 0, 30))+". We look forward to your order.")
}
