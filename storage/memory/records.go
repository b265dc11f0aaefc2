package memory

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/landfallhq/tracking/store"
)

// tx is the transaction of one closure.
type tx struct {
	state    *state
	account  store.AccountID
	readOnly bool
	closed   bool // the closure has returned
}

// begin must be called first in every method.
func (t *tx) begin(ctx context.Context, write bool) error {
	switch {
	case t.closed:
		return errTxClosed
	case write && t.readOnly:
		return store.ErrReadOnly
	}
	return ctx.Err()
}

func (t *tx) beginKind(ctx context.Context, k *store.Kind, write bool) error {
	if err := t.begin(ctx, write); err != nil {
		return err
	}
	if _, ok := t.state.kinds[k.Name]; !ok {
		return fmt.Errorf("memory: kind %s was not prepared", k.Name)
	}
	return nil
}

func (t *tx) row(k *store.Kind, id store.ID) (*row, bool) {
	return t.state.rows.get(rowKey{t.account, k.Name, id})
}

// rows returns all records of the kind in order of creation.
func (t *tx) rows(k *store.Kind) []*row {
	var rows []*row
	t.state.order.from(orderKey{t.account, k.Name, 0}, func(key orderKey, r *row) bool {
		if key.account != t.account || key.kind != k.Name {
			return false
		}
		rows = append(rows, r)
		return true
	})
	return rows
}

// inCurrentForm renders an outdated record in the current form of its kind.
func inCurrentForm(k *store.Kind, r *row) (store.Record, error) {
	if r.revision >= k.Revision || k.Render == nil {
		record := r.record
		record.Newer = r.revision > k.Revision
		return record, nil
	}
	w, err := k.Render(r.record)
	if err != nil {
		return store.Record{}, fmt.Errorf("memory: render %s %s: %w", k.Name, r.record.ID, err)
	}
	return store.Record{ID: r.record.ID, Version: r.record.Version, Doc: w.Doc, Private: w.Private}, nil
}

func (t *tx) Get(ctx context.Context, k *store.Kind, id store.ID) (store.Record, error) {
	if err := t.beginKind(ctx, k, false); err != nil {
		return store.Record{}, err
	}
	r, ok := t.row(k, id)
	if !ok {
		return store.Record{}, store.ErrNotFound
	}
	return inCurrentForm(k, r)
}

func (t *tx) GetMany(ctx context.Context, k *store.Kind, ids []store.ID, to []store.Record) ([]store.Record, error) {
	if err := t.beginKind(ctx, k, false); err != nil {
		return to, err
	}
	for _, id := range ids {
		r, ok := t.row(k, id)
		if !ok {
			continue
		}
		record, err := inCurrentForm(k, r)
		if err != nil {
			return to, err
		}
		to = append(to, record)
	}
	return to, nil
}

func (t *tx) List(ctx context.Context, k *store.Kind, f store.Filter, p store.Page, to []store.Record) ([]store.Record, int, error) {
	if err := t.beginKind(ctx, k, false); err != nil {
		return to, 0, err
	}
	matches, err := t.matches(k, f)
	if err != nil {
		return to, 0, err
	}
	order, err := t.comparison(k, f.Sort)
	if err != nil {
		return to, 0, err
	}
	slices.SortFunc(matches, func(a, b match) int { return order(a.row, b.row) })
	total := len(matches)
	from, end, err := p.Bounds(total)
	if err != nil {
		return to, 0, err
	}
	matches = matches[from:end]
	for _, m := range matches {
		to = append(to, m.record)
	}
	return to, total, nil
}

// CountBy implements store.RecordTx.
func (t *tx) CountBy(ctx context.Context, k *store.Kind, column string, f store.Filter) (map[string]int, error) {
	if err := t.beginKind(ctx, k, false); err != nil {
		return nil, err
	}
	at := slices.IndexFunc(k.Columns, func(c store.Column) bool { return c.Name == column && c.Type == store.TextColumn })
	if at < 0 {
		return nil, fmt.Errorf("memory: kind %s has no text column %q to count by", k.Name, column)
	}
	matches, err := t.matches(k, f)
	counts := map[string]int{}
	for _, m := range matches {
		if value, ok := m.row.cols[at].(string); ok {
			counts[value]++
		}
	}
	return counts, err
}

// match is a record that matches a filter, in the current form of its kind.
type match struct {
	row    *row
	record store.Record
}

