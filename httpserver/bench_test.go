package httpserver_test

import (
	"bytes"
	"context"
	"crypto/md5"
	"encoding/base64"
	"encoding/json"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/store"

	"github.com/google/go-cmp/cmp"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/httpserver"
	"github.com/landfallhq/tracking/trackingtest"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// bench is a server on the memory store, with two accounts that have the same data.
type bench struct {
	*trackingtest.Bench
	tb     testing.TB
	server *httpserver.Server
	store  *recordingStore
	mine   *tenant
	theirs *tenant
	// prefix of the server.
	prefix string
	// undescribed: answers are not held to the description.
	undescribed bool
	// address is where requests come from; empty: each from another.
	address  string
	requests int
	layouts  int // of layoutCorrection
}

// tenant is an account with one of each resource.
type tenant struct {
	account tracking.AccountID
	user    tracking.ID
	keyID   tracking.ID
	key     string
	// secret of its webhook.
	secret string
	// ids are the IDs of its resources by type; a shipping line, port, vessel
	// and terminal too.
	ids map[string]string
}

// recordingStore records the kinds of the store, so that a test can compare all stored
// data, and counts its views.
type recordingStore struct {
	tracking.Store
	kinds []*store.Kind
	held  atomic.Bool // nobody gets to write any more
	views atomic.Int64
}

func (s *recordingStore) View(ctx context.Context, a tracking.AccountID, fn func(store.RecordTx) error) error {
	s.views.Add(1)
	return s.Store.View(ctx, a, fn)
}

func (s *recordingStore) Update(ctx context.Context, a tracking.AccountID, fn func(store.RecordTx) error) error {
	if s.held.Load() {
		<-ctx.Done()
		return ctx.Err()
	}
	return s.Store.Update(ctx, a, fn)
}

func (s *recordingStore) Prepare(ctx context.Context, kinds []*store.Kind) error {
	s.kinds = append(s.kinds, kinds...)
	return s.Store.Prepare(ctx, kinds)
}

// stored returns every record of an account with its version.
func (s *recordingStore) stored(tb testing.TB, a tracking.AccountID) map[string]string {
	tb.Helper()
	all := map[string]string{}
	err := s.View(tb.Context(), a, func(tx store.RecordTx) error {
		for _, k := range s.kinds {
			rows, _, err := tx.List(tb.Context(), k, store.Filter{}, tracking.Page{}, nil)
			if err != nil {
				return err
			}
			for _, r := range rows {
				all[k.Name+"/"+r.ID.String()] = fmt.Sprintf("%d %s %s", r.Version, r.Doc, r.Private)
			}
		}
		return nil
	})
	if err != nil {
		tb.Fatal(err)
	}
	return all
}

var unlimited = httpserver.Limits{Default: -1, Create: -1, Infer: -1, Refresh: -1}

// newBench returns a bench without rate limits, unless configure sets them.
func newBench(tb testing.TB, configure ...func(*httpserver.Config)) *bench {
	tb.Helper()
	return newBenchOn(tb, func(c *tracking.Config) { c.Positions = fixedPositions{} }, configure...)
}

// newBenchOn is newBench with another engine.
func newBenchOn(tb testing.TB, engine func(*tracking.Config), configure ...func(*httpserver.Config)) *bench {
	tb.Helper()
	b := &bench{tb: tb}
	b.Bench = trackingtest.New(tb, func(c *tracking.Config) {
		b.store = &recordingStore{Store: c.Store}
		c.Store = b.store
		engine(c)
	})
	b.serve(configure...)
	b.mine, b.theirs = b.tenant("test"), b.tenant("other")
	return b
}

// fixedPositions returns the same positions for every vessel.
type fixedPositions struct{}

func (fixedPositions) Past(_ context.Context, q freight.PositionQuery) ([]tracking.Position, error) {
	heading, speed := 45.0, 17.5
	return []tracking.Position{
		{Latitude: 40, Longitude: 175, At: q.From},
		{Latitude: 41, Longitude: -175, At: q.To, Heading: &heading, SpeedKnots: &speed},
	}, nil
}

func (fixedPositions) Ahead(_ context.Context, q freight.CourseQuery) ([]tracking.Position, error) {
	return []tracking.Position{
		{Latitude: q.From.Latitude, Longitude: q.From.Longitude, At: q.Now, Estimated: true},
		{Latitude: q.To.Latitude, Longitude: q.To.Longitude, At: q.Now.Add(time.Minute), Estimated: true},
	}, nil
}

// serve replaces the server, with the same engine.
func (b *bench) serve(configure ...func(*httpserver.Config)) {
	config := httpserver.Config{Tracker: b.Operator, Clock: b.Clock, Limits: unlimited}
	for _, c := range configure {
		c(&config)
	}
	b.server = httpserver.New(config)
	b.prefix = "/v2"
	if config.Prefix != "" {
		b.prefix = strings.TrimRight(config.Prefix, "/")
	}
}

func (b *bench) newKey(a tracking.AccountID, user tracking.ID, permissions ...tracking.Permission) (string, tracking.ID) {
	b.tb.Helper()
	secret, key, err := b.Operator.CreateKey(context.Background(), tracking.NewKey{Account: a, User: user, Permissions: permissions})
	if err != nil {
		b.tb.Fatal(err)
	}
	return secret, key.ID
}

// tenant creates the data of an account through the interface.
func (b *bench) tenant(name string) *tenant {
	b.tb.Helper()
	ctx := context.Background()
	account, _, err := b.Operator.EnsureAccount(ctx, name)
	if err != nil {
		b.tb.Fatal(err)
	}
	address := "kim@example.com" // of the golden answers
	if name != "test" {
		address = "kim@" + name + ".example.com"
	}
	user, err := b.Operator.For(tracking.Actor{Account: account.Scope()}).Users().Create(ctx, tracking.NewUser{Name: "Kim", Email: address})
	if err != nil {
		b.tb.Fatal(err)
	}
	t := &tenant{account: account.Scope(), user: user.ID, ids: map[string]string{"user": user.ID.String()}}
	t.key, t.keyID = b.newKey(t.account, t.user)
	// Both have the same number and containers, so other differences are significant.
	own := strings.NewReplacer()
	if name != "test" {
		own = strings.NewReplacer("9321483", "9074729", "TRAP", "OICT", "EXAMPLE STAR", "CANARY STAR", "Acme", "Canary", "PO-9", "CANARY-9", "spring", "canary")
	}
	b.as(t, "GET", "/v2/events", "").want(200) // events are recorded from now on
	t.ids["tariff"] = b.as(t, "POST", "/v2/tariffs", own.Replace(tariff(oakland))).want(201).id()
	b.as(t, "POST", "/v2/reports", own.Replace(voyage)).want(200)
	t.ids["party"] = b.as(t, "POST", "/v2/parties", own.Replace(`{"data":{"attributes":{"company_name":"Acme"}}}`)).want(201).id()
	hook := b.as(t, "POST", "/v2/webhooks", own.Replace(`{"data":{"type":"webhook","attributes":{"url":"https://example.com/hooks/spring",
		"events":["tracking_request.succeeded","container.updated"],"headers":[{"name":"X-Env","value":"PO-9"}]}}}`)).want(201)
	t.ids["webhook"], t.secret = hook.id(), hook.attributes()["secret"].(string)
	t.ids["tracking_request"] = b.as(t, "POST", "/v2/tracking_requests", own.Replace(`{"data":{"type":"tracking_request","attributes":{
		"request_type":"bill_of_lading","request_number":"MAEU77001","scac":"MAEU","ref_numbers":["PO-9"],"shipment_tags":["spring"]},
		"relationships":{"customer":{"data":{"type":"party","id":"`)+t.ids["party"]+`"}}}}}`).want(201).id()
	containers := b.as(t, "GET", "/v2/containers?include=transport_events,raw_events,pod_terminal,shipment&filter[number]=MRKU9465770", "").want(200)
	for _, r := range append(containers.list("data"), containers.list("included")...) {
		t.ids[r["type"].(string)] = r["id"].(string)
	}
	for _, r := range b.as(t, "GET", "/v2/containers/"+t.ids["container"]+"/transport_events?include=vessel,location", "").want(200).list("included") {
		t.ids[r["type"].(string)] = r["id"].(string)
	}
	b.as(t, "PATCH", "/v2/containers/"+t.ids["container"], own.Replace(`{"data":{"type":"container","attributes":{"ref_numbers":["PO-9"]}}}`)).want(200)
	t.ids["webhook_notification"] = b.as(t, "GET", "/v2/webhook_notifications", "").want(200).list("data")[0]["id"].(string)
	t.ids["webhook_recovery"] = b.as(t, "POST", t.fill("/v2/webhooks/{webhook}/recover"), `{"since":"2026-03-01T00:00:00Z","events":["container.updated"]}`).want(202).id()
	b.fields(t, own.Replace)
	paper := b.document(t, own.Replace("Bill spring.pdf"), own.Replace("type: bill_of_lading\nbl_number: MAEU77001\ncontainer: MRKU9465770\npo: PO-9\nshipper: Acme\n"))
	t.ids["document"] = paper.id()
	b.as(t, "PATCH", "/v2/documents/"+t.ids["document"], own.Replace(`{"data":{"type":"document","attributes":{"extracted_data_manual":{"po":"PO-9"}}}}`)).want(200)
	mail := b.as(t, "POST", "/v2/email_submissions", own.Replace(email), "Content-Type: message/rfc822").want(201)
	t.ids["email_submission"] = mail.id()
	later := b.announce(t, "later.txt", "later")
	t.ids["handle"], t.ids["attachable"] = strings.TrimPrefix(later.DirectUpload.URL, "/v2/blobs/"), b.signed(t, "to be attached")
	var link struct {
		URL string `json:"download_url"`
	}
	if err := json.Unmarshal(b.as(t, "GET", t.fill("/v2/documents/{document}/download_url"), "").want(200).body, &link); err != nil {
		b.tb.Fatal(err)
	}
	t.ids["download"] = strings.TrimPrefix(link.URL, "http://host/v2/blobs/")
	t.ids["picture"] = b.document(t, "scan.png", picture(t.account)).id()
	t.ids["exception"] = b.as(t, "GET", "/v2/exceptions?filter[state]=open", "").want(200).list("data")[0]["id"].(string)
	t.ids["event"] = b.as(t, "GET", "/v2/events?page[size]=1", "").want(200).list("data")[0]["id"].(string)
	t.ids["document_schema"] = "bill_of_lading@1.0"
	t.ids["metro_area"] = b.as(t, "GET", "/v2/metro_areas/USOAK", "").want(200).id()
	t.ids["shipping_line"] = b.as(t, "GET", "/v2/shipping_lines/MAEU", "").want(200).id()
	return t
}

// fields defines custom fields and gives them values.
func (b *bench) fields(t *tenant, own func(string) string) {
	b.tb.Helper()
	define := func(attributes string) string {
		return b.as(t, "POST", "/v2/custom_field_definitions", definition(own(attributes))).want(201).id()
	}
	for _, entity := range tracking.Describe().EntityTypes {
		define(`"entity_type":"` + string(entity) + `","api_slug":"spare","display_name":"Spare","data_type":"short_text"`)
	}
	define(`"entity_type":"Shipment","api_slug":"po","display_name":"Purchase order","data_type":"short_text","validation":{"max_length":40}`)
	define(`"entity_type":"Container","api_slug":"lot","display_name":"Lot","data_type":"short_text"`)
	define(`"entity_type":"TrackingRequest","api_slug":"desk","display_name":"Desk","data_type":"short_text"`)
	t.ids["custom_field_definition"] = define(`"entity_type":"Shipment","api_slug":"grade","display_name":"Acme grade","data_type":"enum"`)
	for _, o := range []string{`"label":"Acme high","value":"high"`, `"label":"Acme low","value":"low"`} {
		t.ids["custom_field_option"] = b.as(t, "POST", t.fill("/v2/custom_field_definitions/{custom_field_definition}/options"), option(own(o))).want(201).id()
	}
	b.as(t, "POST", t.fill("/v2/shipments/{shipment}/custom_fields"), fieldValue(own(`"api_slug":"po","value":"PO-9"`))).want(201)
	b.as(t, "POST", t.fill("/v2/containers/{container}/custom_fields"), fieldValue(own(`"api_slug":"lot","value":"spring"`))).want(201)
	b.as(t, "POST", t.fill("/v2/tracking_requests/{tracking_request}/custom_fields"), fieldValue(own(`"api_slug":"desk","value":"Acme"`))).want(201)
	t.ids["custom_field"] = b.as(t, "POST", t.fill("/v2/shipments/{shipment}/custom_fields"), fieldValue(`"api_slug":"grade","value":"low"`)).want(201).id()
}

// picture returns a PNG of two pixels, different for each account.
func picture(a tracking.AccountID) string {
	img := image.NewNRGBA(image.Rect(0, 0, 2, 1))
	img.Set(0, 0, color.NRGBA{a[0], a[1], a[2], 255})
	var text strings.Builder
	if err := png.Encode(&text, img); err != nil {
		panic(err)
	}
	return text.String()
}

// email is a message with one attachment.
const email = "From: Kim <kim@example.com>\r\nTo: docs@example.com\r\nSubject: spring papers\r\nMessage-ID: <1@example.com>\r\nDate: Mon, 02 Mar 2026 09:00:00 +0100\r\n" +
	"MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nPlease see PO-9.\r\n" +
	"--b\r\nContent-Type: text/plain\r\nContent-Disposition: attachment; filename=\"spring notice.txt\"\r\n\r\ntype: arrival_notice\nbl_number: MAEU77001\npo: PO-9\r\n--b--\r\n"

// signed returns the signed ID of a new upload with its bytes.
func (b *bench) signed(t *tenant, content string) string {
	b.tb.Helper()
	ticket := b.announce(t, "file.txt", content)
	b.do("PUT", ticket.DirectUpload.URL, content, headersFor(ticket)...).want(204)
	return ticket.SignedID
}

// ticket is the response of POST /direct_uploads.
type ticket struct {
	SignedID     string `json:"signed_id"`
	DirectUpload struct {
		URL     string
		Headers map[string]string
	} `json:"direct_upload"`
}

func (b *bench) announce(t *tenant, name, content string) (made ticket) {
	b.tb.Helper()
	sum := md5.Sum([]byte(content))
	body, err := json.Marshal(map[string]any{"blob": map[string]any{
		"filename": name, "content_type": http.DetectContentType([]byte(content)), "byte_size": len(content), "checksum": base64.StdEncoding.EncodeToString(sum[:]),
	}})
	if err != nil {
		b.tb.Fatal(err)
	}
	a := b.as(t, "POST", "/v2/direct_uploads", string(body)).want(200)
	if err := json.Unmarshal(a.body, &made); err != nil {
		b.tb.Fatal(err)
	}
	made.DirectUpload.URL = strings.TrimPrefix(made.DirectUpload.URL, "http://host")
	return made
}

func headersFor(made ticket) (headers []string) {
	for name, value := range made.DirectUpload.Headers {
		headers = append(headers, name+": "+value)
	}
	return headers
}

// document uploads a file and creates a document from it.
func (b *bench) document(t *tenant, name, content string) *response {
	b.tb.Helper()
	body, err := json.Marshal(map[string]any{"data": map[string]any{"type": "document", "attributes": map[string]string{"name": name, "attached_document": b.signed(t, content)}}})
	if err != nil {
		b.tb.Fatal(err)
	}
	return b.as(t, "POST", "/v2/documents", string(body)).want(201)
}

// layoutCorrection corrects a document of a layout of its own, and returns the ID of what is
// learned from it.
func (b *bench) layoutCorrection(t *tenant) string {
	b.tb.Helper()
	b.layouts++
	paper := b.document(t, "Notice.txt", fmt.Sprintf("type: bill_of_lading\nshipper: Acme\nremark_%d: none\n", b.layouts)).id()
	b.Settle() // it is read
	b.as(t, "PATCH", "/v2/documents/"+paper, `{"data":{"type":"document","attributes":{"corrected_fields":[{"field":"buyer","value":"Acme"}]}}}`).want(200)
	b.Settle()
	return b.as(t, "GET", "/v2/layout_corrections", "").want(200).list("data")[0]["id"].(string)
}

// voyage is a report about one shipment of two containers.
const voyage = `{"source":"test","scac":"MAEU","facts":[
 {"id":"f1","event":"gate_in","classifier":"actual","at":"2026-01-28T09:00:00+08:00","place":{"locode":"CNSHA"},"mode":"truck","load":"laden","containers":["MRKU9465770","TCLU6718159"],"numbers":[{"type":"bill_of_lading","number":"MAEU77001"}]},
 {"id":"f2","event":"load","classifier":"actual","at":"2026-01-30T10:00:00+08:00","place":{"locode":"CNSHA"},"mode":"vessel","load":"laden","vessel":{"imo":"9321483","name":"EXAMPLE STAR"},"voyage":"12E","containers":["MRKU9465770","TCLU6718159"],"numbers":[{"type":"bill_of_lading","number":"MAEU77001"}]},
 {"id":"f3","event":"depart","classifier":"actual","at":"2026-01-31T02:00:00+08:00","place":{"locode":"CNSHA"},"mode":"vessel","vessel":{"imo":"9321483","name":"EXAMPLE STAR"},"voyage":"12E","numbers":[{"type":"bill_of_lading","number":"MAEU77001"}]},
 {"id":"f4","event":"arrive","classifier":"estimated","at":"2026-02-24T07:00:00-08:00","place":{"locode":"USOAK"},"mode":"vessel","vessel":{"imo":"9321483","name":"EXAMPLE STAR"},"voyage":"12E","numbers":[{"type":"bill_of_lading","number":"MAEU77001"}]},
 {"id":"f5","event":"arrive","classifier":"actual","at":"2026-02-25T07:00:00-08:00","place":{"locode":"USOAK"},"mode":"vessel","vessel":{"imo":"9321483","name":"EXAMPLE STAR"},"voyage":"12E","numbers":[{"type":"bill_of_lading","number":"MAEU77001"}]},
 {"id":"f6","event":"discharge","classifier":"actual","at":"2026-02-26T09:00:00-08:00","place":{"locode":"USOAK","smdg_code":"TRAP","facility":"Trapac"},"mode":"vessel","load":"laden","vessel":{"imo":"9321483","name":"EXAMPLE STAR"},"voyage":"12E","containers":["MRKU9465770"],"numbers":[{"type":"bill_of_lading","number":"MAEU77001"}],"equipment":{"iso_type":"45G1","seals":["S1"],"weight_kg":13607}},
 {"id":"f7","event":"terminal_status","at":"2026-02-26T12:00:00-08:00","place":{"locode":"USOAK","smdg_code":"TRAP","facility":"Trapac"},"containers":["MRKU9465770"],"numbers":[{"type":"bill_of_lading","number":"MAEU77001"}],"terminal":{"available_for_pickup":false,"holds":[{"name":"customs","status":"hold","description":"EXAM"}],"fees":[{"type":"exam","amount":120.5,"currency_code":"USD"}],"last_free_day":"2026-03-05","yard_location":"Row 7"}}
]}`

// response is a response, read.
type response struct {
	tb      testing.TB
	request string
	status  int
	header  http.Header
	body    []byte
}

// as sends a request with the tenant's key. Headers are given as "Name: value".
func (b *bench) as(t *tenant, method, path, body string, headers ...string) *response {
	b.tb.Helper()
	return b.do(method, path, body, append([]string{"Authorization: Token " + t.key}, headers...)...)
}

func (b *bench) do(method, path, body string, headers ...string) *response {
	b.tb.Helper()
	r := request(method, path, body, headers...)
	if b.address != "" {
		r.RemoteAddr = b.address
	} else { // the limit of failed attempts by address is not what most tests are about
		b.requests++
		r.RemoteAddr = fmt.Sprintf("10.%d.%d.%d:999", b.requests>>16&255, b.requests>>8&255, b.requests&255)
	}
	w := httptest.NewRecorder()
	b.server.ServeHTTP(w, r)
	a := &response{tb: b.tb, request: method + " " + short(path) + " " + short(body), status: w.Code, header: w.Header(), body: w.Body.Bytes()}
	a.check(method)
	b.asDescribed(r, a.status, a.header, a.body)
	return a
}

func request(method, path, body string, headers ...string) *http.Request {
	var from io.Reader
	if body != "" {
		from = strings.NewReader(body)
	}
	r := httptest.NewRequest(method, "http://host"+path, from)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		if name == "X-Forwarded-For" { // it may have several lines
			r.Header.Add(name, value)
		} else {
			r.Header.Set(name, value)
		}
	}
	return r
}

