package correction_test

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/internal/correction"
	"github.com/landfallhq/tracking/internal/debounce"
)

// shipment has the stored events of a shipment with one container. Its ports are all
// known by their names too, and no two IDs are one vessel.
type shipment struct {
	events  map[uuid.UUID]correction.Event
	current map[uuid.UUID]uuid.UUID
	former  map[uuid.UUID]milestone // of the last update, by the first versions
	states  debounce.States
	now     time.Time
}

var container = id("container")

func id(text string) uuid.UUID { return uuid.NewSHA1(uuid.UUID{}, []byte(text)) }

func newShipment() *shipment {
	return &shipment{events: map[uuid.UUID]correction.Event{}, current: map[uuid.UUID]uuid.UUID{}, former: map[uuid.UUID]milestone{}, now: at("2026-02-01T00:00:00Z")}
}

func (s *shipment) Read(id uuid.UUID) *correction.Event {
	e, ok := s.events[id]
	if !ok {
		return nil
	}
	return &e
}

func (s *shipment) Valid(uuid.UUID) (list []*correction.Event) {
	for _, e := range s.valid() {
		list = append(list, &e)
	}
	return list
}

func (s *shipment) Next(of uuid.UUID) uuid.UUID                  { return id(of.String() + "/next") }
func (s *shipment) UseVersion(first, id uuid.UUID)               { s.current[first] = id }
func (s *shipment) PortByName(locode string) uuid.UUID           { return id(locode + " by name") }
func (s *shipment) VesselKey(id uuid.UUID) uuid.UUID             { return id }
func (s *shipment) SameFact(_, _ uuid.UUID) bool                 { return false }
func (s *shipment) Availability(_ uuid.UUID) []*correction.Event { return nil }

// milestone is a milestone at a port, at a minute of an hour.
type milestone struct {
	name   freight.EventName
	locode string
	minute int
	voyage string
}

func (m milestone) event(first time.Time) *correction.Event {
	return &correction.Event{
		ID: id(string(m.name) + m.locode), Container: container, Name: m.name, Location: id(m.locode), LOCODE: m.locode, Fact: id(m.locode),
		Values: correction.Values{Timestamp: first.Add(time.Duration(m.minute) * time.Minute), Timezone: "Etc/UTC", Voyage: m.voyage},
	}
}

// options change an update.
type options struct{ silent, leaves, stopped bool }

// derive updates the events to those milestones, a day later, and returns what was
// announced and the changes for container.updated, as "announced minute", "-name", "+name".
// As in the engine, the update sees only the milestones that have changed, and their events.
func (s *shipment) derive(o options, is ...milestone) (said []string) {
	first := at("2026-01-01T00:00:00Z")
	s.now = s.now.Add(24 * time.Hour)
	current := s.current
	s.current = map[uuid.UUID]uuid.UUID{}
	changed, former := s.former, map[uuid.UUID]milestone{}
	var derived []*correction.Event
	for _, m := range is {
		e := m.event(first)
		former[e.ID] = m
		if was, known := changed[e.ID]; known && was == m {
			delete(changed, e.ID)
			s.current[e.ID] = cmp.Or(current[e.ID], e.ID)
			continue
		}
		derived = append(derived, e)
	}
	s.former = former
	u := s.newUpdate()
	for _, e := range derived {
		changed[e.ID] = milestone{}
	}
	for _, id := range correction.FormerIDs(maps.Keys(changed), current, s.current) {
		if e := s.Read(id); e != nil {
			u.Add([]*correction.Event{e})
		}
	}
	u.Corrections = !o.silent
	u.Containers = map[uuid.UUID]correction.Container{container: {AnnounceStates: &s.states, Leaves: o.leaves}}
	u.Run(derived, current, func(*correction.Event) correction.Timing {
		switch {
		case o.silent:
			return correction.AnnounceNever
		case o.stopped:
			return correction.AnnounceOnceFollowed
		}
		return correction.AnnounceNow
	})
	return s.save(u)
}

func compareIDs(a, b uuid.UUID) int { return strings.Compare(a.String(), b.String()) }

