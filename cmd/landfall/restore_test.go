package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/landfallhq/tracking/storage"
)

// writers writes parties to a server until stop, and keeps the IDs that were acknowledged.
type writers struct {
	p       *process
	mu      sync.Mutex
	written []string
	cancel  context.CancelFunc
	done    sync.WaitGroup
}

func newWriters(p *process, n int) *writers {
	ctx, cancel := context.WithCancel(context.Background())
	w := &writers{p: p, cancel: cancel}
	for i := range n {
		w.done.Go(func() {
			for j := 0; ctx.Err() == nil; j++ {
				status, body, err := p.call(p.key, http.MethodPost, "/parties", fmt.Sprintf(`{"data":{"type":"party","attributes":{"company_name":"Importer %d-%d"}}}`, i, j))
				if err != nil || status != http.StatusCreated {
					p.t.Errorf("POST /parties: %d %s %v", status, body, err)
					return
				}
				_, after, _ := strings.Cut(string(body), `"id":"`)
				w.mu.Lock()
				w.written = append(w.written, after[:36])
				w.mu.Unlock()
			}
		})
	}
	return w
}

func (w *writers) acknowledged() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.written)
}

// await waits until at least n parties are written.
func (w *writers) await(n int) {
	w.p.t.Helper()
	eventually(w.p.t, 20*time.Second, func() error {
		if got := len(w.acknowledged()); got < n {
			return fmt.Errorf("%d of %d parties", got, n)
		}
		return nil
	})
}

func (w *writers) stop() { w.cancel(); w.done.Wait() }

// ofBackground are the attributes that background work changes on either server meanwhile.
var ofBackground = regexp.MustCompile(`"(line_tracking_last|updated)_[a-z_]+":("[^"]*"|null),?`)

// A backup of a server under load, restored on a machine that has nothing of it, shows
// everything that was acknowledged before the backup began, byte for byte.
func TestRestoreOfLoadedServer(t *testing.T) {
	t.Parallel()
	db := newDB(t)
	// The voyage is long over: it stays as it is where tracking never stops.
	flags := []string{"--rate-default", "0", "--rate-create", "0", "--stop-after-arrival=-1h", "--stop-after-full-out=-1h", "--stop-after-silence=-1h"}
	p := serve(t, db, flags...)
	createWebhook(t, db, "https://example.com/hook")
	document := p.file("a.txt", "the notice")
	must(t, "import", "--account", "default", "--scac", "MAEU", "--db", db, write(t, "events.json", message("LFBL00997", testContainer)))
	w := newWriters(p, 4)
	t.Cleanup(w.stop)
	w.await(60)
	// What is read after the backup is not in it.
	eventually(t, 20*time.Second, func() error {
		var read struct {
			Data struct {
				Attributes struct {
					Notes *string `json:"classification_notes"`
				}
			}
		}
		if p.ask(http.MethodGet, "/documents/"+document, "", &read); read.Data.Attributes.Notes == nil {
			return errors.New("the document is not read")
		}
		return nil
	})

	before := w.acknowledged()
	backup := filepath.Join(t.TempDir(), "copy.db")
	must(t, "backup", backup, "--db", db)
	w.await(len(w.acknowledged()) + 20)
	w.stop()
	key, err := os.ReadFile(keyFile(db))
	if err != nil {
		t.Fatal(err)
	}
	apart := write(t, "kept.key", string(key))
	paths := []string{"/webhooks", "/documents", "/shipments?include=containers.transport_events,containers.raw_events", "/containers?include=shipment"}
	for _, id := range before {
		paths = append(paths, "/parties/"+id)
	}
	shown := func(p *process, path string) string {
		status, body, err := p.call(p.key, http.MethodGet, path, "")
		if err != nil || status != http.StatusOK {
			t.Errorf("GET %s: %d %s %v", path, status, body, err)
		}
		return ofBackground.ReplaceAllString(strings.ReplaceAll(string(body), p.base, "BASE"), "")
	}
	want := map[string]string{}
	for _, path := range paths {
		want[path] = shown(p, path)
	}
	total := p.list(p.key, "/parties").Meta.Total
	p.stop()

	restored := filepath.Join(t.TempDir(), "srv", "landfall.db")
	if err := os.Mkdir(filepath.Dir(restored), 0o700); err != nil {
		t.Fatal(err)
	}
	run(t, "restore", backup, "--db", restored).refused(t, 1, "encrypted with a master key that is not here", "--key")
	if left, err := os.ReadDir(filepath.Dir(restored)); err != nil || slices.ContainsFunc(left, func(e os.DirEntry) bool { return !strings.HasSuffix(e.Name(), ".lock") }) {
		t.Errorf("what was refused left %v %v", left, err)
	}
	out := must(t, "restore", backup, "--db", restored, "--key", apart)
	if !strings.Contains(out, restored+" restored from "+backup) || !strings.Contains(out, "1 files of documents") {
		t.Error(out)
	}
	q := serve(t, restored, flags...)
	q.key = p.key
	differences := 0
	for _, path := range paths {
		if got := shown(q, path); got != want[path] {
			differences++
			t.Errorf("GET %s:\n%s\nwant\n%s", path, got, want[path])
		}
	}
	if n := q.list(q.key, "/parties").Meta.Total; n < len(before) || n > total {
		t.Errorf("%d parties are restored; %d were acknowledged before the backup, %d after", n, len(before), total)
	}
	var link struct {
		URL string `json:"download_url"`
	}
	q.ask(http.MethodGet, "/documents/"+document+"/download_url", "", &link)
	if status, got, err := q.call(q.key, http.MethodGet, strings.TrimPrefix(link.URL, q.base), ""); err != nil || status != http.StatusOK || string(got) != "the notice" {
		t.Errorf("the document: %d %q %v", status, got, err)
	}
	t.Logf("%d answers compared, %d acknowledged before the backup: %d differences", len(paths), len(before), differences)
}

