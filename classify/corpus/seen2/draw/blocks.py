"""Papers as blocks, for LaTeX, spreadsheets, text documents and mails. Authors of rules do not
open this package.

A block is ("title", text), ("line", text), ("facts", [(caption, value)]) or
("table", head, rows, {column: kind of total})."""
import registry
from transport import goods

BLOCKS = {}


def block(name, typ, lang, **options):
    def add(draw):
        BLOCKS[name] = {"name": name, "type": typ, "lang": lang, "draw": draw, "dates": None, "numbers": None, "origin": None, "destination": None, "boxes": None, "size": None, **options}
        return draw
    return add


def box_rows(p, s, names):
    out = []
    for b in s.boxes:
        q = p.row("containers")
        v = {"number": lambda: q.num("number", b["number"]), "seal": lambda: q.num("seal", b["seal"]), "size_type": lambda: q.kind("size_type", b["type"]), "packages": lambda: q.qty("packages", b["packages"]),
             "gross_weight": lambda: q.kg("gross_weight", b["kg"], ""), "volume": lambda: q.m3("volume", b["m3"], "")}
        out.append([v[n]() for n in names])
    return out


ALL = ["number", "seal", "size_type", "packages", "gross_weight", "volume"]


@block("b-bl", "bill_of_lading", "en")
def _(p, s):
    p.silent("scac", s.scac)
    return [("title", "BILL OF LADING"), ("line", s.line), ("facts", [("Shipper", p.party("shipper", s.shipper)), ("B/L number", p.num("bl_number", s.bl)), ("Consignee", p.party("consignee", s.consignee)), ("Booking number", p.num("booking_number", s.booking)),
            ("Notify party", p.party("notify_party", s.fwd)), ("Vessel", p.text("vessel", s.vessel)), ("Voyage", p.num("voyage", s.voyage)), ("Port of loading", p.place("port_of_lading", s.pol)), ("Port of discharge", p.place("port_of_discharge", s.pod)), ("Final destination", p.place("place_of_delivery", s.delivery))]),
            ("table", ["Container", "Seal", "Size", "Packages", "Gross weight KGS", "Measurement CBM"], box_rows(p, s, ALL), {}), ("facts", [("Description of goods", p.prose("description", goods(s))), ("Freight", p.code("freight_terms", "prepaid" if s.prepaid else "collect", "PREPAID" if s.prepaid else "COLLECT")), ("Original bills", p.qty("originals", 3)),
            ("Issued at", p.place("issue_place", s.pol)), ("Issued on", p.date("issue_date", s.issue)), ("On board date", p.date("on_board_date", s.etd))])]


@block("b-connaissement", "bill_of_lading", "fr", origin="France")
def _(p, s):
    p.silent("scac", s.scac)
    return [("title", "CONNAISSEMENT"), ("line", s.line), ("facts", [("Chargeur", p.party("shipper", s.shipper)), ("Connaissement n°", p.num("bl_number", s.bl)), ("Destinataire", p.party("consignee", s.consignee)), ("Réservation n°", p.num("booking_number", s.booking)), ("Notifier", p.party("notify_party", s.fwd)), ("Navire", p.text("vessel", s.vessel)), ("Voyage n°", p.num("voyage", s.voyage)),
            ("Port d'embarquement", p.place("port_of_lading", s.pol)), ("Port de débarquement", p.place("port_of_discharge", s.pod))]), ("table", ["Conteneur", "Scellé", "Type", "Colis", "Poids brut kg", "Volume m3"], box_rows(p, s, ALL), {}),
            ("facts", [("Désignation des marchandises", p.prose("description", goods(s, False))), ("Fret", p.code("freight_terms", "prepaid" if s.prepaid else "collect", "payé d'avance" if s.prepaid else "payable à l'arrivée")), ("Nombre d'originaux", p.qty("originals", 3)), ("Embarqué le", p.date("on_board_date", s.etd))]), ("line", f"Fait à {p.place('issue_place', s.pol)}, le {p.date('issue_date', s.issue)}")]


