package classify

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/refdata"
)

// containerRow reads a row with a container number. Values that its columns lack are looked
// for in all words.
func (r *reader) containerRow(f *field, h header, cells map[string][]*word) tracking.DocumentFields {
	var line []*word
	for _, column := range h.columns {
		if column.field != nil {
			for _, w := range cells[column.field.name] {
				if !slices.Contains(line, w) {
					line = append(line, w)
				}
			}
		}
	}
	row := r.containerLine(f, line)
	if len(row) == 0 {
		return nil
	}
	for _, w := range cells["number"] {
		row = r.bareSeal(f, row, cell{words: []*word{w}})
	}
	if m := packageForm.FindStringSubmatch(fold(textOf(cells["packages"]))); m != nil {
		for _, w := range cells["packages"] {
			if strings.HasPrefix(fold(w.Text), m[1]) {
				cells["packages"] = []*word{w} // the kind of packages follows
				break
			}
		}
	} else if i := slices.IndexFunc(cells["packages"], func(w *word) bool { return containsDigit(w.Text) }); i >= 0 && letters(strings.TrimFunc(cells["packages"][i].Text, han)) > 0 {
		cells["packages"] = nil // not a count
	}
	for i := range f.columns {
		c := &f.columns[i]
		if c.name == "number" || len(cells[c.name]) == 0 {
			continue
		}
		v, ok := r.cellValue(c, h, cells[c.name])
		if c.name == "seal" && ok && isContainer(v.normal) {
			continue
		}
		if at := slices.IndexFunc(row, func(d tracking.DocumentField) bool { return d.Name == c.name }); at >= 0 {
			row = slices.Delete(row, at, at+1)
		}
		if ok {
			if q, ok := v.normal.(tracking.Quantity); ok && thousandForm.MatchString(v.value) {
				v.normal = likely(q)
			}
			v.confidence *= 0.95
			row = append(row, v.field(c))
		}
	}
	return inOrder(f, row)
}

// likely is a quantity of a container with its separator read the other way, if no container is so
// light or so large.
func likely(q tracking.Quantity) tracking.Quantity {
	switch {
	case q.Unit == "kg" && q.Value < 100:
		q.Value = math.Round(1000 * q.Value)
	case q.Unit == "m3" && q.Value >= 1000:
		q.Value /= 1000
	}
	return q
}

// thousandForm is a number whose only separator may be that of thousands.
var thousandForm = newExpression(`^\d{1,3}[.,]\d{3}(?:[^\d.,]|$)`)

func isContainer(normal any) bool {
	text, _ := normal.(string)
	all, _ := containersIn(fold(text))
	return len(all) > 0
}

// inOrder sorts the cells of a row by column.
func inOrder(f *field, row tracking.DocumentFields) tracking.DocumentFields {
	slices.SortStableFunc(row, func(a, b tracking.DocumentField) int {
		return columnOf(f, a.Name) - columnOf(f, b.Name)
	})
	return row
}

// columnOf is the index of a column, or -1: the same table has fewer columns in some types.
func columnOf(f *field, name string) int {
	return slices.IndexFunc(f.columns, func(c field) bool { return c.name == name })
}

var (
	packageForm = newExpression(`\b(\d[\d.,]*)\s*X?\s*(?:PACKAGES?|PKGS?|CARTONS?|CTNS?|PIECES|PCS|PALLETS?|PLTS?|BAGS|CASES|CRATES?|DRUMS|ROLLS|BALES|UNITS|BOXES|COLLI|PACKS?|BUNDLES|BIG BAGS|SACKS|BULTOS?|CAJAS|COLIS|CAISSES|KOLLI|PACKSTUCKE?|KARTONS?|SACKE|SACS|SACOS|PALETTEN|PALETTES|PALETAS|SCATOLE|CAIXAS|FARDOS|SACAS|VOLUMES|DOZEN|KAP|FUTS|FASSER|TAMBORES|REELS|COILS|SETS|TINS|BARRELS|JUMBO BAGS|CHESTS)\b`)
	sealForm    = newExpression(`\b(?:(?:SEAL(?:S|ED)?|SELLOS?|PRECINTOS?|PLOMB(?:E|ES|S)?|SCELLES?|SIEGEL|SIGILL[OI]|LACRES?|ZEGEL|MUHUR)\s*(?:WITH\s+|BY\s+)?(?:NOS?\b|NRS?\b|N\b|NUMBERS?\b|#)?[\s.:#]*|S/(?:NO?[.: ]*)?|SL ?#|SL NO)\s*([A-Z0-9][A-Z0-9-]*\d[A-Z0-9-]*)`)
	slashSeal   = newExpression(`^\s*[/,|]\s*(?:\d\d['’A-Z0-9 ]{2,6}\s*[/,|]\s*)?(?:SEAL[\s.:#NO]*)?([A-Z]{0,4}-?[A-Z]{0,3}\d{4,10}[A-Z]{0,2})\b`)
	bareCount   = newExpression(`\s(\d{1,3}(?:[.,]?\d{3})?) \d[\d.,]* ?(?:KGS?|KGM|LBS?) \d[\d.,]* ?(?:CBM|M3)\b`)
	grossForm   = newExpression(`(\d{1,3}(?: \d{3})+,\d+|\d[\d.,]*)\s*(KGS?|KGM|KILOS|LBS?|MTS?|TONNES|TONS)\b`)
	cubeForm    = newExpression(`(\d{1,3}(?: \d{3})+,\d+|\d[\d.,]*)\s*(CBM|M3|MC|MTQ|CUFT|CFT|CU\.? ?M)\b`)
)

// containerLine reads the values of a container in its line by their forms.
func (r *reader) containerLine(f *field, words []*word) tracking.DocumentFields {
	text := fold(textOf(words))
	all, at := containersIn(text)
	if len(all) == 0 {
		return nil
	}
	row := tracking.DocumentFields{found{words: wordsAt(words, at[0]), value: strings.TrimSpace(text[at[0][0]:at[0][1]]), normal: all[0], confidence: 0.98}.field(&f.columns[0])}
	rest := text[at[0][1]:]
	row = append(row, r.loadOf(f, words, rest)...)
	if m := slashSeal.FindStringSubmatch(rest); m != nil && sealForm.FindString(rest) == "" {
		if i := columnOf(f, "seal"); i >= 0 {
			row = append(row, found{words: words, value: m[1], normal: alnum(m[1]), confidence: 0.85}.field(&f.columns[i]))
		}
	}
	return inOrder(f, row)
}

// behindSize is the first word of those behind a container number that is no part of its size.
func behindSize(words []*word) cell {
	const most = 3 // words of a size
	for n := range min(most, len(words)) {
		if sealAlone.MatchString(fold(words[n].Text)) {
			break
		}
		if sizeType(fold(textOf(words[:n+1]))) == "" {
			continue
		}
		words = words[n+1:]
		for len(words) > 0 && !containsDigit(words[0].Text) {
			words = words[1:] // HIGH CUBE
		}
		break
	}
	return cell{words: words[:min(1, len(words))]}
}

