package tracking_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/storage/memory"
	"github.com/landfallhq/tracking/store"
	"github.com/landfallhq/tracking/trackingtest"
)

const hookURL = "https://example.com/hook"

// subscribe makes a webhook on all events, or on these.
func subscribe(t *testing.T, b *trackingtest.Bench, url string, events ...tracking.EventName) *tracking.Webhook {
	t.Helper()
	if events == nil {
		events = tracking.EventNames()
	}
	w, err := b.CreateWebhook(ctx, tracking.NewWebhook{URL: url, Events: events})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// happen makes an event occur: a request whose number the line does not know.
func happen(t *testing.T, b *trackingtest.Bench, number string) {
	t.Helper()
	create(t, b, tracking.NewTrackingRequest{Number: number, Type: tracking.BillOfLading, SCAC: trackingtest.SCAC})
}

// onlyAwaiting is the event of happen.
const onlyAwaiting = freight.TrackingRequestAwaitingManifest

func notified(t *testing.T, b *trackingtest.Bench, q tracking.WebhookNotificationQuery) []*tracking.WebhookNotification {
	t.Helper()
	list, _, err := b.WebhookNotifications(ctx, q, tracking.Page{})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func attemptsAt(t *testing.T, b *trackingtest.Bench, n *tracking.WebhookNotification) []*tracking.DeliveryAttempt {
	t.Helper()
	list, _, err := b.DeliveryAttempts(ctx, tracking.DeliveryAttemptQuery{Notifications: []tracking.ID{n.ID}, OldestFirst: true}, tracking.Page{})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestWebhookIsChecked(t *testing.T) {
	one := []tracking.EventName{freight.VesselArrived}
	header := func(name, value string) []tracking.Header { return []tracking.Header{{Name: name, Value: value}} }
	tests := []struct {
		name, field, code string
		w                 tracking.NewWebhook
	}{
		{"no URL", "url", "blank", tracking.NewWebhook{Events: one}},
		{"relative", "url", "invalid", tracking.NewWebhook{URL: "/hook", Events: one}},
		{"no host", "url", "invalid", tracking.NewWebhook{URL: "https:///hook", Events: one}},
		{"opaque", "url", "invalid", tracking.NewWebhook{URL: "https:example.com", Events: one}},
		{"other scheme", "url", "invalid", tracking.NewWebhook{URL: "ftp://example.com/", Events: one}},
		{"credentials", "url", "invalid", tracking.NewWebhook{URL: "https://me:secret@example.com/", Events: one}},
		{"fragment", "url", "invalid", tracking.NewWebhook{URL: hookURL + "#here", Events: one}},
		{"empty fragment", "url", "invalid", tracking.NewWebhook{URL: hookURL + "#", Events: one}},
		{"line break", "url", "invalid", tracking.NewWebhook{URL: "https://example.com/\r\nHost: x", Events: one}},
		{"too long", "url", "too_long", tracking.NewWebhook{URL: hookURL + strings.Repeat("x", 2048), Events: one}},
		{"too long in bytes", "url", "invalid", tracking.NewWebhook{URL: hookURL + strings.Repeat("ö", 1500), Events: one}},
		{"no events", "events", "blank", tracking.NewWebhook{URL: hookURL}},
		{"unknown event", "events", "inclusion", tracking.NewWebhook{URL: hookURL, Events: []tracking.EventName{"container.sunk"}}},
		{"event twice", "events", "taken", tracking.NewWebhook{URL: hookURL, Events: slices.Concat(one, one)}},
		{"header without a name", "headers[0].name", "blank", tracking.NewWebhook{URL: hookURL, Events: one, Headers: header("", "x")}},
		{"colon", "headers[0].name", "invalid", tracking.NewWebhook{URL: hookURL, Events: one, Headers: header("X-A: b", "x")}},
		{"CR LF in a name", "headers[0].name", "invalid", tracking.NewWebhook{URL: hookURL, Events: one, Headers: header("X-A\r\nX-B", "x")}},
		{"NUL in a name", "headers[0].name", "invalid", tracking.NewWebhook{URL: hookURL, Events: one, Headers: header("X\x00", "x")}},
		{"long name", "headers[0].name", "too_long", tracking.NewWebhook{URL: hookURL, Events: one, Headers: header(strings.Repeat("x", 65), "x")}},
		{"CR in a value", "headers[0].value", "invalid", tracking.NewWebhook{URL: hookURL, Events: one, Headers: header("X-A", "x\ry")}},
		{"LF in a value", "headers[0].value", "invalid", tracking.NewWebhook{URL: hookURL, Events: one, Headers: header("X-A", "x\ny")}},
		{"NUL in a value", "headers[0].value", "invalid", tracking.NewWebhook{URL: hookURL, Events: one, Headers: header("X-A", "x\x00")}},
		{"blank at the end", "headers[0].value", "invalid", tracking.NewWebhook{URL: hookURL, Events: one, Headers: header("X-A", "x ")}},
		{"long value", "headers[0].value", "too_long", tracking.NewWebhook{URL: hookURL, Events: one, Headers: header("X-A", strings.Repeat("x", 1025))}},
		{"twice", "headers[1].name", "taken", tracking.NewWebhook{URL: hookURL, Events: one, Headers: []tracking.Header{{Name: "X-A", Value: "1"}, {Name: "x-a", Value: "2"}}}},
		{"too many", "headers", "too_many", tracking.NewWebhook{URL: hookURL, Events: one, Headers: make([]tracking.Header, 21)}},
	}
	for _, name := range []string{
		"Host", "Content-Length", "Transfer-Encoding", "Connection", "TE", "Upgrade", "Content-Type", "Trailer",
		"webhook-id", "Webhook-Signature", "webhook-anything", "X-T49-Webhook-Signature", "Proxy-Authorization", "Expect",
	} {
		tests = append(tests, struct {
			name, field, code string
			w                 tracking.NewWebhook
		}{"reserved " + name, "headers[0].name", "exclusion", tracking.NewWebhook{URL: hookURL, Events: one, Headers: header(name, "x")}})
	}
	b := trackingtest.New(t)
	kept := subscribe(t, b, hookURL, one...)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := b.CreateWebhook(ctx, tt.w)
			fault := (*tracking.Error)(nil)
			if !errors.As(err, &fault) || fault.Kind != tracking.Invalid || fault.Field != tt.field || fault.Code != tt.code {
				t.Errorf("created: %v (%+v)", err, fault)
			}
			_, err = b.UpdateWebhook(ctx, kept.ID, tracking.WebhookUpdate{
				URL: tracking.Set(tt.w.URL), Events: tracking.Set(tt.w.Events), Headers: tracking.Set(tt.w.Headers),
			})
			if !errors.As(err, &fault) || fault.Field != tt.field || fault.Code != tt.code {
				t.Errorf("changed: %v", err)
			}
		})
	}
	list, total, err := b.Webhooks(ctx, tracking.WebhookQuery{}, tracking.Page{})
	if err != nil || total != 1 || !cmp.Equal(list[0].URL, hookURL) || list[0].Version != kept.Version {
		t.Errorf("after all refusals: %d webhooks, %v", total, err)
	}
}

