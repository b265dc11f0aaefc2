package tracking_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/trackingtest"
)

// corrected is a Bench with a shipment at sea, whose announcements of milestones
// and updates are read as one line each.
type corrected struct {
	*changeSet
	*trackingtest.Listener
}

func correcting(t *testing.T, options ...trackingtest.Option) *corrected {
	b := trackingtest.New(t, append([]trackingtest.Option{quarterly}, options...)...)
	c := &corrected{&changeSet{Bench: b, t: t}, b.Listen()}
	for _, f := range voyage("B1") {
		if f.Activity != freight.Departure && f.Activity != freight.Loading || f.Classifier != freight.Actual {
			c.hand(f)
			continue
		}
		f.Classifier = freight.Planned
		c.hand(f)
	}
	c.lines()
	return c
}

// lines returns the milestones and updates that were announced since it was last
// called.
func (c *corrected) lines() (list []string) {
	c.t.Helper()
	all := c.Announcements()
	list = []string{}
	for _, a := range all[c.heard:] {
		name, milestone := strings.CutPrefix(string(a.Event), "container.transport.")
		switch {
		case a.Event == freight.ContainerUpdated:
			list = append(list, c.update(a))
		case milestone && !strings.HasPrefix(name, "estimated"):
			e := c.event(a.Reference.ID)
			list = append(list, fmt.Sprintf("%s %s %s", name, e.LocationLOCODE, e.Timestamp.UTC().Format("02 15:04")))
		}
	}
	c.heard = len(all)
	return list
}

// update is the changeset of a container.updated event, with the IDs of events as
// their names.
func (c *corrected) update(a tracking.Announcement) string {
	c.t.Helper()
	list, _, err := c.ContainerUpdatedEvents(ctx, tracking.ContainerEventQuery{Container: a.Container}, tracking.Page{})
	if err != nil {
		c.t.Fatal(err)
	}
	for _, u := range list {
		if u.ID != a.Reference.ID {
			continue
		}
		var said []string
		for _, half := range u.Changeset["transport_events"] {
			var events []struct {
				ID        tracking.ID
				Event     string
				Timestamp time.Time
				Place     string `json:"location_locode"`
			}
			if err := json.Unmarshal(half, &events); err != nil {
				c.t.Fatal(err)
			}
			text := ""
			for _, e := range events {
				if stored := c.event(e.ID); string(stored.Event) != e.Event {
					c.t.Errorf("%s is %s, not %s", e.ID, stored.Event, e.Event)
				}
				text += fmt.Sprintf("%s %s %s", strings.TrimPrefix(e.Event, "container.transport."), e.Place, e.Timestamp.Format("02 15:04"))
			}
			said = append(said, text)
		}
		return fmt.Sprintf("updated by %s: [%s]", u.DataSource, strings.Join(said, "] -> ["))
	}
	c.t.Fatalf("no update %s", a.Reference.ID)
	return ""
}

func (c *corrected) events(invalidated tracking.Tri) []*tracking.TransportEvent {
	c.t.Helper()
	list, _, err := c.TransportEvents(ctx, tracking.TransportEventQuery{Invalidated: invalidated}, tracking.Page{})
	if err != nil {
		c.t.Fatal(err)
	}
	return list
}

func (c *corrected) event(id tracking.ID) *tracking.TransportEvent {
	c.t.Helper()
	for _, e := range c.events(tracking.Any) {
		if e.ID == id {
			return e
		}
	}
	c.t.Fatalf("no event %s", id)
	return nil
}

// one is the valid event of a name.
func (c *corrected) one(name tracking.EventName) *tracking.TransportEvent {
	c.t.Helper()
	var found []*tracking.TransportEvent
	for _, e := range c.events(tracking.No) {
		if e.Event == name {
			found = append(found, e)
		}
	}
	if len(found) != 1 {
		c.t.Fatalf("%d valid events %s", len(found), name)
	}
	return found[0]
}