func short(s string) string {
	if len(s) > 200 {
		return s[:200] + "..."
	}
	return s
}

// check checks the properties that all responses have.
func (a *response) check(method string) {
	a.tb.Helper()
	for name, want := range map[string]string{"X-Content-Type-Options": "nosniff", "Cache-Control": "private, no-cache", "Vary": "Accept"} {
		if got := a.header.Get(name); got != want {
			a.tb.Errorf("%s: header %s is %q, want %q", a.request, name, got, want)
		}
	}
	if a.header.Get("X-Request-Id") == "" {
		a.tb.Errorf("%s: no X-Request-Id", a.request)
	}
	length, _ := strconv.Atoi(a.header.Get("Content-Length"))
	if method == "HEAD" && len(a.body) > 0 || method != "HEAD" && length != len(a.body) {
		a.tb.Errorf("%s: Content-Length %d, body of %d bytes", a.request, length, len(a.body))
	}
	if a.status >= 400 && method != "HEAD" {
		if fault := errorsShape(a.status, a.body, a.request); fault != "" {
			a.tb.Errorf("%s: %d %s: %s", a.request, a.status, a.body, fault)
		}
	}
}

// errorsShape returns what is wrong with an errors document. The request begins with
// its method and path.
func errorsShape(status int, body []byte, request string) string {
	if status == 422 && strings.HasPrefix(request, "POST /v2/webhooks/trigger ") {
		return detailsShape(body)
	}
	var doc struct {
		Errors []struct {
			Status *string `json:"status"`
			Title  *string `json:"title"`
			Detail *string `json:"detail"`
			Code   *string `json:"code"`
			Source *struct {
				Pointer   *string `json:"pointer"`
				Parameter *string `json:"parameter"`
			} `json:"source"`
			Meta map[string]any `json:"meta"`
		} `json:"errors"`
	}
	d := json.NewDecoder(bytes.NewReader(body))
	d.DisallowUnknownFields()
	if err := d.Decode(&doc); err != nil {
		return err.Error()
	}
	if len(doc.Errors) == 0 {
		return "no errors"
	}
	for _, e := range doc.Errors {
		if e.Status == nil || *e.Status != strconv.Itoa(status) {
			return "the status is not that of the response"
		}
		if e.Title == nil || *e.Title == "" {
			return "no title"
		}
		if e.Source != nil && e.Source.Pointer == nil && e.Source.Parameter == nil {
			return "an empty source"
		}
		if e.Source != nil && e.Source.Pointer != nil && *e.Source.Pointer != "" && (*e.Source.Pointer)[0] != '/' {
			return "a pointer without a slash"
		}
		if e.Source != nil && e.Detail != nil && !namesSource(*e.Detail, e.Source.Pointer, e.Source.Parameter) {
			return "the detail does not name its parameter: " + *e.Detail
		}
	}
	if secret := internalDataIn(string(body)); secret != "" {
		return "shows internal data: " + secret
	}
	return ""
}

