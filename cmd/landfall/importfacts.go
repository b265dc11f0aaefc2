package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/source/dcsa"
	"github.com/landfallhq/tracking/source/sandbox"
)

var importCommand = command{
	name:     "import",
	operands: "FILE...",
	about:    "import facts or tracking requests from files into an account",
	details: `
Reads events as carriers send them (DCSA Track & Trace 2.2), or reports in
Landfall's own JSON format, and prints one line with the totals of all files.
A FILE of - is standard input. The account is created if it does not exist.
Importing a file again changes nothing.

Unusual data is imported, with a warning on standard error. A file of the wrong
format is refused as a whole; the others are imported, and the exit code is 1.

Imported facts are history: no webhooks are sent without --announce.

With --format csv each row of a file is a tracking request. The first line names
the columns, in any order:

  number      number of a bill of lading, booking or container; required
  type        bill_of_lading, booking_number or container; by default container for
              a number with a valid check digit, otherwise bill_of_lading
  scac        SCAC of the shipping line; by default --scac, otherwise detected. TEST
              with --sandbox only, as for the server
  references  reference numbers of the shipment, separated by semicolons
  tags        tags of the shipment, separated by semicolons
  customer    name of a party, which is created if it does not exist
  custom_fields.SLUG
              value of a custom field of the shipment, as in the API; yes or no for
              a boolean, values separated by semicolons for an enum_multi, the ID of
              the record for a reference

Invalid rows are reported on standard error with the reason, the others are
imported, and the exit code is 1. Invalid are also cells that spreadsheets have in
place of a number: N/A, TBA, rounded numbers such as 4.5E+11, dates, totals, and
container numbers with a wrong check digit. A row whose number already has a tracking request of any status is
skipped, so importing a file again creates nothing. --outcomes writes the result
of each row to a CSV file; --dry-run reports the results without storing anything.`,
	declare: func(f *flags) action {
		db, account := f.database(), f.account()
		job := importJob{}
		f.StringVar(&job.scac, "scac", "", "`SCAC` of the shipping line, for files that do not name one")
		f.StringVar(&job.format, "format", "dcsa", "`FORMAT` of the files: dcsa, report or csv")
		f.BoolVar(&job.announce, "announce", false, "send webhooks for new milestones")
		dryRun := f.Bool("dry-run", false, "with --format csv: report the results without storing anything")
		outcomes := f.String("outcomes", "", "with --format csv: CSV `FILE` for the result of each row")
		lines := declareLines(f)
		return func(ctx context.Context, p *program, files []string) error {
			switch {
			case !slices.Contains([]string{"dcsa", "report", "csv"}, job.format):
				return usageErrorf("--format: %q is not dcsa, report or csv", job.format)
			case job.format != "csv" && (*dryRun || *outcomes != ""):
				return usageErrorf("--dry-run and --outcomes need --format csv")
			}
			job.lines = lines()
			return onDatabaseOf(p, *db, job.lines, func(tr *tracking.Tracker) error {
				a, _, err := tr.EnsureAccount(ctx, *account)
				if err != nil {
					return err
				}
				job.program, job.tracker = p, tr.For(tracking.Actor{Account: a.Scope(), Via: tracking.SetByImport})
				if job.format == "csv" {
					return job.rows(ctx, files, *dryRun, *outcomes)
				}
				return job.run(ctx, files)
			})
		}
	},
}

// importJob is one run of import.
type importJob struct {
	*program
	tracker      *tracking.Tracker
	scac, format string
	announce     bool
	lines        tracking.Sources // the lines that the server asks, as far as this command knows
}