func (c *corrected) expect(what string, want ...string) {
	c.t.Helper()
	if want == nil {
		want = []string{}
	}
	if diff := cmp.Diff(want, c.lines()); diff != "" {
		c.t.Errorf("%s: -want +announced\n%s", what, diff)
	}
}

// rest lets every window end, and compares what was announced last with what is shown.
func (c *corrected) rest() {
	c.t.Helper()
	c.Pass(time.Hour)
	if list := c.Differences(); len(list) > 0 {
		c.t.Errorf("at rest:\n%s", strings.Join(list, "\n"))
	}
}

// membershipChange is an actual fact about the container of B1 with the ship of its voyage.
func membershipChange(id string, what freight.Activity, place, at string) tracking.Fact {
	return tracking.Fact{ID: id, Activity: what, Classifier: freight.Actual, At: instant("2026-02-" + at + ":00Z"), Mode: freight.ByVessel,
		LoadStatus: freight.Laden, Place: tracking.Place{LOCODE: place}, Vessel: tracking.VesselRef{IMO: "9321483", Name: "Test Star"}, Voyage: "12E"}
}

// TestCorrectionsInSubstance: each row corrects an announced departure. On the code
// of before nothing was announced for any row, and the event was changed in place.
func TestCorrectionsInSubstance(t *testing.T) {
	departed := membershipChange("gone", freight.Departure, "CNSHA", "06T10:00")
	for _, tt := range []struct {
		name   string
		change func(*tracking.Fact)
		want   []string
	}{
		{"the same again", func(f *tracking.Fact) {}, nil},
		{"sixty seconds later", func(f *tracking.Fact) { f.At.Time = f.At.Time.Add(time.Minute) }, nil},
		{"sixty-one seconds later", func(f *tracking.Fact) { f.At.Time = f.At.Time.Add(61 * time.Second) }, []string{"vessel_departed CNSHA 06 10:01"}},
		{"the next day", func(f *tracking.Fact) { f.At = instant("2026-02-07T02:00:00Z") }, []string{"vessel_departed CNSHA 07 02:00"}},
		{"another ship", func(f *tracking.Fact) { f.Vessel = tracking.VesselRef{IMO: "9074729", Name: "Other"} }, []string{"vessel_departed CNSHA 06 10:00"}},
		{"the ship in lower case", func(f *tracking.Fact) { f.Vessel.Name = "test  STAR" }, nil},
		{"the ship by its name alone", func(f *tracking.Fact) { f.Vessel.IMO = "" }, nil},
		{"no ship", func(f *tracking.Fact) { f.Vessel = tracking.VesselRef{} }, nil},
		{"another voyage", func(f *tracking.Fact) { f.Voyage = "14E" }, []string{"vessel_departed CNSHA 06 10:00"}},
		{"the voyage in another spelling", func(f *tracking.Fact) { f.Voyage = " 12e" }, nil},
		{"no voyage", func(f *tracking.Fact) { f.Voyage = "" }, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := correcting(t)
			first := departed
			c.hand(first)
			c.expect("the departure", "vessel_departed CNSHA 06 10:00")
			was := c.one(freight.VesselDeparted)
			again := departed
			tt.change(&again)
			c.hand(again)
			c.expect("the correction", tt.want...)
			is := c.one(freight.VesselDeparted)
			if len(tt.want) == 0 {
				if is.ID != was.ID || is.Previous != (tracking.ID{}) {
					t.Errorf("a completion made another event: %s after %s", is.ID, is.Previous)
				}
			} else if is.ID == was.ID || is.Previous != was.ID || !c.event(was.ID).InvalidatedAt.Equal(c.Clock.Now()) || !is.CreatedAt.Equal(c.Clock.Now()) {
				t.Errorf("the former is %+v, the new one %+v", c.event(was.ID), is)
			}
			c.hand(again)
			c.expect("the correction again")
			c.rest()
		})
	}
}

