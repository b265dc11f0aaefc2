package chargehistory

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/landfallhq/tracking/freetime"
	"github.com/landfallhq/tracking/freight"
)

// customs is the hold that facts of customs set and clear.
const customs = "customs"

// release returns what terminals, lines and customs report about the release of the container
// at the port of discharge, or at the inland place of delivery: its availability, and each
// change of the holds that are in force by any party.
func (c *Container) release(atRamp bool) (facts []freetime.Fact) {
	r := releaseReader{views: map[party]map[string]bool{}}
	var list []effect
	for _, i := range c.Release {
		if c.concerns(i, atRamp) {
			list = append(list, effect{i, c.effectOf(i)})
		}
	}
	for len(list) > 0 {
		n := 1 // facts of one moment have one result
		for n < len(list) && list[n].at.Equal(list[0].at) {
			n++
		}
		facts = append(facts, c.atMoment(&r, list[:n])...)
		list = list[n:]
	}
	return facts
}

// effect is a fact with the time at which it took effect.
type effect struct {
	index int
	at    time.Time
}

// party is who reports.
type party struct {
	source     string
	dataSource freight.DataSource
}

// releaseReader has the holds in force by each party.
type releaseReader struct{ views map[party]map[string]bool }

// atMoment reads the facts of one moment, and returns the word about availability that counts
// afterwards, and the holds that were set or cleared.
func (c *Container) atMoment(r *releaseReader, list []effect) (facts []freetime.Fact) {
	before := r.holds()
	var word *freetime.Fact
	last := list[len(list)-1]
	for _, e := range list {
		f := &c.Facts[e.index]
		r.read(f)
		if typ := wordOf(f); typ != "" {
			said := c.at(typ, e)
			word = &said
		}
	}
	if word != nil {
		facts = append(facts, *word)
	}
	after := r.holds()
	for _, name := range slices.Sorted(maps.Keys(after)) {
		if !before[name] {
			facts = append(facts, c.hold(freetime.Held, name, c.causeOf(name, list, last)))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(before)) {
		if !after[name] {
			facts = append(facts, c.hold(freetime.Released, name, last))
		}
	}
	return facts
}

// causeOf returns the first of the facts that names the hold, else the last of them.
func (c *Container) causeOf(name string, list []effect, last effect) effect {
	for _, e := range list {
		if setsHold(&c.Facts[e.index])[name] {
			return e
		}
	}
	return last
}

func (c *Container) hold(typ freetime.FactType, name string, e effect) freetime.Fact {
	f := c.at(typ, e)
	f.Hold = name
	return f
}

// at returns a fact at the time at which it took effect, on the clock of the place.
func (c *Container) at(typ freetime.FactType, e effect) freetime.Fact {
	f := c.fact(typ, e.index, freight.Moment{Time: e.at})
	f.Zone = nil
	return f
}

// wordOf returns what a fact says about availability; "" for nothing.
func wordOf(f *Fact) freetime.FactType {
	available := f.Activity == freight.PickupAvailable
	switch {
	case f.Activity == freight.TerminalStatus && f.Terminal != nil && f.Terminal.Available != nil:
		available = *f.Terminal.Available
	case !available && f.Activity != freight.PickupUnavailable:
		return ""
	}
	if available {
		return freetime.Available
	}
	return freetime.NotAvailable
}

// setsHold returns the holds in force that a fact states.
func setsHold(f *Fact) map[string]bool {
	switch {
	case f.Activity == freight.CustomsHold:
		return map[string]bool{customs: true}
	case f.Activity != freight.TerminalStatus || f.Terminal == nil:
		return nil
	}
	holds := map[string]bool{}
	for _, h := range f.Terminal.Holds {
		if cmp.Or(h.Status, "hold") == "hold" {
			holds[cmp.Or(h.Name, "other")] = true
		}
	}
	return holds
}

// read applies a fact: a full status replaces what its party reported before, a customs hold
// adds to it, and a release by customs clears that of every party.
func (r *releaseReader) read(f *Fact) {
	by := party{f.Source, f.DataSource}
	switch f.Activity {
	case freight.TerminalStatus:
		r.views[by] = setsHold(f)
	case freight.CustomsHold:
		if r.views[by] == nil {
			r.views[by] = map[string]bool{}
		}
		r.views[by][customs] = true
	case freight.CustomsRelease:
		for _, view := range r.views {
			delete(view, customs)
		}
	}
}

// holds are those in force by any party.
func (r *releaseReader) holds() map[string]bool {
	all := map[string]bool{}
	for _, view := range r.views {
		maps.Copy(all, view)
	}
	return all
}

// concerns reports whether a fact is about the release at the port of discharge, or at the
// inland place of delivery. Facts that name no place are about the ramp once the container has
// left the port by rail; what customs say is about both.
func (c *Container) concerns(index int, atRamp bool) bool {
	f := &c.Facts[index]
	named := f.Place.LOCODE != "" || f.Place.Name != ""
	if !c.inland() {
		return !atRamp
	}
	switch {
	case !named && (f.Activity == freight.CustomsHold || f.Activity == freight.CustomsRelease):
		return true
	case f.Place.LOCODE != "" && c.locode(f.Place) == c.locode(c.PickupFacility), f.Place.FacilityType == "RAMP", f.Mode == freight.ByRail:
		return atRamp
	case !named && c.railed() && !c.effectOf(index).Before(c.railedAt()):
		return atRamp
	}
	return !atRamp
}

// railedAt is when a train took the container from the port of discharge, or brought it inland.
func (c *Container) railedAt() time.Time {
	return cmp.Or(c.PODRailLoadedAt.Time, c.PODRailDepartedAt.Time, c.INDATA.Time)
}

func (c *Container) railed() bool { return !c.railedAt().IsZero() }

// effectOf is when a fact took effect: when it happened, else when it was recorded.
func (c *Container) effectOf(index int) time.Time {
	f := &c.Facts[index]
	_, _, zone, _ := c.Places.Place(f.Place.LOCODE)
	if at := f.At.Localize(cmp.Or(zone, c.PODZone)); !at.IsZero() {
		return at.Time
	}
	return f.RecordedAt
}
