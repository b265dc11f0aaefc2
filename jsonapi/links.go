package jsonapi

import (
	"strconv"
	"strings"
)

// Links is the links member of a document. Empty links are omitted, because some
// clients fail on null links.
type Links struct {
	Self, Current, First, Prev, Next, Last string
}

// PageLinks returns the links of one page of a list of total records. base is the
// absolute URL of the list without a query. rawQuery is the query of the request; its
// other parameters are kept in order, before those of the page. Brackets in names
// stay literal; everything else is percent-encoded as needed.
//
// Page 1 exists even if the list is empty. Beyond the end, Prev is the last page.
func PageLinks(base, rawQuery string, number, size, total int) Links {
	number, size = max(number, 1), max(size, 1)
	last := 1
	if total > 0 {
		last = (total-1)/size + 1
	}
	// All links are substrings of one string, which is a single allocation.
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

// SelfLink returns base with the query of the request, encoded as in PageLinks.
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

// appendQuery appends rawQuery in canonical form: without empty parts, and with
// literal brackets in names. Invalid escapes are escaped literally, so the result is
// always a valid query.
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
	switch rawName { // the usual forms
	case "page[number]", "page[size]", "page%5Bnumber%5D", "page%5Bsize%5D":
		return true
	}
	name, _ := unescape(rawName)
	return name == "page[number]" || name == "page[size]"
}

// appendEscaped appends s, which may already be escaped, escaped exactly once.
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

// plainInQuery reports whether RFC 3986 allows c in a query and form encoding gives
// it no meaning.
func plainInQuery(c byte) bool {
	switch {
	case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', isDigit(c):
		return true
	}
	return strings.IndexByte("-._~,:/@*", c) >= 0
}
