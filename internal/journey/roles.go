package journey

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"github.com/landfallhq/tracking/freight"
)

// Places looks up the places with a LOCODE.
type Places interface {
	// Place returns the canonical LOCODE of a place (CNSGH, for example, is an alias), its
	// name in English and its IANA zone.
	Place(locode string) (canonical, name, zone string, ok bool)
	// Near reports whether two places belong to one metropolitan area.
	Near(a, b string) bool
}

// site is one place of a shipment, under all names and codes that its facts use.
type site struct {
	key    string // identifies the site, and orders sites where nothing else does
	ord    int    // position by key among the sites of the shipment
	locode string // canonical; empty when facts have no code
	known  bool   // Places has it
	name   string // from Places
	zone   string // from Places; empty when not known

	in, out passage      // calls of main vessels that bring, and that take
	served  bool         // feeders call there, or are planned to, or it has a port terminal
	stated  *entry       // the strongest statement of its role at sea
	role    freight.Role // POL, TS or POD for most containers, or empty

	named    *entry // the strongest fact with a name
	facility *entry // the strongest fact with a facility
	common   *entry // like facility, among facts about the whole shipment
}

// siteKey identifies the place of a fact by its LOCODE, else by its name, else by its
// facility. Codes and names are never joined, because several places can have one name.
func siteKey(p freight.Place) (key, locode string) {
	if locode = upperWords(p.LOCODE, ""); locode != "" {
		return locode, locode
	}
	fold := func(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }
	if name := fold(p.Name); name != "" {
		return "name:" + name, ""
	}
	if p.SMDG == "" && p.BIC == "" && fold(p.Facility) == "" {
		return "", ""
	}
	return "facility:" + fold(p.SMDG) + "/" + fold(p.BIC) + "/" + fold(p.Facility), ""
}

// siteOf returns the site of a place, or nil when the place is empty.
func (d *derivation) siteOf(p freight.Place) *site {
	key, locode := siteKey(p)
	if key == "" {
		return nil
	}
	if s, ok := d.spelled[key]; ok {
		return s
	}
	s := &site{key: key, locode: locode}
	if locode != "" && d.ref != nil {
		if canonical, _, _, ok := d.ref.Place(locode); ok {
			s.key, s.locode = canonical, canonical
		}
		// Look up the canonical code, so that the result does not depend on which alias came
		// first.
		if _, name, zone, ok := d.ref.Place(s.locode); ok {
			s.known, s.name = true, name
			if freight.LoadZone(zone) != nil {
				s.zone = zone
			}
		}
	}
	if same, ok := d.sites[s.key]; ok {
		s = same
	} else {
		d.sites[s.key] = s
	}
	d.spelled[key] = s
	return s
}

// statedRole returns the role that the strongest statement gives the site; empty for none.
func (s *site) statedRole() freight.Role {
	if s.stated == nil {
		return ""
	}
	return s.stated.Place.Role
}

// sitesInOrder returns the sites sorted by key, and sets ord.
func (d *derivation) sitesInOrder() []*site {
	list := make([]*site, 0, len(d.sites))
	for _, s := range d.sites {
		list = append(list, s)
	}
	slices.SortFunc(list, func(a, b *site) int { return cmp.Compare(a.key, b.key) })
	for i, s := range list {
		s.ord = i
	}
	return list
}

// passage has the calls of main vessels at a place in one direction. After an actual move,
// estimates of that direction no longer count.
type passage struct {
	any, actual bool
	first, last freight.Moment // zero when no time is known
	latest      *entry         // the entry with the last time, else the strongest without a time
	estimates   map[freight.Activity]*entry
}

func (p *passage) add(e *entry) {
	p.any = true
	if e.classifier == freight.Actual {
		p.actual = true
		p.addTime(e)
		return
	}
	if g := p.estimates[e.Activity]; g == nil || betterEstimate(e, g) {
		if p.estimates == nil {
			p.estimates = make(map[freight.Activity]*entry, 2)
		}
		p.estimates[e.Activity] = e
	}
}

// betterEstimate reports whether a counts before b: an estimate before a planned time, then
// the later one.
func betterEstimate(a, b *entry) bool {
	if a.classifier != b.classifier {
		return a.classifier == freight.Estimated
	}
	return later(a, b) > 0
}

func (p *passage) addTime(e *entry) {
	if p.latest == nil || p.last.IsZero() || e.at.Time.After(p.last.Time) {
		p.latest = e
	}
	p.include(e.at)
}

