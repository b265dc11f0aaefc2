//go:build cgo

package sqlite

import (
	"cmp"
	"database/sql/driver"
	"errors"
	"fmt"
	"strings"
)

// Gaps are the running numbers of deleted records. The numbers of an account begin
// with 1 and are otherwise contiguous, so a page of the unfiltered list is found by
// arithmetic: without gaps its first record follows from its number; with gaps, the
// counts per chunk, from large chunks to small, leave one chunk of 64 numbers to
// count. The tables call them holes.

// gapBits are the sizes of the chunks for which gaps are counted, as powers of two.
// Tests make them smaller.
var gapBits = [4]int64{24, 18, 12, 6}

// runningNumber returns the running number of a rid in its account.
func runningNumber(rid int64) int64 { return rid & (1<<seqBits - 1) }

// noteGap returns the statements of the trigger for a deleted row. The number is
// recorded, so that it is never issued again and later records keep later numbers.
func (t *table) noteGap() string {
	const n = "(OLD.rid & ((1 << 40) - 1))"
	chunks := make([]string, 0, len(gapBits))
	for _, bits := range gapBits {
		chunks = append(chunks, fmt.Sprintf("(%d, OLD.account, %d, (%s - 1) >> %d, 1)", t.no, bits, n, bits))
	}
	return fmt.Sprintf(`INSERT INTO seqs (kind, account, last, holes) VALUES (%d, OLD.account, %s, 1)
		ON CONFLICT DO UPDATE SET last = max(last, excluded.last), holes = holes + 1;
		INSERT INTO holes (kind, account, bits, chunk, n) VALUES %s ON CONFLICT DO UPDATE SET n = n + 1;`,
		t.no, n, strings.Join(chunks, ", "))
}

// span is the range of an account's running numbers: from 1 to last, with that many
// gaps.
type span struct{ last, gaps int64 }

func (s span) total() int64 { return s.last - s.gaps }

// span reads the last number of the account in the kind, and the number of gaps.
// The last number is in the table itself or, when that record was deleted, in seqs.
func (t *tx) span(table *table) (span, error) {
	var s span
	err := t.query(table.selectSpan, []driver.Value{table.no, t.accountNo, t.firstRid(), t.lastRid()}, func(v []driver.Value) error {
		for _, last := range v[:2] {
			if n, ok := last.(int64); ok {
				s.last = max(s.last, runningNumber(n))
			}
		}
		s.gaps, _ = v[2].(int64)
		return nil
	})
	return s, err
}

func (t *table) spanSQL() string {
	return "SELECT (SELECT max(rid) FROM " + t.name + " WHERE rid BETWEEN ?3 AND ?4), last, holes FROM (SELECT 1) LEFT JOIN seqs ON kind = ?1 AND account = ?2"
}

var errFound = errors.New("found")

// findRank returns where to find the record with `rank` records before it in order
// of creation: after skipping `skip` records from the number `from` on. The rank
// must be below the total.
func (t *tx) findRank(table *table, s span, rank int64) (from, skip int64, err error) {
	if s.gaps == 0 {
		return rank + 1, 0, nil
	}
	// The record has rank records before it, and the gaps that the loop passes.
	// [at, end) is the chunk that holds the record. Numbers count from 0 here.
	at, end, gaps := int64(0), s.last, int64(0)
	for _, bits := range gapBits {
		inside := false
		err := t.query("SELECT chunk, n FROM holes WHERE kind = ? AND account = ? AND bits = ? AND chunk >= ? AND chunk < ? ORDER BY chunk",
			[]driver.Value{table.no, t.accountNo, bits, at >> bits, (end + 1<<bits - 1) >> bits}, func(v []driver.Value) error {
				chunk, n := v[0].(int64), v[1].(int64)
				first := chunk << bits
				if rank < first-gaps {
					return errFound // before this chunk, in a stretch without gaps
				}
				at = first
				if last := min(first+1<<bits, s.last); rank < last-gaps-n {
					end, inside = last, true
					return errFound
				}
				gaps += n
				at = first + 1<<bits
				return nil
			})
		if err != nil && err != errFound {
			return 0, 0, err
		}
		if !inside {
			return rank + gaps + 1, 0, nil
		}
	}
	return at + 1, rank - (at - gaps), nil
}

