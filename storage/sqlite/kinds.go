//go:build cgo

package sqlite

import (
	"bytes"
	"context"
	"database/sql/driver"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/landfallhq/tracking/store"
)

// table is a prepared kind.
type table struct {
	no      int64 // kinds.no
	name    string
	columns []store.Column
	counted []string // names of the columns whose totals are kept
	facets  []string // names of the columns in the facet index; nil if there is none
	// below is the revision whose earlier ones the index of outdated records has.
	below string
	// columnNames are the names of the columns in SQL, and insertColumns those of a
	// complete row.
	columnNames, insertColumns []string

	// Fixed statements.
	selectOne, selectSpan, insert, fill, delete string
	// recordColumns are the columns that records are read from: viewColumns, and
	// more with a cache or in an Update.
	recordColumns string
	// newer is not nil if a newer program has given the table more columns: the error
	// of new records, whose columns would stay empty.
	newer error
	// forUpdate is the same table for an Update, which reads complete rows: see
	// tx.rememberRow.
	forUpdate *table
	// selects makes its statements when they are first asked for: a start reads few kinds.
	selects func() *selects
}

// selects are the statements that select records.
type selects struct {
	// Statements with 2^n IDs or rids.
	byID, byRid [maxInBits + 1]string
	// Statements for a range of rids in either direction: of records, and of rids
	// alone.
	pageUp, pageDown, ridsUp, ridsDown string
}

// column returns the index of a column by its name, or -1.
func (t *table) column(name string) int {
	return slices.IndexFunc(t.columns, func(c store.Column) bool { return c.Name == name })
}

// unindexed reports whether a column has no index of its own.
func (t *table) unindexed(name string) bool {
	i := t.column(name)
	return i >= 0 && t.columns[i].Unindexed
}

// validName is the form of names that become parts of SQL.
var validName = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)

// prepareReads declares which columns records are read from.
func (t *table) prepareReads(cached bool) {
	whole := *t
	whole.readFrom(updateColumns + whole.ownColumns())
	t.forUpdate = &whole
	if cached {
		t.readFrom(viewColumns + ", rid")
	} else {
		t.readFrom(viewColumns)
	}
}

func (t *table) readFrom(columns string) {
	t.recordColumns = columns
	t.selects = sync.OnceValue(func() *selects { return newSelects(t.name, columns) })
}

// ownColumns lists the columns of the kind, each after a comma.
func (t *table) ownColumns() (own string) {
	for _, c := range t.columns {
		own += ", c_" + c.Name
	}
	return own
}

// newSelects returns the statements that select these columns of a table.
func newSelects(table, columns string) *selects {
	var s selects
	from := "SELECT " + columns + " FROM " + table
	for n := range s.byID {
		in := "IN (?" + strings.Repeat(", ?", 1<<n-1) + ")"
		s.byID[n] = from + " WHERE account = ? AND id " + in
		s.byRid[n] = from + " WHERE rid " + in + " ORDER BY rid"
	}
	s.pageUp = from + " WHERE rid BETWEEN ? AND ? ORDER BY rid LIMIT +? OFFSET ?"
	s.pageDown = from + " WHERE rid BETWEEN ? AND ? ORDER BY rid DESC LIMIT +? OFFSET ?"
	s.ridsUp = strings.Replace(s.pageUp, from, "SELECT rid FROM "+table, 1)
	s.ridsDown = strings.Replace(s.pageDown, from, "SELECT rid FROM "+table, 1)
	return &s
}

func newTable(no int64, k *store.Kind) *table {
	t := &table{no: no, name: "r_" + k.Name, columns: slices.Clone(k.Columns), below: k.Revision}
	own := t.ownColumns()
	for _, c := range t.columns {
		t.columnNames = append(t.columnNames, "c_"+c.Name)
		if c.Counted {
			t.counted = append(t.counted, c.Name)
		}
	}
	if t.counted != nil {
		for _, c := range t.columns {
			if !c.Volatile {
				t.facets = append(t.facets, c.Name)
			}
		}
	}
	// The document, the private part and the terms are one value; see read.go.
	t.selectOne = "SELECT rid, version, " + age + ", length(private), length(terms), ifnull(checksum, " + noChecksum + ") || doc || ifnull(private, x'') || ifnull(terms, x'')" + own +
		" FROM " + t.name + " WHERE account = ?2 AND id = ?3"
	t.selectSpan = t.spanSQL()
	t.insertColumns = append([]string{"rid", "account", "id", "version", "revision", "doc", "private", "terms", "checksum"}, t.columnNames...)
	values := t.name + " (" + strings.Join(t.insertColumns, ", ") + ") VALUES (?" + strings.Repeat(", ?", len(t.insertColumns)-1) + ")"
	t.insert, t.fill = "INSERT INTO "+values, insertIntoFill+values
	t.delete = "DELETE FROM " + t.name + " WHERE rid = ?"
	return t
}

