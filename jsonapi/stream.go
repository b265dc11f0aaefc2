package jsonapi

import (
	"io"
	"sync"
)

// Visitor is called at the beginning of each value of an object or array. name is that of
// the member, and empty in an array. first is the first byte of the value, which tells its
// type. It returns what becomes of the value.
type Visitor func(name string, first byte) Visit

// Visit is what becomes of a value that is read from a stream. The zero Visit has it
// checked and forgotten.
type Visit struct {
	// Open visits the values in it, if it is an object or array.
	Open Visitor
	// Take is given its JSON when all of it has been read and checked. The bytes are valid
	// until Take returns.
	Take func(value []byte)
}

// CheckStream is Check of what r gives until io.EOF. It holds no more of it than the value
// that is being taken. visit is called for the document itself. Take is called before the
// rest of the document has been checked: what it was given counts only if CheckStream
// returns nil. r is read to its end, also after an error. An error of r comes before all
// others, except that of a document that is longer than limits.Bytes.
func CheckStream(r io.Reader, limits Limits, visit Visitor) error {
	limits = limits.withDefaults()
	buffer := streamBuffers.Get().(*[]byte)
	s := scanner{data: (*buffer)[:0], limits: limits, mark: -1, stream: &stream{from: r, left: limits.Bytes, root: visit, taken: -1}}
	err := s.run()
	for s.pos = len(s.data); s.stream.err == nil; s.pos = len(s.data) {
		s.stream.take, s.stream.taken, s.mark = nil, -1, -1
		s.fill()
	}
	if cap(s.data) <= maxPooledStream {
		*buffer = s.data[:0]
		streamBuffers.Put(buffer)
	}
	if s.stream.err != io.EOF {
		return s.stream.err
	}
	return err
}

const (
	streamBuffer    = 16 << 10
	maxPooledStream = 1 << 20
)

var streamBuffers = sync.Pool{New: func() any { b := make([]byte, 0, streamBuffer); return &b }}

// stream is what a scanner needs to read from a reader.
type stream struct {
	from    io.Reader
	err     error // the first of from; io.EOF at the end
	left    int   // bytes that the document may still have
	dropped int   // bytes before those that the scanner holds
	root    Visitor
	// take is called with the value from taken, when the stack has depth frames again;
	// nil while no value is being taken.
	take  func([]byte)
	taken int
	depth int
}

// atEnd reports whether the document ends here.
func (s *scanner) atEnd() bool { return s.pos == len(s.data) && !s.fill() }

// ahead tries to hold n bytes from here on.
func (s *scanner) ahead(n int) {
	for len(s.data)-s.pos < n && s.fill() {
	}
}

// offset is the place in the document.
func (s *scanner) offset() int {
	if s.stream == nil {
		return s.pos
	}
	return s.stream.dropped + s.pos
}

// fill reads more of the stream, and reports whether there was more. It forgets what
// comes before the value that is being taken, the name or number being read, and pos.
func (s *scanner) fill() bool {
	st := s.stream
	if st == nil || st.err != nil {
		return false
	}
	keep := s.pos
	if s.mark >= 0 {
		keep = min(keep, s.mark)
	}
	if st.take != nil {
		keep = min(keep, st.taken)
	}
	switch held := len(s.data) - keep; {
	case held > cap(s.data)/2:
		grown := make([]byte, held, 2*cap(s.data))
		copy(grown, s.data[keep:])
		s.data = grown
	case keep > 0:
		s.data = s.data[:copy(s.data, s.data[keep:])]
	}
	st.dropped += keep
	s.pos -= keep
	s.mark -= min(keep, s.mark+1) // -1 stays
	st.taken -= keep
	for st.err == nil {
		n, err := st.from.Read(s.data[len(s.data):cap(s.data)])
		s.data, st.err = s.data[:len(s.data)+n], err
		if st.left -= n; st.left < 0 {
			st.err = ErrTooLarge
		}
		if n > 0 {
			return true
		}
	}
	return false
}

// valueBegins asks the visitor of the container what becomes of the value that begins
// here, and returns the visitor of the values in it.
func (s *scanner) valueBegins() Visitor {
	st := s.stream
	if st.take != nil {
		return nil
	}
	visit, name := st.root, ""
	if len(s.stack) > 0 {
		top := s.stack[len(s.stack)-1]
		if visit = top.visit; top.object {
			name = s.names[len(s.names)-1]
		}
	}
	if visit == nil {
		return nil
	}
	v := visit(name, s.data[s.pos])
	if v.Take != nil {
		st.take, st.taken, st.depth = v.Take, s.pos, len(s.stack)
		return nil
	}
	return v.Open
}

// valueEnded gives away the value that ends here, if it is the one being taken.
func (s *scanner) valueEnded() {
	st := s.stream
	if st.take == nil || st.depth != len(s.stack) {
		return
	}
	take := st.take
	st.take = nil
	take(s.data[st.taken:s.pos:s.pos])
}
