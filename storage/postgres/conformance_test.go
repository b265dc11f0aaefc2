package postgres_test

import (
	"context"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/landfallhq/tracking/internal/postgrestest"
	"github.com/landfallhq/tracking/storage/postgres"
	"github.com/landfallhq/tracking/storage/sqlite"
	"github.com/landfallhq/tracking/storage/storagetest"
	"github.com/landfallhq/tracking/store"
)

func TestMain(m *testing.M) { os.Exit(postgrestest.Main(m)) }

// open opens a store that the test closes.
func open(t testing.TB, url string) *postgres.Store {
	t.Helper()
	s, err := postgres.Open(context.Background(), url, postgres.Options{MaxConns: 24})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// TestStore runs the contract on one store.
func TestStore(t *testing.T) {
	t.Parallel()
	c := postgrestest.Shared(t)
	storagetest.Run(t, func(t testing.TB) store.Store { return open(t, c.Schema(t)) })
}

// TestTwoStores runs the contract on two stores of one database, as two nodes have them,
// with alternating calls. Its views may run their function more than once.
func TestTwoStores(t *testing.T) {
	if testing.Short() {
		t.Skip("the other tests have the same goroutines")
	}
	t.Parallel()
	c := postgrestest.Shared(t)
	storagetest.Run(t, func(t testing.TB) store.Store {
		url := c.Schema(t)
		return &alternating{stores: [2]*postgres.Store{open(t, url), open(t, url)}}
	})
}

// TestThroughPooler runs the contract through pgbouncer, which gives each transaction
// another connection.
func TestThroughPooler(t *testing.T) {
	if testing.Short() {
		t.Skip("the other tests have the same goroutines")
	}
	t.Parallel()
	c := postgrestest.Shared(t)
	through := c.Pooler(t)
	storagetest.Run(t, func(t testing.TB) store.Store {
		_, name := c.Database(t)
		return open(t, through(name))
	})
}

// TestTwoVersions runs two programs of different versions on one database.
func TestTwoVersions(t *testing.T) {
	t.Parallel()
	url := postgrestest.Shared(t).Schema(t)
	storagetest.TwoVersions(t, open(t, url), open(t, url))
	if !testing.Short() {
		through := postgrestest.Shared(t).Pooler(t)
		_, name := postgrestest.Shared(t).Database(t)
		storagetest.TwoVersions(t, open(t, through(name)), open(t, through(name)))
	}
}

// TestCopies copies from PostgreSQL to PostgreSQL, and from and to SQLite.
func TestCopies(t *testing.T) {
	t.Parallel()
	c := postgrestest.Shared(t)
	here := func(t testing.TB) store.Copier { return open(t, c.Schema(t)) }
	file := func(t testing.TB) store.Copier {
		s, err := sqlite.Open(filepath.Join(t.TempDir(), "test.db"), sqlite.Options{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.Close() })
		return s
	}
	t.Run("PostgreSQL", func(t *testing.T) { storagetest.RunCopies(t, here, here) })
	t.Run("FromSQLite", func(t *testing.T) { storagetest.RunCopies(t, file, here) })
	t.Run("ToSQLite", func(t *testing.T) { storagetest.RunCopies(t, here, file) })
}

// alternating calls one of two stores, and then the other.
type alternating struct {
	stores [2]*postgres.Store
	calls  atomic.Int64
}

func (s *alternating) next() *postgres.Store { return s.stores[s.calls.Add(1)%2] }

func (s *alternating) Prepare(ctx context.Context, kinds []*store.Kind) error {
	first := s.calls.Add(1) % 2
	if err := s.stores[first].Prepare(ctx, kinds); err != nil {
		return err
	}
	return s.stores[1-first].Prepare(ctx, kinds)
}

func (s *alternating) View(ctx context.Context, a store.AccountID, fn func(store.RecordTx) error) error {
	return s.next().ViewRepeatably(ctx, a, fn)
}

func (s *alternating) Update(ctx context.Context, a store.AccountID, fn func(store.RecordTx) error) error {
	return s.next().Update(ctx, a, fn)
}

func (s *alternating) Claim(ctx context.Context, r store.ClaimRequest) ([]store.Job, error) {
	return s.next().Claim(ctx, r)
}

func (s *alternating) NextDue(ctx context.Context, kinds []store.JobKind) (time.Time, error) {
	return s.next().NextDue(ctx, kinds)
}

func (s *alternating) DeleteAccount(ctx context.Context, a store.AccountID, limit int, keep ...*store.Kind) (int, error) {
	return s.next().DeleteAccount(ctx, a, limit, keep...)
}

func (s *alternating) Beat(ctx context.Context, n store.Node, lease time.Duration) ([]store.Node, error) {
	return s.next().Beat(ctx, n, lease)
}

func (s *alternating) Leave(ctx context.Context, id store.ID) error { return s.next().Leave(ctx, id) }

func (s *alternating) Nodes(ctx context.Context) ([]store.Node, error) { return s.next().Nodes(ctx) }

func (s *alternating) Close() error {
	err := s.stores[0].Close()
	if second := s.stores[1].Close(); err == nil {
		err = second
	}
	return err
}
