package dashboard

import (
	"cmp"
	"context"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freetime"
	"github.com/landfallhq/tracking/source/sandbox"
	"github.com/landfallhq/tracking/trackingtest"
)

// fillSettings makes a webhook that gets some notifications.
func (w *world) fillSettings(account tracking.AccountID, tr *tracking.Tracker) {
	w.t.Helper()
	ctx := w.t.Context()
	hook, err := tr.CreateWebhook(ctx, tracking.NewWebhook{URL: "https://example.com/hook?q=<b>", Events: []tracking.EventName{"tracking_request.awaiting_manifest", "tracking_request.failed"}, Headers: []tracking.Header{{Name: "X-Key", Value: "open sesame"}}})
	if err != nil {
		w.t.Fatal(err)
	}
	w.Notifier.Script(hook.URL, tracking.Outcome{Status: 500, Failure: tracking.FailStatus, Detail: hostile[0], ResponseBody: hostile[1]})
	if _, err := tr.CreateTrackingRequest(ctx, tracking.NewTrackingRequest{Number: "UNKNOWN1", Type: tracking.BillOfLading, SCAC: sandbox.SCAC}); err != nil {
		w.t.Fatal(err)
	}
	w.Settle()
	list, _, err := tr.WebhookNotifications(ctx, tracking.WebhookNotificationQuery{}, tracking.Page{})
	if err != nil || len(list) == 0 {
		w.t.Fatalf("%d notifications, %v", len(list), err)
	}
	user, err := tr.Users().Create(ctx, tracking.NewUser{Name: hostile[0], Permissions: []tracking.Permission{tracking.Admin}})
	if err != nil {
		w.t.Fatal(err)
	}
	_, key, err := w.Operator.CreateKey(ctx, tracking.NewKey{Account: account})
	if err != nil {
		w.t.Fatal(err)
	}
	field, err := tr.CreateCustomFieldDefinition(ctx, tracking.NewCustomFieldDefinition{EntityType: tracking.TrackingRequestEntity, APISlug: "lane", DisplayName: hostile[0], DataType: tracking.EnumField})
	if err != nil {
		w.t.Fatal(err)
	}
	choice, err := tr.CreateCustomFieldOption(ctx, field.ID, tracking.NewCustomFieldOption{Label: hostile[1], Value: "north"})
	if err != nil {
		w.t.Fatal(err)
	}
	tariffs, _, err := tr.Tariffs().List(ctx, freetime.Filter{}, tracking.TimeRange{}, nil, tracking.Page{})
	if err != nil || len(tariffs) == 0 {
		w.t.Fatalf("%d tariffs, %v", len(tariffs), err)
	}
	w.ids["settings/custom-fields"], w.ids["option"], w.ids["settings/tariffs"] = field.ID, choice.ID, tariffs[0].ID
	w.ids["settings/keys"] = key.ID
	w.ids["settings/webhooks"], w.ids["settings/deliveries"], w.ids["settings/users"] = hook.ID, list[0].ID, user.ID
}

// sent are the forms of a page, by their action.
func (b *bench) onceOf(path string) string {
	b.t.Helper()
	m := regexp.MustCompile(`name="once" value="([^"]+)"`).FindStringSubmatch(b.get(path).body)
	if m == nil {
		b.t.Fatalf("%s has no form that is sent once", path)
	}
	return m[1]
}

