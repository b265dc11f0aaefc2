// Package memory keeps the records of a tracker in the memory of the process: for
// tests, for trials, and as the reference implementation of store.Store. It is
// simple and obviously right, not fast: every list reads every record of its
// account and calls Filter.Match. Nothing survives the process.
//
//	store := memory.New()
//	defer store.Close()
package memory

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/landfallhq/tracking/store"

	"github.com/google/uuid"
)

var errTxClosed = errors.New("memory: transaction used after its closure has returned")

// Store is a store.Store in memory. Make one with New.
type Store struct {
	writeToken chan struct{}         // holds one token, which the writer takes
	state      atomic.Pointer[state] // the committed state
	closed     chan struct{}
	closeOnce  sync.Once
}

var (
	_ store.Store          = (*Store)(nil)
	_ store.AccountDeleter = (*Store)(nil)
)

// state is the content of the store after one commit. It never changes: a view
// keeps the pointer and so has its snapshot; an update works on a copy of the
// struct, and publishes or drops it.
type state struct {
	kinds  map[string][]store.Column // as last prepared
	latest map[string]string         // the latest prepared revision of each kind
	rows   tree[rowKey, *row]
	order  tree[orderKey, *row] // the same rows in order of creation
	marks  tree[markKey, []string]
	jobs   tree[jobKey, *job]
	groups tree[groupKey, group]
	nodes  map[store.ID]storedNode // never changed, but replaced
	number int64                   // last number given to a row, a job or a group
	served int64                   // counts the claims of jobs
}

type rowKey struct {
	account store.AccountID
	kind    string
	id      store.ID
}

func (k rowKey) Compare(o rowKey) int {
	return cmp.Or(compareAccounts(k.account, o.account), cmp.Compare(k.kind, o.kind), bytes.Compare(k.id[:], o.id[:]))
}

type orderKey struct {
	account store.AccountID
	kind    string
	number  int64
}

func (k orderKey) Compare(o orderKey) int {
	return cmp.Or(compareAccounts(k.account, o.account), cmp.Compare(k.kind, o.kind), cmp.Compare(k.number, o.number))
}

// row is a stored record. Rows never change once they are in a tree.
type row struct {
	record   store.Record
	revision string
	number   int64 // order of creation
	cols     []any // string, int64, bool, time.Time (UTC, whole microseconds), ID or nil
	terms    []store.Term
}

// New returns an empty store.
func New() *Store {
	s := &Store{writeToken: make(chan struct{}, 1), closed: make(chan struct{})}
	s.writeToken <- struct{}{}
	s.state.Store(&state{kinds: map[string][]store.Column{}, latest: map[string]string{}})
	return s
}

// Close drops all records.
func (s *Store) Close() error {
	err := store.ErrClosed
	s.closeOnce.Do(func() {
		close(s.closed)
		<-s.writeToken // a running update may still commit
		s.state.Store(&state{})
		err = nil
	})
	return err
}

func (s *Store) checkOpen(ctx context.Context) error {
	select {
	case <-s.closed:
		return store.ErrClosed
	default:
		return ctx.Err()
	}
}

// View runs fn on the current state.
func (s *Store) View(ctx context.Context, a store.AccountID, fn func(store.RecordTx) error) error {
	if err := s.checkOpen(ctx); err != nil {
		return err
	}
	t := &tx{state: s.state.Load(), account: a, readOnly: true}
	defer func() { t.closed = true }()
	return fn(t)
}

// Update runs fn on a copy of the state, which becomes the state if fn returns nil.
// Updates run one at a time.
func (s *Store) Update(ctx context.Context, a store.AccountID, fn func(store.RecordTx) error) error {
	return s.write(ctx, func(next *state) error {
		t := &tx{state: next, account: a}
		defer func() { t.closed = true }()
		return fn(t)
	})
}

// write runs fn on a copy of the state and publishes it if fn returns nil. An
// error, a panic or a Goexit leaves the state as it was.
func (s *Store) write(ctx context.Context, fn func(*state) error) error {
	if err := s.checkOpen(ctx); err != nil {
		return err
	}
	select {
	case <-s.writeToken:
		defer func() { s.writeToken <- struct{}{} }()
	case <-s.closed:
		return store.ErrClosed
	case <-ctx.Done():
		return ctx.Err()
	}
	if err := s.checkOpen(ctx); err != nil {
		return err
	}
	next := *s.state.Load()
	if err := fn(&next); err != nil {
		return err
	}
	s.state.Store(&next)
	return nil
}

