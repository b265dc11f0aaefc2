package simulator_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/landfallhq/tracking/source/dcsa/simulator"
	"github.com/landfallhq/tracking/trackingtest"
)

const aShipment = "/v2/events?carrierBookingReference=LFK7001001"

// TestEachFault: a client sees what the fault's name says.
func TestEachFault(t *testing.T) {
	for fault, check := range map[simulator.Fault]func(r response, err error) bool{
		simulator.ServerError: func(r response, _ error) bool { return r.status >= 500 && strings.Contains(r.body, `"errors"`) },
		simulator.TooMany:     func(r response, _ error) bool { return r.status == 429 && r.header.Get("Retry-After") == "7" },
		simulator.Hang:        func(_ response, err error) bool { return errors.Is(err, io.EOF) },
		simulator.Reset:       func(_ response, err error) bool { return errors.Is(err, syscall.ECONNRESET) },
		simulator.HalfBody:    func(r response, err error) bool { return errors.Is(err, io.ErrUnexpectedEOF) && len(r.body) > 1000 },
		simulator.HTML:        func(r response, _ error) bool { return r.status == 200 && strings.HasPrefix(r.body, "<!doctype html>") },
		simulator.Oversized:   func(r response, err error) bool { return err == nil && len(r.body) == 1<<20 },
		simulator.Foreign: func(r response, _ error) bool {
			return r.status == 200 && strings.Contains(r.body, "LFK7003001") && !strings.Contains(r.body, "LFK7001001")
		},
	} {
		t.Run(string(fault), func(t *testing.T) {
			b := serve(t, simulator.Config{Faults: simulator.Faults{
				Rate: 1, Kinds: []simulator.Fault{fault}, RetryAfter: 7 * time.Second, HangFor: time.Millisecond, OversizedBytes: 1 << 20,
			}}).ended()
			r, err := b.call(http.MethodGet, aShipment, "")
			if !check(r, err) {
				t.Errorf("%d %v, %d bytes, error %v", r.status, r.header, len(r.body), err)
			}
			if s := b.Stats(); s.Calls != 1 || s.Faults[fault] != 1 || s.Failed() != 1 || s.Events != 0 {
				t.Errorf("%+v", s)
			}
		})
	}
}

// TestLuckFollowsFromTheSeed: the same calls fail in the same way, whatever is
// asked in between; other seeds have other luck, and the rate is kept.
func TestLuckFollowsFromTheSeed(t *testing.T) {
	const calls = 200
	outcomes := func(seed uint64, others bool) (list string) {
		b := serve(t, simulator.Config{Seed: seed, Faults: simulator.Faults{
			Rate: 0.3, Kinds: []simulator.Fault{simulator.ServerError, simulator.TooMany, simulator.HTML},
		}}).ended()
		for range calls {
			if others {
				b.must(http.MethodGet, "/v2/events?carrierBookingReference=LFK7002001", "")
			}
			r := b.must(http.MethodGet, aShipment, "")
			list += fmt.Sprintf("%d%c ", r.status, r.body[0])
		}
		return list
	}
	one := outcomes(1, false)
	if again := outcomes(1, true); again != one {
		t.Errorf("other calls have changed the luck:\n%s\n%s", one, again)
	}
	if two := outcomes(2, false); two == one {
		t.Error("the seed changes nothing")
	}
	if good := strings.Count(one, "200["); good < calls*6/10 || good > calls*8/10 {
		t.Errorf("%d of %d calls were good, at a rate of 0.3", good, calls)
	}
}

// TestDisorder: events out of order, and one of the page before, but each at
// least once.
func TestDisorder(t *testing.T) {
	b := serve(t, simulator.Config{PageSize: 7, Seed: 1, Faults: simulator.Faults{Disorder: 1}}).ended()
	times, sorted := map[string]int{}, true
	link := aShipment
	for link != "" {
		r := b.must(http.MethodGet, link, "")
		var last time.Time
		for _, e := range parse(t, r.body) {
			times[e.ID]++
			sorted = sorted && !e.Created.Before(last)
			last = e.Created
		}
		link = r.header.Get("Next-Page")
	}
	twice := 0
	for _, n := range times {
		if n > 1 {
			twice++
		}
	}
	if want := len(serve(t, simulator.Config{}).ended().events(aShipment)); sorted || twice == 0 || len(times) != want {
		t.Errorf("sorted %v, %d events twice, %d of %d events", sorted, twice, len(times), want)
	}
}

// TestOverlapsAreSeen: two calls about one shipment at one time are counted,
// those about two are not, and neither is a call after one that was given up.
func TestOverlapsAreSeen(t *testing.T) {
	const other = "/v2/events?carrierBookingReference=LFK7002001"
	for _, c := range []struct {
		name  string
		links []string
		want  int // of the calls overlap
	}{{"one", []string{aShipment, aShipment}, 1}, {"two", []string{aShipment, other}, 0}} {
		t.Run(c.name, func(t *testing.T) {
			clock := &gate{Clock: trackingtest.NewClock(), arrived: make(chan struct{}), open: make(chan struct{})}
			carrier, err := simulator.New(simulator.Config{Clock: clock, Start: trackingtest.Start})
			if err != nil {
				t.Fatal(err)
			}
			var calls sync.WaitGroup
			for _, link := range c.links {
				calls.Go(func() {
					carrier.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, link, nil))
				})
			}
			for range c.links {
				<-clock.arrived
			}
			close(clock.open)
			calls.Wait()
			if s := carrier.Stats(); s.Calls != 2 || s.MostAtOnce != 2 || s.Overlapping != c.want || s.MostAboutOne != 1+c.want {
				t.Errorf("%+v", s)
			}
		})
	}

	t.Run("given up", func(t *testing.T) {
		b := serve(t, simulator.Config{Faults: simulator.Faults{Rate: 1, Kinds: []simulator.Fault{simulator.Hang}}})
		for range 3 {
			ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
			r, err := http.NewRequestWithContext(ctx, http.MethodGet, b.url+aShipment, nil)
			if err != nil {
				t.Fatal(err)
			}
			if answer, err := http.DefaultTransport.RoundTrip(r); err == nil {
				answer.Body.Close()
				t.Error("a call that hangs was answered")
			}
			cancel()
		}
		if s := b.Stats(); s.Calls != 3 || s.Overlapping != 0 || s.MostAboutOne != 1 {
			t.Errorf("%+v", s)
		}
	})
}

// gate is a clock that keeps those who look at it until it opens.
type gate struct {
	*trackingtest.Clock
	arrived, open chan struct{}
}

func (g *gate) Now() time.Time {
	g.arrived <- struct{}{}
	<-g.open
	return g.Clock.Now()
}