@block("b-polizza", "house_bill_of_lading", "it", origin="Italy")
def _(p, s):
    return [("title", "POLIZZA DI CARICO HOUSE"), ("line", s.fwd_origin["name"]), ("facts", [("Polizza house n.", p.num("hbl_number", s.hbl)), ("Caricatore", p.party("shipper", s.shipper)), ("Ricevitore", p.party("consignee", s.consignee)), ("Notifica", p.party("notify_party", s.fwd)), ("Nave", p.text("vessel", s.vessel)), ("Viaggio", p.num("voyage", s.voyage)), ("Porto di carico", p.place("port_of_lading", s.pol)), ("Porto di scarico", p.place("port_of_discharge", s.pod))]),
            ("table", ["Container", "Sigillo", "Tipo", "Colli", "Peso lordo kg", "Volume m3"], box_rows(p, s, ALL), {}), ("facts", [("Descrizione della merce", p.prose("description", goods(s, False))), ("Nolo", p.code("freight_terms", "prepaid" if s.prepaid else "collect", "prepagato" if s.prepaid else "a destino")), ("Originali", p.qty("originals", 3))]), ("line", f"{p.place('issue_place', s.pol)}, {p.date('issue_date', s.issue)}")]


@block("b-hbl", "house_bill_of_lading", "en")
def _(p, s):
    return [("line", s.fwd_origin["name"]), ("title", "HOUSE BILL OF LADING"), ("facts", [("HBL number", p.num("hbl_number", s.hbl)), ("Master bill", p.num("bl_number", s.bl)), ("Exporter", p.party("shipper", s.shipper)), ("Importer / consignee", p.party("consignee", s.consignee)), ("Notify", p.party("notify_party", s.fwd)), ("Ocean vessel", p.text("vessel", s.vessel)), ("Voy.", p.num("voyage", s.voyage)), ("Loading port", p.place("port_of_lading", s.pol)), ("Discharging port", p.place("port_of_discharge", s.pod)), ("Delivery at", p.place("place_of_delivery", s.delivery))]),
            ("table", ["Cntr no.", "Type", "Seal no.", "Ctns/pkgs", "Kgs", "Cbm"], box_rows(p, s, ["number", "size_type", "seal", "packages", "gross_weight", "volume"]), {}), ("facts", [("Goods", p.prose("description", goods(s, False))), ("Freight terms", p.code("freight_terms", "prepaid" if s.prepaid else "collect")), ("Place of issue", p.place("issue_place", s.pol)), ("Issue date", p.date("issue_date", s.issue))])]


@block("b-seefrachtbrief", "sea_waybill", "de", origin="Germany")
def _(p, s):
    p.silent("scac", s.scac)
    return [("title", "Seefrachtbrief (nicht begebbar)"), ("facts", [("Frachtführer", s.line), ("Frachtbrief-Nr.", p.num("bl_number", s.bl)), ("Buchungsnummer", p.num("booking_number", s.booking)), ("Befrachter", p.party("shipper", s.shipper)), ("Empfänger", p.party("consignee", s.consignee)), ("Zu benachrichtigen", p.party("notify_party", s.fwd)), ("Schiff", p.text("vessel", s.vessel)), ("Reise", p.num("voyage", s.voyage)), ("Verladehafen", p.place("port_of_lading", s.pol)), ("Entladehafen", p.place("port_of_discharge", s.pod))]),
            ("table", ["Container", "Siegel", "Typ", "Packstücke", "Bruttogewicht kg", "Volumen m3"], box_rows(p, s, ALL), {}), ("line", "Ware: " + p.prose("description", goods(s, False))), ("line", f"An Bord: {p.date('on_board_date', s.etd)}"), ("line", f"{p.place('issue_place', s.pol)}, den {p.date('issue_date', s.issue)}")]


