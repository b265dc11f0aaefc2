package tracking

import (
	"context"
	"crypto/md5"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"iter"
	"time"

	"github.com/google/uuid"

	"github.com/landfallhq/tracking/store"
)

// Blobs stores the bytes of documents. blob/dir stores them in a directory, blob/memory
// in memory, for tests; blob/blobtest tests this contract.
//
// It is safe for use by several goroutines, and by several processes that share the
// store.
type Blobs interface {
	// Put stores the bytes of r, up to its end, under the key, and replaces what was
	// there. It is atomic: an error of r is returned unchanged, and nothing is stored.
	// Conditions that can end without a change of the program, such as a full disk, are
	// ErrUnavailable, here and below. After Put has returned nil, the bytes survive a
	// crash of the process and, in a durable store, of the machine.
	Put(ctx context.Context, key BlobKey, r io.Reader) error
	// Open returns the bytes under the key, or ErrNotFound. The caller closes the Blob.
	Open(ctx context.Context, key BlobKey) (Blob, error)
	// Delete removes the bytes under the key, if there are any.
	Delete(ctx context.Context, key BlobKey) error
	// Sweep removes the blobs that were put before a time and for which keep returns
	// false, and the remains of calls of Put that were interrupted before that time. It
	// returns how many of both were removed.
	Sweep(ctx context.Context, before time.Time, keep func(BlobKey) (bool, error)) (removed int, err error)
}

// ReadyBlobs are Blobs that report whether they can store more: nil, or why not.
// Tracker.Ready calls Ready, so it should take no longer than a small Put.
type ReadyBlobs interface {
	Blobs
	Ready(ctx context.Context) error
}

// ListedBlobs are Blobs that can be listed, so that they can be copied. blob/dir and blob/s3
// are.
type ListedBlobs interface {
	Blobs
	// Keys yields the keys of all blobs, in any order, until the first error.
	Keys(ctx context.Context) iter.Seq2[BlobKey, error]
}

// LinkedBlobs are Blobs that can exchange bytes with clients themselves, by links for which one
// needs nothing else. blob/s3 is; it makes links where it is configured so.
type LinkedBlobs interface {
	Blobs
	// DownloadLink returns a link by which the bytes under the key can be read for a time, with
	// GET and the headers. Its URL is "" if the store is not to serve any. There may be no such
	// bytes.
	DownloadLink(ctx context.Context, key BlobKey, h BlobHeaders, life time.Duration) (BlobLink, error)
	// UploadLink returns a link by which the bytes of an upload can be put under the key for a
	// time, with PUT, as often as somebody does. Its URL is "" if the store is not to take any.
	UploadLink(ctx context.Context, key BlobKey, u *Upload, life time.Duration) (BlobLink, error)
}

// BlobHeaders are headers of the answer with the bytes of a blob.
type BlobHeaders struct{ ContentType, ContentDisposition string }

// BlobLink is an address of a store, and the headers that a request to it must have.
type BlobLink struct {
	URL     string
	Headers map[string]string
}

// Blob is the bytes of a document. It is safe for use by several goroutines.
type Blob interface {
	io.ReaderAt
	io.Closer
	// Size is the number of bytes.
	Size() int64
}

// BlobKey names a blob. The engine generates it: it contains no user input.
type BlobKey struct {
	Account AccountID
	ID      ID
}

