package tracking

import (
	"cmp"
	"encoding/binary"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/landfallhq/tracking/internal/correction"
	"github.com/landfallhq/tracking/internal/journey"
	"github.com/landfallhq/tracking/internal/membership"
	"github.com/landfallhq/tracking/internal/naturalkey"
	"github.com/landfallhq/tracking/internal/schedule"

	"github.com/google/uuid"

	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/refdata"
	"github.com/landfallhq/tracking/store"
)

// write writes new facts' numbers, then the shipments, then the facts.
func (p *plan) write(tx *transaction) (Receipt, error) {
	receipt := Receipt{Facts: len(p.batch), Warnings: slices.Clone(p.report.Warnings)}
	if p.filterWarning != (Warning{}) {
		receipt.Warnings = append(receipt.Warnings, p.filterWarning)
	}
	p.numberFacts(tx, &receipt)
	for _, f := range p.withNewPlaces {
		if err := rememberPlaces(tx, f); err != nil {
			return Receipt{}, err
		}
	}
	named := p.containersInReport()
	for _, d := range p.drafts {
		if !p.isAffected(d) {
			continue
		}
		events, err := p.writeShipment(tx, d)
		if err != nil {
			return Receipt{}, err
		}
		receipt.Events += events
		receipt.ShipmentIDs = append(receipt.ShipmentIDs, d.ship.ID)
		for _, c := range d.journey.Containers {
			if named[c.Number] {
				receipt.ContainerIDs = append(receipt.ContainerIDs, d.containerID(c.Number))
			}
		}
		receipt.Warnings = append(receipt.Warnings, d.journey.Warnings...)
	}
	if err := p.writeFacts(tx); err != nil {
		return Receipt{}, err
	}
	receipt.Shipments, receipt.Containers = len(receipt.ShipmentIDs), len(receipt.ContainerIDs)
	receipt.Warnings = append(receipt.Warnings, p.carrierWarnings(tx.engine)...)
	receipt.Warnings = distinct(receipt.Warnings)
	return receipt, nil
}

// numberFacts gives the new facts their numbers and the time of receipt.
func (p *plan) numberFacts(tx *transaction, receipt *Receipt) {
	for _, r := range p.batch {
		if r.Number != 0 {
			continue
		}
		tx.ledger.Facts++
		r.Number, r.CreatedAt = tx.ledger.Facts, tx.Now
		r.Fact.Arrival = r.Number
		receipt.New++
		receipt.FirstFact, receipt.LastFact = cmp.Or(receipt.FirstFact, r.Number), r.Number
	}
}

// isAffected reports whether the report is about the draft: one of its facts
// belongs or belonged to it, or a source was queried for it.
func (p *plan) isAffected(d *draft) bool {
	return d.followed || d.concerned || p.earlierShipments[d.ship.ID]
}

func (p *plan) containersInReport() map[string]bool {
	named := map[string]bool{}
	for _, r := range p.batch {
		for _, n := range r.Fact.Containers {
			named[freight.FoldNumber(n)] = true
		}
	}
	return named
}

// carrierWarnings warns about shipments that cannot be tracked, because their line
// is missing or unknown.
func (p *plan) carrierWarnings(e *engine) (warnings []Warning) {
	for _, d := range p.drafts {
		if !p.isAffected(d) {
			continue
		}
		scac, number := d.ship.ShippingLineSCAC, d.ship.BillOfLadingNumber
		if scac == "" {
			warnings = append(warnings, Warning{Code: "missing_scac", Detail: "no fact names the shipping line of shipment " + number + ": its line stays unknown"})
		} else if _, known := e.knownLine(scac); !known {
			warnings = append(warnings, Warning{Code: "unknown_scac", Detail: "the shipping line '" + scac + "' of shipment " + number + " is not among the known ones"})
		}
	}
	return warnings
}

func distinct(list []Warning) []Warning {
	var out []Warning
	seen := map[Warning]bool{}
	for _, w := range list {
		if !seen[w] {
			seen[w] = true
			out = append(out, w)
		}
	}
	return out
}

