package pdftext

import (
	"math"

	"github.com/landfallhq/tracking/classify/extract/internal/geometry"
)

// drawn is what is drawn on a page besides text.
type drawn struct {
	*library
	toReader matrix
	lines    []geometry.Segment
	area     float64 // of pictures, in square points
	paths    int
	left     int // objects and parts of paths that are still looked at
}

// The kinds of page objects, and of the parts of a path.
const (
	objectPath, objectImage, objectForm = 2, 3, 5
	partLine, partMove                  = 0, 2
)

const (
	mostParts  = 20_000 // of objects and paths of a page
	mostDepth  = 8      // of forms in forms
	mostInPath = 400    // parts of a path; more are a drawing
)

// lookAt finds the lines and pictures of a page.
func (l *library) lookAt(page uint64, toReader matrix) *drawn {
	d := &drawn{library: l, toReader: toReader, left: mostParts}
	for i := range int(int32(l.call("FPDFPage_CountObjects", page))) {
		d.object(l.call("FPDFPage_GetObject", page, uint64(i)), toReader, 0)
	}
	return d
}

func (d *drawn) object(object uint64, m matrix, depth int) {
	if d.left--; d.left < 0 || object == 0 {
		return
	}
	switch d.call("FPDFPageObj_GetType", object) {
	case objectPath:
		d.paths++
		d.path(object, d.matrixOf(object).after(m))
	case objectImage:
		x0, y0 := d.matrixOf(object).after(m).apply(0, 0)
		x1, y1 := d.matrixOf(object).after(m).apply(1, 1)
		if size := math.Abs((x1 - x0) * (y1 - y0)); !math.IsNaN(size) {
			d.area += size
		}
	case objectForm:
		if depth == mostDepth {
			return
		}
		inner := d.matrixOf(object).after(m)
		for i := range int(int32(d.call("FPDFFormObj_CountObjects", object))) {
			if d.left <= 0 {
				return
			}
			d.object(d.call("FPDFFormObj_GetObject", object, uint64(i)), inner, depth+1)
		}
	}
}

func (d *drawn) matrixOf(object uint64) matrix {
	m := matrix{1, 0, 0, 1}
	if d.call("FPDFPageObj_GetMatrix", object, uint64(d.scratch)) == 1 {
		for k := range m {
			m[k] = d.float32(k)
		}
	}
	return m
}

// path adds the lines of a path that is seen: those that are stroked, and filled rectangles:
// a thin one as one line, others as four.
func (d *drawn) path(object uint64, m matrix) {
	parts := int(int32(d.call("FPDFPath_CountSegments", object)))
	if parts < 2 || parts > mostInPath || d.call("FPDFPath_GetDrawMode", object, uint64(d.scratch), uint64(d.scratch)+4) != 1 {
		return
	}
	filled, stroked := d.uint32(0) != 0 && !d.white("FPDFPageObj_GetFillColor", object), d.uint32(1) != 0 && !d.white("FPDFPageObj_GetStrokeColor", object)
	if !filled && !stroked {
		return
	}
	var run []point // of one part of the path
	end := func() {
		if stroked {
			for i := 1; i < len(run); i++ {
				d.add(run[i-1], run[i])
			}
		} else if filled {
			d.rectangle(run)
		}
	}
	for i := range parts {
		if d.left--; d.left < 0 {
			return
		}
		part := d.call("FPDFPath_GetPathSegment", object, uint64(i))
		if d.call("FPDFPathSegment_GetPoint", part, uint64(d.scratch), uint64(d.scratch)+4) != 1 {
			return
		}
		var p point
		p.x, p.y = m.apply(d.float32(0), d.float32(1))
		switch d.call("FPDFPathSegment_GetType", part) {
		case partMove:
			end()
			run = append(run[:0], p)
		case partLine:
			run = append(run, p)
		default: // the end of a curve
			end()
			run = append(run[:0], p)
		}
		if len(run) > 1 && run[0] != run[len(run)-1] && d.call("FPDFPathSegment_GetClose", part) == 1 {
			run = append(run, run[0])
		}
	}
	end()
}

type point struct{ x, y float64 }

// add adds a line. Coordinates beyond the largest page are nonsense.
func (d *drawn) add(a, b point) {
	const most = 15_000.0
	if math.Max(math.Max(math.Abs(a.x), math.Abs(a.y)), math.Max(math.Abs(b.x), math.Abs(b.y))) < most {
		d.lines = append(d.lines, geometry.Segment{X0: a.x, Y0: a.y, X1: b.x, Y1: b.y})
	}
}

// rectangle adds the lines of a filled rectangle.
func (d *drawn) rectangle(run []point) {
	const thin = 3.0
	if len(run) < 4 || len(run) > 5 || len(run) == 5 && run[4] != run[0] {
		return
	}
	side := func(i, j int) float64 { return math.Hypot(run[i].x-run[j].x, run[i].y-run[j].y) }
	middle := func(i, j int) point { return point{(run[i].x + run[j].x) / 2, (run[i].y + run[j].y) / 2} }
	switch a, b := side(0, 1), side(1, 2); {
	case math.Abs(a-side(2, 3)) > 0.5 || math.Abs(b-side(3, 0)) > 0.5:
	case a <= thin && b > a:
		d.add(middle(0, 1), middle(2, 3))
	case b <= thin && a > b:
		d.add(middle(1, 2), middle(3, 0))
	case a > thin && b > thin:
		for i := range 4 {
			d.add(run[i], run[(i+1)%4])
		}
	}
}

// white reports whether the colour of an object cannot be seen on paper.
func (d *drawn) white(of string, object uint64) bool {
	const white, clear = 250, 10
	at := uint64(d.scratch) + 8
	if d.call(of, object, at, at+4, at+8, at+12) != 1 {
		return false
	}
	r, g, b, a := d.uint32(2), d.uint32(3), d.uint32(4), d.uint32(5)
	return a < clear || r >= white && g >= white && b >= white
}