// bareSeal reads a seal in the next cell without a caption.
func (r *reader) bareSeal(f *field, row tracking.DocumentFields, c cell) tracking.DocumentFields {
	i := columnOf(f, "seal")
	text := fold(textOf(c.words))
	number, _ := row[0].Normal.(string)
	if all, _ := containersIn(text); i < 0 || len(all) > 0 || strings.Contains(number, alnum(text)) || !sealAlone.MatchString(text) || slices.ContainsFunc(row, func(d tracking.DocumentField) bool { return d.Name == "seal" }) {
		return row
	}
	return append(row, found{words: c.words, value: textOf(c.words), normal: alnum(text), confidence: 0.75}.field(&f.columns[i]))
}

var sealAlone = newExpression(`^(?:[A-Z]{1,4}-?[A-Z]{0,2}-?\d{5,10}[A-Z]?|\d{7,8})$`)

// loadOf reads values of a container and its load in a text by their forms.
func (r *reader) loadOf(f *field, words []*word, rest string) (row tracking.DocumentFields) {
	add := func(name, value string, normal any, ok bool) {
		if i := columnOf(f, name); i >= 0 && ok {
			row = append(row, found{words: words, value: value, normal: normal, confidence: 0.85}.field(&f.columns[i]))
		}
	}
	if r.marks.spaced {
		rest = spacedGroup.ReplaceAllStringFunc(rest, func(s string) string {
			if m := spacedGroup.FindStringSubmatch(s); !lengths[m[2]] {
				return m[1] + m[2] + m[3]
			}
			return s // the size of a container, and a number
		})
	}
	if m := sealForm.FindStringSubmatch(rest); m != nil {
		add("seal", m[1], alnum(m[1]), true)
	}
	if size, _ := sizeOf(words, packageForm.ReplaceAllString(rest, " ")); size != "" {
		add("size_type", size, size, true)
	}
	m := packageForm.FindStringSubmatch(rest)
	if m == nil {
		m = bareCount.FindStringSubmatch(rest)
	}
	if m != nil {
		value, ok := r.marks.decimal(strings.TrimRight(m[1], ".,"))
		n, err := strconv.ParseInt(value, 10, 64)
		add("packages", m[0], n, ok && err == nil)
	}
	if m := grossForm.FindString(rest); m != "" {
		q, ok := r.marks.quantity(m, "", false)
		add("gross_weight", m, q, ok)
	}
	if m := cubeForm.FindString(rest); m != "" {
		q, ok := r.marks.quantity(m, "", true)
		if thousandForm.MatchString(m) {
			q = likely(q)
		}
		add("volume", m, q, ok)
	}
	return row
}

// spacedGroup is a number of a container's load with a blank behind its thousands.
var spacedGroup = newExpression(`(^|\s)(\d{1,3}) (\d{3}(?:,\d+)? ?[A-Z])`)

// lengths are those of containers in feet.
var lengths = set(`20 40 45`)

// wordsAt are the words that contain a part of their joined text.
func wordsAt(words []*word, at [2]int) []*word {
	var inside []*word
	begin := 0
	for _, w := range words {
		end := begin + len(fold(w.Text))
		if begin < at[1] && at[0] < end {
			inside = append(inside, w)
		}
		begin = end + 1
	}
	if len(inside) == 0 {
		return words
	}
	return inside
}

// findContainers finds containers outside tables, with their values in the same line or the
// next ones.
func findContainers(r *reader) []found {
	all := containersBut(r, nil)
	if len(all) > 0 && len(all[0].rows) == 1 {
		all[0].rows[0] = r.onlyLoad(r.rules.field("containers"), all[0].rows[0])
	}
	return all
}

// containersBut finds all containers except the known ones.
func containersBut(r *reader, known map[string]bool) []found {
	f := r.rules.field("containers")
	var rows []tracking.DocumentFields
	seen := map[string]int{}
	for n, l := range r.lines {
		all, at := containersIn(fold(textOf(l.words)))
		for k := range all {
			if known[all[k]] {
				continue
			}
			from := wordsAt(l.words, at[k])
			begin := slices.Index(l.words, from[0])
			end := len(l.words)
			if k+1 < len(all) {
				end = slices.Index(l.words, wordsAt(l.words, at[k+1])[0])
			}
			if end <= begin {
				continue
			}
			others := slices.DeleteFunc(slices.Clone(l.words[begin:end]), func(w *word) bool { return r.other[w] })
			row := r.containerLine(f, others)
			if _, present := row.Get("packages"); !present && len(all) == 1 {
				for _, d := range r.loadOf(f, l.words[:begin], fold(textOf(l.words[:begin]))) {
					if _, present := row.Get(d.Name); !present && (d.Name == "packages" || d.Name == "size_type") {
						row = append(row, d)
					}
				}
			}
			row = r.bareSeal(f, row, behindSize(l.words[slices.Index(l.words, from[len(from)-1])+1:end]))
			row = r.aroundContainer(f, row, n)
			number, _ := row[0].Normal.(string)
			if at, again := seen[number]; again {
				if len(row) > len(rows[at]) {
					rows[at] = row
				}
				continue
			}
			seen[number] = len(rows)
			rows = append(rows, row)
		}
	}
	if len(rows) == 0 {
		return nil
	}
	return []found{{rows: rows, confidence: 1}}
}

// onlyLoad adds the load that a line states to the only container of a document.
func (r *reader) onlyLoad(f *field, row tracking.DocumentFields) tracking.DocumentFields {
	for _, l := range r.lines {
		text := fold(textOf(l.words))
		if !grossForm.MatchString(text) || !packageForm.MatchString(text) && !cubeForm.MatchString(text) || len(l.words) > 30 {
			continue
		}
		for _, d := range r.loadOf(f, l.words, text) {
			if _, present := row.Get(d.Name); !present {
				row = append(row, d)
			}
		}
		break
	}
	for _, d := range append(r.titledLoad(f), r.onlySize(f)...) {
		if _, present := row.Get(d.Name); !present {
			row = append(row, d)
		}
	}
	return inOrder(f, row)
}

// titledLoad is the load below titles of goods that have a single weight.
func (r *reader) titledLoad(f *field) tracking.DocumentFields {
	const titleLines, valueLines = 3, 6
	for i := range r.lines {
		if !slices.ContainsFunc(r.titles(r.columns[f], r.lines[i:i+1]).columns, func(c column) bool { return c.field != nil }) {
			continue
		}
		var most tracking.DocumentFields
		for n := 1; n <= titleLines && i+n < len(r.lines); n++ {
			h := r.titles(r.columns[f], r.lines[i:i+n])
			if !h.has("gross_weight") || !h.has("packages") && !h.has("volume") {
				continue
			}
			load, several := r.loadBelow(f, h, r.lines[i+n:min(i+n+valueLines, len(r.lines))])
			if several {
				return nil
			}
			if len(load) > len(most) {
				most = load
			}
		}
		if len(most) > 1 {
			return most
		}
	}
	return nil
}

