package journey

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/landfallhq/tracking/freight"
)

// derivation is the state of one call of Derive.
type derivation struct {
	ref     Places
	entries []entry
	valid   []*entry         // from the weakest to the strongest
	sites   map[string]*site // by key
	spelled map[string]*site // by key as it is written in the facts

	pol, pod, destination *site
	transshipments        []*site

	// statedPOL, statedPOD and statedDestination are stated by facts; nil when none does.
	statedPOL, statedPOD, statedDestination *site
	quay                                    *site    // where containers were brought laden to the quay: see ladenGate
	knownPOL                                *site    // stated, or the first that a ship is planned to leave
	plannedPOL                              *site    // that, or the first that a ship has left
	statedPODs                              []*entry // the first statement of each port of discharge

	fleet       fleet
	waiting     map[*entry]bool  // cache of siblingsWait
	ends        map[*site]bool   // cache of isEnd
	ownLandings map[landing]bool // cache of isOwnPlan
	firstOnLand *entry           // the first actual move on land of any container; nil for none

	containers []*containerState // by number
	byName     map[string]*containerState
	// shipMoves are the actual moves of ships, in order, and byLand those of trains and
	// trucks, in facts about the whole shipment: they count for its containers too. plans
	// are its planned and estimated moves.
	shipMoves, byLand, plans []*entry
	cancelled                bool // by the latest fact about the booking
	carried                  int  // how many containers ships carry; the shipment counts as one while it has none
	// customs are the holds and releases of the whole shipment.
	customs []*entry

	warnings map[freight.Warning]bool
}

// Derive derives the journey of a shipment from its facts. It is pure and total: the same
// facts give the same journey in any order, and implausible facts give warnings. followed
// are the numbers by which the shipment is tracked; a container among them is in the
// journey as soon as there is any valid fact. The caller passes only facts that do not
// contradict the line of the shipment, and does not change them during the call.
//
// The steps: which version of each fact counts (versions.go), where it happened
// (facilities.go, roles.go), which call of which ship it belongs to (ships.go), which ships
// each container was aboard (voyage.go, boarding.go), the role of each port for it
// (roles.go), where it goes by land (inland.go). The milestones come last, because the same
// discharge is a different milestone at a transshipment port and at the POD.
func Derive(followed []freight.ShipmentNumber, facts []*LoggedFact, places Places) Journey {
	d := newDerivation(facts, places)
	d.resolveFacts(followed)

	j := Journey{Numbers: d.numbers(), References: d.references()}
	d.describePorts(&j)
	d.timeShipment(&j)
	d.findStatedPODs()
	for _, e := range d.statedPODs {
		j.StatedPODs = append(j.StatedPODs, StatedPort{portOf(e.site), e.index})
	}
	for _, cs := range d.containers {
		c := d.containerJourney(cs, &j)
		j.Containers = append(j.Containers, c)
		if j.DestATA.IsZero() && cs.destination == d.destination {
			j.DestATA = c.INDATA // the arrival of a train or truck is not reported
		}
	}
	j.Cancelled = d.cancelled && !d.hasLeft(&j)
	j.Facts = d.outcomes()
	j.Warnings = d.sortedWarnings()
	return j
}

func newDerivation(facts []*LoggedFact, ref Places) *derivation {
	d := &derivation{
		ref:      ref,
		sites:    map[string]*site{},
		spelled:  map[string]*site{},
		byName:   map[string]*containerState{},
		warnings: map[freight.Warning]bool{},
	}
	d.read(facts)
	return d
}

// resolveFacts decides which facts count, and finds their places, ships and containers.
func (d *derivation) resolveFacts(followed []freight.ShipmentNumber) {
	d.valid = chooseVersions(d.entries)
	d.placeByFacility()
	if d.confirmEarly() {
		d.valid = chooseVersions(d.entries)
	}
	d.warnOfEarly()
	d.findShips()
	d.findCalls()
	d.joinShips()
	d.findContainers(followed)
	d.findRoles()
	d.findNames()
	d.warnOfOddData()
}

