package classify

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/landfallhq/tracking"
)

// found is a possible value of a field.
type found struct {
	words      []*word
	value      string
	normal     any
	confidence float64
	rows       []tracking.DocumentFields
	weak       bool // its caption may mean another field
}

// reader reads the fields of one type from one document.
type reader struct {
	*layout
	rules     *rules
	columns   map[*field]captionIndex // of the columns of tables
	captions  []*caption
	byLine    map[*line][]*caption
	captionOf map[*word]*caption // of which a word is part
	taken     map[*word]bool     // words of tables, which are not captions or values of other fields
	inline    bool               // see valuesInline
	under     bool               // see captionsUnder
	beside    bool               // see valuesBeside
	doubtful  map[*word]bool     // words whose row or column is guessed
	other     map[*word]bool     // words of columns for other weights than those of the goods
	running   []passage          // its sentences
	kept      map[string][]found
	alone     func() bool // the document has one container
}

// read reads all fields, or those that it finds before ctx is done.
func (r *reader) read(ctx context.Context) tracking.DocumentFields {
	r.kept = map[string][]found{}
	r.running = r.passages()
	for i := range r.rules.fields {
		f := &r.rules.fields[i]
		if f.kind == tracking.FieldTable {
			rows := r.table(f)
			if len(rows) > 0 && f.key == "number" {
				rows = r.complete(f, rows)
			}
			if len(rows) > 0 {
				r.kept[f.name] = []found{{rows: rows, confidence: 1}}
			}
		}
	}
	for _, c := range r.captions {
		if ctx.Err() != nil {
			return nil
		}
		if c.field == nil || c.field.kind == tracking.FieldTable || r.taken[c.words[0]] {
			continue
		}
		for name, v := range r.values(c) {
			r.kept[name] = append(r.kept[name], v)
		}
	}
	r.further("port_of_discharge", "place_of_delivery")
	r.further("port_of_lading", "place_of_receipt")
	for i := range r.rules.fields {
		f := &r.rules.fields[i]
		if _, present := best(r.kept[f.name]); f.find != nil && !present {
			r.kept[f.name] = f.find(r)
		}
		if _, present := best(r.kept[f.name]); !present && len(leads[f.name]) > 0 {
			r.kept[f.name] = r.inProse(f)
		}
	}
	if number, day, ok := r.ownNumber(); ok {
		own := owns[r.rules.code]
		r.kept[own], r.kept["issue_date"] = append(r.kept[own], number), append(r.kept["issue_date"], day)
	}
	if _, known := best(r.kept["bl_number"]); !known && slices.ContainsFunc(r.rules.fields, func(f field) bool { return f.name == "bl_number" }) {
		r.kept["bl_number"] = r.billOfLine()
	}
	if _, known := best(r.kept[owns[r.rules.code]]); !known {
		if number, ok := r.headNumber(); ok {
			r.kept[owns[r.rules.code]] = []found{number}
		}
	}
	r.issued()
	var fields tracking.DocumentFields
	chosen := map[string]found{}
	for i := range r.rules.fields {
		f := &r.rules.fields[i]
		if f.parts != nil {
			continue
		}
		if v, ok := best(r.kept[f.name]); ok {
			if f.name == "total" {
				v = r.largest(r.kept[f.name], v)
			}
			if r.rules.code == packingList.code {
				v = sum(r.kept[f.name], v)
			}
			chosen[f.name] = v
		}
	}
	for i := range r.rules.fields {
		f := &r.rules.fields[i]
		if v, ok := chosen[f.name]; ok && f.parts == nil && !r.claimed(f, v, chosen) {
			fields = append(fields, v.field(f))
		}
	}
	return r.finish(fields)
}

// claimed reports whether a number or date is the value of another field with more
// confidence.
func (r *reader) claimed(f *field, v found, chosen map[string]found) bool {
	if !numeric(f) || f.kind == tracking.FieldMoney || f.kind == tracking.FieldQuantity || len(v.words) == 0 {
		return false
	}
	for i := range r.rules.fields {
		o := &r.rules.fields[i]
		if other, ok := chosen[o.name]; ok && o.name != f.name && o.kind != tracking.FieldText && numeric(o) && len(other.words) > 0 && other.words[0] == v.words[0] && other.confidence > v.confidence+0.02 {
			return true
		}
	}
	return false
}