// loadBelow reads the figures below titles; none if there are several of one sort.
func (r *reader) loadBelow(f *field, h header, lines []*line) (load tracking.DocumentFields, several bool) {
	for _, l := range lines {
		if l.numbered || l.page != lines[0].page || sumOf(l) != "" {
			break
		}
		for name, words := range r.assign(h, l) {
			at := columnOf(f, name)
			if at < 0 {
				continue
			}
			c := &f.columns[at]
			v, ok := r.cellValue(c, h, words)
			if !ok || !figures(c) || strings.Contains(textOf(words), "(") {
				continue // or the number of a box
			}
			if _, again := load.Get(name); again {
				return nil, true
			}
			v.confidence *= 0.85
			load = append(load, v.field(c))
		}
	}
	return load, false
}

// oneOf is a size with the number of containers that have it.
var oneOf = newExpression(`^1 ?X ?(\d\d.*)`)

// onlySize is the size of the only container, where the paper says how many there are.
func (r *reader) onlySize(f *field) tracking.DocumentFields {
	at := columnOf(f, "size_type")
	if at < 0 {
		return nil // invoices and packing lists have no sizes
	}
	for _, l := range r.lines {
		for _, c := range l.cells {
			if m := oneOf.FindStringSubmatch(fold(textOf(c.words))); m != nil && sizeType(m[1]) != "" {
				size := sizeType(m[1])
				return tracking.DocumentFields{found{words: c.words, value: size, normal: size, confidence: 0.85}.field(&f.columns[at])}
			}
		}
	}
	return nil
}

// complete adds containers outside the table to its rows, and to each row the values that
// the table lacks.
func (r *reader) complete(f *field, rows []tracking.DocumentFields) []tracking.DocumentFields {
	rows = slices.CompactFunc(rows, repeats)
	known := map[string]bool{}
	for _, row := range rows {
		if number, ok := row.Get("number"); ok && len(row) == len(f.columns) {
			text, _ := number.Normal.(string)
			known[text] = true
		}
	}
	for _, all := range containersBut(r, known) {
		for _, other := range all.rows {
			at := slices.IndexFunc(rows, func(row tracking.DocumentFields) bool {
				number, ok := row.Get("number")
				return ok && number.Normal == other[0].Normal
			})
			if at < 0 {
				rows = append(rows, other)
				continue
			}
			for _, d := range other {
				if _, present := rows[at].Get(d.Name); !present {
					rows[at] = append(rows[at], d)
				}
			}
			rows[at] = inOrder(f, rows[at])
		}
	}
	if len(rows) == 1 {
		rows[0] = r.onlyLoad(f, rows[0])
	}
	return rows
}

// repeats reports whether a row is that before it, printed again at the head of a later page.
func repeats(row, before tracking.DocumentFields) bool {
	number, ok := row.Get("number")
	first, _ := before.Get("number")
	return ok && number.Page > first.Page && slices.EqualFunc(before, row, func(a, b tracking.DocumentField) bool { return a.Name == b.Name && a.Normal == b.Normal })
}

// aroundContainer adds the values of captions in the lines below a container, up to the
// next one.
func (r *reader) aroundContainer(f *field, row tracking.DocumentFields, n int) tracking.DocumentFields {
	row = r.underContainer(f, row, n)
	x := r.columns[f]
	from, to := 0.0, 1e9
	if r.severalIn(n) {
		from = row[0].Box.Left
		for _, c := range r.lines[n].cells {
			if c.left() <= from+1 || c.left()-1 >= to {
				continue
			}
			if all, _ := containersIn(fold(textOf(c.words))); len(all) > 0 {
				to = c.left() - 1
			}
		}
	}
	first := n
	if r.alone() {
		first = max(0, n-2) // its captions may be above it
	}
	for i, l := range r.lines[first:] {
		if i > 8 || l.page != r.lines[n].page {
			break
		}
		if i > n-first && len(l.containers()) > 0 {
			break
		}
		for k, c := range l.cells {
			if c.left() < from-r.height || c.left() >= to {
				continue // of the container next to it
			}
			for _, m := range r.captionsInCell(x, l, k, c) {
				if m.field == nil || m.field.name == "number" || slices.ContainsFunc(row, func(d tracking.DocumentField) bool { return d.Name == m.field.name }) {
					continue
				}
				for _, p := range r.places(m) {
					if v, ok := r.value(m.field, p.words, m); ok && !isContainer(v.normal) && p.sure > 0.7 {
						v.confidence *= 0.85 * p.sure
						row = append(row, v.field(m.field))
						for _, d := range r.loadOf(f, p.words, fold(textOf(p.words))) {
							if _, present := row.Get(d.Name); !present {
								row = append(row, d) // "6,480 kg / 10 m3"
							}
						}
						break
					}
				}
			}
		}
	}
	return inOrder(f, row)
}

// isAlone reports whether a document has one container; see reader.alone.
func (r *reader) isAlone() bool {
	numbers := map[string]bool{}
	for _, l := range r.lines {
		for _, number := range l.containers() {
			numbers[number] = true
		}
		if len(numbers) > 1 {
			return false
		}
	}
	return true
}

// severalIn reports whether a line has more than one container.
func (r *reader) severalIn(n int) bool {
	return len(r.lines[n].containers()) > 1
}

// underContainer adds values directly below a container number, one in each line: seal, size
// and load.
func (r *reader) underContainer(f *field, row tracking.DocumentFields, n int) tracking.DocumentFields {
	box, bottom := row[0].Box, r.lines[n].bottom
	for _, l := range r.lines[n+1 : min(n+7, len(r.lines))] {
		if l.page != row[0].Page || l.top-bottom > r.height {
			break
		}
		i := slices.IndexFunc(l.cells, func(c cell) bool { return abs(c.left()-box.Left) < 1.5*r.height })
		if len(l.containers()) == 0 && !r.severalIn(n) {
			for _, c := range l.cells {
				if len(c.words) > 4 || r.captionAt(l, c.words[0]) != nil {
					continue
				}
				for _, d := range r.loadOf(f, c.words, fold(textOf(c.words))) {
					if _, present := row.Get(d.Name); !present {
						row = append(row, d)
					}
				}
			}
		}
		if i < 0 {
			continue
		}
		text := fold(textOf(l.cells[i].words))
		if all, _ := containersIn(text); len(all) > 0 || sumOf(l) != "" {
			break
		}
		row = r.bareSeal(f, row, l.cells[i])
		for _, d := range r.loadOf(f, l.cells[i].words, text) {
			if !slices.ContainsFunc(row, func(o tracking.DocumentField) bool { return o.Name == d.Name }) {
				row = append(row, d)
			}
		}
		bottom = l.bottom
	}
	return row
}

// carrier is a shipping line with a name in pieces.
type carrier struct {
	scac string
	name []string
}

// carriers are the shipping lines by the first piece of their names.
var carriers = sync.OnceValue(func() map[string][]carrier {
	all := map[string][]carrier{}
	for _, l := range refdata.Lines() {
		for _, name := range [][]string{pieces(l.Name), pieces(l.ShortName)} {
			all[name[0]] = append(all[name[0]], carrier{l.SCAC, name})
		}
	}
	return all
})

