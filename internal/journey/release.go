package journey

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/landfallhq/tracking/freight"
)

// Facts from terminals, lines and customs about the release of a container are read in
// order of effect. The result is whether the container can be picked up, since when, and by
// whose report.

// releaseState is the state of the release after the facts read so far.
type releaseState struct {
	byReporter map[reporter]*partyView
	views      []*partyView // in the order of their first facts
	// availability is the latest valid report of availability, or nil.
	availability   *entry
	customsRelease *entry // the last release by customs
	// blocks counts the flags of all views that prevent the release.
	blocks int
	// pickedUp: the container is out, so reports of its availability do not count.
	pickedUp bool
}

// reporter identifies a party that reports about a container.
type reporter struct {
	source     string
	dataSource freight.DataSource
}

// partyView is the current view of one party. A full status from it replaces everything
// that it reported before.
type partyView struct {
	status, availability *entry
	customsHold          *entry // its customs hold, unless released since
	holdBlocks           bool   // customsHold counts as one block
	customsBlocks        bool   // its status has a customs hold in force, not released since
	otherBlocks          bool   // its status has any other hold in force
}

func (r *releaseState) view(e *entry) *partyView {
	by := reporter{e.Source, e.DataSource}
	p := r.byReporter[by]
	if p == nil {
		p = &partyView{}
		r.byReporter[by] = p
		r.views = append(r.views, p)
	}
	return p
}

// add applies the next fact in order of effect.
func (r *releaseState) add(e *entry) {
	p := r.view(e)
	switch e.Activity {
	case freight.PickupAvailable, freight.PickupUnavailable:
		if !r.pickedUp {
			p.availability, r.availability = e, e
		}
	case freight.CustomsHold:
		if p.status == nil || after(e, p.status) {
			p.customsHold = e
			r.setBlock(&p.holdBlocks, true)
		}
	case freight.CustomsRelease:
		r.releaseCustoms(e)
	case freight.TerminalStatus:
		r.addStatus(p, e)
	}
}

func (r *releaseState) addStatus(p *partyView, e *entry) {
	was := p.availability
	p.status, p.availability, p.customsHold = e, nil, nil
	if e.Terminal.Available != nil && !r.pickedUp {
		p.availability, r.availability = e, e
	} else if was != nil && was == r.availability {
		r.availability = r.lastAvailability()
	}
	customsHold, other := false, false
	for _, h := range e.Terminal.Holds {
		if h = withDefaults(h); h.Status == holdInForce {
			customsHold, other = customsHold || h.Name == customs, other || h.Name != customs
		}
	}
	r.setBlock(&p.holdBlocks, false)
	r.setBlock(&p.customsBlocks, customsHold)
	r.setBlock(&p.otherBlocks, other)
}

// releaseCustoms clears the customs holds that took effect before the release. If their
// order is not certain the hold stays: a truck that comes in vain costs more than one that
// comes late.
func (r *releaseState) releaseCustoms(e *entry) {
	r.customsRelease = e
	for _, p := range r.views {
		if p.customsHold != nil && after(e, p.customsHold) {
			p.customsHold = nil
			r.setBlock(&p.holdBlocks, false)
		}
		if p.customsBlocks && after(e, p.status) {
			r.setBlock(&p.customsBlocks, false)
		}
	}
}

func (r *releaseState) setBlock(blocks *bool, block bool) {
	if *blocks == block {
		return
	}
	if *blocks = block; block {
		r.blocks++
	} else {
		r.blocks--
	}
}

func (r *releaseState) lastAvailability() (last *entry) {
	for _, p := range r.views {
		if p.availability != nil && (last == nil || compareEffect(p.availability, last) > 0) {
			last = p.availability
		}
	}
	return last
}

// clearAvailability drops all reports of availability, because the container is somewhere
// else now.
func (r *releaseState) clearAvailability() {
	r.availability = nil
	for _, p := range r.views {
		p.availability = nil
	}
}

// reportsAvailable reports whether a fact about availability says that the container is
// available.
func (e *entry) reportsAvailable() (available bool) {
	if e.Activity == freight.TerminalStatus {
		return *e.Terminal.Available
	}
	return e.Activity == freight.PickupAvailable
}

// ready reports whether the container can be picked up: it is available and no hold is in
// force.
func (r *releaseState) ready() bool {
	return r.availability != nil && r.availability.reportsAvailable() && r.blocks == 0
}

// statuses returns the last full status of each party, in order of effect.
func (r *releaseState) statuses() (list []*entry) {
	for _, p := range r.views {
		if p.status != nil {
			list = append(list, p.status)
		}
	}
	slices.SortFunc(list, compareEffect)
	return list
}

