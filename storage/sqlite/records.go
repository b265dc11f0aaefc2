//go:build cgo

package sqlite

import (
	"bytes"
	"cmp"
	"context"
	"database/sql/driver"
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/mattn/go-sqlite3"

	"github.com/landfallhq/tracking/store"
)

// seqBits is the number of bits of a rid that hold the running number of the
// record; the rest hold the number of its account.
const seqBits = 40

var errTxClosed = errors.New("sqlite: transaction used after its closure has returned")

// tx is the transaction of one closure.
type tx struct {
	store   *Store
	conn    *conn
	account store.AccountID
	write   bool
	closed  bool // the closure has returned

	accountNo     int64 // the account's number; 0 if it was not resolved, or has none
	resolved      bool
	accountCached bool // the store has the number in memory

	issued      map[seqKey]int64 // the last rids issued
	batchIssued map[seqKey]int64 // those that the batch had issued before
	renumbers   bool             // it has deleted what is stored about the numbers of an account
	failed      error            // the first error of a write: nothing may be committed

	// Of a view: the last commit in its snapshot, and whether it may use the cache.
	commit int64
	cached bool
	// Records that it found in the cache, and did not find there.
	hits, misses int64
	// Of an update: whether it changed records, and which of those that existed.
	wrote        bool
	changed      []ridKey
	writtenKinds []int64 // kinds that it wrote records or marks of

	viewSnapshot

	getBuffer [1]store.Record // the result of Get
	checksum  checksumArgument
	// readRows are the rows that an Update has read and not yet written, so that
	// Put need not read them again. A nil row means that there is no record with
	// this ID.
	readRows map[readRowKey]*row
	// markNames are the mark names that a view has read.
	markNames map[markKey]markName
	// pendingTerms are terms of new records that are not inserted yet: see
	// queueTerms.
	pendingTerms []pendingTerm
}

type readRowKey struct {
	kind int64
	id   store.ID
}

// maxReadRows bounds tx.readRows.
const maxReadRows = 4096

// rememberRow adds a row to readRows; nil means that there is none.
func (t *tx) rememberRow(table *table, id store.ID, r *row) {
	if t.readRows == nil {
		t.readRows = map[readRowKey]*row{}
	}
	if len(t.readRows) < maxReadRows {
		t.readRows[readRowKey{table.no, id}] = r
	}
}

// seqKey is a kind in an account.
type seqKey struct{ kind, account int64 }

