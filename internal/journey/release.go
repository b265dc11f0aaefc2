package journey

import (
	"bytes"
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/landfallhq/tracking/freight"
)

// What terminals, lines and customs say of the release of a box is read in the
// order in which it took effect, so that it is known not only whether the box
// can be fetched, but also since when, and who said so.

// desk is what is known of the release at one time.
type desk struct {
	opinions map[party]*opinion
	order    []*opinion // as they were first heard
	// word is the last word on availability that stands; nil when there is none.
	word     *entry
	released *entry // the last release by customs
	// blocks counts what is in the way: see opinion.
	blocks int
	// gone: the box is out, so that no word on its availability counts.
	gone bool
}

// party is one voice about a box at a terminal.
type party struct {
	source string
	kind   freight.DataSource
}

// opinion is what one party says. Its whole view replaces all that it said before.
type opinion struct {
	view, word *entry
	held       *entry // its customs hold, unless released since
	holding    bool   // held counts as one block
	customs    bool   // its view lists a customs hold in force, not released since
	blocked    bool   // its view lists any other hold in force
}

func (k *desk) opinion(e *entry) *opinion {
	who := party{e.Source, e.DataSource}
	v := k.opinions[who]
	if v == nil {
		v = &opinion{}
		k.opinions[who] = v
		k.order = append(k.order, v)
	}
	return v
}

// hear takes in the next fact in order of effect.
func (k *desk) hear(e *entry) {
	v := k.opinion(e)
	switch e.Activity {
	case freight.PickupAvailable, freight.PickupUnavailable:
		if !k.gone {
			v.word, k.word = e, e
		}
	case freight.CustomsHold:
		if v.view == nil || after(e, v.view) {
			v.held = e
			k.block(&v.holding, true)
		}
	case freight.CustomsRelease:
		k.release(e)
	case freight.TerminalStatus:
		k.look(v, e)
	}
}

func (k *desk) look(v *opinion, e *entry) {
	was := v.word
	v.view, v.word, v.held = e, nil, nil
	if e.Terminal.Available != nil && !k.gone {
		v.word, k.word = e, e
	} else if was != nil && was == k.word {
		k.word = k.lastWord()
	}
	customsHold, other := false, false
	for _, h := range e.Terminal.Holds {
		if h = complete(h); h.Status == holdInForce {
			customsHold, other = customsHold || h.Name == customs, other || h.Name != customs
		}
	}
	k.block(&v.holding, false)
	k.block(&v.customs, customsHold)
	k.block(&v.blocked, other)
}

// release clears the customs holds that took effect before it. When hold and
// release cannot be told apart in time the hold stays: a truck sent in vain
// costs more than one sent late.
func (k *desk) release(e *entry) {
	k.released = e
	for _, v := range k.order {
		if v.held != nil && after(e, v.held) {
			v.held = nil
			k.block(&v.holding, false)
		}
		if v.customs && after(e, v.view) {
			k.block(&v.customs, false)
		}
	}
}

func (k *desk) block(is *bool, now bool) {
	if *is == now {
		return
	}
	if *is = now; now {
		k.blocks++
	} else {
		k.blocks--
	}
}

func (k *desk) lastWord() (last *entry) {
	for _, v := range k.order {
		if v.word != nil && (last == nil || compareEffect(v.word, last) > 0) {
			last = v.word
		}
	}
	return last
}

// moved forgets who called the box available: it stands somewhere else.
func (k *desk) moved() {
	k.word = nil
	for _, v := range k.order {
		v.word = nil
	}
}

// says is what a fact says of availability.
func (e *entry) says() (available bool) {
	if e.Activity == freight.TerminalStatus {
		return *e.Terminal.Available
	}
	return e.Activity == freight.PickupAvailable
}

// ready reports whether the container can be picked up: it is available, and no hold is
// in force.
func (k *desk) ready() bool { return k.word != nil && k.word.says() && k.blocks == 0 }

// views are the last views of all parties, in order of effect.
func (k *desk) views() (list []*entry) {
	for _, v := range k.order {
		if v.view != nil {
			list = append(list, v.view)
		}
	}
	slices.SortFunc(list, compareEffect)
	return list
}

// ofRelease: the fact is about whether the box can be fetched.
func (e *entry) ofRelease() bool {
	switch e.Activity {
	case freight.TerminalStatus, freight.PickupAvailable, freight.PickupUnavailable, freight.CustomsHold, freight.CustomsRelease:
		return true
	}
	return false
}

// ofAvailability: the fact says whether the box can be fetched.
func (e *entry) ofAvailability() bool {
	return e.Activity == freight.PickupAvailable || e.Activity == freight.PickupUnavailable || e.Activity == freight.TerminalStatus && e.Terminal != nil && e.Terminal.Available != nil
}

// effective is when a fact about a box's release took effect.
func (e *entry) effective() time.Time {
	if e.at.IsZero() {
		return e.RecordedAt
	}
	return e.at.Time
}

// compareEffect orders facts by when they took effect; then by recording, and by
// content where all else is equal.
func compareEffect(a, b *entry) int {
	return cmp.Or(a.effective().Compare(b.effective()), a.RecordedAt.Compare(b.RecordedAt), bytes.Compare(a.digest[:], b.digest[:]))
}

// after reports whether a certainly took effect after b.
func after(a, b *entry) bool {
	return cmp.Or(a.effective().Compare(b.effective()), a.RecordedAt.Compare(b.RecordedAt)) > 0
}

