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
	// HTTP sends the requests. Defaults to one with a time-out of 60 seconds for
	// a whole exchange.
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
)

// Client calls one server with one key. It is safe for concurrent use.
type Client struct {
	config Config
	// root is where the paths outside the prefix are.
	root string
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
	if config.HTTP == nil {
		config.HTTP = &http.Client{Timeout: defaultTimeout}
	}
	config.Retries = cmp.Or(config.Retries, defaultRetries)
	config.MaxWait = cmp.Or(config.MaxWait, defaultMaxWait)
	config.UserAgent = cmp.Or(config.UserAgent, "landfall-client")
	return &Client{config: config, root: u.Scheme + "://" + u.Host}, nil
}