// further reads "Destination" as the place after the port of discharge if that has a caption
// of its own, and "From" as the place before the port of loading.
func (r *reader) further(port, place string) {
	plain, ok := best(r.kept[port])
	if !ok || plain.weak || len(r.kept[place]) > 0 {
		return
	}
	for _, v := range r.kept[port] {
		if v.weak {
			r.kept[place] = append(r.kept[place], v)
		}
	}
}

// best is the first value with the highest confidence.
func best(all []found) (found, bool) {
	if len(all) == 0 {
		return found{}, false
	}
	b := slices.MaxFunc(all, func(a, b found) int { return cmp.Compare(a.confidence, b.confidence) })
	for _, v := range all {
		if v.confidence >= b.confidence {
			b = v
			break
		}
	}
	return b, b.confidence >= fieldThreshold
}

// largest is the largest amount among the values with the highest confidence: the total, and
// not a subtotal or tax.
func (r *reader) largest(all []found, best found) found {
	amount := func(v found) float64 {
		m, _ := v.normal.(tracking.Money)
		x, _ := strconv.ParseFloat(m.Amount, 64)
		return x
	}
	for _, v := range all {
		if v.confidence >= min(0.7, best.confidence) && amount(v) > amount(best) {
			best = v
		}
	}
	return best
}

// sum is the largest figure among the values with the highest confidence: that of all
// packages, and not of one.
func sum(all []found, best found) found {
	figure := func(v found) float64 {
		switch n := v.normal.(type) {
		case tracking.Quantity:
			return n.Value
		case int64:
			return float64(n)
		}
		return 0
	}
	for _, v := range all {
		if v.confidence >= best.confidence-0.02 && figure(v) > figure(best) {
			best = v
		}
	}
	return best
}

// fieldThreshold is the minimum confidence of a value.
const fieldThreshold = 0.5

// valueLength is the maximum number of characters of a value.
const valueLength = 2000

// clip cuts a text after valueLength characters.
func clip(s string) string {
	if len(s) <= valueLength {
		return s
	}
	n := 0
	for i := range s {
		if n == valueLength {
			return s[:i]
		}
		n++
	}
	return s
}

func (v found) field(f *field) tracking.DocumentField {
	v.value = clip(v.value)
	if text, ok := v.normal.(string); ok {
		v.normal = clip(text)
	}
	for _, w := range v.words {
		if w.Confidence > 0 {
			v.confidence = min(v.confidence, w.Confidence) // recognised in a picture
		}
	}
	if text, ok := v.normal.(string); ok && len(v.words) > 0 && v.words[0].recognized {
		if mended := mendReference(f, text); mended != text {
			v.normal, v.confidence = mended, min(v.confidence, unsure)
		}
	}
	d := tracking.DocumentField{Name: f.name, Kind: f.kind, Value: v.value, Normal: v.normal, Confidence: round(v.confidence), Rows: v.rows}
	if len(v.words) > 0 {
		d.Page, d.Box = v.words[0].page, roundBox(boxAround(v.words))
	}
	return d
}

