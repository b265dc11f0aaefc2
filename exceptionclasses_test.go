package tracking

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/landfallhq/tracking/store"
)

// TestExceptionClasses: conditions on kind, severity, state and acknowledgement select the
// same exceptions alone and, as one condition on the class, together; in documents and in
// columns.
func TestExceptionClasses(t *testing.T) {
	x := Exceptions{}
	kinds, severities := [][]string{nil, {"hold"}, {"hold", "rollover"}}, [][]string{nil, {"high"}, {"medium", "low"}}
	var queries []ExceptionQuery
	for _, k := range kinds {
		for _, s := range severities {
			for _, open := range []Tri{Any, Yes, No} {
				for _, acknowledged := range []Tri{Any, Yes, No} {
					queries = append(queries, ExceptionQuery{Kinds: k, Severities: s, Open: open, Acknowledged: acknowledged})
				}
			}
		}
	}
	for _, kind := range x.Kinds() {
		for _, severity := range x.Severities() {
			for n := range 4 {
				e := &Exception{Meta: Meta{ID: uuid.New()}, Kind: kind, Severity: severity}
				if n&1 != 0 {
					e.ClosedAt = time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
				}
				if n&2 != 0 {
					e.AcknowledgedAt = time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)
				}
				w := exceptionRecords.Write(e)
				for _, q := range queries {
					want := (q.Kinds == nil || slices.Contains(q.Kinds, kind)) && (q.Severities == nil || slices.Contains(q.Severities, severity)) &&
						slices.Contains(q.Open.values(), e.open()) && slices.Contains(q.Acknowledged.values(), e.acknowledged())
					f := q.filter()
					if got := f.Match == nil || f.Match(store.Record{ID: e.ID, Doc: w.Doc, Private: w.Private}); got != want {
						t.Fatalf("%+v selects %s %s %d: %t", q, kind, severity, n, got)
					}
					if len(f.Where) > 1 {
						t.Fatalf("%+v has %d conditions", q, len(f.Where))
					}
					for _, c := range f.Where {
						at := slices.IndexFunc(exceptionRecords.Kind.Columns, func(k store.Column) bool { return k.Name == c.Name })
						if got := slices.Contains(c.Values, w.Cols[at]); got != want {
							t.Fatalf("%+v: %s is %v, selected: %t", q, c.Name, fmt.Sprint(w.Cols[at]), got)
						}
					}
				}
			}
		}
	}
}
