//go:build cgo

// Package sqlite keeps the records of a tracker in one SQLite file.
//
//	store, err := sqlite.Open("landfall.db", sqlite.Options{})
//	if err != nil {
//		return err
//	}
//	defer store.Close()
//
// Commits are durable: the file is in WAL mode with synchronous=FULL, and Open
// fails if a setting does not take effect. One connection writes, in immediate
// transactions that concurrent updates share. A pool of query-only connections
// reads, each view on its own snapshot. Several processes may have the file open,
// so tools work while a server runs; LockServer keeps a second server away.
//
// A record of a kind is a row of the table r_<kind>. Its key is one integer: the
// number of the account and the running number of the record in that account. A
// list of an account is therefore one range of the table, in order of creation.
//
// The package needs cgo. Without it, Open returns an error.
package sqlite

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/landfallhq/tracking/store"
)

// batchTime is how long a batch takes further members. Each waits for all: without it, a
// small update would wait for every large one that is queued.
const batchTime = 100 * time.Millisecond

// busyTimeout is how long a statement waits for another process, in milliseconds.
const busyTimeout = 5000

// Store is a store.Store in a SQLite file. Make one with Open.
type Store struct {
	path string // as given
	file string // absolute: a later chdir changes nothing
	// opened is the file that was opened; nil if it is not on a disk, and for a view of it alone.
	opened os.FileInfo
	opts   Options

	queue   writeQueue
	readers *readers
	log     checkpointer

	pageSize int64 // bytes

	// newer are the kinds that a newer program has prepared; only with ReadOnly.
	newer []string

	closed    chan struct{}
	closeOnce sync.Once

	// tables are the prepared kinds by name. The map is replaced, never changed.
	tables    atomic.Pointer[map[string]*table]
	preparing sync.Mutex // one Prepare at a time
	accounts  accountNumbers
	cache     *cache // nil if there is none
	counts    countCache
	postponed []postponed // of a file that is filled
}

var (
	_ store.Store          = (*Store)(nil)
	_ store.AccountDeleter = (*Store)(nil)
)

// Open opens the file at path. If there is none, it creates one that only its owner
// can read. It migrates the schema of the file, and refuses a file that a newer
// program wrote or that is not a store.
func Open(path string, opts Options) (_ *Store, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("open %s: %w", path, err)
		}
	}()
	if path == "" || path == ":memory:" {
		return nil, errors.New("a store in SQLite needs a file; storage/memory keeps records in memory")
	}
	if opts.ReadOnly {
		return openReadOnly(path, opts)
	}
	abs, err := resolvePath(path)
	if err != nil {
		return nil, err
	}
	if err := checkFillTarget(abs, opts); err != nil {
		return nil, err
	}
	if err := createFile(abs, opts); err != nil {
		return nil, err
	}
	opts = opts.withDefaults()
	s := &Store{
		path:    path,
		file:    abs,
		opts:    opts,
		readers: newReaders(opts.Readers),
		closed:  make(chan struct{}),
		cache:   newCache(opts.CacheBytes),
	}
	s.log.wake, s.log.ended = make(chan struct{}, 1), make(chan struct{})
	s.log.next.Store(opts.checkpointEvery)
	s.tables.Store(&map[string]*table{})
	defer func() {
		if err != nil {
			s.closeAll()
		}
	}()
	w, err := s.connect(false) // the first connection switches the file to WAL mode
	if err != nil {
		return nil, err
	}
	s.queue.conn = w
	if s.pageSize, _, err = w.queryInt("PRAGMA page_size"); err != nil {
		return nil, err
	}
	if opts.exclusive {
		// Migrating needs the only connection. The next update opens another.
		if err := w.close(); err != nil {
			return nil, err
		}
		s.queue.conn = nil
	}
	if err := migrate(abs, opts); err != nil {
		return nil, err
	}
	if opts.onDisk() {
		if s.opened, err = os.Stat(abs); err != nil {
			return nil, err
		}
	}
	// Each connection parses the whole schema. Only one that reads is opened now, which finds
	// what is wrong with all of them: the others are opened when they are needed.
	for n := range opts.Readers {
		var r *conn
		if n == 0 {
			if r, err = s.connect(true); err != nil {
				return nil, err
			}
		}
		s.readers.give(r)
	}
	if opts.EndLeases {
		_ = s.endLeases() // a file that cannot be written can still be read, and leases expire
	}
	if opts.exclusive || opts.noCheckpoints {
		close(s.log.ended)
	} else {
		go s.runCheckpoints()
	}
	return s, nil
}