func (p *passage) include(m freight.Moment) {
	if m.IsZero() {
		return
	}
	if p.first.IsZero() || m.Time.Before(p.first.Time) {
		p.first = m
	}
	if p.last.IsZero() || m.Time.After(p.last.Time) {
		p.last = m
	}
}

// useEstimates sets the times from the estimates where nothing has happened yet.
func (p *passage) useEstimates() {
	if p.actual {
		return
	}
	for _, w := range []freight.Activity{freight.Arrival, freight.Berth, freight.Discharge, freight.Loading, freight.Departure} {
		if g := p.estimates[w]; g != nil {
			p.addTime(g)
		}
	}
}

// findRoles decides the role of each place for the shipment and for each container. A
// stated role wins, except for a POD that the container has left behind: then the POD is
// where the container really leaves the sea.
func (d *derivation) findRoles() {
	sites := d.sitesInOrder()
	d.readStatements(sites)
	d.findFirstOnLand()
	d.boundSpread()
	all := d.containers
	if len(all) == 0 {
		// Stands for the shipment while no container is known.
		all = []*containerState{{unused: d.lostItsContainers()}}
	}
	for _, cs := range all {
		if !cs.unused {
			d.findVoyage(cs)
		}
		cs.pol, cs.pod = d.portOfLading(cs), d.lastPort(cs)
	}
	d.pol = cmp.Or(d.statedPOL, d.mostCommon(all, nil, d.startsAt), d.supposedPOL())
	d.pod = d.mostCommon(all, d.statedPOD, func(cs *containerState) *site { return cs.pod })
	for _, cs := range all {
		if cs.pol == nil || d.statedPOL != nil || d.joinsSiblings(cs) {
			cs.pol = d.pol
		}
		if cs.pod == nil && !cs.wentOnFrom(d.pod) {
			cs.pod, cs.podReached = d.pod, !slices.ContainsFunc(all, func(o *containerState) bool { return o.pod == d.pod && !o.podReached })
		}
		d.leaveShipAtPOD(cs)
		cs.findStops()
		cs.leaveShips()
		if !cs.unused {
			d.carried++
		}
	}
	d.nameRoles(sites, all)
	for _, cs := range all {
		cs.sailed = d.sailing(cs)
		d.findDestination(cs)
	}
	d.destination = d.mostCommon(all, d.statedDestination, func(cs *containerState) *site { return cs.destination })
	if d.destination == d.pod {
		d.destination = nil
	}
}

// supposedPOL returns the planned POL, or the first port that a ship left. A container that called there only
// after it had come off a ship elsewhere did not go to sea there.
func (d *derivation) supposedPOL() *site {
	s := d.plannedPOL
	if d.knownPOL == nil && slices.ContainsFunc(d.containers, func(cs *containerState) bool {
		return slices.ContainsFunc(cs.moves, func(m seaMove) bool { return m.site == s && m.leg.number > 0 && m.leg.from != s })
	}) {
		return nil
	}
	return s
}

// startsAt returns the POL of a container; nil where another one came to that port by sea.
func (d *derivation) startsAt(cs *containerState) *site {
	if len(d.containers) > 1 && cs.pol != nil && d.isEnd(cs.pol) {
		return nil
	}
	return cs.pol
}

// joinsSiblings reports whether the first port at which a container is reported is one where others
// of the shipment, which came from its POL, changed to the same ship.
func (d *derivation) joinsSiblings(cs *containerState) bool {
	if len(cs.legs) == 0 || cs.pol == d.pol || slices.ContainsFunc(cs.own, func(e *entry) bool {
		return e.classifier == freight.Actual && e.onLand() && e.at.Compare(cs.legs[0].since.at) < 0
	}) {
		return false
	}
	return slices.ContainsFunc(d.containers, func(o *containerState) bool {
		return o != cs && o.pol == d.pol && slices.ContainsFunc(o.legs, func(l *leg) bool {
			return l.number > 0 && l.from == cs.legs[0].from && l.ship != nil && l.ship == cs.legs[0].ship
		})
	})
}

