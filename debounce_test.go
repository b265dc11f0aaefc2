package tracking_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/trackingtest"
)

func quarterly(c *tracking.Config) { c.FlapWindow = 15 * time.Minute }

// TestFlappingFeed: a feed that says one thing and then another, each minute.
func TestFlappingFeed(t *testing.T) {
	const a, b = "2026-02-20T04:00:00Z", "2026-02-21T04:00:00Z"
	n := follows(t, quarterly)
	var said []string
	for minute := range 120 {
		n.Pass(time.Minute)
		n.hand(arrives([]string{b, a}[minute%2]))
		for _, text := range n.since() {
			if strings.HasPrefix(text, "shipment.") {
				said = append(said, fmt.Sprint(minute, text[len("shipment.estimated.arrival"):]))
			}
		}
	}
	// A window opens with each announcement, and its end finds the other value or
	// the same.
	want := 1 + 120/15
	if len(said) == 0 || len(said) > want {
		t.Errorf("%d announcements of 120 changes, want at most %d: %q", len(said), want, said)
	}
	n.Pass(time.Hour)
	last := allShipments(t, n.Bench)[0].PODETAAt.Format(time.RFC3339)
	for _, text := range n.since() {
		if at, ok := strings.CutPrefix(text, "shipment.estimated.arrival"); ok {
			said = append(said, "at rest"+at)
		}
	}
	if len(said) > 0 && !strings.HasSuffix(said[len(said)-1], last) {
		t.Errorf("at rest the estimate is %s, announced were %q", last, said)
	}
}

func TestWhatWaits(t *testing.T) {
	const a, b, c = "2026-02-20T04:00:00Z", "2026-02-21T04:00:00Z", "2026-02-22T04:00:00Z"
	arrival := func(at string) []string {
		return []string{"shipment.estimated.arrival " + at, "transport.estimated.vessel_arrived " + at}
	}
	n := follows(t, quarterly)
	n.hand(arrives(b))
	n.want("a change", arrival(b)...)
	n.Pass(5 * time.Minute)
	n.hand(arrives(a))
	n.want("back to what it was")
	n.Pass(9 * time.Minute)
	n.want("just before the end of the window")
	n.Pass(2 * time.Minute)
	n.want("at its end", arrival(a)...)

	n.Pass(time.Minute)
	n.hand(arrives(c))
	n.want("a new value does not wait", arrival(c)...)
	n.Pass(time.Minute)
	n.hand(arrives(a))
	n.Pass(time.Minute)
	n.hand(arrives(c))
	n.Pass(time.Hour)
	n.want("there and back")
	n.hand(arrives(b))
	n.want("after the window", arrival(b)...)
}

// What the windows remember is no reason to write: the same report once more
// changes nothing, also when a window has ended since.
func TestReplayAfterTheWindow(t *testing.T) {
	n := follows(t, quarterly)
	report := tracking.Report{Facts: []tracking.Fact{arrives("2026-02-21T04:00:00Z")}}
	n.handIn(report)
	before := allShipments(t, n.Bench)[0]
	n.Pass(time.Hour)
	report.Source, report.SCAC = "api", trackingtest.SCAC
	if _, err := n.Ingest(ctx, report); err != nil { // with the times that handIn gave it
		t.Fatal(err)
	}
	if after := allShipments(t, n.Bench)[0]; after.Version != before.Version {
		t.Errorf("version %d has become %d", before.Version, after.Version)
	}
}

// A feed that has no two values alike is bounded, too, and its last one is told.
func TestRestlessFeed(t *testing.T) {
	n := follows(t, quarterly)
	told := 0
	for hour := range 20 {
		n.hand(arrives(fmt.Sprintf("2026-02-21T%02d:00:00Z", hour)))
		told += len(n.since())
	}
	if told != 2*8 {
		t.Errorf("%d announcements of 20 changes within seconds, want eight for the shipment and eight for its box", told)
	}
	n.Pass(time.Hour)
	n.want("at rest", "shipment.estimated.arrival 2026-02-21T19:00:00Z", "transport.estimated.vessel_arrived 2026-02-21T19:00:00Z")
}

// A terminal's holds flap like anything else, and their changesets add up.
func TestFlappingHolds(t *testing.T) {
	n := follows(t, quarterly)
	held := seen(freight.TerminalFacts{Holds: []tracking.Hold{{Name: "customs", Status: "hold"}}})
	free := seen(freight.TerminalFacts{Yard: "A1"})
	const hold = `[{"name":"customs","status":"hold","description":null}]`
	n.hand(held)
	n.want("a hold", `updated {"holds_at_pod_terminal":[[],`+hold+`]}`)
	for range 6 {
		n.Pass(time.Minute)
		n.hand(free)
		n.Pass(time.Minute)
		n.hand(held)
	}
	n.want("flapping")
	n.Pass(time.Minute)
	n.hand(free)
	n.Pass(time.Hour)
	n.want("at rest", `updated {"holds_at_pod_terminal":[`+hold+`,[]]}`)
}

