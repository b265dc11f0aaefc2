package faults

import (
	"crypto/md5"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/blob/dir"
	"github.com/landfallhq/tracking/internal/drill"
	"github.com/landfallhq/tracking/storage/sqlite"
)

// Kill -9 at a random instant while documents are uploaded and read,
// LANDFALL_DOCUMENT_KILLS times: no acknowledged document is lost, each has its
// bytes and is read in the end, an unanswered request can be repeated and has one
// effect, and after the sweep there are no orphaned files.
func TestKillDocuments(t *testing.T) {
	r := drill.Random(t)
	kills := drill.Count(t, "LANDFALL_DOCUMENT_KILLS", 3)
	const clerks = 4
	db := newDB(t)
	s := serve(t, db)
	key := s.key
	var all []*documentCaller
	for round := range kills {
		var hands []*documentCaller
		for i := range clerks {
			hands = append(hands, &documentCaller{name: fmt.Sprintf("%d-%d", round, i), random: rand.New(rand.NewPCG(r.Uint64(), 0))})
		}
		c := s.client(key)
		killUnder(s, r, hands, func(h *documentCaller) { h.work(c) })
		checkFile(t, db)
		s = serve(t, db)
		c = s.client(key)
		for _, h := range hands {
			h.resend(t, c)
		}
		all = append(all, hands...)
		if t.Failed() {
			t.Fatalf("after kill %d", round+1)
		}
	}
	c := s.client(key)
	filed, again := checkDocuments(t, c, all)
	s.stop()
	checkFile(t, db)
	swept := sweepLater(t, db)
	if files := blobFiles(t, db); files != filed {
		t.Errorf("%d files for %d documents after the sweep", files, filed)
	}
	s = serve(t, db) // all are there after it
	checkDocuments(t, s.client(key), all)
	s.stop()
	t.Logf("%d kills: %d documents acknowledged, 0 lost, all read; %d calls without an answer sent again; %d orphans swept", kills, filed, again, swept)
}

// documentCaller uploads documents until the server is gone.
type documentCaller struct {
	name   string
	random *rand.Rand
	papers []*testDocument
	again  int
}

// testDocument is one document being created.
type testDocument struct {
	name, content      string
	handle, signed, id string
}

func (h *documentCaller) work(c *client) {
	for n := 0; ; n++ {
		p := &testDocument{name: fmt.Sprintf("paper %s %d.txt", h.name, n)}
		p.content = "ARRIVAL NOTICE\nMaster B/L No: KILL" + p.name + "\nLast Free Day: 2026-03-05\n" + strings.Repeat("x", h.random.IntN(400_000))
		h.papers = append(h.papers, p)
		if p.file(c) != nil {
			return
		}
	}
}

var errNoAnswer = errors.New("no answer")

// file continues the creation of the document. Each step can be repeated.
func (p *testDocument) file(c *client) error {
	step := func(method, path, body string, want int, headers ...string) (answer, error) {
		a, err := c.do(method, path, body, append(headers, "Idempotency-Key", method+p.name+path[:min(len(path), 18)])...)
		if err != nil {
			return a, errNoAnswer
		}
		if a.status != want {
			return a, fmt.Errorf("%s %s: %d %s", method, path, a.status, a.body)
		}
		return a, nil
	}
	if p.handle == "" {
		sum := md5.Sum([]byte(p.content))
		body, _ := json.Marshal(map[string]any{"blob": map[string]any{"filename": p.name, "content_type": "text/plain", "byte_size": len(p.content), "checksum": base64.StdEncoding.EncodeToString(sum[:])}})
		a, err := step(http.MethodPost, "/v2/direct_uploads", string(body), http.StatusOK)
		if err != nil {
			return err
		}
		var ticket struct {
			SignedID     string               `json:"signed_id"`
			DirectUpload struct{ URL string } `json:"direct_upload"`
		}
		if err := json.Unmarshal(a.body, &ticket); err != nil {
			return err
		}
		_, p.handle, _ = strings.Cut(ticket.DirectUpload.URL, "/v2/")
		p.signed = ticket.SignedID
	}
	if _, err := step(http.MethodPut, "/v2/"+p.handle, p.content, http.StatusNoContent, "Content-Type", "text/plain"); err != nil {
		return err
	}
	body, _ := json.Marshal(map[string]any{"data": map[string]any{"type": "document", "attributes": map[string]string{"name": p.name, "attached_document": p.signed}}})
	a, err := step(http.MethodPost, "/v2/documents", string(body), http.StatusCreated)
	if err != nil {
		return err
	}
	made, err := a.one()
	p.id = made.ID
	return err
}

