package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freetime/invoice"
	"github.com/landfallhq/tracking/freetime/invoice/invoicepdf"
)

// sheetWriters write a sheet in each format.
var sheetWriters = map[string]func(io.Writer, *invoice.Sheet) error{
	"pdf": invoicepdf.Write,
	"csv": func(w io.Writer, s *invoice.Sheet) error { return s.WriteCSV(w) },
	"json": func(w io.Writer, s *invoice.Sheet) error {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		e.SetEscapeHTML(false)
		return e.Encode(s)
	},
}

var sheetCommand = command{
	name:     "sheet",
	operands: "FILE",
	about:    "compare an invoice for demurrage or detention with what was computed",
	details: `
Reads the lines of an invoice as CSV or JSON: container_number, clock, from, to, rate or
amount, and currency, and what else the invoice states. The sheet has each day as charged
and as computed, the reason for each difference, the facts behind it, and the elements
that 46 CFR 541.6 asks of an invoice. docs/freetime.md has all columns and reasons. A
FILE of - is standard input.

With --as-of it compares with what was known at the end of that second.`,
	declare: func(f *flags) action {
		db, account := f.database(), f.account()
		input := f.String("input", "", "`FORMAT` of the file: csv or json (default by the end of its name, else csv)")
		format := f.String("format", "", "`FORMAT` of the sheet: pdf, csv or json (default by the end of --out, else csv)")
		asOf := f.String("as-of", "", "`TIME` of the past, such as 2026-03-02T09:00:00Z (default now)")
		out := f.String("out", "", "output `FILE` (default standard output)")
		return func(ctx context.Context, p *program, operands []string) error {
			write := sheetWriters[cmp.Or(*format, ending(*out, "pdf", "json"), "csv")]
			if write == nil {
				return usageErrorf("--format: %q is not pdf, csv or json", *format)
			}
			when, err := pastTime(*asOf)
			if err != nil {
				return err
			}
			inv, err := invoiceFrom(p, operands[0], *input)
			if err != nil {
				return err
			}
			return onTariffs(ctx, p, *db, *account, func(tr *tracking.Tracker) error {
				sheet, err := tr.Tariffs().Sheet(ctx, inv, when...)
				if err != nil {
					return err
				}
				return writeOutput(p, *out, func(w io.Writer) error { return write(w, sheet) })
			})
		}
	},
}

// pastTime reads the flag --as-of; empty is none.
func pastTime(text string) ([]time.Time, error) {
	if text == "" {
		return nil, nil
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return nil, usageErrorf("--as-of: %q is not a time such as 2026-03-02T09:00:00Z", text)
	}
	return []time.Time{at}, nil
}

// ending returns the format that a name ends in; "" for another one.
func ending(name string, formats ...string) string {
	for _, format := range formats {
		if strings.HasSuffix(strings.ToLower(name), "."+format) {
			return format
		}
	}
	return ""
}

func invoiceFrom(p *program, name, format string) (*invoice.Invoice, error) {
	in := p.stdin
	if name != "-" {
		file, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		in = file
	}
	var inv *invoice.Invoice
	var err error
	switch cmp.Or(format, ending(name, "json"), "csv") {
	case "csv":
		inv, err = invoice.ReadCSV(in)
	case "json":
		var data []byte
		if data, err = io.ReadAll(in); err == nil {
			inv, err = invoice.ReadJSON(data)
		}
	default:
		return nil, usageErrorf("--input: %q is not csv or json", format)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, rowsFromOne(err))
	}
	return inv, nil
}
