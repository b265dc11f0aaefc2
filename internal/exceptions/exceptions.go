// Package exceptions finds what goes wrong with a shipment: containers that are rolled over,
// ports that are omitted, arrivals that slip, containers that stand too long, milestones that
// should have been reported by now. [Find] is a pure function of what was derived, of the facts
// and of the time. It knows no store.
//
// docs/exceptions.md describes each kind for users.
package exceptions

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/internal/journey"
)

// Kind is the kind of an exception.
type Kind string

// The kinds.
const (
	Rollover           Kind = "rollover"            // it stays at its port of lading, and sails on a later ship
	ShortShipped       Kind = "short_shipped"       // the same, while others of the shipment have sailed
	MissedConnection   Kind = "missed_connection"   // the same at a port of transshipment
	OmittedPort        Kind = "omitted_port"        // its ship does not call where it was to be discharged
	Overcarried        Kind = "overcarried"         // its ship called at the port of discharge, and took it on
	ChangedDestination Kind = "changed_destination" // of a shipment: another port of discharge
	ETASlipped         Kind = "eta_slipped"         // of a shipment
	LongDwell          Kind = "long_dwell"          // it stands at a hub, at the port of discharge or at a ramp
	Hold               Kind = "hold"
	FreeTimeEnding     Kind = "free_time_ending"
	FreeTimeEnded      Kind = "free_time_ended"
	NotPickedUp        Kind = "not_picked_up" // although it is available
	NotReturned        Kind = "not_returned"  // the empty container
	SourceSilent       Kind = "source_silent" // of a shipment
	DataConflict       Kind = "data_conflict"
	MilestoneOverdue   Kind = "milestone_overdue"
	// DocumentDiscrepancy is of a shipment: one of its documents says otherwise.
	DocumentDiscrepancy Kind = "document_discrepancy"
)

// Kinds are all kinds, in order of the journey.
var Kinds = []Kind{
	Rollover, ShortShipped, MissedConnection, OmittedPort, Overcarried, ChangedDestination, ETASlipped, LongDwell, Hold, FreeTimeEnding, FreeTimeEnded,
	NotPickedUp, NotReturned, SourceSilent, DataConflict, MilestoneOverdue, DocumentDiscrepancy,
}

// Severity says how soon somebody has to act.
type Severity string

// The severities.
const (
	Low    Severity = "low"    // to know
	Medium Severity = "medium" // to plan again
	High   Severity = "high"   // to act on now
)

// Severities are all severities, the most urgent first.
var Severities = []Severity{High, Medium, Low}

// Exception is something that goes wrong with a container, or with the whole shipment.
type Exception struct {
	Kind Kind
	// Container is its number; empty for the shipment.
	Container string
	// Key separates exceptions of one kind and container, such as two missed ships.
	Key      string
	Severity Severity
	// OpenedAt is when the source recorded the fact that shows it, or when the clock passed the
	// threshold; UTC.
	OpenedAt time.Time
	// ClosedAt is when the fact that ends it was recorded; zero while it is open. An exception
	// of which the facts no longer say anything is not found any more.
	ClosedAt time.Time
	// Facts are the indexes of the facts that it follows from, in order of recording.
	Facts []int
	// Text is one sentence in English, with the figures.
	Text string
	// Milestone is the one that is overdue; zero for other kinds.
	Milestone Milestone
}

// Milestone is a milestone that is expected.
type Milestone struct {
	Event freight.EventName
	Place freight.Place
	// At is the time that a plan or an estimate has for it; zero where it follows from an
	// earlier move alone.
	At freight.Moment
	// DueAt is until when it should be reported: UTC.
	DueAt time.Time
	// Fact is the index of the plan, the estimate or the move before, -1 for none.
	Fact int
	// depends on the line and its partners, who must report it: else it is overdue. The
	// pick-up and the return depend on the consignee, and have kinds of their own.
	reported bool
}

// Estimate is an arrival at the port of discharge, as it was shown from a time on.
type Estimate struct {
	LearnedAt time.Time
	At        time.Time // zero where it was withdrawn
}

// Promise is an arrival at the port of discharge that a user has promised.
type Promise struct {
	At     time.Time // zero for none
	MadeAt time.Time
}

// Discrepancy is what one document says otherwise than something else, by one kind of check.
type Discrepancy struct {
	// Key is made of the document and the check.
	Key string
	// High: money, or a container that cannot be picked up.
	High     bool
	OpenedAt time.Time // when it was found
	Text     string
}

// Shipment is what exceptions follow from.
type Shipment struct {
	Journey *journey.Journey
	// Facts are those of the journey, by index.
	Facts []*journey.LoggedFact
	// Estimates are those of the arrival at the port of discharge, in the order in which they
	// were learned; none where that is not known.
	Estimates []Estimate
	Promise   Promise
	// HeardAt is when the last fact arrived; zero means when the last one was recorded.
	HeardAt time.Time
	// Discrepancies are those of its documents, as they were found last.
	Discrepancies []Discrepancy
	// Stopped: nobody asks about the shipment any more.
	Stopped bool
}

// Findings are the exceptions of a shipment at a time.
type Findings struct {
	// Exceptions are open or closed: sorted by container, kind and key.
	Exceptions []Exception
	// Next is the next expected milestone of each container, by number. Containers of which
	// nothing is expected have none.
	Next map[string]Milestone
	// ChangeAt is the earliest time at which the clock alone changes the findings; zero for
	// never.
	ChangeAt time.Time
}

// finder collects the findings of a shipment.
type finder struct {
	*Shipment
	Settings
	now time.Time
	Findings
	// begin is the index of the first exception of the container that is looked at.
	begin int
	// calls are the facts about the actual calls of ships, by port.
	calls map[string][]int
}

