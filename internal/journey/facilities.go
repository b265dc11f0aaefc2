package journey

import (
	"slices"
	"strings"

	"github.com/landfallhq/tracking/freight"
)

// findNames remembers for each site the facts that know its name and facility best.
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

// placeByFacility finds the port of facts that name a terminal by its code alone: the
// one in which other facts of the shipment name that terminal.
func (d *derivation) placeByFacility() {
	ports := map[string]*site{} // by code; nil where two ports have one of that code
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
		if e.Place.LOCODE != "" || e.Place.Name != "" {
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

// offDock: a yard away from the quay, to which a terminal moves boxes that it
// has no room for, or that are to be unpacked or examined.
func (e *entry) offDock() bool {
	return e.Place.FacilityType == "OFFD" || e.Place.FacilityType == "COFS"
}

// findYard finds out whether a box was moved off the dock of the POD, and is
// still there.
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

// intoYard: a laden box is driven into a yard off the dock, or stands there.
func (e *entry) intoYard() bool {
	return e.offDock() && e.classifier == freight.Actual &&
		(e.Activity == freight.GateIn && e.LoadStatus == freight.Laden || e.Activity == freight.TerminalStatus && e.Terminal != nil)
}

// atTerminal reports whether the facility of a fact is the one that the whole
// shipment passes at this place, rather than a depot or a warehouse nearby.
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

// surerPlace returns the fact that knows better where boxes are: a person's word
// first, then what has happened, the last of it, then the latest recorded plan.
// Either may be nil.
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

// happened: a stated role is no event.
func (e *entry) happened() bool { return e.classifier == freight.Actual && e.Activity != freight.Route }

// place shows a site of the shipment with its role.
func (d *derivation) place(s *site, r freight.Role) freight.Place {
	if s == nil {
		return freight.Place{}
	}
	return s.shown(r, s.facility)
}

// placeOf shows a site of the shipment with the facility where one box is, or is
// expected, and the fact that names it: one of its own or of its ship, else the
// shipment's.
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
		// The quay that it left goes on to speak of it.
		if s != cs.pod || cs.yard == nil || e.offDock() || e.DataSource == freight.ByHand {
			best = surerPlace(best, e)
		}
	}
	// What happened to the container itself says more than where its ship called.
	if (best == nil || !best.happened()) && s.common != nil && !cs.isBehind(s.common) {
		best = surerPlace(best, s.common)
	}
	if best == nil {
		best = s.facility
	}
	return s.shown(r, best), best
}

// lands: the container was discharged from a ship. The gate by which it left later says
// no better where that was: it may have been moved, or have come back.
func (e *entry) lands() bool {
	return e.Activity == freight.Discharge && e.classifier == freight.Actual && e.overWater()
}

// isBack: the fact is about cargo that came back after it had been picked up. Where it
// stands then is not where it was discharged.
func (cs *containerState) isBack(e *entry) bool {
	return len(cs.pickups) > 0 && !cs.pickups[0].out.at.IsZero() && cs.pickups[0].out != e && compareEffect(e, cs.pickups[0].out) > 0
}

// shown is the place with the facility that a fact names.
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
