"""Bills of lading, house bills and sea waybills. Authors of rules do not open this package."""
from registry import layout, table, cells

BL, HBL, SWB = "bill_of_lading", "house_bill_of_lading", "sea_waybill"


def goods(s, count=True):
    n = sum(b["packages"] for b in s.boxes)
    lines = [f"{n} {s.pack}"] if count else []
    for name, hs in s.goods:
        lines += [name, f"HS CODE {hs}"]
    return lines


def boxes(p, s, form, join="</tr><tr>"):
    """form(row, box) of each container."""
    return join.join(form(p.row("containers"), b) for b in s.boxes)


def terms(p, s, before="FREIGHT "):
    return p.code("freight_terms", "prepaid" if s.prepaid else "collect", before + ("PREPAID" if s.prepaid else "COLLECT"))


@layout("line-boxes", BL, "en", css="table{width:100%;border-collapse:collapse}td{border:.6pt solid #000;vertical-align:top;padding:2px 4px;height:34px}.c{font-size:70%}.n td{border:0;height:auto}")
def _(p, s):
    p.silent("scac", s.scac)
    c = lambda cap, v, a="": f"<td {a}><div class=c>{cap}</div>{v}</td>"
    rows = boxes(p, s, lambda q, b: f"<td>{q.num('number', b['number'])} / {q.num('seal', b['seal'])} / {q.kind('size_type', b['type'])}</td><td>{q.qty('packages', b['packages'])} {s.pack}</td><td style='text-align:right'>{q.kg('gross_weight', b['kg'])}</td><td style='text-align:right'>{q.m3('volume', b['m3'])}</td>")
    return f"""<table><tr><td colspan=2><b style='font-size:150%'>{p.esc(s.line)}</b></td><td colspan=2 style='text-align:right;font-size:130%'><b>BILL OF LADING</b><br><small>FOR PORT TO PORT SHIPMENT OR MULTIMODAL TRANSPORT</small></td></tr>
<tr>{c('Shipper (complete name and address)', p.party('shipper', s.shipper), 'colspan=2 rowspan=2')}{c('B/L No.', p.num('bl_number', s.bl))}{c('Booking No.', p.num('booking_number', s.booking))}</tr><tr>{c('Export references', 'SVC ' + s.po, 'colspan=2')}</tr>
<tr>{c('Consignee (negotiable only if consigned to order)', p.party('consignee', s.consignee), 'colspan=2')}{c('Onward inland routing (for account and risk of Merchant)', '', 'colspan=2')}</tr>
<tr>{c('Notify Party', p.party('notify_party', s.fwd), 'colspan=2')}{c('Place of Receipt', p.place('place_of_receipt', s.receipt))}{c('Place of Delivery', p.place('place_of_delivery', s.delivery))}</tr>
<tr>{c('Vessel', p.text('vessel', s.vessel))}{c('Voyage No.', p.num('voyage', s.voyage))}{c('Port of Loading', p.place('port_of_lading', s.pol))}{c('Port of Discharge', p.place('port_of_discharge', s.pod))}</tr></table>
<p style='text-align:center;margin:3px'><small>PARTICULARS FURNISHED BY SHIPPER - CARRIER NOT RESPONSIBLE</small></p>
<table><tr><td style='height:90px;width:60%'><div class=c>Kind of packages; description of goods; marks and numbers</div>{p.prose('description', goods(s))}</td></tr></table>
<table class=n style='border:.6pt solid'><tr><td class=c>Container No. / Seal No. / Type</td><td class=c>Packages</td><td class=c style='text-align:right'>Gross weight</td><td class=c style='text-align:right'>Measurement</td></tr><tr>{rows}</tr></table>
<table><tr>{c('Freight &amp; Charges', terms(p, s))}{c('Number of original B(s)/L', p.qty('originals', 3) + ' (THREE)')}{c('Place of Issue of B/L', p.place('issue_place', s.pol))}{c('Date of Issue of B/L', p.date('issue_date', s.issue))}</tr>
<tr>{c('Shipped on Board Date (Local Time)', p.date('on_board_date', s.etd))}<td colspan=3><div class=c>Signed for the Carrier {p.esc(s.line)}</div><br>AS AGENT</td></tr></table>"""


