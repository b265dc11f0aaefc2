package tracking

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"
)

// box is one container of the shipment while its journey is derived.
type box struct {
	number string
	own    []*entry // valid facts that name it, from the weakest to the strongest
	// sailed is when it first leaves by main vessel; zero when not known.
	sailed Moment
	// ships are those that its own actual facts name, by place and direction.
	ships map[shipCall]*ships
}

type shipCall struct {
	site *site
	out  bool
}

func callOf(e *entry) shipCall {
	return shipCall{e.site, e.What == Loading || e.What == Departure}
}

// findBoxes makes a box for every number that a valid fact names, and for the
// container numbers by which the shipment is followed.
func (d *derivation) findBoxes(followed []ShipmentNumber) {
	for _, e := range d.valid {
		for _, number := range e.boxes {
			d.box(number).note(e)
		}
	}
	for _, n := range followed {
		if number := foldNumber(n.Number); n.Type == ContainerNumber && number != "" && len(d.valid) > 0 {
			d.box(number)
		}
	}
	slices.SortFunc(d.boxes, func(a, b *box) int { return cmp.Compare(a.number, b.number) })
	for _, b := range d.boxes {
		if !validContainer(b.number) {
			d.warn("check_digit", "containers", "container number %s is not one of ISO 6346, or its check digit is wrong", b.number)
		}
	}
}

func (d *derivation) box(number string) *box {
	b, ok := d.byName[number]
	if !ok {
		b = &box{number: number}
		d.byName[number] = b
		d.boxes = append(d.boxes, b)
	}
	return b
}

func (b *box) note(e *entry) {
	b.own = append(b.own, e)
	if e.class != Actual || e.site == nil || !e.overWater() || e.Vessel == (Vessel{}) {
		return
	}
	key := callOf(e)
	if b.ships == nil {
		b.ships = map[shipCall]*ships{}
	}
	if b.ships[key] == nil {
		b.ships[key] = &ships{imos: map[string]bool{}, names: map[string]bool{}, unnumbered: map[string]bool{}}
	}
	b.ships[key].add(e.Vessel)
}

// ships is a set of vessels, known by IMO number or name.
type ships struct {
	imos, names map[string]bool
	unnumbered  map[string]bool // names that came without an IMO number
	nameless    bool            // some came with the number alone
}

func (s *ships) add(v Vessel) {
	imo, name := shipKeys(v)
	switch {
	case imo != "":
		s.imos[imo] = true
	default:
		s.unnumbered[name] = true
	}
	if name == "" {
		s.nameless = true
	} else {
		s.names[name] = true
	}
}

func shipKeys(v Vessel) (imo, name string) {
	return strings.TrimSpace(v.IMO), strings.ToUpper(strings.Join(strings.Fields(v.Name), " "))
}

// differ reports whether v is certainly none of the set: compared by IMO number,
// and by name where either side has no number.
func (s *ships) differ(v Vessel) bool {
	if s == nil || v == (Vessel{}) {
		return false
	}
	imo, name := shipKeys(v)
	if imo == "" {
		return !s.names[name] && !s.nameless
	}
	if s.imos[imo] || s.unnumbered[name] {
		return false
	}
	return name != "" || len(s.unnumbered) == 0
}

// spreadCall is an actual departure or arrival of the whole shipment, with the
// milestones that it makes for each box.
type spreadCall struct {
	*entry
	claims []claim
}

// spreadLimit bounds boxes times calls of the whole shipment. A shipment of 500
// boxes that calls at 20 places needs 20,000.
const spreadLimit = 100_000

// spreadOverBoxes collects the calls that count for every box, and finds out
// when each box went to sea.
func (d *derivation) spreadOverBoxes() {
	for _, e := range d.valid {
		if len(e.boxes) == 0 && e.class == Actual && e.by != "" && (e.What == Departure || e.What == Arrival) {
			call := spreadCall{entry: e}
			if call.claims = d.claims(e, nil); call.claims != nil || e.by == ByVessel {
				d.spread = append(d.spread, call)
			}
		}
	}
	if most := spreadLimit / max(1, len(d.boxes)); len(d.spread) > most {
		d.warn("too_many_calls", "facts", "only the last %d of %d calls of the whole shipment count for its %d containers",
			most, len(d.spread), len(d.boxes))
		d.spread = d.spread[len(d.spread)-most:]
	}
	for _, b := range d.boxes {
		b.sailed = d.sailing(b)
	}
}

