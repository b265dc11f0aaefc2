package tracking

import (
	"context"
	"slices"

	"github.com/landfallhq/tracking/internal/table"
	"github.com/landfallhq/tracking/store"
)

// The sizes of the transactions of background jobs.
const (
	rerenderBatch = 100
	clearingBatch = 200
)

// rerenderPage is the number of values that a job of a definition reads at a time.
const rerenderPage = 500

// enqueueRerender enqueues the job that renders the values of a definition again.
func enqueueRerender(tx *transaction, definition ID) error {
	return tx.enqueue(store.Job{ID: table.NamedID("job/rerender", definition.String()), Kind: jobRerenderFields, Ref: definition, Due: tx.Now})
}

// rerenderFields renders the display values of a definition with its present format and
// options, page by page and each page in batches. When these change meanwhile the job is
// replaced, and this run of it ends.
//
// It goes from the last page to the first, in the order of creation. A value that is
// deleted meanwhile moves others only to pages that come later, and new values, which have
// the right display, are added at the end.
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

// valuesPage returns a page of the values of the job's definition, first created first, and
// their total number.
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
		return nil // its values are being deleted
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

// enqueueClearing enqueues the job that deletes the values of a deleted definition.
func enqueueClearing(tx *transaction, definition ID) error {
	return tx.enqueue(store.Job{ID: table.NamedID("job/clearing", definition.String()), Kind: jobClearField, Ref: definition, Due: tx.Now})
}

// clearDefinition deletes the values of a deleted definition, their histories, its options,
// and then the definition.
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

// clearKind deletes the records of a kind that belong to the job's definition, in batches.
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
	d, err := customFieldDefinitions.Get(tx, of) // marked as deleted, and still stored
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

// deleteThose deletes those of the records that still exist.
func deleteThose(tx *transaction, k *store.Kind, ids []ID) error {
	for _, id := range ids {
		if err := tx.Records.Delete(tx, k, id); err != nil && !isNotFound(err) {
			return err
		}
	}
	return nil
}

// step runs one transaction of a long job and extends its lease.
func (t *Tracker) step(ctx context.Context, j store.Job, fn func(*transaction) error) error {
	return t.update(ctx, j.Account, func(tx *transaction) error {
		if err := tx.Records.Extend(tx, j, tx.clock().Add(t.jobLease())); err != nil {
			return err
		}
		return fn(tx)
	})
}