@block("b-aankomst", "arrival_notice", "nl", destination="Netherlands")
def _(p, s):
    p.silent("scac", s.scac)
    return [("title", "Aankomstbericht"), ("facts", [("Kenmerk", p.num("notice_number", "AB" + s.pickup[-4:])), ("Datum", p.date("issue_date", s.notice)), ("Ontvanger", p.party("consignee", s.consignee)), ("B/L-nummer", p.num("bl_number", s.bl)), ("House B/L", p.num("hbl_number", s.hbl)), ("Rederij", s.line), ("Schip", p.text("vessel", s.vessel)), ("Reis", p.num("voyage", s.voyage)), ("Laadhaven", p.place("port_of_lading", s.pol)), ("Loshaven", p.place("port_of_discharge", s.pod)), ("Verwachte aankomst", p.date("eta", s.eta)), ("Terminal", p.text("terminal", s.terminal)), ("Vrije periode tot", p.date("last_free_day", s.lfd))]),
            ("table", ["Container", "Type", "Zegel", "Colli", "Gewicht kg"], box_rows(p, s, ["number", "size_type", "seal", "packages", "gross_weight"]), {})]


@block("b-an", "arrival_notice", "en")
def _(p, s):
    p.currency = "USD"
    p.silent("scac", s.scac)
    rows = []
    for n in p.r.sample(["Handling", "Terminal charge", "Delivery order fee", "Agency fee"], 3):
        q = p.row("charges")
        rows.append([q.text("description", n), q.money("amount", round(p.r.uniform(30, 400), 2))])
    return [("title", "ARRIVAL NOTICE"), ("facts", [("Notice no.", p.num("notice_number", "N" + s.pickup[-5:])), ("Date", p.date("issue_date", s.notice)), ("Consignee", p.party("consignee", s.consignee)), ("Notify party", p.party("notify_party", s.fwd)), ("Master B/L", p.num("bl_number", s.bl)), ("House B/L", p.num("hbl_number", s.hbl)), ("Carrier", s.line), ("Vessel", p.text("vessel", s.vessel)), ("Voyage", p.num("voyage", s.voyage)), ("POL", p.place("port_of_lading", s.pol)), ("POD", p.place("port_of_discharge", s.pod)), ("ETA", p.date("eta", s.eta)), ("Terminal", p.text("terminal", s.terminal)), ("Last free day", p.date("last_free_day", s.lfd))]),
            ("table", ["Container", "Type", "Seal", "Pkgs", "Weight KG"], box_rows(p, s, ["number", "size_type", "seal", "packages", "gross_weight"]), {}), ("table", ["Charge", "USD"], rows, {1: "sum"})]


@block("b-bon", "delivery_order", "fr", destination="France")
def _(p, s):
    return [("title", "BON À DÉLIVRER"), ("facts", [("N° du bon", p.num("do_number", "BAD" + s.pickup[-5:])), ("Date", p.date("issue_date", s.notice)), ("Transporteur", p.party("trucker", s.trucker)), ("Navire", p.text("vessel", s.vessel)), ("Voyage", p.num("voyage", s.voyage)), ("Connaissement", p.num("bl_number", s.bl)), ("Lieu d'enlèvement", p.text("terminal", s.terminal)), ("Code d'enlèvement", p.num("pickup_number", s.pickup)), ("Livrer à", p.party("deliver_to", s.consignee)), ("Restitution du vide", p.text("empty_return", s.depot)), ("Franchise jusqu'au", p.date("last_free_day", s.lfd))]),
            ("table", ["Conteneur", "Type", "Plomb", "Colis", "Poids brut kg"], box_rows(p, s, ["number", "size_type", "seal", "packages", "gross_weight"]), {})]


