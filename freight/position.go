package freight

import (
	"context"
	"time"
)

// Positions returns the positions of ships, for example from an AIS provider. Landfall has
// no implementation. Without one, requests that need positions are refused, and everything
// else works.
type Positions interface {
	// Past returns the positions of a ship in a span of time, oldest first. An empty list is
	// no error.
	Past(ctx context.Context, q PositionQuery) ([]Position, error)
	// Ahead returns the positions that a ship is expected to have on its way to a port,
	// about one for each minute, oldest first.
	Ahead(ctx context.Context, q CourseQuery) ([]Position, error)
}

// PositionQuery asks for the past positions of a ship.
type PositionQuery struct {
	Vessel VesselRef
	// From and To are the span, UTC, both ends included.
	From, To time.Time
	// Passages are voyages of the ship in the account's shipments. A provider with observed
	// positions can ignore them.
	Passages []Passage
}

// CourseQuery asks for the expected positions of a ship.
type CourseQuery struct {
	Vessel VesselRef
	// Now is the present time, UTC.
	Now time.Time
	// From is where the ship comes from, or is, and To where it goes.
	From, To Point
	// Passages are as in PositionQuery.
	Passages []Passage
}

// Passage is the voyage of a ship from one port to the next.
type Passage struct {
	From, To Point
	// Departed is when it left the first port, Arrived when it reached the next one, Due
	// when it is expected there. UTC; zero when it has not happened, or is not known.
	Departed, Arrived, Due time.Time
}

// Position is where a ship was, or is expected to be. Latitude and Longitude are in
// degrees, WGS84.
type Position struct {
	Latitude  float64 `json:"latitude"`  // -90 to 90, positive is north
	Longitude float64 `json:"longitude"` // -180 to 180, positive is east
	// Heading in degrees clockwise from north; nil when not known.
	Heading *float64 `json:"heading"`
	// At is when, in UTC.
	At time.Time `json:"timestamp"`
	// Estimated: the position is computed, not observed.
	Estimated bool `json:"estimated"`
	// SpeedKnots is the speed in knots; nil when not known.
	SpeedKnots *float64 `json:"-"`
}

// Point returns the coordinates of the position.
func (p Position) Point() Point { return Point{Latitude: p.Latitude, Longitude: p.Longitude} }
