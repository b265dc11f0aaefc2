// Package memory stores document files in memory, for tests and trials.
package memory

import (
	"bytes"
	"context"
	"io"
	"maps"
	"sync"
	"time"

	"github.com/landfallhq/tracking"
)

// Blobs is a tracking.Blobs in memory. The zero value is empty and ready to use.
type Blobs struct {
	// Now is the clock. Defaults to time.Now.
	Now func() time.Time

	mu    sync.Mutex
	blobs map[tracking.BlobKey]stored
}

type stored struct {
	content []byte
	at      time.Time
}

type blob struct{ *bytes.Reader }

func (blob) Close() error { return nil }

// Put implements tracking.Blobs.
func (b *Blobs) Put(ctx context.Context, key tracking.BlobKey, r io.Reader) error {
	content, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.blobs == nil {
		b.blobs = map[tracking.BlobKey]stored{}
	}
	b.blobs[key] = stored{content, b.now()}
	return nil
}

func (b *Blobs) now() time.Time {
	if b.Now == nil {
		return time.Now()
	}
	return b.Now()
}

// Open implements tracking.Blobs.
func (b *Blobs) Open(_ context.Context, key tracking.BlobKey) (tracking.Blob, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	h, ok := b.blobs[key]
	if !ok {
		return nil, tracking.ErrNotFound
	}
	return blob{bytes.NewReader(h.content)}, nil
}

// Delete implements tracking.Blobs.
func (b *Blobs) Delete(_ context.Context, key tracking.BlobKey) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.blobs, key)
	return nil
}

// DeleteAccount implements tracking.AccountBlobs.
func (b *Blobs) DeleteAccount(_ context.Context, a tracking.AccountID) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	maps.DeleteFunc(b.blobs, func(key tracking.BlobKey, _ stored) bool { return key.Account == a })
	return nil
}

// Sweep implements tracking.Blobs.
func (b *Blobs) Sweep(ctx context.Context, before time.Time, keep func(tracking.BlobKey) (bool, error)) (removed int, err error) {
	for _, key := range b.olderThan(before) {
		if err := ctx.Err(); err != nil {
			return removed, err
		}
		kept, err := keep(key)
		if err != nil {
			return removed, err
		}
		if kept {
			continue
		}
		if err := b.Delete(ctx, key); err != nil {
			return removed, err
		}
		removed++
	}
	return removed, nil
}

func (b *Blobs) olderThan(t time.Time) (keys []tracking.BlobKey) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for key, h := range b.blobs {
		if h.at.Before(t) {
			keys = append(keys, key)
		}
	}
	return keys
}
