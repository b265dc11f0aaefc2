//go:build cgo

package sqlite

import (
	"context"
	"database/sql/driver"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/landfallhq/tracking"
)

// query is a statement in the making. Only fixed text and checked names go
// into the text; every value is an argument.
type query struct {
	strings.Builder
	args  []driver.Value
	empty bool // a condition has no values, so nothing can match: not to be run
}

func (q *query) add(text string, args ...driver.Value) {
	q.WriteString(text)
	q.args = append(q.args, args...)
}

// maxIn is up to how many values an IN names one by one.
const (
	maxIn     = 1 << maxInBits
	maxInBits = 8
)

// in adds "= ?" or "IN (...)" for values of a column of type t. The number of
// question marks is rounded up to a power of two, by repeating the last value,
// so that there are few different statements to keep. More values than maxIn
// go in as one JSON array: SQLite bounds the number of arguments.
func (q *query) in(t tracking.ColumnType, values []driver.Value) {
	switch {
	case len(values) == 1:
		q.add("= ?", values[0])
	case len(values) <= maxIn:
		n := 1
		for n < len(values) {
			n *= 2
		}
		q.add("IN (?"+strings.Repeat(", ?", n-1)+")", values...)
		for range n - len(values) {
			q.args = append(q.args, values[len(values)-1])
		}
	default:
		element := "value"
		list := make([]any, len(values))
		for i, v := range values {
			// In hexadecimal, since JSON cannot carry all bytes.
			switch v := v.(type) {
			case string:
				list[i], element = hex.EncodeToString([]byte(v)), "CAST(unhex(value) AS TEXT)"
			case []byte:
				list[i], element = hex.EncodeToString(v), "unhex(value)"
			default:
				list[i] = v
			}
		}
		array, _ := json.Marshal(list) // strings and integers always can
		q.add("IN (SELECT "+element+" FROM json_each(?))", string(array))
	}
}

// List reads the plain list by its numbers, and any other by its query.
func (t *tx) List(ctx context.Context, k *tracking.Kind, f tracking.Filter, p tracking.Page, to []tracking.Record) ([]tracking.Record, int, error) {
	table, err := t.beginKind(ctx, k, false)
	if err != nil {
		return to, 0, err
	}
	whole := p == tracking.Page{}
	if !whole && (p.Number < 1 || p.Size < 1) {
		return to, 0, fmt.Errorf("sqlite: page number %d of size %d", p.Number, p.Size)
	}
	offset := 0
	if !whole {
		// A page number can be huge: an offset that overflows is past any end.
		if offset = math.MaxInt; p.Number-1 <= math.MaxInt/p.Size {
			offset = (p.Number - 1) * p.Size
		}
		if len(f.Where) == 0 && !f.Outdated && (len(f.Sort) == 0 || f.Sort[0].Name == "") {
			return t.plainPage(ctx, table, k, len(f.Sort) == 0 || f.Sort[0].Desc, int64(offset), int64(p.Size), to)
		}
	}
	q, err := t.listQuery(table, k, f)
	if err != nil || q.empty {
		return to, 0, err
	}
	if !whole {
		q.add(" LIMIT ? OFFSET ?", int64(p.Size), int64(offset))
	}
	before := len(to)
	if to, err = t.conn.records(ctx, k, q.String(), to, q.args...); err != nil {
		return to, 0, err
	}
	n := len(to) - before
	if whole || n < p.Size && (n > 0 || offset == 0) {
		return to, offset + n, nil // this was the last page
	}
	total, ok, err := t.keptTotal(table, k, f)
	if err != nil || ok {
		return to, int(total), err
	}
	if q, err = t.countQuery(table, k, f); err != nil {
		return to, 0, err
	}
	total, _, err = t.conn.number(q.String(), q.args...)
	return to, int(total), err
}

// fewSkipped is up to how many records are skipped one by one.
const fewSkipped = 64