// writeShipment writes a shipment with its containers, milestone events and other
// changes. It returns how many events were created or corrected.
func (p *plan) writeShipment(tx *transaction, d *draft) (int, error) {
	before, err := d.begin(tx)
	if err != nil {
		return 0, err
	}
	s := d.ship
	s.applyJourney(tx, d)
	s.FactCount, s.FactSum, s.HeardAt, s.Rules = len(d.facts), factSum(d.facts), lastReceived(d.facts), journey.RulesVersion
	containers, err := p.containers(tx, d)
	if err != nil {
		return 0, err
	}
	if err := p.resumeByFacts(tx, d, asContainers(containers)); err != nil {
		return 0, err
	}
	news := p.findChanges(tx, d, before, containers)
	if err := p.updateTracking(tx, d, containers); err != nil {
		return 0, err
	}
	b := newDebouncer(tx, s, asContainers(containers))
	b.Mode, b.Differences = p.exceptionMode(d), p.rederiveAll
	if _, err := d.reviewExceptions(tx, b); err != nil {
		return 0, err
	}
	if err := p.recordRevisions(tx, d, before, containers); err != nil {
		return 0, err
	}
	if err := p.recordVoyage(tx, d, before); err != nil {
		return 0, err
	}
	events, err := p.findEvents(tx, d, containers)
	if err != nil {
		return 0, err
	}
	events.HoldBackAvailability()
	news.addEvents(events, containers)
	if err := p.scheduleAnnouncements(tx, d, containers); err != nil {
		return 0, err
	}
	counted, err := countCosts(tx, d, s, asContainers(containers))
	if err != nil {
		return 0, err
	}
	costs := counted.note(tx, s)
	if err := p.putRecords(tx, s, containers); err != nil {
		return 0, err
	}
	if err := d.writeNextMilestones(tx); err != nil {
		return 0, err
	}
	if err := costs.write(tx, s); err != nil {
		return 0, err
	}
	if err := s.applyInitialFields(tx, d.made, newContainers(containers)); err != nil {
		return 0, err
	}
	if err := news.writeCreated(tx, s); err != nil {
		return 0, err
	}
	if err := events.save(); err != nil {
		return 0, err
	}
	if p.opts.onRederived != nil && d.followed {
		p.opts.onRederived(d.rederived(before, containers, events))
	}
	return len(events.written), news.write(tx, s)
}

// begin prepares the shipment for the update and returns a copy of it as stored;
// nil if it is new.
func (d *draft) begin(tx *transaction) (before *Shipment, err error) {
	s := d.ship
	d.stopped = s.stopped()
	if s.ID == (ID{}) {
		s.ID, err = uuid.NewV7()
		s.CreatedAt, s.Since, d.made = tx.Now, tx.Now, true
		return nil, err
	}
	stored := *s
	if d.adopted {
		s.LineSince = tx.Now
	}
	return &stored, nil
}

// updateTracking applies what the report means for tracking: the query that was
// answered, the requests that are completed, a stop, and the next stop check. The
// caller writes the shipment.
func (p *plan) updateTracking(tx *transaction, d *draft, stored []storedContainer) error {
	s, containers := d.ship, asContainers(stored)
	asked := d.followed && p.opts.updateTracked != nil
	if asked {
		if err := p.opts.updateTracked(tx, s, containers); err != nil {
			return err
		}
	}
	if err := completeRequests(tx, s, containers, p.requestNumbers(d), p.requestedContainers(d, stored), asked); err != nil {
		return err
	}
	if reason := stopReason(&d.journey, s, containers); reason != "" {
		if err := stop(tx, s, reason, ID{}); err != nil {
			return err
		}
	}
	return scheduleStopCheck(tx, s, containers)
}

// putRecords writes the shipment and its containers over the records that the
// transaction has read.
func (p *plan) putRecords(tx *transaction, s *Shipment, list []storedContainer) error {
	if err := enqueueLinking(tx, p.rows[s.ID], s); err != nil {
		return err
	}
	if err := shipments.PutOver(tx, p.rows[s.ID], s); err != nil {
		return err
	}
	for _, c := range list {
		c.copyShipment(s)
		if err := containers.PutOver(tx, c.record, c.Container); err != nil {
			return err
		}
	}
	return nil
}

