package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"maps"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/storage/memory"
)

// TestAuditCommand: what commands and requests change is listed, with filters.
func TestAuditCommand(t *testing.T) {
	db := filepath.Join(t.TempDir(), "a.db")
	must(t, "keys", "create", "--db", db, "--account", "acme", "--permissions", "show")
	must(t, "users", "create", "--db", db, "--account", "zeta", "--email", "kim@example.com")
	must(t, "accounts", "set", "--db", db, "--account", "acme", "--company-name", "Acme Ltd")

	var got []string
	var before time.Time
	for line := range strings.Lines(must(t, "audit", "--db", db, "--json")) {
		var l auditLine
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Fatal(err)
		}
		if !before.IsZero() && l.At.After(before) {
			t.Errorf("%s is listed after %s", l.At, before)
		}
		before = l.At
		got = append(got, strings.Join([]string{l.Account, l.Actor, l.Operation, strings.Join(l.Changed, ",")}, " "))
	}
	// Those of one second are by account.
	want := []string{"acme operator account.create ", "acme operator api_key.create ", "acme operator account.update company_name", "zeta operator account.create ", "zeta operator user.create "}
	for _, line := range want {
		if !strings.Contains(strings.Join(got, "\n")+"\n", line) {
			t.Errorf("%q is missing in %q", line, got)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%q", got)
	}
	lines := strings.Split(must(t, "audit", "--db", db, "--account", "acme", "--type", "api_key", "--since", "1h"), "\n")
	if len(lines) != 2 || !strings.Contains(lines[1], "api_key.create") {
		t.Errorf("%q", lines)
	}
	if out := must(t, "audit", "--db", db, "--until", "1h"); strings.Contains(out, "create") {
		t.Errorf("%s", out)
	}
	run(t, "audit", "--db", db, "--since", "yesterday").refused(t, 2, "--since", "2026-11-01T00:00:00Z")
	run(t, "audit", "--db", db, "--key", "lf_").refused(t, 2, "--key", "keys list")
	run(t, "audit", "--db", db, "--account", "nobody").refused(t, 1, "nobody")
	run(t, "serve", "--db", db, "--audit-retention", "1s").refused(t, 2, "--audit-retention", "1h")
}

// TestAuditedIn: an account with more changes than a page has is read whole.
func TestAuditedIn(t *testing.T) {
	tr, err := tracking.New(tracking.Config{Store: memory.New()})
	if err != nil {
		t.Fatal(err)
	}
	defer tr.Close()
	account, _, err := tr.EnsureAccount(t.Context(), "acme")
	if err != nil {
		t.Fatal(err)
	}
	for n := range 2 * auditPage {
		if _, err := tr.For(tracking.Actor{Account: account.Scope()}).Users().Create(t.Context(), tracking.NewUser{Name: "Kim", Email: fmt.Sprintf("kim%d@example.com", n)}); err != nil {
			t.Fatal(err)
		}
	}
	read := map[tracking.ID]bool{}
	for line, err := range auditedIn(t.Context(), tr.For(tracking.Actor{Account: account.Scope()}), "acme", tracking.AuditEventQuery{}) {
		if err != nil {
			t.Fatal(err)
		}
		read[line.Resources[0]] = true
	}
	if want := 1 + 2*auditPage; len(read) != want { // the account too
		t.Errorf("%d changes, want %d", len(read), want)
	}
}

// TestAuditPages: lists are merged, last first, and no line is left out.
func TestAuditPages(t *testing.T) {
	at := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	list := func(account string, n, every int) iter.Seq2[auditLine, error] {
		return func(yield func(auditLine, error) bool) {
			for i := n - 1; i >= 0; i-- {
				if !yield(auditLine{Account: account, At: at.Add(time.Duration(i*every) * time.Second)}, nil) {
					return
				}
			}
		}
	}
	broken := errors.New("broken")
	failing := func(yield func(auditLine, error) bool) { yield(auditLine{}, broken) }
	counts, last := map[string]int{}, at.Add(time.Hour)
	var failed error
	for line, err := range lastFirst([]iter.Seq2[auditLine, error]{list("a", 50, 3), list("b", 0, 1), list("c", 120, 1), failing}) {
		if failed = err; err != nil {
			break
		}
		if line.At.After(last) {
			t.Fatalf("%s of %s is listed after %s", line.At, line.Account, last)
		}
		last = line.At
		counts[line.Account]++
	}
	if want := (map[string]int{"a": 50, "c": 120}); !maps.Equal(counts, want) || failed != broken {
		t.Errorf("listed %v and then %v, want %v and %v", counts, failed, want, broken)
	}
}
