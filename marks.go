package tracking

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/landfallhq/tracking/internal/factlog"
	"github.com/landfallhq/tracking/internal/journey"

	"github.com/landfallhq/tracking/freight"
)

// What a person reports through the interface is a fact like any other: it is
// appended, withdrawn by a retraction, and never edited.

// checkDelivered refuses a time in the future. A time before the discharge is
// accepted, because it may be right: the derivation warns of it.
func (t *Tracker) checkDelivered(at time.Time) *Error {
	switch {
	case at.IsZero():
		return nil
	case at.Year() < 1970:
		return invalid("delivered_at", "invalid", "Delivered at is before 1970")
	case at.After(t.config.Clock.Now()):
		return invalid("delivered_at", "in_the_future", "Delivered at is in the future: it is when the container was handed over")
	}
	return nil
}

// markDelivered ingests the mark of a person as a fact. Other changes of the container
// are made in the same transaction.
func (t *Tracker) markDelivered(ctx context.Context, id ID, u ContainerUpdate, change func(*transaction, *Container) error) (*Container, error) {
	var of *trackedNumber
	mark, err := viewing(ctx, t.engine, t.actor.Account, func(tx *transaction) (Report, error) {
		c, err := containers.Get(tx, id)
		if err != nil {
			return Report{}, err
		}
		s, err := shipments.Get(tx, c.Shipment)
		if err != nil {
			return Report{}, err
		}
		of = s.following()
		return c.mark(tx, s, u.DeliveredAt.Value)
	})
	if err != nil {
		return nil, err
	}
	if len(mark.Facts) == 0 { // no mark to withdraw
		return updateFound(ctx, t, "container.update", u.IfVersion, withID(containers, id), change)
	}
	first := func(tx *transaction) error {
		_, err := changeFound(tx, u.IfVersion, withID(containers, id), change)
		return err
	}
	by := t.operation("container.update")
	by.only = id
	if _, err := t.ingest(ctx, t.actor.Account, mark, ingestOptions{tracked: of, precondition: first, by: by}); err != nil {
		return nil, err
	}
	// No permission to show is needed: the caller may be allowed to change containers only.
	return viewing(ctx, t.engine, t.actor.Account, withID(containers, id))
}

// mark returns a report that the container was delivered at a time, or, for the zero
// time, that it was not. The report has no fact if there is no mark to withdraw.
func (c *Container) mark(tx *transaction, s *Shipment, at time.Time) (Report, error) {
	if c.removed() {
		return Report{}, invalid("delivered_at", "removed", "This container has left its shipment, and cannot be delivered with it")
	}
	f := Fact{ID: "delivered/" + c.ID.String(), Activity: freight.Delivery, Containers: []string{c.Number}}
	if at.IsZero() {
		known, err := rawEvents.All(tx, versionsOf([]string{factlog.VersionKey(&journey.LoggedFact{Source: manual, Fact: f})}))
		if err != nil || !slices.ContainsFunc(known, func(r *RawEvent) bool { return r.InvalidatedAt.IsZero() && !r.Fact.Retracted }) {
			return Report{}, err
		}
		f = Fact{ID: f.ID, Retracted: true, Containers: f.Containers}
	} else {
		f.At = Moment{Time: at.UTC().Truncate(time.Second)}
		f.Place.LOCODE = cmp.Or(s.DestinationLOCODE, s.PortOfDischargeLOCODE) // where a carrier would report it
	}
	return Report{Source: manual, DataSource: freight.ByHand, Facts: []Fact{f}}, nil
}

// manual is the source of what a person reports through the interface.
const manual = "manual"