// findCarrier finds the shipping line that the first page names, with preference for its
// head.
func findCarrier(r *reader) []found {
	var all []found
	for _, l := range r.lines {
		if l.page > 1 {
			break
		}
		p := piecesOf(l.words)
		for i, w := range p[:max(len(p)-1, 0)] {
			if line, known := refdata.LineBySCAC(p[i+1]); known && len(p[i+1]) == 4 && (w == "SCAC" || line.SCAC == p[i+1] && (slices.Contains(p[:i+1], "CARRIER") || w == "LINE")) {
				all = append(all, found{words: l.words, value: p[i+1], normal: line.SCAC, confidence: 0.85})
			}
		}
		for _, n := range linesNamed(l) {
			if n.short && heightOf(l.words[0]) < 1.2*r.height {
				continue
			}
			sure := 0.75
			if heightOf(l.words[0]) > 1.25*r.height {
				sure = 0.9
			}
			sure += float64(len(strings.Join(n.name, ""))) / 1000 // the longer name of two
			all = append(all, found{words: l.words, value: textOf(l.words), normal: n.scac, confidence: sure})
		}
	}
	return all
}

// findShip finds an IMO number in brackets, in a sentence or after a name.
func findShip(r *reader) []found {
	for _, l := range r.lines {
		for i, w := range l.words[:len(l.words)-1] {
			if !slices.Contains(w.pieces, "IMO") {
				continue
			}
			for _, next := range l.words[i+1 : min(i+4, len(l.words))] {
				if number := strings.Join(next.pieces, ""); refdata.ValidIMO(number) {
					return []found{{words: []*word{next}, value: number, normal: number, confidence: 0.85}}
				}
			}
		}
	}
	return nil
}

// findFreight finds "freight prepaid" or "freight collect" without a caption.
func findFreight(r *reader) []found {
	for _, l := range r.lines {
		for _, c := range l.cells {
			p := piecesOf(c.words)
			if n := len(p); n > 8 && p[n-2] == "FREIGHT" && freightIn(p) != "" {
				p = p[n-2:] // at the end of a sentence, of which nothing says otherwise
			}
			if len(p) == 0 || len(p) > 8 || r.isColumnTitle(c.words[0]) {
				continue
			}
			if terms := freightIn(p); terms != "" && (slices.ContainsFunc(p, func(w string) bool { return synonyms[w] == "FREIGHT" || w == "FREIGHT" }) || len(p) == 1) {
				return []found{{words: c.words, value: textOf(c.words), normal: terms, confidence: 0.9}}
			}
		}
	}
	return nil
}

// findIncoterm finds an incoterm followed by a place.
func findIncoterm(r *reader) []found {
	for _, l := range r.lines {
		for _, c := range l.cells {
			for i, w := range c.words {
				if t := strings.Trim(w.Text, ",.:;()"); incoterms[t] && (len(c.words) < 9 || i > 0 && endsCaption(c.words[i-1].Text)) {
					return []found{{words: c.words[i:], value: textOf(c.words[i:]), normal: t, confidence: 0.75}}
				}
			}
		}
	}
	return nil
}

// findPackages finds the number of all packages in words: "TOTAL: 150 CARTONS".
func findPackages(r *reader) []found {
	for _, l := range r.lines {
		for _, c := range l.cells {
			if len(c.words) > 14 || !slices.ContainsFunc(c.pieces, func(p string) bool { return totals[p] || p == "PACKED" || p == "SAY" }) && !has(c.pieces, []string{"IN", "ALL"}) {
				continue
			}
			m := packageForm.FindStringSubmatch(strings.NewReplacer("(", "", ")", "").Replace(fold(textOf(c.words))))
			if m == nil || strings.Contains(m[0], "PCS") || strings.Contains(m[0], "PIECES") || strings.Contains(m[0], "UNITS") {
				continue
			}
			value, ok := r.marks.decimal(strings.TrimRight(m[1], ".,"))
			if n, err := strconv.ParseInt(value, 10, 64); ok && err == nil {
				return []found{{words: c.words, value: m[0], normal: n, confidence: 0.75}}
			}
		}
	}
	return nil
}

// sumForm are the weights of a sentence, each with its kind before or after it.
var (
	netForm    = newExpression(`(\d[\d.,]*\s*(?:KGS?|KGM|LBS?))\s*,?\s*NET|(?:NET|PESO (?:NETO|LIQUIDO)|POIDS NET)[A-Z ]{0,12}[:\s]+(\d[\d.,]*\s*(?:KGS?|KGM|LBS?))`)
	grossTotal = newExpression(`(\d[\d.,]*\s*(?:KGS?|KGM|LBS?))\s*,?\s*(?:GROSS|BRUTTO)|(?:GROSS|BRUTTO|PESO (?:BRUTO|LORDO)|POIDS BRUT)[A-Z ]{0,12}[:\s]+(\d[\d.,]*\s*(?:KGS?|KGM|LBS?))`)
)

// spoken are the sentences of several lines, each as a line of one cell.
func (r *reader) spoken() (all []*line) {
	for _, p := range r.running {
		if len(p.words) > 60 {
			continue
		}
		l := &line{words: p.words, page: p.words[0].page}
		l.cells = []cell{{words: p.words, line: l, pieces: piecesOf(p.words)}}
		all = append(all, l)
	}
	return all
}

// findSum finds a sum in a sentence: "240 cases in all, 3,480 kg net".
func findSum(form *expression, volume bool) func(r *reader) []found {
	return func(r *reader) []found {
		for _, l := range append(slices.Clone(r.lines), r.spoken()...) {
			for _, c := range l.cells {
				if len(c.pieces) < 4 || !has(c.pieces, []string{"IN", "ALL"}) && !slices.ContainsFunc(c.pieces, func(p string) bool { return totals[p] || p == "ALTOGETHER" }) {
					continue
				}
				m := form.FindStringSubmatch(fold(textOf(c.words)))
				if m == nil {
					continue
				}
				text := m[0]
				if len(m) == 3 && !volume {
					text = m[1] + m[2]
				}
				if q, ok := r.marks.quantity(text, "", volume); ok {
					return []found{{words: c.words, value: text, normal: q, confidence: 0.75}}
				}
			}
		}
		return nil
	}
}

// chargeForm is a charge with its amount in one line. Amount or currency may come first.
var (
	chargeForm = newExpression(`^([A-Z][A-Z0-9 .,/&'()-]*?[A-Z)])[ .:]+(?:(USD|EUR|GBP|CAD|CHF|US\$|\$|€|£) ?(\d[\d.,']*\d)|(\d[\d.,']*[.,]\d{2}) ?(USD|EUR|GBP|CAD|CHF|US\$|\$|€|£)?)$`)
	askForm    = newExpression(`(?:CHARGES|REMIT|PAY|FEES?|PAYABLE|COLLECT)\b[^:]{0,60}: ([A-Z][A-Z0-9 ./&'()-]{2,40}?) (USD|EUR|GBP|CAD|CHF) (\d[\d.,']*\d)`)
)

