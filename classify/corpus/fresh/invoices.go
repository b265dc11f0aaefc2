package fresh

import (
	"fmt"
	"strings"

	"github.com/landfallhq/tracking/classify/corpus/form"
	"github.com/landfallhq/tracking/classify/corpus/trade"
)

// more gives the shipment so many lines of goods, articles of other families among
// them, as orders of wholesalers have.
func more(f *form.Form, n int) {
	s := &f.S
	for len(s.Goods) < n {
		a := some(f.R, some(f.R, stock))
		c := 5 + f.R.IntN(60)
		s.Goods = append(s.Goods, trade.Goods{
			Item: a.code + ref(f.R, "###"), Words: a.words, HS: a.hs, Origin: s.Lading.Country, Quantity: c * a.each, Unit: a.unit,
			Price: a.price + f.R.IntN(a.price), Cartons: c, Net: float64(int(float64(c) * a.kg)), Gross: float64(int(float64(c)*a.kg*1.08) + 1), Volume: float64(int(float64(c)*a.m3*1000)) / 1000,
		})
	}
}

// ciSystem is a print of a German maker's business system: lines on two pages, with
// the sum carried over.
func ciSystem(f *form.Form) {
	recast(f, plan{way: "ex-de", boxes: 2, lines: 3, whole: true})
	habits(f, "02.01.2006", ".", ",", 1, 0, 0)
	f.Font = form.Pick(f, form.Sans, form.Go)
	f.ValueFont = f.Font
	more(f, 15+f.R.IntN(8))
	s := f.S
	number := ref(f.R, "90######")
	f.Page("A4")
	f.Right(196, 10, 13, "B", s.Shipper.Name)
	f.Party("seller", s.Shipper, 5)
	f.Right(196, 16, 7.5, "", strings.Join(s.Shipper.Address, ", "))
	f.Say(18, 30, 6, "", "Rechnungsempfänger / Invoice to")
	for i, line := range f.Party("buyer", s.Buyer, 5) {
		f.Fill(18, 34+4.2*float64(i), 90, 9.5, line)
	}
	f.Say(18, 60, 14, "B", "RECHNUNG / INVOICE")
	y := 34.0
	info := func(caption, value string) {
		f.Say(122, y, 8, "", caption)
		f.FillRight(196, y, 34, 8.5, value)
		y += 4.6
	}
	info("Rechnungs-Nr. / Invoice no.", f.Number("invoice_number", number))
	info("Datum / Date", f.Day("issue_date", s.Invoiced))
	info("Ihre Bestellung / Your order", f.Number("po_number", ref(f.R, "PO/####-##")))
	info("Kunden-Nr. / Customer no.", ref(f.R, "D######"))
	info("Währung / Currency", f.Code("currency", "EUR", "EUR"))
	info("Lieferbedingung / Terms", f.Code("incoterm", s.Incoterm, s.Incoterm)+" "+city(s.Lading))
	columns := []form.Column{{Title: "Pos.", Width: 10}, {Title: "Material / Bezeichnung\nMaterial / description", Width: 72}, {Title: "Zolltarif-Nr.\nHS code", Width: 28}, {Title: "Menge\nQuantity", Width: 18, Right: true}, {Title: "ME\nUnit", Width: 12}, {Title: "Preis\nPrice", Width: 18, Right: true}, {Title: "Betrag EUR\nAmount EUR", Width: 24, Right: true}}
	var rows [][]string
	half, carried := 11, 0
	for i, g := range s.Goods {
		row := f.Row("lines")
		rows = append(rows, []string{fmt.Sprint(10 * (i + 1)), row.Text("description", g.Words), row.Number("hs_code", strings.ReplaceAll(g.HS, ".", " ")), row.Count("quantity", g.Quantity), row.Text("unit", g.Unit), row.Money("unit_price", "EUR", g.Price), row.Money("amount", "EUR", g.Amount())})
		if i < half {
			carried += g.Amount()
		}
	}
	y = f.Table(14, 72, 8, false, columns, rows[:half])
	f.Say(110, y+3, 8.5, "B", "Übertrag / carried forward")
	f.FillRight(195, y+3, 34, 8.5, f.Money("", "", carried))
	f.Say(18, 285, 6.5, "", "Seite 1 von 2")
	f.Page("A4")
	f.Say(18, 10, 8.5, "", "Rechnung / Invoice "+number)
	f.Right(196, 10, 8.5, "", s.Shipper.Name)
	f.Say(110, 18, 8.5, "B", "Übertrag / brought forward")
	f.FillRight(195, 18, 34, 8.5, f.Money("", "", carried))
	y = f.Table(14, 24, 8, false, columns, rows[half:]) + 4
	f.Rule(110, y, 196, y)
	f.Say(110, y+2, 9.5, "B", "Rechnungsbetrag / Total EUR")
	f.FillRight(195, y+2, 36, 9.5, f.Money("total", "EUR", s.Total()))
	y += 12
	f.Label(18, y, 54, 170, 8.5, "B", "Zahlungsbedingung / Payment", f.Text("payment_terms", form.Pick(f, "30 Tage netto / 30 days net", "14 Tage 2 % Skonto, 60 Tage netto", "Akkreditiv / L/C at sight")))
	f.Label(18, y+6, 54, 170, 8.5, "B", "Ursprung / Origin", "Bundesrepublik Deutschland (EU)")
	f.Paragraph(18, y+16, 170, 7, "Steuerfreie Ausfuhrlieferung gemäß § 4 Nr. 1a UStG. The exporter of the products covered by this document declares that, except where otherwise clearly indicated, these products are of EU preferential origin.")
	f.Say(18, 285, 6.5, "", "Seite 2 von 2")
}

