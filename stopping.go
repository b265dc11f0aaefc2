package tracking

import (
	"context"
	"fmt"
	"time"

	"github.com/landfallhq/tracking/internal/journey"
	"github.com/landfallhq/tracking/internal/schedule"
	"github.com/landfallhq/tracking/internal/table"

	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/store"
)

// StoppedReason is why a shipment is no longer tracked (see
// docs/contract.md#when-tracking-stops).
type StoppedReason string

// The reasons. All except StoppedByUser and StoppedAccountClosed are decided by
// rules.
const (
	// StoppedAllContainersTerminated: at least one container has been returned empty
	// after its journey, and each other one too, or unused to its origin.
	StoppedAllContainersTerminated StoppedReason = "all_containers_terminated"
	// StoppedPastArrival: the last container that is not picked up has been waiting for
	// longer than StopWindows.Arrival.
	StoppedPastArrival StoppedReason = "past_arrival_window"
	// StoppedPastFullOut: the last container was picked up, and has not been returned
	// for longer than StopWindows.FullOut.
	StoppedPastFullOut StoppedReason = "past_full_out_window"
	// StoppedNoUpdates: no new fact has arrived for longer than
	// StopWindows.NoUpdates.
	StoppedNoUpdates StoppedReason = "no_updates_at_line"
	// StoppedByUser: by StopTracking. Only this reason has a user.
	StoppedByUser StoppedReason = "cancelled_by_user"
	// StoppedBookingCancelled: the line has cancelled the booking before a container
	// left.
	StoppedBookingCancelled StoppedReason = "booking_cancelled"
	// StoppedAccountClosed: by CloseAccount.
	StoppedAccountClosed StoppedReason = "account_closed"
)

// StopTracking stops the refreshes and notifications of a shipment and keeps its
// history. Stopping it again changes nothing. Needs update.
func (t *Tracker) StopTracking(ctx context.Context, id ID) (*Shipment, error) {
	return t.changeShipment(ctx, "shipment.stop_tracking", id, 0, func(tx *transaction, s *Shipment) error {
		return stop(tx, s, StoppedByUser, t.actor.User)
	})
}

// paused reports whether a user or the closing of the account has stopped the
// shipment. If a rule has, what was announced before the stop is still delivered,
// such as the return of the last container.
func (s *Shipment) paused() bool {
	return s.LineTrackingStoppedReason == StoppedByUser || s.LineTrackingStoppedReason == StoppedAccountClosed
}

// stoppedByRule reports whether a rule has stopped the shipment.
func (s *Shipment) stoppedByRule() bool { return s.stopped() && !s.paused() }

// ResumeTracking resumes tracking of a stopped shipment and queries its source at
// once. The windows of automatic stopping restart. Resuming a shipment that is
// tracked changes nothing. Needs update.
func (t *Tracker) ResumeTracking(ctx context.Context, id ID) (*Shipment, error) {
	return t.changeShipment(ctx, "shipment.resume_tracking", id, 0, resumeStored)
}

// stop stops tracking of a shipment and updates its requests. If a rule has stopped
// it before, a stop by a user replaces the reason, so that no fact resumes it. The
// caller writes the shipment.
func stop(tx *transaction, s *Shipment, reason StoppedReason, by ID) error {
	if s.stoppedByRule() && reason == StoppedByUser {
		s.LineTrackingStoppedReason, s.LineTrackingStoppedBy = reason, by
	}
	if s.stopped() {
		return nil
	}
	s.LineTrackingStoppedAt, s.LineTrackingStoppedReason, s.LineTrackingStoppedBy = tx.Now, reason, by
	s.CheckAt = time.Time{}
	if err := reviewNow(tx, s); err != nil {
		return err
	}
	return moveRequests(tx, s.ID, RequestCreated, RequestStopped, func(r *TrackingRequest) {
		tx.announceRequest(freight.TrackingRequestStopped, r, s.ID)
	})
}

// resumeStored is resume for callers that have not read the containers. It writes them.
func resumeStored(tx *transaction, s *Shipment) error {
	w, err := withContainersOf(tx, s)
	if err == nil {
		err = resume(tx, s, w.containers)
	}
	if err == nil {
		err = w.put(tx)
	}
	return err
}

