// Package scan reads the words of pictures of pages: it makes them upright, finds the lines
// that are drawn and the pieces of text, and has these recognised by tesseract.
package scan

import (
	"math"
)

// Gray is a picture, row by row, from 0 (black) to 255 (white).
type Gray struct {
	Width, Height int
	Pix           []byte
}

func newGray(width, height int) *Gray {
	g := &Gray{Width: width, Height: height, Pix: make([]byte, width*height)}
	for i := range g.Pix {
		g.Pix[i] = 255
	}
	return g
}

func (g *Gray) row(y int) []byte { return g.Pix[y*g.Width : (y+1)*g.Width] }

// dark is the highest value of what counts as ink, once the paper is white.
const dark = 150

// pale is that of text in grey.
const pale = 190

// blacken makes the ink of a part of the picture black where it is grey.
func (g *Gray) blacken(x0, y0, width, height int) {
	const gray = 60 // what is as black as needed
	var counts [256]int
	x1, y1 := min(x0+width, g.Width), min(y0+height, g.Height)
	for y := y0; y < y1; y++ {
		for _, v := range g.row(y)[x0:x1] {
			counts[v]++
		}
	}
	black, left := 0, (x1-x0)*(y1-y0)/50
	for left >= 0 && black < 255 {
		left -= counts[black]
		black++
	}
	if black <= gray || black >= pale {
		return
	}
	for y := y0; y < y1; y++ {
		row := g.row(y)[x0:x1]
		for x, v := range row {
			row[x] = byte(max(0, int(v)-black) * 255 / (255 - black))
		}
	}
}

// whiten makes the paper white where it is shaded or grey, as on photos. The brightness of
// the paper is that of the brighter part of each square of the picture; where all of one is
// dark, as in the heads of tables, nothing is changed.
func (g *Gray) whiten() {
	const size, darkest = 48, 110
	columns, rows := (g.Width+size-1)/size, (g.Height+size-1)/size
	paper := make([]float64, columns*rows)
	for r := range rows {
		for c := range columns {
			paper[r*columns+c] = g.bright(c*size, r*size, size)
		}
	}
	for i, v := range paper {
		if v < darkest {
			paper[i] = 255
		}
	}
	paper = smoothed(paper, columns, rows)
	for y := range g.Height {
		row := g.row(y)
		fy := math.Max(0, (float64(y)-size/2)/size)
		r0 := min(int(fy), rows-1)
		r1, ty := min(r0+1, rows-1), fy-float64(r0)
		for c := range columns {
			// From the middle of a square to that of the next one.
			from, to := c*size+size/2, min((c+1)*size+size/2, g.Width)
			if c == 0 {
				from = 0
			}
			c1 := min(c+1, columns-1)
			left := paper[r0*columns+c]*(1-ty) + paper[r1*columns+c]*ty
			right := paper[r0*columns+c1]*(1-ty) + paper[r1*columns+c1]*ty
			for x := from; x < to; x++ {
				t := math.Max(0, float64(x-c*size-size/2)/size)
				row[x] = byte(math.Min(255, float64(row[x])*248/(left+(right-left)*t)))
			}
		}
	}
}

// bright returns the value that a tenth of a square exceeds.
func (g *Gray) bright(x0, y0, size int) float64 {
	var counts [256]int
	n := 0
	for y := y0; y < min(y0+size, g.Height); y++ {
		for _, v := range g.row(y)[x0:min(x0+size, g.Width)] {
			counts[v]++
			n++
		}
	}
	left := n / 10
	for v := 255; v > 0; v-- {
		if left -= counts[v]; left < 0 {
			return float64(v)
		}
	}
	return 0
}

// smoothed returns the mean of each value and those around it.
func smoothed(v []float64, columns, rows int) []float64 {
	out := make([]float64, len(v))
	for r := range rows {
		for c := range columns {
			sum, n := 0.0, 0
			for y := max(r-1, 0); y <= min(r+1, rows-1); y++ {
				for x := max(c-1, 0); x <= min(c+1, columns-1); x++ {
					sum += v[y*columns+x]
					n++
				}
			}
			out[r*columns+c] = sum / float64(n)
		}
	}
	return out
}

