package tracking

import (
	"slices"
	"time"
)

// Which facts belong to which shipment. A container joins the shipment of a
// document only by a fact that names both. Numbers in the same fact do not by
// themselves belong to the same shipment.

// factNames is the numbers in a fact, each folded to one form.
type factNames struct {
	documents, bookings, units []string // by type; units are numbers of containers
	containers                 []string
	scac                       string
	// dropped are the containers that an earlier version of the fact names with a
	// document, and this one does not.
	dropped []documentUnit
	// current are the shipments that have the fact already, by index.
	current []int
	// retracted: the fact is only shown where it would belong.
	retracted bool
}

// documentUnit is a container named with a document.
type documentUnit struct{ document, container string }

// assignedShipment is a shipment to assign facts to.
type assignedShipment struct {
	number string
	typ    RequestType
	scac   string
	// askedAt is the time of the first request for the number; zero if there is
	// none.
	askedAt time.Time
	madeAt  time.Time
}

func (s *assignedShipment) requested() bool { return !s.askedAt.IsZero() }

// placement assigns a fact to a shipment, with some of its containers; nil for all.
type placement struct {
	shipment   int
	containers []string
}

// assignment is the result of assignFacts.
type assignment struct {
	placements [][]placement  // by fact
	adopted    map[int]string // the document that has taken over the shipment of its booking
	removed    map[int]bool   // shipments of bookings whose documents have shipments of their own
	bills      map[int]string // of a booking that was asked for: its first document without a shipment of its own
}

// assigner is the state of assignFacts.
type assigner struct {
	facts              []factNames
	ships              []assignedShipment
	byNumber           map[string][]int            // shipments by the number that they are followed by
	documentsOf        map[string][]bookedDocument // documents by booking, first named first
	coveredBy          map[string][]int            // shipments of bookings and containers that the document is named beside
	numbersByContainer map[int]map[string]bool     // numbers named beside a container's, by its shipment
	containersOf       map[string]map[string]bool  // containers by the document that is named with them
	takenOver          map[documentUnit]string     // the document that has taken a container over
	assignment
}

// bookedDocument is a document that a fact of a line names with a booking.
type bookedDocument struct{ document, scac string }

// assignFacts decides which shipments facts belong to. The facts are in the order
// in which they count, the shipments in the order of creation. It is pure: the
// containers of a document depend on the facts alone.
func assignFacts(facts []factNames, ships []assignedShipment) assignment {
	a := &assigner{facts: facts, ships: slices.Clone(ships), byNumber: map[string][]int{}, documentsOf: map[string][]bookedDocument{},
		coveredBy: map[string][]int{}, numbersByContainer: map[int]map[string]bool{}, containersOf: map[string]map[string]bool{}, takenOver: map[documentUnit]string{},
		assignment: assignment{make([][]placement, len(facts)), map[int]string{}, map[int]bool{}, map[int]string{}}}
	a.connect()
	a.splitDocuments()
	a.removeCoveredDocuments()
	a.adoptOrRemoveBookings()
	a.findCovering()
	for i := range a.facts {
		a.place(i)
	}
	return a.assignment
}

// connect collects the bookings and containers that are named with each document.
func (a *assigner) connect() {
	for i, s := range a.ships {
		a.byNumber[s.number] = append(a.byNumber[s.number], i)
	}
	for _, f := range a.facts {
		if f.retracted {
			continue
		}
		for _, d := range f.documents {
			if a.containersOf[d] == nil {
				a.containersOf[d] = map[string]bool{}
			}
			for _, c := range f.containers {
				a.containersOf[d][c] = true
			}
			for _, k := range f.bookings {
				if b := (bookedDocument{d, f.scac}); d != k && !slices.Contains(a.documentsOf[k], b) {
					a.documentsOf[k] = append(a.documentsOf[k], b)
				}
			}
		}
	}
}

// splitDocuments finds the containers that have moved from one document to another
// of the same booking: the line has repeated a fact of the first document without
// the container, and has since named the container only with the other. Two
// documents may name one container without that, for parts of its cargo.
func (a *assigner) splitDocuments() {
	last := map[documentUnit]int{}
	dropped := false
	for i, f := range a.facts {
		if f.retracted {
			break
		}
		dropped = dropped || len(f.dropped) > 0
		for _, d := range f.documents {
			for _, c := range f.containers {
				last[documentUnit{d, c}] = i
			}
		}
	}
	if !dropped {
		return
	}
	for i, f := range a.facts {
		for _, u := range f.dropped {
			if named, ok := last[u]; !ok || named > i {
				continue
			}
			if taker := a.takerOf(u, last); taker != "" {
				a.takenOver[u] = taker
				delete(a.containersOf[u.document], u.container)
			}
		}
	}
}