// readStatements reads the stated roles of places, and the plans and moves of the whole
// shipment.
func (d *derivation) readStatements(sites []*site) {
	for _, e := range d.valid { // from the weakest to the strongest
		if len(e.containers) == 0 {
			d.readShipmentMove(e)
		}
		if e.site == nil {
			continue
		}
		switch e.Place.Role {
		case freight.RolePOL, freight.RoleTS, freight.RolePOD:
			e.site.stated = e
		case freight.RoleDestination:
			d.statedDestination = e.site
		}
		e.site.served = e.site.served || e.by == freight.ByFeeder || e.Place.FacilityType == "POTE"
		if e.by == freight.ByVessel && e.takes() {
			e.site.out.add(e)
		} else if e.by == freight.ByVessel && brings(e) {
			e.site.in.add(e)
		}
	}
	d.statedPOL, d.statedPOD = statedPort(sites, freight.RolePOL), statedPort(sites, freight.RolePOD)
	for _, s := range sites { // drop statements that a stronger one replaced
		s.in.useEstimates()
		s.out.useEstimates()
		if s.stated != nil && s.stated.Place.Role != freight.RoleTS && s != d.statedPOL && s != d.statedPOD {
			s.stated = nil
		}
	}
	d.quay = d.ladenGate()
	d.knownPOL = cmp.Or(d.statedPOL, d.plannedFrom(d.quay), d.firstPlanned())
	d.plannedPOL = cmp.Or(d.knownPOL, d.quay, d.firstPort(sites))
	d.cancelled = d.isCancelled()
	slices.SortFunc(d.shipMoves, compareMoves)
}

// readShipmentMove reads a move of the whole shipment. A load or discharge without a
// container is ignored: it happened to one of them, and it is not known to which.
func (d *derivation) readShipmentMove(e *entry) {
	switch {
	case e.classifier != freight.Actual:
		d.plans = append(d.plans, e)
	case e.Activity == freight.CustomsHold, e.Activity == freight.CustomsRelease:
		d.customs = append(d.customs, e)
	case e.by == freight.ByRail || e.by == freight.ByTruck:
		if e.Activity == freight.Departure || e.Activity == freight.Arrival {
			d.byLand = append(d.byLand, e)
		}
	case e.at.IsZero() || e.site == nil || !e.overWater():
	case e.Activity == freight.Departure || e.Activity == freight.Arrival || e.Activity == freight.Berth:
		d.shipMoves = append(d.shipMoves, e)
	}
}

// statedPort returns the port with the strongest statement of a role, or nil. Only the
// strongest statement of each port counts, so a port whose role was corrected does not keep
// the old one.
func statedPort(sites []*site, r freight.Role) *site {
	var best *entry
	for _, s := range sites {
		if s.statedRole() == r {
			best = stronger(best, s.stated)
		}
	}
	if best == nil {
		return nil
	}
	return best.site
}

// mostCommon returns the place of most containers: on a tie the stated one, else the first
// by key. Containers without a place do not count.
func (d *derivation) mostCommon(containers []*containerState, stated *site, of func(*containerState) *site) *site {
	count := map[*site]int{}
	var best *site
	for _, cs := range containers {
		s := of(cs)
		if s == nil {
			continue
		}
		count[s]++
	}
	for s, n := range count {
		switch {
		case best == nil || n > count[best]:
			best = s
		case n == count[best] && (s == stated || best != stated && s.ord < best.ord):
			best = s
		}
	}
	return best
}

// podProvenance returns the fact that makes the site the POD: the statement, else the last
// fact that brings a container there over water.
func (d *derivation) podProvenance(s *site) *entry {
	if s == nil {
		return nil
	}
	if s.stated != nil {
		return s.stated
	}
	var last *entry
	for _, e := range d.valid {
		if e.site == s && e.overWater() && !e.takes() && (last == nil || compareMoves(e, last) > 0) {
			last = e
		}
	}
	return last
}

// firstPlanned returns the first port where a main vessel is planned to load the shipment,
// by the latest plan of each port; nil for none.
func (d *derivation) firstPlanned() *site {
	plans := map[*site]*entry{}
	for _, e := range d.valid {
		if e.classifier != freight.Actual && e.by == freight.ByVessel && e.takes() && e.site != nil && e.site.locode != "" && !e.at.IsZero() && !e.early &&
			(e.site.stated == nil || e.site.stated.Place.Role == freight.RolePOL) {
			plans[e.site] = laterEstimate(plans[e.site], e)
		}
	}
	var first *entry
	for _, e := range plans {
		if (first == nil || compareMoves(e, first) < 0) && !d.isEnd(e.site) {
			first = e
		}
	}
	if first == nil {
		return nil
	}
	return first.site
}

// ladenGate returns the port at whose gate the containers were brought laden, or where they were loaded
// after a move on land, before anything else is reported of them laden: that of most containers, nil for
// none.
func (d *derivation) ladenGate() *site {
	return d.mostCommon(d.containers, nil, d.ladenGateOf)
}

