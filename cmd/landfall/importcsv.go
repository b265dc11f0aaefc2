package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/internal/numbercell"
	"github.com/landfallhq/tracking/refdata"
)

// rowColumns are the columns of a file of tracking requests, with their accepted
// names. Columns of custom fields are added to them; see fieldColumn.
var rowColumns = map[string][]string{
	"number":     {"number", "request_number"},
	"type":       {"type", "request_type"},
	"scac":       {"scac"},
	"references": {"references", "ref_numbers"},
	"tags":       {"tags"},
	"customer":   {"customer"},
}

// requestRow is one row of such a file.
type requestRow struct {
	line     int
	number   string
	customer string // company name
	request  tracking.NewTrackingRequest
	// fault is why the row is refused before the engine sees it; empty for none.
	fault string
}

// The outcomes of a row.
const (
	rowCreated = "created"
	rowExists  = "exists"
	rowRefused = "refused"
)

// rowOutcome is the result of a row.
type rowOutcome struct {
	row     requestRow
	outcome string
	id      tracking.ID // of the request; zero if there is none
	detail  string      // why it was refused
}

// rowImport creates tracking requests from the rows of files.
type rowImport struct {
	*importJob
	dryRun    bool
	outcomes  *csv.Writer // nil without --outcomes
	customers map[string]tracking.ID
	fields    map[string]*tracking.CustomFieldDefinition // by slug
	created   map[string][]string                        // the SCACs of requests created for earlier rows, by normalized number
	count     map[string]int
}

// rows imports files of tracking requests and prints the totals.
func (j *importJob) rows(ctx context.Context, files []string, dryRun bool, outcomes string) (err error) {
	r := &rowImport{importJob: j, dryRun: dryRun, count: map[string]int{}, created: map[string][]string{}}
	if outcomes != "" {
		out, err := os.Create(outcomes)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, out.Close()) }()
		r.outcomes = csv.NewWriter(out)
		_ = r.outcomes.Write([]string{"file", "line", "number", "outcome", "tracking_request_id", "detail"}) // Flush returns the error
	}
	if err := errors.Join(r.findCustomers(ctx), r.findFields(ctx)); err != nil {
		return err
	}
	for _, name := range files {
		if err := r.file(ctx, name); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	if r.outcomes != nil {
		if r.outcomes.Flush(); r.outcomes.Error() != nil {
			return fmt.Errorf("%s: %w", outcomes, r.outcomes.Error())
		}
	}
	would := ""
	if dryRun {
		would = "would be "
	}
	total := r.count[rowCreated] + r.count[rowExists] + r.count[rowRefused]
	fmt.Fprintf(j.stdout, "%d rows: %d %screated, %d there already, %d %srefused\n",
		total, r.count[rowCreated], would, r.count[rowExists], r.count[rowRefused], would)
	if n := r.count[rowRefused]; n > 0 {
		return fmt.Errorf("%d of %d rows refused: correct them and import the file again, which skips the rows that are there", n, total)
	}
	return nil
}

// findCustomers reads the existing parties, by normalized name.
func (r *rowImport) findCustomers(ctx context.Context) error {
	r.customers = map[string]tracking.ID{}
	known, _, err := r.tracker.Parties(ctx, tracking.PartyQuery{}, tracking.Page{})
	for _, p := range known {
		r.customers[normalizeCompany(p.CompanyName)] = p.ID
	}
	return err
}

func normalizeCompany(name string) string {
	return strings.ToLower(strings.Join(strings.Fields(name), " "))
}

// file reads the whole file before it stores anything.
func (r *rowImport) file(ctx context.Context, name string) error {
	in := r.stdin
	if name != "-" {
		file, err := os.Open(name)
		if err != nil {
			return errors.Unwrap(err)
		}
		defer file.Close()
		in = file
	}
	rows, err := r.readRows(in)
	if err != nil {
		return err
	}
	bar := newProgress(r.stderr, len(rows), "rows")
	for batch := range slices.Chunk(rows, tracking.MaxBulkRequests) {
		outcomes, err := r.batch(ctx, batch)
		if err != nil {
			bar.clear()
			return fmt.Errorf("at line %d, after %d rows: %w", batch[0].line, r.count[rowCreated]+r.count[rowExists]+r.count[rowRefused], err)
		}
		for _, o := range outcomes {
			r.report(name, o, bar)
		}
	}
	bar.clear()
	return nil
}

