package tracking

import (
	"encoding/binary"
	"encoding/json"
	"hash/fnv"
	"slices"
	"time"

	"github.com/landfallhq/tracking/internal/journey"

	"github.com/landfallhq/tracking/internal/record"
)

// topic is an attribute of a shipment or container whose changes are announced. Its
// value is the name of the attribute.
type topic string

const (
	topicETD         topic = "pol_etd_at"
	topicETA         topic = "pod_eta_at"
	topicInlandETA   topic = "ind_eta_at"
	topicAvailable   topic = "available_for_pickup"
	topicHolds       topic = "holds_at_pod_terminal"
	topicFees        topic = "fees_at_pod_terminal"
	topicAppointment topic = "pickup_appointment_at"
	topicLFD         topic = "pickup_lfd"
	topicLFDLine     topic = "pickup_lfd_line"
	topicLFDTerminal topic = "pickup_lfd_terminal"
	topicLFDRail     topic = "pickup_lfd_rail"
	topicPODTerminal topic = "pod_terminal"
)

// topicOf reads a topic from a record of type T.
type topicOf[T any] struct {
	topic
	// same is a quick check without rendering. It may report false for equal
	// values.
	same func(a, b *T) bool
	// value is the value as the attribute shows it; nil if it is not known.
	value func(*T) any
	// zone, of a last free day, is the zone at its place. Two last free days differ
	// if their calendar days there do.
	zone func(*T) string
	// muted, which may be nil, reports that there is nothing to announce: the
	// actual time is known, or the value is not.
	muted func(*T) bool
}

func timeTopic[T any](name topic, at func(*T) time.Time, zone func(*T) string, mute func(*T) bool) topicOf[T] {
	return topicOf[T]{
		name,
		func(a, b *T) bool { return at(a).Equal(at(b)) },
		func(v *T) any { return shownTime(at(v)) },
		zone, mute,
	}
}

// shownTime renders a time as attributes do.
func shownTime(at time.Time) any {
	if at.IsZero() {
		return nil
	}
	return json.RawMessage(record.AppendTime(nil, at))
}

func shownID(id ID) any {
	if id == (ID{}) {
		return nil
	}
	return id.String()
}

// shipmentTopics are announced for the shipment and for its containers.
var shipmentTopics = []topicOf[Shipment]{
	timeTopic(topicETD, func(s *Shipment) time.Time { return s.POLETDAt }, nil,
		func(s *Shipment) bool { return s.POLETDAt.IsZero() || !s.POLATDAt.IsZero() }),
	timeTopic(topicETA, func(s *Shipment) time.Time { return s.PODETAAt }, nil,
		func(s *Shipment) bool { return s.PODETAAt.IsZero() || !s.PODATAAt.IsZero() }),
}

var containerTopics = []topicOf[Container]{
	timeTopic(topicInlandETA, func(c *Container) time.Time { return c.INDETAAt }, nil,
		func(c *Container) bool { return c.INDETAAt.IsZero() || !c.INDATAAt.IsZero() }),
	{topicAvailable, func(a, b *Container) bool { return a.AvailableForPickup == b.AvailableForPickup },
		func(c *Container) any { return c.AvailableForPickup }, nil, nil},
	{topicHolds, func(a, b *Container) bool { return len(a.HoldsAtPODTerminal)+len(b.HoldsAtPODTerminal) == 0 },
		func(c *Container) any { return notNil(c.HoldsAtPODTerminal) }, nil, nil},
	{topicFees, func(a, b *Container) bool { return slices.Equal(a.FeesAtPODTerminal, b.FeesAtPODTerminal) },
		func(c *Container) any { return notNil(c.FeesAtPODTerminal) }, nil, nil},
	timeTopic(topicAppointment, func(c *Container) time.Time { return c.PickupAppointmentAt }, nil, nil),
	timeTopic(topicLFD, func(c *Container) time.Time { return c.PickupLFD }, (*Container).lfdZone, nil),
	timeTopic(topicLFDLine, func(c *Container) time.Time { return orZero(c.ImportDeadlines.PickupLFDLine) }, (*Container).lineZone, nil),
	timeTopic(topicLFDTerminal, func(c *Container) time.Time { return orZero(c.ImportDeadlines.PickupLFDTerminal) },
		func(c *Container) string { return c.PODTimezone }, nil),
	timeTopic(topicLFDRail, func(c *Container) time.Time { return orZero(c.ImportDeadlines.PickupLFDRail) },
		func(c *Container) string { return c.FinalDestinationTimezone }, nil),
	{topicPODTerminal, func(a, b *Container) bool { return a.PODTerminal == b.PODTerminal },
		func(c *Container) any { return shownID(c.PODTerminal) }, nil,
		func(c *Container) bool { return c.PODTerminal == ID{} }},
}

