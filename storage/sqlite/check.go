//go:build cgo

package sqlite

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"github.com/landfallhq/tracking/store"

	"github.com/mattn/go-sqlite3"
)

var _ store.Checker = (*Store)(nil)

// wholeCheck is the size up to which SQLite checks a file as a whole, which takes
// some seconds. A larger file is checked table by table, each on its own snapshot,
// because the WAL grows while a snapshot is held.
const wholeCheck = 1 << 30

// Check implements store.Checker. It checks that the file is not damaged and has
// all its tables and indexes, and that documents, columns, terms, jobs and counts
// agree.
func (s *Store) Check(ctx context.Context, kinds []*store.Kind, r store.CheckRequest) (store.CheckReport, error) {
	c := &check{store: s, kinds: kinds, request: r, accounts: map[int64]store.AccountID{}}
	c.report.Kinds = len(kinds)
	for _, step := range []func(context.Context) error{c.file, c.schema, c.rows, c.terms, c.references, c.jobs, c.numbers, c.totals} {
		if err := step(ctx); err != nil {
			return c.report, err
		}
	}
	return c.report, nil
}

// check is one running Check.
type check struct {
	store    *Store
	kinds    []*store.Kind
	request  store.CheckRequest
	report   store.CheckReport
	accounts map[int64]store.AccountID // by number; filled on demand
}

func (c *check) problem(p store.Problem) {
	c.report.Problems++
	if p.Repaired {
		c.report.Repaired++
	}
	if c.request.Found != nil {
		c.request.Found(p)
	}
}

// read runs fn on one snapshot. Damage is reported as a problem, not as an error.
func (c *check) read(ctx context.Context, what string, fn func(*conn) error) error {
	r, err := c.store.acquireReader(ctx)
	if err != nil {
		return err
	}
	defer c.store.releaseReader(r)
	return c.damageAsProblem(what, r.transaction("BEGIN", func() error { return fn(r) }))
}

// repair runs fn in a write transaction and reports whether it was committed. It
// also empties the caches of other processes.
func (c *check) repair(ctx context.Context, what string, fn func(*conn) error) (done bool, err error) {
	if !c.request.Repair {
		return false, nil
	}
	err = c.store.writeAlone(ctx, func(w *conn) error {
		if err := fn(w); err != nil {
			return err
		}
		return raiseCommitAfterRepair(w)
	})
	return err == nil, c.damageAsProblem(what, err)
}

// damageAsProblem reports an error that is due to damage as a problem, and returns
// any other.
func (c *check) damageAsProblem(what string, err error) error {
	var e sqlite3.Error
	if !errors.As(err, &e) || e.Code != sqlite3.ErrCorrupt && e.Code != sqlite3.ErrConstraint {
		return err
	}
	c.problem(store.Problem{Kind: "file", What: what + ": " + e.Error()})
	return nil
}

// integer and text return the value of a column that has no other type. In a
// damaged file it may have another; then they return the zero value.
func integer(v driver.Value) int64 { n, _ := v.(int64); return n }
func text(v driver.Value) string   { s, _ := v.(string); return s }

// account returns the ID of an account by its number; zero if it has none.
func (c *check) account(r *conn, no int64) (a store.AccountID, err error) {
	if a, ok := c.accounts[no]; ok {
		return a, nil
	}
	err = r.query("SELECT id FROM accounts WHERE no = ?", []driver.Value{no}, func(v []driver.Value) error {
		copy(a[:], blob(v[0]))
		c.accounts[no] = a
		return nil
	})
	return a, err
}

// file runs SQLite's integrity check. Indexes that disagree with their tables are
// rebuilt.
func (c *check) file(ctx context.Context) error {
	pragmas := []string{"PRAGMA integrity_check(1000)"}
	if info, err := os.Stat(c.store.file); err != nil || info.Size() > wholeCheck {
		tables, err := c.tables(ctx)
		if err != nil {
			return err
		}
		pragmas = pragmas[:0]
		for _, t := range tables {
			pragmas = append(pragmas, "PRAGMA integrity_check("+t+")")
		}
	}
	for _, pragma := range pragmas {
		if err := c.integrity(ctx, pragma); err != nil {
			return err
		}
	}
	return nil
}

func (c *check) tables(ctx context.Context) (names []string, err error) {
	err = c.read(ctx, "the schema", func(r *conn) error {
		names = nil
		return r.query("SELECT name FROM sqlite_schema WHERE type = 'table'", nil, func(v []driver.Value) error {
			names = append(names, text(v[0]))
			return nil
		})
	})
	return names, err
}

// damage is what an integrity check has found.
type damage struct {
	indexes []string // those that disagree with their tables
	other   []string
}

var indexDamage = regexp.MustCompile(`\bindex (\w+)$`)

