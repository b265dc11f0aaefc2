package classify

import (
	"slices"
	"strings"
)

// meaning is a normal form of captions with the same meaning: synonyms are replaced by one
// word, joining words dropped, and the rest sorted. "B/L Number", "BOL #" and "Bill of
// Lading No." have the same.
func meaning(pieces []string) string {
	var room [16]string
	said := room[:0]
	for i := 0; i < len(pieces); {
		word, n := means(pieces[i:])
		i += n
		for _, w := range strings.Fields(word) {
			if !slices.Contains(said, w) && len(said) < cap(room) {
				said = append(said, w)
			}
		}
	}
	if slices.Contains(said, "EST") || slices.Contains(said, "CUTOFF") {
		said = without(said, timely)
	}
	if len(said) == 0 {
		return ""
	}
	slices.Sort(said)
	said = without(said, names)
	if rest := without(said, units); len(rest) > 1 || rest[0] != "TOTAL" {
		said = rest
	}
	return strings.Join(said, " ")
}

// without drops the words of a set, unless there are no others.
func without(said []string, idle map[string]bool) []string {
	rest := slices.DeleteFunc(slices.Clone(said), func(w string) bool { return idle[w] })
	if len(rest) == 0 {
		return said
	}
	return rest
}

// means returns the meaning of the first pieces, and how many these are.
func means(pieces []string) (word string, n int) {
	for _, s := range phrases[pieces[0]] {
		if startsWith(pieces, s.of) {
			return s.is, len(s.of)
		}
	}
	p := pieces[0]
	if word, ok := synonyms[p]; ok {
		return word, 1
	}
	// One of several means the same as several.
	if len(p) > 4 && p[len(p)-1] == 'S' && p[len(p)-2] != 'S' {
		p = p[:len(p)-1]
	}
	if word, ok := synonyms[p]; ok {
		return word, 1
	}
	if word := compound(p); word != "" {
		return word, 1
	}
	return p, 1
}

// compound returns the meaning of a German or Dutch compound: "Buchungsnummer" is the
// meaning of "Buchung", and a number.
func compound(p string) string {
	if len(p) < 8 {
		return ""
	}
	for _, c := range compounds {
		stem, ok := strings.CutSuffix(p, c.end)
		if !ok || len(stem) < 3 {
			continue
		}
		for _, s := range []string{stem, strings.TrimSuffix(stem, "S"), strings.TrimSuffix(stem, "E")} {
			if word, ok := synonyms[s]; ok && word != "" {
				return word + " " + c.is
			}
			if plainStems[s] {
				return s + " " + c.is
			}
		}
	}
	return ""
}

// compounds are the second words of compounds, with their meanings.
var compounds = []struct{ end, is string }{
	{"NUMMER", "#"}, {"DATUM", "DATE"}, {"HAFEN", "PORT"}, {"HAVEN", "PORT"}, {"GEWICHT", "WEIGHT"}, {"ADRESSE", "ADDRESS"}, {"ADRES", "ADDRESS"}, {"DEPOT", "DEPOT"},
	{"TERMINAL", "TERMINAL"}, {"REFERENZ", "REF"}, {"REFERENTIE", "REF"}, {"SCHLUSS", "CUTOFF"}, {"CONTAINER", "CONTAINER"}, {"TERMIN", "DATE"}, {"NR", "#"}, {"TYP", "TYPE"}, {"ZEIT", "TIME"},
}

// plainStems are first words of compounds that are the same in English.
var plainStems = set(`CONTAINER TERMINAL DEPOT HOUSE MASTER PIN IMO VGM`)

// timely are words of any deadline.
var timely = set(`DATE TIME LOCAL LT`)

// names say of whom or what a caption wants to know more, not another thing; units
// say in what it is counted.
var (
	names = set(`NAME ADDRESS FULL COMPLETE STYLE`)
	units = set(`KG KGS KGM KILO LB LBS CBM M3 MTQ MT USD EUR GBP CNY RMB JPY INR TRY BRL HKD CHF CAD AUD US$ PCS`)
	// modest are words that do not change the field of a caption.
	modest = set(`UNDERLYING BE ON AT FURTHER WEITERE PRESENT OCEAN INTENDED ACTUAL PLANNED SCHEDULED CONFIRMED NOMINATED PROPOSED CARRIER LINE OUR YOUR THIS RELATED RELEVANT CURRENT EXPORT IMPORT LEGAL ONLY LOCAL OFFICIAL DECLARED SEA MARITIME`)
)