// blobs are Config.Blobs, or an Error if there are none.
func (e *engine) blobs() (Blobs, error) {
	if e.config.Blobs == nil {
		return nil, &Error{Kind: Invalid, Code: "no_blobs", Detail: "this installation stores no documents: its operator must configure a place for them"}
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

// storeBlob stores the bytes of r as a blob, and returns an upload that the caller writes
// together with its document. If it never does, the blob is swept. An error of r is
// returned unchanged.
func (t *Tracker) storeBlob(ctx context.Context, name, contentType string, r io.Reader) (*Upload, error) {
	store, err := t.blobs()
	if err != nil {
		return nil, err
	}
	id, err := uuid.NewV7()
	if err != nil {
		return nil, err
	}
	u := &Upload{Meta: Meta{ID: id}, FileName: name, ContentType: contentType}
	received := summed(r)
	if err := store.Put(ctx, BlobKey{t.actor.Account, u.blob()}, &received); err != nil {
		return nil, err
	}
	u.ByteSize, u.Checksum, u.SHA256 = received.read, received.checksumMD5(), received.sumSHA256()
	return u, nil
}

// deleteBlobs removes blobs that became no document. Those that remain are swept.
func (t *Tracker) deleteBlobs(ctx context.Context, unused []*Upload) {
	for _, u := range unused {
		if err := t.config.Blobs.Delete(context.WithoutCancel(ctx), BlobKey{t.actor.Account, u.blob()}); err != nil {
			t.log.Warn("a blob without a document remains until it is swept", "error", err)
			return
		}
	}
}

// summedReader counts and hashes the bytes that are read.
type summedReader struct {
	from        io.Reader
	read        int64
	md5, sha256 hash.Hash
}

func summed(from io.Reader) summedReader {
	return summedReader{from: from, md5: md5.New(), sha256: sha256.New()}
}

// checksumMD5 is the MD5 of what was read, in base64; sumSHA256 its SHA-256, in hex.
func (r *summedReader) checksumMD5() string { return base64.StdEncoding.EncodeToString(r.md5.Sum(nil)) }
func (r *summedReader) sumSHA256() string   { return hex.EncodeToString(r.sha256.Sum(nil)) }

func (r *summedReader) Read(p []byte) (int, error) {
	n, err := r.from.Read(p)
	r.read += int64(n)
	r.md5.Write(p[:n])
	r.sha256.Write(p[:n])
	return n, err
}

const (
	// uploadRetention is how long an upload may wait to become a document: longer than
	// its signed ID is valid.
	uploadRetention = signedIDLife + time.Hour
	// blobSweepEvery is the interval between sweeps.
	blobSweepEvery = 24 * time.Hour
)

// sweepBlobs removes the blobs that no document needs: of uploads that were deleted or
// interrupted, and of pictures before their rotation.
func (t *Tracker) sweepBlobs(ctx context.Context, now time.Time) error {
	if t.config.Blobs == nil {
		return nil
	}
	removed, err := t.config.Blobs.Sweep(ctx, now.Add(-uploadRetention), func(key BlobKey) (kept bool, err error) {
		err = t.view(ctx, key.Account, func(tx *transaction) (err error) {
			kept, err = blobInUse(tx, key.ID)
			return err
		})
		return kept, err
	})
	if removed > 0 {
		t.log.Info("blobs without a document were removed", "count", removed)
	}
	return err
}

// blobInUse reports whether a stored upload has its bytes in the blob.
func blobInUse(tx *transaction, blob ID) (bool, error) {
	u, err := uploads.Get(tx, blob)
	if !isNotFound(err) {
		return err == nil && u.blob() == blob, err
	}
	of, err := tx.Records.Find(tx, uploads.Kind, store.Cond{Name: "blob", Op: store.Is, Values: []any{blob}}, 1)
	return len(of) > 0, err
}

// checkBlobs compares the blob of each upload that was received with its size and its
// SHA-256.
func (t *Tracker) checkBlobs(ctx context.Context, c CheckRequest, report *CheckReport) error {
	if t.config.Blobs == nil {
		return nil
	}
	return t.forEachAccount(ctx, func(a AccountID) error {
		oldestFirst := (&where[Upload]{}).Filter(uploads)
		oldestFirst.Sort = []store.Order{{}}
		for page := (Page{Number: 1, Size: sweepBatchSize}); ; page.Number++ {
			var some []*Upload
			err := t.view(ctx, a, func(tx *transaction) error {
				records, _, err := tx.Records.List(ctx, uploads.Kind, oldestFirst, page, nil)
				if err != nil {
					return err
				}
				some, err = uploads.DecodeAll(records)
				return err
			})
			if err != nil || len(some) == 0 {
				return err
			}
			for _, u := range some {
				if err := t.checkBlob(ctx, a, u, c, report); err != nil {
					return err
				}
			}
		}
	})
}

func (t *Tracker) checkBlob(ctx context.Context, a AccountID, u *Upload, c CheckRequest, report *CheckReport) error {
	if u.SHA256 == "" {
		return nil // its bytes have not been received
	}
	report.Files++
	what := t.blobDamage(ctx, BlobKey{a, u.blob()}, u)
	if what == "" || ctx.Err() != nil {
		return ctx.Err()
	}
	err := t.view(ctx, a, func(tx *transaction) error {
		now, err := uploads.Get(tx, u.ID)
		if err == nil && now.blob() != u.blob() {
			err = ErrNotFound
		}
		return err
	})
	if isNotFound(err) {
		return nil // removed or replaced meanwhile
	}
	p := store.Problem{Kind: uploads.Kind.Name, Account: a, ID: u.ID, What: what}
	if u.Document != (ID{}) {
		p.Kind, p.ID = documents.Kind.Name, u.Document
	}
	report.Problems++
	if c.Found != nil {
		c.Found(p)
	}
	return err
}

// blobDamage says what is wrong with a blob; empty for nothing.
func (t *Tracker) blobDamage(ctx context.Context, key BlobKey, u *Upload) string {
	b, err := t.config.Blobs.Open(ctx, key)
	if isNotFound(err) {
		return "its file " + key.ID.String() + " is missing"
	}
	if err != nil {
		return "its file cannot be read: " + err.Error()
	}
	defer b.Close()
	if b.Size() != u.ByteSize {
		return fmt.Sprintf("its file %s has %d bytes, not %d", key.ID, b.Size(), u.ByteSize)
	}
	read := summed(io.NewSectionReader(b, 0, b.Size()))
	if _, err := io.Copy(io.Discard, &read); err != nil {
		return "its file cannot be read: " + err.Error()
	}
	if read.sumSHA256() != u.SHA256 {
		return "its file " + key.ID.String() + " is damaged: it has another SHA-256"
	}
	return ""
}
