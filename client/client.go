package client

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Config configures a Client. URL and Key are required. New copies it.
type Config struct {
	// URL of the interface, with its prefix: https://tracking.example.com/v2.
	URL string
	// Key is sent in the header "Authorization: Token <key>".
	Key string
	// HTTP sends the requests; New copies it. Redirects are followed for downloads
	// only, according to its CheckRedirect; elsewhere they are an *Error. Defaults to
	// a client with a timeout of 60 seconds for an exchange. For the bytes of files,
	// the timeout ends when the response begins.
	HTTP *http.Client
	// Retries is the maximum number of retries of a request. Defaults to 4; -1 means
	// none.
	Retries int
	// MaxWait is the longest wait before a retry. Defaults to 60 seconds, after which
	// every rate limit has room again.
	MaxWait time.Duration
	// UserAgent of the requests. Defaults to "landfall-client".
	UserAgent string
}

const (
	defaultRetries = 4
	defaultMaxWait = time.Minute
	defaultTimeout = time.Minute
	maxRedirects   = 10 // as in net/http
)

// Client calls one server with one key. It is safe for concurrent use.
type Client struct {
	config Config
	// rootURL is the base of the paths outside the prefix.
	rootURL string
	// fileClient transfers the bytes of files.
	fileClient *http.Client
}

// New returns a Client. It checks the Config and sends nothing.
func New(config Config) (*Client, error) {
	u, err := url.Parse(config.URL)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.RawQuery != "" || u.Fragment != "":
		return nil, fmt.Errorf("client: Config.URL %q must be an absolute URL with the prefix, such as https://tracking.example.com/v2", config.URL)
	case config.Key == "" || strings.ContainsAny(config.Key, " \r\n"):
		return nil, errors.New("client: Config.Key must be a key of the server, without spaces")
	case config.Retries < -1 || config.MaxWait < 0:
		return nil, errors.New("client: Config.Retries must be -1 or more, and Config.MaxWait not negative")
	}
	config.URL = strings.TrimRight(config.URL, "/")
	calls, files := httpClients(config.HTTP)
	config.HTTP = calls
	config.Retries = cmp.Or(config.Retries, defaultRetries)
	config.MaxWait = cmp.Or(config.MaxWait, defaultMaxWait)
	config.UserAgent = cmp.Or(config.UserAgent, "landfall-client")
	return &Client{config: config, rootURL: u.Scheme + "://" + u.Host, fileClient: files}, nil
}

// httpClients returns the client for calls, which follows no redirects, and the one
// for files, which follows those of downloads: it sends no key that another host
// could see.
func httpClients(given *http.Client) (calls, files *http.Client) {
	calls, files = &http.Client{Timeout: defaultTimeout}, &http.Client{}
	if given != nil {
		*calls, *files = *given, *given
	} else if usual, ok := http.DefaultTransport.(*http.Transport); ok {
		patient := usual.Clone()
		patient.ResponseHeaderTimeout = defaultTimeout
		files.Transport = patient
	}
	calls.CheckRedirect = noRedirect
	follow := files.CheckRedirect
	files.CheckRedirect = func(next *http.Request, before []*http.Request) error {
		switch {
		case before[0].Method != http.MethodGet:
			return noRedirect(next, before)
		case follow != nil:
			return follow(next, before)
		case len(before) >= maxRedirects:
			return fmt.Errorf("client: stopped after %d redirects", len(before))
		}
		return nil
	}
	return calls, files
}

// noRedirect refuses redirects: most writes would be repeated as a GET, whose
// response would look like a success.
func noRedirect(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// Alive checks that the server responds.
func (c *Client) Alive(ctx context.Context) error {
	_, err := c.do(ctx, request{method: http.MethodGet, path: "/healthz", atRoot: true, noKey: true})
	return err
}

// Ready checks that the server accepts writes. It is retried like every request.
func (c *Client) Ready(ctx context.Context) error {
	_, err := c.do(ctx, request{method: http.MethodGet, path: "/readyz", atRoot: true, noKey: true})
	return err
}

// OpenAPI returns the OpenAPI document of the server.
func (c *Client) OpenAPI(ctx context.Context) ([]byte, error) {
	answer, err := c.do(ctx, request{method: http.MethodGet, path: "/openapi.json", noKey: true})
	if err != nil {
		return nil, err
	}
	return answer.body, nil
}
