package dashboard

import (
	"context"

	"github.com/landfallhq/tracking"
)

// placeNames reads the records that a page names, each once.
type placeNames struct {
	t         *tracking.Tracker
	shipments map[tracking.ID]*tracking.Shipment
	boxes     map[tracking.ID]*tracking.Container
}

// once returns the record of an ID from m, or reads it. The zero ID has none.
func once[T any](ctx context.Context, m *map[tracking.ID]*T, id tracking.ID, read func(context.Context, tracking.ID) (*T, error)) (*T, error) {
	if id == (tracking.ID{}) {
		return new(T), nil
	}
	if v, ok := (*m)[id]; ok {
		return v, nil
	}
	v, err := read(ctx, id)
	if err != nil {
		return nil, err
	}
	if *m == nil {
		*m = map[tracking.ID]*T{}
	}
	(*m)[id] = v
	return v, nil
}

func (p *placeNames) shipment(ctx context.Context, id tracking.ID) (*tracking.Shipment, error) {
	return once(ctx, &p.shipments, id, p.t.Shipment)
}

func (p *placeNames) container(ctx context.Context, id tracking.ID) (*tracking.Container, error) {
	return once(ctx, &p.boxes, id, p.t.Container)
}
