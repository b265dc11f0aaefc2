package tracking

import (
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"maps"
	"slices"
	"time"

	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/internal/correction"
	"github.com/landfallhq/tracking/internal/debounce"
	"github.com/landfallhq/tracking/internal/exceptions"
	"github.com/landfallhq/tracking/internal/journey"
	"github.com/landfallhq/tracking/internal/schedule"
	"github.com/landfallhq/tracking/internal/table"
	"github.com/landfallhq/tracking/store"
)

// changeSet is the changes of an update to announce, except milestones.
type changeSet struct {
	shipment   []debounce.Change
	created    []*Container
	containers []containerChanges
}

type containerChanges struct {
	*Container
	changes []debounce.Change
	// events are the changes of its milestones; nil for none.
	events *correction.Change
	// left: it has left the shipment, as reported by the source in by.
	left bool
	by   DataSource
}

// findChanges compares the shipment and its containers with their former states,
// and stores the announcement states in them. before is nil for a new shipment.
func (p *plan) findChanges(tx *transaction, d *draft, before *Shipment, containers []storedContainer) (n changeSet) {
	b := newDebouncer(tx, d.ship, asContainers(containers))
	b.Mode, b.Differences = p.announceMode(d), p.rederiveAll
	if before != nil {
		n.shipment, d.ship.AnnounceStates = debounce.Changes(b, announcedOfShipment, before.AnnounceStates, before, d.ship, d.sourceOf(tx, nil))
	}
	if b.Mode == debounce.Stopped && !d.ship.stoppedByRule() {
		b.Mode = debounce.Silent // changes of containers are not announced after a resume
	}
	for _, c := range containers {
		switch {
		case c.before == nil:
			if b.Mode <= debounce.FirstAnswer {
				n.created = append(n.created, c.Container)
			}
			continue
		case c.leaves() && p.announcesCorrections(tx, d):
			c.AnnounceStates = nil
			n.containers = append(n.containers, containerChanges{Container: c.Container, left: true, by: p.dataSource()})
			continue
		case c.removed():
			continue
		case c.before.removed():
			c.AnnounceStates = nil // changes while it was away are not announced
			continue
		}
		var due []debounce.Change
		due, c.AnnounceStates = debounce.Changes(b, announcedOfContainer, c.before.AnnounceStates, c.before, c.Container, d.sourceOf(tx, c.Container))
		if len(due) > 0 || len(n.shipment) > 0 {
			n.containers = append(n.containers, containerChanges{Container: c.Container, changes: due})
		}
	}
	return n
}

// dataSource is that of the report's last fact.
func (p *plan) dataSource() DataSource {
	if n := len(p.batch); n > 0 {
		return p.batch[n-1].Fact.DataSource
	}
	return freight.FromShippingLine
}

// addEvents adds the changes of milestones.
func (n *changeSet) addEvents(u *eventUpdate, containers []storedContainer) {
	changes := u.Changes()
	for i := range n.containers {
		n.containers[i].events = changes[n.containers[i].ID]
		delete(changes, n.containers[i].ID)
	}
	for _, id := range slices.SortedFunc(maps.Keys(changes), compareIDs) {
		i := slices.IndexFunc(containers, func(c storedContainer) bool { return c.ID == id })
		n.containers = append(n.containers, containerChanges{Container: containers[i].Container, events: changes[id]})
	}
}

// scheduleAnnouncements schedules the changes that wait. A report that announces
// nothing leaves none.
func (p *plan) scheduleAnnouncements(tx *transaction, d *draft, containers []storedContainer) error {
	if p.announceMode(d) > debounce.FirstAnswer && !d.ship.stoppedByRule() {
		return nil
	}
	return scheduleAnnouncements(tx, d.ship, containers)
}

// newDebouncer returns a debouncer that announces changes of the shipment and its
// containers. A window is as long as the interval at which the source is queried.
func newDebouncer(tx *transaction, s *Shipment, containers []*Container) *debounce.Debouncer {
	return &debounce.Debouncer{Now: tx.Now, End: func() time.Time {
		c := &tx.engine.config
		return schedule.WholeSecond(tx.Now.Add(cmp.Or(c.FlapWindow, c.refreshInterval(s, containers, tx.Now), c.RefreshEvery)))
	}}
}

