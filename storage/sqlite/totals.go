//go:build cgo

package sqlite

import (
	"context"
	"database/sql/driver"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/landfallhq/tracking/store"
)

// Next to the rows of a kind, the store keeps the gaps in their numbers (see
// gaps.go), the totals of counted columns and an index of facets (see filter.go).
// Triggers maintain gaps and totals, so that they stay correct when other processes
// write rows, and when a savepoint is rolled back.

// keptSettings is what is kept for a kind, as recorded in kinds.kept.
type keptSettings struct {
	Layout    int // raised when the statements of objects change
	Counted   []store.Column
	Facets    []string
	Unindexed []string `json:",omitempty"`
	Sparse    []string `json:",omitempty"`
}

// keptLayout is the Layout of this program. Statements name indexes: a step of the schema that
// former programs refuse must come with every column that becomes Unindexed.
const keptLayout = 4

func (t *table) keptSettings() string {
	k := keptSettings{Layout: keptLayout, Facets: t.facets}
	for _, c := range t.columns {
		if t.hasTotals(c.Name) {
			k.Counted = append(k.Counted, c)
		}
		if c.Unindexed {
			k.Unindexed = append(k.Unindexed, c.Name)
		}
		if c.Sparse {
			k.Sparse = append(k.Sparse, c.Name)
		}
	}
	text, _ := json.Marshal(k) // cannot fail for names and numbers
	return string(text)
}

// triggers returns the statements that create the triggers of a kind.
func (t *table) triggers() []string {
	var inserted, deleted, statements []string
	for _, name := range t.counted {
		row := func(which string, n int) string {
			return fmt.Sprintf("(%d, %s.account, '%s', ifnull(%s.c_%s, x''), %d)", t.no, which, name, which, name, n)
		}
		inserted, deleted = append(inserted, row("NEW", 1)), append(deleted, row("OLD", -1))
		statements = append(statements, fmt.Sprintf("CREATE TRIGGER %[1]s_n_%[2]s AFTER UPDATE OF c_%[2]s ON %[1]s WHEN OLD.c_%[2]s IS NOT NEW.c_%[2]s BEGIN %[3]s END",
			t.name, name, addTotals(row("OLD", -1), row("NEW", 1))))
	}
	if len(inserted) > 0 {
		statements = append(statements, "CREATE TRIGGER "+t.name+"_inserted AFTER INSERT ON "+t.name+" BEGIN "+addTotals(inserted...)+" END")
		deleted = []string{addTotals(deleted...)}
	}
	deleted = append(deleted, t.noteGap())
	return append(statements, "CREATE TRIGGER "+t.name+"_deleted AFTER DELETE ON "+t.name+" BEGIN "+strings.Join(deleted, " ")+" END")
}

// objects returns the statements that create the indexes and triggers of the table.
func (t *table) objects() []string {
	statements := []string{t.createIDs(), t.createOutdated()}
	for _, c := range t.columns {
		if !c.Unindexed {
			statements = append(statements, t.createIndex(c))
		}
	}
	if t.facets != nil {
		statements = append(statements, t.createFacets())
	}
	return append(statements, t.triggers()...)
}

// install makes the indexes and triggers of the table those of this program, and
// counts all rows if a trigger was another.
func (t *table) install(c *conn) error {
	have, err := t.installed(c)
	if err != nil {
		return err
	}
	wanted := map[string]bool{}
	for _, sql := range t.objects() {
		wanted[sql] = true
	}
	recount := false
	for _, o := range have {
		if wanted[o.sql] {
			delete(wanted, o.sql)
			continue
		}
		recount = recount || o.typ == "trigger"
		if err := c.exec("DROP " + o.typ + " " + o.name); err != nil {
			return err
		}
	}
	for _, sql := range t.objects() {
		if !wanted[sql] {
			continue
		}
		recount = recount || strings.HasPrefix(sql, "CREATE TRIGGER")
		if err := c.exec(sql); err != nil {
			return err
		}
	}
	if recount {
		if err := t.recount(c); err != nil {
			return err
		}
	}
	return c.exec("UPDATE kinds SET kept = ? WHERE no = ?", t.keptSettings(), t.no)
}

// installed returns the indexes and triggers of this store that the table has.
func (t *table) installed(c *conn) (have []object, err error) {
	err = c.query("SELECT type, name, sql FROM sqlite_schema WHERE tbl_name = ? AND type <> 'table' AND sql IS NOT NULL ORDER BY rowid", []driver.Value{t.name}, func(v []driver.Value) error {
		if name := text(v[1]); strings.HasPrefix(name, t.name+"_") {
			have = append(have, object{typ: text(v[0]), name: name, sql: text(v[2])})
		}
		return nil
	})
	return have, err
}

// uninstall drops what install has made.
func (t *table) uninstall(c *conn) error {
	have, err := t.installed(c)
	for _, o := range have {
		err = errors.Join(err, c.exec("DROP "+o.typ+" "+o.name))
	}
	return err
}

// recount counts all rows of the kind and stores the results.
func (t *table) recount(c *conn) error {
	if err := t.recountTotals(c); err != nil {
		return err
	}
	return t.recountGaps(c)
}

// Mismatch is a kept total or gap that does not agree with the records.
type Mismatch struct {
	// Kind is the kind's name.
	Kind string
	// What describes the mismatch in one line.
	What string
}