func (s *shipment) newUpdate() *correction.Update {
	return &correction.Update{Now: s.now, Stored: s, Debouncer: &debounce.Debouncer{Now: s.now, End: func() time.Time { return s.now.Add(48 * time.Hour) }}}
}

// update is an update that has read all events.
func (s *shipment) update() *correction.Update {
	u := s.newUpdate()
	for _, key := range slices.SortedFunc(maps.Keys(s.events), compareIDs) {
		e := s.events[key]
		u.Add([]*correction.Event{&e})
	}
	return u
}

func (s *shipment) save(u *correction.Update) (said []string) {
	for _, e := range u.Changed() {
		if e.NewlyAnnounced() {
			said = append(said, label(e))
		}
		e.Version++
		s.events[e.ID] = *e
	}
	for _, c := range u.Changes() {
		for _, e := range c.Before {
			said = append(said, "-"+label(e))
		}
		for _, e := range c.After {
			said = append(said, "+"+label(e))
		}
	}
	return said
}

// label is the name of an event with its minute.
func label(e *correction.Event) string {
	return strings.TrimPrefix(string(e.Name), "container.transport.") + e.Timestamp.Format(" 04")
}

// valid are the events that are valid.
func (s *shipment) valid() (list []correction.Event) {
	for _, e := range s.events {
		if e.InvalidatedAt.IsZero() {
			list = append(list, e)
		}
	}
	return list
}

func TestUpdate(t *testing.T) {
	type step struct {
		options
		is   []milestone
		want string // what is announced
	}
	out := func(minute int) milestone { return milestone{freight.FullOut, "USLAX", minute, ""} }
	is := func(list ...milestone) []milestone { return list }
	for _, row := range []struct {
		name   string
		steps  []step
		events int // stored
	}{
		{"a correction is a new version", []step{{is: is(out(1)), want: "full_out 01"}, {is: is(out(9)), want: "full_out 09"}}, 2},
		{"a minute is none", []step{{is: is(out(1)), want: "full_out 01"}, {is: is(out(2))}}, 1},
		{"a completion is none", []step{{is: is(out(1)), want: "full_out 01"}, {is: is(milestone{freight.FullOut, "USLAX", 1, "214E"})}}, 1},
		{"a completed value is corrected", []step{{is: is(out(1)), want: "full_out 01"}, {is: is(milestone{freight.FullOut, "USLAX", 1, "214E"})}, {is: is(milestone{freight.FullOut, "USLAX", 9, "215E"}), want: "full_out 09"}}, 2},
		{"history changes in place", []step{{options: options{silent: true}, is: is(out(1))}, {is: is(out(9))}}, 1},
		{"another name", []step{{is: is(milestone{freight.TransshipmentArrived, "USLAX", 1, ""}), want: "transshipment_arrived 01"},
			{is: is(milestone{freight.VesselArrived, "USLAX", 1, ""}), want: "vessel_arrived 01 -transshipment_arrived 01 +vessel_arrived 01"}}, 2},
		{"another port", []step{{is: is(out(1)), want: "full_out 01"}, {is: is(milestone{freight.FullOut, "USLGB", 1, ""}), want: "full_out 01"}}, 2},
		{"no longer a milestone", []step{{is: is(out(1)), want: "full_out 01"}, {want: "-full_out 01"}}, 1},
		{"one that comes again is a new version", []step{{is: is(out(1)), want: "full_out 01"}, {want: "-full_out 01"}, {}, {}, {is: is(out(1)), want: "full_out 01"}}, 2},
		{"one that comes again before its end was announced", []step{{is: is(out(1)), want: "full_out 01"}, {options: options{silent: true}}, {is: is(out(1))}}, 1},
		{"a silent correction is announced with the next", []step{{is: is(out(1)), want: "full_out 01"}, {options: options{silent: true}, is: is(out(9))}, {is: is(out(12)), want: "full_out 12"}}, 2},
		{"a silent correction that is taken back", []step{{is: is(out(1)), want: "full_out 01"}, {options: options{silent: true}, is: is(out(9))}, {is: is(out(1))}}, 2},
		{"one that came again in silence is announced with the next", []step{{is: is(out(1)), want: "full_out 01"}, {want: "-full_out 01"}, {}, {}, {options: options{silent: true}, is: is(out(1))}, {is: is(out(2)), want: "full_out 02"}}, 2},
		{"one that comes again ends the succession of another", []step{{is: is(out(10)), want: "full_out 10"},
			{options: options{silent: true}, is: is(milestone{freight.VesselArrived, "USLAX", 1, ""})},
			{options: options{silent: true}, is: is(out(10), milestone{freight.VesselArrived, "USLAX", 1, ""})},
			{is: is(out(30), milestone{freight.VesselArrived, "USLAX", 1, ""}), want: "full_out 30"}}, 3},
		{"a container that leaves and returns", []step{{is: is(out(1)), want: "full_out 01"}, {options: options{leaves: true}}, {is: is(out(1)), want: "full_out 01"}}, 2},
		{"one that waited, ended and comes back", []step{{options: options{stopped: true}, is: is(out(1))}, {options: options{stopped: true}}, {is: is(out(1)), want: "full_out 01"}}, 1},
		{"one that waited under another name", []step{{options: options{stopped: true}, is: is(milestone{freight.TransshipmentArrived, "USLAX", 1, ""})},
			{options: options{stopped: true}, is: is(milestone{freight.VesselArrived, "USLAX", 1, ""})}, {options: options{stopped: true}},
			{is: is(milestone{freight.VesselArrived, "USLAX", 1, ""}), want: "vessel_arrived 01"}}, 2},
		{"an event that represents another milestone now", []step{{is: is(milestone{freight.FullOut, "USLGB", 1, ""}), want: "full_out 01"},
			{options: options{silent: true}, is: is(out(1))}, {is: is(milestone{freight.VesselDischarged, "USLAX", 1, ""}), want: "vessel_discharged 01 -full_out 01 +vessel_discharged 01"},
			{is: is(milestone{freight.VesselDischarged, "USLAX", 1, ""}, out(1)), want: "full_out 01"}}, 3},
		{"a value that returns in its window waits", []step{{is: is(out(1)), want: "full_out 01"}, {is: is(out(9)), want: "full_out 09"}, {is: is(out(1))}}, 3},
	} {
		s := newShipment()
		for i, st := range row.steps {
			if said := strings.Join(s.derive(st.options, st.is...), " "); said != st.want {
				t.Errorf("%s: step %d announces %q, want %q", row.name, i+1, said, st.want)
			}
		}
		if len(s.events) != row.events {
			t.Errorf("%s: %d events, want %d", row.name, len(s.events), row.events)
		}
	}
}

