package httpserver_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/landfallhq/tracking/store"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/httpserver"
	"github.com/landfallhq/tracking/trackingtest"
)

// A revoked key stops working within a second.
func TestRevocation(t *testing.T) {
	b := newBench(t)
	secret, id := b.newKey(b.mine.account, b.mine.user)
	key := &tenant{key: secret}
	b.as(key, "GET", "/v2/shipments", "").want(200)
	if err := b.Operator.RevokeKey(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	b.Clock.Advance(999 * time.Millisecond)
	b.as(key, "GET", "/v2/shipments", "").want(200)
	b.Clock.Advance(time.Millisecond)
	b.as(key, "GET", "/v2/shipments", "").want(401)
	b.Clock.Advance(-time.Hour) // a clock that is set back gives it no second life
	b.as(key, "GET", "/v2/shipments", "").want(401)
}

// TestEndedKeys: an expired key, and the former secret of a rotated one, get the answer of an
// unknown key.
func TestEndedKeys(t *testing.T) {
	b := newBench(t)
	short, _, err := b.Operator.CreateKey(t.Context(), tracking.NewKey{Account: b.mine.account, ExpiresAt: b.Clock.Now().Add(time.Hour)})
	if err != nil {
		t.Fatal(err)
	}
	former, id := b.newKey(b.mine.account, b.mine.user)
	present, _, err := b.Operator.RotateKey(t.Context(), id, time.Hour, time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	get := func(secret string) *response { return b.as(&tenant{key: secret}, "GET", "/v2/parties", "") }
	b.Clock.Advance(time.Hour - time.Second)
	for _, secret := range []string{short, former, present} {
		get(secret).want(200)
	}
	b.Clock.Advance(time.Second)
	get(present).want(200)
	unknown := get("lf_" + strings.Repeat("A", 43) + "0c2b5986").want(401)
	for _, secret := range []string{short, former} {
		if a := get(secret).want(401); !bytes.Equal(a.body, unknown.body) || a.header.Get("WWW-Authenticate") != unknown.header.Get("WWW-Authenticate") {
			t.Errorf("%s, and for an unknown key %s", a.body, unknown.body)
		}
	}
}

// A key with no permissions may do nothing, although nil permissions of a host's
// Actor mean all.
func TestKeyWithoutPermissions(t *testing.T) {
	b := newBench(t)
	secret, _, err := b.Operator.CreateKey(t.Context(), tracking.NewKey{Account: b.mine.account, Permissions: []tracking.Permission{}})
	if err != nil {
		t.Fatal(err)
	}
	b.as(&tenant{key: secret}, "GET", "/v2/shipments", "").want(403)
}

// A key with update and without show sees only the results of its own writes.
func TestWriterWithoutShow(t *testing.T) {
	b := newBench(t)
	secret, _ := b.newKey(b.mine.account, b.mine.user, tracking.Update, tracking.Create)
	writer := &tenant{key: secret}
	b.as(writer, "PATCH", b.mine.fill("/v2/shipments/{shipment}"), `{"data":{"attributes":{"tags":["x"]}}}`).want(200)
	b.as(writer, "POST", "/v2/parties", `{"data":{"attributes":{"company_name":"B"}}}`).want(201)
	b.as(writer, "GET", b.mine.fill("/v2/shipments/{shipment}"), "").want(403)
}

func TestHostAuthentication(t *testing.T) {
	b := newBench(t)
	var err error
	b.serve(func(c *httpserver.Config) {
		c.Authenticate = func(r *http.Request) (tracking.Actor, error) {
			if r.Header.Get("Cookie") != "kim" {
				return tracking.Actor{}, err
			}
			return tracking.Actor{Account: b.mine.account}, nil
		}
		c.Limits = httpserver.Limits{Default: 3}
	})
	b.do("GET", b.mine.fill("/v2/shipments/{shipment}"), "", "Cookie: kim").want(200)
	b.do("POST", "/v2/parties", `{"data":{"attributes":{"company_name":"B"}}}`, "Cookie: kim").want(201)
	for _, row := range []struct {
		err               error
		detail, challenge string
	}{
		{&tracking.Error{Kind: tracking.Unauthorized, Detail: "The session has expired."}, "The session has expired.", "Token"},
		{&tracking.Error{Kind: tracking.Unauthorized}, "Authentication is required.", "Token"},
		{&httpserver.AuthenticationError{}, "Authentication is required.", "Token"},
		{&httpserver.AuthenticationError{Detail: "Log in first.", Challenge: `Basic realm="app"`}, "Log in first.", `Basic realm="app"`},
		{fmt.Errorf("session: %w", &httpserver.AuthenticationError{Challenge: "Bearer"}), "Authentication is required.", "Bearer"},
	} {
		err = row.err
		a := b.do("GET", "/v2/shipments", "").want(401)
		if !strings.Contains(string(a.body), `"detail":"`+row.detail+`"`) {
			t.Errorf("%#v: the 401 is %s", row.err, a.body)
		}
		if got := a.header.Get("WWW-Authenticate"); got != row.challenge {
			t.Errorf("%#v: WWW-Authenticate is %q", row.err, got)
		}
	}
	err = errors.New("the session database is down")
	b.do("GET", "/v2/shipments", "").want(500)
	b.do("GET", "/v2/shipments", "", "Cookie: kim").want(200)
	b.do("GET", "/v2/shipments", "", "Cookie: kim").want(429)
}

func TestNegotiation(t *testing.T) {
	b := newBench(t)
	const vendor, plain = "application/vnd.api+json", "application/json"
	for _, row := range []struct{ accept, want string }{
		{"", plain}, {"*/*", plain}, {plain, plain}, {"text/html", plain}, {"application/*", plain},
		{vendor, vendor}, {"APPLICATION/VND.API+JSON", vendor}, {"text/html, " + vendor + ";q=0.2, */*", vendor},
		{vendor + ";q=0", plain}, {vendor + `;ext="x"`, vendor},
	} {
		headers := []string{"Accept: " + row.accept}
		if row.accept == "" {
			headers = nil
		}
		if got := b.as(b.mine, "GET", "/v2/shipments", "", headers...).want(200).header.Get("Content-Type"); got != row.want {
			t.Errorf("Accept %q gets %s, want %s", row.accept, got, row.want)
		}
		if got := b.as(b.mine, "GET", "/v2/nowhere", "", headers...).want(404).header.Get("Content-Type"); got != row.want {
			t.Errorf("Accept %q gets errors as %s, want %s", row.accept, got, row.want)
		}
	}
	for _, row := range []struct {
		sent string
		want int
	}{
		{plain, 200}, {vendor, 200}, {plain + "; charset=utf-8", 200}, {vendor + "; profile=x", 200}, {"APPLICATION/JSON", 200}, {"", 200},
		{"text/plain", 415}, {"application/xml", 415}, {"application/jsonx", 415}, {"multipart/form-data; boundary=x", 415}, {";", 415},
	} {
		b.as(b.mine, "PATCH", b.mine.fill("/v2/shipments/{shipment}"), `{"data":{"attributes":{"tags":["x"]}}}`, "Content-Type: "+row.sent).want(row.want)
	}
}

// failingStore is a store with injected errors.
type failingStore struct {
	tracking.Store
	mu  sync.Mutex
	err error
	do  func()
}

func (s *failingStore) set(err error, do func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.err, s.do = err, do
}

func (s *failingStore) fail() error {
	s.mu.Lock()
	err, do := s.err, s.do
	s.mu.Unlock()
	if do != nil {
		do()
	}
	return err
}

func (s *failingStore) View(ctx context.Context, a tracking.AccountID, fn func(store.RecordTx) error) error {
	if err := s.fail(); err != nil {
		return err
	}
	return s.Store.View(ctx, a, fn)
}

func (s *failingStore) Update(ctx context.Context, a tracking.AccountID, fn func(store.RecordTx) error) error {
	if err := s.fail(); err != nil {
		return err
	}
	return s.Store.Update(ctx, a, fn)
}

// Internal errors are logged with the request ID and not shown.
func TestInternalErrors(t *testing.T) {
	store := &failingStore{}
	b := trackingtest.New(t, func(c *tracking.Config) { store.Store = c.Store; c.Store = store })
	var log bytes.Buffer
	logger := slog.New(slog.NewTextHandler(&log, nil))
	s := &bench{tb: t, Bench: b, prefix: "/v2"}
	s.server = httpserver.New(httpserver.Config{
		Tracker: b.Operator, Clock: b.Clock, Logger: logger, Limits: unlimited,
		Authenticate: func(*http.Request) (tracking.Actor, error) {
			return tracking.Actor{Account: b.Account.Scope()}, nil
		},
	})
	const patch = `{"data":{"attributes":{"company_name":"B"}}}`
	for _, row := range []struct {
		name   string
		err    error
		do     func()
		status int
		logged string
	}{
		{"SQL", errors.New("SQL logic error near SELECT"), nil, 500, "SQL logic error"},
		{"wrapped", fmt.Errorf("commit: %w", errors.New("disk I/O error")), nil, 500, "disk I/O error"},
		{"panic", nil, func() { panic("index out of range [7]") }, 500, "index out of range"},
		{"locked", fmt.Errorf("busy: %w", tracking.ErrUnavailable), nil, 503, ""},
		{"closed", tracking.ErrClosed, nil, 503, ""},
		{"out of time", context.DeadlineExceeded, nil, 503, ""},
		{"raw not found", tracking.ErrNotFound, nil, 404, ""},
	} {
		log.Reset()
		store.set(row.err, row.do)
		s.undescribed = row.status == 404 // no list says that of itself
		for _, a := range []*response{s.do("GET", "/v2/parties", ""), s.do("GET", "/v2/shipments/"+randomUUID, ""), s.do("POST", "/v2/parties", patch)} {
			if a.status != row.status {
				t.Errorf("%s: %s is %d, want %d: %s", row.name, a.request, a.status, row.status, a.body)
			}
			if row.logged != "" && strings.Contains(string(a.body), row.logged) {
				t.Errorf("%s: the response shows %s", row.name, a.body)
			}
			if id := a.header.Get("X-Request-Id"); row.status == 500 && (!strings.Contains(string(a.body), id) || !strings.Contains(log.String(), id)) {
				t.Errorf("%s: request ID %s is missing from %s or the log", row.name, id, a.body)
			}
			if got := a.header.Get("Retry-After"); (got != "") != (row.status == 503) {
				t.Errorf("%s: Retry-After is %q", row.name, got)
			}
		}
		if !strings.Contains(log.String(), row.logged) {
			t.Errorf("%s: the log has %s", row.name, log.String())
		}
	}
}

// http.ErrAbortHandler reaches the server.
func TestAbort(t *testing.T) {
	b := newBench(t)
	b.serve(func(c *httpserver.Config) {
		c.Authenticate = func(*http.Request) (tracking.Actor, error) { panic(http.ErrAbortHandler) }
	})
	defer func() {
		if p := recover(); p != http.ErrAbortHandler {
			t.Errorf("recovered %v", p)
		}
	}()
	b.do("GET", "/v2/shipments", "")
}

// Links have the prefix, and the scheme and host of the configuration, of a trusted
// proxy, or of the request.
func TestLinks(t *testing.T) {
	b := newBench(t)
	for _, row := range []struct {
		public, from string
		headers      []string
		want         string
	}{
		{"", "", nil, "http://host"},
		{"", "", []string{"X-Forwarded-Proto: https"}, "https://host"},
		{"", "", []string{"X-Forwarded-Proto: HTTPS, http", "X-Forwarded-Host: freight.example.com, inner"}, "https://freight.example.com"},
		{"", "", []string{"X-Forwarded-Proto: gopher", "X-Forwarded-Host: [2001:db8::1]:8443"}, "http://[2001:db8::1]:8443"},
		{"", "", []string{"X-Forwarded-Host: a.example/../x"}, "http://host"},
		{"", "192.0.2.9:1", []string{"X-Forwarded-Proto: https", "X-Forwarded-Host: evil.example"}, "http://host"},
		{"https://freight.example.com/", "192.0.2.9:1", nil, "https://freight.example.com"},
		{"http://freight.example.com:8080", "", []string{"X-Forwarded-Proto: https", "X-Forwarded-Host: other.example"}, "http://freight.example.com:8080"},
	} {
		b.serve(func(c *httpserver.Config) {
			c.Prefix, c.PublicURL, c.TrustProxy = "/api/v2/", row.public, networks("10.0.0.0/8")
		})
		b.address = row.from
		a := b.as(b.mine, "GET", "/api/v2/parties?page%5Bsize%5D=1", "", row.headers...).want(200)
		if got := a.doc()["links"].(map[string]any)["self"]; got != row.want+"/api/v2/parties?page[number]=1&page[size]=1" {
			t.Errorf("%+v: self is %v", row, got)
		}
		if got := member(a.list("data")[0], "links", "self"); got != "/api/v2/parties/"+b.mine.ids["party"] {
			t.Errorf("%+v: the resource's self is %v", row, got)
		}
		var upload ticket
		body := `{"blob":{"filename":"a.txt","content_type":"text/plain","byte_size":1,"checksum":"kAFQmDzST7DWlj99KOF/cg=="}}`
		if err := json.Unmarshal(b.as(b.mine, "POST", "/api/v2/direct_uploads", body, row.headers...).want(200).body, &upload); err != nil {
			t.Fatal(err)
		}
		if got := upload.DirectUpload.URL; !strings.HasPrefix(got, row.want+"/api/v2/blobs/") {
			t.Errorf("%+v: the upload URL is %s", row, got)
		}
		a = b.as(b.mine, "GET", "/api/v2/documents/"+b.mine.ids["document"]+"/download_url", "", row.headers...).want(200)
		if !strings.Contains(string(a.body), `{"download_url":"`+row.want+"/api/v2/blobs/") {
			t.Errorf("%+v: the download URL is in %s", row, a.body)
		}
	}
	b.address = ""
	b.as(b.mine, "GET", "/v2/parties", "").want(404)
	b.do("GET", "/healthz", "").want(200)

	b.serve(func(c *httpserver.Config) { c.Prefix = "/" })
	a := b.as(b.mine, "GET", "/parties", "", "X-Forwarded-Proto: https").want(200)
	if got := a.doc()["links"].(map[string]any)["self"]; got != "http://host/parties?page[number]=1&page[size]=25" {
		t.Errorf("self is %v", got)
	}
	b.do("GET", "/nowhere", "").want(401)
	b.do("GET", "/healthz", "").want(200)
}

// Routes also work on a host's own mux.
func TestRoutesOnAnotherMux(t *testing.T) {
	b := newBench(t)
	mux := http.NewServeMux()
	for _, r := range b.server.Routes() {
		mux.Handle(r.Pattern(), r.Handler)
	}
	r := request("GET", b.mine.fill("/v2/shipments/{shipment}"), "", b.mine.auth())
	w := httptest.NewRecorder()
	mux.ServeHTTP(w, r)
	whole := b.as(b.mine, "GET", b.mine.fill("/v2/shipments/{shipment}"), "").want(200)
	if w.Code != 200 || w.Body.String() != string(whole.body) {
		t.Errorf("%d %s, want %s", w.Code, w.Body, whole.body)
	}
}

func TestConfigIsChecked(t *testing.T) {
	b := trackingtest.New(t)
	for _, c := range []httpserver.Config{
		{}, {Tracker: b.Operator, WebhookIPs: httpserver.WebhookIPs{Addresses: make([]netip.Addr, 1)}}, {Tracker: b.Operator, Prefix: "v2"}, {Tracker: b.Operator, Prefix: "/v2/{x}"}, {Tracker: b.Operator, Prefix: "/a//b"},
		{Tracker: b.Operator, Limits: httpserver.Limits{Create: -2}},
		{Tracker: b.Operator, BodyBytes: 1 << 20}, {Tracker: b.Operator, BodyBytes: -2},
		{Tracker: b.Operator, TrustProxy: make([]netip.Prefix, 1)},
		{Tracker: b.Operator, PublicURL: "freight.example.com"}, {Tracker: b.Operator, PublicURL: "https://freight.example.com/x"}, {Tracker: b.Operator, PublicURL: "https://"}, {Tracker: b.Operator, PublicURL: "ftp://a"},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("New took %+v", c)
				}
			}()
			httpserver.New(c)
		}()
	}
}

