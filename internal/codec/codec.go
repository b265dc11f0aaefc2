// Package codec writes values one after another in a short binary form, and reads them.
// The form has no names and no types: who reads must know what was written.
package codec

import (
	"encoding/binary"
	"math"
	"time"
)

// Writer appends values to Bytes. Texts and lists begin with their length.
type Writer struct{ Bytes []byte }

// ID is one byte for none.
func (w *Writer) ID(id [16]byte) {
	if id == [16]byte{} {
		w.Count(0)
		return
	}
	w.Text(string(id[:]))
}

// Count writes a length or a number.
func (w *Writer) Count(n int) { w.Bytes = binary.AppendUvarint(w.Bytes, uint64(n)) }

// Text writes texts.
func (w *Writer) Text(values ...string) {
	for _, v := range values {
		w.Count(len(v))
		w.Bytes = append(w.Bytes, v...)
	}
}

// List writes a list of texts.
func (w *Writer) List(values []string) {
	w.Count(len(values))
	w.Text(values...)
}

// Flag writes one byte.
func (w *Writer) Flag(b bool) {
	n := 0
	if b {
		n = 1
	}
	w.Count(n)
}

// Number is one byte where nothing is said, as mostly.
func (w *Writer) Number(f float64) {
	w.Flag(f != 0)
	if f != 0 {
		w.Bytes = binary.BigEndian.AppendUint64(w.Bytes, math.Float64bits(f))
	}
}

// Time writes an instant.
func (w *Writer) Time(t time.Time) {
	w.Flag(!t.IsZero())
	if !t.IsZero() {
		w.Bytes = binary.AppendVarint(w.Bytes, t.Unix())
		w.Count(t.Nanosecond())
	}
}

// Reader reads from the front of Rest. After a fault it is bad, and returns
// zero values.
type Reader struct {
	Rest string
	Bad  bool
}

// Count reads a length or a flag. Nothing is longer than what is left.
func (r *Reader) Count() int {
	n := r.uvarint()
	if n > uint64(len(r.Rest)) {
		r.Fail()
		return 0
	}
	return int(n)
}

func (r *Reader) uvarint() (n uint64) {
	for shift := 0; shift < 64 && r.Rest != ""; shift += 7 {
		c := r.Rest[0]
		r.Rest = r.Rest[1:]
		n |= uint64(c&0x7f) << shift
		if c < 0x80 {
			return n
		}
	}
	r.Fail()
	return 0
}

// Fail notes that the bytes are not what was expected.
func (r *Reader) Fail() { r.Rest, r.Bad = "", true }

// Text reads what Writer.Text wrote.
func (r *Reader) Text() string {
	n := r.Count()
	text := r.Rest[:n]
	r.Rest = r.Rest[n:]
	return text
}

// ID reads what Writer.ID wrote.
func (r *Reader) ID() (id [16]byte) {
	if n := copy(id[:], r.Text()); n != 0 && n != len(id) {
		r.Fail()
	}
	return id
}

// List reads what Writer.List wrote; none is nil.
func (r *Reader) List() []string {
	list := Make[string](r)
	for i := range list {
		list[i] = r.Text()
	}
	return list
}

// Make reads the length of a list, and makes it; none is nil. A function that reads the
// members as an argument would cost an allocation for each reader.
func Make[T any](r *Reader) []T {
	n := r.Count()
	if n == 0 {
		return nil
	}
	return make([]T, n)
}

// Flag reads what Writer.Flag wrote.
func (r *Reader) Flag() bool { return r.uvarint() == 1 }

// Number reads what Writer.Number wrote.
func (r *Reader) Number() float64 {
	if !r.Flag() {
		return 0
	}
	if len(r.Rest) < 8 {
		r.Fail()
		return 0
	}
	bits := binary.BigEndian.Uint64([]byte(r.Rest[:8]))
	r.Rest = r.Rest[8:]
	return math.Float64frombits(bits)
}

// Time reads what Writer.Time wrote, in UTC.
func (r *Reader) Time() time.Time {
	if !r.Flag() {
		return time.Time{}
	}
	zigzag := r.uvarint()
	seconds := int64(zigzag>>1) ^ -int64(zigzag&1)
	return time.Unix(seconds, int64(r.uvarint())).UTC()
}
