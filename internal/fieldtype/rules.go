package fieldtype

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

// ruleReader reads the validation object and the default_format of a definition. Each
// member that a type reads is removed; those that remain are no rules of the type.
type ruleReader struct {
	spec       Definition
	members    map[string]json.RawMessage
	normalized map[string]json.RawMessage // limits that were not in the stored form, in that form
	known      []string
	faults     Errors
}

// Limits of a definition.
const (
	maxRules   = 16 << 10 // bytes of the validation object
	maxFormat  = 100      // characters of the default_format
	maxPattern = 255      // characters of a pattern
	// maxPatternSize bounds a compiled pattern. The time of RE2 is proportional to it
	// and to the text, and nested repetitions are large.
	maxPatternSize = 2_000
)

func readRules(s Definition) *ruleReader {
	r := &ruleReader{spec: s}
	switch {
	case len(s.Validation) == 0 || isNull(s.Validation):
	case len(s.Validation) > maxRules:
		r.fail("validation", "too_long", "Validation is longer than %d bytes", maxRules)
	case !utf8.Valid(s.Validation) || jsonKind(s.Validation) != "an object" || json.Unmarshal(s.Validation, &r.members) != nil:
		r.fail("validation", "invalid_type", "Validation must be an object of rules, or null")
	}
	if utf8.RuneCountInString(s.DefaultFormat) > maxFormat {
		r.fail("default_format", "too_long", "Default format is longer than %d characters", maxFormat)
	} else if !printable(s.DefaultFormat) {
		r.fail("default_format", "invalid", "Default format contains control characters or is not UTF-8")
	}
	return r
}

func (r *ruleReader) fail(field, code, format string, args ...any) {
	r.faults = append(r.faults, newError(field, code, format, args...))
}

// take removes a member of the validation and returns it; null counts as absent.
func (r *ruleReader) take(name string) (json.RawMessage, bool) {
	r.known = append(r.known, name)
	raw, ok := r.members[name]
	delete(r.members, name)
	return raw, ok && !isNull(raw)
}

// refuseUnknown refuses the members that no rule was read from.
func (r *ruleReader) refuseUnknown() {
	for _, name := range slices.Sorted(maps.Keys(r.members)) {
		r.fail("validation."+name, "not_allowed", "A %s field has no rule '%s'; it has %s", r.spec.Type, name, JoinNames(r.known))
	}
}

func (r *ruleReader) flag(name string) (on bool) {
	if raw, ok := r.take(name); ok && json.Unmarshal(raw, &on) != nil {
		r.fail("validation."+name, "invalid_type", "%s must be true or false, not %s", labelOf(name), jsonKind(raw))
	}
	return on
}

// whole reads a whole number from least to most; absent gives missing.
func (r *ruleReader) whole(name string, least, most, missing int) int {
	raw, ok := r.take(name)
	if !ok {
		return missing
	}
	n := 0
	switch {
	case jsonKind(raw) != "a number":
		r.fail("validation."+name, "invalid_type", "%s must be a number, not %s", labelOf(name), jsonKind(raw))
	case json.Unmarshal(raw, &n) != nil || n < least || n > most:
		r.fail("validation."+name, "out_of_range", "%s must be a whole number from %d to %d", labelOf(name), least, most)
	default:
		return n
	}
	return missing
}

// limit reads an end of a range, in any form that a value may have, and notes its
// stored form.
func limit[T any](r *ruleReader, name string, f field[T]) *T {
	raw, ok := r.take(name)
	if !ok {
		return nil
	}
	v, fault := f.parse(raw)
	if fault != nil {
		r.fail("validation."+name, fault.Code, "%s", strings.Replace(fault.Detail, "Value", labelOf(name), 1))
		return nil
	}
	if stored := f.store(v); !bytes.Equal(raw, stored) {
		if r.normalized == nil {
			r.normalized = map[string]json.RawMessage{}
		}
		r.normalized[name] = stored
	}
	return &v
}

// validation returns the object with its limits in the stored form.
func (r *ruleReader) validation() json.RawMessage {
	if len(r.normalized) == 0 {
		return r.spec.Validation
	}
	var all map[string]json.RawMessage
	_ = json.Unmarshal(r.spec.Validation, &all) // it was read before
	maps.Copy(all, r.normalized)
	normalized, _ := json.Marshal(all) // all is JSON
	return normalized
}

func (r *ruleReader) pattern(name string) *regexp.Regexp {
	raw, ok := r.take(name)
	if !ok {
		return nil
	}
	text, fault := decodeString(raw, "a regular expression")
	if fault != nil {
		r.fail("validation."+name, fault.Code, "%s", strings.Replace(fault.Detail, "Value", labelOf(name), 1))
		return nil
	}
	pattern, fault := compilePattern(text)
	if fault != nil {
		r.fail("validation."+name, fault.Code, "%s", fault.Detail)
	}
	return pattern
}

// noFormat refuses a default_format where the type has none.
func (r *ruleReader) noFormat() {
	if r.spec.DefaultFormat != "" {
		r.fail("default_format", "not_allowed", "A %s field has no default_format", r.spec.Type)
	}
}

// patterns caches compiled patterns: the rules are compiled for each value written.
var patterns = struct {
	sync.Mutex
	compiled map[string]*regexp.Regexp
}{compiled: map[string]*regexp.Regexp{}}

// maxPatterns bounds the cache. When it is full, it is cleared.
const maxPatterns = 1_000

// compilePattern compiles a pattern of RE2. It may match any part of a value; ^ and $
// match the whole.
func compilePattern(text string) (*regexp.Regexp, *Error) {
	patterns.Lock()
	known := patterns.compiled[text]
	patterns.Unlock()
	if known != nil {
		return known, nil
	}
	if n := utf8.RuneCountInString(text); n == 0 || n > maxPattern {
		return nil, valueError("too_long", "Pattern must have 1 to %d characters, and has %d", maxPattern, n)
	}
	tree, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return nil, valueError("invalid", "Pattern is no regular expression as RE2 has them: %s", patternFault(err))
	}
	if patternSize(tree) > maxPatternSize {
		return nil, valueError("out_of_range", "Pattern repeats too much: written out it would have more than %d parts", maxPatternSize)
	}
	compiled, err := regexp.Compile(text)
	if err != nil {
		return nil, valueError("invalid", "Pattern is no regular expression as RE2 has them: %s", patternFault(err))
	}
	patterns.Lock()
	defer patterns.Unlock()
	if len(patterns.compiled) >= maxPatterns {
		clear(patterns.compiled)
	}
	patterns.compiled[text] = compiled
	return compiled, nil
}

// patternFault is the reason without the prefix of package regexp.
func patternFault(err error) string {
	return strings.TrimPrefix(err.Error(), "error parsing regexp: ")
}

// patternSize estimates the number of parts of a pattern with its repetitions expanded.
// It stops soon after the bound.
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

// labelOf turns min_length into "Min length".
func labelOf(rule string) string {
	return strings.ToUpper(rule[:1]) + strings.ReplaceAll(rule[1:], "_", " ")
}
