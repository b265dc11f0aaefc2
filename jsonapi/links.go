package jsonapi

import (
	"strconv"
	"strings"
)

// Links is the links member of a document. An empty one is left out: clients
// break on links that are null.
type Links struct {
	Self, Current, First, Prev, Next, Last string
}

// PageLinks returns the links of one page of a list of total records. base is
// the absolute URL of the list without its query; rawQuery is the query of the
// request, whose other parameters are kept in their order, before the page.
// Brackets in names stay literal, everything else is percent-encoded as needed.
//
// Page 1 exists even when nothing matches. Past the end, Prev leads back to the
// last page.
func PageLinks(base, rawQuery string, number, size, total int) Links {
	number, size = max(number, 1), max(size, 1)
	last := 1
	if total > 0 {
		last = (total-1)/size + 1
	}
	// All links are cut from one string: a page of links is one allocation.
	var one [512]byte
	head := append(one[:0], base...)
	head = append(head, '?')
	head = appendQuery(head, rawQuery, true)
	if head[len(head)-1] != '?' {
		head = append(head, '&')
	}
	head = append(head, "page[number]="...)
	var b strings.Builder
	b.Grow(5 * (len(head) + 2*20 + len("&page[size]=")))
	link := func(n int) string {
		start := b.Len()
		var digits [20]byte
		b.Write(head)
		b.Write(strconv.AppendInt(digits[:0], int64(n), 10))
		b.WriteString("&page[size]=")
		b.Write(strconv.AppendInt(digits[:0], int64(size), 10))
		return b.String()[start:]
	}
	l := Links{Self: link(number), First: link(1)}
	l.Current = l.Self
	if number > 1 {
		l.Prev = link(min(number-1, last))
	}
	if number < last {
		l.Next = link(number + 1)
	}
	l.Last = link(last)
	return l
}

// SelfLink returns base with the query of the request, encoded as PageLinks
// does.
func SelfLink(base, rawQuery string) string {
	if rawQuery == "" {
		return base
	}
	b := append(make([]byte, 0, len(base)+1+len(rawQuery)+16), base...)
	b = append(b, '?')
	b = appendQuery(b, rawQuery, false)
	if b[len(b)-1] == '?' {
		b = b[:len(b)-1]
	}
	return string(b)
}

// appendQuery appends rawQuery in one spelling: empty parts dropped, names with
// literal brackets. What cannot be decoded is encoded as it stands, so that the
// result is always a valid query.
func appendQuery(b []byte, rawQuery string, dropPage bool) []byte {
	first := true
	for len(rawQuery) > 0 {
		var part string
		part, rawQuery, _ = strings.Cut(rawQuery, "&")
		name, value, equals := strings.Cut(part, "=")
		if part == "" || dropPage && isPage(name) {
			continue
		}
		if !first {
			b = append(b, '&')
		}
		first = false
		b = appendEscaped(b, name, true)
		if equals {
			b = append(b, '=')
			b = appendEscaped(b, value, false)
		}
	}
	return b
}

func isPage(rawName string) bool {
	if !strings.HasPrefix(rawName, "p") && !strings.HasPrefix(rawName, "%") {
		return false
	}
	switch rawName { // as they are nearly always spelled
	case "page[number]", "page[size]", "page%5Bnumber%5D", "page%5Bsize%5D":
		return true
	}
	name, _ := unescape(rawName)
	return name == "page[number]" || name == "page[size]"
}

// appendEscaped appends s, which may be escaped already, escaped once.
func appendEscaped(b []byte, s string, brackets bool) []byte {
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch c {
		case '+':
			c = ' '
		case '%':
			if p, ok := percent(s[i:]); ok {
				c = p
				i += 2
			}
		}
		if plainInQuery(c) || brackets && (c == '[' || c == ']') {
			b = append(b, c)
			continue
		}
		b = append(b, '%', upperHex[c>>4], upperHex[c&15])
	}
	return b
}

const upperHex = "0123456789ABCDEF"

// plainInQuery tells the characters that RFC 3986 allows in a query and that
// mean nothing in a form-encoded one.
func plainInQuery(c byte) bool {
	switch {
	case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', isDigit(c):
		return true
	}
	return strings.IndexByte("-._~,:/@*", c) >= 0
}