@layout("line-rider", BL, "en", css="h1{font-size:15pt;letter-spacing:6px;text-align:center;font-weight:normal}dt{float:left;clear:left;width:44mm;color:#333}dd{margin:0 0 3px 46mm}.two td{vertical-align:top;width:50%}.r{border-collapse:collapse;width:100%}.r th{border-bottom:1pt solid;text-align:left}.r td{padding:2px 0}")
def _(p, s):
    p.silent("scac", s.scac)
    d = lambda cap, v: f"<dt>{cap}</dt><dd>{v}</dd>"
    rows = boxes(p, s, lambda q, b: f"<td>{q.num('number', b['number'], b['number'][:4] + ' ' + b['number'][4:10] + '-' + b['number'][10])}<td>{q.kind('size_type', b['type'])}<td>{q.num('seal', b['seal'])}<td>{q.qty('packages', b['packages'])}<td>{q.kg('gross_weight', b['kg'], '')}<td>{q.m3('volume', b['m3'], '')}")
    return f"""<h1>ORIGINAL BILL OF LADING</h1><table class=two width=100%><tr><td><dl>{d('SHIPPER', p.party('shipper', s.shipper))}{d('CONSIGNEE', p.party('consignee', s.consignee))}{d('NOTIFY', p.party('notify_party', s.consignee) if p.r.random()<.5 else p.party('notify_party', s.fwd))}</dl></td>
<td><dl>{d('BILL NUMBER', p.num('bl_number', s.bl))}{d('CARRIER', p.esc(s.line))}{d('OCEAN VESSEL / VOY', p.text('vessel', s.vessel) + ' / ' + p.num('voyage', s.voyage))}{d('LOADING AT', p.place('port_of_lading', s.pol))}{d('DISCHARGING AT', p.place('port_of_discharge', s.pod))}{d('FINAL DELIVERY', p.place('place_of_delivery', s.delivery))}</dl></td></tr></table><hr>
<p>{p.prose('description', ['SAID TO CONTAIN'] + goods(s))}</p><p>AS PER ATTACHED RIDER, PAGE 2</p><hr><p>Laden on board the vessel {p.date('on_board_date', s.etd)}. {terms(p, s, 'OCEAN FREIGHT ')}.<br>In witness whereof the master has signed {p.qty('originals', 3)} bills of this tenor and date, one of which being accomplished, the others to be void.</p>
<p style='text-align:right'>Issued at {p.place('issue_place', s.pol)}, {p.date('issue_date', s.issue)}<br><br>_______________________<br>for the carrier</p>
<div style='page-break-before:always'></div><p>RIDER TO BILL {p.esc(s.bl)} &nbsp;&nbsp; PAGE 2</p><table class=r><tr><th>UNIT<th>TYPE<th>SEAL<th>PKGS<th>GROSS KG<th>CBM</tr><tr>{rows}</tr></table>"""


@layout("conocimiento", BL, "es", css=".g{border-collapse:collapse;width:100%}.g td{border:1px solid #456;padding:3px;vertical-align:top}.g b{display:block;font-size:75%;color:#456;font-weight:normal;text-transform:uppercase}")
def _(p, s):
    p.silent("scac", s.scac)
    c = lambda cap, v, a="": f"<td {a}><b>{cap}</b>{v}</td>"
    rows = boxes(p, s, lambda q, b: f"<td>{q.num('number', b['number'])}<br>Precinto: {q.num('seal', b['seal'])}</td><td>1 x {q.kind('size_type', b['type'])}</td><td>{q.qty('packages', b['packages'])} bultos</td><td>{q.kg('gross_weight', b['kg'], ' kg')}</td><td>{q.m3('volume', b['m3'], ' m³')}</td>")
    return f"""<h2 style='margin:0'>CONOCIMIENTO DE EMBARQUE</h2><p style='margin:0 0 5px'>{p.esc(s.line)} &middot; transporte marítimo</p><table class=g><tr>{c('Cargador', p.party('shipper', s.shipper))}{c('Conocimiento nº', p.num('bl_number', s.bl))}{c('Reserva nº', p.num('booking_number', s.booking))}</tr>
<tr>{c('Consignatario', p.party('consignee', s.consignee))}{c('Notificar a', p.party('notify_party', s.fwd), 'colspan=2')}</tr><tr>{c('Buque y viaje', p.text('vessel', s.vessel) + ' v. ' + p.num('voyage', s.voyage))}{c('Puerto de carga', p.place('port_of_lading', s.pol))}{c('Puerto de descarga', p.place('port_of_discharge', s.pod))}</tr></table>
<table class=g><tr><td><b>Contenedor</b></td><td><b>Tipo</b></td><td><b>Bultos</b></td><td><b>Peso bruto</b></td><td><b>Volumen</b></td></tr><tr>{rows}</tr></table>
<table class=g><tr>{c('Descripción de la mercancía', p.prose('description', goods(s)), 'colspan=3')}</tr><tr>{c('Flete', p.code('freight_terms', 'prepaid' if s.prepaid else 'collect', 'PAGADO EN ORIGEN' if s.prepaid else 'PAGADERO EN DESTINO'))}{c('Originales emitidos', p.qty('originals', 3))}{c('Lugar y fecha de emisión', p.place('issue_place', s.pol) + ', ' + p.date('issue_date', s.issue))}</tr><tr>{c('Embarcado a bordo', p.date('on_board_date', s.etd), 'colspan=3')}</tr></table>"""