// findCharges finds charges in lines without titles: with a currency each, or with a sum
// directly below.
func findCharges(r *reader) []found {
	i := slices.IndexFunc(r.rules.fields, func(f field) bool { return f.name == "charges" })
	f := &r.rules.fields[i]
	row := func(words []*word, what, currency, amount string) tracking.DocumentFields {
		m, ok := r.marks.money(amount)
		if !ok {
			return nil
		}
		m.Currency = currencyIn(currency)
		return tracking.DocumentFields{
			found{words: words, value: what, normal: what, confidence: 0.8}.field(&f.columns[0]),
			found{words: words, value: amount, normal: m, confidence: 0.8}.field(&f.columns[1]),
		}
	}
	for n := 0; n < len(r.lines); n++ {
		var rows []tracking.DocumentFields
		sum, named, at := 0.0, true, n
		for ; at < len(r.lines); at++ {
			l := r.lines[at]
			if at > n && (l.page != r.lines[n].page || l.top-r.lines[at-1].bottom > 1.2*r.height) || len(l.words) > 12 || r.taken[l.words[0]] || sumOf(l) != "" {
				break
			}
			m := chargeForm.FindStringSubmatch(fold(textOf(l.words)))
			if m == nil || slices.ContainsFunc(r.byLine[l], func(c *caption) bool { return c.field != nil && c.colon }) {
				break
			}
			what := textOf(l.words[:min(len(strings.Fields(m[1])), len(l.words))])
			charge := row(l.words, what, m[2]+m[5], m[3]+m[4])
			if charge == nil {
				break
			}
			named = named && m[2]+m[5] != ""
			x, _ := figureOf(charge[1])
			sum += x
			rows = append(rows, charge)
		}
		if len(rows) == 0 {
			continue
		}
		if named || len(rows) > 1 && r.sumBelow(at, sum) {
			return []found{{rows: rows, confidence: 1}}
		}
	}
	for _, p := range append(r.running, r.shortLines()...) {
		if m := askForm.FindStringSubmatchIndex(p.text); m != nil {
			words := p.from(m[2])
			if words == nil {
				continue
			}
			k := len(strings.Fields(p.text[m[2]:m[3]]))
			if charge := row(words[:min(k+2, len(words))], textOf(words[:min(k, len(words))]), p.text[m[4]:m[5]], p.text[m[6]:m[7]]); charge != nil {
				return []found{{rows: []tracking.DocumentFields{charge}, confidence: 1}}
			}
		}
	}
	return nil
}

// shortLines are all lines as passages of their own.
func (r *reader) shortLines() (all []passage) {
	for _, l := range r.lines {
		p := passage{words: l.words}
		for i, w := range l.words {
			if i > 0 {
				p.text += " "
			}
			p.at = append(p.at, len(p.text))
			p.text += fold(w.Text)
		}
		all = append(all, p)
	}
	return all
}

// sumBelow reports whether one of the two lines from at on ends with a sum.
func (r *reader) sumBelow(at int, sum float64) bool {
	for _, l := range r.lines[min(at, len(r.lines)):min(at+2, len(r.lines))] {
		if m, ok := r.marks.money(textOf(l.words)); ok {
			if x, err := strconv.ParseFloat(m.Amount, 64); err == nil && abs(x-sum) < 0.005 {
				return true
			}
		}
	}
	return false
}

// ownForm is the document's own number with its date, in its head: "No. 41 15493 of
// 09/07/2026".
var ownForm = newExpression(`^(?:[A-Z/&.-]+ ){0,3}?(?:(?:N|NO|NR|NUM|NUMMER|NUMERO|NUMBER|ORDER)(?:[.:]+ ?| )|#[.:]* ?)([A-Z0-9][A-Z0-9 /.-]{2,24}?),? (?:OF|DEL|VOM|DU|DATED|VAN|DE|DD|DT|DI|D\.D)[.:]* (.*)$`)

// ownNumber finds the document's own number and date without a caption.
func (r *reader) ownNumber() (number, day found, ok bool) {
	for _, l := range r.lines {
		if l.page > 1 || l.top > 0.25*r.pages[0].Height {
			break
		}
		for _, c := range l.cells {
			m := ownForm.FindStringSubmatch(fold(textOf(c.words)))
			if m == nil || !containsDigit(m[1]) {
				continue
			}
			if normal, rest, isDate := r.marks.date(m[2]); isDate && rest < 3 {
				number = found{words: c.words, value: m[1], normal: alnum(m[1]), confidence: 0.8}
				day = found{words: c.words[len(c.words)-1:], value: m[2], normal: date(normal), confidence: 0.75}
				return number, day, true
			}
		}
	}
	return number, day, false
}

// headForm is a number behind the name of the document or alone: "Delivery order No. VLC-26-41353".
var headForm = newExpression(`^(.*?)(?:\b(?:NUMERO|NUMMER|NUMBER|NUM|NO|NR|N)[.:°]*|#) ?([A-Z]{0,4}[ -]?[A-Z0-9/.-]*\d[A-Z0-9/.-]*)$`)

// titleForm is a number directly behind the name of the document: "Delivery order UO-157755".
var titleForm = newExpression(`^(.*\pL\)?) #?([A-Z]{1,4}[-/]?[A-Z0-9/-]*\d{3,}[A-Z0-9/-]*)$`)

// begins reports whether a phrase is at the start of pieces, or behind the first.
func begins(p, phrase []string) bool {
	return startsWith(p, phrase) || len(p) > 0 && startsWith(p[1:], phrase)
}

// besideTitle reports whether the name of the document is in the cell at the left of another, or right
// above it.
func (r *reader) besideTitle(c cell) bool {
	titled := func(o cell) bool {
		text := strings.Join(o.pieces, " ")
		return slices.ContainsFunc(r.rules.cues, func(q cue) bool { return q.heading > 3 && q.phrase == text })
	}
	if k := slices.IndexFunc(c.line.cells, func(o cell) bool { return o.words[0] == c.words[0] }); k > 0 && titled(c.line.cells[k-1]) {
		return true
	}
	const near = 2 // lines
	for _, l := range r.lines[max(0, c.line.at-near):c.line.at] {
		if l.page == c.line.page && slices.ContainsFunc(l.cells, func(o cell) bool { return o.left() < c.right() && c.left() < o.right() && titled(o) }) {
			return true
		}
	}
	return false
}

