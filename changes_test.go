package tracking_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/trackingtest"
)

// changeSet tells what a Bench announces besides milestones, with what it says.
type changeSet struct {
	*trackingtest.Bench
	t     *testing.T
	heard int
	facts int
}

// follows sets up a shipment from Shanghai to Los Angeles that is at sea.
func follows(t *testing.T, options ...trackingtest.Option) *changeSet {
	b := trackingtest.New(t, options...)
	ingest(t, b, api(voyage("B1")...))
	n := &changeSet{Bench: b, t: t}
	n.since()
	return n
}

// withoutExceptions are the announcements that are not about exceptions.
func withoutExceptions(list []tracking.Announcement) []tracking.Announcement {
	return slices.DeleteFunc(slices.Clone(list), func(a tracking.Announcement) bool {
		return slices.ContainsFunc(tracking.Describe().ExceptionEvents, func(d tracking.EventDescription) bool { return d.Name == a.Event })
	})
}

// since returns what was announced since it was last called, milestones and exceptions aside.
func (n *changeSet) since() []string {
	n.t.Helper()
	all := n.Announcements()
	list := []string{}
	for _, a := range withoutExceptions(all[n.heard:]) {
		if text := n.tell(a); text != "" {
			list = append(list, text)
		}
	}
	n.heard = len(all)
	return list
}

func (n *changeSet) tell(a tracking.Announcement) string {
	n.t.Helper()
	found, err := n.Rendered().Get(ctx, a.Reference.Type, a.Reference.ID, nil)
	if err != nil {
		n.t.Fatalf("%s refers to %v: %v", a.Event, a.Reference, err)
	}
	var e struct {
		Attributes struct {
			Event     string
			Timestamp string
			Value     *string
			Estimated string          `json:"estimated_timestamp"`
			Changeset json.RawMessage `json:"changeset"`
		}
	}
	if err := json.Unmarshal(found.Rows[0].Doc, &e); err != nil {
		n.t.Fatal(err)
	}
	at := e.Attributes
	name := strings.TrimPrefix(string(a.Event), "container.")
	switch {
	case at.Estimated != "":
		return name + " " + at.Estimated
	case at.Value != nil:
		return name + " " + *at.Value
	case strings.HasPrefix(name, "pickup_"):
		return name + " null"
	case strings.HasPrefix(name, "transport.estimated"):
		return name + " " + at.Timestamp
	case at.Changeset != nil:
		return name + " " + string(at.Changeset)
	case strings.HasPrefix(name, "transport."):
		return ""
	}
	return name
}

// hand hands in facts about the shipment, a second after whatever was before.
func (n *changeSet) hand(facts ...tracking.Fact) {
	n.t.Helper()
	n.handIn(tracking.Report{Facts: facts})
}

func (n *changeSet) handIn(r tracking.Report) {
	n.t.Helper()
	n.Clock.Advance(time.Second)
	r.Source, r.SCAC = "api", trackingtest.SCAC
	for i := range r.Facts {
		f := &r.Facts[i]
		f.Numbers, f.RecordedAt = []tracking.ShipmentNumber{bill("B1")}, n.Clock.Now()
		if f.ID == "" {
			n.facts++
			f.ID = fmt.Sprint("news", n.facts)
		}
		if f.Containers == nil {
			f.Containers = []string{"APZU4812090"}
		}
	}
	ingest(n.t, n.Bench, r)
}

func instant(text string) tracking.Moment {
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		panic(err)
	}
	return tracking.Moment{Time: at}
}

// arrives is an estimate of the ship's arrival at Los Angeles.
func arrives(at string) tracking.Fact {
	return tracking.Fact{ID: "eta", Activity: freight.Arrival, Classifier: freight.Estimated, At: instant(at), Mode: freight.ByVessel,
		Place: tracking.Place{LOCODE: "USLAX"}, Vessel: tracking.VesselRef{IMO: "9321483", Name: "Test Star"}, Voyage: "12E"}
}

