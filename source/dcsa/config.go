package dcsa

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"golang.org/x/time/rate"

	"github.com/landfallhq/tracking"
)

// Config says how one carrier is asked. Only SCAC and BaseURL are needed.
type Config struct {
	// SCAC is the shipping line that answers, and whose facts these are where a
	// question does not name one.
	SCAC string
	// BaseURL is what stands before /v2/events, such as
	// https://api.carrier.example or, with a path, https://api.carrier.example/tnt.
	// Plain http is for loopback addresses alone; see AllowHTTP.
	BaseURL string
	// AllowHTTP lets BaseURL and OAuth.TokenURL be plain http on any host. The
	// credentials then go over the wire for all to read.
	AllowHTTP bool
	// Source is the name of the source in reports. Defaults to "dcsa", as
	// Options.Source. An event that is pulled and also pushed is one fact only
	// when both go by the same name.
	Source string

	// Headers are sent with every request for events: API keys, by the name of
	// their header.
	Headers map[string]Secret
	// OAuth, when not nil, has a token fetched and sent as Authorization.
	// Carriers that want an API key besides have it in Headers.
	OAuth *OAuth
	// APIVersion is the header API-Version, the major version only. Defaults to
	// "2", the version of the path.
	APIVersion string
	// UserAgent defaults to "landfall".
	UserAgent string

	// EventTypes limits the answer to some of SHIPMENT, TRANSPORT, EQUIPMENT.
	// Defaults to none of them named, which means all.
	EventTypes []string
	// PageLimit is how many events to ask for at a time. Defaults to 100, the
	// standard's own; negative: the carrier decides.
	PageLimit int
	// Sort is the standard's parameter of that name, such as
	// eventCreatedDateTime:ASC. Defaults to none: an answer that lists the
	// newest event first is turned round, and not every carrier takes the parameter.
	Sort string

	// RequestTimeout bounds one request, its body included. Defaults to 20
	// seconds.
	RequestTimeout time.Duration
	// Timeout bounds one question: pages, repeats and waits together. Defaults
	// to 50 seconds; the engine's own bound (tracking.Config.SourceTimeout)
	// should be larger, so that the question ends with a reason.
	Timeout time.Duration
	// Patience is the longest wait within a question, be it before a request
	// that failed is repeated or because the carrier asked for a pause. What
	// would take longer is left to the engine, which asks again later. Defaults
	// to 5 seconds; negative: nothing is waited for and nothing repeated.
	Patience time.Duration
	// RequestsPerSecond and Burst pace the requests of all questions together.
	// Default to 5 and 5; negative RequestsPerSecond: not paced.
	RequestsPerSecond float64
	Burst             int
	// Concurrency bounds the requests at one time. Defaults to 4.
	Concurrency int
	// MaxBody bounds one page and MaxAnswer all pages of one answer, in bytes,
	// uncompressed. Default to 16 MiB and 64 MiB.
	MaxBody, MaxAnswer int64
	// MaxPages bounds the pages of one answer. Defaults to 100.
	MaxPages int

	// Transport carries the requests. Defaults to one like
	// http.DefaultTransport.
	Transport http.RoundTripper
	// Clock is what the carrier's pauses and the ends of tokens are measured by.
	// Defaults to the system's; tests that move the engine's clock give the same
	// one here.
	Clock tracking.Clock
}

// OAuth is how a token is had: OAuth 2.0 client credentials (RFC 6749, section
// 4.4). The token is kept until shortly before it ends, fetched once for all who
// wait for it, and fetched anew once when the carrier refuses it.
type OAuth struct {
	// TokenURL of the authorization server.
	TokenURL string
	// ClientID and ClientSecret are sent in the header, or in the body to a
	// server that does not take them there.
	ClientID     string
	ClientSecret Secret
	// Scopes and Audience are sent when they are not empty.
	Scopes   []string
	Audience string
}

// Secret is a text that does not show itself: printed, logged or encoded it is
// "***". Convert it to a string for the one use that it has.
type Secret string

// String returns "***".
func (Secret) String() string { return "***" }

// Format writes "***" for every verb; a verb that does not fit a text would
// otherwise print it.
func (Secret) Format(f fmt.State, _ rune) { io.WriteString(f, "***") } //nolint:errcheck // fmt keeps what is written in memory

// MarshalText returns "***".
func (Secret) MarshalText() ([]byte, error) { return []byte("***"), nil }

// LogValue returns "***".
func (Secret) LogValue() slog.Value { return slog.StringValue("***") }