// begin must be called first in every method.
func (t *tx) begin(ctx context.Context, write bool) error {
	switch {
	case t.closed:
		return errTxClosed
	case write && !t.write:
		return store.ErrReadOnly
	case t.failed != nil:
		return t.failed
	case t.write && !t.conn.inTransaction():
		// After some faults (a full disk, a failed read) SQLite rolls back by
		// itself. Later statements would be committed one by one.
		return t.fail(fmt.Errorf("%w: sqlite rolled the transaction back", store.ErrUnavailable))
	}
	if t.notStarted {
		if err := t.beginSnapshot(); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// beginKind is begin for methods that name a kind. All that waits is written before,
// because they may find records in any way.
func (t *tx) beginKind(ctx context.Context, k *store.Kind, write bool) (*table, error) {
	table, err := t.beginByID(ctx, k, write)
	if err == nil {
		err = t.flush()
	}
	return table, err
}

// beginByID is beginKind for methods that find records by their IDs alone.
func (t *tx) beginByID(ctx context.Context, k *store.Kind, write bool) (*table, error) {
	if err := t.begin(ctx, write); err != nil {
		return nil, err
	}
	table, ok := (*t.store.tables.Load())[k.Name]
	if !ok || !slices.Equal(table.columns, k.Columns) {
		return nil, fmt.Errorf("sqlite: kind %s was not prepared with these columns", k.Name)
	}
	if t.write {
		table = table.forUpdate
	}
	return table, t.resolveAccount()
}

// resolveAccount finds the account's number. An account without records has none;
// since 0 is no account's number, its reads find nothing.
func (t *tx) resolveAccount() error {
	if t.resolved {
		return nil
	}
	if no, ok := t.store.accounts.get(t.account); ok {
		t.accountNo, t.resolved, t.accountCached = no, true, true
		return nil
	}
	no, ok, err := t.queryInt("SELECT no FROM accounts WHERE id = ?", t.account[:])
	if err != nil {
		return err
	}
	t.accountNo, t.resolved = no, true
	if ok && !t.write {
		// It is committed. A write may find the number of an uncommitted account of
		// its batch: see cacheAccount.
		t.store.accounts.set(t.account, no)
	}
	return nil
}

// cacheAccount keeps the account's number in memory, once it is committed.
func (t *tx) cacheAccount() {
	if t.accountNo != 0 && !t.accountCached {
		t.store.accounts.set(t.account, t.accountNo)
	}
}

// ensureAccount gives the account a number if it has none.
func (t *tx) ensureAccount() error {
	if err := t.resolveAccount(); err != nil || t.accountNo != 0 {
		return err
	}
	no, err := t.conn.insert("INSERT INTO accounts (id) VALUES (?)", t.account[:])
	if err != nil {
		return t.fail(err)
	}
	if no >= 1<<(63-seqBits) {
		return t.fail(fmt.Errorf("sqlite: more than %d accounts in one file", int64(1)<<(63-seqBits)-1))
	}
	t.accountNo = no
	return nil
}

// fail records an error, if there is one: nothing may be committed then.
func (t *tx) fail(err error) error {
	if err != nil && t.failed == nil {
		t.failed = err
	}
	return err
}

// firstRid and lastRid are the ends of the account's range of rids.
func (t *tx) firstRid() int64 { return t.accountNo << seqBits }
func (t *tx) lastRid() int64  { return t.accountNo<<seqBits | (1<<seqBits - 1) }

// key identifies a row.
type key struct {
	t            *table
	rid, account int64
	id           store.ID
}

// row is a stored row, as Put and Delete need it.
type row struct {
	key
	version             int64
	age                 int64 // outdated, current or newer
	doc, private, terms []byte
	checksum            []byte
	cols                []driver.Value
}

// row reads a row, or takes it from readRows; nil if there is none. The caller may
// modify it.
func (t *tx) row(table *table, k *store.Kind, id store.ID) (*row, error) {
	if r, ok := t.readRows[readRowKey{table.no, id}]; ok {
		delete(t.readRows, readRowKey{table.no, id})
		return r, nil
	}
	var r *row
	err := t.query(table.selectOne, []driver.Value{k.Revision, t.accountNo, t.conn.idArg(0, id)}, func(v []driver.Value) error {
		r = &row{key: key{table, v[0].(int64), t.accountNo, id}, version: v[1].(int64), age: v[2].(int64)}
		r.checksum, r.doc = cutChecksum(bytesOf(v[5].(string))) // conn.query reports any other type as damage
		r.terms, r.doc = cutTail(r.doc, v[4])
		r.private, r.doc = cutTail(r.doc, v[3])
		r.cols = slices.Clone(v[6:])
		return nil
	})
	return r, err
}

// getForUpdate is Get in an Update.
func (t *tx) getForUpdate(table *table, k *store.Kind, id store.ID) (store.Record, error) {
	r, err := t.row(table, k, id)
	if err != nil {
		return store.Record{}, err
	}
	if r == nil {
		t.rememberRow(table, id, nil)
		return store.Record{}, store.ErrNotFound
	}
	return t.asRead(table, k, r)
}

// asRead returns a row as a record, and remembers it for Put.
func (t *tx) asRead(table *table, k *store.Kind, r *row) (store.Record, error) {
	t.rememberRow(table, r.id, r)
	return inCurrentForm(k, r.checksum, r.id[:], store.Record{ID: r.id, Version: r.version, Doc: r.doc, Private: r.private}, r.age)
}

func (t *tx) Get(ctx context.Context, k *store.Kind, id store.ID) (store.Record, error) {
	if t.notStarted {
		if r, found, err := t.getAsFirstRead(ctx, k, id); found || err != nil {
			return r, err
		}
	}
	table, err := t.beginByID(ctx, k, false)
	if err != nil {
		return store.Record{}, err
	}
	if t.write {
		if err := t.flushRow(table, id); err != nil {
			return store.Record{}, err
		}
		return t.getForUpdate(table, k, id)
	}
	if r, ok := t.cachedByID(table, k, id); ok {
		return r, nil
	}
	found, err := t.read(ctx, table, k, table.selects().byID[0], t.getBuffer[:0], t.accountNo, t.conn.idArg(0, id))
	switch {
	case err != nil:
		return store.Record{}, err
	case len(found) == 0:
		return store.Record{}, store.ErrNotFound
	}
	return found[0], nil
}

func (t *tx) GetMany(ctx context.Context, k *store.Kind, ids []store.ID, to []store.Record) ([]store.Record, error) {
	table, err := t.beginByID(ctx, k, false)
	if err != nil || len(ids) == 0 {
		return to, err
	}
	if t.cached {
		return t.getManyCached(ctx, table, k, ids, to)
	}
	for _, id := range ids {
		if err := t.flushRow(table, id); err != nil {
			return to, err
		}
	}
	c := t.conn
	defer c.resetRows()
	if err := t.readByID(ctx, table, k, ids); err != nil {
		return to, err
	}
	for _, id := range ids {
		if i, ok := c.positions[id]; ok {
			to = append(to, c.rows[i])
		} else if t.write {
			t.rememberRow(table, id, nil)
		}
	}
	return to, nil
}

// readByID reads the records with these IDs, each once and in any order, into the
// connection's rows, and their places into positions.
func (t *tx) readByID(ctx context.Context, table *table, k *store.Kind, ids []store.ID) (err error) {
	c := t.conn
	if len(ids) > maxIn {
		values := make([]driver.Value, len(ids))
		for i := range ids {
			values[i] = ids[i][:]
		}
		q := query{}
		q.add("SELECT " + table.recordColumns + " FROM " + table.name + " WHERE account = ? AND id ")
		q.in(store.IDColumn, values)
		c.rows, err = t.read(ctx, table, k, q.String(), c.rows, t.accountNo, q.args[0])
	} else {
		// The last ID is repeated for the remaining arguments of the statement.
		n := bits.Len(uint(len(ids) - 1))
		c.args = append(c.args[:0], t.accountNo)
		for i := range 1 << n {
			c.args = append(c.args, c.idArg(i, ids[min(i, len(ids)-1)]))
		}
		c.rows, err = t.read(ctx, table, k, table.selects().byID[n], c.rows, c.args...)
	}
	if c.positions == nil {
		c.positions = map[store.ID]int32{}
	}
	for i := range c.rows {
		c.positions[c.rows[i].ID] = int32(i)
	}
	return err
}

func (t *tx) Links(ctx context.Context, k *store.Kind, name string, values []store.ID) ([]store.Link, error) {
	table, err := t.beginKind(ctx, k, false)
	if err == nil {
		err = k.CheckIndexed(name)
	}
	if err != nil || len(values) == 0 {
		return nil, err
	}
	q := t.linksQuery(table, name, values)
	var links []store.Link
	var rid int64
	first := 0 // index of the first link of the current record
	err = t.query(q.String(), q.args, func(v []driver.Value) error {
		var link store.Link
		if of, ok := v[0].(string); ok {
			// It equals one of values, so it is an ID.
			link.Of = uuid.MustParse(of)
		} else {
			copy(link.Of[:], blob(v[0]))
		}
		copy(link.ID[:], blob(v[1]))
		if r := v[2].(int64); r != rid {
			rid, first = r, len(links)
		}
		// A record can have a value both as column and as term; that is one link.
		if !slices.Contains(links[first:], link) {
			links = append(links, link)
		}
		return ctx.Err()
	})
	return links, err
}

// linksQuery selects value, ID and rid from the indexes of the column and of the
// terms with this name.
func (t *tx) linksQuery(table *table, name string, values []store.ID) *query {
	ids, texts := make([]driver.Value, len(values)), make([]driver.Value, len(values))
	for i, id := range values {
		ids[i], texts[i] = values[i][:], id.String()
	}
	q := &query{}
	if i := table.column(name); i >= 0 {
		typ, held := table.columns[i].Type, ids
		if typ == store.TextColumn {
			held = texts
		}
		if typ == store.IDColumn || typ == store.TextColumn {
			q.add("SELECT c_" + name + ", id, rid FROM " + table.name + " INDEXED BY " + table.name + "_c_" + name + " WHERE ")
			q.add("account = ? AND c_"+name+" ", t.accountNo)
			q.in(typ, held)
			q.add(" UNION ALL ")
		}
	}
	q.add("SELECT value, id, rid FROM terms WHERE kind = ? AND account = ? AND name = ? AND value ", table.no, t.accountNo, name)
	q.in(store.TextColumn, texts)
	q.add(" ORDER BY 3")
	return q
}

// Find implements store.RecordTx.
func (t *tx) Find(ctx context.Context, k *store.Kind, c store.Cond, limit int) ([]store.ID, error) {
	found, err := t.FindEach(ctx, []store.Lookup{{Kind: k, Cond: c, Limit: limit}})
	if err != nil {
		return nil, err
	}
	return found[0], nil
}

// FindEach runs one compound SELECT. Each of its parts reads one range of one
// index, up to its limit.
func (t *tx) FindEach(ctx context.Context, lookups []store.Lookup) ([][]store.ID, error) {
	q := &query{}
	q.Grow(256 * len(lookups))
	for i, s := range lookups {
		table, err := t.beginKind(ctx, s.Kind, false)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			q.add(" UNION ALL ")
		}
		q.add("SELECT " + strconv.Itoa(i) + ", id, rid FROM (SELECT id, rid FROM ")
		if err := t.addLookup(q, table, s); err != nil {
			return nil, err
		}
		q.add(")")
	}
	type entry struct {
		rid int64
		id  store.ID
	}
	entries := make([][]entry, len(lookups))
	if len(lookups) == 0 {
		return nil, nil
	}
	err := t.query(q.String(), q.args, func(v []driver.Value) error {
		e := entry{rid: v[2].(int64)}
		copy(e.id[:], blob(v[1]))
		i := v[0].(int64)
		entries[i] = append(entries[i], e)
		return ctx.Err()
	})
	if err != nil {
		return nil, err
	}
	found := make([][]store.ID, len(lookups))
	for i, group := range entries {
		slices.SortFunc(group, func(a, b entry) int { return cmp.Compare(b.rid, a.rid) })
		for at, e := range group {
			if at == 0 || group[at-1].rid != e.rid { // a record can have several entries
				found[i] = append(found[i], e.id)
			}
		}
	}
	return found, nil
}

// addLookup adds the source, condition, order and limit of one lookup.
func (t *tx) addLookup(q *query, table *table, s store.Lookup) error {
	k, c := s.Kind, s.Cond
	if len(c.Values) != 1 || s.Limit < 1 {
		return fmt.Errorf("sqlite: Find of %d values, at most %d", len(c.Values), s.Limit)
	}
	order := " ORDER BY rid DESC"
	switch c.Op {
	case store.Is:
		if table.column(c.Name) < 0 {
			return fmt.Errorf("sqlite: kind %s has no column %q to find by", k.Name, c.Name)
		}
		if err := k.CheckIndexed(c.Name); err != nil {
			return err
		}
		values, null, err := table.values(k, c)
		if err != nil {
			return err
		}
		q.addShared(table.name+" WHERE account = ", t.accountNo)
		if null {
			q.add(" AND c_" + c.Name + " IS NULL")
		} else {
			q.addShared(" AND c_"+c.Name+" = ", values[0])
		}
	case store.Has, store.HasPrefix:
		text, ok := c.Values[0].(string)
		if !ok {
			return fmt.Errorf("sqlite: kind %s: terms %s cannot be compared with a %T", k.Name, c.Name, c.Values[0])
		}
		q.addShared("terms WHERE kind = "+strconv.FormatInt(table.no, 10)+" AND account = ", t.accountNo)
		q.addShared(" AND name = ", c.Name)
		if c.Op == store.Has {
			q.addShared(" AND value = ", text)
			break
		}
		order = " ORDER BY value, rid"
		q.addShared(" AND value >= ", text)
		if after, ok := successor(text); ok {
			q.addShared(" AND value < ", after)
		}
	default:
		return fmt.Errorf("sqlite: kind %s: Find of %q by comparison %d", k.Name, c.Name, c.Op)
	}
	q.addShared(order+" LIMIT +", int64(s.Limit))
	return nil
}

func (t *tx) Put(ctx context.Context, k *store.Kind, w store.Write) (int64, error) {
	table, err := t.beginByID(ctx, k, true)
	if err == nil {
		err = t.flushRow(table, w.ID)
	}
	if err != nil {
		return 0, err
	}
	cols, err := columnValues(table, w)
	if err != nil {
		return 0, err
	}
	if table.newer != nil {
		return t.refuseNew(k, table, w)
	}
	if err := t.ensureAccount(); err != nil {
		return 0, err
	}
	terms := encodeTerms(w.Terms)
	if _, asked := t.readRows[readRowKey{table.no, w.ID}]; w.New && !asked {
		taken, err := t.insertNew(k, table, w, cols, terms)
		if !taken {
			return 1, t.fail(err)
		}
	}
	before, err := t.row(table, k, w.ID)
	if err != nil {
		return 0, err
	}
	if before == nil {
		return 1, t.fail(t.queueInsert(k, table, w, 1, cols, terms))
	}
	if before.age == newer {
		return before.version, t.refuseOlder(k, table, before, w)
	}
	return t.change(k, before, w, cols, terms)
}

// change writes what differs in an existing record.
func (t *tx) change(k *store.Kind, before *row, w store.Write, cols []driver.Value, terms []byte) (version int64, err error) {
	table, u := before.t, &t.conn.change
	u.begin(before.rid)
	if !bytes.Equal(before.doc, w.Doc) {
		u.set("doc", notNil(w.Doc))
	}
	if !bytes.Equal(before.private, w.Private) {
		u.set("private", orNull(w.Private))
	}
	newTerms := !bytes.Equal(before.terms, terms)
	if newTerms {
		u.set("terms", orNull(terms))
	}
	for i, v := range cols {
		// Set only columns that differ: SQLite rewrites the index of each column
		// that is set.
		if !equal(before.cols[i], v) {
			u.set(table.columnNames[i], v)
		}
	}
	version = before.version
	if u.any() {
		version++
		u.set("version", version)
	}
	if before.age == outdated {
		// The record is unchanged, but stored in the current revision now.
		u.set("revision", k.Revision)
	}
	if !u.any() {
		return version, nil
	}
	sum := newChecksum(w.ID[:], version, k.Revision, w.Private, w.Doc)
	u.set("checksum", sum[:])
	t.noteChange(before.key)
	if newTerms {
		if err := t.flushTerms(); err != nil {
			return 0, err
		}
		if err := before.replaceTerms(t.conn, before.terms, terms); err != nil {
			return 0, t.fail(err)
		}
	}
	s := t.conn.writes.statementOf(table, false, u.columns)
	return version, t.queueRow(table, w.ID, s, len(w.Doc)+len(w.Private), u.args)
}

// refuseNew refuses a write to a kind with columns that this program does not know,
// unless nothing would change.
func (t *tx) refuseNew(k *store.Kind, table *table, w store.Write) (int64, error) {
	before, err := t.row(table, k, w.ID)
	if err == nil && before != nil && bytes.Equal(before.doc, w.Doc) && bytes.Equal(before.private, w.Private) {
		return before.version, nil
	}
	return 0, cmp.Or(err, table.newer)
}

// refuseOlder refuses to replace a record that a newer program has stored, unless
// nothing would change.
func (t *tx) refuseOlder(k *store.Kind, table *table, before *row, w store.Write) error {
	if bytes.Equal(before.doc, w.Doc) && bytes.Equal(before.private, w.Private) {
		return nil
	}
	e := &store.NewerError{Kind: k.Name, ID: w.ID, Known: k.Revision}
	err := t.query("SELECT revision FROM "+table.name+" WHERE rid = ?", []driver.Value{before.rid}, func(v []driver.Value) error {
		e.Stored = text(v[0])
		return nil
	})
	if err != nil {
		return err
	}
	return e
}

// noteWrite notes that records or marks of a kind are written.
func (t *tx) noteWrite(table *table) {
	t.wrote = true
	if !slices.Contains(t.writtenKinds, table.no) {
		t.writtenKinds = append(t.writtenKinds, table.no)
	}
}

// noteChange notes that an existing record changes.
func (t *tx) noteChange(k key) {
	t.noteWrite(k.t)
	t.changed = append(t.changed, ridKey{k.t.no, k.rid})
}

// insertArgs returns the arguments of an INSERT, and the rid of the new row.
func (t *tx) insertArgs(k *store.Kind, table *table, w store.Write, version int64, cols []driver.Value, terms []byte, checksum driver.Value) (args []driver.Value, rid int64, err error) {
	if rid, err = t.nextRid(table); err != nil {
		return nil, 0, err
	}
	args = append(make([]driver.Value, 0, 9+len(cols)), rid, t.accountNo, w.ID[:], version, k.Revision, notNil(w.Doc), orNull(w.Private), orNull(terms), checksum)
	return append(args, cols...), rid, nil
}

// insert inserts a row at once.
func (t *tx) insert(k *store.Kind, table *table, w store.Write, version int64, cols []driver.Value, terms []byte) error {
	checksum := t.checksum.value(newChecksum(w.ID[:], version, k.Revision, w.Private, w.Doc))
	args, rid, err := t.insertArgs(k, table, w, version, cols, terms, checksum)
	if err != nil {
		return err
	}
	sql := table.insert
	if t.store.opts.FillBytes > 0 {
		sql = table.fill
	}
	if err := t.conn.exec(sql, args...); err != nil {
		return err
	}
	t.noteWrite(table)
	return t.queueTerms(table, rid, w)
}

// queueInsert is insert for a record that is known to be new: its row is inserted
// together with others.
func (t *tx) queueInsert(k *store.Kind, table *table, w store.Write, version int64, cols []driver.Value, terms []byte) error {
	if t.store.opts.FillBytes > 0 {
		return t.insert(k, table, w, version, cols, terms)
	}
	sum := newChecksum(w.ID[:], version, k.Revision, w.Private, w.Doc)
	args, rid, err := t.insertArgs(k, table, w, version, cols, terms, sum[:])
	if err != nil {
		return err
	}
	s := t.conn.writes.statementOf(table, true, table.insertColumns)
	if err := t.queueRow(table, w.ID, s, len(w.Doc)+len(w.Private), args); err != nil {
		return err
	}
	t.noteWrite(table)
	return t.queueTerms(table, rid, w)
}

// insertNew is insert without looking for the record first. If its ID is taken,
// nothing has changed.
func (t *tx) insertNew(k *store.Kind, table *table, w store.Write, cols []driver.Value, terms []byte) (taken bool, err error) {
	err = t.insert(k, table, w, 1, cols, terms)
	var e sqlite3.Error
	if errors.As(err, &e) && e.ExtendedCode == sqlite3.ErrConstraintUnique {
		t.issued[seqKey{table.no, t.accountNo}]-- // the number was not used
		return true, nil
	}
	return false, err
}

// nextRid returns a rid above all that the account ever had in this kind.
func (t *tx) nextRid(table *table) (int64, error) {
	key := seqKey{table.no, t.accountNo}
	rid, ok := t.issued[key]
	if !ok {
		rid, ok = t.batchIssued[key]
	}
	if !ok {
		var err error
		if rid, ok, err = t.conn.lastIssued(key); err != nil {
			return 0, err
		}
	}
	if !ok {
		s, err := t.span(table)
		if err != nil {
			return 0, err
		}
		rid = t.firstRid() | s.last
	}
	if rid == t.lastRid() {
		return 0, fmt.Errorf("sqlite: an account has used up the %d numbers of %s", int64(1)<<seqBits, table.name)
	}
	if t.issued == nil {
		t.issued = map[seqKey]int64{}
	}
	rid++
	t.issued[key] = rid
	return rid, nil
}

func (t *tx) Delete(ctx context.Context, k *store.Kind, id store.ID) error {
	table, err := t.beginKind(ctx, k, true)
	if err != nil {
		return err
	}
	r, err := t.row(table, k, id)
	if err != nil {
		return err
	}
	if r == nil {
		return store.ErrNotFound
	}
	return t.fail(t.delete(table, r))
}

func (t *tx) delete(table *table, r *row) error {
	t.noteChange(r.key)
	if err := r.replaceTerms(t.conn, r.terms, nil); err != nil {
		return err
	}
	if err := t.unmark(table, r.rid); err != nil {
		return err
	}
	return t.conn.exec(table.delete, r.rid)
}

// replaceTerms writes the difference between two encoded sets of terms.
func (r key) replaceTerms(c *conn, before, after []byte) error {
	old, err := decodeTerms(before)
	if err != nil {
		return err
	}
	now, err := decodeTerms(after)
	if err != nil {
		return err
	}
	for _, term := range old {
		if slices.Contains(now, term) {
			continue
		}
		err := c.exec("DELETE FROM terms WHERE kind = ? AND account = ? AND name = ? AND value = ? AND rid = ?",
			r.t.no, r.account, term.Name, term.Value, r.rid)
		if err != nil {
			return err
		}
	}
	for _, term := range now {
		if slices.Contains(old, term) {
			continue
		}
		err := c.exec("INSERT INTO terms (kind, account, name, value, rid, id) VALUES (?, ?, ?, ?, ?, ?)",
			r.t.no, r.account, term.Name, term.Value, r.rid, r.id[:])
		if err != nil {
			return err
		}
	}
	return nil
}

// encodeTerms returns the terms as a row stores them: sorted and without
// duplicates. No terms give no bytes.
func encodeTerms(terms []store.Term) []byte {
	sorted := slices.Clone(terms)
	slices.SortFunc(sorted, func(a, b store.Term) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Value, b.Value))
	})
	var b []byte
	for _, term := range slices.Compact(sorted) {
		for _, s := range []string{term.Name, term.Value} {
			b = binary.AppendUvarint(b, uint64(len(s)))
			b = append(b, s...)
		}
	}
	return b
}

