package webhook_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/webhook"
	"github.com/landfallhq/tracking/webhook/signature"
)

func TestStatuses(t *testing.T) {
	for status, want := range map[int]string{
		200: "", 201: "", 202: "", 204: "", 226: "", 299: "",
		300: tracking.FailRedirect, 301: tracking.FailRedirect, 302: tracking.FailRedirect, 303: tracking.FailRedirect,
		304: tracking.FailRedirect, 307: tracking.FailRedirect, 308: tracking.FailRedirect,
		400: tracking.FailStatus, 401: tracking.FailStatus, 404: tracking.FailStatus, 410: tracking.FailStatus,
		429: tracking.FailStatus, 500: tracking.FailStatus, 502: tracking.FailStatus, 503: tracking.FailStatus, 504: tracking.FailStatus, 599: tracking.FailStatus, 999: tracking.FailStatus,
	} {
		s := serve(t, func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(status) })
		out := newNotifier(t, local, webhook.Lab{}).Send(context.Background(), dispatch(s.URL))
		if out.Status != status || out.Failure != want || (out.Detail == "") != (want == "") {
			t.Errorf("%d: %d %q %q, want %q", status, out.Status, out.Failure, out.Detail, want)
		}
		if busy := status == 429 || status >= 502 && status <= 504; out.Overloaded != busy || out.Gone != (status == 410) {
			t.Errorf("%d: overloaded %v, gone %v", status, out.Overloaded, out.Gone)
		}
		if out.RemoteIP != "127.0.0.1" || out.Connect <= 0 || out.FirstByte <= 0 || out.Total < out.FirstByte || out.TLS != 0 || out.DNS != 0 {
			t.Errorf("%d: %+v", status, out)
		}
	}
}

// Redirects are never followed.
func TestRedirects(t *testing.T) {
	var followed atomic.Int64
	second := serve(t, func(http.ResponseWriter, *http.Request) { followed.Add(1) })
	for _, status := range []int{301, 302, 303, 307, 308} {
		first := serve(t, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, second.URL, status) })
		out := newNotifier(t, local, webhook.Lab{}).Send(context.Background(), dispatch(first.URL))
		if out.Status != status || out.Failure != tracking.FailRedirect {
			t.Errorf("%d: %+v", status, out)
		}
	}
	if n := followed.Load(); n > 0 {
		t.Errorf("%d requests arrived at the second server", n)
	}
}

func TestRetryAfter(t *testing.T) {
	end := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	const week = 7 * 24 * time.Hour
	for _, row := range []struct {
		value, date string
		want        time.Duration
	}{
		{"", "", 0},
		{"0", "", 0},
		{"120", "", 2 * time.Minute},
		{"-5", "", 0},
		{"1.5", "", 0},
		{"soon", "", 0},
		{"18446744073709551615", "", week},
		{"99999999999999999999", "", 0},
		{"Mon, 02 Mar 2026 09:10:00 GMT", "", 10 * time.Minute},
		{"Monday, 02-Mar-26 09:10:00 GMT", "", 10 * time.Minute},
		{"Mon Mar  2 09:10:00 2026", "", 10 * time.Minute},
		{"Mon, 02 Mar 2026 08:59:00 GMT", "", 0},
		{"Fri, 01 Jan 2100 00:00:00 GMT", "", week},
		{"Mon, 02 Mar 2026 09:10:00 GMT", "Mon, 02 Mar 2026 09:08:00 GMT", 2 * time.Minute}, // its clock is wrong
		{"Mon, 02 Mar 2026 09:10:00 GMT", "yesterday", 10 * time.Minute},
	} {
		h := http.Header{}
		h.Set("Retry-After", row.value)
		h.Set("Date", row.date)
		if got := webhook.RetryAfter(h, end); got != row.want {
			t.Errorf("%q, Date %q: %v, want %v", row.value, row.date, got, row.want)
		}
	}
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Retry-After", "7")
		w.WriteHeader(http.StatusTooManyRequests)
	})
	if out := newNotifier(t, local, webhook.Lab{}).Send(context.Background(), dispatch(s.URL)); out.RetryAfter != 7*time.Second {
		t.Errorf("%+v", out)
	}
}

