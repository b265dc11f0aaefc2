package postgres

import (
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

// replaceTerms changes the entries of a record in the table terms.
func (t *tx) replaceTerms(table *table, account int64, before, next *row) {
	if names, values := missing(before.terms, next.terms); len(names) > 0 {
		t.queue(`DELETE FROM terms USING unnest($4::bytea[], $5::bytea[]) AS old (name, value)
			WHERE kind = $1 AND account = $2 AND rid = $3 AND terms.name = old.name AND terms.value = old.value`,
			table.no, account, next.rid, names, values)
	}
	if names, values := missing(next.terms, before.terms); len(names) > 0 {
		t.queue(`INSERT INTO terms (kind, account, rid, id, name, value)
			SELECT $1, $2, $3, $4, new.name, new.value FROM unnest($5::bytea[], $6::bytea[]) AS new (name, value)`,
			table.no, account, next.rid, [16]byte(next.id), names, values)
	}
}

// missing returns the terms that are in the first list alone. Both are sorted.
func missing(in, notIn []store.Term) (names, values [][]byte) {
	for _, term := range in {
		if !slices.Contains(notIn, term) {
			names, values = append(names, []byte(term.Name)), append(values, []byte(term.Value))
		}
	}
	return names, values
}
