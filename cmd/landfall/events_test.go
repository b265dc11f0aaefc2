package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/landfallhq/tracking/internal/drill"
)

// eventReader runs landfall events --follow, and reads what it prints.
type eventReader struct {
	t   *testing.T
	env []string
	cmd *exec.Cmd
	// read is the number of events, ids has theirs, and bills counts those with the shipment of
	// each number.
	read  atomic.Int64
	ids   []string
	bills map[string]int
	ended chan struct{}
}

func (r *eventReader) start() {
	r.t.Helper()
	r.cmd = exec.Command(binary, "events", "--follow", "--json", "--after", strconv.FormatInt(r.read.Load(), 10))
	r.cmd.Env = r.env
	out, err := r.cmd.StdoutPipe()
	if err != nil {
		r.t.Fatal(err)
	}
	if err := r.cmd.Start(); err != nil {
		r.t.Fatal(err)
	}
	r.ended = make(chan struct{})
	cmd := r.cmd
	r.t.Cleanup(func() { _ = cmd.Process.Kill() }) // where the test fails
	go r.readLines(out)
}

// readLines checks that each event is the next one. A line that was cut off is none.
func (r *eventReader) readLines(from io.Reader) {
	defer close(r.ended)
	for lines := bufio.NewReader(from); ; {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		var e struct {
			Cursor  string
			ID      string
			Payload struct{ Included []resource }
		}
		if err := json.Unmarshal(line, &e); err != nil {
			r.t.Errorf("%v in %s", err, line)
		}
		if want := strconv.FormatInt(r.read.Load()+1, 10); e.Cursor != want {
			r.t.Errorf("event %s comes in place of %s", e.Cursor, want)
		}
		for _, of := range e.Payload.Included {
			if bill, ok := of.Attributes["bill_of_lading_number"].(string); ok {
				r.bills[bill]++
			}
		}
		r.ids = append(r.ids, e.ID)
		r.read.Add(1)
	}
}

// awaitRead waits until the reader has n events, and ends it.
func (r *eventReader) awaitRead(n int) {
	r.t.Helper()
	eventually(r.t, time.Minute, func() error {
		if read := r.read.Load(); read != int64(n) {
			return fmt.Errorf("%d of %d events have come", read, n)
		}
		return nil
	})
	r.kill()
}

func (r *eventReader) kill() {
	r.cmd.Process.Kill()
	<-r.ended
	r.cmd.Wait()
}

// TestKillEvents kills the server or a follower LANDFALL_EVENT_KILLS times while events happen:
// the follower gets each once, in order, and none is missed.
func TestKillEvents(t *testing.T) {
	kills := drill.Count(t, "LANDFALL_EVENT_KILLS", 20)
	db, addr := newDB(t), freeAddress(t)
	key := must(t, "keys", "create", "--db", db, "--account", "acme")
	start := func() *process {
		return start(t, nil, "--db", db, "--addr", addr, "--record-events", "--rate-default", "0")
	}
	server := start()
	reader := &eventReader{t: t, env: environment("LANDFALL_URL=http://"+addr+"/v2", "LANDFALL_API_KEY="+key), bills: map[string]int{}}
	reader.start()
	ctx, stop := context.WithCancel(t.Context())
	written := make(chan int, 1)
	base := server.base
	go func() {
		n := 0
		for ctx.Err() == nil {
			if writeReport(base, key, n) {
				n++
			}
		}
		written <- n
	}()
	for range kills {
		time.Sleep(time.Duration(20+rand.IntN(200)) * time.Millisecond)
		if rand.IntN(2) == 0 {
			reader.kill()
			reader.start()
			continue
		}
		server.signal(syscall.SIGKILL)
		server.exit(time.Minute)
		server = start()
	}
	stop()
	reports := <-written
	all := eventIDs(t, server, key)
	reader.awaitRead(len(all))
	if !slices.Equal(reader.ids, all) {
		t.Error("the follower has other events than the list")
	}
	for n := range reports {
		if bill := fmt.Sprintf("KILL%05d", n); reader.bills[bill] == 0 {
			t.Errorf("no event of %s, whose report was acknowledged", bill)
		}
	}
	t.Logf("%d kills, %d reports, %d events", kills, reports, len(all))
}

// eventIDs returns the IDs of all events, in their order. Their cursors are counted from 1.
func eventIDs(t *testing.T, server *process, key string) (ids []string) {
	t.Helper()
	for left := 1; left > 0; {
		status, body, err := server.call(key, "GET", "/events?page[size]=100&after="+strconv.Itoa(len(ids)), "")
		var page struct {
			Data []resource
			Meta struct{ Total int }
		}
		if err != nil || status != 200 || json.Unmarshal(body, &page) != nil || len(page.Data) == 0 {
			t.Fatalf("%d %v %s", status, err, body)
		}
		for _, e := range page.Data {
			if ids = append(ids, e.ID); e.Attributes["cursor"] != strconv.Itoa(len(ids)) {
				t.Fatalf("event %d has the cursor %v", len(ids), e.Attributes["cursor"])
			}
		}
		left = page.Meta.Total - len(page.Data)
	}
	return ids
}

// writeReport reports a new shipment, and returns whether that was acknowledged.
func writeReport(base, key string, n int) bool {
	p := process{base: base}
	status, _, err := p.call(key, "POST", "/reports", fmt.Sprintf(`{"source":"kill","facts":[{"id":"%d","event":"gate_out","at":"2026-03-01T10:00:00Z","place":{"locode":"USOAK"},"mode":"truck","containers":["WHLU1234560"],"numbers":[{"type":"bill_of_lading","number":"KILL%05d"}]}]}`, n, n))
	if err != nil || status != 200 {
		time.Sleep(10 * time.Millisecond)
		return false
	}
	return true
}

// The command prints the events that there are, and says what is wrong.
func TestEventsCommand(t *testing.T) {
	server := serve(t, newDB(t), "--record-events")
	writeReport(server.base, server.key, 1)
	env := []string{"LANDFALL_URL=" + server.base, "LANDFALL_API_KEY=" + server.key}
	printed := runWith(t, "", env, "events")
	if lines := strings.Split(printed.stdout, "\n"); printed.code != 0 || !strings.HasPrefix(lines[0], "1 ") || !strings.Contains(lines[0], "container.created") {
		t.Errorf("%d %q %q", printed.code, printed.stdout, printed.stderr)
	}
	if none := runWith(t, "", env, "events", "--event", "document.extracted"); none.code != 0 || none.stdout != "" {
		t.Errorf("%d %q %q", none.code, none.stdout, none.stderr)
	}
	runWith(t, "", env, "events", "--after", "x").refused(t, 1, "after", "cursor")
	runWith(t, "", env, "events", "--follow", "--after", "999").refused(t, 1, "beyond the last event")
	runWith(t, "", nil, "events").refused(t, 2, "LANDFALL_API_KEY")
}
