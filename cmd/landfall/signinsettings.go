package main

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/dashboard"
)

// signInSettings say who, besides the server itself, identifies the people of the dashboard.
type signInSettings struct {
	openID      dashboard.OpenID
	secretFile  string
	scopes      string
	userHeader  string
	rolesHeader string
	roles       roleList
	create      bool
}

const openIDSecretVariable = "LANDFALL_OIDC_CLIENT_SECRET"

// declare declares the flags.
func (s *signInSettings) declare(f *flags) {
	f.StringVar(&s.openID.Issuer, "oidc-issuer", "", "`URL` of the OpenID Connect provider that people sign in at, such as https://login.example.com")
	f.StringVar(&s.openID.ClientID, "oidc-client-id", "", "`ID` of the server at the provider")
	f.StringVar(&s.secretFile, "oidc-client-secret-file", "", "`FILE` with the secret of the server at the provider; by default "+openIDSecretVariable+" has it")
	f.StringVar(&s.openID.Name, "oidc-name", "", "`NAME` of the provider for people; by default its host")
	f.StringVar(&s.scopes, "oidc-scopes", "openid email profile", "`LIST` of the scopes to ask for, separated by blanks")
	f.StringVar(&s.openID.RolesClaim, "oidc-roles-claim", "groups", "`CLAIM` with the roles of a person, also of a member, as in realm_access.roles")
	f.BoolVar(&s.openID.TrustEmail, "oidc-trust-email", false, "take e-mail addresses as verified if the provider does not say whether they are")
	f.StringVar(&s.userHeader, "user-header", "", "`HEADER` in which a proxy of --trust-proxy names who has signed in there, by e-mail address")
	f.StringVar(&s.rolesHeader, "roles-header", "", "`HEADER` in which the proxy has the roles of the person, separated by commas")
	f.Var(&s.roles, "roles", "`LIST` of what people may do who sign in by --oidc-issuer or --user-header: clerks=show,update; admins=admin@ACCOUNT; the role * is everybody's")
	f.BoolVar(&s.create, "create-users", true, "make users of people with a role who are none yet")
}

// check refuses settings with which nobody could sign in, or anybody.
func (s *signInSettings) check(p *program, proxies networkList) error {
	switch {
	case s.openID.Issuer == "" && (s.openID.ClientID != "" || s.secretFile != ""):
		return usageErrorf("--oidc-issuer is missing: the other --oidc flags need it")
	case s.userHeader != "" && len(proxies) == 0:
		return usageErrorf("--user-header: --trust-proxy is missing: without it anybody could send the header")
	case s.rolesHeader != "" && s.userHeader == "":
		return usageErrorf("--roles-header: --user-header is missing")
	case s.userHeader != "" && s.openID.Issuer != "":
		return usageErrorf("--oidc-issuer and --user-header: choose one, since a user belongs to the person of one of them")
	case (s.openID.Issuer != "" || s.userHeader != "") && len(s.roles) == 0:
		return usageErrorf("--roles is missing: nobody could sign in; write the roles and their permissions, such as --roles 'clerks=show,update; admins=admin'")
	}
	for _, header := range []string{s.userHeader, s.rolesHeader} {
		if strings.ContainsFunc(header, func(r rune) bool { return !strings.ContainsRune(headerCharacters, r) }) {
			return usageErrorf("--user-header, --roles-header: %q is not the name of a header, such as X-Forwarded-Email", header)
		}
	}
	if s.openID.Issuer == "" {
		return nil
	}
	o, err := s.provider(p)
	if err != nil {
		return err
	}
	if err := o.Validate(); err != nil {
		return usageErrorf("--oidc-issuer, --oidc-client-id, --oidc-scopes: %v", err)
	}
	return nil
}

// headerCharacters are those of the names of headers that proxies set.
const headerCharacters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"

// provider returns the OpenID Connect provider, with the secret.
func (s *signInSettings) provider(p *program) (*dashboard.OpenID, error) {
	o := s.openID
	o.Scopes = strings.Fields(s.scopes)
	place := secret{file: s.secretFile}
	if s.secretFile == "" {
		if p.getenv(openIDSecretVariable) == "" { // a public client, which PKCE alone secures
			return &o, nil
		}
		place.env = openIDSecretVariable
	}
	text, err := place.read(p.getenv)
	if err != nil {
		return nil, fmt.Errorf("--oidc-client-secret-file: %w", err)
	}
	o.ClientSecret = text
	return &o, nil
}

// apply adds the settings to those of the dashboard.
func (s *signInSettings) apply(c *dashboard.Config, p *program, proxies proxySettings) error {
	c.Federation = dashboard.Federation{Roles: s.roles, CreateUsers: s.create}
	if s.userHeader != "" {
		c.ProxySignIn = &dashboard.ProxySignIn{Networks: proxies.trusted, UserHeader: http.CanonicalHeaderKey(s.userHeader), RolesHeader: http.CanonicalHeaderKey(s.rolesHeader)}
	}
	if s.openID.Issuer == "" {
		return nil
	}
	var err error
	c.OpenID, err = s.provider(p)
	return err
}

// roleList is a list of roles: clerks=show,update; admins=admin@acme. The last equals
// sign counts: names of groups may have some.
type roleList []dashboard.Role

func (l *roleList) String() string {
	words := make([]string, 0, len(*l))
	for _, r := range *l {
		names := make([]string, 0, len(r.Permissions))
		for _, p := range r.Permissions {
			names = append(names, string(p))
		}
		words = append(words, r.Name+"="+strings.Join(names, ",")+"@"+r.Account)
	}
	return strings.Join(words, "; ")
}

func (l *roleList) Set(s string) error {
	var list roleList
	for word := range strings.SplitSeq(s, ";") {
		if strings.TrimSpace(word) == "" {
			continue
		}
		r, err := parseRole(strings.TrimSpace(word))
		if err != nil {
			return err
		}
		list = append(list, r)
	}
	*l = list
	return nil
}

// parseRole reads NAME=PERMISSIONS or NAME=PERMISSIONS@ACCOUNT.
func parseRole(s string) (r dashboard.Role, err error) {
	at := strings.LastIndexByte(s, '=')
	if at < 1 {
		return r, fmt.Errorf("%q is not a role with its permissions, such as clerks=show,update", s)
	}
	r.Name = strings.TrimSpace(s[:at])
	permissions, account, _ := strings.Cut(s[at+1:], "@")
	r.Account = cmp.Or(strings.TrimSpace(account), defaultAccount)
	known := tracking.Describe().Permissions
	for word := range strings.SplitSeq(permissions, ",") {
		p := tracking.Permission(strings.TrimSpace(word))
		if !slices.Contains(known, p) {
			return r, fmt.Errorf("%q of the role %q is not a permission: show, update, create, delete or admin", p, r.Name)
		}
		r.Permissions = append(r.Permissions, p)
	}
	return r, nil
}
