package record

import (
	"slices"
	"time"
)

// SetTime returns doc with an attribute that shows a time set to t, as it would
// have been rendered. What is no document, or has no such attribute, is returned
// as it is. It may write into doc.
func SetTime(doc []byte, attribute string, t time.Time) []byte {
	s := scanner{b: doc}
	for _, name := range []string{"attributes", attribute} {
		if found, err := s.find(name); err != nil || !found {
			return doc
		}
	}
	from := s.i
	if s.skip() != nil {
		return doc
	}
	shown := AppendTime(make([]byte, 0, len(time.RFC3339)+2), t)
	if len(shown) == s.i-from {
		copy(doc[from:], shown)
		return doc
	}
	return slices.Concat(doc[:from], shown, doc[s.i:])
}
