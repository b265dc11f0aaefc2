package main

import (
	"cmp"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"database/sql"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// healthySetup is a setup in which doctor finds nothing: a database with an account and a
// webhook, its key, a certificate, a carrier and a backup.
type healthySetup struct {
	t                *testing.T
	dir, db, config  string
	certificate, key string
	backups          string
	flags, env       []string
	carrier          *httptest.Server
	status           atomic.Int64 // of the carrier; zero is 200
	carrierAhead     atomic.Int64 // of its clock, in seconds
}

func newHealthySetup(t *testing.T) *healthySetup {
	t.Helper()
	s := &healthySetup{t: t, dir: t.TempDir()}
	if err := os.Chmod(s.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	s.db, s.backups = filepath.Join(s.dir, "landfall.db"), t.TempDir()
	must(t, "keys", "create", "--account", "acme", "--db", s.db)
	must(t, "webhooks", "create", "--account", "acme", "--db", s.db, "--url", "https://hooks.example.com/x", "--events", "all")
	must(t, "backup", filepath.Join(s.backups, "copy.db"), "--db", s.db)
	s.complete()
	return s
}

// copied returns the same setup with files of its own.
func (s *healthySetup) copied(t *testing.T) *healthySetup {
	t.Helper()
	c := &healthySetup{t: t, dir: t.TempDir(), backups: t.TempDir()}
	c.ok(os.Chmod(c.dir, 0o700))
	c.db = filepath.Join(c.dir, "landfall.db")
	for name, data := range filesIn(t, s.dir) {
		c.write(filepath.Join(c.dir, name), string(data))
	}
	for name, data := range filesIn(t, s.backups) {
		c.write(filepath.Join(c.backups, name), string(data))
	}
	c.complete()
	return c
}

// complete adds a carrier, a certificate and the settings.
func (s *healthySetup) complete() {
	t := s.t
	t.Helper()
	s.carrier = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Date", time.Now().Add(time.Duration(s.carrierAhead.Load())*time.Second).UTC().Format(http.TimeFormat))
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(cmp.Or(int(s.status.Load()), http.StatusOK))
		fmt.Fprint(w, "[]")
	}))
	t.Cleanup(s.carrier.Close)
	s.config = writeIn(t, s.dir, "landfall.json", fmt.Sprintf(`{"carriers": {"MAEU": {"url": %q, "headers": {"Api-Key": {"env": "CARRIER_KEY"}}}}}`, s.carrier.URL))
	s.env = []string{"CARRIER_KEY=secret-of-the-carrier"}
	s.certificate, s.key, _ = newCertificate(t, t.TempDir(), publicName)
	s.valid(90 * 24 * time.Hour)
	s.flags = []string{"--addr", "127.0.0.1:0", "--backups", s.backups, "--free", "1", "--config", s.config,
		"--tls-cert", s.certificate, "--tls-key", s.key, "--public-url", "https://" + publicName}
}

// withoutName returns the flags without --public-url, which doctor would ask while a
// server runs.
func (s *healthySetup) withoutName() []string { return s.flags[:len(s.flags)-2] }

// valid makes a certificate that is valid for a time.
func (s *healthySetup) valid(left time.Duration) {
	s.t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		s.t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: publicName}, DNSNames: []string{publicName},
		NotBefore: time.Now().Add(-365 * 24 * time.Hour), NotAfter: time.Now().Add(left)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		s.t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		s.t.Fatal(err)
	}
	s.write(s.certificate, string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})))
	s.write(s.key, string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret})))
}

func (s *healthySetup) write(path, text string) { s.ok(os.WriteFile(path, []byte(text), 0o600)) }

