package debounce

import (
	"slices"
	"time"
)

// States are stored with the record that they are about, in no defined order. They are
// not changed in place.
type States []State

// find returns the state of a topic; nil for none.
func (l States) find(topic string) *State {
	if i := slices.IndexFunc(l, func(s State) bool { return s.Topic == topic }); i >= 0 {
		return &l[i]
	}
	return nil
}

// with returns the list with a new state of the topic, nil for none, and without
// expired states.
func (d *Debouncer) with(l States, topic string, next *State) States {
	var out States
	for _, s := range l {
		if s.Topic != topic && !d.expired(&s) {
			out = append(out, s)
		}
	}
	if next != nil {
		next.Topic = topic
		out = append(out, *next)
	}
	return out
}

// NextEnd is the end of the first window in which one of those topics waits; zero for
// none.
func (l States) NextEnd(of func(topic string) bool) (end time.Time) {
	for _, s := range l {
		if s.Waiting != nil && !s.Until.IsZero() && (end.IsZero() || s.Until.Before(end)) && of(s.Topic) {
			end = s.Until
		}
	}
	return end
}

// Wait reports whether the announcement of a topic waits.
func (l States) Wait() bool {
	return slices.ContainsFunc(l, func(s State) bool { return s.Waiting != nil })
}

// EventChange is an event to announce that is no change of an attribute.
type EventChange struct {
	Topic string
	// Before is the sum of what was announced before, 0 for nothing; After is the sum of
	// what is to be announced.
	Before, After uint64
	// Replaces: if the event is announced, an earlier one that waits is not announced
	// any more.
	Replaces bool
}

// Announce decides whether changes that belong together are announced now. They wait if
// one of them repeats what was announced in its window.
func (d *Debouncer) Announce(states States, list ...EventChange) (next States, waits bool) {
	waits = slices.ContainsFunc(list, func(c EventChange) bool { return d.repeats(states.find(c.Topic), c.After) })
	for _, c := range list {
		state := states.find(c.Topic)
		switch open := d.inWindow(state); {
		case waits && open:
			state = wait(copyOf(state, value{}), Source{})
		case waits: // only another topic repeats
		case open && !c.Replaces:
			waiting := state.Waiting
			state = d.announced(state, c.Before, c.After)
			state.Waiting = waiting
		default:
			state = d.announced(state, c.Before, c.After)
		}
		states = d.with(states, c.Topic, state)
	}
	return states, waits
}

// Ended returns what was announced last of a topic that has waited for the end of a
// window that has come.
func (d *Debouncer) Ended(states States, topic string) (sum uint64, ended bool) {
	if s := states.find(topic); d.hasEnded(s) {
		return s.Sum, true
	}
	return 0, false
}

// EndWindows returns the states in which those topics no longer wait whose window has
// ended, and whether there are any.
func (d *Debouncer) EndWindows(states States, of func(topic string) bool) (next States, ended bool) {
	next = states
	for _, s := range states {
		if of(s.Topic) && d.hasEnded(&s) {
			s.Waiting, ended = nil, true
			next = d.with(next, s.Topic, &s)
		}
	}
	return next, ended
}

// Forget returns the states without that of a topic.
func (d *Debouncer) Forget(states States, topic string) States { return d.with(states, topic, nil) }
