package dcsa_test

import (
	"bufio"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/source/dcsa"
	"github.com/landfallhq/tracking/store"
	"github.com/landfallhq/tracking/trackingtest"
)

// The shared secrets of these tests, as they are configured and as they sign.
var (
	secretText, secret  = shared("the shared secret of MAEU's callbacks")
	rotated, oldSecret  = shared("the secret before the last rotation")
	_, foreignSecret    = shared("the secret of somebody else entirely")
	bearer              = dcsa.Secret("a-token-for-arrival-notices")
	eventsAt, noticesAt = dcsa.CallbackPath + "maeu", dcsa.CallbackPath + "maeu/arrival-notices"
)

func shared(text string) (configured dcsa.Secret, bytes []byte) {
	return dcsa.Secret(base64.StdEncoding.EncodeToString([]byte(text))), []byte(text)
}

// sample returns a document of our own voyages.
func sample(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// testServer receives the deliveries in these tests.
type testServer struct {
	*trackingtest.Bench
	handler http.Handler
	log     *strings.Builder
}

func newDesk(t testing.TB, change ...func(*dcsa.CallbackConfig)) *testServer {
	t.Helper()
	d := &testServer{Bench: trackingtest.New(t), log: &strings.Builder{}}
	d.serve(t, change...)
	return d
}

func (d *testServer) serve(t testing.TB, change ...func(*dcsa.CallbackConfig)) {
	t.Helper()
	config := dcsa.CallbackConfig{
		Callbacks: []dcsa.Callback{{
			Name: "maeu", SCAC: trackingtest.SCAC, Tracker: d.Tracker,
			Secrets: []dcsa.Secret{secretText, rotated}, Tokens: []dcsa.Secret{bearer},
		}},
		Logger: slog.New(slog.NewTextHandler(d.log, nil)),
	}
	for _, c := range change {
		c(&config)
	}
	handler, err := dcsa.NewCallbacks(config)
	if err != nil {
		t.Fatal(err)
	}
	d.handler = handler
}

// deliver posts a body that is signed with the secret; nil leaves it unsigned.
func (d *testServer) deliver(path string, body, secret []byte, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(string(body)))
	if secret != nil {
		r.Header.Set(dcsa.SignatureHeader, dcsa.Sign(secret, body))
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	return d.do(r)
}

func (d *testServer) do(r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	d.handler.ServeHTTP(w, r)
	return w
}

// want is deliver, and fails if the status differs.
func (d *testServer) want(t testing.TB, status int, path string, body, secret []byte, headers ...string) *httptest.ResponseRecorder {
	t.Helper()
	answer := d.deliver(path, body, secret, headers...)
	if answer.Code != status {
		t.Fatalf("answered %d %s, want %d", answer.Code, answer.Body, status)
	}
	return answer
}

// container returns the only container of that number.
func (d *testServer) container(t testing.TB, number string) *tracking.Container {
	t.Helper()
	containers, _, err := d.Containers(context.Background(), tracking.ContainerQuery{Numbers: []string{number}}, tracking.Page{})
	if err != nil || len(containers) != 1 {
		t.Fatalf("container %s: found %d, error %v", number, len(containers), err)
	}
	return containers[0]
}

// everything returns the shipments and containers of the account, as shown.
func (d *testServer) everything(t testing.TB) string {
	t.Helper()
	ships, _, err := d.Shipments(context.Background(), tracking.ShipmentQuery{}, tracking.Page{})
	if err != nil {
		t.Fatal(err)
	}
	containers, _, err := d.Containers(context.Background(), tracking.ContainerQuery{}, tracking.Page{})
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, s := range ships {
		fmt.Fprintf(&all, "%+v\n", *s)
	}
	for _, b := range containers {
		fmt.Fprintf(&all, "%+v\n", *b)
		raw, err := d.RawEvents(context.Background(), b.ID)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&all, "%d raw events\n", len(raw))
	}
	return all.String()
}

