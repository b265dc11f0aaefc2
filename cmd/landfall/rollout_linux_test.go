package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/landfallhq/tracking/internal/drill"
)

// nextColumns is nextVersion with another column in place of the one by which stopped
// shipments are found. It also beats each second, so that less is waited for.
var nextColumns = append(slices.Clone(nextVersion),
	edit{"shipments.go", `table\.BoolColumn\("stopped"`, `table.BoolColumn("halted"`},
	edit{"shipments.go", `Counted\("stopped"`, `Counted("halted"`},
	edit{"shipments.go", `tri\(&w, "stopped"`, `tri(&w, "halted"`},
	edit{"nodes.go", `beatInterval = 10 \* time\.Second`, "beatInterval = time.Second"},
)

// rollout is an installation of six servers on one PostgreSQL database, of two versions.
type rollout struct {
	t           *testing.T
	env         []string
	older, next string
	key         string
	addrs       []string
	nodes       []*process
	db          *pgx.Conn

	seen          map[string]storedRow // as last read
	lowered, lost int

	mu        sync.Mutex
	counts    map[string]int // answers to the clients
	errors    []string       // what no client should see
	shipments []*ownShipment
}

// ownShipment is written by one client alone.
type ownShipment struct {
	id      string
	tag     string // of the last acknowledged change
	stopped bool
}

func (r *rollout) start(i int, program string) {
	r.t.Helper()
	r.nodes[i] = startProgram(r.t, program, r.env, "--addr", r.addrs[i], "--rate-default", "0", "--rate-create", "0")
	if r.key == "" {
		r.key = r.nodes[i].key
	}
}

// replace ends servers, one after the other, and starts another version in their place.
func (r *rollout) replace(program string, nodes ...int) {
	r.t.Helper()
	for _, i := range nodes {
		r.nodes[i].stop()
		r.start(i, program)
		r.watch()
	}
}

// replaceTogether is replace of servers that end at the same time.
func (r *rollout) replaceTogether(program string, nodes ...int) {
	r.t.Helper()
	for _, i := range nodes {
		r.nodes[i].signal(syscall.SIGTERM)
	}
	for _, i := range nodes {
		r.nodes[i].exit(30 * time.Second)
		r.start(i, program)
		r.watch()
	}
}

func (r *rollout) count(what string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.counts[what]++
}

func (r *rollout) failed(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.errors = append(r.errors, fmt.Sprintf(format, args...))
}

// call sends a request to one server. A connection that is refused or ends without an answer
// has the status 0.
func (r *rollout) call(node int, method, path, body string) (int, []byte) {
	p := process{base: "http://" + r.addrs[node] + "/v2"}
	status, answer, err := p.call(r.key, method, path, body)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return 0, nil
	}
	return status, answer
}

// ask sends a request as a load balancer does: to another server where one refuses the
// connection or answers 503. Everything but the status that is wanted is an error.
func (r *rollout) ask(n int, method, path, body string, want int) []byte {
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); n++ {
		status, answer := r.call(n%len(r.addrs), method, path, body)
		switch {
		case status == 0:
			r.count("connection refused or ended")
		case status == http.StatusServiceUnavailable && bytes.Contains(answer, []byte("newer_version")):
			r.count("503 newer_version")
		case status == http.StatusServiceUnavailable:
			r.count("503 " + string(answer[:min(len(answer), 300)]))
		case status == want:
			r.count(method + " " + fmt.Sprint(status))
			return answer
		default:
			r.failed("%s %s: %d %s", method, path, status, answer)
			return nil
		}
		time.Sleep(5 * time.Millisecond)
	}
	r.failed("%s %s: no server answered within 30 s", method, path)
	return nil
}

// report makes a shipment, or adds a fact to it, and returns its ID.
func (r *rollout) report(n, bill, fact int) string {
	body := fmt.Sprintf(`{"source":"roll","facts":[{"id":"%d-%d","event":"gate_out","at":"2026-03-01T10:%02d:00Z","place":{"locode":"USOAK"},"mode":"truck","containers":["WHLU1234560"],"numbers":[{"type":"bill_of_lading","number":"ROLL%05d"}]}]}`, bill, fact, fact%60, bill)
	var receipt struct {
		Data struct {
			Relationships struct{ Shipments document }
		}
	}
	answer := r.ask(n, http.MethodPost, "/reports", body, http.StatusOK)
	if answer == nil {
		return ""
	}
	if err := json.Unmarshal(answer, &receipt); err != nil || len(receipt.Data.Relationships.Shipments.Data) != 1 {
		r.failed("shipment ROLL%05d: %s", bill, answer)
		return ""
	}
	return receipt.Data.Relationships.Shipments.Data[0].ID
}

