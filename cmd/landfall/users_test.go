package main

import (
	"regexp"
	"strings"
	"testing"

	"github.com/landfallhq/tracking"
)

// TestUsers: the commands make users who can sign in, and end that; no password is printed.
func TestUsers(t *testing.T) {
	t.Parallel()
	db := newDB(t)
	const first, second = "three small boats", "four large ships"
	users := func(stdin string, args ...string) result {
		t.Helper()
		return runWith(t, stdin, nil, append([]string{"users", args[0], "--account", "acme", "--db", db}, args[1:]...)...)
	}
	ok := func(r result) string {
		t.Helper()
		if r.code != 0 || strings.Contains(r.stdout+r.stderr, first) || strings.Contains(r.stdout+r.stderr, second) {
			t.Fatalf("exit %d: %s%s", r.code, r.stdout, r.stderr)
		}
		return r.stdout
	}
	signIn := func(want bool, password string) {
		t.Helper()
		p := &program{stdin: strings.NewReader(""), stdout: t.Output(), stderr: t.Output(), getenv: func(string) string { return "" }, lookupenv: func(string) (string, bool) { return "", false }}
		err := p.onUsers(db, func(tr *tracking.Tracker) error {
			_, err := tr.Users().SignIn(t.Context(), "ada@example.com", password)
			return err
		})
		if (err == nil) != want {
			t.Errorf("%q: %v", password, err)
		}
	}
	id := strings.TrimSpace(ok(users(first+"\n", "create", "--email", "Ada@example.com", "--name", "Ada", "--permissions", "show,update", "--password")))
	signIn(true, first)
	row := strings.Split(ok(users("", "list")), "\n")[1]
	if !regexp.MustCompile(`^` + id + ` +ada@example.com +Ada +show,update +password +\S+Z +\S+Z +-$`).MatchString(row) {
		t.Errorf("listed as %q", row)
	}
	ok(users(second+"\r\nignored", "set-password", "ada@example.com"))
	signIn(false, first)
	signIn(true, second)
	ok(users("", "disable", id))
	signIn(false, second)
	users("", "link", id).refused(t, 1, "disabled")
	ok(users("", "enable", "ADA@example.com"))
	signIn(true, second)

	link := regexp.MustCompile(`https://ships\.example\.com/sign-in/link\?token=[\w-]{64}\nworks once, until \S+Z\n`)
	if got := ok(users("", "link", id, "--public-url", "https://ships.example.com")); !link.MatchString(got) {
		t.Errorf("printed %q", got)
	}
	if got := ok(users("", "create", "--email", "lee@example.com", "--link", "--public-url", "https://ships.example.com")); !link.MatchString(got) {
		t.Errorf("printed %q", got)
	}
	if row := strings.Split(ok(users("", "list")), "\n")[1]; !strings.Contains(row, "show,update,create,delete,admin  link until ") {
		t.Errorf("listed as %q", row)
	}
	ok(users("", "delete", id))
	signIn(false, second)
	users("", "delete", id).refused(t, 1, "there is no user", "users list")
	users("short\n", "create", "--email", "eve@example.com", "--password").refused(t, 1, "shorter than 12")
	users(first, "create", "--email", "LEE@example.com", "--password").refused(t, 1, "exists already")
	runWith(t, "", nil, "users", "list", "--account", "nobody", "--db", db).refused(t, 1, `"nobody"`)
}