@block("b-orden", "delivery_order", "es", destination="Mexico")
def _(p, s):
    return [("title", "ORDEN DE ENTREGA"), ("facts", [("Orden núm.", p.num("do_number", "OE-" + s.pickup[-4:])), ("Fecha", p.date("issue_date", s.notice)), ("Transportista", p.party("trucker", s.trucker)), ("Recoger en", p.text("terminal", s.terminal)), ("Número de retiro", p.num("pickup_number", s.pickup)), ("Entregar en", p.party("deliver_to", s.consignee)), ("Devolver vacío en", p.text("empty_return", s.depot)), ("B/L", p.num("bl_number", s.bl)), ("Buque", p.text("vessel", s.vessel)), ("Viaje", p.num("voyage", s.voyage)), ("Último día libre", p.date("last_free_day", s.lfd))]),
            ("table", ["Contenedor", "Tipo", "Sello", "Bultos", "Peso bruto kg"], box_rows(p, s, ["number", "size_type", "seal", "packages", "gross_weight"]), {})]


@block("b-do", "delivery_order", "en", destination="Australia")
def _(p, s):
    return [("line", s.fwd["name"]), ("title", "DELIVERY ORDER"), ("facts", [("Order no.", p.num("do_number", "DO" + s.pickup[-5:])), ("Order date", p.date("issue_date", s.notice)), ("Cartage contractor", p.party("trucker", s.trucker)), ("Collect from", p.text("terminal", s.terminal)), ("Release PIN", p.num("pickup_number", s.pickup)), ("Deliver to", p.party("deliver_to", s.consignee)), ("Dehire empty at", p.text("empty_return", s.depot)), ("Ocean bill", p.num("bl_number", s.bl)), ("House bill", p.num("hbl_number", s.hbl)), ("Ship", p.text("vessel", s.vessel)), ("Voyage", p.num("voyage", s.voyage)), ("Storage starts after", p.date("last_free_day", s.lfd))]),
            ("table", ["Container", "Type", "Seal", "Packages", "Gross kg"], box_rows(p, s, ["number", "size_type", "seal", "packages", "gross_weight"]), {})]


def booking(p, s, c):
    p.silent("scac", s.scac)
    q = p.row("equipment")
    v = [("booking_number", lambda: p.num("booking_number", s.booking)), ("issue_date", lambda: p.date("issue_date", s.days(s.etd, -9))), ("line", lambda: s.line), ("vessel", lambda: p.text("vessel", s.vessel)), ("voyage", lambda: p.num("voyage", s.voyage)), ("port_of_lading", lambda: p.place("port_of_lading", s.pol)), ("port_of_discharge", lambda: p.place("port_of_discharge", s.pod)),
         ("etd", lambda: p.date("etd", s.etd)), ("eta", lambda: p.date("eta", s.eta)), ("quantity", lambda: q.qty("quantity", len(s.boxes))), ("size_type", lambda: q.kind("size_type", s.boxes[0]["type"])), ("empty_pickup", lambda: p.text("empty_pickup", s.depot)), ("si_cutoff", lambda: p.date("si_cutoff", s.days(s.etd, -4), time="12:00")), ("vgm_cutoff", lambda: p.date("vgm_cutoff", s.days(s.etd, -3), time="16:00")), ("cy_cutoff", lambda: p.date("cy_cutoff", s.days(s.etd, -2), time="18:00"))]
    return [(c[n], f()) for n, f in v]


@block("b-buchung", "booking_confirmation", "de", origin="Germany")
def _(p, s):
    c = dict(booking_number="Buchungsnummer", issue_date="Datum", line="Reederei", vessel="Schiff", voyage="Reisenummer", port_of_lading="Ladehafen", port_of_discharge="Löschhafen", etd="Abfahrt (ETD)", eta="Ankunft (ETA)", quantity="Anzahl Container", size_type="Containertyp", empty_pickup="Leercontainer-Depot", si_cutoff="Dokumentenschluss", vgm_cutoff="VGM-Schluss", cy_cutoff="Ladeschluss")
    return [("title", "Buchungsbestätigung"), ("line", "Wir bestätigen Ihre Buchung wie folgt:"), ("facts", booking(p, s, c))]


