package tracking

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"math"
	"slices"
	"time"
)

// entry is one fact of the log while a journey is derived from it: the fact,
// and what has been made out about it so far.
type entry struct {
	*LoggedFact
	index  int
	digest [sha256.Size]byte // of the content, RecordedAt left out
	class  Class             // with the default filled in
	site   *site             // nil when the fact names no place
	at     Moment            // At, with the zone of the place where it is known
	by     Mode              // with the unstated main vessel filled in; empty when not known
	boxes  []string          // Containers, normalised, sorted, without repeats
	rank   int               // place in the order of authority among the valid facts

	// valid says that no version and no retraction has taken the fact's place.
	valid bool
	// past are the estimates that this valid fact has overridden as a version
	// of the same ID. A carrier that turns its estimate into the actual under
	// one ID has still given that estimate, and the first of them stays the
	// original ETA. Nothing else is derived from them.
	past []*entry
}

// settleVersions decides which facts are valid. Facts with the same source and
// ID are versions of one fact; a fact without an ID is identified by its
// content, so the same statement heard twice is one fact.
func settleVersions(entries []entry) []*entry {
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
		if e := validVersion(versions); e != nil {
			e.valid = true
			valid = append(valid, e)
		}
	}
	rankByAuthority(valid)
	return valid
}

// validVersion picks the version that counts, or nil when all are retracted. A
// retraction takes back everything recorded up to its own time, that second
// included; what is recorded later revives the fact.
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
		if live(v) && (best == nil || overrides(v, best)) {
			best = v
		}
	}
	if best == nil {
		return nil
	}
	for _, v := range versions {
		if v != best && live(v) && v.class != Actual {
			best.past = append(best.past, v)
		}
	}
	return best
}

// overrides reports whether version a counts before version b of one fact: what
// has happened is not unsaid by a later guess (it takes a retraction or another
// actual), then the latest recorded, then the larger digest. Equal copies are
// told apart by index only so that exactly one of them is valid.
func overrides(a, b *entry) bool {
	if (a.class == Actual) != (b.class == Actual) {
		return a.class == Actual
	}
	if c := later(a, b); c != 0 {
		return c > 0
	}
	return a.index < b.index
}

// later orders two facts by the time of recording, and by content where the
// times are equal: never by their position in the log.
func later(a, b *entry) int {
	if c := a.RecordedAt.Compare(b.RecordedAt); c != 0 {
		return c
	}
	return bytes.Compare(a.digest[:], b.digest[:])
}

// rankByAuthority sorts the valid facts from the weakest to the one that wins
// every dispute: a person's word beats any source, then the latest recorded.
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
	if e.DataSource == ByHand {
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

// digester writes the content of a fact in a form in which two facts are equal
// only when all they say is equal. JSON will not do: it has no form for some
// times and numbers, and derive takes whatever it is given.
type digester struct{ buf []byte }

func (d *digester) fact(f *LoggedFact) [sha256.Size]byte {
	d.buf = d.buf[:0]
	d.text(f.Source, string(f.DataSource), f.SCAC, f.ID, f.Fact.SCAC)
	d.flag(f.Retracted)
	d.text(string(f.What), string(f.Class), string(f.Mode), string(f.Load))
	d.moment(f.At)
	p := f.Place
	d.text(p.LOCODE, p.Name, p.SMDG, p.BIC, p.Facility, p.FacilityType, string(p.Role))
	d.text(f.Vessel.IMO, f.Vessel.Name, f.Voyage)
	d.list(f.Containers)
	d.count(len(f.Numbers))
	for _, n := range f.Numbers {
		d.text(string(n.Type), n.Number)
	}
	d.list(f.References)
	d.text(f.Equipment.ISOType)
	d.list(f.Equipment.Seals)
	d.number(f.Equipment.WeightKg)
	d.terminal(f.Terminal)
	d.text(f.Original, string(f.Payload))
	return sha256.Sum256(d.buf)
}

func (d *digester) terminal(t *TerminalFacts) {
	d.flag(t != nil)
	if t == nil {
		return
	}
	d.flag(t.Available != nil)
	d.flag(t.Available != nil && *t.Available)
	d.count(len(t.Holds))
	for _, h := range t.Holds {
		d.text(h.Name, h.Status)
		d.flag(h.Description != nil)
		if h.Description != nil {
			d.text(*h.Description)
		}
	}
	d.count(len(t.Fees))
	for _, f := range t.Fees {
		d.text(f.Type, f.CurrencyCode)
		d.number(f.Amount)
	}
	d.moment(t.LastFreeDay)
	d.moment(t.Appointment)
	d.text(t.Yard, t.Chassis)
}

func (d *digester) text(values ...string) {
	for _, v := range values {
		d.count(len(v))
		d.buf = append(d.buf, v...)
	}
}

func (d *digester) list(values []string) {
	d.count(len(values))
	d.text(values...)
}

func (d *digester) count(n int) { d.buf = binary.AppendUvarint(d.buf, uint64(n)) }

func (d *digester) number(f float64) {
	d.buf = binary.BigEndian.AppendUint64(d.buf, math.Float64bits(f))
}

func (d *digester) flag(b bool) {
	if b {
		d.buf = append(d.buf, 1)
		return
	}
	d.buf = append(d.buf, 0)
}

func (d *digester) moment(m Moment) {
	d.buf = binary.BigEndian.AppendUint64(d.buf, uint64(m.Time.Unix()))
	d.count(m.Time.Nanosecond())
	d.text(m.Zone)
	d.flag(m.Day)
	d.flag(m.Floating)
}
