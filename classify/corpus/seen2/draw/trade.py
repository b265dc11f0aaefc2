"""Invoices, packing lists, customs papers, certificates, freight invoices and others. Authors of
rules do not open this package."""
from registry import layout
from transport import boxes, goods
import paper

CI, PL, CE, CO, FI, OTHER = "commercial_invoice", "packing_list", "customs_entry", "certificate_of_origin", "freight_invoice", "other"


def lines(p, s, form, join="</tr><tr>"):
    return join.join(form(p.row("lines"), x) for x in s.lines)


@layout("ci-modern", CI, "en", css="h1{font-size:22pt;font-weight:300;color:#2b6}table{width:100%;border-collapse:collapse}td,th{padding:4px 2px;vertical-align:top;text-align:left}.l th{border-bottom:2px solid #2b6;font-size:80%}.l td{border-bottom:1px solid #ddd}.r{text-align:right!important}", engines=["chromium"])
def _(p, s):
    p.currency = s.currency
    p.silent("currency", s.currency)
    rows = lines(p, s, lambda q, x: f"<td>{q.text('description', x['name'])}<td>{q.num('hs_code', x['hs'])}<td class=r>{q.qty('quantity', x['qty'])}<td>{q.text('unit', x['unit'])}<td class=r>{q.money('unit_price', x['price'])}<td class=r>{q.money('amount', x['amount'])}")
    return f"""<table><tr><td><h1>Commercial Invoice</h1><td class=r>{p.party('seller', s.shipper)}</tr></table><table><tr><td width=45%><small>Bill to</small><br>{p.party('buyer', s.consignee)}<td><small>Invoice no.</small><br>{p.num('invoice_number', s.inv)}<br><small>Invoice date</small><br>{p.date('issue_date', s.invoiced)}<td><small>Your order</small><br>{p.num('po_number', s.po)}<br><small>Terms of delivery</small><br>{p.code('incoterm', s.term)} {p.esc(p.placename(s.pol, 'name'))}</tr></table><br><table class=l><tr><th>Item<th>HS code<th class=r>Qty<th>Unit<th class=r>Price {s.currency}<th class=r>Amount {s.currency}</tr><tr>{rows}</tr></table><p class=r style='font-size:120%'>Total {s.currency} {p.money('total', s.total)}</p><p>Payment: {p.text('payment_terms', p.r.choice(['30 days net', 'T/T 30% in advance, 70% against copy of B/L', 'L/C at sight']))}</p>"""


@layout("handelsrechnung", CI, "de", origin="Germany", css="table{width:100%;border-collapse:collapse}.p th{border-top:1px solid;border-bottom:1px solid;text-align:left;font-weight:normal}.r{text-align:right!important}td,th{padding:2px 4px;vertical-align:top}")
def _(p, s):
    p.currency = s.currency
    p.silent("currency", s.currency)
    rows = lines(p, s, lambda q, x: f"<td>{q.text('description', x['name'])}<td>{q.num('hs_code', x['hs'])}<td class=r>{q.qty('quantity', x['qty'])}<td>{q.text('unit', 'Stück')}<td class=r>{q.money('unit_price', x['price'])}<td class=r>{q.money('amount', x['amount'])}")
    return f"""<p style='text-align:right'>{p.party('seller', s.shipper)}</p><p style='margin-top:12mm'>{p.party('buyer', s.consignee)}</p><p class=r>{p.esc(s.shipper['lines'][1].split(' ', 1)[1])}, den {p.date('issue_date', s.invoiced)}</p><h2>Handelsrechnung Nr. {p.num('invoice_number', s.inv)}</h2><p>Ihre Bestellung: {p.num('po_number', s.po)} &nbsp; Lieferbedingung: {p.code('incoterm', s.term)} (Incoterms 2020)</p><table class=p><tr><th>Bezeichnung<th>Zolltarif-Nr.<th class=r>Menge<th>Einheit<th class=r>Einzelpreis EUR<th class=r>Gesamt EUR</tr><tr>{rows}</tr><tr><td colspan=5 class=r style='border-top:1px solid'><b>Rechnungsbetrag EUR</b><td class=r style='border-top:1px solid'><b>{p.money('total', s.total)}</b></tr></table><p>Zahlungsbedingungen: {p.text('payment_terms', p.r.choice(['30 Tage netto', '14 Tage 2 % Skonto, 30 Tage netto']))}</p><p>Die Waren haben ihren Ursprung in Deutschland.</p>"""


@layout("fattura", CI, "it", origin="Italy", css="table{width:100%;border-collapse:collapse;margin-bottom:6px}td,th{border:1px solid #888;padding:3px;vertical-align:top;text-align:left}th{background:#eee;font-size:75%}.r{text-align:right}")
def _(p, s):
    p.currency = "EUR"
    p.silent("currency", "EUR")
    rows = lines(p, s, lambda q, x: f"<td>{q.text('description', x['name'])}<td>{q.num('hs_code', x['hs'])}<td>{q.text('unit', 'PZ')}<td class=r>{q.qty('quantity', x['qty'])}<td class=r>{q.money('unit_price', x['price'])}<td class=r>{q.money('amount', x['amount'])}")
    return f"""<table><tr><td width=50%>{p.party('seller', s.shipper)}<td><b>FATTURA COMMERCIALE</b><br>N. {p.num('invoice_number', s.inv)}<br>del {p.date('issue_date', s.invoiced)}</tr><tr><td><small>Cliente</small><br>{p.party('buyer', s.consignee)}<td><small>Ordine cliente</small><br>{p.num('po_number', s.po)}<br><small>Resa</small><br>{p.code('incoterm', s.term)}<br><small>Valuta</small><br>EUR</tr></table><table><tr><th>Descrizione<th>Nomenclatura<th>UM<th>Quantità<th>Prezzo unitario<th>Importo</tr><tr>{rows}</tr></table><table style='width:45%;margin-left:auto'><tr><th>Totale fattura<td class=r>€ {p.money('total', s.total)}</tr></table><p>Pagamento: {p.text('payment_terms', 'Bonifico bancario 60 gg data fattura')}</p>"""