@block("b-reservation", "booking_confirmation", "fr", origin="France")
def _(p, s):
    c = dict(booking_number="N° de réservation", issue_date="Date de confirmation", line="Armateur", vessel="Navire", voyage="N° de voyage", port_of_lading="Port de chargement", port_of_discharge="Port de déchargement", etd="Départ estimé", eta="Arrivée estimée", quantity="Nombre de conteneurs", size_type="Type", empty_pickup="Dépôt de retrait du vide", si_cutoff="Clôture documentaire", vgm_cutoff="Clôture VGM", cy_cutoff="Clôture marchandises")
    return [("title", "CONFIRMATION DE RÉSERVATION"), ("facts", booking(p, s, c))]


@block("b-bc", "booking_confirmation", "en")
def _(p, s):
    c = dict(booking_number="Booking number", issue_date="Confirmed on", line="Carrier", vessel="Vessel", voyage="Voyage", port_of_lading="Port of loading", port_of_discharge="Port of discharge", etd="ETD", eta="ETA", quantity="Number of containers", size_type="Container type", empty_pickup="Empty release depot", si_cutoff="SI cut-off", vgm_cutoff="VGM cut-off", cy_cutoff="CY cut-off")
    return [("title", "BOOKING CONFIRMATION"), ("line", "Thank you for your booking. Please check the details below."), ("facts", booking(p, s, c))]


@block("b-reserva", "booking_confirmation", "pt", origin="Brazil")
def _(p, s):
    c = dict(booking_number="Número da reserva", issue_date="Data", line="Armador", vessel="Navio", voyage="Viagem", port_of_lading="Porto de embarque", port_of_discharge="Porto de destino", etd="Saída prevista", eta="Chegada prevista", quantity="Quantidade de contêineres", size_type="Tipo de contêiner", empty_pickup="Terminal de retirada do vazio", si_cutoff="Deadline de draft", vgm_cutoff="Deadline VGM", cy_cutoff="Deadline de carga")
    return [("title", "CONFIRMAÇÃO DE RESERVA"), ("facts", booking(p, s, c))]


def trade_lines(p, s, names, unit=None):
    out = []
    for x in s.lines:
        q = p.row("lines")
        v = {"description": lambda: q.text("description", x["name"]), "hs_code": lambda: q.num("hs_code", x["hs"]), "quantity": lambda: q.qty("quantity", x["qty"]), "unit": lambda: q.text("unit", unit or x["unit"]), "unit_price": lambda: q.money("unit_price", x["price"]), "amount": lambda: q.money("amount", x["amount"]),
             "packages": lambda: q.qty("packages", x["ctn"]), "net_weight": lambda: q.kg("net_weight", x["net"], ""), "gross_weight": lambda: q.kg("gross_weight", x["gross"], ""), "volume": lambda: q.m3("volume", x["m3"], "")}
        out.append([v[n]() for n in names])
    return out


@block("b-ci", "commercial_invoice", "en")
def _(p, s):
    p.currency = s.currency
    p.silent("currency", s.currency)
    return [("title", "COMMERCIAL INVOICE"), ("facts", [("Seller", p.party("seller", s.shipper)), ("Buyer", p.party("buyer", s.consignee)), ("Invoice No.", p.num("invoice_number", s.inv)), ("Invoice Date", p.date("issue_date", s.invoiced)), ("PO No.", p.num("po_number", s.po)), ("Incoterms", p.code("incoterm", s.term)), ("Payment Terms", p.text("payment_terms", "T/T 30 days after B/L date"))]),
            ("table", ["Description", "HS Code", "Quantity", "Unit", f"Unit Price ({s.currency})", f"Amount ({s.currency})"], trade_lines(p, s, ["description", "hs_code", "quantity", "unit", "unit_price", "amount"]), {5: "sum"}), ("total", "Total", p.money("total", s.total))]


