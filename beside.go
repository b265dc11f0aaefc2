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

// addedDocuments are the documents that stand beside a resource; nil for none.
type addedDocuments [2][]byte

// readAddedDocuments returns what stands beside containers and shipments.
func readAddedDocuments(tx *transaction, rows []inclusion.Row) ([]addedDocuments, error) {
	ids := idsOfKind(rows, containers.Kind)
	costs, err := costDocuments(tx, ids)
	if err != nil {
		return nil, err
	}
	next, err := documentsOf(tx, nextMilestones.Kind, ids)
	if err != nil {
		return nil, err
	}
	beside := make([]addedDocuments, len(rows))
	for i := range rows {
		r := &rows[i]
		switch r.Kind {
		case containers.Kind:
			expected := next[r.ID]
			if expected == nil {
				expected = nothingExpected
			}
			beside[i] = addedDocuments{costs[r.ID], expected}
		case shipments.Kind:
			if beside[i][0], err = bandDocument(tx, r.Record); err != nil {
				return nil, err
			}
		}
	}
	return beside, nil
}

// showBeside adds to the documents of containers and shipments what stands beside them.
func showBeside(rows []inclusion.Row, beside []addedDocuments) {
	shown := shownDocuments{rows: len(rows)}
	for i := range rows {
		if r := &rows[i]; r.Kind == containers.Kind || r.Kind == shipments.Kind {
			r.Doc, r.Decoded = shown.add(r.Doc, beside[i][:]...), nil
		}
	}
}

// shownDocuments are made in few allocations, each for many.
type shownDocuments struct {
	buffer []byte
	rows   int // that there will be, at most
}

// documentsBuffer is how much is allocated for documents at a time, at most.
const documentsBuffer = 32 << 10

// add returns doc with the attributes of others.
func (d *shownDocuments) add(doc []byte, from ...[]byte) []byte {
	size := len(doc)
	for _, other := range from {
		size += len(other)
	}
	if size > cap(d.buffer)-len(d.buffer) {
		d.buffer = make([]byte, 0, max(size, min(d.rows*size, documentsBuffer)))
	}
	d.rows--
	begin := len(d.buffer)
	d.buffer = record.AppendAttributes(d.buffer, doc, from...)
	return d.buffer[begin:len(d.buffer):len(d.buffer)]
}

// prefetchBeside announces records of a kind that will be read, together with what showBeside
// will read for them.
func prefetchBeside(tx *transaction, k *store.Kind, ids []ID) error {
	if k != containers.Kind {
		return nil
	}
	return tx.prefetch(func() []store.Read {
		return []store.Read{{Kind: k, IDs: ids}, {Kind: ledgers.Kind, IDs: []ID{ledgerID}}, {Kind: nextMilestones.Kind, IDs: ids}}
	})
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