// factSum identifies a set of facts, independent of their order.
func factSum(facts []*RawEvent) (sum int64) {
	for _, r := range facts {
		sum ^= int64(binary.BigEndian.Uint64(r.ID[8:]))
	}
	return sum
}

// lastReceived is the time when the last of the facts arrived.
func lastReceived(facts []*RawEvent) (last time.Time) {
	for _, r := range facts {
		last = schedule.Latest(last, r.CreatedAt)
	}
	return last
}

// newContainers returns the new ones; nil if there is none.
func newContainers(stored []storedContainer) (fresh map[ID]bool) {
	for _, c := range stored {
		if c.before != nil {
			continue
		}
		if fresh == nil {
			fresh = map[ID]bool{}
		}
		fresh[c.ID] = true
	}
	return fresh
}

func asContainers(containers []storedContainer) []*Container {
	list := make([]*Container, len(containers))
	for i, c := range containers {
		list[i] = c.Container
	}
	return list
}

// setLine sets the shipping line; empty if no fact names one.
func (s *Shipment) setLine(e *engine, scac string) {
	s.ShippingLineSCAC, s.ShippingLineName, s.ShippingLineShortName = scac, "", ""
	s.NormalizedNumber = freight.NormalizeNumber(s.followedNumber().Number, scac)
	if line, ok := e.knownLine(scac); ok {
		s.ShippingLineName, s.ShippingLineShortName = line.Name, line.ShortName
	}
}

// applyJourney copies what was derived for the shipment.
func (s *Shipment) applyJourney(tx *transaction, d *draft) {
	j := &d.journey
	s.setLine(tx.engine, s.ShippingLineSCAC)
	s.PortOfLading, s.PortOfLadingLOCODE, s.PortOfLadingName = tx.resolver().Port(j.POL)
	s.PortOfDischarge, s.PortOfDischargeLOCODE, s.PortOfDischargeName = tx.resolver().Port(j.POD)
	s.Destination, s.DestinationLOCODE, s.DestinationName = tx.resolver().Port(j.Destination)
	s.PODTerminal, s.DestinationTerminal = tx.resolver().Facility(j.POD), tx.resolver().Facility(j.Destination)
	s.PODVesselName, s.PODVesselIMO, s.PODVoyageNumber = j.PODVessel.Name, j.PODVessel.IMO, j.PODVoyage
	s.POLETDAt, s.POLATDAt = j.POLETD.Time, j.POLATD.Time
	s.PODETAAt, s.PODOriginalETAAt, s.PODATAAt = j.PODETA.Time, j.PODOriginalETA.Time, j.PODATA.Time
	s.PODETASource = ""
	if i := j.Provenance.PODETA; i >= 0 && !s.PODETAAt.IsZero() {
		s.PODETASource = d.facts[i].Fact.Source
	}
	s.DestinationETAAt, s.DestinationATAAt = j.DestETA.Time, j.DestATA.Time
	s.POLTimezone, s.PODTimezone, s.DestinationTimezone = j.POLZone, j.PODZone, j.DestZone
	s.Numbers, s.References = j.Numbers, j.References
	s.Containers, s.ContainerNumbers = nil, nil
	for _, c := range j.Containers {
		s.Containers = append(s.Containers, d.containerID(c.Number))
		s.ContainerNumbers = append(s.ContainerNumbers, c.Number)
	}
}

func (c *storedContainer) leaves() bool { return c.removed() && c.before != nil && !c.before.removed() }

// storedContainer is a container with its record and its former state.
type storedContainer struct {
	*Container
	record store.Record
	before *Container // nil if it is new
}

