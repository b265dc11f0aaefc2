package record

import "slices"

// AppendAttributes appends doc to dst with the attributes of another document behind its own.
// It shows values that are not stored with the record. What is no document, or has no
// attributes, is appended as it is. dst must not overlap doc.
func AppendAttributes(dst, doc, from []byte) []byte {
	begin, end, ok := attributesOf(from)
	if !ok || begin == end {
		return append(dst, doc...)
	}
	first, last, ok := attributesOf(doc)
	if !ok {
		return append(dst, doc...)
	}
	dst = slices.Grow(dst, len(doc)+end-begin+1)
	dst = append(dst, doc[:last]...)
	if first != last {
		dst = append(dst, ',')
	}
	dst = append(dst, from[begin:end]...)
	return append(dst, doc[last:]...)
}

// attributesOf returns the extent of the members of a document's attributes.
func attributesOf(doc []byte) (begin, end int, ok bool) {
	s := scanner{b: doc}
	found, err := s.find("attributes")
	if err != nil || !found {
		return 0, 0, false
	}
	begin = s.i
	if s.skip() != nil || s.i-begin < 2 || doc[begin] != '{' {
		return 0, 0, false
	}
	return begin + 1, s.i - 1, true
}
