package dashboard

import (
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/landfallhq/tracking"
)

const mailPath = "/settings/mail"

func mailRoutes() []route {
	return []route{
		{pattern: "GET " + mailPath, permission: tracking.Show, serve: showMail},
		{pattern: "POST " + mailPath, permission: tracking.Show, serve: saveMail},
		{pattern: "GET " + mailPath + "/end", permission: tracking.Show, serve: askToEndMail},
		{pattern: "POST " + mailPath + "/end", permission: tracking.Show, serve: endMail},
		{pattern: "POST " + mailPath + "/digest", permission: tracking.Show, serve: sendDigest},
		{pattern: "GET /unsubscribe/{token}", public: true, shared: true, posts: true, serve: unsubscribe},
	}
}

// mailPage has what the user gets by e-mail, as a form.
type mailPage struct {
	Crumbs []crumb
	Lead   string
	State  []attribute
	// End leads to the question whether the e-mails shall end; empty without any.
	End string
	// Send has the button that sends a digest now; nil without an active subscription.
	Send []button
	Form form
}

// mailSubscription returns what the signed-in user gets; the defaults if nothing was saved.
func (req *request) mailSubscription() (*tracking.MailSubscription, error) {
	s, err := req.t.Mail().Get(req.r.Context(), req.actor.User)
	if errors.Is(err, tracking.ErrNotFound) {
		s, err = &tracking.MailSubscription{MailSettings: tracking.MailSettings{
			Digest: true, DigestAt: "07:00", Timezone: "Etc/UTC",
			DigestDays: []time.Weekday{time.Monday, time.Tuesday, time.Wednesday, time.Thursday, time.Friday},
		}}, nil
	}
	return s, err
}

func showMail(req *request) error { return req.renderMail(nil) }

// renderMail shows the form. refused is what is wrong with what was sent.
func (req *request) renderMail(refused error) error {
	c := req.texts
	if !req.isUser() || !req.t.Mail().Sends() {
		none := c.get("mail.none.user")
		if req.isUser() {
			none = c.get("mail.none.server")
		}
		return req.render(http.StatusOK, "settings-list", c.get("settings.mail"), settingsList{Crumbs: req.settingsCrumbs(), None: none})
	}
	s, err := req.mailSubscription()
	if err != nil {
		return err
	}
	p, status := mailPage{Crumbs: req.settingsCrumbs(), Lead: c.get("settings.mail.lead"), Form: req.mailForm(s)}, http.StatusOK
	if s.ID != (tracking.ID{}) {
		p.State, p.End = c.mailState(s), req.link(mailPath+"/end")
		if s.Active {
			p.Send = []button{req.button(mailPath+"/digest", "mail.digest.send")}
		}
	}
	if refused != nil {
		status = http.StatusUnprocessableEntity
		p.Form.fill(req.r.PostForm)
		if err := req.refuse(&p.Form, refused); err != nil {
			return err
		}
	}
	return req.render(status, "mail", c.get("settings.mail"), p)
}

// mailState says where the e-mails go, and why not.
func (c catalog) mailState(s *tracking.MailSubscription) []attribute {
	list := []attribute{{c.get("mail.address"), text(s.Address)}}
	state := cell{Text: c.get("webhook.active"), Tone: "good"}
	if !s.Active {
		state = cell{Text: c.get("mail.ended"), Tone: "bad", Note: c.word("mail.reason", string(s.DeactivatedReason))}
	}
	list = append(list, attribute{c.get("column.state"), state})
	if s.Bounces > 0 {
		list = append(list, attribute{c.get("mail.bounces"), cell{Text: strconv.Itoa(s.Bounces), Note: c.moment(s.LastBounceAt, s.Timezone).Text}})
	}
	return list
}

