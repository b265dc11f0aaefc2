package tracking

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/landfallhq/tracking/internal/eventcatalog"
	"github.com/landfallhq/tracking/internal/messagetemplate"
)

// WebhookFormat is the form of what is posted to a webhook (see docs/webhooks.md#formats).
type WebhookFormat string

// The formats.
const (
	// FormatJSONAPI is the document of the notification.
	FormatJSONAPI WebhookFormat = "json_api"
	// FormatSlack is a message for an incoming webhook of Slack, and for programs that take its
	// form.
	FormatSlack WebhookFormat = "slack"
	// FormatTeams is an Adaptive Card for a workflow of Microsoft Teams.
	FormatTeams WebhookFormat = "teams"
	// FormatTemplate is what Webhook.Template writes.
	FormatTemplate WebhookFormat = "template"
)

var webhookFormats = []WebhookFormat{FormatJSONAPI, FormatSlack, FormatTeams, FormatTemplate}

// The templates of the formats. Those of chats use what sentence.tmpl defines.
var (
	//go:embed webhookmessages/sentence.tmpl
	sentenceTemplate string
	//go:embed webhookmessages/slack.tmpl
	slackTemplate string
	//go:embed webhookmessages/teams.tmpl
	teamsTemplate string
)

// formatTemplates are the parsed templates of the formats.
var formatTemplates = map[WebhookFormat]func() *messagetemplate.Template{
	FormatSlack: sync.OnceValue(func() *messagetemplate.Template { return parsedFormat(FormatSlack) }),
	FormatTeams: sync.OnceValue(func() *messagetemplate.Template { return parsedFormat(FormatTeams) }),
}

func parsedFormat(f WebhookFormat) *messagetemplate.Template {
	t, err := messagetemplate.Parse(Describe().FormatTemplate(f))
	if err != nil {
		panic(err) // it is part of the program
	}
	return t
}

// FormatTemplate returns the template of a format, as a text to begin one's own with. Empty for
// FormatJSONAPI and FormatTemplate.
func (*Description) FormatTemplate(f WebhookFormat) string {
	switch f {
	case FormatSlack:
		return sentenceTemplate + slackTemplate
	case FormatTeams:
		return sentenceTemplate + teamsTemplate
	}
	return ""
}

// ExampleMessage returns what a webhook of a format gets for the example of an event: the body of
// ExampleNotification in that format. template is that of FormatTemplate, and empty for others.
//
// Errors: Invalid on event (as ExampleNotification), format (inclusion) and template (blank,
// present, invalid: with line and column).
func (d *Description) ExampleMessage(f WebhookFormat, template string, event EventName) ([]byte, error) {
	if faults := checkFormat(f, template, []EventName{event}); len(faults) > 0 {
		return nil, faults.or()
	}
	payload, err := d.ExampleNotification(event)
	if err != nil {
		return nil, err
	}
	body, _ := (&Webhook{Format: f, Template: template}).message(payload)
	return body, nil
}

// checkFormat checks a format with its template, which is tried on the examples of events.
func checkFormat(f WebhookFormat, template string, events []EventName) Errors {
	switch {
	case !slices.Contains(webhookFormats, f):
		return Errors{invalid("format", "inclusion", "Format must be one of json_api, slack, teams and template")}
	case f != FormatTemplate && template != "":
		return Errors{invalid("template", "present", "Template must be null with the format %s: it belongs to the format template", f)}
	case f != FormatTemplate:
		return nil
	case strings.TrimSpace(template) == "":
		return Errors{invalid("template", "blank", "Template can't be blank with the format template")}
	}
	t, err := messagetemplate.Parse(template)
	if err != nil {
		return Errors{invalid("template", "invalid", "Template cannot be read: %s", err)}
	}
	return tryTemplate(t, events)
}

// tryTemplate makes the messages of the examples of events, up to the first that fails. Names that
// are no events are left to other checks.
func tryTemplate(t *messagetemplate.Template, events []EventName) Errors {
	for _, event := range subscribedEvents(events) {
		payload, err := Describe().ExampleNotification(event)
		if err != nil {
			continue
		}
		if _, err = t.Execute(payload); err != nil {
			return Errors{invalid("template", "invalid", "Template cannot be used for the example of %s: %s", event, err)}
		}
	}
	return nil
}

// subscribedEvents are events by name, those of categories included, each once.
func subscribedEvents(list []EventName) (events []EventName) {
	for _, e := range Describe().AllEvents {
		if slices.Contains(list, e) || slices.Contains(list, EventName(eventcatalog.Find(e).Category)) {
			events = append(events, e)
		}
	}
	return events
}

// maxProblem is the length of the reason that an attempt keeps, in bytes.
const maxProblem = 500

// message returns the body for a payload in the format of the webhook. Where its template fails,
// the body is a plain message, and problem says why.
func (w *Webhook) message(payload []byte) (body []byte, problem string) {
	if w.Format == FormatJSONAPI || w.Format == "" {
		return payload, ""
	}
	body, err := w.templated(payload)
	if err == nil {
		return body, ""
	}
	return plainMessage(w.Format, payload), "a plain message was sent, because the template failed: " + abbreviate(err.Error(), maxProblem)
}

func (w *Webhook) templated(payload []byte) ([]byte, error) {
	if preset := formatTemplates[w.Format]; preset != nil {
		return preset().Execute(payload)
	}
	t, err := messagetemplate.Parse(w.Template)
	if err != nil {
		return nil, err
	}
	return t.Execute(payload)
}

// plainMessage says which event a notification is of, in the form of a chat.
func plainMessage(f WebhookFormat, payload []byte) []byte {
	var n struct {
		Data struct {
			ID            ID `json:"id"`
			Attributes    struct{ Event EventName }
			Relationships struct {
				Reference struct{ Data Ref } `json:"reference_object"`
			}
		}
	}
	_ = json.Unmarshal(payload, &n) // what is missing is empty
	of := n.Data.Relationships.Reference.Data
	text := fmt.Sprintf("Event %s of %s %s. Its message could not be made; the notification is %s.", n.Data.Attributes.Event, strings.ReplaceAll(of.Type, "_", " "), of.ID, n.Data.ID)
	var message any = map[string]string{"text": text}
	if f == FormatTeams {
		block := map[string]any{"type": "TextBlock", "wrap": true, "text": text}
		card := map[string]any{"type": "AdaptiveCard", "version": "1.4", "body": []any{block}}
		message = map[string]any{"type": "message", "attachments": []any{map[string]any{"contentType": "application/vnd.microsoft.card.adaptive", "content": card}}}
	}
	body, _ := json.Marshal(message) // of texts alone
	return body
}
