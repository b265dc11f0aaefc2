package fieldtype

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// decimal is an exact number in millionths: 12 digits before the point and 6
// after it.
type decimal int64

const (
	decimalPlaces = 6
	decimalDigits = 12 // before the point
	maxDecimal    = decimal(999_999_999_999_999_999)
)

var powersOf10 = [decimalPlaces + 1]decimal{1, 10, 100, 1_000, 10_000, 100_000, 1_000_000}

// parseDecimal reads a number as JSON spells it. Nothing is rounded.
// Codes: invalid; out_of_range; scale, for too many places.
func parseDecimal(text string) (decimal, *Error) {
	malformed := valueError("invalid", "Value must be a number such as 1234.5")
	if len(text) > 1_000 {
		return 0, valueError("too_long", "Value is a number of more than 1000 characters")
	}
	rest, negative := strings.CutPrefix(text, "-")
	mantissa, exponent, scientific := strings.Cut(strings.ToLower(rest), "e")
	whole, fraction, pointed := strings.Cut(mantissa, ".")
	if !isDigits(whole) || pointed && !isDigits(fraction) {
		return 0, malformed
	}
	digits := strings.TrimLeft(whole+fraction, "0")
	point := len(digits) - len(fraction) // number of digits before the point
	if scientific {
		magnitude := strings.TrimLeft(exponent, "+-")
		if !isDigits(magnitude) || len(exponent)-len(magnitude) > 1 {
			return 0, malformed
		}
		e, err := strconv.Atoi(exponent)
		if err != nil {
			e = math.MaxInt32
			if exponent[0] == '-' {
				e = -e
			}
		}
		point += max(-math.MaxInt32, min(e, math.MaxInt32)) // so that no later sum overflows
	}
	digits = strings.TrimRight(digits, "0")
	switch {
	case digits == "":
		return 0, nil
	case point > decimalDigits:
		return 0, valueError("out_of_range", "Value must have at most %d digits before the point", decimalDigits)
	case len(digits)-point > decimalPlaces:
		return 0, valueError("scale", "Value must have at most %d digits after the point", decimalPlaces)
	}
	n, err := strconv.ParseInt(digits+strings.Repeat("0", decimalPlaces-(len(digits)-point)), 10, 64)
	if err != nil {
		return 0, malformed
	}
	if negative {
		n = -n
	}
	return decimal(n), nil
}

func isDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

// String is the shortest form: no exponent, no zeros at the end.
func (d decimal) String() string {
	s := strings.TrimRight(d.fixed(decimalPlaces), "0")
	return strings.TrimSuffix(s, ".")
}

// fixed writes the number with this many places, the last one rounded, halves
// away from zero.
func (d decimal) fixed(places int) string {
	sign, n := "", d
	if d < 0 {
		sign, n = "-", -d
	}
	unit := powersOf10[decimalPlaces-places]
	n = (n + unit/2) / unit
	if n == 0 {
		sign = ""
	}
	if places == 0 {
		return sign + strconv.FormatInt(int64(n), 10)
	}
	whole, fraction := n/powersOf10[places], n%powersOf10[places]
	return fmt.Sprintf("%s%d.%0*d", sign, whole, places, fraction)
}

// key has the order of the numbers: negative ones first.
func (d decimal) key() string { return fmt.Sprintf("%016x", uint64(d)^1<<63) }

// places is the number of digits after the point.
func (d decimal) places() int {
	for n := range powersOf10 {
		if d%powersOf10[decimalPlaces-n] == 0 {
			return n
		}
	}
	return decimalPlaces
}

// numberField has the rules min, max and scale.
type numberField struct {
	min, max *decimal
	scale    int
	format   numberFormat
}

func newNumberField(r *ruleReader) codec {
	f := numberField{scale: r.whole("scale", 0, decimalPlaces, decimalPlaces), format: parseNumberFormat(r)}
	f.min, f.max = limit(r, "min", f), limit(r, "max", f)
	if f.min != nil && f.max != nil && *f.min > *f.max {
		r.fail("validation.max", "out_of_range", "Max must not be less than min, which is %s", *f.min)
	}
	return fieldCodec[decimal]{f}
}