// The kept part of a response is short, is valid text, and does not contain the
// webhook's own headers and secrets.
func TestResponseKept(t *testing.T) {
	const secret, former = "whsec_Y2FuYXJ5LWN1cnJlbnQ=", "whsec_Y2FuYXJ5LWZvcm1lcg=="
	own := []tracking.Header{{Name: "X-Key", Value: "canary-value"}, {Name: "X-Short", Value: "ab"}}
	for _, row := range []struct{ name, body, want string }{
		{"short", "thanks", "thanks"},
		{"empty", "", ""},
		{"long", strings.Repeat("x", 5000), strings.Repeat("x", 4096)},
		{"cut before a letter", strings.Repeat("x", 4095) + "é", strings.Repeat("x", 4095)},
		{"cut after a letter", strings.Repeat("x", 4094) + "éy", strings.Repeat("x", 4094) + "é"},
		{"no UTF-8", "a\xff\xfeb", "a\uFFFDb"},
		{"NUL", "a\x00b", "a\uFFFDb"},
		{"much that grows", strings.Repeat("\xff\x00", 4096), strings.Repeat("\uFFFD", 1365)},
		{"an echo", "X-Key: canary-value, ab", "X-Key: [hidden], ab"},
		{"an echo of a secret", "no " + secret + " nor " + former, "no [hidden] nor [hidden]"},
		{"an echo without its prefix", "key Y2FuYXJ5LWN1cnJlbnQ=", "key [hidden]"},
		{"an echo at the cut", strings.Repeat("x", 4090) + "canary-value", strings.Repeat("x", 4090) + "[hidde"},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := serve(t, func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("X-Request-Id", "r1")
				w.Header().Set("Set-Cookie", "a=b")
				w.Header().Set("Server", strings.Repeat("s", 300)+r.Header.Get("X-Key"))
				w.Header().Set("Location", "/"+r.Header.Get("X-Key"))
				io.WriteString(w, row.body)
			})
			d := dispatch(s.URL, secret, former)
			d.Headers = own
			out := newNotifier(t, local, webhook.Lab{}).Send(context.Background(), d)
			if out.ResponseBody != row.want || !utf8.ValidString(out.ResponseBody) || len(out.ResponseBody) > 4096 {
				t.Errorf("%q, want %q", out.ResponseBody, row.want)
			}
			for name, want := range map[string]string{"X-Request-Id": "r1", "Set-Cookie": "", "Server": strings.Repeat("s", 256), "Location": "/[hidden]"} {
				if got := headerOf(out, name); got != want {
					t.Errorf("%s: %q, want %q", name, got, want)
				}
			}
		})
	}
}

func headerOf(out tracking.Outcome, name string) string {
	for _, h := range out.ResponseHeaders {
		if h.Name == name {
			return h.Value
		}
	}
	return ""
}

