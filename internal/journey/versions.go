package journey

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"math"
	"slices"
	"time"

	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/internal/codec"
)

// entry is one fact of the log with what has been derived about it so far.
type entry struct {
	*LoggedFact
	index      int
	digest     [sha256.Size]byte  // of the content without RecordedAt
	classifier freight.Classifier // with the default filled in
	early      bool               // an actual that was recorded before its time
	counts     bool               // an actual move over water that counts for a container
	ship       *ship              // nil when the fact has none or is not about a ship
	call       *call              // of that ship; nil when the fact has no time or place
	site       *site              // nil when the fact has no place
	at         freight.Moment     // At in the zone of the place, where known
	by         freight.Mode       // with an unstated main vessel filled in; empty when not known
	containers []string           // Containers, normalised, sorted, without repeats
	rank       int                // position among the valid facts by authority; higher wins

	// live: not retracted. A later version may have replaced it.
	live bool
	// valid: neither a later version nor a retraction has replaced it.
	valid bool
	// past has the estimates that this valid fact replaced under the same ID. A carrier that
	// replaces its estimate by the actual has still given that estimate, and the first of
	// them is the original ETA. Nothing else is derived from them.
	past []*entry
}

// recordedEarly is how long after its recording an actual may be timed, because clocks
// differ. Without a zone the time may be that of any zone.
const recordedEarly, recordedEarlyAnywhere = time.Hour, 15 * time.Hour

// classifierOf returns the classifier of a fact; at is its time at its place. An actual
// that is timed after its own recording has not happened yet: it is early and counts as an
// estimate.
func classifierOf(f *LoggedFact, at freight.Moment) (classifier freight.Classifier, early bool) {
	classifier = cmp.Or(f.Classifier, freight.Actual)
	if classifier != freight.Actual || at.IsZero() || f.RecordedAt.IsZero() || f.Activity == freight.Route || !f.IsMove() && f.Activity != freight.Berth {
		return classifier, false
	}
	slack := recordedEarly
	if at.Zone == "" {
		slack = recordedEarlyAnywhere
	}
	if at.Time.After(f.RecordedAt.Add(slack)) {
		return freight.Estimated, true
	}
	return classifier, false
}

// confirmEarly makes early facts actual again when a fact recorded after that time repeats
// them, or a later move of the container or ship has happened. It reports whether one of
// them had been replaced by a later estimate; then versions are chosen again.
func (d *derivation) confirmEarly() (again bool) {
	if !slices.ContainsFunc(d.entries, func(e entry) bool { return e.early }) {
		return false
	}
	var moves []*entry
	for i := range d.entries {
		if e := &d.entries[i]; e.valid || e.live && e.early {
			moves = append(moves, e)
		}
	}
	slices.SortFunc(moves, func(a, b *entry) int { return cmp.Or(-compareMoves(a, b), -later(a, b)) })
	alike := map[factKey][]*entry{}
	for _, e := range d.valid {
		alike[e.factKey()] = append(alike[e.factKey()], e)
	}
	last := map[string]time.Time{} // the last move that has happened, by container and ship
	for _, e := range moves {
		if e.early && (e.repeated(alike[e.factKey()]) || e.overtaken(last)) {
			e.classifier, e.early = freight.Actual, false
			again = again || !e.valid
		}
		if e.valid && e.classifier == freight.Actual && e.IsMove() && !e.at.IsZero() {
			for _, key := range e.moverKeys() {
				last[key] = maxTime(last[key], e.at.Time)
			}
		}
	}
	return again
}

// warnOfEarly warns of valid actuals that have not happened yet.
func (d *derivation) warnOfEarly() {
	for _, e := range d.valid {
		if e.early {
			d.warn("actual_in_the_future", "at", "a %s is said to have happened more than an hour after it was recorded", e.Activity)
		}
	}
}

// factKey has the members that are equal in repeated facts.
type factKey struct {
	freight.Activity
	*site
	freight.Mode
	container string // the first one
}

