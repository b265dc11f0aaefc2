package tracking

import "context"

// MilestoneIDs are the IDs of the events that the facts of a shipment make for
// one of its containers, worked out anew from the facts alone.
func (t *Tracker) MilestoneIDs(ctx context.Context, c *Container) (ids map[ID]EventName, err error) {
	ids = map[ID]EventName{}
	err = t.view(ctx, t.actor.Account, func(tx *Tx) error {
		s, err := table(tx, shipments).Get(c.Shipment)
		if err != nil {
			return err
		}
		var of where[RawEvent]
		of.has("shown", []string{s.ID.String(), c.ID.String()}, (*RawEvent).shownTerms)
		stored, err := table(tx, rawEvents).All(of)
		if err != nil {
			return err
		}
		facts := make([]LoggedFact, len(stored))
		for i, r := range stored {
			facts[i] = r.Fact
		}
		for _, box := range derive(nil, "", facts, tx.engine.refs).Containers {
			for _, m := range box.Milestones {
				if box.Number == c.Number {
					ids[eventID(c.ID, m)] = m.Event
				}
			}
		}
		return nil
	})
	return ids, err
}
