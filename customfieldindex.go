package tracking

import "github.com/landfallhq/tracking/store"

// fieldMark names the marks by which the values of a definition are found; see
// RecordTx.Mark. It goes with the definition and not with its slug: a definition
// that takes a freed slug has none of the old values.
func fieldMark(definition ID) string { return "cf." + definition.String() }

// indexField makes the entity findable by the value of a field: with the keys of
// fieldValue, or with none when the value is gone or the definition is not
// filterable. Whoever writes or deletes a value calls it in the same transaction.
// The entity itself is not written.
func indexField(tx *Tx, entity *store.Kind, id, definition ID, rules *fieldRules, keys []string) error {
	return asNotFound(tx.records.Mark(tx, entity, id, store.Mark{Name: fieldMark(definition), Values: keys, Counted: rules.counted}))
}
