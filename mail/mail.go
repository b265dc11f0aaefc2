package mail

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	netmail "net/mail"
	"net/url"
	"strconv"
	"strings"
	"time"

	gomail "github.com/wneessen/go-mail"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/dashboard/catalog"
)

// Config configures a Sender. Server, From and PublicURL are required.
type Config struct {
	// Server is the URL of the mail server that takes the e-mails: smtp://host:587 with STARTTLS,
	// or smtps://host:465 with TLS from the beginning; the ports default to these. A user name
	// may stand before the host.
	Server string
	// Password of the user.
	Password string
	// From is the sender: an address, or a name with an address in angle brackets.
	From string
	// ReturnPath is the address that reports about e-mails that came back are sent to. Defaults
	// to the address of From.
	ReturnPath string
	// PublicURL is the scheme, the host and perhaps a path under which browsers reach the
	// dashboard, such as https://tracking.example.com, for links.
	PublicURL string
	// AllowPlain sends without TLS if the server offers none: for a server on this machine.
	AllowPlain bool
	// RootCAs verify the certificate of the server. Defaults to those of the machine.
	RootCAs *x509.CertPool
	// Version of the program, for the header User-Agent; may be empty.
	Version string
}

// Sender is a tracking.Notifier for URLs such as mailto:jane@example.com.
type Sender struct {
	host    string
	options []gomail.Option
	secret  string
	from    netmail.Address
	bounces string // the return path
	version string
	writer  writer
}

// Ports of mail servers that take e-mails from programs (RFC 8314).
const (
	submissionPort  = 587
	submissionsPort = 465
)

// exchangeTimeout limits one exchange with the server.
const exchangeTimeout = 30 * time.Second

// New returns a Sender. It opens no connection. The error names the member of the Config that is
// wrong.
func New(c Config) (*Sender, error) {
	s := &Sender{version: c.Version, secret: c.Password}
	if err := s.setServer(c); err != nil {
		return nil, err
	}
	from, err := netmail.ParseAddress(c.From)
	if err != nil {
		return nil, fmt.Errorf("mail: Config.From %q is no address such as Landfall <landfall@example.com>", c.From)
	}
	s.from, s.bounces = *from, cmp.Or(c.ReturnPath, from.Address)
	if a, err := netmail.ParseAddress(s.bounces); err != nil || a.Address != s.bounces {
		return nil, fmt.Errorf("mail: Config.ReturnPath %q is no address such as bounces@example.com", c.ReturnPath)
	}
	base, err := url.Parse(c.PublicURL)
	if err != nil || base.Scheme != "http" && base.Scheme != "https" || base.Host == "" || base.RawQuery != "" || base.Fragment != "" {
		return nil, fmt.Errorf("mail: Config.PublicURL %q must be a scheme and a host, such as https://tracking.example.com", c.PublicURL)
	}
	texts, err := catalog.Read("en")
	if err != nil {
		return nil, err
	}
	s.writer = writer{base: strings.TrimSuffix(c.PublicURL, "/"), texts: texts}
	return s, nil
}

func (s *Sender) setServer(c Config) error {
	u, err := url.Parse(c.Server)
	if err != nil || u.Scheme != "smtp" && u.Scheme != "smtps" || u.Hostname() == "" || strings.Trim(u.Path, "/") != "" || u.RawQuery != "" {
		return errors.New("mail: Config.Server must be smtp://host:587 or smtps://host:465, perhaps with a user name before the host")
	}
	if _, has := u.User.Password(); has {
		return errors.New("mail: Config.Server must not contain the password; set Config.Password")
	}
	s.host = u.Hostname()
	s.options = []gomail.Option{
		gomail.WithTimeout(exchangeTimeout),
		gomail.WithTLSConfig(&tls.Config{ServerName: s.host, RootCAs: c.RootCAs, MinVersion: tls.VersionTLS12}),
	}
	port, policy := submissionPort, gomail.TLSMandatory
	if c.AllowPlain {
		policy = gomail.TLSOpportunistic
	}
	if u.Scheme == "smtps" {
		port = submissionsPort
		s.options = append(s.options, gomail.WithSSL())
	} else {
		s.options = append(s.options, gomail.WithTLSPolicy(policy))
	}
	if text := u.Port(); text != "" {
		if port, err = strconv.Atoi(text); err != nil {
			return fmt.Errorf("mail: the port in Config.Server: %w", err)
		}
	}
	s.options = append(s.options, gomail.WithPort(port))
	if name := u.User.Username(); name != "" {
		s.options = append(s.options, gomail.WithUsername(name), gomail.WithPassword(c.Password), gomail.WithSMTPAuth(gomail.SMTPAuthAutoDiscover))
	}
	_, err = gomail.NewClient(s.host, s.options...)
	return err
}

