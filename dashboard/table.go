package dashboard

import (
	"slices"

	"github.com/landfallhq/tracking"
)

// record is a row of a list.
type record interface{ recordID() tracking.ID }

// column is a column of a list.
type column[R record] struct {
	// name stands in the URL and heads the column of an export.
	name string
	// label is the heading of a custom field; others have theirs in the catalogue.
	label string
	// sort is the order of the library; empty for none.
	sort string
	// shown: it is one of the columns that a list has by itself.
	shown   bool
	numeric bool
	// unit is a column without which the values of an export have no meaning.
	unit string
	// action: its cells lead to what can be done with a row. Pages alone have it, always.
	action bool
	cell   func(R) cell
}

// table is what templates show of a list.
type table struct {
	Columns []heading
	Rows    []row
	// Pick: each row has a box, to choose it.
	Pick bool
}

type heading struct {
	Name, Label string
	Numeric     bool
	// SortHref sorts by the column, or turns its order around; empty if it cannot be sorted by.
	SortHref string
	// Sorted is ascending or descending, as aria-sort says it; empty if another column is
	// sorted by.
	Sorted string
}

type row struct {
	ID    string
	Cells []cell
	// Chosen: the box of the row is ticked.
	Chosen bool
}

// tableOf returns a table of the named columns.
func tableOf[R record](req *request, columns []column[R], rows []R, names ...string) table {
	return fill(req, choose(columns, names), rows)
}

// choose returns the named columns, in that order.
func choose[R record](columns []column[R], names []string) []column[R] {
	chosen := make([]column[R], 0, len(names))
	for _, name := range names {
		if i := slices.IndexFunc(columns, func(c column[R]) bool { return c.name == name }); i >= 0 {
			chosen = append(chosen, columns[i])
		}
	}
	return chosen
}

func fill[R record](req *request, columns []column[R], rows []R) table {
	t := table{Rows: make([]row, 0, len(rows))}
	for _, c := range columns {
		t.Columns = append(t.Columns, heading{Name: c.name, Label: headingOf(req, c), Numeric: c.numeric})
	}
	for _, r := range rows {
		cells := make([]cell, 0, len(columns))
		for _, c := range columns {
			cells = append(cells, c.cell(r))
		}
		t.Rows = append(t.Rows, row{ID: shown(r.recordID()), Cells: cells})
	}
	return t
}

func headingOf[R record](req *request, c column[R]) string {
	if c.label != "" {
		return c.label
	}
	return req.texts.get("column." + c.name)
}
