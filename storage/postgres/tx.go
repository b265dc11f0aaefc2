package postgres

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/landfallhq/tracking/store"
)

// The advisory locks of a schema. All are held until the transaction ends, so they work
// through poolers.
const (
	// schemaLock: updates hold it shared; what changes tables holds it alone.
	schemaLock = 1
	// claimLock: one claim at a time.
	claimLock = 2
)

// Statements that take an advisory lock.
var (
	lockShared = fmt.Sprintf("SELECT pg_advisory_xact_lock_shared(hashtext(current_schema()), %d)", schemaLock)
	lockSchema = fmt.Sprintf("SELECT pg_advisory_xact_lock(hashtext(current_schema()), %d)", schemaLock)
	lockClaims = fmt.Sprintf("SELECT pg_advisory_xact_lock(hashtext(current_schema()), %d)", claimLock)
)

// tx is the transaction of one closure.
type tx struct {
	store   *Store
	conn    *pgx.Conn
	timeout time.Duration // of one batch
	account store.AccountID
	write   bool
	closed  bool  // the closure has returned
	epoch   int64 // of the store when the transaction began
	failed  error // the first error of the database: nothing may be committed

	// batch has the statements that are not sent yet: they are sent together with the
	// next one whose result is needed. Its first is BEGIN.
	batch *pgx.Batch
	begun bool       // something was sent
	steps *viewSteps // of a View

	locked   bool  // an Update has the lock of its account
	no       int64 // the number of the account; 0: not read, or it has none
	resolved bool  // no was read
	commits  int64 // accounts.commit of the snapshot, with resolved
	wrote    bool  // records or marks were changed
	prepared *prepared

	// rows are the records that an Update has read or written; nil means that there is no
	// record with this ID.
	rows    map[rowKey]*row
	totals  map[totalKey]int64 // changes of the kept totals
	rids    []ridChange        // the records that were added and removed
	nextRid int64              // the next number of a record
	ridEnd  int64              // the end of the block of numbers

	prefetched []*prefetchedList
	writes     []rowWrite
	writeOf    map[int64]int // the index in writes by the number of the record
	// trusting: a record with the hint New is inserted without a read. guessed: one was. If
	// the hint was wrong, the insert fails, and the update runs again without trusting.
	trusting, guessed bool

	// Of a member of a group: there were others before it; where its own statements begin
	// in batch; it has set its savepoint; the next read writes too.
	joined     bool
	mark       int
	savepoint  bool
	readWrites bool
}

// read is a statement whose result is needed.
type read struct {
	sql  string
	args []any
	// each is called for each row. It may be nil.
	each func(pgx.Rows) error
}

func (s *Store) newTx(conn *pgx.Conn, a store.AccountID) *tx {
	return &tx{store: s, conn: conn, timeout: s.opts.StatementTimeout, account: a, epoch: s.epoch.Load(), batch: &pgx.Batch{}, prepared: s.prepared.Load()}
}

// queue adds a statement whose result is not needed.
func (t *tx) queue(sql string, args ...any) { t.batch.Queue(sql, args...) }

// queueBegin begins the transaction. Through a pooler, settings are valid in the
// transaction alone.
func (t *tx) queueBegin(begin string) {
	t.queue(begin)
	if !t.store.pooled {
		return
	}
	for name, value := range t.store.settings() {
		t.queue("SET LOCAL " + name + " = " + value)
	}
}

// send sends the statements that wait and then reads, in one round trip. Not the caller's
// context but the time-out of the store bounds it: a context that ends would close the
// connection.
func (t *tx) send(reads ...read) error {
	if t.failed != nil {
		return t.failed
	}
	t.queueWrites()
	t.setSavepoint()
	if t.steps != nil {
		reads = t.queueStep(reads)
	}
	batch, waiting := t.batch, t.batch.Len()
	// Longer than statement_timeout, which leaves the connection usable.
	ctx, cancel := context.WithTimeout(context.Background(), t.timeout+10*time.Second+time.Duration(waiting)*10*time.Millisecond)
	defer cancel()
	t.batch, t.begun = &pgx.Batch{}, true
	for _, r := range reads {
		batch.Queue(r.sql, r.args...)
	}
	if t.store.sent != nil {
		t.store.sent(t.write, batch)
	}
	results := t.conn.SendBatch(ctx, batch)
	err := readResults(results, waiting, reads)
	if closed := results.Close(); err == nil {
		err = closed
	}
	if err != nil {
		t.failed = t.store.wrap(err, t.conn.IsClosed())
	} else if t.steps != nil {
		t.failed = t.steps.check(t)
	}
	return t.failed
}

