package client

import (
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/landfallhq/tracking"
)

// values builds a query. Conditions that the interface does not support are errors.
type values struct {
	url.Values
	err error
}

func newValues(include []string) *values {
	v := &values{Values: url.Values{}}
	if len(include) > 0 {
		v.Set("include", strings.Join(include, ","))
	}
	return v
}

func includeValues(include []string) url.Values { return newValues(include).Values }

// param adds a plain parameter, unless it is empty.
func (v *values) param(name, value string) {
	if value != "" {
		v.Set(name, value)
	}
}

func (v *values) unsupported(format string, args ...any) {
	if v.err == nil {
		v.err = fmt.Errorf("client: the interface does not support "+format, args...)
	}
}

// filterName returns the parameter of a filter: filter[created_at][start].
func filterName(names ...string) string { return "filter[" + strings.Join(names, "][") + "]" }

// filterList adds a filter for any of the texts, unless there are none.
func (v *values) filterList(name string, texts []string) {
	if len(texts) > 0 {
		v.setList(filterName(name), texts)
	}
}

// setList sets a comma-separated list. A text with a comma is an error.
func (v *values) setList(parameter string, texts []string) {
	for _, t := range texts {
		if strings.Contains(t, ",") {
			v.unsupported("%q in %s: values must not have commas", t, parameter)
		}
	}
	v.Set(parameter, strings.Join(texts, ","))
}

// filterText adds a filter for one text, which may have commas, unless it is empty.
func (v *values) filterText(name, value string) { v.param(filterName(name), value) }

func (v *values) filterIDs(name string, ids []tracking.ID) {
	texts := make([]string, len(ids))
	for i, id := range ids {
		texts[i] = id.String()
	}
	v.filterList(name, texts)
}

func (v *values) filterTri(name string, t tracking.Tri) {
	switch t {
	case tracking.Yes:
		v.Set(filterName(name), "true")
	case tracking.No:
		v.Set(filterName(name), "false")
	}
}

func (v *values) filterTimes(name string, r tracking.TimeRange) {
	for _, end := range []struct {
		name string
		at   time.Time
	}{{"start", r.From}, {"end", r.To}} {
		if !end.at.IsZero() {
			v.Set(filterName(name, end.name), formatTime(end.at))
		}
	}
}

func (v *values) sort(orders []tracking.Order) {
	names := make([]string, len(orders))
	for i, o := range orders {
		names[i] = o.Name
		if o.Desc {
			names[i] = "-" + o.Name
		}
	}
	v.param("sort", strings.Join(names, ","))
}

// filterCustomFields adds conditions on custom fields.
func (v *values) filterCustomFields(list []tracking.FieldCondition) {
	for _, c := range list {
		v.filterCustomField(c)
	}
}

// filterCustomField adds one condition. One without a value is sent too, so that the
// server refuses it; omitting it would select all records.
func (v *values) filterCustomField(c tracking.FieldCondition) {
	names, op := []string{"custom_fields", c.Slug}, c.Op
	if op == tracking.FieldIs && len(c.Values) > 1 {
		op = tracking.FieldIn // has the same meaning
	}
	if op != tracking.FieldIs {
		names = append(names, string(op))
	}
	parameter := filterName(names...)
	switch n := len(c.Values); {
	case v.Has(parameter):
		v.unsupported("%s twice", parameter)
	case op == tracking.FieldIn:
		v.setList(parameter, c.Values)
	case n > 1:
		v.unsupported("%d values in %s, only one", n, parameter)
	default:
		v.Set(parameter, strings.Join(c.Values, ""))
	}
}

// formatTime formats a time for queries and bodies.
func formatTime(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }

func stringsOf[T ~string](list []T) []string {
	out := make([]string, len(list))
	for i, t := range list {
		out[i] = string(t)
	}
	return out
}

func listOf[T any](c *Client, path string, v *values) List[T] {
	return List[T]{c: c, path: path, query: v.Values, err: v.err}
}

// filterTracked adds the conditions and the sort order of shipments and containers.
func (v *values) filterTracked(q *tracking.TrackedQuery) {
	v.filterCustomFields(q.CustomFields)
	v.filterList("scac", q.SCACs)
	v.filterList("pol_locode", q.POLs)
	v.filterList("pod_locode", q.PODs)
	v.filterIDs("pod_terminal", q.PODTerminals)
	v.filterList("vessel_imo", q.VesselIMOs)
	v.filterIDs("customer_id", q.CustomerIDs)
	v.filterList("tags", q.Tags)
	v.filterList("ref_number", q.RefNumbers)
	v.filterTimes("created_at", q.Created)
	v.filterTimes("updated_at", q.Updated)
	v.filterTimes("pod_eta_at", q.PODETA)
	v.sort(q.Sort)
}

// asOf adds the parameter as_of.
func asOf(r request, when time.Time) request {
	r.query.Set("as_of", formatTime(when))
	return r
}

// revisions lists revisions, of the given attributes if there are any.
func (c *Client) revisions(path string, of []tracking.RevisedAttribute, include []string) List[tracking.Revision] {
	v := newValues(include)
	v.filterList("attribute", stringsOf(of))
	return listOf[tracking.Revision](c, path, v)
}
