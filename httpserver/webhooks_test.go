package httpserver_test

import (
	"fmt"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/httpserver"
)

// A notification shows all its attempts, including redeliveries.
func TestNotificationOnRecord(t *testing.T) {
	b := newBench(t)
	b.Notifier.Script("https://example.com/hooks/spring", tracking.Outcome{
		Status: 500, Failure: tracking.FailStatus, Detail: "500 Internal Server Error", RemoteIP: "192.0.2.7",
		DNS: time.Millisecond, Connect: 2 * time.Millisecond, TLS: 3 * time.Millisecond, FirstByte: 4 * time.Millisecond, Total: 12500 * time.Microsecond,
		ResponseHeaders: []tracking.Header{{Name: "Content-Type", Value: "text/plain"}}, ResponseBody: "no, " + b.mine.secret,
	}, tracking.Outcome{Status: 204})
	b.Pass(10 * time.Second)
	path := b.mine.fill("/v2/webhook_notifications/{webhook_notification}")
	b.as(b.mine, "POST", path+"/redeliver", "").want(202)
	b.Settle()
	a := b.as(b.mine, "GET", path+"?include=webhook_notification_logs", "").want(200)
	golden(t, "answers/webhook-notification-delivered.txt", readable("GET "+path+"?include=webhook_notification_logs\n200\n"+headersOf(a.header)+"\n"+indent(t, a.body)))
	if strings.Contains(string(a.body), b.mine.secret) {
		t.Error("the record shows the secret")
	}
}

// A recovery says what became of what it sent.
func TestRecoveryCounts(t *testing.T) {
	b := newBench(t)
	b.Pass(time.Minute)
	path := b.mine.fill("/v2/webhooks/{webhook}/recover")
	begun := b.as(b.mine, "POST", path, `{"since":"2026-03-02T08:00:00Z"}`).want(202)
	b.Settle()
	got := b.as(b.mine, "GET", begun.header.Get("Location"), "").want(200).attributes()
	if got["status"] != "completed" || got["matched_count"] != 1.0 || got["succeeded_count"] != 1.0 || got["failed_count"] != 0.0 || got["finished_at"] == nil {
		t.Errorf("the recovery is %v", got)
	}
}

// What cannot be sent any more is said to be so.
func TestRedeliverRefused(t *testing.T) {
	b := newBench(t)
	again := func(want string) {
		t.Helper()
		for _, path := range []string{"/v2/webhook_notifications/{webhook_notification}/redeliver", "/v2/webhooks/{webhook}/recover"} {
			a := b.as(b.mine, "POST", b.mine.fill(path), `{"since":"2026-03-02T08:00:00Z"}`)
			if strings.HasSuffix(path, "redeliver") {
				a = b.as(b.mine, "POST", b.mine.fill(path), "")
			} else if want == "422 webhook_deleted" {
				want = "404"
			}
			if a.summary() != want {
				t.Errorf("%s: %s, want %s", path, a.summary(), want)
			}
		}
	}
	b.as(b.mine, "PATCH", b.mine.fill("/v2/webhooks/{webhook}"), hook(`"active":false`)).want(200)
	again("422 webhook_inactive")
	b.as(b.mine, "DELETE", b.mine.fill("/v2/webhooks/{webhook}"), "").want(200)
	again("422 webhook_deleted")
	b.as(b.mine, "GET", b.mine.fill("/v2/webhooks/{webhook}"), "").want(404)
	b.as(b.mine, "GET", b.mine.fill("/v2/webhook_notifications/{webhook_notification}?include=webhook"), "").want(200)
}

// A POST that is repeated with its key is done once.
func TestWebhookWritesAreIdempotent(t *testing.T) {
	b := newBench(t)
	twice := func(path, body string, status int) (first, second *response) {
		t.Helper()
		key := "Idempotency-Key: " + path
		first = b.as(b.mine, "POST", b.mine.fill(path), body, key).want(status)
		second = b.as(b.mine, "POST", b.mine.fill(path), body, key).want(status)
		if string(first.body) != string(second.body) {
			t.Errorf("%s: the second time %s, want %s", path, second.body, first.body)
		}
		return first, second
	}
	twice("/v2/webhooks", hook(goodWebhook), 201)
	rotated, _ := twice("/v2/webhooks/{webhook}/rotate_secret", "", 200)
	if rotated.attributes()["secret"] == b.mine.secret {
		t.Error("the secret is the same")
	}
	twice("/v2/webhooks/{webhook}/recover", `{"since":"2026-03-02T08:00:00Z"}`, 202)
	b.Settle()
	sent := len(b.Notifier.Sent())
	const again = "/v2/webhook_notifications/{webhook_notification}/redeliver"
	for range 2 {
		b.as(b.mine, "POST", b.mine.fill(again), "", "Idempotency-Key: again").want(202)
		b.Settle()
	}
	if n := len(b.Notifier.Sent()) - sent; n != 1 {
		t.Errorf("redelivered %d times with one key", n)
	}
	if total := b.as(b.mine, "GET", "/v2/webhooks", "").total(); total != 2 {
		t.Errorf("there are %d webhooks, want 2", total)
	}
	a := b.as(b.mine, "POST", b.mine.fill("/v2/webhooks/{webhook}/rotate_secret"), `{"overlap_seconds":0}`, "Idempotency-Key: /v2/webhooks/{webhook}/rotate_secret")
	if a.summary() != "422 idempotency_key_reused" {
		t.Errorf("the key with another body: %s", a.summary())
	}
}

