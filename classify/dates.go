package classify

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/landfallhq/tracking"
)

// The orders in which a date in figures can be written.
const (
	eitherOrder = iota
	dayThenMonth
	monthThenDay
)

// order is the order in which a date in figures is written, if it has a figure above 12 or
// the name of a day is next to it.
func order(date string, around []*word) int {
	m := slashedDate.FindStringSubmatch(date)
	if m == nil {
		return eitherOrder
	}
	first, _ := strconv.Atoi(m[1])
	second, _ := strconv.Atoi(m[2])
	switch {
	case first > 12 && second <= 12:
		return dayThenMonth
	case second > 12 && first <= 12:
		return monthThenDay
	}
	year, _ := strconv.Atoi(m[3])
	if year < 100 {
		year += 2000
	}
	for _, w := range around {
		day := func(month, of int) bool {
			name := strings.ToUpper(time.Date(year, time.Month(month), of, 0, 0, 0, 0, time.UTC).Weekday().String())
			return slices.ContainsFunc(w.pieces, func(p string) bool { return p == name || p == name[:3] })
		}
		switch days, months := day(second, first), day(first, second); {
		case days && !months:
			return dayThenMonth
		case months && !days:
			return monthThenDay
		}
	}
	return eitherOrder
}

// foreign reports whether the paper is in another language than English. All of those whose
// words are known write days first.
func (s *layout) foreign() bool {
	count := func(words map[string]bool) (n int) {
		for w := range words {
			if len(s.byPiece[w]) > 0 {
				n++
			}
		}
		return n
	}
	own, english := count(joiningForeign), count(joiningEnglish)
	if own >= 3 && own > english {
		return true
	}
	captions := 0
	for p := range s.byPiece {
		switch word, known := synonyms[p]; {
		case foreignWords[p] && word != p:
			captions++
		case known && word == p || englishWords[p]:
			english++
		}
	}
	return captions >= 4 && captions+own > 2*english
}

// foreignWords are words of captions in other languages, englishWords what they mean.
var foreignWords, englishWords = func() (foreign, english map[string]bool) {
	foreign, english = map[string]bool{}, map[string]bool{}
	for _, line := range strings.Split(tongues, "\n") {
		is, of, _ := strings.Cut(line, "=")
		for w := range set(of) {
			foreign[w] = true
		}
		for w := range set(is) {
			english[w] = true
		}
	}
	return foreign, english
}()

var (
	joiningForeign = set(`DEL LOS LAS EL POR PARA CON FECHA DES LES DU ET POUR AUX AU UND DER DIE DAS VON NACH DATUM NR DELLA IL PER DATA E VAN HET VOOR DE EN DO DA NO DOS`)
	joiningEnglish = set(`OF THE AND FOR BY DATE NUMBER TO WITH THIS`)
)

// orderDates decides between the two readings of dates by the order of departure, arrival and
// last free day. Where nothing does, the dates have both readings, with less confidence than
// a value that nobody looks at.
func (r *reader) orderDates(fields tracking.DocumentFields) {
	if !r.marks.open {
		return
	}
	other := r.marks
	other.monthFirst = !other.monthFirst
	read := func(f tracking.DocumentField, n numbers) string {
		if !numericDate.MatchString(f.Value) {
			text, _ := f.Normal.(string)
			return text
		}
		text, _, _ := n.date(f.Value)
		if f.Kind == tracking.FieldDate {
			text, _, _ = strings.Cut(text, "T")
		}
		return text
	}
	sorted := func(n numbers) bool {
		var dates []string
		for _, names := range [][]string{{"etd", "on_board_date"}, {"eta"}, {"last_free_day"}} {
			for _, name := range names {
				if f, ok := fields.Get(name); ok {
					day, _, _ := strings.Cut(read(f, n), "T")
					dates = append(dates, day)
					break
				}
			}
		}
		return slices.IsSorted(dates)
	}
	own, flipped := sorted(r.marks), sorted(other)
	for i := range fields {
		f := &fields[i]
		if f.Kind != tracking.FieldDate && f.Kind != tracking.FieldTime {
			continue
		}
		a, b := read(*f, r.marks), read(*f, other)
		switch {
		case a == b || a == "" || b == "":
		case own && !flipped:
		case flipped && !own:
			f.Normal = b
		default:
			f.Normal, f.Alternatives, f.Confidence = a, []any{b}, min(f.Confidence, undecided)
		}
	}
}

// undecided is the most confidence of a date with two readings.
const undecided = 0.5
