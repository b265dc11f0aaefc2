package dashboard

import (
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/landfallhq/tracking"
)

// maxSecret is more than the length of any password or token of a link, in bytes.
const maxSecret = 1 << 10

// formOf returns the form of a SignIn in a session.
func formOf(s tracking.SignIn) string {
	return strings.Join([]string{tracking.ID(s.Account).String(), s.User.String(), strconv.FormatInt(s.Epoch, 10)}, " ")
}

// parseSignIn reads what formOf returned; ok is false for other texts.
func parseSignIn(text string) (s tracking.SignIn, ok bool) {
	parts := strings.Split(text, " ")
	if len(parts) != 3 {
		return s, false
	}
	epoch, err := strconv.ParseInt(parts[2], 10, 64)
	s = tracking.SignIn{Account: tracking.AccountID(parseID(parts[0])), User: parseID(parts[1]), Epoch: epoch}
	return s, err == nil && s.User != (tracking.ID{})
}

// visitor acts for a browser that nobody has signed in with.
func (req *request) visitor() tracking.Users {
	actor := tracking.Actor{}
	if a := req.ClientAddress(req.r); a.IsValid() {
		actor.ClientAddress = a.String()
	}
	return req.Tracker.For(actor).Users()
}

// signInUser signs in with an e-mail address and a password.
func (req *request) signInUser(email, password string) error {
	if len(email)+len(password) > maxSecret {
		email, password = "", "" // which nobody has
	}
	s, err := req.visitor().SignIn(req.r.Context(), email, password)
	var refused *tracking.Error
	switch {
	case errors.As(err, &refused) && refused.Kind == tracking.Unauthorized:
		return req.renderSignIn(http.StatusUnprocessableEntity, signInPage{Problem: req.texts.get("signin.wrong")})
	case errors.As(err, &refused) && refused.Kind == tracking.Limited:
		return req.renderSignIn(http.StatusTooManyRequests, signInPage{Problem: req.texts.get("signin.limited")})
	case err != nil:
		return err
	}
	return req.beginUser(s)
}

// beginUser starts the session of a user.
func (req *request) beginUser(s tracking.SignIn) error {
	return req.begin(s.Account, map[string]string{sessionUser: formOf(s)}, req.r.FormValue("next"))
}

// linkPage is the form of a one-time link.
type linkPage struct {
	Token, Link string
	Name, Email string
	// AsksEmail: the user has no address yet.
	AsksEmail bool
	// Problems are texts by field; that of the empty field is about the whole form.
	Problems map[string]string
}

// showLink shows the form of a link, which stays as it is until the form is sent: programs
// that check mail open links.
func showLink(req *request) error {
	user, err := req.linkedUser(req.r.URL.Query().Get("token"))
	if err != nil {
		return err
	}
	return req.renderLink(http.StatusOK, user, linkPage{Link: req.r.URL.Query().Get("token"), Name: user.Name})
}

// linkedUser returns the user of a link; the error of one that cannot be used is a page.
func (req *request) linkedUser(link string) (*tracking.User, error) {
	if len(link) > maxSecret {
		link = ""
	}
	user, err := req.visitor().Link(req.r.Context(), link)
	return user, req.linkError(err)
}

func (req *request) linkError(err error) error {
	var refused *tracking.Error
	switch {
	case errors.As(err, &refused) && refused.Kind == tracking.Unauthorized:
		return &pageError{http.StatusNotFound, req.texts.get("link.invalid")}
	case errors.As(err, &refused) && refused.Kind == tracking.Limited:
		return &pageError{http.StatusTooManyRequests, req.texts.get("signin.limited")}
	}
	return err
}

func (req *request) renderLink(status int, user *tracking.User, p linkPage) error {
	p.AsksEmail, p.Token = user.Email == "", req.newFormToken()
	if !p.AsksEmail {
		p.Email = user.Email
	}
	return req.render(status, "link", req.texts.get("link.title"), p)
}

// acceptLink uses a link: the user has a password then, and is signed in.
func acceptLink(req *request) error {
	if err := req.readPublicForm(); err != nil {
		return err
	}
	form := req.r.PostForm
	p := linkPage{Link: form.Get("token"), Name: form.Get("name"), Email: form.Get("email"), Problems: map[string]string{}}
	user, err := req.linkedUser(p.Link)
	if err != nil {
		return err
	}
	if form.Get("password") != form.Get("repeated") {
		p.Problems["repeated"] = req.texts.get("link.differ")
		return req.renderLink(http.StatusUnprocessableEntity, user, p)
	}
	s, err := req.visitor().AcceptLink(req.r.Context(), p.Link, tracking.NewUser{Name: p.Name, Email: p.Email, Password: form.Get("password")})
	for _, fault := range faultsOf(err) {
		p.Problems[fault.Field] = fault.Detail
	}
	if len(p.Problems) > 0 {
		return req.renderLink(http.StatusUnprocessableEntity, user, p)
	}
	if err != nil {
		return req.linkError(err)
	}
	return req.beginUser(s)
}

// faultsOf returns what a user can correct in a form.
func faultsOf(err error) (faults []*tracking.Error) {
	var many tracking.Errors
	var one *tracking.Error
	switch {
	case errors.As(err, &many):
		return many
	case errors.As(err, &one) && one.Kind == tracking.Invalid:
		return []*tracking.Error{one}
	}
	return nil
}
