package main

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/landfallhq/tracking/internal/drill"
	"github.com/landfallhq/tracking/internal/postgrestest"
)

// installation is three servers on one PostgreSQL database with a synchronous standby. Each has
// its own link to the database, the last one through a pooler.
type installation struct {
	t        *testing.T
	database string
	primary  *postgrestest.Cluster
	standby  *postgrestest.Cluster
	pooler   *postgrestest.Pooler
	links    []*link
	nodes    []*eventNode
	env      [][]string // of each node
}

func newInstallation(t *testing.T) *installation {
	t.Helper()
	in := &installation{t: t, primary: postgrestest.Start(t)}
	_, in.database = in.primary.Database(t)
	in.standby = in.primary.Standby(t)
	blobs, key := filepath.Join(t.TempDir(), "documents"), base64.StdEncoding.EncodeToString(newMasterKey())
	for range 3 {
		in.links = append(in.links, newLink(t, in.primary.Socket()))
	}
	// The pooler lives in the directory of a cluster that stays.
	in.pooler = postgrestest.Shared(t).PoolerTo(t, "127.0.0.1", in.links[2].port())
	for i := range in.links {
		db := in.pooler.URL(in.database)
		if i < 2 {
			at := url.Values{"host": {"127.0.0.1"}, "port": {strconv.Itoa(in.links[i].port())}, "user": {"landfall"}, "sslmode": {"disable"}}
			db = "postgres:///" + in.database + "?" + at.Encode()
		}
		in.env = append(in.env, []string{"LANDFALL_DB=" + db, "LANDFALL_BLOBS=" + blobs, masterKeyVariable + "=" + key})
	}
	return in
}

func (in *installation) key(account string) string {
	made := runWith(in.t, "", in.env[0], "keys", "create", "--account", account)
	if made.code != 0 {
		in.t.Fatal(made.stderr)
	}
	return strings.TrimSpace(made.stdout)
}

func (in *installation) serve() {
	for i := range in.env {
		n := &eventNode{addr: freeAddress(in.t)}
		n.start(in.t, in.env[i])
		in.nodes = append(in.nodes, n)
	}
}

// The faults. Each returns when its cause is gone.
var nodeFaults = []struct {
	name string
	make func(*installation, *rand.Rand)
}{
	{"a node is killed", (*installation).killNode},
	{"the database is stopped at once", func(in *installation, _ *rand.Rand) {
		in.primary.Kill()
		time.Sleep(time.Second)
		in.primary.Restart(in.t)
	}},
	{"the standby is promoted", (*installation).promote},
	{"a link is cut", func(in *installation, r *rand.Rand) { in.links[r.IntN(3)].interrupt(2 * time.Second) }},
	{"a link delivers nothing", func(in *installation, r *rand.Rand) { in.links[r.IntN(3)].hold(3 * time.Second) }},
	{"a link is slow", func(in *installation, r *rand.Rand) {
		in.links[r.IntN(3)].slow(2*time.Second, 200*time.Millisecond)
	}},
	{"the pooler is restarted", func(in *installation, _ *rand.Rand) { in.pooler.Restart(in.t) }},
}

func (in *installation) killNode(r *rand.Rand) {
	i := r.IntN(len(in.nodes))
	n := in.nodes[i]
	n.signal(syscall.SIGKILL)
	n.exit(time.Minute)
	n.start(in.t, in.env[i])
}

// promote kills the database, and lets the standby take its place.
func (in *installation) promote(*rand.Rand) {
	in.primary.Kill()
	in.standby.Promote(in.t)
	in.primary, in.standby = in.standby, nil
	for _, l := range in.links {
		l.pointTo(in.primary.Socket())
	}
}

