package postgres

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"pgregory.net/rapid"

	"github.com/landfallhq/tracking/internal/postgrestest"
	"github.com/landfallhq/tracking/store"
)

// TestViewRepeatably reads records in views while another node changes all of them together
// before any of the round trips: each view must see them as of one change.
func TestViewRepeatably(t *testing.T) {
	url := postgrestest.Shared(t).Schema(t)
	reader, writer := openBench(t, url), openBench(t, url)
	ctx, account := context.Background(), store.AccountID(uuid.New())
	ids := make([]store.ID, 5)
	for i := range ids {
		ids[i] = uuid.New()
	}
	changes := 0
	change := func() {
		changes++
		err := writer.Update(ctx, account, func(tx store.RecordTx) error {
			for _, id := range ids {
				if _, err := tx.Put(ctx, benchKind, benchWrite(id, changes)); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	change()
	views, runs := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		trips := 0
		views++
		reader.sent = func(bool, *pgx.Batch) {
			if trips++; trips < 12 && rapid.Bool().Draw(t, "change before it") {
				change()
			}
		}
		defer func() { reader.sent = nil }()
		reads := rapid.SliceOfN(rapid.IntRange(0, 3), 1, 7).Draw(t, "reads")
		var seen []string
		began := changes
		err := store.ViewRepeatably(ctx, reader, account, func(tx store.RecordTx) error {
			runs++
			seen = nil
			for i, how := range reads {
				found, err := readBench(ctx, tx, how, ids, i)
				if err != nil {
					return err
				}
				seen = append(seen, found...)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, doc := range seen {
			if doc != seen[0] {
				t.Fatalf("one view has seen %q", seen)
			}
		}
		var n int
		if _, err := fmt.Sscan(seen[0], &n); err != nil || n < began {
			t.Fatalf("the view has seen change %s, and began after %d", seen[0], began)
		}
	})
	if runs == views { // no view has run again
		t.Errorf("%d runs of %d views", runs, views)
	}
}

// readBench returns the numbers of the changes that records are of, in one of several ways.
func readBench(ctx context.Context, tx store.RecordTx, how int, ids []store.ID, i int) (seen []string, err error) {
	var found []store.Record
	switch how {
	case 0:
		var r store.Record
		r, err = tx.Get(ctx, benchKind, ids[i%len(ids)])
		found = append(found, r)
	case 1:
		found, err = tx.GetMany(ctx, benchKind, ids[:1+i%len(ids)], nil)
	case 2:
		found, _, err = tx.List(ctx, benchKind, store.Filter{}, store.Page{Number: 1, Size: 3}, nil)
	case 3:
		if _, err = tx.Get(ctx, benchKind, store.ID{1}); errors.Is(err, store.ErrNotFound) {
			found, _, err = tx.List(ctx, benchKind, store.Filter{}, store.Page{}, nil)
		}
	}
	for _, r := range found {
		_, rest, _ := strings.Cut(string(r.Doc), `"n":`)
		n, _, _ := strings.Cut(rest, ",")
		seen = append(seen, n)
	}
	return seen, err
}

// openBench opens a store for records of benchKind.
func openBench(t testing.TB, url string) *Store {
	t.Helper()
	s, err := Open(context.Background(), url, Options{})
	if err == nil {
		t.Cleanup(func() { s.Close() })
		err = s.Prepare(context.Background(), []*store.Kind{benchKind})
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}