func readResults(results pgx.BatchResults, waiting int, reads []read) error {
	for range waiting {
		if _, err := results.Exec(); err != nil {
			return err
		}
	}
	for _, r := range reads {
		rows, err := results.Query()
		if err != nil {
			return err
		}
		for err == nil && rows.Next() {
			if r.each != nil {
				err = r.each(rows)
			}
		}
		rows.Close()
		if err == nil {
			err = rows.Err()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// query is send of one statement.
func (t *tx) query(sql string, args []any, each func(pgx.Rows) error) error {
	return t.send(read{sql: sql, args: args, each: each})
}

// begin must be called first in every method.
func (t *tx) begin(ctx context.Context, write bool) error {
	switch {
	case t.closed:
		return errTxClosed
	case write && !t.write:
		return store.ErrReadOnly
	case t.failed != nil:
		return t.failed
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if t.write && !t.locked {
		_, err := t.lockAccount(lockShared)
		return err
	}
	return t.resolveAccount()
}

// beginKind is begin for methods that name a kind.
func (t *tx) beginKind(ctx context.Context, k *store.Kind, write bool) (*table, error) {
	if err := t.begin(ctx, write); err != nil {
		return nil, err
	}
	return t.tableOf(k)
}

// tableOf returns the table of a prepared kind.
func (t *tx) tableOf(k *store.Kind) (*table, error) {
	table, ok := t.prepared.tables[k.Name]
	if !ok || !slices.Equal(table.columns, k.Columns) {
		return nil, fmt.Errorf("postgres: kind %s was not prepared with these columns", k.Name)
	}
	return table, nil
}

// ChangeToken implements store.ChangeTracker: it returns the number of updates that have
// changed records of the account, and the epoch.
func (t *tx) ChangeToken(ctx context.Context) (token int64, known bool, err error) {
	if err := t.begin(ctx, false); err != nil || t.write {
		return 0, false, err
	}
	if !t.resolved {
		if err := t.readAccount(); err != nil {
			return 0, false, err
		}
	}
	if t.no == 0 || t.commits == 0 {
		return 0, false, nil
	}
	return t.epoch<<48 | t.commits, true, nil
}

// lockAccount begins an Update: it takes the lock on the schema and that of the account,
// which it adds if it is new. In READ COMMITTED, later statements see what was committed
// before the lock was granted. It also takes a block of numbers for new records: the
// account is locked in a subquery, because the sequence must not be read before.
//
// The statements of also are sent with it. They must be sent again if the tables of kinds or
// the number of the account turn out to be other ones than this process knew: sent is false.
func (t *tx) lockAccount(schema string, also ...read) (sent bool, err error) {
	t.queueBegin("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE")
	t.queue(schema)
	var version int64
	var no *int64
	lock := read{`WITH locked AS MATERIALIZED (SELECT no FROM accounts WHERE id = $1 FOR UPDATE)
		SELECT locked.no, meta.value, nextval('rids') FROM meta LEFT JOIN locked ON true WHERE meta.name = 'prepared'`,
		[]any{[16]byte(t.account)}, func(rows pgx.Rows) error { return rows.Scan(&no, &version, &t.nextRid) }}
	expected := t.no
	if err := t.send(append([]read{lock}, also...)...); err != nil {
		return false, err
	}
	t.locked, t.ridEnd = true, t.nextRid+ridBlock
	sent = len(also) > 0 && version == t.prepared.version && no != nil && *no == expected
	if version != t.prepared.version {
		if t.prepared, err = t.store.reload(t, version); err != nil {
			return false, err
		}
	}
	if no == nil {
		t.queue("INSERT INTO accounts (id) VALUES ($1) ON CONFLICT (id) DO NOTHING", [16]byte(t.account))
		if err := t.send(lock); err != nil {
			return false, err
		}
		t.ridEnd = t.nextRid + ridBlock
	} else {
		t.store.accounts.Store(t.account, *no)
	}
	t.no = *no
	return sent, nil
}

// commit ends a transaction of updates whose closures returned nil.
func (t *tx) commit(updates int) error {
	if t.failed != nil {
		// The closure may have ignored the error.
		return t.failed
	}
	if !t.locked {
		return nil // the closure has read and written nothing
	}
	began := time.Now()
	t.queueWrites(t.commitStatements()...)
	t.queueEmptyChunks()
	err := t.send(read{sql: "COMMIT"})
	if t.store.opts.OnCommit != nil {
		t.store.opts.OnCommit(updates, time.Since(began), err)
	}
	return err
}

// end ends the transaction: what was not committed is rolled back. A connection that
// fails here is closed by the pool.
func (t *tx) end() {
	t.closed = true
	if !t.begun || t.conn.IsClosed() || t.conn.PgConn().TxStatus() == 'I' {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	_, _ = t.conn.Exec(ctx, "ROLLBACK")
}
