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

// recordColumns are what a record is read from, in the order that record takes
// them. The first argument of the statement is the kind's revision. A store with
// a cache has the rid read after them: see table.read. The document, which is the
// largest, comes last: SQLite copies what comes before once more.
const recordColumns = "version, revision = ?1, length(private), id || ifnull(private, x'') || doc"

// wholeColumns are what a row is read from in an Update, before the columns of
// its kind; see keep.
const wholeColumns = "version, revision = ?1, length(private), id || doc || ifnull(private, x'') || ifnull(terms, x''), rid, length(terms)"

// wholeRow returns a row of wholeColumns in the present form of its kind, and
// keeps it in mind.
func (t *tx) wholeRow(table *table, k *store.Kind, v []driver.Value) (store.Record, error) {
	version, numbered := v[0].(int64)
	same, compared := v[1].(int64)
	text, whole := v[3].(string)
	rid, placed := v[4].(int64)
	if !numbered || !compared || !whole || !placed {
		return store.Record{}, errDamaged
	}
	r := &row{key: key{t: table, rid: rid, account: t.no}, version: version, outdated: same == 0}
	r.doc = bytesOf(text)[copy(r.id[:], text):]
	r.terms, r.doc = cut(r.doc, v[5])
	r.private, r.doc = cut(r.doc, v[2])
	r.cols = slices.Clone(v[6:])
	t.keep(table, r.id, r)
	return current(k, store.Record{ID: r.id, Version: version, Doc: r.doc, Private: r.private}, r.outdated)
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
	return current(k, r, same == 0)
}

// cut cuts the last n bytes off; a NULL for n cuts nothing and returns nil.
func cut(b []byte, n driver.Value) (tail, rest []byte) {
	length, ok := n.(int64)
	if !ok {
		return nil, b
	}
	end := len(b) - int(length)
	return b[end:], b[:end:end]
}

