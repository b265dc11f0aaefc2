package tracking

import (
	"context"
	"errors"
	"fmt"
	"net/mail"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/internal/keyring"
	"github.com/landfallhq/tracking/internal/maildigest"
	"github.com/landfallhq/tracking/internal/table"
	"github.com/landfallhq/tracking/store"
)

// MailSettings say which e-mails a user gets, and when.
type MailSettings struct {
	// Alerts are the events that are mailed when they happen: their names, or IDs of categories
	// of events. None means no alerts.
	Alerts []EventName
	// Exceptions are kinds of exceptions, of Exceptions.Kinds, that are mailed when one is opened,
	// besides Alerts. None means none.
	Exceptions []string `attr:"exceptions"`
	// Digest mails a summary of what needs attention at DigestAt, on the days in DigestDays.
	Digest bool `attr:"digest"`
	// DigestAt is the time of the day in Timezone, such as 07:00. Empty means 07:00.
	DigestAt string `attr:"digest_at"`
	// DigestDays are the days of the digest. Empty means Monday to Friday.
	DigestDays []time.Weekday `attr:"digest_days"`
	// Timezone is the IANA name of the zone that the user lives in. Times of places are shown in
	// the zones of the places. Empty means UTC.
	Timezone string `attr:"timezone"`
}

// MailSubscription is what a user gets by e-mail. It is the settings of a webhook of the same
// ID, whose URL is mailto: and the address of the user: notifications, attempts, redelivery and
// the audit log are those of webhooks.
type MailSubscription struct {
	Meta
	// User who gets the e-mails, at Address.
	User    ID `rel:"user,user"`
	Address string
	MailSettings
	// Active: e-mails are sent. Else DeactivatedAt, UTC, and DeactivatedReason say since when
	// not, and why: by_user, endpoint_gone (there is no such mailbox) or endpoint_failing
	// (e-mails came back several times).
	Active            bool
	DeactivatedAt     time.Time
	DeactivatedReason DeactivationReason
	// Bounces counts the e-mails that came back since the settings were saved last, and
	// LastBounceAt is the last time, UTC; zero for never.
	Bounces      int       `attr:"bounces"`
	LastBounceAt time.Time `attr:"last_bounce_at,null"`
	// CreatedAt, UTC.
	CreatedAt time.Time `attr:"created_at"`

	mailSubscriptionInternals
}

// mailSubscriptionInternals is what the engine stores with a subscription and does not show.
type mailSubscriptionInternals struct {
	// SentAt are the times of the alerts of the last hour, oldest first.
	SentAt []time.Time `private:"sent_at"`
}

var mailSubscriptions = newKind[MailSubscription]("mail_subscription", nil, nil, nil)

// mailScheme begins the URL of a webhook that is sent by e-mail.
const mailScheme = "mailto:"

// isMail reports whether the webhook is sent by e-mail.
func (w *Webhook) isMail() bool { return strings.HasPrefix(w.URL, mailScheme) }

// mailURL is the URL of an address (RFC 6068).
func mailURL(address string) string {
	return (&url.URL{Scheme: "mailto", Opaque: strings.ReplaceAll(url.PathEscape(address), "%40", "@")}).String()
}

// MailAddress returns the address in the URL of an endpoint that gets e-mails; empty for another
// endpoint.
func MailAddress(endpoint string) string {
	rest, ok := strings.CutPrefix(endpoint, mailScheme)
	if !ok {
		return ""
	}
	address, err := url.PathUnescape(rest)
	if err != nil {
		return ""
	}
	if a, err := mail.ParseAddress(address); err != nil || a.Address != address {
		return ""
	}
	return address
}

func mailSubscriptionID(user ID) ID { return table.NamedID("mail_subscription", user.String()) }

// Mail has the operations on e-mails to users: see [Tracker.Mail].
type Mail struct{ t *Tracker }

// Mail returns the operations on e-mails to the users of the account. Get, Save and Delete are for
// the user whose e-mails they are, which needs show, and for administrators. Unsubscribe needs no
// account.
func (t *Tracker) Mail() Mail { return Mail{t} }

// Sends reports whether this installation sends e-mails: Config.Mailer is set.
func (m Mail) Sends() bool { return m.t.config.Mailer != nil }

// allow checks that the actor may manage the e-mails of a user.
func (m Mail) allow(user ID) error {
	if user != (ID{}) && user == m.t.actor.User {
		return m.t.allow(Show)
	}
	return m.t.allow(Admin)
}

