"""Arrival notices, delivery orders and confirmations of bookings. Authors of rules do not open
this package."""
from registry import layout
from transport import boxes, goods

AN, DO, BC = "arrival_notice", "delivery_order", "booking_confirmation"
CHARGES = {
    "en": ["OCEAN FREIGHT", "DESTINATION THC", "CHASSIS USAGE", "DOCUMENT FEE", "ISF FILING", "PIER PASS"],
    "de": ["Seefracht", "THC Löschhafen", "ISPS-Zuschlag", "Dokumentengebühr"], "fr": ["Fret maritime", "THC destination", "Frais de dossier", "ISPS"],
    "es": ["Flete marítimo", "THC destino", "Desconsolidación", "Emisión de documentos"], "pt": ["Frete marítimo", "Capatazia THC", "Taxa de liberação", "Desconsolidação"], "zh": ["海运费", "码头操作费", "换单费", "文件费"],
}


def charges(p, s, form, join="</tr><tr>"):
    r, out, total = p.r, [], 0
    for name in r.sample(CHARGES[p.lang], r.choice([2, 3, 4])):
        amount = round(r.uniform(25, 900), 2)
        total += amount
        q = p.row("charges")
        out.append(form(q, name, amount))
    return join.join(out), round(total, 2)


@layout("an-us", AN, "en", dates=["mdy/", "usl", "us"], destination="USA", css="table{width:100%;border-collapse:collapse}.f td{border:.5pt solid #000;padding:2px 3px;vertical-align:top}.k{font-size:65%;font-weight:bold}.h{background:#1b2f4b;color:#fff}")
def _(p, s):
    p.currency = "USD"
    c = lambda cap, v, a="": f"<td {a}><div class=k>{cap}</div>{v}</td>"
    rows = boxes(p, s, lambda q, b: f"<td>{q.num('number', b['number'])}<td>{q.kind('size_type', b['type'])}<td>{q.num('seal', b['seal'])}<td>{q.qty('packages', b['packages'])}<td>{q.kg('gross_weight', b['kg'], ' KG')}")
    ch, total = charges(p, s, lambda q, n, a: f"<td>{q.text('description', n)}<td>PP<td align=right>{q.money('amount', a)}")
    firms = c('FIRMS', p.num('firms_code', s.firms)) if s.firms else c('REMARKS', '')
    return f"""<table><tr><td><b style='font-size:13pt'>{p.esc(s.fwd['name'])}</b><br>{p.esc(', '.join(s.fwd['lines']))}<td align=right class=h style='padding:6px;font-size:13pt'>ARRIVAL NOTICE / FREIGHT BILL</tr></table><table class=f><tr>{c('NOTICE DATE', p.date('issue_date', s.notice))}{c('OUR REF. NO.', p.num('notice_number', 'AN' + s.po[-4:] + s.pickup[-3:]))}{c('MASTER B/L NO.', p.num('bl_number', s.bl))}{c('HOUSE B/L NO.', p.num('hbl_number', s.hbl))}{c('AMS B/L NO.', p.num('ams_number', s.hbl))}</tr>
<tr>{c('SHIPPER', p.esc(s.shipper['name']), 'colspan=2')}{c('VESSEL NAME', p.text('vessel', s.vessel))}{c('VOYAGE', p.num('voyage', s.voyage))}{c('CARRIER', p.esc(s.line) + p.silent('scac', s.scac))}</tr><tr>{c('CONSIGNEE', p.party('consignee', s.consignee), 'colspan=2 rowspan=2')}{c('PORT OF LOADING', p.place('port_of_lading', s.pol))}{c('PORT OF DISCHARGE', p.place('port_of_discharge', s.pod))}{c('PLACE OF DELIVERY', p.place('place_of_delivery', s.delivery))}</tr><tr>{c('ETA', p.date('eta', s.eta))}{c('CARGO LOCATION', p.text('terminal', s.terminal))}{firms}</tr>
<tr>{c('NOTIFY PARTY', p.party('notify_party', s.fwd), 'colspan=2')}{c('I.T. NO.', p.num('it_number', 'V' + s.booking[-6:] + '77'))}{c('LAST FREE DAY', p.date('last_free_day', s.lfd))}{c('G.O. DATE', p.date('go_date', s.days(s.eta, 15)))}</tr></table>
<table class=f><tr class=k><td>CONTAINER NO.<td>SIZE<td>SEAL NO.<td>PKGS<td>WEIGHT</tr><tr>{rows}</tr></table><p>{p.esc(', '.join(n for n, _ in s.goods))}</p><table class=f style='width:60%'><tr class=k><td>CHARGE<td>P/C<td>AMOUNT (USD)</tr><tr>{ch}</tr><tr><td colspan=2><b>TOTAL DUE</b><td align=right><b>{p.esc(p.figure(total, 2))}</b></tr></table><p style='font-size:75%'>Freight and duties must be paid before release. Storage after last free day is for account of cargo.</p>"""