// matches returns the records that match a filter, in order of creation.
func (t *tx) matches(k *store.Kind, f store.Filter) (matches []match, err error) {
	for _, r := range t.rows(k) {
		if f.Outdated && r.revision >= k.Revision {
			continue
		}
		ok, decided := r.matchesIndexed(k, f.Where)
		if !ok {
			continue
		}
		record, err := inCurrentForm(k, r)
		if err != nil {
			return nil, err
		}
		if t.marked(k, r, f.Where) && (decided || f.Match == nil || f.Match(record)) {
			matches = append(matches, match{r, record})
		}
	}
	return matches, nil
}

// matchesIndexed checks the conditions on terms and on values of columns that need
// no decoding, for a row in the current form of its kind. Decided is true if there
// are no others, so that Match, which decodes the record and is slow, is not
// needed.
func (r *row) matchesIndexed(k *store.Kind, conds []store.Cond) (matches, decided bool) {
	if r.revision != k.Revision {
		return true, false
	}
	decided = len(conds) > 0
	for _, c := range conds {
		switch {
		case c.Op == store.Is:
			decided = false
			at := slices.IndexFunc(k.Columns, func(col store.Column) bool { return col.Name == c.Name })
			if at < 0 {
				continue
			}
			switch value := r.cols[at].(type) {
			case string, int64, store.ID: // times have their own equality
				if !slices.Contains(c.Values, value) {
					return false, true
				}
			}
		case c.Op != store.Has:
			decided = false
		case !slices.ContainsFunc(r.terms, func(t store.Term) bool {
			return t.Name == c.Name && slices.Contains(c.Values, any(t.Value))
		}):
			return false, true
		}
	}
	return true, decided
}

// comparison returns the comparison of a list's orders.
func (t *tx) comparison(k *store.Kind, orders []store.Order) (func(a, b *row) int, error) {
	columns := make([]int, len(orders))
	for i, o := range orders {
		columns[i] = slices.IndexFunc(k.Columns, func(c store.Column) bool { return c.Name == o.Name })
		if columns[i] < 0 && o.Name != "" && !o.Mark {
			return nil, fmt.Errorf("memory: kind %s has no column %q to sort by", k.Name, o.Name)
		}
	}
	lastDesc := true // last created first by default
	if len(orders) > 0 {
		lastDesc = orders[len(orders)-1].Desc
	}
	byCreation := func(a, b *row, desc bool) int {
		if desc {
			a, b = b, a
		}
		return compareValues(a.number, b.number)
	}
	return func(a, b *row) int {
		for i, o := range orders {
			var x, y any
			switch {
			case o.Mark:
				x, y = t.leastMark(k, a, o.Name), t.leastMark(k, b, o.Name)
			case o.Name == "":
				return byCreation(a, b, o.Desc)
			default:
				x, y = a.cols[columns[i]], b.cols[columns[i]]
			}
			c := 0
			switch {
			case x == nil && y == nil:
			case x == nil: // last, in both directions
				c = 1
			case y == nil:
				c = -1
			default:
				if c = compareValues(x, y); o.Desc {
					c = -c
				}
			}
			if c != 0 {
				return c
			}
		}
		return byCreation(a, b, lastDesc)
	}, nil
}

func (t *tx) Links(ctx context.Context, k *store.Kind, name string, values []store.ID) ([]store.Link, error) {
	if err := t.beginKind(ctx, k, false); err != nil {
		return nil, err
	}
	if err := k.CheckIndexed(name); err != nil {
		return nil, err
	}
	byText := make(map[string]store.ID, len(values))
	for _, v := range values {
		byText[v.String()] = v
	}
	column := slices.IndexFunc(k.Columns, func(c store.Column) bool { return c.Name == name })
	var links []store.Link
	for _, r := range t.rows(k) {
		first := len(links)
		add := func(text string) {
			of, ok := byText[text]
			link := store.Link{Of: of, ID: r.record.ID}
			if ok && !slices.Contains(links[first:], link) {
				links = append(links, link)
			}
		}
		if column >= 0 {
			switch v := r.cols[column].(type) {
			case store.ID:
				add(v.String())
			case string:
				add(v)
			}
		}
		for _, term := range r.terms {
			if term.Name == name {
				add(term.Value)
			}
		}
	}
	return links, nil
}

// entry is a row in an index.
type entry struct {
	value string
	*row
}

