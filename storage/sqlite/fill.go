//go:build cgo

package sqlite

import (
	"cmp"
	"database/sql/driver"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/landfallhq/tracking/store"
)

// journal is the journal mode of connections.
func (o Options) journal() string {
	if o.FillBytes > 0 {
		return "OFF"
	}
	return "WAL"
}

// onDisk reports whether the file is an ordinary one: not filled, and not on the
// disk of a fault test.
func (o Options) onDisk() bool { return o.FillBytes == 0 && !o.exclusive && o.vfs == "" }

// checkFillTarget refuses to fill an existing file, whose content could be lost.
func checkFillTarget(path string, opts Options) error {
	if opts.FillBytes <= 0 {
		return nil
	}
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		return cmp.Or(err, errors.New("only a new file can be filled, and this one exists"))
	}
	return nil
}

// postponed is a table of Options.FillNew: its indexes are made by finishFill. Until
// then a narrow table has the key columns of its rows, written by a trigger, so that
// making an index does not read the documents.
type postponed struct {
	table, keys string
	indexes     [][2]string // name and SQL
}

// postponeIndexes drops the indexes of a new table.
func (s *Store) postponeIndexes(c *conn, t *table, kind string) error {
	if s.opts.FillBytes <= 0 || !slices.Contains(s.opts.FillNew, kind) {
		return nil
	}
	p := postponed{table: t.name, keys: "keys_" + t.name}
	err := c.query("SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = ? ORDER BY rowid", []driver.Value{t.name}, func(v []driver.Value) error {
		p.indexes = append(p.indexes, [2]string{v[0].(string), v[1].(string)})
		return nil
	})
	if err != nil {
		return err
	}
	s.postponed = append(s.postponed, p)
	var columns, values string
	for _, column := range t.columns {
		columns += ", c_" + column.Name + " " + sqlType(column.Type)
		values += ", NEW.c_" + column.Name
	}
	statements := []string{
		"CREATE TABLE " + p.keys + " (rid INTEGER PRIMARY KEY, account INTEGER NOT NULL, id BLOB NOT NULL, revision TEXT NOT NULL" + columns + ") STRICT",
		"CREATE TRIGGER " + p.keys + "_inserted AFTER INSERT ON " + p.table + " BEGIN INSERT INTO " + p.keys + " VALUES (NEW.rid, NEW.account, NEW.id, NEW.revision" + values + "); END",
	}
	for _, index := range p.indexes {
		statements = append(statements, "DROP INDEX "+index[0])
	}
	for _, sql := range statements {
		if err := c.exec(sql); err != nil {
			return err
		}
	}
	return nil
}

// makeIndexes makes the indexes on the narrow table, and hands them over to the table
// itself: an index is the same for every table with the same keys and rids.
func (p *postponed) makeIndexes(c *conn) error {
	if err := c.exec("DROP TRIGGER " + p.keys + "_inserted"); err != nil {
		return err
	}
	for _, index := range p.indexes {
		on := index[0] + " ON "
		if err := c.exec(strings.Replace(index[1], on+p.table+" ", "keys_"+on+p.keys+" ", 1)); err != nil {
			return err
		}
	}
	if err := c.setPragma("writable_schema=ON"); err != nil {
		return err
	}
	for _, index := range p.indexes {
		err := c.exec("UPDATE sqlite_schema SET name = ?, tbl_name = ?, sql = ? WHERE type = 'index' AND name = ?", index[0], p.table, index[1], "keys_"+index[0])
		if err != nil {
			return err
		}
	}
	if err := c.setPragma("writable_schema=RESET"); err != nil { // reads the schema again
		return err
	}
	return c.exec("DROP TABLE " + p.keys)
}