func TestWebhookLimit(t *testing.T) {
	b := trackingtest.New(t)
	for range 100 {
		subscribe(t, b, hookURL)
	}
	_, err := b.CreateWebhook(ctx, tracking.NewWebhook{URL: hookURL, Events: tracking.EventNames()})
	fault := (*tracking.Error)(nil)
	if !errors.As(err, &fault) || fault.Code != "too_many" {
		t.Errorf("the 101st webhook: %v", err)
	}
}

// The store holds neither secrets nor header values, and shows both.
func TestWebhookIsSealed(t *testing.T) {
	db := memory.New()
	b := trackingtest.New(t, func(c *tracking.Config) { c.Store = db })
	w, err := b.CreateWebhook(ctx, tracking.NewWebhook{
		URL: hookURL, Events: tracking.EventNames(), Headers: []tracking.Header{{Name: "X-Api-Key", Value: "canary-of-the-header"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	former := w.Secret
	if w, err = b.RotateSecret(ctx, w.ID, time.Hour); err != nil || w.Secret == former {
		t.Fatalf("rotated: %v", err)
	}
	shown, err := b.Rendered().Get(ctx, "webhook", w.ID, nil)
	if err != nil || !strings.Contains(string(shown.Rows[0].Doc), w.Secret) || !strings.Contains(string(shown.Rows[0].Doc), "canary-of-the-header") {
		t.Errorf("shown: %s, %v", shown.Rows[0].Doc, err)
	}
	kind := &store.Kind{Name: "webhook"}
	err = db.View(ctx, b.Account.Scope(), func(tx store.RecordTx) error {
		r, err := tx.Get(ctx, kind, w.ID)
		if err != nil {
			return err
		}
		for _, secret := range []string{w.Secret, former, "canary-of-the-header", strings.TrimPrefix(w.Secret, "whsec_")} {
			if strings.Contains(string(r.Doc)+string(r.Private), secret) {
				t.Errorf("the store holds %s: %s %s", secret, r.Doc, r.Private)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// A store whose secrets are sealed with another key is refused at once; with the
// old key configured next to the new one everything works.
func TestMasterKeys(t *testing.T) {
	key := func(c string) []byte { return []byte(strings.Repeat(c, 32)) }
	db := memory.New()
	open := func(master []byte, old ...[]byte) (*tracking.Tracker, error) {
		return tracking.New(tracking.Config{Store: db, MasterKey: master, OldMasterKeys: old})
	}
	tr, err := open(key("a"))
	if err != nil {
		t.Fatal(err)
	}
	account, _, err := tr.EnsureAccount(ctx, "acme")
	if err != nil {
		t.Fatal(err)
	}
	actor := tracking.Actor{Account: account.Scope()}
	w, err := tr.For(actor).CreateWebhook(ctx, tracking.NewWebhook{URL: hookURL, Events: tracking.EventNames()})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := open(key("b")); err == nil || !strings.Contains(err.Error(), "MasterKey") {
		t.Errorf("opened with another key: %v", err)
	}
	if _, err := open(key("b")[:31]); err == nil {
		t.Error("opened with a short key")
	}
	if tr, err = open(key("b"), key("a")); err != nil {
		t.Fatal(err)
	}
	if same, err := tr.For(actor).Webhook(ctx, w.ID); err != nil || same.Secret != w.Secret {
		t.Errorf("read with the old key: %v", err)
	}
	if _, err := open(key("a")); err == nil {
		t.Error("opened with the old key alone, after the new one")
	}
	// The upkeep reseals, so that the old key is no longer needed.
	if _, err := tr.RunOnce(ctx); err != nil {
		t.Fatal(err)
	}
	if tr, err = open(key("b")); err != nil {
		t.Fatal(err)
	}
	if same, err := tr.For(actor).Webhook(ctx, w.ID); err != nil || same.Secret != w.Secret {
		t.Errorf("read with the new key alone: %v", err)
	}
	none, err := open(nil)
	if err != nil {
		t.Fatal(err)
	}
	fault := (*tracking.Error)(nil)
	if _, err := none.For(actor).CreateWebhook(ctx, tracking.NewWebhook{URL: hookURL, Events: tracking.EventNames()}); !errors.As(err, &fault) || fault.Code != "no_master_key" {
		t.Errorf("created without a key: %v", err)
	}
}
