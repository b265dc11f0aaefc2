package tracking_test

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/internal/messagetemplate"
	"github.com/landfallhq/tracking/trackingtest"
	"github.com/landfallhq/tracking/webhook"
	"github.com/landfallhq/tracking/webhook/signature"
)

var updateChatMessages = flag.Bool("update-chatmessages", false, "write testdata/chatmessages.txt again")

// chatText are the texts of a message, line by line.
func chatText(t *testing.T, f tracking.WebhookFormat, body []byte) string {
	t.Helper()
	var m struct {
		Text        string
		Type        string
		Attachments []struct {
			ContentType string
			Content     struct {
				Type string
				Body []struct{ Type, Text string }
			}
		}
	}
	if err := json.Unmarshal(body, &m); err != nil {
		t.Fatalf("%v in %s", err, body)
	}
	if f == tracking.FormatSlack {
		return m.Text
	}
	if m.Type != "message" || len(m.Attachments) != 1 || m.Attachments[0].ContentType != "application/vnd.microsoft.card.adaptive" || m.Attachments[0].Content.Type != "AdaptiveCard" {
		t.Fatalf("no card: %s", body)
	}
	var lines []string
	for _, b := range m.Attachments[0].Content.Body {
		lines = append(lines, b.Text)
	}
	return strings.Join(lines, "\n")
}

// TestChatMessages: each event is a sentence that a person would write, in both chats.
// testdata/chatmessages.txt has them; -update-chatmessages writes it.
func TestChatMessages(t *testing.T) {
	var b strings.Builder
	for _, event := range tracking.Describe().AllEvents {
		var texts []string
		for _, f := range []tracking.WebhookFormat{tracking.FormatSlack, tracking.FormatTeams} {
			body, err := tracking.Describe().ExampleMessage(f, "", event)
			if err != nil {
				t.Fatalf("%s: %v", event, err)
			}
			texts = append(texts, chatText(t, f, body))
		}
		if texts[0] != texts[1] {
			t.Errorf("%s is %q in Slack and %q in Teams", event, texts[0], texts[1])
		}
		if strings.Contains(texts[0], "without a") || strings.Contains(texts[0], "  ") || strings.Contains(texts[0], "no value") || strings.Contains(texts[0], "nil") {
			t.Errorf("%s: %q", event, texts[0])
		}
		fmt.Fprintf(&b, "%s\n%s\n\n", event, texts[0])
	}
	const file = "testdata/chatmessages.txt"
	if *updateChatMessages {
		if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil || string(want) != b.String() {
		t.Errorf("%s has other messages (%v): go test . -run '^TestChatMessages$' -update-chatmessages\n%s", file, err, b.String())
	}
}

// TestFormatErrors: formats and templates are checked when a webhook is made and changed, with
// line and column, on the examples of its events.
func TestFormatErrors(t *testing.T) {
	for _, row := range []struct {
		format   tracking.WebhookFormat
		template string
		events   []tracking.EventName
		want     string // field and detail; empty for none
	}{
		{"", "", nil, ""}, {tracking.FormatSlack, "", nil, ""}, {tracking.FormatTeams, "", nil, ""},
		{tracking.FormatTemplate, tracking.Describe().FormatTemplate(tracking.FormatTeams), tracking.Describe().AllEvents, ""},
		{tracking.FormatTemplate, `{"text": {{json .data.attributes.event}}}`, []tracking.EventName{"document-events"}, ""},
		{"discord", "", nil, "format: Format must be one of json_api, slack, teams and template"},
		{tracking.FormatSlack, "{}", nil, "template: Template must be null with the format slack"},
		{"", "{}", nil, "template: Template must be null with the format json_api"},
		{tracking.FormatTemplate, " \n", nil, "template: Template can't be blank"},
		{tracking.FormatTemplate, "{\n  \"text\": {{jsn .}}\n}", nil, `template: Template cannot be read: line 2, column 13: function "jsn" not defined`},
		{tracking.FormatTemplate, "{\"text\":\n {{json (index .included 9)}}}", nil, "template: Template cannot be used for the example of container.created: line 2, column 10: index out of range: 9"},
		{tracking.FormatTemplate, `{"text": {{.data.id}}}`, nil, "template: Template cannot be used for the example of container.created: what it writes is not JSON"},
		{tracking.FormatTemplate, `{{range 1000000000}}{{end}}`, nil, "line 1, column 21: it takes too many steps"},
		{tracking.FormatTemplate, `{"a": {{json (included "tracking_request").attributes.scac}}, "b": {{if (included "document")}}1{{else}}2{{end}} {{with included "document"}}3{{end}}}`, []tracking.EventName{"document-events", "container.created"}, "the example of document.extracted"},
	} {
		b := trackingtest.New(t)
		n := tracking.NewWebhook{URL: "https://example.com/hook", Events: row.events, Format: row.format, Template: row.template}
		if n.Events == nil {
			n.Events = []tracking.EventName{"container.created"}
		}
		w, err := b.Tracker.CreateWebhook(t.Context(), n)
		checkFault(t, row.want, err)
		if w == nil {
			w, err = b.Tracker.CreateWebhook(t.Context(), tracking.NewWebhook{URL: n.URL, Events: n.Events})
			if err != nil {
				t.Fatal(err)
			}
		}
		u := tracking.WebhookUpdate{Format: tracking.Set(row.format), Template: tracking.Set(row.template)}
		if row.format == "" {
			u.Format = tracking.Set(tracking.FormatJSONAPI)
		}
		_, err = b.Tracker.UpdateWebhook(t.Context(), w.ID, u)
		checkFault(t, row.want, err)
		_, err = b.Tracker.TestWebhook(t.Context(), tracking.WebhookTest{URL: n.URL, Event: "container.created", Format: row.format, Template: row.template})
		if strings.Contains(row.want, "container.created") || strings.HasPrefix(row.want, "format") {
			checkFault(t, row.want, err)
		}
	}
}

// checkFault checks the first fault of an error: its field and its detail.
func checkFault(t *testing.T, want string, err error) {
	t.Helper()
	var faults tracking.Errors
	var fault *tracking.Error
	switch {
	case err == nil && want == "":
		return
	case errors.As(err, &faults):
		fault = faults[0]
	case !errors.As(err, &fault):
		t.Errorf("%v, want %q", err, want)
		return
	}
	if got := fault.Field + ": " + fault.Detail; want == "" || !strings.Contains(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// chat is an endpoint that answers as a chat does, and keeps the bodies.
type chat struct {
	url    string
	secret string
	now    func() time.Time

	mu     sync.Mutex
	bodies [][]byte
	faults []error
}

func newChat(t *testing.T, now func() time.Time, status int, answer string) *chat {
	t.Helper()
	c := &chat{now: now}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c.take(r)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, answer)
	}))
	t.Cleanup(server.Close)
	c.url = server.URL
	return c
}

