package postgres

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/landfallhq/tracking/store"
)

// Options are the settings of a store. The zero value is good for most uses.
type Options struct {
	// MaxConns bounds the connections of the store. Defaults to pool_max_conns of the URL,
	// or without it to four times the number of CPUs and at least 16.
	MaxConns int
	// StatementTimeout bounds each statement. A view or an update that sends nothing for
	// twice as long is ended. Defaults to 30 s.
	StatementTimeout time.Duration
	// LockTimeout bounds how long an update waits for one of its account that another
	// process runs. Defaults to 10 s.
	LockTimeout time.Duration
	// PrepareTimeout bounds each statement of migrations and of Prepare, which may create
	// indexes of large tables. Defaults to 1 h.
	PrepareTimeout time.Duration
	// OnCommit is called after each commit of an update with the number of updates that it
	// made durable, how long it took, and its error. It must not use the store. Defaults
	// to nil.
	OnCommit func(updates int, took time.Duration, err error)
	// ReadOnly opens an existing database without changing anything. Whatever would write
	// fails with store.ErrReadOnly, and so do Open and Prepare for a database that must be
	// migrated first.
	ReadOnly bool
}

func (o Options) withDefaults() Options {
	o.StatementTimeout = cmp.Or(o.StatementTimeout, 30*time.Second)
	o.LockTimeout = cmp.Or(o.LockTimeout, 10*time.Second)
	o.PrepareTimeout = cmp.Or(o.PrepareTimeout, time.Hour)
	return o
}

// Store is a store.Store in a PostgreSQL database. Make one with Open.
type Store struct {
	opts   Options
	pool   *pgxpool.Pool
	pooled bool // the connections go through a pooler
	closed atomic.Bool
	queues accountQueues
	// accounts has the numbers of accounts by their IDs, which never change.
	accounts sync.Map
	prepared atomic.Pointer[prepared]
	combiner combiner
	counts   countCache
	follower follower
	// server is when the server of the last new connection was started, and epoch counts the
	// servers: what was read before is not compared with what is read now, since a restored
	// database counts the same numbers again.
	server atomic.Int64
	epoch  atomic.Int64
	// preparing lets one Prepare run at a time.
	preparing sync.Mutex
	// sent is called before each round trip of a view or an update; nil but in tests.
	sent func(update bool, batch *pgx.Batch)
}

var (
	_ store.Store          = (*Store)(nil)
	_ store.AccountDeleter = (*Store)(nil)
	_ store.Maintainer     = (*Store)(nil)
	_ store.Meter          = (*Store)(nil)
	_ store.RepeatViewer   = (*Store)(nil)
)

// Open connects to the database that url names, a connection string of libpq. It migrates
// the schema, and refuses a database that a newer program has migrated. Tables are created
// in the first schema of the search path.
//
// Settings that the URL does not have are read from the environment, as libpq does:
// PGPASSWORD, PGPASSFILE, PGSSLROOTCERT and the like. If the database cannot be reached
// now, the error is store.ErrUnavailable.
func Open(ctx context.Context, url string, opts Options) (*Store, error) {
	s := &Store{opts: opts.withDefaults()}
	s.prepared.Store(&prepared{tables: map[string]*table{}})
	if err := s.open(ctx, url); err != nil {
		if s.pool != nil {
			s.pool.Close()
		}
		return nil, fmt.Errorf("open the PostgreSQL store: %w", err)
	}
	return s, nil
}

func (s *Store) open(ctx context.Context, url string) (err error) {
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		return err // without the password
	}
	if s.pooled, err = throughPooler(ctx, config.ConnConfig); err != nil {
		return err
	}
	s.configure(config, url)
	if !s.pooled {
		config.AfterConnect = s.noteServer
	}
	if s.pool, err = pgxpool.NewWithConfig(ctx, config); err != nil {
		return wrap(err)
	}
	return s.migrate(ctx)
}

// noteServer notices that a new connection leads to a server that was started since, or to
// another one.
func (s *Store) noteServer(ctx context.Context, conn *pgx.Conn) error {
	var started int64
	err := conn.QueryRow(ctx, "SELECT (extract(epoch FROM pg_postmaster_start_time()) * 1000000)::bigint").Scan(&started)
	if err == nil && s.server.Swap(started) != started {
		s.forget()
	}
	return err
}

// forget begins a new epoch.
func (s *Store) forget() {
	s.epoch.Add(1)
	s.accounts.Clear()
}

