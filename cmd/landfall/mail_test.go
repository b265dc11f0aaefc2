package main

import (
	"context"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net"
	"net/http"
	"net/http/cookiejar"
	netmail "net/mail"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/emersion/go-smtp"

	"github.com/landfallhq/tracking/internal/browsertest"
)

// mailServer keeps the e-mails that it gets.
type mailServer struct {
	address string
	got     chan sentMail
}

type sentMail struct {
	to, subject, unsubscribe, messageID, text, html string
}

func startMailServer(t *testing.T) *mailServer {
	t.Helper()
	m := &mailServer{got: make(chan sentMail, 100)}
	srv := smtp.NewServer(smtp.BackendFunc(func(*smtp.Conn) (smtp.Session, error) { return &mailSession{server: m}, nil }))
	srv.Domain = "localhost"
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	m.address = listener.Addr().String()
	var serving sync.WaitGroup
	serving.Go(func() { _ = srv.Serve(listener) })
	t.Cleanup(func() { srv.Close(); serving.Wait() })
	return m
}

// next waits for an e-mail.
func (m *mailServer) next(t *testing.T) sentMail {
	t.Helper()
	select {
	case got := <-m.got:
		return got
	case <-time.After(time.Minute):
		t.Fatal("no e-mail came")
		return sentMail{}
	}
}

func (m *mailServer) flags() []string {
	return []string{"--smtp", "smtp://" + m.address, "--smtp-allow-plain", "--mail-from", "Landfall <landfall@example.com>"}
}

type mailSession struct {
	server *mailServer
	to     string
}

func (s *mailSession) Mail(string, *smtp.MailOptions) error { return nil }
func (s *mailSession) Reset()                               {}
func (s *mailSession) Logout() error                        { return nil }

func (s *mailSession) Rcpt(to string, _ *smtp.RcptOptions) error {
	if strings.HasPrefix(to, "nobody@") {
		return &smtp.SMTPError{Code: 550, EnhancedCode: smtp.EnhancedCode{5, 1, 1}, Message: "no such user"}
	}
	s.to = to
	return nil
}

func (s *mailSession) Data(r io.Reader) error {
	m, err := netmail.ReadMessage(r)
	if err != nil {
		return err
	}
	got := sentMail{to: s.to, unsubscribe: strings.Trim(m.Header.Get("List-Unsubscribe"), "<> "), messageID: strings.Trim(m.Header.Get("Message-Id"), "<> ")}
	if got.subject, err = new(mime.WordDecoder).DecodeHeader(m.Header.Get("Subject")); err != nil {
		return err
	}
	_, params, err := mime.ParseMediaType(m.Header.Get("Content-Type"))
	if err != nil {
		return err
	}
	for parts := multipart.NewReader(m.Body, params["boundary"]); ; {
		part, err := parts.NextRawPart()
		if err != nil {
			break
		}
		body, err := io.ReadAll(quotedprintable.NewReader(part))
		if err != nil {
			return err
		}
		if strings.HasPrefix(part.Header.Get("Content-Type"), "text/html") {
			got.html = string(body)
		} else {
			got.text = string(body)
		}
	}
	s.server.got <- got
	return nil
}

// landfall mail test sends an example, and says what a server answers.
func TestMailTest(t *testing.T) {
	t.Parallel()
	m := startMailServer(t)
	test := append([]string{"mail", "test"}, m.flags()...)
	if out := must(t, append(test, "jane@example.com")...); !strings.Contains(out, "has taken an e-mail to jane@example.com") {
		t.Error(out)
	}
	if got := m.next(t); got.to != "jane@example.com" || !strings.HasPrefix(got.subject, "Vessel arrived") || got.unsubscribe != "" {
		t.Errorf("%+v", got)
	}
	run(t, append(test, "nobody@example.com")...).refused(t, 1, "rejected", "no such user")
	run(t, append(test, "nobody")...).refused(t, 2, "no e-mail address")
	run(t, "mail", "test", "jane@example.com").refused(t, 2, "--smtp is missing")
	run(t, "mail", "test", "--smtp", "smtp://"+m.address, "jane@example.com").refused(t, 2, "--mail-from is missing")
	run(t, append(test, "--mail-from", "x", "jane@example.com")...).refused(t, 2, "Config.From")
	run(t, "mail", "test", "--smtp", "smtp://"+m.address, "--mail-from", "a@example.com", "jane@example.com").refused(t, 1, "tls")
}

