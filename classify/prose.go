package classify

import (
	"slices"
	"strings"
	"unicode"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/refdata"
)

// passage is running text in one or several lines.
type passage struct {
	text  string // folded, joined by blanks
	words []*word
	at    []int // where each word begins in the text
}

// passages finds the running text of a document: cells of many words, with those
// right below that go on with them.
func (s *layout) passages() []passage {
	var all []passage
	used := map[*word]bool{}
	for _, l := range s.lines {
		for _, c := range l.cells {
			if used[c.words[0]] || len(c.words) < 5 {
				continue
			}
			words := slices.Clone(c.words)
			bottom := l.bottom
			for _, next := range s.lines[l.at+1:] {
				if next.page != l.page || next.top-bottom > 0.8*s.height {
					break
				}
				i := slices.IndexFunc(next.cells, func(d cell) bool { return abs(d.left()-c.left()) < 0.5*s.height })
				if i < 0 {
					continue
				}
				used[next.cells[i].words[0]] = true
				words = append(words, next.cells[i].words...)
				bottom = next.bottom
				if len(words) > 400 {
					break
				}
			}
			p := passage{words: words}
			var b strings.Builder
			for i, w := range words {
				if i > 0 {
					b.WriteByte(' ')
				}
				p.at = append(p.at, b.Len())
				b.WriteString(fold(w.Text))
			}
			p.text = b.String()
			all = append(all, p)
		}
	}
	return all
}

// from are the words from an offset on, or none where it is within one.
func (p passage) from(offset int) []*word {
	i, ok := slices.BinarySearch(p.at, offset)
	if !ok {
		return nil
	}
	return p.words[i:]
}

