package postgres

import (
	"context"
	"errors"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/landfallhq/tracking/store"
)

// View runs fn on the snapshot that its first read takes, in one transaction.
func (s *Store) View(ctx context.Context, a store.AccountID, fn func(store.RecordTx) error) error {
	return s.view(ctx, a, &viewSteps{together: true}, fn)
}

// ViewRepeatably implements store.RepeatViewer. Most views read once or twice, so no
// transaction is kept open for them, which a round trip of its own would have to end. Each
// round trip reads the number of the account's last commit too. While that is the same,
// nothing of the account was changed in between. If it differs, fn runs again, in one
// transaction.
func (s *Store) ViewRepeatably(ctx context.Context, a store.AccountID, fn func(store.RecordTx) error) error {
	err := s.view(ctx, a, &viewSteps{}, fn)
	if errors.Is(err, errMoved) {
		err = s.View(ctx, a, fn)
	}
	return err
}

func (s *Store) view(ctx context.Context, a store.AccountID, steps *viewSteps, fn func(store.RecordTx) error) error {
	conn, err := s.acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	t := s.newTx(conn.Conn(), a)
	defer t.end()
	t.steps = steps
	err = fn(t)
	if t.failed == errMoved { // also if fn has ignored it
		return errMoved
	}
	return err
}

// errMoved: something of the account was changed between the round trips of a view.
var errMoved = errors.New("postgres: the account was changed between two reads")

// viewSteps are the round trips of a View.
type viewSteps struct {
	made        int
	together    bool  // all are one transaction
	begun       bool  // a transaction stays open, for all that follow
	alone       bool  // the next one is a statement that reads the account itself
	no, commits int64 // what the first one has read of the account
	version     int64 // of the tables of kinds, as the last one has read it
}

// maxSteps is how many round trips of a View are transactions of their own, at most: the
// longer a view, the likelier is a commit.
const maxSteps = 3

// queueStep adds the statement that reads the number of the last commit to the reads of a
// round trip. The first round trip is a transaction if it has several reads, which must be of
// one snapshot. Later ones need none: what was read before the number that the first one has
// read too is of its state.
func (t *tx) queueStep(reads []read) []read {
	v := t.steps
	first, account := v.made == 0, t.accountRead()
	switch {
	case v.alone || v.begun:
		return reads
	case v.together || v.made == maxSteps:
		v.begun = true
		t.queueBegin(beginView)
		return append([]read{account}, reads...)
	case first && len(reads) > 1 || t.store.pooled:
		t.queueBegin(beginView)
		return append(append([]read{account}, reads...), read{sql: "COMMIT"})
	case first:
		return append([]read{account}, reads...)
	}
	return append(slices.Clip(reads), account)
}

const beginView = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"

// check compares what a round trip has read of the account with the first one.
func (v *viewSteps) check(t *tx) error {
	t.resolved = true
	if v.made++; v.made == 1 {
		v.no, v.commits = t.no, t.commits
	} else if v.no != t.no || v.commits != t.commits {
		return errMoved
	}
	return nil
}

// resolveAccount reads the number of the account in a View, if this process does not know it.
// Without one, the account has no records, and none has the number 0.
func (t *tx) resolveAccount() error {
	if t.resolved || t.write {
		return nil
	}
	if no, ok := t.store.accounts.Load(t.account); ok {
		t.no = no.(int64)
		return nil
	}
	return t.readAccount()
}

// readAccount reads the numbers of the account and of its last commit in a View.
func (t *tx) readAccount() (err error) {
	if t.sendsAlone() {
		err = t.sendAlone(t.accountRead())
	} else {
		err = t.send() // each step reads them
	}
	if err == nil && t.no != 0 {
		t.store.accounts.Store(t.account, t.no)
	}
	return err
}

// accountRead returns the statement that reads the number of the account and of its last
// commit, and the version of the tables of kinds.
func (t *tx) accountRead() read {
	return read{"SELECT accounts.no, accounts.commit, meta.value FROM meta LEFT JOIN accounts ON accounts.id = $1 WHERE meta.name = 'prepared'",
		[]any{[16]byte(t.account)}, func(rows pgx.Rows) error {
			var no, commits *int64
			if err := rows.Scan(&no, &commits, &t.steps.version); err != nil || no == nil {
				return err
			}
			t.no, t.commits = *no, *commits
			return nil
		}}
}

// sendsAlone reports whether a statement that reads the account itself needs no transaction.
// Through a pooler it does, which sets its time-outs.
func (t *tx) sendsAlone() bool {
	return t.steps != nil && !t.steps.together && !t.steps.begun && !t.store.pooled
}

// sendAlone sends such a statement.
func (t *tx) sendAlone(r read) error {
	t.steps.alone = true
	err := t.send(r)
	t.steps.alone = false
	return err
}

// recordOfAccount reads a record, and with it the number of the account's last commit.
func (t *tx) recordOfAccount(table *table, id store.ID) (found *row, err error) {
	sql := "SELECT accounts.no, accounts.commit, r.id, r.version, r.revision, r.doc, r.private FROM accounts LEFT JOIN " + table.name +
		" r ON r.account = accounts.no AND r.id = $2 WHERE accounts.no = $1"
	err = t.sendAlone(read{sql, []any{t.no, [16]byte(id)}, func(rows pgx.Rows) error {
		r := newRow(table)
		var id *[16]byte
		var version *int64
		var revision *string
		if err := rows.Scan(&t.no, &t.commits, &id, &version, &revision, &r.doc, &r.private); err != nil || id == nil {
			return err
		}
		r.id, r.version, r.revision = *id, *version, *revision
		found = r
		return nil
	}})
	return found, err
}