// plainPage appends one page of the plain list and returns the total.
func (t *tx) plainPage(ctx context.Context, table *table, k *tracking.Kind, desc bool, offset, size int64, to []tracking.Record) ([]tracking.Record, int, error) {
	s, err := t.span(table)
	total := s.total()
	if err != nil || offset >= total {
		return to, int(total), err
	}
	size = min(size, total-offset)
	sql, from, skip := table.pageUp, t.lowest(), offset
	last := t.lowest() | s.last
	switch {
	case desc && (s.holes == 0 || offset <= fewSkipped):
		sql = table.pageDown
		if s.holes == 0 {
			last, skip = last-offset, 0
		}
	case s.holes == 0 || offset > fewSkipped:
		// Down a list that has holes, too, the page is found and read upwards.
		rank := offset
		if desc {
			rank = total - offset - size
		}
		if from, skip, err = t.locate(table, s, rank); err != nil {
			return to, 0, err
		}
		from |= t.lowest()
	}
	before := len(to)
	to, err = t.conn.records(ctx, k, sql, to, from, last, size, skip)
	if desc && sql == table.pageUp {
		slices.Reverse(to[before:])
	}
	return to, int(total), err
}

// listQuery selects the records that match f, in order.
func (t *tx) listQuery(table *table, k *tracking.Kind, f tracking.Filter) (*query, error) {
	q := &query{}
	q.add("SELECT " + recordColumns + " FROM " + table.name + " WHERE ")
	// Both forms name the same rows, but each leads the planner to another way
	// in: the range of rids is the order of creation and goes with terms, which
	// come down to rids; the account begins the index of every column.
	if t.byColumn(table, f) {
		q.add("account = ?", t.no)
	} else {
		q.add("rid BETWEEN ? AND ?", t.lowest(), t.highest())
	}
	if err := t.where(q, table, k, f); err != nil {
		return nil, err
	}
	q.add(" ORDER BY ")
	// A unary plus keeps the planner from walking the whole account in the order
	// of the sort when a condition leaves but a few rows to be sorted.
	plus := ""
	if table.selective(f) {
		plus = "+"
	}
	desc := true
	for _, o := range f.Sort {
		desc = o.Desc
		if o.Name == "" {
			break // no two records tie in the order of creation
		}
		if table.column(o.Name) < 0 {
			return nil, fmt.Errorf("sqlite: kind %s has no column %q to sort by", k.Name, o.Name)
		}
		q.add(plus + "c_" + o.Name + direction(o.Desc) + " NULLS LAST, ")
	}
	q.add("rid" + direction(desc))
	return q, nil
}

// countQuery counts the records that match f. Without terms it begins with the
// account, so that an index is counted and not the rows.
func (t *tx) countQuery(table *table, k *tracking.Kind, f tracking.Filter) (*query, error) {
	q := &query{}
	q.add("SELECT count(*) FROM " + table.name + " WHERE ")
	if byTerm(f) {
		q.add("rid BETWEEN ? AND ?", t.lowest(), t.highest())
	} else {
		q.add("account = ?", t.no)
	}
	return q, t.where(q, table, k, f)
}

// byColumn reports whether the index of a column is the way into the table.
func (t *tx) byColumn(table *table, f tracking.Filter) bool {
	if f.Outdated {
		return true
	}
	if byTerm(f) {
		return false
	}
	return len(f.Where) > 0 || len(f.Sort) > 0 && f.Sort[0].Name != ""
}

// selective reports whether a condition leaves few rows: those of one record's
// ID, such as a container's events, or of a term.
func (t *table) selective(f tracking.Filter) bool {
	for _, c := range f.Where {
		if at := t.column(c.Name); c.Op == tracking.Is && at >= 0 && t.columns[at].Type == tracking.IDColumn {
			return true
		}
	}
	return byTerm(f)
}

func byTerm(f tracking.Filter) bool {
	for _, c := range f.Where {
		if c.Op == tracking.Has || c.Op == tracking.HasPrefix {
			return true
		}
	}
	return false
}

