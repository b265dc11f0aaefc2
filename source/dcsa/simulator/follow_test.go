package simulator_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/internal/drill"
	"github.com/landfallhq/tracking/source/dcsa"
	"github.com/landfallhq/tracking/source/dcsa/simulator"
	"github.com/landfallhq/tracking/storage"
	"github.com/landfallhq/tracking/trackingtest"
)

// TestFaultCarrier follows a carrier of which three calls in ten fail, in all
// the ways there are, over real HTTP: every shipment ends as it ends with a
// carrier that never fails, and none is asked about twice at one time.
// LANDFALL_SHIPMENTS is how many there are.
//
// That it can fail was seen with a client that takes answers about other numbers
// for the one it asked about: shipments turn up that nobody follows.
func TestFaultCarrier(t *testing.T) {
	n := drill.Count(t, "LANDFALL_SHIPMENTS", 18)
	seed := drill.Random(t).Uint64()
	calm := follow(t, n, seed, 10*time.Second, simulator.Faults{})
	// Long enough for a good answer on a busy machine, and short for one that
	// does not come.
	rough := follow(t, n, seed, 250*time.Millisecond, simulator.Faults{
		Rate: 0.3, Disorder: 0.3, HangFor: 10 * time.Second, OversizedBytes: 1 << 20,
	})
	if diff := cmp.Diff(calm.state(), rough.state()); diff != "" {
		t.Errorf("the faults have changed what is known in the end (-calm +rough):\n%s", diff)
	}
	for name, f := range map[string]*following{"calm": calm, "rough": rough} {
		f.report(name)
		f.check(name)
	}
	s, asked := rough.carrier.Stats(), rough.asked()
	const enough = 500 // calls, for the shares to be near what was asked for
	if share := float64(s.Failed()) / float64(s.Calls); s.Calls > enough && (share < 0.22 || share > 0.38 || len(s.Faults) != len(simulator.AllFaults())) {
		t.Errorf("%.2f of the calls failed, as %v", share, s.Faults)
	}
	if asked.Timeouts < int64(s.Faults[simulator.Hang]) || asked.Throttled > int64(s.Faults[simulator.TooMany]) || asked.Throttled == 0 {
		t.Errorf("the client counts %d time-outs and %d times 429; the carrier %d and %d",
			asked.Timeouts, asked.Throttled, s.Faults[simulator.Hang], s.Faults[simulator.TooMany])
	}
}

// following is an engine that has followed a carrier to the end.
type following struct {
	*trackingtest.Bench
	t       *testing.T
	carrier *simulator.Carrier
	clients []*dcsa.Client
	watch   *watch
}

// lines are those that the carrier sails for: jobs of one line get half of the
// workers at most, so it takes two to keep all of them busy.
var lines = []string{simulator.SCAC, trackingtest.SCAC}

// follow follows the carrier to the end.
func follow(t *testing.T, shipments int, seed uint64, timeout time.Duration, faults simulator.Faults) *following {
	t.Helper()
	f := newFollowing(t, shipments, seed, timeout, faults)
	f.request()
	f.pass(f.end())
	return f
}

func newFollowing(t *testing.T, shipments int, seed uint64, timeout time.Duration, faults simulator.Faults) *following {
	t.Helper()
	f := &following{t: t, watch: &watch{asking: map[string]int{}}}
	store, err := storage.OpenWith(filepath.Join(t.TempDir(), "landfall.db"), storage.Options{CacheBytes: 64 << 20})
	if err != nil {
		t.Fatal(err)
	}
	f.Bench = trackingtest.New(t, func(c *tracking.Config) {
		c.Store = store
		carrier, err := simulator.New(simulator.Config{Shipments: shipments, Seed: seed, Clock: c.Clock, PageSize: 20, Faults: faults})
		if err != nil {
			t.Fatal(err)
		}
		server := httptest.NewServer(carrier)
		t.Cleanup(server.Close)
		f.carrier, c.Sources = carrier, tracking.Sources{}
		for _, scac := range lines {
			client, err := dcsa.New(dcsa.Config{
				SCAC: scac, BaseURL: server.URL, Clock: c.Clock, Transport: &http.Transport{MaxIdleConnsPerHost: 8},
				// Nothing is waited for but an answer: the clock is the test's.
				RequestTimeout: timeout, Patience: -1, RequestsPerSecond: -1, MaxBody: 512 << 10,
			})
			if err != nil {
				t.Fatal(err)
			}
			f.clients = append(f.clients, client)
			c.Sources[scac] = watched{client, f.watch}
		}
		c.Workers, c.RefreshEvery, c.Rand = 8, 24*time.Hour, jitter(seed)
	})
	return f
}

