package main

import (
	"bufio"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"strings"

	"github.com/landfallhq/tracking"
)

var exportCommand = command{
	name:     "export",
	operands: "shipments|containers",
	about:    "write an account's shipments or containers as CSV or JSON",
	details: `
Writes all of them to standard output, or to the file of --out, first created
first. With --format csv the first line names the columns: the id and the
attributes of the interface, for containers also shipment_id. Lists are joined by
semicolons. A text that a spreadsheet would take for a formula begins with an
apostrophe. With --format json it is one array of the interface's resources.`,
	declare: func(f *flags) action {
		db, account := f.database(), f.account()
		format := f.String("format", "csv", "`FORMAT` of the output: csv or json")
		out := f.String("out", "", "`FILE` to write to, instead of standard output")
		return func(ctx context.Context, p *program, operands []string) error {
			e, err := newExport(operands[0], *format)
			if err != nil {
				return err
			}
			return onExisting(p, *db, func(tr *tracking.Tracker) (err error) {
				a, err := tr.Account(ctx, *account)
				if errors.Is(err, tracking.ErrNotFound) {
					return fmt.Errorf("there is no account %q", *account)
				} else if err != nil {
					return err
				}
				to := p.stdout
				if *out != "" {
					file, err := os.Create(*out)
					if err != nil {
						return err
					}
					defer func() { err = errors.Join(err, file.Close()) }()
					to = file
				}
				buffered := bufio.NewWriter(to)
				return errors.Join(e.run(ctx, tr.For(tracking.Actor{Account: a.Scope()}), buffered), buffered.Flush())
			})
		}
	},
}

// export is one call of the command.
type export struct {
	query  tracking.Query
	format string
	// columns are the attributes; before them stands the id. Columns for the
	// account's own fields would follow them.
	columns []string
	// shipment: there is a column with the ID of the shipment.
	shipment bool
}

func newExport(kind, format string) (*export, error) {
	e := &export{format: format}
	firstCreated := tracking.TrackedQuery{Sort: []tracking.Order{{Name: "created_at"}}}
	switch kind {
	case "shipments":
		e.query, e.columns = tracking.ShipmentQuery{TrackedQuery: firstCreated}, attributesOf(reflect.TypeFor[tracking.Shipment]())
	case "containers":
		e.query, e.columns, e.shipment = tracking.ContainerQuery{TrackedQuery: firstCreated}, attributesOf(reflect.TypeFor[tracking.Container]()), true
	default:
		return nil, badUsage("export: %q is not shipments or containers", kind)
	}
	if format != "csv" && format != "json" {
		return nil, badUsage("--format: %q is not csv or json", format)
	}
	return e, nil
}

// attributesOf are the names that a resource's attributes are shown under.
func attributesOf(t reflect.Type) (names []string) {
	for i := range t.NumField() {
		if tag, ok := t.Field(i).Tag.Lookup("attr"); ok {
			name, _, _ := strings.Cut(tag, ",")
			names = append(names, name)
		}
	}
	return names
}

// exported is what an export reads of a stored document.
type exported struct {
	ID         string                     `json:"id"`
	Attributes map[string]json.RawMessage `json:"attributes"`
	Relations  struct {
		Shipment struct {
			Data struct {
				ID string `json:"id"`
			} `json:"data"`
		} `json:"shipment"`
	} `json:"relationships"`
}

// run writes page by page. What is created meanwhile comes at the end.
func (e *export) run(ctx context.Context, tr *tracking.Tracker, to io.Writer) error {
	begin := e.csv
	if e.format == "json" {
		begin = e.json
	}
	put, end := begin(to)
	for page := 1; ; page++ {
		s, err := tr.Select(ctx, e.query, tracking.Page{Number: page, Size: 500}, nil)
		if err != nil {
			return err
		}
		for _, r := range s.Rows {
			if err := put(r); err != nil {
				return err
			}
		}
		if len(s.Rows) == 0 {
			return end()
		}
	}
}

func (e *export) json(to io.Writer) (put func(*tracking.Resource) error, end func() error) {
	before := "[\n"
	put = func(r *tracking.Resource) error {
		_, err := fmt.Fprintf(to, "%s%s", before, r.Doc)
		before = ",\n"
		return err
	}
	return put, func() error {
		if before == "[\n" {
			_, err := io.WriteString(to, "[]\n")
			return err
		}
		_, err := io.WriteString(to, "\n]\n")
		return err
	}
}

func (e *export) csv(to io.Writer) (put func(*tracking.Resource) error, end func() error) {
	w := csv.NewWriter(to)
	header := []string{"id"}
	if e.shipment {
		header = append(header, "shipment_id")
	}
	_ = w.Write(append(header, e.columns...)) // end tells
	put = func(stored *tracking.Resource) error {
		var r exported
		if err := json.Unmarshal(stored.Doc, &r); err != nil {
			return err
		}
		row := []string{r.ID}
		if e.shipment {
			row = append(row, r.Relations.Shipment.Data.ID)
		}
		for _, name := range e.columns {
			cell, err := cellOf(r.Attributes[name])
			if err != nil {
				return fmt.Errorf("%s of %s: %w", name, r.ID, err)
			}
			row = append(row, cell)
		}
		return w.Write(row)
	}
	return put, func() error {
		w.Flush()
		return w.Error()
	}
}

// cellOf is a value as a cell: a text made harmless, a list of texts joined, what
// has members as JSON, null as nothing.
func cellOf(value json.RawMessage) (string, error) {
	var list []string
	switch text := string(value); {
	case text == "" || text == "null":
		return "", nil
	case text[0] == '"':
		var s string
		err := json.Unmarshal(value, &s)
		return harmless(s), err
	case text[0] == '[' && json.Unmarshal(value, &list) == nil:
		for i := range list { // each: in some countries a spreadsheet parts cells at the semicolon
			list[i] = harmless(list[i])
		}
		return strings.Join(list, ";"), nil
	default:
		return text, nil
	}
}

// harmless keeps spreadsheets from taking a text for a formula: such a one begins
// with an apostrophe, which they do not show.
func harmless(s string) string {
	if strings.IndexAny(s, "=+-@\t\r\n＝＋－＠") == 0 {
		return "'" + s
	}
	return s
}
