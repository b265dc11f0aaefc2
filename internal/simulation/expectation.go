package simulation

import (
	"slices"
	"time"
)

// Grade says how surely the statements handed in determine a value.
type Grade string

// The grades.
const (
	// Determined: the value must be shown.
	Determined Grade = "determined"
	// Undetermined: an acceptable value or null may be shown, nothing else.
	Undetermined Grade = "undetermined"
	// Open: a clerk could write anything; the value is not judged.
	Open Grade = "open"
)

// Text is the expectation for a word. The empty word stands for null.
type Text struct {
	Grade Grade
	OneOf []string
}

// Accepts reports whether the shown word is right.
func (t Text) Accepts(shown string) bool {
	if t.Grade == Open || t.Grade == Undetermined && shown == "" {
		return true
	}
	return slices.Contains(t.OneOf, shown)
}

// Flag is the expectation for a truth value.
type Flag struct {
	Grade Grade
	OneOf []bool
}

// Accepts reports whether the shown truth value is right.
func (f Flag) Accepts(shown bool) bool { return f.Grade == Open || slices.Contains(f.OneOf, shown) }

// Instant is a true moment, to the minute or to the day.
type Instant struct {
	At   time.Time
	Zone string
	Day  bool
}

// Matches reports whether the shown time is this moment.
func (i Instant) Matches(shown time.Time) bool {
	if !i.Day {
		return shown.Sub(i.At).Abs() <= time.Minute
	}
	zone, err := time.LoadLocation(i.Zone)
	if err != nil {
		return false
	}
	return shown.In(zone).Format(time.DateOnly) == i.At.In(zone).Format(time.DateOnly)
}

// Time is the expectation for a time. The zero time stands for null.
type Time struct {
	Grade Grade
	OneOf []Instant
	Null  bool // null is right too
}

// Accepts reports whether the shown time is right.
func (t Time) Accepts(shown time.Time) bool {
	if t.Grade == Open {
		return true
	}
	if shown.IsZero() {
		return t.Null || t.Grade == Undetermined || len(t.OneOf) == 0
	}
	return slices.ContainsFunc(t.OneOf, func(i Instant) bool { return i.Matches(shown) })
}

// Ports is the expectation for a set of UN/LOCODEs.
type Ports struct {
	Must []string
	May  []string // all that may be shown, Must included
	Open bool
}

// Accepts reports whether the shown set is right.
func (p Ports) Accepts(shown []string) bool {
	if p.Open {
		return true
	}
	for _, port := range p.Must {
		if !slices.Contains(shown, port) {
			return false
		}
	}
	return !slices.ContainsFunc(shown, func(port string) bool { return !slices.Contains(p.May, port) })
}

// Milestone is a true event of a container.
type Milestone struct {
	Names    []string // any of them is right
	At       Instant
	LOCODE   string
	ShipIMO  string // empty on land
	Required bool   // must be shown; otherwise it may be
}

// Matches reports whether a shown milestone is this one.
func (m Milestone) Matches(shown ShownMilestone) bool {
	return slices.Contains(m.Names, shown.Event) && m.At.Matches(shown.At) &&
		(shown.LOCODE == "" || shown.LOCODE == m.LOCODE) &&
		(shown.ShipIMO == "" || shown.ShipIMO == m.ShipIMO)
}

// Expectation is what a careful clerk would show at the end of a world.
type Expectation struct {
	Shipments  []ShipmentExpectation
	Containers []ContainerExpectation
}

// ShipmentExpectation is the expected state of a shipment.
type ShipmentExpectation struct {
	BillOfLading       string
	Booking            string
	FollowBooking      bool     // the request names the booking, not the bill of lading
	Containers         []string // must be shown
	MayContainers      []string // may be shown besides
	POL                Text
	POD                Text
	Destination        Text
	TransshipmentPorts Ports
	POLETD             Time
	POLATD             Time
	PODETA             Time
	PODOriginalETA     Time
	PODATA             Time
	DestinationATA     Time
	PODVesselIMO       Text
	PODVesselName      Text
	StoppedReason      Text // empty: line tracking goes on
}

// ContainerExpectation is the expected state of a container.
type ContainerExpectation struct {
	Number                    string
	Shipment                  int
	Gone                      bool // nothing that stands was said of it: it may be missing
	Status                    Text
	EmptyOutAt                Time
	POLFullInAt               Time
	POLVesselLoadedAt         Time
	POLVesselDepartedAt       Time
	PODArrivedAt              Time
	PODDischargedAt           Time
	PODFullOutAt              Time
	PODRailLoadedAt           Time
	PODRailDepartedAt         Time
	INDATAAt                  Time
	INDRailUnloadedAt         Time
	FinalDestinationFullOutAt Time
	DeliveredAt               Time
	EmptyTerminatedAt         Time
	AvailabilityKnown         Flag
	AvailableForPickup        Flag
	PODTerminal               Text // SMDG code
	Milestones                []Milestone
}
