//go:build cgo

package sqlite

import (
	"bytes"
	"context"
	"database/sql/driver"
	"time"

	"github.com/landfallhq/tracking/store"
)

var _ store.Copier = (*Store)(nil)

// Commits implements store.Copier.
func (s *Store) Commits(ctx context.Context) (commits int64, err error) {
	err = s.reading(ctx, func(c *conn) error {
		commits, _, err = c.queryInt("SELECT value FROM meta WHERE name = 'commit'")
		return err
	})
	return commits, err
}

// reading runs fn on a connection for reading.
func (s *Store) reading(ctx context.Context, fn func(*conn) error) error {
	c, err := s.acquireReader(ctx)
	if err != nil {
		return err
	}
	defer s.releaseReader(c)
	return fn(c)
}

// Accounts implements store.Copier.
func (s *Store) Accounts(ctx context.Context) (list []store.AccountID, err error) {
	err = s.reading(ctx, func(c *conn) error {
		return c.query("SELECT id FROM accounts ORDER BY no", nil, func(v []driver.Value) error {
			list = append(list, store.AccountID{})
			copy(list[len(list)-1][:], blob(v[0]))
			return nil
		})
	})
	return list, err
}

// ReadCopies implements store.Copier.
func (s *Store) ReadCopies(ctx context.Context, a store.AccountID, k *store.Kind, after store.ID, limit int) (list []store.RecordCopy, err error) {
	err = s.View(ctx, a, func(r store.RecordTx) error {
		t := r.(*tx)
		table, err := t.beginByID(ctx, k, false)
		if err != nil {
			return err
		}
		first, err := t.ridAfter(table, after)
		if err != nil {
			return err
		}
		records, err := t.read(ctx, table, k, "SELECT "+table.recordColumns+" FROM "+table.name+" WHERE rid BETWEEN ? AND ? ORDER BY rid LIMIT +?", nil, first, t.lastRid(), int64(limit))
		if err != nil || len(records) == 0 {
			return err
		}
		for _, r := range records {
			if r.Newer {
				return &store.NewerError{Kind: k.Name, ID: r.ID, Known: k.Revision}
			}
			list = append(list, store.RecordCopy{Write: store.Write{ID: r.ID, Doc: r.Doc, Private: r.Private}, Version: r.Version})
		}
		return t.readMarks(table, first, list)
	})
	return list, err
}

// ridAfter returns the first number that a record after the one with this ID can have.
func (t *tx) ridAfter(table *table, id store.ID) (int64, error) {
	if id == (store.ID{}) {
		return t.firstRid(), nil
	}
	rid, ok, err := t.queryInt("SELECT rid FROM "+table.name+" WHERE account = ? AND id = ?", t.accountNo, id[:])
	if err == nil && !ok {
		err = store.ErrNotFound
	}
	return rid + 1, err
}

// readMarks adds the marks of the records, whose numbers begin at first.
func (t *tx) readMarks(table *table, first int64, list []store.RecordCopy) error {
	end, err := t.ridAfter(table, list[len(list)-1].ID)
	if err != nil {
		return err
	}
	at := 0
	return t.query(`SELECT r.id, n.name, n.counted, m.value FROM `+table.name+` r CROSS JOIN marks m INDEXED BY marks_rid ON m.rid = r.rid JOIN mark_names n ON n.no = m.name
		WHERE r.rid >= ? AND r.rid < ? AND n.kind = ? ORDER BY r.rid, n.name, m.value`, []driver.Value{first, end, table.no}, func(v []driver.Value) error {
		for id := blob(v[0]); !bytes.Equal(list[at].ID[:], id); {
			at++ // to the record that has these marks
		}
		r := &list[at]
		if name := text(v[1]); len(r.Marks) == 0 || r.Marks[len(r.Marks)-1].Name != name {
			r.Marks = append(r.Marks, store.Mark{Name: name, Counted: v[2].(int64) == 1})
		}
		m := &r.Marks[len(r.Marks)-1]
		m.Values = append(m.Values, text(v[3]))
		return nil
	})
}

