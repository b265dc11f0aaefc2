package tracking

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/refdata"
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

type portProperties struct {
	FeatureType   string     `json:"feature_type"`
	PortsSequence int        `json:"ports_sequence"` // from 1, the POL
	PortsTotal    int        `json:"ports_total"`
	LocationID    ID         `json:"location_id"`
	LocationType  string     `json:"location_type"`
	Name          string     `json:"name"`
	StateAbbr     *string    `json:"state_abbr"`
	State         *string    `json:"state"`
	CountryCode   *string    `json:"country_code"`
	Country       *string    `json:"country"`
	TimeZone      *string    `json:"time_zone"`
	Label         string     `json:"label"`
	InboundETAAt  *time.Time `json:"inbound_eta_at"`
	InboundATAAt  *time.Time `json:"inbound_ata_at"`
	OutboundETDAt *time.Time `json:"outbound_etd_at"`
	OutboundATDAt *time.Time `json:"outbound_atd_at"`
	UpdatedAt     *time.Time `json:"updated_at"`
}

type pastProperties struct {
	FeatureType   string     `json:"feature_type"`
	PortsSequence int        `json:"ports_sequence"` // of the port that it left
	VesselID      *ID        `json:"vessel_id"`
	StartTime     *time.Time `json:"start_time"`
	EndTime       *time.Time `json:"end_time"`
	PointCount    int        `json:"point_count"`
	OutboundATDAt *time.Time `json:"outbound_atd_at"`
	InboundATAAt  *time.Time `json:"inbound_ata_at"`
	InboundETAAt  *time.Time `json:"inbound_eta_at"`
	// Schematic (own): the great circle between the ports, not where the ship was.
	Schematic bool `json:"schematic"`
}

type fullLegProperties struct {
	FeatureType    string `json:"feature_type"`
	PortsSequence  int    `json:"ports_sequence"`
	PreviousPortID ID     `json:"previous_port_id"`
	NextPortID     ID     `json:"next_port_id"`
	PointCount     int    `json:"point_count"`
	Schematic      bool   `json:"schematic"`
}

type partialLegProperties struct {
	FeatureType   string `json:"feature_type"`
	PortsSequence int    `json:"ports_sequence"`
	CurrentPortID ID     `json:"current_port_id"`
	NextPortID    ID     `json:"next_port_id"`
	PointCount    int    `json:"point_count"`
	Schematic     bool   `json:"schematic"`
}

type vesselProperties struct {
	FeatureType   string    `json:"feature_type"`
	PortsSequence int       `json:"ports_sequence"` // of the port that it left
	VesselID      ID        `json:"vessel_id"`
	VesselName    string    `json:"vessel_name"`
	VesselIMO     *string   `json:"vessel_imo"`
	VoyageNumber  *string   `json:"voyage_number"`
	At            time.Time `json:"vessel_location_timestamp"`
	Heading       *float64  `json:"vessel_location_heading"`
	Speed         *float64  `json:"vessel_location_speed"` // knots

	DepartureID          ID         `json:"departure_port_id"`
	DepartureName        string     `json:"departure_port_name"`
	DepartureStateAbbr   *string    `json:"departure_port_state_abbr"`
	DepartureState       *string    `json:"departure_port_state"`
	DepartureCountryCode *string    `json:"departure_port_country_code"`
	DepartureCountry     *string    `json:"departure_port_country"`
	DepartureLabel       string     `json:"departure_port_label"`
	DepartureATD         *time.Time `json:"departure_port_atd"`
	DepartureZone        *string    `json:"departure_port_time_zone"`

	ArrivalID          *ID        `json:"arrival_port_id"`
	ArrivalName        *string    `json:"arrival_port_name"`
	ArrivalStateAbbr   *string    `json:"arrival_port_state_abbr"`
	ArrivalState       *string    `json:"arrival_port_state"`
	ArrivalCountryCode *string    `json:"arrival_port_country_code"`
	ArrivalCountry     *string    `json:"arrival_port_country"`
	ArrivalLabel       *string    `json:"arrival_port_label"`
	ArrivalETA         *time.Time `json:"arrival_port_eta"`
	ArrivalZone        *string    `json:"arrival_port_time_zone"`
}

