package tracking_test

import (
	"context"
	"errors"
	"io"
	"testing"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/trackingtest"
)

// fullBlobs can neither be read nor written while they are out of reach.
type fullBlobs struct {
	tracking.Blobs
	out bool
}

func (b *fullBlobs) Put(ctx context.Context, key tracking.BlobKey, r io.Reader) error {
	if b.out {
		return tracking.ErrUnavailable
	}
	return b.Blobs.Put(ctx, key, r)
}

func (b *fullBlobs) Open(ctx context.Context, key tracking.BlobKey) (tracking.Blob, error) {
	if b.out {
		return nil, tracking.ErrUnavailable
	}
	return b.Blobs.Open(ctx, key)
}

func (b *fullBlobs) Ready(context.Context) error {
	if b.out {
		return tracking.ErrUnavailable
	}
	return nil
}

func withFullBlobs(t *testing.T) (*trackingtest.Bench, *fullBlobs) {
	t.Helper()
	full := &fullBlobs{}
	return trackingtest.New(t, func(c *tracking.Config) { full.Blobs, c.Blobs = c.Blobs, full }), full
}

// However long the blobs are unavailable, no document fails and no rotation of a
// picture is dropped for that.
func TestDocumentsOutlastAnOutage(t *testing.T) {
	b, blobs := withFullBlobs(t)
	scan, err := b.CreateDocument(ctx, tracking.NewDocument{Name: "scan", ContentType: "image/png", Content: picture(t, "image/png")})
	if err != nil {
		t.Fatal(err)
	}
	b.Settle()
	if err := b.RotateDocument(ctx, scan.ID, 90); err != nil {
		t.Fatal(err)
	}
	letter, err := b.CreateDocument(ctx, tracking.NewDocument{Name: "x", Content: []byte("type: other\n")})
	if err != nil {
		t.Fatal(err)
	}
	blobs.out = true
	for range 30 {
		b.Pass(2 * time.Minute)
	}
	if _, err := b.CreateDocument(ctx, tracking.NewDocument{Name: "y", Content: []byte("z")}); !errors.Is(err, tracking.ErrUnavailable) {
		t.Errorf("a document meanwhile: %v", err)
	}
	if letter = reread(t, b, letter.ID); letter.ExtractionFailedReason != "" || letter.DocumentType != "" {
		t.Errorf("meanwhile: %q %q", letter.ExtractionFailedReason, letter.DocumentType)
	}
	blobs.out = false
	b.Pass(2 * time.Minute)
	b.Settle()
	if letter = reread(t, b, letter.ID); letter.DocumentType != "other" {
		t.Errorf("afterwards: %q %q", letter.ExtractionFailedReason, letter.DocumentType)
	}
	img, _ := shownPicture(t, b, scan.ID)
	if size := img.Bounds().Size(); size.X != 32 || size.Y != 64 {
		t.Errorf("the picture was not rotated: %v", size)
	}
}

func TestReadyAsksTheBlobs(t *testing.T) {
	b, blobs := withFullBlobs(t)
	for _, blobs.out = range []bool{true, false} {
		if err := b.Operator.Ready(ctx); errors.Is(err, tracking.ErrUnavailable) != blobs.out {
			t.Errorf("out of reach: %t: %v", blobs.out, err)
		}
	}
}
