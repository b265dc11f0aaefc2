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

// names are those of our headers. The standard writes its own in lower case.
type names struct {
	prefix, id, timestamp, signature string
	legacy                           string // empty: left out
}

func newNames(c Config) names {
	prefix := strings.ToLower(c.HeaderPrefix)
	n := names{prefix, prefix + "id", prefix + "timestamp", prefix + "signature", c.LegacyHeader}
	if n.legacy == "-" {
		n.legacy = ""
	}
	return n
}

// request is the attempt as HTTP.
func (n *Notifier) request(ctx context.Context, d tracking.Dispatch) (*http.Request, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, d.URL, bytes.NewReader(d.Body))
	if err != nil {
		return nil, err
	}
	n.setOwn(r.Header, d.Headers)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("User-Agent", n.agent)
	// What is not compressed cannot grow when it is read.
	r.Header.Set("Accept-Encoding", "identity")
	n.sign(r.Header, d)
	if _, own := r.Header[idempotencyKey]; !own {
		r.Header[idempotencyKey] = nil
	}
	return r, nil
}

// A connection that the endpoint closes just when it is used again costs no
// attempt: http.Transport then sends once more, if this header says that the
// receiver tells repeats, which it does by webhook-id. An empty one is not sent.
const idempotencyKey = "Idempotency-Key"

// setOwn sets a webhook's own headers, but for those that are ours and those that
// could not be sent. They are refused when a webhook is written; this is for what
// comes past it.
func (n *Notifier) setOwn(h http.Header, own []tracking.Header) {
	for _, header := range own {
		if isToken(header.Name) && sendable(header.Value) && !n.reserved(header.Name) {
			h.Add(header.Name, header.Value)
		}
	}
}

// ours are the headers that say what is sent and how, in lower case.
var ours = []string{
	"accept-encoding", "connection", "content-encoding", "content-length", "content-type", "date", "expect", "host", "http2-settings",
	"keep-alive", "te", "trailer", "transfer-encoding", "upgrade", "user-agent",
}

func (n *Notifier) reserved(name string) bool {
	name = strings.ToLower(name)
	return slices.Contains(ours, name) || strings.HasPrefix(name, "proxy-") ||
		strings.HasPrefix(name, "webhook-") || strings.HasPrefix(name, n.names.prefix) ||
		strings.EqualFold(name, n.names.legacy) || strings.EqualFold(name, signature.LegacyHeader)
}

// sign sets both signatures. The legacy header holds one only, which is the oldest
// secret's: a receiver that knows no other must be able to verify until the overlap
// ends. A trial's secret may be any text, and then only the legacy header can be
// made with it.
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

// asSent lists the headers of a request, by name.
func asSent(r *http.Request) []tracking.Header {
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

// isToken reports whether a text can be the name of a header (RFC 9110).
func isToken(text string) bool {
	return text != "" && strings.IndexFunc(text, func(r rune) bool {
		return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("!#$%&'*+-.^_`|~", r))
	}) < 0
}

// sendable reports whether a text can be the value of a header: nothing that ends a
// line or could be taken for it.
func sendable(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }) < 0
}
