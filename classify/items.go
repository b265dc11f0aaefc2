package classify

import (
	"strings"

	"github.com/landfallhq/tracking"
)

// An item of goods as a block of lines: number and description, then values with a word
// for what they are.
var (
	itemForm   = newExpression(`^(?:(?:ITEM|POS|LOT|LINE|ART|NO|ITEM NO)[. ]*\d{1,3}|\d{1,3}[).])[ :.-]*(\pL.{2,})$`)
	itemFields = map[string]*expression{
		"net_weight":   newExpression(`\b(?:N\.? ?W\.?|NETT?O?(?: WEIGHT| WT\.?|GEWICHT)?|PESO (?:NETTO|NETO|LIQUIDO)|POIDS NET)[ .:]*(\d[\d.,]*(?: ?(?:KGS?|KGM|LBS?))?)`),
		"gross_weight": newExpression(`\b(?:G\.? ?W\.?|GROSS(?: WEIGHT| WT\.?)?|BRUTTO(?:GEWICHT)?|PESO (?:BRUTO|LORDO)|POIDS BRUT)[ .:]*(\d[\d.,]*(?: ?(?:KGS?|KGM|LBS?))?)`),
		"volume":       newExpression(`\b(?:MEAS[A-Z'.]*|VOLUMEN?|VOL\.?|CUB(?:E|AGEM?|ATURA))[ .:]*(\d[\d.,]*(?: ?(?:CBM|M3|CUFT|CFT))?)`),
		"packages":     newExpression(`\b(?:CARTONS?|CTNS?|PACKAGES|PKGS|CASES|BAGS|PALLETS|BOXES)[ :]+(\d[\d.,]*)|\b(\d[\d.,]*) ?(?:CARTONS?|CTNS?|PACKAGES|PKGS|CASES|BAGS|PALLETS|BOXES)\b`),
		"quantity":     newExpression(`\b(?:QTY|QUANTITY)[ :]+(\d[\d.,]*)|(?:CARTONS?|CTNS?|PACKAGES|PKGS|CASES|BAGS|PALLETS|BOXES), (\d[\d.,]*) ?[A-Z]`),
	}
)

// hasWeights reports whether a line has both weights.
func hasWeights(l *line) bool {
	text := fold(textOf(l.words))
	return itemFields["net_weight"].MatchString(text) && itemFields["gross_weight"].MatchString(text)
}

// findItems finds goods that no table has, but numbered blocks, each with its weights, or lines with
// their weights below.
func findItems(r *reader) []found {
	f := r.rules.field("lines")
	var rows []tracking.DocumentFields
	for n := 0; n < len(r.lines); n++ {
		l := r.lines[n]
		text := textOf(l.words)
		m := itemForm.FindStringSubmatchIndex(fold(text))
		if m == nil || len(fold(text)) != len(text) {
			continue
		}
		var block []string
		bottom := l.bottom
		for _, next := range r.lines[n+1:] {
			if next.page != l.page || next.top-bottom > 1.5*r.height || itemForm.MatchString(fold(textOf(next.words))) || sumOf(next) != "" || len(block) > 5 {
				break
			}
			block = append(block, fold(textOf(next.words)))
			bottom = next.bottom
		}
		if row := r.item(f, l, text[m[2]:m[3]], strings.Join(block, " ")); len(row) > 2 {
			rows = append(rows, row)
		}
	}
	if len(rows) == 0 {
		rows = r.weighedItems(f)
	}
	if len(rows) == 0 {
		return nil
	}
	return []found{{rows: rows, confidence: 1}}
}

// weighedItems finds goods in lines of their own, each with its weights in the line below it.
func (r *reader) weighedItems(f *field) (rows []tracking.DocumentFields) {
	for n, l := range r.lines[:max(0, len(r.lines)-1)] {
		next, text := r.lines[n+1], textOf(l.words)
		if !hasWeights(next) || hasWeights(l) || sumOf(next) != "" || len(r.byLine[l]) > 0 || letters(text) < 4 || packageForm.MatchString(fold(text)) {
			continue
		}
		if row := r.item(f, l, text, fold(textOf(next.words))); len(row) > 2 {
			rows = append(rows, row)
		}
	}
	return rows
}

// item reads one block; without both weights it is none.
func (r *reader) item(f *field, l *line, description, block string) tracking.DocumentFields {
	at := columnOf(f, "description")
	if at < 0 {
		return nil
	}
	row := tracking.DocumentFields{found{words: l.words, value: description, normal: description, confidence: 0.8}.field(&f.columns[at])}
	weights := 0
	for i := range f.columns {
		c := &f.columns[i]
		form := itemFields[c.name]
		if form == nil {
			continue
		}
		m := form.FindStringSubmatch(block)
		if m == nil && c.name == "packages" {
			m = packageForm.FindStringSubmatch(block)
		}
		if m == nil {
			continue
		}
		value := strings.TrimRight(strings.Join(m[1:], ""), ".,")
		v := found{words: l.words, value: value, confidence: 0.8}
		if c.kind == tracking.FieldQuantity {
			q, ok := r.marks.quantity(value, r.marks.usual(c.name == "volume"), c.name == "volume")
			if !ok {
				continue
			}
			v.normal = q
			if c.name != "volume" {
				weights++
			}
		} else {
			counted, ok := r.count(found{words: []*word{{TextWord: tracking.TextWord{Text: value}}}}, c)
			if !ok {
				continue
			}
			v.normal = counted.normal
		}
		row = append(row, v.field(c))
	}
	if weights < 2 {
		return nil
	}
	return inOrder(f, row)
}