// headNumber finds the number behind the document's name in its head.
func (r *reader) headNumber() (found, bool) {
	for _, l := range r.lines {
		if l.page > 1 || l.top > 0.35*r.pages[0].Height {
			break
		}
		for _, c := range l.cells {
			text := fold(textOf(c.words))
			m := headForm.FindStringSubmatch(text)
			if m == nil {
				m = titleForm.FindStringSubmatch(text)
			}
			if m == nil || len(c.words) > 8 {
				continue
			}
			p := pieces(m[1])
			named := slices.ContainsFunc(r.rules.cues, func(q cue) bool { return q.heading > 3 && begins(p, strings.Fields(q.phrase)) })
			number := alnum(m[2])
			if len(number) < 4 || len(number) >= 20 {
				continue
			}
			named = named || len(p) == 0 && r.besideTitle(c)
			if !named && (len(p) > 0 || heightOf(c.words[0]) < 1.1*r.height) || r.captionAt(l, c.words[0]) != nil && r.captionOf[c.words[0]].field != nil && (len(p) > 0 || r.captionOf[c.words[0]].field.name != owns[r.rules.code]) {
				continue
			}
			if !isContainer(number) && (owns[r.rules.code] == "bl_number" || !ofLine(number)) {
				return found{words: c.words, value: strings.TrimSpace(m[2]), normal: number, confidence: 0.75}, true
			}
		}
	}
	return found{}, false
}

// ofLine reports whether a number begins with the code of a shipping line.
func ofLine(number string) bool {
	_, known := refdata.LineByPrefix(number)
	return known
}

// billOfLine finds the number of a bill of lading that begins with the code of a shipping line.
func (r *reader) billOfLine() []found {
	for _, l := range r.lines {
		for _, w := range l.words {
			number := strings.ToUpper(strings.Trim(w.Text, ".,;:()"))
			if l.page > 1 || len(number) < 10 || len(number) > 17 || alnum(number) != number || letters(number[:4]) != 4 || letters(number[6:]) > 0 || isContainer(number) {
				continue
			}
			if ofLine(number) {
				return []found{{words: []*word{w}, value: number, normal: number, confidence: 0.75}}
			}
		}
	}
	return nil
}

// owns is the field of a type for the document's own number.
var owns = map[string]string{
	"bill_of_lading": "bl_number", "sea_waybill": "bl_number", "house_bill_of_lading": "hbl_number", "arrival_notice": "notice_number",
	"delivery_order": "do_number", "booking_confirmation": "booking_number", "commercial_invoice": "invoice_number", "packing_list": "packing_list_number",
	"customs_entry": "entry_number", "certificate_of_origin": "certificate_number", "freight_invoice": "invoice_number",
}

var goodsForm = newExpression(`^\d[\d.,]*\s(?:CARTONS?|CTNS?|PACKAGES?|PKGS?|PALLETS?|BAGS|CASES|CRATES?|DRUMS|ROLLS|BALES)\b.*\b(?:HS|H\.S\.|HTS|NCM|HSN)\b`)

// findGoods finds a description of goods without a caption: number and kind of packages,
// with a tariff code.
func findGoods(r *reader) []found {
	for _, l := range r.lines {
		for _, c := range l.cells {
			if len(c.words) < 5 || r.taken[c.words[0]] || r.captionAt(l, c.words[0]) != nil {
				continue
			}
			words := slices.Clone(c.words)
			bottom := l.bottom
			for _, next := range r.lines[l.at+1:] {
				if next.page != l.page || next.top-bottom > 0.6*r.height || len(rowsOf(words)) > 7 {
					break
				}
				i := slices.IndexFunc(next.cells, func(d cell) bool { return abs(d.left()-c.left()) < 0.5*r.height })
				if i < 0 || r.captionAt(next, next.cells[i].words[0]) != nil {
					break
				}
				words = append(words, next.cells[i].words...)
				bottom = next.bottom
			}
			if text := sayLines(words); goodsForm.MatchString(fold(strings.ReplaceAll(text, "\n", " "))) {
				return []found{{words: words, value: text, normal: text, confidence: 0.6}}
			}
		}
	}
	return findBlock(r)
}

// goodsAhead is a line that announces the goods below it.
var goodsAhead = newExpression(`^(?:\W*)(?:DESCRIPTION|GOODS|CONTENTS?|PARTICULARS|COMMODIT|CARGO|SAID TO|NATURE|DESIGNATION|MARCHANDISES?|DESCRIPCION|MERCANCIAS?|CONTENIDO|BESCHREIBUNG|WARE|INHALT|BEZEICHNUNG|GUTER|DESCRIZIONE|MERCE|MERCI|CONTENUTO|DESCRICAO|MERCADORIAS?|OMSCHRIJVING|GOEDEREN|INHOUD|MALIN|ESYANIN)`)

// tariffMark is a tariff code as descriptions of goods have it.
var tariffMark = newExpression(`\b(?:HS|HTS|HSN|NCM|H\.S\.)(?: ?CODE| ?NO\.?)?:? ?\d{4}[.\d]*`)

// findBlock finds the goods as a block of lines: below a line that announces them, or
// with a tariff code in it.
func findBlock(r *reader) []found {
	for _, announced := range []bool{true, false} {
		for n, l := range r.lines {
			for _, c := range l.cells {
				text := fold(textOf(c.words))
				if announced && (!goodsAhead.MatchString(text) || containsDigit(text)) || !announced && len(c.words) < 3 {
					continue
				}
				var words []*word
				if announced {
					if _, first, ok := r.lineBelow(n, c, 2.2); ok {
						words = r.block(first)
					}
				} else {
					words = r.block(c)
				}
				if len(words) < 3 || r.taken[words[0]] || r.captionAt(l, words[0]) != nil {
					continue
				}
				if text := sayLines(words); tariffMark.MatchString(fold(strings.ReplaceAll(text, "\n", " "))) {
					return []found{{words: words, value: text, normal: text, confidence: 0.65}}
				}
			}
		}
	}
	return nil
}

// lineBelow is the next cell below another, aligned with it.
func (r *reader) lineBelow(n int, c cell, gap float64) (*line, cell, bool) {
	for _, l := range r.lines[n+1:] {
		if l.page != c.line.page || l.top-c.line.bottom > gap*r.height {
			break
		}
		if i := slices.IndexFunc(l.cells, func(d cell) bool { return d.left()-c.left() > -r.height && d.left()-c.left() < 8*r.height }); i >= 0 {
			return l, l.cells[i], true
		}
	}
	return nil, cell{}, false
}

// block is a cell and the lines close below it.
func (r *reader) block(c cell) []*word {
	words := slices.Clone(c.words)
	bottom := c.line.bottom
	if all, _ := containersIn(fold(textOf(words))); len(all) > 0 || freightIn(c.pieces) != "" {
		return nil
	}
	for _, next := range r.lines[c.line.at+1:] {
		if next.page != c.line.page || next.top-bottom > 0.8*r.height || len(rowsOf(words)) > 7 {
			break
		}
		i := slices.IndexFunc(next.cells, func(d cell) bool { return abs(d.left()-c.left()) < 0.5*r.height })
		if i < 0 {
			continue
		}
		p := next.cells[i].pieces
		all, _ := containersIn(fold(textOf(next.cells[i].words)))
		if titles := r.byLine[next]; len(all) > 0 || len(titles) > 1 && titles[0].words[0] == next.words[0] || freightIn(p) != "" || strings.HasPrefix(next.cells[i].words[0].Text, "*") || r.captionAt(next, next.cells[i].words[0]) != nil && containsDigit(textOf(next.cells[i].words)) {
			break
		}
		words = append(words, next.cells[i].words...)
		bottom = next.bottom
	}
	return words
}

