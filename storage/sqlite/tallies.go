//go:build cgo

package sqlite

import (
	"encoding/binary"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/landfallhq/tracking/store"
)

const (
	tallyBits = 12
	// maxTallies is how many lists are remembered, and maxTallyKey how many bytes
	// what one asks for may have: together some hundred KB.
	maxTallies  = 1024
	maxTallyKey = 512
)

// tallies remember what was counted for lists: how many records match, and how
// the page is found. To count is most of what a filter costs that half of the
// records match, and few accounts change between two pages of a list.
//
// They go by commit numbers, as the row cache does (see cache): a tally holds
// for a view if no commit after the older of their two snapshots has written the
// kind in that account. A commit of this process notes what it writes before it
// becomes visible; one that this process has not announced was made by another
// and ends all tallies. Where two accounts share a place in touched, a tally is
// now and then not used though it could be.
type tallies struct {
	// announced is as in cache; floor is the last commit that was noticed and had
	// not been announced.
	announced, floor atomic.Int64
	// touched are the last commits that wrote a kind in an account.
	touched [1 << tallyBits]atomic.Int64

	mu sync.Mutex
	of map[string]tally
}

// tally is what is known of one list.
type tally struct {
	at    int64 // the commit of the snapshot that it was counted on
	total int64
	// As in way, for conditions in which beginnings are spelled out: see spell.
	where   []store.Cond
	leads   int
	walk    bool
	matches int64
}

// notice ends all tallies when a view has a commit in its snapshot that another
// process has made, or that this one has not confirmed yet.
func (s *tallies) notice(commit int64) {
	if commit > s.announced.Load() {
		raise(&s.floor, commit)
		raise(&s.announced, commit)
	}
}

func raise(n *atomic.Int64, to int64) {
	for old := n.Load(); old < to && !n.CompareAndSwap(old, to); old = n.Load() {
	}
}

// announce notes what the commit of this number is about to write.
func (s *tallies) announce(commit int64, members []*tx) {
	for _, t := range members {
		for _, kind := range t.kinds {
			s.place(kind, t.no).Store(commit)
		}
	}
}

// confirm says what became of the commit that was announced.
func (s *tallies) confirm(commit int64, ok bool) {
	if ok {
		s.announced.CompareAndSwap(commit-1, commit)
	}
}

func (s *tallies) place(kind, account int64) *atomic.Int64 {
	return &s.touched[(uint64(account)*0x9e3779b97f4a7c15+uint64(kind)*0xc2b2ae3d27d4eb4f)>>(64-tallyBits)]
}

// holds reports whether what was counted on the snapshot of one commit is true on
// that of another.
func (s *tallies) holds(kind, account, one, other int64) bool {
	least := min(one, other)
	return least >= s.floor.Load() && least >= s.place(kind, account).Load()
}

// remembered returns how the list of this key is found, and its total; nil when
// it is not known.
func (t *tx) remembered(key string, table *table, k *store.Kind, f store.Filter) (*way, int64) {
	if key == "" {
		return nil, 0
	}
	s := &t.store.tallies
	s.mu.Lock()
	known, ok := s.of[key]
	s.mu.Unlock()
	if !ok || !s.holds(table.no, t.no, known.at, t.commit) {
		return nil, 0
	}
	f.Where = known.where
	return &way{tx: t, table: table, k: k, f: f, leads: known.leads, walk: known.walk, matches: known.matches}, known.total
}

// put remembers what was counted.
func (s *tallies) put(key string, known tally) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.of == nil {
		s.of = map[string]tally{}
	}
	if _, ok := s.of[key]; !ok && len(s.of) >= maxTallies {
		for other := range s.of { // any will do: what is asked often is soon counted again
			delete(s.of, other)
			break
		}
	}
	s.of[key] = known
}

// commitOf reads the number of the last commit in the snapshot of a view, which one
// without a cache may have begun without it.
func (t *tx) commitOf() error {
	commit, ok, err := t.number("SELECT value FROM meta WHERE name = 'commit'")
	if err == nil && !ok {
		err = t.fail(errNoCommit)
	}
	t.commit = commit
	return err
}

// tallyKey says what a list asks for; empty when it is not to be remembered.
func (t *tx) tallyKey(table *table, f store.Filter) string {
	if t.write || f.Outdated || len(f.Where) == 0 {
		return ""
	}
	if t.store.cache == nil && t.commitOf() != nil {
		return "" // the next statement tells
	}
	t.store.tallies.notice(t.commit)
	b := make([]byte, 0, 128)
	text := func(s string) {
		b = binary.AppendUvarint(b, uint64(len(s)))
		b = append(b, s...)
	}
	b = binary.AppendVarint(b, table.no)
	b = binary.AppendVarint(b, t.no)
	for _, c := range f.Where {
		text(c.Name)
		b = append(b, byte(c.Op))
		b = binary.AppendUvarint(b, uint64(len(c.Values)))
		for _, v := range c.Values {
			if len(b) > maxTallyKey {
				return ""
			}
			switch v := v.(type) {
			case string:
				b = append(b, 's')
				text(v)
			case store.ID:
				b = append(append(b, 'i'), v[:]...)
			default:
				b = append(b, 'v')
				text(fmt.Sprintf("%T %v", v, v))
			}
		}
	}
	for _, o := range f.Sort {
		text(o.Name)
		text(fmt.Sprint(o.Desc, o.Mark))
	}
	if len(b) > maxTallyKey {
		return ""
	}
	return string(b)
}
