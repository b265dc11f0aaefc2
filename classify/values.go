package classify

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/refdata"
)

// strict reports whether values of a field can be recognised by their form.
func strict(f *field) bool {
	switch f.kind {
	case tracking.FieldText, tracking.FieldTable:
		return false
	}
	return true
}

// value reads words as the value of a field. The confidence is that of the form alone.
func (r *reader) value(f *field, words []*word, c *caption) (found, bool) {
	words = trimmed(words)
	if len(words) == 0 {
		return found{}, false
	}
	if f.kind == tracking.FieldText && f.lines > 1 {
		if f.name != "description" && f.name != "marks" {
			words = trimParty(words)
		}
		for i, row := range rowsOf(words) {
			if all, _ := containersIn(fold(textOf(row))); f.name == "description" && i > 0 && len(all) > 0 {
				words = slices.Concat(rowsOf(words)[:i]...) // the load follows
				break
			}
		}
		if f.name == "description" && len(words) > 0 {
			if all, _ := containersIn(fold(textOf(rowsOf(words)[0]))); len(all) > 0 {
				return found{}, false // the load, not the goods
			}
			if first := fold(textOf(rowsOf(words)[0])); grossForm.MatchString(first) && cubeForm.MatchString(first) {
				return found{}, false
			}
		}
		text := sayLines(words)
		if name, _, _ := strings.Cut(text, ","); (c.phrase == "TO" || c.phrase == "FROM") && !strings.Contains(text, "\n") && !company(pieces(name)) {
			return found{}, false // a port, or another word
		}
		return found{words: words, value: text, normal: text, confidence: 1}, letters(text) >= 3 || f.name == "marks" && letters(text) == 2
	}
	// One line: the first.
	if f.kind != tracking.FieldText {
		words = trimmed(rowsOf(words)[0])
	}
	if len(words) == 0 {
		return found{}, false
	}
	text := textOf(words)
	v := found{words: words, value: text, confidence: 1}
	switch f.kind {
	case tracking.FieldText:
		if f.name == "vessel" {
			name := shipIn(words)
			if last := len(name) - 1; last > 0 && voyageBehind.MatchString(name[last].Text) {
				name = name[:last]
			}
			v.words, v.value, v.normal = name, ship(name), ship(name)
			return v, letters(ship(name)) >= 2
		}
		if f.name == "payment_terms" && incoterms[strings.Trim(strings.ToUpper(words[0].Text), ",.")] {
			return v, false
		}
		v.normal = text
		if f.name == "country_of_origin" && !namesCountry(words) {
			v.confidence = 0.6
		}
		if _, rest, isDate := r.marks.date(text); isDate && rest < 3 {
			return v, false
		}
		return v, letters(text) >= 2
	case tracking.FieldDate, tracking.FieldTime:
		normal, rest, ok := r.marks.date(text)
		if f.kind == tracking.FieldDate {
			normal, _, _ = strings.Cut(normal, "T")
		}
		v.normal = normal
		if rest > 25 {
			v.confidence = 0.6
		}
		return v, ok
	case tracking.FieldPlace:
		if letters(text) < 3 && !strings.ContainsFunc(text, han) || strings.Trim(text, text[:1]) == "" {
			return v, false // nothing, or "XXXXXX"
		}
		code, ok := place(text)
		if !ok && len(words) > 1 {
			// The place may be followed by something else.
			for n := len(words) - 1; n >= 1 && !ok; n-- {
				if code, ok = place(textOf(words[:n])); ok {
					v.words, v.value, v.confidence = words[:n], textOf(words[:n]), 0.9
				}
			}
		}
		if code != "" {
			v.normal = code
		} else {
			v.confidence *= 0.7
		}
		if !ok {
			v.confidence = 0.55
			ok = letters(text) >= 3 && !containsDigit(text) && len(words) <= 5
		}
		return v, ok
	case tracking.FieldCarrier:
		all := piecesOf(words)
		for _, p := range all {
			if line, known := refdata.LineBySCAC(p); known && len(p) == 4 {
				v.value, v.normal = p, line.SCAC
				return v, true
			}
		}
		if len(all) == 0 {
			return v, false
		}
		for _, line := range carriers()[all[0]] {
			if startsWith(all, line.name) && (len(line.name) > 1 || onlyForm(all[1:])) {
				v.normal, v.confidence = line.scac, 0.9
				return v, true
			}
		}
		v.normal = strings.Join(all, " ") // of an operator that is no shipping line
		return v, len(all) == 1 && len(all[0]) == 4 && letters(all[0]) == 4 && slices.Contains(strings.Fields(c.phrase), "SCAC")
	case tracking.FieldShip:
		for _, p := range piecesOf(words) {
			if p = strings.TrimPrefix(p, "IMO"); refdata.ValidIMO(p) {
				v.value, v.normal = p, p
				return v, true
			}
		}
		return v, false
	case tracking.FieldCount:
		return r.count(v, f)
	case tracking.FieldQuantity:
		volume := f.name == "volume"
		bare := unitIn(piecesOf(c.words), volume)
		if bare == "" {
			bare = r.marks.usual(volume)
		}
		q, ok := r.marks.quantity(text, bare, volume)
		v.normal = q
		return v, ok
	case tracking.FieldMoney:
		return r.amount(v, c)
	case tracking.FieldCode:
		return r.code(v, f)
	case tracking.FieldContainer:
		all, _ := containersIn(fold(text))
		if len(all) > 0 {
			v.normal = all[0]
		}
		return v, len(all) > 0
	}
	return number(v, f)
}

