package faults

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/landfallhq/tracking/internal/drill"
)

// Kill -9 at a random instant, while callers send reports and read, and a webhook
// is notified, LANDFALL_KILLS times: nothing acknowledged is lost, nothing exists
// twice, the file is intact each time, and an unanswered request is repeated with
// its Idempotency-Key and has one effect. In the end the receiver has every event,
// including those that it refused or did not answer, each with one ID and one body.
//
// Seen to fail: with another key for the repeated request, which then finds its
// facts known and its party's name taken; with the last tenth of the WAL cut off
// after the kill, where facts are lost; with a start that drops claimed jobs, where
// notifications stay pending.
func TestKill(t *testing.T) {
	r := drill.Random(t)
	kills := drill.Count(t, "LANDFALL_KILLS", 25)
	const perRound = 8
	db := newDB(t)
	s := serve(t, db)
	key := s.key
	told := receive(t)
	told.subscribe(s.client(key))
	var total killFigures
	for round := range kills {
		callers := make([]*caller, perRound)
		for i := range callers {
			serial := round*perRound + i
			callers[i] = &caller{voyage: voyage{serial: serial}, random: rand.New(rand.NewPCG(r.Uint64(), 0)), acked: map[string]bool{}}
		}
		c, gone := s.client(key), &s.gone
		killUnder(s, r, callers, func(h *caller) { h.work(c, gone) })
		for _, h := range callers {
			if h.err != nil {
				t.Fatal(h.err)
			}
		}
		checkFile(t, db)
		s = serve(t, db)
		c = s.client(key)
		containers, err := c.all("/v2/containers")
		if err != nil {
			t.Fatal(err)
		}
		ids := map[string]string{}
		for _, container := range containers {
			number := container.Attributes["number"].(string)
			if ids[number] != "" {
				t.Errorf("kill %d: two containers %s", round+1, number)
			}
			ids[number] = container.ID
		}
		for _, h := range callers {
			h.resendAndCheck(t, c, ids[h.container()], &total)
		}
		checkParties(t, c, callers)
		if t.Failed() {
			t.Fatalf("after kill %d", round+1)
		}
	}
	under := len(told.accepted())
	told.acceptAll()
	s.stop()
	checkFile(t, db)
	// Refused deliveries are repeated.
	letTimePass(t, db, 2*time.Hour)
	s = serve(t, db)
	eventually(t, 2*time.Minute, func() error { return s.client(key).delivered() })
	s.stop()
	checkFile(t, db)
	checkNotifications(t, db, told)
	t.Logf("%d notifications were taken between the kills", under)
	t.Logf("%d kills: %d facts and %d parties acknowledged, 0 lost, 0 twice; %d requests without an answer, %d of them had their effect; %d reads",
		kills, total.facts, total.parties, total.unanswered, total.effective, total.reads)
}

// killFigures are the totals of all rounds.
type killFigures struct{ facts, parties, unanswered, effective, reads int }

// caller is one caller of one round: it reports its own voyage, and creates parties
// in between, until the server is gone.
type caller struct {
	voyage
	random *rand.Rand
	acked  map[string]bool // facts, by ID
	names  []string        // parties
	last   *call           // the unanswered one; nil if there is none
	reads  int
	err    error // an error before the kill
}

// call is a request with an effect.
type call struct {
	path, body, key string
	facts           []string // their IDs
	party           string
}

func (h *caller) next(n int) *call {
	k := &call{key: fmt.Sprintf("%s-%d", h.bill(), n)}
	if n%5 == 4 {
		k.path, k.party = "/v2/parties", fmt.Sprintf("Party %s", k.key)
		k.body = fmt.Sprintf(`{"data":{"type":"party","attributes":{"company_name":%q}}}`, k.party)
		return k
	}
	k.path = "/v2/reports"
	from := h.facts
	k.body = h.report(1 + h.random.IntN(3))
	for n := from; n < h.facts; n++ {
		k.facts = append(k.facts, h.factID(n))
	}
	return k
}

func (h *caller) acknowledge(k *call) {
	for _, id := range k.facts {
		h.acked[id] = true
	}
	if k.party != "" {
		h.names = append(h.names, k.party)
	}
	h.last = nil
}

