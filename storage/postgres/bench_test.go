package postgres

import (
	"context"
	"fmt"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"

	"github.com/landfallhq/tracking/internal/postgrestest"
	"github.com/landfallhq/tracking/store"
)

var benchKind = &store.Kind{Name: "bench", Revision: "1", Columns: []store.Column{
	{Name: "state", Type: store.TextColumn, Counted: true}, {Name: "at", Type: store.IntColumn}, {Name: "parent", Type: store.IDColumn},
}}

// benchStore returns a store with n records of an account, 1 KB each.
func benchStore(b *testing.B, n int) (*Store, store.AccountID, []store.ID) {
	b.Helper()
	ctx := context.Background()
	s, err := Open(ctx, postgrestest.Shared(b).Schema(b), Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { s.Close() })
	if err := s.Prepare(ctx, []*store.Kind{benchKind}); err != nil {
		b.Fatal(err)
	}
	account, ids := store.AccountID(uuid.New()), make([]store.ID, n)
	for from := 0; from < n; from += 1000 {
		err := s.Update(ctx, account, func(tx store.RecordTx) error {
			missing := make([]store.ID, 0, 1000)
			for i := from; i < min(from+1000, n); i++ {
				ids[i] = uuid.New()
				missing = append(missing, ids[i])
			}
			if _, err := tx.GetMany(ctx, benchKind, missing, nil); err != nil {
				return err
			}
			for i := from; i < min(from+1000, n); i++ {
				if _, err := tx.Put(ctx, benchKind, benchWrite(ids[i], i)); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	if _, err := s.pool.Exec(ctx, "VACUUM ANALYZE r_bench"); err != nil {
		b.Fatal(err)
	}
	return s, account, ids
}

func benchWrite(id store.ID, i int) store.Write {
	return store.Write{
		ID: id, Doc: fmt.Appendf(nil, `{"id":%q,"n":%d,"text":%q}`, id, i, make([]byte, 200)),
		Cols: []any{fmt.Sprint("state ", i%7), int64(i), store.ID{byte(i), byte(i >> 8)}}, Terms: []store.Term{{Name: "number", Value: fmt.Sprint(i)}},
	}
}

// benchmarkView runs fn in a view of its own each time.
func benchmarkView(b *testing.B, n int, fn func(tx store.RecordTx, ids []store.ID, i int) error) {
	s, account, ids := benchStore(b, n)
	for i := 0; b.Loop(); i++ {
		if err := s.View(context.Background(), account, func(tx store.RecordTx) error { return fn(tx, ids, i) }); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkGet(b *testing.B) {
	benchmarkView(b, 2000, func(tx store.RecordTx, ids []store.ID, i int) error {
		_, err := tx.Get(context.Background(), benchKind, ids[i%len(ids)])
		return err
	})
}

// BenchmarkPage reads a page of 30 with its total, the first and one in the middle, from
// accounts of different sizes.
func BenchmarkPage(b *testing.B) {
	for _, n := range []int{1000, 20_000} {
		for _, number := range []int{1, n / 60} {
			b.Run(fmt.Sprintf("%d/%d", number, n/30), func(b *testing.B) {
				benchmarkView(b, n, func(tx store.RecordTx, _ []store.ID, _ int) error {
					_, total, err := tx.List(context.Background(), benchKind, store.Filter{}, store.Page{Number: number, Size: 30}, nil)
					if total != n {
						err = fmt.Errorf("total %d, %w", total, err)
					}
					return err
				})
			})
		}
	}
}

// BenchmarkUpdate reads and changes a record, from accounts at once.
func BenchmarkUpdate(b *testing.B) {
	s, account, ids := benchStore(b, 2000)
	ctx := context.Background()
	for i := 0; b.Loop(); i++ {
		id := ids[i%len(ids)]
		err := s.Update(ctx, account, func(tx store.RecordTx) error {
			if _, err := tx.Get(ctx, benchKind, id); err != nil {
				return err
			}
			_, err := tx.Put(ctx, benchKind, benchWrite(id, i+1))
			return err
		})
		if err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkUpdateTogether is BenchmarkUpdate of one account by 64 callers at a time, who
// share transactions or have one each.
func BenchmarkUpdateTogether(b *testing.B) {
	for _, alone := range []bool{false, true} {
		b.Run(map[bool]string{false: "shared", true: "alone"}[alone], func(b *testing.B) {
			s, account, ids := benchStore(b, 2000)
			ctx := context.Background()
			var next atomic.Int64
			b.SetParallelism(64 / runtime.GOMAXPROCS(0))
			b.ResetTimer()
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					i := int(next.Add(1))
					id := ids[i%len(ids)]
					err := s.updateInGroup(ctx, account, alone, func(tx store.RecordTx) error {
						if _, err := tx.Get(ctx, benchKind, id); err != nil {
							return err
						}
						_, err := tx.Put(ctx, benchKind, benchWrite(id, i+1))
						return err
					})
					if err != nil {
						b.Error(err)
					}
				}
			})
		})
	}
}
