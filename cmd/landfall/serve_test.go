package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/landfallhq/tracking/freetime"
)

func TestFirstUse(t *testing.T) {
	t.Parallel()
	db := newDB(t)
	p := serve(t, db)
	if !regexp.MustCompile(`^http://127\.0\.0\.1:[1-9][0-9]*/v2$`).MatchString(p.base) {
		t.Errorf("serving %q", p.base)
	}
	if p.key == "" {
		t.Fatal("no hint on first use")
	}
	key := p.key
	p.list(key, "/shipments")
	if status, _, err := p.call("lf_wrong", http.MethodGet, "/shipments", ""); status != http.StatusUnauthorized {
		t.Errorf("a wrong key: %d %v", status, err)
	}
	// While the server runs, neither its files nor its log contain the key.
	noSecret(t, key, filepath.Dir(db))
	p.stop()
	logs := p.logs()

	again := serve(t, db)
	if again.key != "" {
		t.Error("a hint on second use")
	}
	again.list(key, "/shipments")
	again.stop()
	noSecret(t, key, filepath.Dir(db))
	if logs += again.logs(); strings.Contains(logs, secretPart(key)) {
		t.Error("the key is in the logs")
	}
}

// logs are the lines of the log.
func (p *process) logs() string {
	var logs []string
	for _, line := range p.lines() {
		if strings.HasPrefix(line, "time=") {
			logs = append(logs, line)
		}
	}
	if len(logs) == 0 {
		p.t.Error("nothing was logged")
	}
	return strings.Join(logs, "\n")
}

// secretPart is the secret part of a key; its beginning is shown in lists.
func secretPart(key string) string { return key[10:] }

// noSecret looks for a key in all files of a directory.
func noSecret(t *testing.T, key, dir string) {
	t.Helper()
	files := filesIn(t, dir)
	if len(files) == 0 {
		t.Fatal("no file to look into")
	}
	for name, data := range files {
		if bytes.Contains(data, []byte(secretPart(key))) {
			t.Errorf("%s holds the key", name)
		}
	}
}

