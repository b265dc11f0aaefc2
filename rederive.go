package tracking

import (
	"context"
	"errors"
)

// rederiving is the report that says nothing: all facts of the shipment that it
// is about are derived anew, and nothing is announced.
var rederiving = Report{Source: "rederive", Silent: true}

// Rederive runs the present rules over all facts of an account again and
// returns how many shipments it has gone through. Nothing is announced; events
// that the present rules no longer derive are invalidated. New rules reach all
// shipments without it, by Run; it is for the operator who changes the tables of
// Config.Reference. It may be run at any time and beside a running server.
func (t *Tracker) Rederive(ctx context.Context, a AccountID) (int, error) {
	if err := t.operator(); err != nil {
		return 0, err
	}
	var all []*following
	err := t.view(ctx, a, func(tx *Tx) error {
		list, err := table(tx, shipments).All(where[Shipment]{})
		for _, s := range list {
			all = append(all, s.following())
		}
		return err
	})
	if err != nil {
		return 0, err
	}
	for i, f := range all {
		if err := t.rederive(ctx, a, f); err != nil {
			return i, err
		}
	}
	return len(all), nil
}

// rederive derives a stored shipment anew.
func (t *Tracker) rederive(ctx context.Context, a AccountID, f *following) error {
	_, err := t.ingest(ctx, a, rederiving, handing{follow: f})
	return err
}

// following is how a stored shipment is followed.
func (s *Shipment) following() *following {
	return &following{ShipmentNumber{s.NumberType, s.BillOfLadingNumber}, s.ShippingLineSCAC, s.ID}
}

// outdated reports whether the shipment was derived by other rules than the
// present ones.
func (s *Shipment) outdated() bool { return s.Version > 0 && s.Rules != RulesVersion }

// byPresentRules returns the plan as it is made on shipments that the present
// rules have derived. Those that older ones have are derived anew first, and
// silently: what follows from the rules is not news, and what follows from the
// report is told from it. The plan is as the transaction sees it.
func (p *plan) byPresentRules(tx *Tx) (*plan, error) {
	for !p.anew {
		old := p.outdated()
		if len(old) == 0 {
			break
		}
		for _, id := range old {
			if err := rederive(tx, id); err != nil {
				return nil, err
			}
		}
		var err error
		if p, err = newPlan(tx, p.report, p.how); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// outdated are the shipments that the plan changes and that other rules have
// derived.
func (p *plan) outdated() (old []ID) {
	for _, d := range p.drafts {
		if p.concerns(d) && d.ship.outdated() {
			old = append(old, d.ship.ID)
		}
	}
	return old
}

func rederive(tx *Tx, id ID) error {
	s, err := table(tx, shipments).Get(id)
	if err != nil {
		return err
	}
	p, err := newPlan(tx, rederiving, handing{follow: s.following()})
	if err != nil {
		return err
	}
	_, err = p.write(tx)
	return err
}

// rederiveBatch is how many shipments one round of upkeep looks at.
const rederiveBatch = 20

// rederiveSome derives anew what other rules have derived, of one batch of
// shipments. done: there are none left, and the store knows it.
func (t *Tracker) rederiveSome(ctx context.Context) (done bool, err error) {
	stored, err := t.storedRevisions(ctx)
	if err != nil || stored.Rules == RulesVersion {
		return err == nil, err
	}
	if t.upkeep.pages == nil {
		t.upkeep.pages = map[AccountID]int{}
	}
	left := false
	err = t.everyAccount(ctx, func(a AccountID) error {
		if left {
			return nil // the others have their turn
		}
		n, last, err := t.rederivePage(ctx, a, t.upkeep.pages[a]+1)
		if err == nil && !last {
			t.upkeep.pages[a]++
		}
		left = n > 0 || !last
		return err
	})
	if err != nil || left {
		return false, err
	}
	stored.Rules = RulesVersion
	err = t.update(ctx, AccountID{}, func(tx *Tx) error { return table(tx, revisionRecords).Put(stored) })
	return err == nil, err
}

// rederivePage goes through one page of an account's shipments, in the order in
// which they were made, and returns how many it has derived anew and whether it
// was the last page. A shipment that is damaged is left as it is: it must not keep
// the others from being derived.
func (t *Tracker) rederivePage(ctx context.Context, a AccountID, number int) (n int, last bool, err error) {
	var rows []Record
	err = t.view(ctx, a, func(tx *Tx) error {
		rows, _, err = tx.records.List(tx, shipments.kind, Filter{Sort: []Order{{}}}, Page{number, rederiveBatch}, nil)
		return err
	})
	for _, r := range rows {
		s, err := shipments.decode(r)
		if err == nil {
			if !s.outdated() {
				continue
			}
			err = t.rederive(ctx, a, s.following())
		}
		switch {
		case err == nil:
			n++
		case ctx.Err() != nil, errors.Is(err, ErrUnavailable), errors.Is(err, ErrClosed):
			return n, false, err
		default:
			t.log.Error("a shipment cannot be derived anew", "id", r.ID, "error", err)
		}
	}
	return n, len(rows) < rederiveBatch, err
}
