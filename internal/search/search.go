package search

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/landfallhq/tracking/internal/record"
	"github.com/landfallhq/tracking/internal/table"
	"github.com/landfallhq/tracking/store"
)

// MaxResults is the number of results of a search.
const MaxResults = 25

const (
	// maxEntries bounds the index entries read for a prefix. With more entries, the
	// last created may not come first.
	maxEntries = 2 * MaxResults
	// maxLikely is the same for texts that are longer than a part.
	maxLikely = 200
)

// Search is one search, with results of type R.
type Search[R any] struct {
	tx        *table.Tx
	text      string
	createdAt func(*R) time.Time

	results []*R
	seen    map[store.ID]bool
	known   map[condition][]store.ID // what lookUp has found
}

// condition is a condition of a tier on the terms of a kind.
type condition struct {
	kind *store.Kind
	term string
	op   store.Op
	text string
}

// New returns a search for a text. A text of punctuation alone finds nothing.
func New[R any](tx *table.Tx, text string, createdAt func(*R) time.Time) *Search[R] {
	return &Search[R]{tx: tx, text: Fold(text), createdAt: createdAt, seen: map[store.ID]bool{}, known: map[condition][]store.ID{}}
}

// Results returns at most MaxResults results, in the order in which they were found.
func (s *Search[R]) Results() []*R { return s.results[:min(MaxResults, len(s.results))] }

// Tier is one degree of match, as conditions on terms.
type Tier []store.Cond

// Inside reports whether the tier finds texts inside words.
func (t Tier) Inside() bool { return t[0].Name == partTerm }

// tiers returns the degrees of match, best first.
func (s *Search[R]) tiers() []Tier {
	list := []Tier{
		{{Name: NumberTerm, Op: store.Has, Values: []any{s.text}}, {Name: wordTerm, Op: store.Has, Values: []any{s.text}}},
		{{Name: NumberTerm, Op: store.HasPrefix, Values: []any{s.text}}, {Name: wordTerm, Op: store.HasPrefix, Values: []any{s.text}}},
	}
	if utf8.RuneCountInString(s.text) >= minPart {
		inside := Tier{{Name: partTerm, Op: store.HasPrefix, Values: []any{cutPart(s.text)}}}
		if s.isLong() {
			// Company names often begin alike and differ at the end.
			inside = append(inside, store.Cond{Name: partTerm, Op: store.HasPrefix, Values: []any{lastPart(s.text)}})
		}
		list = append(list, inside)
	}
	return list
}

// isLong reports whether the text is longer than a stored part.
func (s *Search[R]) isLong() bool { return len(s.text) > maxPart }

// needsCheck reports whether the results of a tier have to be compared with the
// text, because only a part of it was looked up.
func (s *Search[R]) needsCheck(t Tier) bool { return s.isLong() && t.Inside() }

// lookUp finds the records of some kinds that match a tier, with one call, unless
// they are known. most bounds the index entries read of the first kind; 0 for the
// default.
func (s *Search[R]) lookUp(t Tier, most int, kinds ...*store.Kind) error {
	var list []store.Lookup
	var names []condition
	for i, k := range kinds {
		for _, c := range t {
			name := conditionOf(k, c)
			if s.known[name] != nil {
				continue
			}
			limit := s.limit(c)
			if i == 0 && most > 0 {
				limit = most
			}
			list, names = append(list, store.Lookup{Kind: k, Cond: c, Limit: limit}), append(names, name)
		}
	}
	if len(list) == 0 {
		return nil
	}
	found, err := s.tx.Records.FindEach(s.tx, list)
	for i, ids := range found {
		s.known[names[i]] = slices.Grow(ids, 1) // not nil
	}
	return err
}

func conditionOf(k *store.Kind, c store.Cond) condition {
	text, _ := c.Values[0].(string)
	return condition{k, c.Name, c.Op, text}
}

// Found returns the records of a kind that match a condition of the present tier, if
// Kind has looked that kind up.
func (s *Search[R]) Found(k *store.Kind, c store.Cond) []store.ID {
	return s.known[conditionOf(k, c)]
}

// limit is the number of index entries to read for a condition.
func (s *Search[R]) limit(c store.Cond) int {
	switch {
	case c.Name == partTerm && s.isLong():
		return maxLikely
	case c.Op == store.HasPrefix:
		return maxEntries
	}
	return MaxResults
}

// contains reports whether one of the words contains the text.
func (s *Search[R]) contains(words []store.Term) bool {
	return slices.ContainsFunc(words, func(w store.Term) bool {
		return w.Name != partTerm && strings.Contains(Fold(w.Value), s.text)
	})
}

