package dashboard

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/internal/numbercell"
	"github.com/landfallhq/tracking/internal/sheet"
)

func sheetRoutes() []route {
	return []route{
		{pattern: "POST /track/sheets", permission: tracking.Create, files: true, serve: addSheet},
		{pattern: "GET /track/sheets/{sheet}", permission: tracking.Show, serve: showSheet},
		{pattern: "POST /track/sheets/{sheet}", permission: tracking.Create, serve: trackSheet},
	}
}

// maxSheet bounds the file of a sheet, in bytes.
const maxSheet = 8 << 20

// sheetLimits bound a sheet. The first row has the headings.
var sheetLimits = sheet.Limits{Rows: 5_001, Columns: 40, Cell: 500, Bytes: 8 << 20}

// keptSheet is a sheet as it was sent: it never changes.
type keptSheet struct {
	Name     string
	Headings []string
	Rows     []sheet.Row
}

// sheetProgress is how far the requests of a sheet are.
type sheetProgress struct {
	// Columns are what was confirmed: what each column of the sheet is.
	Columns []string
	// Repeated are the positions of the rows that repeat an earlier one, as it was shown. They
	// are kept because rows that are tracked meanwhile would be refused if checked again.
	Repeated []int `json:",omitempty"`
	// Results of the rows that are done, in their order.
	Results []sheetResult
}

// sheetResult is the request of a row, or why there is none.
type sheetResult struct {
	Request tracking.ID `json:",omitzero"`
	Refused string      `json:",omitempty"`
}

// addSheet keeps a sheet, and shows what would happen to its rows.
func addSheet(req *request) error {
	file, err := req.nextFile()
	if err != nil {
		return err
	}
	problem := req.texts.get("sheet.none")
	if file != nil {
		data, err := io.ReadAll(io.LimitReader(file, maxSheet+1))
		if err != nil {
			return req.uploadFault(err)
		}
		rows, err := sheet.ReadFile(file.FileName(), data, sheetLimits)
		var said *sheet.Fault
		switch {
		case len(data) > maxSheet:
			problem = req.texts.get("sheet.large", maxSheet>>20)
		case errors.As(err, &said):
			problem = said.Detail
		case err != nil:
			return err
		case len(rows) == 1:
			problem = req.texts.get("sheet.no_rows")
		default:
			id := newToken()
			problem, err = req.keepRows("sheet", id, keptSheet{clipTo(strings.ToValidUTF8(file.FileName(), "?"), 255), rows[0].Cells, rows[1:]})
			if err != nil {
				return err
			}
			if problem == "" {
				return req.redirect(req.link("/track/sheets/" + id))
			}
		}
	}
	p := req.trackPage("")
	p.SheetProblem = problem
	return req.render(http.StatusUnprocessableEntity, "track", req.texts.get("track.title"), p)
}

// What a column of a sheet can be, besides a custom field.
const (
	columnNumber, columnCarrier, columnType, columnReferences, columnTags = "number", "scac", "type", "references", "tags"
	columnNone                                                            = "none"
)

// headings are names of columns in letters and digits, in lower case.
var headings = map[string][]string{
	columnNumber:     {"number", "requestnumber", "bl", "blno", "blnumber", "blnr", "billoflading", "billofladingno", "billofladingnumber", "mbl", "mblno", "mblnumber", "masterbl", "booking", "bookingno", "bookingnumber", "container", "containerno", "containernumber", "cntrno"},
	columnCarrier:    {"scac", "carrier", "carriercode", "line", "shippingline", "carrierscac"},
	columnType:       {"type", "requesttype", "kind", "numbertype"},
	columnReferences: {"references", "reference", "refnumbers", "refnumber", "ref", "refno", "referencenumber", "referencenumbers"},
	columnTags:       {"tags", "tag", "labels"},
}

// folded is a text in letters and digits, in lower case.
func folded(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}

// recognized returns what the columns are by their headings; none for others, and for the second
// of two for the same.
func recognized(names []string, fields []*tracking.CustomFieldDefinition) []string {
	list := make([]string, len(names))
	for i, name := range names {
		list[i] = columnNone
		found := ""
		for column, known := range headings {
			if slices.Contains(known, folded(name)) {
				found = column
			}
		}
		for _, d := range fields {
			if name == fieldPrefix+d.APISlug || folded(name) != "" && (folded(name) == folded(d.DisplayName) || folded(name) == folded(d.APISlug)) {
				found = fieldPrefix + d.APISlug
			}
		}
		if found != "" && !slices.Contains(list[:i], found) {
			list[i] = found
		}
	}
	return list
}

