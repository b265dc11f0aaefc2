package postgres

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/landfallhq/tracking/store"
)

// row is a record as it is stored.
type row struct {
	id            store.ID
	version       int64
	revision      string
	doc, private  []byte
	rid           int64
	terms         []store.Term // sorted, each once
	columns       []any        // string, int64, bool, ID or nil
	types         []store.Column
	storedTerms   [][]byte
	storedColumns []any // what columns are scanned into
}

// rowKey identifies a record of the account.
type rowKey struct {
	kind int32
	id   store.ID
}

// maxRows bounds tx.rows.
const maxRows = 4096

// newRow returns a row to scan into.
func newRow(table *table) *row { return &row{types: table.columns} }

// targets are what the columns table.rowColumns are scanned into. loaded must be called
// before the columns and terms are used.
func (r *row) targets() []any {
	r.storedColumns = make([]any, len(r.types))
	for i, c := range r.types {
		switch c.Type {
		case store.TextColumn:
			r.storedColumns[i] = new([]byte)
		case store.BoolColumn:
			r.storedColumns[i] = new(*bool)
		case store.IDColumn:
			r.storedColumns[i] = new(*[16]byte)
		default:
			r.storedColumns[i] = new(*int64)
		}
	}
	return append([]any{(*[16]byte)(&r.id), &r.version, &r.revision, &r.doc, &r.private, &r.rid, &r.storedTerms}, r.storedColumns...)
}

// load converts what was scanned.
func (r *row) load() *row {
	if r.storedColumns == nil {
		return r
	}
	r.columns = make([]any, len(r.types))
	for i, stored := range r.storedColumns {
		switch v := stored.(type) {
		case *[]byte:
			if *v != nil {
				r.columns[i] = string(*v)
			}
		case **bool:
			if *v != nil {
				r.columns[i] = **v
			}
		case **int64:
			if *v != nil {
				r.columns[i] = **v
			}
		case **[16]byte:
			if *v != nil {
				r.columns[i] = store.ID(**v)
			}
		}
	}
	r.storedColumns = nil
	r.loadTerms()
	return r
}

func (r *row) loadTerms() {
	for i := 0; i+1 < len(r.storedTerms); i += 2 {
		r.terms = append(r.terms, store.Term{Name: string(r.storedTerms[i]), Value: string(r.storedTerms[i+1])})
	}
	r.storedTerms = nil
}

// rowOf checks and copies a write. The caller sets rid and version.
func rowOf(table *table, k *store.Kind, w store.Write) (*row, error) {
	if len(w.Cols) != len(table.columns) {
		return nil, fmt.Errorf("postgres: %s %s: %d column values for %d columns", k.Name, w.ID, len(w.Cols), len(table.columns))
	}
	r := &row{
		id: w.ID, version: 1, revision: k.Revision, doc: bytes.Clone(w.Doc), private: bytes.Clone(w.Private),
		terms: slices.Clone(w.Terms), types: table.columns, columns: make([]any, len(w.Cols)),
	}
	for i, v := range w.Cols {
		value, ok := columnValue(table.columns[i].Type, v)
		if !ok {
			return nil, fmt.Errorf("postgres: %s %s: column %s cannot hold a %T", k.Name, w.ID, table.columns[i].Name, v)
		}
		r.columns[i] = value
	}
	slices.SortFunc(r.terms, compareTerms)
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
		return v.UnixMicro(), t == store.TimeColumn
	case store.ID:
		return v, t == store.IDColumn
	}
	return nil, false
}

// argument returns a stored value as an argument of a statement.
func argument(v any) any {
	switch v := v.(type) {
	case string:
		return []byte(v)
	case store.ID:
		return [16]byte(v)
	}
	return v
}

// updateValues are the arguments of table.update.
func (r *row) updateValues() []any {
	values := []any{r.rid, r.version, r.revision, notNil(r.doc), orNull(r.private), encodeTerms(r.terms)}
	for _, v := range r.columns {
		values = append(values, argument(v))
	}
	return values
}