// ciPinyin is a Chinese exporter's invoice, typed into a sheet.
func ciPinyin(f *form.Form) {
	recast(f, plan{way: "ex-cn", boxes: 2, lines: 4})
	habits(f, form.Pick(f, "Jan.02,2006", "2006-01-02"), ",", ".", 1, 0, 0)
	f.Style.Upper = true
	f.Font, f.ValueFont = form.Serif, form.Pick(f, form.Serif, form.Go)
	s := f.S
	f.Page("A4")
	lines := f.Party("seller", upper(s.Shipper), 3)
	f.Centre(105, 10, 14, "B", lines[0])
	f.Centre(105, 17, 8.5, "", strings.Join(lines[1:], ", "))
	f.Centre(105, 25, 15, "B", "COMMERCIAL INVOICE")
	f.Centre(105, 32, 9, "I", "(Shangye Fapiao)")
	f.Say(16, 42, 9, "", "To / Zhi: Messrs.")
	for i, line := range party(f, "buyer", s.Buyer) {
		f.Fill(46, 42+4.2*float64(i), 78, 9, line)
	}
	f.Label(130, 42, 28, 66, 9, "", "Invoice No.:", f.Number("invoice_number", ref(f.R, "HT26@@-###")))
	f.Label(130, 47, 28, 66, 9, "", "Date / Riqi:", f.Day("issue_date", s.Invoiced))
	f.Label(130, 52, 28, 66, 9, "", "S/C No.:", ref(f.R, "SC-#####"))
	f.Label(130, 57, 28, 66, 9, "", "P.O. No.:", f.Number("po_number", ref(f.R, "@@######")))
	f.Label(16, 66, 22, 180, 9, "", "From "+city(s.Lading)+" to "+city(s.Unlading)+" by sea", "")
	columns := []form.Column{{Title: "MARKS", Width: 26}, {Title: "DESCRIPTION OF GOODS", Width: 72}, {Title: "QTY", Width: 18, Right: true}, {Title: "UNIT", Width: 14}, {Title: "UNIT PRICE\nUSD", Width: 22, Right: true}, {Title: "AMOUNT\nUSD", Width: 28, Right: true}}
	f.Code("currency", "USD", "")
	var rows [][]string
	for i, g := range s.Goods {
		marks := ""
		if i == 0 {
			marks = "N/M"
		}
		row := f.Row("lines")
		rows = append(rows, []string{marks, row.Text("description", strings.ToUpper(g.Words)), row.Count("quantity", g.Quantity), row.Text("unit", g.Unit), row.Money("unit_price", "USD", g.Price), row.Money("amount", "USD", g.Amount())})
	}
	f.Say(106, 74, 8.5, "B", f.Code("incoterm", s.Incoterm, s.Incoterm)+" "+strings.ToUpper(city(s.Lading)))
	y := f.Table(16, 80, 8.5, true, columns, rows)
	f.Say(17, y+2, 9, "B", "TOTAL:")
	f.FillRight(195, y+2, 40, 9, "USD"+f.Money("total", "USD", s.Total()))
	f.Label(16, y+12, 36, 180, 9, "", "Terms of payment:", f.Text("payment_terms", form.Pick(f, "T/T 30% in advance, 70% against copy of B/L", "L/C at sight", "D/P")))
	f.Label(16, y+17, 36, 180, 9, "", "Country of origin:", "China")
	f.Say(130, y+32, 9, "", "(Authorized signature)")
}

