package dashboard

import (
	"html"
	"net/url"
	"strings"
	"testing"

	"github.com/landfallhq/tracking"
)

// webhookForm returns the form of a webhook, as a browser sends it.
func (w *world) webhookForm(format tracking.WebhookFormat, template string, events ...string) url.Values {
	w.t.Helper()
	return url.Values{
		"csrf": {w.token("/")}, "once": {newToken()}, "url": {"https://example.com/chat"}, "active": {"yes"}, "events": events,
		"format": {string(format)}, "template": {template},
	}
}

// TestWebhookFormats: the format of a webhook is chosen, its messages are shown before it is
// saved, and what is wrong with a template is shown next to it, with line and column.
func TestWebhookFormats(t *testing.T) {
	w := newWorld(t)
	w.signIn()
	if page := w.get(newWebhookPath).body; !strings.Contains(page, `<option value="json_api">`) || !strings.Contains(page, `name="preview"`) {
		t.Error("the form of a webhook has no formats, or shows no messages")
	}
	preview := w.webhookForm(tracking.FormatSlack, "left over", "container.transport.vessel_loaded", "exception-events")
	preview.Set("preview", "yes")
	a := w.post(webhooksPath, preview)
	w.inspect("the preview", a.body)
	for _, want := range []string{"Container TSTU1001000 was loaded on the vessel at Shanghai on 10 Jan 2026, 21:25 UTC+8.", "New exception, high severity", `value="exception-events" checked`, `<option value="slack" selected>`, "left over"} {
		if a.status != 200 || !strings.Contains(html.UnescapeString(a.body), want) {
			t.Errorf("%d, without %q", a.status, want)
		}
	}
	preview = w.webhookForm(tracking.FormatTemplate, "", "container.created")
	preview.Set("preview", "yes")
	if a := w.post(webhooksPath, preview); !strings.Contains(html.UnescapeString(a.body), `{{- define "sentence" -}}`) {
		t.Errorf("an empty template does not begin as that of Slack: %d", a.status)
	}
	broken := w.webhookForm(tracking.FormatTemplate, "{\r\n \"text\": {{jsn .}}}", "container.created")
	problem := `line 2, column 12: function "jsn" not defined`
	for _, show := range []string{"", "yes"} {
		if broken.Del("preview"); show != "" {
			broken.Set("preview", show)
		}
		if a := w.post(webhooksPath, broken); (a.status == 200) != (show != "") || !strings.Contains(html.UnescapeString(a.body), problem) || !strings.Contains(a.body, "jsn .") {
			t.Errorf("a broken template: %d %s", a.status, a.body)
		}
	}
	list, _, err := w.Webhooks(t.Context(), tracking.WebhookQuery{}, tracking.Page{})
	if err != nil {
		t.Fatal(err)
	}
	before := len(list)
	a = w.post(webhooksPath, w.webhookForm(tracking.FormatTemplate, `{"text": {{json .data.attributes.event}}}`, "container.created"))
	page := a.header.Get("Location")
	if a.status != 303 || !strings.Contains(w.get(page).body, "Own template") {
		t.Errorf("saved: %d", a.status)
	}
	changed := w.webhookForm(tracking.FormatTeams, "is not sent", "container.created")
	if a := w.post(page, changed); a.status != 303 || !strings.Contains(w.get(page).body, "Microsoft Teams") {
		t.Errorf("changed: %d %s", a.status, a.body)
	}
	if list, _, err = w.Webhooks(t.Context(), tracking.WebhookQuery{}, tracking.Page{}); err != nil || len(list) != before+1 || list[0].Template != "" {
		t.Errorf("%d webhooks after %d, error %v", len(list), before, err)
	}
}
