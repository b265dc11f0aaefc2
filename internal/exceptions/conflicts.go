package exceptions

import (
	"cmp"
	"slices"
	"time"

	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/internal/journey"
)

// findCheckDigit finds a number that is not one of ISO 6346.
func (f *finder) findCheckDigit(c *journey.ContainerJourney) {
	if freight.IsContainerNumber(c.Number) {
		return
	}
	first := -1
	for i, fact := range f.Facts {
		if !fact.Retracted && fact.NamesContainer(c.Number) && (first < 0 || fact.RecordedAt.Before(f.recorded(first))) {
			first = i
		}
	}
	e := Exception{Kind: DataConflict, Container: c.Number, Key: "check_digit", Severity: Low, OpenedAt: f.recorded(first)}
	e.Text = "The container number " + c.Number + " is not one of ISO 6346, or its check digit is wrong."
	f.add(e, first)
}

// journeyOrder is what happens to a container in this order: its name, and the events.
var journeyOrder = [...]struct {
	name   string
	events []freight.EventName
}{
	{"loaded at the port of lading", []freight.EventName{freight.VesselLoaded, freight.FeederLoaded}},
	{"departed from the port of lading", []freight.EventName{freight.VesselDeparted, freight.FeederDeparted}},
	{"arrived at the port of discharge", []freight.EventName{freight.VesselArrived, freight.FeederArrived}},
	{"discharged at the port of discharge", []freight.EventName{freight.VesselDischarged, freight.FeederDischarged}},
	{"picked up", []freight.EventName{freight.FullOut}},
	{"returned empty", []freight.EventName{freight.EmptyIn}},
}

// findOrder finds milestones that cannot have happened in the order of their times.
func (f *finder) findOrder(c *journey.ContainerJourney) {
	at := [...]freight.Moment{c.POLLoadedAt, c.POLDepartedAt, c.PODArrivedAt, c.PODDischargedAt, c.PODFullOutAt, c.EmptyTerminatedAt}
	for i := 1; i < len(at); i++ {
		if at[i-1].IsZero() || at[i].IsZero() || at[i-1].Compare(at[i]) <= 0 || sameDay(at[i-1], at[i]) {
			continue
		}
		before, after := &journeyOrder[i-1], &journeyOrder[i]
		a, b := f.at(c, at[i-1], before.events), f.at(c, at[i], after.events)
		e := Exception{Kind: DataConflict, Container: c.Number, Key: "order/" + after.name, Severity: Low, OpenedAt: latest(f.recorded(a), f.recorded(b))}
		e.Text = "Container " + c.Number + " is reported as " + after.name + " " + days(at[i-1].Time.Sub(at[i].Time)) + " before it " + pastTense(before.name) + "."
		f.add(e, a, b)
	}
}

// findEarlyDischarge finds a discharge before the ship has arrived: the derivation does not count
// such an arrival, because the container was not aboard any more.
func (f *finder) findEarlyDischarge(c *journey.ContainerJourney) {
	for _, l := range c.Legs {
		if l.Landed < 0 || l.LandedAt.IsZero() || f.Facts[l.Landed].Activity != freight.Discharge {
			continue
		}
		late, was := f.arrivalAfter(&l)
		if late < 0 || was {
			continue
		}
		e := Exception{Kind: DataConflict, Container: c.Number, Key: "arrival/" + l.To.LOCODE, Severity: Low, OpenedAt: latest(f.recorded(late), f.recorded(l.Landed))}
		e.Text = "Container " + c.Number + " is reported as discharged at " + placeName(l.To) + " " + days(f.Facts[late].At.Time.Sub(l.LandedAt.Time)) + " before its ship arrived."
		f.add(e, late, l.Landed)
	}
}

// mistypedBy is by how many days a date is mistyped at most; a longer time is between two visits.
const mistypedBy = 3 * day

