package tracking_test

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/trackingtest"
)

// ask is a source that is a function.
type ask func(context.Context, tracking.SourceQuery) (tracking.Answer, error)

func (f ask) Track(ctx context.Context, q tracking.SourceQuery) (tracking.Answer, error) {
	return f(ctx, q)
}

var notFound = &tracking.SourceError{Reason: freight.NumberNotFound}

// Questions that take nearly a minute each are all asked under their own lease:
// another process does not ask them as well.
func TestSlowQuestionsAreAskedOnce(t *testing.T) {
	asked := map[string]int{}
	var b *trackingtest.Bench
	var other *tracking.Tracker
	slow := ask(func(_ context.Context, q tracking.SourceQuery) (tracking.Answer, error) {
		asked[q.Number]++
		b.Clock.Advance(59 * time.Second)
		if _, err := other.RunOnce(ctx); err != nil {
			t.Error(err)
		}
		return tracking.Answer{}, notFound
	})
	b = trackingtest.New(t, func(c *tracking.Config) { c.Sources = tracking.Sources{trackingtest.SCAC: slow} })
	fast := ask(func(_ context.Context, q tracking.SourceQuery) (tracking.Answer, error) {
		asked[q.Number]++
		return tracking.Answer{}, notFound
	})
	other, err := tracking.New(tracking.Config{
		Store: b.Store, Clock: b.Clock, Sources: tracking.Sources{trackingtest.SCAC: fast}, Logger: slog.New(slog.DiscardHandler), Workers: 1,
	})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 6 {
		create(t, b, tracking.NewTrackingRequest{Number: fmt.Sprint("SLOW", i), Type: tracking.BillOfLading, SCAC: trackingtest.SCAC})
	}
	b.Settle()
	for i := range 6 {
		if n := asked[fmt.Sprint("SLOW", i)]; n != 1 {
			t.Errorf("question %d was asked %d times", i, n)
		}
	}
}

// A carrier that does not answer holds up neither other carriers nor the
// detection of lines.
func TestCarrierWithoutAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		asked := map[string]int{}
		source := func(hangs bool) ask {
			return func(ctx context.Context, q tracking.SourceQuery) (tracking.Answer, error) {
				mu.Lock()
				asked[q.SCAC]++
				mu.Unlock()
				if hangs {
					<-ctx.Done()
				}
				return tracking.Answer{}, notFound
			}
		}
		b := trackingtest.New(t, func(c *tracking.Config) {
			c.Sources, c.Workers = tracking.Sources{"MAEU": source(true), "MSCU": source(false)}, 4
		})
		end := start(t, b)
		defer end()
		number := 0
		want := func(what string, scac string, n int) {
			t.Helper()
			synctest.Wait()
			mu.Lock()
			defer mu.Unlock()
			if asked[scac] != n {
				t.Errorf("%s: %s was asked %d times, want %d", what, scac, asked[scac], n)
			}
		}
		follow := func(prefix, scac string) {
			number++
			create(t, b, tracking.NewTrackingRequest{Number: fmt.Sprint(prefix, 123456789+number), Type: tracking.BillOfLading, SCAC: scac})
		}
		for range 6 {
			follow("", "MAEU")
		}
		want("six requests for a carrier that hangs", "MAEU", 2)
		for i := range 4 {
			follow("", "MSCU")
			want("meanwhile", "MSCU", i+1)
		}
		for range 6 { // whose line is to be detected first
			follow("MAEU", "")
		}
		want("six more, after detection", "MAEU", 2)
		follow("", "MSCU")
		want("meanwhile", "MSCU", 5)
		time.Sleep(61 * time.Second) // SourceTimeout
		want("after the time-out of the first two", "MAEU", 4)
	})
}

// start begins the background work and returns what ends it and waits for that.
func start(t *testing.T, b *trackingtest.Bench) (end func()) {
	t.Helper()
	working, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if err := b.Operator.Run(working); err != nil {
			t.Error(err)
		}
	}()
	return func() {
		cancel()
		<-ended
	}
}

// A job that is broken off by the end of the program is given back, so that the
// next to run has it at once.
func TestInterruptedJobIsReturned(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		questions := 0
		b := trackingtest.New(t, func(c *tracking.Config) {
			c.Sources = tracking.Sources{"MAEU": ask(func(ctx context.Context, _ tracking.SourceQuery) (tracking.Answer, error) {
				if questions++; questions == 1 {
					<-ctx.Done()
					return tracking.Answer{}, ctx.Err()
				}
				return tracking.Answer{}, notFound
			})}
		})
		end := start(t, b)
		r := create(t, b, tracking.NewTrackingRequest{Number: "123456789", Type: tracking.BillOfLading, SCAC: "MAEU"})
		synctest.Wait()
		end()
		b.Settle()
		if got := request(t, b, r.ID); questions != 2 || got.Status != tracking.RequestAwaitingManifest || got.RetryCount != 0 {
			t.Errorf("after %d questions: %+v", questions, got)
		}
	})
}