// owned reports whether a caption of such a field is directly above a cell.
func (r *reader) owned(c cell, such func(*field) bool) bool {
	return slices.ContainsFunc(r.captions, func(k *caption) bool {
		box := boxAround(k.words)
		gap := c.words[0].Box.Top - box.Bottom
		return such(k.field) && k.line.page == c.line.page && gap > -2 && gap < 2.5*r.height && box.Left < c.right() && c.left() < box.Right
	})
}

func anyField(*field) bool { return true }

// findAddressee finds the name and address of the addressee of a letter without a caption:
// the first below its head, with at least three lines.
func findAddressee(r *reader) []found {
	sender := findLetterhead(r)
	for _, l := range r.lines {
		if l.page > 1 || l.top > 0.3*r.pages[0].Height {
			break
		}
		at := slices.IndexFunc(l.cells, func(c cell) bool {
			return company(c.pieces) && r.captionAt(l, c.words[0]) == nil && !title(c.pieces) && !r.owned(c, anyField) && len(sender) > 0 && !slices.Contains(sender[0].words, c.words[0])
		})
		if at < 0 {
			continue
		}
		c := l.cells[at]
		if len(sender) == 0 || slices.Contains(sender[0].words, c.words[0]) {
			continue
		}
		words := slices.Clone(c.words)
		bottom := l.bottom
		for _, next := range r.lines[l.at+1:] {
			i := slices.IndexFunc(next.cells, func(d cell) bool { return abs(d.left()-c.left()) < 0.5*r.height })
			if next.page > 1 || next.top-bottom > 0.9*r.height || len(rowsOf(words)) > 5 {
				break
			}
			if i < 0 {
				continue
			}
			if r.captionAt(next, next.cells[i].words[0]) != nil {
				break
			}
			words = append(words, next.cells[i].words...)
			bottom = next.bottom
		}
		if words = trimParty(words); len(rowsOf(words)) > 2 {
			text := sayLines(words)
			return []found{{words: words, value: text, normal: text, confidence: 0.6}}
		}
	}
	return nil
}

// passageForm is a ship with its voyage in a sentence.
var passageForm = newExpression(`\b(?:PER|VESSEL|MV|M/V|M\.V\.|(?:ABOARD|ON BOARD|ARRIVED ON|ARRIVES ON|BY)(?: THE)?(?: GOOD)?(?: VESSEL| SHIP| MV| M/V)?|BOARD THE|SHIP|SS|BUQUE|NAVIRE|MOTONAVE|NAVE|SCHIFF|ZEESCHIP|SCHIP|NAVIO|MOTORSCHIFF|DAMPFER)\s+([A-Z][A-Z0-9 .'-]{2,28}[A-Z0-9]),?\s+(?:VOYAGE|VOY\.?|V\.|VIAJE|REISE|REIS|VIAGGIO|VIAGEM)\s*(?:N[OR]?\.?\s*)?([0-9A-Z-]*\d[0-9A-Z-]*)`)

// shipForm is a cell with a ship's name after a prefix.
var shipForm = newExpression(`^(?:M/V|MV|M\.V\.?|S/S|SS) ([A-Z][A-Z0-9 .'-]{2,28}[A-Z0-9])$`)

// findPassage finds a ship, or its voyage, in a sentence.
func findPassage(group int) func(r *reader) []found {
	return func(r *reader) []found {
		if group == 1 {
			for _, l := range r.lines {
				for _, c := range l.cells {
					if m := shipForm.FindStringSubmatch(fold(textOf(c.words))); m != nil && len(c.words) < 7 {
						return []found{{words: c.words[1:], value: m[1], normal: m[1], confidence: 0.7}}
					}
				}
			}
		}
		for _, p := range r.running {
			if m := passageForm.FindStringSubmatch(p.text); m != nil {
				v := found{words: p.words, value: m[group], normal: m[group], confidence: 0.7}
				if group == 2 {
					v.normal = alnum(m[group])
				}
				first, _, _ := strings.Cut(m[group], " ")
				if i := slices.IndexFunc(p.words, func(w *word) bool { return strings.Contains(fold(w.Text), first) }); i >= 0 {
					v.words = p.words[i : i+1]
				}
				return []found{v}
			}
		}
		return nil
	}
}

// findCurrency finds the currency of an invoice: the most frequent one.
func findCurrency(r *reader) []found {
	count := map[string]int{}
	first := map[string]*word{}
	for _, l := range r.lines {
		for _, w := range l.words {
			if c := currencyIn(w.Text); c != "" {
				if strings.HasPrefix(w.Text, "$") {
					c = r.marks.dollar
				}
				count[c]++
				if first[c] == nil {
					first[c] = w
				}
			}
		}
	}
	most := ""
	for c, n := range count {
		if n > count[most] || n == count[most] && c < most {
			most = c
		}
	}
	if most == "" {
		return nil
	}
	return []found{{words: []*word{first[most]}, value: first[most].Text, normal: most, confidence: 0.85}}
}

// company reports whether words end like the name of a company.
func company(p []string) bool {
	if len(p) < 2 || len(p) > 9 || p[len(p)-1] == "KG" && containsDigit(p[len(p)-2]) {
		return false
	}
	switch p[len(p)-1] {
	case "INC", "LTD", "MBH", "EG", "OHG", "EK", "CIA", "LTEE", "ASA", "HNOS", "FILS", "SARLU", "SPRL", "BVBA", "SNC", "SAPI", "SAC", "SCA", "SCS", "TBK", "SDN", "PTY", "LLC", "GMBH", "LIMITED", "CORP", "CORPORATION", "CO", "AG", "SA", "SPA", "SRL", "BV", "NV", "KG", "AB", "AS", "PLC", "SARL", "SAS", "SL", "JSC", "STI", "EIRELI", "SAU", "SLU", "OOO", "UG", "KFT", "ZOO", "SRO", "SP", "CV", "APS", "OU", "COMPANY", "INDUSTRIES", "ENTERPRISES", "TRADING", "EXPORTS", "PVT", "FZE", "BHD", "KK", "PTE", "OY", "LDA", "LTDA", "L", "R", "V", "A":
		return true
	}
	return false
}

// phoneForm ends the address in a letterhead.
var phoneForm = newExpression(`(?is)[\s,;|-]*\b(tel|phone|fax|e-?mail|www|http|telephone|vat|tax id|p\.? ?iva|partita iva|cnpj|nif|rut|ust-?id|siret|eori|btw)\b.*`)

