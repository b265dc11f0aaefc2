// Package assignment decides which facts belong to which shipment. It is a pure function
// of numbers and times: it knows no store, and neither opens nor writes shipments.
//
// A container joins the shipment of a transport document only by a fact that names both.
// Two numbers in one fact do not by themselves belong to the same shipment.
package assignment

import (
	"slices"
	"time"

	"github.com/landfallhq/tracking/freight"
)

// Fact has the numbers that a fact names, each in the form of Numbers.Root.
type Fact struct {
	// Documents, Bookings and Units are numbers by type. Units are containers that a
	// shipment is tracked by.
	Documents, Bookings, Units []string
	Containers                 []string
	// SCAC of the shipping line; empty if unknown.
	SCAC string
	// Dropped are the containers that an earlier version of the fact names with a
	// document, and this version does not.
	Dropped []DocumentContainer
	// Holders are the shipments that have the fact already, by index.
	Holders []int
	// Retracted facts are placed, but connect nothing.
	Retracted bool
}

// DocumentContainer is a container named with a document.
type DocumentContainer struct{ Document, Container string }

// Shipment is a shipment to assign facts to.
type Shipment struct {
	// Number that the shipment is tracked by, in the form of Numbers.Root.
	Number string
	Type   freight.RequestType
	// SCAC of the shipping line; empty if unknown.
	SCAC string
	// RequestedAt is the time of the first request for the number; zero for none.
	RequestedAt time.Time
	CreatedAt   time.Time
}

func (s *Shipment) requested() bool { return !s.RequestedAt.IsZero() }

// Placement assigns a fact to a shipment, with some of its containers; nil for all.
type Placement struct {
	Shipment   int // index
	Containers []string
}

// Result is the result of Assign. Its maps are by index of the shipment.
type Result struct {
	Placements [][]Placement // by fact
	// Adopted has the document that has taken over the shipment of its booking.
	Adopted map[int]string
	// Removed are shipments of bookings whose documents have shipments of their own.
	Removed map[int]bool
	// FirstDocument is, for a requested booking, its first document without a shipment
	// of its own.
	FirstDocument map[int]string
}

// LinesDiffer reports whether two SCACs are known and differ.
func LinesDiffer(a, b string) bool { return a != "" && b != "" && a != b }

// assigner is the state of Assign.
type assigner struct {
	facts              []Fact
	shipments          []Shipment
	byNumber           map[string][]int             // shipments by number
	documentsOf        map[string][]bookedDocument  // documents by booking, first named first
	coveredBy          map[string][]int             // by document: the shipments of its bookings and containers
	numbersByContainer map[int]map[string]bool      // by shipment of a container: the numbers named with the container
	containersOf       map[string]map[string]bool   // containers by document
	takenOver          map[DocumentContainer]string // the document that has taken a container over
	Result
}

// bookedDocument is a document that a fact of a line names with a booking.
type bookedDocument struct{ document, scac string }

// Assign decides which shipments the facts belong to. The facts are in the order in which
// they count, the shipments in the order of creation. The containers of a document depend
// on the facts alone.
func Assign(facts []Fact, shipments []Shipment) Result {
	a := &assigner{facts: facts, shipments: slices.Clone(shipments), byNumber: map[string][]int{}, documentsOf: map[string][]bookedDocument{},
		coveredBy: map[string][]int{}, numbersByContainer: map[int]map[string]bool{}, containersOf: map[string]map[string]bool{}, takenOver: map[DocumentContainer]string{},
		Result: Result{make([][]Placement, len(facts)), map[int]string{}, map[int]bool{}, map[int]string{}}}
	a.connect()
	a.splitDocuments()
	a.removeCoveredDocuments()
	a.adoptOrRemoveBookings()
	a.findCovering()
	for i := range a.facts {
		a.place(i)
	}
	return a.Result
}

