package tracking_test

import (
	"encoding/json"
	"fmt"
	"go/token"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/internal/drill"
	"github.com/landfallhq/tracking/source/dcsa"
	"github.com/landfallhq/tracking/source/dcsa/simulator"
	"github.com/landfallhq/tracking/trackingtest"
)

// reportOf reads a voyage as the document of a carrier.
func reportOf(t testing.TB, v simulator.Voyage) tracking.Report {
	t.Helper()
	text, err := json.Marshal(v.Events)
	if err != nil {
		t.Fatal(err)
	}
	r, err := dcsa.Read(strings.NewReader(string(text)), dcsa.Options{SCAC: "MAEU"})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// sail hands the facts to a new tracker in random batches and returns its bench,
// in which the shipment existed before.
func sail(t testing.TB, v simulator.Voyage, r tracking.Report, facts []tracking.Fact, random *rand.Rand) (*trackingtest.Bench, tracking.ID) {
	t.Helper()
	b := trackingtest.New(t)
	// One account for all, for what has only a name is known by it and the account.
	b.Tracker = b.Operator.For(tracking.Actor{Account: tracking.AccountID{1}})
	known := about("0", bill(v.TransportDocument))
	known.Containers = nil
	r.Facts = []tracking.Fact{known}
	id := ingest(t, b, r).ShipmentIDs[0]
	for len(facts) > 0 {
		n := 1 + random.IntN(len(facts))
		r.Facts = facts[:n]
		ingest(t, b, r)
		facts = facts[n:]
	}
	return b, id
}

// Must be shown 2: whatever the order and the batches in which the documents of
// a voyage come, the state in the end is the same, and so are the events that
// stand, by their IDs: those follow from the container and the facts alone.
func TestVoyagesInAnyOrder(t *testing.T) {
	orders, random := drill.Count(t, "LANDFALL_ORDERS", 8), drill.Random(t)
	for _, v := range simulator.Voyages() {
		t.Run(v.Name, func(t *testing.T) {
			r := reportOf(t, v)
			b, id := sail(t, v, r, r.Facts, random)
			want, events := outcome(t, b, id), checkIDs(t, b, id)
			for range orders {
				facts := slices.Clone(r.Facts)
				random.Shuffle(len(facts), func(i, k int) { facts[i], facts[k] = facts[k], facts[i] })
				b, id := sail(t, v, r, facts, random)
				if diff := cmp.Diff(want, outcome(t, b, id), sameState...); diff != "" {
					t.Fatalf("the order of learning matters (-as told +shuffled):\n%s", diff)
				}
				checkIDs(t, b, id)
			}
			t.Logf("%d facts, %d events that stand: the same for %d orders and batchings", len(r.Facts), events, orders)
		})
	}
}

// sameState compares what is derived of a shipment that exists. IDs are compared
// by checkIDs; when things were learned, announced and stopped depends on the
// order of learning.
var sameState = cmp.Options{
	cmp.AllowUnexported(tracking.Shipment{}, tracking.Container{}, tracking.TransportEvent{}),
	cmp.FilterPath(isIncidental, cmp.Ignore()),
	cmpopts.IgnoreFields(tracking.Meta{}, "ID", "Version"),
	cmpopts.IgnoreFields(tracking.Shipment{}, "Containers", "LineTrackingStoppedAt", "LineTrackingStoppedReason"),
	cmpopts.IgnoreFields(tracking.Container{}, "Shipment"),
	cmpopts.IgnoreFields(tracking.TransportEvent{}, "Shipment", "Container", "AnnouncedAt"),
	cmp.Transformer("byWhatTheySay", func(m map[tracking.ID]*tracking.TransportEvent) map[string]*tracking.TransportEvent {
		said := map[string]*tracking.TransportEvent{}
		for _, e := range m {
			said[fmt.Sprint(e.Event, e.Timestamp, e.LocationLOCODE, e.SourceEvent)] = e
		}
		return said
	}),
}

// isIncidental reports whether a field holds what depends on the order of learning, or is
// not stored: an unexported one that is no embedded struct.
func isIncidental(p cmp.Path) bool {
	f, ok := p.Last().(cmp.StructField)
	if !ok {
		return false
	}
	if name := f.Name(); !token.IsExported(name) {
		return !strings.HasSuffix(name, "Internals")
	}
	return strings.HasSuffix(p.Index(-2).Type().Name(), "Internals") && slices.Contains([]string{
		"Milestones", "EventVersions", "AnnounceStates", "CheckAt", "Absences", "State",
	}, f.Name())
}

// checkIDs compares the milestones that stand with those that the facts make,
// and returns how many there are.
func checkIDs(t testing.TB, b *trackingtest.Bench, id tracking.ID) (events int) {
	t.Helper()
	boxes, _, err := b.Containers(ctx, tracking.ContainerQuery{Shipment: id, Removed: tracking.No}, tracking.Page{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range boxes {
		want, err := b.MilestoneIDs(ctx, c)
		if err != nil {
			t.Fatal(err)
		}
		list, _, err := b.TransportEvents(ctx, tracking.TransportEventQuery{Container: c.ID, Invalidated: tracking.No}, tracking.Page{})
		if err != nil {
			t.Fatal(err)
		}
		got := map[tracking.ID]tracking.EventName{}
		for _, e := range list {
			if !isEstimate(e.Event) {
				got[e.ID] = e.Event
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("milestones of %s (-facts +stored):\n%s", c.Number, diff)
		}
		events += len(got)
	}
	return events
}

// isEstimate: not a milestone, but the announcement of a change.
func isEstimate(e tracking.EventName) bool {
	return strings.Contains(string(e), ".estimated.") || strings.HasSuffix(string(e), ".changed")
}

// For one order, no batching announces a milestone twice.
func TestNoBatchingAnnouncesTwice(t *testing.T) {
	rounds, random := drill.Count(t, "LANDFALL_ORDERS", 4), drill.Random(t)
	for _, v := range simulator.Voyages() {
		r := reportOf(t, v)
		for range rounds {
			b, _ := sail(t, v, r, r.Facts, random)
			seen, told := map[tracking.ID]bool{}, 0
			for _, a := range b.Announcements() {
				if a.Reference.Type != "transport_event" || isEstimate(a.Event) {
					continue
				}
				if seen[a.Reference.ID] {
					t.Errorf("%s: %s of %s was announced twice", v.Name, a.Event, a.Container)
				}
				seen[a.Reference.ID] = true
				told++
			}
			if told == 0 && v.Name != "cancelled" {
				t.Errorf("%s: nothing was announced", v.Name)
			}
		}
	}
}

// Must be shown 3: the discharge is renamed when the port of discharge becomes
// known, the old event is taken back, and each was announced once.
func TestLatePOD(t *testing.T) {
	i := slices.IndexFunc(simulator.Voyages(), func(v simulator.Voyage) bool { return v.Name == "latepod" })
	v := simulator.Voyages()[i]
	r := reportOf(t, v)
	b := trackingtest.New(t)
	var id tracking.ID
	discharges := func() (list []string) {
		events, _, err := b.TransportEvents(ctx, tracking.TransportEventQuery{Shipment: id}, tracking.Page{})
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range events {
			if e.LocationLOCODE == "ESALG" && strings.HasSuffix(string(e.Event), "_discharged") {
				text := strings.TrimPrefix(string(e.Event), "container.transport.")
				if !e.InvalidatedAt.IsZero() {
					text += ", taken back"
				}
				list = append(list, text)
			}
		}
		slices.Sort(list)
		return list
	}
	var steps []string
	for _, f := range r.Facts {
		r := r
		r.Facts = []tracking.Fact{f}
		id = ingest(t, b, r).ShipmentIDs[0]
		b.Pass(time.Second)
		if now := fmt.Sprint(discharges()); len(steps) == 0 || steps[len(steps)-1] != now {
			steps = append(steps, now)
		}
	}
	want := []string{"[]", "[vessel_discharged]", "[transshipment_discharged vessel_discharged, taken back]"}
	if !slices.Equal(steps, want) {
		t.Errorf("discharges %q, want %q", steps, want)
	}
	told := map[tracking.EventName]int{}
	for _, a := range b.Announcements() {
		told[a.Event]++
	}
	// vessel_discharged: once at Algeciras, and once at Hamburg, where it was true.
	if told[freight.VesselDischarged] != 2 || told[freight.TransshipmentDischarged] != 1 {
		t.Errorf("announced %v", told)
	}
}
