package tracking

import (
	"context"
	"slices"
	"time"

	"github.com/landfallhq/tracking/internal/journey"

	"github.com/landfallhq/tracking/store"
)

// MilestoneIDs are the IDs of the events that the facts of a shipment make for
// one of its containers, derived from the facts alone.
func (t *Tracker) MilestoneIDs(ctx context.Context, c *Container) (ids map[ID]EventName, err error) {
	ids = map[ID]EventName{}
	err = t.view(ctx, t.actor.Account, func(tx *transaction) error {
		s, err := shipments.Get(tx, c.Shipment)
		if err != nil {
			return err
		}
		var of where[RawEvent]
		of.Has("shown", []string{s.ID.String(), c.ID.String()}, (*RawEvent).shownTerms)
		stored, err := rawEvents.All(tx, of)
		if err != nil {
			return err
		}
		facts := make([]*journey.LoggedFact, len(stored))
		for i, r := range stored {
			r.Fact.Arrival = r.Number
			facts[i] = &r.Fact
		}
		for _, box := range journey.Derive(nil, facts, tx.engine.refs).Containers {
			for _, m := range box.Milestones {
				if box.Number == c.Number {
					ids[s.EventVersions.current(eventID(c.ID, m))] = m.Event
				}
			}
		}
		return nil
	})
	return ids, err
}

// OlderRules leaves a shipment as rules before the present ones might have: it
// and its boxes are changed as given, and of the events nothing is known.
func (t *Tracker) OlderRules(ctx context.Context, id ID, change func(*Shipment, *Container), unknown ...EventName) error {
	return t.update(ctx, t.actor.Account, func(tx *transaction) error {
		s, err := readWithContainers(tx, id)
		if err != nil {
			return err
		}
		s.Rules = journey.RulesVersion - 1
		for _, c := range s.containers {
			change(s.Shipment, c)
		}
		events, err := transportEvents.All(tx, TransportEventQuery{Shipment: id}.where())
		if err != nil {
			return err
		}
		for _, e := range events {
			if !slices.Contains(unknown, e.Event) {
				continue
			}
			s.Milestones = slices.DeleteFunc(s.Milestones, func(n milestoneNote) bool { return n.event == e.ID })
			if err := transportEvents.Delete(tx, e.ID); err != nil {
				return err
			}
		}
		return s.put(tx)
	})
}

// OlderGeneration leaves an account as a program of an earlier generation would have.
func (t *Tracker) OlderGeneration(ctx context.Context, a AccountID) error {
	return t.update(ctx, a, func(tx *transaction) error {
		tx.ledger.Renewed, tx.ledger.Renewing = 0, 0
		return nil
	})
}

// OlderEvent leaves an event as rules before the present ones might have made it; with
// another ID it is one more.
func (t *Tracker) OlderEvent(ctx context.Context, id ID, change func(*TransportEvent)) error {
	return t.update(ctx, t.actor.Account, func(tx *transaction) error {
		e, err := transportEvents.Get(tx, id)
		if err != nil {
			return err
		}
		change(e)
		return transportEvents.Put(tx, e)
	})
}

// LedgerKind is the kind of the record that stays of a deleted account.
var LedgerKind = ledgers.Kind

// IsCountedMark reports whether the marks of a name are counted in a copy of the store.
func IsCountedMark(ctx context.Context, s Store, a AccountID, name string) (bool, error) {
	return (&markTypes{store: s, byName: map[markType]bool{}}).counted(ctx, a, name)
}

// FieldMark is the name of the marks of a custom field.
func FieldMark(definition ID) string { return fieldMark(definition) }

// AsDocument returns a stored record as it is shown.
func AsDocument(kind string, r store.Record) (store.Record, error) {
	return registry[kind].AsDocument(r)
}

// AgeTerminals makes the copy of the imported terminals one that has to be read again.
func (t *Tracker) AgeTerminals() {
	old := *t.refs.imported.Load()
	old.loaded = time.Time{}
	t.refs.imported.Store(&old)
}
