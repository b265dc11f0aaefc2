package dashboard

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/coreos/go-oidc/v3/oidc/oidctest"
	"golang.org/x/oauth2"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/trackingtest"
)

// issuer is an identity provider in the process.
type issuer struct {
	t   *testing.T
	key *rsa.PrivateKey
	*httptest.Server
	bench *bench
	// change changes the claims of the next ID token, and info is the user info.
	change func(claims map[string]any)
	info   map[string]any
	signer crypto.Signer
	codes  map[string]url.Values // requests of codes that were not redeemed
	tokens int
}

func newIssuer(t *testing.T) *issuer {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	i := &issuer{t: t, key: key, signer: key, codes: map[string]url.Values{}}
	described := &oidctest.Server{PublicKeys: []oidctest.PublicKey{{PublicKey: key.Public(), KeyID: "one", Algorithm: "RS256"}}}
	mux := http.NewServeMux()
	mux.Handle("/", described)
	mux.HandleFunc("POST /token", i.token)
	mux.HandleFunc("GET /userinfo", func(w http.ResponseWriter, _ *http.Request) { writeJSON(w, i.info) })
	mux.HandleFunc("GET /.well-known/openid-configuration", func(w http.ResponseWriter, _ *http.Request) {
		writeJSON(w, map[string]any{
			"issuer": i.URL, "authorization_endpoint": i.URL + "/auth", "token_endpoint": i.URL + "/token", "userinfo_endpoint": i.URL + "/userinfo",
			"jwks_uri": i.URL + "/keys", "id_token_signing_alg_values_supported": []string{"RS256"},
		})
	})
	i.Server = httptest.NewServer(mux)
	t.Cleanup(i.Close)
	described.SetIssuer(i.URL)
	return i
}

func writeJSON(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v)
}

// token redeems a code, once, with the verifier whose challenge was sent.
func (i *issuer) token(w http.ResponseWriter, r *http.Request) {
	code := r.PostFormValue("code")
	asked, ok := i.codes[code]
	delete(i.codes, code)
	id, secret, _ := r.BasicAuth()
	if !ok || id != "landfall" || secret != "s3cret" || oauth2.S256ChallengeFromVerifier(r.PostFormValue("code_verifier")) != asked.Get("code_challenge") ||
		r.PostFormValue("redirect_uri") != asked.Get("redirect_uri") {
		w.WriteHeader(http.StatusBadRequest)
		writeJSON(w, map[string]string{"error": "invalid_grant"})
		return
	}
	now := i.bench.Clock.Now()
	claims := map[string]any{
		"iss": i.URL, "sub": "1234", "aud": "landfall", "iat": now.Unix(), "exp": now.Add(time.Hour).Unix(), "nonce": asked.Get("nonce"),
		"email": "Lee@example.com", "email_verified": true, "name": "Lee", "groups": []string{"clerks", "others"},
	}
	if i.change != nil {
		i.change(claims)
	}
	text, err := json.Marshal(claims)
	if err != nil {
		i.t.Error(err)
	}
	i.tokens++
	writeJSON(w, map[string]any{"access_token": "access", "token_type": "Bearer", "id_token": oidctest.SignIDToken(i.signer.(*rsa.PrivateKey), "one", "RS256", string(text))})
}

// federation has the roles of the tests.
var federation = Federation{CreateUsers: true, Roles: []Role{
	{Name: "clerks", Account: "test", Permissions: []tracking.Permission{tracking.Show, tracking.Update}},
	{Name: "viewers", Account: "test", Permissions: []tracking.Permission{tracking.Show}},
	{Name: "elsewhere", Account: "other", Permissions: []tracking.Permission{tracking.Show}},
	{Name: "admins", Account: "test", Permissions: []tracking.Permission{tracking.Admin}},
}}