func (m Mismatch) String() string { return m.Kind + ": " + m.What }

// CheckTotals counts all records and compares the results with the kept totals and
// gaps, on one snapshot. It does not need Prepare.
func (s *Store) CheckTotals(ctx context.Context) ([]Mismatch, error) {
	c, err := s.acquireReader(ctx)
	if err != nil {
		return nil, err
	}
	defer s.releaseReader(c)
	var found []Mismatch
	err = c.transaction("BEGIN", func() error {
		tables, err := keptTables(c)
		if err != nil {
			return err
		}
		for _, t := range tables {
			if err := ctx.Err(); err != nil {
				return err
			}
			wrong, err := t.check(c)
			if err != nil {
				return err
			}
			for _, what := range wrong {
				found = append(found, Mismatch{strings.TrimPrefix(t.name, "r_"), what})
			}
		}
		return nil
	})
	return found, err
}

// RepairTotals counts all records and stores correct totals and gaps. Writers wait
// for it: some seconds for millions of records.
func (s *Store) RepairTotals(ctx context.Context) error {
	return s.writeAlone(ctx, func(c *conn) error {
		tables, err := keptTables(c)
		if err != nil {
			return err
		}
		for _, t := range tables {
			if err := t.recount(c); err != nil {
				return err
			}
		}
		return raiseCommitAfterRepair(c)
	})
}

// keptTables returns the kinds that have totals or gaps, with only the fields that
// checking needs.
func keptTables(c *conn) ([]*table, error) {
	var tables []*table
	err := c.query("SELECT no, name, kept FROM kinds WHERE kept <> '' ORDER BY no", nil, func(v []driver.Value) error {
		var k keptSettings
		if err := json.Unmarshal([]byte(v[2].(string)), &k); err != nil {
			return err
		}
		t := &table{no: v[0].(int64), name: "r_" + v[1].(string)}
		for _, column := range k.Counted {
			t.counted = append(t.counted, column.Name)
		}
		tables = append(tables, t)
		return nil
	})
	return tables, err
}

// check returns a line for each wrong number.
func (t *table) check(c *conn) ([]string, error) {
	wrong, err := t.checkTotals(c)
	if err != nil {
		return nil, err
	}
	have, err := t.storedGaps(c)
	if err != nil {
		return nil, err
	}
	// Of an account whose number of gaps is wrong nothing is said by chunk: a damaged
	// number has billions of them.
	skipped := map[int64]bool{}
	want, err := t.countGaps(c, func(account, gaps int64) (bool, error) {
		skipped[account] = have[gapChunk{account, seqBits, 0}] != gaps
		return !skipped[account], nil
	})
	if err != nil {
		return nil, err
	}
	chunks := maps.Clone(want)
	maps.Copy(chunks, have)
	for _, h := range slices.SortedFunc(maps.Keys(chunks), gapChunk.compare) {
		if want[h] != have[h] && (h.bits == seqBits || !skipped[h.account]) {
			wrong = append(wrong, fmt.Sprintf("%d gaps are kept for chunk %d of 2^%d numbers of account %d, but there are %d", have[h], h.chunk, h.bits, h.account, want[h]))
		}
	}
	return wrong, nil
}

// hasTotals reports whether the totals of a column are kept.
func (t *table) hasTotals(name string) bool { return slices.Contains(t.counted, name) }

// addTotals returns the trigger statement that adds to totals.
func addTotals(rows ...string) string {
	return "INSERT INTO totals (kind, account, name, value, n) VALUES " + strings.Join(rows, ", ") +
		" ON CONFLICT DO UPDATE SET n = n + excluded.n;"
}

// keptTotal returns how many records match f, if the kept totals say: for no
// condition, and for values of one counted column.
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
			return 0, false, nil // so many values must have one type; counted instead
		}
		values = append(values, []byte{})
	}
	q := &query{}
	q.add("SELECT sum(n) FROM totals WHERE kind = ? AND account = ? AND name = ? AND value ", table.no, t.accountNo, c.Name)
	q.in(table.columns[table.column(c.Name)].Type, values)
	total, _, err = t.queryInt(q.String(), q.args...)
	return total, true, err
}

// countedRows selects the totals of the kind as counted from the rows.
func (t *table) countedRows() string {
	selects := make([]string, len(t.counted))
	for i, name := range t.counted {
		selects[i] = fmt.Sprintf("SELECT %d, account, '%s', ifnull(c_%s, x''), count(*) FROM %s GROUP BY account, c_%s", t.no, name, name, t.name, name)
	}
	return strings.Join(selects, " UNION ALL ")
}

// recountTotals stores the totals as counted from the rows.
func (t *table) recountTotals(c *conn) error {
	if err := c.exec("DELETE FROM totals WHERE kind = ?", t.no); err != nil || len(t.counted) == 0 {
		return err
	}
	return c.exec("INSERT INTO totals (kind, account, name, value, n) " + t.countedRows())
}

// checkTotals returns a line for each total that differs from the count of the
// rows.
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
		wrong = append(wrong, fmt.Sprintf("the total of %s = %v in account %d is kept as %d, but there are %d", v[1], v[2], v[0], v[3], v[4]))
		return nil
	})
	return wrong, err
}
