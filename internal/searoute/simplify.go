package searoute

import "math"

// earthKm is the mean radius of the Earth, as freight has it.
const earthKm = 6371.0088

// maxCorners is the largest number of points where a route turns.
const maxCorners = 400

// simplified returns the points without those that lie within half a kilometre of the way
// without them, or within more where maxCorners would be exceeded.
func simplified(line []vector) []vector {
	for tolerance := 0.5 / earthKm; ; tolerance *= 2 {
		if out := corners(nil, line, tolerance); len(out) < maxCorners {
			return append(out, line[len(line)-1])
		}
	}
}

// corners appends the points that are kept but the last one, as Douglas and Peucker choose
// them: the farthest from the arc between the ends, if it is too far, and so on.
func corners(to, line []vector, tolerance float64) []vector {
	first, last := line[0], line[len(line)-1]
	far, at := 0.0, 0
	for i := 1; i < len(line)-1; i++ {
		if away := line[i].chord(line[i].nearest(first, last)); away > far {
			far, at = away, i
		}
	}
	if far <= tolerance || math.IsNaN(far) {
		return append(to, first)
	}
	to = corners(to, line[:at+1], tolerance)
	return corners(to, line[at:], tolerance)
}
