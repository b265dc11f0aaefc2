package main

import (
	"bufio"
	"bytes"
	"cmp"
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
	operands: "shipments|containers|tracking_requests",
	about:    "export an account's shipments, containers or tracking requests as CSV or JSON",
	details: `
Writes to standard output or to the file of --out, in order of creation, what there
was at one moment.

With --format csv the first line names the columns: id, shipment_id for containers
and tracking requests, the attributes of the API, and custom_fields.SLUG for each
custom field, as import --format csv reads it. Containers also have the bill of
lading, the ports, the vessel and the times of their shipment, and tracking requests
the name of their customer. Lists are joined by semicolons. A text that a spreadsheet
would take for a formula begins with an apostrophe.

With --format json the output is an array of API resources, each with the values
of its custom fields by slug. The columns of the shipment or the customer are a
member of that name.`,
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
					return fmt.Errorf("there is no account %q: landfall accounts list shows the accounts", *account)
				} else if err != nil {
					return err
				}
				return writeOutput(p, *out, func(w io.Writer) error { return e.send(ctx, tr.For(tracking.Actor{Account: a.Scope()}), w) })
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
	// shipment is the relationship to the shipment, whose ID gets a column; empty for
	// none.
	shipment string
	// other is the relationship to a record whose attributes get columns; empty for none.
	other        string
	otherColumns []string
}

// shipmentColumns are the attributes of a shipment that containers are exported with.
var shipmentColumns = []string{
	"bill_of_lading_number", "shipping_line_scac", "shipping_line_name", "customer_name",
	"port_of_lading_locode", "port_of_lading_name", "port_of_discharge_locode", "port_of_discharge_name", "destination_locode", "destination_name",
	"pod_vessel_name", "pod_vessel_imo", "pod_voyage_number",
	"pol_etd_at", "pol_atd_at", "pod_eta_at", "pod_ata_at", "destination_eta_at", "destination_ata_at",
}