func decodeTerms(b []byte) ([]store.Term, error) {
	var terms []store.Term
	for len(b) > 0 {
		var pair [2]string
		for i := range pair {
			n, size := binary.Uvarint(b)
			if size <= 0 || n > uint64(len(b)-size) {
				return nil, errors.New("sqlite: the terms of a row cannot be decoded")
			}
			pair[i] = string(b[size : size+int(n)])
			b = b[size+int(n):]
		}
		terms = append(terms, store.Term{Name: pair[0], Value: pair[1]})
	}
	return terms, nil
}

// update is an UPDATE of one row of a table.
type update struct {
	table *table
	sql   strings.Builder
	args  []driver.Value
}

func newUpdate(t *table) *update { return &update{table: t} }

// set makes room for a whole statement at the first column: a write that changes nothing
// allocates nothing.
func (u *update) set(column string, value driver.Value) {
	if u.any() {
		u.sql.WriteString(", ")
	} else {
		u.args = make([]driver.Value, 0, 8)
		u.sql.Grow(160)
		u.sql.WriteString("UPDATE ")
		u.sql.WriteString(u.table.name)
		u.sql.WriteString(" SET ")
	}
	u.sql.WriteString(column)
	u.sql.WriteString(" = ?")
	u.args = append(u.args, value)
}

