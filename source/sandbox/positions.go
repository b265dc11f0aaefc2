package sandbox

import (
	"context"
	"time"

	"github.com/landfallhq/tracking"
)

// Positions invents where ships are: on the great circle between the ports of their
// passages, at constant speed. It is for demonstrations only; never show its
// positions as real ones.
type Positions struct{}

const (
	positionInterval = 15 * time.Minute // about the interval of positions
	maxPositions     = 500              // per passage
	knot             = 1.852            // kilometres an hour
)

// Past implements tracking.Positions.
func (Positions) Past(_ context.Context, q tracking.PositionQuery) (list []tracking.Position, err error) {
	seen := map[tracking.Passage]bool{}
	for i := len(q.Passages) - 1; i >= 0; i-- { // last first
		p := q.Passages[i]
		if p.Departed.IsZero() || seen[p] {
			continue
		}
		seen[p] = true
		list = append(list, positionsOf(p, q.From, q.To)...)
	}
	return list, nil
}

// positionsOf returns the positions of one passage, as far as it is in the span. A
// ship without an arrival by its end has a third of the passage left: voyages of
// the sandbox are dated in the past, so there is no current position.
func positionsOf(p tracking.Passage, from, to time.Time) (list []tracking.Position) {
	end := p.Arrived
	if end.IsZero() {
		if end = p.Due; !end.After(to) {
			end = to.Add(to.Sub(p.Departed) / 2)
		}
	}
	took := end.Sub(p.Departed)
	if took <= 0 {
		return nil
	}
	speed := p.From.Distance(p.To) / took.Hours() / knot
	step := max(positionInterval, took/maxPositions)
	for at := p.Departed; !at.After(to) && !at.After(end); at = at.Add(step) {
		if at.Before(from) {
			continue
		}
		list = append(list, position(p, float64(at.Sub(p.Departed))/float64(took), at, speed))
	}
	return list
}

func position(p tracking.Passage, fraction float64, at time.Time, speed float64) tracking.Position {
	point := p.From.Toward(p.To, fraction)
	heading := point.Heading(p.To)
	return tracking.Position{Latitude: point.Latitude, Longitude: point.Longitude, Heading: &heading, SpeedKnots: &speed, At: at}
}

// cruisingSpeed is the speed of the remaining passage, in knots.
const cruisingSpeed = 16.0

// Ahead implements tracking.Positions, with a position for each minute.
func (Positions) Ahead(_ context.Context, q tracking.CourseQuery) (list []tracking.Position, err error) {
	p := tracking.Passage{From: q.From, To: q.To}
	minutes := int(q.From.Distance(q.To) / (cruisingSpeed * knot) * 60)
	for i := range minutes + 1 {
		at := position(p, float64(i)/float64(max(1, minutes)), q.Now.Add(time.Duration(i)*time.Minute), cruisingSpeed)
		at.Estimated = true
		list = append(list, at)
	}
	return list, nil
}
