package main

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/landfallhq/tracking/internal/postgrestest"
)

// postgresEnvironment returns the environment of the nodes of one installation.
func postgresEnvironment(t *testing.T) []string {
	t.Helper()
	return []string{
		"LANDFALL_DB=" + postgrestest.Shared(t).Schema(t),
		"LANDFALL_BLOBS=" + filepath.Join(t.TempDir(), "documents"),
		masterKeyVariable + "=" + base64.StdEncoding.EncodeToString(newMasterKey()),
	}
}

// TestPostgres: two servers on one PostgreSQL database serve each other's writes, and what
// a server has acknowledged before kill -9 is there afterwards.
func TestPostgres(t *testing.T) {
	t.Parallel()
	env := postgresEnvironment(t)
	one := start(t, env, "--rate-default", "0")
	key := one.key
	if key == "" {
		t.Fatalf("no key: %s", one.logs())
	}
	two := start(t, env, "--rate-default", "0")
	two.key = key

	one.ask(http.MethodPost, "/tracking_requests", `{"data":{"type":"tracking_request","attributes":{"request_number":"MAEU123456789","request_type":"bill_of_lading","scac":"MAEU"}}}`, nil)
	if n := two.list(key, "/tracking_requests").Meta.Total; n != 1 {
		t.Errorf("the other server has %d tracking requests", n)
	}
	two.ask(http.MethodPost, "/reports", `{"source":"api","scac":"MAEU","facts":[
		{"event":"load","classifier":"actual","at":{"time":"2026-02-04T10:00:00Z"},"place":{"locode":"CNSHA"},"vessel":{"imo":"9321483"},"containers":["APZU4812090"],"numbers":[{"type":"bill_of_lading","number":"MAEU123456789"}]}]}`, nil)
	tracked := func(p *process) (id string) {
		t.Helper()
		list := p.list(key, "/shipments")
		if len(list.Data) != 1 || list.Data[0].Attributes["bill_of_lading_number"] != "MAEU123456789" {
			t.Fatalf("shipments: %+v", list.Data)
		}
		if containers := p.list(key, "/containers").Data; len(containers) != 1 || containers[0].Attributes["number"] != "APZU4812090" {
			t.Fatalf("containers: %+v", containers)
		}
		return list.Data[0].ID
	}
	shipment := tracked(one)

	acknowledged := map[string]bool{}
	for i := range 30 {
		name := fmt.Sprintf("Party %d", i)
		status, body, err := two.call(key, http.MethodPost, "/parties", fmt.Sprintf(`{"data":{"type":"party","attributes":{"company_name":%q}}}`, name))
		if err != nil || status != http.StatusCreated {
			t.Fatalf("%d %s %v", status, body, err)
		}
		acknowledged[name] = true
	}
	for _, p := range []*process{one, two} {
		p.signal(syscall.SIGKILL)
		p.exit(5 * time.Second)
	}

	again := start(t, env)
	if id := tracked(again); id != shipment {
		t.Errorf("the shipment was %s, and is %s", shipment, id)
	}
	for _, r := range again.list(key, "/parties?page[size]=100").Data {
		delete(acknowledged, r.Attributes["company_name"].(string))
	}
	if len(acknowledged) > 0 {
		t.Errorf("acknowledged and lost: %v", acknowledged)
	}
	again.stop()
}

// TestPostgresCommands: commands that only open the store work on PostgreSQL; those that
// work on a file say so, and no message has the password.
func TestPostgresCommands(t *testing.T) {
	t.Parallel()
	env := postgresEnvironment(t)
	for _, args := range [][]string{{"keys", "create", "--account", "acme"}, {"accounts", "set", "--account", "acme", "--company-name", "Acme"}, {"accounts", "list"}} {
		if r := runWith(t, "", env, args...); r.code != 0 {
			t.Errorf("%v: exit %d: %s%s", args, r.code, r.stdout, r.stderr)
		}
	}
	if r := runWith(t, "", env, "migrate", "--dry-run"); r.code != 0 || r.stdout != "no steps of the schema are missing\n" {
		t.Errorf("exit %d: %s%s", r.code, r.stdout, r.stderr)
	}
	fresh := []string{"LANDFALL_DB=" + postgrestest.Shared(t).Schema(t)}
	for _, step := range [][2]string{{"--dry-run", "missing"}, {"--dry-run", "missing"}, {"--dry-run=false", "applied"}, {"--dry-run", "no steps"}} {
		if r := runWith(t, "", fresh, "migrate", step[0]); r.code != 0 || !strings.HasPrefix(r.stdout, step[1]) {
			t.Errorf("migrate %s: exit %d: %s%s", step[0], r.code, r.stdout, r.stderr)
		}
	}
	runWith(t, "", fresh, "serve", "--addr", "127.0.0.1:0").refused(t, 2, "--blobs is missing")
	fresh = append(fresh, "LANDFALL_BLOBS="+t.TempDir())
	if r := runWith(t, "", fresh, "serve", "--addr", "127.0.0.1:0"); r.code != 1 || !strings.Contains(r.stderr, masterKeyVariable+" is not set") {
		t.Errorf("serve without a master key: exit %d: %s", r.code, r.stderr)
	}
	const db = "postgres://landfall:hush-hush@127.0.0.1:1/landfall?password=hush-hush"
	env = []string{"LANDFALL_DB=" + db}
	for want, args := range map[string][]string{
		"pg_amcheck":      {"check"},
		"pg_dump":         {"backup", "copy.db"},
		"no file to rest": {"restore", "copy.db"},
		"connection":      {"accounts", "list"},
		"--blobs":         {"accounts", "delete", "--account", "acme", "--yes"},
	} {
		r := runWith(t, "", env, args...)
		if all := r.stdout + r.stderr; r.code == 0 || !strings.Contains(all, want) || strings.Contains(all, "hush") {
			t.Errorf("%v: exit %d: %s", args, r.code, all)
		}
	}
	if r := runWith(t, "", env, "doctor"); strings.Contains(r.stdout+r.stderr, "hush") {
		t.Errorf("doctor prints the password: %s%s", r.stdout, r.stderr)
	}
}