func set(words string) map[string]bool {
	all := map[string]bool{}
	for _, w := range strings.Fields(words) {
		all[w] = true
	}
	return all
}

type phrase struct {
	of []string
	is string
}

// phrases are groups of words with one meaning, the longest first.
var phrases = func() map[string][]phrase {
	all := map[string][]phrase{}
	for _, line := range strings.FieldsFunc(`
		BL = BILL OF LADING, BILLS OF LADING, B OF L, BS L, BSL, BLS, BOL
		BL # = BL NO, BILL OF LADING NO, BILL OF LADING NUMBER
		WAYBILL = SEA WAYBILL, SEA WAY BILL, WAY BILL, LINER WAYBILL, SEAWAYBILL, SWB
		BL HOUSE = HOUSE BILL OF LADING, HB L, HBL, HOUSE BILL, H BL, FORWARDER S BL, FORWARDERS BL, FBL, HBOL
		BL MASTER = MASTER BILL OF LADING, MBL, M BL, MASTER BILL, MBOL
		BL OCEAN = OCEAN BILL OF LADING, OBL, OCEAN BILL
		QUANTITY = Q TY, Q TA, Q TE
		COUNT = NO OF, NOS OF, NUMBER OF, NUMBERS OF, NBR OF, NR OF, NOMBRE DE, NUMERO DE, ANZAHL DER, NO AND KIND OF, NUMBER AND KIND OF, NO KIND OF, NUMBER KIND OF
		PO = PURCHASE ORDER, P O
		CUTOFF = CUT OFF, CUT OFFS
		PICKUP = PICK UP
		DELIVER = DROP OFF
		ARRIVAL EST = E T A, TIME OF ARRIVAL, ESTIMATED TIME OF ARRIVAL, EXPECTED TIME OF ARRIVAL, DUE TO ARRIVE, DATE OF ARRIVAL
		DEPARTURE EST = E T D, TIME OF DEPARTURE, ESTIMATED TIME OF DEPARTURE, EXPECTED TIME OF DEPARTURE, DATE OF DEPARTURE
		WEIGHT GROSS = G W, G WEIGHT, G WT
		WEIGHT NET = N W, N WEIGHT, N WT
		CODE HS = H S CODE, HARMONISED CODE, HARMONIZED CODE, HARMONIZED SYSTEM CODE, HARMONISED SYSTEM CODE
		TAXNO = TAX ID, VAT NO, VAT ID, VAT REG NO, TAX NO
		DATE TIME = DATE AND TIME
		LOAD PORT = P O L
		DISCHARGE PORT = P O D
	`+tonguePhrases, func(r rune) bool { return r == '\n' }) {
		is, of, ok := strings.Cut(line, "=")
		if !ok {
			continue
		}
		for _, o := range strings.Split(of, ",") {
			p := strings.Fields(o)
			all[p[0]] = append(all[p[0]], phrase{p, strings.TrimSpace(is)})
		}
	}
	for _, some := range all {
		slices.SortStableFunc(some, func(a, b phrase) int { return len(b.of) - len(a.of) })
	}
	return all
}()

