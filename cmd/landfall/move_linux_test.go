package main

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/landfallhq/tracking/internal/drill"
	"github.com/landfallhq/tracking/internal/postgrestest"
	"github.com/landfallhq/tracking/internal/s3test"
)

// answer is what a server answers to a GET.
type answer struct {
	status     int
	body, etag string
}

// answers sends a request for each path.
func (p *process) answers(paths []string) map[string]answer {
	p.t.Helper()
	list := make(map[string]answer, len(paths))
	for _, path := range paths {
		r, err := http.NewRequest(http.MethodGet, p.base+path, nil)
		if err != nil {
			p.t.Fatal(err)
		}
		r.Host = "landfall.example" // which links have, whatever the port
		r.Header.Set("Authorization", "Token "+p.key)
		got, err := http.DefaultClient.Do(r)
		if err != nil {
			p.t.Fatal(err)
		}
		body, err := io.ReadAll(got.Body)
		if err := errors.Join(err, got.Body.Close()); err != nil {
			p.t.Fatal(err)
		}
		list[path] = answer{got.StatusCode, string(body), got.Header.Get("ETag")}
	}
	return list
}

// script returns n paths: lists with pages and filters, and resources that they show.
func (p *process) script(n int) (paths []string) {
	p.t.Helper()
	paths = []string{
		"/shipments?filter[custom_fields][urgent]=true&include=custom_fields", "/shipments?sort=custom_fields[po]", "/shipments?filter[tags]=a&include=containers",
		"/webhooks", "/parties", "/documents", "/custom_field_definitions", "/custom_fields", "/exceptions", "/shipments?page[number]=2&page[size]=7", "/containers?sort=-created_at",
		"/shipments/" + strings.Repeat("0", 8) + "-0000-0000-0000-000000000000",
	}
	for _, kind := range []string{"shipments", "containers", "parties", "documents", "webhooks"} {
		for page := 1; len(paths) < n; page++ {
			list := p.list(p.key, fmt.Sprintf("/%s?page[number]=%d&page[size]=30", kind, page))
			paths = append(paths, fmt.Sprintf("/%s?page[number]=%d&page[size]=30", kind, page))
			for _, r := range list.Data {
				paths = append(paths, "/"+kind+"/"+r.ID)
				switch kind {
				case "shipments":
					paths = append(paths, "/shipments/"+r.ID+"?include=containers,pod_terminal,port_of_lading", "/shipments/"+r.ID+"/custom_fields")
				case "containers":
					paths = append(paths, "/containers/"+r.ID+"/transport_events", "/containers/"+r.ID+"/raw_events")
				}
			}
			if len(list.Data) < 30 || kind == "shipments" && len(paths) > n/2 {
				break
			}
		}
	}
	return paths[:min(n, len(paths))]
}

// wantAnswers compares the answers of a server with earlier ones.
func (p *process) wantAnswers(want map[string]answer) {
	p.t.Helper()
	got := p.answers(slices.Sorted(maps.Keys(want)))
	for path, w := range want {
		if g := got[path]; g != w {
			p.t.Errorf("GET %s: %d %s %s\nwas %d %s %s", path, g.status, g.etag, g.body, w.status, w.etag, w.body)
			return
		}
	}
}

// importShipments imports shipments with a container and four facts each.
func importShipments(t *testing.T, env []string, db string, n int) {
	t.Helper()
	const perFile = 1000
	for first := 0; first < n; first += perFile {
		var b strings.Builder
		b.WriteString(`{"source":"line","scac":"MAEU","facts":[`)
		for i := first; i < min(first+perFile, n); i++ {
			of := fmt.Sprintf(`"containers":["MSKU%07d"],"numbers":[{"type":"bill_of_lading","number":"MAEU%09d"}]`, i, i)
			for at, fact := range []string{
				`"event":"load","classifier":"actual","at":{"time":"2026-02-04T10:00:00Z"},"place":{"locode":"CNSHA"},"vessel":{"imo":"9321483"}`,
				`"event":"arrive","classifier":"actual","at":{"time":"2026-03-01T10:00:00Z"},"place":{"locode":"NLRTM"},"vessel":{"imo":"9321483"}`,
				`"event":"discharge","classifier":"actual","at":{"time":"2026-03-02T10:00:00Z"},"place":{"locode":"NLRTM"},"vessel":{"imo":"9321483"}`,
				`"event":"gate_out","classifier":"actual","at":{"time":"2026-03-05T10:00:00Z"},"place":{"locode":"NLRTM"},"mode":"truck"`,
			} {
				if i > first || at > 0 {
					b.WriteString(",")
				}
				b.WriteString("{" + fact + "," + of + "}")
			}
		}
		b.WriteString("]}")
		if r := runWith(t, "", env, "import", "--format", "report", "--account", "default", "--db", db, write(t, "facts.json", b.String())); r.code != 0 {
			t.Fatal(r.stderr)
		}
	}
}