// report counts and reports the result of a row.
func (r *rowImport) report(file string, o rowOutcome, bar *progress) {
	r.count[o.outcome]++
	if o.outcome == rowRefused {
		bar.clear()
		fmt.Fprintf(r.stderr, "landfall: %s: line %d: refused: %s\n", file, o.row.line, oneLine(o.detail))
	}
	if r.outcomes != nil {
		id := ""
		if o.id != (tracking.ID{}) {
			id = o.id.String()
		}
		_ = r.outcomes.Write([]string{escapeFormula(file), strconv.Itoa(o.row.line), escapeFormula(o.row.number), o.outcome, id, escapeFormula(o.detail)})
	}
	bar.done()
}

// batch creates the requests of up to a hundred rows.
func (r *rowImport) batch(ctx context.Context, rows []requestRow) ([]rowOutcome, error) {
	known, err := r.known(ctx, rows)
	if err != nil {
		return nil, err
	}
	outcomes := make([]rowOutcome, len(rows))
	asking := map[string]int{} // rows to create, by number
	flush := func() error {
		defer clear(asking)
		return r.createAll(ctx, outcomes, slices.Sorted(maps.Values(asking)))
	}
	for i, row := range rows {
		outcomes[i] = rowOutcome{row: row, outcome: rowExists}
		if row.fault != "" {
			outcomes[i].outcome, outcomes[i].detail = rowRefused, row.fault
			continue
		}
		key := numbercell.Normalize(row.number)
		if row.request.SCAC == "" {
			row.request.SCAC = r.scac
		}
		if there := existingRequest(known[key], row.request.SCAC); there != nil {
			outcomes[i].id = there.ID
			continue
		}
		if _, ok := asking[key]; ok { // the result of the earlier row decides
			if err := flush(); err != nil {
				return nil, err
			}
		}
		if key != "" && r.createdBefore(key, row.request.SCAC) {
			continue
		}
		err := r.setCustomer(ctx, &row)
		if fault := (*tracking.Error)(nil); errors.As(err, &fault) && fault.Kind == tracking.Invalid {
			outcomes[i].outcome, outcomes[i].detail = rowRefused, err.Error()
			continue
		}
		if err != nil {
			return nil, err
		}
		outcomes[i].row, asking[key] = row, i
	}
	return outcomes, flush()
}

// createdBefore reports whether an earlier row has created the request. Except in a
// dry run, the engine detects duplicates with the same SCAC itself.
func (r *rowImport) createdBefore(key, scac string) bool {
	return slices.ContainsFunc(r.created[key], func(line string) bool {
		return (line == "" || scac == "" || r.dryRun) && sameCarrier(scac, line)
	})
}

// createAll creates the requests of the rows at these indexes.
func (r *rowImport) createAll(ctx context.Context, outcomes []rowOutcome, at []int) error {
	if len(at) == 0 {
		return nil
	}
	ask := make([]tracking.NewTrackingRequest, len(at))
	for i, place := range at {
		ask[i] = outcomes[place].row.request
	}
	results, err := r.create(ctx, ask)
	if err != nil {
		return err
	}
	for i, result := range results {
		o := &outcomes[at[i]]
		o.outcome = rowCreated
		if result.Request != nil {
			o.id = result.Request.ID
		}
		if result.Err != nil {
			o.outcome, o.id, o.detail = refusedAs(result.Err)
		}
		if o.outcome != rowRefused {
			key := numbercell.Normalize(o.row.number)
			r.created[key] = append(r.created[key], o.row.request.SCAC)
		}
	}
	return nil
}

// create creates the requests, or in a dry run checks them.
func (r *rowImport) create(ctx context.Context, list []tracking.NewTrackingRequest) ([]tracking.BulkRequestResult, error) {
	if !r.dryRun {
		return r.tracker.CreateTrackingRequests(ctx, list)
	}
	faults, err := r.tracker.CheckTrackingRequests(ctx, list)
	results := make([]tracking.BulkRequestResult, len(faults))
	for i, fault := range faults {
		results[i].Err = fault
	}
	return results, err
}

