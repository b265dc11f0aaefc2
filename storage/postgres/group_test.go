package postgres

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/landfallhq/tracking/internal/postgrestest"
	"github.com/landfallhq/tracking/store"
)

// TestGroups: updates of one account that wait together share a commit, and each of them has
// its effect or none, as it would alone: whether its closure succeeds, fails or panics before
// or after its writes were sent, whether its hint of a new record is wrong, and whether the
// database refuses what it writes. All of them count in one record, which each reads.
//
// Seen to fail: without the savepoint, without dropping what a failed member has not sent,
// without running the members again after a refused write, with the rows or the totals of a
// failed member left in memory.
func TestGroups(t *testing.T) {
	ctx := context.Background()
	var commits []int
	s, err := Open(ctx, postgrestest.Shared(t).Schema(t), Options{OnCommit: func(n int, _ time.Duration, err error) {
		if err == nil {
			commits = append(commits, n)
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	kind := &store.Kind{Name: "thing", Revision: "1", Columns: []store.Column{{Name: "word", Type: store.TextColumn, Counted: true}}}
	if err := s.Prepare(ctx, []*store.Kind{kind}); err != nil {
		t.Fatal(err)
	}
	put := func(tx store.RecordTx, id store.ID, word string, isNew bool) error {
		_, err := tx.Put(ctx, kind, store.Write{ID: id, Doc: []byte(word), Cols: []any{word}, Terms: []store.Term{{Name: "t", Value: word[:1]}}, New: isNew})
		return err
	}
	counter := store.ID{0xff}
	count := func(tx store.RecordTx) (int, error) {
		r, err := tx.Get(ctx, kind, counter)
		if errors.Is(err, store.ErrNotFound) {
			return 0, nil
		}
		n, _ := strconv.Atoi(string(r.Doc))
		return n, err
	}
	stop := errors.New("stop")
	rounds := 15
	if testing.Short() {
		rounds = 5
	}
	shared := 0
	for round := range rounds {
		a := store.AccountID{byte(round + 1)}
		n := 0 // updates that must have succeeded
		running, goOn := make(chan bool), make(chan bool)
		var first sync.Once
		var all sync.WaitGroup
		commits = nil
		member := func(i int, isNew, flush bool, end string) {
			defer all.Done()
			defer func() {
				if p := recover(); (p != nil) != (end == "panic") {
					t.Errorf("member %d ends with the panic %v, and should end by %q", i, p, end)
				}
			}()
			err := s.Update(ctx, a, func(tx store.RecordTx) error {
				first.Do(func() { close(running); <-goOn })
				known, err := count(tx)
				if err != nil {
					return err
				}
				if err := errors.Join(put(tx, store.ID{byte(i)}, fmt.Sprint("w", i), isNew), put(tx, counter, strconv.Itoa(known+1), false),
					tx.Mark(ctx, kind, counter, store.Mark{Name: fmt.Sprint("by", i), Values: []string{"yes"}})); err != nil {
					return err
				}
				if flush {
					if _, _, err := tx.List(ctx, kind, store.Filter{Where: []store.Cond{{Name: "t", Op: store.Has, Values: []any{"w"}}}}, store.Page{Number: 1, Size: 2}, nil); err != nil {
						return err
					}
				}
				switch end {
				case "error":
					return stop
				case "panic":
					panic("panic")
				case "refused": // the row of an index has less than 3 KB
					text := make([]byte, 20000)
					for i := range text {
						text[i] = byte(rand.Uint32())
					}
					return put(tx, store.ID{byte(i), 1}, "x"+string(text), isNew)
				}
				return nil
			})
			failed := end != "" && end != "panic"
			if (err != nil) != failed || end == "error" && err != stop {
				t.Errorf("member %d, which ends by %q: %v", i, end, err)
			}
		}
		var ends []string
		for i := range 12 {
			end := ""
			if round > 0 && rand.IntN(3) == 0 { // all of the first round end well, so that they share a commit
				end = []string{"error", "panic", "refused"}[rand.IntN(3)]
			}
			if end == "" {
				n++
			}
			ends = append(ends, end)
			all.Add(1)
			go member(i%10, i < 10 || rand.IntN(2) == 0, rand.IntN(2) == 0, end)
			if i == 0 {
				<-running
				continue
			}
			for s.queues.waiting() < i { // the next stays behind it
				runtime.Gosched()
			}
		}
		close(goOn)
		all.Wait()
		for _, c := range commits {
			shared = max(shared, c)
		}
		err := s.View(ctx, a, func(tx store.RecordTx) error {
			got, err := count(tx)
			if err != nil || got != n {
				return fmt.Errorf("%d updates of those that end by %q have counted, want %d: %w", got, ends, n, err)
			}
			written := map[int]bool{}
			for i, end := range ends {
				written[i%10] = written[i%10] || end == ""
			}
			want := 0
			for i, there := range written {
				_, err := tx.Get(ctx, kind, store.ID{byte(i)})
				if (err == nil) != there {
					return fmt.Errorf("record %d of updates that end by %q: %v", i, ends, err)
				}
				if there {
					want++
				}
				f := store.Filter{Where: []store.Cond{{Name: fmt.Sprint("by", i), Op: store.Marked, Values: []any{"yes"}}}}
				if marked, _, err := tx.List(ctx, kind, f, store.Page{}, nil); err != nil || (len(marked) == 1) != there {
					return fmt.Errorf("%d records are marked by member %d of those that end by %q: %w", len(marked), i, ends, err)
				}
			}
			if n > 0 {
				want++
			}
			_, total, err := tx.List(ctx, kind, store.Filter{}, store.Page{Number: 1, Size: 1}, nil)
			if err != nil || total != want {
				return fmt.Errorf("a total of %d, want %d: %w", total, want, err)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if shared < 2 {
		t.Errorf("at most %d updates share a commit", shared)
	}
	t.Logf("up to %d updates share a commit", shared)
}

// TestGroupsThatAreCut: when the connection of a group is lost, no member reports success
// without its record, and later updates work.
func TestGroupsThatAreCut(t *testing.T) {
	ctx := context.Background()
	s, err := Open(ctx, postgrestest.Shared(t).Schema(t), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	kind := &store.Kind{Name: "thing", Revision: "1"}
	if err := s.Prepare(ctx, []*store.Kind{kind}); err != nil {
		t.Fatal(err)
	}
	a := store.AccountID{1}
	running, goOn := make(chan bool), make(chan bool)
	results := make([]error, 6)
	var all sync.WaitGroup
	for i := range results {
		all.Add(1)
		go func() {
			defer all.Done()
			results[i] = s.Update(ctx, a, func(records store.RecordTx) error {
				if _, err := records.Get(ctx, kind, store.ID{0xff, byte(i)}); !errors.Is(err, store.ErrNotFound) {
					return err
				}
				switch i {
				case 0:
					close(running)
					<-goOn
				case 3:
					_ = records.(*tx).conn.PgConn().Conn().Close()
				}
				_, err := records.Put(ctx, kind, store.Write{ID: store.ID{byte(i)}, Doc: []byte("{}")})
				return err
			})
		}()
		if i == 0 {
			<-running
			continue
		}
		for s.queues.waiting() < i {
			runtime.Gosched()
		}
	}
	close(goOn)
	all.Wait()
	err = s.View(ctx, a, func(tx store.RecordTx) error {
		for i, result := range results {
			_, err := tx.Get(ctx, kind, store.ID{byte(i)})
			if (result == nil) != (err == nil) {
				return fmt.Errorf("update %d returned %v, and its record: %v", i, result, err)
			}
			if result != nil && !errors.Is(result, store.ErrUnavailable) {
				return fmt.Errorf("update %d: %w", i, result)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if results[3] == nil || results[0] == nil {
		t.Errorf("updates that share the lost connection returned %s", strings.ReplaceAll(fmt.Sprint(results), "\n", " "))
	}
}
