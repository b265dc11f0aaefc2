package tracking

import (
	"context"
	"fmt"
	"time"

	"github.com/landfallhq/tracking/freight"
)

// One transaction of CloseAccount reads so many requests or shipments, and ends
// with the one by which it has written so many records: a shipment comes with
// its boxes.
const (
	closePage    = 100
	closeRecords = 500
)

// CloseAccount ends the use of an account, and keeps all it holds: its keys are
// revoked and no new ones are made, its requests that still wait fail with
// expired, its shipments are no longer followed, with the reason account_closed,
// and reports are refused. It returns how many shipments that were. It is for the
// operator; broken off, it may be called again, and closing a closed account
// does what is left to do. A host that authenticates by itself has to turn the
// account's users away itself.
// Errors: NotFound.
func (t *Tracker) CloseAccount(ctx context.Context, name string) (stopped int, err error) {
	if err := t.operator(); err != nil {
		return 0, err
	}
	account, err := t.endAccess(ctx, name)
	if err != nil {
		return 0, err
	}
	if err := t.markClosed(ctx, account); err != nil {
		return 0, err
	}
	waiting := TrackingRequestQuery{Statuses: []RequestStatus{RequestPending, RequestAwaitingManifest}}
	_, err = inBatches(ctx, t, account.Scope(), trackingRequests, waiting.where(), func(tx *Tx, r *TrackingRequest) (int, error) {
		return 1, failRequest(tx, r, freight.RequestExpired)
	})
	if err != nil {
		return 0, err
	}
	return inBatches(ctx, t, account.Scope(), shipments, ShipmentQuery{Stopped: No}.where(), func(tx *Tx, s *Shipment) (int, error) {
		if err := stop(tx, s, StoppedAccountClosed, ID{}); err != nil {
			return 0, err
		}
		return 1 + len(s.Containers), putShipment(tx, s)
	})
}

// ReopenAccount lets keys be made for a closed account again, and takes reports
// for it. Its shipments stay stopped until somebody resumes them, or asks for them anew.
// Errors: NotFound.
func (t *Tracker) ReopenAccount(ctx context.Context, name string) error {
	if err := t.operator(); err != nil {
		return err
	}
	var account *Account
	err := t.update(ctx, AccountID{}, func(tx *Tx) (err error) {
		if account, err = accountNamed(tx, name); err != nil {
			return err
		}
		account.ClosedAt = time.Time{}
		return table(tx, accounts).Put(account)
	})
	if err != nil {
		return err
	}
	return t.markClosed(ctx, account)
}

// markClosed notes in the account's own scope whether it is closed.
func (t *Tracker) markClosed(ctx context.Context, account *Account) error {
	return t.update(ctx, account.Scope(), func(tx *Tx) error {
		tx.ledger.ClosedAt = account.ClosedAt
		return nil
	})
}

// endAccess notes that the account is closed and revokes its keys.
func (t *Tracker) endAccess(ctx context.Context, name string) (account *Account, err error) {
	err = t.update(ctx, AccountID{}, func(tx *Tx) error {
		if account, err = accountNamed(tx, name); err != nil {
			return err
		}
		if account.ClosedAt.IsZero() {
			account.ClosedAt = tx.Now
			if err := table(tx, accounts).Put(account); err != nil {
				return err
			}
		}
		keys, err := keysOf(tx, account.Scope())
		if err != nil {
			return err
		}
		for _, key := range keys {
			if !key.RevokedAt.IsZero() {
				continue
			}
			key.RevokedAt = tx.Now
			if err := table(tx, apiKeys).Put(key); err != nil {
				return err
			}
		}
		return nil
	})
	return account, err
}

// inBatches changes everything that matches until nothing does: what change has
// been at must match no more. change returns how many records it has written.
// inBatches returns how many matched.
func inBatches[T any](ctx context.Context, t *Tracker, a AccountID, n *resource[T], w where[T], change func(*Tx, *T) (int, error)) (changed int, err error) {
	for {
		batch, left := 0, 0
		err := t.update(ctx, a, func(tx *Tx) error {
			list, all, err := table(tx, n).List(w, Page{Number: 1, Size: closePage})
			if err != nil {
				return err
			}
			batch, left = 0, all
			for written := 0; batch < len(list) && written < closeRecords; batch, left = batch+1, left-1 {
				more, err := change(tx, list[batch])
				if err != nil {
					return err
				}
				written += more
			}
			return nil
		})
		if err != nil {
			return changed, err
		}
		if changed += batch; left == 0 {
			return changed, nil
		}
	}
}

// refuseClosed refuses what is not to be done for a closed account.
func refuseClosed(account string, at time.Time) error {
	if at.IsZero() {
		return nil
	}
	return &Error{Kind: Invalid, Field: "account", Code: "closed", Detail: fmt.Sprintf("%s was closed at %s; reopen it first", account, at.Format(time.RFC3339))}
}

// refuseReports refuses what is told to a closed account.
func refuseReports(tx *Tx) error { return refuseClosed("the account", tx.ledger.ClosedAt) }