// releaseFacts are the facts about the release of a box, in order of effect.
// Customs hold a whole shipment, too. What concerns the export is another matter.
func (d *derivation) releaseFacts(b *box) []*entry {
	var said []*entry
	for _, list := range [][]*entry{b.own, d.customs} {
		for _, e := range list {
			// A status without content says nothing, and clears nothing.
			if !e.ofRelease() || e.class != freight.Actual || e.Activity == freight.TerminalStatus && e.Terminal == nil {
				continue
			}
			if role := d.seaRole(e.site, b); role != freight.RolePOL && role != freight.RoleTS {
				said = append(said, e)
			}
		}
	}
	slices.SortFunc(said, compareEffect)
	return said
}

// terminalView collects what terminals, lines and customs say of a box. Each
// party's last full view replaces what it said before; the parties' views are
// merged.
func (d *derivation) terminalView(c *ContainerJourney, b *box) {
	said := d.releaseFacts(b)
	if len(said) == 0 {
		return
	}
	k := d.followRelease(c, b, said)
	if k.word != nil {
		c.AvailabilityKnown, c.Available = true, k.word.says()
		c.Provenance.Availability = k.word.index
	} else if out := b.out(); out != nil && slices.ContainsFunc(said, (*entry).ofAvailability) {
		c.AvailabilityKnown, c.Provenance.Availability = true, out.index
	}
	for _, e := range said {
		if e.DataSource == freight.FromTerminal || e.Activity == freight.TerminalStatus {
			c.TerminalCheckedAt = maxTime(c.TerminalCheckedAt, e.RecordedAt)
		}
		if e.Activity != freight.PickupAvailable && e.Activity != freight.PickupUnavailable {
			c.Provenance.Holds = e.index
		}
	}
	views := k.views()
	d.noteVisit(c, b, views)
	d.noteFreeDays(c, b, said)
	c.Holds = k.holds(views)
	c.Fees = fees(views)
	if len(views) > 0 {
		c.Provenance.Fees = views[len(views)-1].index
	}
}

func maxTime(a, b time.Time) time.Time {
	if b.After(a) {
		return b.UTC().Round(0)
	}
	return a
}

// noteVisit: where the box stands and who comes for it, the last view first.
func (d *derivation) noteVisit(c *ContainerJourney, b *box, views []*entry) {
	for _, e := range views {
		t := e.Terminal
		c.Yard, c.Chassis = cmp.Or(t.Yard, c.Yard), cmp.Or(t.Chassis, c.Chassis)
		d.noteDay(&c.Appointment, &c.Provenance.Appointment, t.Appointment, e, cmp.Or(e.site, b.pod))
	}
}

// noteFreeDays takes each party's last view of each kind of free time: one
// source may speak for the port's terminal and, later, for the rail ramp.
func (d *derivation) noteFreeDays(c *ContainerJourney, b *box, said []*entry) {
	type voice struct {
		party
		day *freight.Moment
	}
	last := map[voice]*entry{}
	for _, e := range said {
		if day := freeDay(c, e); day != nil && e.Activity == freight.TerminalStatus {
			last[voice{party{e.Source, e.DataSource}, day}] = e
		}
	}
	for _, e := range said { // in order of effect
		day := freeDay(c, e)
		if day == nil || last[voice{party{e.Source, e.DataSource}, day}] != e {
			continue
		}
		d.noteDay(day, c.becauseOf(day), e.Terminal.LastFreeDay, e, d.placeOfFreeDay(c, b, day, e))
	}
}

// placeOfFreeDay is where a last free day begins: at the place whose zone is shown with
// it (see docs/contract.md#times-and-zones), so that it is read as the day that was
// meant.
func (d *derivation) placeOfFreeDay(c *ContainerJourney, b *box, day *freight.Moment, e *entry) *site {
	places := [3]*site{b.pod, e.site}
	switch day {
	case &c.LFDLine:
		places = [3]*site{b.destination, b.pod, e.site}
	case &c.LFDRail:
		places = [3]*site{b.destination, e.site, b.pod}
	}
	for _, s := range places {
		if s != nil && s.zone != "" {
			return s
		}
	}
	return nil
}

// noteDay takes over a time that a view names, and why. A view that names none
// leaves that of another party.
func (d *derivation) noteDay(at *freight.Moment, because *int, said freight.Moment, e *entry, where *site) {
	m := d.localize(said, where)
	if m.IsZero() && !at.IsZero() {
		return
	}
	*at, *because = m, e.index
}

// becauseOf is where the reason of a last free day is kept.
func (c *ContainerJourney) becauseOf(day *freight.Moment) *int {
	switch day {
	case &c.LFDRail:
		return &c.Provenance.LFDRail
	case &c.LFDTerminal:
		return &c.Provenance.LFDTerminal
	}
	return &c.Provenance.LFDLine
}

// freeDay tells whose free time a fact speaks of. A person corrects the line's,
// which goes before the others.
func freeDay(c *ContainerJourney, e *entry) *freight.Moment {
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

// complete fills in what a hold need not say.
func complete(h freight.Hold) freight.Hold {
	h.Name, h.Status = cmp.Or(h.Name, "other"), cmp.Or(h.Status, holdInForce)
	return h
}

// holds merges the holds of all views with what customs have done since.
func (k *desk) holds(views []*entry) []freight.Hold {
	var list []freight.Hold
	for _, v := range views {
		for _, h := range v.Terminal.Holds {
			h = complete(h)
			if h.Name == customs && k.released != nil && after(k.released, v) {
				continue
			}
			list = append(list, h)
		}
	}
	inForce := func(h freight.Hold) bool { return h.Name == customs && h.Status == holdInForce }
	if slices.ContainsFunc(k.order, func(v *opinion) bool { return v.held != nil }) && !slices.ContainsFunc(list, inForce) {
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

// fees takes each type of fee from the last view that lists it, so that two
// parties who name one debt do not double it.
func fees(views []*entry) []freight.Fee {
	byType := map[string][]freight.Fee{}
	for _, v := range views { // in order of effect
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
