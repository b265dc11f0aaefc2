package dashboard

import (
	"cmp"
	"context"
	"encoding/csv"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/xuri/excelize/v2"

	"github.com/landfallhq/tracking"
	catalogs "github.com/landfallhq/tracking/dashboard/catalog"
)

// The media types of exports.
const (
	typeCSV  = "text/csv; charset=utf-8"
	typeXLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
)

// exportPace is how long a browser may take to accept a batch of an export. The server's own
// limit is for a whole response.
const exportPace = time.Minute

// exportBatch is how many rows of an export are read at one time.
const exportBatch = 500

// sheetWriter writes the rows of an export.
type sheetWriter interface {
	heading(names []string) error
	row(cells []cell) error
	close() error
	// discard frees what an export holds that has ended, or was given up.
	discard()
}

// exported writes all rows of a list, not only those of a page, as they are read.
func exported[R record](of func(*request) (listing[R], error), contentType, extension string, open func(io.Writer) (sheetWriter, error)) func(*request) error {
	return func(req *request) error {
		l, err := of(req)
		if err != nil {
			return err
		}
		q := &query{Values: canonical(req.r.URL.Query()), texts: req.texts, now: req.now}
		l.check(q)
		chosen := withUnits(l.columns, l.chosen(q))
		rows, total, err := l.rows(req.r.Context(), q, chosen, tracking.Page{Number: 1, Size: exportBatch})
		if err := cmp.Or(q.err(), err); err != nil {
			return err
		}
		return req.sendSheet(contentType, l.noun+"-"+req.now.Format(time.DateOnly)+extension, open, func(w sheetWriter) error {
			return writeRows(req.r.Context(), w, req, l, q, chosen, rows, total)
		})
	}
}

// sendSheet answers with a file that write writes.
func (req *request) sendSheet(contentType, name string, open func(io.Writer) (sheetWriter, error), write func(sheetWriter) error) error {
	h := req.w.Header()
	h.Set("Content-Type", contentType)
	h.Set("Content-Disposition", `attachment; filename="`+name+`"`)
	w, err := open(req.w)
	if err != nil {
		return err
	}
	defer w.discard()
	if err := write(w); err != nil {
		// The status is sent: a file that ends early must not look whole.
		req.Logger.Error("dashboard: export", "path", req.r.URL.Path, "error", err)
		panic(http.ErrAbortHandler)
	}
	return nil
}

func writeRows[R record](ctx context.Context, w sheetWriter, req *request, l listing[R], q *query, chosen []column[R], rows []R, total int) error {
	names := make([]string, 0, len(chosen))
	for _, c := range chosen {
		names = append(names, headingOf(req, c))
	}
	if err := w.heading(names); err != nil {
		return err
	}
	control := http.NewResponseController(req.w)
	_ = control.SetReadDeadline(time.Time{}) // its end would end the request; without it the server's own counts
	for page, done := 1, 0; ; page++ {
		_ = control.SetWriteDeadline(time.Now().Add(exportPace))
		for _, r := range rows {
			cells := make([]cell, 0, len(chosen))
			for _, c := range chosen {
				cells = append(cells, c.cell(r))
			}
			if err := w.row(cells); err != nil {
				return err
			}
		}
		if done += len(rows); len(rows) == 0 || done >= total {
			return w.close()
		}
		var err error
		if rows, _, err = l.rows(ctx, q, chosen, tracking.Page{Number: page + 1, Size: exportBatch}); err != nil {
			return err
		}
	}
}

// withUnits adds the columns without which the values of chosen ones have no meaning.
func withUnits[R record](columns, chosen []column[R]) (list []column[R]) {
	has := func(name string, in []column[R]) bool {
		return slices.ContainsFunc(in, func(c column[R]) bool { return c.name == name })
	}
	for i, c := range chosen {
		list = append(list, c)
		last := i+1 == len(chosen) || chosen[i+1].unit != c.unit
		if c.unit != "" && last && !has(c.unit, chosen) && !has(c.unit, list) {
			list = append(list, choose(columns, []string{c.unit})...)
		}
	}
	return list
}

// plain is the value of a cell for programs: times in RFC 3339, numbers without separators.
func (c cell) plain() string {
	switch {
	case c.Numeric:
		number, _, _ := strings.Cut(c.Text, " ")
		return strings.NewReplacer(",", "", "−", "-").Replace(number)
	case !c.At.IsZero():
		return c.DateTime()
	}
	return c.Text
}

