package postgres

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/landfallhq/tracking/store"
)

// query builds a statement. Its text has only fixed text and validated names; every value
// is an argument.
type query struct {
	strings.Builder
	args []any
}

// add adds text, in which each ? stands for the next of the arguments.
func (q *query) add(text string, args ...any) {
	for _, arg := range args {
		before, after, _ := strings.Cut(text, "?")
		q.args = append(q.args, arg)
		q.WriteString(before)
		q.WriteByte('$')
		q.WriteString(strconv.Itoa(len(q.args)))
		text = after
	}
	q.WriteString(text)
}

// addWhere adds the conditions of a filter on the records of a table, and the account.
func (q *query) addWhere(t *tx, table *table, k *store.Kind, f store.Filter) error {
	q.add(" WHERE account = ?", t.no)
	if f.Outdated {
		q.add(" AND revision < ?", k.Revision)
	}
	for _, c := range f.Where {
		q.add(" AND ")
		if err := q.addCondition(t, table, k, c); err != nil {
			return err
		}
	}
	return nil
}

func (q *query) addCondition(t *tx, table *table, k *store.Kind, c store.Cond) error {
	if len(c.Values) == 0 {
		q.add("FALSE")
		return nil
	}
	switch c.Op {
	case store.Is, store.From, store.To:
		return q.addColumnCondition(table, k, c)
	case store.Has, store.HasPrefix:
		q.add("EXISTS (SELECT 1 FROM terms WHERE terms.rid = " + table.name + ".rid AND ")
		if err := q.addTermCondition(t, table, k, c); err != nil {
			return err
		}
	case store.Marked, store.MarkedBetween:
		return q.addMarkCondition(t, table, k, c)
	default:
		return fmt.Errorf("postgres: unknown comparison %d", c.Op)
	}
	q.add(")")
	return nil
}

func (q *query) addColumnCondition(table *table, k *store.Kind, c store.Cond) error {
	i := table.column(c.Name)
	if i < 0 {
		return fmt.Errorf("postgres: kind %s has no column %q to filter by", k.Name, c.Name)
	}
	var values []any
	null := false
	for _, v := range c.Values {
		value, ok := columnValue(table.columns[i].Type, v)
		if !ok {
			return fmt.Errorf("postgres: kind %s: column %s cannot be compared with a %T", k.Name, c.Name, v)
		}
		if null = null || value == nil; value != nil {
			values = append(values, argument(value))
		}
	}
	name := table.name + ".c_" + c.Name
	switch {
	case c.Op != store.Is && c.Values[0] == nil:
		q.add("FALSE")
	case c.Op == store.From:
		q.add(name+" >= ?", values[0])
	case c.Op == store.To:
		q.add(name+" <= ?", values[0])
	case len(values) == 0:
		q.add(name + " IS NULL")
	case null:
		q.add("("+name+" IS NULL OR "+name+" = ANY(?))", array(table.columns[i].Type, values))
	case len(values) == 1:
		q.add(name+" = ?", values[0])
	default:
		q.add(name+" = ANY(?)", array(table.columns[i].Type, values))
	}
	return nil
}

// array returns arguments of one type as one argument.
func array(t store.ColumnType, values []any) any {
	switch t {
	case store.TextColumn:
		return listOf[[]byte](values)
	case store.BoolColumn:
		return listOf[bool](values)
	case store.IDColumn:
		return listOf[[16]byte](values)
	}
	return listOf[int64](values)
}

func listOf[T any](values []any) []T {
	list := make([]T, len(values))
	for i, v := range values {
		list[i] = v.(T)
	}
	return list
}