// Filter returns those of the records whose words contain the text, if the tier needs
// the check.
func Filter[R, T any](s *Search[R], of *table.Table[T], t Tier, ids []store.ID) ([]store.ID, error) {
	if !s.needsCheck(t) {
		return ids, nil
	}
	records, err := s.tx.Records.GetMany(s.tx, of.Kind, ids, nil)
	if err != nil {
		return nil, err
	}
	var have []store.ID
	for _, r := range records {
		v, err := of.Decode(r)
		if err != nil {
			return nil, err
		}
		if s.contains(of.Terms(v)) {
			have = append(have, r.ID)
		}
	}
	return have, nil
}

// View reads the records of a resource as F, which has only the fields of a result:
// most of the cost of a search is reading records.
type View[F any] struct {
	kind  *store.Kind
	codec *record.Codec[F]
	words func(store.Record) ([]store.Term, error)
	most  int // index entries to read; 0 for the default
}

// NewView returns a view of a resource.
func NewView[T, F any](of *table.Table[T], codec *record.Codec[F]) View[F] {
	return View[F]{kind: of.Kind, codec: codec, words: func(r store.Record) ([]store.Term, error) {
		v, err := of.Decode(r)
		if err != nil {
			return nil, err
		}
		return of.Terms(v), nil
	}}
}

// Reading returns the view with a bound of the index entries that are read. A resource
// of which most records are not shown needs a large one.
func (v View[F]) Reading(most int) View[F] {
	v.most = most
	return v
}

// Kind searches the records of one kind, tier by tier, until there are MaxResults
// results. Within a tier, the last created come first. more returns others that match a
// tier, by the lookups of the kinds in also. show returns the result of a record; nil
// leaves it out.
func Kind[R, F any](s *Search[R], v View[F], also func(Tier) []*store.Kind, more func(Tier) ([]store.ID, error), show func(*F) (*R, error)) error {
	if s.text == "" {
		return nil
	}
	for _, t := range s.tiers() {
		if len(s.results) >= MaxResults {
			return nil
		}
		if err := s.lookUp(t, v.most, append([]*store.Kind{v.kind}, also(t)...)...); err != nil {
			return err
		}
		var own, others []store.ID
		for _, c := range t {
			// They are sorted by creation, so a result needs no more than are shown,
			// unless the view leaves out many.
			own = s.unseen(own, s.Found(v.kind, c), max(MaxResults, v.most))
		}
		some, err := more(t)
		if err != nil {
			return err
		}
		others = s.unseen(others, some, 4*MaxResults) // of several, each in its own order
		results, err := load(s, v, s.needsCheck(t), own, others, show)
		if err != nil {
			return err
		}
		s.results = append(s.results, results...)
	}
	return nil
}

// unseen appends up to most of the IDs that are not found yet. If the results need
// a check, it appends all.
func (s *Search[R]) unseen(to, ids []store.ID, most int) []store.ID {
	for _, id := range ids {
		if most <= 0 && !s.isLong() {
			break
		}
		if !s.seen[id] {
			most--
			if !slices.Contains(to, id) {
				to = append(to, id)
			}
		}
	}
	return to
}

// load reads records, last created first. own were found by their own words, and may
// need a check.
func load[R, F any](s *Search[R], v View[F], likely bool, own, others []store.ID, show func(*F) (*R, error)) ([]*R, error) {
	ids := slices.Clone(own)
	for _, id := range others {
		if !slices.Contains(own, id) {
			ids = append(ids, id)
		}
	}
	list, err := s.tx.Records.GetMany(s.tx, v.kind, ids, nil)
	if err != nil {
		return nil, err
	}
	var results []*R
	for at, r := range list { // all are there: what Find finds is of the same snapshot
		if likely && at < len(own) && !slices.Contains(others, r.ID) {
			words, err := v.words(r)
			if err != nil {
				return nil, err
			}
			if !s.contains(words) {
				continue
			}
		}
		f := new(F)
		if err := v.codec.Decode(r.Doc, r.Private, f); err != nil {
			return nil, fmt.Errorf("tracking: %s %s is damaged: %w", v.kind.Name, r.ID, err)
		}
		s.seen[r.ID] = true
		result, err := show(f)
		if err != nil {
			return nil, err
		}
		if result != nil {
			results = append(results, result)
		}
	}
	slices.SortStableFunc(results, func(a, b *R) int { return s.createdAt(b).Compare(s.createdAt(a)) })
	return results, nil
}
