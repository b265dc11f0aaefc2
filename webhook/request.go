package webhook

import (
	"bytes"
	"cmp"
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/webhook/signature"
)

// names are the names of the headers that we set. Those of Standard Webhooks are in
// lower case.
type names struct {
	prefix, id, timestamp, signature string
	legacy                           string // empty to omit it
}

func newNames(c Config) names {
	prefix := strings.ToLower(c.HeaderPrefix)
	n := names{prefix, prefix + "id", prefix + "timestamp", prefix + "signature", c.LegacyHeader}
	if n.legacy == "-" {
		n.legacy = ""
	}
	return n
}

// request builds the HTTP request of an attempt.
func (n *Notifier) request(ctx context.Context, d tracking.Dispatch) (*http.Request, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, d.URL, bytes.NewReader(d.Body))
	if err != nil {
		return nil, err
	}
	n.setOwn(r.Header, d.Headers)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("User-Agent", n.agent)
	// An uncompressed body cannot grow while it is read.
	r.Header.Set("Accept-Encoding", "identity")
	n.sign(r.Header, d)
	if _, own := r.Header[idempotencyKey]; !own {
		r.Header[idempotencyKey] = nil
	}
	return r, nil
}

// With this header, http.Transport repeats a request if the endpoint has closed the
// reused connection, which therefore costs no attempt. The receiver can detect
// repeats by webhook-id. An empty header is not sent.
const idempotencyKey = "Idempotency-Key"

// setOwn sets the webhook's own headers, except reserved and invalid ones, which
// are refused when a webhook is written.
func (n *Notifier) setOwn(h http.Header, own []tracking.Header) {
	for _, header := range own {
		if isToken(header.Name) && isFieldValue(header.Value) && !n.reserved(header.Name) {
			h.Add(header.Name, header.Value)
		}
	}
}

// reservedHeaders describe the message and its transport, in lower case.
var reservedHeaders = []string{
	"accept-encoding", "connection", "content-encoding", "content-length", "content-type", "date", "expect", "host", "http2-settings",
	"keep-alive", "te", "trailer", "transfer-encoding", "upgrade", "user-agent",
}

func (n *Notifier) reserved(name string) bool {
	name = strings.ToLower(name)
	return slices.Contains(reservedHeaders, name) || strings.HasPrefix(name, "proxy-") ||
		strings.HasPrefix(name, "webhook-") || strings.HasPrefix(name, n.names.prefix) ||
		strings.EqualFold(name, n.names.legacy) || strings.EqualFold(name, signature.LegacyHeader)
}

// sign sets both signatures. The legacy header has room for one only, that of the
// oldest secret, so that receivers which know no other can verify until the overlap
// ends. The secret of a test delivery can be any text; then only the legacy header
// can be set.
func (n *Notifier) sign(h http.Header, d tracking.Dispatch) {
	id := d.ID.String()
	h[n.names.id] = []string{id}
	h[n.names.timestamp] = []string{signature.Timestamp(d.At)}
	var signatures []string
	for _, secret := range d.Secrets {
		if s, err := signature.Sign(secret, id, d.At, d.Body); err == nil {
			signatures = append(signatures, s)
		}
	}
	if len(signatures) > 0 {
		h[n.names.signature] = []string{strings.Join(signatures, " ")}
	}
	if n.names.legacy != "" && len(d.Secrets) > 0 {
		h.Set(n.names.legacy, signature.Legacy(d.Secrets[len(d.Secrets)-1], d.Body))
	}
}

// sentHeaders lists the headers of a request, by name.
func sentHeaders(r *http.Request) []tracking.Header {
	list := []tracking.Header{{Name: "Host", Value: r.URL.Host}, {Name: "Content-Length", Value: strconv.FormatInt(r.ContentLength, 10)}}
	for name, values := range r.Header {
		for _, value := range values {
			list = append(list, tracking.Header{Name: name, Value: value})
		}
	}
	slices.SortStableFunc(list, func(a, b tracking.Header) int {
		return cmp.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name))
	})
	return list
}

// isToken reports whether text can be the name of a header (RFC 9110).
func isToken(text string) bool {
	return text != "" && strings.IndexFunc(text, func(r rune) bool {
		return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("!#$%&'*+-.^_`|~", r))
	}) < 0
}

// isFieldValue reports whether text can be the value of a header: it has no line
// ends and no other control characters.
func isFieldValue(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }) < 0
}
