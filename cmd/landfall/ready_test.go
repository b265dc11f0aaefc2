package main

import (
	"context"
	"database/sql"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
)

// writes tries to write and returns the status and Retry-After.
func (p *process) writes() (status int, retryAfter string) {
	p.t.Helper()
	r, err := http.NewRequest(http.MethodPost, p.base+"/parties", strings.NewReader(`{"data":{"type":"party","attributes":{"company_name":"Acme"}}}`))
	if err != nil {
		p.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Token "+p.key)
	r.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		p.t.Fatal(err)
	}
	answer.Body.Close()
	return answer.StatusCode, answer.Header.Get("Retry-After")
}

// probe asks a health endpoint.
func (p *process) probe(path string) int {
	p.t.Helper()
	answer, err := http.Get(strings.TrimSuffix(p.base, "/v2") + path)
	if err != nil {
		p.t.Fatal(err)
	}
	answer.Body.Close()
	return answer.StatusCode
}

// becomes waits for the status of /readyz, two seconds at most, polling five times
// a second.
func (p *process) becomes(want int) {
	p.t.Helper()
	start := time.Now()
	eventually(p.t, 2*time.Second, func() error {
		if got := p.probe("/readyz"); got != want {
			return fmt.Errorf("/readyz says %d", got)
		}
		return nil
	})
	p.t.Logf("/readyz says %d after %s", want, time.Since(start).Round(10*time.Millisecond))
}

// suffers checks a server while its store cannot be written: it reports that,
// refuses writes, serves reads, and recovers by itself.
func suffers(t *testing.T, p *process, begin, end func()) {
	t.Helper()
	p.becomes(http.StatusOK)
	begin()
	p.becomes(http.StatusServiceUnavailable)
	if status, retry := p.writes(); status != http.StatusServiceUnavailable || retry == "" {
		t.Errorf("a write: %d, Retry-After %q", status, retry)
	}
	p.list(p.key, "/parties")
	if status := p.probe("/healthz"); status != http.StatusOK {
		t.Errorf("/healthz says %d", status)
	}
	end()
	p.becomes(http.StatusOK)
	if status, _ := p.writes(); status != http.StatusCreated {
		t.Errorf("a write after it: %d", status)
	}
}

// Another process holds the write lock of the file.
func TestBlockedWriter(t *testing.T) {
	t.Parallel()
	db := newDB(t)
	p := serve(t, db, "--rate-default", "0")
	other, err := sql.Open("sqlite3", db)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	c, err := other.Conn(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	exec := func(statement string) func() {
		return func() {
			if _, err := c.ExecContext(context.Background(), statement); err != nil {
				t.Fatal(err)
			}
		}
	}
	suffers(t, p, exec("BEGIN IMMEDIATE"), exec("ROLLBACK"))
}