func (c *check) damage(ctx context.Context, pragma string) (d damage, err error) {
	err = c.read(ctx, "the file", func(r *conn) error {
		d = damage{}
		return r.query(pragma, nil, func(v []driver.Value) error {
			for line := range strings.Lines(fmt.Sprint(v[0])) {
				line = strings.TrimSpace(line)
				if m := indexDamage.FindStringSubmatch(line); m != nil {
					d.indexes = append(d.indexes, m[1])
				} else if line != "ok" && !strings.HasPrefix(line, "***") {
					d.other = append(d.other, line)
				}
			}
			return ctx.Err()
		})
	})
	slices.Sort(d.indexes)
	d.indexes = slices.Compact(d.indexes)
	return d, err
}

func (c *check) integrity(ctx context.Context, pragma string) error {
	before, err := c.damage(ctx, pragma)
	if err != nil {
		return err
	}
	after := before
	if len(before.indexes) > 0 && c.request.Repair {
		for _, name := range before.indexes {
			_, err := c.repair(ctx, "index "+name, func(w *conn) error { return w.exec("REINDEX " + name) })
			if err != nil {
				return err
			}
		}
		if after, err = c.damage(ctx, pragma); err != nil {
			return err
		}
	}
	for _, name := range before.indexes {
		c.problem(store.Problem{Kind: "file", What: "index " + name + " disagrees with its table", Repaired: !slices.Contains(after.indexes, name)})
	}
	for _, line := range after.other {
		c.problem(store.Problem{Kind: "file", What: line})
	}
	return nil
}

// references looks for rows whose account has no entry. They cannot be repaired:
// nobody knows which account they belong to.
func (c *check) references(ctx context.Context) error {
	tables, err := c.tables(ctx)
	if err != nil {
		return err
	}
	for _, t := range tables {
		kind, records := strings.CutPrefix(t, "r_")
		if !records {
			continue
		}
		rows := map[int64]int{}
		err := c.read(ctx, t, func(r *conn) error {
			clear(rows)
			return r.query("PRAGMA foreign_key_check("+t+")", nil, func(v []driver.Value) error {
				if rid, ok := v[1].(int64); ok {
					rows[rid>>seqBits]++
				}
				return ctx.Err()
			})
		})
		if err != nil {
			return err
		}
		for no, n := range rows {
			c.problem(store.Problem{Kind: kind, What: fmt.Sprintf("%d records belong to account number %d, which does not exist", n, no)})
		}
	}
	return nil
}

// jobs looks for jobs that no claim can find. A job of a missing account is removed
// if that account has no records; otherwise the account must be restored.
func (c *check) jobs(ctx context.Context) error {
	type lost struct {
		no, account int64
		id          store.ID
		group       bool // the group is missing, not the account
	}
	var jobs []lost
	err := c.read(ctx, "jobs", func(r *conn) error {
		jobs = nil
		return r.query(`SELECT no, account, id, account IN (SELECT no FROM accounts) FROM jobs
			WHERE account NOT IN (SELECT no FROM accounts) OR grp NOT IN (SELECT no FROM groups) ORDER BY no`, nil,
			func(v []driver.Value) error {
				j := lost{no: integer(v[0]), account: integer(v[1]), group: integer(v[3]) == 1}
				copy(j.id[:], blob(v[2]))
				jobs = append(jobs, j)
				return ctx.Err()
			})
	})
	if err != nil {
		return err
	}
	for _, j := range jobs {
		p := store.Problem{Kind: "job", ID: j.id, What: fmt.Sprintf("its account, number %d, does not exist", j.account)}
		if j.group {
			p.What = "its group does not exist, so it will never be claimed"
			c.problem(p)
			continue
		}
		empty := false
		done, err := c.repair(ctx, "jobs", func(w *conn) (err error) {
			if empty, err = c.isEmpty(w, j.account); err != nil || !empty {
				return err
			}
			return w.exec("DELETE FROM jobs WHERE no = ?", j.no)
		})
		if err != nil {
			return err
		}
		p.Repaired = done && empty
		c.problem(p)
	}
	return nil
}

// isEmpty reports whether the account with this number has no records.
func (c *check) isEmpty(w *conn, account int64) (bool, error) {
	t := tx{accountNo: account}
	for _, k := range c.kinds {
		_, any, err := w.queryInt("SELECT 1 FROM r_"+k.Name+" WHERE rid BETWEEN ? AND ? LIMIT 1", t.firstRid(), t.lastRid())
		if any || err != nil {
			return false, err
		}
	}
	return true, nil
}

