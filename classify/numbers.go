package classify

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/refdata"
)

// numbers is how a document writes numbers and dates.
type numbers struct {
	comma      bool // 1.234,50 and not 1,234.50
	monthFirst bool // 03/04 is the fourth of March
	open       bool // nothing on the paper decides monthFirst
	spaced     bool // 1 234,50
	// mass and cubic are the units that the whole document has, if there is but one.
	mass, cubic string
	dollar      string // the currency of "$"
}

// usual is the unit of a figure that has none itself.
func (n numbers) usual(volume bool) string {
	if volume {
		return n.cubic
	}
	return n.mass
}

var (
	europeanNumber = newExpression(`^\d{1,3}(\.\d{3})*,\d{1,2}$|^\d{1,3}(\.\d{3})+,\d+$|^\d+,\d{4,}$|^\d{4,},\d{1,3}$`)
	englishNumber  = newExpression(`^\d{1,3}(,\d{3})*\.\d{1,2}$|^\d{1,3}(,\d{3})+\.\d+$|^\d+\.\d{4,}$|^\d{4,}\.\d{1,3}$`)
	spacedNumber   = newExpression(`^\d{1,3} \d{3},\d{1,3}$`)
	slashedDate    = newExpression(`^(\d{1,2})[/-](\d{1,2})[/-](\d{4}|\d{2})$`)
	letterPage     = 612.0
)

// numbersOf infers from unambiguous numbers and dates how to read the ambiguous ones.
func numbersOf(s *layout) numbers {
	var commas, points, months, days, spaces int
	named := map[string]bool{}
	for _, l := range s.lines {
		for i, w := range l.words {
			if i > 0 && spacedNumber.MatchString(l.words[i-1].Text+" "+w.Text) && w.Box.Left-l.words[i-1].Box.Right < heightOf(w) {
				commas, spaces = commas+2, spaces+1 // 3 589,200
			}
			for _, p := range w.pieces {
				if len(p) > 1 && len(p) < 10 {
					named[unitsOf[strings.TrimLeft(p, "0123456789")]] = true
				}
			}
			if len(w.Text) < 3 || !containsDigit(w.Text) || !strings.ContainsAny(w.Text, ",./-") {
				continue
			}
			t := strings.Trim(w.Text, "()$€£:;,")
			switch {
			case strings.HasPrefix(t, "0,"):
				commas++
			case strings.HasPrefix(t, "0."):
				points++
			case europeanNumber.MatchString(t):
				commas++
			case englishNumber.MatchString(t):
				points++
			}
			switch order(t, l.words[max(i-1, 0):min(i+2, len(l.words))]) {
			case dayThenMonth:
				days++
			case monthThenDay:
				months++
			}
		}
	}
	n := numbers{dollar: "USD", comma: commas > points || commas == points && s.foreign(), monthFirst: months > days, spaced: spaces > 0}
	n.mass, n.cubic = only(named, "kg", "lb"), only(named, "m3", "ft3")
	if others := slices.DeleteFunc([]string{"CAD", "AUD", "NZD", "HKD", "SGD"}, func(c string) bool { return len(s.byPiece[c]) == 0 }); len(others) == 1 && len(s.byPiece["USD"]) == 0 {
		n.dollar = others[0]
	}
	if n.cubic == "" && !named["ft3"] && !named["lb"] {
		n.cubic = "m3"
	}
	if n.mass == "" && !named["lb"] && !named["kg"] {
		n.mass = "kg"
	}
	if months == days {
		// Papers for the United States mostly write months first: on their paper, or naming
		// what only they have.
		n.open = !s.foreign()
		n.monthFirst = n.open && (len(s.pages) > 0 && s.pages[0].Width == letterPage || s.hasPhrase("FIRMS") || s.hasPhrase("USA") || s.hasPhrase("UNITED", "STATES"))
	}
	return n
}

// only returns the one of two that is present, if the other is not.
func only(there map[string]bool, a, b string) string {
	switch {
	case there[a] && !there[b]:
		return a
	case there[b] && !there[a]:
		return b
	}
	return ""
}

// hasPhrase reports whether a line contains a phrase.
func (s *layout) hasPhrase(phrase ...string) bool {
	return slices.ContainsFunc(s.lines, func(l *line) bool { return has(piecesOf(l.words), phrase) })
}

func has(all, phrase []string) bool { return index(all, phrase) >= 0 }

func index(all, phrase []string) int {
	for i := 0; i+len(phrase) <= len(all); i++ {
		if startsWith(all[i:], phrase) {
			return i
		}
	}
	return -1
}

func startsWith(all, phrase []string) bool {
	if len(all) < len(phrase) {
		return false
	}
	for i, p := range phrase {
		if all[i] != p {
			return false
		}
	}
	return true
}

