package mail

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http/httptest"
	netmail "net/mail"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
	"github.com/google/uuid"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freight"
)

var update = flag.Bool("update", false, "write the golden e-mails")

// server is a mail server on this machine.
type server struct {
	address string
	roots   *x509.CertPool

	mu       sync.Mutex
	received []received
	// refuse, unless nil, is the answer to the next recipients; cut ends connections in place of
	// an answer to the content, after it was taken.
	refuse error
	cut    bool
}

type received struct {
	from, to, user string
	encrypted      bool
	content        string
}

const relayUser, relayPassword = "landfall", "anchor-chain"

// startServer starts a server with STARTTLS, with TLS from the beginning, or without.
func startServer(t *testing.T, kind string) *server {
	t.Helper()
	s := &server{}
	backend := smtp.BackendFunc(func(c *smtp.Conn) (smtp.Session, error) { return &session{server: s, conn: c}, nil })
	srv := smtp.NewServer(backend)
	srv.Domain, srv.ReadTimeout, srv.ErrorLog = "localhost", 10*time.Second, discard{}
	certified := httptest.NewTLSServer(nil) // for its certificate, which names example.com
	certificate := certified.TLS.Certificates[0]
	s.roots = x509.NewCertPool()
	s.roots.AddCert(certified.Certificate())
	certified.Close()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s.address = listener.Addr().String()
	switch kind {
	case "starttls":
		srv.TLSConfig = &tls.Config{Certificates: []tls.Certificate{certificate}}
	case "tls":
		listener = tls.NewListener(listener, &tls.Config{Certificates: []tls.Certificate{certificate}})
	case "plain":
		srv.AllowInsecureAuth = true
	}
	done := make(chan struct{})
	go func() { defer close(done); _ = srv.Serve(listener) }()
	t.Cleanup(func() { srv.Close(); <-done })
	return s
}

type discard struct{}

func (discard) Printf(string, ...any) {}
func (discard) Println(...any)        {}

type session struct {
	*server
	conn *smtp.Conn
	received
}

func (s *session) AuthMechanisms() []string { return []string{sasl.Plain} }

func (s *session) Auth(string) (sasl.Server, error) {
	return sasl.NewPlainServer(func(_, user, password string) error {
		if user != relayUser || password != relayPassword {
			return smtp.ErrAuthFailed
		}
		s.user = user
		return nil
	}), nil
}

func (s *session) Mail(from string, _ *smtp.MailOptions) error { s.from = from; return nil }

func (s *session) Rcpt(to string, _ *smtp.RcptOptions) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.to = to
	return s.refuse
}

func (s *session) Data(r io.Reader) error {
	content, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	_, s.encrypted = s.conn.TLSConnectionState()
	s.content = string(content)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.server.received = append(s.server.received, s.received)
	if s.cut {
		s.conn.Conn().Close()
	}
	return nil
}

func (s *session) Reset()        {}
func (s *session) Logout() error { return nil }

func (s *server) all() []received {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]received(nil), s.received...)
}

func (s *server) config(scheme string) Config {
	return Config{
		Server: scheme + "://" + relayUser + "@" + s.address, Password: relayPassword,
		From: "Landfall <landfall@example.com>", ReturnPath: "bounces@example.com", PublicURL: "https://tracking.example.com", RootCAs: s.roots, Version: "1.2",
	}
}

