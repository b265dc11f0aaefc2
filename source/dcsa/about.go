package dcsa

import (
	"cmp"
	"slices"
	"time"

	"github.com/landfallhq/tracking/freight"
)

// about keeps the facts of an answer that are about the queried number, with a
// warning for each other fact. It fails if the answer names other numbers and never
// the queried one.
func about(q freight.SourceQuery, r freight.Report) (freight.Report, error) {
	if q.Type == freight.ContainerNumber {
		return aboutContainer(q, r)
	}
	return aboutDocument(q, r)
}

// aboutDocument keeps the facts that name the booking or transport document, those
// that name no number, and those that name only numbers which the answer connects
// with it, such as the booking of the transport document. A fact that names another
// document of the queried type belongs to that one, even if both are of one
// booking.
func aboutDocument(q freight.SourceQuery, r freight.Report) (freight.Report, error) {
	known := map[freight.ShipmentNumber]bool{} // answers repeat few numbers
	asked := func(n freight.ShipmentNumber) bool {
		is, ok := known[n]
		if !ok {
			is = q.Names(n)
			known[n] = is
		}
		return is
	}
	connected := map[freight.ShipmentNumber]bool{}
	named, echoed := false, false // anywhere in the answer; with the queried type
	for _, f := range r.Facts {
		if !slices.ContainsFunc(f.Numbers, asked) {
			continue
		}
		named = true
		for _, n := range f.Numbers {
			connected[n] = true
			echoed = echoed || n.Type == q.Type && asked(n)
		}
	}
	own := func(n freight.ShipmentNumber) bool {
		return asked(n) || connected[n] && !(echoed && n.Type == q.Type)
	}
	keep := func(f freight.Fact) bool {
		if len(f.Numbers) == 0 || slices.ContainsFunc(f.Numbers, asked) {
			return true
		}
		sameKind := slices.DeleteFunc(slices.Clone(f.Numbers), func(n freight.ShipmentNumber) bool { return n.Type != q.Type })
		return len(sameKind) == 0 && slices.ContainsFunc(f.Numbers, own) || slices.ContainsFunc(sameKind, own)
	}
	kept := keepOnly(&r, "another_document", "the event names other documents than the one asked about: left out", keep)
	if !named && len(kept) < len(r.Facts) {
		return freight.Report{}, aboutOthers(r)
	}
	r.Facts = kept
	return r, nil
}

// keepOnly returns the facts to keep, and adds a warning for each other.
func keepOnly(r *freight.Report, code, detail string, keep func(freight.Fact) bool) (kept []freight.Fact) {
	for _, f := range r.Facts {
		if keep(f) {
			kept = append(kept, f)
			continue
		}
		r.Warnings = append(r.Warnings, freight.Warning{Code: code, Field: "eventID " + f.ID, Detail: detail})
	}
	return kept
}

// aboutOthers is the fault of an answer that is about other numbers.
func aboutOthers(r freight.Report) error {
	var named []string
	for _, f := range r.Facts {
		for _, n := range f.Numbers {
			named = add(named, n.Number)
		}
		for _, number := range f.Containers {
			named = add(named, number)
		}
	}
	return faultf(freight.UnrecognizedResponse, "GET /v2/events: 200, but the answer is about other numbers than the one asked, such as %.50q", named[0])
}

// aboutContainer keeps the facts of one journey of a container. Containers are
// reused, so an answer may have events of several bookings.
func aboutContainer(q freight.SourceQuery, r freight.Report) (freight.Report, error) {
	isAsked := func(box string) bool {
		return q.Names(freight.ShipmentNumber{Type: freight.ContainerNumber, Number: box})
	}
	named := slices.ContainsFunc(r.Facts, func(f freight.Fact) bool { return slices.ContainsFunc(f.Containers, isAsked) })
	facts := keepOnly(&r, "another_container", "the event names other containers than the one asked about: left out", func(f freight.Fact) bool {
		return len(f.Containers) == 0 || slices.ContainsFunc(f.Containers, isAsked)
	})
	if !named && len(facts) < len(r.Facts) {
		return freight.Report{}, aboutOthers(r)
	}
	r.Facts = facts
	journeys := journeysOf(facts)
	if len(journeys) == 0 {
		return r, nil // no fact names a document: all are about the container
	}
	taken := followedJourney(journeys, q.Since)
	r.Facts = keepOnly(&r, "another_journey", "the event is of another booking of the container, or does not say of which: left out", func(f freight.Fact) bool {
		if len(f.Numbers) == 0 {
			return len(journeys) == 1
		}
		return slices.Contains(taken.numbers, f.Numbers[0])
	})
	r.Facts = append(r.Facts, taken.asFact(q.Number))
	return r, nil
}

// journey is one use of a container: the documents that its events name together.
type journey struct {
	numbers []freight.ShipmentNumber
	begin   time.Time // earliest known time; zero if unknown
}

// journeysOf groups documents that are named in one event, directly or through
// others. The order of the facts does not matter.
func journeysOf(facts []freight.Fact) (all []*journey) {
	for _, f := range facts {
		if len(f.Numbers) == 0 {
			continue
		}
		joined := &journey{numbers: slices.Clone(f.Numbers), begin: earliest(f.RecordedAt, f.At.Time)}
		all = slices.DeleteFunc(all, func(j *journey) bool {
			if !slices.ContainsFunc(j.numbers, func(n freight.ShipmentNumber) bool { return slices.Contains(joined.numbers, n) }) {
				return false
			}
			joined.numbers = append(joined.numbers, j.numbers...)
			joined.begin = earliest(joined.begin, j.begin)
			return true
		})
		all = append(all, joined)
	}
	for _, j := range all {
		slices.SortFunc(j.numbers, byNumber)
		j.numbers = slices.Compact(j.numbers)
	}
	return all
}

func byNumber(a, b freight.ShipmentNumber) int {
	return cmp.Or(cmp.Compare(a.Type, b.Type), cmp.Compare(a.Number, b.Number))
}

// earliest returns the earlier of two times, ignoring zero times.
func earliest(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

// followedJourney returns the journey of the container when tracking began: the
// last to begin before, or otherwise the first. It stays the same when the
// container is booked again. Without a time, it is the last.
func followedJourney(all []*journey, since time.Time) *journey {
	return slices.MaxFunc(all, func(a, b *journey) int {
		before := func(j *journey) int {
			if !since.IsZero() && j.begin.After(since) {
				return 0
			}
			return 1
		}
		order := a.begin.Compare(b.begin)
		if before(a) == 0 {
			order = -order
		}
		return cmp.Or(cmp.Compare(before(a), before(b)), order, byNumber(a.numbers[0], b.numbers[0]))
	})
}

// asFact returns the fact that the container is on this journey. The events
// themselves are not changed, because they are the same facts when they come from a
// query for the booking or by a callback.
func (j *journey) asFact(container string) freight.Fact {
	const most = 19 // documents of a fact, in addition to the container
	return freight.Fact{
		ID: "container/" + container, Activity: freight.Described, Classifier: freight.Actual,
		Containers: []string{container}, Original: "equipmentReference " + container,
		Numbers: append([]freight.ShipmentNumber{{Type: freight.ContainerNumber, Number: container}}, j.numbers[:min(len(j.numbers), most)]...),
	}
}