// At most 64 KiB of a body are read, and a compressed body is not decompressed.
func TestLargeBodies(t *testing.T) {
	const large, most = 100 << 20, 64<<10 + 8<<10 // and what the head and one buffer take
	endless := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", fmt.Sprint(large))
		w.WriteHeader(http.StatusOK)
		for chunk, sent := bytes.Repeat([]byte("x"), 32<<10), 0; sent < large; sent += len(chunk) {
			if _, err := w.Write(chunk); err != nil {
				return
			}
		}
	}
	var packed bytes.Buffer // a thousandth of what is in it
	z := gzip.NewWriter(&packed)
	z.Write(make([]byte, 8<<20))
	z.Close()
	bomb := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		w.Write(packed.Bytes())
	}
	for name, handler := range map[string]http.HandlerFunc{"100 MB": endless, "gzip": bomb} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, handler)
			var read atomic.Int64
			n := newNotifier(t, local, webhook.Lab{Read: func(n int) { read.Add(int64(n)) }})
			out := n.Send(context.Background(), dispatch(s.URL))
			if out.Status != 200 || out.Failure != "" || len(out.ResponseBody) > 4096 || !utf8.ValidString(out.ResponseBody) {
				t.Errorf("%+v", out)
			}
			if read.Load() > most {
				t.Errorf("%d bytes were read", read.Load())
			}
		})
		t.Run(name+" over HTTP/2", func(t *testing.T) {
			s, config := serveTLS(t, handler)
			var read atomic.Int64
			n := newNotifier(t, config, webhook.Lab{Read: func(n int) { read.Add(int64(n)) }})
			out := n.Send(context.Background(), dispatch(s.URL))
			if out.Status != 200 || out.Failure != "" || len(out.ResponseBody) > 4096 {
				t.Errorf("%+v", out)
			}
			// At most one window arrives after the stream is closed.
			if read.Load() > 2*most {
				t.Errorf("%d bytes were read", read.Load())
			}
		})
	}
}

// briefly is local with a short timeout.
func briefly() webhook.Config {
	config := local
	config.Timeout = 300 * time.Millisecond
	return config
}

// A slow body ends with the timeout. An endpoint that answered 200 has the
// delivery, and one that answered 500 does not.
func TestSlowBodies(t *testing.T) {
	for status, want := range map[int]string{200: "", 500: tracking.FailStatus} {
		s := serve(t, func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(status)
			io.WriteString(w, "x")
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		})
		out := newNotifier(t, briefly(), webhook.Lab{}).Send(context.Background(), dispatch(s.URL))
		if out.Status != status || out.Failure != want || out.ResponseBody != "x" || out.Total < 300*time.Millisecond || out.Total > 10*time.Second {
			t.Errorf("%d: %+v", status, out)
		}
	}
}

