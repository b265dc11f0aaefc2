package tracking

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/landfallhq/tracking/internal/table"
	"github.com/landfallhq/tracking/store"
)

// transaction is a transaction of one account: that of the store, and what the engine
// adds to it.
type transaction struct {
	table.Tx
	engine *engine
	ledger *ledger // nil outside Update and in the system scope
	// wakes are the kinds of added jobs: their workers are woken after the commit.
	wakes []store.JobKind
	// announced are the events of the transaction, in order; aboutExceptions follow them,
	// and trailing follow all others.
	announced, aboutExceptions, trailing []Announcement
	initialFields                        map[string]initialField // see carriedBy
	// audit records what an actor changes; nil when the engine itself does.
	audit *auditRecorder
	// changes are what is written, for Watch; nil if nobody watches.
	changes *changeCollector
	// showsSecrets: webhooks are rendered for an actor who may see their secrets.
	showsSecrets bool
	// Account is the scope of the transaction.
	Account AccountID
}

// enqueue adds a job, or replaces the one with its ID.
func (tx *transaction) enqueue(j store.Job) error {
	tx.wakeFor(j.Kind)
	return tx.Records.Enqueue(tx, j)
}

// enqueueBy adds a job, or moves the one with its ID to an earlier time; see
// RecordTx.EnqueueBy.
func (tx *transaction) enqueueBy(j store.Job) error {
	tx.wakeFor(j.Kind)
	return tx.Records.EnqueueBy(tx, j)
}

// wakeFor wakes the workers of a kind of job after the commit.
func (tx *transaction) wakeFor(kind store.JobKind) {
	if !slices.Contains(tx.wakes, kind) {
		tx.wakes = append(tx.wakes, kind)
	}
}

// clock is the exact time, which the claims of jobs use. Now may be up to a second
// earlier, or later if the clock was set back.
func (tx *transaction) clock() time.Time { return tx.engine.config.Clock.Now().UTC() }

func (e *engine) newTransaction(ctx context.Context, r store.RecordTx, a AccountID) *transaction {
	return &transaction{Tx: table.Tx{Context: ctx, Records: r, Now: e.now()}, engine: e, Account: a}
}

// Snapshot calls fn with a context. All reads of the actor's account with that context, by
// this Tracker or by one that For returned, see one state, so that pages of a list repeat and
// miss nothing while data changes. What fn writes is not seen. The context must not be used
// by several goroutines at a time, nor after fn, and a Snapshot within fn must be of the same
// account. SQLite and PostgreSQL keep what is replaced meanwhile until fn returns, and SQLite
// refuses writes when its log is full, so fn must not wait for a client. It returns the error
// of fn.
func (t *Tracker) Snapshot(ctx context.Context, fn func(context.Context) error) error {
	if err := t.refs.load(ctx); err != nil { // later it would need another connection
		return err
	}
	return t.view(ctx, t.actor.Account, func(tx *transaction) error {
		return fn(context.WithValue(ctx, snapshotKey{}, tx))
	})
}

// snapshotKey is that of the transaction of Snapshot in a context.
type snapshotKey struct{}

// inSnapshot reports whether a context is that of a Snapshot of this engine.
func (e *engine) inSnapshot(ctx context.Context) bool {
	tx, ok := ctx.Value(snapshotKey{}).(*transaction)
	return ok && tx.engine == e
}

// snapshotOf returns the records of the account in the snapshot that a context has.
func (e *engine) snapshotOf(ctx context.Context, a AccountID) (r store.RecordTx, ok bool) {
	tx, ok := ctx.Value(snapshotKey{}).(*transaction)
	if !ok || tx.engine != e || tx.Account != a {
		return nil, false
	}
	return tx.Records, true
}

func (e *engine) view(ctx context.Context, a AccountID, fn func(*transaction) error) error {
	if r, ok := e.snapshotOf(ctx, a); ok {
		return fn(e.newTransaction(ctx, r, a))
	}
	return e.describeNewer(e.config.Store.View(ctx, a, func(r store.RecordTx) error { return fn(e.newTransaction(ctx, r, a)) }))
}

// viewRepeatably is view for an fn that may run more than once.
func (e *engine) viewRepeatably(ctx context.Context, a AccountID, fn func(*transaction) error) error {
	if _, ok := e.snapshotOf(ctx, a); ok {
		return e.view(ctx, a, fn)
	}
	return e.describeNewer(store.ViewRepeatably(ctx, e.config.Store, a, func(r store.RecordTx) error { return fn(e.newTransaction(ctx, r, a)) }))
}

