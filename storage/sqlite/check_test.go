//go:build cgo

package sqlite

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/landfallhq/tracking/store"
)

// leaf is a kind whose columns and terms are derived from its document.
var leaf = &store.Kind{
	Name: "leaf",
	Columns: []store.Column{
		{Name: "author", Type: store.TextColumn, Counted: true},
		{Name: "parent", Type: store.IDColumn},
	},
	Revision: "2",
	Render: func(r store.Record) (store.Write, error) {
		var doc struct {
			Author string
			Parent store.ID
			Tags   []string
		}
		if err := json.Unmarshal(r.Doc, &doc); err != nil {
			return store.Write{}, err
		}
		return leafWrite(r.ID, doc.Author, doc.Parent, doc.Tags...), nil
	},
}

func leafWrite(id store.ID, author string, parent store.ID, tags ...string) store.Write {
	doc, err := json.Marshal(map[string]any{"id": id, "type": "leaf", "author": author, "parent": parent, "tags": tags})
	if err != nil {
		panic(err)
	}
	w := store.Write{ID: id, Doc: doc, Cols: []any{author, parent}}
	for _, tag := range tags {
		w.Terms = append(w.Terms, store.Term{Name: "tag", Value: tag})
	}
	return w
}

// leafFile is a file with jobs and more leaves than one batch of the check.
var leafFile = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "leaves")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "leaves.db")
	s, err := Open(path, Options{Readers: 1})
	if err != nil {
		return nil, err
	}
	err = s.Prepare(ctx, []*store.Kind{note, leaf})
	for i, a := range []store.AccountID{ann, ben} {
		err = errors.Join(err, s.Update(ctx, a, func(tx store.RecordTx) error {
			for n := range checkBatch + 10 {
				id := store.ID{byte(i), byte(n >> 8), byte(n)}
				if _, err := tx.Put(ctx, leaf, leafWrite(id, "author", store.ID{1}, "red", fmt.Sprint("n", n))); err != nil {
					return err
				}
			}
			return tx.Enqueue(ctx, store.Job{ID: store.ID{9}, Kind: "work", Group: "g", Due: time.UnixMicro(1)})
		}))
	}
	if err := errors.Join(err, s.Close()); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
})

// leaves opens a copy of that file.
func leaves(t *testing.T) *Store {
	t.Helper()
	file, err := leafFile()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "leaves.db")
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
	s := openAt(t, path)
	if err := s.Prepare(ctx, []*store.Kind{note, leaf}); err != nil {
		t.Fatal(err)
	}
	return s
}

// looked is the output of a check.
type looked struct {
	store.CheckReport
	lines []string
}

func look(t *testing.T, s *Store, repair bool) (l looked) {
	t.Helper()
	report, err := s.Check(ctx, []*store.Kind{leaf}, store.CheckRequest{Repair: repair, Found: func(p store.Problem) {
		l.lines = append(l.lines, fmt.Sprint(p, " repaired:", p.Repaired))
	}})
	if err != nil {
		t.Fatal(err)
	}
	l.CheckReport = report
	if len(l.lines) != l.Problems {
		t.Errorf("%d problems, but %d reported", l.Problems, len(l.lines))
	}
	return l
}

func TestCheckFindsNothing(t *testing.T) {
	l := look(t, leaves(t), false)
	if l.Problems != 0 || l.Records != 2*(checkBatch+10) || l.Kinds != 1 || l.Outdated != 0 {
		t.Errorf("%+v", l)
	}
}

