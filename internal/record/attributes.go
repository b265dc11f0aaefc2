package record

import "slices"

// AppendAttributes appends doc to dst with the attributes of other documents behind its own.
// It shows values that are not stored with the record. What is no document, or has no
// attributes, is appended as it is; what is none of the others adds nothing. dst must not
// overlap doc.
func AppendAttributes(dst, doc []byte, from ...[]byte) []byte {
	first, last, ok := attributesOf(doc)
	if !ok {
		return append(dst, doc...)
	}
	size := len(doc)
	for _, other := range from {
		size += len(other)
	}
	dst = slices.Grow(dst, size)
	dst = append(dst, doc[:last]...)
	empty := first == last
	for _, other := range from {
		begin, end, ok := attributesOf(other)
		if !ok || begin == end {
			continue
		}
		if !empty {
			dst = append(dst, ',')
		}
		dst, empty = append(dst, other[begin:end]...), false
	}
	return append(dst, doc[last:]...)
}

// Attributes returns the members of a document's attributes, as a part of doc; nil for what is
// no document or has none.
func Attributes(doc []byte) []byte {
	begin, end, ok := attributesOf(doc)
	if !ok || begin == end {
		return nil
	}
	return doc[begin:end:end]
}

// attributesOf returns the extent of the members of a document's attributes, which are its last
// member: their end is that of the document, so they are not read.
func attributesOf(doc []byte) (begin, end int, ok bool) {
	s := scanner{b: doc}
	if found, err := s.find("attributes"); err != nil || !found {
		return 0, 0, false
	}
	begin, end = s.i+1, len(doc)-len("}}")
	if end < begin || doc[s.i] != '{' || string(doc[end:]) != "}}" {
		return 0, 0, false
	}
	return begin, end, true
}