// create returns the statement that creates the table, without the indexes that
// install makes. The key columns come before the document: a row that does not fit
// on its page spills from the end. The kind's columns come last, where later
// columns are added.
func (t *table) create() string {
	var own strings.Builder
	for _, c := range t.columns {
		own.WriteString(",\n\t\t\tc_" + c.Name + " " + sqlType(c.Type))
	}
	return `CREATE TABLE ` + t.name + ` (
		rid      INTEGER PRIMARY KEY,
		account  INTEGER NOT NULL REFERENCES accounts (no),
		id       BLOB    NOT NULL,
		version  INTEGER NOT NULL,
		revision TEXT    NOT NULL,
		checksum BLOB,
		terms    BLOB,
		private  BLOB,
		doc      BLOB    NOT NULL` + own.String() + `,
		CHECK (rid >> 40 = account)
	) STRICT`
}

func (t *table) createIDs() string {
	return "CREATE UNIQUE INDEX " + t.name + "_id ON " + t.name + " (account, id)"
}

// createIndex returns the statement that creates the index of a column. Every
// SQLite index ends with the rid, so rows with equal values are in order of
// creation.
func (t *table) createIndex(c store.Column) string {
	more := ""
	if c.Type == store.IDColumn {
		// So that Links reads the index alone.
		more = ", rid, id"
	}
	sql := fmt.Sprintf("CREATE INDEX %s_c_%s ON %s (account, c_%s%s)", t.name, c.Name, t.name, c.Name, more)
	if c.Sparse {
		sql += " WHERE c_" + c.Name + " IS NOT NULL"
	}
	return sql
}

// createOutdated returns the statement that creates the index of outdated records. It
// is empty most of the time: an index of all revisions would be written with each new
// record.
func (t *table) createOutdated() string {
	return "CREATE INDEX " + t.name + "_outdated ON " + t.name + " (account) WHERE " + t.outdated()
}

// outdated is the condition of the index of outdated records. The planner uses the
// index only for queries that repeat it.
func (t *table) outdated() string {
	return "revision < '" + strings.ReplaceAll(t.below, "'", "''") + "'"
}

// createFacets returns the statement that creates the facet index: a narrow copy of
// the rows, in order of creation, for filters without a selective condition. Only
// kinds with counted columns have one; others have no such conditions. It leaves
// out volatile columns, because one of them made every update of a record a third
// slower. Its WHERE holds for all rows, but the planner uses the index only for
// queries that repeat it; without it, the planner would choose this index to avoid
// a sort.
func (t *table) createFacets() string {
	return "CREATE INDEX " + t.name + "_facets ON " + t.name + " (account, rid, c_" + strings.Join(t.facets, ", c_") + ") WHERE rid <> 0"
}

func (t *table) inFacets(name string) bool { return slices.Contains(t.facets, name) }

// sqlType returns the type of a column in a STRICT table.
func sqlType(t store.ColumnType) string {
	switch t {
	case store.TextColumn:
		return "TEXT"
	case store.IDColumn:
		return "BLOB"
	}
	return "INTEGER" // also times, in microseconds
}

func checkKind(k *store.Kind) error {
	if !validName.MatchString(k.Name) {
		return fmt.Errorf("sqlite: kind %q: its name is not in snake_case", k.Name)
	}
	seen := map[string]bool{}
	for _, c := range k.Columns {
		switch {
		case !validName.MatchString(c.Name):
			return fmt.Errorf("sqlite: kind %s: the name of column %q is not in snake_case", k.Name, c.Name)
		case seen[c.Name]:
			return fmt.Errorf("sqlite: kind %s has column %s twice", k.Name, c.Name)
		case c.Type > store.IDColumn:
			return fmt.Errorf("sqlite: kind %s: column %s has the unknown type %d", k.Name, c.Name, c.Type)
		case c.Volatile && (c.Unindexed || c.Sparse):
			return fmt.Errorf("sqlite: kind %s: column %s is volatile, so that no other index has what its own has not", k.Name, c.Name)
		}
		seen[c.Name] = true
	}
	return nil
}