// What was null and becomes known, and a time of day for a known date, complete the
// event; a step of less than a minute after another does not add up unnoticed. On the
// code of before the last step was not announced.
func TestCompletionsAreNotCorrections(t *testing.T) {
	c := correcting(t)
	f := membershipChange("gone", freight.Departure, "CNSHA", "06T00:00")
	f.At.Day, f.Vessel, f.Voyage = true, tracking.VesselRef{}, ""
	c.hand(f)
	c.expect("a date", "vessel_departed CNSHA 05 16:00")
	first := c.one(freight.VesselDeparted).ID
	f.At = instant("2026-02-06T03:00:00Z")
	c.hand(f)
	c.expect("a time of day")
	f.Vessel, f.Voyage = tracking.VesselRef{IMO: "9321483"}, "12E"
	c.hand(f)
	c.expect("a ship and its voyage")
	f.At = instant("2026-02-06T03:00:50Z")
	c.hand(f)
	c.expect("fifty seconds")
	if is := c.one(freight.VesselDeparted); is.ID != first || is.Previous != (tracking.ID{}) {
		t.Errorf("another event: %+v", is)
	}
	f.At = instant("2026-02-06T03:01:40Z")
	c.hand(f)
	c.expect("a hundred seconds in all", "vessel_departed CNSHA 06 03:01")
	c.rest()
}

// Corrected twice, and back to the first value: each is a version of its own. On the
// code of before there was one event.
func TestVersionsOfAnEvent(t *testing.T) {
	c := correcting(t)
	var ids []tracking.ID
	for i, at := range []string{"06T10:00", "07T10:00", "08T10:00", "06T10:00"} {
		c.hand(membershipChange("gone", freight.Departure, "CNSHA", at))
		c.expect(at, "vessel_departed CNSHA "+strings.Replace(at, "T", " ", 1))
		e := c.one(freight.VesselDeparted)
		if i > 0 && e.Previous != ids[i-1] {
			t.Errorf("version %d follows %s, want %s", i, e.Previous, ids[i-1])
		}
		ids = append(ids, e.ID)
		c.rest()
		c.lines()
	}
}

// Another place of the same move. On the code of before it was announced, and the
// former never named.
func TestAnotherPlace(t *testing.T) {
	c := correcting(t)
	in := tracking.Fact{ID: "in", Activity: freight.GateIn, LoadStatus: freight.Laden, At: instant("2026-02-03T10:00:00Z"), Place: tracking.Place{LOCODE: "CNSHA"}}
	c.hand(in)
	c.expect("full in", "full_in CNSHA 03 10:00")
	was := c.one(freight.FullIn)
	in.Place.LOCODE = "CNNGB"
	c.hand(in)
	c.expect("elsewhere", "full_in CNNGB 03 10:00")
	if is := c.one(freight.FullIn); is.Previous != was.ID {
		t.Errorf("it follows %s, want %s", is.Previous, was.ID)
	}
	c.rest()
}

// The role of a port becomes known: another name for the same fact. On the code of
// before the former name's listeners heard nothing.
func TestAnotherName(t *testing.T) {
	c := correcting(t)
	c.hand(membershipChange("off", freight.Discharge, "USLAX", "20T10:00"))
	c.expect("discharged at the POD", "vessel_discharged USLAX 20 10:00")
	was := c.one(freight.VesselDischarged)
	c.hand(membershipChange("on again", freight.Loading, "USLAX", "21T10:00"), func() tracking.Fact {
		f := membershipChange("next", freight.Arrival, "USOAK", "24T10:00")
		f.Classifier = freight.Planned
		return f
	}())
	got := strings.Join(c.lines(), "\n")
	want := "updated by shipping_line: [vessel_discharged USLAX 20 10:00] -> [transshipment_discharged USLAX 20 10:00]"
	if !strings.Contains(got, want) || !strings.Contains(got, "transshipment_discharged USLAX 20 10:00") {
		t.Errorf("announced\n%s\nwant\n%s", got, want)
	}
	if is := c.one(freight.TransshipmentDischarged); is.Previous != was.ID {
		t.Errorf("it follows %s, want %s", is.Previous, was.ID)
	}
	c.rest()
}