// The end of a window that is no number of whole seconds is waited for, not run
// after.
func TestWindowOfPartsOfSeconds(t *testing.T) {
	n := follows(t, func(c *tracking.Config) { c.FlapWindow = 1500 * time.Millisecond })
	n.hand(arrives("2026-02-21T04:00:00Z"))
	n.hand(arrives("2026-02-20T04:00:00Z"))
	n.since()
	n.Clock.Advance(600 * time.Millisecond)
	next, err := n.RunOnce(ctx)
	if err != nil || !next.After(n.Clock.Now()) {
		t.Errorf("at %v the next work is due at %v: %v", n.Clock.Now(), next, err)
	}
	n.Pass(time.Second)
	n.want("at its end", "shipment.estimated.arrival 2026-02-20T04:00:00Z", "transport.estimated.vessel_arrived 2026-02-20T04:00:00Z")
}

// availability tells the announced turns since they were last asked for: "+" for
// available and "-" for not_available.
func (n *changeSet) availability() (turns string) {
	all := n.Announcements()
	for _, a := range all[n.heard:] {
		turns += map[tracking.EventName]string{freight.Available: "+", freight.NotAvailable: "-"}[a.Event]
	}
	n.heard = len(all)
	return turns
}

// A terminal that says yes and no in turn is heard once a window, and its last
// word at the end; all its turns are recorded.
func TestFlappingAvailability(t *testing.T) {
	n := follows(t, quarterly)
	n.hand(tracking.Fact{Activity: freight.Discharge, Classifier: freight.Actual, Mode: freight.ByVessel, At: tracking.Moment{Time: n.Clock.Now()}, Place: tracking.Place{LOCODE: "USLAX"}})
	n.since()
	flip := func(yes bool) {
		n.Pass(time.Minute)
		n.hand(seen(freight.TerminalFacts{Available: &yes}))
	}
	said := ""
	for minute := range 60 {
		flip(minute%2 == 0)
		said += n.availability()
	}
	n.Pass(time.Hour)
	said += n.availability()
	if len(said) > 3+60/15 || said[len(said)-1] != '-' || strings.Contains(said, "++") || strings.Contains(said, "--") {
		t.Errorf("announced are %q of 60 turns", said)
	}
	list, _, err := n.TransportEvents(ctx, tracking.TransportEventQuery{}, tracking.Page{})
	if turns := slices.DeleteFunc(list, func(e *tracking.TransportEvent) bool {
		return e.Event != freight.Available && e.Event != freight.NotAvailable
	}); err != nil || len(turns) != 60 {
		t.Errorf("%d turns are recorded, want all: %v", len(turns), err)
	}
	for _, yes := range []bool{true, false} {
		n.Pass(time.Hour)
		flip(yes)
		if got, want := n.availability(), map[bool]string{true: "+", false: "-"}[yes]; got != want {
			t.Errorf("an hour later: %q, want %q at once", got, want)
		}
	}
}

// A turn that another party puts at another time is announced as its correction; what
// lies beyond another turn is another one.
func TestTurnAtAnotherMinute(t *testing.T) {
	const nine, eight, ten, eleven, half = "2026-03-02T09:30:00Z", "2026-03-02T08:00:00Z", "2026-03-02T10:00:00Z", "2026-03-02T11:00:00Z", "2026-03-02T10:30:00Z"
	type word struct {
		id, at string
		yes    bool
	}
	for _, tt := range []struct {
		name        string
		first, then []word
		want, later string
	}{
		{"earlier", []word{{"line", nine, true}}, []word{{"terminal", eight, true}}, "+", ""},
		{"a minute earlier", []word{{"line", nine, true}}, []word{{"terminal", "2026-03-02T09:29:00Z", true}}, "", ""},
		{"later, as a correction", []word{{"line", nine, true}}, []word{{"line", ten, true}}, "+", ""},
		{"earlier, and others after it", []word{{"line", nine, true}}, []word{{"terminal", eight, true}, {"no", ten, false}, {"again", eleven, true}}, "+-", "+"},
		{"the first of two", []word{{"line", nine, true}, {"no", ten, false}}, []word{{"terminal", eight, true}}, "+", ""},
		{"beyond another one", []word{{"line", nine, true}, {"no", half, false}}, []word{{"line", eleven, true}, {"no", ten, false}}, "+", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			n := follows(t, quarterly)
			n.hand(tracking.Fact{Activity: freight.Discharge, Classifier: freight.Actual, Mode: freight.ByVessel, At: instant("2026-03-01T09:00:00Z"), Place: tracking.Place{LOCODE: "USLAX"}})
			say := func(words []word) {
				var facts []tracking.Fact
				for _, w := range words {
					what := map[bool]freight.Activity{true: freight.PickupAvailable, false: freight.PickupUnavailable}[w.yes]
					facts = append(facts, tracking.Fact{ID: w.id, Activity: what, At: instant(w.at), Place: tracking.Place{LOCODE: "USLAX"}})
				}
				n.hand(facts...)
			}
			n.Pass(4 * time.Hour)
			say(tt.first)
			if n.availability() == "" {
				t.Fatal("the turn was not announced at first")
			}
			n.Pass(time.Hour)
			n.since()
			say(tt.then)
			if got := n.availability(); got != tt.want {
				t.Errorf("announced %q, want %q", got, tt.want)
			}
			n.Pass(time.Hour)
			if got := n.availability(); got != tt.later {
				t.Errorf("announced later %q, want %q", got, tt.later)
			}
		})
	}
}

