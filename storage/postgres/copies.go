package postgres

import (
	"bytes"
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/landfallhq/tracking/store"
)

var _ store.Copier = (*Store)(nil)

// reading runs fn in a snapshot of no account.
func (s *Store) reading(ctx context.Context, fn func(*tx) error) error {
	return s.View(ctx, store.AccountID{}, func(r store.RecordTx) error { return fn(r.(*tx)) })
}

// writing runs fn in a transaction of no account.
func (s *Store) writing(ctx context.Context, fn func(*tx) error) error {
	if s.opts.ReadOnly {
		return store.ErrReadOnly
	}
	return s.retry(ctx, func() error {
		conn, err := s.acquire(ctx)
		if err != nil {
			return err
		}
		defer conn.Release()
		t := s.newTx(conn.Conn(), store.AccountID{})
		t.write = true
		defer t.end()
		t.queueBegin("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE")
		t.queue(lockShared)
		if err := fn(t); err != nil {
			return err
		}
		return t.send(read{sql: "COMMIT"})
	})
}

// Commits implements store.Copier.
func (s *Store) Commits(ctx context.Context) (commits int64, err error) {
	err = s.reading(ctx, func(t *tx) error {
		return t.query("SELECT coalesce(sum(commit), 0)::bigint FROM accounts", nil, func(rows pgx.Rows) error { return rows.Scan(&commits) })
	})
	return commits, err
}

// Accounts implements store.Copier.
func (s *Store) Accounts(ctx context.Context) (list []store.AccountID, err error) {
	err = s.reading(ctx, func(t *tx) error {
		list = nil
		return t.query("SELECT id FROM accounts ORDER BY no", nil, func(rows pgx.Rows) error {
			var a [16]byte
			err := rows.Scan(&a)
			list = append(list, a)
			return err
		})
	})
	return list, err
}

// ReadCopies implements store.Copier.
func (s *Store) ReadCopies(ctx context.Context, a store.AccountID, k *store.Kind, after store.ID, limit int) (list []store.RecordCopy, err error) {
	err = s.View(ctx, a, func(r store.RecordTx) error {
		t := r.(*tx)
		table, err := t.beginKind(ctx, k, false)
		if err != nil {
			return err
		}
		first := int64(-1)
		if after != (store.ID{}) {
			err := t.query("SELECT rid FROM "+table.name+" WHERE account = $1 AND id = $2", []any{t.no, [16]byte(after)}, func(rows pgx.Rows) error { return rows.Scan(&first) })
			if err == nil && first < 0 {
				err = store.ErrNotFound
			}
			if err != nil {
				return err
			}
		}
		list, err = t.readCopies(table, k, first, limit)
		return err
	})
	return list, err
}

// readCopies reads the records with numbers above a number, and their marks.
func (t *tx) readCopies(table *table, k *store.Kind, above int64, limit int) (list []store.RecordCopy, err error) {
	var rids []int64
	places := map[int64]int{}
	err = t.query("SELECT rid, "+table.recordColumns+" FROM "+table.name+" WHERE account = $1 AND rid > $2 ORDER BY rid LIMIT $3", []any{t.no, above, limit}, func(rows pgx.Rows) error {
		r := &row{}
		if err := rows.Scan(&r.rid, (*[16]byte)(&r.id), &r.version, &r.revision, &r.doc, &r.private); err != nil {
			return err
		}
		record, err := r.inCurrentForm(k)
		if err == nil && record.Newer {
			err = &store.NewerError{Kind: k.Name, ID: r.id, Stored: r.revision, Known: k.Revision}
		}
		places[r.rid] = len(list)
		rids = append(rids, r.rid)
		list = append(list, store.RecordCopy{Write: store.Write{ID: r.id, Doc: record.Doc, Private: record.Private}, Version: r.version})
		return err
	})
	if err != nil || len(list) == 0 {
		return nil, err
	}
	err = t.query("SELECT rid, name, value FROM marks WHERE rid = ANY($1) ORDER BY rid, name, value", []any{rids}, func(rows pgx.Rows) error {
		var rid int64
		var name, value []byte
		if err := rows.Scan(&rid, &name, &value); err != nil {
			return err
		}
		r := &list[places[rid]]
		if len(r.Marks) == 0 || r.Marks[len(r.Marks)-1].Name != string(name) {
			r.Marks = append(r.Marks, store.Mark{Name: string(name)})
		}
		m := &r.Marks[len(r.Marks)-1]
		m.Values = append(m.Values, string(value))
		return nil
	})
	return list, err
}

