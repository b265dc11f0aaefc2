// Command make writes data.tar.gz next to it: a database and its documents, as the given
// landfall program leaves them, and the answers of that program to GET requests.
// README.md says when and how it is run.
package main

import (
	"archive/tar"
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/md5"
	"database/sql"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"io"
	"io/fs"
	"log"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	_ "github.com/mattn/go-sqlite3"
)

const (
	// endpoint receives the webhooks; its port is in the database.
	endpoint = "127.0.0.1:38471"
	// masterKey is that of trackingtest.
	masterKey = "testtesttesttesttesttesttesttest"
	out       = "httpserver/testdata/olddatabase"
)

type maker struct {
	program, dir, db string
	base, key        string
	ids              map[string]string
}

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 {
		log.Fatal("usage: go run ./" + out + "/make.go PROGRAM")
	}
	dir, err := os.MkdirTemp("", "olddatabase-")
	check(err)
	defer os.RemoveAll(dir)
	program, err := filepath.Abs(os.Args[1])
	check(err)
	m := &maker{program: program, dir: dir, db: filepath.Join(dir, "landfall.db"), ids: map[string]string{}}
	receive()
	m.operate()
	stop := m.serve()
	m.fill()
	answers := m.settle()
	stop()
	at := time.Now().UTC().Truncate(time.Second).Add(time.Second)
	m.vacuum()
	m.write("answers.txt", "at "+at.Format(time.RFC3339)+"\nkey "+m.key+"\nformer_secret "+m.ids["former_secret"]+"\n"+answers)
	m.pack()
}

func check(err error) {
	if err != nil {
		fail(err)
	}
}

// server runs while requests are sent.
var server *exec.Cmd

func fail(v ...any) {
	if server != nil {
		server.Process.Kill()
	}
	log.Fatal(v...)
}

// receive serves the endpoints of the webhooks: /busy asks for patience, the others
// accept.
func receive() {
	l, err := net.Listen("tcp", endpoint)
	check(err)
	go http.Serve(l, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		if r.URL.Path == "/busy" {
			w.Header().Set("Retry-After", "3600")
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}))
}

func (m *maker) command(args ...string) *exec.Cmd {
	c := exec.Command(m.program, args...)
	c.Env = []string{"LANDFALL_DB=" + m.db, "LANDFALL_MASTER_KEY=" + base64.StdEncoding.EncodeToString([]byte(masterKey)), "TMPDIR=" + m.dir, "HOME=" + m.dir}
	c.Dir, c.Stderr = m.dir, os.Stderr
	return c
}

// run runs an operator's command and returns the lines that it prints.
func (m *maker) run(args ...string) []string {
	text, err := m.command(args...).Output()
	if err != nil {
		fail(args, err)
	}
	return strings.Split(strings.TrimSpace(string(text)), "\n")
}

// operate uses the commands of the operator.
func (m *maker) operate() {
	m.write("terminals.csv", "UNLOCODE,Terminal Code,Terminal Facility Name\nUSOAK,TRAP,TraPac Oakland\n")
	m.run("terminals", "import", "terminals.csv")
	m.ids["user"] = m.run("users", "create", "--account", "test", "--name", "Kim", "--email", "kim@example.com")[0]
	m.key = m.run("keys", "create", "--account", "test", "--user", "kim@example.com")[0]
	m.run("keys", "create", "--account", "test", "--permissions", "show", "--limit", "default=10")
	m.run("accounts", "set", "--account", "test", "--company-name", "Test Ltd", "--duplicate-documents", "accept")
	m.write("history.json", strings.ReplaceAll(strings.NewReplacer("MAEU77001", "MAEU66001", "MRKU9465770", "WHLU1234560", "TCLU6718159", "MSKU1234565").Replace(voyage), "2026-0", "2025-0"))
	m.run("import", "--account", "test", "--format", "report", "history.json")
	m.ids["webhook"] = m.run("webhooks", "create", "--account", "test", "--allow-private-webhooks", "--url", "http://"+endpoint+"/well", "--header", "X-Env: test")[0]
}