// findLetterhead reads the sender in the head of the document: the name of a company, or a
// name in large type, with the address below it.
func findLetterhead(r *reader) []found {
	for _, l := range r.lines {
		if l.page > 1 || l.top > 0.18*r.pages[0].Height {
			break
		}
		for k, c := range l.cells {
			if v, ok := oneLine(c); ok && r.captionAt(l, c.words[0]) == nil {
				return []found{v}
			}
			if heightOf(c.words[0]) < 1.2*r.height && !company(c.pieces) || len(c.pieces) < 2 || title(c.pieces) || r.hasCaption(l, k) {
				continue
			}
			words := slices.Clone(c.words)
			bottom := l.bottom
			for _, next := range r.lines[l.at+1:] {
				if next.page > 1 || next.top-bottom > max(r.height, 0.8*heightOf(c.words[0])) || len(rowsOf(words)) > 4 {
					break
				}
				i := slices.IndexFunc(next.cells, func(d cell) bool { return d.left() < boxAround(words).Right && boxAround(words).Left < d.right() })
				if i < 0 {
					continue
				}
				d := next.cells[i]
				if r.captionAt(next, d.words[0]) != nil || title(d.pieces) || heightOf(d.words[0]) > 1.05*heightOf(c.words[0]) {
					break
				}
				words = append(words, d.words...)
				bottom = next.bottom
			}
			words = trimParty(words)
			text := strings.TrimRight(phoneForm.ReplaceAllString(sayLines(words), ""), ", ")
			return []found{{words: words, value: text, normal: text, confidence: 0.75}}
		}
	}
	return nil
}

// hasCaption reports whether a cell of a line has a caption in it, before it or above it.
func (r *reader) hasCaption(l *line, k int) bool {
	c := l.cells[k]
	return slices.ContainsFunc(c.words, func(w *word) bool { return r.captionOf[w] != nil }) || k > 0 && r.captionAt(l, l.cells[k-1].words[0]) != nil || r.owned(c, anyField)
}

// oneLine reads a sender's name and address in one line of small type, as for a window
// envelope.
func oneLine(c cell) (found, bool) {
	i := slices.IndexFunc(c.words, func(w *word) bool { return slices.Contains([]string{"-", "–", "·", "•", "|", "*"}, w.Text) })
	if i < 2 || i+1 >= len(c.words) || !company(piecesOf(c.words[:i])) || !containsDigit(textOf(c.words[i:])) {
		return found{}, false
	}
	lines := []string{textOf(c.words[:i])}
	var rest []*word
	for _, w := range c.words[i+1:] {
		if len(w.pieces) == 0 && len(rest) > 0 {
			lines, rest = append(lines, textOf(rest)), nil
			continue
		}
		rest = append(rest, w)
	}
	if len(rest) > 0 {
		lines = append(lines, textOf(rest))
	}
	text := phoneForm.ReplaceAllString(strings.Join(lines, "\n"), "")
	return found{words: c.words, value: text, normal: text, confidence: 0.75}, true
}

// title reports whether words are the title of a document, and not its sender.
func title(p []string) bool {
	return slices.ContainsFunc(p, func(w string) bool { return titleWords[w] })
}

var titleWords = set(`INVOICE INVOICES FACTURA FACTURE RECHNUNG HANDELSRECHNUNG FATTURA FATURA FACTUUR LIST ORIGINAL COPY PAGE DATE`)

var (
	timesForm = newExpression(`^\(?(\d{1,3})\)?\s*(?:[X*×]|UNITS?(?: OF)?|CONTAINERS? OF)\s*([24L][0-9A-Z].*)$`)
	sizeTimes = newExpression(`^([24L][0-9A-Z][^X*×]*?)\s*[X*×]\s*(\d{1,3})$`)
)

// findEquipment reads "3 x 40HC", next to a caption or in any short cell.
func findEquipment(r *reader) []found {
	i := slices.IndexFunc(r.rules.fields, func(f field) bool { return f.name == "equipment" })
	f := &r.rules.fields[i]
	var rows []tracking.DocumentFields
	for _, l := range r.lines {
		for _, c := range l.cells {
			for at, counted := 0, 0; at < len(c.words); at++ {
				if at > 6+6*counted {
					break
				}
				text := fold(textOf(c.words[at:]))
				if counted > 0 || !digit(c.words[at].Text) {
					text, _, _ = strings.Cut(text, " AND ")
				}
				m := timesForm.FindStringSubmatch(text)
				if m == nil {
					if m = sizeTimes.FindStringSubmatch(text); m == nil {
						continue
					}
					m[1], m[2] = m[2], m[1]
				}
				size := sizeType(m[2])
				n, err := strconv.ParseInt(m[1], 10, 64)
				if size == "" || err != nil {
					continue
				}
				rows = append(rows, tracking.DocumentFields{
					found{words: c.words[at:], value: m[1], normal: n, confidence: 0.9}.field(&f.columns[0]),
					found{words: c.words[at:], value: strings.TrimSpace(m[2]), normal: size, confidence: 0.9}.field(&f.columns[1]),
				})
				counted++
				at++
			}
		}
	}
	if len(rows) == 0 {
		rows = r.captionedEquipment(f)
	}
	if len(rows) == 0 {
		return nil
	}
	return []found{{rows: rows, confidence: 1}}
}

// captionedEquipment reads number and size of containers that have a caption each, near one another.
func (r *reader) captionedEquipment(f *field) (rows []tracking.DocumentFields) {
	const near, mostContainers = 2, 99 // lines between the captions
	var row tracking.DocumentFields
	at := 0
	for _, l := range r.lines {
		for k, c := range l.cells {
			for _, m := range r.captionsInCell(r.columns[f], l, k, c) {
				if m.field == nil || r.taken[c.words[0]] || m.field.name != f.key && !ofContainers(c.pieces) {
					continue
				}
				v, ok := r.captioned(m)
				if n, counted := v.normal.(int64); !ok || counted && n > mostContainers {
					continue
				}
				if _, again := row.Get(m.field.name); again || l.at > at+near {
					row = nil
				}
				if row, at = append(row, v.field(m.field)), l.at; len(row) == len(f.columns) {
					rows, row = append(rows, inOrder(f, row)), nil
				}
			}
		}
	}
	return rows
}

// ofContainers reports whether a caption is of containers, and not of what is in them.
func ofContainers(caption []string) bool {
	said := strings.Fields(meaning(caption))
	return slices.Contains(said, "CONTAINER") || slices.Contains(said, "EQUIPMENT")
}

// captioned is the likeliest value of a caption of a column outside of a table.
func (r *reader) captioned(m *caption) (found, bool) {
	for _, p := range r.places(m) {
		if v, ok := r.value(m.field, p.words, m); ok && p.sure > 0.7 && v.confidence >= 0.8 {
			v.confidence *= 0.9 * p.sure
			return v, true
		}
	}
	return found{}, false
}

// finish adds the currency of the document to amounts without one.
func (r *reader) finish(fields tracking.DocumentFields) tracking.DocumentFields {
	currency := ""
	if f, ok := fields.Get("currency"); ok {
		currency, _ = f.Normal.(string)
	} else if all := findCurrency(r); len(all) == 1 {
		currency, _ = all[0].normal.(string)
	}
	var fill func(fields tracking.DocumentFields)
	fill = func(fields tracking.DocumentFields) {
		for i := range fields {
			if m, ok := fields[i].Normal.(tracking.Money); ok && m.Currency == "" {
				m.Currency = currency
				fields[i].Normal = m
			}
			for _, row := range fields[i].Rows {
				fill(row)
			}
		}
	}
	fill(fields)
	r.orderDates(fields)
	return fields
}
