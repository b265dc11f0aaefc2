package tracking

import (
	"fmt"
	"maps"
	"slices"

	"github.com/landfallhq/tracking/internal/journey"

	"github.com/landfallhq/tracking/freight"
)

// warnAnotherShipment is the code of the warning that an answer is partly about others.
const warnAnotherShipment = "another_shipment"

// filterAnswer drops from an answer what is about other shipments than the one that
// was asked about: nothing that a carrier mixes up may change another record. A
// fact of its line is about the shipment when it names its number, or no document
// and a booking that the answer or what is stored names beside that number. Of a
// booking or a container the documents named beside it count as its number, too.
// A fact that names nothing is about the question, unless it is the version of
// one that names others. An answer of which nothing is about the shipment is
// refused as a whole.
//
// Sources know their format and judge first; this is for what gets past them.
func (p *plan) filterAnswer(tx *Tx, facts []journey.LoggedFact) ([]journey.LoggedFact, error) {
	if !p.opts.isAnswer || len(facts) == 0 {
		return facts, nil
	}
	own, beside, err := p.ownKeys(tx)
	if err != nil {
		return nil, err
	}
	names := make([]namedKeys, len(facts))
	for i := range facts {
		if contradicts(facts[i].SCAC, p.opts.tracked.SCAC) {
			continue
		}
		names[i] = p.numbersOf(&facts[i], i)
	}
	if p.opts.tracked.Type != BillOfLading {
		for _, n := range names {
			if n.matches(own) {
				addKeys(beside, n.documents) // before own grows, so that it grows once
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
		kept[i] = !contradicts(facts[i].SCAC, p.opts.tracked.SCAC) &&
			(n.isEmpty() || n.matches(own) || len(n.documents) == 0 && containsAny(n.bookings, beside))
	}
	return p.keepFacts(facts, kept)
}

// namedKeys are the folded numbers by which a fact says what it is about.
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

// keepFacts returns the facts that are kept, and notes their places and a warning
// about the others.
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

// reportIndex is where the report has fact i of the batch.
func (p *plan) reportIndex(i int) int {
	if p.reportIndexes == nil {
		return i
	}
	return p.reportIndexes[i]
}

// factLabel is how a person finds a fact: by its first number, or its ID.
func factLabel(f *journey.LoggedFact) string {
	if len(f.Numbers) > 0 {
		return fmt.Sprintf("%.50q", f.Numbers[0].Number)
	}
	return fmt.Sprintf("the one with the ID %.50q", f.ID)
}

// ownKeys are the folded numbers of the shipment that was asked about: own is
// its number, and beside what is stored beside that.
func (p *plan) ownKeys(tx *Tx) (own, beside map[string]bool, err error) {
	f := p.opts.tracked
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

// numbersOf is what fact i of the answer says that it is about; nothing when it
// leaves that to the question.
func (p *plan) numbersOf(f *journey.LoggedFact, i int) (names namedKeys) {
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
	if p.opts.tracked.Type == ContainerNumber {
		names.units = append(names.units, foldNumbers(f.Containers)...)
	}
	return names
}
