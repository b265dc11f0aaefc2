package tracking_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/trackingtest"
)

const kimsURL = "mailto:kim@example.com"

// subscribeKim saves e-mail settings for a new user, who lives in Amsterdam.
func subscribeKim(t *testing.T, b *trackingtest.Bench, s tracking.MailSettings) *tracking.User {
	t.Helper()
	u := newUser(t, b.Tracker, tracking.NewUser{Name: "Kim", Email: "kim@example.com", Permissions: allowed})
	saveMail(t, b, u, s)
	return u
}

func saveMail(t *testing.T, b *trackingtest.Bench, u *tracking.User, s tracking.MailSettings) *tracking.MailSubscription {
	t.Helper()
	saved, err := b.Mail().Save(ctx, u.ID, s)
	if err != nil {
		t.Fatal(err)
	}
	return saved
}

var awaitingAlerts = tracking.MailSettings{Alerts: []tracking.EventName{onlyAwaiting}, Timezone: "Europe/Amsterdam"}

func mailOf(t *testing.T, b *trackingtest.Bench, u *tracking.User) *tracking.MailSubscription {
	t.Helper()
	s, err := b.Mail().Get(ctx, u.ID)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// eventsIn are the events of each e-mail that was sent.
func eventsIn(t *testing.T, sent []tracking.Dispatch) (list [][]string) {
	t.Helper()
	for _, d := range sent {
		var events []string
		for _, body := range d.Mail.Bodies {
			var doc struct {
				Data struct{ Attributes struct{ Event string } }
			}
			if err := json.Unmarshal(body, &doc); err != nil {
				t.Fatal(err)
			}
			events = append(events, doc.Data.Attributes.Event)
		}
		list = append(list, events)
	}
	return list
}

func TestMailSettingsAreChecked(t *testing.T) {
	b := trackingtest.New(t)
	u := newUser(t, b.Tracker, tracking.NewUser{Email: "kim@example.com", Permissions: allowed})
	event := []tracking.EventName{onlyAwaiting}
	for name, tt := range map[string]struct {
		settings tracking.MailSettings
		want     string
	}{
		"nothing":         {tracking.MailSettings{}, "alerts blank"},
		"unknown event":   {tracking.MailSettings{Alerts: []tracking.EventName{"x"}}, "alerts inclusion"},
		"event twice":     {tracking.MailSettings{Alerts: append(event, event...)}, "alerts taken"},
		"time":            {tracking.MailSettings{Digest: true, DigestAt: "7:00"}, "digest_at invalid"},
		"day":             {tracking.MailSettings{Digest: true, DigestDays: []time.Weekday{7}}, "digest_days invalid"},
		"negative day":    {tracking.MailSettings{Digest: true, DigestDays: []time.Weekday{-1}}, "digest_days invalid"},
		"zone":            {tracking.MailSettings{Digest: true, Timezone: "Mars/Olympus"}, "timezone invalid"},
		"several at once": {tracking.MailSettings{Digest: true, DigestAt: "x", Timezone: "x"}, "digest_at invalid, timezone invalid"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := b.Mail().Save(ctx, u.ID, tt.settings)
			if got := faultsIn(err); got != tt.want {
				t.Errorf("%s, want %s", got, tt.want)
			}
		})
	}
	nobody := newUser(t, b.Tracker, tracking.NewUser{Name: "Owner of keys"})
	if _, err := b.Mail().Save(ctx, nobody.ID, awaitingAlerts); faultsIn(err) != " no_address" {
		t.Errorf("a user without an address: %v", err)
	}
	if _, err := b.Mail().Save(ctx, tracking.ID{1}, awaitingAlerts); !errors.Is(err, tracking.ErrNotFound) {
		t.Errorf("no user: %v", err)
	}
	if _, err := b.Mail().Get(ctx, u.ID); !errors.Is(err, tracking.ErrNotFound) {
		t.Errorf("nothing should be saved: %v", err)
	}
	without := trackingtest.New(t, func(c *tracking.Config) { c.Mailer = nil })
	u = newUser(t, without.Tracker, tracking.NewUser{Email: "kim@example.com", Permissions: allowed})
	if _, err := without.Mail().Save(ctx, u.ID, awaitingAlerts); faultsIn(err) != " no_mailer" {
		t.Errorf("without a mailer: %v", err)
	}
}