// openIDBench is a bench whose users come from an identity provider.
func openIDBench(t *testing.T, change ...func(*Config)) (*bench, *issuer) {
	t.Helper()
	b, i := &bench{Bench: trackingtest.New(t), t: t}, newIssuer(t)
	i.bench = b
	if _, _, err := b.Operator.EnsureAccount(t.Context(), "other"); err != nil {
		t.Fatal(err)
	}
	c := Config{Tracker: b.Operator, Clock: b.Clock, Federation: federation, OpenID: &OpenID{Issuer: i.URL, ClientID: "landfall", ClientSecret: "s3cret", Name: "Example"}}
	for _, f := range change {
		f(&c)
	}
	b.server = httptest.NewServer(New(c))
	t.Cleanup(b.server.Close)
	b.newBrowser()
	return b, i
}

// authorize goes to the provider, and returns the path that it sends the browser back to.
func (b *bench) authorize(i *issuer, next string) string {
	b.t.Helper()
	a := b.get("/sign-in/openid?" + url.Values{"next": {next}}.Encode())
	to, err := url.Parse(a.header.Get("Location"))
	if err != nil || a.status != 303 || !strings.HasPrefix(to.String(), i.URL+"/auth?") {
		b.t.Fatalf("%d, Location %q", a.status, a.header.Get("Location"))
	}
	asked := to.Query()
	if asked.Get("code_challenge_method") != "S256" || asked.Get("redirect_uri") != b.server.URL+"/sign-in/openid/callback" || asked.Get("nonce") == "" {
		b.t.Fatalf("asked for %v", asked)
	}
	code := newToken()
	i.codes[code] = asked
	return "/sign-in/openid/callback?" + url.Values{"code": {code}, "state": {asked.Get("state")}}.Encode()
}

func (b *bench) operations() string {
	b.t.Helper()
	events, _, err := b.AuditEvents(b.t.Context(), tracking.AuditEventQuery{}, tracking.Page{})
	if err != nil {
		b.t.Fatal(err)
	}
	var list []string
	for _, e := range events {
		if e.ResourceType == "user" {
			list = append(list, e.Operation+":"+strings.Join(e.Changed, ","))
		}
	}
	return strings.Join(list, " ")
}

func TestOpenID(t *testing.T) {
	b, i := openIDBench(t)
	if a := b.get("/sign-in?next=/shipments"); !strings.Contains(a.body, `href="/sign-in/openid?next=%2Fshipments"`) || !strings.Contains(a.body, "Sign in with Example") {
		t.Errorf("the form has no link: %s", a.body)
	}
	callback := b.authorize(i, "/shipments?q=M")
	if a := b.get(callback); a.status != 303 || a.header.Get("Location") != "/shipments?q=M" {
		t.Fatalf("%d, Location %q %s", a.status, a.header.Get("Location"), a.body)
	}
	if a := b.get("/"); a.status != 200 {
		t.Errorf("Today: %d", a.status)
	}
	user, err := b.Users().ByEmail(t.Context(), "lee@example.com")
	if err != nil || user.Name != "Lee" || len(user.Permissions) != 2 {
		t.Fatalf("%+v, %v", user, err)
	}
	if got, want := b.operations(), "user.sign_in:permissions user.create:"; got != want {
		t.Errorf("audit log: %s", got)
	}
	if a := b.get(callback); a.status != 403 { // the browser no longer has the attempt
		t.Errorf("the same answer again: %d", a.status)
	}
	// The permissions follow the roles, with each sign-in.
	i.change = func(c map[string]any) { c["groups"] = "viewers" }
	if a := b.get(b.authorize(i, "")); a.status != 303 {
		t.Fatalf("again: %d", a.status)
	}
	if user, err = b.Users().ByEmail(t.Context(), "lee@example.com"); err != nil || len(user.Permissions) != 1 {
		t.Errorf("%+v, %v", user, err)
	}
}

