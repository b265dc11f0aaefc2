package tracking

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/landfallhq/tracking/internal/factlog"
	"github.com/landfallhq/tracking/internal/schedule"
	"github.com/landfallhq/tracking/internal/table"

	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/store"
)

// RefreshIntervals is how often a source is queried for a shipment, by the position
// of its containers; the container with the shortest interval decides. Answer.Next
// takes precedence. 0 means the default, which is a multiple of
// Config.RefreshEvery; the least is one second.
type RefreshIntervals struct {
	// Far: the arrival, or the departure from the POL, is expected in more than
	// three days. Defaults to 2 x RefreshEvery (12 hours).
	Far time.Duration
	// Near: it arrives within three days, or is up to a week late. Defaults to
	// RefreshEvery/3 (2 hours).
	Near time.Duration
	// AtTerminal: it has arrived where it is picked up, up to two weeks ago.
	// Defaults to RefreshEvery/6 (1 hour).
	AtTerminal time.Duration
	// Out: it was picked up, and its empty return is expected. Defaults to 4 x
	// RefreshEvery (24 hours).
	Out time.Duration
	// Jitter is the maximum random share by which an interval is extended, so that
	// shipments created together are spread out; at most 1. 0 means 0.1, less than
	// 0 none.
	Jitter float64
}

func (r RefreshIntervals) withDefaults(every time.Duration) RefreshIntervals {
	return RefreshIntervals(schedule.Intervals(r).WithDefaults(every))
}

func (r RefreshIntervals) validate() error {
	if err := schedule.Intervals(r).Validate(); err != nil {
		return fmt.Errorf("tracking: Config.Refresh.%w", err)
	}
	return nil
}

// refreshInterval is the interval at which a shipment's source is queried, without
// jitter.
func (c *Config) refreshInterval(s *Shipment, containers []*Container, now time.Time) time.Duration {
	return progressOf(s, containers).RefreshInterval(schedule.Intervals(c.Refresh), c.RefreshEvery, now)
}

func (t *Tracker) jittered(d time.Duration) time.Duration {
	return schedule.Intervals(t.config.Refresh).Jittered(d, t.config.Rand())
}

// RefreshContainer queries the sources of the container's shipment now, in the
// background, and returns which are queried ("Shipping line"). A query that runs or
// is due is not repeated; if the carrier has asked to wait, the query runs after
// that time. Needs update.
//
// Errors: NotFound; Invalid if tracking is stopped or no source is configured for
// the line.
func (t *Tracker) RefreshContainer(ctx context.Context, id ID) (started []string, err error) {
	if err := t.allow(Update); err != nil {
		return nil, err
	}
	err = t.change(ctx, "container.refresh", t.actor.Account, func(tx *transaction) error {
		c, err := containers.Get(tx, id)
		if err != nil {
			return err
		}
		s, err := shipments.Get(tx, c.Shipment)
		if err != nil {
			return err
		}
		if s.stopped() {
			return &Error{Kind: Invalid, Code: "tracking_stopped", Detail: "Tracking of this shipment has stopped; resume it first"}
		}
		if t.config.Sources[s.ShippingLineSCAC] == nil {
			return &Error{Kind: Invalid, Code: "no_source", Detail: "No source is configured for the shipping line of this container"}
		}
		tx.audit.note(id)
		return scheduleRefresh(tx, s, tx.Now)
	})
	if err != nil {
		return nil, err
	}
	return []string{"Shipping line"}, nil
}

// querySource queries a source and checks the report. A malformed fact makes the
// answer an unrecognized response.
func (t *Tracker) querySource(ctx context.Context, s Source, q SourceQuery) (Answer, error) {
	answer, err := t.querySourceUnchecked(ctx, s, q)
	if err == nil {
		err = checkReport(answer.Report)
	}
	return answer, err
}

// querySourceUnchecked queries a source, with a timeout. A source that panics gives
// a processing error.
func (t *Tracker) querySourceUnchecked(ctx context.Context, s Source, q SourceQuery) (answer Answer, err error) {
	ctx, cancel := context.WithTimeout(ctx, t.config.SourceTimeout)
	defer cancel()
	defer func() {
		if p := recover(); p != nil {
			err = &SourceError{Reason: freight.ProcessingError, Err: fmt.Errorf("source panicked: %v", p)}
		}
	}()
	return s.Track(ctx, q)
}