// scheduleAnnouncements enqueues a job for the end of the first window in which
// something waits. Of a shipment that a rule has stopped, only corrections of
// milestones are announced.
func scheduleAnnouncements(tx *transaction, s *Shipment, containers []storedContainer) error {
	included := func(topic string) bool { return !s.stopped() || correction.IsMilestoneTopic(topic) }
	end := s.AnnounceStates.NextEnd(included)
	for _, c := range containers {
		if at := c.AnnounceStates.NextEnd(included); !c.removed() && !at.IsZero() && (end.IsZero() || at.Before(end)) {
			end = at
		}
	}
	if end.IsZero() {
		return nil
	}
	return tx.enqueue(store.Job{ID: table.NamedID("job/news", s.ID.String()), Kind: jobHeldChanges, Ref: s.ID, Due: end})
}

// announceWaiting announces changes whose window has ended. If a user has stopped
// the shipment in the meantime, they are dropped, except for its arrival: see
// announceOnResume. If a rule has stopped it, corrections of milestones are
// announced and the rest waits on.
func (t *Tracker) announceWaiting(ctx context.Context, j store.Job) error {
	return t.update(ctx, j.Account, func(tx *transaction) error {
		s, err := readWithContainers(tx, j.Ref)
		if err != nil {
			return err
		}
		if err := tx.Records.Finish(tx, j); err != nil {
			return err
		}
		d := newDebouncer(tx, s.Shipment, s.containers)
		var n changeSet
		var containers []storedContainer
		if !s.stopped() {
			n.shipment, s.AnnounceStates = debounce.Changes(d, announcedOfShipment, s.AnnounceStates, s.Shipment, s.Shipment, unknownSource)
		}
		for _, c := range s.containers {
			if c.removed() {
				continue
			}
			b, err := announceWaitingOf(tx, d, s.Shipment, c)
			if err != nil {
				return err
			}
			n.containers = append(n.containers, b)
			containers = append(containers, storedContainer{Container: c})
		}
		if err := n.write(tx, s.Shipment); err != nil {
			return err
		}
		if !s.paused() {
			if err := scheduleAnnouncements(tx, s.Shipment, containers); err != nil {
				return err
			}
		}
		return s.put(tx)
	})
}

// announceWaitingOf announces milestones of a container that have waited, and returns
// its other changes. The caller writes the container.
func announceWaitingOf(tx *transaction, d *debounce.Debouncer, s *Shipment, c *Container) (b containerChanges, err error) {
	b.Container = c
	if s.paused() {
		c.AnnounceStates = nil
		return b, nil
	}
	if b.events, err = announceDueEvents(tx, d, c); err != nil || s.stopped() {
		return b, err
	}
	if err := announceAvailability(tx, d, c); err != nil {
		return b, err
	}
	b.changes, c.AnnounceStates = debounce.Changes(d, announcedOfContainer, c.AnnounceStates, c, c, unknownSource)
	return b, nil
}

func unknownSource(string) debounce.Source { return debounce.Source{} }

// announceOnResume announces the estimated arrival of a resumed shipment if it
// differs from the one announced last. Other changes during the stop are not
// announced. The caller writes the shipment.
func announceOnResume(tx *transaction, s *Shipment) error {
	by, changed := etaOfShipment.WhileStopped(s.AnnounceStates, s)
	s.AnnounceStates = nil
	if !changed {
		return nil
	}
	return announceArrival(tx, s, by)
}

// announceMode decides how changes of a shipment are announced. Silent reports and
// new or split-off shipments announce nothing; nor does a stopped shipment.
func (p *plan) announceMode(d *draft) debounce.Mode {
	switch {
	case p.report.Silent && p.rederiveAll && !d.splitOff && !d.stopped:
		return debounce.NewRules
	case p.report.Silent || d.splitOff:
		return debounce.Silent
	case d.stopped:
		return debounce.Stopped
	case d.followed && !p.opts.silentBefore.IsZero():
		return debounce.FirstAnswer
	}
	return debounce.Announce
}

// exceptionMode decides how opened and closed exceptions are announced. Those of a first
// answer are of the present, and those of a shipment that a rule has stopped are as useful as
// of another one.
func (p *plan) exceptionMode(d *draft) debounce.Mode {
	switch {
	case p.report.Silent && p.rederiveAll && !d.splitOff:
		return debounce.NewRules
	case p.report.Silent || d.splitOff:
		return debounce.Silent
	case d.ship.paused():
		return debounce.Stopped
	}
	return debounce.Announce
}

