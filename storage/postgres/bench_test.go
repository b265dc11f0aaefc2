package postgres

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/landfallhq/tracking/internal/postgrestest"
	"github.com/landfallhq/tracking/store"
)

var benchKind = &store.Kind{Name: "bench", Revision: "1", Columns: []store.Column{
	{Name: "state", Type: store.TextColumn, Counted: true}, {Name: "at", Type: store.IntColumn}, {Name: "parent", Type: store.IDColumn},
}}

// benchStore returns a store with n records of an account, 1 KB each.
func benchStore(b *testing.B, n int) (*Store, store.AccountID, []store.ID) {
	b.Helper()
	ctx := context.Background()
	s, err := Open(ctx, postgrestest.Shared(b).Schema(b), Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { s.Close() })
	if err := s.Prepare(ctx, []*store.Kind{benchKind}); err != nil {
		b.Fatal(err)
	}
	account, ids := store.AccountID(uuid.New()), make([]store.ID, n)
	for from := 0; from < n; from += 1000 {
		err := s.Update(ctx, account, func(tx store.RecordTx) error {
			missing := make([]store.ID, 0, 1000)
			for i := from; i < min(from+1000, n); i++ {
				ids[i] = uuid.New()
				missing = append(missing, ids[i])
			}
			if _, err := tx.GetMany(ctx, benchKind, missing, nil); err != nil {
				return err
			}
			for i := from; i < min(from+1000, n); i++ {
				if _, err := tx.Put(ctx, benchKind, benchWrite(ids[i], i)); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	if _, err := s.pool.Exec(ctx, "VACUUM ANALYZE r_bench"); err != nil {
		b.Fatal(err)
	}
	return s, account, ids
}

func benchWrite(id store.ID, i int) store.Write {
	return store.Write{
		ID: id, Doc: fmt.Appendf(nil, `{"id":%q,"n":%d,"text":%q}`, id, i, make([]byte, 200)),
		Cols: []any{fmt.Sprint("state ", i%7), int64(i), store.ID{byte(i), byte(i >> 8)}}, Terms: []store.Term{{Name: "number", Value: fmt.Sprint(i)}},
	}
}

// benchmarkView runs fn in a view of its own each time.
func benchmarkView(b *testing.B, n int, fn func(tx store.RecordTx, ids []store.ID, i int) error) {
	s, account, ids := benchStore(b, n)
	for i := 0; b.Loop(); i++ {
		if err := s.View(context.Background(), account, func(tx store.RecordTx) error { return fn(tx, ids, i) }); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkGet(b *testing.B) {
	benchmarkView(b, 2000, func(tx store.RecordTx, ids []store.ID, i int) error {
		_, err := tx.Get(context.Background(), benchKind, ids[i%len(ids)])
		return err
	})
}

// BenchmarkPage reads a page of 30 with its total from accounts of different sizes: the first,
// one in the middle and the last, of all records and of those with one of all values, and the
// first of a filter that some records meet, whose total is counted once.
func BenchmarkPage(b *testing.B) {
	sizes := []int{1000, 10_000}
	if os.Getenv("LANDFALL_LARGE") != "" {
		sizes = append(sizes, 100_000, 1_000_000)
	}
	s := openBench(b, postgrestest.Shared(b).Schema(b))
	states := make([]any, 7)
	for i := range states {
		states[i] = fmt.Sprint("state ", i)
	}
	where := store.Filter{Where: []store.Cond{{Name: "state", Values: states}}}
	for _, n := range sizes {
		account := fillBench(b, s, n)
		some := store.Filter{Where: []store.Cond{{Name: "state", Values: states[:2]}, {Name: "at", Op: store.From, Values: []any{int64(n / 2)}}}}
		for _, list := range []struct {
			name string
			f    store.Filter
			page int
		}{
			{"first", store.Filter{}, 1}, {"middle", store.Filter{}, n / 60}, {"last", store.Filter{}, n / 30},
			{"ascending middle", store.Filter{Sort: []store.Order{{}}}, n / 60}, {"filtered last", where, n / 30}, {"counted", some, 1},
		} {
			b.Run(fmt.Sprintf("%s/%d", list.name, n), func(b *testing.B) {
				for b.Loop() {
					err := store.ViewRepeatably(context.Background(), s, account, func(tx store.RecordTx) error {
						found, _, err := tx.List(context.Background(), benchKind, list.f, store.Page{Number: list.page, Size: 30}, nil)
						if len(found) == 0 {
							err = fmt.Errorf("an empty page, %w", err)
						}
						return err
					})
					if err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// fillBench adds an account with n records by SQL.
func fillBench(b *testing.B, s *Store, n int) store.AccountID {
	b.Helper()
	ctx, account := context.Background(), store.AccountID(uuid.New())
	err := s.Update(ctx, account, func(tx store.RecordTx) error {
		_, err := tx.Put(ctx, benchKind, benchWrite(uuid.New(), 0))
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	var no, kind, rid int64
	if err := s.pool.QueryRow(ctx, "SELECT a.no, k.no, (SELECT max(rid) FROM r_bench) FROM accounts a, kinds k WHERE a.id = $1 AND k.name = 'bench'", [16]byte(account)).Scan(&no, &kind, &rid); err != nil {
		b.Fatal(err)
	}
	values := strings.NewReplacer("@account", fmt.Sprint(no), "@kind", fmt.Sprint(kind), "@rid", fmt.Sprint(rid), "@n", fmt.Sprint(n))
	for _, sql := range []string{
		`INSERT INTO r_bench (rid, account, id, version, revision, doc, c_state, c_at, c_parent)
			SELECT @rid + i, @account, gen_random_uuid(), 1, '1', convert_to(repeat('x', 1000), 'UTF8'), convert_to('state ' || i % 7, 'UTF8'), i, gen_random_uuid() FROM generate_series(1, @n - 1) i`,
		`DELETE FROM totals WHERE account = @account`,
		`INSERT INTO totals (account, kind, name, value, n) SELECT @account, @kind, '', '', count(*) FROM r_bench WHERE account = @account`,
		`INSERT INTO totals (account, kind, name, value, n) SELECT @account, @kind, 'state', 't'::bytea || c_state, count(*) FROM r_bench WHERE account = @account GROUP BY c_state`,
		`DELETE FROM chunks WHERE account = @account`,
		`INSERT INTO chunks (kind, account, level, first, n) SELECT @kind, @account, level, min(rid), count(*)
			FROM (SELECT rid, row_number() OVER (ORDER BY rid) - 1 AS rank FROM r_bench WHERE account = @account) AS ranked
			CROSS JOIN (VALUES (0, 64), (1, 2048), (2, 65536)) AS levels (level, size) GROUP BY level, rank / size`,
		`SELECT setval('rids', @rid + @n)`,
	} {
		if _, err := s.pool.Exec(ctx, values.Replace(sql)); err != nil {
			b.Fatal(err)
		}
	}
	if _, err := s.pool.Exec(ctx, "VACUUM ANALYZE"); err != nil {
		b.Fatal(err)
	}
	return account
}

// BenchmarkUpdate reads and changes a record, from accounts at once.
func BenchmarkUpdate(b *testing.B) {
	s, account, ids := benchStore(b, 2000)
	ctx := context.Background()
	for i := 0; b.Loop(); i++ {
		id := ids[i%len(ids)]
		err := s.Update(ctx, account, func(tx store.RecordTx) error {
			if _, err := tx.Get(ctx, benchKind, id); err != nil {
				return err
			}
			_, err := tx.Put(ctx, benchKind, benchWrite(id, i+1))
			return err
		})
		if err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkUpdates is BenchmarkUpdate by 64 callers at a time, of one account and of fifty, on
// a cluster that waits for the disk at each commit: in shared transactions, in one for each,
// and by a program without a store that sends the same statements with pgx, one transaction
// for each, in two round trips.
func BenchmarkUpdates(b *testing.B) {
	cluster := postgrestest.Start(b)
	for _, accounts := range []int{1, 50} {
		for _, way := range []string{"shared", "alone", "pgx"} {
			b.Run(fmt.Sprintf("%d/%s", accounts, way), func(b *testing.B) {
				s, all := benchAccounts(b, cluster, accounts)
				update := func(a benchAccount, i int) error {
					return s.updateInGroup(context.Background(), a.id, way == "alone", changeOne(a.ids[i%len(a.ids)], i+1))
				}
				if way == "pgx" {
					update = func(a benchAccount, i int) error { return changeWithPGX(s, a, a.ids[i%len(a.ids)], i+1) }
				}
				var next atomic.Int64
				b.SetParallelism(64 / runtime.GOMAXPROCS(0))
				b.ResetTimer()
				b.RunParallel(func(pb *testing.PB) {
					for pb.Next() {
						i := int(next.Add(1))
						if err := update(all[i%accounts], i/accounts); err != nil {
							b.Error(err)
						}
					}
				})
			})
		}
	}
}

// benchAccount is an account with its records.
type benchAccount struct {
	id  store.AccountID
	no  int64
	ids []store.ID
}

// benchAccounts returns a store with 2,000 records in all.
func benchAccounts(b *testing.B, c *postgrestest.Cluster, n int) (*Store, []benchAccount) {
	b.Helper()
	ctx := context.Background()
	s, err := Open(ctx, c.Schema(b), Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { s.Close() })
	if err := s.Prepare(ctx, []*store.Kind{benchKind}); err != nil {
		b.Fatal(err)
	}
	all := make([]benchAccount, n)
	for at := range all {
		a := benchAccount{id: store.AccountID(uuid.New())}
		err := s.Update(ctx, a.id, func(tx store.RecordTx) error {
			a.ids = nil
			for i := range 2000 / n {
				a.ids = append(a.ids, uuid.New())
				w := benchWrite(a.ids[i], i)
				w.New = true
				if _, err := tx.Put(ctx, benchKind, w); err != nil {
					return err
				}
			}
			return nil
		})
		if err == nil {
			err = s.pool.QueryRow(ctx, "SELECT no FROM accounts WHERE id = $1", [16]byte(a.id)).Scan(&a.no)
		}
		if err != nil {
			b.Fatal(err)
		}
		all[at] = a
	}
	if _, err := s.pool.Exec(ctx, "VACUUM ANALYZE"); err != nil {
		b.Fatal(err)
	}
	return s, all
}

// changeOne reads and changes a record.
func changeOne(id store.ID, i int) func(store.RecordTx) error {
	return func(tx store.RecordTx) error {
		if _, err := tx.Get(context.Background(), benchKind, id); err != nil {
			return err
		}
		_, err := tx.Put(context.Background(), benchKind, benchWrite(id, i))
		return err
	}
}

// changeWithPGX is changeOne as a program without a store would write it.
func changeWithPGX(s *Store, a benchAccount, id store.ID, i int) error {
	ctx := context.Background()
	conn, err := s.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	table := s.prepared.Load().tables[benchKind.Name]
	before, reads := newRow(table), &pgx.Batch{}
	reads.Queue("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE")
	reads.Queue(lockShared)
	reads.Queue("SELECT no FROM accounts WHERE id = $1 FOR UPDATE", [16]byte(a.id))
	reads.Queue("SELECT "+table.rowColumns+" FROM "+table.name+" WHERE account = $1 AND id = $2", a.no, [16]byte(id)).QueryRow(func(r pgx.Row) error {
		return r.Scan(before.targets()...)
	})
	if err := conn.SendBatch(ctx, reads).Close(); err != nil {
		return err
	}
	before.load()
	next, err := rowOf(table, benchKind, benchWrite(id, i))
	if err != nil {
		return err
	}
	next.rid, next.version = before.rid, before.version+1
	terms := termChanges{account: a.no}
	terms.add(table, before, next)
	t := &tx{no: a.no, wrote: true}
	t.countRow(table, before, -1)
	t.countRow(table, next, 1)
	writes := &pgx.Batch{}
	writes.Queue(table.update, next.updateValues()...)
	for _, s := range append(terms.statements(), t.commitStatements()...) {
		writes.Queue(s.sql, s.args...)
	}
	writes.Queue("COMMIT")
	return conn.SendBatch(ctx, writes).Close()
}