func newSender(t *testing.T, c Config) *Sender {
	t.Helper()
	s, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// dispatchOf is an e-mail of examples of events.
func dispatchOf(t *testing.T, events ...tracking.EventName) tracking.Dispatch {
	t.Helper()
	d := tracking.Dispatch{
		ID: uuid.MustParse("00000000-0000-4000-8000-000000000001"), Webhook: uuid.MustParse("00000000-0000-4000-8000-000000000003"),
		URL: "mailto:kim@example.com", At: time.Date(2026, 11, 28, 7, 0, 0, 0, time.UTC),
		Mail: &tracking.MailDispatch{Name: "Kim Müller", Timezone: "Europe/Amsterdam", Account: tracking.AccountID(uuid.MustParse("00000000-0000-4000-8000-000000000002")), UnsubscribeToken: "token"},
	}
	for _, e := range events {
		body, err := tracking.Describe().ExampleNotification(e)
		if err != nil {
			t.Fatal(err)
		}
		d.Mail.Bodies = append(d.Mail.Bodies, body)
	}
	d.Body = d.Mail.Bodies[0]
	return d
}

func TestSend(t *testing.T) {
	for kind, scheme := range map[string]string{"starttls": "smtp", "tls": "smtps"} {
		t.Run(kind, func(t *testing.T) {
			srv := startServer(t, kind)
			sender := newSender(t, srv.config(scheme))
			d := dispatchOf(t, freight.VesselArrived)
			if o := sender.Send(t.Context(), d); o.Failure != "" || o.Status != 250 || o.Total <= 0 {
				t.Fatalf("%+v", o)
			}
			got := srv.all()
			if len(got) != 1 || got[0].from != "bounces@example.com" || got[0].to != "kim@example.com" || got[0].user != relayUser || !got[0].encrypted {
				t.Fatalf("%+v", got)
			}
			m, err := netmail.ReadMessage(strings.NewReader(got[0].content))
			if err != nil {
				t.Fatal(err)
			}
			for name, want := range map[string]string{
				"From": `"Landfall" <landfall@example.com>`, "To": `=?utf-8?q?Kim_M=C3=BCller?= <kim@example.com>`,
				"Date": "Sat, 28 Nov 2026 07:00:00 +0000", "User-Agent": "Landfall 1.2", "Auto-Submitted": "auto-generated",
				"Message-Id":            "<00000000000040008000000000000001.00000000000040008000000000000002.00000000000040008000000000000003@example.com>",
				"List-Unsubscribe":      "<https://tracking.example.com/unsubscribe/token>",
				"List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
				"Subject":               "Vessel arrived: TSTU1001000, Los Angeles",
			} {
				if got := strings.Join(strings.Fields(m.Header.Get(name)), " "); got != want {
					t.Errorf("%s: %s, want %s", name, got, want)
				}
			}
			if !strings.HasPrefix(m.Header.Get("Content-Type"), "multipart/alternative") {
				t.Error(m.Header.Get("Content-Type"))
			}
		})
	}
}

// Refusals of a server for good and for now, and servers that cannot be reached, have outcomes of their own.
func TestFailures(t *testing.T) {
	answer := func(code int, enhanced smtp.EnhancedCode) error {
		return &smtp.SMTPError{Code: code, EnhancedCode: enhanced, Message: "refused " + relayPassword}
	}
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed.Close()
	for name, tt := range map[string]struct {
		kind   string
		refuse error
		change func(*Config)
		want   tracking.Outcome
	}{
		"no mailbox":   {kind: "tls", refuse: answer(550, smtp.EnhancedCode{5, 1, 1}), want: tracking.Outcome{Status: 550, Failure: tracking.FailRejected, Gone: true}},
		"refused":      {kind: "tls", refuse: answer(554, smtp.EnhancedCode{5, 7, 1}), want: tracking.Outcome{Status: 554, Failure: tracking.FailRejected}},
		"later":        {kind: "tls", refuse: answer(451, smtp.EnhancedCode{4, 7, 1}), want: tracking.Outcome{Status: 451, Failure: tracking.FailStatus, Overloaded: true}},
		"no TLS":       {kind: "plain", change: func(c *Config) { c.Server = strings.Replace(c.Server, "smtps", "smtp", 1) }, want: tracking.Outcome{Failure: tracking.FailTLS}},
		"another name": {kind: "tls", change: func(c *Config) { c.RootCAs = x509.NewCertPool() }, want: tracking.Outcome{Failure: tracking.FailTLS}},
		"closed":       {kind: "tls", change: func(c *Config) { c.Server = "smtps://" + closed.Addr().String() }, want: tracking.Outcome{Failure: tracking.FailConnect}},
		"no host":      {kind: "tls", change: func(c *Config) { c.Server = "smtps://relay.invalid" }, want: tracking.Outcome{Failure: tracking.FailDNS}},
		"password":     {kind: "tls", change: func(c *Config) { c.Password = "wrong" }, want: tracking.Outcome{Failure: tracking.FailConnect}},
	} {
		t.Run(name, func(t *testing.T) {
			srv := startServer(t, tt.kind)
			srv.refuse = tt.refuse
			c := srv.config("smtps")
			if tt.change != nil {
				tt.change(&c)
			}
			o := newSender(t, c).Send(t.Context(), dispatchOf(t, freight.VesselArrived))
			if o.Failure != tt.want.Failure || o.Status != tt.want.Status || o.Gone != tt.want.Gone || o.Overloaded != tt.want.Overloaded || o.Detail == "" {
				t.Errorf("%+v, want %+v", o, tt.want)
			}
			if strings.Contains(o.Detail, c.Password) || len(srv.all()) != 0 {
				t.Errorf("detail %q, %d e-mails", o.Detail, len(srv.all()))
			}
		})
	}
}

// A server that takes the e-mail and does not answer may have sent it: the attempt has failed, and
// the next one has the same Message-ID.
func TestCutAfterTheContent(t *testing.T) {
	srv := startServer(t, "tls")
	srv.cut = true
	sender := newSender(t, srv.config("smtps"))
	d := dispatchOf(t, freight.VesselArrived)
	if o := sender.Send(t.Context(), d); o.Failure == "" {
		t.Errorf("%+v", o)
	}
	srv.mu.Lock()
	srv.cut = false
	srv.mu.Unlock()
	if o := sender.Send(t.Context(), d); o.Failure != "" {
		t.Errorf("%+v", o)
	}
	got := srv.all()
	if len(got) != 2 || messageIDOf(t, got[0]) != messageIDOf(t, got[1]) {
		t.Errorf("%d e-mails", len(got))
	}
}

func messageIDOf(t *testing.T, r received) string {
	t.Helper()
	m, err := netmail.ReadMessage(strings.NewReader(r.content))
	if err != nil {
		t.Fatal(err)
	}
	return m.Header.Get("Message-Id")
}

// A server on this machine may have no TLS, if the operator says so.
func TestPlain(t *testing.T) {
	srv := startServer(t, "plain")
	c := srv.config("smtp")
	c.AllowPlain, c.Server, c.Password = true, "smtp://"+srv.address, ""
	if o := newSender(t, c).Send(t.Context(), dispatchOf(t, freight.VesselArrived)); o.Failure != "" || len(srv.all()) != 1 {
		t.Errorf("%+v", o)
	}
}

func TestConfigIsChecked(t *testing.T) {
	valid := Config{Server: "smtp://relay.example.com", From: "a@example.com", PublicURL: "https://example.com"}
	if _, err := New(valid); err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		change func(*Config)
		want   string
	}{
		"no server":   {func(c *Config) { c.Server = "" }, "Config.Server"},
		"scheme":      {func(c *Config) { c.Server = "https://relay.example.com" }, "Config.Server"},
		"password":    {func(c *Config) { c.Server = "smtp://a:b@relay.example.com" }, "Config.Password"},
		"path":        {func(c *Config) { c.Server = "smtp://relay.example.com/x" }, "Config.Server"},
		"port":        {func(c *Config) { c.Server = "smtp://relay.example.com:70000" }, "port"},
		"from":        {func(c *Config) { c.From = "Landfall" }, "Config.From"},
		"return path": {func(c *Config) { c.ReturnPath = "A <a@example.com>" }, "Config.ReturnPath"},
		"no URL":      {func(c *Config) { c.PublicURL = "" }, "Config.PublicURL"},
		"query":       {func(c *Config) { c.PublicURL = "https://example.com?x=1" }, "Config.PublicURL"},
	} {
		c := valid
		tt.change(&c)
		if _, err := New(c); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	s := newSender(t, valid)
	for url, ok := range map[string]bool{"mailto:kim@example.com": true, "https://example.com": false, "mailto:": false} {
		if err := s.Check(url); (err == nil) != ok {
			t.Errorf("%s: %v", url, err)
		}
	}
}

// The e-mails of every event, as a person reads them: testdata/alerts.txt.
func TestAlertsOfEveryEvent(t *testing.T) {
	w := newSender(t, Config{Server: "smtp://localhost", From: "a@example.com", PublicURL: "https://tracking.example.com"}).writer
	var all strings.Builder
	for _, category := range tracking.Describe().EventCategories {
		for _, e := range category.Events {
			out, err := w.write(dispatchOf(t, e.Name))
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&all, "=== %s\nSubject: %s\n\n%s\n", e.Name, out.subject, strings.SplitN(out.text, "\n--\n", 2)[0])
			if strings.Contains(out.html, "ZgotmplZ") || strings.Contains(out.text, "<no value>") || strings.Contains(out.text, " 0001") {
				t.Errorf("%s: %s", e.Name, out.text)
			}
		}
	}
	golden(t, "alerts.txt", all.String())
	out, err := w.write(dispatchOf(t, freight.VesselArrived, freight.VesselDischarged, freight.VesselDeparted))
	if err != nil || out.subject != "Vessel arrived: TSTU1001000, Los Angeles, and 2 more events" {
		t.Errorf("%s %v", out.subject, err)
	}
	golden(t, "three-alerts.html", out.html)
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(want) != got {
		t.Errorf("%s has changed: look at it, then go test ./mail -update\n%s", path, got)
	}
}

