// Package trackingtest sets up a Tracker for tests: on the memory store, with a
// clock that moves only by hand and a scripted source. Nothing sleeps and nothing
// needs the network.
package trackingtest

import (
	"bytes"
	"context"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/landfallhq/tracking"
	memoryblobs "github.com/landfallhq/tracking/blob/memory"
	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/storage/memory"
)

// Start is the time at which every Clock begins.
var Start = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)

// Clock is a tracking.Clock that is moved by hand. The zero Clock is at the zero
// time; NewClock returns one at Start.
type Clock struct {
	mu  sync.Mutex
	now time.Time
}

// NewClock returns a clock at Start.
func NewClock() *Clock { return &Clock{now: Start} }

// Now returns the time of the clock.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Advance moves the clock; a negative duration moves it back.
func (c *Clock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// Set sets the clock.
func (c *Clock) Set(at time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = at
}

// Reply is an answer of a Source: facts or an error.
type Reply struct {
	Facts []tracking.Fact
	// Err is returned instead of the facts.
	Err error
	// Next is Answer.Next.
	Next time.Duration
}

// Source is a tracking.Source that answers from a script.
type Source struct {
	mu      sync.Mutex
	replies map[string][]Reply
	asked   []tracking.SourceQuery
}

// Script sets the replies for a number, in order; the last one is repeated.
func (s *Source) Script(number string, replies ...Reply) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.replies == nil {
		s.replies = map[string][]Reply{}
	}
	s.replies[number] = replies
}

// Asked returns the queries so far.
func (s *Source) Asked() []tracking.SourceQuery {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]tracking.SourceQuery(nil), s.asked...)
}

// Track returns the next reply of the script; a number without a script is not
// found.
func (s *Source) Track(_ context.Context, q tracking.SourceQuery) (tracking.Answer, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = append(s.asked, q)
	replies := s.replies[q.Number]
	if len(replies) == 0 {
		return tracking.Answer{}, &tracking.SourceError{Reason: freight.NumberNotFound}
	}
	reply := replies[0]
	if len(replies) > 1 {
		s.replies[q.Number] = replies[1:]
	}
	if reply.Err != nil {
		return tracking.Answer{}, reply.Err
	}
	report := tracking.Report{Source: "scripted", SCAC: q.SCAC, Facts: reply.Facts}
	return tracking.Answer{Report: report, Next: reply.Next}, nil
}

// Bench is a Tracker with everything that a test controls.
type Bench struct {
	// Tracker acts for the account "test" with all permissions.
	*tracking.Tracker
	// Operator is the Tracker as returned by tracking.New: it creates accounts and
	// keys.
	Operator *tracking.Tracker
	// Account is the account "test".
	Account *tracking.Account
	// Clock is at Start.
	Clock *Clock
	// Source answers for the line of SCAC.
	Source *Source
	// Notifier records what is sent to webhooks.
	Notifier *Notifier
	// Mailer records the e-mails to users.
	Mailer *Notifier
	Store  tracking.Store
	// Blobs stores document files, and DocumentReader reads them.
	Blobs          *memoryblobs.Blobs
	DocumentReader *DocumentReader

	tb testing.TB

	mu            sync.Mutex
	announcements []tracking.Announcement
	listeners     []*Listener
}

// SCAC is the shipping line of the Bench's source: Maersk, of the reference tables.
const SCAC = "MAEU"

// Option changes the Config of New.
type Option func(*tracking.Config)

// New returns a Bench on a new memory store. It is closed when the test ends.
func New(tb testing.TB, options ...Option) *Bench {
	tb.Helper()
	b := &Bench{Clock: NewClock(), Source: &Source{}, Notifier: &Notifier{}, Mailer: &Notifier{}, DocumentReader: &DocumentReader{}, tb: tb}
	b.Blobs = &memoryblobs.Blobs{Now: b.Clock.Now}
	config := tracking.Config{
		Store: memory.New(), Clock: b.Clock, Sources: tracking.Sources{SCAC: b.Source},
		Logger: slog.New(slog.DiscardHandler), Rand: func() float64 { return 0 }, Workers: 1,
		Blobs: b.Blobs, Extractor: b.DocumentReader, Classifier: b.DocumentReader,
		OnAnnounce: b.announce, Notifier: b.Notifier, Mailer: b.Mailer, MasterKey: bytes.Repeat([]byte("test"), 8),
	}
	for _, o := range options {
		o(&config)
	}
	b.Store = config.Store
	operator, err := tracking.New(config)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { operator.Close() })
	account, _, err := operator.EnsureAccount(context.Background(), "test")
	if err != nil {
		tb.Fatal(err)
	}
	b.Operator, b.Account = operator, account
	b.Tracker = operator.For(tracking.Actor{Account: account.Scope()})
	return b
}

// Settle runs the background work that is due now, until none is left.
func (b *Bench) Settle() {
	b.tb.Helper()
	for range 1000 {
		next, err := b.Operator.RunOnce(context.Background())
		if err != nil {
			b.tb.Fatal(err)
		}
		if next.IsZero() || next.After(b.Clock.Now()) {
			return
		}
	}
	b.tb.Fatal("trackingtest: background work does not settle: something is always due")
}

// Pass moves the clock and runs the background work that falls due, each job at its
// time.
func (b *Bench) Pass(d time.Duration) {
	b.tb.Helper()
	end := b.Clock.Now().Add(d)
	for {
		b.Settle()
		next, err := b.Operator.RunOnce(context.Background())
		if err != nil {
			b.tb.Fatal(err)
		}
		if next.IsZero() || next.After(end) {
			break
		}
		b.Clock.Set(next)
	}
	b.Clock.Set(end)
	b.Settle()
}

// announce records announcements.
func (b *Bench) announce(ctx context.Context, list []tracking.Announcement) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.announcements = append(b.announcements, list...)
	for _, l := range b.listeners {
		for _, a := range list {
			l.receive(ctx, a)
		}
	}
}

// Announcements returns all announcements since New, in order.
func (b *Bench) Announcements() []tracking.Announcement {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]tracking.Announcement(nil), b.announcements...)
}

// Announced returns the announced milestones, in order.
func (b *Bench) Announced() []*tracking.TransportEvent {
	b.tb.Helper()
	events, _, err := b.TransportEvents(context.Background(), tracking.TransportEventQuery{Announced: true}, tracking.Page{})
	if err != nil {
		b.tb.Fatal(err)
	}
	return events
}
