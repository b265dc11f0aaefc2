package main

import (
	"bytes"
	"context"
	"slices"
	"sync"

	"github.com/landfallhq/tracking/store"

	"github.com/landfallhq/tracking"
)

// recorder is a store that remembers what it was given of each record of one
// account, so that records which the engine has made can be copied as they are.
type recorder struct {
	tracking.Store

	mu      sync.Mutex
	account tracking.AccountID // zero: nothing is remembered
	kinds   map[string]*store.Kind
	writes  []written // in order of creation
	at      map[recordKey]int
}

// written is the last that was written of a record, or of its marks of one name.
type written struct {
	kind *store.Kind
	store.Write
	mark *store.Mark // of the record with the ID
}

// recordKey is that of a record or, with the name of a mark, of its marks.
type recordKey struct {
	kind string
	id   tracking.ID
	mark string
}

func newRecorder(s tracking.Store) *recorder {
	return &recorder{Store: s, kinds: map[string]*store.Kind{}, at: map[recordKey]int{}}
}

// Prepare remembers the kinds, which the engine keeps to itself.
func (r *recorder) Prepare(ctx context.Context, kinds []*store.Kind) error {
	for _, k := range kinds {
		r.kinds[k.Name] = k
	}
	return r.Store.Prepare(ctx, kinds)
}

// Update remembers what fn has written once it is committed.
func (r *recorder) Update(ctx context.Context, a tracking.AccountID, fn func(store.RecordTx) error) error {
	var kept []written
	err := r.Store.Update(ctx, a, func(tx store.RecordTx) error {
		t := &recordingTx{RecordTx: tx}
		err := fn(t)
		kept = t.kept // of the last run, which counts
		return err
	})
	if err == nil {
		r.keep(a, kept)
	}
	return err
}

func (r *recorder) keep(a tracking.AccountID, writes []written) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.account == (tracking.AccountID{}) || a != r.account {
		return
	}
	for _, w := range writes {
		key := recordKey{kind: w.kind.Name, id: w.ID}
		if w.mark != nil {
			key.mark = w.mark.Name
		}
		if i, ok := r.at[key]; ok {
			r.writes[i] = w
			continue
		}
		r.at[key] = len(r.writes)
		r.writes = append(r.writes, w)
	}
}

// recordingTx is a transaction of a recorder.
type recordingTx struct {
	store.RecordTx
	kept []written
}

func (t *recordingTx) Put(ctx context.Context, k *store.Kind, w store.Write) (int64, error) {
	version, err := t.RecordTx.Put(ctx, k, w)
	if err == nil {
		// What was handed in belongs to the engine.
		w.Doc, w.Private = bytes.Clone(w.Doc), bytes.Clone(w.Private)
		w.Cols, w.Terms = slices.Clone(w.Cols), slices.Clone(w.Terms)
		t.kept = append(t.kept, written{kind: k, Write: w})
	}
	return version, err
}

func (t *recordingTx) Mark(ctx context.Context, k *store.Kind, id tracking.ID, m store.Mark) error {
	err := t.RecordTx.Mark(ctx, k, id, m)
	if err == nil {
		m.Values = slices.Clone(m.Values)
		t.kept = append(t.kept, written{kind: k, Write: store.Write{ID: id}, mark: &m})
	}
	return err
}