// resume resumes tracking of a stopped shipment and schedules a refresh at once.
// The caller writes the shipment and its containers.
func resume(tx *transaction, s *Shipment, containers []*Container) error {
	if !s.stopped() {
		return nil
	}
	if err := endStopAndAnnounce(tx, s, containers); err != nil {
		return err
	}
	if err := reviewNow(tx, s); err != nil {
		return err
	}
	if err := scheduleStopCheck(tx, s, containers); err != nil {
		return err
	}
	return scheduleRefresh(tx, s, tx.Now)
}

// endStopAndAnnounce is resume for callers that schedule the next refresh and write
// the containers.
func endStopAndAnnounce(tx *transaction, s *Shipment, containers []*Container) error {
	if !s.stopped() {
		return nil
	}
	if err := endStop(tx, s); err != nil {
		return err
	}
	s.ResumedAt = tx.Now
	for _, c := range containers {
		c.AnnounceStates = nil
	}
	if err := dropPendingEvents(tx, s.ID); err != nil {
		return err
	}
	return announceOnResume(tx, s)
}

// endStop clears the stop of a shipment, updates its requests and releases its
// notifications.
func endStop(tx *transaction, s *Shipment) error {
	s.LineTrackingStoppedAt, s.LineTrackingStoppedReason, s.LineTrackingStoppedBy = time.Time{}, "", ID{}
	if err := moveRequests(tx, s.ID, RequestStopped, RequestCreated, nil); err != nil {
		return err
	}
	return releaseOnResume(tx, s)
}

