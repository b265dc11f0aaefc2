package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/dashboard"
	"github.com/landfallhq/tracking/httpserver"
)

// pagesName is what -only selects these measurements by.
const pagesName = "pages"

// pageCall is a page of the dashboard: of the small account, which has the facts of its shipments, or
// of the large one.
type pageCall struct {
	name, path string
	small      bool
}

// pageCalls are the pages that are measured: what people open each day, and the lists with their
// costliest filters and sorts. shipment and container are of the small account.
func pageCalls(shipment, container tracking.ID) []pageCall {
	day := func(later int) string { return time.Now().UTC().AddDate(0, 0, later).Format(time.DateOnly) }
	return []pageCall{
		{"Today", "/", false},
		{"shipments", "/shipments", false},
		{"shipments, stopped", "/shipments?tracking_stopped=true", false},
		{"shipments arriving this week, by arrival", "/shipments?" + url.Values{"pod_eta_at.from": {day(0)}, "pod_eta_at.to": {day(7)}, "sort": {"pod_eta_at"}}.Encode(), false},
		{"containers", "/containers", false},
		{"containers that cost money, by cost", "/containers?accruing=true&sort=-cost", false},
		{"containers that cost money tomorrow", "/containers?costs_tomorrow=true", false},
		{"tracking requests", "/tracking-requests", false},
		{"exceptions", "/exceptions", false},
		{"papers", "/documents", false},
		{"a shipment, with its facts", "/shipments/" + shipment.String(), true},
		{"a container, with its facts", "/containers/" + container.String(), true},
		{"search", "/search?q=" + url.QueryEscape("MSKU"), false},
		{"Track", "/track", false},
		{"webhooks", "/settings/webhooks", false},
		{"audit log", "/settings/audit", false},
		{"reference", "/docs", false},
	}
}

// pageFigures are those of the pages, by name and round: of pages that were read just before, and of
// the first after another process has committed.
type pageFigures struct {
	calls      []pageCall
	warm, cold map[string][]figures
	open       *openFigures
}

// browser is signed in to a dashboard.
type browser struct {
	handler http.Handler
	cookies map[string]string
}

var csrfField = regexp.MustCompile(`name="csrf" value="([^"]+)"`)

// signIn signs in with a key.
func signIn(h http.Handler, key string) (*browser, error) {
	b := &browser{handler: h, cookies: map[string]string{}}
	status, page := b.do(http.MethodGet, "/sign-in", nil)
	token := csrfField.FindStringSubmatch(page)
	if status != http.StatusOK || token == nil {
		return nil, fmt.Errorf("the form for signing in: %d", status)
	}
	if status, _ = b.do(http.MethodPost, "/sign-in", url.Values{"csrf": {token[1]}, "key": {key}}); status != http.StatusSeeOther {
		return nil, fmt.Errorf("signing in: %d", status)
	}
	return b, nil
}

// do sends a request to the handler alone.
func (b *browser) do(method, path string, form url.Values) (status int, body string) {
	r := httptest.NewRequest(method, "http://127.0.0.1"+path, strings.NewReader(form.Encode()))
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	r.Header.Set("Cookie", b.cookie())
	w := httptest.NewRecorder()
	b.handler.ServeHTTP(w, r)
	for _, c := range w.Result().Cookies() {
		b.cookies[c.Name] = c.Value
	}
	return w.Code, w.Body.String()
}

func (b *browser) cookie() string {
	var all []string
	for name, value := range b.cookies {
		all = append(all, name+"="+value)
	}
	return strings.Join(all, "; ")
}

// newDashboard returns the dashboard of a server, as browsers reach it.
func newDashboard(s *server) http.Handler {
	return dashboard.New(dashboard.Config{Tracker: s.operator, OpenAPI: func() ([]byte, error) { return httpserver.OpenAPI("") }, Logger: quiet})
}

