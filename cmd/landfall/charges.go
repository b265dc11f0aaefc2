package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freetime"
)

var chargesCommand = command{
	name:     "charges",
	operands: "CONTAINER",
	about:    "show what a container costs, day by day",
	details: `
Shows the demurrage, detention and storage of the container with that number, in each
shipment that it is or was part of, by the account's tariffs: each day and the reason
for it, the last free day as computed and as reported, the total, and what tomorrow
costs. docs/freetime.md has the rules.

With --as-of it shows what was known at the end of that second.`,
	declare: func(f *flags) action {
		db, account := f.database(), f.account()
		format := f.String("format", "text", "`FORMAT` of the output: text or json")
		asOf := f.String("as-of", "", "`TIME` of the past, such as 2026-03-02T09:00:00Z (default now)")
		out := f.String("out", "", "output `FILE` (default standard output)")
		return func(ctx context.Context, p *program, operands []string) error {
			if *format != "text" && *format != "json" {
				return usageErrorf("--format: %q is not text or json", *format)
			}
			when, err := pastTime(*asOf)
			if err != nil {
				return err
			}
			return onTariffs(ctx, p, *db, *account, func(tr *tracking.Tracker) error {
				list, err := chargesOf(ctx, tr, operands[0], when)
				if err != nil {
					return err
				}
				return writeOutput(p, *out, func(w io.Writer) error { return writeCharges(w, list, *format) })
			})
		}
	},
}

// chargesOf returns the charges of the containers with a number, the newest first.
func chargesOf(ctx context.Context, tr *tracking.Tracker, number string, when []time.Time) (list []*freetime.Charges, err error) {
	found, err := everyPage(func(page tracking.Page) ([]*tracking.Container, int, error) {
		return tr.Containers(ctx, tracking.ContainerQuery{Numbers: []string{number}}, page)
	})
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("the account has no container %q", number)
	}
	for _, c := range found {
		charges, err := tr.Tariffs().Charges(ctx, c.ID, when...)
		if err != nil {
			return nil, fmt.Errorf("container %s: %w", c.ID, err)
		}
		list = append(list, charges)
	}
	return list, nil
}

func writeCharges(w io.Writer, list []*freetime.Charges, format string) error {
	if format == "json" {
		return writeJSON(w, map[string][]*freetime.Charges{"charges": list})
	}
	for _, c := range list {
		if err := writeLedgers(w, c); err != nil {
			return err
		}
	}
	return nil
}

// writeLedgers writes the charges of one container for people.
func writeLedgers(w io.Writer, c *freetime.Charges) error {
	fmt.Fprintf(w, "Container %s (%s) as of %s\n", c.ContainerNumber, c.ContainerID, c.AsOf.Format(time.RFC3339))
	if len(c.Clocks) == 0 {
		fmt.Fprintln(w, "No tariff of the account fits it, and no last free day is reported.")
	}
	for _, t := range c.Totals {
		fmt.Fprintf(w, "%s %s so far, %s %s tomorrow\n", t.Amount, t.Currency, t.Tomorrow, t.Currency)
	}
	for i := range c.Clocks {
		if err := writeLedger(w, &c.Clocks[i]); err != nil {
			return err
		}
	}
	return nil
}

func writeLedger(w io.Writer, l *freetime.ClockCharges) error {
	fmt.Fprintf(w, "\n%s at %s, tariff %s\n", l.Clock, shownText(l.LocationLOCODE), cmp.Or(textOf(l.TariffName), textOf(l.TariffID), "-"))
	fmt.Fprintf(w, "last free day %s: computed %s, reported %s", shownText(l.LastFreeDay), shownText(l.ComputedLastFreeDay), shownText(l.ReportedLastFreeDay))
	if l.ReportedBy != nil {
		fmt.Fprintf(w, " by the %s", *l.ReportedBy)
	}
	if l.Disagreement != nil && *l.Disagreement != 0 {
		fmt.Fprintf(w, "; they differ by %+d days", *l.Disagreement)
	}
	fmt.Fprintln(w)
	if l.Unknown != nil {
		fmt.Fprintf(w, "the total is not known: %s\n", strings.ReplaceAll(string(*l.Unknown), "_", " "))
	} else {
		fmt.Fprintf(w, "total %s %s for %d days, tomorrow %s\n", *l.Total, *l.Currency, *l.DaysCharged, *l.Tomorrow)
	}
	if len(l.Days) == 0 {
		return nil
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "DATE\tDAY\tTIER\tAMOUNT\tRULE\tFACT")
	for _, d := range l.Days {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\n", d.Date, d.Kind, shownText(d.Tier), shownText(d.Amount), d.Rule, shownText(d.Fact))
	}
	return table.Flush()
}

// textOf returns the text of a value, and "" for null.
func textOf[V any](v *V) string {
	if v == nil {
		return ""
	}
	return fmt.Sprint(*v)
}

// shownText is textOf for tables, in which null is a dash.
func shownText[V any](v *V) string { return cmp.Or(textOf(v), "-") }