// Prepare creates or alters the tables of the kinds. If a kind has gained columns,
// all its rows are rendered again, in batches, so that no write waits for long. If
// that is interrupted, the next Prepare starts it again.
func (s *Store) Prepare(ctx context.Context, kinds []*store.Kind) error {
	s.preparing.Lock()
	defer s.preparing.Unlock()
	for _, k := range kinds {
		if err := checkKind(k); err != nil {
			return err
		}
	}
	tables := maps.Clone(*s.tables.Load())
	if s.opts.ReadOnly {
		return s.prepareReadOnly(ctx, kinds, tables)
	}
	left, err := s.prepareTogether(ctx, kinds, tables)
	if err != nil {
		return err
	}
	for _, k := range left {
		t, err := s.prepareKind(ctx, k)
		if err != nil {
			return err
		}
		tables[k.Name] = t
	}
	s.tables.Store(&tables)
	return nil
}

// prepareTogether creates the missing tables in one transaction: with one each, a
// new program would wait for the disk some fifty times before it answers. It
// returns the kinds whose tables must be altered, which may take long.
func (s *Store) prepareTogether(ctx context.Context, kinds []*store.Kind, tables map[string]*table) (toAlter []*store.Kind, err error) {
	var raised []*store.Kind // those whose records have become outdated
	err = s.writeAlone(ctx, func(c *conn) error {
		raised = nil
		if err := addChecksumColumns(c); err != nil {
			return err
		}
		for _, k := range kinds {
			declared, err := json.Marshal(store.WithoutHints(k.Columns))
			if err != nil {
				return err
			}
			rec, err := recordedKind(c, k)
			if err != nil {
				return err
			}
			var t *table
			switch {
			case rec.isLaterThan(k):
				t, err = rec.tableOfOlder(k)
			case rec.no != 0 && (rec.columns != string(declared) || rec.kept != newTable(rec.no, k).keptSettings()):
				toAlter = append(toAlter, k)
				continue
			case rec.no != 0:
				t = newTable(rec.no, k)
				if rec.revision < k.Revision {
					raised = append(raised, k)
				}
			default:
				if t, err = createTable(c, k); err == nil {
					err = s.postponeIndexes(c, t, k.Name)
				}
			}
			if err != nil {
				return fmt.Errorf("prepare kind %s: %w", k.Name, err)
			}
			t.prepareReads(s.cache != nil)
			tables[k.Name] = t
		}
		return nil
	})
	for _, k := range raised {
		if err == nil {
			err = s.raiseRevision(ctx, tables[k.Name], k)
		}
	}
	return toAlter, err
}

// raiseRevision is recordRevision in a transaction of its own: it reads the table once, and
// another process that writes waits for it.
func (s *Store) raiseRevision(ctx context.Context, t *table, k *store.Kind) error {
	return s.writeAlone(ctx, func(c *conn) error {
		rec, err := recordedKind(c, k)
		if err != nil {
			return err
		}
		return t.recordRevision(c, k, rec)
	})
}

// kindRecord is what the file records about a kind.
type kindRecord struct {
	no            int64 // 0: the file does not have the kind
	columns, kept string
	revision      string
}

func recordedKind(c *conn, k *store.Kind) (r kindRecord, err error) {
	err = c.query("SELECT no, columns, kept, revision FROM kinds WHERE name = ?", []driver.Value{k.Name}, func(v []driver.Value) error {
		r = kindRecord{v[0].(int64), v[1].(string), v[2].(string), v[3].(string)}
		return nil
	})
	return r, err
}

// isLaterThan reports whether a newer program has prepared the kind. Its columns,
// indexes and triggers stay then: it may be running.
func (r kindRecord) isLaterThan(k *store.Kind) bool { return r.no != 0 && r.revision > k.Revision }

