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

// replaceTerms changes the entries of a record in the table terms. Each one that goes is
// deleted by its whole key: PostgreSQL would plan a join with a list of them without
// knowing how many entries the account has, and read all of these.
func (t *tx) replaceTerms(table *table, account int64, before, next *row) {
	for _, term := range missing(before.terms, next.terms) {
		t.queue("DELETE FROM terms WHERE kind = $1 AND account = $2 AND name = $3 AND value = $4 AND rid = $5",
			table.no, account, []byte(term.Name), []byte(term.Value), next.rid)
	}
	added := missing(next.terms, before.terms)
	if len(added) == 0 {
		return
	}
	var names, values [][]byte
	for _, term := range added {
		names, values = append(names, []byte(term.Name)), append(values, []byte(term.Value))
	}
	t.queue(`INSERT INTO terms (kind, account, rid, id, name, value)
		SELECT $1, $2, $3, $4, new.name, new.value FROM unnest($5::bytea[], $6::bytea[]) AS new (name, value)`,
		table.no, account, next.rid, [16]byte(next.id), names, values)
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
