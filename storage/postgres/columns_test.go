package postgres_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/landfallhq/tracking/internal/postgrestest"
	"github.com/landfallhq/tracking/storage/postgres"
	"github.com/landfallhq/tracking/store"
)

// sized are notes with a column for their size, which the later kind note has lost.
var sized = &store.Kind{Name: "note", Revision: "0", Columns: []store.Column{{Name: "text", Type: store.TextColumn}, {Name: "size", Type: store.IntColumn, Counted: true}},
	Render: func(r store.Record) (store.Write, error) {
		return store.Write{ID: r.ID, Doc: r.Doc, Cols: []any{"", int64(len(r.Doc))}}, nil
	}}

func withSize(id byte, text string) store.Write {
	w := write(id, text)
	w.Cols = append(w.Cols, int64(len(w.Doc)))
	return w
}

// wantSized checks how many notes of a size the older program finds.
func wantSized(t *testing.T, s store.Store, text string, want int) {
	t.Helper()
	size := int64(len(withSize(0, text).Doc))
	err := s.View(ctx, ann, func(tx store.RecordTx) error {
		f := store.Filter{Where: []store.Cond{{Name: "size", Op: store.Is, Values: []any{size}}}}
		list, total, err := tx.List(ctx, sized, f, store.Page{Number: 1, Size: 10}, nil)
		if err == nil && (len(list) != want || total != want) {
			t.Errorf("%d notes as long as %q, a total of %d; want %d", len(list), text, total, want)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func beat(t *testing.T, s store.Store, id byte, revision string) {
	t.Helper()
	if _, err := s.Beat(ctx, store.Node{ID: store.ID{id}, Revisions: map[string]string{"note": revision}}, time.Hour); err != nil {
		t.Fatal(err)
	}
}

func maintain(t *testing.T, s *postgres.Store) {
	t.Helper()
	if more, err := s.Maintain(ctx); err != nil || more {
		t.Fatalf("more %v, error %v", more, err)
	}
}

// hasColumn reports whether the table of notes has the column for the size.
func hasColumn(t *testing.T, url string) (has bool) {
	t.Helper()
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	err = conn.QueryRow(ctx, "SELECT EXISTS (SELECT 1 FROM pg_attribute WHERE attrelid = 'r_note'::regclass AND attname = 'c_size' AND NOT attisdropped)").Scan(&has)
	if err != nil {
		t.Fatal(err)
	}
	return has
}

// TestLostColumns: a column that the newer program has lost stays while a node of the older
// one runs, which finds all records by it, also those of the newer program. Then it is
// removed.
func TestLostColumns(t *testing.T) {
	t.Parallel()
	url := postgrestest.Shared(t).Schema(t)
	older, newer := open(t, url), open(t, url)
	if err := older.Prepare(ctx, []*store.Kind{sized}); err != nil {
		t.Fatal(err)
	}
	if err := put(older, ann, sized, withSize(1, "a")); err != nil {
		t.Fatal(err)
	}
	beat(t, older, 1, sized.Revision)
	if err := newer.Prepare(ctx, []*store.Kind{note}); err != nil {
		t.Fatal(err)
	}
	beat(t, newer, 2, note.Revision)
	mustPut(t, newer, ann, 2, "b")
	mustPut(t, newer, ann, 3, "long")
	wantSized(t, older, "b", 2)
	wantSized(t, older, "long", 1)
	if err := put(older, ann, sized, withSize(1, "long")); err != nil {
		t.Error(err)
	}
	wantSized(t, older, "b", 1)
	wantSized(t, older, "long", 2)
	maintain(t, newer)
	if !hasColumn(t, url) {
		t.Fatal("the column was removed while a node uses it")
	}
	if err := newer.Update(ctx, ann, func(tx store.RecordTx) error { return tx.Delete(ctx, note, store.ID{3}) }); err != nil {
		t.Error(err)
	}
	wantSized(t, older, "long", 1)

	if err := older.Leave(ctx, store.ID{1}); err != nil {
		t.Fatal(err)
	}
	maintain(t, newer)
	if hasColumn(t, url) {
		t.Error("the column is there, and no node uses it")
	}
	mustPut(t, newer, ann, 4, "d")
	if err := put(older, ann, sized, withSize(5, "e")); err == nil || !strings.Contains(err.Error(), "not prepared") {
		t.Errorf("a write with the removed column: %v", err)
	}
	refused := new(store.NewerError)
	if err := older.Prepare(ctx, []*store.Kind{sized}); !errors.As(err, &refused) {
		t.Errorf("the older program starts again: %v", err)
	}
	maintain(t, newer)

	// The column comes back, with none of its former values.
	again := *sized
	again.Revision = "2"
	if err := newer.Prepare(ctx, []*store.Kind{&again}); err != nil {
		t.Fatal(err)
	}
	for id, text := range map[byte]string{1: "long", 2: "b"} {
		err := newer.View(ctx, ann, func(tx store.RecordTx) error {
			found, err := tx.Find(ctx, &again, store.Cond{Name: "size", Op: store.Is, Values: []any{int64(len(withSize(0, text).Doc))}}, 10)
			if len(found) == 0 || found[len(found)-1] != (store.ID{id}) {
				t.Errorf("notes as long as %q: %v", text, found)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
}

// TestChangedColumnsNeedARevision: another form of a kind in the same revision is refused.
func TestChangedColumnsNeedARevision(t *testing.T) {
	t.Parallel()
	s := openNotes(t, postgrestest.Shared(t).Schema(t))
	mustPut(t, s, ann, 1, "a")
	changed := *sized
	changed.Revision = note.Revision
	if err := s.Prepare(ctx, []*store.Kind{&changed}); err == nil || !strings.Contains(err.Error(), "needs a later revision") {
		t.Errorf("error %v", err)
	}
}

// TestMigrationsNameTheProgram: a program that is too old names the one that has migrated.
func TestMigrationsNameTheProgram(t *testing.T) {
	t.Parallel()
	url := postgrestest.Shared(t).Schema(t)
	openNotes(t, url).Close()
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	if _, err := conn.Exec(ctx, "INSERT INTO landfall_migrations (version, name, sha256, oldest, program) VALUES (99, '0099_next.sql', '', 99, 'v9.9.0')"); err != nil {
		t.Fatal(err)
	}
	_, err = postgres.Open(ctx, url, postgres.Options{})
	if err == nil || !strings.Contains(err.Error(), "use version v9.9.0 or a later one") {
		t.Errorf("error %v", err)
	}
}
