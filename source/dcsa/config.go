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

// Config configures the client of one carrier. Only SCAC and BaseURL are required.
type Config struct {
	// SCAC is the shipping line that answers, and the SCAC of facts if a query does
	// not name one.
	SCAC string
	// BaseURL is the URL before /v2/events, such as https://api.carrier.example or
	// https://api.carrier.example/tnt. Plain http is allowed only for loopback
	// addresses; see AllowHTTP.
	BaseURL string
	// AllowHTTP allows plain http for BaseURL and OAuth.TokenURL on any host.
	// Credentials are then sent unencrypted.
	AllowHTTP bool
	// Source is the name of the source in reports. Defaults to "dcsa", as
	// Options.Source. An event that is both pulled and pushed is one fact only if
	// both use the same name.
	Source string

	// Headers are sent with every request for events, such as API keys.
	Headers map[string]Secret
	// OAuth, if not nil, adds a token as Authorization. A carrier that also needs
	// an API key has it in Headers.
	OAuth *OAuth
	// APIVersion is the value of the header API-Version, the major version only.
	// Defaults to "2", the version of the path.
	APIVersion string
	// UserAgent defaults to "landfall".
	UserAgent string

	// EventTypes limits the answer to some of SHIPMENT, TRANSPORT, EQUIPMENT.
	// Defaults to all.
	EventTypes []string
	// PageLimit is the number of events per page. Defaults to 100, as in the
	// standard; a negative value leaves it to the carrier.
	PageLimit int
	// Sort is the parameter sort of the standard, such as eventCreatedDateTime:ASC.
	// Defaults to none, because not every carrier accepts it; an answer with the
	// newest event first is reversed.
	Sort string

	// RequestTimeout bounds one request including its body. Defaults to 20 seconds.
	RequestTimeout time.Duration
	// Timeout bounds one query with all its pages, repeats and waits. Defaults to
	// 50 seconds. The engine's own bound (tracking.Config.SourceTimeout) should be
	// larger, so that a query ends with a reason.
	Timeout time.Duration
	// Patience is the longest wait within a query, before a request is repeated or
	// during a pause. Longer waits are left to the engine, which asks again later.
	// Defaults to 5 seconds; a negative value means no waits and no repeats.
	Patience time.Duration
	// RequestsPerSecond and Burst limit the rate of the requests of all queries
	// together. They default to 5; a negative RequestsPerSecond means no limit.
	RequestsPerSecond float64
	Burst             int
	// Concurrency is the number of concurrent requests. Defaults to 4.
	Concurrency int
	// MaxBody bounds one page and MaxAnswer all pages of an answer, in uncompressed
	// bytes. They default to 16 MiB and 64 MiB.
	MaxBody, MaxAnswer int64
	// MaxPages bounds the number of pages of an answer. Defaults to 100.
	MaxPages int

	// Transport sends the requests. Defaults to a copy of http.DefaultTransport.
	Transport http.RoundTripper
	// Clock measures pauses and the life of tokens. Defaults to the system's clock;
	// tests that move the engine's clock use the same one here.
	Clock tracking.Clock
}

// OAuth configures OAuth 2.0 client credentials (RFC 6749, section 4.4). A token is
// reused until shortly before it expires, fetched once for all concurrent queries,
// and fetched once more when the carrier refuses it.
type OAuth struct {
	// TokenURL is the token endpoint of the authorization server.
	TokenURL string
	// ClientID and ClientSecret are sent in the header, or in the body if the
	// server does not accept the header.
	ClientID     string
	ClientSecret Secret
	// Scopes and Audience are sent if they are not empty.
	Scopes   []string
	Audience string
}

// Secret is a text that is printed, logged and encoded as "***". Convert it to a
// string to use it.
type Secret string

// String returns "***".
func (Secret) String() string { return "***" }

// Format writes "***" for every verb; otherwise package fmt prints the text for a
// verb that does not fit.
func (Secret) Format(f fmt.State, _ rune) { io.WriteString(f, "***") } // fmt writes to memory

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

// transport allows as many idle connections as concurrent requests, and bounds the
// response headers.
func transport(concurrency int) *http.Transport {
	t := &http.Transport{Proxy: http.ProxyFromEnvironment, ForceAttemptHTTP2: true}
	if usual, ok := http.DefaultTransport.(*http.Transport); ok {
		t = usual.Clone()
	}
	t.MaxIdleConnsPerHost = concurrency
	t.MaxResponseHeaderBytes = 64 << 10
	return t
}

// limit returns the rate for the limiter.
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

// validate returns an error for the first invalid member. It never contains a
// secret.
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
			return errors.New("dcsa: Config.Headers has Authorization, which OAuth sets: use only one of them")
		case !sendable(string(value)):
			return fmt.Errorf("dcsa: Config.Headers[%q] is empty or has a character that is not allowed in headers", name)
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

// sendable reports whether a text can be the value of a header: printable ASCII.
func sendable(text string) bool {
	return text != "" && strings.TrimSpace(text) == text &&
		strings.IndexFunc(text, func(r rune) bool { return r < ' ' || r > '~' }) < 0
}

// checkURL refuses URLs that cannot be requested, or that contain credentials.
func (c Config) checkURL(member, text string) error {
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http":
		return fmt.Errorf("dcsa: Config.%s must be a URL such as https://api.carrier.example", member)
	case u.User != nil || u.RawQuery != "" && member == "BaseURL" || u.Fragment != "":
		return fmt.Errorf("dcsa: Config.%s must have no user, query or fragment", member)
	case u.Scheme == "http" && !c.AllowHTTP && !loopback(u.Hostname()):
		return fmt.Errorf("dcsa: Config.%s is plain http: it must be https, except for loopback addresses or with AllowHTTP", member)
	}
	return nil
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