// values reads the values of a caption, by field.
func (r *reader) values(c *caption) map[string]found {
	all := map[string]found{}
	if c.field.parts != nil {
		for _, words := range r.places(c) {
			if parts := r.split(c.field.parts, words.words); len(parts) > 0 {
				for name, v := range parts {
					v.confidence *= words.sure
					all[name] = v
				}
				return all
			}
		}
		if parts := r.split(c.field.parts, r.above(c)); len(parts) == len(c.field.parts) {
			for name, v := range parts {
				v.confidence *= overLine
				all[name] = v
			}
		}
		return all
	}
	if len(c.also) > 0 {
		return r.several(c)
	}
	var tried []found
	for _, p := range r.places(c) {
		if v, ok := r.value(c.field, p.words, c); ok {
			v.confidence *= p.sure
			tried = append(tried, v)
		}
	}
	v, ok := best(tried)
	if !ok && strict(c.field) {
		if v, ok = r.value(c.field, r.above(c), c); ok {
			v.confidence *= overLine
			ok = v.confidence >= fieldThreshold && v.normal != nil
		}
	}
	if !ok {
		return all
	}
	if c.phrase == "GIST OF" || c.field.name == owns[r.rules.code] && r.isTitle(c) {
		v.confidence *= 0.9
	}
	if c.field.name == "freight_terms" && r.isColumnTitle(v.words[0]) {
		return all
	}
	if c.field.kind == tracking.FieldTime {
		v = r.withHourBelow(v)
	}
	if weak[c.phrase] {
		v.confidence, v.weak = 0.75*v.confidence, true
	}
	if text := strings.ToUpper(v.value); strings.HasPrefix(text, "SAME AS") && c.field.name != "notify_party" {
		return all // the caption names it
	}
	if strings.HasPrefix(c.phrase, "CONTRACT") || strings.HasPrefix(c.phrase, "OUR REF") || c.phrase == "REFERENCE NUMBER" {
		v.confidence *= 0.97
	}
	if first, _, _ := strings.Cut(c.phrase, " "); (first == "CONSIGNEE" || first == "SHIPPER") && !strings.HasPrefix(strings.ToUpper(c.field.name), first) {
		v.confidence *= 0.97 // a buyer's own caption is better
	}
	if m := firmsBehind.FindStringSubmatch(v.value); c.field.name == "terminal" && m != nil {
		all["firms_code"] = found{words: v.words[len(v.words)-1:], value: m[2], normal: m[2], confidence: 0.9 * v.confidence}
		v.value, v.normal = m[1], m[1]
	}
	all[c.field.name] = v
	if c.field.name == owns[r.rules.code] {
		// The date may follow the number.
		if rest := r.behind(v.words); len(rest) > 0 && len(rest) < 6 {
			if day, more, ok := r.marks.date(textOf(rest)); ok && more < 6 {
				all["issue_date"] = found{words: rest, value: textOf(rest), normal: date(day), confidence: 0.85}
			}
		}
	}
	if c.field.name == "vessel" {
		// The voyage may follow the name.
		words := trimmed(rowsOf(v.words)[0])
		if rest := r.behind(words); len(rest) > 0 {
			if voyage, ok := splitVoyage(append(slices.Clone(words), rest...))["voyage"]; ok {
				voyage.confidence *= 0.9 * v.confidence
				all["voyage"] = voyage
			}
		}
	}
	return all
}

// lineOf is the line of a word.
func (r *reader) lineOf(w *word) *line {
	i := slices.IndexFunc(r.lines, func(l *line) bool { return l.page == w.page && slices.Contains(l.words, w) })
	if i < 0 {
		return nil
	}
	return r.lines[i]
}

// isColumnTitle reports whether a word is in a line of titles that names both terms of freight.
func (r *reader) isColumnTitle(w *word) bool {
	l := r.lineOf(w)
	if l == nil {
		return false
	}
	terms := map[string]bool{}
	for _, c := range l.cells {
		if t := freightIn(c.pieces); t != "" && len(c.pieces) == 1 {
			terms[t] = true
		}
	}
	return len(terms) > 1
}

// withHourBelow adds the time of day in the line below a date.
func (r *reader) withHourBelow(v found) found {
	if day, _ := v.normal.(string); strings.Contains(day, "T") {
		return v
	}
	l := r.lineOf(v.words[0])
	if l == nil || l.at+1 >= len(r.lines) {
		return v
	}
	box, next := boxAround(v.words), r.lines[l.at+1]
	for _, c := range next.cells {
		if next.page != l.page || next.top-l.bottom > r.height || c.left() > box.Right || c.right() < box.Left || !clockCell.MatchString(fold(textOf(c.words))) {
			continue
		}
		words := slices.Concat(v.words, c.words)
		if normal, _, ok := r.marks.date(textOf(words)); ok && strings.Contains(normal, "T") {
			v.words, v.value, v.normal = words, textOf(words), normal
		}
	}
	return v
}

// isTitle reports whether a caption is the name of the document, whose number has a caption of its
// own.
func (r *reader) isTitle(c *caption) bool {
	return c.whole() && c.at == 0 && slices.ContainsFunc(r.rules.cues, func(q cue) bool {
		return q.heading > 3 && q.phrase == strings.Join(c.line.cells[c.cell].pieces, " ")
	})
}