// seen is a terminal's view of the box at Los Angeles.
func seen(f freight.TerminalFacts) tracking.Fact {
	return tracking.Fact{Activity: freight.TerminalStatus, DataSource: freight.FromTerminal, Terminal: &f, Place: tracking.Place{LOCODE: "USLAX"}}
}

func freeUntil(at string) freight.TerminalFacts {
	return freight.TerminalFacts{LastFreeDay: instant(at)}
}

func (n *changeSet) want(what string, want ...string) {
	n.t.Helper()
	if want == nil {
		want = []string{}
	}
	if diff := cmp.Diff(want, n.since()); diff != "" {
		n.t.Errorf("%s: -want +announced\n%s", what, diff)
	}
}

func TestChangesAreAnnounced(t *testing.T) {
	n := follows(t)
	n.Clock.Advance(24 * time.Hour)
	n.hand(arrives("2026-02-21T04:00:00Z"))
	n.want("a changed estimate", "shipment.estimated.arrival 2026-02-21T04:00:00Z", "transport.estimated.vessel_arrived 2026-02-21T04:00:00Z")
	n.hand(arrives("2026-02-21T04:00:00Z"))
	n.want("the same again")

	n.hand(seen(freeUntil("2026-03-05T08:00:00Z")))
	n.want("a last free day", "pickup_lfd.changed 2026-03-05T08:00:00Z", "pickup_lfd_terminal.changed 2026-03-05T08:00:00Z",
		`updated {"pickup_lfd":[null,"2026-03-05T08:00:00Z"]}`)
	line := seen(freeUntil("2026-03-04T08:00:00Z"))
	line.DataSource = freight.FromShippingLine
	n.hand(line)
	n.want("the line's goes before the terminal's", "pickup_lfd.changed 2026-03-04T08:00:00Z", "pickup_lfd_line.changed 2026-03-04T08:00:00Z",
		`updated {"pickup_lfd":["2026-03-05T08:00:00Z","2026-03-04T08:00:00Z"],"pickup_lfd_line":[null,"2026-03-04T08:00:00Z"]}`)

	yes := true
	n.hand(seen(freight.TerminalFacts{Available: &yes, LastFreeDay: instant("2026-03-05T08:00:00Z"), Appointment: instant("2026-03-01T17:00:00Z"),
		Holds: []tracking.Hold{{Name: "customs", Status: "hold"}}, Fees: []tracking.Fee{{Type: "exam", Amount: 120.5, CurrencyCode: "USD"}}}))
	n.want("one changeset for an update", "pickup_appointment.changed 2026-03-01T17:00:00Z",
		`updated {"available_for_pickup":[false,true],"fees_at_pod_terminal":[[],[{"type":"exam","amount":120.5,"currency_code":"USD"}]],`+
			`"holds_at_pod_terminal":[[],[{"name":"customs","status":"hold","description":null}]],"pickup_appointment_at":[null,"2026-03-01T17:00:00Z"]}`)

	came := arrives("2026-02-21T05:00:00Z")
	came.ID, came.Classifier = "arrived", freight.Actual
	n.hand(came)
	n.hand(arrives("2026-02-22T05:00:00Z"))
	n.want("an estimate of what has happened")
}

// The same day at the terminal is the same last free day, whatever the hour; on
// the days on which the clocks change, too.
func TestLastFreeDaysAreCalendarDays(t *testing.T) {
	for _, day := range [][]string{
		{"2026-03-07", "2026-03-07T08:00:00Z", "2026-03-08T07:59:59Z", "2026-03-08T08:00:00Z"},
		{"the day on which the clocks go forward", "2026-03-08T08:00:00Z", "2026-03-09T06:59:59Z", "2026-03-09T07:00:00Z"},
		{"the day on which they go back", "2026-11-01T07:00:00Z", "2026-11-02T07:59:59Z", "2026-11-02T08:00:00Z"},
	} {
		n := follows(t)
		n.hand(seen(freeUntil(day[1])))
		if len(n.since()) != 3 {
			t.Errorf("%s: the last free day was not announced", day[0])
		}
		n.hand(seen(freeUntil(day[2])))
		n.want(day[0] + ": the end of the same day")
		n.hand(seen(freeUntil(day[3])))
		n.want(day[0]+": the next day", "pickup_lfd.changed "+day[3], "pickup_lfd_terminal.changed "+day[3],
			fmt.Sprintf(`updated {"pickup_lfd":[%q,%q]}`, day[1], day[3]))
	}
}

