package tracking

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/landfallhq/tracking/store"
)

// CopyStore copies everything in a store into another one that is empty: the records of all
// kinds and accounts with their IDs, versions and history, and the jobs that wait. Secrets
// stay encrypted, so the copy needs the same master key. It can be ended at any time, and the
// next call continues. At the end, records, marks and jobs of both stores are counted, and a
// difference is an error. Documents are in Config.Blobs, and are not copied.
//
// No engine may run on either store. progress, which may be nil, is called after each batch
// with the number of records that are copied.
//
// Errors: errors.ErrUnsupported if a store is no store.Copier; those of store.Copy.
func CopyStore(ctx context.Context, from, to Store, progress func(records int64)) (store.CopyCounts, error) {
	stores := make([]store.Copier, 2)
	for i, s := range []Store{from, to} {
		copier, ok := s.(store.Copier)
		if !ok {
			return store.CopyCounts{}, fmt.Errorf("tracking: %w: a %T cannot be copied", errors.ErrUnsupported, s)
		}
		stores[i] = copier
	}
	marks := &markTypes{store: from, byName: map[markType]bool{}}
	return store.Copy(ctx, stores[0], stores[1], allKinds(), store.CopyRequest{Counted: marks.counted, Progress: progress})
}

// markTypes knows which marks are counted: see store.Mark.
type markTypes struct {
	store  Store
	byName map[markType]bool
}

type markType struct {
	account AccountID
	name    string
}

// counted reports whether the marks of a name are counted. Those of custom fields are if the
// type of the field has few values.
func (m *markTypes) counted(ctx context.Context, a AccountID, name string) (bool, error) {
	key := markType{a, name}
	if counted, known := m.byName[key]; known {
		return counted, nil
	}
	counted := slices.Contains([]string{markAccruing, markFreeTimeEnds, markTomorrow, markOverdue}, name)
	if definition, err := uuid.Parse(strings.TrimPrefix(name, fieldMarks)); err == nil {
		if counted, err = m.countedField(ctx, a, definition); err != nil {
			return false, err
		}
	}
	m.byName[key] = counted
	return counted, nil
}

func (m *markTypes) countedField(ctx context.Context, a AccountID, definition ID) (counted bool, err error) {
	err = m.store.View(ctx, a, func(tx store.RecordTx) error {
		r, err := tx.Get(ctx, customFieldDefinitions.Kind, definition)
		if errors.Is(err, store.ErrNotFound) {
			return nil // its marks have no definition any more
		}
		if err != nil {
			return err
		}
		d, err := customFieldDefinitions.Decode(r)
		if err != nil {
			return err
		}
		typ, err := d.typeWith(nil)
		if err == nil {
			counted = typ.Counted
		}
		return err
	})
	return counted, err
}
