package journey

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/landfallhq/tracking/freight"
)

// ship is one vessel, feeder or barge in the facts of a shipment.
type ship struct {
	key    string            // identifies the ship: its IMO number, else its name or the voyage number
	vessel freight.VesselRef // by the strongest fact with an IMO number, else by name
	// calls are the actual calls in order; planned those that are or were expected.
	calls, planned []*call
	// loads are the actual loads that name the ship and containers, by site.
	loads map[*site][]*entry
	// missed counts the containers that the ship left without, ended those that it put
	// ashore, and landing the latter by port.
	missed, ended int
	landing       map[*site]int
}

// call is one stay of a ship at a port. Between its facts the ship neither leaves nor calls
// elsewhere.
type call struct {
	ship    *ship
	site    *site
	index   int // position among the actual or the planned calls of the ship
	first   *entry
	last    *entry
	sailed  *entry   // the first departure; nil while none is known
	told    *entry   // the departure that was recorded first
	arrived bool     // a fact has an arrival, berthing or discharge
	worked  *entry   // the first load or discharge; nil while none is known
	landed  []*entry // the discharges that name containers
	done    bool     // of a planned call: it has happened
}

// fleet identifies the ships of facts.
type fleet struct {
	ships  map[string]*ship
	byName map[string]map[string]bool // IMO numbers by name
	// byVoyage has the keys of ships by the voyage numbers that facts have with them.
	byVoyage map[string]map[string]bool
	// same has the keys of ships that the facts call by other identifiers, too: see joinShips.
	same map[string]string
	// planned has the keys of ships by the moves without a ship that are theirs: see nameByPlan.
	planned map[*entry]string
}

func shipKeys(v freight.VesselRef) (imo, name string) {
	return strings.TrimSpace(v.IMO), upperWords(v.Name, " ")
}

func foldVoyage(s string) string { return upperWords(s, "") }

// findShips sets the ship of every fact about a move over water. A name that facts have
// with only one IMO number means that ship; a voyage number alone means the ship that other
// facts have with it. A fact with neither has no ship.
func (d *derivation) findShips() {
	d.fleet = fleet{byName: map[string]map[string]bool{}, byVoyage: map[string]map[string]bool{}, same: map[string]string{}}
	f := &d.fleet
	f.learnNames(d.valid)
	// A replaced estimate still identifies the ship of a voyage number, where no valid fact
	// does.
	known := maps.Clone(f.byVoyage)
	var replaced []*entry
	for _, e := range d.valid {
		for _, v := range e.past {
			if v.Voyage != "" && known[foldVoyage(v.Voyage)] == nil {
				replaced = append(replaced, v)
			}
		}
	}
	f.learnNames(replaced)
	d.assignShips()
}

// assignShips sets the ship of every fact about a move over water.
func (d *derivation) assignShips() {
	f := &d.fleet
	f.ships = map[string]*ship{}
	for i := range d.entries {
		if e := &d.entries[i]; e.live && e.overWater() {
			e.ship = f.shipOf(e)
		}
	}
	for _, e := range d.valid { // from the weakest to the strongest
		if e.ship != nil {
			e.ship.setName(e.Vessel)
		}
	}
	d.shareShips()
}

// shareShips gives a load or discharge that names no ship the one of another report of it.
func (d *derivation) shareShips() {
	d.eachUnnamed(func(e, o *entry) {
		if o.classifier == freight.Actual && sameTime(e, o) && e.at.Time.Sub(o.at.Time).Abs() <= loadingReports {
			e.ship = o.ship
		}
	})
}

// nameByPlan finds the ships of loads and discharges that name none: that of the container's own plan for
// the move, if it lay there then. A plan that was made after the move is for another one.
func (d *derivation) nameByPlan() {
	last := map[*entry]*entry{}
	d.eachUnnamed(func(e, p *entry) {
		if p.classifier != freight.Actual && later(p.firstVersion(), e) < 0 && (last[e] == nil || later(p, last[e]) > 0) {
			last[e] = p
		}
	})
	d.fleet.planned = map[*entry]string{}
	for e, p := range last {
		if p.ship.layAt(nil, e) || d.loadsAsPlanned(e, p) {
			d.fleet.planned[e] = p.ship.key
		}
	}
}

