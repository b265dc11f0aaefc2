package postgres

import (
	"cmp"
	"slices"

	"github.com/landfallhq/tracking/store"
)

// encodeTerms returns terms as the row of a record has them.
func encodeTerms(terms []store.Term) (encoded [][]byte) {
	for _, term := range terms {
		encoded = append(encoded, []byte(term.Name), []byte(term.Value))
	}
	return encoded
}

// termChanges are changes of the table terms, of records of one account.
type termChanges struct {
	account int64
	gone    []statement
	kinds   []int32
	rids    []int64
	ids     [][16]byte
	names   [][]byte
	values  [][]byte
}

// add adds what differs between two states of a record. Each entry that goes is
// deleted by its whole key: PostgreSQL would plan a join with a list of them without
// knowing how many entries the account has, and read all of these.
func (c *termChanges) add(table *table, before, next *row) {
	if before == nil {
		before = &row{}
	}
	for _, term := range missing(before.terms, next.terms) {
		c.gone = append(c.gone, statement{"DELETE FROM terms WHERE kind = $1 AND account = $2 AND name = $3 AND value = $4 AND rid = $5",
			[]any{table.no, c.account, []byte(term.Name), []byte(term.Value), next.rid}})
	}
	for _, term := range missing(next.terms, before.terms) {
		c.kinds, c.rids, c.ids = append(c.kinds, table.no), append(c.rids, next.rid), append(c.ids, next.id)
		c.names, c.values = append(c.names, []byte(term.Name)), append(c.values, []byte(term.Value))
	}
}

// statements returns the statements of the changes.
func (c *termChanges) statements() []statement {
	if len(c.kinds) == 0 {
		return c.gone
	}
	return append(c.gone, statement{`INSERT INTO terms (kind, account, rid, id, name, value)
		SELECT new.kind, $1, new.rid, new.id, new.name, new.value
		FROM unnest($2::integer[], $3::bigint[], $4::uuid[], $5::bytea[], $6::bytea[]) AS new (kind, rid, id, name, value)`,
		[]any{c.account, c.kinds, c.rids, c.ids, c.names, c.values}})
}

// replaceTerms changes the entries of one record.
func (t *tx) replaceTerms(table *table, account int64, before, next *row) {
	changes := termChanges{account: account}
	changes.add(table, before, next)
	for _, s := range changes.statements() {
		t.queue(s.sql, s.args...)
	}
}

// missing returns the terms that are in the first list alone. Both are sorted.
func missing(in, notIn []store.Term) (alone []store.Term) {
	for _, term := range in {
		if _, found := slices.BinarySearchFunc(notIn, term, compareTerms); !found {
			alone = append(alone, term)
		}
	}
	return alone
}

func compareTerms(a, b store.Term) int {
	return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Value, b.Value))
}