// Check returns an error if the URL is no mailto: with one address.
func (s *Sender) Check(endpoint string) error {
	if tracking.MailAddress(endpoint) == "" {
		return errors.New("it is no URL such as mailto:jane@example.com")
	}
	return nil
}

// Send makes one attempt. A server that takes the e-mail may still return it later.
func (s *Sender) Send(ctx context.Context, d tracking.Dispatch) (o tracking.Outcome) {
	began := time.Now()
	defer func() { o.Total = time.Since(began) }()
	m, err := s.message(d)
	if err != nil {
		return tracking.Outcome{Failure: tracking.FailRejected, Detail: "the e-mail cannot be written: " + err.Error()}
	}
	client, err := gomail.NewClient(s.host, s.options...)
	if err != nil {
		return tracking.Outcome{Failure: tracking.FailConnect, Detail: err.Error()}
	}
	err = client.DialAndSendWithContext(ctx, m)
	if err == nil || m.IsDelivered() { // what follows the acceptance does not matter
		return tracking.Outcome{Status: accepted}
	}
	o = outcomeOf(ctx, err)
	if s.secret != "" {
		o.Detail = strings.ReplaceAll(o.Detail, s.secret, "********")
	}
	return o
}

// accepted is the reply of a server that has taken an e-mail (RFC 5321, 4.2.3).
const accepted = 250

// outcomeOf reads the error of an attempt.
func outcomeOf(ctx context.Context, err error) tracking.Outcome {
	o := tracking.Outcome{Failure: tracking.FailConnect, Detail: abbreviate(err.Error())}
	var refused *gomail.SendError
	var dns *net.DNSError
	var certificate *tls.CertificateVerificationError
	var timeout interface{ Timeout() bool }
	switch {
	case errors.As(err, &refused) && refused.ErrorCode() != 0:
		o.Status = refused.ErrorCode()
		o.Failure = tracking.FailStatus
		if o.Status >= 500 {
			o.Failure = tracking.FailRejected
			o.Gone = noMailbox(refused.EnhancedStatusCode())
		} else {
			o.Overloaded = true
		}
	case errors.As(err, &certificate) || strings.Contains(err.Error(), "tls:") || strings.Contains(err.Error(), "STARTTLS"):
		o.Failure = tracking.FailTLS
	case errors.As(err, &dns):
		o.Failure = tracking.FailDNS
	case ctx.Err() != nil || errors.As(err, &timeout) && timeout.Timeout():
		o.Failure = tracking.FailTimeout
	}
	return o
}

// noMailbox reports whether an enhanced status code says that the mailbox does not exist, or no
// longer (RFC 3463, 3.2).
func noMailbox(code string) bool {
	switch code {
	case "5.1.1", "5.1.2", "5.1.6", "5.1.10", "5.2.1":
		return true
	}
	return false
}

// maxDetail bounds what a server says.
const maxDetail = 500

func abbreviate(text string) string {
	if len(text) <= maxDetail {
		return text
	}
	return strings.ToValidUTF8(text[:maxDetail], "") + "..."
}

// message writes the e-mail.
func (s *Sender) message(d tracking.Dispatch) (*gomail.Msg, error) {
	if d.Mail == nil {
		return nil, errors.New("the dispatch is not one for an e-mail")
	}
	written, err := s.writer.write(d)
	if err != nil {
		return nil, err
	}
	m := gomail.NewMsg(gomail.WithNoDefaultUserAgent())
	m.FromMailAddress(&s.from)
	if err := errors.Join(m.EnvelopeFrom(s.bounces), m.AddToFormat(d.Mail.Name, tracking.MailAddress(d.URL))); err != nil {
		return nil, err
	}
	_, domain, _ := strings.Cut(s.from.Address, "@")
	m.SetMessageIDWithValue(messageID{d.ID, d.Mail.Account, d.Webhook}.String() + "@" + domain)
	m.SetDateWithValue(d.At)
	m.Subject(written.subject)
	m.SetUserAgent(strings.TrimSpace("Landfall " + s.version))
	m.SetGenHeader("Auto-Submitted", "auto-generated")
	m.SetGenHeader("X-Auto-Response-Suppress", "All")
	if written.unsubscribe != "" {
		m.SetGenHeader(gomail.HeaderListUnsubscribe, "<"+written.unsubscribe+">")
		m.SetGenHeader(gomail.HeaderListUnsubscribePost, "List-Unsubscribe=One-Click")
	}
	m.SetBodyString(gomail.TypeTextPlain, written.text)
	m.AddAlternativeString(gomail.TypeTextHTML, written.html)
	return m, nil
}