func (m *maker) write(name, text string) {
	check(os.WriteFile(filepath.Join(m.dir, name), []byte(text), 0o600))
}

// serve starts the server and returns the function that stops it.
func (m *maker) serve() (stop func()) {
	c := m.command("serve", "--addr", "127.0.0.1:0", "--sandbox", "--allow-private-webhooks",
		"--rate-default", "0", "--rate-create", "0", "--rate-infer", "0", "--rate-refresh", "0")
	read, err := c.StdoutPipe()
	check(err)
	check(c.Start())
	server = c
	lines := bufio.NewScanner(read)
	for m.base == "" && lines.Scan() {
		if _, base, ok := strings.Cut(lines.Text(), "serving "); ok {
			m.base = strings.TrimSuffix(base, "/v2")
		}
	}
	go io.Copy(io.Discard, read)
	return func() {
		check(c.Process.Signal(syscall.SIGTERM))
		check(c.Wait())
	}
}

// do sends a request, whose path and body may have {shipment} and the like.
func (m *maker) do(method, path, body string, headers ...string) (int, http.Header, []byte) {
	for name, id := range m.ids {
		path, body = strings.ReplaceAll(path, "{"+name+"}", id), strings.ReplaceAll(body, "{"+name+"}", id)
	}
	r, err := http.NewRequest(method, m.base+path, strings.NewReader(body))
	check(err)
	r.Host = "host"
	r.Header.Set("Authorization", "Token "+m.key)
	r.Header.Set("Content-Type", "application/json")
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		r.Header.Set(name, value)
	}
	res, err := http.DefaultClient.Do(r)
	check(err)
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	check(err)
	if res.StatusCode >= 400 {
		fail(method, " ", path, ": ", res.Status, " ", string(text))
	}
	return res.StatusCode, res.Header, text
}

type resource struct {
	ID, Type   string
	Attributes map[string]any
}

// make creates a resource and keeps its ID under a name.
func (m *maker) make(name, path, body string, headers ...string) {
	_, _, text := m.do("POST", path, body, headers...)
	var doc struct{ Data resource }
	check(json.Unmarshal(text, &doc))
	m.ids[name] = doc.Data.ID
}

func (m *maker) list(path string) []resource {
	_, _, text := m.do("GET", path, "")
	var doc struct{ Data, Included []resource }
	check(json.Unmarshal(text, &doc))
	return append(doc.Data, doc.Included...)
}

