package score

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/landfallhq/tracking/classify/corpus/truth"
	"github.com/landfallhq/tracking/refdata"
)

// right reports whether an answer is right. A date that can be read in several ways must be
// answered with all of them, and with less confidence than Sure.
func right(kind truth.Kind, value any, f Field) bool {
	readings, ok := value.(truth.Readings)
	if !ok {
		return same(kind, value, f.Value)
	}
	if f.Confidence >= Sure {
		return false
	}
	answers := append([]string{f.Value}, f.Alternatives...)
	return len(answers) == len(readings) && !slices.ContainsFunc(readings, func(r string) bool {
		return !slices.ContainsFunc(answers, func(a string) bool { return same(kind, r, a) })
	})
}

// same reports whether an answer equals the true value, as package truth describes.
func same(kind truth.Kind, value any, answer string) bool {
	if company, ok := value.(truth.Company); ok {
		rest, ok := strings.CutPrefix(fold(answer), fold(company.Name))
		return ok && strings.HasPrefix(fold(company.Address), rest)
	}
	want, _ := value.(string)
	switch kind {
	case truth.Prose:
		return alike(want, answer)
	case truth.Place:
		return port(want) == port(answer)
	case truth.Date:
		return sameMoment(want, answer)
	case truth.Mass, truth.Volume, truth.Money, truth.Quantity:
		n, unit := measured(want)
		m, of, ok := measuredAnswer(answer)
		return ok && n == m && unit == of
	case truth.Code:
		return code(want) == code(answer)
	default:
		return fold(want) == fold(answer)
	}
}

// sizes are codes of ISO 6346 in the short form that the truth has.
var sizes = map[string]string{"22G1": "20GP", "42G1": "40GP", "45G1": "40HC", "L5G1": "45HC", "45R1": "40RH"}

func code(s string) string {
	if short, ok := sizes[fold(s)]; ok {
		return short
	}
	return fold(s)
}

// fold leaves letters and digits, in upper case.
func fold(s string) string {
	return strings.Map(func(c rune) rune {
		if !unicode.IsLetter(c) && !unicode.IsDigit(c) {
			return -1
		}
		return unicode.ToUpper(c)
	}, s)
}

// alike reports whether four of five words of either text are in the other.
func alike(a, b string) bool {
	words := map[string]int{}
	for _, w := range strings.Fields(a) {
		words[fold(w)]++
	}
	common := 0
	for _, w := range strings.Fields(b) {
		if words[fold(w)] > 0 {
			words[fold(w)]--
			common++
		}
	}
	longer := max(len(strings.Fields(a)), len(strings.Fields(b)))
	return longer > 0 && 5*common >= 4*longer
}

func port(code string) string {
	if p, ok := refdata.PortByCode(strings.TrimSpace(code)); ok {
		return p.Code
	}
	return fold(code)
}

// sameMoment requires a time of day if the document has one; midnight is none.
func sameMoment(want, answer string) bool {
	t, _ := moment(want)
	a, ok := moment(answer)
	return ok && t.Equal(a)
}

func moment(s string) (time.Time, bool) {
	for _, layout := range []string{time.DateOnly, "2006-01-02T15:04", "2006-01-02T15:04:05", "2006-01-02 15:04"} {
		if t, err := time.Parse(layout, strings.TrimSuffix(s, "Z")); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}

func measured(s string) (float64, string) {
	n, unit, _ := measuredAnswer(s)
	return n, unit
}

// measuredAnswer splits a figure from its unit or currency, which may come first.
func measuredAnswer(s string) (n float64, unit string, ok bool) {
	for _, word := range strings.Fields(s) {
		if x, err := strconv.ParseFloat(word, 64); err == nil && !ok {
			n, ok = x, true
			continue
		}
		unit += fold(word)
	}
	return n, unit, ok
}
