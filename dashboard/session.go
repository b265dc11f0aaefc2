package dashboard

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/alexedwards/scs/v2"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/internal/netblock"
	"github.com/landfallhq/tracking/internal/ratelimit"
)

func signInRoutes() []route {
	return []route{
		{pattern: "GET /sign-in", public: true, serve: showSignIn},
		{pattern: "POST /sign-in", public: true, serve: signIn},
		{pattern: "GET /sign-in/link", public: true, serve: showLink},
		{pattern: "POST /sign-in/link", public: true, serve: acceptLink},
		{pattern: "POST /sign-out", serve: signOut},
	}
}

// What a session has.
const (
	sessionKey       = "key"        // ID of the API key
	sessionUser      = "user"       // who has signed in, in place of a key; see formOf
	sessionAccountID = "account_id" // ID of the account
	sessionAccount   = "account"    // name of the account, to show
	sessionCSRF      = "csrf"       // token of its forms
	sessionFlash     = "flash"      // a sentence for the next page
	sessionProxy     = "proxy"      // whom the proxy has identified; see sessionForm
)

const (
	// failureWindow and maxFailures limit the failed attempts to sign in of a network.
	failureWindow = time.Minute
	maxFailures   = 20
	// signInCookie has the token of the form for signing in, before there is a session.
	signInCookie = "landfall-sign-in"
	// maxKey is more than the length of any key.
	maxKey = 256
)