// TestWebhookForm: a webhook is made once, refused with reasons next to the inputs, changed
// and deleted; its secret is shown to administrators who ask for it.
func TestWebhookForm(t *testing.T) {
	b := newBench(t)
	b.signIn()
	form := url.Values{"csrf": {b.token("/")}, "once": {b.onceOf(newWebhookPath)}, "url": {"https://example.com/erp"}, "active": {"yes"}, "events": {"container.created", "container-milestones"}, "headers": {"x-key: open sesame\n"}}
	for name, change := range map[string]func(url.Values){
		"problem-url": func(f url.Values) { f.Set("url", "ftp://<script>") }, "problem-events": func(f url.Values) { f["events"] = []string{"<script>"} },
		"problem-headers": func(f url.Values) { f.Set("headers", "Host: <script>") },
	} {
		bad := url.Values{}
		for k, v := range form {
			bad[k] = v
		}
		change(bad)
		if a := b.post(webhooksPath, bad); a.status != 422 || !strings.Contains(a.body, name) || strings.Contains(a.body, "<script>") {
			t.Errorf("%s: %d", name, a.status)
		}
	}
	events := tracking.Describe().EventCategories
	form["events"] = []string{"container.created", events[0].ID}
	at := ""
	for range 2 {
		a := b.post(webhooksPath, form)
		if a.status != 303 || at != "" && at != a.header.Get("Location") {
			t.Fatalf("created: %d %s", a.status, a.body)
		}
		at = a.header.Get("Location")
	}
	list, _, err := b.Webhooks(t.Context(), tracking.WebhookQuery{}, tracking.Page{})
	if err != nil || len(list) != 1 || len(list[0].Events) != 2 || len(list[0].Headers) != 1 || list[0].Headers[0].Value != "open sesame" {
		t.Fatalf("%+v, %v", list, err)
	}
	w := list[0]
	for _, path := range []string{at, webhooksPath, at + "/edit"} {
		if a := b.get(path); a.status != 200 || strings.Contains(a.body, "whsec") || strings.Contains(a.body, "sesame") != strings.HasSuffix(path, "/edit") {
			t.Errorf("%s: %d", path, a.status)
		}
	}
	if a := b.get(at + "/secret"); !strings.Contains(html.UnescapeString(a.body), w.Secret) {
		t.Error("the secret is not shown to those who ask for it")
	}
	for overlap, want := range map[string]int{"24": 303, "x": 422, "1000": 422} {
		if a := b.post(at+"/secret", url.Values{"csrf": form["csrf"], "once": {newToken()}, "overlap": {overlap}}); a.status != want {
			t.Errorf("replaced with an overlap of %s: %d", overlap, a.status)
		}
	}
	edit := url.Values{"csrf": form["csrf"], "version": {"1"}, "url": {"https://example.com/other"}, "events": {"container.created"}}
	if a := b.post(at, edit); a.status != 422 || !strings.Contains(a.body, "meantime") || !strings.Contains(a.body, "https://example.com/other") {
		t.Errorf("a form that is out of date: %d", a.status)
	}
	edit.Del("version")
	if a := b.post(at, edit); a.status != 303 {
		t.Errorf("changed: %d", a.status)
	}
	if w, err = b.Webhook(t.Context(), w.ID); err != nil || w.Active || w.URL != "https://example.com/other" || len(w.Headers) != 0 {
		t.Errorf("%+v, %v", w, err)
	}
	b.signIn(tracking.Show, tracking.Update)
	token := b.token("/")
	for _, path := range []string{at + "/secret", at + "/edit", at + "/delete", newWebhookPath} {
		if a := b.get(path); a.status != 403 || strings.Contains(a.body, "whsec") {
			t.Errorf("%s without admin: %d", path, a.status)
		}
	}
	for _, path := range []string{at, at + "/secret", at + "/delete", webhooksPath} {
		if a := b.post(path, url.Values{"csrf": {token}}); a.status != 403 {
			t.Errorf("POST %s without admin: %d", path, a.status)
		}
	}
	if a := b.get(at); strings.Contains(a.body, "/delete") || strings.Contains(a.body, "/edit") || strings.Contains(a.body, "/secret") {
		t.Error("what needs admin is offered without it")
	}
	b.signIn()
	if a := b.get(at + "/delete"); a.status != 200 || !strings.Contains(a.body, "https://example.com/other") {
		t.Errorf("the question: %d", a.status)
	}
	if a := b.post(at+"/delete", url.Values{"csrf": {b.token("/")}}); a.status != 303 {
		t.Errorf("deleted: %d", a.status)
	}
	if a := b.get(at); a.status != 404 {
		t.Errorf("afterwards: %d", a.status)
	}
}

// TestTestDelivery: an example is sent once, and its result is shown.
func TestTestDelivery(t *testing.T) {
	w := newWorld(t)
	w.signIn(tracking.Show, tracking.Update)
	at := webhookPath(w.ids["settings/webhooks"])
	form := url.Values{"csrf": {w.token("/")}, "once": {w.onceOf(at)}, "event": {"container.created"}}
	before := len(w.Notifier.Sent())
	for range 2 {
		if a := w.post(at+"/test", form); a.status != 303 {
			t.Fatalf("%d %s", a.status, a.body)
		}
	}
	if n := len(w.Notifier.Sent()) - before; n != 1 {
		t.Errorf("%d examples were sent", n)
	}
	if a := w.get(at); !strings.Contains(a.body, "&lt;img src=x") || strings.Contains(a.body, "sesame") {
		t.Error("the answer is not shown as text")
	}
	form.Set("once", newToken())
	form.Set("event", "<script>")
	if a := w.post(at+"/test", form); a.status != 422 || strings.Contains(a.body, "<script>") {
		t.Errorf("an unknown event: %d", a.status)
	}
}

// office is a bench with two webhooks whose receivers failed.
type office struct {
	*bench
	hooks [2]*tracking.Webhook
}

