package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/KimMachineGun/automemlimit/memlimit"

	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/source/dcsa"
	"github.com/landfallhq/tracking/storage"
)

// doctorTimeout bounds each request.
const doctorTimeout = 10 * time.Second

// checkLimits compares settings with memory and descriptors.
func (d *doctor) checkLimits() {
	const memory, descriptors = "memory", "descriptors"
	machine, _ := memlimit.FromSystem() // 0 if unknown
	cgroup, _ := memlimit.FromCgroup()
	most := machine
	if cgroup > 0 && (cgroup < most || most == 0) {
		most = cgroup
	}
	wanted := uint64(max(d.memory.available, 0))
	if most > 0 && wanted > most {
		d.found(memory, "set --memory to less", "--memory is %s, and the server can get %s", &d.memory.available, formatSize(most))
	}
	if wanted == 0 || most > 0 && wanted > most {
		wanted = most
	}
	caches := d.cache + d.answers + d.memory.bodies
	if wanted > 0 && uint64(caches) > wanted/2 {
		d.found(memory, "lower --cache, --answers or --body-memory, or give it more memory", "caches and request bodies may take %s of %s", formatSize(uint64(caches)), formatSize(wanted))
	}
	d.fine(memory, "%s, caches may take %s", formatSize(wanted), formatSize(uint64(caches)))
	if limit := descriptorLimit(); limit < unknownDescriptorLimit {
		d.found(descriptors, "raise it (ulimit -n, LimitNOFILE of systemd)", "the limit of open descriptors is %d, which leaves %d connections", limit, d.connections.all)
	} else {
		d.fine(descriptors, "%d, for %d connections", limit, d.connections.all)
	}
}

// clockSlack is the difference of clocks that is not reported.
const clockSlack = 2 * time.Minute

// checkClock compares the clock with the build of the program and with the files.
func (d *doctor) checkClock() {
	const check, advice = "clock", "set the clock, and let NTP keep it"
	now := time.Now()
	if built := buildTime(); built.After(now.Add(clockSlack)) {
		d.found(check, advice, "the clock says %s, before the program was built (%s)", formatTime(now), formatTime(built))
	}
	for _, path := range []string{resolved(d.db), resolved(d.db) + "-wal"} {
		if info, ok := modeOf(path); isFile(d.db) && ok && info.ModTime().After(now.Add(clockSlack)) {
			d.found(check, advice, "the clock says %s, and %s was written at %s", formatTime(now), path, formatTime(info.ModTime()))
		}
	}
	d.fine(check, "plausible")
}

// buildTime returns the time of the commit that the program was built from; zero if the
// build does not say.
func buildTime() time.Time {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.time" {
				t, _ := time.Parse(time.RFC3339, s.Value)
				return t
			}
		}
	}
	return time.Time{}
}

// checkProxies judges --trust-proxy, --public-url and the addresses.
func (d *doctor) checkProxies() {
	const check = "proxy"
	public := string(d.proxies.public)
	for _, n := range d.proxies.trusted {
		if least := 8; n.Bits() < least {
			d.found(check, "name the addresses of your proxies alone", "--trust-proxy %s is so wide that clients can name any address as theirs", n)
		}
	}
	switch {
	case strings.HasPrefix(public, "http://") && d.tls.enabled():
		d.found(check, "write https://", "--public-url %s is not https, but the server speaks HTTPS", public)
	case strings.HasPrefix(public, "https://") && !d.tls.enabled() && len(d.proxies.trusted) == 0:
		d.found(check, "set --trust-proxy to the address of the proxy", "--public-url is https, so a proxy stands before the server, and it is not trusted: all clients count as one address")
	}
	if !d.tls.enabled() && len(d.proxies.trusted) == 0 && reachable(d.addr) {
		d.found(check, "set --tls-cert or --acme-hosts, or listen on 127.0.0.1 behind a proxy with --trust-proxy", "--addr %s is open to other machines without TLS: API keys are sent in clear text", d.addr)
	}
	if d.adminAddr != "" && reachable(d.adminAddr) {
		d.found(check, "use 127.0.0.1, or allow only operators to reach it", "--admin-addr %s is open to other machines and asks for no key", d.adminAddr)
	}
	d.fine(check, "plausible")
}