// faultsIn are the fields and codes of errors.
func faultsIn(err error) string {
	var list tracking.Errors
	if one := (*tracking.Error)(nil); !errors.As(err, &list) && errors.As(err, &one) {
		list = tracking.Errors{one}
	}
	words := make([]string, len(list))
	for i, e := range list {
		words[i] = e.Field + " " + e.Code
	}
	return strings.Join(words, ", ")
}

// A user manages the own e-mails with show alone, and an administrator those of others.
func TestWhoManagesMail(t *testing.T) {
	b := trackingtest.New(t)
	kim := newUser(t, b.Tracker, tracking.NewUser{Email: "kim@example.com", Permissions: allowed})
	pat := newUser(t, b.Tracker, tracking.NewUser{Email: "pat@example.com", Permissions: allowed})
	as := func(u *tracking.User, p ...tracking.Permission) *tracking.Tracker {
		return b.For(tracking.Actor{Account: b.Account.Scope(), User: u.ID, Permissions: p})
	}
	if _, err := as(kim, tracking.Show).Mail().Save(ctx, kim.ID, awaitingAlerts); err != nil {
		t.Error(err)
	}
	for name, call := range map[string]func(tracking.Mail) error{
		"Save": func(m tracking.Mail) error { _, err := m.Save(ctx, kim.ID, awaitingAlerts); return err },
		"Get":  func(m tracking.Mail) error { _, err := m.Get(ctx, kim.ID); return err },
	} {
		if err := call(as(pat, tracking.Show, tracking.Update, tracking.Create, tracking.Delete).Mail()); !isForbidden(err) {
			t.Errorf("%s by a colleague: %v", name, err)
		}
		if err := call(as(pat, tracking.Admin).Mail()); err != nil {
			t.Errorf("%s by an administrator: %v", name, err)
		}
	}
	if err := as(kim, tracking.Show).Mail().Delete(ctx, kim.ID); err != nil {
		t.Error(err)
	}
	if _, err := b.Mail().Get(ctx, kim.ID); !errors.Is(err, tracking.ErrNotFound) {
		t.Error(err)
	}
}

func isForbidden(err error) bool {
	var e *tracking.Error
	return errors.As(err, &e) && e.Kind == tracking.Forbidden
}

// Events that happen within half a minute are in one e-mail, and each has its attempt.
func TestAlertsOfAMomentAreOneMail(t *testing.T) {
	b := trackingtest.New(t)
	u := subscribeKim(t, b, awaitingAlerts)
	for i := range 3 {
		happen(t, b, fmt.Sprint("B", i))
	}
	b.Pass(time.Minute)
	sent := b.Mailer.Sent()
	if got := eventsIn(t, sent); len(got) != 1 || len(got[0]) != 3 {
		t.Fatalf("sent %v", got)
	}
	d := sent[0]
	if d.URL != kimsURL || d.Mail.Name != "Kim" || d.Mail.Timezone != "Europe/Amsterdam" || d.Mail.UnsubscribeToken == "" || len(d.Secrets) != 0 {
		t.Errorf("%+v %+v", d, d.Mail)
	}
	if mailOf(t, b, u).Address != "kim@example.com" || len(b.Notifier.Sent()) != 0 {
		t.Errorf("%d were sent to webhooks", len(b.Notifier.Sent()))
	}
	for _, n := range notified(t, b, tracking.WebhookNotificationQuery{}) {
		if n.DeliveryStatus != tracking.DeliverySucceeded || len(attemptsAt(t, b, n)) != 1 {
			t.Errorf("%s after %d attempts", n.DeliveryStatus, n.AttemptsCount)
		}
	}
}

