package routemap

import (
	"cmp"
	"fmt"
	"time"

	"github.com/google/uuid"

	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/internal/searoute"
	"github.com/landfallhq/tracking/refdata"
)

// Feature is a feature of a map in GeoJSON (RFC 7946). Properties has the member
// feature_type.
type Feature struct {
	Geometry   *Geometry // nil if it is not known
	Properties any
}

// Geometry is a Point or a LineString.
type Geometry struct {
	Type        string
	Coordinates any // [longitude, latitude] in degrees, WGS84; of a LineString a list of them
}

type portProperties struct {
	FeatureType   string     `json:"feature_type"`
	PortsSequence int        `json:"ports_sequence"` // from 1, the POL
	PortsTotal    int        `json:"ports_total"`
	LocationID    uuid.UUID  `json:"location_id"`
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
	VesselID      *uuid.UUID `json:"vessel_id"`
	StartTime     *time.Time `json:"start_time"`
	EndTime       *time.Time `json:"end_time"`
	PointCount    int        `json:"point_count"`
	OutboundATDAt *time.Time `json:"outbound_atd_at"`
	InboundATAAt  *time.Time `json:"inbound_ata_at"`
	InboundETAAt  *time.Time `json:"inbound_eta_at"`
	// Schematic (own): along shipping lanes, not where the ship was.
	Schematic bool `json:"schematic"`
}

type fullLegProperties struct {
	FeatureType    string    `json:"feature_type"`
	PortsSequence  int       `json:"ports_sequence"`
	PreviousPortID uuid.UUID `json:"previous_port_id"`
	NextPortID     uuid.UUID `json:"next_port_id"`
	PointCount     int       `json:"point_count"`
	Schematic      bool      `json:"schematic"`
}

type partialLegProperties struct {
	FeatureType   string    `json:"feature_type"`
	PortsSequence int       `json:"ports_sequence"`
	CurrentPortID uuid.UUID `json:"current_port_id"`
	NextPortID    uuid.UUID `json:"next_port_id"`
	PointCount    int       `json:"point_count"`
	Schematic     bool      `json:"schematic"`
}

type vesselProperties struct {
	FeatureType   string    `json:"feature_type"`
	PortsSequence int       `json:"ports_sequence"` // of the port that it left
	VesselID      uuid.UUID `json:"vessel_id"`
	VesselName    string    `json:"vessel_name"`
	VesselIMO     *string   `json:"vessel_imo"`
	VoyageNumber  *string   `json:"voyage_number"`
	At            time.Time `json:"vessel_location_timestamp"`
	Heading       *float64  `json:"vessel_location_heading"`
	Speed         *float64  `json:"vessel_location_speed"` // knots

	DepartureID          uuid.UUID  `json:"departure_port_id"`
	DepartureName        string     `json:"departure_port_name"`
	DepartureStateAbbr   *string    `json:"departure_port_state_abbr"`
	DepartureState       *string    `json:"departure_port_state"`
	DepartureCountryCode *string    `json:"departure_port_country_code"`
	DepartureCountry     *string    `json:"departure_port_country"`
	DepartureLabel       string     `json:"departure_port_label"`
	DepartureATD         *time.Time `json:"departure_port_atd"`
	DepartureZone        *string    `json:"departure_port_time_zone"`

	ArrivalID          *uuid.UUID `json:"arrival_port_id"`
	ArrivalName        *string    `json:"arrival_port_name"`
	ArrivalStateAbbr   *string    `json:"arrival_port_state_abbr"`
	ArrivalState       *string    `json:"arrival_port_state"`
	ArrivalCountryCode *string    `json:"arrival_port_country_code"`
	ArrivalCountry     *string    `json:"arrival_port_country"`
	ArrivalLabel       *string    `json:"arrival_port_label"`
	ArrivalETA         *time.Time `json:"arrival_port_eta"`
	ArrivalZone        *string    `json:"arrival_port_time_zone"`
}

// recent is the largest age of a position that counts as the present one.
const recent = 24 * time.Hour

// Draw draws a route leg by leg: a port, the path from it, the next port. Paths follow
// shipping lanes through none of the passages to avoid; they are great circles where that
// is not possible. They are cut at the antimeridian. The track of a ship replaces the part
// that it has covered. The ship is between the port that it left and the path behind it,
// and the rest of the leg follows that path. updated is when the container was updated.
func Draw(ports []Port, legs []Leg, updated, now time.Time, avoiding ...searoute.Passage) []Feature {
	d := &drawing{ports: ports, updated: updated, now: now, avoiding: avoiding, features: []Feature{}}
	for i := range ports {
		d.port(i)
		if i < len(legs) {
			d.leg(i, &legs[i])
		}
	}
	return d.features
}

// drawing is a map that is being drawn.
type drawing struct {
	ports        []Port
	updated, now time.Time
	avoiding     []searoute.Passage
	features     []Feature
}

func (d *drawing) add(g *Geometry, properties any) {
	d.features = append(d.features, Feature{g, properties})
}

// label returns the label of a port: POL, TS1, TS2, POD.
func (d *drawing) label(i int) string {
	switch d.ports[i].Place.Role {
	case freight.RolePOL:
		return "POL"
	case freight.RolePOD:
		return "POD"
	}
	n := 0
	for _, p := range d.ports[:i+1] {
		if p.Place.Role == freight.RoleTS {
			n++
		}
	}
	return fmt.Sprintf("TS%d", n)
}

