package picture

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
)

// Rotate keeps colour type and depth, and the chunks that are still true. It reads the
// pixels once for each band of the result.
func (p *pngPicture) Rotate(to io.Writer, quarters int) error {
	t := rotation{pngPicture: p, quarters: quarters, w: p.w, h: p.h}
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
	if err := t.copyChunks(out, p.before); err != nil {
		return err
	}
	if err := t.writePixels(out); err != nil {
		return err
	}
	if err := t.copyChunks(out, p.after); err != nil {
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

// rotation is one rotation of a PNG; w and h are of the result.
type rotation struct {
	*pngPicture
	quarters, w, h int
}

func (t *rotation) copyChunks(to io.Writer, list []chunk) error {
	for _, c := range list {
		if c.name == "pHYs" && c.n == 9 && t.quarters%2 == 1 { // pixels per unit, across and down
			var data [9]byte
			if _, err := t.file.ReadAt(data[:], c.at); err != nil {
				return damagedAtEnd(err)
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

func (t *rotation) writePixels(to io.Writer) error {
	row := rowBytes(t.w, t.bits)
	b := band{row: row, pixels: make([]byte, row*min(t.h, max(1, bandBytes/row)))}
	rows := len(b.pixels) / row
	chunks := bufio.NewWriterSize(chunkWriter{to}, 32<<10)
	z, err := zlib.NewWriterLevel(chunks, zlib.BestSpeed) // the default takes five times as long
	if err != nil {
		return err
	}
	packed, above := make([]byte, 1+row), make([]byte, row)
	for b.from = 0; b.from < t.h; b.from = b.to {
		b.to = min(b.from+rows, t.h)
		clear(b.pixels)
		if err := t.fill(&b); err != nil {
			return err
		}
		for i := range b.to - b.from {
			pixels := b.pixels[i*row : (i+1)*row]
			if t.bits < 8 || t.palette { // filters would not make them smaller
				copy(packed[1:], pixels)
			} else {
				filter(packed, pixels, above, t.bits/8)
			}
			copy(above, pixels)
			if _, err := z.Write(packed); err != nil {
				return err
			}
		}
	}
	if err := z.Close(); err != nil {
		return err
	}
	return chunks.Flush()
}

// chunkWriter writes each call as an IDAT chunk.
type chunkWriter struct{ to io.Writer }

func (w chunkWriter) Write(b []byte) (int, error) {
	if err := writeChunk(w.to, "IDAT", b); err != nil {
		return 0, err
	}
	return len(b), nil
}

// grid is one pass of an interlaced picture: every dx-th pixel of every dy-th row, from
// the pixel at x, y.
type grid struct{ x, y, dx, dy int }

var (
	wholeGrid = []grid{{0, 0, 1, 1}}
	adam7     = []grid{{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4}, {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}}
)

// fill reads all pixels and places those of the band.
func (t *rotation) fill(b *band) error {
	file := t.packed()
	z, err := zlib.NewReader(file)
	if err != nil {
		return cmp.Or(file.err, errDamaged)
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
				return cmp.Or(file.err, errDamaged)
			}
			if !unfilter(row[0], row[1:], before[1:], step) {
				return errDamaged
			}
			t.place(b, row[1:], g, g.y+i*g.dy, n)
			row, before = before, row
		}
	}
	// The checksum follows the last row. Surplus pixels are ignored.
	if _, err := z.Read(make([]byte, 1)); errors.Is(err, zlib.ErrChecksum) {
		return errDamaged
	}
	return nil
}

// steps is how many of the pixels a grid has that takes every every-th.
func steps(pixels, every int) int { return max(0, (pixels+every-1)/every) }

// place puts the n pixels of a row of a grid where they belong in the result.
func (t *rotation) place(b *band, row []byte, g grid, y, n int) {
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

// put copies pixel i of row, which has so many bits, to pixel at of to, which is clear.
func put(to []byte, at int, row []byte, i, bits int) {
	if size := bits / 8; size > 0 {
		copy(to[at*size:at*size+size], row[i*size:])
		return
	}
	each := 8 / bits
	value := row[i/each] >> (8 - bits - i%each*bits) & (1<<bits - 1)
	to[at/each] |= value << (8 - bits - at%each*bits)
}