// leads are the words before the value of a field in a sentence.
var leads = func() map[string][]*expression {
	all := map[string][]*expression{}
	for field, list := range map[string][]string{
		"terminal": {
			`(?:AVAILABLE|PICK(?:ED)?[ -]?UP|COLLECT(?:ED|ION)?|DISCHARGED|HELD|LYING|STORED|LOCATED|RELEASED|LANDED|LIES?|STANDS?|DISCHARGE)(?: FOR [A-Z -]{3,20}?)?(?: (?:THE|THIS|THESE|IT|THEM|BELOW|ABOVE|CARGO|CONTAINERS?|UNITS?|GOODS|FOLLOWING|FULL)){0,3} (?:AT|FROM|EX|IN)(?: THE)?(?: TERMINAL:)? `,
			`(?:A|EN|DE) LA TERMINAL `, `AM TERMINAL `, `(?:AU|DU) TERMINAL `, `(?:AL|DAL|PRESSO IL) TERMINAL `, `TO (?:THE )?TERMINAL:? `,
		},
		"firms_code":        {`FIRMS(?: CODE)?(?: IS)?[ :#]+`},
		"last_free_day":     {`(?:FREE (?:TIME|STORAGE|PERIOD|DAYS?)|RENT FREE|LFD|LAST FREE (?:DAY|DATE)|STORAGE|DEMURRAGE)(?: [A-Z-]+){0,3}? (?:ATE|EXPIRES|ENDS|RUNS OUT|RUNS|UNTIL|TILL|IS|THROUGH|UP TO|TO|STARTS AFTER)(?: (?:ON|THE|AND|INCLUDING|END|OF)){0,3}:? `, `(?:FRANCHISE|FRANCO)[^.;]{0,30}? (?:JUSQU'AU|FINO AL) `, `(?:LAGERGELDFREI|STANDGELDFREI)(?: [A-Z]+)? BIS(?: ZUM)? `, `LIBRE[A-Z ]{0,30}? HASTA(?: EL)? `, `LFD:? `},
		"pickup_number":     {`(?:PICK[ -]?UP|RELEASE|COLLECTION)(?: (?:NUMBER|NO\.?|REF\.?|REFERENCE|CODE|PIN))?(?: ?#| ?:| IS| NO\.?)+ `, `\bPIN(?: CODE)?(?: IS|:)? `, `(?:PICK[ -]?UP|RELEASE|COLLECTION) (?:NUMBER|NO\.?|REF\.?|REFERENCE|CODE|PIN) `},
		"empty_return":      {`(?:RETURN|REDELIVER|BRING|TURN IN|DROP|RENDRE|RESTITUER|DEVOLVER|DEVUELVASE)(?: (?:THE|LE|EL))? (?:EMPTY|EMPTIES|VIDE|VACIO)(?: CONTAINERS?| UNITS?| BOX(?:ES)?)?(?: BACK)? (?:TO|AT|IN|A|AU|EN)(?: THE)? `, `EMPT(?:Y|IES)(?: CONTAINERS?| UNITS?)?(?: (?:IS|ARE|TO|BE|MUST|GOES?))*(?: (?:RETURN(?:ED)?|RESTITUTED|REDELIVER(?:ED)?|BACK|TURNED IN|GO))+ (?:TO|AT|IN)(?: THE)? `, `LEERCONTAINER (?:AN|ZURUCK AN) `},
		"empty_pickup":      {`EMPT(?:Y|IES)(?: CONTAINERS?| UNITS?| EQUIPMENT| BOXES)?(?: (?:IS|ARE|TO|BE|CAN|MAY|WILL|NOW))* (?:DRAWN|COLLECTED|PICKED UP|RELEASED|TAKEN|AVAILABLE|LIFTED|UPLIFTED)(?: (?:AT|FROM|EX|IN))(?: THE)? `, `(?:VIDES?|VACIOS?|VUOTI|LEERCONTAINER)[^.;]{0,40}? (?:AU DEPOT|AL DEPOSITO|EN EL DEPOSITO|PRESSO|IM DEPOT|BEI) `, `(?:PICK UP|COLLECT|DRAW|LIFT|TAKE)(?: THE)? EMPT(?:Y|IES)(?: CONTAINERS?| UNITS?)? (?:AT|FROM|EX)(?: THE)? `},
		"eta":               {`(?:\bETA|ARRIVE[SD]?|ARRIVAL|DUE|ARRIVING|LLEGADA|ARRIVEE)\b[^.;]{0,60}? (?:ON OR ABOUT|ON|ABOUT|EL|LE) (?:THE )?`, `\bETA(?: [A-Z]+)?:? `},
		"etd":               {`(?:\bETD|SAILS?|SAILING|SAILED|DEPARTS?|DEPARTURE|LEAVES?|LEAVING)\b[^.;]{0,60}? (?:ON OR ABOUT|ON|ABOUT) (?:THE )?`, `\bETD(?: [A-Z]+)?:? `, `(?:AU DEPART|ABFAHRT|SALIDA|PARTENZA|VERTREK|ZARPE)\b[^.;]{0,40}? (?:LE|AM|EL|IL|OP) `},
		"port_of_discharge": {`(?:ARRIVE[SD]?|ARRIVAL|DUE|ARRIVING|DISCHARGED?|BOUND|LANDED)(?: TO ARRIVE)? (?:AT|IN|FOR)(?: THE)?(?: PORT OF)? `, `\bTO BE LANDED AT `, `\bDUE (?:IN|AT) `, `(?:A DESTINATION DE|CON DESTINO A|CON DESTINAZIONE|NACH|NAAR|A DESTINO DE) `},
		"port_of_lading":    {`LYING (?:IN|AT)(?: THE)?(?: PORT OF)? `, `LOADED(?: ON BOARD)? (?:AT|IN)(?: THE)?(?: PORT OF)? `, `(?:SHIPPED|SAILING|SAILED) FROM `, `VOY(?:AGE)?\.?,? [A-Z0-9/-]+,? FROM `, `(?:AU DEPART D[E'] ?|SALIDA DE|DESDE|PARTENZA DA|ABFAHRT (?:AB|VON)|\bAB) `},
		"place_of_delivery": {`(?:FINAL DESTINATION|FOR DELIVERY|ON[- ]CARRIAGE|FORWARDED|TO BE DELIVERED|THENCE)(?: (?:IS|TO|AT|IN))*:? `},
		"place_of_receipt":  {`(?:RECEIVED|TAKEN IN CHARGE) (?:AT|IN) `},
		"bl_number":         {`(?:OCEAN B/?L|MASTER B/?L|\bMBL|OCEAN BILL OF LADING|MASTER BILL(?: OF LADING)?|CONOCIMIENTO|CONNAISSEMENT|KONNOSSEMENT)(?: (?:NO\.?|NUMBER|NR\.?|N))?[ :#]+`, `(?:BILL OF LADING|\bB/L)(?: (?:NO\.?|NUMBER))?[ :#]+`},
		"hbl_number":        {`(?:HOUSE B/?L|\bHBL|HOUSE BILL(?: OF LADING)?)(?: (?:NO\.?|NUMBER|NR\.?))?[ :#]+`},
		"booking_number":    {`(?:\bBOOKING|\bBKG|RESERVA(?:TION)?|BUCHUNG(?:SNUMMER)?|PRENOTAZIONE|BOEKING)(?: (?:NO\.?|NUMBER|REF\.?|NBR|N|NR\.?|NUMERO))?[ :#.]+`},
		"si_cutoff":         {`(?:INSTRUCTIONS|INSTRUCCIONES|ISTRUZIONI|INSTRUKTIONEN|DOKUMENTE)[^.;]{0,40}? (?:AVANT LE|ANTES DEL|ENTRO IL|BIS(?: ZUM)?) `, `\bS/?I(?: [A-Z-]+){0,2}?:? `, `SHIPPING INSTRUCTIONS?[^.;]{0,30}? (?:BY|BEFORE|UNTIL) `, `SHIPPING INSTRUCTIONS?(?: [A-Z-]+){0,4}?:? `, `DOCUMENTS?(?: [A-Z-]+){0,3}?:? `},
		"vgm_cutoff":        {`\bVGM\)?[^.;]{0,30}? (?:AVANT LE|ANTES DEL|ENTRO IL|BIS(?: ZUM)?) `, `\bVGM(?: [A-Z-]+){0,3}?:? `, `VERIFIED GROSS MASS[^.;]{0,30}? (?:BY|BEFORE|UNTIL) `, `VERIFIED GROSS MASS(?: [A-Z-]+){0,3}?:? `},
		"cy_cutoff":         {`\b(?:CY|TERMINAL|GATE[- ]IN|FULL CONTAINERS?|CARGO|PORT)(?: [A-Z-]+){0,4}? (?:CLOS[A-Z]+|CUT-?OFF|BY|UNTIL|LATEST|DEADLINE)(?: (?:IS|ON|AT|THE))*:? `, `(?:FULL ONES|FULL CONTAINERS?|LADEN CONTAINERS?|CONTAINERS?)[^.;]{0,40}? (?:BEFORE|BY|UNTIL) `, `(?:CLOSING|CUT-?OFF):? `, `(?:CLOTURE|CIERRE|CHIUSURA|ANLIEFERUNG)[^.;]{0,50}? (?:AU|LE|EL|AL|IL|BIS(?: ZUM)?) `},
		"customs_cutoff":    {`\bCUSTOMS(?: [A-Z-]+){0,4}?:? `},
		"invoice_number":    {`\bZUR RECHNUNG(?: NR\.?)? `, `\bINV(?:OICE|\.)?(?: (?:NO\.?|NUMBER|NR\.?))?[ :#]+`},
		"po_number":         {`\b(?:P\.?O\.?|PURCHASE ORDER|YOUR ORDER)(?: (?:NO\.?|NUMBER))?[ :#]+`},
		"issue_date":        {`(?:SIGNED|ISSUED|DATED|GIVEN) (?:AT|IN) [^.;]{3,40}? (?:THIS|ON)(?: THE)? `},
		"issue_place":       {`(?:DATED|GIVEN|SIGNED|ISSUED) (?:AT|IN) `},
		"originals":         {`(?:SIGNED|ISSUED|AFFIRMED) `, ` IN (?:A SET OF )?`},
		"on_board_date":     {`ON BOARD(?: (?:ON|DATE|THE VESSEL ON))?:? `},
	} {
		for _, e := range list {
			all[field] = append(all[field], newExpression(e))
		}
	}
	return all
}()