// Over a real connection: HEAD, a body of unknown length, and an incomplete body.
func TestOverTheWire(t *testing.T) {
	b := newBench(t)
	server := httptest.NewServer(b.server)
	defer server.Close()
	send := func(method, path string, body *strings.Reader) *http.Response {
		t.Helper()
		r, err := http.NewRequest(method, server.URL+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		if body != nil {
			r.Body, r.ContentLength = struct {
				*strings.Reader
				closer
			}{body, closer{}}, -1
			r.Header.Set("Content-Type", "application/json")
		}
		r.Header.Set("Authorization", "Token "+b.mine.key)
		answer, err := server.Client().Do(r)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		return answer
	}
	if a := send("HEAD", "/v2/shipments", nil); a.StatusCode != 200 || a.ContentLength < 100 {
		t.Errorf("HEAD: %d, Content-Length %d", a.StatusCode, a.ContentLength)
	}
	if a := send("POST", "/v2/parties", strings.NewReader(`{"data":{"attributes":{"company_name":"Chunked"}}}`)); a.StatusCode != 201 {
		t.Errorf("a chunked body: %d", a.StatusCode)
	}
	if a := send("POST", "/v2/parties", strings.NewReader(strings.Repeat(" ", 10<<20))); a.StatusCode != 413 {
		t.Errorf("a chunked body of 10 MB: %d", a.StatusCode)
	}
	if a := send("PATCH", b.mine.fill("/v2/shipments/{shipment}/stop_tracking"), strings.NewReader("")); a.StatusCode != 200 {
		t.Errorf("an empty chunked body: %d", a.StatusCode)
	}
	short := request("POST", "/v2/parties", "", b.mine.auth())
	short.Body, short.ContentLength = http.NoBody, 10
	short.Body = &broken{}
	w := httptest.NewRecorder()
	if b.server.ServeHTTP(w, short); w.Code != 400 {
		t.Errorf("a body that breaks off: %d", w.Code)
	}
}

type closer struct{}

func (closer) Close() error { return nil }

type broken struct{ closer }

func (broken) Read([]byte) (int, error) { return 0, errors.New("connection reset") }