// internalDataIn returns what of a text no answer may show; empty for nothing.
func internalDataIn(text string) string {
	for _, secret := range []string{"tracking:", "jsonapi:", "httpserver:", "goroutine", ".go:", "/work"} {
		if strings.Contains(text, secret) {
			return secret
		}
	}
	return ""
}

// publishedTexts are details of the published interface, word for word.
var publishedTexts = regexp.MustCompile(`(?s)^'.*' is not specified as a relationship on \w+( or \w+)*$|^'.*' already exists in Account$`)

// namesSource reports whether a detail has the name of its parameter, or of the last member
// of its pointer that is no index.
func namesSource(detail string, pointer, parameter *string) bool {
	name := ""
	unescape := strings.NewReplacer("~1", "/", "~0", "~").Replace
	switch {
	case parameter != nil:
		name = *parameter
	case strings.HasPrefix(*pointer, "/data/relationships/"):
		name = unescape(strings.Split(*pointer, "/")[3])
	default:
		for _, step := range strings.Split(*pointer, "/")[1:] {
			switch {
			case step == "":
				name = `""` // a member whose name is empty
			case strings.Trim(step, "0123456789") != "":
				name = unescape(step)
			}
		}
		if name == "" {
			return true // the whole body
		}
	}
	spelled := strings.NewReplacer("_", " ").Replace
	return strings.Contains(strings.ToLower(spelled(detail)), strings.ToLower(spelled(name))) || publishedTexts.MatchString(detail)
}

