// Package hostile generates hostile and broken files for tests of parsers.
package hostile

import (
	"bytes"
	"compress/zlib"
	"io"
	"slices"
	"strings"
)

// File is one hostile file.
type File struct {
	Name string
	// Make returns its content: the same bytes each time, and few, even if they decompress
	// to many.
	Make func() []byte
	// Endless: reading it only ends at a limit of time or memory.
	Endless bool
}

// Files returns all of them.
func Files() []File {
	return slices.Concat(documents(), resources(), catalogs(), crossReferences(), pictures(), workbooks(), letters(), messages(), webPages(), texts())
}

// bomb is the decompressed size of a bomb.
const bomb = 1 << 29

// noise is the same each time.
func noise(n int) []byte {
	b := make([]byte, n)
	x := uint32(2463534242)
	for i := range b {
		x ^= x << 13
		x ^= x >> 17
		x ^= x << 5
		b[i] = byte(x)
	}
	return b
}

func deflate(r io.Reader) []byte {
	var b bytes.Buffer
	w, err := zlib.NewWriterLevel(&b, zlib.BestSpeed)
	if err != nil {
		panic(err)
	}
	if _, err := io.Copy(w, r); err != nil {
		panic(err)
	}
	w.Close()
	return b.Bytes()
}

// repeat reads as a text again and again, to so many bytes.
func repeat(s string, n int64) io.Reader {
	return io.LimitReader(&again{text: strings.Repeat(s, 64<<10/len(s))}, n)
}

type again struct {
	text string
	at   int
}

func (a *again) Read(b []byte) (int, error) {
	n := copy(b, a.text[a.at:])
	a.at = (a.at + n) % len(a.text)
	return n, nil
}