// Texts of others cannot become markup or headers.
func TestHostileTexts(t *testing.T) {
	w := newSender(t, Config{Server: "smtp://localhost", From: "a@example.com", PublicURL: "https://tracking.example.com"}).writer
	d := dispatchOf(t, freight.VesselArrived)
	hostile := "<script>x</script>\\r\\nBcc: all@example.com"
	d.Mail.Bodies[0] = bytes.ReplaceAll(d.Mail.Bodies[0], []byte("TSTU1001000"), []byte(hostile))
	out, err := w.write(d)
	if err != nil || strings.Contains(out.html, "<script>") {
		t.Errorf("%v %s", err, out.html)
	}
	srv := startServer(t, "tls")
	if o := newSender(t, srv.config("smtps")).Send(t.Context(), d); o.Failure != "" {
		t.Fatalf("%+v", o)
	}
	m, err := netmail.ReadMessage(strings.NewReader(srv.all()[0].content))
	if err != nil || m.Header.Get("Bcc") != "" {
		t.Errorf("%v %v", err, m.Header)
	}
	for _, body := range []string{"", "{}", "[]", `{"data":5}`, `{"included":[5]}`, `{"included":[{"type":"digest","attributes":[]}]}`} {
		d.Mail.Bodies = [][]byte{[]byte(body)}
		_, _ = w.write(d) // without a panic
	}
}

