package simulator

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/landfallhq/tracking"
)

// SCAC is the code of the carrier: the one that the engine reserves for invented
// lines.
const SCAC = tracking.SandboxSCAC

// Config configures the simulated carrier. The zero Config has one shipment of each
// voyage, needs no credentials and never fails.
type Config struct {
	// Shipments is the number of shipments, at most MaxShipments. Defaults to one
	// of each voyage.
	Shipments int
	// Seed decides which calls fail.
	Seed uint64
	// Clock is the carrier's. Defaults to the system's; see Lapse.
	Clock tracking.Clock
	// Start is when the first shipment begins, by the Clock. Defaults to its time
	// at New. Every is the interval between the starts of shipments; defaults to 0.
	Start time.Time
	Every time.Duration
	// PageSize is the maximum number of events of a page. Defaults to 100.
	PageSize int
	// Faults are the simulated faults. Defaults to none.
	Faults Faults

	// OAuth, if it has a ClientID, requires a token for every call.
	OAuth OAuth
	// APIKey, if it has a Header, requires that key for every call.
	APIKey APIKey
	// Client sends the callbacks. Defaults to one that waits 10 seconds and follows
	// no redirects.
	Client *http.Client
}

func (c Config) withDefaults() Config {
	c.Shipments = cmp.Or(c.Shipments, len(scripts()))
	if c.Clock == nil {
		c.Clock = systemClock{}
	}
	if c.Start.IsZero() {
		c.Start = c.Clock.Now()
	}
	// Whole seconds, as in the documents.
	c.Start = c.Start.UTC().Truncate(time.Second)
	c.PageSize = cmp.Or(c.PageSize, 100)
	c.Faults = c.Faults.withDefaults()
	if c.Client == nil {
		c.Client = callbackClient()
	}
	return c
}

// MaxShipments is the maximum of Config.Shipments.
const MaxShipments = 100_000

func (c Config) validate() error {
	switch {
	case c.Shipments < 1 || c.Shipments > MaxShipments:
		return fmt.Errorf("simulator: Config.Shipments must be from 1 to %d", MaxShipments)
	case c.Every < 0:
		return errors.New("simulator: Config.Every must not be negative")
	case c.PageSize < 1:
		return errors.New("simulator: Config.PageSize must be at least 1")
	case (c.OAuth.ClientID == "") != (c.OAuth.ClientSecret == ""):
		return errors.New("simulator: Config.OAuth needs a ClientID and a ClientSecret")
	case (c.APIKey.Header == "") != (c.APIKey.Value == ""):
		return errors.New("simulator: Config.APIKey needs a Header and a Value")
	}
	return c.Faults.validate()
}

// Carrier is the simulated carrier, an http.Handler. It is safe for concurrent use.
type Carrier struct {
	config    Config
	routes    *http.ServeMux
	shipments []*shipment
	byNumber  map[string][]*shipment // by booking, transport document and container
	dice      randomSource
	flights   activeCalls
	tokens    tokens
	counts    counters
	pushing   sync.Mutex // one Push at a time

	mu            sync.Mutex
	subscriptions []*subscription // in order of creation
}

// New returns a carrier, or an error for an invalid Config.
func New(config Config) (*Carrier, error) {
	config = config.withDefaults()
	if err := config.validate(); err != nil {
		return nil, err
	}
	c := &Carrier{config: config, byNumber: map[string][]*shipment{}, dice: randomSource{seed: config.Seed}}
	for n := range config.Shipments {
		s := newShipment(n, config.Start.Add(time.Duration(n)*config.Every))
		c.shipments = append(c.shipments, s)
		for _, number := range append([]string{s.Booking, s.TransportDocument}, s.Containers...) {
			c.byNumber[number] = append(c.byNumber[number], s)
		}
	}
	c.flights.counts = &c.counts
	c.routes = c.newRoutes()
	return c, nil
}

// Shipments returns all shipments, in the order of their starts.
func (c *Carrier) Shipments() []Shipment {
	list := make([]Shipment, len(c.shipments))
	for i, s := range c.shipments {
		list[i] = s.Shipment
		list[i].Containers = slices.Clone(s.Containers)
	}
	return list
}

// Ends returns when the last event of the last shipment is known, by the Clock.
func (c *Carrier) Ends() time.Time {
	var end time.Time
	for _, s := range c.shipments {
		if last := s.created(s.script.events[len(s.script.events)-1]); last.After(end) {
			end = last
		}
	}
	return end
}

// ServeHTTP answers one call.
func (c *Carrier) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("API-Version", apiVersion)
	c.routes.ServeHTTP(w, r)
}

// apiVersion is the version of the API.
const apiVersion = "2.2.0"

func (c *Carrier) newRoutes() *http.ServeMux {
	mux := http.NewServeMux()
	open := func(pattern string, h http.HandlerFunc) {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			if c.authorize(w, r) {
				h(w, r)
			}
		})
	}
	open("GET /v2/events", c.getEvents)
	open("GET /v2/events/{id}", c.getEvent)
	open("GET /v2/event-subscriptions", c.listSubscriptions)
	open("POST /v2/event-subscriptions", c.createSubscription)
	open("GET /v2/event-subscriptions/{id}", c.getSubscription)
	open("PUT /v2/event-subscriptions/{id}", c.updateSubscription)
	open("DELETE /v2/event-subscriptions/{id}", c.deleteSubscription)
	open("PUT /v2/event-subscriptions/{id}/secret", c.resetSecret)
	if c.config.OAuth.ClientID != "" {
		mux.HandleFunc("POST /oauth2/token", c.issueToken)
	}
	return mux
}

type systemClock struct{}

func (systemClock) Now() time.Time { return time.Now() }

// Lapse is a clock that starts in the past and runs fast until it reaches the
// present; from then on it is the current time. With it, a carrier can play weeks
// in minutes without events in the future.
type Lapse struct {
	began time.Time
	span  time.Duration
	speed float64
}

// NewLapse returns a clock that starts span before now and runs at `speed` times
// real time, at least once.
func NewLapse(span time.Duration, speed float64) *Lapse {
	return &Lapse{began: time.Now(), span: max(span, 0), speed: max(speed, 1)}
}

// Now returns the time of the clock, UTC.
func (l *Lapse) Now() time.Time { return l.at(time.Now()) }

func (l *Lapse) at(now time.Time) time.Time {
	gone := now.Sub(l.began)
	ahead := time.Duration(float64(gone) * (l.speed - 1)) // compared with a clock at normal speed
	return now.Add(min(ahead-l.span, 0)).UTC()
}
