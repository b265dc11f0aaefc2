//go:build cgo

package sqlite

import (
	"bytes"
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/uuid"
	"github.com/mattn/go-sqlite3"

	"github.com/landfallhq/tracking/store"
)

// note is the kind of these tests.
var note = &store.Kind{
	Name: "note",
	Columns: []store.Column{
		{Name: "author", Type: store.TextColumn},
		{Name: "stars", Type: store.IntColumn},
		{Name: "written_at", Type: store.TimeColumn},
		{Name: "parent", Type: store.IDColumn},
	},
	Revision: "1",
}

var (
	ann = store.AccountID{15: 1}
	ben = store.AccountID{15: 2}
	ctx = context.Background()
)

func openAt(t testing.TB, path string) *Store {
	t.Helper()
	return openWith(t, path, Options{Readers: 2})
}

func open(t testing.TB) *Store {
	t.Helper()
	return openAt(t, filepath.Join(t.TempDir(), "test.db"))
}

func write(n byte) store.Write {
	return store.Write{
		ID: store.ID{n}, Doc: fmt.Appendf(nil, `{"n":%d}`, n),
		Cols:  []any{"author", int64(n), time.UnixMicro(int64(n)), store.ID{n}},
		Terms: []store.Term{{Name: "tag", Value: "t"}},
	}
}

func put(ctx context.Context, s *Store, a store.AccountID, n byte) error {
	return s.Update(ctx, a, func(tx store.RecordTx) error {
		_, err := tx.Put(ctx, note, write(n))
		return err
	})
}

func mustPut(t testing.TB, s *Store, a store.AccountID, numbers ...byte) {
	t.Helper()
	for _, n := range numbers {
		if err := put(ctx, s, a, n); err != nil {
			t.Fatal(err)
		}
	}
}

func count(t testing.TB, s *Store, a store.AccountID) (n int) {
	t.Helper()
	err := s.View(ctx, a, func(tx store.RecordTx) (err error) {
		_, n, err = tx.List(ctx, note, store.Filter{}, store.Page{}, nil)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// refuses fails the test unless Open fails with one line that has want in it.
func refuses(t *testing.T, path, want string) {
	t.Helper()
	s, err := Open(path, Options{})
	if err == nil {
		s.Close()
		t.Fatalf("%s opens", path)
	}
	if !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), path) {
		t.Fatalf("error %q, want one line with the path and %q", err, want)
	}
}

func TestPragmasHold(t *testing.T) {
	s := open(t)
	withWriter(t, s, func(c *conn) {
		if err := checkPragmas(c.pragma, requiredPragmas(s.opts, false)); err != nil {
			t.Error(err)
		}
	})
	r, err := s.acquireReader(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer s.releaseReader(r)
	if err := checkPragmas(r.pragma, requiredPragmas(s.opts, true)); err != nil {
		t.Error(err)
	}
	if err := r.exec("DELETE FROM accounts"); err == nil {
		t.Error("a reading connection can write")
	}
}

func TestCheckPragmas(t *testing.T) {
	hold := map[string]string{"journal_mode": "wal", "synchronous": "2", "foreign_keys": "1", "busy_timeout": "5000", "query_only": "1"}
	read := func(name string) (string, error) { return hold[name], nil }
	opts := Options{}.withDefaults()
	if err := checkPragmas(read, requiredPragmas(opts, true)); err != nil {
		t.Fatal(err)
	}
	for name, wrong := range map[string]string{
		"journal_mode": "delete", "synchronous": "1", "foreign_keys": "0", "busy_timeout": "0", "query_only": "",
	} {
		right := hold[name]
		hold[name] = wrong
		err := checkPragmas(read, requiredPragmas(opts, true))
		if err == nil || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), right) {
			t.Errorf("%s=%q: error %v", name, wrong, err)
		}
		hold[name] = right
	}
	if err := checkPragmas(func(string) (string, error) { return "", fs.ErrInvalid }, requiredPragmas(opts, false)); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("error %v", err)
	}
	// A database in memory cannot have WAL, and says so only when the pragma is
	// read back.
	m, err := (&sqlite3.SQLiteDriver{}).Open(":memory:?_journal=WAL")
	if err != nil {
		t.Fatal(err)
	}
	c := &conn{c: m.(*sqlite3.SQLiteConn), stmts: map[string]*sqlite3.SQLiteStmt{}}
	defer c.close()
	if err := checkPragmas(c.pragma, requiredPragmas(opts, false)); err == nil || !strings.Contains(err.Error(), "journal_mode") {
		t.Errorf("error %v", err)
	}
}

func TestOpenCreatesAPrivateFile(t *testing.T) {
	// Odd characters in the path mean themselves.
	dir := filepath.Join(t.TempDir(), "a ?%20#ä")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "te?st.db")
	s := openAt(t, path)
	mustPut(t, s, ann, 1)
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
		info, err := e.Info()
		if err != nil {
			t.Fatal(err)
		}
		if mode := info.Mode().Perm(); mode != 0o600 {
			t.Errorf("%s has mode %o", e.Name(), mode)
		}
	}
	if want := []string{"te?st.db", "te?st.db-shm", "te?st.db-wal"}; !slices.Equal(names, want) {
		t.Errorf("files %q, want %q", names, want)
	}
	if s.Path() != path {
		t.Errorf("path %q", s.Path())
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("%d files after Close, want the database alone", len(entries))
	}
	if n := count(t, openAt(t, path), ann); n != 1 {
		t.Errorf("%d records after opening again", n)
	}
}