// A user gets a limited number of alerts in an hour. What is over the limit is in the next one.
func TestAlertsInAnHour(t *testing.T) {
	b := trackingtest.New(t, func(c *tracking.Config) { c.MailsPerHour = 2 })
	subscribeKim(t, b, awaitingAlerts)
	for i := range 6 {
		happen(t, b, fmt.Sprint("B", i))
		b.Pass(2 * time.Minute)
	}
	if got := eventsIn(t, b.Mailer.Sent()); len(got) != 2 {
		t.Fatalf("within 12 minutes: %v", got)
	}
	b.Pass(2 * time.Hour)
	sent := b.Mailer.Sent()
	if got := eventsIn(t, sent); len(got) != 3 || len(got[2]) != 4 {
		t.Fatalf("after two hours: %v", got)
	}
	if wait := sent[2].At.Sub(sent[0].At); wait < time.Hour {
		t.Errorf("the third came %s after the first", wait)
	}
}

// An attempt that fails is repeated by the schedule, with the same ID and what it had.
func TestMailIsTriedAgain(t *testing.T) {
	b := trackingtest.New(t)
	subscribeKim(t, b, awaitingAlerts)
	b.Mailer.Script(kimsURL, tracking.Outcome{Failure: tracking.FailConnect, Detail: "no connection"}, tracking.Outcome{})
	happen(t, b, "B1")
	happen(t, b, "B2")
	b.Pass(10 * time.Minute)
	sent := b.Mailer.Sent()
	if len(sent) != 2 || sent[0].ID != sent[1].ID || len(sent[1].Mail.Bodies) != 2 {
		t.Fatalf("sent %v", eventsIn(t, sent))
	}
	for _, n := range notified(t, b, tracking.WebhookNotificationQuery{}) {
		list := attemptsAt(t, b, n)
		if len(list) != 2 || list[0].Failure != tracking.FailConnect || n.DeliveryStatus != tracking.DeliverySucceeded {
			t.Errorf("%s, %+v", n.DeliveryStatus, list)
		}
	}
}

// A mailbox that does not exist gets nothing more, and refusals of other kinds are counted.
func TestBounces(t *testing.T) {
	refused := tracking.Outcome{Status: 554, Failure: tracking.FailRejected, Detail: "policy"}
	gone := tracking.Outcome{Status: 550, Failure: tracking.FailRejected, Gone: true}
	t.Run("gone", func(t *testing.T) {
		b := trackingtest.New(t)
		u := subscribeKim(t, b, awaitingAlerts)
		b.Mailer.Script(kimsURL, gone)
		happen(t, b, "B1")
		b.Pass(time.Hour)
		if s := mailOf(t, b, u); s.Active || s.DeactivatedReason != tracking.DeactivatedGone || s.Bounces != 1 {
			t.Errorf("%+v", s)
		}
		happen(t, b, "B2")
		b.Pass(time.Hour)
		if n := len(b.Mailer.Sent()); n != 1 {
			t.Errorf("%d were sent", n)
		}
		if s := saveMail(t, b, u, awaitingAlerts); !s.Active || s.Bounces != 0 {
			t.Errorf("saved: %+v", s)
		}
	})
	t.Run("refused", func(t *testing.T) {
		b := trackingtest.New(t)
		u := subscribeKim(t, b, awaitingAlerts)
		b.Mailer.Script(kimsURL, slices.Repeat([]tracking.Outcome{refused}, 9)...)
		happen(t, b, "B1")
		b.Pass(24 * time.Hour)
		if s := mailOf(t, b, u); s.Active || s.DeactivatedReason != tracking.DeactivatedFailing || s.Bounces != 5 {
			t.Errorf("%+v", s)
		}
	})
	t.Run("reported", func(t *testing.T) {
		b := trackingtest.New(t)
		u := subscribeKim(t, b, awaitingAlerts)
		id := mailOf(t, b, u).ID
		for range 2 {
			if err := b.Mail().RecordBounce(ctx, b.Account.Scope(), id, false); err != nil {
				t.Fatal(err)
			}
		}
		if s := mailOf(t, b, u); !s.Active || s.Bounces != 2 || s.LastBounceAt.IsZero() {
			t.Errorf("%+v", s)
		}
		if err := b.Mail().RecordBounce(ctx, b.Account.Scope(), id, true); err != nil {
			t.Fatal(err)
		}
		if s := mailOf(t, b, u); s.Active {
			t.Errorf("%+v", s)
		}
		if err := b.Mail().RecordBounce(ctx, b.Account.Scope(), tracking.ID{1}, true); !errors.Is(err, tracking.ErrNotFound) {
			t.Error(err)
		}
	})
}