// Each thing is damaged once, found, repaired if possible, and then correct.
func TestCheck(t *testing.T) {
	const one = " WHERE rid = (1 << 40) + 3" // in the first batch of ann
	const far = " WHERE rid = (2 << 40) + 505"
	const kind = "(SELECT no FROM kinds WHERE name = 'leaf')"
	for _, c := range []struct {
		name, sql, want string
		repairable      bool
	}{
		{"text column", "UPDATE r_leaf SET c_author = 'x'" + one, `column author is "x", but by the document "author"`, true},
		{"column without a value", "UPDATE r_leaf SET c_parent = NULL" + far, "column parent is none", true},
		{"terms of the row", "UPDATE r_leaf SET terms = NULL" + one, "its terms differ from those of the document", true},
		{"entry of a term is missing", "DELETE FROM terms WHERE kind = " + kind + " AND value = 'n504' AND account = 2", `it is not found by tag "n504"`, true},
		{"entry of a term has another ID", "UPDATE terms SET id = x'00' WHERE kind = " + kind + " AND value = 'n2' AND account = 1", `it is not found by tag "n2"`, true},
		{"entry without a record", "INSERT INTO terms VALUES (" + kind + ", 2, 'tag', 'red', (2 << 40) + 9999, x'00')", "which it does not have", true},
		{"entry that the record does not have", "INSERT INTO terms SELECT kind, account, name, 'blue', rid, id FROM terms" + one + " AND value = 'red' AND kind = " + kind, `is found by tag "blue"`, true},
		{"terms of no kind", "INSERT INTO terms VALUES (99, 1, 'tag', 'x', 1, x'00')", "terms are kept for a kind", true},
		{"no JSON", "UPDATE r_leaf SET doc = substr(doc, 2)" + one, "the document is not JSON", false},
		{"another id", "UPDATE r_leaf SET doc = CAST(replace(CAST(doc AS TEXT), '\"id\":\"00', '\"id\":\"ff') AS BLOB)" + one, "the document has the id", false},
		{"another type", "UPDATE r_leaf SET doc = CAST(replace(CAST(doc AS TEXT), '\"leaf\"', '\"tree\"') AS BLOB)" + one, `the document has the type "tree"`, false},
		{"not to be read", "UPDATE r_leaf SET doc = CAST(replace(CAST(doc AS TEXT), '[\"red\"', '[5') AS BLOB)" + one, "the document cannot be read", false},
		{"nothing where something always is", "CREATE TEMP TABLE x AS SELECT rid FROM r_leaf" + one + "; PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, 'NOT NULL', '') WHERE name = 'r_leaf'; PRAGMA writable_schema = RESET; UPDATE r_leaf SET version = NULL, revision = NULL, id = NULL, doc = NULL WHERE rid IN x; PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(replace(replace(replace(sql, 'version  INTEGER', 'version  INTEGER NOT NULL'), 'revision TEXT', 'revision TEXT NOT NULL'), 'BLOB   ', 'BLOB NOT NULL'), 'doc      BLOB', 'doc      BLOB NOT NULL') WHERE name = 'r_leaf'; PRAGMA writable_schema = RESET", "it has no version", false},
		{"account is gone", "DELETE FROM accounts WHERE no = 2", "belong to account number 2, which does not exist", false},
		{"job of nobody", "INSERT INTO jobs (account, id, grp, ref, due) VALUES (77, x'01', 1, x'01', 1)", "its account, number 77, does not exist", true},
		{"job without a group", "DELETE FROM groups", "its group does not exist", false},
		{"index is missing", "DROP INDEX r_leaf_c_author", "index r_leaf_c_author is missing", true},
		{"base index is missing", "DROP INDEX jobs_due", "index jobs_due is missing", true},
		{"another index", "DROP INDEX jobs_due; CREATE INDEX jobs_due ON jobs (no)", "index jobs_due has a different definition", true},
		{"column has another type", "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, 'c_parent BLOB', 'c_parent TEXT') WHERE name = 'r_leaf'; PRAGMA writable_schema = RESET; CREATE TABLE x (x); DROP TABLE x", `column c_parent of table r_leaf has the type "TEXT", not BLOB`, false},
		{"numbers of no kind", "INSERT INTO seqs (kind, account, last) VALUES (99, 1, 5)", "numbers are kept for a kind", true},
		{"number out of range", "INSERT INTO seqs (kind, account, last) VALUES (" + kind + ", 1, -5)", "the last running number of a kind", true},
		{"total", "UPDATE totals SET n = n + 1", "the total of author = 'author' in account 1 is kept as 511, but there are 510", true},
		{"total of no kind", "INSERT INTO totals VALUES (99, 1, 'author', 'x', 1)", "totals are kept for a kind", true},
		{"holes", "INSERT INTO holes VALUES (" + kind + ", 1, 8, 0, 3)", "3 gaps are kept for chunk 0", true},
		{"holes of no kind", "INSERT INTO holes VALUES (99, 1, 8, 0, 3)", "gaps are kept for a kind", true},
		{"trigger is missing", "DROP TRIGGER r_leaf_deleted; DELETE FROM r_leaf" + one, "trigger r_leaf_deleted is missing", true},
		{"number of the last commit", "DELETE FROM meta WHERE name = 'commit'", "the commit number is missing", true},
		{"servings", "UPDATE groups SET served = 7", "the serving counter", true},
		{"group of another account", "UPDATE groups SET account = 77", "a group belongs to one account", true},
		{"servings are not counted", "DELETE FROM meta WHERE name = 'served'", "the serving counter", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := leaves(t)
			// As a program that breaks the rules would.
			execSQL(t, s.Path(), "PRAGMA foreign_keys = OFF; "+c.sql)
			first := look(t, s, false)
			if !strings.Contains(strings.Join(first.lines, "\n"), c.want) || first.Repaired != 0 {
				t.Fatalf("found %q, want %q", first.lines, c.want)
			}
			repaired := look(t, s, true)
			if (repaired.Left() == 0) != c.repairable || !strings.Contains(strings.Join(repaired.lines, "\n"), fmt.Sprint("repaired:", c.repairable)) {
				t.Errorf("repaired %q", repaired.lines)
			}
			if last := look(t, s, false); (last.Problems == 0) != c.repairable {
				t.Errorf("afterwards %q", last.lines)
			}
		})
	}
}