// reachable reports whether other machines can reach a listening address.
func reachable(addr string) bool {
	host, _, err := net.SplitHostPort(addr)
	if err != nil || host == "localhost" {
		return false
	}
	a, err := netip.ParseAddr(host)
	return err != nil || !a.IsLoopback()
}

// checkCertificate checks the certificates of HTTPS.
func (d *doctor) checkCertificate() {
	const check = "certificate"
	switch {
	case d.tls.certificate != "":
		pair, err := tls.LoadX509KeyPair(d.tls.certificate, d.tls.key)
		if err != nil {
			d.found(check, "put the certificate with its chain, and its key, in these files", "--tls-cert %s, --tls-key %s: %v", d.tls.certificate, d.tls.key, err)
			return
		}
		if info, ok := modeOf(d.tls.key); ok && info.Mode().Perm()&0o004 != 0 {
			d.found(check, "run chmod o-rwx on it", "everybody can read the key %s", d.tls.key)
		}
		d.checkValidity(d.tls.certificate, pair.Leaf)
	case len(d.tls.hosts) > 0:
		cache := d.tls.cache
		if cache == "" {
			cache = filepath.Join(filepath.Dir(d.db), "landfall-certificates")
		}
		for _, host := range d.tls.hosts {
			text, err := os.ReadFile(filepath.Join(cache, host))
			if err != nil {
				continue // serve gets it when it starts
			}
			// The file of autocert has the key and the chain.
			if pair, err := tls.X509KeyPair(text, text); err != nil {
				d.found(check, "remove the file: serve gets another one", "%s is damaged: %v", filepath.Join(cache, host), err)
			} else {
				d.checkValidity(filepath.Join(cache, host), pair.Leaf)
			}
		}
	default:
		d.skip(check, "the server does not speak HTTPS")
		return
	}
	d.fine(check, "valid")
}

func (d *doctor) checkValidity(file string, leaf *x509.Certificate) {
	const check = "certificate"
	switch now := time.Now(); {
	case now.After(leaf.NotAfter):
		d.found(check, "renew it now: clients refuse it", "%s has expired at %s", file, formatTime(leaf.NotAfter))
	case now.Before(leaf.NotBefore):
		d.found(check, "look at the clock, or wait", "%s is valid only from %s", file, formatTime(leaf.NotBefore))
	case leaf.NotAfter.Sub(now) < certificateWarning:
		d.found(check, "renew it, and look why it was not renewed", "%s expires at %s", file, formatTime(leaf.NotAfter))
	}
	if _, host, ok := strings.Cut(string(d.proxies.public), "://"); ok {
		if name, _, err := net.SplitHostPort(host); err == nil {
			host = name
		}
		if err := leaf.VerifyHostname(host); err != nil {
			d.found(check, "get a certificate for the name of --public-url", "%s: %v", file, err)
		}
	}
}

// checkServer looks whether a server runs and answers, or whether one could.
func (d *doctor) checkServer(ctx context.Context) {
	const check = "server"
	if isFile(d.db) {
		running, err := storage.ServerRunning(d.db)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			d.found(check, "see whether another server holds the lock file", "%v", err)
			return
		}
		d.running = running
	}
	_, port, _ := net.SplitHostPort(d.addr)
	if !d.running {
		l, err := new(net.ListenConfig).Listen(ctx, "tcp", d.addr)
		if err != nil {
			d.found(check, "end the other program, use another --addr, or give the right to open the port (CAP_NET_BIND_SERVICE)", "no server has the database open, and --addr cannot be used: %v", err)
			return
		}
		l.Close()
		d.fine(check, "none is running, and %s is free", d.addr)
		return
	}
	if port != "0" {
		scheme := "http"
		if d.tls.enabled() {
			scheme = "https"
		}
		d.ask(ctx, check, scheme+"://"+d.addr+"/readyz", "look into its log")
	}
	if d.proxies.public != "" {
		d.ask(ctx, "proxy", string(d.proxies.public)+"/healthz", "look at the proxy, its certificate and the name in DNS")
	}
	d.fine(check, "one is running on the database")
}

