package dashboard

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/landfallhq/tracking"
)

const (
	// maxValue bounds a value in the URL of a list, in characters.
	maxValue = 255
	// defaultSize and maxSize are the rows of a page.
	defaultSize, maxSize = 50, 200
)

// fieldPrefix begins the parameters and columns of custom fields: custom_fields.po.
const fieldPrefix = "custom_fields."

// Parameters of all lists.
const (
	paramSort, paramPage, paramSize, paramColumns = "sort", "page", "size", "columns"
	// paramView is the view that the list was opened by.
	paramView = "view"
)

// filterKind is how a filter is entered.
type filterKind string

const (
	textFilter   filterKind = "text"
	choiceFilter filterKind = "choice" // several of some values
	flagFilter   filterKind = "flag"   // true or false
	rangeFilter  filterKind = "range"  // days: .from and .to, or a period
	fieldFilter  filterKind = "field"  // a custom field, whose value may have commas
)

// filter is a filter of a list.
type filter struct {
	name    string
	label   string // of a custom field; others have theirs in the catalogue
	kind    filterKind
	options []option
}

// option is a value that can be chosen.
type option struct {
	Value, Label string
	Chosen       bool
}

// query is the part of a URL that says what a list shows.
type query struct {
	url.Values
	texts catalog
	now   time.Time // UTC
	fault string    // the first thing that cannot be understood; empty for none
}

func (q *query) fail(sentence string) { q.fault = cmp.Or(q.fault, sentence) }

// err is the error of a query that cannot be understood.
func (q *query) err() error {
	if q.fault == "" {
		return nil
	}
	return &pageError{http.StatusBadRequest, q.fault}
}

// canonical returns the shortest form of a query: without empty parameters, and with one
// parameter for the values of a list.
func canonical(in url.Values) url.Values {
	out := url.Values{}
	for name, values := range in {
		values = slices.DeleteFunc(slices.Clone(values), func(s string) bool { return strings.TrimSpace(s) == "" })
		switch {
		case len(values) == 0, name == paramPage && values[0] == "1", name == paramSize && values[0] == strconv.Itoa(defaultSize):
		case strings.HasPrefix(name, fieldPrefix):
			out.Set(name, strings.TrimSpace(values[0]))
		default:
			out.Set(name, strings.TrimSpace(strings.Join(values, ",")))
		}
	}
	return out
}

// check refuses parameters that the list does not have, and overlong values.
func (q *query) check(filters []filter) {
	known := []string{paramSort, paramPage, paramSize, paramColumns, paramView}
	for _, f := range filters {
		if f.kind == rangeFilter {
			known = append(known, f.name, f.name+".from", f.name+".to")
		} else {
			known = append(known, f.name)
		}
	}
	for name, values := range q.Values {
		slug, operated := strings.CutPrefix(name, fieldPrefix)
		switch {
		case !slices.Contains(known, name) && !(operated && fieldOperator(slug) != ""):
			q.fail(q.texts.get("error.filter", clip(name)))
		case utf8.RuneCountInString(values[0]) > maxValue && name != paramColumns:
			q.fail(q.texts.get("error.filter.long", clip(name), maxValue))
		}
	}
}

// clip shortens what somebody else wrote, for a sentence.
func clip(s string) string {
	if r := []rune(s); len(r) > 60 {
		return string(r[:60]) + "…"
	}
	return s
}

// list reads values that are separated by commas.
func (q *query) list(name string) (list []string) {
	for word := range strings.SplitSeq(q.Get(name), ",") {
		if word = strings.TrimSpace(word); word != "" {
			list = append(list, word)
		}
	}
	return list
}

func (q *query) upper(name string) []string {
	list := q.list(name)
	for i := range list {
		list[i] = strings.ToUpper(list[i])
	}
	return list
}

// choices reads values of a few that there are.
func (q *query) choices(name string, among []string) []string {
	list := q.list(name)
	for _, s := range list {
		if !slices.Contains(among, s) {
			q.fail(q.texts.get("error.filter.value", clip(s), clip(name)))
		}
	}
	return list
}

func (q *query) tri(name string) tracking.Tri {
	switch s := q.Get(name); s {
	case "":
		return tracking.Any
	case "true":
		return tracking.Yes
	case "false":
		return tracking.No
	default:
		q.fail(q.texts.get("error.filter.value", clip(s), name))
		return tracking.Any
	}
}

// days reads a range of days in UTC, both inclusive: between two days, within a period that is
// counted from today, or both.
func (q *query) days(name string) (r tracking.TimeRange) {
	r.From = q.date(name + ".from")
	if r.To = q.date(name + ".to"); !r.To.IsZero() {
		r.To = r.To.AddDate(0, 0, 1).Add(-1)
	}
	word := q.Get(name)
	if word == "" {
		return r
	}
	p := periodOf(word, q.now)
	if p == (tracking.TimeRange{}) {
		q.fail(q.texts.get("error.filter.period", clip(word), name, strings.Join(periods, ", ")))
		return r
	}
	if r.From.Before(p.From) {
		r.From = p.From
	}
	if r.To.IsZero() || r.To.After(p.To) {
		r.To = p.To
	}
	return r
}

// periods are the ranges of days that are counted from today.
var periods = []string{"today", "tomorrow", "yesterday", "this_week", "next_week", "last_week", "next_3_days", "next_7_days", "next_30_days", "last_7_days", "last_30_days"}