// newSessions returns the sessions of browsers that use HTTPS, or of those that do not. The
// prefix __Host- keeps other hosts of the domain from setting the cookie.
func newSessions(c Config, secure bool) *scs.SessionManager {
	m := scs.New()
	m.Store, m.Lifetime, m.HashTokenInStore = c.Sessions, c.SessionLifetime, true
	m.Cookie.Name, m.Cookie.Secure = "landfall", secure
	m.Cookie.SameSite, m.Cookie.HttpOnly = http.SameSiteLaxMode, true
	if secure {
		m.Cookie.Name = "__Host-landfall"
	}
	m.ErrorFunc = func(w http.ResponseWriter, _ *http.Request, err error) {
		c.Logger.Error("dashboard: session", "error", err)
		http.Error(w, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
	}
	return m
}

// identify finds who sends the request. A session whose key or user has ended is removed.
func (req *request) identify() error {
	ctx := req.r.Context()
	var actor tracking.Actor
	var err error
	if s, ok := parseSignIn(req.sessions.GetString(ctx, sessionUser)); ok {
		actor, _, err = req.Tracker.Users().SignedIn(ctx, s)
	} else if id := parseID(req.sessions.GetString(ctx, sessionKey)); id != (tracking.ID{}) {
		actor, err = req.Tracker.AuthenticateKey(ctx, id)
	} else {
		return nil
	}
	var refused *tracking.Error
	switch {
	case errors.As(err, &refused) && refused.Kind == tracking.Unauthorized:
		return req.sessions.Destroy(ctx)
	case err != nil:
		return err
	}
	req.actAs(actor)
	return nil
}

func (req *request) actAs(actor tracking.Actor) {
	actor.Via = tracking.SetByAPI
	if a := req.ClientAddress(req.r); a.IsValid() {
		actor.ClientAddress = a.String()
	}
	req.actor, req.t = actor, req.Tracker.For(actor)
	req.places, req.since = &placeNames{t: req.t}, req.live.position(actor.Account)
}

// redirectToSignIn remembers which page was asked for.
func (req *request) redirectToSignIn() error {
	query := url.Values{}
	if req.r.Method == http.MethodGet && req.r.URL.Path != req.link("/") {
		query.Set("next", req.r.URL.RequestURI())
	}
	return req.redirect(req.link("/sign-in", query))
}

// signInPage is the form for signing in.
type signInPage struct {
	Token, Next, Email string
	// Problem is about what was typed, and Refused about a sign-in elsewhere.
	Problem, Refused string
	// Provider is the name of the identity provider and ProviderHref begins a sign-in there;
	// both are empty without one. Person is whom a proxy has identified; empty for nobody.
	Provider, ProviderHref, Person string
	// Continue is the page of this dashboard that the identified person goes to.
	Continue string
}

func showSignIn(req *request) error {
	if req.t != nil {
		return req.redirect(req.next(req.r.FormValue("next")))
	}
	return req.renderSignIn(http.StatusOK, signInPage{})
}

func (req *request) renderSignIn(status int, p signInPage) error {
	p.Token, p.Next, p.Email = req.newFormToken(), req.r.FormValue("next"), req.r.PostForm.Get("email")
	if req.OpenID != nil {
		p.Provider, p.ProviderHref = req.OpenID.Name, req.link("/sign-in/openid", canonical(url.Values{"next": {p.Next}}))
	}
	if who, ok := req.ProxySignIn.identityOf(req.r); ok {
		p.Person, p.Continue = who.email, req.next(p.Next)
	}
	return req.render(status, "sign-in", req.texts.get("signin.title"), p)
}

// newFormToken returns the token of a form for which there is no session, and sets the cookie
// that it must equal.
func (req *request) newFormToken() string {
	token := newToken()
	http.SetCookie(req.w, &http.Cookie{
		Name: signInCookie, Value: token, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode, Secure: req.IsHTTPS(req.r),
	})
	return token
}

// readPublicForm reads a form whose token newFormToken has made.
func (req *request) readPublicForm() error {
	if err := req.readForm(); err != nil {
		return err
	}
	cookie, err := req.r.Cookie(signInCookie)
	if err != nil || !sameToken(req.r.PostForm.Get(csrfField), cookie.Value) {
		return &pageError{http.StatusForbidden, req.texts.get("error.csrf")}
	}
	return nil
}

// next returns the page to show after signing in: a path of the dashboard alone.
func (req *request) next(to string) string {
	u, err := url.Parse(to)
	if err != nil || u.IsAbs() || u.Host != "" || !strings.HasPrefix(to, req.link("/")) || strings.HasPrefix(to, "//") || strings.ContainsAny(to, "\\\r\n") {
		return req.link("/")
	}
	return to
}

func signIn(req *request) error {
	if err := req.readPublicForm(); err != nil {
		return err
	}
	if !req.r.PostForm.Has("key") {
		return req.signInUser(req.r.PostForm.Get("email"), req.r.PostForm.Get("password"))
	}
	quota := req.failureQuota(failuresOfKeys)
	switch _, full, err := req.failures.Full(req.r.Context(), req.now, quota); {
	case err != nil:
		return err
	case full:
		return req.renderSignIn(http.StatusTooManyRequests, signInPage{Problem: req.texts.get("signin.limited")})
	}
	actor, err := req.authenticate(strings.TrimSpace(req.r.PostForm.Get("key")))
	var refused *tracking.Error
	switch {
	case errors.As(err, &refused) && refused.Kind == tracking.Unauthorized:
		if err := req.failures.Record(req.r.Context(), req.now, quota); err != nil {
			return err
		}
		return req.renderSignIn(http.StatusUnprocessableEntity, signInPage{Problem: req.texts.get("signin.refused")})
	case err != nil:
		return err
	}
	return req.begin(actor.Account, map[string]string{sessionKey: actor.Key.String()}, req.r.FormValue("next"))
}

// What failureQuota counts, each by itself: people who come back from the provider, from behind
// one address, must not keep others from signing in with a key.
const (
	failuresOfKeys uint8 = iota
	answersOfOpenID
)

// failureQuota is the limit of attempts of one kind from the network of the browser.
func (req *request) failureQuota(kind uint8) ratelimit.Quota {
	return ratelimit.Quota{Scope: ratelimit.Scope{Kind: kind, ID: netblock.Of(req.ClientAddress(req.r)).As16()}, Limit: maxFailures}
}

func (req *request) authenticate(secret string) (tracking.Actor, error) {
	if len(secret) > maxKey {
		return tracking.Actor{}, &tracking.Error{Kind: tracking.Unauthorized}
	}
	return req.Tracker.Authenticate(req.r.Context(), secret)
}

// begin starts a session, and shows the page asked for.
func (req *request) begin(account tracking.AccountID, who map[string]string, next string) error {
	if err := req.startSession(account, who); err != nil {
		return err
	}
	http.SetCookie(req.w, &http.Cookie{Name: signInCookie, Path: "/", MaxAge: -1})
	return req.redirect(req.next(next))
}

// startSession starts a session in an account, with a new token and values that say who has
// signed in.
func (req *request) startSession(account tracking.AccountID, who map[string]string) error {
	ctx := req.r.Context()
	if err := req.sessions.RenewToken(ctx); err != nil {
		return err
	}
	if err := req.sessions.Clear(ctx); err != nil { // of somebody who was signed in before
		return err
	}
	name, err := req.accountName(account)
	if err != nil {
		return err
	}
	for key, value := range who {
		req.sessions.Put(ctx, key, value)
	}
	req.sessions.Put(ctx, sessionAccountID, tracking.ID(account).String())
	req.sessions.Put(ctx, sessionAccount, name)
	req.sessions.Put(ctx, sessionCSRF, newToken())
	return nil
}

// accountName returns the name of the company of an account.
func (req *request) accountName(of tracking.AccountID) (string, error) {
	accounts, err := req.Tracker.Accounts(req.r.Context())
	for _, a := range accounts {
		if a.Scope() == of {
			return a.CompanyName, err
		}
	}
	return "", err
}

func signOut(req *request) error {
	ctx := req.r.Context()
	if s, ok := parseSignIn(req.sessions.GetString(ctx, sessionUser)); ok {
		if err := req.visitor().SignOut(ctx, s); err != nil {
			return err
		}
	}
	req.live.end(req.actor.Account, req.sessions.Token(ctx))
	if err := req.sessions.Destroy(ctx); err != nil {
		return err
	}
	return req.redirect(req.link("/sign-in"))
}
