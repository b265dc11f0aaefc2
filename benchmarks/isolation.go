package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/storage"
	"github.com/landfallhq/tracking/webhook"
)

// isolated are the figures of 49 endpoints next to one that accepts nothing, by case and
// round: the time from the call that reports an event to the end of its first attempt.
type isolated struct {
	cases []*isolation
	of    map[string][]figures
	heap  map[string][]float64 // by which the heap has grown, bytes
	file  map[string]int64     // its size, bytes
}

// isolation is one case.
type isolation struct {
	name    string
	waiting int    // notifications for the endpoint that accepts nothing
	url     string // of that
	file    string
}

const (
	isolationNone = "nothing waits"
	isolationHang = "one hangs for the whole exchange"
	isolationDead = "one refuses connections"

	neighbours = 49
	// newsRate is the number of events per second for the other endpoints.
	newsRate = 2
	// deadURL has no listener.
	deadURL = "http://127.0.0.1:1/hook"
)

// measureIsolation measures events for 49 endpoints while a backlog waits for another. All
// webhooks are of one account.
func (r *run) measureIsolation(ctx context.Context) error {
	if !r.wanted("isolation") {
		return nil
	}
	endpoints, err := newEndpoints(ctx, r)
	if err != nil {
		return err
	}
	r.isolated = &isolated{of: map[string][]figures{}, heap: map[string][]float64{}, file: map[string]int64{}, cases: []*isolation{
		{name: isolationNone, url: deadURL},
		{name: isolationHang, url: endpoints.addr + "/hang", waiting: min(10_000, r.shipments)},
		{name: isolationDead, url: deadURL, waiting: min(100_000, 10*r.shipments)},
	}}
	for i, c := range r.isolated.cases {
		c.file = filepath.Join(r.dir, fmt.Sprintf("isolation-%d.db", i))
		r.say("isolation: making %d notifications", c.waiting)
		if err := endpoints.fill(ctx, c); err != nil {
			return fmt.Errorf("isolation: %w", err)
		}
	}
	for n := range r.rounds {
		r.round("isolation", n, len(r.isolated.cases), endpoints.length())
		var all []func() error
		for _, c := range r.isolated.cases {
			all = append(all, func() error { return endpoints.measure(ctx, c) })
		}
		if err := r.shuffled(all); err != nil {
			return fmt.Errorf("isolation: %w", err)
		}
	}
	return nil
}

// endpoints is the server of all endpoints.
type endpoints struct {
	*run
	addr string

	mu      sync.Mutex
	release chan struct{} // closed to release requests that hang
}

func newEndpoints(ctx context.Context, r *run) (*endpoints, error) {
	s := &endpoints{run: r, release: make(chan struct{})}
	addr, err := serveHTTP(ctx, s)
	s.addr = "http://" + addr
	return s, err
}

// ServeHTTP accepts everything at once, or starts a response that does not end.
func (s *endpoints) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	drain(r)
	if r.URL.Path != "/hang" {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	s.mu.Lock()
	release := s.release
	s.mu.Unlock()
	w.WriteHeader(http.StatusOK)
	_ = http.NewResponseController(w).Flush()
	select {
	case <-release:
	case <-r.Context().Done():
	}
}

// releaseAll ends the responses that hang; later ones hang again.
func (s *endpoints) releaseAll() {
	s.mu.Lock()
	defer s.mu.Unlock()
	close(s.release)
	s.release = make(chan struct{})
}

// length is how long one case is measured.
func (s *endpoints) length() time.Duration { return 10 * s.each }

// open opens the engine as the server does.
func (s *endpoints) open(ctx context.Context, file string, n tracking.Notifier) (operator, t *tracking.Tracker, err error) {
	store, err := storage.Open(file)
	if err != nil {
		return nil, nil, err
	}
	if operator, err = tracking.New(tracking.Config{Store: store, Logger: quiet, Notifier: n, MasterKey: drainKey}); err != nil {
		return nil, nil, errors.Join(err, store.Close())
	}
	if t, err = actor(ctx, operator); err != nil {
		return nil, nil, errors.Join(err, operator.Close())
	}
	return operator, t, nil
}

// fill makes the file of a case: first the backlog, then the other endpoints.
func (s *endpoints) fill(ctx context.Context, c *isolation) (err error) {
	operator, t, err := s.open(ctx, c.file, newTiming())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, operator.Close()) }()
	_, err = t.CreateWebhook(ctx, tracking.NewWebhook{URL: c.url, Events: []tracking.EventName{
		freight.VesselLoaded, freight.VesselDeparted, freight.VesselArrived, freight.VesselDischarged,
	}})
	if err != nil {
		return err
	}
	d := &backlog{run: s.run}
	for i := range (c.waiting + 4*drainContainers - 1) / (4 * drainContainers) {
		if err := d.reportVoyage(ctx, t, fmt.Sprint("W", i)); err != nil {
			return err
		}
	}
	for i := range neighbours {
		n := tracking.NewWebhook{URL: fmt.Sprint(s.addr, "/", i), Events: []tracking.EventName{freight.ContainerCreated}}
		if _, err := t.CreateWebhook(ctx, n); err != nil {
			return err
		}
	}
	_, c.waiting, err = t.WebhookNotifications(ctx, tracking.WebhookNotificationQuery{}, tracking.Page{Number: 1, Size: 1})
	return err
}