// TestCallback: a signed delivery is stored and answered with 204.
func TestCallback(t *testing.T) {
	d := newDesk(t)
	answer := d.want(t, http.StatusNoContent, eventsAt, sample(t, "callback.json"), secret)
	if version := answer.Header().Get("API-Version"); version != "2.2.0" {
		t.Errorf("API-Version %q", version)
	}
	var names []freight.EventName
	for _, e := range d.Announced() {
		names = append(names, e.Event)
	}
	if diff := cmp.Diff([]freight.EventName{freight.VesselLoaded, freight.VesselDeparted}, names); diff != "" {
		t.Errorf("announced (-want +got):\n%s", diff)
	}
	if ships, _, _ := d.Shipments(context.Background(), tracking.ShipmentQuery{Number: "LFBL00991"}, tracking.Page{}); len(ships) != 1 || ships[0].ShippingLineSCAC != trackingtest.SCAC {
		t.Errorf("shipments of the bill of lading: %v", ships)
	}
}

// TestReplay: a repeated delivery changes nothing and announces nothing.
func TestReplay(t *testing.T) {
	for _, c := range []struct {
		path, body string
		status     int
	}{
		{eventsAt, "callback.json", http.StatusNoContent},
		{noticesAt, "arrival-notice.json", http.StatusOK},
	} {
		d := newDesk(t)
		body := sample(t, c.body)
		d.want(t, c.status, c.path, body, secret)
		before, announced := d.everything(t), len(d.Announced())
		d.Clock.Advance(time.Minute)
		d.want(t, c.status, c.path, body, secret)
		if diff := cmp.Diff(before, d.everything(t)); diff != "" {
			t.Errorf("%s: changed by the replay (-before +after):\n%s", c.path, diff)
		}
		d.Pass(36 * time.Hour)
		d.want(t, c.status, c.path, body, secret)
		if now := len(d.Announced()); now != announced {
			t.Errorf("%s: %d announcements after the replays, %d before", c.path, now, announced)
		}
	}
}

// TestRefusedCallbacks: refusals have a reason, and nothing is stored.
func TestRefusedCallbacks(t *testing.T) {
	good := sample(t, "callback.json")
	changed := append([]byte(" "), good...) // the signature covers white space
	wrong := []byte(`[{"eventType": "TRANSPORT"}]`)
	for _, c := range []struct {
		name    string
		path    string
		body    []byte
		headers []string
		status  int
		says    string
	}{
		{"unsigned", eventsAt, good, nil, 401, dcsa.SignatureHeader},
		{"somebody else's secret", eventsAt, good, []string{dcsa.SignatureHeader, dcsa.Sign(foreignSecret, good)}, 401, "shared secret"},
		{"another body", eventsAt, changed, []string{dcsa.SignatureHeader, dcsa.Sign(secret, good)}, 401, "shared secret"},
		{"no hexadecimal", eventsAt, good, []string{dcsa.SignatureHeader, "sha256=later"}, 401, "sha256=HEX"},
		{"half a digest", eventsAt, good, []string{dcsa.SignatureHeader, dcsa.Sign(secret, good)[:40]}, 401, "sha256=HEX"},
		{"another algorithm", eventsAt, good, []string{dcsa.SignatureHeader, strings.Replace(dcsa.Sign(secret, good), "sha256", "md5", 1)}, 401, "sha256=HEX"},
		{"the old header", eventsAt, good, []string{"Signature", dcsa.Sign(secret, good)}, 401, dcsa.SignatureHeader},
		{"a token for events", eventsAt, good, []string{"Authorization", "Bearer " + string(bearer)}, 401, dcsa.SignatureHeader},
		{"a wrong token", noticesAt, sample(t, "arrival-notice.json"), []string{"Authorization", "Bearer " + string(bearer) + "x"}, 401, "bearer token"},
		{"an unsigned notice", noticesAt, sample(t, "arrival-notice.json"), nil, 401, "bearer token"},
		{"an unknown name", dcsa.CallbackPath + "hlcu", good, []string{dcsa.SignatureHeader, dcsa.Sign(secret, good)}, 404, "no callback"},
		{"a longer path", eventsAt + "/more", good, []string{dcsa.SignatureHeader, dcsa.Sign(secret, good)}, 404, "no callback"},
		{"compressed", eventsAt, good, []string{dcsa.SignatureHeader, dcsa.Sign(secret, good), "Content-Encoding", "gzip"}, 415, "compressed"},
		{"no document", eventsAt, wrong, []string{dcsa.SignatureHeader, dcsa.Sign(secret, wrong)}, 400, "$[0].eventDateTime"},
		{"HTML", eventsAt, []byte("<html>"), []string{dcsa.SignatureHeader, dcsa.Sign(secret, []byte("<html>"))}, 400, "not JSON"},
		{"a notice without a number", noticesAt, []byte(`{"arrivalNotices":[{"issueDateTime":"2026-01-01T00:00:00Z"}]}`),
			[]string{"Authorization", "bearer " + string(bearer)}, 400, "$.arrivalNotices[0].transportDocumentReference"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := newDesk(t)
			answer := d.want(t, c.status, c.path, c.body, nil, c.headers...)
			text := answer.Body.String()
			if !json.Valid([]byte(text)) || !strings.Contains(text, c.says) {
				t.Errorf("answered %s, which does not say %q", text, c.says)
			}
			if all := d.everything(t); all != "" {
				t.Errorf("stored:\n%s", all)
			}
			if c.status != 404 && !strings.Contains(d.log.String(), "callback=maeu") {
				t.Errorf("the operator is told %q", d.log)
			}
			if strings.Contains(d.log.String(), string(secretText)) || strings.Contains(d.log.String(), string(bearer)) {
				t.Error("a secret is in the log")
			}
		})
	}
}

