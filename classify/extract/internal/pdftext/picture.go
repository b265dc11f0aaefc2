package pdftext

import (
	"math"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/classify/extract/internal/scan"
)

// isPicture reports whether a page is a picture of text: a scan, perhaps with a line or a
// stamp that a program has added; text drawn as outlines; or text whose letters are no
// characters.
func (w *words) isPicture(d *drawn) bool {
	const few, many = 10, 100 // letters: a page number, a stamp
	const outlines = 100      // paths
	pictures := d.area / max(w.width*w.height, 1)
	switch {
	case w.letters < few:
		return pictures >= 0.05 || d.paths >= outlines
	case w.letters < many:
		return pictures >= 0.5
	}
	return 3*w.unknown > w.letters
}

// recognize draws a page and recognises it.
func (l *library) recognize(page uint64, w *words, recognize Recognize) (tracking.TextPage, error) {
	const (
		gray       = 1
		grayscale  = 0x08
		withNotes  = 0x01
		white      = 0xFFFFFFFF
		mostDots   = 20_000_000
		usualSide  = 842.0  // points, of an A4 page
		mostUsual  = 1300.0 // of an A3 page and a little more; larger ones are photos
		leastUsual = 300.0
	)
	side := max(w.width, w.height)
	dots := scan.PerInch / 72.0 // for each point
	if side > mostUsual || side < leastUsual {
		dots *= usualSide / side
	}
	dots = min(dots, math.Sqrt(mostDots/max(w.width*w.height, 1)))
	width, height := int(w.width*dots), int(w.height*dots)
	if width < 1 || height < 1 {
		return tracking.TextPage{Width: w.width, Height: w.height}, nil
	}
	bitmap := l.call("FPDFBitmap_CreateEx", uint64(width), uint64(height), gray, 0, 0)
	if bitmap == 0 {
		return tracking.TextPage{}, tooMuchMemory()
	}
	defer l.call("FPDFBitmap_Destroy", bitmap)
	l.call("FPDFBitmap_FillRect", bitmap, 0, 0, uint64(width), uint64(height), white)
	l.call("FPDF_RenderPageBitmap", bitmap, page, 0, 0, uint64(width), uint64(height), 0, grayscale|withNotes)
	stride := int(int32(l.call("FPDFBitmap_GetStride", bitmap)))
	at := uint32(l.call("FPDFBitmap_GetBuffer", bitmap))
	picture := &scan.Gray{Width: width, Height: height, Pix: make([]byte, width*height)}
	for y := range height {
		row, ok := l.module.Memory().Read(at+uint32(y*stride), uint32(width))
		if !ok {
			return tracking.TextPage{}, tooMuchMemory()
		}
		copy(picture.Pix[y*width:], row)
	}
	found, err := recognize(picture, 1/dots)
	if err != nil {
		return found, err
	}
	for _, word := range found.Words {
		l.use(word.Text)
	}
	return found, nil
}