// namesCountry reports whether a country is among words.
func namesCountry(words []*word) bool {
	p := piecesOf(words)
	for i := range p {
		if country, _ := places().context(p[i:]); country != "" {
			return true
		}
	}
	return false
}

// contactForm ends a name and address: contacts, and numbers given by authorities.
var contactForm = newExpression(`(?i)^(tel|telf|telefon|telephone|phone|ph|fax|mob|mobile|cell|gsm|e-?mail|mail|www|https?|vat|tva|tax|eori|ein|ust-idnr|ust|cnpj|gst|gstin|pan|iec|rut|nit|cuit|rfc|nif|cif|p\.?iva|attn|att|attention|contact|pic|usci|uscc|btw|kvk|cr)\b[.:#]*`)

// trimParty cuts a name and address before contacts and small print.
func trimParty(words []*word) []*word {
	var all []*word
	for i, row := range rowsOf(words) {
		if i > 0 && heightOf(row[0]) < 0.82*heightOf(words[0]) {
			break
		}
		for j := range row {
			if i > 0 && j == 0 && len(row) > 1 && len(row[0].pieces) == 1 && row[0].pieces[0] == "AS" {
				return trimmed(all) // in what capacity
			}
			if i+j > 0 && (contact(row[j:]) || j == 0 && reach[strings.Join(row[0].pieces, "")]) {
				return trimmed(append(all, row[:j]...))
			}
		}
		all = append(all, row...)
	}
	return all
}

// reach are words that start a line of contacts.
var reach = set(`PIVA TEL TELEPHONE PHONE FAX EMAIL WWW VAT EORI EIN GSTIN ATTN ATTENTION CNPJ CUIT NIF BTW`)

// contact reports whether words begin with a telephone number, an address of mail, or
// a number of an authority.
func contact(words []*word) bool {
	text := words[0].Text
	mark := contactForm.FindString(text)
	if mark == "" {
		return strings.Contains(text, "@")
	}
	figure := func(s string) bool { return s != "" && strings.ContainsRune(":+#(0123456789", rune(s[0])) }
	return strings.ContainsAny(mark, ".:#") || figure(text[len(mark):]) || len(words) > 1 && figure(words[1].Text)
}

// trimmed drops slashes and colons around words.
func trimmed(words []*word) []*word {
	idle := func(w *word) bool {
		return strings.IndexFunc(w.Text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) < 0 && !strings.ContainsAny(w.Text, "$€£¥")
	}
	for len(words) > 0 && idle(words[0]) {
		words = words[1:]
	}
	for len(words) > 0 && idle(words[len(words)-1]) {
		words = words[:len(words)-1]
	}
	return words
}

func letters(s string) (n int) {
	for _, r := range s {
		if unicode.IsLetter(r) {
			n++
		}
	}
	return n
}

// others are words that announce the number of a bill.
var others = set(`HBL MBL BL HB/L`)

var numberForm = newExpression(`^[A-Z0-9][A-Z0-9/\-._#]*$`)

