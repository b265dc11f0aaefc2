// Package invoicepdf writes a sheet of package invoice as a PDF, to be sent with a dispute.
package invoicepdf

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"codeberg.org/go-pdf/fpdf"

	"github.com/landfallhq/tracking/freetime"
	"github.com/landfallhq/tracking/freetime/invoice"
)

// Write writes the sheet: the totals, each line with its days, the facts behind them, and
// the elements of 46 CFR 541.6. A sheet of a container has no columns for what is charged,
// and no elements. The page is A4, landscape. Dates are those of the places,
// and times UTC. The same sheet gives the same bytes.
//
// Characters other than those of Western European languages are written as code points,
// such as \u4e0a: the CSV and the JSON of the sheet have them.
func Write(w io.Writer, s *invoice.Sheet) error {
	d := &document{Fpdf: fpdf.New("L", "mm", "A4", ""), facts: map[string]string{}}
	d.SetCreationDate(s.AsOf)
	d.SetModificationDate(s.AsOf)
	d.SetCatalogSort(true)
	d.SetMargins(margin, margin, margin)
	d.SetAutoPageBreak(true, 14)
	d.SetLineWidth(0.1)
	d.AliasNbPages("")
	d.SetTitle(strings.TrimSpace(title(s)+" "+subject(s)), true)
	d.SetCreator("Landfall", false)
	d.SetFooterFunc(func() {
		d.SetY(-10)
		d.SetFont(font, "", 7)
		d.CellFormat(0, 4, encoded(fmt.Sprintf("%s, as known at %s", subject(s), clockTime(s.AsOf))), "", 0, "L", false, 0, "")
		d.SetX(margin)
		d.CellFormat(0, 4, fmt.Sprintf("Page %d of {nb}", d.PageNo()), "", 0, "R", false, 0, "")
	})
	for i := range s.Facts {
		d.facts[s.Facts[i].ID] = "F" + strconv.Itoa(i+1)
	}
	d.AddPage()
	d.head(s)
	for i := range s.Lines {
		d.line(&s.Lines[i], s.Invoice != nil)
	}
	d.evidence(s.Facts)
	if s.Invoice != nil {
		d.elements(s.Elements)
	}
	return d.Output(w)
}

const (
	font   = "Helvetica"
	margin = 12.0
	height = 5.0 // of a row, in mm
)

type document struct {
	*fpdf.Fpdf
	facts map[string]string // labels by ID
}

// column of a table; its width is in mm.
type column struct {
	name  string
	width float64
	align string
}

func title(s *invoice.Sheet) string {
	if s.Invoice == nil {
		return "Computed charges"
	}
	return "Charged against computed"
}

// subject is what the sheet is about.
func subject(s *invoice.Sheet) string {
	switch {
	case s.Invoice != nil:
		return "Invoice " + or(s.Invoice.Number)
	case len(s.Lines) > 0:
		return "Container " + s.Lines[0].ContainerNumber
	}
	return "No ledger: no tariff fits the container"
}

func (d *document) computedHead(s *invoice.Sheet) {
	d.paragraph(subject(s) + ".")
	d.asOf(s)
	rows := [][]string{}
	for _, t := range s.Totals {
		rows = append(rows, []string{t.Currency, t.Computed})
	}
	d.table([]column{{"Currency", 25, "L"}, {"Computed", 35, "R"}}, rows)
}

func (d *document) head(s *invoice.Sheet) {
	d.SetFont(font, "B", 15)
	d.CellFormat(0, 8, title(s), "", 1, "L", false, 0, "")
	inv := s.Invoice
	if inv == nil {
		d.computedHead(s)
		return
	}
	d.paragraph(fmt.Sprintf("Invoice %s of %s, billed by %s to %s. Bills of lading: %s. Port of discharge: %s.",
		or(inv.Number), or(inv.InvoiceDate.String()), or(inv.BilledBy), or(inv.BilledTo), or(inv.BillsOfLading), or(inv.PortOfDischarge)))
	d.asOf(s)
	d.paragraph("A difference is what was charged less what was computed.")
	rows := [][]string{}
	for _, t := range s.Totals {
		rows = append(rows, []string{t.Currency, deref(t.Charged), t.Computed, deref(t.Difference), deref(t.NotCompared)})
	}
	d.table([]column{{"Currency", 25, "L"}, {"Charged", 35, "R"}, {"Computed", 35, "R"}, {"Difference", 35, "R"}, {"Not compared", 35, "R"}}, rows)
	if fault := s.TotalFault(); fault != "" {
		d.paragraph("Note: " + fault + ".")
	}
}