func TestContainersAreAnnounced(t *testing.T) {
	n := follows(t)
	second := tracking.Fact{Activity: freight.Loading, At: instant("2026-02-04T10:00:00Z"), Mode: freight.ByVessel, Place: tracking.Place{LOCODE: "CNSHA"},
		Containers: []string{"CSQU3054383"}, ID: "second"}
	n.hand(second)
	n.want("another box of a shipment", "created")
	n.hand(second)
	n.want("the same again")

	n.hand(tracking.Fact{ID: "second", Retracted: true}, arrives("2026-02-21T04:00:00Z"))
	n.want("a box that leaves, and an estimate for the one that stays", "shipment.estimated.arrival 2026-02-21T04:00:00Z",
		fmt.Sprintf(`updated {"shipment":[%q,null]}`, allShipments(t, n.Bench)[0].ID), "transport.estimated.vessel_arrived 2026-02-21T04:00:00Z")
	n.Clock.Advance(time.Hour)
	second.ID = "again"
	view := seen(freeUntil("2026-03-05T08:00:00Z"))
	view.Containers = second.Containers
	n.hand(second, view)
	n.want("a box that left and comes back, with what has changed since")

	third := second
	third.ID, third.Containers = "third", []string{"TGHU7599330"}
	n.handIn(tracking.Report{Facts: []tracking.Fact{third}, Silent: true})
	n.want("a silent report")
	third.ID = "fourth"
	n.hand(third)
	n.want("what came silently is no news later")
}

func TestPODTerminalChanges(t *testing.T) {
	n := follows(t)
	at := func(smdg string) tracking.Fact {
		f := arrives("2026-02-20T04:00:00Z")
		f.Place.SMDG = smdg
		return f
	}
	n.hand(at("WBCT"))
	first := n.since()
	n.hand(at("APMT"))
	second := n.since()
	for _, got := range [][]string{first, second} {
		if len(got) != 2 || got[0] != "pod_terminal_changed" || !strings.HasPrefix(got[1], `updated {"pod_terminal":[`) {
			t.Errorf("announced %q", got)
		}
	}
	if len(second) == 2 && strings.Contains(second[1], "null") {
		t.Errorf("the terminal before is missing: %s", second[1])
	}
}

func TestFirstAnswerIsHistory(t *testing.T) {
	b := trackingtest.New(t)
	first := voyage("B1")
	later := append(slices.Clone(first), seen(freeUntil("2026-03-05T08:00:00Z")))
	later[4].ID, later[4].Numbers, later[4].Containers = "lfd", first[0].Numbers, first[0].Containers
	b.Source.Script("B1", trackingtest.Reply{Facts: first[:3]}, trackingtest.Reply{Facts: first}, trackingtest.Reply{Facts: later})
	create(t, b, tracking.NewTrackingRequest{Number: "B1", Type: tracking.BillOfLading, SCAC: trackingtest.SCAC})
	n := &changeSet{Bench: b, t: t}
	b.Settle()
	if got := n.since(); !slices.Contains(got, "created") || len(got) > 2 {
		t.Errorf("the first answer announces %q: its box, and no milestone of the past", got)
	}
	b.Pass(24 * time.Hour)
	if got := n.since(); len(got) != 5 || got[0] != "shipment.estimated.arrival 2026-02-20T04:00:00Z" {
		t.Errorf("announced %q: a first estimate that is learned later, and a last free day", got)
	}
}

