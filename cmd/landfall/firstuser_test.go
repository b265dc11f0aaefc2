package main

import (
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

var (
	printedLink = regexp.MustCompile(`there is no user yet; the first opens this link, once, until \S+Z: (http://127\.0\.0\.1:\d+/sign-in/link\?token=\S+)`)
	formToken   = regexp.MustCompile(`name="csrf" value="([^"]+)"`)
)

// link returns the link for the first user that the server has printed; empty for none.
func (p *process) link() string {
	if m := printedLink.FindStringSubmatch(strings.Join(p.lines(), "\n")); m != nil {
		return m[1]
	}
	return ""
}

// TestFirstUser: a server without a user prints a link at each start, whose first visitor
// becomes the administrator of the default account.
func TestFirstUser(t *testing.T) {
	t.Parallel()
	db := newDB(t)
	p := serve(t, db)
	old := p.link()
	p.stop()
	p = serve(t, db)
	link := p.link()
	if old == "" || link == "" || strings.SplitN(old, "?", 2)[1] == strings.SplitN(link, "?", 2)[1] {
		t.Fatalf("printed %q, then %q: %s", old, link, p.lines())
	}
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	browser := &http.Client{Jar: jar}
	show := func(r *http.Response, err error) (int, string) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		defer r.Body.Close()
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Fatal(err)
		}
		return r.StatusCode, string(body)
	}
	status, page := show(browser.Get(link))
	token := formToken.FindStringSubmatch(page)
	if status != http.StatusOK || token == nil {
		t.Fatalf("%d %s", status, page)
	}
	at, _ := url.Parse(link)
	status, page = show(browser.PostForm(strings.TrimSuffix(p.base, "/v2")+"/sign-in/link", url.Values{
		"csrf": {token[1]}, "token": {at.Query().Get("token")}, "email": {"ada@example.com"}, "password": {"three small boats"}, "repeated": {"three small boats"},
	}))
	if status != http.StatusOK || !strings.Contains(page, "/sign-out") {
		t.Fatalf("%d %s", status, page)
	}
	if status, _ := show(browser.Get(link)); status != http.StatusNotFound {
		t.Errorf("the used link: %d", status)
	}
	for _, line := range p.lines() {
		if strings.Contains(line, "three small boats") || strings.Count(line, at.Query().Get("token")) > 0 && !strings.Contains(line, "there is no user yet") {
			t.Errorf("the log has a secret: %s", line)
		}
	}
	p.stop()
	p = serve(t, db)
	if link := p.link(); link != "" {
		t.Errorf("with a user a link is printed: %s", link)
	}
	if status, page := show(browser.Get(strings.TrimSuffix(p.base, "/v2") + "/")); status != http.StatusOK || !strings.Contains(page, "/sign-out") {
		t.Errorf("the session after a restart: %d", status)
	}
	p.stop()
	if row := strings.Split(must(t, "users", "list", "--account", "default", "--db", db), "\n")[1]; !strings.Contains(row, "ada@example.com  -     show,update,create,delete,admin  password") {
		t.Errorf("listed as %q", row)
	}
}
