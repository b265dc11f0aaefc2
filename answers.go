package tracking

import (
	"fmt"

	"github.com/landfallhq/tracking/internal/assignment"
	"github.com/landfallhq/tracking/internal/factlog"
	"github.com/landfallhq/tracking/internal/journey"

	"github.com/landfallhq/tracking/freight"
)

// warnAnotherShipment is the code of the warning that a part of an answer was
// dropped.
const warnAnotherShipment = "another_shipment"

// filterAnswer drops facts about other shipments from an answer, so that a carrier's mistake
// cannot change another record: assignment.OwnFacts decides which. An answer without any
// fact about the shipment is refused.
//
// Sources know their format and filter first; this catches what they miss.
func (p *plan) filterAnswer(tx *transaction, facts []journey.LoggedFact) ([]journey.LoggedFact, error) {
	if !p.opts.isAnswer || len(facts) == 0 {
		return facts, nil
	}
	f := p.opts.tracked
	stored, err := f.storedForms(tx)
	if err != nil {
		return nil, err
	}
	forms := make([]assignment.Forms, len(facts))
	for i := range facts {
		forms[i] = p.formsOf(&facts[i], i)
	}
	return p.keepFacts(facts, assignment.OwnFacts(forms, f.Type, f.ShipmentNumber.Keys(f.SCAC), stored))
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

// storedForms returns the forms of the other numbers of the tracked shipment that connect
// facts with it.
func (f *trackedNumber) storedForms(tx *transaction) (forms []string, err error) {
	if f.Shipment == (ID{}) {
		return nil, nil
	}
	s, err := shipments.Get(tx, f.Shipment)
	if err != nil {
		return nil, err
	}
	for _, n := range s.Numbers {
		if n.Type == BookingNumber || n.Type == BillOfLading && f.Type != BillOfLading {
			forms = append(forms, n.Keys(s.ShippingLineSCAC)...)
		}
	}
	return forms, nil
}

// formsOf returns the numbers that fact i of the answer states itself, or those of the
// fact that it is a version of; none if it was given the tracked number.
func (p *plan) formsOf(f *journey.LoggedFact, i int) (forms assignment.Forms) {
	if assignment.LinesDiffer(f.SCAC, p.opts.tracked.SCAC) {
		return assignment.Forms{OtherLine: true}
	}
	of := f
	if len(p.report.Facts[i].Numbers) == 0 { // it was given the tracked number
		g := p.groups[factlog.VersionKey(f)]
		if f.ID == "" || g == nil {
			return assignment.Forms{}
		}
		of = &g.latest().Fact
	}
	forms = p.numbers.Forms(of.Numbers, of.SCAC)
	if p.opts.tracked.Type == ContainerNumber {
		forms.Units = append(forms.Units, foldNumbers(f.Containers)...)
	}
	return forms
}