// tableOfOlder returns the table of a kind that a newer program has prepared. This
// program can read it if all columns of k are there. It can write it if there are no
// others: it would leave those empty.
func (r kindRecord) tableOfOlder(k *store.Kind) (*table, error) {
	var have []store.Column
	if err := json.Unmarshal([]byte(r.columns), &have); err != nil {
		return nil, err
	}
	have = store.WithoutHints(have)
	newer := &store.NewerError{Kind: k.Name, Stored: r.revision, Known: k.Revision}
	for _, column := range store.WithoutHints(k.Columns) {
		if !slices.Contains(have, column) {
			return nil, newer
		}
	}
	t := newTable(r.no, k)
	if len(have) > len(k.Columns) {
		t.newer = newer
	}
	t.below = r.revision
	if r.kept != t.keptSettings() {
		t.counted, t.facets = nil, nil // the triggers and the facet index may be others
	}
	return t, nil
}

// recordRevision records that the kind is prepared for this revision, and indexes the
// records that it makes outdated.
func (t *table) recordRevision(c *conn, k *store.Kind, before kindRecord) error {
	if before.revision >= k.Revision {
		return nil
	}
	if err := t.install(c); err != nil {
		return err
	}
	return c.exec("UPDATE kinds SET revision = ? WHERE no = ?", k.Revision, t.no)
}

// prepareKind alters the table of a kind. A server of an older program must not be
// running on the file: its statements name the former indexes, and it would leave
// the new columns empty.
func (s *Store) prepareKind(ctx context.Context, k *store.Kind) (*table, error) {
	release, err := lockForUpgrade(s.path, s.file)
	if err != nil {
		return nil, fmt.Errorf("prepare kind %s: %w", k.Name, err)
	}
	defer release()
	var t *table
	var complete bool
	declared, err := json.Marshal(store.WithoutHints(k.Columns))
	if err != nil {
		return nil, err
	}
	err = s.writeAlone(ctx, func(c *conn) error {
		rec, err := recordedKind(c, k)
		if err != nil {
			return err
		}
		if t, complete, err = alterTable(c, k, declared); err != nil {
			return err
		}
		t.prepareReads(s.cache != nil)
		return t.recordRevision(c, k, rec)
	})
	if err != nil {
		return nil, fmt.Errorf("prepare kind %s: %w", k.Name, err)
	}
	for last := int64(-1); !complete; {
		err := s.writeAlone(ctx, func(c *conn) error {
			last, complete, err = renderBatch(ctx, c, t, k, last)
			if err != nil || !complete {
				return err
			}
			return c.exec("UPDATE kinds SET columns = ? WHERE no = ?", string(declared), t.no)
		})
		if err != nil {
			return nil, fmt.Errorf("fill the new columns of kind %s: %w", k.Name, err)
		}
	}
	return t, nil
}

