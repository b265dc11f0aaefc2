package tracking_test

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
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

// exceptionNews are the announcements about exceptions.
type exceptionNews struct {
	*changeSet
	heard int
}

func followsExceptions(t *testing.T, options ...trackingtest.Option) *exceptionNews {
	t.Helper()
	b := trackingtest.New(t, append([]trackingtest.Option{quarterly}, options...)...)
	b.Clock.Set(time.Date(2026, 2, 18, 0, 0, 0, 0, time.UTC))
	ingest(t, b, api(voyage("B1")...))
	return &exceptionNews{changeSet: &changeSet{Bench: b, t: t}}
}

// of returns the announcements about exceptions since the last call: the event, and the kind
// of the exception or the type of another reference object.
func (n *exceptionNews) since() []string {
	n.t.Helper()
	all, list := n.Announcements(), []string{}
	for _, a := range all[n.heard:] {
		switch {
		case len(withoutExceptions([]tracking.Announcement{a})) > 0:
		case a.Reference.Type != "exception":
			list = append(list, string(a.Event)+" of a "+a.Reference.Type)
		default:
			e := must(n.Exceptions().Get(ctx, a.Reference.ID))(n.t)
			if a.Shipment != e.Shipment || a.Container != e.Container {
				n.t.Errorf("%s is about %s and %s, not %s and %s", a.Event, a.Shipment, a.Container, e.Shipment, e.Container)
			}
			list = append(list, string(a.Event)+" "+e.Kind)
		}
	}
	n.heard = len(all)
	return list
}

func (n *exceptionNews) want(what string, want ...string) {
	n.t.Helper()
	if diff := cmp.Diff(append([]string{}, want...), n.since()); diff != "" {
		n.t.Errorf("%s: -want +announced\n%s", what, diff)
	}
}

var (
	held     = freight.TerminalFacts{Holds: []freight.Hold{{Name: "customs", Status: "hold"}}}
	released = freight.TerminalFacts{Holds: []freight.Hold{}}
)

// silently hands in facts that are not to be announced.
func (n *exceptionNews) silently(facts ...tracking.Fact) {
	n.handIn(tracking.Report{Facts: facts, Silent: true})
}

// landed are the discharge and the pick-up at Los Angeles.
func landed() (discharge, pickUp tracking.Fact) {
	discharge, pickUp = voyage("B1")[1], voyage("B1")[0]
	at := tracking.Place{LOCODE: "USLAX"}
	discharge.ID, discharge.Activity, discharge.Place, discharge.At = "discharge", freight.Discharge, at, instant("2026-02-20T12:00:00Z")
	pickUp.ID, pickUp.Activity, pickUp.LoadStatus, pickUp.Place, pickUp.At = "pick-up", freight.GateOut, freight.Laden, at, instant("2026-03-05T12:00:00Z")
	return discharge, pickUp
}

