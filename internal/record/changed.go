package record

import "bytes"

// ChangedMembers returns the names of the relationships and attributes in which two
// documents of one type differ, in the order of the documents. It returns nil for text
// that is no document.
func ChangedMembers(before, after []byte) []string {
	var changed []string
	for _, section := range []string{"relationships", "attributes"} {
		old, now := sectionOf(before, section), sectionOf(after, section)
		for {
			name, value, more := now.next()
			if !more {
				break
			}
			was, known := old.valueOf(name)
			if !known || !bytes.Equal(was, value) {
				changed = append(changed, string(name))
			}
		}
	}
	return changed
}

// sectionScanner reads the members of one object within a document.
type sectionScanner struct {
	scanner
	begin   int  // of the members
	started bool // the first member has been read
}

// sectionOf returns a scanner of an object; one without members if there is none.
func sectionOf(doc []byte, name string) *sectionScanner {
	s := &sectionScanner{scanner: scanner{b: doc}}
	if found, err := s.find(name); err != nil || !found || s.scanner.open('{') != nil {
		return &sectionScanner{scanner: scanner{b: []byte("}")}}
	}
	s.begin = s.i
	return s
}

// next reads the next member.
func (s *sectionScanner) next() (name, value []byte, more bool) {
	name, more, err := s.member(!s.started)
	s.started = true
	if err != nil || !more {
		return nil, nil, false
	}
	value, err = s.extent()
	return name, value, err == nil
}

// valueOf returns the value of a member. Members are asked for in the order of the
// documents, so it is usually the next one.
func (s *sectionScanner) valueOf(name []byte) ([]byte, bool) {
	at := *s
	if next, value, more := s.next(); more && bytes.Equal(next, name) {
		return value, true
	}
	*s = at
	all := sectionScanner{scanner: scanner{b: s.b, i: s.begin}, begin: s.begin}
	for {
		next, value, more := all.next()
		if !more {
			return nil, false
		}
		if bytes.Equal(next, name) {
			*s = all
			return value, true
		}
	}
}