// concernsRelease reports whether the fact is about the release of containers.
func (e *entry) concernsRelease() bool {
	switch e.Activity {
	case freight.TerminalStatus, freight.PickupAvailable, freight.PickupUnavailable, freight.CustomsHold, freight.CustomsRelease:
		return true
	}
	return false
}

// statesAvailability reports whether the fact states that a container is or is not
// available.
func (e *entry) statesAvailability() bool {
	return e.Activity == freight.PickupAvailable || e.Activity == freight.PickupUnavailable || e.Activity == freight.TerminalStatus && e.Terminal != nil && e.Terminal.Available != nil
}

// effectiveTime returns when a fact about the release took effect.
func (e *entry) effectiveTime() time.Time {
	if e.at.IsZero() {
		return e.RecordedAt
	}
	return e.at.Time
}

// compareEffect orders facts by when they took effect, then by recording and arrival.
func compareEffect(a, b *entry) int {
	return cmp.Or(a.effectiveTime().Compare(b.effectiveTime()), later(a, b))
}

// after reports whether a certainly took effect after b.
func after(a, b *entry) bool {
	return cmp.Or(a.effectiveTime().Compare(b.effectiveTime()), a.RecordedAt.Compare(b.RecordedAt), cmp.Compare(a.Arrival, b.Arrival)) > 0
}

// releaseFacts returns the facts about the release of a container, in order of effect, with
// the customs facts of the whole shipment. Facts at the POL and at transshipment ports are
// about the export and are left out.
func (d *derivation) releaseFacts(cs *containerState) []*entry {
	var facts []*entry
	for _, list := range [][]*entry{cs.own, d.customs} {
		for _, e := range list {
			// A status without content clears nothing.
			if !e.concernsRelease() || e.classifier != freight.Actual || e.Activity == freight.TerminalStatus && e.Terminal == nil {
				continue
			}
			if role := d.seaRole(e.site, cs); role != freight.RolePOL && role != freight.RoleTS {
				facts = append(facts, e)
			}
		}
	}
	slices.SortFunc(facts, compareEffect)
	return facts
}

// deriveRelease sets availability, holds, fees and free days of a container. The last full
// status of each party replaces its earlier facts; the parties are merged.
func (d *derivation) deriveRelease(c *ContainerJourney, cs *containerState) {
	facts := d.releaseFacts(cs)
	if len(facts) == 0 {
		return
	}
	c.Release = make([]int, len(facts))
	for i, e := range facts {
		c.Release[i] = e.index
	}
	r := d.followRelease(c, cs, facts)
	if r.availability != nil {
		c.AvailabilityKnown, c.Available = true, r.availability.reportsAvailable()
		c.Provenance.Availability = r.availability.index
	} else if out := cs.out(); out != nil && slices.ContainsFunc(facts, (*entry).statesAvailability) {
		c.AvailabilityKnown, c.Provenance.Availability = true, out.index
	}
	for _, e := range facts {
		if e.DataSource == freight.FromTerminal || e.Activity == freight.TerminalStatus {
			c.TerminalCheckedAt = maxTime(c.TerminalCheckedAt, e.RecordedAt)
		}
		if e.Activity != freight.PickupAvailable && e.Activity != freight.PickupUnavailable {
			c.Provenance.Holds = e.index
		}
	}
	statuses := r.statuses()
	d.setStatusFields(c, cs, statuses)
	d.setFreeDays(c, cs, facts)
	c.Holds = r.holds(statuses)
	c.Fees = fees(statuses)
	if len(statuses) > 0 {
		c.Provenance.Fees = statuses[len(statuses)-1].index
	}
}

func maxTime(a, b time.Time) time.Time {
	if b.After(a) {
		return b.UTC().Round(0)
	}
	return a
}

// setStatusFields sets yard, chassis and appointment from the last status that has each of
// them.
func (d *derivation) setStatusFields(c *ContainerJourney, cs *containerState, statuses []*entry) {
	for _, e := range statuses {
		t := e.Terminal
		c.Yard, c.Chassis = cmp.Or(t.Yard, c.Yard), cmp.Or(t.Chassis, c.Chassis)
		d.setDay(&c.Appointment, &c.Provenance.Appointment, t.Appointment, e, cmp.Or(e.site, cs.pod))
	}
}

