package jsonapi

import (
	"errors"
	"strings"
)

// The media types that are read and written.
const (
	MediaType = "application/vnd.api+json"
	JSON      = "application/json"
)

// ErrMediaType: the request's Content-Type is neither of the two media types.
// A server answers 415.
var ErrMediaType = errors.New("jsonapi: unsupported media type")

// RequestType judges the Content-Type of a request with a body: nil for JSON
// and MediaType, in any letter case, whatever parameters follow; ErrMediaType
// for any other. An absent header is nil too: RFC 9110 lets the receiver guess,
// and nothing but JSON could be meant.
func RequestType(header string) error {
	kind, _, _ := strings.Cut(header, ";")
	kind = strings.Trim(kind, " \t")
	if kind == "" && strings.Trim(header, " \t") == "" ||
		strings.EqualFold(kind, JSON) || strings.EqualFold(kind, MediaType) {
		return nil
	}
	return ErrMediaType
}

// ResponseType chooses the Content-Type of a response from the lines of the
// Accept header: MediaType when they name it, unless with a weight of zero, and
// JSON in all other cases, so that there is no 406. Wildcards name nothing.
// Other weights and parameters do not count: a client that names the type
// understands it. Send Vary: Accept with either.
func ResponseType(accept ...string) string {
	for _, line := range accept {
		for line != "" {
			var item string
			item, line = cutQuoted(line, ',')
			kind, params := cutQuoted(item, ';')
			if strings.EqualFold(strings.Trim(kind, " \t"), MediaType) && !excluded(params) {
				return MediaType
			}
		}
	}
	return JSON
}

// excluded reports whether the parameters of a media range hold a weight of
// zero: 0, 0.0, 0.00 ... A weight that cannot be read excludes nothing.
func excluded(params string) bool {
	for params != "" {
		var p string
		p, params = cutQuoted(params, ';')
		name, value, _ := strings.Cut(p, "=")
		if !strings.EqualFold(strings.Trim(name, " \t"), "q") {
			continue
		}
		rest, ok := strings.CutPrefix(strings.Trim(value, " \t"), "0")
		return ok && (rest == "" || rest[0] == '.' && strings.Trim(rest[1:], "0") == "")
	}
	return false
}

// cutQuoted cuts s at the first sep that is not within a quoted string.
func cutQuoted(s string, sep byte) (before, after string) {
	quoted := false
	for i := 0; i < len(s); i++ {
		switch {
		case quoted && s[i] == '\\':
			i++
		case s[i] == '"':
			quoted = !quoted
		case s[i] == sep && !quoted:
			return s[:i], s[i+1:]
		}
	}
	return s, ""
}
