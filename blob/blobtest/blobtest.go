// Package blobtest is the contract of tracking.Blobs as tests.
package blobtest

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/uuid"

	"github.com/landfallhq/tracking"
)

// Run runs the tests. open returns a new, empty Blobs for each.
func Run(t *testing.T, open func(*testing.T) tracking.Blobs) {
	for name, test := range map[string]func(*testing.T, tracking.Blobs){
		"put and open": putAndOpen, "interrupted put": interruptedPut, "accounts are separate": accountsAreSeparate,
		"put replaces": replaces, "delete twice": deleted, "sweep": sweep, "many at once": manyAtOnce, "keys": keys,
	} {
		t.Run(name, func(t *testing.T) { test(t, open(t)) })
	}
}

// Key returns a new key.
func Key() tracking.BlobKey {
	return tracking.BlobKey{Account: tracking.AccountID(uuid.New()), ID: uuid.New()}
}

func put(t *testing.T, b tracking.Blobs, key tracking.BlobKey, content []byte) {
	t.Helper()
	if err := b.Put(t.Context(), key, bytes.NewReader(content)); err != nil {
		t.Fatal(err)
	}
}

// Read returns the bytes under a key; nil if there are none.
func Read(t *testing.T, b tracking.Blobs, key tracking.BlobKey) []byte {
	t.Helper()
	blob, err := b.Open(t.Context(), key)
	if errors.Is(err, tracking.ErrNotFound) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	content, err := io.ReadAll(io.NewSectionReader(blob, 0, blob.Size()))
	if err = errors.Join(err, blob.Close()); err != nil {
		t.Fatal(err)
	}
	return content
}

func putAndOpen(t *testing.T, b tracking.Blobs) {
	for _, size := range []int{0, 1, 4096, 1 << 20} {
		key, content := Key(), bytes.Repeat([]byte{0xff, 0}, size)[:size]
		put(t, b, key, content)
		blob, err := b.Open(t.Context(), key)
		if err != nil || blob.Size() != int64(size) {
			t.Fatalf("%d bytes: size %v, %v", size, blob, err)
		}
		if err := errors.Join(blob.Close()); err != nil {
			t.Fatal(err)
		}
		if got := Read(t, b, key); !bytes.Equal(got, content) {
			t.Errorf("%d bytes come back as %d", size, len(got))
		}
	}
	if _, err := b.Open(t.Context(), Key()); !errors.Is(err, tracking.ErrNotFound) {
		t.Errorf("an unknown key: %v", err)
	}
}

func interruptedPut(t *testing.T, b tracking.Blobs) {
	broken, key := errors.New("broken off"), Key()
	err := b.Put(t.Context(), key, io.MultiReader(bytes.NewReader(make([]byte, 100_000)), iotest.ErrReader(broken)))
	if !errors.Is(err, broken) || Read(t, b, key) != nil {
		t.Errorf("%v, and there are %d bytes", err, len(Read(t, b, key)))
	}
	put(t, b, key, []byte("first"))
	if err := b.Put(t.Context(), key, iotest.ErrReader(broken)); !errors.Is(err, broken) || string(Read(t, b, key)) != "first" {
		t.Errorf("%v, and %q", err, Read(t, b, key))
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := b.Put(ctx, Key(), bytes.NewReader(nil)); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func accountsAreSeparate(t *testing.T, b tracking.Blobs) {
	mine, theirs := Key(), Key()
	theirs.ID = mine.ID
	put(t, b, mine, []byte("mine"))
	if got := Read(t, b, theirs); got != nil {
		t.Errorf("another account reads %q", got)
	}
}

func replaces(t *testing.T, b tracking.Blobs) {
	key := Key()
	put(t, b, key, []byte("longer than the next"))
	held, err := b.Open(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	put(t, b, key, []byte("next"))
	before, err := io.ReadAll(io.NewSectionReader(held, 0, held.Size()))
	if err != nil || string(before) != "longer than the next" || string(Read(t, b, key)) != "next" {
		t.Errorf("open before: %q %v; now %q", before, err, Read(t, b, key))
	}
}

func deleted(t *testing.T, b tracking.Blobs) {
	key := Key()
	put(t, b, key, []byte("x"))
	for range 2 {
		if err := b.Delete(t.Context(), key); err != nil || Read(t, b, key) != nil {
			t.Errorf("deleted: %v, %q", err, Read(t, b, key))
		}
	}
}

func sweep(t *testing.T, b tracking.Blobs) {
	kept, orphan := Key(), Key()
	put(t, b, kept, []byte("kept"))
	put(t, b, orphan, []byte("orphan"))
	keep := func(asked *[]tracking.BlobKey) func(tracking.BlobKey) (bool, error) {
		return func(key tracking.BlobKey) (bool, error) {
			*asked = append(*asked, key)
			return key == kept, nil
		}
	}
	var asked []tracking.BlobKey
	if n, err := b.Sweep(t.Context(), time.Now().Add(-time.Hour), keep(&asked)); n != 0 || err != nil || asked != nil {
		t.Errorf("what was put since: %d removed, %v, %v", n, err, asked)
	}
	fault := errors.New("the store is closed")
	if n, err := b.Sweep(t.Context(), time.Now().Add(time.Hour), func(tracking.BlobKey) (bool, error) { return false, fault }); n != 0 || !errors.Is(err, fault) {
		t.Errorf("without an answer: %d removed, %v", n, err)
	}
	n, err := b.Sweep(t.Context(), time.Now().Add(time.Hour), keep(&asked))
	if n != 1 || err != nil || len(asked) != 2 || !slices.Contains(asked, kept) || !slices.Contains(asked, orphan) {
		t.Errorf("%d removed, %v, asked about %v", n, err, asked)
	}
	if Read(t, b, orphan) != nil || string(Read(t, b, kept)) != "kept" {
		t.Error("the wrong one was removed")
	}
}

// keys checks tracking.ListedBlobs, for Blobs that are.
func keys(t *testing.T, b tracking.Blobs) {
	listed, ok := b.(tracking.ListedBlobs)
	if !ok {
		return
	}
	want := map[tracking.BlobKey]bool{}
	for range 5 {
		key := Key()
		put(t, b, key, []byte("x"))
		want[key] = true
	}
	got := 0
	for key, err := range listed.Keys(t.Context()) {
		if got++; err != nil || !want[key] {
			t.Errorf("%v, %v", key, err)
		}
	}
	if got != len(want) {
		t.Errorf("%d keys, want %d", got, len(want))
	}
	for range listed.Keys(t.Context()) {
		break // which ends the listing
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, err := range listed.Keys(ctx) {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled: %v", err)
		}
	}
}

func manyAtOnce(t *testing.T, b tracking.Blobs) {
	key := Key()
	var all sync.WaitGroup
	for i := range 16 {
		all.Go(func() {
			if err := b.Put(t.Context(), key, bytes.NewReader(bytes.Repeat([]byte{byte(i)}, 10_000))); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if got := Read(t, b, key); len(got) != 10_000 || !bytes.Equal(got, bytes.Repeat(got[:1], 10_000)) {
		t.Errorf("%d bytes of several", len(got))
	}
}