@layout("ci-zh", CI, "zh", origin="China", css="body{font-family:'Noto Sans CJK SC'}h2,h3{text-align:center;margin:2px}table{width:100%;border-collapse:collapse}td{padding:3px;vertical-align:top}.b td{border:1px solid #000}.r{text-align:right}")
def _(p, s):
    p.currency = "USD"
    p.silent("currency", "USD")
    rows = lines(p, s, lambda q, x: f"<td>{q.text('description', x['name'])}<td class=r>{q.qty('quantity', x['qty'])}<td>{q.text('unit', x['unit'])}<td class=r>{q.money('unit_price', x['price'])}<td class=r>{q.money('amount', x['amount'])}")
    return f"""<h2>{p.party('seller', s.shipper, whole=False)}</h2><h3>商业发票 COMMERCIAL INVOICE</h3><table><tr><td rowspan=3 width=55%>致 To:<br>{p.party('buyer', s.consignee)}<td>发票号 Invoice No.<td>{p.num('invoice_number', s.inv)}</tr><tr><td>日期 Date<td>{p.date('issue_date', s.invoiced)}</tr><tr><td>合同号 P/O No.<td>{p.num('po_number', s.po)}</tr></table><p>价格条款 Price term: {p.code('incoterm', s.term)} {p.esc(p.placename(s.pol, 'upper'))}　付款方式 Payment: {p.text('payment_terms', 'T/T')}</p><table class=b><tr><td>货物描述 Description<td>数量 Quantity<td>单位 Unit<td>单价 Unit Price USD<td>金额 Amount USD</tr><tr>{rows}</tr><tr><td colspan=4 class=r>总计 TOTAL:<td class=r>USD {p.money('total', s.total)}</tr></table>"""


@layout("facture", CI, "fr", origin="France", css="td,th{padding:3px;text-align:left;vertical-align:top}table{width:100%;border-collapse:collapse}.l tr:nth-child(even){background:#f3eefc}.r{text-align:right!important}")
def _(p, s):
    p.currency = "EUR"
    p.silent("currency", "EUR")
    rows = lines(p, s, lambda q, x: f"<td>{q.num('hs_code', x['hs'])}<td>{q.text('description', x['name'])}<td class=r>{q.qty('quantity', x['qty'])}<td>{q.text('unit', 'pièces')}<td class=r>{q.money('unit_price', x['price'], after=' €')}<td class=r>{q.money('amount', x['amount'], after=' €')}")
    return f"""<table><tr><td>{p.party('seller', s.shipper)}<td class=r><h2>FACTURE COMMERCIALE</h2>N° {p.num('invoice_number', s.inv)}<br>Date : {p.date('issue_date', s.invoiced)}</tr></table><p><b>Acheteur</b><br>{p.party('buyer', s.consignee)}</p><p>Commande n° {p.num('po_number', s.po)} &mdash; Incoterm : {p.code('incoterm', s.term)} {p.esc(p.placename(s.pol, 'name'))}</p><table class=l><tr><th>Code SH<th>Désignation<th class=r>Quantité<th>Unité<th class=r>Prix unitaire<th class=r>Montant</tr><tr>{rows}</tr></table><p class=r><b>Total à payer : {p.money('total', s.total, after=' €')}</b></p><p>Conditions de règlement : {p.text('payment_terms', 'virement à 45 jours fin de mois')}</p>"""


@layout("fatura", CI, "pt", origin="Portugal", css="table{width:100%;border-collapse:collapse}td{border:.6pt solid #000;padding:3px;vertical-align:top}.c{font-size:70%}.r{text-align:right}")
def _(p, s):
    p.currency = "EUR"
    p.silent("currency", "EUR")
    c = lambda cap, v, a="": f"<td {a}><div class=c>{cap}</div>{v}</td>"
    rows = lines(p, s, lambda q, x: f"<td>{q.text('description', x['name'])}<td>{q.num('hs_code', x['hs'])}<td class=r>{q.qty('quantity', x['qty'])}<td>{q.text('unit', 'UN')}<td class=r>{q.money('unit_price', x['price'])}<td class=r>{q.money('amount', x['amount'])}")
    return f"""<table><tr>{c('Exportador', p.party('seller', s.shipper), 'colspan=2')}<td style='font-size:130%'>FATURA COMERCIAL</td></tr><tr>{c('Importador', p.party('buyer', s.consignee), 'colspan=2 rowspan=2')}{c('Fatura n.º', p.num('invoice_number', s.inv))}</tr><tr>{c('Data', p.date('issue_date', s.invoiced))}</tr><tr>{c('Encomenda', p.num('po_number', s.po))}{c('Incoterm', p.code('incoterm', s.term))}{c('Moeda', 'EUR')}</tr></table><table><tr class=c><td>Descrição dos produtos<td>NCM / SH<td>Quantidade<td>Unid.<td>Preço unit.<td>Valor</tr><tr>{rows}</tr><tr><td colspan=5 class=r>Valor total<td class=r>{p.money('total', s.total)}</tr></table><p>Condições de pagamento: {p.text('payment_terms', '60 dias da data do embarque')}</p>"""


@layout("ci-customs", CI, "en", css="table{width:100%;border-collapse:collapse}td{border:1px solid #000;padding:2px 3px;vertical-align:top}.c{font-size:68%}")
def _(p, s):
    p.currency = s.currency
    p.silent("currency", s.currency)
    c = lambda n, cap, v, a="": f"<td {a}><div class=c>{n} {cap}</div>{v}</td>"
    rows = lines(p, s, lambda q, x: f"<td>{q.qty('quantity', x['qty'])}<td>{q.text('unit', x['unit'])}<td>{q.text('description', x['name'])}<td>{q.num('hs_code', x['hs'])}<td>{q.text('origin', s.origin)}<td>{q.money('unit_price', x['price'])}<td>{q.money('amount', x['amount'])}")
    containers = ", ".join(p.row("containers").num("number", b["number"]) for b in s.boxes)
    return f"""<h3>INVOICE FOR CUSTOMS PURPOSES</h3><table><tr>{c(1, 'Vendor', p.party('seller', s.shipper))}{c(2, 'Invoice number and date', p.num('invoice_number', s.inv) + ' of ' + p.date('issue_date', s.invoiced))}</tr><tr>{c(3, 'Purchaser', p.party('buyer', s.consignee))}{c(4, 'Purchase order', p.num('po_number', s.po))}</tr><tr>{c(5, 'Bill of lading', p.num('bl_number', s.bl))}{c(6, 'Containers', containers)}</tr><tr>{c(7, 'Currency of settlement', s.currency)}{c(8, 'Conditions of sale', p.code('incoterm', s.term))}</tr></table><table><tr class=c><td>9 Qty<td>10 UOM<td>11 Commodity<td>12 Tariff item<td>13 Country of origin<td>14 Unit price<td>15 Line total</tr><tr>{rows}</tr><tr><td colspan=6 align=right>16 Invoice total<td>{p.money('total', s.total)}</tr></table><p>We certify this invoice to be true and correct.</p>"""