// connect collects the bookings and containers that are named with each document.
func (a *assigner) connect() {
	for i, s := range a.shipments {
		a.byNumber[s.Number] = append(a.byNumber[s.Number], i)
	}
	for _, f := range a.facts {
		if f.Retracted {
			continue
		}
		for _, d := range f.Documents {
			if a.containersOf[d] == nil {
				a.containersOf[d] = map[string]bool{}
			}
			for _, c := range f.Containers {
				a.containersOf[d][c] = true
			}
			for _, k := range f.Bookings {
				if b := (bookedDocument{d, f.SCAC}); d != k && !slices.Contains(a.documentsOf[k], b) {
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
	last := map[DocumentContainer]int{}
	dropped := false
	for i, f := range a.facts {
		if f.Retracted {
			break
		}
		dropped = dropped || len(f.Dropped) > 0
		for _, d := range f.Documents {
			for _, c := range f.Containers {
				last[DocumentContainer{d, c}] = i
			}
		}
	}
	if !dropped {
		return
	}
	for i, f := range a.facts {
		for _, u := range f.Dropped {
			if named, ok := last[u]; !ok || named > i {
				continue
			}
			if taker := a.takerOf(u, last); taker != "" {
				a.takenOver[u] = taker
				delete(a.containersOf[u.Document], u.Container)
			}
		}
	}
}

// takerOf returns the document of the same booking that was named with the container
// last, after u.Document; empty for none.
func (a *assigner) takerOf(u DocumentContainer, last map[DocumentContainer]int) (taker string) {
	latest := last[u]
	for _, list := range a.documentsOf {
		if !slices.ContainsFunc(list, func(b bookedDocument) bool { return b.document == u.Document }) {
			continue
		}
		for _, b := range list {
			if at, ok := last[DocumentContainer{b.document, u.Container}]; ok && at > latest {
				taker, latest = b.document, at
			}
		}
	}
	return taker
}

// documents returns those of a booking of a line, in the order in which they are named.
func (a *assigner) documents(booking, scac string) (list []string) {
	for _, b := range a.documentsOf[booking] {
		if !LinesDiffer(b.scac, scac) && !slices.Contains(list, b.document) {
			list = append(list, b.document)
		}
	}
	return list
}

// shipmentsOf returns the shipments that are tracked by the number and may have facts of
// the line.
func (a *assigner) shipmentsOf(number, scac string) (list []int) {
	for _, i := range a.byNumber[number] {
		if !a.Removed[i] && !LinesDiffer(a.shipments[i].SCAC, scac) {
			list = append(list, i)
		}
	}
	return list
}

// removeCoveredDocuments removes shipments of documents that were not requested, if
// their booking was requested before. The order in which facts arrive must not
// matter.
func (a *assigner) removeCoveredDocuments() {
	for i, s := range a.shipments {
		if s.Type == freight.BillOfLading && !s.requested() && a.hasRequestedBooking(s.Number, s.SCAC, s.CreatedAt) {
			a.Removed[i] = true
		}
	}
}

// adoptOrRemoveBookings handles shipments of bookings that were not requested: the
// first document takes them over or, if it has a shipment, they are removed.
func (a *assigner) adoptOrRemoveBookings() {
	for i := range a.shipments {
		s := &a.shipments[i]
		if s.Type != freight.BookingNumber || s.requested() {
			continue
		}
		documents := a.documents(s.Number, s.SCAC)
		if len(documents) == 0 {
			continue
		}
		first := documents[0]
		if len(a.shipmentsOf(first, s.SCAC)) > 0 || a.hasRequestedBooking(first, s.SCAC, time.Time{}) {
			a.Removed[i] = true
			continue
		}
		a.byNumber[s.Number] = slices.DeleteFunc(slices.Clone(a.byNumber[s.Number]), func(k int) bool { return k == i })
		s.Number, s.Type, a.Adopted[i] = first, freight.BillOfLading, first
		a.byNumber[first] = append(a.byNumber[first], i)
	}
}

// hasRequestedBooking reports whether the document is named with a booking that was
// requested, by the given time if it is not zero.
func (a *assigner) hasRequestedBooking(document, scac string, at time.Time) bool {
	for _, s := range a.shipments {
		if !at.IsZero() && s.RequestedAt.After(at) {
			continue
		}
		if s.Type == freight.BookingNumber && s.requested() && !LinesDiffer(s.SCAC, scac) && slices.Contains(a.documents(s.Number, s.SCAC), document) {
			return true
		}
	}
	return false
}

// findCovering finds the shipments that documents without one of their own are part of.
func (a *assigner) findCovering() {
	for i, s := range a.shipments {
		switch {
		case s.Type == freight.BookingNumber && s.requested():
			for _, d := range a.documents(s.Number, s.SCAC) {
				a.coveredBy[d] = append(a.coveredBy[d], i)
				if a.FirstDocument[i] == "" && len(a.shipmentsOf(d, s.SCAC)) == 0 {
					a.FirstDocument[i] = d
				}
			}
		case s.Type == freight.ContainerNumber:
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
		if f.Retracted || !slices.Contains(a.containerPlacements(f), i) {
			continue
		}
		for _, d := range f.Documents {
			named[d] = true
		}
	}
	if len(named) == 0 {
		for k := range a.facts {
			if f := &a.facts[k]; !f.Retracted && slices.Contains(a.containerPlacements(f), i) {
				for _, n := range f.Bookings {
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

// containerPlacements returns the shipments tracked by the number of a container in the
// fact: those that have the fact already, or else the last one created.
func (a *assigner) containerPlacements(f *Fact) (list []int) {
	for _, u := range f.Units {
		var all, held []int
		for _, i := range a.shipmentsOf(u, f.SCAC) {
			if all = append(all, i); slices.Contains(f.Holders, i) {
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

// coveringShipments returns the shipments for facts about a document: its own, or else
// those that it is part of.
func (a *assigner) coveringShipments(document, scac string) []int {
	if own := a.shipmentsOf(document, scac); len(own) > 0 {
		return own
	}
	return slices.DeleteFunc(slices.Clone(a.coveredBy[document]), func(s int) bool { return LinesDiffer(a.shipments[s].SCAC, scac) })
}

// place finds the shipments of a fact.
func (a *assigner) place(i int) {
	f := &a.facts[i]
	for _, n := range f.Bookings {
		for _, s := range a.shipmentsOf(n, f.SCAC) {
			a.add(i, s)
		}
	}
	for _, n := range append(slices.Clone(f.Documents), f.Bookings...) {
		for s, named := range a.numbersByContainer {
			if named[n] && !LinesDiffer(a.shipments[s].SCAC, f.SCAC) {
				a.add(i, s)
			}
		}
	}
	for _, s := range a.containerPlacements(f) {
		a.add(i, s)
	}
	for _, d := range f.Documents {
		a.placeByDocument(i, d)
	}
	if len(f.Documents) == 0 {
		for _, k := range f.Bookings {
			a.placeByBooking(i, k)
		}
	}
	slices.SortFunc(a.Placements[i], func(x, y Placement) int { return x.Shipment - y.Shipment })
}

// placeByDocument assigns a fact to the shipments of a document that it names.
// Containers that another document has taken over go to that.
func (a *assigner) placeByDocument(i int, document string) {
	f := &a.facts[i]
	taken := false
	for _, c := range f.Containers {
		if taker := a.takenOver[DocumentContainer{document, c}]; taker != "" {
			taken = true
			for _, s := range a.coveringShipments(taker, f.SCAC) {
				a.addContainer(i, s, c)
			}
		}
	}
	for _, s := range a.coveringShipments(document, f.SCAC) {
		if !taken {
			a.add(i, s)
			continue
		}
		for _, c := range f.Containers {
			if a.takenOver[DocumentContainer{document, c}] == "" {
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
	own := len(a.shipmentsOf(booking, f.SCAC)) > 0
	var documents []string
	for _, d := range a.documents(booking, f.SCAC) {
		if len(a.coveringShipments(d, f.SCAC)) > 0 {
			documents = append(documents, d)
		}
	}
	if len(f.Containers) == 0 {
		for _, d := range documents {
			for _, s := range a.coveringShipments(d, f.SCAC) {
				a.add(i, s)
			}
		}
	}
	for _, c := range f.Containers {
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
			for _, s := range a.coveringShipments(d, f.SCAC) {
				a.addContainer(i, s, c)
			}
		}
	}
}

func (a *assigner) add(fact, ship int) {
	for k, h := range a.Placements[fact] {
		if h.Shipment == ship {
			a.Placements[fact][k].Containers = nil
			return
		}
	}
	a.Placements[fact] = append(a.Placements[fact], Placement{Shipment: ship})
}

func (a *assigner) addContainer(fact, ship int, container string) {
	for k, h := range a.Placements[fact] {
		if h.Shipment != ship {
			continue
		}
		if h.Containers != nil && !slices.Contains(h.Containers, container) {
			a.Placements[fact][k].Containers = append(h.Containers, container)
		}
		return
	}
	a.Placements[fact] = append(a.Placements[fact], Placement{ship, []string{container}})
}