// TestOpenIDRefuses: nobody signs in by an answer that is not exactly the one of the provider.
func TestOpenIDRefuses(t *testing.T) {
	other, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	b, i := openIDBench(t)
	reset := func() { i.change, i.signer, i.info = nil, i.key, map[string]any{"sub": "1234"} }
	claim := func(name string, value any) func() {
		return func() { i.change = func(c map[string]any) { c[name] = value } }
	}
	for name, row := range map[string]struct {
		prepare  func()
		callback func(string) string
		want     string
	}{
		"nonce":        {prepare: claim("nonce", "guess"), want: "not valid"},
		"no nonce":     {prepare: claim("nonce", ""), want: "not valid"},
		"audience":     {prepare: claim("aud", "another"), want: "not valid"},
		"audiences":    {prepare: claim("aud", []string{"landfall", "another"}), want: "not valid"},
		"issuer":       {prepare: claim("iss", "https://elsewhere.example"), want: "not valid"},
		"expired":      {prepare: claim("exp", b.Clock.Now().Add(-time.Minute).Unix()), want: "not valid"},
		"no subject":   {prepare: claim("sub", ""), want: "not valid"},
		"signature":    {prepare: func() { i.signer = other }, want: "not valid"},
		"unverified":   {prepare: claim("email_verified", false), want: "no verified"},
		"unsaid":       {prepare: claim("email_verified", nil), want: "no verified"},
		"no role":      {prepare: claim("groups", []string{"others", "Clerks"}), want: "None of the roles"},
		"role of text": {prepare: claim("groups", map[string]any{"clerks": true}), want: "None of the roles"},
		"user info": {prepare: func() {
			i.change, i.info = func(c map[string]any) { delete(c, "groups") }, map[string]any{"sub": "5678", "groups": []string{"clerks"}}
		}, want: "not valid"},
		"info's address": {prepare: func() {
			i.change = func(c map[string]any) { delete(c, "groups"); delete(c, "email_verified") }
			i.info = map[string]any{"sub": "1234", "groups": []string{"clerks"}, "email": "root@example.com", "email_verified": true}
		}, want: "no verified"},
		"state":       {callback: func(s string) string { return strings.Replace(s, "state=", "state=x", 1) }, want: "begun in another browser"},
		"no state":    {callback: func(s string) string { s, _, _ = strings.Cut(s, "&state"); return s }, want: "begun in another browser"},
		"code":        {callback: func(s string) string { return strings.Replace(s, "code=", "code=x", 1) }, want: "not valid"},
		"no code":     {callback: func(s string) string { return strings.Replace(s, "code=", "kode=", 1) }, want: "not valid"},
		"denied":      {callback: func(s string) string { return s + "&error=access_denied&error_description=<script>alert(1)</script>" }, want: "has not signed you in"},
		"another one": {callback: func(s string) string { b.newBrowser(); return s }, want: "begun in another browser"},
	} {
		reset()
		b.newBrowser()
		b.Clock.Advance(time.Minute)
		at := b.authorize(i, "")
		if row.callback != nil {
			at = row.callback(at)
		}
		if row.prepare != nil {
			row.prepare()
		}
		if a := b.get(at); a.status != 403 || !strings.Contains(a.body, row.want) || strings.Contains(a.body, "<script>alert") {
			t.Errorf("%s: %d %s", name, a.status, a.body)
		}
		if a := b.get("/"); a.status != 303 {
			t.Errorf("%s: signed in", name)
		}
	}
	if _, total, err := b.Users().List(t.Context(), tracking.Page{}); err != nil || total != 0 {
		t.Errorf("%d users, %v", total, err)
	}
	reset()
	if a := b.get(b.authorize(i, "//elsewhere.example")); a.header.Get("Location") != "/" { // else all that is above shows nothing
		t.Errorf("%d %s", a.status, a.body)
	}
}

