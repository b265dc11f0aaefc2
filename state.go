package tracking

import (
	"context"

	"github.com/landfallhq/tracking/store"
)

// ChangeToken is what an account held at a moment, reference data included, without
// saying it: the same Query, Page and include select the same at two moments of one
// State. States are compared with ==. The zero State is that of no moment.
type ChangeToken struct {
	engine  *engine
	account AccountID
	// records is the store's number of it, references that of the imported
	// terminals, which are not of the account. All else that is selected from is
	// compiled in.
	records, references int64
}

// Unchanged reports whether the account is in this state now, as a new Selection
// would find it. It reads no record. False also means that it is not known: not
// every store can tell, and none always. Needs show.
func (t *Tracker) Unchanged(ctx context.Context, c ChangeToken) (unchanged bool, err error) {
	if err := t.allow(Show); err != nil {
		return false, err
	}
	if c.engine != t.engine || c.account != t.actor.Account {
		return false, nil
	}
	if err := t.refs.load(ctx); err != nil {
		return false, err
	}
	if now := t.refs.imported.Load(); now == nil || now.form != c.references {
		return false, nil
	}
	err = t.config.Store.View(ctx, c.account, func(tx store.RecordTx) error {
		records, known, err := changeToken(ctx, tx)
		unchanged = known && records == c.records
		return err
	})
	return unchanged, err
}

// changeToken is State of a transaction whose store can tell.
func changeToken(ctx context.Context, tx store.RecordTx) (token int64, known bool, err error) {
	if s, ok := tx.(store.ChangeTracker); ok {
		return s.ChangeToken(ctx)
	}
	return 0, false, nil
}
