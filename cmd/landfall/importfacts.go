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
)

var importCommand = command{
	name:     "import",
	operands: "FILE...",
	about:    "take the facts, or the tracking requests, of files into an account",
	details: `
Reads documents of events as carriers send them (DCSA Track & Trace 2.2), or
reports in Landfall's own JSON shape, and prints one line with the sums over all
files. A FILE of - is standard input. The account is made when it is new. The
same file again changes nothing.

Odd data is kept, and said in a warning on standard error. A file of the wrong
shape is refused as a whole, and said there too; the others still go in, and the
exit code is 1.

What is imported is history: nothing is announced unless --announce is given.

With --format csv each row of a file is a tracking request. The first line names
the columns, in any order:

  number      of a bill of lading, a booking or a container; required
  type        bill_of_lading, booking_number or container; without one, what has a
              container's check digit is taken for a container, all else for a bill
  scac        of the shipping line; --scac without one, and else it is detected
  references  the shipment's own, separated by semicolons
  tags        likewise
  customer    the name of a party, which is made when it is new
  custom_fields.SLUG   a custom field of the shipment: as in the interface; yes or
              no for a boolean, values separated by semicolons for an enum_multi,
              the ID of the record for a reference

A row that is wrong is named on standard error, and the others go in; the exit
code is then 1. A row whose number was asked for before, whatever became of it, is
passed over, so that the same file again makes nothing. --outcomes writes what
became of each row to a CSV file; --dry-run says what would, and stores nothing.`,
	declare: func(f *flags) action {
		db, account := f.database(), f.account()
		job := importJob{}
		f.StringVar(&job.scac, "scac", "", "`SCAC` of the shipping line, for documents that do not name it")
		f.StringVar(&job.format, "format", "dcsa", "`FORMAT` of the files: dcsa, report or csv")
		f.BoolVar(&job.announce, "announce", false, "announce new milestones as if they had just been learned")
		dryRun := f.Bool("dry-run", false, "of --format csv: say what would be done, and store nothing")
		outcomes := f.String("outcomes", "", "of --format csv: CSV `FILE` to write what became of each row")
		return func(ctx context.Context, p *program, files []string) error {
			switch {
			case !slices.Contains([]string{"dcsa", "report", "csv"}, job.format):
				return badUsage("--format: %q is not dcsa, report or csv", job.format)
			case job.format != "csv" && (*dryRun || *outcomes != ""):
				return badUsage("--dry-run and --outcomes go with --format csv")
			}
			return onDatabase(p, *db, func(tr *tracking.Tracker) error {
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

// importJob is one call of import.
type importJob struct {
	*program
	tracker      *tracking.Tracker
	scac, format string
	announce     bool
}

// run imports the files one after another and prints the sums.
func (j *importJob) run(ctx context.Context, files []string) error {
	var sum tracking.Receipt
	shipments, containers := map[tracking.ID]bool{}, map[tracking.ID]bool{} // two files may be about one
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
			fmt.Fprintf(j.stderr, "landfall: %s: refused: %s\n", name, oneLine(err.Error()))
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
		return errors.New("interrupted: the files not named as refused up to here went in")
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
	if err != nil {
		return tracking.Receipt{}, err
	}
	report.Silent = report.Silent || !j.announce
	return j.tracker.Ingest(ctx, report)
}

// maxReport bounds a file of --format report; dcsa has a bound of its own.
const maxReport = 64 << 20

func (j *importJob) read(name string) (tracking.Report, error) {
	in := j.stdin
	if name != "-" {
		file, err := os.Open(name)
		if err != nil {
			return tracking.Report{}, errors.Unwrap(err) // the name is told anyway
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

// progress counts what is done, on a terminal; elsewhere it is
// silent, so that logs hold lines only.
type progress struct {
	to       io.Writer // nil when there is nothing to show
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

// clear makes room for a line.
func (b *progress) clear() {
	if b.onScreen {
		fmt.Fprint(b.to, "\r\x1b[K")
		b.onScreen = false
	}
}