// TestCallbackMethods: addresses can be tested with HEAD; other methods are
// refused.
func TestCallbackMethods(t *testing.T) {
	d := newDesk(t)
	for _, c := range []struct {
		method, path string
		status       int
		allow        string
	}{
		{http.MethodHead, eventsAt, 204, ""},
		{http.MethodHead, noticesAt, 204, ""},
		{http.MethodHead, dcsa.CallbackPath + "hlcu", 404, ""},
		{http.MethodGet, eventsAt, 405, "HEAD, POST"},
		{http.MethodPut, noticesAt, 405, "HEAD, POST"},
		{http.MethodDelete, eventsAt, 405, "HEAD, POST"},
	} {
		answer := d.do(httptest.NewRequest(c.method, c.path, nil))
		if answer.Code != c.status || answer.Header().Get("Allow") != c.allow {
			t.Errorf("%s %s: %d, Allow %q; want %d, %q", c.method, c.path, answer.Code, answer.Header().Get("Allow"), c.status, c.allow)
		}
	}
	d.want(t, http.StatusNoContent, eventsAt, []byte("[]"), secret)
	d.want(t, http.StatusOK, noticesAt, []byte(`{"arrivalNotices": []}`), secret)
}

// TestRotation: during a rotation both secrets are accepted.
func TestRotation(t *testing.T) {
	d := newDesk(t)
	body := sample(t, "callback.json")
	d.want(t, http.StatusNoContent, eventsAt, body, oldSecret)
	d.want(t, http.StatusNoContent, eventsAt, body, secret)
	d.want(t, http.StatusNoContent, eventsAt, body, nil, dcsa.SignatureHeader, " SHA256="+strings.ToUpper(strings.TrimPrefix(dcsa.Sign(secret, body), "sha256="))+" ")
}