// sourceOf returns a function for the source of an attribute of the shipment, or of one
// of its containers.
func (d *draft) sourceOf(tx *transaction, c *Container) func(string) debounce.Source {
	return func(attribute string) debounce.Source {
		i := d.factFor(attribute, c)
		if i < 0 || i >= len(d.facts) {
			return debounce.Source{}
		}
		r := d.facts[i]
		return debounce.Source{
			DataSource: r.Fact.DataSource, Reported: r.Fact.RecordedAt, Fact: r.ID, Vessel: tx.resolver().Vessel(r.Fact.Vessel), Voyage: r.Fact.Voyage,
		}
	}
}

// factFor is the index of the fact that an attribute follows from; -1 for none.
func (d *draft) factFor(attribute string, c *Container) int {
	switch why := d.journey.Provenance; attribute {
	case topicETD:
		return why.POLETD
	case topicETA:
		return why.PODETA
	}
	if j := d.journeyOf(c.Number); j != nil {
		return because(j, attribute)
	}
	return -1
}

// because is the fact that an attribute of the container follows from, -1 for none.
func because(j *journey.ContainerJourney, attribute string) int {
	switch why := j.Provenance; attribute {
	case topicInlandETA:
		return why.INDETA
	case topicAppointment:
		return why.Appointment
	case topicPODTerminal:
		return why.PODTerminal
	case topicLFDLine:
		return why.LFDLine
	case topicLFDTerminal:
		return why.LFDTerminal
	case topicLFDRail:
		return why.LFDRail
	case topicLFD:
		return because(j, lfdOf(j))
	}
	return -1
}

// writeCreated announces new containers.
func (n *changeSet) writeCreated(tx *transaction, s *Shipment) error {
	for _, c := range n.created {
		e := &ContainerCreatedEvent{
			Meta:      Meta{ID: table.NamedID("container_created_event", c.ID.String())},
			Container: c.ID, Shipment: s.ID, Timestamp: tx.Now, Timezone: "Etc/UTC",
		}
		if err := putEvent(tx, containerCreatedEvents, e, freight.ContainerCreated, s.ID, c.ID); err != nil {
			return err
		}
	}
	return nil
}

// write writes and announces the events of the changes.
func (n *changeSet) write(tx *transaction, s *Shipment) error {
	if eta := changeOf(n.shipment, topicETA); eta != nil {
		if err := announceArrival(tx, s, eta.Source); err != nil {
			return err
		}
	}
	for _, b := range n.containers {
		if err := b.write(tx, s, n.shipment); err != nil {
			return err
		}
	}
	return nil
}

// putEvent writes the record of an event and announces it.
func putEvent[T any](tx *transaction, n *resource[T], e *T, name EventName, shipment, container ID) error {
	if err := n.Put(tx, e); err != nil {
		return err
	}
	tx.announce(name, Ref{Type: n.Kind.Name, ID: metaOf(e).ID}, shipment, container)
	return nil
}

// announceArrival announces the current estimated arrival of the shipment.
func announceArrival(tx *transaction, s *Shipment, by debounce.Source) error {
	e := &EstimatedEvent{
		Meta:     Meta{ID: eventOfChange(tx, "estimated_event", s.ID, freight.ShipmentEstimatedArrival, shownText(s.PODETAAt))},
		Shipment: s.ID, Port: s.PortOfDischarge, Vessel: vesselOf(tx, s, by), Event: freight.ShipmentEstimatedArrival,
		EstimatedTimestamp: s.PODETAAt, Timezone: s.PODTimezone, LocationLOCODE: s.PortOfDischargeLOCODE,
		VoyageNumber: cmp.Or(by.Voyage, s.PODVoyageNumber), DataSource: cmp.Or(by.DataSource, freight.FromShippingLine), CreatedAt: tx.Now,
	}
	return putEvent(tx, estimatedEvents, e, freight.ShipmentEstimatedArrival, s.ID, ID{})
}

