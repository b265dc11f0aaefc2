// Package membership records which facts belonged to which shipment at what time, and when
// containers were absent from their shipment. The past of a shipment is derived from the
// facts that belonged to it then. Facts are never deleted, and each has the time at which
// it arrived. What does not follow from that is recorded: when a fact became part of a
// shipment after its arrival, when it left the shipment, and when no fact named a
// container.
package membership

import (
	"slices"
	"time"

	"github.com/landfallhq/tracking/store"
)

// Position is a state of an account's log: all that was committed by the end of a second
// or, if Second is zero, a number of facts.
type Position struct {
	Second time.Time
	Facts  int64
}

// Includes reports whether the fact with this number had arrived.
func (p Position) Includes(number int64, arrived time.Time) bool {
	if p.Second.IsZero() {
		return number <= p.Facts
	}
	return !arrived.After(p.Second)
}

// includesChange reports whether the change had been made.
func (p Position) includesChange(c Change) bool {
	if p.Second.IsZero() {
		return c.After < p.Facts
	}
	return !c.At.After(p.Second)
}

// Change records that a stored fact became part of a shipment or left it, because a fact
// that connects them arrived or was retracted.
type Change struct {
	Shipment store.ID  `json:"shipment"`
	At       time.Time `json:"at"`
	// After is the number of the last fact before: seconds are too coarse to order
	// reports.
	After int64 `json:"after"`
	Left  bool  `json:"left,omitempty"`
}

// IsPart reports whether a fact is part of a shipment. listed: the shipment is among those
// of the fact, which is what counts without a change.
func IsPart(changes []Change, shipment store.ID, listed bool) bool {
	for _, c := range slices.Backward(changes) {
		if c.Shipment == shipment {
			return !c.Left
		}
	}
	return listed
}

// WasPart is IsPart for an earlier state of the log, at which the fact had arrived.
func WasPart(changes []Change, shipment store.ID, listed bool, p Position) bool {
	part, changed := listed, false
	for _, c := range changes {
		if c.Shipment != shipment {
			continue
		}
		if !changed {
			part, changed = c.Left, true // until its first change it was the other way
		}
		if p.includesChange(c) {
			part = !c.Left
		}
	}
	return part
}

// Absence is a time in which no valid fact named a container. The container is shown as
// before.
type Absence struct {
	From time.Time `json:"from"`
	// After is the number of the account's last fact before.
	After int64 `json:"after"`
	// To is zero while it lasts.
	To time.Time `json:"to,omitzero"`
}

// AbsentAt returns the absence that had not ended by the end of a second.
func AbsentAt(absences []Absence, second time.Time) (Absence, bool) {
	i := slices.IndexFunc(absences, func(a Absence) bool {
		return !a.From.After(second) && (a.To.IsZero() || a.To.After(second))
	})
	if i < 0 {
		return Absence{}, false
	}
	return absences[i], true
}
