package picture

import "io"

// The filters of rows (PNG, 9.2): each byte is the difference to what those before it
// let expect.
const (
	filterNone = iota
	filterSub
	filterUp
	filterAverage
	filterPaeth
)

// unfilter undoes a filter; step is how far the pixel to the left is. ok: there is
// such a filter.
func unfilter(filter byte, row, above []byte, step int) (ok bool) {
	switch filter {
	case filterNone:
	case filterSub:
		for i := step; i < len(row); i++ {
			row[i] += row[i-step]
		}
	case filterUp:
		for i := range row {
			row[i] += above[i]
		}
	case filterAverage:
		for i := range row {
			left := 0
			if i >= step {
				left = int(row[i-step])
			}
			row[i] += byte((left + int(above[i])) / 2)
		}
	case filterPaeth:
		for i := range row {
			var left, corner byte
			if i >= step {
				left, corner = row[i-step], above[i-step]
			}
			row[i] += paeth(left, above[i], corner)
		}
	default:
		return false
	}
	return true
}

// paeth is the one of three that is the nearest to left + above - corner.
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

// filters writes rows, each by the filter that leaves the least.
type filters struct {
	step  int
	plain bool // without filters: for bits and palettes they gain nothing
	above []byte
	tried [5][]byte
}

func newFilters(row, step int, plain bool) *filters {
	f := &filters{step: step, plain: plain, above: make([]byte, row)}
	for i := range f.tried {
		f.tried[i] = make([]byte, 1+row)
		f.tried[i][0] = byte(i)
	}
	return f
}

func (f *filters) write(to io.Writer, row []byte) error {
	best := 0
	if f.plain {
		copy(f.tried[0][1:], row)
	} else {
		best = f.best(row)
	}
	copy(f.above, row)
	_, err := to.Write(f.tried[best])
	return err
}

// best applies all filters, and returns the one whose differences have the least sum.
func (f *filters) best(row []byte) (best int) {
	least := 1 << 62
	for filter := range f.tried {
		if sum := f.apply(filter, row, least); sum < least {
			best, least = filter, sum
		}
	}
	return best
}

// apply writes a row as a filter has it, and returns the sum of the differences. It
// gives up where that is no longer below most.
func (f *filters) apply(filter int, row []byte, most int) (sum int) {
	to, above, step := f.tried[filter][1:][:len(row)], f.above[:len(row)], f.step
	for i := 0; i < len(row) && sum < most; {
		for end := min(i+256, len(row)); i < end; i++ {
			var left, corner byte
			if i >= step {
				left, corner = row[i-step], above[i-step]
			}
			expected := byte(0)
			switch filter {
			case filterSub:
				expected = left
			case filterUp:
				expected = above[i]
			case filterAverage:
				expected = byte((int(left) + int(above[i])) / 2)
			case filterPaeth:
				expected = paeth(left, above[i], corner)
			}
			to[i] = row[i] - expected
			sum += abs(int(int8(to[i])))
		}
	}
	return sum
}