// several reads the values of a caption for several fields: one for each, or none.
func (r *reader) several(c *caption) map[string]found {
	all := map[string]found{}
	for _, p := range r.places(c) {
		parts := partsOf(rowsOf(p.words)[0], 1+len(c.also))
		if len(parts) != 1+len(c.also) {
			continue
		}
		for i, f := range slices.Concat([]*field{c.field}, c.also) {
			if len(parts[i]) == 0 {
				continue
			}
			if v, ok := r.value(f, parts[i], c); ok {
				v.confidence *= 0.95 * p.sure
				all[f.name] = v
			}
		}
		return all
	}
	return all
}

// partsOf splits words at slashes, or at other words between two names, into the wanted
// number of parts.
func partsOf(words []*word, want int) (parts [][]*word) {
	for _, between := range [][]string{{"/", "|", "//"}, {"-", "–", "—", "→", ">", "->", "TO", "to"}} {
		parts = [][]*word{nil}
		for _, w := range words {
			if slices.Contains(between, w.Text) {
				parts = append(parts, nil)
				continue
			}
			parts[len(parts)-1] = append(parts[len(parts)-1], w)
		}
		if len(parts) == want {
			return parts
		}
	}
	// "SHANGHAI/ROTTERDAM"
	for i, w := range words {
		if before, after, ok := strings.Cut(w.Text, "/"); ok && want == 2 && !strings.Contains(after, "/") {
			first, second := cutWord(w, before), cutWord(w, after)
			return [][]*word{append(slices.Clone(words[:i]), first...), append(second, words[i+1:]...)}
		}
	}
	return parts
}

// cutWord is a part of a word as a word of its own, if it is not empty.
func cutWord(w *word, text string) []*word {
	if text == "" {
		return nil
	}
	part := *w
	part.Text, part.pieces = text, pieces(text)
	return []*word{&part}
}

// weak are ambiguous captions: any other caption of the field is better.
var weak = map[string]bool{
	"N": true, "NR": true, "NUMMER": true, "OUR REF": true, "MAIL SENT": true, "OUR REF NO": true, "OUR REFERENCE": true, "FROM": true, "TO": true, "DESTINATION": true, "ORIGIN": true, "AT": true, "NO": true, "NUMBER": true, "DELIVERY": true, "RECEIPT": true, "SHIP": true, "DEPARTURE": true, "TERMS": true, "VALID UNTIL": true, "VALIDA HASTA": true, "VALIDO HASTA": true, "VALABLE JUSQU AU": true, "GULTIG BIS": true, "VALIDO FINO AL": true, "GELDIG TOT": true,
}

// behind are the words after others in their cell.
func (r *reader) behind(words []*word) []*word {
	last := words[len(words)-1]
	for _, l := range r.lines {
		if l.page != last.page || l.top > last.Box.Bottom || l.bottom < last.Box.Top {
			continue
		}
		for _, c := range l.cells {
			if i := slices.Index(c.words, last); i >= 0 {
				return c.words[i+1:]
			}
		}
	}
	return nil
}

// candidate are words that may be the value of a caption.
type candidate struct {
	words []*word
	sure  float64
}

// places are where the value of a caption may be, the likeliest first: in its cell, in the
// next, or below.
func (r *reader) places(c *caption) []candidate {
	if rest := c.rest(); len(rest) > 0 && len(rest) < 5 && strings.Contains(c.phrase, " ") && numeric(c.field) && !containsDigit(textOf(rest)) && len(r.until(c, rest)) == len(rest) {
		// No figure: the words are of a longer caption, as "Total CIF Hamburg".
		longer := *c
		longer.after = len(c.line.cells[c.cell].words)
		longer.words = c.line.cells[c.cell].words[c.at:]
		c = &longer
	}
	if r.under && c.whole() && !c.colon {
		if words := r.over(c); len(words) > 0 {
			return []candidate{{words, 0.9}}
		}
		return nil
	}
	all, ok := r.enclosed(c)
	if ok {
		return all
	}
	if words := r.around(c); len(words) > 0 {
		return []candidate{{words, 0.9}}
	}
	if rest := r.until(c, c.rest()); len(rest) > 0 {
		sure := 0.97
		if !c.colon {
			switch {
			case strict(c.field) || len(c.field.parts) > 0:
				sure = 0.85
			case unlike(c.words, rest), r.inline && strings.Contains(c.phrase, " "):
				sure = 0.6
			default:
				sure = 0.45
			}
		}
		all = append(all, candidate{r.appendLinesBelow(c, rest), sure})
		if c.colon || sure > 0.5 {
			return all
		}
	}
	right, below := r.right(c), r.below(c)
	r1, b1 := 0.95, 0.95
	if c.colon || r.beside {
		b1 = 0.8
	} else {
		r1 = 0.8
	}
	if len(right) > 0 && len(below) > 0 {
		// Words directly below a caption are nearer than words far to its right.
		box, to := boxAround(c.words), boxAround(below)
		if height := heightOf(c.words[0]); !r.beside && abs(to.Left-box.Left) < 0.7*height && to.Top-box.Bottom < 0.7*height && right[0].Box.Left-box.Right > 6*height {
			r1, b1 = 0.8, 0.95
		}
	}
	if len(right) > 0 {
		all = append(all, candidate{right, r1})
	}
	if len(below) > 0 {
		all = append(all, candidate{below, b1})
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(b.sure, a.sure) })
	return all
}