func (s *healthySetup) ok(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

// sql changes the database without the program.
func (s *healthySetup) sql(statement string) {
	s.t.Helper()
	db, err := sql.Open("sqlite3", s.db)
	s.ok(err)
	defer db.Close()
	_, err = db.Exec(statement)
	s.ok(err)
}

func (s *healthySetup) aged(path string, age time.Duration) {
	s.t.Helper()
	at := time.Now().Add(-age)
	s.ok(os.Chtimes(path, at, at))
}

// doctor runs the command and returns the checks that found something, with their text.
func (s *healthySetup) doctor(args ...string) (found []string, text string) {
	s.t.Helper()
	r := runWith(s.t, "", s.env, slices.Concat([]string{"doctor", "--db", s.db, "--format", "json"}, s.flags, args)...)
	var report struct {
		Findings int
		Checks   []finding
	}
	if err := json.Unmarshal([]byte(r.stdout), &report); err != nil {
		s.t.Fatalf("exit %d: %v in %s%s", r.code, err, r.stdout, r.stderr)
	}
	for _, c := range report.Checks {
		if c.State == "finding" {
			found = append(found, c.Check)
			text += c.Text + ": " + c.Advice + "\n"
			if c.Advice == "" {
				s.t.Errorf("no advice with %q", c.Text)
			}
		}
	}
	if want := min(len(found), 1); r.code != want || report.Findings != len(found) {
		s.t.Errorf("exit %d with %d findings: %s", r.code, len(found), r.stderr)
	}
	if strings.Contains(r.stdout+r.stderr, "secret-of-the-carrier") {
		s.t.Error("the report shows a secret")
	}
	return found, text
}

// Each fault, planted alone in a healthy setup, is found by the line of its check alone,
// with the words. Nothing is changed by the search.
func TestDoctorFindsPlantedFaults(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("modes, owners and disks are checked on Linux")
	}
	healthy := newHealthySetup(t)
	for _, c := range []struct {
		name  string
		check string
		words []string
		plant func(s *healthySetup)
	}{
		{"everybody writes into the directory", "files", []string{"writable by everybody", "chmod o-w"}, func(s *healthySetup) { s.ok(os.Chmod(s.dir, 0o707)) }},
		{"others read the database", "files", []string{"landfall.db can be read by other users (mode 0644)", "chmod go-rwx"}, func(s *healthySetup) { s.ok(os.Chmod(s.db, 0o644)) }},
		{"another owner of the key", "files", []string{"landfall.db.key belongs to user 4711"}, func(s *healthySetup) {
			if os.Getuid() != 0 {
				s.t.Skip("only root gives files away")
			}
			s.ok(os.Chown(s.db+".key", 4711, -1))
		}},
		{"no directory of documents", "files", []string{"directory of documents", "is missing"}, func(s *healthySetup) { s.flags = append(s.flags, "--blobs", filepath.Join(s.dir, "none")) }},
		{"a database of another program", "database", []string{"another program", "restore a backup"}, func(s *healthySetup) {
			s.ok(os.Remove(s.db))
			s.sql("CREATE TABLE theirs (a)")
			s.ok(os.Chmod(s.db, 0o600))
		}},
		{"a database of a newer version", "database", []string{"newer program", "schema 99", "or a later one"}, func(s *healthySetup) { s.sql("UPDATE meta SET value = 99 WHERE name = 'oldest_schema'") }},
		{"records of a newer version", "database", []string{"newer version has stored records of party"}, func(s *healthySetup) { s.sql("UPDATE kinds SET revision = 'g000099' WHERE name = 'party'") }},
		{"no SQLite file", "database", []string{"not a database", "restore a backup"}, func(s *healthySetup) { s.write(s.db, strings.Repeat("x", 8192)) }},
		{"an empty database beside its key", "database", []string{"missing or empty", "restore a backup"}, func(s *healthySetup) { s.write(s.db, "") }},
		{"no database beside its key", "database", []string{"missing or empty", "restore a backup"}, func(s *healthySetup) { s.ok(os.Remove(s.db)) }},
		{"others read the key", "key", []string{"can be read by other users", "chmod 600"}, func(s *healthySetup) { s.ok(os.Chmod(s.db+".key", 0o644)) }},
		{"no key", "key", []string{"landfall.db.key is missing", "restore the key file"}, func(s *healthySetup) { s.ok(os.Remove(s.db + ".key")) }},
		{"another key", "key", []string{"not the one", "restore the right key file"}, func(s *healthySetup) { s.write(s.db+".key", strings.Repeat("ab", 32)) }},
		{"a damaged key", "key", []string{"neither base64 nor hex"}, func(s *healthySetup) { s.write(s.db+".key", "???") }},
		{"an inactive webhook", "webhooks", []string{"is inactive since 2026-11-01", "endpoint_failing", "repair the endpoint"}, func(s *healthySetup) {
			s.sql(`UPDATE r_webhook SET checksum = NULL, doc = CAST(json_set(doc, '$.attributes.active', json('false'), '$.attributes.deactivated_reason', 'endpoint_failing', '$.attributes.deactivated_at', '2026-11-01T10:00:00Z') AS BLOB)`)
		}},
		{"a full disk", "disk", []string{"of free space, less than 1024GiB"}, func(s *healthySetup) { s.flags = append(s.flags, "--free", "1024GiB") }},
		{"a clock that is behind", "clock", []string{"was written at", "NTP"}, func(s *healthySetup) { s.aged(s.db, -48*time.Hour) }},
		{"a clock that is not the carrier's", "clock", []string{"clock of MAEU differs by", "NTP"}, func(s *healthySetup) { s.carrierAhead.Store(-3600) }},
		{"a carrier that is gone", "carriers", []string{"MAEU", "the network"}, func(s *healthySetup) { s.carrier.Close() }},
		{"credentials of a carrier", "carriers", []string{"MAEU", "credentials are not accepted"}, func(s *healthySetup) { s.status.Store(http.StatusUnauthorized) }},
		{"a provider that is gone", "sign-in", []string{"127.0.0.1:1", "people cannot sign in there"}, func(s *healthySetup) {
			s.flags = append(s.flags, "--oidc-issuer", "http://127.0.0.1:1", "--oidc-client-id", "landfall", "--roles", "*=show")
		}},
		{"a secret that is not set", "settings", []string{"CARRIER_KEY is not set"}, func(s *healthySetup) { s.env = nil }},
		{"an expired certificate", "certificate", []string{"has expired at", "renew it now"}, func(s *healthySetup) { s.valid(-time.Hour) }},
		{"a certificate that expires", "certificate", []string{"expires at", "was not renewed"}, func(s *healthySetup) { s.valid(3 * 24 * time.Hour) }},
		{"another key of the certificate", "certificate", []string{"private key does not match"}, func(s *healthySetup) {
			text, err := os.ReadFile(s.certificate)
			s.ok(err)
			s.valid(90 * 24 * time.Hour)
			s.write(s.certificate, string(text))
		}},
		{"a certificate of another name", "certificate", []string{"other.example.com", "--public-url"}, func(s *healthySetup) { s.flags = append(s.flags, "--public-url", "https://other.example.com") }},
		{"everybody is a proxy", "proxy", []string{"0.0.0.0/0", "any address"}, func(s *healthySetup) { s.flags = append(s.flags, "--trust-proxy", "0.0.0.0/0") }},
		{"links by http", "proxy", []string{"is not https"}, func(s *healthySetup) { s.flags = append(s.flags, "--public-url", "http://"+publicName) }},
		{"profiles for everybody", "proxy", []string{"--admin-addr", "asks for no key"}, func(s *healthySetup) { s.flags = append(s.flags, "--admin-addr", ":9090") }},
		{"a port that is taken", "server", []string{"address already in use", "use another --addr"}, func(s *healthySetup) {
			l, err := net.Listen("tcp", "127.0.0.1:0")
			s.ok(err)
			s.t.Cleanup(func() { l.Close() })
			s.flags = append(s.flags, "--addr", l.Addr().String())
		}},
		{"an old backup", "backups", []string{"copy.db, is 48h", "landfall backup"}, func(s *healthySetup) { s.aged(filepath.Join(s.backups, "copy.db"), 48*time.Hour) }},
		{"no backup", "backups", []string{"there is no backup"}, func(s *healthySetup) { s.ok(os.Remove(filepath.Join(s.backups, "copy.db"))) }},
		{"the rest of a backup", "leftovers", []string{"copy.db.partial123"}, func(s *healthySetup) {
			s.write(filepath.Join(s.backups, "copy.db.partial123"), "x")
			s.aged(filepath.Join(s.backups, "copy.db.partial123"), 2*time.Hour)
		}},
		{"too much cache", "memory", []string{"may take 512GiB", "lower --cache"}, func(s *healthySetup) { s.flags = append(s.flags, "--cache", "512GiB", "--answers", "0") }},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := healthy.copied(t)
			c.plant(s)
			before := filesIn(t, s.dir)
			found, text := s.doctor()
			if !slices.Equal(found, []string{c.check}) {
				t.Errorf("found %s, want %s alone:\n%s", found, c.check, text)
			}
			for _, w := range c.words {
				if !strings.Contains(text, w) {
					t.Errorf("no %q in %s", w, text)
				}
			}
			sameFiles(t, before, filesIn(t, s.dir))
		})
	}
}

