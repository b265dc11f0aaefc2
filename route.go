package tracking

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"time"

	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/internal/journey"
	"github.com/landfallhq/tracking/internal/record"
	"github.com/landfallhq/tracking/internal/routemap"
	"github.com/landfallhq/tracking/internal/table"
	"github.com/landfallhq/tracking/store"
)

// SeaRoute is the route of a container by sea, port by port (see
// docs/contract.md#routes-and-maps).
type SeaRoute struct {
	ID ID `id:""` // that of the container
	// Stops are the locations of the route, in order.
	Stops     []ID      `rel:"route_locations,route_location"`
	CreatedAt time.Time `attr:"created_at"` // of the container, UTC
	UpdatedAt time.Time `attr:"updated_at"` // likewise

	// Locations are the locations of Stops.
	Locations []*RouteLocation
}

// RouteLocation is a port of a container's route: the POL, a port of transshipment or the
// POD. Inbound attributes are about the means of transport that brings it there, outbound
// ones about the one that takes it on. Estimated and actual times are both kept. UTC, zero
// (null) while not known.
type RouteLocation struct {
	ID             ID `id:""`                        // follows from the route and the port
	Route          ID `rel:"route,route"`            // the one it belongs to
	Location       ID `rel:"location,port"`          // the port
	InboundVessel  ID `rel:"inbound_vessel,vessel"`  // zero (null) when not known
	OutboundVessel ID `rel:"outbound_vessel,vessel"` // likewise

	InboundSCAC    string    `attr:"inbound_scac,null"` // of the line; empty (null) when not known
	InboundMode    Mode      `attr:"inbound_mode,null"` // vessel, feeder or barge
	InboundETAAt   time.Time `attr:"inbound_eta_at,null"`
	InboundATAAt   time.Time `attr:"inbound_ata_at,null"`
	InboundVoyage  string    `attr:"inbound_voyage_number,null"`
	OutboundSCAC   string    `attr:"outbound_scac,null"`
	OutboundMode   Mode      `attr:"outbound_mode,null"`
	OutboundETDAt  time.Time `attr:"outbound_etd_at,null"`
	OutboundATDAt  time.Time `attr:"outbound_atd_at,null"`
	OutboundVoyage string    `attr:"outbound_voyage_number,null"`
	CreatedAt      time.Time `attr:"created_at"`
	UpdatedAt      time.Time `attr:"updated_at"`
}

var (
	routeRecords         = record.For[SeaRoute]("route")
	routeLocationRecords = record.For[RouteLocation]("route_location")
)

// ContainerRoute returns the route of a container by its present facts. The route has no
// locations while no port is known. Needs show. Errors: NotFound.
func (t *Tracker) ContainerRoute(ctx context.Context, id ID) (r *SeaRoute, err error) {
	err = t.onRoute(ctx, id, func(tx *transaction, found *route) error {
		r = found.shown(tx)
		return nil
	})
	return r, err
}

// routeIncludes are the values of include for a route. Clients of the published interface
// send types, not relationships.
var routeIncludes = []string{"port", "vessel", "route_location", "route_locations"}

// Route returns the route of a container; see Tracker.ContainerRoute. include may name
// the types port, vessel and route_location. Errors: NotFound; BadQuery on include.
func (r Rendered) Route(ctx context.Context, id ID, include []string) (Selection, error) {
	for _, name := range include {
		if !slices.Contains(routeIncludes, name) {
			return Selection{}, badQuery("include", "'%s' is not specified as a relationship on route", name)
		}
	}
	var s Selection
	err := r.t.onRoute(ctx, id, func(tx *transaction, found *route) (err error) {
		sea := found.shown(tx)
		doc, _ := routeRecords.Encode(sea)
		s = Selection{Rows: []*Resource{{Type: "route", ID: sea.ID, Doc: doc}}, Total: 1}
		if slices.Contains(include, "route_location") || slices.Contains(include, "route_locations") {
			for _, l := range sea.Locations {
				doc, _ := routeLocationRecords.Encode(l)
				s.Included = append(s.Included, &Resource{Type: "route_location", ID: l.ID, Doc: doc})
			}
		}
		if slices.Contains(include, "port") {
			err = s.includeOf(tx, ports.Kind, sea.ids(func(l *RouteLocation) []ID { return []ID{l.Location} }))
		}
		if err == nil && slices.Contains(include, "vessel") {
			err = s.includeOf(tx, vessels.Kind, sea.ids(func(l *RouteLocation) []ID { return []ID{l.InboundVessel, l.OutboundVessel} }))
		}
		return err
	})
	return s, err
}

// includeOf includes reference entities, each with the ID that it is linked by.
func (s *Selection) includeOf(tx *transaction, k *store.Kind, ids []ID) error {
	for _, id := range ids {
		r, ok := tx.engine.refs.resource(k.Name, id)
		if !ok {
			var err error
			if r, err = tx.Records.Get(tx, k, id); isNotFound(err) {
				continue
			} else if err != nil {
				return err
			}
			if r, err = asShown(tx, k, r); err != nil {
				return err
			}
		}
		s.Included = append(s.Included, &Resource{Type: k.Name, ID: r.ID, Version: r.Version, Doc: r.Doc})
	}
	return nil
}

