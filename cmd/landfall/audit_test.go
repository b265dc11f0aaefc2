package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
)

// TestAuditCommand: what commands and requests change is listed, with filters.
func TestAuditCommand(t *testing.T) {
	db := filepath.Join(t.TempDir(), "a.db")
	must(t, "keys", "create", "--db", db, "--account", "acme", "--permissions", "show")
	must(t, "users", "create", "--db", db, "--account", "zeta", "--email", "kim@example.com")
	must(t, "accounts", "set", "--db", db, "--account", "acme", "--company-name", "Acme Ltd")

	var got []string
	for line := range strings.Lines(must(t, "audit", "--db", db, "--json")) {
		var l auditLine
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Fatal(err)
		}
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
