package client_test

import (
	"testing"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/reliability"
)

// everyReportCard asks for the report card of a line whose ship has arrived.
func (b *bench) everyReportCard(t *testing.T) {
	t.Helper()
	q := tracking.ReportCardQuery{SCACs: []string{"MAEU"}, AsOf: b.Clock.Now()}
	card := must[*reliability.Card](t)(b.Client.ReportCard(t.Context(), q))
	banded := all(t, b.Client.BandedShipments(tracking.ShipmentQuery{}))
	if len(banded) == 0 || banded[0].Band != nil || banded[0].ID == (tracking.ID{}) {
		t.Errorf("shipments of an account without a past: %+v", banded)
	}
	compareRecords(t, "report card", card, must[*reliability.Card](t)(b.Tracker.Reliability().Card(t.Context(), q)))
}
