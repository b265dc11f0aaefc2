package dashboard

import (
	"bufio"
	"html"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/trackingtest"
)

// liveBench is a bench whose streams end and beat when a test says so.
type liveBench struct {
	*bench
	handler *handler
	ending  chan struct{}
}

func newLiveBench(t *testing.T) *liveBench {
	t.Helper()
	l := &liveBench{bench: &bench{Bench: trackingtest.New(t), t: t}, ending: make(chan struct{})}
	l.handler = newHandler(Config{Tracker: l.Operator, Clock: l.Clock, Ending: l.ending})
	l.handler.live.pace, l.handler.live.beat = time.Millisecond, time.Hour
	l.server = httptest.NewServer(l.handler.secured(l.handler.mux))
	t.Cleanup(l.server.Close)
	return l
}

var liveAttribute = regexp.MustCompile(`data-live="([^"]+)"`)

// address returns the stream of a page.
func (l *liveBench) address(path string) string {
	l.t.Helper()
	m := liveAttribute.FindStringSubmatch(l.get(path).body)
	if m == nil {
		l.t.Fatalf("%s has no stream", path)
	}
	return html.UnescapeString(m[1])
}

// events are those of an open stream.
type events struct {
	t     *testing.T
	lines *bufio.Scanner
}

// next returns the name of the next event; empty at the end of the stream.
func (e events) next() string {
	for e.lines.Scan() {
		if name, ok := strings.CutPrefix(e.lines.Text(), "event: "); ok {
			return name
		}
	}
	return ""
}

func (l *liveBench) open(at string) (events, *http.Response) {
	l.t.Helper()
	r, err := http.NewRequestWithContext(l.t.Context(), "GET", l.server.URL+at, nil)
	if err != nil {
		l.t.Fatal(err)
	}
	r.Header.Set("Accept", "text/event-stream")
	res, err := l.client.Do(r)
	if err != nil {
		l.t.Fatal(err)
	}
	l.t.Cleanup(func() { res.Body.Close() })
	return events{l.t, bufio.NewScanner(res.Body)}, res
}

func (l *liveBench) change() *tracking.User {
	l.t.Helper()
	user, err := l.Users().Create(l.t.Context(), tracking.NewUser{Email: newToken() + "@example.com"})
	if err != nil {
		l.t.Fatal(err)
	}
	return user
}

// TestLive: a page is notified of each change of its account, also of those before it connects, and
// of no other account's.
func TestLive(t *testing.T) {
	l := newLiveBench(t)
	l.signIn()
	at := l.address("/exceptions")
	l.change() // before the page has connected
	stream, res := l.open(at)
	if res.StatusCode != 200 || res.Header.Get("Content-Type") != "text/event-stream" || res.Header.Get("X-Accel-Buffering") != "no" || res.Header.Get("Cache-Control") != "no-store" {
		t.Fatalf("%d %v", res.StatusCode, res.Header)
	}
	for range 3 {
		if got := stream.next(); got != "changed" {
			t.Fatalf("%q", got)
		}
		l.change()
	}
	other, _, err := l.Operator.EnsureAccount(t.Context(), "other")
	if err != nil {
		t.Fatal(err)
	}
	quiet, _ := l.open(l.address("/exceptions"))
	if _, err := l.Operator.For(tracking.Actor{Account: other.Scope()}).Users().Create(t.Context(), tracking.NewUser{Email: "other@example.com"}); err != nil {
		t.Fatal(err)
	}
	close(l.ending)
	if got := quiet.next(); got != "" {
		t.Errorf("of another account: %q", got)
	}
	if _, res := l.open(at); res.StatusCode != 503 || res.Header.Get("Retry-After") == "" {
		t.Errorf("while the server ends: %d", res.StatusCode)
	}
}

// TestLiveAbout: a page about some records is notified of those and of what refers to them.
func TestLiveAbout(t *testing.T) {
	l := newLiveBench(t)
	about, other := uuid.New(), uuid.New()
	s := &stream{account: l.Account.Scope(), about: []tracking.ID{about}, wake: make(chan struct{}, 1), ended: make(chan struct{})}
	hub, since := l.handler.live, l.handler.live.position(l.Account.Scope())
	for _, row := range []struct {
		records []tracking.ID
		want    bool
	}{{[]tracking.ID{other}, false}, {[]tracking.ID{other, about}, true}, {nil, true}, {[]tracking.ID{}, false}} {
		hub.changed(tracking.Change{Account: l.Account.Scope(), Records: row.records})
		if !hub.join(s, since) {
			t.Fatal("full")
		}
		hub.leave(s)
		if got := len(s.wake) == 1; got != row.want {
			t.Errorf("%v before it connected: %t", row.records, got)
		}
		if len(s.wake) == 1 {
			<-s.wake
		}
		since = hub.position(l.Account.Scope())
	}
	for range maxMissed + 1 {
		hub.changed(tracking.Change{Account: l.Account.Scope(), Records: []tracking.ID{other}})
	}
	if hub.join(s, since); len(s.wake) != 1 {
		t.Error("more changes than are remembered, and the page is not asked to look")
	}
}

