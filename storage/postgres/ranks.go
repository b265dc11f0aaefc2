package postgres

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/landfallhq/tracking/store"
)

// The numbers of records are those of the whole database, so a page far back of a list cannot
// be found by arithmetic. The table chunks has how many records of a kind an account has in
// each stretch of numbers. New records belong to the last chunk or begin the next one, since
// their numbers only grow within an account. An update adds what it has changed at its end,
// under the lock of the account.

// The sizes of chunks of level 0 to 2, when the next one begins; each is a multiple of the one
// before. Tests make them smaller.
var chunkSizes = [3]int64{64, 2048, 65536}

const topLevel = len(chunkSizes) - 1

// rankedFrom is how many records are passed over one by one, at most. Tests make it smaller.
var rankedFrom int64 = 256

// ridChange is a record that was added or, with -1, removed.
type ridChange struct {
	kind   int32
	rid, n int64
}

// addToChunks adds the pieces of new numbers ($2 to $5: kind, first number of the kind, of the
// piece, and how many), and takes deleted numbers off ($6, $7). New numbers belong to the last chunk
// of a level while that and those above it are not full.
const addToChunks = `INSERT INTO chunks AS c (kind, account, level, first, n)
	SELECT kind, $1, level, first, sum(n)::integer FROM (
		SELECT new.kind, level, new.n, CASE
			WHEN level = 2 AND c2.n < $10 THEN c2.first
			WHEN level = 1 AND c2.n < $10 AND c1.n < $9 THEN c1.first
			WHEN level > 0 THEN new.head
			WHEN new.first = new.head AND c2.n < $10 AND c1.n < $9 AND c0.n < $8 THEN c0.first
			ELSE new.first END AS first
		FROM unnest($2::integer[], $3::bigint[], $4::bigint[], $5::bigint[]) AS new (kind, head, first, n)
		LEFT JOIN LATERAL (SELECT first, n FROM chunks WHERE kind = new.kind AND account = $1 AND level = 0 ORDER BY first DESC LIMIT 1) AS c0 ON true
		LEFT JOIN LATERAL (SELECT first, n FROM chunks WHERE kind = new.kind AND account = $1 AND level = 1 ORDER BY first DESC LIMIT 1) AS c1 ON true
		LEFT JOIN LATERAL (SELECT first, n FROM chunks WHERE kind = new.kind AND account = $1 AND level = 2 ORDER BY first DESC LIMIT 1) AS c2 ON true
		CROSS JOIN (VALUES (0::smallint), (1::smallint), (2::smallint)) AS levels (level)
		UNION ALL
		SELECT gone.kind, level, -1, (SELECT first FROM chunks WHERE kind = gone.kind AND account = $1 AND level = levels.level AND first <= gone.rid ORDER BY first DESC LIMIT 1)
		FROM unnest($6::integer[], $7::bigint[]) AS gone (kind, rid)
		CROSS JOIN (VALUES (0::smallint), (1::smallint), (2::smallint)) AS levels (level)
	) AS changes WHERE first IS NOT NULL GROUP BY kind, level, first
	ON CONFLICT (kind, account, level, first) DO UPDATE SET n = c.n + EXCLUDED.n`

// dropEmptyChunks deletes those of the chunks with deleted numbers ($2, $3) that are empty now. The
// last one of a level stays, since new records belong to it.
const dropEmptyChunks = `DELETE FROM chunks AS c USING (
		SELECT gone.kind, level, (SELECT first FROM chunks WHERE kind = gone.kind AND account = $1 AND level = levels.level AND first <= gone.rid ORDER BY first DESC LIMIT 1) AS first
		FROM unnest($2::integer[], $3::bigint[]) AS gone (kind, rid)
		CROSS JOIN (VALUES (0::smallint), (1::smallint), (2::smallint)) AS levels (level)
	) AS touched
	WHERE c.kind = touched.kind AND c.account = $1 AND c.level = touched.level AND c.first = touched.first AND c.n = 0
		AND c.first < (SELECT max(first) FROM chunks WHERE kind = c.kind AND account = $1 AND level = c.level)`

