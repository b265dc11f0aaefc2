package freetime

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Lists in cells are separated by semicolons. In a cell of weekend, noWeekend is no day.
const (
	listSeparator = "; "
	noWeekend     = "none"
)

// WriteCSV writes a line of names, and a line for each tariff. ReadCSV reads the same back.
// A text that a spreadsheet would take for a formula begins with an apostrophe.
func WriteCSV(w io.Writer, list []Terms) error {
	out := csv.NewWriter(w)
	if err := out.Write(TermsMembers()); err != nil {
		return err
	}
	for i := range list {
		if err := out.Write(list[i].cells()); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

func (t *Terms) cells() (cells []string) {
	for _, name := range TermsMembers() {
		cells = append(cells, guarded(t.cell(name)))
	}
	return cells
}

func (t *Terms) cell(member string) string {
	switch member {
	case "weekend":
		if len(t.Weekend) == 0 {
			return noWeekend
		}
	case "holidays":
		return joined(t.Holidays, func(h Holiday) string { return strings.TrimSpace(h.Date.String() + " " + h.Name) })
	case "extra_working_days":
		return joined(t.ExtraWorkingDays, Date.String)
	case "tiers":
		return joined(t.Tiers, TierTerms.cell)
	}
	switch v := reflect.ValueOf(t).Elem().Field(termsFields[member]); v.Kind() {
	case reflect.Slice:
		return strings.Join(v.Interface().([]string), listSeparator)
	case reflect.Int:
		if member == "equipment_length" && v.Int() == 0 {
			return ""
		}
		return strconv.FormatInt(v.Int(), 10)
	case reflect.Int32:
		return v.Interface().(Date).String()
	default:
		return v.String()
	}
}

// cell writes a tier as "1-5 150.00", and the last as "6- 300.00".
func (t TierTerms) cell() string {
	to := ""
	if t.To != nil {
		to = strconv.Itoa(*t.To)
	}
	return fmt.Sprintf("%d-%s %s", t.From, to, t.Amount)
}

func joined[T any](list []T, text func(T) string) string {
	texts := make([]string, len(list))
	for i, v := range list {
		texts[i] = text(v)
	}
	return strings.Join(texts, listSeparator)
}

// formulas are the characters at which a spreadsheet takes a text for a formula.
const formulas = "=+-@\t"

func guarded(cell string) string {
	if cell != "" && strings.ContainsRune(formulas+"'", rune(cell[0])) {
		return "'" + cell
	}
	return cell
}

func unguarded(cell string) string {
	if len(cell) > 1 && cell[0] == '\'' && strings.ContainsRune(formulas+"'", rune(cell[1])) {
		return cell[1:]
	}
	return cell
}

// ReadCSV reads tariffs as WriteCSV writes them. Columns may be in any order, and those
// with a default may be left out. The error joins a *RowError for each row with a cell
// that cannot be read; the Err of each is a *FieldError, or joins several. An unknown or
// repeated column, and a text that is no CSV, are other errors.
func ReadCSV(r io.Reader) ([]Terms, error) {
	in := csv.NewReader(r)
	columns, err := ReadColumns(in, TermsMembers(), requiredMembers)
	if err != nil {
		return nil, err
	}
	var list []Terms
	var errs []error
	for row := 0; ; row++ {
		cells, err := in.Read()
		if errors.Is(err, io.EOF) {
			return list, errors.Join(errs...)
		} else if err != nil {
			return nil, err
		}
		t, err := termsOfCells(columns, cells)
		if err != nil {
			errs = append(errs, &RowError{row, err})
		}
		list = append(list, t)
	}
}

// ReadColumns reads the first line of a CSV, the names of its columns in any order and letter
// case. It refuses names that are not allowed, that are there twice, and the lack of a required
// one; such an error is a *FieldError.
func ReadColumns(in *csv.Reader, allowed, required []string) ([]string, error) {
	columns, err := in.Read()
	if errors.Is(err, io.EOF) {
		return nil, errors.New("the first line is missing: it has the names of the columns")
	} else if err != nil {
		return nil, err
	}
	columns[0] = strings.TrimPrefix(columns[0], "\ufeff")
	for i, name := range columns {
		columns[i] = strings.ToLower(strings.TrimSpace(name))
		if !slices.Contains(allowed, columns[i]) {
			return nil, &FieldError{columns[i], fmt.Sprintf("there is no column %q; columns are %s", columns[i], strings.Join(allowed, ", "))}
		}
		if slices.Contains(columns[:i], columns[i]) {
			return nil, &FieldError{columns[i], fmt.Sprintf("the column %q is there twice: each may be there once", columns[i])}
		}
	}
	for _, name := range required {
		if !slices.Contains(columns, name) {
			return nil, &FieldError{name, fmt.Sprintf("the column %q is missing: %s are required", name, strings.Join(required, ", "))}
		}
	}
	return columns, nil
}

func termsOfCells(columns, cells []string) (Terms, error) {
	t := DefaultTerms()
	var errs []error
	for i, name := range columns {
		cell := strings.TrimSpace(unguarded(strings.TrimSpace(cells[i])))
		if cell == "" {
			if slices.Contains(requiredMembers, name) {
				errs = append(errs, &FieldError{name, "a value is missing: " + cellForm(name) + " is required"})
			}
			continue
		}
		if err := t.setCell(name, cell); err != nil {
			errs = append(errs, err)
		}
	}
	return t, errors.Join(errs...)
}

// cellForms are the forms of cells that are no plain text.
var cellForms = map[string]string{
	"weekend": "days of the week such as saturday; sunday, or none", "holidays": "dates with names such as 2026-12-25 Christmas; 2027-01-01 New Year",
	"extra_working_days": "dates such as 2026-10-10; 2026-10-11", "tiers": "tiers such as 1-5 150.00; 6- 300.00",
}

func cellForm(member string) string {
	for _, forms := range []map[string]string{cellForms, memberForms} {
		if form := forms[member]; form != "" {
			return form
		}
	}
	return "a text"
}

func (t *Terms) setCell(member, cell string) error {
	field := reflect.ValueOf(t).Elem().Field(termsFields[member])
	wrong := &FieldError{member, fmt.Sprintf("%q has another form than is allowed: %s", cell, cellForm(member))}
	switch v := field.Addr().Interface().(type) {
	case *[]Holiday:
		return readList(v, cell, wrong, readHoliday)
	case *[]Date:
		return readList(v, cell, wrong, ParseDate)
	case *[]TierTerms:
		return readList(v, cell, wrong, readTier)
	case *[]string:
		if *v = nil; member != "weekend" || !strings.EqualFold(cell, noWeekend) {
			return readList(v, cell, wrong, func(s string) (string, error) { return s, nil })
		}
	case *int:
		n, err := strconv.Atoi(cell)
		if err != nil {
			return wrong
		}
		*v = n
	case *Date:
		d, err := ParseDate(cell)
		if err != nil {
			return wrong
		}
		*v = d
	default:
		field.SetString(cell)
	}
	return nil
}

// readList reads the parts of a cell between semicolons. A last semicolon may be there.
func readList[T any](to *[]T, cell string, wrong error, read func(string) (T, error)) error {
	*to = nil
	for part := range strings.SplitSeq(strings.TrimSuffix(cell, ";"), ";") {
		v, err := read(strings.TrimSpace(part))
		if err != nil {
			return wrong
		}
		*to = append(*to, v)
	}
	return nil
}

func readHoliday(s string) (Holiday, error) {
	date, name, _ := strings.Cut(s, " ")
	d, err := ParseDate(date)
	return Holiday{d, strings.TrimSpace(name)}, err
}

func readTier(s string) (t TierTerms, err error) {
	days, amount, two := strings.Cut(s, " ")
	from, to, span := strings.Cut(days, "-")
	if !two || !span {
		return t, strconv.ErrSyntax
	}
	if t.From, err = strconv.Atoi(from); err == nil && to != "" {
		t.To = new(int)
		*t.To, err = strconv.Atoi(to)
	}
	t.Amount = strings.TrimSpace(amount)
	return t, err
}
