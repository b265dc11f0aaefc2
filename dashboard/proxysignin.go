package dashboard

import (
	"errors"
	"net/http"
	"net/netip"
	"strings"

	"github.com/landfallhq/tracking/internal/netblock"
)

// ProxySignIn is a proxy in front of the dashboard that identifies people and names them in
// headers. It must remove these headers from the requests of browsers.
type ProxySignIn struct {
	// Networks of the proxy. The headers of other connections do not count.
	Networks []netip.Prefix
	// UserHeader has the e-mail address of the person, such as X-Forwarded-Email.
	UserHeader string
	// RolesHeader has the roles of the person, separated by commas. Empty for none: then
	// people have the role * alone.
	RolesHeader string
}

func (p *ProxySignIn) validate() error {
	switch {
	case p == nil:
		return nil
	case len(p.Networks) == 0:
		return errors.New("dashboard: Config.ProxySignIn.Networks is empty: anybody could send the header")
	case p.UserHeader == "":
		return errors.New("dashboard: Config.ProxySignIn.UserHeader is empty")
	}
	return nil
}

// proxyProvider is the provider of people whom a proxy has identified.
const proxyProvider = "proxy"

// identityOf returns whom the proxy has identified; ok is false for nobody. A header that is
// there twice names nobody: one of them may be the browser's.
func (p *ProxySignIn) identityOf(r *http.Request) (who identity, ok bool) {
	if p == nil || !netblock.Contain(p.Networks, connectionAddress(r)) {
		return who, false
	}
	users, roles := r.Header.Values(p.UserHeader), r.Header.Values(p.RolesHeader)
	if len(users) != 1 || len(roles) > 1 || strings.TrimSpace(users[0]) == "" {
		return who, false
	}
	who.email = strings.ToLower(strings.TrimSpace(users[0]))
	who.provider, who.subject = proxyProvider, who.email
	for role := range strings.SplitSeq(strings.Join(roles, ""), ",") {
		who.roles = append(who.roles, strings.TrimSpace(role))
	}
	return who, true
}

// sessionForm is what a session keeps of the person whom the proxy identified: another person,
// or other roles, is another session.
func (who identity) sessionForm() string {
	return strings.Join(append([]string{who.email}, who.roles...), "\n")
}

// identifyByProxy starts the session of the person whom the proxy has identified, and ends
// that of another one.
func (req *request) identifyByProxy(rt route) error {
	ctx := req.r.Context()
	who, ok := req.ProxySignIn.identityOf(req.r)
	held := req.sessions.GetString(ctx, sessionProxy)
	if held != "" && (!ok || held != who.sessionForm()) {
		if err := req.sessions.Destroy(ctx); err != nil {
			return err
		}
	}
	if !ok || rt.public || req.hasSession() { // somebody who has signed in with a key stays
		return nil
	}
	s, err := req.signInIdentity(who)
	if err != nil {
		return err
	}
	return req.startSession(s.Account, map[string]string{sessionUser: formOf(s), sessionProxy: who.sessionForm()})
}

// hasSession reports whether somebody has signed in.
func (req *request) hasSession() bool {
	ctx := req.r.Context()
	return req.sessions.GetString(ctx, sessionUser) != "" || req.sessions.GetString(ctx, sessionKey) != ""
}