func TestFirstAnswerWithAnEstimate(t *testing.T) {
	b := trackingtest.New(t)
	b.Source.Script("B1", trackingtest.Reply{Facts: voyage("B1")})
	create(t, b, tracking.NewTrackingRequest{Number: "B1", Type: tracking.BillOfLading, SCAC: trackingtest.SCAC})
	n := &changeSet{Bench: b, t: t}
	b.Pass(24 * time.Hour)
	for _, text := range n.since() {
		if strings.Contains(text, "estimated") {
			t.Errorf("announced %q: the first answer's estimate is history", text)
		}
	}
}

// TestFirstAnswerAboutAKnownShipment: what an import left open, the first answer
// of the source fills in silently; what it contradicts is news.
func TestFirstAnswerAboutAKnownShipment(t *testing.T) {
	b := trackingtest.New(t)
	import_ := api(voyage("B1")...)
	import_.Silent = true
	ingest(t, b, import_)
	answer := voyage("B1")
	answer[3].At = instant("2026-02-22T04:00:00Z")
	answer[3].RecordedAt = answer[3].RecordedAt.Add(time.Hour)
	lfd := seen(freeUntil("2026-03-05T08:00:00Z"))
	lfd.ID, lfd.Numbers, lfd.Containers = "lfd", answer[0].Numbers, answer[0].Containers
	b.Source.Script("B1", trackingtest.Reply{Facts: append(answer, lfd)})
	create(t, b, tracking.NewTrackingRequest{Number: "B1", Type: tracking.BillOfLading, SCAC: trackingtest.SCAC})
	n := &changeSet{Bench: b, t: t}
	b.Settle()
	var got []string
	for _, text := range n.since() {
		if !strings.HasPrefix(text, "tracking_request.") {
			got = append(got, text)
		}
	}
	want := []string{"shipment.estimated.arrival 2026-02-22T04:00:00Z", "transport.estimated.vessel_arrived 2026-02-22T04:00:00Z"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestOneEstimateOnResume(t *testing.T) {
	for _, tt := range []struct {
		what      string
		estimates []string
		want      []string
	}{
		{"several changes", []string{"2026-02-21T04:00:00Z", "2026-02-23T04:00:00Z", "2026-02-22T04:00:00Z"}, []string{"shipment.estimated.arrival 2026-02-22T04:00:00Z"}},
		{"there and back", []string{"2026-02-21T04:00:00Z", "2026-02-20T04:00:00Z"}, nil},
		{"none", nil, nil},
	} {
		n := follows(t)
		s := allShipments(t, n.Bench)[0]
		if _, err := n.StopTracking(ctx, s.ID); err != nil {
			t.Fatal(err)
		}
		n.since()
		for _, at := range tt.estimates {
			n.Clock.Advance(time.Hour)
			n.hand(arrives(at), seen(freeUntil("2026-03-05T08:00:00Z")))
		}
		n.want(tt.what + ", stopped")
		if _, err := n.ResumeTracking(ctx, s.ID); err != nil {
			t.Fatal(err)
		}
		n.want(tt.what+", resumed", tt.want...)
		n.Pass(48 * time.Hour)
		n.want(tt.what + ", later")
		n.hand(arrives("2026-02-27T04:00:00Z"))
		n.want(tt.what+", and on", "shipment.estimated.arrival 2026-02-27T04:00:00Z", "transport.estimated.vessel_arrived 2026-02-27T04:00:00Z")
	}
}

// TestWhatChangesSay: whose word a change is, when that was reported, and where.
func TestWhatChangesSay(t *testing.T) {
	n := follows(t)
	line := seen(freeUntil("2026-03-05T08:00:00Z"))
	line.DataSource, line.ID, line.Place.SMDG = freight.FromShippingLine, "free time", "WBCT"
	n.hand(line)
	reported := n.Clock.Now()
	n.hand(arrives("2026-02-22T05:00:00Z"))

	got := map[tracking.EventName]*tracking.TransportEvent{}
	list, total, err := n.TransportEvents(ctx, tracking.TransportEventQuery{Changes: true}, tracking.Page{})
	if err != nil || total != 3 {
		t.Fatalf("%d changes, %v", total, err)
	}
	container, err := n.Container(ctx, list[0].Container)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		got[e.Event] = e
		facts, err := n.RawEvents(ctx, e.Container)
		if err != nil || !slices.ContainsFunc(facts, func(r *tracking.RawEvent) bool { return r.ID == e.SourceEvent }) {
			t.Errorf("%s follows from no fact of the box: %v, %v", e.Event, e.SourceEvent, err)
		}
	}
	for name, want := range map[tracking.EventName]tracking.TransportEvent{
		freight.PickupLFDLineChanged: {
			Timestamp: reported, Timezone: "America/Los_Angeles", LocationLOCODE: "USLAX", DataSource: freight.FromShippingLine,
			Value: "2026-03-05T08:00:00Z", ValueTimestamp: reported, Terminal: container.PODTerminal, CreatedAt: reported, AnnouncedAt: reported,
		},
		freight.EstimatedVesselArrived: {
			Timestamp: instant("2026-02-22T05:00:00Z").Time, Timezone: "America/Los_Angeles", LocationLOCODE: "USLAX", VoyageNumber: "12E",
			DataSource: freight.FromShippingLine, Terminal: container.PODTerminal, CreatedAt: n.Clock.Now(), AnnouncedAt: n.Clock.Now(),
		},
	} {
		e := got[name]
		if e == nil {
			t.Fatalf("there is no %s", name)
		}
		want.Meta, want.Shipment, want.Container, want.Location = e.Meta, container.Shipment, container.ID, e.Location
		want.Event, want.SourceEvent, want.Vessel = name, e.SourceEvent, e.Vessel
		if diff := cmp.Diff(want, *e, cmpopts.IgnoreUnexported(want)); diff != "" {
			t.Errorf("%s: -want +got\n%s", name, diff)
		}
	}
	if got[freight.EstimatedVesselArrived].Vessel == (tracking.ID{}) || container.PODTerminal == (tracking.ID{}) {
		t.Error("the vessel or the terminal is missing")
	}

	valid := tracking.TransportEventQuery{Container: container.ID, Invalidated: tracking.No}
	for _, q := range []tracking.TransportEventQuery{valid, {}, {Shipment: container.Shipment}, {Announced: true}} {
		list, _, err := n.TransportEvents(ctx, q, tracking.Page{})
		if err != nil || len(list) != 3 {
			t.Errorf("%+v finds %d, want the three milestones alone: %v", q, len(list), err)
		}
	}
	shown, err := n.Rendered().Get(ctx, "container", container.ID, []string{"transport_events"})
	if err != nil || len(shown.Included) != 3 {
		t.Errorf("%d transport events are included with the box, want the three milestones: %v", len(shown.Included), err)
	}
}

// An estimate that is taken back, and comes again as it was, has not changed.
func TestAnEstimateThatComesBack(t *testing.T) {
	n := follows(t)
	n.handIn(tracking.Report{Facts: []tracking.Fact{{ID: "eta", Retracted: true}}})
	n.want("taken back")
	again := arrives("2026-02-20T04:00:00Z")
	again.ID = "eta2"
	n.hand(again)
	n.want("the same again")
	again.At = instant("2026-02-20T09:00:00Z")
	n.hand(again)
	n.want("another", "shipment.estimated.arrival 2026-02-20T09:00:00Z", "transport.estimated.vessel_arrived 2026-02-20T09:00:00Z")
}

// A box is announced before what it has passed.
func TestBoxesBeforeTheirMilestones(t *testing.T) {
	b := trackingtest.New(t)
	ingest(t, b, api(voyage("B1")...))
	known := map[tracking.ID]bool{}
	for _, a := range b.Announcements() {
		if a.Event == freight.ContainerCreated {
			known[a.Container] = true
		} else if a.Container != (tracking.ID{}) && !known[a.Container] {
			t.Errorf("%s comes before its box", a.Event)
		}
	}
	if len(known) == 0 {
		t.Error("no box was announced")
	}
}