// Endpoints that fail before they have answered.
func TestFailures(t *testing.T) {
	secured := func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusNoContent) }
	none := func(t *testing.T) (string, webhook.Config) {
		l, err := net.Listen("tcp4", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		l.Close()
		return "http://" + l.Addr().String(), local
	}
	raw := func(speak func(net.Conn)) func(t *testing.T) (string, webhook.Config) {
		return func(t *testing.T) (string, webhook.Config) { return serveRaw(t, speak), briefly() }
	}
	patient := func(speak func(net.Conn)) func(t *testing.T) (string, webhook.Config) {
		return func(t *testing.T) (string, webhook.Config) { return serveRaw(t, speak), local }
	}
	overTLS := func(url func(t *testing.T) (string, webhook.Config)) func(t *testing.T) (string, webhook.Config) {
		return func(t *testing.T) (string, webhook.Config) {
			text, config := url(t)
			return strings.Replace(text, "http://", "https://", 1), config
		}
	}
	silent := func(c net.Conn) { hear(c); io.Copy(io.Discard, c) }
	for _, row := range []struct {
		name     string
		endpoint func(t *testing.T) (string, webhook.Config)
		failure  string
		detail   string
	}{
		{"nobody there", none, tracking.FailConnect, "refused"},
		{"unknown name", func(*testing.T) (string, webhook.Config) { return "http://nobody.example:1", local }, tracking.FailDNS, "not known"},
		{"hangs", raw(silent), tracking.FailTimeout, "No answer"},
		{"hangs before TLS", overTLS(raw(silent)), tracking.FailTimeout, "TLS"},
		{"drips its head", raw(func(c net.Conn) {
			hear(c)
			io.WriteString(c, "HTTP/1.1 200 OK\r\nX-A: ")
			io.Copy(io.Discard, c)
		}), tracking.FailTimeout, "No complete answer"},
		{"closes at once", patient(func(net.Conn) {}), tracking.FailConnect, "closed"},
		{"closes after the request", patient(func(c net.Conn) { hear(c) }), tracking.FailConnect, "closed"},
		{"closes in the head", patient(func(c net.Conn) { hear(c); io.WriteString(c, "HTTP/1.1 200 OK\r\nX-A: 1\r\n") }), tracking.FailConnect, "closed"},
		{"closes before TLS", overTLS(patient(func(net.Conn) {})), tracking.FailTLS, "closed"},
		{"resets", patient(func(c net.Conn) { hear(c); c.(*net.TCPConn).SetLinger(0) }), tracking.FailConnect, "closed"},
		{"no HTTP", patient(func(c net.Conn) { hear(c); io.WriteString(c, "SSH-2.0-OpenSSH_9.2\r\n") }), tracking.FailResponse, "HTTP"},
		{"says what it hears", patient(func(c net.Conn) { io.WriteString(c, hear(c)) }), tracking.FailResponse, "HTTP"},
		{"a status of four digits", patient(func(c net.Conn) { hear(c); io.WriteString(c, "HTTP/1.1 2000 OK\r\n\r\n") }), tracking.FailResponse, "HTTP"},
		{"an endless head", patient(func(c net.Conn) {
			hear(c)
			io.WriteString(c, "HTTP/1.1 200 OK\r\n")
			for i := 0; ; i++ {
				if _, err := fmt.Fprintf(c, "X-%d: x\r\n", i); err != nil {
					return
				}
			}
		}), tracking.FailResponse, "headers"},
		{"1xx for ever", patient(func(c net.Conn) {
			hear(c)
			for {
				if _, err := io.WriteString(c, "HTTP/1.1 103 Early Hints\r\n\r\n"); err != nil {
					return
				}
			}
		}), tracking.FailResponse, "headers"},
		{"1xx slowly", raw(func(c net.Conn) {
			hear(c)
			io.WriteString(c, "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n")
			io.Copy(io.Discard, c)
		}), tracking.FailTimeout, "No complete answer"},
		{"plain HTTP where TLS is", overTLS(func(t *testing.T) (string, webhook.Config) { return serve(t, secured).URL, local }), tracking.FailTLS, "not look like a TLS handshake"},
		{"noise where TLS is", overTLS(patient(func(c net.Conn) { io.WriteString(c, strings.Repeat("noise", 100)) })), tracking.FailTLS, "TLS"},
		{"a certificate of nobody", func(t *testing.T) (string, webhook.Config) {
			s, _ := serveTLS(t, secured)
			return s.URL, local
		}, tracking.FailTLS, "unknown authority"},
		{"a certificate of somebody else", func(t *testing.T) (string, webhook.Config) {
			s, config := serveTLS(t, secured)
			return strings.Replace(s.URL, "127.0.0.1", "localhost", 1), config
		}, tracking.FailTLS, "not localhost"},
		{"an old TLS", func(t *testing.T) (string, webhook.Config) {
			s, config := serveTLS(t, secured, tlsVersion(0x0302))
			return s.URL, config
		}, tracking.FailTLS, "protocol version"},
		{"switches protocols", patient(func(c net.Conn) {
			hear(c)
			io.WriteString(c, "HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n")
			io.Copy(io.Discard, c)
		}), tracking.FailStatus, "101"},
	} {
		t.Run(row.name, func(t *testing.T) {
			url, config := row.endpoint(t)
			n := newNotifier(t, config, webhook.Lab{Resolver: resolver(nowhere)})
			d := dispatch(url+"/canary-path?canary-query", signature.NewSecret())
			d.Headers = []tracking.Header{{Name: "Authorization", Value: "Bearer canary-value"}}
			out := n.Send(context.Background(), d)
			if out.Failure != row.failure || !strings.Contains(out.Detail, row.detail) {
				t.Errorf("%s: %s, want %s: %s", out.Failure, out.Detail, row.failure, row.detail)
			}
			shown := fmt.Sprintf("%+v", out)
			for _, secret := range []string{"canary", d.Secrets[0], strings.TrimPrefix(d.Secrets[0], signature.SecretPrefix)} {
				if strings.Contains(shown, secret) {
					t.Errorf("%s shows %s", shown, secret)
				}
			}
			if strings.Contains(out.Detail, "127.0.0.1") {
				t.Errorf("the detail names an address: %s", out.Detail)
			}
			if out.Total > 10*time.Second {
				t.Errorf("it took %v", out.Total)
			}
		})
	}
}