// fillForMove starts a server on the database, and stores what shipments do not have.
func fillForMove(t *testing.T, env []string, db string, shipments int) *process {
	t.Helper()
	p := start(t, env, "--db", db, "--rate-default", "0")
	key := p.key
	p.stop()
	importShipments(t, env, db, shipments)
	p = start(t, env, "--db", db, "--rate-default", "0")
	p.key = key
	p.ask(http.MethodPost, "/webhooks", `{"data":{"type":"webhook","attributes":{"url":"https://hooks.example.com/landfall","active":false,"events":["container.created"]}}}`, nil)
	p.ask(http.MethodPost, "/parties", `{"data":{"type":"party","attributes":{"company_name":"Acme"}}}`, nil)
	for slug, typ := range map[string]string{"urgent": "boolean", "po": "short_text"} {
		p.ask(http.MethodPost, "/custom_field_definitions", fmt.Sprintf(`{"data":{"type":"custom_field_definition","attributes":{"entity_type":"Shipment","api_slug":%q,"display_name":%q,"data_type":%q,"filterable":true}}}`, slug, slug, typ), nil)
	}
	for i, s := range p.list(key, "/shipments?page[size]=20").Data {
		p.ask(http.MethodPost, "/shipments/"+s.ID+"/custom_fields", fmt.Sprintf(`{"data":{"type":"custom_field","attributes":{"api_slug":"urgent","value":%t}}}`, i%3 == 0), nil)
		p.ask(http.MethodPost, "/shipments/"+s.ID+"/custom_fields", fmt.Sprintf(`{"data":{"type":"custom_field","attributes":{"api_slug":"po","value":"PO-%d"}}}`, 100-i), nil)
	}
	for _, name := range []string{"a.txt", "b.txt"} {
		p.file(name, "bill of lading of "+name)
	}
	eventually(t, 30*time.Second, func() error {
		if n := p.list(key, "/documents?filter[state]=waiting").Meta.Total; n > 0 {
			return fmt.Errorf("%d documents wait to be read", n)
		}
		return nil
	})
	return p
}

// moveWithKills runs landfall move and kills it (kill -9), each time later, until it succeeds.
func moveWithKills(t *testing.T, env []string, first time.Duration, args ...string) (kills int) {
	t.Helper()
	for limit := first; ; limit = limit * 3 / 2 {
		ctx, cancel := context.WithTimeout(t.Context(), limit)
		cmd := exec.CommandContext(ctx, binary, append([]string{"move"}, args...)...)
		cmd.Env, cmd.Dir = environment(env...), t.TempDir()
		out, err := cmd.CombinedOutput()
		killed := ctx.Err() != nil
		cancel()
		switch {
		case err == nil:
			t.Logf("killed %d times: %s", kills, out)
			return kills
		case !killed:
			t.Fatalf("move after %d kills: %v: %s", kills, err, out)
		}
		kills++
	}
}

