package searoute

import (
	"math"

	"github.com/landfallhq/tracking/freight"
)

// vector is a point of the unit sphere. Distances on it are angles in radians.
type vector [3]float64

func vectorOf(p freight.Point) vector {
	sinLat, cosLat := math.Sincos(p.Latitude * math.Pi / 180)
	sinLon, cosLon := math.Sincos(p.Longitude * math.Pi / 180)
	return vector{cosLat * cosLon, cosLat * sinLon, sinLat}
}

func (v vector) point() freight.Point {
	const degree = math.Pi / 180
	return freight.Point{Latitude: math.Atan2(v[2], math.Hypot(v[0], v[1])) / degree, Longitude: math.Atan2(v[1], v[0]) / degree}
}

func (v vector) dot(w vector) float64 { return v[0]*w[0] + v[1]*w[1] + v[2]*w[2] }

func (v vector) cross(w vector) vector {
	return vector{v[1]*w[2] - v[2]*w[1], v[2]*w[0] - v[0]*w[2], v[0]*w[1] - v[1]*w[0]}
}

// plus returns v + f*w.
func (v vector) plus(f float64, w vector) vector {
	return vector{v[0] + f*w[0], v[1] + f*w[1], v[2] + f*w[2]}
}

func (v vector) length() float64 { return math.Sqrt(v.dot(v)) }

// chord returns the length of the straight line between two points, which is no longer
// than their angle.
func (v vector) chord(w vector) float64 { return v.plus(-1, w).length() }

// angle returns the great-circle distance, exact also for points that are near.
func (v vector) angle(w vector) float64 { return 2 * math.Asin(min(1, v.chord(w)/2)) }

// nearest returns the point of the arc from a to b that is nearest to v.
func (v vector) nearest(a, b vector) vector {
	normal := a.cross(b)
	if n := normal.length(); n > 0 && normal.cross(a).dot(v) > 0 && b.cross(normal).dot(v) > 0 {
		foot := v.plus(-v.dot(normal)/(n*n), normal)
		if f := foot.length(); f > 0 {
			return vector{}.plus(1/f, foot)
		}
	}
	if v.chord(a) < v.chord(b) {
		return a
	}
	return b
}