func (req *request) mailForm(s *tracking.MailSubscription) form {
	c := req.texts
	days := make([]option, 0, 7)
	for i := range 7 {
		day := time.Weekday((i + 1) % 7) // from Monday on
		days = append(days, option{Value: strconv.Itoa(int(day)), Label: c.get("day." + strconv.Itoa(int(day)))})
	}
	chosenDays := make([]string, len(s.DigestDays))
	for i, day := range s.DigestDays {
		chosenDays[i] = strconv.Itoa(int(day))
	}
	inputs := []input{
		{Name: "digest", Label: c.get("mail.digest"), Kind: inputCheck, Checked: s.Digest, Hint: c.get("mail.digest.hint")},
		{Name: "digest_at", Label: c.get("mail.digest_at"), Kind: inputText, Value: s.DigestAt, Hint: c.get("mail.digest_at.hint")},
		{Name: "digest_days", Label: c.get("mail.digest_days"), Kind: inputChoices, Options: chosen(days, chosenDays...)},
		{Name: "timezone", Label: c.get("mail.timezone"), Kind: inputText, Value: s.Timezone, Hint: c.get("mail.timezone.hint")},
	}
	kinds := c.options("exception", req.t.Exceptions().Kinds())
	inputs = append(inputs, input{Name: "exceptions", Label: c.get("mail.exceptions"), Kind: inputChoices, Options: chosen(kinds, s.Exceptions...), Hint: c.get("mail.exceptions.hint")})
	for _, in := range req.eventInputs(s.Alerts) {
		in.Name = "alerts"
		inputs = append(inputs, in)
	}
	return req.newForm(mailPath, "form.save", req.link("/settings"), inputs...)
}

func saveMail(req *request) error {
	if !req.isUser() {
		return &pageError{http.StatusForbidden, req.texts.get("mail.none.user")}
	}
	sent := req.r.PostForm
	settings := tracking.MailSettings{
		Alerts: eventNames(sent["alerts"]), Exceptions: sent["exceptions"], Digest: sent.Has("digest"), DigestAt: sent.Get("digest_at"), Timezone: sent.Get("timezone"),
	}
	for _, text := range sent["digest_days"] {
		day, err := strconv.Atoi(text)
		if err != nil {
			day = -1 // which is refused
		}
		settings.DigestDays = append(settings.DigestDays, time.Weekday(day))
	}
	if _, err := req.t.Mail().Save(req.r.Context(), req.actor.User, settings); err != nil {
		return req.renderMail(err)
	}
	return req.done(mailPath, "mail.saved")
}

// sendDigest sends the digest of the moment.
func sendDigest(req *request) error {
	if err := req.t.Mail().SendDigest(req.r.Context(), req.actor.User); err != nil {
		return err
	}
	return req.done(mailPath, "mail.digest.sent")
}

func askToEndMail(req *request) error {
	return req.question("mail.end", mailPath+"/end", mailPath, req.settingsCrumbs(mailPath, req.texts.get("settings.mail")))
}

func endMail(req *request) error {
	err := req.t.Mail().Delete(req.r.Context(), req.actor.User)
	if err != nil && !errors.Is(err, tracking.ErrNotFound) {
		return err
	}
	return req.done(mailPath, "mail.end.done")
}

// unsubscribePage asks whether e-mails shall end, or says that they have ended.
type unsubscribePage struct {
	Address string
	Done    bool
}

// unsubscribe ends the e-mails that a link in one of them is for. Programs that check e-mails open
// links, so only a form, or the one click of a mailbox (RFC 8058), ends anything. The token
// permits it: there is no session, and other origins may send the form.
func unsubscribe(req *request) error {
	if err := req.allowVisit(); err != nil {
		return err
	}
	confirmed := req.r.Method == http.MethodPost
	s, err := req.Tracker.For(tracking.Actor{}).Mail().Unsubscribe(req.r.Context(), req.r.PathValue("token"), confirmed)
	if errors.Is(err, tracking.ErrNotFound) {
		return &pageError{http.StatusNotFound, req.texts.get("unsubscribe.none")}
	}
	if err != nil {
		return err
	}
	return req.renderShared(http.StatusOK, "unsubscribe", req.texts.get("unsubscribe.title"), unsubscribePage{s.Address, !s.Active})
}