// arrivalAfter is the first arrival of the ship of a leg at its end after the discharge, and
// whether the ship is reported there before, or left in between: then it is another visit.
func (f *finder) arrivalAfter(l *journey.Leg) (late int, other bool) {
	late = -1
	for _, i := range f.calls[l.To.LOCODE] {
		fact := f.Facts[i]
		if !isShip(fact, l.Vessel) || fact.At.Time.Sub(l.LandedAt.Time).Abs() > mistypedBy {
			continue
		}
		if fact.At.Compare(l.LandedAt) <= 0 {
			return late, true
		}
		if fact.Activity == freight.Arrival && (late < 0 || fact.At.Time.Before(f.Facts[late].At.Time)) {
			late = i
		}
	}
	return late, late >= 0 && slices.ContainsFunc(f.calls[l.To.LOCODE], func(i int) bool {
		fact := f.Facts[i]
		return fact.Activity == freight.Departure && isShip(fact, l.Vessel) && fact.At.Time.After(l.LandedAt.Time) && fact.At.Time.Before(f.Facts[late].At.Time)
	})
}

// findCalls indexes the arrivals, berthings and departures of ships that have happened.
func (f *finder) findCalls() {
	f.calls = map[string][]int{}
	for i, fact := range f.Facts {
		switch fact.Activity {
		case freight.Arrival, freight.Berth, freight.Departure:
			if isActual(fact) && !f.isSuperseded(i) && !fact.At.IsZero() {
				f.calls[fact.Place.LOCODE] = append(f.calls[fact.Place.LOCODE], i)
			}
		}
	}
	for _, list := range f.calls {
		f.sortByTime(list)
	}
}

// sortByTime sorts facts by the times that they state, so that their own order does not matter.
func (f *finder) sortByTime(list []int) {
	slices.SortFunc(list, func(a, b int) int {
		x, y := f.Facts[a], f.Facts[b]
		return cmp.Or(x.At.Time.Compare(y.At.Time), x.RecordedAt.Compare(y.RecordedAt), cmp.Compare(x.Source, y.Source), cmp.Compare(x.Arrival, y.Arrival))
	})
}

func isShip(f *journey.LoggedFact, v freight.VesselRef) bool {
	return f.Vessel.IMO != "" && f.Vessel.IMO == v.IMO || f.Vessel.Name != "" && f.Vessel.Name == v.Name
}

// pastTense completes "before it ...".
func pastTense(name string) string {
	if len(name) > 7 && (name[:7] == "arrived" || name[:8] == "departed") {
		return name
	}
	return "was " + name
}

// sameDay reports whether two times may be of one day: one of them is known by its date alone.
func sameDay(a, b freight.Moment) bool {
	return (a.Day || b.Day || a.Floating || b.Floating) && a.Time.Sub(b.Time).Abs() < day
}

// at is the fact of the milestone of a time.
func (f *finder) at(c *journey.ContainerJourney, at freight.Moment, events []freight.EventName) int {
	for _, m := range c.Milestones {
		if m.At == at && slices.Contains(events, m.Event) {
			return m.Fact
		}
	}
	return -1
}

// findConflicts compares what different sources say of one move, and of the arrival.
func (f *finder) findConflicts() {
	if !f.hasSources() {
		return
	}
	f.compareMoves()
	f.compareEstimates()
}

// hasSources reports whether the facts come from more than one source.
func (f *finder) hasSources() bool {
	return slices.ContainsFunc(f.Facts, func(fact *journey.LoggedFact) bool { return fact.Source != f.Facts[0].Source })
}

// move is what a fact says of a container.
type move struct {
	container string
	activity  freight.Activity
	load      freight.LoadStatus
	locode    string
}

// sameVisit is how far apart two reports of one visit may be; a longer time is between two.
const sameVisit = week

// compareMoves finds moves for which two sources have times that differ by more than the limit.
func (f *finder) compareMoves() {
	reports := map[move][]int{}
	for i, fact := range f.Facts {
		if f.isSuperseded(i) || !isActual(fact) || !fact.IsMove() || fact.At.IsZero() || fact.Place.LOCODE == "" || fact.At.Time.After(fact.RecordedAt.Add(15*time.Hour)) {
			continue
		}
		for _, n := range freight.FoldContainers(fact.Containers) {
			key := move{n, fact.Activity, fact.LoadStatus, fact.Place.LOCODE}
			reports[key] = append(reports[key], i)
		}
	}
	for key, list := range reports {
		if a, b := f.disagree(list); a >= 0 {
			e := Exception{Kind: DataConflict, Container: key.container, Key: string(key.activity) + "/" + string(key.load) + "/" + key.locode, Severity: Low, OpenedAt: latest(f.recorded(a), f.recorded(b))}
			apart := f.Facts[a].At.Time.Sub(f.Facts[b].At.Time).Abs()
			e.Text = "Two sources differ by " + days(apart) + " about the " + activityName[key.activity] + " of container " + key.container + " at " + nameOf(f.Facts[a], f.Facts[b]) + "."
			f.add(e, a, b)
		}
	}
}

