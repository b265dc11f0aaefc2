// Package dir stores document files in a directory, one file for each blob:
//
//	blobs/0197.../4c/019a...   account, last two digits of the ID, ID
//	blobs/incoming/...         unfinished blobs
//
// A blob is written under incoming, synced, and renamed to its place, whose folder
// is synced too: after a power cut it exists completely or not at all. Names are
// IDs that the engine generates; no path can lead out of the directory (os.Root).
package dir

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path"
	"path/filepath"
	"time"

	"github.com/google/uuid"

	"github.com/landfallhq/tracking"
)

// incoming is where blobs are written.
const incoming = "incoming"

// Blobs is a tracking.Blobs in a directory. Several processes can share it.
type Blobs struct{ root *os.Root }

// Open opens the directory. If there is none, it creates one that only its owner
// can use.
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

// makeFolder creates a folder that survives a power cut.
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

// Put implements tracking.Blobs. If the disk is full or read-only, the error is
// tracking.ErrUnavailable.
func (b *Blobs) Put(ctx context.Context, key tracking.BlobKey, r io.Reader) error {
	from := &trackedReader{Reader: r}
	err := b.put(ctx, key, from)
	if from.err != nil || ctx.Err() != nil {
		return err
	}
	return unavailable(err)
}

// trackedReader remembers the error of its reader, to distinguish it from disk
// errors.
type trackedReader struct {
	io.Reader
	err error
}

func (s *trackedReader) Read(p []byte) (int, error) {
	n, err := s.Reader.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		s.err = err
	}
	return n, err
}

// unavailable marks a system error as temporary.
func unavailable(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%w: blobs: %w", tracking.ErrUnavailable, err)
}

// Ready implements tracking.ReadyBlobs: it writes a file of the size of a small
// document, and removes it.
func (b *Blobs) Ready(ctx context.Context) error {
	temporary := path.Join(incoming, rand.Text())
	err := b.write(ctx, temporary, bytes.NewReader(make([]byte, 32<<10)))
	return unavailable(errors.Join(err, ignoreNotExist(b.root.Remove(temporary))))
}

func (b *Blobs) put(ctx context.Context, key tracking.BlobKey, r io.Reader) error {
	temporary := path.Join(incoming, rand.Text())
	if err := b.write(ctx, temporary, r); err != nil {
		return errors.Join(err, ignoreNotExist(b.root.Remove(temporary)))
	}
	if err := b.makeFolders(key); err != nil {
		return errors.Join(err, b.root.Remove(temporary))
	}
	if err := b.root.Rename(temporary, nameOf(key)); err != nil {
		return errors.Join(err, b.root.Remove(temporary))
	}
	return syncFolder(b.root, folderOf(key))
}

// makeFolders creates the folders for the file of a key.
func (b *Blobs) makeFolders(key tracking.BlobKey) error {
	folder := folderOf(key)
	return errors.Join(makeFolder(b.root, path.Dir(folder)), makeFolder(b.root, folder))
}

