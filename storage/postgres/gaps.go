package postgres

import (
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"github.com/landfallhq/tracking/store"
)

// A column is not filled when it is added, since nodes of the former version go on writing
// rows without it. The engine writes all these rows again when the last such node has ended.
// Until then a query that uses the column asks whether the account has such rows. If it has,
// their values are computed from the records, and the query runs on these.

// gap are the revisions whose rows have no value of a column that can be used.
type gap struct {
	// Since is the revision that has added the column; empty for the first one.
	Since string `json:",omitempty"`
	// Until is the first revision without the column; empty if the latest one has it.
	Until string `json:",omitempty"`
}

// add extends the gap by another one.
func (g gap) add(other gap) gap {
	g.Since = max(g.Since, other.Since)
	if other.Until != "" && (g.Until == "" || other.Until < g.Until) {
		g.Until = other.Until
	}
	return g
}

// has reports whether a revision is in the gap.
func (g gap) has(revision string) bool {
	return revision < g.Since || g.Until != "" && revision >= g.Until
}

// condition is the condition on rows in the gap.
func (g gap) condition(q *query) {
	switch {
	case g.Until == "":
		q.add("revision < ?", g.Since)
	case g.Since == "":
		q.add("revision >= ?", g.Until)
	default:
		q.add("(revision < ? OR revision >= ?)", g.Since, g.Until)
	}
}

// columnsOf returns the columns that a filter and its order use.
func (t *table) columnsOf(f store.Filter) (columns []int) {
	var names []string
	for _, c := range f.Where {
		if c.Op == store.Is || c.Op == store.From || c.Op == store.To {
			names = append(names, c.Name)
		}
	}
	for _, o := range f.Sort {
		if !o.Mark {
			names = append(names, o.Name)
		}
	}
	for _, name := range names {
		if i := t.column(name); i >= 0 && !slices.Contains(columns, i) {
			columns = append(columns, i)
		}
	}
	return columns
}

// withGaps returns those of the columns that have gaps, each once.
func (t *table) withGaps(columns []int) []int {
	columns = slices.Compact(slices.Sorted(slices.Values(columns)))
	return slices.DeleteFunc(columns, func(i int) bool { return i >= len(t.gaps) || t.gaps[i] == gap{} })
}

// sameColumns compares the columns of two forms of a row, but those of which the stored one
// has no value yet.
func (t *table) sameColumns(stored, now *row) bool {
	for i := range t.columns {
		if stored.columns[i] != now.columns[i] && !(i < len(t.gaps) && t.gaps[i].has(stored.revision)) {
			return false
		}
	}
	return true
}

// gapOf returns the gap of some columns together.
func (t *table) gapOf(columns []int) (g gap) {
	for _, i := range columns {
		g = g.add(t.gaps[i])
	}
	return g
}

// onColumns calls query for a table whose columns are used. It passes statements that query
// must send together with its own, and calls it again with another table if these show that
// rows lack values of the columns: first where another node has changed the tables of kinds,
// and then with the values computed.
func (t *tx) onColumns(table *table, k *store.Kind, columns []int, query func(*table, []read) error) error {
	incomplete := false
	if err := query(table, t.probes(table, table.withGaps(columns), &incomplete)); err != nil {
		return err
	}
	if version := t.storedVersion(); len(columns) > 0 && version != t.prepared.version {
		reloaded, err := t.reloadKind(k, version)
		if err != nil {
			return err
		}
		return t.onColumns(reloaded, k, columns, query)
	}
	if !incomplete {
		return nil
	}
	complete, err := t.complete(table, k, table.withGaps(columns))
	if err != nil {
		return err
	}
	return query(complete, nil)
}

// storedVersion returns the version of the tables of kinds in the database. An Update has
// compared it when it has locked the account.
func (t *tx) storedVersion() int64 {
	if t.steps == nil {
		return t.prepared.version
	}
	return t.steps.version
}

// reloadKind reads the kinds again and returns the table of one.
func (t *tx) reloadKind(k *store.Kind, version int64) (_ *table, err error) {
	if t.prepared, err = t.store.reload(t, version); err != nil {
		return nil, err
	}
	return t.tableOf(k)
}

// probes returns the statement that sets found if the account has rows in the gap of the
// columns; none without columns.
func (t *tx) probes(table *table, columns []int, found *bool) []read {
	if len(columns) == 0 {
		return nil
	}
	q := &query{}
	q.add("SELECT 1 FROM "+table.name+" WHERE account = ? AND ", t.no)
	table.gapOf(columns).condition(q)
	q.add(" LIMIT 1")
	return []read{{q.String(), q.args, func(pgx.Rows) error { *found = true; return nil }}}
}

