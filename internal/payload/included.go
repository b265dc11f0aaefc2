package payload

import (
	"bytes"
	"compress/flate"
	"io"
	"sync"
)

const (
	// maxSize is the largest body; the included documents of a larger one are omitted.
	maxSize = 256 << 10
	// minDeflate is the size from which documents are deflated.
	minDeflate = 1 << 10
)

// Included are the included documents as they are stored with an event.
type Included struct {
	Bytes    []byte
	Deflated bool
	// Omitted: there were too many.
	Omitted bool
}

// Pack returns the stored form of a JSON array of documents; nil stands for more than can
// be included. n is a notification of the event: the sizes of all are equal.
func (n *Notification) Pack(documents []byte) Included {
	switch {
	case documents == nil, len(documents) >= maxSize/2 && len(n.Render(nil))+len(documents) > maxSize:
		return Included{Bytes: []byte("[]"), Omitted: true}
	case len(documents) < minDeflate:
		return Included{Bytes: documents}
	}
	return Included{Bytes: deflate(documents), Deflated: true}
}

var deflaters = sync.Pool{New: func() any {
	w, err := flate.NewWriter(nil, flate.BestSpeed)
	if err != nil {
		panic(err) // the level is valid
	}
	return w
}}

func deflate(b []byte) []byte {
	var to bytes.Buffer
	to.Grow(len(b) / 2)
	w := deflaters.Get().(*flate.Writer)
	defer deflaters.Put(w)
	w.Reset(&to)
	_, _ = w.Write(b) // to memory
	_ = w.Close()
	return to.Bytes()
}

var inflaters = sync.Pool{New: func() any { return flate.NewReader(nil) }}

// Inflate returns the documents that Pack has deflated.
func Inflate(b []byte) ([]byte, error) {
	r := inflaters.Get().(io.ReadCloser)
	defer inflaters.Put(r)
	if err := r.(flate.Resetter).Reset(bytes.NewReader(b), nil); err != nil {
		return nil, err
	}
	var to bytes.Buffer
	to.Grow(4 * len(b))
	_, err := to.ReadFrom(io.LimitReader(r, maxSize+1))
	return to.Bytes(), err
}
