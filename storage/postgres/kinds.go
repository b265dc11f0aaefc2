package postgres

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/landfallhq/tracking/store"
)

// prepared are the kinds that this process has prepared. It is replaced, never changed.
type prepared struct {
	version int64 // of the tables in the database: meta.prepared
	kinds   []*store.Kind
	tables  map[string]*table
}

// table is a prepared kind.
type table struct {
	no      int32 // kinds.no
	name    string
	columns []store.Column
	counted []int // columns whose totals are kept
	// whole is the table with all columns that it has, if it has more than columns.
	whole *table
	// gaps has for each column the rows that have no value of it.
	gaps []gap
	// values replace those of the columns in queries; nil for none.
	values *columnValues

	// Fixed statements, and the columns of readRow and readRecord.
	insert, update, delete    string
	insertMany, updateMany    string
	rowColumns, recordColumns string
}

// column returns the index of a column by its name, or -1.
func (t *table) column(name string) int {
	return slices.IndexFunc(t.columns, func(c store.Column) bool { return c.Name == name })
}

func newTable(no int32, k *store.Kind) *table {
	t := &table{no: no, name: "r_" + k.Name, columns: slices.Clone(k.Columns), recordColumns: "id, version, revision, doc, private"}
	written := []string{"rid", "account", "id", "version", "revision", "doc", "private", "terms"}
	for _, c := range t.columns {
		written = append(written, "c_"+c.Name)
	}
	t.rowColumns = t.recordColumns + ", rid, terms"
	parameters, assignments := "$1", ""
	for i, name := range written {
		if i > 0 {
			parameters += fmt.Sprintf(", $%d", i+1)
		}
		if i >= 3 {
			assignments += fmt.Sprintf(", %s = $%d", name, i-1)
		}
		if i >= 8 {
			t.rowColumns += ", " + name
		}
	}
	t.insert = "INSERT INTO " + t.name + " (" + strings.Join(written, ", ") + ") VALUES (" + parameters + ")"
	t.update = "UPDATE " + t.name + " SET " + assignments[2:] + " WHERE rid = $1"
	t.delete = "DELETE FROM " + t.name + " WHERE rid = $1"
	t.prepareWrites(written)
	return t
}

// create returns the statements that create the table without the kind's columns.
func (t *table) create() []string {
	return []string{
		`CREATE TABLE ` + t.name + ` (
			rid      bigint PRIMARY KEY,
			account  bigint NOT NULL,
			id       uuid   NOT NULL,
			version  bigint NOT NULL,
			revision text COLLATE "C" NOT NULL,
			terms    bytea[], -- name, value, name, value; NULL: none
			private  bytea,
			doc      bytea  NOT NULL
		)`,
		`CREATE UNIQUE INDEX ` + t.name + `_id ON ` + t.name + ` (account, id)`,
		`CREATE INDEX ` + t.name + `_rid ON ` + t.name + ` (account, rid)`,
		`CREATE INDEX ` + t.name + `_revision ON ` + t.name + ` (account, revision)`,
	}
}

// createIndex returns the statement that creates the index of a column. Rows with equal
// values are in order of creation.
func (t *table) createIndex(c store.Column) string {
	include := ""
	if c.Type == store.IDColumn {
		include = " INCLUDE (id)" // so that Links reads the index alone
	}
	sql := fmt.Sprintf("CREATE INDEX IF NOT EXISTS %s ON %s (account, c_%s, rid)%s", t.index(c.Name), t.name, c.Name, include)
	if c.Sparse {
		sql += " WHERE c_" + c.Name + " IS NOT NULL"
	}
	return sql
}

func (t *table) index(column string) string { return t.name + "_c_" + column }

// sqlType returns the type of a column. Text is bytes: see the first migration. Times are
// microseconds.
func sqlType(t store.ColumnType) string {
	switch t {
	case store.TextColumn:
		return "bytea"
	case store.BoolColumn:
		return "boolean"
	case store.IDColumn:
		return "uuid"
	}
	return "bigint"
}

// validName is the form of names that become parts of SQL.
var validName = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)

// maxIdentifier is how long a name in PostgreSQL is, at most, in bytes.
const maxIdentifier = 63

func checkKind(k *store.Kind) error {
	if !validName.MatchString(k.Name) {
		return fmt.Errorf("postgres: kind %q: its name is not in snake_case", k.Name)
	}
	t, seen := newTable(0, k), map[string]bool{}
	for _, c := range k.Columns {
		switch {
		case !validName.MatchString(c.Name):
			return fmt.Errorf("postgres: kind %s: the name of column %q is not in snake_case", k.Name, c.Name)
		case seen[c.Name]:
			return fmt.Errorf("postgres: kind %s has column %s twice", k.Name, c.Name)
		case c.Type > store.IDColumn:
			return fmt.Errorf("postgres: kind %s: column %s has the unknown type %d", k.Name, c.Name, c.Type)
		case len(t.index(c.Name)) > maxIdentifier:
			return fmt.Errorf("postgres: kind %s: the names of the kind and of column %s are too long: %s has more than %d bytes", k.Name, c.Name, t.index(c.Name), maxIdentifier)
		}
		seen[c.Name] = true
	}
	return nil
}