// takerOf is the document of the same booking that was named with the container
// last, after u.document; empty for none.
func (a *assigner) takerOf(u documentUnit, last map[documentUnit]int) (taker string) {
	latest := last[u]
	for _, list := range a.documentsOf {
		if !slices.ContainsFunc(list, func(b bookedDocument) bool { return b.document == u.document }) {
			continue
		}
		for _, b := range list {
			if at, ok := last[documentUnit{b.document, u.container}]; ok && at > latest {
				taker, latest = b.document, at
			}
		}
	}
	return taker
}

// documents are those of a booking of a line, in the order in which they are named.
func (a *assigner) documents(booking, scac string) (list []string) {
	for _, b := range a.documentsOf[booking] {
		if !contradicts(b.scac, scac) && !slices.Contains(list, b.document) {
			list = append(list, b.document)
		}
	}
	return list
}

// shipmentsOf are the shipments that are tracked by the number and may have facts
// of the line.
func (a *assigner) shipmentsOf(number, scac string) (list []int) {
	for _, i := range a.byNumber[number] {
		if !a.removed[i] && !contradicts(a.ships[i].scac, scac) {
			list = append(list, i)
		}
	}
	return list
}

// removeCoveredDocuments removes shipments of documents that were not requested, if
// their booking was requested before. The order in which facts arrive must not
// matter.
func (a *assigner) removeCoveredDocuments() {
	for i, s := range a.ships {
		if s.typ == BillOfLading && !s.requested() && a.hasRequestedBooking(s.number, s.scac, s.madeAt) {
			a.removed[i] = true
		}
	}
}

// adoptOrRemoveBookings handles shipments of bookings that were not requested: the
// first document takes them over or, if it has a shipment, they are removed.
func (a *assigner) adoptOrRemoveBookings() {
	for i := range a.ships {
		s := &a.ships[i]
		if s.typ != BookingNumber || s.requested() {
			continue
		}
		documents := a.documents(s.number, s.scac)
		if len(documents) == 0 {
			continue
		}
		first := documents[0]
		if len(a.shipmentsOf(first, s.scac)) > 0 || a.hasRequestedBooking(first, s.scac, time.Time{}) {
			a.removed[i] = true
			continue
		}
		a.byNumber[s.number] = slices.DeleteFunc(slices.Clone(a.byNumber[s.number]), func(k int) bool { return k == i })
		s.number, s.typ, a.adopted[i] = first, BillOfLading, first
		a.byNumber[first] = append(a.byNumber[first], i)
	}
}

// hasRequestedBooking reports whether the document is named with a booking that was
// requested, by the given time if it is not zero.
func (a *assigner) hasRequestedBooking(document, scac string, at time.Time) bool {
	for _, s := range a.ships {
		if !at.IsZero() && s.askedAt.After(at) {
			continue
		}
		if s.typ == BookingNumber && s.requested() && !contradicts(s.scac, scac) && slices.Contains(a.documents(s.number, s.scac), document) {
			return true
		}
	}
	return false
}

// findCovering finds the shipments that documents without one of their own are part of.
func (a *assigner) findCovering() {
	for i, s := range a.ships {
		switch {
		case s.typ == BookingNumber && s.requested():
			for _, d := range a.documents(s.number, s.scac) {
				a.coveredBy[d] = append(a.coveredBy[d], i)
				if a.bills[i] == "" && len(a.shipmentsOf(d, s.scac)) == 0 {
					a.bills[i] = d
				}
			}
		case s.typ == ContainerNumber:
			a.findCoveringContainer(i)
		}
	}
}

// findCoveringContainer finds the journey of a container that a shipment is tracked
// by: that of the documents named with it or, without any, of the bookings.
func (a *assigner) findCoveringContainer(i int) {
	named := map[string]bool{}
	for k := range a.facts {
		f := &a.facts[k]
		if f.retracted || !slices.Contains(a.containerPlacements(f), i) {
			continue
		}
		for _, d := range f.documents {
			named[d] = true
		}
	}
	if len(named) == 0 {
		for k := range a.facts {
			if f := &a.facts[k]; !f.retracted && slices.Contains(a.containerPlacements(f), i) {
				for _, n := range f.bookings {
					named[n] = true
				}
			}
		}
	}
	a.numbersByContainer[i] = named
	for d := range named {
		a.coveredBy[d] = append(a.coveredBy[d], i)
	}
}

