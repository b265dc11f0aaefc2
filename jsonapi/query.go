package jsonapi

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Accept is what one operation takes in its query. The zero value takes plain
// parameters only.
type Accept struct {
	// Page: the operation answers in pages.
	Page bool
	// PageSize is the size when the request names none. Defaults to 30.
	PageSize int
	// Include: the operation takes include paths. Which relations exist is for
	// the caller to judge.
	Include bool
	// Filters are the names of the filters, as they stand after the word
	// filter, the first without its brackets: "number" is filter[number],
	// "created_at[start]" is filter[created_at][start]. A step of "[*]" takes any
	// name: "custom_fields[*]", "custom_fields[*][gt]".
	Filters []string
	// Sorts are the names to sort by, in the same notation; a last step of ".*"
	// takes any name, too: "custom_fields.*".
	Sorts []string
}

// The ceilings of a query. They bound the work one request can ask for.
const (
	// MaxPageSize is what a larger page[size] is cut to.
	MaxPageSize = 100
	// MaxPageNumber is the last page[number]. It keeps number times size far
	// from overflow.
	MaxPageNumber = math.MaxInt32
	// MaxIncludePaths is how many paths include may list.
	MaxIncludePaths = 10
	// MaxIncludeSteps is how many relations one path may follow.
	MaxIncludeSteps = 3
	// MaxSearch is the longest q, in characters.
	MaxSearch = 200
	// MaxFilters is how many filters one request may combine.
	MaxFilters = 50
	// MaxFilterValues is how many values one filter may list.
	MaxFilterValues = 100
	// MaxQuery is the longest raw query, in bytes.
	MaxQuery = 16 << 10

	defaultPageSize = 30
	maxQueryErrors  = 20
)

// QueryKind says how a query parameter is wrong.
type QueryKind uint8

// The kinds of QueryError.
const (
	// BadParameter: the parameter cannot be understood, or the operation does
	// not have it. A server answers 400.
	BadParameter QueryKind = iota
	// BadValue: a known parameter with an impossible value. A server answers
	// 422, with QueryError.Title.
	BadValue
)

// QueryError is one fault of a query.
type QueryError struct {
	Kind QueryKind
	// Parameter is the parameter's name, decoded: "filter[created_at][start]".
	// Empty when the query as a whole is at fault.
	Parameter string
	// Detail is a sentence for people.
	Detail string
}

// Error returns the detail, led by the parameter when there is one.
func (e *QueryError) Error() string {
	if e.Parameter != "" {
		return e.Parameter + ": " + e.Detail
	}
	return e.Detail
}

// Title is "Invalid <filter>" for a BadValue, the filter being named without
// the word filter, and empty for a BadParameter, whose title goes with its
// status.
func (e *QueryError) Title() string {
	if e.Kind != BadValue {
		return ""
	}
	if name, ok := bracketed(e.Parameter, "filter"); ok {
		return "Invalid " + name
	}
	return "Invalid " + e.Parameter
}

// QueryErrors is every fault found in one query. They are all of one kind, so
// that they share a status: when any parameter cannot be understood, impossible
// values are not reported.
type QueryErrors []*QueryError

// Error joins the texts of all faults.
func (e QueryErrors) Error() string {
	texts := make([]string, len(e))
	for i, err := range e {
		texts[i] = err.Error()
	}
	return strings.Join(texts, "; ")
}

// Unwrap gives errors.Is and errors.As the single faults.
func (e QueryErrors) Unwrap() []error {
	errs := make([]error, len(e))
	for i, err := range e {
		errs[i] = err
	}
	return errs
}

// Kind is the kind of all the faults.
func (e QueryErrors) Kind() QueryKind { return e[0].Kind }

func (e *QueryErrors) add(kind QueryKind, parameter, format string, args ...any) {
	if len(*e) < maxQueryErrors {
		*e = append(*e, &QueryError{Kind: kind, Parameter: parameter, Detail: fmt.Sprintf(format, args...)})
	}
}