// ContainerMap returns a map of the route of a container by sea: its ports, the past legs
// and those ahead, as great circles that are cut at the antimeridian. If Config.Positions
// has the positions of the ship, its track is shown instead of the great circle, and the
// ship is shown. Needs show. Errors: NotFound; ErrUnavailable if positions are not
// available.
func (t *Tracker) ContainerMap(ctx context.Context, id ID) (*Map, error) {
	var r *route
	d := &drawing{t: t, ids: map[VesselRef]ID{}}
	err := t.onRoute(ctx, id, func(tx *transaction, found *route) error {
		r = found
		for _, l := range r.legs() {
			d.ids[l.vessel] = vesselID(tx, l.vessel)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	d.route, d.now = r, t.now()
	if err := d.draw(ctx); err != nil {
		return nil, err
	}
	return &d.drawn, nil
}

// drawing is a map that is being drawn.
type drawing struct {
	*route
	t     *Tracker
	now   time.Time
	ids   map[VesselRef]ID
	drawn Map
}

// draw draws leg by leg: a port, the path from it, the next port. The ship is between the
// port that it left and the path behind it, and the rest of the leg follows that path.
func (d *drawing) draw(ctx context.Context) error {
	d.drawn = Map{Type: "FeatureCollection", Features: []MapFeature{}}
	legs := d.legs()
	for i := range d.calls {
		d.port(i)
		if i == len(legs) {
			break
		}
		if err := d.leg(ctx, i, &legs[i]); err != nil {
			return err
		}
	}
	return nil
}

func (d *drawing) add(g *MapGeometry, properties any) {
	d.drawn.Features = append(d.drawn.Features, MapFeature{Type: "Feature", Geometry: g, Properties: properties})
}

// label returns the label of a port: POL, TS1, TS2, POD.
func (d *drawing) label(i int) string {
	switch d.calls[i].Place.Role {
	case freight.RolePOL:
		return "POL"
	case freight.RolePOD:
		return "POD"
	}
	n := 0
	for _, c := range d.calls[:i+1] {
		if c.Place.Role == freight.RoleTS {
			n++
		}
	}
	return fmt.Sprintf("TS%d", n)
}

func (d *drawing) port(i int) {
	p, call := d.portOrName(i), d.calls[i]
	d.add(pointGeometry(p), portProperties{
		FeatureType: "port", PortsSequence: i + 1, PortsTotal: len(d.calls), LocationID: p.ID, LocationType: "Port",
		Name: p.Name, StateAbbr: orNil(p.StateAbbr), CountryCode: orNil(p.CountryCode), Country: orNil(refdata.CountryName(p.CountryCode)),
		TimeZone: orNil(p.TimeZone), Label: d.label(i),
		InboundETAAt: instant(call.In.Estimated), InboundATAAt: instant(call.In.Actual),
		OutboundETDAt: instant(call.Out.Estimated), OutboundATDAt: instant(call.Out.Actual),
		UpdatedAt: &d.box.UpdatedAt,
	})
}

// portOrName returns the port of a call; only with name and code if there is no record.
func (d *drawing) portOrName(i int) *Port {
	if p := d.ports[i]; p != nil {
		return p
	}
	place := d.calls[i].Place
	return &Port{Name: cmp.Or(place.Name, place.LOCODE), Code: place.LOCODE}
}

func (d *drawing) leg(ctx context.Context, i int, l *sea) error {
	way, known := l.passage()
	if !known {
		return nil // the position of a port is not known
	}
	if !l.begun {
		d.lines(way.From.Path(way.To), func(n int) any {
			return fullLegProperties{"estimated_full_legs", i + 1, l.at.ID, l.next.ID, n, true}
		})
		return nil
	}
	track, err := d.track(ctx, l, way)
	if err != nil {
		return err
	}
	past := pastProperties{
		FeatureType: "past_vessel_locations", PortsSequence: i + 1, VesselID: d.vesselOf(l), StartTime: instant(l.from.Out.Actual), EndTime: instant(l.to.In.Actual),
		OutboundATDAt: instant(l.from.Out.Actual), InboundATAAt: instant(l.to.In.Actual), InboundETAAt: instant(l.to.In.Estimated),
	}
	line, last := way.From.Path(way.To), (*Position)(nil)
	if past.Schematic = len(track) == 0; !past.Schematic {
		last = &track[len(track)-1]
		line = []Point{way.From}
		for _, p := range track {
			line = append(line, p.Point())
		}
		if l.ended {
			line = append(line, way.To)
		}
		past.StartTime, past.EndTime = &track[0].At, &last.At
	}
	atSea := last != nil && !l.ended && l.to.In.Actual.IsZero() && d.now.Sub(last.At) <= recent && d.vesselOf(l) != nil
	if atSea {
		d.vessel(i, l, last)
	}
	d.lines(line, func(n int) any { past.PointCount = n; return past })
	if atSea {
		d.lines(last.Point().Path(way.To), func(n int) any {
			return partialLegProperties{"estimated_partial_leg", i + 1, l.at.ID, l.next.ID, n, true}
		})
	}
	return nil
}

// track returns the observed positions of the ship on a leg; none if they are not known.
func (d *drawing) track(ctx context.Context, l *sea, way freight.Passage) ([]Position, error) {
	if d.t.config.Positions == nil || l.vessel == (VesselRef{}) || way.Departed.IsZero() {
		return nil, nil
	}
	q := freight.PositionQuery{Vessel: l.vessel, From: way.Departed, To: d.now, Passages: []freight.Passage{way}}
	if !way.Arrived.IsZero() {
		q.To = way.Arrived
	}
	if !q.To.After(q.From) {
		return nil, nil
	}
	list, err := d.t.config.Positions.Past(ctx, q)
	if err != nil {
		return nil, positionFault(err)
	}
	var seen []Position
	for _, p := range thinned(list) {
		if !p.Estimated {
			p.At = p.At.UTC().Truncate(time.Second)
			seen = append(seen, p)
		}
	}
	return seen, nil
}

func (d *drawing) vesselOf(l *sea) *ID {
	if id := d.ids[l.vessel]; id != (ID{}) {
		return &id
	}
	return nil
}

func (d *drawing) vessel(i int, l *sea, at *Position) {
	from, to, label := l.at, l.next, d.label(i+1)
	d.add(&MapGeometry{"Point", coordinates(at.Point())}, vesselProperties{
		FeatureType: "current_vessel", PortsSequence: i + 1, VesselID: *d.vesselOf(l), VesselName: cmp.Or(l.vessel.Name, l.vessel.IMO),
		VesselIMO: orNil(l.vessel.IMO), VoyageNumber: orNil(l.voyage), At: at.At, Heading: at.Heading, Speed: at.SpeedKnots,

		DepartureID: from.ID, DepartureName: from.Name, DepartureStateAbbr: orNil(from.StateAbbr),
		DepartureCountryCode: orNil(from.CountryCode), DepartureCountry: orNil(refdata.CountryName(from.CountryCode)),
		DepartureLabel: d.label(i), DepartureATD: instant(l.from.Out.Actual), DepartureZone: orNil(from.TimeZone),

		ArrivalID: &to.ID, ArrivalName: &to.Name, ArrivalStateAbbr: orNil(to.StateAbbr),
		ArrivalCountryCode: orNil(to.CountryCode), ArrivalCountry: orNil(refdata.CountryName(to.CountryCode)),
		ArrivalLabel: &label, ArrivalETA: instant(l.to.In.Estimated), ArrivalZone: orNil(to.TimeZone),
	})
}

// lines draws a path, as several features where it crosses the antimeridian.
func (d *drawing) lines(path []Point, properties func(points int) any) {
	for _, part := range freight.SplitAtAntimeridian(path) {
		line := make([][2]float64, len(part))
		for i, p := range part {
			line[i] = coordinates(p)
		}
		d.add(&MapGeometry{"LineString", line}, properties(len(line)))
	}
}

func pointGeometry(p *Port) *MapGeometry {
	at, ok := p.point()
	if !ok {
		return nil
	}
	return &MapGeometry{"Point", coordinates(at)}
}

// coordinates rounds to about a metre.
func coordinates(p Point) [2]float64 { return [2]float64{round5(p.Longitude), round5(p.Latitude)} }

func round5(f float64) float64 {
	const unit = 1e5
	if f < 0 {
		return -round5(-f)
	}
	return float64(int64(f*unit+0.5)) / unit
}

func orNil(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