// containers returns the containers to write: those of the journey, and those that
// have left the shipment.
func (p *plan) containers(tx *transaction, d *draft) ([]storedContainer, error) {
	var known []storedContainer
	byID := map[ID]*Container{}
	if !d.made {
		rows, _, err := tx.Records.List(tx, containers.Kind, containersOf(d.ship.ID), Page{}, nil)
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			c, err := containers.Decode(r)
			if err != nil {
				return nil, err
			}
			before := *c
			known = append(known, storedContainer{c, r, &before})
			byID[c.ID] = c
			if c.RemovedAt.IsZero() {
				c.RemovedAt = tx.Now
			}
		}
	}
	for i := range d.journey.Containers {
		j := &d.journey.Containers[i]
		id := d.containerID(j.Number)
		c := byID[id]
		if c == nil {
			c = &Container{Meta: Meta{ID: id}, Shipment: d.ship.ID, Number: j.Number, CreatedAt: tx.Now}
			known = append(known, storedContainer{Container: c})
		}
		c.RemovedAt = time.Time{}
		c.applyJourney(tx, j, &d.journey)
	}
	for _, c := range known {
		c.recordAbsence(tx, c.before)
	}
	return known, nil
}

const lbsPerKg = 2.20462262185

// applyJourney copies what was derived for the container.
func (c *Container) applyJourney(tx *transaction, j *journey.ContainerJourney, whole *journey.Journey) {
	c.applyEquipment(j.Equipment)
	c.CurrentStatus = j.Status
	c.AvailabilityKnown, c.AvailableForPickup = j.AvailabilityKnown, j.AvailabilityKnown && j.Available
	c.HoldsAtPODTerminal, c.FeesAtPODTerminal = j.Holds, j.Fees
	c.LocationAtPODTerminal, c.PODFullOutChassis = j.Yard, j.Chassis
	c.PickupAppointmentAt, c.TerminalCheckedAt = j.Appointment.Time, j.TerminalCheckedAt
	c.EmptyOutAt, c.POLFullInAt = j.EmptyOutAt.Time, j.POLFullInAt.Time
	c.POLVesselLoadedAt, c.POLVesselDepartedAt = j.POLLoadedAt.Time, j.POLDepartedAt.Time
	c.PODArrivedAt, c.PODDischargedAt, c.PODFullOutAt = j.PODArrivedAt.Time, j.PODDischargedAt.Time, j.PODFullOutAt.Time
	c.PODRailLoadedAt, c.PODRailDepartedAt = j.PODRailLoadedAt.Time, j.PODRailDepartedAt.Time
	c.INDETAAt, c.INDATAAt, c.INDRailUnloadedAt = j.INDETA.Time, j.INDATA.Time, j.INDRailUnloadedAt.Time
	c.FinalDestinationFullOutAt, c.DeliveredAt = j.DestFullOutAt.Time, j.DeliveredAt.Time
	c.ReturnedUnused = j.ReturnedUnused
	c.EmptyTerminatedAt, c.EmptyTerminatedTimezone = j.EmptyTerminatedAt.Time, j.EmptyTerminatedAt.Zone
	c.PODTimezone, c.FinalDestinationTimezone = j.PODZone, j.DestZone
	c.PODTerminal, c.PickupFacility = tx.resolver().Facility(j.PODTerminal), tx.resolver().Facility(j.PickupFacility)
	c.setDeadlines(j)
}

// setDeadlines sets the three last free days, the one that counts and the earliest
// (see docs/contract.md#last-free-days).
func (c *Container) setDeadlines(j *journey.ContainerJourney) {
	c.ImportDeadlines = ImportDeadlines{
		PickupLFDLine: instant(j.LFDLine), PickupLFDTerminal: instant(j.LFDTerminal), PickupLFDRail: instant(j.LFDRail),
	}
	c.INDFacilityLFDOn = j.LFDRail.Time
	c.PickupLFD, c.PickupLFDEarliest = time.Time{}, time.Time{}
	earliest := ""
	for _, m := range []struct {
		topic string
		Moment
	}{{topicLFDLine, j.LFDLine}, {topicLFDTerminal, j.LFDTerminal}, {topicLFDRail, j.LFDRail}} {
		if m.IsZero() {
			continue
		}
		if m.topic == lfdOf(j) {
			c.PickupLFD = m.Time
		}
		if day := localDate(m.Moment); earliest == "" || day < earliest {
			earliest, c.PickupLFDEarliest = day, m.Time
		}
	}
}