// A retraction without a successor is announced by container.updated alone, and what
// comes back later is a new version. On the code of before neither was.
func TestRetractedMilestone(t *testing.T) {
	c := correcting(t)
	gone := membershipChange("gone", freight.Departure, "CNSHA", "06T10:00")
	c.hand(gone)
	c.expect("departed", "vessel_departed CNSHA 06 10:00")
	was := c.one(freight.VesselDeparted)
	c.Pass(time.Hour)
	c.hand(tracking.Fact{ID: "gone", Retracted: true})
	c.expect("retracted", "updated by shipping_line: [vessel_departed CNSHA 06 10:00] -> []")
	c.rest()
	c.hand(gone)
	c.expect("it is back", "vessel_departed CNSHA 06 10:00")
	if is := c.one(freight.VesselDeparted); is.ID == was.ID || is.Previous != was.ID {
		t.Errorf("%s follows %s, want a new version of %s", is.ID, is.Previous, was.ID)
	}
	c.rest()
}

// A feed that flaps between two times is heard at once and then at most once a window,
// and what was announced last is what is shown. On the code of before it was heard once.
func TestFlappingMilestone(t *testing.T) {
	for _, change := range []struct {
		name string
		fact func(odd bool) tracking.Fact
	}{
		{"two times", func(odd bool) tracking.Fact {
			return membershipChange("gone", freight.Departure, "CNSHA", map[bool]string{false: "06T10:00", true: "07T10:00"}[odd])
		}},
		{"there and not there", func(odd bool) tracking.Fact {
			f := membershipChange("gone", freight.Departure, "CNSHA", "06T10:00")
			f.Retracted = odd
			return f
		}},
		{"two places", func(odd bool) tracking.Fact {
			return membershipChange("on", freight.Loading, map[bool]string{false: "CNSHA", true: "CNNGB"}[odd], "05T10:00")
		}},
	} {
		t.Run(change.name, func(t *testing.T) {
			c := correcting(t)
			c.hand(change.fact(false))
			c.lines()
			const minutes = 60
			heard := 0
			for minute := range minutes {
				c.Pass(time.Minute)
				c.hand(change.fact(minute%2 == 0))
				heard += len(c.lines())
			}
			if heard == 0 || heard > 2*(1+minutes/15) {
				t.Errorf("%d announcements of %d changes", heard, minutes)
			}
			c.rest()
		})
	}
}

// A milestone that waits for the end of a window, goes and comes back, is announced at
// that end. Seen to fail: it was taken for one that came with a history.
func TestWaitingMilestoneComesBack(t *testing.T) {
	for _, pause := range []time.Duration{time.Minute, time.Hour} { // before it comes back: the window has ended or not
		c := correcting(t)
		for _, place := range []string{"CNSHA", "CNNGB", "CNYTN"} {
			c.hand(membershipChange("on", freight.Loading, place, "05T10:00"))
			c.Pass(time.Minute)
		}
		if e := c.one(freight.VesselLoaded); !e.AnnouncedAt.IsZero() {
			t.Fatalf("the third place was announced at once: %v", c.lines())
		}
		c.hand(tracking.Fact{ID: "on", Retracted: true})
		c.Pass(pause)
		c.hand(membershipChange("on", freight.Loading, "CNYTN", "05T10:00"))
		c.rest()
		if c.one(freight.VesselLoaded).AnnouncedAt.IsZero() {
			t.Errorf("after %s it comes back and is never announced: %v", pause, c.lines())
		}
	}
}

// What was never announced is corrected in place, with the ID that follows from it.
func TestSilentMilestoneIsCorrectedInPlace(t *testing.T) {
	c := correcting(t)
	c.handIn(tracking.Report{Silent: true, Facts: []tracking.Fact{membershipChange("gone", freight.Departure, "CNSHA", "06T10:00")}})
	was := c.one(freight.VesselDeparted)
	c.hand(membershipChange("gone", freight.Departure, "CNSHA", "07T10:00"))
	c.expect("history that is corrected")
	if is := c.one(freight.VesselDeparted); is.ID != was.ID || is.Previous != (tracking.ID{}) || !is.AnnouncedAt.IsZero() {
		t.Errorf("it became %+v", is)
	}
	c.hand(tracking.Fact{ID: "gone", Retracted: true})
	c.expect("history that is retracted")
}

