package tracking

import (
	"context"
	"encoding/json"
	"math/rand/v2"
)

// DrawFieldValue draws a value that every definition of the type without rules
// takes, and how a filter spells it. Options are low, high and "a,b"; references
// are to be made by the caller.
func DrawFieldValue(rng *rand.Rand, typ DataType) (raw json.RawMessage, text string) {
	v := drawValue(rng, typ)
	return json.RawMessage(v.raw), v.text
}

// KeepRules leaves the rules of a definition as they were written, as an older program
// has kept them.
func (t *Tracker) KeepRules(ctx context.Context, id ID, validation json.RawMessage) error {
	return t.update(ctx, t.actor.Account, func(tx *transaction) error {
		d, err := definition(tx, id)
		if err != nil {
			return err
		}
		d.Validation = validation
		return customFieldDefinitions.Put(tx, d)
	})
}