// ladenGateOf is ladenGate of one container.
func (d *derivation) ladenGateOf(cs *containerState) *site {
	var first *entry
	for _, e := range cs.own {
		if e.classifier == freight.Actual && !e.at.IsZero() && (e.LoadStatus == freight.Laden || e.overWater()) && (first == nil || compareMoves(e, first) < 0) {
			first = e
		}
	}
	if first != nil && first.takes() && cs.didBefore(first, func(m *entry) bool { return m.onLand() && m.site == first.site }) && d.isPort(first.site) && first.site.stated == nil {
		return first.site
	}
	if first == nil || first.Activity != freight.GateIn || first.site == nil || !d.isPort(first.site) && first.Place.FacilityType != "POTE" || first.site.locode == "" || first.site.stated != nil && first.site.stated.Place.Role != freight.RolePOL {
		return nil
	}
	return first.site
}

// isEnd reports whether a container comes off a ship at a port, or is to, that was not loaded there
// before, or may have come there by sea: it is not where the containers go to sea.
func (d *derivation) isEnd(s *site) bool {
	ends, known := d.ends[s]
	if known {
		return ends
	}
	if d.ends == nil {
		d.ends = map[*site]bool{}
	}
	d.ends[s] = d.endsOne(s)
	return d.ends[s]
}

func (d *derivation) endsOne(s *site) bool {
	return slices.ContainsFunc(d.containers, func(cs *containerState) bool {
		return d.mayHaveComeBySea(cs, s) || slices.ContainsFunc(cs.own, func(e *entry) bool {
			return e.site == s && e.Activity == freight.Discharge && e.overWater() && !slices.ContainsFunc(cs.own, func(o *entry) bool {
				return o.site == s && o.takes() && o.at.Compare(e.at) <= 0
			})
		})
	})
}

// plannedFrom returns the port if a main vessel is planned to leave it, or to load there; else nil.
func (d *derivation) plannedFrom(s *site) *site {
	if s == nil || s.stated != nil && s.stated.Place.Role != freight.RolePOL || len(s.out.estimates) == 0 {
		return nil
	}
	return s
}

// firstPort returns the first port where a main vessel takes the shipment, by actual and
// planned times. A port without any time counts only when it is the only one.
func (d *derivation) firstPort(ports []*site) *site {
	var first *site
	var untimed []*site
	for _, s := range ports {
		switch {
		case !s.out.any || s.locode == "" || s.stated != nil || d.isEnd(s):
		case s.out.first.IsZero():
			untimed = append(untimed, s)
		case first == nil || s.out.first.Time.Before(first.out.first.Time):
			first = s
		}
	}
	if first == nil && len(untimed) == 1 {
		return untimed[0]
	}
	return first
}

// firstPort returns where the container boarded its first main vessel. Nil while it has
// not, or when the port is not known.
func (cs *containerState) firstPort() *site {
	for _, l := range cs.legs {
		if l.main {
			return l.port(l.from)
		}
	}
	return nil
}

// plansOf yields the planned and estimated moves of the container: first its own, then
// those of the whole shipment.
func (d *derivation) plansOf(cs *containerState) iter.Seq[*entry] {
	return func(yield func(*entry) bool) {
		for _, list := range [2][]*entry{cs.own, d.plans} {
			for _, e := range list {
				if e.classifier != freight.Actual && !yield(e) {
					return
				}
			}
		}
	}
}

// portOfLading returns where the container went to sea. The first port from which it is
// reported to have left is only a stop when a plan has a ship bring it there from the
// planned POL. Where it may have come to that port by sea, the POL is not known.
func (d *derivation) portOfLading(cs *containerState) *site {
	first := cs.firstPort()
	if first != nil && d.knownPOL == nil && d.mayHaveComeBySea(cs, first) {
		return nil
	}
	if first == nil || d.plannedPOL == nil || first == d.plannedPOL {
		return first
	}
	if gate := d.ladenGateOf(cs); gate != nil && gate != first && !d.near(gate, first) && !slices.ContainsFunc(cs.legs, func(l *leg) bool { return l.from == gate }) {
		return gate
	}
	for e := range d.plansOf(cs) {
		if e.by == freight.ByVessel && brings(e) && e.site == first {
			return d.plannedPOL
		}
	}
	return first
}

// port returns s, or nil when it has no LOCODE: a name alone does not identify a place.
func (l *leg) port(s *site) *site {
	if s == nil || s.locode == "" {
		return nil
	}
	return s
}

