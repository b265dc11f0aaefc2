package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/reliability"
)

var reportCardCommand = command{
	name:  "report-card",
	about: "show how well carriers' ETAs and ETDs foretold what happened",
	details: `
Shows the errors of ETAs, and with --format csv and json those of ETDs too, by line,
lane and lead time: the share within a day, the bias with its 95 % margin, and the
quantiles 10, 50 and 90 %, in days; positive is late. docs/reliability.md has the
definitions.

With --as-of it shows the card of that time: what was learned later does not enter.`,
	declare: func(f *flags) action {
		db, account := f.database(), f.account()
		lines := f.String("scac", "", "`LIST` of SCACs, such as MAEU,MSCU (default all lines)")
		from := f.String("pol", "", "`LIST` of UN/LOCODEs of ports of loading (default all)")
		to := f.String("pod", "", "`LIST` of UN/LOCODEs of ports of discharge (default all)")
		format := f.String("format", "text", "`FORMAT` of the output: text, csv or json")
		asOf := f.String("as-of", "", "`TIME` of the past, such as 2026-03-02T09:00:00Z (default now)")
		out := f.String("out", "", "output `FILE` (default standard output)")
		return func(ctx context.Context, p *program, _ []string) error {
			if *format != "text" && *format != "csv" && *format != "json" {
				return usageErrorf("--format: %q is not text, csv or json", *format)
			}
			when, err := pastTime(*asOf)
			if err != nil {
				return err
			}
			q := tracking.ReportCardQuery{SCACs: codesOf(*lines), POLs: codesOf(*from), PODs: codesOf(*to)}
			if when != nil {
				q.AsOf = when[0]
			}
			return onTariffs(ctx, p, *db, *account, func(tr *tracking.Tracker) error {
				card, err := tr.Reliability().Card(ctx, q)
				if err != nil {
					return err
				}
				return writeOutput(p, *out, func(w io.Writer) error { return writeReportCard(w, card, *format) })
			})
		}
	},
}

// codesOf reads a list of codes, separated by commas.
func codesOf(list string) (codes []string) {
	for _, code := range strings.Split(list, ",") {
		if code = strings.ToUpper(strings.TrimSpace(code)); code != "" {
			codes = append(codes, code)
		}
	}
	return codes
}

func writeReportCard(w io.Writer, card *reliability.Card, format string) error {
	switch format {
	case "csv":
		return card.WriteCSV(w)
	case "json":
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(card)
	}
	fmt.Fprintf(w, "ETAs as of %s, errors in days\n", card.AsOf.Format(time.RFC3339))
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "LINE\tLANE\tLEAD\tSAMPLES\tON TIME\tBIAS\t10 %\t50 %\t90 %")
	for _, row := range card.Rows {
		if a := row.ETA; a != nil {
			lane := "all"
			if row.POL != "" {
				lane = row.POL + "-" + row.POD
			}
			bias := fmt.Sprintf("%+.1f", a.Bias)
			if a.BiasMargin != nil {
				bias += fmt.Sprintf(" ± %.1f", *a.BiasMargin)
			}
			fmt.Fprintf(table, "%s\t%s\t%s\t%d\t%.0f %%\t%s\t%+.1f\t%+.1f\t%+.1f\n", row.Line, lane, row.Lead, a.Samples, 100*a.OnTimeShare, bias, a.P10, a.P50, a.P90)
		}
	}
	return table.Flush()
}
