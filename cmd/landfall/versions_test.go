package main

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

// edit replaces the one match of a regular expression in a source file.
type edit struct{ file, from, to string }

// nextVersion has what the next version of the program could be: a shipment with two more
// members, in a further generation, and newer rules. The party is a mistake of that
// version: it has a further member, and is still in its former generation.
var nextVersion = []edit{
	{"shipments.go", `type Shipment struct \{\n\tMeta\n`, "type Shipment struct {\n\tMeta\n\tBerth nextText `attr:\"berth\"`\n\tNextNote string `private:\"next_note\"`\n"},
	{"shipments.go", `TermsVersion\(search\.TermsVersion\)(\.InGeneration\(\d+\))?`, "TermsVersion(search.TermsVersion).InGeneration(99)"},
	{"ingestwrite.go", `, journey\.RulesVersion\n`, ", journey.RulesVersion\n\ts.NextNote = \"kept\"\n"},
	{"parties.go", `type Party struct \{\n\tMeta\n`, "type Party struct {\n\tMeta\n\tTier nextText `attr:\"tier\"`\n"},
	{"internal/journey/journey.go", `const RulesVersion = .*\n`, "const RulesVersion = 99\n"},
}

// nextText is always shown as B7.
const nextText = `package tracking

type nextText struct{}

func (nextText) MarshalJSON() ([]byte, error) { return []byte("\"B7\""), nil }
func (*nextText) UnmarshalJSON([]byte) error { return nil }
`

// buildNext builds the next version from the sources of this one.
func buildNext(t *testing.T, changes []edit) string {
	t.Helper()
	dir := t.TempDir()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{"nextversion.go": nextText}
	for _, change := range changes {
		text, ok := texts[change.file]
		if !ok {
			source, err := os.ReadFile(filepath.Join(root, change.file))
			if err != nil {
				t.Fatal(err)
			}
			text = string(source)
		}
		from := regexp.MustCompile(change.from)
		if n := len(from.FindAllString(text, -1)); n != 1 {
			t.Fatalf("%s has %q %d times, not once", change.file, change.from, n)
		}
		texts[change.file] = from.ReplaceAllLiteralString(text, change.to)
	}
	overlay := map[string]map[string]string{"Replace": {}}
	for file, text := range texts {
		overlay["Replace"][filepath.Join(root, file)] = writeIn(t, dir, strings.ReplaceAll(file, "/", "_"), text)
	}
	list, err := json.Marshal(overlay)
	if err != nil {
		t.Fatal(err)
	}
	next := filepath.Join(dir, "landfall-next")
	build := exec.Command("go", "build", "-overlay", writeIn(t, dir, "overlay.json", string(list)), "-o", next, ".")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("the next version does not build: %v\n%s", err, out)
	}
	return next
}

