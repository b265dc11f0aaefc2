package httpserver_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/blob/dir"
	"github.com/landfallhq/tracking/source/sandbox"
	"github.com/landfallhq/tracking/storage"
	"github.com/landfallhq/tracking/store"
	"github.com/landfallhq/tracking/trackingtest"
	"github.com/landfallhq/tracking/webhook"
	"github.com/landfallhq/tracking/webhook/signature"
)

// oldDatabase is the database of testdata/olddatabase, opened with today's program at
// the time at which it was closed.
type oldDatabase struct {
	*bench
	formerSecret string
	answers      []oldAnswer
	received     []received
}

// oldAnswer is the answer of the older program to a GET request.
type oldAnswer struct {
	path   string
	status int
	body   string
}

// received is a webhook delivery.
type received struct {
	path   string
	header http.Header
	body   []byte
}

func openOldDatabase(t *testing.T) *oldDatabase {
	t.Helper()
	folder := t.TempDir()
	unpack(t, "testdata/olddatabase/data.tar.gz", folder)
	text, err := os.ReadFile(filepath.Join(folder, "answers.txt"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	value := func(line int, name string) string {
		v, ok := strings.CutPrefix(lines[line], name+" ")
		if !ok {
			t.Fatalf("line %d of answers.txt is no %s", line, name)
		}
		return v
	}
	at, err := time.Parse(time.RFC3339, value(0, "at"))
	if err != nil {
		t.Fatal(err)
	}
	o := &oldDatabase{bench: &bench{tb: t}, formerSecret: value(2, "former_secret")}
	for i := 3; i < len(lines); i += 3 {
		status, _ := strconv.Atoi(lines[i+1])
		o.answers = append(o.answers, oldAnswer{value(i, "GET"), status, lines[i+2]})
	}

	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		o.received = append(o.received, received{r.URL.Path, r.Header, body})
	}))
	t.Cleanup(server.Close)
	records, err := storage.Open(filepath.Join(folder, "landfall.db"))
	if err != nil {
		t.Fatal(err)
	}
	o.store = &recordingStore{Store: records}
	blobs, err := dir.Open(filepath.Join(folder, "landfall-documents"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { blobs.Close() })
	o.Bench = trackingtest.New(t, func(c *tracking.Config) {
		c.Clock.(*trackingtest.Clock).Set(at)
		c.Store, c.Blobs, c.Sources = o.store, blobs, tracking.Sources{
			sandbox.SCAC: sandbox.New(sandbox.Config{}),
			"MAEU":       sandbox.New(sandbox.Config{}), // is not asked; since then lines show as tracked only where they have a source
		}
		c.Notifier = redirecting{webhook.New(webhook.Config{AllowHTTP: true, AllowPrivate: true}), server.URL}
		c.Delivery.Workers = 1
	})
	o.serve()
	o.mine = &tenant{account: o.Account.Scope(), key: value(1, "key")}
	return o
}

// redirecting sends webhooks to another host, with the same path.
type redirecting struct {
	*webhook.Notifier
	host string
}

func (n redirecting) Send(ctx context.Context, d tracking.Dispatch) tracking.Outcome {
	d.URL = n.host + d.URL[strings.LastIndex(d.URL, "/"):]
	return n.Notifier.Send(ctx, d)
}

