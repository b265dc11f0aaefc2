"""Papers with long tables. Authors of rules do not open this package."""
from registry import layout
from transport import BL, HBL, SWB, goods, boxes, terms

HEAD = "table{width:100%;border-collapse:collapse}thead{display:table-header-group}tr{page-break-inside:avoid}"


def top(p, s, title, number):
    p.silent("scac", s.scac)
    return f"""<h2>{title}</h2><p>{p.esc(s.line)}</p><table><tr><td width=50%><small>Shipper</small><br>{p.party('shipper', s.shipper)}<td><small>{number}</small><br>{p.num('bl_number', s.bl)}<br><small>Booking no.</small><br>{p.num('booking_number', s.booking)}</tr><tr><td><small>Consignee</small><br>{p.party('consignee', s.consignee)}<td><small>Notify party</small><br>{p.party('notify_party', s.fwd)}</tr><tr><td><small>Vessel</small> {p.text('vessel', s.vessel)} <small>Voyage</small> {p.num('voyage', s.voyage)}<td><small>Port of loading</small> {p.place('port_of_lading', s.pol)} <small>Port of discharge</small> {p.place('port_of_discharge', s.pod)}</tr></table>"""


def end(p, s):
    return f"<p>{terms(p, s)}<br><small>Place of issue</small> {p.place('issue_place', s.pol)} <small>Date of issue</small> {p.date('issue_date', s.issue)} <small>On board date</small> {p.date('on_board_date', s.etd)}</p>"


def rows(p, s, names, form):
    out = []
    for i, b in enumerate(s.boxes):
        q = p.row("containers")
        v = {"number": lambda: q.num("number", b["number"]), "seal": lambda: q.num("seal", b["seal"]), "size_type": lambda: q.kind("size_type", b["type"]), "packages": lambda: q.qty("packages", b["packages"]), "gross_weight": lambda: q.kg("gross_weight", b["kg"], ""), "volume": lambda: q.m3("volume", b["m3"], "")}
        out.append(form(i, b, {n: v[n]() for n in names}))
    return "".join(out)


ALL = ["number", "seal", "size_type", "packages", "gross_weight", "volume"]


@layout("f-middle", BL, "en", boxes=40, css=HEAD + ".t td,.t th{border:1px solid #000;padding:3px;vertical-align:middle}.d{width:32%}", kind="long", engines=["chromium"])
def _(p, s):
    body = rows(p, s, ALL, lambda i, b, v: f"<tr><td>{v['number']}<td>{v['seal']}<td>{v['size_type']}<td class=d>{p.esc(s.goods[i % len(s.goods)][0])}, packed in export cartons on wooden pallets, shrink wrapped, lot {s.po}/{i + 1}<td>{v['packages']}<td align=right>{v['gross_weight']}<td align=right>{v['volume']}</tr>")
    return top(p, s, "BILL OF LADING", "B/L No.") + f"<table class=t><thead><tr><th>Container<th>Seal<th>Type<th>Contents<th>Pkgs<th>Gross kg<th>CBM</tr></thead>{body}</table>" + end(p, s)


@layout("f-open", SWB, "en", boxes=42, css=HEAD + ".t td,.t th{padding:6px;text-align:left}.t th{border-bottom:2px solid}", kind="long")
def _(p, s):
    body = rows(p, s, ALL, lambda i, b, v: f"<tr><td>{i + 1}<td>{v['number']}<td>{v['size_type']}<td>{v['packages']}<td align=right>{v['gross_weight']}<td align=right>{v['volume']}<td>{v['seal']}</tr>")
    return top(p, s, "SEA WAYBILL", "Waybill No.") + f"<table class=t><thead><tr><th>#<th>Unit no.<th>Type<th>Packages<th>Weight KG<th>Volume M3<th>Seal no.</tr></thead>{body}</table>" + end(p, s)


@layout("f-stacked", BL, "en", boxes=40, css=HEAD + ".t td{border-top:1px solid #aaa;padding:3px;vertical-align:middle}", kind="long", engines=["chromium"])
def _(p, s):
    body = rows(p, s, ALL, lambda i, b, v: f"<tr><td>{v['number']}<br>{v['seal']}<br>{v['size_type']}<td align=center>{v['packages']}<td align=right>{v['gross_weight']}<td align=right>{v['volume']}</tr>")
    return top(p, s, "BILL OF LADING", "Bill of lading number") + f"<table class=t><thead><tr><th>Container number<br>Seal number<br>Type<th>Packages<th>Gross weight (KGS)<th>Measurement (CBM)</tr></thead>{body}</table>" + end(p, s)


