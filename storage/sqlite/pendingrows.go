//go:build cgo

package sqlite

import (
	"database/sql/driver"
	"strconv"
	"strings"

	"github.com/landfallhq/tracking/store"
)

// rowStatement inserts rows into a table, or sets some columns of rows, by their numbers.
// A statement of several rows has the same arguments for each: first its number.
type rowStatement struct {
	table    string
	columns  []string // those of the arguments
	isInsert bool
	bySize   [maxRowsPerStatement + 1]string // the texts in use, by number of rows
}

// maxRowsPerStatement is how many rows one statement writes at most.
const maxRowsPerStatement = 16

// rowsOfStatement returns how many of n rows the next statement writes: few sizes, so
// that the connection keeps a prepared statement of each.
func rowsOfStatement(n int) int {
	switch {
	case n >= maxRowsPerStatement:
		return maxRowsPerStatement
	case n > 8:
		return 8
	}
	return n
}

// text returns the statement for n rows.
func (s *rowStatement) text(n int) string {
	if s.bySize[n] == "" {
		s.bySize[n] = s.build(n)
	}
	return s.bySize[n]
}

// build makes the statement for n rows. With OR FAIL, SQLite keeps no copies of the
// changed pages to roll back one statement of several rows: if one fails, so does the
// transaction.
func (s *rowStatement) build(n int) string {
	var b strings.Builder
	values := func() {
		for i := range n {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString("(?" + strings.Repeat(", ?", len(s.columns)-1) + ")")
		}
	}
	switch {
	case s.isInsert:
		b.WriteString("INSERT ")
		if n > 1 {
			b.WriteString("OR FAIL ")
		}
		b.WriteString("INTO " + s.table + " (" + strings.Join(s.columns, ", ") + ") VALUES ")
		values()
	case n == 1:
		b.WriteString("UPDATE " + s.table + " SET ")
		s.assign(&b, func(i int) string { return "?" + strconv.Itoa(i+1) })
		b.WriteString(" WHERE " + s.columns[0] + " = ?1")
	default:
		b.WriteString("UPDATE OR FAIL " + s.table + " SET ")
		s.assign(&b, func(i int) string { return "new.column" + strconv.Itoa(i+1) })
		b.WriteString(" FROM (VALUES ")
		values()
		b.WriteString(") AS new WHERE " + s.columns[0] + " = new.column1")
	}
	return b.String()
}

// assign writes the assignments of an UPDATE; value is that of the i-th column.
func (s *rowStatement) assign(b *strings.Builder, value func(i int) string) {
	for i, column := range s.columns[1:] {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(column + " = " + value(i+1))
	}
}

// pendingRows are rows that an update is to write by one statement, and has not written
// yet.
type pendingRows struct {
	statement *rowStatement
	n         int
	args      []driver.Value
}

// pendingRow names a row among them.
type pendingRow struct {
	kind int64
	id   store.ID
}

const (
	// maxPendingRows is how many rows wait at most, and maxPendingBytes how large their
	// documents are together.
	maxPendingRows  = 256
	maxPendingBytes = 1 << 20
)

// rowWrites are the rows that the current update of a connection is to write.
type rowWrites struct {
	statements map[string]*rowStatement
	key        []byte
	pending    []*pendingRows
	spare      []*pendingRows
	rows       []pendingRow
	size       int
}

// statementOf returns the statement for a table and columns.
func (w *rowWrites) statementOf(table *table, isInsert bool, columns []string) *rowStatement {
	w.key = append(append(w.key[:0], table.name...), ' ')
	if !isInsert {
		for _, c := range columns {
			w.key = append(append(w.key, c...), ' ')
		}
	}
	if s := w.statements[string(w.key)]; s != nil && len(s.columns) == len(columns) {
		return s
	}
	if w.statements == nil || len(w.statements) > maxStmts {
		w.statements = map[string]*rowStatement{}
	}
	s := &rowStatement{table: table.name, isInsert: isInsert, columns: append([]string(nil), columns...)}
	w.statements[string(w.key)] = s
	return s
}

// has reports whether a row waits.
func (w *rowWrites) has(table *table, id store.ID) bool {
	for i := range w.rows {
		if w.rows[i].id == id && w.rows[i].kind == table.no {
			return true
		}
	}
	return false
}

// add adds the row of a record. The arguments are copied.
func (w *rowWrites) add(table *table, id store.ID, s *rowStatement, size int, args []driver.Value) {
	var p *pendingRows
	for _, other := range w.pending {
		if other.statement == s {
			p = other
		}
	}
	if p == nil {
		if n := len(w.spare); n > 0 {
			p, w.spare = w.spare[n-1], w.spare[:n-1]
		} else {
			p = &pendingRows{}
		}
		p.statement = s
		w.pending = append(w.pending, p)
	}
	p.args = append(p.args, args...)
	p.n++
	w.rows = append(w.rows, pendingRow{table.no, id})
	w.size += size
}

// reset drops the rows that wait.
func (w *rowWrites) reset() {
	for _, p := range w.pending {
		clear(p.args)
		p.statement, p.n, p.args = nil, 0, p.args[:0]
		if cap(p.args) <= maxPendingRows {
			w.spare = append(w.spare, p)
		}
	}
	clear(w.pending)
	w.pending, w.rows, w.size = w.pending[:0], w.rows[:0], 0
}

// queueRow writes the row of a record together with others, when the update reads or
// ends. Nobody else can write meanwhile. The row must be there if it is changed, and
// must not if it is inserted.
func (t *tx) queueRow(table *table, id store.ID, s *rowStatement, size int, args []driver.Value) error {
	w := &t.conn.writes
	w.add(table, id, s, size, args)
	if len(w.rows) < maxPendingRows && w.size < maxPendingBytes {
		return nil
	}
	return t.flushRows()
}

// flushRows writes the rows that wait. After a failure it writes none: see flushTerms.
func (t *tx) flushRows() error {
	w := &t.conn.writes
	switch {
	case len(w.rows) == 0:
		return nil
	case t.failed != nil:
		return t.failed
	case !t.conn.inTransaction():
		return t.fail(errRolledBack)
	}
	defer w.reset()
	for _, p := range w.pending {
		args, width := p.args, len(p.statement.columns)
		for left := p.n; left > 0; {
			n := rowsOfStatement(left)
			if err := t.conn.exec(p.statement.text(n), args[:n*width]...); err != nil {
				return t.fail(err)
			}
			left, args = left-n, args[n*width:]
		}
	}
	return nil
}

// flushRow writes the rows that wait if that of a record is among them.
func (t *tx) flushRow(table *table, id store.ID) error {
	if t.write && t.conn.writes.has(table, id) {
		return t.flushRows()
	}
	return nil
}

// flush writes all that waits.
func (t *tx) flush() error {
	if !t.write {
		return nil
	}
	if err := t.flushRows(); err != nil {
		return err
	}
	return t.flushTerms()
}