// number reads a number of letters and digits: the first words, as far as they look like
// parts of one, with at least one digit.
func number(v found, f *field) (found, bool) {
	words := v.words
	if i := slices.IndexFunc(words, func(w *word) bool { return w.Text == "/" }); i > 0 && i+1 < len(words) && !containsDigit(textOf(words[:i])) {
		words = words[i+1:] // "HDMU / 267621685"
	}
	for len(words) > 1 && slices.Contains([]string{"NO", "NR", "N", "NUMBER", "REF", ""}, strings.Join(words[0].pieces, "")) && !containsDigit(words[0].Text) {
		words = words[1:]
	}
	if f.kind == tracking.FieldReference && len(words) > 1 && others[strings.Join(words[0].pieces, "")] {
		return v, false // the number of another document
	}
	n, last := 0, 0
	for n < len(words) && n < 5 {
		t := strings.Trim(strings.ToUpper(words[n].Text), ",;:()")
		if !numberForm.MatchString(t) || len(t) > 30 {
			break
		}
		if n > 0 && slashedDate.MatchString(t) {
			break // the date after it
		}
		if n == 0 && !containsDigit(t) && len(alnum(t)) > 4 {
			break // no number starts with a word
		}
		if n > 0 && n == len(words)-1 && len(t) == 1 && containsDigit(textOf(words[:n])) {
			last = 1 // "26/74696 C"
			break
		}
		// A word after the number is not part of it: "MAEU123456789 DATED".
		if n > 0 && !containsDigit(t) && (containsDigit(textOf(words[:n])) || len(t) > 4) {
			break
		}
		n++
		if strings.HasSuffix(words[n-1].Text, ",") || strings.HasSuffix(words[n-1].Text, ";") || strings.HasSuffix(words[n-1].Text, ")") {
			break
		}
	}
	for n > 0 && !containsDigit(words[n-1].Text) {
		n--
	}
	if n == 0 {
		return v, false
	}
	if n > 1 && f.loose {
		n = 1 + slices.IndexFunc(words[:n], func(w *word) bool { return containsDigit(w.Text) })
	}
	if last > 0 && !f.loose {
		n++
	}
	v.words, v.value = words[:n], strings.Trim(textOf(words[:n]), ",;:()")
	normal := alnum(v.value)
	if len(words) > n+3 {
		v.confidence = 0.7
	}
	least := 4
	if f.loose {
		least = 2
	}
	if _, _, isDate := (numbers{}).date(v.value); isDate && strings.ContainsAny(v.value, "/.- ") && len(normal) <= 9 {
		return v, false
	}
	v.normal = normal
	if f.name == "seal" && strings.Contains(v.value, ".") {
		return v, false // a tariff code
	}
	return v, len(normal) >= least && len(normal) <= 30
}

// alnum keeps the letters and digits of a number, in capitals.
func alnum(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToUpper(r)
		}
		return -1
	}, s)
}

var spelled = map[string]string{"ZERO": "0", "NIL": "0", "NONE": "0", "ONE": "1", "TWO": "2", "THREE": "3", "FOUR": "4", "FIVE": "5", "SIX": "6"}

// spacedCount is a count with blanks between thousands.
var spacedCount = newExpression(`^\d{1,3}(?: \d{3})+$`)

var countForm = newExpression(`\d[\d.,]*`)

// caseOf is the number of one of several cases: 1/6.
var caseOf = newExpression(`^(\d+)/(\d+)$`)

// count reads a whole number; quantities of goods may have a fraction.
func (r *reader) count(v found, f *field) (found, bool) {
	if text := textOf(v.words); spacedCount.MatchString(text) {
		n, err := strconv.ParseInt(strings.ReplaceAll(text, " ", ""), 10, 64)
		v.normal = n
		return v, err == nil
	}
	for i, w := range v.words {
		m := countForm.FindString(w.Text)
		if m == "" {
			continue
		}
		if of := caseOf.FindStringSubmatch(w.Text); of != nil && f.name == "packages" && of[1] != of[2] {
			return v, false // which case, not how many
		}
		if i+1 < len(v.words) && !f.loose {
			if unit := strings.Join(v.words[i+1].pieces, ""); unitsOf[unit] != "" || tons[unit] {
				return v, false // measured, not counted
			}
		}
		// "3/3" is three of three.
		value, ok := r.marks.decimal(strings.TrimRight(m, ".,"))
		if !ok || i > 3 {
			continue
		}
		n, err := strconv.ParseInt(value, 10, 64)
		if err != nil {
			x, err := strconv.ParseFloat(value, 64)
			if !f.loose && thousandForm.MatchString(m) && m[0] != '0' {
				v.normal = int64(math.Round(1000 * x)) // counts have no fraction: it parts thousands
				return v, err == nil
			}
			if !f.loose || err != nil {
				return v, false
			}
			v.normal = x
			return v, true
		}
		v.normal = n
		return v, f.name != "originals" || n < 20
	}
	if len(v.words) > 5 {
		return v, false // a sentence
	}
	for _, p := range piecesOf(v.words) {
		if digits, ok := spelled[p]; ok {
			n, _ := strconv.ParseInt(digits, 10, 64)
			v.normal = n
			return v, true
		}
	}
	return v, false
}

