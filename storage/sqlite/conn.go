//go:build cgo

package sqlite

import (
	"cmp"
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net/url"
	"runtime"
	"strings"
	"time"

	"github.com/landfallhq/tracking/store"

	"github.com/mattn/go-sqlite3"
)

// conn is one connection to the file with its prepared statements. It is used by
// one goroutine at a time.
//
// It uses the driver directly instead of database/sql: a transaction is a BEGIN on
// a connection that is ours for the whole closure, and the pool of database/sql
// would be in the way. Statements run without a context, because the driver starts
// a goroutine for each statement that can be cancelled, and an interrupted write
// would undo the whole transaction.
type conn struct {
	c     *sqlite3.SQLiteConn
	stmts map[string]*sqlite3.SQLiteStmt
	dest  []driver.Value // the current row
	readBuffers
	issued issuedRids
	writes rowWrites
	change rowChange

	logStmt *sqlite3.SQLiteStmt // reads the state of the WAL: see readLogState

	// beforeStatement, if not nil, is called before each statement: see
	// harness.statement.
	beforeStatement func(sql string) error
}

// maxStmts bounds the prepared statements of a connection: filters come in many
// shapes.
const maxStmts = 256

// connectPlain opens a connection to an existing file.
func connectPlain(path string, opts Options) (*conn, error) {
	opened, err := (&sqlite3.SQLiteDriver{}).Open(dataSource(path, opts, url.Values{"_mutex": {"no"}})) // a conn is never shared
	if err != nil {
		return nil, wrap(err)
	}
	return &conn{c: opened.(*sqlite3.SQLiteConn), stmts: map[string]*sqlite3.SQLiteStmt{}}, nil
}

// dataSource is the data source name of an existing file.
func dataSource(path string, opts Options, more url.Values) string {
	more.Set("mode", "rw") // Open has created the file: if it is gone, SQLite must not create an empty one
	more.Set("_busy_timeout", fmt.Sprint(cmp.Or(opts.busyTimeout, busyTimeout)))
	// The driver's own default, NORMAL, loses acknowledged commits in a power cut.
	more.Set("_synchronous", cmp.Or(opts.synchronous, "FULL"))
	if opts.ReadOnly {
		more.Set("mode", "ro")
		more.Set(readOnlyParameter(path), "1")
	}
	if opts.vfs != "" {
		more.Set("vfs", opts.vfs)
	}
	if opts.exclusive {
		// Before any journal pragma: without shared memory, WAL needs a connection
		// that is alone.
		more.Set("_locking_mode", "EXCLUSIVE")
	}
	// A file: URL, because the driver cuts a plain path at its first "?".
	dsn := url.URL{Scheme: "file", Path: path, OmitHost: true, RawQuery: more.Encode()}
	return dsn.String()
}

// pageSizePragma applies to a new file only, until its first write.
const pageSizePragma = "page_size=8192"

// connect opens a connection and sets its pragmas. It does not check them.
func connect(path string, opts Options, reader bool) (*conn, error) {
	c, err := connectPlain(path, opts)
	if err != nil {
		return nil, err
	}
	pragmas := []string{
		"foreign_keys=ON",
		"temp_store=MEMORY",
		fmt.Sprintf("cache_size=-%d", max(opts.FillBytes, 16<<20)>>10),
	}
	if !opts.ReadOnly {
		pragmas = append([]string{pageSizePragma, "journal_mode=" + opts.journal()}, pragmas...)
	}
	if reader {
		pragmas = append(pragmas, "query_only=ON")
	}
	if !opts.exclusive {
		pragmas = append(pragmas, "wal_autocheckpoint=0") // see checkpointer
	}
	for _, p := range pragmas {
		if err := c.setPragma(p); err != nil {
			_ = c.close()
			return nil, fmt.Errorf("set %s: %w", p, err)
		}
	}
	if !reader {
		c.beforeStatement = opts.statement
	}
	return c, nil
}

