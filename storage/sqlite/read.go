//go:build cgo

package sqlite

import (
	"cmp"
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"slices"
	"unsafe"

	"github.com/landfallhq/tracking/store"

	"github.com/mattn/go-sqlite3"
)

// This file reads records, which is most of what a server does, with few
// allocations: the driver allocates twice for each text or BLOB of a row, and once
// for each number above 255. So a record is selected as one BLOB and three small
// numbers.

// age is a number by how the revision of a row compares with ?1, that of the kind:
// outdated, current or newer.
const age = "(revision >= ?1) + (revision > ?1)"

// The values of age.
const (
	outdated = iota // stored in an earlier revision
	current
	newer // stored in a later revision, by a newer program
)

// viewColumns are the columns that record reads, in its order. The first argument
// of the statement is the revision of the kind. A store with a cache selects the
// rid after them: see table.recordColumns. The document, which is the largest part,
// comes last: SQLite copies what precedes it once more.
const viewColumns = "version, " + age + ", length(private), id || ifnull(checksum, " + noChecksum + ") || ifnull(private, x'') || doc"

// updateColumns are read in an Update, followed by the columns of the kind; see
// rememberRow.
const updateColumns = "version, " + age + ", length(private), id || ifnull(checksum, " + noChecksum + ") || doc || ifnull(private, x'') || ifnull(terms, x''), rid, length(terms)"

// rowForUpdate returns a row of updateColumns in the current form of its kind, and
// remembers it.
func (t *tx) rowForUpdate(table *table, k *store.Kind, v []driver.Value) (store.Record, error) {
	version, numbered := v[0].(int64)
	aged, compared := v[1].(int64)
	text, whole := v[3].(string)
	rid, placed := v[4].(int64)
	if !numbered || !compared || !whole || !placed {
		return store.Record{}, errDamaged
	}
	r := &row{key: key{t: table, rid: rid, account: t.accountNo}, version: version, age: aged}
	r.checksum, r.doc = cutChecksum(bytesOf(text)[copy(r.id[:], text):])
	r.terms, r.doc = cutTail(r.doc, v[5])
	r.private, r.doc = cutTail(r.doc, v[2])
	r.cols = slices.Clone(v[6:])
	return t.asRead(table, k, r)
}

// record returns a row of viewColumns in the current form of its kind.
func record(k *store.Kind, v []driver.Value) (store.Record, error) {
	version, numbered := v[0].(int64)
	aged, compared := v[1].(int64)
	text, whole := v[3].(string)
	if !numbered || !compared || !whole {
		return store.Record{}, errDamaged
	}
	r := store.Record{Version: version}
	row := bytesOf(text)
	n := copy(r.ID[:], row)
	checksum, doc := cutChecksum(row[n:])
	r.Doc = doc
	if n, ok := v[2].(int64); ok {
		r.Private, r.Doc = r.Doc[:n:n], r.Doc[n:]
	}
	return inCurrentForm(k, checksum, row[:n], r, aged)
}

// cutTail cuts off the last n bytes; NULL for n cuts nothing and returns nil.
func cutTail(b []byte, n driver.Value) (tail, rest []byte) {
	length, ok := n.(int64)
	if !ok {
		return nil, b
	}
	end := len(b) - int(length)
	return b[end:], b[:end:end]
}

// inCurrentForm renders an outdated record in the current form of its kind, and
// compares the checksum of a current one. A newer one stays as it is.
func inCurrentForm(k *store.Kind, checksum, id []byte, r store.Record, age int64) (store.Record, error) {
	if age == current {
		return r, verify(k, checksum, id, r)
	}
	if age == newer || k.Render == nil {
		r.Newer = age == newer
		return r, nil
	}
	w, err := k.Render(r)
	if err != nil {
		return store.Record{}, fmt.Errorf("sqlite: render %s %s: %w", k.Name, r.ID, err)
	}
	r.Doc, r.Private = w.Doc, w.Private
	return r, nil
}

// bytesOf returns the bytes of a text without copying them. The driver made the
// string for this row alone; a copy would double the cost of reading a page.
func bytesOf(v driver.Value) []byte {
	s, _ := v.(string)
	return unsafe.Slice(unsafe.StringData(s), len(s))
}

