package simulator

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"
)

// callbackClient has the timeout of carriers, and follows no redirects.
func callbackClient() *http.Client {
	return &http.Client{
		Timeout:       10 * time.Second,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// callbackSize is the maximum number of events in one callback.
const callbackSize = 100

// Push sends each subscriber the events that have become known since the last push,
// by POST to its callback URL. Events that were not answered with 204 are sent
// again by the next Push, and the error says so. With Faults.Disorder some
// callbacks are out of order, or sent twice.
func (c *Carrier) Push(ctx context.Context) error {
	c.pushing.Lock()
	defer c.pushing.Unlock()
	c.mu.Lock()
	list := slices.Clone(c.subscriptions)
	c.mu.Unlock()
	now := c.config.Clock.Now()
	var faults []error
	for _, s := range list {
		if err := c.sendNews(ctx, s, now); err != nil {
			faults = append(faults, fmt.Errorf("simulator: subscription %s: %w", s.id, err))
		}
	}
	return errors.Join(faults...)
}

// sendNews sends a subscriber the events until now.
func (c *Carrier) sendNews(ctx context.Context, s *subscription, now time.Time) error {
	c.mu.Lock()
	call := *s // its callback and secret may change meanwhile
	c.mu.Unlock()
	for batch := range slices.Chunk(c.news(call, now), callbackSize) {
		random := c.dice.draw("callback " + call.id)
		if random.Float64() < c.config.Faults.Disorder {
			batch = append(slices.Clone(batch), call.repeat...)
			random.Shuffle(len(batch), func(i, j int) { batch[i], batch[j] = batch[j], batch[i] })
		}
		if err := c.post(ctx, call, array(batch)); err != nil {
			c.counts.change(func(s *Stats) { s.CallbacksFailed++ })
			return err
		}
		c.counts.change(func(s *Stats) { s.Callbacks++ })
		call.repeat = batch[:min(len(batch), callbackSize)]
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	s.sentUntil, s.repeat = now, call.repeat
	return nil
}

// news returns the events that have become known since the subscriber's last push,
// in order of creation, with all versions.
func (c *Carrier) news(s subscription, now time.Time) (list []reportedEvent) {
	for _, of := range s.filter.shipments(c) {
		for _, e := range of.script.events {
			t := reportedEvent{of, e}
			if t.created().After(s.sentUntil) && !t.created().After(now) && s.filter.match(t) {
				list = append(list, t)
			}
		}
	}
	slices.SortStableFunc(list, func(a, b reportedEvent) int { return a.created().Compare(b.created()) })
	return list
}

// post sends one callback.
func (c *Carrier) post(ctx context.Context, s subscription, body string) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.callback, strings.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("API-Version", apiVersion)
	r.Header.Set("Subscription-ID", s.id)
	r.Header.Set("Notification-Signature", "sha256="+sign(s.secret, body))
	answer, err := c.config.Client.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if _, err := io.Copy(io.Discard, io.LimitReader(answer.Body, 64<<10)); err != nil {
		return err
	}
	if answer.StatusCode != http.StatusNoContent {
		return fmt.Errorf("answered with %s, not with 204", answer.Status)
	}
	return nil
}

// sign returns the signature of a body, in hexadecimal.
func sign(secret []byte, body string) string {
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(body))
	return hex.EncodeToString(mac.Sum(nil))
}
