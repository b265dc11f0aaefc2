package dashboard

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/landfallhq/tracking"
)

const webhooksPath, newWebhookPath = "/settings/webhooks", "/settings/new-webhook"

func webhookRoutes() []route {
	one := webhooksPath + "/{id}"
	return []route{
		{pattern: "GET " + webhooksPath, permission: tracking.Show, serve: listWebhooks},
		{pattern: "GET " + newWebhookPath, permission: tracking.Admin, serve: newWebhook},
		{pattern: "POST " + webhooksPath, permission: tracking.Admin, serve: createWebhook},
		{pattern: "GET " + one, permission: tracking.Show, serve: showWebhook},
		{pattern: "GET " + one + "/edit", permission: tracking.Admin, serve: editWebhook},
		{pattern: "POST " + one, permission: tracking.Admin, serve: updateWebhook},
		{pattern: "GET " + one + "/delete", permission: tracking.Admin, serve: askToDeleteWebhook},
		{pattern: "POST " + one + "/delete", permission: tracking.Admin, serve: deleteWebhook},
		{pattern: "POST " + one + "/test", permission: tracking.Update, serve: testWebhook},
		{pattern: "GET " + one + "/secret", permission: tracking.Admin, serve: showSecret},
		{pattern: "POST " + one + "/secret", permission: tracking.Admin, serve: rotateSecret},
	}
}

func webhookPath(id tracking.ID) string { return webhooksPath + "/" + id.String() }

// webhookRow is a webhook in a list.
type webhookRow struct{ *tracking.Webhook }

func (r webhookRow) recordID() tracking.ID { return r.ID }

func webhookColumns(req *request) []column[webhookRow] {
	c := req.texts
	return []column[webhookRow]{
		{name: "url", cell: func(r webhookRow) cell { return cell{Text: r.URL, Href: req.link(webhookPath(r.ID)), Long: true} }},
		{name: "state", cell: func(r webhookRow) cell { return c.webhookState(r.Webhook) }},
		{name: "events", cell: func(r webhookRow) cell { return c.eventsOf(r.Webhook) }},
		{name: "created_at", cell: func(r webhookRow) cell { return c.moment(r.CreatedAt, "") }},
	}
}

func (c catalog) webhookState(w *tracking.Webhook) cell {
	if w.Active {
		return cell{Text: c.get("webhook.active"), Tone: "good"}
	}
	return cell{Text: c.get("webhook.inactive"), Tone: "bad", Note: c.word("deactivated", string(w.DeactivatedReason))}
}

// eventsOf are the first events of a webhook.
func (c catalog) eventsOf(w *tracking.Webhook) cell {
	const most = 3
	words := make([]string, 0, most)
	for _, e := range w.Events[:min(len(w.Events), most)] {
		words = append(words, c.eventLabel(e))
	}
	if more := len(w.Events) - most; more > 0 {
		words = append(words, c.count("webhook.events.more", more))
	}
	return joined(words)
}

// eventLabel is the name of an event or of a category for people.
func (c catalog) eventLabel(e tracking.EventName) string {
	for _, category := range tracking.Describe().EventCategories {
		if category.ID == string(e) {
			return c.get("event.category", category.Name)
		}
	}
	if text, ok := c["event."+string(e)]; ok {
		return text
	}
	return string(e)
}

func listWebhooks(req *request) error {
	list, _, err := req.t.Webhooks(req.r.Context(), tracking.WebhookQuery{}, tracking.Page{})
	if err != nil {
		return err
	}
	rows := make([]webhookRow, len(list))
	for i, w := range list {
		rows[i] = webhookRow{w}
	}
	p := settingsList{
		Crumbs: req.settingsCrumbs(), Table: fill(req, webhookColumns(req), rows),
		None: req.texts.get("webhooks.none"), Lead: req.texts.get("settings.webhooks.lead"), NewAs: req.texts.get("webhook.new"),
	}
	if req.can(tracking.Admin) {
		p.New = req.link(newWebhookPath)
	}
	return req.render(http.StatusOK, "settings-list", req.texts.get("settings.webhooks"), p)
}

