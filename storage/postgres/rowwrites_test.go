package postgres

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/landfallhq/tracking/internal/postgrestest"
	"github.com/landfallhq/tracking/store"
)

// TestRowsWrittenTogether: rows that an update writes together have all their values,
// whether they are one or several, with NULL, empty and unusual values, and whether the
// statements are combined or not; of a row that is written twice, the last state counts.
func TestRowsWrittenTogether(t *testing.T) {
	ctx := context.Background()
	s, err := Open(ctx, postgrestest.Shared(t).Schema(t), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	kind := &store.Kind{Name: "thing", Revision: "1", Columns: []store.Column{
		{Name: "word", Type: store.TextColumn, Counted: true}, {Name: "size", Type: store.IntColumn}, {Name: "live", Type: store.BoolColumn}, {Name: "owner", Type: store.IDColumn}}}
	if err := s.Prepare(ctx, []*store.Kind{kind}); err != nil {
		t.Fatal(err)
	}
	write := func(round, i int) store.Write {
		w := store.Write{ID: store.ID{byte(i + 1)}, Doc: fmt.Appendf(nil, `{"round":%d}`, round), Cols: []any{nil, nil, nil, nil}}
		if i%3 > 0 {
			w.Private = []byte{0, '\\', '"', byte(round)}
			w.Cols = []any{"a\x00\"\\" + fmt.Sprint(round%2), int64(-i), i%2 == 0, store.ID{byte(i)}}
			w.Terms = []store.Term{{Name: "t", Value: `{",\x00` + fmt.Sprint(round)}, {Name: "t", Value: "\x00\xff"}}[:i%3]
		}
		return w
	}
	combined := 0
	s.sent = func(update bool, batch *pgx.Batch) {
		for _, q := range batch.QueuedQueries {
			if len(q.SQL) > 4 && q.SQL[:4] == "WITH" && update {
				combined++
			}
		}
	}
	a := store.AccountID{1}
	for round := range 2 * combineAfter {
		for _, n := range []int{1, 7} {
			err := s.Update(ctx, a, func(tx store.RecordTx) error {
				for i := range n {
					for _, w := range []store.Write{write(100+round, i), write(round, i)} {
						if _, err := tx.Put(ctx, kind, w); err != nil {
							return err
						}
					}
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			check := func(tx store.RecordTx) error {
				for i := range n {
					w := write(round, i)
					r, err := tx.Get(ctx, kind, w.ID)
					if err != nil || string(r.Doc) != string(w.Doc) || string(r.Private) != string(w.Private) {
						return fmt.Errorf("round %d: record %d is %q, %q, %w", round, i, r.Doc, r.Private, err)
					}
					for at, c := range kind.Columns {
						found, err := tx.Find(ctx, kind, store.Cond{Name: c.Name, Op: store.Is, Values: []any{w.Cols[at]}}, 100)
						if err != nil || !slices.Contains(found, w.ID) {
							return fmt.Errorf("round %d: record %d is not found by %s %v: %w", round, i, c.Name, w.Cols[at], err)
						}
					}
					for _, term := range w.Terms {
						found, err := tx.Find(ctx, kind, store.Cond{Name: term.Name, Op: store.Has, Values: []any{term.Value}}, 100)
						if err != nil || !slices.Contains(found, w.ID) {
							return fmt.Errorf("round %d: record %d is not found by %q: %w", round, i, term.Value, err)
						}
					}
				}
				return nil
			}
			if err := s.View(ctx, a, check); err != nil {
				t.Fatal(err)
			}
			// The same write again changes nothing: what is read is what was written.
			err = s.Update(ctx, a, func(records store.RecordTx) error {
				tx := records.(*tx)
				ids := []store.ID{}
				for i := range n {
					ids = append(ids, write(round, i).ID)
				}
				if err := tx.Prefetch(ctx, []store.Read{{Kind: kind, IDs: ids}}); err != nil {
					return err
				}
				for i := range n {
					if _, err := tx.Put(ctx, kind, write(round, i)); err != nil {
						return err
					}
				}
				if tx.wrote {
					return errors.New("a row that was read differs from what was written")
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	if combined == 0 {
		t.Error("no statements were combined")
	}
}