// read prepares each fact as far as that is possible without the others.
func (d *derivation) read(facts []*LoggedFact) {
	d.entries = make([]entry, len(facts))
	var digest Digester
	for i, f := range facts {
		e := &d.entries[i]
		*e = entry{LoggedFact: f, index: i, digest: digest.Fact(f)}
		e.site = d.siteOf(f.Place)
		e.at = d.localize(f.At, e.site)
		e.classifier, e.early = classifierOf(f, e.at)
		e.by = meansOf(f)
		e.containers = freight.FoldContainers(f.Containers)
		if f.Retracted && f.ID == "" {
			d.warn("retraction_without_id", "id", "a retraction that does not say of what")
		}
	}
}

func (d *derivation) localize(m freight.Moment, s *site) freight.Moment {
	if s == nil {
		return m.Localize("")
	}
	return m.Localize(s.zone)
}

// meansOf returns the means of transport of a move over water or by land. Where a source
// does not state it, a vessel name or a port terminal means a main vessel; only vessels
// berth.
func meansOf(f *LoggedFact) freight.Mode {
	switch f.Activity {
	case freight.Loading, freight.Discharge, freight.Departure, freight.Arrival, freight.Berth:
	default:
		return ""
	}
	switch f.Mode {
	case freight.ByVessel, freight.ByFeeder, freight.ByBarge, freight.ByRail, freight.ByTruck:
		return f.Mode
	case "":
		if f.Activity == freight.Berth || f.Vessel != (freight.VesselRef{}) || f.Place.FacilityType == "POTE" {
			return freight.ByVessel
		}
	}
	return ""
}

// The milestones of moves on a means of transport. Those of a main vessel depend on the
// role of the port: at the POL it only loads, at the POD it only discharges.
var (
	polEvents = map[freight.Activity]freight.EventName{freight.Loading: freight.VesselLoaded, freight.Departure: freight.VesselDeparted}
	podEvents = map[freight.Activity]freight.EventName{freight.Arrival: freight.VesselArrived, freight.Berth: freight.VesselBerthed, freight.Discharge: freight.VesselDischarged}
	tsEvents  = map[freight.Activity]freight.EventName{
		freight.Arrival: freight.TransshipmentArrived, freight.Discharge: freight.TransshipmentDischarged,
		freight.Loading: freight.TransshipmentLoaded, freight.Departure: freight.TransshipmentDeparted,
	}
	feederEvents = map[freight.Activity]freight.EventName{
		freight.Arrival: freight.FeederArrived, freight.Discharge: freight.FeederDischarged, freight.Loading: freight.FeederLoaded, freight.Departure: freight.FeederDeparted,
	}
	railEvents = map[freight.Activity]freight.EventName{
		freight.Arrival: freight.RailArrived, freight.Discharge: freight.RailUnloaded, freight.Loading: freight.RailLoaded, freight.Departure: freight.RailDeparted,
	}
)

// carriage returns the milestone of a move on a means of transport, or "".
func (d *derivation) carriage(e *entry, cs *containerState) freight.EventName {
	switch e.by {
	case freight.ByVessel:
		switch role := d.seaRole(e.site, cs); role {
		case freight.RolePOL:
			return polEvents[e.Activity]
		case freight.RoleTS:
			return tsEvents[e.Activity]
		case freight.RolePOD:
			if e.Activity == freight.Berth && cs != nil && (cs.podReached || cs.sailsAfter(e)) {
				return "" // a stop, or a port that may prove to be one: a berthing there is no milestone
			}
			return podEvents[e.Activity]
		}
	case freight.ByFeeder, freight.ByBarge:
		return feederEvents[e.Activity]
	case freight.ByRail:
		return railEvents[e.Activity]
	}
	return ""
}

// sailsAfter reports whether a ship took the container on after the move.
func (cs *containerState) sailsAfter(e *entry) bool {
	return slices.ContainsFunc(cs.moves, func(m seaMove) bool {
		if m.entry == e {
			return m.leg.to != nil && m.leg.to != e.site // it came off there later
		}
		return (m.takes() || m.site != e.site) && !m.leg.barge && compareMoves(m.entry, e) > 0
	})
}