// webhookForm is the form of a webhook; one that is not stored yet has no ID.
func (req *request) webhookForm(w *tracking.Webhook) form {
	c := req.texts
	inputs := []input{
		{Name: "url", Label: c.get("column.url"), Kind: inputText, Value: w.URL, Required: true, Hint: c.get("webhook.url.hint")},
		{Name: "active", Label: c.get("webhook.active.label"), Kind: inputCheck, Checked: w.Active, Hint: c.get("webhook.active.hint")},
		{Name: "headers", Label: c.get("webhook.headers"), Kind: inputLines, Value: headerLines(w.Headers), Hint: c.get("webhook.headers.hint")},
		{Name: "format", Label: c.get("webhook.format"), Kind: inputSelect, Options: chosen(c.options("webhook_format", webhookFormats), string(w.Format)), Hint: c.get("webhook.format.hint")},
		{Name: "template", Label: c.get("webhook.template"), Kind: inputLines, Rows: 12, Value: w.Template, Hint: c.get("webhook.template.hint")},
	}
	inputs = append(inputs, req.eventInputs(w.Events)...)
	action, button, back := webhooksPath, "webhook.create", webhooksPath
	if w.ID != (tracking.ID{}) {
		action, button, back = webhookPath(w.ID), "form.save", webhookPath(w.ID)
	}
	f := req.newForm(action, button, req.link(back), inputs...)
	f.Version, f.Preview = w.Version, c.get("webhook.preview")
	return f
}

// eventInputs are the choices of events, one input for each category.
func (req *request) eventInputs(selected []tracking.EventName) (inputs []input) {
	c := req.texts
	for _, category := range tracking.Describe().EventCategories {
		in := input{ID: "events-" + category.ID, Name: "events", Label: category.Name, Kind: inputChoices, Options: []option{{Value: category.ID, Label: c.get("event.category.all")}}}
		for _, e := range category.Events {
			in.Options = append(in.Options, option{Value: string(e.Name), Label: c.eventLabel(e.Name)})
		}
		in.Options = chosen(in.Options, eventTexts(selected)...)
		inputs = append(inputs, in)
	}
	return inputs
}

var webhookFormats = []string{string(tracking.FormatJSONAPI), string(tracking.FormatSlack), string(tracking.FormatTeams), string(tracking.FormatTemplate)}

// sentFormat reads format and template. The text of a template is left out where another format
// is chosen: without script its input is always there.
func (req *request) sentFormat() (f tracking.WebhookFormat, template string) {
	sent := req.r.PostForm
	f = tracking.WebhookFormat(sent.Get("format"))
	if f == tracking.FormatTemplate {
		template = strings.ReplaceAll(sent.Get("template"), "\r\n", "\n")
	}
	return f, template
}

// webhookFormPage is the form of a webhook, with the messages that it would send.
type webhookFormPage struct {
	formPage
	Messages []messageView
}

// messageView is the message of the example of an event, or why there is none.
type messageView struct{ Event, Body, Problem string }

// previewWebhook shows the form again, with what it would send for each chosen event. A template
// that is empty begins as that of Slack.
func (req *request) previewWebhook(w *tracking.Webhook, title string) error {
	f := req.webhookForm(w)
	f.fill(req.r.PostForm)
	format, template := req.sentFormat()
	if in := f.input("template"); format == tracking.FormatTemplate && strings.TrimSpace(template) == "" {
		template = tracking.Describe().FormatTemplate(tracking.FormatSlack)
		in.Value = template
	}
	p := webhookFormPage{formPage: formPage{Crumbs: req.webhookCrumbs()}}
	for _, e := range subscribedEvents(eventNames(req.r.PostForm["events"])) {
		p.Messages = append(p.Messages, req.exampleMessage(format, template, e))
	}
	if len(p.Messages) == 0 {
		f.Problems = append(f.Problems, req.texts.get("webhook.preview.events"))
	}
	p.Form = f
	return req.render(http.StatusOK, "webhook-form", req.texts.get(title), p)
}

// subscribedEvents are events by name, those of categories included.
func subscribedEvents(names []tracking.EventName) (events []tracking.EventName) {
	for _, category := range tracking.Describe().EventCategories {
		all := slices.Contains(names, tracking.EventName(category.ID))
		for _, e := range category.Events {
			if all || slices.Contains(names, e.Name) {
				events = append(events, e.Name)
			}
		}
	}
	return events
}