// loadsAsPlanned reports whether a load that names no ship is within half a day of the container's plan, whose ship
// was not elsewhere then, and the container does not come off another one that no plan of its own has take it on.
func (d *derivation) loadsAsPlanned(e, p *entry) bool {
	if e.Activity != freight.Loading || p.at.Time.Sub(e.at.Time).Abs() > shortestStay || p.ship.isElsewhereAt(e.at.Time) {
		return false
	}
	own := d.ownFacts(e.containers[0])
	return !slices.ContainsFunc(own, func(off *entry) bool {
		return off.classifier == freight.Actual && off.isHandling() && off.Activity == freight.Discharge && off.ship != nil && off.ship != p.ship && compareMoves(off, e) > 0 &&
			!slices.ContainsFunc(own, func(q *entry) bool {
				return q.classifier != freight.Actual && q.takes() && q.ship == off.ship && q.site != e.site
			})
	})
}

// ownFacts returns the valid facts that name a container.
func (d *derivation) ownFacts(container string) (own []*entry) {
	for _, e := range d.valid {
		if slices.Contains(e.containers, container) {
			own = append(own, e)
		}
	}
	return own
}

// eachUnnamed calls do for each actual load or discharge of one container that names no ship, with each
// fact that names a ship for the same move.
func (d *derivation) eachUnnamed(do func(unnamed, named *entry)) {
	type move struct {
		freight.Activity
		site      *site
		container string
	}
	key := func(e *entry) move { return move{e.Activity, e.site, e.containers[0]} }
	unnamed := map[move][]*entry{}
	for _, e := range d.valid {
		if e.ship == nil && e.classifier == freight.Actual && e.isHandling() && !e.at.IsZero() {
			unnamed[key(e)] = append(unnamed[key(e)], e)
		}
	}
	for _, o := range d.valid {
		if len(unnamed) > 0 && o.ship != nil && o.isHandling() {
			for _, e := range unnamed[key(o)] {
				do(e, o)
			}
		}
	}
}

// isHandling reports whether the fact is about the load or discharge of one container by a ship.
func (e *entry) isHandling() bool {
	return (e.Activity == freight.Loading || e.Activity == freight.Discharge) && e.overWater() && len(e.containers) == 1 && e.site != nil
}

// learnNames records which IMO numbers, names and voyage numbers facts have together.
func (f *fleet) learnNames(facts []*entry) {
	for _, e := range facts {
		if imo, name := shipKeys(e.Vessel); imo != "" && name != "" && e.overWater() {
			addTo(f.byName, name, imo)
		}
	}
	for _, e := range facts {
		if e.overWater() && e.Vessel != (freight.VesselRef{}) && e.Voyage != "" {
			addTo(f.byVoyage, foldVoyage(e.Voyage), f.key(e.Vessel))
		}
	}
}

// setName sets the ship's name from a fact. A name with an IMO number counts before one
// without.
func (s *ship) setName(v freight.VesselRef) {
	imo, _ := shipKeys(v)
	name := strings.TrimSpace(v.Name)
	if imo != "" {
		s.vessel = freight.VesselRef{IMO: imo, Name: cmp.Or(name, s.vessel.Name)}
	} else if s.vessel.IMO == "" || s.vessel.Name == "" {
		s.vessel.Name = cmp.Or(name, s.vessel.Name)
	}
}

func addTo(m map[string]map[string]bool, key, value string) {
	if m[key] == nil {
		m[key] = map[string]bool{}
	}
	m[key][value] = true
}

func onlyElement(set map[string]bool) (one string) {
	if len(set) == 1 {
		for one = range set {
		}
	}
	return one
}

func (f *fleet) key(v freight.VesselRef) string {
	imo, name := shipKeys(v)
	if imo == "" {
		imo = onlyElement(f.byName[name])
	}
	if imo != "" {
		return imo
	}
	return "name:" + name
}

func (f *fleet) shipOf(e *entry) *ship {
	key, voyage := "", foldVoyage(e.Voyage)
	switch {
	case e.Vessel != (freight.VesselRef{}):
		key = f.key(e.Vessel)
	case voyage != "":
		key = cmp.Or(onlyElement(f.byVoyage[voyage]), "voyage:"+voyage)
	default:
		if key = f.planned[e]; key == "" {
			return nil
		}
	}
	for f.same[key] != "" {
		key = f.same[key]
	}
	s := f.ships[key]
	if s == nil {
		s = &ship{key: key, loads: map[*site][]*entry{}, landing: map[*site]int{}}
		f.ships[key] = s
	}
	return s
}

