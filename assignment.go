package tracking

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/internal/assignment"
	"github.com/landfallhq/tracking/store"
)

// How a plan loads shipments and facts for assignment.Assign, and applies the result.

// shipmentIdentity is the numbers of a shipment, and whether it was removed.
type shipmentIdentity struct {
	followed ShipmentNumber
	bill     string
	removed  bool
}

func (s *Shipment) identity() shipmentIdentity {
	return shipmentIdentity{s.followedNumber(), s.BillOfLadingNumber, s.removed()}
}

// numbers returns the numbers by which the shipment is found.
func (s *Shipment) numbers() assignment.Identity {
	return assignment.Identity{Followed: s.followedNumber(), SCAC: s.ShippingLineSCAC, Named: s.Numbers}
}

// recordRequest records a request for the followed number. If a document and a booking have the same
// number, the type of the first request decides, because facts that name only the booking
// do not.
func (s *Shipment) recordRequest(n ShipmentNumber, at time.Time) {
	if s.AskedAt.IsZero() && s.NumberType == BookingNumber && n.Type == BillOfLading {
		s.NumberType, s.BillOfLadingNumber, s.FollowedNumber, s.Booking = BillOfLading, n.Number, "", ""
	}
	if s.AskedAt.IsZero() || at.Before(s.AskedAt) {
		s.AskedAt = at
	}
}

// recordRequest is Shipment.recordRequest for the plan. The waiting request is completed
// when the shipment is written.
func (d *draft) recordRequest(n ShipmentNumber, at time.Time) {
	d.ship.recordRequest(n, at)
	d.askedAt = d.ship.AskedAt
}

// findShipments opens a draft for each loaded shipment, and for the number that a source
// was asked for.
func (p *plan) findShipments(tx *transaction) error {
	if err := p.loadRelated(tx); err != nil {
		return err
	}
	for _, id := range slices.SortedFunc(maps.Keys(p.rows), func(a, b ID) int { return bytes.Compare(a[:], b[:]) }) {
		s, err := shipments.Decode(p.rows[id])
		if err != nil {
			return err
		}
		d := &draft{ship: s, storedIdentity: s.identity(), askedAt: s.AskedAt}
		if s.AskedAt.IsZero() && (p.rederiveAll || s.outdated()) {
			if d.askedAt, err = firstRequested(tx, s); err != nil {
				return err
			}
			s.AskedAt = d.askedAt
		}
		p.drafts = append(p.drafts, d)
	}
	return p.openTracked(tx)
}

// firstRequested returns the time of the first request for a shipment, for records of old
// versions without AskedAt; zero for none.
func firstRequested(tx *transaction, s *Shipment) (first time.Time, err error) {
	list, err := trackingRequests.All(tx, TrackingRequestQuery{Shipment: s.ID}.where())
	for _, r := range list {
		if s.numbers().IsFollowedBy(r.number(), r.SCAC) && (first.IsZero() || r.CreatedAt.Before(first)) {
			first = r.CreatedAt
		}
	}
	return first, err
}

// initialNumbers returns the numbers that the report is about.
func (p *plan) initialNumbers() []string {
	keys := p.batchKeys()
	if f := p.opts.tracked; f != nil {
		keys = append(keys, f.ShipmentNumber.Keys(f.SCAC)...)
	}
	return keys
}

// earlierOrTracked returns the shipments with an earlier version of a fact of the report,
// and the tracked one.
func (p *plan) earlierOrTracked() (list []ID) {
	for _, r := range p.batch {
		for _, version := range p.groups[r.group()].all {
			for _, id := range version.Shipments {
				list = append(list, id)
				p.earlierShipments[id] = true
			}
		}
	}
	if f := p.opts.tracked; f != nil && f.Shipment != (ID{}) {
		list = append(list, f.Shipment)
	}
	return list
}