// checkFile returns an error if the file is no longer the one that was opened: a connection
// to another would show other records, and damage the WAL that both have by its name.
func (s *Store) checkFile() error {
	if s.opened == nil {
		return nil
	}
	now, err := os.Stat(s.file)
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%w: %w", store.ErrUnavailable, err)
	case err != nil || !os.SameFile(s.opened, now):
		return fmt.Errorf("%w: %s was moved or replaced while it was open: open it again", store.ErrUnavailable, s.path)
	}
	return nil
}

// createFile creates a file that only its owner can read, if there is none. It is a
// database from the beginning: an empty file is one that has lost its content.
func createFile(path string, opts Options) error {
	if info, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		if err == nil && info.Size() == 0 && opts.onDisk() {
			err = errors.New("it is empty (0 bytes), which a database never is: restore a backup, or remove the file to begin a new database")
		}
		return err
	}
	// SQLite would delete it together with what it holds.
	if info, err := os.Stat(path + "-wal"); err == nil && info.Size() > 0 {
		return fmt.Errorf("the file is missing, but its WAL %s-wal is there: put the file back, or restore a backup; move the WAL away to begin a new database", path)
	}
	// The file is created under another name and then linked. As soon as it has its
	// name, another goroutine may open it in SQLite; closing it here after that
	// would drop SQLite's locks.
	temp, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".new*") // mode 0600
	if err != nil {
		return fmt.Errorf("%w: %w", store.ErrUnavailable, err)
	}
	defer os.Remove(temp.Name())
	if err := temp.Close(); err != nil {
		return err
	}
	if opts.onDisk() {
		if err := initialize(temp.Name()); err != nil {
			return err
		}
	}
	if err := os.Link(temp.Name(), path); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}

// initialize writes the first page of a new database.
func initialize(path string) error {
	c, err := connectPlain(path, Options{})
	if err != nil {
		return err
	}
	for _, pragma := range []string{pageSizePragma, "journal_mode=WAL"} {
		err = cmp.Or(err, c.setPragma(pragma))
	}
	if err == nil {
		err = checkPragmas(c.pragma, []pragma{{"journal_mode", "wal"}})
	}
	return errors.Join(err, c.close())
}

// connect opens a connection and checks that the required pragmas took effect.
func (s *Store) connect(reader bool) (*conn, error) {
	if err := s.checkFile(); err != nil {
		return nil, err
	}
	c, err := connect(s.file, s.opts, reader)
	if err != nil {
		return nil, err
	}
	if err := checkPragmas(c.pragma, requiredPragmas(s.opts, reader)); err != nil {
		_ = c.close()
		return nil, err
	}
	return c, nil
}

// Path returns the path that the store was opened with.
func (s *Store) Path() string { return s.path }

// Close waits for running transactions and closes all connections. Queued updates
// fail with ErrClosed.
func (s *Store) Close() error {
	err := store.ErrClosed
	s.closeOnce.Do(func() {
		close(s.closed)
		err = s.stopCheckpoints()
		for range s.opts.Readers {
			<-s.readers.ready
			err = errors.Join(err, closeConn(s.readers.take()))
		}
		// The writer is closed last: the last connection of all checkpoints the WAL
		// and removes it, which a query-only connection cannot do.
		s.queue.close()
		err = errors.Join(err, s.finishFill(s.queue.conn), closeConn(s.queue.conn), s.syncFill())
	})
	return err
}

// closeAll closes the connections that a failed Open has opened.
func (s *Store) closeAll() {
	for _, c := range s.readers.conns {
		_ = closeConn(c)
	}
	_ = closeConn(s.queue.conn)
}

func closeConn(c *conn) error {
	if c == nil {
		return nil
	}
	return c.close()
}

