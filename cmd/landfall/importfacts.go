package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/source/dcsa"
)

var importCommand = command{
	name:     "import",
	operands: "FILE...",
	about:    "take the facts of files into an account",
	details: `
Reads documents of events as carriers send them (DCSA Track & Trace 2.2), or
reports in Landfall's own JSON shape, and prints one line with the sums over all
files. A FILE of - is standard input. The account is made when it is new. The
same file again changes nothing.

Odd data is kept, and said in a warning on standard error. A file of the wrong
shape is refused as a whole, and said there too; the others still go in, and the
exit code is 1.

What is imported is history: nothing is announced unless --announce is given.`,
	declare: func(f *flags) action {
		db, account := f.database(), f.account()
		job := importJob{}
		f.StringVar(&job.scac, "scac", "", "`SCAC` of the shipping line, for documents that do not name it")
		f.StringVar(&job.format, "format", "dcsa", "`FORMAT` of the files: dcsa or report")
		f.BoolVar(&job.announce, "announce", false, "announce new milestones as if they had just been learned")
		return func(ctx context.Context, p *program, files []string) error {
			if job.format != "dcsa" && job.format != "report" {
				return badUsage("--format: %q is not dcsa or report", job.format)
			}
			return onDatabase(p, *db, func(tr *tracking.Tracker) error {
				a, _, err := tr.EnsureAccount(ctx, *account)
				if err != nil {
					return err
				}
				job.program, job.tracker = p, tr.For(tracking.Actor{Account: a.Scope()})
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
	bar := newProgress(j.stderr, len(files))
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

// progress counts the files that are done, on a terminal; elsewhere it is
// silent, so that logs hold lines only.
type progress struct {
	to       io.Writer // nil when there is nothing to show
	at, of   int
	onScreen bool
}

func newProgress(w io.Writer, files int) *progress {
	file, ok := w.(*os.File)
	if !ok || files < 2 {
		return &progress{}
	}
	info, err := file.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return &progress{}
	}
	return &progress{to: w, of: files}
}

func (b *progress) done() {
	if b.at++; b.to != nil {
		fmt.Fprintf(b.to, "\r%d of %d files", b.at, b.of)
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