// containerPlacements are the shipments tracked by the number of a container in the
// fact: those that have the fact already, or else the last one created.
func (a *assigner) containerPlacements(f *factNames) (list []int) {
	for _, u := range f.units {
		var all, held []int
		for _, i := range a.shipmentsOf(u, f.scac) {
			if all = append(all, i); slices.Contains(f.current, i) {
				held = append(held, i)
			}
		}
		switch {
		case len(held) > 0:
			list = append(list, held...)
		case len(all) > 0:
			list = append(list, all[len(all)-1])
		}
	}
	return list
}

// coveringShipments are the shipments for facts about a document: its own, or else
// those that it is part of.
func (a *assigner) coveringShipments(document, scac string) []int {
	if own := a.shipmentsOf(document, scac); len(own) > 0 {
		return own
	}
	return slices.DeleteFunc(slices.Clone(a.coveredBy[document]), func(s int) bool { return contradicts(a.ships[s].scac, scac) })
}

// place finds the shipments of a fact.
func (a *assigner) place(i int) {
	f := &a.facts[i]
	for _, n := range f.bookings {
		for _, s := range a.shipmentsOf(n, f.scac) {
			a.add(i, s)
		}
	}
	for _, n := range append(slices.Clone(f.documents), f.bookings...) {
		for s, named := range a.numbersByContainer {
			if named[n] && !contradicts(a.ships[s].scac, f.scac) {
				a.add(i, s)
			}
		}
	}
	for _, s := range a.containerPlacements(f) {
		a.add(i, s)
	}
	for _, d := range f.documents {
		a.placeByDocument(i, d)
	}
	if len(f.documents) == 0 {
		for _, k := range f.bookings {
			a.placeByBooking(i, k)
		}
	}
	slices.SortFunc(a.placements[i], func(x, y placement) int { return x.shipment - y.shipment })
}

// placeByDocument assigns a fact to the shipments of a document that it names.
// Containers that another document has taken over go to that.
func (a *assigner) placeByDocument(i int, document string) {
	f := &a.facts[i]
	taken := false
	for _, c := range f.containers {
		if taker := a.takenOver[documentUnit{document, c}]; taker != "" {
			taken = true
			for _, s := range a.coveringShipments(taker, f.scac) {
				a.addContainer(i, s, c)
			}
		}
	}
	for _, s := range a.coveringShipments(document, f.scac) {
		if !taken {
			a.add(i, s)
			continue
		}
		for _, c := range f.containers {
			if a.takenOver[documentUnit{document, c}] == "" {
				a.addContainer(i, s, c)
			}
		}
	}
}

// placeByBooking assigns a fact that names only a booking to the shipments of its
// documents: to those with one of its containers or, if it names none, to each. A
// container that is named only with the booking belongs to the first document,
// unless the booking has its own shipment.
func (a *assigner) placeByBooking(i int, booking string) {
	f := &a.facts[i]
	own := len(a.shipmentsOf(booking, f.scac)) > 0
	var documents []string
	for _, d := range a.documents(booking, f.scac) {
		if len(a.coveringShipments(d, f.scac)) > 0 {
			documents = append(documents, d)
		}
	}
	if len(f.containers) == 0 {
		for _, d := range documents {
			for _, s := range a.coveringShipments(d, f.scac) {
				a.add(i, s)
			}
		}
	}
	for _, c := range f.containers {
		var holders []string
		for _, d := range documents {
			if a.containersOf[d][c] {
				holders = append(holders, d)
			}
		}
		if len(holders) == 0 && len(documents) > 0 && !own {
			holders = documents[:1]
		}
		for _, d := range holders {
			for _, s := range a.coveringShipments(d, f.scac) {
				a.addContainer(i, s, c)
			}
		}
	}
}

func (a *assigner) add(fact, ship int) {
	for k, h := range a.placements[fact] {
		if h.shipment == ship {
			a.placements[fact][k].containers = nil
			return
		}
	}
	a.placements[fact] = append(a.placements[fact], placement{shipment: ship})
}

func (a *assigner) addContainer(fact, ship int, container string) {
	for k, h := range a.placements[fact] {
		if h.shipment != ship {
			continue
		}
		if h.containers != nil && !slices.Contains(h.containers, container) {
			a.placements[fact][k].containers = append(h.containers, container)
		}
		return
	}
	a.placements[fact] = append(a.placements[fact], placement{ship, []string{container}})
}
