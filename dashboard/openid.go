package dashboard

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"github.com/landfallhq/tracking"
)

func openIDRoutes() []route {
	return []route{
		{pattern: "GET /sign-in/openid", public: true, serve: startOpenID},
		{pattern: "GET /sign-in/openid/callback", public: true, serve: finishOpenID},
	}
}

// OpenID is an identity provider that speaks OpenID Connect. The address to register there
// is that of the dashboard with /sign-in/openid/callback.
type OpenID struct {
	// Issuer is the URL of the provider: https, or http on this machine.
	Issuer string
	// ClientID and ClientSecret are what the provider has registered. The secret may be empty.
	ClientID, ClientSecret string
	// Name of the provider for people. Defaults to the host of the issuer.
	Name string
	// Scopes that are asked for. Defaults to openid, email and profile.
	Scopes []string
	// RolesClaim is the claim with the roles of a person, a text or a list; members of
	// objects are separated by dots, as in realm_access.roles. Defaults to groups.
	RolesClaim string
	// TrustEmail takes an address as verified if the provider does not say whether it is.
	TrustEmail bool
	// Client sends the requests. Defaults to one with a time limit of 10 seconds.
	Client *http.Client
}

// openIDTimeout bounds each request to a provider.
const openIDTimeout = 10 * time.Second

func (o OpenID) withDefaults() OpenID {
	if u, err := url.Parse(o.Issuer); err == nil {
		o.Name = cmp.Or(o.Name, u.Host)
	}
	if len(o.Scopes) == 0 {
		o.Scopes = []string{oidc.ScopeOpenID, "email", "profile"}
	}
	o.RolesClaim = cmp.Or(o.RolesClaim, "groups")
	if o.Client == nil {
		o.Client = &http.Client{Timeout: openIDTimeout}
	}
	return o
}

// Validate returns what is wrong with the settings; it asks nobody.
func (o OpenID) Validate() error {
	u, err := url.Parse(o.Issuer)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "https" && (u.Scheme != "http" || !isLoopback(u.Hostname())):
		return fmt.Errorf("the issuer %q is not a URL such as https://login.example.com", o.Issuer)
	case u.RawQuery != "" || u.Fragment != "" || u.User != nil:
		return fmt.Errorf("the issuer %q has more than a host and a path", o.Issuer)
	case o.ClientID == "":
		return errors.New("there is no client ID")
	case len(o.Scopes) > 0 && !slices.Contains(o.Scopes, oidc.ScopeOpenID):
		return errors.New("the scopes lack openid")
	}
	return nil
}

func isLoopback(host string) bool {
	a, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && a.IsLoopback()
}

// Check asks the provider for its description and its keys, and returns what is wrong.
func (o OpenID) Check(ctx context.Context) error {
	if err := o.Validate(); err != nil {
		return err
	}
	o = o.withDefaults()
	ctx = oidc.ClientContext(ctx, o.Client)
	p, err := oidc.NewProvider(ctx, o.Issuer)
	if err != nil {
		return err
	}
	var described struct {
		Keys  string   `json:"jwks_uri"`
		PKCE  []string `json:"code_challenge_methods_supported"`
		Token string   `json:"token_endpoint"`
	}
	if err := p.Claims(&described); err != nil {
		return err
	}
	if len(described.PKCE) > 0 && !slices.Contains(described.PKCE, "S256") {
		return fmt.Errorf("%s does not support PKCE with S256", o.Issuer)
	}
	return o.checkKeys(ctx, described.Keys)
}

func (o OpenID) checkKeys(ctx context.Context, at string) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, at, nil)
	if err != nil {
		return err
	}
	res, err := o.Client.Do(r)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	var set struct {
		Keys []json.RawMessage `json:"keys"`
	}
	if err := json.NewDecoder(http.MaxBytesReader(nil, res.Body, maxForm)).Decode(&set); err != nil || res.StatusCode != http.StatusOK || len(set.Keys) == 0 {
		return fmt.Errorf("%s has no keys (status %d)", at, res.StatusCode)
	}
	return nil
}

// provider is the description of the identity provider, which is read with the first
// sign-in: a server starts without it too.
type provider struct {
	sync.Mutex
	known *oidc.Provider
	// failure is why it could not be read at the time failed.
	failure error
	failed  time.Time
}

// providerPause is how long the failure to read a provider stands, so that those who wait for it
// are answered together.
const providerPause = 5 * time.Second

func (p *provider) get(ctx context.Context, issuer string, clock tracking.Clock) (*oidc.Provider, error) {
	p.Lock()
	defer p.Unlock()
	if p.known != nil {
		return p.known, nil
	}
	if p.failure != nil && clock.Now().Sub(p.failed) < providerPause {
		return nil, p.failure
	}
	known, err := oidc.NewProvider(ctx, issuer)
	if err == nil || ctx.Err() == nil { // a browser that has gone says nothing about the provider
		p.known, p.failure, p.failed = known, err, clock.Now()
	}
	return known, err
}