// filesIn are the contents of all files in and below a directory, by their path in it.
func filesIn(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	files, in := map[string][]byte{}, os.DirFS(dir)
	err := fs.WalkDir(in, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		files[name], err = fs.ReadFile(in, name)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// The hint is given until there is a key, of whatever account. No key is printed.
func TestKeyHint(t *testing.T) {
	t.Parallel()
	db := filepath.Join(t.TempDir(), "the operator's $db")
	for range 2 {
		read, write, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(binary, "serve", "--db", db, "--addr", "127.0.0.1:0")
		cmd.Stdout, cmd.Stderr, cmd.Env = write, write, environment()
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		write.Close()
		text := ""
		for lines := bufio.NewScanner(read); !strings.Contains(text, "msg=serving") && lines.Scan(); {
			text += lines.Text() + "\n"
		}
		cmd.Process.Kill()
		_ = cmd.Wait()
		read.Close()
		if !strings.Contains(text, keyHint+"landfall keys create --account default --db '"+strings.ReplaceAll(db, "'", `'\''`)+"'\n") || strings.Contains(text, "lf_") {
			t.Errorf("printed %s", text)
		}
	}
	p := serve(t, db)
	if p.key == "" {
		t.Error("no hint before there is a key")
	}
	p.stop()
	other := newDB(t)
	must(t, "keys", "create", "--account", "acme", "--db", other)
	for _, db := range []string{db, other} {
		if p := serve(t, db); p.key != "" {
			t.Error("a hint although there is a key")
		}
	}
}

// A database in memory is of this process alone, so its key is printed.
func TestKeyOfMemory(t *testing.T) {
	t.Parallel()
	p := serve(t, "memory:")
	p.list(p.key, "/shipments")
}

func TestSecondServer(t *testing.T) {
	t.Parallel()
	db := newDB(t)
	p := serve(t, db)
	run(t, "serve", "--db", db, "--addr", "127.0.0.1:0").refused(t, 1, db)
	link := filepath.Join(t.TempDir(), "link.db")
	if err := os.Symlink(db, link); err != nil {
		t.Fatal(err)
	}
	run(t, "serve", "--db", link, "--addr", "127.0.0.1:0").refused(t, 1, db)
	p.list(p.key, "/shipments")
	p.signal(syscall.SIGKILL)
	p.exit(5 * time.Second)
	serve(t, db).stop() // a lock does not outlive its holder
}

func TestPortTaken(t *testing.T) {
	t.Parallel()
	db := newDB(t)
	p := serve(t, newDB(t))
	addr := strings.TrimSuffix(strings.TrimPrefix(p.base, "http://"), "/v2")
	run(t, "serve", "--db", db, "--addr", addr).refused(t, 1, addr)
	if serve(t, db).key == "" {
		t.Error("the server that could not listen has used up the hint")
	}
}

func TestRateLimits(t *testing.T) {
	t.Parallel()
	db := newDB(t)
	p := serve(t, db, "--rate-default", "3")
	for i, want := range []int{200, 200, 200, 429} {
		if status, body, err := p.call(p.key, http.MethodGet, "/shipments", ""); status != want {
			t.Errorf("request %d: %d %s %v", i+1, status, body, err)
		}
	}
	p.stop()
	free := serve(t, db, "--rate-default", "0")
	for range 150 {
		free.list(p.key, "/shipments")
	}
}

// half opens a connection and sends a request without its end. finish sends the
// rest and returns the status.
func half(t *testing.T, p *process, request string) (finish func() int) {
	t.Helper()
	addr := strings.TrimSuffix(strings.TrimPrefix(p.base, "http://"), "/v2")
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	cut := len(request) - 2
	if _, err := io.WriteString(conn, request[:cut]); err != nil {
		t.Fatal(err)
	}
	return func() int {
		if _, err := io.WriteString(conn, request[cut:]); err != nil {
			t.Fatal(err)
		}
		conn.SetReadDeadline(time.Now().Add(10 * time.Second))
		answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		return answer.StatusCode
	}
}

func TestDrain(t *testing.T) {
	t.Parallel()
	db := newDB(t)
	p := serve(t, db)
	var posts []func() int
	for i := range 20 {
		body := fmt.Sprintf(`{"data":{"type":"party","attributes":{"company_name":"Party %d"}}}`, i)
		finish := half(t, p, fmt.Sprintf("POST /v2/parties HTTP/1.1\r\nHost: x\r\nAuthorization: Token %s\r\n"+
			"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", p.key, len(body), body))
		posts = append(posts, finish)
	}
	ready := half(t, p, "GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n")

	p.signal(syscall.SIGTERM)
	p.await("msg=draining")
	if status := ready(); status != http.StatusServiceUnavailable {
		t.Errorf("/readyz while draining: %d", status)
	}
	for i, finish := range posts {
		if status := finish(); status != http.StatusCreated {
			t.Errorf("request %d under way: %d", i, status)
		}
	}
	if code := p.exit(5 * time.Second); code != 0 {
		t.Errorf("exit %d", code)
	}
	again := serve(t, db)
	if n := again.list(p.key, "/parties").Meta.Total; n != len(posts) {
		t.Errorf("%d of %d parties are there", n, len(posts))
	}
}

// A signal under load fails no request: each is answered, or the connection is
// refused. Acknowledged writes are stored.
func TestDrainUnderLoad(t *testing.T) { // alone: others would starve its clients
	for _, c := range []struct {
		name    string
		clients int
		pause   time.Duration // of each client between two requests
		connect bool          // a new connection for each request
	}{
		{"connections of their own", 10, 50 * time.Millisecond, true},
		{"kept connections, 200 requests a second", 10, 50 * time.Millisecond, false},
		{"kept connections that rest meanwhile", 100, 400 * time.Millisecond, false},
		{"kept connections, as fast as it goes", 64, 0, false}, // which commit together
	} {
		t.Run(c.name, func(t *testing.T) {
			db := newDB(t)
			p := serve(t, db, "--rate-default", "0")
			l := &load{process: p, client: &http.Client{Transport: &http.Transport{DisableKeepAlives: c.connect, MaxIdleConnsPerHost: c.clients}}}
			for n := range c.clients {
				l.clients.Go(func() { l.run(n, c.pause) })
			}
			l.await(2 * c.clients)
			start := time.Now()
			p.signal(syscall.SIGTERM)
			if code := p.exit(30 * time.Second); code != 0 {
				t.Errorf("exit %d", code)
			}
			took := time.Since(start)
			l.clients.Wait()
			t.Logf("%d requests answered, %d failed, ended %s after the signal", l.answered, len(l.failed), took.Round(time.Millisecond))
			if len(l.failed) > 0 {
				t.Errorf("failed: %q", l.failed)
			}
			again := serve(t, db, "--rate-default", "0")
			if n := again.list(p.key, "/parties").Meta.Total; n != l.answered {
				t.Errorf("%d parties are there of %d that were acknowledged", n, l.answered)
			}
			again.stop()
		})
	}
}

// load is a number of clients that write until connections are refused.
type load struct {
	*process
	client  *http.Client
	clients sync.WaitGroup

	mu       sync.Mutex
	answered int
	failed   []string
}

// run is one client.
func (l *load) run(n int, pause time.Duration) {
	for i := 0; ; i++ {
		r, err := http.NewRequest(http.MethodPost, l.base+"/parties",
			strings.NewReader(fmt.Sprintf(`{"data":{"type":"party","attributes":{"company_name":"Client %d party %d"}}}`, n, i)))
		if err != nil {
			l.t.Error(err)
			return
		}
		r.Header.Set("Authorization", "Token "+l.key)
		r.Header.Set("Content-Type", "application/json")
		status := 0
		answer, err := l.client.Do(r)
		if err == nil {
			status = answer.StatusCode
			_, err = io.Copy(io.Discard, answer.Body)
			answer.Body.Close()
		}
		var dial *net.OpError
		if errors.As(err, &dial) && dial.Op == "dial" {
			return
		}
		l.note(status, err)
		time.Sleep(pause)
	}
}

func (l *load) note(status int, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err != nil || status != http.StatusCreated {
		l.failed = append(l.failed, fmt.Sprint(status, err))
		return
	}
	l.answered++
}

// await waits until the load runs.
func (l *load) await(answers int) {
	l.t.Helper()
	eventually(l.t, 30*time.Second, func() error {
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.answered < answers {
			return fmt.Errorf("%d requests answered", l.answered)
		}
		return nil
	})
}

func TestSecondSignal(t *testing.T) {
	t.Parallel()
	p := serve(t, newDB(t))
	half(t, p, "GET /v2/shipments HTTP/1.1\r\nHost: x\r\n\r\n") // never ends
	p.signal(syscall.SIGTERM)
	p.await("msg=draining")
	p.signal(syscall.SIGTERM)
	if code := p.exit(2 * time.Second); code == 0 {
		t.Error("exit 0 although it was broken off")
	}
}

// An acknowledged write survives kill -9.
func TestKill(t *testing.T) {
	t.Parallel()
	db := newDB(t)
	p := serve(t, db, "--rate-default", "0")
	var mu sync.Mutex
	acknowledged := map[string]bool{}
	var writers sync.WaitGroup
	for w := range 4 {
		writers.Go(func() {
			for i := 0; ; i++ {
				name := fmt.Sprintf("Writer %d party %d", w, i)
				status, _, err := p.call(p.key, http.MethodPost, "/parties",
					fmt.Sprintf(`{"data":{"type":"party","attributes":{"company_name":%q}}}`, name))
				if err != nil || status != http.StatusCreated {
					return
				}
				mu.Lock()
				acknowledged[name] = true
				mu.Unlock()
			}
		})
	}
	eventually(t, 15*time.Second, func() error {
		mu.Lock()
		defer mu.Unlock()
		if len(acknowledged) < 100 {
			return fmt.Errorf("%d acknowledged", len(acknowledged))
		}
		return nil
	})
	p.signal(syscall.SIGKILL)
	p.exit(5 * time.Second)
	writers.Wait()

	again := serve(t, db, "--rate-default", "0")
	stored := map[string]bool{}
	for page := 1; ; page++ {
		list := again.list(p.key, fmt.Sprintf("/parties?page[size]=100&page[number]=%d", page))
		for _, r := range list.Data {
			stored[r.Attributes["company_name"].(string)] = true
		}
		if len(list.Data) == 0 {
			break
		}
	}
	lost := 0
	for name := range acknowledged {
		if !stored[name] {
			lost++
		}
	}
	t.Logf("%d acknowledged, %d stored, %d lost", len(acknowledged), len(stored), lost)
	if lost > 0 {
		t.Errorf("%d acknowledged writes are lost", lost)
	}
}

func TestDemo(t *testing.T) {
	t.Parallel()
	temp := t.TempDir()
	p := start(t, []string{"TMPDIR=" + temp}, "--demo")
	if p.key == "" {
		t.Fatal("no key printed")
	}
	p.await("sort=pod_eta_at")
	eventually(t, 20*time.Second, func() error {
		if n := p.list(p.key, "/shipments").Meta.Total; n != demoTracked+demoPast {
			return fmt.Errorf("%d shipments", n)
		}
		return nil
	})
	tryLines(t, p)
	showsCosts(t, p)
	showsExceptions(t, p)
	showsBand(t, p)
	events := 0
	containers := p.list(p.key, "/containers?include=transport_events&page[size]=100")
	for _, r := range containers.Included {
		if r.Type != "transport_event" {
			continue
		}
		events++
		if at, err := time.Parse(time.RFC3339, r.Attributes["timestamp"].(string)); err != nil || at.After(time.Now()) {
			t.Errorf("%v at %v, which is yet to come (%v)", r.Attributes["event"], r.Attributes["timestamp"], err)
		}
	}
	for _, r := range p.list(p.key, "/shipments?page[size]=100").Data {
		for _, name := range []string{"pol_atd_at", "pod_ata_at", "destination_ata_at"} {
			text, ok := r.Attributes[name].(string)
			if at, err := time.Parse(time.RFC3339, text); ok && (err != nil || at.After(time.Now())) {
				t.Errorf("%s of %v is %s, which is yet to come (%v)", name, r.Attributes["bill_of_lading_number"], text, err)
			}
		}
	}
	t.Logf("%d containers, %d events", containers.Meta.Total, events)
	if containers.Meta.Total < demoVoyages || events < demoVoyages {
		t.Error("a fleet that is under way has more to show")
	}
	p.stop()
	if left, _ := os.ReadDir(temp); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// tryLines runs the printed curl commands.
func tryLines(t *testing.T, p *process) {
	t.Helper()
	pattern := regexp.MustCompile(`^curl -g -H 'Authorization: Token (\S+)' 'http://[^/]+/v2(/\S+)'$`)
	types := map[string]bool{}
	n := 0
	for _, line := range p.lines() {
		m := pattern.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		n++
		status, body, err := p.call(m[1], http.MethodGet, m[2], "")
		var d document
		if jsonErr := json.Unmarshal(body, &d); err != nil || status != http.StatusOK || jsonErr != nil || len(d.Data) == 0 {
			t.Errorf("%s: %d %v %v, %d resources", line, status, err, jsonErr, len(d.Data))
		}
		for _, r := range append(d.Data, d.Included...) {
			types[r.Type] = true
		}
	}
	if n != 7 {
		t.Errorf("%d curl lines", n)
	}
	for _, typ := range []string{"shipment", "container", "port", "terminal", "transport_event", "exception"} {
		if !types[typ] {
			t.Errorf("no %s to be seen with the printed lines", typ)
		}
	}
}

// showsCosts: of the containers that could be fetched, those that nobody has fetched cost money,
// in two currencies, and the ledger says of each day why.
func showsCosts(t *testing.T, p *process) {
	t.Helper()
	currencies := map[string]bool{}
	for _, c := range p.list(p.key, "/containers?filter[available_for_pickup]=true&filter[has_hold]=false&filter[accruing]=true&include=shipment&page[size]=100").Data {
		if status := c.Attributes["current_status"]; status != "available" {
			t.Errorf("%v, which is %v, can be fetched", c.Attributes["number"], status)
		}
		_, body, err := p.call(p.key, http.MethodGet, "/containers/"+c.ID+"/charges", "")
		var charges freetime.Charges
		if err := errors.Join(err, json.Unmarshal(body, &charges)); err != nil {
			t.Fatal(err, string(body))
		}
		for _, total := range charges.Totals {
			if total.Amount == c.Attributes["import_cost_amount"] && total.Amount > "0.00" {
				currencies[total.Currency] = true
			}
		}
	}
	if !currencies["USD"] || !currencies["EUR"] {
		t.Errorf("unclaimed containers cost money in %v", currencies)
	}
}

// showsExceptions: what goes wrong with the voyages that are meant to show it is open, and no
// other milestone is overdue.
func showsExceptions(t *testing.T, p *process) {
	t.Helper()
	for kind, voyage := range map[string]string{
		"rollover": "TEST-VOYAGE-ROLLED-90", "short_shipped": "TEST-VOYAGE-SHORT-SHIPPED-90", "milestone_overdue": "TEST-VOYAGE-OVERDUE-90",
	} {
		found := p.list(p.key, "/exceptions?filter[state]=open&include=shipment&filter[kind]="+kind)
		if len(found.Data) != 1 || found.Included[0].Attributes["bill_of_lading_number"] != voyage {
			t.Errorf("%s: %+v, want that of %s", kind, found, voyage)
		}
	}
	for _, c := range p.list(p.key, "/containers?filter[overdue]=true").Data {
		t.Logf("%v: %v was due at %v", c.Attributes["number"], c.Attributes["next_milestone"], c.Attributes["next_milestone_due_at"])
	}
}

// showsBand: the ETA of the ship at sea has a band from the past voyages on its lane.
func showsBand(t *testing.T, p *process) {
	t.Helper()
	found := p.list(p.key, "/shipments?number="+demoAtSea).Data
	if len(found) != 1 {
		t.Fatalf("%d shipments at sea", len(found))
	}
	band, _ := found[0].Attributes["pod_eta_band"].(map[string]any)
	if band["class"] != "line_and_lane" || band["samples"] != float64(demoPast) {
		t.Errorf("pod_eta_band is %v", found[0].Attributes["pod_eta_band"])
	}
}

const (
	demoTracked = 26 // the fleet, and the voyages without an end
	demoPast    = 48
)

func TestDemoOnItsOwnDatabase(t *testing.T) {
	t.Parallel()
	db := newDB(t)
	first := serve(t, db, "--demo")
	first.await("sort=pod_eta_at")
	first.stop()
	second := serve(t, db, "--demo")
	second.await("sort=pod_eta_at")
	if second.key == "" {
		t.Fatal("no key printed, so the lines cannot be tried")
	}
	if n := second.list(second.key, "/tracking_requests").Meta.Total; n != demoTracked {
		t.Errorf("%d tracking requests after the second start", n)
	}
	if n := second.list(second.key, "/shipments").Meta.Total; n != demoTracked+demoPast {
		t.Errorf("%d shipments after the second start", n)
	}
	if n := second.list(second.key, "/tariffs").Meta.Total; n != 7 {
		t.Errorf("%d tariffs after the second start", n)
	}
}

func TestSandboxOnlyWhereConfigured(t *testing.T) {
	t.Parallel()
	const request = `{"data":{"type":"tracking_request","attributes":{"request_number":"TEST-TR-SUCCEEDED","request_type":"bill_of_lading","scac":"TEST"}}}`
	for _, c := range []struct {
		args []string
		want int
	}{{nil, 422}, {[]string{"--sandbox"}, 201}} {
		p := serve(t, newDB(t), c.args...)
		if status, body, err := p.call(p.key, http.MethodPost, "/tracking_requests", request); status != c.want {
			t.Errorf("serve %v: %d %s %v", c.args, status, body, err)
		}
	}
}

func TestHealth(t *testing.T) {
	t.Parallel()
	p := serve(t, newDB(t))
	for _, path := range []string{"/healthz", "/readyz"} {
		answer, err := http.Get(strings.TrimSuffix(p.base, "/v2") + path)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != http.StatusOK {
			t.Errorf("%s: %d", path, answer.StatusCode)
		}
	}
}