// read runs a statement that selects table.recordColumns, with the revision and
// args as arguments, and appends the records.
func (t *tx) read(ctx context.Context, table *table, k *store.Kind, sql string, to []store.Record, args ...driver.Value) (_ []store.Record, err error) {
	c := t.conn
	rows, err := c.startQuery(sql, k.Revision, args)
	if err != nil {
		return to, t.fail(err)
	}
	defer func() {
		err = cmp.Or(err, t.fail(wrap(rows.Close())))
		if err == nil && len(c.entries) > 0 {
			// In parts, because other views wait for the lock.
			for some := range slices.Chunk(c.entries, 1024) {
				t.store.cache.add(t.commit, some)
			}
		}
		clear(c.entries)
		c.entries = c.entries[:0]
	}()
	columns := 4
	switch {
	case t.write:
		columns = 6 + len(table.columns)
	case t.store.cache != nil:
		columns = 5
	}
	row := c.rowBuffer(columns)
	for {
		switch err := rows.Next(row); {
		case err == io.EOF:
			return to, nil
		case err != nil:
			// The snapshot may be gone, so nothing more is read.
			return to, t.fail(wrap(err))
		}
		var r store.Record
		if t.write {
			r, err = t.rowForUpdate(table, k, row)
		} else {
			r, err = record(k, row[:4])
		}
		if err != nil {
			return to, err
		}
		if t.cached {
			rid, ok := row[4].(int64)
			if !ok {
				return to, errDamaged
			}
			e := &entry{rid: ridKey{table.no, rid}, id: idKey{table.no, rid >> seqBits, r.ID}, revision: k.Revision, record: r}
			// Allocated separately: a caller that keeps the record would otherwise
			// keep the entry and, through the ring, all entries evicted after it.
			e.record.Decoded = new(store.DecodeCache)
			r = e.record
			c.entries = append(c.entries, e)
		}
		to = append(to, r)
		if err := ctx.Err(); err != nil {
			return to, err
		}
	}
}

// query is conn.query in a transaction. After an SQLite error the transaction
// fails: its snapshot may be gone.
func (t *tx) query(sql string, args []driver.Value, row func([]driver.Value) error) error {
	err := t.conn.query(sql, args, row)
	if e := new(sqlite3.Error); errors.As(err, e) {
		return t.fail(err)
	}
	return err
}

// queryInt is conn.queryInt in a transaction.
func (t *tx) queryInt(sql string, args ...driver.Value) (n int64, ok bool, err error) {
	err = t.query(sql, args, func(v []driver.Value) error {
		n, ok = v[0].(int64)
		return nil
	})
	return n, ok, err
}

// startQuery starts a statement. Its arguments are bound when startQuery returns.
func (c *conn) startQuery(sql string, first driver.Value, args []driver.Value) (driver.Rows, error) {
	s, err := c.prepare(sql)
	if err != nil {
		return nil, err
	}
	rows, err := s.QueryContext(context.Background(), c.bind(first, args...))
	return rows, wrap(err)
}

// bind returns the arguments of a statement, valid until the next call.
func (r *readBuffers) bind(first driver.Value, args ...driver.Value) []driver.NamedValue {
	r.named = append(r.named[:0], driver.NamedValue{Ordinal: 1, Value: first})
	for i, v := range args {
		r.named = append(r.named, driver.NamedValue{Ordinal: i + 2, Value: v})
	}
	return r.named
}

// numbered returns the arguments of a statement, valid until the next call.
func (r *readBuffers) numbered(args []driver.Value) []driver.NamedValue {
	r.named = r.named[:0]
	for i, v := range args {
		r.named = append(r.named, driver.NamedValue{Ordinal: i + 1, Value: v})
	}
	return r.named
}

// readBuffers are the buffers and statements that a connection reuses between
// reads.
type readBuffers struct {
	row            []driver.Value
	named          []driver.NamedValue
	args           []driver.Value
	ids            []*store.ID
	idArgs         []driver.Value // ids as arguments
	rows           []store.Record
	positions      map[store.ID]int32 // indexes into rows
	entries        []*entry           // read for the cache
	rids           []int64
	commitStmt     *sqlite3.SQLiteStmt // selects the commit number
	commitValue    [1]driver.Value
	firstReadStmts map[int64]*sqlite3.SQLiteStmt // of getAsFirstRead, by kind
}

// rowBuffer returns a buffer for a row with this number of columns.
func (r *readBuffers) rowBuffer(columns int) []driver.Value {
	for len(r.row) < columns {
		r.row = append(r.row, nil)
	}
	return r.row[:columns]
}

// maxBufferedRows is how many rows the buffers keep room for.
const maxBufferedRows = 4096

// resetRows releases the records that were read: connections live long.
func (r *readBuffers) resetRows() {
	if cap(r.rows) > maxBufferedRows {
		r.rows, r.positions, r.rids, r.entries = nil, nil, nil, nil
		return
	}
	clear(r.rows)
	clear(r.positions)
	r.rows = r.rows[:0]
}

