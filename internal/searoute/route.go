package searoute

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/landfallhq/tracking/freight"
)

// nauticalMile is the international nautical mile in kilometres.
const nauticalMile = 1.852

// farthest is how far from the lanes a way can begin or end, in radians: 300 nautical
// miles. Nowhere at sea is farther from them, but in the Antarctic and the Arctic.
const farthest = 300 * nauticalMile / earthKm

// MaxPoints bounds Route.Points.
const MaxPoints = 600

// ErrNoRoute is returned where no lane leads from one place to the other.
var ErrNoRoute = errors.New("searoute: no way by sea")

// Route is a way by sea.
type Route struct {
	// Points begin and end at the places that were asked for. They are great circles of at
	// most 200 kilometres each, and at most MaxPoints. Between the corners of a lane they
	// leave out turns of less than half a kilometre.
	Points []freight.Point
	// NauticalMiles is the length of the way.
	NauticalMiles float64
	// Passages are those that the way goes through, in order.
	Passages []Passage

	traveled []float64 // kilometres from the first point to each
}

// Between returns the shortest way from one place to another that does not go through the
// passages to avoid. Both places are joined to the nearest lane by a straight line, which
// may cross land where a port lies far up a river. Places that are nearer to each other
// than to the lanes are joined directly.
//
// Routes are cached: callers must not change them. Errors: ErrNoRoute, also for a place
// that is more than 300 nautical miles from all lanes; another one for a position that is
// none, or an unknown passage.
func Between(from, to freight.Point, avoiding ...Passage) (Route, error) {
	if !valid(from) || !valid(to) {
		return Route{}, fmt.Errorf("searoute: no way from %v to %v: a position has a latitude from -90 to 90 and a longitude from -180 to 180", from, to)
	}
	barred, err := setOf(avoiding)
	if err != nil {
		return Route{}, err
	}
	return routes.get(request{from, to, barred})
}

func valid(p freight.Point) bool {
	return math.Abs(p.Latitude) <= 90 && math.Abs(p.Longitude) <= 180
}

// Approximate returns Between, or Direct where that is an error.
func Approximate(from, to freight.Point, avoiding ...Passage) Route {
	r, err := Between(from, to, avoiding...)
	if err != nil {
		return Direct(from, to)
	}
	return r
}

// Direct returns the great circle between two places, which may cross land.
func Direct(from, to freight.Point) Route {
	return routeAlong(from, to, []vector{vectorOf(from), vectorOf(to)})
}

// find finds a route without the cache.
func (n *network) find(q request) (Route, error) {
	from, to := vectorOf(q.from), vectorOf(q.to)
	a, atSea := n.join(from, q.barred)
	b, ok := n.join(to, q.barred)
	if !atSea || !ok {
		return Route{}, ErrNoRoute
	}
	if from.angle(to) <= a.away+b.away {
		return Direct(q.from, q.to), nil
	}
	way, length, ok := n.shortest(a, b, q.barred)
	if !ok {
		return Route{}, ErrNoRoute
	}
	line := []vector{from, a.at}
	for _, p := range way {
		line = append(line, n.points[p])
	}
	r := routeAlong(q.from, q.to, simplified(distinct(append(line, b.at, to))))
	r.NauticalMiles = (a.away + length + b.away) * earthKm / nauticalMile
	r.Passages = n.through(a, way, b)
	return r, nil
}

// distinct returns the line without repetitions.
func distinct(line []vector) []vector {
	return slices.CompactFunc(line, func(a, b vector) bool { return a.chord(b) < 1e-9 })
}

// through returns the passages of a way.
func (n *network) through(a anchor, way []int32, b anchor) (list []Passage) {
	numbers := []uint8{n.lanes[a.lane].passage}
	for i := 1; i < len(way); i++ {
		numbers = append(numbers, n.between(way[i-1], way[i]).passage)
	}
	for _, p := range append(numbers, n.lanes[b.lane].passage) {
		if p != 0 && !slices.Contains(list, passages[p]) {
			list = append(list, passages[p])
		}
	}
	return list
}

// between returns the lane between two neighbours.
func (n *network) between(p, q int32) *lane {
	for _, i := range n.ends[n.first[p]:n.first[p+1]] {
		if l := &n.lanes[i]; l.other(p) == q {
			return l
		}
	}
	return &lane{}
}

// routeAlong returns a route with points at most 200 kilometres apart.
func routeAlong(from, to freight.Point, corners []vector) (r Route) {
	line := make([]freight.Point, len(corners))
	for i, c := range corners {
		line[i] = c.point()
	}
	if line = append(line[:max(1, len(line)-1)], to); len(corners) > 0 {
		line[0] = from // exactly
	}
	r.Points, r.traveled = []freight.Point{from}, []float64{0}
	for i := 1; i < len(line); i++ {
		r.Points = append(r.Points, line[i-1].Path(line[i])[1:]...)
	}
	for i := 1; i < len(r.Points); i++ {
		r.traveled = append(r.traveled, r.traveled[i-1]+r.Points[i-1].Distance(r.Points[i]))
	}
	r.NauticalMiles = r.traveled[len(r.traveled)-1] / nauticalMile
	return r
}

// At returns the place at a fraction of the way, 0 at its beginning and 1 at its end, and
// the course there in degrees clockwise from north.
func (r *Route) At(fraction float64) (at freight.Point, course float64) {
	last := len(r.Points) - 1
	if last < 0 {
		return freight.Point{}, 0
	}
	want := min(max(fraction, 0), 1) * r.traveled[last]
	i := min(max(1, sort.SearchFloat64s(r.traveled, want)), last)
	from, to := r.Points[i-1], r.Points[i]
	if leg := r.traveled[i] - r.traveled[i-1]; leg > 0 {
		at = from.Toward(to, (want-r.traveled[i-1])/leg)
	} else {
		at = to
	}
	if at == to {
		return at, from.Heading(to)
	}
	return at, at.Heading(to)
}