// What completes a request has its shipment followed again.
func TestFactsThatCompleteARequestResume(t *testing.T) {
	b := trackingtest.New(t)
	id := ingest(t, b, api(voyage("B1")...)).ShipmentIDs[0]
	if _, err := b.StopTracking(ctx, id); err != nil {
		t.Fatal(err)
	}
	r := create(t, b, tracking.NewTrackingRequest{Number: boxY, Type: tracking.ContainerNumber, SCAC: "MAEU"})
	asked := len(b.Source.Asked())
	ingest(t, b, api(box(freight.Loading, "CNSHA", 4, freight.Laden, boxY, bill("B1"))))
	if r = request(t, b, r.ID); r.Status != tracking.RequestCreated || r.TrackedObject != id {
		t.Fatalf("the request: %+v", r)
	}
	if s, err := b.Shipment(ctx, id); err != nil || !s.LineTrackingStoppedAt.IsZero() {
		t.Errorf("the shipment is stopped at %v, %v", s.LineTrackingStoppedAt, err)
	}
	b.Settle()
	if n := len(b.Source.Asked()) - asked; n != 1 {
		t.Errorf("its source was asked %d times", n)
	}
}

// When a source is asked again is for its answer to say, whatever else the
// answer or a later report completes.
func TestCompletionKeepsTheDueTime(t *testing.T) {
	b := trackingtest.New(t)
	soon := 10 * time.Minute
	facts := append(voyage("B1"), about("link", bill("B1"), booking("BK1")))
	b.Source.Script("B1", trackingtest.Reply{Facts: facts, Next: soon})
	for _, n := range []tracking.NewTrackingRequest{
		{Number: "BK1", Type: tracking.BookingNumber, SCAC: "MAEU"},
		{Number: "BK2", Type: tracking.BookingNumber, SCAC: "MAEU"},
		{Number: "B1", Type: tracking.BillOfLading, SCAC: "MAEU"},
	} {
		create(t, b, n)
	}
	due := func(when string, want time.Duration) {
		t.Helper()
		b.Settle()
		if next, err := b.Operator.RunOnce(ctx); err != nil || next.Sub(b.Clock.Now()) != want {
			t.Errorf("%s: more is due in %s, want %s (%v)", when, next.Sub(b.Clock.Now()), want, err)
		}
	}
	due("an answer that completes two requests", soon)
	b.Clock.Advance(time.Minute)
	ingest(t, b, api(about("link 2", bill("B1"), booking("BK2"))))
	due("a report that completes a third", soon-time.Minute)
	for _, r := range requests(t, b) {
		if r.Status != tracking.RequestCreated {
			t.Errorf("%s is %s", r.RequestNumber, r.Status)
		}
	}
}

func requests(t *testing.T, b *trackingtest.Bench) []*tracking.TrackingRequest {
	t.Helper()
	list, _, err := b.TrackingRequests(ctx, tracking.TrackingRequestQuery{}, tracking.Page{})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// A shipment that came by report alone is followed from its first request on.
func TestFirstRequestSetsTheDueTime(t *testing.T) {
	b := trackingtest.New(t)
	ingest(t, b, api(voyage("B1")...))
	create(t, b, tracking.NewTrackingRequest{Number: "BK1", Type: tracking.BookingNumber, SCAC: "MAEU"})
	b.Settle()
	ingest(t, b, api(about("link", bill("B1"), booking("BK1"))))
	asked := len(b.Source.Asked())
	b.Pass(7 * time.Hour)
	if n := len(b.Source.Asked()) - asked; n != 1 {
		t.Errorf("asked %d times in 7 hours, want 1", n)
	}
}

// A source gets the number as it was given and as carriers accept it.
func TestSourcesGetBothForms(t *testing.T) {
	b := trackingtest.New(t)
	b.Source.Script("maeu-12345.6789", trackingtest.Reply{Facts: voyage("MAEU123456789")})
	create(t, b, tracking.NewTrackingRequest{Number: " maeu-12345.6789 ", Type: tracking.BillOfLading, SCAC: "MAEU"})
	b.Settle()
	b.Pass(7 * time.Hour)
	asked := b.Source.Asked()
	if len(asked) != 2 {
		t.Fatalf("asked %d times", len(asked))
	}
	for i, q := range asked {
		if q.Normalized != "123456789" || q.Number == q.Normalized {
			t.Errorf("question %d: %q, normalized %q", i, q.Number, q.Normalized)
		}
	}
}

// The sandbox's numbers are detected like any other, where it is configured.
func TestSandboxIsDetected(t *testing.T) {
	for _, on := range []bool{true, false} {
		b := trackingtest.New(t, func(c *tracking.Config) {
			if on {
				c.Sources["TEST"] = &trackingtest.Source{}
			}
		})
		r := create(t, b, tracking.NewTrackingRequest{Number: "TEST-TR-ANY", Type: tracking.BillOfLading})
		b.Settle()
		if r = request(t, b, r.ID); on != (r.SCAC == "TEST") || on != (r.FailedReason != freight.SCACAutoDetectFailed) {
			t.Errorf("sandbox %v: %+v", on, r)
		}
	}
}
