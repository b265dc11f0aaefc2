package score

import (
	"math"
	"slices"
)

// edges are the lower bounds of the bins of confidence.
var edges = []float64{0, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 0.98}

// Bin is the values that were answered with a confidence of From or more, and less than the
// From of the next.
type Bin struct {
	From          float64
	Values, Right int
	Confidence    float64 // mean of the values
}

// Off is how far the share of right values is from the mean confidence; 0 without values.
func (b Bin) Off() float64 {
	if b.Values == 0 {
		return 0
	}
	return math.Abs(part(b.Right, b.Values) - b.Confidence)
}

// Bins sorts values by their confidence. A calibrated classifier is right as often as it says.
func Bins(graded []Graded) []Bin {
	bins := make([]Bin, len(edges))
	for i, from := range edges {
		bins[i].From = from
	}
	for _, g := range graded {
		i, found := slices.BinarySearch(edges, g.Confidence)
		if !found {
			i = max(i-1, 0)
		}
		b := &bins[i]
		b.Values++
		b.Confidence += g.Confidence
		if g.Right {
			b.Right++
		}
	}
	for i := range bins {
		if bins[i].Values > 0 {
			bins[i].Confidence /= float64(bins[i].Values)
		}
	}
	return bins
}

// Worst returns the bin with at least this many values that is furthest off; ok is false
// without one.
func Worst(bins []Bin, values int) (worst Bin, ok bool) {
	for _, b := range bins {
		if b.Values >= values && (!ok || b.Off() > worst.Off()) {
			worst, ok = b, true
		}
	}
	return worst, ok
}
