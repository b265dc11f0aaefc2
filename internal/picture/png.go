package picture

import (
	"bufio"
	"encoding/binary"
	"hash/crc32"
	"io"
	"slices"
	"strings"
)

const pngMagic = "\x89PNG\r\n\x1a\n"

// pngPicture is a PNG whose chunks have been checked.
type pngPicture struct {
	file io.ReaderAt
	size int64
	// w and h in pixels, bits of one pixel.
	w, h, bits int
	head       [13]byte // IHDR
	palette    bool
	interlaced bool
	// before and after are the chunks that a rotated picture keeps, before and after
	// the pixels; pixels is the offset of the first IDAT chunk.
	before, after []chunk
	pixels        int64
}

// chunk has the name of a chunk, and the offset and length of its data.
type chunk struct {
	name string
	at   int64
	n    uint32
}

// openPNG reads all chunks and checks their checksums.
func openPNG(file io.ReaderAt, size int64) (*pngPicture, error) {
	p := &pngPicture{file: file, size: size}
	r := &chunks{from: bufio.NewReaderSize(io.NewSectionReader(file, 0, size), 64<<10)}
	if _, err := r.from.Discard(len(pngMagic)); err != nil {
		return nil, err
	}
	r.at = int64(len(pngMagic))
	over := false // the pixels have ended
	for first := true; ; first = false {
		c, err := r.next(p.head[:], first)
		if err != nil {
			return nil, damagedAtEnd(err)
		}
		switch {
		case first:
			if err := p.readHeader(c); err != nil {
				return nil, err
			}
		case c.name == "IEND":
			if p.pixels == 0 || p.palette && !p.has("PLTE") {
				return nil, errDamaged
			}
			return p, nil
		case c.name == "IDAT" && over:
			return nil, errDamaged
		case c.name == "IDAT":
			if p.pixels == 0 {
				p.pixels = c.at - 8
			}
		default:
			over = p.pixels > 0
			if err := p.keep(c); err != nil {
				return nil, err
			}
		}
	}
}

func (p *pngPicture) has(name string) bool {
	return slices.ContainsFunc(p.before, func(c chunk) bool { return c.name == name })
}

// colours has the samples of a pixel and the allowed depths, by colour type.
var colours = map[byte]struct {
	samples int
	depths  string
}{
	0: {1, "\x01\x02\x04\x08\x10"}, // grey
	2: {3, "\x08\x10"},             // RGB
	3: {1, "\x01\x02\x04\x08"},     // palette
	4: {2, "\x08\x10"},             // grey with alpha
	6: {4, "\x08\x10"},             // RGB with alpha
}

// readHeader reads the size and the form of the pixels.
func (p *pngPicture) readHeader(c chunk) error {
	colour, ok := colours[p.head[9]]
	if c.name != "IHDR" || c.n != 13 || !ok || strings.IndexByte(colour.depths, p.head[8]) < 0 ||
		p.head[10] != 0 || p.head[11] != 0 || p.head[12] > 1 {
		return errDamaged
	}
	w, h := binary.BigEndian.Uint32(p.head[:]), binary.BigEndian.Uint32(p.head[4:])
	p.bits = colour.samples * int(p.head[8])
	p.palette, p.interlaced = p.head[9] == 3, p.head[12] == 1
	if w == 0 || h == 0 {
		return errDamaged
	}
	if w > maxSide || h > maxSide {
		return fault("a PNG can be rotated if it is at most %d pixels wide and high; this one has %d x %d", maxSide, w, h)
	}
	p.w, p.h = int(w), int(h)
	if most := max(int64(p.h)*int64(rowBytes(p.w, p.bits)), int64(p.w)*int64(rowBytes(p.h, p.bits))); most > maxPixelBytes {
		return fault("a PNG can be rotated if its pixels take at most %d MiB; those of this one (%d x %d, %d bits each) take %d MiB",
			maxPixelBytes>>20, w, h, p.bits, (most+1<<20-1)>>20)
	}
	return nil
}

// rowBytes is the length of a row of pixels.
func rowBytes(pixels, bits int) int { return (pixels*bits + 7) / 8 }

// keep adds c to the chunks that a rotated picture keeps, if it does.
func (p *pngPicture) keep(c chunk) error {
	switch c.name {
	case "acTL", "fcTL", "fdAT":
		return fault("an animated PNG cannot be rotated")
	case "PLTE", "tRNS", "gAMA", "cHRM", "sRGB", "iCCP", "sBIT", "bKGD", "hIST", "cICP", "mDCV", "cLLI":
	case "oFFs":
		return nil
	default:
		if c.name[0]&0x20 == 0 {
			return fault("the PNG has an unknown critical chunk: %q", c.name)
		}
		if c.name[3]&0x20 == 0 { // it may no longer be true of the rotated pixels
			return nil
		}
	}
	if len(p.before)+len(p.after) >= maxParts {
		return fault("the PNG has more than %d chunks besides its pixels", maxParts)
	}
	if p.pixels == 0 {
		p.before = append(p.before, c)
	} else {
		p.after = append(p.after, c)
	}
	return nil
}

// chunks reads chunk after chunk.
type chunks struct {
	from *bufio.Reader
	at   int64
}

// next reads a chunk and checks its checksum. If wanted, its data are copied to data, as
// far as they fit.
func (r *chunks) next(data []byte, wanted bool) (c chunk, err error) {
	var head [8]byte
	if _, err := io.ReadFull(r.from, head[:]); err != nil {
		return c, err
	}
	c = chunk{string(head[4:]), r.at + 8, binary.BigEndian.Uint32(head[:])}
	for _, letter := range []byte(c.name) {
		if letter|0x20 < 'a' || letter|0x20 > 'z' {
			return c, errDamaged
		}
	}
	sum := crc32.NewIEEE()
	sum.Write(head[4:])
	left := int64(c.n)
	if wanted {
		n, err := io.ReadFull(r.from, data[:min(int64(len(data)), left)])
		if err != nil {
			return c, err
		}
		sum.Write(data[:n])
		left -= int64(n)
	}
	if _, err := io.CopyN(sum, r.from, left); err != nil {
		return c, err
	}
	var want [4]byte
	if _, err := io.ReadFull(r.from, want[:]); err != nil {
		return c, err
	}
	if sum.Sum32() != binary.BigEndian.Uint32(want[:]) {
		return c, errDamaged
	}
	r.at = c.at + int64(c.n) + 4
	return c, nil
}

// packed reads the data of the IDAT chunks as one stream. err is the error of the file,
// if it failed: the picture is then not damaged.
type packed struct {
	from io.Reader
	left int64 // of the chunk
	err  error
}

func (p *pngPicture) packed() *packed {
	// It starts 4 bytes early: Read expects the checksum of the previous chunk.
	from := io.NewSectionReader(p.file, p.pixels-4, p.size-p.pixels+4)
	return &packed{from: bufio.NewReaderSize(from, 64<<10)}
}

func (r *packed) Read(b []byte) (n int, err error) {
	for r.left == 0 && err == nil {
		var head [12]byte // checksum of the previous chunk, length, name
		if _, err = io.ReadFull(r.from, head[:]); err == nil && string(head[8:]) != "IDAT" {
			return 0, io.EOF
		}
		r.left = int64(binary.BigEndian.Uint32(head[4:]))
	}
	if err == nil {
		n, err = r.from.Read(b[:min(int64(len(b)), r.left)])
		r.left -= int64(n)
	}
	if damagedAtEnd(err) != errDamaged {
		r.err = err
	}
	return n, err
}
