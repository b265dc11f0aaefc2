//go:build cgo

package sqlite

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/landfallhq/tracking/store"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/psanford/sqlite3vfs"

	"github.com/landfallhq/tracking/internal/drill"
)

// A power cut at any moment loses nothing that was acknowledged, does not damage
// the file, and leaves a prefix of the commits, each complete. LANDFALL_CUTS sets
// how many cuts.
//
// Seen to fail: see TestFaultPowerCutWithoutFullSync.
func TestFaultPowerCut(t *testing.T) {
	cuts := drill.Count(t, "LANDFALL_CUTS", 400)
	for _, callers := range []int{1, 8} {
		t.Run(fmt.Sprintf("%d callers", callers), func(t *testing.T) {
			h := newCuts(t, callers, "FULL")
			h.run(cuts / 2)
			if h.lost > 0 || h.corrupt > 0 {
				t.Errorf("%d cuts lost what was acknowledged, %d left a broken file; the first: %s", h.lost, h.corrupt, h.first)
			}
		})
	}
}

// A disk on which one operation in fifty fails, including syncs, loses nothing that
// was acknowledged either, even with a power cut on top.
//
// Seen to fail: with a commit whose error is ignored.
func TestFaultDiskErrors(t *testing.T) {
	h := newCuts(t, 8, "FULL")
	h.failing = 50
	h.run(drill.Count(t, "LANDFALL_CUTS", 400) / 4)
	if h.lost > 0 || h.corrupt > 0 {
		t.Errorf("%d cuts lost what was acknowledged, %d left a broken file; the first: %s", h.lost, h.corrupt, h.first)
	}
	if h.refused == 0 {
		t.Error("no transaction failed")
	}
	t.Logf("%d transactions returned an error", h.refused)
}

// The harness detects lost commits: with synchronous=NORMAL, and with a disk that
// reports a sync that it did not do.
func TestFaultPowerCutWithoutFullSync(t *testing.T) {
	t.Run("synchronous=NORMAL", func(t *testing.T) {
		h := newCuts(t, 8, "NORMAL")
		h.run(60)
		if h.lost == 0 {
			t.Error("no cut lost anything")
		}
		if h.corrupt > 0 {
			t.Errorf("%d cuts left a broken file: %s", h.corrupt, h.first)
		}
	})
	t.Run("a disk that lies", func(t *testing.T) {
		h := newCuts(t, 1, "FULL")
		h.deaf = true
		h.run(60)
		if h.lost+h.corrupt == 0 {
			t.Error("no cut did any harm")
		}
	})
}

// cuts is a series of power cuts under one sort of load.
type cuts struct {
	t           *testing.T
	random      *rand.Rand
	callers     int
	synchronous string
	deaf        bool
	failing     int // one operation in so many fails; 0: none
	dir         string

	taken, lost, corrupt int
	transactions         int // acknowledged before some cut
	unacknowledged       int // stored although not acknowledged
	refused              int // transactions that failed
	first                string
}

func newCuts(t *testing.T, callers int, synchronous string) *cuts {
	return &cuts{t: t, random: drill.Random(t), callers: callers, synchronous: synchronous, dir: t.TempDir()}
}

// image is what one power cut left, and what had been acknowledged before it.
type image struct {
	image map[string][]byte
	acked int
}

func (h *cuts) run(n int) {
	h.t.Helper()
	for h.taken < n {
		for _, c := range h.voyage(min(8, n-h.taken)) {
			h.check(c)
		}
	}
	h.t.Logf("%d cuts under %d callers, synchronous=%s: %d transactions acknowledged, %d cuts lost some, %d broken files, %d transactions there without an answer",
		h.taken, h.callers, h.synchronous, h.transactions, h.lost, h.corrupt, h.unacknowledged)
}

const (
	// perRun is how many transactions a disk lives through.
	perRun = 60
	// transactionsPerCheckpoint is how many transactions go between two checkpoints.
	transactionsPerCheckpoint = 13
)