// amount reads money. Its currency may be in the caption.
func (r *reader) amount(v found, c *caption) (found, bool) {
	m, ok := r.marks.money(v.value)
	if m.Currency == "" {
		m.Currency = currencyIn(textOf(c.words))
	}
	if other := letters(v.value) - len(m.Currency); other > 0 && !strings.HasSuffix(v.value, ".-") {
		v.confidence = 0.4 // an amount among words is less certain
	}
	v.normal = m
	return v, ok
}

// code reads one of a few words.
func (r *reader) code(v found, f *field) (found, bool) {
	p := piecesOf(v.words)
	switch f.name {
	case "freight_terms":
		terms := freightIn(p)
		if terms == "" {
			terms = ticked(v.words)
		}
		v.normal = terms
		return v, terms != ""
	case "incoterm":
		for _, w := range p {
			if incoterms[w] {
				v.normal = w
				return v, true
			}
		}
		return v, false
	case "currency":
		c := currencyIn(v.value)
		v.normal = c
		return v, c != ""
	case "size_type":
		code, sure := sizeOf(v.words, v.value)
		v.normal, v.confidence = code, v.confidence*sure
		return v, code != ""
	case "firms_code":
		for i, w := range v.words {
			if t := strings.ToUpper(strings.Trim(w.Text, ".,;:()")); len(t) == 4 && letters(t[:1]) == 1 && containsDigit(t) && i < 6 {
				v.words, v.value, v.normal = v.words[i:i+1], t, t
				return v, true
			}
		}
		return v, false
	}
	v.normal = alnum(v.value)
	return v, true
}

var incoterms = map[string]bool{"EXW": true, "FCA": true, "FAS": true, "FOB": true, "CFR": true, "CIF": true, "CPT": true, "CIP": true, "DAP": true, "DPU": true, "DDP": true, "DAT": true, "CNF": true}

func freightIn(p []string) string {
	prepaid := slices.ContainsFunc(p, func(w string) bool { return w == "PREPAID" || w == "PPD" || w == "PREPAYE" || w == "PREPAGADO" })
	collect := slices.ContainsFunc(p, func(w string) bool { return w == "COLLECT" || w == "CCX" || w == "COLL" })
	switch {
	case prepaid && !collect:
		return "prepaid"
	case collect && !prepaid:
		return "collect"
	case prepaid:
		return ""
	}
	return freightAt(p)
}

// freightAt reads where or how freight is paid: at the destination means collect.
func freightAt(p []string) string {
	for _, of := range freightWords {
		if has(p, of.phrase) {
			return of.terms
		}
	}
	return ""
}

