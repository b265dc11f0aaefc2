package debounce_test

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/landfallhq/tracking/internal/debounce"
)

const window = 15 * time.Minute

var noon = time.Date(2026, 2, 1, 12, 0, 0, 0, time.UTC)

// ship has two attributes whose changes are announced. An empty text is not known.
type ship struct {
	eta, etd string
	arrived  bool
}

func attribute(name string, of func(*ship) string, muted func(*ship) bool) debounce.Attribute[ship] {
	return debounce.Attribute[ship]{
		Name: name, Muted: muted,
		Same:  func(a, b *ship) bool { return of(a) == of(b) },
		Value: func(s *ship) any { return of(s) },
	}
}

var attributes = []debounce.Attribute[ship]{
	attribute("etd", func(s *ship) string { return s.etd }, func(s *ship) bool { return s.etd == "" }),
	attribute("eta", func(s *ship) string { return s.eta }, func(s *ship) bool { return s.eta == "" || s.arrived }),
}

// history is a ship and the states that are stored with it.
type history struct {
	ship
	states debounce.States
	now    time.Time
}

func (h *history) debouncer() *debounce.Debouncer {
	return &debounce.Debouncer{Now: h.now, End: func() time.Time { return h.now.Add(window) }}
}

// become changes the ship, and returns what is announced.
func (h *history) become(next ship) (announced []string) {
	return h.with(h.debouncer(), next)
}

func (h *history) with(d *debounce.Debouncer, next ship) (announced []string) {
	due, states := debounce.Changes(d, attributes, h.states, &h.ship, &next, func(string) debounce.Source { return debounce.Source{} })
	for _, c := range due {
		announced = append(announced, c.Name+" "+string(c.Before)+" "+string(c.After))
	}
	h.ship, h.states = next, states
	return announced
}

// pass lets time pass. Where a window ends, the waiting changes are announced.
func (h *history) pass(d time.Duration) (announced []string) {
	until := h.now.Add(d)
	for {
		end := h.states.NextEnd(func(string) bool { return true })
		if end.IsZero() || end.After(until) {
			h.now = until
			return announced
		}
		h.now = end
		announced = append(announced, h.become(h.ship)...)
	}
}

func TestMuted(t *testing.T) {
	for _, row := range []struct {
		name  string
		steps []ship // an hour apart
		want  []string
	}{
		{"withdrawn and reported again, after a change of another attribute",
			[]ship{{etd: "0", eta: "1"}, {etd: "0", eta: "2"}, {etd: "0"}, {etd: "1"}, {etd: "1", eta: "2"}},
			[]string{`eta "1" "2"`, `etd "0" "1"`}},
		{"changed while the actual time was known",
			[]ship{{eta: "1"}, {eta: "1", arrived: true}, {eta: "2", arrived: true}, {eta: "2"}},
			[]string{`eta "1" "2"`}},
		{"changed there and back while the actual time was known",
			[]ship{{eta: "1"}, {eta: "1", arrived: true}, {eta: "2", arrived: true}, {eta: "1", arrived: true}, {eta: "1"}},
			nil},
	} {
		h := history{ship: row.steps[0], now: noon}
		var got []string
		for _, next := range row.steps[1:] {
			h.now = h.now.Add(time.Hour)
			got = append(got, h.become(next)...)
		}
		if !slices.Equal(got, row.want) {
			t.Errorf("%s: %q, want %q", row.name, got, row.want)
		}
	}
}

// TestEqualValuesOfDifferentRecords: Same may report false for values that are shown
// alike, such as times within one second.
func TestEqualValuesOfDifferentRecords(t *testing.T) {
	list := slices.Clone(attributes)
	for i := range list {
		list[i].Same = func(a, b *ship) bool { return false }
	}
	h := history{now: noon}
	for _, step := range [][2]ship{{{eta: "1"}, {eta: "1", arrived: true}}, {{eta: "1", arrived: true}, {eta: "1"}}} {
		due, states := debounce.Changes(h.debouncer(), list, nil, &step[0], &step[1], nil)
		if len(due)+len(states) > 0 {
			t.Errorf("%v: %v, %v", step, due, states)
		}
	}
}

