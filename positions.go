package tracking

import (
	"context"
	"slices"
	"time"

	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/internal/record"
	"github.com/landfallhq/tracking/internal/routemap"
	"github.com/landfallhq/tracking/store"
)

const (
	// maxPositions bounds one answer. Longer ones are thinned out.
	maxPositions = 20_000
	// maxSpan is the longest span of a request.
	maxSpan = 366 * 24 * time.Hour
	// defaultSpan is the span of a request without a beginning.
	defaultSpan = 7 * 24 * time.Hour
)

// located is a vessel with its positions, as it is shown.
type located struct {
	Meta
	Name              string     `attr:"name"`
	IMO               string     `attr:"imo,null"`
	MMSI              string     `attr:"mmsi,null"`
	Latitude          *float64   `attr:"latitude"`
	Longitude         *float64   `attr:"longitude"`
	SpeedKnots        *float64   `attr:"nautical_speed_knots"`
	HeadingDegrees    *float64   `attr:"navigational_heading_degrees"`
	PositionTimestamp time.Time  `attr:"position_timestamp,null"`
	Positions         []Position `attr:"positions"`
}

var locatedVessels = record.For[located]("vessel")

// VesselPositions returns the positions of a vessel of the account's facts in a span of
// time, oldest first. A zero To means now, a zero From seven days before To. Needs show.
//
// Errors: Forbidden without Config.Positions; NotFound; Invalid on
// show_positions[from_timestamp] when the span ends before it begins or is longer than 366
// days.
func (t *Tracker) VesselPositions(ctx context.Context, id ID, span TimeRange) ([]Position, error) {
	_, list, err := t.vesselPositions(ctx, id, span)
	return list, err
}

// VesselPositions returns the vessel itself, with its past positions and its present
// one; see Tracker.VesselPositions.
func (r Rendered) VesselPositions(ctx context.Context, id ID, span TimeRange) (Selection, error) {
	return locatedSelection(r.t.vesselPositions(ctx, id, span))
}

func (t *Tracker) vesselPositions(ctx context.Context, id ID, span TimeRange) (*Vessel, []Position, error) {
	v, passages, err := t.passagesOf(ctx, id)
	if err != nil {
		return nil, nil, err
	}
	if span.To.IsZero() {
		span.To = t.now()
	}
	if span.From.IsZero() {
		span.From = span.To.Add(-defaultSpan)
	}
	const field = "show_positions[from_timestamp]"
	if span.From.After(span.To) {
		return nil, nil, invalid(field, "invalid", "the span of positions ends before it begins")
	}
	if span.To.Sub(span.From) > maxSpan {
		return nil, nil, invalid(field, "too_long", "the span of positions is longer than %d days", maxSpan/(24*time.Hour))
	}
	list, err := t.config.Positions.Past(ctx, freight.PositionQuery{Vessel: v.vessel(), From: span.From, To: span.To, Passages: passages})
	return v, thinned(list), positionFault(err)
}

// FuturePositions returns the expected positions of a vessel on its way to a port. at is
// where it is now; nil means at the previous port. Needs show.
//
// Errors: Forbidden without Config.Positions; NotFound; Invalid on port_id and
// previous_port_id for an ID that is not of a port, or of a port without a known position.
func (t *Tracker) FuturePositions(ctx context.Context, id, port, previous ID, at *Point) ([]Position, error) {
	_, list, err := t.futurePositions(ctx, id, port, previous, at)
	return list, err
}

// FuturePositions returns the vessel itself, with the positions where it is expected;
// see Tracker.FuturePositions.
func (r Rendered) FuturePositions(ctx context.Context, id, port, previous ID, at *Point) (Selection, error) {
	return locatedSelection(r.t.futurePositions(ctx, id, port, previous, at))
}

func (t *Tracker) futurePositions(ctx context.Context, id, port, previous ID, at *Point) (*Vessel, []Position, error) {
	v, passages, err := t.passagesOf(ctx, id)
	if err != nil {
		return nil, nil, err
	}
	to, err := t.positionOf(ctx, "port_id", port)
	if err != nil {
		return nil, nil, err
	}
	from, err := t.positionOf(ctx, "previous_port_id", previous)
	if err != nil {
		return nil, nil, err
	}
	if at != nil {
		from = *at
	}
	list, err := t.config.Positions.Ahead(ctx, freight.CourseQuery{Vessel: v.vessel(), Now: t.now(), From: from, To: to, Passages: passages})
	return v, thinned(list), positionFault(err)
}