// spacedThousands is a number whose thousands are parted by blanks, and so its
// fraction by the comma.
var spacedThousands = newExpression(`^\d{1,3}(?: \d{3})+,\d+$`)

var decimalForm = newExpression(`^-?\d[\d.,' ]*\d$|^-?\d$`)

// decimal reads a number as a decimal without separators or idle zeros: "1250.5".
func (n numbers) decimal(s string) (string, bool) {
	s = strings.TrimSpace(s)
	if !decimalForm.MatchString(s) {
		return "", false
	}
	n.comma = n.comma || spacedThousands.MatchString(s)
	s = strings.ReplaceAll(strings.ReplaceAll(s, " ", ""), "'", "")
	point, thousand := ".", ","
	lastComma, lastPoint := strings.LastIndex(s, ","), strings.LastIndex(s, ".")
	switch {
	case lastComma >= 0 && lastPoint >= 0:
		if lastComma > lastPoint {
			point, thousand = ",", "."
		}
	case lastComma >= 0 && (n.comma || len(s)-lastComma != 4) && strings.Count(s, ",") == 1:
		point, thousand = ",", "."
	case lastPoint >= 0 && (n.comma && len(s)-lastPoint == 4 || strings.Count(s, ".") > 1):
		point, thousand = ",", "."
	}
	s = strings.ReplaceAll(s, thousand, "")
	whole, part, _ := strings.Cut(s, point)
	if _, err := strconv.ParseFloat(whole+"."+part, 64); err != nil || len(whole) > 15 || len(part) > 10 {
		return "", false
	}
	if whole = strings.TrimLeft(whole, "0"); whole == "" {
		whole = "0"
	}
	if part = strings.TrimRight(part, "0"); part != "" {
		whole += "." + part
	}
	return whole, true
}

var months = map[string]time.Month{
	"JAN": 1, "FEB": 2, "MAR": 3, "APR": 4, "MAY": 5, "JUN": 6, "JUL": 7, "AUG": 8, "SEP": 9, "OCT": 10, "NOV": 11, "DEC": 12,
	"ENE": 1, "ABR": 4, "AGO": 8, "DIC": 12, "FEV": 2, "AVR": 4, "MAI": 5, "JUIN": 6, "JUIL": 7, "AOU": 8, "MRZ": 3, "MAE": 3, "OKT": 10, "DEZ": 12, "SET": 9, "OUT": 10, "GEN": 1, "MAG": 5, "GIU": 6, "LUG": 7, "OTT": 10,
	"OCA": 1, "SUB": 2, "NIS": 4, "HAZ": 6, "TEM": 7, "AGU": 8, "EYL": 9, "EKI": 10, "KAS": 11, "ARA": 12, "MRT": 3, "MAA": 3, "MEI": 5,
}

var (
	isoDate     = newExpression(`\b(\d{4})(?:[-/.]|\s*年\s*)(\d{1,2})(?:[-/.]|\s*月\s*)(\d{1,2})(?:\s*日)?`)
	dayMonth    = newExpression(`\b(\d{1,2})(?:ST|ND|RD|TH)?[\s\-./]*(?:DE |OF )?([A-Z]{3,10})\.?(?: DE)?[\s\-.,/']*(\d{4}|\d{2})\b`)
	monthDay    = newExpression(`\b([A-Z]{3,10})\.?[\s\-./]*(\d{1,2})(?:ST|ND|RD|TH)?[\s\-.,/]+(\d{4})\b`)
	numericDate = newExpression(`\b(\d{1,2})([/.-])(\d{1,2})[/.-](\d{4}|\d{2})\b`)
	clockTime   = newExpression(`^[\s,/(T@|-]*(?:(?:MON|TUE|WED|THU|FRI|SAT|SUN)[A-Z]*[\s,]+)?(?:AT\s+|BY\s+|UM\s+|A\s+LAS\s+)?(\d{1,2})[:H](\d{2})(?::\d{2})?\s*(AM|PM|A\.M\.|P\.M\.)?|^[\s,/(@|-]+(?:AT\s+|BY\s+)?([01]\d|2[0-3])([0-5]\d)(?:\s*(?:HRS|HOURS|H|LT))?(?:\s|$)`)
)

// clockBefore is a time of day right before its date: "16:00 hrs / 12 MAR 2026".
var clockBefore = newExpression(`(?:^|\s)(?:(\d{1,2})[:H]([0-5]\d)(?:\s*(?:HRS|HOURS|H|LT|UHR))?|(\d{2})([0-5]\d)\s*(?:HRS|HOURS|H|LT|UHR))[\s,/|-]*(?:ON\s+)?$`)

// date finds the first date in a text, with the hour that follows it. rest is the length of
// the remaining text.
func (n numbers) date(s string) (normal string, rest int, ok bool) {
	s = fold(s)
	normal, at, end := n.dateIn(s)
	return normal, len(s) - (end - at), normal != ""
}

