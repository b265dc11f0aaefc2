package dashboard

import (
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/landfallhq/tracking"
)

// mailForm is the form of the e-mails of a user, as a browser sends it.
func (b *bench) mailForm(changes ...string) url.Values {
	form := url.Values{
		"csrf": {b.token(mailPath)}, "once": {b.onceOf(mailPath)}, "digest": {"yes"}, "digest_at": {"06:45"}, "digest_days": {"1", "3"},
		"timezone": {"Europe/Amsterdam"}, "alerts": {"container-milestones", "exception.opened"},
	}
	for i := 0; i < len(changes); i += 2 {
		form[changes[i]] = strings.Fields(changes[i+1])
	}
	return form
}

// A user with show alone chooses, sends a digest, and ends the e-mails.
func TestMailPage(t *testing.T) {
	b, user := userBench(t, tracking.Show)
	b.signInUser(user.Email, goodPassword)
	if a := b.get("/settings"); !strings.Contains(a.body, mailPath) {
		t.Errorf("the settings have no e-mail: %s", a.body)
	}
	categories := tracking.Describe().EventCategories
	alerts := categories[1].ID + " " + string(categories[0].Events[0].Name)
	for field, sent := range map[string]string{"digest_at": "7", "timezone": "x", "digest_days": "9", "alerts": "x", "exceptions": "x"} {
		changes := []string{"alerts", alerts, field, sent}
		if a := b.post(mailPath, b.mailForm(changes...)); a.status != 422 || !strings.Contains(a.body, "problem-") {
			t.Errorf("%s: %d %s", field, a.status, a.body)
		}
	}
	if a := b.post(mailPath, b.mailForm("alerts", alerts, "exceptions", "hold rollover")); a.status != 303 {
		t.Fatalf("saved: %d %s", a.status, a.body)
	}
	s, err := b.Mail().Get(t.Context(), user.ID)
	if err != nil || s.DigestAt != "06:45" || !slices.Equal(s.DigestDays, []time.Weekday{1, 3}) || s.Timezone != "Europe/Amsterdam" || len(s.Alerts) != 2 || !slices.Equal(s.Exceptions, []string{"hold", "rollover"}) {
		t.Fatalf("%+v %v", s, err)
	}
	if a := b.get(mailPath); !strings.Contains(a.body, "kim@example.com") || !strings.Contains(a.body, "Send me the digest now") {
		t.Errorf("%s", a.body)
	}
	if a := b.post(mailPath+"/digest", url.Values{"csrf": {b.token(mailPath)}}); a.status != 303 {
		t.Errorf("a digest now: %d", a.status)
	}
	b.Pass(time.Minute)
	if n := len(b.Mailer.Sent()); n != 1 {
		t.Errorf("%d were sent", n)
	}
	if a := b.post(mailPath+"/end", url.Values{"csrf": {b.token(mailPath + "/end")}}); a.status != 303 {
		t.Errorf("ended: %d", a.status)
	}
	if _, err := b.Mail().Get(t.Context(), user.ID); err == nil {
		t.Error("the subscription is still there")
	}
}

// A key has no address, and an installation may have no mail server.
func TestMailPageWithoutMail(t *testing.T) {
	b := newBench(t)
	b.signIn()
	if a := b.get(mailPath); a.status != 200 || !strings.Contains(a.body, "a key has no address") {
		t.Errorf("%d %s", a.status, a.body)
	}
	if a := b.post(mailPath, url.Values{"csrf": {b.token("/")}, "digest": {"yes"}}); a.status != 403 {
		t.Errorf("saved by a key: %d", a.status)
	}
}

// The link in an e-mail asks, and ends the e-mails when the form is sent, or by the one click of a
// mailbox, without a session. Links that are not valid answer alike.
func TestUnsubscribePage(t *testing.T) {
	b, user := userBench(t, tracking.Show)
	if _, err := b.Mail().Save(t.Context(), user.ID, tracking.MailSettings{Digest: true}); err != nil {
		t.Fatal(err)
	}
	if err := b.Mail().SendDigest(t.Context(), user.ID); err != nil {
		t.Fatal(err)
	}
	b.Pass(time.Minute)
	at := "/unsubscribe/" + b.Mailer.Sent()[0].Mail.UnsubscribeToken
	active := func() bool {
		s, err := b.Mail().Get(t.Context(), user.ID)
		if err != nil {
			t.Fatal(err)
		}
		return s.Active
	}
	if a := b.get(at); a.status != 200 || !strings.Contains(a.body, "kim@example.com") || !active() || len(a.header["Set-Cookie"]) != 0 {
		t.Errorf("looked at: %d %v %s", a.status, active(), a.body)
	}
	for range 2 {
		if a := b.post(at, url.Values{"List-Unsubscribe": {"One-Click"}}); a.status != 200 || active() || !strings.Contains(a.body, "gets no more e-mails") {
			t.Errorf("sent: %d %v %s", a.status, active(), a.body)
		}
	}
	wrong, never := b.get(at[:len(at)-2]+"00"), b.get("/unsubscribe/x")
	if wrong.status != 404 || never.status != 404 || wrong.body != never.body {
		t.Errorf("%d %d", wrong.status, never.status)
	}
	if r := b.post("/shared/x", nil); r.status != 405 {
		t.Errorf("POST of a share link: %d", r.status)
	}
}