@layout("f-landscape", HBL, "en", boxes=45, css="@page{size:A4 landscape;margin:10mm}" + HEAD + ".t tr:nth-child(even){background:#eef}.t td{padding:3px}", kind="long", engines=["chromium"])
def _(p, s):
    body = rows(p, s, ALL, lambda i, b, v: f"<tr><td>{v['number']}<td>{v['size_type']}<td>{v['seal']}<td align=right>{v['packages']}<td align=right>{v['gross_weight']}<td align=right>{v['volume']}</tr>")
    return f"""<h2>HOUSE BILL OF LADING {p.num('hbl_number', s.hbl)}</h2><p>{p.esc(s.fwd_origin['name'])}</p><table><tr><td>Shipper<br>{p.party('shipper', s.shipper)}<td>Consignee<br>{p.party('consignee', s.consignee)}<td>Vessel<br>{p.text('vessel', s.vessel)}<td>Voyage<br>{p.num('voyage', s.voyage)}<td>Port of loading<br>{p.place('port_of_lading', s.pol)}<td>Port of discharge<br>{p.place('port_of_discharge', s.pod)}</tr></table><table class=t><thead><tr><th>Container<th>Type<th>Seal<th>Packages<th>Gross weight kg<th>Volume cbm</tr></thead>{body}</table><p>Issued at {p.place('issue_place', s.pol)} on {p.date('issue_date', s.issue)}</p>"""


@layout("f-notice", "arrival_notice", "en", boxes=40, css=HEAD + ".t td,.t th{border:1px solid #888;padding:4px;vertical-align:middle;font-size:92%}", kind="long", engines=["chromium"])
def _(p, s):
    p.silent("scac", s.scac)
    body = rows(p, s, ["number", "seal", "size_type", "packages", "gross_weight"], lambda i, b, v: f"<tr><td>{v['number']}<td>{v['size_type']}<td>{v['seal']}<td>{v['packages']}<td align=right>{v['gross_weight']}<td width=34%>{'Yard block ' + str(i % 9 + 1) + ', customs hold to be lifted before pick-up; genset not required; appointment needed' if i % 3 == 1 else 'Yard block ' + str(i % 9 + 1)}</tr>")
    return f"""<h2>Arrival Notice</h2><table><tr><td>Bill of lading<br>{p.num('bl_number', s.bl)}<td>Carrier<br>{p.esc(s.line)}<td>Vessel<br>{p.text('vessel', s.vessel)}<td>Voyage<br>{p.num('voyage', s.voyage)}</tr><tr><td>Consignee<br>{p.party('consignee', s.consignee)}<td>Port of loading<br>{p.place('port_of_lading', s.pol)}<td>Port of discharge<br>{p.place('port_of_discharge', s.pod)}<td>ETA<br>{p.date('eta', s.eta)}</tr><tr><td>Date<br>{p.date('issue_date', s.notice)}<td>Last free day<br>{p.date('last_free_day', s.lfd)}<td colspan=2>Terminal<br>{p.text('terminal', s.terminal)}</tr></table><br><table class=t><thead><tr><th>Container<th>Type<th>Seal<th>Packages<th>Weight kg<th>Remarks</tr></thead>{body}</table>"""


@layout("f-uneven", BL, "de", boxes=40, css=HEAD + ".t td,.t th{border-bottom:1px solid #666;padding:5px 3px;vertical-align:top}.t td.m{vertical-align:middle}.t td.u{vertical-align:bottom}", kind="long", engines=["chromium"])
def _(p, s):
    p.silent("scac", s.scac)
    body = rows(p, s, ALL, lambda i, b, v: f"<tr><td class=m>{v['number']}<td width=30%>{p.esc(s.goods[i % len(s.goods)][0])}<br>auf Paletten, foliert<br>Los {i + 1:03}<td class=m>{v['seal']}<td class=m>{v['size_type']}<td class=u>{v['packages']}<td class=m align=right>{v['gross_weight']}<td class=m align=right>{v['volume']}</tr>")
    return f"""<h2>Konnossement</h2><p>{p.esc(s.line)}</p><table><tr><td>Ablader<br>{p.party('shipper', s.shipper)}<td>Empfänger<br>{p.party('consignee', s.consignee)}<td>B/L-Nummer<br>{p.num('bl_number', s.bl)}</tr><tr><td>Schiff / Reise<br>{p.text('vessel', s.vessel)} / {p.num('voyage', s.voyage)}<td>Ladehafen<br>{p.place('port_of_lading', s.pol)}<td>Löschhafen<br>{p.place('port_of_discharge', s.pod)}</tr></table><table class=t><thead><tr><th>Container<th>Ware<th>Siegel<th>Typ<th>Kolli<th>Bruttogewicht kg<th>Volumen m³</tr></thead>{body}</table><p>{p.place('issue_place', s.pol)}, den {p.date('issue_date', s.issue)}; an Bord {p.date('on_board_date', s.etd)}</p>"""
