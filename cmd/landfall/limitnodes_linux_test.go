package main

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/landfallhq/tracking/internal/drill"
)

// TestLimitNodes sends requests of one account over three servers on one PostgreSQL database, more
// than its limit of 100 a minute: 1,000 at once and then, for LANDFALL_LIMIT_MINUTES, some 30 a
// second. In no minute more than 100 are admitted, and in none less. Failed authentications of an
// address are counted over the nodes too.
func TestLimitNodes(t *testing.T) {
	env := postgresEnvironment(t)
	minutes := drill.Count(t, "LANDFALL_LIMIT_MINUTES", 0)
	made := runWith(t, "", env, "keys", "create", "--account", "acme")
	key := made.stdout[:max(len(made.stdout)-1, 0)]
	if made.code != 0 {
		t.Fatal(made.stderr)
	}
	var nodes [3]string
	for i := range nodes {
		nodes[i] = start(t, env).base + "/shipments"
	}
	c := &limitedClient{nodes: nodes[:], key: key}
	begin := time.Now()
	c.send(t, 1000, 0)
	if len(c.admitted) != 100 {
		t.Errorf("%d of 1,000 requests were admitted", len(c.admitted))
	}
	if minutes > 0 {
		c.send(t, minutes*60*perSecond, time.Second/perSecond)
	}
	c.checkMinutes(t)
	t.Logf("%d of %d requests over %d nodes were admitted in %s", len(c.admitted), c.sent, len(nodes), time.Since(begin).Round(time.Second))

	statuses := map[int]int{}
	for i := range 150 {
		status, _ := get(t, nodes[i%len(nodes)], fmt.Sprintf("wrong%d", i))
		statuses[status]++
	}
	if statuses[http.StatusUnauthorized] != 101 || statuses[http.StatusTooManyRequests] != 49 { // above 100, the next is refused
		t.Errorf("failed authentications: %v", statuses)
	}
}

// perSecond is the pace of requests after the first 1,000.
const perSecond = 30

// limitedClient counts what is admitted.
type limitedClient struct {
	nodes []string
	key   string

	mu       sync.Mutex
	sent     int
	admitted []admission
}

type admission struct{ sent, answered time.Time }

// send sends n requests, twelve at one time and one each interval, to one node after the other.
func (c *limitedClient) send(t *testing.T, n int, interval time.Duration) {
	t.Helper()
	var all sync.WaitGroup
	numbers := make(chan int)
	for range 12 {
		all.Go(func() {
			for i := range numbers {
				a := admission{sent: time.Now()}
				status, wait := get(t, c.nodes[i%len(c.nodes)], c.key)
				a.answered = time.Now()
				c.mu.Lock()
				c.sent++
				switch {
				case status == http.StatusOK:
					c.admitted = append(c.admitted, a)
				case status != http.StatusTooManyRequests || wait < 1 || wait > 60:
					t.Errorf("status %d, Retry-After %d", status, wait)
				}
				c.mu.Unlock()
			}
		})
	}
	begin := time.Now()
	for i := range n {
		time.Sleep(time.Until(begin.Add(time.Duration(i) * interval)))
		numbers <- i
	}
	close(numbers)
	all.Wait()
}

// checkMinutes checks that never more than a hundred requests were sent and answered within a
// minute, and that the hundredth request after each one was admitted not much later than that. When
// exactly one was admitted is not known: one that was sent earlier may be answered later.
func (c *limitedClient) checkMinutes(t *testing.T) {
	t.Helper()
	slices.SortFunc(c.admitted, func(a, b admission) int { return a.answered.Compare(b.answered) })
	for i, a := range c.admitted {
		within := 0
		for _, b := range c.admitted {
			if !b.sent.Before(a.sent) && b.answered.Sub(a.sent) < time.Minute {
				within++
			}
		}
		if within > 100 {
			t.Errorf("%d requests were sent and admitted within a minute", within)
		}
		if i+100 >= len(c.admitted) {
			continue
		}
		next := c.admitted[i+100]
		// After the burst, the room of a hundred is used at the pace of the requests.
		if apart := next.sent.Sub(a.answered); apart > time.Minute+(100/perSecond+3)*time.Second {
			t.Errorf("fewer than 100 requests were admitted in %s", apart)
		}
	}
}

// get returns the status of a request with a key, and after how many seconds it may be tried
// again.
func get(t *testing.T, url, key string) (status, retryAfter int) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Token "+key)
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Error(err)
		return 0, 0
	}
	defer res.Body.Close()
	if _, err := io.Copy(io.Discard, res.Body); err != nil {
		t.Error(err)
	}
	retryAfter, _ = strconv.Atoi(res.Header.Get("Retry-After")) // 0 for none
	return res.StatusCode, retryAfter
}
