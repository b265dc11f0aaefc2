package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/landfallhq/tracking/source/dcsa/simulator"
)

var simulateCarrier = command{
	name:  "simulate-carrier",
	about: "simulate a carrier with a DCSA API, for trials",
	details: `
Serves invented voyages through a DCSA Track & Trace 2.2 API, on a clock that
starts in the past and runs fast until it reaches the present. Prints the numbers
to track, and the configuration for landfall serve. Nothing is stored: the same
flags give the same voyages.

With --faults, calls fail like those to real carriers: errors, timeouts, resets,
truncated bodies, HTML pages, endless bodies, events of another shipment. SIGTERM
and SIGINT end the simulation and print its statistics.`,
	declare: func(f *flags) action {
		s := simulation{speed: 10_000}
		f.StringVar(&s.addr, "addr", "127.0.0.1:9090", "`HOST:PORT` to listen on; port 0 picks a free port")
		f.IntVar(&s.config.Shipments, "shipments", simulator.NumberOfVoyages(), "number `N` of shipments, each on the next voyage in turn")
		f.DurationVar(&s.spread, "spread", 7*24*time.Hour, "`DURATION` on its clock over which the starts of the shipments are spread")
		f.Float64Var(&s.speed, "speed", s.speed, "speed of the clock, `N` times real time; a voyage takes seven weeks")
		f.Uint64Var(&s.config.Seed, "seed", 1, "random seed `N`, which decides which calls fail")
		f.Float64Var(&s.config.Faults.Rate, "faults", 0, "`SHARE` of calls that fail, from 0 to 1")
		f.Float64Var(&s.config.Faults.Disorder, "disorder", 0, "`SHARE` of answers with unordered and repeated events, from 0 to 1")
		f.BoolVar(&s.oauth, "oauth", false, "require an OAuth2 token")
		f.BoolVar(&s.key, "api-key", false, "require an API key")
		return func(ctx context.Context, p *program, _ []string) error {
			if _, _, err := net.SplitHostPort(s.addr); err != nil {
				return usageErrorf("--addr: %q is not HOST:PORT", s.addr)
			}
			for name, share := range map[string]float64{"faults": s.config.Faults.Rate, "disorder": s.config.Faults.Disorder} {
				if !(share >= 0 && share <= 1) {
					return usageErrorf("--%s must be from 0 to 1", name)
				}
			}
			switch {
			case s.config.Shipments < 1 || s.config.Shipments > simulator.MaxShipments:
				return usageErrorf("--shipments must be from 1 to %d", simulator.MaxShipments)
			case s.spread < 0 || s.spread > maxSpread:
				return usageErrorf("--spread must be from 0s to %s", maxSpread)
			case !(s.speed >= 1):
				return usageErrorf("--speed must be at least 1")
			}
			s.program = p
			return s.run(ctx)
		}
	},
}

// maxSpread keeps the voyages within a year: shipments without news for some weeks
// are no longer tracked.
const maxSpread = 300 * 24 * time.Hour

// The credentials of the simulated carrier need not be secret.
const (
	simulatedSecret     = "simulated-client-secret"
	simulatedKey        = "simulated-api-key"
	simulatedSecretName = "SIMULATED_CARRIER_SECRET"
	simulatedKeyName    = "SIMULATED_CARRIER_KEY"
)

// pushInterval is the interval of pushes to subscribers, and askedEvery that of
// requests of the engine for the simulated carrier. Both are in real time.
const (
	pushInterval    = 500 * time.Millisecond
	refreshInterval = 5 * time.Second
)

// simulation is one run of the command.
type simulation struct {
	*program
	addr       string
	config     simulator.Config
	speed      float64
	spread     time.Duration
	oauth, key bool
}