// openIDClient is one use of the provider.
type openIDClient struct {
	context.Context
	*oidc.Provider
	oauth2.Config
}

func (req *request) openID() (c openIDClient, err error) {
	c.Context = oidc.ClientContext(req.r.Context(), req.OpenID.Client)
	if c.Provider, err = req.provider.get(c.Context, req.OpenID.Issuer, req.Clock); err != nil {
		return c, err
	}
	c.Config = oauth2.Config{
		ClientID: req.OpenID.ClientID, ClientSecret: req.OpenID.ClientSecret, Scopes: req.OpenID.Scopes,
		Endpoint: c.Provider.Endpoint(), RedirectURL: req.Origin(req.r) + req.link("/sign-in/openid/callback"),
	}
	return c, nil
}

// attempt is a sign-in that the browser is at the provider for. The browser keeps it in a
// cookie, as visitors without a session store nothing here.
type attempt struct{ state, nonce, verifier, next string }

const (
	// attemptLife is how long a person has to sign in at the provider.
	attemptLife = 10 * time.Minute
	// maxNext bounds the address that an attempt keeps.
	maxNext = 1 << 10
)

func (req *request) attemptCookie(value string, life time.Duration) *http.Cookie {
	// SameSite=Strict would keep the cookie from the redirect of the provider.
	c := &http.Cookie{Name: "landfall-openid", Value: value, Path: "/", MaxAge: int(life / time.Second), HttpOnly: true, SameSite: http.SameSiteLaxMode}
	if req.IsHTTPS(req.r) {
		c.Name, c.Secure = "__Host-"+c.Name, true
	}
	return c
}

// takeAttempt returns the attempt of the browser, and ends it: each is for one answer.
func (req *request) takeAttempt() (a attempt, ok bool) {
	end := req.attemptCookie("", -time.Second)
	http.SetCookie(req.w, end)
	c, err := req.r.Cookie(end.Name)
	if err != nil {
		return a, false
	}
	v, err := url.ParseQuery(c.Value)
	a = attempt{v.Get("state"), v.Get("nonce"), v.Get("verifier"), v.Get("next")}
	return a, err == nil && a.nonce != "" && a.verifier != "" && sameToken(req.r.URL.Query().Get("state"), a.state)
}

// startOpenID sends the browser to the provider.
func startOpenID(req *request) error {
	if req.OpenID == nil {
		return req.notFound()
	}
	c, err := req.openID()
	if err != nil {
		return req.openIDFailed(http.StatusServiceUnavailable, "openid.unavailable", err)
	}
	a := attempt{state: newToken(), nonce: newToken(), verifier: oauth2.GenerateVerifier(), next: req.r.FormValue("next")}
	if len(a.next) > maxNext {
		a.next = ""
	}
	v := url.Values{"state": {a.state}, "nonce": {a.nonce}, "verifier": {a.verifier}, "next": {a.next}}
	http.SetCookie(req.w, req.attemptCookie(v.Encode(), attemptLife))
	return req.redirect(c.AuthCodeURL(a.state, oidc.Nonce(a.nonce), oauth2.S256ChallengeOption(a.verifier)))
}

// finishOpenID takes the answer of the provider, and signs in the user.
func finishOpenID(req *request) error {
	if req.OpenID == nil {
		return req.notFound()
	}
	quota := req.failureQuota(answersOfOpenID)
	switch _, full, err := req.failures.Full(req.r.Context(), req.now, quota); {
	case err != nil:
		return err
	case full:
		return req.renderSignIn(http.StatusTooManyRequests, signInPage{Refused: req.texts.get("signin.limited")})
	}
	if err := req.failures.Record(req.r.Context(), req.now, quota); err != nil { // each costs a request to the provider, so all count
		return err
	}
	a, ok := req.takeAttempt()
	given := req.r.URL.Query()
	switch {
	case !ok:
		return req.openIDFailed(http.StatusForbidden, "openid.state", nil)
	case given.Has("error"):
		return req.openIDFailed(http.StatusForbidden, "openid.denied", fmt.Errorf("%.60q: %.200q", given.Get("error"), given.Get("error_description")))
	}
	c, err := req.openID()
	if err != nil {
		return req.openIDFailed(http.StatusServiceUnavailable, "openid.unavailable", err)
	}
	who, err := req.exchange(c, a, given.Get("code"))
	if err != nil {
		return req.openIDFailed(http.StatusForbidden, "openid.invalid", err)
	}
	if who.email == "" {
		return req.openIDFailed(http.StatusForbidden, "openid.email", nil)
	}
	s, err := req.signInIdentity(who)
	var refused *tracking.Error
	if errors.As(err, &refused) && statuses[refused.Kind] == http.StatusForbidden {
		return req.renderSignIn(http.StatusForbidden, signInPage{Refused: sentence(refused)})
	}
	if err != nil {
		return err
	}
	return req.begin(s.Account, map[string]string{sessionUser: formOf(s)}, a.next)
}

