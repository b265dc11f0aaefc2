package httpserver

import (
	"fmt"
	"strings"
)

// origin is a scheme and a host, as URLs begin with them. The host is empty if it is
// not known; then links have no scheme either.
type origin struct{ scheme, host string } // scheme with "://"

// parseOrigin reads Config.PublicURL.
func parseOrigin(s string) (origin, error) {
	scheme, host, _ := strings.Cut(strings.TrimSuffix(s, "/"), "://")
	if scheme != "http" && scheme != "https" || !isHost(host) {
		return origin{}, fmt.Errorf("httpserver: Config.PublicURL %q must be a scheme and a host, such as https://tracking.example.com", s)
	}
	return origin{scheme + "://", host}, nil
}

// origin returns what clients use: the configured PublicURL, else what a trusted proxy
// forwards, else what the request has.
func (req *request) origin() origin {
	if req.public.host != "" {
		return req.public
	}
	o := origin{"http://", req.r.Host}
	if req.r.TLS != nil {
		o.scheme = "https://"
	}
	if !req.proxies.trusts(req.r) {
		return o
	}
	switch sent := firstElement(req.r.Header.Get("X-Forwarded-Proto")); {
	case strings.EqualFold(sent, "https"):
		o.scheme = "https://"
	case strings.EqualFold(sent, "http"):
		o.scheme = "http://"
	}
	if sent := firstElement(req.r.Header.Get("X-Forwarded-Host")); isHost(sent) {
		o.host = sent
	}
	return o
}

// firstElement returns the first element of a list: each proxy appends to it.
func firstElement(list string) string {
	first, _, _ := strings.Cut(list, ",")
	return strings.TrimSpace(first)
}

// isHost reports whether a text is a host, with or without a port.
func isHost(s string) bool {
	for i := range len(s) {
		c := s[i]
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', strings.IndexByte("-._:[]", c) >= 0:
		default:
			return false
		}
	}
	return s != ""
}