// eventOfChange is the ID of the event of a change. It is made of the record, the
// event, the time and the new value.
func eventOfChange(tx *transaction, typ string, of ID, event EventName, value string) ID {
	return table.TimedID(typ, of.String()+"/"+string(event)+"/"+shownText(tx.Now)+"/"+value, tx.Now)
}

func shownText(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return at.UTC().Format(time.RFC3339)
}

// vesselOf is the vessel of the source, or else the one that calls at the port of
// discharge.
func vesselOf(tx *transaction, s *Shipment, by debounce.Source) ID {
	if by.Vessel != (ID{}) {
		return by.Vessel
	}
	return tx.resolver().Vessel(VesselRef{IMO: s.PODVesselIMO, Name: s.PODVesselName})
}

// write announces the changes of one container, estimates first.
func (b containerChanges) write(tx *transaction, s *Shipment, ofShipment []debounce.Change) error {
	if b.left {
		return b.announceUpdated(tx, s)
	}
	for _, c := range ofShipment {
		if e := b.estimateEvent(tx, s, c); e != nil {
			if err := b.putTransportEvent(tx, e); err != nil {
				return err
			}
		}
	}
	for _, c := range b.changes {
		e := b.estimateEvent(tx, s, c)
		if e == nil {
			e = b.pickupEvent(tx, s, c)
		}
		if e != nil {
			if err := b.putTransportEvent(tx, e); err != nil {
				return err
			}
		}
	}
	if c := changeOf(b.changes, topicPODTerminal); c != nil {
		e := &ContainerPODTerminalChangedEvent{
			Meta:      Meta{ID: eventOfChange(tx, "container_pod_terminal_changed_event", b.ID, freight.ContainerPODTerminalChanged, b.PODTerminal.String())},
			Container: b.ID, Shipment: s.ID, Terminal: b.PODTerminal, Timestamp: tx.Now, DataSource: cmp.Or(c.Source.DataSource, freight.FromTerminal),
		}
		if err := putEvent(tx, containerPODTerminalChangedEvents, e, freight.ContainerPODTerminalChanged, s.ID, b.ID); err != nil {
			return err
		}
	}
	return b.announceUpdated(tx, s)
}

func (b containerChanges) putTransportEvent(tx *transaction, e *TransportEvent) error {
	return putEvent(tx, transportEvents, e, e.Event, e.Shipment, e.Container)
}

// estimateEvent is the event of a changed estimate. It is nil for other topics, and
// if the container has the actual time.
func (b containerChanges) estimateEvent(tx *transaction, s *Shipment, c debounce.Change) *TransportEvent {
	e := &TransportEvent{Vessel: c.Source.Vessel, VoyageNumber: c.Source.Voyage}
	switch c.Name {
	case topicETD:
		if !b.POLVesselDepartedAt.IsZero() {
			return nil
		}
		e.Event, e.Timestamp, e.Timezone = freight.EstimatedVesselDeparted, s.POLETDAt, s.POLTimezone
		e.Location, e.LocationLOCODE = portRef(s.PortOfLading), s.PortOfLadingLOCODE
	case topicETA:
		if !b.PODArrivedAt.IsZero() || !b.PODDischargedAt.IsZero() {
			return nil
		}
		e.Event, e.Timestamp, e.Timezone = freight.EstimatedVesselArrived, s.PODETAAt, s.PODTimezone
		e.Location, e.LocationLOCODE, e.Terminal = portRef(s.PortOfDischarge), s.PortOfDischargeLOCODE, b.PODTerminal
		e.Vessel, e.VoyageNumber = vesselOf(tx, s, c.Source), cmp.Or(c.Source.Voyage, s.PODVoyageNumber)
	case topicInlandETA:
		e.Event, e.Timestamp, e.Timezone = freight.EstimatedArrivedAtDestination, b.INDETAAt, b.FinalDestinationTimezone
		e.Location, e.LocationLOCODE, e.Terminal = portRef(s.Destination), s.DestinationLOCODE, b.PickupFacility
	default:
		return nil
	}
	b.fillIn(tx, s, e, c, shownText(e.Timestamp))
	return e
}

func portRef(id ID) Ref {
	if id == (ID{}) {
		return Ref{}
	}
	return Ref{Type: "port", ID: id}
}

