package tracking

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/landfallhq/tracking/internal/deliveryrules"
	"github.com/landfallhq/tracking/internal/eventcatalog"
	"github.com/landfallhq/tracking/internal/table"
	"github.com/landfallhq/tracking/store"

	"github.com/google/uuid"
)

// Webhook is a subscription to events of the account, which are sent to its URL
// (see docs/contract.md#webhooks).
type Webhook struct {
	Meta
	// URL that notifications are posted to.
	URL string `attr:"url"`
	// Active webhooks get notifications. Notifications that are pending when a
	// webhook becomes inactive wait until it is active again or 96 hours have
	// passed.
	Active bool `attr:"active"`
	// Events to send: their names, or IDs of categories of events.
	Events []EventName `attr:"events"`
	// Format of what is posted. Template writes it if the format is FormatTemplate, and is empty
	// (null) for other formats: a template of text/template over the document of the
	// notification, of at most 16 KiB (see docs/webhooks.md#templates).
	Format   WebhookFormat `attr:"format"`
	Template string        `attr:"template,null"`
	// Secret that deliveries are signed with: whsec_ and the base64 of 32 random
	// bytes. It is generated, and stored encrypted. Actors without admin see
	// whsec_********.
	Secret string `attr:"secret,null"`
	// Headers are sent with each delivery. They are stored encrypted.
	Headers []Header `attr:"headers"`
	// CreatedAt, UTC.
	CreatedAt time.Time `attr:"created_at"`
	// SecretOverlapUntil is until when the previous secret is valid, UTC; zero
	// (null) without one.
	SecretOverlapUntil time.Time `attr:"secret_overlap_until,null"`
	// DeactivatedAt and DeactivatedReason are when and why it became inactive; zero
	// (null) while it is active.
	DeactivatedAt     time.Time          `attr:"deactivated_at,null"`
	DeactivatedReason DeactivationReason `attr:"deactivated_reason,null"`

	webhookInternals
	// previousSecret is valid until SecretOverlapUntil.
	previousSecret string
}

// webhookInternals is what the engine stores with a webhook and does not show.
type webhookInternals struct {
	// Sealed has webhookSecrets, encrypted with the master key.
	Sealed []byte `private:"sealed"`
}

// DeactivationReason is why a webhook is inactive.
type DeactivationReason string

// The reasons. The engine sets all but the first.
const (
	// DeactivatedByUser: by UpdateWebhook, or created inactive.
	DeactivatedByUser DeactivationReason = "by_user"
	// DeactivatedGone: the endpoint answered 410.
	DeactivatedGone DeactivationReason = "endpoint_gone"
	// DeactivatedFailing: every attempt has failed for days; see DeliverySettings.
	DeactivatedFailing DeactivationReason = "endpoint_failing"
)

var webhooks = newKind("webhook", []column[Webhook]{
	table.BoolColumn("active", func(w *Webhook) bool { return w.Active }),
}, nil, func(w *Webhook) {
	w.Format = cmp.Or(w.Format, FormatJSONAPI)
}).InGeneration(2)

// maxWebhooks limits the webhooks of an account: each event is written once for
// each webhook that subscribes to it, in the transaction of the change.
const maxWebhooks = 100

// webhookSecrets are the members of a webhook that are stored encrypted.
type webhookSecrets struct {
	Secret  string   `json:"secret"`
	Former  string   `json:"former,omitempty"`
	Headers []Header `json:"headers,omitempty"`
}

// putWebhook seals the secrets of a webhook and writes it.
func putWebhook(tx *transaction, w *Webhook) error {
	if w.ID == (ID{}) {
		var err error
		if w.ID, err = uuid.NewV7(); err != nil {
			return err
		}
	}
	sealed, err := sealJSON(tx, webhookSecrets{w.Secret, w.previousSecret, w.Headers}, w.ID)
	if err != nil {
		return err
	}
	stored := *w
	stored.Sealed, stored.Secret, stored.Headers = sealed, "", nil
	if err := webhooks.Put(tx, &stored); err != nil {
		return err
	}
	w.Meta, w.Sealed = stored.Meta, sealed
	return nil
}