// sailing is when a box first leaves by main vessel: as it happened, else as
// expected from the POL for the box, else for the shipment.
func (d *derivation) sailing(b *box) Moment {
	var happened, expected passage
	for _, e := range b.own {
		if e.by != ByVessel || !callOf(e).out {
			continue
		}
		if e.class == Actual {
			happened.add(e)
		} else if e.site != nil && e.site == d.pol {
			expected.add(e)
		}
	}
	for _, c := range d.spread {
		if c.by == ByVessel && c.What == Departure && !b.misses(c.entry) {
			happened.add(c.entry)
		}
	}
	switch {
	case happened.any:
		return happened.first
	case expected.any:
		expected.settle()
		return expected.first
	case d.pol != nil && !d.pol.out.actual:
		return d.pol.out.first
	}
	return Moment{}
}

// misses reports whether the box is on another ship than a call of the whole
// shipment: part of a shipment is often left behind for the next one.
func (b *box) misses(e *entry) bool { return b.ships[callOf(e)].differ(e.Vessel) }

// claims are the milestones that one actual fact makes for a box.
func (d *derivation) claims(e *entry, b *box) []claim {
	var list []claim
	if event := d.event(e, b); event != "" {
		list = append(list, claim{event: event, order: eventOrder[event], entry: e, gate: event == ArrivedAtDestination})
	}
	if d.reachesDestination(e) {
		list = append(list, claim{event: ArrivedAtDestination, order: eventOrder[ArrivedAtDestination], entry: e})
	}
	return list
}

// containerJourney derives everything that is shown of one box.
func (d *derivation) containerJourney(b *box, j *Journey) ContainerJourney {
	var claims []claim
	for _, e := range b.own {
		if e.class == Actual {
			claims = append(claims, d.claims(e, b)...)
		}
	}
	for _, call := range d.spread {
		if call.claims != nil && !b.misses(call.entry) {
			claims = append(claims, call.claims...)
		}
	}
	c := ContainerJourney{Number: b.number, Milestones: d.milestones(claims)}
	describeEquipment(&c, b)
	d.timeContainer(&c)
	d.timeRail(&c)
	c.Because = noBoxBecause
	inland := d.inlandGuess(b)
	c.INDETA, c.Because.INDETA = timeOf(inland), indexOf(inland)
	d.findFacilities(&c, b)
	d.terminalView(&c, b)
	c.Status = d.status(&c)
	return c
}

func (d *derivation) findFacilities(c *ContainerJourney, b *box) {
	var because *entry
	c.PODTerminal, because = d.placeOf(b, d.pod, RolePOD)
	c.Because.PODTerminal = indexOf(because)
	c.PickupFacility, because = d.placeOf(b, d.destination, RoleDestination)
	c.Because.PickupFacility = indexOf(because)
}

// describeEquipment takes the best known of each property: a gate report knows
// the seal, the booking the type.
func describeEquipment(c *ContainerJourney, b *box) {
	for _, e := range b.own { // from the weakest to the strongest
		if t := strings.ToUpper(strings.TrimSpace(e.Equipment.ISOType)); t != "" {
			c.Equipment.ISOType = t
		}
		if len(e.Equipment.Seals) > 0 {
			c.Equipment.Seals = slices.Clone(e.Equipment.Seals)
		}
		if w := e.Equipment.WeightKg; w > 0 && !math.IsInf(w, 0) {
			c.Equipment.WeightKg = w
		}
	}
}

// timeContainer copies the times of the milestones. Where a box has been
// somewhere twice (rolled, or put back on the quay) the last visit counts.
func (d *derivation) timeContainer(c *ContainerJourney) {
	for _, m := range c.Milestones {
		s := d.entries[m.Fact].site
		switch m.Event {
		case EmptyOut:
			c.EmptyOutAt = m.At
		case FullIn:
			c.POLFullInAt = m.At
		case VesselLoaded, FeederLoaded:
			setAt(&c.POLLoadedAt, m, s, d.pol)
		case VesselDeparted, FeederDeparted:
			setAt(&c.POLDepartedAt, m, s, d.pol)
		case VesselArrived, FeederArrived:
			setAt(&c.PODArrivedAt, m, s, d.pod)
		case VesselDischarged, FeederDischarged:
			setAt(&c.PODDischargedAt, m, s, d.pod)
		case FullOut:
			d.timeFullOut(c, m, s)
		case ArrivedAtDestination:
			c.INDATA = m.At
		case RailUnloaded:
			setAt(&c.INDRailUnloadedAt, m, s, d.destination)
		case Delivered:
			c.DeliveredAt = m.At
		case EmptyIn:
			c.EmptyTerminatedAt = m.At
		}
	}
}

