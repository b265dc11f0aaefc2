package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/landfallhq/tracking/internal/postgrestest"
	"github.com/landfallhq/tracking/storage"
	"github.com/landfallhq/tracking/storage/postgres"
	"github.com/landfallhq/tracking/store"
)

var (
	ctx  = context.Background()
	note = &store.Kind{Name: "note", Revision: "1", Columns: []store.Column{{Name: "text", Type: store.TextColumn}}}
	ann  = store.AccountID{1}
	ben  = store.AccountID{2}
)

// openNotes opens a store with the kind note.
func openNotes(t testing.TB, url string) *postgres.Store {
	t.Helper()
	s := open(t, url)
	if err := s.Prepare(ctx, []*store.Kind{note}); err != nil {
		t.Fatal(err)
	}
	return s
}

func write(id byte, text string) store.Write {
	return store.Write{ID: store.ID{id}, Doc: []byte(`{"text":` + fmt.Sprintf("%q", text) + `}`), Cols: []any{text}}
}

func put(s store.Store, a store.AccountID, k *store.Kind, w store.Write) error {
	return s.Update(ctx, a, func(tx store.RecordTx) error {
		_, err := tx.Put(ctx, k, w)
		return err
	})
}

func mustPut(t testing.TB, s store.Store, a store.AccountID, id byte, text string) {
	t.Helper()
	if err := put(s, a, note, write(id, text)); err != nil {
		t.Fatal(err)
	}
}