// configure sets what the URL leaves open.
func (s *Store) configure(config *pgxpool.Config, url string) {
	switch {
	case s.opts.MaxConns > 0:
		config.MaxConns = int32(s.opts.MaxConns)
	case !hasParameter(url, "pool_max_conns"):
		config.MaxConns = int32(max(16, 4*runtime.NumCPU()))
	}
	c := config.ConnConfig
	if c.ConnectTimeout == 0 {
		c.ConnectTimeout = 10 * time.Second
	}
	if c.RuntimeParams["application_name"] == "" {
		c.RuntimeParams["application_name"] = "landfall"
	}
	if s.pooled {
		// A transaction-mode pooler gives each transaction another connection, which
		// does not have the statements that were prepared on the last one. Settings are
		// part of each transaction then: see beginning.
		c.DefaultQueryExecMode = pgx.QueryExecModeCacheDescribe
		return
	}
	for name, value := range s.settings() {
		c.RuntimeParams[name] = value
	}
}

// settings are those of each connection.
func (s *Store) settings() map[string]string {
	return map[string]string{
		"statement_timeout":                   milliseconds(s.opts.StatementTimeout),
		"lock_timeout":                        milliseconds(s.opts.LockTimeout),
		"idle_in_transaction_session_timeout": milliseconds(2 * s.opts.StatementTimeout),
	}
}

func milliseconds(d time.Duration) string { return strconv.FormatInt(d.Milliseconds(), 10) }

// throughPooler reports whether a pooler is between this process and the database: it
// gives its clients process IDs of its own.
func throughPooler(ctx context.Context, config *pgx.ConnConfig) (bool, error) {
	config = config.Copy()
	config.DefaultQueryExecMode = pgx.QueryExecModeExec
	if config.ConnectTimeout == 0 {
		config.ConnectTimeout = 10 * time.Second
	}
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return false, wrap(err)
	}
	defer conn.Close(context.WithoutCancel(ctx))
	var pid, version int64
	err = conn.QueryRow(ctx, "SELECT pg_backend_pid(), current_setting('server_version_num')::bigint").Scan(&pid, &version)
	if err == nil && version < 150000 {
		return false, fmt.Errorf("the server is PostgreSQL %d, and the store needs version 15 or later", version/10000)
	}
	return pid != int64(conn.PgConn().PID()), wrap(err)
}

// Close waits for running transactions and closes all connections. Updates that wait for
// others of their account fail with ErrClosed.
func (s *Store) Close() error {
	if s.closed.Swap(true) {
		return store.ErrClosed
	}
	s.pool.Close()
	return nil
}

func (s *Store) checkOpen(ctx context.Context) error {
	if s.closed.Load() {
		return store.ErrClosed
	}
	return ctx.Err()
}

// acquire waits for a connection. The caller's context applies to the wait.
func (s *Store) acquire(ctx context.Context) (*pgxpool.Conn, error) {
	if err := s.checkOpen(ctx); err != nil {
		return nil, err
	}
	conn, err := s.pool.Acquire(ctx)
	switch {
	case err == nil:
		return conn, nil
	case s.closed.Load():
		return nil, store.ErrClosed
	case ctx.Err() != nil:
		return nil, ctx.Err()
	}
	return nil, s.wrap(err, true)
}

// Update runs fn in a transaction that holds the lock of the account. Updates of one
// account that this process makes wait for each other in memory, without a connection, and
// those that have waited share a transaction: see group.
//
// If the connection fails during the commit, the error is ErrUnavailable and the update may
// have been committed: as with any transaction whose answer was lost, the caller has to
// look or to try again.
func (s *Store) Update(ctx context.Context, a store.AccountID, fn func(store.RecordTx) error) error {
	if s.opts.ReadOnly {
		return cmp.Or(s.checkOpen(ctx), store.ErrReadOnly)
	}
	if err := s.checkOpen(ctx); err != nil {
		return err
	}
	alone := false
	return s.retry(ctx, func() error {
		err := s.updateInGroup(ctx, a, alone, fn)
		alone = true
		return err
	})
}

// retry runs fn again when PostgreSQL has ended its transaction because of another one, when
// it has trusted a wrong hint, or when another update of its transaction has failed.
// Transactions of different accounts can wait for each other where both add a group of
// jobs.
func (s *Store) retry(ctx context.Context, fn func() error) error {
	for range 5 {
		if err := fn(); !errors.Is(err, errConflict) {
			return err
		}
		if err := s.checkOpen(ctx); err != nil {
			return err
		}
	}
	return fmt.Errorf("%w: the transaction was ended for another one five times", store.ErrUnavailable)
}

// hasParameter reports whether a connection string sets a parameter.
func hasParameter(url, name string) bool { return strings.Contains(url, name+"=") }
