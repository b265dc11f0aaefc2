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

// pngPicture is a PNG whose parts are whole.
type pngPicture struct {
	file io.ReaderAt
	size int64
	// w and h in pixels, bits of one pixel.
	w, h, bits int
	head       [13]byte // IHDR
	palette    bool
	interlaced bool
	// before and after are the parts that a turned picture keeps, around the pixels,
	// which begin at pixels.
	before, after []part
	pixels        int64
}

// part is a chunk: its name, and where its data are.
type part struct {
	name string
	at   int64
	n    uint32
}

// openPNG reads all parts, with their sums.
func openPNG(file io.ReaderAt, size int64) (*pngPicture, error) {
	p := &pngPicture{file: file, size: size}
	r := &parts{from: bufio.NewReaderSize(io.NewSectionReader(file, 0, size), 64<<10)}
	if _, err := r.from.Discard(len(pngMagic)); err != nil {
		return nil, err
	}
	r.at = int64(len(pngMagic))
	over := false // with the pixels
	for first := true; ; first = false {
		c, err := r.next(p.head[:], first)
		if err != nil {
			return nil, ended(err)
		}
		switch {
		case first:
			if err := p.frame(c); err != nil {
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
	return slices.ContainsFunc(p.before, func(c part) bool { return c.name == name })
}

// colours are the samples of a pixel by colour type, and the depths that each has.
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

// frame takes in the header: size and form of the pixels.
func (p *pngPicture) frame(c part) error {
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
		return fault("a PNG is turned when it is at most %d pixels wide and high, and this one has %d x %d", maxSide, w, h)
	}
	p.w, p.h = int(w), int(h)
	if most := max(int64(p.h)*int64(rowBytes(p.w, p.bits)), int64(p.w)*int64(rowBytes(p.h, p.bits))); most > maxPixelBytes {
		return fault("a PNG is turned when its pixels take at most %d MiB, and those of this one (%d x %d, %d bits each) take %d MiB",
			maxPixelBytes>>20, w, h, p.bits, (most+1<<20-1)>>20)
	}
	return nil
}

// rowBytes is the length of a row of pixels.
func rowBytes(pixels, bits int) int { return (pixels*bits + 7) / 8 }

// keep notes a part that a turned picture keeps.
func (p *pngPicture) keep(c part) error {
	switch c.name {
	case "acTL", "fcTL", "fdAT":
		return fault("a PNG that moves is not turned")
	case "PLTE", "tRNS", "gAMA", "cHRM", "sRGB", "iCCP", "sBIT", "bKGD", "hIST", "cICP", "mDCV", "cLLI":
	case "oFFs":
		return nil
	default:
		if c.name[0]&0x20 == 0 {
			return fault("the PNG has a part that is not known here: %q", c.name)
		}
		if c.name[3]&0x20 == 0 { // says something of the pixels that may not be so any more
			return nil
		}
	}
	if len(p.before)+len(p.after) >= maxParts {
		return fault("the PNG has more than %d parts beside its pixels", maxParts)
	}
	if p.pixels == 0 {
		p.before = append(p.before, c)
	} else {
		p.after = append(p.after, c)
	}
	return nil
}

// parts reads chunk after chunk.
type parts struct {
	from *bufio.Reader
	at   int64
}

// next passes over a chunk and checks its sum. The data of one that is wanted are
// copied to data, as far as they fit.
func (r *parts) next(data []byte, wanted bool) (c part, err error) {
	var head [8]byte
	if _, err := io.ReadFull(r.from, head[:]); err != nil {
		return c, err
	}
	c = part{string(head[4:]), r.at + 8, binary.BigEndian.Uint32(head[:])}
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

// packed reads the data of the IDAT chunks as one stream.
type packed struct {
	from  *bufio.Reader
	begun bool
	left  uint32
}

func (p *pngPicture) packed() *packed {
	return &packed{from: bufio.NewReaderSize(io.NewSectionReader(p.file, p.pixels, p.size-p.pixels), 64<<10)}
}

func (r *packed) Read(b []byte) (int, error) {
	for r.left == 0 {
		if r.begun {
			if _, err := r.from.Discard(4); err != nil { // the sum of the chunk before
				return 0, err
			}
		}
		var head [8]byte
		if _, err := io.ReadFull(r.from, head[:]); err != nil {
			return 0, err
		}
		if string(head[4:]) != "IDAT" {
			return 0, io.EOF
		}
		r.begun, r.left = true, binary.BigEndian.Uint32(head[:])
	}
	n, err := r.from.Read(b[:min(len(b), int(r.left))])
	r.left -= uint32(n)
	return n, err
}