func (c Config) withDefaults() Config {
	c.SCAC = strings.ToUpper(strings.TrimSpace(c.SCAC))
	c.Source = cmp.Or(c.Source, "dcsa")
	c.APIVersion = cmp.Or(c.APIVersion, "2")
	c.UserAgent = cmp.Or(c.UserAgent, "landfall")
	c.PageLimit = cmp.Or(c.PageLimit, 100)
	c.RequestTimeout = cmp.Or(c.RequestTimeout, 20*time.Second)
	c.Timeout = cmp.Or(c.Timeout, 50*time.Second)
	c.Patience = cmp.Or(c.Patience, 5*time.Second)
	c.RequestsPerSecond = cmp.Or(c.RequestsPerSecond, 5)
	c.Burst = cmp.Or(c.Burst, 5)
	c.Concurrency = cmp.Or(c.Concurrency, 4)
	c.MaxBody = cmp.Or(c.MaxBody, 16<<20)
	c.MaxAnswer = cmp.Or(c.MaxAnswer, 64<<20)
	c.MaxPages = cmp.Or(c.MaxPages, 100)
	c.Headers, c.EventTypes = maps.Clone(c.Headers), slices.Clone(c.EventTypes)
	if c.OAuth != nil {
		own := *c.OAuth
		own.Scopes = slices.Clone(own.Scopes)
		c.OAuth = &own
	}
	if c.Transport == nil {
		c.Transport = transport(c.Concurrency)
	}
	if c.Clock == nil {
		c.Clock = systemClock{}
	}
	return c
}

type systemClock struct{}

func (systemClock) Now() time.Time { return time.Now() }

// transport keeps as many connections as there are requests at one time, and
// reads no more headers than a carrier can need.
func transport(concurrency int) *http.Transport {
	t := &http.Transport{Proxy: http.ProxyFromEnvironment, ForceAttemptHTTP2: true}
	if usual, ok := http.DefaultTransport.(*http.Transport); ok {
		t = usual.Clone()
	}
	t.MaxIdleConnsPerHost = concurrency
	t.MaxResponseHeaderBytes = 64 << 10
	return t
}

// limit is the pace as the limiter has it.
func (c Config) limit() rate.Limit {
	if c.RequestsPerSecond < 0 {
		return rate.Inf
	}
	return rate.Limit(c.RequestsPerSecond)
}

var (
	scac       = regexp.MustCompile(`^[A-Z0-9]{2,4}$`)
	headerName = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)
	eventTypes = regexp.MustCompile(`^(SHIPMENT|TRANSPORT|EQUIPMENT)$`)
)

// validate names the member that is wrong and what is allowed, and never the
// value of a secret.
func (c Config) validate() error {
	if !scac.MatchString(c.SCAC) {
		return fmt.Errorf("dcsa: Config.SCAC is %q: it must be two to four letters or digits", c.SCAC)
	}
	if len(c.Source) > 64 {
		return errors.New("dcsa: Config.Source has more than 64 characters")
	}
	if err := c.checkURL("BaseURL", c.BaseURL); err != nil {
		return err
	}
	for _, n := range []struct {
		member string
		value  int64
	}{
		{"RequestTimeout", int64(c.RequestTimeout)}, {"Timeout", int64(c.Timeout)}, {"Burst", int64(c.Burst)},
		{"Concurrency", int64(c.Concurrency)}, {"MaxBody", c.MaxBody}, {"MaxAnswer", c.MaxAnswer}, {"MaxPages", int64(c.MaxPages)},
	} {
		if n.value < 0 {
			return fmt.Errorf("dcsa: Config.%s is negative: it must be positive, or 0 for the default", n.member)
		}
	}
	for _, t := range c.EventTypes {
		if !eventTypes.MatchString(t) {
			return fmt.Errorf("dcsa: Config.EventTypes has %q: each must be one of SHIPMENT, TRANSPORT, EQUIPMENT", t)
		}
	}
	for name, value := range c.Headers {
		switch {
		case !headerName.MatchString(name):
			return fmt.Errorf("dcsa: Config.Headers has %q: the name of a header has letters, digits and hyphens", name)
		case c.OAuth != nil && strings.EqualFold(name, "Authorization"):
			return errors.New("dcsa: Config.Headers has Authorization, which OAuth sets: give one of the two")
		case !sendable(string(value)):
			return fmt.Errorf("dcsa: Config.Headers[%q] is empty or holds a character that no header can have", name)
		}
	}
	return c.validateOAuth()
}

func (c Config) validateOAuth() error {
	if c.OAuth == nil {
		return nil
	}
	if err := c.checkURL("OAuth.TokenURL", c.OAuth.TokenURL); err != nil {
		return err
	}
	if c.OAuth.ClientID == "" || c.OAuth.ClientSecret == "" {
		return errors.New("dcsa: Config.OAuth needs a ClientID and a ClientSecret")
	}
	return nil
}

// sendable says whether a text can be the value of a header: printable ASCII.
func sendable(text string) bool {
	return text != "" && strings.TrimSpace(text) == text &&
		strings.IndexFunc(text, func(r rune) bool { return r < ' ' || r > '~' }) < 0
}

// checkURL refuses what cannot be asked, and what would show credentials.
func (c Config) checkURL(member, text string) error {
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http":
		return fmt.Errorf("dcsa: Config.%s must be a URL such as https://api.carrier.example", member)
	case u.User != nil || u.RawQuery != "" && member == "BaseURL" || u.Fragment != "":
		return fmt.Errorf("dcsa: Config.%s must have no user, query or fragment", member)
	case u.Scheme == "http" && !c.AllowHTTP && !loopback(u.Hostname()):
		return fmt.Errorf("dcsa: Config.%s is plain http: it must be https, but for loopback addresses or with AllowHTTP", member)
	}
	return nil
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
