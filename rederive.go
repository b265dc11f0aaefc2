package tracking

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/landfallhq/tracking/internal/journey"
	"github.com/landfallhq/tracking/store"
)

// rederiveReport is a report without facts: all facts of its shipment are derived
// again, and nothing is announced.
var rederiveReport = Report{Source: "rederive", Silent: true}

// RederiveOptions are the options of Rederive.
type RederiveOptions struct {
	// Announce announces the differences from what was announced last: corrected
	// and withdrawn milestones, milestones of further containers, estimates and
	// other announced changes. It includes what Run or an earlier Rederive has
	// found and not announced. Defaults to false.
	Announce bool
	// Each, which may be nil, is called for each shipment after its transaction, in
	// no particular order.
	Each func(RederivedShipment)
}

// RederivedShipment is the result for one shipment.
type RederivedShipment struct {
	ID     ID
	Number string // that it is tracked by
	// Changed: the document of the shipment, a container or an event has changed.
	Changed bool
	// FollowedAgain: a rule had stopped it, and none does now.
	FollowedAgain bool
	// Corrected is the number of milestone events that were created or changed,
	// Invalidated of those that were withdrawn.
	Corrected, Invalidated int
}

// Rederived has the counts of Rederive.
type Rederived struct {
	// Shipments that were derived; Changed and FollowedAgain as in
	// RederivedShipment.
	Shipments, Changed, FollowedAgain int
	// Corrected and Invalidated count milestone events.
	Corrected, Invalidated int
}

func (r *Rederived) add(s RederivedShipment) {
	r.Shipments++
	r.Corrected += s.Corrected
	r.Invalidated += s.Invalidated
	if s.Changed {
		r.Changed++
	}
	if s.FollowedAgain {
		r.FollowedAgain++
	}
}

// Rederive runs the present rules over all facts of an account and counts the
// changes, also if it ends with an error. Events that the rules no longer derive
// are invalidated, and shipments that no rule stops any more are followed again.
// Nothing is announced unless o says so. Run applies new rules to all shipments by
// itself: Rederive is for an operator who changes the tables of Config.Reference,
// or who wants the differences announced. It may run along with a server. Errors:
// Forbidden.
func (t *Tracker) Rederive(ctx context.Context, a AccountID, o RederiveOptions) (done Rederived, err error) {
	if err := t.operator(); err != nil {
		return done, err
	}
	var all []*trackedNumber
	err = t.view(ctx, a, func(tx *transaction) error {
		list, err := shipments.All(tx, where[Shipment]{})
		for _, s := range list {
			all = append(all, s.following())
		}
		return err
	})
	if err != nil {
		return done, err
	}
	report := rederiveReport
	report.Silent = !o.Announce
	for _, f := range all {
		var became RederivedShipment
		how := ingestOptions{tracked: f, onRederived: func(r RederivedShipment) { became = r }}
		if _, err := t.ingest(ctx, a, report, how); err != nil {
			return done, err
		}
		done.add(became)
		if o.Each != nil {
			o.Each(became)
		}
	}
	return done, nil
}

// rederived is the result for a shipment. before is nil for a new one.
func (d *draft) rederived(before *Shipment, list []storedContainer, u *eventUpdate) RederivedShipment {
	r := RederivedShipment{ID: d.ship.ID, Number: d.ship.BillOfLadingNumber, FollowedAgain: !d.resumedFrom.IsZero()}
	for _, e := range u.written {
		switch {
		case e.InvalidatedAt.IsZero():
			r.Corrected++
		case e.InvalidatedAt.Equal(u.tx.Now):
			r.Invalidated++
		}
	}
	r.Changed = r.FollowedAgain || r.Corrected+r.Invalidated > 0 || before == nil || documentsDiffer(shipments, before, d.ship)
	for _, c := range list {
		r.Changed = r.Changed || c.before == nil || documentsDiffer(containers, c.before, c.Container)
	}
	return r
}

// documentsDiffer reports whether the documents of two states of a record differ,
// without the time of the last change.
func documentsDiffer[T any, P interface {
	*T
	setUpdatedAt(time.Time)
}](n *resource[T], before, after P) bool {
	a, b := *before, *after
	P(&a).setUpdatedAt(time.Time{})
	P(&b).setUpdatedAt(time.Time{})
	was, _ := n.Codec.Encode(&a)
	is, _ := n.Codec.Encode(&b)
	return !bytes.Equal(was, is)
}