// acquireReader waits for a connection that reads. The caller's context applies to
// the wait.
func (s *Store) acquireReader(ctx context.Context) (*conn, error) {
	if s.opts.exclusive {
		return s.acquireWriterForReading(ctx)
	}
	// First, since select picks at random among the ready cases.
	if err := s.checkOpen(ctx); err != nil {
		return nil, err
	}
	select {
	case <-s.readers.ready:
	case <-s.closed:
		return nil, store.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	c := s.readers.take()
	if err := s.checkOpen(ctx); err != nil {
		s.readers.give(c)
		return nil, err
	}
	if c == nil {
		var err error
		if c, err = s.connect(true); err != nil {
			s.readers.give(nil)
			return nil, err
		}
	}
	return c, nil
}

func (s *Store) checkOpen(ctx context.Context) error {
	select {
	case <-s.closed:
		return store.ErrClosed
	default:
		return ctx.Err()
	}
}

// releaseReader puts a connection back. It closes one that is stuck in a
// transaction.
func (s *Store) releaseReader(c *conn) {
	if c.inTransaction() {
		_ = c.close()
		c = nil
	}
	if s.opts.exclusive {
		s.queue.conn = c
		s.queue.release()
		return
	}
	s.readers.give(c)
}

// acquireWriterForReading waits for the connection that writes, to read with it.
func (s *Store) acquireWriterForReading(ctx context.Context) (*conn, error) {
	if _, err := s.acquireWriter(ctx, store.AccountID{}, true); err != nil {
		return nil, err
	}
	c, err := s.writeConn()
	if err != nil {
		s.queue.release()
	}
	return c, err
}

// View runs fn on the snapshot that its first read takes.
func (s *Store) View(ctx context.Context, a store.AccountID, fn func(store.RecordTx) error) (err error) {
	c, err := s.acquireReader(ctx)
	if err != nil {
		return err
	}
	defer s.releaseReader(c)
	t := &tx{store: s, conn: c, account: a}
	defer func() { t.closed = true }()
	if s.cache == nil && !s.opts.exclusive {
		t.notStarted = true
		defer func() { err = cmp.Or(err, t.endSnapshot()) }()
		return fn(t)
	}
	return c.snapshot(func(commit int64) error {
		t.commit, t.cached = commit, s.cache != nil && s.cache.usableAt(commit)
		defer s.cache.addReads(t)
		return fn(t)
	})
}

// Update runs fn on the connection that writes. Concurrent updates are committed
// together and share the cost of making the commit durable; each returns when that
// is done.
//
// When the commit fails, or a fault in one update makes SQLite undo them all, each
// gets an error that is ErrUnavailable, and no view sees their changes while any
// process has the file open. A commit that failed on its way to the disk can still
// be there after all processes have crashed: as with any transaction whose answer
// was lost, the caller has to look or to try again.
func (s *Store) Update(ctx context.Context, a store.AccountID, fn func(store.RecordTx) error) error {
	t := &tx{store: s, account: a, write: true}
	return s.write(ctx, t, func() error {
		if err := fn(t); err != nil {
			return err
		}
		if err := t.flush(); err != nil {
			return err
		}
		// A failed statement may have left its method half done, so nothing is
		// committed, even if fn ignored the error.
		return t.failed
	})
}

func (o Options) withDefaults() Options {
	if o.Readers <= 0 {
		o.Readers = max(4, runtime.NumCPU())
	}
	if o.FillBytes > 0 {
		o.exclusive, o.synchronous = true, "OFF"
	}
	if o.exclusive {
		o.Readers = 0
	}
	if o.MaxBatch <= 0 {
		o.MaxBatch = 64
	}
	if o.MaxLog <= 0 {
		o.MaxLog = defaultMaxLog
	}
	if o.batchTime == 0 {
		o.batchTime = batchTime
	}
	if o.busyTimeout == 0 {
		o.busyTimeout = busyTimeout
	}
	if o.restartAt == 0 {
		o.restartAt = min(restartAt, o.MaxLog/2)
	}
	if o.checkpointEvery == 0 {
		o.checkpointEvery = min(checkpointEvery, o.restartAt/2)
	}
	if o.synchronous == "" {
		o.synchronous = "FULL"
	}
	return o
}

// readers is the pool of idle read connections. A nil connection is one that
// is not open, at first or after a failure; its next user opens it.
//
// The connection returned last is taken first. After a commit, each connection
// drops its page cache on its next read; the fewer connections are in use, the
// fewer have to.
type readers struct {
	ready chan struct{} // one token per idle connection
	mu    sync.Mutex
	conns []*conn
}

func newReaders(n int) *readers { return &readers{ready: make(chan struct{}, n)} }

// give returns a connection to the pool, or adds one. One that is not open is taken last: if it
// cannot be opened, those that are open still serve.
func (r *readers) give(c *conn) {
	r.mu.Lock()
	if c == nil {
		r.conns = slices.Insert(r.conns, 0, nil)
	} else {
		r.conns = append(r.conns, c)
	}
	r.mu.Unlock()
	r.ready <- struct{}{}
}

// take returns a connection. The caller has received from ready.
func (r *readers) take() *conn {
	r.mu.Lock()
	defer r.mu.Unlock()
	last := len(r.conns) - 1
	c := r.conns[last]
	r.conns = r.conns[:last]
	return c
}
