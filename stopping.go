package tracking

import (
	"context"
	"time"

	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/store"
)

// StoppedReason says why a shipment is no longer followed (see
// docs/contract.md#when-tracking-stops).
type StoppedReason string

// The reasons. All but StoppedByUser are the engine's own doing.
const (
	// StoppedAllContainersTerminated: at least one container has been returned empty
	// after its journey, and each other one too, or unused to its origin.
	StoppedAllContainersTerminated StoppedReason = "all_containers_terminated"
	// StoppedPastArrival: the last box that is not picked up has been waiting
	// for longer than StopWindows.Arrival.
	StoppedPastArrival StoppedReason = "past_arrival_window"
	// StoppedPastFullOut: the last box was picked up, and has not been returned
	// for longer than StopWindows.FullOut.
	StoppedPastFullOut StoppedReason = "past_full_out_window"
	// StoppedNoUpdates: nothing new has come for longer than StopWindows.NoUpdates.
	StoppedNoUpdates StoppedReason = "no_updates_at_line"
	// StoppedByUser: by StopTracking. It alone comes with a user.
	StoppedByUser StoppedReason = "cancelled_by_user"
	// StoppedBookingCancelled: the line has cancelled the booking before a box left.
	StoppedBookingCancelled StoppedReason = "booking_cancelled"
	// StoppedAccountClosed: by CloseAccount.
	StoppedAccountClosed StoppedReason = "account_closed"
)

// StopTracking pauses a shipment: its refreshes and notifications stop, its
// history stays. Stopping it again changes nothing. Needs update.
func (t *Tracker) StopTracking(ctx context.Context, id ID) (*Shipment, error) {
	return t.changeShipment(ctx, id, 0, func(tx *Tx, s *Shipment) error {
		return stop(tx, s, StoppedByUser, t.actor.User)
	})
}

// paused tells a shipment that somebody has stopped from one whose story has
// ended, often with the very event that is to be told: that the last box is back.
// What was announced before such an end is told.
func (s *Shipment) paused() bool {
	return s.LineTrackingStoppedReason == StoppedByUser || s.LineTrackingStoppedReason == StoppedAccountClosed
}

// stoppedByRule tells a shipment that the engine has stopped by itself from one
// that somebody has.
func (s *Shipment) stoppedByRule() bool { return s.stopped() && !s.paused() }

// ResumeTracking follows a stopped shipment again and asks its source at once.
// The windows of automatic stopping begin anew. Resuming one that is followed
// changes nothing. Needs update.
func (t *Tracker) ResumeTracking(ctx context.Context, id ID) (*Shipment, error) {
	s, err := t.changeShipment(ctx, id, 0, resumeStored)
	t.wakeWorkers()
	return s, err
}

// stop ends the following of a shipment and moves its requests along. A user's
// stop of a shipment that a rule has stopped makes the stop the user's: then no
// fact resumes it. The caller writes the shipment.
func stop(tx *Tx, s *Shipment, reason StoppedReason, by ID) error {
	if s.stoppedByRule() && reason == StoppedByUser {
		s.LineTrackingStoppedReason, s.LineTrackingStoppedBy = reason, by
	}
	if s.stopped() {
		return nil
	}
	s.LineTrackingStoppedAt, s.LineTrackingStoppedReason, s.LineTrackingStoppedBy = tx.Now, reason, by
	s.CheckAt = time.Time{}
	return moveRequests(tx, s.ID, RequestCreated, RequestStopped, func(r *TrackingRequest) {
		tx.announceRequest(freight.TrackingRequestStopped, r, s.ID)
	})
}

// resumeStored is resume for callers who have not read the boxes.
func resumeStored(tx *Tx, s *Shipment) error {
	list, err := containersOf(tx, s)
	if err != nil {
		return err
	}
	if err := resume(tx, s, list); err != nil {
		return err
	}
	for _, c := range list {
		c.ship = s
		if err := table(tx, containers).Put(c); err != nil {
			return err
		}
	}
	return nil
}

// resume follows a stopped shipment again and has its source asked at once.
// The caller writes the shipment and its boxes.
func resume(tx *Tx, s *Shipment, containers []*Container) error {
	if !s.stopped() {
		return nil
	}
	if err := endStopAndAnnounce(tx, s, containers); err != nil {
		return err
	}
	if err := scheduleStopCheck(tx, s, containers); err != nil {
		return err
	}
	return scheduleRefresh(tx, s, tx.Now)
}

// endStopAndAnnounce is resume for callers who schedule the next refresh themselves, and
// who write the boxes.
func endStopAndAnnounce(tx *Tx, s *Shipment, containers []*Container) error {
	if !s.stopped() {
		return nil
	}
	if err := endStop(tx, s); err != nil {
		return err
	}
	s.ResumedAt = tx.Now
	for _, c := range containers {
		c.Told = nil
	}
	if err := dropPendingEvents(tx, s.ID); err != nil {
		return err
	}
	return announceOnResume(tx, s)
}

// endStop clears the stop of a shipment, moves its requests back and releases its
// notifications.
func endStop(tx *Tx, s *Shipment) error {
	s.LineTrackingStoppedAt, s.LineTrackingStoppedReason, s.LineTrackingStoppedBy = time.Time{}, "", ID{}
	if err := moveRequests(tx, s.ID, RequestStopped, RequestCreated, nil); err != nil {
		return err
	}
	return releaseOnResume(tx, s)
}