// numbers checks the bookkeeping tables.
func (c *check) numbers(ctx context.Context) error {
	for _, n := range []struct{ what, find, repair string }{
		{
			"running numbers are kept for a kind that does not exist",
			"SELECT count(*) FROM seqs WHERE kind NOT IN (SELECT no FROM kinds)",
			"DELETE FROM seqs WHERE kind NOT IN (SELECT no FROM kinds)",
		}, {
			"terms are kept for a kind that does not exist",
			"SELECT count(*) FROM terms WHERE kind NOT IN (SELECT no FROM kinds)",
			"DELETE FROM terms WHERE kind NOT IN (SELECT no FROM kinds)",
		}, {
			"totals are kept for a kind that does not exist",
			"SELECT count(*) FROM totals WHERE kind NOT IN (SELECT no FROM kinds)",
			"DELETE FROM totals WHERE kind NOT IN (SELECT no FROM kinds)",
		}, {
			"gaps are kept for a kind that does not exist",
			"SELECT count(*) FROM holes WHERE kind NOT IN (SELECT no FROM kinds)",
			"DELETE FROM holes WHERE kind NOT IN (SELECT no FROM kinds)",
		}, {
			"the last running number of a kind in an account is out of range",
			fmt.Sprintf("SELECT count(*) FROM seqs WHERE last NOT BETWEEN 0 AND %d", 1<<seqBits-1),
			fmt.Sprintf("UPDATE seqs SET last = 0 WHERE last NOT BETWEEN 0 AND %d", 1<<seqBits-1), // the table has the real one
		}, {
			// Higher than any commit number before, so that no cache takes it for
			// an old one.
			"the commit number is missing",
			"SELECT NOT EXISTS (SELECT 1 FROM meta WHERE name = 'commit')",
			"INSERT INTO meta (name, value) VALUES ('commit', CAST(unixepoch('subsec') * 1000000 AS INTEGER))",
		}, {
			"the serving counter is behind that of a group",
			"SELECT (SELECT ifnull(max(served), 0) FROM groups) > ifnull((SELECT value FROM meta WHERE name = 'served'), -1)",
			"INSERT INTO meta (name, value) SELECT 'served', ifnull(max(served), 0) FROM groups WHERE true ON CONFLICT DO UPDATE SET value = excluded.value",
		}, {
			"the number of records with marks is wrong",
			"SELECT count(*) FROM mark_names WHERE (records, marks) <> (SELECT count(DISTINCT rid), count(*) FROM marks WHERE name = mark_names.no)",
			"UPDATE mark_names SET (records, marks) = (SELECT count(DISTINCT rid), count(*) FROM marks WHERE name = mark_names.no)",
		}, {
			"the total of a mark is wrong",
			`WITH there AS (SELECT name, value, count(*) AS n FROM marks WHERE name IN (SELECT no FROM mark_names WHERE counted = 1) GROUP BY name, value),
				kept AS (SELECT name, value, n FROM mark_totals WHERE n <> 0)
				SELECT (SELECT count(*) FROM (SELECT * FROM kept EXCEPT SELECT * FROM there)) + (SELECT count(*) FROM (SELECT * FROM there EXCEPT SELECT * FROM kept))`,
			`INSERT OR REPLACE INTO mark_totals SELECT name, value, (SELECT count(*) FROM marks m WHERE m.name = k.name AND m.value = k.value) FROM (
				SELECT name, value FROM mark_totals UNION SELECT name, value FROM marks WHERE name IN (SELECT no FROM mark_names WHERE counted = 1)) k`,
		}, {
			"a group belongs to one account and has jobs of another",
			"SELECT count(*) FROM jobs j JOIN groups g ON g.no = j.grp WHERE g.account NOT IN (0, j.account)",
			"UPDATE groups SET account = 0 WHERE account <> 0 AND EXISTS (SELECT 1 FROM jobs WHERE grp = groups.no AND account <> groups.account)",
		},
	} {
		var wrong int64
		err := c.read(ctx, "numbers", func(r *conn) (err error) {
			wrong, _, err = r.queryInt(n.find)
			return err
		})
		if err != nil {
			return err
		}
		if wrong == 0 {
			continue
		}
		repaired, err := c.repair(ctx, "numbers", func(w *conn) error { return w.exec(n.repair) })
		if err != nil {
			return err
		}
		c.problem(store.Problem{Kind: "numbers", What: n.what, Repaired: repaired})
	}
	return nil
}

// totals compares the kept totals and gaps with the records.
func (c *check) totals(ctx context.Context) error {
	defer func() {
		// The functions that read them assume an undamaged file.
		var damaged *runtime.TypeAssertionError
		if p := recover(); p == nil {
			return
		} else if err, ok := p.(error); !ok || !errors.As(err, &damaged) {
			panic(p)
		}
		c.problem(store.Problem{Kind: "file", What: "the kept totals cannot be read"})
	}()
	mismatches, err := c.store.CheckTotals(ctx)
	if err != nil || len(mismatches) == 0 {
		return c.damageAsProblem("the kept totals", err)
	}
	remaining := mismatches
	if c.request.Repair {
		if err := c.store.RepairTotals(ctx); err != nil {
			return c.damageAsProblem("the kept totals", err)
		}
		if remaining, err = c.store.CheckTotals(ctx); err != nil {
			return c.damageAsProblem("the kept totals", err)
		}
	}
	for _, m := range mismatches {
		c.problem(store.Problem{Kind: m.Kind, What: m.What, Repaired: !slices.Contains(remaining, m)})
	}
	return nil
}