@block("b-handelsfactuur", "commercial_invoice", "nl", origin="Netherlands")
def _(p, s):
    p.currency = "EUR"
    p.silent("currency", "EUR")
    return [("title", "Handelsfactuur"), ("facts", [("Verkoper", p.party("seller", s.shipper)), ("Koper", p.party("buyer", s.consignee)), ("Factuurnummer", p.num("invoice_number", s.inv)), ("Factuurdatum", p.date("issue_date", s.invoiced)), ("Uw order", p.num("po_number", s.po)), ("Leveringsvoorwaarde", p.code("incoterm", s.term)), ("Betalingsconditie", p.text("payment_terms", "30 dagen netto"))]),
            ("table", ["Omschrijving", "Goederencode", "Aantal", "Eenheid", "Prijs EUR", "Bedrag EUR"], trade_lines(p, s, ["description", "hs_code", "quantity", "unit", "unit_price", "amount"], "stuks"), {5: "sum"}), ("total", "Totaal EUR", p.money("total", s.total))]


@block("b-ci-zh", "commercial_invoice", "zh", origin="China")
def _(p, s):
    p.currency = "USD"
    p.silent("currency", "USD")
    return [("title", "商业发票"), ("facts", [("卖方", p.party("seller", s.shipper)), ("买方", p.party("buyer", s.consignee)), ("发票号码", p.num("invoice_number", s.inv)), ("日期", p.date("issue_date", s.invoiced)), ("订单号", p.num("po_number", s.po)), ("贸易术语", p.code("incoterm", s.term))]),
            ("table", ["品名", "数量", "单位", "单价 (USD)", "金额 (USD)"], trade_lines(p, s, ["description", "quantity", "unit", "unit_price", "amount"]), {4: "sum"}), ("total", "合计", p.money("total", s.total))]


def sums(p, s):
    t = lambda k: round(sum(x[k] for x in s.lines), 2)
    return [p.qty("packages", t("ctn")), p.kg("net_weight", t("net"), ""), p.kg("gross_weight", t("gross"), ""), p.m3("volume", t("m3"), "")]


@block("b-pl", "packing_list", "en")
def _(p, s):
    rows = trade_lines(p, s, ["description", "quantity", "packages", "net_weight", "gross_weight", "volume"])
    t = sums(p, s)
    boxes = [[(lambda q: q.num("number", b["number"]))(p.row("containers"))] for b in s.boxes]
    return [("title", "PACKING LIST"), ("facts", [("Exporter", s.shipper["name"]), ("Consignee", s.consignee["name"]), ("Packing List No.", p.num("packing_list_number", "PL" + s.inv[-4:])), ("Invoice No.", p.num("invoice_number", s.inv)), ("Date", p.date("issue_date", s.invoiced)), ("PO No.", p.num("po_number", s.po))]),
            ("table", ["Description of goods", "Qty", "Cartons", "Net weight (kg)", "Gross weight (kg)", "Volume (m3)"], rows, {2: "sum", 3: "sum", 4: "sum", 5: "sum"}), ("totals", "TOTAL", t, ["Cartons", "Net weight (kg)", "Gross weight (kg)", "Volume (m3)"]), ("table", ["Container No."], boxes, {})]


@block("b-lista", "packing_list", "es", origin="Spain")
def _(p, s):
    rows = trade_lines(p, s, ["packages", "description", "quantity", "net_weight", "gross_weight"])
    t = sums(p, s)
    return [("title", "LISTA DE EMBALAJE"), ("facts", [("Expedidor", s.shipper["name"]), ("Cliente", s.consignee["name"]), ("Factura nº", p.num("invoice_number", s.inv)), ("Fecha", p.date("issue_date", s.invoiced)), ("Pedido", p.num("po_number", s.po))]), ("table", ["Bultos", "Artículo", "Cantidad", "Peso neto kg", "Peso bruto kg"], rows, {}), ("facts", [("Total bultos", t[0]), ("Total peso neto", t[1] + " kg"), ("Total peso bruto", t[2] + " kg"), ("Volumen total", t[3] + " m3")])]