// measurePages measures the pages of the dashboard with the large account, in this process.
func (r *run) measurePages(ctx context.Context) (err error) {
	if !r.wanted(pagesName) {
		return nil
	}
	s, err := newServer(r.data.file, programCaches)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.operator.Close()) }()
	other, err := newServer(r.data.file, caches{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, other.operator.Close()) }()
	boxes, _, err := s.operator.For(tracking.Actor{Account: r.data.small.scope}).Containers(ctx, tracking.ContainerQuery{}, tracking.Page{Number: 1, Size: 1})
	if err != nil || len(boxes) == 0 {
		return errors.Join(err, errors.New("the small account has no containers"))
	}
	handler := newDashboard(s)
	small, err := signIn(handler, r.data.small.key)
	if err != nil {
		return err
	}
	large, err := signIn(handler, r.data.large.key)
	if err != nil {
		return err
	}
	f := &pageFigures{calls: pageCalls(boxes[0].Shipment, boxes[0].ID), warm: map[string][]figures{}, cold: map[string][]figures{}}
	r.pages = f
	commit := func() error { return touch(ctx, other.operator.For(tracking.Actor{Account: r.data.thinned.scope})) }
	each := r.each / callShare
	for n := range r.rounds {
		r.round("pages of the dashboard", n, 2*len(f.calls), each)
		var all []func() error
		for _, c := range f.calls {
			b := large
			if c.small {
				b = small
			}
			call := func() error {
				if status, _ := b.do(http.MethodGet, c.path, nil); status != http.StatusOK {
					return fmt.Errorf("%s: %d", c.path, status)
				}
				return nil
			}
			all = append(all, func() error { return measureTwice(ctx, c.name, each, commit, call, f.cold, f.warm) })
		}
		if err := r.shuffled(all); err != nil {
			return err
		}
	}
	f.open, err = r.measureOpenPages(ctx, s)
	return err
}

var touched int

// touch commits something that no page shows.
func touch(ctx context.Context, t *tracking.Tracker) error {
	touched++
	_, err := t.CreateParty(ctx, tracking.NewParty{CompanyName: fmt.Sprintf("Shipper %d %d", touched, time.Now().UnixNano())})
	return err
}

func (r *results) byPages(b *strings.Builder) {
	f := r.pages
	if f == nil {
		return
	}
	b.WriteString("\nPages of the dashboard with the large account, by the handler alone. After a commit of another process every number is counted again:\n")
	t := table{head: []string{"", "us", "CPU us", "allocs", "after a commit, CPU us"}}
	for _, c := range f.calls {
		warm, cold := medians(f.warm[c.name]), medians(f.cold[c.name])
		t.add(c.name, number(1e6/warm[perSecond]), warm.text(cpu), warm.text(allocs), cold.text(cpu))
	}
	t.write(b)
	if f.open != nil {
		f.open.write(b)
	}
}

// pageGoal is that of the whole of the dashboard: 10 ms of CPU for any page.
func (r *results) pageGoal() (string, bool) {
	f := r.pages
	if f == nil {
		return "", false
	}
	worst := func(of map[string][]figures) (most float64, name string) {
		for _, c := range f.calls {
			if x := medians(of[c.name])[cpu]; x > most {
				most, name = x, c.name
			}
		}
		return most / 1e3, name
	}
	warm, at := worst(f.warm)
	cold, coldAt := worst(f.cold)
	return fmt.Sprintf("at most %s ms (%s); after a commit %s ms (%s)", number(warm), at, number(cold), coldAt), warm <= 10 && cold <= 10
}

// stream reads a stream of server-sent events, and calls wake for each.
func stream(ctx context.Context, client *http.Client, address, cookie string, wake func()) error {
	q, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	q.Header.Set("Accept", "text/event-stream")
	q.Header.Set("Cookie", cookie)
	a, err := client.Do(q)
	if err != nil {
		return err
	}
	defer a.Body.Close()
	if a.StatusCode != http.StatusOK {
		return fmt.Errorf("a stream: %s", a.Status)
	}
	lines := bufio.NewScanner(a.Body)
	for lines.Scan() {
		if lines.Text() == "event: changed" {
			wake()
		}
	}
	return lines.Err()
}

// getPage reads a page, and returns the address of its stream and the position that it shows.
func getPage(ctx context.Context, client *http.Client, address, cookie string) (live string, position int64, err error) {
	q, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return "", 0, err
	}
	q.Header.Set("Cookie", cookie)
	q.Header.Set("Landfall-Background", "1")
	a, err := client.Do(q)
	if err != nil {
		return "", 0, err
	}
	defer a.Body.Close()
	body, err := io.ReadAll(a.Body)
	if err != nil {
		return "", 0, err
	}
	m := liveAddress.FindSubmatch(body)
	if a.StatusCode != http.StatusOK || m == nil {
		return "", 0, fmt.Errorf("%s: %s, stream %q", address, a.Status, m)
	}
	position, err = strconv.ParseInt(string(m[2]), 10, 64)
	return html.UnescapeString(string(m[1])), position, err
}

var liveAddress = regexp.MustCompile(`data-live="([^"]*since=([0-9]+)[^"]*)"`)