func setAt(at *Moment, m Milestone, is, want *site) {
	if is != nil && is == want {
		*at = m.At
	}
}

func (d *derivation) timeFullOut(c *ContainerJourney, m Milestone, s *site) {
	switch {
	case s != nil && s == d.destination:
		c.DestFullOutAt = m.At
	case d.destination == nil || (s != nil && s == d.pod):
		c.PODFullOutAt = m.At
	}
}

// timeRail finds the train from the POD: the first one there, or after the
// discharge. A train before the sea leg, or one with the emptied box, is
// another matter.
func (d *derivation) timeRail(c *ContainerJourney) {
	for _, m := range c.Milestones {
		if !d.railFromPOD(c, m) {
			continue
		}
		switch {
		case m.Event == RailLoaded && c.PODRailLoadedAt.IsZero():
			c.PODRailLoadedAt = m.At
		case m.Event == RailDeparted && c.PODRailDepartedAt.IsZero():
			c.PODRailDepartedAt = m.At
		}
	}
}

func (d *derivation) railFromPOD(c *ContainerJourney, m Milestone) bool {
	if m.Event != RailLoaded && m.Event != RailDeparted {
		return false
	}
	e := &d.entries[m.Fact]
	if e.Load == Empty {
		return false
	}
	afterDischarge := !c.PODDischargedAt.IsZero() && !m.At.IsZero() && !m.At.Time.Before(c.PODDischargedAt.Time)
	return afterDischarge || (d.pod != nil && e.site == d.pod)
}

// inlandGuess is the best estimate of a box's arrival at the destination.
func (d *derivation) inlandGuess(b *box) *entry {
	best := d.inland
	for _, e := range b.own {
		if d.reachesDestination(e) {
			best = laterGuess(best, e.guess())
		}
	}
	return best
}

// status derives current_status: the later stage wins, whatever is missing
// before it (contract 3.3).
func (d *derivation) status(c *ContainerJourney) ContainerStatus {
	seen := d.stages(c)
	inland := d.destination != nil
	switch {
	case seen.emptyIn:
		return StatusEmptyReturned
	case seen.delivered:
		return StatusDelivered
	case seen.destinationOut || (seen.out && !inland):
		return StatusPickedUp
	case seen.unloaded || (seen.arrived && !seen.railed):
		return c.atTerminal()
	case seen.railed:
		return StatusOnRail
	case seen.out:
		return StatusPickedUp
	case seen.discharged && inland:
		return StatusAwaitingInlandTransfer
	case seen.discharged:
		return c.atTerminal()
	case !inland && c.ready():
		return StatusAvailable // the terminal has it, though nobody reported the discharge
	case seen.atSea:
		return StatusOnShip
	}
	return StatusNew
}

// stages are how far a box has come, in the steps of contract 3.3.
type stages struct {
	emptyIn, delivered, destinationOut, out, unloaded, arrived, railed, discharged, atSea bool
}

func (d *derivation) stages(c *ContainerJourney) stages {
	var seen stages
	for _, m := range c.Milestones {
		s := d.entries[m.Fact].site
		atDestination := s != nil && s == d.destination
		switch m.Event {
		case EmptyIn:
			seen.emptyIn = true
		case Delivered:
			seen.delivered = true
		case FullOut:
			seen.out = true
			seen.destinationOut = seen.destinationOut || atDestination
		case ArrivedAtDestination:
			seen.arrived = true
		case RailLoaded, RailDeparted:
			seen.railed = seen.railed || d.railFromPOD(c, m)
		case RailUnloaded:
			// With a destination, any other ramp is a change of trains.
			seen.unloaded = seen.unloaded || atDestination || (d.destination == nil && seen.railed)
		case VesselDischarged:
			seen.discharged = true
		case FeederDischarged:
			seen.discharged = seen.discharged || (s != nil && s == d.pod)
			seen.atSea = true
		case VesselLoaded, VesselDeparted, VesselArrived, FeederLoaded, FeederDeparted, FeederArrived,
			TransshipmentArrived, TransshipmentDischarged, TransshipmentLoaded, TransshipmentDeparted:
			seen.atSea = true
		}
	}
	return seen
}