func TestExceptionEvents(t *testing.T) {
	day := 24 * time.Hour
	discharge, pickUp := landed()
	retracted := pickUp
	retracted.Retracted = true
	for _, tt := range []struct {
		name string
		do   func(*exceptionNews)
	}{
		{"a hold comes, goes and comes again", func(n *exceptionNews) {
			n.hand(seen(held))
			n.want("a hold", "exception.opened hold")
			n.hand(seen(held))
			n.want("the same hold")
			n.Pass(time.Hour)
			n.hand(seen(released))
			n.want("the release", "exception.closed hold")
			n.Pass(time.Hour)
			n.hand(seen(held))
			n.want("the hold again", "exception.opened hold")
		}},
		{"a hold that flaps", func(n *exceptionNews) {
			n.hand(seen(held))
			for range 4 {
				n.Pass(time.Minute)
				n.hand(seen(released))
				n.Pass(time.Minute)
				n.hand(seen(held))
			}
			n.want("within the window", "exception.opened hold")
			n.hand(seen(released))
			n.want("at its end")
			n.Pass(time.Hour)
			n.want("after it", "exception.closed hold")
			n.Pass(day)
			n.want("later")
		}},
		{"what is over when it is found", func(n *exceptionNews) {
			n.Clock.Set(pickUp.At.Time.Add(time.Hour))
			n.hand(discharge, pickUp)
			n.want("a long dwell that has ended")
			if e := oneException(n.t, n.Bench, "long_dwell"); e.ClosedAt.IsZero() {
				n.t.Errorf("it is %+v", e)
			}
		}},
		{"a silent report", func(n *exceptionNews) {
			n.silently(seen(held))
			n.want("the hold")
			n.Pass(time.Hour)
			n.hand(seen(released))
			n.want("its release", "exception.closed hold")
			n.Pass(time.Hour)
			n.silently(seen(held))
			n.Pass(time.Hour)
			n.silently(seen(released))
			n.want("both silently")
		}},
		{"the clock", func(n *exceptionNews) {
			n.Pass(time.Date(2026, 2, 23, 4, 0, 0, 0, time.UTC).Sub(n.Clock.Now()))
			n.want("overdue", "exception.opened milestone_overdue", "milestone.overdue milestone_overdue")
			n.Pass(day)
			n.want("a day later")
			arrived := arrives("2026-02-23T10:00:00Z")
			arrived.ID, arrived.Classifier = "ata", freight.Actual
			n.hand(arrived)
			n.want("reported", "exception.closed milestone_overdue")
		}},
		{"the last free day", func(n *exceptionNews) {
			n.Clock.Set(discharge.At.Time.Add(time.Hour))
			n.hand(discharge, seen(freeUntil("2026-02-22T08:00:00Z")))
			n.want("two days before its end")
			n.Pass(time.Date(2026, 2, 21, 8, 0, 0, 0, time.UTC).Sub(n.Clock.Now()))
			n.want("the warning", "exception.opened free_time_ending", "container.free_time.ending of a container")
			n.Pass(2 * day)
			n.want("the end", "exception.opened free_time_ended", "container.free_time.ended of a container", "exception.closed free_time_ending")
		}},
		{"facts that are taken back", func(n *exceptionNews) {
			n.Clock.Set(pickUp.At.Time.Add(time.Hour))
			n.hand(discharge, pickUp)
			n.Pass(12 * day)
			n.want("an overdue return", "exception.opened not_returned")
			n.hand(retracted)
			if got := n.since(); !slices.Contains(got, "exception.closed not_returned") {
				n.t.Errorf("announced %q", got)
			}
			if e := oneException(n.t, n.Bench, "not_returned"); !e.Withdrawn {
				n.t.Errorf("it is %+v", e)
			}
		}},
		{"a user's stop", func(n *exceptionNews) {
			n.hand(seen(held))
			n.since()
			id := allShipments(n.t, n.Bench)[0].ID
			must(n.StopTracking(ctx, id))(n.t)
			n.Pass(time.Hour)
			n.hand(seen(released))
			n.Pass(10 * day)
			n.want("stopped")
			must(n.ResumeTracking(ctx, id))(n.t)
			n.Pass(time.Minute)
			n.want("resumed", "exception.opened milestone_overdue", "milestone.overdue milestone_overdue", "exception.closed hold")
			must(n.StopTracking(ctx, id))(n.t)
			n.Pass(time.Hour)
			must(n.ResumeTracking(ctx, id))(n.t)
			n.Pass(time.Hour)
			n.want("stopped and resumed as it was")
		}},
		{"derived again", func(n *exceptionNews) {
			n.silently(seen(held))
			for _, announce := range []bool{false, true} {
				must(n.Operator.Rederive(ctx, n.Account.Scope(), tracking.RederiveOptions{Announce: announce}))(n.t)
				n.want(fmt.Sprint("announce ", announce))
			}
		}},
	} {
		t.Run(tt.name, func(t *testing.T) { tt.do(followsExceptions(t)) })
	}
}

