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

// The size of the log (the WAL) at which something is done about it, in bytes.
const (
	// checkpointEvery is how much the log grows until it is copied into the file,
	// beside the writers. What was written several times is copied once.
	checkpointEvery = 16 << 20
	// restartAt is where the log is begun anew, for which writers stand still a
	// moment: under a steady load it never happens by itself.
	restartAt = 32 << 20
	// defaultMaxLog is the default of Options.MaxLog.
	defaultMaxLog = 1 << 30
)

const (
	// restartTimeout is how long writers stand still for readers to leave the
	// log, in milliseconds.
	restartTimeout = 50
	// retryInterval is how often a log that a reader keeps is looked at.
	retryInterval = time.Second
)

// checkpointer copies the log into the file, so that no commit has to.
type checkpointer struct {
	wake  chan struct{} // of one
	ended chan struct{} // closed when the goroutine has ended

	size atomic.Int64 // bytes of the log, as last seen
	next atomic.Int64 // the size at which the writer wakes the checkpointer

	mu   sync.Mutex // one checkpoint at a time
	conn *conn      // its own; nil: none yet
	runs atomic.Int64
}

// logState is how much is in the log, and how much of it in the file as well.
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

// checkpoint copies the log into the file and begins it anew when it is long.
// again says that a reader keeps it long; then it should be looked at again
// when the reader may be gone.
func (s *Store) checkpoint() (again bool, err error) {
	s.log.mu.Lock()
	defer s.log.mu.Unlock()
	s.log.runs.Add(1)
	log, err := s.copyLog("PASSIVE")
	if err == nil && log.size < 0 {
		return true, nil // another process, or a writer at the bound, is copying
	}
	if err != nil || log.size < s.opts.restartAt {
		return false, err
	}
	// What came meanwhile is copied beside the writers as well, so that they stand
	// still for the little that is left.
	for n := 0; n < 2 && log.size-log.copied > s.opts.checkpointEvery/16; n++ {
		if log, err = s.copyLog("PASSIVE"); err != nil || log.size < 0 {
			return log.size < 0, err
		}
	}
	if log.size-log.copied > s.opts.checkpointEvery {
		// Somebody reads an old snapshot: to stop the writers would not help.
		return true, nil
	}
	if _, err := s.acquireWriter(context.Background(), true); err != nil {
		return false, err
	}
	defer s.queue.release()
	mode := "RESTART"
	if log.size > 2*s.opts.restartAt {
		// It has outgrown what it needs. Else the file is kept: to write over
		// what is there is cheaper than to let it grow again.
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
		c.beforeStatement = nil // it is not the connection that writes
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

// logState runs a checkpoint in this mode; NOOP only looks.
func (s *Store) logState(c *conn, mode string) (log logState, err error) {
	err = c.query("PRAGMA wal_checkpoint("+mode+")", nil, func(v []driver.Value) error {
		log = s.logOf(v)
		return nil
	})
	return log, err
}

// logOf reads the row that a checkpoint returns: frames of a page and its head.
// While another checkpoint runs SQLite does not tell: then both are negative.
func (s *Store) logOf(v []driver.Value) logState {
	const head = 24
	frame := s.pageSize + head
	return logState{busy: v[0].(int64) != 0, size: v[1].(int64) * frame, copied: v[2].(int64) * frame}
}

// checkLogSize looks at the log after a commit, and wakes the checkpointer when
// there is enough to do. It is a few microseconds for a whole batch.
func (s *Store) checkLogSize(c *conn) {
	if s.opts.exclusive {
		return
	}
	log, err := c.readLogState(s)
	if err != nil {
		return // the next commit will look
	}
	if before := s.log.size.Swap(log.size); log.size < before {
		s.log.next.Store(s.opts.checkpointEvery) // it was begun anew
	}
	if log.size >= s.log.next.Load() {
		select {
		case s.log.wake <- struct{}{}:
		default:
		}
	}
}

// readLogState returns the state of the log. It goes past prepare, whose hook counts
// the statements of updates.
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

// waitForLog is called before a batch begins. It refuses to write when the log
// has reached its bound: a reader must have kept it for very long. It waits for
// that reader as for any lock.
func (s *Store) waitForLog(c *conn) error {
	if s.opts.exclusive || s.log.size.Load() < s.opts.MaxLog {
		return nil
	}
	end := time.Now().Add(time.Duration(s.opts.busyTimeout) * time.Millisecond)
	for {
		log, err := s.logState(c, "TRUNCATE") // which waits for readers, but not for the checkpointer
		if err != nil {
			return err
		}
		switch {
		case log.size >= 0 && log.size < s.opts.MaxLog:
			return nil
		case time.Now().After(end):
			return fmt.Errorf("%w: the log of the file has reached its bound of %d bytes, and a view that lasts keeps it from being emptied", store.ErrUnavailable, s.opts.MaxLog)
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