func (d *document) asOf(s *invoice.Sheet) {
	d.paragraph(fmt.Sprintf("Computed from the tariffs and the facts that were known at %s. Days are calendar days at the place.", clockTime(s.AsOf)))
}

func (d *document) line(l *invoice.LineResult, invoiced bool) {
	d.heading(fmt.Sprintf("Line %d: container %s, %s, %s to %s", l.Line, l.ContainerNumber, words(l.Clock), day(l.From), day(l.To)))
	computed := strings.TrimSpace(or(deref(l.Computed)) + " " + deref(l.ComputedCurrency))
	if invoiced {
		d.paragraph(fmt.Sprintf("Charged %s %s, computed %s, difference %s. First reason: %s.",
			deref(l.Charged), deref(l.Currency), computed, or(deref(l.Difference)), or(sentence(l.Reason))))
	} else {
		d.paragraph("Computed " + computed + ".")
	}
	if l.NotInDaysReason != nil {
		d.paragraph(fmt.Sprintf("Not in the days: %s. Reason: %s.", or(deref(l.NotInDays)), sentence(l.NotInDaysReason)))
	}
	if l.Unknown != nil {
		d.paragraph("What it costs is not known: " + words(*l.Unknown) + ".")
	}
	d.paragraph(fmt.Sprintf("Place %s (%s), tariff %s. Opened by %s, ended by %s. Last free day %s: computed %s, reported %s%s.",
		or(deref(l.LocationLOCODE)), or(deref(l.Timezone)), or(cmp.Or(deref(l.TariffName), deref(l.TariffID))), d.fact(l.OpenedBy), d.fact(l.EndedBy),
		day(l.LastFreeDay), day(l.ComputedLastFreeDay), day(l.ReportedLastFreeDay), d.reporter(l)))
	rows := make([][]string, len(l.Days))
	for i := range l.Days {
		rows[i] = d.cells(&l.Days[i])
	}
	columns := dayColumns
	if !invoiced {
		columns, rows = withoutCharges(columns, rows)
	}
	d.table(columns, rows)
}

// dayColumns are the columns of a table of days.
var dayColumns = []column{{"Date", 22, "L"}, {"Day", 11, "L"}, {"Charged", 27, "R"}, {"Computed day", 28, "L"}, {"Tier", 10, "R"}, {"Computed", 27, "R"}, {"Difference", 27, "R"}, {"Rule", 38, "L"}, {"Facts", 15, "L"}, {"Reason for the difference", 68, "L"}}

func (d *document) cells(row *invoice.Day) []string {
	tier, facts := "", make([]string, len(row.Facts))
	if row.Tier != nil {
		tier = strconv.Itoa(*row.Tier)
	}
	for j := range row.Facts {
		facts[j] = d.fact(&row.Facts[j])
	}
	return []string{row.Date.String(), row.Date.Weekday().String()[:3], deref(row.Charged), words(deref(row.Kind)), tier, deref(row.Computed), deref(row.Difference), words(deref(row.Rule)), strings.Join(facts, ", "), sentence(row.Reason)}
}

// chargeColumns are those of dayColumns about what an invoice charges.
var chargeColumns = []int{2, 6, 9}

func withoutCharges(columns []column, rows [][]string) (fewer []column, cells [][]string) {
	cells = make([][]string, len(rows))
	for i, c := range columns {
		if slices.Contains(chargeColumns, i) {
			continue
		}
		fewer = append(fewer, c)
		for r := range rows {
			cells[r] = append(cells[r], rows[r][i])
		}
	}
	return fewer, cells
}

func (d *document) reporter(l *invoice.LineResult) string {
	if l.ReportedBy == nil {
		return ""
	}
	return fmt.Sprintf(" by the %s in %s", *l.ReportedBy, d.fact(l.ReportedIn))
}

func (d *document) evidence(facts []freetime.Evidence) {
	d.heading("Facts")
	d.paragraph("What was reported, by whom, when it happened, when the source recorded it, and when it was received.")
	rows := make([][]string, len(facts))
	for i := range facts {
		f := &facts[i]
		happened := ""
		if f.HappenedAt != nil {
			happened = clockTime(*f.HappenedAt)
		}
		rows[i] = []string{d.fact(&f.ID), words(f.Event), f.Source, words(f.DataSource), cmp.Or(deref(f.LocationLOCODE), deref(f.LocationName)), happened, clockTime(f.RecordedAt), clockTime(f.ReceivedAt), f.ID}
	}
	d.table([]column{{"Fact", 10, "L"}, {"Event", 30, "L"}, {"Source", 28, "L"}, {"Kind of source", 28, "L"}, {"Place", 19, "L"}, {"Happened", 34, "L"}, {"Recorded", 34, "L"}, {"Received", 34, "L"}, {"ID", 56, "L"}}, rows)
}

