package tracking

import (
	"fmt"
	"slices"
)

// warnAnother is the code of the warning that an answer is partly about others.
const warnAnother = "another_shipment"

// sift drops from an answer what is about other shipments than the one that
// was asked about: nothing that a carrier mixes up may change another record. A
// fact of its line is about the shipment when it names one of its numbers, or
// one that the answer or what is stored connects with them; and when it names
// none, unless it is the version of a fact that names others. An answer of which nothing is
// about the shipment is refused as a whole.
//
// Sources know their format and judge first; this is for what gets past them.
func (p *plan) sift(tx *Tx, facts []LoggedFact) ([]LoggedFact, error) {
	if !p.how.answer || len(facts) == 0 {
		return facts, nil
	}
	own, err := p.ownKeys(tx)
	if err != nil {
		return nil, err
	}
	keys := make([][]string, len(facts))
	for i := range facts {
		keys[i] = p.namedBy(&facts[i], i)
	}
	kept := make([]bool, len(facts))
	for grown := true; grown; {
		grown = false
		for i := range facts {
			if kept[i] || contradicts(facts[i].SCAC, p.how.follow.SCAC) ||
				len(keys[i]) > 0 && !slices.ContainsFunc(keys[i], func(k string) bool { return own[k] }) {
				continue
			}
			kept[i], grown = true, true
			for _, k := range keys[i] {
				own[k] = true
			}
		}
	}
	return p.keep(facts, kept)
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
		return nil, &SourceError{Reason: UnrecognizedResponse, Err: fmt.Errorf(
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

// ownKeys are the folded numbers of the shipment that was asked about, as far
// as they are known.
func (p *plan) ownKeys(tx *Tx) (map[string]bool, error) {
	f := p.how.follow
	own := map[string]bool{}
	for _, k := range numberKeys(f.ShipmentNumber, f.SCAC) {
		own[k] = true
	}
	if f.Shipment == (ID{}) {
		return own, nil
	}
	s, err := table(tx, shipments).Get(f.Shipment)
	if err != nil {
		return nil, err
	}
	for _, k := range shipmentKeys(s) {
		own[k] = true
	}
	return own, nil
}

// namedBy are the folded numbers by which fact i of the answer says what it is
// about; none when it leaves that to the question.
func (p *plan) namedBy(f *LoggedFact, i int) (keys []string) {
	numbers, scac := f.Numbers, f.SCAC
	if len(p.report.Facts[i].Numbers) == 0 {
		// It was given the number that was asked about.
		g := p.groups[versionKey(f)]
		if f.ID == "" || g == nil {
			return nil
		}
		last := g.latest().Fact
		numbers, scac = last.Numbers, last.SCAC
	}
	for _, n := range numbers {
		keys = append(keys, p.numberKeys(n, scac)...)
	}
	if p.how.follow.Type == ContainerNumber {
		keys = append(keys, foldNumbers(f.Containers)...)
	}
	return keys
}
