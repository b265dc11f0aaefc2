package tracking

import (
	"bytes"
	"encoding/json"
	"maps"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// fieldRuleReader reads the validation object and the default_format of a
// definition. Every member that a type reads is taken out; what is left over at
// the end is no rule of the type.
type fieldRuleReader struct {
	spec    fieldSpec
	members map[string]json.RawMessage
	settled map[string]json.RawMessage // limits that are not spelled as values are stored, as they would be
	known   []string
	faults  Errors
}

// The ceilings of what a definition may say.
const (
	maxFieldRules   = 16 << 10 // bytes of the validation object
	maxFieldFormat  = 100      // characters of the default_format
	maxFieldPattern = 255      // characters of a pattern
	// maxPatternSize bounds the machine that a pattern becomes. RE2 takes time in
	// proportion to it and to the text, and repetitions of repetitions are large.
	maxPatternSize = 2_000
)

func readFieldRules(s fieldSpec) *fieldRuleReader {
	r := &fieldRuleReader{spec: s}
	switch {
	case len(s.Validation) == 0 || isNull(s.Validation):
	case len(s.Validation) > maxFieldRules:
		r.fail("validation", "too_long", "Validation is longer than %d bytes", maxFieldRules)
	case !utf8.Valid(s.Validation) || jsonSort(s.Validation) != "an object" || json.Unmarshal(s.Validation, &r.members) != nil:
		r.fail("validation", "invalid_type", "Validation must be an object of rules, or null")
	}
	if utf8.RuneCountInString(s.DefaultFormat) > maxFieldFormat {
		r.fail("default_format", "too_long", "Default format is longer than %d characters", maxFieldFormat)
	} else if !printable(s.DefaultFormat) {
		r.fail("default_format", "invalid", "Default format contains control characters or is not UTF-8")
	}
	return r
}

func (r *fieldRuleReader) fail(field, code, format string, args ...any) {
	r.faults = append(r.faults, invalid(field, code, format, args...))
}

// take returns a member of the validation; null is as none.
func (r *fieldRuleReader) take(name string) (json.RawMessage, bool) {
	r.known = append(r.known, name)
	raw, ok := r.members[name]
	delete(r.members, name)
	return raw, ok && !isNull(raw)
}

// leftOver refuses what no rule was read from.
func (r *fieldRuleReader) leftOver() {
	for _, name := range slices.Sorted(maps.Keys(r.members)) {
		r.fail("validation."+name, "not_allowed", "A %s field has no rule '%s'; it has %s", r.spec.DataType, name, joinTypes(r.known))
	}
}

func (r *fieldRuleReader) flag(name string) (on bool) {
	if raw, ok := r.take(name); ok && json.Unmarshal(raw, &on) != nil {
		r.fail("validation."+name, "invalid_type", "%s must be true or false, not %s", fieldLabel(name), jsonSort(raw))
	}
	return on
}

// whole reads a whole number from least to most; absent gives what is usual.
func (r *fieldRuleReader) whole(name string, least, most, usual int) int {
	raw, ok := r.take(name)
	if !ok {
		return usual
	}
	n := 0
	switch {
	case jsonSort(raw) != "a number":
		r.fail("validation."+name, "invalid_type", "%s must be a number, not %s", fieldLabel(name), jsonSort(raw))
	case json.Unmarshal(raw, &n) != nil || n < least || n > most:
		r.fail("validation."+name, "out_of_range", "%s must be a whole number from %d to %d", fieldLabel(name), least, most)
	default:
		return n
	}
	return usual
}

// limit reads an end of a range, spelled as a value of the type is, and settles
// it as such a one is stored.
func limit[T any](r *fieldRuleReader, name string, f valueType[T]) *T {
	raw, ok := r.take(name)
	if !ok {
		return nil
	}
	v, fault := f.parse(raw)
	if fault != nil {
		r.fail("validation."+name, fault.Code, "%s", strings.Replace(fault.Detail, "Value", fieldLabel(name), 1))
		return nil
	}
	if stored := f.store(v); !bytes.Equal(raw, stored) {
		if r.settled == nil {
			r.settled = map[string]json.RawMessage{}
		}
		r.settled[name] = stored
	}
	return &v
}

// validation is the object with its limits spelled as values are stored.
func (r *fieldRuleReader) validation() json.RawMessage {
	if len(r.settled) == 0 {
		return r.spec.Validation
	}
	var all map[string]json.RawMessage
	_ = json.Unmarshal(r.spec.Validation, &all) // as it was read before
	maps.Copy(all, r.settled)
	settled, _ := json.Marshal(all) // JSON as well
	return settled
}

func (r *fieldRuleReader) pattern(name string) *regexp.Regexp {
	raw, ok := r.take(name)
	if !ok {
		return nil
	}
	text, fault := fieldText(raw, "a regular expression")
	if fault != nil {
		r.fail("validation."+name, fault.Code, "%s", strings.Replace(fault.Detail, "Value", fieldLabel(name), 1))
		return nil
	}
	pattern, fault := compilePattern(text)
	if fault != nil {
		r.fail("validation."+name, fault.Code, "%s", fault.Detail)
	}
	return pattern
}

// noFormat refuses a default_format where the type has none.
func (r *fieldRuleReader) noFormat() {
	if r.spec.DefaultFormat != "" {
		r.fail("default_format", "not_allowed", "A %s field has no default_format", r.spec.DataType)
	}
}

// patterns keeps those that were compiled: every value that is written asks.
var patterns = struct {
	sync.Mutex
	compiled map[string]*regexp.Regexp
}{compiled: map[string]*regexp.Regexp{}}

// maxPatterns is how many compiled patterns are kept; then it begins anew.
const maxPatterns = 1_000

// compilePattern compiles a pattern of RE2. It is searched for in the value, so
// that ^ and $ are needed to speak of the whole.
func compilePattern(text string) (*regexp.Regexp, *Error) {
	patterns.Lock()
	known := patterns.compiled[text]
	patterns.Unlock()
	if known != nil {
		return known, nil
	}
	if n := utf8.RuneCountInString(text); n == 0 || n > maxFieldPattern {
		return nil, badValue("too_long", "Pattern must have 1 to %d characters, and has %d", maxFieldPattern, n)
	}
	tree, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return nil, badValue("invalid", "Pattern is no regular expression as RE2 has them: %s", patternFault(err))
	}
	if patternSize(tree) > maxPatternSize {
		return nil, badValue("out_of_range", "Pattern repeats too much: written out it would have more than %d parts", maxPatternSize)
	}
	compiled, err := regexp.Compile(text)
	if err != nil {
		return nil, badValue("invalid", "Pattern is no regular expression as RE2 has them: %s", patternFault(err))
	}
	patterns.Lock()
	defer patterns.Unlock()
	if len(patterns.compiled) >= maxPatterns {
		clear(patterns.compiled)
	}
	patterns.compiled[text] = compiled
	return compiled, nil
}

// patternFault is the reason without our own package names in it.
func patternFault(err error) string {
	return string(bytes.TrimPrefix([]byte(err.Error()), []byte("error parsing regexp: ")))
}

// patternSize is about how many parts a pattern has when its repetitions are
// written out, and never less than zero. It stops counting soon after the bound.
func patternSize(re *syntax.Regexp) int {
	size := 1 + len(re.Rune)
	if re.Op == syntax.OpCharClass {
		size = 1 + len(re.Rune)/8 // one part, with a table of ranges
	}
	for _, sub := range re.Sub {
		if size += patternSize(sub); size > maxPatternSize {
			break
		}
	}
	if re.Op == syntax.OpRepeat {
		size *= max(1, re.Min, re.Max)
	}
	return min(size, maxPatternSize+1)
}