// Find returns the exceptions of a shipment at a time. It is total, and independent of the order
// of the facts. A booking that was cancelled has none.
func Find(s *Shipment, settings Settings, now time.Time) Findings {
	f := finder{Shipment: s, Settings: settings, now: now}
	if s.Journey.Cancelled {
		return f.Findings
	}
	f.findCalls()
	for i := range s.Journey.Containers {
		f.begin = len(f.Exceptions)
		f.findOfContainer(&s.Journey.Containers[i])
	}
	f.begin = len(f.Exceptions)
	f.findChangedDestination()
	f.findSlips()
	f.findSilence()
	f.findConflicts()
	for _, d := range s.Discrepancies {
		f.add(Exception{Kind: DocumentDiscrepancy, Key: d.Key, Severity: severityOf(d.High), OpenedAt: d.OpenedAt, Text: d.Text})
	}
	slices.SortFunc(f.Exceptions, func(a, b Exception) int {
		return cmp.Or(cmp.Compare(a.Container, b.Container), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Key, b.Key))
	})
	return f.Findings
}

func (f *finder) findOfContainer(c *journey.ContainerJourney) {
	f.findCheckDigit(c)
	f.findOrder(c)
	f.findEarlyDischarge(c)
	if c.ReturnedUnused {
		return
	}
	f.findMissed(c)
	f.findDiversions(c)
	f.findDwell(c)
	f.findHolds(c)
	f.findFreeTime(c)
	f.findPickup(c)
	f.findReturn(c)
	f.findOverdue(c)
}

// add adds an exception with its facts; -1 is none. A fact that ends it may be recorded before
// the one that shows it: then both are of the later time. Times are cut to seconds, which is what
// documents show of them.
func (f *finder) add(e Exception, facts ...int) {
	e.OpenedAt = e.OpenedAt.Truncate(time.Second)
	if !e.ClosedAt.IsZero() {
		e.ClosedAt = latest(e.ClosedAt.Truncate(time.Second), e.OpenedAt)
	}
	for _, i := range facts {
		if i >= 0 && !slices.Contains(e.Facts, i) {
			e.Facts = append(e.Facts, i)
		}
	}
	slices.SortFunc(e.Facts, func(a, b int) int {
		return cmp.Or(f.recorded(a).Compare(f.recorded(b)), cmp.Compare(f.Facts[a].Arrival, f.Facts[b].Arrival))
	})
	e.Key = f.freeKey(&e)
	f.Exceptions = append(f.Exceptions, e)
}

// freeKey numbers the exceptions of one key, such as of two stays at one hub.
func (f *finder) freeKey(e *Exception) string {
	key := e.Key
	for n := 2; slices.ContainsFunc(f.Exceptions[f.begin:], func(o Exception) bool { return o.Container == e.Container && o.Kind == e.Kind && o.Key == key }); n++ {
		key = e.Key + "/" + strconv.Itoa(n)
	}
	return key
}

// addByClock adds an exception that the clock opens, unless the container was done by then. done
// is the milestone that ends it; its At is zero while it has not happened. text is asked once it is
// open: most never are.
func (f *finder) addByClock(e Exception, opens time.Time, done milestone, fact int, text func() string) {
	switch {
	case !done.at.IsZero() && !done.at.After(opens):
		return
	case opens.After(f.now):
		f.changesAt(opens)
		return
	}
	e.OpenedAt, e.Text = opens, text()
	if done.at.IsZero() {
		f.add(e, fact)
		return
	}
	e.ClosedAt = done.recorded
	f.add(e, fact, done.fact)
}

// changesAt notes a later time at which the findings change.
func (f *finder) changesAt(at time.Time) {
	if at.After(f.now) && (f.ChangeAt.IsZero() || at.Before(f.ChangeAt)) {
		f.ChangeAt = at
	}
}

// recorded is when the source recorded a fact; zero for none.
func (f *finder) recorded(i int) time.Time {
	if i < 0 {
		return time.Time{}
	}
	return f.Facts[i].RecordedAt
}

// milestone is a milestone that has happened; the zero value is one that has not.
type milestone struct {
	at, recorded time.Time
	fact         int
}

// happened is the first milestone of one of the events, after a time.
func (f *finder) happened(c *journey.ContainerJourney, after time.Time, events ...freight.EventName) milestone {
	for _, m := range c.Milestones {
		if slices.Contains(events, m.Event) && !m.At.IsZero() && !m.At.Time.Before(after) {
			return milestone{m.At.Time, f.recorded(m.Fact), m.Fact}
		}
	}
	return milestone{fact: -1}
}

// last is the last milestone of one of the events.
func (f *finder) last(c *journey.ContainerJourney, events ...freight.EventName) milestone {
	for _, m := range slices.Backward(c.Milestones) {
		if slices.Contains(events, m.Event) && !m.At.IsZero() {
			return milestone{m.At.Time, f.recorded(m.Fact), m.Fact}
		}
	}
	return milestone{fact: -1}
}

// pickedUp is when the consignee has the container: it was picked up, delivered or returned.
func (f *finder) pickedUp(c *journey.ContainerJourney) milestone {
	m := f.happened(c, time.Time{}, freight.FullOut, freight.Delivered)
	if m.fact < 0 || c.PODFullOutAt.IsZero() && c.DestFullOutAt.IsZero() && c.DeliveredAt.IsZero() {
		return f.returned(c)
	}
	return m
}

// returned is the empty return that ends the journey.
func (f *finder) returned(c *journey.ContainerJourney) milestone {
	if c.EmptyTerminatedAt.IsZero() {
		return milestone{fact: -1}
	}
	return f.last(c, freight.EmptyIn)
}

func severityOf(high bool) Severity {
	if high {
		return High
	}
	return Medium
}

func latest(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
