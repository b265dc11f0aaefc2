package sandbox

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/landfallhq/tracking/freight"
)

// SCAC is the code of the invented line.
const SCAC = "TEST"

// Config is the speed of the sandbox.
type Config struct {
	// Length is the real time that one voyage takes. Defaults to 5 minutes. Below
	// 10 seconds, several facts can be recorded in the same second.
	Length time.Duration
	// RefreshEvery is Answer.Next until the voyage is over. Defaults to 5 seconds.
	RefreshEvery time.Duration
}

// Source is the source of the line. It is safe for concurrent use.
type Source struct {
	length  time.Duration
	refresh time.Duration
}

var _ freight.Source = (*Source)(nil)

// New returns a source.
func New(cfg Config) *Source {
	s := &Source{length: cfg.Length, refresh: cfg.RefreshEvery}
	if s.length <= 0 {
		s.length = 5 * time.Minute
	}
	if s.refresh <= 0 {
		s.refresh = 5 * time.Second
	}
	return s
}

const (
	requestPrefix = "TEST-TR-"
	voyagePrefix  = "TEST-VOYAGE-"
)

// request is a number with a scripted outcome of the tracking request.
type request struct {
	name   string
	reason freight.FailedReason // failure; empty for none
	polls  int                  // number of failing polls; negative for all
}

var requests = [...]request{
	{name: "SUCCEEDED"},
	{name: "FAILED", reason: freight.InvalidNumber, polls: -1},
	{name: "AWAITING", reason: freight.NumberNotFound, polls: 3},
	{name: "RETRY", reason: freight.LineUnreachable, polls: 2},
	{name: "EXHAUSTED", reason: freight.LineUnreachable, polls: -1},
	{name: "INVALID", reason: freight.InvalidNumber, polls: -1},
	{name: "CANCELLED", reason: freight.BookingCancelled, polls: -1},
	{name: "PRIVATE", reason: freight.DataUnavailable, polls: -1},
	{name: "DUPLICATE", reason: freight.DuplicateRequest, polls: -1},
}

// Numbers returns all scripted numbers, voyages without a suffix.
func (s *Source) Numbers() []string {
	numbers := make([]string, 0, len(requests)+len(voyages))
	for _, r := range requests {
		numbers = append(numbers, requestPrefix+r.name)
	}
	for _, v := range voyages {
		numbers = append(numbers, voyagePrefix+v.name)
	}
	return numbers
}

// fleetHeadStarts is the number of head starts in a fleet: none above 60 per cent,
// so that every shipment has a good part of its voyage left.
const fleetHeadStarts = 61

// Fleet returns n different voyages in all phases for a demonstration, at most 427.
// It is the same for every source; a longer fleet begins with a shorter one.
func (s *Source) Fleet(n int) []string {
	n = min(n, fleetHeadStarts*endingVoyages)
	numbers := make([]string, 0, max(n, 0))
	for i := range n {
		// 61 has no common divisor with 7 and 23: no pair repeats before all have
		// been used, and neighbours differ much.
		head := i * 23 % fleetHeadStarts
		numbers = append(numbers, voyagePrefix+voyages[i%endingVoyages].name+"-"+twoDigits(head))
	}
	return numbers
}

func twoDigits(n int) string { return strconv.Itoa(n/10) + strconv.Itoa(n%10) }

// Track returns what is known about a number at q.Now. With a temporary error it
// also returns Answer.Next, for engines that do not want to wait as long as for a
// real line.
func (s *Source) Track(ctx context.Context, q freight.SourceQuery) (freight.Answer, error) {
	if err := ctx.Err(); err != nil {
		return freight.Answer{}, err
	}
	number := strings.ToUpper(strings.TrimSpace(q.Number))
	if name, ok := strings.CutPrefix(number, requestPrefix); ok {
		for i, r := range requests {
			if r.name == name {
				return s.request(q, number, i)
			}
		}
	}
	if name, ok := strings.CutPrefix(number, voyagePrefix); ok {
		if kind, suffix, ok := parseVoyage(name); ok {
			return s.voyage(q, number, kind, suffix), nil
		}
	}
	return freight.Answer{}, failure(freight.NumberNotFound, "no such number in the sandbox")
}

func failure(reason freight.FailedReason, text string) error {
	return &freight.SourceError{Reason: reason, Err: errors.New("sandbox: " + text)}
}

// parseVoyage parses the part after TEST-VOYAGE-. The suffix is -1 for none.
func parseVoyage(name string) (kind, suffix int, ok bool) {
	for i, v := range voyages {
		rest, found := strings.CutPrefix(name, v.name)
		switch {
		case !found:
		case rest == "":
			return i, -1, true
		case len(rest) == 3 && rest[0] == '-' && digit(rest[1]) && digit(rest[2]):
			return i, int(rest[1]-'0')*10 + int(rest[2]-'0'), true
		}
	}
	return 0, 0, false
}

func digit(c byte) bool { return '0' <= c && c <= '9' }

// request answers for requests[i].
func (s *Source) request(q freight.SourceQuery, number string, i int) (freight.Answer, error) {
	r := requests[i]
	if r.polls < 0 || q.Poll < r.polls {
		var answer freight.Answer
		if r.reason == freight.NumberNotFound || r.reason == freight.LineUnreachable {
			answer.Next = s.refresh
		}
		return answer, failure(r.reason, "scripted")
	}
	id := newIdentity(number, q.Type, endingVoyages+i, -1, 1)
	p := newScript(id, directRoutes[0])
	p.addBooking()
	p.after(0, 24)
	return s.answer(q, p, 0), nil
}

// voyage answers for the voyage of a kind.
func (s *Source) voyage(q freight.SourceQuery, number string, kind, suffix int) freight.Answer {
	v := voyages[kind]
	id := newIdentity(number, q.Type, ordinalOf(kind), suffix, v.containers)
	p := newScript(id, v.lanes[pick(number+" lane", len(v.lanes))])
	v.play(p)
	return s.answer(q, p, max(suffix, 0)*(fullProgress/100))
}

// ordinalOf numbers the kinds of shipments: the voyages that end, the requests, the other
// voyages.
func ordinalOf(voyage int) int {
	if voyage < endingVoyages {
		return voyage
	}
	return len(requests) + voyage
}

func (s *Source) answer(q freight.SourceQuery, p *script, head int) freight.Answer {
	facts, more := p.factsAt(clock{
		now:    q.Now.UTC(),
		since:  q.Since.UTC(),
		length: s.length,
		head:   head,
	})
	answer := freight.Answer{Report: freight.Report{
		Source:     "sandbox",
		DataSource: freight.FromShippingLine,
		SCAC:       SCAC,
		Facts:      facts,
	}}
	if more {
		answer.Next = s.refresh
	}
	return answer
}