// unsealWebhook decrypts the secrets of a webhook that was read.
func unsealWebhook(tx *transaction, w *Webhook) error {
	var h webhookSecrets
	if err := openJSON(tx, w.Sealed, w.ID, &h); err != nil {
		return err
	}
	w.Secret, w.previousSecret, w.Headers = h.Secret, h.Former, h.Headers
	return nil
}

// resealAll seals with the current master key what was sealed with an old one, so
// that the operator can remove that key from Config.OldMasterKeys. Webhooks whose
// key is missing are skipped.
func (t *Tracker) resealAll(ctx context.Context, a AccountID) error {
	if t.keys.Empty() {
		return nil
	}
	return t.update(ctx, a, func(tx *transaction) error {
		list, err := webhooks.All(tx, WebhookQuery{}.where())
		if err != nil {
			return err
		}
		for _, w := range list {
			if t.keys.Current(w.Sealed) {
				continue
			}
			if err := unsealWebhook(tx, w); err != nil {
				t.log.Error("a webhook cannot be resealed", "webhook", w.ID, "error", err)
				continue
			}
			if err := putWebhook(tx, w); err != nil {
				return err
			}
		}
		return nil
	})
}

// maskedSecret is shown in place of a secret to actors without admin: the member and its
// type stay.
const maskedSecret = webhookSecretPrefix + "********"

// maskFor masks the secret for actors without admin.
func (w *Webhook) maskFor(a Actor) *Webhook {
	if !a.Can(Admin) {
		w.Secret = maskedSecret
	}
	return w
}

// unsealedRecord is the record of a webhook with its secrets, as it is shown.
func unsealedRecord(tx *transaction, r store.Record) (store.Record, error) {
	w, err := webhooks.Decode(r)
	if err != nil {
		return r, err
	}
	if err := unsealWebhook(tx, w); err != nil {
		return r, err
	}
	if !tx.showsSecrets {
		w.Secret = maskedSecret
	}
	r.Doc, _ = webhooks.Codec.Encode(w)
	r.Decoded = nil
	return r, nil
}

// getWebhook reads a webhook with its secrets.
func getWebhook(tx *transaction, id ID) (*Webhook, error) {
	w, err := webhooks.Get(tx, id)
	if err != nil {
		return nil, err
	}
	return w, unsealWebhook(tx, w)
}

// signingSecrets returns the secrets that sign a delivery, the current one first.
func (w *Webhook) signingSecrets(now time.Time) []string {
	if w.previousSecret != "" && now.Before(w.SecretOverlapUntil) {
		return []string{w.Secret, w.previousSecret}
	}
	return []string{w.Secret}
}

// WebhookQuery selects webhooks, last created first.
type WebhookQuery struct {
	// Active selects by whether it is active.
	Active Tri
}

func (q WebhookQuery) resourceType() *table.Schema { return webhooks.Schema }
func (q WebhookQuery) filter() store.Filter        { w := q.where(); return w.Filter(webhooks) }

func (q WebhookQuery) where() (w where[Webhook]) {
	tri(&w, "active", q.Active, func(h *Webhook) bool { return h.Active })
	return w
}

// NewWebhook has the arguments of CreateWebhook.
type NewWebhook struct {
	// URL: absolute, https unless the Notifier allows http, without credentials and
	// fragment, at most 2,048 bytes.
	URL string
	// Events: at least one name of an event or ID of an [EventCategory], each once.
	Events []EventName
	// Inactive creates the webhook inactive.
	Inactive bool
	// Format defaults to FormatJSONAPI. Template is required with FormatTemplate, and else
	// empty; it is tried on the examples of all Events.
	Format   WebhookFormat
	Template string
	// Headers to send with each delivery: at most 20, with names of at most 64
	// characters and values of at most 1,024. Reserved names are refused.
	Headers []Header
}

// WebhookUpdate changes a webhook. Fields that are not set stay.
type WebhookUpdate struct {
	URL       Opt[string]
	Events    Opt[[]EventName]
	Active    Opt[bool]
	Headers   Opt[[]Header]
	Format    Opt[WebhookFormat]
	Template  Opt[string]
	IfVersion int64
}