// idArg returns an ID as an argument, valid until the next call with this i.
func (r *readBuffers) idArg(i int, id store.ID) driver.Value {
	for len(r.ids) <= i {
		buf := new(store.ID)
		r.ids, r.idArgs = append(r.ids, buf), append(r.idArgs, buf[:])
	}
	*r.ids[i] = id
	return r.idArgs[i]
}

// snapshot runs fn on one snapshot: the one from which the commit number was read.
// The statement that read it stays open, and SQLite keeps the snapshot as long as a
// statement is open. That saves a BEGIN and a COMMIT.
func (c *conn) snapshot(fn func(commit int64) error) (err error) {
	rows, commit, err := c.openSnapshot()
	if err != nil {
		return err
	}
	defer func() { err = cmp.Or(err, wrap(rows.Close())) }()
	return fn(commit)
}

// openSnapshot begins a snapshot, which ends when the rows are closed.
func (c *conn) openSnapshot() (_ driver.Rows, commit int64, err error) {
	if c.commitStmt == nil {
		// Not through prepare, which may close any of its statements.
		s, err := c.c.Prepare("SELECT value FROM meta WHERE name = 'commit'")
		if err != nil {
			return nil, 0, wrap(err)
		}
		c.commitStmt = s.(*sqlite3.SQLiteStmt)
	}
	rows, err := c.commitStmt.QueryContext(context.Background(), nil)
	if err != nil {
		return nil, 0, wrap(err)
	}
	commit, numbered := int64(0), false
	if err = rows.Next(c.commitValue[:]); err == nil {
		commit, numbered = c.commitValue[0].(int64)
	}
	if err == io.EOF || err == nil && !numbered {
		err = errNoCommit
	}
	if err != nil {
		_ = rows.Close()
		return nil, 0, wrap(err)
	}
	return rows, commit, nil
}

// viewSnapshot is the snapshot of a view in a store without a cache, where the
// commit number is rarely needed.
type viewSnapshot struct {
	notStarted bool        // nothing was read yet, so there is no snapshot
	rows       driver.Rows // keep the snapshot while open
}

func (t *tx) beginSnapshot() (err error) {
	t.notStarted = false
	t.rows, _, err = t.conn.openSnapshot()
	return t.fail(err)
}

func (t *tx) endSnapshot() error {
	if t.rows == nil {
		return nil
	}
	return wrap(t.rows.Close())
}

// getAsFirstRead is Get for the first read of a view. The statement that finds the
// record stays open and keeps the snapshot, so that a view of one record costs one
// statement. Found is false where the general path is needed.
func (t *tx) getAsFirstRead(ctx context.Context, k *store.Kind, id store.ID) (r store.Record, found bool, err error) {
	no, known := t.store.accounts.get(t.account)
	table := (*t.store.tables.Load())[k.Name]
	if t.closed || !known || table == nil || !slices.Equal(table.columns, k.Columns) || ctx.Err() != nil {
		return r, false, nil
	}
	c := t.conn
	s := c.firstReadStmts[table.no]
	if s == nil {
		// A separate statement, for the same reason as in openSnapshot.
		made, err := c.c.Prepare(table.selects().byID[0])
		if err != nil {
			return r, false, wrap(err)
		}
		if c.firstReadStmts == nil {
			c.firstReadStmts = map[int64]*sqlite3.SQLiteStmt{}
		}
		s = made.(*sqlite3.SQLiteStmt)
		c.firstReadStmts[table.no] = s
	}
	rows, err := s.QueryContext(context.Background(), c.bind(k.Revision, no, c.idArg(0, id)))
	if err != nil {
		return r, false, t.fail(wrap(err))
	}
	row := c.rowBuffer(4)
	if err = rows.Next(row); err != nil {
		_ = rows.Close()
		if err == io.EOF { // no record; the snapshot has ended too
			return r, false, nil
		}
		return r, false, t.fail(wrap(err))
	}
	t.notStarted, t.rows = false, rows
	r, err = record(k, row)
	return r, err == nil, err
}

// Signs of a damaged file. conn.query detects others.
var (
	errDamaged  = fmt.Errorf("sqlite: a row has a value of the wrong type: %w", sqlite3.Error{Code: sqlite3.ErrCorrupt})
	errNoCommit = fmt.Errorf("sqlite: the commit number is missing: %w", sqlite3.Error{Code: sqlite3.ErrCorrupt})
)