@layout("an-letter", AN, "en", css="p{line-height:1.5}table{margin:8px 0}td{padding:1px 12px 1px 0}")
def _(p, s):
    p.silent("scac", s.scac)
    rows = boxes(p, s, lambda q, b: f"<td>{q.num('number', b['number'])}<td>{q.kind('size_type', b['type'])}<td>seal {q.num('seal', b['seal'])}<td>{q.qty('packages', b['packages'])} {s.pack.lower()}<td>{q.kg('gross_weight', b['kg'], ' kg')}")
    return f"""<p>{p.esc(s.line)}<br>Import Customer Service</p><p>{p.date('issue_date', s.notice)}</p><p>To: {p.party('consignee', s.consignee, sep=', ')}</p><p><b>Re: Arrival notification, bill of lading {p.num('bl_number', s.bl)}</b></p><p>Dear customer,</p><p>please be advised that the vessel <b>{p.text('vessel', s.vessel)}</b>, voyage {p.num('voyage', s.voyage)}, from {p.place('port_of_lading', s.pol)}, is expected to arrive at {p.place('port_of_discharge', s.pod)} on or about <b>{p.date('eta', s.eta)}</b> and will discharge at {p.text('terminal', s.terminal)}. The following equipment is consigned to you:</p><table><tr>{rows}</tr></table><p>Free time ends on {p.date('last_free_day', s.lfd)}. After that date demurrage is charged according to our tariff.</p><p>Kind regards,<br>Import desk</p>"""


@layout("ankunftsmeldung", AN, "de", destination="Germany", css="h1{font-size:15pt;color:#8a1538}table{width:100%;border-collapse:collapse}td{padding:3px;vertical-align:top}.z td{border-bottom:.5pt dotted #888}.l{color:#8a1538;width:20%}")
def _(p, s):
    p.currency = "EUR"
    p.silent("scac", s.scac)
    z = lambda a, b, c, d: f"<tr><td class=l>{a}<td>{b}<td class=l>{c}<td>{d}</tr>"
    rows = boxes(p, s, lambda q, b: f"<td>{q.num('number', b['number'])}<td>{q.kind('size_type', b['type'])}<td>{q.num('seal', b['seal'])}<td align=right>{q.qty('packages', b['packages'])}<td align=right>{q.kg('gross_weight', b['kg'], ' kg')}<td align=right>{q.m3('volume', b['m3'], ' m³')}")
    ch, total = charges(p, s, lambda q, n, a: f"<td>{q.text('description', n)}<td align=right>{q.money('amount', a, after=' EUR')}")
    return f"""<p>{p.esc(s.fwd['name'])} &middot; {p.esc(' &middot; '.join(s.fwd['lines'])).replace('&amp;middot;', '&middot;')}</p><h1>Ankunftsmitteilung {p.num('notice_number', 'AM-' + s.pickup)}</h1><table class=z>{z('Datum', p.date('issue_date', s.notice), 'Reederei', p.esc(s.line))}{z('Empfänger', p.party('consignee', s.consignee), 'Master-B/L', p.num('bl_number', s.bl))}{z('Meldeadresse', p.party('notify_party', s.fwd), 'House-B/L', p.num('hbl_number', s.hbl))}{z('Schiff', p.text('vessel', s.vessel), 'Reise-Nr.', p.num('voyage', s.voyage))}{z('Ladehafen', p.place('port_of_lading', s.pol), 'Löschhafen', p.place('port_of_discharge', s.pod))}{z('Voraussichtliche Ankunft', p.date('eta', s.eta), 'Terminal', p.text('terminal', s.terminal))}{z('Freie Lagerzeit bis', p.date('last_free_day', s.lfd), 'Bestimmungsort', p.place('place_of_delivery', s.delivery))}</table><br><table><tr class=l><td>Containernummer<td>Typ<td>Plombe<td align=right>Packstücke<td align=right>Gewicht<td align=right>Volumen</tr><tr>{rows}</tr></table><br><table style='width:55%'><tr><td class=l>Gebühren<td></tr><tr>{ch}</tr><tr><td><b>Summe</b><td align=right><b>{p.esc(p.figure(total, 2))} EUR</b></tr></table>"""


