package refdata

import "strings"

// formTable has the known forms of the transport document numbers of each line. In
// a form, a is a letter, 9 a digit and x either; capital letters are literal. The
// forms in bare are used with and without a prefix of the line, those in prefixed
// only after one.
//
// Carriers change their forms without notice, so a number of another form may be
// valid.
var formTable = []struct{ scac, bare, prefixed string }{
	{"ACLU", "SA99999999 S999999999", ""},
	{"ANNU", "aaa9999999", ""},
	{"APLU", "aaa9999999", ""},
	{"ARKU", "aaa999999999", ""},
	{"CKLU", "", "aaa9999999"},
	{"CLAM", "CAT999999", "aaaa9a999999"},
	{"CMDU", "aaa9999999", "aaaa999999"},
	{"COSU", "9999999999", ""},
	{"DJLU", "", "aaa999999999"},
	{"EGLV", "999999999999", ""},
	{"GOSU", "", "aaa9999999"},
	{"HALU", "", "a99999999999"},
	{"HDMU", "aaaa99999999", "aaaa9999999 aaaaaa999999"},
	{"HDUJ", "", "aaa99aa99999"},
	{"HLCU", "", "aaxxxxxxxxxx"},
	{"IAAU", "a99aa99999", ""},
	{"KMTU", "aaa9999999 aaaa999999", ""},
	{"MAEU", "999999999", ""},
	{"MATS", "9999999999", ""},
	{"MSCU", "EBKG99999999", "xx999999 aaa99999"},
	{"NSRU", "", "aaaaa9999999"},
	// The first letter is the code of an office.
	{"ONEY", "aaaa99999999 aaa999999999 axxxxx999999", ""},
	{"OOLU", "9999999999", ""},
	{"PCLU", "", "aaa99999999"},
	{"PCSL", "", "aaaaa99x9999"},
	{"POBU", "", "aaa999999999"},
	{"SITU", "", "aaaa999999 aaaaa999999 aaa999a999 aaa999999a"},
	{"SKLU", "", "99x999999999"},
	{"SMLM", "", "aaaa99999999"},
	{"SUDU", "9aaa999999", "xxxxxxxxxxxx"},
	{"TSHG", "", "aaa99999999"},
	{"WHLC", "", "999a999999"},
	{"YMLU", "a999999999", ""},
	{"ZIMU", "", "aaa9999 aaa99999 aaa999999 aaa9999999 aaa99999999 aaa999999999"},
}

// NumberFits reports whether the part of a transport document number after the
// line's prefix has a known form of the line. scac is the primary one. Letter case
// and surrounding space do not matter.
func NumberFits(scac, rest string) bool {
	rest = normalize(rest)
	for _, f := range formTable {
		if f.scac == scac {
			return fitsAny(rest, f.bare) || fitsAny(rest, f.prefixed)
		}
	}
	return false
}

// LinesByForm returns the lines whose numbers can have this form without a prefix,
// sorted by SCAC. If there is more than one, the number does not identify the line.
func LinesByForm(number string) []Line {
	number = normalize(number)
	var found []Line
	for _, f := range formTable {
		if !fitsAny(number, f.bare) {
			continue
		}
		if line, ok := LineBySCAC(f.scac); ok {
			found = append(found, line)
		}
	}
	return found
}

func fitsAny(s, pictures string) bool {
	for picture := range strings.FieldsSeq(pictures) {
		if fits(s, picture) {
			return true
		}
	}
	return false
}

func fits(s, picture string) bool {
	if len(s) != len(picture) {
		return false
	}
	for i := range len(s) {
		letter, digit := s[i] >= 'A' && s[i] <= 'Z', s[i] >= '0' && s[i] <= '9'
		switch picture[i] {
		case 'a':
			if !letter {
				return false
			}
		case '9':
			if !digit {
				return false
			}
		case 'x':
			if !letter && !digit {
				return false
			}
		default:
			if s[i] != picture[i] {
				return false
			}
		}
	}
	return true
}