// ciCustoms follows the numbered boxes of a North American customs blank in two
// languages.
func ciCustoms(f *form.Form) {
	recast(f, plan{way: "ca", boxes: 1, lines: 3})
	habits(f, "2006-01-02", ",", ".", 1, 0, 0)
	f.Font, f.ValueFont = form.Sans, form.Pick(f, form.Typed, form.Sans)
	s := f.S
	currency := form.Pick(f, "EUR", "CAD", "USD")
	f.Page("Letter")
	f.Say(12, 8, 11, "B", "COMMERCIAL INVOICE FOR CUSTOMS")
	f.Say(12, 13, 9, "I", "FACTURE DES DOUANES")
	f.Right(204, 9, 8, "", "Page 1 of / de 1")
	half := []float64{96, 96}
	y := strip(f, 12, 19, 25, 6, half, c("1. Vendor (name and address) - Vendeur (nom et adresse)", f.Party("seller", s.Shipper, 5)...), c("2. Date of direct shipment to Canada - Date d'expédition directe vers le Canada", f.Day("", s.Sailed)))
	f.Rule(108, 30, 204, 30)
	stack(f, 109.2, 31, 90, 6, "3. Invoice no. and date - N° et date de la facture", f.Number("invoice_number", ref(f.R, "F/##-#####"))+"    "+f.Day("issue_date", s.Invoiced))
	y = strip(f, 12, y, 25, 6, half, c("4. Consignee (name and address) - Destinataire (nom et adresse)", s.Notify.Name, s.Notify.Address[0]), c("5. Purchaser's name and address - Nom et adresse de l'acheteur", f.Party("buyer", s.Buyer, 5)...))
	y = strip(f, 12, y, 11, 6, []float64{48, 48, 48, 48}, c("6. Country of transhipment - Pays de transbordement", "N/A"), c("7. Country of origin - Pays d'origine", origins[s.Lading.Country]), c("8. Purchaser's order no. - N° de commande", f.Number("po_number", ref(f.R, "4500######"))), c("9. Currency of settlement - Devise", f.Code("currency", currency, currency)))
	y = strip(f, 12, y, 11, 6, half, c("10. Conditions of sale (Incoterm) - Conditions de vente", f.Code("incoterm", s.Incoterm, s.Incoterm)+" "+city(s.Unlading)), c("11. Terms of payment - Modalités de paiement", f.Text("payment_terms", form.Pick(f, "Net 45 days", "60 jours fin de mois", "Cash against documents"))))
	columns := []form.Column{{Title: "12. No. of pkgs\nNbre de colis", Width: 24, Right: true}, {Title: "13. Specification of commodities\nDésignation des articles", Width: 72}, {Title: "14. HS code\nCode SH", Width: 28}, {Title: "15. Quantity\nQuantité", Width: 22, Right: true}, {Title: "16. Unit price\nPrix unitaire", Width: 22, Right: true}, {Title: "17. Total", Width: 24, Right: true}}
	var rows [][]string
	for _, g := range s.Goods {
		row := f.Row("lines")
		rows = append(rows, []string{f.Count("", g.Cartons), row.Text("description", g.Words), row.Number("hs_code", g.HS), row.Count("quantity", g.Quantity), row.Money("unit_price", currency, g.Price), row.Money("amount", currency, g.Amount())})
	}
	f.Table(12, y, 8, true, columns, rows)
	y = strip(f, 12, 190, 12, 6, []float64{64, 64, 64}, c("18. Total weight - Poids total (net)", kg(f, s.Net())), c("19. Gross - Brut", kg(f, s.Gross())), c("20. Invoice total - Total de la facture", f.Money("total", currency, s.Total())))
	f.Paragraph(12, y+3, 190, 6.5, "21. If any of the fields above are included on an attached invoice, check this box. Si les renseignements figurent sur une facture ci-jointe, cocher cette case. [ ]")
	f.Say(12, y+14, 7, "", "22. Exporter's name, if other than vendor - Nom de l'exportateur, s'il diffère du vendeur: ------")
}

