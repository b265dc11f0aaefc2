// Package debounce decides when a changed value is announced. A source that reports
// alternating values must not flood webhooks.
//
// The announcement of a value opens a window. While it is open, a new value is announced
// at once. A value that was announced in this window before waits for its end, and is
// announced then if it is still current and differs from the one announced last. So a
// value that alternates is announced once a window, and a value that has settled at the
// end of the window at the latest.
//
// All functions are pure. The caller stores the states, runs a job at the end of a
// window (States.NextEnd) and writes the events.
package debounce

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/landfallhq/tracking/freight"
)

// Mode is how changes are announced.
type Mode uint8

const (
	// Announce announces changes.
	Announce Mode = iota
	// FirstAnswer is Announce without first values, which come with the first answer
	// of a source.
	FirstAnswer
	// Silent announces nothing. Later changes are compared with the present values.
	Silent
	// NewRules announces nothing, and keeps the values announced last: only the rules
	// have changed.
	NewRules
	// Stopped announces nothing, and keeps the values announced before the stop, for
	// comparison when tracking is resumed.
	Stopped
)

// Debouncer decides which changes of a transaction are announced.
type Debouncer struct {
	Now  time.Time
	Mode Mode
	// Differences: changes by new rules that were not announced are announced too.
	Differences bool
	// End is the end of a window that opens now. It is called once, at the first such window:
	// it may cost a look at each container.
	End func() time.Time

	end time.Time // what End returned; zero before
}

// State is what is stored about the announcements of one topic.
type State struct {
	Topic string `json:"topic"`
	// Shown and Sum are the value that was announced last or, if none was, the value
	// when announcing stopped.
	Shown json.RawMessage `json:"shown"`
	Sum   uint64          `json:"sum"`
	// Until is the end of the window; zero for none.
	Until time.Time `json:"until,omitzero"`
	// Earlier has the sums of the values announced earlier in this window.
	Earlier []uint64 `json:"said,omitempty" was:"Said"`
	// Waiting is the source of the present value while it is held back.
	Waiting *Source `json:"waiting,omitempty"`
	// Unannounced: the value was changed by new rules, and was not announced.
	Unannounced bool `json:"unannounced,omitempty"`
	// Muted: there is nothing to announce at present.
	Muted bool `json:"muted,omitempty"`
}

// Source is where a value comes from, as far as it is known.
type Source struct {
	DataSource freight.DataSource `json:"data_source,omitempty"`
	Reported   time.Time          `json:"reported,omitzero"` // the time that the source gives
	Fact       uuid.UUID          `json:"fact,omitzero"`     // a raw_event
	Vessel     uuid.UUID          `json:"vessel,omitzero"`
	Voyage     string             `json:"voyage,omitempty"`
}

// maxEarlier bounds the announcements of one topic in one window: further new values
// wait for its end.
const maxEarlier = 8

func (d *Debouncer) inWindow(s *State) bool { return s != nil && d.Now.Before(s.Until) }

// hasEnded reports whether something waits for the end of a window that has come.
func (d *Debouncer) hasEnded(s *State) bool { return s != nil && s.Waiting != nil && !d.inWindow(s) }

// expired reports whether the window has ended and nothing waits.
func (d *Debouncer) expired(s *State) bool {
	return !s.Until.IsZero() && s.Waiting == nil && !s.Muted && !d.inWindow(s)
}

// windowEnd is the end of a window that opens now.
func (d *Debouncer) windowEnd() time.Time {
	if d.end.IsZero() {
		d.end = d.End()
	}
	return d.end
}

// repeats reports whether the value was announced in the open window before.
func (d *Debouncer) repeats(last *State, sum uint64) bool {
	return d.inWindow(last) && (last.Sum == sum || slices.Contains(last.Earlier, sum) || len(last.Earlier) >= maxEarlier)
}

// announced is the state after the announcement of a value. before is the value
// announced before it; 0 for none.
func (d *Debouncer) announced(last *State, before, sum uint64) *State {
	if d.inWindow(last) {
		return &State{Sum: sum, Until: last.Until, Earlier: append(slices.Clone(last.Earlier), last.Sum)}
	}
	next := &State{Sum: sum, Until: d.windowEnd()}
	if before != 0 {
		next.Earlier = []uint64{before}
	}
	return next
}

// copyOf returns a copy of the last state or, if there is none, of one with the value
// from before.
func copyOf(last *State, before value) *State {
	if last == nil {
		return &State{Shown: before.shown, Sum: before.sum}
	}
	next := *last
	return &next
}

// decide returns the next state of a topic, which is last itself if it stays, and the
// change to announce now; nil for none.
func (d *Debouncer) decide(last *State, before, after value, source func() Source) (*State, *Change) {
	changed := before.sum != after.sum
	switch {
	case after.muted:
		return d.mute(last, before, changed), nil
	case d.Mode == Stopped && changed:
		return wait(copyOf(last, before), source()), nil
	case d.Mode == NewRules && changed:
		return hold(copyOf(last, before), after), nil
	case d.Mode >= NewRules:
		return last, nil
	case d.Mode == Silent || d.Mode == FirstAnswer && last == nil && before.isEmpty():
		if changed {
			return nil, nil
		}
		return last, nil
	case last != nil && last.Unannounced && !changed && !d.Differences:
		return last, nil
	}
	old := copyOf(last, before)
	old.Muted, old.Unannounced = false, false
	switch {
	case after.sum == old.Sum && !d.inWindow(last):
		return nil, nil
	case after.sum == old.Sum && last.Waiting == nil && !last.Muted:
		return last, nil
	case after.sum == old.Sum:
		old.Waiting = nil
		return old, nil
	case d.repeats(last, after.sum) && !changed && last.Waiting != nil:
		return last, nil
	case d.repeats(last, after.sum):
		return wait(old, source()), nil
	}
	next := d.announced(last, old.Sum, after.sum)
	next.Shown = after.shown
	return next, &Change{Before: old.Shown, After: after.shown, Source: source()}
}

func wait(s *State, source Source) *State {
	s.Waiting = &source
	return s
}

// hold keeps the value announced before the rules changed.
func hold(s *State, after value) *State {
	if s.Sum == after.sum {
		return nil
	}
	s.Until, s.Earlier, s.Waiting, s.Unannounced = time.Time{}, nil, nil, true
	return s
}

// mute keeps the value announced last until there is something to announce again.
func (d *Debouncer) mute(last *State, before value, changed bool) *State {
	switch {
	case last == nil && (!changed || before.muted && (d.Mode == Silent || before.isNull())):
		return nil
	case last != nil && last.Muted && last.Waiting == nil:
		return last
	}
	next := copyOf(last, before)
	next.Waiting, next.Muted = nil, true
	if !d.inWindow(last) {
		next.Until, next.Earlier = time.Time{}, nil
	}
	return next
}