// send makes a call and reports whether it was acknowledged. A failure status is an
// error; no answer is not.
func (k *call) send(c *client) (acknowledged bool, err error) {
	a, err := c.do(http.MethodPost, k.path, k.body, "Idempotency-Key", k.key)
	if err != nil {
		return false, nil
	}
	switch {
	case k.party != "" && a.status == http.StatusCreated:
		return true, nil
	case k.party == "" && a.status == http.StatusOK:
		var receipt struct {
			Data struct {
				Attributes struct{ New int }
			}
		}
		if err := json.Unmarshal(a.body, &receipt); err != nil {
			return false, err
		}
		// A repeated call returns the result of the first one: all facts were new.
		if n := receipt.Data.Attributes.New; n != len(k.facts) {
			return false, fmt.Errorf("%s: %d of %d facts were new: %s", k.key, n, len(k.facts), a.body)
		}
		return true, nil
	}
	return false, fmt.Errorf("POST %s: %d %s", k.path, a.status, a.body)
}

// work runs until the server is gone.
func (h *caller) work(c *client, gone *atomic.Bool) {
	for n := 0; ; n++ {
		h.last = h.next(n)
		ok, err := h.last.send(c)
		if err == nil && !ok && !gone.Load() {
			err = errors.New("the server broke off an answer before it was killed")
		}
		if h.err = err; err != nil || !ok {
			return
		}
		h.acknowledge(h.last)
		if n%3 == 0 {
			a, err := c.get("/v2/shipments?include=containers&page[size]=20")
			if err != nil {
				return
			}
			if h.reads++; a.status != http.StatusOK {
				h.err = fmt.Errorf("reading: %d %s", a.status, a.body)
				return
			}
		}
	}
}

// resendAndCheck compares what is stored with what was acknowledged, repeats the
// unanswered call, and compares again. container is its ID; empty if
// there is none.
func (h *caller) resendAndCheck(t *testing.T, c *client, container string, total *killFigures) {
	t.Helper()
	before := h.stored(t, c, container)
	for id := range h.acked {
		if before[id] == 0 {
			t.Errorf("fact %s was acknowledged and is lost", id)
		}
	}
	if k := h.last; k != nil {
		total.unanswered++
		there := 0
		for _, id := range k.facts {
			there += min(1, before[id])
		}
		if there != 0 && there != len(k.facts) {
			t.Errorf("%s: %d of the %d facts of one report", k.key, there, len(k.facts))
		}
		if there > 0 {
			total.effective++
		}
		for range 2 {
			if ok, err := k.send(c); !ok || err != nil {
				t.Errorf("sent again: %v %v", ok, err)
			}
		}
		h.acknowledge(k)
		if container == "" && k.party == "" {
			a, err := c.get("/v2/containers?filter[number]=" + h.container())
			var d struct{ Data []resource }
			if err != nil || json.Unmarshal(a.body, &d) != nil || len(d.Data) != 1 {
				t.Fatalf("container %s: %s %v", h.container(), a.body, err)
			}
			container = d.Data[0].ID
		}
	}
	for id, n := range h.stored(t, c, container) {
		if n != 1 || !h.acked[id] {
			t.Errorf("fact %s is there %d times, acknowledged: %v", id, n, h.acked[id])
		}
	}
	total.facts += len(h.acked)
	total.parties += len(h.names)
	total.reads += h.reads
}

// stored counts the stored facts of the voyage by ID, and checks that no milestone
// exists twice.
func (h *caller) stored(t *testing.T, c *client, container string) map[string]int {
	t.Helper()
	facts := map[string]int{}
	if container == "" {
		return facts
	}
	a, err := c.get("/v2/containers/" + container + "/raw_events")
	var d struct{ Data []resource }
	if err != nil || a.status != http.StatusOK || json.Unmarshal(a.body, &d) != nil {
		t.Fatalf("raw events: %d %s %v", a.status, a.body, err)
	}
	for _, r := range d.Data {
		facts[r.Attributes["original_event"].(string)]++
	}
	events, err := c.all("/v2/containers/" + container + "/transport_events")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[any]bool{}
	for _, e := range events {
		// Each happens once on this voyage, except estimates of the arrival.
		if name := e.Attributes["event"]; seen[name] {
			t.Errorf("%s: two events %v", h.bill(), name)
		} else {
			seen[name] = true
		}
	}
	return facts
}

// checkParties checks that exactly the parties of the callers exist, each once.
func checkParties(t *testing.T, c *client, callers []*caller) {
	t.Helper()
	all, err := c.all("/v2/parties")
	if err != nil {
		t.Fatal(err)
	}
	stored := map[string]int{}
	for _, p := range all {
		stored[p.Attributes["company_name"].(string)]++
	}
	for _, h := range callers {
		for _, name := range h.names {
			if n := stored[name]; n != 1 {
				t.Errorf("%s is there %d times", name, n)
			}
			delete(stored, name)
		}
		for name := range stored {
			if strings.HasPrefix(name, "Party "+h.bill()) {
				t.Errorf("%s was never acknowledged", name)
			}
		}
	}
}