// lfdThatCounts returns which last free day counts, given which are set: the first
// of line, terminal, railway (see docs/contract.md#last-free-days).
func lfdThatCounts(line, terminal bool) topic {
	switch {
	case line:
		return topicLFDLine
	case terminal:
		return topicLFDTerminal
	}
	return topicLFDRail
}

func lfdOf(j *journey.ContainerJourney) topic {
	return lfdThatCounts(!j.LFDLine.IsZero(), !j.LFDTerminal.IsZero())
}

// lineZone is the zone of the line's last free day (see
// docs/contract.md#times-and-zones).
func (c *Container) lineZone() string {
	if c.FinalDestinationTimezone != "" {
		return c.FinalDestinationTimezone
	}
	return c.PODTimezone
}

// lfdZone is the zone of the last free day that counts.
func (c *Container) lfdZone() string {
	switch d := c.ImportDeadlines; lfdThatCounts(d.PickupLFDLine != nil, d.PickupLFDTerminal != nil) {
	case topicLFDLine:
		return c.lineZone()
	case topicLFDTerminal:
		return c.PODTimezone
	}
	return c.FinalDestinationTimezone
}

func orZero(at *time.Time) time.Time {
	if at == nil {
		return time.Time{}
	}
	return *at
}

func notNil[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// statement is the value of a topic in a record.
type statement struct {
	shown json.RawMessage // as the attribute shows it
	sum   uint64          // equal for values that count as the same
	muted bool
}

func (t *topicOf[T]) statement(v *T) statement {
	value := t.value(v)
	shown, err := json.Marshal(value)
	if err != nil {
		shown = []byte("null") // a fee that is not a number; derive drops those
	}
	said := shown
	if at, ok := value.(json.RawMessage); ok && t.zone != nil {
		said = calendarDay(at, t.zone(v))
	}
	sum := fnv.New64a()
	sum.Write(said)
	return statement{shown, binary.BigEndian.Uint64(sum.Sum(nil)), t.muted != nil && t.muted(v)}
}

func calendarDay(shown json.RawMessage, zone string) []byte {
	var at time.Time
	if json.Unmarshal(shown, &at) != nil {
		return shown
	}
	return []byte(localDate(Moment{Time: at, Zone: zone}))
}

// isEmpty reports whether there is no value yet: what follows is a first value, not
// a change.
func (s statement) isEmpty() bool {
	return s.muted || slices.Contains([]string{"null", "false", "[]"}, string(s.shown))
}

func (s statement) isNull() bool { return string(s.shown) == "null" }

// topicChange is a change to announce.
type topicChange struct {
	topic
	before, after json.RawMessage // as the attribute shows them
	by            valueSource
}

// valueSource is where a value comes from, as far as it is known.
type valueSource struct {
	DataSource DataSource `json:"data_source,omitempty"`
	Reported   time.Time  `json:"reported,omitzero"` // the time that the source gives
	Fact       ID         `json:"fact,omitzero"`     // a raw_event
	Vessel     ID         `json:"vessel,omitzero"`
	Voyage     string     `json:"voyage,omitempty"`
}

func unknownSource(topic) valueSource { return valueSource{} }

// changes compares a record with its former state. It returns the changes to
// announce now, and the announcement states to store. It is pure. by returns the
// source of the new value of a topic, and is called only for topics that have
// changed.
func changes[T any](h debouncer, topics []topicOf[T], states announcementStates, before, after *T, by func(topic) valueSource) (due []topicChange, next announcementStates) {
	next = states
	for i := range topics {
		t := &topics[i]
		last := next.of(t.topic)
		if last == nil && t.same(before, after) {
			continue
		}
		was, is := t.statement(before), t.statement(after)
		if last == nil && was.sum == is.sum && was.muted == is.muted {
			continue
		}
		who := func() valueSource { return by(t.topic) }
		if was.sum == is.sum && last != nil && last.Waiting != nil {
			who = func() valueSource { return *last.Waiting }
		}
		state, change := h.decide(last, was, is, who)
		if change == nil && state == nil && was.sum == is.sum && last.Waiting == nil {
			continue // expired states are dropped with the next change, so that repeating a report changes nothing
		}
		if change != nil {
			change.topic = t.topic
			due = append(due, *change)
		}
		if state != last {
			next = next.with(t.topic, state, h)
		}
	}
	return due, next
}

// changeOf returns the change of a topic; nil if there is none.
func changeOf(due []topicChange, t topic) *topicChange {
	if i := slices.IndexFunc(due, func(c topicChange) bool { return c.topic == t }); i >= 0 {
		return &due[i]
	}
	return nil
}
