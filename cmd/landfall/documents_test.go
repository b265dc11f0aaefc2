package main

import (
	"context"
	"crypto/md5"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The action for a duplicate document is one of three words.
func TestDuplicateDocuments(t *testing.T) {
	t.Parallel()
	db := newDB(t)
	must(t, "keys", "create", "--account", "acme", "--db", db)
	for _, what := range []string{"reject", "replace", "accept"} {
		must(t, "accounts", "set", "--account", "acme", "--duplicate-documents", what, "--db", db)
	}
	for _, what := range []string{"", "Accept", "keep"} {
		run(t, "accounts", "set", "--account", "acme", "--duplicate-documents", what, "--company-name", "Acme", "--db", db).refused(t, 1, "reject", "replace", "accept")
	}
	if list := must(t, "accounts", "list", "--db", db); strings.Contains(list, "Acme") {
		t.Errorf("half of what was refused was set: %s", list)
	}
}

// The running server uses the setting.
func TestDuplicateDocumentsChosen(t *testing.T) {
	t.Parallel()
	db := newDB(t)
	p := serve(t, db)
	p.file("a.txt", "the same")
	for _, row := range []struct {
		what string
		left int
	}{{"accept", 2}, {"replace", 1}} {
		must(t, "accounts", "set", "--account", "default", "--duplicate-documents", row.what, "--db", db)
		p.file("a.txt", "the same")
		if n := p.list(p.key, "/documents").Meta.Total; n != row.left {
			t.Errorf("%s: %d documents, want %d", row.what, n, row.left)
		}
	}
	must(t, "accounts", "set", "--account", "default", "--duplicate-documents", "reject", "--db", db)
	signed := p.upload("a.txt", "the same")
	if status, body, err := p.create("a.txt", signed); err != nil || status != http.StatusConflict {
		t.Errorf("reject: %d %s %v", status, body, err)
	}
}

func TestDocumentSettingsRefused(t *testing.T) {
	t.Parallel()
	db := newDB(t)
	file := write(t, "file", "x")
	serving := func(more ...string) result {
		return run(t, append([]string{"serve", "--addr", "127.0.0.1:0", "--db", db}, more...)...)
	}
	serving("--max-document", "0").refused(t, 2, "--max-document", "at least one byte")
	serving("--max-document", "large").refused(t, 2, "max-document", "a size is")
	serving("--blobs", file).refused(t, 1, "the directory of the documents", file)
}

// Document files are stored in --blobs, and bounded by --max-document.
func TestDocumentSettingsTaken(t *testing.T) {
	t.Parallel()
	db, blobs := newDB(t), filepath.Join(t.TempDir(), "papers")
	p := serve(t, db, "--blobs", blobs, "--max-document", "1KiB")
	announce := func(size string) (int, string) {
		status, body, err := p.call(p.key, http.MethodPost, "/direct_uploads", `{"blob":{"filename":"a.txt","content_type":"text/plain","byte_size":`+size+`,"checksum":"1B2M2Y8AsgTpgAmY7PhCfg=="}}`)
		if err != nil {
			t.Fatal(err)
		}
		return status, string(body)
	}
	if status, body := announce("1024"); status != http.StatusOK {
		t.Errorf("as large as may be: %d %s", status, body)
	}
	if status, body := announce("1025"); status != http.StatusUnprocessableEntity || !strings.Contains(body, "1024") {
		t.Errorf("too large: %d %s", status, body)
	}
	p.stop()
	if info, err := os.Stat(blobs); err != nil || !info.IsDir() || info.Mode().Perm() != 0o700 {
		t.Errorf("the directory is %v, %v", info, err)
	}
	if _, err := os.Stat(defaultBlobs(db)); !os.IsNotExist(err) {
		t.Errorf("there is another beside the database: %v", err)
	}
}

// upload uploads a file, and returns what a document is created from.
func (p *process) upload(name, content string) (signed string) {
	p.t.Helper()
	sum := md5.Sum([]byte(content))
	var ticket struct {
		SignedID string `json:"signed_id"`
		Direct   struct {
			URL string `json:"url"`
		} `json:"direct_upload"`
	}
	p.ask(http.MethodPost, "/direct_uploads", fmt.Sprintf(`{"blob":{"filename":%q,"content_type":"application/json","byte_size":%d,"checksum":%q}}`, name, len(content), base64.StdEncoding.EncodeToString(sum[:])), &ticket)
	p.ask(http.MethodPut, strings.TrimPrefix(ticket.Direct.URL, p.base), content, nil)
	return ticket.SignedID
}

// create creates a document from an upload.
func (p *process) create(name, signed string) (int, []byte, error) {
	return p.call(p.key, http.MethodPost, "/documents", fmt.Sprintf(`{"data":{"type":"document","attributes":{"name":%q,"attached_document":%q}}}`, name, signed))
}

// file uploads and creates a document, and returns its ID.
func (p *process) file(name, content string) string {
	p.t.Helper()
	status, body, err := p.create(name, p.upload(name, content))
	var made struct{ Data struct{ ID string } }
	if err := errors.Join(err, json.Unmarshal(body, &made)); err != nil || status != http.StatusCreated {
		p.t.Fatalf("%s: %d %s %v", name, status, body, err)
	}
	return made.Data.ID
}

// ask sends a request that must succeed.
func (p *process) ask(method, path, body string, answer any) {
	p.t.Helper()
	status, got, err := p.call(p.key, method, path, body)
	if err != nil || status >= 300 {
		p.t.Fatalf("%s %s: %d %s %v", method, path, status, got, err)
	}
	if answer != nil {
		if err := json.Unmarshal(got, answer); err != nil {
			p.t.Fatalf("%s %s: %v in %s", method, path, err, got)
		}
	}
}

// A backup has the document files, even if the originals are changed, and a server
// on the backup serves them. It is complete or absent.
func TestBackupOfDocuments(t *testing.T) {
	t.Parallel()
	db, blobs := newDB(t), filepath.Join(t.TempDir(), "papers")
	p := serve(t, db, "--blobs", blobs)
	id := p.file("a.txt", "the first")
	target := filepath.Join(t.TempDir(), "copy.db")
	if out := must(t, "backup", target, "--db", db, "--blobs", blobs); !strings.Contains(out, "1 files of documents copied to "+defaultBlobs(target)) {
		t.Error(out)
	}
	p.file("b.txt", "since then")

	second := filepath.Join(t.TempDir(), "second.db")
	run(t, "backup", second, "--db", db, "--blobs", blobs+"x").refused(t, 1, "--blobs", blobs+"x")
	run(t, "backup", second, "--db", db, "--blobs", db).refused(t, 1, "copying the documents", db)
	run(t, "backup", target, "--db", db, "--blobs", blobs).refused(t, 1, target)
	if err := os.Mkdir(defaultBlobs(second), 0o700); err != nil {
		t.Fatal(err)
	}
	run(t, "backup", second, "--db", db, "--blobs", blobs).refused(t, 1, defaultBlobs(second), "exists")
	third := filepath.Join(filepath.Dir(second), "third.db")
	if err := os.Symlink("nowhere", third); err != nil {
		t.Fatal(err)
	}
	run(t, "backup", third, "--db", db, "--blobs", blobs).refused(t, 1, third, "exists")
	if left, err := os.ReadDir(filepath.Dir(second)); err != nil || len(left) != 2 {
		t.Errorf("what was refused left %v, %v", left, err)
	}

	p.stop()
	key, err := os.ReadFile(db + ".key")
	if err := errors.Join(err, os.RemoveAll(blobs), os.WriteFile(target+".key", key, 0o600)); err != nil {
		t.Fatal(err)
	}
	copied := serve(t, target)
	copied.key = p.key
	if n := copied.list(p.key, "/documents").Meta.Total; n != 1 {
		t.Errorf("%d documents in the copy", n)
	}
	var link struct {
		URL string `json:"download_url"`
	}
	copied.ask(http.MethodGet, "/documents/"+id+"/download_url", "", &link)
	if status, got, err := copied.call(p.key, http.MethodGet, strings.TrimPrefix(link.URL, copied.base), ""); err != nil || status != http.StatusOK || string(got) != "the first" {
		t.Errorf("the document of the copy: %d %q %v", status, got, err)
	}
}

// backingUp is a store that takes long to back up.
type backingUp struct{ meanwhile func() error }

func (b backingUp) Backup(_ context.Context, path string) error {
	return errors.Join(os.WriteFile(path, nil, 0o600), b.meanwhile())
}

// If the documents cannot be copied, the copy of the database is removed.
func TestBackupOfHalf(t *testing.T) {
	t.Parallel()
	blobs, target := t.TempDir(), filepath.Join(t.TempDir(), "copy.db")
	_, err := backUp(t.Context(), backingUp{func() error { return os.Mkdir(defaultBlobs(target), 0o700) }}, blobs, target)
	if !errors.Is(err, fs.ErrExist) {
		t.Errorf("the directory came meanwhile: %v", err)
	}
	if left, err := os.ReadDir(filepath.Dir(target)); err != nil || len(left) != 1 || left[0].Name() != filepath.Base(defaultBlobs(target)) {
		t.Errorf("left: %v, %v", left, err)
	}
}