func (s *simulation) run(ctx context.Context) error {
	carrier, err := s.carrier()
	if err != nil {
		return err
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", s.addr)
	if err != nil {
		return err
	}
	hs := &http.Server{Handler: carrier, ReadHeaderTimeout: 5 * time.Second, IdleTimeout: 2 * time.Minute}
	served := make(chan error, 1)
	go func() { served <- hs.Serve(listener) }()
	if err := s.announce("http://"+listener.Addr().String(), carrier.Shipments()); err != nil {
		return errors.Join(err, hs.Close())
	}
	pushes := time.NewTicker(pushInterval)
	defer pushes.Stop()
	for {
		select {
		case err := <-served:
			return err
		case <-pushes.C:
			if err := carrier.Push(ctx); err != nil && ctx.Err() == nil {
				fmt.Fprintf(s.stderr, "landfall: %s\n", oneLine(err.Error()))
			}
		case <-ctx.Done():
			// Without waiting: hanging calls would block it, and nothing is lost.
			err := hs.Close()
			s.printStats(carrier.Stats())
			return err
		}
	}
}

// carrier starts its clock so far in the past that no voyage reaches into the
// future.
func (s *simulation) carrier() (*simulator.Carrier, error) {
	if s.oauth {
		s.config.OAuth = simulator.OAuth{ClientID: "landfall", ClientSecret: simulatedSecret}
	}
	if s.key {
		s.config.APIKey = simulator.APIKey{Header: "X-Api-Key", Value: simulatedKey}
	}
	s.config.Every = s.spread / time.Duration(s.config.Shipments)
	plan, err := simulator.New(s.config)
	if err != nil {
		return nil, err
	}
	s.config.Clock = simulator.NewLapse(plan.Ends().Sub(plan.Shipments()[0].Begins), s.speed)
	return simulator.New(s.config)
}

// announce prints the numbers and the configuration.
func (s *simulation) announce(base string, shipments []simulator.Shipment) error {
	var b strings.Builder
	fmt.Fprintf(&b, "landfall: simulating a carrier at %s\n\n", base)
	table := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "BOOKING\tBILL OF LADING\tCONTAINERS\tVOYAGE")
	for _, t := range shipments {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", t.Booking, t.TransportDocument, strings.Join(t.Containers, " "), t.Voyage)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	snippet, err := json.MarshalIndent(map[string]any{"carriers": map[string]any{simulator.SCAC: s.snippet(base)}}, "", "  ")
	if err != nil {
		return err
	}
	fmt.Fprintf(&b, "\nTo track it, write this to landfall.json:\n\n%s\n\nand run in another terminal:\n\n", snippet)
	if s.oauth {
		fmt.Fprintf(&b, "export %s=%s\n", simulatedSecretName, simulatedSecret)
	}
	if s.key {
		fmt.Fprintf(&b, "export %s=%s\n", simulatedKeyName, simulatedKey)
	}
	fmt.Fprintf(&b, "landfall serve --db trial.db --config landfall.json\n"+
		"curl -H 'Authorization: Token KEY' -H 'Content-Type: application/json' http://127.0.0.1:8080/v2/tracking_requests \\\n"+
		"  -d '{\"data\":{\"type\":\"tracking_request\",\"attributes\":{\"request_type\":\"booking_number\",\"request_number\":\"%s\",\"scac\":\"%s\"}}}'\n",
		shipments[min(1, len(shipments)-1)].Booking, simulator.SCAC)
	_, err = fmt.Fprint(s.stdout, b.String())
	return err
}

// snippet is the carrier in the configuration file of serve.
func (s *simulation) snippet(base string) map[string]any {
	c := map[string]any{"url": base, "refresh_every": refreshInterval.String()}
	if s.oauth {
		c["oauth2"] = map[string]any{
			"token_url": base + "/oauth2/token", "client_id": "landfall", "client_secret": map[string]any{"env": simulatedSecretName},
		}
	}
	if s.key {
		c["headers"] = map[string]any{"X-Api-Key": map[string]any{"env": simulatedKeyName}}
	}
	return c
}

// printStats prints the statistics.
func (s *simulation) printStats(stats simulator.Stats) {
	fmt.Fprintf(s.stdout, "landfall: %d calls, %d failed", stats.Calls, stats.Failed())
	for _, f := range simulator.AllFaults() {
		if n := stats.Faults[f]; n > 0 {
			fmt.Fprintf(s.stdout, ", %d %s", n, f)
		}
	}
	fmt.Fprintf(s.stdout, "; %d at once, %d at once for one shipment; %d callbacks\n", stats.MostAtOnce, stats.MostAboutOne, stats.Callbacks)
}