// voyage is the life of one disk: a new store, transactions by all callers,
// checkpoints in between, and its end. It returns what power cuts at up to n random
// moments would have left.
func (h *cuts) voyage(n int) []image {
	h.t.Helper()
	path := filepath.Join(h.dir, "landfall.db") // Open makes it; it stays empty, for SQLite goes to the disk
	d := newDisk(h.t, path)
	d.deaf = h.deaf
	var acked, refused atomic.Int64
	var failing atomic.Bool
	var taken []image
	next := 1 + h.random.IntN(300)
	d.before = func(string) error {
		if d.ops >= next && len(taken) < n {
			taken = append(taken, image{d.image(h.random), int(acked.Load())})
			next = d.ops + 1 + h.random.IntN(400)
		}
		if failing.Load() && h.random.IntN(h.failing) == 0 {
			return sqlite3vfs.IOErrorWrite
		}
		return nil
	}
	s, err := Open(path, Options{harness: harness{vfs: d.name, exclusive: true, synchronous: h.synchronous}})
	if err != nil {
		h.t.Fatal(err)
	}
	if err := s.Prepare(context.Background(), []*store.Kind{slotKind}); err != nil {
		h.t.Fatal(err)
	}
	failing.Store(h.failing > 0)
	var working sync.WaitGroup
	errs := make(chan error, h.callers)
	for range h.callers {
		working.Go(func() {
			for {
				did, err := transact(s)
				if err != nil && failing.Load() {
					refused.Add(1)
					continue
				}
				if err != nil {
					errs <- err
					return
				}
				for last := acked.Load(); int64(did) > last && !acked.CompareAndSwap(last, int64(did)); {
					last = acked.Load()
				}
				if did >= perRun {
					return
				}
				if did%transactionsPerCheckpoint == 0 {
					if err := checkpointNow(s); err != nil && !failing.Load() {
						errs <- err
						return
					}
				}
			}
		})
	}
	working.Wait()
	close(errs)
	for err := range errs {
		h.t.Fatal(err)
	}
	if err := s.Close(); err != nil && h.failing == 0 {
		h.t.Fatal(err)
	}
	h.refused += int(refused.Load())
	d.mu.Lock()
	defer d.mu.Unlock()
	d.before = nil
	h.taken += len(taken)
	return taken
}