// WriteCopies implements store.Copier.
func (s *Store) WriteCopies(ctx context.Context, a store.AccountID, k *store.Kind, records []store.RecordCopy) error {
	return s.Update(ctx, a, func(r store.RecordTx) error {
		t := r.(*tx)
		table, err := t.beginKind(ctx, k, true)
		if err != nil {
			return err
		}
		for i := range records {
			if err := t.writeCopy(table, k, &records[i]); err != nil {
				return err
			}
		}
		return nil
	})
}

func (t *tx) writeCopy(table *table, k *store.Kind, c *store.RecordCopy) error {
	r, err := rowOf(table, k, c.Write)
	if err != nil {
		return err
	}
	r.version = c.Version
	if err := t.insert(table, r); err != nil {
		return err
	}
	var names, values [][]byte
	for _, m := range c.Marks {
		for _, v := range m.Values {
			names, values = append(names, []byte(m.Name)), append(values, []byte(v))
		}
	}
	if len(names) > 0 {
		t.queue("INSERT INTO marks (kind, account, rid, name, value) SELECT $1, $2, $3, * FROM unnest($4::bytea[], $5::bytea[])", table.no, t.no, r.rid, names, values)
	}
	return nil
}

// ReadGroups implements store.Copier.
func (s *Store) ReadGroups(ctx context.Context) (list []store.GroupCopy, err error) {
	err = s.reading(ctx, func(t *tx) error {
		return t.query("SELECT kind, name, coalesce(s.served, 0), held FROM groups g LEFT JOIN servings s ON s.grp = g.no ORDER BY no", nil, func(rows pgx.Rows) error {
			var kind string
			var name []byte
			var held *int64
			g := store.GroupCopy{}
			err := rows.Scan(&kind, &name, &g.Served, &held)
			g.Kind, g.Name, g.Held = store.JobKind(kind), string(name), timeOf(held)
			list = append(list, g)
			return err
		})
	})
	return list, err
}

// timeOf returns a stored time; zero for NULL.
func timeOf(micros *int64) time.Time {
	if micros == nil {
		return time.Time{}
	}
	return time.UnixMicro(*micros).UTC()
}

// orNullTime is what timeOf reads.
func orNullTime(t time.Time) *int64 {
	if t.IsZero() {
		return nil
	}
	micros := t.UnixMicro()
	return &micros
}

// ReadJobs implements store.Copier.
func (s *Store) ReadJobs(ctx context.Context, after int64, limit int) (list []store.JobCopy, err error) {
	err = s.reading(ctx, func(t *tx) error {
		return t.query(`SELECT j.place, a.id, j.id, g.kind, g.name, j.ref, j.data, j.due, j.attempt, j.token, j.until
			FROM jobs j JOIN accounts a ON a.no = j.account JOIN groups g ON g.no = j.grp WHERE j.place > $1 ORDER BY j.place LIMIT $2`,
			[]any{after, limit}, func(rows pgx.Rows) error {
				var j store.JobCopy
				var kind string
				var group, data []byte
				var token *[16]byte
				var due, until *int64
				err := rows.Scan(&j.Place, (*[16]byte)(&j.Account), (*[16]byte)(&j.ID), &kind, &group, (*[16]byte)(&j.Ref), &data, &due, &j.Attempt, &token, &until)
				j.Kind, j.Group, j.Data, j.Due, j.Until = store.JobKind(kind), string(group), bytes.Clone(data), timeOf(due), timeOf(until)
				if token != nil {
					j.Token = *token
				}
				list = append(list, j)
				return err
			})
	})
	return list, err
}

// ClearQueues implements store.Copier.
func (s *Store) ClearQueues(ctx context.Context) error {
	return s.writing(ctx, func(t *tx) error {
		t.queue("DELETE FROM jobs")
		t.queue("DELETE FROM groups")
		t.queue("DELETE FROM servings")
		return nil
	})
}