// A silent correction is not announced; the next one is, as the successor of what was.
func TestSilentCorrection(t *testing.T) {
	c := correcting(t)
	c.hand(membershipChange("gone", freight.Departure, "CNSHA", "06T10:00"))
	was := c.one(freight.VesselDeparted)
	c.lines()
	c.handIn(tracking.Report{Silent: true, Facts: []tracking.Fact{membershipChange("gone", freight.Departure, "CNSHA", "07T10:00")}})
	c.expect("a silent correction")
	c.hand(membershipChange("gone", freight.Departure, "CNSHA", "08T10:00"))
	c.expect("the next one", "vessel_departed CNSHA 08 10:00")
	if is := c.one(freight.VesselDeparted); is.Previous != was.ID {
		t.Errorf("it follows %s, want %s", is.Previous, was.ID)
	}
	c.rest()
	c.lines()
	c.handIn(tracking.Report{Silent: true, Facts: []tracking.Fact{membershipChange("gone", freight.Departure, "CNSHA", "07T10:00")}})
	c.hand(membershipChange("gone", freight.Departure, "CNSHA", "08T10:00"))
	c.expect("silently away and back")
	c.rest()
}

// Nothing is announced of a shipment that a user has stopped, nor when it is resumed;
// what is corrected after that is. Of one that a rule has stopped, corrections are.
func TestCorrectionsOfStoppedShipments(t *testing.T) {
	c := correcting(t)
	id := allShipments(t, c.Bench)[0].ID
	c.hand(membershipChange("gone", freight.Departure, "CNSHA", "06T10:00"))
	c.lines()
	if _, err := c.StopTracking(ctx, id); err != nil {
		t.Fatal(err)
	}
	c.hand(membershipChange("gone", freight.Departure, "CNSHA", "07T10:00"))
	if _, err := c.ResumeTracking(ctx, id); err != nil {
		t.Fatal(err)
	}
	c.Pass(time.Hour)
	c.expect("stopped by a user")
	c.hand(membershipChange("gone", freight.Departure, "CNSHA", "08T10:00"))
	c.expect("followed again", "vessel_departed CNSHA 08 10:00")
	c.rest()

	r := correcting(t)
	r.hand(membershipChange("gone", freight.Departure, "CNSHA", "06T10:00"), membershipChange("there", freight.Arrival, "USLAX", "18T10:00"))
	empty := membershipChange("empty", freight.GateIn, "USLAX", "24T10:00")
	empty.LoadStatus, empty.Mode = freight.Empty, ""
	r.hand(empty)
	if s := allShipments(t, r.Bench)[0]; s.LineTrackingStoppedReason != tracking.StoppedAllContainersTerminated {
		t.Fatalf("stopped for %q", s.LineTrackingStoppedReason)
	}
	r.lines()
	empty.At = instant("2026-02-25T10:00:00Z")
	r.hand(empty)
	r.expect("the empty return that has stopped it", "empty_in USLAX 25 10:00")
	r.hand(membershipChange("off", freight.Discharge, "USLAX", "19T10:00"))
	r.expect("a milestone that is learned late")
	r.rest()
}

// The number of a visit shifts when an earlier one becomes known: what was announced
// stands as it was. On the code of before the earlier visit took the record of the later.
func TestEarlierVisitBecomesKnown(t *testing.T) {
	c := correcting(t)
	out := tracking.Fact{ID: "second", Activity: freight.GateOut, LoadStatus: freight.Empty, At: instant("2026-01-30T10:00:00Z"), Place: tracking.Place{LOCODE: "CNNGB"}}
	c.hand(out)
	c.expect("the second visit", "empty_out CNNGB 30 10:00")
	was := c.event(c.atTime(out.At.Time).ID)
	out.ID, out.At = "first", instant("2026-01-10T10:00:00Z")
	c.hand(out)
	c.expect("the first", "empty_out CNNGB 10 10:00")
	if is := c.atTime(instant("2026-01-30T10:00:00Z").Time); is.ID != was.ID || !is.AnnouncedAt.Equal(was.AnnouncedAt) {
		t.Errorf("the second visit became %+v, want %+v", is, was)
	}
	c.hand(tracking.Fact{ID: "first", Retracted: true})
	c.expect("the first is retracted", "updated by shipping_line: [empty_out CNNGB 10 10:00] -> []")
	c.rest()
}