func TestUnsubscribe(t *testing.T) {
	b := trackingtest.New(t)
	u := subscribeKim(t, b, awaitingAlerts)
	happen(t, b, "B1")
	b.Pass(time.Minute)
	token := b.Mailer.Sent()[0].Mail.UnsubscribeToken
	visitor := b.For(tracking.Actor{})
	if s, err := visitor.Mail().Unsubscribe(ctx, token, false); err != nil || !s.Active || s.Address != "kim@example.com" {
		t.Fatalf("look: %+v %v", s, err)
	}
	for range 2 {
		if s, err := visitor.Mail().Unsubscribe(ctx, token, true); err != nil || s.Active {
			t.Fatalf("confirmed: %+v %v", s, err)
		}
	}
	happen(t, b, "B2")
	b.Pass(time.Hour)
	if n := len(b.Mailer.Sent()); n != 1 {
		t.Errorf("%d were sent", n)
	}
	for _, wrong := range []string{"", "x", token + "x", token[:len(token)-1], strings.ToUpper(token)} {
		if _, err := visitor.Mail().Unsubscribe(ctx, wrong, true); !errors.Is(err, tracking.ErrNotFound) {
			t.Errorf("%q: %v", wrong, err)
		}
	}
	saveMail(t, b, u, awaitingAlerts)
	b.Clock.Advance(367 * 24 * time.Hour)
	if _, err := visitor.Mail().Unsubscribe(ctx, token, true); !errors.Is(err, tracking.ErrNotFound) {
		t.Errorf("an old link: %v", err)
	}
}

// The digest comes at the user's time of the day, on the user's days, and once.
func TestDigest(t *testing.T) {
	b := trackingtest.New(t)
	subscribeKim(t, b, tracking.MailSettings{Digest: true, DigestAt: "07:30", Timezone: "Europe/Amsterdam"})
	b.Pass(8 * 24 * time.Hour)
	zone, err := time.LoadLocation("Europe/Amsterdam")
	if err != nil {
		t.Fatal(err)
	}
	var at []string
	for _, d := range b.Mailer.Sent() {
		local := d.At.In(zone)
		if local.Weekday() == time.Saturday || local.Weekday() == time.Sunday {
			t.Errorf("sent on %s", local)
		}
		at = append(at, local.Format("15:04"))
		if digest := digestIn(t, d); digest.Date != local.Format(time.DateOnly) || digest.Timezone != "Europe/Amsterdam" {
			t.Errorf("%+v", digest)
		}
	}
	if len(at) < 5 || len(at) > 6 || slices.ContainsFunc(at, func(s string) bool { return s != "07:30" }) {
		t.Errorf("sent at %v", at)
	}
	if got := eventsIn(t, b.Mailer.Sent()); !cmp.Equal(got[0], []string{"digest"}) {
		t.Errorf("%v", got)
	}
}

func digestIn(t *testing.T, d tracking.Dispatch) tracking.Digest {
	t.Helper()
	var doc struct {
		Data struct {
			Relationships struct {
				Reference struct{ Data *struct{} } `json:"reference_object"`
			}
		}
		Included []struct {
			Type       string
			Attributes tracking.Digest
		}
	}
	if err := json.Unmarshal(d.Body, &doc); err != nil || len(doc.Included) != 1 || doc.Included[0].Type != "digest" || doc.Data.Relationships.Reference.Data != nil {
		t.Fatalf("%v: %s", err, d.Body)
	}
	return doc.Included[0].Attributes
}