// fill creates at least one of each resource over HTTP.
func (m *maker) fill() {
	m.make("party", "/v2/parties", `{"data":{"attributes":{"company_name":"Acme"}}}`)
	m.make("busy_webhook", "/v2/webhooks", `{"data":{"type":"webhook","attributes":{"url":"http://`+endpoint+`/busy","events":["container.created","tracking_request.succeeded"],"active":true}}}`)
	m.make("rotated_webhook", "/v2/webhooks", `{"data":{"type":"webhook","attributes":{"url":"http://`+endpoint+`/rotated","events":["tracking_request.succeeded","container.updated"],"active":true}}}`)
	m.ids["former_secret"] = m.one("/v2/webhooks/{rotated_webhook}").Attributes["secret"].(string)
	m.run("webhooks", "rotate", "--account", "test", "--overlap", "168h", m.ids["rotated_webhook"])
	m.make("idle_webhook", "/v2/webhooks", `{"data":{"type":"webhook","attributes":{"url":"http://`+endpoint+`/idle","events":["container.created"],"active":false}}}`)

	m.do("POST", "/v2/reports", voyage, "Idempotency-Key: report-1")
	m.do("POST", "/v2/reports", expected)
	m.make("tracking_request", "/v2/tracking_requests", `{"data":{"type":"tracking_request","attributes":{
		"request_type":"bill_of_lading","request_number":"MAEU77001","scac":"MAEU","ref_numbers":["PO-9"],"shipment_tags":["spring"]},
		"relationships":{"customer":{"data":{"type":"party","id":"{party}"}}}}}`, "Idempotency-Key: request-1")
	for _, number := range []string{"TEST-VOYAGE-HOLDS-60", "TEST-VOYAGE-RAIL-50", "TEST-TR-SUCCEEDED", "TEST-TR-AWAITING", "TEST-TR-FAILED"} {
		m.make(number, "/v2/tracking_requests", `{"data":{"type":"tracking_request","attributes":{"request_type":"bill_of_lading","request_number":"`+number+`","scac":"TEST"}}}`)
	}
	for _, r := range m.list("/v2/containers?filter[number]=MRKU9465770&include=transport_events,raw_events,pod_terminal,shipment,shipment.port_of_discharge") {
		m.ids[r.Type] = r.ID
	}
	m.ids["container"] = m.list("/v2/containers?filter[number]=MRKU9465770")[0].ID
	m.do("PATCH", "/v2/containers/{container}", `{"data":{"type":"container","attributes":{"ref_numbers":["PO-9"]}}}`)
	m.ids["before"] = time.Now().UTC().Format(time.RFC3339)
	time.Sleep(1100 * time.Millisecond)
	m.do("POST", "/v2/reports", later)
	m.do("POST", "/v2/reports", strings.NewReplacer("TRAP", "OICT", "Trapac", "SSA", "2026-12-24", "2026-12-26", "data_version", "2").Replace(expected))
	m.do("GET", "/readyz", "")
	m.ids["stopped"] = m.list("/v2/shipments?number=66001")[0].ID
	m.do("PATCH", "/v2/shipments/{stopped}/stop_tracking", "")
	m.make("webhook_recovery", "/v2/webhooks/{webhook}/recover", `{"since":"`+time.Now().UTC().Add(-time.Hour).Format(time.RFC3339)+`"}`)
	m.fields()
	m.documents()
	m.ids["metro_area"], m.ids["shipping_line"] = m.one("/v2/metro_areas/USOAK").ID, m.one("/v2/shipping_lines/MAEU").ID
	m.ids["vessel"] = m.one("/v2/vessels/9321483").ID
	m.ids["webhook_notification"] = m.list("/v2/webhook_notifications?include=")[0].ID
}

func (m *maker) one(path string) resource {
	_, _, text := m.do("GET", path, "")
	var doc struct{ Data resource }
	check(json.Unmarshal(text, &doc))
	return doc.Data
}

// fields defines custom fields and gives them values.
func (m *maker) fields() {
	define := func(name, attributes string) {
		m.make(name, "/v2/custom_field_definitions", `{"data":{"type":"custom_field_definition","attributes":{`+attributes+`}}}`)
	}
	value := func(name, path, attributes string) {
		m.make(name, path, `{"data":{"type":"custom_field","attributes":{`+attributes+`}}}`)
	}
	define("po", `"entity_type":"Shipment","api_slug":"po","display_name":"Purchase order","data_type":"short_text","validation":{"max_length":40}`)
	define("lot", `"entity_type":"Container","api_slug":"lot","display_name":"Lot","data_type":"number","default_value":"12.50","validation":{"min":0,"scale":2}`)
	define("due", `"entity_type":"TrackingRequest","api_slug":"due","display_name":"Due","data_type":"date"`)
	define("custom_field_definition", `"entity_type":"Shipment","api_slug":"grade","display_name":"Grade","data_type":"enum"`)
	for _, v := range []string{"high", "low"} {
		m.make("custom_field_option", "/v2/custom_field_definitions/{custom_field_definition}/options", `{"data":{"type":"custom_field_option","attributes":{"label":"Is `+v+`","value":"`+v+`"}}}`)
	}
	value("po_value", "/v2/shipments/{shipment}/custom_fields", `"api_slug":"po","value":"PO-9"`)
	value("lot_value", "/v2/containers/{container}/custom_fields", `"api_slug":"lot","value":"7"`)
	value("due_value", "/v2/tracking_requests/{tracking_request}/custom_fields", `"api_slug":"due","value":"2026-04-01"`)
	value("custom_field", "/v2/shipments/{shipment}/custom_fields", `"api_slug":"grade","value":"low"`)
	m.do("PATCH", "/v2/custom_fields/{custom_field}", `{"data":{"type":"custom_field","attributes":{"value":"high"}}}`)
}