// dateIn finds the first date in a folded text, and where it is; "" for none.
func (n numbers) dateIn(s string) (normal string, at, end int) {
	day, month, year, at := 0, 0, 0, -1
	take := func(m []int, d, mo, y int) {
		if at < 0 || m[0] < at {
			day, month, year, at, end = d, mo, y, m[0], m[1]
		}
	}
	num := func(m []int, i int) int { v, _ := strconv.Atoi(s[m[2*i]:m[2*i+1]]); return v }
	if m := isoDate.FindStringSubmatchIndex(s); m != nil {
		take(m, num(m, 3), num(m, 2), num(m, 1))
	}
	if m := dayMonth.FindStringSubmatchIndex(s); m != nil {
		if mo := monthOf(s[m[4]:m[5]]); mo > 0 {
			take(m, num(m, 1), mo, num(m, 3))
		}
	}
	if m := monthDay.FindStringSubmatchIndex(s); m != nil {
		if mo := monthOf(s[m[2]:m[3]]); mo > 0 {
			take(m, num(m, 2), mo, num(m, 3))
		}
	}
	if m := numericDate.FindStringSubmatchIndex(s); m != nil && at < 0 {
		d, mo := num(m, 1), num(m, 3)
		if s[m[4]:m[5]] != "." && n.monthFirst && d <= 12 || mo > 12 {
			d, mo = mo, d
		}
		take(m, d, mo, num(m, 4))
	}
	if at < 0 {
		return "", 0, 0
	}
	if year < 100 {
		year += 2000
	}
	t := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
	if t.Day() != day || int(t.Month()) != month || year < 1990 || year > 2100 {
		return "", 0, 0
	}
	normal = t.Format("2006-01-02")
	if m := clockTime.FindStringSubmatch(s[end:]); m != nil {
		hour, minute := m[1]+m[4], m[2]+m[5]
		h, _ := strconv.Atoi(hour)
		if strings.HasPrefix(m[3], "P") && h < 12 {
			h += 12
		} else if strings.HasPrefix(m[3], "A") && h == 12 {
			h = 0
		}
		if h < 24 {
			normal += "T" + pad(h) + ":" + minute
			end += len(m[0])
		}
	} else if m := clockBefore.FindStringSubmatch(s[:at]); m != nil {
		if h, _ := strconv.Atoi(m[1] + m[3]); h < 24 {
			normal += "T" + pad(h) + ":" + m[2] + m[4]
			at -= len(m[0])
		}
	}
	return normal, at, end
}

func pad(n int) string {
	if n < 10 {
		return "0" + strconv.Itoa(n)
	}
	return strconv.Itoa(n)
}

func monthOf(name string) int {
	for _, size := range []int{4, 3} {
		if len(name) >= size {
			if m, ok := months[name[:size]]; ok {
				return int(m)
			}
		}
	}
	return 0
}

var unitsOf = map[string]string{
	"KG": "kg", "KGS": "kg", "KGM": "kg", "KILOS": "kg", "KILOGRAMS": "kg", "KGR": "kg", "K": "",
	"LB": "lb", "LBS": "lb", "POUNDS": "lb", "LBR": "lb",
	"CBM": "m3", "M3": "m3", "MTQ": "m3", "M": "", "CUM": "m3", "MC": "m3", "CUFT": "ft3", "CFT": "ft3", "CUF": "ft3", "CBMS": "m3", "KILO": "kg", "KILOGRAMME": "kg", "KILOGRAMM": "kg", "KILOGRAMOS": "kg", "FT3": "ft3", "CU": "",
}

var quantityForm = newExpression(`(\d{1,3}(?: \d{3})+,\d+|\d[\d.,']*)\s*([A-Z]+3?)?`)

// spacedQuantity is a quantity with blanks between thousands and no fraction.
var spacedQuantity = newExpression(`^(\d{1,3}(?: \d{3})+)( [A-Z]+3?)?\W*$`)

// unitAhead is a unit in brackets before its figure: "(m3) 18.98".
var unitAhead = newExpression(`^\(([A-Z]+3?)\) ?(\d.*)$`)

// tons are units of a thousand kilograms.
var tons = set(`MT TNE TON TONS TONNE TONNES MTS TONELADAS TONNEN`)

var unitSpellings = strings.NewReplacer("M³", "M3", "CU. M", "CBM", "CU.M", "CBM", "CU M", "CBM", "CU.FT", "CUFT", "CU FT", "CUFT", "M 3", "M3")

