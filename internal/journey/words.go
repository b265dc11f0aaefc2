package journey

import "strings"

// upperWords returns the words of s in capitals, with sep between them: a space or
// nothing.
func upperWords(s, sep string) string {
	if areUpperWords(s, sep) {
		return s // most are, and each fact has several
	}
	return strings.ToUpper(strings.Join(strings.Fields(s), sep))
}

// areUpperWords reports whether s is what upperWords would return. It may be false for
// text beyond ASCII.
func areUpperWords(s, sep string) bool {
	separable := false // the last byte ends a word, after which sep can stand
	for i := range len(s) {
		switch c := s[i]; {
		case c == ' ' && sep == " " && separable:
			separable = false
		case c <= ' ' || c >= 0x7f || 'a' <= c && c <= 'z':
			return false
		default:
			separable = true
		}
	}
	return separable || s == ""
}
