//go:build cgo

package sqlite

import (
	"context"
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/landfallhq/tracking/store"
)

// What is kept beside the rows of a kind: the holes in their numbers (see
// holes.go), the totals of their counted columns (see totals.go) and an index
// of their facets (see filter.go). Triggers keep the first two, so that whatever writes rows keeps them too: this program, another
// that has the file open, and what is rolled back to a savepoint.

// keptSettings is what is kept for a kind, as kinds.kept remembers it.
type keptSettings struct {
	Layout  int // changes when the statements below do
	Counted []store.Column
	Facets  []string
}

// keptLayout is the Layout of this program.
const keptLayout = 3

func (t *table) keptSettings() string {
	k := keptSettings{Layout: keptLayout, Facets: t.facets}
	for _, c := range t.columns {
		if t.hasTotals(c.Name) {
			k.Counted = append(k.Counted, c)
		}
	}
	text, _ := json.Marshal(k) // names and numbers always can
	return string(text)
}

// triggers returns the statements that make the triggers of a kind.
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

// installKept makes the triggers and the index of the facets be those of this program
// and counts all rows.
func (t *table) installKept(c *conn) error {
	if err := t.dropKept(c); err != nil {
		return err
	}
	statements := t.triggers()
	if t.facets != nil {
		statements = append(statements, t.createFacets())
	}
	for _, sql := range statements {
		if err := c.exec(sql); err != nil {
			return err
		}
	}
	if err := t.recount(c); err != nil {
		return err
	}
	return c.exec("UPDATE kinds SET kept = ? WHERE no = ?", t.keptSettings(), t.no)
}

// dropKept takes triggers and facets away: a column that one of them names cannot
// be dropped.
func (t *table) dropKept(c *conn) error {
	if err := c.exec("DROP INDEX IF EXISTS " + t.name + "_facets"); err != nil {
		return err
	}
	var names []string
	err := c.query("SELECT name FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = ?", []driver.Value{t.name}, func(v []driver.Value) error {
		names = append(names, v[0].(string))
		return nil
	})
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := c.exec("DROP TRIGGER " + name); err != nil {
			return err
		}
	}
	return nil
}

// recount counts all rows of the kind anew.
func (t *table) recount(c *conn) error {
	if err := t.recountTotals(c); err != nil {
		return err
	}
	return t.recountGaps(c)
}

// Mismatch is something that the store keeps beside the records of a kind and
// that does not agree with them.
type Mismatch struct {
	// Kind is the kind's name.
	Kind string
	// What is one line about what is wrong.
	What string
}

func (m Mismatch) String() string { return m.Kind + ": " + m.What }

// CheckTotals counts all records and compares with the totals and holes that are
// kept, on one snapshot. It needs no Prepare.
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

// RepairTotals counts all records anew and writes totals and holes as they should
// be. Writers wait meanwhile: some seconds for millions of records.
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

// keptTables returns the kinds of the file that have something kept, with no
// more than what checking it needs.
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

// check returns a line for each number that is kept wrongly.
func (t *table) check(c *conn) ([]string, error) {
	wrong, err := t.checkTotals(c)
	if err != nil {
		return nil, err
	}
	want, err := t.countGaps(c)
	if err != nil {
		return nil, err
	}
	have, err := t.storedGaps(c)
	if err != nil {
		return nil, err
	}
	chunks := maps.Clone(want)
	maps.Copy(chunks, have)
	for _, h := range slices.SortedFunc(maps.Keys(chunks), gapChunk.compare) {
		if want[h] != have[h] {
			wrong = append(wrong, fmt.Sprintf("%d holes are kept for chunk %d of 2^%d numbers of account %d, and there are %d", have[h], h.chunk, h.bits, h.account, want[h]))
		}
	}
	return wrong, nil
}