// newOffice makes deliveries: three to the first webhook and one to the second that were
// given up yesterday, one that was given up days ago, one that was delivered, and one that
// waits.
func newOffice(t *testing.T) *office {
	t.Helper()
	o := &office{bench: newBench(t)}
	ctx := t.Context()
	for i := range o.hooks {
		var err error
		if o.hooks[i], err = o.CreateWebhook(ctx, tracking.NewWebhook{URL: fmt.Sprintf("https://example.com/%d", i), Events: []tracking.EventName{"tracking_request.awaiting_manifest"}, Inactive: true}); err != nil {
			t.Fatal(err)
		}
	}
	gone := tracking.Outcome{Status: 410, Gone: true, Failure: tracking.FailStatus}
	happen := func(hook int, number string, outcome tracking.Outcome) {
		t.Helper()
		o.activate(hook, true)
		o.Notifier.Script(o.hooks[hook].URL, outcome)
		if _, err := o.CreateTrackingRequest(ctx, tracking.NewTrackingRequest{Number: number, Type: tracking.BillOfLading, SCAC: trackingtest.SCAC}); err != nil {
			t.Fatal(err)
		}
		o.Settle()
		o.activate(hook, false)
	}
	happen(0, "EARLY", gone)
	o.Clock.Advance(5 * 24 * time.Hour)
	for i := range 3 {
		happen(0, fmt.Sprint("FAILED", i), gone)
	}
	happen(1, "OTHERHOOK", gone)
	happen(0, "DELIVERED", tracking.Outcome{Status: 204})
	o.Clock.Advance(24 * time.Hour)
	happen(0, "WAITS", tracking.Outcome{Status: 500, Failure: tracking.FailStatus})
	for i := range o.hooks {
		o.activate(i, true)
	}
	return o
}

func (o *office) activate(hook int, active bool) {
	o.t.Helper()
	if _, err := o.UpdateWebhook(o.t.Context(), o.hooks[hook].ID, tracking.WebhookUpdate{Active: tracking.Set(active)}); err != nil {
		o.t.Fatal(err)
	}
}

var hiddenID = regexp.MustCompile(`type="hidden" name="id" value="([^"]+)"`)

// TestResendYesterday follows links from Today to what failed yesterday at one webhook, and
// sends exactly that again, once.
func TestResendYesterday(t *testing.T) {
	o := newOffice(t)
	o.signIn(tracking.Show, tracking.Update)
	follow := func(from, label string) string {
		t.Helper()
		m := regexp.MustCompile(`href="([^"]+)"[^>]*>(?:<span[^>]*>[^<]*</span>)*` + label).FindStringSubmatch(o.get(from).body)
		if m == nil {
			t.Fatalf("%s has no link %q", from, label)
		}
		return strings.ReplaceAll(m[1], "&amp;", "&")
	}
	at := follow("/", "<span class=\"label\">Failed deliveries")
	at = follow(at, "Failed yesterday")
	at = follow(at, "https://example.com/0")
	at = follow(at, "Send all 3 again")
	preview := o.get(at).body
	found := hiddenID.FindAllStringSubmatch(preview, -1)
	if len(found) != 3 || !strings.Contains(preview, ">410<") {
		t.Fatalf("the preview has %d: %s", len(found), preview)
	}
	form := url.Values{"csrf": {o.token("/")}, "once": {o.onceOf(at)}}
	for _, m := range found {
		form.Add("id", m[1])
	}
	ok := tracking.Outcome{Status: 200}
	o.Notifier.Script(o.hooks[0].URL, ok, ok, tracking.Outcome{Status: 500, Failure: tracking.FailStatus, Detail: "<b>no</b>"})
	before := len(o.Notifier.Sent())
	result := ""
	for range 2 {
		a := o.post(redeliveryPath, form)
		if result = a.header.Get("Location"); a.status != 303 {
			t.Fatalf("%d %s", a.status, a.body)
		}
	}
	if page := o.get(result).body; !strings.Contains(page, "3 answers have not come yet") || strings.Count(page, "the answer has not come yet") != 3 {
		t.Errorf("before the answers: %s", page)
	}
	o.Settle()
	page := o.get(result).body
	if strings.Contains(page, "not come yet") || !strings.Contains(page, "3 sent again: 2 delivered, 1 not delivered") || !strings.Contains(page, ">500<") {
		t.Errorf("after the answers: %s", page)
	}
	sent := map[tracking.ID]int{}
	for _, d := range o.Notifier.Sent()[before:] {
		sent[d.ID]++
	}
	for _, m := range found {
		if id := parseID(m[1]); sent[id] != 1 {
			t.Errorf("%s was sent %d times", id, sent[id])
		}
		delete(sent, parseID(m[1]))
	}
	if len(sent) > 0 {
		t.Errorf("others were sent: %v", sent)
	}
	o.signIn(tracking.Show)
	if a := o.post(redeliveryPath, url.Values{"csrf": {o.token("/")}, "id": form["id"]}); a.status != 403 {
		t.Errorf("without update: %d", a.status)
	}
	if page := o.get("/settings/deliveries").body; strings.Contains(page, redeliveryPath) || strings.Contains(page, `type="checkbox" name="id"`) {
		t.Error("sending again is offered without update")
	}
}