func (d *document) elements(list []invoice.Element) {
	d.heading("What 46 CFR 541.6 asks of the invoice")
	rows := make([][]string, len(list))
	for i, e := range list {
		stated := deref(e.Stated)
		if len(e.Lines) > 0 {
			stated = "missing in line " + strings.Trim(strings.ReplaceAll(fmt.Sprint(e.Lines), " ", ", "), "[]")
		}
		rows[i] = []string{e.Section, e.Title, words(e.Status), stated}
	}
	d.table([]column{{"Section", 25, "L"}, {"Element", 110, "L"}, {"Status", 28, "L"}, {"Stated", 110, "L"}}, rows)
}

func (d *document) heading(text string) {
	d.keep(4 * height)
	d.Ln(4)
	d.SetFont(font, "B", 11)
	d.MultiCell(0, 6, encoded(text), "", "L", false)
}

func (d *document) paragraph(text string) {
	d.SetFont(font, "", 9)
	d.MultiCell(0, 4.5, encoded(text), "", "L", false)
}

// keep begins a new page unless so much height is left, in mm.
func (d *document) keep(height float64) {
	_, page := d.GetPageSize()
	if d.GetY()+height > page-14 {
		d.AddPage()
	}
}

// table writes rows below a row of names, which each page repeats. Texts that are wider
// than their column are broken.
func (d *document) table(columns []column, rows [][]string) {
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = c.name
	}
	d.Ln(1)
	d.keep(2 * height)
	d.row(columns, names, true)
	for _, row := range rows {
		page := d.PageNo()
		d.keepRow(columns, row)
		if page != d.PageNo() {
			d.row(columns, names, true)
		}
		d.row(columns, row, false)
	}
}

// keepRow begins a new page where the row does not fit.
func (d *document) keepRow(columns []column, cells []string) {
	d.SetFont(font, "", 8)
	_, tall := d.broken(columns, cells)
	d.keep(float64(tall) * height)
}

// broken returns the cells as lines that fit their columns, and the most lines of a cell.
func (d *document) broken(columns []column, cells []string) (lines [][]string, tall int) {
	tall = 1
	for i, cell := range cells {
		var list []string
		for _, line := range d.SplitLines([]byte(encoded(cell)), columns[i].width) {
			list = append(list, string(line))
		}
		lines, tall = append(lines, list), max(tall, len(list))
	}
	return lines, tall
}

func (d *document) row(columns []column, cells []string, isHead bool) {
	style := ""
	if isHead {
		style = "B"
		d.SetFillColor(225, 230, 235)
	}
	d.SetFont(font, style, 8)
	lines, tall := d.broken(columns, cells)
	for n := range tall {
		border := ""
		if n == tall-1 {
			border = "B"
		}
		for i, c := range columns {
			text := ""
			if n < len(lines[i]) {
				text = lines[i][n]
			}
			d.CellFormat(c.width, height, text, border, 0, c.align, isHead, 0, "")
		}
		d.Ln(height)
	}
}

// fact is the label of a fact; a dash for none.
func (d *document) fact(id *string) string {
	if id == nil {
		return "-"
	}
	return cmp.Or(d.facts[*id], *id)
}

// toCP1252 writes a character in the encoding of the core fonts, and a dot where it has none.
var toCP1252 = fpdf.New("", "", "", "").UnicodeTranslatorFromDescriptor("")

func encoded(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch c := toCP1252(string(r)); {
		case r >= ' ' && r < 0x7f:
			b.WriteRune(r)
		case r < 0xa0 || c == "." || r == 0xfffd:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteString(c)
		}
	}
	return b.String()
}

func clockTime(t time.Time) string { return t.UTC().Format("2006-01-02 15:04 UTC") }

// words is the text of a code.
func words[T ~string](code T) string { return strings.ReplaceAll(string(code), "_", " ") }

func sentence(r *invoice.Reason) string {
	if r == nil {
		return ""
	}
	return r.Sentence()
}

func day(d *freetime.Date) string {
	if d == nil {
		return "-"
	}
	return or(d.String())
}

// or is the text, or that nothing is stated.
func or(text string) string { return cmp.Or(text, "-") }

func deref[T ~string](v *T) string {
	if v == nil {
		return ""
	}
	return string(*v)
}
