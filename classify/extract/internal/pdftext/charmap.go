package pdftext

import (
	"unicode/utf16"

	"github.com/ledongthuc/pdf"
)

// charMap is a ToUnicode map of a font with codes of two bytes. The parser's own gets
// ranges wrong that are longer than 256.
type charMap struct {
	single map[int]string
	ranges []codeRange
}

type codeRange struct {
	low, high int
	to        []uint16 // of low; its last unit counts up
}

// newCharMap reads the map of a font; nil when it has none.
func newCharMap(font pdf.Value) *charMap {
	program := font.Key("ToUnicode")
	if program.Kind() != pdf.Stream {
		return nil
	}
	m := &charMap{single: map[int]string{}}
	pdf.Interpret(program, func(stack *pdf.Stack, op string) {
		args := make([]pdf.Value, stack.Len())
		for i := len(args) - 1; i >= 0; i-- {
			args[i] = stack.Pop()
		}
		switch op {
		case "findresource":
			stack.Push(font) // any dictionary will do for the map to begin with
		case "endbfchar":
			for ; len(args) >= 2; args = args[2:] {
				m.single[codeOf(args[0])] = string(utf16.Decode(unitsOf(args[1])))
			}
		case "endbfrange":
			for ; len(args) >= 3; args = args[3:] {
				m.add(codeOf(args[0]), codeOf(args[1]), args[2])
			}
		}
	})
	if len(m.single)+len(m.ranges) == 0 {
		return nil
	}
	return m
}

func (m *charMap) add(low, high int, to pdf.Value) {
	if to.Kind() == pdf.Array {
		for i := range min(to.Len(), high-low+1) {
			m.single[low+i] = string(utf16.Decode(unitsOf(to.Index(i))))
		}
		return
	}
	if units := unitsOf(to); len(units) > 0 {
		m.ranges = append(m.ranges, codeRange{low, high, units})
	}
}

func (m *charMap) text(code int) string {
	if s, ok := m.single[code]; ok {
		return s
	}
	for _, r := range m.ranges {
		if r.low <= code && code <= r.high {
			units := append([]uint16{}, r.to...)
			units[len(units)-1] += uint16(code - r.low)
			return string(utf16.Decode(units))
		}
	}
	return ""
}

func codeOf(v pdf.Value) (code int) {
	for _, b := range []byte(v.RawString()) {
		code = code<<8 | int(b)
	}
	return code & 0xFFFF
}

func unitsOf(v pdf.Value) []uint16 {
	s := v.RawString()
	var units []uint16
	for i := 0; i+1 < len(s); i += 2 {
		units = append(units, uint16(s[i])<<8|uint16(s[i+1]))
	}
	return units
}