// TestMove moves an installation from SQLite to PostgreSQL and back, with kills between: every
// answer to a script of requests is the same before and after. LANDFALL_MOVE_SHIPMENTS is the
// number of shipments, LANDFALL_MOVE_REQUESTS that of requests.
func TestMove(t *testing.T) {
	t.Parallel()
	shipments, requests := drill.Count(t, "LANDFALL_MOVE_SHIPMENTS", 200), drill.Count(t, "LANDFALL_MOVE_REQUESTS", 200)
	files, database, bucket := newDB(t), postgrestest.Shared(t).Schema(t), s3test.Start(t)
	key := masterKeyVariable + "=" + base64.StdEncoding.EncodeToString(newMasterKey())
	env := append(s3test.Environ(), key)
	papers := filepath.Join(t.TempDir(), "papers")
	p := fillForMove(t, append(env, "LANDFALL_BLOBS="+papers), files, shipments)
	runWith(t, "", env, "move", "--from", files, "--to", database).refused(t, 1, "another server is running")
	document := p.list(p.key, "/documents").Data[0].ID
	content := p.download(document)
	want := p.answers(p.script(requests))
	found, tagged := 0, 0
	for _, a := range want {
		if a.status == http.StatusOK {
			found++
		}
		if a.etag != "" {
			tagged++
		}
	}
	if found < requests*3/4 || tagged < requests/4 {
		t.Errorf("of %d requests, %d found something and %d got an ETag", requests, found, tagged)
	}
	p.stop()

	begun := time.Now()
	kills := moveWithKills(t, env, 300*time.Millisecond, "--from", files, "--to", database, "--from-blobs", papers, "--to-blobs", bucket.BlobsURL("papers"))
	t.Logf("%d shipments to PostgreSQL in %s, with %d kills", shipments, time.Since(begun).Round(time.Millisecond), kills)
	if r := runWith(t, "", env, "move", "--from", files, "--to", database); r.code != 0 {
		t.Errorf("a second time: %s", r.stderr)
	}
	onPostgres := append(env, "LANDFALL_BLOBS="+bucket.BlobsURL("papers"))
	moved := start(t, onPostgres, "--db", database, "--rate-default", "0")
	moved.key = p.key
	moved.wantAnswers(want)
	if got := moved.download(document); got != content {
		t.Errorf("the document is %q, and was %q", got, content)
	}
	moved.ask(http.MethodPost, "/parties", `{"data":{"type":"party","attributes":{"company_name":"Since the move"}}}`, nil)
	want = moved.answers(moved.script(requests))
	moved.stop()
	runWith(t, "", env, "move", "--from", files, "--to", database).refused(t, 1, "the stores differ")

	back := newDB(t)
	begun = time.Now()
	kills = moveWithKills(t, env, 300*time.Millisecond, "--from", database, "--to", back, "--from-blobs", bucket.BlobsURL("papers"))
	t.Logf("%d shipments back in %s, with %d kills", shipments, time.Since(begun).Round(time.Millisecond), kills)
	if r := runWith(t, "", env, "check", "--db", back); r.code != 0 {
		t.Errorf("check: %s %s", r.stdout, r.stderr)
	}
	again := start(t, env, "--db", back, "--rate-default", "0")
	again.key = p.key
	again.wantAnswers(want)
	if got := again.download(document); got != content {
		t.Errorf("the document is %q, and was %q", got, content)
	}
	again.stop()
}

// A copy that is not complete is opened by no other command, and wrong settings are refused.
func TestMoveRefused(t *testing.T) {
	t.Parallel()
	db, url := newDB(t), postgrestest.Shared(t).Schema(t)
	must(t, "keys", "create", "--account", "acme", "--db", db)
	run(t, "move", "--from", db).refused(t, 2, "--to")
	run(t, "move", "--from", db, "--to", db).refused(t, 2, "the same database")
	run(t, "move", "--from", db, "--to", "memory:").refused(t, 2, "memory:")
	run(t, "move", "--from", db+"x", "--to", url).refused(t, 1, "there is no database")
	run(t, "move", "--from", db, "--to", url, "--from-blobs", t.TempDir()).refused(t, 2, "--to-blobs is missing")
	run(t, "move", "--from", db, "--to", url, "--from-blobs", db+"x", "--to-blobs", t.TempDir()).refused(t, 1, "no directory")
	other := newDB(t)
	must(t, "keys", "create", "--account", "acme", "--db", other)
	run(t, "move", "--from", db, "--to", other).refused(t, 1, "the target has records")

	if r := run(t, "move", "--from", db, "--to", url); r.code != 0 || !strings.Contains(r.stdout, "files of documents were not copied") {
		t.Fatal(r.stdout, r.stderr)
	}
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.WithoutCancel(t.Context()))
	execute := func(sql string) {
		t.Helper()
		if _, err := conn.Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
	execute("INSERT INTO nodes SELECT gen_random_uuid(), 'v1', 1, '{}', now(), now(), now() + interval '1 hour'")
	run(t, "move", "--from", db, "--to", url).refused(t, 1, "a server is running on", "(1 in all)")
	run(t, "move", "--from", url, "--to", newDB(t)).refused(t, 1, "a server is running on", "(1 in all)")
	execute("DELETE FROM nodes")
	execute("UPDATE meta SET value = 0 WHERE name = 'copy_complete'")
	env := []string{"LANDFALL_DB=" + url, "LANDFALL_BLOBS=" + t.TempDir(), masterKeyVariable + "=" + base64.StdEncoding.EncodeToString(newMasterKey())}
	for _, args := range [][]string{{"serve", "--addr", "127.0.0.1:0"}, {"keys", "list", "--account", "acme"}} {
		runWith(t, "", env, args...).refused(t, 1, "landfall move", "was interrupted")
	}
	if r := run(t, "move", "--from", db, "--to", url); r.code != 0 {
		t.Error(r.stderr)
	}
	if r := runWith(t, "", env, "keys", "list", "--account", "acme"); r.code != 0 {
		t.Error(r.stderr)
	}
}