@layout("mono-print", BL, "en", css="pre{font-family:'Liberation Mono',monospace;font-size:8.2pt;line-height:1.25}", engines=["wk", "chromium"])
def _(p, s):
    p.silent("scac", s.scac)
    p.br = "\n"
    two = lambda a, b: "\n".join(f"{x:<46}{y}" for x, y in cells(a, b))
    rows = boxes(p, s, lambda q, b: f"{q.num('number', b['number']):<14}{q.num('seal', b['seal']):<12}{q.kind('size_type', b['type']):<13}{q.qty('packages', b['packages']):>7}{q.kg('gross_weight', b['kg'], ''):>14}{q.m3('volume', b['m3'], ''):>11}", "\n")
    return f"""<pre>{p.esc(s.line)}
                                BILL  OF  LADING

{two('SHIPPER:' + chr(10) + p.party('shipper', s.shipper), 'B/L NUMBER:  ' + p.num('bl_number', s.bl) + chr(10) + 'BOOKING REF: ' + p.num('booking_number', s.booking))}

{two('CONSIGNEE:' + chr(10) + p.party('consignee', s.consignee), 'NOTIFY ADDRESS:' + chr(10) + p.party('notify_party', s.fwd))}

VESSEL: {p.text('vessel', s.vessel):<28} VOYAGE: {p.num('voyage', s.voyage)}
FROM:   {p.place('port_of_lading', s.pol, 'upper'):<28} TO:     {p.place('port_of_discharge', s.pod, 'upper')}
------------------------------------------------------------------------------
CONTAINER     SEAL        TYPE          PKGS        KGS GROSS        M3
------------------------------------------------------------------------------
{rows}
------------------------------------------------------------------------------
DESCRIPTION OF GOODS:
{p.prose('description', goods(s))}

{terms(p, s)}
SHIPPED ON BOARD: {p.date('on_board_date', s.etd)}
NO. OF ORIGINALS: {p.qty('originals', 3)}/3
DATED AT {p.place('issue_place', s.pol, 'upper')} ON {p.date('issue_date', s.issue)}
</pre>"""


@layout("landscape-bill", BL, "en", css="@page{size:A4 landscape;margin:9mm}table{width:100%;border-collapse:collapse}th{background:#dde6ee;text-align:left;font-weight:normal}td,th{border:1px solid #9ab;padding:3px;vertical-align:top}", engines=["chromium"])
def _(p, s):
    p.silent("scac", s.scac)
    rows = boxes(p, s, lambda q, b: f"<td>{q.num('number', b['number'])}<td>{q.kind('size_type', b['type'])}<td>{q.num('seal', b['seal'])}<td>{q.qty('packages', b['packages'])}<td align=right>{q.kg('gross_weight', b['kg'], '', 2)}<td align=right>{q.m3('volume', b['m3'], '', 3)}")
    return f"""<div style='float:right;border:2pt solid #a33;color:#a33;padding:4px 10px;transform:rotate(-7deg);font-size:14pt'>COPY NON NEGOTIABLE</div><h2>{p.esc(s.line)} &nbsp; Bill of Lading</h2>
<table><tr><th>Shipper<th>Consignee<th>Notify party<th>Numbers</tr><tr><td>{p.party('shipper', s.shipper)}<td>{p.party('consignee', s.consignee)}<td>{p.party('notify_party', s.fwd)}<td>B/L: {p.num('bl_number', s.bl)}<br>Booking: {p.num('booking_number', s.booking)}<br>Carrier code: {p.num('scac', s.scac)}</tr>
<tr><th>Vessel / voyage<th>Port of loading<th>Port of discharge<th>Place of delivery</tr><tr><td>{p.text('vessel', s.vessel)} / {p.num('voyage', s.voyage)}<td>{p.place('port_of_lading', s.pol)}<td>{p.place('port_of_discharge', s.pod)}<td>{p.place('place_of_delivery', s.delivery)}</tr></table><br>
<table><tr><th>Container<th>Size/Type<th>Seal<th>Pieces<th>Weight (KG)<th>Volume (M3)</tr><tr>{rows}</tr></table><br><table><tr><th>Goods<th>Freight<th>Issued<th>On board</tr><tr><td>{p.prose('description', goods(s))}<td>{terms(p, s, '')}<td>{p.place('issue_place', s.pol)}<br>{p.date('issue_date', s.issue)}<td>{p.date('on_board_date', s.etd)}</tr></table>"""