@layout("avis-arrivee", AN, "fr", destination="France", css="table{width:100%;border-spacing:4px}.b{border:1px solid #269;border-radius:5px;padding:4px;vertical-align:top}.b em{color:#269;font-style:normal;font-size:75%}")
def _(p, s):
    p.currency = "EUR"
    p.silent("scac", s.scac)
    b = lambda cap, v, a="": f"<td class=b {a}><em>{cap}</em><br>{v}</td>"
    rows = boxes(p, s, lambda q, x: f"<td>{q.num('number', x['number'])}<td>{q.kind('size_type', x['type'])}<td>{q.num('seal', x['seal'])}<td>{q.qty('packages', x['packages'])} colis<td>{q.kg('gross_weight', x['kg'], ' kg')}")
    ch, total = charges(p, s, lambda q, n, a: f"<td>{q.text('description', n)}<td align=right>{q.money('amount', a, after=' €')}")
    return f"""<h2>AVIS D'ARRIVÉE</h2><p>{p.esc(s.fwd['name'])} &ndash; {p.esc(', '.join(s.fwd['lines']))}</p><table><tr>{b('Notre dossier', p.num('notice_number', 'IM' + s.pickup[-5:] + '26'))}{b('Le', p.date('issue_date', s.notice))}{b('Connaissement', p.num('bl_number', s.bl))}{b('Compagnie', p.esc(s.line))}</tr><tr>{b('Destinataire', p.party('consignee', s.consignee), 'colspan=2')}{b('Partie à notifier', p.party('notify_party', s.fwd), 'colspan=2')}</tr><tr>{b('Navire', p.text('vessel', s.vessel))}{b('Voyage', p.num('voyage', s.voyage))}{b('Port de chargement', p.place('port_of_lading', s.pol))}{b('Port de déchargement', p.place('port_of_discharge', s.pod))}</tr><tr>{b('Arrivée prévue le', p.date('eta', s.eta))}{b('Terminal', p.text('terminal', s.terminal))}{b('Franchise jusqu’au', p.date('last_free_day', s.lfd), 'colspan=2')}</tr></table><table class=b><tr>{rows}</tr></table><table class=b style='width:50%;margin-left:auto'><tr>{ch}</tr><tr><td>TOTAL À RÉGLER<td align=right>{p.esc(p.figure(total, 2))} €</tr></table>"""


@layout("aviso-llegada", AN, "es", destination="Spain", css="td{padding:1px 5px;vertical-align:top}.q{font-weight:bold;text-align:right;width:45mm}.w{width:100%;border-top:2px solid #b60;border-collapse:collapse}.w td{border-bottom:1px solid #eda}")
def _(p, s):
    p.currency = "EUR"
    p.silent("scac", s.scac)
    q_ = lambda cap, v: f"<tr><td class=q>{cap}<td>{v}</tr>"
    rows = boxes(p, s, lambda q, b: f"<td>{q.num('number', b['number'])}<td>{q.kind('size_type', b['type'])}<td>{q.num('seal', b['seal'])}<td>{q.qty('packages', b['packages'])}<td>{q.kg('gross_weight', b['kg'], '')}<td>{q.m3('volume', b['m3'], '')}")
    ch, total = charges(p, s, lambda q, n, a: f"<td>{q.text('description', n)}<td align=right>{q.money('amount', a)} EUR")
    return f"""<h1 style='font-size:14pt;color:#b60'>AVISO DE LLEGADA</h1><table>{q_('Fecha del aviso', p.date('issue_date', s.notice))}{q_('Transitario', p.esc(s.fwd['name']))}{q_('Consignatario', p.party('consignee', s.consignee))}{q_('Naviera', p.esc(s.line))}{q_('B/L máster', p.num('bl_number', s.bl))}{q_('B/L hijo', p.num('hbl_number', s.hbl))}{q_('Buque', p.text('vessel', s.vessel))}{q_('Nº de viaje', p.num('voyage', s.voyage))}{q_('Puerto de origen', p.place('port_of_lading', s.pol))}{q_('Puerto de destino', p.place('port_of_discharge', s.pod))}{q_('ETA', p.date('eta', s.eta))}{q_('Terminal', p.text('terminal', s.terminal))}{q_('Último día libre', p.date('last_free_day', s.lfd))}</table><br><table class=w><tr><td>Contenedor<td>Tipo<td>Precinto<td>Bultos<td>Kg brutos<td>m3</tr><tr>{rows}</tr></table><br><table class=w style='width:60%'><tr><td>Concepto<td align=right>Importe</tr><tr>{ch}</tr><tr><td>TOTAL<td align=right>{p.esc(p.figure(total, 2))} EUR</tr></table>"""


