package dcsa

import (
	"maps"
	"sync"
	"sync/atomic"

	"github.com/landfallhq/tracking"
)

// Stats counts what a Client has done since it was made.
type Stats struct {
	// Questions were put to the client; Answers of them brought facts, the others
	// are among Failures.
	Questions, Answers int64
	// Requests were sent to the carrier, those included that were repeated or
	// sent again with another token; not those for tokens. The carrier may count a
	// few more: net/http by itself sends a request again when a connection that
	// was kept open turns out to be gone.
	Requests int64
	// Pages were read whole.
	Pages int64
	// Repeats are requests sent again within a question.
	Repeats int64
	// Throttled are responses 429.
	Throttled int64
	// Timeouts are requests without an answer in time.
	Timeouts int64
	// HeldBack are requests that were not sent, because the carrier had asked to
	// be left alone or the pace did not allow them in time.
	HeldBack int64
	// Tokens were fetched.
	Tokens int64
	// Failures are the questions without an answer, by reason.
	Failures map[tracking.FailedReason]int64
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
	failures map[tracking.FailedReason]int64
}

func (s *counters) failed(reason tracking.FailedReason) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failures == nil {
		s.failures = map[tracking.FailedReason]int64{}
	}
	s.failures[reason]++
}
