//go:build cgo

package sqlite

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"github.com/landfallhq/tracking/store"
)

const slotBits = 14

// cache keeps records that were read, for as long as they have not changed.
//
// It goes by commit numbers. Every commit that changes records raises the
// number in the file by one, and every view reads it first, in its snapshot. An
// entry says from which commit on it is known to hold, so a view uses it only
// if that commit is in its snapshot. Before a commit of this process becomes
// visible, what it changes is taken out; a commit that this process has not
// announced was made by another and empties the cache.
//
// What is taken out stays known for a while by a mark, so that a view of an
// older snapshot does not put back what it read there. Where two records share
// a mark, one is now and then not kept though it could be.
type cache struct {
	limit int64 // bytes

	// announced is the number of the last commit that the entries know of:
	// those of this process, and others up to where they were noticed. pending
	// is that of one that is being committed, or 0.
	announced, pending atomic.Int64

	mu        sync.RWMutex
	floor     int64 // of a snapshot before this commit, nothing is kept
	changedAt [1 << slotBits]int64
	// accountChangedAt are the commits that were the last to change an account, by a hash of
	// its number: see state.
	accountChangedAt [1 << slotBits]int64
	byRid            map[ridKey]*entry
	byID             map[idKey]*entry
	hand             *entry // where the search for room goes on; the entries are a ring
	bytes            int64
}

// ridKey and idKey name a record in the file.
type (
	ridKey struct{ kind, rid int64 }
	idKey  struct {
		kind, account int64
		id            store.ID
	}
)

// entry is a record in the cache. Only used ever changes, and the ring.
type entry struct {
	rid      ridKey
	id       idKey
	from     int64 // the commit from which on it is known to hold
	revision string
	record   store.Record
	cost     int64

	used       atomic.Bool // since the hand has passed
	next, prev *entry
}

// entryOverhead is what an entry costs besides its bytes: itself and its places in
// the two maps. What the engine keeps in the DecodeCache is decoded of the document
// and is taken for half as large.
const entryOverhead = 512

func newCache(limit int64) *cache {
	if limit <= 0 {
		return nil
	}
	return &cache{limit: limit, byRid: map[ridKey]*entry{}, byID: map[idKey]*entry{}}
}

// usableAt reports whether a view whose snapshot has this commit as its last may
// use the cache, and empties it first if another process has written.
func (c *cache) usableAt(commit int64) bool {
	if commit <= c.announced.Load() {
		return true
	}
	if commit == c.pending.Load() {
		// A commit of this process is visible but not yet known to have
		// succeeded: another's could have got the same number after its failure.
		return false
	}
	c.evictAll(commit)
	return true
}

// evictAll drops everything that was read before this commit.
func (c *cache) evictAll(commit int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if commit <= c.announced.Load() {
		return // another view has done it, or it has turned out to be ours
	}
	clear(c.byRid)
	clear(c.byID)
	c.hand, c.bytes = nil, 0
	c.floor = max(c.floor, commit)
	c.announced.Store(max(c.announced.Load(), commit))
}

// announce takes out what the commit of this number is about to change, and
// notes the accounts that it changes anything of.
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

// confirm says what became of the commit that was announced. One that failed
// needs no more: what it would have changed is out, and read again as it is. Nor
// does one that followed another's, which no view has noticed yet: the first
// that sees either of them empties the cache.
func (c *cache) confirm(commit int64, ok bool) {
	if ok {
		c.announced.CompareAndSwap(commit-1, commit)
	}
	c.pending.Store(0)
}

// slot returns the place of the key's mark.
func (k ridKey) slot() uint64 {
	return (uint64(k.rid)*0x9e3779b97f4a7c15 + uint64(k.kind)*0xc2b2ae3d27d4eb4f) >> (64 - slotBits)
}

// accountSlot returns the place of an account in last. Where two share one, each
// is taken for changed when the other is.
func accountSlot(no int64) uint64 { return uint64(no) * 0x9e3779b97f4a7c15 >> (64 - slotBits) }

