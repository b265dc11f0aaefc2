package tracking_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/trackingtest"
)

// linkedBlobs make links that name the key.
type linkedBlobs struct {
	tracking.Blobs
	keys []tracking.BlobKey // of links for uploads
	full bool
}

func (b *linkedBlobs) Put(ctx context.Context, key tracking.BlobKey, r io.Reader) error {
	if b.full {
		return tracking.ErrUnavailable
	}
	return b.Blobs.Put(ctx, key, r)
}

func (b *linkedBlobs) DownloadLink(_ context.Context, key tracking.BlobKey, h tracking.BlobHeaders, life time.Duration) (tracking.BlobLink, error) {
	return tracking.BlobLink{URL: strings.Join([]string{"get", key.ID.String(), h.ContentType, life.String()}, " ")}, nil
}

func (b *linkedBlobs) UploadLink(_ context.Context, key tracking.BlobKey, u *tracking.Upload, life time.Duration) (tracking.BlobLink, error) {
	b.keys = append(b.keys, key)
	return tracking.BlobLink{URL: strings.Join([]string{"put", u.Checksum, life.String()}, " ")}, nil
}

// put puts bytes into the store by the last link.
func (b *linkedBlobs) put(t *testing.T, content string) {
	t.Helper()
	if err := b.Put(ctx, b.keys[len(b.keys)-1], strings.NewReader(content)); err != nil {
		t.Fatal(err)
	}
}

// Bytes that were put into the store are of no use when the signed ID has expired.
func TestExpiredLinkedUpload(t *testing.T) {
	linked := &linkedBlobs{}
	b := trackingtest.New(t, func(c *tracking.Config) { linked.Blobs, c.Blobs = c.Blobs, linked })
	ticket := announce(t, b.Tracker, "a.txt", "bill of lading")
	linked.put(t, "other bytes")
	b.Clock.Advance(24 * time.Hour)
	if _, err := b.CreateDocument(ctx, tracking.NewDocument{Name: "a", Attached: ticket.SignedID}); fault(err) != "attached_document expired" {
		t.Error(err)
	}
}

// Bytes that were put into the store by a link are those of a document only if they are what
// was announced, and cannot be changed by the link afterwards.
func TestLinkedUploads(t *testing.T) {
	linked := &linkedBlobs{}
	b := trackingtest.New(t, func(c *tracking.Config) { linked.Blobs, c.Blobs = c.Blobs, linked })
	const content = "bill of lading"
	once := tracking.Once{Key: "8b2a7a0e-6c43-4d86-9e55-0f5a3c1f8d10"}
	announced := tracking.NewUpload{FileName: "a.txt", ContentType: "text/plain", ByteSize: int64(len(content)), Checksum: md5Of(content)}
	ticket, err := b.CreateUpload(ctx, announced, once)
	if err != nil || ticket.Link.URL != "put "+md5Of(content)+" 1h0m0s" {
		t.Fatal(ticket.Link, err)
	}
	create := func() (*tracking.Document, error) {
		return b.CreateDocument(ctx, tracking.NewDocument{Name: "a", Attached: ticket.SignedID})
	}
	for _, row := range []struct{ content, want string }{
		{"", "attached_document not_uploaded"},
		{"bill of landing", "attached_document length_mismatch"},
		{"bill of l", "attached_document length_mismatch"},
		{"pack of lading", "attached_document checksum_mismatch"},
	} {
		if row.content != "" {
			linked.put(t, row.content)
		}
		if _, err := create(); fault(err) != row.want {
			t.Errorf("%q: %v, want %s", row.content, err, row.want)
		}
	}
	linked.put(t, content)
	linked.full = true
	if _, err := create(); !errors.Is(err, tracking.ErrUnavailable) {
		t.Errorf("while the store takes no more: %v", err)
	}
	linked.full = false
	d, err := create()
	if err != nil {
		t.Fatal(err)
	}
	linked.put(t, "other bytes")
	b.Settle()
	if _, err := create(); fault(err) != "attached_document taken" {
		t.Errorf("again: %v", err)
	}
	signed, err := b.DocumentDownload(ctx, d.ID)
	if err != nil {
		t.Fatal(err)
	}
	file, err := b.OpenDownload(ctx, signed)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(io.NewSectionReader(file, 0, file.Size())); string(got) != content || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	link, err := b.LinkDownload(ctx, signed, func(name, contentType string) tracking.BlobHeaders {
		return tracking.BlobHeaders{ContentType: name + " " + contentType}
	})
	if err != nil || !strings.HasSuffix(link.URL, " a.txt text/plain 1m0s") || strings.Contains(link.URL, ticket.ID.String()) {
		t.Errorf("%s, %v", link.URL, err)
	}
	if again, err := b.CreateUpload(ctx, announced, once); err != nil || again.ID != ticket.ID || again.Link.URL != "" {
		t.Errorf("a link for an upload that was received: %+v, %v", again, err)
	}
	if err := b.DeleteDocument(ctx, d.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := b.LinkDownload(ctx, signed, nil); fault(err) != "expired" {
		t.Errorf("of a deleted document: %v", err)
	}
	b.Pass(50 * time.Hour)
	for _, key := range linked.keys {
		if _, err := linked.Open(ctx, key); err == nil {
			t.Error("bytes that were put into the store too late are not swept")
		}
	}
}