func unpack(t *testing.T, archive, folder string) {
	t.Helper()
	file, err := os.Open(archive)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	z, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Join(folder, h.Name)
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func (o *oldDatabase) get(path string) *response {
	o.tb.Helper()
	return o.as(o.mine, "GET", path, "").want(200)
}

// withoutRecords are the kinds of which the old database has no record: reference data
// is not stored, a document_ask is there only while a document is read, costs come with tariffs, layouts with corrections, no
// user could sign in, and no shipment has arrived by the time of a ship.
const withoutRecords = "audit_event document_ask exception exception_settings import_cost layout_correction mail_subscription metro_area next_milestone port session share_link shipping_line tariff user_address user_credential view voyage"

// addedSince are the attributes and relationships that are newer than the old database, by resource type.
// Answers are compared without them and their names: "container": {"seal_count"}.
var addedSince = map[string][]string{
	"shipment":             {"pod_eta_source", "pod_eta_band", "promised_arrival_at"},
	"container":            {"next_milestone", "next_milestone_location_locode", "next_milestone_expected_at", "next_milestone_due_at", "overdue"},
	"document":             {"corrected_fields", "discrepancies", "first_page", "last_page", "split_from", "split_documents"},
	"webhook":              {"format", "template"},
	"webhook_notification": {"last_attempt_at", "redelivery_requested_at"},
}

// withoutAttributes removes the attributes from the resources of an answer.
func withoutAttributes(t *testing.T, body []byte, attributes map[string][]string) []byte {
	t.Helper()
	if len(attributes) == 0 {
		return body
	}
	var document any
	if err := json.Unmarshal(body, &document); err != nil {
		t.Fatal(err)
	}
	var remove func(v any)
	remove = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, item := range v {
				remove(item)
			}
		case map[string]any:
			typ, _ := v["type"].(string)
			for _, of := range []string{"attributes", "relationships"} {
				if values, ok := v[of].(map[string]any); ok {
					for _, name := range attributes[typ] {
						delete(values, name)
					}
				}
			}
			for name, member := range v {
				if list, ok := member.([]any); ok { // the names of those that are shown as they are now
					v[name] = slices.DeleteFunc(list, func(e any) bool { s, _ := e.(string); return slices.Contains(attributes[name], s) })
				}
				remove(v[name])
			}
		}
	}
	remove(document)
	text, err := json.Marshal(document)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestWithoutAttributes(t *testing.T) {
	body := `{"data":[{"type":"container","attributes":{"number":"A","seal_count":2}}],"included":[{"type":"shipment","attributes":{"seal_count":3}}],"meta":{"container":["number","seal_count"]}}`
	want := `{"data":[{"attributes":{"number":"A"},"type":"container"}],"included":[{"attributes":{"seal_count":3},"type":"shipment"}],"meta":{"container":["number"]}}`
	if got := string(withoutAttributes(t, []byte(body), map[string][]string{"container": {"seal_count"}})); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

var rulesVersion = regexp.MustCompile(`"rules_version":\d+`)

// lines are those of maps, which follow the shipping lanes since they are known.
var lines = regexp.MustCompile(`"coordinates":\[\[[^a-z"]*\]\],"type":"(Multi)?LineString"|"point_count":\d+`)

// TestOldDatabase opens a database that an older program wrote; see
// testdata/olddatabase/README.md.
func TestOldDatabase(t *testing.T) {
	o := openOldDatabase(t)
	o.checkKinds(t)
	for _, a := range o.answers {
		got := o.as(o.mine, "GET", a.path, "")
		// Resources without a path had no links then.
		present := bytes.ReplaceAll(got.body, []byte(`,"links":{}`), nil)
		was, is := withoutAttributes(t, []byte(a.body), addedSince), withoutAttributes(t, present, addedSince)
		// The past is told by the present rules.
		was = rulesVersion.ReplaceAll(was, fmt.Appendf(nil, `"rules_version":%d`, tracking.Describe().RulesVersion))
		was, is = lines.ReplaceAll(was, []byte(`"line":"of the map"`)), lines.ReplaceAll(is, []byte(`"line":"of the map"`))
		if got.status != a.status || !bytes.Equal(was, is) {
			t.Errorf("GET %s: %d (-then %d, +now):\n%s", a.path, got.status, a.status, cmp.Diff(indent(t, was), indent(t, is)))
		}
	}
	if len(o.answers) < 50 {
		t.Errorf("%d answers", len(o.answers))
	}
	o.checkIdempotency(t)
	o.checkDownload(t)
	underWay := o.underWay()
	o.checkDeliveries(t)
	o.checkJobs(t, underWay)
	if n := o.outdated(t); n != 0 {
		t.Errorf("%d records are not in the present generation, after the background work", n)
	}
}

// outdated counts the records of earlier generations. The old program kept a digest with
// each record, which counts as such.
func (o *oldDatabase) outdated(t *testing.T) (all int) {
	t.Helper()
	for _, k := range o.store.kinds {
		for _, scope := range []tracking.AccountID{{}, o.mine.account} {
			err := o.store.View(t.Context(), scope, func(tx store.RecordTx) error {
				_, n, err := tx.List(t.Context(), k, store.Filter{Outdated: true}, tracking.Page{}, nil)
				all += n
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	return all
}

// checkKinds checks that each kind has records, of an earlier generation.
func (o *oldDatabase) checkKinds(t *testing.T) {
	if o.outdated(t) == 0 {
		t.Error("there are no records of an earlier generation")
	}
	var none []string
	for _, k := range o.store.kinds {
		all := 0
		for _, scope := range []tracking.AccountID{{}, o.mine.account} {
			err := o.store.View(t.Context(), scope, func(tx store.RecordTx) error {
				_, n, err := tx.List(t.Context(), k, store.Filter{}, tracking.Page{}, nil)
				all += n
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		if all == 0 {
			none = append(none, k.Name)
		}
	}
	if got := strings.Join(none, " "); got != withoutRecords {
		t.Errorf("kinds without records: %s", got)
	}
}

// checkIdempotency repeats a request with its key.
func (o *oldDatabase) checkIdempotency(t *testing.T) {
	party := o.get("/v2/parties").list("data")[0]["id"].(string)
	made := o.get("/v2/tracking_requests?filter[request_number]=MAEU77001").list("data")[0]["id"]
	again := o.as(o.mine, "POST", "/v2/tracking_requests", `{"data":{"type":"tracking_request","attributes":{
		"request_type":"bill_of_lading","request_number":"MAEU77001","scac":"MAEU","ref_numbers":["PO-9"],"shipment_tags":["spring"]},
		"relationships":{"customer":{"data":{"type":"party","id":"`+party+`"}}}}}`, "Idempotency-Key: request-1").want(201)
	if again.id() != made {
		t.Errorf("the idempotency key gives %s, want %s", again.id(), made)
	}
}

func (o *oldDatabase) checkDownload(t *testing.T) {
	var link struct {
		URL string `json:"download_url"`
	}
	for _, d := range o.get("/v2/documents").list("data") {
		if err := json.Unmarshal(o.get("/v2/documents/"+d["id"].(string)+"/download_url").body, &link); err != nil {
			t.Fatal(err)
		}
		want := map[string]string{"notice.txt": "BLUE OCEAN LINES", "scan.png": "\x89PNG", "spring notice.txt": "ARRIVAL NOTICE"}[d["attributes"].(map[string]any)["name"].(string)]
		if got := o.do("GET", strings.TrimPrefix(link.URL, "http://host"), "").want(200).body; want == "" || !bytes.HasPrefix(bytes.TrimSpace(got), []byte(want)) {
			t.Errorf("the document %v has the bytes %.40q, want %q", d["attributes"], got, want)
		}
	}
}

// checkDeliveries lets the pending deliveries arrive, and verifies what arrived with the
// secrets of the webhooks.
func (o *oldDatabase) checkDeliveries(t *testing.T) {
	const pending = "/v2/webhook_notifications?filter[delivery_status]=pending&include=&page[size]=100"
	waiting := o.get(pending).list("data")
	secrets := map[string]string{}
	rotated := ""
	for _, h := range o.get("/v2/webhooks").list("data") {
		url := h["attributes"].(map[string]any)["url"].(string)
		path := url[strings.LastIndex(url, "/"):]
		secrets[path] = h["attributes"].(map[string]any)["secret"].(string)
		if path == "/rotated" {
			rotated = h["id"].(string)
		}
	}
	last := o.get("/v2/webhook_notifications?include=&filter[webhook]=" + rotated).list("data")[0]["id"].(string)
	o.as(o.mine, "POST", "/v2/webhook_notifications/"+last+"/redeliver", "").want(202)
	o.Pass(2 * time.Hour)
	if n := len(o.get(pending).list("data")); len(waiting) == 0 || n > 0 {
		t.Errorf("%d deliveries were pending, and %d still are", len(waiting), n)
	}
	arrived := map[string]int{}
	for _, r := range o.received {
		arrived[r.path]++
		use := []string{secrets[r.path]}
		if r.path == "/rotated" {
			use = append(use, o.formerSecret)
		}
		for _, secret := range use {
			if err := signature.VerifyAt(o.Clock.Now(), r.header, r.body, []string{secret}, 3*time.Hour); err != nil {
				t.Errorf("the delivery to %s: %v", r.path, err)
			}
		}
	}
	if arrived["/busy"] == 0 || arrived["/rotated"] == 0 {
		t.Errorf("deliveries: %v", arrived)
	}
	for _, n := range waiting {
		if !bytes.Contains(bytes.Join(o.bodies(), nil), []byte(n["id"].(string))) {
			t.Errorf("the pending notification %v has not arrived", n["id"])
		}
	}
}

func (o *oldDatabase) bodies() (all [][]byte) {
	for _, r := range o.received {
		all = append(all, r.body)
	}
	return all
}

// checkJobs lets the waiting jobs run: the source is asked again for a number that it did
// not know at first, and for voyages that end. Before that, underWay counted before.
func (o *oldDatabase) checkJobs(t *testing.T, before int) {
	o.Pass(24 * time.Hour)
	request := o.get("/v2/tracking_requests?include=&filter[request_number]=TEST-TR-AWAITING").list("data")[0]
	if got := request["attributes"].(map[string]any)["status"]; got != "created" {
		t.Errorf("the request for a number that is known by now is %v", got)
	}
	if after := o.underWay(); after >= before {
		t.Errorf("%d containers were under way, and %d still are", before, after)
	}
}

// underWay counts the containers of the sandbox that are not returned.
func (o *oldDatabase) underWay() (n int) {
	for _, c := range o.get("/v2/containers?include=&filter[scac]=TEST").list("data") {
		if c["attributes"].(map[string]any)["empty_terminated_at"] == nil {
			n++
		}
	}
	return n
}