// TestExceptionsAreOptIn: a webhook for all events of before gets none about exceptions, by
// whatever names it has them; one that names an event or the category does.
func TestExceptionsAreOptIn(t *testing.T) {
	n := followsExceptions(t)
	var categories []tracking.EventName
	for _, c := range tracking.Describe().EventCategories {
		if !c.OptIn {
			categories = append(categories, tracking.EventName(c.ID))
		}
	}
	all := slices.Concat(tracking.EventNames(), tracking.Describe().DocumentEvents)
	for _, tt := range []struct {
		path   string
		events []tracking.EventName
		want   []tracking.EventName
	}{
		{"/all", all, nil},
		{"/categories", categories, nil},
		{"/one", []tracking.EventName{freight.ExceptionClosed}, []tracking.EventName{freight.ExceptionClosed}},
		{"/category", []tracking.EventName{"exception-events"}, []tracking.EventName{freight.ExceptionOpened, freight.ExceptionClosed, freight.ExceptionOpened}},
		{"/both", []tracking.EventName{"exception-events", freight.ExceptionClosed}, []tracking.EventName{freight.ExceptionOpened, freight.ExceptionClosed, freight.ExceptionOpened}},
	} {
		w := subscribe(t, n.Bench, hookURL+tt.path, tt.events...)
		t.Cleanup(func() {
			var got []tracking.EventName
			others := 0
			for _, a := range notified(t, n.Bench, tracking.WebhookNotificationQuery{Webhooks: []tracking.ID{w.ID}, OldestFirst: true}) {
				if strings.HasPrefix(string(a.Event), "exception.") {
					got = append(got, a.Event)
				} else {
					others++
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" || (others > 0) != (tt.want == nil) {
				t.Errorf("%s gets %d other events, and -want +got %s", tt.path, others, diff)
			}
		})
	}
	for _, said := range []freight.TerminalFacts{held, released, held} {
		n.hand(seen(said))
		n.Pass(time.Hour)
	}
	if _, err := n.CreateWebhook(ctx, tracking.NewWebhook{URL: hookURL, Events: []tracking.EventName{"exceptions"}}); err == nil {
		t.Error("a category that does not exist is subscribed to")
	}
}

// TestExceptionPayloads: a payload has the exception as the event left it, with shipment and
// container; that of an account with tariffs has no costs.
func TestExceptionPayloads(t *testing.T) {
	n := followsExceptions(t)
	if _, err := n.Tariffs().Create(ctx, terms(nil)); err != nil {
		t.Fatal(err)
	}
	discharge, _ := landed()
	subscribe(t, n.Bench, hookURL, "exception-events")
	n.Clock.Set(discharge.At.Time.Add(time.Hour))
	status := freeUntil("2026-02-21T08:00:00Z")
	status.Holds = held.Holds
	n.hand(discharge, seen(status))
	n.Pass(time.Hour)
	status.Holds = released.Holds
	n.hand(seen(status))
	n.Pass(time.Hour)
	states, costs := map[string]any{}, must(n.Tariffs().Costs(ctx, allShipments(t, n.Bench)[0].Containers[0]))(t)
	if len(costs) == 0 {
		t.Error("the container has no costs that payloads could show")
	}
	for _, d := range n.Notifier.Sent() {
		document := readPayload(t, d.Body)
		if err := checkPayload(t, document); err != nil {
			t.Errorf("%s: %v\n%s", namedEvent(document), err, d.Body)
		}
		if bytes.Contains(d.Body, []byte("import_cost")) {
			t.Errorf("%s has costs: %s", namedEvent(document), d.Body)
		}
		for _, r := range included(document) {
			if r["type"] == "exception" && at(r, "attributes", "kind") == "hold" {
				states[namedEvent(document)] = at(r, "attributes", "closed_at") != nil
			}
		}
	}
	if want := map[string]any{"exception.opened": false, "exception.closed": true}; !maps.Equal(states, want) {
		t.Errorf("the hold is closed: %v, want %v", states, want)
	}
}

// TestExceptionsAlternate draws histories of holds: what is announced of an exception is
// opened and closed by turns, at most once in a window, and ends in what its record shows. The
// same facts in another order and other batches end in the same.
func TestExceptionsAlternate(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		n, other := followsExceptions(t), followsExceptions(t)
		var facts []tracking.Fact
		stopped := false
		for i := range rapid.IntRange(1, 15).Draw(r, "reports") {
			n.Pass(time.Duration(rapid.IntRange(1, 20).Draw(r, "minutes")) * time.Minute)
			said := freight.TerminalFacts{Holds: []freight.Hold{}}
			for _, name := range []string{"customs", "freight"} {
				if rapid.Bool().Draw(r, name) {
					said.Holds = append(said.Holds, freight.Hold{Name: name, Status: "hold"})
				}
			}
			f := seen(said)
			f.ID, f.RecordedAt, f.Containers, f.Numbers = fmt.Sprint("seen", i), n.Clock.Now(), []string{"APZU4812090"}, voyage("B1")[0].Numbers
			facts = append(facts, f)
			ingest(t, n.Bench, api(f))
			if rapid.IntRange(0, 9).Draw(r, "stop") == 0 {
				id := allShipments(t, n.Bench)[0].ID
				if stopped = !stopped; stopped {
					must(n.StopTracking(ctx, id))(t)
				} else {
					must(n.ResumeTracking(ctx, id))(t)
				}
			}
		}
		if stopped {
			must(n.ResumeTracking(ctx, allShipments(t, n.Bench)[0].ID))(t)
		}
		n.Pass(time.Hour)
		other.Clock.Set(n.Clock.Now().Add(-time.Hour))
		random := rand.New(rand.NewPCG(uint64(len(facts)), rapid.Uint64().Draw(r, "order")))
		random.Shuffle(len(facts), func(i, j int) { facts[i], facts[j] = facts[j], facts[i] })
		for batch := range slices.Chunk(facts, rapid.IntRange(1, 10).Draw(r, "batch")) {
			ingest(t, other.Bench, api(batch...))
		}
		other.Pass(time.Hour)
		if diff := cmp.Diff(n.openAsAnnounced(r), other.openAsAnnounced(r)); diff != "" {
			r.Fatalf("in another order: %s", diff)
		}
	})
}