// TestOpenIDReplay: a code is redeemed once, also where the browser has kept its attempt.
func TestOpenIDReplay(t *testing.T) {
	b, i := openIDBench(t)
	at := b.authorize(i, "")
	u, _ := url.Parse(b.server.URL)
	kept := b.client.Jar.Cookies(u)
	if a := b.get(at); a.status != 303 {
		t.Fatalf("%d %s", a.status, a.body)
	}
	b.newBrowser()
	b.client.Jar.SetCookies(u, kept)
	if a := b.get(at); a.status != 403 || !strings.Contains(a.body, "not valid") {
		t.Errorf("%d %s", a.status, a.body)
	}
}

func TestOpenIDUsers(t *testing.T) {
	b, i := openIDBench(t)
	want := func(name string, status int, text string) {
		t.Helper()
		b.newBrowser()
		b.Clock.Advance(time.Minute)
		if a := b.get(b.authorize(i, "")); a.status != status || !strings.Contains(a.body, text) {
			t.Errorf("%s: %d %s", name, a.status, a.body)
		}
	}
	want("first", 303, "")
	i.change = func(c map[string]any) { c["sub"] = "5678" }
	want("somebody else with the address", 403, "belonged to somebody else")
	i.change = func(c map[string]any) { c["groups"] = []string{"elsewhere"} }
	want("roles of another account", 403, "another account")
	i.change = func(c map[string]any) { delete(c, "groups") }
	i.info = map[string]any{"sub": "1234", "groups": []string{"admins", "elsewhere", "viewers"}}
	want("roles in the user info", 303, "")
	user, err := b.Users().ByEmail(t.Context(), "lee@example.com")
	if err != nil || len(user.Permissions) != 2 {
		t.Fatalf("%+v, %v", user, err)
	}
	if _, err := b.Users().Update(t.Context(), user.ID, tracking.UserUpdate{Disabled: tracking.Set(true)}); err != nil {
		t.Fatal(err)
	}
	want("disabled", 403, "disabled")

	b, i = openIDBench(t, func(c *Config) { c.Federation.CreateUsers = false })
	want("without creating users", 403, "There is no user")
	b, i = openIDBench(t, func(c *Config) { c.OpenID.RolesClaim, c.OpenID.TrustEmail = "realm_access.roles", true })
	i.change = func(c map[string]any) {
		delete(c, "email_verified")
		c["realm_access"] = map[string]any{"roles": []string{"clerks"}}
	}
	want("a claim within another", 303, "")
	i.Close()
	b, _ = openIDBench(t, func(c *Config) { c.OpenID.Issuer = i.URL })
	if a := b.get("/sign-in/openid"); a.status != 503 || !strings.Contains(a.body, "does not answer") {
		t.Errorf("without the provider: %d %s", a.status, a.body)
	}
	asked := 0
	down := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { asked++; w.WriteHeader(http.StatusBadGateway) }))
	t.Cleanup(down.Close)
	b, _ = openIDBench(t, func(c *Config) { c.OpenID.Issuer = down.URL })
	for _, pause := range []time.Duration{0, providerPause / 2, providerPause} {
		b.Clock.Advance(pause)
		b.get("/sign-in/openid")
	}
	if asked != 2 {
		t.Errorf("a provider that fails was asked %d times by three sign-ins, two within the pause", asked)
	}
	if a := newBench(t).get("/sign-in/openid"); a.status != 404 {
		t.Errorf("without OpenID: %d", a.status)
	}
}

func TestOpenIDLimited(t *testing.T) {
	b, i := openIDBench(t)
	for range maxFailures {
		b.get("/sign-in/openid/callback?state=x")
	}
	if a := b.get(b.authorize(i, "")); a.status != 429 {
		t.Errorf("%d", a.status)
	}
	if a := b.post("/sign-in", url.Values{"csrf": {b.token("/sign-in")}, "key": {"lf_wrong"}}); a.status != 422 {
		t.Errorf("by a key: %d", a.status)
	}
}