// following returns the number that a stored shipment is tracked by.
func (s *Shipment) following() *trackedNumber {
	return &trackedNumber{ShipmentNumber: s.followedNumber(), SCAC: s.ShippingLineSCAC, Shipment: s.ID}
}

// outdated reports whether the shipment was derived by earlier rules than the present
// ones.
func (s *Shipment) outdated() bool { return s.Version > 0 && s.Rules < journey.RulesVersion }

// withCurrentRules returns the plan for shipments that the present rules have
// derived. Those of newer rules are refused. Shipments of older rules are derived again first, without announcements:
// only the effects of the report are announced.
func (p *plan) withCurrentRules(tx *transaction) (*plan, error) {
	for _, d := range p.drafts {
		if p.isAffected(d) && d.ship.Rules > journey.RulesVersion {
			return nil, newerRules(d.ship)
		}
	}
	for !p.rederiveAll {
		old := p.outdatedShipments()
		if len(old) == 0 {
			break
		}
		for _, id := range old {
			if err := rederive(tx, id); err != nil {
				return nil, err
			}
		}
		var err error
		if p, err = newPlan(tx, p.report, p.opts); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// outdatedShipments returns the shipments of the plan that other rules have
// derived.
func (p *plan) outdatedShipments() (old []ID) {
	for _, d := range p.drafts {
		if p.isAffected(d) && d.ship.outdated() {
			old = append(old, d.ship.ID)
		}
	}
	return old
}

func rederive(tx *transaction, id ID) error {
	s, err := shipments.Get(tx, id)
	if err != nil {
		return err
	}
	p, err := newPlan(tx, rederiveReport, ingestOptions{tracked: s.following()})
	if err != nil {
		return err
	}
	_, err = p.write(tx)
	return err
}

// rederiveBatchSize is how many shipments one round of upkeep checks.
const rederiveBatchSize = 20

// rederivePage checks one page of an account's shipments, in order of creation. It
// returns how many it has derived again, and whether it was the last page. Damaged
// shipments are skipped, so that they do not block the others.
func (t *Tracker) rederivePage(ctx context.Context, a AccountID, number int) (n int, last bool, err error) {
	var rows []store.Record
	err = t.view(ctx, a, func(tx *transaction) error {
		rows, _, err = tx.Records.List(tx, shipments.Kind, store.Filter{Sort: []Order{{}}}, Page{Number: number, Size: rederiveBatchSize}, nil)
		return err
	})
	for _, r := range rows {
		s, err := shipments.Decode(r)
		if err == nil {
			changed, fault := t.renewShipment(ctx, a, s)
			if fault == nil && !changed {
				continue
			}
			err = fault
		}
		switch {
		case err == nil:
			n++
		case isNewer(err):
			t.log.Warn("a shipment was not derived again", "id", r.ID, "error", err)
		case ctx.Err() != nil, errors.Is(err, ErrUnavailable), errors.Is(err, ErrClosed):
			return n, false, err
		default:
			t.log.Error("a shipment cannot be derived again", "id", r.ID, "error", err)
		}
	}
	return n, len(rows) < rederiveBatchSize, err
}

// renewShipment derives an outdated shipment again, or else writes the copies of its
// values in its containers again if they are of a program that copied less.
func (t *Tracker) renewShipment(ctx context.Context, a AccountID, s *Shipment) (changed bool, err error) {
	if s.outdated() {
		_, err = t.ingest(ctx, a, rederiveReport, ingestOptions{tracked: s.following()})
		return true, err
	}
	if len(s.RefNumbers) == 0 {
		return false, nil // all that an earlier copy lacks
	}
	err = t.view(ctx, a, func(tx *transaction) error {
		w, err := readWithContainers(tx, s.ID)
		changed = err == nil && w.haveOldCopies()
		return err
	})
	if err != nil || !changed {
		return false, err
	}
	return true, t.update(ctx, a, func(tx *transaction) error {
		w, err := readWithContainers(tx, s.ID)
		if err != nil {
			return err
		}
		return w.put(tx)
	})
}

// haveOldCopies reports whether a container lacks reference numbers of its shipment.
func (w withContainers) haveOldCopies() bool {
	return slices.ContainsFunc(w.containers, func(c *Container) bool { return !slices.Equal(c.Ship.RefNumbers, w.Shipment.RefNumbers) })
}