// loadRelated loads the shipments with the numbers of the report, those with the numbers of
// these shipments, and so on, with their facts. A fact may belong to any of them.
func (p *plan) loadRelated(tx *transaction) error {
	keys := p.initialNumbers()
	for _, id := range p.earlierOrTracked() {
		if _, ok := p.rows[id]; ok {
			continue
		}
		r, err := tx.Records.Get(tx, shipments.Kind, id)
		if err != nil {
			return err
		}
		more, err := p.loadRelatedShipment(tx, r)
		if err != nil {
			return err
		}
		keys = append(keys, more...)
	}
	for {
		keys = slices.DeleteFunc(sortedSet(keys), func(k string) bool { return p.relatedNumbers[k] })
		if len(keys) == 0 {
			return nil
		}
		for _, k := range keys {
			p.relatedNumbers[k] = true
		}
		rows, err := shipmentsNumbered(tx, keys)
		if err != nil {
			return err
		}
		keys = nil
		for _, r := range rows {
			more, err := p.loadRelatedShipment(tx, r)
			if err != nil {
				return err
			}
			keys = append(keys, more...)
		}
	}
}

func sortedSet(list []string) []string {
	slices.Sort(list)
	return slices.Compact(list)
}

// loadRelatedShipment loads a shipment and its facts, and returns its numbers.
func (p *plan) loadRelatedShipment(tx *transaction, r store.Record) ([]string, error) {
	if _, ok := p.rows[r.ID]; ok {
		return nil, nil
	}
	s, err := shipments.Decode(r)
	if err != nil {
		return nil, err
	}
	p.rows[r.ID], p.shipmentVersions[r.ID] = r, s.Version
	return shipmentKeys(s), p.loadShipment(tx, r, s)
}

// openTracked marks the tracked shipment, or opens one.
func (p *plan) openTracked(tx *transaction) error {
	f := p.opts.tracked
	if f == nil {
		return nil
	}
	for _, d := range p.drafts {
		if d.ship.ID == f.Shipment {
			if d.followed = true; !f.askedAt.IsZero() {
				d.recordRequest(f.ShipmentNumber, f.askedAt)
			}
			return nil
		}
		if f.Shipment != (ID{}) || !d.ship.numbers().IsFollowedBy(f.ShipmentNumber, f.SCAC) {
			continue
		}
		over, err := containerJourneyEnded(tx, d.ship)
		if err != nil {
			return err
		}
		if !over {
			d.followed = true
			d.recordRequest(f.ShipmentNumber, f.askedAt)
			return nil
		}
	}
	d := p.openShipment(f.ShipmentNumber, f.SCAC)
	d.followed, d.askedAt = true, f.askedAt
	return nil
}

// containerJourneyEnded reports whether the shipment is followed by the number of a container whose
// journey has ended. A request for that number is for a new journey.
func containerJourneyEnded(tx *transaction, s *Shipment) (bool, error) {
	if s.NumberType != ContainerNumber {
		return false, nil
	}
	list, err := containers.GetMany(tx, []ID{containerID(s.ID, freight.FoldNumber(s.followedNumber().Number))})
	return len(list) > 0 && journeyEnded(list[0]), err
}

func (p *plan) openShipment(n ShipmentNumber, scac string) *draft {
	d := &draft{ship: &Shipment{BillOfLadingNumber: n.Number, NumberType: n.Type, ShippingLineSCAC: scac}}
	p.drafts = append(p.drafts, d)
	return d
}