// periodOf is a period in UTC; zero for a word that is none. Weeks are from Monday to Sunday,
// and the next and the last days are together with today.
func periodOf(word string, now time.Time) tracking.TimeRange {
	today, monday := now.Truncate(24*time.Hour), weekOf(now).From
	from := func(first time.Time, days int) tracking.TimeRange {
		return tracking.TimeRange{From: first, To: first.AddDate(0, 0, days).Add(-1)}
	}
	switch word {
	case "today":
		return from(today, 1)
	case "tomorrow":
		return from(today.AddDate(0, 0, 1), 1)
	case "yesterday":
		return from(today.AddDate(0, 0, -1), 1)
	case "this_week":
		return from(monday, 7)
	case "next_week":
		return from(monday.AddDate(0, 0, 7), 7)
	case "last_week":
		return from(monday.AddDate(0, 0, -7), 7)
	case "next_3_days":
		return from(today, 4)
	case "next_7_days":
		return from(today, 8)
	case "next_30_days":
		return from(today, 31)
	case "last_7_days":
		return from(today.AddDate(0, 0, -7), 8)
	case "last_30_days":
		return from(today.AddDate(0, 0, -30), 31)
	}
	return tracking.TimeRange{}
}

// filterOptions are the values that can be chosen for a filter.
func (c catalog) filterOptions(f filter) []option {
	if f.kind == rangeFilter {
		return c.options("period", periods)
	}
	return f.options
}

func (q *query) date(name string) time.Time {
	s := q.Get(name)
	if s == "" {
		return time.Time{}
	}
	at, err := time.Parse(time.DateOnly, s)
	if err != nil || at.Year() < 1 {
		q.fail(q.texts.get("error.filter.date", clip(s), name))
	}
	return at
}

func (q *query) ids(name string) (ids []tracking.ID) {
	for _, s := range q.list(name) {
		id := parseID(s)
		if id == (tracking.ID{}) {
			q.fail(q.texts.get("error.filter.value", clip(s), name))
		}
		ids = append(ids, id)
	}
	return ids
}

// orders reads what a list is sorted by.
func (q *query) orders() (orders []tracking.Order) {
	for _, s := range q.list(paramSort) {
		name, desc := strings.CutPrefix(s, "-")
		orders = append(orders, tracking.Order{Name: name, Desc: desc})
	}
	return orders
}

func (q *query) page() tracking.Page {
	return tracking.Page{Number: q.count(paramPage, 1, 1<<31-1), Size: q.count(paramSize, defaultSize, maxSize)}
}

func (q *query) count(name string, otherwise, most int) int {
	s := q.Get(name)
	if s == "" {
		return otherwise
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 || n > most {
		q.fail(q.texts.get("error.filter.value", clip(s), name))
		return otherwise
	}
	return n
}

// operators are the comparisons of custom fields, as the ends of parameters:
// custom_fields.weight.gte.
var operators = []tracking.FieldOp{tracking.FieldIn, tracking.FieldAfter, tracking.FieldFrom, tracking.FieldBefore, tracking.FieldTo, tracking.FieldPresent}

// fieldOperator returns the comparison that a parameter ends in; empty for none.
func fieldOperator(name string) tracking.FieldOp {
	_, last, _ := strings.Cut(name, ".")
	if slices.Contains(operators, tracking.FieldOp(last)) {
		return tracking.FieldOp(last)
	}
	return ""
}

// fields reads the conditions on custom fields.
func (q *query) fields() (list []tracking.FieldCondition) {
	for name, values := range q.Values {
		slug, ok := strings.CutPrefix(name, fieldPrefix)
		if !ok {
			continue
		}
		c := tracking.FieldCondition{Slug: slug, Op: fieldOperator(slug), Values: values[:1]}
		if c.Op != "" {
			c.Slug = strings.TrimSuffix(slug, "."+string(c.Op))
		}
		if c.Op == tracking.FieldIn {
			c.Values = q.list(name)
		}
		list = append(list, c)
	}
	return list
}

// tracked reads the filters that shipments and containers share.
func (q *query) tracked() tracking.TrackedQuery {
	return tracking.TrackedQuery{
		SCACs: q.upper("scac"), POLs: q.upper("pol_locode"), PODs: q.upper("pod_locode"), VesselIMOs: q.list("vessel_imo"),
		Tags: q.list("tags"), RefNumbers: q.list("ref_number"),
		Created: q.days("created_at"), Updated: q.days("updated_at"), PODETA: q.days("pod_eta_at"),
		CustomFields: q.fields(), Sort: q.orders(),
	}
}

// trackedFilters are the filters of tracked.
var trackedFilters = []filter{
	{name: "pod_eta_at", kind: rangeFilter}, {name: "scac", kind: textFilter},
	{name: "pol_locode", kind: textFilter}, {name: "pod_locode", kind: textFilter}, {name: "vessel_imo", kind: textFilter},
	{name: "tags", kind: textFilter}, {name: "ref_number", kind: textFilter},
	{name: "created_at", kind: rangeFilter}, {name: "updated_at", kind: rangeFilter},
}

// words returns options for values of the engine.
func (c catalog) options(kind string, values []string) []option {
	list := make([]option, 0, len(values))
	for _, v := range values {
		list = append(list, option{Value: v, Label: c.word(kind, v)})
	}
	return list
}