// sheetRun is a sheet with what its columns are.
type sheetRun struct {
	keptSheet
	id      string
	fields  []*tracking.CustomFieldDefinition
	columns []string
	lines   map[string]string // SCACs by folded names of lines
}

// sheetRun reads the sheet in the path, with the columns of a form over the recognised ones.
func (req *request) sheetRun(form url.Values) (run sheetRun, err error) {
	run.id = req.r.PathValue("sheet")
	found, err := req.kept("sheet/"+run.id, &run.keptSheet)
	if err != nil {
		return run, err
	}
	if !found {
		return run, &pageError{http.StatusNotFound, req.texts.get("sheet.gone")}
	}
	ctx := req.r.Context()
	if run.fields, err = req.definedFields(ctx, tracking.ShipmentEntity); err != nil {
		return run, err
	}
	run.columns = recognized(run.Headings, run.fields)
	choices := run.choices(req.texts)
	for i := range run.columns {
		given := form.Get("column." + strconv.Itoa(i))
		if slices.ContainsFunc(choices, func(o option) bool { return o.Value == given }) {
			run.columns[i] = given
		}
	}
	lines, err := req.t.ShippingLines(ctx)
	run.lines = map[string]string{}
	for _, l := range lines {
		run.lines[folded(l.Name)], run.lines[folded(l.ShortName)] = l.SCAC, l.SCAC
	}
	return run, err
}

// choices are what a column can be.
func (run *sheetRun) choices(c catalog) []option {
	list := []option{{Value: columnNone, Label: c.get("sheet.column.none")}}
	for _, name := range []string{columnNumber, columnCarrier, columnType, columnReferences, columnTags} {
		list = append(list, option{Value: name, Label: c.get("sheet.column." + name)})
	}
	for _, d := range run.fields {
		list = append(list, option{Value: fieldPrefix + d.APISlug, Label: d.DisplayName})
	}
	return list
}

// fault returns why the columns cannot be used; empty if they can.
func (run *sheetRun) fault(c catalog) string {
	for i, name := range run.columns {
		if name != columnNone && slices.Contains(run.columns[:i], name) {
			return c.get("sheet.twice", run.Headings[i])
		}
	}
	if !slices.Contains(run.columns, columnNumber) {
		return c.get("sheet.no_number")
	}
	return ""
}

// typesByName are the types of numbers as sheets name them, folded.
var typesByName = map[string]tracking.RequestType{
	"billoflading": tracking.BillOfLading, "bl": tracking.BillOfLading, "mbl": tracking.BillOfLading,
	"bookingnumber": tracking.BookingNumber, "booking": tracking.BookingNumber,
	"container": tracking.ContainerNumber, "containernumber": tracking.ContainerNumber,
}

// request returns the request of a row, the number that it is known by, and why it is refused;
// empty if it is not.
func (run *sheetRun) request(ctx context.Context, req *request, r sheet.Row) (row numberRow, err error) {
	row.line = r.Number
	var values tracking.InitialCustomFields
	for i, name := range run.columns {
		if i >= len(r.Cells) || r.Cells[i] == "" {
			continue
		}
		text := r.Cells[i]
		switch name {
		case columnNone:
		case columnNumber:
			row.request.Number = numbercell.Clean(text)
		case columnCarrier:
			if row.request.SCAC = run.lines[folded(text)]; row.request.SCAC == "" {
				row.request.SCAC = strings.ToUpper(text)
			}
		case columnType:
			if row.request.Type = typesByName[folded(text)]; row.request.Type == "" {
				row.request.Type = tracking.RequestType(text)
			}
		case columnReferences:
			row.request.RefNumbers = severalIn(text)
		case columnTags:
			row.request.Tags = severalIn(text)
		default:
			v, err := run.field(strings.TrimPrefix(name, fieldPrefix), text)
			if err != nil {
				return row, err
			}
			values.Shipment = append(values.Shipment, v)
		}
	}
	row.request.CustomFields = values
	if row.outcome = notTracked(row.request.Number, row.request.Type); !row.outcome.Empty() {
		return row, nil
	}
	inferred, err := req.t.InferNumber(ctx, row.request.Number)
	if said, refused := refusal(err); refused {
		row.outcome = cell{Text: said, Tone: "bad"}
		return row, nil
	}
	if err != nil {
		return row, err
	}
	row.name = inferred.Number
	if row.request.Type == "" {
		row.request.Type = inferred.Type.RequestType()
	}
	if best := inferred.Selected(); row.request.SCAC == "" && best != nil {
		row.found, row.certain = best.SCAC, inferred.Decision == tracking.AutoSelect
	}
	return row, nil
}

func severalIn(text string) []string {
	return nonEmpty(strings.FieldsFunc(text, func(r rune) bool { return r == ';' || r == '|' })...)
}