// lastChange returns the last commit that changed an account, to a view of this commit
// that the cache serves. Nothing of the account has changed between the two, and
// what it was at a commit never changes, so that one state is one content. A view
// that is older than the last change is told nothing.
func (c *cache) lastChange(commit, account int64) (last int64, known bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	last = max(c.floor, c.accountChangedAt[accountSlot(account)])
	return last, last <= commit
}

// remove takes an entry out. The caller holds the lock.
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

// add puts in what a view of this commit has read.
func (c *cache) add(commit int64, read []*entry) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, e := range read {
		e.cost = entryOverhead + int64(len(e.record.Doc))*3/2 + int64(len(e.record.Private))
		switch {
		case commit < c.floor, commit < c.changedAt[e.rid.slot()]:
			continue // it may have changed since
		case e.cost > c.limit/8:
			continue // it would push out too many others
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
		// Behind the hand: it is the last that the hand comes to.
		e.next, e.prev = c.hand, c.hand.prev
		e.prev.next, e.next.prev = e, e
	}
}

// makeRoom takes entries out that were not used since the hand last passed
// them, until there is room for so many bytes.
func (c *cache) makeRoom(cost int64) {
	for c.hand != nil && c.bytes+cost > c.limit {
		if e := c.hand; e.used.Swap(false) {
			c.hand = e.next
		} else {
			c.remove(e)
		}
	}
}

// recordAt returns the entry's record to a view of this commit and kind, if it holds
// there. The caller holds the lock for reading.
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
	return c.byID[idKey{table.no, t.accountNo, id}].recordAt(t.commit, k)
}

// ChangeToken implements store.ChangeTracker. It needs the cache, which knows what commits
// change.
func (t *tx) ChangeToken(ctx context.Context) (state int64, known bool, err error) {
	if t.store.cache == nil {
		return 0, false, nil // and nothing is read for it
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

// getManyCached is GetMany with a cache: what is not there is read by one
// statement.
func (t *tx) getManyCached(ctx context.Context, table *table, k *store.Kind, ids []store.ID, to []store.Record) ([]store.Record, error) {
	before := len(to)
	var missed []store.ID
	c := t.store.cache
	c.mu.RLock()
	for _, id := range ids {
		r, ok := c.byID[idKey{table.no, t.accountNo, id}].recordAt(t.commit, k)
		if !ok {
			// Held open by a record that none is like: versions begin with 1.
			r = store.Record{ID: id}
			missed = append(missed, id)
		}
		to = append(to, r)
	}
	c.mu.RUnlock()
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

// cachedByRid appends the records with these rids that are in the cache, holds
// a place open for those that are not, and returns the latter.
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
	return to, missed
}

// announce raises the commit number for a batch that changes records, and has
// the cache give up what it changes. It returns 0 for one that does not.
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

// confirm says what became of the commit.
func (s *Store) confirm(commit int64, ok bool) {
	if commit == 0 {
		return
	}
	s.counts.confirm(commit, ok)
	if s.cache != nil {
		s.cache.confirm(commit, ok)
	}
}

// raiseCommit raises the commit number of the file. Every transaction that
// changes records must: those of an Update do at their end, others, which
// announce nothing, have every cache emptied by it.
func raiseCommit(c *conn) (int64, error) {
	commit, ok, err := c.queryInt("UPDATE meta SET value = value + 1 WHERE name = 'commit' RETURNING value")
	if err == nil && !ok {
		err = errNoCommit
	}
	return commit, err
}

// raiseCommitAfterRepair raises the commit number after a repair: lists are found by what it has
// set right. A file that has lost its number gets one by a repair of its own.
func raiseCommitAfterRepair(c *conn) error {
	_, err := raiseCommit(c)
	if errors.Is(err, errNoCommit) {
		return nil
	}
	return err
}
