//go:build cgo

package sqlite

import (
	"cmp"
	"context"
	"database/sql/driver"
	"fmt"
	"io"
	"unsafe"

	"github.com/mattn/go-sqlite3"

	"github.com/landfallhq/tracking"
)

// Reading is what a server mostly does, so this file saves what it can: the
// driver makes two values on the heap for each text and BLOB of a row, and one
// for each number above 255. A record comes as one BLOB and three small numbers.

// recordColumns are what a record is read from, in the order that record takes
// them. The first argument of the statement is the kind's revision.
const recordColumns = "version, revision = ?1, length(private), id || doc || ifnull(private, x'')"

// record returns a row of recordColumns in the present form of its kind.
func record(k *tracking.Kind, v []driver.Value) (tracking.Record, error) {
	r := tracking.Record{Version: v[0].(int64)}
	r.Doc = bytesOf(v[3])[copy(r.ID[:], bytesOf(v[3])):]
	r.Private, r.Doc = cut(r.Doc, v[2])
	return current(k, r, v[1].(int64) == 0)
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
func current(k *tracking.Kind, r tracking.Record, outdated bool) (tracking.Record, error) {
	if !outdated || k.Render == nil {
		return r, nil
	}
	w, err := k.Render(r)
	if err != nil {
		return tracking.Record{}, fmt.Errorf("sqlite: render %s %s: %w", k.Name, r.ID, err)
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

// records runs a statement that selects recordColumns, with the revision and
// args as arguments, and appends what it returns.
func (c *conn) records(ctx context.Context, k *tracking.Kind, sql string, to []tracking.Record, args ...driver.Value) (_ []tracking.Record, err error) {
	rows, err := c.open(sql, k.Revision, args)
	if err != nil {
		return to, err
	}
	defer func() { err = cmp.Or(err, wrap(rows.Close())) }()
	for {
		switch err := rows.Next(c.row[:4]); {
		case err == io.EOF:
			return to, nil
		case err != nil:
			return to, wrap(err)
		}
		r, err := record(k, c.row[:4])
		if err != nil {
			return to, err
		}
		to = append(to, r)
		if err := ctx.Err(); err != nil {
			return to, err
		}
	}
}

// open starts a statement. Its arguments are bound when open returns.
func (c *conn) open(sql string, first driver.Value, args []driver.Value) (driver.Rows, error) {
	s, err := c.prepare(sql)
	if err != nil {
		return nil, err
	}
	c.named = append(c.named[:0], driver.NamedValue{Ordinal: 1, Value: first})
	for i, v := range args {
		c.named = append(c.named, driver.NamedValue{Ordinal: i + 2, Value: v})
	}
	rows, err := s.QueryContext(context.Background(), c.named)
	return rows, wrap(err)
}

// reading is what a connection keeps so that reads need not make it anew.
type reading struct {
	row    [4]driver.Value
	named  []driver.NamedValue
	args   []driver.Value
	ids    []*tracking.ID
	boxed  []driver.Value        // ids as arguments: each is the bytes of its ID
	found  map[tracking.ID]int32 // of rows
	rows   []tracking.Record
	commit *sqlite3.SQLiteStmt // reads the number of the last commit
	last   [1]driver.Value
}

// id returns an ID as an argument. It stays so until the next call with this i.
func (r *reading) id(i int, id tracking.ID) driver.Value {
	for len(r.ids) <= i {
		buf := new(tracking.ID)
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
	if c.commit == nil {
		// Not among those of prepare, which may close any of them.
		s, err := c.c.Prepare("SELECT value FROM meta WHERE name = 'commit'")
		if err != nil {
			return wrap(err)
		}
		c.commit = s.(*sqlite3.SQLiteStmt)
	}
	rows, err := c.commit.QueryContext(context.Background(), nil)
	if err != nil {
		return wrap(err)
	}
	defer func() { err = cmp.Or(err, wrap(rows.Close())) }()
	if err := rows.Next(c.last[:]); err != nil {
		return wrap(err)
	}
	return fn(c.last[0].(int64))
}