// csvWriter writes CSV, as RFC 4180 describes it.
type csvWriter struct{ *csv.Writer }

func openCSV(w io.Writer) (sheetWriter, error) { return csvWriter{csv.NewWriter(w)}, nil }

func (w csvWriter) heading(names []string) error {
	cells := make([]cell, 0, len(names))
	for _, n := range names { // custom fields are named by users
		cells = append(cells, text(n))
	}
	return w.row(cells)
}

func (w csvWriter) row(cells []cell) error {
	values := make([]string, 0, len(cells))
	for _, c := range cells {
		values = append(values, harmless(c))
	}
	return w.Write(values)
}

func (w csvWriter) close() error {
	w.Flush()
	return w.Error()
}

func (csvWriter) discard() {}

// harmless keeps spreadsheets from taking a text for a formula.
func harmless(c cell) string {
	s := c.plain()
	if !c.Numeric && s != "" && strings.ContainsRune("=+-@\t\r", rune(s[0])) {
		return "'" + s
	}
	return s
}

// xlsxWriter writes a workbook of one sheet. Its rows are kept in a temporary file from some
// 16 MiB on.
type xlsxWriter struct {
	to    io.Writer
	file  *excelize.File
	sheet *excelize.StreamWriter
	line  int
	bold  int // styles
	days  int
	times map[string]int // by the label of the zone
}

func openXLSX(w io.Writer) (sheetWriter, error) {
	x := &xlsxWriter{to: w, file: excelize.NewFile(), times: map[string]int{}}
	var err error
	if x.sheet, err = x.file.NewStreamWriter("Sheet1"); err != nil {
		x.discard()
		return nil, err
	}
	day := "yyyy-mm-dd"
	for style, to := range map[*excelize.Style]*int{
		{Font: &excelize.Font{Bold: true}}: &x.bold, {CustomNumFmt: &day}: &x.days,
	} {
		if *to, err = x.file.NewStyle(style); err != nil {
			x.discard()
			return nil, err
		}
	}
	return x, nil
}

func (x *xlsxWriter) heading(names []string) error {
	if err := x.sheet.SetColWidth(1, len(names), 20); err != nil {
		return err
	}
	values := make([]any, 0, len(names))
	for _, n := range names {
		values = append(values, excelize.Cell{StyleID: x.bold, Value: n})
	}
	return x.write(values)
}

func (x *xlsxWriter) row(cells []cell) error {
	values := make([]any, 0, len(cells))
	for _, c := range cells {
		values = append(values, x.value(c))
	}
	return x.write(values)
}

// value is a cell of a workbook. Times are on the clock of their place: workbooks
// know no zone, so the format of the cell shows it.
func (x *xlsxWriter) value(c cell) any {
	wall := time.Date(c.At.Year(), c.At.Month(), c.At.Day(), c.At.Hour(), c.At.Minute(), c.At.Second(), 0, time.UTC)
	switch {
	case c.Empty():
		return nil
	case c.Numeric:
		if n, err := strconv.ParseFloat(c.plain(), 64); err == nil {
			return n
		}
	case c.Day:
		return excelize.Cell{StyleID: x.days, Value: wall}
	case !c.At.IsZero():
		style, err := x.timeStyle(catalogs.ZoneLabel(c.At))
		if err != nil {
			return c.DateTime()
		}
		return excelize.Cell{StyleID: style, Value: wall}
	}
	return c.Text
}

// timeStyle is the style of times in a zone.
func (x *xlsxWriter) timeStyle(zone string) (style int, err error) {
	style, ok := x.times[zone]
	if !ok {
		format := `yyyy-mm-dd hh:mm "` + zone + `"`
		if style, err = x.file.NewStyle(&excelize.Style{CustomNumFmt: &format}); err == nil {
			x.times[zone] = style
		}
	}
	return style, err
}

func (x *xlsxWriter) write(values []any) error {
	x.line++
	return x.sheet.SetRow("A"+strconv.Itoa(x.line), values)
}

func (x *xlsxWriter) close() error {
	if err := x.sheet.Flush(); err != nil {
		return err
	}
	return x.file.Write(x.to)
}

// discard removes the temporary file.
func (x *xlsxWriter) discard() { _ = x.file.Close() }
