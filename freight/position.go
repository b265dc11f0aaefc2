package freight

import (
	"context"
	"time"
)

// Positions knows where ships are. Landfall comes without one: positions are
// bought. Without one everything else is served, and what only positions could
// answer is refused.
type Positions interface {
	// Past returns the positions of a ship in a span of time, oldest first. None
	// is no error.
	Past(ctx context.Context, q PositionQuery) ([]Position, error)
	// Ahead returns the positions that a ship is expected to have on its way to a
	// port, about one for each minute, oldest first.
	Ahead(ctx context.Context, q CourseQuery) ([]Position, error)
}

// PositionQuery asks where a ship was.
type PositionQuery struct {
	Vessel VesselRef
	// From and To are the span, UTC, both ends included.
	From, To time.Time
	// Passages of the ship that the account knows of, last known first. Who knows
	// the ship itself has no need of them.
	Passages []Passage
}

// CourseQuery asks where a ship will be.
type CourseQuery struct {
	Vessel VesselRef
	// Now is the time now, UTC.
	Now time.Time
	// From is where the ship comes from, or is, and To where it goes.
	From, To Point
	// Passages as in PositionQuery.
	Passages []Passage
}

// Passage is the way of a ship from one port to the next.
type Passage struct {
	From, To Point
	// Departed is when it left, zero when it has not yet; Arrived and Due are when
	// it reached the next port, or is expected there. UTC.
	Departed, Arrived, Due time.Time
}

// Position is where a ship was, or is expected to be.
type Position struct {
	Latitude  float64 `json:"latitude"`
	Longitude float64 `json:"longitude"`
	// Heading in degrees from north, clockwise; nil when not known.
	Heading *float64 `json:"heading"`
	// At in UTC.
	At time.Time `json:"timestamp"`
	// Estimated: nobody has seen the ship there.
	Estimated bool `json:"estimated"`
	// SpeedKnots is nil when not known.
	SpeedKnots *float64 `json:"-"`
}

// Point is the position without its time.
func (p Position) Point() Point { return Point{Latitude: p.Latitude, Longitude: p.Longitude} }
