package client

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Config says which server is called, and how. URL and Key are needed. New copies
// it.
type Config struct {
	// URL of the interface, with its prefix: https://tracking.example.com/v2.
	URL string
	// Key is sent in the header "Authorization: Token <key>".
	Key string
	// HTTP sends the requests; New copies it. Redirects are followed in downloads
	// only, as its CheckRedirect has it: elsewhere they are an *Error. Defaults to one
	// with a time-out of 60 seconds for a whole exchange; for the bytes of files, of
	// 60 seconds for the answer to begin.
	HTTP *http.Client
	// Retries are how often a request is sent again at most. Defaults to 4; -1
	// means never.
	Retries int
	// MaxWait is the longest wait before a request is sent again. Defaults to 60
	// seconds, in which every rate limit has room again.
	MaxWait time.Duration
	// UserAgent of the requests. Defaults to "landfall-client".
	UserAgent string
}

const (
	defaultRetries = 4
	defaultMaxWait = time.Minute
	defaultTimeout = time.Minute
	maxRedirects   = 10 // as net/http has it
)

// Client calls one server with one key. It is safe for concurrent use.
type Client struct {
	config Config
	// rootURL is where the paths outside the prefix are.
	rootURL string
	// fileClient sends what is about the bytes of files.
	fileClient *http.Client
}

// New makes a Client. The error says which part of the Config is wrong; nothing is
// sent.
func New(config Config) (*Client, error) {
	u, err := url.Parse(config.URL)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.RawQuery != "" || u.Fragment != "":
		return nil, fmt.Errorf("client: Config.URL %q must be the whole URL of an interface, such as https://tracking.example.com/v2", config.URL)
	case config.Key == "" || strings.ContainsAny(config.Key, " \r\n"):
		return nil, errors.New("client: Config.Key must be a key of the server, without blanks")
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

// httpClients are the client of calls, which goes nowhere else, and that of files, which
// goes where a download leads: it has no key that could be lost there.
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
			return fmt.Errorf("client: sent on %d times", len(before))
		}
		return nil
	}
	return calls, files
}

// noRedirect follows no redirect: it would make a read of most writes, and the answer to
// that would count as theirs.
func noRedirect(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