@layout("pl-lines", PL, "en", css="table{width:100%;border-collapse:collapse}.l td{border-bottom:1px dashed #888;padding:3px}.l th{text-align:left;border-bottom:1px solid}")
def _(p, s):
    rows = lines(p, s, lambda q, x: f"<td>{q.text('description', x['name'])}<td>{q.qty('quantity', x['qty'])}<td>{q.qty('packages', x['ctn'])}<td>{q.kg('net_weight', x['net'], '')}<td>{q.kg('gross_weight', x['gross'], '')}<td>{q.m3('volume', x['m3'], '')}")
    total = lambda k: round(sum(x[k] for x in s.lines), 2)
    return f"""<h2>PACKING LIST</h2><table><tr><td>{p.esc(s.shipper['name'])}<br>{p.esc(', '.join(s.shipper['lines']))}<td>Invoice no.: {p.num('invoice_number', s.inv)}<br>Date: {p.date('issue_date', s.invoiced)}<br>Order: {p.num('po_number', s.po)}</tr></table><p>Consignee: {p.esc(s.consignee['name'])}, {p.esc(', '.join(s.consignee['lines']))}</p><table class=l><tr><th>Article<th>Quantity<th>Cartons<th>N.W. (kg)<th>G.W. (kg)<th>Meas. (cbm)</tr><tr>{rows}</tr><tr><td><b>TOTAL</b><td><td><b>{p.qty('packages', total('ctn'))}</b><td><b>{p.kg('net_weight', total('net'), '')}</b><td><b>{p.kg('gross_weight', total('gross'), '')}</b><td><b>{p.m3('volume', total('m3'), '')}</b></tr></table><p>Shipping marks:<br>{p.prose('marks', [s.consignee['name'].split()[0], p.placename(s.pod, 'upper'), 'C/NO. 1-' + str(total('ctn'))])}</p>"""


@layout("pl-zh", PL, "zh", origin="China", css="body{font-family:'Noto Serif CJK SC'}h2{text-align:center}table{width:100%;border-collapse:collapse}.b td{border:1px solid #000;padding:3px;text-align:center}")
def _(p, s):
    rows = lines(p, s, lambda q, x: f"<td>{q.text('description', x['name'])}<td>{q.qty('quantity', x['qty'])}<td>{q.qty('packages', x['ctn'])}<td>{q.kg('gross_weight', x['gross'], '')}<td>{q.kg('net_weight', x['net'], '')}<td>{q.m3('volume', x['m3'], '')}")
    total = lambda k: round(sum(x[k] for x in s.lines), 2)
    boxes = "、".join(p.row("containers").num("number", b["number"]) for b in s.boxes)
    return f"""<h2>{p.esc(s.shipper['zh'])}<br>装箱单 PACKING LIST</h2><p>装箱单号 P/L No.: {p.num('packing_list_number', 'PL' + s.inv[-6:])}<br>发票号 Invoice No.: {p.num('invoice_number', s.inv)}<br>日期 Date: {p.date('issue_date', s.invoiced)}<br>集装箱号 Container: {boxes}</p><table class=b><tr><td>品名<br>Description<td>数量<br>Qty<td>箱数<br>Ctns<td>毛重<br>G.W. KGS<td>净重<br>N.W. KGS<td>体积<br>CBM</tr><tr>{rows}</tr><tr><td>合计 TOTAL<td><td>{p.qty('packages', total('ctn'))}<td>{p.kg('gross_weight', total('gross'), '')}<td>{p.kg('net_weight', total('net'), '')}<td>{p.m3('volume', total('m3'), '')}</tr></table>"""


@layout("packliste", PL, "de", origin="Germany", css="table{width:100%;border-collapse:collapse}th{background:#333;color:#fff;text-align:left}td,th{padding:3px}tr.g td{background:#f2f2f2}")
def _(p, s):
    rows = lines(p, s, lambda q, x: f"<td>{q.qty('packages', x['ctn'])} Karton<td>{q.text('description', x['name'])}<td align=right>{q.qty('quantity', x['qty'])}<td align=right>{q.kg('net_weight', x['net'], ' kg')}<td align=right>{q.kg('gross_weight', x['gross'], ' kg')}")
    total = lambda k: round(sum(x[k] for x in s.lines), 2)
    return f"""<p>{p.esc(s.shipper['name'])}, {p.esc(', '.join(s.shipper['lines']))}</p><h2>Packliste Nr. {p.num('packing_list_number', 'P' + s.inv[-5:])}</h2><p>vom {p.date('issue_date', s.invoiced)} zur Rechnung {p.num('invoice_number', s.inv)}<br>Bestellnummer {p.num('po_number', s.po)}</p><p>Empfänger: {p.esc(s.consignee['name'])}</p><table><tr><th>Verpackung<th>Artikel<th>Menge<th>Nettogewicht<th>Bruttogewicht</tr><tr>{rows}</tr></table><table style='width:60mm;margin-top:8px'><tr class=g><td>Anzahl Packstücke<td align=right>{p.qty('packages', total('ctn'))}</tr><tr><td>Netto gesamt<td align=right>{p.kg('net_weight', total('net'), ' kg')}</tr><tr class=g><td>Brutto gesamt<td align=right>{p.kg('gross_weight', total('gross'), ' kg')}</tr><tr><td>Volumen<td align=right>{p.m3('volume', total('m3'), ' m³')}</tr></table>"""