// measure reports events for the other endpoints for a while.
func (s *endpoints) measure(ctx context.Context, c *isolation) (err error) {
	file := filepath.Join(s.dir, "isolation.db")
	if err := copyFile(c.file, file); err != nil {
		return err
	}
	defer os.Remove(file)
	news := newTiming()
	operator, t, err := s.open(ctx, file, news)
	if err != nil {
		return err
	}
	running, stop := context.WithCancel(ctx)
	ended := make(chan error, 1)
	before := heap()
	go func() { ended <- operator.Run(running) }()
	defer func() {
		stop()
		s.releaseAll()
		err = errors.Join(err, <-ended, operator.Close())
	}()
	if err := s.pause(ctx, s.length()/10); err != nil { // the backlog comes first
		return err
	}
	m := &meter{}
	m.start()
	events := max(2, int(s.length().Seconds()*newsRate))
	beat := time.NewTicker(time.Second / newsRate)
	defer beat.Stop()
	for i := range events {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-beat.C:
		}
		if err := news.reportContainer(ctx, t, i); err != nil {
			return err
		}
	}
	if err := news.wait(ctx, events*neighbours); err != nil {
		return err
	}
	m.stop()
	grown := heap() - before
	runtime.KeepAlive(operator)
	f := m.figures(events * neighbours)
	half, nearly := percentiles(news.took)
	f.time(events*neighbours, s.length(), half, nearly)
	s.isolated.of[c.name] = append(s.isolated.of[c.name], f)
	s.isolated.heap[c.name] = append(s.isolated.heap[c.name], grown)
	s.isolated.file[c.name], err = size(file)
	return err
}

func (s *endpoints) pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// timing is a Notifier that records when the first attempts at the other endpoints end.
type timing struct {
	*webhook.Notifier
	mu         sync.Mutex
	reportedAt map[int]time.Time // by event
	took       []time.Duration
}

func newTiming() *timing {
	return &timing{Notifier: webhook.New(webhook.Config{AllowHTTP: true, AllowPrivate: true}), reportedAt: map[int]time.Time{}}
}

// eventNumber is in the payload of the events of reportContainer.
var eventNumber = regexp.MustCompile(`NEWS([0-9]+)"`)

func (n *timing) Send(ctx context.Context, d tracking.Dispatch) tracking.Outcome {
	o := n.Notifier.Send(ctx, d)
	now := time.Now()
	match := eventNumber.FindSubmatch(d.Body)
	if match == nil || o.Failure != "" {
		return o
	}
	event, err := strconv.Atoi(string(match[1]))
	n.mu.Lock()
	defer n.mu.Unlock()
	if begun := n.reportedAt[event]; err == nil && !begun.IsZero() {
		n.took = append(n.took, now.Sub(begun))
	}
	return o
}

// reportContainer reports a new container, which is an event for each of the other
// endpoints.
func (n *timing) reportContainer(ctx context.Context, t *tracking.Tracker, event int) error {
	now := time.Now()
	n.mu.Lock()
	n.reportedAt[event] = now
	n.mu.Unlock()
	at := now.UTC().Truncate(time.Second)
	number := fmt.Sprint("NEWS", event)
	_, err := t.Ingest(ctx, tracking.Report{Source: "benchmark", SCAC: "MAEU", Facts: []tracking.Fact{{
		ID: number, RecordedAt: at, Activity: freight.GateOut, Classifier: freight.Actual, At: tracking.Moment{Time: at}, LoadStatus: freight.Empty,
		Place: tracking.Place{LOCODE: "CNSHA"}, Containers: []string{fmt.Sprintf("TSTU%07d", event)},
		Numbers: []tracking.ShipmentNumber{{Type: tracking.BillOfLading, Number: number}},
	}}})
	return err
}

// wait waits until so many attempts at the other endpoints have ended.
func (n *timing) wait(ctx context.Context, want int) error {
	for end := time.Now().Add(time.Minute); ; {
		n.mu.Lock()
		got := len(n.took)
		n.mu.Unlock()
		switch {
		case got >= want:
			return nil
		case time.Now().After(end):
			return fmt.Errorf("%d of %d deliveries to neighbours", got, want)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// isolation writes the table of the other endpoints.
func (r *results) isolation(b *strings.Builder) {
	if r.isolated == nil {
		return
	}
	t := table{head: []string{fmt.Sprintf("%d endpoints beside one", neighbours), "waiting for it", "p50 us", "p99 us", "CPU us", "heap grown, KB", "file"}}
	for _, c := range r.isolated.cases {
		f := medians(r.isolated.of[c.name])
		t.add(c.name, strconv.Itoa(c.waiting), f.text(p50), f.text(p99), f.text(cpu), signed(median(r.isolated.heap[c.name])/1024), megabytes(r.isolated.file[c.name]))
	}
	none := r.isolated.of[isolationNone]
	for _, name := range []string{isolationHang, isolationDead} {
		mid, least, most := ratio(r.isolated.of[name], none, func(f figures) float64 { return f[p99] })
		t.add("", name+" / "+isolationNone, "", fmt.Sprintf("**%s** (%s to %s)", times(mid), times(least), times(most)))
	}
	t.write(b)
	fmt.Fprintf(b, "\nFrom the call that tells of an event to the end of the first attempt; %d events a second, each for %d webhooks of the account that has the backlog. The heap is that in use after a collection, at the end beside the beginning.\n", newsRate, neighbours)
}