// numeric reports whether every value of a field contains a digit.
func numeric(f *field) bool {
	switch f.kind {
	case tracking.FieldMoney, tracking.FieldDate, tracking.FieldTime, tracking.FieldQuantity, tracking.FieldBL, tracking.FieldHouseBL, tracking.FieldBooking, tracking.FieldReference, tracking.FieldShip:
		return true
	}
	return false
}

// unlike reports whether a value is in capitals and its caption is not.
func unlike(caption, value []*word) bool {
	lower := func(words []*word) bool { return strings.ContainsFunc(textOf(words), unicode.IsLower) }
	return lower(caption) && !lower(value) && letters(textOf(value)) > 2
}

// until cuts words before the next caption of the line.
func (r *reader) until(c *caption, words []*word) []*word {
	for i, w := range words {
		for _, next := range r.byLine[c.line] {
			if next != c && next.words[0] == w {
				return words[:i]
			}
		}
	}
	return words
}

func (r *reader) captionAt(l *line, w *word) *caption {
	if c := r.captionOf[w]; c != nil && c.line == l {
		return c
	}
	return nil
}

// endsAt reports whether the value of a caption ends at a word, because that starts another
// caption. A description of goods can contain words with colons.
func (r *reader) endsAt(of *caption, l *line, w *word) bool {
	c := r.captionAt(l, w)
	if c == nil {
		return false
	}
	prose := of.field != nil && (of.field.name == "description" || of.field.name == "marks")
	return !(prose && !c.whole() && (c.field == nil || of.field.name == "marks" && !c.colon))
}

// right are the words to the right of a caption: the next cell, unless it is a caption, and
// for addresses the lines below.
func (r *reader) right(c *caption) []*word {
	if !c.whole() || c.cell+1 >= len(c.line.cells) {
		return nil
	}
	if next := c.line.cells[c.cell+1]; len(next.pieces) == 0 && c.cell+2 < len(c.line.cells) {
		c.colon = true
		beyond := *c
		beyond.cell++
		beyond.after = len(next.words)
		return r.right(&beyond)
	}
	next := c.line.cells[c.cell+1]
	if heightOf(next.words[0]) > 1.45*max(r.height, heightOf(c.words[0])*0.9) {
		return nil // a heading
	}
	if r.captionAt(c.line, next.words[0]) != nil || r.taken[next.words[0]] {
		return nil
	}
	// Across the page there can only be a value if this caption is alone.
	far := 0.35
	if c.cell == 0 && len(c.line.cells) == 2 {
		far = 0.6
		if c.field != nil && c.field.kind == tracking.FieldMoney {
			far = 0.9
		}
	}
	if next.left()-boxAround(c.words).Right > far*r.width(c.line.page) {
		return nil
	}
	if c.field != nil && c.field.kind == tracking.FieldMoney {
		// A sum of quantities may precede that of amounts.
		for _, last := range c.line.cells[c.cell+2:] {
			if r.captionAt(c.line, last.words[0]) != nil || !containsDigit(textOf(last.words)) {
				break
			}
			next = last
		}
	}
	words := r.until(c, next.words)
	if c.field != nil && c.field.parts != nil && c.cell+2 < len(c.line.cells) && r.captionAt(c.line, c.line.cells[c.cell+2].words[0]) == nil && len(words) == len(next.words) {
		words = slices.Concat(words, c.line.cells[c.cell+2].words)
	}
	if c.field != nil && c.field.kind == tracking.FieldTime && c.cell+2 < len(c.line.cells) {
		if hour := c.line.cells[c.cell+2].words; clockCell.MatchString(fold(textOf(hour))) {
			words = slices.Concat(words, hour)
		}
	}
	return r.appendLinesBelow(c, words)
}

