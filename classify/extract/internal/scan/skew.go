package scan

import "math"

// points are the dark dots of a picture, from its middle.
type points struct{ x, y []float64 }

// pointsOf returns the edges of what is dark, from above and from the left: those of lines of
// text are sharper than the text.
func pointsOf(g *Gray) points {
	var p points
	mx, my := float64(g.Width)/2, float64(g.Height)/2
	for y := 1; y < g.Height; y++ {
		row, above := g.row(y), g.row(y-1)
		for x := 1; x < g.Width; x++ {
			if row[x] <= dark && (above[x] > dark || row[x-1] > dark) {
				p.x, p.y = append(p.x, float64(x)-mx), append(p.y, float64(y)-my)
			}
		}
	}
	return p
}

// mostSkew is the largest skew that is looked for, in degrees.
const mostSkew = 6.0

// skew returns by how many degrees clockwise the lines of a picture fall, be they across or
// down.
func (p points) skew() float64 {
	best, at := 0.0, 0.0
	try := func(degrees float64) {
		if s := p.across(degrees) + p.down(degrees); s > best {
			best, at = s, degrees
		}
	}
	for a := -mostSkew; a <= mostSkew; a += 0.25 {
		try(a)
	}
	for middle, step := at, -0.25; step <= 0.25; step += 0.05 {
		try(middle + step)
	}
	for middle, step := at, -0.04; step <= 0.04; step += 0.02 {
		try(middle + step)
	}
	return at
}

// across is how much the dots are in few rows, if rows fall by the angle; down is the same
// of columns.
func (p points) across(degrees float64) float64 { return concentration(p.x, p.y, degrees) }
func (p points) down(degrees float64) float64   { return concentration(p.y, p.x, -degrees) }

func concentration(along, across []float64, degrees float64) float64 {
	slope := math.Tan(degrees * math.Pi / 180)
	low, high := math.Inf(1), math.Inf(-1)
	for i, a := range along {
		v := across[i] - slope*a
		low, high = min(low, v), max(high, v)
	}
	if high < low {
		return 0
	}
	bins := make([]float64, int(high-low)+2)
	for i, a := range along {
		bins[int(across[i]-slope*a-low)]++
	}
	sum := 0.0
	for _, n := range bins {
		sum += n * n
	}
	return sum
}
