// Package picture turns PNG and JPEG pictures by quarters of a circle, in memory that
// does not grow with them. A JPEG is not decoded: its mark of orientation is changed,
// so that nothing of it is lost. A PNG is read as often as it takes to turn it in
// bands. Tests aside, only the standard library is needed.
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
	// maxPixelBytes bounds what the pixels of a PNG take, and so the time of a turn.
	maxPixelBytes = 256 << 20
	// maxParts bounds the parts of a PNG that are no pixels.
	maxParts = 1000
)

// bandBytes is how much of a turned PNG is in memory at a time.
var bandBytes = 32 << 20

// Fault is why a picture cannot be turned, as a sentence without its end.
type Fault struct{ Detail string }

func (f *Fault) Error() string { return f.Detail }

func fault(format string, args ...any) error { return &Fault{fmt.Sprintf(format, args...)} }

// ErrUnknown is the answer to files that are neither PNG nor JPEG.
var ErrUnknown = errors.New("picture: neither PNG nor JPEG")

var errDamaged = fault("the picture is damaged")

// Picture is a picture that can be turned.
type Picture interface {
	// Turn writes the picture, turned clockwise by 1 to 3 quarters. A Fault is the
	// picture's; other errors are those of the file and of to.
	Turn(to io.Writer, quarters int) error
}

// Open looks a picture over, without its pixels: what it finds whole may still turn
// out to be damaged. It reads the file of size bytes once, and Turn reads it again.
// Errors: ErrUnknown, a Fault, those of the file.
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

// ended makes the end of a file that should go on the picture's fault.
func ended(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errDamaged
	}
	return err
}
