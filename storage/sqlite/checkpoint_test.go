//go:build cgo

package sqlite

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/landfallhq/tracking/store"
)

// logSize returns the size of the file of the log.
func logSize(t testing.TB, s *Store) int64 {
	t.Helper()
	info, err := os.Stat(s.file + "-wal")
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}

// withLog returns a store with a short log, whose checkpoints the test runs.
func withLog(t testing.TB, opts Options) *Store {
	t.Helper()
	opts.Readers, opts.noCheckpoints = 2, true
	opts.checkpointEvery, opts.restartAt = 100<<10, 400<<10
	return openWith(t, filepath.Join(t.TempDir(), "test.db"), opts)
}

// putLarge writes some 50 KB to the log, into one of ten records.
func putLarge(s *Store, i int) error {
	return s.Update(ctx, ann, func(tx store.RecordTx) error {
		w := write(byte(i % 10))
		w.Doc = bytes.Repeat([]byte{byte(i)}, 50<<10)
		_, err := tx.Put(ctx, note, w)
		return err
	})
}

// checkpointIfWoken does what the goroutine does.
func checkpointIfWoken(t testing.TB, s *Store) {
	t.Helper()
	select {
	case <-s.log.wake:
		if _, err := s.checkpoint(); err != nil {
			t.Fatal(err)
		}
	default:
	}
}

func TestLogStaysShort(t *testing.T) {
	r := &statements{}
	s := withLog(t, Options{harness: harness{statement: r.before}})
	for i := range 200 {
		if err := putLarge(s, i); err != nil {
			t.Fatal(err)
		}
		checkpointIfWoken(t, s)
		// There is always a view, but none is long.
		if n := count(t, s, ann); n == 0 {
			t.Fatal("no records")
		}
	}
	if size, most := logSize(t, s), s.opts.restartAt+2*s.opts.checkpointEvery; size > most {
		t.Errorf("the log has %d bytes, more than %d", size, most)
	}
	for _, sql := range r.seen {
		if strings.Contains(sql, "checkpoint") {
			t.Errorf("the writer runs %s", sql)
		}
	}
}

// TestCommitsDoNotCheckpoint writes much more than SQLite would leave in the log by
// default.
func TestCommitsDoNotCheckpoint(t *testing.T) {
	s := withLog(t, Options{})
	for i := range 400 {
		if err := putLarge(s, i); err != nil {
			t.Fatal(err)
		}
	}
	withWriter(t, s, func(c *conn) {
		log, err := c.readLogState(s)
		if err != nil {
			t.Fatal(err)
		}
		if log.size < 1000*s.pageSize || log.copied != 0 {
			t.Errorf("%+v: a commit has copied", log)
		}
	})
	if n := s.log.runs.Load(); n != 0 {
		t.Errorf("%d checkpoints", n)
	}
}

// TestLongView keeps a view open while others write. Updates succeed until the log
// reaches MaxLog; when the view ends, the file shrinks.
func TestLongView(t *testing.T) {
	for _, helped := range []bool{true, false} {
		s := withLog(t, Options{MaxLog: 2 << 20, harness: harness{busyTimeout: 1}})
		if err := putLarge(s, 0); err != nil {
			t.Fatal(err)
		}
		err := s.View(ctx, ann, func(tx store.RecordTx) error {
			before, err := tx.Get(ctx, note, store.ID{0})
			if err != nil {
				return err
			}
			n := 0
			for n = 1; n < 100 && err == nil; n++ {
				err = putLarge(s, n)
				checkpointIfWoken(t, s)
			}
			if !errors.Is(err, store.ErrUnavailable) || !strings.Contains(err.Error(), "a long view") || n < 10 {
				t.Errorf("error %v after %d updates", err, n)
			}
			if size := logSize(t, s); size < 2<<20 || size > 2<<20+200<<10 {
				t.Errorf("the log has %d bytes", size)
			}
			if again, err := s.checkpoint(); !again || err != nil {
				t.Errorf("checkpoint: %t, %v", again, err)
			}
			after, err := tx.Get(ctx, note, store.ID{0})
			if !bytes.Equal(before.Doc, after.Doc) {
				t.Error("the view has changed")
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if helped {
			if again, err := s.checkpoint(); again || err != nil {
				t.Errorf("checkpoint: %t, %v", again, err)
			}
			if size := logSize(t, s); size != 0 {
				t.Errorf("the log has %d bytes after the view", size)
			}
		}
		if err := putLarge(s, 0); err != nil {
			t.Error(err)
		}
		if size := logSize(t, s); size > 200<<10 {
			t.Errorf("the log has %d bytes at the end", size)
		}
	}
}

// TestViewOfTheEnd keeps a view open that needs only the end of the log: the log
// can be copied, but not restarted.
func TestViewOfTheEnd(t *testing.T) {
	s := withLog(t, Options{})
	for i := range 10 {
		if err := putLarge(s, i); err != nil {
			t.Fatal(err)
		}
	}
	err := s.View(ctx, ann, func(tx store.RecordTx) error {
		if _, err := tx.Get(ctx, note, store.ID{0}); err != nil {
			return err
		}
		if again, err := s.checkpoint(); !again || err != nil {
			t.Errorf("checkpoint: %t, %v", again, err)
		}
		return putLarge(s, 0) // writers go on
	})
	if err != nil {
		t.Fatal(err)
	}
	if again, err := s.checkpoint(); again || err != nil {
		t.Errorf("checkpoint: %t, %v", again, err)
	}
}

// TestCheckpointer runs the goroutine.
func TestCheckpointer(t *testing.T) {
	s := openWith(t, filepath.Join(t.TempDir(), "test.db"), Options{harness: harness{checkpointEvery: 100 << 10, restartAt: 400 << 10}})
	end := time.Now().Add(time.Minute)
	for i := 0; s.log.runs.Load() < 3; i++ {
		if err := putLarge(s, i); err != nil {
			t.Fatal(err)
		}
		if time.Now().After(end) {
			t.Fatal("no checkpoint")
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if files, _ := filepath.Glob(s.file + "*"); len(files) != 1 {
		t.Errorf("files %q after Close", files)
	}
}
