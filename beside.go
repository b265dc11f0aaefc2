package tracking

import (
	"context"

	"github.com/landfallhq/tracking/internal/inclusion"
	"github.com/landfallhq/tracking/internal/record"
	"github.com/landfallhq/tracking/internal/table"
	"github.com/landfallhq/tracking/store"
)

// What changes while a container or shipment does not, because a day passes or others arrive,
// stands beside it: in a record of its own with the same ID, or computed when it is asked for.
// Documents show it as attributes of the resource.

// showBeside adds to the documents of containers and shipments what stands beside them.
func showBeside(tx *transaction, rows []inclusion.Row) error {
	ids := idsOfKind(rows, containers.Kind)
	costs, err := costDocuments(tx, ids)
	if err != nil {
		return err
	}
	next, err := documentsOf(tx, nextMilestones.Kind, ids)
	if err != nil {
		return err
	}
	for i := range rows {
		r := &rows[i]
		switch r.Kind {
		case containers.Kind:
			expected := next[r.ID]
			if expected == nil {
				expected = nothingExpected
			}
			r.Doc, r.Decoded = record.AppendAttributes(nil, r.Doc, costs[r.ID], expected), nil
		case shipments.Kind:
			band, err := bandDocument(tx, r.Record)
			if err != nil {
				return err
			}
			r.Doc, r.Decoded = record.AppendAttributes(nil, r.Doc, band), nil
		}
	}
	return nil
}

// documentsOf returns the documents of the records with these IDs, of those that there are.
func documentsOf(tx *transaction, k *store.Kind, ids []ID) (map[ID][]byte, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	found, err := tx.Records.GetMany(tx, k, ids, make([]store.Record, 0, len(ids)))
	if err != nil {
		return nil, err
	}
	documents := make(map[ID][]byte, len(found))
	for _, r := range found {
		documents[r.ID] = r.Doc
	}
	return documents, nil
}

// readBeside reads what stands beside resources from their own records, by ID; those without
// are not there.
func readBeside[T, V any](ctx context.Context, t *Tracker, of *table.Table[T], ids []ID, value func(*T) (ID, V)) (map[ID]V, error) {
	if err := t.allow(Show); err != nil {
		return nil, err
	}
	return viewing(ctx, t.engine, t.actor.Account, func(tx *transaction) (map[ID]V, error) {
		found, err := of.GetMany(tx, ids)
		values := make(map[ID]V, len(found))
		for _, r := range found {
			id, v := value(r)
			values[id] = v
		}
		return values, err
	})
}
