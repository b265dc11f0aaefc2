package classify

import (
	"slices"

	"github.com/landfallhq/tracking"
)

// calibration is how often values with a score were right in the training part, as
// "go run -C classify/corpus . calibrate" prints it: an isotonic regression.
var calibration = []struct{ score, right float64 }{
	{0.55, 0.52}, {0.60, 0.90}, {0.65, 0.91}, {0.70, 0.94}, {0.75, 0.98}, {1, 0.98},
}

// calibrated is the confidence of a value with a score: between two of the table, in
// proportion.
func calibrated(score float64) float64 {
	if score <= calibration[0].score {
		return min(score, calibration[0].right)
	}
	for i, to := range calibration[1:] {
		if from := calibration[i]; score <= to.score {
			return round(from.right + (to.right-from.right)*(score-from.score)/(to.score-from.score))
		}
	}
	return calibration[len(calibration)-1].right
}

// probable leaves out what recognition makes likelier wrong than right, but for numbers with a check
// digit.
func probable(fields tracking.DocumentFields, pages []tracking.TextPage) tracking.DocumentFields {
	for i := range fields {
		rows := fields[i].Rows
		for k := range rows {
			rows[k] = probable(rows[k], pages)
		}
	}
	return slices.DeleteFunc(fields, func(f tracking.DocumentField) bool {
		return f.Confidence < fieldThreshold && f.Kind != tracking.FieldContainer && f.Kind != tracking.FieldShip && f.Kind != tracking.FieldTable && f.Page > 0 && f.Page <= len(pages) && pages[f.Page-1].Recognized
	})
}

// calibrate makes scores of fields and of their rows confidences. A date with two readings
// keeps its own. Those of values that were recognised in a picture are no more than their score,
// which is at most the confidence of their words: papers with text say nothing about them.
func calibrate(fields tracking.DocumentFields, pages []tracking.TextPage) {
	for i := range fields {
		f := &fields[i]
		if f.Kind != tracking.FieldTable && len(f.Alternatives) == 0 {
			score := f.Confidence
			f.Confidence = calibrated(score)
			if f.Page > 0 && f.Page <= len(pages) && pages[f.Page-1].Recognized {
				f.Confidence = min(f.Confidence, score)
			}
		}
		for _, row := range f.Rows {
			calibrate(row, pages)
		}
	}
}
