package faults

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/landfallhq/tracking/internal/drill"
)

// One key cannot take the memory: it sends LANDFALL_BODIES reports of 16 MiB at one
// time, half of them chunked, each but for its last byte. Those above its share get
// 429 before their body is read. A client of another account is served meanwhile, also
// with a large report. When the bodies have gone, the server gives the memory back.
//
// Seen to fail: without the budget.
func TestUnfinishedBodies(t *testing.T) {
	bodies := drill.Count(t, "LANDFALL_BODIES", 100)
	db := newDB(t)
	s := serve(t, db)
	out, err := landfall("keys", "create", "--db", db, "--account", "other")
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	other := s.client(strings.TrimSpace(out[strings.Index(out, "lf_"):]))
	for n := range 40 {
		if a, err := other.do(http.MethodPost, "/v2/reports", (&voyage{serial: n}).report(6)); err != nil || a.status != http.StatusOK {
			t.Fatalf("%d %s %v", a.status, a.body, err)
		}
	}
	other.measure(t, 200)
	idle := s.residentMiB(t)
	alone := other.look(3, 0)

	payload := bytes.Repeat([]byte(" "), 16<<20-1)
	var sending sync.WaitGroup
	statuses := make(chan int, bodies)
	release := make(chan struct{})
	sent := make(chan struct{}, bodies)
	for n := range bodies {
		sending.Go(func() {
			status := s.sendUnfinished(payload, n%2 == 1, sent, release)
			statuses <- status
		})
	}
	for range bodies {
		<-sent
	}
	peak := s.residentMiB(t)
	meanwhile := other.look(3, 0)
	large := (&voyage{serial: 1000}).report(6)
	large = large[:1] + strings.Repeat(" ", 15<<20) + large[1:]
	if a, err := other.do(http.MethodPost, "/v2/reports", large); err != nil || a.status != http.StatusOK {
		t.Errorf("a large report of another account: %d %s %v", a.status, a.body, err)
	}
	close(release)
	sending.Wait()
	close(statuses)
	got := map[int]int{}
	for status := range statuses {
		got[status]++
	}
	var after, within time.Duration
	last := 0
	for begin := time.Now(); within < 20*time.Second; within = time.Since(begin) {
		if last = s.residentMiB(t); last < idle+150 {
			break
		}
		time.Sleep(200 * time.Millisecond)
	}
	after = within.Round(100 * time.Millisecond)
	t.Logf("%d unfinished bodies of 16 MiB of one key, answered %v (0 is none yet): resident %d MiB idle, %d MiB meanwhile, %d MiB %s after; another account's reads alone %s, meanwhile %s",
		bodies, got, idle, peak, last, after, alone, meanwhile)
	if got[http.StatusTooManyRequests] == 0 || got[0] == 0 {
		t.Errorf("answered %v: want some to be read, and 429 for the others", got)
	}
	if meanwhile.refused != nil {
		t.Errorf("another account was refused: %v", meanwhile.refused)
	}
	if last >= idle+150 {
		t.Errorf("%d MiB are resident after %s, %d MiB before", last, after, idle)
	}
}

// sendUnfinished sends a report but for its end, and returns the status of the answer,
// 0 if there was none until release is closed.
func (s *server) sendUnfinished(payload []byte, chunked bool, sent chan<- struct{}, release <-chan struct{}) (status int) {
	c, err := net.Dial("tcp", strings.TrimPrefix(s.root, "http://"))
	if err != nil {
		sent <- struct{}{}
		return -1
	}
	defer c.Close()
	head := "POST /v2/reports HTTP/1.1\r\nHost: x\r\nAuthorization: Token " + s.key + "\r\nContent-Type: application/json\r\n"
	if chunked {
		head += fmt.Sprintf("Transfer-Encoding: chunked\r\n\r\n%x\r\n", len(payload)+1)
	} else {
		head += fmt.Sprintf("Content-Length: %d\r\n\r\n", len(payload)+1)
	}
	answered := make(chan int, 1)
	go func() {
		response, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil {
			answered <- -1
			return
		}
		response.Body.Close()
		answered <- response.StatusCode
	}()
	written := make(chan struct{})
	go func() {
		defer close(written)
		if _, err := io.WriteString(c, head); err == nil {
			_, _ = c.Write(payload)
		}
	}()
	select {
	case status = <-answered:
		sent <- struct{}{}
		return status
	case <-written:
		sent <- struct{}{}
	}
	select {
	case status = <-answered:
		return status
	case <-release:
		return 0
	}
}

// residentMiB returns the resident memory of the server.
func (s *server) residentMiB(t *testing.T) int {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	_, line, _ := strings.Cut(string(status), "VmRSS:")
	kib, err := strconv.Atoi(strings.Fields(line)[0])
	if err != nil {
		t.Fatal(err)
	}
	return kib >> 10
}