func TestRestoreRefused(t *testing.T) {
	t.Parallel()
	db := newDB(t)
	p := serve(t, db)
	p.ask(http.MethodPost, "/parties", `{"data":{"type":"party","attributes":{"company_name":"Harm Ltd"}}}`, nil)
	backup := filepath.Join(t.TempDir(), "copy.db")
	must(t, "backup", backup, "--db", db)
	key := keyFile(db)

	run(t, "restore", backup, "--db", db).refused(t, 1, db, "server") // which has it open
	p.stop()
	run(t, "restore", backup, "--db", db, "--key", key).refused(t, 1, db+" exists", "--replace")
	run(t, "restore", filepath.Join(t.TempDir(), "none.db"), "--db", newDB(t)).refused(t, 1, "there is no backup")
	run(t, "restore", write(t, "empty.db", ""), "--db", newDB(t)).refused(t, 1, "is empty (0 bytes)")
	run(t, "restore", t.TempDir(), "--db", newDB(t)).refused(t, 1, "has no backup named")
	run(t, "restore", backup, "--db", newDB(t), "--key", write(t, "short.key", "rubbish\n")).refused(t, 1, "short.key", "at least 32")

	text, err := os.ReadFile(backup)
	if err != nil {
		t.Fatal(err)
	}
	text[strings.Index(string(text), `"company_name":"Harm`)+2] ^= 0x10
	damaged, target := write(t, "damaged.db", string(text)), newDB(t)
	r := run(t, "restore", damaged, "--db", target, "--key", key)
	if r.code != 1 || !strings.Contains(r.stderr, "was not put in place") || !strings.Contains(r.stderr, "--damaged") || r.stdout == "" {
		t.Errorf("a damaged backup: %+v", r)
	}
	if exists(target) || exists(plannedRestore(target)) {
		t.Error("a damaged backup was put in place")
	}

	out := must(t, "restore", backup, "--db", db, "--replace", "--key", key)
	if kept, err := filepath.Glob(db + ".before-*"); err != nil || len(kept) != 1 || !strings.Contains(out, kept[0]) {
		t.Errorf("the former database is not kept: %v %v\n%s", kept, err, out)
	}
	serve(t, db)
}

