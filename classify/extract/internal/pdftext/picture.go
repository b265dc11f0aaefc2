package pdftext

import (
	"image"
	"math"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/classify/extract/internal/geometry"
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

// hasLayer reports whether a page is a picture with the text of a former recognition under it.
func (w *words) hasLayer(d *drawn) bool {
	return w.isRecognized() && d.area >= 0.5*w.width*w.height
}

// isRecognized reports whether much of the text lies under a scan.
func (w *words) isRecognized() bool { return 3*w.under > len(w.found) }

// recognize draws a page and recognises it.
func (l *library) recognize(page uint64, w *words, recognize Recognize) (tracking.TextPage, error) {
	const (
		gray       = 1
		grayscale  = 0x08
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
	picture := &scan.Gray{Width: width, Height: height, Pix: make([]byte, width*height)}
	err := l.render(page, width, height, gray, grayscale, func(y int, row []byte) { copy(picture.Pix[y*width:(y+1)*width], row) })
	if err != nil {
		return tracking.TextPage{}, err
	}
	var former scan.Former
	if w.isRecognized() {
		former = func(on tracking.TextPage) ([]tracking.TextWord, error) { return geometry.Place(w.found, on), nil }
	}
	found, err := recognize(picture, 1/dots, former)
	if err != nil {
		return found, err
	}
	for _, word := range found.Words {
		l.use(word.Text)
	}
	return found, nil
}

// render draws a page upon white, in a format of bitmaps, and gives each row to take.
func (l *library) render(page uint64, width, height, format, flags int, take func(y int, row []byte)) error {
	const (
		withNotes = 0x01
		white     = 0xFFFFFFFF
	)
	bitmap := l.call("FPDFBitmap_CreateEx", uint64(width), uint64(height), uint64(format), 0, 0)
	if bitmap == 0 {
		return tooMuchMemory()
	}
	defer l.call("FPDFBitmap_Destroy", bitmap)
	l.call("FPDFBitmap_FillRect", bitmap, 0, 0, uint64(width), uint64(height), white)
	l.call("FPDF_RenderPageBitmap", bitmap, page, 0, 0, uint64(width), uint64(height), 0, uint64(flags|withNotes))
	stride := int(int32(l.call("FPDFBitmap_GetStride", bitmap)))
	at := uint32(l.call("FPDFBitmap_GetBuffer", bitmap))
	for y := range height {
		row, ok := l.module.Memory().Read(at+uint32(y*stride), uint32(stride))
		if !ok {
			return tooMuchMemory()
		}
		take(y, row)
	}
	return nil
}

// Draw draws a page, counted from 1, with its longer side of so many dots. It returns nil if the
// file has no such page. Faults of the file are a tracking.FileError.
func (r *Reader) Draw(file []byte, page, side int) (drawn *image.RGBA, err error) {
	err = r.with(func(l *library) error {
		document, err := l.open(file)
		if err != nil || page > int(int32(l.call("FPDF_GetPageCount", document))) {
			return err
		}
		loaded := l.load(document, page-1)
		if loaded == 0 {
			return damaged("The page is damaged.")
		}
		drawn, err = l.draw(loaded, side)
		return err
	})
	if err != nil {
		return nil, err
	}
	return drawn, nil
}

func (l *library) draw(page uint64, side int) (*image.RGBA, error) {
	const bgrx, reversed = 3, 0x10 // reversed: red comes first
	w := &words{library: l}
	w.lay(page)
	dots := float64(side) / max(w.width, w.height, 1)
	width, height := max(1, int(w.width*dots)), max(1, int(w.height*dots))
	out := image.NewRGBA(image.Rect(0, 0, width, height))
	err := l.render(page, width, height, bgrx, reversed, func(y int, row []byte) {
		line := out.Pix[y*out.Stride : (y+1)*out.Stride]
		copy(line, row)
		for x := 3; x < len(line); x += 4 {
			line[x] = 0xff
		}
	})
	return out, err
}