// synonyms maps a word to the one that stands for it; "" for a joining word.
var synonyms = func() map[string]string {
	all := map[string]string{}
	for _, line := range strings.Split(`
		= OF THE AND S A DE DU DES DEL LA LE LES EL DER DIE DAS DEM DI DA DELLA Y ET UND E OR IF ANY L D IN FOR
		# = NO NOS NR NRS NUMBER NUMBERS NUM NBR NUMERO NUMMER N ID NUMARASI
		REF = REFS REFERENCE REFERENCES REFERENZ REFERENCIA REFERENTIE RIFERIMENTO
		BL = BOL BS BILL
		WAYBILL = SWB SEAWAYBILL
		VESSEL = VSL STEAMER NAVIRE BUQUE SCHIFF NAVE NAVIO SCHIP GEMI MOTORVESSEL
		VOYAGE = VOY VYG VOYAGES
		LOAD = LOADING LADING LOADED LDG EMBARKATION CHARGEMENT CARGA EMBARQUE CARICO
		DISCHARGE = DISCHARGING DISCHARGED DISCH UNLOADING UNLADING UNLOAD DISPORT DESCARGA DECHARGEMENT DESEMBARQUE SBARCO
		PORT = SEAPORT PUERTO PORTO HARBOUR HARBOR HAVEN
		LOAD PORT = LOADPORT POL LADEHAFEN VERLADEHAFEN LAADHAVEN
		DISCHARGE PORT = POD LOSCHHAFEN ENTLADEHAFEN LOSHAVEN
		WEIGHT = WT WGT WEIGHTS MASS GEWICHT PESO POIDS
		GROSS = GR GRS GRO BRUT BRUTO BRUTTO LORDO
		NET = NETT NETTO NETO
		WEIGHT GROSS = GW BRUTTOGEWICHT GWT BRUTOGEWICHT
		WEIGHT NET = NW NETTOGEWICHT NWT
		VOLUME = VOL MEAS MEASUREMENT MEASUREMENTS MEASURMENT MSMT MEASURE CUBE CUBAGE VOLUMEN MEAST MSRMT KUBATUR
		PACKAGE = PKG PKGS PACKAGES PCKGS PCKG PKGE COLLI COLIS BULTOS PACKSTUCKE KOLLI
		CARTON = CTN CTNS CARTONS KARTONS
		QUANTITY = QTY QTTY QNTY QUANT QUANTITE CANTIDAD MENGE QUANTITA QUANTIDADE AANTAL MIKTAR QTYS
		DATE = DT DATED FECHA DATUM DATA TARIH
		EST = ESTIMATED EXPECTED ANTICIPATED
		ARRIVAL EST = ETA
		DEPARTURE EST = ETD ETS
		ARRIVAL = ARR ARRIVES ARRIVING ARRIVED
		DEPARTURE = DEP DEPARTS SAILING SAILS
		CUTOFF = CUTOFFS CLOSING CLOSINGS CLOSE CLOSES CLOSURE DEADLINE DEADLINES
		DELIVER = DELIV DELIVERY DLV DELY DELIVERED DELIVERING LIEFERN LEVEREN LIVRER ENTREGAR CONSEGNARE LIVRAISON ENTREGA CONSEGNA
		CONTAINER = CNTR CTNR CONT CONTR CNTRS CTNRS CNT CONTENEUR CONTENEDOR CONTAINERS CONTR
		SEAL = SEALS PLOMB PRECINTO SIEGEL PLOMBEN
		DESCRIPTION = DESC DESCR DESCRIPTIONS DESCRIPCION DESIGNATION BEZEICHNUNG DESCRIZIONE DESCRICAO OMSCHRIJVING
		GOODS = MERCHANDISE CARGO MERCANCIA MERCANCIAS MARCHANDISES MARCHANDISE WARE WAREN MERCE MERCADORIA MERCADORIAS
		INVOICE = INV INVOICES FACTURA FACTURE RECHNUNG FATTURA FATURA FACTUUR
		ORDER = ORDERS PEDIDO COMMANDE BESTELLUNG ORDINE
		PO = PURCHASEORDER
		AMOUNT = AMT AMNT IMPORTE MONTANT BETRAG IMPORTO
		PRICE = PRECIO PRIX PREIS PREZZO PRECO
		PAYMENT = PAGO PAIEMENT ZAHLUNG PAGAMENTO BETALING
		SHIPPER = SHPR SHIPPERS
		CONSIGNEE = CNEE CONSIGNEES
		NOTIFY = NTFY NOTIFYING NTY NOTIFICATION
		PARTY = PTY PARTIES
		TERMINAL = TML
		EMPTY = MT MTY EMPTIES
		PICKUP = COLLECTION PICKING
		DESTINATION = DEST DESTINO
		ORIGIN = ORIGEN ORIGINE HERKUNFT URSPRUNG ORIGEM
		RECEIPT = RCPT RECPT RECEIVED
		PLACE = PLC LUGAR LIEU ORT LUOGO PLAATS
		ISSUE = ISSUED ISSUING ISSUANCE
		BOOKING = BKG BKNG BOOKINGS
		ORIGINAL = ORIG ORIGINALS
		TOTAL = TTL TOT TOTALS TOTALLY
		TYPE = TYP TYPES
		CODE = CD
		EQUIPMENT = EQ EQUIP EQP EQPT
		MARK = MARKS MARCAS MARQUES MARKING MARKINGS
		CUSTOMER = CUST CLIENT
		HS = HTS HTSUS
		INSTRUCTION = INSTR INSTRUCTIONS
		DOCUMENT = DOC DOCS DOCUMENTATION
	`+tongues, "\n") {
		is, of, ok := strings.Cut(line, "=")
		if !ok {
			continue
		}
		for _, o := range strings.Fields(of) {
			all[o] = strings.TrimSpace(is)
		}
	}
	return all
}()
