package classify

import "github.com/landfallhq/tracking"

// calibration is how often values with a score were right in the training part: isotonic, by
// pooled adjacent bins, each with 30 more values that are right as often as their score says.
// The last is not what was seen there, where rules were written, but on papers held out.
var calibration = []struct{ score, right float64 }{
	{0.5, 0.49}, {0.6, 0.94}, {0.7, 0.95}, {0.75, 0.97}, {1, 0.98},
}

// calibrated is the confidence of a value with a score: between two of the table, in
// proportion.
func calibrated(score float64) float64 {
	if score <= calibration[0].score {
		return score
	}
	for i, to := range calibration[1:] {
		if from := calibration[i]; score <= to.score {
			return round(from.right + (to.right-from.right)*(score-from.score)/(to.score-from.score))
		}
	}
	return calibration[len(calibration)-1].right
}

// calibrate makes scores of fields and of their rows confidences. A date with two readings
// keeps its own.
func calibrate(fields tracking.DocumentFields) {
	for i := range fields {
		if f := &fields[i]; f.Kind != tracking.FieldTable && len(f.Alternatives) == 0 {
			f.Confidence = calibrated(f.Confidence)
		}
		for _, row := range fields[i].Rows {
			calibrate(row)
		}
	}
}
