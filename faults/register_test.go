package faults

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/rpc"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/landfallhq/tracking/store"

	"github.com/anishathalye/porcupine"
	"github.com/google/uuid"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/internal/drill"
	"github.com/landfallhq/tracking/storage/memory"
	"github.com/landfallhq/tracking/storage/sqlite"
)

// registerKind is the kind of records with one value.
var registerKind = &store.Kind{
	Name: "register", Revision: "1",
	Columns: []store.Column{{Name: "value", Type: store.IntColumn}},
	Render: func(r store.Record) (store.Write, error) {
		v, err := valueOf(r)
		return registerWrite(r.ID, v), err
	},
}

func valueOf(r store.Record) (v int64, err error) {
	_, err = fmt.Sscanf(string(r.Doc), `{"value":%d}`, &v)
	return v, err
}

func registerWrite(id tracking.ID, v int64) store.Write {
	return store.Write{ID: id, Doc: fmt.Appendf(nil, `{"value":%d}`, v), Cols: []any{v}}
}

// registers are a few values in a store, each a record, which must be linearizable.
type registers struct{ store tracking.Store }

func openRegisters(db tracking.Store) (*registers, error) {
	return &registers{db}, db.Prepare(context.Background(), []*store.Kind{registerKind})
}

var registerAccount = tracking.AccountID(uuid.NewSHA1(uuid.Nil, []byte("registers")))

func registerID(n int) tracking.ID { return uuid.NewSHA1(uuid.Nil, []byte{byte(n)}) }

// Step is one operation on a register, and its outcome.
type Step struct {
	Register int
	// Swap writes Value and reads the previous value; without it the register is
	// only read. The initial value is 0.
	Swap  bool
	Value int64
}

// Do runs the step and sets read to the value of the register. It has the signature
// of net/rpc, so that one process can do it for another.
func (s *registers) Do(step Step, read *int64) error {
	ctx, id := context.Background(), registerID(step.Register)
	do := s.store.View
	if step.Swap {
		do = s.store.Update
	}
	return do(ctx, registerAccount, func(tx store.RecordTx) error {
		*read = 0
		r, err := tx.Get(ctx, registerKind, id)
		if err == nil {
			*read, err = valueOf(r)
		} else if errors.Is(err, tracking.ErrNotFound) {
			err = nil
		}
		if err != nil || !step.Swap {
			return err
		}
		_, err = tx.Put(ctx, registerKind, registerWrite(id, step.Value))
		return err
	})
}

// registerModel is the model of a register.
var registerModel = porcupine.Model{
	Partition: func(history []porcupine.Operation) [][]porcupine.Operation {
		parts := map[int][]porcupine.Operation{}
		for _, op := range history {
			n := op.Input.(Step).Register
			parts[n] = append(parts[n], op)
		}
		var all [][]porcupine.Operation
		for _, part := range parts {
			all = append(all, part)
		}
		return all
	},
	Init: func() any { return int64(0) },
	Step: func(state, input, output any) (bool, any) {
		ok, step := output == state, input.(Step)
		if step.Swap {
			state = step.Value
		}
		return ok, state
	},
}

// history runs concurrent clients on three registers and returns their operations.
// Every value is written once.
func history(t *testing.T, r *rand.Rand, clients []func(Step, *int64) error) []porcupine.Operation {
	t.Helper()
	const each, width = 60, 3
	var mu sync.Mutex
	var ops []porcupine.Operation
	begin := time.Now()
	var working sync.WaitGroup
	for c, do := range clients {
		own := rand.New(rand.NewPCG(r.Uint64(), 0))
		working.Go(func() {
			for n := range each {
				step := Step{Register: own.IntN(width), Swap: own.IntN(2) == 0, Value: int64(1 + c*each + n)}
				op := porcupine.Operation{ClientId: c, Input: step, Call: int64(time.Since(begin))}
				var read int64
				if err := do(step, &read); err != nil {
					t.Error(err)
					return
				}
				op.Return, op.Output = int64(time.Since(begin)), read
				mu.Lock()
				ops = append(ops, op)
				mu.Unlock()
			}
		})
	}
	working.Wait()
	if t.Failed() {
		t.FailNow()
	}
	return ops
}

// bench is a store under test: it returns the functions of its clients.
type bench struct {
	name string
	open func(t *testing.T, n int) []func(Step, *int64) error
}

// Every history of concurrent reads and swaps is linearizable: on both stores, with
// the cache on and off, and with half of the clients in a second process on the
// same file.
//
// TestRegisterDetectsFaults shows that it can fail.
func TestRegister(t *testing.T) {
	onFile := func(opts sqlite.Options) func(t *testing.T, n int) []func(Step, *int64) error {
		return func(t *testing.T, n int) []func(Step, *int64) error {
			return same(n, openSQLite(t, newDB(t), opts).Do)
		}
	}
	beside := func(opts sqlite.Options) func(t *testing.T, n int) []func(Step, *int64) error {
		return func(t *testing.T, n int) []func(Step, *int64) error {
			db := newDB(t)
			here := openSQLite(t, db, opts)
			return append(same(n/2, here.Do), same(n-n/2, secondProcess(t, db))...)
		}
	}
	cached := sqlite.Options{CacheBytes: 1 << 20}
	benches := []bench{
		{"memory", func(t *testing.T, n int) []func(Step, *int64) error { return same(n, openMemory(t).Do) }},
		{"sqlite", onFile(sqlite.Options{})},
		{"sqlite with a cache", onFile(cached)},
		{"sqlite and a second process", beside(sqlite.Options{})},
		{"sqlite with a cache and a second process", beside(cached)},
	}
	for _, b := range benches {
		t.Run(b.name, func(t *testing.T) {
			r := drill.Random(t)
			n, ops := drill.Count(t, "LANDFALL_HISTORIES", 3), 0
			for range n {
				h := history(t, r, b.open(t, 8))
				ops += len(h)
				if result := porcupine.CheckOperationsTimeout(registerModel, h, time.Minute); result != porcupine.Ok {
					t.Fatalf("a history of %d operations is %s", len(h), result)
				}
			}
			t.Logf("%s: %d histories, %d operations: 0 violations", b.name, n, ops)
		})
	}
}