// TestAnswersWhileRead: what the list says of a redelivery is of the moment of its rows, also
// when answers come while they are read.
func TestAnswersWhileRead(t *testing.T) {
	o := newOffice(t)
	h := newHandler(Config{Tracker: o.Operator, Clock: o.Clock, OpenAPI: readOpenAPI})
	h.mux.Handle("GET /answered", h.serve(route{permission: tracking.Show, serve: func(req *request) error {
		l, err := deliveryListing(req)
		rows := l.rows
		l.rows = func(ctx context.Context, q *query, chosen []column[deliveryRow], p tracking.Page) ([]deliveryRow, int, error) {
			defer o.Settle()
			return rows(ctx, q, chosen, p)
		}
		return cmp.Or(err, renderList(req, l, http.StatusOK, req.r.URL.Query(), refusedForms{}))
	}}))
	o.server.Config.Handler = h.mux
	o.signIn(tracking.Show, tracking.Update)
	list, _, err := o.WebhookNotifications(t.Context(), tracking.WebhookNotificationQuery{Webhooks: []tracking.ID{o.hooks[0].ID}, Statuses: []tracking.DeliveryStatus{tracking.DeliveryFailed}}, tracking.Page{})
	if err != nil || len(list) != 4 {
		t.Fatalf("%d, %v", len(list), err)
	}
	result := o.post(redeliveryPath, url.Values{"csrf": {o.token("/")}, "once": {newToken()}, "id": {list[0].ID.String(), list[1].ID.String()}}).header.Get("Location")
	answered := "/answered" + strings.TrimPrefix(result, deliveriesPath)
	if page := o.get(answered).body; !strings.Contains(page, "2 answers have not come yet") || strings.Count(page, "the answer has not come yet") != 2 {
		t.Errorf("while the answers come: %s", page)
	}
	if page := o.get(answered).body; !strings.Contains(page, "2 sent again: 0 delivered, 2 not delivered") || strings.Contains(page, "not come yet") {
		t.Errorf("afterwards: %s", page)
	}
}

// TestResendChosen: chosen deliveries are previewed, one that cannot be sent apart.
func TestResendChosen(t *testing.T) {
	o := newOffice(t)
	o.signIn()
	list, _, err := o.WebhookNotifications(t.Context(), tracking.WebhookNotificationQuery{Statuses: []tracking.DeliveryStatus{tracking.DeliveryFailed}}, tracking.Page{})
	if err != nil || len(list) != 5 {
		t.Fatalf("%d, %v", len(list), err)
	}
	o.activate(1, false)
	form := url.Values{"csrf": {o.token("/")}}
	for _, n := range list[:2] {
		form.Add("id", n.ID.String())
	}
	a := o.post(redeliveryPath+"/chosen", form)
	if ids := hiddenID.FindAllStringSubmatch(a.body, -1); a.status != 200 || len(ids) != 1 || ids[0][1] != list[1].ID.String() || !strings.Contains(a.body, "Cannot be sent") {
		t.Errorf("%d, %v", a.status, ids)
	}
	for name, ids := range map[string][]string{"none": nil, "unknown": {uuid.NewString()}, "many": make([]string, 0)} {
		if name == "many" {
			for range tracking.MaxRedelivery + 1 {
				ids = append(ids, uuid.NewString())
			}
		}
		for _, path := range []string{redeliveryPath, redeliveryPath + "/chosen"} {
			if a := o.post(path, url.Values{"csrf": form["csrf"], "id": ids}); a.status != 422 && a.status != 404 {
				t.Errorf("%s, %s: %d", path, name, a.status)
			}
		}
	}
	if a := o.post(redeliveryPath, url.Values{"csrf": form["csrf"], "id": {list[1].ID.String()}, "one": {"yes"}, "once": {newToken()}}); a.header.Get("Location") != "/settings/deliveries/"+list[1].ID.String() {
		t.Errorf("one: %d %s", a.status, a.header.Get("Location"))
	}
	for _, q := range []string{"redelivery=x", "delivery_status=lost", "event=x", "webhook=x", "last_attempt_at.from=soon", "nothing=1"} {
		for _, path := range []string{deliveriesPath, redeliveryPath} {
			if a := o.get(path + "?" + q); a.status != 400 {
				t.Errorf("%s?%s: %d", path, q, a.status)
			}
		}
	}
}

var onceCode = regexp.MustCompile(`<code class="once">([^<]+)</code>`)