// After an outage the digest of a past day is left out, and that of the day is sent late.
func TestDigestAfterAnOutage(t *testing.T) {
	b := trackingtest.New(t)
	everyDay := []time.Weekday{0, 1, 2, 3, 4, 5, 6}
	subscribeKim(t, b, tracking.MailSettings{Digest: true, DigestAt: "07:00", DigestDays: everyDay})
	now := b.Clock.Now()
	b.Clock.Advance(time.Date(now.Year(), now.Month(), now.Day()+4, 5, 0, 0, 0, time.UTC).Sub(now))
	b.Settle()
	b.Pass(time.Minute)
	if n := len(b.Mailer.Sent()); n != 0 {
		t.Fatalf("%d of the past", n)
	}
	b.Clock.Advance(9 * time.Hour)
	b.Settle()
	b.Pass(time.Minute)
	if n := len(b.Mailer.Sent()); n != 1 {
		t.Errorf("%d at 14:00", n)
	}
}

// Without the user there is no e-mail.
func TestMailEndsWithItsUser(t *testing.T) {
	for name, end := range map[string]func(*trackingtest.Bench, *tracking.User) error{
		"deleted": func(b *trackingtest.Bench, u *tracking.User) error { return b.Users().Delete(ctx, u.ID) },
		"disabled": func(b *trackingtest.Bench, u *tracking.User) error {
			_, err := b.Users().Update(ctx, u.ID, tracking.UserUpdate{Disabled: tracking.Set(true)})
			return err
		},
		"without permissions": func(b *trackingtest.Bench, u *tracking.User) error {
			_, err := b.Users().Update(ctx, u.ID, tracking.UserUpdate{Permissions: tracking.Set([]tracking.Permission{})})
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := trackingtest.New(t)
			settings := awaitingAlerts
			settings.Digest = true
			u := subscribeKim(t, b, settings)
			happen(t, b, "B1")
			if err := end(b, u); err != nil {
				t.Fatal(err)
			}
			happen(t, b, "B2")
			b.Pass(8 * 24 * time.Hour)
			if n := len(b.Mailer.Sent()); n != 0 {
				t.Errorf("%d were sent", n)
			}
		})
	}
}

// The webhook of a subscription can be looked at, tried, ended, and its notifications sent again;
// only its address stays.
func TestWebhookOfMail(t *testing.T) {
	b := trackingtest.New(t)
	u := subscribeKim(t, b, awaitingAlerts)
	id := mailOf(t, b, u).ID
	happen(t, b, "B1")
	b.Pass(time.Minute)
	n := notified(t, b, tracking.WebhookNotificationQuery{})[0]
	if _, err := b.RedeliverNotification(ctx, n.ID); err != nil {
		t.Fatal(err)
	}
	b.Settle()
	if sent := b.Mailer.Sent(); len(sent) != 2 || sent[1].ID != n.ID {
		t.Errorf("sent again: %d", len(sent))
	}
	if _, err := b.RecoverWebhook(ctx, id, tracking.NewRecovery{Since: b.Clock.Now().Add(-time.Hour)}); err != nil {
		t.Fatal(err)
	}
	b.Settle()
	if n := len(b.Mailer.Sent()); n != 3 {
		t.Errorf("%d after a recovery", n)
	}
	if r, err := b.TestWebhook(ctx, tracking.WebhookTest{Webhook: id, Event: onlyAwaiting}); err != nil || r.Outcome.Failure != "" {
		t.Errorf("test: %+v %v", r, err)
	}
	if _, err := b.UpdateWebhook(ctx, id, tracking.WebhookUpdate{URL: tracking.Set("https://example.com/hook")}); faultsIn(err) != "url invalid" {
		t.Errorf("another URL: %v", err)
	}
	if _, err := b.CreateWebhook(ctx, tracking.NewWebhook{URL: kimsURL, Events: awaitingAlerts.Alerts}); faultsIn(err) != "url invalid" {
		t.Errorf("a webhook of an address: %v", err)
	}
	if w, err := b.UpdateWebhook(ctx, id, tracking.WebhookUpdate{Active: tracking.Set(false)}); err != nil || w.Active {
		t.Errorf("%v", err)
	}
	happen(t, b, "B2")
	if w, err := b.UpdateWebhook(ctx, id, tracking.WebhookUpdate{Active: tracking.Set(true)}); err != nil || !w.Active {
		t.Errorf("%v", err)
	}
	happen(t, b, "B3")
	b.Pass(time.Minute)
	if n := len(b.Mailer.Sent()); n != 5 { // of the test, and of B3
		t.Errorf("%d after it was active again", n)
	}
	if err := b.DeleteWebhook(ctx, id); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Mail().Get(ctx, u.ID); !errors.Is(err, tracking.ErrNotFound) {
		t.Errorf("%v", err)
	}
}