// The check detects a store with an outdated cache, and one that acknowledges a
// write before it is done.
func TestRegisterDetectsFaults(t *testing.T) {
	for name, broken := range map[string]func(tracking.Store) tracking.Store{
		"stale reads":                func(s tracking.Store) tracking.Store { return &staleStore{Store: s} },
		"acknowledged before commit": func(s tracking.Store) tracking.Store { return &earlyStore{Store: s} },
	} {
		t.Run(name, func(t *testing.T) {
			s := broken(openSQLite(t, newDB(t), sqlite.Options{}).store)
			h := history(t, drill.Random(t), same(8, (&registers{s}).Do))
			if closer, ok := s.(*earlyStore); ok {
				closer.writing.Wait()
			}
			if result := porcupine.CheckOperationsTimeout(registerModel, h, time.Minute); result != porcupine.Illegal {
				t.Errorf("its history is %s", result)
			}
		})
	}
}

// same gives n clients the same function.
func same(n int, do func(Step, *int64) error) []func(Step, *int64) error {
	all := make([]func(Step, *int64) error, n)
	for i := range all {
		all[i] = do
	}
	return all
}

func openMemory(t *testing.T) *registers { return registersOf(t, memory.New()) }

func openSQLite(t *testing.T, file string, opts sqlite.Options) *registers {
	t.Helper()
	db, err := sqlite.Open(file, opts)
	if err != nil {
		t.Fatal(err)
	}
	return registersOf(t, db)
}

func registersOf(t *testing.T, db tracking.Store) *registers {
	t.Helper()
	t.Cleanup(func() { db.Close() })
	r, err := openRegisters(db)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// secondProcess starts a process on the same file, and returns the function that
// makes it run a step.
func secondProcess(t *testing.T, db string) func(Step, *int64) error {
	t.Helper()
	cmd := child("register", "LANDFALL_FAULTS_DB="+db)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	c := rpc.NewClient(pipes{out, in})
	t.Cleanup(func() {
		c.Close()
		if err := cmd.Wait(); err != nil {
			t.Errorf("the second process: %v", err)
		}
	})
	return func(step Step, read *int64) error { return c.Call("Registers.Do", step, read) }
}

// serveRegister is the second process: it runs the steps from its standard input
// until that ends.
func serveRegister() error {
	db, err := sqlite.Open(filepath.Clean(os.Getenv("LANDFALL_FAULTS_DB")), sqlite.Options{CacheBytes: 1 << 20})
	if err != nil {
		return err
	}
	r, err := openRegisters(db)
	if err != nil {
		return err
	}
	server := rpc.NewServer()
	if err := server.RegisterName("Registers", r); err != nil {
		return err
	}
	server.ServeConn(pipes{os.Stdin, os.Stdout})
	return db.Close()
}

// pipes are the two directions between a process and its child.
type pipes struct {
	io.ReadCloser
	out io.WriteCloser
}

func (p pipes) Write(b []byte) (int, error) { return p.out.Write(b) }
func (p pipes) Close() error                { return errors.Join(p.ReadCloser.Close(), p.out.Close()) }

// staleStore is a store with a wrong cache: after the first read, a record is read
// from memory a few times.
type staleStore struct {
	tracking.Store
	mu   sync.Mutex
	kept map[tracking.ID]store.Record
	uses map[tracking.ID]int
}

func (s *staleStore) View(ctx context.Context, a tracking.AccountID, fn func(store.RecordTx) error) error {
	return s.Store.View(ctx, a, func(tx store.RecordTx) error { return fn(staleTx{tx, s}) })
}

type staleTx struct {
	store.RecordTx
	store *staleStore
}

func (t staleTx) Get(ctx context.Context, k *store.Kind, id tracking.ID) (store.Record, error) {
	s := t.store
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.uses[id] > 0 {
		s.uses[id]--
		return s.kept[id], nil
	}
	r, err := t.RecordTx.Get(ctx, k, id)
	if err == nil {
		if s.kept == nil {
			s.kept, s.uses = map[tracking.ID]store.Record{}, map[tracking.ID]int{}
		}
		s.kept[id], s.uses[id] = r, 3
	}
	return r, err
}

// earlyStore is a store that tries a write, answers, and writes later.
type earlyStore struct {
	tracking.Store
	writing sync.WaitGroup
}

var errTried = errors.New("tried")

func (s *earlyStore) Update(ctx context.Context, a tracking.AccountID, fn func(store.RecordTx) error) error {
	later := earlyTx{}
	err := s.Store.Update(ctx, a, func(tx store.RecordTx) error {
		later.RecordTx = tx
		return errors.Join(fn(&later), errTried)
	})
	if !errors.Is(err, errTried) {
		return err
	}
	s.writing.Go(func() {
		_ = s.Store.Update(ctx, a, func(tx store.RecordTx) error {
			_, err := tx.Put(ctx, registerKind, later.written)
			return err
		})
	})
	return nil
}

// earlyTx keeps the last write.
type earlyTx struct {
	store.RecordTx
	written store.Write
}

func (t *earlyTx) Put(ctx context.Context, k *store.Kind, w store.Write) (int64, error) {
	t.written = w
	return t.RecordTx.Put(ctx, k, w)
}