// createTable creates the table of a kind that the file does not have, with its indexes
// and triggers.
func createTable(c *conn, k *store.Kind) (*table, error) {
	declared, err := json.Marshal(store.WithoutHints(k.Columns))
	if err != nil {
		return nil, err
	}
	t := newTable(0, k)
	t.no, err = c.insert("INSERT INTO kinds (name, columns, kept, revision) VALUES (?, ?, ?, ?)", k.Name, string(declared), t.keptSettings(), k.Revision)
	if err != nil {
		return nil, err
	}
	for _, sql := range append([]string{t.create()}, t.objects()...) {
		if err := c.exec(sql); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// alterTable alters the columns, indexes and triggers of the table of a kind. Complete
// is false if rows have no values in some columns yet.
func alterTable(c *conn, k *store.Kind, declared []byte) (_ *table, complete bool, err error) {
	rec, err := recordedKind(c, k)
	if err != nil {
		return nil, false, err
	}
	no, recorded, kept := rec.no, rec.columns, rec.kept
	if recorded == string(declared) {
		t := newTable(no, k)
		if kept == t.keptSettings() {
			return t, true, nil
		}
		return t, true, t.install(c)
	}
	t := newTable(no, k)
	if err := t.alterColumns(c); err != nil {
		return nil, false, err
	}
	var before []store.Column // recorded by the last complete Prepare
	if err := json.Unmarshal([]byte(recorded), &before); err != nil {
		return nil, false, err
	}
	before = store.WithoutHints(before)
	var filled []store.Column // declared, with values in all rows
	for _, column := range store.WithoutHints(k.Columns) {
		if slices.Contains(before, column) {
			filled = append(filled, column)
		}
	}
	rows, _, err := c.queryInt("SELECT EXISTS (SELECT 1 FROM " + t.name + ")")
	if err != nil {
		return nil, false, err
	}
	complete = rows == 0 || len(filled) == len(k.Columns)
	if !complete {
		if k.Render == nil {
			return nil, false, errors.New("it has new columns, but no Render to fill them")
		}
		// Record which columns are not filled at once. If the filling is
		// interrupted and an older program opens the file, that program finds its
		// columns as new.
		if declared, err = json.Marshal(filled); err != nil {
			return nil, false, err
		}
	}
	if err := c.exec("UPDATE kinds SET columns = ? WHERE no = ?", string(declared), no); err != nil {
		return nil, false, err
	}
	// Before the columns are filled, so that the triggers count every value.
	return t, complete, t.install(c)
}

// alterColumns adds the columns that the table does not have. One that is no longer
// declared stays in the rows: dropping it would rewrite the whole table.
func (t *table) alterColumns(c *conn) error {
	types := map[string]string{}
	err := c.query("SELECT name, type FROM pragma_table_info(?)", []driver.Value{t.name}, func(v []driver.Value) error {
		types[v[0].(string)] = v[1].(string)
		return nil
	})
	if err != nil {
		return err
	}
	for _, column := range t.columns {
		name, want := "c_"+column.Name, sqlType(column.Type)
		got, ok := types[name]
		if ok && got == want {
			continue
		}
		if ok { // what uses a column keeps it from being dropped
			if err := t.uninstall(c); err != nil {
				return err
			}
			if err := c.exec("ALTER TABLE " + t.name + " DROP COLUMN " + name); err != nil {
				return err
			}
		}
		if err := c.exec("ALTER TABLE " + t.name + " ADD COLUMN " + name + " " + want); err != nil {
			return err
		}
	}
	return nil
}

// renderBatch renders up to 500 rows after `last` again, and returns the last of
// them and whether there are no more. Versions stay, because what readers see does
// not change.
func renderBatch(ctx context.Context, c *conn, t *table, k *store.Kind, last int64) (int64, bool, error) {
	const size = 500
	if err := ctx.Err(); err != nil {
		return last, false, err
	}
	type stored struct {
		rid, account int64
		record       store.Record
		terms        []byte
		damaged      bool
	}
	var batch []stored
	err := c.query("SELECT rid, account, id, version, doc, private, terms, revision, checksum FROM "+t.name+" WHERE rid > ? ORDER BY rid LIMIT +?",
		[]driver.Value{last, int64(size)}, func(v []driver.Value) error {
			r := stored{rid: v[0].(int64), account: v[1].(int64), terms: blob(v[6])}
			r.record = store.Record{Version: v[3].(int64), Doc: blob(v[4]), Private: blob(v[5])}
			copy(r.record.ID[:], blob(v[2]))
			_, equal := compareChecksum(blob(v[8]), r.record.ID[:], r.record.Version, v[7].(string), r.record.Private, r.record.Doc)
			r.damaged = !equal
			batch = append(batch, r)
			return nil
		})
	if err != nil {
		return last, false, err
	}
	for _, r := range batch {
		w, err := k.Render(r.record)
		if err != nil {
			return last, false, fmt.Errorf("render %s: %w", r.record.ID, err)
		}
		w.ID = r.record.ID
		cols, err := columnValues(t, w)
		if err != nil {
			return last, false, err
		}
		row := key{t: t, rid: r.rid, account: r.account, id: r.record.ID}
		terms := encodeTerms(w.Terms)
		if !bytes.Equal(r.terms, terms) {
			if err := row.replaceTerms(c, r.terms, terms); err != nil {
				return last, false, err
			}
		}
		u := newUpdate(t)
		if !r.damaged { // otherwise it would get the checksum of what it is now
			u.set("revision", k.Revision)
			u.set("doc", notNil(w.Doc))
			u.set("private", orNull(w.Private))
			sum := newChecksum(r.record.ID[:], r.record.Version, k.Revision, w.Private, w.Doc)
			u.set("checksum", sum[:])
		}
		u.set("terms", orNull(terms))
		for i, v := range cols {
			u.set("c_"+t.columns[i].Name, v)
		}
		if err := u.exec(c, r.rid); err != nil {
			return last, false, err
		}
		last = r.rid
	}
	if _, err := raiseCommit(c); err != nil {
		return last, false, err
	}
	return last, len(batch) < size, nil
}
