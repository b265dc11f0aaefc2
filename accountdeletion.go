package tracking

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/landfallhq/tracking/store"
)

// AccountBlobs are Blobs that can delete all blobs of an account at once, those too that no
// upload names. Blobs that are none keep what DeleteAccount leaves until they are swept.
type AccountBlobs interface {
	Blobs
	DeleteAccount(ctx context.Context, a AccountID) error
}

const (
	// deletionBatch is how many records a transaction of DeleteAccount deletes.
	deletionBatch = 200
	// maxDeletionPause bounds the pause after each transaction, in which others write.
	maxDeletionPause = time.Second
)

// errAccountDeleted is the error of every write in an account that is or was deleted. It is
// that of an unknown key, since the keys of the account are gone.
var errAccountDeleted = &Error{Kind: Unauthorized, Detail: "Invalid or missing API token."}

// DeleteAccount deletes an account with everything of it: records, facts, jobs, the files
// of documents, users, keys and its audit log. What stays is its ID, so that nothing can be
// written under it again, and an event of the operator's audit log without its name. It
// returns the number of deleted records and jobs.
//
// From the first transaction on the account is closed and its keys are revoked; from the
// second on every write in it fails. The rest is done in many transactions, with pauses for
// other writers. If it is interrupted, call it again: it does the rest. It is for the
// operator. Errors: NotFound.
func (t *Tracker) DeleteAccount(ctx context.Context, name string) (deleted int, err error) {
	if err := t.operator(); err != nil {
		return 0, err
	}
	deleter, ok := t.config.Store.(store.AccountDeleter)
	if !ok {
		return 0, fmt.Errorf("tracking: %w: a %T deletes no accounts", errors.ErrUnsupported, t.config.Store)
	}
	account, err := t.beginDeletion(ctx, name)
	if err != nil {
		return 0, err
	}
	for {
		began := t.config.Clock.Now()
		n, err := deleter.DeleteAccount(ctx, account.Scope(), deletionBatch, ledgers.Kind)
		if err != nil {
			return deleted, err
		}
		if n == 0 {
			break
		}
		deleted += n
		if err := pause(ctx, min(t.config.Clock.Now().Sub(began), maxDeletionPause)); err != nil {
			return deleted, err
		}
	}
	if blobs, ok := t.config.Blobs.(AccountBlobs); ok {
		if err := blobs.DeleteAccount(ctx, account.Scope()); err != nil {
			return deleted, err
		}
	}
	n, err := t.endDeletion(ctx, account)
	return deleted + n, err
}

// pause waits, so that a process that deletes leaves others their turn.
func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// beginDeletion ends the access to an account, and every write in it.
func (t *Tracker) beginDeletion(ctx context.Context, name string) (account *Account, err error) {
	err = t.change(ctx, "account.delete", AccountID{}, func(tx *transaction) error {
		if account, err = accountNamed(tx, name); err != nil {
			return err
		}
		return markDeleted(tx, account)
	})
	if err != nil {
		return nil, err
	}
	err = t.update(ctx, account.Scope(), func(tx *transaction) error {
		*tx.ledger = ledger{Meta: tx.ledger.Meta, At: tx.Now, ClosedAt: tx.Now, DeletedAt: tx.Now, Renewing: tx.ledger.Renewing, Renewed: tx.ledger.Renewed, read: tx.ledger.read}
		return nil
	})
	if errors.Is(err, errAccountDeleted) { // it was begun before
		err = nil
	}
	return account, err
}

func markDeleted(tx *transaction, account *Account) error {
	if account.DeletedAt.IsZero() {
		account.DeletedAt = tx.Now
		if account.ClosedAt.IsZero() {
			account.ClosedAt = tx.Now
		}
		if err := accounts.Put(tx, account); err != nil {
			return err
		}
	}
	return revokeKeys(tx, account)
}

// endDeletion deletes what the system has of an account.
func (t *Tracker) endDeletion(ctx context.Context, account *Account) (deleted int, err error) {
	err = t.update(ctx, AccountID{}, func(tx *transaction) error {
		deleted = 0
		keys, err := keysOf(tx, account.Scope())
		if err != nil {
			return err
		}
		events, err := auditEvents.All(tx, auditEventsOf(account.Scope()))
		if err != nil {
			return err
		}
		for _, key := range keys {
			err = errors.Join(err, apiKeys.Delete(tx, key.ID))
		}
		for _, event := range events {
			err = errors.Join(err, auditEvents.Delete(tx, event.ID))
		}
		deleted = len(keys) + len(events) + 1
		return errors.Join(err, accounts.Delete(tx, account.ID))
	})
	return deleted, err
}

// auditEventsOf selects the events in the system scope that belong to an account and were not
// moved to it yet.
func auditEventsOf(a AccountID) (w where[AuditEvent]) {
	w.IDs("account", []ID{ID(a)}, func(e *AuditEvent) ID { return ID(e.Account) })
	return w
}

// isDeleted reports whether an account is or was deleted.
func isDeleted(tx *transaction) (bool, error) {
	l, err := ledgers.Get(tx, ledgerID)
	return err == nil && !l.DeletedAt.IsZero(), ignoreNotFound(err)
}