func instant(m Moment) *time.Time {
	if m.IsZero() {
		return nil
	}
	at := m.Time.UTC().Truncate(time.Second)
	return &at
}

// applyEquipment copies what is known of the equipment.
func (c *Container) applyEquipment(e freight.Equipment) {
	c.SealNumber = ""
	if len(e.Seals) > 0 {
		c.SealNumber = e.Seals[0]
	}
	c.WeightInLbs = math.Round(e.WeightKg * lbsPerKg)
	c.EquipmentLength, c.EquipmentHeight, c.EquipmentType, _ = refdata.ParseISOType(e.ISOType)
}

// changedMilestones replaces the milestones stored in the shipment and returns
// those that differ, by the IDs of the first versions of their events. A nil value
// is a milestone that no longer exists. If none was stored, it returns all. current
// is the versions that were valid until now.
func (p *plan) changedMilestones(d *draft) (changed map[ID]*containerMilestone, current eventVersions) {
	before := map[ID]uint64{}
	changed = map[ID]*containerMilestone{}
	if d.milestonesKnown = d.ship.Milestones != nil && !p.rederiveAll; d.milestonesKnown {
		for _, note := range d.ship.Milestones {
			before[note.event] = note.sum
			changed[note.event] = nil
		}
	}
	current = d.ship.EventVersions
	d.ship.Milestones, d.ship.EventVersions = nil, nil
	d.ship.Milestones = slices.Clone(d.milestoneNotes())
	notes := d.ship.Milestones
	for i := range d.journey.Containers {
		c := &d.journey.Containers[i]
		container := d.containerID(c.Number)
		for _, m := range c.Milestones {
			note := notes[0]
			notes = notes[1:]
			if sum, ok := before[note.event]; !ok || sum != note.sum {
				changed[note.event] = &containerMilestone{container, m}
				continue
			}
			delete(changed, note.event)
			if id, ok := current[note.event]; ok {
				d.useVersion(note.event, id)
			}
		}
	}
	return changed, current
}

// useVersion records that a later version of an event represents a milestone.
func (d *draft) useVersion(first, id ID) {
	if first == id {
		return
	}
	if d.ship.EventVersions == nil {
		d.ship.EventVersions = eventVersions{}
	}
	d.ship.EventVersions[first] = id
}

// containerMilestone is a milestone of one of the shipment's containers.
type containerMilestone struct {
	container ID
	journey.Milestone
}

// findEvents decides which milestone events have changed, and which of the changes
// are announced.
func (p *plan) findEvents(tx *transaction, d *draft, containers []storedContainer) (*eventUpdate, error) {
	changed, current := p.changedMilestones(d)
	stored, err := p.storedEvents(tx, d, changed, current)
	if err != nil {
		return nil, err
	}
	u := newEventUpdate(tx, newDebouncer(tx, d.ship, asContainers(containers)), stored)
	u.plan, u.draft, u.Corrections, u.Stopped = p, d, p.announcesCorrections(tx, d), d.stopped
	u.Containers = make(map[ID]correction.Container, len(containers))
	for _, c := range containers {
		u.Containers[c.ID] = correction.Container{AnnounceStates: &c.AnnounceStates, Leaves: c.leaves(), Removed: c.removed()}
	}
	u.Run(d.events(tx, changed), current, p.announceTimings(d, u))
	if p.rederiveAll && u.Corrections {
		u.AnnounceDifferences()
	}
	if d.resumedFrom.IsZero() {
		return u, u.err
	}
	valid, err := eventsOf(tx, validEvents(d.ship.ID))
	if err != nil {
		return nil, err
	}
	since := time.Time{}
	if p.rederiveAll {
		since = d.resumedFrom
	}
	u.AnnouncePending(valid, since, !p.report.Silent)
	return u, u.err
}

// storedEvents reads the events of the changed milestones, or all events of the
// shipment if the changes are not known.
func (p *plan) storedEvents(tx *transaction, d *draft, changed map[ID]*containerMilestone, current eventVersions) ([]*correction.Event, error) {
	switch {
	case d.made:
		return nil, nil
	case d.milestonesKnown:
		ids := correction.FormerIDs(maps.Keys(changed), current, d.ship.EventVersions)
		stored, err := transportEvents.GetMany(tx, ids)
		return milestoneVersions(stored), err
	}
	return eventsOf(tx, allEvents(d.ship.ID))
}