// Prepare stores the columns of the kinds, and renders all records of a kind whose
// columns have changed.
func (s *Store) Prepare(ctx context.Context, kinds []*store.Kind) error {
	return s.write(ctx, func(next *state) error {
		columns := make(map[string][]store.Column, len(next.kinds)+len(kinds))
		for name, c := range next.kinds {
			columns[name] = c
		}
		latest := maps.Clone(next.latest)
		for _, k := range kinds {
			before, known := columns[k.Name]
			now := slices.Clone(k.Columns)
			for i := range now {
				now[i].Counted, now[i].Volatile = false, false // they do not affect this store
			}
			if later := next.latest[k.Name]; later > k.Revision && !slices.Equal(before, now) {
				return &store.NewerError{Kind: k.Name, Stored: later, Known: k.Revision}
			}
			latest[k.Name] = max(latest[k.Name], k.Revision)
			columns[k.Name] = now
			if !known || slices.Equal(before, now) {
				continue
			}
			if err := next.renderAll(k); err != nil {
				return err
			}
		}
		next.kinds, next.latest = columns, latest
		return nil
	})
}

// renderAll stores every record of the kind in its current form. Versions stay,
// because what readers see does not change.
func (s *state) renderAll(k *store.Kind) error {
	var err error
	s.rows.all(func(key rowKey, r *row) bool {
		if key.kind != k.Name {
			return true
		}
		if k.Render == nil {
			err = fmt.Errorf("memory: the columns of kind %s changed, but it has no Render", k.Name)
			return false
		}
		var w store.Write
		if w, err = k.Render(r.record); err != nil {
			err = fmt.Errorf("memory: render %s %s: %w", k.Name, r.record.ID, err)
			return false
		}
		var rendered *row
		if rendered, err = newRow(k, w); err != nil {
			return false
		}
		rendered.record.ID, rendered.record.Version, rendered.number = r.record.ID, r.record.Version, r.number
		// The iteration continues over the old tree.
		s.put(key, rendered)
		return true
	})
	return err
}

func (s *state) put(key rowKey, r *row) {
	s.rows = s.rows.put(key, r)
	s.order = s.order.put(orderKey{key.account, key.kind, r.number}, r)
}

// newRow checks and copies a write. The caller fills in version and number.
func newRow(k *store.Kind, w store.Write) (*row, error) {
	if len(w.Cols) != len(k.Columns) {
		return nil, fmt.Errorf("memory: %s %s: %d column values for %d columns", k.Name, w.ID, len(w.Cols), len(k.Columns))
	}
	r := &row{
		record:   store.Record{ID: w.ID, Doc: bytes.Clone(w.Doc), Private: bytes.Clone(w.Private), Decoded: new(store.DecodeCache)},
		revision: k.Revision,
		cols:     make([]any, len(w.Cols)),
		terms:    slices.Clone(w.Terms),
	}
	for i, v := range w.Cols {
		value, ok := columnValue(k.Columns[i].Type, v)
		if !ok {
			return nil, fmt.Errorf("memory: %s %s: column %s cannot hold a %T", k.Name, w.ID, k.Columns[i].Name, v)
		}
		r.cols[i] = value
	}
	// Terms are a set.
	slices.SortFunc(r.terms, func(a, b store.Term) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Value, b.Value))
	})
	r.terms = slices.Compact(r.terms)
	return r, nil
}

// columnValue returns v as a column of type t stores it.
func columnValue(t store.ColumnType, v any) (any, bool) {
	switch v := v.(type) {
	case nil:
		return nil, true
	case string:
		return v, t == store.TextColumn
	case int64:
		return v, t == store.IntColumn
	case bool:
		return v, t == store.BoolColumn
	case time.Time:
		return microsecond(v), t == store.TimeColumn
	case store.ID:
		return v, t == store.IDColumn
	}
	return nil, false
}

// microsecond returns t as stores keep times: in whole microseconds, UTC.
func microsecond(t time.Time) time.Time { return time.UnixMicro(t.UnixMicro()).UTC() }

// compareValues compares two values of one column; neither is nil.
func compareValues(a, b any) int {
	switch a := a.(type) {
	case string:
		return cmp.Compare(a, b.(string))
	case int64:
		return cmp.Compare(a, b.(int64))
	case bool:
		switch {
		case a == b.(bool):
			return 0
		case a:
			return 1
		}
		return -1
	case time.Time:
		return a.Compare(b.(time.Time))
	}
	x, y := a.(store.ID), b.(store.ID)
	return bytes.Compare(x[:], y[:])
}

func compareAccounts(a, b store.AccountID) int { return bytes.Compare(a[:], b[:]) }

func newToken() store.ID { return uuid.New() }