// Get returns what a user gets. Errors: NotFound if there is no such user, or nothing was saved.
func (m Mail) Get(ctx context.Context, user ID) (*MailSubscription, error) {
	if err := m.allow(user); err != nil {
		return nil, err
	}
	return viewing(ctx, m.t.engine, m.t.actor.Account, func(tx *transaction) (*MailSubscription, error) {
		s, _, err := getMailSubscription(tx, mailSubscriptionID(user))
		return s, err
	})
}

// getMailSubscription reads a subscription and its webhook.
func getMailSubscription(tx *transaction, id ID) (*MailSubscription, *Webhook, error) {
	s, err := mailSubscriptions.Get(tx, id)
	if err != nil {
		return nil, nil, err
	}
	w, err := webhooks.Get(tx, id)
	if err != nil {
		return nil, nil, err
	}
	s.complete(w)
	return s, w, nil
}

// complete sets what is stored with the webhook.
func (s *MailSubscription) complete(w *Webhook) {
	s.Address, s.Alerts, s.Active = MailAddress(w.URL), w.Events, w.Active
	s.DeactivatedAt, s.DeactivatedReason = w.DeactivatedAt, w.DeactivatedReason
}

// Save sets what a user gets from now on, and forgets earlier bounces. Alerts that were not sent
// while the subscription was inactive are sent, if they are not older than 96 hours.
//
// Errors: NotFound if there is no such user; Invalid on alerts (inclusion, taken), exceptions
// (inclusion), digest_at,
// digest_days and timezone (invalid), and with the codes blank (neither alerts nor digest),
// no_address (the user has no e-mail address, or cannot sign in), no_mailer (this installation
// sends no e-mails) and too_many (the account has 100 webhooks and subscriptions).
func (m Mail) Save(ctx context.Context, user ID, settings MailSettings) (*MailSubscription, error) {
	if err := m.allow(user); err != nil {
		return nil, err
	}
	if err := m.check(&settings); err != nil {
		return nil, err
	}
	var saved *MailSubscription
	err := m.t.change(ctx, "mail_subscription.save", m.t.actor.Account, func(tx *transaction) error {
		u, err := users.Get(tx, user)
		if err != nil {
			return err
		}
		if !u.maySignIn() || u.Email == "" {
			return &Error{Kind: Invalid, Code: "no_address", Detail: "e-mails are sent to users who have an address and can sign in"}
		}
		saved, err = m.save(tx, u, settings)
		return err
	})
	if err != nil {
		return nil, err
	}
	return saved, nil
}

// check checks settings, and sets their defaults.
func (m Mail) check(s *MailSettings) error {
	if m.t.config.Mailer == nil {
		return &Error{Kind: Invalid, Code: "no_mailer", Detail: "this installation sends no e-mails: its operator must set --smtp"}
	}
	var faults Errors
	if len(s.Alerts) == 0 && len(s.Exceptions) == 0 && !s.Digest {
		faults = append(faults, invalid("alerts", "blank", "Choose at least one alert, or the digest; or end the e-mails"))
	}
	if len(s.Alerts) > 0 {
		for _, fault := range checkEvents(s.Alerts) {
			fault.Field = "alerts"
			faults = append(faults, fault)
		}
	}
	kinds := m.t.Exceptions().Kinds()
	for _, kind := range s.Exceptions {
		if !slices.Contains(kinds, kind) {
			faults = append(faults, invalid("exceptions", "inclusion", "'%s' is no kind of exception: choose of %s", abbreviate(kind, 64), strings.Join(kinds, ", ")))
		}
	}
	if s.DigestAt == "" {
		s.DigestAt = "07:00"
	}
	if _, ok := maildigest.ParseTime(s.DigestAt); !ok {
		faults = append(faults, invalid("digest_at", "invalid", "Digest at must be a time of the day from 00:00 to 23:59, such as 07:00"))
	}
	if len(s.DigestDays) == 0 {
		s.DigestDays = []time.Weekday{time.Monday, time.Tuesday, time.Wednesday, time.Thursday, time.Friday}
	}
	s.DigestDays = slices.Compact(slices.Sorted(slices.Values(s.DigestDays)))
	if s.DigestDays[0] < time.Sunday || s.DigestDays[len(s.DigestDays)-1] > time.Saturday {
		faults = append(faults, invalid("digest_days", "invalid", "Digest days must be days from 0 (Sunday) to 6 (Saturday)"))
	}
	if s.Timezone == "" {
		s.Timezone = "Etc/UTC"
	}
	if freight.LoadZone(s.Timezone) == nil {
		faults = append(faults, invalid("timezone", "invalid", "'%s' is no time zone such as Europe/Amsterdam", abbreviate(s.Timezone, 64)))
	}
	return faults.or()
}

