package debounce

import (
	"encoding/json"
	"hash/fnv"
	"slices"
)

// Attribute is an attribute of a T whose changes are announced. Its name is the topic.
type Attribute[T any] struct {
	Name string
	// Same is a quick check without rendering. It may report false for equal values.
	Same func(a, b *T) bool
	// Value is the value as the attribute shows it; nil if it is not known.
	Value func(*T) any
	// Key, which may be nil, is equal for values that count as the same; empty if the
	// value itself decides.
	Key func(*T) string
	// Muted, which may be nil, reports that there is nothing to announce.
	Muted func(*T) bool
}

// Change is a change of an attribute to announce, with the values as the attribute shows
// them.
type Change struct {
	Name          string
	Before, After json.RawMessage
	Source        Source
}

// value is an attribute of one record.
type value struct {
	shown json.RawMessage
	sum   uint64 // equal for values that count as the same
	muted bool
}

func (a *Attribute[T]) value(v *T) value {
	shown, err := json.Marshal(a.Value(v))
	if err != nil {
		shown = []byte("null") // a fee that is not a number
	}
	key := []byte(nil)
	if a.Key != nil {
		key = []byte(a.Key(v))
	}
	if len(key) == 0 {
		key = shown
	}
	sum := fnv.New64a()
	sum.Write(key)
	return value{shown, sum.Sum64(), a.Muted != nil && a.Muted(v)}
}

// isEmpty reports whether there is no value yet: the next one is a first value, not a
// change.
func (v value) isEmpty() bool {
	return v.muted || slices.Contains([]string{"null", "false", "[]"}, string(v.shown))
}

func (v value) isNull() bool { return string(v.shown) == "null" }

// Changes compares a record with its former state. It returns the changes to announce
// now, and the states to store. source returns the source of the new value of an
// attribute, and is called only for attributes that have changed.
func Changes[T any](d *Debouncer, attributes []Attribute[T], states States, before, after *T, source func(name string) Source) (due []Change, next States) {
	next = states
	for i := range attributes {
		a := &attributes[i]
		last := next.find(a.Name)
		if last == nil && a.Same(before, after) {
			continue
		}
		was, is := a.value(before), a.value(after)
		changed, waited := was.sum != is.sum, last != nil && last.Waiting != nil
		if last == nil && !changed && was.muted == is.muted {
			continue
		}
		state, change := d.decide(last, was, is, func() Source {
			if waited && !changed {
				return *last.Waiting
			}
			return source(a.Name)
		})
		switch {
		case change != nil:
			change.Name = a.Name
			due = append(due, *change)
		case state == nil && !changed && !waited:
			continue // expired states are dropped with the next change, so that repeating a report changes nothing
		}
		if state != last {
			next = d.with(next, a.Name, state)
		}
	}
	return due, next
}

// WhileStopped reports whether the attribute has changed while tracking was stopped: to
// another value than the one announced before. It returns the source of the change.
func (a *Attribute[T]) WhileStopped(states States, v *T) (source Source, changed bool) {
	last := states.find(a.Name)
	if last == nil || last.Waiting == nil {
		return Source{}, false
	}
	is := a.value(v)
	return *last.Waiting, !is.muted && is.sum != last.Sum
}
