package tracking

import (
	"context"
	"encoding/json"
)

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