// positionOf returns the position of a port.
func (t *Tracker) positionOf(ctx context.Context, field string, id ID) (Point, error) {
	p, err := t.Port(ctx, id)
	if isNotFound(err) || err == nil && p.position() == nil {
		return Point{}, invalid(field, "not_found", "%s is no port whose position is known", fieldLabel(field))
	}
	if err != nil {
		return Point{}, err
	}
	return *p.position(), nil
}

// position returns the position of a port; nil if it is not known.
func (p *Port) position() *Point {
	if p.Latitude == nil || p.Longitude == nil {
		return nil
	}
	return &Point{Latitude: *p.Latitude, Longitude: *p.Longitude}
}

// positionFault hides the error of Config.Positions from callers.
func positionFault(err error) error {
	if err == nil {
		return nil
	}
	return &unavailable{err}
}

type unavailable struct{ cause error }

func (u *unavailable) Error() string   { return "tracking: positions: " + u.cause.Error() }
func (u *unavailable) Is(e error) bool { return e == ErrUnavailable }
func (u *unavailable) Unwrap() error   { return u.cause }

// thinned returns at most maxPositions of the positions, evenly spaced, the last one
// included.
func thinned(list []Position) []Position {
	if len(list) <= maxPositions {
		return list
	}
	step := (len(list) + maxPositions - 2) / (maxPositions - 1)
	var out []Position
	for i := 0; i < len(list)-1; i += step {
		out = append(out, list[i])
	}
	return append(out, list[len(list)-1])
}

func (v *Vessel) vessel() VesselRef { return VesselRef{IMO: v.IMO, Name: v.Name} }

// locatedSelection returns a vessel with positions. The last observed one is its present
// position.
func locatedSelection(v *Vessel, list []Position, err error) (Selection, error) {
	if err != nil {
		return Selection{}, err
	}
	l := &located{Meta: v.Meta, Name: v.Name, IMO: v.IMO, MMSI: v.MMSI, Positions: list}
	if l.Positions == nil {
		l.Positions = []Position{}
	}
	for _, p := range slices.Backward(list) {
		if !p.Estimated {
			l.Latitude, l.Longitude, l.PositionTimestamp = &p.Latitude, &p.Longitude, p.At
			l.SpeedKnots, l.HeadingDegrees = p.SpeedKnots, p.Heading
			break
		}
	}
	doc, _ := locatedVessels.Encode(l)
	return Selection{Rows: []*Resource{{Type: "vessel", ID: v.ID, Version: v.Version, Doc: doc}}, Total: 1}, nil
}

// passagesOf returns a vessel, and its passages in the account's last shipments with it.
func (t *Tracker) passagesOf(ctx context.Context, id ID) (v *Vessel, list []freight.Passage, err error) {
	if err := t.allow(Show); err != nil {
		return nil, nil, err
	}
	if t.config.Positions == nil {
		return nil, nil, &Error{Kind: Forbidden, Detail: "Routing data feature is not enabled for this account"}
	}
	if v, err = t.Vessel(ctx, id); err != nil || v.IMO == "" {
		return v, nil, err
	}
	const most = 5
	err = t.view(ctx, t.actor.Account, func(tx *transaction) error {
		list = nil
		ids, err := tx.Records.Find(tx, shipments.Kind, store.Cond{Name: "vessel_imo", Op: store.Is, Values: []any{v.IMO}}, most)
		if err != nil {
			return err
		}
		ships, err := shipments.GetMany(tx, ids)
		if err != nil {
			return err
		}
		for _, s := range ships {
			if len(s.Containers) == 0 {
				continue
			}
			c, err := containers.Get(tx, s.Containers[0])
			if err != nil {
				return err
			}
			r, err := routeOf(tx, s, c)
			if err != nil {
				return err
			}
			list = append(list, routemap.Passages(r.ports, v.vessel())...)
		}
		return nil
	})
	return v, list, err
}
