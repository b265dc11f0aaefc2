package postgres

import (
	"cmp"
	"context"
	"encoding/binary"
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/landfallhq/tracking/store"
)

// prefetchedList is the result of a List of the zero Page. It is dropped when the
// transaction changes records or marks of its kind.
type prefetchedList struct {
	table *table
	f     store.Filter
	rows  []*row
}

// Prefetch implements store.Prefetcher: it makes the reads in one round trip. That is the one
// that takes the lock of the account, if it was not taken yet.
func (t *tx) Prefetch(ctx context.Context, reads []store.Read) error {
	if t.write && !t.locked && !t.closed && t.failed == nil && ctx.Err() == nil {
		sent, err := t.lockAndPrefetch(reads)
		if sent || err != nil {
			return err
		}
	}
	if err := t.begin(ctx, false); err != nil {
		return err
	}
	statements, err := t.prefetchReads(reads)
	if err != nil || len(statements) == 0 {
		return err
	}
	return t.send(statements...)
}

// lockAndPrefetch sends the reads with the statements that take the lock, if the number of
// the account is known. It returns false if the reads have to be made again.
func (t *tx) lockAndPrefetch(reads []store.Read) (sent bool, err error) {
	no, known := t.store.accounts.Load(t.account)
	if !known {
		return false, nil
	}
	t.no = no.(int64)
	statements, err := t.prefetchReads(reads)
	if err != nil {
		return false, err
	}
	if sent, err = t.lockAccount(lockShared, statements...); !sent {
		t.rows, t.prefetched = nil, nil
	}
	return sent, err
}

// prefetchReads returns the statements of reads. Their results are remembered when they are
// sent. All that are in the order of creation are one statement, whose parts are the reads.
func (t *tx) prefetchReads(reads []store.Read) (statements []read, err error) {
	together := &query{}
	var parts []prefetchPart
	for _, r := range reads {
		table, err := t.tableOf(r.Kind)
		if err != nil {
			return nil, err
		}
		part := prefetchPart{table: table}
		if len(r.IDs) > 0 {
			part.missing = t.notRemembered(table, r.IDs)
			if len(part.missing) == 0 {
				continue
			}
		} else if _, known := t.prefetchedRows(table, r.Filter); known || len(table.withGaps(table.columnsOf(r.Filter))) > 0 {
			continue // List finds out whether rows lack values of its columns
		} else {
			part.list = &prefetchedList{table: table, f: r.Filter}
			t.prefetched = append(t.prefetched, part.list)
		}
		if len(r.Filter.Sort) > 0 {
			q, err := t.pageQuery(table, r.Kind, r.Filter, store.Page{})
			if err != nil {
				return nil, err
			}
			statements = append(statements, read{q.String(), q.args, func(rows pgx.Rows) error {
				row, err := t.scan(rows, table)
				part.list.rows = append(part.list.rows, row)
				return err
			}})
			continue
		}
		if err := part.add(t, together, r, len(parts)); err != nil {
			return nil, err
		}
		parts = append(parts, part)
	}
	if len(parts) == 0 {
		return statements, nil
	}
	return append(statements, read{together.String(), together.args, func(rows pgx.Rows) error { return t.scanPart(rows, parts) }}), nil
}

// prefetchPart is a read that is made together with others.
type prefetchPart struct {
	table   *table
	missing [][16]byte      // IDs
	list    *prefetchedList // nil for IDs
}

// add adds the part with this number to a statement. Its rows are in no order.
func (p *prefetchPart) add(t *tx, q *query, r store.Read, number int) error {
	if number > 0 {
		q.add(" UNION ALL ")
	}
	// A View needs neither columns nor terms.
	columns, terms := "NULL", "NULL::bytea[]"
	if t.write {
		terms = "terms"
	}
	if t.write && len(p.table.columns) > 0 {
		names := make([]string, len(p.table.columns))
		for i, c := range p.table.columns {
			names[i] = "c_" + c.Name
		}
		columns = "record_send(ROW(" + strings.Join(names, ", ") + "))"
	}
	q.add("SELECT " + strconv.Itoa(number) + ", id, version, revision, doc, private, rid, " + terms + ", " + columns + "::bytea FROM " + p.table.name)
	if p.list == nil {
		q.add(" WHERE account = ? AND id = ANY(?)", t.no, p.missing)
		return nil
	}
	return q.addWhere(t, p.table, r.Kind, r.Filter)
}

// scanPart reads a row of one of the parts.
func (t *tx) scanPart(rows pgx.Rows, parts []prefetchPart) error {
	var number int
	var columns []byte
	r := &row{}
	if err := rows.Scan(&number, (*[16]byte)(&r.id), &r.version, &r.revision, &r.doc, &r.private, &r.rid, &r.storedTerms, &columns); err != nil {
		return err
	}
	p := parts[number]
	if t.write {
		r.types = p.table.columns
		r.loadRecord(columns)
	}
	if t.write || p.list == nil {
		t.remember(p.table, r.id, r)
	}
	if p.list == nil {
		return nil
	}
	at, _ := slices.BinarySearchFunc(p.list.rows, r, func(a, b *row) int { return cmp.Compare(b.rid, a.rid) })
	p.list.rows = slices.Insert(p.list.rows, at, r) // last created first
	return nil
}

// loadRecord sets columns and terms, from a composite value in its binary form: the number
// of fields, and for each one its type, its length, which is -1 for NULL, and its bytes.
func (r *row) loadRecord(fields []byte) {
	r.columns = make([]any, len(r.types))
	r.loadTerms()
	if len(r.types) == 0 {
		return
	}
	fields = fields[4:]
	for i, c := range r.types {
		length := int32(binary.BigEndian.Uint32(fields[4:]))
		fields = fields[8:]
		if length < 0 {
			continue
		}
		value := fields[:length]
		fields = fields[length:]
		switch c.Type {
		case store.TextColumn:
			r.columns[i] = string(value)
		case store.BoolColumn:
			r.columns[i] = value[0] != 0
		case store.IDColumn:
			r.columns[i] = store.ID(value)
		default:
			r.columns[i] = int64(binary.BigEndian.Uint64(value))
		}
	}
}

// notRemembered returns the IDs whose rows are not remembered. They count as missing until
// they are found.
func (t *tx) notRemembered(table *table, ids []store.ID) (missing [][16]byte) {
	for _, id := range ids {
		if _, known := t.remembered(table, id); !known {
			t.remember(table, id, nil)
			missing = append(missing, id)
		}
	}
	return missing
}

// prefetchedRows returns the rows of a list, if it was prefetched and is still current.
func (t *tx) prefetchedRows(table *table, f store.Filter) (rows []*row, ok bool) {
	i := slices.IndexFunc(t.prefetched, func(l *prefetchedList) bool { return l.table == table && l.f.Equal(f) })
	if i < 0 {
		return nil, false
	}
	return t.prefetched[i].rows, true
}

// changed records that records or marks of a kind were changed.
func (t *tx) changed(table *table) {
	t.wrote = true
	t.prefetched = slices.DeleteFunc(t.prefetched, func(l *prefetchedList) bool { return l.table.no == table.no })
}