// WriteQueues implements store.Copier.
func (s *Store) WriteQueues(ctx context.Context, groups []store.GroupCopy, jobs []store.JobCopy) error {
	return s.writing(ctx, func(t *tx) error {
		served := int64(0)
		for _, g := range groups {
			t.queue(`WITH added AS (INSERT INTO groups (kind, name, held) VALUES ($1, $2, $3) RETURNING no)
				INSERT INTO servings SELECT $4::bigint, no FROM added WHERE $4 > 0`, string(g.Kind), []byte(g.Name), orNullTime(g.Held), g.Served)
			served = max(served, g.Served)
		}
		if served > 0 {
			t.queue("SELECT setval('served', greatest($1, (SELECT last_value FROM served)))", served)
		}
		for _, j := range jobs {
			t.queueJobCopy(j)
		}
		return nil
	})
}

func (t *tx) queueJobCopy(j store.JobCopy) {
	var token *[16]byte
	if j.Token != (store.ID{}) {
		token = (*[16]byte)(&j.Token)
	}
	t.queue("INSERT INTO accounts (id) VALUES ($1) ON CONFLICT (id) DO NOTHING", [16]byte(j.Account))
	t.queue(`UPDATE groups SET account = CASE WHEN groups.account IS NULL THEN a.no ELSE 0 END FROM accounts a
		WHERE a.id = $1 AND kind = $2 AND name = $3 AND groups.account IS DISTINCT FROM a.no AND groups.account IS DISTINCT FROM 0`, [16]byte(j.Account), string(j.Kind), []byte(j.Group))
	t.queue(`INSERT INTO jobs (account, id, grp, place, ref, data, due, attempt, token, until)
		SELECT a.no, $2, g.no, nextval('places'), $3, $4, $5, $6, $7, $8 FROM accounts a, groups g WHERE a.id = $1 AND g.kind = $9 AND g.name = $10`,
		[16]byte(j.Account), [16]byte(j.ID), [16]byte(j.Ref), orNull(j.Data), j.Due.UnixMicro(), j.Attempt, token, orNullTime(j.Until), string(j.Kind), []byte(j.Group))
}

// CountCopies implements store.Copier.
func (s *Store) CountCopies(ctx context.Context) (store.CopyCounts, error) {
	counts := store.CopyCounts{}
	err := s.reading(ctx, func(t *tx) error {
		counts = store.CopyCounts{Records: map[string]int64{}}
		t.queue("SET LOCAL statement_timeout = " + milliseconds(s.opts.PrepareTimeout)) // it reads everything
		t.timeout = s.opts.PrepareTimeout
		kinds, err := t.recordedKinds()
		if err != nil {
			return err
		}
		count := func(table string) (n int64, err error) {
			if err := ctx.Err(); err != nil {
				return 0, err
			}
			err = t.query("SELECT count(*) FROM "+table, nil, func(rows pgx.Rows) error { return rows.Scan(&n) })
			return n, err
		}
		for name := range kinds {
			n, err := count("r_" + name)
			if err != nil {
				return err
			}
			if n > 0 {
				counts.Records[name] = n
			}
		}
		for table, to := range map[string]*int64{"marks": &counts.Marks, "jobs": &counts.Jobs, "groups": &counts.Groups} {
			if *to, err = count(table); err != nil {
				return err
			}
		}
		return nil
	})
	return counts, err
}

// CopyState implements store.Copier.
func (s *Store) CopyState(ctx context.Context) (state store.CopyState, err error) {
	err = s.reading(ctx, func(t *tx) error {
		return t.query("SELECT name, value FROM meta WHERE name IN ('copy_source', 'copy_complete')", nil, func(rows pgx.Rows) error {
			var name string
			var value int64
			err := rows.Scan(&name, &value)
			if name == "copy_source" {
				state.Source = value
			} else {
				state.Complete = value == 1
			}
			return err
		})
	})
	return state, err
}

// SetCopyState implements store.Copier.
func (s *Store) SetCopyState(ctx context.Context, state store.CopyState) error {
	return s.writing(ctx, func(t *tx) error {
		complete := int64(0)
		if state.Complete {
			complete = 1
		}
		for name, value := range map[string]int64{"copy_source": state.Source, "copy_complete": complete} {
			t.queue("INSERT INTO meta (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = EXCLUDED.value", name, value)
		}
		return nil
	})
}