func (u *update) any() bool { return len(u.args) > 0 }

func (u *update) exec(c *conn, rid int64) error {
	u.sql.WriteString(" WHERE rid = ?")
	return c.exec(u.sql.String(), append(u.args, rid)...)
}

// rowChange is a change of a row: its rid and the columns to set.
type rowChange struct {
	columns []string
	args    []driver.Value
}

func (u *rowChange) begin(rid int64) {
	clear(u.args)
	u.columns, u.args = append(u.columns[:0], "rid"), append(u.args[:0], rid)
}

func (u *rowChange) set(column string, value driver.Value) {
	u.columns, u.args = append(u.columns, column), append(u.args, value)
}

func (u *rowChange) any() bool { return len(u.args) > 1 }

// columnValues returns the columns of a write as SQLite stores them.
func columnValues(t *table, w store.Write) ([]driver.Value, error) {
	if len(w.Cols) != len(t.columns) {
		return nil, fmt.Errorf("sqlite: %s %s: %d column values for %d columns", t.name, w.ID, len(w.Cols), len(t.columns))
	}
	cols := make([]driver.Value, len(w.Cols))
	for i, v := range w.Cols {
		value, ok := columnValue(t.columns[i].Type, v)
		if !ok {
			return nil, fmt.Errorf("sqlite: %s %s: column %s cannot hold a %T", t.name, w.ID, t.columns[i].Name, v)
		}
		cols[i] = value
	}
	return cols, nil
}