@layout("pl-boxes", PL, "en", css="td{padding:2px 12px 2px 0;vertical-align:top}.f{border:1px solid;padding:6px;margin-bottom:8px}")
def _(p, s):
    total = lambda k: round(sum(x[k] for x in s.lines), 2)
    rows = "".join(f"<div class=f><b>{q.text('description', x['name'])}</b><br>{q.qty('packages', x['ctn'])} cartons, {q.qty('quantity', x['qty'])} {x['unit'].lower()}; net {q.kg('net_weight', x['net'], ' kg')}, gross {q.kg('gross_weight', x['gross'], ' kg')}</div>" for q, x in ((p.row("lines"), x) for x in s.lines))
    boxes = "<br>".join((lambda q: f"{q.num('number', b['number'])} sealed with {q.num('seal', b['seal'])}")(p.row("containers")) for b in s.boxes)
    return f"""<h3>Detailed Packing List {p.num('packing_list_number', 'DPL-' + s.inv[-4:])}</h3><p>{p.date('issue_date', s.invoiced)}</p><table><tr><td>Packed by<td>{p.esc(s.shipper['name'])}</tr><tr><td>For<td>{p.esc(s.consignee['name'])}</tr><tr><td>P.O. number<td>{p.num('po_number', s.po)}</tr></table>{rows}<table><tr><td>Total packages<td>{p.qty('packages', total('ctn'))}</tr><tr><td>Total net weight<td>{p.kg('net_weight', total('net'), ' kg')}</tr><tr><td>Total gross weight<td>{p.kg('gross_weight', total('gross'), ' kg')}</tr><tr><td>Total measurement<td>{p.m3('volume', total('m3'), ' m3')}</tr></table><p>Loaded into<br>{boxes}</p>"""


def entry_no(p):
    return p.r.choice(["WR8", "B3K", "9Q2", "M47"]) + f"-{p.r.randrange(10**6, 10**7)}-{p.r.randrange(10)}"


@layout("entry-summary", CE, "en", dates=["mdy/"], destination="USA", css="table{width:100%;border-collapse:collapse}td{border:.7pt solid #000;padding:1px 3px;vertical-align:top}.c{font-size:62%}")
def _(p, s):
    c = lambda cap, v, a="": f"<td {a}><div class=c>{cap}</div>{v}</td>"
    rows = "</tr><tr>".join(f"<td>{i+1:03}<td>{x['hs']}.0000<br>{p.esc(x['name'])}<td>{p.figure(x['gross'])} KG<td>{p.figure(x['amount'], 0)}<td>3.4%<td>{p.figure(x['amount']*.034, 2)}" for i, x in enumerate(s.lines))
    return f"""<div style='float:left'>DEPARTMENT OF HOMELAND SECURITY<br><small>U.S. Customs and Border Protection</small></div><h2 style='text-align:right'>ENTRY SUMMARY</h2><table style='clear:both'><tr>{c('1. Filer Code/Entry Number', p.num('entry_number', entry_no(p)))}{c('2. Entry Type', '01 ABI/A')}{c('3. Summary Date', p.esc(p.day(s.days(s.eta, 9))))}{c('4. Surety Number', '036')}{c('5. Bond Type', '8')}{c('6. Port Code', '2704')}{c('7. Entry Date', p.date('entry_date', s.days(s.eta, 1)))}</tr><tr>{c('8. Importing Carrier', p.esc(s.vessel), 'colspan=2')}{c('9. Mode of Transport', '11')}{c('10. Country of Origin', s.origin[:2].upper())}{c('11. Import Date', p.date('import_date', s.eta))}{c('12. B/L or AWB Number', p.num('bl_number', s.bl), 'colspan=2')}</tr><tr>{c('13. Manufacturer ID', s.origin[:2].upper() + s.shipper['name'].replace(' ', '')[:6] + '88SHA', 'colspan=2')}{c('14. Exporting Country', s.origin[:2].upper())}{c('15. Export Date', p.esc(p.day(s.etd)))}{c('19. Foreign Port of Lading', '57035')}{c('20. U.S. Port of Unlading', '2704', 'colspan=2')}</tr><tr>{c('25. Ultimate Consignee Name and Address', 'SAME', 'colspan=3')}{c('26. Importer of Record Name and Address', p.party('importer', s.consignee), 'colspan=4')}</tr></table><table><tr class=c><td>27. Line<td>28. Description of merchandise / 29A. HTSUS No.<td>30. Gross weight<td>32. Entered value<td>33. Rate<td>34. Duty</tr><tr>{rows}</tr></table><table><tr>{c('35. Total Entered Value', '$ ' + p.figure(s.total, 0))}{c('37. Duty', p.figure(s.total*.034, 2))}{c('39. Other', p.figure(31.67, 2))}{c('40. Total', p.figure(s.total*.034+31.67, 2))}</tr></table>"""


@layout("einfuhr", CE, "de", destination="Germany", css="table{width:100%;border-collapse:collapse}td{border:1px solid #000;padding:2px;vertical-align:top}.c{font-size:70%}")
def _(p, s):
    c = lambda cap, v, a="": f"<td {a}><div class=c>{cap}</div>{v}</td>"
    rows = "</tr><tr>".join(f"<td>{i+1}<td>{p.esc(x['name'])}<td>{x['hs'].replace('.', '')}00 00<td>{p.figure(x['gross'])} kg<td>{p.figure(x['amount'], 2)}<td>{p.figure(x['amount']*.027, 2)}<td>{p.figure(x['amount']*1.027*.19, 2)}" for i, x in enumerate(s.lines))
    return f"""<h2>Bescheid über Einfuhrabgaben / Zollanmeldung zur Überlassung zum zollrechtlich freien Verkehr</h2><table><tr>{c('Registriernummer (MRN)', p.num('entry_number', '26DE' + s.booking[-4:] + p.esc(str(p.r.randrange(10**9, 10**10)))))}{c('Datum der Anmeldung', p.date('entry_date', s.days(s.eta, 2)))}{c('Zollstelle', 'DE004851 Hamburg')}</tr><tr>{c('Anmelder / Einführer', p.party('importer', s.consignee))}{c('Versender', p.esc(s.shipper['name']))}{c('Vorpapier: Konnossement', p.num('bl_number', s.bl))}</tr><tr>{c('Beförderungsmittel bei der Ankunft', p.esc(s.vessel))}{c('Tag der Einfuhr', p.date('import_date', s.eta))}{c('Versendungsland', p.esc(s.origin))}</tr></table><table><tr class=c><td>Pos.<td>Warenbezeichnung<td>Warennummer<td>Rohmasse<td>Zollwert EUR<td>Zoll-EU EUR<td>EUSt EUR</tr><tr>{rows}</tr></table><p>Die Abgaben sind bis zum {p.esc(p.day(s.days(s.eta, 12)))} zu entrichten.</p>"""


