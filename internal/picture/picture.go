// Package picture rotates PNG and JPEG pictures by quarter turns, in bounded memory. A
// JPEG is not decoded: its Exif orientation is changed, so nothing is lost. The pixels
// of a PNG are read once for each band of the result.
//
// The packages image/png and image/jpeg are used by tests alone. They hold a picture in
// memory as a whole, where a scan of 1 bit a pixel takes 8 times its size; encoding
// turns 1 bit into 8, drops resolution and colour profile, and takes 6 times as long; and
// they know no orientation.
package picture

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

const (
	// maxSide is the most pixels in a row or column, the most that JPEG can have.
	maxSide = 1<<16 - 1
	// maxPixelBytes bounds the pixels of a PNG, and so the time that a rotation takes.
	maxPixelBytes = 256 << 20
	// maxParts bounds the chunks of a PNG other than pixels.
	maxParts = 1000
)

// bandBytes is how much of a rotated PNG is in memory at a time.
var bandBytes = 32 << 20

// Fault is why a picture cannot be rotated. Detail is a sentence without its full stop.
type Fault struct{ Detail string }

func (f *Fault) Error() string { return f.Detail }

func fault(format string, args ...any) error { return &Fault{fmt.Sprintf(format, args...)} }

// ErrUnknown: the file is neither PNG nor JPEG.
var ErrUnknown = errors.New("picture: neither PNG nor JPEG")

var errDamaged = fault("the picture is damaged")

// Picture is a picture that can be rotated.
type Picture interface {
	// Rotate writes the picture, rotated clockwise by 1 to 3 quarter turns. Errors: a
	// Fault; those of the file and of to.
	Rotate(to io.Writer, quarters int) error
}

// Open checks a picture, except for its pixels: Rotate may still find it damaged. It
// reads the file of size bytes once. Errors: ErrUnknown, a Fault, those of the file.
func Open(file io.ReaderAt, size int64) (Picture, error) {
	head := make([]byte, len(pngMagic))
	n, err := file.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	switch head = head[:n]; {
	case bytes.HasPrefix(head, []byte(pngMagic)):
		return openPNG(file, size)
	case bytes.HasPrefix(head, []byte{0xff, soi, 0xff}):
		return openJPEG(file, size)
	}
	return nil, ErrUnknown
}

// Quarters returns by how many quarter turns clockwise a JPEG must be turned to be displayed,
// as its Exif data says: 0 for those without it, for other files and for damaged ones.
func Quarters(file io.ReaderAt, size int64) int {
	p, err := Open(file, size)
	if err != nil {
		return 0
	}
	j, ok := p.(*jpegPicture)
	if !ok {
		return 0
	}
	const upsideDown, right, left = 3, 6, 8
	switch orientation(j.tiff) {
	case upsideDown:
		return 2
	case right:
		return 1
	case left:
		return 3
	}
	return 0
}

// damagedAtEnd returns errDamaged in place of an unexpected end of the file.
func damagedAtEnd(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errDamaged
	}
	return err
}