@layout("fiata-like", HBL, "en", css="table{width:100%;border-collapse:collapse}td{border:.5pt solid #2a4d8f;padding:2px 5px;vertical-align:top}small{color:#2a4d8f;display:block}h3{color:#2a4d8f;margin:2px}")
def _(p, s):
    c = lambda cap, v, a="": f"<td {a}><small>{cap}</small>{v}</td>"
    rows = boxes(p, s, lambda q, b: f"<td width=24%>{q.num('number', b['number'])}<br>{q.num('seal', b['seal'])}</td><td>1x{q.kind('size_type', b['type'])} STC {q.qty('packages', b['packages'])} {s.pack}</td><td width=16%>{q.kg('gross_weight', b['kg'])}</td><td width=14%>{q.m3('volume', b['m3'])}</td>")
    return f"""<table><tr>{c('Consignor', p.party('shipper', s.shipper), 'rowspan=2 width=55%')}<td><h3>NEGOTIABLE MULTIMODAL TRANSPORT BILL OF LADING</h3><small>issued subject to UNCTAD/ICC Rules for Multimodal Transport Documents</small></td></tr><tr>{c('House bill no.', '<b>' + p.num('hbl_number', s.hbl) + '</b>')}</tr>
<tr>{c('Consigned to order of', p.party('consignee', s.consignee))}<td rowspan=2 style='text-align:center;font-size:120%'><br>{p.esc(s.fwd_origin['name'])}<br><small>as freight forwarder and carrier</small></td></tr><tr>{c('Notify address', p.party('notify_party', s.fwd))}</tr></table>
<table><tr>{c('Place of receipt', p.place('place_of_receipt', s.receipt))}{c('Ocean vessel', p.text('vessel', s.vessel) + ' ' + p.num('voyage', s.voyage))}{c('Port of loading', p.place('port_of_lading', s.pol))}</tr><tr>{c('Port of discharge', p.place('port_of_discharge', s.pod))}{c('Place of delivery', p.place('place_of_delivery', s.delivery))}{c('Freight payable', terms(p, s))}</tr></table>
<table><tr><td><small>Marks and numbers</small></td><td><small>Number and kind of packages</small></td><td><small>Gross weight</small></td><td><small>Measurement</small></td></tr><tr>{rows}</tr><tr>{c('Description of goods', p.prose('description', goods(s)), 'colspan=4 style="height:110px"')}</tr></table>
<table><tr>{c('Number of original FBLs', p.qty('originals', 3) + ' / THREE')}{c('Place and date of issue', p.place('issue_place', s.pol) + ' &nbsp; ' + p.date('issue_date', s.issue))}{c('Shipped on board', p.date('on_board_date', s.etd))}</tr><tr>{c('For delivery of goods please apply to', p.esc(s.fwd['name']) + '<br>' + p.esc(s.fwd['lines'][1]), 'colspan=3')}</tr></table>"""


