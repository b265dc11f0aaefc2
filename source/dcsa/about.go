package dcsa

import (
	"cmp"
	"slices"
	"time"

	"github.com/landfallhq/tracking"
)

// about keeps the facts of an answer that are about the number asked, with a
// warning for each other. An answer that names other numbers and nowhere the
// one asked is another's, and refused.
func about(q tracking.SourceQuery, r tracking.Report) (tracking.Report, error) {
	if q.Type == tracking.ContainerNumber {
		return aboutBox(q, r)
	}
	return aboutDocument(q, r)
}

// aboutDocument keeps the facts that name the booking or transport document,
// those that name no number at all, and those that name only numbers which the
// answer itself connects with the one asked: the booking of the transport
// document, say. What names another document of the kind asked about is that
// one's, though both be of one booking.
func aboutDocument(q tracking.SourceQuery, r tracking.Report) (tracking.Report, error) {
	known := map[tracking.ShipmentNumber]bool{} // an answer names the same few again and again
	asked := func(n tracking.ShipmentNumber) bool {
		is, ok := known[n]
		if !ok {
			is = q.Names(n)
			known[n] = is
		}
		return is
	}
	connected := map[tracking.ShipmentNumber]bool{}
	named, echoed := false, false // anywhere in the answer; as the kind asked about
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
	own := func(n tracking.ShipmentNumber) bool {
		return asked(n) || connected[n] && !(echoed && n.Type == q.Type)
	}
	keep := func(f tracking.Fact) bool {
		if len(f.Numbers) == 0 || slices.ContainsFunc(f.Numbers, asked) {
			return true
		}
		sameKind := slices.DeleteFunc(slices.Clone(f.Numbers), func(n tracking.ShipmentNumber) bool { return n.Type != q.Type })
		return len(sameKind) == 0 && slices.ContainsFunc(f.Numbers, own) || slices.ContainsFunc(sameKind, own)
	}
	kept := sift(&r, "another_document", "the event names other documents than the one asked about: left out", keep)
	if !named && len(kept) < len(r.Facts) {
		return tracking.Report{}, anothers(r)
	}
	r.Facts = kept
	return r, nil
}

// sift returns the facts to keep, and warns of the others.
func sift(r *tracking.Report, code, detail string, keep func(tracking.Fact) bool) (kept []tracking.Fact) {
	for _, f := range r.Facts {
		if keep(f) {
			kept = append(kept, f)
			continue
		}
		r.Warnings = append(r.Warnings, tracking.Warning{Code: code, Field: "eventID " + f.ID, Detail: detail})
	}
	return kept
}

// anothers is the fault of an answer that is about something else.
func anothers(r tracking.Report) error {
	var named []string
	for _, f := range r.Facts {
		for _, n := range f.Numbers {
			named = add(named, n.Number)
		}
		for _, box := range f.Containers {
			named = add(named, box)
		}
	}
	return faultf(tracking.UnrecognizedResponse, "GET /v2/events: 200, but the answer is about other numbers than the one asked, such as %.50q", named[0])
}

// aboutBox keeps the facts of one journey of a box. Boxes are used again, and
// the answer about one may hold the events of several bookings.
func aboutBox(q tracking.SourceQuery, r tracking.Report) (tracking.Report, error) {
	theBox := func(box string) bool {
		return q.Names(tracking.ShipmentNumber{Type: tracking.ContainerNumber, Number: box})
	}
	named := slices.ContainsFunc(r.Facts, func(f tracking.Fact) bool { return slices.ContainsFunc(f.Containers, theBox) })
	facts := sift(&r, "another_container", "the event names other containers than the one asked about: left out", func(f tracking.Fact) bool {
		return len(f.Containers) == 0 || slices.ContainsFunc(f.Containers, theBox)
	})
	if !named && len(facts) < len(r.Facts) {
		return tracking.Report{}, anothers(r)
	}
	r.Facts = facts
	journeys := journeysOf(facts)
	if len(journeys) == 0 {
		return r, nil // no fact names a document: all are about the box
	}
	taken := current(journeys, q.Since)
	r.Facts = sift(&r, "another_journey", "the event is of another booking of the container, or does not say of which: left out", func(f tracking.Fact) bool {
		if len(f.Numbers) == 0 {
			return len(journeys) == 1
		}
		return slices.Contains(taken.numbers, f.Numbers[0])
	})
	r.Facts = append(r.Facts, taken.connect(q.Number))
	return r, nil
}

// journey is one use of a box: the documents that its events name together.
type journey struct {
	numbers []tracking.ShipmentNumber
	begin   time.Time // of what is known of it; zero when nothing says
}

// journeysOf puts together the documents that stand in one event, and those
// that stand with one of them in another. The order of the facts does not
// matter.
func journeysOf(facts []tracking.Fact) (all []*journey) {
	for _, f := range facts {
		if len(f.Numbers) == 0 {
			continue
		}
		joined := &journey{numbers: slices.Clone(f.Numbers), begin: earliest(f.RecordedAt, f.At.Time)}
		all = slices.DeleteFunc(all, func(j *journey) bool {
			if !slices.ContainsFunc(j.numbers, func(n tracking.ShipmentNumber) bool { return slices.Contains(joined.numbers, n) }) {
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

func byNumber(a, b tracking.ShipmentNumber) int {
	return cmp.Or(cmp.Compare(a.Type, b.Type), cmp.Compare(a.Number, b.Number))
}

// earliest is the earlier of two times, where both are known.
func earliest(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

// current is the journey that the box was on when it began to be followed: the
// last to begin before, or else the first of all. It stays the same when the box
// is booked again. Without a time to go by, it is the last.
func current(all []*journey, since time.Time) *journey {
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

// connect is the fact that the box is on this journey. The events themselves
// stay as they are, for they are the same facts when they come in answer to a
// question about the booking, or are pushed.
func (j *journey) connect(box string) tracking.Fact {
	const most = 19 // documents of a fact, beside the box
	return tracking.Fact{
		ID: "container/" + box, What: tracking.Described, Class: tracking.Actual,
		Containers: []string{box}, Original: "equipmentReference " + box,
		Numbers: append([]tracking.ShipmentNumber{{Type: tracking.ContainerNumber, Number: box}}, j.numbers[:min(len(j.numbers), most)]...),
	}
}
