//go:build cgo

package sqlite

import (
	"bytes"
	"fmt"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/landfallhq/tracking/store"

	"github.com/google/uuid"
)

// benchStore returns a store with n records of 2 KB in one account.
func benchStore(b *testing.B, n int) (*Store, []store.ID) {
	b.Helper()
	s := open(b)
	return s, fill(b, s, n)
}

// fill puts n records of 2 KB into a store.
func fill(b *testing.B, s *Store, n int) []store.ID {
	b.Helper()
	ids := make([]store.ID, n)
	for from := 0; from < n; from += 1000 {
		err := s.Update(ctx, ann, func(tx store.RecordTx) error {
			for i := from; i < min(from+1000, n); i++ {
				ids[i] = uuid.Must(uuid.NewV7())
				if _, err := tx.Put(ctx, note, benchWrite(ids[i], i)); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	return ids
}

func benchWrite(id store.ID, i int) store.Write {
	w := write(byte(i))
	w.ID = id
	w.Doc = append(fmt.Appendf(nil, `{"n":%d,"pad":"`, i), bytes.Repeat([]byte("x"), 2000)...)
	w.Cols[0] = fmt.Sprint("author ", i%100)
	w.Terms = []store.Term{{Name: "tag", Value: fmt.Sprint(i % 1000)}}
	return w
}

func BenchmarkGet(b *testing.B) {
	s, ids := benchStore(b, 10_000)
	for i := 0; b.Loop(); i++ {
		err := s.View(ctx, ann, func(tx store.RecordTx) error {
			_, err := tx.Get(ctx, note, ids[i%len(ids)])
			return err
		})
		if err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkList(b *testing.B) {
	s, ids := benchStore(b, 10_000)
	for _, c := range []struct {
		name string
		f    store.Filter
	}{
		{"plain", store.Filter{}},
		{"column", store.Filter{Where: []store.Cond{{Name: "author", Values: []any{"author 7"}}}}},
		{"term", store.Filter{Where: []store.Cond{{Name: "tag", Op: store.Has, Values: []any{"7"}}}}},
		{"outdated", store.Filter{Outdated: true}},
	} {
		b.Run(c.name, func(b *testing.B) {
			var to []store.Record
			for b.Loop() {
				err := s.View(ctx, ann, func(tx store.RecordTx) (err error) {
					to, _, err = tx.List(ctx, note, c.f, store.Page{Number: 1, Size: 30}, to[:0])
					return err
				})
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("many", func(b *testing.B) {
		var to []store.Record
		for b.Loop() {
			err := s.View(ctx, ann, func(tx store.RecordTx) (err error) {
				to, err = tx.GetMany(ctx, note, ids[:30], to[:0])
				return err
			})
			if err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkListByTerms lists the records with one or two words, of 100,000: one
// word that 1 % have and one that half have. "counted" is without the count cache.
func BenchmarkListByTerms(b *testing.B) {
	const n = 100_000
	s := open(b)
	for from := 0; from < n; from += 1000 {
		err := s.Update(ctx, ann, func(tx store.RecordTx) error {
			for i := from; i < from+1000; i++ {
				w := write(byte(i))
				w.ID = uuid.Must(uuid.NewV7())
				w.Doc = w.Doc[:min(len(w.Doc), 500)]
				w.Terms = []store.Term{{Name: "tag", Value: fmt.Sprintf("buyer%02d", i%100)}, {Name: "tag", Value: []string{"invoice", "packing"}[i%2]}, {Name: "tag", Value: fmt.Sprint(i)}}
				if _, err := tx.Put(ctx, note, w); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	word := func(op store.Op, v string) store.Cond {
		return store.Cond{Name: "tag", Op: op, Values: []any{v}}
	}
	for _, c := range []struct {
		name string
		f    store.Filter
	}{
		{"plain", store.Filter{}},
		{"one", store.Filter{Where: []store.Cond{word(store.HasPrefix, "50001")}}},
		{"few", store.Filter{Where: []store.Cond{word(store.HasPrefix, "buyer06")}}},
		{"two", store.Filter{Where: []store.Cond{word(store.Has, "invoice"), word(store.HasPrefix, "buyer06")}}},
		{"half", store.Filter{Where: []store.Cond{word(store.HasPrefix, "invoice")}}},
	} {
		list := func(b *testing.B, before func()) {
			for b.Loop() {
				before()
				err := s.View(ctx, ann, func(tx store.RecordTx) error {
					_, _, err := tx.List(ctx, note, c.f, store.Page{Number: 1, Size: 30}, nil)
					return err
				})
				if err != nil {
					b.Fatal(err)
				}
			}
		}
		b.Run(c.name, func(b *testing.B) { list(b, func() {}) })
		b.Run(c.name+"/counted", func(b *testing.B) { list(b, func() { clear(s.counts.byKey) }) })
	}
}

// BenchmarkPut commits one new record at a time, each durably, and a thousand.
func BenchmarkPut(b *testing.B) {
	for _, n := range []int{1, 1000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s := open(b)
			for b.Loop() {
				err := s.Update(ctx, ann, func(tx store.RecordTx) error {
					for i := range n {
						if _, err := tx.Put(ctx, note, benchWrite(uuid.Must(uuid.NewV7()), i)); err != nil {
							return err
						}
					}
					return nil
				})
				if err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(n*b.N)/b.Elapsed().Seconds(), "records/s")
		})
	}
}

// BenchmarkTogether runs 64 callers. Each changes one record of 2 KB and adds two
// of 500 bytes, as an ingest does: each committed separately and together, with
// SQLite's own checkpoints, made by the caller that commits, and with those of the
// store.
func BenchmarkTogether(b *testing.B) {
	for _, c := range []struct {
		name  string
		batch int
		auto  bool
	}{{"alone", 1, true}, {"batch", 64, true}, {"batch-checkpointer", 64, false}} {
		b.Run(c.name, func(b *testing.B) {
			var commits atomic.Int64
			s := openWith(b, filepath.Join(b.TempDir(), "test.db"), Options{MaxBatch: c.batch, harness: harness{
				noCheckpoints: c.auto,
				statement: func(sql string) error {
					if sql == "COMMIT" {
						commits.Add(1)
					}
					return nil
				},
			}})
			if c.auto {
				withWriter(b, s, func(c *conn) {
					if err := c.setPragma("wal_autocheckpoint=1000"); err != nil {
						b.Fatal(err)
					}
				})
			}
			ids := fill(b, s, 10_000)
			commits.Store(0)
			var n atomic.Int64
			b.SetParallelism(64 / runtime.GOMAXPROCS(0))
			before := cpu(b)
			b.ResetTimer()
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					i := int(n.Add(1))
					if err := ingest(s, ids[i*7919%len(ids)], i); err != nil {
						b.Error(err)
						return
					}
				}
			})
			b.StopTimer()
			b.ReportMetric(float64((cpu(b)-before).Microseconds())/float64(b.N), "cpu-us/op")
			b.ReportMetric(float64(b.N)/float64(commits.Load()), "updates/commit")
		})
	}
}

// ingest changes one record and adds two.
func ingest(s *Store, id store.ID, i int) error {
	changed := benchWrite(id, i)
	return s.Update(ctx, ann, func(tx store.RecordTx) error {
		if _, err := tx.Put(ctx, note, changed); err != nil {
			return err
		}
		for range 2 {
			w := benchWrite(uuid.Must(uuid.NewV7()), i)
			w.Doc = w.Doc[:500]
			if _, err := tx.Put(ctx, note, w); err != nil {
				return err
			}
		}
		return nil
	})
}

// cpu returns the CPU time of the process.
func cpu(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
