package dashboard

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/trackingtest"
)

// bench is a dashboard over the memory store, with a browser that keeps cookies.
type bench struct {
	*trackingtest.Bench
	t      *testing.T
	server *httptest.Server
	client *http.Client
}

func newBench(t *testing.T) *bench {
	t.Helper()
	return newBenchOf(t, trackingtest.New(t))
}

func newBenchOf(t *testing.T, of *trackingtest.Bench) *bench {
	t.Helper()
	b := &bench{Bench: of, t: t}
	b.server = httptest.NewServer(New(Config{Tracker: b.Operator, Clock: b.Clock, OpenAPI: readOpenAPI}))
	t.Cleanup(b.server.Close)
	b.newBrowser()
	return b
}

func readOpenAPI() ([]byte, error) { return os.ReadFile("../docs/openapi.json") }

// newBrowser forgets all cookies.
func (b *bench) newBrowser() {
	jar, err := cookiejar.New(nil)
	if err != nil {
		b.t.Fatal(err)
	}
	b.client = &http.Client{Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

type answer struct {
	status int
	header http.Header
	body   string
}

func (b *bench) do(r *http.Request) answer {
	b.t.Helper()
	res, err := b.client.Do(r)
	if err != nil {
		b.t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	return answer{res.StatusCode, res.Header, string(body)}
}

func (b *bench) get(path string) answer {
	b.t.Helper()
	r, err := http.NewRequest("GET", b.server.URL+path, nil)
	if err != nil {
		b.t.Fatal(err)
	}
	return b.do(r)
}

func (b *bench) post(path string, form url.Values, headers ...string) answer {
	b.t.Helper()
	r, err := http.NewRequest("POST", b.server.URL+path, strings.NewReader(form.Encode()))
	if err != nil {
		b.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	return b.do(r)
}

var tokenField = regexp.MustCompile(`name="csrf" value="([^"]+)"`)

// token returns the token of the forms of a page.
func (b *bench) token(path string) string {
	b.t.Helper()
	m := tokenField.FindStringSubmatch(b.get(path).body)
	if m == nil {
		b.t.Fatalf("%s has no form with a token", path)
	}
	return m[1]
}

// signIn signs in with a new key of the account "test" that has some permissions.
func (b *bench) signIn(permissions ...tracking.Permission) *tracking.APIKey {
	b.t.Helper()
	return b.signInTo(b.Account.Scope(), permissions...)
}

func (b *bench) signInTo(account tracking.AccountID, permissions ...tracking.Permission) *tracking.APIKey {
	b.t.Helper()
	secret, key, err := b.Operator.CreateKey(b.t.Context(), tracking.NewKey{Account: account, Permissions: permissions})
	if err != nil {
		b.t.Fatal(err)
	}
	b.newBrowser()
	if a := b.post("/sign-in", url.Values{"csrf": {b.token("/sign-in")}, "key": {secret}}); a.status != 303 || a.header.Get("Location") != "/" {
		b.t.Fatalf("signing in: %d, Location %q", a.status, a.header.Get("Location"))
	}
	return key
}

// filled returns a path with an ID for the variable of its pattern.
func filled(pattern string, id tracking.ID) (method, path string) {
	method, path, _ = strings.Cut(pattern, " ")
	path = strings.NewReplacer("{$}", "", "{id}", id.String(), "{slug}", "po", "{page}", "1", "{sheet}", "none", "{bulk}", "none").Replace(path)
	return method, path
}

// TestPrefix: below a prefix, the first page is at the prefix with a slash.
func TestPrefix(t *testing.T) {
	b := trackingtest.New(t)
	h := New(Config{Tracker: b.Operator, Prefix: "/dashboard"})
	for path, want := range map[string]int{"/dashboard/": 303, "/dashboard/sign-in": 200, "/dashboard/shipments/": 404, "/dashboard//": 404, "/": 404} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		if w.Code != want {
			t.Errorf("%s: %d, not %d", path, w.Code, want)
		}
	}
}

// TestBusy: what the server cannot do now is no internal error.
func TestBusy(t *testing.T) {
	req := &request{handler: &handler{}}
	for _, err := range []error{fmt.Errorf("%w: too many at once", tracking.ErrUnavailable), tracking.ErrClosed, context.DeadlineExceeded} {
		if page, logged := req.asPageError(err); page.status != http.StatusServiceUnavailable || logged {
			t.Errorf("%v: %d, logged %v", err, page.status, logged)
		}
	}
}

// TestBrowserGone: a request that its browser has given up is no internal error.
func TestBrowserGone(t *testing.T) {
	var log bytes.Buffer
	h := newHandler(Config{Tracker: trackingtest.New(t).Operator, Logger: slog.New(slog.NewTextHandler(&log, nil))})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, r := range []*http.Request{httptest.NewRequest("GET", "/", nil).WithContext(ctx), httptest.NewRequest("GET", "/", nil)} {
		log.Reset()
		gone := r.Context().Err() != nil
		h.serve(route{public: true, serve: func(*request) error { return context.Canceled }}).ServeHTTP(httptest.NewRecorder(), r)
		if logged := strings.Contains(log.String(), "level=ERROR"); logged == gone {
			t.Errorf("gone %v, logged %v: %s", gone, logged, log.String())
		}
	}
}

// TestSignedOut: without a session every route but that for signing in leads there.
func TestSignedOut(t *testing.T) {
	b := newBench(t)
	for _, rt := range routes() {
		if rt.public {
			continue
		}
		method, path := filled(rt.pattern, uuid.New())
		var a answer
		if method == "POST" {
			a = b.post(path, url.Values{})
		} else {
			a = b.get(path)
		}
		if to := a.header.Get("Location"); a.status != 303 || !strings.HasPrefix(to, "/sign-in") {
			t.Errorf("%s: %d, Location %q", rt.pattern, a.status, to)
		}
	}
}

// TestPermissions: a key without permissions sees no page, and changes nothing.
func TestPermissions(t *testing.T) {
	b := newBench(t)
	secret, _, err := b.Operator.CreateKey(t.Context(), tracking.NewKey{Account: b.Account.Scope(), Permissions: []tracking.Permission{}})
	if err != nil {
		t.Fatal(err)
	}
	b.newBrowser()
	b.post("/sign-in", url.Values{"csrf": {b.token("/sign-in")}, "key": {secret}})
	page := b.get("/")
	if page.status != 403 || !strings.Contains(page.body, "show") {
		t.Fatalf("Today: %d %s", page.status, page.body)
	}
	token := tokenField.FindStringSubmatch(page.body)[1]
	for _, rt := range routes() {
		if rt.permission == "" {
			continue
		}
		method, path := filled(rt.pattern, uuid.New())
		var a answer
		if method == "POST" {
			a = b.post(path, url.Values{"csrf": {token}})
		} else {
			a = b.get(path)
		}
		if a.status != 403 {
			t.Errorf("%s: %d", rt.pattern, a.status)
		}
	}
}

// TestForgery: a form without the token of its session is refused, and one from another origin.
func TestForgery(t *testing.T) {
	b := newBench(t)
	b.signIn()
	token := b.token("/")
	for _, rt := range routes() {
		method, path := filled(rt.pattern, uuid.New())
		if method != "POST" {
			continue
		}
		for _, form := range []url.Values{{}, {"csrf": {""}}, {"csrf": {"guess"}}} {
			if a := b.post(path, form); a.status != 403 {
				t.Errorf("%s with %v: %d", rt.pattern, form, a.status)
			}
		}
		if a := b.post(path, url.Values{"csrf": {token}}, "Origin", "https://elsewhere.example"); a.status != 403 {
			t.Errorf("%s from another origin: %d", rt.pattern, a.status)
		}
	}
}

// TestSessionEndsWithKey: a revoked key ends its sessions with their next request.
func TestSessionEndsWithKey(t *testing.T) {
	b := newBench(t)
	key := b.signIn()
	if a := b.get("/"); a.status != 200 {
		t.Fatalf("Today: %d", a.status)
	}
	if err := b.Operator.RevokeKey(t.Context(), key.ID); err != nil {
		t.Fatal(err)
	}
	if a := b.get("/"); a.status != 303 || a.header.Get("Location") != "/sign-in" {
		t.Errorf("after the key was revoked: %d", a.status)
	}
}

func TestSignInRefusals(t *testing.T) {
	b := newBench(t)
	token := b.token("/sign-in")
	for range maxFailures {
		if a := b.post("/sign-in", url.Values{"csrf": {token}, "key": {"lf_wrong"}}); a.status != 422 || !strings.Contains(a.body, "not valid") {
			t.Fatalf("a wrong key: %d", a.status)
		}
		token = b.token("/sign-in")
	}
	secret, _, err := b.Operator.CreateKey(t.Context(), tracking.NewKey{Account: b.Account.Scope()})
	if err != nil {
		t.Fatal(err)
	}
	if a := b.post("/sign-in", url.Values{"csrf": {token}, "key": {secret}}); a.status != 429 {
		t.Errorf("after %d failures: %d", maxFailures, a.status)
	}
	b.Clock.Advance(failureWindow)
	if a := b.post("/sign-in", url.Values{"csrf": {b.token("/sign-in")}, "key": {secret}}); a.status != 303 {
		t.Errorf("a minute later: %d", a.status)
	}
	if a := b.post("/sign-out", url.Values{"csrf": {b.token("/")}}); a.status != 303 {
		t.Errorf("signing out: %d", a.status)
	}
	if a := b.get("/"); a.status != 303 {
		t.Errorf("after signing out: %d", a.status)
	}
}

// TestNext: after signing in, the page that was asked for is shown, and never another host.
func TestNext(t *testing.T) {
	b := newBench(t)
	secret, _, err := b.Operator.CreateKey(t.Context(), tracking.NewKey{Account: b.Account.Scope()})
	if err != nil {
		t.Fatal(err)
	}
	for next, want := range map[string]string{
		"/shipments?q=M": "/shipments?q=M", "": "/", "//elsewhere.example/": "/", "https://elsewhere.example/": "/",
		`/\elsewhere.example`: "/", "javascript:alert(1)": "/", "/a\r\nSet-Cookie: x=1": "/",
	} {
		b.newBrowser()
		a := b.post("/sign-in", url.Values{"csrf": {b.token("/sign-in")}, "key": {secret}, "next": {next}})
		if got := a.header.Get("Location"); a.status != 303 || got != want {
			t.Errorf("next %q leads to %q, want %q", next, got, want)
		}
	}
}

func TestHeaders(t *testing.T) {
	b := newBench(t)
	b.signIn()
	for _, path := range []string{"/", "/sign-in", "/nothing", "/shipments.csv"} {
		a := b.get(path)
		for name, want := range map[string]string{
			"Content-Security-Policy": contentPolicy, "X-Content-Type-Options": "nosniff", "Referrer-Policy": "same-origin", "Cache-Control": "no-store",
		} {
			if got := a.header.Get(name); got != want {
				t.Errorf("%s: %s is %q", path, name, got)
			}
		}
	}
	for _, path := range []string{"//elsewhere.example/", "/static/../x", "/shipments/"} {
		if a := b.get(path); a.status != 404 {
			t.Errorf("%s: %d", path, a.status)
		}
	}
	if a := b.post("/shipments", url.Values{}); a.status != 405 || a.header.Get("Allow") != "GET" {
		t.Errorf("POST /shipments: %d, Allow %q", a.status, a.header.Get("Allow"))
	}
}

// TestCookies: a session over HTTPS is not sent over HTTP, and no script reads it.
func TestCookies(t *testing.T) {
	b := newBench(t)
	for secure, name := range map[bool]string{false: "landfall=", true: "__Host-landfall="} {
		b.server.Config.Handler = New(Config{Tracker: b.Operator, Clock: b.Clock, IsHTTPS: func(*http.Request) bool { return secure }})
		secret, _, err := b.Operator.CreateKey(t.Context(), tracking.NewKey{Account: b.Account.Scope()})
		if err != nil {
			t.Fatal(err)
		}
		b.newBrowser()
		form := b.get("/sign-in")
		r, _ := http.NewRequest("POST", b.server.URL+"/sign-in", strings.NewReader(url.Values{"csrf": {tokenField.FindStringSubmatch(form.body)[1]}, "key": {secret}}.Encode()))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		cookie, _, _ := strings.Cut(form.header.Get("Set-Cookie"), ";")
		r.Header.Set("Cookie", cookie)
		found := false
		for _, line := range b.do(r).header.Values("Set-Cookie") {
			if strings.HasPrefix(line, name) {
				found = true
				if !strings.Contains(line, "HttpOnly") || !strings.Contains(line, "SameSite=Lax") || strings.Contains(line, "Secure") != secure {
					t.Errorf("HTTPS %t: %s", secure, line)
				}
			}
		}
		if !found {
			t.Errorf("HTTPS %t: there is no cookie %s", secure, name)
		}
	}
}

// TestStatic: static files have a checksum in their address, and are compressed once.
func TestStatic(t *testing.T) {
	b := newBench(t)
	for plain, name := range readAssets().names {
		r, _ := http.NewRequest("GET", b.server.URL+"/static/"+name, nil)
		r.Header.Set("Accept-Encoding", "gzip")
		a := b.do(r)
		if a.status != 200 || a.header.Get("Content-Encoding") != "gzip" || !strings.Contains(a.header.Get("Cache-Control"), "immutable") {
			t.Errorf("%s: %d %v", name, a.status, a.header)
		}
		if a := b.get("/static/" + plain); a.status != 404 {
			t.Errorf("%s without its checksum: %d", plain, a.status)
		}
	}
}

// sourceFiles are the texts of the templates and of the code.
func sourceFiles(t *testing.T) (list []string) {
	t.Helper()
	for _, pattern := range []string{"templates/*.html", "*.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, string(data))
		}
	}
	return list
}
