//go:build cgo

package sqlite

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/google/uuid"

	"github.com/landfallhq/tracking"
)

// benchStore returns a store with n records of 2 KB in one account.
func benchStore(b *testing.B, n int) (*Store, []tracking.ID) {
	b.Helper()
	s := open(b)
	ids := make([]tracking.ID, n)
	for from := 0; from < n; from += 1000 {
		err := s.Update(ctx, ann, func(tx tracking.RecordTx) error {
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
	return s, ids
}

func benchWrite(id tracking.ID, i int) tracking.Write {
	w := write(byte(i))
	w.ID = id
	w.Doc = append(fmt.Appendf(nil, `{"n":%d,"pad":"`, i), bytes.Repeat([]byte("x"), 2000)...)
	w.Cols[0] = fmt.Sprint("author ", i%100)
	w.Terms = []tracking.Term{{Name: "tag", Value: fmt.Sprint(i % 1000)}}
	return w
}

func BenchmarkGet(b *testing.B) {
	s, ids := benchStore(b, 10_000)
	for i := 0; b.Loop(); i++ {
		err := s.View(ctx, ann, func(tx tracking.RecordTx) error {
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
		f    tracking.Filter
	}{
		{"plain", tracking.Filter{}},
		{"column", tracking.Filter{Where: []tracking.Cond{{Name: "author", Values: []any{"author 7"}}}}},
		{"term", tracking.Filter{Where: []tracking.Cond{{Name: "tag", Op: tracking.Has, Values: []any{"7"}}}}},
		{"outdated", tracking.Filter{Outdated: true}},
	} {
		b.Run(c.name, func(b *testing.B) {
			var to []tracking.Record
			for b.Loop() {
				err := s.View(ctx, ann, func(tx tracking.RecordTx) (err error) {
					to, _, err = tx.List(ctx, note, c.f, tracking.Page{Number: 1, Size: 30}, to[:0])
					return err
				})
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("many", func(b *testing.B) {
		var to []tracking.Record
		for b.Loop() {
			err := s.View(ctx, ann, func(tx tracking.RecordTx) (err error) {
				to, err = tx.GetMany(ctx, note, ids[:30], to[:0])
				return err
			})
			if err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkPut commits one new record at a time, each durably, and a thousand.
func BenchmarkPut(b *testing.B) {
	for _, n := range []int{1, 1000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s := open(b)
			for b.Loop() {
				err := s.Update(ctx, ann, func(tx tracking.RecordTx) error {
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
