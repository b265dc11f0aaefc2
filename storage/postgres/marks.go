package postgres

import (
	"context"

	"github.com/landfallhq/tracking/store"
)

// Mark implements store.RecordTx.
func (t *tx) Mark(ctx context.Context, k *store.Kind, id store.ID, m store.Mark) error {
	table, err := t.beginKind(ctx, k, true)
	if err != nil {
		return err
	}
	r, err := t.row(table, id)
	switch {
	case err != nil:
		return err
	case r == nil:
		return store.ErrNotFound
	}
	values := make([][]byte, len(m.Values))
	for i, v := range m.Values {
		values[i] = []byte(v)
	}
	t.changed(table)
	t.queue("DELETE FROM marks WHERE rid = $1 AND name = $2 AND value <> ALL($3::bytea[])", r.rid, []byte(m.Name), values)
	if len(values) > 0 {
		t.queue(`INSERT INTO marks (kind, account, rid, name, value)
			SELECT $1, $2, $3, $4, value FROM unnest($5::bytea[]) AS new (value) ON CONFLICT DO NOTHING`,
			table.no, t.no, r.rid, []byte(m.Name), values)
	}
	return nil
}