// TestSubscriptionID: where subscriptions are named, others are refused.
func TestSubscriptionID(t *testing.T) {
	d := newDesk(t, func(c *dcsa.CallbackConfig) { c.Callbacks[0].SubscriptionIDs = []string{"8fbdc2d8"} })
	body := sample(t, "callback.json")
	d.want(t, http.StatusUnauthorized, eventsAt, body, secret)
	d.want(t, http.StatusUnauthorized, eventsAt, body, secret, "Subscription-ID", "b80d923d")
	if all := d.everything(t); all != "" {
		t.Errorf("stored:\n%s", all)
	}
	d.want(t, http.StatusNoContent, eventsAt, body, secret, "Subscription-ID", "8fbdc2d8")
	d.want(t, http.StatusOK, noticesAt, sample(t, "arrival-notice.json"), secret) // belongs to no subscription
}

// TestManyNamelessFacts: a hundred are left out; with one more, the delivery is
// refused before anything is stored.
func TestManyNamelessFacts(t *testing.T) {
	var events []map[string]any
	if err := json.Unmarshal(sample(t, "callback.json"), &events); err != nil {
		t.Fatal(err)
	}
	d := newDesk(t)
	nameless := maps.Clone(events[1])
	delete(nameless, "documentReferences")
	for i := range 100 {
		nameless = maps.Clone(nameless)
		nameless["eventID"] = fmt.Sprintf("nameless-%d", i)
		events = append(events, nameless)
	}
	body, _ := json.Marshal(append(events, nameless))
	d.want(t, http.StatusBadRequest, eventsAt, body, secret)
	if got := len(d.Announced()); got > 0 {
		t.Errorf("a delivery that was refused announced %d events", got)
	}
	body, _ = json.Marshal(events)
	d.want(t, http.StatusNoContent, eventsAt, body, secret)
	if len(d.Announced()) == 0 {
		t.Error("a delivery of which a hundred events are left out announced nothing")
	}
}

// TestNoticeThatIsLeftOut: the answer reports facts that were left out.
func TestNoticeThatIsLeftOut(t *testing.T) {
	answer := newDesk(t).want(t, http.StatusOK, noticesAt, []byte(`{"issueDateTime":"2026-04-20T08:00:00Z","transportDocumentReference":"--"}`), secret)
	if text := answer.Body.String(); !strings.Contains(text, `"ERROR"`) || !strings.Contains(text, "left out: ARRIVAL NOTICE") {
		t.Errorf("answered %s", text)
	}
}

// TestClosedAccountTakesNoCallbacks: this is an error of the configuration, which
// repeating does not fix.
func TestClosedAccountTakesNoCallbacks(t *testing.T) {
	d := newDesk(t)
	if _, err := d.Operator.CloseAccount(context.Background(), d.Account.Name); err != nil {
		t.Fatal(err)
	}
	d.want(t, http.StatusBadRequest, eventsAt, sample(t, "callback.json"), secret)
	if got := len(d.Announced()); got > 0 {
		t.Errorf("announced %d events", got)
	}
}

// TestNamelessFacts: an event without a shipment does not affect others, and a new
// version of a known event needs no number.
func TestNamelessFacts(t *testing.T) {
	var events []map[string]any
	if err := json.Unmarshal(sample(t, "callback.json"), &events); err != nil {
		t.Fatal(err)
	}
	d := newDesk(t)
	delete(events[0], "documentReferences")                                                                                     // the departure, unknown so far
	events[2]["documentReferences"].([]any)[0] = map[string]any{"documentReferenceType": "TRD", "documentReferenceValue": "--"} // no number at all
	body, _ := json.Marshal(events)
	d.want(t, http.StatusNoContent, eventsAt, body, secret)
	if got := len(d.Announced()); got != 1 {
		t.Errorf("%d milestones, want the load alone", got)
	}
	for _, i := range []int{0, 2} {
		if id := events[i]["eventID"].(string); !strings.Contains(d.log.String(), id) {
			t.Errorf("the log does not name %s, which was left out:\n%s", id, d.log)
		}
	}

	later := events[1]
	delete(later, "documentReferences")
	later["eventDateTime"], later["eventCreatedDateTime"] = "2026-04-10T23:15:00+08:00", "2026-04-10T18:00:00Z"
	body, _ = json.Marshal([]any{later})
	d.want(t, http.StatusNoContent, eventsAt, body, secret)
	want := time.Date(2026, 4, 10, 15, 15, 0, 0, time.UTC)
	if loaded := d.container(t, "LFDU7301015").POLVesselLoadedAt; !loaded.Equal(want) {
		t.Errorf("loaded at %v, want the corrected %v", loaded, want)
	}
}