@layout("aviso-chegada", AN, "pt", destination="Brazil", css="table{width:100%;border-collapse:collapse;margin-bottom:4px}td{border:1px solid #060;padding:3px;vertical-align:top}.t{background:#060;color:#fff;font-size:80%}")
def _(p, s):
    p.silent("scac", s.scac)
    rows = boxes(p, s, lambda q, b: f"<td>{q.num('number', b['number'])}<td>{q.kind('size_type', b['type'])}<td>{q.num('seal', b['seal'])}<td>{q.qty('packages', b['packages'])}<td>{q.kg('gross_weight', b['kg'], ' kg')}<td>{q.m3('volume', b['m3'], ' m³')}")
    return f"""<table><tr><td style='font-size:14pt'>AVISO DE CHEGADA DE CARGA<td>{p.esc(s.fwd['name'])}</tr></table><table><tr class=t><td>Conhecimento master (MBL)<td>Conhecimento house (HBL)<td>Data do aviso</tr><tr><td>{p.num('bl_number', s.bl)}<td>{p.num('hbl_number', s.hbl)}<td>{p.date('issue_date', s.notice)}</tr><tr class=t><td>Consignatário<td>Notificar<td>Armador</tr><tr><td>{p.party('consignee', s.consignee)}<td>{p.party('notify_party', s.fwd)}<td>{p.esc(s.line)}</tr><tr class=t><td>Navio / viagem<td>Porto de embarque<td>Porto de descarga</tr><tr><td>{p.text('vessel', s.vessel)} / {p.num('voyage', s.voyage)}<td>{p.place('port_of_lading', s.pol)}<td>{p.place('port_of_discharge', s.pod)}</tr><tr class=t><td>Previsão de chegada<td>Terminal de atracação<td>Fim do período livre</tr><tr><td>{p.date('eta', s.eta)}<td>{p.text('terminal', s.terminal)}<td>{p.date('last_free_day', s.lfd)}</tr></table><table><tr class=t><td>Contêiner<td>Tipo<td>Lacre<td>Volumes<td>Peso bruto<td>Cubagem</tr><tr>{rows}</tr></table>"""


@layout("daohuo", AN, "zh", destination="China", css="body{font-family:'Noto Serif CJK SC'}h2{text-align:center;letter-spacing:1em}table{width:100%;border-collapse:collapse}td{border:1px solid #000;padding:4px}")
def _(p, s):
    p.silent("scac", s.scac)
    rows = boxes(p, s, lambda q, b: f"<td>{q.num('number', b['number'])}<td>{q.kind('size_type', b['type'])}<td>{q.num('seal', b['seal'])}<td>{q.qty('packages', b['packages'])}<td>{q.kg('gross_weight', b['kg'], ' KGS')}")
    return f"""<h2>到货通知书</h2><p style='text-align:right'>编号：{p.num('notice_number', 'DH' + s.pickup[-5:])}　日期：{p.date('issue_date', s.notice)}</p><table><tr><td>收货人<td colspan=3>{p.party('consignee', s.consignee)}</tr><tr><td>提单号<td>{p.num('bl_number', s.bl)}<td>船公司<td>{p.esc(s.line)}</tr><tr><td>船名<td>{p.text('vessel', s.vessel)}<td>航次<td>{p.num('voyage', s.voyage)}</tr><tr><td>装货港<td>{p.place('port_of_lading', s.pol)}<td>卸货港<td>{p.place('port_of_discharge', s.pod)}</tr><tr><td>预计到港日期<td>{p.date('eta', s.eta)}<td>免费堆存截止日<td>{p.date('last_free_day', s.lfd)}</tr></table><br><table><tr><td>集装箱号<td>箱型<td>铅封号<td>件数<td>毛重</tr><tr>{rows}</tr></table><p>请贵司携带正本提单及时办理换单提货手续。</p>"""


@layout("an-columns", AN, "en", css=".l{color:#555;width:36mm}td{vertical-align:top;padding:1px 4px}.s{background:#f0f0e4;font-weight:bold;padding:2px 4px;margin-top:6px}")
def _(p, s):
    l = lambda cap, v: f"<tr><td class=l>{cap}<td>: {v}</tr>"
    rows = boxes(p, s, lambda q, b: f"<td>{q.num('number', b['number'])}<td>{q.kind('size_type', b['type'])}<td>{q.num('seal', b['seal'])}<td>{q.qty('packages', b['packages'])}<td>{q.kg('gross_weight', b['kg'])}<td>{q.m3('volume', b['m3'])}")
    return f"""<div style='border:1px solid #000;padding:5px;text-align:center;font-size:130%'>NOTICE OF ARRIVAL</div><div class=s>REFERENCES</div><table>{l('Notice', p.num('notice_number', 'NOA/' + s.pickup))}{l('Dated', p.date('issue_date', s.notice))}{l('MBL', p.num('bl_number', s.bl))}{l('HBL', p.num('hbl_number', s.hbl))}{l('Carrier / SCAC', p.esc(s.line) + ' / ' + p.num('scac', s.scac))}</table><div class=s>PARTIES</div><table>{l('Cargo receiver', p.party('consignee', s.consignee))}{l('Also notify', p.party('notify_party', s.fwd))}</table><div class=s>MOVEMENT</div><table>{l('Ship', p.text('vessel', s.vessel))}{l('Voyage', p.num('voyage', s.voyage))}{l('Loaded at', p.place('port_of_lading', s.pol))}{l('Discharge at', p.place('port_of_discharge', s.pod))}{l('Estimated arrival', p.date('eta', s.eta))}{l('Available at', p.text('terminal', s.terminal))}{l('Pick-up number', p.num('pickup_number', s.pickup))}{l('Free until', p.date('last_free_day', s.lfd))}</table><div class=s>EQUIPMENT</div><table><tr>{rows}</tr></table>"""


