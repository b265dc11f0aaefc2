package tracking

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// Limits of a webhook.
const (
	maxURL         = 2_048
	maxHeaders     = 20
	maxHeaderName  = 64
	maxHeaderValue = 1_024
)

func (t *Tracker) checkWebhook(w *Webhook) error {
	faults := slices.Concat(t.checkURL("url", w.URL), checkEvents(w.Events), checkHeaders(w.Headers))
	return Errors(faults).or()
}

// checkURL checks that a URL can be an endpoint.
func (t *Tracker) checkURL(field, text string) []*Error {
	fault := func(format string, args ...any) []*Error {
		return []*Error{invalid(field, "invalid", "%s %s", fieldLabel(field), fmt.Sprintf(format, args...))}
	}
	if err := checkText(field, text, maxURL); err != nil {
		return []*Error{err.(*Error)}
	}
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Opaque != "" || u.Hostname() == "":
		return fault("is not an absolute URL, such as https://example.com/hook")
	case len(text) > maxURL:
		return fault("is longer than %d bytes", maxURL)
	case u.User != nil:
		return fault("must not contain a user name or password; send them in a header")
	case u.Fragment != "" || strings.Contains(text, "#"):
		return fault("must not have a fragment")
	case u.Scheme != "https" && u.Scheme != "http":
		return fault("must begin with https://")
	}
	if t.config.Notifier == nil {
		if u.Scheme != "https" {
			return fault("must begin with https://")
		}
		return nil
	}
	if err := t.config.Notifier.Check(text); err != nil {
		var refused *Error
		if errors.As(err, &refused) {
			return []*Error{invalid(field, refused.Code, "%s", refused.Detail)}
		}
		return fault("cannot be used: %s", err)
	}
	return nil
}

func checkEvents(events []EventName) (faults []*Error) {
	if len(events) == 0 {
		return []*Error{invalid("events", "blank", "Events can't be blank: name at least one")}
	}
	for i, e := range events {
		switch {
		case !knownEvent(e):
			faults = append(faults, invalid("events", "inclusion", "'%s' is not an event; GET /webhooks/events lists them", abbreviate(string(e), 64)))
		case slices.Index(events, e) != i:
			faults = append(faults, invalid("events", "taken", "'%s' is named more than once", e))
		}
		if len(faults) == 10 {
			break
		}
	}
	return faults
}

func knownEvent(e EventName) bool {
	return inEventTable(e) || slices.Contains(DocumentEventNames(), e)
}

func inEventTable(e EventName) bool {
	for i := range eventTable {
		if eventTable[i].name == e {
			return true
		}
	}
	return false
}

// abbreviate shortens a text for a message.
func abbreviate(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "..."
}

// reservedHeaders are set by the sender or have a meaning for proxies. Names are in
// lower case; one that ends in - stands for all names with that prefix.
var reservedHeaders = []string{
	"host", "content-length", "content-type", "content-encoding", "http2-settings", "transfer-encoding", "connection", "keep-alive",
	"te", "trailer", "upgrade", "expect", "date", "user-agent", "accept-encoding", "x-t49-webhook-signature",
	"webhook-", "proxy-",
}

// checkHeaders refuses headers that cannot be sent, so that deliveries do not fail
// for them.
func checkHeaders(headers []Header) (faults []*Error) {
	if len(headers) > maxHeaders {
		return []*Error{invalid("headers", "too_many", "Headers are more than %d", maxHeaders)}
	}
	seen := map[string]bool{}
	for i, h := range headers {
		field := fmt.Sprintf("headers[%d]", i)
		name := strings.ToLower(h.Name)
		switch {
		case name == "":
			faults = append(faults, invalid(field+".name", "blank", "Name can't be blank"))
		case len(name) > maxHeaderName:
			faults = append(faults, invalid(field+".name", "too_long", "Name is longer than %d characters", maxHeaderName))
		case strings.ContainsFunc(name, isNotToken):
			faults = append(faults, invalid(field+".name", "invalid", "Name may contain letters, digits and !#$%%&'*+-.^_`|~ only"))
		case isReservedHeader(name):
			faults = append(faults, invalid(field+".name", "exclusion", "'%s' is set by the sender", h.Name))
		case seen[name]:
			faults = append(faults, invalid(field+".name", "taken", "'%s' is named more than once", h.Name))
		}
		seen[name] = true
		switch {
		case len(h.Value) > maxHeaderValue:
			faults = append(faults, invalid(field+".value", "too_long", "Value is longer than %d characters", maxHeaderValue))
		case strings.ContainsFunc(h.Value, isNotVisible) || strings.TrimSpace(h.Value) != h.Value:
			faults = append(faults, invalid(field+".value", "invalid", "Value may contain printable ASCII only, without blanks at its ends"))
		}
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