// fillIn sets what all transport events of changes have.
func (b containerChanges) fillIn(tx *transaction, s *Shipment, e *TransportEvent, c debounce.Change, value string) {
	e.ID = eventOfChange(tx, "transport_event", b.ID, e.Event, value)
	e.Shipment, e.Container, e.SourceEvent = s.ID, b.ID, c.Source.Fact
	e.CreatedAt, e.AnnouncedAt = tx.Now, tx.Now
	if e.DataSource == "" {
		e.DataSource = cmp.Or(c.Source.DataSource, freight.FromShippingLine)
	}
}

// pickupEvents are the topics with a pickup event of their own, and the data source
// if none is known.
var pickupEvents = map[string]struct {
	event EventName
	by    DataSource
}{
	topicLFD:         {freight.PickupLFDChanged, freight.FromTerminal},
	topicLFDLine:     {freight.PickupLFDLineChanged, freight.FromShippingLine},
	topicLFDTerminal: {freight.PickupLFDTerminalChanged, freight.FromTerminal},
	topicLFDRail:     {freight.PickupLFDRailChanged, freight.FromTerminal},
	topicAppointment: {freight.PickupAppointmentChanged, freight.FromTerminal},
}

// pickupEvent is the event of a changed last free day or appointment; nil for other
// topics.
func (b containerChanges) pickupEvent(tx *transaction, s *Shipment, c debounce.Change) *TransportEvent {
	rule, ok := pickupEvents[c.Name]
	if !ok {
		return nil
	}
	e := &TransportEvent{
		Event: rule.event, Timestamp: tx.Now, Timezone: b.PODTimezone, Location: portRef(s.PortOfDischarge),
		LocationLOCODE: s.PortOfDischargeLOCODE, Terminal: b.PODTerminal,
		ValueTimestamp: c.Source.Reported, DataSource: cmp.Or(c.Source.DataSource, rule.by),
	}
	if c.Name == topicLFDRail {
		e.Timezone, e.Location, e.LocationLOCODE, e.Terminal = b.FinalDestinationTimezone, portRef(s.Destination), s.DestinationLOCODE, b.PickupFacility
	}
	if json.Unmarshal(c.After, &e.Value) != nil {
		e.Value = "" // null: the value was removed
	}
	b.fillIn(tx, s, e, c, e.Value)
	return e
}

// changesetKeys are the topics that container.updated reports (see
// docs/contract.md#events-and-their-payloads).
var changesetKeys = map[string]bool{
	topicAvailable: true, topicLFD: true, topicLFDLine: true, topicLFDRail: true,
	topicFees: true, topicHolds: true, topicAppointment: true, topicPODTerminal: true,
}

// announceUpdated announces one container.updated for all changes of the container
// at its terminal, of its milestones and of its shipment; none if there are no
// changes.
func (b containerChanges) announceUpdated(tx *transaction, s *Shipment) error {
	set, by := map[string]BeforeAfter{}, DataSource("")
	for _, c := range b.changes {
		if changesetKeys[c.Name] {
			set[c.Name], by = BeforeAfter{c.Before, c.After}, freight.FromTerminal
		}
	}
	if b.left {
		before, err := json.Marshal(s.ID)
		if err != nil {
			return err
		}
		set["shipment"], by = BeforeAfter{before, json.RawMessage("null")}, cmp.Or(by, b.by)
	}
	if b.events != nil {
		change, source, err := milestoneChange(b.events)
		if err != nil {
			return err
		}
		set["transport_events"], by = change, cmp.Or(by, source)
	}
	if len(set) == 0 {
		return nil
	}
	value, err := json.Marshal(set)
	if err != nil {
		return err
	}
	e := &ContainerUpdatedEvent{
		Meta:      Meta{ID: eventOfChange(tx, "container_updated_event", b.ID, freight.ContainerUpdated, string(value))},
		Container: b.ID, Terminal: b.PODTerminal, Shipment: s.ID, Changeset: set,
		Timestamp: tx.Now, Timezone: b.PODTimezone, DataSource: by,
	}
	return putEvent(tx, containerUpdatedEvents, e, freight.ContainerUpdated, s.ID, b.ID)
}

// eventInChangeset is a milestone in container.updated.
type eventInChangeset struct {
	ID             ID        `json:"id"`
	Event          EventName `json:"event"`
	Timestamp      any       `json:"timestamp"`
	LocationLOCODE any       `json:"location_locode"`
}

