package main

import (
	"errors"
	"io"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/client"
	"github.com/landfallhq/tracking/internal/s3test"
)

// download returns the bytes of a document.
func (p *process) download(id string) string {
	p.t.Helper()
	var link struct {
		URL string `json:"download_url"`
	}
	p.ask(http.MethodGet, "/documents/"+id+"/download_url", "", &link)
	status, body, err := p.call("", http.MethodGet, strings.TrimPrefix(link.URL, p.base), "")
	if err != nil || status != http.StatusOK {
		p.t.Fatalf("%d %s %v", status, body, err)
	}
	return string(body)
}

// Documents are stored in a bucket, and each command that reads files finds them there.
func TestBucket(t *testing.T) {
	t.Parallel()
	store, db := s3test.Start(t), newDB(t)
	blobs := store.BlobsURL("papers")
	env := append(s3test.Environ(), "LANDFALL_BLOBS="+blobs)
	p := start(t, env, "--db", db)
	large := strings.Repeat("bill of lading\n", 500_000) // more than a part of an upload
	documents := map[string]string{p.file("a.txt", "the first"): "the first", p.file("b.txt", large): large}
	for id, want := range documents {
		if got := p.download(id); got != want {
			t.Errorf("%d bytes come back as %d", len(want), len(got))
		}
	}
	names, err := store.Names()
	if err != nil || len(names) != 2 || !strings.HasPrefix(names[0], "papers/") {
		t.Errorf("%q, %v", names, err)
	}
	for command, want := range map[string]string{
		"check":                             "2 files of documents, 0 problems",
		"backup":                            "the files of documents stay in their bucket",
		"accounts export --account default": "2 files",
	} {
		args := append(strings.Fields(command), "--db", db)
		if command != "check" {
			args = append(args, filepath.Join(t.TempDir(), "copy.db"))
		}
		if r := runWith(t, "", env, args...); r.code != 0 || !strings.Contains(r.stdout, want) {
			t.Errorf("%s: %d %s %s", command, r.code, r.stdout, r.stderr)
		}
	}
	if r := runWith(t, "", env, "doctor", "--db", db); !strings.Contains(r.stdout, "objects were listed, written and deleted") {
		t.Errorf("doctor: %s %s", r.stdout, r.stderr)
	}
	p.stop()
	again := start(t, env, "--db", db)
	again.key = p.key
	for id, want := range documents {
		if got := again.download(id); got != want {
			t.Errorf("after a new start: %d bytes come back as %d", len(want), len(got))
		}
	}
	again.stop()
	if r := runWith(t, "", env, "accounts", "delete", "--account", "default", "--yes", "--db", db); r.code != 0 {
		t.Errorf("delete: %s", r.stderr)
	}
	if names, err := store.Names(); err != nil || len(names) > 0 {
		t.Errorf("%q is left of the account, %v", names, err)
	}
}

// Clients put the bytes of documents into the store and get them from there, by links of the
// server, which takes the bytes over when they are to become a document.
func TestBucketWithLinks(t *testing.T) {
	t.Parallel()
	store, db := s3test.Start(t), newDB(t)
	p := start(t, append(s3test.Environ(), "LANDFALL_BLOBS="+store.BlobsURL("papers")+"&downloads=direct&uploads=direct"), "--db", db)
	c, err := client.New(client.Config{URL: p.base, Key: p.key})
	if err != nil {
		t.Fatal(err)
	}
	const content = "bill of lading"
	d, err := c.CreateDocument(t.Context(), tracking.NewDocument{Name: "B/L", FileName: "b l.txt", ContentType: "text/plain", Content: []byte(content)})
	if err != nil {
		t.Fatal(err)
	}
	presigned := func(method string) bool {
		requests, _ := store.Requests()
		return slices.ContainsFunc(requests, func(r string) bool {
			return strings.HasPrefix(r, method) && strings.Contains(r, "X-Amz-Signature=")
		})
	}
	if !presigned(http.MethodPut) {
		t.Error("the bytes were not put into the store by a link")
	}
	if names, err := store.Names(); err != nil || len(names) != 2 { // that of the link is swept later
		t.Errorf("%q are in the store, %v", names, err)
	}
	link, err := c.DocumentDownload(t.Context(), d.ID)
	if err != nil {
		t.Fatal(err)
	}
	file, err := c.OpenDownload(t.Context(), link)
	if err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(io.NewSectionReader(file, 0, file.Size()))
	if string(got) != content || file.FileName != "b l.txt" || err != nil || !presigned(http.MethodGet) {
		t.Errorf("%q of %q, %v", got, file.FileName, err)
	}
	ticket, err := c.CreateUpload(t.Context(), client.UploadOf("c.txt", "text/plain", []byte("another")))
	if err != nil {
		t.Fatal(err)
	}
	var fault *client.Error
	if _, err := c.CreateDocument(t.Context(), tracking.NewDocument{Name: "C", Attached: ticket.SignedID}); !errors.As(err, &fault) || !fault.Has("not_uploaded") {
		t.Errorf("without bytes: %v", err)
	}
	if err := c.DeleteDocument(t.Context(), d.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := c.OpenDownload(t.Context(), link); !errors.As(err, &fault) || !fault.Has("expired") {
		t.Errorf("of a deleted document: %v", err)
	}
	p.stop()
}

// A restored database finds its files in the bucket, and those of a backup with a directory
// are not put there.
func TestRestoreOfBucket(t *testing.T) {
	t.Parallel()
	store, db := s3test.Start(t), newDB(t)
	env := s3test.Environ()
	bucket, folder := "--blobs="+store.BlobsURL("papers"), "--blobs="+filepath.Join(t.TempDir(), "papers")
	p := start(t, env, "--db", db, bucket)
	id := p.file("a.txt", "the first")
	p.stop()
	backup, restored := filepath.Join(t.TempDir(), "copy.db"), newDB(t)
	if r := runWith(t, "", env, "backup", backup, "--db", db, bucket); r.code != 0 {
		t.Fatal(r.stderr)
	}
	if r := runWith(t, "", env, "restore", backup, "--db", restored, "--key", db+".key", bucket); r.code != 0 || !strings.Contains(r.stdout, "1 files of documents") {
		t.Fatal(r.stdout, r.stderr)
	}
	again := start(t, env, "--db", restored, bucket)
	again.key = p.key
	if got := again.download(id); got != "the first" {
		t.Errorf("%q", got)
	}
	again.stop()

	second := newDB(t)
	other := serve(t, second, folder)
	other.file("b.txt", "the second")
	other.stop()
	withFiles := filepath.Join(t.TempDir(), "copy.db")
	must(t, "backup", withFiles, "--db", second, folder)
	runWith(t, "", env, "restore", withFiles, "--db", newDB(t), bucket).refused(t, 1, "--blobs names a bucket")
}

// A bucket that cannot be used is an error before the server listens.
func TestBucketRefused(t *testing.T) {
	t.Parallel()
	store := s3test.Start(t)
	serving := func(env []string, blobs string) result {
		return runWith(t, "", env, "serve", "--addr", "127.0.0.1:0", "--db", newDB(t), "--blobs", blobs)
	}
	serving(s3test.Environ(), "s3://documents?sse=aes").refused(t, 2, "--blobs", "sse=aes is unknown")
	serving(s3test.Environ(), strings.Replace(store.BlobsURL(""), s3test.Bucket, "another", 1)).refused(t, 1, "has no bucket another")
	serving([]string{"AWS_ACCESS_KEY_ID=other", "AWS_SECRET_ACCESS_KEY=other"}, store.BlobsURL("")).refused(t, 1, "refuses the credentials")
}
