//go:build cgo

package sqlite

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/landfallhq/tracking/store"

	"github.com/landfallhq/tracking/internal/drill"
)

// flagged is counted with a flag that few records, or none, have.
func flagged(often int64) (*store.Kind, func(pick func(int) int64) any) {
	k := counted()
	k.Columns = append(k.Columns, store.Column{Name: "hidden", Type: store.BoolColumn, Counted: true})
	return k, func(pick func(int) int64) any { return pick(40) < often }
}

// listWith lists the notes of ann with another smallResult, and with no total that is remembered.
func listWith(t *testing.T, s *Store, k *store.Kind, f store.Filter, p store.Page, bound int64) (ids []store.ID, total int) {
	t.Helper()
	smallResult = bound
	clear(s.counts.byKey)
	err := s.View(ctx, ann, func(tx store.RecordTx) error {
		rows, n, err := tx.List(ctx, k, f, p, nil)
		for _, row := range rows {
			ids = append(ids, row.ID)
		}
		total = n
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return ids, total
}

// TestAllPlansAgree runs random lists with every query plan.
func TestAllPlansAgree(t *testing.T) {
	r := drill.Random(t)
	pick := func(n int) int64 { return int64(r.IntN(n)) }
	before := smallResult
	t.Cleanup(func() { smallResult = before })
	few, isFew := flagged(2)
	none, isNone := flagged(0)
	flags := map[*store.Kind]func(func(int) int64) any{few: isFew, none: isNone}
	for _, k := range []*store.Kind{note, counted(), hinted(note), hinted(counted()), few, none} {
		s := open(t)
		if err := s.Prepare(ctx, []*store.Kind{k}); err != nil {
			t.Fatal(err)
		}
		err := s.Update(ctx, ann, func(tx store.RecordTx) error {
			for n := range byte(200) {
				w := write(n)
				w.Cols = []any{fmt.Sprint(pick(3)), pick(4), time.UnixMicro(pick(9)), store.ID{byte(pick(3))}}
				if flags[k] != nil {
					w.Cols = append(w.Cols, flags[k](pick))
				}
				w.Terms = []store.Term{{Name: "tag", Value: fmt.Sprint(pick(3))}, {Name: "tag", Value: fmt.Sprint(pick(20))}}
				if _, err := tx.Put(ctx, k, w); err != nil {
					return err
				}
				grade := store.Mark{Name: "grade", Values: []string{fmt.Sprint(pick(3))}, Counted: true}
				label := store.Mark{Name: "label", Values: []string{fmt.Sprint(pick(3)), fmt.Sprint(pick(20))}}
				for _, m := range []store.Mark{grade, label}[pick(2):] {
					if err := tx.Mark(ctx, k, w.ID, m); err != nil {
						return err
					}
				}
			}
			return tx.Delete(ctx, k, store.ID{51})
		})
		if err != nil {
			t.Fatal(err)
		}
		for range 400 {
			var f store.Filter
			for range 1 + pick(3) {
				c := []store.Cond{
					{Name: "author", Values: []any{fmt.Sprint(pick(3))}},
					{Name: "author", Op: store.From, Values: []any{fmt.Sprint(pick(3))}},
					{Name: "stars", Values: []any{pick(4), pick(4), nil}},
					{Name: "written_at", Op: store.From, Values: []any{time.UnixMicro(pick(9))}},
					{Name: "written_at", Op: store.To, Values: []any{time.UnixMicro(pick(9))}},
					{Name: "parent", Values: []any{store.ID{byte(pick(3))}}},
					{Name: "tag", Op: store.Has, Values: []any{fmt.Sprint(pick(20))}},
					{Name: "tag", Op: store.Has, Values: []any{fmt.Sprint(pick(3)), fmt.Sprint(pick(20))}},
					{Name: "tag", Op: store.HasPrefix, Values: []any{fmt.Sprint(pick(3))}},
					{Name: "grade", Op: store.Marked, Values: []any{fmt.Sprint(pick(3))}},
					{Name: "grade", Op: store.Marked, Values: []any{nil}},
					{Name: "label", Op: store.Marked, Values: []any{fmt.Sprint(pick(3)), fmt.Sprint(pick(20))}},
					{Name: "grade", Op: store.MarkedBetween, Values: []any{fmt.Sprint(pick(3)), nil}},
					{Name: "label", Op: store.MarkedBetween, Values: []any{fmt.Sprint(pick(3)), fmt.Sprint(pick(9))}},
				}[pick(14)]
				f.Where = append(f.Where, c)
			}
			if flags[k] != nil && pick(2) == 0 {
				f.Where = slices.Insert(f.Where, int(pick(len(f.Where)+1)), store.Cond{Name: "hidden", Values: []any{pick(4) == 0}})
			}
			f.Sort = [][]store.Order{
				nil, {{}}, {{Name: "stars"}}, {{Name: "written_at", Desc: true}, {Name: "author"}},
				{{Name: "grade", Mark: true}}, {{Name: "grade", Mark: true, Desc: true}, {}}, {{Name: "label", Mark: true}},
			}[pick(7)]
			p := store.Page{Number: 1 + int(pick(4)), Size: 1 + int(pick(9))}
			all, total := listWith(t, s, k, f, store.Page{}, 1000)
			from := min((p.Number-1)*p.Size, len(all))
			want := all[from:min(from+p.Size, len(all))]
			for _, bound := range []int64{-1, 20, 1000} {
				if ids, n := listWith(t, s, k, f, p, bound); n != total || !slices.Equal(ids, want) {
					t.Fatalf("%+v page %+v: %v of %d, want %v of %d", f, p, ids, n, want, total)
				}
			}
		}
	}
}