// reachesDestination reports whether the move is an arrival by rail, truck or barge at the
// place of delivery. A place of delivery that a main vessel calls at is the POD.
func (d *derivation) reachesDestination(e *entry, cs *containerState) bool {
	to := cs.destinationOr(d)
	return e.Activity == freight.Arrival && to != nil && e.site == to && (e.by == freight.ByRail || e.by == freight.ByTruck || e.by == freight.ByBarge)
}

// side is the end of the journey at which a container passes a gate.
type side uint8

const (
	eitherSide side = iota
	originSide
	destinationSide
)

// sideOf returns at which end of its journey the container passes a gate: by the role of
// the place, else by whether it has been at sea.
func (d *derivation) sideOf(e *entry, cs *containerState) side {
	pol, pod, destination := d.pol, d.pod, d.destination
	if cs != nil {
		pol, pod, destination = cs.pol, cs.pod, cs.destination
	}
	atOrigin := e.site != nil && e.site == pol
	atDestination := e.site != nil && (e.site == pod || e.site == destination && !d.beforeLanding(e, cs))
	switch {
	case atOrigin && cs.endsAbroad(e):
		return destinationSide
	case atOrigin && !atDestination:
		return originSide
	case atDestination && !atOrigin:
		return destinationSide
	}
	if cs == nil || cs.sailed.IsZero() || e.at.IsZero() {
		return eitherSide
	}
	switch e.at.Compare(cs.sailed) {
	case -1:
		return originSide
	case 1:
		return destinationSide
	}
	return eitherSide
}

// endsAbroad reports whether the container is returned empty after it came off its ship at another port than its
// POL: it may be returned to any port.
func (cs *containerState) endsAbroad(e *entry) bool {
	return cs != nil && e.Activity == freight.GateIn && e.LoadStatus == freight.Empty && cs.pod != nil && cs.pod != cs.pol && !cs.landed.IsZero() && e.at.Compare(cs.landed) > 0
}

// beforeLanding reports whether the move was before the end of the sea voyage, where the
// destination is not stated but derived from later moves. Such a destination does not
// decide the side of earlier gates.
func (d *derivation) beforeLanding(e *entry, cs *containerState) bool {
	return d.statedDestination == nil && cs != nil && !cs.landed.IsZero() && !e.at.IsZero() && e.at.Compare(cs.landed) <= 0
}

// gate returns the milestone of a move through a gate, or "". An export begins with an
// empty container out and a laden one in; an import ends with a laden container out and an
// empty one in.
func (d *derivation) gate(e *entry, cs *containerState) freight.EventName {
	if d.seaRole(e.site, cs) == freight.RoleTS && e.LoadStatus == freight.Laden {
		return "" // between terminals of a transshipment port
	}
	s := d.sideOf(e, cs)
	switch {
	case e.Activity == freight.GateOut && e.LoadStatus == freight.Empty && s != destinationSide:
		return freight.EmptyOut
	case e.Activity == freight.GateIn && e.LoadStatus == freight.Laden && s != destinationSide && !cs.hasReturned(e) && !cs.changesTrains(e):
		return freight.FullIn
	case e.Activity == freight.GateIn && e.LoadStatus == freight.Laden && e.site != nil && e.site == cs.destinationOr(d) && !cs.wasLadenAt(e):
		return freight.ArrivedAtDestination
	case e.Activity == freight.GateOut && e.LoadStatus == freight.Laden && s != originSide && d.isPickup(e, cs):
		return freight.FullOut
	case e.Activity == freight.GateIn && e.LoadStatus == freight.Empty && s != originSide && cs.endsWith(e):
		return freight.EmptyIn
	}
	return ""
}

// hasReturned reports whether the container was picked up before the gate-in: then the
// gate-in does not begin a journey.
func (cs *containerState) hasReturned(e *entry) bool {
	return cs != nil && len(cs.pickups) > 0 && !cs.pickups[0].out.at.IsZero() && !e.at.IsZero() && cs.pickups[0].out.at.Compare(e.at) < 0
}

// changesTrains reports whether a train carried the container laden before a gate-in that
// is not at its POL: then the gate-in does not begin a journey.
func (cs *containerState) changesTrains(e *entry) bool {
	return cs != nil && e.site != nil && e.site != cs.pol && cs.didBefore(e, func(m *entry) bool { return m.by == freight.ByRail && m.LoadStatus != freight.Empty })
}