func direction(desc bool) string {
	if desc {
		return " DESC"
	}
	return " ASC"
}

// where adds the conditions of f, each led by AND.
func (t *tx) where(q *query, table *table, k *tracking.Kind, f tracking.Filter) error {
	if f.Outdated {
		// Not "<>": two ranges of an index that is empty there as a rule.
		q.add(" AND (revision < ? OR revision > ?)", k.Revision, k.Revision)
	}
	for _, c := range f.Where {
		q.add(" AND ")
		if err := t.condition(q, table, k, c); err != nil {
			return err
		}
	}
	return nil
}

// none adds a condition that nothing meets.
func (q *query) none() {
	q.empty = true
	q.add("0")
}

func (t *tx) condition(q *query, table *table, k *tracking.Kind, c tracking.Cond) error {
	if c.Op == tracking.Has || c.Op == tracking.HasPrefix {
		return t.termCondition(q, table, k, c)
	}
	i := table.column(c.Name)
	if i < 0 {
		return fmt.Errorf("sqlite: kind %s has no column %q to filter by", k.Name, c.Name)
	}
	typ := table.columns[i].Type
	values, null, err := table.values(k, c)
	if err != nil {
		return err
	}
	name := "c_" + c.Name
	switch c.Op {
	case tracking.Is:
		switch {
		case len(values) == 0 && !null:
			q.none()
		case len(values) == 0:
			q.add(name + " IS NULL")
		case null:
			q.add("(" + name + " IS NULL OR " + name + " ")
			q.in(typ, values)
			q.add(")")
		default:
			q.add(name + " ")
			q.in(typ, values)
		}
	case tracking.From, tracking.To:
		if len(c.Values) == 0 || c.Values[0] == nil {
			q.none()
			break
		}
		operator := " >= ?"
		if c.Op == tracking.To {
			operator = " <= ?"
		}
		q.add(name+operator, values[0])
	default:
		return fmt.Errorf("sqlite: unknown comparison %d", c.Op)
	}
	return nil
}

// values returns the values that a column is compared with, and whether no
// value is among them.
func (t *table) values(k *tracking.Kind, c tracking.Cond) (values []driver.Value, null bool, err error) {
	typ := t.columns[t.column(c.Name)].Type
	for _, v := range c.Values {
		value, ok := columnValue(typ, v)
		if !ok {
			return nil, false, fmt.Errorf("sqlite: kind %s: column %s cannot be compared with a %T", k.Name, c.Name, v)
		}
		if value == nil {
			null = true
			continue
		}
		values = append(values, value)
	}
	return values, null, nil
}

func (t *tx) termCondition(q *query, table *table, k *tracking.Kind, c tracking.Cond) error {
	if len(c.Values) == 0 {
		q.none()
		return nil
	}
	values := make([]driver.Value, len(c.Values))
	for i, v := range c.Values {
		text, ok := v.(string)
		if !ok {
			return fmt.Errorf("sqlite: kind %s: terms %s cannot be compared with a %T", k.Name, c.Name, v)
		}
		values[i] = text
	}
	q.add("rid IN (SELECT rid FROM terms WHERE kind = ? AND account = ? AND name = ? AND value ", table.no, t.no, c.Name)
	if c.Op == tracking.Has {
		q.in(tracking.TextColumn, values)
	} else {
		// A range, because LIKE and GLOB give a meaning to some characters.
		prefix := values[0].(string)
		q.add(">= ?", prefix)
		if after, ok := successor(prefix); ok {
			q.add(" AND value < ?", after)
		}
	}
	q.add(")")
	return nil
}

// successor returns the first text that follows all those with this prefix;
// there is none when all bytes of the prefix are the highest.
func successor(prefix string) (string, bool) {
	for i := len(prefix) - 1; i >= 0; i-- {
		if prefix[i] < 0xff {
			return prefix[:i] + string([]byte{prefix[i] + 1}), true
		}
	}
	return "", false
}
