package dashboard

import (
	"bufio"
	"cmp"
	"context"
	"encoding/csv"
	"io"
	"net/http"
	"os"
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

// exportPace is how long a browser may take to accept a part of an export. The server's own
// limit is for a whole response.
const exportPace = time.Minute

// exportPart is how many bytes of an export are sent at one time.
const exportPart = 1 << 20

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

// exported sends all rows of a list, not only those of a page, as of one moment.
func exported[R record](of func(*request) (listing[R], error), contentType, extension string, open func(io.Writer) (sheetWriter, error)) func(*request) error {
	return func(req *request) error {
		l, err := of(req)
		if err != nil {
			return err
		}
		return req.sendSheet(contentType, l.noun+"-"+req.now.Format(time.DateOnly)+extension, open, func(w sheetWriter) error {
			return req.t.Snapshot(req.r.Context(), func(ctx context.Context) error { return writeRows(ctx, w, req, l) })
		})
	}
}

// writeRows writes the rows that the request asks for.
func writeRows[R record](ctx context.Context, w sheetWriter, req *request, l listing[R]) error {
	q := &query{Values: canonical(req.r.URL.Query()), texts: req.texts, now: req.now}
	l.check(q)
	chosen := withUnits(l.columns, l.chosen(q))
	for page, done := 1, 0; ; page++ {
		rows, total, err := l.rows(ctx, q, chosen, tracking.Page{Number: page, Size: exportBatch})
		if err := cmp.Or(q.err(), err); err != nil {
			return err
		}
		if page == 1 {
			if err := w.heading(headingsOf(req, chosen)); err != nil {
				return err
			}
		}
		for _, r := range rows {
			if err := w.row(cellsOf(r, chosen)); err != nil {
				return err
			}
		}
		if done += len(rows); len(rows) == 0 || done >= total {
			return w.close()
		}
	}
}

func headingsOf[R record](req *request, chosen []column[R]) (names []string) {
	for _, c := range chosen {
		names = append(names, headingOf(req, c))
	}
	return names
}

func cellsOf[R record](r R, chosen []column[R]) []cell {
	cells := make([]cell, 0, len(chosen))
	for _, c := range chosen {
		cells = append(cells, c.cell(r))
	}
	return cells
}

// sendSheet answers with a file that write writes. The file is whole before it is sent, so that
// the snapshot of its rows waits for no browser, and an error is answered as any other.
func (req *request) sendSheet(contentType, name string, open func(io.Writer) (sheetWriter, error), write func(sheetWriter) error) error {
	file, err := os.CreateTemp("", "landfall-export-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(file.Name()) }()
	defer func() { _ = file.Close() }()
	buffered := bufio.NewWriter(file)
	w, err := open(buffered)
	if err != nil {
		return err
	}
	defer w.discard()
	control := http.NewResponseController(req.w)
	// The server's limits are for requests that are answered at once; their end would end this one.
	_ = control.SetReadDeadline(time.Time{})
	_ = control.SetWriteDeadline(time.Time{})
	if err := cmp.Or(write(w), buffered.Flush()); err != nil {
		_ = control.SetWriteDeadline(time.Now().Add(exportPace)) // of the page that says so
		return err
	}
	size, err := file.Seek(0, io.SeekCurrent)
	if err == nil {
		_, err = file.Seek(0, io.SeekStart)
	}
	if err != nil {
		return err
	}
	h := req.w.Header()
	h.Set("Content-Type", contentType)
	h.Set("Content-Disposition", `attachment; filename="`+name+`"`)
	h.Set("Content-Length", strconv.FormatInt(size, 10))
	for sent := int64(0); sent < size; sent += exportPart {
		_ = control.SetWriteDeadline(time.Now().Add(exportPace))
		if _, err := io.CopyN(req.w, file, min(exportPart, size-sent)); err != nil {
			req.Logger.Error("dashboard: export", "path", req.r.URL.Path, "error", err)
			panic(http.ErrAbortHandler) // a file that ends early must not look whole
		}
	}
	return nil
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