@layout("nvocc-us", HBL, "en", dates=["mdy/", "us", "usl"], destination="USA", css=".t{border:1.5pt solid #000;width:100%;border-collapse:collapse}.t td{border:.5pt solid #000;vertical-align:top;padding:2px}.k{font-weight:bold;font-size:65%}")
def _(p, s):
    c = lambda n, cap, v, a="": f"<td {a}><span class=k>{n}. {cap}</span><br>{v}</td>"
    rows = boxes(p, s, lambda q, b: f"<td>{q.num('number', b['number'])}<br>SEAL# {q.num('seal', b['seal'])}</td><td>{q.qty('packages', b['packages'])}</td><td>{q.kind('size_type', b['type'])} CONTAINER</td><td>{q.kg('gross_weight', b['kg'], ' KG')}</td><td>{q.m3('volume', b['m3'], ' M3')}</td>")
    return f"""<div style='text-align:center'><b>{p.esc(s.fwd_origin['name'])}</b><br>OTI/NVOCC 02{s.po[-4:]}N<br><b>COMBINED TRANSPORT HOUSE BILL OF LADING</b></div><table class=t><tr>{c(2, 'EXPORTER (Principal or seller-licensee)', p.party('shipper', s.shipper), 'rowspan=2 width=50%')}{c(5, 'DOCUMENT NUMBER (MASTER B/L)', p.num('bl_number', s.bl))}{c('5a', 'HOUSE B/L NUMBER', p.num('hbl_number', s.hbl))}</tr><tr>{c(6, 'EXPORT REFERENCES', 'PO ' + p.esc(s.po), 'colspan=2')}</tr>
<tr>{c(3, 'CONSIGNED TO', p.party('consignee', s.consignee))}{c(7, 'FORWARDING AGENT', p.esc(s.fwd['name']), 'colspan=2')}</tr><tr>{c(4, 'NOTIFY PARTY', p.party('notify_party', s.fwd))}{c(8, 'POINT (STATE) OF ORIGIN OR FTZ NUMBER', p.esc(s.origin.upper()), 'colspan=2')}</tr>
<tr>{c(14, 'EXPORTING CARRIER', p.text('vessel', s.vessel) + ' V.' + p.num('voyage', s.voyage))}{c(15, 'PORT OF LOADING', p.place('port_of_lading', s.pol))}{c(16, 'FOREIGN PORT OF UNLOADING', p.place('port_of_discharge', s.pod))}</tr></table>
<table class=t><tr><td class=k>MARKS AND NUMBERS (18)<td class=k>NUMBER OF PACKAGES (19)<td class=k>DESCRIPTION (20)<td class=k>GROSS WEIGHT (21)<td class=k>MEASUREMENT (22)</tr><tr>{rows}</tr><tr><td><td><td>{p.prose('description', goods(s, False))}<td><td></tr></table>
<p>{terms(p, s)} &nbsp;&nbsp;&nbsp; ON BOARD {p.date('on_board_date', s.etd)}</p><p>DATED AT {p.place('issue_place', s.pol)} &nbsp; {p.date('issue_date', s.issue)}<br>BY ______________________ AGENT FOR THE CARRIER</p>"""


@layout("haus-konnossement", HBL, "de", destination="Germany", css="h1{font-size:13pt;border-bottom:3px double}td{vertical-align:top;padding:1px 8px 4px 0}.l{font-style:italic;width:38mm}.g{width:100%;border-top:1px solid;border-bottom:1px solid}")
def _(p, s):
    l = lambda cap, v: f"<tr><td class=l>{cap}:</td><td>{v}</td></tr>"
    rows = boxes(p, s, lambda q, b: f"<td>{q.num('number', b['number'])}<td>{q.num('seal', b['seal'])}<td>{q.kind('size_type', b['type'])}<td align=right>{q.qty('packages', b['packages'])}<td align=right>{q.kg('gross_weight', b['kg'], '')}<td align=right>{q.m3('volume', b['m3'], '')}")
    return f"""<h1>Haus-Konnossement (House B/L) Nr. {p.num('hbl_number', s.hbl)}</h1><table>{l('Ablader', p.party('shipper', s.shipper))}{l('Empfänger', p.party('consignee', s.consignee))}{l('Meldeadresse', p.party('notify_party', s.fwd))}{l('Seeschiff / Reise', p.text('vessel', s.vessel) + ' / ' + p.num('voyage', s.voyage))}{l('Ladehafen', p.place('port_of_lading', s.pol))}{l('Löschhafen', p.place('port_of_discharge', s.pod))}{l('Bestimmungsort', p.place('place_of_delivery', s.delivery))}{l('Reederei-B/L', p.num('bl_number', s.bl))}{l('Reederei', p.esc(s.line) + p.silent('scac', s.scac))}</table>
<table class=g><tr><td>Container<td>Siegel<td>Größe<td align=right>Kolli<td align=right>Bruttogewicht kg<td align=right>Raummaß m³</tr><tr>{rows}</tr></table><p><i>Warenbezeichnung:</i> {p.prose('description', goods(s, False))}</p>
<p>Fracht: {p.code('freight_terms', 'prepaid' if s.prepaid else 'collect', 'vorausbezahlt' if s.prepaid else 'zahlbar am Bestimmungsort')}. Anzahl der Originale: {p.qty('originals', 3)}. An Bord genommen am {p.date('on_board_date', s.etd)}.</p><p>{p.place('issue_place', s.pol)}, den {p.date('issue_date', s.issue)}</p><p>{p.esc(s.fwd_origin['name'])}</p>"""


