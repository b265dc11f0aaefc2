package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/landfallhq/tracking/httpserver"

	"golang.org/x/crypto/acme"
	"golang.org/x/crypto/acme/autocert"
)

// tlsSettings say how the server speaks HTTPS: with a certificate from files, or with
// certificates that it gets itself.
type tlsSettings struct {
	certificate, key string
	// hosts are the names to get certificates for, with ACME.
	hosts                          hostList
	email, directory, roots, cache string
	// httpAddr is where plain HTTP is redirected; empty for nowhere.
	httpAddr string
}

func (s *tlsSettings) declare(f *flags) {
	f.StringVar(&s.certificate, "tls-cert", "", "PEM `FILE` of the certificate and its chain, to serve HTTPS; read again when it changes")
	f.StringVar(&s.key, "tls-key", "", "PEM `FILE` of the key of --tls-cert")
	f.Var(&s.hosts, "acme-hosts", "`LIST` of host names to serve HTTPS for, with certificates from --acme-directory, whose terms you accept thereby")
	f.StringVar(&s.email, "acme-email", "", "`ADDRESS` that the certificate authority may write to")
	f.StringVar(&s.directory, "acme-directory", acme.LetsEncryptURL, "`URL` of the ACME directory of the certificate authority")
	f.StringVar(&s.roots, "acme-roots", "", "PEM `FILE` of the certificates that --acme-directory itself is verified with; by default those of the system")
	f.StringVar(&s.cache, "acme-cache", "", "`DIRECTORY` for the certificates of --acme-hosts and their keys; by default landfall-certificates next to the database")
	f.StringVar(&s.httpAddr, "http-addr", "", "`HOST:PORT` for plain HTTP, such as :80: redirects to HTTPS, and answers the certificate authority")
}

// enabled reports whether the server speaks HTTPS.
func (s *tlsSettings) enabled() bool { return s.certificate != "" || len(s.hosts) > 0 }

// check validates the settings before anything is opened.
func (s *tlsSettings) check() error {
	directory, err := url.Parse(s.directory)
	switch {
	case s.certificate != "" && s.key == "":
		return usageErrorf("--tls-cert needs --tls-key, the file of its key")
	case s.certificate == "" && s.key != "":
		return usageErrorf("--tls-key needs --tls-cert, the file of its certificate")
	case s.certificate != "" && len(s.hosts) > 0:
		return usageErrorf("--tls-cert and --acme-hosts exclude each other: the certificate comes from a file or from an authority")
	case len(s.hosts) > 0 && (err != nil || directory.Scheme != "https" || directory.Host == ""):
		return usageErrorf("--acme-directory: %q is not an https URL", s.directory)
	case len(s.hosts) == 0 && (s.email != "" || s.roots != "" || s.cache != ""):
		return usageErrorf("--acme-email, --acme-roots and --acme-cache need --acme-hosts, the names to get certificates for")
	case s.httpAddr != "" && !s.enabled():
		return usageErrorf("--http-addr redirects to HTTPS: it needs --tls-cert or --acme-hosts")
	}
	if _, _, err := net.SplitHostPort(s.httpAddr); s.httpAddr != "" && err != nil {
		return usageErrorf("--http-addr: %q is not HOST:PORT", s.httpAddr)
	}
	return nil
}

// certificates are where the server's certificates come from.
type certificates struct {
	config *tls.Config
	// plain answers plain HTTP.
	plain http.Handler
	// keep gets and watches certificates until the context ends; nil if they come from
	// files.
	keep func(context.Context)
}

// open returns the certificates; nil where the server speaks plain HTTP.
func (s *tlsSettings) open(db string, log *slog.Logger) (*certificates, error) {
	switch {
	case s.certificate != "":
		files := &certificateFiles{certificate: s.certificate, key: s.key, log: log}
		if err := files.load(files.stamps()); err != nil {
			return nil, err
		}
		return &certificates{
			config: &tls.Config{GetCertificate: files.get, MinVersion: tls.VersionTLS12}, plain: http.HandlerFunc(httpserver.RedirectToHTTPS),
		}, nil
	case len(s.hosts) > 0:
		return s.openACME(db, log)
	}
	return nil, nil //nolint:nilnil // there are none
}

// openACME returns certificates of an authority. The challenge is answered on the port
// of HTTPS (TLS-ALPN-01), or on --http-addr (HTTP-01).
func (s *tlsSettings) openACME(db string, log *slog.Logger) (*certificates, error) {
	cache := s.cache
	if cache == "" && !isFile(db) && !isMemory(db) {
		return nil, usageErrorf("--acme-cache is missing: a PostgreSQL database has no directory for certificates; name one")
	}
	if cache == "" {
		cache = filepath.Join(filepath.Dir(db), "landfall-certificates")
	}
	transport := &http.Transport{Proxy: http.ProxyFromEnvironment}
	client := &acme.Client{
		DirectoryURL: s.directory, UserAgent: "landfall/" + release(),
		HTTPClient: &http.Client{Timeout: time.Minute, Transport: &orderLocations{base: transport}},
	}
	if s.roots != "" {
		text, err := os.ReadFile(s.roots)
		if err != nil {
			return nil, fmt.Errorf("--acme-roots: %w", err)
		}
		pool := x509.NewCertPool()
		if !pool.AppendCertsFromPEM(text) {
			return nil, fmt.Errorf("--acme-roots: %s has no certificate in PEM form", s.roots)
		}
		transport.TLSClientConfig = &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}
	}
	allowed := autocert.HostWhitelist(s.hosts...)
	m := &autocert.Manager{
		Prompt: autocert.AcceptTOS, Cache: autocert.DirCache(cache),
		HostPolicy: func(ctx context.Context, host string) error {
			if name, _, err := net.SplitHostPort(host); err == nil { // of plain HTTP at another port than 80
				host = name
			}
			return allowed(ctx, host)
		},
		Client: client, Email: s.email,
	}
	config := m.TLSConfig()
	config.MinVersion = tls.VersionTLS12
	keeper := &certificateKeeper{manager: m, hosts: s.hosts, authority: s.directory, log: log}
	return &certificates{config: config, plain: m.HTTPHandler(http.HandlerFunc(httpserver.RedirectToHTTPS)), keep: keeper.keep}, nil
}

