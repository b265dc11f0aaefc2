package dashboard

import (
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/alexedwards/scs/v2"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/password"
	"github.com/landfallhq/tracking/trackingtest"
)

const goodPassword = "three small boats"

// userBench is a bench with a user of the account "test".
func userBench(t *testing.T, permissions ...tracking.Permission) (*bench, *tracking.User) {
	t.Helper()
	hasher, err := password.New(password.Config{Memory: 8, Passes: 1})
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{Bench: trackingtest.New(t, func(c *tracking.Config) { c.Passwords = hasher }), t: t}
	b.serve()
	user, err := b.Users().Create(t.Context(), tracking.NewUser{Name: "Kim", Email: "kim@example.com", Permissions: permissions, Password: goodPassword})
	if err != nil {
		t.Fatal(err)
	}
	return b, user
}

// serve starts another server over the same store; the browser keeps its cookies, whose host
// has no port.
func (b *bench) serve() {
	b.server = httptest.NewServer(New(Config{Tracker: b.Operator, Clock: b.Clock}))
	b.t.Cleanup(b.server.Close)
	if b.client == nil {
		b.newBrowser()
	}
}

func (b *bench) signInUser(email, password string) answer {
	b.t.Helper()
	return b.post("/sign-in", url.Values{"csrf": {b.token("/sign-in")}, "email": {email}, "password": {password}})
}

