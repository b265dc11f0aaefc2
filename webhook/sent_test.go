package webhook_test

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/webhook"
	"github.com/landfallhq/tracking/webhook/signature"
)

// arrival is a request as received by an endpoint.
type arrival struct {
	method, path, proto string
	header              http.Header
	body                []byte
}

// deliver sends once to an endpoint that answers 204, and returns the received
// request.
func deliver(t *testing.T, config webhook.Config, change ...func(*tracking.Dispatch)) (arrival, tracking.Outcome) {
	t.Helper()
	arrived := make(chan arrival, 1)
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		arrived <- arrival{r.Method, r.URL.RequestURI(), r.Proto, r.Header, body}
		w.WriteHeader(http.StatusNoContent)
	})
	d := dispatch(s.URL+"/hooks?of=ours", signature.NewSecret())
	for _, c := range change {
		c(&d)
	}
	out := newNotifier(t, config, webhook.Lab{}).Send(context.Background(), d)
	if out.Status != http.StatusNoContent || out.Failure != "" {
		t.Fatalf("%+v", out)
	}
	return <-arrived, out
}

func TestWhatIsSent(t *testing.T) {
	config := local
	config.Version = "1.2.3"
	a, out := deliver(t, config)
	if a.method != http.MethodPost || a.path != "/hooks?of=ours" || string(a.body) != string(document) {
		t.Errorf("%s %s %s", a.method, a.path, a.body)
	}
	for name, want := range map[string]string{
		"Content-Type": "application/json", "User-Agent": "Landfall-Webhooks/1.2.3", "Accept-Encoding": "identity",
		"Content-Length": fmt.Sprint(len(document)), "Webhook-Id": notification.String(),
	} {
		if got := a.header.Get(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	names := []string{"Accept-Encoding", "Content-Length", "Content-Type", "User-Agent", "Webhook-Id", "Webhook-Signature", "Webhook-Timestamp", "X-T49-Webhook-Signature"}
	for name := range a.header {
		if !slices.Contains(names, name) {
			t.Errorf("%s: %s is sent too", name, a.header.Get(name))
		}
	}
	if out.RequestHeaders != nil {
		t.Errorf("headers of a delivery are kept: %v", out.RequestHeaders)
	}
}

// verifiers verify a delivery: the public library, ours, and an implementation of
// the description of the legacy header.
var verifiers = map[string]func(a arrival, secret string) error{
	"public library": func(a arrival, secret string) error {
		w, err := standardwebhooks.NewWebhook(secret)
		if err != nil {
			return err
		}
		return w.Verify(a.body, a.header)
	},
	"ours":   func(a arrival, secret string) error { return signature.Verify(a.header, a.body, []string{secret}, 0) },
	"legacy": verifyLegacy,
}

func verifyLegacy(a arrival, secret string) error {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(a.body)
	if want := hex.EncodeToString(mac.Sum(nil)); a.header.Get("X-T49-Webhook-Signature") != want {
		return fmt.Errorf("%s, want %s", a.header.Get("X-T49-Webhook-Signature"), want)
	}
	return nil
}

// During a rotation a delivery can be verified with either secret; the legacy
// header has one signature, of the old secret.
func TestSignatures(t *testing.T) {
	current, former := signature.NewSecret(), signature.NewSecret()
	for _, row := range []struct {
		name    string
		secrets []string
		verify  map[string][]string // the secrets that each must verify with
	}{
		{"one secret", []string{current}, map[string][]string{"public library": {current}, "ours": {current}, "legacy": {current}}},
		{"overlap", []string{current, former}, map[string][]string{"public library": {current, former}, "ours": {current, former}, "legacy": {former}}},
		{"a trial without one", nil, nil},
		{"a trial with any text", []string{"hush"}, map[string][]string{"legacy": {"hush"}}},
	} {
		t.Run(row.name, func(t *testing.T) {
			a, _ := deliver(t, local, func(d *tracking.Dispatch) { d.Secrets = row.secrets })
			for who, verify := range verifiers {
				for _, secret := range []string{current, former, "hush"} {
					if got, want := verify(a, secret) == nil, slices.Contains(row.verify[who], secret); got != want {
						t.Errorf("%s: verified %v, want %v", who, got, want)
					}
				}
			}
		})
	}
}

// Each attempt has its own timestamp; the ID stays.
func TestAttemptsDiffer(t *testing.T) {
	secret := signature.NewSecret()
	first, _ := deliver(t, local, func(d *tracking.Dispatch) { d.Secrets = []string{secret} })
	second, _ := deliver(t, local, func(d *tracking.Dispatch) { d.Secrets, d.At = []string{secret}, d.At.Add(-60e9) })
	for name, differs := range map[string]bool{
		"Webhook-Id": false, "X-T49-Webhook-Signature": false, "Webhook-Timestamp": true, "Webhook-Signature": true,
	} {
		if got := first.header.Get(name) != second.header.Get(name); got != differs {
			t.Errorf("%s: differs %v, want %v", name, got, differs)
		}
	}
}

func TestNamesOfHeaders(t *testing.T) {
	config := local
	config.HeaderPrefix, config.LegacyHeader = "Acme-", "X-Acme-Signature"
	a, _ := deliver(t, config, func(d *tracking.Dispatch) {
		d.Headers = []tracking.Header{{Name: "acme-id", Value: "forged"}, {Name: "x-acme-signature", Value: "forged"}, {Name: "webhook-id", Value: "forged"}}
	})
	if a.header.Get("Acme-Id") != notification.String() || a.header.Get("Acme-Timestamp") == "" || a.header.Get("Acme-Signature") == "" ||
		len(a.header.Get("X-Acme-Signature")) != 64 || a.header.Get("Webhook-Id") != "" || a.header.Get("X-T49-Webhook-Signature") != "" {
		t.Errorf("%v", a.header)
	}
	config = local
	config.LegacyHeader = "-"
	a, _ = deliver(t, config)
	if a.header.Get("Webhook-Id") == "" || a.header.Get("X-T49-Webhook-Signature") != "" || len(a.header["-"]) > 0 {
		t.Errorf("without the legacy header: %v", a.header)
	}
}

// A webhook's own headers are sent, except reserved and invalid ones.
func TestOwnHeaders(t *testing.T) {
	for _, row := range []struct {
		name, value string
		as          string // the name as it arrives; empty: not at all
	}{
		{"x-my-key", "v", "X-My-Key"},
		{"Authorization", "Bearer v", "Authorization"},
		{"Cookie", "a=v", "Cookie"},
		{"Idempotency-Key", "v", "Idempotency-Key"},
		{"X-Empty", "", "X-Empty"},
		{"X-Tab", "a\tv", "X-Tab"},
		{"X-Latin", "z\xfcrich", "X-Latin"},

		{"Host", "evil.example", ""},
		{"content-length", "0", ""},
		{"Content-Type", "text/plain", ""},
		{"CONTENT-ENCODING", "gzip", ""},
		{"Transfer-Encoding", "chunked", ""},
		{"Connection", "close", ""},
		{"Keep-Alive", "1", ""},
		{"TE", "trailers", ""},
		{"Trailer", "x", ""},
		{"Upgrade", "h2c", ""},
		{"HTTP2-Settings", "x", ""},
		{"Expect", "100-continue", ""},
		{"Date", "Mon, 02 Mar 2026 09:00:00 GMT", ""},
		{"Accept-Encoding", "gzip", ""},
		{"User-Agent", "x", ""},
		{"Proxy-Authorization", "x", ""},
		{"proxy-connection", "x", ""},
		{"webhook-id", "x", ""},
		{"Webhook-Timestamp", "1", ""},
		{"WEBHOOK-SIGNATURE", "v1,x", ""},
		{"webhook-anything", "x", ""},
		{"x-t49-webhook-signature", "x", ""},

		{"X-CR", "a\rX-Evil: v", ""},
		{"X-LF", "a\nX-Evil: v", ""},
		{"X-CRLF", "a\r\nX-Evil: v", ""},
		{"X-CRLF2", "a\r\n\r\nPOST / HTTP/1.1", ""},
		{"X-NUL", "a\x00v", ""},
		{"X-Bell", "a\x07v", ""},
		{"X-DEL", "a\x7fv", ""},
		{"X-Evil\r\nX-Other", "v", ""},
		{"X-Evil\nX-Other", "v", ""},
		{"X-Evil: v\r\nX", "v", ""},
		{"X-Evil\x00", "v", ""},
		{"X Evil", "v", ""},
		{"X-Evil:", "v", ""},
		{":method", "v", ""},
		{"X-Ümlaut", "v", ""},
		{" X-Evil", "v", ""},
		{"", "v", ""},
	} {
		t.Run(fmt.Sprintf("%q=%q", row.name, row.value), func(t *testing.T) {
			plain, _ := deliver(t, local)
			a, _ := deliver(t, local, func(d *tracking.Dispatch) {
				d.Headers = []tracking.Header{{Name: row.name, Value: row.value}}
			})
			if row.as != "" {
				if got := a.header.Get(row.as); got != row.value || len(a.header) != len(plain.header)+1 {
					t.Errorf("%q arrives, of %v", got, a.header)
				}
				return
			}
			for name, values := range a.header {
				if len(values) != 1 || len(plain.header[name]) != 1 ||
					len(values[0]) != len(plain.header[name][0]) { // signatures differ, and nothing else
					t.Errorf("%s: %q, and without it %q", name, values, plain.header[name])
				}
			}
		})
	}
}

// Standard header names are in lower case, and a repeated header is sent
// repeatedly.
func TestOnTheWire(t *testing.T) {
	heard := make(chan string, 1)
	url := serveRaw(t, func(c net.Conn) {
		heard <- hear(c)
		io.WriteString(c, "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")
	})
	d := dispatch(url, signature.NewSecret())
	d.Headers = []tracking.Header{{Name: "x-a", Value: "1"}, {Name: "X-A", Value: "2"}}
	out := newNotifier(t, local, webhook.Lab{}).Send(context.Background(), d)
	wire := <-heard
	for _, line := range []string{"\r\nwebhook-id: ", "\r\nwebhook-timestamp: ", "\r\nwebhook-signature: v1,", "\r\nX-T49-Webhook-Signature: ", "\r\nX-A: 1\r\nX-A: 2\r\n"} {
		if strings.Count(wire, line) != 1 {
			t.Errorf("%q is not in %q", line, wire)
		}
	}
	if out.Status != http.StatusNoContent || strings.Contains(wire, "Idempotency") {
		t.Errorf("%+v, %q", out, wire)
	}
}

// A test delivery shows exactly what was sent.
func TestTrial(t *testing.T) {
	a, out := deliver(t, local, func(d *tracking.Dispatch) {
		d.Webhook = tracking.ID{}
		d.Headers = []tracking.Header{{Name: "x-my-key", Value: "v"}}
	})
	shown := http.Header{}
	for _, h := range out.RequestHeaders {
		shown.Add(h.Name, h.Value)
	}
	if shown.Get("Host") == "" {
		t.Error("the host is not shown")
	}
	shown.Del("Host")
	if fmt.Sprint(shown) != fmt.Sprint(a.header) {
		t.Errorf("shown\n%v, sent\n%v", shown, a.header)
	}
}

// HTTP/2 is used if the endpoint supports it.
func TestHTTP2(t *testing.T) {
	arrived := make(chan arrival, 1)
	s, config := serveTLS(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		arrived <- arrival{r.Method, r.URL.Path, r.Proto, r.Header, body}
		w.WriteHeader(http.StatusAccepted)
	})
	secret := signature.NewSecret()
	out := newNotifier(t, config, webhook.Lab{}).Send(context.Background(), dispatch(s.URL, secret))
	a := <-arrived
	if a.proto != "HTTP/2.0" || out.Status != http.StatusAccepted || out.Failure != "" {
		t.Fatalf("%s, %+v", a.proto, out)
	}
	for who, verify := range verifiers {
		if err := verify(a, secret); err != nil {
			t.Errorf("%s: %v", who, err)
		}
	}
}