// clockCell is a time of day in a column of its own.
var clockCell = newExpression(`^(?:[01]?\d|2[0-3])[:.H]?[0-5]\d\s*(?:HRS|HOURS|H|LT|UHR|LOCAL|LOCAL TIME|AM|PM)?$`)

// around are the lines of an address to the right of its caption, which is in a line of its own in the
// middle of their height.
func (r *reader) around(c *caption) []*word {
	const most = 3 // lines above, and as many below
	at, box := c.line.at, boxAround(c.words)
	if c.field.lines < 2 || !c.whole() || len(c.line.cells) > 1 {
		return nil
	}
	var all []*word
	for n := 1; n <= most && n <= at && at+n < len(r.lines); n++ {
		above, below := r.lines[at-n], r.lines[at+n]
		for _, l := range []*line{above, below} {
			if l.page != c.line.page || l.cells[0].left() < box.Right || r.captionAt(l, l.words[0]) != nil || len(all) > 0 && abs(l.cells[0].left()-all[0].Box.Left) > 1 {
				return all
			}
		}
		if abs(above.cells[0].left()-below.cells[0].left()) > 1 || abs(above.top+below.bottom-box.Top-box.Bottom) > 0.4*r.height {
			return all
		}
		all = slices.Concat(above.cells[0].words, all, below.cells[0].words)
	}
	return all
}

// appendLinesBelow adds the lines below the first, up to one with other words on its left.
func (r *reader) appendLinesBelow(c *caption, first []*word) []*word {
	most := max(c.field.lines, 1)
	if most == 1 || len(first) == 0 {
		return first
	}
	all := slices.Clone(first)
	left, bottom, height := first[0].Box.Left, first[0].Box.Bottom, heightOf(first[0])
	for _, l := range r.lines[c.line.at+1:] {
		if most--; most == 0 || l.page != c.line.page || l.top-bottom > 1.1*height {
			break
		}
		i := slices.IndexFunc(l.cells, func(x cell) bool {
			return abs(x.left()-left) < 0.5*height || !c.whole() && abs(x.left()-boxAround(c.words).Left) < 0.5*height
		})
		if i < 0 {
			// Lines of another column may be between.
			most++
			if l.cells[0].left() < left-height && boxAround(l.cells[0].words).Right > boxAround(c.words).Left && l.cells[0].left() < boxAround(c.words).Right {
				break
			}
			continue
		}
		if l.cells[i].words[0].Cell != first[0].Cell || r.endsAt(c, l, l.cells[i].words[0]) || i > 0 && (l.cells[i-1].left() >= boxAround(c.words).Left-height || l.cells[i-1].right() > boxAround(c.words).Left) && r.captionAt(l, l.cells[i-1].words[0]) != nil {
			break
		}
		all = append(all, l.cells[i].words...)
		bottom = l.bottom
	}
	return all
}

func abs(x float64) float64 { return max(x, -x) }

func (r *reader) width(page int) float64 { return r.pages[page-1].Width }

