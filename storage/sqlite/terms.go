//go:build cgo

package sqlite

import (
	"cmp"
	"database/sql/driver"
	"encoding/binary"
	"slices"
	"strings"

	"github.com/landfallhq/tracking/store"
)

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
	// termsPerInsert is how many of them one statement inserts at most.
	termsPerInsert = 64
)

// queueTerms is replaceTerms for a new record. The terms of all new records of an
// update are inserted together: in order of their key, by few statements.
func (t *tx) queueTerms(table *table, rid int64, w store.Write) error {
	for _, term := range w.Terms {
		t.pendingTerms = append(t.pendingTerms, pendingTerm{table.no, rid, term.Name, term.Value, startOf(term.Value), w.ID})
	}
	if len(t.pendingTerms) < mostPendingTerms {
		return nil
	}
	return t.flushTerms()
}

// flushTerms inserts the pending terms. After a failure it inserts none: SQLite may have
// rolled the transaction back by itself, and they would be committed alone.
func (t *tx) flushTerms() error {
	switch {
	case len(t.pendingTerms) == 0:
		return nil
	case t.failed != nil:
		return t.failed
	case !t.conn.inTransaction():
		return t.fail(errRolledBack)
	}
	rows := sortTerms(t.pendingTerms)
	args := make([]driver.Value, 0, 6*min(len(rows), termsPerInsert))
	for len(rows) > 0 {
		n := termsOfInsert(len(rows))
		args = args[:0]
		for _, i := range rows[:n] {
			f := &t.pendingTerms[i]
			args = append(args, f.kind, t.accountNo, f.name, f.value, f.rid, f.id[:])
		}
		if err := t.conn.exec(t.store.insertTerms(n), args...); err != nil {
			return t.fail(err)
		}
		rows = rows[n:]
	}
	clear(t.pendingTerms)
	t.pendingTerms = t.pendingTerms[:0]
	return nil
}

// termsOfInsert returns how many of n terms the next statement inserts: few sizes, so
// that the connection keeps a prepared statement of each.
func termsOfInsert(n int) int {
	if n <= 8 {
		return n
	}
	size := termsPerInsert
	for size > n {
		size /= 2
	}
	return size
}

// insertTerm is what an INSERT of one term consists of, after its first words.
const insertTerm = "terms (kind, account, name, value, rid, id) VALUES (?, ?, ?, ?, ?, ?)"

var (
	insertTermsSQL = insertsOfTerms("INSERT INTO " + insertTerm)
	fillTermsSQL   = insertsOfTerms(insertIntoFill + insertTerm)
)

// insertTerms is the statement that inserts n terms.
func (s *Store) insertTerms(n int) string {
	if s.opts.FillBytes > 0 {
		return fillTermsSQL[n]
	}
	return insertTermsSQL[n]
}

// insertsOfTerms returns the statements by the number of terms that they insert.
func insertsOfTerms(one string) (sql [termsPerInsert + 1]string) {
	for n := termsPerInsert; n > 0; n = termsOfInsert(n - 1) {
		sql[n] = one + strings.Repeat(", (?, ?, ?, ?, ?, ?)", n-1)
	}
	return sql
}
