package picture

import (
	"bufio"
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
)

// Turn writes the PNG turned, in the form of its pixels, and with those of its parts
// that hold for it still. It reads the pixels once for each band of the result.
func (p *pngPicture) Turn(to io.Writer, quarters int) error {
	t := turning{pngPicture: p, quarters: quarters, w: p.w, h: p.h}
	if quarters%2 == 1 {
		t.w, t.h = p.h, p.w
	}
	out := bufio.NewWriterSize(to, 64<<10)
	if _, err := out.WriteString(pngMagic); err != nil {
		return err
	}
	head := p.head
	binary.BigEndian.PutUint32(head[:], uint32(t.w))
	binary.BigEndian.PutUint32(head[4:], uint32(t.h))
	head[12] = 0 // not interlaced
	if err := writeChunk(out, "IHDR", head[:]); err != nil {
		return err
	}
	if err := t.copyParts(out, p.before); err != nil {
		return err
	}
	if err := t.pixelsTo(out); err != nil {
		return err
	}
	if err := t.copyParts(out, p.after); err != nil {
		return err
	}
	if err := writeChunk(out, "IEND", nil); err != nil {
		return err
	}
	return out.Flush()
}

func writeChunk(to io.Writer, name string, data []byte) error {
	chunk := binary.BigEndian.AppendUint32(make([]byte, 0, len(data)+12), uint32(len(data)))
	chunk = append(append(chunk, name...), data...)
	chunk = binary.BigEndian.AppendUint32(chunk, crc32.ChecksumIEEE(chunk[4:]))
	_, err := to.Write(chunk)
	return err
}

// turning is one turn of a PNG; w and h are of the result.
type turning struct {
	*pngPicture
	quarters, w, h int
}

func (t *turning) copyParts(to io.Writer, list []part) error {
	for _, c := range list {
		if c.name == "pHYs" && c.n == 9 && t.quarters%2 == 1 { // how close the pixels lie, across and down
			var data [9]byte
			if _, err := t.file.ReadAt(data[:], c.at); err != nil {
				return ended(err)
			}
			swapped := append(append(bytes.Clone(data[4:8]), data[:4]...), data[8])
			if err := writeChunk(to, c.name, swapped); err != nil {
				return err
			}
			continue
		}
		whole := int64(c.n) + 12
		if n, err := io.Copy(to, io.NewSectionReader(t.file, c.at-8, whole)); err != nil || n < whole {
			return errors.Join(err, io.ErrUnexpectedEOF)
		}
	}
	return nil
}

// band is some rows of the result.
type band struct {
	from, to, row int // the first row, the one after the last, the bytes of each
	pixels        []byte
}

// pixelsTo writes the pixels.
func (t *turning) pixelsTo(to io.Writer) error {
	row := rowBytes(t.w, t.bits)
	b := band{row: row, pixels: make([]byte, row*min(t.h, max(1, bandBytes/row)))}
	rows := len(b.pixels) / row
	chunks := bufio.NewWriterSize(chunkWriter{to}, 32<<10)
	z, err := zlib.NewWriterLevel(chunks, zlib.BestSpeed) // others take five times as long
	if err != nil {
		return err
	}
	f := newFilters(row, max(1, t.bits/8), t.bits < 8 || t.palette)
	for b.from = 0; b.from < t.h; b.from = b.to {
		b.to = min(b.from+rows, t.h)
		clear(b.pixels)
		if err := t.fill(&b); err != nil {
			return err
		}
		for i := range b.to - b.from {
			if err := f.write(z, b.pixels[i*row:(i+1)*row]); err != nil {
				return err
			}
		}
	}
	if err := z.Close(); err != nil {
		return err
	}
	return chunks.Flush()
}

// chunkWriter writes what it is given as IDAT chunks.
type chunkWriter struct{ to io.Writer }

func (w chunkWriter) Write(b []byte) (int, error) {
	if err := writeChunk(w.to, "IDAT", b); err != nil {
		return 0, err
	}
	return len(b), nil
}

// grid is one of the pictures that an interlaced one is sent as: every so many of its
// pixels, from a first one.
type grid struct{ x, y, dx, dy int }

var (
	wholeGrid = []grid{{0, 0, 1, 1}}
	adam7     = []grid{{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4}, {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}}
)

// fill reads all pixels, and places those that are in the band.
func (t *turning) fill(b *band) error {
	file := &remembering{from: t.packed()}
	z, err := zlib.NewReader(file)
	if err != nil {
		return file.blame(err)
	}
	grids := wholeGrid
	if t.interlaced {
		grids = adam7
	}
	step := max(1, t.bits/8)
	for _, g := range grids {
		n, m := steps(t.pngPicture.w-g.x, g.dx), steps(t.pngPicture.h-g.y, g.dy)
		if n == 0 || m == 0 {
			continue
		}
		size := 1 + rowBytes(n, t.bits)
		row, before := make([]byte, size), make([]byte, size)
		for i := range m {
			if _, err := io.ReadFull(z, row); err != nil {
				return file.blame(err)
			}
			if !unfilter(row[0], row[1:], before[1:], step) {
				return errDamaged
			}
			t.place(b, row[1:], g, g.y+i*g.dy, n)
			row, before = before, row
		}
	}
	// Behind the last row is the sum of all. More pixels than there should be hurt nobody.
	if _, err := z.Read(make([]byte, 1)); errors.Is(err, zlib.ErrChecksum) {
		return errDamaged
	}
	return nil
}

// remembering is a reader that knows whether an error was its own.
type remembering struct {
	from io.Reader
	err  error
}

func (r *remembering) Read(b []byte) (int, error) {
	n, err := r.from.Read(b)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		r.err = err
	}
	return n, err
}

// blame gives an error of unpacking to the file where it is the file's.
func (r *remembering) blame(err error) error {
	if r.err != nil {
		return r.err
	}
	return errDamaged
}

// steps is how many pixels of so many a grid has, at every so many.
func steps(pixels, every int) int { return max(0, (pixels+every-1)/every) }

// place puts the pixels of a row, n of a grid, to where they belong after the turn.
func (t *turning) place(b *band, row []byte, g grid, y, n int) {
	w, h := t.pngPicture.w, t.pngPicture.h
	first, end := 0, n
	switch t.quarters {
	case 1: // column x becomes row x
		first, end = steps(b.from-g.x, g.dx), steps(b.to-g.x, g.dx)
	case 2:
		if to := h - 1 - y; to < b.from || to >= b.to {
			return
		}
	default: // column x becomes row w-1-x
		first, end = steps(w-b.to-g.x, g.dx), steps(w-b.from-g.x, g.dx)
	}
	for i := first; i < min(end, n); i++ {
		x := g.x + i*g.dx
		var tx, ty int
		switch t.quarters {
		case 1:
			tx, ty = h-1-y, x
		case 2:
			tx, ty = w-1-x, h-1-y
		default:
			tx, ty = y, w-1-x
		}
		put(b.pixels[(ty-b.from)*b.row:], tx, row, i, t.bits)
	}
}

// put copies a pixel of so many bits to a place in a row that is clear there.
func put(to []byte, at int, row []byte, i, bits int) {
	if size := bits / 8; size > 0 {
		copy(to[at*size:at*size+size], row[i*size:])
		return
	}
	each := 8 / bits
	value := row[i/each] >> (8 - bits - i%each*bits) & (1<<bits - 1)
	to[at/each] |= value << (8 - bits - at%each*bits)
}