@layout("house-zh", HBL, "zh", origin="China", css="body{font-family:'Noto Sans CJK SC'}table{width:100%;border-collapse:collapse}td{border:.5pt solid #000;padding:3px;vertical-align:top}i{font-style:normal;font-size:75%;display:block}")
def _(p, s):
    c = lambda cap, v, a="": f"<td {a}><i>{cap}</i>{v}</td>"
    rows = boxes(p, s, lambda q, b: f"<td>{q.num('number', b['number'])}<td>{q.num('seal', b['seal'])}<td>{q.kind('size_type', b['type'])}<td>{q.qty('packages', b['packages'])} 件<td>{q.kg('gross_weight', b['kg'])}<td>{q.m3('volume', b['m3'])}")
    return f"""<h2 style='text-align:center'>{p.esc(s.fwd_origin['zh'] or s.fwd_origin['name'])}<br>联运提单 / HOUSE BILL OF LADING</h2><table><tr>{c('托运人 Shipper', p.party('shipper', s.shipper), 'colspan=2')}{c('分提单号 HBL No.', p.num('hbl_number', s.hbl), 'colspan=2')}</tr><tr>{c('收货人 Consignee', p.party('consignee', s.consignee), 'colspan=2')}{c('通知人 Notify Party', p.party('notify_party', s.fwd), 'colspan=2')}</tr>
<tr>{c('船名 Vessel', p.text('vessel', s.vessel))}{c('航次 Voyage', p.num('voyage', s.voyage))}{c('装货港 Port of Loading', p.place('port_of_lading', s.pol, 'upper'))}{c('卸货港 Port of Discharge', p.place('port_of_discharge', s.pod, 'upper'))}</tr></table><table><tr><td>箱号 Container<td>封号 Seal<td>箱型 Type<td>件数 Pkgs<td>毛重 G.W.<td>体积 Meas.</tr><tr>{rows}</tr></table>
<table><tr>{c('货名 Description of Goods', p.prose('description', goods(s, False)), 'colspan=3')}</tr><tr>{c('运费 Freight', p.code('freight_terms', 'prepaid' if s.prepaid else 'collect', '预付 PREPAID' if s.prepaid else '到付 COLLECT'))}{c('正本份数 Originals', p.qty('originals', 3))}{c('签发地点 Place of issue', p.place('issue_place', s.pol, 'upper'))}</tr><tr>{c('签发日期 Date of issue', p.date('issue_date', s.issue))}{c('装船日期 On board', p.date('on_board_date', s.etd), 'colspan=2')}</tr></table>"""


@layout("forwarder-through", HBL, "en", css=".v{border-left:4px solid #088;padding-left:6px;margin-bottom:6px}.v u{text-decoration:none;color:#088;font-size:80%}table{width:100%}th{text-align:left;border-bottom:1px solid #088}td{vertical-align:top}")
def _(p, s):
    v = lambda cap, x: f"<div class=v>{x}<br><u>{cap}</u></div>"   # the caption stands below its value
    rows = boxes(p, s, lambda q, b: f"<td>{q.num('number', b['number'])}<td>{q.num('seal', b['seal'])}<td>{q.qty('packages', b['packages'])}<td>{q.kg('gross_weight', b['kg'])}<td>{q.m3('volume', b['m3'])}")
    return f"""<h2 style='color:#088;margin:0'>{p.esc(s.fwd_origin['name'])}</h2><h3 style='margin:0 0 8px'>Through Bill of Lading &ndash; house document</h3><table><tr><td width=50%>{v('shipper / exporter', p.party('shipper', s.shipper))}{v('consignee', p.party('consignee', s.consignee))}{v('notify', p.party('notify_party', s.fwd))}</td><td>{v('house bill number', p.num('hbl_number', s.hbl))}{v('vessel and voyage', p.text('vessel', s.vessel) + ', ' + p.num('voyage', s.voyage))}{v('port of loading', p.place('port_of_lading', s.pol))}{v('port of discharge', p.place('port_of_discharge', s.pod))}{v('place of delivery', p.place('place_of_delivery', s.delivery))}</td></tr></table>
<table><tr><th>Container<th>Seal<th>Packages<th>Gross<th>Cube</tr><tr>{rows}</tr></table><p>{p.prose('description', goods(s, False))}</p><table><tr><td>{v('freight', terms(p, s, ''))}<td>{v('originals issued', p.qty('originals', 3))}<td>{v('place of issue', p.place('issue_place', s.pol))}<td>{v('date of issue', p.date('issue_date', s.issue))}</tr></table>"""