// assignAll assigns the loaded facts to shipments, and opens shipments for facts of the
// report that belong to none: for their transport document, or else for their booking.
func (p *plan) assignAll(tx *transaction) error {
	for i, r := range p.batch {
		if !r.Fact.Retracted && !slices.ContainsFunc(r.Fact.Numbers, func(n ShipmentNumber) bool { return len(p.numbers.Keys(n, r.Fact.SCAC)) > 0 }) {
			return badDocument(fmt.Sprintf("facts[%d].numbers", p.reportIndex(i)), "a fact must name the bill of lading or booking that it is about")
		}
	}
	if err := p.findRequests(tx); err != nil {
		return err
	}
	p.assign()
	lost := p.findLostFacts()
	before := len(p.drafts)
	for p.openNextShipments(p.batch) {
		p.assign()
	}
	if found, err := p.loadUnplaced(tx); err != nil {
		return err
	} else if found {
		p.assign()
	}
	for n := len(p.drafts); p.openNextShipments(lost); n = len(p.drafts) {
		for _, d := range p.drafts[n:] {
			d.splitOff = true
		}
		p.assign()
	}
	if len(p.drafts) > before {
		p.findLostFacts()
	}
	for _, d := range p.drafts {
		d.concerned = d.concerned || p.isChanged(d)
	}
	return nil
}

// findRequests finds the requests that wait for a number of the loaded shipments. If facts
// have several numbers, a requested one gets its own shipment.
func (p *plan) findRequests(tx *transaction) error {
	p.waiting = nil
	if !p.namesSeveral() {
		return nil
	}
	var err error
	p.waiting, err = waitingRequests(tx, slices.Sorted(maps.Keys(p.relatedNumbers)), func(r *TrackingRequest) bool {
		return r.SCAC != "" && r.RequestType != ContainerNumber
	})
	slices.SortFunc(p.waiting, func(a, b *TrackingRequest) int { return bytes.Compare(a.ID[:], b.ID[:]) })
	return err
}

func (p *plan) namesSeveral() bool {
	for _, g := range p.groups {
		if g.valid != nil && len(g.valid.Fact.Numbers) > 1 {
			return true
		}
	}
	return false
}

// openRequested opens shipments for the numbers that requests wait for and facts have.
func (p *plan) openRequested() {
	for _, r := range p.waiting {
		root := p.numbers.Root(r.number(), r.SCAC)
		own := slices.IndexFunc(p.drafts, func(d *draft) bool { return d.ship.numbers().IsFollowedBy(r.number(), r.SCAC) })
		if own >= 0 {
			p.drafts[own].recordRequest(r.number(), r.CreatedAt)
			continue
		}
		if p.isNamed(root, r.SCAC) {
			p.openShipment(r.number(), r.SCAC).askedAt = r.CreatedAt
		}
	}
}

// isNamed reports whether a valid fact of the line names the number; empty for any line.
func (p *plan) isNamed(root, scac string) bool {
	for _, g := range p.groups {
		if g.valid == nil || assignment.LinesDiffer(g.valid.Fact.SCAC, scac) {
			continue
		}
		if slices.ContainsFunc(g.valid.Fact.Numbers, func(n ShipmentNumber) bool { return p.numbers.Root(n, g.valid.Fact.SCAC) == root }) {
			return true
		}
	}
	return false
}

// joinNumbers joins the forms of each loaded number, and observes how valid facts use it.
func (p *plan) joinNumbers() {
	p.numbers.Reset()
	for _, g := range p.groups {
		for _, r := range g.all {
			for _, n := range r.Fact.Numbers {
				p.numbers.Join(n, r.Fact.SCAC)
			}
		}
	}
	for _, d := range p.drafts {
		p.numbers.Join(d.ship.followedNumber(), d.ship.ShippingLineSCAC)
	}
	for _, g := range p.groups {
		if g.valid == nil {
			continue
		}
		for _, n := range g.valid.Fact.Numbers {
			p.numbers.Observe(n, g.valid.Fact.SCAC)
		}
	}
}

// orderedFact is a fact with the version that is assigned.
type orderedFact struct {
	*factVersions
	version *RawEvent
	rank    int // 0 for a valid fact, 1 for a retracted one
}