// sentTwice checks that a form which was sent before shows the same, as a double click needs it,
// and nothing a while later.
func (b *bench) sentTwice(path string, form url.Values, before answer) {
	b.t.Helper()
	if a := b.post(path, form); a.status != 200 || a.body != before.body {
		b.t.Errorf("%s sent twice: %d", path, a.status)
	}
	b.Clock.Advance(shownAgain)
	if a := b.post(path, form); a.status != 303 {
		b.t.Errorf("%s sent again later: %d", path, a.status)
	}
}

// TestInvite: somebody is invited once, with a link that is shown once and works; the last
// administrator stays.
func TestInvite(t *testing.T) {
	b, admin := userBench(t, tracking.Admin)
	b.signInUser(admin.Email, goodPassword)
	form := url.Values{"csrf": {b.token("/")}, "once": {b.onceOf(newUserPath)}, "name": {"Lee"}, "email": {"<script>"}, "permissions": {"show"}}
	for name, change := range map[string][]string{"problem-email": {"email", "<script>"}, "problem-permissions": {"permissions", ""}} {
		bad := url.Values{"csrf": form["csrf"], "once": {newToken()}, "name": form["name"], "email": {"lee@example.com"}, "permissions": {"show"}}
		if bad.Set(change[0], change[1]); change[1] == "" {
			bad.Del(change[0])
		}
		if a := b.post(usersPath, bad); a.status != 422 || !strings.Contains(a.body, name) || strings.Contains(a.body, "<script>") || !strings.Contains(a.body, `value="Lee"`) {
			t.Errorf("%s: %d", name, a.status)
		}
	}
	form.Set("email", "lee@example.com")
	a := b.post(usersPath, form)
	link := onceCode.FindStringSubmatch(html.UnescapeString(a.body))
	if a.status != 200 || link == nil {
		t.Fatalf("%d %s", a.status, a.body)
	}
	b.sentTwice(usersPath, form, a)
	lee, err := b.Users().ByEmail(t.Context(), "lee@example.com")
	if err != nil {
		t.Fatal(err)
	}
	if page := b.get(userPath(lee.ID)).body; strings.Contains(page, "token=") || !strings.Contains(page, "Invited") {
		t.Error("the link is shown again, or the invitation is not")
	}
	own := userPath(admin.ID)
	if a := b.post(own, url.Values{"csrf": form["csrf"], "permissions": {"show"}}); a.status != 422 || !strings.Contains(a.body, "last user") {
		t.Errorf("the last administrator: %d", a.status)
	}
	if a := b.post(own+"/delete", form); a.status != 422 || !strings.Contains(a.body, "last user") {
		t.Errorf("deleting the last administrator: %d", a.status)
	}
	edit := url.Values{"csrf": form["csrf"], "name": {"Lee Lee"}, "permissions": {"show", "update"}, "disabled": {"yes"}}
	if a := b.post(userPath(lee.ID), edit); a.status != 303 {
		t.Errorf("changed: %d", a.status)
	}
	if lee, err = b.Users().Get(t.Context(), lee.ID); err != nil || lee.Name != "Lee Lee" || len(lee.Permissions) != 2 || lee.DisabledAt.IsZero() {
		t.Errorf("%+v, %v", lee, err)
	}
	if a := b.post(userPath(lee.ID)+"/delete", form); a.status != 303 {
		t.Errorf("deleted: %d", a.status)
	}
	list, _, err := b.AuditEvents(t.Context(), tracking.AuditEventQuery{Users: []tracking.ID{admin.ID}, ResourceTypes: []string{"user"}}, tracking.Page{})
	if err != nil || len(list) < 4 {
		t.Errorf("%d entries of the audit log, %v", len(list), err)
	}
}

// TestChangePassword: a user replaces the own password and stays signed in.
func TestChangePassword(t *testing.T) {
	b, user := userBench(t, tracking.Show)
	b.signInUser(user.Email, goodPassword)
	for want, form := range map[string]url.Values{
		"problem-current_password": {"current_password": {"a wrong guess"}, "password": {"five large boats"}, "repeated": {"five large boats"}},
		"problem-password":         {"current_password": {goodPassword}, "password": {"short"}, "repeated": {"short"}},
		"problem-repeated":         {"current_password": {goodPassword}, "password": {"five large boats"}, "repeated": {"x"}},
	} {
		form.Set("csrf", b.token("/"))
		if a := b.post(passwordPath, form); a.status != 422 || !strings.Contains(a.body, want) || strings.Contains(a.body, goodPassword) || strings.Contains(a.body, "boats") {
			t.Errorf("%s: %d %s", want, a.status, a.body)
		}
	}
	if a := b.post(passwordPath, url.Values{"csrf": {b.token("/")}, "current_password": {goodPassword}, "password": {"five large boats"}, "repeated": {"five large boats"}}); a.status != 303 {
		t.Fatalf("%d %s", a.status, a.body)
	}
	if a := b.get("/"); a.status != 200 {
		t.Errorf("afterwards: %d", a.status)
	}
	b.newBrowser()
	if a := b.signInUser(user.Email, "five large boats"); a.status != 303 {
		t.Errorf("with the new password: %d", a.status)
	}
}

