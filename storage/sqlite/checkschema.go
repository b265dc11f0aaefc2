//go:build cgo

package sqlite

import (
	"cmp"
	"context"
	"database/sql/driver"
	"fmt"
	"maps"
	"slices"

	"github.com/landfallhq/tracking/store"

	"github.com/mattn/go-sqlite3"
)

// object is a table, an index or a trigger.
type object struct {
	typ, name, sql string
	columns        map[string]string // types by name, for a table
}

// schema compares the tables, indexes and triggers of the file with those of a new
// one. Indexes and triggers are created again; a table is not, because its content
// is lost.
func (c *check) schema(ctx context.Context) error {
	var have, want map[string]object
	err := c.read(ctx, "the schema", func(r *conn) (err error) {
		if have, err = objects(r); err != nil {
			return err
		}
		want, err = c.model(r)
		return err
	})
	if err != nil {
		return err
	}
	for _, w := range slices.SortedFunc(maps.Values(want), func(a, b object) int { return cmp.Compare(a.name, b.name) }) {
		h, ok := have[w.name]
		switch {
		case w.typ == "table" && !ok:
			c.problem(store.Problem{Kind: "schema", What: "table " + w.name + " is missing"})
		case w.typ == "table":
			for _, column := range slices.Sorted(maps.Keys(w.columns)) {
				if got := h.columns[column]; got != w.columns[column] {
					c.problem(store.Problem{Kind: "schema", What: fmt.Sprintf("column %s of table %s has the type %q, not %s", column, w.name, got, w.columns[column])})
				}
			}
		case !ok || h.sql != w.sql:
			what := w.typ + " " + w.name + " is missing"
			if ok {
				what = w.typ + " " + w.name + " has a different definition"
			}
			repaired, err := c.repair(ctx, what, func(tx *conn) error {
				if err := tx.exec("DROP " + w.typ + " IF EXISTS " + w.name); err != nil {
					return err
				}
				return tx.exec(w.sql)
			})
			if err != nil {
				return err
			}
			c.problem(store.Problem{Kind: "schema", What: what, Repaired: repaired})
		}
	}
	return nil
}

// objects reads the schema of a file, without the objects that SQLite creates by
// itself, which have no SQL.
func objects(r *conn) (map[string]object, error) {
	all := map[string]object{}
	err := r.query("SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name <> 'schema_migrations'", nil, func(v []driver.Value) error {
		o := object{typ: text(v[0]), name: text(v[1]), sql: text(v[2])}
		all[o.name] = o
		return nil
	})
	if err != nil {
		return nil, err
	}
	for name, o := range all {
		if o.typ != "table" {
			continue
		}
		o.columns = map[string]string{}
		err := r.query("SELECT name, type FROM pragma_table_info(?)", []driver.Value{name}, func(v []driver.Value) error {
			o.columns[text(v[0])] = text(v[1])
			return nil
		})
		if err != nil {
			return nil, err
		}
		all[name] = o
	}
	return all, nil
}

// model returns the schema of a new file with these kinds, each with the number
// that it has in the file that r reads.
func (c *check) model(r *conn) (map[string]object, error) {
	steps, err := readMigrations(migrationFiles)
	if err != nil {
		return nil, err
	}
	opened, err := (&sqlite3.SQLiteDriver{}).Open(":memory:")
	if err != nil {
		return nil, err
	}
	m := &conn{c: opened.(*sqlite3.SQLiteConn), stmts: map[string]*sqlite3.SQLiteStmt{}}
	defer m.close()
	for _, step := range steps {
		if _, err := m.c.Exec(step.sql, nil); err != nil {
			return nil, wrap(err)
		}
	}
	numbers, revisions := map[string]int64{}, map[string]string{}
	err = r.query("SELECT name, no, revision FROM kinds", nil, func(v []driver.Value) error {
		numbers[text(v[0])], revisions[text(v[0])] = integer(v[1]), text(v[2])
		return nil
	})
	if err != nil {
		return nil, err
	}
	// What a newer program has prepared is its own.
	ours := slices.DeleteFunc(slices.Clone(c.kinds), func(k *store.Kind) bool { return revisions[k.Name] > k.Revision })
	kinds := slices.SortedFunc(slices.Values(ours), func(a, b *store.Kind) int { return cmp.Compare(numbers[a.Name], numbers[b.Name]) })
	for _, k := range kinds {
		// A new row gets the number after the highest.
		if err := m.exec("INSERT OR IGNORE INTO kinds (no, name, columns) VALUES (?1, '-' || ?1, '[]')", numbers[k.Name]-1); err != nil {
			return nil, err
		}
		if _, err := createTable(m, k); err != nil {
			return nil, err
		}
	}
	return objects(m)
}
