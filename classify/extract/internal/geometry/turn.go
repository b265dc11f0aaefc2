// Package geometry turns pages upright, and finds the cells that lines on them enclose.
package geometry

import (
	"math"
	"slices"

	"github.com/landfallhq/tracking"
)

// Word is a word as it stands on a page, in any direction.
type Word struct {
	Text string
	// X and Y is where it begins on its baseline, in points from the page's top left corner.
	X, Y float64
	// DirX and DirY is the direction of writing, of length 1.
	DirX, DirY float64
	// Ahead and Behind are its ends along that direction, Up and Down across, from X and Y.
	// Behind is mostly 0, and Up is positive.
	Behind, Ahead, Up, Down float64
}

// Append adds a word that goes on where this one ends.
func (w *Word) Append(next Word) {
	along := (next.X-w.X)*w.DirX + (next.Y-w.Y)*w.DirY
	w.Text += next.Text
	w.Ahead = max(w.Ahead, along+next.Ahead)
	w.Up, w.Down = max(w.Up, next.Up), max(w.Down, next.Down)
}

// Upright makes a page of words that stand in any direction. It turns the page so that most
// letters are upright, and undoes its skew. The lines are horizontal or vertical if the words
// are.
func Upright(width, height float64, words []Word, lines []Segment) tracking.TextPage {
	p := tracking.TextPage{Width: width, Height: height, Turned: direction(words)}
	if p.Turned%180 != 0 {
		p.Width, p.Height = height, width
	}
	Turn(p.Turned, p.Width, p.Height, words, lines)
	if p.Skew = skewOf(words); p.Skew != 0 {
		rotate(p.Width/2, p.Height/2, p.Skew, words, lines)
	}
	p.Words = boxed(words)
	Rule(&p, lines)
	return p
}

// Place returns words that stand on a page where they are once the page is turned as this one was.
func Place(words []Word, as tracking.TextPage) []tracking.TextWord {
	words = slices.Clone(words)
	Turn(as.Turned, as.Width, as.Height, words, nil)
	rotate(as.Width/2, as.Height/2, as.Skew, words, nil)
	return boxed(words)
}

func boxed(words []Word) (all []tracking.TextWord) {
	for _, w := range words {
		all = append(all, tracking.TextWord{Text: w.Text, Box: w.box()})
	}
	return all
}

// direction returns by how many degrees clockwise the page must be turned.
func direction(words []Word) int {
	var letters [4]int
	for _, w := range words {
		letters[w.quarter()] += len(w.Text)
	}
	most := 0
	for q, n := range letters {
		if n > letters[most] {
			most = q
		}
	}
	return (4 - most) % 4 * 90
}

// quarter is the direction of writing in quarter turns clockwise from left to right.
func (w *Word) quarter() int {
	switch {
	case math.Abs(w.DirX) >= math.Abs(w.DirY) && w.DirX >= 0:
		return 0
	case math.Abs(w.DirX) >= math.Abs(w.DirY):
		return 2
	case w.DirY > 0:
		return 1
	}
	return 3
}

// Turn turns words and lines clockwise by 0, 90, 180 or 270 degrees, onto a page that has
// this width and height then.
func Turn(degrees int, width, height float64, words []Word, lines []Segment) {
	var turned func(x, y, width, height float64) (float64, float64)
	switch degrees {
	case 0:
		return
	case 90:
		turned = func(x, y, width, _ float64) (float64, float64) { return width - y, x }
	case 180:
		turned = func(x, y, width, height float64) (float64, float64) { return width - x, height - y }
	default:
		turned = func(x, y, _, height float64) (float64, float64) { return y, height - x }
	}
	for i := range words {
		w := &words[i]
		w.X, w.Y = turned(w.X, w.Y, width, height)
		w.DirX, w.DirY = turned(w.DirX, w.DirY, 0, 0)
	}
	for i := range lines {
		l := &lines[i]
		l.X0, l.Y0 = turned(l.X0, l.Y0, width, height)
		l.X1, l.Y1 = turned(l.X1, l.Y1, width, height)
	}
}

// rotate turns anticlockwise by degrees about a point.
func rotate(x, y, degrees float64, words []Word, lines []Segment) {
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	about := func(px, py float64) (float64, float64) {
		dx, dy := px-x, py-y
		return x + dx*cos + dy*sin, y - dx*sin + dy*cos
	}
	for i := range words {
		w := &words[i]
		w.X, w.Y = about(w.X, w.Y)
		w.DirX, w.DirY = w.DirX*cos+w.DirY*sin, w.DirY*cos-w.DirX*sin
	}
	for i := range lines {
		l := &lines[i]
		l.X0, l.Y0 = about(l.X0, l.Y0)
		l.X1, l.Y1 = about(l.X1, l.Y1)
	}
}