// pollShipment queries a shipment's source again.
func (t *Tracker) pollShipment(ctx context.Context, j store.Job) error {
	s, err := viewing(ctx, t.engine, j.Account, withID(shipments, j.Ref))
	if err != nil {
		return err
	}
	source := t.config.Sources[s.ShippingLineSCAC]
	if s.stopped() || source == nil {
		return t.update(ctx, j.Account, func(tx *transaction) error { return t.skipRefresh(tx, j) })
	}
	began := time.Now()
	answer, err := t.querySourceUnchecked(ctx, source, SourceQuery{
		Number: s.followedNumber().Number, Normalized: s.NormalizedNumber, Type: s.NumberType, SCAC: s.ShippingLineSCAC, Now: t.now(), Since: s.Since, Poll: s.Polls,
	})
	took := time.Since(began)
	if err == nil {
		err = t.ingestPoll(ctx, j, s, answer)
	}
	t.config.Observer.sourceAnswered(s.ShippingLineSCAC, took, err)
	if err == nil || errors.Is(err, store.ErrLeaseLost) {
		return err
	}
	t.log.Warn("refresh brought nothing", "shipment", s.ID, "scac", s.ShippingLineSCAC, "error", err)
	return t.refreshFailed(ctx, j, err, answer.Next)
}

// skipRefresh ends a refresh of a shipment that is stopped, or for whose line this
// process has no source; another process may have one. If the shipment was resumed
// in the meantime, the refresh is scheduled again.
func (t *Tracker) skipRefresh(tx *transaction, j store.Job) error {
	if err := tx.Records.Finish(tx, j); err != nil {
		return err
	}
	s, err := shipments.Get(tx, j.Ref)
	if err != nil || s.stopped() {
		return err
	}
	at := tx.Now
	if t.config.Sources[s.ShippingLineSCAC] == nil {
		at = at.Add(t.config.RefreshEvery)
	}
	return scheduleRefresh(tx, s, at)
}

// ingestPoll stores the answer of a shipment's source.
func (t *Tracker) ingestPoll(ctx context.Context, j store.Job, s *Shipment, answer Answer) error {
	sum := factlog.Sum(answer.Report)
	if done, err := t.nothingNew(ctx, j, s, sum, answer.Next); done || err != nil {
		return err
	}
	if err := checkReport(answer.Report); err != nil {
		return err
	}
	return t.ingestAnswer(ctx, j, answer, ingestOptions{
		tracked:      s.following(),
		silentBefore: historyUntil(s),
		updateTracked: func(tx *transaction, s *Shipment, containers []*Container) error {
			return t.refreshed(tx, j, s, containers, sum, answer.Next)
		},
	})
}

// ingestAnswer stores the answer of a source. Its error is a SourceError or
// store.ErrLeaseLost.
func (t *Tracker) ingestAnswer(ctx context.Context, j store.Job, a Answer, how ingestOptions) error {
	how.isAnswer = true
	receipt, err := t.ingest(ctx, j.Account, a.Report, how)
	for _, w := range receipt.Warnings {
		if w.Code == warnAnotherShipment {
			t.log.Warn("an answer is partly about other shipments", "number", how.tracked.Number, "scac", how.tracked.SCAC, "detail", w.Detail)
		}
	}
	var said *SourceError
	var refused *Error
	switch {
	case err == nil, errors.Is(err, store.ErrLeaseLost), errors.As(err, &said):
		return err
	case errors.As(err, &refused) && refused.Kind == BadDocument:
		return &SourceError{Reason: freight.UnrecognizedResponse, Err: err}
	}
	return &SourceError{Reason: freight.ProcessingError, Err: err}
}

// nothingNew handles an answer that equals the last one, by its sum, if no other
// facts and no new rules have come since. Only the attempt is recorded. Most
// answers are of this sort.
func (t *Tracker) nothingNew(ctx context.Context, j store.Job, s *Shipment, sum int64, next time.Duration) (done bool, err error) {
	same := func(s *Shipment) bool {
		return s.AnswerSum == sum^s.FactSum && !s.outdated() && !s.stopped() && s.ResumedAt.Before(s.LineTrackingLastSucceeded)
	}
	if !same(s) {
		return false, nil
	}
	err = t.update(ctx, j.Account, func(tx *transaction) error {
		current, err := rereadWithContainers(tx, s)
		if err != nil {
			return err
		}
		if done = same(current.Shipment); !done {
			return nil
		}
		if err := t.refreshed(tx, j, current.Shipment, current.containers, sum, next); err != nil {
			return err
		}
		return current.put(tx)
	})
	return done, err
}

// historyUntil is the time before which the milestones of a source's first answer
// are history; zero if it has answered before.
func historyUntil(s *Shipment) time.Time {
	if s.LineTrackingLastSucceeded.IsZero() {
		return s.Since
	}
	return time.Time{}
}