// announceTimings decides which new events are announced. Not announced are events
// of a silent report, of a shipment that a user has stopped, those that another
// shipment had before, and the history in a first answer. Events of a shipment that
// a rule has stopped wait until it is resumed. Events that follow from new rules
// alone wait until they are requested, if others of the container were announced.
func (p *plan) announceTimings(d *draft, u *eventUpdate) func(*correction.Event) correction.Timing {
	return func(e *correction.Event) correction.Timing {
		history := d.followed && !p.opts.silentBefore.IsZero() && e.Timestamp.Before(p.opts.silentBefore)
		switch {
		case p.rederiveAll && !d.made && !u.AnnouncedAnyOf(e.Container):
			return correction.AnnounceNever
		case d.splitOff, history, d.stopped && !d.ship.stoppedByRule(), p.report.Silent && !p.rederiveAll:
			return correction.AnnounceNever
		case d.stopped, p.report.Silent:
			return correction.AnnounceOnceFollowed
		}
		return correction.AnnounceNow
	}
}

// events renders the changed milestones, in the order of the journey.
func (d *draft) events(tx *transaction, changed map[ID]*containerMilestone) []*correction.Event {
	list := make([]*correction.Event, 0, len(changed))
	events := make([]correction.Event, 0, len(changed))
	for _, note := range d.ship.Milestones {
		m := changed[note.event]
		if m == nil {
			continue
		}
		events = append(events, correction.Event{
			ID: note.event, Shipment: d.ship.ID, Container: m.container, Name: m.Event,
			Values:   correction.Values{Timestamp: m.At.Time, Timezone: m.At.Zone, DayOnly: m.At.Day, Vessel: tx.resolver().Vessel(m.Vessel), Voyage: m.Voyage},
			Location: placeRef(tx, m.Place).ID, LOCODE: m.Place.LOCODE, Terminal: tx.resolver().Facility(m.Place),
			Fact: d.facts[m.Fact].ID, DataSource: m.DataSource,
		})
		list = append(list, &events[len(events)-1])
	}
	return list
}

// writeFacts writes every fact that is new, or whose event, validity, shipments or
// containers have changed.
func (p *plan) writeFacts(tx *transaction) error {
	changed := map[ID]*RawEvent{}
	for _, r := range p.batch {
		if r.Version == 0 {
			changed[r.ID] = r
		}
	}
	note := func(r *RawEvent, differs bool) {
		if differs {
			changed[r.ID] = r
		}
	}
	for _, d := range p.drafts {
		if !p.isAffected(d) {
			continue
		}
		for i, r := range d.facts {
			note(r, r.applyOutcome(tx, d, d.journey.Facts[i], p.rederiveAll))
		}
		for _, r := range d.lostFacts {
			note(r, r.detach(tx, d))
		}
	}
	for _, r := range slices.Concat(p.batch, p.unplaced) {
		if g := p.groups[r.group()]; g.valid == nil {
			for _, version := range g.all {
				note(version, version.detachAll(tx))
				for _, d := range p.retractedIn[g] {
					note(version, version.showRetracted(tx, d))
				}
			}
		}
	}
	list := slices.SortedFunc(maps.Values(changed), func(a, b *RawEvent) int { return cmp.Compare(a.Number, b.Number) })
	for _, r := range list {
		if err := rawEvents.Put(tx, r); err != nil {
			return err
		}
	}
	return nil
}

// detachAll removes a fact from all shipments, because all its versions are
// retracted. It reports whether that changes it.
func (r *RawEvent) detachAll(tx *transaction) bool {
	before := validity{r.Event, r.InvalidatedAt}
	r.Event = ""
	if r.InvalidatedAt.IsZero() {
		r.InvalidatedAt = tx.Now
	}
	moved := false
	for _, id := range r.Shipments {
		moved = r.recordMembership(tx, id, true) || moved
	}
	return moved || before != validity{r.Event, r.InvalidatedAt}
}

