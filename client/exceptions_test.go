package client_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freight"
)

// everyException calls the operations on exceptions.
func (b *bench) everyException(t *testing.T, container *tracking.Container) {
	t.Helper()
	ctx, engine := t.Context(), b.Tracker.Exceptions()
	ship := must[*tracking.Shipment](t)(b.Tracker.Shipment(ctx, container.Shipment))
	must[tracking.Receipt](t)(b.Tracker.Ingest(ctx, tracking.Report{Source: "terminal", SCAC: ship.ShippingLineSCAC, Facts: []tracking.Fact{{
		ID: "customs", Activity: freight.TerminalStatus, DataSource: freight.FromTerminal, Place: tracking.Place{LOCODE: ship.PortOfDischargeLOCODE},
		Terminal: &freight.TerminalFacts{Holds: []freight.Hold{{Name: "customs", Status: "hold"}}}, Containers: []string{container.Number},
		Numbers: []tracking.ShipmentNumber{{Type: tracking.BillOfLading, Number: ship.BillOfLadingNumber}},
	}}}))
	q := tracking.ExceptionQuery{Open: tracking.Yes, Shipments: []tracking.ID{container.Shipment}}
	list := all(t, b.Client.Exceptions(q))
	if len(list) == 0 {
		t.Fatal("the shipment has no exception")
	}
	e := list[0]
	compareRecords(t, "exception", must[*tracking.Exception](t)(b.Client.Exception(ctx, e.ID)), must[*tracking.Exception](t)(engine.Get(ctx, e.ID)))
	changed := must[*tracking.Exception](t)(b.Client.UpdateException(ctx, e.ID, tracking.ExceptionUpdate{Acknowledged: tracking.Set(true), Note: tracking.Set("seen")}))
	if changed.AcknowledgedAt.IsZero() || changed.Note != "seen" {
		t.Errorf("changed, it is %+v", changed)
	}
	expected := all(t, b.Client.ExpectedContainers(tracking.ContainerQuery{Numbers: []string{container.Number}, Overdue: tracking.No}))
	if len(expected) != 1 || expected[0].ID != container.ID {
		t.Fatalf("expected: %+v", expected)
	}
	compareRecords(t, "next milestone", expected[0].NextMilestone, must[map[tracking.ID]tracking.NextMilestone](t)(engine.NextMilestones(ctx, container.ID))[container.ID])
	two := 2
	set := must[*tracking.ExceptionSettings](t)(b.Client.UpdateExceptionSettings(ctx, map[string]*int{"hub_dwell_in_days": &two, "eta_slip_in_days": nil}))
	if set.HubDwell != two {
		t.Errorf("the thresholds are %+v", set)
	}
	stored := must[*tracking.ExceptionSettings](t)(engine.Settings(ctx))
	stored.Version = 0 // which has no ETag
	compareRecords(t, "thresholds", must[*tracking.ExceptionSettings](t)(b.Client.ExceptionSettings(ctx)), stored)
	want := must[map[string]int](t)(engine.Counts(ctx, q))
	if diff := cmp.Diff(want, must[map[string]int](t)(b.Client.ExceptionCounts(ctx, q))); diff != "" || want[e.Kind] == 0 {
		t.Errorf("counts: -engine +client\n%s", diff)
	}
}
