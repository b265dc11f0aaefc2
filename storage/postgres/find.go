package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/landfallhq/tracking/store"
)

// Find implements store.RecordTx.
func (t *tx) Find(ctx context.Context, k *store.Kind, c store.Cond, limit int) ([]store.ID, error) {
	found, err := t.FindEach(ctx, []store.Lookup{{Kind: k, Cond: c, Limit: limit}})
	if err != nil {
		return nil, err
	}
	return found[0], nil
}

// FindEach implements store.RecordTx. It sends all lookups together.
func (t *tx) FindEach(ctx context.Context, lookups []store.Lookup) ([][]store.ID, error) {
	if len(lookups) == 0 {
		return nil, t.begin(ctx, false)
	}
	for {
		found, err := t.findEach(ctx, lookups)
		if err != nil || found != nil {
			return found, err
		}
		// Another node has changed the tables of kinds.
		if t.prepared, err = t.store.reload(t, t.storedVersion()); err != nil {
			return nil, err
		}
	}
}

// findEach is FindEach. It returns nil if a column is used and the tables of kinds are other
// ones than this process knew.
func (t *tx) findEach(ctx context.Context, lookups []store.Lookup) ([][]store.ID, error) {
	found, incomplete, tables := make([][]store.ID, len(lookups)), make([]bool, len(lookups)), make([]*table, len(lookups))
	var reads []read
	byColumn := false
	for i, lookup := range lookups {
		table, err := t.beginKind(ctx, lookup.Kind, false)
		if err != nil {
			return nil, err
		}
		if lookup.Cond.Op == store.Is {
			err = lookup.Kind.CheckIndexed(lookup.Cond.Name)
		}
		if err != nil {
			return nil, err
		}
		one, err := t.lookupRead(table, lookup, &found[i])
		if err != nil {
			return nil, err
		}
		tables[i], byColumn = table, byColumn || lookup.Cond.Op == store.Is
		reads = append(append(reads, one), t.probes(table, lookupGaps(table, lookup), &incomplete[i])...)
	}
	if err := t.send(reads...); err != nil || byColumn && t.storedVersion() != t.prepared.version {
		return nil, err
	}
	for i, lookup := range lookups {
		if !incomplete[i] {
			continue
		}
		complete, err := t.complete(tables[i], lookup.Kind, lookupGaps(tables[i], lookup))
		if err != nil {
			return nil, err
		}
		found[i] = nil
		one, err := t.lookupRead(complete, lookup, &found[i])
		if err == nil {
			err = t.send(one)
		}
		if err != nil {
			return nil, err
		}
	}
	return found, nil
}

// lookupGaps returns the column of a Find if it has a gap.
func lookupGaps(t *table, l store.Lookup) []int {
	return t.withGaps(t.columnsOf(store.Filter{Where: []store.Cond{l.Cond}}))
}

// lookupRead returns the statement that appends the IDs of a Find to found.
func (t *tx) lookupRead(table *table, l store.Lookup, found *[]store.ID) (read, error) {
	q, err := t.lookup(table, l)
	if err != nil {
		return read{}, err
	}
	return read{q.String(), q.args, func(rows pgx.Rows) error {
		var id store.ID
		err := rows.Scan((*[16]byte)(&id))
		*found = append(*found, id)
		return err
	}}, nil
}

// lookup returns the statement of a Find.
func (t *tx) lookup(table *table, l store.Lookup) (*query, error) {
	if len(l.Cond.Values) != 1 || l.Limit < 1 {
		return nil, fmt.Errorf("postgres: Find of %d values, at most %d", len(l.Cond.Values), l.Limit)
	}
	q := &query{}
	var err error
	switch l.Cond.Op {
	case store.Is:
		q.add("SELECT id FROM ")
		q.addFrom(t, table)
		q.add(" WHERE account = ? AND ", t.no)
		err = q.addColumnCondition(table, l.Kind, l.Cond)
		q.add(" ORDER BY rid DESC LIMIT ?", l.Limit)
	case store.Has:
		q.add("SELECT id FROM terms WHERE ")
		err = q.addTermCondition(t, table, l.Kind, l.Cond)
		q.add(" ORDER BY rid DESC LIMIT ?", l.Limit)
	case store.HasPrefix:
		q.add("SELECT id FROM (SELECT rid, id FROM terms WHERE ")
		err = q.addTermCondition(t, table, l.Kind, l.Cond)
		q.add(" ORDER BY value, rid LIMIT ?) AS entries GROUP BY rid, id ORDER BY rid DESC", l.Limit)
	default:
		return nil, fmt.Errorf("postgres: kind %s: Find of %q by comparison %d", l.Kind.Name, l.Cond.Name, l.Cond.Op)
	}
	return q, err
}

// Links implements store.RecordTx.
func (t *tx) Links(ctx context.Context, k *store.Kind, name string, values []store.ID) ([]store.Link, error) {
	base, err := t.beginKind(ctx, k, false)
	if err == nil {
		err = k.CheckIndexed(name)
	}
	if err != nil || len(values) == 0 {
		return nil, err
	}
	var columns []int
	if at := base.column(name); at >= 0 {
		columns = append(columns, at)
	}
	var links []store.Link
	err = t.onColumns(base, k, columns, func(table *table, probes []read) (err error) {
		links, err = t.links(table, name, values, probes)
		return err
	})
	return links, err
}

// links reads the pairs. It sends the probes too.
func (t *tx) links(table *table, name string, values []store.ID, probes []read) (links []store.Link, err error) {
	byText := make(map[string]store.ID, len(values))
	var ids [][16]byte
	var texts [][]byte
	for _, v := range values {
		if _, twice := byText[v.String()]; !twice {
			byText[v.String()] = v
			ids, texts = append(ids, v), append(texts, []byte(v.String()))
		}
	}
	q := &query{}
	q.add("SELECT rid, value, id FROM terms WHERE kind = ? AND account = ? AND name = ? AND value = ANY(?)", table.no, t.no, []byte(name), texts)
	if at := table.column(name); at >= 0 {
		switch table.columns[at].Type {
		case store.IDColumn:
			q.add(" UNION SELECT rid, convert_to(c_" + name + "::text, 'UTF8'), id FROM ")
			q.addFrom(t, table)
			q.add(" WHERE account = ? AND c_"+name+" = ANY(?)", t.no, ids)
		case store.TextColumn:
			q.add(" UNION SELECT rid, c_" + name + ", id FROM ")
			q.addFrom(t, table)
			q.add(" WHERE account = ? AND c_"+name+" = ANY(?)", t.no, texts)
		}
	}
	q.add(" ORDER BY 1")
	err = t.send(append(probes, read{q.String(), q.args, func(rows pgx.Rows) error {
		var rid int64
		var text []byte
		var link store.Link
		err := rows.Scan(&rid, &text, (*[16]byte)(&link.ID))
		link.Of = byText[string(text)]
		links = append(links, link)
		return err
	}})...)
	return links, err
}
