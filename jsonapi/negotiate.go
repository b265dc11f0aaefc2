package jsonapi

import (
	"errors"
	"strings"
)

// The supported media types.
const (
	MediaType = "application/vnd.api+json"
	JSON      = "application/json"
)

// ErrMediaType means that the Content-Type of the request is not supported. A server
// responds 415.
var ErrMediaType = errors.New("jsonapi: unsupported media type")

// RequestType checks the Content-Type of a request with a body. It returns nil for
// JSON and MediaType, in any letter case and with any parameters, and ErrMediaType
// for other types. An absent header is accepted as JSON: RFC 9110 allows the receiver
// to guess.
func RequestType(header string) error {
	kind, _, _ := strings.Cut(header, ";")
	kind = strings.Trim(kind, " \t")
	if kind == "" && strings.Trim(header, " \t") == "" ||
		strings.EqualFold(kind, JSON) || strings.EqualFold(kind, MediaType) {
		return nil
	}
	return ErrMediaType
}

// ResponseType chooses the Content-Type of a response by the Accept header. It
// returns MediaType if the header names it, else JSON, so there is no 406. Send
// Vary: Accept with the response.
func ResponseType(accept ...string) string {
	if Accepts(MediaType, accept...) {
		return MediaType
	}
	return JSON
}

// Accepts reports whether the Accept header names a media type with a weight other
// than zero. Wildcards do not name it. Other weights and parameters are ignored,
// because a client that names the type supports it.
func Accepts(mediaType string, accept ...string) bool {
	for _, line := range accept {
		for line != "" {
			var item string
			item, line = cutQuoted(line, ',')
			kind, params := cutQuoted(item, ';')
			if strings.EqualFold(strings.Trim(kind, " \t"), mediaType) && !excluded(params) {
				return true
			}
		}
	}
	return false
}

// excluded reports whether the parameters of a media range have a weight of zero: 0,
// 0.0, 0.00 ... An invalid weight excludes nothing.
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

// cutQuoted cuts s at the first sep outside a quoted string.
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
