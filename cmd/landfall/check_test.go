package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// check runs the command and returns the problems and the summary.
func check(t *testing.T, code int, args ...string) (problems []string, summary string) {
	t.Helper()
	r := run(t, append([]string{"check"}, args...)...)
	if r.code != code {
		t.Errorf("check %v: exit %d, want %d: %s%s", args, r.code, code, r.stdout, r.stderr)
	}
	lines := strings.Split(strings.TrimSuffix(r.stdout, "\n"), "\n")
	if code == 0 && r.stderr != "" || code == 1 && !strings.HasSuffix(r.stderr, "\n") {
		t.Errorf("standard error: %q", r.stderr)
	}
	return lines[:len(lines)-1], lines[len(lines)-1]
}

func TestCheck(t *testing.T) {
	t.Parallel()
	db := newDB(t)
	p := serve(t, db) // it works beside a server
	must(t, "import", "--account", "default", "--scac", "MAEU", "--db", db, write(t, "events.json", message("LFBL00999", testContainer)))
	// Facts without a time of recording have that of their receipt, to the microsecond.
	must(t, "import", "--account", "default", "--format", "report", "--db", db, write(t, "report.json",
		`{"source":"x","scac":"MAEU","facts":[{"event":"load","load":"laden","at":"2026-10-01T10:00:00+08:00","place":{"locode":"CNSHA"},"containers":["ABCU1000009"],"numbers":[{"type":"bill_of_lading","number":"CHK1"}]}]}`))
	if problems, summary := check(t, 0, "--db", db); len(problems) > 0 || !strings.Contains(summary, ", 0 problems, 0 repaired") {
		t.Errorf("a sound database: %q, %s", problems, summary)
	}

	// A container that arrived months ago is no longer tracked: the server notices
	// that and writes the container, which would repair it.
	eventually(t, 15*time.Second, func() error {
		if n := len(p.list(p.key, "/shipments?filter[tracking_stopped]=true").Data); n != 1 {
			return fmt.Errorf("%d shipments have stopped", n)
		}
		return nil
	})
	change(t, db, "UPDATE r_container SET c_number = 'XXXX0000000'; DELETE FROM terms WHERE name = 'number'")
	problems, summary := check(t, 1, "--db", db)
	if len(problems) < 2 || !strings.Contains(strings.Join(problems, "\n"), testContainer) || !strings.HasSuffix(summary, ", 0 repaired") {
		t.Errorf("found %q, %s", problems, summary)
	}
	for _, line := range problems {
		if !strings.HasSuffix(line, " (not repaired)") {
			t.Errorf("a line of no problem: %s", line)
		}
	}
	if again, summary := check(t, 0, "--repair", "--db", db); len(again) != len(problems) {
		t.Errorf("repaired %q, %s", again, summary)
	}
	check(t, 0, "--db", db)
	if found := p.list(p.key, "/containers?filter[number]="+testContainer); len(found.Data) != 1 {
		t.Errorf("found %+v by the column that was repaired", found)
	}

	change(t, db, "UPDATE r_shipment SET doc = x'7b' WHERE rid = (SELECT min(rid) FROM r_shipment)")
	problems, _ = check(t, 1, "--repair", "--db", db)
	if len(problems) != 1 || !strings.HasPrefix(problems[0], "shipment ") || !strings.HasSuffix(problems[0], "(not repaired)") {
		t.Errorf("a lost document: %q", problems)
	}
	run(t, "check", "--db", newDB(t)).refused(t, 1, "there is no database")
}

// Flipped bytes are found or refused, with a message.
func TestCheckOfADamagedFile(t *testing.T) {
	t.Parallel()
	db := newDB(t)
	must(t, "import", "--account", "default", "--scac", "MAEU", "--db", db, write(t, "events.json", message("LFBL01000", testContainer)))
	whole, err := os.ReadFile(db)
	if err != nil {
		t.Fatal(err)
	}
	const page = 8192
	for at := page; at < len(whole); at += 7 * page {
		damaged := bytes.Clone(whole)
		for i := range 64 {
			damaged[at+i] ^= 0xff
		}
		if err := os.WriteFile(db, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		r := run(t, "check", "--db", db)
		// A warning comes first where the page has the record of the program's version.
		messages := strings.Count(r.stderr, "\n") - strings.Count(r.stderr, "level=WARN")
		if r.code != 1 || messages != 1 || strings.Contains(r.stderr, "panic") {
			t.Errorf("page %d: exit %d: %s%s", at/page+1, r.code, r.stdout, r.stderr)
		}
	}
}

func TestOneLine(t *testing.T) {
	for in, want := range map[string]string{
		"one\n\n two\n":     "one;  two",
		"Zürich, 上海":        "Zürich, 上海",
		"\x1b[31m\xffred\r": "\ufffd[31m\ufffdred\ufffd",
	} {
		if got := oneLine(in); got != want {
			t.Errorf("%q becomes %q, want %q", in, got, want)
		}
	}
}

// A database that has lost its content, or is missing beside its key, is not begun
// again by any command, unless a key is given for a new one.
func TestLostDatabaseRefused(t *testing.T) {
	t.Parallel()
	db := newDB(t)
	must(t, "keys", "create", "--account", "a", "--db", db)
	if err := os.WriteFile(db+".key", []byte(aKey), 0o600); err != nil {
		t.Fatal(err)
	}
	commands := [][]string{
		{"serve", "--addr", "127.0.0.1:0"}, {"keys", "create", "--account", "a"}, {"accounts", "list"},
		{"check"}, {"backup", db + ".copy"}, {"webhooks", "list", "--account", "a"}, {"rederive"},
	}
	for _, damage := range []func() error{func() error { return os.Truncate(db, 0) }, func() error { return os.Remove(db) }} {
		if err := damage(); err != nil {
			t.Fatal(err)
		}
		for _, args := range commands {
			run(t, append(args, "--db", db)...).refused(t, 1, db, "restore a backup")
		}
	}
	if r := runWith(t, "", []string{"LANDFALL_MASTER_KEY=" + aKey}, "keys", "create", "--account", "a", "--db", db); r.code != 0 {
		t.Errorf("a key for a new database: %s", r.stderr)
	}
}

// The check reads the files of documents.
func TestCheckOfDocumentFiles(t *testing.T) {
	t.Parallel()
	db := newDB(t)
	p := serve(t, db)
	p.file("a.txt", "the first")
	p.file("b.txt", "the second")
	if _, summary := check(t, 0, "--db", db); !strings.Contains(summary, ", 2 files of documents, 0 problems") {
		t.Error(summary)
	}
	files, err := filepath.Glob(filepath.Join(defaultBlobs(db), "*", "??", "*"))
	if err != nil || len(files) != 2 {
		t.Fatalf("%v %v", files, err)
	}
	if err := errors.Join(os.WriteFile(files[0], []byte("the worst"), 0o600), os.Remove(files[1])); err != nil {
		t.Fatal(err)
	}
	problems, _ := check(t, 1, "--db", db)
	text := strings.Join(problems, "\n")
	if len(problems) != 2 || !strings.Contains(text, "is missing") || strings.Count(text, "document ") != 2 {
		t.Errorf("%q", problems)
	}
	run(t, "check", "--db", db, "--blobs", db+"x").refused(t, 1, "--blobs", "no directory")
	if err := os.RemoveAll(defaultBlobs(db)); err != nil {
		t.Fatal(err)
	}
	if problems, _ := check(t, 1, "--db", db); len(problems) != 2 || exists(defaultBlobs(db)) {
		t.Errorf("without the directory: %q", problems)
	}
}
