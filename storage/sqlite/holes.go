//go:build cgo

package sqlite

import (
	"cmp"
	"database/sql/driver"
	"errors"
	"fmt"
	"strings"
)

// Holes are the numbers of records that were deleted. The numbers of an account
// begin with 1 and have no other gaps, so a page of the plain list is found by
// arithmetic: without holes its first record is known by its number; with them
// a walk over the chunks that have some, from large to small, leaves one chunk
// of 64 numbers to be counted.

// holeBits are the sizes of the chunks that holes are kept for, as powers of
// two. Tests make them smaller.
var holeBits = [4]int64{24, 18, 12, 6}

// number returns the running number of a rid in its account.
func number(rid int64) int64 { return rid & (1<<seqBits - 1) }

// digHole returns the statements of the trigger for a deleted row. The number
// is noted, so that it is never given again and a later record stays the later.
func (t *table) digHole() string {
	const n = "(OLD.rid & ((1 << 40) - 1))"
	chunks := make([]string, 0, len(holeBits))
	for _, bits := range holeBits {
		chunks = append(chunks, fmt.Sprintf("(%d, OLD.account, %d, (%s - 1) >> %d, 1)", t.no, bits, n, bits))
	}
	return fmt.Sprintf(`INSERT INTO seqs (kind, account, last, holes) VALUES (%d, OLD.account, %s, 1)
		ON CONFLICT DO UPDATE SET last = max(last, excluded.last), holes = holes + 1;
		INSERT INTO holes (kind, account, bits, chunk, n) VALUES %s ON CONFLICT DO UPDATE SET n = n + 1;`,
		t.no, n, strings.Join(chunks, ", "))
}

// span is what the plain list of an account is: numbers from 1 to last, less
// the holes.
type span struct{ last, holes int64 }

func (s span) total() int64 { return s.last - s.holes }

// span reads the last number of the account in the kind, and how many of all
// are holes. The last stands in the table itself, or, once deleted, in seqs.
func (t *tx) span(table *table) (span, error) {
	var s span
	err := t.query(table.selectSpan, []driver.Value{table.no, t.no, t.lowest(), t.highest()}, func(v []driver.Value) error {
		for _, last := range v[:2] {
			if n, ok := last.(int64); ok {
				s.last = max(s.last, number(n))
			}
		}
		s.holes, _ = v[2].(int64)
		return nil
	})
	return s, err
}

// spanSQL is the statement of span.
func (t *table) spanSQL() string {
	return "SELECT (SELECT max(rid) FROM " + t.name + " WHERE rid BETWEEN ?3 AND ?4), last, holes FROM (SELECT 1) LEFT JOIN seqs ON kind = ?1 AND account = ?2"
}

var errFound = errors.New("found")

// locate returns where to look for the record that has `rank` others before it
// in order of creation: after skipping `skip` records from the number `from`
// on. The rank must be below the total.
func (t *tx) locate(table *table, s span, rank int64) (from, skip int64, err error) {
	if s.holes == 0 {
		return rank + 1, 0, nil
	}
	// All that is before the record: live ones are rank, and holes are counted
	// as the walk passes them. What begins at `at` and ends before `end` is the
	// chunk that holds the record; numbers count from 0 here.
	at, end, holes := int64(0), s.last, int64(0)
	for _, bits := range holeBits {
		inside := false
		err := t.query("SELECT chunk, n FROM holes WHERE kind = ? AND account = ? AND bits = ? AND chunk >= ? AND chunk < ? ORDER BY chunk",
			[]driver.Value{table.no, t.no, bits, at >> bits, (end + 1<<bits - 1) >> bits}, func(v []driver.Value) error {
				chunk, n := v[0].(int64), v[1].(int64)
				first := chunk << bits
				if rank < first-holes {
					return errFound // before this chunk, where no holes are
				}
				at = first
				if last := min(first+1<<bits, s.last); rank < last-holes-n {
					end, inside = last, true
					return errFound
				}
				holes += n
				at = first + 1<<bits
				return nil
			})
		if err != nil && err != errFound {
			return 0, 0, err
		}
		if !inside {
			return rank + holes + 1, 0, nil
		}
	}
	return at + 1, rank - (at - holes), nil
}