func TestOpenIDCheck(t *testing.T) {
	i := newIssuer(t)
	o := OpenID{Issuer: i.URL, ClientID: "landfall"}
	if err := o.Check(t.Context()); err != nil {
		t.Error(err)
	}
	for name, change := range map[string]func(*OpenID){
		"http": func(o *OpenID) { o.Issuer = "http://login.example.com" }, "empty": func(o *OpenID) { o.Issuer = "" }, "no client": func(o *OpenID) { o.ClientID = "" },
		"another issuer": func(o *OpenID) { o.Issuer += "/" }, "query": func(o *OpenID) { o.Issuer += "?x=1" }, "scopes": func(o *OpenID) { o.Scopes = []string{"email"} },
	} {
		bad := o
		if change(&bad); bad.Check(t.Context()) == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestProxySignIn(t *testing.T) {
	b := &bench{Bench: trackingtest.New(t), t: t}
	networks := networksOf("127.0.0.1/32")
	serve := func() {
		b.server = httptest.NewServer(New(Config{Tracker: b.Operator, Clock: b.Clock, Federation: federation, ProxySignIn: &ProxySignIn{Networks: networks, UserHeader: "X-User", RolesHeader: "X-Groups"}}))
		t.Cleanup(b.server.Close)
	}
	serve()
	b.newBrowser()
	at := "/shipments"
	get := func(headers ...string) answer {
		t.Helper()
		r, _ := http.NewRequest("GET", b.server.URL+at, nil)
		for i := 0; i < len(headers); i += 2 {
			r.Header.Add(headers[i], headers[i+1])
		}
		return b.do(r)
	}
	for name, row := range map[string]struct {
		status  int
		headers []string
	}{
		"signed in": {200, []string{"X-User", " Lee@example.com", "X-Groups", "others, clerks"}},
		"nobody":    {303, nil}, "empty": {303, []string{"X-User", " "}},
		"twice":      {303, []string{"X-User", "lee@example.com", "X-User", "root@example.com", "X-Groups", "clerks"}},
		"no role":    {403, []string{"X-User", "lee@example.com", "X-Groups", "others"}},
		"no address": {422, []string{"X-User", "<script>alert(1)</script>", "X-Groups", "clerks"}},
	} {
		b.newBrowser()
		if a := get(row.headers...); a.status != row.status || strings.Contains(a.body, "<script>alert") {
			t.Errorf("%s: %d %s", name, a.status, a.body)
		}
	}
	b.newBrowser()
	get("X-User", "lee@example.com", "X-Groups", "clerks")
	if a := get("X-User", "lee@example.com", "X-Groups", "clerks"); a.status != 200 || a.header.Get("Set-Cookie") != "" {
		t.Errorf("the session goes on: %d", a.status)
	}
	if a := get(); a.status != 303 {
		t.Errorf("past the proxy, the session goes on: %d", a.status)
	}
	get("X-User", "lee@example.com", "X-Groups", "clerks")
	if a := get("X-User", "kim@example.com", "X-Groups", "viewers"); a.status != 200 {
		t.Errorf("another person: %d", a.status)
	}
	b.newBrowser()
	for next, want := range map[string]string{"": `href="/"`, "?next=https://elsewhere.example": `href="/"`, "?next=/exceptions": `href="/exceptions"`} {
		at = "/sign-in" + next
		if a := get("X-User", "lee@example.com", "X-Groups", "clerks"); !strings.Contains(a.body, want) || strings.Contains(a.body, `href="https`) {
			t.Errorf("%s does not continue by %s", at, want)
		}
	}
	at = "/shipments"
	if _, err := b.Users().ByEmail(t.Context(), "kim@example.com"); err != nil {
		t.Error(err)
	}
	networks = networksOf("192.0.2.0/24")
	serve()
	b.newBrowser()
	if a := get("X-User", "lee@example.com", "X-Groups", "clerks"); a.status != 303 {
		t.Errorf("from another network: %d", a.status)
	}
}

func networksOf(text string) []netip.Prefix { return []netip.Prefix{netip.MustParsePrefix(text)} }