// A restore that is interrupted after the check is completed by the next one, and no other
// command opens the database before.
func TestRestoreInterrupted(t *testing.T) {
	t.Parallel()
	from, db := newDB(t), newDB(t)
	p := serve(t, from)
	p.file("a.txt", "the notice")
	backup := filepath.Join(t.TempDir(), "copy.db")
	must(t, "backup", backup, "--db", from)
	p.stop()
	r := &restore{
		program: &program{stdout: io.Discard, stderr: io.Discard, getenv: func(string) string { return "" }, lookupenv: func(string) (string, bool) { return "", false }},
		db:      db, backup: backup, blobs: defaultBlobs(db), key: keyFile(from),
	}
	if err := errors.Join(r.findBackup(), r.checkPlaces(), r.prepare(t.Context())); err != nil {
		t.Fatal(err)
	}
	if exists(db) {
		t.Error("the database is in place before the plan is carried out")
	}
	for _, command := range [][]string{{"check"}, {"serve", "--addr", "127.0.0.1:0"}, {"keys", "list", "--account", "default"}} {
		run(t, append(command, "--db", db)...).refused(t, 1, "a restore of "+db+" was interrupted")
	}
	// Some of it is in place already.
	if err := os.Rename(r.preparingBlobs(), r.blobs); err != nil {
		t.Fatal(err)
	}
	if out := must(t, "restore", backup, "--db", db); !strings.Contains(out, "completed the restore that was interrupted") {
		t.Error(out)
	}
	q := serve(t, db)
	if n := q.list(p.key, "/documents").Meta.Total; n != 1 {
		t.Errorf("%d documents", n)
	}
}

// A series keeps the newest backups, and removes what an interrupted one has left.
func TestBackupSeries(t *testing.T) {
	t.Parallel()
	db, dir := newDB(t), t.TempDir()
	must(t, "keys", "create", "--account", "acme", "--db", db)
	store, err := storage.Open(db)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	for _, name := range []string{"landfall-20260101T000000Z.db.partial-X", "landfall-20260101T000000Z-documents", "other-20260101T000000Z.db", "notes.txt"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	series := &backupSeries{dir: dir, db: db, blobs: defaultBlobs(db), keep: 2}
	begin := time.Date(2026, 11, 23, 22, 0, 0, 0, time.UTC)
	for i := range 4 {
		if _, _, _, err := series.add(t.Context(), store.(backer), begin.Add(time.Duration(i)*time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".lock") {
			names = append(names, e.Name())
		}
	}
	if want := []string{"landfall-20261124T000000Z.db", "landfall-20261124T010000Z.db", "notes.txt", "other-20260101T000000Z.db"}; !slices.Equal(names, want) {
		t.Errorf("the directory has %q, want %q", names, want)
	}
	if last, err := series.last(); err != nil || !last.Equal(begin.Add(3*time.Hour)) {
		t.Errorf("the last is of %s, %v", last, err)
	}
}

// A server makes backups by itself, and a directory of them can be restored.
func TestScheduledBackups(t *testing.T) {
	t.Parallel()
	db, dir := newDB(t), t.TempDir()
	p := serve(t, db, "--backup-dir", dir, "--backup-every", "1s", "--backup-keep", "1")
	p.await(`msg="backup made"`)
	p.stop()
	restored := newDB(t)
	must(t, "restore", dir, "--db", restored, "--key", keyFile(db))
	serve(t, restored)
	run(t, "serve", "--db", db, "--backup-dir", filepath.Join(dir, "none"), "--addr", "127.0.0.1:0").refused(t, 1, "--backup-dir", "there is no directory")
	run(t, "serve", "--db", db, "--backup-every", "0s", "--addr", "127.0.0.1:0").refused(t, 2, "--backup-every")
	run(t, "serve", "--db", db, "--backup-keep", "0", "--addr", "127.0.0.1:0").refused(t, 2, "--backup-keep")
}

// After a rotation of the master key, a backup names the key that opens the copy, not the
// key file of before.
func TestBackupNamesTheKey(t *testing.T) {
	t.Parallel()
	db := newDB(t)
	serve(t, db).stop()
	text, err := os.ReadFile(keyFile(db))
	if err != nil {
		t.Fatal(err)
	}
	env := []string{"LANDFALL_MASTER_KEY=" + anotherKey, "LANDFALL_OLD_MASTER_KEYS=" + strings.TrimSpace(string(text))}
	start(t, env, "--db", db).stop()
	r := runWith(t, "", env, "backup", filepath.Join(t.TempDir(), "copy.db"), "--db", db)
	if r.code != 0 || !strings.Contains(r.stdout, "master key in LANDFALL_MASTER_KEY:") {
		t.Errorf("%+v", r)
	}
	if out := must(t, "backup", filepath.Join(t.TempDir(), "copy.db"), "--db", db); !strings.Contains(out, "neither in LANDFALL_MASTER_KEY nor in "+keyFile(db)) {
		t.Errorf("without the new key: %s", out)
	}
}