// A test sends the example, signed with the secret, to the URL, and responds with the
// result.
func TestTriggerWebhook(t *testing.T) {
	b := newBench(t)
	const url = "https://example.com/try"
	b.Notifier.Script(url,
		tracking.Outcome{
			Status: 302, Failure: tracking.FailRedirect, Detail: "302 Found", ResponseBody: "<a>",
			RequestHeaders:  []tracking.Header{{Name: "Content-Type", Value: "application/json"}, {Name: "X-A", Value: "1"}, {Name: "X-A", Value: "2"}},
			ResponseHeaders: []tracking.Header{{Name: "Location", Value: "https://example.com"}},
		},
		tracking.Outcome{Failure: tracking.FailTimeout, Detail: "no answer within 15 s"})
	stored := b.store.stored(t, b.mine.account)
	send := func() map[string]any {
		return b.as(b.mine, "POST", "/v2/webhooks/trigger", `{"url":"`+url+`","event":"container.created","secret":"`+b.mine.secret+`"}`).want(200).doc()
	}
	got := send()
	sent := b.Notifier.Sent()[0]
	want := map[string]any{
		"url": url, "succeeded": false, "error": "redirect: 302 Found", "status_code": 302.0, "request_body": string(sent.Body),
		"request_headers": map[string]any{"Content-Type": "application/json", "X-A": "1, 2"}, "response_headers": map[string]any{"Location": "https://example.com"}, "response_body": "<a>",
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("the result is %v, want %v", got, want)
	}
	if sent.URL != url || len(sent.Secrets) != 1 || sent.Secrets[0] != b.mine.secret || len(sent.Headers) != 0 || sent.Webhook != (tracking.ID{}) {
		t.Errorf("sent is %+v", sent)
	}
	if !strings.Contains(string(sent.Body), `{"data":{"id":"`+sent.ID.String()+`"`) {
		t.Errorf("the ID %s is not that of %s", sent.ID, sent.Body)
	}
	got = send()
	if got["succeeded"] != false || got["error"] != "timeout: no answer within 15 s" || got["status_code"] != nil || got["response_headers"] != nil || got["response_body"] != nil {
		t.Errorf("without a response the result is %v", got)
	}
	if again := b.Notifier.Sent()[1]; again.ID == sent.ID {
		t.Error("a receiver that knows repeats would take the second trial for one")
	}
	if now := b.store.stored(t, b.mine.account); len(now) != len(stored) {
		t.Errorf("%d records are stored, %d before", len(now), len(stored))
	}
}

// Where nothing can be sent, a trial says so.
func TestTriggerWebhookWithoutNotifier(t *testing.T) {
	b := newBench(t)
	tr, err := tracking.New(tracking.Config{Store: b.store, Clock: b.Clock})
	if err != nil {
		t.Fatal(err)
	}
	b.serve(func(c *httpserver.Config) { c.Tracker = tr })
	a := b.as(b.mine, "POST", "/v2/webhooks/trigger", `{"url":"https://example.com","event":"container.created"}`)
	if got := string(a.want(422).body); got != `{"errors":[{"detail":"this installation sends nothing to webhooks"}]}` {
		t.Errorf("answered is %s", got)
	}
}

func TestWebhookIPs(t *testing.T) {
	b := newBench(t, func(c *httpserver.Config) {
		c.WebhookIPs = httpserver.WebhookIPs{
			Addresses: []netip.Addr{netip.MustParseAddr("192.0.2.1"), netip.MustParseAddr("2001:db8::1")},
			Since:     time.Date(2026, 1, 2, 4, 4, 5, 6, time.FixedZone("", 3600)),
		}
	})
	const want = `{"webhook_notification_ips":["192.0.2.1","2001:db8::1"],"last_updated":"2026-01-02T03:04:05Z"}`
	if got := string(b.as(b.mine, "GET", "/v2/webhooks/ips", "").want(200).body); got != want {
		t.Errorf("answered is %s, want %s", got, want)
	}
}

// The example of each event that is listed is served.
func TestListedEventsHaveExamples(t *testing.T) {
	b := newBench(t)
	listed := map[string]bool{}
	for _, category := range b.as(b.mine, "GET", "/v2/webhooks/events", "").want(200).list("data") {
		for _, e := range member(category, "attributes", "events").([]any) {
			name := e.(map[string]any)["name"].(string)
			if listed[name] {
				t.Errorf("%s is listed twice", name)
			}
			listed[name] = true
			a := b.as(b.mine, "GET", "/v2/webhook_notifications/examples?event="+name, "").want(200)
			if a.attributes()["event"] != name {
				t.Errorf("the example of %s is %s", name, a.body)
			}
		}
	}
	if len(listed) != 48 {
		t.Errorf("%d events are listed, want 48", len(listed))
	}
}

// The secret of a webhook is shown to keys with admin alone; others see the mask, wherever a
// webhook is shown.
func TestSecretIsMasked(t *testing.T) {
	b := newBench(t)
	key, _ := b.newKey(b.mine.account, b.mine.user, tracking.Show, tracking.Update, tracking.Create, tracking.Delete)
	reader := &tenant{key: key}
	for _, path := range []string{"/v2/webhooks", "/v2/webhooks/{webhook}", "/v2/webhook_notifications?include=webhook", "/v2/webhook_notifications/{webhook_notification}?include=webhook"} {
		path = b.mine.fill(path)
		if body := string(b.as(reader, "GET", path, "").want(200).body); strings.Contains(body, b.mine.secret) || !strings.Contains(body, `"secret":"whsec_********"`) {
			t.Errorf("%s shows %s", path, body)
		}
		if body := string(b.as(b.mine, "GET", path, "").want(200).body); !strings.Contains(body, `"secret":"`+b.mine.secret+`"`) {
			t.Errorf("%s does not show the secret to a key with admin: %s", path, body)
		}
	}
}