@layout("waybill-line", SWB, "en", css="table{width:100%;border-collapse:collapse}td{border-bottom:.5pt solid #999;padding:3px;vertical-align:top}.c{font-size:70%;color:#666}")
def _(p, s):
    p.silent("scac", s.scac)
    c = lambda cap, v, a="": f"<td {a}><div class=c>{cap}</div>{v}</td>"
    rows = boxes(p, s, lambda q, b: f"<td>{q.num('number', b['number'])}<td>{q.kind('size_type', b['type'])}<td>{q.num('seal', b['seal'])}<td>{q.qty('packages', b['packages'])} {s.pack.lower()}<td>{q.kg('gross_weight', b['kg'], ' kg')}<td>{q.m3('volume', b['m3'], ' m3')}")
    return f"""<table><tr><td style='font-size:140%'>{p.esc(s.line)}<td align=right><b>NON-NEGOTIABLE WAYBILL</b></tr></table><table><tr>{c('Shipper', p.party('shipper', s.shipper))}{c('SCAC', p.num('scac', s.scac))}{c('Waybill no.', p.num('bl_number', s.bl))}</tr><tr>{c('Consignee', p.party('consignee', s.consignee))}{c('Booking no.', p.num('booking_number', s.booking))}{c('Shipper reference', p.esc(s.po))}</tr><tr>{c('Notify party (see clause 22)', p.party('notify_party', s.fwd))}{c('Vessel', p.text('vessel', s.vessel))}{c('Voyage no.', p.num('voyage', s.voyage))}</tr>
<tr>{c('Port of loading', p.place('port_of_lading', s.pol))}{c('Port of discharge', p.place('port_of_discharge', s.pod))}{c('Place of delivery. Applicable only when document used as multimodal waybill', p.place('place_of_delivery', s.delivery))}</tr></table><p><b>Particulars declared by shipper, but without responsibility of or representation by carrier</b></p><p>{p.prose('description', goods(s))}</p><table><tr>{rows}</tr></table>
<table><tr>{c('Freight and charges', terms(p, s, 'Freight '))}{c('Shipped on board date', p.date('on_board_date', s.etd))}{c('Place of issue', p.place('issue_place', s.pol))}{c('Date of issue', p.date('issue_date', s.issue))}</tr></table><p class=c>This is not a document of title. Delivery will be made to the named consignee on proof of identity.</p>"""


@layout("zeevrachtbrief", SWB, "nl", origin="Netherlands", css="td{padding:2px 14px 5px 0;vertical-align:top}b{color:#c40}")
def _(p, s):
    p.silent("scac", s.scac)
    rows = boxes(p, s, lambda q, b: f"<td>{q.num('number', b['number'])}<td>{q.num('seal', b['seal'])}<td>{q.kind('size_type', b['type'])}<td>{q.qty('packages', b['packages'])}<td>{q.kg('gross_weight', b['kg'], '')}<td>{q.m3('volume', b['m3'], '')}")
    return f"""<h2><b>ZEEVRACHTBRIEF</b> (niet verhandelbaar)</h2><table><tr><td><b>Afzender</b><br>{p.party('shipper', s.shipper)}<td><b>Geadresseerde</b><br>{p.party('consignee', s.consignee)}<td><b>Kennisgevingsadres</b><br>{p.party('notify_party', s.fwd)}</tr></table><table><tr><td><b>Nummer zeevrachtbrief</b><td>{p.num('bl_number', s.bl)}<td><b>Rederij</b><td>{p.esc(s.line)}</tr><tr><td><b>Schip</b><td>{p.text('vessel', s.vessel)}<td><b>Reisnummer</b><td>{p.num('voyage', s.voyage)}</tr><tr><td><b>Laadhaven</b><td>{p.place('port_of_lading', s.pol)}<td><b>Loshaven</b><td>{p.place('port_of_discharge', s.pod)}</tr></table>
<table><tr><td><b>Container</b><td><b>Zegel</b><td><b>Type</b><td><b>Colli</b><td><b>Bruto kg</b><td><b>m³</b></tr><tr>{rows}</tr></table><p><b>Omschrijving van de goederen</b><br>{p.prose('description', goods(s, False))}</p><p><b>Vracht:</b> {p.code('freight_terms', 'prepaid' if s.prepaid else 'collect', 'vooruitbetaald' if s.prepaid else 'te betalen op bestemming')}<br><b>Aan boord:</b> {p.date('on_board_date', s.etd)}<br><b>Afgegeven te:</b> {p.place('issue_place', s.pol)} <b>op</b> {p.date('issue_date', s.issue)}</p>"""


