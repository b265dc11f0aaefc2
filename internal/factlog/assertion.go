package factlog

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"iter"
	"slices"
	"time"

	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/internal/journey"
	"github.com/landfallhq/tracking/internal/table"
	"github.com/landfallhq/tracking/store"
)

// A fact without a time of recording was recorded when it arrived. If the same fact
// arrives again, it depends on what the source has reported about the same subject
// since whether it is a repetition or new.

// subject groups the facts of one source that replace each other: by ID or, without
// one, by what they would contradict each other about.
type subject string

// counterparts are pairs of activities that cancel each other.
var counterparts = map[freight.Activity]freight.Activity{
	freight.PickupUnavailable: freight.PickupAvailable, freight.TerminalStatus: freight.PickupAvailable, freight.CustomsRelease: freight.CustomsHold, freight.Cancelled: freight.Booked,
}

func subjectOf(f *journey.LoggedFact) subject {
	if f.ID != "" {
		return subject(VersionKey(f))
	}
	var d journey.Digester
	d.Text(f.Source, string(f.DataSource), f.SCAC, string(cmp.Or(counterparts[f.Activity], f.Activity)), string(f.Place.Role))
	if f.Activity != freight.Route { // of a role, another place is another value
		d.Text(f.Place.LOCODE, f.Place.Name, f.Place.SMDG, f.Place.BIC, f.Place.Facility)
	}
	var containers, numbers []string
	for _, c := range f.Containers {
		containers = append(containers, freight.FoldNumber(c))
	}
	for _, n := range f.Numbers {
		numbers = append(numbers, string(n.Type)+"/"+freight.FoldNumber(n.Number))
	}
	for _, list := range [][]string{containers, numbers} {
		slices.Sort(list)
		d.List(slices.Compact(list))
	}
	sum := sha256.Sum256(d.Bytes)
	return subject("\x00" + string(sum[:]))
}

// assertion is a fact about a subject.
type assertion struct {
	id   store.ID
	sum  [sha256.Size]byte // the content
	fact *journey.LoggedFact
}

func assertionOf(id store.ID, f *journey.LoggedFact) assertion {
	return assertion{id, sha256.Sum256(content(*f)), f}
}

// Identify returns the IDs of a report's facts, and dates those without a time of
// recording. stored has the facts in the log about their subjects, in any order, and may
// have others; arrived is when the report arrived.
func Identify(facts []journey.LoggedFact, stored iter.Seq2[store.ID, *journey.LoggedFact], arrived time.Time) []store.ID {
	ids := make([]store.ID, len(facts))
	undated := map[subject][]int{}
	var dated []int
	for i := range facts {
		f := &facts[i]
		if f.RecordedAt.IsZero() {
			s := subjectOf(f)
			undated[s] = append(undated[s], i)
			continue
		}
		ids[i] = ID(f, f.RecordedAt)
		dated = append(dated, i)
	}
	if len(undated) == 0 {
		return ids
	}
	known := map[subject][]assertion{}
	add := func(id store.ID, f *journey.LoggedFact) {
		if s := subjectOf(f); undated[s] != nil {
			known[s] = append(known[s], assertionOf(id, f))
		}
	}
	for id, f := range stored {
		add(id, f)
	}
	for _, list := range known {
		slices.SortFunc(list, func(a, b assertion) int { return cmp.Compare(a.fact.Arrival, b.fact.Arrival) })
	}
	for _, i := range dated {
		add(ids[i], &facts[i])
	}
	for s, indexes := range undated {
		before, list := known[s], make([]assertion, len(indexes))
		slices.SortStableFunc(before, func(a, b assertion) int { return a.fact.RecordedAt.Compare(b.fact.RecordedAt) })
		for k, i := range indexes {
			list[k] = assertionOf(store.ID{}, &facts[i])
		}
		date(before, list, arrived)
		for k, i := range indexes {
			ids[i] = list[k].id
		}
	}
	return ids
}

// date decides which facts of a report about one subject repeat stored ones, and dates
// the others. Sources send their whole list again, so the beginning of a report that
// equals the end of the stored list repeats it. A fact that equals the one before it is
// the same, in both lists. Any other fact is new, even if an older one equals it.
func date(known, list []assertion, arrived time.Time) {
	taken := map[store.ID]bool{}
	last := assertion{}
	for _, s := range known {
		taken[s.id] = true
		last = s
	}
	equal := func(a, b assertion) bool { return a.sum == b.sum }
	distinct := slices.CompactFunc(slices.Clone(known), equal)
	again := distinct[len(distinct)-overlap(distinct, slices.CompactFunc(slices.Clone(list), equal)):]
	for i := range list {
		s := &list[i]
		if i > 0 && equal(*s, list[i-1]) {
			s.id, s.fact.RecordedAt = list[i-1].id, list[i-1].fact.RecordedAt
			continue
		}
		if len(again) > 0 {
			s.id, s.fact.RecordedAt = again[0].id, again[0].fact.RecordedAt
			again = again[1:]
			continue
		}
		s.fact.RecordedAt = arrivalAfter(last.fact, arrived)
		s.id = newID(s.fact, taken)
		taken[s.id] = true
		last = *s
	}
}

// arrivalAfter is when a new fact was recorded: when it arrived, not before the one that
// it follows, and after it if that is a retraction, which covers all facts recorded at
// the same time.
func arrivalAfter(before *journey.LoggedFact, arrived time.Time) time.Time {
	if before == nil {
		return arrived
	}
	earliest := before.RecordedAt
	if before.Retracted {
		earliest = earliest.Add(time.Microsecond)
	}
	if earliest.After(arrived) {
		return earliest
	}
	return arrived
}

// newID is the ID of a new fact. The first of those without an ID of their source depends
// on the content alone.
func newID(f *journey.LoggedFact, taken map[store.ID]bool) store.ID {
	if f.ID == "" {
		if id := ID(f, time.Time{}); !taken[id] {
			return id
		}
	}
	first := ID(f, f.RecordedAt)
	id := first
	for n := 2; taken[id]; n++ {
		id = table.NamedID("raw_event", fmt.Sprintf("%s#%d", first, n))
	}
	return id
}

// overlap returns the length of the longest end of known that list begins with, by
// the prefix function of Knuth, Morris and Pratt.
func overlap(known, list []assertion) int {
	if len(known) > len(list) {
		known = known[len(known)-len(list):]
	}
	fail := make([]int, len(list)+1)
	for i, k := 1, 0; i < len(list); i++ {
		for k > 0 && list[i].sum != list[k].sum {
			k = fail[k]
		}
		if list[i].sum == list[k].sum {
			k++
		}
		fail[i+1] = k
	}
	k := 0
	for _, s := range known {
		for k == len(list) || k > 0 && list[k].sum != s.sum {
			k = fail[k]
		}
		if list[k].sum == s.sum {
			k++
		}
	}
	return k
}