// inOrder returns the valid loaded facts, then the retracted ones, each by time of
// recording.
func (p *plan) inOrder() (list []orderedFact) {
	for _, g := range p.groups {
		if g.valid != nil {
			list = append(list, orderedFact{g, g.valid, 0})
		} else if r := g.lastStated(); r != nil {
			list = append(list, orderedFact{g, r, 1})
		}
	}
	slices.SortFunc(list, func(a, b orderedFact) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), byRecording(a.version, b.version))
	})
	return list
}

// lastStated returns the last version that is not a retraction, or nil.
func (g *factVersions) lastStated() (last *RawEvent) {
	for _, r := range g.all {
		if !r.Fact.Retracted && (last == nil || byRecording(r, last) > 0) {
			last = r
		}
	}
	return last
}

// assign assigns the loaded facts. A shipment without a line takes the line of its facts,
// and then loses the facts of other lines.
func (p *plan) assign() {
	for again := true; again; {
		p.joinNumbers()
		p.openRequested()
		p.restoreBookings()
		p.assignToDrafts()
		again = false
		for _, d := range p.drafts {
			again = d.adoptLine() || again
		}
	}
}

// restoreBookings gives a shipment that a document has adopted back to its booking, if no
// fact has the document any more and it was not requested.
func (p *plan) restoreBookings() {
	for _, d := range p.drafts {
		s := d.ship
		if s.Booking == "" || !d.askedAt.IsZero() {
			continue
		}
		if !p.isNamed(p.numbers.Root(s.followedNumber(), s.ShippingLineSCAC), "") {
			s.BillOfLadingNumber, s.NumberType, s.Booking = s.Booking, BookingNumber, ""
		}
	}
}

func (p *plan) assignToDrafts() {
	facts := p.inOrder()
	index := map[ID]int{}
	ships := make([]assignment.Shipment, len(p.drafts))
	for i, d := range p.drafts {
		if d.ship.ID != (ID{}) {
			index[d.ship.ID] = i
		}
		ships[i] = assignment.Shipment{
			Number: p.numbers.Root(d.ship.followedNumber(), d.ship.ShippingLineSCAC), Type: d.ship.NumberType, SCAC: d.ship.ShippingLineSCAC,
			RequestedAt: d.askedAt, CreatedAt: cmp.Or(d.ship.CreatedAt, p.now),
		}
		d.facts, d.retracted, d.ownContainers = nil, nil, nil
	}
	named := make([]assignment.Fact, len(facts))
	for i, o := range facts {
		f, r := &named[i], o.version
		*f = p.numbers.Fact(r.Fact.Numbers, foldedNumbers(r.Fact.Containers), r.Fact.SCAC)
		for _, id := range r.Shipments {
			if i, ok := index[id]; ok && r.partOf(id) {
				f.Holders = append(f.Holders, i)
			}
		}
		if f.Retracted = o.valid == nil; !f.Retracted {
			p.addDropped(f, o.factVersions)
		}
	}
	a := assignment.Assign(named, ships)
	p.owned, p.retractedIn = map[*factVersions]bool{}, map[*factVersions][]*draft{}
	for i, o := range facts {
		g := o.factVersions
		for _, h := range a.Placements[i] {
			d := p.drafts[h.Shipment]
			if named[i].Retracted {
				p.retractedIn[g] = append(p.retractedIn[g], d)
				d.retracted = append(d.retracted, g.all...)
				continue
			}
			p.owned[g] = true
			d.addFact(g, named[i].Containers, h.Containers)
		}
	}
	for i, d := range p.drafts {
		d.identify(a, i, &p.numbers, p.now)
	}
}

// addDropped adds the containers that earlier versions of a fact have with a document, and
// the valid version does not.
func (p *plan) addDropped(f *assignment.Fact, g *factVersions) {
	if len(g.all) == 1 {
		return
	}
	for _, r := range g.all {
		if r != g.valid && !r.Fact.Retracted && byRecording(r, g.valid) <= 0 {
			p.numbers.AddDropped(f, r.Fact.Numbers, foldNumbers(r.Fact.Containers), r.Fact.SCAC)
		}
	}
}