// TestTooManyFaults: a delivery with mostly invalid facts is refused as a whole.
func TestTooManyFaults(t *testing.T) {
	var events []map[string]any
	if err := json.Unmarshal(sample(t, "callback.json"), &events); err != nil {
		t.Fatal(err)
	}
	list := []any{events[1]}
	for i := range 101 {
		odd := maps.Clone(events[1])
		odd["eventID"], odd["documentReferences"] = fmt.Sprint("odd-", i), []any{map[string]any{"documentReferenceType": "TRD", "documentReferenceValue": "--"}}
		list = append(list, odd)
	}
	d := newDesk(t)
	body, _ := json.Marshal(list)
	d.want(t, http.StatusBadRequest, eventsAt, body, secret)
	if all := d.everything(t); all != "" {
		t.Errorf("stored:\n%s", all)
	}
	body, _ = json.Marshal(list[:101])
	d.want(t, http.StatusNoContent, eventsAt, body, secret)
	d.container(t, "LFDU7301015")
}

// TestOtherAccount: a delivery reaches only the account of its callback, and there
// the shipments that it names.
func TestOtherAccount(t *testing.T) {
	d := newDesk(t)
	d.want(t, http.StatusNoContent, eventsAt, sample(t, "callback.json"), secret)
	before := d.everything(t)

	other, _, err := d.Operator.EnsureAccount(context.Background(), "other")
	if err != nil {
		t.Fatal(err)
	}
	own := &testServer{Bench: &trackingtest.Bench{Tracker: d.Operator.For(tracking.Actor{Account: other.Scope()})}}
	d.serve(t, func(c *dcsa.CallbackConfig) {
		c.Callbacks = append(c.Callbacks, dcsa.Callback{Name: "other", SCAC: trackingtest.SCAC, Tracker: own.Tracker, Secrets: []dcsa.Secret{secretText}})
	})
	moved := strings.NewReplacer("2026-04-11T06:10", "2026-04-12T06:10", "USOAK", "USLAX").Replace(string(sample(t, "callback.json")))
	d.want(t, http.StatusNoContent, dcsa.CallbackPath+"other", []byte(moved), secret)
	if diff := cmp.Diff(before, d.everything(t)); diff != "" {
		t.Errorf("the first account changed (-before +after):\n%s", diff)
	}
	if own.everything(t) == "" {
		t.Error("the other account has nothing")
	}

	// Another shipment of the same container: the first one is not changed.
	strangers := strings.ReplaceAll(string(sample(t, "callback.json")), "LFBL00991", "LFBL00992")
	strangers = strings.ReplaceAll(strangers, "5f1c6a10", "7a20c9e1")
	first := d.shipment(t, "LFBL00991")
	d.want(t, http.StatusNoContent, eventsAt, []byte(strangers), secret)
	if diff := cmp.Diff(first, d.shipment(t, "LFBL00991")); diff != "" {
		t.Errorf("a delivery about LFBL00992 changed LFBL00991 (-before +after):\n%s", diff)
	}
}

func (d *testServer) shipment(t testing.TB, number string) string {
	t.Helper()
	ships, _, err := d.Shipments(context.Background(), tracking.ShipmentQuery{Number: number}, tracking.Page{})
	if err != nil || len(ships) != 1 {
		t.Fatalf("shipment %s: found %d, error %v", number, len(ships), err)
	}
	return fmt.Sprintf("%+v", *ships[0])
}

// endless is an endless body that counts how much was read.
type endless struct{ taken int }