// check opens what a cut left as a restart does.
func (h *cuts) check(c image) {
	h.t.Helper()
	dir, err := os.MkdirTemp(h.dir, "")
	if err != nil {
		h.t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := save(c.image, dir); err != nil {
		h.t.Fatal(err)
	}
	h.transactions += c.acked
	n, err := recovered(filepath.Join(dir, "landfall.db"))
	switch {
	case err != nil:
		h.corrupt++
	case n < c.acked:
		h.lost++
		err = fmt.Errorf("%d transactions are left of %d that were acknowledged", n, c.acked)
	default:
		h.unacknowledged += n - c.acked
	}
	if err != nil && h.first == "" {
		h.first = err.Error()
	}
}

var errWrong = errors.New("this is not the outcome")

// recovered opens a store after a crash and returns how many transactions it has.
// It returns an error if the store is damaged, does not hold the exact result of
// these transactions, or cannot go on.
func recovered(path string) (n int, err error) {
	ctx := context.Background()
	s, err := Open(path, Options{Readers: 1})
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if err := s.Prepare(ctx, []*store.Kind{slotKind}); err != nil {
		return 0, err
	}
	var problems []string
	_, err = s.Check(ctx, []*store.Kind{slotKind}, store.CheckRequest{Found: func(p store.Problem) {
		problems = append(problems, p.String())
	}})
	if err != nil || len(problems) > 0 {
		return 0, fmt.Errorf("the check: %w, %q", err, problems)
	}
	got := map[store.ID]string{}
	err = s.View(ctx, slotAccount, func(tx store.RecordTx) (err error) {
		if n, err = countedIn(tx); err != nil {
			return err
		}
		records, total, err := tx.List(ctx, slotKind, store.Filter{}, store.Page{Number: 1, Size: 100}, nil)
		if err == nil && total != len(records) {
			err = fmt.Errorf("the total is %d of %d", total, len(records))
		}
		for _, r := range records {
			got[r.ID] = string(r.Doc)
		}
		return err
	})
	if err != nil {
		return n, err
	}
	if diff := cmp.Diff(outcome(n), got); diff != "" {
		return n, fmt.Errorf("%w of %d transactions (-want +got): %.500s", errWrong, n, diff)
	}
	if did, err := transact(s); err != nil || did != n+1 {
		return n, fmt.Errorf("transaction %d after %d: %w", did, n, err)
	}
	return n, nil
}

// The transactions are numbered. Each writes its number into slot 0, and writes and
// deletes other slots as the number determines.

var (
	slotAccount = store.AccountID(uuid.NewSHA1(uuid.Nil, []byte("slots")))
	slotKind    = &store.Kind{
		Name: "slot", Revision: "1",
		Columns: []store.Column{{Name: "five", Type: store.IntColumn, Counted: true}},
		Render: func(r store.Record) (store.Write, error) {
			n, err := numberOf(r)
			return slotWrite(r.ID, n, r.Doc), err
		},
	}
)

func slotWrite(id store.ID, n int, doc []byte) store.Write {
	return store.Write{ID: id, Doc: doc, Cols: []any{int64(n % 5)}, Terms: []store.Term{{Name: "seven", Value: fmt.Sprint(n % 7)}}}
}

func slotDoc(id store.ID, n, size int) []byte {
	return fmt.Appendf(nil, `{"id":%q,"type":"slot","attributes":{"n":%d,"text":%q}}`, id, n, bytes.Repeat([]byte{'a' + byte(n%26)}, size))
}

// numberOf is the number of the transaction that wrote a record.
func numberOf(r store.Record) (n int, err error) {
	var doc struct{ Attributes struct{ N int } }
	err = json.Unmarshal(r.Doc, &doc)
	return doc.Attributes.N, err
}

func slotID(i int) store.ID { return uuid.NewSHA1(uuid.Nil, []byte{byte(i)}) }

// slot is what transaction n writes to one slot: no document means that it deletes
// it.
type slot struct {
	id  store.ID
	doc []byte
}

func slotsOf(n int) []slot {
	slots := []slot{{slotID(0), slotDoc(slotID(0), n, 0)}}
	r := rand.New(rand.NewPCG(uint64(n), 1))
	for i := range 4 {
		s := slot{id: slotID(1 + (n*7+i*5)%23)}
		if (n+i)%6 != 0 {
			size := r.IntN(300)
			if r.IntN(10) == 0 {
				size = r.IntN(20_000) // over several pages
			}
			s.doc = slotDoc(s.id, n, size)
		}
		slots = append(slots, s)
	}
	return slots
}

// outcome is what n transactions leave.
func outcome(n int) map[store.ID]string {
	left := map[store.ID]string{}
	for i := 1; i <= n; i++ {
		for _, s := range slotsOf(i) {
			if left[s.id] = string(s.doc); s.doc == nil {
				delete(left, s.id)
			}
		}
	}
	return left
}

// countedIn is the number of the last transaction.
func countedIn(tx store.RecordTx) (n int, err error) {
	r, err := tx.Get(context.Background(), slotKind, slotID(0))
	if errors.Is(err, store.ErrNotFound) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	return numberOf(r)
}

// transact does the next transaction and returns its number.
func transact(s store.Store) (did int, err error) {
	ctx := context.Background()
	err = s.Update(ctx, slotAccount, func(tx store.RecordTx) error {
		n, err := countedIn(tx)
		if err != nil {
			return err
		}
		did = n + 1
		for _, slot := range slotsOf(did) {
			if slot.doc == nil {
				if err := tx.Delete(ctx, slotKind, slot.id); err != nil && !errors.Is(err, store.ErrNotFound) {
					return err
				}
				continue
			}
			_, err := tx.Put(ctx, slotKind, slotWrite(slot.id, did, slot.doc))
			if err != nil {
				return err
			}
		}
		return nil
	})
	return did, err
}

// checkpointNow writes the WAL back into the file.
func checkpointNow(s *Store) error {
	if _, err := s.acquireWriter(context.Background(), store.AccountID{}, true); err != nil {
		return err
	}
	defer s.releaseWriter(nil)
	c, err := s.writeConn()
	if err != nil {
		return err
	}
	_, err = c.queryText("PRAGMA wal_checkpoint(PASSIVE)")
	return err
}
