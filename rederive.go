package tracking

import "context"

// Rederive runs the present rules over all facts of an account again and
// returns how many shipments it has gone through. Nothing is announced; events
// that the present rules no longer derive are invalidated. It is for the
// operator, after an upgrade that changed the rules. It may be run at any time
// and beside a running server.
func (t *Tracker) Rederive(ctx context.Context, a AccountID) (int, error) {
	if err := t.operator(); err != nil {
		return 0, err
	}
	var all []following
	err := t.view(ctx, a, func(tx *Tx) error {
		list, err := table(tx, shipments).All(where[Shipment]{})
		for _, s := range list {
			all = append(all, following{ShipmentNumber{s.NumberType, s.BillOfLadingNumber}, s.ShippingLineSCAC, s.ID})
		}
		return err
	})
	if err != nil {
		return 0, err
	}
	for i := range all {
		// An empty report about the shipment: all its facts are derived anew.
		if _, err := t.ingest(ctx, a, Report{Source: "rederive", Silent: true}, handing{follow: &all[i]}); err != nil {
			return i, err
		}
	}
	return len(all), nil
}
