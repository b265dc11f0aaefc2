package dashboard

import (
	"cmp"
	"context"
	"errors"

	"github.com/landfallhq/tracking"
)

// placeNames reads the records that a page names, each once.
type placeNames struct {
	t         *tracking.Tracker
	shipments map[tracking.ID]*tracking.Shipment
	boxes     map[tracking.ID]*tracking.Container
	ports     map[tracking.ID]*tracking.Port
	terminals map[tracking.ID]*tracking.Terminal
	vessels   map[tracking.ID]*tracking.Vessel
	users     map[tracking.ID]*tracking.User
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

// port returns a port with its name; the zero Port for the zero ID.
func (p *placeNames) port(ctx context.Context, id tracking.ID) (*tracking.Port, error) {
	return once(ctx, &p.ports, id, p.t.Port)
}

func (p *placeNames) terminal(ctx context.Context, id tracking.ID) (string, error) {
	v, err := once(ctx, &p.terminals, id, p.t.Terminal)
	if err != nil {
		return "", err
	}
	return cmp.Or(v.Nickname, v.Name), nil
}

func (p *placeNames) vessel(ctx context.Context, id tracking.ID) (string, error) {
	v, err := once(ctx, &p.vessels, id, p.t.Vessel)
	if err != nil {
		return "", err
	}
	return v.Name, nil
}

// user returns the name of a user, or else the address; the ID of one who is no longer there,
// and for those who may not read users.
func (p *placeNames) user(ctx context.Context, id tracking.ID) (string, error) {
	v, err := once(ctx, &p.users, id, p.t.Users().Get)
	var refused *tracking.Error
	if errors.As(err, &refused) && (refused.Kind == tracking.NotFound || refused.Kind == tracking.Forbidden) {
		return shown(id), nil
	}
	if err != nil {
		return "", err
	}
	return cmp.Or(v.Name, v.Email, shown(id)), nil
}
