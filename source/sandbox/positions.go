package sandbox

import (
	"context"
	"time"

	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/internal/searoute"
)

// Positions invents where ships are: on the shipping lanes between the ports of their
// passages, at constant speed. It is for demonstrations only; never show its
// positions as real ones.
type Positions struct{}

const (
	positionInterval = 15 * time.Minute // about the interval of positions
	maxPositions     = 500              // per passage
)

// Past implements freight.Positions.
func (Positions) Past(_ context.Context, q freight.PositionQuery) (list []freight.Position, err error) {
	seen := map[freight.Passage]bool{}
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
// ship without an arrival that is due by its end has a third of the passage left.
func positionsOf(p freight.Passage, from, to time.Time) (list []freight.Position) {
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
	way := searoute.Approximate(p.From, p.To)
	speed := way.NauticalMiles / took.Hours()
	step := max(positionInterval, took/maxPositions)
	for at := p.Departed; !at.After(to) && !at.After(end); at = at.Add(step) {
		if at.Before(from) {
			continue
		}
		list = append(list, position(&way, float64(at.Sub(p.Departed))/float64(took), at, speed))
	}
	return list
}

func position(way *searoute.Route, fraction float64, at time.Time, speed float64) freight.Position {
	point, heading := way.At(fraction)
	return freight.Position{Latitude: point.Latitude, Longitude: point.Longitude, Heading: &heading, SpeedKnots: &speed, At: at}
}

// cruisingSpeed is the speed of the remaining passage, in knots.
const cruisingSpeed = 16.0

// Ahead implements freight.Positions, with a position for each minute.
func (Positions) Ahead(_ context.Context, q freight.CourseQuery) (list []freight.Position, err error) {
	way := searoute.Approximate(q.From, q.To)
	minutes := int(way.NauticalMiles / cruisingSpeed * 60)
	for i := range minutes + 1 {
		at := position(&way, float64(i)/float64(max(1, minutes)), q.Now.Add(time.Duration(i)*time.Minute), cruisingSpeed)
		at.Estimated = true
		list = append(list, at)
	}
	return list, nil
}
