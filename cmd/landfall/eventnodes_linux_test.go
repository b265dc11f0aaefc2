package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/client"
	"github.com/landfallhq/tracking/internal/drill"
)

// eventNode is one of several servers on one database, at an address that it keeps.
type eventNode struct {
	*process
	addr    string
	reader  *eventReader // follows it
	writer  chan int     // gets the number of acknowledged reports when the writer ends
	reports int
}

func (n *eventNode) start(t *testing.T, env []string) {
	n.process = start(t, env, "--addr", n.addr, "--record-events", "--rate-default", "0")
}

// write reports shipments to the node until ctx ends, the first with the number first.
func (n *eventNode) write(ctx context.Context, key string, first int) {
	base, done := "http://"+n.addr+"/v2", 0
	n.writer = make(chan int, 1)
	go func() {
		for ctx.Err() == nil {
			if writeReport(base, key, first+done) {
				done++
			}
		}
		n.writer <- done
	}()
}

// movingFollower follows events through another node after each connection, as behind a load
// balancer.
type movingFollower struct {
	nodes []*eventNode
	read  atomic.Int64
	ids   []string

	mu    sync.Mutex
	next  int
	conn  net.Conn
	ended chan error
}

// dial connects to the node after that of the last connection.
func (w *movingFollower) dial(ctx context.Context, network, _ string) (net.Conn, error) {
	w.mu.Lock()
	addr := w.nodes[w.next%len(w.nodes)].addr
	w.next++
	w.mu.Unlock()
	conn, err := new(net.Dialer).DialContext(ctx, network, addr)
	if err == nil {
		w.mu.Lock()
		w.conn = conn
		w.mu.Unlock()
	}
	return conn, err
}

// move ends the connection.
func (w *movingFollower) move() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.conn != nil {
		w.conn.Close()
	}
}

func (w *movingFollower) follow(ctx context.Context, key string) error {
	c, err := client.New(client.Config{URL: "http://nodes.example/v2", Key: key, MaxWait: 200 * time.Millisecond, HTTP: &http.Client{Transport: &http.Transport{DialContext: w.dial}}})
	if err != nil {
		return err
	}
	w.ended = make(chan error, 1)
	go func() {
		for e, err := range c.FollowEvents(ctx, tracking.EventQuery{}) {
			if err != nil {
				w.ended <- err
				return
			}
			w.ids = append(w.ids, e.ID.String())
			w.read.Add(1)
		}
	}()
	return nil
}

// TestKillEventNodes kills three servers on one PostgreSQL database LANDFALL_EVENT_KILLS times
// while reports are written to each: the followers of each, and one that changes the node after
// each kill, get each event once, all in the same order, and none is missed.
func TestKillEventNodes(t *testing.T) {
	env := postgresEnvironment(t)
	kills := drill.Count(t, "LANDFALL_EVENT_KILLS", 6)
	made := runWith(t, "", env, "keys", "create", "--account", "acme")
	key := made.stdout[:max(len(made.stdout)-1, 0)]
	if made.code != 0 {
		t.Fatal(made.stderr)
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	nodes := make([]*eventNode, 3)
	const apart = 100_000 // more than the reports of a node
	for i := range nodes {
		n := &eventNode{addr: freeAddress(t)}
		n.start(t, env)
		n.reader = &eventReader{t: t, env: environment("LANDFALL_URL="+n.base, "LANDFALL_API_KEY="+key), bills: map[string]int{}}
		n.reader.start()
		nodes[i] = n
	}
	w := &movingFollower{nodes: nodes}
	following, leave := context.WithCancel(t.Context())
	defer leave()
	if err := w.follow(following, key); err != nil {
		t.Fatal(err)
	}
	for i, n := range nodes {
		n.write(ctx, key, i*apart)
	}
	for range kills {
		time.Sleep(time.Duration(20+rand.IntN(200)) * time.Millisecond)
		n := nodes[rand.IntN(len(nodes))]
		n.signal(syscall.SIGKILL)
		n.exit(time.Minute)
		w.move()
		n.start(t, env)
	}
	stop()
	reports := 0
	for _, n := range nodes {
		n.reports = <-n.writer
		reports += n.reports
	}
	all := eventIDs(t, nodes[0].process, key)
	eventually(t, time.Minute, func() error {
		if read := w.read.Load(); read != int64(len(all)) {
			return fmt.Errorf("%d of %d events have come to the one that changes nodes", read, len(all))
		}
		return nil
	})
	leave()
	if err := <-w.ended; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if !slices.Equal(w.ids, all) {
		t.Error("the follower that changes nodes has other events than the list")
	}
	for i, n := range nodes {
		n.reader.awaitRead(len(all))
		if !slices.Equal(n.reader.ids, all) {
			t.Errorf("the follower of node %d has other events than the list", i)
		}
	}
	for i, n := range nodes {
		n.checkReports(t, i*apart, nodes)
	}
	t.Logf("%d kills of 3 nodes, %d reports, %d events in one order at 4 followers, %d connections of the one that changes nodes", kills, reports, len(all), w.next)
}

// checkReports checks that each follower has an event of each report that the node has
// acknowledged.
func (n *eventNode) checkReports(t *testing.T, first int, nodes []*eventNode) {
	if n.reports == 0 {
		t.Errorf("no report was written to %s", n.addr)
	}
	for i := range n.reports {
		for at, follower := range nodes {
			if bill := fmt.Sprintf("KILL%05d", first+i); follower.reader.bills[bill] == 0 {
				t.Errorf("the follower of node %d has no event of %s, whose report was acknowledged", at, bill)
			}
		}
	}
}
