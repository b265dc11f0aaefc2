package dcsa

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"time"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"

	"github.com/landfallhq/tracking/freight"
)

// tokens keeps the carrier's token. A fetch runs independently of the queries, once
// for all that wait, and is not cancelled with the first of them.
type tokens struct {
	client *Client
	config clientcredentials.Config

	mu     sync.Mutex
	token  string
	until  time.Time // when to fetch a new one; zero if only after a refusal
	flight *flight   // nil when none is being fetched
}

// flight is one fetch of a token; its result is valid once done is closed.
type flight struct {
	done  chan struct{}
	token string
	err   error
}

// tokenMargin is how long before its expiry a token is replaced; for a short-lived
// one, a tenth of its life.
const tokenMargin = 30 * time.Second

func newTokens(c *Client) *tokens {
	o := c.config.OAuth
	t := &tokens{client: c, config: clientcredentials.Config{
		TokenURL: o.TokenURL, ClientID: o.ClientID, ClientSecret: string(o.ClientSecret), Scopes: o.Scopes,
	}}
	if o.Audience != "" {
		t.config.EndpointParams = url.Values{"audience": {o.Audience}}
	}
	return t
}

// get returns a token that should still be valid.
func (t *tokens) get(ctx context.Context) (string, error) {
	t.mu.Lock()
	if t.token != "" && (t.until.IsZero() || t.client.config.Clock.Now().Before(t.until)) {
		defer t.mu.Unlock()
		return t.token, nil
	}
	f := t.flight
	if f == nil {
		f = &flight{done: make(chan struct{})}
		t.flight = f
		go t.fetch(context.WithoutCancel(ctx), f)
	}
	t.mu.Unlock()
	select {
	case <-f.done:
		return f.token, f.err
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

// drop discards a refused token, unless it was replaced already.
func (t *tokens) drop(token string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.token == token {
		t.token = ""
	}
}

// current returns the cached token.
func (t *tokens) current() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.token
}

func (t *tokens) fetch(ctx context.Context, f *flight) {
	ctx, cancel := context.WithTimeout(ctx, t.client.config.RequestTimeout)
	defer cancel()
	defer close(f.done)
	got, err := t.config.Token(context.WithValue(ctx, oauth2.HTTPClient, t.client.http))
	t.mu.Lock()
	defer t.mu.Unlock()
	t.flight = nil
	if err != nil {
		f.err = t.fault(err)
		return
	}
	t.client.stats.tokens.Add(1)
	f.token, t.token, t.until = got.AccessToken, got.AccessToken, time.Time{}
	if !got.Expiry.IsZero() {
		// The library computes the expiry from the system's time.
		life := time.Until(got.Expiry)
		t.until = t.client.config.Clock.Now().Add(life - min(tokenMargin, life/10))
	}
}

// fault is the fault of a failed fetch. The server's message is left out, because
// it may contain the secret. The server can ask for a pause, which then applies to
// all queries.
func (t *tokens) fault(err error) *fault {
	var answer *oauth2.RetrieveError
	var outer *url.Error
	switch {
	case errors.As(err, &answer) && answer.Response != nil:
		code := answer.Response.StatusCode
		f := faultf(freight.LineUnreachable, "POST to the token URL: %d %s", code, http.StatusText(code))
		asked := t.client.retryAfter(answer.Response.Header)
		switch {
		case code == http.StatusTooManyRequests:
			f.retryable, f.throttled, f.pause = true, true, cmp.Or(asked, defaultPause)
		case code == http.StatusServiceUnavailable:
			f.retryable, f.pause = true, asked
		case code >= 500:
			f.retryable = true
		default:
			f.pause = refusedPause
			f.text += ": the authorization server refuses our credentials"
		}
		return f
	case errors.As(err, &outer):
		var own *fault
		if errors.As(outer.Err, &own) {
			return own
		}
		f := unreachable(outer.Err)
		f.text = fmt.Sprintf("POST to the token URL: %v", outer.Err)
		return f
	}
	return faultf(freight.LineUnreachable, "POST to the token URL: no token in the response")
}
