package pdftext

import (
	"math"

	"github.com/landfallhq/tracking/classify/extract/internal/geometry"
)

// part is a word or a part of one. whole: a blank is printed behind it. slack is how much further
// on the next part may begin.
type part struct {
	geometry.Word
	whole bool
	slack float64
}

const (
	// nearby is the side, in points, of the squares in which words are looked for.
	nearby = 8.0
	// mostNearby bounds the words of a square: more lie on one another.
	mostNearby = 64
)

// touching joins words that touch. PDFium orders what is drawn apart, such as the letters on the
// sides of a kern, by its place on the page, and on a turned page against the direction of writing.
func touching(parts []part) []geometry.Word {
	square := func(x, y float64) [2]int { return [2]int{int(math.Floor(x / nearby)), int(math.Floor(y / nearby))} }
	begin := map[[2]int][]int{}
	for i, p := range parts {
		if at := square(p.X, p.Y); len(begin[at]) < mostNearby {
			begin[at] = append(begin[at], i)
		}
	}
	next, later := make([]int, len(parts)), make([]bool, len(parts))
	for i, p := range parts {
		next[i] = -1
		if p.whole {
			continue
		}
		at := square(p.end())
		for d := 0; d < 9 && next[i] < 0; d++ {
			for _, k := range begin[[2]int{at[0] + d%3 - 1, at[1] + d/3 - 1}] {
				if !later[k] && p.touches(parts[k]) {
					next[i], later[k] = k, true
					break
				}
			}
		}
	}
	var words []geometry.Word
	for i, p := range parts {
		if later[i] {
			continue
		}
		w := p.Word
		for k := next[i]; k >= 0; k = next[k] {
			w.Append(parts[k].Word)
		}
		words = append(words, w)
	}
	return words
}

// end is where the next letter would begin.
func (p part) end() (x, y float64) { return p.X + p.DirX*p.Ahead, p.Y + p.DirY*p.Ahead }

// touches reports whether another word begins where this one ends.
func (p part) touches(next part) bool {
	const least, most = -0.2, 0.1 // of the height
	height := p.Up + p.Down
	if p.Ahead < 0.1*height || p.DirX*next.DirX+p.DirY*next.DirY < 0.999 || math.Abs(next.Up+next.Down-height) > 0.5*height { // small capitals
		return false
	}
	x, y := p.end()
	along := (next.X-x)*p.DirX + (next.Y-y)*p.DirY
	across := math.Abs((next.X-x)*p.DirY - (next.Y-y)*p.DirX)
	return along > least*height && along < most*height+p.slack && across < 0.1*height
}