// atTerminal is the status of a box that stands at its last terminal.
func (c *ContainerJourney) atTerminal() ContainerStatus {
	switch {
	case !c.AvailabilityKnown:
		return StatusGrounded
	case c.ready():
		return StatusAvailable
	}
	return StatusNotAvailable
}

// ready is the rule of contract 1.2: available, and no hold in force.
func (c *ContainerJourney) ready() bool {
	return c.AvailabilityKnown && c.Available &&
		!slices.ContainsFunc(c.Holds, func(h Hold) bool { return h.Status == holdInForce })
}

const holdInForce = "hold"

// party is one voice about a box at a terminal.
type party struct {
	source string
	kind   DataSource
}

// terminalView collects what terminals, lines and customs say of a box. Each
// party's last full view replaces what it said before; the parties' views are
// merged.
func (d *derivation) terminalView(c *ContainerJourney, b *box) {
	said := terminalFacts(b)
	if len(said) == 0 {
		return
	}
	current := map[party]*entry{}
	for _, e := range said {
		if e.DataSource == FromTerminal || e.What == TerminalStatus {
			c.TerminalCheckedAt = maxTime(c.TerminalCheckedAt, e.RecordedAt)
		}
		if e.What == TerminalStatus {
			current[party{e.Source, e.DataSource}] = e
		}
	}
	var views []*entry // in order of recording
	for _, e := range said {
		last := current[party{e.Source, e.DataSource}]
		if last == e {
			views = append(views, e)
		}
		if last == nil || later(e, last) >= 0 {
			noteAvailability(c, e)
		}
		if e.What != PickupAvailable && e.What != PickupUnavailable {
			c.Because.Holds = e.index
		}
	}
	d.noteVisit(c, views)
	d.noteFreeDays(c, said)
	c.Holds = holds(views, said, current)
	c.Fees = fees(views)
	if len(views) > 0 {
		c.Because.Fees = views[len(views)-1].index
	}
}

// terminalFacts are the box's facts about its release, in order of recording.
func terminalFacts(b *box) []*entry {
	var said []*entry
	for _, e := range b.own {
		// A status without content says nothing, and clears nothing.
		if e.ofRelease() && e.class == Actual && (e.What != TerminalStatus || e.Terminal != nil) {
			said = append(said, e)
		}
	}
	slices.SortFunc(said, later)
	return said
}

// ofRelease: the fact is about whether the box can be fetched.
func (e *entry) ofRelease() bool {
	switch e.What {
	case TerminalStatus, PickupAvailable, PickupUnavailable, CustomsHold, CustomsRelease:
		return true
	}
	return false
}

func maxTime(a, b time.Time) time.Time {
	if b.After(a) {
		return b.UTC().Round(0)
	}
	return a
}

func noteAvailability(c *ContainerJourney, e *entry) {
	switch {
	case e.What == PickupAvailable:
		c.AvailabilityKnown, c.Available = true, true
	case e.What == PickupUnavailable:
		c.AvailabilityKnown, c.Available = true, false
	case e.What == TerminalStatus && e.Terminal.Available != nil:
		c.AvailabilityKnown, c.Available = true, *e.Terminal.Available
	default:
		return
	}
	c.Because.Availability = e.index
}

// noteVisit: where the box stands and who comes for it, the last view first.
func (d *derivation) noteVisit(c *ContainerJourney, views []*entry) {
	for _, e := range views {
		t := e.Terminal
		c.Yard, c.Chassis = cmp.Or(t.Yard, c.Yard), cmp.Or(t.Chassis, c.Chassis)
		d.noteDay(&c.Appointment, &c.Because.Appointment, t.Appointment, e, cmp.Or(e.site, d.pod))
	}
}

// noteFreeDays takes each party's last view of each kind of free time: one
// source may speak for the port's terminal and, later, for the rail ramp.
func (d *derivation) noteFreeDays(c *ContainerJourney, said []*entry) {
	type voice struct {
		party
		day *Moment
	}
	last := map[voice]*entry{}
	for _, e := range said {
		if day := freeDay(c, e); day != nil && e.What == TerminalStatus {
			last[voice{party{e.Source, e.DataSource}, day}] = e
		}
	}
	for _, e := range said { // in order of recording
		day := freeDay(c, e)
		if day == nil || last[voice{party{e.Source, e.DataSource}, day}] != e {
			continue
		}
		where := cmp.Or(e.site, d.pod)
		if day == &c.LFDRail {
			where = cmp.Or(e.site, d.destination, d.pod)
		}
		d.noteDay(day, c.becauseOf(day), e.Terminal.LastFreeDay, e, where)
	}
}

