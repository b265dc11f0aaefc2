// Package jsontext writes JSON strings. It exists so that stored documents
// (internal/record) and answers (jsonapi) are escaped by one piece of code.
package jsontext

import "unicode/utf8"

// AppendString appends s as a JSON string, equal to what encoding/json writes
// with SetEscapeHTML(false): broken UTF-8 becomes U+FFFD, and U+2028 and U+2029
// are escaped.
func AppendString[T string | []byte](dst []byte, s T) []byte {
	dst = append(dst, '"')
	dst = AppendEscaped(dst, s)
	return append(dst, '"')
}

const lowerHex = "0123456789abcdef"

// AppendEscaped is AppendString without the quotation marks.
func AppendEscaped[T string | []byte](dst []byte, s T) []byte {
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' && c < utf8.RuneSelf {
			i++
			continue
		}
		if c < utf8.RuneSelf {
			dst = append(dst, s[start:i]...)
			switch c {
			case '"', '\\':
				dst = append(dst, '\\', c)
			case '\b':
				dst = append(dst, `\b`...)
			case '\f':
				dst = append(dst, `\f`...)
			case '\n':
				dst = append(dst, `\n`...)
			case '\r':
				dst = append(dst, `\r`...)
			case '\t':
				dst = append(dst, `\t`...)
			default:
				dst = append(dst, `\u00`...)
				dst = append(dst, lowerHex[c>>4], lowerHex[c&15])
			}
			i++
			start = i
			continue
		}
		// At most one rune is converted, so this does not copy s.
		r, n := utf8.DecodeRuneInString(string(s[i:min(i+utf8.UTFMax, len(s))]))
		switch {
		case r == utf8.RuneError && n == 1:
			dst = append(dst, s[start:i]...)
			dst = append(dst, `\ufffd`...)
		case r == '\u2028' || r == '\u2029':
			dst = append(dst, s[start:i]...)
			dst = append(dst, `\u202`...)
			dst = append(dst, lowerHex[r&15])
		default:
			i += n
			continue
		}
		i += n
		start = i
	}
	return append(dst, s[start:]...)
}