// TestNodeFaults runs three servers under load while LANDFALL_NODE_FAULTS faults happen, one after
// the other: nothing that was acknowledged is lost, no event is missed or is there twice under
// another ID, each history of an account is linearizable, and all nodes serve again within seconds.
func TestNodeFaults(t *testing.T) {
	r := drill.Random(t)
	rounds := drill.Count(t, "LANDFALL_NODE_FAULTS", len(nodeFaults))
	in := newInstallation(t)
	keys := []string{in.key("acme"), in.key("beta"), in.key("gamma")}
	in.serve()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	w := &movingFollower{nodes: in.nodes}
	following, leave := context.WithCancel(t.Context())
	defer leave()
	if err := w.follow(following, keys[0]); err != nil {
		t.Fatal(err)
	}
	const apart = 100_000
	for i, n := range in.nodes {
		n.write(ctx, keys[0], i*apart)
	}
	var order []int
	operations, longest, longestOf := 0, time.Duration(0), ""
	for range rounds {
		if len(order) == 0 {
			order = r.Perm(len(nodeFaults))
		}
		fault := nodeFaults[order[0]]
		order = order[1:]
		n, away := in.round(r, keys, func() { fault.make(in, r) })
		operations += n
		t.Logf("%s: %d operations, all nodes served after %s", fault.name, n, away.Round(time.Millisecond))
		if away > longest {
			longest, longestOf = away, fault.name
		}
		w.move()
		if in.standby == nil {
			in.standby = in.primary.Standby(t)
		}
		if t.Failed() {
			return
		}
	}
	stop()
	reports := 0
	for _, n := range in.nodes {
		n.reports = <-n.writer
		reports += n.reports
	}
	ids := in.checkEvents(keys[0], apart)
	eventually(t, time.Minute, func() error {
		select {
		case err := <-w.ended:
			t.Fatalf("after %d events the follower ended: %v", w.read.Load(), err)
		default:
		}
		if read := w.read.Load(); read != int64(len(ids)) {
			return fmt.Errorf("%d of %d events have come", read, len(ids))
		}
		return nil
	})
	leave()
	if err := <-w.ended; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if !slices.Equal(w.ids, ids) {
		t.Error("the follower has other events than the list")
	}
	t.Logf("%d faults: %d operations on registers, %d reports, %d events: 0 lost, 0 twice, every history linearizable; all nodes served after at most %s (%s)",
		rounds, operations, reports, len(ids), longest.Round(time.Millisecond), longestOf)
}

// round runs clients on a register of each account during a fault, and checks their histories. It
// returns the number of operations, and how long after the fault it took until each node had
// served a write.
func (in *installation) round(r *rand.Rand, keys []string, fault func()) (operations int, away time.Duration) {
	in.t.Helper()
	histories := make([]*registerHistory, len(keys))
	done := make(chan struct{})
	var clients sync.WaitGroup
	for i, key := range keys {
		h := in.newRegister(key)
		histories[i] = h
		for client := range 3 {
			own := rand.New(rand.NewPCG(r.Uint64(), 0))
			clients.Go(func() { h.work(own, client, done) })
		}
	}
	probe := in.newRegister(keys[len(keys)-1])
	time.Sleep(time.Duration(200+r.IntN(300)) * time.Millisecond)
	fault()
	begin := time.Now()
	var served sync.WaitGroup
	for i := range in.nodes {
		served.Go(func() {
			eventually(in.t, time.Minute, func() error { return probe.write(i, int64(i+1)) })
		})
	}
	served.Wait()
	away = time.Since(begin)
	time.Sleep(300 * time.Millisecond)
	close(done)
	clients.Wait()
	for i, h := range histories {
		if result := porcupine.CheckOperationsTimeout(valueModel, h.finish(), 2*time.Minute); result != porcupine.Ok {
			in.t.Errorf("the history of account %d, of %d operations, is %s", i, len(h.operations), result)
		}
		operations += len(h.operations)
	}
	return operations, away
}

// valueModel is a value that is written and read.
var valueModel = porcupine.Model{
	Init: func() any { return int64(0) },
	Step: func(state, input, output any) (bool, any) {
		if written := input.(int64); written != 0 {
			return true, written
		}
		return state == output, state
	},
}

// registerHistory are the operations on the reference number of one tracking request.
type registerHistory struct {
	in    *installation
	key   string
	id    string
	begin time.Time

	mu         sync.Mutex
	operations []porcupine.Operation
	open       []porcupine.Operation // writes whose outcome is not known
}

// newRegister makes a tracking request. Where the outcome is not known, it makes another.
func (in *installation) newRegister(key string) *registerHistory {
	in.t.Helper()
	h := &registerHistory{in: in, key: key, begin: time.Now()}
	eventually(in.t, time.Minute, func() error {
		number := fmt.Sprintf("MAEU%09d", rand.IntN(1_000_000_000))
		status, body, err := in.nodes[0].call(key, http.MethodPost, "/tracking_requests", `{"data":{"type":"tracking_request","attributes":{"request_type":"bill_of_lading","scac":"MAEU","request_number":"`+number+`"}}}`)
		var made struct{ Data resource }
		if err != nil || status != http.StatusCreated || json.Unmarshal(body, &made) != nil {
			return fmt.Errorf("%d %s %v", status, body, err)
		}
		h.id = made.Data.ID
		return nil
	})
	return h
}