// insertValues are the arguments of table.insert.
func (r *row) insertValues(account int64) []any {
	return slices.Insert(r.updateValues(), 1, any(account), any([16]byte(r.id)))
}

func notNil(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}

// orNull returns nil for no bytes.
func orNull(b []byte) []byte {
	if len(b) == 0 {
		return nil
	}
	return b
}

// record returns the record as it is stored.
func (r *row) record() store.Record {
	return store.Record{ID: r.id, Version: r.version, Doc: r.doc, Private: r.private}
}

// inCurrentForm returns the record in the current form of its kind.
func (r *row) inCurrentForm(k *store.Kind) (store.Record, error) {
	record := r.record()
	if r.revision >= k.Revision || k.Render == nil {
		record.Newer = r.revision > k.Revision
		return record, nil
	}
	w, err := k.Render(record)
	if err != nil {
		return store.Record{}, fmt.Errorf("postgres: render %s %s: %w", k.Name, r.id, err)
	}
	record.Doc, record.Private = w.Doc, w.Private
	return record, nil
}

// selected are the columns that records are read from: an Update reads complete rows, so
// that Put need not read them again.
func (t *tx) selected(table *table) string {
	if t.write {
		return table.rowColumns
	}
	return table.recordColumns
}

// scan reads a row with the columns of selected, and those that follow.
func (t *tx) scan(rows pgx.Rows, table *table, also ...any) (*row, error) {
	r := newRow(table)
	if !t.write {
		return r, rows.Scan(append([]any{(*[16]byte)(&r.id), &r.version, &r.revision, &r.doc, &r.private}, also...)...)
	}
	if err := rows.Scan(append(r.targets(), also...)...); err != nil {
		return nil, err
	}
	t.remember(table, r.id, r.load())
	return r, nil
}

// remember adds a row to t.rows; nil means that there is none.
func (t *tx) remember(table *table, id store.ID, r *row) {
	if t.rows == nil {
		t.rows = map[rowKey]*row{}
	}
	if len(t.rows) >= maxRows {
		clear(t.rows)
	}
	t.rows[rowKey{table.no, id}] = r
}

func (t *tx) remembered(table *table, id store.ID) (r *row, ok bool) {
	r, ok = t.rows[rowKey{table.no, id}]
	return r, ok
}

// row returns the row with this ID; nil if there is none.
func (t *tx) row(table *table, id store.ID) (found *row, err error) {
	if found, ok := t.remembered(table, id); ok {
		return found, nil
	}
	if t.sendsAlone() {
		return t.recordOfAccount(table, id)
	}
	one := read{"SELECT " + t.selected(table) + " FROM " + table.name + " WHERE account = $1 AND id = $2", []any{t.no, [16]byte(id)}, func(rows pgx.Rows) (err error) {
		found, err = t.scan(rows, table)
		return err
	}}
	if err := t.send(one); err != nil {
		return nil, err
	}
	if found == nil && t.write {
		t.remember(table, id, nil)
	}
	return found, nil
}

// Get implements store.RecordTx.
func (t *tx) Get(ctx context.Context, k *store.Kind, id store.ID) (store.Record, error) {
	table, err := t.beginKind(ctx, k, false)
	if err != nil {
		return store.Record{}, err
	}
	r, err := t.row(table, id)
	switch {
	case err != nil:
		return store.Record{}, err
	case r == nil:
		return store.Record{}, store.ErrNotFound
	}
	return r.inCurrentForm(k)
}

// GetMany implements store.RecordTx.
func (t *tx) GetMany(ctx context.Context, k *store.Kind, ids []store.ID, to []store.Record) ([]store.Record, error) {
	table, err := t.beginKind(ctx, k, false)
	if err != nil || len(ids) == 0 {
		return to, err
	}
	found := make(map[store.ID]*row, len(ids))
	var missing [][16]byte
	for _, id := range ids {
		if r, ok := t.remembered(table, id); ok {
			found[id] = r
		} else if _, asked := found[id]; !asked {
			found[id] = nil
			missing = append(missing, id)
		}
	}
	if len(missing) > 0 {
		err := t.query("SELECT "+t.selected(table)+" FROM "+table.name+" WHERE account = $1 AND id = ANY($2)", []any{t.no, missing}, func(rows pgx.Rows) error {
			r, err := t.scan(rows, table)
			if err == nil {
				found[r.id] = r
			}
			return err
		})
		if err != nil {
			return to, err
		}
	}
	before := len(to)
	for _, id := range ids {
		r := found[id]
		if r == nil {
			if t.write {
				t.remember(table, id, nil)
			}
			continue
		}
		record, err := r.inCurrentForm(k)
		if err != nil {
			return to[:before], err
		}
		to = append(to, record)
	}
	return to, nil
}