// TestLiveEnds: the streams of a session end with it.
func TestLiveEnds(t *testing.T) {
	for name, end := range map[string]func(l *liveBench, key *tracking.APIKey){
		"signed out": func(l *liveBench, _ *tracking.APIKey) { l.post("/sign-out", url.Values{"csrf": {l.token("/")}}) },
		"key revoked": func(l *liveBench, key *tracking.APIKey) {
			if err := l.Operator.RevokeKey(l.t.Context(), key.ID); err != nil {
				l.t.Fatal(err)
			}
			l.change()
		},
	} {
		l := newLiveBench(t)
		key := l.signIn()
		stream, _ := l.open(l.address("/"))
		end(l, key)
		last := stream.next()
		for last == "changed" { // the sign-out itself is a change
			last = stream.next()
		}
		if last != "ended" || stream.next() != "" {
			t.Errorf("%s: %q", name, last)
		}
	}
}

func TestLiveRefuses(t *testing.T) {
	l := newLiveBench(t)
	l.signIn()
	at := l.address("/")
	if a := l.get(at); a.status != 406 {
		t.Errorf("without Accept: %d", a.status)
	}
	for _, bad := range []string{"/live", "/live?since=x", "/live?since=1&about=" + strings.Repeat("x+", maxAbout+1)} {
		if _, res := l.open(bad); res.StatusCode != 400 {
			t.Errorf("%s: %d", bad, res.StatusCode)
		}
	}
	for range maxSessionStreams {
		if _, res := l.open(at); res.StatusCode != 200 {
			t.Fatalf("%d", res.StatusCode)
		}
	}
	if _, res := l.open(at); res.StatusCode != 503 {
		t.Errorf("one too many: %d", res.StatusCode)
	}
	for path, want := range map[string]bool{"/shipments": true, "/nothing": false, "/sign-in": false} {
		if got := liveAttribute.MatchString(l.get(path).body); got != want {
			t.Errorf("%s has a stream: %t", path, got)
		}
	}
	close(l.ending)
}

// TestLiveBeats: signs of life keep the stream open, and every second one is about changes.
func TestLiveBeats(t *testing.T) {
	l := newLiveBench(t)
	l.handler.live.beat = time.Millisecond
	l.signIn()
	stream, _ := l.open(l.address("/"))
	for i := range 4 {
		if got, want := stream.next(), []string{"alive", "changed"}[i%2]; got != want {
			t.Errorf("%d: %q", i, got)
		}
	}
	close(l.ending)
}

// TestNoticeOfTheOtherPage: a page that gets itself again leaves the sentence about what was
// done for the page that the person goes to.
func TestNoticeOfTheOtherPage(t *testing.T) {
	b := newWorld(t)
	b.signIn()
	v := b.ids["shipments"]
	b.post("/shipments/"+v.String()+"/stop", url.Values{"csrf": {b.token("/")}})
	r, _ := http.NewRequest("GET", b.server.URL+"/shipments/"+v.String(), nil)
	r.Header.Set("Landfall-Background", "1")
	if a := b.do(r); strings.Contains(a.body, `class="notice"`) {
		t.Error("the page in the background shows it")
	}
	if a := b.get("/shipments/" + v.String()); !strings.Contains(a.body, `class="notice"`) {
		t.Errorf("the page of the person does not: %s", strconv.Itoa(a.status))
	}
}

// TestLiveAboutRecords: each page of a record is about that record: not about all, which would
// make it with each change of the account.
func TestLiveAboutRecords(t *testing.T) {
	w := newWorld(t)
	w.signIn()
	for _, rt := range routes() {
		if !strings.HasPrefix(rt.pattern, "GET ") || !strings.Contains(rt.pattern, "{id}") {
			continue
		}
		_, path := w.routed(rt)
		body := w.get(path).body
		m := liveAttribute.FindStringSubmatch(body)
		if m == nil {
			continue // it does not change
		}
		u, err := url.Parse(html.UnescapeString(m[1]))
		if err != nil || !slices.Contains(strings.Fields(u.Query().Get("about")), w.ids[recordOf(rt)].String()) {
			t.Errorf("%s is about %q", path, u.Query().Get("about"))
		}
	}
}
