package tracking

import (
	"strings"
	"sync"

	"github.com/landfallhq/tracking/internal/journey"
	"github.com/landfallhq/tracking/internal/naturalkey"

	"github.com/landfallhq/tracking/refdata"
)

// Places and vessels that facts name and the reference data does not have are
// stored in the account. Nearly all have been named before, so a plan checks first,
// in a cache of the process.

// placeMemory caches which places and vessels are stored with a name. They are
// never deleted, so an entry stays valid.
type placeMemory struct {
	mu   sync.Mutex
	seen map[placeOf]bool
}

type placeOf struct {
	account AccountID
	id      ID
}

// maxPlaces bounds the cache.
const maxPlaces = 100_000

func (m *placeMemory) has(p placeOf) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.seen[p]
}

func (m *placeMemory) add(p placeOf) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.seen == nil || len(m.seen) >= maxPlaces {
		m.seen = map[placeOf]bool{}
	}
	m.seen[p] = true
}

// nameable is a place or vessel, for which a source may give a code without a name.
type nameable interface {
	// hasNoName reports whether the code is used as the name.
	hasNoName() bool
	// takeName copies the name of another record of the same place or vessel.
	takeName(from nameable)
}

func (p *Port) hasNoName() bool        { return p.Name == p.Code }
func (p *Port) takeName(from nameable) { p.Name = from.(*Port).Name }

func (v *Vessel) hasNoName() bool        { return v.Name == v.IMO }
func (v *Vessel) takeName(from nameable) { v.Name = from.(*Vessel).Name }

// hasNoName: LOCODE and code are used as the name; see newTerminal.
func (t *Terminal) hasNoName() bool {
	locode, ok := strings.CutSuffix(t.Name, " "+t.SMDGCode+t.BICFacilityCode)
	return ok && (locode == "" || len(locode) == 5)
}
func (t *Terminal) takeName(from nameable) { t.Name = from.(*Terminal).Name }

// findNewPlaces finds the new facts with places or vessels that the account does
// not have.
func (p *plan) findNewPlaces(tx *transaction) error {
	byNameOnly := map[ID]bool{} // ships that new facts before name without a number
	for _, r := range p.batch {
		if r.Version > 0 {
			continue
		}
		unknown, err := namesNewPlace(tx, &r.Fact)
		if err != nil {
			return err
		}
		switch v := r.Fact.Vessel; {
		case v.Name == "":
		case v.IMO == "":
			byNameOnly[tx.resolver().Vessel(v)] = true
		default:
			unknown = unknown || byNameOnly[naturalkey.ByName("vessel", tx.Account, v.Name)]
		}
		if unknown {
			p.withNewPlaces = append(p.withNewPlaces, &r.Fact)
		}
	}
	return nil
}

func namesNewPlace(tx *transaction, f *journey.LoggedFact) (bool, error) {
	if unknown, err := isMissing(tx, ports, newPort(tx, f.Place)); unknown || err != nil {
		return unknown, err
	}
	if unknown, err := isMissing(tx, terminals, newTerminal(tx, f.Place)); unknown || err != nil {
		return unknown, err
	}
	if unknown, err := isMissing(tx, vessels, newVessel(tx, f.Vessel)); unknown || err != nil {
		return unknown, err
	}
	namesake, err := unlinkedNamesake(tx, f.Vessel)
	return namesake != nil, err
}

// isMissing reports whether the account does not have the place or vessel, or not
// its name.
func isMissing[T any](tx *transaction, n *resource[T], v *T) (bool, error) {
	if v == nil {
		return false, nil
	}
	place := placeOf{tx.Account, metaOf(v).ID}
	if tx.engine.places.has(place) {
		return false, nil
	}
	old, err := n.Get(tx, place.id)
	switch {
	case isNotFound(err):
		return true, nil
	case err != nil:
		return false, err
	case any(old).(nameable).hasNoName():
		return !any(v).(nameable).hasNoName(), nil
	}
	if tx.ledger == nil { // a transaction that writes may see what is never committed
		tx.engine.places.add(place)
	}
	return false, nil
}