// save writes the subscription and the webhook of a user, and schedules the digest.
func (m Mail) save(tx *transaction, u *User, settings MailSettings) (*MailSubscription, error) {
	id := mailSubscriptionID(u.ID)
	s, w, err := getMailSubscription(tx, id)
	switch {
	case isNotFound(err):
		if err := checkWebhookCount(tx); err != nil {
			return nil, err
		}
		s = &MailSubscription{Meta: Meta{ID: id}, User: u.ID, CreatedAt: tx.Now}
		w = &Webhook{Meta: Meta{ID: id}, Secret: newWebhookSecret(), Format: FormatJSONAPI, CreatedAt: tx.Now}
	case err != nil:
		return nil, err
	default:
		if err := unsealWebhook(tx, w); err != nil {
			return nil, err
		}
	}
	w.URL, w.Events = mailURL(u.Email), slices.Clone(settings.Alerts)
	w.Active, w.DeactivatedAt, w.DeactivatedReason = true, time.Time{}, ""
	s.MailSettings, s.Bounces, s.LastBounceAt = settings, 0, time.Time{}
	if err := putWebhook(tx, w); err != nil {
		return nil, err
	}
	if err := mailSubscriptions.Put(tx, s); err != nil {
		return nil, err
	}
	s.complete(w)
	return s, s.resume(tx)
}

// Delete ends the e-mails of a user. Those that were not sent yet are not sent. Errors: NotFound.
func (m Mail) Delete(ctx context.Context, user ID) error {
	if err := m.allow(user); err != nil {
		return err
	}
	return m.t.change(ctx, "mail_subscription.delete", m.t.actor.Account, func(tx *transaction) error {
		return deleteMailOf(tx, user)
	})
}

// deleteMailOf deletes the subscription of a user. Errors: NotFound.
func deleteMailOf(tx *transaction, user ID) error {
	id := mailSubscriptionID(user)
	if err := webhooks.Delete(tx, id); err != nil {
		return err
	}
	return errors.Join(mailSubscriptions.Delete(tx, id), failPendingOf(tx, id))
}

// endMailOf deactivates the subscription of a user who can no longer sign in.
func endMailOf(tx *transaction, user ID) error {
	w, err := webhooks.Get(tx, mailSubscriptionID(user))
	if err != nil || !w.Active {
		return ignoreNotFound(err)
	}
	w.deactivate(tx, DeactivatedByUser)
	return webhooks.Put(tx, w) // sealed as it was
}

// unsubscribeLife is how long the link in an e-mail works.
const unsubscribeLife = 366 * 24 * time.Hour

// unsubscribeToken is the token in the link by which an e-mail ends the subscription.
func (e *engine) unsubscribeToken(a AccountID, webhook ID, at time.Time) (string, error) {
	return e.keys.Sign(keyring.Token{Purpose: keyring.Unsubscribe, Account: a, Upload: webhook, Until: at.Add(unsubscribeLife)})
}

// Unsubscribe ends the e-mails that a link in one of them is for. Without confirm it changes
// nothing, and returns what would end. Repeating it changes nothing. It needs no account. Errors:
// NotFound, equal for a link that has expired, of a subscription that was deleted, and that never
// existed.
func (m Mail) Unsubscribe(ctx context.Context, token string, confirm bool) (*MailSubscription, error) {
	of, ok := m.t.keys.Verify(token, keyring.Unsubscribe)
	if !ok || m.t.now().After(of.Until) {
		return nil, notFound()
	}
	t := m.t.For(Actor{Account: of.Account, RequestID: m.t.actor.RequestID, ClientAddress: m.t.actor.ClientAddress})
	if !confirm {
		return viewing(ctx, t.engine, of.Account, func(tx *transaction) (*MailSubscription, error) {
			s, _, err := getMailSubscription(tx, of.Upload)
			return s, err
		})
	}
	var s *MailSubscription
	err := t.change(ctx, "mail_subscription.unsubscribe", of.Account, func(tx *transaction) (err error) {
		var w *Webhook
		if s, w, err = getMailSubscription(tx, of.Upload); err != nil || !w.Active {
			return err
		}
		w.deactivate(tx, DeactivatedByUser)
		s.complete(w)
		return webhooks.Put(tx, w) // sealed as it was
	})
	if err != nil {
		return nil, err
	}
	return s, nil
}

