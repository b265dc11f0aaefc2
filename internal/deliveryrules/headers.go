package deliveryrules

import (
	"fmt"
	"slices"
	"strings"
)

// The limits of the headers of a webhook.
const (
	MaxHeaders     = 20
	maxHeaderName  = 64
	maxHeaderValue = 1_024
)

// reservedHeaders are set by the sender or have a meaning for proxies. Names are in
// lower case; one that ends in - stands for all names with that prefix.
var reservedHeaders = []string{
	"host", "content-length", "content-type", "content-encoding", "http2-settings", "transfer-encoding", "connection", "keep-alive",
	"te", "trailer", "upgrade", "expect", "date", "user-agent", "accept-encoding", "x-t49-webhook-signature",
	"webhook-", "proxy-",
}

// HeaderFault is why a header cannot be sent.
type HeaderFault struct {
	Part   string // name or value
	Code   string
	Detail string // a sentence
}

// CheckHeader returns why a header cannot be sent. seen has the names before it, in lower
// case; CheckHeader adds this one.
func CheckHeader(name, value string, seen map[string]bool) (faults []HeaderFault) {
	fault := func(part, code, format string, args ...any) {
		faults = append(faults, HeaderFault{part, code, fmt.Sprintf(format, args...)})
	}
	lower := strings.ToLower(name)
	switch {
	case name == "":
		fault("name", "blank", "Name can't be blank")
	case len(name) > maxHeaderName:
		fault("name", "too_long", "Name is longer than %d characters", maxHeaderName)
	case strings.ContainsFunc(name, isNotToken):
		fault("name", "invalid", "Name may contain letters, digits and !#$%%&'*+-.^_`|~ only")
	case isReservedHeader(lower):
		fault("name", "exclusion", "'%s' is set by the sender", name)
	case seen[lower]:
		fault("name", "taken", "'%s' is named more than once", name)
	}
	seen[lower] = true
	switch {
	case len(value) > maxHeaderValue:
		fault("value", "too_long", "Value is longer than %d characters", maxHeaderValue)
	case strings.ContainsFunc(value, isNotVisible) || strings.TrimSpace(value) != value:
		fault("value", "invalid", "Value may contain printable ASCII only, without blanks at its ends")
	}
	return faults
}

func isReservedHeader(name string) bool {
	return slices.ContainsFunc(reservedHeaders, func(r string) bool {
		return name == r || strings.HasSuffix(r, "-") && strings.HasPrefix(name, r)
	})
}

// isNotToken: not a character of a token (RFC 9110, section 5.6.2).
func isNotToken(r rune) bool {
	switch {
	case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9':
		return false
	}
	return !strings.ContainsRune("!#$%&'*+-.^_`|~", r)
}

func isNotVisible(r rune) bool { return r < ' ' || r > '~' }
