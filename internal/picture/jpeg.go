package picture

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
)

// Markers of JPEG (ITU T.81, table B.1).
const (
	soi  = 0xd8
	eoi  = 0xd9
	sos  = 0xda
	app0 = 0xe0
	app1 = 0xe1
)

// maxSegment is the most that a segment holds beside its marker and length.
const maxSegment = 1<<16 - 1 - 2

const exifMark = "Exif\x00\x00"

// jpegPicture is a JPEG and the place of its Exif segment.
type jpegPicture struct {
	file io.ReaderAt
	size int64
	// from and to bound the segment that a rotation replaces; equal if it adds one.
	from, to int64
	// tiff is the content of the Exif segment; nil for none.
	tiff []byte
}

// openJPEG reads the segments before the pixels.
func openJPEG(file io.ReaderAt, size int64) (*jpegPicture, error) {
	p := &jpegPicture{file: file, size: size, from: 2, to: 2}
	r := &segments{bufio.NewReader(io.NewSectionReader(file, 2, size-2)), 2}
	framed := false
	for {
		begin, marker, err := r.next()
		if err != nil {
			return nil, damagedAtEnd(err)
		}
		switch {
		case marker == sos && framed:
			return p, nil
		case marker == sos || marker == eoi || marker == soi:
			return nil, errDamaged
		case marker == 1 || marker >= 0xd0 && marker <= 0xd7: // without a length
			continue
		}
		body, err := r.body(marker == app1 && p.tiff == nil)
		if err != nil {
			return nil, damagedAtEnd(err)
		}
		switch {
		case isFrame(marker):
			framed = true
		case marker == app0 && begin == p.to && p.tiff == nil: // JFIF goes first
			p.from, p.to = r.at, r.at
		case bytes.HasPrefix(body, []byte(exifMark)):
			p.from, p.to, p.tiff = begin, r.at, body[len(exifMark):]
		}
	}
}

// isFrame reports whether marker is one of SOF0 to SOF15.
func isFrame(marker byte) bool {
	return marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc
}

// segments reads segment after segment.
type segments struct {
	from *bufio.Reader
	at   int64
}

func (s *segments) byte() (byte, error) {
	s.at++
	return s.from.ReadByte()
}

// next finds the next marker and its offset. Like decoders, it skips what is between
// segments.
func (s *segments) next() (begin int64, marker byte, err error) {
	for b := byte(0); ; {
		before := b
		if b, err = s.byte(); err != nil {
			return 0, 0, err
		}
		if before == 0xff && b != 0xff && b != 0 {
			return s.at - 2, b, nil
		}
	}
}

// body reads the rest of a segment, and returns it if wanted.
func (s *segments) body(wanted bool) ([]byte, error) {
	var length [2]byte
	if _, err := io.ReadFull(s.from, length[:]); err != nil {
		return nil, err
	}
	n := int(binary.BigEndian.Uint16(length[:])) - 2
	if n < 0 {
		return nil, errDamaged
	}
	s.at += int64(2 + n)
	if !wanted {
		_, err := s.from.Discard(n)
		return nil, err
	}
	body := make([]byte, n)
	_, err := io.ReadFull(s.from, body)
	return body, err
}

// quarterTurn is the orientation after a clockwise quarter turn, by orientation
// (Exif 2.3, tag 0x0112); index 0 is a picture without one.
var quarterTurn = [9]uint16{6, 6, 7, 8, 5, 2, 3, 4, 1}

// Rotate changes the orientation and copies the rest.
func (p *jpegPicture) Rotate(to io.Writer, quarters int) error {
	o := orientation(p.tiff)
	for range quarters {
		o = quarterTurn[o]
	}
	tiff := withOrientation(p.tiff, o)
	if tiff == nil || len(exifMark)+len(tiff) > maxSegment {
		tiff = withOrientation([]byte("MM\x00*\x00\x00\x00\x08\x00\x00\x00\x00\x00\x00"), o)
	}
	segment := append([]byte{0xff, app1, 0, 0}, exifMark...)
	segment = append(segment, tiff...)
	binary.BigEndian.PutUint16(segment[2:], uint16(len(segment)-2))
	_, err := io.Copy(to, io.MultiReader(
		io.NewSectionReader(p.file, 0, p.from), bytes.NewReader(segment), io.NewSectionReader(p.file, p.to, p.size-p.to)))
	return err
}

// The TIFF header and directory that Exif is made of.
const (
	tagOrientation = 0x0112
	typeShort      = 3
	entryBytes     = 12
)

// directory returns the byte order of a TIFF block, and the offset and the number of
// entries of its first directory. ok: it is within the block.
func directory(tiff []byte) (order binary.ByteOrder, at, entries int, ok bool) {
	switch {
	case len(tiff) < 8:
		return nil, 0, 0, false
	case string(tiff[:4]) == "II*\x00":
		order = binary.LittleEndian
	case string(tiff[:4]) == "MM\x00*":
		order = binary.BigEndian
	default:
		return nil, 0, 0, false
	}
	offset := order.Uint32(tiff[4:])
	if int64(offset)+2 > int64(len(tiff)) {
		return nil, 0, 0, false
	}
	at = int(offset)
	entries = int(order.Uint16(tiff[at:]))
	return order, at, entries, at+2+entries*entryBytes <= len(tiff)
}

// orientationEntry is the offset of the orientation in the directory; 0 for none.
func orientationEntry(tiff []byte, order binary.ByteOrder, at, entries int) int {
	for i := range entries {
		if e := at + 2 + i*entryBytes; order.Uint16(tiff[e:]) == tagOrientation {
			return e
		}
	}
	return 0
}

// orientation is that of the block; 1, which is upright, if it has none.
func orientation(tiff []byte) uint16 {
	order, at, entries, ok := directory(tiff)
	if !ok {
		return 1
	}
	if e := orientationEntry(tiff, order, at, entries); e > 0 && order.Uint16(tiff[e+2:]) == typeShort {
		if o := order.Uint16(tiff[e+8:]); o >= 1 && o <= 8 {
			return o
		}
	}
	return 1
}

// withOrientation returns the block with another orientation. If the directory has none,
// a copy of it with one is appended, because offsets within the block must stay. Nil: the
// block cannot be read.
func withOrientation(tiff []byte, o uint16) []byte {
	order, at, entries, ok := directory(tiff)
	if !ok {
		return nil
	}
	out := append(make([]byte, 0, len(tiff)+8+(entries+1)*entryBytes), tiff...)
	value := make([]byte, entryBytes)
	order.PutUint16(value, tagOrientation)
	order.PutUint16(value[2:], typeShort)
	order.PutUint32(value[4:], 1)
	order.PutUint16(value[8:], o)
	if e := orientationEntry(out, order, at, entries); e > 0 {
		copy(out[e:], value)
		return out
	}
	if len(out)%2 == 1 {
		out = append(out, 0)
	}
	order.PutUint32(out[4:], uint32(len(out)))
	count := make([]byte, 2)
	order.PutUint16(count, uint16(entries+1))
	out = append(out, count...)
	first := at + 2
	end := first + entries*entryBytes
	sorted := first // entries are sorted by tag
	for sorted < end && order.Uint16(tiff[sorted:]) < tagOrientation {
		sorted += entryBytes
	}
	out = append(out, tiff[first:sorted]...)
	out = append(out, value...)
	out = append(out, tiff[sorted:end]...)
	next := make([]byte, 4)
	if end+4 <= len(tiff) {
		copy(next, tiff[end:])
	}
	return append(out, next...)
}