func writeIn(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// storedRow is a record as it is in the file.
type storedRow struct {
	Version       int
	Revision      string
	Rules         int
	Doc, Private  string
	berth, secret bool
}

// versions is one file and two versions of the program.
type versions struct {
	t           *testing.T
	db          string
	older, next string // the programs
	key         string
	seen        map[string]storedRow // by ID, as last read
	lowered     int
	lost        int
}

// rows reads shipments and parties, and compares them with what they were: nothing may be
// stored in an earlier generation than before, by earlier rules, or without a member.
func (v *versions) rows() map[string]storedRow {
	v.t.Helper()
	db, err := sql.Open("sqlite3", "file:"+v.db+"?mode=ro&_busy_timeout=10000")
	if err != nil {
		v.t.Fatal(err)
	}
	defer db.Close()
	all := map[string]storedRow{}
	for _, kind := range []string{"shipment", "party"} {
		list, err := db.Query("SELECT hex(id), version, revision, doc, ifnull(private, '{}') FROM r_" + kind)
		if err != nil {
			v.t.Fatal(err)
		}
		for list.Next() {
			var id string
			var r storedRow
			var doc, private []byte
			if err := list.Scan(&id, &r.Version, &r.Revision, &doc, &private); err != nil {
				v.t.Fatal(err)
			}
			var hidden struct {
				Rules int
				Note  string `json:"next_note"`
			}
			if err := json.Unmarshal(private, &hidden); err != nil {
				v.t.Fatal(err)
			}
			r.Doc, r.Private, r.Rules = string(doc), string(private), hidden.Rules
			r.berth, r.secret = bytes.Contains(doc, []byte(`"B7"`)), hidden.Note == "kept"
			all[kind+" "+id] = r
		}
		if err := list.Err(); err != nil {
			v.t.Fatal(err)
		}
	}
	for id, was := range v.seen {
		is, ok := all[id]
		if !ok {
			v.t.Errorf("%s is gone", id)
		}
		if is.Revision < was.Revision || is.Rules < was.Rules {
			v.lowered++
			v.t.Errorf("%s was in %s by the rules %d, and is in %s by %d", id, was.Revision, was.Rules, is.Revision, is.Rules)
		}
		if was.berth && !is.berth || was.secret && !is.secret {
			v.lost++
			v.t.Errorf("%s has lost a member: %s %s", id, is.Doc, is.Private)
		}
	}
	v.seen = all
	return all
}

// shipmentsIn counts the shipments by generation.
func (v *versions) shipmentsIn() (older, newer int) {
	v.t.Helper()
	for id, r := range v.rows() {
		switch {
		case !strings.HasPrefix(id, "shipment"):
		case r.Revision == "g000099" && r.Rules == 99 && r.berth && r.secret:
			newer++
		default:
			older++
		}
	}
	return older, newer
}

func (v *versions) serve(program string) *process {
	v.t.Helper()
	p := startProgram(v.t, program, nil, "--db", v.db, "--rate-default", "0", "--rate-create", "0")
	if p.key != "" {
		v.key = p.key
	}
	return p
}

func (v *versions) run(program string, args ...string) result {
	v.t.Helper()
	return runProgram(v.t, program, "", nil, append(args, "--db", v.db)...)
}

// importBill imports a shipment, or a further event of one that is there.
func (v *versions) importBill(program, bill, more string) result {
	v.t.Helper()
	text := message(bill, testContainer)
	if more != "" {
		text = strings.ReplaceAll(text, bill+"-", bill+"-"+more)
	}
	file := write(v.t, "events.json", text)
	return runProgram(v.t, program, "", nil, "import", "--account", "default", "--scac", "MAEU", "--db", v.db, file)
}

// load writes through a server until stop is called, and counts the answers.
func (v *versions) load(p *process) (stop func() map[string]int) {
	v.t.Helper()
	ships := p.list(v.key, "/shipments?include=&page[size]=100").Data
	status, body, err := p.call(v.key, http.MethodPost, "/parties", fmt.Sprintf(`{"data":{"type":"party","attributes":{"company_name":"Load %s"}}}`, time.Now()))
	if err != nil || status != http.StatusCreated {
		v.t.Fatalf("POST /parties: %d %s %v", status, body, err)
	}
	var party struct{ Data resource }
	if err := json.Unmarshal(body, &party); err != nil {
		v.t.Fatal(err)
	}
	counts := map[string]int{}
	start := time.Now().UnixNano() // a PATCH with the tags of an earlier load would change nothing
	ended, done := make(chan struct{}), sync.WaitGroup{}
	done.Add(1)
	go func() {
		defer done.Done()
		for n := 0; ; n++ {
			select {
			case <-ended:
				return
			case <-time.After(2 * time.Millisecond):
			}
			ship := ships[n%len(ships)].ID
			status, body, err := p.call(v.key, http.MethodPatch, "/shipments/"+ship, fmt.Sprintf(`{"data":{"type":"shipment","id":%q,"attributes":{"tags":["n%d-%d"]}}}`, ship, start, n))
			answer := fmt.Sprint("shipment ", status)
			if bytes.Contains(body, []byte("newer_version")) {
				answer += " newer"
			}
			counts[answer]++
			if err != nil {
				counts[err.Error()]++
			}
			status, _, _ = p.call(v.key, http.MethodPatch, "/parties/"+party.Data.ID, fmt.Sprintf(`{"data":{"type":"party","id":%q,"attributes":{"company_name":"Load %d %s"}}}`, party.Data.ID, n, time.Now()))
			counts[fmt.Sprint("party ", status)]++
		}
	}()
	return func() map[string]int {
		close(ended)
		done.Wait()
		return counts
	}
}

func (v *versions) renewed(p *process) {
	v.t.Helper()
	eventually(v.t, 15*time.Second, func() error {
		if older, newer := v.shipmentsIn(); older > 0 || newer == 0 {
			return fmt.Errorf("%d shipments of the older generation, %d of the newer", older, newer)
		}
		return nil
	})
}

// settled ends a server after a round of its background work.
func (v *versions) settled(p *process) {
	v.t.Helper()
	eventually(v.t, 15*time.Second, func() error {
		r, err := http.Get(strings.TrimSuffix(p.base, "/v2") + "/readyz")
		if err != nil {
			return err
		}
		r.Body.Close()
		if r.StatusCode != http.StatusOK {
			return fmt.Errorf("/readyz %d", r.StatusCode)
		}
		return nil
	})
	p.stop()
}

// TestVersionsSideBySide runs this program and the next version of it on one file, under
// writes: each as a server beside commands of the other, and the older one after the newer.
// Nothing that the newer has written is stored in an older form, no member is lost, and
// neither rewrites what the other has written again and again.
func TestVersionsSideBySide(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program a second time")
	}
	v := &versions{t: t, db: newDB(t), older: binary, next: buildNext(t, nextVersion)}
	p := v.serve(v.older)
	for i := range 3 {
		v.succeeds(v.importBill(v.older, fmt.Sprintf("LFBL0200%d", i), ""))
	}

	// A newer command beside an older server.
	stop := v.load(p)
	v.succeeds(v.importBill(v.next, "LFBL02003", ""))
	v.succeeds(v.importBill(v.next, "LFBL02000", "9"))
	v.succeeds(v.run(v.next, "accounts", "set", "--account", "default", "--duplicate-documents", "accept"))
	if older, newer := v.shipmentsIn(); older != 2 || newer != 2 {
		t.Errorf("%d shipments are of the older generation, and %d of the newer; want 2 and 2", older, newer)
	}
	v.succeeds(v.run(v.next, "rederive"))
	if older, newer := v.shipmentsIn(); older != 0 || newer != 4 {
		t.Errorf("after a rederivation, %d shipments are of the older generation, and %d of the newer; want none and 4", older, newer)
	}
	counts := stop()
	t.Log("an older server beside newer commands answered", counts)
	if counts["shipment 200"] == 0 || counts["shipment 503 newer"] == 0 || counts["party 200"] == 0 || len(counts) != 3 {
		t.Errorf("an older server answered %v", counts)
	}
	for _, s := range p.list(v.key, "/shipments?include=").Data {
		if s.Attributes["berth"] != "B7" {
			t.Errorf("the older server does not show what it does not know: %v", s.Attributes)
		}
	}
	v.settled(p)
	v.rows()

	// An older command beside a newer server.
	p = v.serve(v.next)
	v.renewed(p)
	stop = v.load(p)
	v.succeeds(v.importBill(v.older, "LFBL02005", ""))
	v.succeeds(v.run(v.older, "accounts", "set", "--account", "default", "--duplicate-documents", "reject"))
	v.succeeds(v.run(v.older, "check"))
	v.importBill(v.older, "LFBL02001", "9").refusedAsOlder(t)
	v.run(v.older, "rederive").refusedAsOlder(t)
	counts = stop()
	t.Log("a newer server beside older commands answered", counts)
	if len(counts) != 2 || counts["shipment 200"] == 0 || counts["party 200"] == 0 {
		t.Errorf("a newer server answered %v", counts)
	}
	if older, newer := v.shipmentsIn(); older != 1 || newer != 4 {
		t.Errorf("%d shipments are of the older generation, and %d of the newer; want 1 and 4", older, newer)
	}
	v.settled(p)

	// The newer server brings up to date what the older command has written.
	p = v.serve(v.next)
	v.renewed(p)
	v.settled(p)

	// A downgrade.
	before := v.rows()
	p = v.serve(v.older)
	stop = v.load(p)
	v.importBill(v.older, "LFBL02002", "9").refusedAsOlder(t)
	v.succeeds(v.importBill(v.older, "LFBL02006", ""))
	counts = stop()
	t.Log("an older server after a newer one answered", counts)
	if counts["shipment 503 newer"] == 0 || counts["party 200"] == 0 || len(counts) != 2 {
		t.Errorf("after a downgrade the server answered %v", counts)
	}
	v.settled(p)
	after := v.rows()
	for id, was := range before {
		if strings.HasPrefix(id, "shipment") && after[id] != was {
			t.Errorf("after a downgrade, %s is no longer %+v: %+v", id, was, after[id])
		}
	}

	// And back: one round of renewal, and nothing after it.
	p = v.serve(v.next)
	v.renewed(p)
	v.settled(p)
	before = v.rows()
	for _, program := range []string{v.older, v.next, v.older, v.next} {
		v.settled(v.serve(program))
	}
	if after := v.rows(); !maps.Equal(before, after) {
		t.Errorf("two versions in turns have rewritten records: %v, then %v", before, after)
	}
	t.Logf("%d records lowered, %d members lost", v.lowered, v.lost)
}

func (v *versions) succeeds(r result) {
	v.t.Helper()
	if r.code != 0 {
		v.t.Errorf("exit %d: %s", r.code, r.stderr)
	}
}

// refusedAsOlder checks that a command failed with one sentence about versions.
func (r result) refusedAsOlder(t *testing.T) {
	t.Helper()
	if r.code != 1 || !strings.Contains(r.stderr, "A newer version of the program has") || strings.Count(r.stderr, "\n") > 2 {
		t.Errorf("exit %d, want a refusal: %s", r.code, r.stderr)
	}
}