func TestSignInUser(t *testing.T) {
	b, user := userBench(t, tracking.Show)
	for _, row := range [][2]string{
		{"kim@example.com", "a wrong guess"}, {"nobody@example.com", goodPassword}, {"", ""},
		{"kim@example.com", strings.Repeat("x", maxSecret)}, {`"><script>alert(1)</script>@example.com`, goodPassword},
	} {
		a := b.signInUser(row[0], row[1])
		if a.status != 422 || !strings.Contains(a.body, "password is wrong") || strings.Contains(a.body, "<script>alert") || strings.Contains(a.body, "wrong guess") {
			t.Errorf("%q: %d %s", row, a.status, a.body)
		}
		if a := b.get("/"); a.status != 303 {
			t.Fatalf("%q: %d", row, a.status)
		}
	}
	if a := b.signInUser("Kim@example.com", goodPassword); a.status != 303 || a.header.Get("Location") != "/" {
		t.Fatalf("%d %s", a.status, a.body)
	}
	if a := b.get("/"); a.status != 200 {
		t.Errorf("Today: %d", a.status)
	}
	b.serve() // the server has started again
	if a := b.get("/"); a.status != 200 {
		t.Errorf("after a restart: %d", a.status)
	}
	if _, err := b.Users().Update(t.Context(), user.ID, tracking.UserUpdate{Permissions: tracking.Set([]tracking.Permission{tracking.Delete})}); err != nil {
		t.Fatal(err)
	}
	if a := b.get("/"); a.status != 403 {
		t.Errorf("without the permission: %d", a.status)
	}
	if a := b.post("/sign-out", url.Values{"csrf": {tokenField.FindStringSubmatch(b.get("/").body)[1]}}); a.status != 303 {
		t.Errorf("signing out: %d", a.status)
	}
	if a := b.get("/"); a.status != 303 {
		t.Errorf("after signing out: %d", a.status)
	}
	events, _, err := b.AuditEvents(t.Context(), tracking.AuditEventQuery{Resources: []tracking.ID{user.ID}}, tracking.Page{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range events {
		got = append(got, e.Operation)
		if e.Operation != "user.create" && e.Operation != "user.update" && e.ClientAddress != "127.0.0.1" {
			t.Errorf("%s from %q", e.Operation, e.ClientAddress)
		}
	}
	if want := "user.sign_out user.update user.sign_in user.sign_in_failed user.create"; strings.Join(got, " ") != want {
		t.Errorf("audit log: %s", got)
	}
}

// TestSessionEndsWithUser: what changes a user ends the sessions with their next request.
func TestSessionEndsWithUser(t *testing.T) {
	for name, end := range map[string]func(b *bench, id tracking.ID) error{
		"password": func(b *bench, id tracking.ID) error {
			return b.Users().SetPassword(b.t.Context(), id, "another password")
		},
		"disabled": func(b *bench, id tracking.ID) error {
			_, err := b.Users().Update(b.t.Context(), id, tracking.UserUpdate{Disabled: tracking.Set(true)})
			return err
		},
		"deleted": func(b *bench, id tracking.ID) error { return b.Users().Delete(b.t.Context(), id) },
	} {
		b, user := userBench(t, tracking.Show)
		b.signInUser(user.Email, goodPassword)
		if a := b.get("/"); a.status != 200 {
			t.Fatalf("%s: Today: %d", name, a.status)
		}
		if err := end(b, user.ID); err != nil {
			t.Fatal(err)
		}
		if a := b.get("/"); a.status != 303 {
			t.Errorf("%s: %d", name, a.status)
		}
	}
}

func TestSignInLimited(t *testing.T) {
	b, user := userBench(t, tracking.Show)
	for range 20 {
		b.signInUser(user.Email, "a wrong guess")
	}
	if a := b.signInUser(user.Email, goodPassword); a.status != 429 || !strings.Contains(a.body, "too many attempts") {
		t.Errorf("%d %s", a.status, a.body)
	}
	b.Clock.Advance(16 * time.Minute)
	if a := b.signInUser(user.Email, goodPassword); a.status != 303 {
		t.Errorf("later: %d", a.status)
	}
}

// TestLinkPage: a link is shown without being used, refuses bad input, and works once.
func TestLinkPage(t *testing.T) {
	b, _ := userBench(t, tracking.Show)
	invited, err := b.Users().Create(t.Context(), tracking.NewUser{Permissions: []tracking.Permission{tracking.Show}})
	if err != nil {
		t.Fatal(err)
	}
	token, _, err := b.Users().NewLink(t.Context(), invited.ID)
	if err != nil {
		t.Fatal(err)
	}
	at := "/sign-in/link?token=" + token
	send := func(change func(url.Values)) answer {
		t.Helper()
		form := url.Values{"csrf": {b.token(at)}, "token": {token}, "name": {"Lee"}, "email": {"lee@example.com"}, "password": {goodPassword}, "repeated": {goodPassword}}
		change(form)
		return b.post("/sign-in/link", form)
	}
	for want, change := range map[string]func(url.Values){
		"not the same":      func(f url.Values) { f.Set("repeated", "x") },
		"shorter than 12":   func(f url.Values) { f.Set("password", "short"); f.Set("repeated", "short") },
		"Password can":      func(f url.Values) { f.Del("password"); f.Del("repeated") },
		"exists already":    func(f url.Values) { f.Set("email", "KIM@example.com") },
		"is not an address": func(f url.Values) { f.Set("email", `"><script>alert(1)</script>`) },
		"contains control":  func(f url.Values) { f.Set("name", "\a<script>alert(1)</script>") },
		"longer than 255":   func(f url.Values) { f.Set("name", strings.Repeat("e", 256)) },
	} {
		if a := send(change); a.status != 422 || !strings.Contains(a.body, want) || strings.Contains(a.body, "<script>alert") || strings.Contains(a.body, goodPassword) {
			t.Errorf("%s: %d %s", want, a.status, a.body)
		}
	}
	if a := send(func(f url.Values) { f.Set("csrf", "guess") }); a.status != 403 {
		t.Errorf("a forged form: %d", a.status)
	}
	if a := send(func(url.Values) {}); a.status != 303 {
		t.Fatalf("%d %s", a.status, a.body)
	}
	if a := b.get("/"); a.status != 200 {
		t.Errorf("Today: %d", a.status)
	}
	for _, used := range []string{at, "/sign-in/link", "/sign-in/link?token=x", "/sign-in/link?token=" + strings.Repeat("x", 2*maxSecret)} {
		if a := b.get(used); a.status != 404 || !strings.Contains(a.body, "used before") {
			t.Errorf("%.40s: %d", used, a.status)
		}
	}
	b.newBrowser()
	if a := b.signInUser("lee@example.com", goodPassword); a.status != 303 {
		t.Errorf("with the password: %d", a.status)
	}
}

// TestSignOutStays: a request that is still running when its session ends does not bring it
// back.
func TestSignOutStays(t *testing.T) {
	b := newBench(t)
	store, ctx, later := sessionStore{b.Operator.Sessions()}, withFoundSession(t.Context()), b.Clock.Now().Add(time.Hour)
	data, err := scs.GobCodec{}.Encode(later, map[string]any{sessionFlash: "done"})
	if err != nil {
		t.Fatal(err)
	}
	if err := store.CommitCtx(ctx, "token", data, later); err != nil {
		t.Fatal(err)
	}
	if _, found, err := store.FindCtx(ctx, "token"); !found || err != nil {
		t.Fatalf("%t, %v", found, err)
	}
	if err := store.CommitCtx(ctx, "token", data, later); err != nil {
		t.Fatal(err)
	}
	if _, found, err := store.FindCtx(ctx, "token"); !found || err != nil {
		t.Errorf("a session that goes on: %t, %v", found, err)
	}
	if err := store.Delete("token"); err != nil {
		t.Fatal(err)
	}
	if err := store.CommitCtx(ctx, "token", data, later); err != nil {
		t.Fatal(err)
	}
	if _, found, err := store.Find("token"); found || err != nil {
		t.Errorf("after signing out: %t, %v", found, err)
	}
}