@layout("do-us", DO, "en", dates=["mdy/", "us", "mon"], destination="USA", css="table{width:100%;border-collapse:collapse}td{border:1pt solid #333;padding:3px;vertical-align:top}.k{font-size:68%;text-transform:uppercase}")
def _(p, s):
    c = lambda cap, v, a="": f"<td {a}><div class=k>{cap}</div>{v}</td>"
    rows = boxes(p, s, lambda q, b: f"<td>{q.num('number', b['number'])}<td>{q.kind('size_type', b['type'])}<td>{q.num('seal', b['seal'])}<td>{q.qty('packages', b['packages'])} {s.pack}<td>{q.kg('gross_weight', b['kg'], ' KG')}")
    firms = c('Firms code', p.num('firms_code', s.firms)) if s.firms else c('', '')
    return f"""<table><tr><td style='border:0'><b>{p.esc(s.fwd['name'])}</b><br>{p.esc(', '.join(s.fwd['lines']))}<td style='border:0;text-align:right;font-size:150%'>DELIVERY ORDER</tr></table><table><tr>{c('D/O no.', p.num('do_number', 'DO-' + s.pickup[-4:] + s.po[-3:]))}{c('Date', p.date('issue_date', s.notice))}{c('Master B/L', p.num('bl_number', s.bl))}{c('House B/L', p.num('hbl_number', s.hbl))}</tr><tr>{c('To (delivering carrier / trucker)', p.party('trucker', s.trucker), 'colspan=2')}{c('Importing vessel', p.text('vessel', s.vessel))}{c('Voyage', p.num('voyage', s.voyage))}</tr><tr>{c('Pick up at', p.text('terminal', s.terminal), 'colspan=2')}{firms}{c('Pickup no.', p.num('pickup_number', s.pickup))}</tr><tr>{c('Deliver to', p.party('deliver_to', s.consignee), 'colspan=2')}{c('Last free day', p.date('last_free_day', s.lfd))}{c('Return empty to', p.text('empty_return', s.depot))}</tr></table><br><table><tr class=k><td>Container<td>Type<td>Seal<td>No. of pkgs<td>Weight</tr><tr>{rows}</tr></table><p>PREPAID &#9744; COLLECT &#9744;</p><p>Received in good order by ______________________ Date ____________ Time _______</p>"""


@layout("freistellung", DO, "de", destination="Germany", css="h1{font-size:16pt}td{padding:2px 6px;vertical-align:top}.r{border-collapse:collapse;width:100%}.r td{border:1px solid #aaa}")
def _(p, s):
    l = lambda cap, v: f"<tr><td><b>{cap}</b><td>{v}</tr>"
    rows = boxes(p, s, lambda q, b: f"<td>{q.num('number', b['number'])}<td>{q.kind('size_type', b['type'])}<td>{q.num('seal', b['seal'])}<td>{q.qty('packages', b['packages'])}<td>{q.kg('gross_weight', b['kg'], '')}")
    return f"""<p style='text-align:right'>{p.esc(s.fwd['name'])}<br>{p.esc(s.fwd['lines'][0])}<br>{p.esc(s.fwd['lines'][1])}</p><h1>Auslieferungsauftrag / Delivery Order</h1><p>Hamburg, den {p.date('issue_date', s.notice)}</p><table>{l('Auftrags-Nr.', p.num('do_number', 'AA' + s.pickup[-4:] + '/26'))}{l('An Frachtführer', p.party('trucker', s.trucker))}{l('Abholung bei', p.text('terminal', s.terminal))}{l('Abholreferenz / PIN', p.num('pickup_number', s.pickup))}{l('Ablieferung an', p.party('deliver_to', s.consignee))}{l('Schiff, Reise', p.text('vessel', s.vessel) + ', ' + p.num('voyage', s.voyage))}{l('B/L-Nummer', p.num('bl_number', s.bl))}{l('Lagergeldfrei bis', p.date('last_free_day', s.lfd))}{l('Leerrückgabe', p.text('empty_return', s.depot))}</table><br><table class=r><tr><td>Container<td>Größe<td>Siegel<td>Kolli<td>Brutto kg</tr><tr>{rows}</tr></table><p>Bitte liefern Sie die oben genannten Container frei Haus aus. Standzeiten über 2 Stunden sind anzumelden.</p>"""


