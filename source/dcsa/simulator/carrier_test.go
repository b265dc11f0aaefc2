package simulator_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/landfallhq/tracking/source/dcsa/simulator"
	"github.com/landfallhq/tracking/trackingtest"
)

// bench is a carrier that listens, on a clock that is moved by hand.
type bench struct {
	*simulator.Carrier
	t     *testing.T
	url   string
	clock *trackingtest.Clock
}

func serve(t *testing.T, config simulator.Config) *bench {
	t.Helper()
	clock := trackingtest.NewClock()
	config.Clock = clock
	carrier, err := simulator.New(config)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(carrier)
	t.Cleanup(server.Close)
	return &bench{Carrier: carrier, t: t, url: server.URL, clock: clock}
}

// ended moves the clock to the end of all voyages.
func (b *bench) ended() *bench {
	b.clock.Set(b.Ends())
	return b
}

// response is what a call was answered with.
type response struct {
	status int
	header http.Header
	body   string
}

// call makes one call; link is a path or a whole URL.
func (b *bench) call(method, link, body string, headers ...string) (response, error) {
	b.t.Helper()
	if strings.HasPrefix(link, "/") {
		link = b.url + link
	}
	r, err := http.NewRequest(method, link, strings.NewReader(body))
	if err != nil {
		b.t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	answer, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return response{}, err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	return response{answer.StatusCode, answer.Header, string(text)}, err
}

// must is call where nothing may go wrong on the way.
func (b *bench) must(method, link, body string, headers ...string) response {
	b.t.Helper()
	r, err := b.call(method, link, body, headers...)
	if err != nil {
		b.t.Fatal(err)
	}
	return r
}

// event is what the tests look at of an event.
type event struct {
	ID      string    `json:"eventID"`
	Type    string    `json:"eventType"`
	Class   string    `json:"eventClassifierCode"`
	Created time.Time `json:"eventCreatedDateTime"`
	At      time.Time `json:"eventDateTime"`
	Code    string    `json:"equipmentEventTypeCode"`
	Box     string    `json:"equipmentReference"`
}

func (b *bench) events(link string) []event {
	b.t.Helper()
	r := b.must(http.MethodGet, link, "")
	if r.status != http.StatusOK {
		b.t.Fatalf("GET %s: %d %s", link, r.status, r.body)
	}
	return parse(b.t, r.body)
}

func parse(t *testing.T, body string) (list []event) {
	t.Helper()
	if err := json.Unmarshal([]byte(body), &list); err != nil {
		t.Fatalf("%v: %s", err, body)
	}
	return list
}

func TestFilters(t *testing.T) {
	b := serve(t, simulator.Config{Shipments: 20}).ended()
	const booking = "/v2/events?carrierBookingReference=LFK7007001" // split: two boxes
	all := b.events(booking)
	count := func(keep func(event) bool) int {
		return len(slices.DeleteFunc(slices.Clone(all), func(e event) bool { return !keep(e) }))
	}
	middle := all[len(all)/2].Created.Format(time.RFC3339)
	of := func(types ...string) func(event) bool {
		return func(e event) bool { return slices.Contains(types, e.Type) }
	}
	for _, c := range []struct {
		add  string
		want int
	}{
		{"", 24}, // of 25 one is an earlier version
		{"&transportDocumentReference=LFB7007001", 24},
		{"&transportDocumentReference=LFB7001001", 0},
		{"&eventType=SHIPMENT", count(of("SHIPMENT"))},
		{"&eventType=SHIPMENT,EQUIPMENT", count(of("SHIPMENT", "EQUIPMENT"))},
		{"&equipmentEventTypeCode=LOAD", 2},
		{"&equipmentEventTypeCode=LOAD,DISC", 4},
		{"&equipmentEventTypeCode=LOAD&eventType=SHIPMENT", 0},
		{"&equipmentReference=TSTU4700016&eventType=EQUIPMENT", 6},
		{"&equipmentReference=TSTU4100011", 0},
		{"&UNLocationCode=USLGB&equipmentEventTypeCode=DISC", 2},
		{"&vesselIMONumber=2700226&equipmentEventTypeCode=DISC", 1},
		{"&exportVoyageNumber=089E&transportEventTypeCode=DEPA", 2},
		{"&documentTypeCode=BKG&shipmentEventTypeCode=CONF", 1},
		{"&eventCreatedDateTime:gte=" + middle, count(func(e event) bool { return e.Created.Format(time.RFC3339) >= middle })},
		{"&eventCreatedDateTime:gt=" + middle, count(func(e event) bool { return e.Created.Format(time.RFC3339) > middle })},
		{"&eventCreatedDateTime:lt=" + middle, count(func(e event) bool { return e.Created.Format(time.RFC3339) < middle })},
		{"&eventCreatedDateTime:lte=" + middle, count(func(e event) bool { return e.Created.Format(time.RFC3339) <= middle })},
		{"&eventCreatedDateTime=" + middle, count(func(e event) bool { return e.Created.Format(time.RFC3339) == middle })},
	} {
		if got := b.events(booking + c.add); len(got) != c.want {
			t.Errorf("%s: %d events, want %d", c.add, len(got), c.want)
		}
	}
	if got := b.events("/v2/events?transportDocumentReference=NOBODYS"); len(got) != 0 {
		t.Errorf("%d events of an unknown number", len(got))
	}
}

func TestBadCalls(t *testing.T) {
	b := serve(t, simulator.Config{})
	for _, c := range []struct {
		method, link, body string
		headers            []string
		status             int
		want               string
	}{
		{"GET", "/v2/events?colour=red", "", nil, 400, "colour is not a parameter"},
		{"GET", "/v2/events?limit=0", "", nil, 400, "limit must be"},
		{"GET", "/v2/events?sort=eventID", "", nil, 400, "neither eventCreatedDateTime"},
		{"GET", "/v2/events?sort=eventDateTime:UP", "", nil, 400, "neither ASC nor DESC"},
		{"GET", "/v2/events?cursor=x", "", nil, 400, "cursor"},
		{"GET", "/v2/events?eventCreatedDateTime:gte=monday", "", nil, 400, "must be a time"},
		{"GET", "/v2/events?eventType=SHIPMENT&eventType=EQUIPMENT", "", nil, 400, "twice"},
		{"GET", "/v2/events", "", []string{"API-Version", "2.2.0"}, 400, "major version"},
		{"GET", "/v2/events/none", "", nil, 404, "no such event"},
		{"POST", "/v2/events", "{}", nil, 405, ""},
		{"GET", "/v2/event-subscriptions/none", "", nil, 404, "no such subscription"},
		{"POST", "/v2/event-subscriptions", "[]", nil, 400, "JSON object"},
		{"POST", "/v2/event-subscriptions", `{"callbackUrl":"https://us.example/x"}`, nil, 400, "secret"},
		{"POST", "/v2/event-subscriptions", `{"callbackUrl":"us","secret":"c2VjcmV0"}`, nil, 400, "callbackUrl"},
		{"POST", "/v2/event-subscriptions", `{"callbackUrl":"https://us.example/x","secret":"c2VjcmV0","colour":"red"}`, nil, 400, "colour"},
	} {
		r := b.must(c.method, c.link, c.body, c.headers...)
		if r.status != c.status || !strings.Contains(r.body, c.want) {
			t.Errorf("%s %s %s: %d %s, want %d %s", c.method, c.link, c.body, r.status, r.body, c.status, c.want)
		}
		if v := r.header.Get("API-Version"); v != "2.2.0" {
			t.Errorf("%s %s: API-Version %q", c.method, c.link, v)
		}
	}
}

// TestPages: the pages together are the whole answer, whatever becomes known
// meanwhile, and the links lead both ways.
func TestPages(t *testing.T) {
	b := serve(t, simulator.Config{PageSize: 5})
	b.clock.Advance(20 * 24 * time.Hour)
	const link = "/v2/events?transportDocumentReference=LFB7001001&sort=eventCreatedDateTime:DESC"
	first := b.must(http.MethodGet, link+"&limit=50", "")
	var pages [][]event
	for r := first; ; r = b.must(http.MethodGet, r.header.Get("Next-Page"), "") {
		pages = append(pages, parse(t, r.body))
		if r.header.Get("Next-Page") == "" {
			if last := first.header.Get("Last-Page"); last != r.header.Get("Current-Page") {
				t.Errorf("the last page is %s, and the first page says %s", r.header.Get("Current-Page"), last)
			}
			back := parse(t, b.must(http.MethodGet, r.header.Get("Prev-Page"), "").body)
			if want := pages[len(pages)-2]; !slices.Equal(back, want) {
				t.Errorf("the previous page has %v, want %v", back, want)
			}
			break
		}
		b.clock.Advance(24 * time.Hour)
	}
	got := slices.Concat(pages...)
	if len(pages) != 3 || len(got) < 11 || len(got) > 15 {
		t.Errorf("%d events on %d pages", len(got), len(pages))
	}
	if !slices.IsSortedFunc(got, func(a, b event) int { return b.Created.Compare(a.Created) }) {
		t.Error("the events are not in the order that was asked for")
	}
	if r := b.must(http.MethodGet, first.header.Get("First-Page"), ""); r.body != first.body || r.header.Get("Prev-Page") != "" {
		t.Error("the link to the first page leads elsewhere")
	}
}

// TestTime: an event is told when it is known, and its versions follow each
// other.
func TestTime(t *testing.T) {
	b := serve(t, simulator.Config{})
	const link = "/v2/events?carrierBookingReference=LFK7001001"
	begin := b.Shipments()[1].Begins
	var gateIn []event
	for b.clock.Set(begin.Add(-time.Second)); !b.clock.Now().After(b.Ends()); b.clock.Advance(12 * time.Hour) {
		ids := map[string]bool{}
		for _, e := range b.events(link) {
			if e.Created.After(b.clock.Now()) || e.Class == "ACT" && e.At.After(b.clock.Now()) {
				t.Errorf("at %s the carrier tells of %+v", b.clock.Now(), e)
			}
			if ids[e.ID] {
				t.Errorf("two versions of %s at one time", e.ID)
			}
			ids[e.ID] = true
			if e.Code == "GTIN" && e.At.Before(begin.AddDate(0, 0, 20)) && (len(gateIn) == 0 || gateIn[len(gateIn)-1] != e) {
				gateIn = append(gateIn, e)
			}
		}
		if b.clock.Now().Before(begin) != (len(ids) == 0) {
			t.Errorf("%d events at %s", len(ids), b.clock.Now())
		}
	}
	if len(gateIn) != 2 || gateIn[0].ID != gateIn[1].ID || !gateIn[1].At.Before(gateIn[0].At) {
		t.Errorf("the gate-in was told as %+v", gateIn)
	}
}

// TestShipmentsAreTheirOwn: no number, container or event ID is of two.
func TestShipmentsAreTheirOwn(t *testing.T) {
	b := serve(t, simulator.Config{Shipments: 60, Every: time.Hour}).ended()
	owner := map[string]int{}
	for i, s := range b.Shipments() {
		events := b.events("/v2/events?carrierBookingReference=" + s.Booking)
		if len(events) < 5 {
			t.Errorf("%s: %d events", s.Booking, len(events))
		}
		names := append([]string{s.Booking, s.TransportDocument}, s.Containers...)
		for _, e := range events {
			names = append(names, e.ID)
			if e.Box != "" && !slices.Contains(s.Containers, e.Box) {
				t.Errorf("%s tells of %s", s.Booking, e.Box)
			}
		}
		for _, name := range names {
			if other, ok := owner[name]; ok && other != i {
				t.Errorf("%s is of shipments %d and %d", name, other, i)
			}
			owner[name] = i
		}
	}
}

func TestAuthentication(t *testing.T) {
	b := serve(t, simulator.Config{
		OAuth:  simulator.OAuth{ClientID: "us", ClientSecret: "hush/hush", TokenUses: 2},
		APIKey: simulator.APIKey{Header: "X-Api-Key", Value: "key-1"},
	})
	grant := url.Values{"grant_type": {"client_credentials"}, "client_id": {"us"}, "client_secret": {"hush/hush"}}
	form := []string{"Content-Type", "application/x-www-form-urlencoded"}
	var token struct {
		Text string `json:"access_token"`
		Type string `json:"token_type"`
		Life int    `json:"expires_in"`
	}
	r := b.must(http.MethodPost, "/oauth2/token", grant.Encode(), form...)
	if err := json.Unmarshal([]byte(r.body), &token); err != nil || r.status != http.StatusOK || token.Type != "Bearer" || token.Life == 0 {
		t.Fatalf("token: %d %s %v", r.status, r.body, err)
	}
	grant.Set("client_secret", "wrong")
	for _, c := range []struct {
		link, body string
		headers    []string
		want       int
	}{
		{"/oauth2/token", grant.Encode(), form, 401},
		{"/oauth2/token", "grant_type=password", form, 400},
		{"/v2/events", "", []string{"Authorization", "Bearer " + token.Text}, 401},
		{"/v2/events", "", []string{"X-Api-Key", "key-1"}, 401},
		{"/v2/events", "", []string{"X-Api-Key", "key-2", "Authorization", "Bearer " + token.Text}, 401},
		{"/v2/events", "", []string{"X-Api-Key", "key-1", "Authorization", "Bearer x"}, 401},
		{"/v2/events", "", []string{"X-Api-Key", "key-1", "Authorization", "Bearer " + token.Text}, 200},
		{"/v2/events", "", []string{"X-Api-Key", "key-1", "Authorization", "bearer " + token.Text}, 200},
		{"/v2/events", "", []string{"X-Api-Key", "key-1", "Authorization", "Bearer " + token.Text}, 401}, // used up
	} {
		method := http.MethodGet
		if c.body != "" {
			method = http.MethodPost
		}
		if r := b.must(method, c.link, c.body, c.headers...); r.status != c.want {
			t.Errorf("%s %s %q: %d, want %d", c.link, c.body, c.headers, r.status, c.want)
		}
	}
	if s := b.Stats(); s.Tokens != 1 || s.Unauthorized != 6 || s.Calls != 2 {
		t.Errorf("%+v", s)
	}
}

func TestConfigIsChecked(t *testing.T) {
	for _, c := range []struct {
		config simulator.Config
		want   string
	}{
		{simulator.Config{Shipments: -1}, "Config.Shipments"},
		{simulator.Config{Every: -1}, "Config.Every"},
		{simulator.Config{PageSize: -1}, "Config.PageSize"},
		{simulator.Config{OAuth: simulator.OAuth{ClientID: "us"}}, "Config.OAuth"},
		{simulator.Config{APIKey: simulator.APIKey{Value: "x"}}, "Config.APIKey"},
		{simulator.Config{Faults: simulator.Faults{Rate: 1.5}}, "Faults.Rate"},
		{simulator.Config{Faults: simulator.Faults{Disorder: -1}}, "Faults.Disorder"},
		{simulator.Config{Faults: simulator.Faults{Kinds: []simulator.Fault{"fire"}}}, "Faults.Kinds"},
		{simulator.Config{Faults: simulator.Faults{Kinds: []simulator.Fault{}}}, "Faults.Kinds"},
		{simulator.Config{Faults: simulator.Faults{HangFor: -1}}, "Faults.HangFor"},
	} {
		if _, err := simulator.New(c.config); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %s", c.config, err, c.want)
		}
	}
}