// detailsShape is errorsShape for errors with details only, as those of
// /webhooks/trigger.
func detailsShape(body []byte) string {
	var doc struct {
		Errors []map[string]string `json:"errors"`
	}
	if err := json.Unmarshal(body, &doc); err != nil {
		return err.Error()
	}
	for _, e := range doc.Errors {
		if e["detail"] == "" || len(e) != 1 {
			return "not a detail alone"
		}
	}
	if len(doc.Errors) == 0 {
		return "no errors"
	}
	return ""
}

func (a *response) want(status int) *response {
	a.tb.Helper()
	if a.status != status {
		a.tb.Fatalf("%s: %d, want %d: %s", a.request, a.status, status, a.body)
	}
	return a
}

func (a *response) doc() map[string]any {
	a.tb.Helper()
	var doc map[string]any
	if err := json.Unmarshal(a.body, &doc); err != nil {
		a.tb.Fatalf("%s: %s: %s", a.request, err, a.body)
	}
	return doc
}

func (a *response) id() string {
	a.tb.Helper()
	return a.doc()["data"].(map[string]any)["id"].(string)
}

// attributes of the one resource.
func (a *response) attributes() map[string]any {
	a.tb.Helper()
	return a.doc()["data"].(map[string]any)["attributes"].(map[string]any)
}

