package tracking

import (
	"cmp"
	"slices"
	"time"

	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/internal/assignment"
	"github.com/landfallhq/tracking/internal/schedule"
)

// Containers are used again, so a request for a container is about its present journey. Any
// fact with the container completes the request, unless the journey has ended.

// journeyEnded reports whether the container was returned empty.
func journeyEnded(c *Container) bool { return !c.EmptyTerminatedAt.IsZero() }

// shipmentOfContainer finds the shipment of the present journey of a request's container:
// the one whose actual fact about the container happened last. It returns nil for none and,
// for a request without a line, also if the line of the shipment is not known.
func shipmentOfContainer(tx *transaction, r *TrackingRequest) (best *Shipment, err error) {
	number := freight.FoldNumber(r.RequestNumber)
	rows, err := shipmentsNumbered(tx, []string{number})
	if err != nil {
		return nil, err
	}
	named, err := shipments.DecodeAll(rows)
	if err != nil {
		return nil, err
	}
	list, err := containers.All(tx, ContainerQuery{Numbers: []string{number}}.where())
	if err != nil {
		return nil, err
	}
	over := map[ID]bool{} // shipments in which its journey has ended, or that it has left
	for _, c := range list {
		if over[c.Shipment] = c.removed() || journeyEnded(c); over[c.Shipment] {
			continue
		}
		s, err := shipments.Get(tx, c.Shipment)
		if err != nil {
			return nil, err
		}
		named = append(named, s)
	}
	var last time.Time
	for _, s := range named {
		if over[s.ID] || assignment.LinesDiffer(s.ShippingLineSCAC, r.SCAC) || r.SCAC == "" && s.ShippingLineSCAC == "" || !s.numbers().NamesContainer(number) && !slices.Contains(s.ContainerNumbers, number) {
			continue
		}
		at, err := lastActual(tx, s, number)
		if err != nil {
			return nil, err
		}
		if best == nil || at.After(last) {
			best, last = s, at
		}
	}
	return best, nil
}

// lastActual returns when the last actual fact of the shipment about the container
// happened; zero for none.
func lastActual(tx *transaction, s *Shipment, number string) (time.Time, error) {
	var w where[RawEvent]
	w.Has("shown", []string{s.ID.String(), containerID(s.ID, number).String()}, (*RawEvent).shownTerms)
	facts, err := rawEvents.All(tx, w)
	return lastActualOf(facts, number), err
}

func lastActualOf(facts []*RawEvent, number string) (last time.Time) {
	for _, r := range facts {
		if r.InvalidatedAt.IsZero() && cmp.Or(r.Fact.Classifier, freight.Actual) == freight.Actual && r.Fact.NamesContainer(number) {
			last = schedule.Latest(last, cmp.Or(r.Timestamp, r.Fact.At.Time))
		}
	}
	return last
}

// requestedContainers returns the containers whose waiting requests the shipment completes:
// the report has them, or their journey did not end after all, and of the shipments that
// the plan changes they moved last in this one.
func (p *plan) requestedContainers(d *draft, containers []storedContainer) (list []string) {
	if p.reportedContainers == nil {
		p.reportedContainers = containersIn(p.batch)
	}
	held := map[string]bool{}
	for _, c := range containers {
		held[c.Number] = true
		resumed := c.before != nil && journeyEnded(c.before)
		if (p.reportedContainers[c.Number] || resumed) && !c.removed() && !journeyEnded(c.Container) && p.isLatestFor(d, c.Number) {
			list = append(list, c.Number)
		}
	}
	// Facts can have a container as a number only, without a fact about it.
	for _, n := range d.journey.Numbers {
		if number := freight.FoldNumber(n.Number); n.Type == ContainerNumber && p.reportedContainers[number] && !held[number] && p.isLatestFor(d, number) {
			list = append(list, number)
		}
	}
	return list
}

// containersIn returns the folded numbers of the containers in facts.
func containersIn(facts []*RawEvent) map[string]bool {
	set := map[string]bool{}
	for _, r := range facts {
		for _, n := range r.Fact.Containers {
			set[freight.FoldNumber(n)] = true
		}
		for _, n := range r.Fact.Numbers {
			if n.Type == ContainerNumber {
				set[freight.FoldNumber(n.Number)] = true
			}
		}
	}
	return set
}

// isLatestFor reports whether, of the shipments that the plan changes, the container moved
// last in this one. If a source was asked for the container, its answer decides.
func (p *plan) isLatestFor(d *draft, number string) bool {
	if f := p.opts.tracked; f != nil && f.Type == ContainerNumber && freight.FoldNumber(f.Number) == number {
		return d.followed
	}
	for _, other := range p.drafts {
		if other == d || !p.isAffected(other) || !other.names(number) {
			continue
		}
		if at, last := other.lastActual(number), d.lastActual(number); at.After(last) || at.Equal(last) && p.before(other, d) {
			return false
		}
	}
	return true
}

// before orders the shipments of the plan.
func (p *plan) before(a, b *draft) bool { return slices.Index(p.drafts, a) < slices.Index(p.drafts, b) }

func (d *draft) lastActual(number string) time.Time {
	var valid []*RawEvent
	for i, r := range d.facts {
		if !d.journey.Facts[i].Superseded {
			valid = append(valid, r)
		}
	}
	return lastActualOf(valid, number)
}

// names reports whether the container is in the shipment on a journey that has not ended.
func (d *draft) names(number string) bool {
	for _, j := range d.journey.Containers {
		if j.Number == number {
			return !journeyEnded(&Container{EmptyTerminatedAt: j.EmptyTerminatedAt.Time})
		}
	}
	return slices.ContainsFunc(d.journey.Numbers, func(n ShipmentNumber) bool {
		return n.Type == ContainerNumber && freight.FoldNumber(n.Number) == number
	})
}
