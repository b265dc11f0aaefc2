package picture

// The filters of rows (PNG, 9.2): a filtered byte is the difference from a prediction.
const (
	filterNone = iota
	filterSub
	filterUp
	filterAverage
	filterPaeth
)

// unfilter undoes a filter; step is the distance to the pixel on the left, in bytes.
// ok: there is such a filter.
func unfilter(filter byte, row, above []byte, step int) (ok bool) {
	if filter == filterNone {
		return true
	}
	for i := range row {
		var left, corner byte
		if i >= step {
			left, corner = row[i-step], above[i-step]
		}
		switch filter {
		case filterSub:
			row[i] += left
		case filterUp:
			row[i] += above[i]
		case filterAverage:
			row[i] += byte((int(left) + int(above[i])) / 2)
		case filterPaeth:
			row[i] += paeth(left, above[i], corner)
		default:
			return false
		}
	}
	return true
}

// filter writes the row to to, filtered by Paeth. To try every filter on each row
// takes 1.1 to 2 times the time, and makes files that are between 0.6 % larger and 10 % smaller.
func filter(to, row, above []byte, step int) {
	to[0] = filterPaeth
	for i := range row {
		var left, corner byte
		if i >= step {
			left, corner = row[i-step], above[i-step]
		}
		to[1+i] = row[i] - paeth(left, above[i], corner)
	}
}

// paeth is the nearest of the three to left + above - corner.
func paeth(left, above, corner byte) byte {
	a, b, c := int(left), int(above), int(corner)
	toLeft, toAbove, toCorner := abs(b-c), abs(a-c), abs(a+b-2*c)
	switch {
	case toLeft <= toAbove && toLeft <= toCorner:
		return left
	case toAbove <= toCorner:
		return above
	}
	return corner
}

func abs(n int) int { return max(n, -n) }