// TestKeyPages: a key is made once and shown once, and revoked.
func TestKeyPages(t *testing.T) {
	b := newBench(t)
	b.signIn()
	form := url.Values{"csrf": {b.token("/")}, "once": {b.onceOf(newKeyPath)}, "permissions": {"show"}, "expires_at": {"2020-02-30"}}
	for _, day := range []string{"2020-02-30", "2020-02-28", "<script>"} {
		form.Set("expires_at", day)
		form.Set("once", newToken())
		if a := b.post(keysPath, form); a.status != 422 || !strings.Contains(a.body, "problem-expires_at") || strings.Contains(a.body, "<script>") {
			t.Errorf("until %s: %d", day, a.status)
		}
	}
	form.Del("expires_at")
	a := b.post(keysPath, form)
	secret := onceCode.FindStringSubmatch(a.body)
	if a.status != 200 || secret == nil {
		t.Fatalf("%d %s", a.status, a.body)
	}
	b.sentTwice(keysPath, form, a)
	actor, err := b.Operator.Authenticate(t.Context(), secret[1])
	if err != nil || !actor.Can(tracking.Show) || actor.Can(tracking.Update) {
		t.Fatalf("%+v, %v", actor, err)
	}
	if page := b.get(keysPath).body; strings.Contains(page, secret[1]) {
		t.Error("the key is shown again")
	}
	revoke := keysPath + "/" + actor.Key.String() + "/revoke"
	if a := b.get(revoke); a.status != 200 {
		t.Errorf("the question: %d", a.status)
	}
	if a := b.post(revoke, form); a.status != 303 {
		t.Errorf("revoked: %d", a.status)
	}
	if _, err := b.Operator.Authenticate(t.Context(), secret[1]); err == nil {
		t.Error("the key still works")
	}
}

// TestThresholds: values are checked, kept and set back to the default.
func TestThresholds(t *testing.T) {
	b := newBench(t)
	b.signIn()
	form := url.Values{"csrf": {b.token("/")}, "pod_dwell_in_days": {"soon"}, "rollover_delay_in_days": {"1000"}}
	if a := b.post(thresholdsPath, form); a.status != 422 || !strings.Contains(a.body, "problem-pod_dwell_in_days") || !strings.Contains(a.body, `value="soon"`) {
		t.Errorf("refused: %d", a.status)
	} else if !strings.Contains(a.body, `role="alert">Stay at the port of discharge (days) must be a whole number from 1 to 90, or empty for the default, 7.`) || strings.Contains(a.body, "_in_days must") {
		t.Errorf("the reason has no label: %s", a.body)
	}
	for sent, want := range map[string]int{"5": 5, "": 0} {
		form = url.Values{"csrf": form["csrf"], "pod_dwell_in_days": {sent}}
		if a := b.post(thresholdsPath, form); a.status != 303 {
			t.Errorf("%q: %d", sent, a.status)
		}
		if s, err := b.Exceptions().Settings(t.Context()); err != nil || s.PODDwell != want {
			t.Errorf("%q: %d, %v", sent, s.PODDwell, err)
		}
	}
	b.signIn(tracking.Show)
	if a := b.get(thresholdsPath); a.status != 200 || strings.Contains(a.body, "<form method=\"post\" action=\""+thresholdsPath) {
		t.Errorf("without admin: %d", a.status)
	}
}

// TestAuditPage: the log is filtered by its address.
func TestAuditPage(t *testing.T) {
	w := newWorld(t)
	w.signIn()
	for query, want := range map[string]bool{"": true, "?resource_type=webhook": true, "?operation=webhook.create": true, "?operation=webhook.delete": false, "?resource=" + w.ids["settings/webhooks"].String(): true, "?created_at.to=2020-01-01": false} {
		if a := w.get(auditPath + query); a.status != 200 || strings.Contains(a.body, "webhook.create</span>") != want {
			t.Errorf("%s: %d, found: %t", query, a.status, !want)
		}
	}
	for _, q := range []string{"user=x", "key=x", "resource=x", "created_at.from=x", "nothing=1"} {
		if a := w.get(auditPath + "?" + q); a.status != 400 {
			t.Errorf("%s: %d", q, a.status)
		}
	}
	w.signIn(tracking.Show)
	if a := w.get(auditPath); a.status != 403 {
		t.Errorf("without admin: %d", a.status)
	}
}

