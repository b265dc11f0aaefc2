package client

import (
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/landfallhq/tracking"
)

// values is a query under construction. What the interface cannot ask is an error.
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

func asked(include []string) url.Values { return newValues(include).Values }

// param adds a plain parameter, unless it is empty.
func (v *values) param(name, value string) {
	if value != "" {
		v.Set(name, value)
	}
}

func (v *values) unable(format string, args ...any) {
	if v.err == nil {
		v.err = fmt.Errorf("client: the interface cannot be asked "+format, args...)
	}
}

// any adds a filter of any of the texts. A comma within one would make two of it.
func (v *values) any(name string, texts []string) {
	for _, t := range texts {
		if strings.Contains(t, ",") {
			v.unable("for %q in %s: a comma stands between values", t, name)
		}
	}
	v.param("filter["+name+"]", strings.Join(texts, ","))
}

func (v *values) ids(name string, ids []tracking.ID) {
	texts := make([]string, len(ids))
	for i, id := range ids {
		texts[i] = id.String()
	}
	v.any(name, texts)
}

func (v *values) tri(name string, t tracking.Tri) {
	switch t {
	case tracking.Yes:
		v.Set("filter["+name+"]", "true")
	case tracking.No:
		v.Set("filter["+name+"]", "false")
	}
}

func (v *values) times(name string, r tracking.TimeRange) {
	for _, end := range []struct {
		name string
		at   time.Time
	}{{"start", r.From}, {"end", r.To}} {
		if !end.at.IsZero() {
			v.Set("filter["+name+"]["+end.name+"]", end.at.UTC().Format(time.RFC3339Nano))
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

// fields: conditions on custom fields are not asked for yet, and must not be left out
// in silence.
func (v *values) fields(list []tracking.FieldCondition) {
	if len(list) > 0 {
		v.unable("by custom fields through this client")
	}
}

func (v *values) tracked(q *tracking.TrackedQuery) {
	v.fields(q.CustomFields)
	v.any("scac", q.SCACs)
	v.any("pol_locode", q.POLs)
	v.any("pod_locode", q.PODs)
	v.ids("pod_terminal", q.PODTerminals)
	v.any("vessel_imo", q.VesselIMOs)
	v.ids("customer_id", q.CustomerIDs)
	v.any("tags", q.Tags)
	v.any("ref_number", q.RefNumbers)
	v.times("created_at", q.Created)
	v.times("updated_at", q.Updated)
	v.times("pod_eta_at", q.PODETA)
	v.sort(q.Sort)
}

func texts[T ~string](list []T) []string {
	out := make([]string, len(list))
	for i, t := range list {
		out[i] = string(t)
	}
	return out
}

func listOf[T any](c *Client, path string, v *values) List[T] {
	return List[T]{c: c, path: path, query: v.Values, err: v.err}
}
