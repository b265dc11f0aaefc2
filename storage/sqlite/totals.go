//go:build cgo

package sqlite

import (
	"database/sql/driver"
	"fmt"
	"slices"
	"strings"

	"github.com/landfallhq/tracking/store"
)

// Totals are the numbers of records with each value of the counted columns.

// hasTotals reports whether the totals of a column are kept.
func (t *table) hasTotals(name string) bool { return slices.Contains(t.counted, name) }

// addTotals returns the statement of a trigger that adds to totals.
func addTotals(rows ...string) string {
	return "INSERT INTO totals (kind, account, name, value, n) VALUES " + strings.Join(rows, ", ") +
		" ON CONFLICT DO UPDATE SET n = n + excluded.n;"
}

// keptTotal returns how many records match f from what is kept, if it tells:
// for no condition at all, and for values of one counted column.
func (t *tx) keptTotal(table *table, k *store.Kind, f store.Filter) (total int64, ok bool, err error) {
	switch {
	case f.Outdated || len(f.Where) > 1:
		return 0, false, nil
	case len(f.Where) == 0:
		s, err := t.span(table)
		return s.total(), true, err
	case byMark(f.Where[0]):
		return t.markTotal(table, f.Where[0])
	case f.Where[0].Op != store.Is || !table.hasTotals(f.Where[0].Name):
		return 0, false, nil
	}
	c := f.Where[0]
	values, null, err := table.values(k, c)
	if err != nil {
		return 0, false, err
	}
	if null {
		if len(values) >= maxIn {
			return 0, false, nil // counted instead: so many values must be of one type
		}
		values = append(values, []byte{})
	}
	q := &query{}
	q.add("SELECT sum(n) FROM totals WHERE kind = ? AND account = ? AND name = ? AND value ", table.no, t.accountNo, c.Name)
	q.in(table.columns[table.column(c.Name)].Type, values)
	total, _, err = t.queryInt(q.String(), q.args...)
	return total, true, err
}

// countedRows selects what totals of the kind ought to be.
func (t *table) countedRows() string {
	selects := make([]string, len(t.counted))
	for i, name := range t.counted {
		selects[i] = fmt.Sprintf("SELECT %d, account, '%s', ifnull(c_%s, x''), count(*) FROM %s GROUP BY account, c_%s", t.no, name, name, t.name, name)
	}
	return strings.Join(selects, " UNION ALL ")
}

// recountTotals writes the totals as the rows have them.
func (t *table) recountTotals(c *conn) error {
	if err := c.exec("DELETE FROM totals WHERE kind = ?", t.no); err != nil || len(t.counted) == 0 {
		return err
	}
	return c.exec("INSERT INTO totals (kind, account, name, value, n) " + t.countedRows())
}

// checkTotals returns a line for each total that is not what the rows have.
func (t *table) checkTotals(c *conn) (wrong []string, err error) {
	kept := fmt.Sprintf("SELECT kind, account, name, value, n FROM totals WHERE kind = %d AND n <> 0", t.no)
	counted := "SELECT NULL, NULL, NULL, NULL, NULL WHERE 0"
	if len(t.counted) > 0 {
		counted = t.countedRows()
	}
	err = c.query("WITH kept (kind, account, name, value, n) AS ("+kept+"), counted (kind, account, name, value, n) AS ("+counted+`),
		wrong (account, name, value) AS (
			SELECT account, name, value FROM (SELECT * FROM kept EXCEPT SELECT * FROM counted)
			UNION SELECT account, name, value FROM (SELECT * FROM counted EXCEPT SELECT * FROM kept))
		SELECT account, name, quote(value),
			ifnull((SELECT n FROM kept k WHERE k.account = w.account AND k.name = w.name AND k.value = w.value), 0),
			ifnull((SELECT n FROM counted k WHERE k.account = w.account AND k.name = w.name AND k.value = w.value), 0)
		FROM wrong w ORDER BY 1, 2, 3`, nil, func(v []driver.Value) error {
		wrong = append(wrong, fmt.Sprintf("the total of %s = %v in account %d is kept as %d, and there are %d", v[1], v[2], v[0], v[3], v[4]))
		return nil
	})
	return wrong, err
}