// A digest has what the lists of the account have.
func TestDigestParts(t *testing.T) {
	b := trackingtest.New(t)
	d, err := b.Mail().Digest(ctx, "Europe/Amsterdam")
	if err != nil || d.Exceptions.Total+d.Costs.Total+d.FreeTime.Total+d.Arrivals.Total+d.Overdue.Total != 0 {
		t.Fatalf("%+v %v", d, err)
	}
	if _, err := b.Mail().Digest(ctx, "x"); faultsIn(err) != "timezone invalid" {
		t.Error(err)
	}
}

func TestMailAddress(t *testing.T) {
	for url, want := range map[string]string{
		"mailto:kim@example.com": "kim@example.com", "mailto:kim%2Bfreight@example.com": "kim+freight@example.com",
		"https://example.com": "", "mailto:": "", "mailto:kim": "", "mailto:Kim <kim@example.com>": "", "mailto:%zz@example.com": "",
	} {
		if got := tracking.MailAddress(url); got != want {
			t.Errorf("%s: %q, want %q", url, got, want)
		}
	}
}

// A user gets the exceptions of the kinds that were chosen when they are opened, and no others.
func TestAlertsByKindOfException(t *testing.T) {
	n := followsExceptions(t)
	u := newUser(t, n.Tracker, tracking.NewUser{Email: "kim@example.com", Permissions: allowed})
	save := func(kinds ...string) {
		t.Helper()
		saveMail(t, n.Bench, u, tracking.MailSettings{Exceptions: kinds})
	}
	if _, err := n.Mail().Save(ctx, u.ID, tracking.MailSettings{Exceptions: []string{"hold", "fog"}}); faultsIn(err) != "exceptions inclusion" {
		t.Errorf("an unknown kind: %v", err)
	}
	save("rollover")
	n.hand(seen(held))
	n.Pass(time.Hour)
	if sent := n.Mailer.Sent(); len(sent) != 0 {
		t.Errorf("another kind: %v", eventsIn(t, sent))
	}
	n.hand(seen(released))
	n.Pass(time.Hour)
	save("rollover", "hold")
	n.hand(seen(held))
	n.Pass(time.Hour)
	if got := eventsIn(t, n.Mailer.Sent()); len(got) != 1 || !cmp.Equal(got[0], []string{"exception.opened"}) {
		t.Errorf("a hold: %v", got)
	}
}

// An e-mail whose result was not recorded is sent again with what it had, under the same ID; what
// happened meanwhile is in the next one.
func TestLostMailIsSentAgain(t *testing.T) {
	b := trackingtest.New(t)
	subscribeKim(t, b, awaitingAlerts)
	b.Clock.Advance(200 * time.Millisecond)
	happen(t, b, "B1")
	first := true
	b.Mailer.During(func(tracking.Dispatch) {
		if first {
			first = false
			b.Clock.Advance(300 * time.Millisecond) // within the second in which the e-mail was due
			happen(t, b, "B2")
			b.Settle()
			b.Clock.Advance(10 * time.Minute) // the lease ends, and another process goes on
			b.Settle()
		}
	})
	b.Pass(time.Hour)
	sent := b.Mailer.Sent()
	if got := eventsIn(t, sent); len(got) != 3 || len(got[0]) != 1 || len(got[1]) != 1 || sent[0].ID != sent[1].ID || sent[1].ID == sent[2].ID {
		t.Fatalf("sent %v", got)
	}
	var lost int
	for _, n := range notified(t, b, tracking.WebhookNotificationQuery{}) {
		for _, a := range attemptsAt(t, b, n) {
			if a.Failure == "lost" {
				lost++
			}
		}
		if n.DeliveryStatus != tracking.DeliverySucceeded {
			t.Errorf("%s", n.DeliveryStatus)
		}
	}
	if lost != 1 {
		t.Errorf("%d attempts are recorded as lost", lost)
	}
}