// client changes its shipment and a party until the load ends, and reads what it has written.
func (r *rollout) client(ctx context.Context, i int) {
	s := r.shipments[i]
	var party struct{ Data resource }
	if err := json.Unmarshal(r.ask(i, http.MethodPost, "/parties", fmt.Sprintf(`{"data":{"type":"party","attributes":{"company_name":"Client %d %s"}}}`, i, time.Now()), http.StatusCreated), &party); err != nil {
		r.failed("%v", err)
		return
	}
	start := time.Now().UnixNano()
	for n := i; ctx.Err() == nil; n++ {
		tag := fmt.Sprintf("n%d-%d", start, n)
		if r.ask(n, http.MethodPatch, "/shipments/"+s.id, fmt.Sprintf(`{"data":{"type":"shipment","id":%q,"attributes":{"tags":[%q]}}}`, s.id, tag), http.StatusOK) != nil {
			s.tag = tag
		}
		r.ask(n, http.MethodPatch, "/parties/"+party.Data.ID, fmt.Sprintf(`{"data":{"type":"party","id":%q,"attributes":{"company_name":"Client %d, %s"}}}`, party.Data.ID, i, tag), http.StatusOK)
		switch n % 4 {
		case 0:
			r.report(n+1, i, n)
		case 2:
			verb := "stop_tracking"
			if s.stopped {
				verb = "resume_tracking"
			}
			if r.ask(n, http.MethodPatch, "/shipments/"+s.id+"/"+verb, "", http.StatusOK) != nil {
				s.stopped = !s.stopped
			}
		}
		// Any server finds it by the column of its version.
		list := r.ask(n+3, http.MethodGet, fmt.Sprintf("/shipments?include=&page[size]=100&filter[tracking_stopped]=%v", s.stopped), "", http.StatusOK)
		if list != nil && !bytes.Contains(list, []byte(s.id)) {
			r.failed("the list of shipments whose tracking is stopped: %v lacks one that is so: %s", s.stopped, s.id)
		}
	}
}

// load lets all clients work until stop is called, which checks what they have written.
func (r *rollout) load() (stop func()) {
	ctx, cancel := context.WithCancel(r.t.Context())
	var clients sync.WaitGroup
	for i := range r.shipments {
		clients.Go(func() { r.client(ctx, i) })
	}
	return func() {
		r.t.Helper()
		cancel()
		clients.Wait()
		for i, s := range r.shipments {
			if answer := r.ask(i, http.MethodGet, "/shipments/"+s.id+"?include=", "", http.StatusOK); !bytes.Contains(answer, []byte(s.tag)) {
				r.t.Errorf("shipment %s lacks its last tag %s: %s", s.id, s.tag, answer)
			}
		}
		r.watch()
		for _, e := range r.errors[:min(len(r.errors), 10)] {
			r.t.Errorf("one of %d errors: %s", len(r.errors), e)
		}
		r.errors = nil
	}
}

// watch reads shipments and parties, and compares them with what they were: nothing may be
// stored in an earlier generation than before, by earlier rules, or without a member. Both
// versions write parties, whose member tier only the newer one knows.
func (r *rollout) watch() (rows map[string]storedRow) {
	r.t.Helper()
	list, err := r.db.Query(r.t.Context(), `SELECT id::text, version, revision, doc, coalesce(private, '{}') FROM r_shipment
		UNION ALL SELECT id::text, version, revision, doc, '{}' FROM r_party`)
	if err != nil {
		r.t.Fatal(err)
	}
	defer list.Close()
	rows = map[string]storedRow{}
	for list.Next() {
		var id string
		var row storedRow
		var doc, private []byte
		var hidden struct {
			Rules int
			Note  string `json:"next_note"`
		}
		if err := errors.Join(list.Scan(&id, &row.Version, &row.Revision, &doc, &private), json.Unmarshal(private, &hidden)); err != nil {
			r.t.Fatal(err)
		}
		row.Rules, row.berth, row.secret = hidden.Rules, bytes.Contains(doc, []byte(`"B7"`)), hidden.Note == "kept"
		rows[id] = row
	}
	if err := list.Err(); err != nil {
		r.t.Fatal(err)
	}
	for id, was := range r.seen {
		is := rows[id]
		if is.Revision < was.Revision || is.Rules < was.Rules {
			r.lowered++
			r.t.Errorf("%s was in %s by the rules %d, and is in %s by %d", id, was.Revision, was.Rules, is.Revision, is.Rules)
		}
		if was.berth && !is.berth || was.secret && !is.secret {
			r.lost++
			r.t.Errorf("%s has lost a member", id)
		}
	}
	r.seen = rows
	return rows
}

// hold lets the versions run side by side.
func (r *rollout) hold(d time.Duration) {
	r.t.Helper()
	for end := time.Now().Add(d); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		r.watch()
	}
}

// listed returns the output of landfall nodes.
func (r *rollout) listed() string {
	r.t.Helper()
	out := runProgram(r.t, r.older, "", r.env, "nodes")
	if out.code != 0 {
		r.t.Errorf("landfall nodes: %s", out.stderr)
	}
	return out.stdout
}

// columns returns which of two columns the table of shipments has, and how many rows have no
// value of the second.
func (r *rollout) columns() (stopped bool, empty int) {
	r.t.Helper()
	err := r.db.QueryRow(r.t.Context(), `SELECT EXISTS (SELECT 1 FROM pg_attribute WHERE attrelid = 'r_shipment'::regclass AND attname = 'c_stopped' AND NOT attisdropped),
		(SELECT count(*) FROM r_shipment WHERE c_halted IS NULL)`).Scan(&stopped, &empty)
	if err != nil {
		r.t.Fatal(err)
	}
	return stopped, empty
}

