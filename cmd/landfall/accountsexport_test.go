package main

import (
	"archive/zip"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// unzip returns the content of the files in a ZIP file.
func unzip(t *testing.T, name string) map[string]string {
	t.Helper()
	r, err := zip.OpenReader(name)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	content := map[string]string{}
	for _, f := range r.File {
		from, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(from)
		if err != nil {
			t.Fatal(err)
		}
		content[f.Name] = string(text)
	}
	return content
}

// TestAccountsExport: the file has resources, reports and documents of the account of a
// running server, no secrets, and names that lead nowhere else; its reports can be imported.
func TestAccountsExport(t *testing.T) {
	t.Parallel()
	db, out := newDB(t), filepath.Join(t.TempDir(), "acme.zip")
	p := serve(t, db, "--allow-private-webhooks")
	p.ask(http.MethodPost, "/reports", `{"source":"api","scac":"MAEU","facts":[
		{"event":"load","classifier":"actual","at":{"time":"2026-02-04T10:00:00Z"},"place":{"locode":"CNSHA"},"vessel":{"imo":"9321483"},"containers":["APZU4812090"],"numbers":[{"type":"bill_of_lading","number":"MAEU1"}]}]}`, nil)
	var hook struct {
		Data struct{ Attributes struct{ Secret string } }
	}
	p.ask(http.MethodPost, "/webhooks", `{"data":{"type":"webhook","attributes":{"url":"http://127.0.0.1:9/hook","active":true,"events":["container.created"],"headers":[{"name":"X-Key","value":"hush-hush"}]}}}`, &hook)
	p.file("../../in voice.json", `{"n":1}`)

	printed := must(t, "accounts", "export", "--account", "default", "--db", db, out)
	if !regexp.MustCompile(`^exported default to \S+: \d\d+ resources, 1 facts, 1 files$`).MatchString(printed) {
		t.Error(printed)
	}
	if info, err := os.Stat(out); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	files, all := unzip(t, out), ""
	for name, content := range files {
		all += content
		if !regexp.MustCompile(`^(export\.json|resources/[a-z_]+\.ndjson|reports/000001\.json|documents/[0-9a-f-]{36}/_\.\._in voice\.json)$`).MatchString(name) {
			t.Errorf("the file %q", name)
		}
		if strings.HasPrefix(name, "documents/") && content != `{"n":1}` {
			t.Errorf("the document is %q", content)
		}
	}
	for _, hidden := range []string{p.key, hook.Data.Attributes.Secret, "hush"} {
		if hidden == "" || strings.Contains(all, hidden) {
			t.Errorf("%q is in the export", hidden)
		}
	}
	if strings.Count(files["resources/shipment.ndjson"], "\n") != 1 || !strings.Contains(files["export.json"], `"account_name": "default"`) {
		t.Error(files)
	}
	report := write(t, "report.json", files["reports/000001.json"])
	if text := must(t, "import", "--account", "other", "--format", "report", "--db", db, report); !strings.HasPrefix(text, "1 facts, 1 new, 1 shipments, 1 containers") {
		t.Error(text)
	}

	run(t, "accounts", "export", "--account", "default", "--db", db, out).refused(t, 1, "exists already")
	missing := filepath.Join(t.TempDir(), "none", "a.zip")
	run(t, "accounts", "export", "--account", "default", "--db", db, missing).refused(t, 1, "none")
	empty := t.TempDir()
	if r := run(t, "accounts", "export", "--account", "default", "--db", db, "--blobs", empty, filepath.Join(empty, "a.zip")); r.code != 1 || !strings.Contains(r.stderr, "files of 1 documents") {
		t.Errorf("without the files: %+v", r)
	}
}

func TestSafeFileNames(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"a.pdf": "a.pdf", "../../etc/passwd": "_.._etc_passwd", "..": "file", "": "file", `C:\a`: "C__a", "a\x00\u202eb": "a__b", ".hidden. ": "hidden",
		strings.Repeat("ü", 150) + ".pdf": strings.Repeat("ü", 98) + ".pdf",
	} {
		if got := safeFileName(name); got != want {
			t.Errorf("%q: %q", name, got)
		}
	}
}
