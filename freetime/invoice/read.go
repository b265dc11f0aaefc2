package invoice

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/landfallhq/tracking/freetime"
)

// maxText is the greatest length of a text in bytes.
const maxText = 1_000

// ReadJSON reads an invoice from its JSON. Numbers and amounts may be JSON numbers or texts;
// null is as if left out. The error joins a [*freetime.FieldError] for each value that is
// not allowed, with a Field such as due_date or lines[2].rate.
func ReadJSON(data []byte) (*Invoice, error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(data, &members); err != nil || members == nil {
		return nil, &freetime.FieldError{Field: "lines", Problem: "the text is no JSON object: one with a list of lines is required"}
	}
	inv, f := &Invoice{}, faults{}
	for name := range members {
		if name != "lines" && !slices.Contains(names(inv.members()), name) {
			f.add(name, "there is no such member: lines, %s are allowed", strings.Join(names(inv.members()), ", "))
		}
	}
	f.setJSON("", inv.members(), members)
	var rows []map[string]json.RawMessage
	if err := json.Unmarshal(members["lines"], &rows); err != nil {
		f.add("lines", "a list is required, with an object for each line")
	}
	for i, row := range rows {
		l, at := Line{}, fmt.Sprintf("lines[%d].", i)
		for name := range row {
			if !slices.Contains(names(l.members()), name) {
				f.add(at+name, "there is no such member: %s are allowed", strings.Join(names(l.members()), ", "))
			}
		}
		f.setJSON(at, l.members(), row)
		inv.Lines = append(inv.Lines, l)
	}
	f.settle(inv, func(i int) string { return fmt.Sprintf("lines[%d].", i) })
	return inv, f.err()
}

// ReadCSV reads an invoice from CSV with a first line of names: a row for each line, with
// the columns of lines in any order. What is of the whole invoice may be in columns of its
// own; each is given once, or the same in several rows. The error joins a
// [*freetime.RowError] for each row with a cell that is not allowed, whose Err is a
// [*freetime.FieldError] with the column. Errors about the whole text have no row.
func ReadCSV(r io.Reader) (*Invoice, error) {
	in := csv.NewReader(r)
	columns, err := freetime.ReadColumns(in, slices.Concat(names((&Line{}).members()), names((&Invoice{}).members())), required)
	if err != nil {
		return nil, err
	}
	inv, f, given := &Invoice{}, faults{}, map[string]string{}
	for row := 0; ; row++ {
		cells, err := in.Read()
		if errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		l, at := Line{}, rowPrefix(row)
		for i, column := range columns {
			text := strings.TrimSpace(cells[i])
			if m := find(l.members(), column); m != nil {
				f.set(at, *m, text)
				continue
			}
			if first, is := given[column]; is && text != "" && text != first {
				f.add(at+column, "%q differs from %q above: it is of the whole invoice, so give it once", text, first)
			} else if text != "" && !is {
				given[column] = text
				f.set(at, *find(inv.members(), column), text)
			}
		}
		inv.Lines = append(inv.Lines, l)
	}
	f.settle(inv, rowPrefix)
	return inv, f.byRow()
}

func find(members []member, name string) *member {
	if i := slices.IndexFunc(members, func(m member) bool { return m.name == name }); i >= 0 {
		return &members[i]
	}
	return nil
}

// rowPrefix marks the faults of a row, until byRow.
func rowPrefix(row int) string { return strconv.Itoa(row) + "\x00" }

// faults are errors about values.
type faults []*freetime.FieldError

func (f *faults) add(field, format string, args ...any) {
	*f = append(*f, &freetime.FieldError{Field: field, Problem: fmt.Sprintf(format, args...)})
}

// has reports whether a value could not be read.
func (f *faults) has(field string) bool {
	return slices.ContainsFunc(*f, func(e *freetime.FieldError) bool { return e.Field == field })
}

func (f faults) err() error {
	slices.SortStableFunc(f, func(a, b *freetime.FieldError) int { return strings.Compare(a.Field, b.Field) })
	errs := make([]error, len(f))
	for i, e := range f {
		errs[i] = e
	}
	return errors.Join(errs...)
}

// byRow returns the errors of rows as such.
func (f faults) byRow() error {
	var errs []error
	for _, e := range f {
		text, column, ofRow := strings.Cut(e.Field, "\x00")
		if !ofRow {
			errs = append(errs, e)
			continue
		}
		row, _ := strconv.Atoi(text)
		errs = append(errs, &freetime.RowError{Row: row, Err: &freetime.FieldError{Field: column, Problem: e.Problem}})
	}
	return errors.Join(errs...)
}

func (f *faults) setJSON(at string, members []member, values map[string]json.RawMessage) {
	for _, m := range members {
		text := string(values[m.name])
		switch {
		case text == "" || text == "null":
			continue
		case text[0] == '"':
			_ = json.Unmarshal(values[m.name], &text)
		case text[0] == '{' || text[0] == '[':
			f.add(at+m.name, "a list or an object is no value: a text or a number is allowed")
			continue
		}
		f.set(at, m, strings.TrimSpace(text))
	}
}