@layout("dua", CE, "es", destination="Spain", css="table{width:100%;border-collapse:collapse}td{border:1px solid #060;padding:2px 4px;vertical-align:top}.c{color:#060;font-size:70%}")
def _(p, s):
    c = lambda cap, v, a="": f"<td {a}><div class=c>{cap}</div>{v}</td>"
    return f"""<p style='text-align:center;color:#060'><b>DOCUMENTO ÚNICO ADMINISTRATIVO &mdash; IMPORTACIÓN</b></p><table><tr>{c('A. Aduana de despacho', 'ES004641 Valencia Marítima')}{c('Número de registro', p.num('entry_number', '26ES004641' + str(p.r.randrange(10**7, 10**8))))}{c('Fecha de admisión', p.date('entry_date', s.days(s.eta, 1)))}</tr><tr>{c('2. Expedidor', p.esc(s.shipper['name']) + '<br>' + p.esc(s.shipper['lines'][0]))}{c('8. Importador', p.party('importer', s.consignee), 'colspan=2')}</tr><tr>{c('15. País de expedición', p.esc(s.origin))}{c('18. Identidad del medio de transporte a la llegada', p.esc(s.vessel))}{c('20. Condiciones de entrega', s.term)}</tr><tr>{c('22. Divisa e importe total', s.currency + ' ' + p.figure(s.total, 2))}{c('40. Documento precedente (conocimiento)', p.num('bl_number', s.bl))}{c('Fecha de importación', p.date('import_date', s.eta))}</tr><tr>{c('31. Bultos y descripción de las mercancías', '<br>'.join(p.esc(n) for n, _ in s.goods), 'colspan=2')}{c('33. Código de las mercancías', '<br>'.join(h.replace('.', '') + '0000' for _, h in s.goods))}</tr></table>"""


@layout("extrato-di", CE, "pt", destination="Brazil", css="pre{font-size:8pt;font-family:'Liberation Mono'}")
def _(p, s):
    p.br = "\n"
    p.numbers = "de"
    adic = "\n".join(f"ADIÇÃO {i+1:03}  NCM {x['hs'].replace('.', '')}90  {p.esc(x['name'])}  VMLE {p.figure(x['amount'], 2)} USD" for i, x in enumerate(s.lines))
    return f"""<pre>RECEITA FEDERAL DO BRASIL                      SISCOMEX IMPORTAÇÃO
EXTRATO DA DECLARAÇÃO DE IMPORTAÇÃO

Número da declaração     : {p.num('entry_number', f'26/{p.r.randrange(10**6, 10**7)}-{p.r.randrange(10)}')}
Data do registro         : {p.date('entry_date', s.days(s.eta, 3), 'dmy/')}
Tipo                     : CONSUMO

Importador               : {p.party('importer', s.consignee, whole=None)}
Exportador               : {p.esc(s.shipper['name'])}

Data de chegada          : {p.date('import_date', s.eta, 'dmy/')}
Veículo                  : {p.esc(s.vessel)}
Conhecimento de carga    : {p.num('bl_number', s.bl)}
Recinto aduaneiro        : {p.esc(s.terminal.upper())}

{adic}

Imposto de importação    : {p.figure(s.total*.14, 2)} BRL
IPI                      : {p.figure(s.total*.05, 2)} BRL
</pre>"""


@layout("co-chamber", CO, "en", css="div.o{border:3px double #7a5c1e;padding:10px}h1{text-align:center;font-size:17pt;color:#7a5c1e;letter-spacing:3px}table{width:100%;border-collapse:collapse}td{border:1px solid #7a5c1e;padding:4px;vertical-align:top}.c{font-size:72%;color:#7a5c1e}")
def _(p, s):
    c = lambda cap, v, a="": f"<td {a}><div class=c>{cap}</div>{v}</td>"
    return f"""<div class=o><h1>CERTIFICATE OF ORIGIN</h1><table><tr>{c('1. Exporter', p.party('exporter', s.shipper))}{c('No.', p.num('certificate_number', 'CO' + s.booking[-6:]))}</tr><tr>{c('2. Consignee', p.esc(s.consignee['name']) + '<br>' + p.esc(', '.join(s.consignee['lines'])))}{c('3. Country of origin', p.text('country_of_origin', s.origin))}</tr><tr>{c('4. Transport details', 'By sea, m.v. ' + p.esc(s.vessel))}{c('5. Remarks', 'Invoice ' + p.num('invoice_number', s.inv) + ' dated ' + p.esc(p.day(s.invoiced)))}</tr><tr>{c('6. Item number; marks; number and kind of packages; description of goods', '<br>'.join(p.esc(f"{i+1}. {x['ctn']} {s.pack} {x['name']}") for i, x in enumerate(s.lines)))}{c('7. Quantity', '<br>'.join(p.esc(p.figure(x['gross']) + ' kg') for x in s.lines))}</tr><tr>{c('8. The undersigned authority certifies that the goods described above originate in the country shown in box 3', '<br><br>' + p.esc(p.placename(s.pol, 'name')) + ', ' + p.date('issue_date', s.days(s.etd, -3)) + '<br>Chamber of Commerce and Industry', 'colspan=2')}</tr></table></div>"""


@layout("eur1", CO, "en", origin="Turkey", css="table{width:100%;border-collapse:collapse}td{border:1px solid #070;padding:3px;vertical-align:top}.c{font-size:70%}h2{text-align:center;color:#070}")
def _(p, s):
    c = lambda cap, v, a="": f"<td {a}><div class=c>{cap}</div>{v}</td>"
    return f"""<h2>MOVEMENT CERTIFICATE</h2><table><tr>{c('1. Exporter (name, full address, country)', p.party('exporter', s.shipper))}<td><b>EUR.1</b> No. {p.num('certificate_number', 'A ' + s.booking[-6:])}<div class=c>See notes overleaf before completing this form</div></td></tr><tr>{c('3. Consignee (name, full address, country) (optional)', p.esc(s.consignee['name']))}{c('2. Certificate used in preferential trade between', p.esc(s.origin) + ' and ' + p.esc(s.destination))}</tr><tr>{c('4. Country, group of countries or territory in which the products are considered as originating', p.text('country_of_origin', s.origin))}{c('5. Country of destination', p.esc(s.destination))}</tr><tr>{c('8. Item number; marks and numbers; description of goods', '<br>'.join(p.esc(x['name']) for x in s.lines))}{c('10. Invoices', p.num('invoice_number', s.inv))}</tr><tr>{c('11. CUSTOMS ENDORSEMENT. Declaration certified', 'Place and date: ' + p.esc(p.placename(s.pol, 'name')) + ', ' + p.date('issue_date', s.days(s.etd, -2)))}{c('12. DECLARATION BY THE EXPORTER', 'I, the undersigned, declare that the goods described above meet the conditions required for the issue of this certificate.')}</tr></table>"""