// Errors of connections contain both addresses.
func TestTLSDetail(t *testing.T) {
	ours, theirs := &net.TCPAddr{IP: net.IPv4(10, 0, 0, 5), Port: 4444}, &net.TCPAddr{IP: net.IPv4(192, 0, 2, 1), Port: 443}
	for want, err := range map[string]error{
		"no route to host": &net.OpError{Op: "read", Net: "tcp", Source: ours, Addr: theirs, Err: syscall.EHOSTUNREACH},
		"The connection was closed during the TLS handshake.": &net.OpError{Op: "read", Net: "tcp", Source: ours, Addr: theirs, Err: syscall.ECONNRESET},
		"x509: whatever": errors.New("x509: whatever"),
	} {
		if got := webhook.TLSDetail(err); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// A cancelled attempt is reported as cancelled, not as a failure of the endpoint.
func TestCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		cancel()
		<-r.Context().Done()
	})
	n := newNotifier(t, local, webhook.Lab{})
	if out := n.Send(ctx, dispatch(s.URL)); out.Failure != tracking.FailCanceled || out.Status != 0 {
		t.Errorf("%+v", out)
	}
	if out := n.Send(ctx, dispatch(s.URL)); out.Failure != tracking.FailCanceled {
		t.Errorf("before it began: %+v", out)
	}
	late, cancel := context.WithTimeout(context.Background(), time.Nanosecond)
	defer cancel()
	if out := n.Send(late, dispatch(s.URL)); out.Failure != tracking.FailCanceled {
		t.Errorf("the caller's own deadline: %+v", out)
	}
}

// An endpoint that closes reused connections costs no attempt.
func TestConnectionClosedWhileIdle(t *testing.T) {
	var heard atomic.Int64
	url := serveRaw(t, func(c net.Conn) {
		hear(c)
		heard.Add(1)
		io.WriteString(c, "HTTP/1.1 204 No Content\r\n\r\n")
		hear(c) // and then no answer
	})
	n := newNotifier(t, local, webhook.Lab{})
	for range 5 {
		if out := n.Send(context.Background(), dispatch(url)); out.Status != 204 {
			t.Errorf("%+v", out)
		}
	}
	if heard.Load() != 5 {
		t.Errorf("%d of 5 were answered", heard.Load())
	}
}

// Connections are reused, up to the number of concurrent deliveries.
func TestConnectionsKept(t *testing.T) {
	var dials atomic.Int64
	came, leave := make(chan struct{}), make(chan struct{})
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		came <- struct{}{}
		<-leave
	}))
	s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			dials.Add(1)
		}
	}
	s.Start()
	t.Cleanup(s.Close)
	config := local
	config.IdlePerEndpoint = 3
	n := newNotifier(t, config, webhook.Lab{})
	for range 4 {
		outs := make(chan tracking.Outcome)
		for range 3 {
			go func() { outs <- n.Send(context.Background(), dispatch(s.URL)) }()
		}
		for range 3 {
			<-came
		}
		for range 3 {
			leave <- struct{}{}
		}
		for range 3 {
			if out := <-outs; out.Failure != "" {
				t.Errorf("%+v", out)
			}
		}
	}
	if dials.Load() != 3 {
		t.Errorf("%d connections for 3 at a time", dials.Load())
	}
}
