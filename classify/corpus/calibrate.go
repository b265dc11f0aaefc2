package main

import (
	"fmt"
	"io"
	"math"

	"github.com/landfallhq/tracking/classify"
	"github.com/landfallhq/tracking/classify/corpus/score"
	"github.com/landfallhq/tracking/classify/corpus/train"
	"github.com/landfallhq/tracking/classify/extract"
)

const (
	// step is the width of a bin of scores.
	step = 0.05
	// prior is how many values a bin has more than those seen, right as often as its score says.
	prior = 30
	// most is the highest confidence: what values with the highest scores reached on papers held out.
	most = 0.98
)

// bin is the values with about one score.
type bin struct{ score, values, right float64 }

func (b bin) confidence() float64 { return min(math.Round(100*b.right/b.values)/100, most) }

// printCalibration prints the table of classify/calibration.go, from the training part.
func printCalibration(out io.Writer) error {
	all, err := train.Documents()
	if err != nil {
		return err
	}
	e, err := extract.New(extract.Config{})
	if err != nil {
		return err
	}
	defer e.Close()
	pools := isotonic(binned(score.Run(all, score.Of(e, classify.New().Scores())).Graded))
	for i, p := range pools {
		if i > 0 && i+1 < len(pools) && p.confidence() == pools[i-1].confidence() {
			continue // between two of the same
		}
		if _, err := fmt.Fprintf(out, "{%.2f, %.2f}, ", p.score, p.confidence()); err != nil {
			return err
		}
	}
	_, err = fmt.Fprintln(out)
	return err
}

// binned counts values by their score, with the prior.
func binned(graded []score.Graded) []bin {
	var bins []bin
	for n := math.Round(0.5 / step); n <= 1/step; n++ {
		at := n * step
		bins = append(bins, bin{at, prior, prior * at})
	}
	for _, g := range graded {
		b := &bins[min(max(int(math.Round((g.Confidence-0.5)/step)), 0), len(bins)-1)]
		b.values++
		if g.Right {
			b.right++
		}
	}
	return bins
}

// isotonic pools bins until none has a smaller share of right values than the one before. A pool
// has the score of its last bin.
func isotonic(bins []bin) []bin {
	var pools []bin
	for _, b := range bins {
		for len(pools) > 0 {
			last := pools[len(pools)-1]
			if last.right/last.values <= b.right/b.values {
				break
			}
			b.values, b.right = b.values+last.values, b.right+last.right
			pools = pools[:len(pools)-1]
		}
		pools = append(pools, b)
	}
	return pools
}
