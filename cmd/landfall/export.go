package main

import (
	"bufio"
	"bytes"
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
	about:    "export an account's shipments or containers as CSV or JSON",
	details: `
Writes to standard output or to the file of --out, in order of creation.

With --format csv the first line names the columns: id, for containers
shipment_id, the attributes of the API, and custom_fields.SLUG for each custom
field, as import --format csv reads it. Lists are joined by semicolons. A text
that a spreadsheet would take for a formula begins with an apostrophe.

With --format json the output is an array of API resources, each with the values
of its custom fields by slug.`,
	declare: func(f *flags) action {
		db, account := f.database(), f.account()
		format := f.String("format", "csv", "`FORMAT` of the output: csv or json")
		out := f.String("out", "", "output `FILE` (default standard output)")
		return func(ctx context.Context, p *program, operands []string) error {
			e, err := newExport(operands[0], *format)
			if err != nil {
				return err
			}
			return onExistingDatabase(p, *db, func(tr *tracking.Tracker) (err error) {
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

// export is one run of the command.
type export struct {
	query  tracking.Query
	of     tracking.EntityType
	format string
	// columns are the attributes, which follow the id.
	columns []string
	// fields are the custom fields of the account, which follow the attributes.
	fields []*tracking.CustomFieldDefinition
	// shipment adds a column with the ID of the shipment.
	shipment bool
}

func newExport(kind, format string) (*export, error) {
	e := &export{format: format, of: tracking.ShipmentEntity}
	firstCreated := tracking.TrackedQuery{Sort: []tracking.Order{{Name: "created_at"}}}
	switch kind {
	case "shipments":
		e.query, e.columns = tracking.ShipmentQuery{TrackedQuery: firstCreated}, attributesOf(reflect.TypeFor[tracking.Shipment]())
	case "containers":
		e.query, e.columns = tracking.ContainerQuery{TrackedQuery: firstCreated}, attributesOf(reflect.TypeFor[tracking.Container]())
		e.of, e.shipment = tracking.ContainerEntity, true
	default:
		return nil, usageErrorf("export: %q is not shipments or containers", kind)
	}
	if format != "csv" && format != "json" {
		return nil, usageErrorf("--format: %q is not csv or json", format)
	}
	return e, nil
}

// attributesOf returns the names of a resource's attributes.
func attributesOf(t reflect.Type) (names []string) {
	for i := range t.NumField() {
		if tag, ok := t.Field(i).Tag.Lookup("attr"); ok {
			name, _, _ := strings.Cut(tag, ",")
			names = append(names, name)
		}
	}
	return names
}

// exported is the part of a stored document that export reads.
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

// fieldValues are the values of the custom fields of one record, by slug.
type fieldValues map[string]json.RawMessage

// run writes page by page. Records created meanwhile come last.
func (e *export) run(ctx context.Context, tr *tracking.Tracker, to io.Writer) (err error) {
	if e.fields, err = definedFields(ctx, tr, e.of); err != nil {
		return err
	}
	begin := e.csv
	if e.format == "json" {
		begin = e.json
	}
	put, end := begin(to)
	for page := 1; ; page++ {
		s, err := tr.Rendered().List(ctx, e.query, tracking.Page{Number: page, Size: 500}, nil)
		if err != nil {
			return err
		}
		if len(s.Rows) == 0 {
			return end()
		}
		values, err := e.valuesOf(ctx, tr, s.Rows)
		if err != nil {
			return err
		}
		for _, r := range s.Rows {
			if err := put(r, values[r.ID]); err != nil {
				return err
			}
		}
	}
}

// valuesOf reads the custom field values of the rows.
func (e *export) valuesOf(ctx context.Context, tr *tracking.Tracker, rows []*tracking.Resource) (map[tracking.ID]fieldValues, error) {
	if len(e.fields) == 0 {
		return nil, nil
	}
	q := tracking.CustomFieldQuery{}
	values := map[tracking.ID]fieldValues{}
	for _, r := range rows {
		q.Entities = append(q.Entities, r.ID)
		values[r.ID] = fieldValues{}
	}
	list, _, err := tr.CustomFields(ctx, q, tracking.Page{})
	for _, f := range list {
		if f.Value != nil {
			values[f.Entity.ID][f.APISlug] = f.Value
		}
	}
	return values, err
}

func (e *export) json(to io.Writer) (put func(*tracking.Resource, fieldValues) error, end func() error) {
	before := "[\n"
	put = func(r *tracking.Resource, values fieldValues) error {
		if values == nil {
			values = fieldValues{}
		}
		fields, err := json.Marshal(values)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(to, `%s%s,"custom_fields":%s}`, before, bytes.TrimSuffix(r.Doc, []byte("}")), fields)
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

func (e *export) csv(to io.Writer) (put func(*tracking.Resource, fieldValues) error, end func() error) {
	w := csv.NewWriter(to)
	header := []string{"id"}
	if e.shipment {
		header = append(header, "shipment_id")
	}
	header = append(header, e.columns...)
	for _, d := range e.fields {
		header = append(header, fieldColumn+d.APISlug)
	}
	_ = w.Write(header) // end returns the error
	put = func(stored *tracking.Resource, values fieldValues) error {
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
		for _, d := range e.fields {
			cell, err := cellOfField(d, values[d.APISlug])
			if err != nil {
				return fmt.Errorf("%s%s of %s: %w", fieldColumn, d.APISlug, r.ID, err)
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

// cellOf renders a value as a cell: texts are escaped for spreadsheets, lists
// joined, objects written as JSON; null is empty.
func cellOf(value json.RawMessage) (string, error) {
	var list []string
	switch text := string(value); {
	case text == "" || text == "null":
		return "", nil
	case text[0] == '"':
		var s string
		err := json.Unmarshal(value, &s)
		return escapeFormula(s), err
	case text[0] == '[' && json.Unmarshal(value, &list) == nil:
		for i := range list { // each of them, because some spreadsheets separate cells by semicolons
			list[i] = escapeFormula(list[i])
		}
		return strings.Join(list, ";"), nil
	default:
		return text, nil
	}
}

// escapeFormula prevents spreadsheets from taking a text for a formula, by an
// apostrophe, which they do not show.
func escapeFormula(s string) string {
	if strings.IndexAny(s, "=+-@\t\r\n＝＋－＠") == 0 {
		return "'" + s
	}
	return s
}