var freightWords = func() (all []struct {
	phrase []string
	terms  string
}) {
	for terms, list := range map[string]string{
		"collect": `PAYABLE AT DESTINATION; A DESTINO; A DESTINAZIONE; NACHNAHME; PAYABLE A DESTINATION; DU A DESTINATION; DUE AT DESTINATION; EN DESTINO; AT DESTINATION; OP BESTEMMING; POR COBRAR; PAGADERO EN DESTINO; PAGADERO EN EL DESTINO; PAGABILE A DESTINO; PAGABILE A DESTINAZIONE; ZAHLBAR AM BESTIMMUNGSORT; ZAHLBAR BEI ANKUNFT; UNFREI; PORT DU; ASSEGNATO; A COBRAR; A PAGAR; NOLO ASSEGNATO; BETAALBAAR OP BESTEMMING; PAYABLE IN DESTINATION; PAYABLE BY CONSIGNEE; FLETE AL COBRO; PAYABLE ON DELIVERY; PAYABLE ON ARRIVAL; NAVLUN VARISTA`,
		"prepaid": `PAYABLE AT ORIGIN; PREPAGATO; PAYABLE A L ORIGINE; PAYABLE AU DEPART; PAGADERO EN ORIGEN; PAGADO; PAGATO; BEZAHLT; VORAUSBEZAHLT; VORAUSGEZAHLT; PORT PAYE; PAYE; PAGO EN ORIGEN; FRACHTFREI; FRANCO; VOORUITBETAALD; PAGABILE ALL ORIGINE; PREPAGADO; ANTICIPATO; PAID AT ORIGIN; PAYABLE BY SHIPPER; PAYABLE AT LOADING; NAVLUN PESIN`,
	} {
		for _, c := range captions(list) {
			all = append(all, struct {
				phrase []string
				terms  string
			}{strings.Fields(c), terms})
		}
	}
	slices.SortFunc(all, func(a, b struct {
		phrase []string
		terms  string
	}) int {
		return cmp.Or(len(b.phrase)-len(a.phrase), slices.Compare(a.phrase, b.phrase))
	})
	return all
}()

// tickForm is a box with a cross.
var tickForm = newExpression(`^[\[(]?[Xx✓✔☒☑■][\])]?$|^[☒☑✓✔■]`)

// ticked returns the word after the cross in "[X] Prepaid [ ] Collect".
func ticked(words []*word) string {
	for i, w := range words[:max(len(words)-1, 0)] {
		if tickForm.MatchString(w.Text) {
			for _, next := range words[i+1 : min(i+3, len(words))] {
				if terms := freightIn(next.pieces); terms != "" {
					return terms
				}
			}
		}
	}
	return ""
}

var sizeForm = newExpression(`\b(?:\d{1,2}X)?(20|40|45)\s*(?:'|’|´|FT|FEET|FOOT)?\s*[ -]*((?:[A-Z][A-Z.]*[ -]*){1,4})?`)

// highBehind is the height after a code: "40RF HC".
var highBehind = newExpression(`^\W*\w{4} ?(?:HC|HQ)\b`)

// sizeBehind is a type before its size: "HC40".
var sizeBehind = newExpression(`^\W*(HC|HQ|DV|DC|GP|RF|RH|HR|OT|FR|TK)[ -]?(20|40|45)\W*$`)

// tallForm is the height of a high cube: nine feet six.
var tallForm = newExpression(`\b9\s*(?:['’´]|FT|ft|\.)\s*6(?:"|”|''|\b)`)

// misreadISO is a code of ISO 6346 whose G was read as a digit: 45G1.
var misreadISO = newExpression(`\b(22|42|45|L5)6([0-3])\b`)

// sizeOf is sizeType of words that may be recognised, and how sure it is.
func sizeOf(words []*word, text string) (code string, sure float64) {
	if len(words) > 0 && words[0].recognized && misreadISO.MatchString(text) {
		return sizeType(misreadISO.ReplaceAllString(text, "${1}G$2")), unsure
	}
	return sizeType(text), 1
}

var sizeMarks = strings.NewReplacer("'", " ", "’", " ", "\"", " ", "/", " ")

