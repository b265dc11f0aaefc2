// Package unittest shows how to test code that uses the engine without a database, a
// network or a sleep: see late_test.go.
package unittest

import (
	"context"
	"time"

	"github.com/landfallhq/tracking"
)

// Late returns the bills of lading whose ship is expected more than tolerance after
// the first estimate.
func Late(ctx context.Context, t *tracking.Tracker, tolerance time.Duration) ([]string, error) {
	shipments, _, err := t.Shipments(ctx, tracking.ShipmentQuery{Stopped: tracking.No}, tracking.Page{})
	if err != nil {
		return nil, err
	}
	var late []string
	for _, s := range shipments {
		if s.PODETAAt.IsZero() || !s.PODATAAt.IsZero() {
			continue // no estimate yet, or arrived
		}
		if s.PODETAAt.Sub(s.PODOriginalETAAt) > tolerance {
			late = append(late, s.BillOfLadingNumber)
		}
	}
	return late, nil
}