func (e QueryErrors) err() error {
	if len(e) == 0 {
		return nil
	}
	if slices.ContainsFunc(e, func(q *QueryError) bool { return q.Kind == BadParameter }) {
		e = slices.DeleteFunc(e, func(q *QueryError) bool { return q.Kind != BadParameter })
	}
	return e
}

// Query is a parsed query.
type Query struct {
	// Number and Size are the page: 1 and the default size unless given. They
	// mean something only where Accept.Page is set.
	Number, Size int
	// Include is the include paths, trimmed, in order, without repetitions:
	// "shipment.port_of_lading".
	Include []string
	// IncludeSet: include was given, be it empty. An empty include asks for no
	// related resources, not for the default ones.
	IncludeSet bool
	// Sort is the order asked for, most significant first.
	Sort []Sort

	filters []parameter
	plain   []parameter
}

// Sort is one criterion of an order.
type Sort struct {
	// Name is the name as Accept.Sorts has it, with a "[*]" filled in.
	Name string
	// Desc: largest first.
	Desc bool
}

type parameter struct{ name, value string }

// Param returns the value of a plain parameter: any that is not filter, page,
// sort or include. Of a repeated one the last counts.
func (q *Query) Param(name string) (value string, ok bool) {
	for i := len(q.plain) - 1; i >= 0; i-- {
		if q.plain[i].name == name {
			return q.plain[i].value, true
		}
	}
	return "", false
}

// ParseQuery reads the raw query of a request, brackets literal or
// percent-encoded, and returns it or all its faults as QueryErrors.
//
// A filter, sort or page parameter that the operation does not have is a fault,
// because a filter that is silently ignored answers a question nobody asked;
// so is one that is given twice. Unknown plain parameters are kept for Param
// and otherwise ignored.
func ParseQuery(rawQuery string, accept Accept) (Query, error) {
	size := accept.PageSize
	if size <= 0 {
		size = defaultPageSize
	}
	q := Query{Number: 1, Size: size}
	if rawQuery == "" {
		return q, nil
	}
	if len(rawQuery) > MaxQuery {
		return q, QueryErrors{{Detail: fmt.Sprintf("The query may be at most %d bytes long.", MaxQuery)}}
	}
	var (
		errs QueryErrors
		seen []string // parameters of the reserved families; few, so a slice
	)
	for len(rawQuery) > 0 {
		var part string
		part, rawQuery, _ = strings.Cut(rawQuery, "&")
		if part == "" {
			continue
		}
		rawName, rawValue, _ := strings.Cut(part, "=")
		name, fault := unescape(rawName)
		if fault != "" {
			errs.add(BadParameter, printable(rawName), "The parameter's name %s.", fault)
			continue
		}
		value, fault := unescape(rawValue)
		if fault != "" {
			errs.add(BadParameter, name, "The value %s.", fault)
			continue
		}
		family, _, _ := strings.Cut(name, "[")
		switch family {
		case "filter", "page", "sort", "include":
			if slices.Contains(seen, name) {
				errs.add(BadParameter, name, "%s is given more than once.", name)
				continue
			}
			if len(seen) < MaxFilters+4 { // beyond which the filters are too many in any case
				seen = append(seen, name)
			}
		}
		switch family {
		case "filter":
			q.filter(&errs, accept, name, value)
		case "page":
			q.page(&errs, accept, name, value)
		case "sort":
			q.sort(&errs, accept, name, value)
		case "include":
			q.include(&errs, accept, name, value)
		default:
			if name == "q" && utf8.RuneCountInString(value) > MaxSearch {
				errs.add(BadValue, name, "q may be at most %d characters long.", MaxSearch)
			}
			q.plain = append(q.plain, parameter{name, value})
		}
	}
	if len(q.filters) > MaxFilters {
		errs.add(BadParameter, "filter", "A request may combine at most %d filters.", MaxFilters)
	}
	return q, errs.err()
}