// quantity reads the first number with a unit of the wanted sort: "kg" and "lb" are
// one sort, "m3" and "ft3" the other. bare is the unit where none is printed.
func (n numbers) quantity(s, bare string, volume bool) (tracking.Quantity, bool) {
	s = unitSpellings.Replace(fold(s))
	if m := spacedQuantity.FindStringSubmatch(s); m != nil {
		s = strings.ReplaceAll(m[1], " ", "") + m[2]
	}
	if m := unitAhead.FindStringSubmatch(s); m != nil {
		s, bare = m[2], unitsOf[m[1]]
	}
	var found tracking.Quantity
	for _, at := range quantityForm.FindAllStringSubmatchIndex(s, -1) {
		m := []string{1: s[at[2]:at[3]], 2: ""}
		if at[4] >= 0 {
			m[2] = s[at[4]:at[5]]
		}
		value, ok := n.decimal(strings.TrimRight(m[1], ".,'"))
		if !ok || at[0] > 0 && 'A' <= s[at[0]-1] && s[at[0]-1] <= 'Z' {
			continue // or the figure of a unit, as in M3
		}
		unit := unitsOf[m[2]]
		tonnes := !volume && tons[m[2]]
		if tonnes {
			unit = "kg"
		}
		if unit == "" && m[2] == "" {
			unit = bare
		}
		if unit == "" || (unit == "m3" || unit == "ft3") != volume {
			continue
		}
		v, err := strconv.ParseFloat(value, 64)
		if err != nil {
			continue
		}
		if tonnes {
			v = math.Round(v*1e6) / 1e3
		}
		return tracking.Quantity{Value: v, Unit: unit}, true
	}
	return found, false
}

// unitIn finds a unit in a column's title or a caption.
func unitIn(pieces []string, volume bool) string {
	for i, p := range pieces {
		if volume && (p == "CUBIC" || p == "CUBICOS" || p == "CUBES" || p == "CUBI" || p == "KUBIKMETER") {
			if has(pieces, []string{"CUBIC", "FEET"}) || has(pieces, []string{"CUBIC", "FOOT"}) {
				return "ft3"
			}
			return "m3"
		}
		if p == "CU" && i+1 < len(pieces) {
			p += pieces[i+1]
			p = strings.Replace(p, "CUM", "CBM", 1)
		}
		if u := unitsOf[p]; u != "" && (u == "m3" || u == "ft3") == volume {
			return u
		}
	}
	return ""
}

var currencies = map[string]string{"$": "USD", "US$": "USD", "€": "EUR", "£": "GBP", "¥": "CNY", "RMB": "CNY"}

var currencyCodes = func() map[string]bool {
	codes := map[string]bool{}
	for _, c := range strings.Fields("USD EUR GBP CNY JPY KRW TWD HKD SGD MYR THB VND INR LKR AED TRY CHF CZK SEK NOK DKK PLN CAD MXN BRL CLP PEN ZAR AUD NZD IDR PHP SAR EGP COP ARS") {
		codes[c] = true
	}
	return codes
}()

// currencyIn finds a currency by its code or sign.
func currencyIn(s string) string {
	for _, w := range strings.FieldsFunc(fold(s), func(r rune) bool { return unicode.IsDigit(r) || strings.ContainsRune(" .,():/-", r) }) {
		if currencyCodes[w] {
			return w
		}
		if c, ok := currencies[w]; ok {
			return c
		}
	}
	return ""
}

var moneyForm = newExpression(`\d{1,3}(?: \d{3})+[,.]\d{2}\b|\d[\d.,']*\d|\d`)

// money reads the last amount of a text.
func (n numbers) money(s string) (tracking.Money, bool) {
	all := moneyForm.FindAllString(s, -1)
	if len(all) == 0 {
		return tracking.Money{}, false
	}
	amount, ok := n.decimal(all[len(all)-1])
	currency := currencyIn(s)
	if currency == "USD" && n.dollar != "" && !strings.Contains(s, "US") {
		currency = n.dollar
	}
	return tracking.Money{Amount: amount, Currency: currency}, ok
}

var containerForm = newExpression(`([A-Z]{3}[UJZ])[ -]?(\d{6})[ /-]{0,3}(\d)(?:\D|$)|([A-Z]{3}[UJZ])[ -]?(\d{3})[ ](\d{3})[ -]?(\d)(?:\D|$)`)

// containers finds the container numbers with a valid check digit in a text, and their
// positions.
func containersIn(s string) (found []string, at [][2]int) {
	for _, m := range containerForm.FindAllStringSubmatchIndex(s, -1) {
		var b strings.Builder
		end := 0
		for g := 1; g <= 7; g++ {
			if m[2*g] >= 0 {
				b.WriteString(s[m[2*g]:m[2*g+1]])
				end = m[2*g+1]
			}
		}
		if valid, _ := refdata.CheckDigit(b.String()); valid {
			found, at = append(found, b.String()), append(at, [2]int{m[0], end})
		}
	}
	return found, at
}
