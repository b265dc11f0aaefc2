package tracking

import "strings"

type shipCall struct {
	site *site
	out  bool
}

func callOf(e *entry) shipCall {
	return shipCall{e.site, e.What == Loading || e.What == Departure}
}

// note takes in a fact that names the box, from the weakest to the strongest.
func (b *box) note(e *entry) {
	b.own = append(b.own, e)
	if e.class != Actual || e.site == nil || !e.overWater() || e.Vessel == (Vessel{}) {
		return
	}
	key := callOf(e)
	if b.ships == nil {
		b.ships = map[shipCall]*ships{}
	}
	if b.ships[key] == nil {
		b.ships[key] = newShips()
	}
	b.ships[key].add(e.Vessel)
}

// ships is a set of vessels, known by IMO number or name.
type ships struct {
	imos, names map[string]bool
	unnumbered  map[string]bool // names that came without an IMO number
	nameless    bool            // some came with the number alone
}

func newShips() *ships {
	return &ships{imos: map[string]bool{}, names: map[string]bool{}, unnumbered: map[string]bool{}}
}

func (s *ships) add(v Vessel) {
	imo, name := shipKeys(v)
	switch {
	case imo != "":
		s.imos[imo] = true
	default:
		s.unnumbered[name] = true
	}
	if name == "" {
		s.nameless = true
	} else {
		s.names[name] = true
	}
}

func shipKeys(v Vessel) (imo, name string) {
	return strings.TrimSpace(v.IMO), strings.ToUpper(strings.Join(strings.Fields(v.Name), " "))
}

// differ reports whether v is certainly none of the set: compared by IMO number,
// and by name where either side has no number.
func (s *ships) differ(v Vessel) bool {
	if s == nil || v == (Vessel{}) {
		return false
	}
	imo, name := shipKeys(v)
	if imo == "" {
		return !s.names[name] && !s.nameless
	}
	if s.imos[imo] || s.unnumbered[name] {
		return false
	}
	return name != "" || len(s.unnumbered) == 0
}

// has reports whether v is certainly one of the set: by IMO number, and by name
// where either side has no number.
func (s *ships) has(v Vessel) bool {
	if s == nil {
		return false
	}
	imo, name := shipKeys(v)
	if imo == "" {
		return name != "" && s.names[name]
	}
	return s.imos[imo] || s.unnumbered[name]
}

// misses reports whether the box is on another ship than a call speaks of: part
// of a shipment is often left behind for the next one. Only what has happened
// tells: a plan takes no milestone away.
func (b *box) misses(e *entry) bool {
	return b.ships[callOf(e)].differ(e.Vessel) || b.left.has(e.Vessel) && !b.aboard(e.Vessel)
}

// outlived reports the same of what a call says of the times to come: the ships
// that were to take the box do not count either.
func (b *box) outlived(e *entry) bool {
	return b.misses(e) || b.old.has(e.Vessel) && !b.aboard(e.Vessel)
}

// aboard reports whether the box was ever on that ship.
func (b *box) aboard(v Vessel) bool {
	for _, known := range b.ships {
		if known.has(v) {
			return true
		}
	}
	return false
}

// findOldShips notes for each box the ships that left, or were to leave, without
// it. At most so many departures count for each box.
func (d *derivation) findOldShips(most int) {
	var departures []*entry
	for _, e := range d.valid {
		if len(e.boxes) == 0 && e.takesByShip() {
			departures = append(departures, e)
		}
	}
	departures = departures[max(0, len(departures)-most):]
	for _, b := range d.boxes {
		if len(b.ships) == 0 {
			continue
		}
		for _, e := range departures {
			b.noteOldShip(e)
		}
		for _, e := range b.own {
			if e.takesByShip() {
				b.noteOldShip(e)
			}
		}
	}
}

// takesByShip: a named ship takes the box, or all of them, from a port.
func (e *entry) takesByShip() bool {
	return e.site != nil && e.overWater() && callOf(e).out && e.Vessel != (Vessel{})
}

func (b *box) noteOldShip(e *entry) {
	if !b.ships[callOf(e)].differ(e.Vessel) {
		return
	}
	if b.old == nil {
		b.old, b.left = newShips(), newShips()
	}
	b.old.add(e.Vessel)
	if e.class == Actual {
		b.left.add(e.Vessel)
	}
}

// missed reports whether all boxes that a fact is about are on other ships: what
// the old ship does after a roll-over concerns the shipment no more. Only
// spreadLimit boxes are looked at in all; beyond that nothing is missed.
func (d *derivation) missed(e *entry) bool {
	if e.Vessel == (Vessel{}) || !e.overWater() || len(d.boxes) == 0 {
		return false
	}
	if len(e.boxes) == 0 {
		for _, b := range d.boxes {
			if d.looked++; d.looked > spreadLimit || !b.outlived(e) {
				return false
			}
		}
		return true
	}
	for _, number := range e.boxes {
		if d.looked++; d.looked > spreadLimit || !d.byName[number].outlived(e) {
			return false
		}
	}
	return true
}