func (q *Query) filter(errs *QueryErrors, accept Accept, name, value string) {
	inner, ok := bracketed(name, "filter")
	if !ok || !declared(accept.Filters, inner) {
		errs.add(BadParameter, name, "%s is not a filter of this operation%s", name, known(accept.Filters, "filter"))
		return
	}
	q.filters = append(q.filters, parameter{inner, value})
}

func (q *Query) page(errs *QueryErrors, accept Accept, name, value string) {
	if !accept.Page {
		errs.add(BadParameter, name, "This operation does not answer in pages.")
		return
	}
	switch name {
	case "page[number]":
		if n, ok := positive(value); ok {
			q.Number = n
			return
		}
	case "page[size]":
		if n, ok := positive(value); ok {
			q.Size = min(n, MaxPageSize)
			return
		}
	default:
		errs.add(BadParameter, name, "%s is not a parameter of this operation; it has page[number] and page[size].", name)
		return
	}
	errs.add(BadParameter, name, "%s must be a whole number from 1 to %d.", name, MaxPageNumber)
}

// positive reads digits only: no sign, no space.
func positive(s string) (int, bool) {
	for i := range len(s) {
		if !isDigit(s[i]) {
			return 0, false
		}
	}
	n, err := strconv.ParseInt(s, 10, 64)
	return int(n), err == nil && n >= 1 && n <= MaxPageNumber
}

func (q *Query) sort(errs *QueryErrors, accept Accept, name, value string) {
	if name != "sort" {
		errs.add(BadParameter, name, "%s is not a parameter of this operation.", name)
		return
	}
	for item := range strings.SplitSeq(value, ",") {
		item = strings.TrimSpace(item)
		if item == "" {
			continue
		}
		by, desc := strings.CutPrefix(item, "-")
		if !declared(accept.Sorts, by) {
			errs.add(BadParameter, "sort", "This operation cannot sort by %s%s", by, known(accept.Sorts, ""))
			return
		}
		if slices.ContainsFunc(q.Sort, func(s Sort) bool { return s.Name == by }) {
			errs.add(BadParameter, "sort", "sort names %s more than once.", by)
			return
		}
		q.Sort = append(q.Sort, Sort{Name: by, Desc: desc})
	}
}

func (q *Query) include(errs *QueryErrors, accept Accept, name, value string) {
	if name != "include" {
		errs.add(BadParameter, name, "%s is not a parameter of this operation.", name)
		return
	}
	paths, fault := parseInclude(value)
	switch {
	case fault != nil:
		*errs = append(*errs, fault)
	case len(paths) > 0 && !accept.Include:
		errs.add(BadParameter, name, "This operation has no related resources to include.")
	default:
		q.Include, q.IncludeSet = paths, true
	}
}

// ParseInclude reads the value of an include parameter: paths of relations,
// separated by commas, the steps of each by dots. Empty items are skipped. Too
// many paths, too many steps and an empty step are faults, returned as
// QueryErrors.
func ParseInclude(value string) ([]string, error) {
	paths, fault := parseInclude(value)
	if fault != nil {
		return nil, QueryErrors{fault}
	}
	return paths, nil
}

func parseInclude(value string) ([]string, *QueryError) {
	var paths []string
	for path := range strings.SplitSeq(value, ",") {
		path = strings.TrimSpace(path)
		if path == "" || slices.Contains(paths, path) {
			continue
		}
		if paths == nil {
			paths = make([]string, 0, min(strings.Count(value, ",")+1, MaxIncludePaths))
		}
		if len(paths) == MaxIncludePaths {
			return nil, badInclude("include may list at most %d paths.", MaxIncludePaths)
		}
		steps := 0
		for name := range strings.SplitSeq(path, ".") {
			if name == "" {
				return nil, badInclude("The include path %s has an empty step.", path)
			}
			steps++
		}
		if steps > MaxIncludeSteps {
			return nil, badInclude("The include path %s is longer than %d steps.", path, MaxIncludeSteps)
		}
		paths = append(paths, path)
	}
	return paths, nil
}