// update runs fn in a transaction. Its Now never goes back within the account, even
// if the clock does: updated_at and received_at depend on that. The notifications
// of announced events are written in the same transaction.
func (e *engine) update(ctx context.Context, a AccountID, fn func(*transaction) error) error {
	return e.updateAudited(ctx, a, nil, fn)
}

// updateAudited is update for an actor; a nil operation is one of the engine itself.
func (e *engine) updateAudited(ctx context.Context, a AccountID, by *operation, fn func(*transaction) error) error {
	return e.updateAhead(ctx, a, by, nil, fn)
}

// updateAhead is updateAudited for an fn that will make these reads; nil for none that is
// known. Reads is called if the store can make them together.
func (e *engine) updateAhead(ctx context.Context, a AccountID, by *operation, reads func() []store.Read, fn func(*transaction) error) error {
	var last *transaction // of the last run
	run := func(known bool) error {
		// Waiting callers must not pile up behind a blocked writer. The limit is for the
		// turn alone, of each run; ctx limits fn.
		turn, cancel := context.WithTimeout(ctx, e.config.WriteWait)
		defer cancel()
		return e.config.Store.Update(turn, a, func(r store.RecordTx) error {
			last = e.newTransaction(ctx, r, a)
			last.recordAudit(by)
			last.collectChanges()
			if err := last.prefetchFirst(reads); err != nil {
				return err
			}
			return last.run(fn, known)
		})
	}
	err := run(false)
	if errors.Is(err, errTerminalsNotLoaded) {
		if err = e.refs.load(ctx); err == nil {
			err = run(true)
		}
	}
	if err == nil {
		e.callOnAnnounce(ctx, last.announced)
		e.notifyWatchers(last)
		e.notifyFollowers(last)
		for _, kind := range last.wakes {
			e.workersOf(kind).Wake()
		}
	}
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		return fmt.Errorf("%w: no turn to write within %s", ErrUnavailable, e.config.WriteWait)
	}
	return e.describeNewer(err)
}

// prefetchFirst announces the read of the ledger, and reads.
func (tx *transaction) prefetchFirst(reads func() []store.Read) error {
	if tx.Account == (AccountID{}) {
		return nil
	}
	return tx.prefetch(func() []store.Read {
		list := []store.Read{{Kind: ledgers.Kind, IDs: []ID{ledgerID}}}
		if reads != nil {
			list = append(list, reads()...)
		}
		return list
	})
}

// prefetch announces reads, if the store can make them together.
func (tx *transaction) prefetch(reads func() []store.Read) error {
	if p, ok := tx.Records.(store.Prefetcher); ok {
		return p.Prefetch(tx, reads())
	}
	return nil
}

// viewing returns what read reads on a snapshot of an account; the zero value with an error.
// read may run more than once.
func viewing[V any](ctx context.Context, e *engine, a AccountID, read func(*transaction) (V, error)) (v V, err error) {
	err = e.viewRepeatably(ctx, a, func(tx *transaction) error {
		v, err = read(tx)
		return err
	})
	if err != nil {
		v = *new(V)
	}
	return v, err
}

// updateFound changes a record of the actor's account and returns it: the one that find
// reads. The operation is that of the audit log. It must have the given version; 0 means any. change writes the record.
func updateFound[T any](ctx context.Context, t *Tracker, operation string, version int64, find func(*transaction) (*T, error), change func(*transaction, *T) error) (v *T, err error) {
	err = t.change(ctx, operation, t.actor.Account, func(tx *transaction) error {
		v, err = changeFound(tx, version, find, change)
		return err
	})
	if err != nil {
		return nil, err
	}
	return v, nil
}

// changeFound is updateFound within a transaction.
func changeFound[T any](tx *transaction, version int64, find func(*transaction) (*T, error), change func(*transaction, *T) error) (*T, error) {
	v, err := find(tx)
	if err == nil {
		err = checkVersion(version, metaOf(v).Version)
	}
	if err == nil {
		err = change(tx, v)
	}
	return v, err
}

// withID returns a function that reads the record with an ID.
func withID[T any](n *resource[T], id ID) func(*transaction) (*T, error) {
	return func(tx *transaction) (*T, error) { return n.Get(tx, id) }
}

// errTerminalsNotLoaded ends a transaction that needs imported terminals for its
// notifications and has not loaded them. Loading takes a view, so the transaction
// runs again after it.
var errTerminalsNotLoaded = errors.New("tracking: the imported terminals are not known yet")