// storedColumn is a column of a table, as the table kinds has it.
type storedColumn struct {
	store.Column
	gap
}

// kindRecord is what the database records about a kind.
type kindRecord struct {
	no       int32
	columns  []storedColumn
	revision string
	kept     []string // names of the columns whose totals are kept; nil: none were counted yet
}

// recordedKinds reads them by name.
func (t *tx) recordedKinds() (map[string]kindRecord, error) {
	kinds := map[string]kindRecord{}
	err := t.query("SELECT name, no, columns, kept, revision FROM kinds", nil, func(rows pgx.Rows) error {
		var name, columns, kept string
		var r kindRecord
		if err := rows.Scan(&name, &r.no, &columns, &kept, &r.revision); err != nil {
			return err
		}
		if kept != "" {
			if err := json.Unmarshal([]byte(kept), &r.kept); err != nil {
				return err
			}
		}
		if err := json.Unmarshal([]byte(columns), &r.columns); err != nil {
			return err
		}
		kinds[name] = r
		return nil
	})
	return kinds, err
}

// Prepare creates or alters the tables of the kinds. It changes tables in one transaction,
// which waits for the updates of all processes, and they for it. New columns stay empty in
// the rows that are there: queries compute their values until the engine has written these
// rows again. Columns that a kind has lost stay until Maintain removes them.
func (s *Store) Prepare(ctx context.Context, kinds []*store.Kind) error {
	if err := s.checkOpen(ctx); err != nil {
		return err
	}
	for _, k := range kinds {
		if err := checkKind(k); err != nil {
			return err
		}
	}
	s.preparing.Lock()
	defer s.preparing.Unlock()
	changes, err := s.prepare(ctx, kinds, false)
	switch {
	case err != nil || !changes:
		return err
	case s.opts.ReadOnly:
		return fmt.Errorf("%w: the tables of records must be altered first, by a server of this version", store.ErrReadOnly)
	}
	_, err = s.prepare(ctx, kinds, true)
	return err
}

