package reliability

import (
	"encoding/csv"
	"io"
	"strconv"
	"strings"
	"time"
)

// WriteCSV writes the rows of the card under a line of names. Names are those of the JSON
// form, joined by an underscore: eta_bias_days. Numbers have up to four decimals. A cell is
// empty where the JSON form has null. A code that a spreadsheet would take for a formula
// begins with an apostrophe.
func (c *Card) WriteCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	names := []string{"as_of", "scac", "pol_locode", "pod_locode", "lead", "voyages"}
	for _, of := range []string{"eta_", "etd_"} {
		for _, name := range accuracyNames {
			names = append(names, of+name)
		}
	}
	for _, of := range []string{"eta_changes_", "etd_changes_", "hub_days_"} {
		for _, name := range summaryNames {
			names = append(names, of+name)
		}
	}
	if err := out.Write(names); err != nil {
		return err
	}
	asOf := c.AsOf.UTC().Format(time.RFC3339)
	for i := range c.Rows {
		if err := out.Write(c.Rows[i].cells(asOf)); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

var (
	accuracyNames = []string{"samples", "on_time_share", "on_time_low", "on_time_high", "bias_days", "bias_margin_days", "mean_absolute_error_days", "p10_days", "p50_days", "p90_days"}
	summaryNames  = []string{"samples", "mean", "p10", "p50", "p90"}
)

func (r *Row) cells(asOf string) []string {
	cells := []string{asOf, guarded(r.Line), guarded(r.POL), guarded(r.POD), string(r.Lead), strconv.Itoa(r.Voyages)}
	cells = append(cells, r.ETA.cells()...)
	cells = append(cells, r.ETD.cells()...)
	for _, s := range []*Summary{r.ETAChanges, r.ETDChanges, r.HubDays} {
		cells = append(cells, s.cells()...)
	}
	return cells
}

func (a *Accuracy) cells() []string {
	if a == nil {
		return make([]string, len(accuracyNames))
	}
	margin := ""
	if a.BiasMargin != nil {
		margin = decimal(*a.BiasMargin)
	}
	return []string{
		strconv.Itoa(a.Samples), decimal(a.OnTimeShare), decimal(a.OnTimeLow), decimal(a.OnTimeHigh), decimal(a.Bias), margin,
		decimal(a.MeanAbsoluteError), decimal(a.P10), decimal(a.P50), decimal(a.P90),
	}
}

func (s *Summary) cells() []string {
	if s == nil {
		return make([]string, len(summaryNames))
	}
	return []string{strconv.Itoa(s.Samples), decimal(s.Mean), decimal(s.P10), decimal(s.P50), decimal(s.P90)}
}

// decimal returns a number with up to four decimals, without an exponent.
func decimal(f float64) string {
	s := strings.TrimRight(strings.TrimRight(strconv.FormatFloat(f, 'f', 4, 64), "0"), ".")
	if s == "-0" {
		return "0"
	}
	return s
}

// guarded returns a text that no spreadsheet takes for a formula.
func guarded(s string) string {
	if s != "" && strings.ContainsRune("=+-@\t\r", rune(s[0])) {
		return "'" + s
	}
	return s
}