// ask requests a health path, which must answer 200.
func (d *doctor) ask(ctx context.Context, check, url, advice string) {
	ctx, cancel := context.WithTimeout(ctx, doctorTimeout)
	defer cancel()
	// The certificate is for the public name; --addr is asked by its address.
	transport := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: check == "server", MinVersion: tls.VersionTLS12}} //nolint:gosec // sends no key
	defer transport.CloseIdleConnections()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		d.found(check, advice, "%v", err)
		return
	}
	answer, err := transport.RoundTrip(r)
	if err != nil {
		d.found(check, advice, "%s does not answer: %v", url, err)
		return
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(io.LimitReader(answer.Body, 200))
		d.found(check, advice, "%s answers %d: %s", url, answer.StatusCode, text)
	}
}

// unknownNumber is a number that no carrier has.
const unknownNumber = "LANDFALLDOCTOR"

// checkCarriers asks each carrier for a number that it does not have.
func (d *doctor) checkCarriers(ctx context.Context) {
	const check = "carriers"
	if len(d.carriers) == 0 {
		if !d.sandbox {
			d.skip(check, "none is configured: requests stay pending until facts are imported (docs/carriers.md)")
		}
		return
	}
	for _, scac := range slices.Sorted(maps.Keys(d.carriers)) {
		config, err := d.carriers[scac].config(scac, d.getenv)
		if err != nil {
			continue // a finding of the settings
		}
		dates := &dateReader{base: http.DefaultTransport}
		config.Transport, config.Timeout, config.Patience = dates, doctorTimeout, -1
		client, err := dcsa.New(config)
		if err != nil {
			continue
		}
		_, err = client.Track(ctx, freight.SourceQuery{SCAC: scac, Type: freight.BillOfLading, Number: unknownNumber, Normalized: unknownNumber})
		var fault *freight.SourceError
		if errors.As(err, &fault) && fault.Reason != freight.NumberNotFound && fault.Reason != freight.InvalidNumber {
			d.found(check, carrierAdvice(dates.status), "%s (%s): %v", scac, d.carriers[scac].URL, err)
		}
		if dates.ahead.Abs() > clockSlack {
			d.found("clock", "set the clock, and let NTP keep it", "the clock of %s differs by %s", scac, dates.ahead.Round(time.Second))
		}
	}
	d.fine(check, "%d, all of which answer", len(d.carriers))
}

// checkIssuer asks the OpenID Connect provider for its description and its keys.
func (d *doctor) checkIssuer(ctx context.Context) {
	const check = "sign-in"
	if d.signIn.openID.Issuer == "" {
		d.skip(check, "no OpenID Connect provider is configured")
		return
	}
	o, err := d.signIn.provider(d.program)
	if err != nil {
		return // a finding of the settings
	}
	dates := &dateReader{base: http.DefaultTransport}
	o.Client = &http.Client{Transport: dates, Timeout: doctorTimeout}
	if err := o.Check(ctx); err != nil {
		d.found(check, "look at --oidc-issuer, the network and the firewall: people cannot sign in there", "%s: %v", o.Issuer, err)
	}
	if dates.ahead.Abs() > clockSlack {
		d.found("clock", "set the clock, and let NTP keep it", "the clock of %s differs by %s", o.Issuer, dates.ahead.Round(time.Second))
	}
	d.fine(check, "%s answers", o.Issuer)
}

func carrierAdvice(status int) string {
	switch status {
	case 0:
		return "look at the URL, the network and the firewall"
	case http.StatusUnauthorized, http.StatusForbidden:
		return "the credentials are not accepted: renew them (docs/carriers.md)"
	}
	return fmt.Sprintf("the carrier answers %d: try again later, then ask its support", status)
}

// dateReader notes the status and the date of answers.
type dateReader struct {
	base   http.RoundTripper
	status int           // of the last answer; 0 for none
	ahead  time.Duration // by which the carrier's clock is ahead of ours
}

func (t *dateReader) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := t.base.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	t.status = answer.StatusCode
	if at, err := http.ParseTime(answer.Header.Get("Date")); err == nil {
		t.ahead = time.Until(at)
	}
	return answer, nil
}
