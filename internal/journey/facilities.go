package journey

import (
	"slices"
	"strings"

	"github.com/landfallhq/tracking/freight"
)

// findNames sets for each site the facts that its name and facility are taken from.
func (d *derivation) findNames() {
	for _, e := range d.valid { // from the weakest to the strongest
		if e.site == nil {
			continue
		}
		if e.Place.Name != "" {
			e.site.named = e
		}
		if !e.namesFacility() || e.offDock() || !e.atTerminal() {
			continue
		}
		e.site.facility = surerPlace(e.site.facility, e)
		if len(e.containers) == 0 {
			e.site.common = surerPlace(e.site.common, e)
		}
	}
}

// placeByFacility sets the port of facts that have only the code of a terminal: the port
// that other facts of the shipment have with that code.
func (d *derivation) placeByFacility() {
	if !slices.ContainsFunc(d.valid, (*entry).onlyNamesFacility) {
		return
	}
	ports := map[string]*site{} // by code; nil where two ports have the same code
	for _, e := range d.valid {
		if e.site == nil || e.site.locode == "" {
			continue
		}
		for _, code := range facilityCodes(e.Place) {
			if known, ok := ports[code]; ok && known != e.site {
				ports[code] = nil
			} else if !ok {
				ports[code] = e.site
			}
		}
	}
	for _, e := range d.valid {
		if !e.onlyNamesFacility() {
			continue
		}
		for _, code := range facilityCodes(e.Place) {
			if s := ports[code]; s != nil {
				e.site, e.at = s, d.localize(e.At, s)
				e.classifier, e.early = classifierOf(e.LoggedFact, e.at)
				break
			}
		}
	}
}

// onlyNamesFacility reports whether the fact has neither the code nor the name of a port.
func (e *entry) onlyNamesFacility() bool { return e.Place.LOCODE == "" && e.Place.Name == "" }

func facilityCodes(p freight.Place) (codes []string) {
	if p.SMDG != "" {
		codes = append(codes, "smdg "+strings.ToUpper(strings.TrimSpace(p.SMDG)))
	}
	if p.BIC != "" {
		codes = append(codes, "bic "+strings.ToUpper(strings.TrimSpace(p.BIC)))
	}
	return codes
}

func (e *entry) namesFacility() bool {
	return e.Place.SMDG != "" || e.Place.BIC != "" || e.Place.Facility != ""
}

// offDock reports whether the facility is an off-dock yard, to which a terminal moves
// containers when it is full, or to have them unpacked or inspected.
func (e *entry) offDock() bool {
	return e.Place.FacilityType == "OFFD" || e.Place.FacilityType == "COFS"
}

// findYard finds whether the container was moved to an off-dock yard of the POD, and
// whether it is still there.
func (d *derivation) findYard(cs *containerState) {
	if cs.pod == nil {
		return
	}
	for _, e := range cs.own {
		if e.intoYard() && (e.site == cs.pod || d.near(e.site, cs.pod)) && (cs.yard == nil || compareEffect(e, cs.yard) < 0) {
			cs.yard = e
		}
	}
	cs.inYard = cs.yard != nil && cs.entered != nil && cs.entered.offDock()
}

// intoYard reports whether the fact shows a laden container enter an off-dock yard, or
// stand there.
func (e *entry) intoYard() bool {
	return e.offDock() && e.classifier == freight.Actual &&
		(e.Activity == freight.GateIn && e.LoadStatus == freight.Laden || e.Activity == freight.TerminalStatus && e.Terminal != nil)
}

// atTerminal reports whether the facility of the fact is the terminal of the whole shipment
// at this place, not a depot or a warehouse nearby.
func (e *entry) atTerminal() bool {
	if e.Place.FacilityType == "DEPO" {
		return false
	}
	switch e.Activity {
	case freight.Loading, freight.Departure, freight.Discharge, freight.Arrival, freight.Berth, freight.Route:
		return true
	case freight.GateOut:
		return e.LoadStatus == freight.Laden && e.site.role != freight.RolePOL
	case freight.GateIn:
		return e.LoadStatus == freight.Laden && (e.site.role != freight.RolePOD || e.offDock())
	}
	return e.concernsRelease()
}

// surerPlace returns the fact with more authority about where containers are: one entered
// by a person, then the last actual one, then the plan recorded last. Either may be nil.
func surerPlace(a, b *entry) *entry {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	case byHand(a) != byHand(b):
		if byHand(a) > byHand(b) {
			return a
		}
		return b
	case a.happened() != b.happened():
		if a.happened() {
			return a
		}
		return b
	case a.happened() && after(a, b):
		return a
	case a.happened() && after(b, a):
		return b
	}
	return stronger(a, b)
}

// happened reports whether the fact is an actual event. A stated role is none.
func (e *entry) happened() bool { return e.classifier == freight.Actual && e.Activity != freight.Route }

// place returns a site of the shipment as a place with its role.
func (d *derivation) place(s *site, r freight.Role) freight.Place {
	if s == nil {
		return freight.Place{}
	}
	return s.shown(r, s.facility)
}

// placeOf returns a site as a place with the facility where one container is or is
// expected, and the fact that has the facility: one of the container or its ship, else one
// of the shipment.
func (d *derivation) placeOf(cs *containerState, s *site, r freight.Role) (freight.Place, *entry) {
	if s == nil {
		return freight.Place{}, nil
	}
	var best *entry
	landed := slices.ContainsFunc(cs.own, func(e *entry) bool { return e.site == s && e.lands() && e.namesFacility() })
	for _, e := range cs.own {
		if e.site != s || !e.namesFacility() || !e.atTerminal() || cs.isBack(e) || landed && e.Activity == freight.GateOut {
			continue
		}
		// The terminal still reports a container that has left it for a yard.
		if s != cs.pod || cs.yard == nil || e.offDock() || e.DataSource == freight.ByHand {
			best = surerPlace(best, e)
		}
	}
	// An actual move of the container counts before the calls of its ship.
	if (best == nil || !best.happened()) && s.common != nil && !cs.isBehind(s.common) {
		best = surerPlace(best, s.common)
	}
	if best == nil {
		best = s.facility
	}
	return s.shown(r, best), best
}

// lands reports whether the container was discharged from a ship. The gate by which it left
// later is less exact: it may have been moved, or have come back.
func (e *entry) lands() bool {
	return e.Activity == freight.Discharge && e.classifier == freight.Actual && e.overWater()
}

// isBack reports whether the fact is later than the first pick-up, and no discharge. The container came back
// then, and where it stands is not where it was discharged.
func (cs *containerState) isBack(e *entry) bool {
	return len(cs.pickups) > 0 && !e.lands() && !cs.pickups[0].out.at.IsZero() && cs.pickups[0].out != e && compareEffect(e, cs.pickups[0].out) > 0
}

// shown returns the site as a place, with the facility of a fact.
func (s *site) shown(r freight.Role, facility *entry) freight.Place {
	p := freight.Place{LOCODE: s.locode, Name: s.name, Role: r}
	if p.Name == "" && s.named != nil {
		p.Name = s.named.Place.Name
	}
	if facility != nil {
		f := facility.Place
		p.SMDG, p.BIC, p.Facility, p.FacilityType = f.SMDG, f.BIC, f.Facility, f.FacilityType
	}
	return p
}
