//go:build cgo

package sqlite

import (
	"cmp"
	"database/sql/driver"
	"errors"
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

// finishFill switches a filled file to WAL mode, as Open does.
func (s *Store) finishFill(c *conn) error {
	if s.opts.FillBytes <= 0 || c == nil {
		return nil
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
	id          store.ID
}

func (f pendingTerm) compare(o pendingTerm) int {
	return cmp.Or(cmp.Compare(f.kind, o.kind), cmp.Compare(f.name, o.name), cmp.Compare(f.value, o.value), cmp.Compare(f.rid, o.rid))
}

const (
	// mostPendingTerms is how many terms are inserted together. Because they are
	// sorted, each page of the table is touched once.
	mostPendingTerms = 1 << 19
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
		t.pendingTerms = append(t.pendingTerms, pendingTerm{table.no, rid, term.Name, term.Value, w.ID})
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
	slices.SortFunc(t.pendingTerms, pendingTerm.compare)
	rows := slices.Compact(t.pendingTerms) // drop duplicates
	args := make([]driver.Value, 0, 6*termsPerInsert)
	for chunk := range slices.Chunk(rows, termsPerInsert) {
		args = args[:0]
		for i := range chunk {
			f := &chunk[i]
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
