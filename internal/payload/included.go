package payload

import (
	"bytes"
	"compress/flate"
	_ "embed"
	"errors"
	"io"
	"slices"
	"sync"
)

const (
	// maxSize is the largest body; the included documents of a larger one are omitted.
	maxSize = 256 << 10
	// minDeflate is the size from which documents are deflated.
	minDeflate = 1 << 10
	// deflateLevel is the fastest one that looks for more than one earlier place.
	deflateLevel = flate.BestSpeed + 1
	// maxDictionary is the window of DEFLATE: what is further back cannot be referred to.
	maxDictionary = 32 << 10
)

// Dictionary1 is the number of the dictionary that documents are deflated with.
const Dictionary1 = 1

// dictionary1 has the documents of all resource types, with the values that most have and
// without IDs. What is stored refers to its bytes, so it never changes. Another one would get
// the number 2.
//
//go:embed dictionary1.txt
var dictionary1 []byte

// Included are the included documents as they are stored with an event.
type Included struct {
	Bytes    []byte
	Deflated bool
	// Dictionary is the number of the dictionary that they are deflated with; 0 for none.
	Dictionary int
	// Size is the length of the documents; 0 if it is not known.
	Size int
	// Omitted: there were too many.
	Omitted bool
}

// Pack returns the stored form of a JSON array of documents; nil stands for more than can
// be included. n is a notification of the event: the sizes of all are equal. base is what
// Base returns for documents that are known when they are read; nil for none.
func (n *Notification) Pack(documents, base []byte) Included {
	switch {
	case documents == nil, len(documents) >= maxSize/2 && len(n.Render(nil))+len(documents) > maxSize:
		return Included{Bytes: []byte("[]"), Omitted: true}
	case len(documents) < minDeflate:
		return Included{Bytes: documents}
	}
	return Included{Bytes: deflate(documents, orDictionary1(base)), Deflated: true, Dictionary: Dictionary1, Size: len(documents)}
}

// Base returns the dictionary for documents that have much in common with these.
func Base(documents []byte) []byte {
	if more := len(dictionary1) + len(documents) - maxDictionary; more > 0 {
		return slices.Concat(dictionary1, documents)[more:]
	}
	return slices.Concat(dictionary1, documents)
}

func orDictionary1(base []byte) []byte {
	if base == nil {
		return dictionary1
	}
	return base
}

// Append appends the documents to b. base is as for Pack.
func (p *Included) Append(b, base []byte) ([]byte, error) {
	switch {
	case !p.Deflated:
		return append(b, p.Bytes...), nil
	case p.Dictionary == 0:
		return inflate(b, p, nil)
	case p.Dictionary == Dictionary1:
		return inflate(b, p, orDictionary1(base))
	}
	return nil, errors.New("payload: the documents are deflated with the dictionary of a newer program")
}

// deflater deflates with a dictionary that differs from call to call: a flate.Writer
// has the same one always. What is written before start is not stored.
type deflater struct {
	*flate.Writer
	to      bytes.Buffer
	started bool
}

func (d *deflater) store(b []byte) (int, error) {
	if !d.started {
		return len(b), nil
	}
	return d.to.Write(b)
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(b []byte) (int, error) { return f(b) }

var deflaters = sync.Pool{New: func() any {
	d := new(deflater)
	var err error
	if d.Writer, err = flate.NewWriter(nil, deflateLevel); err != nil {
		panic(err) // the level is valid
	}
	return d
}}

func deflate(b, dictionary []byte) []byte {
	d := deflaters.Get().(*deflater)
	defer deflaters.Put(d)
	d.started = false
	d.to.Reset()
	d.Reset(writerFunc(d.store))
	_, _ = d.Write(dictionary) // to memory, as all that follows
	_ = d.Flush()
	d.started = true
	_, _ = d.Write(b)
	_ = d.Close()
	return bytes.Clone(d.to.Bytes())
}

type inflater struct {
	io.ReadCloser
	from bytes.Reader
}

var inflaters = sync.Pool{New: func() any { return &inflater{ReadCloser: flate.NewReader(nil)} }}

// inflate appends the documents that deflate has packed.
func inflate(b []byte, p *Included, dictionary []byte) ([]byte, error) {
	r := inflaters.Get().(*inflater)
	defer inflaters.Put(r)
	r.from.Reset(p.Bytes)
	if err := r.ReadCloser.(flate.Resetter).Reset(&r.from, dictionary); err != nil {
		return nil, err
	}
	b = slices.Grow(b, max(p.Size+1, 2*len(p.Bytes)))
	for end := len(b) + maxSize; len(b) <= end; {
		n, err := r.Read(b[len(b):cap(b)])
		if b = b[:len(b)+n]; err == io.EOF {
			return b, nil
		}
		if err != nil {
			return nil, err
		}
		if len(b) == cap(b) {
			b = slices.Grow(b, len(b))
		}
	}
	return nil, errors.New("payload: the documents are larger than any that are stored")
}