// documents makes documents of uploads and of an email, and one upload that no document
// has.
func (m *maker) documents() {
	upload := func(name, kind, content string) string {
		sum := md5.Sum([]byte(content))
		_, _, text := m.do("POST", "/v2/direct_uploads", fmt.Sprintf(`{"blob":{"filename":%q,"content_type":%q,"byte_size":%d,"checksum":%q}}`,
			name, kind, len(content), base64.StdEncoding.EncodeToString(sum[:])))
		var made struct {
			SignedID     string `json:"signed_id"`
			DirectUpload struct {
				URL     string
				Headers map[string]string
			} `json:"direct_upload"`
		}
		check(json.Unmarshal(text, &made))
		var headers []string
		for name, value := range made.DirectUpload.Headers {
			headers = append(headers, name+": "+value)
		}
		m.do("PUT", strings.TrimPrefix(made.DirectUpload.URL, "http://host"), content, headers...)
		return made.SignedID
	}
	attach := func(id, name, kind, content string) {
		m.make(id, "/v2/documents", `{"data":{"type":"document","attributes":{"name":"`+name+`","attached_document":"`+upload(name, kind, content)+`"}}}`)
	}
	notice, err := os.ReadFile("classify/testdata/arrival.txt")
	check(err)
	attach("document", "notice.txt", "text/plain", strings.NewReplacer("MEDUX1234567", "MAEU77001", "MSKU1234565", "MRKU9465770").Replace(string(notice)))
	m.do("PATCH", "/v2/documents/{document}", `{"data":{"type":"document","attributes":{"extracted_data_manual":{"po":"PO-9"}}}}`)
	var picture bytes.Buffer
	check(png.Encode(&picture, image.NewNRGBA(image.Rect(0, 0, 2, 1))))
	attach("picture", "scan.png", "image/png", picture.String())
	attach("deleted", "deleted.txt", "text/plain", "deleted")
	m.do("DELETE", "/v2/documents/{deleted}", "")
	m.do("POST", "/v2/documents/{picture}/rotate", `{"degrees":90}`)
	upload("later.txt", "text/plain", "no document has this")
	m.make("email_submission", "/v2/email_submissions", email, "Content-Type: message/rfc822")
}