// set reads a text; an empty one is a value that is not stated.
func (f *faults) set(at string, m member, text string) {
	if text == "" {
		return
	}
	number := func(least, most int) (n int) {
		n, err := strconv.Atoi(text)
		if err != nil || n < least || n > most {
			f.add(at+m.name, "%q is not a number of days: %d to %d are allowed", text, least, most)
		}
		return n
	}
	switch v := m.at.(type) {
	case *string:
		if *v = text; len(text) > maxText {
			f.add(at+m.name, "the text is too long: at most %d bytes are allowed", maxText)
		}
	case *freetime.Clock:
		*v = freetime.Clock(text)
	case *freetime.Date:
		d, err := freetime.ParseDate(text)
		if *v = d; err != nil {
			f.add(at+m.name, "%v", err)
		}
	case *int:
		*v = number(1, MaxDays)
	case **int:
		n := number(0, MaxDays)
		*v = &n
	case *bool:
		if *v = text == "true"; text != "true" && text != "false" {
			f.add(at+m.name, "%q is neither true nor false", text)
		}
	}
}

// clocks are the clocks that a line can charge.
var clocks = []freetime.Clock{freetime.Demurrage, freetime.Detention, freetime.PerDiem, freetime.Combined, freetime.RailStorage}

// settle checks what was read, and writes numbers of containers, currencies and amounts in
// their usual form. at is what precedes the names of the members of a line.
func (f *faults) settle(inv *Invoice, at func(line int) string) {
	if len(inv.Lines) == 0 && !f.has("lines") {
		f.add("lines", "there are no lines: at least one is required")
	}
	if len(inv.Lines) > MaxLines {
		f.add("lines", "%d lines are too many: at most %d are allowed", len(inv.Lines), MaxLines)
	}
	total := 0
	for i := range inv.Lines {
		l := &inv.Lines[i]
		f.settleLine(l, at(i))
		if l.From.IsValid() && l.To.IsValid() && l.From <= l.To {
			total += min(l.span(), MaxDays+1)
		}
	}
	if total > MaxDays {
		f.add("lines", "the lines have too many days together: at most %d are allowed", MaxDays)
	}
	f.settleTotal(inv)
}

func (f *faults) settleLine(l *Line, at string) {
	l.Container, l.Currency = asNumber(l.Container), strings.ToUpper(l.Currency)
	for _, name := range required {
		missing := false
		switch v := find(l.members(), name).at.(type) {
		case *string:
			missing = *v == ""
		case *freetime.Clock:
			missing = *v == ""
		case *freetime.Date:
			missing = *v == 0
		}
		if missing && !f.has(at+name) {
			f.add(at+name, "a value is missing: %s are required", strings.Join(required, ", "))
		}
	}
	if l.Clock != "" && !slices.Contains(clocks, l.Clock) {
		f.add(at+"clock", "%q is no clock: demurrage, detention, per_diem, combined and rail_storage are allowed", l.Clock)
	}
	if l.From.IsValid() && l.To.IsValid() && l.To < l.From {
		f.add(at+"to", "%s is before from, %s: a day from that on is allowed", l.To, l.From)
	}
	if l.Rate == "" && l.Amount == "" {
		f.add(at+"amount", "rate and amount are both missing: at least one is required")
	}
	if l.Currency == "" {
		return
	}
	if _, err := freetime.NewMoney(0, l.Currency); err != nil {
		f.add(at+"currency", "%v", err)
		return
	}
	f.settleAmount(at+"rate", &l.Rate, l.Currency)
	f.settleAmount(at+"amount", &l.Amount, l.Currency)
	if l.Amount == "" && l.From.IsValid() && l.To >= l.From && l.counted() <= MaxDays && !f.has(at+"rate") {
		if _, err := freetime.ParseMoney(times(amountOf(l.Rate, l.Currency), l.counted()).String(), l.Currency); err != nil {
			f.add(at+"rate", "the amount of %d days is too large: %v", l.counted(), err)
		}
	}
}

func (f *faults) settleAmount(field string, amount *string, currency string) {
	if *amount == "" {
		return
	}
	m, err := freetime.ParseMoney(*amount, currency)
	if err != nil {
		f.add(field, "%v", err)
		return
	}
	*amount = m.String()
}

// settleTotal reads the total in the currency of the lines.
func (f *faults) settleTotal(inv *Invoice) {
	if inv.Total == "" || len(inv.Lines) == 0 {
		return
	}
	currency := inv.Lines[0].Currency
	for _, l := range inv.Lines {
		if l.Currency != currency {
			f.add("total", "the lines have several currencies: a total of lines of one currency is allowed")
			return
		}
	}
	if _, err := freetime.NewMoney(0, currency); err == nil {
		f.settleAmount("total", &inv.Total, currency)
	}
}

// asNumber is a number of a container without what people write between its characters.
func asNumber(text string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(" -./", r) {
			return -1
		}
		return r
	}, strings.ToUpper(text))
}
