package tracking

import (
	"context"
	"encoding/base64"
	"errors"
	"strings"

	"github.com/google/uuid"
)

// WebhookTest is an example of a notification that is sent once, to see what an endpoint
// makes of it.
type WebhookTest struct {
	// URL of the endpoint, by the rules of NewWebhook.URL.
	URL string
	// Event whose example is sent; see ExampleNotification.
	Event EventName
	// Secret to sign with; empty for no signature. One that begins with whsec_ has
	// the form of the secrets of webhooks: base64 of 24 to 64 bytes. Any other text
	// of at most 256 characters signs the legacy header.
	Secret string
}

// WebhookTestResult is what came of a trial.
type WebhookTestResult struct {
	// Body that was posted: a JSON document.
	Body []byte
	// Outcome of the one attempt. That it failed is no error of TestWebhook.
	Outcome Outcome
}

// TestWebhook posts the example of an event once and returns what happened (see
// docs/contract.md#webhooks). Nothing is stored, and nobody is notified. The example
// has an ID of its own each time: a receiver that recognises repeats must not take the
// second trial for one. Needs update, as every action does: it writes nothing, and
// calls only addresses that the Notifier allows.
//
// Errors: Invalid on url (as CreateWebhook), event (as ExampleNotification) and
// secret (invalid, too_long), and with the code no_notifier where
// Config.Notifier is nil.
func (t *Tracker) TestWebhook(ctx context.Context, test WebhookTest) (*WebhookTestResult, error) {
	if err := t.allow(Update); err != nil {
		return nil, err
	}
	if err := t.checkWebhookTest(test); err != nil {
		return nil, err
	}
	id, err := uuid.NewV7()
	if err != nil {
		return nil, err
	}
	now := t.now()
	body, err := examplePayload(test.Event, id, now)
	if err != nil {
		return nil, err
	}
	d := Dispatch{ID: id, URL: test.URL, At: now, Body: body}
	if test.Secret != "" {
		d.Secrets = []string{test.Secret}
	}
	return &WebhookTestResult{Body: body, Outcome: t.config.Notifier.Send(ctx, d)}, nil
}

func (t *Tracker) checkWebhookTest(test WebhookTest) error {
	if t.config.Notifier == nil {
		return &Error{Kind: Invalid, Code: "no_notifier", Detail: "this installation sends nothing to webhooks"}
	}
	var faults Errors
	if test.URL == "" {
		faults = append(faults, invalid("url", "blank", "url is required"))
	} else {
		faults = append(faults, t.checkURL("url", test.URL)...)
	}
	for _, err := range []*Error{checkExample(test.Event), checkTestSecret(test.Secret)} {
		if err != nil {
			faults = append(faults, err)
		}
	}
	return faults.or()
}

// The length in bytes of what is behind whsec_, decoded (Standard Webhooks).
const minSecret, maxSecret = 24, 64

// checkTestSecret finds what was meant to be a secret of a webhook and is cut off
// or mistyped: signed with that, every receiver would refuse the trial.
func checkTestSecret(secret string) *Error {
	if secret == "" {
		return nil
	}
	if fault := (*Error)(nil); errors.As(checkText("secret", secret, 256), &fault) {
		return fault
	}
	text, ours := strings.CutPrefix(secret, webhookSecretPrefix)
	if !ours {
		return nil
	}
	if key, err := base64.StdEncoding.DecodeString(text); err != nil || len(key) < minSecret || len(key) > maxSecret {
		return invalid("secret", "invalid", "Secret must be %s and the base64 of %d to %d bytes, as a webhook shows it; or any text that does not begin so", webhookSecretPrefix, minSecret, maxSecret)
	}
	return nil
}