func sameFiles(t *testing.T, before, after map[string][]byte) {
	t.Helper()
	for name, data := range after {
		if string(before[name]) != string(data) {
			t.Errorf("%s was changed", name)
		}
	}
	if len(before) != len(after) {
		t.Errorf("%d files, there were %d", len(after), len(before))
	}
}

// In a healthy setup doctor finds nothing, also while a server runs.
func TestDoctorOfHealthySetup(t *testing.T) {
	t.Parallel()
	s := newHealthySetup(t)
	before := filesIn(t, s.dir)
	if found, text := s.doctor(); len(found) > 0 {
		t.Errorf("found %s:\n%s", found, text)
	}
	sameFiles(t, before, filesIn(t, s.dir))
	r := runWith(t, "", s.env, slices.Concat([]string{"doctor", "--db", s.db}, s.flags)...)
	if r.code != 0 || !strings.HasSuffix(r.stdout, "\n0 findings\n") {
		t.Errorf("exit %d: %s%s", r.code, r.stdout, r.stderr)
	}

	p := start(t, s.env, "--db", s.db, "--config", s.config, "--tls-cert", s.certificate, "--tls-key", s.key)
	address := strings.TrimSuffix(strings.TrimPrefix(p.base, "https://"), "/v2")
	s.flags = append(s.withoutName(), "--addr", address)
	found, text := s.doctor()
	if len(found) > 0 {
		t.Errorf("beside a server found %s:\n%s", found, text)
	}
}

// A server whose database is locked by another is seen, and one that does not answer.
func TestDoctorOfSilentServer(t *testing.T) {
	t.Parallel()
	s := newHealthySetup(t)
	start(t, s.env, "--db", s.db)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	s.ok(err)
	at := l.Addr().String()
	l.Close()
	s.flags = append(s.withoutName(), "--addr", at)
	found, text := s.doctor()
	if !slices.Contains(found, "server") || !strings.Contains(text, at+"/readyz does not answer") {
		t.Errorf("found %s:\n%s", found, text)
	}
	run(t, "doctor", "--format", "xml").refused(t, 2, "--format")
}
