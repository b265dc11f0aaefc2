package extract

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	_ "image/jpeg" // for image.Decode
	_ "image/png"  // for image.Decode
	"math"

	_ "golang.org/x/image/tiff" // for image.Decode

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/classify/extract/internal/pdftext"
	"github.com/landfallhq/tracking/classify/extract/internal/scan"
	"github.com/landfallhq/tracking/internal/picture"
)

const tiffType = "image/tiff"

// isPicture reports whether files of a type are pictures of which text is recognised.
func isPicture(contentType string) bool {
	switch contentType {
	case "image/png", "image/jpeg", tiffType:
		return true
	}
	return false
}

// mostPixels bounds a picture before it is decoded.
const mostPixels = 100_000_000

// pagesOfPicture recognises a picture, or each page of a TIFF, in a child. The file is changed.
func pagesOfPicture(file []byte, typ string, most Limits, recognize pdftext.Recognize) ([]tracking.TextPage, error) {
	if recognize == nil {
		return nil, nil
	}
	read := func() (tracking.TextPage, error) {
		gray, err := decoded(file)
		if err != nil {
			return tracking.TextPage{}, err
		}
		upright, points := usual(gray.Turned(picture.Quarters(bytes.NewReader(file), int64(len(file)))))
		return recognize(upright, points, nil)
	}
	if typ != tiffType {
		page, err := read()
		return []tracking.TextPage{page}, err
	}
	var pages []tracking.TextPage
	order, directories := directoriesOf(file, most.Pages)
	for _, at := range directories {
		order.PutUint32(file[4:], at) // so that it begins with this page
		page, err := read()
		if err != nil {
			return nil, err
		}
		pages = append(pages, page)
	}
	return pages, nil
}

func decoded(file []byte) (*scan.Gray, error) {
	m, err := decodePicture(file)
	if err != nil {
		return nil, err
	}
	return grayOf(m), nil
}

// decodePicture decodes one of at most mostPixels.
func decodePicture(file []byte) (image.Image, error) {
	damaged := func(err error) error {
		return &tracking.FileError{Code: tracking.FileDamaged, Detail: fmt.Sprintf("The picture is damaged, or of a kind that is not read (%s).", err)}
	}
	config, _, err := image.DecodeConfig(bytes.NewReader(file))
	switch {
	case err != nil:
		return nil, damaged(err)
	case config.Width < 1 || config.Height < 1 || config.Width > mostPixels/config.Height:
		return nil, &tracking.FileError{Code: tracking.FileTooLarge, Detail: fmt.Sprintf("The picture has %d by %d dots; at most %d are read.", config.Width, config.Height, mostPixels)}
	}
	m, _, err := image.Decode(bytes.NewReader(file))
	if err != nil {
		return nil, damaged(err)
	}
	return m, nil
}

// grayOf copies a picture in shades of grey. What is transparent is white.
func grayOf(m image.Image) *scan.Gray {
	b := m.Bounds()
	g := &scan.Gray{Width: b.Dx(), Height: b.Dy(), Pix: make([]byte, b.Dx()*b.Dy())}
	for y := range g.Height {
		row := g.Pix[y*g.Width : (y+1)*g.Width]
		switch m := m.(type) {
		case *image.Gray:
			copy(row, m.Pix[y*m.Stride:])
		case *image.YCbCr:
			copy(row, m.Y[y*m.YStride:])
		default:
			for x := range row {
				c := color.NRGBAModel.Convert(m.At(b.Min.X+x, b.Min.Y+y)).(color.NRGBA)
				luma := (299*int(c.R) + 587*int(c.G) + 114*int(c.B)) / 1000
				row[x] = byte((luma*int(c.A) + 255*(255-int(c.A))) / 255)
			}
		}
	}
	return g
}

// usual scales a picture as if it were an A4 page at the resolution that is read, and returns
// how many points a dot is then.
func usual(g *scan.Gray) (*scan.Gray, float64) {
	const longer = 842.0 // side of A4, in points
	dots := longer / 72 * scan.PerInch
	side := max(g.Width, g.Height)
	if scale := dots / float64(side); math.Abs(scale-1) > 0.1 {
		g = g.Scaled(max(int(float64(g.Width)*scale), 1), max(int(float64(g.Height)*scale), 1))
	}
	return g, longer / float64(max(g.Width, g.Height))
}

// directoriesOf returns where the directories of a TIFF are, one for each page. They are a
// list, and the header has the place of the first.
func directoriesOf(file []byte, most int) (order binary.ByteOrder, all []uint32) {
	const header, entry = 8, 12
	order = binary.LittleEndian
	if len(file) < header {
		return order, nil
	}
	if file[0] == 'M' {
		order = binary.BigEndian
	}
	seen := map[uint32]bool{}
	for at := order.Uint32(file[4:]); at != 0 && !seen[at] && len(all) < most; {
		seen[at] = true
		all = append(all, at)
		if int64(at)+2 > int64(len(file)) {
			break
		}
		next := int64(at) + 2 + entry*int64(order.Uint16(file[at:]))
		if next+4 > int64(len(file)) {
			break
		}
		at = order.Uint32(file[next:])
	}
	return order, all
}