@layout("ursprung", CO, "de", origin="Germany", css="table{width:100%;border-collapse:collapse}td{border:1px solid #555;padding:4px;vertical-align:top}.c{font-size:70%}")
def _(p, s):
    c = lambda cap, v, a="": f"<td {a}><div class=c>{cap}</div>{v}</td>"
    return f"""<table><tr>{c('1 Absender', p.party('exporter', s.shipper))}<td>Nr. {p.num('certificate_number', 'HK' + s.booking[-6:])}<br><b>URSPRUNGSZEUGNIS</b><br>EUROPÄISCHE UNION</td></tr><tr>{c('2 Empfänger', p.esc(s.consignee['name']))}{c('3 Ursprungsland', p.text('country_of_origin', 'Bundesrepublik Deutschland'))}</tr><tr>{c('4 Angaben über die Beförderung', 'Seeschiff ' + p.esc(s.vessel))}{c('5 Bemerkungen', 'Rechnung Nr. ' + p.num('invoice_number', s.inv))}</tr><tr>{c('6 Laufende Nummer, Zeichen, Anzahl und Art der Packstücke, Warenbezeichnung', '<br>'.join(p.esc(x['name']) for x in s.lines))}{c('7 Menge', '<br>'.join(p.esc(p.figure(x['gross'])) + ' kg' for x in s.lines))}</tr><tr>{c('8 Die unterzeichnende Stelle bescheinigt, dass die oben bezeichneten Waren ihren Ursprung in dem in Feld 3 genannten Land haben', 'Hamburg, den ' + p.date('issue_date', s.days(s.etd, -4)) + '<br>Industrie- und Handelskammer', 'colspan=2')}</tr></table>"""


@layout("certificado-origen", CO, "es", origin="Spain", css="td{padding:3px 10px 3px 0;vertical-align:top}h2{border-bottom:2px solid #a00}.l{color:#a00}")
def _(p, s):
    l = lambda cap, v: f"<tr><td class=l>{cap}<td>{v}</tr>"
    return f"""<h2>CERTIFICADO DE ORIGEN</h2><table>{l('Certificado núm.', p.num('certificate_number', 'VLC' + s.booking[-6:]))}{l('Exportador', p.party('exporter', s.shipper))}{l('Destinatario', p.esc(s.consignee['name']))}{l('País de origen', p.text('country_of_origin', 'España'))}{l('Factura', p.num('invoice_number', s.inv))}{l('Mercancías', '<br>'.join(p.esc(x['name']) for x in s.lines))}{l('Peso bruto', p.esc(p.figure(sum(x['gross'] for x in s.lines))) + ' kg')}</table><p>La Cámara de Comercio certifica que las mercancías arriba designadas son originarias del país indicado.</p><p>Valencia, a {p.date('issue_date', s.days(s.etd, -3), 'long')}</p>"""


def bill(p, names, form, join="</tr><tr>", hi=1500):
    out, total = [], 0
    for n in names:
        a = round(p.r.uniform(30, hi), 2)
        total += a
        out.append(form(n, a))
    return join.join(out), round(total, 2)


@layout("fi-us", FI, "en", dates=["mdy/", "us"], destination="USA", css="table{width:100%;border-collapse:collapse}.l td,.l th{border-bottom:1px solid #ccc;padding:3px;text-align:left}.r{text-align:right!important}")
def _(p, s):
    p.currency = "USD"
    p.silent("currency", "USD")
    rows, total = bill(p, ["OCEAN FREIGHT", "FUEL SURCHARGE", "CUSTOMS CLEARANCE", "DRAYAGE"], lambda n, a: f"<td>{n}<td class=r>{p.figure(a, 2)}")
    return f"""<table><tr><td><b>{p.esc(s.fwd['name'])}</b><br>{p.esc(s.fwd['lines'][0])}<br>{p.esc(s.fwd['lines'][1])}<td class=r><h2>FREIGHT INVOICE</h2></tr></table><table><tr><td>Bill to:<br>{p.esc(s.consignee['name'])}<br>{p.esc(s.consignee['lines'][0])}<br>{p.esc(s.consignee['lines'][1])}<td><table><tr><td>Invoice #<td>{p.num('invoice_number', s.inv)}</tr><tr><td>Invoice date<td>{p.date('issue_date', s.days(s.eta, 1))}</tr><tr><td>Due date<td>{p.date('due_date', s.days(s.eta, 31))}</tr><tr><td>B/L<td>{p.num('bl_number', s.bl)}</tr><tr><td>Vessel<td>{p.esc(s.vessel)}</tr></table></tr></table><table class=l><tr><th>Description<th class=r>Amount (USD)</tr><tr>{rows}</tr><tr><td><b>Total due</b><td class=r><b>{p.money('total', total, '$ ')}</b></tr></table>"""


@layout("fi-demurrage", FI, "en", css="td,th{padding:2px 8px 2px 0;text-align:left}.b{border-top:1px solid;border-bottom:1px solid;width:100%}")
def _(p, s):
    p.currency = "USD"
    p.silent("currency", "USD")
    days = p.r.randrange(3, 12)
    rows = "</tr><tr>".join(f"<td>{b['number']}<td>{b['type']}<td>{p.day(s.eta)}<td>{p.day(s.lfd)}<td>{p.day(s.days(s.lfd, days))}<td>{days}<td>{p.figure(185, 2)}<td>{p.figure(185*days, 2)}" for b in s.boxes)
    return f"""<h2>DEMURRAGE INVOICE</h2><p>{p.esc(s.line)}</p><table><tr><td>Invoice number<td>{p.num('invoice_number', s.inv)}<td>Issued<td>{p.date('issue_date', s.days(s.lfd, days + 2))}</tr><tr><td>Customer<td>{p.esc(s.consignee['name'])}<td>Payable by<td>{p.date('due_date', s.days(s.lfd, days + 32))}</tr><tr><td>Bill of lading<td>{p.num('bl_number', s.bl)}<td>Port<td>{p.esc(p.placename(s.pod, 'name'))}</tr></table><p>Free time per service contract: {(s.lfd - s.eta).days} days, rule 21.</p><table class=b><tr><th>Container<th>Type<th>Available<th>Last free day<th>Gate out<th>Days<th>Rate USD<th>Charge USD</tr><tr>{rows}</tr></table><p>Amount payable: USD {p.money('total', 185*days*len(s.boxes))}</p><p><small>Disputes must be raised within 30 days of the date of this invoice.</small></p>"""