// What waits when the ship arrives is not said any more.
func TestArrivalWhileAnEstimateWaits(t *testing.T) {
	n := follows(t, quarterly)
	n.hand(arrives("2026-02-21T04:00:00Z"))
	n.hand(arrives("2026-02-20T04:00:00Z"))
	n.since()
	came := arrives("2026-02-20T05:00:00Z")
	came.ID, came.Classifier = "arrived", freight.Actual
	n.hand(came)
	n.Pass(time.Hour)
	n.want("arrived")
}

// An estimate that waits when tracking stops is the one that resuming tells.
func TestStopWhileAnEstimateWaits(t *testing.T) {
	n := follows(t, quarterly)
	s := allShipments(t, n.Bench)[0]
	n.hand(arrives("2026-02-21T04:00:00Z"))
	n.hand(arrives("2026-02-20T04:00:00Z"))
	if _, err := n.StopTracking(ctx, s.ID); err != nil {
		t.Fatal(err)
	}
	n.since()
	n.Pass(time.Hour)
	n.want("stopped")
	if _, err := n.ResumeTracking(ctx, s.ID); err != nil {
		t.Fatal(err)
	}
	n.want("resumed", "shipment.estimated.arrival 2026-02-20T04:00:00Z")
	n.Pass(time.Hour)
	n.want("later")
}

// What waits is not announced after a stop, not even when tracking resumes.
func TestStopWhileSomethingWaits(t *testing.T) {
	n := follows(t, quarterly)
	s := allShipments(t, n.Bench)[0]
	held := seen(freight.TerminalFacts{Holds: []tracking.Hold{{Name: "customs", Status: "hold"}}})
	n.hand(held)
	n.Pass(time.Minute)
	n.hand(seen(freight.TerminalFacts{Yard: "A1"}))
	n.since()
	if _, err := n.StopTracking(ctx, s.ID); err != nil {
		t.Fatal(err)
	}
	n.since()
	n.Pass(time.Hour)
	n.want("stopped")
	if _, err := n.ResumeTracking(ctx, s.ID); err != nil {
		t.Fatal(err)
	}
	n.Pass(time.Hour)
	n.want("resumed")
}

// TestFeedsThatFlap draws feeds and holds of them: the announcements of a window
// are few, no two that follow each other are alike, and when the feed has come to
// rest the last announcement is the estimate.
func TestFeedsThatFlap(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		b := trackingtest.New(t, quarterly)
		ingest(t, b, api(voyage("B1")...))
		n := &changeSet{Bench: b, t: t}
		n.since()
		values := rapid.IntRange(2, 20).Draw(r, "values")
		var said []string
		var when []time.Time
		listen := func() {
			for _, text := range n.since() {
				if strings.HasPrefix(text, "shipment.") {
					said, when = append(said, text), append(when, b.Clock.Now())
				}
			}
		}
		for range rapid.IntRange(1, 60).Draw(r, "reports") {
			n.Pass(time.Duration(rapid.IntRange(0, 10).Draw(r, "minutes")) * time.Minute)
			listen()
			hour := rapid.IntRange(0, values-1).Draw(r, "value")
			n.hand(arrives(time.Date(2026, 2, 21, hour, 0, 0, 0, time.UTC).Format(time.RFC3339)))
			listen()
		}
		n.Pass(time.Hour)
		listen()
		for i := range said {
			if i > 0 && said[i] == said[i-1] {
				r.Fatalf("announced twice in a row: %q", said)
			}
			// A window has eight at most, and any time as long as one touches two.
			if i >= 16 && when[i].Sub(when[i-16]) < 15*time.Minute-time.Second {
				r.Fatalf("seventeen announcements in two windows: %v", when)
			}
		}
		eta := allShipments(t, b)[0].PODETAAt.Format(time.RFC3339)
		if len(said) > 0 && said[len(said)-1] != "shipment.estimated.arrival "+eta {
			r.Fatalf("the estimate is %s, announced were %q", eta, said)
		}
	})
}