// TestLapse: the clock hurries through the past, and never passes the time.
func TestLapse(t *testing.T) {
	const span = 1000 * time.Hour
	slow, fast := simulator.NewLapse(span, 1), simulator.NewLapse(span, 1e12)
	from := time.Now()
	if at := slow.Now(); at.After(time.Now().Add(-span)) || at.Before(from.Add(-span-time.Minute)) {
		t.Errorf("%s after the start the clock stands at %s", time.Since(from), at)
	}
	for range 1000 {
		if at := fast.Now(); at.After(time.Now()) {
			t.Fatalf("the clock is ahead: %s", at)
		}
	}
	if at := fast.Now(); at.Before(from) {
		t.Errorf("the clock has not caught up: %s", at)
	}
}

func ExampleCarrier() {
	clock := trackingtest.NewClock()
	carrier, err := simulator.New(simulator.Config{Clock: clock})
	if err != nil {
		fmt.Println(err)
		return
	}
	server := httptest.NewServer(carrier)
	defer server.Close()

	clock.Advance(30 * 24 * time.Hour)
	answer, err := http.Get(server.URL + "/v2/events?carrierBookingReference=LFK7001001&equipmentEventTypeCode=DISC")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer answer.Body.Close()
	var events []struct {
		Box string    `json:"equipmentReference"`
		At  time.Time `json:"eventDateTime"`
	}
	if err := json.NewDecoder(answer.Body).Decode(&events); err != nil {
		fmt.Println(err)
		return
	}
	for _, e := range events {
		fmt.Println(e.Box, "discharged", e.At.UTC())
	}
	// Output: TSTU4100011 discharged 2026-03-30 01:00:00 +0000 UTC
}
