package freight

import "math"

// Point is a position on the globe, in degrees, WGS84. North and east are positive.
type Point struct{ Latitude, Longitude float64 }

// earthKm is the mean radius of the Earth.
const earthKm = 6371.0088

const degree = math.Pi / 180

// Distance returns the length of the great circle between two points, in kilometres.
func (p Point) Distance(q Point) float64 {
	lat1, lat2 := p.Latitude*degree, q.Latitude*degree
	dLat, dLon := lat2-lat1, (q.Longitude-p.Longitude)*degree
	h := math.Sin(dLat/2)*math.Sin(dLat/2) + math.Cos(lat1)*math.Cos(lat2)*math.Sin(dLon/2)*math.Sin(dLon/2)
	return 2 * earthKm * math.Asin(math.Min(1, math.Sqrt(h)))
}

// Toward returns the point at a fraction of the great circle from p to q: p at 0, q at 1.
// Between opposite points, which have many great circles, it goes over the North Pole.
func (p Point) Toward(q Point, fraction float64) Point {
	a, b := p.vector(), q.vector()
	angle := p.Distance(q) / earthKm
	sin := math.Sin(angle)
	switch {
	case angle < 1e-9:
		return p
	case sin < 1e-9: // opposite
		pole := Point{Latitude: 90, Longitude: p.Longitude}
		if fraction < 0.5 {
			return p.Toward(pole, 2*fraction)
		}
		return pole.Toward(q, 2*fraction-1)
	}
	f, g := math.Sin((1-fraction)*angle)/sin, math.Sin(fraction*angle)/sin
	return pointOf([3]float64{f*a[0] + g*b[0], f*a[1] + g*b[1], f*a[2] + g*b[2]})
}

// Heading returns the course at p from p to q, in degrees clockwise from north, from 0 to
// below 360.
func (p Point) Heading(q Point) float64 {
	lat1, lat2, dLon := p.Latitude*degree, q.Latitude*degree, (q.Longitude-p.Longitude)*degree
	y := math.Sin(dLon) * math.Cos(lat2)
	x := math.Cos(lat1)*math.Sin(lat2) - math.Sin(lat1)*math.Cos(lat2)*math.Cos(dLon)
	return math.Mod(math.Atan2(y, x)/degree+360, 360)
}

func (p Point) vector() [3]float64 {
	lat, lon := p.Latitude*degree, p.Longitude*degree
	return [3]float64{math.Cos(lat) * math.Cos(lon), math.Cos(lat) * math.Sin(lon), math.Sin(lat)}
}

func pointOf(v [3]float64) Point {
	return Point{Latitude: math.Atan2(v[2], math.Hypot(v[0], v[1])) / degree, Longitude: math.Atan2(v[1], v[0]) / degree}
}

// stepKm is the greatest distance between two points of a path, in kilometres.
const stepKm = 200

// Path returns points of the great circle from p to q, both included, at most 200 km apart.
func (p Point) Path(q Point) []Point {
	n := max(1, int(math.Ceil(p.Distance(q)/stepKm)))
	line := make([]Point, n+1)
	for i := range line {
		line[i] = p.Toward(q, float64(i)/float64(n))
	}
	line[0], line[n] = p, q // exactly
	return line
}

// SplitAtAntimeridian cuts a path where it crosses 180 degrees of longitude, so that no
// part goes round the globe the wrong way. Both parts end on the antimeridian. A point on
// it belongs to the side that the path comes from.
func SplitAtAntimeridian(line []Point) [][]Point {
	parts := [][]Point{nil}
	var before Point
	for i, p := range line {
		if i > 0 {
			if math.Abs(p.Longitude) == 180 {
				p.Longitude = math.Copysign(180, before.Longitude)
			}
			if math.Abs(p.Longitude-before.Longitude) > 180 {
				side, lat := crossing(before, p)
				last := len(parts) - 1
				if before.Longitude != side {
					parts[last] = append(parts[last], Point{Latitude: lat, Longitude: side})
				}
				parts = append(parts, nil)
				if p.Longitude != -side {
					parts[last+1] = append(parts[last+1], Point{Latitude: lat, Longitude: -side})
				}
			}
		}
		parts[len(parts)-1] = append(parts[len(parts)-1], p)
		before = p
	}
	// A part of one point is no line: the path only touched the antimeridian.
	var lines [][]Point
	for _, part := range parts {
		if len(part) > 1 {
			lines = append(lines, part)
		}
	}
	return lines
}

// crossing returns where the short way from a to b crosses the antimeridian: the longitude
// on the side of a, 180 or -180, and the latitude.
func crossing(a, b Point) (side, latitude float64) {
	side, end := 180.0, b.Longitude+360
	if a.Longitude < 0 {
		side, end = -180, b.Longitude-360
	}
	if end == a.Longitude {
		return side, a.Latitude
	}
	f := (side - a.Longitude) / (end - a.Longitude)
	return side, a.Latitude + f*(b.Latitude-a.Latitude)
}
