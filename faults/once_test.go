package faults

import (
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"testing"
)

// together makes n calls at the same time, and groups their answers by status.
func together(t *testing.T, n int, do func(i int) (answer, error)) map[int][]answer {
	t.Helper()
	var mu sync.Mutex
	answers := map[int][]answer{}
	begin := make(chan struct{})
	var calls sync.WaitGroup
	for i := range n {
		calls.Go(func() {
			<-begin
			a, err := do(i)
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				t.Errorf("call %d: %v", i, err)
			}
			answers[a.status] = append(answers[a.status], a)
		})
	}
	close(begin)
	calls.Wait()
	return answers
}

// 200 equal concurrent POSTs with one Idempotency-Key have one effect, and all get
// its result.
//
// Seen to fail: without the header, where one party is created and 199 calls report
// that its name is taken, and one report finds all facts new.
func TestOnce(t *testing.T) {
	const calls = 200
	s := serve(t, newDB(t))
	c := s.client(s.key)

	const party = `{"data":{"type":"party","attributes":{"company_name":"Acme"}}}`
	answers := together(t, calls, func(int) (answer, error) {
		return c.do(http.MethodPost, "/v2/parties", party, "Idempotency-Key", "party")
	})
	ids := map[string]bool{}
	for _, a := range answers[http.StatusCreated] {
		r, err := a.one()
		if err != nil {
			t.Fatal(err)
		}
		ids[r.ID] = true
	}
	parties, err := c.all("/v2/parties")
	if err != nil || len(answers[http.StatusCreated]) != calls || len(ids) != 1 || len(parties) != 1 {
		t.Errorf("parties: %d of %d answered 201, with %d IDs; %d exist, %v", len(answers[http.StatusCreated]), calls, len(ids), len(parties), err)
	}

	report := new(voyage).report(6)
	answers = together(t, calls, func(int) (answer, error) {
		return c.do(http.MethodPost, "/v2/reports", report, "Idempotency-Key", "report")
	})
	news := map[int]int{}
	for _, a := range answers[http.StatusOK] {
		var receipt struct {
			Data struct{ Attributes struct{ New int } }
		}
		if err := json.Unmarshal(a.body, &receipt); err != nil {
			t.Fatal(err)
		}
		news[receipt.Data.Attributes.New]++
	}
	if news[6] != calls {
		t.Errorf("reports: numbers of new facts, and how often they were returned: %v", news)
	}
	containers, err := c.all("/v2/containers")
	if err != nil || len(containers) != 1 {
		t.Fatalf("%d containers, %v", len(containers), err)
	}
	facts, err := c.get("/v2/containers/" + containers[0].ID + "/raw_events")
	var d struct{ Data []resource }
	if err != nil || json.Unmarshal(facts.body, &d) != nil || len(d.Data) != 6 {
		t.Errorf("%d facts, %v", len(d.Data), err)
	}
	t.Logf("%d equal POSTs with one key, twice: 1 effect each", calls)
}

// Of 100 concurrent PATCHes of the same version, one succeeds.
//
// Seen to fail: without If-Match, where all 100 do.
func TestIfMatch(t *testing.T) {
	const calls = 100
	s := serve(t, newDB(t))
	c := s.client(s.key)
	if a, err := c.do(http.MethodPost, "/v2/reports", new(voyage).report(6)); err != nil || a.status != http.StatusOK {
		t.Fatalf("%d %s %v", a.status, a.body, err)
	}
	shipments, err := c.all("/v2/shipments")
	if err != nil || len(shipments) != 1 {
		t.Fatalf("%d shipments, %v", len(shipments), err)
	}
	path := "/v2/shipments/" + shipments[0].ID
	before, err := c.get(path)
	if err != nil {
		t.Fatal(err)
	}
	answers := together(t, calls, func(i int) (answer, error) {
		body := fmt.Sprintf(`{"data":{"type":"shipment","attributes":{"tags":["writer %d"]}}}`, i)
		return c.do(http.MethodPatch, path, body, "If-Match", before.header.Get("ETag"))
	})
	won, stale := answers[http.StatusOK], answers[http.StatusPreconditionFailed]
	if len(won) != 1 || len(stale) != calls-1 {
		for status, a := range answers {
			t.Logf("%d times %d: %s", len(a), status, a[0].body)
		}
		t.Fatalf("%d changed it and %d got 412, of %d", len(won), len(stale), calls)
	}
	after, err := c.get(path)
	winner, _ := won[0].one()
	now, _ := after.one()
	if err != nil || fmt.Sprint(now.Attributes["tags"]) != fmt.Sprint(winner.Attributes["tags"]) || after.header.Get("ETag") != won[0].header.Get("ETag") {
		t.Errorf("the successful call got %v %s, but it is %v %s, %v", winner.Attributes["tags"], won[0].header.Get("ETag"),
			now.Attributes["tags"], after.header.Get("ETag"), err)
	}
	t.Logf("%d PATCHes of one version: %d changed it, %d times 412", calls, len(won), len(stale))
}