// WriteCopies implements store.Copier.
func (s *Store) WriteCopies(ctx context.Context, a store.AccountID, k *store.Kind, records []store.RecordCopy) error {
	return s.Update(ctx, a, func(r store.RecordTx) error {
		t := r.(*tx)
		for i := range records {
			if err := t.writeCopy(ctx, k, &records[i]); err != nil {
				return err
			}
		}
		for i := range records {
			for _, m := range records[i].Marks {
				if err := t.Mark(ctx, k, records[i].ID, m); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

func (t *tx) writeCopy(ctx context.Context, k *store.Kind, r *store.RecordCopy) error {
	table, err := t.beginByID(ctx, k, true)
	if err != nil {
		return err
	}
	if table.newer != nil {
		return table.newer
	}
	cols, err := columnValues(table, r.Write)
	if err != nil {
		return err
	}
	if err := t.ensureAccount(); err != nil {
		return err
	}
	return t.fail(t.queueInsert(k, table, r.Write, r.Version, cols, encodeTerms(r.Terms)))
}

// ReadGroups implements store.Copier.
func (s *Store) ReadGroups(ctx context.Context) (list []store.GroupCopy, err error) {
	err = s.reading(ctx, func(c *conn) error {
		return c.query("SELECT kind, name, served, held FROM groups ORDER BY no", nil, func(v []driver.Value) error {
			list = append(list, store.GroupCopy{Kind: store.JobKind(text(v[0])), Name: text(v[1]), Served: v[2].(int64), Held: timeOf(v[3])})
			return nil
		})
	})
	return list, err
}

// timeOf returns a stored time; zero for NULL.
func timeOf(v driver.Value) time.Time {
	if micros, ok := v.(int64); ok {
		return time.UnixMicro(micros).UTC()
	}
	return time.Time{}
}

// orNullTime is what timeOf reads.
func orNullTime(t time.Time) driver.Value {
	if t.IsZero() {
		return nil
	}
	return t.UnixMicro()
}

// ReadJobs implements store.Copier.
func (s *Store) ReadJobs(ctx context.Context, after int64, limit int) (list []store.JobCopy, err error) {
	err = s.reading(ctx, func(c *conn) error {
		return c.query(`SELECT j.no, a.id, j.id, g.kind, g.name, j.ref, j.data, j.due, j.attempt, j.token, j.until
			FROM jobs j JOIN accounts a ON a.no = j.account JOIN groups g ON g.no = j.grp WHERE j.no > ? ORDER BY j.no LIMIT +?`,
			[]driver.Value{after, int64(limit)}, func(v []driver.Value) error {
				j := store.JobCopy{Place: v[0].(int64), Until: timeOf(v[10]), Job: store.Job{
					Kind: store.JobKind(text(v[3])), Group: text(v[4]), Data: bytes.Clone(blob(v[6])), Due: timeOf(v[7]), Attempt: int(v[8].(int64)),
				}}
				copy(j.Account[:], blob(v[1]))
				copy(j.ID[:], blob(v[2]))
				copy(j.Ref[:], blob(v[5]))
				copy(j.Token[:], blob(v[9]))
				list = append(list, j)
				return nil
			})
	})
	return list, err
}

// writingQueues runs fn in a transaction of no account.
func (s *Store) writingQueues(ctx context.Context, fn func(*tx) error) error {
	t := &tx{store: s, write: true}
	return s.write(ctx, t, func() error {
		if err := t.begin(ctx, true); err != nil {
			return err
		}
		return t.fail(fn(t))
	})
}

// ClearQueues implements store.Copier.
func (s *Store) ClearQueues(ctx context.Context) error {
	return s.writingQueues(ctx, func(t *tx) error {
		if err := t.conn.exec("DELETE FROM jobs"); err != nil {
			return err
		}
		return t.conn.exec("DELETE FROM groups")
	})
}

// WriteQueues implements store.Copier.
func (s *Store) WriteQueues(ctx context.Context, groups []store.GroupCopy, jobs []store.JobCopy) error {
	return s.writingQueues(ctx, func(t *tx) error {
		for _, g := range groups {
			if err := t.conn.exec("INSERT INTO groups (kind, name, served, held) VALUES (?, ?, ?, ?)", string(g.Kind), g.Name, g.Served, orNullTime(g.Held)); err != nil {
				return err
			}
			if err := t.conn.exec("UPDATE meta SET value = max(value, ?) WHERE name = 'served'", g.Served); err != nil {
				return err
			}
		}
		for _, j := range jobs {
			if err := t.writeJobCopy(j); err != nil {
				return err
			}
		}
		return nil
	})
}

func (t *tx) writeJobCopy(j store.JobCopy) error {
	if err := t.conn.exec("INSERT INTO accounts (id) VALUES (?) ON CONFLICT DO NOTHING", j.Account[:]); err != nil {
		return err
	}
	no, _, err := t.queryInt("SELECT no FROM accounts WHERE id = ?", j.Account[:])
	if err != nil {
		return err
	}
	owner := tx{store: t.store, conn: t.conn, write: true, account: j.Account, accountNo: no, resolved: true}
	group, err := owner.groupForJob(j.Kind, j.Group)
	if err != nil {
		return err
	}
	var token driver.Value
	if j.Token != (store.ID{}) {
		token = j.Token[:]
	}
	return t.conn.exec("INSERT INTO jobs (account, id, grp, ref, data, due, attempt, token, until) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
		no, j.ID[:], group, j.Ref[:], orNull(j.Data), j.Due.UnixMicro(), int64(j.Attempt), token, orNullTime(j.Until))
}

// CountCopies implements store.Copier.
func (s *Store) CountCopies(ctx context.Context) (store.CopyCounts, error) {
	counts := store.CopyCounts{Records: map[string]int64{}}
	err := s.reading(ctx, func(c *conn) error {
		tables, err := tablesExcept(c, nil)
		if err != nil {
			return err
		}
		count := func(table string, to *int64) {
			if err == nil && ctx.Err() == nil {
				*to, _, err = c.queryInt("SELECT count(*) FROM " + table)
			}
		}
		for _, t := range tables {
			var n int64
			if count(t.name, &n); n > 0 {
				counts.Records[t.name[len("r_"):]] = n
			}
		}
		count("marks", &counts.Marks)
		count("jobs", &counts.Jobs)
		count("groups", &counts.Groups)
		return err
	})
	if err == nil {
		err = ctx.Err()
	}
	return counts, err
}

// CopyState implements store.Copier.
func (s *Store) CopyState(ctx context.Context) (state store.CopyState, err error) {
	err = s.reading(ctx, func(c *conn) error {
		return c.query("SELECT name, value FROM meta WHERE name IN ('copy_source', 'copy_complete')", nil, func(v []driver.Value) error {
			if text(v[0]) == "copy_source" {
				state.Source = v[1].(int64)
			} else {
				state.Complete = v[1].(int64) == 1
			}
			return nil
		})
	})
	return state, err
}

// SetCopyState implements store.Copier.
func (s *Store) SetCopyState(ctx context.Context, state store.CopyState) error {
	return s.writingQueues(ctx, func(t *tx) error {
		const set = "INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value"
		if err := t.conn.exec(set, "copy_source", state.Source); err != nil {
			return err
		}
		return t.conn.exec(set, "copy_complete", state.Complete)
	})
}
