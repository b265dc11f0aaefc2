package tracking

import (
	"fmt"
	"maps"
	"slices"

	"github.com/landfallhq/tracking/freight"
)

// warnAnother is the code of the warning that an answer is partly about others.
const warnAnother = "another_shipment"

// sift drops from an answer what is about other shipments than the one that
// was asked about: nothing that a carrier mixes up may change another record. A
// fact of its line is about the shipment when it names its number, or no document
// and a booking that the answer or what is stored names beside that number. Of a
// booking or a container the documents named beside it count as its number, too.
// A fact that names nothing is about the question, unless it is the version of
// one that names others. An answer of which nothing is about the shipment is
// refused as a whole.
//
// Sources know their format and judge first; this is for what gets past them.
func (p *plan) sift(tx *Tx, facts []LoggedFact) ([]LoggedFact, error) {
	if !p.how.answer || len(facts) == 0 {
		return facts, nil
	}
	own, beside, err := p.ownKeys(tx)
	if err != nil {
		return nil, err
	}
	names := make([]namedKeys, len(facts))
	for i := range facts {
		if contradicts(facts[i].SCAC, p.how.follow.SCAC) {
			continue
		}
		names[i] = p.namedBy(&facts[i], i)
	}
	if p.how.follow.Type != BillOfLading {
		for _, n := range names {
			if n.meets(own) {
				addKeys(beside, n.documents) // before own grows, so that it grows once
			}
		}
		maps.Copy(own, beside)
	}
	for _, n := range names {
		if n.meets(own) {
			addKeys(beside, n.bookings)
		}
	}
	kept := make([]bool, len(facts))
	for i, n := range names {
		kept[i] = !contradicts(facts[i].SCAC, p.how.follow.SCAC) &&
			(n.none() || n.meets(own) || len(n.documents) == 0 && meetKeys(n.bookings, beside))
	}
	return p.keep(facts, kept)
}

// namedKeys are the folded numbers by which a fact says what it is about.
type namedKeys struct{ documents, bookings, units []string }

func (n namedKeys) none() bool { return len(n.documents)+len(n.bookings)+len(n.units) == 0 }

func (n namedKeys) meets(own map[string]bool) bool {
	return meetKeys(n.documents, own) || meetKeys(n.bookings, own) || meetKeys(n.units, own)
}

func meetKeys(keys []string, own map[string]bool) bool {
	return slices.ContainsFunc(keys, func(k string) bool { return own[k] })
}

func addKeys(to map[string]bool, keys []string) {
	for _, k := range keys {
		to[k] = true
	}
}

// keep returns the facts that are kept, and notes their places and a warning
// about the others.
func (p *plan) keep(facts []LoggedFact, kept []bool) ([]LoggedFact, error) {
	var own []LoggedFact
	var other *LoggedFact
	left := 0
	for i := range facts {
		if kept[i] {
			own = append(own, facts[i])
			p.places = append(p.places, i)
			continue
		}
		if left++; other == nil {
			other = &facts[i]
		}
	}
	switch {
	case left == 0:
		p.places = nil
		return facts, nil
	case len(own) == 0:
		return nil, &SourceError{Reason: freight.UnrecognizedResponse, Err: fmt.Errorf(
			"the answer is about other shipments than %s, such as %s", p.how.follow.Number, nameOf(other))}
	}
	p.strange = Warning{Code: warnAnother, Detail: fmt.Sprintf(
		"%d of %d facts were left out: they are about other shipments than %s, such as %s", left, len(facts), p.how.follow.Number, nameOf(other))}
	return own, nil
}

// place is where the report has fact i of the batch.
func (p *plan) place(i int) int {
	if p.places == nil {
		return i
	}
	return p.places[i]
}

// nameOf is how a person finds a fact: by its first number, or its ID.
func nameOf(f *LoggedFact) string {
	if len(f.Numbers) > 0 {
		return fmt.Sprintf("%.50q", f.Numbers[0].Number)
	}
	return fmt.Sprintf("the one with the ID %.50q", f.ID)
}

// ownKeys are the folded numbers of the shipment that was asked about: own is
// its number, and beside what is stored beside that.
func (p *plan) ownKeys(tx *Tx) (own, beside map[string]bool, err error) {
	f := p.how.follow
	own, beside = map[string]bool{}, map[string]bool{}
	addKeys(own, f.ShipmentNumber.Keys(f.SCAC))
	if f.Shipment == (ID{}) {
		return own, beside, nil
	}
	s, err := table(tx, shipments).Get(f.Shipment)
	if err != nil {
		return nil, nil, err
	}
	for _, n := range s.Numbers {
		if n.Type == BookingNumber || n.Type == BillOfLading && f.Type != BillOfLading {
			addKeys(beside, n.Keys(s.ShippingLineSCAC))
		}
	}
	return own, beside, nil
}

// namedBy is what fact i of the answer says that it is about; nothing when it
// leaves that to the question.
func (p *plan) namedBy(f *LoggedFact, i int) (names namedKeys) {
	numbers, scac := f.Numbers, f.SCAC
	if len(p.report.Facts[i].Numbers) == 0 {
		// It was given the number that was asked about.
		g := p.groups[versionKey(f)]
		if f.ID == "" || g == nil {
			return namedKeys{}
		}
		last := g.latest().Fact
		numbers, scac = last.Numbers, last.SCAC
	}
	for _, n := range numbers {
		keys := p.numberKeys(n, scac)
		switch n.Type {
		case BillOfLading:
			names.documents = append(names.documents, keys...)
		case BookingNumber:
			names.bookings = append(names.bookings, keys...)
		default:
			names.units = append(names.units, keys...)
		}
	}
	if p.how.follow.Type == ContainerNumber {
		names.units = append(names.units, foldNumbers(f.Containers)...)
	}
	return names
}
