package correction

import (
	"time"

	"github.com/google/uuid"

	"github.com/landfallhq/tracking/freight"
)

// Values are what an event says, or said when it was announced.
type Values struct {
	Timestamp time.Time `json:"timestamp,omitzero"`
	Timezone  string    `json:"timezone,omitempty"`
	DayOnly   bool      `json:"day_only,omitempty"`
	Vessel    uuid.UUID `json:"vessel,omitzero"`
	Voyage    string    `json:"voyage,omitempty"`
}

// Moment is the time of the event.
func (v Values) Moment() freight.Moment {
	return freight.Moment{Time: v.Timestamp, Zone: v.Timezone, Day: v.DayOnly}
}

// CompletedBy returns the values with nulls filled in, and with those that the other
// values state more exactly.
func (v Values) CompletedBy(now Values) Values {
	if v.Timestamp.IsZero() || v.Moment().Covers(now.Moment()) || v.Timezone == "" && now.Timezone != "" {
		v.Timestamp, v.Timezone, v.DayOnly = now.Timestamp, now.Timezone, now.DayOnly
	}
	if v.Vessel == (uuid.UUID{}) {
		v.Vessel = now.Vessel
	}
	if v.Voyage == "" {
		v.Voyage = now.Voyage
	}
	return v
}

// Tolerance is by how much an instant may move without being another one.
const Tolerance = time.Minute

// OtherMoment reports whether two moments differ by more than their precision. A zone
// that becomes known may shift the instant, so the local times are compared then.
func OtherMoment(a, b freight.Moment) bool {
	switch {
	case a.IsZero(), b.IsZero(), a.Covers(b), b.Covers(a):
		return false
	case a.Day && b.Day:
		return onClock(a).Format(time.DateOnly) != onClock(b).Format(time.DateOnly)
	case a.Day || b.Day:
		return true
	}
	if (a.Zone == "") != (b.Zone == "") && onClock(a).Sub(onClock(b)).Abs() <= Tolerance {
		return false
	}
	return a.Time.Sub(b.Time).Abs() > Tolerance
}

// onClock returns the local time at the place, as if it were UTC.
func onClock(m freight.Moment) time.Time {
	loc := freight.LoadZone(m.Zone)
	if loc == nil {
		return m.Time.UTC()
	}
	_, offset := m.Time.In(loc).Zone()
	return m.Time.UTC().Add(time.Duration(offset) * time.Second)
}

// OtherVoyage reports whether two voyages are known to differ.
func OtherVoyage(a, b string) bool {
	a, b = freight.FoldNumber(a), freight.FoldNumber(b)
	return a != "" && b != "" && a != b
}