// CreateWebhook subscribes a URL to events from now on. Needs admin.
//
// Errors: Invalid on url (blank, too_long, invalid), events (blank, inclusion,
// taken), headers[i].name, headers[i].value, format (inclusion), template (blank,
// present, invalid: with line and column), and with the code too_many when the
// account has 100 webhooks.
func (t *Tracker) CreateWebhook(ctx context.Context, n NewWebhook, once ...Once) (*Webhook, error) {
	if err := t.allow(Admin); err != nil {
		return nil, err
	}
	w := &Webhook{URL: n.URL, Active: !n.Inactive, Events: n.Events, Headers: n.Headers, Format: cmp.Or(n.Format, FormatJSONAPI), Template: n.Template}
	if err := t.checkWebhook(w); err != nil {
		return nil, err
	}
	made, err := createOnce(ctx, t, once, webhooks, func(tx *transaction) (*Webhook, error) {
		if err := checkWebhookCount(tx); err != nil {
			return nil, err
		}
		made := *w
		made.Secret, made.CreatedAt = newWebhookSecret(), tx.Now
		if !made.Active {
			made.deactivate(tx, DeactivatedByUser)
		}
		return &made, putWebhook(tx, &made)
	})
	if err != nil || made.Secret != "" {
		return made, err
	}
	return t.Webhook(ctx, made.ID) // made by an earlier call
}

// UpdateWebhook changes a webhook. When one becomes active, its pending
// notifications are sent and its earlier failures are forgotten. Needs admin.
// Errors as CreateWebhook, and NotFound, Stale.
func (t *Tracker) UpdateWebhook(ctx context.Context, id ID, u WebhookUpdate) (*Webhook, error) {
	if err := t.allow(Admin); err != nil {
		return nil, err
	}
	var w *Webhook
	err := t.change(ctx, "webhook.update", t.actor.Account, func(tx *transaction) (err error) {
		if w, err = getWebhook(tx, id); err != nil {
			return err
		}
		if err := checkVersion(u.IfVersion, w.Version); err != nil {
			return err
		}
		before := *w
		setIfGiven(&w.URL, u.URL)
		setIfGiven(&w.Events, u.Events)
		setIfGiven(&w.Headers, u.Headers)
		setIfGiven(&w.Format, u.Format)
		setIfGiven(&w.Template, u.Template)
		if err := t.checkWebhookUpdate(w, &before); err != nil {
			return err
		}
		if u.Active.Set && u.Active.Value != w.Active {
			if err := w.setActive(tx, u.Active.Value); err != nil {
				return err
			}
		}
		if w.Active && w.URL != before.URL { // failures of the old endpoint do not count
			if err := resetEndpoint(tx, w.ID); err != nil {
				return err
			}
		}
		if !slices.Equal(w.Headers, before.Headers) { // which are sealed
			tx.audit.note(w.ID, "headers")
		}
		if w.equal(&before) { // resealing would change the record
			return nil
		}
		return putWebhook(tx, w)
	})
	if err != nil {
		return nil, err
	}
	t.invalidateWebhook(id)
	return w, nil
}

func setIfGiven[V any](to *V, u Opt[V]) {
	if u.Set {
		*to = u.Value
	}
}

func (w *Webhook) equal(o *Webhook) bool {
	return w.URL == o.URL && w.Active == o.Active && slices.Equal(w.Events, o.Events) && slices.Equal(w.Headers, o.Headers) && w.Format == o.Format && w.Template == o.Template
}

// setActive activates or deactivates a webhook for a user.
func (w *Webhook) setActive(tx *transaction, on bool) error {
	if !on {
		w.deactivate(tx, DeactivatedByUser)
		return pauseEndpoint(tx, w.ID, distantFuture)
	}
	w.Active, w.DeactivatedAt, w.DeactivatedReason = true, time.Time{}, ""
	if w.isMail() {
		s, err := mailSubscriptions.Get(tx, w.ID)
		if err != nil {
			return err
		}
		return s.resume(tx)
	}
	return resetEndpoint(tx, w.ID)
}

