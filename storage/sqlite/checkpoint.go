//go:build cgo

package sqlite

import (
	"context"
	"database/sql/driver"
	"fmt"
	"io"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/landfallhq/tracking/store"

	"github.com/mattn/go-sqlite3"
)

// Sizes of the log (the WAL), in bytes.
const (
	// checkpointEvery is how much the log grows until it is copied into the file,
	// while writers continue. A page that was written several times is copied once.
	checkpointEvery = 16 << 20
	// restartAt is the size at which the log is restarted, for which writers pause
	// a moment: under steady load it never happens by itself.
	restartAt = 32 << 20
	// defaultMaxLog is the default of Options.MaxLog.
	defaultMaxLog = 1 << 30
)

const (
	// restartTimeout is how long writers pause for readers to leave the log, in
	// milliseconds.
	restartTimeout = 50
	// retryInterval is the time between attempts to restart a log that a reader
	// keeps.
	retryInterval = time.Second
)

// checkpointer copies the log into the file in the background, so that no commit
// has to.
type checkpointer struct {
	wake  chan struct{} // buffered
	ended chan struct{} // closed when the goroutine has ended

	size atomic.Int64 // last known size of the log, in bytes
	next atomic.Int64 // the size at which the writer wakes the checkpointer

	mu   sync.Mutex // one checkpoint at a time
	conn *conn      // its own; nil: none yet
	runs atomic.Int64
}

// logState is the size of the log and how much of it is copied.
type logState struct {
	size, copied int64 // bytes
	busy         bool  // a reader, a writer or another checkpoint is in the way
}

// runCheckpoints is the goroutine of the checkpointer.
func (s *Store) runCheckpoints() {
	defer close(s.log.ended)
	var retry <-chan time.Time
	for {
		select {
		case <-s.log.wake:
		case <-retry:
		case <-s.closed:
			return
		}
		retry = nil
		if again, err := s.checkpoint(); again || err != nil {
			retry = time.After(retryInterval)
		}
	}
}

// checkpoint copies the log into the file and restarts it if it is long. Again is
// true if a reader prevented that, so that it should be tried again later.
func (s *Store) checkpoint() (again bool, err error) {
	s.log.mu.Lock()
	defer s.log.mu.Unlock()
	s.log.runs.Add(1)
	log, err := s.copyLog("PASSIVE")
	if err == nil && log.size < 0 {
		return true, nil // another process, or a writer at MaxLog, is copying
	}
	if err != nil || log.size < s.opts.restartAt {
		return false, err
	}
	// Copy what was written meanwhile before the writers have to pause, so that
	// they pause for little.
	for n := 0; n < 2 && log.size-log.copied > s.opts.checkpointEvery/16; n++ {
		if log, err = s.copyLog("PASSIVE"); err != nil || log.size < 0 {
			return log.size < 0, err
		}
	}
	if log.size-log.copied > s.opts.checkpointEvery {
		// A view reads an old snapshot: pausing the writers would not help.
		return true, nil
	}
	if _, err := s.acquireWriter(context.Background(), store.AccountID{}, true); err != nil {
		return false, err
	}
	defer s.queue.release()
	mode := "RESTART"
	if log.size > 2*s.opts.restartAt {
		// The log is longer than it needs to be. Otherwise its file is kept,
		// because overwriting is cheaper than growing.
		mode = "TRUNCATE"
	}
	log, err = s.copyLog(mode)
	if err == nil && !log.busy {
		s.log.next.Store(s.opts.checkpointEvery)
	}
	return log.busy, err
}

// copyLog checkpoints on the checkpointer's connection.
func (s *Store) copyLog(mode string) (logState, error) {
	c := s.log.conn
	if c == nil {
		var err error
		if c, err = s.connect(false); err != nil {
			return logState{}, err
		}
		c.beforeStatement = nil // the hook is for the connection that writes
		if err := c.setPragma("busy_timeout=" + strconv.Itoa(restartTimeout)); err != nil {
			_ = c.close()
			return logState{}, err
		}
		s.log.conn = c
	}
	log, err := s.logState(c, mode)
	if err != nil {
		_ = c.close()
		s.log.conn = nil
		return log, err
	}
	if log.size >= 0 {
		s.log.next.Store(log.size + s.opts.checkpointEvery)
	}
	return log, nil
}

// logState runs a checkpoint in this mode; NOOP only reads the state.
func (s *Store) logState(c *conn, mode string) (log logState, err error) {
	err = c.query("PRAGMA wal_checkpoint("+mode+")", nil, func(v []driver.Value) error {
		log = s.logOf(v)
		return nil
	})
	return log, err
}

// logOf reads the row that a checkpoint returns, in frames: a page and its header.
// While another checkpoint runs, both sizes are negative.
func (s *Store) logOf(v []driver.Value) logState {
	const head = 24
	frame := s.pageSize + head
	return logState{busy: v[0].(int64) != 0, size: v[1].(int64) * frame, copied: v[2].(int64) * frame}
}

// checkLogSize reads the size of the log after a commit, and wakes the checkpointer
// if the log is long enough. It takes a few microseconds per batch.
func (s *Store) checkLogSize(c *conn) {
	if s.opts.exclusive {
		return
	}
	log, err := c.readLogState(s)
	if err != nil {
		return // the next commit will read it
	}
	if before := s.log.size.Swap(log.size); log.size < before {
		s.log.next.Store(s.opts.checkpointEvery) // it was restarted
	}
	if log.size >= s.log.next.Load() {
		select {
		case s.log.wake <- struct{}{}:
		default:
		}
	}
}

// readLogState returns the state of the log. It does not use prepare, whose hook
// counts the statements of updates.
func (c *conn) readLogState(s *Store) (logState, error) {
	if c.logStmt == nil {
		stmt, err := c.c.Prepare("PRAGMA wal_checkpoint(NOOP)")
		if err != nil {
			return logState{}, wrap(err)
		}
		c.logStmt = stmt.(*sqlite3.SQLiteStmt)
	}
	rows, err := c.logStmt.Query(nil)
	if err != nil {
		return logState{}, wrap(err)
	}
	defer rows.Close()
	row := make([]driver.Value, 3)
	if err := rows.Next(row); err != nil && err != io.EOF {
		return logState{}, wrap(err)
	}
	return s.logOf(row), nil
}

// waitForLog is called before a batch begins. It refuses to write when the log has
// reached MaxLog because of a long view. It waits for that view as long as for a
// lock.
func (s *Store) waitForLog(c *conn) error {
	if s.opts.exclusive || s.log.size.Load() < s.opts.MaxLog {
		return nil
	}
	end := time.Now().Add(time.Duration(s.opts.busyTimeout) * time.Millisecond)
	for {
		log, err := s.logState(c, "TRUNCATE") // waits for readers, but not for the checkpointer
		if err != nil {
			return err
		}
		switch {
		case log.size >= 0 && log.size < s.opts.MaxLog:
			return nil
		case time.Now().After(end):
			return fmt.Errorf("%w: the WAL has reached its limit of %d bytes, and a long view keeps it from being emptied", store.ErrUnavailable, s.opts.MaxLog)
		}
		time.Sleep(time.Millisecond)
	}
}

// stopCheckpoints ends the checkpointer and closes its connection.
func (s *Store) stopCheckpoints() error {
	<-s.log.ended
	s.log.mu.Lock()
	defer s.log.mu.Unlock()
	return closeConn(s.log.conn)
}