// prepare compares the kinds with the tables, and alters these only if alter is set.
// Otherwise it returns whether they must be altered.
func (s *Store) prepare(ctx context.Context, kinds []*store.Kind, alter bool) (changes bool, err error) {
	conn, err := s.acquire(ctx)
	if err != nil {
		return false, err
	}
	defer conn.Release()
	t := s.newTx(conn.Conn(), store.AccountID{})
	defer t.end()
	if alter {
		t.write, t.timeout = true, s.opts.PrepareTimeout
		t.queue("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE")
		// An index of a large table takes long, and so does waiting for updates.
		t.queue("SET LOCAL statement_timeout = " + milliseconds(t.timeout))
		t.queue("SET LOCAL lock_timeout = " + milliseconds(t.timeout))
		t.queue(lockSchema)
	} else {
		t.queueBegin("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
	}
	next := &prepared{tables: maps.Clone(s.prepared.Load().tables), kinds: slices.Clone(s.prepared.Load().kinds)}
	if err := t.query("SELECT value FROM meta WHERE name = 'prepared'", nil, func(rows pgx.Rows) error { return rows.Scan(&next.version) }); err != nil {
		return false, err
	}
	recorded, err := t.recordedKinds()
	if err != nil {
		return false, err
	}
	for _, k := range kinds {
		r, known := recorded[k.Name]
		changed := !known || r.mustChange(k)
		if changed && !alter {
			return true, nil
		}
		if changed {
			if r, err = t.alterTable(k, r, known); err != nil {
				return false, fmt.Errorf("prepare kind %s: %w", k.Name, err)
			}
			recorded[k.Name], changes = r, true
		}
		if next.tables[k.Name], err = r.table(k); err != nil {
			return false, err
		}
		next.kinds = append(slices.DeleteFunc(next.kinds, func(o *store.Kind) bool { return o.Name == k.Name }), k)
	}
	if changes {
		next.version++
		t.queue("UPDATE meta SET value = $1 WHERE name = 'prepared'", next.version)
		// What readers see of a kind may have changed in every account.
		t.queue("UPDATE accounts SET commit = commit + 1")
	}
	if err := t.send(read{sql: "COMMIT"}); err != nil {
		return false, err
	}
	s.prepared.Store(next)
	return false, nil
}

// mustChange reports whether the table of a kind must be altered, or the record of its
// revision. What a later revision has prepared stays.
func (r kindRecord) mustChange(k *store.Kind) bool {
	now := r.next(k)
	return r.revision < k.Revision || r.revision == k.Revision && !(slices.Equal(r.columns, now.columns) && slices.Equal(r.kept, now.kept))
}

// next returns the record of a kind that this program has prepared: with its columns, and
// with those that it has lost, which other nodes may use.
func (r kindRecord) next(k *store.Kind) kindRecord {
	now := kindRecord{no: r.no, revision: k.Revision, kept: countedNames(k.Columns)}
	for _, column := range store.WithoutHints(k.Columns) {
		c := storedColumn{Column: column}
		if i := slices.IndexFunc(r.columns, func(s storedColumn) bool { return s.Column == column }); i >= 0 {
			c = r.columns[i]
		} else if r.no != 0 {
			c.Since = k.Revision
		}
		if c.Until != "" {
			c.gap = gap{Since: k.Revision}
		}
		now.columns = append(now.columns, c)
	}
	for _, c := range r.columns {
		if slices.ContainsFunc(k.Columns, func(o store.Column) bool { return o.Name == c.Name }) {
			continue
		}
		c.Until = cmp.Or(c.Until, k.Revision)
		now.columns = append(now.columns, c)
		if slices.Contains(r.kept, c.Name) {
			now.kept = append(now.kept, c.Name)
		}
	}
	slices.Sort(now.kept)
	return now
}

// table returns the table of a kind, as far as this program can use it.
func (r kindRecord) table(k *store.Kind) (*table, error) {
	t := r.newTable(k)
	for _, column := range store.WithoutHints(k.Columns) {
		i := slices.IndexFunc(r.columns, func(s storedColumn) bool { return s.Column == column })
		if i < 0 {
			return nil, &store.NewerError{Kind: k.Name, Stored: r.revision, Known: k.Revision}
		}
		t.gaps = append(t.gaps, r.columns[i].gap)
	}
	if len(r.columns) > len(k.Columns) {
		t.whole = r.wholeTable(k.Name)
	}
	return t, nil
}

// wholeTable returns the table with all columns that it has.
func (r kindRecord) wholeTable(name string) *table {
	k := &store.Kind{Name: name}
	for _, c := range r.columns {
		k.Columns = append(k.Columns, c.Column)
	}
	return r.newTable(k)
}

// newTable returns the table with the columns of a kind.
func (r kindRecord) newTable(k *store.Kind) *table {
	t := newTable(r.no, k)
	for i, c := range t.columns {
		if slices.Contains(r.kept, c.Name) {
			t.counted = append(t.counted, i)
		}
	}
	return t
}

// reload reads the kinds again, because another process has changed tables.
func (s *Store) reload(t *tx, version int64) (*prepared, error) {
	recorded, err := t.recordedKinds()
	if err != nil {
		return nil, err
	}
	now := &prepared{version: version, tables: map[string]*table{}, kinds: t.prepared.kinds}
	for _, k := range now.kinds {
		// A kind whose columns have changed can no longer be used.
		if table, err := recorded[k.Name].table(k); err == nil {
			now.tables[k.Name] = table
		}
	}
	s.prepared.CompareAndSwap(t.prepared, now)
	return now, nil
}

// alterTable creates the table of the kind, or alters its columns and indexes.
func (t *tx) alterTable(k *store.Kind, before kindRecord, known bool) (now kindRecord, err error) {
	now = before.next(k)
	declared, err := json.Marshal(now.columns)
	if err != nil {
		return now, err
	}
	err = t.query(`INSERT INTO kinds (name, columns, revision) VALUES ($1, $2, $3)
		ON CONFLICT (name) DO UPDATE SET columns = EXCLUDED.columns, revision = EXCLUDED.revision RETURNING no`,
		[]any{k.Name, string(declared), k.Revision}, func(rows pgx.Rows) error { return rows.Scan(&now.no) })
	if err != nil {
		return now, err
	}
	table := newTable(now.no, k)
	if !known {
		if err := t.execute(table.create()...); err != nil {
			return now, err
		}
	} else if before.revision == k.Revision && !slices.Equal(before.columns, now.columns) {
		return now, errors.New("its columns differ from those that the same revision has in the database: a changed kind needs a later revision")
	}
	added, err := t.alterColumns(table, before.columns)
	if err == nil {
		err = t.keepTotals(table, before.kept, now.kept, added)
	}
	return now, err
}

// alterColumns adds the columns that are new and returns their names.
func (t *tx) alterColumns(table *table, before []storedColumn) (added []string, err error) {
	var statements []string
	for n, column := range store.WithoutHints(table.columns) {
		c := table.columns[n]
		i := slices.IndexFunc(before, func(s storedColumn) bool { return s.Name == c.Name })
		if i >= 0 && before[i].Column == column {
			continue
		}
		if i >= 0 { // of another type
			statements = append(statements, "ALTER TABLE "+table.name+" DROP COLUMN c_"+c.Name)
		}
		statements = append(statements, "ALTER TABLE "+table.name+" ADD COLUMN c_"+c.Name+" "+sqlType(c.Type))
		if !c.Unindexed {
			statements = append(statements, table.createIndex(c))
		}
		added = append(added, c.Name)
	}
	return added, t.execute(statements...)
}

// execute runs statements that change the schema. They are not prepared, since each is
// run once.
func (t *tx) execute(statements ...string) error {
	if err := t.send(); err != nil || len(statements) == 0 {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), t.timeout)
	defer cancel()
	if _, err := t.conn.PgConn().Exec(ctx, strings.Join(statements, ";\n")).ReadAll(); err != nil {
		t.failed = t.store.wrap(err, t.conn.IsClosed())
	}
	return t.failed
}