// addTermCondition adds a condition on the table terms.
func (q *query) addTermCondition(t *tx, table *table, k *store.Kind, c store.Cond) error {
	values, err := texts(k, c)
	if err != nil {
		return err
	}
	q.add("terms.kind = ? AND terms.account = ? AND terms.name = ? AND ", table.no, t.no, []byte(c.Name))
	switch {
	case c.Op == store.HasPrefix:
		// A range, because LIKE has special characters.
		q.add("terms.value >= ?", values[0])
		if after, ok := successor(values[0]); ok {
			q.add(" AND terms.value < ?", after)
		}
	case len(values) == 1:
		q.add("terms.value = ?", values[0])
	default:
		q.add("terms.value = ANY(?)", values)
	}
	return nil
}

// texts returns the values of a condition on terms or marks, without nil.
func texts(k *store.Kind, c store.Cond) (values [][]byte, err error) {
	for _, v := range c.Values {
		text, ok := v.(string)
		switch {
		case ok:
			values = append(values, []byte(text))
		case v != nil || c.Op == store.Has || c.Op == store.HasPrefix:
			return nil, fmt.Errorf("postgres: kind %s: %s is compared with a %T, and has texts", k.Name, c.Name, v)
		}
	}
	return values, nil
}

// successor returns the first text after all those with this prefix; there is none if all
// bytes of the prefix are 0xff.
func successor(prefix []byte) ([]byte, bool) {
	for i := len(prefix) - 1; i >= 0; i-- {
		if prefix[i] < 0xff {
			return append(append([]byte{}, prefix[:i]...), prefix[i]+1), true
		}
	}
	return nil, false
}

// addMarkCondition adds a condition on the marks of the records of a table.
func (q *query) addMarkCondition(t *tx, table *table, k *store.Kind, c store.Cond) error {
	values, err := texts(k, c)
	if err != nil {
		return err
	}
	unmarked := c.Op == store.Marked && len(values) < len(c.Values)
	name := []byte(c.Name)
	if unmarked {
		q.add("(NOT EXISTS (SELECT 1 FROM marks WHERE marks.rid = "+table.name+".rid AND marks.name = ?)", name)
		if len(values) == 0 {
			q.add(")")
			return nil
		}
		q.add(" OR ")
	}
	q.add("EXISTS (SELECT 1 FROM marks WHERE marks.rid = "+table.name+".rid AND marks.kind = ? AND marks.account = ? AND marks.name = ?", table.no, t.no, name)
	if c.Op == store.Marked {
		q.add(" AND marks.value = ANY(?)", values)
	} else if err := q.addRange(k, c); err != nil {
		return err
	}
	q.add(")")
	if unmarked {
		q.add(")")
	}
	return nil
}

// addRange adds the ends of MarkedBetween.
func (q *query) addRange(k *store.Kind, c store.Cond) error {
	if len(c.Values) != 2 {
		return fmt.Errorf("postgres: kind %s: the range of the mark %s has %d ends", k.Name, c.Name, len(c.Values))
	}
	if from, ok := c.Values[0].(string); ok {
		q.add(" AND marks.value >= ?", []byte(from))
	}
	if before, ok := c.Values[1].(string); ok {
		q.add(" AND marks.value < ?", []byte(before))
	}
	return nil
}

// addOrder adds the order of a list.
func (q *query) addOrder(table *table, k *store.Kind, orders []store.Order) error {
	q.add(" ORDER BY ")
	desc := true
	for _, o := range orders {
		desc = o.Desc
		if o.Name == "" && !o.Mark {
			break // the order of creation has no ties
		}
		if o.Mark {
			q.add("(SELECT marks.value FROM marks WHERE marks.rid = "+table.name+".rid AND marks.name = ? ORDER BY marks.value LIMIT 1)", []byte(o.Name))
		} else if table.column(o.Name) >= 0 {
			q.add(table.name + ".c_" + o.Name)
		} else {
			return fmt.Errorf("postgres: kind %s has no column %q to sort by", k.Name, o.Name)
		}
		q.add(direction(desc) + " NULLS LAST, ")
	}
	q.add(table.name + ".rid" + direction(desc))
	return nil
}

func direction(desc bool) string {
	if desc {
		return " DESC"
	}
	return ""
}