// openIDFailed shows the form for signing in with a reason. What the provider has answered is
// for the log alone.
func (req *request) openIDFailed(status int, reason string, err error) error {
	if err != nil {
		req.Logger.Warn("dashboard: sign-in with OpenID Connect", "issuer", req.OpenID.Issuer, "error", err)
	}
	return req.renderSignIn(status, signInPage{Refused: req.texts.get(reason, req.OpenID.Name)})
}

// exchange turns a code into the identity of a person. Its e-mail address is empty if it is
// not verified.
func (req *request) exchange(c openIDClient, a attempt, code string) (who identity, err error) {
	token, err := c.Exchange(c.Context, code, oauth2.VerifierOption(a.verifier))
	if err != nil {
		var answered *oauth2.RetrieveError
		if errors.As(err, &answered) { // its text has the whole answer
			err = fmt.Errorf("the token endpoint answers %d: %.60q", answered.Response.StatusCode, answered.ErrorCode)
		}
		return who, err
	}
	raw, _ := token.Extra("id_token").(string)
	verified, err := c.Verifier(&oidc.Config{ClientID: c.ClientID, Now: req.Clock.Now}).Verify(c.Context, raw)
	if err != nil {
		return who, err
	}
	claims := map[string]any{}
	if err := verified.Claims(&claims); err != nil {
		return who, err
	}
	party, _ := claims["azp"].(string)
	switch {
	case !sameToken(verified.Nonce, a.nonce):
		return who, errors.New("the nonce of the ID token is another")
	case len(verified.Audience) > 1 && party != c.ClientID:
		return who, errors.New("the ID token is for another client")
	case verified.Subject == "":
		return who, errors.New("the ID token has no subject")
	}
	if err := req.addUserInfo(c, token, verified.Subject, claims); err != nil {
		return who, err
	}
	return req.OpenID.identityOf(verified.Subject, claims), nil
}

// addUserInfo adds the claims that the provider has outside the ID token, if some are needed.
func (req *request) addUserInfo(c openIDClient, token *oauth2.Token, subject string, claims map[string]any) error {
	if claims["email"] != nil && claimAt(claims, req.OpenID.RolesClaim) != nil || c.UserInfoEndpoint() == "" {
		return nil
	}
	info, err := c.UserInfo(c.Context, oauth2.StaticTokenSource(token))
	if err != nil {
		return err
	}
	if info.Subject != subject {
		return errors.New("the user info is about somebody else")
	}
	more := map[string]any{}
	if err := info.Claims(&more); err != nil {
		return err
	}
	if claims["email"] != nil { // of the signed token, with what it says of it
		delete(more, "email")
		delete(more, "email_verified")
	}
	for name, value := range more {
		if claims[name] == nil {
			claims[name] = value
		}
	}
	return nil
}

// identityOf reads the claims about a person.
func (o OpenID) identityOf(subject string, claims map[string]any) identity {
	who := identity{provider: o.Issuer, subject: subject, roles: texts(claimAt(claims, o.RolesClaim))}
	who.name, _ = claims["name"].(string)
	verified, said := claims["email_verified"]
	if verified == true || verified == "true" || !said && o.TrustEmail {
		who.email, _ = claims["email"].(string)
	}
	return who
}

// claimAt returns a claim, or a member of one; nil if there is none.
func claimAt(claims map[string]any, name string) any {
	if v, ok := claims[name]; ok { // names that are URLs have dots
		return v
	}
	first, rest, nested := strings.Cut(name, ".")
	inner, _ := claims[first].(map[string]any)
	if !nested || inner == nil {
		return nil
	}
	return claimAt(inner, rest)
}

// texts are those of a claim that is a text or a list of texts.
func texts(claim any) (list []string) {
	switch v := claim.(type) {
	case string:
		return []string{v}
	case []any:
		for _, one := range v {
			if s, ok := one.(string); ok {
				list = append(list, s)
			}
		}
	}
	return list
}

// requestOrigin is the scheme and the host of a request, for browsers that reach the server
// itself.
func (c Config) requestOrigin(r *http.Request) string {
	scheme := "http://"
	if c.IsHTTPS(r) {
		scheme = "https://"
	}
	return scheme + r.Host
}