// An index that has lost an entry is rebuilt.
func TestCheckReindexes(t *testing.T) {
	s := leaves(t)
	// The index is emptied behind SQLite's back: declared as one without rows,
	// rebuilt, and declared as before.
	execSQL(t, s.Path(), `PRAGMA writable_schema = ON;
		UPDATE sqlite_schema SET sql = sql || ' WHERE 0' WHERE name = 'r_leaf_c_parent';
		PRAGMA writable_schema = RESET; REINDEX r_leaf_c_parent; PRAGMA writable_schema = ON;
		UPDATE sqlite_schema SET sql = replace(sql, ' WHERE 0', '') WHERE name = 'r_leaf_c_parent';
		PRAGMA writable_schema = RESET`)
	const want = "index r_leaf_c_parent disagrees with its table"
	if l := look(t, s, false); l.Problems != 1 || !strings.Contains(l.lines[0], want) {
		t.Fatalf("found %q", l.lines)
	}
	if l := look(t, s, true); l.Left() != 0 || l.Problems != 1 {
		t.Errorf("repaired %q", l.lines)
	}
	if l := look(t, s, false); l.Problems != 0 {
		t.Errorf("afterwards %q", l.lines)
	}
}

// A record in an older revision is no problem, as long as it can be read.
func TestCheckOutdated(t *testing.T) {
	s := leaves(t)
	execSQL(t, s.Path(), "UPDATE r_leaf SET revision = '1', c_author = 'x' WHERE rid = (1 << 40) + 3")
	if l := look(t, s, true); l.Problems != 0 || l.Outdated != 1 {
		t.Errorf("%+v", l)
	}
}

// A repair changes neither documents nor versions.
func TestCheckRepairsNoDocument(t *testing.T) {
	s := leaves(t)
	sum := func() (sum string) {
		withWriter(t, s, func(c *conn) {
			var err error
			if sum, err = c.queryText("SELECT group_concat(hex(doc) || version || ifnull(hex(private), '')) FROM r_leaf"); err != nil {
				t.Fatal(err)
			}
		})
		return sum
	}
	execSQL(t, s.Path(), "UPDATE r_leaf SET c_author = 'x', terms = NULL; DELETE FROM terms")
	before := sum()
	if l := look(t, s, true); l.Problems < 2*(checkBatch+10) || l.Left() != 0 {
		t.Errorf("%d problems, %d left", l.Problems, l.Left())
	}
	if sum() != before {
		t.Error("the repair has changed documents")
	}
	if l := look(t, s, false); l.Problems != 0 {
		t.Errorf("afterwards %q", l.lines)
	}
}

// A check ends with its context, and runs while another goroutine writes.
func TestCheckWhileWriting(t *testing.T) {
	s := leaves(t)
	stop, ended := make(chan struct{}), make(chan error, 1)
	go func() {
		for n := 0; ; n++ {
			select {
			case <-stop:
				ended <- nil
				return
			default:
			}
			err := s.Update(ctx, ben, func(tx store.RecordTx) error {
				_, err := tx.Put(ctx, leaf, leafWrite(store.ID{1, 0, byte(n)}, fmt.Sprint("author ", n), store.ID{byte(n)}, fmt.Sprint("tag ", n)))
				return err
			})
			if err != nil {
				ended <- err
				return
			}
		}
	}()
	for range 5 {
		if l := look(t, s, true); l.Problems != 0 {
			t.Errorf("found %q", l.lines)
		}
	}
	close(stop)
	if err := <-ended; err != nil {
		t.Error(err)
	}
	over, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := s.Check(over, []*store.Kind{leaf}, store.CheckRequest{}); err == nil {
		t.Error("a check goes on without its context")
	}
}

// TestCheckOfNewerDocument: a document of a later generation may be in a form that this
// program does not know, and is no fault.
//
// Seen to fail: with each document of a kind in JSON compared with JSON.
func TestCheckOfNewerDocument(t *testing.T) {
	s := openWith(t, filepath.Join(t.TempDir(), "test.db"), Options{})
	if err := s.Prepare(ctx, []*store.Kind{leaf}); err != nil {
		t.Fatal(err)
	}
	if err := s.Update(ctx, ann, func(tx store.RecordTx) error {
		_, err := tx.Put(ctx, leaf, leafWrite(store.ID{1}, "ann", store.ID{}))
		return err
	}); err != nil {
		t.Fatal(err)
	}
	withWriter(t, s, func(c *conn) {
		if err := c.exec("UPDATE r_leaf SET revision = 'g999999', doc = x'80ff', checksum = NULL"); err != nil {
			t.Fatal(err)
		}
	})
	if _, err := s.Check(ctx, []*store.Kind{leaf}, store.CheckRequest{Found: func(p store.Problem) { t.Error(p) }}); err != nil {
		t.Fatal(err)
	}
}