// The bounces after which a subscription is deactivated: this many, within this time.
const (
	maxBounces   = 5
	bounceWindow = 7 * 24 * time.Hour
)

// bounce counts an e-mail that came back. gone: there is no such mailbox.
func (s *MailSubscription) bounce(tx *transaction, w *Webhook, gone bool) error {
	if tx.Now.Sub(s.LastBounceAt) > bounceWindow {
		s.Bounces = 0
	}
	s.Bounces++
	s.LastBounceAt = tx.Now
	switch {
	case !w.Active:
		return nil
	case gone:
		w.deactivate(tx, DeactivatedGone)
	case s.Bounces >= maxBounces:
		w.deactivate(tx, DeactivatedFailing)
	default:
		return nil
	}
	tx.engine.log.Warn("an e-mail subscription was deactivated", "webhook", w.ID, "reason", w.DeactivatedReason, "bounces", s.Bounces)
	return webhooks.Put(tx, w) // sealed as it was
}

// RecordBounce counts an e-mail that came back after it was accepted: with a report of a mail
// server to the sender (RFC 3464). gone: the report says that there is no such mailbox. It is for
// the operator of an installation, who needs no permission. Errors: NotFound if no such
// subscription exists.
func (m Mail) RecordBounce(ctx context.Context, account AccountID, subscription ID, gone bool) error {
	return m.t.update(ctx, account, func(tx *transaction) error {
		s, w, err := getMailSubscription(tx, subscription)
		if err != nil {
			return err
		}
		if err := s.bounce(tx, w, gone); err != nil {
			return err
		}
		return mailSubscriptions.Put(tx, s)
	})
}

// mailedExceptions are the kinds of exceptions that users chose, by webhook.
type mailedExceptions map[ID][]string

// readMailedExceptions reads what the users of webhooks for e-mails chose, if an event is about an
// exception that is opened; nil if none is.
func readMailedExceptions(tx *transaction, hooks []*Webhook, events []Announcement) (mailedExceptions, error) {
	opened := slices.ContainsFunc(events, func(a Announcement) bool { return a.Event == freight.ExceptionOpened })
	var ids []ID
	for _, w := range hooks {
		if opened && w.isMail() {
			ids = append(ids, w.ID)
		}
	}
	if len(ids) == 0 {
		return nil, nil //nolint:nilnil // nobody chose any
	}
	by, err := getByID(tx, mailSubscriptions, ids)
	chosen := mailedExceptions{}
	for id, s := range by {
		if len(s.Exceptions) > 0 {
			chosen[id] = s.Exceptions
		}
	}
	return chosen, err
}

// of returns the webhooks whose users chose the kind of the exception that an event opens.
func (m mailedExceptions) of(tx *transaction, a *Announcement) (map[ID]bool, error) {
	if len(m) == 0 || a.Event != freight.ExceptionOpened {
		return nil, nil //nolint:nilnil // none
	}
	e, err := exceptionRecords.Get(tx, a.Reference.ID)
	if err != nil {
		return nil, err
	}
	chosen := map[ID]bool{}
	for id, kinds := range m {
		chosen[id] = slices.Contains(kinds, e.Kind)
	}
	return chosen, nil
}

// enqueueMail makes the e-mail of a subscription due by a time at the latest.
func enqueueMail(tx *transaction, webhook ID, due time.Time) error {
	return tx.enqueueBy(mailJob(webhook, due))
}

func mailJob(webhook ID, due time.Time) store.Job {
	return store.Job{ID: table.NamedID("job/mail", webhook.String()), Kind: jobMail, Group: webhook.String(), Ref: webhook, Due: due}
}

func checkWebhookCount(tx *transaction) error {
	_, total, err := webhooks.List(tx, where[Webhook]{}, Page{Number: 1, Size: 1})
	if err == nil && total >= maxWebhooks {
		err = &Error{Kind: Invalid, Code: "too_many", Detail: fmt.Sprintf("the account has %d webhooks, which is the most there can be; subscriptions to e-mails count as webhooks", maxWebhooks)}
	}
	return err
}