// addFact gives the shipment all versions of a fact, and those of the named containers that
// are its own.
func (d *draft) addFact(g *factVersions, named, own []string) {
	d.facts = append(d.facts, g.all...)
	if own == nil || !slices.ContainsFunc(named, func(n string) bool { return !slices.Contains(own, n) }) {
		return
	}
	if d.ownContainers == nil {
		d.ownContainers = map[*RawEvent][]string{}
	}
	for _, r := range g.all {
		part := slices.DeleteFunc(foldNumbers(r.Fact.Containers), func(n string) bool { return slices.Contains(named, n) && !slices.Contains(own, n) })
		if len(part) < len(r.Fact.Containers) && len(part) > 0 {
			d.ownContainers[r] = part
		}
	}
}

// identify applies the assignment of shipment i.
func (d *draft) identify(a assignment.Result, i int, numbers *assignment.Numbers, now time.Time) {
	s := d.ship
	if document, ok := a.Adopted[i]; ok {
		s.Booking, s.BillOfLadingNumber, s.NumberType, s.FollowedNumber = s.followedNumber().Number, numbers.Written(document), BillOfLading, ""
	}
	switch {
	case !a.Removed[i]:
		s.RemovedAt = time.Time{}
	case s.RemovedAt.IsZero():
		s.RemovedAt = now
	}
	if s.NumberType == BookingNumber {
		followed := s.followedNumber().Number
		if s.BillOfLadingNumber, s.FollowedNumber = followed, ""; a.FirstDocument[i] != "" {
			s.BillOfLadingNumber, s.FollowedNumber = numbers.Written(a.FirstDocument[i]), followed
		}
	}
}

// findLostFacts finds the facts that the loaded shipments have lost, because a connecting
// fact was retracted or another shipment has a better claim. Facts that were retracted
// themselves stay with their shipment.
func (p *plan) findLostFacts() (lost []*RawEvent) {
	held := map[ID][]*RawEvent{} // by shipment
	for _, r := range p.pool {
		for _, id := range r.Shipments {
			if r.partOf(id) {
				held[id] = append(held[id], r)
			}
		}
	}
	for _, d := range p.drafts {
		d.lostFacts = nil
		has := make(map[*RawEvent]bool, len(d.facts))
		for _, r := range d.facts {
			has[r] = true
		}
		for _, r := range held[d.ship.ID] {
			if g := p.groups[r.group()]; g.valid != nil && !has[r] {
				d.lostFacts = append(d.lostFacts, r)
				p.detached[g] = true
			}
		}
		lost = append(lost, d.lostFacts...)
	}
	slices.SortFunc(lost, func(a, b *RawEvent) int { return cmp.Compare(a.Number, b.Number) })
	return lost
}

// openNextShipments opens shipments for facts that belong to none, and reports whether there were
// any. Transport documents go before bookings, so that the order in a report does not
// matter. A fact with a number for which a shipment was just opened may belong to that, so
// it waits for the next assignment.
func (p *plan) openNextShipments(facts []*RawEvent) bool {
	opened := map[string]bool{}
	for _, typ := range []RequestType{BillOfLading, BookingNumber, ContainerNumber} {
		for _, r := range facts {
			g := p.groups[r.group()]
			if p.owned[g] || g.valid == nil || p.shipmentOpened[g] {
				continue
			}
			f := &g.valid.Fact
			at := slices.IndexFunc(f.Numbers, func(n ShipmentNumber) bool { return n.Type == typ })
			if at < 0 || slices.ContainsFunc(f.Numbers, func(n ShipmentNumber) bool { return opened[p.numbers.Root(n, f.SCAC)] }) {
				continue
			}
			p.shipmentOpened[g], opened[p.numbers.Root(f.Numbers[at], f.SCAC)] = true, true // none is opened twice
			p.openShipment(f.Numbers[at], f.SCAC)
		}
		if len(opened) > 0 {
			return true
		}
	}
	return false
}