// run imports the files one by one and prints the totals.
func (j *importJob) run(ctx context.Context, files []string) error {
	var sum tracking.Receipt
	shipments, containers := map[tracking.ID]bool{}, map[tracking.ID]bool{} // files may share them
	refused := 0
	bar := newProgress(j.stderr, len(files), "files")
	for _, name := range files {
		receipt, err := j.file(ctx, name)
		bar.clear()
		for _, w := range receipt.Warnings {
			fmt.Fprintf(j.stderr, "landfall: %s: warning: %s\n", name, warningText(w))
		}
		if err != nil {
			refused++
			fmt.Fprintf(j.stderr, "landfall: %s: refused: %s\n", name, explained(err))
		}
		if ctx.Err() != nil {
			break
		}
		sum.Facts += receipt.Facts
		sum.New += receipt.New
		add(shipments, receipt.ShipmentIDs)
		add(containers, receipt.ContainerIDs)
		sum.Events += receipt.Events
		sum.Warnings = append(sum.Warnings, receipt.Warnings...)
		bar.done()
	}
	bar.clear()
	fmt.Fprintf(j.stdout, "%d facts, %d new, %d shipments, %d containers, %d events, %d warnings\n",
		sum.Facts, sum.New, len(shipments), len(containers), sum.Events, len(sum.Warnings))
	switch {
	case ctx.Err() != nil:
		return errors.New("interrupted: all files before that were not reported as refused have been imported")
	case refused > 0:
		return fmt.Errorf("%d of %d files refused", refused, len(files))
	}
	return nil
}

func add(set map[tracking.ID]bool, ids []tracking.ID) {
	for _, id := range ids {
		set[id] = true
	}
}

// file imports one file.
func (j *importJob) file(ctx context.Context, name string) (tracking.Receipt, error) {
	report, err := j.read(name)
	if err != nil && strings.HasSuffix(strings.ToLower(name), ".csv") {
		err = errors.New("it is not JSON; for a file of tracking requests add --format csv")
	}
	if err != nil {
		return tracking.Receipt{}, err
	}
	report.Silent = report.Silent || !j.announce
	return j.tracker.Ingest(ctx, report)
}

// maxReport bounds a file of --format report; package dcsa has its own bound.
const maxReport = 64 << 20

func (j *importJob) read(name string) (tracking.Report, error) {
	in := j.stdin
	if name != "-" {
		file, err := os.Open(name)
		if err != nil {
			return tracking.Report{}, errors.Unwrap(err) // the caller reports the name
		}
		defer file.Close()
		in = file
	}
	if j.format == "dcsa" {
		return dcsa.Read(in, dcsa.Options{SCAC: j.scac})
	}
	data, err := io.ReadAll(io.LimitReader(in, maxReport+1))
	if err != nil {
		return tracking.Report{}, err
	}
	if len(data) > maxReport {
		return tracking.Report{}, fmt.Errorf("a report has at most %d MiB", maxReport>>20)
	}
	report, err := tracking.ParseReport(data)
	if err == nil && report.SCAC == "" {
		report.SCAC = j.scac
	}
	return report, err
}

func warningText(w tracking.Warning) string {
	parts := []string{w.Code}
	if w.Field != "" {
		parts = append(parts, w.Field)
	}
	if w.Detail != "" {
		parts = append(parts, w.Detail)
	}
	return strings.Join(parts, ": ")
}

// progress shows a counter on a terminal. Elsewhere it is silent, so that logs
// contain only lines.
type progress struct {
	to       io.Writer // nil if nothing is shown
	what     string
	at, of   int
	onScreen bool
}

func newProgress(w io.Writer, n int, what string) *progress {
	file, ok := w.(*os.File)
	if !ok || n < 2 {
		return &progress{}
	}
	info, err := file.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return &progress{}
	}
	return &progress{to: w, of: n, what: what}
}

func (b *progress) done() {
	if b.at++; b.to != nil {
		fmt.Fprintf(b.to, "\r%d of %d %s", b.at, b.of, b.what)
		b.onScreen = true
	}
}

// clear erases the counter before other output.
func (b *progress) clear() {
	if b.onScreen {
		fmt.Fprint(b.to, "\r\x1b[K")
		b.onScreen = false
	}
}

// declareLines declares --sandbox and takes the carriers of the configuration file. The
// function returns the lines that a server with these settings asks. Nobody is asked by
// the import.
func declareLines(f *flags) func() tracking.Sources {
	var configured carriers
	f.carriers = &configured
	sandboxed := f.Bool("sandbox", false, "accept the shipping line TEST, as serve --sandbox and --demo do")
	return func() tracking.Sources {
		lines := tracking.Sources{}
		for scac := range configured {
			lines[scac] = unasked{}
		}
		if *sandboxed {
			lines[sandbox.SCAC] = unasked{}
		}
		return lines
	}
}

// unasked is the source of a line that only the server asks.
type unasked struct{}

func (unasked) Track(context.Context, tracking.SourceQuery) (tracking.Answer, error) {
	return tracking.Answer{}, errors.New("only the server asks shipping lines")
}
