//go:build cgo

package sqlite

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/landfallhq/tracking/store"
)

const slotBits = 14

// cache keeps records that were read, until they change.
//
// It is built on commit numbers. Every commit that changes records raises the
// number in the file by one, and every view reads it first, in its snapshot. An
// entry stores the first commit at which its record is known to be current; a view
// uses it only if that commit is in its snapshot. Before a commit of this process
// becomes visible, the records that it changes are evicted. A commit number that
// this process did not announce was made by another process and empties the cache.
//
// changedAt remembers the commits that changed evicted records, so that a view of
// an older snapshot does not put its version back. Records share slots there, so a
// record is sometimes not cached although it could be.
type cache struct {
	limit int64 // bytes

	// announced is the last commit that the entries take into account: those of
	// this process, and those of others up to where they were noticed. pending is
	// the one being committed, or 0.
	announced, pending atomic.Int64

	// hits are the records that views found, misses those that they did not.
	hits, misses atomic.Int64

	mu        sync.RWMutex
	floor     int64 // records read before this commit are not cached
	changedAt [1 << slotBits]int64
	// accountChangedAt are the last commits that changed an account, by a hash of
	// its number.
	accountChangedAt [1 << slotBits]int64
	byRid            map[ridKey]*entry
	byID             map[idKey]*entry
	hand             *entry // the hand of the CLOCK algorithm; the entries form a ring
	bytes            int64
}

// ridKey and idKey identify a record in the file.
type (
	ridKey struct{ kind, rid int64 }
	idKey  struct {
		kind, account int64
		id            store.ID
	}
)

// entry is a cached record. Only used and the ring ever change.
type entry struct {
	rid      ridKey
	id       idKey
	from     int64 // the first commit at which it is known to be current
	revision string
	record   store.Record
	cost     int64

	used       atomic.Bool // since the hand last passed
	next, prev *entry
}

// entryOverhead is the size of an entry besides its bytes: the struct and its
// places in two maps. The DecodeCache is taken to be half as large as the document.
const entryOverhead = 512

func newCache(limit int64) *cache {
	if limit <= 0 {
		return nil
	}
	return &cache{limit: limit, byRid: map[ridKey]*entry{}, byID: map[idKey]*entry{}}
}

// usableAt reports whether a view whose snapshot ends with this commit may use the
// cache. It empties the cache first if another process has written.
func (c *cache) usableAt(commit int64) bool {
	if commit <= c.announced.Load() {
		return true
	}
	if commit == c.pending.Load() {
		// A commit of this process is visible but not yet confirmed. If it failed,
		// another process can have committed with the same number.
		return false
	}
	c.evictAll(commit)
	return true
}

// evictAll drops all records that were read before this commit.
func (c *cache) evictAll(commit int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if commit <= c.announced.Load() {
		return // another view did this, or the commit turned out to be ours
	}
	clear(c.byRid)
	clear(c.byID)
	c.hand, c.bytes = nil, 0
	c.floor = max(c.floor, commit)
	c.announced.Store(max(c.announced.Load(), commit))
}

// announce evicts the records that the commit is about to change, and notes the
// accounts that it changes.
func (c *cache) announce(commit int64, changed []ridKey, accounts []int64) {
	c.pending.Store(commit)
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, no := range accounts {
		c.accountChangedAt[accountSlot(no)] = commit
	}
	for _, key := range changed {
		c.changedAt[key.slot()] = commit
		if e := c.byRid[key]; e != nil {
			c.remove(e)
		}
	}
}

// confirm reports the outcome of the announced commit. A failed commit needs
// nothing more: the records that it would have changed are evicted and will be read
// again. A commit that follows one of another process is not confirmed either: the
// first view that sees it empties the cache.
func (c *cache) confirm(commit int64, ok bool) {
	if ok {
		c.announced.CompareAndSwap(commit-1, commit)
	}
	c.pending.Store(0)
}

// slot returns the index of the key in changedAt.
func (k ridKey) slot() uint64 {
	return (uint64(k.rid)*0x9e3779b97f4a7c15 + uint64(k.kind)*0xc2b2ae3d27d4eb4f) >> (64 - slotBits)
}