func ignoreNotExist(err error) error {
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

// Open implements tracking.Blobs.
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

// Delete implements tracking.Blobs.
func (b *Blobs) Delete(_ context.Context, key tracking.BlobKey) error {
	return unavailable(ignoreNotExist(b.root.Remove(nameOf(key))))
}

// DeleteAccount implements tracking.AccountBlobs.
func (b *Blobs) DeleteAccount(_ context.Context, a tracking.AccountID) error {
	return unavailable(errors.Join(b.root.RemoveAll(a.String()), syncFolder(b.root, ".")))
}

// Sweep implements tracking.Blobs. It leaves other files alone, and does not enter
// other folders (lost+found), which may be unreadable.
func (b *Blobs) Sweep(ctx context.Context, before time.Time, keep func(tracking.BlobKey) (bool, error)) (removed int, err error) {
	err = fs.WalkDir(b.root.FS(), ".", func(name string, e fs.DirEntry, err error) error {
		if e != nil && e.IsDir() && isForeign(name) {
			return fs.SkipDir
		}
		if err = errors.Join(ignoreNotExist(err), ctx.Err()); err != nil || e == nil || e.IsDir() {
			return err
		}
		info, err := e.Info()
		if err != nil || !info.ModTime().Before(before) {
			return ignoreNotExist(err)
		}
		kept, err := shouldKeep(name, keep)
		if err != nil || kept {
			return err
		}
		removed++
		return ignoreNotExist(b.root.Remove(name))
	})
	return removed, err
}

// Keys implements tracking.ListedBlobs.
func (b *Blobs) Keys(ctx context.Context) iter.Seq2[tracking.BlobKey, error] {
	return func(yield func(tracking.BlobKey, error) bool) {
		err := fs.WalkDir(b.root.FS(), ".", func(name string, e fs.DirEntry, err error) error {
			if e != nil && e.IsDir() && isForeign(name) {
				return fs.SkipDir
			}
			if err = errors.Join(ignoreNotExist(err), ctx.Err()); err != nil || e == nil || !e.Type().IsRegular() {
				return err
			}
			if key, ok := keyOf(name); ok && !yield(key, nil) {
				return fs.SkipAll
			}
			return nil
		})
		if err != nil {
			yield(tracking.BlobKey{}, unavailable(err))
		}
	}
}

// isForeign reports whether a folder is at the top and does not belong to an
// account.
func isForeign(name string) bool {
	_, err := uuid.Parse(name)
	return err != nil && name != "." && name != incoming && path.Dir(name) == "."
}

// shouldKeep reports whether a file stays: unfinished blobs are removed, and other
// files are not ours.
func shouldKeep(name string, keep func(tracking.BlobKey) (bool, error)) (bool, error) {
	if path.Dir(name) == incoming {
		return false, nil
	}
	key, ok := keyOf(name)
	if !ok {
		return true, nil // not ours
	}
	return keep(key)
}

// keyOf returns the key of the blob in a file; ok is false if it is not a blob.
func keyOf(name string) (key tracking.BlobKey, ok bool) {
	account, err := uuid.Parse(path.Dir(path.Dir(name)))
	if err != nil {
		return key, false
	}
	key.Account = tracking.AccountID(account)
	key.ID, err = uuid.Parse(path.Base(name))
	return key, err == nil && nameOf(key) == name
}

// CopyTo copies the blobs that another directory does not have, and returns how
// many it copied. The copies survive a crash of the machine. Blobs can be put and
// removed meanwhile; some of these are copied. Blobs never change, so if both
// directories are on a file system with hard links, CopyTo creates links, which
// take no space.
func (b *Blobs) CopyTo(ctx context.Context, to *Blobs) (copied int, err error) {
	linked := map[string]bool{} // folders
	err = fs.WalkDir(b.root.FS(), ".", func(name string, e fs.DirEntry, err error) error {
		if e != nil && e.IsDir() && isForeign(name) {
			return fs.SkipDir
		}
		if err = errors.Join(ignoreNotExist(err), ctx.Err()); err != nil || e == nil || !e.Type().IsRegular() {
			return err
		}
		key, ok := keyOf(name)
		if !ok {
			return nil
		}
		if _, err := to.root.Lstat(name); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if err := to.makeFolders(key); err != nil {
			return err
		}
		if b.link(to, name) == nil {
			linked[path.Dir(name)] = true
			copied++
			return nil
		}
		exists, err := b.copy(ctx, to, key)
		if exists {
			copied++
		}
		return err
	})
	for folder := range linked {
		err = errors.Join(err, syncFolder(to.root, folder))
	}
	return copied, err
}

var hardLink = os.Link // replaced by tests

// link creates a hard link in another directory.
func (b *Blobs) link(to *Blobs, name string) error {
	name = filepath.FromSlash(name)
	return hardLink(filepath.Join(b.root.Name(), name), filepath.Join(to.root.Name(), name))
}

// copy copies a file. exists is false if it was removed meanwhile.
func (b *Blobs) copy(ctx context.Context, to *Blobs, key tracking.BlobKey) (there bool, err error) {
	from, err := b.Open(ctx, key)
	if errors.Is(err, tracking.ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	err = to.Put(ctx, key, io.NewSectionReader(from, 0, from.Size()))
	return true, errors.Join(err, from.Close())
}
