package tracking

import (
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/landfallhq/tracking/store"
)

// TestExceptionClasses: conditions on kind, severity, state, acknowledgement and assignee
// select the same exceptions in documents and by columns, alone and together, where one
// condition on one column is enough.
func TestExceptionClasses(t *testing.T) {
	x := Exceptions{}
	kinds, severities := [][]string{nil, {"hold"}, {"hold", "rollover"}}, [][]string{nil, {"high"}, {"medium", "low"}}
	var queries []ExceptionQuery
	for _, k := range kinds {
		for _, s := range severities {
			for _, open := range []Tri{Any, Yes, No} {
				for _, acknowledged := range []Tri{Any, Yes, No} {
					for _, assignees := range [][]string{nil, {"Ann", "true/Bo"}} {
						for _, sort := range [][]Order{nil, {{Name: "severity"}}} {
							queries = append(queries, ExceptionQuery{Kinds: k, Severities: s, Open: open, Acknowledged: acknowledged, Assignees: assignees, Sort: sort})
						}
					}
				}
			}
		}
	}
	for _, kind := range x.Kinds() {
		for _, severity := range x.Severities() {
			for n := range 12 {
				e := &Exception{Meta: Meta{ID: uuid.New()}, Kind: kind, Severity: severity, Assignee: []string{"", "true/Bo", "Cy"}[n/4]}
				if n&1 != 0 {
					e.ClosedAt = time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
				}
				if n&2 != 0 {
					e.AcknowledgedAt = time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)
				}
				w := exceptionRecords.Write(e)
				for _, q := range queries {
					want := (q.Kinds == nil || slices.Contains(q.Kinds, kind)) && (q.Severities == nil || slices.Contains(q.Severities, severity)) &&
						slices.Contains(q.Open.values(), e.open()) && slices.Contains(q.Acknowledged.values(), e.acknowledged()) &&
						(q.Assignees == nil || slices.Contains(q.Assignees, e.Assignee))
					f := q.filter()
					if got := f.Match == nil || f.Match(store.Record{ID: e.ID, Doc: w.Doc, Private: w.Private}); got != want {
						t.Fatalf("%+v selects %s %s %d: %t", q, kind, severity, n, got)
					}
					if len(f.Where) > 1 && q.Assignees == nil {
						t.Fatalf("%+v has %d conditions", q, len(f.Where))
					}
					got := true
					for _, c := range f.Where {
						at := slices.IndexFunc(exceptionRecords.Kind.Columns, func(k store.Column) bool { return k.Name == c.Name })
						got = got && slices.Contains(c.Values, w.Cols[at])
					}
					if got != want {
						t.Fatalf("%+v by columns selects %v: %t", q, w.Cols, got)
					}
				}
			}
		}
	}
}

// TestExceptionsBySeverity: the most urgent come first, and of these the ones that nobody has
// acknowledged, whichever column has the order.
func TestExceptionsBySeverity(t *testing.T) {
	list := []*Exception{{Severity: "high"}, {Severity: "high", AcknowledgedAt: time.Unix(1, 0)}, {Severity: "medium"}, {Severity: "low"}, {Severity: "low", AcknowledgedAt: time.Unix(1, 0)}}
	for _, q := range []ExceptionQuery{{}, {Open: Yes}, {Open: Yes, Kinds: []string{"hold"}}, {Open: Yes, Assignees: []string{"Ann"}}} {
		q.Sort = []Order{{Name: "severity"}}
		column := slices.IndexFunc(exceptionRecords.Kind.Columns, func(c store.Column) bool { return c.Name == q.filter().Sort[0].Name })
		at := func(e *Exception) string { return exceptionRecords.Write(e).Cols[column].(string) }
		for i := range list[1:] {
			if at(list[i]) >= at(list[i+1]) {
				t.Errorf("%+v: %q is not before %q", q, at(list[i]), at(list[i+1]))
			}
		}
	}
}
