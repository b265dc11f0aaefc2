package tracking_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/trackingtest"
)

// said is a fact about containers and numbers: the words after the first are
// numbers (K booking, L document) and containers (w to z). Each has an ID of its
// own, and was recorded an hour after the one before.
func said(hour int, words string) tracking.Fact {
	f := tracking.Fact{
		ID: fmt.Sprint("s", hour), Activity: freight.Other, References: []string{fmt.Sprint(hour)},
		RecordedAt: time.Date(2026, 2, 1, hour, 0, 0, 0, time.UTC),
	}
	for _, w := range strings.Fields(words) {
		switch {
		case w[0] == 'K':
			f.Numbers = append(f.Numbers, booking(w))
		case w[0] == 'L':
			f.Numbers = append(f.Numbers, bill(w))
		default:
			f.Containers = append(f.Containers, map[string]string{"w": boxW, "x": boxX, "y": boxY, "z": boxZ}[w])
		}
	}
	return f
}

// partition says of each listed shipment which containers and facts it has.
func partition(t testing.TB, b *trackingtest.Bench) map[string]string {
	t.Helper()
	names := map[string]string{boxW: "w", boxX: "x", boxY: "y", boxZ: "z"}
	out := map[string]string{}
	for _, s := range allShipments(t, b) {
		var containers []string
		for _, n := range s.ContainerNumbers {
			containers = append(containers, names[n])
		}
		slices.Sort(containers)
		number := s.BillOfLadingNumber
		if out[number] != "" {
			t.Errorf("two shipments are %s", number)
		}
		out[number] = fmt.Sprint(strings.Join(containers, ""), " ", strings.Join(slices.Sorted(slices.Values(s.References)), ","))
	}
	return out
}