// ciFattura is an Italian maker's, in two languages, with what is owed in a footer of
// boxes.
func ciFattura(f *form.Form) {
	recast(f, plan{way: "it", boxes: 2, lines: 3, whole: true})
	habits(f, "02/01/2006", ".", ",", 1, 1, 0)
	f.Font = form.Pick(f, form.Go, form.Serif)
	f.ValueFont = f.Font
	s := f.S
	f.Page("A4")
	f.Badge(15, 9, 12, 18)
	lines := f.Party("seller", s.Shipper, 4)
	f.Say(31, 10, 12, "B", lines[0])
	f.Lines(31, 16, 8, "", lines[1:]...)
	f.Right(195, 10, 7, "", "P. IVA IT "+ref(f.R, "0##########"))
	f.Frame(110, 34, 85, 28)
	stack(f, 112, 35, 80, 6.5, "Spett.le / Messrs.", f.Party("buyer", s.Buyer, 5)...)
	f.Say(15, 36, 13, "B", "FATTURA COMMERCIALE")
	f.Say(15, 42, 10, "I", "Commercial Invoice")
	f.Label(15, 50, 34, 90, 8.5, "", "Numero / No.", f.Number("invoice_number", ref(f.R, "###/EXP")))
	f.Label(15, 55, 34, 90, 8.5, "", "Data / Date (gg/mm/aaaa)", f.Day("issue_date", s.Invoiced))
	y := strip(f, 15, 68, 11, 6.5, []float64{60, 60, 60}, c("Vs. ordine / Your order", f.Number("po_number", ref(f.R, "@-#####/26"))), c("Resa / Delivery terms", f.Code("incoterm", s.Incoterm, s.Incoterm)+" "+city(s.Lading)), c("Pagamento / Payment", f.Text("payment_terms", form.Pick(f, "Bonifico 60 gg d.f.", "Rimessa diretta 30 gg", "L/C irrevocabile a vista"))))
	y = strip(f, 15, y, 11, 6.5, []float64{60, 120}, c("Polizza di carico / B/L", f.Number("bl_number", ref(f.R, s.Line.SCAC+"@@#######"))), c("Container", containerList(f)))
	columns := []form.Column{{Title: "Codice\nItem", Width: 24}, {Title: "Descrizione\nDescription", Width: 66}, {Title: "Origine\nOrigin", Width: 18}, {Title: "UM\nU/M", Width: 14}, {Title: "Q.tà\nQty", Width: 16, Right: true}, {Title: "Prezzo €\nPrice €", Width: 18, Right: true}, {Title: "Importo €\nAmount €", Width: 24, Right: true}}
	var rows [][]string
	for _, g := range s.Goods {
		row := f.Row("lines")
		rows = append(rows, []string{g.Item, row.Text("description", g.Words), row.Text("origin", "Italia"), row.Text("unit", g.Unit), row.Count("quantity", g.Quantity), row.Money("unit_price", "EUR", g.Price), row.Money("amount", "EUR", g.Amount())})
	}
	f.Table(15, y+5, 8.5, false, columns, rows)
	f.Code("currency", "EUR", "")
	strip(f, 15, 240, 13, 6.5, []float64{36, 36, 36, 36, 36}, c("Colli / Packages", f.Count("", s.Packages())), c("Peso lordo / Gross weight", kg(f, s.Gross())), c("Peso netto / Net weight", kg(f, s.Net())), c("IVA / VAT", "Non imp. art. 8"), c("TOTALE / TOTAL €", f.Money("total", "EUR", s.Total())))
	f.Say(15, 258, 7, "", "Merce di origine preferenziale UE. Goods of EU preferential origin.")
}

// containerList keeps and prints the numbers of all containers in one line.
func containerList(f *form.Form) string {
	var all []string
	for _, b := range f.S.Containers {
		all = append(all, f.Row("containers").Container("number", b.Number))
	}
	return strings.Join(all, " - ")
}

var invoices = []form.Layout{
	{Name: "ci-system", Type: "commercial_invoice", Copies: 2, Draw: ciSystem},
	{Name: "ci-pinyin", Type: "commercial_invoice", Copies: 3, Draw: ciPinyin},
	{Name: "ci-customs", Type: "commercial_invoice", Copies: 2, Draw: ciCustoms},
	{Name: "ci-fattura", Type: "commercial_invoice", Copies: 2, Draw: ciFattura},
}