@layout("uitlever", DO, "nl", destination="Netherlands", css=".b{background:#eef4fb;border:1px solid #357;padding:5px;margin-bottom:5px}td{vertical-align:top;padding:1px 10px 1px 0}")
def _(p, s):
    rows = boxes(p, s, lambda q, b: f"<td>{q.num('number', b['number'])}<td>{q.kind('size_type', b['type'])}<td>{q.num('seal', b['seal'])}<td>{q.qty('packages', b['packages'])} colli<td>{q.kg('gross_weight', b['kg'], ' kg')}")
    return f"""<h2>Uitleveringsopdracht (delivery order)</h2><div class=b><table><tr><td>Opdrachtnummer<td><b>{p.num('do_number', 'UO' + s.pickup[-5:])}</b><td>Datum<td>{p.date('issue_date', s.notice)}</tr><tr><td>Opdrachtgever<td>{p.esc(s.fwd['name'])}<td>Cognossement<td>{p.num('bl_number', s.bl)}</tr></table></div><div class=b><table><tr><td>Vervoerder<td>{p.party('trucker', s.trucker)}</tr><tr><td>Afhalen bij<td>{p.text('terminal', s.terminal)}</tr><tr><td>Vrijstellingscode<td>{p.num('pickup_number', s.pickup)}</tr><tr><td>Afleveren bij<td>{p.party('deliver_to', s.consignee)}</tr><tr><td>Leeg inleveren<td>{p.text('empty_return', s.depot)}</tr><tr><td>Schip<td>{p.text('vessel', s.vessel)}</tr><tr><td>Reis<td>{p.num('voyage', s.voyage)}</tr><tr><td>Demurragevrij tot en met<td>{p.date('last_free_day', s.lfd)}</tr></table></div><div class=b><table><tr>{rows}</tr></table></div>"""


@layout("do-letter", DO, "en", destination="United Kingdom", css="p{line-height:1.45}td{padding:0 14px 0 0}")
def _(p, s):
    rows = boxes(p, s, lambda q, b: f"<td>{q.num('number', b['number'])}<td>{q.kind('size_type', b['type'])}<td>seal no. {q.num('seal', b['seal'])}<td>{q.kg('gross_weight', b['kg'], ' kgs')}")
    return f"""<p><b>{p.esc(s.fwd['name'])}</b>, {p.esc(', '.join(s.fwd['lines']))}</p><p>Messrs.<br>{p.party('trucker', s.trucker)}</p><p>{p.date('issue_date', s.notice)}</p><p><u>DELIVERY ORDER {p.num('do_number', 'D' + s.pickup[-5:])}</u></p><p>ex m.v. {p.text('vessel', s.vessel)}, voyage {p.num('voyage', s.voyage)}, B/L {p.num('bl_number', s.bl)}</p><p>Please collect from {p.text('terminal', s.terminal)}, quoting release reference {p.num('pickup_number', s.pickup)}:</p><table><tr>{rows}</tr></table><p>and deliver to:<br>{p.party('deliver_to', s.consignee)}</p><p>Quay rent free until {p.date('last_free_day', s.lfd)}. Empties to be restituted to {p.text('empty_return', s.depot)}.</p><p>for {p.esc(s.fwd['name'])}</p>"""


@layout("buono", DO, "it", destination="Italy", css="table{width:100%;border-collapse:collapse}td{border:1px solid #000;padding:4px;vertical-align:top}td i{font-size:75%}")
def _(p, s):
    c = lambda cap, v, a="": f"<td {a}><i>{cap}</i><br>{v}</td>"
    rows = boxes(p, s, lambda q, b: f"<td>{q.num('number', b['number'])}<td>{q.kind('size_type', b['type'])}<td>{q.num('seal', b['seal'])}<td>{q.qty('packages', b['packages'])}<td>{q.kg('gross_weight', b['kg'], ' kg')}")
    return f"""<h2>BUONO DI CONSEGNA N. {p.num('do_number', s.pickup[-4:] + '/2026')}</h2><table><tr>{c('Data', p.date('issue_date', s.notice))}{c('Polizza di carico', p.num('bl_number', s.bl))}{c('Nave', p.text('vessel', s.vessel))}{c('Viaggio', p.num('voyage', s.voyage))}</tr><tr>{c('Vettore terrestre', p.party('trucker', s.trucker), 'colspan=2')}{c('Luogo di consegna', p.party('deliver_to', s.consignee), 'colspan=2')}</tr><tr>{c('Terminal di ritiro', p.text('terminal', s.terminal), 'colspan=2')}{c('Codice di ritiro', p.num('pickup_number', s.pickup))}{c('Sosta franca fino al', p.date('last_free_day', s.lfd))}</tr><tr>{c('Riconsegna vuoto', p.text('empty_return', s.depot), 'colspan=4')}</tr></table><br><table><tr><td>Contenitore<td>Tipo<td>Sigillo<td>Colli<td>Peso lordo</tr><tr>{rows}</tr></table>"""


