package simulator_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/refdata"
	"github.com/landfallhq/tracking/source/dcsa"
	"github.com/landfallhq/tracking/source/dcsa/simulator"
	"github.com/landfallhq/tracking/trackingtest"
)

// TestVoyagesAreSound holds the documents to what their comments promise.
func TestVoyagesAreSound(t *testing.T) {
	owners := map[string]string{} // of the IDs, by voyage
	for _, v := range simulator.Voyages() {
		t.Run(v.Name, func(t *testing.T) {
			if v.Name == "" || v.About == "" || len(v.Events) == 0 {
				t.Fatalf("%d events, about %q", len(v.Events), v.About)
			}
			for _, container := range v.Containers {
				if _, digit := refdata.CheckDigit(container); string(container[len(container)-1]) != string(rune('0'+digit)) {
					t.Errorf("the check digit of %s is not %d", container, digit)
				}
			}
			for _, ship := range v.Vessels {
				if !strings.HasPrefix(ship.IMO, "2") {
					t.Errorf("%s may be a real ship's number", ship.IMO)
				}
			}
			learned := time.Time{}
			versions := map[string]time.Time{}
			for i, f := range report(t, v).Facts {
				if f.RecordedAt.Before(learned) {
					t.Errorf("event %d was learned before the one above it", i)
				}
				learned = f.RecordedAt
				if at, ok := versions[f.ID]; ok && !f.RecordedAt.After(at) {
					t.Errorf("event %d: two versions of %s were created at once", i, f.ID)
				}
				versions[f.ID] = f.RecordedAt
				if other := cmp.Or(owners[f.ID], v.Name); other != v.Name {
					t.Errorf("event %d: %s is an ID of voyage %s too", i, f.ID, other)
				}
				owners[f.ID] = v.Name
				want := []freight.ShipmentNumber{
					{Type: freight.BookingNumber, Number: v.Booking}, {Type: freight.BillOfLading, Number: v.TransportDocument},
				}
				if !slices.Equal(f.Numbers, want) {
					t.Errorf("event %d is of %v, want %v", i, f.Numbers, want)
				}
				if f.Classifier == freight.Actual && f.At.Time.After(f.RecordedAt) {
					t.Errorf("event %d tells at %s what happens at %s", i, f.RecordedAt, f.At.Time)
				}
				for _, container := range f.Containers {
					if !slices.Contains(v.Containers, container) {
						t.Errorf("event %d: the heading does not name %s", i, container)
					}
				}
			}
		})
	}
}

// TestVoyagesMilestones compares the journey of each voyage's first container
// with what its author meant.
func TestVoyagesMilestones(t *testing.T) {
	const (
		export = "empty_out full_in "
		pickUp = " full_out empty_in"
		loaded = "vessel_loaded vessel_departed "
		landed = "vessel_arrived vessel_discharged"
		change = "transshipment_arrived transshipment_discharged transshipment_loaded transshipment_departed "
	)
	want := map[string]string{
		"cancelled": "empty_out",
		"direct":    export + loaded + landed + " available full_out delivered empty_in",
		"feeder":    export + "feeder_loaded feeder_departed feeder_arrived feeder_discharged " + loaded + landed + " available" + pickUp,
		"holds":     export + loaded + landed + " available not_available available" + pickUp,
		"latepod":   export + loaded + change + landed + pickUp,
		// No message states the role of the ramp, which had no arrival and no availability
		// while only a stated role made an inland destination.
		"rail":          export + loaded + landed + " rail_loaded rail_departed rail_arrived arrived_at_inland_destination rail_unloaded available" + pickUp,
		"rollover":      export + loaded + landed + pickUp,
		"split":         export + loaded + landed + pickUp,
		"transshipment": export + loaded + change + landed + pickUp,
	}
	for _, v := range simulator.Voyages() {
		t.Run(v.Name, func(t *testing.T) {
			ctx := context.Background()
			b := trackingtest.New(t)
			receipt, err := b.Ingest(ctx, report(t, v))
			if err != nil || len(receipt.Warnings) > 0 {
				t.Fatalf("Ingest: %v, warnings %+v", err, receipt.Warnings)
			}
			containers, _, err := b.Containers(ctx, tracking.ContainerQuery{}, tracking.Page{Number: 1, Size: 10})
			if err != nil || len(containers) != len(v.Containers) {
				t.Fatalf("%d containers, error %v", len(containers), err)
			}
			first := slices.IndexFunc(containers, func(c *tracking.Container) bool { return c.Number == v.Containers[0] })
			events, _, err := b.TransportEvents(ctx, tracking.TransportEventQuery{}, tracking.Page{Number: 1, Size: 100})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, e := range slices.Backward(events) {
				name, actual := strings.CutPrefix(string(e.Event), "container.transport.")
				if e.Container == containers[first].ID && actual && !strings.Contains(name, ".") {
					got = append(got, name)
				}
			}
			if text := strings.Join(got, " "); text != want[v.Name] {
				t.Errorf("milestones %s\n      want %s", text, want[v.Name])
			}
		})
	}
}

// report reads a voyage as the carrier's document.
func report(t *testing.T, v simulator.Voyage) freight.Report {
	t.Helper()
	text, err := json.Marshal(v.Events)
	if err != nil {
		t.Fatal(err)
	}
	r, err := dcsa.Read(bytes.NewReader(text), dcsa.Options{SCAC: trackingtest.SCAC})
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range r.Warnings {
		t.Errorf("%s: %s: %s", w.Field, w.Code, w.Detail)
	}
	return r
}
