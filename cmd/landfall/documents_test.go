package main

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What becomes of a document that is there already is one of three words.
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

// A document goes where --blobs says, and is no larger than --max-document.
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
	if _, err := os.Stat(blobsBeside(db)); !os.IsNotExist(err) {
		t.Errorf("there is another beside the database: %v", err)
	}
}