func (req *request) exampleMessage(f tracking.WebhookFormat, template string, e tracking.EventName) messageView {
	m := messageView{Event: req.texts.eventLabel(e)}
	body, err := tracking.Describe().ExampleMessage(f, template, e)
	if faults := faultsOf(err); len(faults) > 0 {
		m.Problem = sentence(faults[0])
		return m
	}
	var b bytes.Buffer
	if json.Indent(&b, body, "", "  ") == nil {
		m.Body = b.String()
	}
	return m
}

func eventTexts(events []tracking.EventName) []string {
	list := make([]string, len(events))
	for i, e := range events {
		list[i] = string(e)
	}
	return list
}

func eventNames(list []string) []tracking.EventName {
	names := make([]tracking.EventName, len(list))
	for i, s := range list {
		names[i] = tracking.EventName(s)
	}
	return names
}

// headerLines are headers as they are entered: one in each line, with a colon.
func headerLines(headers []tracking.Header) string {
	var b strings.Builder
	for _, h := range headers {
		fmt.Fprintf(&b, "%s: %s\n", h.Name, h.Value)
	}
	return b.String()
}

// parseHeaders reads what headerLines wrote. Lines without a colon are names without a value.
func parseHeaders(text string) (headers []tracking.Header) {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			name, value, _ := strings.Cut(line, ":")
			headers = append(headers, tracking.Header{Name: http.CanonicalHeaderKey(strings.TrimSpace(name)), Value: strings.TrimSpace(value)})
		}
	}
	return headers
}

func newWebhook(req *request) error {
	return req.renderForm(req.texts.get("webhook.new"), formPage{Crumbs: req.webhookCrumbs(), Form: req.webhookForm(&tracking.Webhook{Active: true})})
}

func (req *request) webhookCrumbs(pairs ...string) []crumb {
	return req.settingsCrumbs(append([]string{webhooksPath, req.texts.get("settings.webhooks")}, pairs...)...)
}

func createWebhook(req *request) error {
	sent := req.r.PostForm
	if sent.Has("preview") {
		return req.previewWebhook(&tracking.Webhook{}, "webhook.new")
	}
	format, template := req.sentFormat()
	w, err := req.t.CreateWebhook(req.r.Context(), tracking.NewWebhook{
		URL: sent.Get("url"), Events: eventNames(sent["events"]), Inactive: !sent.Has("active"), Headers: parseHeaders(sent.Get("headers")),
		Format: format, Template: template,
	}, req.once())
	if err == nil {
		return req.done(webhookPath(w.ID), "webhook.created")
	}
	return req.refuseWebhook(&tracking.Webhook{}, "webhook.new", err)
}

// refuseWebhook shows a form that was refused, with its reasons.
func (req *request) refuseWebhook(w *tracking.Webhook, title string, err error) error {
	f := req.webhookForm(w)
	f.fill(req.r.PostForm)
	if err := req.refuse(&f, inLines(err)); err != nil {
		return err
	}
	return req.renderForm(req.texts.get(title), formPage{Crumbs: req.webhookCrumbs(), Form: f})
}

var headerField = regexp.MustCompile(`^headers\[(\d+)\]`)

// inLines makes errors about headers name the line that they are in.
func inLines(err error) error {
	for _, fault := range faultsOf(err) {
		if m := headerField.FindStringSubmatch(fault.Field); m != nil {
			var n int
			_, _ = fmt.Sscan(m[1], &n)
			fault.Detail = fmt.Sprintf("%d: %s", n+1, fault.Detail)
		}
	}
	return err
}

func editWebhook(req *request) error {
	w, err := req.t.Webhook(req.r.Context(), req.pathID())
	if err != nil {
		return err
	}
	return req.renderForm(req.texts.get("webhook.edit"), formPage{Crumbs: req.webhookCrumbs(webhookPath(w.ID), w.URL), Form: req.webhookForm(w)})
}

func updateWebhook(req *request) error {
	ctx, sent := req.r.Context(), req.r.PostForm
	w, err := req.t.Webhook(ctx, req.pathID())
	if err != nil {
		return err
	}
	if sent.Has("preview") {
		return req.previewWebhook(w, "webhook.edit")
	}
	u := tracking.WebhookUpdate{
		URL: tracking.Set(sent.Get("url")), Events: tracking.Set(eventNames(sent["events"])), Active: tracking.Set(sent.Has("active")),
		Headers: tracking.Set(parseHeaders(sent.Get("headers"))), IfVersion: req.version(),
	}
	if sent.Has("format") {
		format, template := req.sentFormat()
		u.Format, u.Template = tracking.Set(format), tracking.Set(template)
	}
	_, err = req.t.UpdateWebhook(ctx, w.ID, u)
	if err == nil {
		return req.done(webhookPath(w.ID), "webhook.saved")
	}
	return req.refuseWebhook(w, "webhook.edit", err)
}