// wasLadenAt reports whether the container was at that place before the gate-in: it was
// unloaded from a train there, or left another gate of the place.
func (cs *containerState) wasLadenAt(e *entry) bool {
	return cs != nil && cs.didBefore(e, func(m *entry) bool {
		return m.site == e.site && m.LoadStatus == freight.Laden && (m.Activity == freight.Discharge && m.by == freight.ByRail || m.Activity == freight.GateOut)
	})
}

// didBefore reports whether a matching actual move of the container was before the fact.
func (cs *containerState) didBefore(e *entry, is func(*entry) bool) bool {
	return slices.ContainsFunc(cs.own, func(m *entry) bool {
		return m.classifier == freight.Actual && !m.at.IsZero() && !e.at.IsZero() && m.at.Compare(e.at) < 0 && is(m)
	})
}

// endsWith reports whether an empty gate-in ends the journey, because the journey has begun
// before. Earlier ones only position the container, or return it unused.
func (cs *containerState) endsWith(e *entry) bool {
	return cs == nil || cs.begun != nil && (e.at.IsZero() || e.at.Compare(cs.begun.at) >= 0)
}

// event returns the milestone that a fact would be for a container if it were actual, or
// "". A nil container means the whole shipment. The arrival of a train at the place of
// delivery is a second milestone: see reachesDestination.
func (d *derivation) event(e *entry, cs *containerState) freight.EventName {
	switch e.Activity {
	case freight.GateIn, freight.GateOut:
		return d.gate(e, cs)
	case freight.Loading, freight.Discharge, freight.Departure, freight.Arrival, freight.Berth:
		return d.carriage(e, cs)
	case freight.Delivery:
		// An empty container delivered to a shipper begins a journey.
		if e.LoadStatus != freight.Empty || e.DataSource == freight.ByHand {
			return freight.Delivered
		}
	}
	return ""
}

// MilestoneOrder is the position of each milestone in a journey. It orders milestones of
// one time.
var MilestoneOrder = func() map[freight.EventName]int {
	names := []freight.EventName{
		freight.EmptyOut, freight.FullIn,
		freight.FeederLoaded, freight.FeederDeparted, freight.FeederArrived, freight.FeederDischarged,
		freight.VesselLoaded, freight.VesselDeparted,
		freight.TransshipmentArrived, freight.TransshipmentDischarged, freight.TransshipmentLoaded, freight.TransshipmentDeparted,
		freight.VesselArrived, freight.VesselBerthed, freight.VesselDischarged,
		freight.RailLoaded, freight.RailDeparted, freight.RailArrived, freight.RailUnloaded,
		freight.ArrivedAtDestination, freight.Available, freight.NotAvailable, freight.FullOut, freight.Delivered, freight.EmptyIn,
	}
	m := make(map[freight.EventName]int, len(names))
	for i, n := range names {
		m[n] = i
	}
	return m
}()

// claim is a milestone of a container according to one fact.
type claim struct {
	event freight.EventName
	order int
	*entry
	// gate: a laden container entered the place of delivery. It counts as the arrival only
	// where no arrival is reported.
	gate bool
	// visit numbers the calls of ships at one port; noVisit where the move is not of a ship.
	visit int
}

const noVisit = -1

// siteOrd separates the places of one event. A container is delivered once, even where the
// reports disagree about the place.
func (c claim) siteOrd() int {
	if c.site == nil || c.event == freight.Delivered {
		return -1
	}
	return c.site.ord
}

// visitGap separates two visits of one place: sources differ by hours or days about one
// visit, and no ship is back within a week.
const visitGap = 7 * 24 * time.Hour

