package dcsa

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/landfallhq/tracking/freight"
)

// Retryable requests are repeated within a query.
const (
	maxRepeats  = 2
	firstRepeat = 500 * time.Millisecond // doubled for each further one, plus up to half of it at random
)

// withRetries runs a request, and repeats it as long as Patience allows.
func (c *Client) withRetries(ctx context.Context, do func() error) error {
	for n := 0; ; n++ {
		err := do()
		var f *fault
		if err == nil || !errors.As(err, &f) || !f.retryable || n == maxRepeats {
			return err
		}
		wait := firstRepeat << n
		wait += rand.N(wait / 2)
		if wait = max(wait, f.pause); !c.canWait(ctx, wait) || c.sleep(ctx, wait) != nil {
			return err
		}
		c.stats.repeats.Add(1)
	}
}

// admit waits for the end of a pause, for a free slot and for the rate limiter.
// done frees the slot.
func (c *Client) admit(ctx context.Context) (done func(), err error) {
	for {
		if err := c.awaitPause(ctx); err != nil {
			return nil, err
		}
		select {
		case c.slots <- struct{}{}:
			done = func() { <-c.slots }
		case <-ctx.Done():
			return nil, c.notSent(0, "too many others are asked")
		}
		if err := c.awaitPace(ctx); err != nil {
			done()
			return nil, err
		}
		if c.pause.left() == 0 {
			return done, nil
		}
		done() // a pause has begun meanwhile
	}
}

// awaitPause waits for the end of a pause, if Patience and the deadline allow it.
func (c *Client) awaitPause(ctx context.Context) error {
	if left := c.pause.left(); left > 0 && (!c.canWait(ctx, left) || c.sleep(ctx, left) != nil) {
		return c.notSent(left, "the carrier has asked to be left alone")
	}
	return nil
}

func (c *Client) awaitPace(ctx context.Context) error {
	if c.limiter.Wait(ctx) != nil {
		return c.notSent(0, "the pace does not allow it in time")
	}
	return nil
}

func (c *Client) notSent(left time.Duration, why string) *fault {
	c.stats.heldBack.Add(1)
	f := faultf(freight.LineUnreachable, "GET /v2/events: not sent, %s", why)
	if f.pause = left; left > 0 {
		f.text += fmt.Sprintf(" for another %v", left.Round(time.Millisecond))
	}
	return f
}

// get sends one request for events with the carrier's credentials, and calls read
// with the response. Any status other than 200 is a fault.
func (c *Client) get(ctx context.Context, u *url.URL, parameter string, read func(*http.Response) error) error {
	done, err := c.admit(ctx)
	if err != nil {
		return err
	}
	defer done()
	ctx, cancel := context.WithTimeout(ctx, c.config.RequestTimeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return err
	}
	resp, err := c.send(req)
	if err != nil {
		return c.observe(transportFault(err))
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return c.observe(c.refusal(resp, errorBody(resp), parameter))
	}
	if err := read(resp); err != nil {
		return c.observe(transportFault(err))
	}
	return nil
}

// send adds the configured headers and a token, and sends the request. If the
// carrier refuses the token, it fetches a new one, once. Requests must have no
// body, or GetBody.
func (c *Client) send(req *http.Request) (*http.Response, error) {
	for name, value := range c.config.Headers {
		req.Header.Set(name, string(value))
	}
	req.Header.Set("Accept", "application/json")
	req.Header.Set("API-Version", c.config.APIVersion)
	req.Header.Set("User-Agent", c.config.UserAgent)
	if c.tokens == nil {
		return c.do(req)
	}
	token, err := c.tokens.get(req.Context())
	if err != nil {
		return nil, err
	}
	req.Header.Set("Authorization", "Bearer "+token)
	resp, err := c.do(req)
	if err != nil || resp.StatusCode != http.StatusUnauthorized {
		return resp, err
	}
	resp.Body.Close()
	c.tokens.drop(token)
	for _, await := range []func(context.Context) error{c.awaitPause, c.awaitPace} {
		if err := await(req.Context()); err != nil {
			return nil, err
		}
	}
	if token, err = c.tokens.get(req.Context()); err != nil {
		return nil, err
	}
	again := req.Clone(req.Context())
	if req.GetBody != nil {
		if again.Body, err = req.GetBody(); err != nil {
			return nil, err
		}
	}
	again.Header.Set("Authorization", "Bearer "+token)
	return c.do(again)
}

// do sends a complete request.
func (c *Client) do(req *http.Request) (*http.Response, error) {
	c.stats.requests.Add(1)
	return c.http.Do(req)
}

// observe counts a fault and begins a pause if the carrier asks for one.
func (c *Client) observe(err error) error {
	var f *fault
	if !errors.As(err, &f) {
		return err
	}
	if f.timedOut {
		c.stats.timeouts.Add(1)
	}
	if f.throttled {
		c.stats.throttled.Add(1)
	}
	if f.pause > 0 {
		c.pause.extend(f.pause)
	}
	return err
}

// transportFault converts an error of the transport to a fault; a fault is returned
// unchanged.
func transportFault(err error) error {
	var f *fault
	if errors.As(err, &f) {
		return f
	}
	// The errors of net/http contain the URL, and with it the number and cursor.
	var outer *url.Error
	if errors.As(err, &outer) {
		return unreachable(outer.Err)
	}
	return unreachable(err)
}

// maxRedirects bounds the redirects of one request.
const maxRedirects = 3

// checkRedirect allows redirects only to the same host, because requests carry
// credentials.
func checkRedirect(req *http.Request, via []*http.Request) error {
	from := via[0]
	switch {
	case len(via) > maxRedirects:
		return faultf(freight.UnrecognizedResponse, "%s %s: redirected more than %d times", from.Method, from.URL.Path, maxRedirects)
	case !sameOrigin(from.URL, req.URL):
		return faultf(freight.UnrecognizedResponse, "%s %s: redirected from %s to %s: not followed, for the credentials are not for others",
			from.Method, from.URL.Path, origin(from.URL), origin(req.URL))
	}
	return nil
}

func sameOrigin(a, b *url.URL) bool { return b.User == nil && origin(a) == origin(b) }

// origin returns scheme, host and port, without the default port.
func origin(u *url.URL) string {
	scheme, host := strings.ToLower(u.Scheme), strings.ToLower(u.Host)
	if scheme == "https" {
		host = strings.TrimSuffix(host, ":443")
	} else {
		host = strings.TrimSuffix(host, ":80")
	}
	return scheme + "://" + host
}