func (a *response) total() int {
	a.tb.Helper()
	return int(a.doc()["meta"].(map[string]any)["total"].(float64))
}

func (a *response) list(member string) []map[string]any {
	a.tb.Helper()
	var out []map[string]any
	rows, _ := a.doc()[member].([]any)
	for _, row := range rows {
		out = append(out, row.(map[string]any))
	}
	return out
}

// summary is the status with each error's code and source: "422 blank /data/id".
func (a *response) summary() string {
	parts := []string{strconv.Itoa(a.status)}
	for _, e := range a.list("errors") {
		for _, part := range []any{e["code"], member(e, "source", "pointer"), member(e, "source", "parameter")} {
			if s, _ := part.(string); s != "" {
				parts = append(parts, s)
			}
		}
	}
	return strings.Join(parts, " ")
}

func member(m map[string]any, names ...string) any {
	var v any = m
	for _, n := range names {
		m, _ := v.(map[string]any)
		v = m[n]
	}
	return v
}

// fill replaces {shipment} and so on in a text by the tenant's IDs.
func (t *tenant) fill(text string) string {
	for typ, id := range t.ids {
		text = strings.ReplaceAll(text, "{"+typ+"}", id)
	}
	return text
}

var uuids = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)

// signed IDs likewise.
var signed = regexp.MustCompile(`[A-Za-z0-9_-]{62}--[0-9a-f]{64}`)