// lastPort returns where the container leaves the sea: the last discharge from a sea-going
// ship, once something confirms it; until then the stated port, else the planned one, else
// the last port that it has reached. Nil while not known.
func (d *derivation) lastPort(cs *containerState) *site {
	last := d.lastSeaLeg(cs)
	if last != nil && last.port(last.to) != nil && d.confirmed(cs, last) {
		return last.to
	}
	if d.statedPOD != nil {
		return cmp.Or(d.divertedTo(cs, last), d.statedPOD)
	}
	if s := d.plannedPort(cs); s != nil {
		return s
	}
	cs.podReached = true
	return d.reachedPort(cs, last)
}

// divertedTo returns the port to which the ship that the container is aboard, or is planned to
// board, is to bring it instead of the stated POD, by a plan of its own that was recorded after the statement; nil
// for none.
func (d *derivation) divertedTo(cs *containerState, last *leg) *site {
	if last != nil && (last.to != nil || last.ship == nil || last.callAt(d.statedPOD, nil) != nil) {
		return nil
	}
	plan := cs.latestPlan(func(p *entry) bool { return p.Activity == freight.Discharge && p.site != nil })
	if plan == nil || last != nil && plan.ship != last.ship || plan.site == d.statedPOD || plan.site.locode == "" || plan.site.stated != nil || later(plan, d.statedPOD.stated) <= 0 || d.leavesAgain(cs, plan) {
		return nil
	}
	return plan.site
}

// lastSeaLeg returns the container's last leg by sea. A leg by barge is inland, unless it
// ends at the stated POD.
func (d *derivation) lastSeaLeg(cs *containerState) *leg {
	for _, l := range slices.Backward(cs.legs) {
		if !l.barge || l.to != nil && l.to == d.statedPOD {
			return l
		}
	}
	return nil
}

// confirmed reports whether a move by land or barge shows that the voyage ended with the
// leg: the container leaves the port, or is delivered or returned empty. At a port of
// transshipment, or while another ship is planned to take it on, both must be reported.
// Otherwise the ship may have carried it to where it was delivered, or the container may
// only have moved to another terminal.
func (d *derivation) confirmed(cs *containerState, last *leg) bool {
	if last.to == d.statedPOD {
		return true
	}
	if d.cameToAnotherPort(cs, last) {
		return false
	}
	left, ended := false, false
	for _, e := range cs.own {
		if e.classifier != freight.Actual || e.at.IsZero() || e.at.Compare(last.until.at) < 0 {
			continue
		}
		here := e.site == nil || e.site == last.to || e.site != d.statedPOD && d.near(e.site, last.to) && !cs.isBroughtOn(last, e.site)
		switch {
		case e.Activity == freight.Delivery && e.LoadStatus != freight.Empty, e.Activity == freight.GateIn && e.LoadStatus == freight.Empty:
			ended = true
			left = left || here && e.Activity == freight.Delivery // it may be returned to any port
		case e.LoadStatus == freight.Empty:
		case e.by == freight.ByRail && brings(e) && !here, (e.Activity == freight.GateIn || e.Activity == freight.GateOut) && e.LoadStatus == freight.Laden && !here && !d.isPort(e.site):
			ended = true // a train or truck took it from a port
		case e.Activity == freight.GateOut && e.LoadStatus == freight.Laden, e.takes() && e.by == freight.ByBarge, (e.Activity == freight.Loading || e.Activity == freight.Departure) && e.by == freight.ByRail:
			left = left || here
		}
	}
	switch {
	case d.changesShips(last.to) || d.goesOn(cs, last):
		return left && ended
	case d.wasToGoOn(cs, last), d.statedPOD != nil && !d.isDiverted(cs, last):
		return left
	}
	return left || ended
}

// cameAfter reports whether the ship called where a leg ended after that.
func (s *ship) cameAfter(l *leg) bool {
	return slices.ContainsFunc(s.calls, func(c *call) bool { return c.site == l.to && c.left().After(l.until.at.Time) })
}

// isBroughtOn reports whether another ship than that of a leg is to bring the container to a port, by its own
// latest plan.
func (cs *containerState) isBroughtOn(l *leg, to *site) bool {
	s := cs.plannedToBring(to)
	return s != nil && s != l.ship
}

// isDiverted reports whether the ship of a leg, or any where none is known, was planned to end there after the POD was stated.
func (d *derivation) isDiverted(cs *containerState, last *leg) bool {
	for p := range d.plansOf(cs) {
		if brings(p) && p.site == last.to && p.ship != nil && (last.ship == nil || p.ship == last.ship) && !slices.ContainsFunc(append(p.past[:len(p.past):len(p.past)], p), func(v *entry) bool {
			return later(v, d.statedPOD.stated) < 0
		}) {
			return true
		}
	}
	return false
}