// request has all shipments followed, for one line and the other by turns.
func (f *following) request() {
	f.t.Helper()
	for i, s := range f.carrier.Shipments() {
		_, err := f.CreateTrackingRequest(context.Background(), tracking.NewTrackingRequest{
			Number: s.Booking, Type: freight.BookingNumber, SCAC: lines[i%len(lines)],
		})
		if err != nil {
			f.t.Fatal(err)
		}
	}
}

// end is when all is over, with time for what failed last.
func (f *following) end() time.Time { return f.carrier.Ends().AddDate(0, 0, 10) }

// pass lets the time pass until end. Each round of work takes two seconds, so
// that the carrier's pauses come to an end; and what is due within an hour is
// due together, so that all workers have something to do.
func (f *following) pass(end time.Time) {
	f.t.Helper()
	for f.Clock.Now().Before(end) {
		next, err := f.Operator.RunOnce(context.Background())
		switch now := f.Clock.Now(); {
		case err != nil:
			f.t.Fatal(err)
		case next.IsZero() || next.After(end):
			f.Clock.Set(end)
		case next.After(now):
			f.Clock.Set(later(next, now.Truncate(time.Hour).Add(time.Hour)))
		default:
			f.Clock.Advance(2 * time.Second)
		}
	}
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// jitter is what the engine's retries are spread by.
func jitter(seed uint64) func() float64 {
	var mu sync.Mutex
	random := rand.New(rand.NewPCG(seed, 1))
	return func() float64 {
		mu.Lock()
		defer mu.Unlock()
		return random.Float64()
	}
}

// watch counts the questions about one number at one time, as the engine puts
// them; the carrier counts the calls.
type watch struct {
	mu      sync.Mutex
	asking  map[string]int
	most    int // about one number
	busy    int // about all, now and at most
	busiest int
}

type watched struct {
	freight.Source
	*watch
}

func (w watched) Track(ctx context.Context, q freight.SourceQuery) (freight.Answer, error) {
	w.step(q.Number, 1)
	defer w.step(q.Number, -1)
	return w.Source.Track(ctx, q)
}

func (w *watch) step(number string, by int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.asking[number] += by
	w.busy += by
	w.most, w.busiest = max(w.most, w.asking[number]), max(w.busiest, w.busy)
}

// asked are the counts of all clients.
func (f *following) asked() dcsa.Stats {
	sum := dcsa.Stats{Failures: map[freight.FailedReason]int64{}}
	for _, c := range f.clients {
		s := c.Stats()
		sum.Questions += s.Questions
		sum.Answers += s.Answers
		sum.Requests += s.Requests
		sum.Timeouts += s.Timeouts
		sum.Throttled += s.Throttled
		sum.HeldBack += s.HeldBack
		for reason, n := range s.Failures {
			sum.Failures[reason] += n
		}
	}
	return sum
}

func (f *following) report(name string) {
	f.t.Helper()
	s, a := f.carrier.Stats(), f.asked()
	f.t.Logf("%s: %d shipments; %d questions, %d answered, failures %v; %d requests sent, %d time-outs, %d times 429, %d held back for it",
		name, len(f.carrier.Shipments()), a.Questions, a.Answers, a.Failures, a.Requests, a.Timeouts, a.Throttled, a.HeldBack)
	f.t.Logf("%s: the carrier counts %d calls, %d failed %v; %d at one time, %d overlapping; %d workers busy at most",
		name, s.Calls, s.Failed(), s.Faults, s.MostAtOnce, s.Overlapping, f.watch.busiest)
}

// check holds what is to be so with faults and without.
func (f *following) check(name string) {
	f.t.Helper()
	s, a := f.carrier.Stats(), f.asked()
	if s.Overlapping != 0 || s.MostAboutOne != 1 || f.watch.most != 1 {
		f.t.Errorf("%s: %d overlapping calls; %d calls and %d questions about one shipment at one time", name, s.Overlapping, s.MostAboutOne, f.watch.most)
	}
	if f.watch.busiest < min(4, len(f.carrier.Shipments())) || f.watch.busiest > 8 {
		f.t.Errorf("%s: %d of 8 workers were busy", name, f.watch.busiest)
	}
	failed := int64(0)
	for _, n := range a.Failures {
		failed += n
	}
	// The transport repeats what broke on a connection that it had used before.
	if a.Questions != a.Answers+failed || int64(s.Calls) < a.Requests-a.Timeouts || a.Requests+a.HeldBack < a.Questions {
		f.t.Errorf("%s: the counts do not agree: %+v, %+v", name, a, s)
	}
	requests, _, err := f.TrackingRequests(context.Background(), tracking.TrackingRequestQuery{}, everything)
	if err != nil || len(requests) != len(f.carrier.Shipments()) {
		f.t.Fatalf("%d tracking requests, error %v", len(requests), err)
	}
	for _, r := range requests {
		if r.Status != tracking.RequestCreated && r.Status != tracking.RequestStopped {
			f.t.Errorf("%s: the request for %s is %s (%s)", name, r.RequestNumber, r.Status, r.FailedReason)
		}
	}
}

// everything is one page with all there is.
var everything = tracking.Page{Number: 1, Size: 100_000}

// state is what is known of each shipment, without the times at which it was
// learned and without IDs, which are of one database.
func (f *following) state() map[string][]string {
	ctx := context.Background()
	shipments, _, err := f.Shipments(ctx, tracking.ShipmentQuery{}, everything)
	if err != nil {
		f.t.Fatal(err)
	}
	containers, _, err := f.Containers(ctx, tracking.ContainerQuery{}, everything)
	if err != nil {
		f.t.Fatal(err)
	}
	events, _, err := f.TransportEvents(ctx, tracking.TransportEventQuery{}, everything)
	if err != nil {
		f.t.Fatal(err)
	}
	booking, number, state := map[tracking.ID]string{}, map[tracking.ID]string{}, map[string][]string{}
	say := func(of tracking.ID, format string, args ...any) {
		state[booking[of]] = append(state[booking[of]], fmt.Sprintf(format, args...))
	}
	for _, s := range shipments {
		booking[s.ID] = s.BillOfLadingNumber
		say(s.ID, "from %s %v %v to %s %v %v by %s %s, on to %s %v %v; %v; stopped: %s", s.PortOfLadingLOCODE, s.POLETDAt, s.POLATDAt,
			s.PortOfDischargeLOCODE, s.PODETAAt, s.PODATAAt, s.PODVesselIMO, s.PODVoyageNumber,
			s.DestinationLOCODE, s.DestinationETAAt, s.DestinationATAAt, s.Numbers, s.LineTrackingStoppedReason)
	}
	for _, c := range containers {
		number[c.ID] = c.Number
		say(c.Shipment, "%s %s %s %s available %v %v holds %v out %v back %v", c.Number, c.SealNumber, c.EquipmentType, c.CurrentStatus,
			c.AvailabilityKnown, c.AvailableForPickup, c.HoldsAtPODTerminal, c.PODFullOutAt, c.EmptyTerminatedAt)
	}
	for _, e := range events {
		// What was announced of estimates on the way is of the way.
		name, transport := strings.CutPrefix(string(e.Event), "container.transport.")
		if transport && !strings.Contains(name, ".") && e.InvalidatedAt.IsZero() {
			say(e.Shipment, "%s %s %s %v %s", number[e.Container], name, e.LocationLOCODE, e.Timestamp, e.VoyageNumber)
		}
	}
	for _, of := range slices.Collect(maps.Keys(state)) {
		slices.Sort(state[of])
	}
	return state
}
