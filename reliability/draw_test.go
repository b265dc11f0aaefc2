package reliability_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"pgregory.net/rapid"

	. "github.com/landfallhq/tracking/reliability"
)

var epoch = time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)

// at is a moment so many hours after the epoch.
func at(hours int) time.Time { return epoch.Add(time.Duration(hours) * time.Hour) }

func days(d float64) time.Duration { return time.Duration(d * 24 * float64(time.Hour)) }

// drawVoyages draws voyages of few lines and ports, on a grid of hours.
func drawVoyages(t *rapid.T) []Voyage {
	return rapid.SliceOfN(rapid.Custom(drawVoyage), 0, 60).Draw(t, "voyages")
}

func drawVoyage(t *rapid.T) Voyage {
	v := Voyage{
		Line: rapid.SampledFrom([]string{"AAAA", "BBBB", ""}).Draw(t, "line"),
		POL:  rapid.SampledFrom([]string{"CNSHA", "VNSGN", ""}).Draw(t, "pol"),
		POD:  rapid.SampledFrom([]string{"USLAX", "USOAK", "DEHAM", ""}).Draw(t, "pod"),
		Call: rapid.SampledFrom([]string{"", "", "1", "2", "3"}).Draw(t, "call"),
		ETDs: drawStatements(t, 0, 300), Departures: drawStatements(t, 200, 400),
		ETAs: drawStatements(t, 0, 1200), Arrivals: drawStatements(t, 500, 1300),
	}
	for range rapid.IntRange(0, 2).Draw(t, "stays") {
		from := rapid.IntRange(300, 600).Draw(t, "from")
		to := from + rapid.IntRange(-5, 200).Draw(t, "stay")
		v.Stays = append(v.Stays, Stay{"SGSIN", at(from), at(to), at(to + rapid.IntRange(0, 90).Draw(t, "known"))})
	}
	return v
}

// drawStatements draws statements that were learned in the order of the list.
func drawStatements(t *rapid.T, from, to int) (list []Statement) {
	learned := from
	for range rapid.IntRange(0, 5).Draw(t, "statements") {
		learned += rapid.IntRange(0, 200).Draw(t, "later")
		s := Statement{Learned: at(learned), Time: at(rapid.IntRange(from, to).Draw(t, "time"))}
		if rapid.IntRange(0, 5).Draw(t, "taken back") == 0 {
			s.Time = time.Time{}
		}
		list = append(list, s)
	}
	return list
}

// A simulated line says its ETAs with an error of known bias and spread.
type simulatedLine struct {
	name   string
	bias   [len(spans)]float64 // in days
	spread [len(spans)]float64 // standard deviation of the error, in days
	skewed bool                // late more often than early: an exponential, not a normal distribution
}

// spans are the leads, in days, between which a simulated line states an ETA, from the
// longest. A voyage has an ETA in one of them alone, so that each class of leads has one
// distribution.
var spans = [...]struct {
	lead     Lead
	from, to float64
}{{LeadOver28, 40, 30}, {Lead15To28, 28, 16}, {Lead8To14, 14, 9}, {Lead4To7, 7.5, 5}, {Lead1To3, 3.5, 3}}

func drawLines(rng *rand.Rand, n int) []simulatedLine {
	lines := make([]simulatedLine, n)
	for i := range lines {
		lines[i] = simulatedLine{name: fmt.Sprintf("L%03d", i), skewed: i%3 == 2}
		for k := range spans {
			lines[i].bias[k] = max(-0.5, rng.NormFloat64()*1.5) // an ETA says nothing once the ship has arrived
			lines[i].spread[k] = (0.1 + 0.4*rng.Float64()) * (1 + spans[k].from/20)
		}
	}
	return lines
}

func (l *simulatedLine) drawError(rng *rand.Rand, k int) float64 {
	noise := rng.NormFloat64()
	if l.skewed {
		noise = rng.ExpFloat64() - 1
	}
	return l.bias[k] + l.spread[k]*noise
}

// voyage draws a voyage that arrives at the time, with an ETA in a span.
func (l *simulatedLine) voyage(rng *rand.Rand, k int, arrival time.Time) Voyage {
	eta := arrival.Add(-days(l.drawError(rng, k)))
	return Voyage{
		Line: l.name, POL: "CNSHA", POD: "USLAX", Arrivals: []Statement{{arrival.Add(time.Hour), arrival}},
		ETAs: []Statement{{eta.Add(-days(spans[k].from)), eta}, {Learned: eta.Add(-days(spans[k].to))}},
	}
}

// history draws so many arrivals of a line for each span, over two years.
func (l *simulatedLine) history(rng *rand.Rand, n int) (list []Voyage) {
	for k := range spans {
		for range n {
			list = append(list, l.voyage(rng, k, epoch.Add(days(730*rng.Float64()))))
		}
	}
	return list
}

// a voyage of a line whose knowledge of the arrival grows as a random walk: the error of
// its ETA at a lead is normal, with a variance in proportion to the lead.
func walkedVoyage(rng *rand.Rand, line string, bias, spread float64, arrival time.Time) Voyage {
	v := Voyage{Line: line, POL: "CNSHA", POD: "USLAX", Arrivals: []Statement{{arrival.Add(time.Hour), arrival}}}
	lead, off := 0.2, bias
	var reversed []Statement
	for lead < 40 {
		step := 0.3 + 2*rng.Float64()
		off += spread * math.Sqrt(step) * rng.NormFloat64()
		reversed = append(reversed, Statement{arrival.Add(-days(lead)), arrival.Add(-days(off))})
		lead += step
	}
	for i := range reversed {
		v.ETAs = append(v.ETAs, reversed[len(reversed)-1-i])
	}
	return v
}