// columnValue returns a value as a column of type t stores it; ok is false for a value of
// another type. Texts and numbers are returned in the interface they come in: to make
// another allocates.
func columnValue(t store.ColumnType, value any) (_ driver.Value, ok bool) {
	switch v := value.(type) {
	case nil:
		return nil, true
	case string:
		return value, t == store.TextColumn
	case int64:
		return value, t == store.IntColumn
	case bool:
		if v {
			return int64(1), t == store.BoolColumn
		}
		return int64(0), t == store.BoolColumn
	case time.Time:
		return v.UnixMicro(), t == store.TimeColumn
	case store.ID:
		return v[:], t == store.IDColumn
	}
	return nil, false
}

// equal compares two values of one column.
func equal(a, b driver.Value) bool {
	if x, ok := a.([]byte); ok {
		y, ok := b.([]byte)
		return ok && bytes.Equal(x, y)
	}
	if _, ok := b.([]byte); ok {
		return false
	}
	return a == b
}

// blob returns a BLOB that was read; nil for NULL.
func blob(v driver.Value) []byte {
	b, _ := v.([]byte)
	return b
}

// orNull returns b, or NULL if it is empty.
func orNull(b []byte) driver.Value {
	if len(b) == 0 {
		return nil
	}
	return b
}

// notNil returns b, or an empty BLOB if it is nil.
func notNil(b []byte) driver.Value {
	if b == nil {
		return []byte{}
	}
	return b
}

// accountNumbers caches the numbers of committed accounts. Accounts are never
// deleted, so entries never expire.
type accountNumbers struct {
	mu sync.RWMutex
	no map[store.AccountID]int64
}

func (a *accountNumbers) get(id store.AccountID) (int64, bool) {
	a.mu.RLock()
	defer a.mu.RUnlock()
	no, ok := a.no[id]
	return no, ok
}

func (a *accountNumbers) set(id store.AccountID, no int64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.no == nil {
		a.no = map[store.AccountID]int64{}
	}
	a.no[id] = no
}