@layout("bc-line", BC, "en", css=".h{background:#00243d;color:#fff;padding:8px;font-size:130%}table{width:100%;border-collapse:collapse;margin-top:5px}th{font-size:75%;text-align:left;color:#00243d;border-bottom:1px solid}td{padding:3px 0}")
def _(p, s):
    p.silent("scac", s.scac)
    q = p.row("equipment")
    d = s.etd
    return f"""<div class=h>{p.esc(s.line)} &nbsp;|&nbsp; Booking Confirmation</div><table><tr><th>Booking No.<th>Print date<th>Contract party<th>Service contract</tr><tr><td>{p.num('booking_number', s.booking)}<td>{p.date('issue_date', s.days(d, -12))}<td>{p.esc(s.fwd_origin['name'])}<td>SC{s.po[-4:]}</tr></table><table><tr><th>From<th>To<th>Vessel<th>Voy No.<th>ETD<th>ETA</tr><tr><td>{p.place('port_of_lading', s.pol)}<td>{p.place('port_of_discharge', s.pod)}<td>{p.text('vessel', s.vessel)}<td>{p.num('voyage', s.voyage)}<td>{p.date('etd', d)}<td>{p.date('eta', s.eta)}</tr></table><table><tr><th>Quantity<th>Size/Type/Height<th>Commodity<th>Empty pick up depot</tr><tr><td>{q.qty('quantity', len(s.boxes))}<td>{q.kind('size_type', s.boxes[0]['type'])}<td>{p.esc(s.goods[0][0])}<td>{p.text('empty_pickup', s.depot)}</tr></table><table><tr><th>SI cut-off<th>VGM cut-off<th>CY cut-off<th>Customs cut-off</tr><tr><td>{p.date('si_cutoff', s.days(d, -4), time='12:00')}<td>{p.date('vgm_cutoff', s.days(d, -3), time='17:00')}<td>{p.date('cy_cutoff', s.days(d, -2), time='16:00')}<td>{p.date('customs_cutoff', s.days(d, -3), time='09:30')}</tr></table><p><small>Please check all details. Late shipping instructions are subject to a fee. No show fees apply for cancellations within 7 days of departure.</small></p>"""


@layout("conferma", BC, "it", origin="Italy", css="td{padding:2px 8px 2px 0;vertical-align:top}.l{color:#777}h2{font-weight:normal;border-bottom:4px solid #c9a227}")
def _(p, s):
    p.silent("scac", s.scac)
    q = p.row("equipment")
    l = lambda cap, v: f"<tr><td class=l>{cap}<td>{v}</tr>"
    return f"""<h2>Conferma di prenotazione</h2><p>Spett.le {p.esc(s.shipper['name'])}, con la presente confermiamo il seguente imbarco:</p><table>{l('Numero booking', p.num('booking_number', s.booking))}{l('Data conferma', p.date('issue_date', s.days(s.etd, -10)))}{l('Compagnia', p.esc(s.line))}{l('Nave', p.text('vessel', s.vessel))}{l('Viaggio', p.num('voyage', s.voyage))}{l('Porto di imbarco', p.place('port_of_lading', s.pol))}{l('Porto di sbarco', p.place('port_of_discharge', s.pod))}{l('Destinazione finale', p.place('place_of_delivery', s.delivery))}{l('Partenza prevista', p.date('etd', s.etd))}{l('Arrivo previsto', p.date('eta', s.eta))}{l('Contenitori', q.qty('quantity', len(s.boxes)) + ' x ' + q.kind('size_type', s.boxes[0]['type']))}{l('Ritiro vuoti', p.text('empty_pickup', s.depot))}{l('Chiusura documentale', p.date('si_cutoff', s.days(s.etd, -4), time='12:00'))}{l('Chiusura VGM', p.date('vgm_cutoff', s.days(s.etd, -3), time='10:00'))}{l('Chiusura merce', p.date('cy_cutoff', s.days(s.etd, -2), time='18:00'))}</table>"""