// work reads and writes through any node until done is closed.
func (h *registerHistory) work(r *rand.Rand, client int, done chan struct{}) {
	for n := 1; ; n++ {
		select {
		case <-done:
			return
		default:
		}
		op := porcupine.Operation{ClientId: client, Input: int64(0), Call: int64(time.Since(h.begin))}
		var err error
		if node := r.IntN(len(h.in.nodes)); r.IntN(2) == 0 {
			value := int64(client+1)*1_000_000 + int64(n)
			op.Input = value
			err = h.write(node, value)
		} else {
			op.Output, err = h.read(node)
		}
		op.Return = int64(time.Since(h.begin))
		h.add(op, err)
		if err != nil {
			time.Sleep(100 * time.Millisecond)
		}
		time.Sleep(5 * time.Millisecond)
	}
}

func (h *registerHistory) add(op porcupine.Operation, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case err == nil:
		h.operations = append(h.operations, op)
	case op.Input != int64(0):
		h.open = append(h.open, op)
	}
}

// finish reads the last value, and returns all operations. A write whose outcome is not known may
// have happened at any time until now. If nobody has read its value, it may as well not have
// happened, and is left out.
func (h *registerHistory) finish() []porcupine.Operation {
	op := porcupine.Operation{ClientId: 100, Input: int64(0)}
	eventually(h.in.t, time.Minute, func() (err error) {
		op.Call = int64(time.Since(h.begin))
		op.Output, err = h.read(0)
		return err
	})
	op.Return = int64(time.Since(h.begin))
	h.operations = append(h.operations, op)
	all := slices.Clone(h.operations)
	read := map[any]bool{}
	for _, op := range h.operations {
		read[op.Output] = true
	}
	for i, open := range h.open {
		if open.ClientId, open.Return = 101+i, op.Return+1; read[open.Input] {
			all = append(all, open)
		}
	}
	return all
}

func (h *registerHistory) write(node int, value int64) error {
	status, body, err := h.in.nodes[node].call(h.key, http.MethodPatch, "/tracking_requests/"+h.id,
		fmt.Sprintf(`{"data":{"type":"tracking_request","id":%q,"attributes":{"ref_numbers":["%d"]}}}`, h.id, value))
	return h.check(status, body, err)
}

func (h *registerHistory) read(node int) (value int64, err error) {
	status, body, err := h.in.nodes[node].call(h.key, http.MethodGet, "/tracking_requests/"+h.id, "")
	if err := h.check(status, body, err); err != nil {
		return 0, err
	}
	var d struct {
		Data struct {
			Attributes struct {
				RefNumbers []string `json:"ref_numbers"`
			}
		}
	}
	if err := json.Unmarshal(body, &d); err != nil {
		return 0, err
	}
	if numbers := d.Data.Attributes.RefNumbers; len(numbers) > 0 {
		value, err = strconv.ParseInt(numbers[0], 10, 64)
	}
	return value, err
}

// check reports answers that no fault explains.
func (h *registerHistory) check(status int, body []byte, err error) error {
	switch {
	case err != nil:
		return err
	case status == http.StatusOK:
		return nil
	case status != http.StatusServiceUnavailable:
		h.in.t.Errorf("%d %s", status, body)
	}
	return fmt.Errorf("%d %s", status, body)
}

// checkEvents returns the IDs of all events of an account. Each report that was acknowledged has
// its events, and no shipment has one twice.
func (in *installation) checkEvents(key string, apart int) (ids []string) {
	in.t.Helper()
	seen := map[string]bool{}
	for left := 1; left > 0; {
		status, body, err := in.nodes[0].call(key, http.MethodGet, "/events?page[size]=100&after="+strconv.Itoa(len(ids)), "")
		var page struct {
			Data []struct {
				ID         string
				Attributes struct {
					Event   string
					Payload struct{ Included []resource }
				}
			}
			Meta struct{ Total int }
		}
		if err := errors.Join(err, json.Unmarshal(body, &page)); err != nil || status != http.StatusOK || len(page.Data) == 0 {
			in.t.Fatalf("%d %v %s", status, err, body)
		}
		for _, e := range page.Data {
			ids = append(ids, e.ID)
			for _, of := range e.Attributes.Payload.Included {
				bill, ok := of.Attributes["bill_of_lading_number"].(string)
				if !ok {
					continue
				}
				if what := bill + " " + e.Attributes.Event; seen[what] {
					in.t.Errorf("%s is there twice", what)
				} else {
					seen[what] = true
				}
			}
		}
		left = page.Meta.Total - len(page.Data)
	}
	for i, n := range in.nodes {
		if n.reports == 0 {
			in.t.Errorf("no report was written to node %d", i)
		}
		for j := range n.reports {
			if what := fmt.Sprintf("KILL%05d container.created", i*apart+j); !seen[what] {
				in.t.Errorf("no event %s, whose report was acknowledged", what)
			}
		}
	}
	return ids
}
