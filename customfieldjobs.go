package tracking

import (
	"context"
	"slices"
	"time"

	"github.com/landfallhq/tracking/internal/table"
	"github.com/landfallhq/tracking/store"
)

// The sizes of what one transaction of the background work does.
const (
	rerenderBatch = 100
	clearingBatch = 200
)

// rerenderPage is how many values the job of a definition looks up at one time.
const rerenderPage = 500

// enqueueRerender enqueues the job that renders the values of a definition again.
func enqueueRerender(tx *transaction, definition ID) error {
	return tx.enqueue(store.Job{ID: table.NamedID("job/rerender", definition.String()), Kind: jobRerenderFields, Ref: definition, Due: tx.Now})
}

// rerenderFields gives the values of a definition the display that follows from
// its format and options as they are now, a page at a time and of that a batch.
// When these change meanwhile the job is replaced, and this run of it ends.
//
// It goes from the last page to the first, in the order in which the values were
// made: one that is deleted meanwhile moves others to a page that is yet to come,
// and new ones, which are displayed as they should be, move none.
func (t *Tracker) rerenderFields(ctx context.Context, j store.Job) error {
	_, total, err := t.valuesPage(ctx, j, Page{Number: 1, Size: 1})
	if err != nil {
		return err
	}
	for number := (total + rerenderPage - 1) / rerenderPage; number > 0; number-- {
		ids, _, err := t.valuesPage(ctx, j, Page{Number: number, Size: rerenderPage})
		if err != nil {
			return err
		}
		for batch := range slices.Chunk(ids, rerenderBatch) {
			if err := t.step(ctx, j, func(tx *transaction) error { return rerender(tx, j.Ref, batch) }); err != nil {
				return err
			}
		}
	}
	return t.update(ctx, j.Account, func(tx *transaction) error { return tx.Records.Finish(tx, j) })
}

// valuesPage is a page of the values of the job's definition, the first made first,
// and how many there are.
func (t *Tracker) valuesPage(ctx context.Context, j store.Job, p Page) (ids []ID, total int, err error) {
	of := CustomFieldQuery{Definitions: []ID{j.Ref}}.filter()
	of.Sort = []Order{{}}
	err = t.view(ctx, j.Account, func(tx *transaction) error {
		rows, n, err := tx.Records.List(tx, customFields.Kind, of, p, nil)
		ids, total = make([]ID, len(rows)), n
		for i, r := range rows {
			ids[i] = r.ID
		}
		return err
	})
	return ids, total, err
}

func rerender(tx *transaction, of ID, values []ID) error {
	d, err := definition(tx, of)
	if isNotFound(err) {
		return nil // its values are being cleared away
	}
	if err != nil {
		return err
	}
	typ, err := d.fieldType(tx)
	if err != nil {
		return err
	}
	list, err := customFields.GetMany(tx, values)
	if err != nil {
		return err
	}
	for _, f := range list {
		v, err := typ.Restore(f.Value, tx.lookUp)
		if err != nil {
			return err
		}
		if f.DisplayValue == v.Display {
			continue
		}
		f.DisplayValue = v.Display
		if err := putCustomField(tx, d, f, typ, v); err != nil {
			return err
		}
	}
	return nil
}

// enqueueClearing has what is left of a deleted definition taken out.
func enqueueClearing(tx *transaction, definition ID) error {
	return tx.enqueue(store.Job{ID: table.NamedID("job/clearing", definition.String()), Kind: jobClearField, Ref: definition, Due: tx.Now})
}

// clearDefinition takes out the values of a deleted definition, their histories,
// its options, and at last itself.
func (t *Tracker) clearDefinition(ctx context.Context, j store.Job) error {
	remove := func(tx *transaction, ids []ID) error { return removeCustomFields(tx, j.Ref, ids) }
	if err := t.clearKind(ctx, j, customFields.Kind, remove); err != nil {
		return err
	}
	for _, kind := range []*store.Kind{customFieldChanges.Kind, customFieldOptions.Kind} {
		remove := func(tx *transaction, ids []ID) error { return deleteThose(tx, kind, ids) }
		if err := t.clearKind(ctx, j, kind, remove); err != nil {
			return err
		}
	}
	return t.update(ctx, j.Account, func(tx *transaction) error {
		if err := deleteThose(tx, customFieldDefinitions.Kind, []ID{j.Ref}); err != nil {
			return err
		}
		return tx.Records.Finish(tx, j)
	})
}

// clearKind removes the records of a kind that are of the job's definition, a batch
// at a time: there may be very many.
func (t *Tracker) clearKind(ctx context.Context, j store.Job, k *store.Kind, remove func(*transaction, []ID) error) error {
	for {
		n := 0
		err := t.step(ctx, j, func(tx *transaction) error {
			ids, err := tx.Records.Find(tx, k, store.Cond{Name: "definition", Op: store.Is, Values: []any{j.Ref}}, clearingBatch)
			if n = len(ids); err != nil || n == 0 {
				return err
			}
			return remove(tx, ids)
		})
		if err != nil || n == 0 {
			return err
		}
	}
}

func removeCustomFields(tx *transaction, of ID, ids []ID) error {
	d, err := customFieldDefinitions.Get(tx, of) // it is deleted, and still there
	if err != nil {
		return err
	}
	typ, err := d.fieldType(tx)
	if err != nil {
		return err
	}
	list, err := customFields.GetMany(tx, ids)
	if err != nil {
		return err
	}
	for _, f := range list {
		if err := removeCustomField(tx, d, f, typ); err != nil {
			return err
		}
	}
	return nil
}

// deleteThose deletes what of the records is still there.
func deleteThose(tx *transaction, k *store.Kind, ids []ID) error {
	for _, id := range ids {
		if err := tx.Records.Delete(tx, k, id); err != nil && !isNotFound(err) {
			return err
		}
	}
	return nil
}

// step is one transaction of a long job; it keeps the lease for the next.
func (t *Tracker) step(ctx context.Context, j store.Job, fn func(*transaction) error) error {
	return t.update(ctx, j.Account, func(tx *transaction) error {
		if err := tx.Records.Extend(tx, j, tx.clock().Add(t.config.SourceTimeout+30*time.Second)); err != nil {
			return err
		}
		return fn(tx)
	})
}
