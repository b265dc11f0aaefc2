//go:build cgo

package sqlite

import (
	"context"
	"database/sql/driver"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"strings"

	"github.com/landfallhq/tracking/store"
)

// Every row of a kind has a checksum of its document and private part, because SQLite
// has none: a bit that flips on the disk inside a text is otherwise shown as it is.
// The check compares it, and so does everything that reads a record from the file.
//
// A checksum is eight bytes: the CRC-32C of the ID, the version and the revision of
// the row, and that of its private part and document. A program from before the
// checksums changes the version or the revision of every row whose content it
// changes, and leaves the checksum alone: then the first half differs, and the row
// counts as one without a checksum. NULL is none too.
const checksumSize = 8

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// noChecksum stands for NULL where a checksum is part of a longer value.
const noChecksum = "x'0000000000000000'"

// newChecksum returns the checksum of a row.
func newChecksum(id []byte, version int64, revision string, private, doc []byte) (sum [checksumSize]byte) {
	binary.BigEndian.PutUint32(sum[:], checksumOfHead(id, version, revision))
	binary.BigEndian.PutUint32(sum[4:], checksumOfBody(private, doc))
	return sum
}

// checksumArgument is an argument of statements that is allocated once.
type checksumArgument struct {
	sum      *[checksumSize]byte
	argument driver.Value // sum as a slice
}

// value returns a checksum as an argument that holds until the next call.
func (a *checksumArgument) value(sum [checksumSize]byte) driver.Value {
	if a.sum == nil {
		a.sum = new([checksumSize]byte)
		a.argument = a.sum[:]
	}
	*a.sum = sum
	return a.argument
}

// checksumOfHead is never zero, so that no checksum is that of noChecksum. The version
// is not written into a buffer, which would be allocated for each record.
func checksumOfHead(id []byte, version int64, revision string) uint32 {
	sum := crc32.Update(crc32.Checksum(id, castagnoli), castagnoli, bytesOf(revision))
	return max(1, sum^uint32(version)*0x9e3779b1^uint32(version>>32))
}

func checksumOfBody(private, doc []byte) uint32 {
	return crc32.Update(crc32.Checksum(private, castagnoli), castagnoli, doc)
}

// compareChecksum compares the checksum of a row with its content. Known is false if
// the row has none.
func compareChecksum(sum, id []byte, version int64, revision string, private, doc []byte) (known, equal bool) {
	if len(sum) != checksumSize || binary.BigEndian.Uint32(sum) != checksumOfHead(id, version, revision) {
		return false, true
	}
	return true, binary.BigEndian.Uint32(sum[4:]) == checksumOfBody(private, doc)
}

// verify returns an error if a row in the present revision of its kind has another
// checksum than its content.
func verify(k *store.Kind, sum, id []byte, r store.Record) error {
	if _, equal := compareChecksum(sum, id, r.Version, k.Revision, r.Private, r.Doc); !equal {
		return fmt.Errorf("sqlite: %s %s is damaged: its checksum is not that of its document: check the store, and restore it from a backup", k.Name, r.ID)
	}
	return nil
}

// addChecksumColumns adds the column to the tables of a file from before the
// checksums. Their rows get one when they are written, or by Upkeep.
func addChecksumColumns(c *conn) error {
	var names []string
	err := c.query(`SELECT name FROM sqlite_schema t WHERE type = 'table' AND name GLOB 'r_*'
		AND NOT EXISTS (SELECT 1 FROM pragma_table_info(t.name) WHERE name = 'checksum')`, nil, func(v []driver.Value) error {
		names = append(names, text(v[0]))
		return nil
	})
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := c.exec("ALTER TABLE " + name + " ADD COLUMN checksum BLOB"); err != nil {
			return err
		}
		if err := c.exec("INSERT OR IGNORE INTO meta (name, value) VALUES (?, -1)", unsummed+name); err != nil {
			return err
		}
	}
	return nil
}

// unsummed precedes the name of a table in meta while rows may be without checksum.
// The value is the last rid up to which all have one.
const unsummed = "without checksums: "

var _ store.Maintainer = (*Store)(nil)

// Maintain implements store.Maintainer: it adds checksums to rows that an older
// program has written.
func (s *Store) Maintain(ctx context.Context) (more bool, err error) {
	var name string
	var last int64
	r, err := s.acquireReader(ctx)
	if err != nil {
		return false, err
	}
	err = r.query("SELECT name, value FROM meta WHERE name GLOB ? ORDER BY name LIMIT 1", []driver.Value{unsummed + "*"}, func(v []driver.Value) error {
		name, last = text(v[0]), integer(v[1])
		return nil
	})
	s.releaseReader(r)
	if err != nil || name == "" {
		return false, err
	}
	err = s.writeAlone(ctx, func(c *conn) error {
		last, more, err := addChecksums(c, strings.TrimPrefix(name, unsummed), last)
		if err != nil {
			return err
		}
		if !more {
			return c.exec("DELETE FROM meta WHERE name = ?", name)
		}
		return c.exec("UPDATE meta SET value = ? WHERE name = ?", last, name)
	})
	return err == nil, err
}

// checksumBatch is how many rows get a checksum in one transaction.
const checksumBatch = 200

// addChecksums adds checksums to the next rows of a table that have none. Versions
// and commit numbers stay: what readers see does not change.
func addChecksums(c *conn, table string, last int64) (_ int64, more bool, err error) {
	type row struct {
		rid int64
		sum [checksumSize]byte
	}
	var rows []row
	n := 0
	err = c.query("SELECT rid, id, version, revision, private, doc, checksum FROM "+table+" WHERE rid > ? ORDER BY rid LIMIT +?",
		[]driver.Value{last, int64(checksumBatch)}, func(v []driver.Value) error {
			last = v[0].(int64)
			n++
			id, version, revision, private, doc := blob(v[1]), v[2].(int64), v[3].(string), blob(v[4]), blob(v[5])
			if known, _ := compareChecksum(blob(v[6]), id, version, revision, private, doc); !known {
				rows = append(rows, row{last, newChecksum(id, version, revision, private, doc)})
			}
			return nil
		})
	if err != nil {
		return last, false, err
	}
	for _, r := range rows {
		if err := c.exec("UPDATE "+table+" SET checksum = ? WHERE rid = ?", r.sum[:], r.rid); err != nil {
			return last, false, err
		}
	}
	return last, n == checksumBatch, nil
}

func (r *checkedRow) compareChecksum() (known, equal bool) {
	return compareChecksum(r.checksum, r.id[:], r.version, r.revision, r.private, r.doc)
}

// cutChecksum cuts the first bytes off, which are the checksum.
func cutChecksum(b []byte) (sum, rest []byte) {
	n := min(checksumSize, len(b))
	return b[:n:n], b[n:]
}