func (run *sheetRun) field(slug, text string) (tracking.InitialCustomField, error) {
	i := slices.IndexFunc(run.fields, func(d *tracking.CustomFieldDefinition) bool { return d.APISlug == slug })
	if i < 0 { // deleted since the sheet was confirmed: the engine refuses it with its reason
		v, err := json.Marshal(text)
		return tracking.InitialCustomField{APISlug: slug, Value: v}, err
	}
	entered := []string{text}
	switch d := run.fields[i]; {
	case d.DataType == tracking.EnumMultiField:
		entered = severalIn(text)
	case d.DataType == tracking.BooleanField && slices.Contains([]string{"yes", "1"}, strings.ToLower(text)):
		entered = []string{"true"}
	case d.DataType == tracking.BooleanField && slices.Contains([]string{"no", "0"}, strings.ToLower(text)):
		entered = []string{"false"}
	}
	v, err := stored(run.fields[i], entered)
	return tracking.InitialCustomField{APISlug: slug, Value: v}, err
}

// rows are the requests of some rows of the sheet.
func (run *sheetRun) rows(ctx context.Context, req *request, of []sheet.Row) ([]numberRow, error) {
	list := make([]numberRow, 0, len(of))
	for _, r := range of {
		row, err := run.request(ctx, req, r)
		if err != nil {
			return nil, err
		}
		list = append(list, row)
	}
	return list, nil
}

// sheetView is a sheet before and after it was confirmed.
type sheetView struct {
	Name    string
	Columns []sheetColumn
	Problem string
	Table   table
	// Ready and Refused count the rows before they are confirmed.
	Ready, Refused int
	Work           workView
}

// sheetColumn is a column of the sheet with what it can be.
type sheetColumn struct {
	Name, Heading, Value string
	Options              []option
	// Known: its heading was recognised.
	Known bool
}

// showSheet shows what would happen to the rows of a sheet, or what has.
func showSheet(req *request) error {
	run, err := req.sheetRun(req.r.URL.Query())
	if err != nil {
		return err
	}
	v := sheetView{Name: run.Name, Work: req.workView(run.id, "/track/sheets/"+run.id, len(run.Rows), tracking.Create)}
	var progress sheetProgress
	confirmed, err := req.kept("sheet-progress/"+run.id, &progress)
	if err != nil {
		return err
	}
	if confirmed {
		run.columns = progress.Columns
		v.Work.reached(req, len(progress.Results))
		err = v.showResults(req, run, progress)
	} else {
		req.still = true // what is confirmed is what was read
		v.showColumns(req, run)
		if v.Problem = run.fault(req.texts); v.Problem == "" {
			err = v.checkSheet(req, run)
		}
	}
	if err != nil {
		return err
	}
	return req.render(http.StatusOK, "sheet", req.texts.get("sheet.title"), v)
}

func (v *sheetView) showColumns(req *request, run sheetRun) {
	known := recognized(run.Headings, run.fields)
	for i, heading := range run.Headings {
		c := sheetColumn{Name: "column." + strconv.Itoa(i), Heading: heading, Value: run.columns[i], Options: run.choices(req.texts), Known: known[i] != columnNone}
		if c.Heading == "" {
			c.Heading = req.texts.get("sheet.column.unnamed", i+1)
		}
		for j := range c.Options {
			c.Options[j].Chosen = c.Options[j].Value == c.Value
		}
		v.Columns = append(v.Columns, c)
	}
}

// checkSheet says what would happen to each row, and writes nothing.
func (v *sheetView) checkSheet(req *request, run sheetRun) error {
	ctx := req.r.Context()
	rows, err := run.rows(ctx, req, run.Rows)
	if err != nil {
		return err
	}
	if v.Ready, err = req.judge(ctx, rows); err != nil {
		return err
	}
	v.Refused = len(rows) - v.Ready
	v.Table = fill(req, run.tableColumns(req.texts), rows[v.Work.First-1:v.Work.Last])
	return nil
}

// tableColumns are those of the rows of a sheet.
func (run *sheetRun) tableColumns(c catalog) []column[numberRow] {
	list := numberColumns(c)
	outcome := list[len(list)-1]
	list = slices.DeleteFunc(list[:len(list)-1], func(o column[numberRow]) bool {
		return o.name == "ref_numbers" && !slices.Contains(run.columns, columnReferences)
	})
	for _, name := range run.columns {
		slug, ok := strings.CutPrefix(name, fieldPrefix)
		if !ok {
			continue
		}
		label := slug
		for _, d := range run.fields {
			if d.APISlug == slug {
				label = d.DisplayName
			}
		}
		list = append(list, column[numberRow]{name: name, label: label, cell: func(r numberRow) cell {
			for _, v := range r.request.CustomFields.Shipment {
				if v.APISlug == slug {
					return text(strings.Trim(string(bytes.TrimSpace(v.Value)), `"`))
				}
			}
			return cell{}
		}})
	}
	return append(list, outcome)
}

