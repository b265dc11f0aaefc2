package extract

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/png"
	"runtime"

	"golang.org/x/image/draw"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/classify/extract/internal/pdftext"
	"github.com/landfallhq/tracking/internal/picture"
)

const (
	// drawnAtOnce is how many pages are drawn at a time, in children of their own.
	drawnAtOnce = 2
	// drawnSide is the longer side of a drawn page, in dots: that of A4 at 150 an inch.
	drawnSide = 1754
)

// Render implements tracking.Renderer: it draws pages of PDFs, and PNG, JPEG and TIFF. Further
// calls wait while two are drawn.
func (e *Extractor) Render(ctx context.Context, f tracking.DocumentFile, page int) ([]byte, error) {
	text, err := e.begin(f)
	switch {
	case err != nil:
		return nil, err
	case page < 1 || page > e.limits.Pages, text.ContentType != pdfType && !isPicture(text.ContentType):
		return nil, noPage(page)
	}
	a, err := withSlot(ctx, e.drawings, f, func(ctx context.Context, f tracking.DocumentFile) (answer, error) {
		return e.drawers.answer(ctx, f, page)
	})
	return a.Drawn, err
}

func noPage(page int) error {
	return &tracking.FileError{Code: tracking.FileNoPage, Detail: fmt.Sprintf("The file has no page %d that can be shown.", page)}
}

// drawPage draws a page in a child. The file is changed.
func drawPage(r *pdftext.Reader, file []byte, typ string, page int, most Limits) ([]byte, error) {
	var drawn *image.RGBA
	var err error
	switch {
	case typ == pdfType:
		drawn, err = r.Draw(file, page, drawnSide)
	case typ == tiffType:
		if order, directories := directoriesOf(file, most.Pages); page <= len(directories) {
			order.PutUint32(file[4:], directories[page-1])
			drawn, err = smaller(file)
		}
	case page == 1 && isPicture(typ):
		drawn, err = smaller(file)
	}
	if err != nil {
		return nil, err
	}
	if drawn == nil {
		return nil, noPage(page)
	}
	var b bytes.Buffer
	err = (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&b, drawn)
	return b.Bytes(), err
}

// smaller decodes a picture, scales it down to drawnSide and turns it as its Exif data says.
func smaller(file []byte) (*image.RGBA, error) {
	m, err := decodePicture(file)
	if err != nil {
		return nil, err
	}
	size := m.Bounds().Size()
	scale := min(1, float64(drawnSide)/float64(max(size.X, size.Y)))
	out := image.NewRGBA(image.Rect(0, 0, max(1, int(float64(size.X)*scale)), max(1, int(float64(size.Y)*scale))))
	draw.Draw(out, out.Bounds(), image.White, image.Point{}, draw.Src)
	draw.BiLinear.Scale(out, out.Bounds(), m, m.Bounds(), draw.Over, nil)
	return quarterTurned(out, picture.Quarters(bytes.NewReader(file), int64(len(file)))), nil
}

// exhausted reports whether little of the memory of a child may be left for another file: what a
// large picture or workbook took stays mapped.
func exhausted(most int64) bool {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.Sys) > most/2
}

// quarterTurned returns a picture turned clockwise by quarter turns.
func quarterTurned(m *image.RGBA, quarters int) *image.RGBA {
	for range quarters {
		w, h := m.Bounds().Dx(), m.Bounds().Dy()
		out := image.NewRGBA(image.Rect(0, 0, h, w))
		for y := range h {
			for x := range w {
				out.SetRGBA(h-1-y, x, m.RGBAAt(x, y))
			}
		}
		m = out
	}
	return m
}