// sizeType reads the size and type of a container as a short code: "20GP", "40HC",
// "40RH". Codes of ISO 6346 are converted.
func sizeType(s string) string {
	tallBox := tallForm.MatchString(s)
	s = sizeMarks.Replace(tallForm.ReplaceAllString(fold(s), " "))
	for _, w := range strings.Fields(s) {
		w = strings.Trim(w, ".,;()")
		if len(w) != 4 || !digit(w) && w[0] != 'L' {
			continue
		}
		if feet, height, equipment, ok := refdata.ParseISOType(w); ok && feet >= 20 {
			return short(feet, height == refdata.HeightHighCube || highBehind.MatchString(s), equipment)
		}
	}
	m := sizeForm.FindStringSubmatch(sizeBehind.ReplaceAllString(s, "$2 $1"))
	if m == nil {
		return ""
	}
	feet, _ := strconv.Atoi(m[1])
	p := " " + strings.ReplaceAll(m[2], ".", "") + " "
	among := func(all ...string) bool {
		return slices.ContainsFunc(all, func(w string) bool { return strings.Contains(p, " "+w+" ") || strings.Contains(p, "-"+w) })
	}
	high := among("HC", "HQ", "HIGH CUBE", "HIGHCUBE", "HICUBE", "HIGH-CUBE", "HI CUBE", "HIGH", "H C", "RH", "RQ", "HCRF", "HCR", "HR") || tallBox
	switch {
	case among("REEFER", "RF", "RH", "RE", "REF", "REEF", "RQ", "REEFR", "REFRIGERATED", "HCRF", "HCR", "HR"):
		return short(feet, high, refdata.TypeReefer)
	case among("OPEN TOP", "OT", "OPENTOP", "OPEN"):
		return short(feet, high, refdata.TypeOpenTop)
	case among("FLAT RACK", "FR", "FLAT", "FLATRACK"):
		return short(feet, high, refdata.TypeFlatRack)
	case among("TANK", "TK"):
		return short(feet, high, refdata.TypeTank)
	case high, among("DRY", "DC", "DV", "GP", "STANDARD", "ST", "STD", "GENERAL", "SD", "DRY VAN", "VAN", "CONTAINER", "CONTAINERS", "FCL", "GENERAL PURPOSE", "BOX", "SV"):
		return short(feet, high, refdata.TypeDry)
	}
	return ""
}

func short(feet int, high bool, equipment string) string {
	suffix := map[string]string{refdata.TypeReefer: "RF", refdata.TypeOpenTop: "OT", refdata.TypeFlatRack: "FR", refdata.TypeTank: "TK", refdata.TypeDry: "GP", refdata.TypeBulk: "BK"}[equipment]
	if high && suffix == "GP" {
		suffix = "HC"
	}
	if high && suffix == "RF" {
		suffix = "RH"
	}
	if feet == 45 && suffix == "GP" {
		suffix = "HC"
	}
	if suffix == "" {
		return ""
	}
	return strconv.Itoa(feet) + suffix
}

var voyageForm = newExpression(`^(?:V|VOY)?[.\-:]?#?((?:[0-9]{1,4}[A-Z]{0,3}|[0-9][A-Z0-9]{2,8}|[A-Z]{1,3}[0-9][A-Z0-9]{0,6})(?:[-/][A-Z0-9]{1,5})?)$`)

// split reads the words under one caption as several fields, from one line or two.
func (r *reader) split(parts []string, words []*word) map[string]found {
	words = trimmed(words)
	if len(words) == 0 {
		return nil
	}
	rows := rowsOf(words)
	if parts[0] == "incoterm" {
		return termsOf(rows)
	}
	all := r.splitLine(parts, rows[0])
	if len(rows) > 1 && len(all) < len(parts) {
		if more := r.splitLine(parts, slices.Concat(rows[0], rows[1])); len(more) > len(all) {
			return more
		}
	}
	return all
}

// termsOf reads terms of delivery and of payment, each in its line.
func termsOf(rows [][]*word) map[string]found {
	all := map[string]found{}
	for _, row := range rows {
		if term := strings.Join(row[0].pieces, ""); incoterms[term] {
			all["incoterm"] = found{words: row, value: textOf(row), normal: term, confidence: 0.95}
		} else if letters(textOf(row)) > 2 {
			all["payment_terms"] = found{words: row, value: textOf(row), normal: textOf(row), confidence: 0.9}
		}
	}
	return all
}

func (r *reader) splitLine(parts []string, words []*word) map[string]found {
	if slices.Contains(parts, "voyage") {
		return splitVoyage(words)
	}
	// Place and date: the place is before the date, or else after it.
	for i := range words {
		for j := len(words); j > i; j-- {
			normal, rest, ok := r.marks.date(textOf(words[i:j]))
			if !ok || rest > 2 {
				continue
			}
			all := map[string]found{parts[1]: {words: words[i:j], value: textOf(words[i:j]), normal: date(normal), confidence: 0.95}}
			for _, where := range [][]*word{trimmed(words[:i]), trimmed(words[j:])} {
				if len(where) == 0 {
					continue
				}
				if strings.HasSuffix(parts[0], "_number") {
					if v, ok := number(found{words: where, value: textOf(where), confidence: 0.95}, &field{}); ok {
						all[parts[0]] = v
						break
					}
					continue
				}
				if code, known := place(textOf(where)); known && code != "" {
					all[parts[0]] = found{words: where, value: strings.Trim(textOf(where), ",;"), normal: code, confidence: 0.95}
					break
				}
			}
			return all
		}
	}
	if strings.HasSuffix(parts[0], "_number") {
		if v, ok := number(found{words: words, value: textOf(words), confidence: 0.9}, &field{}); ok {
			return map[string]found{parts[0]: v}
		}
		return nil
	}
	if code, known := place(textOf(words)); known && code != "" {
		return map[string]found{parts[0]: {words: words, value: textOf(words), normal: code, confidence: 0.9}}
	}
	return nil
}