// setPragma sets a pragma. While another process switches a new file to WAL mode,
// SQLite returns "busy" without waiting, so setPragma waits.
func (c *conn) setPragma(pragma string) error {
	for end := time.Now().Add(busyTimeout * time.Millisecond); ; time.Sleep(time.Millisecond) {
		// Not through exec: a pragma that returns a row must be finished.
		_, err := c.c.Exec("PRAGMA "+pragma, nil)
		var e sqlite3.Error
		if !errors.As(err, &e) || e.Code != sqlite3.ErrBusy || time.Now().After(end) {
			return wrap(err)
		}
	}
}

func (c *conn) close() error {
	c.closeStatements()
	return wrap(c.c.Close())
}

func (c *conn) closeStatements() {
	if c.commitStmt != nil {
		_ = c.commitStmt.Close()
		c.commitStmt = nil
	}
	if c.logStmt != nil {
		_ = c.logStmt.Close()
		c.logStmt = nil
	}
	for no, s := range c.firstReadStmts {
		_ = s.Close()
		delete(c.firstReadStmts, no)
	}
	for sql, s := range c.stmts {
		_ = s.Close()
		delete(c.stmts, sql)
	}
}

// prepare returns the statement for sql, which must be a single statement.
func (c *conn) prepare(sql string) (*sqlite3.SQLiteStmt, error) {
	if c.beforeStatement != nil {
		if err := c.beforeStatement(sql); err != nil {
			return nil, wrap(err)
		}
	}
	if s := c.stmts[sql]; s != nil {
		return s, nil
	}
	s, err := c.c.Prepare(sql)
	if err != nil {
		return nil, fmt.Errorf("%w (in %s)", wrap(err), sql)
	}
	if len(c.stmts) >= maxStmts {
		// Any: a frequent statement is soon prepared again.
		for old, stmt := range c.stmts {
			_ = stmt.Close()
			delete(c.stmts, old)
			break
		}
	}
	stmt := s.(*sqlite3.SQLiteStmt)
	c.stmts[sql] = stmt
	return stmt, nil
}

// exec runs one statement that returns no rows.
func (c *conn) exec(sql string, args ...driver.Value) error {
	_, err := c.insert(sql, args...)
	return err
}

// insert is exec that returns the rowid of the inserted row.
func (c *conn) insert(sql string, args ...driver.Value) (int64, error) {
	s, err := c.prepare(sql)
	if err != nil {
		return 0, err
	}
	result, err := s.ExecContext(context.Background(), c.numbered(args))
	clear(c.named)
	if err != nil {
		return 0, wrap(err)
	}
	return result.LastInsertId()
}

// query runs one statement and calls row for each row that it returns. The slice is
// reused for the next row; its elements are not. Row must not use the connection.
func (c *conn) query(sql string, args []driver.Value, row func([]driver.Value) error) (err error) {
	s, err := c.prepare(sql)
	if err != nil {
		return err
	}
	rows, err := s.QueryContext(context.Background(), c.numbered(args))
	if err != nil {
		return wrap(err)
	}
	defer func() {
		switch fault := recover().(type) {
		case nil:
		case *runtime.TypeAssertionError:
			// The tables are STRICT: only in a damaged file has a value the wrong
			// type, or none where one is required.
			err = fmt.Errorf("sqlite: %w (%w, in %s)", sqlite3.Error{Code: sqlite3.ErrCorrupt}, fault, sql)
		default:
			panic(fault)
		}
	}()
	// An open statement would keep its snapshot, so it is always closed.
	defer func() { err = cmp.Or(err, wrap(rows.Close())) }()
	columns := len(rows.Columns())
	for len(c.dest) < columns {
		c.dest = append(c.dest, nil)
	}
	for {
		switch err := rows.Next(c.dest[:columns]); {
		case err == io.EOF:
			return nil
		case err != nil:
			return wrap(err)
		}
		if err := row(c.dest[:columns]); err != nil {
			return err
		}
	}
}

// queryInt returns the integer that a query returns; ok is false for no row or
// NULL.
func (c *conn) queryInt(sql string, args ...driver.Value) (n int64, ok bool, err error) {
	err = c.query(sql, args, func(v []driver.Value) error {
		n, ok = v[0].(int64)
		return nil
	})
	return n, ok, err
}