// accountSlot returns the index of an account in accountChangedAt. Accounts that
// share a slot are both taken as changed when either is.
func accountSlot(no int64) uint64 { return uint64(no) * 0x9e3779b97f4a7c15 >> (64 - slotBits) }

// lastChange returns the last commit that changed an account, for a view of the
// given commit. Two views that get the same number see the same content. Known is
// false for a view that is older than the last change.
func (c *cache) lastChange(commit, account int64) (last int64, known bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	last = max(c.floor, c.accountChangedAt[accountSlot(account)])
	return last, last <= commit
}

// remove evicts an entry. The caller holds the lock.
func (c *cache) remove(e *entry) {
	delete(c.byRid, e.rid)
	delete(c.byID, e.id)
	c.bytes -= e.cost
	if e.next == e {
		c.hand = nil
		return
	}
	e.prev.next, e.next.prev = e.next, e.prev
	if c.hand == e {
		c.hand = e.next
	}
}

// add caches what a view of this commit has read.
func (c *cache) add(commit int64, read []*entry) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, e := range read {
		e.cost = entryOverhead + int64(len(e.record.Doc))*3/2 + int64(len(e.record.Private))
		switch {
		case commit < c.floor, commit < c.changedAt[e.rid.slot()]:
			continue // the record may have changed since
		case e.cost > c.limit/8:
			continue // it would evict too many others
		}
		if old := c.byRid[e.rid]; old != nil {
			if old.revision == e.revision {
				continue
			}
			c.remove(old)
		}
		c.makeRoom(e.cost)
		e.from = commit
		c.byRid[e.rid], c.byID[e.id] = e, e
		c.bytes += e.cost
		if c.hand == nil {
			e.next, e.prev = e, e
			c.hand = e
			continue
		}
		// Behind the hand, which reaches it last.
		e.next, e.prev = c.hand, c.hand.prev
		e.prev.next, e.next.prev = e, e
	}
}

// makeRoom evicts entries that were not used since the hand last passed them, until
// cost more bytes fit.
func (c *cache) makeRoom(cost int64) {
	for c.hand != nil && c.bytes+cost > c.limit {
		if e := c.hand; e.used.Swap(false) {
			c.hand = e.next
		} else {
			c.remove(e)
		}
	}
}

// recordAt returns the record for a view of this commit and kind, if the entry is
// valid there. The caller holds the read lock.
func (e *entry) recordAt(commit int64, k *store.Kind) (store.Record, bool) {
	if e == nil || e.from > commit || e.revision != k.Revision {
		return store.Record{}, false
	}
	if !e.used.Load() {
		e.used.Store(true)
	}
	return e.record, true
}

// cachedByID is Get from the cache.
func (t *tx) cachedByID(table *table, k *store.Kind, id store.ID) (store.Record, bool) {
	if !t.cached {
		return store.Record{}, false
	}
	c := t.store.cache
	c.mu.RLock()
	defer c.mu.RUnlock()
	r, ok := c.byID[idKey{table.no, t.accountNo, id}].recordAt(t.commit, k)
	if ok {
		t.countReads(1, 0)
	} else {
		t.countReads(1, 1)
	}
	return r, ok
}

// ChangeToken implements store.ChangeTracker. It needs the cache, which tracks what
// commits change.
func (t *tx) ChangeToken(ctx context.Context) (state int64, known bool, err error) {
	if t.store.cache == nil {
		return 0, false, nil // without reading
	}
	if err := t.begin(ctx, false); err != nil || !t.cached {
		return 0, false, err
	}
	if err := t.resolveAccount(); err != nil || t.accountNo == 0 {
		return 0, false, err
	}
	state, known = t.store.cache.lastChange(t.commit, t.accountNo)
	return state, known, nil
}