// wasToGoOn reports whether another ship was planned to take the container on from where it
// was discharged, or called there later and was planned to bring it to the stated POD after the ship of the leg was.
// That ship, or another, may have brought it to where it was delivered.
func (d *derivation) wasToGoOn(cs *containerState, last *leg) bool {
	for e := range d.plansOf(cs) {
		if brings(e) && d.statedPOD != nil && e.site == d.statedPOD && e.ship != nil && last.ship != nil && e.ship.isAnother(last.ship) && e.ship.cameAfter(last) {
			if former := d.firstToBring(cs, last.ship, d.statedPOD); former != nil && later(e.firstVersion(), former) > 0 {
				return true
			}
		}
		if e.takes() && e.by != freight.ByBarge && e.site == last.to && e.ship != nil && e.ship != last.ship {
			return true
		}
	}
	return false
}

// cameToAnotherPort reports whether the container's first own move after a leg is a
// departure by land or barge from another port. A ship brought it there without a report.
func (d *derivation) cameToAnotherPort(cs *containerState, last *leg) bool {
	var first *entry
	for _, e := range cs.own {
		if e.classifier == freight.Actual && (e.onLand() || e.by == freight.ByBarge) && e.site != nil && !e.at.IsZero() && e.at.Compare(last.until.at) > 0 && (first == nil || compareMoves(e, first) < 0) {
			first = e
		}
	}
	return first != nil && (first.takenInland() || first.takes()) && first.Activity != freight.Delivery && first.LoadStatus != freight.Empty &&
		first.site != last.to && d.isSeaport(first.site) && (first.site == d.statedPOD || !d.near(first.site, last.to))
}

func (d *derivation) near(a, b *site) bool {
	return a != nil && b != nil && a != b && a.locode != "" && b.locode != "" && d.ref != nil && d.ref.Near(a.locode, b.locode)
}

// goesOn reports whether another ship is still planned to take the container on, from where
// it was discharged or later from another port.
func (d *derivation) goesOn(cs *containerState, last *leg) bool {
	for e := range d.plansOf(cs) {
		if e.takes() && e.by != freight.ByBarge && e.site != nil && d.ahead(e, last) {
			return true
		}
	}
	return false
}

// ahead reports whether a planned departure is still to come after the leg.
func (d *derivation) ahead(e *entry, last *leg) bool {
	switch {
	case e.ship != nil && e.ship == last.ship, e.site == last.from:
		return false
	case e.ship != nil && e.ship.sailedFrom(e.site):
		return false
	case e.site == last.to:
		return true
	}
	return e.ship != nil && !e.at.IsZero() && e.at.Compare(last.until.at) > 0
}

func (s *ship) sailedFrom(at *site) bool {
	for _, c := range s.calls {
		if c.site == at && c.sailed != nil {
			return true
		}
	}
	return false
}

// plannedPort returns the last port to which a ship was planned to bring the container,
// unless the container has gone on from there. Plans of ships that left without it, or put
// it ashore elsewhere, count only when there is no other plan.
func (d *derivation) plannedPort(cs *containerState) *site {
	current := func(e *entry) bool { return !cs.left(e) }
	if s := d.lastPlanned(cs, current); s != nil {
		return s
	}
	return d.lastPlanned(cs, func(e *entry) bool { return true })
}

func (d *derivation) lastPlanned(cs *containerState, counts func(*entry) bool) *site {
	type arrival struct {
		*site
		freight.Activity
	}
	plans := map[arrival]*entry{} // the latest of each kind
	for e := range d.plansOf(cs) {
		if !e.overWater() || e.by == freight.ByBarge || !brings(e) || e.site == nil || e.site.locode == "" {
			continue
		}
		if e.site.stated != nil && e.site.stated.Place.Role != freight.RolePOD || cs.wentOnFrom(e.site) || cs.sailsOn(e) || !counts(e) {
			continue
		}
		if d.comesOffElsewhere(cs, e.ship, e.site) || len(e.containers) == 0 && cs.isToBeLoadedAt(e.site) {
			continue
		}
		if key := (arrival{e.site, e.Activity}); plans[key] == nil || betterEstimate(e, plans[key]) {
			plans[key] = e
		}
	}
	var last, untimed *entry
	for _, e := range plans {
		switch {
		case e.at.IsZero():
			untimed = stronger(untimed, e)
		case last == nil || compareMoves(e, last) > 0:
			last = e
		}
	}
	if last = cmp.Or(last, untimed); last == nil || d.leavesAgain(cs, last) {
		return nil
	}
	return last.site
}