// setFreeDays takes the last free days from each party's last status of each kind: one
// source may report the port terminal and, later, the rail ramp.
func (d *derivation) setFreeDays(c *ContainerJourney, cs *containerState, facts []*entry) {
	type key struct {
		reporter
		day *freight.Moment
	}
	last := map[key]*entry{}
	for _, e := range facts {
		if day := freeDayOf(c, e); day != nil && e.Activity == freight.TerminalStatus {
			last[key{reporter{e.Source, e.DataSource}, day}] = e
		}
	}
	for _, e := range facts { // in order of effect
		day := freeDayOf(c, e)
		if day == nil || last[key{reporter{e.Source, e.DataSource}, day}] != e {
			continue
		}
		d.setDay(day, c.provenanceOf(day), e.Terminal.LastFreeDay, e, d.placeOfFreeDay(c, cs, day, e))
	}
}

// placeOfFreeDay returns the place whose zone is shown with a last free day (see
// docs/contract.md#times-and-zones), so that clients read the day that was meant.
func (d *derivation) placeOfFreeDay(c *ContainerJourney, cs *containerState, day *freight.Moment, e *entry) *site {
	places := [3]*site{cs.pod, e.site}
	switch day {
	case &c.LFDLine:
		places = [3]*site{cs.destination, cs.pod, e.site}
	case &c.LFDRail:
		places = [3]*site{cs.destination, e.site, cs.pod}
	}
	for _, s := range places {
		if s != nil && s.zone != "" {
			return s
		}
	}
	return nil
}

// setDay sets a time from a status, and its provenance. A status without the time keeps
// that of another party.
func (d *derivation) setDay(day *freight.Moment, provenance *int, reported freight.Moment, e *entry, at *site) {
	m := d.localize(reported, at)
	if m.IsZero() && !day.IsZero() {
		return
	}
	*day, *provenance = m, e.index
}

// provenanceOf returns the provenance field of a last free day.
func (c *ContainerJourney) provenanceOf(day *freight.Moment) *int {
	switch day {
	case &c.LFDRail:
		return &c.Provenance.LFDRail
	case &c.LFDTerminal:
		return &c.Provenance.LFDTerminal
	}
	return &c.Provenance.LFDLine
}

// freeDayOf returns the last free day that a fact is about, or nil. A correction by a
// person is of the line's, which counts before the others.
func freeDayOf(c *ContainerJourney, e *entry) *freight.Moment {
	switch {
	case e.Place.FacilityType == "RAMP" || e.Mode == freight.ByRail:
		return &c.LFDRail
	case e.DataSource == freight.FromTerminal:
		return &c.LFDTerminal
	case e.DataSource == freight.FromShippingLine || e.DataSource == "" || e.DataSource == freight.ByHand:
		return &c.LFDLine
	}
	return nil
}

const (
	holdInForce = "hold"
	customs     = "customs"
)

// withDefaults fills in the optional fields of a hold.
func withDefaults(h freight.Hold) freight.Hold {
	h.Name, h.Status = cmp.Or(h.Name, "other"), cmp.Or(h.Status, holdInForce)
	return h
}

// holds merges the holds of all parties with later customs holds and releases.
func (r *releaseState) holds(statuses []*entry) []freight.Hold {
	var list []freight.Hold
	for _, v := range statuses {
		for _, h := range v.Terminal.Holds {
			h = withDefaults(h)
			if h.Name == customs && r.customsRelease != nil && after(r.customsRelease, v) {
				continue
			}
			list = append(list, h)
		}
	}
	inForce := func(h freight.Hold) bool { return h.Name == customs && h.Status == holdInForce }
	if slices.ContainsFunc(r.views, func(p *partyView) bool { return p.customsHold != nil }) && !slices.ContainsFunc(list, inForce) {
		list = append(list, freight.Hold{Name: customs, Status: holdInForce})
	}
	slices.SortFunc(list, compareHolds)
	return slices.CompactFunc(list, func(a, b freight.Hold) bool { return compareHolds(a, b) == 0 })
}

func compareHolds(a, b freight.Hold) int {
	text := func(s *string) string {
		if s == nil {
			return ""
		}
		return "=" + *s
	}
	return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Status, b.Status), cmp.Compare(text(a.Description), text(b.Description)))
}

// fees takes each type of fee from the last status that has it, so that a fee that two
// parties report is not doubled.
func fees(statuses []*entry) []freight.Fee {
	byType := map[string][]freight.Fee{}
	for _, v := range statuses { // in order of effect
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
	var list []freight.Fee
	for _, fees := range byType {
		list = append(list, fees...)
	}
	slices.SortFunc(list, func(a, b freight.Fee) int {
		return cmp.Or(cmp.Compare(a.Type, b.Type), cmp.Compare(a.CurrencyCode, b.CurrencyCode), cmp.Compare(a.Amount, b.Amount))
	})
	return list
}