// below are the words under a caption, in its column: up to the next caption, a gap, or the
// maximum number of lines of the field.
func (r *reader) below(c *caption) []*word {
	box := boxAround(c.words)
	left, right := box.Left, r.width(c.line.page)
	for _, other := range c.line.cells[c.cell+1:] {
		right = min(right, other.left()-2)
	}
	for _, other := range r.byLine[c.line] {
		if b := boxAround(other.words); b.Left > box.Right {
			right = min(right, b.Left-2)
		}
	}
	most := max(c.field.lines, 1)
	bottom, height := box.Bottom, heightOf(c.words[0])
	var all []*word
	open := opened(c.words)
	wraps := most == 1 && c.field.kind == tracking.FieldText
	for _, l := range r.lines[c.line.at+1:] {
		if l.page == c.line.page && most == 0 && wraps && l.top-bottom < 0.55*height {
			// The rest of a name that is too long for its column.
			if words, stop := r.column(c, l, left, right); !stop && len(words) > 0 && len(words) < 4 && !containsDigit(textOf(words)) && abs(words[0].Box.Left-all[0].Box.Left) < 0.5*height && abs(heightOf(words[0])-height) < 0.05*height {
				all = append(all, words...)
			}
		}
		if l.page != c.line.page || most == 0 {
			break
		}
		gap := 4.0
		if c.field.name == "description" {
			gap = 10 // containers may be between
		}
		if len(all) > 0 {
			gap = 1.0
		}
		if l.top-bottom > gap*max(height, r.height) {
			if c.field.name != "description" || len(all) == 0 || !preamble.MatchString(fold(textOf(all))) && (len(all) > 8 || sizeType(textOf(all)) == "") || l.top-bottom > 3*max(height, r.height) {
				break
			}
			all, most = nil, c.field.lines // that was of containers, not of the goods
		}
		words, stop := r.column(c, l, left, right)
		if stop {
			break
		}
		if len(all) == 0 && len(words) > 0 && (open || r.remark(c, words)) {
			open = open && !strings.Contains(textOf(words), ")")
			bottom = l.bottom
			continue // the caption goes on
		}
		if len(words) == 0 || most > 1 && astray(words, all, left) {
			continue
		}
		if len(all) == 0 && most == 1 && words[0].Box.Left-box.Right > 5*height && len(l.cells) > 1 {
			break // of another column
		}
		all = append(all, words...)
		bottom, height = boxAround(words).Bottom, heightOf(words[0])
		most--
	}
	return all
}

// firmsBehind is the code of a terminal behind its name.
var firmsBehind = newExpression(`^(.{3,}?)[ ]*[/,(][ ]*(?:FIRMS[ :]*)?([A-Z]\d{3})\)?$`)

// preamble precedes a description of goods: how they are loaded.
var preamble = newExpression(`^(?:\d+ ?X? ?)?(?:\S+ ){0,3}(?:CONTAINER|CONTR?S?\b|CNTRS?\b|SAID TO CONTAIN|S\.?T\.?C|SHIPPER)`)

// overLine is the confidence of a value above its caption, as in signatures.
const overLine = 0.65

// above are the words right above a caption, where no other caption leads to them.
func (r *reader) above(c *caption) []*word {
	if !c.whole() || c.colon {
		return nil
	}
	box := boxAround(c.words)
	over := func(x cell) bool { return x.left() < box.Right && box.Left < x.right() }
	var value []*word
	height := r.height
	for i := c.line.at - 1; i >= 0; i-- {
		l := r.lines[i]
		if l.page != c.line.page || box.Top-l.bottom > 4*height {
			break
		}
		for _, x := range l.cells {
			if !over(x) {
				continue
			}
			if r.captionAt(l, x.words[0]) != nil || r.taken[x.words[0]] {
				return nil // it is the value of that one, or this is the end of a table
			}
			if value == nil {
				if box.Top-l.bottom > 1.4*height || len(r.byLine[l]) > 0 {
					return nil
				}
				value = x.words
			}
		}
	}
	return value
}

// over are the words above a caption in its column, up to another caption or a gap: its
// value where captions stand under what they name.
func (r *reader) over(c *caption) []*word {
	box := boxAround(c.words)
	right := r.width(c.line.page)
	for _, other := range c.line.cells[c.cell+1:] {
		right = min(right, other.left()-2)
	}
	most := max(c.field.lines, 1)
	top, gap := box.Top, 3.0
	var all []*word
	for i := c.line.at - 1; i >= 0 && most > 0; i-- {
		l := r.lines[i]
		if l.page != c.line.page || top-l.bottom > gap*r.height {
			break
		}
		words, stop := r.column(c, l, box.Left, right)
		if len(words) > 0 && len(all) > 0 && abs(words[0].Box.Left-all[0].Box.Left) > r.height {
			continue // another column
		}
		if stop {
			break
		}
		if len(words) == 0 {
			continue
		}
		all = append(slices.Clone(words), all...)
		top, gap = l.top, 0.9
		most--
	}
	return all
}