// gapChunk identifies a chunk of an account. The one of 2^seqBits numbers is the
// whole account, whose gaps are in seqs.
type gapChunk struct{ account, bits, chunk int64 }

func (h gapChunk) compare(o gapChunk) int {
	return cmp.Or(cmp.Compare(h.account, o.account), cmp.Compare(h.bits, o.bits), cmp.Compare(h.chunk, o.chunk))
}

// countGaps counts the gaps of all accounts from the rows: in each account, and by chunk
// where byChunk returns true for its number and its gaps.
func (t *table) countGaps(c *conn, byChunk func(account, gaps int64) (bool, error)) (map[gapChunk]int64, error) {
	type account struct{ no, last, live int64 }
	var withGaps []account
	err := c.query(`SELECT account, max(last), sum(live) FROM (
			SELECT account, max(rid) & ((1 << 40) - 1) AS last, count(*) AS live FROM `+t.name+` GROUP BY account
			UNION ALL SELECT account, last, 0 FROM seqs WHERE kind = ?)
		GROUP BY account`, []driver.Value{t.no}, func(v []driver.Value) error {
		if a := (account{v[0].(int64), v[1].(int64), v[2].(int64)}); a.live < a.last {
			withGaps = append(withGaps, a)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	gaps := map[gapChunk]int64{}
	smallest := gapBits[len(gapBits)-1]
	for _, a := range withGaps {
		all := a.last - a.live
		gaps[gapChunk{a.no, seqBits, 0}] = all
		if ok, err := byChunk(a.no, all); err != nil {
			return nil, err
		} else if !ok {
			continue
		}
		next := int64(0)
		add := func(chunk, live int64) {
			first := chunk << smallest
			n := min(1<<smallest, a.last-first) - live
			if n == 0 {
				return
			}
			for _, bits := range gapBits {
				gaps[gapChunk{a.no, bits, first >> bits}] += n
			}
		}
		// On the index of IDs, which is much smaller than the table.
		err := c.query("SELECT ((rid & ((1 << 40) - 1)) - 1) >> ? AS chunk, count(*) FROM "+t.name+" INDEXED BY "+t.name+"_id WHERE account = ? GROUP BY 1 ORDER BY 1",
			[]driver.Value{smallest, a.no}, func(v []driver.Value) error {
				for chunk := v[0].(int64); next < chunk; next++ {
					add(next, 0)
				}
				add(next, v[1].(int64))
				next++
				return nil
			})
		if err != nil {
			return nil, err
		}
		for ; next<<smallest < a.last; next++ {
			add(next, 0)
		}
	}
	return gaps, nil
}

// storedGaps returns the gaps as stored.
func (t *table) storedGaps(c *conn) (map[gapChunk]int64, error) {
	gaps := map[gapChunk]int64{}
	err := c.query("SELECT account, bits, chunk, n FROM holes WHERE kind = ?1 UNION ALL SELECT account, ?2, 0, holes FROM seqs WHERE kind = ?1",
		[]driver.Value{t.no, int64(seqBits)}, func(v []driver.Value) error {
			if n := v[3].(int64); n != 0 {
				gaps[gapChunk{v[0].(int64), v[1].(int64), v[2].(int64)}] = n
			}
			return nil
		})
	return gaps, err
}

// maxGaps is more than the deleted records of any account. A damaged number can have 2^40.
const maxGaps = 1 << 30

// recountGaps stores the gaps as counted from the rows.
func (t *table) recountGaps(c *conn) error {
	gaps, err := t.countGaps(c, func(account, gaps int64) (bool, error) {
		if gaps > maxGaps {
			return false, fmt.Errorf("%s: %d numbers of account %d have no record: the file is damaged, restore a backup", t.name, gaps, account)
		}
		return true, nil
	})
	if err != nil {
		return err
	}
	if err := c.exec("DELETE FROM holes WHERE kind = ?", t.no); err != nil {
		return err
	}
	if err := c.exec("UPDATE seqs SET holes = 0 WHERE kind = ?", t.no); err != nil {
		return err
	}
	for h, n := range gaps {
		var err error
		if h.bits == seqBits {
			// An account that lost rows without the trigger has no row there.
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