func (t *tx) Find(ctx context.Context, k *store.Kind, c store.Cond, limit int) ([]store.ID, error) {
	if err := t.beginKind(ctx, k, false); err != nil {
		return nil, err
	}
	if len(c.Values) != 1 || limit < 1 {
		return nil, fmt.Errorf("memory: Find of %d values, at most %d", len(c.Values), limit)
	}
	entries, err := t.entries(k, c)
	if err != nil {
		return nil, err
	}
	lastFirst := func(a, b entry) int { return cmp.Compare(b.number, a.number) }
	if c.Op == store.HasPrefix {
		slices.SortFunc(entries, func(a, b entry) int {
			return cmp.Or(cmp.Compare(a.value, b.value), cmp.Compare(a.number, b.number))
		})
		entries = entries[:min(limit, len(entries))]
	}
	slices.SortFunc(entries, lastFirst)
	entries = slices.CompactFunc(entries, func(a, b entry) bool { return a.row == b.row })
	var ids []store.ID
	for _, e := range entries[:min(limit, len(entries))] {
		ids = append(ids, e.record.ID)
	}
	return ids, nil
}

func (t *tx) FindEach(ctx context.Context, lookups []store.Lookup) (found [][]store.ID, err error) {
	for _, lookup := range lookups {
		ids, err := t.Find(ctx, lookup.Kind, lookup.Cond, lookup.Limit)
		if err != nil {
			return nil, err
		}
		found = append(found, ids)
	}
	return found, nil
}

// entries returns those that meet the condition of a Find.
func (t *tx) entries(k *store.Kind, c store.Cond) (list []entry, err error) {
	if c.Op == store.Is {
		if err := k.CheckIndexed(c.Name); err != nil {
			return nil, err
		}
	}
	column := slices.IndexFunc(k.Columns, func(col store.Column) bool { return col.Name == c.Name })
	text, _ := c.Values[0].(string)
	for _, r := range t.rows(k) {
		switch {
		case c.Op == store.Is && column >= 0:
			if r.cols[column] == c.Values[0] {
				list = append(list, entry{"", r})
			}
		case c.Op == store.Has || c.Op == store.HasPrefix:
			for _, term := range r.terms {
				if term.Name == c.Name && (term.Value == text || c.Op == store.HasPrefix && strings.HasPrefix(term.Value, text)) {
					list = append(list, entry{term.Value, r})
				}
			}
		default:
			return nil, fmt.Errorf("memory: kind %s: Find of %q by comparison %d", k.Name, c.Name, c.Op)
		}
	}
	return list, nil
}

func (t *tx) Put(ctx context.Context, k *store.Kind, w store.Write) (int64, error) {
	if err := t.beginKind(ctx, k, true); err != nil {
		return 0, err
	}
	next, err := newRow(k, w)
	if err != nil {
		return 0, err
	}
	next.record.Version = 1
	if before, ok := t.row(k, w.ID); ok {
		if before.revision > next.revision {
			if bytes.Equal(before.record.Doc, w.Doc) && bytes.Equal(before.record.Private, w.Private) {
				return before.record.Version, nil
			}
			return 0, &store.NewerError{Kind: k.Name, ID: w.ID, Stored: before.revision, Known: k.Revision}
		}
		next.number = before.number
		next.record.Version = before.record.Version
		if !equalRows(before, next) {
			next.record.Version++
		} else if before.revision == next.revision {
			return before.record.Version, nil
		}
		// A write that changes only the revision does not change the record, but it
		// is stored: the record is no longer outdated.
	} else {
		t.state.number++
		next.number = t.state.number
	}
	t.state.put(rowKey{t.account, k.Name, w.ID}, next)
	return next.record.Version, nil
}

// equalRows compares what a writer provides.
func equalRows(a, b *row) bool {
	return bytes.Equal(a.record.Doc, b.record.Doc) && bytes.Equal(a.record.Private, b.record.Private) &&
		slices.Equal(a.cols, b.cols) && slices.Equal(a.terms, b.terms)
}

func (t *tx) Delete(ctx context.Context, k *store.Kind, id store.ID) error {
	if err := t.beginKind(ctx, k, true); err != nil {
		return err
	}
	r, ok := t.row(k, id)
	if !ok {
		return store.ErrNotFound
	}
	t.state.rows = t.state.rows.remove(rowKey{t.account, k.Name, id})
	t.state.order = t.state.order.remove(orderKey{t.account, k.Name, r.number})
	t.unmark(k, id)
	return nil
}
