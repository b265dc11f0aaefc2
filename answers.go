package tracking

import (
	"fmt"
	"maps"
	"slices"

	"github.com/landfallhq/tracking/internal/assignment"
	"github.com/landfallhq/tracking/internal/factlog"
	"github.com/landfallhq/tracking/internal/journey"

	"github.com/landfallhq/tracking/freight"
)

// warnAnotherShipment is the code of the warning that a part of an answer was
// dropped.
const warnAnotherShipment = "another_shipment"

// filterAnswer drops facts about other shipments from an answer, so that a
// carrier's mistake cannot change another record. A fact of the queried line is
// about the tracked shipment if it names its number; or if it names no document,
// and a booking that the answer or the stored shipment has together with that
// number. If the number is a booking or a container, the documents named with it
// count as well. A fact without numbers is about the tracked shipment, unless it is
// a version of a fact that names others. An answer without any fact about the
// shipment is refused.
//
// Sources know their format and filter first; this catches what they miss.
func (p *plan) filterAnswer(tx *transaction, facts []journey.LoggedFact) ([]journey.LoggedFact, error) {
	if !p.opts.isAnswer || len(facts) == 0 {
		return facts, nil
	}
	own, beside, err := p.ownKeys(tx)
	if err != nil {
		return nil, err
	}
	names := make([]namedKeys, len(facts))
	for i := range facts {
		if assignment.LinesDiffer(facts[i].SCAC, p.opts.tracked.SCAC) {
			continue
		}
		names[i] = p.numbersOf(&facts[i], i)
	}
	if p.opts.tracked.Type != BillOfLading {
		for _, n := range names {
			if n.matches(own) {
				addKeys(beside, n.documents) // own is extended once, after the loop
			}
		}
		maps.Copy(own, beside)
	}
	for _, n := range names {
		if n.matches(own) {
			addKeys(beside, n.bookings)
		}
	}
	kept := make([]bool, len(facts))
	for i, n := range names {
		kept[i] = !assignment.LinesDiffer(facts[i].SCAC, p.opts.tracked.SCAC) &&
			(n.isEmpty() || n.matches(own) || len(n.documents) == 0 && containsAny(n.bookings, beside))
	}
	return p.keepFacts(facts, kept)
}

// namedKeys is the folded numbers in a fact.
type namedKeys struct{ documents, bookings, units []string }

func (n namedKeys) isEmpty() bool { return len(n.documents)+len(n.bookings)+len(n.units) == 0 }

func (n namedKeys) matches(own map[string]bool) bool {
	return containsAny(n.documents, own) || containsAny(n.bookings, own) || containsAny(n.units, own)
}

func containsAny(keys []string, own map[string]bool) bool {
	return slices.ContainsFunc(keys, func(k string) bool { return own[k] })
}

func addKeys(to map[string]bool, keys []string) {
	for _, k := range keys {
		to[k] = true
	}
}

// keepFacts returns the kept facts, and records their indexes and a warning about
// the others.
func (p *plan) keepFacts(facts []journey.LoggedFact, kept []bool) ([]journey.LoggedFact, error) {
	var own []journey.LoggedFact
	var other *journey.LoggedFact
	left := 0
	for i := range facts {
		if kept[i] {
			own = append(own, facts[i])
			p.reportIndexes = append(p.reportIndexes, i)
			continue
		}
		if left++; other == nil {
			other = &facts[i]
		}
	}
	switch {
	case left == 0:
		p.reportIndexes = nil
		return facts, nil
	case len(own) == 0:
		return nil, &SourceError{Reason: freight.UnrecognizedResponse, Err: fmt.Errorf(
			"the answer is about other shipments than %s, such as %s", p.opts.tracked.Number, factLabel(other))}
	}
	p.filterWarning = Warning{Code: warnAnotherShipment, Detail: fmt.Sprintf(
		"%d of %d facts were left out: they are about other shipments than %s, such as %s", left, len(facts), p.opts.tracked.Number, factLabel(other))}
	return own, nil
}

// reportIndex is the index in the report of fact i of the batch.
func (p *plan) reportIndex(i int) int {
	if p.reportIndexes == nil {
		return i
	}
	return p.reportIndexes[i]
}

// factLabel identifies a fact for people: its first number, or its ID.
func factLabel(f *journey.LoggedFact) string {
	if len(f.Numbers) > 0 {
		return fmt.Sprintf("%.50q", f.Numbers[0].Number)
	}
	return fmt.Sprintf("the one with the ID %.50q", f.ID)
}

// ownKeys returns the folded numbers of the tracked shipment: own has its number,
// beside those that are stored with it.
func (p *plan) ownKeys(tx *transaction) (own, beside map[string]bool, err error) {
	f := p.opts.tracked
	own, beside = map[string]bool{}, map[string]bool{}
	addKeys(own, f.ShipmentNumber.Keys(f.SCAC))
	if f.Shipment == (ID{}) {
		return own, beside, nil
	}
	s, err := shipments.Get(tx, f.Shipment)
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

// numbersOf returns the numbers that fact i of the answer states itself; none if it
// was given the tracked number.
func (p *plan) numbersOf(f *journey.LoggedFact, i int) (names namedKeys) {
	numbers, scac := f.Numbers, f.SCAC
	if len(p.report.Facts[i].Numbers) == 0 {
		// It was given the tracked number.
		g := p.groups[factlog.VersionKey(f)]
		if f.ID == "" || g == nil {
			return namedKeys{}
		}
		last := g.latest().Fact
		numbers, scac = last.Numbers, last.SCAC
	}
	for _, n := range numbers {
		keys := p.numbers.Keys(n, scac)
		switch n.Type {
		case BillOfLading:
			names.documents = append(names.documents, keys...)
		case BookingNumber:
			names.bookings = append(names.bookings, keys...)
		default:
			names.units = append(names.units, keys...)
		}
	}
	if p.opts.tracked.Type == ContainerNumber {
		names.units = append(names.units, foldNumbers(f.Containers)...)
	}
	return names
}
