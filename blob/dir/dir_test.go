package dir_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/blob/blobtest"
	"github.com/landfallhq/tracking/blob/dir"
)

func open(t *testing.T, name string) *dir.Blobs {
	t.Helper()
	b, err := dir.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	return b
}

func TestContract(t *testing.T) {
	blobtest.Run(t, func(t *testing.T) tracking.Blobs { return open(t, filepath.Join(t.TempDir(), "blobs")) })
}

// Files of a process that was killed during Put are removed by the sweep; other
// files stay.
func TestSweepOfWhatIsNoBlob(t *testing.T) {
	name := t.TempDir()
	b := open(t, name)
	for _, file := range []string{"incoming/ABC", "notes.txt", "lost+found/x"} {
		file = filepath.Join(name, file)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	n, err := b.Sweep(t.Context(), time.Now().Add(time.Hour), func(key tracking.BlobKey) (bool, error) {
		t.Errorf("asked about %v", key)
		return true, nil
	})
	if n != 1 || err != nil {
		t.Errorf("%d removed, %v; want what was incoming", n, err)
	}
}

// An unreadable foreign folder does not end the sweep.
func TestSweepBesideClosedFolder(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("nothing is closed to the superuser")
	}
	name := t.TempDir()
	b := open(t, name)
	if err := os.Mkdir(filepath.Join(name, "a-closed-folder"), 0); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(name, "incoming", "ABC"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	n, err := b.Sweep(t.Context(), time.Now().Add(time.Hour), func(tracking.BlobKey) (bool, error) { return true, nil })
	if n != 1 || err != nil {
		t.Errorf("%d removed, %v; want what was incoming", n, err)
	}
}

// Only the owner can read blobs, and a link out of the directory is not followed.
func TestOnlyWithin(t *testing.T) {
	name := filepath.Join(t.TempDir(), "blobs")
	b, key := open(t, name), blobtest.Key()
	if err := b.Put(t.Context(), key, bytes.NewReader([]byte("x"))); err != nil {
		t.Fatal(err)
	}
	err := filepath.WalkDir(name, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err == nil && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s is %s", path, info.Mode())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	outside, other := t.TempDir(), blobtest.Key()
	if err := os.Symlink(outside, filepath.Join(name, other.Account.String())); err != nil {
		t.Skipf("no links here: %v", err)
	}
	if err := b.Put(t.Context(), other, bytes.NewReader([]byte("x"))); err == nil {
		t.Error("a blob was put outside the directory")
	}
}

func Example() {
	name, err := os.MkdirTemp("", "blobs")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(name)
	blobs, err := dir.Open(name)
	if err != nil {
		fmt.Println(err)
		return
	}
	key := tracking.BlobKey{ID: tracking.ID{15: 0x4c}}
	fmt.Println(blobs.Put(context.Background(), key, bytes.NewReader([]byte("%PDF-1.7"))), blobs.Close())
	_, err = os.Stat(filepath.Join(name, "00000000-0000-0000-0000-000000000000", "4c", key.ID.String()))
	fmt.Println(err)
	// Output:
	// <nil> <nil>
	// <nil>
}

// A copy has exactly the blobs, and keeps them when they are removed; new blobs are
// copied by the next call.
func TestCopyTo(t *testing.T) {
	for name, links := range map[string]bool{"with hard links": true, "without": false} {
		t.Run(name, func(t *testing.T) {
			if !links {
				dir.WithoutLinks(t)
			}
			one, other := t.TempDir(), filepath.Join(t.TempDir(), "copy")
			from, to := open(t, one), open(t, other)
			put := func(key tracking.BlobKey) tracking.BlobKey {
				if err := from.Put(t.Context(), key, strings.NewReader(key.ID.String())); err != nil {
					t.Fatal(err)
				}
				return key
			}
			bring := func(want int) {
				t.Helper()
				if n, err := from.CopyTo(t.Context(), to); n != want || err != nil {
					t.Errorf("%d brought, %v; want %d", n, err, want)
				}
			}
			keys := []tracking.BlobKey{put(blobtest.Key()), put(blobtest.Key())}
			for _, file := range []string{"incoming/ABC", "notes.txt", "lost+found/x"} {
				file = filepath.Join(one, file)
				if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte("x"), 0o600)); err != nil {
					t.Fatal(err)
				}
			}
			bring(2)
			bring(0)
			keys = append(keys, put(tracking.BlobKey{Account: keys[0].Account, ID: blobtest.Key().ID}))
			bring(1)
			for _, key := range keys {
				if linked := sameFile(t, one, other, key); linked != links {
					t.Errorf("%v is the same file: %v", key, linked)
				}
				if err := from.Delete(t.Context(), key); err != nil {
					t.Fatal(err)
				}
				if got := string(blobtest.Read(t, to, key)); got != key.ID.String() {
					t.Errorf("%v is %q in the copy", key, got)
				}
			}
			for _, file := range []string{"incoming/ABC", "notes.txt", "lost+found"} {
				if _, err := os.Stat(filepath.Join(other, file)); !errors.Is(err, fs.ErrNotExist) {
					t.Errorf("%s is in the copy: %v", file, err)
				}
			}
			ended, end := context.WithCancel(t.Context())
			end()
			if n, err := from.CopyTo(ended, to); n != 0 || !errors.Is(err, context.Canceled) {
				t.Errorf("cancelled: %d, %v", n, err)
			}
		})
	}
}

func sameFile(t *testing.T, one, other string, key tracking.BlobKey) bool {
	t.Helper()
	id := key.ID.String()
	name := filepath.Join(key.Account.String(), id[len(id)-2:], id)
	a, err := os.Stat(filepath.Join(one, name))
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.Stat(filepath.Join(other, name))
	if err != nil {
		t.Fatal(err)
	}
	return os.SameFile(a, b)
}

// An unwritable directory is ErrUnavailable, and an error of the sender is not.
func TestUnavailable(t *testing.T) {
	name := filepath.Join(t.TempDir(), "blobs")
	b := open(t, name)
	key := tracking.BlobKey{ID: tracking.ID{1}}
	if err := b.Ready(t.Context()); err != nil {
		t.Errorf("ready: %v", err)
	}
	cut := errors.New("the sender is gone")
	if err := b.Put(t.Context(), key, io.MultiReader(strings.NewReader("abc"), iotest.ErrReader(cut))); !errors.Is(err, cut) || errors.Is(err, tracking.ErrUnavailable) {
		t.Errorf("a sender that is gone: %v", err)
	}
	if left, err := os.ReadDir(filepath.Join(name, "incoming")); err != nil || len(left) > 0 {
		t.Errorf("%v is left, %v", left, err)
	}
	if err := os.Remove(filepath.Join(name, "incoming")); err != nil {
		t.Fatal(err)
	}
	if err := b.Put(t.Context(), key, strings.NewReader("abc")); !errors.Is(err, tracking.ErrUnavailable) {
		t.Errorf("Put: %v", err)
	}
	if err := b.Ready(t.Context()); !errors.Is(err, tracking.ErrUnavailable) {
		t.Errorf("Ready: %v", err)
	}
}