// inProse finds a field in running text by its leads.
func (r *reader) inProse(f *field) []found {
	for _, lead := range leads[f.name] {
		for _, p := range r.running {
			for _, m := range lead.FindAllStringIndex(p.text, 20) {
				if words := p.from(m[1]); len(words) > 0 {
					if v, ok := r.said(f, words); ok {
						return []found{v}
					}
				}
			}
		}
	}
	return nil
}

// sureInProse is the confidence of a value in a sentence.
const sureInProse = 0.75

// said reads the value of a field at the start of words of a sentence.
func (r *reader) said(f *field, words []*word) (found, bool) {
	first := strings.Trim(words[0].Text, "(,;:")
	switch f.kind {
	case tracking.FieldText:
		words = nameIn(words)
		if len(words) == 0 || letters(textOf(words)) < 3 {
			return found{}, false
		}
		name := strings.TrimRight(textOf(words), ",;:")
		return found{words: words, value: name, normal: name, confidence: sureInProse}, true
	case tracking.FieldDate, tracking.FieldTime:
		if !containsDigit(first) && monthOf(fold(first)) == 0 && !weekdays[strings.Trim(fold(first), ".,")] {
			return found{}, false
		}
		words = words[:min(len(words), 7)]
		normal, _, ok := r.marks.date(textOf(words))
		if f.kind == tracking.FieldDate {
			normal = date(normal)
		}
		return found{words: words, value: textOf(words), normal: normal, confidence: sureInProse}, ok
	case tracking.FieldPlace:
		words = nameIn(words)
		if code, known := place(textOf(words)); !known || code == "" {
			for n := len(words); n > 0; n-- {
				if code, known = place(strings.TrimRight(textOf(words[:n]), ",.;:")); known && code != "" {
					words = words[:n]
					break
				}
			}
			if code == "" {
				return found{}, false
			}
		}
	case tracking.FieldCount:
		p := words[0].pieces
		if len(words) < 2 || len(p) != 1 || len(words[1].pieces) == 0 || !slices.Contains([]string{"BILLS", "ORIGINAL", "ORIGINALS", "BS", "B"}, words[1].pieces[0]) {
			return found{}, false
		}
		words = words[:1]
	default:
		if !containsDigit(first) && (len(words) < 2 || !containsDigit(words[1].Text) || len(first) > 4) {
			return found{}, false
		}
		words = words[:min(len(words), 4)]
	}
	v, ok := r.value(f, words, &caption{})
	if !ok || v.normal == nil || v.confidence < 0.6 {
		return v, false
	}
	v.confidence = sureInProse
	return v, true
}

