package tracking_test

import (
	"context"
	"testing"

	"github.com/landfallhq/tracking/store"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/trackingtest"
)

// stateful is a store that can tell states: each account's is how often it was
// updated, unless a test says otherwise.
type stateful struct {
	tracking.Store
	updates map[tracking.AccountID]int64
	unknown bool
}

func (s *stateful) Update(ctx context.Context, a tracking.AccountID, fn func(store.RecordTx) error) error {
	s.updates[a]++
	return s.Store.Update(ctx, a, fn)
}

func (s *stateful) View(ctx context.Context, a tracking.AccountID, fn func(store.RecordTx) error) error {
	return s.Store.View(ctx, a, func(tx store.RecordTx) error { return fn(&statefulTx{tx, s, s.updates[a]}) })
}

type statefulTx struct {
	store.RecordTx
	store *stateful
	state int64
}

func (tx *statefulTx) ChangeToken(context.Context) (int64, bool, error) {
	return tx.state, !tx.store.unknown, nil
}

// TestUnchanged: a State holds for as long as nothing changes that can be selected, and
// for the account and engine that it is of. Guards each comparison in Unchanged, and
// follows.
func TestUnchanged(t *testing.T) {
	store := &stateful{updates: map[tracking.AccountID]int64{}}
	b := trackingtest.New(t, func(c *tracking.Config) { store.Store, c.Store = c.Store, store })
	ctx := t.Context()
	state := func(tr *tracking.Tracker) tracking.ChangeToken {
		t.Helper()
		s, err := tr.Rendered().List(ctx, tracking.ShipmentQuery{}, tracking.Page{Number: 1, Size: 1}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return s.ChangeToken
	}
	still := func(tr *tracking.Tracker, s tracking.ChangeToken, want bool, why string) {
		t.Helper()
		if got, err := tr.Rendered().Unchanged(ctx, s); err != nil || got != want {
			t.Errorf("%s: %v, %v", why, got, err)
		}
	}
	begun := state(b.Tracker)
	still(b.Tracker, begun, true, "nothing has happened")
	if state(b.Tracker) != begun {
		t.Error("nothing has happened, and the State is another")
	}
	still(b.Tracker, tracking.ChangeToken{}, false, "the zero State")
	other, _, err := b.Operator.EnsureAccount(ctx, "other")
	if err != nil {
		t.Fatal(err)
	}
	theirs := b.Operator.For(tracking.Actor{Account: other.Scope()})
	still(theirs, begun, false, "another account")
	store.updates[other.Scope()] = store.updates[b.Account.Scope()] // the same number, of another account
	still(theirs, begun, false, "another account with the same number")
	second := trackingtest.New(t, func(c *tracking.Config) { c.Store = store })
	still(second.Operator.For(tracking.Actor{Account: b.Account.Scope()}), begun, false, "another engine")

	if _, err := b.CreateParty(ctx, tracking.NewParty{CompanyName: "Acme"}); err != nil {
		t.Fatal(err)
	}
	still(b.Tracker, begun, false, "a change of the account")
	changed := state(b.Tracker)
	terminals := []tracking.ImportedTerminal{{LOCODE: "USLAX", SMDG: "WBCT", Name: "West Basin"}}
	for _, name := range []string{"West Basin", "West Basin Terminal"} {
		terminals[0].Name = name
		if err := b.Operator.ImportTerminals(ctx, terminals); err != nil {
			t.Fatal(err)
		}
		still(b.Tracker, changed, false, "an imported terminal that is new or changed")
		changed = state(b.Tracker)
	}
	if err := b.Operator.ImportTerminals(ctx, terminals); err != nil {
		t.Fatal(err)
	}
	still(b.Tracker, changed, true, "the same terminals again")

	blind := b.Operator.For(tracking.Actor{Account: b.Account.Scope(), Permissions: []tracking.Permission{tracking.Create}})
	if _, err := blind.Rendered().Unchanged(ctx, changed); !isKind(err, tracking.Forbidden) {
		t.Errorf("without show: %v", err)
	}
	store.unknown = true
	still(b.Tracker, changed, false, "a store that cannot tell")
	if state(b.Tracker) != (tracking.ChangeToken{}) {
		t.Error("a State of a store that cannot tell")
	}
	plain := trackingtest.New(t)
	if state(plain.Tracker) != (tracking.ChangeToken{}) {
		t.Error("a State of the memory store")
	}
}
