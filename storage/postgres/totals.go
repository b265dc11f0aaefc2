package postgres

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/jackc/pgx/v5"

	"github.com/landfallhq/tracking/store"
)

// The table totals has how many records of a kind an account has, and how many of them have
// each value of the counted columns. An update adds what it has changed at its end, once for
// each value, under the lock of the account.

// totalKey is a row of the table totals of an account. The name is empty for all records of
// the kind.
type totalKey struct {
	kind        int32
	name, value string
}

// totalValue returns a stored value of a column as the table has it.
func totalValue(v any) string {
	switch v := v.(type) {
	case string:
		return "t" + v
	case int64:
		return "i" + strconv.FormatInt(v, 10)
	case bool:
		return "b" + strconv.FormatBool(v)
	case store.ID:
		return "u" + string(v[:])
	}
	return ""
}

// totalSQL is totalValue of a column in SQL.
func totalSQL(c store.Column) string {
	name := "c_" + c.Name
	value := map[store.ColumnType]string{
		store.TextColumn: "'t'::bytea || " + name,
		store.BoolColumn: "convert_to('b' || " + name + "::text, 'UTF8')",
		store.IDColumn:   "'u'::bytea || uuid_send(" + name + ")",
	}[c.Type]
	if value == "" {
		value = "convert_to('i' || " + name + "::text, 'UTF8')"
	}
	return "coalesce(" + value + ", '')"
}

// countRow adds n to the totals of a record's values.
func (t *tx) countRow(table *table, r *row, n int64) {
	if t.totals == nil {
		t.totals = map[totalKey]int64{}
	}
	t.totals[totalKey{kind: table.no}] += n
	for _, at := range table.counted {
		t.totals[totalKey{table.no, table.columns[at].Name, totalValue(r.columns[at])}] += n
	}
}

// countUnknown adds n to the totals of the columns that this program does not know, for a
// record that has no values of them.
func (t *tx) countUnknown(table *table, n int64) {
	if table.whole == nil {
		return
	}
	for _, at := range table.whole.counted {
		if name := table.whole.columns[at].Name; table.column(name) < 0 {
			t.totals[totalKey{kind: table.no, name: name}] += n
		}
	}
}

// commitStatements return the statements that add the changed totals to the table, and count
// the commit.
func (t *tx) commitStatements() (statements []statement) {
	if !t.wrote {
		return nil
	}
	var kinds []int32
	var names, values [][]byte
	var changes []int64
	for key, n := range t.totals {
		if n != 0 {
			kinds, names, values, changes = append(kinds, key.kind), append(names, []byte(key.name)), append(values, []byte(key.value)), append(changes, n)
		}
	}
	if len(kinds) > 0 {
		statements = append(statements, statement{`INSERT INTO totals (account, kind, name, value, n) SELECT $1, * FROM unnest($2::integer[], $3::bytea[], $4::bytea[], $5::bigint[])
			ON CONFLICT (kind, account, name, value) DO UPDATE SET n = totals.n + EXCLUDED.n`, []any{t.no, kinds, names, values, changes}})
	}
	statements = append(statements, t.chunkStatements()...)
	return append(statements, statement{"UPDATE accounts SET commit = commit + 1 WHERE no = $1", []any{t.no}})
}

// keptTotal returns the statement that reads how many records match a filter, if the table
// totals has that; ok is false otherwise.
func (t *tx) keptTotal(table *table, k *store.Kind, f store.Filter, total *int) (r read, ok bool) {
	name, values := "", []string{""}
	if f.Outdated || len(f.Where) > 1 {
		return r, false
	}
	if len(f.Where) == 1 {
		c := f.Where[0]
		at := table.column(c.Name)
		if c.Op != store.Is || !slices.Contains(table.counted, at) || table.values != nil {
			return r, false
		}
		name, values = c.Name, nil
		for _, v := range c.Values {
			stored, ok := columnValue(table.columns[at].Type, v)
			if !ok {
				return r, false // the query reports it
			}
			values = append(values, totalValue(stored))
		}
		slices.Sort(values)
		values = slices.Compact(values)
	}
	var own int64 // what this update has changed
	list := make([][]byte, len(values))
	for i, v := range values {
		own += t.totals[totalKey{table.no, name, v}]
		list[i] = []byte(v)
	}
	return read{"SELECT coalesce(sum(n), 0)::bigint FROM totals WHERE kind = $1 AND account = $2 AND name = $3 AND value = ANY($4)",
		[]any{table.no, t.no, []byte(name), list}, func(rows pgx.Rows) error {
			var n int64
			err := rows.Scan(&n)
			*total = int(n + own)
			return err
		}}, true
}

// keptTotals returns the statements that read how many records the kind has, and how many
// meet each condition of a filter alone; ok is false if the table totals does not have that.
func (t *tx) keptTotals(table *table, k *store.Kind, f store.Filter) (all *int, of []*int, reads []read, ok bool) {
	if f.Outdated {
		return nil, nil, nil, false
	}
	filters := []store.Filter{{}}
	for _, c := range f.Where {
		filters = append(filters, store.Filter{Where: []store.Cond{c}})
	}
	for _, f := range filters {
		total := new(int)
		r, ok := t.keptTotal(table, k, f, total)
		if !ok {
			return nil, nil, nil, false
		}
		of, reads = append(of, total), append(reads, r)
	}
	return of[0], of[1:], reads, true
}

// keepTotals begins to keep the totals of further columns, and ends to keep those of others.
// No row has a value of an added column, so nothing is counted for these. No update runs
// meanwhile.
func (t *tx) keepTotals(table *table, before, now, added []string) error {
	kept, err := json.Marshal(now)
	if err != nil {
		return err
	}
	t.queue("UPDATE kinds SET kept = $1 WHERE no = $2", string(kept), table.no)
	if before == nil {
		t.queue("INSERT INTO totals (account, kind, name, value, n) SELECT account, $1, '', '', count(*) FROM "+table.name+" GROUP BY account", table.no)
	}
	for _, name := range before {
		if !slices.Contains(now, name) || slices.Contains(added, name) {
			t.queue("DELETE FROM totals WHERE kind = $1 AND name = $2", table.no, []byte(name))
		}
	}
	for _, name := range now {
		switch i := table.column(name); {
		case slices.Contains(added, name):
			t.queue("INSERT INTO totals (account, kind, name, value, n) SELECT account, kind, $2, '', n FROM totals WHERE kind = $1 AND name = ''", table.no, []byte(name))
		case !slices.Contains(before, name) && i >= 0:
			value := totalSQL(table.columns[i])
			t.queue("INSERT INTO totals (account, kind, name, value, n) SELECT account, $1, $2, "+value+", count(*) FROM "+table.name+" GROUP BY account, "+value, table.no, []byte(name))
		}
	}
	return t.send()
}

// countedNames returns the names of the columns whose totals are kept, sorted.
func countedNames(columns []store.Column) []string {
	names := []string{}
	for _, c := range columns {
		if c.Counted {
			names = append(names, c.Name)
		}
	}
	slices.Sort(names)
	return names
}