// sentenceWords continue a sentence in capitals after a name.
var sentenceWords = set(`AGAINST BEFORE WITH PLEASE CALL QUOTING UNDER FOR ON BY FROM UNTIL WHEN WHERE AFTER PLS`)

// gates continue the name of a yard after a comma.
var gates = set(`GATE DEPOT TERMINAL UNIT SUITE DOOR PIER YARD BERTH`)

var weekdays = set(`MONDAY TUESDAY WEDNESDAY THURSDAY FRIDAY SATURDAY SUNDAY MON TUE WED THU FRI SAT SUN`)

// nameIn are the words of a name that a sentence goes on with: up to a stop, and in
// text of small letters up to the first word that begins with one.
func nameIn(words []*word) []*word {
	for i, w := range words[:min(len(words), 9)] {
		switch {
		case strings.HasPrefix(w.Text, "(") && i > 0:
			if _, port := refdata.PortByCode(strings.Trim(w.Text, "().,;")); port {
				return words[:i+1]
			}
			return words[:i]
		case strings.IndexFunc(w.Text, unicode.IsLower) == 0 || i > 0 && sentenceWords[fold(w.Text)]:
			return words[:i]
		case strings.HasSuffix(w.Text, ";") || strings.HasSuffix(w.Text, ":") || strings.HasSuffix(w.Text, ".") && len(w.pieces) > 0 && (len(w.Text) > 2 || containsDigit(w.Text)):
			return words[:i+1]
		case strings.HasSuffix(w.Text, ",") && !(i+1 < len(words) && (len(strings.Trim(words[i+1].Text, ".,;")) <= 3 || gates[fold(words[i+1].Text)])):
			return words[:i+1]
		}
	}
	return words[:min(len(words), 9)]
}