func (f *finder) isSuperseded(i int) bool {
	return f.Facts[i].Retracted || i >= len(f.Journey.Facts) || f.Journey.Facts[i].Superseded
}

func isActual(f *journey.LoggedFact) bool {
	return f.Classifier == "" || f.Classifier == freight.Actual
}

// disagree finds the two facts of different sources that are farthest apart, each of them the
// nearest that the other source has; -1 where none differ by more than the limit.
func (f *finder) disagree(list []int) (a, b int) {
	a, b = -1, -1
	var most time.Duration
	f.sortByTime(list)
	for _, i := range list {
		near, gap := f.nearest(list, i)
		if near < 0 {
			continue
		}
		if _, back := f.nearest(list, near); back < gap {
			continue // it is of another visit
		}
		limit := f.Conflict
		if f.Facts[i].At.Day || f.Facts[near].At.Day || f.Facts[i].At.Floating || f.Facts[near].At.Floating {
			limit += day
		}
		if gap > limit && gap < sameVisit && gap > most {
			a, b, most = i, near, gap
		}
	}
	return a, b
}

// nearest is the fact of another source whose time is nearest to that of a fact; -1 for none.
func (f *finder) nearest(list []int, i int) (near int, gap time.Duration) {
	near = -1
	for _, k := range list {
		if apart := f.Facts[i].At.Time.Sub(f.Facts[k].At.Time).Abs(); f.Facts[k].Source != f.Facts[i].Source && (near < 0 || apart < gap) {
			near, gap = k, apart
		}
	}
	return near, gap
}

// compareEstimates compares the last estimates of the arrival that the sources have recorded
// within a week of each other, for one ship.
func (f *finder) compareEstimates() {
	j := f.Journey
	if !j.PODATA.IsZero() || j.POD.LOCODE == "" || f.isAshore() {
		return
	}
	last := map[string]int{} // by source
	for i, fact := range f.Facts {
		if f.isSuperseded(i) || isActual(fact) || fact.Activity != freight.Arrival || fact.Place.LOCODE != j.POD.LOCODE || fact.At.IsZero() || len(fact.Containers) > 0 {
			continue
		}
		if k, ok := last[fact.Source]; !ok || f.recorded(k).Before(fact.RecordedAt) || f.recorded(k).Equal(fact.RecordedAt) && f.Facts[k].Arrival < fact.Arrival {
			last[fact.Source] = i
		}
	}
	a, b := -1, -1
	var most time.Duration
	for _, i := range last {
		for _, k := range last {
			x, y := f.Facts[i], f.Facts[k]
			apart := x.At.Time.Sub(y.At.Time)
			if apart > f.Conflict && apart > most && x.RecordedAt.Sub(y.RecordedAt).Abs() <= week && !differentShips(x, y) {
				a, b, most = i, k, apart
			}
		}
	}
	if a < 0 {
		return
	}
	e := Exception{Kind: DataConflict, Key: "eta", Severity: Low, OpenedAt: latest(f.recorded(a), f.recorded(b))}
	e.Text = "Two sources differ by " + days(most) + " about the arrival at " + placeName(j.POD) + ": " + date(f.Facts[b].At) + " and " + date(f.Facts[a].At) + "."
	f.add(e, a, b)
}

func differentShips(a, b *journey.LoggedFact) bool {
	switch {
	case a.Vessel.IMO != "" && b.Vessel.IMO != "":
		return a.Vessel.IMO != b.Vessel.IMO
	case a.Vessel.Name != "" && b.Vessel.Name != "":
		return a.Vessel.Name != b.Vessel.Name
	}
	return false
}