func newExport(kind, format string) (*export, error) {
	e := &export{format: format, of: tracking.ShipmentEntity}
	firstCreated := tracking.TrackedQuery{Sort: []tracking.Order{{Name: "created_at"}}}
	switch kind {
	case "shipments":
		e.query, e.columns = tracking.ShipmentQuery{TrackedQuery: firstCreated}, attributesOf(reflect.TypeFor[tracking.Shipment]())
	case "containers":
		e.query, e.columns = tracking.ContainerQuery{TrackedQuery: firstCreated}, attributesOf(reflect.TypeFor[tracking.Container]())
		e.of, e.shipment = tracking.ContainerEntity, "shipment"
		e.other, e.otherColumns = "shipment", shipmentColumns
	case "tracking_requests":
		e.query, e.columns = tracking.TrackingRequestQuery{Sort: firstCreated.Sort}, attributesOf(reflect.TypeFor[tracking.TrackingRequest]())
		e.of, e.shipment = tracking.TrackingRequestEntity, "tracked_object"
		e.other, e.otherColumns = "customer", []string{"company_name"}
	default:
		return nil, usageErrorf("export: %q is not shipments, containers or tracking_requests", kind)
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
	Relations  map[string]struct {
		Data json.RawMessage `json:"data"`
	} `json:"relationships"`
}

// related returns the ID of the record that a relationship leads to; empty for none.
func (r exported) related(name string) string {
	var to struct{ ID string }
	_ = json.Unmarshal(r.Relations[name].Data, &to) // stays empty for null and lists
	return to.ID
}

// exportedRow is a record with what is exported beside it.
type exportedRow struct {
	exported
	doc    []byte
	other  map[string]json.RawMessage // attributes of the other record; nil if there is none
	values fieldValues
}

// fieldValues are the values of the custom fields of one record, by slug.
type fieldValues map[string]json.RawMessage

// send writes an export as of one moment. It is made in a file first: what reads the output
// may be slow, and the database keeps what is replaced until all is read.
func (e *export) send(ctx context.Context, tr *tracking.Tracker, to io.Writer) error {
	file, err := os.CreateTemp("", "landfall-export-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(file.Name()) }()
	defer func() { _ = file.Close() }()
	buffered := bufio.NewWriter(file)
	err = tr.Snapshot(ctx, func(ctx context.Context) error { return e.run(ctx, tr, buffered) })
	if err := cmp.Or(err, buffered.Flush()); err != nil {
		return err
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	_, err = io.Copy(to, file)
	return err
}

// run writes page by page.
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
		var include []string
		if e.other != "" {
			include = []string{e.other}
		}
		s, err := tr.Rendered().List(ctx, e.query, tracking.Page{Number: page, Size: 500}, include)
		if err != nil {
			return err
		}
		if len(s.Rows) == 0 {
			return end()
		}
		rows, err := e.rowsOf(ctx, tr, s)
		if err != nil {
			return err
		}
		for _, r := range rows {
			if err := put(r); err != nil {
				return err
			}
		}
	}
}

// rowsOf joins the records of a page with the other records and the custom fields.
func (e *export) rowsOf(ctx context.Context, tr *tracking.Tracker, s tracking.Selection) ([]exportedRow, error) {
	values, err := e.valuesOf(ctx, tr, s.Rows)
	if err != nil {
		return nil, err
	}
	others := map[string]map[string]json.RawMessage{}
	for _, r := range s.Included {
		var other exported
		if err := json.Unmarshal(r.Doc, &other); err != nil {
			return nil, err
		}
		others[other.ID] = other.Attributes
	}
	rows := make([]exportedRow, len(s.Rows))
	for i, r := range s.Rows {
		rows[i] = exportedRow{doc: r.Doc, values: values[r.ID]}
		if err := json.Unmarshal(r.Doc, &rows[i].exported); err != nil {
			return nil, err
		}
		rows[i].other = others[rows[i].related(e.other)]
	}
	return rows, nil
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

func (e *export) json(to io.Writer) (put func(exportedRow) error, end func() error) {
	before := "[\n"
	put = func(r exportedRow) error {
		more := map[string]any{"custom_fields": r.values}
		if r.values == nil {
			more["custom_fields"] = fieldValues{}
		}
		if e.other != "" {
			more[e.other] = e.otherValues(r)
		}
		members, err := json.Marshal(more)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(to, `%s%s,%s`, before, bytes.TrimSuffix(r.doc, []byte("}")), members[1:])
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

// otherValues returns the columns of the other record; nil if there is none.
func (e *export) otherValues(r exportedRow) map[string]json.RawMessage {
	if r.other == nil {
		return nil
	}
	values := map[string]json.RawMessage{}
	for _, name := range e.otherColumns {
		values[name] = r.other[name]
	}
	return values
}

func (e *export) csv(to io.Writer) (put func(exportedRow) error, end func() error) {
	w := csv.NewWriter(to)
	_ = w.Write(e.header()) // end returns the error
	put = func(r exportedRow) error {
		row, err := e.cells(r)
		if err != nil {
			return err
		}
		return w.Write(row)
	}
	return put, func() error {
		w.Flush()
		return w.Error()
	}
}

// header returns the names of the columns. The attributes of the other record follow the
// first attribute of the record, which is its number.
func (e *export) header() []string {
	header := []string{"id"}
	if e.shipment != "" {
		header = append(header, "shipment_id")
	}
	header = append(header, e.columns[:1]...)
	for _, name := range e.otherColumns {
		if e.other == "customer" {
			name = "customer_name" // as of a shipment
		}
		header = append(header, name)
	}
	header = append(header, e.columns[1:]...)
	for _, d := range e.fields {
		header = append(header, fieldColumn+d.APISlug)
	}
	return header
}

// cells returns the cells of a record, in the order of header.
func (e *export) cells(r exportedRow) ([]string, error) {
	row := []string{r.ID}
	if e.shipment != "" {
		row = append(row, r.related(e.shipment))
	}
	add := func(of map[string]json.RawMessage, names []string) error {
		for _, name := range names {
			cell, err := cellOf(of[name])
			if err != nil {
				return fmt.Errorf("%s of %s: %w", name, r.ID, err)
			}
			row = append(row, cell)
		}
		return nil
	}
	if err := errors.Join(add(r.Attributes, e.columns[:1]), add(r.other, e.otherColumns), add(r.Attributes, e.columns[1:])); err != nil {
		return nil, err
	}
	for _, d := range e.fields {
		cell, err := cellOfField(d, r.values[d.APISlug])
		if err != nil {
			return nil, fmt.Errorf("%s%s of %s: %w", fieldColumn, d.APISlug, r.ID, err)
		}
		row = append(row, cell)
	}
	return row, nil
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
