package postgres

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"github.com/landfallhq/tracking/internal/postgrestest"
	"github.com/landfallhq/tracking/store"
)

// smallChunks makes chunks of a few records.
func smallChunks(t *testing.T) {
	sizes, from := chunkSizes, rankedFrom
	chunkSizes, rankedFrom = [3]int64{2, 4, 12}, 1
	t.Cleanup(func() { chunkSizes, rankedFrom = sizes, from })
}

// TestRanks adds and removes records by updates of two nodes, some at once and some of which
// fail, and compares pages with the whole list.
func TestRanks(t *testing.T) {
	smallChunks(t)
	url := postgrestest.Shared(t).Schema(t)
	nodes := []*Store{openBench(t, url), openBench(t, url)}
	rapid.Check(t, func(t *rapid.T) {
		account := store.AccountID(uuid.New())
		steps := rapid.IntRange(1, 4).Draw(t, "steps")
		for range steps {
			updates := rapid.SliceOfN(rapid.Custom(drawChange), 1, 5).Draw(t, "updates")
			node := nodes[rapid.IntRange(0, 1).Draw(t, "node")]
			var wait sync.WaitGroup
			for _, c := range updates {
				wait.Go(func() {
					if err := c.apply(node, account); err != nil && !errors.Is(err, errGivenUp) {
						t.Error(err)
					}
				})
			}
			wait.Wait()
			checkChunks(t, node, account)
			comparePages(t, nodes[rapid.IntRange(0, 1).Draw(t, "reader")], account, true)
		}
	})
}

// rankChange is an update of TestRanks.
type rankChange struct {
	adds, removes int
	fails         bool
}

func drawChange(t *rapid.T) rankChange {
	return rankChange{rapid.IntRange(0, 8).Draw(t, "adds"), rapid.IntRange(0, 4).Draw(t, "removes"), rapid.IntRange(0, 3).Draw(t, "fails") == 0}
}

var errGivenUp = errors.New("given up")

func (c rankChange) apply(s *Store, a store.AccountID) error {
	ctx := context.Background()
	return s.Update(ctx, a, func(tx store.RecordTx) error {
		list, _, err := tx.List(ctx, benchKind, store.Filter{}, store.Page{}, nil)
		if err != nil {
			return err
		}
		for i := range c.adds {
			w := benchWrite(uuid.New(), i)
			w.New = i%2 == 0
			if _, err := tx.Put(ctx, benchKind, w); err != nil {
				return err
			}
			if i%5 == 4 { // one that does not stay
				if err := tx.Delete(ctx, benchKind, w.ID); err != nil {
					return err
				}
			}
		}
		removes := min(c.removes, len(list))
		for i := range removes {
			if err := tx.Delete(ctx, benchKind, list[i*len(list)/removes].ID); err != nil {
				return err
			}
		}
		if c.fails {
			return errGivenUp
		}
		return nil
	})
}

// checkChunks counts the records of each chunk. Without it, wrong chunks would be unseen, because
// pages are then read without them.
func checkChunks(t failer, s *Store, a store.AccountID) {
	var wrong string
	err := s.pool.QueryRow(context.Background(), `SELECT coalesce(string_agg(level || ' ' || first || ': ' || n || ', not ' || counted, '; '), '') FROM (
		SELECT c.level, c.first, c.n, (SELECT count(*) FROM r_bench r WHERE r.account = c.account AND rid >= c.first AND (next IS NULL OR rid < next)) AS counted
		FROM (SELECT *, lead(first) OVER (PARTITION BY level ORDER BY first) AS next FROM chunks WHERE account = (SELECT no FROM accounts WHERE id = $1)) c
		UNION ALL
		SELECT level, 0, (SELECT count(*) FROM r_bench WHERE account = no), (SELECT coalesce(sum(n), 0)::bigint FROM chunks WHERE account = no AND level = levels.level)
		FROM accounts, (VALUES (0), (1), (2)) AS levels (level) WHERE id = $1
	) AS chunks WHERE n <> counted`, [16]byte(a)).Scan(&wrong)
	if err != nil || wrong != "" {
		t.Fatal("chunks: ", wrong, err)
	}
}

