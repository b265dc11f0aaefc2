package tracking_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/storage/memory"
	"github.com/landfallhq/tracking/store"
	"github.com/landfallhq/tracking/trackingtest"
)

func ingest(t testing.TB, b *trackingtest.Bench, r tracking.Report) tracking.Receipt {
	t.Helper()
	receipt, err := b.Ingest(ctx, r)
	if err != nil {
		t.Fatal(err)
	}
	return receipt
}

func api(facts ...tracking.Fact) tracking.Report {
	return tracking.Report{Source: "api", SCAC: "MAEU", Facts: facts}
}

func bill(number string) tracking.ShipmentNumber {
	return tracking.ShipmentNumber{Type: tracking.BillOfLading, Number: number}
}

func booking(number string) tracking.ShipmentNumber {
	return tracking.ShipmentNumber{Type: tracking.BookingNumber, Number: number}
}

// about is a fact that says nothing but what it is about.
func about(id string, numbers ...tracking.ShipmentNumber) tracking.Fact {
	return tracking.Fact{ID: id, RecordedAt: time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC), Activity: freight.Other, Numbers: numbers, Containers: []string{"APZU4812090"}}
}

func allShipments(t testing.TB, b *trackingtest.Bench) []*tracking.Shipment {
	t.Helper()
	list, _, err := b.Shipments(ctx, tracking.ShipmentQuery{}, tracking.Page{})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestIngestTwiceChangesNothing(t *testing.T) {
	b := trackingtest.New(t)
	first := ingest(t, b, api(voyage("B1")...))
	if first.New != 4 || first.Shipments != 1 || first.Containers != 1 || first.Events != 3 {
		t.Errorf("first: %+v", first)
	}
	before := allShipments(t, b)
	b.Clock.Advance(time.Hour)
	second := ingest(t, b, api(voyage("B1")...))
	if second.New != 0 || second.Events != 0 || second.Shipments != 1 || second.Containers != 1 {
		t.Errorf("second: %+v", second)
	}
	if diff := cmp.Diff(before, allShipments(t, b), cmpopts.IgnoreUnexported(tracking.Shipment{})); diff != "" {
		t.Errorf("the same report again changed the shipment:\n%s", diff)
	}
	if n := len(b.Announced()); n != 3 {
		t.Errorf("%d events announced, want 3: a report announces unless it is silent", n)
	}
}

// changes tells of every shipment and box, by its number, its version and when
// it last changed, as hours after the Bench's start.
func changes(t *testing.T, b *trackingtest.Bench) map[string]string {
	t.Helper()
	out := map[string]string{}
	note := func(number string, version int64, at time.Time) {
		out[number] = fmt.Sprintf("version %d at %v", version, at.Sub(trackingtest.Start).Hours())
	}
	for _, s := range allShipments(t, b) {
		note(s.BillOfLadingNumber, s.Version, s.UpdatedAt)
	}
	containers, _, err := b.Containers(ctx, tracking.ContainerQuery{}, tracking.Page{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range containers {
		note(c.Number, c.Version, c.UpdatedAt)
	}
	return out
}

// TestUpdatedAt: updated_at moves with the version and with nothing else.
func TestUpdatedAt(t *testing.T) {
	b := trackingtest.New(t)
	facts := voyage("B1")
	for i := range facts {
		facts[i].Containers = []string{"APZU4812090", "TEST0000001"}
	}
	id := ingest(t, b, api(facts...)).ShipmentIDs[0]
	first, _, err := b.Containers(ctx, tracking.ContainerQuery{Numbers: []string{"APZU4812090"}}, tracking.Page{})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"B1": "version 1 at 0", "APZU4812090": "version 1 at 0", "TEST0000001": "version 1 at 0"}
	for _, step := range []struct {
		name    string
		clock   time.Duration
		do      func() error
		changed map[string]string
	}{
		{"nothing", time.Hour, func() error { return nil }, nil},
		{"the same report again", time.Hour, func() error { _, err := b.Ingest(ctx, api(facts...)); return err }, nil},
		{"a change of one box", time.Hour, func() error {
			_, err := b.UpdateContainer(ctx, first[0].ID, tracking.ContainerUpdate{RefNumbers: tracking.Set([]string{"R"})})
			return err
		}, map[string]string{"APZU4812090": "version 2 at 3"}},
		{"the same change again", time.Hour, func() error {
			_, err := b.UpdateContainer(ctx, first[0].ID, tracking.ContainerUpdate{RefNumbers: tracking.Set([]string{"R"})})
			return err
		}, nil},
		{"a change that boxes have no copy of", time.Hour, func() error {
			s, err := b.StopTracking(ctx, id)
			if err == nil && !s.UpdatedAt.Equal(b.Clock.Now()) {
				t.Errorf("the changed shipment is handed out with %v", s.UpdatedAt)
			}
			return err
		}, map[string]string{"B1": "version 2 at 5"}},
		{"a change that boxes are found by", time.Hour, func() error {
			_, err := b.UpdateShipment(ctx, id, tracking.ShipmentUpdate{Tags: tracking.Set([]string{"red"})})
			return err
		}, map[string]string{"B1": "version 3 at 6", "APZU4812090": "version 3 at 6", "TEST0000001": "version 2 at 6"}},
		{"a change after the clock went back", -3 * time.Hour, func() error {
			_, err := b.UpdateShipment(ctx, id, tracking.ShipmentUpdate{RefNumbers: tracking.Set([]string{"S"})})
			return err
		}, map[string]string{"B1": "version 4 at 6", "APZU4812090": "version 4 at 6", "TEST0000001": "version 3 at 6"}},
		{"a fact about one box", 4 * time.Hour, func() error {
			f := facts[0]
			f.ID, f.Activity, f.At.Time, f.LoadStatus, f.Containers = "in", freight.GateIn, f.At.Time.Add(24*time.Hour), freight.Laden, []string{"TEST0000001"}
			_, err := b.Ingest(ctx, api(f))
			return err
		}, map[string]string{"B1": "version 5 at 7", "TEST0000001": "version 4 at 7"}},
	} {
		b.Clock.Advance(step.clock)
		if err := step.do(); err != nil {
			t.Fatalf("%s: %v", step.name, err)
		}
		for number, is := range step.changed {
			want[number] = is
		}
		if diff := cmp.Diff(want, changes(t, b)); diff != "" {
			t.Fatalf("%s: -want +got\n%s", step.name, diff)
		}
	}
}

func TestIdentity(t *testing.T) {
	tests := []struct {
		name    string
		batches [][]tracking.Fact
		want    []string // numbers that shipments are followed by, sorted
	}{
		{"the transport document comes first", [][]tracking.Fact{{about("1", booking("BK1"), bill("BL1")), about("2", booking("BK1")), about("3", bill("BL1"))}}, []string{"BL1"}},
		{"a batch is read whole", [][]tracking.Fact{{about("1", booking("BK1")), about("2", booking("BK1"), bill("BL1"))}}, []string{"BL1"}},
		{"across batches the document adopts the booking", [][]tracking.Fact{{about("1", booking("BK1"))}, {about("2", booking("BK1"), bill("BL1"))}}, []string{"BL1"}},
		{"then facts find it by the other number", [][]tracking.Fact{{about("1", booking("BK1"))}, {about("2", booking("BK1"), bill("BL1"))}, {about("3", bill("BL1"))}, {about("4", booking("BK1"))}}, []string{"BL1"}},
		{"the booking of a shipment that is there is not listed", [][]tracking.Fact{{about("1", booking("BK1"))}, {about("2", bill("BL1"))}, {about("3", booking("BK1"), bill("BL1"))}}, []string{"BL1"}},
		{"spelling and prefix do not matter", [][]tracking.Fact{{about("1", bill("maeu 123-456"))}, {about("2", bill("123456"))}}, []string{"maeu 123-456"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := trackingtest.New(t)
			for _, facts := range tt.batches {
				ingest(t, b, api(facts...))
			}
			var got []string
			for _, s := range allShipments(t, b) {
				got = append(got, s.BillOfLadingNumber)
			}
			slices.Sort(got)
			if !slices.Equal(got, tt.want) {
				t.Errorf("shipments %v, want %v", got, tt.want)
			}
		})
	}
}

func TestCarriersDoNotMix(t *testing.T) {
	b := trackingtest.New(t)
	ingest(t, b, tracking.Report{Source: "api", SCAC: "MAEU", Facts: []tracking.Fact{about("1", bill("777"))}})
	ingest(t, b, tracking.Report{Source: "api", SCAC: "HLCU", Facts: []tracking.Fact{about("2", bill("777"))}})
	if n := len(allShipments(t, b)); n != 2 {
		t.Errorf("%d shipments: one number of two lines is two", n)
	}
}

func TestNumberFilterFindsEveryNumber(t *testing.T) {
	b := trackingtest.New(t)
	ingest(t, b, api(about("1", booking("BK1"), bill("MAEU55501"))))
	for _, number := range []string{"MAEU55501", "55501", "bk-1", "maeubk1"} {
		_, total, err := b.Shipments(ctx, tracking.ShipmentQuery{Number: number}, tracking.Page{Number: 1, Size: 1})
		if err != nil || total != 1 {
			t.Errorf("number %q finds %d, %v", number, total, err)
		}
	}
	if _, total, _ := b.Shipments(ctx, tracking.ShipmentQuery{Number: "APZU4812090"}, tracking.Page{Number: 1, Size: 1}); total != 0 {
		t.Error("number matches a container number")
	}
	if _, total, _ := b.Shipments(ctx, tracking.ShipmentQuery{Search: "apzu48"}, tracking.Page{Number: 1, Size: 1}); total != 1 {
		t.Error("q does not find a container number by its beginning")
	}
}

// A shipment that is followed by the number of a box is found by its documents,
// by q, and by the next fact about the box, but not by number.
func TestNumberFilterFindsNoBox(t *testing.T) {
	b := trackingtest.New(t)
	container := tracking.ShipmentNumber{Type: tracking.ContainerNumber, Number: "MSKU9465770"}
	ingest(t, b, api(about("1", container)))
	ingest(t, b, api(about("2", container, bill("MAEU55501"))))
	if n := len(allShipments(t, b)); n != 1 {
		t.Fatalf("%d shipments", n)
	}
	find := func(q tracking.ShipmentQuery, p tracking.Page) (int, int) {
		t.Helper()
		list, total, err := b.Shipments(ctx, q, p)
		if err != nil {
			t.Fatal(err)
		}
		return len(list), total
	}
	first := tracking.Page{Number: 1, Size: 1}
	for _, c := range []struct {
		q    tracking.ShipmentQuery
		page tracking.Page
		rows int
		all  int
	}{
		{tracking.ShipmentQuery{Number: "MSKU9465770"}, first, 0, 0},
		{tracking.ShipmentQuery{Number: "MAEU55501"}, first, 1, 1},
		{tracking.ShipmentQuery{Number: "55501"}, tracking.Page{}, 1, 1},
		{tracking.ShipmentQuery{Number: "55501"}, tracking.Page{Number: 2, Size: 1}, 0, 1},
		{tracking.ShipmentQuery{Number: "55501"}, tracking.Page{Number: math.MaxInt, Size: 100}, 0, 1},
		{tracking.ShipmentQuery{Search: "msku946"}, first, 1, 1},
	} {
		if rows, all := find(c.q, c.page); rows != c.rows || all != c.all {
			t.Errorf("%+v on %+v: %d of %d, want %d of %d", c.q, c.page, rows, all, c.rows, c.all)
		}
	}
	ingest(t, b, api(about("3", bill("MSKU9465770")))) // a document can be numbered like it
	if _, all := find(tracking.ShipmentQuery{Number: "msku 946577-0"}, first); all != 1 {
		t.Errorf("%d shipments by the document", all)
	}
}

// Filters take the alternative SCACs of a line, in any letter case.
func TestFilterByAlternativeSCAC(t *testing.T) {
	b := trackingtest.New(t)
	ingest(t, b, tracking.Report{Source: "api", SCAC: "MEDU", Facts: []tracking.Fact{about("1", bill("B1"))}})
	if _, err := b.CreateTrackingRequest(ctx, tracking.NewTrackingRequest{Number: "B2", SCAC: "MEDU", Type: tracking.BillOfLading}); err != nil {
		t.Fatal(err)
	}
	for scac, want := range map[string]int{"MSCU": 1, "MEDU": 1, "medu": 1, "MAEU": 0, "NONE": 0} {
		q := tracking.TrackedQuery{SCACs: []string{"XXXX", scac}}
		page := tracking.Page{Number: 1, Size: 10}
		if _, n, err := b.Shipments(ctx, tracking.ShipmentQuery{TrackedQuery: q}, page); err != nil || n != want {
			t.Errorf("%s: %d shipments, %v; want %d", scac, n, err, want)
		}
		if _, n, err := b.Containers(ctx, tracking.ContainerQuery{TrackedQuery: q}, page); err != nil || n != want {
			t.Errorf("%s: %d containers, %v; want %d", scac, n, err, want)
		}
		if _, n, err := b.TrackingRequests(ctx, tracking.TrackingRequestQuery{SCACs: q.SCACs}, page); err != nil || n != want {
			t.Errorf("%s: %d requests, %v; want %d", scac, n, err, want)
		}
		if q.SCACs[1] != scac {
			t.Error("the caller's list was changed")
		}
	}
}

func TestRetractionAndLateKnowledge(t *testing.T) {
	b := trackingtest.New(t)
	facts := voyage("B1")
	ingest(t, b, api(append(facts[:3:3], arrival("B1"))...))
	events := func() map[tracking.EventName]int {
		count := map[tracking.EventName]int{}
		list, _, err := b.TransportEvents(ctx, tracking.TransportEventQuery{Invalidated: tracking.No}, tracking.Page{})
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range list {
			count[e.Event]++
		}
		return count
	}
	if events()[freight.VesselArrived] != 1 {
		t.Fatalf("events %v", events())
	}
	// The line says only now that Los Angeles was on the way to Oakland.
	route := tracking.Fact{ID: "route", Activity: freight.Route, Place: tracking.Place{LOCODE: "USOAK", Role: freight.RolePOD}, Numbers: facts[0].Numbers}
	b.Clock.Advance(time.Hour)
	ingest(t, b, api(route))
	if e := events(); e[freight.VesselArrived] != 0 || e[freight.TransshipmentArrived] != 1 {
		t.Fatalf("after the POD is known: %v", e)
	}
	wrong, _, _ := b.TransportEvents(ctx, tracking.TransportEventQuery{Invalidated: tracking.Yes}, tracking.Page{})
	if len(wrong) != 1 || wrong[0].Event != freight.VesselArrived || wrong[0].InvalidatedAt.IsZero() {
		t.Errorf("invalidated: %+v", wrong)
	}
	b.Clock.Advance(time.Hour)
	ingest(t, b, api(tracking.Fact{ID: "route", Retracted: true}))
	if e := events(); e[freight.VesselArrived] != 1 || e[freight.TransshipmentArrived] != 0 {
		t.Errorf("after the retraction: %v", e)
	}
	if n := len(b.Announced()); n != 5 {
		t.Errorf("%d announcements: 4 at first, 1 for the new name, none for the old one again", n)
	}
}

func TestRetractionBeforeItsFact(t *testing.T) {
	b := trackingtest.New(t)
	facts := voyage("B1")
	take := tracking.Fact{ID: "depart", Retracted: true, RecordedAt: facts[2].RecordedAt}
	ingest(t, b, api(take))
	ingest(t, b, api(facts...))
	if s := allShipments(t, b)[0]; !s.POLATDAt.IsZero() {
		t.Errorf("a retracted fact is as if it had never come, whichever came first: %v", s.POLATDAt)
	}
}

func TestContainersThatLeave(t *testing.T) {
	b := trackingtest.New(t)
	ingest(t, b, api(about("1", bill("B1")), tracking.Fact{ID: "2", RecordedAt: trackingtest.Start, Activity: freight.Other, Numbers: []tracking.ShipmentNumber{bill("B1")}, Containers: []string{"CSQU3054383"}}))
	s := allShipments(t, b)[0]
	if len(s.Containers) != 2 {
		t.Fatalf("%d containers", len(s.Containers))
	}
	ingest(t, b, api(tracking.Fact{ID: "2", RecordedAt: trackingtest.Start.Add(time.Hour), Retracted: true}))
	if s = allShipments(t, b)[0]; len(s.Containers) != 1 {
		t.Errorf("%d containers after one left", len(s.Containers))
	}
	gone, _, err := b.Containers(ctx, tracking.ContainerQuery{Removed: tracking.Yes}, tracking.Page{})
	if err != nil || len(gone) != 1 || gone[0].Number != "CSQU3054383" {
		t.Errorf("removed: %v, %v", gone, err)
	}
}

func TestAllContainersTerminatedStops(t *testing.T) {
	b := trackingtest.New(t)
	back := voyage("B1")[0]
	back.ID, back.Activity, back.Place.LOCODE, back.At.Time = "back", freight.GateIn, "USLAX", back.At.Time.AddDate(0, 0, 25)
	ingest(t, b, api(append(voyage("B1"), recordedAtOnce(back))...))
	s := allShipments(t, b)[0]
	if s.LineTrackingStoppedReason != tracking.StoppedAllContainersTerminated {
		t.Fatalf("reason %q", s.LineTrackingStoppedReason)
	}
	if n := len(b.Announced()); n != 4 {
		t.Errorf("%d announced: the last milestone of a shipment is announced too", n)
	}
}

func TestFactsAreNumberedAndTimeNeverGoesBack(t *testing.T) {
	b := trackingtest.New(t)
	ingest(t, b, api(about("1", bill("B1"))))
	b.Clock.Advance(-time.Hour)
	ingest(t, b, api(about("2", bill("B1"))))
	c, _, err := b.Containers(ctx, tracking.ContainerQuery{}, tracking.Page{})
	if err != nil {
		t.Fatal(err)
	}
	raw, err := b.RawEvents(ctx, c[0].ID)
	if err != nil || len(raw) != 2 {
		t.Fatalf("%d raw events, %v", len(raw), err)
	}
	for i, r := range raw {
		if r.Number != int64(i+1) || !r.CreatedAt.Equal(trackingtest.Start) {
			t.Errorf("fact %d: number %d received %s", i, r.Number, r.CreatedAt)
		}
	}
}

func TestFlappingWithoutRecordedAt(t *testing.T) {
	b := trackingtest.New(t)
	say := func(day int) {
		f := voyage("B1")[3]
		f.RecordedAt, f.At.Time = time.Time{}, time.Date(2026, 2, day, 0, 0, 0, 0, time.UTC)
		b.Clock.Advance(time.Minute)
		ingest(t, b, api(f))
	}
	ingest(t, b, api(voyage("B1")[:3]...))
	for _, day := range []int{20, 21, 20, 20} {
		say(day)
	}
	s := allShipments(t, b)[0]
	if s.PODETAAt.Day() != 20 || s.PODOriginalETAAt.Day() != 20 {
		t.Errorf("eta %v, original %v: what was said last counts", s.PODETAAt, s.PODOriginalETAAt)
	}
	c, _ := b.Container(ctx, s.Containers[0])
	raw, _ := b.RawEvents(ctx, c.ID)
	if len(raw) != 6 {
		t.Errorf("%d facts stored, want 3 + 3: the last one repeats what was known", len(raw))
	}
}

func TestReportFaultsStoreNothing(t *testing.T) {
	tests := []struct{ json, field string }{
		{`{"facts":[]}`, "source"},
		{`{"source":"x","facts":{}}`, "facts"},
		{`{"source":"x","facts":[3]}`, "facts[0]"},
		{`{"source":"x","facts":[{"event":"load","at":"yesterday"}]}`, "facts[0].at"},
		{`{"source":"x","facts":[{"event":"load","recorded_at":"2026-01-01"}]}`, "facts[0].recorded_at"},
		{`{"source":"x","facts":[{"event":"load","place":{"locode":7}}]}`, "facts[0].place.locode"},
		{`{"source":"x","facts":[{"event":"fly"}]}`, "facts[0].event"},
		{`{"source":"x","facts":[{"event":"load","clasifier":"actual"}]}`, "facts[0].clasifier"},
		{`{"source":"x","facts":[{"event":"load","classifier":"maybe"}]}`, "facts[0].classifier"},
		{`{"source":"x","facts":[{"event":"load","numbers":[{"type":"seal","number":"1"}]}]}`, "facts[0].numbers[0].type"},
		{`{"source":"x","facts":[{"event":"load","numbers":[{"type":"bill_of_lading","number":"-"}]}]}`, "facts[0].numbers[0].number"},
		{`{"source":"x","facts":[{"event":"load"}]}`, "facts[0].numbers"},
		{`{"source":"x","facts":[{"retract":true}]}`, "facts[0].id"},
		{`{"source":"x","scac":"MAERSK","facts":[]}`, "scac"},
		{`{"source":"x","facts":[{"event":"terminal_status","terminal":{"holds":[{"name":"odd","status":"hold"}]}}]}`, "facts[0].terminal.holds[0].name"},
		{`{"data":{"type":"shipment","attributes":{}}}`, "data.type"},
		{`{"data":{"type":"report"}}`, "data.attributes"},
		{`{"source":"x","Source":"y","facts":[]}`, "Source"},
		{`{"source":"x","facts":[{"event":"load","Event":"load"}]}`, "facts[0].Event"},
		{`[]`, ""},
		{`nonsense`, ""},
	}
	b := trackingtest.New(t)
	for _, tt := range tests {
		r, err := tracking.ParseReport([]byte(tt.json))
		if err == nil {
			_, err = b.Ingest(ctx, r)
		}
		var e *tracking.Error
		if !errors.As(err, &e) || e.Kind != tracking.BadDocument || e.Field != tt.field || e.Detail == "" {
			t.Errorf("%s:\n got %+v\nwant a fault at %q", tt.json, err, tt.field)
		}
	}
	if n := len(allShipments(t, b)); n != 0 {
		t.Errorf("%d shipments were made all the same", n)
	}
}

// outcome is everything derived that must not depend on the order of learning.
func outcome(t testing.TB, b *trackingtest.Bench, id tracking.ID) any {
	t.Helper()
	s, err := b.Shipment(ctx, id)
	if err != nil {
		t.Fatal(err)
	}
	type all struct {
		Shipment   *tracking.Shipment
		Containers map[string]*tracking.Container
		Events     map[tracking.ID]*tracking.TransportEvent
	}
	out := all{s, map[string]*tracking.Container{}, map[tracking.ID]*tracking.TransportEvent{}}
	containers, _, _ := b.Containers(ctx, tracking.ContainerQuery{Shipment: id, Removed: tracking.No}, tracking.Page{})
	for _, c := range containers {
		out.Containers[c.Number] = c
	}
	events, _, _ := b.TransportEvents(ctx, tracking.TransportEventQuery{Shipment: id, Invalidated: tracking.No}, tracking.Page{})
	for _, e := range events {
		out.Events[e.ID] = e
	}
	return out
}

// TestOrderOfLearning hands the same facts to two trackers, in different orders
// and batches, and compares what is derived for a shipment that exists. It failed
// while Ingest took an actual that is ahead of its recording for what counts, and
// derive for an estimate that a later version takes the place of.
func TestOrderOfLearning(t *testing.T) {
	rounds := 150
	if testing.Short() {
		rounds = 30
	}
	for seed := range rounds {
		rng := rand.New(rand.NewPCG(uint64(seed), 7))
		facts := history(rng)
		var want any
		for try := range 3 {
			b := trackingtest.New(t)
			r := create(t, b, tracking.NewTrackingRequest{Number: "BK1", Type: tracking.BookingNumber, SCAC: "MSCU"})
			ingest(t, b, tracking.Report{Source: "api", SCAC: "MSCU", Facts: []tracking.Fact{about("0", booking("BK1"))}})
			// Whether a document has a shipment of its own beside a booking that was
			// asked for depends on what comes first.
			ingest(t, b, tracking.Report{Source: "api", SCAC: "MSCU", Facts: []tracking.Fact{about("l1", bill("BL1")), about("l2", bill("BL2"))}})
			id := request(t, b, r.ID).TrackedObject
			left := slices.Clone(facts)
			if try > 0 {
				rng.Shuffle(len(left), func(i, j int) { left[i], left[j] = left[j], left[i] })
			}
			for len(left) > 0 {
				n := 1 + rng.IntN(len(left))
				ingest(t, b, tracking.Report{Source: "api", SCAC: "MSCU", Facts: left[:n]})
				left = left[n:]
			}
			got := outcome(t, b, id)
			if try == 0 {
				want = got
				continue
			}
			diff := cmp.Diff(want, got, sameState...)
			if diff != "" {
				text, _ := json.MarshalIndent(facts, "", " ")
				t.Fatalf("seed %d: the order of learning matters:\n%s\nfacts: %s", seed, diff, text)
			}
		}
	}
}

// history draws facts about bookings and bills that overlap.
func history(rng *rand.Rand) []tracking.Fact {
	pick := func(list ...string) string { return list[rng.IntN(len(list))] }
	recorded := rng.Perm(200) // of facts of one moment the one that arrives later counts
	var facts []tracking.Fact
	for i := range 5 + rng.IntN(25) {
		numbers := []tracking.ShipmentNumber{booking(pick("BK1", "BK1", "BK2"))}
		if rng.IntN(3) == 0 {
			numbers = append(numbers, bill(pick("BL1", "BL2")))
		}
		if rng.IntN(4) == 0 {
			numbers = []tracking.ShipmentNumber{bill(pick("BL1", "BL2"))}
		}
		what := []freight.Activity{freight.Loading, freight.Discharge, freight.Departure, freight.Arrival, freight.GateIn, freight.GateOut, freight.Described, freight.TerminalStatus, freight.Route}[rng.IntN(9)]
		f := tracking.Fact{
			ID: fmt.Sprint("e", rng.IntN(i+1)), RecordedAt: time.Date(2026, 2, 1, recorded[i], 0, 0, 0, time.UTC),
			Activity: what, Classifier: []freight.Classifier{freight.Actual, freight.Estimated, freight.Planned}[rng.IntN(3)],
			At:    tracking.Moment{Time: time.Date(2026, 2, 1+rng.IntN(30), rng.IntN(24), 0, 0, 0, time.UTC)},
			Place: tracking.Place{LOCODE: pick("CNSHA", "SGSIN", "NLRTM", "DEDUI")}, Mode: freight.ByVessel,
			LoadStatus: []freight.LoadStatus{freight.Empty, freight.Laden}[rng.IntN(2)], Numbers: numbers,
			Containers: []string{pick("APZU4812090", "CSQU3054383")},
			Vessel:     tracking.VesselRef{IMO: pick("9321483", "9770749")},
			Retracted:  rng.IntN(12) == 0,
		}
		switch what {
		case freight.Route:
			f.Place.Role, f.Containers = []freight.Role{freight.RolePOL, freight.RolePOD, freight.RoleDestination}[rng.IntN(3)], nil
		case freight.Described:
			f.Equipment = freight.Equipment{ISOType: pick("45G1", "22R1"), Seals: []string{pick("S1", "S2")}}
		case freight.TerminalStatus:
			yes := rng.IntN(2) == 0
			f.Terminal = &freight.TerminalFacts{Available: &yes, Yard: pick("A", "B")}
		}
		facts = append(facts, f)
	}
	return facts
}

func TestCorrectionWithinASecondCounts(t *testing.T) {
	b := trackingtest.New(t)
	facts := voyage("B1")
	depart := facts[2]
	depart.RecordedAt = time.Time{}
	ingest(t, b, api(facts[0], facts[1], depart))
	ingest(t, b, api(tracking.Fact{ID: depart.ID, Retracted: true}))
	if s := allShipments(t, b)[0]; !s.POLATDAt.IsZero() {
		t.Fatal("the retraction did not count")
	}
	ingest(t, b, api(depart))
	if s := allShipments(t, b)[0]; s.POLATDAt.IsZero() {
		t.Error("the fact was handed in again and did not count: the clock stood still, but it came later")
	}
}

func TestWhatComesAfterTheStopIsNotAnnounced(t *testing.T) {
	b := trackingtest.New(t)
	back := voyage("B1")[0]
	back.ID, back.Activity, back.Place.LOCODE, back.At.Time = "back", freight.GateIn, "USLAX", back.At.Time.AddDate(0, 0, 25)
	ingest(t, b, api(append(voyage("B1"), recordedAtOnce(back))...))
	before := len(b.Announced())
	ingest(t, b, api(arrival("B1")))
	if n := len(b.Announced()); n != before {
		t.Errorf("%d more announced for a shipment that has stopped", n-before)
	}
}

// TestWhatWasWronglyConnectedParts: two shipments' facts, connected by a third
// fact that is taken back.
func TestWhatWasWronglyConnectedParts(t *testing.T) {
	b := trackingtest.New(t)
	shown := func(s *tracking.Shipment) (list []string) {
		for _, c := range s.Containers {
			facts, err := b.RawEvents(ctx, c)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range facts {
				list = append(list, f.Fact.ID)
			}
		}
		return list
	}
	one, two := about("one", bill("B1")), about("two", bill("B2"))
	two.Containers = []string{"CSQU3054383"}
	ingest(t, b, api(one))
	ingest(t, b, api(about("both", bill("B1"), bill("B2"))))
	ingest(t, b, api(two))
	list := allShipments(t, b)
	if len(list) != 2 || !slices.Equal(list[0].ContainerNumbers, []string{"APZU4812090", "CSQU3054383"}) || len(list[1].Containers) != 1 {
		t.Fatalf("connected: %+v", list)
	}
	announced := len(b.Announced())
	b.Clock.Advance(time.Hour)
	ingest(t, b, api(tracking.Fact{ID: "both", Retracted: true}))

	if list = allShipments(t, b); len(list) != 2 || list[0].BillOfLadingNumber != "B2" {
		t.Fatalf("parted: %d shipments: %+v", len(list), list[0])
	}
	for i, want := range [][]string{{"two"}, {"one", "both"}} {
		if got := shown(list[i]); !slices.Equal(got, want) {
			t.Errorf("%s shows %q, want %q", list[i].BillOfLadingNumber, got, want)
		}
	}
	gone, _, err := b.Containers(ctx, tracking.ContainerQuery{Removed: tracking.Yes}, tracking.Page{})
	if err != nil || len(gone) != 1 {
		t.Fatalf("%d boxes have left, %v", len(gone), err)
	}
	if left, err := b.RawEvents(ctx, gone[0].ID); err != nil || slices.ContainsFunc(left, func(r *tracking.RawEvent) bool { return r.Fact.ID == "two" }) {
		t.Errorf("the box that has left shows %+v, %v", left, err)
	}
	if n := len(b.Announced()); n != announced {
		t.Errorf("%d announcements for what was known before", n-announced)
	}
	// And together again.
	ingest(t, b, api(about("again", bill("B1"), bill("B2"))))
	if list = allShipments(t, b); len(list) != 2 || list[0].FactCount != list[1].FactCount {
		t.Errorf("together again: %+v, %+v", list[0], list[1])
	}
}

// TestNamesComeLater: a place or ship that was first named by a code alone takes
// the first name that it is given, and keeps it.
func TestNamesComeLater(t *testing.T) {
	b := trackingtest.New(t)
	say := func(id string, p tracking.Place, v tracking.VesselRef) *tracking.RawEvent {
		f := about(id, bill("B1"))
		f.Place, f.Vessel = p, v
		c, err := b.Container(ctx, ingest(t, b, api(f)).ContainerIDs[0])
		if err != nil {
			t.Fatal(err)
		}
		facts, err := b.RawEvents(ctx, c.ID)
		if err != nil {
			t.Fatal(err)
		}
		return facts[len(facts)-1]
	}
	for _, step := range []struct{ id, name, want string }{{"1", "", "by code"}, {"2", "", "by code"}, {"3", "Early", "Early"}, {"4", "Late", "Early"}, {"5", "", "Early"}} {
		r := say(step.id, tracking.Place{LOCODE: "ZZABC", Name: step.name, SMDG: "QQQ", Facility: step.name}, tracking.VesselRef{IMO: "9321483", Name: step.name})
		port, err := b.Port(ctx, r.Location.ID)
		if err != nil {
			t.Fatal(err)
		}
		terminal, err := b.Terminal(ctx, r.Terminal)
		if err != nil {
			t.Fatal(err)
		}
		ship, err := b.Vessel(ctx, r.Vessel)
		if err != nil {
			t.Fatal(err)
		}
		want := []string{step.want, step.want, step.want}
		if step.want == "by code" {
			want = []string{"ZZABC", "ZZABC QQQ", "9321483"}
		}
		if got := []string{port.Name, terminal.Name, ship.Name}; !slices.Equal(got, want) {
			t.Errorf("fact %s: %q, want %q", step.id, got, want)
		}
	}
	// A ship known by its name alone answers as the one it turns out to be.
	unnumbered := say("6", tracking.Place{}, tracking.VesselRef{Name: "Hidden"}).Vessel
	say("7", tracking.Place{}, tracking.VesselRef{IMO: "9770749", Name: "Hidden"})
	got, err := b.Rendered().Get(ctx, "vessel", unnumbered, nil)
	if err != nil || !strings.Contains(string(got.Rows[0].Doc), "9770749") {
		t.Errorf("%s, %v", got.Rows[0].Doc, err)
	}
}

// TestOneReportInItsOrder: facts without a time of recording come one after the
// other, in one report as in several.
func TestOneReportInItsOrder(t *testing.T) {
	fact := about("x", bill("B1"))
	fact.RecordedAt = time.Time{}
	take, other := tracking.Fact{ID: "x", Retracted: true}, fact
	other.Containers = []string{"CSQU3054383"}
	for _, test := range []struct {
		name  string
		facts []tracking.Fact
		boxes []string
		known int // different facts
	}{
		{"taken back", []tracking.Fact{fact, take}, nil, 2},
		{"and reported again", []tracking.Fact{fact, take, fact}, []string{"APZU4812090"}, 3},
		{"and corrected", []tracking.Fact{fact, take, other}, []string{"CSQU3054383"}, 3},
		{"said twice", []tracking.Fact{fact, fact}, []string{"APZU4812090"}, 1},
		{"corrected and back", []tracking.Fact{fact, other, fact}, []string{"APZU4812090"}, 3},
	} {
		for _, split := range []bool{false, true} {
			b := trackingtest.New(t)
			ingest(t, b, api(about("0", bill("B1"))))
			known, size := 0, len(test.facts)
			if split {
				size = 1
			}
			for part := range slices.Chunk(test.facts, size) {
				known += ingest(t, b, api(part...)).New
			}
			if s := allShipments(t, b)[0]; known != test.known || !slices.Equal(s.ContainerNumbers, union("APZU4812090", test.boxes)) {
				t.Errorf("%s (split: %v): %d facts, boxes %q", test.name, split, known, s.ContainerNumbers)
			}
		}
	}
}

func union(container string, more []string) []string {
	list := append([]string{container}, more...)
	slices.Sort(list)
	return slices.Compact(list)
}

// TestArrivalNeverGoesBack: facts that do not say when they were recorded were
// when they came, also when the clock has been set back.
func TestArrivalNeverGoesBack(t *testing.T) {
	b := trackingtest.New(t)
	first := about("", bill("B1"))
	first.RecordedAt = time.Time{}
	second := first
	second.Original = "said later"
	ingest(t, b, api(first))
	b.Clock.Advance(-time.Hour)
	id := ingest(t, b, api(second)).ContainerIDs[0]
	facts, err := b.RawEvents(ctx, id)
	if err != nil || len(facts) != 2 {
		t.Fatalf("%d facts, %v", len(facts), err)
	}
	if at := facts[1].Fact.RecordedAt; at.Before(facts[0].Fact.RecordedAt) {
		t.Errorf("the second fact was recorded at %v", at)
	}
}

// TestEventsWithoutATimeComeFirst, as the samples of the interface have them.
func TestEventsWithoutATimeComeFirst(t *testing.T) {
	b := trackingtest.New(t)
	facts := voyage("B1")[:3]
	facts[1].At = tracking.Moment{} // loaded, nobody says when
	id := ingest(t, b, api(facts...)).ContainerIDs[0]
	list, _, err := b.TransportEvents(ctx, tracking.TransportEventQuery{Container: id}, tracking.Page{})
	if err != nil {
		t.Fatal(err)
	}
	var got []tracking.EventName
	for _, e := range list {
		got = append(got, e.Event)
	}
	if want := []tracking.EventName{freight.VesselLoaded, freight.VesselDeparted, freight.EmptyOut}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestReportsOfPrograms: what JSON cannot say, a program can hand in.
func TestReportsOfPrograms(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	fee := func(amount float64) *freight.TerminalFacts {
		return &freight.TerminalFacts{Fees: []tracking.Fee{{Type: "total", Amount: amount, CurrencyCode: "USD"}}}
	}
	b := trackingtest.New(t)
	for field, change := range map[string]func(*tracking.Fact){
		"payload":             func(f *tracking.Fact) { f.Payload = []byte(`{"a":`) },
		"equipment.weight_kg": func(f *tracking.Fact) { f.Equipment.WeightKg = nan },
		"terminal.fees[0]":    func(f *tracking.Fact) { f.Terminal = fee(nan) },
		"voyage":              func(f *tracking.Fact) { f.Voyage = "\x00" },
		"references[1]":       func(f *tracking.Fact) { f.References = []string{"a", "\xff"} },
	} {
		f := about("1", bill("B1"))
		change(&f)
		_, err := b.Ingest(ctx, api(f))
		var e *tracking.Error
		if !errors.As(err, &e) || e.Kind != tracking.BadDocument || e.Field != "facts[0]."+field {
			t.Errorf("%s: %v", field, err)
		}
	}
	f := about("1", bill("B1"))
	f.Terminal = fee(inf)
	if _, err := b.Ingest(ctx, api(f)); err == nil {
		t.Error("an infinite fee is taken")
	}
	f.Terminal, f.Payload = nil, []byte(` {"a": 1} `)
	ingest(t, b, api(f))
}

// meddling does something between the first look at an account and the
// transaction that follows from it, once.
type meddling struct {
	tracking.Store
	do func()
}

func (m *meddling) View(ctx context.Context, a tracking.AccountID, fn func(store.RecordTx) error) error {
	err := m.Store.View(ctx, a, fn)
	if do := m.do; do != nil && a != (tracking.AccountID{}) { // upkeep looks at the system scope
		m.do = nil
		do()
	}
	return err
}

// TestVersionsThatCross: two versions of one fact come at the same time, and
// name different numbers.
func TestVersionsThatCross(t *testing.T) {
	store := &meddling{Store: memory.New()}
	b := trackingtest.New(t, func(c *tracking.Config) { c.Store = store })
	early, late := about("x", bill("B1")), about("x", bill("B2"))
	late.RecordedAt = late.RecordedAt.Add(time.Hour)
	store.do = func() { ingest(t, b, api(late)) }
	ingest(t, b, api(early))
	if list := allShipments(t, b); len(list) != 1 || list[0].BillOfLadingNumber != "B2" {
		t.Errorf("%d shipments: the later version alone counts", len(list))
	}
	// The same fact at the same time is one fact.
	store.do = func() {
		if n := ingest(t, b, api(about("y", bill("B2")))).New; n != 1 {
			t.Errorf("%d new facts", n)
		}
	}
	if n := ingest(t, b, api(about("y", bill("B2")))).New; n != 0 {
		t.Errorf("%d new facts, the second time", n)
	}
}

// TestFactsThatCross: while a fact is taken in, another report takes one back
// and brings one. The shipment has as many facts as before, but not the same.
func TestFactsThatCross(t *testing.T) {
	store := &meddling{Store: memory.New()}
	b := trackingtest.New(t, func(c *tracking.Config) { c.Store = store })
	estimate := func(id string, day int) tracking.Fact {
		f := about(id, bill("B1"))
		f.Activity, f.Classifier, f.Mode, f.Place = freight.Arrival, freight.Estimated, freight.ByRail, tracking.Place{LOCODE: "USCHI"}
		f.At = tracking.Moment{Time: time.Date(2026, 3, day, 0, 0, 0, 0, time.UTC)}
		return f
	}
	ingest(t, b, api(about("base", bill("B1")), estimate("early", 5)))
	gone := tracking.Fact{ID: "early", Retracted: true, RecordedAt: time.Date(2026, 2, 2, 0, 0, 0, 0, time.UTC)}
	store.do = func() { ingest(t, b, api(gone, estimate("late", 9))) }
	route := about("route", bill("B1"))
	route.Activity, route.Place = freight.Route, tracking.Place{LOCODE: "USCHI", Role: freight.RoleDestination}
	ingest(t, b, api(route))
	if s := allShipments(t, b)[0]; s.DestinationETAAt.Day() != 9 {
		t.Errorf("the shipment is to arrive at %s, as the fact says that was taken back", s.DestinationETAAt)
	}
}

// marked is a fact with a reference of its own, to be told by where it went.
func marked(id, scac string, hour int, numbers ...tracking.ShipmentNumber) tracking.Fact {
	f := about(id, numbers...)
	f.SCAC, f.References = scac, []string{id}
	f.RecordedAt = time.Date(2026, 2, 1, hour, 0, 0, 0, time.UTC)
	return f
}

// homes says which references each shipment has, by line and number.
func homes(t *testing.T, b *trackingtest.Bench) map[string][]string {
	t.Helper()
	list := map[string][]string{}
	for _, s := range allShipments(t, b) {
		at := s.ShippingLineSCAC + " " + s.BillOfLadingNumber
		if list[at] != nil {
			t.Errorf("two shipments are %s", at)
		}
		list[at] = slices.Sorted(slices.Values(s.References))
	}
	return list
}

// unlined is a report that names no line for facts that name none.
func unlined(facts ...tracking.Fact) tracking.Report {
	return tracking.Report{Source: "api", Facts: facts}
}

// TestFactsOfAnotherLineAreNotLost: a shipment that adopts a line leaves the
// facts of other lines to shipments of theirs, also within one report.
func TestFactsOfAnotherLineAreNotLost(t *testing.T) {
	facts := []tracking.Fact{
		marked("1", "", 3, bill("B1")), marked("2", "MAEU", 1, bill("B1")), marked("3", "MSCU", 2, bill("B1")), marked("4", "MSCU", 5, bill("B1")),
	}
	together, apart := trackingtest.New(t), trackingtest.New(t)
	ingest(t, together, unlined(facts[:3]...))
	ingest(t, together, unlined(facts[3]))
	for _, f := range facts {
		ingest(t, apart, unlined(f))
	}
	got := homes(t, together)
	if diff := cmp.Diff(homes(t, apart), got); diff != "" {
		t.Errorf("one by one (-) and together (+):\n%s", diff)
	}
	if !slices.Equal(got["MSCU B1"], []string{"1", "3", "4"}) {
		t.Errorf("the other line has %q", got)
	}
}

// TestLostFactsFindTheirShipment: what was wrongly connected goes back to the
// shipment that goes by its number, and gets no second one.
func TestLostFactsFindTheirShipment(t *testing.T) {
	b := trackingtest.New(t)
	for _, f := range []tracking.Fact{
		marked("a", "MAEU", 1, booking("K2")), marked("f", "", 2, booking("K2")), marked("d", "MSCU", 3, bill("B1")),
		marked("c", "MSCU", 4, bill("B1"), booking("K2")),
		{ID: "c", RecordedAt: time.Date(2026, 2, 1, 6, 0, 0, 0, time.UTC), Retracted: true},
	} {
		ingest(t, b, unlined(f))
	}
	if diff := cmp.Diff(map[string][]string{"MAEU K2": {"a", "f"}, "MSCU B1": {"d"}}, homes(t, b)); diff != "" {
		t.Errorf("wanted (-) and seen (+):\n%s", diff)
	}
}

// TestNamesakesInOneReport: a ship that one fact names without its number, and
// the next with it, is known under both from the same report on.
func TestNamesakesInOneReport(t *testing.T) {
	for _, reports := range [][]int{{0, 1}, {0, 1, 2}} {
		b := trackingtest.New(t)
		known, byName, both := about("k", bill("B1")), about("n", bill("B1")), about("m", bill("B1"))
		known.Vessel = tracking.VesselRef{IMO: "9321483", Name: "EVER X"}
		byName.Vessel, both.Vessel = tracking.VesselRef{Name: "EVER X"}, known.Vessel
		both.RecordedAt = both.RecordedAt.Add(time.Hour)
		facts := []tracking.Fact{known, byName, both}
		for i, from := range reports {
			to := len(facts)
			if i+1 < len(reports) {
				to = reports[i+1]
			}
			ingest(t, b, api(facts[from:to]...))
		}
		found := 0
		for _, c := range allShipments(t, b)[0].Containers {
			raw, err := b.RawEvents(ctx, c)
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range raw {
				v, err := b.Vessel(ctx, r.Vessel)
				if err != nil {
					t.Fatal(err)
				}
				if v.IMO == "9321483" {
					found++
				}
			}
		}
		if found != 3 {
			t.Errorf("%v: %d of 3 facts lead to the ship with its number", reports, found)
		}
	}
}

// TestHistoryAfterAnImport: a shipment that was imported silently, and is then
// followed, announces what has happened since the request, and not what the
// source's first answer tells of before.
func TestHistoryAfterAnImport(t *testing.T) {
	b := trackingtest.New(t)
	facts := voyage("B1")
	imported := api(facts[0])
	imported.Silent = true
	ingest(t, b, imported)
	arrived := arrival("B1")
	arrived.At.Time = trackingtest.Start.Add(2 * time.Hour)
	discharged := arrived
	discharged.ID, discharged.Activity, discharged.At.Time = "discharged", freight.Discharge, trackingtest.Start.Add(-time.Hour)
	b.Source.Script("B1",
		trackingtest.Reply{Facts: append(facts[1:3:3], recordedAtOnce(arrived))},
		trackingtest.Reply{Facts: []tracking.Fact{recordedAtOnce(discharged)}})
	b.Clock.Advance(2 * time.Hour)
	create(t, b, tracking.NewTrackingRequest{Number: "B1", Type: tracking.BillOfLading, SCAC: trackingtest.SCAC})
	names := func() (list []tracking.EventName) {
		for _, e := range b.Announced() {
			list = append(list, e.Event)
		}
		return list
	}
	b.Settle()
	if got := names(); !slices.Equal(got, []tracking.EventName{freight.VesselArrived}) {
		t.Errorf("the first answer announced %q", got)
	}
	b.Pass(7 * time.Hour)
	if got := names(); !slices.Equal(got, []tracking.EventName{freight.VesselArrived, freight.VesselDischarged}) {
		t.Errorf("with the second answer, late news are announced: %q", got)
	}
}

// idle is a store whose system scope cannot be read while it is broken.
type idle struct {
	tracking.Store
	broken bool
	asked  int
}

func (s *idle) View(ctx context.Context, a tracking.AccountID, fn func(store.RecordTx) error) error {
	if s.broken && a == (tracking.AccountID{}) {
		s.asked++
		return tracking.ErrUnavailable
	}
	return s.Store.View(ctx, a, fn)
}

// TestUpkeepThatFails keeps nobody from being followed.
func TestUpkeepThatFails(t *testing.T) {
	store := &idle{Store: memory.New()}
	b := trackingtest.New(t, func(c *tracking.Config) { c.Store = store })
	b.Source.Script("B1", trackingtest.Reply{Facts: voyage("B1")})
	r := create(t, b, tracking.NewTrackingRequest{Number: "B1", Type: tracking.BillOfLading, SCAC: trackingtest.SCAC})
	store.broken = true
	if _, err := b.Operator.RunOnce(ctx); err != nil {
		t.Fatal(err)
	}
	if got := request(t, b, r.ID).Status; got != tracking.RequestCreated || store.asked == 0 {
		t.Errorf("the request is %s; upkeep failed %d times", got, store.asked)
	}
}

// What happened before the first request for a shipment is history, also where
// the shipment had come by report before. Its source has until its first answer
// to tell of it, whatever else is requested meanwhile.
func TestHistoryOfAShipmentThatWasThere(t *testing.T) {
	for _, tt := range []struct {
		name    string
		arrived int // days after the import; the request comes after 20
		want    []tracking.EventName
	}{
		{"before the request", 10, nil},
		{"after the request", 21, []tracking.EventName{freight.VesselArrived}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := trackingtest.New(t)
			silent := api(append(voyage("B1"), about("link", bill("B1"), booking("BK1")))...)
			silent.Silent = true
			ingest(t, b, silent)
			b.Clock.Advance(20 * day)
			b.Source.Script("B1", fails(freight.LineUnreachable))
			create(t, b, tracking.NewTrackingRequest{Number: "B1", Type: tracking.BillOfLading, SCAC: trackingtest.SCAC})
			b.Pass(2 * day)
			create(t, b, tracking.NewTrackingRequest{Number: "BK1", Type: tracking.BookingNumber, SCAC: trackingtest.SCAC})
			answer := append(voyage("B1"), told("arrived", freight.Arrival, "USLAX", freight.Laden, 0))
			last := &answer[len(answer)-1]
			last.At.Time = trackingtest.Start.AddDate(0, 0, tt.arrived)
			*last = recordedAtOnce(*last)
			b.Source.Script("B1", trackingtest.Reply{Facts: answer})
			b.Pass(day)
			var got []tracking.EventName
			for _, e := range b.Announced() {
				got = append(got, e.Event)
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("announced %v, want %v", got, tt.want)
			}
		})
	}
}