@layout("frachtrechnung", FI, "de", destination="Germany", css="table{width:100%;border-collapse:collapse}.l th{text-align:left;border-bottom:1px solid}.r{text-align:right!important}td,th{padding:2px}")
def _(p, s):
    p.currency = "EUR"
    p.silent("currency", "EUR")
    rows, total = bill(p, ["Seefracht", "Terminal Handling (THC)", "Nachlauf LKW", "Verzollung"], lambda n, a: f"<td>{n}<td class=r>{p.figure(a, 2)}")
    gross = round(total * 1.19, 2)
    return f"""<p style='text-align:right'>{p.esc(s.fwd['name'])}<br>{p.esc(s.fwd['lines'][0])}<br>{p.esc(s.fwd['lines'][1])}</p><p>{p.esc(s.consignee['name'])}<br>{p.esc(s.consignee['lines'][0])}<br>{p.esc(s.consignee['lines'][1])}</p><h3>Speditionsrechnung {p.num('invoice_number', s.inv)}</h3><p>Rechnungsdatum {p.date('issue_date', s.days(s.eta, 2))} &nbsp; Fällig am {p.date('due_date', s.days(s.eta, 16))}</p><p>Sendung: {p.esc(s.vessel)}, B/L {p.num('bl_number', s.bl)}, {p.esc(p.placename(s.pol))} &ndash; {p.esc(p.placename(s.pod))}</p><table class=l><tr><th>Leistung<th class=r>Betrag EUR</tr><tr>{rows}</tr><tr><td>zzgl. 19 % USt<td class=r>{p.figure(total*.19, 2)}</tr><tr><td><b>Rechnungsbetrag</b><td class=r><b>{p.money('total', gross)}</b></tr></table>"""


@layout("fattura-nolo", FI, "it", destination="Italy", css="table{width:100%;border-collapse:collapse}td{border:1px solid #999;padding:3px}")
def _(p, s):
    p.currency = "EUR"
    p.silent("currency", "EUR")
    rows, total = bill(p, ["Nolo mare", "THC sbarco", "Diritti di agenzia", "Trasporto su strada"], lambda n, a: f"<td>{n}<td align=right>{p.figure(a, 2)}")
    return f"""<h3>{p.esc(s.fwd['name'])}</h3><table><tr><td>Fattura n.<td>{p.num('invoice_number', s.inv)}<td>Data<td>{p.date('issue_date', s.days(s.eta, 3))}</tr><tr><td>Cliente<td>{p.esc(s.consignee['name'])}<td>Scadenza<td>{p.date('due_date', s.days(s.eta, 33))}</tr><tr><td>Polizza di carico<td>{p.num('bl_number', s.bl)}<td>Nave<td>{p.esc(s.vessel)}</tr></table><br><table><tr><td>Prestazioni di spedizione<td align=right>Importo EUR</tr><tr>{rows}</tr><tr><td>Totale documento (non imponibile art. 9)<td align=right>{p.money('total', total)}</tr></table>"""


@layout("factuur", FI, "nl", destination="Netherlands", css="td{padding:2px 16px 2px 0}.r{text-align:right}")
def _(p, s):
    p.currency = "EUR"
    p.silent("currency", "EUR")
    rows, total = bill(p, ["Zeevracht", "THC Rotterdam", "Inklaring", "Wegtransport"], lambda n, a: f"<td>{n}<td class=r>€ {p.figure(a, 2)}")
    return f"""<h2>{p.esc(s.fwd['name'])}</h2><p>{p.esc(', '.join(s.fwd['lines']))}</p><h3>Factuur zeevracht</h3><table><tr><td>Factuurnummer<td>{p.num('invoice_number', s.inv)}</tr><tr><td>Factuurdatum<td>{p.date('issue_date', s.days(s.eta, 2))}</tr><tr><td>Vervaldatum<td>{p.date('due_date', s.days(s.eta, 32))}</tr><tr><td>Aan<td>{p.esc(s.consignee['name'])}</tr><tr><td>Cognossement<td>{p.num('bl_number', s.bl)}</tr></table><br><table><tr>{rows}</tr><tr><td><b>Te betalen</b><td class=r><b>{p.money('total', total, '€ ')}</b></tr></table>"""


@layout("zhangdan", FI, "zh", destination="China", css="body{font-family:'Noto Sans CJK SC'}h2{text-align:center}table{width:100%;border-collapse:collapse}td{border:1px solid #000;padding:3px}")
def _(p, s):
    p.currency = "CNY"
    p.silent("currency", "CNY")
    rows, total = bill(p, ["海运费", "码头操作费", "文件费", "换单费"], lambda n, a: f"<td>{n}<td align=right>{p.figure(a, 2)}", hi=9000)
    return f"""<h2>{p.esc(s.fwd['zh'] or s.fwd['name'])}<br>海运费账单 DEBIT NOTE</h2><table><tr><td>账单号 No.<td>{p.num('invoice_number', s.inv)}<td>日期 Date<td>{p.date('issue_date', s.days(s.eta, 1))}</tr><tr><td>提单号 B/L No.<td>{p.num('bl_number', s.bl)}<td>付款期限 Due<td>{p.date('due_date', s.days(s.eta, 15))}</tr><tr><td>付款方<td colspan=3>{p.esc(s.consignee['zh'] or s.consignee['name'])}</tr></table><br><table><tr><td>费用名称<td align=right>金额 CNY</tr><tr>{rows}</tr><tr><td>合计<td align=right>CNY {p.money('total', total)}</tr></table>"""


def fact(cap, v):
    return f"<tr><td>{cap}<td>{v}</tr>"


@layout("o-vgm", OTHER, "en", css="td{border:1px solid;padding:4px}table{border-collapse:collapse;width:100%}")
def _(p, s):
    b = s.boxes[0]
    return f"<h2>VERIFIED GROSS MASS DECLARATION</h2><p>SOLAS chapter VI regulation 2, method 2</p><table>{fact('Booking number', s.booking)}{fact('Container number', b['number'])}{fact('Verified gross mass', p.esc(p.figure(b['kg'] + 3800) + ' kg'))}{fact('Vessel', p.esc(s.vessel))}{fact('Shipper', p.esc(s.shipper['name']))}{fact('Date of weighing', p.day(s.days(s.etd, -3)))}{fact('Authorised person', 'M. OKAFOR')}</table>"


