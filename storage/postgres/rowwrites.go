package postgres

import (
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/landfallhq/tracking/store"
)

// rowWrite is a record that is inserted or changed. It is written before the next statement
// whose result is needed, or with the commit.
type rowWrite struct {
	table        *table
	before, next *row // before is nil for a new record
}

// writeRow adds a row to those that wait. Of a row that waits already, only the last state is
// written.
func (t *tx) writeRow(table *table, before, next *row) {
	if at, waits := t.writeOf[next.rid]; waits {
		t.writes[at].next = next
		return
	}
	if t.writeOf == nil {
		t.writeOf = map[int64]int{}
	}
	t.writeOf[next.rid] = len(t.writes)
	t.writes = append(t.writes, rowWrite{table, before, next})
}

// queueWrites queues the statements of the rows that wait: one for the new rows of a table,
// one for the changed ones, one for all new terms; and then those of last, which must not
// depend on them. They are combined into one where that pays.
func (t *tx) queueWrites(last ...statement) {
	for _, s := range t.store.combiner.combine(append(t.writeStatements(), last...)) {
		t.queue(s.sql, s.args...)
	}
}

// writeStatements returns the statements of the rows that wait, which then wait no more.
func (t *tx) writeStatements() (statements []statement) {
	type group struct {
		table *table
		isNew bool
	}
	var order []group
	rows := map[group][]*row{}
	terms := termChanges{account: t.no}
	for _, w := range t.writes {
		g := group{w.table, w.before == nil}
		if rows[g] == nil {
			order = append(order, g)
		}
		rows[g] = append(rows[g], w.next)
		terms.add(w.table, w.before, w.next)
	}
	for _, g := range order {
		if g.isNew {
			statements = append(statements, g.table.insertRows(t.no, rows[g]))
		} else {
			statements = append(statements, g.table.updateRows(rows[g]))
		}
	}
	clear(t.writeOf)
	t.writes = t.writes[:0]
	return append(statements, terms.statements()...)
}

// insertRows returns the statement that inserts rows.
func (t *table) insertRows(account int64, rows []*row) statement {
	if len(rows) == 1 {
		return statement{t.insert, rows[0].insertValues(account)}
	}
	ids := make([][16]byte, len(rows))
	for i, r := range rows {
		ids[i] = r.id
	}
	return statement{t.insertMany, append(t.columnArrays(rows), account, ids)}
}

// updateRows returns the statement that changes rows.
func (t *table) updateRows(rows []*row) statement {
	if len(rows) == 1 {
		return statement{t.update, rows[0].updateValues()}
	}
	return statement{t.updateMany, t.columnArrays(rows)}
}

// columnArrays returns the values of rows as one array for each column of updateValues.
func (t *table) columnArrays(rows []*row) []any {
	rids, versions, revisions := make([]int64, len(rows)), make([]int64, len(rows)), make([]string, len(rows))
	docs, privates, terms := make([][]byte, len(rows)), make([][]byte, len(rows)), make([]*string, len(rows))
	for i, r := range rows {
		rids[i], versions[i], revisions[i] = r.rid, r.version, r.revision
		docs[i], privates[i], terms[i] = notNil(r.doc), orNull(r.private), termsLiteral(r.terms)
	}
	arrays := []any{rids, versions, revisions, docs, privates, terms}
	for at, c := range t.columns {
		values := make([]any, len(rows))
		for i, r := range rows {
			values[i] = argument(r.columns[at])
		}
		arrays = append(arrays, nullableArray(c.Type, values))
	}
	return arrays
}

// nullableArray is array for values that can be nil.
func nullableArray(t store.ColumnType, values []any) any {
	switch t {
	case store.TextColumn:
		list := make([][]byte, len(values))
		for i, v := range values {
			list[i], _ = v.([]byte)
		}
		return list
	case store.BoolColumn:
		return pointersTo[bool](values)
	case store.IDColumn:
		return pointersTo[[16]byte](values)
	}
	return pointersTo[int64](values)
}

func pointersTo[T any](values []any) []*T {
	list := make([]*T, len(values))
	for i, v := range values {
		if value, ok := v.(T); ok {
			list[i] = &value
		}
	}
	return list
}

// termsLiteral returns terms as the text of an array, because arrays of different lengths
// are no array; nil for none.
func termsLiteral(terms []store.Term) *string {
	if len(terms) == 0 {
		return nil
	}
	var b strings.Builder
	for i, text := range encodeTerms(terms) {
		b.WriteString([]string{`{"\\x`, `,"\\x`}[min(i, 1)] + hex.EncodeToString(text) + `"`)
	}
	b.WriteByte('}')
	text := b.String()
	return &text
}

// prepareWrites sets the statements that write several rows.
func (t *table) prepareWrites(written []string) {
	types := map[string]string{"rid": "bigint", "version": "bigint", "revision": "text", "doc": "bytea", "private": "bytea", "terms": "text"}
	for _, c := range t.columns {
		types["c_"+c.Name] = sqlType(c.Type)
	}
	changed := slices.DeleteFunc(slices.Clone(written), func(name string) bool { return name == "account" || name == "id" })
	var arrays, values, assignments []string
	for i, name := range changed {
		arrays = append(arrays, fmt.Sprintf("$%d::%s[]", i+1, types[name]))
		value := "new." + name
		if name == "terms" {
			value += "::bytea[]"
		}
		values = append(values, value)
		assignments = append(assignments, name+" = "+value)
	}
	names := strings.Join(changed, ", ")
	t.updateMany = "UPDATE " + t.name + " SET " + strings.Join(assignments[1:], ", ") +
		" FROM unnest(" + strings.Join(arrays, ", ") + ") AS new (" + names + ") WHERE " + t.name + ".rid = new.rid"
	n := len(changed)
	t.insertMany = "INSERT INTO " + t.name + " (" + names + ", account, id) SELECT " + strings.Join(values, ", ") + fmt.Sprintf(", $%d, new.id", n+1) +
		" FROM unnest(" + strings.Join(arrays, ", ") + fmt.Sprintf(", $%d::uuid[]", n+2) + ") AS new (" + names + ", id)"
}