func badInclude(format string, args ...any) *QueryError {
	return &QueryError{Parameter: "include", Detail: fmt.Sprintf(format, args...)}
}

// bracketed turns filter[created_at][start] into created_at[start]. It is not
// ok for anything that is not the family's name followed by whole, unnested,
// non-empty brackets.
func bracketed(name, family string) (string, bool) {
	rest, ok := strings.CutPrefix(name, family)
	if !ok || rest == "" {
		return "", false
	}
	for tail := rest; tail != ""; {
		end := strings.IndexByte(tail, ']')
		if tail[0] != '[' || end < 2 || strings.IndexByte(tail[1:end], '[') >= 0 {
			return "", false
		}
		tail = tail[end+1:]
	}
	end := strings.IndexByte(rest, ']')
	return rest[1:end] + rest[end+1:], true
}

// declared reports whether names lists name, or lists it with a step "[*]" or
// ".*" in place of a name.
func declared(names []string, name string) bool {
	return slices.ContainsFunc(names, func(n string) bool {
		if head, ok := strings.CutSuffix(n, ".*"); ok {
			rest, ok := strings.CutPrefix(name, head+".")
			return ok && rest != "" && !strings.ContainsAny(rest, ".[]")
		}
		head, tail, any := strings.Cut(n, "[*]")
		if !any {
			return n == name
		}
		inner, ok := strings.CutSuffix(name, tail)
		if !ok {
			return false
		}
		_, ok = keyOf(inner, head)
		return ok
	})
}

// keyOf returns key where name is "head[key]".
func keyOf(name, head string) (string, bool) {
	rest, ok := strings.CutPrefix(name, head)
	if !ok || len(rest) < 3 || rest[0] != '[' || rest[len(rest)-1] != ']' {
		return "", false
	}
	key := rest[1 : len(rest)-1]
	return key, !strings.ContainsAny(key, "[]")
}

// spelled turns created_at[start] back into filter[created_at][start].
func spelled(name, family string) string {
	if family == "" {
		return name
	}
	head, rest := name, ""
	if i := strings.IndexByte(name, '['); i >= 0 {
		head, rest = name[:i], name[i:]
	}
	return family + "[" + head + "]" + rest
}

// known ends a sentence with what would have been right.
func known(names []string, family string) string {
	if len(names) == 0 {
		return "; it has none."
	}
	all := make([]string, len(names))
	for i, n := range names {
		all[i] = spelled(n, family)
	}
	return "; it has " + strings.Join(all, ", ") + "."
}

// unescape decodes one name or value. The fault is a phrase for a sentence,
// empty when there is none.
func unescape(s string) (decoded, fault string) {
	if strings.ContainsAny(s, "%+") {
		var short [64]byte
		b := short[:0]
		for i := 0; i < len(s); i++ {
			switch s[i] {
			case '+':
				b = append(b, ' ')
			case '%':
				c, ok := percent(s[i:])
				if !ok {
					return "", "has a malformed percent-encoding"
				}
				b = append(b, c)
				i += 2
			default:
				b = append(b, s[i])
			}
		}
		s = string(b)
	}
	if strings.IndexByte(s, 0) >= 0 {
		return "", "holds a NUL character"
	}
	if !utf8.ValidString(s) {
		return "", "is not valid UTF-8"
	}
	return s, ""
}

// percent reads %XX from the front of s.
func percent(s string) (byte, bool) {
	if len(s) < 3 || s[0] != '%' {
		return 0, false
	}
	hi, ok1 := hexDigit(s[1])
	lo, ok2 := hexDigit(s[2])
	return hi<<4 | lo, ok1 && ok2
}

// printable makes a name that cannot be decoded fit to be repeated.
func printable(s string) string {
	if len(s) > longName {
		return ""
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}