// queryText returns the value that a query returns as text, such as that of a
// pragma.
func (c *conn) queryText(sql string, args ...driver.Value) (text string, err error) {
	err = c.query(sql, args, func(v []driver.Value) error {
		text = fmt.Sprint(v[0])
		return nil
	})
	return text, err
}

// transaction runs fn in a transaction that the statement begin opens. It commits
// when fn returns nil, and rolls back when fn returns an error, panics or ends its
// goroutine.
func (c *conn) transaction(begin string, fn func() error) error {
	if err := c.exec(begin); err != nil {
		return err
	}
	done := false
	defer func() {
		if !done {
			c.rollback()
		}
	}()
	if err := fn(); err != nil {
		return err
	}
	if err := c.exec("COMMIT"); err != nil {
		return err
	}
	done = true
	return nil
}

// rollback ends the transaction. After some faults SQLite has rolled back already
// and returns an error, which does not matter.
func (c *conn) rollback() { _ = c.exec("ROLLBACK") }

func (c *conn) inTransaction() bool { return !c.c.AutoCommit() }

// wrap marks the temporary errors of SQLite as store.ErrUnavailable.
func wrap(err error) error {
	if err == nil {
		return nil // before e, which escapes to the heap
	}
	var e sqlite3.Error
	if !errors.As(err, &e) {
		return err
	}
	switch e.Code {
	case sqlite3.ErrBusy, sqlite3.ErrLocked, sqlite3.ErrProtocol,
		sqlite3.ErrFull, sqlite3.ErrReadonly, sqlite3.ErrIoErr, sqlite3.ErrCantOpen:
		return fmt.Errorf("%w: sqlite: %w", store.ErrUnavailable, err)
	}
	return fmt.Errorf("sqlite: %w", err)
}

// isBroken reports whether an error is one that another connection might not have.
func isBroken(err error) bool {
	var e sqlite3.Error
	if !errors.As(err, &e) {
		return false
	}
	switch e.Code {
	case sqlite3.ErrReadonly, sqlite3.ErrIoErr, sqlite3.ErrCantOpen, sqlite3.ErrFull, sqlite3.ErrProtocol,
		sqlite3.ErrCorrupt, sqlite3.ErrNotADB:
		return true
	}
	return false
}

// pragma is a setting that must take effect, and the value that it reads back as.
type pragma struct{ name, want string }

// requiredPragmas returns the pragmas that the guarantees of the store depend on.
func requiredPragmas(opts Options, reader bool) []pragma {
	var p []pragma
	if !opts.ReadOnly { // a file without a WAL shows as one of another mode then
		p = append(p, pragma{"journal_mode", strings.ToLower(opts.journal())})
	}
	p = append(p,
		pragma{"synchronous", map[string]string{"OFF": "0", "NORMAL": "1", "FULL": "2"}[opts.synchronous]},
		pragma{"foreign_keys", "1"},
		pragma{"busy_timeout", fmt.Sprint(opts.busyTimeout)},
	)
	if reader {
		p = append(p, pragma{"query_only", "1"})
	}
	if opts.exclusive {
		p = append(p, pragma{"locking_mode", "exclusive"})
	}
	return p
}

// checkPragmas reads the pragmas back. SQLite silently ignores what it does not
// know or cannot do: on a file system without shared memory, WAL stays off.
func checkPragmas(read func(name string) (string, error), want []pragma) error {
	for _, p := range want {
		got, err := read(p.name)
		if err != nil {
			return fmt.Errorf("read back pragma %s: %w", p.name, err)
		}
		if !strings.EqualFold(got, p.want) {
			return fmt.Errorf("pragma %s is %q, but must be %q: this file system or build of SQLite cannot keep the guarantees of the store", p.name, got, p.want)
		}
	}
	return nil
}

func (c *conn) pragma(name string) (string, error) { return c.queryText("PRAGMA " + name) }
