package acmetest

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/letsencrypt/challtestsrv"
	"github.com/letsencrypt/pebble/v2/ca"
	"github.com/letsencrypt/pebble/v2/db"
	"github.com/letsencrypt/pebble/v2/va"
	"github.com/letsencrypt/pebble/v2/wfe"
)

const host = "tracking.example.com"

// The server gets a certificate when it starts: by TLS-ALPN-01 on its own port, and by
// HTTP-01 where the authority cannot reach that. Clients that know the authority reach
// it by HTTPS and HTTP/2. After a restart the certificate comes from the cache.
func TestCertificateFromAuthority(t *testing.T) {
	program := build(t)
	for _, challenge := range []string{"TLS-ALPN-01", "HTTP-01"} {
		t.Run(challenge, func(t *testing.T) {
			https, plain := freePort(t), freePort(t)
			authority := &authority{httpPort: plain, tlsPort: https}
			if challenge == "HTTP-01" {
				authority.tlsPort = freePort(t) // nobody listens there
			}
			authority.start(t)
			dir := t.TempDir()
			args := []string{
				"serve", "--db", filepath.Join(dir, "landfall.db"), "--addr", address(https), "--http-addr", address(plain),
				"--acme-hosts", host, "--acme-email", "operator@example.com", "--acme-directory", authority.url + wfe.DirectoryPath, "--acme-roots", authority.file,
			}
			s := serve(t, program, args)
			first := getOverHTTPS(t, s, https, authority.roots)
			if err := first.VerifyHostname(host); err != nil {
				t.Error(err)
			}
			s.await(t, "msg=certificate host="+host)
			s.stop(t)

			authority.server.Close()
			again := getOverHTTPS(t, serve(t, program, args), https, authority.roots)
			if again.SerialNumber.Cmp(first.SerialNumber) != 0 {
				t.Error("after a restart it has another certificate")
			}
		})
	}
}

// getOverHTTPS waits until the server has a certificate, and returns it.
func getOverHTTPS(t *testing.T, s *server, port int, roots *x509.CertPool) *x509.Certificate {
	t.Helper()
	client := &http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{
		ForceAttemptHTTP2: true, DisableKeepAlives: true, TLSClientConfig: &tls.Config{RootCAs: roots},
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "tcp", address(port))
		},
	}}
	for end := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
		response, err := client.Get("https://" + host + "/healthz")
		if err == nil {
			response.Body.Close()
			if response.StatusCode != http.StatusOK || response.Proto != "HTTP/2.0" {
				t.Errorf("%s %s", response.Proto, response.Status)
			}
			return response.TLS.PeerCertificates[0]
		}
		if time.Now().After(end) {
			t.Fatalf("no certificate: %v\n%s", err, s.output())
		}
	}
}

// authority is Pebble with a name server that resolves every name to this machine.
type authority struct {
	httpPort, tlsPort int // where it answers its challenges

	server *httptest.Server
	url    string
	file   string         // its own certificate in PEM form
	roots  *x509.CertPool // of the certificates that it issues
}

func (a *authority) start(t *testing.T) {
	t.Helper()
	t.Setenv("PEBBLE_VA_NOSLEEP", "1")
	logger := log.New(io.Discard, "", 0)
	names := address(freePort(t))
	resolver, err := challtestsrv.New(challtestsrv.Config{Log: logger, DNSAddrs: []string{names}})
	if err != nil {
		t.Fatal(err)
	}
	resolver.SetDefaultDNSIPv4("127.0.0.1")
	resolver.SetDefaultDNSIPv6("")
	go resolver.Run()
	t.Cleanup(resolver.Shutdown)

	store := db.NewMemoryStore()
	issuer := ca.New(logger, store, "", "ecdsa", 0, 1, map[string]ca.Profile{"default": {Description: "default"}})
	validation := va.New(logger, a.httpPort, a.tlsPort, false, names, store)
	front := wfe.New(logger, store, validation, issuer, []string{"pebble.letsencrypt.org"}, false, false, 1, 1)
	a.server = httptest.NewTLSServer(front.Handler())
	t.Cleanup(a.server.Close)
	a.url = a.server.URL
	a.file = filepath.Join(t.TempDir(), "authority.pem")
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: a.server.Certificate().Raw})
	if err := os.WriteFile(a.file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	a.roots = x509.NewCertPool()
	a.roots.AppendCertsFromPEM(issuer.GetRootCert(0).PEM())
}

// build builds the program, which is in another module.
func build(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "landfall")
	cmd := exec.Command("go", "build", "-o", program, "./cmd/landfall")
	cmd.Dir = "../../.."
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return program
}

// server is a running landfall serve.
type server struct {
	cmd   *exec.Cmd
	ended chan struct{}
	mu    sync.Mutex
	out   bytes.Buffer
}

func serve(t *testing.T, program string, args []string) *server {
	t.Helper()
	s := &server{cmd: exec.Command(program, args...), ended: make(chan struct{})}
	s.cmd.Stdout, s.cmd.Stderr = s, s
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { _ = s.cmd.Wait(); close(s.ended) }()
	t.Cleanup(func() { _ = s.cmd.Process.Kill(); <-s.ended })
	return s
}

// Write keeps the output of the server.
func (s *server) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.out.Write(p)
}

func (s *server) output() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.out.String()
}

func (s *server) await(t *testing.T, words string) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); !strings.Contains(s.output(), words); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("no %q in %s", words, s.output())
		}
	}
}

func (s *server) stop(t *testing.T) {
	t.Helper()
	_ = s.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-s.ended:
	case <-time.After(35 * time.Second):
		t.Fatalf("it does not end: %s", s.output())
	}
	if code := s.cmd.ProcessState.ExitCode(); code != 0 {
		t.Errorf("exit %d: %s", code, s.output())
	}
}

// freePort returns a port that nobody uses: both sides have to know it beforehand.
func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

func address(port int) string { return fmt.Sprint("127.0.0.1:", strconv.Itoa(port)) }
