package tracking

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// placeReference is what derive knows of the world: the places with a LOCODE.
type placeReference interface {
	// Place returns the LOCODE under which the place is known (aliases such as
	// CNSGH fold into it), its name in English and its IANA zone.
	Place(locode string) (canonical, name, zone string, ok bool)
}

// site is one place of a shipment, whatever its facts call it.
type site struct {
	key    string // decides identity, and order where nothing else does
	ord    int    // rank of the key among the sites of the shipment
	locode string // canonical; empty when the source gives a name only
	known  bool   // to the reference
	name   string // of the reference
	zone   string // of the reference; empty when not known

	in, out passage // by main vessel
	stated  *entry  // the fact that says best what the port is at sea
	role    Role    // at sea: POL, TS or POD; or empty

	named    *entry // the fact that best knows the name
	facility *entry // the fact that best knows the facility
	common   *entry // the same of the facts about the whole shipment
}

// siteKey identifies the place of a fact: by its LOCODE, else by its name, else
// by its facility. Codes and names never mix, since a name alone does not say
// which of two places of that name is meant.
func siteKey(p Place) (key, locode string) {
	if locode = strings.ToUpper(strings.Join(strings.Fields(p.LOCODE), "")); locode != "" {
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

// siteOf returns the site of a place, or nil when the fact names none.
func (d *derivation) siteOf(p Place) *site {
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
		// Asked by the canonical code, so that what is known of a site does not
		// depend on which of its codes came first.
		if _, name, zone, ok := d.ref.Place(s.locode); ok {
			s.known, s.name = true, name
			if loadZone(zone) != nil {
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

// sitesInOrder returns the sites by key and numbers them so.
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

// passage is what is known of the main vessel's calls at a place in one
// direction. Once something has really happened there, estimates of the same
// direction say nothing more.
type passage struct {
	any, actual bool
	first, last Moment // zero when no time is known
	latest      *entry // whose time is the last, else the strongest without one
	guesses     map[What]*entry
}

func (p *passage) add(e *entry) {
	p.any = true
	if e.class == Actual {
		p.actual = true
		p.call(e)
		return
	}
	if g := p.guesses[e.What]; g == nil || betterGuess(e, g) {
		if p.guesses == nil {
			p.guesses = make(map[What]*entry, 2)
		}
		p.guesses[e.What] = e
	}
}

// betterGuess: an estimate knows more than a schedule, and the latest knows best.
func betterGuess(a, b *entry) bool {
	if a.class != b.class {
		return a.class == Estimated
	}
	return later(a, b) > 0
}

// call takes in the time of a call.
func (p *passage) call(e *entry) {
	if p.latest == nil || p.last.IsZero() || e.at.Time.After(p.last.Time) {
		p.latest = e
	}
	p.include(e.at)
}

func (p *passage) include(m Moment) {
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

// settle takes the times from the estimates where nothing has happened yet.
func (p *passage) settle() {
	if p.actual {
		return
	}
	for _, w := range []What{Arrival, Berth, Discharge, Loading, Departure} {
		if g := p.guesses[w]; g != nil {
			p.call(g)
		}
	}
}

// findRoles decides what each place is for the shipment. What a source states
// comes first; the order of the main vessel's calls fills in the rest. All
// containers share the ports of their shipment.
func (d *derivation) findRoles() {
	sites := d.sitesInOrder()
	var destination *entry
	for _, e := range d.valid { // from the weakest to the strongest
		if e.site == nil {
			continue
		}
		switch e.Place.Role {
		case RolePOL, RoleTS, RolePOD:
			e.site.stated = e
		case RoleDestination:
			destination = e
		}
		d.noteCall(e)
	}
	for _, s := range sites {
		s.in.settle()
		s.out.settle()
	}
	d.pol, d.pod = statedPort(sites, RolePOL), statedPort(sites, RolePOD)
	for _, s := range sites { // a statement that was overruled says nothing
		if s.stated != nil && s.stated.Place.Role != RoleTS && s != d.pol && s != d.pod {
			s.stated = nil
		}
	}
	if d.pol == nil {
		d.pol = firstPort(sites)
	}
	if d.pod == nil && d.pol != nil {
		d.pod = lastPort(sites, d.pol)
	}
	d.nameRoles(sites)
	if destination != nil && destination.site != d.pod {
		d.destination = destination.site
	}
}

// noteCall adds what a fact says of the main vessel's calls at its place.
func (d *derivation) noteCall(e *entry) {
	if e.by != ByVessel {
		return
	}
	switch e.What {
	case Loading, Departure:
		e.site.out.add(e)
	case Discharge, Arrival, Berth:
		e.site.in.add(e)
	}
}

// statedPort is the port of which the strongest statement says that it is the
// POL or POD. A port holds the role of its own strongest statement only, so a
// port that was renamed does not keep its old role.
func statedPort(sites []*site, r Role) *site {
	var best *entry
	for _, s := range sites {
		if s.stated != nil && s.stated.Place.Role == r {
			best = stronger(best, s.stated)
		}
	}
	if best == nil {
		return nil
	}
	return best.site
}

// because is the fact that makes the site the POD: the statement, else the last
// call of the ship that brings the shipment there.
func (s *site) because() *entry {
	if s == nil {
		return nil
	}
	return cmp.Or(s.stated, s.in.latest)
}

// free reports whether the order of calls may give the port a role: it may not
// contradict what a source has stated.
func (s *site) free() bool { return s.locode != "" && s.stated == nil }

// firstPort is where the main vessel first takes the shipment out. Calls
// without any time count only when there is nothing else to go by.
func firstPort(ports []*site) *site {
	var first *site
	var untimed []*site
	for _, s := range ports {
		switch {
		case !s.out.any || !s.free():
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

// lastPort is the last port that the main vessel brings the shipment to. When
// it is taken on from there, the POD is not known yet.
func lastPort(ports []*site, pol *site) *site {
	var last *site
	var untimed []*site
	for _, s := range ports {
		switch {
		case s == pol || !s.in.any || !s.free():
		case s.in.last.IsZero():
			untimed = append(untimed, s)
		case s.in.last.Time.Before(pol.out.first.Time):
		case last == nil || s.in.last.Time.After(last.in.last.Time):
			last = s
		}
	}
	if last == nil && len(untimed) == 1 && !untimed[0].out.any {
		return untimed[0]
	}
	if last != nil && last.out.any && (last.out.last.IsZero() || last.out.last.Time.After(last.in.last.Time)) {
		return nil
	}
	return last
}

// nameRoles writes the roles into the sites and lists the transshipments in
// the order of the calls.
func (d *derivation) nameRoles(ports []*site) {
	for _, s := range ports {
		switch {
		case s == d.pol:
			s.role = RolePOL
		case s == d.pod:
			s.role = RolePOD
		case s.stated != nil, s.locode != "" && d.onTheWay(s):
			s.role = RoleTS
			d.transshipments = append(d.transshipments, s)
		}
	}
	slices.SortStableFunc(d.transshipments, func(a, b *site) int { return a.firstCall().Compare(b.firstCall()) })
}

func (s *site) firstCall() time.Time {
	var p passage
	p.include(s.in.first)
	p.include(s.out.first)
	return p.first.Time
}

func (s *site) lastCall() time.Time {
	var p passage
	p.include(s.in.last)
	p.include(s.out.last)
	return p.last.Time
}

// onTheWay reports whether the shipment changes vessels here: the vessel brings
// it and takes it on, or calls between the POL's departure and the POD's
// arrival. Calls before the POL or after the POD are the vessel's own affair.
func (d *derivation) onTheWay(s *site) bool {
	if d.pol == nil || (!s.in.any && !s.out.any) {
		return false
	}
	left, reached := d.pol.out.first.Time, time.Time{}
	if d.pod != nil {
		reached = d.pod.in.last.Time
	}
	first, last := s.firstCall(), s.lastCall()
	if !left.IsZero() && !last.IsZero() && last.Before(left) {
		return false
	}
	if !reached.IsZero() && !first.IsZero() && first.After(reached) {
		return false
	}
	if s.in.any && s.out.any {
		return true
	}
	// The POD lies ahead: the line has named another port, or calls there later.
	return d.pod != nil && !left.IsZero() && !first.IsZero()
}

// roleOf is the role that a milestone at the site shows.
func (d *derivation) roleOf(s *site) Role {
	switch {
	case s == nil:
		return ""
	case s.role == "" && s == d.destination:
		return RoleDestination
	}
	return s.role
}