// noteDay takes over a time that a view names, and why. A view that names none
// leaves that of another party.
func (d *derivation) noteDay(at *Moment, because *int, said Moment, e *entry, where *site) {
	m := d.localize(said, where)
	if m.IsZero() && !at.IsZero() {
		return
	}
	*at, *because = m, e.index
}

// becauseOf is where the reason of a last free day is kept.
func (c *ContainerJourney) becauseOf(day *Moment) *int {
	switch day {
	case &c.LFDRail:
		return &c.Because.LFDRail
	case &c.LFDTerminal:
		return &c.Because.LFDTerminal
	}
	return &c.Because.LFDLine
}

// freeDay tells whose free time a fact speaks of. A person corrects the line's,
// which goes before the others.
func freeDay(c *ContainerJourney, e *entry) *Moment {
	switch {
	case e.Place.FacilityType == "RAMP" || e.Mode == ByRail:
		return &c.LFDRail
	case e.DataSource == FromTerminal:
		return &c.LFDTerminal
	case e.DataSource == FromShippingLine || e.DataSource == "" || e.DataSource == ByHand:
		return &c.LFDLine
	}
	return nil
}

// effective is when a fact about a box's release took effect.
func (e *entry) effective() time.Time {
	if e.at.IsZero() {
		return e.RecordedAt
	}
	return e.at.Time
}

// after reports whether a took effect after b; nothing is after itself.
func after(a, b *entry) bool {
	return cmp.Or(a.effective().Compare(b.effective()), a.RecordedAt.Compare(b.RecordedAt)) > 0
}

func lastEffective(last, e *entry) *entry {
	if last == nil || after(e, last) {
		return e
	}
	return last
}

// holds merges the holds of all views with what customs have done since. When
// hold and release cannot be told apart in time the hold stays: a truck sent in
// vain costs more than one sent late.
func holds(views, said []*entry, current map[party]*entry) []Hold {
	var held, released *entry
	for _, e := range said {
		view := current[party{e.Source, e.DataSource}]
		switch {
		case e.What == CustomsRelease:
			released = lastEffective(released, e)
		case e.What == CustomsHold && (view == nil || after(e, view)):
			held = lastEffective(held, e)
		}
	}
	var list []Hold
	for _, v := range views {
		for _, h := range v.Terminal.Holds {
			h.Name, h.Status = cmp.Or(h.Name, "other"), cmp.Or(h.Status, holdInForce)
			if h.Name == customs && released != nil && after(released, v) {
				continue
			}
			list = append(list, h)
		}
	}
	isCustoms := func(h Hold) bool { return h.Name == customs }
	if held != nil && (released == nil || !after(released, held)) && !slices.ContainsFunc(list, isCustoms) {
		list = append(list, Hold{Name: customs, Status: holdInForce})
	}
	slices.SortFunc(list, compareHolds)
	return slices.CompactFunc(list, func(a, b Hold) bool { return compareHolds(a, b) == 0 })
}

const customs = "customs"

func compareHolds(a, b Hold) int {
	text := func(s *string) string {
		if s == nil {
			return ""
		}
		return "=" + *s
	}
	return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Status, b.Status), cmp.Compare(text(a.Description), text(b.Description)))
}

// fees takes each type of fee from the last view that lists it, so that two
// parties who name one debt do not double it.
func fees(views []*entry) []Fee {
	byType := map[string][]Fee{}
	for _, v := range views { // in order of recording
		replaced := map[string]bool{}
		for _, f := range v.Terminal.Fees {
			if math.IsNaN(f.Amount) || math.IsInf(f.Amount, 0) {
				f.Amount = 0
			}
			if !replaced[f.Type] {
				replaced[f.Type], byType[f.Type] = true, nil
			}
			byType[f.Type] = append(byType[f.Type], f)
		}
	}
	var list []Fee
	for _, fees := range byType {
		list = append(list, fees...)
	}
	slices.SortFunc(list, func(a, b Fee) int {
		return cmp.Or(cmp.Compare(a.Type, b.Type), cmp.Compare(a.CurrencyCode, b.CurrencyCode), cmp.Compare(a.Amount, b.Amount))
	})
	return list
}
