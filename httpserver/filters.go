package httpserver

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/jsonapi"
)

// filters converts the filters of a list for the engine. An invalid filter is an
// error, never "no condition".
type filters struct {
	*jsonapi.FilterReader
	query       *jsonapi.Query
	paramErrors jsonapi.QueryErrors // of plain parameters
}

func (f *filters) err() error {
	if len(f.paramErrors) > 0 {
		return f.paramErrors
	}
	return f.Err()
}

// list reads a comma-separated list.
func (f *filters) list(name string) []string { return f.List(name).Value }

// text reads one value, which may have commas.
func (f *filters) text(name string) string { return f.String(name).Value }

// upper reads a comma-separated list of codes in upper case.
func (f *filters) upper(name string) []string {
	list := f.list(name)
	for i := range list {
		list[i] = strings.ToUpper(list[i])
	}
	return list
}

// ids reads a comma-separated list of IDs.
func (f *filters) ids(name string) []tracking.ID {
	list := f.list(name)
	ids := make([]tracking.ID, 0, len(list))
	for _, s := range list {
		id := parseID(s)
		if id == (tracking.ID{}) {
			f.Fail(name, "The value must be a UUID, or several separated by commas.")
			return nil
		}
		ids = append(ids, id)
	}
	return ids
}

// tri reads true or false; absent means any.
func (f *filters) tri(name string) tracking.Tri {
	switch b := f.Bool(name); {
	case !b.Given():
		return tracking.Any
	case b.Value:
		return tracking.Yes
	}
	return tracking.No
}

// times reads a time range, whose two ends are separate filters.
func (f *filters) times(ends []string) tracking.TimeRange {
	return tracking.TimeRange{From: f.Time(ends[0]).Value, To: f.TimeEnd(ends[1]).Value}
}

func rangeNames(name string) []string { return []string{name + "[start]", name + "[end]"} }

// The time ranges that lists can be filtered by.
var (
	createdAt, updatedAt, podETAAt = rangeNames("created_at"), rangeNames("updated_at"), rangeNames("pod_eta_at")
	pickupLFD, freeTimeEnds        = rangeNames("pickup_lfd"), rangeNames("free_time_ends")
	lastAttemptAt                  = rangeNames("last_attempt_at")
)

// param reads a plain parameter; empty means absent.
func (f *filters) param(name string) string {
	value, _ := f.query.Param(name)
	if utf8.RuneCountInString(value) > jsonapi.MaxSearch {
		f.paramErrors = append(f.paramErrors, &jsonapi.QueryError{Kind: jsonapi.BadValue, Parameter: name, Detail: fmt.Sprintf("The value may be at most %d characters long.", jsonapi.MaxSearch)})
		return ""
	}
	return strings.TrimSpace(value)
}

func (f *filters) sort() []tracking.Order {
	var orders []tracking.Order
	for _, s := range f.query.Sort {
		orders = append(orders, tracking.Order{Name: s.Name, Desc: s.Desc})
	}
	return orders
}

// trackedFilters are the filters that shipments and containers share.
var trackedFilters = slices.Concat(
	[]string{"scac", "pol_locode", "pod_locode", "pod_terminal", "vessel_imo", "customer_id", "tags", "ref_number"},
	createdAt, updatedAt, podETAAt, customFieldFilters,
)

var trackedSorts = []string{"created_at", "updated_at", "pod_eta_at", customFieldSorts}

// customFieldFilters and customFieldSorts accept any field name; the engine checks
// whether the account has defined it.
var customFieldFilters = []string{
	"custom_fields[*]", "custom_fields[*][in]", "custom_fields[*][gt]", "custom_fields[*][gte]",
	"custom_fields[*][lt]", "custom_fields[*][lte]", "custom_fields[*][present]",
}

const customFieldSorts = "custom_fields.*"

// customFields reads the conditions on custom fields. Only [in] is a comma-separated
// list, because text values may have commas.
func (f *filters) customFields() []tracking.FieldCondition {
	var conds []tracking.FieldCondition
	for _, k := range f.Keyed("custom_fields") {
		name := "custom_fields[" + k.Key + "]" + k.Rest
		c := tracking.FieldCondition{Slug: k.Key, Op: tracking.FieldOp(strings.Trim(k.Rest, "[]"))}
		if c.Op == tracking.FieldIn {
			c.Values = f.list(name)
		} else {
			c.Values = []string{f.String(name).Value}
		}
		conds = append(conds, c)
	}
	return conds
}

func (f *filters) tracked() tracking.TrackedQuery {
	return tracking.TrackedQuery{
		SCACs:        f.upper("scac"),
		POLs:         f.upper("pol_locode"),
		PODs:         f.upper("pod_locode"),
		PODTerminals: f.ids("pod_terminal"),
		VesselIMOs:   f.list("vessel_imo"),
		CustomerIDs:  f.ids("customer_id"),
		Tags:         f.list("tags"),
		RefNumbers:   f.list("ref_number"),
		Created:      f.times(createdAt),
		Updated:      f.times(updatedAt),
		PODETA:       f.times(podETAAt),
		CustomFields: f.customFields(),
		Sort:         f.sort(),
	}
}
