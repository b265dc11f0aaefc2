package dashboard

import (
	"io"
	"strings"
	"time"
	"unicode"

	"github.com/landfallhq/tracking/freetime"
)

// chargeDay is a day of a clock, as the sheet of a container has it.
type chargeDay struct {
	clock freetime.ClockCharges
	day   freetime.ChargedOn
	// fact is that behind the day, or else the one that opened the clock.
	fact freetime.Evidence
}

// chargeDays are the days of all clocks of a container.
func chargeDays(charges *freetime.Charges) (list []chargeDay) {
	facts := evidenceByID(charges)
	for _, k := range charges.Clocks {
		for _, d := range k.Days {
			fact, ok := facts[value(d.Fact)]
			if !ok {
				fact = facts[value(k.OpenedBy)]
			}
			list = append(list, chargeDay{k, d, fact})
		}
	}
	return list
}

func evidenceByID(charges *freetime.Charges) map[string]freetime.Evidence {
	facts := map[string]freetime.Evidence{}
	for _, f := range charges.Facts {
		facts[f.ID] = f
	}
	return facts
}

// chargeColumn is a column of the sheet.
type chargeColumn struct {
	name string
	cell func(chargeDay) cell
}

func chargeColumns(c catalog) []chargeColumn {
	return []chargeColumn{
		{"clock", func(d chargeDay) cell { return text(c.word("clock", string(d.clock.Clock))) }},
		{"place", func(d chargeDay) cell { return text(value(d.clock.LocationLOCODE)) }},
		{"tariff", func(d chargeDay) cell { return text(value(d.clock.TariffName)) }},
		{"date", func(d chargeDay) cell { return c.calendarDay(d.day.Date) }},
		{"day_kind", func(d chargeDay) cell { return text(c.word("day", string(d.day.Kind))) }},
		{"tier", func(d chargeDay) cell {
			if d.day.Tier == nil {
				return cell{Numeric: true}
			}
			return number(*d.day.Tier)
		}},
		{"amount", func(d chargeDay) cell { return money(value(d.day.Amount), value(d.clock.Currency)) }},
		{"currency", func(d chargeDay) cell { return text(value(d.clock.Currency)) }},
		{"why", func(d chargeDay) cell { return text(c.word("rule", string(d.day.Rule))) }},
		{"event", func(d chargeDay) cell { return text(c.word("fact", d.fact.Event)) }},
		{"happened_at", func(d chargeDay) cell { return c.moment(value(d.fact.HappenedAt), value(d.fact.Timezone)) }},
		{"source", func(d chargeDay) cell { return text(d.fact.Source) }},
		{"recorded_at", func(d chargeDay) cell { return c.moment(d.fact.RecordedAt, "") }},
		{"received_at", func(d chargeDay) cell { return c.moment(d.fact.ReceivedAt, "") }},
	}
}

// exportCharges writes the days of a container with what each costs and the fact behind it.
func exportCharges(contentType, extension string, open func(io.Writer) (sheetWriter, error)) func(*request) error {
	return func(req *request) error {
		at, err := req.asOf()
		if err != nil {
			return err
		}
		charges, err := req.t.Tariffs().Charges(req.r.Context(), req.pathID(), at.until()...)
		if err != nil {
			return err
		}
		columns := chargeColumns(req.texts)
		var names []string
		for _, c := range columns {
			names = append(names, req.texts.get("column."+c.name))
		}
		var rows [][]cell
		for _, d := range chargeDays(charges) {
			cells := make([]cell, 0, len(columns))
			for _, c := range columns {
				cells = append(cells, c.cell(d))
			}
			rows = append(rows, cells)
		}
		name := "charges-" + fileWord(charges.ContainerNumber) + "-" + charges.AsOf.Format(time.DateOnly)
		return req.sendSheet(contentType, name+extension, open, func(w sheetWriter) error {
			if err := w.heading(names); err != nil {
				return err
			}
			for _, cells := range rows {
				if err := w.row(cells); err != nil {
					return err
				}
			}
			return w.close()
		})
	}
}

// fileWord keeps what is safe in the name of a file.
func fileWord(s string) string {
	return strings.Map(func(r rune) rune {
		if r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
			return r
		}
		return -1
	}, s)
}