// loadUnplaced loads the retracted facts that name a number of a shipment to be opened. They
// came when it had none that it could be opened for. It reports whether there are any.
func (p *plan) loadUnplaced(tx *transaction) (found bool, err error) {
	for _, d := range p.drafts {
		if d.ship.ID == (ID{}) {
			p.openedNumbers = append(p.openedNumbers, p.numbers.Keys(d.ship.followedNumber(), d.ship.ShippingLineSCAC)...)
		}
	}
	p.openedNumbers = sortedSet(p.openedNumbers)
	rows, err := listAll(tx, rawEvents, unplacedQueries(p.openedNumbers))
	if err != nil {
		return false, err
	}
	p.unplaced, err = rawEvents.DecodeAll(rows)
	if err != nil {
		return false, err
	}
	p.add(p.unplaced)
	return len(rows) > 0, p.loadVersionsOf(tx, p.unplaced)
}

// isChanged reports whether the report changes the identity, facts or containers of the
// shipment.
func (p *plan) isChanged(d *draft) bool {
	if d.ship.ID != (ID{}) && d.ship.identity() != d.storedIdentity || len(d.lostFacts) > 0 {
		return true
	}
	for _, r := range d.facts {
		if p.inBatch[r.ID] || p.detached[p.groups[r.group()]] || !r.partOf(d.ship.ID) {
			return true
		}
		if own := d.ownContainers[r]; len(r.Fact.Containers) > 0 && len(d.storedContainers(r)) != cmp.Or(len(own), distinctNumbers(r.Fact.Containers)) {
			return true
		}
	}
	return slices.ContainsFunc(d.retracted, func(r *RawEvent) bool { return p.inBatch[r.ID] })
}

// distinctNumbers returns how many different numbers a list has.
func distinctNumbers(list []string) int {
	if len(list) == 1 {
		return 1
	}
	return len(sortedSet(foldNumbers(list)))
}

// storedContainers returns the containers of the shipment that a stored fact is shown with.
func (d *draft) storedContainers(r *RawEvent) (list []string) {
	for _, n := range foldedNumbers(r.Fact.Containers) {
		if slices.Contains(r.Containers, d.containerID(n)) && !slices.Contains(list, n) {
			list = append(list, n)
		}
	}
	return list
}

// isCurrent reports whether the transaction sees what the plan was made from: no later account
// time, the same versions of its facts, the same shipments at the same versions, and the
// same requests. A fact that was stored in the meantime has changed the version of its
// shipment.
func (p *plan) isCurrent(tx *transaction) bool {
	if p.undated && p.now.Before(tx.ledger.At) {
		return false // the time of arrival never goes back within an account
	}
	if !p.hasAllVersions(tx) {
		return false
	}
	found := map[ID]store.Record{}
	rows, err := shipmentsNumbered(tx, slices.Sorted(maps.Keys(p.relatedNumbers)))
	if err != nil {
		return false
	}
	for _, r := range rows {
		found[r.ID] = r
	}
	for id := range p.shipmentVersions {
		if _, ok := found[id]; ok {
			continue
		}
		if found[id], err = tx.Records.Get(tx, shipments.Kind, id); err != nil {
			return false
		}
	}
	if len(found) != len(p.shipmentVersions) {
		return false
	}
	for id, r := range found {
		if r.Version != p.shipmentVersions[id] {
			return false
		}
	}
	p.rows = found
	unplaced, err := listAll(tx, rawEvents, unplacedQueries(p.openedNumbers))
	return err == nil && len(unplaced) == len(p.unplaced) && p.sameRequests(tx)
}

// sameRequests reports whether the same requests wait as when the plan was made.
func (p *plan) sameRequests(tx *transaction) bool {
	before := p.waiting
	err := p.findRequests(tx)
	return err == nil && slices.EqualFunc(before, p.waiting, func(a, b *TrackingRequest) bool { return a.ID == b.ID })
}