// Each step reports a fact, requests a number ("? K1") or retracts a fact ("! 1").
func TestDocumentsUnderOneBooking(t *testing.T) {
	for _, tt := range []struct {
		name  string
		steps []string
		want  map[string]string // containers and facts by number
	}{
		{"a container joins by a fact that names both", []string{"K1 L1 x", "K1 L2 y"}, map[string]string{"L1": "x 1", "L2": "y 2"}},
		{"a booking that was asked for has its facts, alone or beside a document", []string{"? K1", "K1 x", "K1 L1 y"}, map[string]string{"L1": "xy 1,2"}},
		{"of several documents its number is the first", []string{"? K1", "K1 L1 x", "K1 L2 y", "K1"}, map[string]string{"L1": "xy 1,2,3"}},
		{"which has what names the document alone", []string{"? K1", "K1 L1 x", "L1 x"}, map[string]string{"L1": "x 1,2"}},
		{"also where facts of the document alone come first", []string{"? K1", "L1 x", "K1 L1 y", "L1"}, map[string]string{"L1": "xy 1,2,3"}},
		{"and the facts of the booking were first of all", []string{"? K1", "K1 y", "L1 x", "K1 L1"}, map[string]string{"L1": "xy 1,2,3"}},
		{"which comes back when the connection is taken back", []string{"? K1", "K1 y", "L1 x", "K1 L1", "! 3"}, map[string]string{"K1": "y 1", "L1": "x 2"}},
		{"a document's shipment that was there before the booking was asked for stays", []string{"L1 x", "? K1", "K1 L1 y"}, map[string]string{"L1": "xy 1,2", "K1": "y 2"}},
		{"a document that was asked for has its own beside it", []string{"? K1", "? L1", "K1 L1 x", "K1 L2 y"}, map[string]string{"L2": "xy 1,2", "L1": "x 1"}},
		{"asked for after its facts came", []string{"? K1", "K1 L1 x", "K1 L2 y", "? L1"}, map[string]string{"L2": "xy 1,2", "L1": "x 1"}},
		{"a booking that nobody asked for is adopted", []string{"K1 x", "K1 L1 x"}, map[string]string{"L1": "x 1,2"}},
		{"and gives up what a later document names", []string{"K1 x y", "K1 L1 x", "L2 K1 y"}, map[string]string{"L1": "x 1,2", "L2": "y 1,3"}},
		{"where its document has one already, it is not listed", []string{"L1 x", "K1 x", "K1 L1"}, map[string]string{"L1": "x 1,2,3"}},
		{"a fact of the booking after those of its documents", []string{"K1 L1 x", "K1 L2 y", "K1 y"}, map[string]string{"L1": "x 1", "L2": "y 2,3"}},
		{"and before them", []string{"K1 y", "K1 L1 x", "K1 L2 y"}, map[string]string{"L1": "x 2", "L2": "y 1,3"}},
		{"without containers it reaches each", []string{"K1 L1 x", "K1", "K1 L2 y"}, map[string]string{"L1": "x 1,2", "L2": "y 2,3"}},
		{"what only the booking names is with the first document", []string{"K1 L1 x", "K1 L2 y", "K1 z"}, map[string]string{"L1": "xz 1,3", "L2": "y 2"}},
		{"until a document names it, with its earlier facts", []string{"K1 L1 x", "K1 L2 y", "K1 z", "L2 z"}, map[string]string{"L1": "x 1", "L2": "yz 2,3,4"}},
		{"a request for a booking gets one beside its documents", []string{"K1 L1 x", "K1 L2 y", "K1 z", "? K1"}, map[string]string{"L1": "x 1", "L2": "y 2", "K1": "xyz 1,2,3"}},
		{"also after it was removed", []string{"L1 x", "K1 x", "K1 L1", "? K1"}, map[string]string{"L1": "x 1,2,3", "K1": "x 2,3"}},
		{"two requests for two documents", []string{"? L1", "? L2", "K1 L1 x", "K1 L2 y", "K1"}, map[string]string{"L1": "x 1,3", "L2": "y 2,3"}},
		{"a connection that is taken back", []string{"K1 x", "K1 L1 x", "! 2"}, map[string]string{"K1": "x 1"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := trackingtest.New(t)
			hour := 0
			var ids []tracking.ID
			for _, step := range tt.steps {
				b.Clock.Advance(time.Minute)
				kind, rest, _ := strings.Cut(step, " ")
				switch kind {
				case "?":
					typ := tracking.BillOfLading
					if rest[0] == 'K' {
						typ = tracking.BookingNumber
					}
					create(t, b, tracking.NewTrackingRequest{Number: rest, Type: typ, SCAC: "MAEU"})
				case "!":
					ingest(t, b, api(tracking.Fact{ID: "s" + rest, Retracted: true, RecordedAt: time.Date(2026, 2, 3, 0, 0, 0, 0, time.UTC)}))
				default:
					hour++
					ids = append(ids, ingest(t, b, api(said(hour, step))).ShipmentIDs...)
				}
			}
			if diff := cmp.Diff(tt.want, partition(t, b)); diff != "" {
				t.Errorf("wanted (-) and seen (+):\n%s", diff)
			}
			for _, id := range ids { // none goes
				if _, err := b.Shipment(ctx, id); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// A booking's shipment keeps its ID when a document adopts it; what is removed
// answers by its ID and says since when.
func TestAdoptedAndRemoved(t *testing.T) {
	b := trackingtest.New(t)
	id := ingest(t, b, api(said(1, "K1 x"))).ShipmentIDs[0]
	ingest(t, b, api(said(2, "K1 L1 x")))
	if s := allShipments(t, b); len(s) != 1 || s[0].ID != id || s[0].BillOfLadingNumber != "L1" {
		t.Errorf("adopted: %+v", s)
	}
	b = trackingtest.New(t)
	ingest(t, b, api(said(1, "L1 x")))
	id = ingest(t, b, api(said(2, "K1 x"))).ShipmentIDs[0]
	ingest(t, b, api(said(3, "K1 L1")))
	s := shipment(t, b, id)
	if s.RemovedAt.IsZero() || len(s.Containers) != 0 {
		t.Errorf("removed at %v with %d containers", s.RemovedAt, len(s.Containers))
	}
	for with, want := range map[bool]int{true: 2, false: 1} {
		if list, n, err := b.Shipments(ctx, tracking.ShipmentQuery{WithRemoved: with}, tracking.Page{Number: 1, Size: 1}); n != want || len(list) != 1 || err != nil {
			t.Errorf("with the removed %v: %d on the page, %d in all, %v", with, len(list), n, err)
		}
	}
	found, err := b.Search(ctx, "K1")
	if err != nil || slices.ContainsFunc(found, func(r *tracking.SearchResult) bool { return r.ID == id }) {
		t.Errorf("a search finds %+v, %v", found, err)
	}
}

// Whatever the order and the batches in which facts come, in the end the same
// containers and facts are with the same documents, while nobody asks for
// anything but documents.
func TestPartitionInAnyOrder(t *testing.T) {
	words := []string{"K1", "K2", "K1 L1", "K1 L2", "K2 L3", "K2 L1", "L1", "L2", "L3"}
	rapid.Check(t, func(rt *rapid.T) {
		var facts []tracking.Fact
		for i := range rapid.IntRange(2, 9).Draw(rt, "facts") {
			f := rapid.SampledFrom(words).Draw(rt, "numbers")
			for _, c := range []string{"w", "x", "y", "z"} {
				if rapid.IntRange(0, 2).Draw(rt, c) == 0 {
					f += " " + c
				}
			}
			facts = append(facts, said(i+1, f))
		}
		run := func(order []int, size int) map[string]string {
			b := trackingtest.New(t)
			for part := range slices.Chunk(order, size) {
				var batch []tracking.Fact
				for _, i := range part {
					batch = append(batch, facts[i])
				}
				ingest(t, b, api(batch...))
			}
			return partition(t, b)
		}
		order := make([]int, len(facts))
		for i := range order {
			order[i] = i
		}
		want := run(order, len(order))
		for range 2 {
			shuffled := rapid.Permutation(order).Draw(rt, "order")
			if diff := cmp.Diff(want, run(shuffled, rapid.IntRange(1, len(order)).Draw(rt, "size"))); diff != "" {
				var texts []string
				for _, i := range shuffled {
					texts = append(texts, fmt.Sprint(facts[i].ID, facts[i].Numbers, facts[i].Containers))
				}
				rt.Fatalf("together (-) and in another order (+):\n%s\n%s", diff, strings.Join(texts, "\n"))
			}
		}
	})
}

// The same facts show as the same raw events when a retraction comes before what
// it takes back. Before, the fact showed nowhere.
func TestRetractionFirstShowsTheSame(t *testing.T) {
	fact := said(2, "L1 x")
	take := tracking.Fact{ID: fact.ID, Retracted: true, RecordedAt: fact.RecordedAt.Add(time.Hour)}
	show := func(facts ...tracking.Fact) (list []string) {
		b := trackingtest.New(t)
		ingest(t, b, api(said(1, "L1 x")))
		for _, f := range facts {
			ingest(t, b, api(f))
		}
		events, err := b.RawEvents(ctx, allShipments(t, b)[0].Containers[0])
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range events {
			list = append(list, fmt.Sprint(r.ID, r.Event, r.InvalidatedAt, r.Timestamp, r.Location, r.Shipments != nil))
		}
		slices.Sort(list)
		return list
	}
	if diff := cmp.Diff(show(fact, take), show(take, fact)); diff != "" || len(show(take, fact)) != 2 {
		t.Errorf("the retraction last (-) and first (+):\n%s", diff)
	}
}
