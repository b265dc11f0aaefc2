package dcsa

import (
	"maps"
	"sync"
	"sync/atomic"

	"github.com/landfallhq/tracking/freight"
)

// Stats counts what a Client has done since it was created.
type Stats struct {
	// Questions is the number of queries; Answers of them returned facts, the
	// others are in Failures.
	Questions, Answers int64
	// Requests were sent to the carrier, including repeats and those with a new
	// token, but not those for tokens. The carrier may count a few more: net/http
	// itself repeats a request when an idle connection turns out to be closed.
	Requests int64
	// Pages were read completely.
	Pages int64
	// Repeats are repeated requests within a query.
	Repeats int64
	// Throttled are responses 429.
	Throttled int64
	// Timeouts are requests that were not answered in time.
	Timeouts int64
	// HeldBack are requests that were not sent, because of a pause or the rate
	// limit.
	HeldBack int64
	// Tokens were fetched.
	Tokens int64
	// Failures are the failed queries, by reason.
	Failures map[freight.FailedReason]int64
}

// Stats returns the counts so far.
func (c *Client) Stats() Stats {
	s := &c.stats
	s.mu.Lock()
	defer s.mu.Unlock()
	return Stats{
		Questions: s.questions.Load(), Answers: s.answers.Load(), Requests: s.requests.Load(), Pages: s.pages.Load(),
		Repeats: s.repeats.Load(), Throttled: s.throttled.Load(), Timeouts: s.timeouts.Load(), HeldBack: s.heldBack.Load(),
		Tokens: s.tokens.Load(), Failures: maps.Clone(s.failures),
	}
}

type counters struct {
	questions, answers, requests, pages, repeats, throttled, timeouts, heldBack, tokens atomic.Int64

	mu       sync.Mutex
	failures map[freight.FailedReason]int64
}

func (s *counters) failed(reason freight.FailedReason) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failures == nil {
		s.failures = map[freight.FailedReason]int64{}
	}
	s.failures[reason]++
}
