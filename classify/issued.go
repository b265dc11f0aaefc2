package classify

import (
	"slices"
	"strings"

	"github.com/landfallhq/tracking"
)

var (
	// issueForm ends with words that announce a date of issue: "Signed for the carrier at Durban on".
	issueForm = newExpression(`(?:^(?:DATED?|DATUM|DATA|FECHA|TARIH|[A-Z ]{0,20}\b(?:Y FECHA|AND DATE|ET DATE|E DATA|UND DATUM|EN DATUM))\b|\b(?:ISSUED?|SIGNED|DATED|EMITID[AO]|EMESS[AO]|EMISE?|FAITE?|ERSTELLT|AUSGESTELLT|PRINTED|PREPARED|GIVEN|EXPEDID[AO]|RILASCIAT[AO]|DELIVREE?|OPGEMAAKT|AFGEGEVEN|UITGEGEVEN|DUZENLENME|HECHO)\b)[^.;/]{0,50}$`)
	// ofForm joins a document's number and its date: "No. 41 15493 of".
	ofForm = newExpression(`\d[\w/-]* (?:OF|DEL|VOM|DU|DATED|VAN|DE|DD|DT|DI|D\.D)[.:]*$`)
	// townForm is a place before the date: "Hamburg, den".
	townForm = newExpression(`^([A-Z][A-Z .'()-]{2,38}?)(,|,? (?:DEN|THE|LE|EL|IL|AM|ON|DE|OP|ADI|LI))?$`)
	// towards are words between a place and the date of issue.
	towards = set(`ON IL EL LE AM DEN THE OP DE EM DATE THIS AND TARIHI`)
)

// issue is a date that may be that of issue.
type issue struct {
	day, place found
	sure       float64
}

// issued finds date and place of issue in words without a caption of a field: with words that say
// so, behind a place, behind the document's number, or alone at the head or the foot.
func (r *reader) issued() {
	_, known := best(r.kept["issue_date"])
	if known || owns[r.rules.code] == "" {
		return
	}
	other := map[*word]bool{} // of other fields' dates
	for _, f := range r.rules.fields {
		if v, ok := best(r.kept[f.name]); ok && numeric(&f) && len(v.words) > 0 {
			other[v.words[0]] = true
		}
	}
	var first issue
	for _, l := range r.lines {
		for i, c := range l.cells {
			if r.taken[c.words[0]] || !containsDigit(textOf(c.words)) {
				continue
			}
			v := r.issueIn(l, i, other)
			if later := l.top > 0.5*r.pages[l.page-1].Height && first.sure > 0 && first.day.words[0].page == l.page; v.sure > first.sure || later && v.sure > 0 && v.sure == first.sure {
				first = v
			}
		}
	}
	if first.sure == 0 {
		return
	}
	r.kept["issue_date"] = []found{first.day}
	if len(first.place.words) > 0 {
		r.kept["issue_place"] = append(r.kept["issue_place"], first.place)
	}
}

// another reports whether a cell belongs to a caption of another field: one in it, or one that
// fills the cell before it.
func (r *reader) another(l *line, cell int) bool {
	return slices.ContainsFunc(r.byLine[l], func(k *caption) bool {
		if k.field != nil && (strings.HasPrefix(k.field.name, "issue_") || k.cell == cell && k.field.name == owns[r.rules.code]) {
			return false
		}
		return k.cell == cell && k.field != nil || k.cell == cell-1 && k.whole() && (dated(k.field) || !numeric(k.field))
	})
}

func dated(f *field) bool {
	return f == nil || f.kind == tracking.FieldDate || f.kind == tracking.FieldTime
}

// apart reports whether a cell is no value of the one at its left: that is a title, or none.
func (r *reader) apart(l *line, cell int) bool {
	return cell == 0 || l.top < 0.15*r.pages[0].Height || heightOf(l.cells[cell-1].words[0]) > 1.15*r.height
}

// issueIn reads a cell as date of issue. The words of other fields' dates are none.
func (r *reader) issueIn(l *line, cell int, other map[*word]bool) (v issue) {
	c := l.cells[cell]
	text := fold(textOf(c.words))
	height := r.pages[l.page-1].Height
	head := l.page == 1 && l.top < 0.35*height
	for begin := 0; begin < len(text); {
		normal, at, end := r.marks.dateIn(text[begin:])
		if normal == "" {
			break
		}
		at, end = begin+at, begin+end
		before := strings.TrimRight(text[begin:at], " :-")
		before = before[strings.LastIndexAny(before, ";|")+1:]
		if i := strings.LastIndex(before, ". "); i > 3 {
			before = before[i+2:]
		}
		before = strings.TrimSpace(before)
		sure := 0.0
		town := townForm.FindStringSubmatch(before)
		switch code := placeBefore(before); {
		case issueForm.MatchString(before), head && ofForm.MatchString(before), town != nil && code != "":
			sure = 0.75
		case town != nil && town[2] != "" && len(text)-end < 4:
			sure = 0.65
		case (before == "" || towards[before]) && len(text)-end < 4 && head && !r.owned(c, dated) && r.apart(l, cell):
			sure = 0.6
		}
		words := wordsAt(c.words, [2]int{at, end})
		if sure > v.sure && !other[words[0]] && (begin > 0 || !r.another(l, cell)) {
			v = issue{sure: sure, day: found{words: words, value: textOf(words), normal: date(normal), confidence: sure}}
			if code := placeBefore(before); code != "" {
				v.place = found{words: c.words, value: before, normal: code, confidence: sure - 0.05}
			}
		}
		begin = end
	}
	return v
}

// placeBefore is the place at the end of the words before a date; "" for none.
func placeBefore(text string) string {
	words := strings.Fields(strings.TrimRight(text, ",:"))
	for len(words) > 0 && towards[words[len(words)-1]] {
		words = words[:len(words)-1]
	}
	for i := max(0, len(words)-4); i < len(words); i++ {
		if code, known := place(strings.Trim(strings.Join(words[i:], " "), ",")); known && code != "" {
			return code
		}
	}
	return ""
}
