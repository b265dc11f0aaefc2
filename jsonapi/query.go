package jsonapi

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Accept declares the query parameters of an operation. The zero value accepts plain
// parameters only.
type Accept struct {
	// Page: the response is paginated.
	Page bool
	// AfterCursor: with Page, the pages follow a cursor and have no numbers.
	AfterCursor bool
	// PageSize is the default page size. Defaults to 30.
	PageSize int
	// Include: the operation accepts include paths. The caller checks the
	// relationships.
	Include bool
	// Filters are the names of the filters without the word filter and the first pair
	// of brackets: "number" is filter[number], "created_at[start]" is
	// filter[created_at][start]. A step "[*]" accepts any name: "custom_fields[*]",
	// "custom_fields[*][gt]".
	Filters []string
	// Sorts are the names to sort by, in the same notation. A last step ".*" also
	// accepts any name: "custom_fields.*".
	Sorts []string
}

// The limits of a query. They bound the work of one request.
const (
	// MaxPageSize is the maximum page[size]. Larger values are reduced to it.
	MaxPageSize = 100
	// MaxPageNumber is the maximum page[number]. Number times size cannot overflow.
	MaxPageNumber = math.MaxInt32
	// MaxIncludePaths is the maximum number of include paths.
	MaxIncludePaths = 10
	// MaxIncludeSteps is the maximum number of relationships in one path.
	MaxIncludeSteps = 3
	// MaxSearch is the maximum length of q, in characters.
	MaxSearch = 200
	// MaxFilters is the maximum number of filters.
	MaxFilters = 50
	// MaxFilterValues is the maximum number of values of one filter.
	MaxFilterValues = 100
	// MaxQuery is the maximum length of the raw query, in bytes.
	MaxQuery = 16 << 10

	defaultPageSize = 30
	maxQueryErrors  = 20
)

// QueryKind is the kind of a QueryError.
type QueryKind uint8

// The kinds of QueryError.
const (
	// BadParameter: the parameter is malformed or unknown. A server responds 400.
	BadParameter QueryKind = iota
	// BadValue: a known parameter has an invalid value. A server responds 422, with
	// QueryError.Title.
	BadValue
)

// QueryError is one error of a query.
type QueryError struct {
	Kind QueryKind
	// Parameter is the decoded name of the parameter: "filter[created_at][start]".
	// Empty if the error concerns the whole query.
	Parameter string
	// Detail is a sentence for people.
	Detail string
}

// Error returns the detail, after the parameter if there is one.
func (e *QueryError) Error() string {
	if e.Parameter != "" {
		return e.Parameter + ": " + e.Detail
	}
	return e.Detail
}

// Title is "Invalid <filter>" for a BadValue, where <filter> is the name without the
// word filter. It is empty for a BadParameter, which takes the title of its status.
func (e *QueryError) Title() string {
	if e.Kind != BadValue {
		return ""
	}
	if name, ok := trimFamily(e.Parameter, "filter"); ok {
		return "Invalid " + name
	}
	return "Invalid " + e.Parameter
}

// QueryErrors has all errors of one query. All have the same kind, so that they share
// a status: if there is a BadParameter, each BadValue is dropped.
type QueryErrors []*QueryError

// Error joins the texts of all errors.
func (e QueryErrors) Error() string {
	texts := make([]string, len(e))
	for i, err := range e {
		texts[i] = err.Error()
	}
	return strings.Join(texts, "; ")
}

// Unwrap returns the errors for errors.Is and errors.As.
func (e QueryErrors) Unwrap() []error {
	errs := make([]error, len(e))
	for i, err := range e {
		errs[i] = err
	}
	return errs
}

// Kind returns the kind of the errors.
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
	// Number and Size are the page. They default to 1 and the default size, and are
	// valid only if Accept.Page is set.
	Number, Size int
	// Include is the include paths, trimmed, in order, without duplicates:
	// "shipment.port_of_lading".
	Include []string
	// IncludeSet: include was given, possibly empty. An empty include means no
	// related resources, not the default ones.
	IncludeSet bool
	// Sort is the sort order, most significant criterion first.
	Sort []Sort

	filters []parameter
	plain   []parameter
}

// Sort is one criterion of a sort order.
type Sort struct {
	// Name is the name as in Accept.Sorts, with the wildcard replaced.
	Name string
	// Desc sorts in descending order.
	Desc bool
}

type parameter struct{ name, value string }

// Param returns the value of a plain parameter: any parameter except filter, page,
// sort and include. If it is repeated, the last value counts.
func (q *Query) Param(name string) (value string, ok bool) {
	for i := len(q.plain) - 1; i >= 0; i-- {
		if q.plain[i].name == name {
			return q.plain[i].value, true
		}
	}
	return "", false
}