// paths are the requests whose answers are kept. Answers that depend on the time of the
// request, and those that describe the interface, are not among them.
var paths = []string{
	"/v2/shipments", "/v2/shipments?page[number]=2&page[size]=1&include=containers", "/v2/shipments?q=77001&sort=-pod_eta_at",
	"/v2/shipments?filter[tags]=spring&filter[custom_fields][grade]=high&include=custom_fields,containers.custom_fields",
	"/v2/shipments/{shipment}?include=containers.transport_events,port_of_lading,pod_terminal,line_tracking_stopped_by_user",
	"/v2/shipments/{shipment}?as_of={before}&include=containers", "/v2/shipments/{stopped}?include=line_tracking_stopped_by_user",
	"/v2/shipments/{shipment}/eta_revisions?include=source_event", "/v2/shipments/{shipment}/custom_fields?include=definition,updated_by",
	"/v2/containers?sort=created_at", "/v2/containers?filter[number]=MRKU9465770&filter[has_hold]=true&include=shipment",
	"/v2/containers/{container}?include=shipment.port_of_lading,raw_events", "/v2/containers/{container}/history?page[size]=100",
	"/v2/containers/{container}/transport_events?include=location,terminal,vessel", "/v2/containers/{container}/raw_events?include=container,terminal",
	"/v2/containers/{container}/map_geojson", "/v2/containers/{container}/route?include=port,vessel,route_location", "/v2/containers/{container}/custom_fields",
	"/v2/tracking_requests?page[size]=100&include=", "/v2/tracking_requests/{tracking_request}?include=customer,user,account", "/v2/tracking_requests/{TEST-TR-AWAITING}",
	"/v2/tracking_requests/{TEST-TR-FAILED}", "/v2/tracking_requests/{tracking_request}/custom_fields",
	"/v2/search?query=mrku-9465", "/v2/search?query=7700", "/v2/ports/usoak?include=terminals", "/v2/metro_areas/{metro_area}",
	"/v2/terminals?filter[code]=TRAP&include=port", "/v2/vessels?filter[imo]=9321483", "/v2/vessels/{vessel}", "/v2/shipping_lines/{shipping_line}",
	"/v2/parties", "/v2/parties/{party}",
	"/v2/webhooks", "/v2/webhooks/{webhook}", "/v2/webhooks/{busy_webhook}", "/v2/webhooks/{rotated_webhook}", "/v2/webhook_recoveries/{webhook_recovery}?include=webhook",
	"/v2/webhook_notifications?page[size]=100&include=webhook,webhook_notification_logs", "/v2/webhook_notifications?filter[delivery_status]=pending&include=",
	"/v2/webhook_notifications/{webhook_notification}?include=reference_object,webhook_notification_logs",
	"/v2/custom_field_definitions", "/v2/custom_field_definitions/{custom_field_definition}", "/v2/custom_field_definitions/{custom_field_definition}/options",
	"/v2/custom_field_definitions/{custom_field_definition}/options/{custom_field_option}", "/v2/custom_fields?include=entity,definition,updated_by",
	"/v2/custom_fields/{custom_field}", "/v2/custom_fields/{custom_field}/history?include=updated_by",
	"/v2/documents?include=shipments,cargos,account,user,last_document_representation,email_submission,current_extraction", "/v2/documents/{document}",
	"/v2/documents/{picture}", "/v2/email_submissions", "/v2/email_submissions/{email_submission}?include=account,user,documents",
}

// settle waits until nothing changes any more, and returns the answers.
func (m *maker) settle() string {
	last := ""
	for range 120 {
		time.Sleep(time.Second)
		now := m.answers()
		if unread := slices.ContainsFunc(m.list("/v2/documents?include="), func(r resource) bool { return strings.HasSuffix(fmt.Sprint(r.Attributes["status"]), "ing") }); !unread && now == last {
			return now
		}
		last = now
	}
	fail("the answers change all the time")
	return ""
}

func (m *maker) answers() string {
	var b strings.Builder
	for _, path := range paths {
		for name, id := range m.ids {
			path = strings.ReplaceAll(path, "{"+name+"}", id)
		}
		status, _, body := m.do("GET", path, "")
		fmt.Fprintf(&b, "GET %s\n%d\n%s\n", path, status, body)
	}
	return b.String()
}

func (m *maker) vacuum() {
	db, err := sql.Open("sqlite3", m.db)
	check(err)
	for _, q := range []string{"VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)"} {
		_, err := db.Exec(q)
		check(err)
	}
	check(db.Close())
}

// pack writes the archive.
func (m *maker) pack() {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	check(err)
	t := tar.NewWriter(z)
	add := func(file string) {
		text, err := os.ReadFile(file)
		check(err)
		name, err := filepath.Rel(m.dir, file)
		check(err)
		check(t.WriteHeader(&tar.Header{Name: filepath.ToSlash(name), Mode: 0o600, Size: int64(len(text))}))
		_, err = t.Write(text)
		check(err)
	}
	add(m.db)
	add(filepath.Join(m.dir, "answers.txt"))
	check(filepath.WalkDir(filepath.Join(m.dir, "landfall-documents"), func(file string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			add(file)
		}
		return err
	}))
	check(t.Close())
	check(z.Close())
	check(os.WriteFile(filepath.Join(out, "data.tar.gz"), b.Bytes(), 0o644))
	fmt.Println(b.Len(), "bytes")
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