// endWindows passes three days, and returns what is announced then.
func (s *shipment) endWindows() []string {
	s.now = s.now.Add(72 * time.Hour)
	u := s.update()
	s.states, _ = u.Debouncer.EndWindows(s.states, correction.IsMilestoneTopic)
	u.Corrections, u.Containers = true, map[uuid.UUID]correction.Container{container: {AnnounceStates: &s.states}}
	u.AnnounceDue()
	return s.save(u)
}

// TestEndOfWindow: a correction that has waited is announced at the end of its window.
func TestEndOfWindow(t *testing.T) {
	s := newShipment()
	for _, minute := range []int{1, 9, 1} {
		s.derive(options{}, milestone{freight.FullOut, "USLAX", minute, ""})
	}
	if said := s.endWindows(); !slices.Equal(said, []string{"full_out 01"}) {
		t.Errorf("announced %q", said)
	}
}

// TestAnnounceDifferences: an event whose withdrawal was announced and that has come back
// in silence differs from what was announced last.
func TestAnnounceDifferences(t *testing.T) {
	s := newShipment()
	m := milestone{freight.FullOut, "USLAX", 1, ""}
	for _, step := range []struct {
		options
		is []milestone
	}{{is: []milestone{m}}, {}, {}, {}, {options{silent: true}, []milestone{m}}} {
		s.derive(step.options, step.is...)
	}
	for _, want := range [][]string{{"full_out 01"}, nil} {
		u := s.update()
		u.Corrections, u.Containers = true, map[uuid.UUID]correction.Container{container: {AnnounceStates: &s.states}}
		u.AnnounceDifferences()
		if said := s.save(u); !slices.Equal(said, want) {
			t.Errorf("announced %q, want %q", said, want)
		}
	}
}