// isToBeLoadedAt reports whether a plan of its own has a ship take the container on from a port.
func (cs *containerState) isToBeLoadedAt(at *site) bool {
	return slices.ContainsFunc(cs.own, func(p *entry) bool {
		return p.classifier != freight.Actual && p.Activity == freight.Loading && p.overWater() && p.by != freight.ByBarge && p.site == at
	})
}

// sailsOn reports whether e is about a later port of the ship that put the container
// ashore, and was recorded after that.
func (cs *containerState) sailsOn(e *entry) bool {
	if len(cs.legs) == 0 || e.ship == nil {
		return false
	}
	l := cs.legs[len(cs.legs)-1]
	return l.ship == e.ship && l.to != nil && l.to != e.site && later(e, l.until) > 0
}

func brings(e *entry) bool {
	return e.Activity == freight.Arrival || e.Activity == freight.Berth || e.Activity == freight.Discharge
}

// leavesAgain reports whether another ship is planned to take the container on from that
// port later. Then the POD is not known yet.
func (d *derivation) leavesAgain(cs *containerState, last *entry) bool {
	for e := range d.plansOf(cs) {
		if e.takes() && e.by != freight.ByBarge && e.site == last.site && e.ship != last.ship && compareMoves(e, last) > 0 {
			return true
		}
	}
	return false
}

// wentOnFrom reports whether the container left the port by sea.
func (cs *containerState) wentOnFrom(s *site) bool {
	for i, l := range cs.legs {
		if l.from == s && !l.barge || l.to == s && i+1 < len(cs.legs) && !cs.legs[i+1].barge {
			return true
		}
	}
	return false
}

// left reports whether the ship of a plan no longer matters for the container: it left
// without it, or put it ashore elsewhere and another ship took it on. Where the last ship
// put it ashore changes no plan until something confirms it.
func (cs *containerState) left(e *entry) bool {
	if e.ship == nil || cs.missed[e.ship] {
		return e.ship != nil
	}
	for i, l := range cs.legs {
		if i < len(cs.legs)-1 && l.ship == e.ship && l.to != nil && l.to != e.site {
			return true
		}
	}
	return false
}

// reachedPort returns the last port that the container has reached, unless its ship has
// left it since. It returns nil while it is not known where the container went to sea, or while no
// container is known and nobody expected the shipment there: the port may be a stop.
func (d *derivation) reachedPort(cs *containerState, last *leg) *site {
	if d.startOf(cs) == nil {
		return nil
	}
	at := untimedPort(cs)
	if last != nil && last.to != nil {
		at = last.to
	} else if last != nil {
		at = nil
		for _, m := range cs.moves {
			if m.leg == last && m.takes() {
				at = nil
			} else if m.leg == last {
				at = m.site
			}
		}
	}
	if at == nil || at.locode == "" || at.stated != nil && at.stated.Place.Role != freight.RolePOD || cs.number == "" && !d.wasExpectedAt(at) {
		return nil
	}
	return at
}

// startOf returns where the container went to sea, or is planned to.
func (d *derivation) startOf(cs *containerState) *site {
	if s := cs.firstPort(); s != nil {
		return s
	}
	return d.plannedPOL
}

// untimedPort returns the only port that a container has reached, when no move of it over
// sea has a time.
func untimedPort(cs *containerState) (at *site) {
	for _, e := range cs.own {
		if e.classifier != freight.Actual || e.by != freight.ByVessel || e.site == nil {
			continue
		}
		if !e.at.IsZero() || e.takes() && e.site == at {
			return nil
		}
		if brings(e) {
			if at != nil && at != e.site {
				return nil
			}
			at = e.site
		}
	}
	return at
}

// leaveShipAtPOD drops the moves of the last ship after the POD, where the discharge is not
// reported, unless the container was carried past the POD.
func (d *derivation) leaveShipAtPOD(cs *containerState) {
	if len(cs.legs) == 0 || cs.pod == nil {
		return
	}
	last := cs.legs[len(cs.legs)-1]
	if last.to != nil || d.comesOffElsewhere(cs, last.ship, cs.pod) {
		return
	}
	reached := -1
	for i, m := range cs.moves {
		if m.leg == last && m.site == cs.pod && !m.takes() && cs.pod != last.from {
			reached = i
		}
	}
	v := voyage{derivation: d, cs: cs}
	if reached >= 0 && (last.ship == nil || !v.carriedPast(last, cs.moves[reached].entry)) {
		last.until = cs.moves[reached].entry
		cs.moves = cs.moves[:reached+1]
	}
}