// take keeps a body, and what is wrong with the request.
func (c *chat) take(r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if got := r.Header.Get("Content-Type"); err == nil && got != "application/json" {
		err = fmt.Errorf("the type is %q", got)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.bodies = append(c.bodies, body)
	c.faults = append(c.faults, err, signature.VerifyAt(c.now(), r.Header, body, []string{c.secret}, time.Minute))
}

// sent returns the bodies so far.
func (c *chat) sent(t *testing.T) [][]byte {
	t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := errors.Join(c.faults...); err != nil {
		t.Error(err)
	}
	return slices.Clone(c.bodies)
}

// failsLater is a template that makes the example and no other message.
const failsLater = `{"text": {{if eq .data.id "c035bdab-d317-5949-9bd0-bec629ef5394"}}"example"{{else}}{{json (index .included 99)}}{{end}}}`

// TestChatDelivery: an event reaches a chat over HTTP as a signed message, is shown and sent again
// with the same body, and a template that fails at delivery does not lose it.
func TestChatDelivery(t *testing.T) {
	const text = "The line does not know bill of lading B1 yet. It is asked again.\nMAEU"
	for name, row := range map[string]struct {
		format           tracking.WebhookFormat
		template, answer string
		status           int
		want, detail     string
	}{
		"slack":    {format: tracking.FormatSlack, status: 200, answer: "ok", want: text},
		"teams":    {format: tracking.FormatTeams, status: 202, want: text},
		"template": {format: tracking.FormatTemplate, template: `{"text": {{json .data.attributes.event}}}`, status: 204, want: string(onlyAwaiting)},
		"failing":  {format: tracking.FormatTemplate, template: failsLater, status: 200, answer: "ok", want: "Event tracking_request.awaiting_manifest of tracking request ", detail: "a plain message was sent, because the template failed: line 1, column 92: index out of range: 99"},
	} {
		t.Run(name, func(t *testing.T) {
			b := trackingtest.New(t, func(c *tracking.Config) {
				c.Notifier = webhook.New(webhook.Config{AllowHTTP: true, AllowPrivate: true})
			})
			to := newChat(t, b.Clock.Now, row.status, row.answer)
			w, err := b.CreateWebhook(ctx, tracking.NewWebhook{URL: to.url, Events: []tracking.EventName{onlyAwaiting}, Format: row.format, Template: row.template})
			if err != nil {
				t.Fatal(err)
			}
			to.secret = w.Secret
			happen(t, b, "B1")
			b.Settle()
			n := notified(t, b, tracking.WebhookNotificationQuery{})[0]
			list := attemptsAt(t, b, n)
			if n.DeliveryStatus != tracking.DeliverySucceeded || len(list) != 1 || list[0].StatusCode != row.status || list[0].Detail != row.detail || list[0].Failure != "" {
				t.Fatalf("%s after %d attempts: %+v", n.DeliveryStatus, len(list), list[0])
			}
			if _, err := b.RedeliverNotification(ctx, n.ID); err != nil {
				t.Fatal(err)
			}
			b.Settle()
			checkSent(t, b, to, n, row.format, row.want)
			checkTested(t, b, to, w)
		})
	}
}

// checkSent checks the bodies of a delivery and of its redelivery.
func checkSent(t *testing.T, b *trackingtest.Bench, to *chat, n *tracking.WebhookNotification, f tracking.WebhookFormat, want string) {
	t.Helper()
	sent := to.sent(t)
	shown, err := b.NotificationPayload(ctx, n.ID)
	if err != nil || len(sent) != 2 {
		t.Fatalf("%d bodies, error %v", len(sent), err)
	}
	if string(sent[0]) != string(sent[1]) || string(sent[0]) != string(shown) {
		t.Errorf("sent: %s\nsent again: %s\nshown: %s", sent[0], sent[1], shown)
	}
	if f == tracking.FormatTemplate {
		f = tracking.FormatSlack // of the same form
	}
	if got := chatText(t, f, sent[0]); !strings.HasPrefix(got, want) {
		t.Errorf("the message is %q, want %q", got, want)
	}
}

// checkTested makes a test delivery to a webhook.
func checkTested(t *testing.T, b *trackingtest.Bench, to *chat, w *tracking.Webhook) {
	t.Helper()
	result, err := b.TestWebhook(ctx, tracking.WebhookTest{Webhook: w.ID, Event: freight.VesselArrived})
	if err != nil || result.Outcome.Failure != "" {
		t.Fatalf("%+v, error %v", result, err)
	}
	sent := to.sent(t)
	if last := sent[len(sent)-1]; string(last) != string(result.Body) || strings.Contains(string(last), "webhook_notification") && w.Template != failsLater {
		t.Errorf("a test has sent %s", last)
	}
}

// TestFormatOfDeletedWebhook: what is shown of a notification whose webhook is gone is its document.
func TestFormatOfDeletedWebhook(t *testing.T) {
	b := trackingtest.New(t)
	w, err := b.CreateWebhook(ctx, tracking.NewWebhook{URL: hookURL, Events: []tracking.EventName{onlyAwaiting}, Format: tracking.FormatSlack})
	if err != nil {
		t.Fatal(err)
	}
	happen(t, b, "B1")
	b.Settle()
	if err := b.DeleteWebhook(ctx, w.ID); err != nil {
		t.Fatal(err)
	}
	n := notified(t, b, tracking.WebhookNotificationQuery{})[0]
	if body, err := b.NotificationPayload(ctx, n.ID); err != nil || !strings.Contains(string(body), `"type":"webhook_notification"`) {
		t.Errorf("%s, error %v", body, err)
	}
}

// TestChatsOfOtherPayloads: the templates of chats make a message also of payloads that lack what
// the examples have, such as those of new shipments.
func TestChatsOfOtherPayloads(t *testing.T) {
	var templates []*messagetemplate.Template
	for _, f := range []tracking.WebhookFormat{tracking.FormatSlack, tracking.FormatTeams} {
		parsed, err := messagetemplate.Parse(tracking.Describe().FormatTemplate(f))
		if err != nil {
			t.Fatal(err)
		}
		templates = append(templates, parsed)
	}
	examples := map[tracking.EventName][]byte{}
	for _, event := range tracking.Describe().AllEvents {
		body, err := tracking.Describe().ExampleNotification(event)
		if err != nil {
			t.Fatal(err)
		}
		examples[event] = body
	}
	rapid.Check(t, func(t *rapid.T) {
		event := rapid.SampledFrom(tracking.Describe().AllEvents).Draw(t, "event")
		var payload map[string]any
		if err := json.Unmarshal(examples[event], &payload); err != nil {
			t.Fatal(err)
		}
		less(t, payload, 0)
		data, _ := payload["data"].(map[string]any)
		data["attributes"] = map[string]any{"event": event}
		body, _ := json.Marshal(payload)
		for _, parsed := range templates {
			message, err := parsed.Execute(body)
			if err != nil {
				t.Fatalf("%s: %v", body, err)
			}
			for _, not := range []string{"no value", "<nil>", "  ", "\"\""} {
				if strings.Contains(string(message), not) {
					t.Fatalf("%s has %q: %s", event, not, message)
				}
			}
		}
	})
}

// less takes members and elements away: of attributes, relationships and included resources.
func less(t *rapid.T, v any, depth int) {
	switch v := v.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			switch {
			case depth > 2 && key != "type" && key != "id" && rapid.IntRange(0, 4).Draw(t, key) == 0:
				v[key] = nil
			case key == "included" && rapid.Bool().Draw(t, key):
				list := v[key].([]any)
				v[key] = list[rapid.IntRange(0, len(list)).Draw(t, "first"):]
				less(t, v[key], depth+1)
			case key != "changeset":
				less(t, v[key], depth+1)
			}
		}
	case []any:
		for _, x := range v {
			less(t, x, depth+1)
		}
	}
}