func (e *endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	e.taken += len(p)
	return len(p), nil
}

// TestLargeBodies: 300 MB are refused, unread where their size is announced.
func TestLargeBodies(t *testing.T) {
	d := newDesk(t)
	const size = 300 << 20
	body := &endless{}
	r := httptest.NewRequest(http.MethodPost, eventsAt, io.LimitReader(body, size))
	r.Header.Set(dcsa.SignatureHeader, dcsa.Sign(secret, nil))
	r.ContentLength = size
	if answer := d.do(r); answer.Code != http.StatusRequestEntityTooLarge || body.taken > 0 {
		t.Errorf("announced: answered %d after %d bytes", answer.Code, body.taken)
	}
	r.ContentLength, r.Body = -1, io.NopCloser(io.LimitReader(body, size))
	if answer := d.do(r); answer.Code != http.StatusRequestEntityTooLarge || body.taken > 20<<20 {
		t.Errorf("not announced: answered %d after %d bytes", answer.Code, body.taken)
	}
	d.serve(t, func(c *dcsa.CallbackConfig) { c.MaxBytes = 100 })
	d.want(t, http.StatusRequestEntityTooLarge, eventsAt, sample(t, "callback.json"), secret)
	d.want(t, http.StatusNoContent, eventsAt, []byte("[]"), secret)
}

// stalling is a body that stops after the first bytes until it is released.
type stalling struct {
	first  io.Reader
	stalls chan<- bool
	rest   <-chan bool
}

func (s *stalling) Read(p []byte) (int, error) {
	if n, err := s.first.Read(p); err == nil {
		return n, nil
	}
	s.stalls <- true
	<-s.rest
	return 0, io.EOF
}

// TestManyLargeBodies: a few large bodies at a time are kept in memory; one more
// must be repeated, and small ones are accepted meanwhile.
func TestManyLargeBodies(t *testing.T) {
	d := newDesk(t)
	stalls, rest, answers := make(chan bool), make(chan bool), make(chan int)
	for range 4 {
		go func() {
			body := &stalling{io.LimitReader(&endless{}, 2<<20), stalls, rest}
			r := httptest.NewRequest(http.MethodPost, eventsAt, body)
			r.Header.Set(dcsa.SignatureHeader, dcsa.Sign(foreignSecret, nil))
			answers <- d.do(r).Code
		}()
		<-stalls
	}
	large := []byte(strings.Repeat(" ", 2<<20) + "[]")
	answer := d.want(t, http.StatusServiceUnavailable, eventsAt, large, secret)
	if answer.Header().Get("Retry-After") == "" {
		t.Error("no Retry-After")
	}
	d.want(t, http.StatusNoContent, eventsAt, sample(t, "callback.json"), secret)
	close(rest)
	for range 4 {
		if status := <-answers; status != http.StatusUnauthorized {
			t.Errorf("a large body was answered %d, want 401", status)
		}
	}
	d.want(t, http.StatusNoContent, eventsAt, large, secret)
}

// TestBrokenBodies: half a body stores nothing, and neither does one that stalls.
func TestBrokenBodies(t *testing.T) {
	d := newDesk(t, func(c *dcsa.CallbackConfig) { c.ReadTimeout = 50 * time.Millisecond })
	server := httptest.NewServer(d.handler)
	defer server.Close()
	body := sample(t, "callback.json")
	send := func(end func(net.Conn)) *http.Response {
		conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", server.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { conn.Close() })
		fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: test\r\nContent-Length: %d\r\n%s: %s\r\n\r\n%s",
			eventsAt, len(body), dcsa.SignatureHeader, dcsa.Sign(secret, body), body[:len(body)/2])
		end(conn)
		answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { answer.Body.Close() })
		return answer
	}
	if answer := send(func(net.Conn) {}); answer.StatusCode != http.StatusRequestTimeout || !answer.Close {
		t.Errorf("a body that stalls: %d, close %v", answer.StatusCode, answer.Close)
	}
	if answer := send(func(c net.Conn) {
		if err := c.(*net.TCPConn).CloseWrite(); err != nil {
			t.Error(err)
		}
	}); answer.StatusCode != http.StatusBadRequest {
		t.Errorf("half a body: %d", answer.StatusCode)
	}
	if all := d.everything(t); all != "" {
		t.Errorf("stored:\n%s", all)
	}
}