// run runs fn with the ledger and the notifications of an account. known: the
// imported terminals have just been loaded.
func (tx *transaction) run(fn func(*transaction) error, known bool) error {
	if tx.Account == (AccountID{}) {
		if err := fn(tx); err != nil {
			return err
		}
		return tx.writeAudit()
	}
	l, err := openLedger(tx)
	if err != nil {
		return err
	}
	if err := fn(tx); err != nil {
		return err
	}
	tx.announced = slices.Concat(tx.announced, tx.aboutExceptions, tx.trailing)
	if err := writeNotifications(tx, tx.announced, known); err != nil {
		return err
	}
	if err := tx.writeAudit(); err != nil {
		return err
	}
	return l.close(tx)
}

// ledger is the account's own record: the number of facts it has received, and the
// latest time it has written.
type ledger struct {
	Meta
	Facts int64     `private:"facts"`
	At    time.Time `private:"at"`
	// ClosedAt is a copy of the account's, whose record is in another scope: each
	// transaction checks it. Zero while open.
	ClosedAt time.Time `private:"closed_at"`
	// DeletedAt is when the account was deleted: nothing is written in it since. Zero
	// otherwise.
	DeletedAt time.Time `private:"deleted_at"`
	// DuplicateDocuments is a copy of the account's setting.
	DuplicateDocuments DuplicateDocuments `private:"duplicate_documents"`
	// Documents: the account has or had documents, so that they are searched for
	// new shipments.
	Documents bool `private:"documents"`
	// Renewing and Renewed are program generations; see lower.
	Renewing int `private:"renewing"`
	Renewed  int `private:"renewed"`
	// Tariffs counts the changes of the account's tariffs; 0: it never had any.
	Tariffs int64 `private:"tariffs"`
	// ExceptionSettings counts the changes of the account's thresholds; 0: they are the
	// defaults.
	ExceptionSettings int64 `private:"exception_settings"`
	// Events is the position of the last recorded event; 0: none ever was. All positions
	// after EventsSince were given to events, without a gap.
	Events      int64 `private:"events"`
	EventsSince int64 `private:"events_since"`
	// EventsFollowedAt is when the events were last read, to a day; see recordsEvents.
	EventsFollowedAt time.Time `private:"events_followed_at"`
	// EventsMissed: events were announced and not recorded since the last recorded one.
	EventsMissed bool `private:"events_missed"`

	read ledgerMarks // as read
}

// ledgerMarks are the members of a ledger that rarely change.
type ledgerMarks struct {
	facts      int64
	closedAt   int64
	deletedAt  int64
	duplicates DuplicateDocuments
	documents  bool
	renewing   int
	renewed    int
	tariffs    int64

	exceptionSettings int64
	events            eventMarks
}

func (l *ledger) marks() ledgerMarks {
	return ledgerMarks{l.Facts, l.ClosedAt.UnixMicro(), l.DeletedAt.UnixMicro(), l.DuplicateDocuments, l.Documents, l.Renewing, l.Renewed, l.Tariffs, l.ExceptionSettings, l.eventMarks()}
}

var ledgers = newKind[ledger]("ledger", nil, nil, nil).InGeneration(5)

var ledgerID = table.NamedID("ledger", "")

func openLedger(tx *transaction) (*ledger, error) {
	l, err := ledgers.Get(tx, ledgerID)
	if errors.Is(err, ErrNotFound) {
		l, err = &ledger{Meta: Meta{ID: ledgerID}, Renewing: programGeneration(), Renewed: programGeneration()}, nil
	}
	if err != nil {
		return nil, err
	}
	if !l.DeletedAt.IsZero() {
		return nil, errAccountDeleted
	}
	if tx.Now.Before(l.At) {
		tx.Now = l.At
	}
	l.read = l.marks()
	tx.ledger = l
	return l, nil
}

// close writes the ledger if the transaction has written a record with its time.
func (l *ledger) close(tx *transaction) error {
	if tx.Wrote {
		l.lower()
	}
	if l.marks() == l.read && (!tx.Wrote || !tx.Now.After(l.At)) {
		return nil
	}
	l.At = tx.Now
	return ledgers.Put(tx, l)
}

// checkVersion refuses a change that was made to another version; 0 skips the
// check.
func checkVersion(want, have int64) error {
	if want != 0 && want != have {
		return &Error{Kind: Stale, Code: "stale", Detail: fmt.Sprintf("the record is at version %d, not %d: read it again and repeat the change", have, want)}
	}
	return nil
}