// showResults says what has become of each row.
func (v *sheetView) showResults(req *request, run sheetRun, progress sheetProgress) error {
	ctx, first := req.r.Context(), v.Work.First-1
	rows, err := run.rows(ctx, req, run.Rows[first:v.Work.Last])
	if err != nil {
		return err
	}
	for i := range rows {
		if rows[i].outcome = (cell{Text: req.texts.get("work.waiting")}); first+i >= v.Work.Done {
			continue
		}
		result := progress.Results[first+i]
		if result.Refused != "" {
			rows[i].outcome = cell{Text: result.Refused, Tone: "bad"}
			continue
		}
		made, err := req.t.TrackingRequest(ctx, result.Request)
		if err != nil {
			return err
		}
		rows[i].outcome = cell{Text: req.texts.word("request_status", string(made.Status)), Tone: requestTones[made.Status], Note: req.texts.word("failed", string(made.FailedReason))}
		rows[i].request.SCAC = made.SCAC
	}
	v.Table = fill(req, run.tableColumns(req.texts), rows)
	return nil
}

// trackSheet begins to make the requests of a sheet, or goes on after the program has ended in
// between. Sent again, it makes none again.
func trackSheet(req *request) error {
	run, err := req.sheetRun(req.r.PostForm)
	if err != nil {
		return err
	}
	var progress sheetProgress
	err = req.work(run.id, func() error {
		found, err := req.kept("sheet-progress/"+run.id, &progress)
		if err != nil || found {
			run.columns = progress.Columns
			return err
		}
		if said := run.fault(req.texts); said != "" {
			return &pageError{http.StatusUnprocessableEntity, said}
		}
		progress.Columns = run.columns
		if progress.Repeated, err = run.repeated(req); err != nil {
			return err
		}
		return req.keep("sheet-progress/"+run.id, progress)
	}, func(ctx context.Context) error { return run.track(ctx, req, progress) })
	if err != nil {
		return err
	}
	return req.redirect(req.link("/track/sheets/" + run.id))
}

// repeated returns the positions of the rows that repeat an earlier one that can be tracked.
func (run *sheetRun) repeated(req *request) (list []int, err error) {
	ctx := req.r.Context()
	rows, err := run.rows(ctx, req, run.Rows)
	if err != nil {
		return nil, err
	}
	if _, err = req.judge(ctx, rows); err != nil {
		return nil, err
	}
	for i, r := range rows {
		if r.repeats > 0 {
			list = append(list, i)
		}
	}
	return list, nil
}

// track makes the requests of the rows that are not done yet, a hundred at a time. Each batch has
// a key of its own, so that one whose end was not recorded is not made again.
func (run *sheetRun) track(ctx context.Context, req *request, progress sheetProgress) error {
	for first := len(progress.Results); first < len(run.Rows); first += tracking.MaxBulkRequests {
		batch := run.Rows[first:min(first+tracking.MaxBulkRequests, len(run.Rows))]
		rows, err := run.rows(ctx, req, batch)
		if err != nil {
			return err
		}
		for i := range rows {
			if _, repeated := slices.BinarySearch(progress.Repeated, first+i); repeated {
				rows[i].outcome = cell{Text: req.texts.get("sheet.repeated")}
			}
		}
		results, err := run.trackBatch(ctx, req, rows, first)
		if err != nil {
			return err
		}
		progress.Results = append(progress.Results, results...)
		if err := req.keep("sheet-progress/"+run.id, progress); err != nil {
			return err
		}
	}
	return nil
}

func (run *sheetRun) trackBatch(ctx context.Context, req *request, rows []numberRow, first int) ([]sheetResult, error) {
	left, requests := open(rows)
	results := make([]sheetResult, len(rows))
	var made []tracking.BulkRequestResult
	if len(requests) > 0 {
		var err error
		once := tracking.Once{Key: "sheet/" + run.id + "/" + strconv.Itoa(first), Fingerprint: strings.Join(run.columns, ",")}
		if made, err = req.t.CreateTrackingRequests(ctx, requests, once); err != nil {
			return nil, err
		}
	}
	for i := range rows {
		results[i].Refused = rows[i].outcome.Text
		for j, r := range left {
			if r != &rows[i] {
				continue
			}
			if made[j].Err != nil {
				results[i].Refused = sentence(made[j].Err)
			} else {
				results[i].Request = made[j].Request.ID
			}
		}
	}
	return results, nil
}
