package simulation

import (
	"testing"
	"time"
)

// What the oracle itself would show is right, and each fault in it is found.
func TestJudgeAcceptsWhatIsExpected(t *testing.T) {
	for seed := range uint64(2_000) {
		w := New(seed)
		for _, container := range w.Expect().Containers {
			if wrong := container.Judge(showContainer(container)); len(wrong) > 0 {
				t.Fatalf("seed %d: %s: %v", seed, container.Number, wrong)
			}
		}
		for _, shipment := range w.Expect().Shipments {
			if wrong := shipment.Judge(showShipment(shipment)); len(wrong) > 0 {
				t.Fatalf("seed %d: %v", seed, wrong)
			}
		}
	}
}

func TestJudgeFindsFaults(t *testing.T) {
	found := map[string]int{}
	for seed := range uint64(500) {
		for _, container := range New(seed).Expect().Containers {
			shown := showContainer(container)
			shown.Status = "dropped"
			shown.PODDischargedAt = time.Date(2031, 1, 1, 0, 0, 0, 0, time.UTC)
			shown.Milestones = append(shown.Milestones, ShownMilestone{Event: "vessel_loaded", At: shown.PODDischargedAt})
			for _, finding := range container.Judge(shown) {
				found[finding.Field]++
			}
		}
	}
	if found["current_status"] == 0 || found["pod_discharged_at"] == 0 || found["milestones"] == 0 {
		t.Errorf("found %v", found)
	}
}

func TestMilestoneShownTwiceIsFound(t *testing.T) {
	for seed := range uint64(200) {
		for _, container := range New(seed).Expect().Containers {
			shown := showContainer(container)
			if len(shown.Milestones) == 0 {
				continue
			}
			shown.Milestones = append(shown.Milestones, shown.Milestones[0])
			if len(container.JudgeMilestones(shown.Milestones)) == 0 {
				t.Fatalf("seed %d: %v twice", seed, shown.Milestones[0])
			}
		}
	}
}

func first(t Time) time.Time {
	if len(t.OneOf) == 0 || t.Null {
		return time.Time{}
	}
	return t.OneOf[0].At
}

func firstWord(t Text) string {
	if len(t.OneOf) == 0 {
		return ""
	}
	return t.OneOf[0]
}

func showShipment(e ShipmentExpectation) ShownShipment {
	return ShownShipment{
		Containers: e.Containers, POL: firstWord(e.POL), POD: firstWord(e.POD), Destination: firstWord(e.Destination),
		TransshipmentPorts: e.TransshipmentPorts.Must, POLETD: first(e.POLETD), POLATD: first(e.POLATD),
		PODETA: first(e.PODETA), PODOriginalETA: first(e.PODOriginalETA), PODATA: first(e.PODATA),
		DestinationATA: first(e.DestinationATA), PODVesselIMO: firstWord(e.PODVesselIMO),
		PODVesselName: firstWord(e.PODVesselName), StoppedReason: firstWord(e.StoppedReason),
	}
}

func showContainer(e ContainerExpectation) ShownContainer {
	shown := ShownContainer{
		Status: e.Status.OneOf[0], EmptyOutAt: first(e.EmptyOutAt), POLFullInAt: first(e.POLFullInAt),
		POLVesselLoadedAt: first(e.POLVesselLoadedAt), POLVesselDepartedAt: first(e.POLVesselDepartedAt),
		PODArrivedAt: first(e.PODArrivedAt), PODDischargedAt: first(e.PODDischargedAt), PODFullOutAt: first(e.PODFullOutAt),
		PODRailLoadedAt: first(e.PODRailLoadedAt), PODRailDepartedAt: first(e.PODRailDepartedAt),
		INDATAAt: first(e.INDATAAt), INDRailUnloadedAt: first(e.INDRailUnloadedAt),
		FinalDestinationFullOutAt: first(e.FinalDestinationFullOutAt), DeliveredAt: first(e.DeliveredAt),
		EmptyTerminatedAt: first(e.EmptyTerminatedAt), AvailabilityKnown: e.AvailabilityKnown.OneOf[0],
		AvailableForPickup: e.AvailableForPickup.OneOf[0], PODTerminal: firstWord(e.PODTerminal),
	}
	for _, milestone := range e.Milestones {
		if milestone.Required {
			shown.Milestones = append(shown.Milestones, ShownMilestone{milestone.Names[0], milestone.At.At, milestone.LOCODE, milestone.ShipIMO})
		}
	}
	return shown
}

// A ship that is said to have left for a whole shipment may have left with its
// container even where nobody names that container: the first ship that left, or
// that of its plan. What the ships did later, or elsewhere, stays false.
func TestShipLeavesWithTheUnnamedContainer(t *testing.T) {
	for _, test := range []struct {
		seed  uint64
		shown string // the departure said
		right bool
	}{
		{683864629703, "2025-05-10T13:54:00Z", true},   // from the port of lading
		{464687694800, "2025-03-11T05:53:00Z", false},  // from a port on the way
		{1070633612920, "2025-04-24T19:11:47Z", true},  // never loaded, and nobody said so: the ship of its plan
		{1070633612920, "2025-05-02T16:37:24Z", false}, // the second ship of the plan
		{4217237028, "2025-03-17T15:22:00Z", true},     // never loaded, and nothing but ships' moves was reported
		{4217237028, "2025-03-21T01:54:00Z", false},    // the next departure
		{464687694800, "2025-03-01T22:57:00Z", true},   // from the port before, nothing but ships' moves
		{533559385258, "2025-03-16T10:20:00Z", true},   // left behind, nothing but ships' moves
	} {
		expected := New(test.seed).Expect().Shipments[0]
		if len(expected.Containers) > 0 {
			t.Fatalf("seed %d: %v is named", test.seed, expected.Containers)
		}
		shown, err := time.Parse(time.RFC3339, test.shown)
		if err != nil {
			t.Fatal(err)
		}
		if got := expected.POLATD.Accepts(shown); got != test.right {
			t.Errorf("seed %d: %s accepted: %t, want %t", test.seed, test.shown, got, test.right)
		}
		if !expected.POLATD.Accepts(time.Time{}) {
			t.Errorf("seed %d: null is not accepted", test.seed)
		}
	}
}