// current returns a record as stored in the present form of its kind.
func current(k *store.Kind, r store.Record, outdated bool) (store.Record, error) {
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
	rows, err := c.open(sql, k.Revision, args)
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
	row := c.rowOf(columns)
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
			r, err = t.wholeRow(table, k, row)
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

// number is conn.number in a transaction.
func (t *tx) number(sql string, args ...driver.Value) (n int64, ok bool, err error) {
	err = t.query(sql, args, func(v []driver.Value) error {
		n, ok = v[0].(int64)
		return nil
	})
	return n, ok, err
}

// open starts a statement. Its arguments are bound when open returns.
func (c *conn) open(sql string, first driver.Value, args []driver.Value) (driver.Rows, error) {
	s, err := c.prepare(sql)
	if err != nil {
		return nil, err
	}
	rows, err := s.QueryContext(context.Background(), c.arguments(first, args...))
	return rows, wrap(err)
}

// arguments are those of a statement, until the next.
func (r *reading) arguments(first driver.Value, args ...driver.Value) []driver.NamedValue {
	r.named = append(r.named[:0], driver.NamedValue{Ordinal: 1, Value: first})
	for i, v := range args {
		r.named = append(r.named, driver.NamedValue{Ordinal: i + 2, Value: v})
	}
	return r.named
}

// reading is what a connection keeps so that reads need not make it anew.
type reading struct {
	row     []driver.Value
	named   []driver.NamedValue
	args    []driver.Value
	ids     []*store.ID
	boxed   []driver.Value // ids as arguments: each is the bytes of its ID
	rows    []store.Record
	found   map[store.ID]int32 // places in rows
	entries []*entry           // what was read for the cache
	rids    []int64
	commit  *sqlite3.SQLiteStmt // reads the number of the last commit
	last    [1]driver.Value
	firsts  map[int64]*sqlite3.SQLiteStmt // of getFirst, by kind
}

// rowOf is room for a row of so many columns.
func (r *reading) rowOf(columns int) []driver.Value {
	for len(r.row) < columns {
		r.row = append(r.row, nil)
	}
	return r.row[:columns]
}

// maxKept is how much room for rows a connection keeps.
const maxKept = 4096

// forgetRows lets go of what was read: connections live long.
func (r *reading) forgetRows() {
	if cap(r.rows) > maxKept {
		r.rows, r.found, r.rids, r.entries = nil, nil, nil, nil
		return
	}
	clear(r.rows)
	clear(r.found)
	r.rows = r.rows[:0]
}

// id returns an ID as an argument. It stays so until the next call with this i.
func (r *reading) id(i int, id store.ID) driver.Value {
	for len(r.ids) <= i {
		buf := new(store.ID)
		r.ids, r.boxed = append(r.ids, buf), append(r.boxed, buf[:])
	}
	*r.ids[i] = id
	return r.boxed[i]
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
	if c.commit == nil {
		// Not among those of prepare, which may close any of them.
		s, err := c.c.Prepare("SELECT value FROM meta WHERE name = 'commit'")
		if err != nil {
			return nil, 0, wrap(err)
		}
		c.commit = s.(*sqlite3.SQLiteStmt)
	}
	rows, err := c.commit.QueryContext(context.Background(), nil)
	if err != nil {
		return nil, 0, wrap(err)
	}
	commit, numbered := int64(0), false
	if err = rows.Next(c.last[:]); err == nil {
		commit, numbered = c.last[0].(int64)
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

// viewing is the snapshot of a view in a store without a cache, where few ask for
// the number of its commit.
type viewing struct {
	unread bool        // nothing was read yet, so that there is no snapshot
	held   driver.Rows // what keeps the snapshot
}

// hold begins the snapshot of a view that has none.
func (t *tx) hold() (err error) {
	t.unread = false
	t.held, _, err = t.conn.openSnapshot()
	return t.fail(err)
}

// release ends the snapshot.
func (t *tx) release() error {
	if t.held == nil {
		return nil
	}
	return wrap(t.held.Close())
}

// getFirst is Get as the first thing that a view reads: the statement that finds
// the record stays open and keeps the snapshot, so that whoever wants one record
// pays for one statement. It finds nothing where that takes more.
func (t *tx) getFirst(ctx context.Context, k *store.Kind, id store.ID) (r store.Record, found bool, err error) {
	no, known := t.store.accounts.get(t.account)
	table := (*t.store.tables.Load())[k.Name]
	if t.over || !known || table == nil || !slices.Equal(table.columns, k.Columns) || ctx.Err() != nil {
		return r, false, nil
	}
	c := t.conn
	s := c.firsts[table.no]
	if s == nil {
		// A statement of its own, for the same reason as that of snapshot.
		made, err := c.c.Prepare(table.selectByID[0])
		if err != nil {
			return r, false, wrap(err)
		}
		if c.firsts == nil {
			c.firsts = map[int64]*sqlite3.SQLiteStmt{}
		}
		s = made.(*sqlite3.SQLiteStmt)
		c.firsts[table.no] = s
	}
	rows, err := s.QueryContext(context.Background(), c.arguments(k.Revision, no, c.id(0, id)))
	if err != nil {
		return r, false, t.fail(wrap(err))
	}
	row := c.rowOf(4)
	if err = rows.Next(row); err != nil {
		_ = rows.Close()
		if err == io.EOF { // with it, the snapshot has ended
			return r, false, nil
		}
		return r, false, t.fail(wrap(err))
	}
	t.unread, t.held = false, rows
	r, err = record(k, row)
	return r, err == nil, err
}

// What a sound file cannot show. conn.query finds the like by itself.
var (
	errDamaged  = fmt.Errorf("sqlite: a row has a value that it cannot have: %w", sqlite3.Error{Code: sqlite3.ErrCorrupt})
	errNoCommit = fmt.Errorf("sqlite: the number of the last commit is missing: %w", sqlite3.Error{Code: sqlite3.ErrCorrupt})
)