func askToDeleteWebhook(req *request) error {
	w, err := req.t.Webhook(req.r.Context(), req.pathID())
	if err != nil {
		return err
	}
	return req.question("webhook.delete", webhookPath(w.ID)+"/delete", webhookPath(w.ID), req.webhookCrumbs(webhookPath(w.ID), w.URL), w.URL)
}

func deleteWebhook(req *request) error {
	if err := req.t.DeleteWebhook(req.r.Context(), req.pathID()); err != nil {
		return err
	}
	return req.done(webhooksPath, "webhook.deleted")
}

// webhookPage is a webhook with its last deliveries.
type webhookPage struct {
	Crumbs     []crumb
	URL        string
	State      cell
	Attributes []attribute
	Events     []string
	// Headers are names: the values may be secrets.
	Headers    []string
	Edit       string // empty for those who may not change it, as are Delete and Secret
	Delete     string
	Secret     string
	Deliveries table
	All        string
	// Test is the form of a test delivery; nil for those who may not make one. Tested is its
	// result.
	Test   *form
	Tested *testView
}

// testView is the result of a test delivery on a page.
type testView struct {
	Event  string
	Answer cell
	Body   string
}

// sessionTest has the last test delivery of a session.
const sessionTest = "webhook_test"

// testResult is what a test delivery has brought.
type testResult struct {
	Webhook tracking.ID
	Event   string
	Status  int
	Failure string
	Detail  string
	Millis  float64
	Body    string
}

// answer is what the endpoint has answered, and how long it took.
func (r *testResult) answer(c catalog) cell {
	answer := c.answer(r.Status, r.Failure, r.Detail)
	if answer.Note == "" {
		answer.Note = c.duration(r.Millis).Text
	}
	return answer
}

// answer is what an endpoint has answered, or why it has not.
func (c catalog) answer(status int, failure, detail string) cell {
	if failure == "" && status != 0 {
		return cell{Text: fmt.Sprint(status), Tone: "good", Note: detail} // of a template that failed
	}
	text := c.word("delivery_failure", failure)
	if status != 0 {
		text = fmt.Sprint(status)
	}
	return cell{Text: text, Tone: "bad", Note: detail}
}

func showWebhook(req *request) error {
	ctx := req.r.Context()
	w, err := req.t.Webhook(ctx, req.pathID())
	if err != nil {
		return err
	}
	c, at := req.texts, webhookPath(w.ID)
	p := webhookPage{
		Crumbs: req.webhookCrumbs(), URL: w.URL, State: c.webhookState(w),
		Attributes: []attribute{{"format", text(c.word("webhook_format", string(w.Format)))}, {"created_at", c.moment(w.CreatedAt, "")}, {"deactivated_at", c.moment(w.DeactivatedAt, "")}, {"secret_overlap_until", c.moment(w.SecretOverlapUntil, "")}},
		All:        req.link(deliveriesPath, map[string][]string{"webhook": {w.ID.String()}}),
	}
	p.Attributes = slices.DeleteFunc(p.Attributes, func(a attribute) bool { return a.Value.Empty() })
	for _, e := range w.Events {
		p.Events = append(p.Events, c.eventLabel(e))
	}
	for _, h := range w.Headers {
		p.Headers = append(p.Headers, h.Name)
	}
	if req.can(tracking.Admin) {
		p.Edit, p.Delete, p.Secret = req.link(at+"/edit"), req.link(at+"/delete"), req.link(at+"/secret")
	}
	rows, _, err := req.deliveryRows(ctx, tracking.WebhookNotificationQuery{Webhooks: []tracking.ID{w.ID}}, tracking.Page{Number: 1, Size: shortList})
	if err != nil {
		return err
	}
	p.Deliveries = tableOf(req, deliveryColumns(req), rows, "event", "object", "delivery_status", "last_answer", "last_attempt_at")
	if req.can(tracking.Update) {
		p.Test = req.testForm(w)
		p.Tested = req.lastTest(w.ID)
	}
	return req.render(http.StatusOK, "webhook", c.get("webhook.title"), p)
}

