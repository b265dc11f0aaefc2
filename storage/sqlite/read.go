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

// Reading is what a server mostly does, so this file saves what it can: the
// driver makes two values on the heap for each text and BLOB of a row, and one
// for each number above 255. A record comes as one BLOB and three small numbers.

// viewColumns are what a record is read from, in the order that record takes
// them. The first argument of the statement is the kind's revision. A store with
// a cache has the rid read after them: see table.read. The document, which is the
// largest, comes last: SQLite copies what comes before once more.
const viewColumns = "version, revision = ?1, length(private), id || ifnull(private, x'') || doc"

// updateColumns are what a row is read from in an Update, before the columns of
// its kind; see keep.
const updateColumns = "version, revision = ?1, length(private), id || doc || ifnull(private, x'') || ifnull(terms, x''), rid, length(terms)"

// rowForUpdate returns a row of wholeColumns in the present form of its kind, and
// keeps it in mind.
func (t *tx) rowForUpdate(table *table, k *store.Kind, v []driver.Value) (store.Record, error) {
	version, numbered := v[0].(int64)
	same, compared := v[1].(int64)
	text, whole := v[3].(string)
	rid, placed := v[4].(int64)
	if !numbered || !compared || !whole || !placed {
		return store.Record{}, errDamaged
	}
	r := &row{key: key{t: table, rid: rid, account: t.accountNo}, version: version, outdated: same == 0}
	r.doc = bytesOf(text)[copy(r.id[:], text):]
	r.terms, r.doc = cutTail(r.doc, v[5])
	r.private, r.doc = cutTail(r.doc, v[2])
	r.cols = slices.Clone(v[6:])
	t.rememberRow(table, r.id, r)
	return inCurrentForm(k, store.Record{ID: r.id, Version: version, Doc: r.doc, Private: r.private}, r.outdated)
}

// record returns a row of recordColumns in the present form of its kind.
func record(k *store.Kind, v []driver.Value) (store.Record, error) {
	version, numbered := v[0].(int64)
	same, compared := v[1].(int64)
	text, whole := v[3].(string)
	if !numbered || !compared || !whole {
		return store.Record{}, errDamaged
	}
	r := store.Record{Version: version}
	r.Doc = bytesOf(text)[copy(r.ID[:], text):]
	if n, ok := v[2].(int64); ok {
		r.Private, r.Doc = r.Doc[:n:n], r.Doc[n:]
	}
	return inCurrentForm(k, r, same == 0)
}

// cutTail cuts the last n bytes off; a NULL for n cuts nothing and returns nil.
func cutTail(b []byte, n driver.Value) (tail, rest []byte) {
	length, ok := n.(int64)
	if !ok {
		return nil, b
	}
	end := len(b) - int(length)
	return b[end:], b[:end:end]
}

// inCurrentForm returns a record as stored in the present form of its kind.
func inCurrentForm(k *store.Kind, r store.Record, outdated bool) (store.Record, error) {
	if !outdated || k.Render == nil {
		return r, nil
	}
	w, err := k.Render(r)
	if err != nil {
		return store.Record{}, fmt.Errorf("sqlite: render %s %s: %w", k.Name, r.ID, err)
	}
	r.Doc, r.Private = w.Doc, w.Private
	return r, nil
}

// bytesOf returns the bytes of a text that was read. The driver made the string
// for this row alone and nobody else has it; a copy would double the cost of
// reading a page.
func bytesOf(v driver.Value) []byte {
	s, _ := v.(string)
	return unsafe.Slice(unsafe.StringData(s), len(s))
}