// finishFill makes the postponed indexes and switches a filled file to WAL mode, as
// Open does.
func (s *Store) finishFill(c *conn) error {
	if s.opts.FillBytes <= 0 || c == nil {
		return nil
	}
	// Runs that fit into a cache of the processor are sorted twice as fast as all keys
	// in memory, and another thread merges them.
	if s.postponed != nil {
		for _, p := range []string{"temp_store=FILE", "cache_size=-4096", "threads=1"} {
			if err := c.setPragma(p); err != nil {
				return err
			}
		}
	}
	for i := range s.postponed {
		err := c.transaction("BEGIN", func() error { return s.postponed[i].makeIndexes(c) })
		if err != nil {
			return fmt.Errorf("the indexes of %s: %w", s.postponed[i].table, err)
		}
	}
	if err := c.setPragma("journal_mode=WAL"); err != nil {
		return err
	}
	return checkPragmas(c.pragma, []pragma{{"journal_mode", "wal"}})
}

// syncFill waits until the whole file is on disk. No connection may be open:
// closing the file would drop SQLite's locks in this process.
func (s *Store) syncFill() error {
	if s.opts.FillBytes <= 0 {
		return nil
	}
	f, err := os.OpenFile(s.file, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// pendingTerm is a row of the table terms that is not inserted yet. Its account is
// that of the transaction.
type pendingTerm struct {
	kind, rid   int64
	name, value string
	start       uint64 // the first bytes of value, which decide most comparisons
	id          store.ID
}

func (f *pendingTerm) compare(o *pendingTerm) int {
	if f.kind != o.kind {
		return cmp.Compare(f.kind, o.kind)
	}
	if f.name != o.name {
		return strings.Compare(f.name, o.name)
	}
	if f.start != o.start {
		return cmp.Compare(f.start, o.start)
	}
	if c := strings.Compare(f.value, o.value); c != 0 {
		return c
	}
	return cmp.Compare(f.rid, o.rid)
}

// startOf returns the first eight bytes of a text as a number in the same order.
func startOf(text string) (start uint64) {
	var b [8]byte
	copy(b[:], text)
	return binary.BigEndian.Uint64(b[:])
}

// sortTerms sorts the numbers of terms, which are smaller than terms.
func sortTerms(terms []pendingTerm) []int32 {
	order := make([]int32, len(terms))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(i, j int32) int { return terms[i].compare(&terms[j]) })
	return slices.CompactFunc(order, func(i, j int32) bool { return terms[i].compare(&terms[j]) == 0 })
}

const (
	// mostPendingTerms is how many terms are inserted together. Because they are
	// sorted, each page of the table is touched once.
	mostPendingTerms = 1 << 21
	// termsPerInsert is how many of them one statement inserts.
	termsPerInsert = 64
)

// insertIntoFill begins the INSERTs into a file that is being filled. With OR FAIL,
// SQLite keeps no copies of the changed pages to roll back one statement: if one
// fails, the file is unusable.
const insertIntoFill = "INSERT OR FAIL INTO "

// queueTerms is replaceTerms for a new record in a file that is being filled. Two
// of three rows inserted there are terms.
func (t *tx) queueTerms(table *table, rid int64, w store.Write) error {
	for _, term := range w.Terms {
		t.pendingTerms = append(t.pendingTerms, pendingTerm{table.no, rid, term.Name, term.Value, startOf(term.Value), w.ID})
	}
	if len(t.pendingTerms) < mostPendingTerms {
		return nil
	}
	return t.flushTerms()
}

// flushTerms inserts the pending terms.
func (t *tx) flushTerms() error {
	if len(t.pendingTerms) == 0 {
		return nil
	}
	rows := sortTerms(t.pendingTerms)
	args := make([]driver.Value, 0, 6*termsPerInsert)
	for chunk := range slices.Chunk(rows, termsPerInsert) {
		args = args[:0]
		for _, i := range chunk {
			f := &t.pendingTerms[i]
			args = append(args, f.kind, t.accountNo, f.name, f.value, f.rid, f.id[:])
		}
		sql := insertIntoFill + "terms (kind, account, name, value, rid, id) VALUES (?, ?, ?, ?, ?, ?)" + strings.Repeat(", (?, ?, ?, ?, ?, ?)", len(chunk)-1)
		if err := t.conn.exec(sql, args...); err != nil {
			return t.fail(err)
		}
	}
	clear(t.pendingTerms)
	t.pendingTerms = t.pendingTerms[:0]
	return nil
}