// queueEmptyChunks queues the statement that deletes chunks which the transaction has emptied. It
// must follow the one that has changed them.
func (t *tx) queueEmptyChunks() {
	var kinds []int32
	var rids []int64
	for _, c := range t.rids {
		if c.n < 0 {
			kinds, rids = append(kinds, c.kind), append(rids, c.rid)
		}
	}
	if len(kinds) > 0 {
		t.queue(dropEmptyChunks, t.no, kinds, rids)
	}
}

// chunkStatements returns the statement that adds the changes of the transaction to the chunks.
func (t *tx) chunkStatements() []statement {
	added, gone := map[int32][]int64{}, map[int32][]int64{}
	net := map[ridChange]int64{}
	for _, c := range t.rids {
		net[ridChange{kind: c.kind, rid: c.rid}] += c.n
	}
	for c, n := range net {
		switch n {
		case 1:
			added[c.kind] = append(added[c.kind], c.rid)
		case -1:
			gone[c.kind] = append(gone[c.kind], c.rid)
		}
	}
	if len(added)+len(gone) == 0 {
		return nil
	}
	var kinds, goneKinds []int32
	var heads, firsts, counts, goneRids []int64
	for _, kind := range slices.Sorted(maps.Keys(added)) {
		rids := added[kind]
		slices.Sort(rids)
		for piece := range slices.Chunk(rids, int(chunkSizes[0])) {
			kinds, heads, firsts, counts = append(kinds, kind), append(heads, rids[0]), append(firsts, piece[0]), append(counts, int64(len(piece)))
		}
	}
	for kind, rids := range gone {
		for _, rid := range rids {
			goneKinds, goneRids = append(goneKinds, kind), append(goneRids, rid)
		}
	}
	return []statement{{addToChunks, []any{t.no, kinds, heads, firsts, counts, goneKinds, goneRids, chunkSizes[0], chunkSizes[1], chunkSizes[2]}}}
}

// addPageCTEs adds the queries that find a page. page has the number of records, NULL if the chunks
// may be wrong, after how many the page begins in ascending order, and how many it has. level0 has
// the chunk with its first record, and how many records are before that chunk. Each level reads
// the chunks within the one that the level above has found, the first one within all numbers
// (level3), between two numbers that are known before: a join would be planned for any number of
// chunks.
func (q *query) addPageCTEs(kind int32, account, skip, size int64, last bool) {
	q.add(`WITH page AS (
		SELECT total, CASE WHEN last THEN greatest(total - skip - size, 0) ELSE skip END AS begin, CASE WHEN last THEN least(size, greatest(total - skip, 0)) ELSE size END AS most
		FROM (SELECT sum(n)::bigint AS total FROM chunks WHERE kind = ? AND account = ? AND level = ? AND EXISTS (SELECT 1 FROM meta WHERE name = 'ranked' AND value = 1)) AS chunks, (SELECT ?::bigint AS skip, ?::bigint AS size, ?::boolean AS last) AS page
	), level3 AS (SELECT 0::bigint AS first, 9223372036854775807 AS bound, 0 AS passed)`, kind, account, topLevel, skip, size, last)
	for level := topLevel; level >= 0; level-- {
		above := fmt.Sprint("level", level+1)
		q.add(fmt.Sprint(", level", level)+` AS (SELECT first, bound, passed FROM (
			SELECT first, n, lead(first, 1, (SELECT bound FROM `+above+`)) OVER w AS bound, (SELECT passed FROM `+above+`) + sum(n) OVER w - n AS passed
			FROM chunks WHERE kind = ? AND account = ? AND level = ? AND first >= (SELECT first FROM `+above+`) AND first < (SELECT bound FROM `+above+`)
			WINDOW w AS (ORDER BY first ROWS UNBOUNDED PRECEDING)
		) AS chunks WHERE passed <= (SELECT begin FROM page) AND passed + n > (SELECT begin FROM page))`, kind, account, level)
	}
}

// byCreation returns the direction of a list in the order of creation; ok is false for
// another order.
func byCreation(f store.Filter) (desc, ok bool) {
	if len(f.Sort) == 0 {
		return true, true
	}
	return f.Sort[0].Desc, f.Sort[0].Name == "" && !f.Sort[0].Mark
}

