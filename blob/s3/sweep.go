package s3

import (
	"context"
	"errors"
	"iter"
	"time"

	"github.com/minio/minio-go/v7"

	"github.com/landfallhq/tracking"
)

// Delete implements tracking.Blobs.
func (b *Blobs) Delete(ctx context.Context, key tracking.BlobKey) error {
	return b.remove(ctx, b.nameOf(key))
}

func (b *Blobs) remove(ctx context.Context, name string) error {
	return ignoreNotFound(b.request(ctx, func(ctx context.Context) error {
		return b.core.RemoveObject(ctx, b.bucket, name, minio.RemoveObjectOptions{})
	}))
}

func ignoreNotFound(err error) error {
	if errors.Is(err, tracking.ErrNotFound) {
		return nil
	}
	return err
}

// DeleteAccount implements tracking.AccountBlobs.
func (b *Blobs) DeleteAccount(ctx context.Context, a tracking.AccountID) error {
	for name, err := range b.objects(ctx, b.folderOf(a), time.Time{}) {
		if err == nil {
			err = b.remove(ctx, name)
		}
		if err != nil {
			return err
		}
	}
	_, err := b.sweepUploads(ctx, b.folderOf(a), time.Time{})
	return err
}

// Sweep implements tracking.Blobs. The times are those of the store.
func (b *Blobs) Sweep(ctx context.Context, before time.Time, keep func(tracking.BlobKey) (bool, error)) (removed int, err error) {
	for name, err := range b.objects(ctx, b.prefix, before) {
		if err != nil {
			return removed, err
		}
		key, ok := b.keyOf(name)
		if !ok {
			continue // not ours
		}
		kept, err := keep(key)
		if err == nil && !kept {
			err = b.remove(ctx, name)
		}
		if err != nil {
			return removed, err
		}
		if !kept {
			removed++
		}
	}
	ended, err := b.sweepUploads(ctx, b.prefix, before)
	return removed + ended, err
}

// Keys implements tracking.ListedBlobs.
func (b *Blobs) Keys(ctx context.Context) iter.Seq2[tracking.BlobKey, error] {
	return func(yield func(tracking.BlobKey, error) bool) {
		for name, err := range b.objects(ctx, b.prefix, time.Time{}) {
			key, ok := b.keyOf(name)
			if (err != nil || ok) && !yield(key, err) {
				return
			}
		}
	}
}

// objects yields the names of the objects with a prefix that were put before a time, which
// is zero for all.
func (b *Blobs) objects(ctx context.Context, prefix string, before time.Time) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		if err := ctx.Err(); err != nil {
			yield("", err)
			return
		}
		listing, end := context.WithCancel(ctx)
		defer end()
		for o := range b.core.ListObjectsIter(listing, b.bucket, minio.ListObjectsOptions{Prefix: prefix, Recursive: true}) {
			switch {
			case ctx.Err() != nil:
				o.Err = ctx.Err()
			case o.Err != nil:
				o.Err = b.unavailable(o.Err)
			case !before.IsZero() && !o.LastModified.Before(before):
				continue
			}
			if !yield(o.Key, o.Err) || o.Err != nil {
				return
			}
		}
	}
}

// sweepUploads ends the uploads in parts that were begun before a time, which is zero for
// all, and that nothing will complete.
func (b *Blobs) sweepUploads(ctx context.Context, prefix string, before time.Time) (ended int, err error) {
	for page := (minio.ListMultipartUploadsResult{IsTruncated: true}); page.IsTruncated; {
		err := b.request(ctx, func(ctx context.Context) (err error) {
			page, err = b.core.ListMultipartUploads(ctx, b.bucket, prefix, page.NextKeyMarker, page.NextUploadIDMarker, "", 1000)
			return err
		})
		if err != nil {
			return ended, err
		}
		for _, u := range page.Uploads {
			if _, ok := b.keyOf(u.Key); !ok || !before.IsZero() && !u.Initiated.Before(before) {
				continue
			}
			if err := ignoreNotFound(b.abort(ctx, u.Key, u.UploadID)); err != nil {
				return ended, err
			}
			ended++
		}
	}
	return ended, nil
}