// findStops lists the ports between POL and POD where the container called, in order.
func (cs *containerState) findStops() {
	for _, m := range cs.moves {
		s := m.site
		if s == nil || s == cs.pol || s == cs.pod || s.locode == "" || slices.Contains(cs.stops, s) {
			continue
		}
		if m.leg.barge || m.before(cs) || cs.pod == nil && !cs.goneFrom(s) {
			continue
		}
		cs.stops = append(cs.stops, s)
	}
}

// goneFrom reports whether the container has left a port, or the port has a stated role.
func (cs *containerState) goneFrom(s *site) bool {
	return slices.ContainsFunc(cs.moves, func(m seaMove) bool { return m.site == s && m.takes() }) || s.stated != nil
}

// before reports whether the move was on the way to the POL, usually by feeder.
func (m seaMove) before(cs *containerState) bool {
	for _, l := range cs.legs {
		if l.main && l.port(l.from) != nil {
			return cs.pol == l.from && m.leg != l && m.at.Compare(l.since.at) < 0
		}
	}
	return false
}

// nameRoles sets the role of each site, and lists the transshipments in the order of the
// calls.
func (d *derivation) nameRoles(ports []*site, containers []*containerState) {
	for _, cs := range containers {
		for _, s := range cs.stops {
			if s != d.pol && s != d.pod && !slices.Contains(d.transshipments, s) {
				d.transshipments = append(d.transshipments, s)
			}
		}
	}
	for _, s := range ports {
		switch {
		case s == d.pol:
			s.role = freight.RolePOL
		case s == d.pod:
			s.role = freight.RolePOD
		case slices.Contains(d.transshipments, s):
			s.role = freight.RoleTS
		case s.statedRole() == freight.RoleTS, d.plannedBetween(s):
			s.role = freight.RoleTS
			d.transshipments = append(d.transshipments, s)
		}
	}
	first := map[*site]*entry{}
	for _, e := range d.valid {
		if e.site != nil && e.site.role == freight.RoleTS && e.overWater() && !e.at.IsZero() && (first[e.site] == nil || compareMoves(e, first[e.site]) < 0) {
			first[e.site] = e
		}
	}
	slices.SortStableFunc(d.transshipments, func(a, b *site) int {
		if first[a] == nil || first[b] == nil {
			return cmp.Compare(a.ord, b.ord)
		}
		return cmp.Or(first[a].portTime().Compare(first[b].portTime()), cmp.Compare(a.ord, b.ord))
	})
}

// plannedBetween reports whether main vessels are planned to call at a place between the
// departure from the POL and the arrival at the POD, or to bring the shipment there and
// take it on.
func (d *derivation) plannedBetween(s *site) bool {
	if d.pol == nil || s.locode == "" || s.in.actual || s.out.actual || !s.in.any && !s.out.any {
		return false
	}
	var here passage
	for _, m := range [4]freight.Moment{s.in.first, s.in.last, s.out.first, s.out.last} {
		here.include(m)
	}
	left, reached := d.pol.out.first, freight.Moment{}
	if d.pod != nil {
		reached = d.pod.in.last
	}
	if !left.IsZero() && !here.last.IsZero() && here.last.Time.Before(left.Time) {
		return false
	}
	if !reached.IsZero() && !here.first.IsZero() && here.first.Time.After(reached.Time) {
		return false
	}
	return s.in.any && s.out.any || d.pod != nil && !left.IsZero() && !here.first.IsZero()
}

// roleOf returns the role that a milestone at the site shows.
func (d *derivation) roleOf(s *site, cs *containerState) freight.Role {
	if role := d.seaRole(s, cs); role != "" || s == nil {
		return role
	}
	if s == cs.destinationOr(d) {
		return freight.RoleDestination
	}
	return ""
}

// seaRole returns the role of a port for a container. With a nil container it is the role
// for most of them.
func (d *derivation) seaRole(s *site, cs *containerState) freight.Role {
	switch {
	case s == nil:
		return ""
	case cs == nil:
		return s.role
	case s == cs.pol:
		return freight.RolePOL
	case s == cs.pod:
		return freight.RolePOD
	case slices.Contains(cs.stops, s), s.role == freight.RoleTS:
		return freight.RoleTS
	}
	return ""
}

func (cs *containerState) destinationOr(d *derivation) *site {
	if cs == nil {
		return d.destination
	}
	return cs.destination
}