// Turned returns the picture turned clockwise by quarters.
func (g *Gray) Turned(quarters int) *Gray {
	switch quarters % 4 {
	case 1:
		out := &Gray{Width: g.Height, Height: g.Width, Pix: make([]byte, len(g.Pix))}
		for y := range g.Height {
			for x, v := range g.row(y) {
				out.Pix[x*out.Width+out.Width-1-y] = v
			}
		}
		return out
	case 2:
		out := &Gray{Width: g.Width, Height: g.Height, Pix: make([]byte, len(g.Pix))}
		for i, v := range g.Pix {
			out.Pix[len(g.Pix)-1-i] = v
		}
		return out
	case 3:
		out := &Gray{Width: g.Height, Height: g.Width, Pix: make([]byte, len(g.Pix))}
		for y := range g.Height {
			for x, v := range g.row(y) {
				out.Pix[(out.Height-1-x)*out.Width+y] = v
			}
		}
		return out
	}
	return g
}

// straighten returns the picture turned anticlockwise by degrees about its middle.
func (g *Gray) straighten(degrees float64) *Gray {
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	out := newGray(g.Width, g.Height)
	mx, my := float64(g.Width)/2, float64(g.Height)/2
	const one = 1 << 8
	for y := range out.Height {
		row := out.row(y)
		dy := float64(y) - my
		sx, sy := int((mx-mx*cos-dy*sin)*one), int((my-mx*sin+dy*cos)*one)
		stepX, stepY := int(cos*one*one), int(sin*one*one)
		for x := range row {
			px, py := sx+x*stepX>>8, sy+x*stepY>>8
			ix, iy := px>>8, py>>8
			if ix < 0 || iy < 0 || ix >= g.Width-1 || iy >= g.Height-1 {
				continue
			}
			tx, ty := px&255, py&255
			at := iy*g.Width + ix
			top := int(g.Pix[at])*(one-tx) + int(g.Pix[at+1])*tx
			bottom := int(g.Pix[at+g.Width])*(one-tx) + int(g.Pix[at+g.Width+1])*tx
			row[x] = byte((top*(one-ty) + bottom*ty) >> 16)
		}
	}
	return out
}

// smaller returns the picture with one dot for each square of n.
func (g *Gray) smaller(n int) *Gray {
	out := &Gray{Width: g.Width / n, Height: g.Height / n}
	out.Pix = make([]byte, out.Width*out.Height)
	for y := range out.Height {
		for x := range out.Width {
			sum := 0
			for dy := range n {
				for _, v := range g.Pix[(y*n+dy)*g.Width+x*n:][:n] {
					sum += int(v)
				}
			}
			out.Pix[y*out.Width+x] = byte(sum / (n * n))
		}
	}
	return out
}

// Scaled returns the picture in another size, by the mean of what falls on a dot where it
// becomes smaller.
func (g *Gray) Scaled(width, height int) *Gray {
	if n := min(g.Width/max(width, 1), g.Height/max(height, 1)); n > 1 {
		g = g.smaller(n)
	}
	out := newGray(width, height)
	out.draw(g, 0, 0, g.Width, g.Height, 0, 0, float64(width)/float64(g.Width), float64(height)/float64(g.Height))
	return out
}

// draw draws a part of another picture, of w by h dots from x0 and y0, at x and y.
func (g *Gray) draw(from *Gray, x0, y0, w, h, x, y int, scaleX, scaleY float64) {
	for oy := range int(float64(h) * scaleY) {
		if y+oy >= g.Height {
			return
		}
		sy := (float64(oy)+0.5)/scaleY - 0.5
		y1 := max(int(math.Floor(sy)), 0)
		ty := max(sy-float64(y1), 0)
		top := from.row(min(y0+y1, from.Height-1))
		bottom := from.row(min(y0+y1+1, from.Height-1))
		row := g.row(y + oy)
		for ox := range min(int(float64(w)*scaleX), g.Width-x) {
			sx := (float64(ox)+0.5)/scaleX - 0.5
			x1 := max(int(math.Floor(sx)), 0)
			tx := max(sx-float64(x1), 0)
			a, b := min(x0+x1, from.Width-1), min(x0+x1+1, from.Width-1)
			v := (float64(top[a])*(1-tx)+float64(top[b])*tx)*(1-ty) + (float64(bottom[a])*(1-tx)+float64(bottom[b])*tx)*ty
			row[x+ox] = byte(v + 0.5)
		}
	}
}