// refusedAs distinguishes an existing request from an error.
func refusedAs(err error) (outcome string, id tracking.ID, detail string) {
	var one *tracking.Error
	if list := (tracking.Errors)(nil); errors.As(err, &list) && len(list) == 1 {
		one = list[0]
	}
	if one != nil && one.Code == "duplicate" {
		text, _ := one.Meta["tracking_request_id"].(string)
		_ = id.UnmarshalText([]byte(text)) // zero if there is none
		return rowExists, id, ""
	}
	return rowRefused, id, oneLine(err.Error())
}

// known returns the existing requests for the numbers of the rows, whatever their
// status, so that importing a file again creates nothing. A number can have
// requests at several lines, and can be written with or without the prefix of a
// line.
func (r *rowImport) known(ctx context.Context, rows []requestRow) (map[string][]*tracking.TrackingRequest, error) {
	var numbers []string
	for _, row := range rows {
		if row.fault == "" && numbercell.Normalize(row.number) != "" {
			numbers = append(numbers, row.number)
		}
	}
	known := map[string][]*tracking.TrackingRequest{}
	if len(numbers) == 0 {
		return known, nil
	}
	list, _, err := r.tracker.TrackingRequests(ctx, tracking.TrackingRequestQuery{Numbers: numbers}, tracking.Page{})
	for _, there := range list {
		byKey := map[string]bool{} // rows with the same normalized number share the result
		for _, number := range numbers {
			if key := numbercell.Normalize(number); !byKey[key] && there.HasNumber(number) {
				byKey[key] = true
				known[key] = append(known[key], there)
			}
		}
	}
	return known, err
}

// existingRequest returns the existing request for a row with this SCAC; nil if there is
// none. A request that failed before its line was known does not count for a row
// that names a line, because naming the line is how users repair it.
func existingRequest(known []*tracking.TrackingRequest, line string) *tracking.TrackingRequest {
	for _, there := range known {
		lost := there.SCAC == "" && there.Status == tracking.RequestFailed
		if sameCarrier(line, there.SCAC) && (line == "" || !lost) {
			return there
		}
	}
	return nil
}

// sameCarrier compares SCACs: an empty one matches any, and an alternative SCAC
// matches its line.
func sameCarrier(asked, there string) bool {
	return asked == "" || there == "" || strings.EqualFold(primary(asked), primary(there))
}

func primary(scac string) string {
	if line, ok := refdata.LineBySCAC(scac); ok {
		return line.SCAC
	}
	return strings.TrimSpace(scac)
}

// setCustomer finds the party of the row by its name, or creates it.
func (r *rowImport) setCustomer(ctx context.Context, row *requestRow) error {
	if row.customer == "" {
		return nil
	}
	id, ok := r.customers[normalizeCompany(row.customer)]
	if !ok && r.dryRun {
		return tracking.NewParty{CompanyName: row.customer}.Check()
	}
	if !ok {
		p, err := r.tracker.CreateParty(ctx, tracking.NewParty{CompanyName: row.customer})
		if err != nil {
			return fmt.Errorf("customer %q: %w", row.customer, err)
		}
		id = p.ID
		r.customers[normalizeCompany(row.customer)] = id
	}
	row.request.Customer = id
	return nil
}

// readRows reads a file of tracking requests. Its first line names the columns.
func (r *rowImport) readRows(in io.Reader) ([]requestRow, error) {
	data, err := io.ReadAll(in)
	if err != nil {
		return nil, err
	}
	if err := checkText(data); err != nil {
		return nil, err
	}
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")) // spreadsheets write a byte order mark
	lines := csv.NewReader(bytes.NewReader(data))
	lines.FieldsPerRecord = -1
	first, _, _ := bytes.Cut(data, []byte("\n"))
	switch {
	case bytes.Contains(first, []byte(",")):
	case bytes.Contains(first, []byte(";")):
		lines.Comma = ';' // as spreadsheets write in locales with a decimal comma
	case bytes.Contains(first, []byte("\t")):
		lines.Comma = '\t' // as copied from a spreadsheet
	}
	header, err := lines.Read()
	if errors.Is(err, io.EOF) {
		return nil, errors.New("it is empty: its first line names the columns, such as number,scac")
	} else if err != nil {
		return nil, err
	}
	columns, err := rowColumnsOf(header)
	if err == nil {
		err = r.knowFields(columns)
	}
	if err != nil {
		return nil, err
	}
	var rows []requestRow
	for {
		cells, err := lines.Read()
		if errors.Is(err, io.EOF) {
			return rows, nil
		} else if err != nil {
			return nil, err
		}
		line, _ := lines.FieldPos(0)
		if row, ok := r.rowOf(columns, cells, line); ok {
			rows = append(rows, row)
		}
	}
}