// testForm asks which event the test delivery is an example of.
func (req *request) testForm(w *tracking.Webhook) *form {
	in := input{Name: "event", Label: req.texts.get("webhook.test.event"), Kind: inputSelect}
	for _, e := range tracking.Describe().AllEvents {
		in.Options = append(in.Options, option{Value: string(e), Label: req.texts.eventLabel(e)})
	}
	if len(w.Events) > 0 {
		in.Options = chosen(in.Options, string(w.Events[0]))
	}
	f := req.newForm(webhookPath(w.ID)+"/test", "webhook.test.button", "", in)
	return &f
}

// lastTest is the last test delivery of the session, if it was to the webhook.
func (req *request) lastTest(id tracking.ID) *testView {
	var r testResult
	if json.Unmarshal([]byte(req.sessions.GetString(req.r.Context(), sessionTest)), &r) != nil || r.Webhook != id {
		return nil
	}
	return &testView{req.texts.eventLabel(tracking.EventName(r.Event)), r.answer(req.texts), r.Body}
}

// testWebhook makes a test delivery, once for each form.
func testWebhook(req *request) error {
	ctx, id, event := req.r.Context(), req.pathID(), req.r.PostForm.Get("event")
	w, err := req.t.Webhook(ctx, id)
	if err != nil {
		return err
	}
	if sent := req.r.PostForm.Get("once"); sent == "" || !req.sent.first(sent, req.now) {
		return req.redirect(req.link(webhookPath(id)))
	}
	result, err := req.t.TestWebhook(ctx, tracking.WebhookTest{Webhook: w.ID, Event: tracking.EventName(event)})
	if err != nil {
		return err
	}
	o := result.Outcome
	data, err := json.Marshal(testResult{
		Webhook: id, Event: event, Status: o.Status, Failure: o.Failure, Detail: o.Detail,
		Millis: float64(o.Total.Milliseconds()), Body: o.ResponseBody,
	})
	if err != nil {
		return err
	}
	req.sessions.Put(ctx, sessionTest, string(data))
	return req.redirect(req.link(webhookPath(id)) + "#test")
}

// secretPage shows the secret of a webhook to somebody who has asked for it.
type secretPage struct {
	Crumbs []crumb
	Secret string
	Until  cell // of the former one
	Form   form
}

// overlaps are for how long the former secret can stay valid, in hours.
var overlaps = []string{"0", "1", "24", "168"}

func showSecret(req *request) error { return req.renderSecret(nil) }

func (req *request) renderSecret(refused error) error {
	w, err := req.t.Webhook(req.r.Context(), req.pathID())
	if err != nil {
		return err
	}
	c := req.texts
	p := secretPage{Crumbs: req.webhookCrumbs(webhookPath(w.ID), w.URL), Secret: w.Secret, Until: c.moment(w.SecretOverlapUntil, "")}
	p.Form = req.newForm(webhookPath(w.ID)+"/secret", "secret.rotate", "", input{
		Name: "overlap", Label: c.get("secret.overlap"), Kind: inputSelect, Options: chosen(c.options("overlap", overlaps), "24"), Hint: c.get("secret.overlap.hint"),
	})
	p.Form.Danger = true
	status := http.StatusOK
	if refused != nil {
		status = http.StatusUnprocessableEntity
		p.Form.fill(req.r.PostForm)
		if err := req.refuse(&p.Form, refused); err != nil {
			return err
		}
	}
	return req.render(status, "secret", c.get("secret.title"), p)
}

func rotateSecret(req *request) error {
	hours, err := time.ParseDuration(cmp.Or(req.r.PostForm.Get("overlap"), "0") + "h")
	if err != nil {
		hours = -1 // which is refused
	}
	w, err := req.t.RotateSecret(req.r.Context(), req.pathID(), hours, req.once())
	switch {
	case len(faultsOf(err)) > 0:
		return req.renderSecret(err)
	case err != nil:
		return err
	}
	return req.done(webhookPath(w.ID)+"/secret", "secret.rotated")
}

// webhooksByID are all webhooks of the account.
func (req *request) webhooksByID(ctx context.Context) (map[tracking.ID]*tracking.Webhook, error) {
	list, _, err := req.t.Webhooks(ctx, tracking.WebhookQuery{}, tracking.Page{})
	by := make(map[tracking.ID]*tracking.Webhook, len(list))
	for _, w := range list {
		by[w.ID] = w
	}
	return by, err
}