func TestModes(t *testing.T) {
	for _, row := range []struct {
		mode      debounce.Mode
		from      ship
		announced []string // at once
		later     []string // by the next change, back to the first value
	}{
		{debounce.Announce, ship{eta: "1"}, []string{`eta "1" "2"`}, []string{`eta "2" "1"`}},
		{debounce.FirstAnswer, ship{}, nil, nil},
		{debounce.FirstAnswer, ship{eta: "1"}, []string{`eta "1" "2"`}, []string{`eta "2" "1"`}},
		{debounce.Silent, ship{eta: "1"}, nil, []string{`eta "2" "1"`}},
		{debounce.NewRules, ship{eta: "1"}, nil, nil}, // it is again what was announced last
		{debounce.Stopped, ship{eta: "1"}, nil, nil},
	} {
		h := history{ship: row.from, now: noon}
		d := h.debouncer()
		d.Mode = row.mode
		if got := h.with(d, ship{eta: "2"}); !slices.Equal(got, row.announced) {
			t.Errorf("mode %d: %q at once, want %q", row.mode, got, row.announced)
		}
		if _, changed := attributes[1].WhileStopped(h.states, &h.ship); changed != (row.mode == debounce.Stopped) {
			t.Errorf("mode %d: changed while stopped: %t", row.mode, changed)
		}
		h.now = h.now.Add(time.Hour)
		if got := h.become(row.from); !slices.Equal(got, row.later) {
			t.Errorf("mode %d: %q later, want %q", row.mode, got, row.later)
		}
	}
}

// TestDifferences: what new rules have changed is announced on request, or with the next
// change.
func TestDifferences(t *testing.T) {
	h := history{ship: ship{eta: "1"}, now: noon}
	d := h.debouncer()
	d.Mode = debounce.NewRules
	h.with(d, ship{eta: "2"})
	if got := h.become(h.ship); got != nil {
		t.Errorf("without a change: %q", got)
	}
	d.Mode, d.Differences = debounce.Announce, true
	if got, want := h.with(d, h.ship), []string{`eta "1" "2"`}; !slices.Equal(got, want) {
		t.Errorf("on request: %q, want %q", got, want)
	}
}

// TestSettles draws values of an attribute: a window has at most eight announcements, two
// in sequence differ, and what was announced last is the value at rest.
func TestSettles(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		h := history{ship: ship{eta: "a"}, now: noon}
		var announced []string
		var when []time.Time
		add := func(list []string) {
			for _, text := range list {
				announced, when = append(announced, text), append(when, h.now)
			}
		}
		values := rapid.IntRange(2, 20).Draw(r, "values")
		for range rapid.IntRange(1, 80).Draw(r, "changes") {
			add(h.pass(time.Duration(rapid.IntRange(0, 10).Draw(r, "minutes")) * time.Minute))
			next := h.ship
			next.eta, next.arrived = string(rune('a'+rapid.IntRange(0, values-1).Draw(r, "value"))), rapid.IntRange(0, 9).Draw(r, "arrived") == 0
			before := h.states
			add(h.become(next))
			if again := h.become(next); again != nil {
				r.Fatalf("%v repeated announces %q (states %v)", next, again, before)
			}
		}
		h.ship.arrived = false
		add(h.become(ship{eta: h.eta}))
		add(h.pass(time.Hour))
		last := `"a"`
		for i, text := range announced {
			if want := "eta " + last + " "; text[:len(want)] != want {
				r.Fatalf("%q does not continue %s: %q", text, last, announced)
			}
			if next := text[len("eta ")+len(last)+1:]; next == last {
				r.Fatalf("announced twice in sequence: %q", announced)
			} else {
				last = next
			}
			// A window has nine at most, with the one that opens it, and any time as
			// long as one touches two.
			if i >= 18 && when[i].Sub(when[i-18]) < window {
				r.Fatalf("nineteen announcements in two windows: %v", when)
			}
		}
		if len(announced) > 0 && last != `"`+h.eta+`"` {
			r.Fatalf("at rest it is %q, announced were %q", h.eta, announced)
		}
	})
}

func TestEvents(t *testing.T) {
	h := history{now: noon}
	announce := func(list ...debounce.EventChange) (waits bool) {
		h.states, waits = h.debouncer().Announce(h.states, list...)
		return waits
	}
	yes, no := debounce.EventChange{Topic: "a", Before: 1, After: 2}, debounce.EventChange{Topic: "a", Before: 2, After: 1}
	other := debounce.EventChange{Topic: "b", Before: 3, After: 4}
	if announce(yes) {
		t.Error("the first change waits")
	}
	if !announce(no, other) {
		t.Error("a change back does not wait, or what belongs to it")
	}
	if announce(other) {
		t.Error("a change waits because of another topic")
	}
	every := func(string) bool { return true }
	if _, ended := h.debouncer().EndWindows(h.states, every); ended || !h.states.NextEnd(every).Equal(noon.Add(window)) {
		t.Errorf("the window ends too early: %v", h.states)
	}
	h.now = noon.Add(window)
	if sum, ended := h.debouncer().Ended(h.states, "a"); sum != 2 || !ended {
		t.Errorf("Ended: %d, %t", sum, ended)
	}
	states, ended := h.debouncer().EndWindows(h.states, every)
	if h.states = states; !ended || !states.NextEnd(every).IsZero() || announce(no) {
		t.Errorf("the window does not end: %v", states)
	}
}
