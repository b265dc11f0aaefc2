package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/landfallhq/tracking/store"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/storage/memory"
)

// stagingStore is a store on which the engine ingests a report as on any other, but
// which records the writes and rolls them back. It stays small, so the millionth
// report costs what the first did.
//
// This is correct only for reports whose shipments have no number in common with
// those of other reports: the engine would look for records that do not exist
// either way. Records that shipments share, such as places and ships, are kept.
type stagingStore struct {
	*memory.Store
	staging    bool
	operations []operation
	ledger     store.Write
	kinds      map[string]*store.Kind
}

// operation is one call by which a transaction changes the store.
type operation struct {
	kind  *store.Kind // nil for a job
	write store.Write
	mark  *store.Mark // of the record write.ID
	job   store.Job
	// hasten: the job is hastened, not enqueued.
	hasten bool
}

// shared reports whether the operation writes what shipments have in common.
func (w *operation) shared() bool {
	return w.kind != nil && w.mark == nil && w.kind.Name != ledgerKind && !slices.Contains(shipmentKinds, w.kind.Name)
}

// shipmentKinds are the kinds whose records belong to one shipment.
var shipmentKinds = []string{"shipment", "container", "transport_event", "raw_event", "revision", "exception", "import_cost", "next_milestone", "voyage"}

const ledgerKind = "ledger"

func newStagingStore() *stagingStore {
	return &stagingStore{Store: memory.New(), kinds: map[string]*store.Kind{}}
}

// Prepare records the kinds as well.
func (s *stagingStore) Prepare(ctx context.Context, kinds []*store.Kind) error {
	for _, k := range kinds {
		s.kinds[k.Name] = k
	}
	return s.Store.Prepare(ctx, kinds)
}

var errStaged = errors.New("nothing of this is kept")

// Update records what fn writes and rolls it back.
func (s *stagingStore) Update(ctx context.Context, a tracking.AccountID, fn func(store.RecordTx) error) error {
	if !s.staging {
		return s.Store.Update(ctx, a, fn)
	}
	var t *stagingTx
	err := s.Store.Update(ctx, a, func(tx store.RecordTx) error {
		t = &stagingTx{RecordTx: tx}
		if err := fn(t); err != nil {
			return err
		}
		return errStaged
	})
	if !errors.Is(err, errStaged) {
		return err
	}
	s.operations = append(s.operations, t.operations...)
	return s.keepShared(ctx, a, t.operations)
}

// keepShared keeps the shared records among the operations, and the ledger.
func (s *stagingStore) keepShared(ctx context.Context, a tracking.AccountID, operations []operation) error {
	var shared []operation
	for _, w := range operations {
		if w.shared() {
			shared = append(shared, w)
		} else if w.kind != nil && w.kind.Name == ledgerKind {
			s.ledger = w.write
		}
	}
	if shared == nil {
		return nil
	}
	return s.Store.Update(ctx, a, func(tx store.RecordTx) error {
		for _, w := range shared {
			if err := w.apply(ctx, tx); err != nil {
				return err
			}
		}
		return nil
	})
}

// ingest returns what the engine writes for a report of an account that has so many
// facts before it.
func (s *stagingStore) ingest(ctx context.Context, t *tracking.Tracker, a tracking.AccountID, r tracking.Report, facts int) ([]operation, tracking.Receipt, error) {
	s.staging, s.operations = true, nil
	defer func() { s.staging = false }()
	if facts > 0 {
		if s.ledger.Private == nil {
			// This run only shows the form of a ledger. The shared records that it
			// wrote count, since the second run finds them and does not write them.
			if _, err := t.Ingest(ctx, r); err != nil {
				return nil, tracking.Receipt{}, err
			}
			s.operations = slices.DeleteFunc(s.operations, func(w operation) bool { return !w.shared() })
		}
		if err := s.setFacts(ctx, a, facts); err != nil {
			return nil, tracking.Receipt{}, err
		}
	}
	receipt, err := t.Ingest(ctx, r)
	return s.operations, receipt, err
}

// setFacts sets the number of facts in the account's ledger.
func (s *stagingStore) setFacts(ctx context.Context, a tracking.AccountID, facts int) error {
	members := map[string]any{}
	if err := json.Unmarshal(s.ledger.Private, &members); err != nil {
		return err
	}
	members["facts"] = facts
	private, err := json.Marshal(members)
	if err != nil {
		return err
	}
	w := s.ledger
	w.Private = private
	return s.Store.Update(ctx, a, func(tx store.RecordTx) error {
		_, err := tx.Put(ctx, s.kinds[ledgerKind], w)
		return err
	})
}

// apply does the operation in a transaction.
func (w operation) apply(ctx context.Context, tx store.RecordTx) (err error) {
	switch {
	case w.kind == nil && w.hasten:
		return tx.EnqueueBy(ctx, w.job)
	case w.kind == nil:
		return tx.Enqueue(ctx, w.job)
	case w.mark != nil:
		return tx.Mark(ctx, w.kind, w.write.ID, *w.mark)
	}
	_, err = tx.Put(ctx, w.kind, w.write)
	return err
}

