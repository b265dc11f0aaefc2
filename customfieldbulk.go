package tracking

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
)

// MaxBulkFields is how many values SetCustomFields takes at a time.
const MaxBulkFields = 1_000

// bulkBatch is how many of them one transaction writes that need not stand or
// fall together: no other writer is to wait for all of them.
const bulkBatch = 100

// maxBulkFaults bounds how many faults a bulk is refused with that is atomic.
const maxBulkFaults = 100

// BulkCustomFields are values to be set together.
type BulkCustomFields struct {
	// Items, 1 to MaxBulkFields; what they say of Once does not count. Of two for the
	// same field the later stands.
	Items []NewCustomField
	// Atomic sets all of them, or none when one is refused.
	Atomic bool
	// Once makes the call idempotent; see Once.
	Once Once
}

// BulkFieldResult is what became of one item.
type BulkFieldResult struct {
	// ID of the value; zero when the item was refused.
	ID ID `json:"id"`
	// Faults are why it was refused, with fields as SetCustomField has them.
	Faults Errors `json:"faults,omitempty"`
}

// SetCustomFields is SetCustomField for up to 1,000 values. It returns one result
// for each item, in their order. When Atomic is set nothing is written unless
// all items are good; the faults, up to a hundred, are returned as Errors then,
// with fields that name the item ("items[3].value"). Needs update.
//
// Errors: Invalid on items (blank, too_long), and as above.
func (t *Tracker) SetCustomFields(ctx context.Context, b BulkCustomFields) ([]BulkFieldResult, error) {
	if err := t.allow(Update); err != nil {
		return nil, err
	}
	switch n := len(b.Items); {
	case n == 0:
		return nil, invalid("items", "blank", "Items must hold 1 to %d values", MaxBulkFields)
	case n > MaxBulkFields:
		return nil, invalid("items", "too_long", "Items must hold 1 to %d values, and hold %d", MaxBulkFields, n)
	}
	size := bulkBatch
	if b.Atomic {
		size = MaxBulkFields
	}
	results := make([]BulkFieldResult, 0, len(b.Items))
	for batch := range slices.Chunk(b.Items, size) {
		done, err := t.setBatch(ctx, b, batch, len(results))
		if err != nil {
			return nil, err
		}
		results = append(results, done...)
	}
	return results, nil
}

// setBatch sets the items from the given place on in one transaction.
func (t *Tracker) setBatch(ctx context.Context, b BulkCustomFields, items []NewCustomField, from int) (results []BulkFieldResult, err error) {
	err = t.update(ctx, t.actor.Account, func(tx *Tx) (err error) {
		results, _, err = remembered(tx, b.Once.part(from), "custom_fields_bulk", func() ([]BulkFieldResult, error) {
			return t.setItems(tx, items, b.Atomic)
		})
		return err
	})
	return results, err
}

// part is the Once of a part of the call: a call that was cut off between two
// parts goes on where it was when it is repeated. The first has the key itself,
// so that its use for anything else is noticed.
func (o Once) part(from int) Once {
	if o.Key == "" || from == 0 {
		return o
	}
	sum := sha256.Sum256([]byte(o.Key))
	return Once{Key: fmt.Sprintf("%s/%d", hex.EncodeToString(sum[:]), from), Fingerprint: o.Fingerprint}
}

func (t *Tracker) setItems(tx *Tx, items []NewCustomField, atomic bool) ([]BulkFieldResult, error) {
	results := make([]BulkFieldResult, len(items))
	var all Errors
	for i, item := range items {
		f, err := t.setCustomField(tx, item)
		faults := appendFault(nil, err)
		switch {
		case err == nil:
			results[i].ID = f.ID
		case len(faults) == 0:
			return nil, err
		}
		results[i].Faults = faults
		for _, fault := range faults {
			again := *fault
			again.Field = fmt.Sprintf("items[%d].%s", i, fault.Field)
			all = append(all, &again)
		}
		if atomic && len(all) >= maxBulkFaults {
			break
		}
	}
	if atomic && len(all) > 0 {
		return nil, all
	}
	return results, nil
}