@layout("o-si", OTHER, "en", css="td{padding:3px 8px;vertical-align:top;border-top:1px solid #999}table{width:100%}")
def _(p, s):
    return f"<h2>SHIPPING INSTRUCTIONS</h2><p>Please issue bills of lading for booking {s.booking} as follows. Draft to be sent for approval.</p><table>{fact('Shipper', p.esc(s.shipper['name']))}{fact('Consignee', p.esc(s.consignee['name']))}{fact('Notify', p.esc(s.fwd['name']))}{fact('Vessel / voyage', p.esc(s.vessel) + ' / ' + s.voyage)}{fact('Port of loading', p.esc(p.placename(s.pol)))}{fact('Port of discharge', p.esc(p.placename(s.pod)))}{fact('Containers', '<br>'.join(b['number'] + ' / ' + b['seal'] for b in s.boxes))}{fact('Type of bill requested', 'Sea waybill')}</table><p>Sent on {p.day(s.days(s.etd, -5))}</p>"


@layout("o-dg", OTHER, "en", css="td{border:1px solid #c00;padding:4px;vertical-align:top}table{border-collapse:collapse;width:100%}")
def _(p, s):
    return f"<h2 style='color:#c00'>MULTIMODAL DANGEROUS GOODS FORM</h2><table>{fact('1. Shipper / consignor / sender', p.esc(s.shipper['name']))}{fact('6. Consignee', p.esc(s.consignee['name']))}{fact('10. Vessel and date', p.esc(s.vessel) + ', ' + p.day(s.etd))}{fact('14. Dangerous goods', 'UN 1263 PAINT, 3, PG III, flash point 27 C, EmS F-E, S-E')}{fact('15. Container', s.boxes[0]['number'])}</table><p>I hereby declare that the contents of this consignment are fully and accurately described above.</p>"


@layout("o-credit", OTHER, "en", css="td{padding:3px 12px 3px 0}")
def _(p, s):
    return f"<h2>CREDIT NOTE {p.esc(s.inv)}-C</h2><p>{p.esc(s.line)}</p><table>{fact('Customer', p.esc(s.consignee['name']))}{fact('Date', p.day(s.days(s.eta, 20)))}{fact('Bill of lading', s.bl)}{fact('Credited: demurrage charged in error', 'USD ' + p.figure(370, 2))}</table><p>The amount will be set off against your next payment.</p>"


@layout("o-offerte", OTHER, "de", css="td{padding:3px 12px 3px 0}")
def _(p, s):
    return f"<h2>Angebot Seefracht</h2><p>Sehr geehrte Damen und Herren, gern bieten wir Ihnen an:</p><table>{fact('Relation', p.esc(p.placename(s.pol)) + ' &ndash; ' + p.esc(p.placename(s.pod)))}{fact('Seefracht 40 HC', p.figure(2350, 2) + ' USD')}{fact('THC', p.figure(265, 2) + ' EUR')}{fact('Gültig bis', p.day(s.lfd))}</table><p>Wir freuen uns auf Ihren Auftrag.<br>{p.esc(s.fwd['name'])}</p>"


@layout("o-insurance", OTHER, "fr", css="td{border:1px solid #008;padding:4px}table{border-collapse:collapse;width:100%}")
def _(p, s):
    return f"<h2>CERTIFICAT D'ASSURANCE MARITIME</h2><table>{fact('Assuré', p.esc(s.consignee['name']))}{fact('Navire', p.esc(s.vessel))}{fact('Voyage assuré', p.esc(p.placename(s.pol)) + ' à ' + p.esc(p.placename(s.pod)))}{fact('Valeur assurée', p.figure(s.total*1.1, 2) + ' EUR')}{fact('Marchandises', p.esc(s.goods[0][0]))}{fact('Conditions', 'Tous risques, police flottante')}</table><p>Fait le {p.day(s.etd)}</p>"


@layout("o-advisory", OTHER, "en", css="p{line-height:1.5}")
def _(p, s):
    return f"<h2>Customer advisory</h2><p>{p.day(s.notice)}</p><p>Dear customers, due to congestion at {p.esc(p.placename(s.pod, 'name'))} the vessel {p.esc(s.vessel)} will omit the call on voyage {s.voyage}. Import containers will be discharged at an alternative port and relayed at our cost. Revised schedules will be published on {p.day(s.days(s.notice, 2))}. Bookings for the next sailing remain valid.</p><p>{p.esc(s.line)}</p>"


@layout("o-soa", OTHER, "es", css="td{border-bottom:1px solid #bbb;padding:3px}table{width:100%}")
def _(p, s):
    rows = "".join(f"<tr><td>{p.day(s.days(s.etd, i*6))}<td>{s.po[-3:]}{i}<td align=right>{p.figure(p.r.uniform(200, 4000), 2)} EUR</tr>" for i in range(6))
    return f"<h2>EXTRACTO DE CUENTA</h2><p>{p.esc(s.fwd['name'])}</p><p>Cliente: {p.esc(s.consignee['name'])}</p><table><tr><td>Fecha<td>Factura<td align=right>Saldo</tr>{rows}</table><p>Rogamos comprueben este extracto.</p>"


@layout("o-export", OTHER, "nl", css="td{border:1px solid #444;padding:4px}table{border-collapse:collapse;width:100%}")
def _(p, s):
    return f"<h2>UITVOERGELEIDEDOCUMENT</h2><table>{fact('MRN', '26NL' + s.booking[-6:] + 'A1B2C3D4')}{fact('Afzender/Exporteur', p.esc(s.shipper['name']))}{fact('Land van bestemming', p.esc(s.destination))}{fact('Kantoor van uitgang', 'NL000396 Rotterdam')}{fact('Datum afgifte', p.day(s.days(s.etd, -4)))}{fact('Totaal brutomassa', p.figure(s.boxes[0]['kg']) + ' kg')}</table>"


@layout("o-pod", OTHER, "en", css="td{padding:4px;border-bottom:1px solid}table{width:100%}")
def _(p, s):
    return f"<h2>PROOF OF DELIVERY</h2><table>{fact('Carrier', p.esc(s.trucker['name']))}{fact('Container', s.boxes[0]['number'])}{fact('Delivered at', p.esc(s.consignee['name']))}{fact('Arrived / left', p.day(s.lfd) + ' 08:15 / 10:40')}{fact('Seal intact', 'yes, ' + s.boxes[0]['seal'])}{fact('Received by', 'T. Nowak, 2 pallets short, see photo')}</table>"