func TestOpenRefuses(t *testing.T) {
	if _, err := Open("", Options{}); err == nil {
		t.Error("no path opens")
	}
	if _, err := Open(":memory:", Options{}); err == nil || !strings.Contains(err.Error(), "storage/memory") {
		t.Errorf(":memory: gives %v", err)
	}
	dir := t.TempDir()
	missing := filepath.Join(dir, "no", "x.db")
	refuses(t, missing, "no such file")
	if _, err := Open(missing, Options{}); !errors.Is(err, store.ErrUnavailable) {
		t.Errorf("error %v", err)
	}
	text := filepath.Join(dir, "text")
	if err := os.WriteFile(text, bytes.Repeat([]byte("no database "), 1000), 0o600); err != nil {
		t.Fatal(err)
	}
	refuses(t, text, "not a database")
	foreign := filepath.Join(dir, "foreign.db")
	execSQL(t, foreign, "CREATE TABLE theirs (x)")
	refuses(t, foreign, "another program")
}

// execSQL runs SQL on a file as another program would.
func execSQL(t *testing.T, path, sql string) {
	t.Helper()
	c, err := (&sqlite3.SQLiteDriver{}).Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := c.(*sqlite3.SQLiteConn).Exec(sql, nil); err != nil {
		t.Fatal(err)
	}
}