// holeChunk names one chunk of an account: 2^seqBits numbers are all of them,
// whose holes stand in seqs.
type holeChunk struct{ account, bits, chunk int64 }

func (h holeChunk) compare(o holeChunk) int {
	return cmp.Or(cmp.Compare(h.account, o.account), cmp.Compare(h.bits, o.bits), cmp.Compare(h.chunk, o.chunk))
}

// countHoles returns the holes of all accounts, counted on the rows.
func (t *table) countHoles(c *conn) (map[holeChunk]int64, error) {
	type account struct{ no, last, live int64 }
	var holed []account
	err := c.query(`SELECT account, max(last), sum(live) FROM (
			SELECT account, max(rid) & ((1 << 40) - 1) AS last, count(*) AS live FROM `+t.name+` GROUP BY account
			UNION ALL SELECT account, last, 0 FROM seqs WHERE kind = ?)
		GROUP BY account`, []driver.Value{t.no}, func(v []driver.Value) error {
		if a := (account{v[0].(int64), v[1].(int64), v[2].(int64)}); a.live < a.last {
			holed = append(holed, a)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	holes := map[holeChunk]int64{}
	smallest := holeBits[len(holeBits)-1]
	for _, a := range holed {
		holes[holeChunk{a.no, seqBits, 0}] = a.last - a.live
		next := int64(0)
		dig := func(chunk, live int64) {
			first := chunk << smallest
			n := min(1<<smallest, a.last-first) - live
			if n == 0 {
				return
			}
			for _, bits := range holeBits {
				holes[holeChunk{a.no, bits, first >> bits}] += n
			}
		}
		// On the index of the IDs, which is thin; the rows are not.
		err := c.query("SELECT ((rid & ((1 << 40) - 1)) - 1) >> ? AS chunk, count(*) FROM "+t.name+" INDEXED BY "+t.name+"_id WHERE account = ? GROUP BY 1 ORDER BY 1",
			[]driver.Value{smallest, a.no}, func(v []driver.Value) error {
				for chunk := v[0].(int64); next < chunk; next++ {
					dig(next, 0)
				}
				dig(next, v[1].(int64))
				next++
				return nil
			})
		if err != nil {
			return nil, err
		}
		for ; next<<smallest < a.last; next++ {
			dig(next, 0)
		}
	}
	return holes, nil
}

// keptHoles returns the holes as they are kept.
func (t *table) keptHoles(c *conn) (map[holeChunk]int64, error) {
	holes := map[holeChunk]int64{}
	err := c.query("SELECT account, bits, chunk, n FROM holes WHERE kind = ?1 UNION ALL SELECT account, ?2, 0, holes FROM seqs WHERE kind = ?1",
		[]driver.Value{t.no, int64(seqBits)}, func(v []driver.Value) error {
			if n := v[3].(int64); n != 0 {
				holes[holeChunk{v[0].(int64), v[1].(int64), v[2].(int64)}] = n
			}
			return nil
		})
	return holes, err
}

// rebuildHoles writes the holes as the rows have them.
func (t *table) rebuildHoles(c *conn) error {
	holes, err := t.countHoles(c)
	if err != nil {
		return err
	}
	if err := c.exec("DELETE FROM holes WHERE kind = ?", t.no); err != nil {
		return err
	}
	if err := c.exec("UPDATE seqs SET holes = 0 WHERE kind = ?", t.no); err != nil {
		return err
	}
	for h, n := range holes {
		var err error
		if h.bits == seqBits {
			// An account that lost rows in some other way has no row there.
			err = c.exec(`INSERT INTO seqs (kind, account, last, holes) VALUES (?, ?, 0, ?) ON CONFLICT DO UPDATE SET holes = excluded.holes`, t.no, h.account, n)
		} else {
			err = c.exec("INSERT INTO holes (kind, account, bits, chunk, n) VALUES (?, ?, ?, ?, ?)", t.no, h.account, h.bits, h.chunk, n)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