// TestDefinitions: a custom field is made once, with rules and options, changed and deleted.
func TestDefinitions(t *testing.T) {
	b := newBench(t)
	b.signIn()
	form := url.Values{"csrf": {b.token("/")}, "once": {b.onceOf(newDefinitionPath)}, "display_name": {"Purchase order"}, "entity_type": {"Shipment"}, "data_type": {"short_text"}, "validation.pattern": {"^PO-[0-9]{4}$"}, "validation.max_length": {"7"}, "default_value": {"PO-0000"}}
	for name, change := range map[string][]string{
		"problem-display_name": {"display_name", ""}, "problem-entity_type": {"entity_type", "<script>"}, "problem-rule-pattern": {"validation.pattern", "(<script>"}, "problem-rule-min": {"validation.min", "5"}, "problem-default_value": {"default_value", "<script>"},
	} {
		bad := url.Values{}
		for k, v := range form {
			bad[k] = v
		}
		bad.Set(change[0], change[1])
		if a := b.post(definitionsPath, bad); a.status != 422 || !strings.Contains(a.body, name) || strings.Contains(a.body, "<script>") {
			t.Errorf("%s: %d", name, a.status)
		}
	}
	at := ""
	for range 2 {
		a := b.post(definitionsPath, form)
		if a.status != 303 || at != "" && at != a.header.Get("Location") {
			t.Fatalf("%d %s", a.status, a.body)
		}
		at = a.header.Get("Location")
	}
	d, err := b.CustomFieldDefinition(t.Context(), parseID(at[strings.LastIndexByte(at, '/')+1:]))
	if err != nil || d.APISlug != "purchase_order" || string(d.DefaultValue) != `"PO-0000"` || !strings.Contains(string(d.Validation), "PO-[0-9]{4}") {
		t.Fatalf("%+v, %v", d, err)
	}
	if page := b.get(at).body; !strings.Contains(page, "^PO-[0-9]{4}$") || strings.Contains(page, "rule-scale") {
		t.Error("the rules of the field are not shown, or those of others are")
	}
	edit := url.Values{"csrf": form["csrf"], "display_name": {"Order"}, "validation.required": {"yes"}}
	if a := b.post(at, edit); a.status != 303 {
		t.Errorf("changed: %d %s", a.status, a.body)
	}
	if d, err = b.CustomFieldDefinition(t.Context(), d.ID); err != nil || d.DisplayName != "Order" || string(d.Validation) != `{"required":true}` || d.DefaultValue != nil {
		t.Errorf("%+v, %v", d, err)
	}
	form.Set("once", newToken())
	form.Set("data_type", "enum")
	form.Set("display_name", "Lane")
	for _, name := range []string{"validation.pattern", "validation.max_length", "default_value"} {
		form.Del(name)
	}
	lane := b.post(definitionsPath, form).header.Get("Location")
	for _, label := range []string{"South", "North"} {
		if a := b.post(lane+"/options", url.Values{"csrf": form["csrf"], "once": {newToken()}, "label": {label}, "value": {strings.ToLower(label)}}); a.status != 303 {
			t.Fatalf("an option: %d %s", a.status, a.body)
		}
	}
	if a := b.post(lane+"/options", url.Values{"csrf": form["csrf"], "once": {newToken()}, "label": {"<script>"}, "value": {"north"}}); a.status != 422 || !strings.Contains(a.body, "problem-value-new") || strings.Contains(a.body, "<script>") {
		t.Errorf("an option that is there: %d", a.status)
	}
	id := parseID(lane[strings.LastIndexByte(lane, '/')+1:])
	options, _, err := b.CustomFieldOptions(t.Context(), tracking.CustomFieldOptionQuery{Definition: id}, tracking.Page{})
	if err != nil || len(options) != 2 {
		t.Fatal(len(options), err)
	}
	option := lane + "/options/" + options[1].ID.String()
	for position, want := range map[string]int{"0": 303, "first": 422} {
		if a := b.post(option, url.Values{"csrf": form["csrf"], "label": {"Far north"}, "position": {position}}); a.status != want {
			t.Errorf("at position %s: %d", position, a.status)
		}
	}
	if options, _, err = b.CustomFieldOptions(t.Context(), tracking.CustomFieldOptionQuery{Definition: id}, tracking.Page{}); err != nil || options[0].Label != "Far north" {
		t.Errorf("%+v, %v", options[0], err)
	}
	for _, path := range []string{option + "/delete", at + "/delete"} {
		if a := b.get(path); a.status != 200 {
			t.Errorf("the question of %s: %d", path, a.status)
		}
		if a := b.post(path, form); a.status != 303 {
			t.Errorf("%s: %d", path, a.status)
		}
	}
	if a := b.get(at); a.status != 404 {
		t.Errorf("a deleted field: %d", a.status)
	}
	b.signIn(tracking.Show)
	if page := b.get(lane).body; strings.Contains(page, "/delete") || strings.Contains(page, `method="post" action="/settings`) {
		t.Error("changes are offered without admin")
	}
}

