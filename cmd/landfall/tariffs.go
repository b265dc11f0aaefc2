package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freetime"
)

// onTariffs runs fn with a tracker for an account.
func onTariffs(ctx context.Context, p *program, db, account string, fn func(*tracking.Tracker) error) error {
	return onTariffsOf(ctx, p, db, account, nil, fn)
}

// onTariffsOf is onTariffs for a command that accepts the same shipping lines as the server.
func onTariffsOf(ctx context.Context, p *program, db, account string, lines tracking.Sources, fn func(*tracking.Tracker) error) error {
	if err := mustExist(db); err != nil {
		return err
	}
	return onDatabaseOf(p, db, lines, func(tr *tracking.Tracker) error {
		a, err := tr.Account(ctx, account)
		if errors.Is(err, tracking.ErrNotFound) {
			return fmt.Errorf("there is no account %q: landfall accounts list shows the accounts", account)
		} else if err != nil {
			return err
		}
		return fn(tr.For(tracking.Actor{Account: a.Scope()}))
	})
}

var tariffsList = command{
	name:    "tariffs list",
	about:   "list an account's tariffs of free time",
	details: "Lists what each tariff is for, its free days and its charges, in order of creation.",
	declare: func(f *flags) action {
		db, account := f.database(), f.account()
		return func(ctx context.Context, p *program, _ []string) error {
			return onTariffs(ctx, p, *db, *account, func(tr *tracking.Tracker) error {
				list, err := everyPage(func(page tracking.Page) ([]*tracking.Tariff, int, error) {
					return tr.Tariffs().List(ctx, freetime.Filter{}, tracking.TimeRange{}, []tracking.Order{{Name: "created_at"}}, page)
				})
				if err != nil {
					return err
				}
				return writeTariffs(p.stdout, list)
			})
		}
	},
}

func writeTariffs(w io.Writer, list []*tracking.Tariff) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "ID\tNAME\tCLOCK\tLINE\tPLACE\tTERMINAL\tEQUIPMENT\tFREE DAYS\tCHARGES\tVALID")
	for _, t := range list {
		equipment := t.EquipmentType
		if t.EquipmentLength != 0 {
			equipment = strings.TrimSpace(fmt.Sprintf("%d %s", t.EquipmentLength, equipment))
		}
		charges := make([]string, len(t.Tiers))
		for i, tier := range t.Tiers {
			charges[i] = tier.Amount
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%d %s\t%s %s\t%s to %s\n", t.ID, cmp.Or(t.Name, "-"), t.Clock,
			cmp.Or(t.ShippingLineSCAC, "-"), cmp.Or(t.LocationLOCODE, "-"), cmp.Or(t.TerminalCode, "-"), cmp.Or(equipment, "-"),
			t.FreeDays, t.FreeDaysKind, strings.Join(charges, " "), t.Currency, cmp.Or(t.ValidFrom.String(), "-"), cmp.Or(t.ValidTo.String(), "-"))
	}
	return table.Flush()
}

// tariffFile is the JSON of an export and of an import.
type tariffFile struct {
	Tariffs []json.RawMessage `json:"tariffs"`
}

var tariffsImport = command{
	name:     "tariffs import",
	operands: "FILE",
	about:    "import an account's tariffs from a CSV or JSON file, all or none",
	details: `
Reads what tariffs export writes: CSV, with the names of the columns in the first
line, or JSON with a list of tariffs. Columns and members with a default can be
left out; docs/freetime.md has them all. A FILE of - is standard input. Nothing is
imported if a row is refused: the message names the row, of which the first is 1,
and the column.

With --replace the account has these tariffs and no others afterwards.`,
	declare: func(f *flags) action {
		db, account := f.database(), f.account()
		format := f.String("format", "", "`FORMAT` of the file: csv or json (default by the end of its name, else csv)")
		replace := f.Bool("replace", false, "delete all other tariffs of the account")
		lines := declareLines(f)
		return func(ctx context.Context, p *program, operands []string) error {
			name := operands[0]
			if *format == "" && strings.HasSuffix(name, ".json") {
				*format = "json"
			}
			in := p.stdin
			if name != "-" {
				file, err := os.Open(name)
				if err != nil {
					return err
				}
				defer file.Close()
				in = file
			}
			list, err := readTariffs(in, cmp.Or(*format, "csv"))
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			return onTariffsOf(ctx, p, *db, *account, lines(), func(tr *tracking.Tracker) error {
				done, err := tr.Tariffs().Import(ctx, list, *replace)
				if err != nil {
					return fmt.Errorf("%s: %w", name, err)
				}
				fmt.Fprintf(p.stdout, "%d tariffs created, %d kept, %d deleted\n", done.Created, done.Kept, done.Deleted)
				return nil
			})
		}
	},
}

func readTariffs(in io.Reader, format string) ([]freetime.Terms, error) {
	switch format {
	case "csv":
		list, err := freetime.ReadCSV(in)
		return list, rowsFromOne(err)
	case "json":
		return readTariffsJSON(in)
	}
	return nil, usageErrorf("--format: %q is not csv or json", format)
}

// rowsFromOne counts the rows of an error from 1, as people do.
func rowsFromOne(err error) error {
	joined, is := err.(interface{ Unwrap() []error })
	if !is {
		return err
	}
	var errs []error
	for _, e := range joined.Unwrap() {
		if row := (*freetime.RowError)(nil); errors.As(e, &row) {
			e = fmt.Errorf("row %d, column %w", row.Row+1, row.Err)
		}
		errs = append(errs, e)
	}
	return errors.Join(errs...)
}

func readTariffsJSON(in io.Reader) ([]freetime.Terms, error) {
	var file tariffFile
	d := json.NewDecoder(in)
	d.DisallowUnknownFields()
	if err := d.Decode(&file); err != nil {
		return nil, fmt.Errorf(`it is no JSON of the form {"tariffs": [...]}: %w`, err)
	}
	list, errs := make([]freetime.Terms, len(file.Tariffs)), []error{}
	for i, text := range file.Tariffs {
		var members map[string]json.RawMessage
		err := json.Unmarshal(text, &members)
		if err == nil {
			list[i], err = freetime.TermsFromJSON(members)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("row %d, column %w", i+1, err))
		}
	}
	return list, errors.Join(errs...)
}

var tariffsExport = command{
	name:  "tariffs export",
	about: "export an account's tariffs as CSV or JSON",
	details: `
Writes to standard output or to the file of --out, in order of creation, in a form
that tariffs import reads. Lists in CSV are separated by semicolons.`,
	declare: func(f *flags) action {
		db, account := f.database(), f.account()
		format := f.String("format", "csv", "`FORMAT` of the output: csv or json")
		out := f.String("out", "", "output `FILE` (default standard output)")
		return func(ctx context.Context, p *program, _ []string) error {
			if *format != "csv" && *format != "json" {
				return usageErrorf("--format: %q is not csv or json", *format)
			}
			return onTariffs(ctx, p, *db, *account, func(tr *tracking.Tracker) error {
				list, err := tr.Tariffs().All(ctx)
				if err != nil {
					return err
				}
				return writeOutput(p, *out, func(w io.Writer) error { return exportTariffs(w, list, *format) })
			})
		}
	},
}

func exportTariffs(w io.Writer, list []freetime.Terms, format string) error {
	if format == "csv" {
		return freetime.WriteCSV(w, list)
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(map[string][]freetime.Terms{"tariffs": list})
}