// TestDigestOfDemo: a user of the demo chooses e-mails and gets the digest; a mailbox that is gone
// and the link in the e-mail end them. LANDFALL_PICTURES names a directory for pictures of the
// digest.
func TestDigestOfDemo(t *testing.T) {
	t.Parallel()
	m := startMailServer(t)
	db, address := newDB(t), freeAddress(t)
	root := "http://" + address
	p := start(t, nil, append([]string{"--demo", "--db", db, "--addr", address, "--public-url", root}, m.flags()...)...)
	p.await("sort=pod_eta_at")
	b := newVisitor(t)
	first := regexp.MustCompile(`/sign-in/link\?token=([^\s"]+)`).FindStringSubmatch(must(t, "users", "create", "--account", "default", "--db", db, "--email", "jane@example.com", "--name", "Jane", "--link", "--public-url", root))
	if first == nil {
		t.Fatal("no link was printed")
	}
	b.post(t, root+"/sign-in/link", root+"/sign-in/link?token="+first[1], "token", first[1], "email", "jane@example.com", "password", "three small boats", "repeated", "three small boats")
	b.post(t, root+"/settings/mail", root+"/settings/mail", "digest", "yes", "digest_at", "07:00", "digest_days", "1", "timezone", "America/Los_Angeles")
	b.post(t, root+"/settings/mail/digest", root+"/settings/mail")
	got := m.next(t)
	if got.to != "jane@example.com" || !strings.Contains(got.subject, "open exceptions") || !strings.HasPrefix(got.unsubscribe, root+"/unsubscribe/") {
		t.Errorf("%+v", got)
	}
	for _, part := range []string{"Open exceptions", "Costing money", "Free time ending", "Arrivals", "Overdue"} {
		if !strings.Contains(got.text, part) || !strings.Contains(got.html, part) {
			t.Errorf("the digest has no part %s: %s", part, got.text)
		}
	}
	if n := strings.Count(got.text, root+"/containers/"); n < 3 {
		t.Errorf("%d links to containers: %s", n, got.text)
	}
	looksRight(t, got.html)
	bounce(t, db, got.messageID)
	if page := b.get(t, root+"/settings/mail"); !strings.Contains(page, "there is no such mailbox") {
		t.Errorf("after a bounce: %s", page)
	}
	b.post(t, root+"/settings/mail", root+"/settings/mail", "digest", "yes", "digest_at", "07:00", "digest_days", "1", "timezone", "America/Los_Angeles")
	answer, err := http.PostForm(got.unsubscribe, url.Values{"List-Unsubscribe": {"One-Click"}})
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatal(answer, err)
	}
	answer.Body.Close()
	if page := b.get(t, root+"/settings/mail"); !strings.Contains(page, "Ended") {
		t.Errorf("after unsubscribing: %s", page)
	}
	p.stop()
}

// bounce reports that an e-mail came back.
func bounce(t *testing.T, db, messageID string) {
	t.Helper()
	report := strings.ReplaceAll(`Content-Type: multipart/report; report-type=delivery-status; boundary=b

--b
Content-Type: message/delivery-status

Reporting-MTA: dns; relay.example.com

Action: failed
Status: 5.1.1

--b
Content-Type: text/rfc822-headers

Message-ID: <`+messageID+`>

--b--
`, "\n", "\r\n")
	if r := runWith(t, report, nil, "mail", "bounce", "--db", db); r.code != 0 || !strings.HasPrefix(r.stdout, "counted: 5.1.1") {
		t.Errorf("%+v", r)
	}
	if r := runWith(t, "Subject: hello\r\n\r\nhello", nil, "mail", "bounce", "--db", db); r.code != 0 || !strings.HasPrefix(r.stdout, "ignored: ") {
		t.Errorf("%+v", r)
	}
	unknown := strings.Replace(report, messageID[:32]+"."+messageID[33:65], messageID[:32]+"."+strings.Repeat("0", 32), 1)
	if r := runWith(t, unknown, nil, "mail", "bounce", "--db", db); r.code != 0 || !strings.HasPrefix(r.stdout, "ignored: ") {
		t.Errorf("%+v", r)
	}
}

// visitor is a browser without pictures.
type visitor struct{ *http.Client }

func newVisitor(t *testing.T) visitor {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return visitor{&http.Client{Jar: jar}}
}

func (v visitor) get(t *testing.T, at string) string {
	t.Helper()
	r, err := v.Get(at)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err != nil || r.StatusCode != http.StatusOK {
		t.Fatalf("%s: %d %v %s", at, r.StatusCode, err, body)
	}
	return string(body)
}

// post sends a form with the token of a page.
func (v visitor) post(t *testing.T, to, page string, pairs ...string) {
	t.Helper()
	token := formToken.FindStringSubmatch(v.get(t, page))
	if token == nil {
		t.Fatalf("%s has no form", page)
	}
	form := url.Values{"csrf": {token[1]}}
	for i := 0; i < len(pairs); i += 2 {
		form.Add(pairs[i], pairs[i+1])
	}
	r, err := v.PostForm(to, form)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	if body, _ := io.ReadAll(r.Body); r.StatusCode != http.StatusOK {
		t.Fatalf("%s: %d %s", to, r.StatusCode, body)
	}
}

// looksRight opens an e-mail in Chromium, wide, small and dark: nothing is wider than the window.
func looksRight(t *testing.T, html string) {
	t.Helper()
	ctx, complaints := browsertest.Start(t, 2*time.Minute)
	media := func(scheme string) chromedp.Action {
		return emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}})
	}
	for _, look := range []struct {
		name  string
		width int64
		media string
	}{{"digest", 720, "light"}, {"digest-small", 360, "light"}, {"digest-dark", 720, "dark"}} {
		var wider bool
		var picture []byte
		err := chromedp.Run(ctx, chromedp.Navigate("about:blank"), emulation.SetDeviceMetricsOverride(look.width, 900, 1, look.width < 400), media(look.media),
			chromedp.ActionFunc(func(ctx context.Context) error {
				tree, err := page.GetFrameTree().Do(ctx)
				if err != nil {
					return err
				}
				return page.SetDocumentContent(tree.Frame.ID, html).Do(ctx)
			}),
			chromedp.Evaluate(`document.documentElement.scrollWidth > innerWidth`, &wider),
			chromedp.ActionFunc(func(ctx context.Context) (err error) {
				picture, err = page.CaptureScreenshot().WithFormat(page.CaptureScreenshotFormatWebp).WithQuality(35).WithCaptureBeyondViewport(true).Do(ctx)
				return err
			}))
		if err != nil || wider {
			t.Errorf("%s: wider than the window: %v; %v", look.name, wider, err)
		}
		if dir := os.Getenv("LANDFALL_PICTURES"); dir != "" {
			if err := os.WriteFile(filepath.Join(dir, look.name+".webp"), picture, 0o644); err != nil {
				t.Error(err)
			}
		}
	}
	if list := complaints.Take(); len(list) > 0 {
		t.Errorf("the console has %v", list)
	}
}
