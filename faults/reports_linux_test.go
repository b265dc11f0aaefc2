package faults

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/landfallhq/tracking/internal/drill"
)

// LANDFALL_REPORTS reports of 16 MiB come at one time from one account, and in a full run
// as many from ten: how much memory they take, and how long the small reports of another
// account take meanwhile. These are not refused for want of room for their bodies.
func TestLargeReports(t *testing.T) {
	reports := drill.Count(t, "LANDFALL_REPORTS", 1)
	for _, accounts := range []int{1, 10} {
		if accounts > 1 && reports == 1 {
			continue
		}
		t.Run(fmt.Sprintf("accounts=%d", accounts), func(t *testing.T) { largeReports(t, reports, accounts) })
	}
}

func largeReports(t *testing.T, reports, accounts int) {
	db := newDB(t)
	s := serve(t, db)
	victim := newAccount(t, s, db, "Victim")
	var aggressors []*client
	for n := range accounts {
		c := newAccount(t, s, db, fmt.Sprintf("Aggressor %d", n))
		c.http.Timeout = 10 * time.Minute
		aggressors = append(aggressors, c)
	}
	serial := 0
	small := func() time.Duration {
		serial++
		begin := time.Now()
		a, err := victim.do(http.MethodPost, "/v2/reports", (&voyage{serial: serial}).report(6))
		if err != nil || a.status == http.StatusTooManyRequests || strings.Contains(string(a.body), "too many large bodies") {
			t.Errorf("a small report of another account: %d %s %v", a.status, a.body, err)
		}
		return time.Since(begin)
	}
	for range 20 {
		small()
	}
	var alone, beset []time.Duration
	for range 100 {
		alone = append(alone, small())
	}
	idle := s.residentMiB(t)

	body := largeReport()
	statuses, reset := map[int]int{}, 0
	var mu sync.Mutex
	var sending sync.WaitGroup
	began := time.Now()
	for n := range reports {
		sending.Go(func() {
			a, err := aggressors[n%accounts].do(http.MethodPost, "/v2/reports", strings.Replace(body, "BILL", fmt.Sprintf("%04d", n), -1))
			mu.Lock()
			defer mu.Unlock()
			// A report is refused before its body is read. A client that still writes it
			// may see its connection reset before it sees the answer.
			if errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE) {
				reset++
				return
			}
			if err != nil {
				t.Errorf("a large report: %v", err)
				return
			}
			if a.status >= 500 && a.status != 503 {
				t.Errorf("answered %d: %s", a.status, a.body)
			}
			statuses[a.status]++
		})
	}
	sent := make(chan struct{})
	go func() { sending.Wait(); close(sent) }()
	for waiting := true; waiting; {
		select {
		case <-sent:
			waiting = false
		case <-time.After(20 * time.Millisecond):
			beset = append(beset, small())
		}
	}
	took := time.Since(began)
	peak := s.peakMiB(t)
	time.Sleep(time.Duration(drill.Count(t, "LANDFALL_REPORTS_REST", 1)) * time.Second)
	t.Logf("%d reports of 16 MiB from %d accounts, answered %v, %d reset, in %s: resident %d MiB before, %d MiB at the peak, %d MiB after a rest; %d small reports of another account p50 %s, p99 %s, alone %s, %s",
		reports, accounts, statuses, reset, took.Round(100*time.Millisecond), idle, peak, s.residentMiB(t), len(beset), quantile(beset, 50), quantile(beset, 99), quantile(alone, 50), quantile(alone, 99))
	if statuses[http.StatusOK] == 0 {
		t.Errorf("answered %v: want some to be stored", statuses)
	}
	for status := range statuses {
		if status != http.StatusOK && status != http.StatusTooManyRequests && status != http.StatusServiceUnavailable {
			t.Errorf("answered %d", status)
		}
	}
}

// largeReport is a report of 16 MiB with 10,000 facts of 20 shipments.
func largeReport() string {
	var b strings.Builder
	b.WriteString(`{"source":"faults","scac":"MAEU","facts":[`)
	note := strings.Repeat("x", 1330)
	for n := range 10_000 {
		if n > 0 {
			b.WriteByte(',')
		}
		at := epoch.Add(time.Duration(n) * time.Minute).Format(time.RFC3339)
		fmt.Fprintf(&b, `{"id":"BILL/%d",%s,"at":%q,"recorded_at":%[3]q,"containers":["MRKU%03d0000"],"numbers":[{"type":"bill_of_lading","number":"MAEUBILL%03d"}],"payload":{"note":"%s"}}`,
			n, arrival, at, n%20, n%20, note)
	}
	b.WriteString("]}")
	return b.String()
}

// peakMiB returns the largest resident memory that the server has had.
func (s *server) peakMiB(t *testing.T) int {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	var kib int
	_, line, _ := strings.Cut(string(status), "VmHWM:")
	if _, err := fmt.Sscan(line, &kib); err != nil {
		t.Fatal(err)
	}
	return kib >> 10
}