// TestTariffPages: a tariff is made, changed, exported, imported after a check and deleted.
func TestTariffPages(t *testing.T) {
	b := newBench(t)
	b.signIn()
	form := url.Values{"csrf": {b.token("/")}, "once": {b.onceOf(newTariffPath)}, "name": {"=Long Beach"}, "clock": {"demurrage"}, "location_locode": {"USLGB"}, "free_days": {"4"}, "weekend": {"none"}, "currency": {"USD"}, "tiers": {"1-4 185.00; 5- 310.00"}}
	for name, change := range map[string][]string{"problem-free_days": {"free_days", "few"}, "problem-tiers": {"tiers", "<script>"}, "problem-currency": {"currency", ""}, "problem-valid_from": {"valid_from", "2026-02-30"}} {
		bad := url.Values{}
		for k, v := range form {
			bad[k] = v
		}
		bad.Set(change[0], change[1])
		if a := b.post(tariffsPath, bad); a.status != 422 || !strings.Contains(a.body, name) || strings.Contains(a.body, "<script>") || strings.Contains(a.body, "row 1") {
			t.Errorf("%s: %d %s", name, a.status, a.body)
		}
	}
	a := b.post(tariffsPath, form)
	at := a.header.Get("Location")
	if a.status != 303 {
		t.Fatalf("%d %s", a.status, a.body)
	}
	list, err := b.Tariffs().All(t.Context())
	if err != nil || len(list) != 1 || list[0].Name != "=Long Beach" || len(list[0].Tiers) != 2 || len(list[0].Weekend) != 0 || list[0].FreeDays != 4 {
		t.Fatalf("%+v, %v", list, err)
	}
	form.Set("free_days", "5")
	if a := b.post(at, form); a.status != 303 {
		t.Errorf("changed: %d %s", a.status, a.body)
	}
	for _, extension := range []string{".csv", ".json"} {
		file := b.get(tariffsPath + extension)
		if file.status != 200 || !strings.Contains(file.header.Get("Content-Disposition"), "tariffs"+extension) {
			t.Errorf("%s: %d", extension, file.status)
		}
		sent := url.Values{"csrf": form["csrf"], "once": {newToken()}, "tariffs": {strings.Replace(file.body, "185.00", "200.00", 1)}, "replace": {"yes"}}
		if a := b.post(importPath, sent); a.status != 200 || !strings.Contains(a.body, "1 tariffs will be created, 0 stay as they are, and 1 will be deleted") {
			t.Errorf("%s, checked: %d", extension, a.status)
		}
		if list, err = b.Tariffs().All(t.Context()); err != nil || list[0].Tiers[0].Amount != "185.00" {
			t.Errorf("%s: a check changed %+v, %v", extension, list, err)
		}
	}
	for name, text := range map[string]string{"nothing": "", "no CSV": "<script>", "no JSON": "{<script>", "a row": "clock,free_days,currency,tiers\ndemurrage,few,USD,1- 100.00", "a column": "a,clock\n"} {
		if a := b.post(importPath, url.Values{"csrf": form["csrf"], "tariffs": {text}}); a.status != 422 || strings.Contains(a.body, "<script>") || name == "a row" && !strings.Contains(a.body, "row 1, column free_days") || name == "a column" && !strings.Contains(html.UnescapeString(a.body), `there is no column "a"; columns are name, clock,`) {
			t.Errorf("%s: %d", name, a.status)
		}
	}
	sent := url.Values{"csrf": form["csrf"], "once": {newToken()}, "tariffs": {"clock,free_days,currency,tiers\nper_diem,2,EUR,1- 60.00"}, "confirmed": {"yes"}}
	for range 2 {
		if a := b.post(importPath, sent); a.status != 303 {
			t.Errorf("imported: %d %s", a.status, a.body)
		}
	}
	if list, err = b.Tariffs().All(t.Context()); err != nil || len(list) != 2 {
		t.Errorf("%d tariffs, %v", len(list), err)
	}
	if a := b.post(at+"/delete", form); a.status != 303 {
		t.Errorf("deleted: %d", a.status)
	}
}

// TestCarriers: lines with tracked shipments are shown with their state.
func TestCarriers(t *testing.T) {
	w := newWorld(t)
	w.signIn(tracking.Show)
	if a := w.get(carriersPath); a.status != 200 || !strings.Contains(a.body, sandbox.SCAC) || !strings.Contains(a.body, "Answers") {
		t.Errorf("%d %s", a.status, a.body)
	}
}