// secrets are as random as IDs.
var secrets = regexp.MustCompile(`whsec_[A-Za-z0-9+/=]{44}`)

var requestIDs = regexp.MustCompile(`"request_id": "[0-9a-f]{16}"`)

// readable replaces IDs, which differ between runs, by short names in the order of
// appearance.
func readable(text string) string {
	names := map[string]string{}
	text = secrets.ReplaceAllString(text, "whsec_...")
	text = signed.ReplaceAllString(text, "{signed}")
	text = requestIDs.ReplaceAllString(text, `"request_id": "9f..."`)
	return uuids.ReplaceAllStringFunc(text, func(id string) string {
		if names[id] == "" {
			names[id] = "U" + strconv.Itoa(len(names)+1)
		}
		return names[id]
	})
}

// golden compares with a file of testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v (run with -update)", err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got, -update to accept):\n%s", file, diff)
	}
}

func indent(t *testing.T, body []byte) string {
	t.Helper()
	var b bytes.Buffer
	if len(body) == 0 {
		return ""
	}
	if body[0] != '{' { // the bytes of a document
		return string(body)
	}
	if err := json.Indent(&b, body, "", "  "); err != nil {
		t.Fatalf("%s: %s", err, body)
	}
	return b.String() + "\n"
}

func sorted[V any](m map[string]V) []string {
	names := make([]string, 0, len(m))
	for n := range m {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}