// openAsAnnounced are the exceptions that were announced last as open, by their sentences.
func (n *exceptionNews) openAsAnnounced(r *rapid.T) (open []string) {
	n.t.Helper()
	last := map[tracking.ID]tracking.Announcement{}
	for _, a := range n.Announcements() {
		if a.Event != freight.ExceptionOpened && a.Event != freight.ExceptionClosed {
			continue
		}
		before, known := last[a.Reference.ID]
		if !known && a.Event == freight.ExceptionClosed || before.Event == a.Event {
			r.Fatalf("%s after %q", a.Event, before.Event)
		}
		if known && a.At.Sub(before.At) < 14*time.Minute {
			r.Fatalf("announced at %s and %s, within a window", before.At, a.At)
		}
		last[a.Reference.ID] = a
	}
	list, _, err := n.Exceptions().List(ctx, tracking.ExceptionQuery{}, tracking.Page{Number: 1, Size: 100})
	if err != nil {
		r.Fatal(err)
	}
	for _, e := range list {
		if a := last[e.ID].Event; e.ClosedAt.IsZero() != (a == freight.ExceptionOpened) {
			r.Fatalf("%q was announced last of %+v", a, e)
		}
		if e.ClosedAt.IsZero() {
			open = append(open, e.Kind+" "+e.Detail)
		}
	}
	slices.Sort(open)
	return open
}