// ids returns the IDs in the locations, each once.
func (r *SeaRoute) ids(of func(*RouteLocation) []ID) (ids []ID) {
	for _, l := range r.Locations {
		for _, id := range of(l) {
			if id != (ID{}) && !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	return ids
}

// onRoute derives the route of a container in one snapshot.
func (t *Tracker) onRoute(ctx context.Context, id ID, fn func(*transaction, *route) error) error {
	if err := t.allow(Show); err != nil {
		return err
	}
	if err := t.refs.load(ctx); err != nil {
		return err
	}
	return t.view(ctx, t.actor.Account, func(tx *transaction) error {
		c, err := containers.Get(tx, id)
		if err != nil {
			return err
		}
		s, err := shipments.Get(tx, c.Shipment)
		if err != nil {
			return err
		}
		r, err := routeOf(tx, s, c)
		if err != nil {
			return err
		}
		return fn(tx, r)
	})
}

// route is the route of a container with the records that it was derived from.
type route struct {
	ship  *Shipment
	box   *Container
	ports []routemap.Port
}

// routeOf derives the route of a container from the present facts of its shipment.
func routeOf(tx *transaction, s *Shipment, c *Container) (*route, error) {
	now, err := latestTime(tx)
	if err != nil {
		return nil, err
	}
	back := &pastView{tx: tx, second: now}
	if err := back.open(s); err != nil {
		return nil, err
	}
	r := &route{ship: s, box: c}
	for _, call := range journey.PortCalls([]ShipmentNumber{s.followedNumber()}, back.then.derivationFacts(), tx.engine.refs, c.Number) {
		p, err := routePort(tx, call)
		if err != nil {
			return nil, err
		}
		r.ports = append(r.ports, p)
	}
	return r, nil
}

// routePort returns the port of a call; only with ID and name if there is no record.
func routePort(tx *transaction, call journey.PortCall) (routemap.Port, error) {
	out := routemap.Port{PortCall: call, Name: cmp.Or(call.Place.Name, call.Place.LOCODE)}
	out.ID, _, _ = tx.resolver().Port(call.Place)
	rows, err := referenceRows(tx, ports.Kind, []ID{out.ID})
	if err != nil || len(rows) == 0 {
		return out, err
	}
	p, err := ports.Decode(rows[0])
	if err != nil {
		return out, err
	}
	out.Name, out.StateAbbr, out.CountryCode, out.TimeZone, out.Position = p.Name, p.StateAbbr, p.CountryCode, p.TimeZone, p.position()
	return out, nil
}

// shown returns the route as a resource.
func (r *route) shown(tx *transaction) *SeaRoute {
	out := &SeaRoute{ID: table.NamedID("route", r.box.ID.String()), CreatedAt: r.box.CreatedAt, UpdatedAt: r.box.UpdatedAt}
	for i, port := range r.ports {
		l := &RouteLocation{
			ID: table.NamedID("route_location", r.box.ID.String()+"/"+strconv.Itoa(i)), Route: out.ID, Location: port.ID,
			InboundETAAt: port.In.Estimated.Time, InboundATAAt: port.In.Actual.Time,
			OutboundETDAt: port.Out.Estimated.Time, OutboundATDAt: port.Out.Actual.Time,
			CreatedAt: out.CreatedAt, UpdatedAt: out.UpdatedAt,
		}
		l.InboundSCAC, l.InboundMode, l.InboundVoyage, l.InboundVessel = r.carried(tx, port.In)
		l.OutboundSCAC, l.OutboundMode, l.OutboundVoyage, l.OutboundVessel = r.carried(tx, port.Out)
		out.Stops, out.Locations = append(out.Stops, l.ID), append(out.Locations, l)
	}
	return out
}

func (r *route) carried(tx *transaction, c journey.Carriage) (scac string, by Mode, voyage string, vessel ID) {
	if !c.Known {
		return "", "", "", ID{}
	}
	return cmp.Or(c.SCAC, r.ship.ShippingLineSCAC), c.Mode, c.Voyage, tx.resolver().Vessel(c.Vessel)
}

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
// and those ahead, along shipping lanes, cut at the antimeridian. If Config.Positions has
// the positions of the ship, its track is shown instead, and the ship is shown. Needs show. Errors: NotFound; ErrUnavailable if positions are not
// available.
func (t *Tracker) ContainerMap(ctx context.Context, id ID) (*Map, error) {
	var r *route
	var legs []routemap.Leg
	err := t.onRoute(ctx, id, func(tx *transaction, found *route) error {
		r, legs = found, routemap.Legs(found.ports)
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
	for _, f := range routemap.Draw(r.ports, legs, r.box.UpdatedAt, now, t.config.avoided()...) {
		drawn.Features = append(drawn.Features, MapFeature{"Feature", (*MapGeometry)(f.Geometry), f.Properties})
	}
	return drawn, nil
}

// track returns the positions of the ship on a leg; none if they are not known.
func (t *Tracker) track(ctx context.Context, l *routemap.Leg, now time.Time) ([]Position, error) {
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