func (e *entry) factKey() factKey {
	c := factKey{Activity: e.Activity, site: e.site, Mode: e.by}
	if len(e.containers) > 0 {
		c.container = e.containers[0]
	}
	return c
}

// repeated reports whether another fact, recorded after the time of e, states the same.
func (e *entry) repeated(alike []*entry) bool {
	return slices.ContainsFunc(alike, func(o *entry) bool {
		return o != e && o.classifier == freight.Actual && !o.at.IsZero() && !o.RecordedAt.Before(e.at.Time) && o.at.Compare(e.at) == 0 && slices.Equal(o.containers, e.containers)
	})
}

// overtaken reports whether a later move of the container or ship has happened.
func (e *entry) overtaken(last map[string]time.Time) bool {
	return slices.ContainsFunc(e.moverKeys(), func(key string) bool { return last[key].After(e.at.Time) })
}

// moverKeys returns the containers of a move, or its ship when it has none.
func (e *entry) moverKeys() []string {
	imo, name := shipKeys(e.Vessel)
	switch {
	case len(e.containers) > 0:
		return e.containers
	case imo != "":
		return []string{"imo " + imo}
	case name != "":
		return []string{"name " + name}
	}
	return nil
}

// chooseVersions decides which facts are valid. Facts with the same source and ID are
// versions of one fact. A fact without an ID is identified by its content, so a repeated
// one is the same fact.
func chooseVersions(entries []entry) []*entry {
	type identity struct {
		source, id string
		digest     [sha256.Size]byte
	}
	groups := make(map[identity][]*entry, len(entries))
	for i := range entries {
		e := &entries[i]
		key := identity{source: e.Source, id: e.ID}
		if e.ID == "" {
			key.digest = e.digest
		}
		groups[key] = append(groups[key], e)
	}
	valid := make([]*entry, 0, len(groups))
	for _, versions := range groups {
		for _, v := range versions {
			v.valid, v.past = false, nil
		}
		if e := validVersion(versions); e != nil {
			e.valid = true
			valid = append(valid, e)
		}
	}
	rankByAuthority(valid)
	return valid
}

// FindValidVersion returns the index of the version of a fact that counts by the rules of
// Derive, or -1 for none.
func FindValidVersion(versions []*LoggedFact, places Places) int {
	entries := make([]entry, len(versions))
	list := make([]*entry, len(versions))
	var digest Digester
	for i, f := range versions {
		entries[i] = entry{LoggedFact: f, index: i, digest: digest.Fact(f)}
		list[i] = &entries[i]
	}
	if len(list) > 1 {
		at := newDerivation(nil, places)
		for _, e := range list {
			e.classifier, _ = classifierOf(e.LoggedFact, at.localize(e.At, at.siteOf(e.Place)))
		}
	}
	return indexOf(validVersion(list))
}

// validVersion returns the version that counts, or nil when all are retracted. A retraction
// withdraws every version recorded up to its own time, that second included. A version
// recorded later restores the fact.
func validVersion(versions []*entry) *entry {
	retracted, since := false, time.Time{}
	for _, v := range versions {
		if v.Retracted && (!retracted || v.RecordedAt.After(since)) {
			retracted, since = true, v.RecordedAt
		}
	}
	live := func(v *entry) bool { return !v.Retracted && (!retracted || v.RecordedAt.After(since)) }
	var best *entry
	for _, v := range versions {
		v.live = live(v)
		if live(v) && (best == nil || overrides(v, best)) {
			best = v
		}
	}
	if best == nil {
		return nil
	}
	for _, v := range versions {
		if later(v, best) != 0 && live(v) && v.classifier != freight.Actual { // a copy of best is no past estimate
			best.past = append(best.past, v)
		}
	}
	return best
}