@layout("confirmacion", BC, "es", origin="Spain", css="table{width:100%;border-collapse:collapse}td{border:1px solid #579;padding:4px;vertical-align:top;width:25%}td b{font-size:70%;color:#579;display:block}")
def _(p, s):
    p.silent("scac", s.scac)
    q = p.row("equipment")
    c = lambda cap, v, a="": f"<td {a}><b>{cap}</b>{v}</td>"
    return f"""<h2>CONFIRMACIÓN DE RESERVA</h2><p>{p.esc(s.line)} / agencia en España</p><table><tr>{c('Reserva', p.num('booking_number', s.booking))}{c('Emitida el', p.date('issue_date', s.days(s.etd, -9)))}{c('Buque', p.text('vessel', s.vessel))}{c('Viaje', p.num('voyage', s.voyage))}</tr><tr>{c('Puerto de carga', p.place('port_of_lading', s.pol))}{c('Salida estimada', p.date('etd', s.etd))}{c('Puerto de descarga', p.place('port_of_discharge', s.pod))}{c('Llegada estimada', p.date('eta', s.eta))}</tr><tr>{c('Cantidad', q.qty('quantity', len(s.boxes)))}{c('Equipo', q.kind('size_type', s.boxes[0]['type']))}{c('Depósito de vacíos', p.text('empty_pickup', s.depot), 'colspan=2')}</tr><tr>{c('Cierre de documentación', p.date('si_cutoff', s.days(s.etd, -4), time='14:00'))}{c('Límite VGM', p.date('vgm_cutoff', s.days(s.etd, -3), time='14:00'))}{c('Cierre de terminal', p.date('cy_cutoff', s.days(s.etd, -2), time='20:00'))}{c('Despacho de aduana', p.date('customs_cutoff', s.days(s.etd, -2), time='12:00'))}</tr></table>"""


@layout("dingcang", BC, "zh", origin="China", css="body{font-family:'Noto Sans CJK SC'}h2{text-align:center}table{width:100%;border-collapse:collapse}td{border:.5pt solid #666;padding:3px 5px}.l{background:#f3f3f3;width:22%}")
def _(p, s):
    p.silent("scac", s.scac)
    q = p.row("equipment")
    z = lambda a, b, c, d: f"<tr><td class=l>{a}<td>{b}<td class=l>{c}<td>{d}</tr>"
    return f"""<h2>订舱确认书</h2><table>{z('订舱号', p.num('booking_number', s.booking), '确认日期', p.date('issue_date', s.days(s.etd, -11)))}{z('船公司', p.esc(s.line), '船名', p.text('vessel', s.vessel))}{z('航次', p.num('voyage', s.voyage), '箱型', q.kind('size_type', s.boxes[0]['type']))}{z('箱量', q.qty('quantity', len(s.boxes)), '装货港', p.place('port_of_lading', s.pol))}{z('卸货港', p.place('port_of_discharge', s.pod), '预计开航日', p.date('etd', s.etd))}{z('预计到港日', p.date('eta', s.eta), '截单时间', p.date('si_cutoff', s.days(s.etd, -4), time='12:00'))}{z('截VGM时间', p.date('vgm_cutoff', s.days(s.etd, -3), time='12:00'), '截港时间', p.date('cy_cutoff', s.days(s.etd, -2), time='18:00'))}{z('截关时间', p.date('customs_cutoff', s.days(s.etd, -2), time='10:00'), '提箱地点', p.text('empty_pickup', '外高桥二号堆场'))}</table><p>请在截单时间前提交补料。</p>"""


@layout("bc-forwarder", BC, "en", css="td{vertical-align:top;padding:2px 0}.l{font-weight:bold;width:42mm}.x{border-top:1px solid #000;margin-top:8px}")
def _(p, s):
    q = p.row("equipment")
    l = lambda cap, v: f"<tr><td class=l>{cap}<td>{v}</tr>"
    return f"""<p>{p.esc(s.fwd_origin['name'])}<br>{p.esc(s.fwd_origin['lines'][0])}<br>{p.esc(s.fwd_origin['lines'][1])}</p><h3>We confirm your booking as follows</h3><table>{l('Carrier booking ref', p.num('booking_number', s.booking))}{l('Date', p.date('issue_date', s.days(s.etd, -8)))}{l('Shipping line', p.esc(s.line) + p.silent('scac', s.scac))}</table><table class=x>{l('Receipt', p.place('place_of_receipt', s.receipt))}{l('Load port', p.place('port_of_lading', s.pol))}{l('Mother vessel', p.text('vessel', s.vessel) + '&nbsp;&nbsp;&nbsp;Voy. ' + p.num('voyage', s.voyage))}{l('Sailing', p.date('etd', s.etd))}{l('Discharge port', p.place('port_of_discharge', s.pod))}{l('Arrival', p.date('eta', s.eta))}{l('Delivery', p.place('place_of_delivery', s.delivery))}</table><table class=x>{l('Equipment', q.qty('quantity', len(s.boxes)) + ' x ' + q.kind('size_type', s.boxes[0]['type']))}{l('Collect empties', p.text('empty_pickup', s.depot))}{l('Gate-in closing', p.date('cy_cutoff', s.days(s.etd, -2), time='15:00'))}{l('Docs closing', p.date('si_cutoff', s.days(s.etd, -3), time='11:00'))}{l('VGM closing', p.date('vgm_cutoff', s.days(s.etd, -2), time='11:00'))}</table>"""