// read runs a statement that selects table.read, with the revision and args as
// arguments, and appends what it returns.
func (t *tx) read(ctx context.Context, table *table, k *store.Kind, sql string, to []store.Record, args ...driver.Value) (_ []store.Record, err error) {
	c := t.conn
	rows, err := c.startQuery(sql, k.Revision, args)
	if err != nil {
		return to, t.fail(err)
	}
	defer func() {
		err = cmp.Or(err, t.fail(wrap(rows.Close())))
		if err == nil && len(c.entries) > 0 {
			// Not all at once: other views wait meanwhile.
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
			// The snapshot may be gone with it: nothing more is read.
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
			// Not a part of the entry: who keeps the record would keep the entry
			// with it, and through the ring all that leave after it.
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

// query is conn.query in a transaction. After a failure of SQLite nothing more
// is done in it: its snapshot may be gone.
func (t *tx) query(sql string, args []driver.Value, row func([]driver.Value) error) error {
	err := t.conn.query(sql, args, row)
	if e := new(sqlite3.Error); errors.As(err, e) {
		return t.fail(err)
	}
	return err
}

// queryInt is conn.number in a transaction.
func (t *tx) queryInt(sql string, args ...driver.Value) (n int64, ok bool, err error) {
	err = t.query(sql, args, func(v []driver.Value) error {
		n, ok = v[0].(int64)
		return nil
	})
	return n, ok, err
}

// startQuery starts a statement. Its arguments are bound when open returns.
func (c *conn) startQuery(sql string, first driver.Value, args []driver.Value) (driver.Rows, error) {
	s, err := c.prepare(sql)
	if err != nil {
		return nil, err
	}
	rows, err := s.QueryContext(context.Background(), c.bind(first, args...))
	return rows, wrap(err)
}

// bind are those of a statement, until the next.
func (r *readBuffers) bind(first driver.Value, args ...driver.Value) []driver.NamedValue {
	r.named = append(r.named[:0], driver.NamedValue{Ordinal: 1, Value: first})
	for i, v := range args {
		r.named = append(r.named, driver.NamedValue{Ordinal: i + 2, Value: v})
	}
	return r.named
}

// readBuffers is what a connection keeps so that reads need not make it anew.
type readBuffers struct {
	row            []driver.Value
	named          []driver.NamedValue
	args           []driver.Value
	ids            []*store.ID
	idArgs         []driver.Value // ids as arguments: each is the bytes of its ID
	rows           []store.Record
	positions      map[store.ID]int32 // places in rows
	entries        []*entry           // what was read for the cache
	rids           []int64
	commitStmt     *sqlite3.SQLiteStmt // reads the number of the last commit
	commitValue    [1]driver.Value
	firstReadStmts map[int64]*sqlite3.SQLiteStmt // of getFirst, by kind
}

// rowBuffer is room for a row of so many columns.
func (r *readBuffers) rowBuffer(columns int) []driver.Value {
	for len(r.row) < columns {
		r.row = append(r.row, nil)
	}
	return r.row[:columns]
}

// maxBufferedRows is how much room for rows a connection keeps.
const maxBufferedRows = 4096

// resetRows lets go of what was read: connections live long.
func (r *readBuffers) resetRows() {
	if cap(r.rows) > maxBufferedRows {
		r.rows, r.positions, r.rids, r.entries = nil, nil, nil, nil
		return
	}
	clear(r.rows)
	clear(r.positions)
	r.rows = r.rows[:0]
}

// idArg returns an ID as an argument. It stays so until the next call with this i.
func (r *readBuffers) idArg(i int, id store.ID) driver.Value {
	for len(r.ids) <= i {
		buf := new(store.ID)
		r.ids, r.idArgs = append(r.ids, buf), append(r.idArgs, buf[:])
	}
	*r.ids[i] = id
	return r.idArgs[i]
}

// snapshot runs fn on one snapshot: that which the number of the last commit
// was read in. The statement that read it stays open meanwhile, and SQLite
// keeps the snapshot for as long as one is; a BEGIN and a COMMIT would be two
// statements more.
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
		// Not among those of prepare, which may close any of them.
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

// viewSnapshot is the snapshot of a view in a store without a cache, where few ask for
// the number of its commit.
type viewSnapshot struct {
	notStarted bool        // nothing was read yet, so that there is no snapshot
	rows       driver.Rows // what keeps the snapshot
}

// beginSnapshot begins the snapshot of a view that has none.
func (t *tx) beginSnapshot() (err error) {
	t.notStarted = false
	t.rows, _, err = t.conn.openSnapshot()
	return t.fail(err)
}

// endSnapshot ends the snapshot.
func (t *tx) endSnapshot() error {
	if t.rows == nil {
		return nil
	}
	return wrap(t.rows.Close())
}

// getAsFirstRead is Get as the first thing that a view reads: the statement that finds
// the record stays open and keeps the snapshot, so that whoever wants one record
// pays for one statement. It finds nothing where that takes more.
func (t *tx) getAsFirstRead(ctx context.Context, k *store.Kind, id store.ID) (r store.Record, found bool, err error) {
	no, known := t.store.accounts.get(t.account)
	table := (*t.store.tables.Load())[k.Name]
	if t.closed || !known || table == nil || !slices.Equal(table.columns, k.Columns) || ctx.Err() != nil {
		return r, false, nil
	}
	c := t.conn
	s := c.firstReadStmts[table.no]
	if s == nil {
		// A statement of its own, for the same reason as that of snapshot.
		made, err := c.c.Prepare(table.selectByID[0])
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
		if err == io.EOF { // with it, the snapshot has ended
			return r, false, nil
		}
		return r, false, t.fail(wrap(err))
	}
	t.notStarted, t.rows = false, rows
	r, err = record(k, row)
	return r, err == nil, err
}

// What a sound file cannot show. conn.query finds the like by itself.
var (
	errDamaged  = fmt.Errorf("sqlite: a row has a value that it cannot have: %w", sqlite3.Error{Code: sqlite3.ErrCorrupt})
	errNoCommit = fmt.Errorf("sqlite: the number of the last commit is missing: %w", sqlite3.Error{Code: sqlite3.ErrCorrupt})
)