// resumeByFacts follows a shipment again that a rule has stopped and that meets no
// rule any more, in the light of what has just been derived. What was not
// announced meanwhile and still stands is announced by the same transaction, so
// the windows of automatic stopping count from the facts alone. A shipment that
// meets another rule by now stays stopped for that one. Nothing is resumed in a
// closed account. The caller writes the shipment.
func (p *plan) resumeByFacts(tx *Tx, d *draft, containers []*Container) error {
	s := d.ship
	if !s.stoppedByRule() || !tx.ledger.ClosedAt.IsZero() {
		return nil
	}
	if reason := d.ruleMet(tx, containers); reason != "" {
		s.LineTrackingStoppedReason = reason
		return nil
	}
	d.resumedFrom, d.stopped = s.LineTrackingStoppedAt, false
	if err := endStop(tx, s); err != nil {
		return err
	}
	if d.followed && p.opts.updateTracked != nil {
		return nil // schedules the next refresh itself
	}
	return scheduleRefresh(tx, s, tx.Now)
}

// ruleMet is the reason for which a rule stops the shipment now; empty for none.
func (d *draft) ruleMet(tx *Tx, containers []*Container) StoppedReason {
	s := d.ship
	if reason := stopReason(&d.journey, containers); reason != "" {
		return reason
	}
	if s.LineTrackingStoppedReason == StoppedBookingCancelled && s.LineTrackingFailedReason == freight.BookingCancelled &&
		neverSailed(s, containers) && !d.bookedSince(s.LineTrackingStoppedAt) {
		return StoppedBookingCancelled
	}
	reason, _ := dueStop(s, containers, tx.engine.config.StopWindows, tx.Now)
	return reason
}

// bookedSince reports whether a valid fact that came since then confirms the
// booking: the word of a source that refused it is no fact, and only that outweighs it.
func (d *draft) bookedSince(at time.Time) bool {
	for i, r := range d.facts {
		if r.Fact.Activity == freight.Booked && !d.journey.Facts[i].Superseded && !r.CreatedAt.Before(at) {
			return true
		}
	}
	return false
}

// moveRequests moves the requests of a shipment from one state to another.
// moved, which may be nil, is told of each.
func moveRequests(tx *Tx, shipment ID, from, to RequestStatus, moved func(*TrackingRequest)) error {
	list, err := table(tx, trackingRequests).All(TrackingRequestQuery{Shipment: shipment, Statuses: []RequestStatus{from}}.where())
	if err != nil {
		return err
	}
	for _, r := range list {
		r.Status = to
		if err := table(tx, trackingRequests).Put(r); err != nil {
			return err
		}
		if moved != nil {
			moved(r)
		}
	}
	return nil
}

// stopReason is why a shipment is followed no longer in the light of what has just
// been derived for it; empty when it is. What depends on the time is for due.
func stopReason(j *Journey, containers []*Container) StoppedReason {
	switch {
	case terminated(containers):
		return StoppedAllContainersTerminated
	case j.Cancelled:
		return StoppedBookingCancelled
	}
	return ""
}

// terminated: at least one container of the shipment has been returned empty after
// its journey, and each other one too, or unused to its origin.
func terminated(containers []*Container) bool {
	returned := false
	for _, c := range containers {
		switch {
		case c.removed():
		case !c.EmptyTerminatedAt.IsZero():
			returned = true
		case !c.ReturnedUnused:
			return false
		}
	}
	return returned
}

// containersOf returns the containers of a shipment, those that have left included.
func containersOf(tx *Tx, s *Shipment) ([]*Container, error) {
	if s.ID == (ID{}) {
		return nil, nil
	}
	return table(tx, containers).All(ContainerQuery{Shipment: s.ID, Removed: Any}.where())
}

// scheduleStopCheck has the shipment looked at when the first of its windows can end.
// Windows mostly move away as time goes on, so an earlier appointment is left
// as it is, and whoever keeps it makes the next.
func scheduleStopCheck(tx *Tx, s *Shipment, containers []*Container) error {
	if s.stopped() {
		return nil
	}
	reason, next := dueStop(s, containers, tx.engine.config.StopWindows, tx.Now)
	if reason != "" {
		next = tx.Now
	}
	if next.IsZero() || s.CheckAt.After(tx.Now) && !next.Before(s.CheckAt) {
		return nil
	}
	s.CheckAt = next
	return tx.enqueueBy(stopCheckJob(s, next))
}

func stopCheckJob(s *Shipment, at time.Time) store.Job {
	return store.Job{ID: named("job/watch", s.ID.String()), Kind: jobCheckWindows, Ref: s.ID, Due: at}
}

// checkWindows stops a shipment one of whose windows has ended, or makes the
// next appointment.
func (t *Tracker) checkWindows(ctx context.Context, j store.Job) error {
	return t.update(ctx, j.Account, func(tx *Tx) error {
		if err := tx.records.Finish(tx, j); err != nil {
			return err
		}
		s, err := readWithBoxes(tx, j.Ref)
		if err != nil || s.stopped() {
			return err
		}
		reason, next := dueStop(s.Shipment, s.boxes, t.config.StopWindows, tx.Now)
		switch {
		case reason != "":
			if err := stop(tx, s.Shipment, reason, ID{}); err != nil {
				return err
			}
			return s.put(tx)
		case !next.IsZero():
			return tx.enqueueBy(stopCheckJob(s.Shipment, next))
		}
		return nil
	})
}