@block("b-colli", "packing_list", "it", origin="Italy")
def _(p, s):
    rows = trade_lines(p, s, ["description", "packages", "quantity", "net_weight", "gross_weight", "volume"])
    t = sums(p, s)
    return [("title", "DISTINTA COLLI"), ("facts", [("Mittente", s.shipper["name"]), ("Destinatario", s.consignee["name"]), ("Distinta n.", p.num("packing_list_number", "D" + s.inv[-4:])), ("Fattura n.", p.num("invoice_number", s.inv)), ("Data", p.date("issue_date", s.invoiced))]), ("table", ["Articolo", "Colli", "Quantità", "Peso netto kg", "Peso lordo kg", "Volume m3"], rows, {1: "sum", 3: "sum", 4: "sum", 5: "sum"}), ("facts", [("Totale colli", t[0]), ("Peso netto totale", t[1] + " kg"), ("Peso lordo totale", t[2] + " kg"), ("Volume totale", t[3] + " m3")])]


@block("b-douane", "customs_entry", "fr", destination="France")
def _(p, s):
    return [("title", "DÉCLARATION D'IMPORTATION EN DOUANE"), ("facts", [("N° de déclaration (MRN)", p.num("entry_number", "26FR00" + s.booking[-6:] + "D1")), ("Date de la déclaration", p.date("entry_date", s.days(s.eta, 2))), ("Importateur", p.party("importer", s.consignee)), ("Expéditeur", s.shipper["name"]), ("Bureau de douane", "FR002300 Le Havre"), ("Titre de transport", p.num("bl_number", s.bl)), ("Date d'importation", p.date("import_date", s.eta)), ("Régime", "4000")]),
            ("table", ["Art.", "Nomenclature", "Désignation", "Valeur EUR"], [[str(i + 1), x["hs"].replace(".", "") + "00", x["name"], p.figure(x["amount"], 2)] for i, x in enumerate(s.lines)], {})]


@block("b-form-a", "certificate_of_origin", "en", origin="Vietnam")
def _(p, s):
    return [("title", "GENERALISED SYSTEM OF PREFERENCES"), ("line", "CERTIFICATE OF ORIGIN (combined declaration and certificate) FORM A"), ("facts", [("Reference No", p.num("certificate_number", "VN" + s.booking[-6:])), ("1. Goods consigned from (exporter's business name, address, country)", p.party("exporter", s.shipper)), ("2. Goods consigned to", s.consignee["name"]), ("3. Means of transport and route", "BY SEA PER " + s.vessel), ("Issued in", p.text("country_of_origin", s.origin)), ("10. Number and date of invoices", p.num("invoice_number", s.inv)), ("11. Certification, place and date", p.placename(s.pol, "name") + ", " + p.date("issue_date", s.days(s.etd, -2)))]),
            ("table", ["5. Item", "7. Number and kind of packages; description of goods", "8. Origin criterion", "9. Gross weight"], [[str(i + 1), f"{x['ctn']} {s.pack} {x['name']}", "P", p.figure(x["gross"]) + " KGS"] for i, x in enumerate(s.lines)], {})]


@block("b-certificado", "certificate_of_origin", "pt", origin="Brazil")
def _(p, s):
    return [("title", "CERTIFICADO DE ORIGEM"), ("facts", [("Certificado n.º", p.num("certificate_number", "BR" + s.booking[-6:])), ("Exportador", p.party("exporter", s.shipper)), ("Importador", s.consignee["name"]), ("País de origem", p.text("country_of_origin", "Brasil")), ("Fatura comercial", p.num("invoice_number", s.inv)), ("Data de emissão", p.date("issue_date", s.days(s.etd, -3)))]), ("table", ["N.º", "Mercadoria", "Peso bruto kg"], [[str(i + 1), x["name"], p.figure(x["gross"])] for i, x in enumerate(s.lines)], {})]