// token returns the change token of an account.
func token(t testing.TB, s store.Store, a store.AccountID) (n int64) {
	t.Helper()
	err := s.View(ctx, a, func(tx store.RecordTx) (err error) {
		n, _, err = tx.(store.ChangeTracker).ChangeToken(ctx)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestChangeToken: it changes with each change of records of the account, whichever store
// makes it, and with nothing else.
func TestChangeToken(t *testing.T) {
	url := postgrestest.Shared(t).Schema(t)
	one, two := openNotes(t, url), openNotes(t, url)
	if n := token(t, one, ann); n != 0 {
		t.Errorf("an account without records has the token %d", n)
	}
	mustPut(t, one, ann, 1, "a")
	last := token(t, one, ann)
	changed := func(what string, want bool) {
		t.Helper()
		now := token(t, one, ann)
		if (now != last) != want || now != token(t, two, ann) {
			t.Errorf("%s: token %d after %d, on the other store %d", what, now, last, token(t, two, ann))
		}
		last = now
	}
	mustPut(t, two, ann, 1, "b")
	changed("a write of the other store", true)
	mustPut(t, two, ann, 1, "b")
	changed("a write that changes nothing", false)
	mustPut(t, two, ben, 1, "c")
	changed("a write of another account", false)
	err := one.Update(ctx, ann, func(tx store.RecordTx) error { return tx.Enqueue(ctx, store.Job{ID: store.ID{1}, Kind: "work"}) })
	if err != nil {
		t.Fatal(err)
	}
	changed("a job", false)
	// A view that began before a change keeps its token.
	err = one.View(ctx, ann, func(tx store.RecordTx) error {
		if _, err := tx.Get(ctx, note, store.ID{1}); err != nil {
			return err
		}
		mustPut(t, two, ann, 1, "d")
		n, _, err := tx.(store.ChangeTracker).ChangeToken(ctx)
		if n != last {
			t.Errorf("the view has the token %d, and began with %d", n, last)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	changed("a write during a view", true)
}

// TestOlderProcess: after a newer program has prepared more columns, a store of an older one
// goes on writing, without being opened again or after it, and the totals of the new columns
// are right.
func TestOlderProcess(t *testing.T) {
	url := postgrestest.Shared(t).Schema(t)
	older, newer := openNotes(t, url), open(t, url)
	mustPut(t, older, ann, 1, "a")
	later := &store.Kind{Name: "note", Revision: "2", Columns: append([]store.Column{{Name: "size", Type: store.IntColumn, Counted: true}}, note.Columns...)}
	later.Render = func(r store.Record) (store.Write, error) {
		return store.Write{ID: r.ID, Doc: r.Doc, Cols: []any{int64(len(r.Doc)), "a"}}, nil
	}
	if err := newer.Prepare(ctx, []*store.Kind{later}); err != nil {
		t.Fatal(err)
	}
	if err := put(older, ann, note, write(1, "bb")); err != nil {
		t.Errorf("a changed record of the older program: %v", err)
	}
	if err := put(older, ann, note, write(4, "c")); err != nil {
		t.Errorf("a new record of the older program: %v", err)
	}
	if err := put(newer, ann, later, store.Write{ID: store.ID{2}, Doc: []byte("{}"), Cols: []any{int64(2), "b"}}); err != nil {
		t.Error(err)
	}
	refused := new(store.NewerError)
	if err := put(older, ann, note, write(2, "b")); !errors.As(err, &refused) {
		t.Errorf("a record of the newer program: %v", err)
	}
	restarted := open(t, url)
	if err := restarted.Prepare(ctx, []*store.Kind{note}); err != nil {
		t.Errorf("the older program starts again: %v", err)
	}
	// What the older program deletes is no longer counted by a column that it does not know.
	for i, s := range []*postgres.Store{older, restarted} {
		if err := s.Update(ctx, ann, func(tx store.RecordTx) error { return tx.Delete(ctx, note, store.ID{byte(i + 1)}) }); err != nil {
			t.Error(err)
		}
	}
	if err := put(newer, ann, later, store.Write{ID: store.ID{3}, Doc: []byte("{}"), Cols: []any{int64(2), "c"}}); err != nil {
		t.Error(err)
	}
	for size, want := range map[int64]int{2: 1, int64(len(`{"text":"c"}`)): 1, int64(len(`{"text":"bb"}`)): 0} {
		err := newer.View(ctx, ann, func(tx store.RecordTx) error {
			f := store.Filter{Where: []store.Cond{{Name: "size", Op: store.Is, Values: []any{size}}}}
			list, total, err := tx.List(ctx, later, f, store.Page{Number: 1, Size: 1}, nil)
			if total != want || len(list) != want {
				t.Errorf("%d records of size %d, and a total of %d", len(list), size, total)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
}

// TestPrepareAtOnce: several processes that start at once on an empty schema all succeed.
func TestPrepareAtOnce(t *testing.T) {
	url := postgrestest.Shared(t).Schema(t)
	var starting sync.WaitGroup
	for i := range 6 {
		starting.Go(func() {
			s, err := postgres.Open(ctx, url, postgres.Options{})
			if err != nil {
				t.Error(err)
				return
			}
			defer s.Close()
			if err := s.Prepare(ctx, []*store.Kind{note}); err != nil {
				t.Error(err)
				return
			}
			if err := put(s, ann, note, write(byte(i), "a")); err != nil {
				t.Error(err)
			}
		})
	}
	starting.Wait()
}

// TestLesserRole: a role that owns no table and has the rights of docs/scaling.md opens a
// store that its owner has prepared, and uses all of it.
func TestLesserRole(t *testing.T) {
	owner, name := postgrestest.Shared(t).Database(t)
	s := openNotes(t, owner)
	mustPut(t, s, ann, 1, "a")
	conn, err := pgx.Connect(ctx, owner)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	role := "server_" + name
	_, err = conn.Exec(ctx, strings.ReplaceAll(`CREATE ROLE $role LOGIN;
		GRANT USAGE ON SCHEMA public TO $role;
		GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO $role;
		GRANT USAGE, SELECT, UPDATE ON ALL SEQUENCES IN SCHEMA public TO $role`, "$role", role), pgx.QueryExecModeSimpleProtocol)
	if err != nil {
		t.Fatal(err)
	}
	served := openNotes(t, strings.Replace(owner, "user=landfall", "user="+role, 1))
	mustPut(t, served, ann, 1, "b")
	mustPut(t, served, ben, 2, "c")
	err = served.Update(ctx, ben, func(tx store.RecordTx) error { return tx.Enqueue(ctx, store.Job{ID: store.ID{1}, Kind: "work"}) })
	if err != nil {
		t.Fatal(err)
	}
	jobs, err := served.Claim(ctx, store.ClaimRequest{Kinds: []store.JobKind{"work"}, Now: time.Now(), Lease: time.Minute})
	if err != nil || len(jobs) != 1 {
		t.Errorf("claimed %v, %v", jobs, err)
	}
	if err := served.Prepare(ctx, []*store.Kind{{Name: "other", Revision: "1"}}); err == nil || !strings.Contains(err.Error(), "permission denied") {
		t.Errorf("a new table: %v", err)
	}
}

// TestReadOnly: a store that is open for reading changes nothing, and says what must be
// done first.
func TestReadOnly(t *testing.T) {
	url := postgrestest.Shared(t).Schema(t)
	look := func() (*postgres.Store, error) { return postgres.Open(ctx, url, postgres.Options{ReadOnly: true}) }
	if _, err := look(); !errors.Is(err, store.ErrReadOnly) || !strings.Contains(err.Error(), "0001_base.sql") {
		t.Errorf("an empty schema: %v", err)
	}
	if pending, err := postgres.Pending(ctx, url); err != nil || len(pending) == 0 || pending[0].Name != "0001_base.sql" || !strings.Contains(pending[0].SQL, "CREATE TABLE accounts") {
		t.Errorf("pending %v, %v", pending, err)
	}
	mustPut(t, openNotes(t, url), ann, 1, "a")
	if pending, err := postgres.Pending(ctx, url); err != nil || len(pending) > 0 {
		t.Errorf("pending %v, %v", pending, err)
	}
	s, err := look()
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.Prepare(ctx, []*store.Kind{note}); err != nil {
		t.Error(err)
	}
	if err := s.Prepare(ctx, []*store.Kind{{Name: "other", Revision: "1"}}); !errors.Is(err, store.ErrReadOnly) {
		t.Errorf("another kind: %v", err)
	}
	if err := put(s, ann, note, write(1, "b")); !errors.Is(err, store.ErrReadOnly) {
		t.Errorf("an update: %v", err)
	}
	if _, err := s.Claim(ctx, store.ClaimRequest{Kinds: []store.JobKind{"work"}, Now: time.Now()}); !errors.Is(err, store.ErrReadOnly) {
		t.Errorf("a claim: %v", err)
	}
	err = s.View(ctx, ann, func(tx store.RecordTx) error {
		_, err := tx.Get(ctx, note, store.ID{1})
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// TestUnreachable: a database that cannot be reached is unavailable, and no error has the
// password.
func TestUnreachable(t *testing.T) {
	for _, url := range []string{"postgres://landfall:hush@127.0.0.1:1/landfall", "postgres://landfall:hush@127.0.0.1:x/landfall"} {
		_, err := storage.Open(url)
		if err == nil || strings.Contains(err.Error(), "hush") {
			t.Errorf("%v", err)
		}
	}
	if _, err := storage.Open("postgres://landfall@127.0.0.1:1/landfall"); !errors.Is(err, store.ErrUnavailable) {
		t.Errorf("%v is not ErrUnavailable", err)
	}
}

// TestLongText: a text that is too long for an index is an error of the update alone.
func TestLongText(t *testing.T) {
	s := openNotes(t, postgrestest.Shared(t).Schema(t))
	mustPut(t, s, ann, 1, strings.Repeat("x", 2600))
	long := random(9000)
	if err := put(s, ann, note, write(2, string(long))); err == nil || errors.Is(err, store.ErrUnavailable) {
		t.Errorf("a text of %d bytes: %v", len(long), err)
	}
	mustPut(t, s, ann, 2, "short")
}

// TestIgnoredError: an update whose closure ignores an error of the database has no effect.
func TestIgnoredError(t *testing.T) {
	s := openNotes(t, postgrestest.Shared(t).Schema(t))
	err := s.Update(ctx, ann, func(tx store.RecordTx) error {
		_, _ = tx.Put(ctx, note, write(1, string(random(9000))))
		_, _, _ = tx.List(ctx, note, store.Filter{}, store.Page{}, nil)
		return nil
	})
	if err == nil {
		t.Error("the update succeeded")
	}
	mustPut(t, s, ann, 1, "a")
}

// random returns bytes that cannot be compressed.
func random(n int) (b []byte) {
	for len(b) < n {
		id := uuid.New()
		b = append(b, id[:]...)
	}
	return b
}

// TestDatabaseKilled: while the database is down, calls are unavailable; after it has
// recovered, the same store goes on, and nothing acknowledged is lost.
func TestDatabaseKilled(t *testing.T) {
	c := postgrestest.Start(t)
	url, _ := c.Database(t)
	s := openNotes(t, url)
	var mu sync.Mutex
	acknowledged := map[store.ID]bool{}
	stop := make(chan struct{})
	var writers sync.WaitGroup
	for w := range 4 {
		writers.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				id := uuid.New()
				err := put(s, store.AccountID{byte(w%2 + 1)}, note, store.Write{ID: id, Doc: []byte("{}"), Cols: []any{"x"}})
				switch {
				case err == nil:
					mu.Lock()
					acknowledged[id] = true
					mu.Unlock()
				case !errors.Is(err, store.ErrUnavailable):
					t.Errorf("%v is not ErrUnavailable", err)
					return
				}
			}
		})
	}
	var slowest time.Duration
	const rounds = 2
	for range rounds {
		time.Sleep(300 * time.Millisecond)
		c.Kill()
		if err := put(s, ann, note, write(1, "x")); !errors.Is(err, store.ErrUnavailable) {
			t.Errorf("the database is down: %v", err)
		}
		c.Restart(t)
		began := time.Now()
		for put(s, ann, note, write(1, "x")) != nil && time.Since(began) < 10*time.Second {
			time.Sleep(10 * time.Millisecond)
		}
		slowest = max(slowest, time.Since(began))
	}
	close(stop)
	writers.Wait()
	for _, a := range []store.AccountID{ann, ben} {
		err := s.View(ctx, a, func(tx store.RecordTx) error {
			records, _, err := tx.List(ctx, note, store.Filter{}, store.Page{}, nil)
			for _, r := range records {
				delete(acknowledged, r.ID)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	lost := len(acknowledged)
	if lost > 0 || slowest > 5*time.Second {
		t.Errorf("%d acknowledged writes are lost; an update succeeded %v after the restart", lost, slowest)
	}
	t.Logf("%d rounds: %d lost, service at most %v after the restart", rounds, lost, slowest.Round(time.Millisecond))
}