// milestoneChange lists the milestones that are no longer valid, as they were announced,
// and those that replace them, with their data source.
func milestoneChange(c *correction.Change) (change BeforeAfter, by DataSource, err error) {
	for i, list := range [][]*correction.Event{c.Before, c.After} {
		names := []eventInChangeset{}
		for _, e := range list {
			name := eventInChangeset{e.ID, e.Name, shownTime(e.AnnouncedAs().Timestamp), nil}
			if e.LOCODE != "" {
				name.LocationLOCODE = e.LOCODE
			}
			names, by = append(names, name), e.DataSource
		}
		if change[i], err = json.Marshal(names); err != nil {
			return change, by, err
		}
	}
	return change, by, nil
}

// Announcement is an event at the time of its announcement, for webhooks and
// Config.OnAnnounce (see docs/contract.md#events-and-their-payloads).
type Announcement struct {
	// Account is the account of the event.
	Account AccountID
	// Event is its name.
	Event EventName
	// At is the time of the transaction that announced it, UTC, whole seconds. The
	// time of the event itself is in Reference.
	At time.Time
	// Reference is the record with the details: a transport_event, estimated_event,
	// container_created_event, container_updated_event,
	// container_pod_terminal_changed_event, tracking_request, document, exception or
	// container.
	Reference Ref
	// Shipment and Container that the event is about; zero if there is none.
	Shipment, Container ID

	// sequence distinguishes repeated announcements: of a tracking request in the
	// same state, of a document that is read again, or of an exception that is opened
	// again.
	sequence int64
}

// announce adds an event to the transaction. It is announced by the commit.
func (tx *transaction) announce(event EventName, about Ref, shipment, container ID) {
	tx.announced = append(tx.announced, Announcement{
		Account: tx.Account, Event: event, At: tx.Now, Reference: about, Shipment: shipment, Container: container,
	})
}

// eventsOfKind are the events that come with exception.opened.
var eventsOfKind = map[exceptions.Kind]EventName{
	exceptions.FreeTimeEnding: freight.FreeTimeEnding, exceptions.FreeTimeEnded: freight.FreeTimeEnded, exceptions.MilestoneOverdue: freight.MilestoneOverdue,
}

// announceException announces that an exception was opened or closed, after the other events
// of the transaction: a container is announced before what goes wrong with it.
func (tx *transaction) announceException(e *Exception) {
	a := Announcement{
		Account: tx.Account, Event: freight.ExceptionClosed, At: tx.Now, Shipment: e.Shipment, Container: e.Container,
		Reference: Ref{Type: exceptionRecords.Kind.Name, ID: e.ID}, sequence: e.Version,
	}
	if e.open() {
		a.Event = freight.ExceptionOpened
	}
	tx.aboutExceptions = append(tx.aboutExceptions, a)
	kind, ok := eventsOfKind[exceptions.Kind(e.Kind)]
	if !ok || !e.open() {
		return
	}
	if a.Event = kind; kind != freight.MilestoneOverdue {
		a.Reference = Ref{Type: containers.Kind.Name, ID: e.Container}
		a.sequence += int64(binary.BigEndian.Uint64(e.ID[8:])) // a container has an exception for each last free day
	}
	tx.aboutExceptions = append(tx.aboutExceptions, a)
}

// announceRequest announces the state of a tracking request.
// tracking_request.tracking_stopped comes after all other events of the
// transaction.
func (tx *transaction) announceRequest(event EventName, r *TrackingRequest, shipment ID) {
	a := Announcement{Account: tx.Account, Event: event, At: tx.Now, Reference: r.ref(), Shipment: shipment, sequence: r.Version}
	if event == freight.TrackingRequestStopped {
		tx.trailing = append(tx.trailing, a)
		return
	}
	tx.announced = append(tx.announced, a)
}

// callOnAnnounce hands what a committed transaction announced to the program around us.
func (e *engine) callOnAnnounce(ctx context.Context, list []Announcement) {
	if e.config.OnAnnounce == nil || len(list) == 0 {
		return
	}
	defer func() {
		if p := recover(); p != nil { // what was committed stays so
			e.log.Error("Config.OnAnnounce panicked", "panic", p)
		}
	}()
	e.config.OnAnnounce(ctx, list)
}
