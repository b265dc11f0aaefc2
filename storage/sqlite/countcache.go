//go:build cgo

package sqlite

import (
	"encoding/binary"
	"sync"
	"sync/atomic"

	"github.com/landfallhq/tracking/store"
)

const (
	countBits = 12
	// maxCachedCounts is how many lists are remembered: some hundred KB.
	maxCachedCounts = 1024
)

// countCache remembers what was counted for lists: how many records match, and
// which plan finds the page. Counting is most of the cost of a filter that half of
// the records match, and few accounts change between two pages of a list.
//
// Like the row cache (see cache), it is built on commit numbers. A count is valid
// for a view if no commit after the older of the two snapshots wrote the kind in
// that account. A commit of this process is noted before it becomes visible; a
// commit that this process did not announce was made by another and invalidates all
// counts. Accounts can share a slot, so a count is sometimes not used although it
// could be.
type countCache struct {
	// announced is as in cache. floor is the last commit that was noticed without
	// having been announced.
	announced, floor atomic.Int64
	// touched are the last commits that wrote a kind in an account.
	touched [1 << countBits]atomic.Int64

	mu    sync.Mutex
	byKey map[string]cachedCount
}

// cachedCount is the result for one list.
type cachedCount struct {
	commit int64 // of the snapshot that it was counted on
	total  int64
	// As in queryPlan, with expanded prefixes: see expandPrefixes.
	where   []store.Cond
	lead    int
	scan    bool
	matches int64
	// byValue is what CountBy has counted.
	byValue map[string]int
}

// observe invalidates all counts when a view has a commit in its snapshot that
// another process made, or that this one has not confirmed yet.
func (c *countCache) observe(commit int64) {
	if commit > c.announced.Load() {
		raiseTo(&c.floor, commit)
		raiseTo(&c.announced, commit)
	}
}

func raiseTo(n *atomic.Int64, to int64) {
	for old := n.Load(); old < to && !n.CompareAndSwap(old, to); old = n.Load() {
	}
}

// announce notes what the commit is about to write.
func (c *countCache) announce(commit int64, members []*tx) {
	for _, t := range members {
		for _, kind := range t.writtenKinds {
			c.slot(kind, t.accountNo).Store(commit)
		}
	}
}

// confirm reports the outcome of the announced commit.
func (c *countCache) confirm(commit int64, ok bool) {
	if ok {
		c.announced.CompareAndSwap(commit-1, commit)
	}
}

func (c *countCache) slot(kind, account int64) *atomic.Int64 {
	return &c.touched[(uint64(account)*0x9e3779b97f4a7c15+uint64(kind)*0xc2b2ae3d27d4eb4f)>>(64-countBits)]
}

// validAt reports whether a count on the snapshot of one commit is valid on that of
// the other.
func (c *countCache) validAt(kind, account, one, other int64) bool {
	older := min(one, other)
	return older >= c.floor.Load() && older >= c.slot(kind, account).Load()
}

// cachedCount returns what is cached for this key; nil if nothing is.
func (t *tx) cachedCount(key string, table *table) *cachedCount {
	if key == "" {
		return nil
	}
	counts := &t.store.counts
	counts.mu.Lock()
	cached, ok := counts.byKey[key]
	counts.mu.Unlock()
	if !ok || !counts.validAt(table.no, t.accountNo, cached.commit, t.commit) {
		return nil
	}
	return &cached
}

// cachedPlan returns the plan and the total of the list with this key; nil if they
// are not cached.
func (t *tx) cachedPlan(key string, table *table, k *store.Kind, f store.Filter) (*queryPlan, int64) {
	cached := t.cachedCount(key, table)
	if cached == nil {
		return nil, 0
	}
	f.Where = cached.where
	return &queryPlan{tx: t, table: table, k: k, f: f, lead: cached.lead, scan: cached.scan, matches: cached.matches}, cached.total
}

func (c *countCache) put(key string, count cachedCount) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.byKey == nil {
		c.byKey = map[string]cachedCount{}
	}
	if _, ok := c.byKey[key]; !ok && len(c.byKey) >= maxCachedCounts {
		for other := range c.byKey { // any: a frequent list is soon counted again
			delete(c.byKey, other)
			break
		}
	}
	c.byKey[key] = count
}

// readCommit reads the commit number of a view's snapshot. Without a cache, the
// snapshot was begun without reading it.
func (t *tx) readCommit() error {
	commit, ok, err := t.queryInt("SELECT value FROM meta WHERE name = 'commit'")
	if err == nil && !ok {
		err = t.fail(errNoCommit)
	}
	t.commit = commit
	return err
}

// countKey identifies a list; empty if its count is not cached.
func (t *tx) countKey(table *table, f store.Filter) string {
	if t.write || f.Outdated || len(f.Where) == 0 {
		return ""
	}
	if t.store.cache == nil && t.readCommit() != nil {
		return "" // the next statement returns the error
	}
	t.store.counts.observe(t.commit)
	b := binary.AppendVarint(make([]byte, 0, 128), table.no)
	b, ok := f.AppendKey(binary.AppendVarint(b, t.accountNo))
	if !ok {
		return ""
	}
	return string(b)
}