func date(normal string) string { day, _, _ := strings.Cut(normal, "T"); return day }

// splitVoyage splits the last word that looks like a voyage from the name of a ship.
func splitVoyage(words []*word) map[string]found {
	if i := slices.IndexFunc(words, func(w *word) bool { return strings.HasPrefix(w.Text, "(") }); i > 1 {
		words = words[:i] // "(IMO 9699311)"
	}
	for i := len(words) - 1; i > 0; i-- {
		t := strings.Trim(strings.ToUpper(words[i].Text), ",;()")
		m := voyageForm.FindStringSubmatch(strings.TrimPrefix(t, "/"))
		if m == nil || !containsDigit(m[1]) {
			continue
		}
		name := words[:i]
		for len(name) > 1 {
			last := strings.Join(name[len(name)-1].pieces, "")
			if last == "" || last == "V" || last == "VOY" || last == "VOYAGE" || last == "NO" || last == "VOYNO" || synonyms[last] == "VOYAGE" {
				name = name[:len(name)-1]
				continue
			}
			break
		}
		return map[string]found{
			"vessel": {words: name, value: ship(name), normal: ship(name), confidence: 0.95},
			"voyage": {words: words[i : i+1], value: m[1], normal: alnum(m[1]), confidence: 0.95},
		}
	}
	// Both in one word: "HERON/123E".
	text := textOf(words)
	if i := strings.LastIndex(text, "/"); i > 2 {
		if m := voyageForm.FindStringSubmatch(strings.ToUpper(strings.TrimSpace(text[i+1:]))); m != nil && containsDigit(m[1]) {
			name := strings.TrimSpace(text[:i])
			return map[string]found{
				"vessel": {words: words, value: name, normal: name, confidence: 0.9},
				"voyage": {words: words[len(words)-1:], value: m[1], normal: alnum(m[1]), confidence: 0.9},
			}
		}
	}
	if containsDigit(text) {
		return nil
	}
	return map[string]found{"vessel": {words: words, value: ship(words), normal: ship(words), confidence: 0.8}}
}

// voyageMark is between a ship's name and its voyage.
var voyageMark = newExpression(`(?i)^(?:/.*|v\.?|v\..+|voy\b.*|voyage|reise|reis|viaje|viaggio|viagem|\(.*)$`)

// shipIn are the words of a ship's name, up to its voyage or a remark.
func shipIn(words []*word) []*word {
	for i, w := range words {
		if i > 0 && voyageMark.MatchString(w.Text) {
			return words[:i]
		}
	}
	return words
}

// onlyForm reports whether the words behind a name say what it is and where, and are no more of it:
// ONE and ANL are words of other names.
func onlyForm(words []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool {
		_, country := places().countries[w]
		return !country && !companyForms[w] && refdata.CountryName(w) == ""
	})
}

var companyForms = set(`CO LTD LIMITED INC CORP CORPORATION SA S A AG GMBH PTE LLC PLC LINE LINES SHIPPING CONTAINER COMPANY GROUP`)

// voyageBehind is a voyage right behind the name of a ship.
var voyageBehind = newExpression(`^(?:[A-Z]{0,2}\d{3,4}[A-Z]|[O\d]\d[A-Z]\d[NSEW]|\d[A-Z0-9]{2,5}[NESW]\d[A-Z]{1,2})$`)

// ship is a ship's name without prefixes such as M/V.
func ship(words []*word) string {
	name := strings.Trim(textOf(words), ",;/ ")
	for _, mark := range []string{"M/V ", "MV ", "M.V. ", "M.V ", "MV. ", "M/S. ", "S.S. ", "M.S. ", "M/S ", "S/S ", "SS "} {
		name = strings.TrimPrefix(name, mark)
	}
	return name
}
