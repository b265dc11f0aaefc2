package tracking

import (
	"context"
	"crypto/md5"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"hash"
	"io"
	"time"

	"github.com/google/uuid"

	"github.com/landfallhq/tracking/store"
)

// Blobs keeps the bytes of documents. blob/dir keeps them in a directory,
// blob/memory for tests; blob/blobtest holds this contract as tests.
//
// It is safe for use by several goroutines, and by several processes where they
// share it.
type Blobs interface {
	// Put keeps what r gives, up to its end, under the key; what was there before
	// is replaced. It is all or nothing: an error of r is returned as it is and
	// leaves nothing under the key. What may pass by itself, such as a full disk, is
	// ErrUnavailable, here and below. When Put has returned nil, the bytes survive a
	// crash of the process and, in a durable store, of the machine.
	Put(ctx context.Context, key BlobKey, r io.Reader) error
	// Open returns the bytes under the key, or ErrNotFound. The caller closes them.
	Open(ctx context.Context, key BlobKey) (Blob, error)
	// Delete removes the bytes under the key, if there are any.
	Delete(ctx context.Context, key BlobKey) error
	// Sweep removes the blobs that were put before a time and that keep says are
	// nobody's, and what calls of Put that were cut off before it left behind. It
	// returns how many of both were removed.
	Sweep(ctx context.Context, before time.Time, keep func(BlobKey) (bool, error)) (removed int, err error)
}

// ReadyBlobs are Blobs that can say whether they keep more: nil, or why not.
// Tracker.Ready asks them, so it should take no longer than a small Put.
type ReadyBlobs interface {
	Blobs
	Ready(ctx context.Context) error
}

// Blob is the bytes of a document, to be read by several goroutines at a time.
type Blob interface {
	io.ReaderAt
	io.Closer
	// Size is the number of bytes.
	Size() int64
}

// BlobKey names a blob. The engine makes it up: nothing of what anybody sent is
// in it.
type BlobKey struct {
	Account AccountID
	ID      ID
}

// blobs are Config.Blobs, or an Error where the host has none.
func (e *engine) blobs() (Blobs, error) {
	if e.config.Blobs == nil {
		return nil, &Error{Kind: Invalid, Code: "no_blobs", Detail: "this installation keeps no documents: its operator must say where"}
	}
	return e.config.Blobs, nil
}

func (t *Tracker) openBlob(ctx context.Context, key BlobKey) (Blob, error) {
	store, err := t.blobs()
	if err != nil {
		return nil, err
	}
	blob, err := store.Open(ctx, key)
	if isNotFound(err) {
		return nil, &Error{Kind: Invalid, Code: "no_file", Title: "No document attached", Detail: "the document has no file"}
	}
	return blob, err
}

// keepBlob keeps what r gives as an upload that is not on record yet: the caller
// writes it with the document that it becomes. What is never written is swept as any
// blob of nobody's. An error of r is returned as it is.
func (t *Tracker) keepBlob(ctx context.Context, name, contentType string, r io.Reader) (*Upload, error) {
	store, err := t.blobs()
	if err != nil {
		return nil, err
	}
	id, err := uuid.NewV7()
	if err != nil {
		return nil, err
	}
	u := &Upload{Meta: Meta{ID: id}, FileName: name, ContentType: contentType}
	summed := &summedReader{from: r, md5: md5.New(), sha256: sha256.New()}
	if err := store.Put(ctx, BlobKey{t.actor.Account, u.blob()}, summed); err != nil {
		return nil, err
	}
	u.ByteSize, u.Checksum, u.SHA256 = summed.read, base64.StdEncoding.EncodeToString(summed.md5.Sum(nil)), hex.EncodeToString(summed.sha256.Sum(nil))
	return u, nil
}

// dropBlobs removes blobs that became nothing. What stays is swept.
func (t *Tracker) dropBlobs(ctx context.Context, kept []*Upload) {
	for _, u := range kept {
		if err := t.config.Blobs.Delete(context.WithoutCancel(ctx), BlobKey{t.actor.Account, u.blob()}); err != nil {
			t.log.Warn("bytes that became no document stay until they are swept", "error", err)
			return
		}
	}
}

// summedReader gives bytes on and sums them up.
type summedReader struct {
	from        io.Reader
	read        int64
	md5, sha256 hash.Hash
}

func (r *summedReader) Read(p []byte) (int, error) {
	n, err := r.from.Read(p)
	r.read += int64(n)
	r.md5.Write(p[:n])
	r.sha256.Write(p[:n])
	return n, err
}

const (
	// uploadKept is how long an upload may wait to become a document: as long as
	// its signed ID is good, and a little more.
	uploadKept = signedIDLife + time.Hour
	// blobSweepEvery is how often each blob is looked at.
	blobSweepEvery = 24 * time.Hour
)

// sweepBlobs removes the blobs of no document: their uploads have been forgotten,
// or were cut off, or a picture was turned since.
func (t *Tracker) sweepBlobs(ctx context.Context, now time.Time) error {
	if t.config.Blobs == nil {
		return nil
	}
	removed, err := t.config.Blobs.Sweep(ctx, now.Add(-uploadKept), func(key BlobKey) (kept bool, err error) {
		err = t.view(ctx, key.Account, func(tx *Tx) (err error) {
			kept, err = isKept(tx, key.ID)
			return err
		})
		return kept, err
	})
	if removed > 0 {
		t.log.Info("blobs that belong to no document were removed", "count", removed)
	}
	return err
}

// isKept reports whether an upload has its bytes in a blob: in one of its own ID,
// or of another.
func isKept(tx *Tx, blob ID) (bool, error) {
	u, err := table(tx, uploads).Get(blob)
	if !isNotFound(err) {
		return err == nil && u.blob() == blob, err
	}
	of, err := tx.records.Find(tx, uploads.kind, store.Cond{Name: "blob", Op: store.Is, Values: []any{blob}}, 1)
	return len(of) > 0, err
}