func TestMigrations(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	s := openAt(t, path)
	mustPut(t, s, ann, 1)
	s.Close()

	execSQL(t, path, "UPDATE schema_migrations SET sha256 = 'x' WHERE version = 1")
	refuses(t, path, "0001_base.sql differs from the one that was applied")
	steps, err := readMigrations(migrationFiles)
	if err != nil {
		t.Fatal(err)
	}
	execSQL(t, path, "UPDATE schema_migrations SET sha256 = '"+steps[0].checksum+"' WHERE version = 1")
	// A step of a later program that changes nothing for this one.
	execSQL(t, path, "INSERT INTO schema_migrations VALUES (999, '0999_later.sql', 'x', '')")
	openAt(t, path).Close()
	execSQL(t, path, "UPDATE meta SET value = 999 WHERE name = 'oldest_schema'")
	refuses(t, path, "a newer program has written this file: it needs a program of schema 999 or later")
	execSQL(t, path, fmt.Sprintf("DELETE FROM schema_migrations WHERE version = 999; UPDATE meta SET value = %d WHERE name = 'oldest_schema'", schema))

	// A later program adds its steps to the existing data; a failed step leaves
	// nothing behind.
	db, err := openSchema(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	count := func(query string) (n int) {
		if err := db.Get(&n, query); err != nil {
			t.Fatal(err)
		}
		return n
	}
	next := int64(len(steps)) + 1
	name := fmt.Sprintf("%04d_x.sql", next)
	broken := append(slices.Clone(steps), migration{next, name, "CREATE TABLE extra (x); nonsense", "y", next})
	if err := applyMigrations(db, path, broken); err == nil || !strings.Contains(err.Error(), name) {
		t.Errorf("error %v", err)
	}
	if n := count("SELECT count(*) FROM sqlite_schema WHERE name = 'extra'"); n != 0 {
		t.Error("half a migration is left")
	}
	later := append(slices.Clone(steps), migration{next, name, "CREATE TABLE extra (x); INSERT INTO extra VALUES (1)", "y", next})
	server, err := os.OpenFile(path+".lock", os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	if err := lockFile(server); err != nil {
		t.Fatal(err)
	}
	if err := applyMigrations(db, path, later); err == nil || !strings.Contains(err.Error(), "must be upgraded, and a server is running on it") {
		t.Errorf("under a server of this program: %v", err)
	}
	server.Close()
	for range 2 {
		if err := applyMigrations(db, path, later); err != nil {
			t.Fatal(err)
		}
	}
	if n := count("SELECT count(*) FROM extra"); n != 1 {
		t.Errorf("the step was applied %d times", n)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	refuses(t, path, fmt.Sprintf("a newer program has written this file: it needs a program of schema %d or later", next))
}

// TestOldestSchema: a step says which programs can use a file that has it.
func TestOldestSchema(t *testing.T) {
	for sql, want := range map[string]int64{"CREATE TABLE x (y)": 9, "-- oldest: 7\nCREATE TABLE x (y)": 7, "-- oldest: 9": 9, "-- oldest: 12": 9, "-- oldest: x": 9, "": 9} {
		if got := oldestSchema(sql, 9); got != want {
			t.Errorf("%q: %d, want %d", sql, got, want)
		}
	}
}

// TestSchemaChangedMeanwhile: a newer program has changed the schema while this one is
// running. Nothing more is written.
func TestSchemaChangedMeanwhile(t *testing.T) {
	s := open(t)
	mustPut(t, s, ann, 1)
	execSQL(t, s.Path(), "UPDATE meta SET value = 999 WHERE name = 'oldest_schema'")
	err := s.Update(ctx, ann, func(tx store.RecordTx) error {
		_, err := tx.Put(ctx, note, write(2))
		return err
	})
	if !errors.Is(err, store.ErrUnavailable) || !strings.Contains(err.Error(), "needs a program of schema 999 or later") {
		t.Errorf("error %v", err)
	}
	err = s.View(ctx, ann, func(tx store.RecordTx) error {
		_, err := tx.Get(ctx, note, store.ID{2})
		return err
	})
	if !errors.Is(err, store.ErrNotFound) {
		t.Errorf("the record was written: %v", err)
	}
}

// TestUpgradeBesideAServer: a program whose kinds have other columns does not alter the
// tables under a server.
func TestUpgradeBesideAServer(t *testing.T) {
	s := open(t)
	mustPut(t, s, ann, 1)
	server, err := os.OpenFile(s.Path()+".lock", os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	if err := lockFile(server); err != nil {
		t.Fatal(err)
	}
	later := *note
	later.Revision = "2"
	later.Columns = append(slices.Clone(note.Columns), store.Column{Name: "pages", Type: store.IntColumn})
	later.Render = func(r store.Record) (store.Write, error) {
		w := write(r.ID[0])
		w.Cols = append(w.Cols, int64(7))
		return w, nil
	}
	if err := s.Prepare(ctx, []*store.Kind{&later}); err == nil || !strings.Contains(err.Error(), "must be upgraded, and a server is running on it") {
		t.Errorf("error %v", err)
	}
	mustPut(t, s, ann, 2) // the former kind is as it was
	server.Close()
	if err := s.Prepare(ctx, []*store.Kind{&later}); err != nil {
		t.Fatal(err)
	}

	// The former program reads everything, and leaves the table as it is.
	older := openAt(t, s.Path())
	records, total := []store.Record(nil), 0
	err = older.View(ctx, ann, func(tx store.RecordTx) (err error) {
		records, total, err = tx.List(ctx, note, store.Filter{Where: []store.Cond{{Name: "author", Op: store.From, Values: []any{""}}}}, store.Page{}, nil)
		return err
	})
	if err != nil || total != 2 || !records[0].Newer {
		t.Errorf("%d records, %v", total, err)
	}
	refused := new(store.NewerError)
	err = older.Update(ctx, ann, func(tx store.RecordTx) error {
		_, err := tx.Put(ctx, note, write(3))
		return err
	})
	if !errors.As(err, &refused) || refused.Stored != "2" || refused.Known != "1" {
		t.Errorf("a new record without the new column: %v", err)
	}
	found := func(p store.Problem) {
		if !strings.Contains(p.What, "the document has") { // notes have no JSON:API document
			t.Error(p)
		}
	}
	if report, err := older.Check(ctx, []*store.Kind{note}, store.CheckRequest{Repair: true, Found: found}); err != nil || report.Newer != 2 {
		t.Errorf("%+v, %v", report, err)
	}
	err = s.View(ctx, ann, func(tx store.RecordTx) error {
		_, total, err = tx.List(ctx, &later, store.Filter{Where: []store.Cond{{Name: "pages", Values: []any{int64(7)}}}}, store.Page{}, nil)
		return err
	})
	if err != nil || total != 2 {
		t.Errorf("%d records have their new column, %v", total, err)
	}
	less := *note
	less.Revision, less.Columns = "0", append(slices.Clone(note.Columns), store.Column{Name: "weight", Type: store.IntColumn})
	if err := older.Prepare(ctx, []*store.Kind{&less}); !errors.As(err, &refused) {
		t.Errorf("a program that needs a column which is not there: %v", err)
	}
}

func TestMigrationNumbers(t *testing.T) {
	file := func(names ...string) fs.FS {
		files := fstest.MapFS{}
		for _, n := range names {
			files["migrations/"+n] = &fstest.MapFile{Data: []byte("SELECT 1")}
		}
		return files
	}
	for _, names := range [][]string{{"0002_a.sql"}, {"0001_a.sql", "0003_b.sql"}, {"0001_a.sql", "0001_b.sql"}, {"base.sql"}} {
		if _, err := readMigrations(file(names...)); err == nil {
			t.Errorf("%v are taken", names)
		}
	}
	if steps, err := readMigrations(file("0001_a.sql", "0002_b.sql")); err != nil || len(steps) != 2 {
		t.Errorf("%v, %v", steps, err)
	}
}

// TestConcurrentOpen opens one new file by several stores at the same time.
func TestConcurrentOpen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	var wg sync.WaitGroup
	for i := range 6 {
		wg.Go(func() {
			s, err := Open(path, Options{Readers: 1})
			if err != nil {
				t.Error(err)
				return
			}
			defer s.Close()
			if err := s.Prepare(ctx, []*store.Kind{note}); err != nil {
				t.Error(err)
				return
			}
			if err := put(ctx, s, ann, byte(i)); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if n := count(t, openAt(t, path), ann); n != 6 {
		t.Errorf("%d records, want 6", n)
	}
}

// TestTwoStores: two stores on one file, like two processes, see each other's
// commits.
func TestTwoStores(t *testing.T) {
	one := open(t)
	two := openAt(t, one.Path())
	for n := range byte(10) {
		mustPut(t, []*Store{one, two}[n%2], ann, n)
		for _, s := range []*Store{one, two} {
			if got := count(t, s, ann); got != int(n)+1 {
				t.Fatalf("%d records, want %d", got, n+1)
			}
		}
	}
}

// TestTwoWriters counts with two stores in one file. A transaction that reads
// before it takes the write lock would fail here, because its snapshot is outdated.
func TestTwoWriters(t *testing.T) {
	one := open(t)
	stores := []*Store{one, openAt(t, one.Path())}
	const writers, each = 4, 15
	counter := store.ID{1}
	var wg sync.WaitGroup
	for i := range writers {
		wg.Go(func() {
			for range each {
				err := stores[i%2].Update(ctx, ann, func(tx store.RecordTx) error {
					r, err := tx.Get(ctx, note, counter)
					if err != nil && !errors.Is(err, store.ErrNotFound) {
						return err
					}
					var n int
					if _, err := fmt.Sscan(string(r.Doc), &n); err != nil && len(r.Doc) > 0 {
						return err
					}
					w := write(1)
					w.Doc = fmt.Append(nil, n+1)
					_, err = tx.Put(ctx, note, w)
					return err
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	err := one.View(ctx, ann, func(tx store.RecordTx) error {
		r, err := tx.Get(ctx, note, counter)
		if want := fmt.Sprint(writers * each); string(r.Doc) != want || fmt.Sprint(r.Version) != want {
			t.Errorf("counted to %s in version %d, want %s", r.Doc, r.Version, want)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestNumbersAreNotGivenTwice deletes the last record in every possible way.
func TestNumbersAreNotGivenTwice(t *testing.T) {
	s := open(t)
	mustPut(t, s, ben, 1)
	rid := func(rtx store.RecordTx, n byte) int64 {
		t.Helper()
		tx := rtx.(*tx)
		table, err := tx.beginKind(ctx, note, false)
		if err != nil {
			t.Fatal(err)
		}
		r, err := tx.row(table, note, store.ID{n})
		if err != nil || r == nil {
			t.Fatal(r, err)
		}
		return r.rid
	}
	var last int64
	for range 3 {
		// Once in an update of its own, once in the same.
		for _, again := range []bool{false, true} {
			err := s.Update(ctx, ann, func(tx store.RecordTx) error {
				for range 2 {
					if _, err := tx.Put(ctx, note, write(1)); err != nil {
						return err
					}
					now := rid(tx, 1)
					if now <= last {
						t.Errorf("number %d after %d", now, last)
					}
					last = now
					if !again {
						break
					}
					if err := tx.Delete(ctx, note, store.ID{1}); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			if !again {
				if err := s.Update(ctx, ann, func(tx store.RecordTx) error { return tx.Delete(ctx, note, store.ID{1}) }); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

// TestInterruptedPrepare changes the type of a column and loses another, fails in
// the middle of the filling, and goes back to the kind as it was.
func TestInterruptedPrepare(t *testing.T) {
	s := open(t)
	mustPut(t, s, ann, 1, 2, 3)
	later := *note
	later.Columns = []store.Column{
		{Name: "author", Type: store.TextColumn},
		{Name: "stars", Type: store.TextColumn},
		{Name: "parent", Type: store.IDColumn},
	}
	later.Revision = "2"
	rendered := 0
	later.Render = func(r store.Record) (store.Write, error) {
		if rendered++; rendered == 3 {
			return store.Write{}, fs.ErrInvalid
		}
		return store.Write{Doc: r.Doc, Cols: []any{"author", fmt.Sprint(r.ID[0]), r.ID}}, nil
	}
	if err := s.Prepare(ctx, []*store.Kind{&later}); !errors.Is(err, fs.ErrInvalid) {
		t.Fatalf("error %v", err)
	}
	s.Close()

	before := *note
	before.Revision = "3"
	before.Render = func(r store.Record) (store.Write, error) { return write(r.ID[0]), nil }
	finds := func(s *Store, k *store.Kind, name string, value any) {
		t.Helper()
		err := s.View(ctx, ann, func(rtx store.RecordTx) error {
			f := store.Filter{Where: []store.Cond{{Name: name, Values: []any{value}}}}
			got, _, err := rtx.List(ctx, k, f, store.Page{}, nil)
			if err == nil && (len(got) != 1 || got[0].ID != store.ID{2}) {
				t.Errorf("%s=%v finds %v", name, value, got)
			}
			lines, err := pagePlan(t, rtx, k, f)
			if err == nil && !strings.Contains(lines[0], "r_note_c_"+name) {
				t.Errorf("%s is planned as %q", name, lines)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	s, err := Open(s.Path(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.Prepare(ctx, []*store.Kind{&before}); err != nil {
		t.Fatal(err)
	}
	finds(s, &before, "stars", int64(2))
	finds(s, &before, "written_at", time.UnixMicro(2))
	finds(s, &before, "parent", store.ID{2})
	later.Revision = "4"
	if err := s.Prepare(ctx, []*store.Kind{&later}); err != nil {
		t.Fatal(err)
	}
	finds(s, &later, "stars", "2")
	finds(s, &later, "parent", store.ID{2})
}

// query plans ----------------------------------------------------------------

// plan returns the lines of EXPLAIN QUERY PLAN.
func plan(t *testing.T, c *conn, q *query) []string {
	t.Helper()
	var lines []string
	err := c.query("EXPLAIN QUERY PLAN "+q.String(), q.args, func(v []driver.Value) error {
		lines = append(lines, v[3].(string))
		return nil
	})
	if err != nil {
		t.Fatalf("%s: %v", q.String(), err)
	}
	return lines
}

// pagePlan returns the lines of EXPLAIN QUERY PLAN for the first page of a list.
func pagePlan(t *testing.T, rtx store.RecordTx, k *store.Kind, f store.Filter) ([]string, error) {
	t.Helper()
	tx := rtx.(*tx)
	table, err := tx.beginKind(ctx, k, false)
	if err != nil {
		return nil, err
	}
	w, err := tx.plan(table, k, f)
	if err != nil {
		return nil, err
	}
	q, err := w.pageQuery(viewColumns, 30, 0)
	if err != nil {
		return nil, err
	}
	return plan(t, tx.conn, q), nil
}

// TestNoQueryLeavesItsAccount checks SQLite's plan for every shape of list, count
// and links: none may scan rows of other accounts.
func TestNoQueryLeavesItsAccount(t *testing.T) {
	t.Run("plain", func(t *testing.T) { noQueryLeavesItsAccount(t, note) })
	t.Run("counted", func(t *testing.T) { noQueryLeavesItsAccount(t, counted()) })
	t.Run("hinted", func(t *testing.T) { noQueryLeavesItsAccount(t, hinted(note)) })
	t.Run("counted and hinted", func(t *testing.T) { noQueryLeavesItsAccount(t, hinted(counted())) })
}

func noQueryLeavesItsAccount(t *testing.T, k *store.Kind) {
	s := open(t)
	for _, a := range []store.AccountID{ann, ben} {
		for n := range byte(50) {
			mustPut(t, s, a, n)
		}
	}
	if err := s.Prepare(ctx, []*store.Kind{k}); err != nil {
		t.Fatal(err)
	}
	cond := func(name string, op store.Op, values ...any) store.Cond {
		return store.Cond{Name: name, Op: op, Values: values}
	}
	now := time.Now()
	conds := []store.Cond{
		cond("author", store.Is, "x"), cond("author", store.Is, "x", "y", "z"), cond("author", store.Is, nil), cond("author", store.Is, "x", nil),
		cond("stars", store.From, int64(1)), cond("stars", store.To, int64(1)), cond("written_at", store.From, now),
		cond("parent", store.Is, store.ID{1}), cond("parent", store.Is),
		cond("tag", store.Has, "x"), cond("tag", store.Has, "x", "y"), cond("tag", store.HasPrefix, "x"), cond("tag", store.HasPrefix, "\xff"),
	}
	filters := []store.Filter{{}, {Outdated: true}}
	for i, c := range conds {
		filters = append(filters, store.Filter{Where: []store.Cond{c}})
		for _, d := range conds[i+1:] {
			filters = append(filters, store.Filter{Where: []store.Cond{c, d}})
		}
	}
	sorts := [][]store.Order{
		nil, {{}}, {{Name: "author"}}, {{Name: "author", Desc: true}}, {{Name: "written_at", Desc: true}, {Name: "stars"}},
	}
	shapes, sortless := 0, 0
	err := s.View(ctx, ann, func(rtx store.RecordTx) error {
		tx := rtx.(*tx)
		table, err := tx.beginKind(ctx, k, false)
		if err != nil {
			return err
		}
		check := func(q *query) []string {
			shapes++
			lines := plan(t, tx.conn, q)
			for _, line := range lines {
				ok := true
				switch {
				case strings.HasPrefix(line, "SCAN r_note"), strings.HasPrefix(line, "SCAN terms"):
					ok = false
				case strings.HasPrefix(line, "SEARCH r_note"):
					ok = strings.Contains(line, "(account=?") || strings.Contains(line, "(rowid=?)") || strings.Contains(line, "(rowid>? AND rowid<?)")
				case strings.HasPrefix(line, "SEARCH terms"):
					ok = strings.Contains(line, "(kind=? AND account=? AND name=? AND value")
				}
				// The facet index is for queries that name it. SQLite's planner
				// would use it as an account in order of creation, which is rarely
				// right.
				if strings.Contains(line, "_facets") && !strings.Contains(q.String(), "INDEXED BY r_note_facets") {
					ok = false
				}
				if !ok {
					t.Errorf("%s\nis planned as %q", q.String(), lines)
				}
			}
			return lines
		}
		for _, f := range filters {
			for _, f.Sort = range sorts {
				w, err := tx.plan(table, k, f)
				if err != nil {
					return err
				}
				q, err := w.pageQuery(viewColumns, 30, 0)
				if err != nil {
					return err
				}
				if q.matchesNothing {
					continue
				}
				lines := check(q)
				// The most frequent pages: the unfiltered list, one value of a
				// column, and the sort by one column read the first rows and stop.
				plain := len(f.Where) == 0 && !f.Outdated && (f.Sort == nil || len(f.Sort) == 1 && !table.unindexed(f.Sort[0].Name))
				equal := len(f.Where) == 1 && f.Where[0].Op == store.Is && len(f.Where[0].Values) == 1 && (f.Sort == nil || f.Sort[0].Name == "")
				if plain || equal {
					sortless++
					if slices.ContainsFunc(lines, func(l string) bool { return strings.Contains(l, "TEMP B-TREE") }) {
						t.Errorf("%s\nis sorted: %q", q.String(), lines)
					}
				}
			}
			f.Sort = nil
			w, err := tx.plan(table, k, f)
			if err != nil {
				return err
			}
			q, err := w.countQuery()
			if err != nil {
				return err
			}
			if q.matchesNothing {
				continue
			}
			lines := check(q)
			if len(f.Where) == 0 && !f.Outdated && !strings.Contains(lines[0], "COVERING INDEX") {
				t.Errorf("the rows are read to be counted: %q", lines)
			}
		}
		for _, ids := range [][]store.ID{{{1}}, {{1}, {2}}} {
			for _, name := range []string{"parent", "author", "tag"} {
				if table.unindexed(name) {
					continue
				}
				lines := check(tx.linksQuery(table, name, ids))
				for _, line := range lines {
					if name == "parent" && strings.HasPrefix(line, "SEARCH r_note") && !strings.Contains(line, "COVERING INDEX") {
						t.Errorf("links read records: %q", lines)
					}
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d queries planned, %d of them without a sort", shapes, sortless)
}

// faults ---------------------------------------------------------------------

func TestWaitForWriterEndsWithContext(t *testing.T) {
	s := open(t)
	inside, leave := make(chan struct{}), make(chan struct{})
	done := make(chan error)
	go func() {
		done <- s.Update(ctx, ann, func(store.RecordTx) error {
			close(inside)
			<-leave
			return nil
		})
	}()
	<-inside
	waiting, cancel := context.WithCancel(ctx)
	got := make(chan error)
	go func() { got <- put(waiting, s, ann, 1) }()
	cancel()
	if err := <-got; !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	close(leave)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	mustPut(t, s, ann, 2)
	if n := count(t, s, ann); n != 1 {
		t.Errorf("%d records", n)
	}
}

func TestUnavailable(t *testing.T) {
	for _, code := range []sqlite3.ErrNo{sqlite3.ErrBusy, sqlite3.ErrFull, sqlite3.ErrReadonly, sqlite3.ErrIoErr, sqlite3.ErrCantOpen} {
		err := wrap(sqlite3.Error{Code: code})
		var inner sqlite3.Error
		if !errors.Is(err, store.ErrUnavailable) || !errors.As(err, &inner) {
			t.Errorf("%v gives %v", code, err)
		}
	}
	if err := wrap(sqlite3.Error{Code: sqlite3.ErrCorrupt}); errors.Is(err, store.ErrUnavailable) {
		t.Error("a corrupt file will not pass")
	}
	if wrap(nil) != nil || wrap(fs.ErrClosed) != fs.ErrClosed {
		t.Error("wrap changes other errors")
	}
}

// withWriter calls fn with the connection that writes.
func withWriter(t testing.TB, s *Store, fn func(*conn)) {
	t.Helper()
	c, err := s.acquireWriterForReading(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer s.queue.release()
	fn(c)
}

func TestLocked(t *testing.T) {
	one := open(t)
	two := openAt(t, one.Path())
	// The real timeout is five seconds; what follows it is the same.
	withWriter(t, two, func(c *conn) {
		if _, err := c.c.Exec("PRAGMA busy_timeout=1", nil); err != nil {
			t.Fatal(err)
		}
	})
	err := one.Update(ctx, ann, func(store.RecordTx) error {
		if err := put(ctx, two, ann, 1); !errors.Is(err, store.ErrUnavailable) {
			t.Errorf("error %v", err)
		}
		_, err := two.Claim(ctx, store.ClaimRequest{Kinds: []store.JobKind{"k"}})
		if !errors.Is(err, store.ErrUnavailable) {
			t.Errorf("error %v", err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	mustPut(t, two, ann, 1)
}

// TestFull fills the file up to a bound in the middle of an update.
func TestFull(t *testing.T) {
	s := open(t)
	mustPut(t, s, ann, 1)
	var pages int64
	withWriter(t, s, func(c *conn) {
		pages, _, _ = c.queryInt("PRAGMA page_count")
		if _, err := c.c.Exec(fmt.Sprintf("PRAGMA max_page_count=%d", pages+20), nil); err != nil {
			t.Fatal(err)
		}
	})
	big := write(2)
	big.Doc = bytes.Repeat([]byte("x"), 1<<20)
	err := s.Update(ctx, ann, func(tx store.RecordTx) error {
		if _, err := tx.Put(ctx, note, write(3)); err != nil {
			return err
		}
		if _, err := tx.Put(ctx, note, big); !errors.Is(err, store.ErrUnavailable) {
			t.Errorf("error %v", err)
		}
		// The closure ignores the error. Nothing that it does may be committed.
		if _, err := tx.Put(ctx, note, write(4)); !errors.Is(err, store.ErrUnavailable) {
			t.Errorf("error %v", err)
		}
		if _, err := tx.Get(ctx, note, store.ID{1}); !errors.Is(err, store.ErrUnavailable) {
			t.Errorf("error %v", err)
		}
		return nil
	})
	if !errors.Is(err, store.ErrUnavailable) {
		t.Errorf("error %v", err)
	}
	if n := count(t, s, ann); n != 1 {
		t.Errorf("%d records, want the first alone", n)
	}
	withWriter(t, s, func(c *conn) {
		if _, err := c.c.Exec("PRAGMA max_page_count=1000000", nil); err != nil {
			t.Fatal(err)
		}
	})
	mustPut(t, s, ann, 5)
}

// TestRolledBackBySQLite ends the transaction while the closure runs.
func TestRolledBackBySQLite(t *testing.T) {
	s := open(t)
	err := s.Update(ctx, ann, func(rtx store.RecordTx) error {
		if _, err := rtx.Put(ctx, note, write(1)); err != nil {
			return err
		}
		rtx.(*tx).conn.rollback()
		_, err := rtx.Put(ctx, note, write(2))
		if !errors.Is(err, store.ErrUnavailable) {
			t.Errorf("error %v", err)
		}
		return nil
	})
	if !errors.Is(err, store.ErrUnavailable) {
		t.Errorf("error %v", err)
	}
	if n := count(t, s, ann); n != 0 {
		t.Errorf("%d records", n)
	}
}

func TestUseAfterClosure(t *testing.T) {
	s := open(t)
	var kept store.RecordTx
	keep := func(tx store.RecordTx) error { kept = tx; return nil }
	for _, run := range []func(context.Context, store.AccountID, func(store.RecordTx) error) error{s.View, s.Update} {
		if err := run(ctx, ann, keep); err != nil {
			t.Fatal(err)
		}
		if _, err := kept.Get(ctx, note, store.ID{}); !errors.Is(err, errTxClosed) {
			t.Errorf("error %v", err)
		}
		if _, err := kept.Put(ctx, note, write(1)); !errors.Is(err, errTxClosed) {
			t.Errorf("error %v", err)
		}
	}
}

// TestGoexit ends the goroutine of a closure, as t.FailNow does.
func TestGoexit(t *testing.T) {
	s := open(t)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = s.Update(ctx, ann, func(rtx store.RecordTx) error {
			_, _ = rtx.Put(ctx, note, write(1))
			runtime.Goexit()
			return nil
		})
	}()
	<-ended
	mustPut(t, s, ann, 2)
	if n := count(t, s, ann); n != 1 {
		t.Errorf("%d records", n)
	}
}

func TestStatementsAreBounded(t *testing.T) {
	s := open(t)
	err := s.View(ctx, ann, func(rtx store.RecordTx) error {
		c := rtx.(*tx).conn
		for i := range 2 * maxStmts {
			if n, _, err := c.queryInt(fmt.Sprintf("SELECT %d", i)); err != nil || n != int64(i) {
				return fmt.Errorf("%d, %w", n, err)
			}
		}
		if len(c.stmts) > maxStmts {
			t.Errorf("%d statements are kept", len(c.stmts))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestSuccessor(t *testing.T) {
	for prefix, want := range map[string]string{"a": "b", "ab": "ac", "a\xff": "b", "\x7f": "\x80", "a\xff\xff": "b", "\x00": "\x01"} {
		if got, ok := successor(prefix); !ok || got != want {
			t.Errorf("%q: %q, want %q", prefix, got, want)
		}
	}
	for _, prefix := range []string{"", "\xff", "\xff\xff"} {
		if got, ok := successor(prefix); ok {
			t.Errorf("%q: %q", prefix, got)
		}
	}
}

func TestTermsEncoding(t *testing.T) {
	terms := []store.Term{{Name: "b", Value: "\x00\xff"}, {Name: "a", Value: strings.Repeat("x", 300)}, {Name: "", Value: ""}, {Name: "b", Value: "\x00\xff"}}
	encoded := encodeTerms(terms)
	got, err := decodeTerms(encoded)
	if err != nil {
		t.Fatal(err)
	}
	if want := []store.Term{terms[2], terms[1], terms[0]}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	for n := range encoded {
		// Cut anywhere: an error or fewer terms, never a panic.
		_, _ = decodeTerms(encoded[:n])
	}
}

// files ----------------------------------------------------------------------

func TestBackup(t *testing.T) {
	s := open(t)
	for n := range byte(200) {
		mustPut(t, s, ann, n)
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "backup ?.db")
	// Writers continue meanwhile; the copy has some number of complete updates.
	stop := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for n := byte(0); ; n++ {
			select {
			case <-stop:
				return
			default:
				if err := put(ctx, s, ben, n); err != nil {
					t.Error(err)
					return
				}
			}
		}
	})
	err := s.Backup(ctx, path)
	close(stop)
	wg.Wait()
	if err != nil {
		t.Fatal(err)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("%d files, want the copy alone", len(entries))
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	if n := count(t, openAt(t, path), ann); n != 200 {
		t.Errorf("%d records in the copy", n)
	}
	if err := s.Backup(ctx, path); !errors.Is(err, fs.ErrExist) || !strings.Contains(err.Error(), path) {
		t.Errorf("error %v", err)
	}
	if err := s.Backup(ctx, s.Path()); !errors.Is(err, fs.ErrExist) {
		t.Errorf("error %v", err)
	}
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	if err := s.Backup(cancelled, filepath.Join(dir, "other.db")); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if err := s.Backup(ctx, filepath.Join(dir, "no", "x.db")); err == nil {
		t.Error("a backup into nowhere")
	}
	s.Close()
	if err := s.Backup(ctx, filepath.Join(dir, "closed.db")); !errors.Is(err, store.ErrClosed) {
		t.Errorf("error %v", err)
	}
	// The -wal and -shm files of the open copy aside, nothing is left behind.
	left, _ := filepath.Glob(filepath.Join(dir, "*partial*"))
	if len(left) != 0 {
		t.Errorf("left behind: %q", left)
	}
}

func TestIntegrityCheckFindsDamage(t *testing.T) {
	s := open(t)
	for n := range byte(200) {
		mustPut(t, s, ann, n)
	}
	path := filepath.Join(t.TempDir(), "copy.db")
	if err := s.Backup(ctx, path); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	copy(data[len(data)-8192:], bytes.Repeat([]byte{0x5a}, 8192))
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := checkIntegrity(t.Context(), path); err == nil {
		t.Error("a torn page passes")
	}
}

func TestLockServer(t *testing.T) {
	one := open(t)
	two := openAt(t, one.Path())
	release, err := one.LockServer()
	if err != nil {
		t.Fatal(err)
	}
	_, err = two.LockServer()
	if err == nil || !strings.Contains(err.Error(), "another server is running") || !strings.Contains(err.Error(), one.Path()+".lock") {
		t.Fatalf("error %v", err)
	}
	mustPut(t, two, ann, 1) // tools work beside a server
	if err := release(); err != nil {
		t.Fatal(err)
	}
	release, err = two.LockServer()
	if err != nil {
		t.Fatal(err)
	}
	release()
}

// A killed process ------------------------------------------------------------

// TestKilled starts another process that writes and reports each commit, kills it,
// and looks for what it reported.
func TestKilled(t *testing.T) {
	if path := os.Getenv("LANDFALL_TEST_KILLED"); path != "" {
		s := openAt(t, path)
		if _, err := s.LockServer(); err != nil {
			t.Fatal(err)
		}
		for n := 1; ; n++ {
			err := s.Update(ctx, ann, func(tx store.RecordTx) error {
				w := write(1)
				w.ID = uuid.New()
				_, err := tx.Put(ctx, note, w)
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			fmt.Printf("committed %d\n", n)
		}
	}
	path := filepath.Join(t.TempDir(), "test.db")
	cmd := exec.Command(os.Args[0], "-test.run=^TestKilled$", "-test.v")
	cmd.Env = append(os.Environ(), "LANDFALL_TEST_KILLED="+path)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var seen []byte
	for buf := make([]byte, 256); !bytes.Contains(seen, []byte("committed 20\n")); {
		n, err := out.Read(buf)
		seen = append(seen, buf[:n]...)
		if err != nil {
			break
		}
	}
	_ = cmd.Process.Kill()
	rest := make([]byte, 1<<16)
	for {
		n, err := out.Read(rest)
		seen = append(seen, rest[:n]...)
		if err != nil {
			break
		}
	}
	_ = cmd.Wait()
	committed := bytes.Count(seen, []byte("committed "))
	if committed < 20 {
		t.Fatalf("the process ended early: %s", seen)
	}
	s := openAt(t, path)
	if n := count(t, s, ann); n < committed || n > committed+1 {
		t.Errorf("%d records, though %d commits were reported", n, committed)
	}
	if err := checkIntegrity(t.Context(), path); err != nil {
		t.Error(err)
	}
	release, err := s.LockServer() // the lock went with the process
	if err != nil {
		t.Fatal(err)
	}
	release()
}

// TestSmallResultsAreSorted: where a condition has a small result, the rows are
// found by it and sorted, and the account is not scanned in sorted order.
func TestSmallResultsAreSorted(t *testing.T) {
	s := open(t)
	mustPut(t, s, ann, 1, 2, 3)
	err := s.View(ctx, ann, func(rtx store.RecordTx) error {
		tx := rtx.(*tx)
		table, err := tx.beginKind(ctx, note, false)
		if err != nil {
			return err
		}
		w, err := tx.plan(table, note, store.Filter{
			Where: []store.Cond{{Name: "parent", Values: []any{store.ID{2}}}},
			Sort:  []store.Order{{Name: "stars", Desc: true}},
		})
		if err != nil {
			return err
		}
		q, err := w.pageQuery(viewColumns, 30, 0)
		if err != nil {
			return err
		}
		if lines := plan(t, tx.conn, q); !strings.Contains(lines[0], "r_note_c_parent") {
			t.Errorf("a sorted list of one parent's records is planned as %q", lines)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// The connection that was returned last has the most recent page cache.
func TestReadersAreReusedLastFirst(t *testing.T) {
	s := open(t)
	take := func() *conn {
		t.Helper()
		c, err := s.acquireReader(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	a, b := take(), take()
	s.releaseReader(a)
	s.releaseReader(b)
	if take() != b || take() != a {
		t.Error("the connections are used in rotation")
	}
	s.releaseReader(a)
	s.releaseReader(b)
}

// A start opens one connection that reads, and readers at the same time the others.
func TestReadersAreOpenedWhenNeeded(t *testing.T) {
	s := openWith(t, filepath.Join(t.TempDir(), "test.db"), Options{Readers: 3})
	if c := s.readers.conns; c[0] != nil || c[1] != nil || c[2] == nil {
		t.Fatalf("the connections are %v", c)
	}
	first, err := s.acquireReader(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	second, err := s.acquireReader(t.Context())
	if err != nil || second == nil || second == first {
		t.Fatalf("the second connection is %v, the first %v: %v", second, first, err)
	}
	s.releaseReader(second)
	s.releaseReader(first)
}

// TestReplacedFile: a file in the place of the one that is open is not read, and connections
// that are open serve on.
//
// Seen to fail: without checkFile in connect, and with connections that are not open on top.
func TestReplacedFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "test.db")
	s := openWith(t, file, Options{Readers: 2})
	if err := s.Prepare(ctx, []*store.Kind{note}); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(file, file+".moved"); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("another"), 0o600); err != nil {
		t.Fatal(err)
	}
	first, err := s.acquireReader(ctx)
	if err != nil {
		t.Fatal(err)
	}
	second, err := s.acquireReader(ctx)
	if !errors.Is(err, store.ErrUnavailable) || !strings.Contains(err.Error(), "moved or replaced") {
		t.Errorf("a second connection: %v", err)
	}
	if err == nil {
		s.releaseReader(second)
	}
	s.releaseReader(first)
	again, err := s.acquireReader(ctx)
	if err != nil {
		t.Fatalf("after that: %v", err)
	}
	s.releaseReader(again)
}