func (d *drawing) port(i int) {
	p := &d.ports[i]
	var at *Geometry
	if p.Position != nil {
		at = &Geometry{"Point", coordinates(*p.Position)}
	}
	d.add(at, portProperties{
		FeatureType: "port", PortsSequence: i + 1, PortsTotal: len(d.ports), LocationID: p.ID, LocationType: "Port",
		Name: p.Name, StateAbbr: orNil(p.StateAbbr), CountryCode: orNil(p.CountryCode), Country: orNil(refdata.CountryName(p.CountryCode)),
		TimeZone: orNil(p.TimeZone), Label: d.label(i),
		InboundETAAt: instant(p.In.Estimated), InboundATAAt: instant(p.In.Actual),
		OutboundETDAt: instant(p.Out.Estimated), OutboundATDAt: instant(p.Out.Actual),
		UpdatedAt: &d.updated,
	})
}

func (d *drawing) leg(i int, l *Leg) {
	way, known := l.Passage()
	if !known {
		return
	}
	if !l.From.Left {
		d.lines(d.path(way.From, way.To), func(n int) any {
			return fullLegProperties{"estimated_full_legs", i + 1, l.From.ID, l.To.ID, n, true}
		})
		return
	}
	past := pastProperties{
		FeatureType: "past_vessel_locations", PortsSequence: i + 1, VesselID: orNil(l.VesselID), StartTime: instant(l.From.Out.Actual), EndTime: instant(l.To.In.Actual),
		OutboundATDAt: instant(l.From.Out.Actual), InboundATAAt: instant(l.To.In.Actual), InboundETAAt: instant(l.To.In.Estimated),
	}
	var line []freight.Point
	var last *freight.Position
	track := observed(l.Track)
	if past.Schematic = len(track) == 0; past.Schematic {
		line = d.path(way.From, way.To)
	} else {
		last = &track[len(track)-1]
		line = append(line, way.From)
		for _, p := range track {
			line = append(line, p.Point())
		}
		if l.To.Reached {
			line = append(line, way.To)
		}
		past.StartTime, past.EndTime = &track[0].At, &last.At
	}
	atSea := last != nil && !l.To.Reached && l.To.In.Actual.IsZero() && d.now.Sub(last.At) <= recent && l.VesselID != uuid.Nil
	if atSea {
		d.vessel(i, l, last)
	}
	d.lines(line, func(n int) any { past.PointCount = n; return past })
	if atSea {
		d.lines(d.path(last.Point(), way.To), func(n int) any {
			return partialLegProperties{"estimated_partial_leg", i + 1, l.From.ID, l.To.ID, n, true}
		})
	}
}

// path returns the points of a way by sea.
func (d *drawing) path(from, to freight.Point) []freight.Point {
	return searoute.Approximate(from, to, d.avoiding...).Points
}

// observed returns the positions that are not estimates, with times in whole seconds, UTC.
func observed(track []freight.Position) (seen []freight.Position) {
	for _, p := range track {
		if !p.Estimated {
			p.At = p.At.UTC().Truncate(time.Second)
			seen = append(seen, p)
		}
	}
	return seen
}

func (d *drawing) vessel(i int, l *Leg, at *freight.Position) {
	from, to, label := &l.From, &l.To, d.label(i+1)
	d.add(&Geometry{"Point", coordinates(at.Point())}, vesselProperties{
		FeatureType: "current_vessel", PortsSequence: i + 1, VesselID: l.VesselID, VesselName: cmp.Or(l.Vessel.Name, l.Vessel.IMO),
		VesselIMO: orNil(l.Vessel.IMO), VoyageNumber: orNil(l.Voyage), At: at.At, Heading: at.Heading, Speed: at.SpeedKnots,

		DepartureID: from.ID, DepartureName: from.Name, DepartureStateAbbr: orNil(from.StateAbbr),
		DepartureCountryCode: orNil(from.CountryCode), DepartureCountry: orNil(refdata.CountryName(from.CountryCode)),
		DepartureLabel: d.label(i), DepartureATD: instant(from.Out.Actual), DepartureZone: orNil(from.TimeZone),

		ArrivalID: &to.ID, ArrivalName: &to.Name, ArrivalStateAbbr: orNil(to.StateAbbr),
		ArrivalCountryCode: orNil(to.CountryCode), ArrivalCountry: orNil(refdata.CountryName(to.CountryCode)),
		ArrivalLabel: &label, ArrivalETA: instant(to.In.Estimated), ArrivalZone: orNil(to.TimeZone),
	})
}

// lines draws a path, as several features where it crosses the antimeridian.
func (d *drawing) lines(path []freight.Point, properties func(points int) any) {
	for _, part := range freight.SplitAtAntimeridian(path) {
		line := make([][2]float64, len(part))
		for i, p := range part {
			line[i] = coordinates(p)
		}
		d.add(&Geometry{"LineString", line}, properties(len(line)))
	}
}

// coordinates rounds to about a metre.
func coordinates(p freight.Point) [2]float64 {
	return [2]float64{round5(p.Longitude), round5(p.Latitude)}
}

func round5(f float64) float64 {
	const unit = 1e5
	if f < 0 {
		return -round5(-f)
	}
	return float64(int64(f*unit+0.5)) / unit
}

// instant returns a time as it is shown: UTC, in whole seconds; nil if it is not known.
func instant(m freight.Moment) *time.Time {
	if m.IsZero() {
		return nil
	}
	at := m.Time.UTC().Truncate(time.Second)
	return &at
}

func orNil[V comparable](v V) *V {
	if v == *new(V) {
		return nil
	}
	return &v
}
