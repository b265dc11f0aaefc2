// Package dir keeps the bytes of documents in a directory, each blob in a file:
//
//	blobs/0197.../4c/019a...   account, the last two digits of the ID, the ID
//	blobs/incoming/...         what is being put
//
// A blob is written under incoming, synced, and renamed to its place, whose folder
// is synced too: it is there as a whole or not at all, also after a power cut.
// Names are IDs that the engine makes up; no path can lead out of the directory
// (os.Root).
package dir

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"time"

	"github.com/google/uuid"

	"github.com/landfallhq/tracking"
)

// incoming is where blobs are written.
const incoming = "incoming"

// Blobs is a tracking.Blobs in a directory. Several processes may share it.
type Blobs struct{ root *os.Root }

// Open opens the directory, and makes it, for its owner alone, when it is not
// there.
func Open(name string) (*Blobs, error) {
	if err := os.MkdirAll(name, 0o700); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	if err := makeFolder(root, incoming); err != nil {
		return nil, errors.Join(err, root.Close())
	}
	return &Blobs{root}, nil
}

// Close releases the directory.
func (b *Blobs) Close() error { return b.root.Close() }

func folderOf(key tracking.BlobKey) string {
	id := key.ID.String()
	return path.Join(key.Account.String(), id[len(id)-2:])
}

func nameOf(key tracking.BlobKey) string { return path.Join(folderOf(key), key.ID.String()) }

// makeFolder makes a folder that is there after a power cut.
func makeFolder(root *os.Root, name string) error {
	err := root.Mkdir(name, 0o700)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return syncFolder(root, path.Dir(name))
}

func syncFolder(root *os.Root, name string) error {
	folder, err := root.Open(name)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}

// Put is that of tracking.Blobs. A disk that is full or read-only is
// tracking.ErrUnavailable.
func (b *Blobs) Put(ctx context.Context, key tracking.BlobKey, r io.Reader) error {
	from := &source{Reader: r}
	err := b.put(ctx, key, from)
	if from.err != nil || ctx.Err() != nil {
		return err
	}
	return unavailable(err)
}

// source remembers what its reader failed with, to be told from faults of the disk.
type source struct {
	io.Reader
	err error
}

func (s *source) Read(p []byte) (int, error) {
	n, err := s.Reader.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		s.err = err
	}
	return n, err
}

// unavailable marks what the system failed with: it may pass.
func unavailable(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%w: blobs: %w", tracking.ErrUnavailable, err)
}

// Ready is that of tracking.ReadyBlobs: it writes a file as large as a small
// document's, and removes it.
func (b *Blobs) Ready(ctx context.Context) error {
	temporary := path.Join(incoming, rand.Text())
	err := b.write(ctx, temporary, bytes.NewReader(make([]byte, 32<<10)))
	return unavailable(errors.Join(err, gone(b.root.Remove(temporary))))
}

func (b *Blobs) put(ctx context.Context, key tracking.BlobKey, r io.Reader) error {
	temporary := path.Join(incoming, rand.Text())
	if err := b.write(ctx, temporary, r); err != nil {
		return errors.Join(err, gone(b.root.Remove(temporary)))
	}
	if err := b.makeFolders(key); err != nil {
		return errors.Join(err, b.root.Remove(temporary))
	}
	if err := b.root.Rename(temporary, nameOf(key)); err != nil {
		return errors.Join(err, b.root.Remove(temporary))
	}
	return syncFolder(b.root, folderOf(key))
}

// makeFolders makes what the file of a key lies in.
func (b *Blobs) makeFolders(key tracking.BlobKey) error {
	folder := folderOf(key)
	return errors.Join(makeFolder(b.root, path.Dir(folder)), makeFolder(b.root, folder))
}

func gone(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

func (b *Blobs) write(ctx context.Context, name string, r io.Reader) error {
	file, err := b.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(file, r)
	if err == nil {
		err = ctx.Err()
	}
	if err == nil {
		err = file.Sync()
	}
	return errors.Join(err, file.Close())
}

// blob is an open file.
type blob struct {
	*os.File
	size int64
}

func (b *blob) Size() int64 { return b.size }

// Open is that of tracking.Blobs.
func (b *Blobs) Open(_ context.Context, key tracking.BlobKey) (tracking.Blob, error) {
	file, err := b.root.Open(nameOf(key))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, tracking.ErrNotFound
	}
	if err != nil {
		return nil, unavailable(err)
	}
	info, err := file.Stat()
	if err != nil {
		return nil, unavailable(errors.Join(err, file.Close()))
	}
	return &blob{file, info.Size()}, nil
}

// Delete is that of tracking.Blobs.
func (b *Blobs) Delete(_ context.Context, key tracking.BlobKey) error {
	return unavailable(gone(b.root.Remove(nameOf(key))))
}

// Sweep is that of tracking.Blobs. Files that are no blobs are left alone, and
// folders of others (lost+found) are not looked into: they may be closed to us.
func (b *Blobs) Sweep(ctx context.Context, before time.Time, keep func(tracking.BlobKey) (bool, error)) (removed int, err error) {
	err = fs.WalkDir(b.root.FS(), ".", func(name string, e fs.DirEntry, err error) error {
		if e != nil && e.IsDir() && isForeign(name) {
			return fs.SkipDir
		}
		if err = errors.Join(gone(err), ctx.Err()); err != nil || e == nil || e.IsDir() {
			return err
		}
		info, err := e.Info()
		if err != nil || !info.ModTime().Before(before) {
			return gone(err)
		}
		kept, err := keepFile(name, keep)
		if err != nil || kept {
			return err
		}
		removed++
		return gone(b.root.Remove(name))
	})
	return removed, err
}

// isForeign reports whether a folder is at the top, and no account's.
func isForeign(name string) bool {
	_, err := uuid.Parse(name)
	return err != nil && name != "." && name != incoming && path.Dir(name) == "."
}

// keepFile says whether a file is to stay: what was being put before the time is
// not, and what is no blob is not ours.
func keepFile(name string, keep func(tracking.BlobKey) (bool, error)) (bool, error) {
	if path.Dir(name) == incoming {
		return false, nil
	}
	key, ok := keyOf(name)
	if !ok {
		return true, nil // it is somebody else's file
	}
	return keep(key)
}

// keyOf is the key of the blob in a file. ok: there is one.
func keyOf(name string) (key tracking.BlobKey, ok bool) {
	account, err := uuid.Parse(path.Dir(path.Dir(name)))
	if err != nil {
		return key, false
	}
	key.Account = tracking.AccountID(account)
	key.ID, err = uuid.Parse(path.Base(name))
	return key, err == nil && nameOf(key) == name
}
