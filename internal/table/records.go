package table

import (
	"bytes"
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	"github.com/landfallhq/tracking/internal/record"
	"github.com/landfallhq/tracking/store"
)

// Tx is a transaction of a store, with its context.
type Tx struct {
	context.Context
	Records store.RecordTx
	// Now is the time of the transaction, UTC, in whole seconds.
	Now time.Time
	// Wrote reports that a record was changed, perhaps with the time Now.
	Wrote bool
	// Changed is called for each record that was written with a new version, or deleted;
	// before is nil for a new record, and both documents are nil for a deleted one. It
	// may be nil.
	Changed func(k *store.Kind, id store.ID, before, after []byte)
	// Written is called where Changed is, with all documents of the record; without any for
	// a deleted one. It may be nil.
	Written func(id store.ID, documents ...[]byte)
}

// InTx is a *Tx, or a pointer to a struct that embeds a Tx.
type InTx interface{ transaction() *Tx }

func (tx *Tx) transaction() *Tx { return tx }

// Get returns the record with this ID, or the NotFound error.
func (t *Table[T]) Get(in InTx, id store.ID) (*T, error) {
	tx := in.transaction()
	r, err := tx.Records.Get(tx, t.Kind, id)
	if err != nil {
		return nil, t.notFound(err)
	}
	return t.Decode(r)
}

// GetMany returns the records that exist, in the order of ids.
func (t *Table[T]) GetMany(in InTx, ids []store.ID) ([]*T, error) {
	tx := in.transaction()
	records, err := tx.Records.GetMany(tx, t.Kind, ids, nil)
	if err != nil {
		return nil, err
	}
	return t.DecodeAll(records)
}

// List returns one page of the matching records, and their total number.
func (t *Table[T]) List(in InTx, w Where[T], p store.Page) ([]*T, int, error) {
	tx := in.transaction()
	records, total, err := tx.Records.List(tx, t.Kind, w.Filter(t), p, nil)
	if err != nil {
		return nil, 0, err
	}
	list, err := t.DecodeAll(records)
	return list, total, err
}

// All returns all matching records, last created first.
func (t *Table[T]) All(in InTx, w Where[T]) ([]*T, error) {
	list, _, err := t.List(in, w, store.Page{})
	return list, err
}

// Put writes the record and sets its new version. A zero ID is replaced by a new
// time-ordered one. updated_at becomes the time of the transaction if the record
// differs from the stored one.
func (t *Table[T]) Put(in InTx, v *T) error {
	tx, of := in.transaction(), t.identity(v)
	if of.ID == (store.ID{}) {
		id, err := uuid.NewV7()
		if err != nil {
			return err
		}
		of.ID = id
	}
	if t.setUpdatedAt == nil && of.Version == 0 {
		return t.put(tx, store.Record{}, t.Write(v), of)
	}
	old, err := tx.Records.Get(tx, t.Kind, of.ID)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return err
	}
	return t.PutOver(tx, old, v)
}

// PutOver is Put for a record that this transaction has read and not written since;
// the zero Record stands for none.
func (t *Table[T]) PutOver(in InTx, old store.Record, v *T) error {
	tx := in.transaction()
	doc, private := t.encode(v)
	if old.Version > 0 && !t.Kind.Binary {
		doc, private = t.Codec.KeepUnknown(old.Doc, old.Private, doc, private)
	}
	if old.Version > 0 && t.setUpdatedAt != nil && bytes.Equal(old.Doc, doc) && bytes.Equal(old.Private, private) {
		// Columns and terms follow from these, so there is nothing to write.
		t.identity(v).Version = old.Version
		return nil
	}
	if t.setUpdatedAt != nil {
		t.setUpdatedAt(v, tx.Now)
		if t.Kind.Binary {
			doc, private = t.encode(v)
		} else {
			doc = record.SetTime(doc, "updated_at", tx.Now)
		}
	}
	return t.put(tx, old, t.write(v, doc, private), t.identity(v))
}

func (t *Table[T]) put(tx *Tx, old store.Record, w store.Write, of *Identity) error {
	w.New = of.Version == 0
	version, err := tx.Records.Put(tx, t.Kind, w)
	if err != nil {
		return err
	}
	tx.Wrote = tx.Wrote || version != of.Version
	of.Version = version
	if version == old.Version || tx.Changed == nil && tx.Written == nil {
		return nil
	}
	now, err := t.AsDocument(store.Record{ID: of.ID, Doc: w.Doc, Private: w.Private})
	if err != nil {
		return err
	}
	if tx.Changed != nil {
		if old, err = t.AsDocument(old); err != nil {
			return err
		}
		tx.Changed(t.Kind, of.ID, old.Doc, now.Doc)
	}
	if tx.Written != nil {
		tx.Written(of.ID, now.Doc, now.Private)
	}
	return nil
}

// Delete removes the record. It returns the NotFound error if there is none.
func (t *Table[T]) Delete(in InTx, id store.ID) error {
	tx := in.transaction()
	err := tx.Records.Delete(tx, t.Kind, id)
	if err == nil && tx.Changed != nil {
		tx.Changed(t.Kind, id, nil, nil)
	}
	if err == nil && tx.Written != nil {
		tx.Written(id)
	}
	return t.notFound(err)
}