// resumeByFacts resumes tracking of a shipment that a rule has stopped, if the
// derived journey meets no rule any more. The same transaction announces what was
// held back and is still valid. If another rule applies, the shipment stays stopped
// for that reason. Shipments of a closed account are not resumed. The caller writes
// the shipment.
func (p *plan) resumeByFacts(tx *transaction, d *draft, containers []*Container) error {
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

// ruleMet is the reason why a rule stops the shipment now; empty for none.
func (d *draft) ruleMet(tx *transaction, containers []*Container) StoppedReason {
	s := d.ship
	if reason := stopReason(&d.journey, s, containers); reason != "" {
		return reason
	}
	if s.LineTrackingStoppedReason == StoppedBookingCancelled && s.LineTrackingFailedReason == freight.BookingCancelled &&
		progressOf(s, containers).NeverSailed() && !d.bookedSince(s.LineTrackingStoppedAt) {
		return StoppedBookingCancelled
	}
	reason, _ := dueStop(s, containers, tx.engine.config.StopWindows, tx.Now)
	return reason
}

// bookedSince reports whether a valid fact received since that time confirms the
// booking. A refusal by a source is no fact, and only such a fact outweighs it.
func (d *draft) bookedSince(at time.Time) bool {
	for i, r := range d.facts {
		if r.Fact.Activity == freight.Booked && !d.journey.Facts[i].Superseded && !r.CreatedAt.Before(at) {
			return true
		}
	}
	return false
}

// moveRequests changes the status of a shipment's requests. It calls moved, which
// may be nil, for each.
func moveRequests(tx *transaction, shipment ID, from, to RequestStatus, moved func(*TrackingRequest)) error {
	list, err := trackingRequests.All(tx, TrackingRequestQuery{Shipment: shipment, Statuses: []RequestStatus{from}}.where())
	if err != nil {
		return err
	}
	for _, r := range list {
		r.Status = to
		if err := trackingRequests.Put(tx, r); err != nil {
			return err
		}
		if moved != nil {
			moved(r)
		}
	}
	return nil
}

// stopReason is the reason to stop that follows from the derived journey; empty for
// none. dueStop decides what depends on the time.
func stopReason(j *journey.Journey, s *Shipment, containers []*Container) StoppedReason {
	switch {
	case progressOf(s, containers).Terminated():
		return StoppedAllContainersTerminated
	case j.Cancelled:
		return StoppedBookingCancelled
	}
	return ""
}

// scheduleStopCheck schedules a check at the earliest end of a window. Windows
// usually move to later times, so an earlier check stays; it schedules the next.
func scheduleStopCheck(tx *transaction, s *Shipment, containers []*Container) error {
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
	return store.Job{ID: table.NamedID("job/watch", s.ID.String()), Kind: jobCheckWindows, Ref: s.ID, Due: at}
}

// checkWindows stops a shipment if one of its windows has ended, and schedules the
// next check otherwise.
func (t *Tracker) checkWindows(ctx context.Context, j store.Job) error {
	return t.update(ctx, j.Account, func(tx *transaction) error {
		if err := tx.Records.Finish(tx, j); err != nil {
			return err
		}
		s, err := readWithContainers(tx, j.Ref)
		if err != nil || s.stopped() {
			return err
		}
		reason, next := dueStop(s.Shipment, s.containers, t.config.StopWindows, tx.Now)
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

// StopWindows are the times after which tracking of a shipment stops (see
// docs/contract.md#when-tracking-stops). 0 means the default of 56 days, less than
// 0 never. After a resume they count from that time, if it is later.
type StopWindows struct {
	// Arrival is how long a container may wait for pickup at its inland
	// destination, or at the POD if there is none.
	Arrival time.Duration
	// FullOut is how long a container may be picked up or delivered without being
	// returned empty.
	FullOut time.Duration
	// NoUpdates is how long no new fact may arrive from any source.
	NoUpdates time.Duration
}

func (w StopWindows) withDefaults() StopWindows {
	return StopWindows(schedule.Windows(w).WithDefaults())
}

// stoppedByRules are the reasons of the rules that depend on the time.
var stoppedByRules = map[schedule.Rule]StoppedReason{
	schedule.AllReturned: StoppedAllContainersTerminated, schedule.PastArrival: StoppedPastArrival,
	schedule.PastFullOut: StoppedPastFullOut, schedule.NoUpdates: StoppedNoUpdates,
}

// dueStop is the reason to stop at that time or, without a reason, the time of the
// next check; zero for none.
func dueStop(s *Shipment, containers []*Container, w StopWindows, now time.Time) (reason StoppedReason, next time.Time) {
	rule, next := progressOf(s, containers).StopDue(schedule.Windows(w), now)
	return stoppedByRules[rule], next
}

// progressOf returns what the schedule of a shipment depends on.
func progressOf(s *Shipment, containers []*Container) *schedule.Shipment {
	inland := s.Destination != (ID{}) && s.Destination != s.PortOfDischarge
	list := make([]schedule.Progress, 0, max(1, len(containers)))
	for _, c := range containers {
		if c.removed() {
			continue
		}
		p := schedule.Progress{
			Departs: s.POLETDAt, Sailed: schedule.Latest(c.POLVesselDepartedAt, c.POLVesselLoadedAt),
			ETA: s.PODETAAt, Arrived: schedule.Latest(c.PODArrivedAt, c.PODDischargedAt), INDETA: schedule.Latest(c.INDETAAt, s.DestinationETAAt),
			PickedUp: schedule.Latest(c.FinalDestinationFullOutAt, c.DeliveredAt), Returned: c.EmptyTerminatedAt, Unused: c.ReturnedUnused,
		}
		if p.AtPickup = p.Arrived; inland {
			p.AtPickup = schedule.Latest(c.INDATAAt, c.INDRailUnloadedAt)
		} else {
			p.PickedUp = schedule.Latest(p.PickedUp, c.PODFullOutAt)
		}
		list = append(list, p)
	}
	if len(list) == 0 {
		p := schedule.Progress{Departs: s.POLETDAt, Sailed: s.POLATDAt, ETA: s.PODETAAt, Arrived: s.PODATAAt, INDETA: s.DestinationETAAt}
		if p.AtPickup = p.Arrived; inland {
			p.AtPickup = s.DestinationATAAt
		}
		list = append(list, p)
	}
	return &schedule.Shipment{Created: s.CreatedAt, LastFact: s.HeardAt, Resumed: s.ResumedAt, Containers: list}
}

// A transaction of CloseAccount reads up to closePage requests or shipments, and
// ends after about closeRecords written records: a shipment is written with its
// containers.
const (
	closePage    = 100
	closeRecords = 500
)

// CloseAccount closes an account and keeps its data: its keys are revoked and no
// new ones are made, waiting requests fail with expired, tracking of its shipments
// stops with the reason account_closed, and reports are refused. It returns the
// number of stopped shipments. It is for the operator. If it is interrupted, call
// it again: it does the rest. A host that authenticates by itself must refuse the
// account's users itself. Errors: NotFound.
func (t *Tracker) CloseAccount(ctx context.Context, name string) (stopped int, err error) {
	if err := t.operator(); err != nil {
		return 0, err
	}
	account, err := t.endAccess(ctx, name)
	if err != nil {
		return 0, err
	}
	if err := t.markClosed(ctx, account); err != nil {
		return 0, err
	}
	waiting := TrackingRequestQuery{Statuses: []RequestStatus{RequestPending, RequestAwaitingManifest}}
	_, err = inBatches(ctx, t, account.Scope(), trackingRequests, waiting.where(), func(tx *transaction, r *TrackingRequest) (int, error) {
		return 1, failRequest(tx, r, freight.RequestExpired)
	})
	if err != nil {
		return 0, err
	}
	return inBatches(ctx, t, account.Scope(), shipments, ShipmentQuery{Stopped: No}.where(), func(tx *transaction, s *Shipment) (int, error) {
		if err := stop(tx, s, StoppedAccountClosed, ID{}); err != nil {
			return 0, err
		}
		return 1 + len(s.Containers), putShipment(tx, s)
	})
}

// ReopenAccount allows keys and reports for a closed account again. Its shipments
// stay stopped until they are resumed or requested again. Errors: NotFound.
func (t *Tracker) ReopenAccount(ctx context.Context, name string) error {
	if err := t.operator(); err != nil {
		return err
	}
	var account *Account
	err := t.changeSystem(ctx, "account.reopen", func(tx *transaction) (err error) {
		if account, err = accountNamed(tx, name); err != nil {
			return err
		}
		if !account.DeletedAt.IsZero() {
			return invalid("account", "deleted", "the account '%s' is being deleted", name)
		}
		account.ClosedAt = time.Time{}
		tx.audit.belongsTo(account.Scope())
		return accounts.Put(tx, account)
	})
	if err != nil {
		return err
	}
	return t.markClosed(ctx, account)
}

// markClosed records in the account's own scope whether it is closed.
func (t *Tracker) markClosed(ctx context.Context, account *Account) error {
	return t.update(ctx, account.Scope(), func(tx *transaction) error {
		tx.ledger.ClosedAt = account.ClosedAt
		return nil
	})
}

// endAccess marks the account as closed and revokes its keys.
func (t *Tracker) endAccess(ctx context.Context, name string) (account *Account, err error) {
	err = t.changeSystem(ctx, "account.close", func(tx *transaction) error {
		if account, err = accountNamed(tx, name); err != nil {
			return err
		}
		tx.audit.belongsTo(account.Scope())
		if account.ClosedAt.IsZero() {
			account.ClosedAt = tx.Now
			if err := accounts.Put(tx, account); err != nil {
				return err
			}
		}
		return revokeKeys(tx, account)
	})
	return account, err
}

func revokeKeys(tx *transaction, account *Account) error {
	keys, err := keysOf(tx, account.Scope())
	if err != nil {
		return err
	}
	for _, key := range keys {
		if !key.RevokedAt.IsZero() {
			continue
		}
		key.RevokedAt = tx.Now
		if err := apiKeys.Put(tx, key); err != nil {
			return err
		}
	}
	return nil
}

// inBatches changes all matching records, in several transactions; a changed record
// must not match any more. change returns how many records it has written.
// inBatches returns how many matched.
func inBatches[T any](ctx context.Context, t *Tracker, a AccountID, n *resource[T], w where[T], change func(*transaction, *T) (int, error)) (changed int, err error) {
	for {
		batch, left := 0, 0
		err := t.update(ctx, a, func(tx *transaction) error {
			list, all, err := n.List(tx, w, Page{Number: 1, Size: closePage})
			if err != nil {
				return err
			}
			batch, left = 0, all
			for written := 0; batch < len(list) && written < closeRecords; batch, left = batch+1, left-1 {
				more, err := change(tx, list[batch])
				if err != nil {
					return err
				}
				written += more
			}
			return nil
		})
		if err != nil {
			return changed, err
		}
		if changed += batch; left == 0 {
			return changed, nil
		}
	}
}

// refuseClosed refuses what a closed account does not allow.
func refuseClosed(account string, at time.Time) error {
	if at.IsZero() {
		return nil
	}
	return &Error{Kind: Invalid, Field: "account", Code: "closed", Detail: fmt.Sprintf("%s was closed at %s; reopen it first", account, at.Format(time.RFC3339))}
}

// refuseReports refuses reports to a closed account.
func refuseReports(tx *transaction) error { return refuseClosed("the account", tx.ledger.ClosedAt) }