// milestones returns the milestones of a container: one for each event, place and visit,
// however many facts report it.
func (d *derivation) milestones(claims []claim, cs *containerState) []Milestone {
	slices.SortFunc(claims, func(a, b claim) int {
		return cmp.Or(
			cmp.Compare(a.order, b.order),
			cmp.Compare(a.siteOrd(), b.siteOrd()),
			a.at.Time.Compare(b.at.Time),
			cmp.Compare(a.rank, b.rank),
		)
	})
	if len(claims) == 0 {
		return nil
	}
	list := make([]Milestone, 0, distinctEvents(claims))
	for len(claims) > 0 {
		n := 1
		for n < len(claims) && claims[n].order == claims[0].order && claims[n].siteOrd() == claims[0].siteOrd() {
			n++
		}
		list = d.visits(list, claims[:n], cs)
		claims = claims[n:]
	}
	sortMilestones(list)
	return list
}

// distinctEvents counts the milestones of sorted claims, if each place is visited once.
func distinctEvents(claims []claim) (n int) {
	for i := range claims {
		if i == 0 || claims[i].order != claims[i-1].order || claims[i].siteOrd() != claims[i-1].siteOrd() {
			n++
		}
	}
	return n
}

// visits appends the milestones of one event at one place, in order of time.
func (d *derivation) visits(list []Milestone, claims []claim, cs *containerState) []Milestone {
	if slices.ContainsFunc(claims, func(c claim) bool { return !c.gate }) {
		claims = slices.DeleteFunc(slices.Clone(claims), func(c claim) bool { return c.gate })
	}
	slices.SortStableFunc(claims, func(a, b claim) int { return cmp.Compare(a.visit, b.visit) })
	var best []claim
	for i, c := range claims {
		switch {
		case i == 0 || c.apart(claims[i-1], cs):
			best = append(best, c)
		case prevails(c, best[len(best)-1]):
			best[len(best)-1] = c
		}
	}
	slices.SortStableFunc(best, func(a, b claim) int { return a.at.Time.Compare(b.at.Time) })
	for leg, c := range best {
		list = append(list, d.milestone(c, leg, cs))
	}
	return list
}

// apart reports whether a claim is of another visit than the one before it.
func (c claim) apart(before claim, cs *containerState) bool {
	switch {
	case c.event == freight.Delivered, before.at.IsZero():
		return false
	case c.visit != noVisit || before.visit != noVisit:
		return c.visit != before.visit
	case c.at.Time.Sub(before.at.Time) > visitGap:
		return true
	}
	return c.event == freight.FullOut && cs.cameBackBetween(before.entry, c.entry)
}

// cameBackBetween reports whether the container came back between two pick-ups: then it has
// left twice.
func (cs *containerState) cameBackBetween(first, second *entry) bool {
	return slices.ContainsFunc(cs.pickups, func(p pickup) bool {
		return p.back != nil && compareEffect(first, p.back) < 0 && compareEffect(p.back, second) < 0
	})
}

// prevails reports whether claim a counts before claim b: one with a time before one
// without, one with the minute before one with only its day, then the one with more
// authority.
func prevails(a, b claim) bool {
	if a.at.IsZero() != b.at.IsZero() {
		return b.at.IsZero()
	}
	if a.at.Covers(b.at) || b.at.Covers(a.at) {
		return b.at.Covers(a.at)
	}
	return a.rank > b.rank
}

func (d *derivation) milestone(c claim, leg int, cs *containerState) Milestone {
	p := c.Place
	p.Role = d.roleOf(c.site, cs)
	if c.site != nil {
		p.LOCODE = c.site.locode
		if p.Name == "" {
			p.Name = c.site.name
		}
	}
	return Milestone{
		Event: c.event, At: c.at, Place: p, Leg: leg, Vessel: c.Vessel, Voyage: c.Voyage,
		DataSource: c.DataSource, Fact: c.index,
	}
}

// rawName returns the name of an event for raw events, which have none for a berthing.
func rawName(e freight.EventName) string {
	switch e {
	case freight.ArrivedAtDestination:
		return "arrived_at_destination"
	case freight.VesselBerthed:
		return ""
	}
	return strings.TrimPrefix(string(e), "container.transport.")
}

// outcomes returns the outcome of each fact.
func (d *derivation) outcomes() []FactOutcome {
	list := make([]FactOutcome, len(d.entries))
	for i := range d.entries {
		e := &d.entries[i]
		list[i] = FactOutcome{Superseded: !e.valid}
		if !e.Retracted {
			list[i].Event = d.rawEvent(e)
		}
	}
	return list
}