// box is the box of a word. One that is nearly upright, or sideways, counts as if it were
// so: in texts that were recognised, words stand straight on lines that do not.
func (w *Word) box() tracking.TextBox {
	dx, dy := w.DirX, w.DirY
	x, y := w.X, w.Y
	const nearly = 0.09 // some 5 degrees
	if math.Min(math.Abs(dx), math.Abs(dy)) < nearly {
		middle := (w.Behind + w.Ahead) / 2
		x, y = x+dx*middle, y+dy*middle
		dx, dy = math.Round(dx), math.Round(dy)
		x, y = x-dx*middle, y-dy*middle
	}
	b := tracking.TextBox{Left: math.Inf(1), Top: math.Inf(1), Right: math.Inf(-1), Bottom: math.Inf(-1)}
	for _, along := range [2]float64{w.Behind, w.Ahead} {
		for _, across := range [2]float64{-w.Up, w.Down} {
			px, py := x+along*dx-across*dy, y+along*dy+across*dx
			b = tracking.TextBox{Left: min(b.Left, px), Top: min(b.Top, py), Right: max(b.Right, px), Bottom: max(b.Bottom, py)}
		}
	}
	return b
}

// The skew that is looked for, in degrees. Less than leastSkew moves no word to another line.
const (
	mostSkew  = 5.0
	leastSkew = 0.03
)

// skewOf returns by how many degrees clockwise the lines of words fall: from the direction
// of the words, or from where they begin if those stand straight. Recognisers lay the short
// lines of a page straight that falls a little, and not the long ones.
func skewOf(words []Word) float64 {
	if len(words) < 3 {
		return 0
	}
	var angles []float64
	for _, w := range words {
		if w.quarter() == 0 {
			angles = append(angles, math.Atan2(w.DirY, w.DirX)*180/math.Pi)
		}
	}
	slices.Sort(angles)
	if len(angles) == 0 {
		return 0
	}
	middle := angles[len(angles)/2]
	if math.Abs(middle) < leastSkew {
		const few, little = 10, 1.0 // one word of so many; degrees
		long := slices.DeleteFunc(angles, func(a float64) bool { return math.Abs(a) < leastSkew || math.Abs(a) > little })
		if fall := fallOf(words); fall != 0 || few*len(long) < len(words) {
			return fall
		}
		middle = long[len(long)/2]
	}
	if math.Abs(middle) > mostSkew {
		return 0
	}
	return middle
}

// fallOf finds the angle at which the baselines of words fall into the fewest lines, if
// that is clear.
func fallOf(words []Word) float64 {
	const enough, clear = 30, 1.25
	if len(words) < enough {
		return 0
	}
	heights := make([]float64, len(words))
	for i := range words {
		heights[i] = words[i].Up + words[i].Down
	}
	slices.Sort(heights)
	bin := max(heights[len(heights)/2]/8, 0.5)
	best, at := 0.0, 0.0
	try := func(degrees float64) {
		if s := sharpness(words, degrees, bin); s > best {
			best, at = s, degrees
		}
	}
	for a := -mostSkew; a <= mostSkew; a += 0.1 {
		try(a)
	}
	for middle, step := at, -0.1; step <= 0.1; step += 0.02 {
		try(middle + step)
	}
	if math.Abs(at) < leastSkew || best < clear*sharpness(words, 0, bin) {
		return 0
	}
	return at
}

// sharpness is how much the words are on few lines if the page falls by the angle.
func sharpness(words []Word, degrees, bin float64) float64 {
	slope := math.Tan(degrees * math.Pi / 180)
	low, high := math.Inf(1), math.Inf(-1)
	for i := range words {
		y := words[i].Y - slope*words[i].X
		low, high = min(low, y), max(high, y)
	}
	const most = 1 << 14
	n := (high-low)/bin + 2
	if !(n < most) {
		return 0
	}
	lines := make([]float64, int(n)+1)
	for i := range words {
		at := (words[i].Y - slope*words[i].X - low) / bin
		k := int(at)
		share := at - float64(k)
		weight := float64(len(words[i].Text))
		lines[k] += weight * (1 - share)
		lines[k+1] += weight * share
	}
	sum := 0.0
	for _, v := range lines {
		sum += v * v
	}
	return sum
}