@layout("seawaybill-spaced", SWB, "en", css="h1{letter-spacing:.55em;font-size:12pt}.c{letter-spacing:.18em;font-size:70%;text-transform:uppercase;color:#555}td{vertical-align:top;padding:3px 10px 6px 0}.w{letter-spacing:.12em}")
def _(p, s):
    p.silent("scac", s.scac)
    c = lambda cap, v: f"<td><div class=c>{cap}</div><span class=w>{v}</span></td>"
    rows = boxes(p, s, lambda q, b: f"{c('unit', q.num('number', b['number']))}{c('seal', q.num('seal', b['seal']))}{c('packages', q.qty('packages', b['packages']))}{c('gross weight', q.kg('gross_weight', b['kg']))}")
    return f"""<h1>SEA WAYBILL</h1><table><tr>{c('Waybill number', p.num('bl_number', s.bl))}{c('Carrier', p.esc(s.line))}{c('Booking', p.num('booking_number', s.booking))}</tr><tr>{c('Shipper', p.party('shipper', s.shipper))}{c('Consignee', p.party('consignee', s.consignee))}{c('Notify', p.party('notify_party', s.fwd))}</tr><tr>{c('Ship', p.text('vessel', s.vessel))}{c('Voyage', p.num('voyage', s.voyage))}{c('IMO no.', p.num('vessel_imo', s.imo))}</tr><tr>{c('Load port', p.place('port_of_lading', s.pol))}{c('Discharge port', p.place('port_of_discharge', s.pod))}{c('Freight', terms(p, s, ''))}</tr></table><hr><table><tr>{rows}</tr></table><hr>{p.prose('description', goods(s))}<hr><table><tr>{c('Place of issue', p.place('issue_place', s.pol))}{c('Date of issue', p.date('issue_date', s.issue))}{c('Laden on board', p.date('on_board_date', s.etd))}</tr></table>"""


@layout("lettre-de-voiture", SWB, "fr", origin="France", css="table{border-collapse:collapse;width:100%}td{border:1px solid #777;padding:3px;vertical-align:top}th{font-size:75%;text-align:left;background:#eee;border:1px solid #777}")
def _(p, s):
    p.silent("scac", s.scac)
    rows = boxes(p, s, lambda q, b: f"<td>{q.num('number', b['number'])}<td>{q.num('seal', b['seal'])}<td>{q.kind('size_type', b['type'])}<td>{q.qty('packages', b['packages'])}<td>{q.kg('gross_weight', b['kg'], ' kg')}<td>{q.m3('volume', b['m3'], ' m³')}")
    return f"""<h2>LETTRE DE TRANSPORT MARITIME <small>(Sea Waybill) non négociable</small></h2><table><tr><th>Chargeur<th>N° de LTM<th>Transporteur</tr><tr><td>{p.party('shipper', s.shipper)}<td>{p.num('bl_number', s.bl)}<td>{p.esc(s.line)}</tr><tr><th>Destinataire<th>À notifier<th>Navire / voyage</tr><tr><td>{p.party('consignee', s.consignee)}<td>{p.party('notify_party', s.fwd)}<td>{p.text('vessel', s.vessel)} / {p.num('voyage', s.voyage)}</tr><tr><th>Port de chargement<th>Port de déchargement<th>Fret</tr><tr><td>{p.place('port_of_lading', s.pol)}<td>{p.place('port_of_discharge', s.pod)}<td>{p.code('freight_terms', 'prepaid' if s.prepaid else 'collect', 'payé au départ' if s.prepaid else 'payable à destination')}</tr></table><br>
<table><tr><th>Conteneur<th>Plomb<th>Type<th>Colis<th>Poids brut<th>Volume</tr><tr>{rows}</tr></table><p>Nature de la marchandise : {p.prose('description', goods(s, False))}</p><p>Mis à bord le {p.date('on_board_date', s.etd)}</p><p style='text-align:right'>Fait à {p.place('issue_place', s.pol)}, le {p.date('issue_date', s.issue)}</p>"""
