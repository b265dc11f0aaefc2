package tracking

import (
	"bytes"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/google/uuid"

	"github.com/landfallhq/tracking/store"
)

// Change is what one committed transaction has changed in an account: see [Tracker.Watch].
type Change struct {
	Account AccountID
	// Records are the IDs of the changed records and of those that they refer to, such as
	// the shipment of a changed exception, in no order. It is nil if they are more than 200
	// or if a record was deleted: then any record may be concerned.
	Records []ID
}

// maxChanged bounds Change.Records.
const maxChanged = 200

// Watch calls fn after each transaction of this Tracker, and of those that For returns, that
// has changed records of an account, until stop is called. fn runs on the goroutine that has
// written, so it must be quick, and must not call the Tracker. Changes by other processes,
// such as commands that use the same database, are not seen. Only the operator may watch.
func (t *Tracker) Watch(fn func(Change)) (stop func(), err error) {
	if err := t.operator(); err != nil {
		return nil, err
	}
	return t.watchers.add(fn), nil
}

// watchers are the functions of Watch. Reading them takes no lock.
type watchers struct {
	mu   sync.Mutex
	list atomic.Pointer[[]*func(Change)]
}

func (w *watchers) all() []*func(Change) {
	if list := w.list.Load(); list != nil {
		return *list
	}
	return nil
}

func (w *watchers) add(fn func(Change)) (stop func()) {
	w.replace(func(list []*func(Change)) []*func(Change) { return append(list, &fn) })
	return func() {
		w.replace(func(list []*func(Change)) []*func(Change) {
			return slices.DeleteFunc(list, func(other *func(Change)) bool { return other == &fn })
		})
	}
}

func (w *watchers) replace(change func([]*func(Change)) []*func(Change)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	list := change(slices.Clone(w.all()))
	w.list.Store(&list)
}

// changeCollector collects the Change of a transaction.
type changeCollector struct {
	records map[ID]bool
	any     bool // Records is nil
}

// collectChanges collects what the transaction writes, if somebody watches.
func (tx *transaction) collectChanges() {
	if tx.Account == (AccountID{}) || len(tx.engine.watchers.all()) == 0 {
		return
	}
	tx.changes = &changeCollector{records: map[ID]bool{}}
	tx.Written = tx.changes.add
}

// add adds a written record with its documents; nil documents are those of a deleted one.
func (c *changeCollector) add(id store.ID, documents ...[]byte) {
	c.records[id] = true
	c.any = c.any || len(documents) == 0
	for _, text := range documents {
		c.addReferences(text)
	}
	c.any = c.any || len(c.records) > maxChanged
}

// addReferences adds the IDs that a document has as values.
func (c *changeCollector) addReferences(text []byte) {
	const length = 36
	for !c.any && len(c.records) <= maxChanged {
		at := bytes.IndexByte(text, '"')
		if at < 0 {
			return
		}
		text = text[at+1:]
		if len(text) <= length || text[length] != '"' {
			continue
		}
		if id, err := uuid.ParseBytes(text[:length]); err == nil {
			c.records[id] = true
			text = text[length:]
		}
	}
}

// notifyWatchers passes on what a committed transaction has changed.
func (e *engine) notifyWatchers(tx *transaction) {
	if tx.changes == nil || len(tx.changes.records) == 0 {
		return
	}
	c := Change{Account: tx.Account}
	if !tx.changes.any {
		for id := range tx.changes.records {
			c.Records = append(c.Records, id)
		}
	}
	for _, fn := range e.watchers.all() {
		(*fn)(c)
	}
}
