package journey

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/landfallhq/tracking/freight"
)

// ship is one means of transport over water in the facts of a shipment.
type ship struct {
	key    string            // decides identity, and order where nothing else does
	vessel freight.VesselRef // as the facts that know best name it
	// calls are those that have happened, in order; planned those that are, or
	// were, expected.
	calls, planned []*call
	// loads are the actual loads on the ship that name it, by site: one for each
	// container that a fact names.
	loads map[*site][]*entry
	// missed counts the containers that the ship left without, ended those that it
	// has put ashore, and landing the same by port.
	missed, ended int
	landing       map[*site]int
}

// call is one stay of one ship at one port: the facts of it have no departure
// from there and no call elsewhere between them.
type call struct {
	ship    *ship
	site    *site
	index   int // among the calls of its sort
	first   *entry
	last    *entry
	sailed  *entry // the first departure; nil while it lies there
	arrived bool   // a fact says that the ship reached the port
	worked  *entry // the first load or discharge; nil while none is known
	done    bool   // of a planned call: one that happened has fulfilled it
}

// fleet finds out which facts speak of the same ship.
type fleet struct {
	ships  map[string]*ship
	byName map[string]map[string]bool // IMO numbers by name
	// byVoyage are the ships that facts name together with a voyage number.
	byVoyage map[string]map[string]bool
}

func shipKeys(v freight.VesselRef) (imo, name string) {
	return strings.TrimSpace(v.IMO), strings.ToUpper(strings.Join(strings.Fields(v.Name), " "))
}

func foldVoyage(s string) string { return strings.ToUpper(strings.Join(strings.Fields(s), "")) }

// findShips gives every fact about a move over water its ship. A name that only
// one IMO number bears is that ship; a voyage number alone is the ship that other
// facts name with it. A fact that names neither has none.
func (d *derivation) findShips() {
	d.fleet = fleet{ships: map[string]*ship{}, byName: map[string]map[string]bool{}, byVoyage: map[string]map[string]bool{}}
	f := &d.fleet
	f.learnNames(d.valid)
	// An estimate that was replaced still says which ship a voyage number is of, where no
	// fact that stands does.
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
}

// learnNames takes in which numbers, names and voyages some facts name together.
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

// setName takes in how a fact names the ship: the one with its IMO number knows best.
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
		return nil
	}
	s := f.ships[key]
	if s == nil {
		s = &ship{key: key, loads: map[*site][]*entry{}, landing: map[*site]int{}}
		f.ships[key] = s
	}
	return s
}

// portStep orders the facts of one time at one port as a ship makes them.
var portStep = map[freight.Activity]int{freight.Arrival: 0, freight.Berth: 1, freight.Discharge: 2, freight.Loading: 3, freight.Departure: 4}

// portTime is the time by which moves are put in order. What is known to the day
// comes after what began elsewhere on that day, and a ship that left on that day, after
// what was loaded on it there.
func (e *entry) portTime() time.Time {
	if e.at.Day && e.Activity != freight.Loading {
		return e.at.Time.Add(16 * time.Hour)
	}
	return e.at.Time
}

// compareMoves puts moves in the order in which they happened.
func compareMoves(a, b *entry) int {
	return cmp.Or(
		a.portTime().Compare(b.portTime()),
		cmp.Compare(portStep[a.Activity], portStep[b.Activity]),
		cmp.Compare(a.rank, b.rank),
	)
}

// findCalls groups what the ships do into calls of ports.
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

// addToCalls adds a move to the last of the calls, or begins another one.
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
	case freight.Arrival, freight.Berth, freight.Discharge:
		c.arrived = true
	}
	if c.worked == nil && (e.Activity == freight.Loading || e.Activity == freight.Discharge) {
		c.worked = e
	}
	return calls
}

// loadingReports is how much later than the departure the load of a container
// may be timed: those who report them have different clocks.
const loadingReports = 24 * time.Hour

// beginsCall reports whether the fact is of a later call at the same port: the ship
// left before. Two reports of one departure differ by hours or days, but no ship lies
// longer than portStay: one that arrives later than that after it came, or leaves later than
// that after it left, has been away, and so has one that comes a day after it was loaded or
// discharged there.
func (e *entry) beginsCall(c *call) bool {
	if e.Activity == freight.Arrival && (e.at.Time.Sub(c.first.at.Time) > portStay || c.worked != nil && e.at.Time.Sub(c.worked.at.Time) > loadingReports && e.at.Compare(c.worked.at) > 0) {
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

// markDone marks the planned calls that have happened: one that did is the
// earliest planned at that port, however late it came.
func (s *ship) markDone() {
	for _, c := range s.calls {
		for _, p := range s.planned {
			if p.site == c.site && !p.done {
				p.done = true
				break
			}
		}
	}
}

// firstDeparture is the departure of the ship from the site that was reported first, of
// those that stand.
func (d *derivation) firstDeparture(s *ship, at *site) *entry {
	key := departureOf{s, at}
	if first, ok := d.firstDepartures[key]; ok {
		return first
	}
	var first *entry
	for _, e := range d.valid {
		if e.ship == s && e.site == at && e.Activity == freight.Departure && e.classifier == freight.Actual && (first == nil || later(e, first) < 0) {
			first = e
		}
	}
	if d.firstDepartures == nil {
		d.firstDepartures = map[departureOf]*entry{}
	}
	d.firstDepartures[key] = first
	return first
}

type departureOf struct {
	ship *ship
	site *site
}

// leaveShips counts the container out of the ships that left without it, or put it
// ashore.
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

// passes: a ship calls with the container at its POD and sails on with it: it comes there
// later.
func (cs *containerState) passes(e *entry) bool {
	return e.site == cs.pod && brings(e) && cs.sailsAfter(e)
}

// concernsNoContainer reports whether what a fact says of a ship is about none of the
// containers that it names, or of the shipment: they are not aboard, and will not be.
func (d *derivation) concernsNoContainer(e *entry) bool {
	switch {
	case e.classifier == freight.Actual && e.site != nil && !e.at.IsZero():
		return !e.counts && (len(e.containers) > 0 || e.Activity == freight.Departure || brings(e) && e.Activity != freight.Discharge)
	case e.ship == nil || d.cancelled || len(e.containers) == 0 && d.carried == 0:
		return false
	case len(e.containers) == 0 && e.takes():
		return e.ship.missed >= d.carried
	case len(e.containers) == 0:
		return e.ship.missed+e.ship.ended-e.ship.landing[e.site] >= d.carried
	}
	for _, number := range e.containers {
		if !d.byName[number].isBehind(e) {
			return false
		}
	}
	return true
}

// isBehind reports the same of one container and of what is to come: the ship left
// without it, or has put it ashore elsewhere.
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