// The same event at the same place is corrected for two visits: while the correction of
// one waits for the end of the window, that of the other is announced. The first was
// never announced on the code of before.
func TestCorrectionsOfTwoVisits(t *testing.T) {
	c := correcting(t)
	out := func(id, at string) {
		c.hand(tracking.Fact{ID: id, Activity: freight.GateOut, LoadStatus: freight.Empty, At: instant(at + "T10:00:00Z"), Place: tracking.Place{LOCODE: "CNNGB"}})
	}
	out("first", "2026-01-10")
	out("second", "2026-01-30")
	out("first", "2026-01-11")
	c.lines()
	out("first", "2026-01-10")
	c.expect("the first, as it was")
	out("second", "2026-01-29")
	c.expect("the second", "empty_out CNNGB 29 10:00")
	c.rest()
}

func (c *corrected) atTime(at time.Time) *tracking.TransportEvent {
	c.t.Helper()
	for _, e := range c.events(tracking.No) {
		if e.Timestamp.Equal(at) {
			return e
		}
	}
	c.t.Fatalf("no event at %s", at)
	return nil
}

// TestLastAnnouncedIsShown hands random histories in, in random order and batches, and
// compares what a listener knows at rest with what is shown. On the code of before,
// nearly every seed failed.
func TestLastAnnouncedIsShown(t *testing.T) {
	rounds := 200
	if testing.Short() {
		rounds = 30
	}
	for seed := range rounds {
		rng := rand.New(rand.NewPCG(uint64(seed), 35))
		b := trackingtest.New(t, quarterly)
		l := b.Listen()
		create(t, b, tracking.NewTrackingRequest{Number: "BK1", Type: tracking.BookingNumber, SCAC: "MSCU"})
		ingest(t, b, tracking.Report{Source: "api", SCAC: "MSCU", Facts: []tracking.Fact{about("0", booking("BK1"))}})
		left := history(rng)
		rng.Shuffle(len(left), func(i, j int) { left[i], left[j] = left[j], left[i] })
		for len(left) > 0 {
			n := 1 + rng.IntN(len(left))
			ingest(t, b, tracking.Report{Source: "api", SCAC: "MSCU", Facts: left[:n]})
			left = left[n:]
			b.Pass(time.Duration(rng.IntN(20)) * time.Minute)
		}
		b.Pass(2 * time.Hour)
		if list := l.Differences(); len(list) > 0 {
			t.Fatalf("seed %d:\n%s", seed, strings.Join(list, "\n"))
		}
	}
}

// The Listener says what differs: a silent correction leaves those who listen with
// what was announced before.
func TestListenerSeesDifferences(t *testing.T) {
	c := correcting(t)
	c.hand(membershipChange("gone", freight.Departure, "CNSHA", "06T10:00"))
	if list := c.Differences(); len(list) != 0 {
		t.Errorf("announced is what is shown: %q", list)
	}
	c.handIn(tracking.Report{Silent: true, Facts: []tracking.Fact{membershipChange("gone", freight.Departure, "CNSHA", "07T10:00")}})
	if list := c.Differences(); len(list) != 1 || !strings.Contains(list[0], "announced and not shown: container.transport.vessel_departed at CNSHA on 2026-02-06") {
		t.Errorf("after a silent correction: %q", list)
	}
	c.hand(membershipChange("gone", freight.Departure, "CNSHA", "08T10:00"))
	if list := c.Differences(); len(list) != 0 {
		t.Errorf("after the next one: %q", list)
	}
}