// expected is a report about a shipment at sea; fill changes its estimate and terminal.
const expected = `{"source":"test","scac":"MAEU","facts":[
 {"id":"e1","event":"load","classifier":"actual","at":"2026-11-10T10:00:00+08:00","place":{"locode":"CNSHA"},"mode":"vessel","load":"laden","vessel":{"imo":"9321483","name":"EXAMPLE STAR"},"voyage":"13E","containers":["TCLU6718159"],"numbers":[{"type":"bill_of_lading","number":"MAEU77002"}]},
 {"id":"e2","event":"depart","classifier":"actual","at":"2026-11-11T02:00:00+08:00","place":{"locode":"CNSHA"},"mode":"vessel","vessel":{"imo":"9321483","name":"EXAMPLE STAR"},"voyage":"13E","numbers":[{"type":"bill_of_lading","number":"MAEU77002"}]},
 {"id":"e3","event":"arrive","classifier":"estimated","at":"2026-12-24T07:00:00-08:00","place":{"locode":"USOAK","smdg_code":"TRAP","facility":"Trapac"},"mode":"vessel","vessel":{"imo":"9321483","name":"EXAMPLE STAR"},"voyage":"13E","numbers":[{"type":"bill_of_lading","number":"MAEU77002"}]},
 {"id":"e4","event":"discharge","classifier":"planned","at":"2026-12-24T19:00:00-08:00","place":{"locode":"USOAK","smdg_code":"TRAP","facility":"Trapac"},"mode":"vessel","vessel":{"imo":"9321483","name":"EXAMPLE STAR"},"voyage":"13E","containers":["TCLU6718159"],"numbers":[{"type":"bill_of_lading","number":"MAEU77002"}]},
 {"id":"e5","event":"terminal_status","at":"2026-11-12T12:00:00-08:00","place":{"locode":"USOAK","smdg_code":"TRAP","facility":"Trapac"},"containers":["TCLU6718159"],"numbers":[{"type":"bill_of_lading","number":"MAEU77002"}],"terminal":{"available_for_pickup":false}}
]}`

// later changes what voyage said: an estimate, a hold and a move.
const later = `{"source":"test","scac":"MAEU","facts":[
 {"id":"f7","event":"terminal_status","at":"2026-02-27T12:00:00-08:00","place":{"locode":"USOAK","smdg_code":"TRAP","facility":"Trapac"},"containers":["MRKU9465770"],"numbers":[{"type":"bill_of_lading","number":"MAEU77001"}],"terminal":{"available_for_pickup":true,"holds":[],"last_free_day":"2026-03-06"}},
 {"id":"f8","event":"gate_out","classifier":"actual","at":"2026-02-28T09:00:00-08:00","place":{"locode":"USOAK","smdg_code":"TRAP"},"mode":"truck","load":"laden","containers":["MRKU9465770"],"numbers":[{"type":"bill_of_lading","number":"MAEU77001"}]}
]}`

// email is a message with one attachment.
const email = "From: Kim <kim@example.com>\r\nTo: docs@example.com\r\nSubject: spring papers\r\nMessage-ID: <1@example.com>\r\nDate: Mon, 02 Mar 2026 09:00:00 +0100\r\n" +
	"MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nPlease see PO-9.\r\n" +
	"--b\r\nContent-Type: text/plain\r\nContent-Disposition: attachment; filename=\"spring notice.txt\"\r\n\r\nARRIVAL NOTICE\nB/L No: MAEU77001\nPO No: PO-9\r\n--b--\r\n"