// remark reports whether words below a caption continue it: they are in the same small
// type, which values do not have.
func (r *reader) remark(c *caption, words []*word) bool {
	height := heightOf(c.words[0])
	if text := textOf(words); strings.HasPrefix(text, "(") && strings.HasSuffix(text, ")") {
		return true
	}
	if words[0].recognized {
		return false // its height depends on which letters it has
	}
	if (r.small > 0 && abs(height-r.small) < 0.04*height || height < 0.8*r.layout.body) && abs(heightOf(words[0])-height) < 0.04*height && !containsDigit(textOf(words)) && words[0].Box.Top-boxAround(c.words).Bottom < 0.7*height {
		return true
	}
	lower := len(words) > 1 && strings.ContainsFunc(textOf(words), unicode.IsLower)
	return lower && (heightOf(words[0]) < 0.92*height || height < 0.85*r.height && heightOf(words[0]) < 1.05*height)
}

// astray reports whether a line of an address is not aligned with its caption or with the
// lines before.
func astray(words, before []*word, left float64) bool {
	height := heightOf(words[0])
	if len(before) > 0 {
		return abs(words[0].Box.Left-before[0].Box.Left) > 4*height
	}
	return words[0].Box.Left-left > 10*height
}

// column are the words of a line between two edges. stop: a caption or a table starts there.
func (r *reader) column(of *caption, l *line, left, right float64) (words []*word, stop bool) {
	for _, c := range l.cells {
		if c.right() < left-1 || c.left() >= right {
			continue
		}
		if c.left() < left-14 {
			// The value before it may be so long that it touches this one.
			at := slices.IndexFunc(c.words, func(w *word) bool { return abs(w.Box.Left-left) < 5 })
			whole := of.centred(c) || of.covers(c, right)
			if at < 0 && !whole {
				continue
			}
			if at >= 0 && !whole {
				c = cell{words: c.words[at:], line: l}
			}
		}
		if len(words) > 0 && c.left()-words[len(words)-1].Box.Right > 3.5*r.height {
			break
		}
		if len(words) == 0 && c.left() > boxAround(of.words).Right+5*r.height && r.captionAt(l, c.words[0]) != nil {
			break // of another column
		}
		if heightOf(c.words[0]) > 1.6*r.height {
			continue // a heading
		}
		for _, w := range c.words {
			if r.taken[w] {
				return words, len(words) == 0
			}
			if r.endsAt(of, l, w) {
				if len(words) == 0 {
					return nil, true
				}
				return words, false
			}
			if w.Box.Left >= right {
				break
			}
			words = append(words, w)
		}
	}
	return words, false
}

// centred reports whether a wider value is centred under a caption, and under no other cell
// of its line.
func (c *caption) centred(value cell) bool {
	box := boxAround(c.words)
	if abs(value.left()+value.right()-box.Left-box.Right) > 0.1*(value.right()-value.left())+2 {
		return false
	}
	return c.cell == 0 || c.line.cells[c.cell-1].right() < value.left()
}

// covers reports whether a wider value is under a whole caption, and under no other cell of
// its line.
func (c *caption) covers(value cell, right float64) bool {
	box := boxAround(c.words)
	return len(value.words) <= 8 && value.left() < box.Left && value.right() > box.Left+0.3*(box.Right-box.Left) && value.right() < right &&
		(c.cell == 0 && box.Left-value.left() < 8*heightOf(c.words[0]) || c.cell > 0 && c.line.cells[c.cell-1].right() < value.left())
}

// rowsOf groups words by line.
func rowsOf(words []*word) [][]*word {
	var rows [][]*word
	for i, w := range words {
		if i == 0 || w.page != words[i-1].page || middle(w)-middle(words[i-1]) > 0.5*heightOf(w) {
			rows = append(rows, nil)
		}
		rows[len(rows)-1] = append(rows[len(rows)-1], w)
	}
	return rows
}

func sayLines(words []*word) string {
	var lines []string
	for _, row := range rowsOf(words) {
		lines = append(lines, textOf(row))
	}
	return strings.Join(lines, "\n")
}

func round(x float64) float64 { return float64(int(x*100+0.5)) / 100 }

func roundBox(b tracking.TextBox) tracking.TextBox {
	tenth := func(x float64) float64 { return float64(int(x*10+0.5)) / 10 }
	return tracking.TextBox{Left: tenth(b.Left), Top: tenth(b.Top), Right: tenth(b.Right), Bottom: tenth(b.Bottom)}
}
