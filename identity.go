package tracking

import (
	"slices"
	"time"
)

// Which facts belong to which shipment. A container joins the shipment of a
// document only by a fact that names both; the numbers that stand side by side
// in a fact do not make one shipment of all that they name.

// factNames is what a fact names. Numbers are folded to one form each.
type factNames struct {
	documents, bookings, units []string // by type; units are numbers of containers
	containers                 []string
	scac                       string
	// dropped are the containers that an earlier version of the fact named with a
	// document, and this one does not.
	dropped []documentUnit
	// current are the shipments that have the fact already, by index.
	current []int
	// retracted: the fact counts for nothing, since it was taken back, and is only
	// shown where it would belong.
	retracted bool
}

// documentUnit is a container as a fact names it with a document.
type documentUnit struct{ document, container string }

// assignedShipment is a shipment as the assignment sees it.
type assignedShipment struct {
	number string
	typ    RequestType
	scac   string
	// askedAt is when somebody first asked for the number; zero where nobody did.
	askedAt time.Time
	madeAt  time.Time
}

func (s *assignedShipment) requested() bool { return !s.askedAt.IsZero() }

// placement is a shipment that a fact belongs to. containers are those of the fact
// that join it; nil for all.
type placement struct {
	shipment   int
	containers []string
}

// assignment says where facts belong.
type assignment struct {
	placements [][]placement  // by fact
	adopted    map[int]string // the document that has taken over the shipment of its booking
	removed    map[int]bool   // shipments of bookings whose documents have shipments of their own
	bills      map[int]string // of a booking that was asked for: its first document without a shipment of its own
}

// assigner is the work on one assignment.
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

// bookedDocument is a document that a fact of a line names beside a booking.
type bookedDocument struct{ document, scac string }

// assignFacts decides which shipments facts belong to. The facts are in the order
// in which they count, the shipments in the order in which they were made. It is
// pure: which container is with which document depends on the facts alone.
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

// connect notes which documents are named beside which bookings, and with which
// containers.
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

// splitDocuments finds the containers that a document has given up to another of
// its booking: its line has restated a fact of the document without the container,
// and has named the container with the other document alone since. That two
// documents name a container says nothing: they may be for parts of its cargo.
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

// takerOf is the document of the same booking that was last named with the
// container, after its own; empty for none.
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

// documents are those of a booking of a line, first named first.
func (a *assigner) documents(booking, scac string) (list []string) {
	for _, b := range a.documentsOf[booking] {
		if !contradicts(b.scac, scac) && !slices.Contains(list, b.document) {
			list = append(list, b.document)
		}
	}
	return list
}

// shipmentsOf are the shipments that are followed by the number and may have facts of
// the line.
func (a *assigner) shipmentsOf(number, scac string) (list []int) {
	for _, i := range a.byNumber[number] {
		if !a.removed[i] && !contradicts(a.ships[i].scac, scac) {
			list = append(list, i)
		}
	}
	return list
}

// removeCoveredDocuments: a document nobody asked for has no shipment of its own beside
// that of its booking which somebody had asked for by then. Whether a fact that
// names the document alone came before the one that connects them is chance.
func (a *assigner) removeCoveredDocuments() {
	for i, s := range a.ships {
		if s.typ == BillOfLading && !s.requested() && a.hasRequestedBooking(s.number, s.scac, s.madeAt) {
			a.removed[i] = true
		}
	}
}

// adoptOrRemoveBookings: the shipment of a booking that nobody asked for is adopted by
// its first document or, where that has a shipment already, removed.
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

// hasRequestedBooking reports whether the document is named beside a booking that was
// asked for, at the given time or before it; at any time where that is zero.
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

// findCoveringContainer: the journey of a container that a shipment is followed by is that
// of the documents named beside it or, without any, of the bookings.
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

// containerPlacements are the shipments followed by the number of a container that the fact
// names: those that have it already, else the last one made.
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

// coveringShipments are the shipments that have what is said of a document: its own, else
// those that it is part of.
func (a *assigner) coveringShipments(document, scac string) []int {
	if own := a.shipmentsOf(document, scac); len(own) > 0 {
		return own
	}
	return slices.DeleteFunc(slices.Clone(a.coveredBy[document]), func(s int) bool { return contradicts(a.ships[s].scac, scac) })
}

// place finds the homes of a fact.
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

// placeByDocument gives a fact to the shipments of a document that it names. What
// it says of a container which the document has given up goes with that.
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

// placeByBooking gives a fact that names a booking alone to the shipments of its
// documents: to those that hold a container which it names and, where it names
// none, to each. A container that only facts of the booking name is with the
// first document, unless the booking has a shipment of its own.
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