// stagingTx is a transaction of a stagingStore. It refuses calls that ingesting a
// new shipment never makes, such as to delete a record or to finish a job.
type stagingTx struct {
	store.RecordTx
	operations []operation
	// pending are the places in operations of new records that are not in the store
	// in memory yet, by kind: most are never read, and to store them is a quarter of
	// the cost of a report.
	pending    map[*store.Kind][]int
	pendingIDs map[tracking.ID]bool // among pending
}

var errNotStaged = errors.New("a new shipment is not expected to do this")

// flush writes the pending records of a kind to the store in memory.
func (t *stagingTx) flush(ctx context.Context, k *store.Kind) error {
	operations := t.pending[k]
	delete(t.pending, k)
	for _, i := range operations {
		delete(t.pendingIDs, t.operations[i].write.ID)
		if err := t.operations[i].apply(ctx, t.RecordTx); err != nil {
			return err
		}
	}
	return nil
}

func (t *stagingTx) Put(ctx context.Context, k *store.Kind, w store.Write) (version int64, err error) {
	if w.New = w.New && slices.Contains(shipmentKinds, k.Name); w.New && t.pendingIDs[w.ID] {
		err = t.flush(ctx, k)
	}
	// The engine uses its buffers again.
	w.Doc, w.Private = bytes.Clone(w.Doc), bytes.Clone(w.Private)
	w.Cols, w.Terms = slices.Clone(w.Cols), slices.Clone(w.Terms)
	t.operations = append(t.operations, operation{kind: k, write: w})
	if err != nil || !w.New {
		if err == nil {
			err = t.flush(ctx, k)
		}
		if err != nil {
			return 0, err
		}
		return t.RecordTx.Put(ctx, k, w)
	}
	if t.pending == nil {
		t.pending, t.pendingIDs = map[*store.Kind][]int{}, map[tracking.ID]bool{}
	}
	t.pending[k] = append(t.pending[k], len(t.operations)-1)
	t.pendingIDs[w.ID] = true
	return 1, nil
}

func (t *stagingTx) Get(ctx context.Context, k *store.Kind, id tracking.ID) (store.Record, error) {
	if t.pendingIDs[id] {
		if err := t.flush(ctx, k); err != nil {
			return store.Record{}, err
		}
	}
	return t.RecordTx.Get(ctx, k, id)
}

func (t *stagingTx) GetMany(ctx context.Context, k *store.Kind, ids []tracking.ID, to []store.Record) ([]store.Record, error) {
	if slices.ContainsFunc(ids, func(id tracking.ID) bool { return t.pendingIDs[id] }) {
		if err := t.flush(ctx, k); err != nil {
			return to, err
		}
	}
	return t.RecordTx.GetMany(ctx, k, ids, to)
}

func (t *stagingTx) List(ctx context.Context, k *store.Kind, f store.Filter, p tracking.Page, to []store.Record) ([]store.Record, int, error) {
	if err := t.flush(ctx, k); err != nil {
		return to, 0, err
	}
	return t.RecordTx.List(ctx, k, f, p, to)
}

func (t *stagingTx) CountBy(ctx context.Context, k *store.Kind, column string, f store.Filter) (map[string]int, error) {
	if err := t.flush(ctx, k); err != nil {
		return nil, err
	}
	return t.RecordTx.CountBy(ctx, k, column, f)
}

func (t *stagingTx) Links(ctx context.Context, k *store.Kind, name string, values []tracking.ID) ([]store.Link, error) {
	if err := t.flush(ctx, k); err != nil {
		return nil, err
	}
	return t.RecordTx.Links(ctx, k, name, values)
}

func (t *stagingTx) Find(ctx context.Context, k *store.Kind, c store.Cond, most int) ([]tracking.ID, error) {
	if err := t.flush(ctx, k); err != nil {
		return nil, err
	}
	return t.RecordTx.Find(ctx, k, c, most)
}

func (t *stagingTx) FindEach(ctx context.Context, sought []store.Lookup) ([][]tracking.ID, error) {
	for _, s := range sought {
		if err := t.flush(ctx, s.Kind); err != nil {
			return nil, err
		}
	}
	return t.RecordTx.FindEach(ctx, sought)
}

func (t *stagingTx) Mark(ctx context.Context, k *store.Kind, id tracking.ID, m store.Mark) error {
	if err := t.flush(ctx, k); err != nil {
		return err
	}
	m.Values = slices.Clone(m.Values)
	t.operations = append(t.operations, operation{kind: k, write: store.Write{ID: id}, mark: &m})
	return t.RecordTx.Mark(ctx, k, id, m)
}

func (t *stagingTx) Enqueue(ctx context.Context, j store.Job) error {
	t.operations = append(t.operations, operation{job: j})
	return t.RecordTx.Enqueue(ctx, j)
}

func (t *stagingTx) EnqueueBy(ctx context.Context, j store.Job) error {
	t.operations = append(t.operations, operation{job: j, hasten: true})
	return t.RecordTx.EnqueueBy(ctx, j)
}

func (t *stagingTx) Delete(context.Context, *store.Kind, tracking.ID) error { return errNotStaged }
func (t *stagingTx) Finish(context.Context, store.Job) error                { return errNotStaged }
func (t *stagingTx) Postpone(context.Context, store.Job, time.Time) error   { return errNotStaged }
func (t *stagingTx) Extend(context.Context, store.Job, time.Time) error     { return errNotStaged }
func (t *stagingTx) PauseGroup(context.Context, store.JobKind, string, time.Time) error {
	return errNotStaged
}
