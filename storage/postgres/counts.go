package postgres

import (
	"encoding/binary"
	"maps"
	"sync"

	"github.com/jackc/pgx/v5"

	"github.com/landfallhq/tracking/store"
)

// countCache remembers what was counted for lists. A count is valid for a view with the same
// number of the account's last commit.
type countCache struct {
	mu    sync.Mutex
	byKey map[string]cachedCount
}

// maxCachedCounts is how many counts are remembered: some hundred KB.
const maxCachedCounts = 1024

// cachedCount is what was counted for one list.
type cachedCount struct {
	epoch, commits int64
	total          int
	byValue        map[string]int // of CountBy
}

func (c *countCache) get(key string) (cachedCount, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	count, ok := c.byKey[key]
	return count, ok
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

// countKey identifies what is counted; empty if it is not remembered. The column is that of
// CountBy, or empty.
func (t *tx) countKey(table *table, column string, f store.Filter) string {
	if t.write || f.Outdated || table.values != nil {
		return ""
	}
	f.Sort = nil
	b := binary.AppendVarint(append(append([]byte{}, column...), 0), int64(table.no))
	b, ok := f.AppendKey(binary.AppendVarint(b, t.no))
	if !ok {
		return ""
	}
	return string(b)
}

// rememberCount remembers a count of this view.
func (t *tx) rememberCount(key string, count cachedCount) {
	if key != "" && t.resolved {
		count.epoch, count.commits = t.epoch, t.commits
		t.store.counts.put(key, count)
	}
}

// isCurrent reports whether a count is one of the account as this view has read it.
func (t *tx) isCurrent(count cachedCount) bool {
	return t.resolved && count.epoch == t.epoch && count.commits == t.commits
}

// listTotal is how many records match a list.
type listTotal struct {
	*tx
	table *table
	kind  *store.Kind
	f     store.Filter
	n     int

	// all, and what meets each condition alone, if these totals are kept.
	all *int
	of  []*int

	key    string
	cached cachedCount
	known  bool // once the reads were sent
}

// totalReads returns the statements that must be sent with a page, so that number knows how many
// records match.
func (t *tx) totalReads(table *table, k *store.Kind, f store.Filter) (*listTotal, []read, error) {
	l := &listTotal{tx: t, table: table, kind: k, f: f}
	if kept, ok := t.keptTotal(table, k, f, &l.n); ok {
		l.known = true
		return l, []read{kept}, nil
	}
	if all, of, reads, ok := t.keptTotals(table, k, f); ok {
		l.all, l.of = all, of
		return l, reads, nil
	}
	return l.countReads()
}

// countReads returns the statement that counts, unless it was counted before: then the number
// of the account's last commit must be read first.
func (l *listTotal) countReads() (*listTotal, []read, error) {
	l.key = l.countKey(l.table, "", l.f)
	if cached, ok := l.store.counts.get(l.key); ok && l.key != "" {
		l.cached = cached
		return l, nil, nil
	}
	l.known = true
	one, err := l.countRead()
	return l, []read{one}, err
}

func (l *listTotal) countRead() (read, error) {
	q := &query{}
	q.add("SELECT count(*) FROM ")
	q.addFrom(l.tx, l.table)
	err := q.addWhere(l.tx, l.table, l.kind, l.f)
	return read{q.String(), q.args, func(rows pgx.Rows) error { return rows.Scan(&l.n) }}, err
}

// number returns how many records match, when the reads were sent.
func (l *listTotal) number() (int, error) {
	if l.all != nil && l.leaveOut() {
		return l.n, nil
	}
	if l.all != nil {
		l.all = nil
		_, reads, err := l.countReads()
		if err == nil {
			err = l.send(reads...)
		}
		if err != nil {
			return 0, err
		}
	}
	if !l.known && l.isCurrent(l.cached) {
		return l.cached.total, nil
	}
	if !l.known {
		one, err := l.countRead()
		if err == nil {
			err = l.send(one)
		}
		if err != nil {
			return 0, err
		}
	}
	l.rememberCount(l.key, cachedCount{total: l.n})
	return l.n, nil
}

// leaveOut leaves out the conditions that all records meet. If at most one is left, the number
// of matches is known.
func (l *listTotal) leaveOut() bool {
	left := 0
	l.n = *l.all
	for _, n := range l.of {
		if *n != *l.all {
			left++
			l.n = *n
		}
	}
	return left <= 1
}

// countBy returns what count counts for a column, or what it has counted before.
func (t *tx) countBy(table *table, column string, f store.Filter, count func() (map[string]int, error)) (map[string]int, error) {
	key := t.countKey(table, column, f)
	if cached, ok := t.store.counts.get(key); ok && key != "" {
		if !t.resolved {
			if err := t.readAccount(); err != nil {
				return nil, err
			}
		}
		if t.isCurrent(cached) {
			return maps.Clone(cached.byValue), nil
		}
	}
	counts, err := count()
	if err == nil {
		t.rememberCount(key, cachedCount{byValue: maps.Clone(counts)})
	}
	return counts, err
}
