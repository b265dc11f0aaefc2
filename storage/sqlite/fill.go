//go:build cgo

package sqlite

import (
	"cmp"
	"database/sql/driver"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
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

// insertIntoFill begins the INSERTs into a file that is being filled. With OR FAIL,
// SQLite keeps no copies of the changed pages to roll back one statement: if one
// fails, the file is unusable.
const insertIntoFill = "INSERT OR FAIL INTO "
