package freetime

import (
	"cmp"
	"slices"
	"time"
)

// A FactType is what a fact reports.
type FactType string

// The types of facts. Where tracking has an event for a type, its name is the same.
const (
	Discharged      FactType = "vessel_discharged" // off the ship: opens Demurrage and Combined
	RailArrived     FactType = "rail_arrived"      // the train is in: opens nothing
	RailUnloaded    FactType = "rail_unloaded"     // on the ground of the ramp: opens RailStorage
	RailLoaded      FactType = "rail_loaded"       // leaves the yard of the port by rail: ends Demurrage, as FullOut does
	FullOut         FactType = "full_out"          // through the gate: ends Demurrage and RailStorage, opens Detention and PerDiem
	EmptyIn         FactType = "empty_in"          // the empty is back: ends Detention, PerDiem and Combined
	Available       FactType = "available"         // the terminal's word, until its next
	NotAvailable    FactType = "not_available"     // likewise
	Held            FactType = "held"              // a hold is in force
	Released        FactType = "released"          // the hold of that name no longer is
	Closed          FactType = "closed"            // the terminal, ramp or depot is closed for a day
	LastFreeDayFact FactType = "last_free_day"     // a party reports a last free day
)

// A Facility is what a closure is of.
type Facility string

// The facilities.
const (
	Terminal Facility = "terminal"
	Ramp     Facility = "ramp"
	Depot    Facility = "depot" // where the empty is returned
)

// A Party is whose word a last free day is.
type Party string

// The parties.
const (
	PartyLine     Party = "line"
	PartyTerminal Party = "terminal"
	PartyRail     Party = "rail"
)

// A Fact is something that was reported about the container.
type Fact struct {
	// Name identifies the fact: days of a ledger name the facts behind them. It should be
	// unique in a history.
	Name string
	Type FactType

	// At is when it happened. For a last free day it is a moment of that day, by
	// convention its midnight. Closures have none. A fact without a time does not count.
	At time.Time
	// RecordedAt is when it became known; zero is the moment At.
	RecordedAt time.Time
	// Zone is that of the place of the fact, and gives it its date. Nil is the zone of
	// the history.
	Zone *time.Location
	// Place is the UN/LOCODE. A fact of another place than the history's does not count,
	// except EmptyIn, which may be anywhere. A closure may leave it out.
	Place string

	Hold  string   // the name of the hold, for Held and Released
	Party Party    // for LastFreeDayFact
	Date  Date     // the day at the place, for Closed
	Of    Facility // for Closed
}

// A Container is what the scope of tariffs is compared with.
type Container struct {
	Line            string // code of the shipping line
	Terminal        string // code of the terminal
	EquipmentType   string // such as dry or reefer
	EquipmentLength int    // in feet
	// ThroughRail reports whether the line moves it on by rail under its own through bill,
	// so that there is no demurrage at the port.
	ThroughRail bool
}

// A History is what is known of one container at one place, in any order.
type History struct {
	Container Container
	// Place is the UN/LOCODE of the port or ramp where the clock runs, and Zone its zone.
	// Without a zone no date is known.
	Place string
	Zone  *time.Location
	Facts []Fact
}

// learned is when the fact became known.
func (f *Fact) learned() time.Time {
	if f.RecordedAt.IsZero() {
		return f.At
	}
	return f.RecordedAt
}

// countsAt reports whether the fact counts for a question of that moment. A closure and
// a last free day may lie ahead of it.
func (f *Fact) countsAt(asked time.Time) bool {
	switch f.Type {
	case Closed:
		return f.Date.IsValid()
	case LastFreeDayFact:
		return !f.At.IsZero() && !f.learned().After(asked)
	}
	return !f.At.IsZero() && !f.At.After(asked) && !f.learned().After(asked)
}

// isOf reports whether the fact is of the place, or need not be.
func (f *Fact) isOf(place string) bool {
	return f.Place == place || f.Type == EmptyIn || f.Type == Closed && f.Place == ""
}

// known returns the facts that count, each with its zone, in an order that does not
// depend on that of the history: by At, then by when they were learned.
func (h *History) known(asked time.Time) []Fact {
	var facts []Fact
	for _, f := range h.Facts {
		if !f.countsAt(asked) || !f.isOf(h.Place) {
			continue
		}
		if f.Zone == nil {
			f.Zone = h.Zone
		}
		if f.Type != Closed && !f.date().IsValid() {
			continue
		}
		facts = append(facts, f)
	}
	slices.SortStableFunc(facts, func(a, b Fact) int {
		return cmp.Or(a.At.Compare(b.At), a.learned().Compare(b.learned()), compareRest(a, b))
	})
	return facts
}

// compareRest orders facts of one moment, so that the result never depends on the order
// in which they are given.
func compareRest(a, b Fact) int {
	return cmp.Or(cmp.Compare(a.Type, b.Type), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Date, b.Date),
		cmp.Compare(a.Of, b.Of), cmp.Compare(a.Hold, b.Hold), cmp.Compare(a.Party, b.Party),
		cmp.Compare(a.Zone.String(), b.Zone.String()))
}

// date is the date of the fact at its place.
func (f *Fact) date() Date { return DateOf(f.At, f.Zone) }

// latest returns the fact that was recorded last of those that the function picks, or
// nil. Of facts recorded at one moment the later in the order of known counts.
func latest(facts []Fact, pick func(*Fact) bool) *Fact {
	var last *Fact
	for i := range facts {
		if f := &facts[i]; pick(f) && (last == nil || !f.learned().Before(last.learned())) {
			last = f
		}
	}
	return last
}