// comparePages compares each page of some lists with the whole list, and whether those of all
// records are found by chunks.
func comparePages(t failer, s *Store, a store.AccountID, ranked bool) {
	var states []any
	for i := range 7 {
		states = append(states, fmt.Sprint("state ", i))
	}
	for _, f := range []store.Filter{
		{}, {Sort: []store.Order{{}}}, {Sort: []store.Order{{Desc: true}}},
		{Where: []store.Cond{{Name: "state", Values: states}}}, {Where: []store.Cond{{Name: "state", Values: states[:2]}}},
	} {
		all := listIDs(t, s, a, f, store.Page{})
		const size = 4
		for number := 1; (number-1)*size <= len(all); number++ {
			got := listIDs(t, s, a, f, store.Page{Number: number, Size: size})
			want := all[(number-1)*size : min(number*size, len(all))]
			if !slices.Equal(got, want) {
				t.Fatalf("page %d of %d of %+v: %v, want %v", number, size, f, got, want)
			}
			if len(f.Where) == 0 && number > 1 && ranked && !foundByRank(t, s, a, f, store.Page{Number: number, Size: size}) {
				t.Fatalf("page %d of %d of %+v is read by OFFSET", number, size, f)
			}
		}
	}
}

// foundByRank reports whether a page is found by chunks. If not, it would be read without them.
func foundByRank(t failer, s *Store, a store.AccountID, f store.Filter, p store.Page) (ok bool) {
	err := s.View(context.Background(), a, func(r store.RecordTx) error {
		tx := r.(*tx)
		table, err := tx.beginKind(context.Background(), benchKind, false)
		if err == nil {
			_, _, ok, err = tx.listByRank(table, benchKind, f, p, nil)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return ok
}

// listIDs returns a page, and checks the total.
func listIDs(t failer, s *Store, a store.AccountID, f store.Filter, p store.Page) (ids []store.ID) {
	err := store.ViewRepeatably(context.Background(), s, a, func(tx store.RecordTx) error {
		found, total, err := tx.List(context.Background(), benchKind, f, p, nil)
		if err != nil {
			return err
		}
		_, all, err := tx.List(context.Background(), benchKind, f, store.Page{}, nil)
		if err == nil && total != all {
			t.Fatalf("%+v of %+v: %d in all, want %d", p, f, total, all)
		}
		ids = nil
		for _, r := range found {
			ids = append(ids, r.ID)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return ids
}

// TestRanksOfEarlierPrograms: while a program that writes no chunks runs beside this one, pages
// are right also where it has added as many records as it has removed. When it has ended, chunks
// are filled.
func TestRanksOfEarlierPrograms(t *testing.T) {
	smallChunks(t)
	s, ctx := openBench(t, postgrestest.Shared(t).Schema(t)), context.Background()
	account := store.AccountID(uuid.New())
	execute := func(statements ...string) {
		t.Helper()
		for _, sql := range statements {
			if _, err := s.pool.Exec(ctx, sql); err != nil {
				t.Fatal(err)
			}
		}
	}
	apply := func(c rankChange) {
		t.Helper()
		if err := c.apply(s, account); err != nil {
			t.Fatal(err)
		}
	}
	apply(rankChange{adds: 20})
	execute("INSERT INTO nodes SELECT gen_random_uuid(), 'before', 3, '{}', now(), now(), now() + interval '1 hour'",
		"UPDATE meta SET value = 0 WHERE name = 'ranked'", "CREATE TABLE saved AS SELECT * FROM chunks")
	apply(rankChange{adds: 3, removes: 3})
	execute("DELETE FROM chunks", "INSERT INTO chunks SELECT * FROM saved")
	if _, err := s.Maintain(ctx); err != nil {
		t.Fatal(err)
	}
	comparePages(t, s, account, false)
	execute("DELETE FROM nodes")
	for range 2 {
		if _, err := s.Maintain(ctx); err != nil {
			t.Fatal(err)
		}
	}
	checkChunks(t, s, account)
	apply(rankChange{adds: 7, removes: 3})
	checkChunks(t, s, account)
	comparePages(t, s, account, true)
}

// TestRanksOfPassingRecords: where records are removed soon after they were added, the number of
// chunks is that of the records.
func TestRanksOfPassingRecords(t *testing.T) {
	smallChunks(t)
	s, ctx := openBench(t, postgrestest.Shared(t).Schema(t)), context.Background()
	account := store.AccountID(uuid.New())
	var live []store.ID
	for i := range 100 {
		err := s.Update(ctx, account, func(tx store.RecordTx) error {
			id := uuid.New()
			if live = append(live, id); len(live) > 5 {
				if err := tx.Delete(ctx, benchKind, live[0]); err != nil {
					return err
				}
				live = live[1:]
			}
			_, err := tx.Put(ctx, benchKind, benchWrite(id, i))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	checkChunks(t, s, account)
	var chunks int
	if err := s.pool.QueryRow(ctx, "SELECT count(*) FROM chunks").Scan(&chunks); err != nil || chunks > 8 {
		t.Errorf("%d chunks of 5 records, %v", chunks, err)
	}
}

// failer is a *testing.T or a *rapid.T.
type failer interface {
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}
