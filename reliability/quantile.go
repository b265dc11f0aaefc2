package reliability

import (
	"math"
	"slices"
)

// quantile returns the quantile p of sorted values: the value at place p(n+1), counted from
// 1, between its neighbours in proportion (type 6 of Hyndman and Fan, 1996). Outside of the
// values it is the first or the last.
//
// A further value of the same distribution is below the k-th of n values with probability
// k/(n+1), so between the quantiles 10 and 90 % lie 80 % of further values, however few
// there are. The usual type 7, of place p(n-1)+1, covers 75 % with 30 values.
func quantile(sorted []int64, p float64) float64 {
	place := p * float64(len(sorted)+1)
	k := int(math.Floor(place))
	if k < 1 {
		return float64(sorted[0])
	}
	if k >= len(sorted) {
		return float64(sorted[len(sorted)-1])
	}
	below, above := float64(sorted[k-1]), float64(sorted[k])
	return below + (place-float64(k))*(above-below)
}

// sampler collects values, and one mean for the values of the same call that follow each
// other.
type sampler struct {
	values []int64
	call   string
	sum, n int64 // of the values of call
}

func (s *sampler) add(call string, value int64) {
	if call == "" {
		s.values = append(s.values, value)
		return
	}
	if call != s.call {
		s.flush()
		s.call = call
	}
	s.sum += value
	s.n++
}

func (s *sampler) flush() {
	if s.n > 0 {
		s.values = append(s.values, s.sum/s.n)
	}
	s.call, s.sum, s.n = "", 0, 0
}

// sorted returns the values in ascending order.
func (s *sampler) sorted() []int64 {
	s.flush()
	slices.Sort(s.values)
	return s.values
}

// moments returns the mean and the standard deviation of a sample; that is zero of fewer
// than two values.
func moments(values []int64) (mean, deviation float64) {
	n := float64(len(values))
	var sum int64
	for _, v := range values {
		sum += v
	}
	mean = float64(sum) / n
	if len(values) < 2 {
		return mean, 0
	}
	squares := 0.0
	for _, v := range values {
		squares += (float64(v) - mean) * (float64(v) - mean)
	}
	return mean, math.Sqrt(squares / (n - 1))
}

// normal975 is the 97.5 % quantile of the normal distribution.
const normal975 = 1.959963984540054

// student975 returns the 97.5 % quantile of Student's t distribution: exact for up to four
// degrees of freedom, and by the expansion of Cornish and Fisher within 0.1 % for more.
func student975(degrees int) float64 {
	exact := [...]float64{math.NaN(), 12.7062, 4.3027, 3.1824, 2.7764}
	if degrees < len(exact) {
		return exact[degrees]
	}
	z, v := normal975, float64(degrees)
	z3, z5, z7 := z*z*z, math.Pow(z, 5), math.Pow(z, 7)
	return z + (z3+z)/(4*v) + (5*z5+16*z3+3*z)/(96*v*v) + (3*z7+19*z5+17*z3-15*z)/(384*v*v*v)
}

// wilson returns the 95 % interval of Wilson for the share of hits.
func wilson(hits, n int) (low, high float64) {
	p, m, z2 := float64(hits)/float64(n), float64(n), normal975*normal975
	centre := (p + z2/(2*m)) / (1 + z2/m)
	half := normal975 / (1 + z2/m) * math.Sqrt(p*(1-p)/m+z2/(4*m*m))
	return max(0, centre-half), min(1, centre+half)
}