func (numberField) parse(raw json.RawMessage) (decimal, *Error) {
	switch kind := jsonKind(raw); kind {
	case "a number":
		return parseDecimal(strings.TrimSpace(string(raw)))
	case "a string":
		text, fault := decodeString(raw, "a number")
		if fault != nil {
			return 0, fault
		}
		return parseDecimal(strings.TrimSpace(text))
	default:
		return 0, valueError("invalid_type", "Value must be a number, not %s", kind)
	}
}

func (f numberField) check(d decimal, _ Lookup) error {
	switch {
	case f.min != nil && d < *f.min:
		return valueError("out_of_range", "Value must be at least %s", *f.min)
	case f.max != nil && d > *f.max:
		return valueError("out_of_range", "Value must be at most %s", *f.max)
	case d.places() > f.scale:
		return valueError("scale", "Value must have at most %d digits after the point", f.scale)
	}
	return nil
}

func (numberField) empty(decimal) bool                         { return false }
func (numberField) store(d decimal) json.RawMessage            { return json.RawMessage(d.String()) }
func (numberField) keys(d decimal) []string                    { return []string{d.key()} }
func (numberField) parseText(text string) (decimal, *Error)    { return parseDecimal(text) }
func (f numberField) show(d decimal, _ Lookup) (string, error) { return f.format.show(d), nil }

// numberFormat is how numbers are displayed:
//
//	format  = [text] digits [text]
//	digits  = "0" [",0"] ["." places]     ",0" groups by thousands
//	places  = {"0"} {"#"}                 at most 6; zeros are always shown, # when there is a digit
//	text    = any characters but 0 # , . and ", or anything between two "
//
// Without places the number is rounded to a whole one; halves go away from
// zero. The sign stands before the first text: "$0,0.00" shows -1234.5 as
// -$1,234.50. The zero numberFormat shows the number as it is.
type numberFormat struct {
	before, after string
	given, group  bool
	least, most   int // places
}

func parseNumberFormat(r *ruleReader) (f numberFormat) {
	text := r.spec.DefaultFormat
	if text == "" {
		return f
	}
	rest, ok := text, false
	f.given = true
	if f.before, rest, ok = formatText(rest); ok {
		if rest, ok = strings.CutPrefix(rest, "0"); ok {
			rest, f.group = strings.CutPrefix(rest, ",0")
			if places, pointed := strings.CutPrefix(rest, "."); pointed {
				after := strings.TrimLeft(places, "0")
				f.least = len(places) - len(after)
				rest = strings.TrimLeft(after, "#")
				f.most = len(places) - len(rest)
				ok = f.most > 0 && f.most <= decimalPlaces
			}
		}
	}
	if ok {
		f.after, rest, ok = formatText(rest)
	}
	if !ok || rest != "" {
		r.fail("default_format", "invalid", "'%s' is no format of numbers: give 0 or 0,0, then a point and up to %d of 0 and # for places, and before and after it a text such as $ or \" kg\"", text, decimalPlaces)
	}
	return f
}

// formatText reads a text up to the digits or the end; ok is false for a
// quotation that does not end.
func formatText(s string) (text, rest string, ok bool) {
	var b strings.Builder
	for s != "" && !strings.ContainsRune("0#,.", rune(s[0])) {
		if s[0] != '"' {
			b.WriteByte(s[0])
			s = s[1:]
			continue
		}
		quoted, after, closed := strings.Cut(s[1:], `"`)
		if !closed {
			return "", s, false
		}
		b.WriteString(quoted)
		s = after
	}
	return b.String(), s, true
}

func (f numberFormat) show(d decimal) string {
	if !f.given {
		return d.String()
	}
	digits, negative := strings.CutPrefix(d.fixed(f.most), "-")
	whole, fraction, _ := strings.Cut(digits, ".")
	for len(fraction) > f.least && fraction[len(fraction)-1] == '0' {
		fraction = fraction[:len(fraction)-1]
	}
	if f.group {
		for i := len(whole) - 3; i > 0; i -= 3 {
			whole = whole[:i] + "," + whole[i:]
		}
	}
	if fraction != "" {
		whole += "." + fraction
	}
	if whole = f.before + whole + f.after; negative {
		return "-" + whole
	}
	return whole
}