// TestRollout upgrades six servers on one PostgreSQL database, the first ones one by one, and
// goes back on the way, under writes to each, LANDFALL_ROLLOUTS times: no client sees an error but those that a
// load balancer hides, nothing that the newer version has written is stored in an older form,
// no member is lost, and what no client writes is renewed when the last older server has
// ended, and not before.
func TestRollout(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program a second time")
	}
	rounds := drill.Count(t, "LANDFALL_ROLLOUTS", 1)
	hold := time.Duration(drill.Count(t, "LANDFALL_ROLLOUT_SECONDS", 1)) * time.Second
	next := buildNext(t, nextColumns)
	for range rounds {
		runRollout(t, next, hold)
	}
}

func runRollout(t *testing.T, next string, hold time.Duration) {
	env := postgresEnvironment(t)
	db, err := pgx.Connect(t.Context(), strings.TrimPrefix(env[0], "LANDFALL_DB="))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close(context.Background())
	r := &rollout{t: t, env: append(env, "LANDFALL_BLOBS="+filepath.Join(t.TempDir(), "documents")), older: binary, next: next, db: db, counts: map[string]int{}, nodes: make([]*process, 6)}
	for i := range r.nodes {
		r.addrs = append(r.addrs, freeAddress(t))
		r.start(i, r.older)
	}
	for i := range 4 {
		r.shipments = append(r.shipments, &ownShipment{id: r.report(i, i, 0)})
	}
	idle := map[string]bool{} // those that no client writes
	for i := range 5 {
		idle[r.report(i, 100+i, 0)] = true
	}
	outdated := func() (n int) {
		for id, row := range r.watch() {
			if idle[id] && row.Revision < "g000099" && row.Rules < 99 {
				n++
			}
		}
		return n
	}

	stop := r.load()
	r.replace(r.next, 0, 1, 2)
	r.hold(hold)
	if n := outdated(); n != len(idle) {
		t.Errorf("%d of %d shipments that nobody writes are as they were, beside older servers", n, len(idle))
	}
	if out := r.listed(); strings.Count(out, "shipment 99") != 3 || strings.Count(out, "rules 99") != 3 || !strings.Contains(out, "until these have ended") {
		t.Errorf("landfall nodes:\n%s", out)
	}
	if stopped, _ := r.columns(); !stopped {
		t.Error("a column that older servers use was removed")
	}
	r.replace(r.older, 0, 1)
	r.hold(hold)
	stop()

	// Without a server of the newer version, what it has written stays.
	r.replace(r.older, 2)
	newer := r.shipments[0].id
	if status, answer := r.call(1, http.MethodPatch, "/shipments/"+newer, fmt.Sprintf(`{"data":{"type":"shipment","id":%q,"attributes":{"tags":["x"]}}}`, newer)); status != 503 || !bytes.Contains(answer, []byte("newer_version")) {
		t.Errorf("a change of a newer record: %d %s", status, answer)
	}
	r.report(1, 200, 0)
	r.ask(2, http.MethodPost, "/parties", `{"data":{"type":"party","attributes":{"company_name":"After all"}}}`, http.StatusCreated)
	if status, answer := r.call(3, http.MethodGet, "/shipments/"+newer+"?include=", ""); status != 200 || !bytes.Contains(answer, []byte(`"berth":"B7"`)) {
		t.Errorf("a newer record at an older server: %d %s", status, answer)
	}

	r.replace(r.next, 0)
	stop = r.load()
	r.replaceTogether(r.next, 1, 2)
	r.replaceTogether(r.next, 3, 4, 5)
	eventually(t, 30*time.Second, func() error {
		stopped, empty := r.columns()
		if n := outdated(); n > 0 || stopped || empty > 0 {
			return fmt.Errorf("%d outdated shipments, %d without a value of the new column, the lost column is there: %v", n, empty, stopped)
		}
		return nil
	})
	if out := r.listed(); !strings.Contains(out, "all servers write the same generations") || strings.Count(out, " ago ") != 6 {
		t.Errorf("landfall nodes:\n%s", out)
	}
	r.hold(hold)
	stop()
	refused := runProgram(t, r.older, "", r.env, "serve", "--addr", "127.0.0.1:0")
	if refused.code != 1 || !strings.Contains(refused.stderr, "generation 99") {
		t.Errorf("an older server, after a column that it needs was removed: exit %d: %s", refused.code, refused.stderr)
	}
	for _, n := range r.nodes {
		n.stop()
	}
	if out := r.listed(); out != "no server runs on this database\n" {
		t.Errorf("landfall nodes after all have ended:\n%s", out)
	}
	for _, what := range slices.Sorted(maps.Keys(r.counts)) {
		t.Logf("%6d %s", r.counts[what], what)
	}
	t.Logf("%d shipments and parties, %d lowered, %d members lost", len(r.seen), r.lowered, r.lost)
}
