package invoice

import (
	"cmp"
	"encoding/csv"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/landfallhq/tracking/freetime"
)

// csvColumns are the columns of a sheet. A row is about a day, a line, a total or an element,
// which its first column says, and leaves the columns of the others empty.
var csvColumns = []string{
	"row", "line", "container_number", "clock", "from", "to", "currency", "charged", "computed_currency", "computed", "difference", "reason",
	"kind", "tier", "rule", "fact_id", "event", "source", "happened_at", "recorded_at", "received_at", "location_locode",
	"section", "element", "status", "stated",
}

// WriteCSV writes the days, each with the fact behind it, the lines, the totals and the
// elements of the sheet. The days of a line precede it. The reason of a line without one is
// why its ledger is not known, if it is not. Times are UTC. A text that a
// spreadsheet would take for a formula begins with an apostrophe.
func (s *Sheet) WriteCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	if err := out.Write(csvColumns); err != nil {
		return err
	}
	for _, row := range s.rows() {
		cells := make([]string, len(csvColumns))
		for i, name := range csvColumns {
			cells[i] = row[name]
		}
		if err := out.Write(cells); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

func (s *Sheet) rows() (rows []map[string]string) {
	facts := s.factsByID()
	for i := range s.Lines {
		l := &s.Lines[i]
		for j := range l.Days {
			row := l.row("day")
			l.Days[j].fill(row, facts)
			rows = append(rows, row)
		}
		row := l.row("line")
		row["from"], row["to"] = dateText(l.From), dateText(l.To)
		row["charged"], row["computed"], row["difference"], row["reason"] = textOf(l.Charged), textOf(l.Computed), textOf(l.Difference), cmp.Or(textOf(l.Reason), textOf(l.Unknown))
		rows = append(rows, row)
	}
	for _, t := range s.Totals {
		rows = append(rows, map[string]string{"row": "total", "currency": t.Currency, "charged": textOf(t.Charged), "computed_currency": t.Currency, "computed": t.Computed, "difference": textOf(t.Difference)})
	}
	for _, e := range s.Elements {
		rows = append(rows, map[string]string{"row": "element", "section": e.Section, "element": e.Name, "status": string(e.Status), "stated": guarded(textOf(e.Stated))})
	}
	return rows
}

func (l *LineResult) row(kind string) map[string]string {
	return map[string]string{
		"row": kind, "line": strconv.Itoa(l.Line), "container_number": guarded(l.ContainerNumber), "clock": string(l.Clock),
		"currency": textOf(l.Currency), "computed_currency": textOf(l.ComputedCurrency),
	}
}

func (d *Day) fill(row map[string]string, facts map[string]*freetime.Evidence) {
	row["from"], row["to"] = d.Date.String(), d.Date.String()
	row["charged"], row["computed"], row["difference"], row["reason"] = textOf(d.Charged), textOf(d.Computed), textOf(d.Difference), textOf(d.Reason)
	row["kind"], row["rule"] = textOf(d.Kind), textOf(d.Rule)
	if d.Tier != nil {
		row["tier"] = strconv.Itoa(*d.Tier)
	}
	for _, id := range d.Facts {
		row["fact_id"] = id
		f := facts[id]
		if f == nil {
			continue
		}
		row["event"], row["source"], row["location_locode"] = guarded(f.Event), guarded(f.Source), guarded(textOf(f.LocationLOCODE))
		row["recorded_at"], row["received_at"] = utc(&f.RecordedAt), utc(&f.ReceivedAt)
		row["happened_at"] = utc(f.HappenedAt)
	}
}

func (s *Sheet) factsByID() map[string]*freetime.Evidence {
	facts := map[string]*freetime.Evidence{}
	for i := range s.Facts {
		facts[s.Facts[i].ID] = &s.Facts[i]
	}
	return facts
}

func utc(t *time.Time) string {
	if t == nil || t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

func dateText(d *freetime.Date) string {
	if d == nil {
		return ""
	}
	return d.String()
}

func textOf[T ~string](v *T) string {
	if v == nil {
		return ""
	}
	return string(*v)
}

func guarded(text string) string {
	if text != "" && strings.ContainsRune("=+-@\t'", rune(text[0])) {
		return "'" + text
	}
	return text
}
