package webhook_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/binary"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"go.uber.org/goleak"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/webhook"
)

// Every goroutine of a test ends with it.
func TestMain(m *testing.M) {
	if which := os.Getenv(childVariable); which != "" {
		os.Exit(child(which))
	}
	goleak.VerifyTestMain(m)
}

// local allows this machine.
var local = webhook.Config{AllowHTTP: true, AllowPrivate: true}

// newNotifier returns a Notifier that is closed with the test.
func newNotifier(t testing.TB, config webhook.Config, lab webhook.Lab) *webhook.Notifier {
	t.Helper()
	n := webhook.NewInLab(config, lab)
	t.Cleanup(n.CloseIdleConnections)
	return n
}

// serve runs an endpoint on this machine, without logging.
func serve(t testing.TB, handler http.HandlerFunc) *httptest.Server {
	t.Helper()
	s := httptest.NewUnstartedServer(handler)
	quiet(s)
	s.Start()
	t.Cleanup(s.Close)
	return s
}

// serveTLS is serve with a certificate, and the Config that trusts it.
func serveTLS(t testing.TB, handler http.HandlerFunc, change ...func(*httptest.Server)) (*httptest.Server, webhook.Config) {
	t.Helper()
	s := httptest.NewUnstartedServer(handler)
	quiet(s)
	s.EnableHTTP2 = true
	for _, c := range change {
		c(s)
	}
	s.StartTLS()
	t.Cleanup(s.Close)
	config := local
	config.RootCAs = x509.NewCertPool()
	config.RootCAs.AddCert(s.Certificate())
	return s, config
}

func quiet(s *httptest.Server) { s.Config.ErrorLog = log.New(io.Discard, "", 0) }

// serveRaw runs an endpoint that controls each connection, which is closed when
// speak returns or the test ends.
func serveRaw(t testing.TB, speak func(net.Conn)) (url string) {
	t.Helper()
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, end := context.WithCancel(context.Background())
	accepted := make(chan struct{})
	open := make(chan struct{}, 100)
	go func() {
		defer close(accepted)
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			open <- struct{}{}
			stop := context.AfterFunc(ctx, func() { c.Close() })
			go func() {
				defer func() { stop(); c.Close(); <-open }()
				speak(c)
			}()
		}
	}()
	t.Cleanup(func() {
		l.Close()
		end()
		<-accepted
		for range cap(open) { // until all are gone
			open <- struct{}{}
		}
	})
	return "http://" + l.Addr().String()
}

// hear reads a request from a connection.
func hear(c net.Conn) string {
	var all strings.Builder
	b := make([]byte, 4096)
	for !strings.Contains(all.String(), "\r\n\r\n"+string(document)) {
		n, err := c.Read(b)
		all.Write(b[:n])
		if err != nil {
			break
		}
	}
	return all.String()
}

var document = []byte(`{"data":{"type":"webhook_notification","attributes":{"event":"container.created"}}}`)

var (
	notification = uuid.MustParse("7d3f1a56-1f0c-4b07-9b1e-5d1f0a3d9d11")
	endpoint     = uuid.MustParse("0a9c3a0e-3c7e-4a6f-9f4a-2f1c9f2b7f10")
)

// dispatch is an attempt at a URL, at a time that public libraries accept as
// current.
func dispatch(url string, secrets ...string) tracking.Dispatch {
	return tracking.Dispatch{ID: notification, Webhook: endpoint, URL: url, Secrets: secrets, At: time.Now(), Body: document}
}

// resolver answers DNS queries. Unknown names do not exist. With the system's
// resolver (netdns=cgo) it is not used.
func resolver(say func(name string) []netip.Addr) *net.Resolver {
	return &net.Resolver{Dial: func(context.Context, string, string) (net.Conn, error) {
		ours, theirs := net.Pipe()
		go func() {
			defer theirs.Close()
			for answerOne(theirs, say) == nil {
				continue
			}
		}()
		return ours, nil
	}}
}

// answerOne answers one DNS query over TCP (RFC 1035, 4.2.2).
func answerOne(c net.Conn, say func(string) []netip.Addr) error {
	var size [2]byte
	if _, err := io.ReadFull(c, size[:]); err != nil {
		return err
	}
	query := make([]byte, binary.BigEndian.Uint16(size[:]))
	if _, err := io.ReadFull(c, query); err != nil {
		return err
	}
	name, at := "", 12
	for query[at] != 0 {
		name += string(query[at+1:at+1+int(query[at])]) + "."
		at += 1 + int(query[at])
	}
	addrs := say(strings.ToLower(name))
	const typeA = 1
	answers := []byte{}
	for _, addr := range addrs {
		if query[at+2] == typeA && addr.Is4() {
			answers = append(answers, 0xc0, 12, 0, typeA, 0, 1, 0, 0, 0, 0, 0, 4)
			answers = append(answers, addr.AsSlice()...)
		}
	}
	code := byte(0)
	if len(addrs) == 0 {
		code = 3 // no such name
	}
	head := []byte{query[0], query[1], 0x81, 0x80 | code, 0, 1, 0, byte(len(answers) / 16), 0, 0, 0, 0}
	message := append(append(head, query[12:at+5]...), answers...)
	_, err := c.Write(append(binary.BigEndian.AppendUint16(nil, uint16(len(message))), message...))
	return err
}

// here resolves every name to this machine.
func here(string) []netip.Addr { return []netip.Addr{netip.MustParseAddr("127.0.0.1")} }

// nowhere resolves no name.
func nowhere(string) []netip.Addr { return nil }

func tlsVersion(v uint16) func(*httptest.Server) {
	return func(s *httptest.Server) { s.TLS = &tls.Config{MinVersion: v, MaxVersion: v} }
}