// brokenStore is a store that fails all writes.
type brokenStore struct{ tracking.Store }

func (brokenStore) Update(context.Context, tracking.AccountID, func(store.RecordTx) error) error {
	return fmt.Errorf("%w: the disk is full", tracking.ErrUnavailable)
}

// TestStoreTrouble: a delivery that cannot be stored must be repeated.
func TestStoreTrouble(t *testing.T) {
	d := newDesk(t)
	broken, err := tracking.New(tracking.Config{Store: brokenStore{d.Store}, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	d.serve(t, func(c *dcsa.CallbackConfig) {
		c.Callbacks[0].Tracker = broken.For(tracking.Actor{Account: d.Account.Scope()})
	})
	answer := d.want(t, http.StatusServiceUnavailable, eventsAt, sample(t, "callback.json"), secret)
	text := answer.Body.String()
	if answer.Header().Get("Retry-After") != "30" || strings.Contains(text, "disk") {
		t.Errorf("Retry-After %q, body %s", answer.Header().Get("Retry-After"), text)
	}
	if !strings.Contains(d.log.String(), "the disk is full") {
		t.Errorf("the operator is told %q", d.log)
	}
}

// TestCallbackConfig: configuration errors are described without secrets.
func TestCallbackConfig(t *testing.T) {
	tracker := trackingtest.New(t).Tracker
	valid := dcsa.Callback{Name: "maeu", Tracker: tracker, Secrets: []dcsa.Secret{secretText}}
	with := func(change func(*dcsa.Callback)) dcsa.CallbackConfig {
		c := valid
		change(&c)
		return dcsa.CallbackConfig{Callbacks: []dcsa.Callback{c}}
	}
	for _, c := range []struct {
		says   string
		config dcsa.CallbackConfig
	}{
		{"Callbacks is empty", dcsa.CallbackConfig{}},
		{"MaxBytes", dcsa.CallbackConfig{Callbacks: []dcsa.Callback{valid}, MaxBytes: 65 << 20}},
		{"ReadTimeout", dcsa.CallbackConfig{Callbacks: []dcsa.Callback{valid}, ReadTimeout: -1}},
		{"earlier one", dcsa.CallbackConfig{Callbacks: []dcsa.Callback{valid, valid}}},
		{"Name must be", with(func(c *dcsa.Callback) { c.Name = "a/b" })},
		{"Name must be", with(func(c *dcsa.Callback) { c.Name = ".." })},
		{"Tracker is nil", with(func(c *dcsa.Callback) { c.Tracker = nil })},
		{"no delivery would be accepted", with(func(c *dcsa.Callback) { c.Secrets = nil })},
		{"Source has more", with(func(c *dcsa.Callback) { c.Source = strings.Repeat("s", 62) })},
		{"Secrets[0]: the secret is not base64", with(func(c *dcsa.Callback) { c.Secrets = []dcsa.Secret{"not base64!"} })},
		{"Secrets[0]: the secret has 5 bytes", with(func(c *dcsa.Callback) { c.Secrets = []dcsa.Secret{"aGVsbG8="} })},
		{"Tokens[0] has 3 characters", with(func(c *dcsa.Callback) { c.Tokens = []dcsa.Secret{"abc"} })},
	} {
		_, err := dcsa.NewCallbacks(c.config)
		if err == nil || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "not base64!") {
			t.Errorf("error %v, want one that says %q", err, c.says)
		}
	}
	if _, err := dcsa.NewCallbacks(with(func(*dcsa.Callback) {})); err != nil {
		t.Error(err)
	}
}