// refreshed records a successful query and schedules the next; the caller writes
// the shipment. sum is that of the answer, and next its Next.
func (t *Tracker) refreshed(tx *transaction, j store.Job, s *Shipment, containers []*Container, sum int64, next time.Duration) error {
	s.Polls++
	s.LineTrackingLastAttempted, s.LineTrackingLastSucceeded = tx.Now, tx.Now
	s.LineTrackingFailedReason, s.LineTrackingFault, s.Failures, s.LeaveAloneUntil = "", "", 0, time.Time{}
	s.AnswerSum = sum ^ s.FactSum
	return scheduleNextRefresh(tx, j, s, tx.Now.Add(t.untilNext(next, s, containers)))
}

func (t *Tracker) untilNext(next time.Duration, s *Shipment, containers []*Container) time.Duration {
	if next > 0 {
		return max(next, time.Second)
	}
	return t.jittered(t.config.refreshInterval(s, containers, t.now()))
}

// refreshFailed records a failed query with its cause, and schedules the next. next
// is the interval that the source has asked for; 0 for none.
func (t *Tracker) refreshFailed(ctx context.Context, j store.Job, cause error, next time.Duration) error {
	return t.update(ctx, j.Account, func(tx *transaction) error {
		s, err := readWithContainers(tx, j.Ref)
		if err != nil {
			return err
		}
		s.Polls++
		s.LineTrackingLastAttempted = tx.Now
		s.LineTrackingFailedReason, s.LineTrackingFault = reasonOf(cause), oneLine(cause)
		s.Failures++
		if wait := retryAfter(cause); wait > 0 {
			s.LeaveAloneUntil = tx.Now.Add(wait)
		}
		// If no container has sailed, the cancelled booking is this one and not another of
		// the same number.
		if s.LineTrackingFailedReason == freight.BookingCancelled && progressOf(s.Shipment, s.containers).NeverSailed() {
			if err := stop(tx, s.Shipment, StoppedBookingCancelled, ID{}); err != nil {
				return err
			}
		}
		if err := scheduleNextRefresh(tx, j, s.Shipment, tx.Now.Add(t.untilRetry(s.Shipment, s.containers, tx.Now, next))); err != nil {
			return err
		}
		return s.put(tx)
	})
}

// untilRetry is the wait after a failure. Temporary failures are retried soon, then
// less and less often; after others the next query is at the usual interval.
func (t *Tracker) untilRetry(s *Shipment, containers []*Container, now time.Time, next time.Duration) time.Duration {
	interval := t.config.refreshInterval(s, containers, now)
	switch s.LineTrackingFailedReason {
	case freight.LineUnreachable, freight.UnrecognizedResponse, freight.ProcessingError:
		return t.jittered(schedule.BackOff(s.Failures, interval))
	}
	if next > 0 {
		return max(next, time.Second)
	}
	return t.jittered(interval)
}

// retryAfter is how long the carrier has asked to wait, bounded.
func retryAfter(cause error) time.Duration {
	var said *SourceError
	if !errors.As(cause, &said) {
		return 0
	}
	return min(max(0, said.RetryAfter), maxRetryAfter)
}

// maxRetryAfter bounds the wait that a carrier may ask for.
const maxRetryAfter = 24 * time.Hour

// maxFault bounds the stored text of a cause, in bytes.
const maxFault = 300

// oneLine is the text of a cause as it is stored: bounded and without line breaks.
func oneLine(err error) string {
	text := strings.Join(strings.Fields(strings.ToValidUTF8(err.Error(), "?")), " ")
	if len(text) > maxFault {
		text = strings.ToValidUTF8(text[:maxFault], "") + " ..."
	}
	return text
}

// scheduleRefresh enqueues a query of the shipment's source by that time. An earlier
// job stays, and one that runs is not enqueued again: a shipment never has two queries
// at one time. The process that runs the job decides whether there is a source: this
// one may be an import.
func scheduleRefresh(tx *transaction, s *Shipment, at time.Time) error {
	if s.ShippingLineSCAC == "" {
		return nil
	}
	return tx.enqueueBy(refreshJob(s, at))
}

func refreshJob(s *Shipment, at time.Time) store.Job {
	return store.Job{ID: table.NamedID("job/refresh", s.ID.String()), Kind: jobRefresh, Group: s.ShippingLineSCAC, Ref: s.ID, Due: schedule.Latest(at, s.LeaveAloneUntil)}
}

// scheduleNextRefresh finishes the job and, if the shipment is tracked, enqueues the next
// query by that time. As a rule it postpones the same job.
func scheduleNextRefresh(tx *transaction, j store.Job, s *Shipment, at time.Time) error {
	next := refreshJob(s, at)
	if !s.stopped() && next.ID == j.ID && next.Group == j.Group {
		return tx.Records.Postpone(tx, j, next.Due)
	}
	if err := tx.Records.Finish(tx, j); err != nil || s.stopped() {
		return err
	}
	return scheduleRefresh(tx, s, at)
}