// showRetracted shows a retracted fact with the shipment that it would belong to,
// as if the retraction had come later. It is not part of the shipment.
func (r *RawEvent) showRetracted(tx *transaction, d *draft) bool {
	if slices.Contains(r.Shipments, d.ship.ID) {
		return false
	}
	r.Shipments = addID(slices.Clip(r.Shipments), d.ship.ID)
	r.Moves = append(slices.Clip(r.Moves), membership.Change{Shipment: d.ship.ID, At: tx.Now, After: tx.ledger.read.facts, Left: true})
	r.updateContainers(d)
	r.locate(tx)
	return true
}

// validity is the part of a fact that other facts change.
type validity struct {
	event         string
	invalidatedAt time.Time
}

// applyOutcome sets the event, the validity and the shipment of a fact, and reports
// whether that changes it. What follows from the fact alone is computed once, or
// again if rederive is set.
func (r *RawEvent) applyOutcome(tx *transaction, d *draft, o journey.FactOutcome, rederive bool) bool {
	before := validity{r.Event, r.InvalidatedAt}
	r.Event = o.Event
	switch {
	case !o.Superseded:
		r.InvalidatedAt = time.Time{}
	case r.InvalidatedAt.IsZero():
		r.InvalidatedAt = tx.Now
	}
	known := slices.Contains(r.Shipments, d.ship.ID)
	moved := r.Version > 0 && !d.made && r.recordMembership(tx, d.ship.ID, false)
	if !known {
		r.Shipments = addID(slices.Clip(r.Shipments), d.ship.ID)
	}
	known = !r.updateContainers(d) && known
	if !known || rederive {
		r.locate(tx)
	}
	return !known || moved || rederive || before != validity{r.Event, r.InvalidatedAt}
}

// updateContainers sets the containers of the shipment that the fact is shown with,
// and reports whether they have changed.
func (r *RawEvent) updateContainers(d *draft) (changed bool) {
	for _, n := range r.Fact.Containers {
		id, own := d.containerID(freight.FoldNumber(n)), d.ownContainers[r]
		wanted := own == nil || slices.Contains(own, freight.FoldNumber(n))
		if wanted == slices.Contains(r.Containers, id) {
			continue
		}
		changed = true
		if wanted {
			r.Containers = addID(slices.Clip(r.Containers), id)
		} else {
			r.Containers = slices.DeleteFunc(slices.Clone(r.Containers), func(c ID) bool { return c == id })
		}
	}
	return changed
}

// detach removes the fact from a shipment.
func (r *RawEvent) detach(tx *transaction, d *draft) bool {
	r.recordMembership(tx, d.ship.ID, true)
	r.Shipments = slices.DeleteFunc(slices.Clone(r.Shipments), func(id ID) bool { return id == d.ship.ID })
	for _, n := range r.Fact.Containers {
		container := d.containerID(freight.FoldNumber(n))
		r.Containers = slices.DeleteFunc(slices.Clone(r.Containers), func(id ID) bool { return id == container })
	}
	return true
}

// locate sets what follows from the fact alone: its place, vessel, terminal and local time.
func (r *RawEvent) locate(tx *transaction) {
	place, zone := r.Fact.Place, ""
	r.Location, r.Vessel, r.Terminal = placeRef(tx, place), tx.resolver().Vessel(r.Fact.Vessel), tx.resolver().Facility(place)
	if place.LOCODE != "" {
		_, _, zone, _ = tx.engine.refs.Place(place.LOCODE)
	}
	r.placeInTime(r.Fact.At.Localize(zone))
}

// placeRef is the port or place of a fact; zero if it names none.
func placeRef(tx *transaction, p Place) Ref {
	id, _, _ := tx.resolver().Port(p)
	if id == (ID{}) {
		return Ref{}
	}
	return Ref{Type: "port", ID: id}
}

// resolver identifies the places and vessels in facts of the account.
func (tx *transaction) resolver() naturalkey.Resolver {
	return naturalkey.Resolver{Account: tx.Account, Places: tx.engine.refs}
}
