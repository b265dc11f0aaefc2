package tracking

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/landfallhq/tracking/internal/debounce"
	"github.com/landfallhq/tracking/internal/journey"
	"github.com/landfallhq/tracking/internal/record"
)

// The attributes of shipments and containers whose changes are announced.
const (
	topicETD         = "pol_etd_at"
	topicETA         = "pod_eta_at"
	topicInlandETA   = "ind_eta_at"
	topicAvailable   = "available_for_pickup"
	topicHolds       = "holds_at_pod_terminal"
	topicFees        = "fees_at_pod_terminal"
	topicAppointment = "pickup_appointment_at"
	topicLFD         = "pickup_lfd"
	topicLFDLine     = "pickup_lfd_line"
	topicLFDTerminal = "pickup_lfd_terminal"
	topicLFDRail     = "pickup_lfd_rail"
	topicPODTerminal = "pod_terminal"
)

func announcedTime[T any](name string, at func(*T) time.Time) debounce.Attribute[T] {
	return debounce.Attribute[T]{
		Name:  name,
		Same:  func(a, b *T) bool { return at(a).Equal(at(b)) },
		Value: func(v *T) any { return shownTime(at(v)) },
	}
}

// announcedEstimate is not announced while it is not known, or when the actual time is.
func announcedEstimate[T any](name string, at, actual func(*T) time.Time) debounce.Attribute[T] {
	a := announcedTime(name, at)
	a.Muted = func(v *T) bool { return at(v).IsZero() || !actual(v).IsZero() }
	return a
}

// announcedLFD is a last free day. Two of them differ if their calendar days at the place
// do.
func announcedLFD(name string, at func(*Container) time.Time, zone func(*Container) string) debounce.Attribute[Container] {
	a := announcedTime(name, at)
	a.Key = func(c *Container) string {
		if at(c).IsZero() {
			return ""
		}
		return localDate(Moment{Time: at(c), Zone: zone(c)})
	}
	return a
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

var etaOfShipment = announcedEstimate(topicETA, func(s *Shipment) time.Time { return s.PODETAAt }, func(s *Shipment) time.Time { return s.PODATAAt })

// announcedOfShipment are announced for the shipment and for its containers.
var announcedOfShipment = []debounce.Attribute[Shipment]{
	announcedEstimate(topicETD, func(s *Shipment) time.Time { return s.POLETDAt }, func(s *Shipment) time.Time { return s.POLATDAt }),
	etaOfShipment,
}

var announcedOfContainer = []debounce.Attribute[Container]{
	announcedEstimate(topicInlandETA, func(c *Container) time.Time { return c.INDETAAt }, func(c *Container) time.Time { return c.INDATAAt }),
	{
		Name:  topicAvailable,
		Same:  func(a, b *Container) bool { return a.AvailableForPickup == b.AvailableForPickup },
		Value: func(c *Container) any { return c.AvailableForPickup },
	},
	{
		Name:  topicHolds,
		Same:  func(a, b *Container) bool { return len(a.HoldsAtPODTerminal)+len(b.HoldsAtPODTerminal) == 0 },
		Value: func(c *Container) any { return notNil(c.HoldsAtPODTerminal) },
	},
	{
		Name:  topicFees,
		Same:  func(a, b *Container) bool { return slices.Equal(a.FeesAtPODTerminal, b.FeesAtPODTerminal) },
		Value: func(c *Container) any { return notNil(c.FeesAtPODTerminal) },
	},
	announcedTime(topicAppointment, func(c *Container) time.Time { return c.PickupAppointmentAt }),
	announcedLFD(topicLFD, func(c *Container) time.Time { return c.PickupLFD }, (*Container).lfdZone),
	announcedLFD(topicLFDLine, func(c *Container) time.Time { return orZero(c.ImportDeadlines.PickupLFDLine) }, (*Container).lineZone),
	announcedLFD(topicLFDTerminal, func(c *Container) time.Time { return orZero(c.ImportDeadlines.PickupLFDTerminal) },
		func(c *Container) string { return c.PODTimezone }),
	announcedLFD(topicLFDRail, func(c *Container) time.Time { return orZero(c.ImportDeadlines.PickupLFDRail) },
		func(c *Container) string { return c.FinalDestinationTimezone }),
	{
		Name:  topicPODTerminal,
		Same:  func(a, b *Container) bool { return a.PODTerminal == b.PODTerminal },
		Value: func(c *Container) any { return shownID(c.PODTerminal) },
		Muted: func(c *Container) bool { return c.PODTerminal == ID{} },
	},
}

// announcedOfException is whether it is open.
var announcedOfException = []debounce.Attribute[Exception]{{
	Name:  "open",
	Same:  func(a, b *Exception) bool { return a.open() == b.open() },
	Value: func(e *Exception) any { return e.open() },
}}

// lfdThatCounts returns which last free day counts, given which are set: the first
// of line, terminal, railway (see docs/contract.md#last-free-days).
func lfdThatCounts(line, terminal bool) string {
	switch {
	case line:
		return topicLFDLine
	case terminal:
		return topicLFDTerminal
	}
	return topicLFDRail
}

func lfdOf(j *journey.ContainerJourney) string {
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

// changeOf returns the change of an attribute; nil if there is none.
func changeOf(due []debounce.Change, name string) *debounce.Change {
	if i := slices.IndexFunc(due, func(c debounce.Change) bool { return c.Name == name }); i >= 0 {
		return &due[i]
	}
	return nil
}
