package tracking

import (
	"context"
	"time"

	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/internal/searoute"
)

// Map is a GeoJSON FeatureCollection (RFC 7946; see
// docs/contract.md#routes-and-maps). encoding/json writes it.
type Map struct {
	Type     string       `json:"type"` // "FeatureCollection"
	Features []MapFeature `json:"features"`
}

// MapFeature is a feature of a map. Properties has the member feature_type: port,
// current_vessel, past_vessel_locations, estimated_full_legs, estimated_partial_leg.
type MapFeature struct {
	Type       string       `json:"type"`     // "Feature"
	Geometry   *MapGeometry `json:"geometry"` // null where it is not known
	Properties any          `json:"properties"`
}

// MapGeometry is a Point or a LineString; coordinates are [longitude, latitude].
type MapGeometry struct {
	Type        string `json:"type"`        // Point or LineString
	Coordinates any    `json:"coordinates"` // degrees, WGS84; of a LineString a list of them
}

// ContainerMap returns a map of the route of a container by sea: its ports, the past legs
// and those ahead, as great circles that are cut at the antimeridian. If Config.Positions
// has the positions of the ship, its track is shown instead of the great circle, and the
// ship is shown. Needs show. Errors: NotFound; ErrUnavailable if positions are not
// available.
func (t *Tracker) ContainerMap(ctx context.Context, id ID) (*Map, error) {
	var r *route
	var legs []searoute.Leg
	err := t.onRoute(ctx, id, func(tx *transaction, found *route) error {
		r, legs = found, searoute.Legs(found.ports)
		for i := range legs {
			legs[i].VesselID = tx.resolver().Vessel(legs[i].Vessel)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	now := t.now()
	for i := range legs {
		if legs[i].Track, err = t.track(ctx, &legs[i], now); err != nil {
			return nil, err
		}
	}
	drawn := &Map{Type: "FeatureCollection", Features: []MapFeature{}}
	for _, f := range searoute.Draw(r.ports, legs, r.box.UpdatedAt, now) {
		drawn.Features = append(drawn.Features, MapFeature{"Feature", (*MapGeometry)(f.Geometry), f.Properties})
	}
	return drawn, nil
}

// track returns the positions of the ship on a leg; none if they are not known.
func (t *Tracker) track(ctx context.Context, l *searoute.Leg, now time.Time) ([]Position, error) {
	way, known := l.Passage()
	if t.config.Positions == nil || !known || !l.From.Left || l.Vessel == (VesselRef{}) || way.Departed.IsZero() {
		return nil, nil
	}
	q := freight.PositionQuery{Vessel: l.Vessel, From: way.Departed, To: now, Passages: []freight.Passage{way}}
	if !way.Arrived.IsZero() {
		q.To = way.Arrived
	}
	if !q.To.After(q.From) {
		return nil, nil
	}
	list, err := t.config.Positions.Past(ctx, q)
	if err != nil {
		return nil, positionFault(err)
	}
	return thinned(list), nil
}