// checkText refuses what spreadsheets write when it is not CSV in UTF-8.
func checkText(data []byte) error {
	const instead = ": save it as CSV UTF-8"
	switch {
	case bytes.HasPrefix(data, []byte("PK\x03\x04")), bytes.HasPrefix(data, []byte("\xd0\xcf\x11\xe0")):
		return errors.New("it is a workbook of a spreadsheet program" + instead)
	case bytes.HasPrefix(data, []byte("\xff\xfe")), bytes.HasPrefix(data, []byte("\xfe\xff")):
		return errors.New("it is in UTF-16" + instead)
	case !utf8.Valid(data):
		return errors.New("it is not in UTF-8" + instead)
	}
	return nil
}

// rowColumnsOf returns the indexes of the columns. An unknown column is an error,
// because it may be a typo.
func rowColumnsOf(header []string) (map[string]int, error) {
	columns := map[string]int{}
	for i, title := range header {
		name := strings.ToLower(strings.ReplaceAll(strings.TrimSpace(title), " ", "_"))
		found := ""
		for column, names := range rowColumns {
			if slices.Contains(names, name) {
				found = column
			}
		}
		if strings.HasPrefix(name, fieldColumn) {
			found = name
		}
		_, twice := columns[found]
		switch {
		case name == "":
		case found == "":
			return nil, fmt.Errorf("the first line has an unknown column %q; the columns are %s, and %s followed by the slug of a field", title, strings.Join(slices.Sorted(maps.Keys(rowColumns)), ", "), fieldColumn)
		case twice:
			return nil, fmt.Errorf("the first line has the column %s twice", found)
		default:
			columns[found] = i
		}
	}
	if _, ok := columns["number"]; !ok {
		return nil, errors.New(`the first line has no column "number": it names the columns, such as number,scac`)
	}
	return columns, nil
}

// rowOf reads a row; ok is false for an empty one.
func (r *rowImport) rowOf(columns map[string]int, cells []string, line int) (row requestRow, ok bool) {
	cell := func(column string) string {
		if i, ok := columns[column]; ok && i < len(cells) {
			return strings.TrimSpace(cells[i])
		}
		return ""
	}
	if !slices.ContainsFunc(cells, func(c string) bool { return strings.TrimSpace(c) != "" }) {
		return row, false
	}
	row = requestRow{line: line, number: numbercell.Clean(cell("number")), customer: cell("customer")}
	typ := typeOfCell(cell("type"))
	row.fault = cmp.Or(numbercell.Check(row.number, typ), checkType(cell("type")), r.checkLine(cmp.Or(cell("scac"), r.scac)))
	row.request = tracking.NewTrackingRequest{
		Number: row.number, Type: typeOfRow(typ, row.number), SCAC: cell("scac"),
		RefNumbers: listOf(cell("references")), Tags: listOf(cell("tags")),
		CustomFields: tracking.InitialCustomFields{Shipment: r.fieldsOfRow(columns, cell)},
	}
	return row, true
}

// typeOfCell reads a cell of the column type; empty for an empty one.
func typeOfCell(cell string) tracking.RequestType {
	if typ, ok := typeNames[numbercell.Normalize(cell)]; ok {
		return typ
	}
	return tracking.RequestType(strings.ReplaceAll(strings.ToLower(cell), " ", "_"))
}

// typeOfRow guesses the type of a number without one.
func typeOfRow(typ tracking.RequestType, number string) tracking.RequestType {
	if typ != "" {
		return typ
	}
	if valid, _ := refdata.CheckDigit(numbercell.Normalize(number)); valid {
		return tracking.ContainerNumber
	}
	return tracking.BillOfLading
}

// listOf reads a cell with several texts.
func listOf(cell string) (list []string) {
	for part := range strings.FieldsFuncSeq(cell, func(c rune) bool { return c == ';' || c == '|' }) {
		if part = strings.TrimSpace(part); part != "" && !slices.Contains(list, part) {
			list = append(list, part)
		}
	}
	return list
}