// rawEvent returns the name of a fact as a raw event, whatever its classifier. It is empty
// where the containers of the fact are at different ends of their journeys.
func (d *derivation) rawEvent(e *entry) string {
	switch e.Activity {
	case freight.PickupAvailable:
		return "available"
	case freight.CustomsRelease:
		return "customs_release"
	case freight.GateIn, freight.GateOut:
		if len(e.containers) == 0 {
			return d.rawGate(e, nil)
		}
		name := d.rawGate(e, d.byName[e.containers[0]])
		for _, number := range e.containers[1:] {
			if d.rawGate(e, d.byName[number]) != name {
				return ""
			}
		}
		return name
	}
	if name := rawName(d.event(e, nil)); name != "" {
		return name
	}
	if d.reachesDestination(e, nil) {
		return rawName(freight.ArrivedAtDestination)
	}
	return ""
}

// rawGate is gate for raw events. It also names the moves of empty containers that are no
// milestones: positioning before a journey and after it.
func (d *derivation) rawGate(e *entry, cs *containerState) string {
	if name := d.gate(e, cs); name != "" || e.LoadStatus != freight.Empty {
		return rawName(name)
	}
	if e.Activity == freight.GateIn {
		return "positioned_in"
	}
	return "positioned_out"
}

// warn adds a warning, once.
func (d *derivation) warn(code, field, format string, args ...any) {
	d.warnings[freight.Warning{Code: code, Field: field, Detail: fmt.Sprintf(format, args...)}] = true
}

// warnOfOddData warns of implausible valid facts. Retracted ones are ignored.
func (d *derivation) warnOfOddData() {
	for _, e := range d.valid {
		if !e.At.IsZero() && e.at.IsZero() {
			d.warn("impossible_time", "at", "a fact %q is timed in the year %d", e.Activity, e.At.Time.UTC().Year())
		}
		if e.site != nil && e.site.locode != "" && !e.site.known {
			d.warn("unknown_locode", "place.locode", "%s is not in the table of places", e.site.locode)
		}
		d.warnOfLoad(e)
	}
}

func (d *derivation) warnOfLoad(e *entry) {
	where := "an unnamed place"
	if e.site != nil {
		where = cmp.Or(e.site.locode, e.Place.Name, e.Place.Facility)
	}
	switch e.Activity {
	case freight.GateIn, freight.GateOut:
		if e.LoadStatus != freight.Empty && e.LoadStatus != freight.Laden {
			d.warn("unknown_load", "load", "a %s at %s does not say whether the container was empty", e.Activity, where)
		}
	case freight.Loading, freight.Discharge:
		if e.LoadStatus == freight.Empty && (e.by == freight.ByVessel || e.by == freight.ByFeeder) {
			d.warn("empty_load", "load", "a %s of an empty container at %s", e.Activity, where)
		}
	}
}

func (d *derivation) sortedWarnings() []freight.Warning {
	var list []freight.Warning
	for w := range d.warnings {
		list = append(list, w)
	}
	slices.SortFunc(list, func(a, b freight.Warning) int {
		return cmp.Or(cmp.Compare(a.Code, b.Code), cmp.Compare(a.Field, b.Field), cmp.Compare(a.Detail, b.Detail))
	})
	return list
}

// numbers returns the documents and bookings of the valid facts.
func (d *derivation) numbers() []freight.ShipmentNumber {
	var list []freight.ShipmentNumber
	for _, e := range d.valid {
		for _, n := range e.Numbers {
			if n.Number = strings.TrimSpace(n.Number); n.Number != "" {
				list = append(list, n)
			}
		}
	}
	slices.SortFunc(list, func(a, b freight.ShipmentNumber) int {
		return cmp.Or(cmp.Compare(a.Type, b.Type), cmp.Compare(a.Number, b.Number))
	})
	return slices.Compact(list)
}

func (d *derivation) references() []string {
	var list []string
	for _, e := range d.valid {
		for _, r := range e.References {
			if r = strings.TrimSpace(r); r != "" {
				list = append(list, r)
			}
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}