// columnValues are computed values of columns, by row.
type columnValues struct {
	columns []int
	rids    []int64
	values  []any // for each of columns, an array with a value for each row
}

// complete returns the table with the values that its rows lack in some columns.
func (t *tx) complete(table *table, k *store.Kind, columns []int) (*table, error) {
	if k.Render == nil {
		return nil, fmt.Errorf("postgres: kind %s has new columns, but no Render to compute their values", k.Name)
	}
	v := &columnValues{columns: columns, values: make([]any, len(columns))}
	for i, at := range columns {
		v.values[i] = emptyArray(table.columns[at].Type)
	}
	for last := int64(-1); ; {
		n := len(v.rids)
		rows, err := t.rowsInGap(table, columns, last)
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			if err := v.addRow(table, k, r); err != nil {
				return nil, err
			}
		}
		if len(v.rids) == n {
			break
		}
		last = v.rids[len(v.rids)-1]
	}
	completed := *table
	completed.values = v
	return &completed, nil
}

// gapBatch is how many rows are read at a time to compute values.
const gapBatch = 500

// rowsInGap reads the next rows of the account, in order of creation.
func (t *tx) rowsInGap(table *table, columns []int, last int64) (rows []*row, err error) {
	q := &query{}
	q.add("SELECT rid, "+table.recordColumns+" FROM "+table.name+" WHERE account = ? AND rid > ? AND ", t.no, last)
	table.gapOf(columns).condition(q)
	q.add(" ORDER BY rid LIMIT ?", gapBatch)
	err = t.query(q.String(), q.args, func(result pgx.Rows) error {
		r := newRow(table)
		rows = append(rows, r)
		return result.Scan(&r.rid, (*[16]byte)(&r.id), &r.version, &r.revision, &r.doc, &r.private)
	})
	return rows, err
}

func (v *columnValues) addRow(table *table, k *store.Kind, r *row) error {
	w, err := k.Render(r.record())
	if err != nil {
		return fmt.Errorf("postgres: render %s %s: %w", k.Name, r.id, err)
	}
	w.ID = r.id
	rendered, err := rowOf(table, k, w)
	if err != nil {
		return err
	}
	v.rids = append(v.rids, r.rid)
	for i, at := range v.columns {
		v.values[i] = appendValue(v.values[i], rendered.columns[at])
	}
	return nil
}

// emptyArray returns an array of a type of columns, whose elements may be NULL.
func emptyArray(t store.ColumnType) any {
	switch t {
	case store.TextColumn:
		return [][]byte{}
	case store.BoolColumn:
		return []pgtype.Bool{}
	case store.IDColumn:
		return []pgtype.UUID{}
	}
	return []pgtype.Int8{}
}

// appendValue appends a stored value, or nil, to an array.
func appendValue(array, value any) any {
	switch a := array.(type) {
	case [][]byte:
		if text, ok := value.(string); ok {
			return append(a, append([]byte{}, text...))
		}
		return append(a, nil)
	case []pgtype.Bool:
		b, ok := value.(bool)
		return append(a, pgtype.Bool{Bool: b, Valid: ok})
	case []pgtype.UUID:
		id, ok := value.(store.ID)
		return append(a, pgtype.UUID{Bytes: id, Valid: ok})
	}
	n, ok := value.(int64)
	return append(array.([]pgtype.Int8), pgtype.Int8{Int64: n, Valid: ok})
}

// addFrom adds the table, or what has its rows, under its name, with computed values.
func (q *query) addFrom(t *tx, table *table) {
	if table.values == nil {
		q.add(table.name)
		return
	}
	v := table.values
	q.add("(SELECT t.rid, t.account, t.id, t.revision")
	for i, c := range table.columns {
		name := "c_" + c.Name
		if slices.Contains(v.columns, i) {
			q.add(", CASE WHEN computed.rid IS NULL THEN t." + name + " ELSE computed." + name + " END AS " + name)
		} else {
			q.add(", t." + name)
		}
	}
	q.add(" FROM "+table.name+" t LEFT JOIN unnest(?::bigint[]", v.rids)
	names := "rid"
	for i, at := range v.columns {
		q.add(", ?::"+sqlType(table.columns[at].Type)+"[]", v.values[i])
		names += ", c_" + table.columns[at].Name
	}
	q.add(") AS computed ("+names+") USING (rid) WHERE t.account = ?) AS "+table.name, t.no)
}
