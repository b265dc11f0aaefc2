package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// publicName is the name that the recipes in docs/operating.md use.
const publicName = "tracking.example.com"

// With a certificate from files the server speaks HTTPS and HTTP/2, with https links.
// New files are used within two seconds, and damaged ones leave the former certificate.
func TestTLS(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	certificate, key, pool := newCertificate(t, dir, publicName)
	p := start(t, nil, "--tls-cert", certificate, "--tls-key", key, "--http-addr", "127.0.0.1:0", "--rate-default", "0")
	address, ok := strings.CutPrefix(strings.TrimSuffix(p.base, "/v2"), "https://")
	if !ok {
		t.Fatalf("it serves %s", p.base)
	}
	c := &proxyClient{t: t, key: p.key, http: httpsClient(address, "", pool)}
	if body := c.want(http.StatusOK, http.MethodGet, "/v2/parties", ""); !strings.Contains(string(body), `"self":"https://`+publicName+`/v2/parties?`) {
		t.Errorf("no https link in %s", body)
	}
	if err := os.WriteFile(certificate, []byte("damaged"), 0o600); err != nil {
		t.Fatal(err)
	}
	again := func(pool *x509.CertPool) error {
		client := httpsClient(address, "", pool) // a new connection
		defer client.CloseIdleConnections()
		response, err := client.Get("https://" + publicName + "/healthz")
		if err == nil {
			response.Body.Close()
		}
		return err
	}
	eventually(t, 5*time.Second, func() error {
		if err := again(pool); err != nil {
			t.Fatalf("with a damaged file: %v", err)
		}
		if !strings.Contains(strings.Join(p.lines(), "\n"), "the former one stays") {
			return fmt.Errorf("the log says nothing: %s", p.lines())
		}
		return nil
	})
	_, _, renewed := newCertificate(t, dir, publicName)
	eventually(t, 5*time.Second, func() error { return again(renewed) })

	plain := regexp.MustCompile(`msg="redirecting to HTTPS" url=(\S+)`).FindStringSubmatch(strings.Join(p.lines(), "\n"))
	if plain == nil {
		t.Fatalf("no address for plain HTTP: %s", p.lines())
	}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, plain[1]+"/v2/parties?page[size]=1", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Host = publicName
	response, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if to := response.Header.Get("Location"); response.StatusCode != http.StatusMovedPermanently || to != "https://"+publicName+"/v2/parties?page[size]=1" {
		t.Errorf("plain HTTP: %d to %s", response.StatusCode, to)
	}
	if response, err = client.Post(plain[1]+"/v2/parties", "application/json", strings.NewReader("{}")); err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != http.StatusBadRequest {
		t.Errorf("a POST over plain HTTP: %d", response.StatusCode)
	}
	p.stop()
}

func TestTLSRefused(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	certificate, key, _ := newCertificate(t, dir, publicName)
	other := filepath.Join(dir, "other")
	if err := os.Mkdir(other, 0o700); err != nil {
		t.Fatal(err)
	}
	_, wrong, _ := newCertificate(t, other, publicName)
	run(t, "serve", "--addr", "127.0.0.1:0", "--tls-cert", filepath.Join(dir, "none.pem"), "--tls-key", key).refused(t, 1, "none.pem", "no such file")
	run(t, "serve", "--addr", "127.0.0.1:0", "--tls-cert", certificate, "--tls-key", wrong).refused(t, 1, "private key does not match")
	run(t, "serve", "--addr", "127.0.0.1:0", "--acme-hosts", publicName, "--acme-roots", key).refused(t, 1, "--acme-roots", "no certificate in PEM")
}

// Profiles and health are at --admin-addr, and profiles nowhere else.
func TestAdminAddress(t *testing.T) {
	t.Parallel()
	p := start(t, nil, "--admin-addr", "127.0.0.1:0")
	found := regexp.MustCompile(`msg="serving operators" url=(\S+)`).FindStringSubmatch(strings.Join(p.lines(), "\n"))
	if found == nil {
		t.Fatalf("no address for operators: %s", p.lines())
	}
	for path, want := range map[string]int{
		"/healthz": 200, "/readyz": 200, "/debug/pprof/": 200, "/debug/pprof/heap": 200, "/debug/pprof/cmdline": 200, "/v2/shipments": 404,
	} {
		if got := getStatus(t, found[1]+path); got != want {
			t.Errorf("%s: %d, want %d", path, got, want)
		}
	}
	if got := p.probe("/debug/pprof/"); got != http.StatusNotFound {
		t.Errorf("the interface has profiles: %d", got)
	}
	p.stop()
}

func getStatus(t *testing.T, at string) int {
	t.Helper()
	response, err := http.Get(at)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	_, _ = io.Copy(io.Discard, response.Body)
	return response.StatusCode
}

// httpsClient returns a client that connects from an address of this machine to the
// given one, whatever the name in the URL.
func httpsClient(to, from string, pool *x509.CertPool) *http.Client {
	dialer := net.Dialer{Timeout: 10 * time.Second}
	if from != "" {
		dialer.LocalAddr = &net.TCPAddr{IP: net.ParseIP(from)}
	}
	return &http.Client{Timeout: time.Minute, Transport: &http.Transport{
		ForceAttemptHTTP2: true, TLSClientConfig: &tls.Config{RootCAs: pool},
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) { return dialer.DialContext(ctx, "tcp", to) },
	}}
}

// newCertificate writes a self-signed certificate and its key to files.
func newCertificate(t *testing.T, dir string, names ...string) (certificate, key string, pool *x509.CertPool) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	serial, err := rand.Int(rand.Reader, big.NewInt(1<<62))
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: serial, Subject: pkix.Name{CommonName: names[0]}, DNSNames: names,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	certificate, key = filepath.Join(dir, "certificate.pem"), filepath.Join(dir, "key.pem")
	for _, f := range []struct {
		path, kind string
		bytes      []byte
	}{{certificate, "CERTIFICATE", der}, {key, "PRIVATE KEY", secret}} {
		if err := os.WriteFile(f.path, pem.EncodeToMemory(&pem.Block{Type: f.kind, Bytes: f.bytes}), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	made, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	pool = x509.NewCertPool()
	pool.AddCert(made)
	return certificate, key, pool
}

// proxyClient calls the server through the proxy.
type proxyClient struct {
	t      *testing.T
	key    string
	forged string // an address that the client claims; empty for none
	http   *http.Client
}

// want sends a request and returns the body of the response, which must have the
// status.
func (c *proxyClient) want(status int, method, path, body string, headers ...map[string]string) []byte {
	r, err := http.NewRequestWithContext(c.t.Context(), method, "https://"+publicName+path, strings.NewReader(body))
	if err != nil {
		c.t.Error(err)
		return nil
	}
	r.Header.Set("Authorization", "Token "+c.key)
	r.Header.Set("Content-Type", "application/json")
	if c.forged != "" {
		r.Header.Set("X-Forwarded-For", c.forged)
	}
	for _, h := range headers {
		for name, value := range h {
			r.Header.Set(name, value)
		}
	}
	response, err := c.http.Do(r)
	if err != nil {
		c.t.Error(err)
		return nil
	}
	defer response.Body.Close()
	data, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != status || response.Proto != "HTTP/2.0" {
		c.t.Errorf("%s %s: %s %d %s %v, want %d", method, path, response.Proto, response.StatusCode, data, err, status)
	}
	return data
}