// TestResume: events of a stopped shipment are announced when it is followed again.
func TestResume(t *testing.T) {
	s := newShipment()
	if said := s.derive(options{stopped: true}, milestone{freight.FullOut, "USLAX", 9, ""}, milestone{freight.VesselArrived, "USLAX", 1, ""}); said != nil {
		t.Fatalf("announced %q while stopped", said)
	}
	valid := s.valid()
	for _, announce := range []bool{false, true} {
		u := &correction.Update{Now: s.now, Stored: s}
		u.AnnouncePending([]*correction.Event{&valid[0], &valid[1]}, time.Time{}, announce)
		var want []string
		if announce {
			want = []string{"vessel_arrived 01", "full_out 09"}
		}
		if said := s.save(u); !slices.Equal(said, want) {
			t.Errorf("announced %q, want %q", said, want)
		}
	}
}

var drawMilestones = rapid.Custom(func(r *rapid.T) []milestone {
	names := []freight.EventName{freight.FullOut, freight.VesselArrived, freight.TransshipmentArrived, freight.VesselDischarged}
	return rapid.SliceOfNDistinct(rapid.Custom(func(r *rapid.T) milestone {
		return milestone{
			rapid.SampledFrom(names).Draw(r, "name"), rapid.SampledFrom([]string{"USLAX", "USLGB"}).Draw(r, "port"),
			5 * rapid.IntRange(0, 3).Draw(r, "minute"), rapid.SampledFrom([]string{"", "1", "2"}).Draw(r, "voyage"),
		}
	}), 0, 5, func(m milestone) string { return string(m.name) + m.locode }).Draw(r, "milestones")
})

// TestAllIsAnnounced: after any updates that were not silent, and the end of the windows,
// each valid event has been announced.
func TestAllIsAnnounced(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		s := newShipment()
		for range rapid.IntRange(1, 8).Draw(r, "updates") {
			s.derive(options{}, drawMilestones.Draw(r, "is")...)
		}
		for s.endWindows() != nil { // a withdrawal that waited opens a window again
		}
		for _, e := range s.valid() {
			if e.AnnouncedAt.IsZero() {
				r.Fatalf("never announced: %s at %s", label(&e), e.LOCODE)
			}
		}
	})
}

// TestVersions: after any updates each milestone has one valid event, which stays with the
// same milestones, and what was announced of an event stays.
func TestVersions(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		s := newShipment()
		for range rapid.IntRange(1, 6).Draw(r, "updates") {
			o := options{silent: rapid.Bool().Draw(r, "silent")}
			is := drawMilestones.Draw(r, "is")
			before := maps.Clone(s.events)
			s.derive(o, is...)
			s.check(r, is, before)
			stood := s.validLabels()
			if s.derive(options{silent: true}, is...); !slices.Equal(s.validLabels(), stood) {
				r.Fatalf("the same milestones leave %q valid instead of %q", s.validLabels(), stood)
			}
		}
	})
}

func (s *shipment) validLabels() (list []string) {
	for _, e := range s.valid() {
		list = append(list, label(&e)+" "+e.LOCODE)
	}
	slices.Sort(list)
	return list
}

func (s *shipment) check(r *rapid.T, is []milestone, before map[uuid.UUID]correction.Event) {
	if valid := s.valid(); len(valid) != len(is) {
		r.Fatalf("%d milestones have %d valid events", len(is), len(valid))
	}
	for _, e := range s.events {
		was := before[e.ID]
		if !was.AnnouncedAt.IsZero() && (e.AnnouncedAt != was.AnnouncedAt || e.AnnouncedAs() != was.AnnouncedAs().CompletedBy(e.Values) || e.Name != was.Name) {
			r.Fatalf("announced as %+v, and now %+v", was, e)
		}
		if former, ok := s.events[e.Previous]; ok && e.InvalidatedAt.IsZero() && former.InvalidatedAt.IsZero() {
			r.Fatalf("%+v replaces the valid %+v", e, former)
		}
	}
}