// portStep orders the facts of one time at one port in the sequence of a call.
var portStep = map[freight.Activity]int{freight.Arrival: 0, freight.Berth: 1, freight.Discharge: 2, freight.Loading: 3, freight.Departure: 4}

// portTime returns the time by which moves are sorted. A move known only to the day comes
// after those that began elsewhere on that day, and a departure known to the day after the
// loads of that day; a barge loads what a ship has discharged on that day. It came before it was recorded.
func (e *entry) portTime() time.Time {
	if !e.at.Day || e.Activity == freight.Loading && e.by != freight.ByBarge {
		return e.at.Time
	}
	at := e.at.Time.Add(16 * time.Hour)
	if e.RecordedAt.After(e.at.Time) && e.RecordedAt.Before(at) {
		return e.RecordedAt
	}
	return at
}

// compareMoves orders moves as they happened.
func compareMoves(a, b *entry) int {
	return cmp.Or(
		a.portTime().Compare(b.portTime()),
		cmp.Compare(portStep[a.Activity], portStep[b.Activity]),
		cmp.Compare(a.rank, b.rank),
	)
}

// findCalls groups the moves of each ship into port calls.
func (d *derivation) findCalls() {
	var happened, expected []*entry
	for _, e := range d.valid {
		switch {
		case e.ship == nil || e.site == nil || e.at.IsZero():
		case e.classifier == freight.Actual:
			happened = append(happened, e)
			if e.Activity == freight.Loading && len(e.containers) > 0 {
				e.ship.loads[e.site] = append(e.ship.loads[e.site], e)
			}
		default:
			expected = append(expected, e)
		}
	}
	slices.SortFunc(happened, compareMoves)
	slices.SortFunc(expected, compareMoves)
	for _, e := range happened {
		e.ship.calls = e.addToCalls(e.ship.calls, e.beginsCall)
	}
	for _, e := range expected {
		e.ship.planned = e.addToCalls(e.ship.planned, func(*call) bool { return false })
	}
	for _, s := range d.fleet.ships {
		s.markDone()
	}
}

// addToCalls adds a move to the last call, or begins another.
func (e *entry) addToCalls(calls []*call, begins func(*call) bool) []*call {
	var c *call
	if n := len(calls); n > 0 {
		c = calls[n-1]
	}
	if c == nil || c.site != e.site || begins(c) {
		c = &call{ship: e.ship, site: e.site, index: len(calls), first: e}
		calls = append(calls, c)
	}
	e.call, c.last = c, e
	switch e.Activity {
	case freight.Departure:
		if c.sailed == nil {
			c.sailed = e
		}
		c.told = firstRecorded(c.told, e)
	case freight.Arrival, freight.Berth, freight.Discharge:
		c.arrived = true
	}
	if e.Activity == freight.Discharge && len(e.containers) > 0 {
		c.landed = append(c.landed, e)
	}
	if c.worked == nil && (e.Activity == freight.Loading || e.Activity == freight.Discharge) {
		c.worked = e
	}
	return calls
}

// loadingReports is how much later than the departure a load may be timed, because
// different systems report them.
const loadingReports = 24 * time.Hour

// beginsCall reports whether the fact belongs to a later call at the same port than c. Two
// reports of one departure can differ by days, but no ship stays longer than portStay. So
// it has been away when it arrives or berths more than portStay after it came, leaves more than
// portStay after it left, or arrives more than a day after it was loaded or discharged; and when it
// loads more than portStay after the last that is reported of the call.
func (e *entry) beginsCall(c *call) bool {
	if (e.Activity == freight.Arrival || e.Activity == freight.Berth) && (e.at.Time.Sub(c.first.at.Time) > portStay || c.worked != nil && e.at.Time.Sub(c.worked.at.Time) > loadingReports && e.at.Compare(c.worked.at) > 0) {
		return true
	}
	if c.sailed == nil && e.Activity == freight.Loading && e.at.Time.Sub(c.last.at.Time) > portStay {
		return true
	}
	if c.sailed == nil || c.sailed.at.Compare(e.at) >= 0 {
		return false
	}
	after := e.at.Time.Sub(c.sailed.at.Time)
	switch e.Activity {
	case freight.Departure:
		return after > portStay
	case freight.Loading:
		return after > loadingReports
	}
	return true
}

// markDone marks the planned calls that have happened. An actual call stands for the
// earliest planned one at its port, however late it came. A ship that left more than portStay before
// is expected again.
func (s *ship) markDone() {
	for _, c := range s.calls {
		for _, p := range s.planned {
			if p.site == c.site && !p.done && p.first.at.Time.Sub(c.left()) <= portStay {
				p.done = true
				break
			}
		}
	}
}

