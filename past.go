package tracking

import (
	"slices"
	"time"
)

// What a shipment was is derived from the facts that were its own then. Facts
// are never deleted, and each says when it came; what they do not say by
// themselves is noted beside them: when one became part of a shipment later than
// it came, when it was part of it no longer, and when a box was named by none.

// logPosition is a state of an account's log: all that was committed by the end of a
// second or, where second is zero, the first facts alone.
type logPosition struct {
	second time.Time
	facts  int64
}

// includes reports whether the fact had come.
func (p logPosition) includes(r *RawEvent) bool {
	if p.second.IsZero() {
		return r.Number <= p.facts
	}
	return !r.CreatedAt.After(p.second)
}

// includesMove reports whether the move had been made.
func (p logPosition) includesMove(m membershipChange) bool {
	if p.second.IsZero() {
		return m.After < p.facts
	}
	return !m.At.After(p.second)
}

// membershipChange says that a stored fact became part of a shipment, or that it was part of
// it no longer, because what connects them had come or was taken back.
type membershipChange struct {
	Shipment ID        `json:"shipment"`
	At       time.Time `json:"at"`
	// After is the number of the account's last fact before: seconds are too
	// coarse to tell which of two reports came first.
	After int64 `json:"after"`
	Left  bool  `json:"left,omitempty"`
}

// recordMembership notes that the fact is part of the shipment from now on, or no longer.
// It reports whether that is new.
func (r *RawEvent) recordMembership(tx *Tx, shipment ID, left bool) bool {
	if r.partOf(shipment) != left {
		return false
	}
	r.Moves = append(slices.Clip(r.Moves), membershipChange{Shipment: shipment, At: tx.Now, After: tx.ledger.read.facts, Left: left})
	return true
}

// partOf reports whether the shipment is derived from the fact.
func (r *RawEvent) partOf(shipment ID) bool {
	for _, m := range slices.Backward(r.Moves) {
		if m.Shipment == shipment {
			return !m.Left
		}
	}
	return slices.Contains(r.Shipments, shipment)
}

// wasPartOf reports whether the shipment was derived from the fact in that
// state of the log.
func (r *RawEvent) wasPartOf(shipment ID, p logPosition) bool {
	if !p.includes(r) {
		return false
	}
	part, moved := slices.Contains(r.Shipments, shipment), false
	for _, m := range r.Moves {
		if m.Shipment != shipment {
			continue
		}
		if !moved {
			part, moved = m.Left, true // until its first move it was the other way
		}
		if p.includesMove(m) {
			part = !m.Left
		}
	}
	return part
}

// absence is a time during which no valid fact named a box. The box is shown as
// it was before.
type absence struct {
	From time.Time `json:"from"`
	// After is the number of the account's last fact before.
	After int64 `json:"after"`
	// To is zero while it lasts.
	To time.Time `json:"to,omitzero"`
}

// recordAbsence notes when the box leaves its shipment and when it comes back.
func (c *Container) recordAbsence(tx *Tx, before *Container) {
	if before == nil || before.removed() == c.removed() {
		return
	}
	c.Absences = slices.Clone(c.Absences)
	if c.removed() {
		c.Absences = append(c.Absences, absence{From: c.RemovedAt, After: tx.ledger.read.facts})
	} else if last := len(c.Absences) - 1; last >= 0 {
		c.Absences[last].To = tx.Now
	}
}

// absentAt returns the absence that had not ended by the end of a second.
func (c *Container) absentAt(second time.Time) (absence, bool) {
	for _, a := range c.Absences {
		if !a.From.After(second) && (a.To.IsZero() || a.To.After(second)) {
			return a, true
		}
	}
	return absence{}, false
}