// Put implements store.RecordTx.
func (t *tx) Put(ctx context.Context, k *store.Kind, w store.Write) (int64, error) {
	table, err := t.beginKind(ctx, k, true)
	if err != nil {
		return 0, err
	}
	next, err := rowOf(table, k, w)
	if err != nil {
		return 0, err
	}
	if _, known := t.remembered(table, w.ID); w.New && !known && t.trusting {
		t.guessed = true
		return 1, t.insert(table, next)
	}
	before, err := t.row(table, w.ID)
	if err != nil {
		return 0, err
	}
	if before == nil {
		return 1, t.insert(table, next)
	}
	next.rid, next.version = before.rid, before.version
	same := bytes.Equal(before.doc, next.doc) && bytes.Equal(before.private, next.private)
	switch {
	case before.revision > k.Revision && same:
		return before.version, nil
	case before.revision > k.Revision:
		return 0, &store.NewerError{Kind: k.Name, ID: w.ID, Stored: before.revision, Known: k.Revision}
	}
	same = same && table.sameColumns(before, next) && slices.Equal(before.terms, next.terms)
	switch {
	case same && before.revision == k.Revision:
		return before.version, nil
	case !same:
		next.version++
	}
	t.changed(table)
	t.countRow(table, before, -1)
	t.countRow(table, next, 1)
	t.writeRow(table, before, next)
	t.remember(table, w.ID, next)
	return next.version, nil
}

// insert adds a new record.
func (t *tx) insert(table *table, r *row) (err error) {
	if r.rid, err = t.newRid(); err != nil {
		return err
	}
	t.changed(table)
	t.countRow(table, r, 1)
	t.countUnknown(table, 1)
	t.rids = append(t.rids, ridChange{table.no, r.rid, 1})
	t.writeRow(table, nil, r)
	t.remember(table, r.id, r)
	return nil
}

// ridBlock is how many numbers of records one value of the sequence stands for.
const ridBlock = 64

// newRid returns the number of a new record.
func (t *tx) newRid() (int64, error) {
	if t.nextRid == t.ridEnd {
		err := t.query("SELECT nextval('rids')", nil, func(rows pgx.Rows) error { return rows.Scan(&t.nextRid) })
		if err != nil {
			return 0, err
		}
		t.ridEnd = t.nextRid + ridBlock
	}
	t.nextRid++
	return t.nextRid - 1, nil
}

// Delete implements store.RecordTx.
func (t *tx) Delete(ctx context.Context, k *store.Kind, id store.ID) error {
	table, err := t.beginKind(ctx, k, true)
	if err != nil {
		return err
	}
	if table.whole != nil {
		// The row may have been read without all columns, whose totals change.
		table = table.whole
		delete(t.rows, rowKey{table.no, id})
	}
	r, err := t.row(table, id)
	switch {
	case err != nil:
		return err
	case r == nil:
		return store.ErrNotFound
	}
	t.deleteRow(table, r)
	t.remember(table, id, nil)
	return nil
}

func (t *tx) deleteRow(table *table, r *row) {
	t.changed(table)
	t.countRow(table, r, -1)
	t.rids = append(t.rids, ridChange{table.no, r.rid, -1})
	t.queueWrites() // which may have written it
	t.queue(table.delete, r.rid)
	t.replaceTerms(table, t.no, r, &row{id: r.id, rid: r.rid})
	t.queue("DELETE FROM marks WHERE rid = $1", r.rid)
}
