package dir

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/landfallhq/tracking"
)

// CopyTo brings the blobs to another directory that are not there yet, and returns
// how many it brought. They survive a crash of the machine then. Others may put and
// remove blobs meanwhile; of those some are brought. Blobs never change once they
// are put, so where both directories are on one file system that knows hard links,
// these are used and take no space.
func (b *Blobs) CopyTo(ctx context.Context, to *Blobs) (brought int, err error) {
	linked := map[string]bool{} // folders
	err = fs.WalkDir(b.root.FS(), ".", func(name string, e fs.DirEntry, err error) error {
		if e != nil && e.IsDir() && isForeign(name) {
			return fs.SkipDir
		}
		if err = errors.Join(gone(err), ctx.Err()); err != nil || e == nil || !e.Type().IsRegular() {
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
			brought++
			return nil
		}
		there, err := b.copy(ctx, to, key)
		if there {
			brought++
		}
		return err
	})
	for folder := range linked {
		err = errors.Join(err, syncFolder(to.root, folder))
	}
	return brought, err
}

var hardLink = os.Link // tests have it fail

// link gives a file another name, in another directory.
func (b *Blobs) link(to *Blobs, name string) error {
	name = filepath.FromSlash(name)
	return hardLink(filepath.Join(b.root.Name(), name), filepath.Join(to.root.Name(), name))
}

// copy copies the bytes. there: they had not been removed meanwhile.
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