def freight(p, names):
    rows, total = [], 0
    for n in names:
        a = round(p.r.uniform(40, 1400), 2)
        total += a
        rows.append([n, p.figure(a, 2)])
    return rows, round(total, 2)


@block("b-fret", "freight_invoice", "fr", destination="France")
def _(p, s):
    p.currency = "EUR"
    p.silent("currency", "EUR")
    rows, total = freight(p, ["Fret maritime", "THC", "Dédouanement", "Livraison"])
    return [("line", s.fwd["name"]), ("title", "FACTURE DE FRET"), ("facts", [("Facture n°", p.num("invoice_number", s.inv)), ("Date de facture", p.date("issue_date", s.days(s.eta, 2))), ("Échéance", p.date("due_date", s.days(s.eta, 32))), ("Client", s.consignee["name"]), ("Connaissement", p.num("bl_number", s.bl)), ("Navire", s.vessel)]), ("table", ["Prestation", "Montant EUR"], rows, {1: "sum"}), ("total", "Total EUR", p.money("total", total))]


@block("b-fi", "freight_invoice", "en")
def _(p, s):
    p.currency = "USD"
    p.silent("currency", "USD")
    rows, total = freight(p, ["Basic ocean freight", "Bunker adjustment", "Origin THC", "Documentation"])
    return [("line", s.fwd_origin["name"]), ("title", "FREIGHT INVOICE"), ("facts", [("Invoice No.", p.num("invoice_number", s.inv)), ("Invoice Date", p.date("issue_date", s.days(s.etd, 1))), ("Due Date", p.date("due_date", s.days(s.etd, 31))), ("Customer", s.shipper["name"]), ("B/L No.", p.num("bl_number", s.bl)), ("From / to", p.placename(s.pol) + " / " + p.placename(s.pod))]), ("table", ["Charge", "Amount USD"], rows, {1: "sum"}), ("total", "Total USD", p.money("total", total))]


@block("b-factura", "freight_invoice", "es", destination="Spain")
def _(p, s):
    p.currency = "EUR"
    p.silent("currency", "EUR")
    rows, total = freight(p, ["Flete marítimo", "THC", "Despacho de aduanas", "Transporte terrestre"])
    return [("title", "FACTURA DE FLETE"), ("line", s.fwd["name"]), ("facts", [("Número de factura", p.num("invoice_number", s.inv)), ("Fecha de factura", p.date("issue_date", s.days(s.eta, 2))), ("Vencimiento", p.date("due_date", s.days(s.eta, 32))), ("Cliente", s.consignee["name"]), ("Conocimiento", p.num("bl_number", s.bl))]), ("table", ["Servicio", "Importe EUR"], rows, {1: "sum"}), ("total", "Total factura EUR", p.money("total", total))]


@block("b-schedule", "other", "en")
def _(p, s):
    return [("title", "Sailing schedule"), ("table", ["Vessel", "Voyage", p.placename(s.pol), p.placename(s.pod)], [[s.vessel, f"{i + 101}W", p.day(s.days(s.etd, 7 * i)), p.day(s.days(s.eta, 7 * i))] for i in range(6)], {}), ("line", "Subject to change without notice.")]


@block("b-fumigation", "other", "en")
def _(p, s):
    return [("title", "FUMIGATION CERTIFICATE"), ("facts", [("Exporter", s.shipper["name"]), ("Container", s.boxes[0]["number"]), ("Fumigant", "Methyl bromide"), ("Dosage", "48 g/m3, 24 hours"), ("Date of treatment", p.day(s.days(s.etd, -4)))])]
