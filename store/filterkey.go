package store

import (
	"encoding/binary"
	"fmt"
)

// maxFilterKey bounds the key of a filter, in bytes.
const maxFilterKey = 512

// AppendKey appends a key of the filter to b, by which a store can remember what it has
// counted: filters with the same key match the same records in the same order, but for
// Outdated and Match. ok is false if the key would be too large.
func (f Filter) AppendKey(b []byte) (key []byte, ok bool) {
	text := func(s string) {
		b = binary.AppendUvarint(b, uint64(len(s)))
		b = append(b, s...)
	}
	for _, c := range f.Where {
		text(c.Name)
		b = append(b, byte(c.Op))
		b = binary.AppendUvarint(b, uint64(len(c.Values)))
		for _, v := range c.Values {
			if len(b) > maxFilterKey {
				return nil, false
			}
			switch v := v.(type) {
			case string:
				b = append(b, 's')
				text(v)
			case ID:
				b = append(append(b, 'i'), v[:]...)
			default:
				b = append(b, 'v')
				text(fmt.Sprintf("%T %v", v, v))
			}
		}
	}
	for _, o := range f.Sort {
		text(o.Name)
		text(fmt.Sprint(o.Desc, o.Mark))
	}
	return b, len(b) <= maxFilterKey
}
