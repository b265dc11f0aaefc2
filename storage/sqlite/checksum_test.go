//go:build cgo

package sqlite

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/landfallhq/tracking/store"
)

// isDamage reports whether an error says that a record is damaged.
func isDamage(err error) bool {
	return err != nil && strings.Contains(err.Error(), "is damaged: its checksum")
}

// A document whose text has changed on the disk is not shown as it is, and is replaced
// or deleted as a whole.
func TestDamagedDocumentIsNotRead(t *testing.T) {
	for _, cache := range []int64{0, 1 << 20} {
		s := openWith(t, filepath.Join(t.TempDir(), "landfall.db"), Options{CacheBytes: cache})
		mustPut(t, s, ann, 1, 2, 3)
		execSQL(t, s.Path(), "UPDATE r_note SET doc = x'7b226e223a397d' WHERE id <> x'03000000000000000000000000000000'") // {"n":9}
		for name, read := range map[string]func(store.RecordTx) error{
			"get": func(tx store.RecordTx) error { _, err := tx.Get(ctx, note, store.ID{1}); return err },
			"many": func(tx store.RecordTx) error {
				_, err := tx.GetMany(ctx, note, []store.ID{{3}, {1}}, nil)
				return err
			},
			"list": func(tx store.RecordTx) error {
				_, _, err := tx.List(ctx, note, store.Filter{}, store.Page{}, nil)
				return err
			},
		} {
			if err := s.View(ctx, ann, read); !isDamage(err) {
				t.Errorf("%s in a view with a cache of %d: %v", name, cache, err)
			}
			if err := s.Update(ctx, ann, read); !isDamage(err) {
				t.Errorf("%s in an update: %v", name, err)
			}
		}
		if err := put(ctx, s, ann, 1); err != nil {
			t.Fatal(err)
		}
		err := s.Update(ctx, ann, func(tx store.RecordTx) error { return tx.Delete(ctx, note, store.ID{2}) })
		if err != nil {
			t.Fatal(err)
		}
		if n := count(t, s, ann); n != 2 {
			t.Errorf("%d records can be read", n)
		}
	}
}

func TestCheckComparesChecksums(t *testing.T) {
	s := leaves(t)
	// Each is valid, and agrees with columns and terms.
	execSQL(t, s.Path(), `UPDATE r_leaf SET doc = CAST(replace(CAST(doc AS TEXT), '"type"', ' "type"') AS BLOB) WHERE rid = (1 << 40) + 3`)
	execSQL(t, s.Path(), `UPDATE r_leaf SET private = x'00' WHERE rid = (2 << 40) + 505`)
	l := look(t, s, true)
	if l.Problems != 2 || l.Repaired != 0 || l.WithoutChecksum != 0 {
		t.Errorf("%+v", l)
	}
	for _, line := range l.lines {
		if !strings.HasPrefix(line, "leaf ") || !strings.Contains(line, "they have another checksum") {
			t.Error(line)
		}
	}
}

// A file from before the checksums is read as it is, gets them in the background, and
// may be written by the older program meanwhile.
func TestFileFromBeforeChecksums(t *testing.T) {
	s := leaves(t)
	path := s.Path()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	execSQL(t, path, "ALTER TABLE r_leaf DROP COLUMN checksum; ALTER TABLE r_note DROP COLUMN checksum")
	s = openAt(t, path)
	if err := s.Prepare(ctx, []*store.Kind{note, leaf}); err != nil {
		t.Fatal(err)
	}
	const records = 2 * (checkBatch + 10)
	if l := look(t, s, false); l.Problems != 0 || l.WithoutChecksum != records {
		t.Errorf("at first: %+v", l)
	}
	err := s.View(ctx, ann, func(tx store.RecordTx) error {
		list, _, err := tx.List(ctx, leaf, store.Filter{}, store.Page{}, nil)
		if err == nil && len(list) != records/2 {
			err = fmt.Errorf("%d records", len(list))
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	for more := true; more; {
		var err error
		if more, err = s.Maintain(ctx); err != nil {
			t.Fatal(err)
		}
	}
	if l := look(t, s, false); l.Problems != 0 || l.WithoutChecksum != 0 {
		t.Errorf("after the maintenance: %+v", l)
	}
	// The older program raises the version, or changes the revision.
	execSQL(t, path, `UPDATE r_leaf SET version = version + 1, doc = CAST(replace(CAST(doc AS TEXT), '"type"', ' "type"') AS BLOB) WHERE rid = (1 << 40) + 3`)
	if l := look(t, s, false); l.Problems != 0 || l.WithoutChecksum != 1 {
		t.Errorf("written by an older program: %+v", l)
	}
	if more, err := s.Maintain(ctx); more || err != nil {
		t.Errorf("there is more to do: %v", err)
	}
}

// A file that has lost its content is not taken for a new one.
func TestLostFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "landfall.db")
	for name, words := range map[string]string{path: "it is empty (0 bytes)", path + "-wal": "its WAL"} {
		content := ""
		if name != path {
			content = "anything"
		}
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if s, err := Open(path, Options{}); err == nil || !strings.Contains(err.Error(), words) || !strings.Contains(err.Error(), "restore") {
			t.Errorf("%s: %v", name, err)
			s.Close()
		}
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
	s, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Size() == 0 || info.Mode().Perm() != 0o600 {
		t.Errorf("a new file: %v %v", info, err)
	}
}

// BenchmarkChecksum is the checksum of a record of 2 KB.
func BenchmarkChecksum(b *testing.B) {
	w := benchWrite(store.ID{1}, 1)
	b.SetBytes(int64(len(w.Doc)))
	for b.Loop() {
		newChecksum(w.ID[:], 1, note.Revision, nil, w.Doc)
	}
}