// resend repeats the unanswered requests.
func (h *documentCaller) resend(t *testing.T, c *client) {
	t.Helper()
	for _, p := range h.papers {
		if p.id != "" {
			continue
		}
		h.again++
		if err := p.file(c); err != nil {
			t.Errorf("%s, sent again: %v", p.name, err)
		}
	}
}

// checkDocuments looks for each document once, with its bytes, and waits until it
// is read.
func checkDocuments(t *testing.T, c *client, all []*documentCaller) (filed, again int) {
	t.Helper()
	list, err := c.all("/v2/documents")
	if err != nil {
		t.Fatal(err)
	}
	there := map[string]int{}
	for _, r := range list {
		there[r.Attributes["name"].(string)]++
	}
	for _, h := range all {
		again += h.again
		for _, p := range h.papers {
			filed++
			if there[p.name] != 1 {
				t.Errorf("%s is there %d times", p.name, there[p.name])
				continue
			}
			eventually(t, time.Minute, func() error { return p.read(c) })
			if got := p.bytes(t, c); got != p.content {
				t.Errorf("%s has %d bytes, not the %d that were handed in", p.name, len(got), len(p.content))
			}
		}
	}
	if len(list) != filed {
		t.Errorf("%d documents, %d were handed in", len(list), filed)
	}
	return filed, again
}

func (p *testDocument) read(c *client) error {
	a, err := c.get("/v2/documents/" + p.id + "?include=last_document_representation")
	if err != nil {
		return err
	}
	var d struct {
		Data     resource
		Included []resource
	}
	if err := json.Unmarshal(a.body, &d); err != nil {
		return err
	}
	if len(d.Included) != 1 || d.Data.Attributes["document_type"] != "arrival_notice" {
		return fmt.Errorf("%s is not read: %s", p.name, a.body)
	}
	return nil
}

func (p *testDocument) bytes(t *testing.T, c *client) string {
	t.Helper()
	a, err := c.get("/v2/documents/" + p.id + "/download_url")
	if err != nil {
		t.Fatal(err)
	}
	var link struct {
		URL string `json:"download_url"`
	}
	if err := json.Unmarshal(a.body, &link); err != nil {
		t.Fatalf("%s: %v", a.body, err)
	}
	if a, err = c.get(strings.TrimPrefix(link.URL, c.root)); err != nil || a.status != http.StatusOK {
		t.Fatalf("%s: %d %v", p.name, a.status, err)
	}
	return string(a.body)
}

// inThreeDays is a clock that is three days ahead.
type inThreeDays struct{}

func (inThreeDays) Now() time.Time { return time.Now().Add(72 * time.Hour) }

// sweepLater runs the upkeep of three days later, and returns how many files it
// removed.
func sweepLater(t *testing.T, db string) int {
	t.Helper()
	before := blobFiles(t, db)
	store, err := sqlite.Open(db, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	blobs, err := dir.Open(blobsOf(db))
	if err != nil {
		t.Fatal(err)
	}
	tr, err := tracking.New(tracking.Config{Store: store, Blobs: blobs, Clock: inThreeDays{}, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := tr.RunOnce(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(tr.Close(), blobs.Close()); err != nil {
		t.Fatal(err)
	}
	return before - blobFiles(t, db)
}

func blobsOf(db string) string { return strings.TrimSuffix(db, filepath.Ext(db)) + "-documents" }

func blobFiles(t *testing.T, db string) (n int) {
	t.Helper()
	err := fs.WalkDir(os.DirFS(blobsOf(db)), ".", func(_ string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			n++
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}
