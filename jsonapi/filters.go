package jsonapi

import (
	"slices"
	"strings"
	"time"
)

// FilterReader reads the filters of a query into Go values. Err returns invalid
// values as QueryErrors of kind BadValue. An empty value is invalid too: a client
// must omit the filter instead. Names are those of Accept.Filters.
type FilterReader struct {
	query Query
	errs  QueryErrors
}

// Filters returns a FilterReader of q.
func Filters(q Query) *FilterReader { return &FilterReader{query: q} }

// Err returns all errors so far as QueryErrors, or nil.
func (f *FilterReader) Err() error { return f.errs.err() }

// Fail records an invalid value that the caller has found.
func (f *FilterReader) Fail(name, detail string) {
	f.errs.add(BadValue, parameterName(name, "filter"), "%s", detail)
}

// String reads one value and trims space around it.
func (f *FilterReader) String(name string) Optional[string] {
	for _, p := range f.query.filters {
		if p.name != name {
			continue
		}
		value := strings.TrimSpace(p.value)
		if value == "" {
			f.Fail(name, "The filter needs a value.")
		}
		return Optional[string]{Value: value, Set: true}
	}
	return Optional[string]{}
}

// Bool reads true or false, in any letter case, or 1 or 0.
func (f *FilterReader) Bool(name string) Optional[bool] {
	s := f.String(name)
	out := Optional[bool]{Set: s.Set}
	switch {
	case s.Value == "": // absent, or an error already
	case strings.EqualFold(s.Value, "true"), s.Value == "1":
		out.Value = true
	case strings.EqualFold(s.Value, "false"), s.Value == "0":
	default:
		f.Fail(name, "The value must be true or false.")
	}
	return out
}

// List reads a comma-separated list of at most MaxFilterValues values. It trims them
// and removes duplicates.
func (f *FilterReader) List(name string) Optional[[]string] {
	s := f.String(name)
	out := Optional[[]string]{Set: s.Set}
	if s.Value == "" {
		return out
	}
	for v := range strings.SplitSeq(s.Value, ",") {
		v = strings.TrimSpace(v)
		if v == "" || slices.Contains(out.Value, v) {
			continue
		}
		if len(out.Value) == MaxFilterValues {
			f.errs.add(BadValue, parameterName(name, "filter"), "The filter may have at most %d values.", MaxFilterValues)
			return Optional[[]string]{Set: true}
		}
		out.Value = append(out.Value, v)
	}
	if len(out.Value) == 0 {
		f.Fail(name, "The filter needs a value.")
	}
	return out
}

// OneOf reads a comma-separated list whose values must all be in allowed.
func (f *FilterReader) OneOf(name string, allowed ...string) Optional[[]string] {
	out := f.List(name)
	for _, v := range out.Value {
		if !slices.Contains(allowed, v) {
			f.Fail(name, "The value must be "+alternatives(allowed)+".")
			return Optional[[]string]{Set: true}
		}
	}
	return out
}

// Time reads the start of a time range: an RFC 3339 time, or a date, which means its
// first instant in UTC. The result is in UTC.
func (f *FilterReader) Time(name string) Optional[time.Time] {
	t, _ := f.time(name)
	return t
}

// TimeEnd reads the inclusive end of a time range: the last nanosecond of the given
// second, or of the given date. Times are shown in whole seconds, so "until 10:00:00"
// must include everything within that second.
func (f *FilterReader) TimeEnd(name string) Optional[time.Time] {
	t, day := f.time(name)
	switch {
	case t.Value.IsZero():
	case day:
		t.Value = t.Value.AddDate(0, 0, 1).Add(-1)
	default:
		t.Value = t.Value.Truncate(time.Second).Add(time.Second - 1)
	}
	return t
}

func (f *FilterReader) time(name string) (out Optional[time.Time], day bool) {
	s := f.String(name)
	out.Set = s.Set
	if s.Value == "" {
		return out, false
	}
	if t, err := time.Parse(time.DateOnly, s.Value); err == nil && t.Year() >= 1 && !t.IsZero() {
		out.Value = t
		return out, true
	}
	// An unencoded "+02:00" arrives with a space.
	t, ok := parseTime(strings.Replace(s.Value, " ", "+", 1))
	if !ok {
		f.Fail(name, "The value must be an RFC 3339 time such as 2026-01-02T03:04:05Z, or a date.")
	}
	out.Value = t
	return out, false
}

// Keyed is one filter declared with "[*]". Rest is the declaration after the key:
// "[gt]" for "custom_fields[*][gt]"; usually empty.
type Keyed struct{ Key, Rest, Value string }

// Keyed returns the filters declared as "head[*]", with or without further steps, in
// order.
func (f *FilterReader) Keyed(head string) []Keyed {
	var all []Keyed
	for _, p := range f.query.filters {
		rest, ok := strings.CutPrefix(p.name, head+"[")
		if key, rest, closed := strings.Cut(rest, "]"); ok && closed {
			all = append(all, Keyed{Key: key, Rest: rest, Value: p.value})
		}
	}
	return all
}
