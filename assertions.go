package tracking

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/landfallhq/tracking/internal/journey"
	"github.com/landfallhq/tracking/internal/table"

	"github.com/landfallhq/tracking/freight"
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
		return subject(versionKey(f))
	}
	var d journey.Digester
	what := f.Activity
	if other, ok := counterparts[what]; ok {
		what = other
	}
	d.Text(f.Source, string(f.DataSource), f.SCAC, string(what), string(f.Place.Role))
	if f.Activity != freight.Route { // of a role, another place is another value
		d.Text(f.Place.LOCODE, f.Place.Name, f.Place.SMDG, f.Place.BIC, f.Place.Facility)
	}
	d.List(sortedSet(foldNumbers(f.Containers)))
	var numbers []string
	for _, n := range f.Numbers {
		numbers = append(numbers, string(n.Type)+"/"+freight.FoldNumber(n.Number))
	}
	d.List(sortedSet(numbers))
	sum := sha256.Sum256(d.Bytes)
	return subject("\x00" + string(sum[:]))
}

func sortedSet(list []string) []string {
	slices.Sort(list)
	return slices.Compact(list)
}

// assertion is a fact about a subject.
type assertion struct {
	id   ID
	sum  [sha256.Size]byte // the content
	fact *journey.LoggedFact
}

func assertionOf(id ID, f *journey.LoggedFact) assertion {
	return assertion{id, sha256.Sum256(content(*f)), f}
}

// arrivalTime is the time of the transaction, in microseconds. It never decreases
// within an account.
func arrivalTime(tx *transaction) time.Time {
	if at := tx.clock().Truncate(time.Microsecond); at.After(tx.Now) {
		return at
	}
	return tx.Now
}

// identify returns the IDs of the report's facts, and dates those without a time of
// recording.
func (p *plan) identify(tx *transaction, facts []journey.LoggedFact) ([]ID, error) {
	ids := make([]ID, len(facts))
	undated := map[subject][]int{}
	var subjects []subject
	for i := range facts {
		f := &facts[i]
		if !f.RecordedAt.IsZero() {
			ids[i] = factID(*f, f.RecordedAt)
			continue
		}
		p.undated = true
		s := subjectOf(f)
		if undated[s] == nil {
			subjects = append(subjects, s)
		}
		undated[s] = append(undated[s], i)
	}
	if len(undated) == 0 {
		return ids, nil
	}
	stored, err := p.assertions(tx, facts, undated)
	if err != nil {
		return nil, err
	}
	for i := range facts { // what the report itself dates
		if s := subjectOf(&facts[i]); undated[s] != nil && !slices.Contains(undated[s], i) {
			stored[s] = append(stored[s], assertionOf(ids[i], &facts[i]))
			slices.SortStableFunc(stored[s], func(a, b assertion) int { return a.fact.RecordedAt.Compare(b.fact.RecordedAt) })
		}
	}
	for _, s := range subjects {
		list := make([]assertion, len(undated[s]))
		for k, i := range undated[s] {
			list[k] = assertionOf(ID{}, &facts[i])
		}
		p.dateAssertions(stored[s], list)
		for k, i := range undated[s] {
			ids[i] = list[k].id
		}
	}
	return ids, nil
}

// assertions returns the stored facts about the subjects, by time of recording.
func (p *plan) assertions(tx *transaction, facts []journey.LoggedFact, undated map[subject][]int) (map[subject][]assertion, error) {
	var keys []string
	for s, list := range undated {
		for _, i := range list {
			if strings.HasPrefix(string(s), "\x00") {
				keys = slices.AppendSeq(keys, p.factKeys(&facts[i]))
			}
		}
	}
	if err := p.loadNumbered(tx, sortedSet(keys)); err != nil {
		return nil, err
	}
	found := map[subject][]*RawEvent{}
	for _, r := range p.pool {
		if s := subjectOf(&r.Fact); undated[s] != nil {
			found[s] = append(found[s], r)
		}
	}
	out := map[subject][]assertion{}
	for s, list := range found {
		slices.SortFunc(list, byRecording)
		for _, r := range list {
			out[s] = append(out[s], assertionOf(r.ID, &r.Fact))
		}
	}
	return out, nil
}

// dateAssertions decides which facts of a report about one subject repeat stored
// ones, and dates the others. Sources send their whole list again, so the beginning
// of a report that equals the end of the stored list repeats it. A fact that equals
// the one before it is the same. Any other fact is new, even if an older one equals
// it.
func (p *plan) dateAssertions(known, list []assertion) {
	taken := map[ID]bool{}
	for _, s := range known {
		taken[s.id] = true
	}
	repeated := overlap(known, list)
	last := assertion{}
	if len(known) > 0 {
		last = known[len(known)-1]
	}
	from := 0
	for from < len(list) && from < repeated {
		again := known[len(known)-repeated+from]
		list[from].id, list[from].fact.RecordedAt = again.id, again.fact.RecordedAt
		from++
	}
	for i := from; i < len(list); i++ {
		s := &list[i]
		if last.fact != nil && last.sum == s.sum {
			s.id, s.fact.RecordedAt = last.id, last.fact.RecordedAt
			continue
		}
		p.dateAssertion(s, last.fact)
		s.id = newAssertionID(s.fact, taken)
		taken[s.id] = true
		last = *s
	}
}

// dateAssertion dates a new fact: it was recorded when it arrived, not before the
// one that it follows, and after it if that is a retraction, which covers all facts
// recorded at the same time.
func (p *plan) dateAssertion(s *assertion, before *journey.LoggedFact) {
	s.fact.RecordedAt = p.arrived
	if before == nil {
		return
	}
	earliest := before.RecordedAt
	if before.Retracted {
		earliest = earliest.Add(time.Microsecond)
	}
	if earliest.After(s.fact.RecordedAt) {
		s.fact.RecordedAt = earliest
	}
}

// newAssertionID is the ID of a new fact. The first of those without an ID depends
// on the content alone.
func newAssertionID(f *journey.LoggedFact, taken map[ID]bool) ID {
	if f.ID == "" {
		if id := factID(*f, time.Time{}); !taken[id] {
			return id
		}
	}
	id := factID(*f, f.RecordedAt)
	for n := 2; taken[id]; n++ {
		id = table.NamedID("raw_event", fmt.Sprintf("%s#%d", factID(*f, f.RecordedAt), n))
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