// getManyCached is GetMany with a cache: one statement reads the records that are
// not cached.
func (t *tx) getManyCached(ctx context.Context, table *table, k *store.Kind, ids []store.ID, to []store.Record) ([]store.Record, error) {
	before := len(to)
	var missed []store.ID
	c := t.store.cache
	c.mu.RLock()
	for _, id := range ids {
		r, ok := c.byID[idKey{table.no, t.accountNo, id}].recordAt(t.commit, k)
		if !ok {
			// A placeholder that no record equals: versions begin at 1.
			r = store.Record{ID: id}
			missed = append(missed, id)
		}
		to = append(to, r)
	}
	c.mu.RUnlock()
	t.countReads(len(ids), len(missed))
	if len(missed) == 0 {
		return to, nil
	}
	defer t.conn.resetRows()
	if err := t.readByID(ctx, table, k, missed); err != nil {
		return to[:before], err
	}
	result := to[:before]
	for _, r := range to[before:] {
		if r.Version == 0 {
			i, ok := t.conn.positions[r.ID]
			if !ok {
				continue
			}
			r = t.conn.rows[i]
		}
		result = append(result, r)
	}
	clear(to[len(result):])
	return result, nil
}

// cachedByRid appends the cached records with these rids, leaves a zero Record for
// each of the others, and returns the rids of the latter.
func (t *tx) cachedByRid(table *table, k *store.Kind, rids []int64, to []store.Record) (_ []store.Record, missed []int64) {
	c := t.store.cache
	c.mu.RLock()
	defer c.mu.RUnlock()
	for _, rid := range rids {
		r, ok := c.byRid[ridKey{table.no, rid}].recordAt(t.commit, k)
		if !ok {
			missed = append(missed, rid)
		}
		to = append(to, r)
	}
	t.countReads(len(rids), len(missed))
	return to, missed
}

// countReads counts reads from the cache. The cache gets the sums at the end of the view:
// connections that count with every read would delay each other.
func (t *tx) countReads(n, missed int) {
	t.hits += int64(n - missed)
	t.misses += int64(missed)
}

// addReads adds the reads of a view that has ended.
func (c *cache) addReads(t *tx) {
	if c == nil {
		return
	}
	if t.hits > 0 {
		c.hits.Add(t.hits)
	}
	if t.misses > 0 {
		c.misses.Add(t.misses)
	}
}

// announce raises the commit number for a batch that changes records, and evicts
// these records from the caches. It returns 0 for a batch that changes none.
func (s *Store) announce(b *batch) (int64, error) {
	var changed []ridKey
	var accounts []int64
	for _, t := range b.committed {
		if t.wrote {
			accounts = append(accounts, t.accountNo)
		}
		changed = append(changed, t.changed...)
	}
	if len(accounts) == 0 {
		return 0, nil
	}
	commit, err := raiseCommit(b.conn)
	if err != nil {
		return 0, err
	}
	s.counts.announce(commit, b.committed)
	if s.cache != nil {
		s.cache.announce(commit, changed, accounts)
	}
	return commit, nil
}

// confirm reports the outcome of the commit to the caches.
func (s *Store) confirm(commit int64, ok bool) {
	if commit == 0 {
		return
	}
	s.counts.confirm(commit, ok)
	if s.cache != nil {
		s.cache.confirm(commit, ok)
	}
}

// raiseCommit raises the commit number of the file. Every transaction that changes
// records must call it. An Update does so at its end, after an announcement; any
// other caller empties the caches by it.
//
// It fails if a newer program has meanwhile changed the schema to one that this
// program does not know.
func raiseCommit(c *conn) (int64, error) {
	commit, ok, err := c.queryInt("UPDATE meta SET value = value + 1 WHERE name = 'commit' AND NOT EXISTS (SELECT 1 FROM meta WHERE name = 'oldest_schema' AND value > ?) RETURNING value", schema)
	if err == nil && !ok {
		err = refuseCommit(c)
	}
	return commit, err
}

// refuseCommit returns why raiseCommit found no commit number to raise.
func refuseCommit(c *conn) error {
	oldest, _, err := c.queryInt("SELECT value FROM meta WHERE name = 'oldest_schema'")
	switch {
	case err != nil:
		return err
	case oldest > schema:
		return fmt.Errorf("%w: %w", store.ErrUnavailable, newerSchema(oldest, schema))
	}
	return errNoCommit
}

// raiseCommitAfterRepair empties the caches after a repair, which changes what
// lists find. A file that has lost its commit number gets one by a repair of its
// own.
func raiseCommitAfterRepair(c *conn) error {
	_, err := raiseCommit(c)
	if errors.Is(err, errNoCommit) {
		return nil
	}
	return err
}