// digestOf is an e-mail of a digest.
func digestOf(t *testing.T, d tracking.Digest) tracking.Dispatch {
	t.Helper()
	attributes, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	out := dispatchOf(t, freight.VesselArrived)
	out.Body = fmt.Appendf(nil, `{"data":{"attributes":{"event":"digest"},"relationships":{"reference_object":{"data":null}}},"included":[{"id":"1","type":"digest","attributes":%s}]}`, attributes)
	out.Mail.Bodies = [][]byte{out.Body}
	return out
}

// The digest as a person reads it: testdata/digest.txt and testdata/digest.html.
func TestDigest(t *testing.T) {
	w := newSender(t, Config{Server: "smtp://localhost", From: "a@example.com", PublicURL: "https://tracking.example.com"}).writer
	id := uuid.MustParse("00000000-0000-4000-8000-000000000004")
	at := time.Date(2026, 11, 30, 23, 0, 0, 0, time.UTC)
	part := func(total int, rows ...tracking.DigestRow) tracking.DigestPart {
		return tracking.DigestPart{Total: total, Rows: rows}
	}
	out, err := w.write(digestOf(t, tracking.Digest{
		Date: "2026-11-28", Timezone: "Europe/Amsterdam",
		Exceptions: part(12, tracking.DigestRow{Type: "exception", ID: id, Number: "TSTU1001000", Place: "Rotterdam", Kind: "hold", Severity: "high", Detail: "Container TSTU1001000 is not released: customs hold since 26 November 2026."}),
		Costs:      part(1, tracking.DigestRow{Type: "container", ID: id, Number: "TSTU1001000", Place: "Rotterdam", Amount: "560.00", Tomorrow: "95.00", Currency: "EUR"}),
		FreeTime:   part(1, tracking.DigestRow{Type: "container", ID: id, Number: "TSTU1001001", Place: "Rotterdam", Date: "2026-11-28"}),
		Arrivals:   part(1, tracking.DigestRow{Type: "shipment", ID: id, Number: "TEST10010001", Place: "Los Angeles", At: at, Timezone: "America/Los_Angeles", Vessel: "AMBER HERON"}),
		Overdue:    part(1, tracking.DigestRow{Type: "container", ID: id, Number: "TSTU1001002", Place: "Hamburg", Kind: "container.transport.vessel_arrived", At: at, Timezone: "Europe/Berlin"}),
	}))
	if err != nil || out.subject != "Sat 28 Nov 2026: open exceptions 12, costing money 1, free time ending 1, arrivals 1, overdue 1" {
		t.Fatalf("%s %v", out.subject, err)
	}
	golden(t, "digest.txt", out.text)
	golden(t, "digest.html", out.html)
	out, err = w.write(digestOf(t, tracking.Digest{Date: "2026-11-28", Timezone: "Europe/Amsterdam"}))
	if err != nil || out.subject != "Sat 28 Nov 2026: nothing needs attention" || !strings.Contains(out.text, "Nothing is overdue.") {
		t.Errorf("%s %v %s", out.subject, err, out.text)
	}
}