// departureTold returns the report of the departure that was recorded first, of the call of a move;
// nil for none.
func (e *entry) departureTold() *entry {
	if e.call == nil {
		return nil
	}
	return e.call.told
}

// leaveShips counts the container at the ships that left without it or put it ashore, and
// marks the moves that count for a container.
func (cs *containerState) leaveShips() {
	for _, m := range cs.moves {
		m.counts = m.counts || !cs.passes(m.entry)
	}
	seen := map[*ship]bool{}
	for _, l := range slices.Backward(cs.legs) {
		if l.ship == nil || seen[l.ship] {
			continue
		}
		if seen[l.ship] = true; l.to != nil {
			l.ship.ended++
			l.ship.landing[l.to]++
		}
	}
	for s := range cs.missed {
		if s != nil && !seen[s] {
			s.missed++
		}
	}
}

// passes reports whether a ship calls at the POD with the container aboard and sails on
// with it. The container comes back to the POD later.
func (cs *containerState) passes(e *entry) bool {
	return e.site == cs.pod && brings(e) && cs.sailsAfter(e)
}

// concernsNoContainer reports whether a fact about a ship concerns none of the containers
// that it names, or none of the shipment: they are not aboard and will not be.
func (d *derivation) concernsNoContainer(e *entry) bool {
	switch {
	case e.classifier == freight.Actual && e.site != nil && !e.at.IsZero():
		return !e.counts && (len(e.containers) > 0 || e.Activity == freight.Departure || brings(e) && e.Activity != freight.Discharge)
	case e.ship == nil || d.cancelled || len(e.containers) == 0 && d.carried == 0:
		return false
	case len(e.containers) == 0 && e.takes():
		return e.ship.missed >= d.carried
	case len(e.containers) == 0:
		return e.ship.missed+e.ship.ended-e.ship.landing[e.site] >= d.carried || e.site == d.pod && d.cameOnOthers(e)
	}
	for _, number := range e.containers {
		if !d.byName[number].isBehind(e) {
			return false
		}
	}
	return true
}

// cameOnOthers reports whether other ships than that of an estimate for the POD have put every container ashore
// there, or have it aboard and are to bring it by a plan whose first version is later than that of this ship.
func (d *derivation) cameOnOthers(e *entry) bool {
	came := false
	for _, cs := range d.containers {
		if cs.unused {
			continue
		}
		l := d.lastSeaLeg(cs)
		if l == nil || l.ship == nil || !l.ship.isAnother(e.ship) || l.to != d.pod && !(l.to == nil && d.bringsByNewerPlan(cs, l.ship, e)) {
			return false
		}
		came = true
	}
	return came
}

// bringsByNewerPlan reports whether a ship is to bring the container to the port of an estimate by a plan that was
// first made after the first one of the ship of that estimate, or on which it was loaded since, where that ship is not
// planned to take it on from another port.
func (d *derivation) bringsByNewerPlan(cs *containerState, s *ship, than *entry) bool {
	this, other := d.firstToBring(cs, s, than.site), d.firstToBring(cs, than.ship, than.site)
	if this == nil || other == nil {
		return false
	}
	if later(this, other) > 0 {
		return true
	}
	for p := range d.plansOf(cs) {
		if p.takes() && p.ship == than.ship {
			return false
		}
	}
	l := d.lastSeaLeg(cs)
	return l.loaded && l.since.ship == s && l.since.at.Time.After(other.RecordedAt)
}

// firstToBring returns the first plan for the container that has a ship come to a port; nil for none.
func (d *derivation) firstToBring(cs *containerState, s *ship, to *site) (first *entry) {
	for p := range d.plansOf(cs) {
		if !brings(p) || p.site != to || p.ship != s {
			continue
		}
		if v := p.firstVersion(); first == nil || later(v, first) < 0 {
			first = v
		}
	}
	return first
}

// isBehind reports whether a planned move of a ship does not concern the container: the
// ship left without it, or put it ashore elsewhere.
func (cs *containerState) isBehind(e *entry) bool {
	if e.ship == nil {
		return false
	}
	for _, l := range slices.Backward(cs.legs) {
		if l.ship == e.ship {
			return l.to != nil && l.to != e.site && !e.takes()
		}
	}
	return cs.missed[e.ship]
}
