package reliability_test

import (
	"math"
	"testing"
	"time"

	"github.com/landfallhq/tracking/internal/drill"
	. "github.com/landfallhq/tracking/reliability"
)

const simulatedLines = 40

// spanOf returns the index of a lead in spans; -1 for none.
func spanOf(lead Lead) int {
	for k, span := range spans {
		if span.lead == lead {
			return k
		}
	}
	return -1
}

// TestBandCoverage asks for bands of arrivals that the errors do not have, with histories
// from the smallest that gives a band.
func TestBandCoverage(t *testing.T) {
	rng := drill.Random(t)
	for _, size := range []int{MinSamples, 100, 400} {
		lines := drawLines(rng, simulatedLines)
		var history []Voyage
		for i := range lines {
			history = append(history, lines[i].history(rng, size)...)
		}
		errors := NewErrors(history, epoch.Add(days(1000)))
		asked, within, median := 0, 0, 0
		for i := range lines {
			for n := range 500 {
				l, k := &lines[i], n%len(spans)
				arrival := epoch.Add(days(1100 + 300*rng.Float64()))
				eta := arrival.Add(-days(l.drawError(rng, k)))
				lead := spans[k].to + (spans[k].from-spans[k].to)*rng.Float64()
				band := errors.Band(Estimate{Line: l.name, POL: "CNSHA", POD: "USLAX", ETA: eta}, eta.Add(-days(lead)))
				if band == nil || band.Class != ClassLane || band.Samples > size {
					t.Fatalf("%s: %+v", l.name, band)
				}
				asked++
				if !arrival.Before(band.P10) && !arrival.After(band.P90) {
					within++
				}
				if !arrival.After(band.P50) {
					median++
				}
			}
		}
		coverage, half := float64(within)/float64(asked), float64(median)/float64(asked)
		t.Logf("history of %d arrivals a line: %.2f %% of %d arrivals in the band, %.2f %% by its median", size, 100*coverage, asked, 100*half)
		if asked < 10_000 || coverage < 0.78 || coverage > 0.82 || half < 0.47 || half > 0.53 {
			t.Errorf("history of %d arrivals a line: %.2f %% of %d arrivals in the band, %.2f %% by its median", size, 100*coverage, asked, 100*half)
		}
	}
}

// TestBandCoverageOfWalks asks at a random moment of voyages whose ETAs become better as
// they come nearer.
func TestBandCoverageOfWalks(t *testing.T) {
	rng := drill.Random(t)
	asked, within := 0, 0
	for range 50 {
		bias, spread := rng.NormFloat64(), 0.1+0.4*rng.Float64()
		var history []Voyage
		for range 200 {
			history = append(history, walkedVoyage(rng, "AAAA", bias, spread, epoch.Add(days(700*rng.Float64()))))
		}
		errors := NewErrors(history, epoch.Add(days(1000)))
		for range 250 {
			v := walkedVoyage(rng, "AAAA", bias, spread, epoch.Add(days(1100)))
			arrival := v.Arrivals[0].Time
			now := arrival.Add(-days(1 + 27*rng.Float64()))
			var eta time.Time
			for _, s := range v.ETAs {
				if !s.Learned.After(now) {
					eta = s.Time
				}
			}
			band := errors.Band(Estimate{Line: "AAAA", POL: "CNSHA", POD: "USLAX", ETA: eta}, now)
			if band == nil {
				continue
			}
			asked++
			if !arrival.Before(band.P10) && !arrival.After(band.P90) {
				within++
			}
		}
	}
	coverage := float64(within) / float64(asked)
	t.Logf("%.2f %% of %d arrivals in the band", 100*coverage, asked)
	if asked < 10_000 || coverage < 0.78 || coverage > 0.82 {
		t.Errorf("%.2f %% of %d arrivals in the band", 100*coverage, asked)
	}
}

// TestCardStatesItsError compares cards with the bias and the spread of the lines.
func TestCardStatesItsError(t *testing.T) {
	rng := drill.Random(t)
	rows, biasWithin, shareWithin := 0, 0, 0
	for _, size := range []int{20, 60, 200} {
		lines := drawLines(rng, simulatedLines)
		var history []Voyage
		for i := range lines {
			history = append(history, lines[i].history(rng, size)...)
		}
		for _, row := range NewCard(history, epoch.Add(days(1000))).Rows {
			k := spanOf(row.Lead)
			if row.POL == "" || k < 0 {
				continue
			}
			var l *simulatedLine
			for i := range lines {
				if lines[i].name == row.Line {
					l = &lines[i]
				}
			}
			rows++
			off := math.Abs(row.ETA.Bias - l.bias[k])
			if off <= *row.ETA.BiasMargin {
				biasWithin++
			}
			if !l.skewed && off > 3.5**row.ETA.BiasMargin {
				t.Errorf("%s %s: bias %.3f of %d samples, really %.3f, stated margin %.3f", row.Line, row.Lead, row.ETA.Bias, row.ETA.Samples, l.bias[k], *row.ETA.BiasMargin)
			}
			if share := l.onTime(k); share >= row.ETA.OnTimeLow && share <= row.ETA.OnTimeHigh {
				shareWithin++
			}
		}
	}
	bias, share := float64(biasWithin)/float64(rows), float64(shareWithin)/float64(rows)
	t.Logf("%d rows: the bias is in its 95 %% interval in %.1f %%, the share on time in %.1f %%", rows, 100*bias, 100*share)
	if rows < 500 || bias < 0.9 || bias > 0.99 || share < 0.9 {
		t.Errorf("%d rows: the bias is in its 95 %% interval in %.1f %%, the share on time in %.1f %%", rows, 100*bias, 100*share)
	}
}

// onTime is the probability that the error is at most a day.
func (l *simulatedLine) onTime(k int) float64 {
	below := func(off float64) float64 {
		z := (off - l.bias[k]) / l.spread[k]
		if l.skewed {
			return 1 - math.Exp(-max(0, z+1))
		}
		return 0.5 * math.Erfc(-z/math.Sqrt2)
	}
	return below(1) - below(-1)
}