// certificateKeeper gets certificates before clients need them, and reports those that
// cannot be had or renewed: autocert itself reports nothing.
type certificateKeeper struct {
	manager   *autocert.Manager
	hosts     []string
	authority string
	log       *slog.Logger
}

const (
	certificateRetry = 5 * time.Minute // doubled with each failure; authorities allow few an hour
	certificateLook  = 12 * time.Hour
	// certificateWarning is how long before the end of a certificate the log has a
	// warning. It is renewed 30 days before.
	certificateWarning = 14 * 24 * time.Hour
)

// keep looks at the certificates until ctx ends.
func (k *certificateKeeper) keep(ctx context.Context) {
	for retry := certificateRetry; ; {
		wait := certificateLook
		if k.look() {
			retry = certificateRetry
		} else {
			wait, retry = retry, min(2*retry, certificateLook)
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
	}
}

// look gets the certificates that are missing, and reports whether there are all.
func (k *certificateKeeper) look() (all bool) {
	all = true
	for _, host := range k.hosts {
		got, err := k.manager.GetCertificate(&tls.ClientHelloInfo{ // of a client that takes ECDSA, as all current ones
			ServerName: host, SupportedProtos: []string{"h2"}, CipherSuites: []uint16{tls.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256},
			SignatureSchemes: []tls.SignatureScheme{tls.ECDSAWithP256AndSHA256}, SupportedCurves: []tls.CurveID{tls.CurveP256},
		})
		switch {
		case err != nil:
			all = false
			k.log.Error("no certificate", "host", host, "authority", k.authority, "error", err)
		case time.Until(got.Leaf.NotAfter) < certificateWarning:
			k.log.Warn("the certificate is not renewed", "host", host, "authority", k.authority, "valid_until", got.Leaf.NotAfter)
		default:
			k.log.Info("certificate", "host", host, "valid_until", got.Leaf.NotAfter)
		}
	}
	return all
}

// certificateFiles are a certificate and a key in files, which are read again when
// they have changed.
type certificateFiles struct {
	certificate, key string
	log              *slog.Logger

	mu      sync.Mutex
	checked time.Time
	loaded  [2]fileStamp // of the files that were read, whether or not they are valid
	current *tls.Certificate
}

// fileStamp tells a file from the one that was there before.
type fileStamp struct {
	modified time.Time
	size     int64
}

// certificateCheckEvery is how often the files are looked at.
const certificateCheckEvery = time.Second

// get implements tls.Config.GetCertificate. While changed files cannot be read, as
// when one of them is still being written, the former certificate stays.
func (c *certificateFiles) get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now := time.Now(); now.Sub(c.checked) >= certificateCheckEvery {
		c.checked = now
		if stamps := c.stamps(); stamps != c.loaded {
			if err := c.load(stamps); err != nil {
				c.log.Error("the changed certificate cannot be used: the former one stays", "error", err)
			}
		}
	}
	return c.current, nil
}

func (c *certificateFiles) stamps() (stamps [2]fileStamp) {
	for i, path := range []string{c.certificate, c.key} {
		if info, err := os.Stat(path); err == nil {
			stamps[i] = fileStamp{info.ModTime(), info.Size()}
		}
	}
	return stamps
}

func (c *certificateFiles) load(stamps [2]fileStamp) error {
	c.loaded = stamps
	made, err := tls.LoadX509KeyPair(c.certificate, c.key)
	if err != nil {
		var missing *os.PathError
		if errors.As(err, &missing) {
			return fmt.Errorf("--tls-cert, --tls-key: %w", err)
		}
		return fmt.Errorf("--tls-cert %s, --tls-key %s: %w: give a certificate and its key in PEM form", c.certificate, c.key, err)
	}
	c.current = &made
	c.log.Info("certificate", "file", c.certificate, "names", strings.Join(made.Leaf.DNSNames, ","), "valid_until", made.Leaf.NotAfter)
	if now := time.Now(); now.After(made.Leaf.NotAfter) || now.Before(made.Leaf.NotBefore) {
		c.log.Warn("the certificate is not valid now", "file", c.certificate, "valid_from", made.Leaf.NotBefore, "valid_until", made.Leaf.NotAfter)
	}
	return nil
}

// hostList is a list of host names: tracking.example.com,api.example.com.
type hostList []string

func (l *hostList) String() string { return strings.Join(*l, ",") }

func (l *hostList) Set(s string) error {
	var list hostList
	for name := range strings.SplitSeq(s, ",") {
		name = strings.ToLower(strings.TrimSpace(name))
		if !strings.Contains(name, ".") || net.ParseIP(name) != nil || strings.ContainsFunc(name, func(r rune) bool {
			return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-' && r != '.'
		}) {
			return fmt.Errorf("%q is not a host name: write names as tracking.example.com,api.example.com, without a wildcard", name)
		}
		if !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	*l = list
	return nil
}