// listByRank reads a page far back of a list that has all records of the kind, though it may
// have conditions. If it has not, or if the page is near, ok is false.
func (t *tx) listByRank(table *table, k *store.Kind, f store.Filter, p store.Page, probes []read) (rows []*row, total int, ok bool, err error) {
	desc, ok := byCreation(f)
	if !ok || t.write || table.values != nil || p == (store.Page{}) {
		return nil, 0, false, nil
	}
	limit, offset := limits(p)
	if offset < rankedFrom {
		return nil, 0, false, nil
	}
	all, of, reads, ok := t.keptTotals(table, k, f)
	if !ok {
		return nil, 0, false, nil
	}
	// To make the plan takes longer than to run it, and it is the same for any page. This is not the
	// first statement of a view that keeps no transaction open, where it would have no effect.
	reads = append(reads, read{sql: "SET LOCAL plan_cache_mode = force_generic_plan"})
	q := &query{}
	q.addPageCTEs(table.no, t.no, offset, limit, desc)
	q.add(" SELECT "+t.selected(table)+", (SELECT coalesce(total, -1) FROM page) FROM "+table.name+` WHERE account = ? AND rid >= (SELECT first FROM level0)
		ORDER BY rid OFFSET (SELECT begin - passed FROM page, level0) LIMIT (SELECT most FROM page)`, t.no)
	inChunks := -1
	reads = append(reads, read{q.String(), q.args, func(result pgx.Rows) error {
		r, err := t.scan(result, table, &inChunks)
		rows = append(rows, r)
		return err
	}})
	if err := t.send(append(reads, probes...)...); err != nil {
		return nil, 0, false, err
	}
	// Nobody reads chunks that may be wrong; and if they are for another reason, the total says so.
	empty := len(rows) == 0 && offset >= int64(*all)
	if inChunks != *all && !empty || slices.ContainsFunc(of, func(n *int) bool { return *n != *all }) {
		return nil, 0, false, nil
	}
	if desc {
		slices.Reverse(rows)
	}
	return rows, *all, true, nil
}

// rankAgain fills the chunks of all records when the last node has ended that does not write
// them, and before that does nothing. No update runs meanwhile.
func (s *Store) rankAgain(ctx context.Context) error {
	return s.onNodes(ctx, "READ COMMITTED READ WRITE", func(t *tx) error {
		if must, err := t.mustRank(); !must || err != nil {
			return err
		}
		t.timeout = s.opts.PrepareTimeout
		t.queue("SET LOCAL statement_timeout = " + milliseconds(t.timeout))
		t.queue("SET LOCAL lock_timeout = " + milliseconds(t.timeout))
		t.queue(lockSchema)
		must, err := t.mustRank() // another node may have done it
		if !must || err != nil {
			return err
		}
		kinds, err := t.recordedKinds()
		if err != nil {
			return err
		}
		t.queue("DELETE FROM chunks")
		for name, k := range kinds {
			t.queue("INSERT INTO chunks (kind, account, level, first, n) SELECT $1, account, level, min(rid), count(*)"+
				" FROM (SELECT account, rid, row_number() OVER (PARTITION BY account ORDER BY rid) - 1 AS rank FROM "+k.wholeTable(name).name+") AS ranked"+
				" CROSS JOIN (VALUES (0::smallint, $2::bigint), (1::smallint, $3::bigint), (2::smallint, $4::bigint)) AS levels (level, size) GROUP BY account, level, rank / size", k.no, chunkSizes[0], chunkSizes[1], chunkSizes[2])
		}
		t.queue("UPDATE meta SET value = 1 WHERE name = 'ranked'")
		return nil
	})
}

// rankedSince is the schema from which on programs write chunks.
const rankedSince = 4

func (t *tx) mustRank() (must bool, err error) {
	err = t.query("SELECT value = 0 AND NOT EXISTS (SELECT 1 FROM nodes WHERE until > clock_timestamp() AND schema < $1) FROM meta WHERE name = 'ranked'",
		[]any{rankedSince}, func(rows pgx.Rows) error { return rows.Scan(&must) })
	return must, err
}