// ParseQuery parses the raw query of a request, with literal or percent-encoded
// brackets. It returns all errors as QueryErrors.
//
// An undeclared or repeated filter, sort or page parameter is an error, because
// ignoring it would give a misleading result. Unknown plain parameters are kept for
// Param and otherwise ignored.
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
		seen []string // names of reserved parameters; few, so a slice
	)
	for len(rawQuery) > 0 {
		var part string
		part, rawQuery, _ = strings.Cut(rawQuery, "&")
		if part == "" {
			continue
		}
		rawName, rawValue, _ := strings.Cut(part, "=")
		name, problem := unescape(rawName)
		if problem != "" {
			errs.add(BadParameter, printable(rawName), "The parameter's name %s.", problem)
			continue
		}
		value, problem := unescape(rawValue)
		if problem != "" {
			errs.add(BadParameter, name, "The value %s.", problem)
			continue
		}
		family, _, _ := strings.Cut(name, "[")
		switch family {
		case "filter", "page", "sort", "include":
			if slices.Contains(seen, name) {
				errs.add(BadParameter, name, "%s is given more than once.", name)
				continue
			}
			if len(seen) < MaxFilters+4 { // more are an error anyway
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
		errs.add(BadParameter, "filter", "A request may have at most %d filters.", MaxFilters)
	}
	return q, errs.err()
}

func (q *Query) filter(errs *QueryErrors, accept Accept, name, value string) {
	inner, ok := trimFamily(name, "filter")
	if !ok || !declared(accept.Filters, inner) {
		errs.add(BadParameter, name, "%s is not a filter of this operation%s", name, listNames(accept.Filters, "filter"))
		return
	}
	q.filters = append(q.filters, parameter{inner, value})
}

func (q *Query) page(errs *QueryErrors, accept Accept, name, value string) {
	if !accept.Page {
		errs.add(BadParameter, name, "This operation has no pages.")
		return
	}
	if accept.AfterCursor && name != "page[size]" {
		errs.add(BadParameter, name, "%s is not a parameter of this operation: it lists what follows a cursor, and has page[size].", name)
		return
	}
	switch name {
	case "page[number]":
		if n, ok := parsePageNumber(value); ok {
			q.Number = n
			return
		}
	case "page[size]":
		if n, ok := parsePageNumber(value); ok {
			q.Size = min(n, MaxPageSize)
			return
		}
	default:
		errs.add(BadParameter, name, "%s is not a parameter of this operation; it has page[number] and page[size].", name)
		return
	}
	errs.add(BadParameter, name, "%s must be a whole number from 1 to %d.", name, MaxPageNumber)
}

// parsePageNumber accepts digits only: no sign, no space.
func parsePageNumber(s string) (int, bool) {
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
			errs.add(BadParameter, "sort", "This operation cannot sort by %s%s", by, listNames(accept.Sorts, ""))
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
	paths, problem := parseInclude(value)
	switch {
	case problem != nil:
		*errs = append(*errs, problem)
	case len(paths) > 0 && !accept.Include:
		errs.add(BadParameter, name, "This operation has no related resources to include.")
	default:
		q.Include, q.IncludeSet = paths, true
	}
}

// ParseInclude parses the value of an include parameter: relationship paths,
// separated by commas, with steps separated by dots. Empty paths are skipped. Too
// many paths or steps and empty steps are errors, returned as QueryErrors.
func ParseInclude(value string) ([]string, error) {
	paths, problem := parseInclude(value)
	if problem != nil {
		return nil, QueryErrors{problem}
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
			return nil, badInclude("include may have at most %d paths.", MaxIncludePaths)
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

// trimFamily converts filter[created_at][start] to created_at[start]. It fails unless
// name is the family followed by complete, unnested, non-empty brackets.
func trimFamily(name, family string) (string, bool) {
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

// declared reports whether names has name, literally or by a wildcard "[*]" or ".*".
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

// keyOf returns the key of a name "head[key]".
func keyOf(name, head string) (string, bool) {
	rest, ok := strings.CutPrefix(name, head)
	if !ok || len(rest) < 3 || rest[0] != '[' || rest[len(rest)-1] != ']' {
		return "", false
	}
	key := rest[1 : len(rest)-1]
	return key, !strings.ContainsAny(key, "[]")
}

// parameterName converts created_at[start] to filter[created_at][start].
func parameterName(name, family string) string {
	if family == "" {
		return name
	}
	head, rest := name, ""
	if i := strings.IndexByte(name, '['); i >= 0 {
		head, rest = name[:i], name[i:]
	}
	return family + "[" + head + "]" + rest
}

// listNames ends an error message with the accepted names.
func listNames(names []string, family string) string {
	if len(names) == 0 {
		return "; it has none."
	}
	all := make([]string, len(names))
	for i, n := range names {
		all[i] = parameterName(n, family)
	}
	return "; it has " + strings.Join(all, ", ") + "."
}

// unescape decodes a name or value. problem is a phrase for an error message; empty
// if there is none.
func unescape(s string) (decoded, problem string) {
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
		return "", "contains a NUL character"
	}
	if !utf8.ValidString(s) {
		return "", "is not valid UTF-8"
	}
	return s, ""
}

// percent decodes the %XX at the beginning of s.
func percent(s string) (byte, bool) {
	if len(s) < 3 || s[0] != '%' {
		return 0, false
	}
	hi, ok1 := hexDigit(s[1])
	lo, ok2 := hexDigit(s[2])
	return hi<<4 | lo, ok1 && ok2
}

// printable makes an invalid name safe for an error message.
func printable(s string) string {
	if len(s) > maxPointerName {
		return ""
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}