func (w *Webhook) deactivate(tx *transaction, reason DeactivationReason) {
	w.Active, w.DeactivatedAt, w.DeactivatedReason = false, tx.Now, reason
}

// DeleteWebhook deletes a webhook. Its pending notifications fail; all its
// notifications are kept for the Retention of DeliverySettings. Needs admin.
// Errors: NotFound.
func (t *Tracker) DeleteWebhook(ctx context.Context, id ID) error {
	if err := t.allow(Admin); err != nil {
		return err
	}
	err := t.change(ctx, "webhook.delete", t.actor.Account, func(tx *transaction) error {
		if err := webhooks.Delete(tx, id); err != nil {
			return err
		}
		if err := ignoreNotFound(mailSubscriptions.Delete(tx, id)); err != nil {
			return err
		}
		return failPendingOf(tx, id)
	})
	t.invalidateWebhook(id)
	return err
}

const maxSecretOverlap = 7 * 24 * time.Hour

// RotateSecret replaces the secret of a webhook. The previous secret stays valid
// for the overlap (0 to 7 days): deliveries then have a signature by each, and the
// legacy header, which has room for one, that of the previous secret. A second
// rotation during an overlap ends the older of the two. Needs admin. Errors:
// NotFound; Invalid on overlap_seconds.
func (t *Tracker) RotateSecret(ctx context.Context, id ID, overlap time.Duration, once ...Once) (*Webhook, error) {
	if err := t.allow(Admin); err != nil {
		return nil, err
	}
	if overlap < 0 || overlap > maxSecretOverlap {
		return nil, invalid("overlap_seconds", "out_of_range", "Overlap seconds must be 0 to %d (7 days)", int(maxSecretOverlap/time.Second))
	}
	var w *Webhook
	err := t.change(ctx, "webhook.rotate_secret", t.actor.Account, func(tx *transaction) error {
		_, fresh, err := remembered(tx, once, "rotate_secret", func() (_ ID, err error) {
			if w, err = getWebhook(tx, id); err != nil {
				return ID{}, err
			}
			return id, w.rotateSecret(tx, overlap)
		})
		if err != nil || fresh {
			return err
		}
		w, err = getWebhook(tx, id)
		return err
	})
	if err != nil {
		return nil, err
	}
	t.invalidateWebhook(id)
	return w, nil
}

func (w *Webhook) rotateSecret(tx *transaction, overlap time.Duration) error {
	w.previousSecret, w.SecretOverlapUntil = "", time.Time{}
	if overlap > 0 {
		w.previousSecret, w.SecretOverlapUntil = w.Secret, tx.Now.Add(overlap)
	}
	w.Secret = newWebhookSecret()
	tx.audit.note(w.ID, "secret")
	return putWebhook(tx, w)
}

// Webhook returns one webhook, with its secret if the actor has admin, and else with
// whsec_******** in its place. Needs show. Errors: NotFound.
func (t *Tracker) Webhook(ctx context.Context, id ID) (*Webhook, error) {
	if err := t.allow(Show); err != nil {
		return nil, err
	}
	return viewing(ctx, t.engine, t.actor.Account, func(tx *transaction) (*Webhook, error) {
		w, err := getWebhook(tx, id)
		if err != nil {
			return nil, err
		}
		return w.maskFor(t.actor), nil
	})
}

// Webhooks returns a page of webhooks, as Webhook does, and the number of all that match.
// Needs show.
func (t *Tracker) Webhooks(ctx context.Context, q WebhookQuery, p Page) (list []*Webhook, total int, err error) {
	if err := t.allow(Show); err != nil {
		return nil, 0, err
	}
	err = t.view(ctx, t.actor.Account, func(tx *transaction) (err error) {
		if list, total, err = webhooks.List(tx, q.where(), p); err != nil {
			return err
		}
		for _, w := range list {
			err = errors.Join(err, unsealWebhook(tx, w))
			w.maskFor(t.actor)
		}
		return err
	})
	if err != nil {
		return nil, 0, err
	}
	return list, total, nil
}

const webhookSecretPrefix = "whsec_"