// rememberPlaces records what a new fact names and the reference data does not
// know, in the account.
func rememberPlaces(tx *transaction, f *journey.LoggedFact) error {
	if err := putUnlessKnown(tx, ports, newPort(tx, f.Place)); err != nil {
		return err
	}
	if err := putUnlessKnown(tx, terminals, newTerminal(tx, f.Place)); err != nil {
		return err
	}
	if err := putUnlessKnown(tx, vessels, newVessel(tx, f.Vessel)); err != nil {
		return err
	}
	namesake, err := unlinkedNamesake(tx, f.Vessel)
	if err != nil || namesake == nil {
		return err
	}
	namesake.KnownAs = tx.resolver().Vessel(f.Vessel)
	return vessels.Put(tx, namesake)
}

// putUnlessKnown writes a record unless it exists. A record without a name takes
// the name.
func putUnlessKnown[T any](tx *transaction, n *resource[T], v *T) error {
	if v == nil {
		return nil
	}
	old, err := n.Get(tx, metaOf(v).ID)
	switch {
	case isNotFound(err):
		return n.Put(tx, v)
	case err != nil || !any(old).(nameable).hasNoName():
		return err
	}
	any(old).(nameable).takeName(any(v).(nameable))
	return n.Put(tx, old)
}

// newPort is the record of a fact's place; nil for none.
func newPort(tx *transaction, p Place) *Port {
	id, locode, name := tx.resolver().Port(p)
	if id == (ID{}) {
		return nil
	}
	if _, known := tx.engine.refs.resource("port", id); known {
		return nil
	}
	port := &Port{Meta: Meta{ID: id}, Name: name, Code: locode}
	if len(locode) == 5 {
		port.CountryCode = locode[:2]
	}
	if port.Name == "" {
		port.Name = locode
	}
	return port
}

// newTerminal is the record of a fact's facility; nil for none.
func newTerminal(tx *transaction, p Place) *Terminal {
	id := tx.resolver().Facility(p)
	if id == (ID{}) {
		return nil
	}
	if _, known := tx.engine.refs.resource("terminal", id); known {
		return nil
	}
	port, locode, city := tx.resolver().Port(p)
	term := &Terminal{Meta: Meta{ID: id}, Name: p.Facility, SMDGCode: p.SMDG, BICFacilityCode: p.BIC, Port: port, City: city}
	if term.Name == "" {
		term.Name = locode + " " + p.SMDG + p.BIC
	}
	if known, ok := tx.engine.config.Reference.Port(locode); ok {
		term.StateAbbr, term.Country = known.State, refdata.CountryName(known.Country)
	}
	return term
}

// newVessel is the record of a fact's vessel; nil for none.
func newVessel(tx *transaction, v VesselRef) *Vessel {
	id := tx.resolver().Vessel(v)
	if id == (ID{}) {
		return nil
	}
	ship := &Vessel{Meta: Meta{ID: id}, Name: v.Name, IMO: v.IMO}
	if ship.Name == "" {
		ship.Name = v.IMO
	}
	return ship
}

// unlinkedNamesake is the ship that was known by the name only, and keeps
// answering under its old ID once its IMO number is known; nil when there is
// none, or it does so already.
func unlinkedNamesake(tx *transaction, v VesselRef) (*Vessel, error) {
	if v.IMO == "" || v.Name == "" {
		return nil, nil
	}
	unnumbered, err := vessels.Get(tx, naturalkey.ByName("vessel", tx.Account, v.Name))
	if isNotFound(err) {
		return nil, nil
	}
	if err != nil || unnumbered.KnownAs == tx.resolver().Vessel(v) {
		return nil, err
	}
	return unnumbered, nil
}