// overrides reports whether version a counts before version b of one fact. An actual is not
// replaced by a later estimate, only by a retraction or another actual. Otherwise the one
// recorded last counts, then the one with the larger digest. The index only makes sure that
// one of equal copies is valid.
func overrides(a, b *entry) bool {
	if (a.classifier == freight.Actual) != (b.classifier == freight.Actual) {
		return a.classifier == freight.Actual
	}
	if c := later(a, b); c != 0 {
		return c > 0
	}
	return a.index < b.index
}

// later orders two facts by the time of recording, then by arrival. Content decides only
// where no arrival is known, so that the order is total.
func later(a, b *entry) int {
	return cmp.Or(
		a.RecordedAt.Compare(b.RecordedAt),
		cmp.Compare(a.Arrival, b.Arrival),
		bytes.Compare(a.digest[:], b.digest[:]),
	)
}

// rankByAuthority sorts the valid facts from the weakest to the strongest: facts entered by
// a person count before those of any source, then the one recorded last.
func rankByAuthority(valid []*entry) {
	slices.SortFunc(valid, func(a, b *entry) int {
		if c := cmp.Compare(byHand(a), byHand(b)); c != 0 {
			return c
		}
		return later(a, b)
	})
	for i, e := range valid {
		e.rank = i
	}
}

func byHand(e *entry) int {
	if e.DataSource == freight.ByHand {
		return 1
	}
	return 0
}

// stronger returns the fact with more authority; either may be nil.
func stronger(a, b *entry) *entry {
	if a == nil || (b != nil && b.rank > a.rank) {
		return b
	}
	return a
}

// Digester computes digests of facts: two are equal only when all members of the facts are.
// JSON has no form for some times and numbers, and Derive accepts any.
type Digester struct{ codec.Writer }

func (d *Digester) Fact(f *LoggedFact) [sha256.Size]byte {
	d.Bytes = d.Bytes[:0]
	d.Text(f.Source, string(f.DataSource), f.SCAC, f.ID, f.Fact.SCAC)
	d.Flag(f.Retracted)
	d.Text(string(f.Activity), string(f.Classifier), string(f.Mode), string(f.LoadStatus))
	d.Moment(f.At)
	p := f.Place
	d.Text(p.LOCODE, p.Name, p.SMDG, p.BIC, p.Facility, p.FacilityType, string(p.Role))
	d.Text(f.Vessel.IMO, f.Vessel.Name, f.Voyage)
	d.List(f.Containers)
	d.Count(len(f.Numbers))
	for _, n := range f.Numbers {
		d.Text(string(n.Type), n.Number)
	}
	d.List(f.References)
	d.Text(f.Equipment.ISOType)
	d.List(f.Equipment.Seals)
	d.number(f.Equipment.WeightKg)
	d.terminal(f.Terminal)
	d.Text(f.Original, string(f.Payload))
	return sha256.Sum256(d.Bytes)
}

func (d *Digester) terminal(t *freight.TerminalFacts) {
	d.Flag(t != nil)
	if t == nil {
		return
	}
	d.Flag(t.Available != nil)
	d.Flag(t.Available != nil && *t.Available)
	d.Count(len(t.Holds))
	for _, h := range t.Holds {
		d.Text(h.Name, h.Status)
		d.Flag(h.Description != nil)
		if h.Description != nil {
			d.Text(*h.Description)
		}
	}
	d.Count(len(t.Fees))
	for _, f := range t.Fees {
		d.Text(f.Type, f.CurrencyCode)
		d.number(f.Amount)
	}
	d.Moment(t.LastFreeDay)
	d.Moment(t.Appointment)
	d.Text(t.Yard, t.Chassis)
}

func (d *Digester) number(f float64) {
	d.Bytes = binary.BigEndian.AppendUint64(d.Bytes, math.Float64bits(f))
}

func (d *Digester) Moment(m freight.Moment) {
	d.Bytes = binary.BigEndian.AppendUint64(d.Bytes, uint64(m.Time.Unix()))
	d.Count(m.Time.Nanosecond())
	d.Text(m.Zone)
	d.Flag(m.Day)
	d.Flag(m.Floating)
}