func newWebhookSecret() string {
	var random [32]byte
	rand.Read(random[:]) // never fails (crypto/rand)
	return webhookSecretPrefix + base64.StdEncoding.EncodeToString(random[:])
}

// maxURL is the length of the URL of a webhook, in bytes.
const maxURL = 2_048

// checkWebhookUpdate checks a changed webhook. The URL of a subscription to e-mails follows the
// address of its user.
func (t *Tracker) checkWebhookUpdate(w, before *Webhook) error {
	if !before.isMail() {
		return t.checkWebhook(w)
	}
	faults := slices.Concat(checkEvents(w.Events), checkHeaders(w.Headers))
	if w.Format != before.Format || w.Template != before.Template {
		faults = append(faults, invalid("format", "invalid", "Format cannot be changed: an e-mail is neither of them"))
	}
	if w.URL != before.URL {
		faults = append(faults, invalid("url", "invalid", "Url is the address of a user, who gets e-mails: it cannot be changed"))
	}
	return Errors(faults).or()
}

func (t *Tracker) checkWebhook(w *Webhook) error {
	faults := slices.Concat(t.checkURL("url", w.URL), checkEvents(w.Events), checkHeaders(w.Headers), checkFormat(w.Format, w.Template, w.Events))
	return Errors(faults).or()
}

// checkURL checks that a URL can be an endpoint.
func (t *Tracker) checkURL(field, text string) []*Error {
	fault := func(format string, args ...any) []*Error {
		return []*Error{invalid(field, "invalid", "%s %s", fieldLabel(field), fmt.Sprintf(format, args...))}
	}
	if err := checkText(field, text, maxURL); err != nil {
		return []*Error{err.(*Error)}
	}
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Opaque != "" || u.Hostname() == "":
		return fault("is not an absolute URL, such as https://example.com/hook")
	case len(text) > maxURL:
		return fault("is longer than %d bytes", maxURL)
	case u.User != nil:
		return fault("must not contain a user name or password; send them in a header")
	case u.Fragment != "" || strings.Contains(text, "#"):
		return fault("must not have a fragment")
	case u.Scheme != "https" && (u.Scheme != "http" || t.config.Notifier == nil):
		return fault("must begin with https://")
	case t.config.Notifier == nil:
		return nil
	}
	if err := t.config.Notifier.Check(text); err != nil {
		var refused *Error
		if errors.As(err, &refused) {
			return []*Error{invalid(field, refused.Code, "%s", refused.Detail)}
		}
		return fault("cannot be used: %s", err)
	}
	return nil
}

// wants reports whether the webhook subscribes to an event, by its name or its category.
func (w *Webhook) wants(event EventName) bool {
	return slices.Contains(w.Events, event) || slices.Contains(w.Events, EventName(eventcatalog.Find(event).Category))
}

func checkEvents(events []EventName) (faults []*Error) {
	if len(events) == 0 {
		return []*Error{invalid("events", "blank", "Events can't be blank: name at least one")}
	}
	for i, e := range events {
		switch {
		case !isEvent(e) && !eventcatalog.IsCategory(string(e)):
			faults = append(faults, invalid("events", "inclusion", "'%s' is not an event; GET /webhooks/events lists them", abbreviate(string(e), 64)))
		case slices.Index(events, e) != i:
			faults = append(faults, invalid("events", "taken", "'%s' is named more than once", e))
		}
		if len(faults) == 10 {
			break
		}
	}
	return faults
}

// abbreviate shortens a text for a message.
func abbreviate(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "..."
}

// checkHeaders refuses headers that cannot be sent, so that deliveries do not fail
// for them.
func checkHeaders(headers []Header) (faults []*Error) {
	if len(headers) > deliveryrules.MaxHeaders {
		return []*Error{invalid("headers", "too_many", "Headers are more than %d", deliveryrules.MaxHeaders)}
	}
	seen := map[string]bool{}
	for i, h := range headers {
		for _, f := range deliveryrules.CheckHeader(h.Name, h.Value, seen) {
			faults = append(faults, invalid(fmt.Sprintf("headers[%d].%s", i, f.Part), f.Code, "%s", f.Detail))
		}
	}
	return faults
}
