package score

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
	"time"
)

// PrintGroups writes the result of papers as totals: no value and no layout of a paper is
// shown, so an author of rules may read it.
func PrintGroups(w io.Writer, groups []Group) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "group\tfiles\tunread\tdocuments\ttype right\topen\taccuracy\tfields\tprecision\trecall\trows\twhole\tmixed up\tpage p50\tp95\t")
	var graded []Graded
	for _, g := range groups {
		a := g.All
		fmt.Fprintf(table, "%s\t%d\t%d\t%d\t%d\t%d\t%s\t%d\t%s\t%s\t%d\t%s\t%d\t%s\t%s\t\n", g.Name, g.Files, len(g.Failures), a.Documents, a.Right, a.Unsaid, percent(a.Accuracy()),
			a.Fields.Right+a.Fields.Missed, percent(answered(a.Fields)), percent(a.Fields.Recall()), g.Rows.All, g.Rows.share(), g.Rows.Mixed, quantile(g.Times, 0.5), quantile(g.Times, 0.95))
		graded = append(graded, g.Graded...)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	for _, g := range groups {
		if s := g.Splits; s.Files > 0 {
			fmt.Fprintf(w, "\nsplits of %s: %d of %d files exact; %d of %d documents found, %d pieces\n", g.Name, s.Exact, s.Files, s.Found, s.Documents, s.Pieces)
		}
		if o := g.Dates.Open; o.Right+o.Missed > 0 {
			d := g.Dates.Decided
			fmt.Fprintf(w, "\ndates of %s: decided %d right, %d wrong, %d missed; undecided %d with both readings, %d as one, %d in all\n", g.Name, d.Right, d.Wrong, d.Missed, o.Right, o.Wrong, o.Right+o.Missed)
		}
	}
	printBins(w, Bins(graded))
	return nil
}

// share is the recall as text.
func (r Rows) share() string {
	if r.All == 0 {
		return "-"
	}
	return percent(r.Recall())
}

// answered is the precision, and 0 if there was no answer at all.
func answered(t Tally) float64 {
	if t.Right+t.Wrong == 0 {
		return 0
	}
	return t.Precision()
}

func printBins(w io.Writer, bins []Bin) {
	fmt.Fprintln(w, "\nconfidence  values   mean  right")
	for _, b := range bins {
		if b.Values > 0 {
			fmt.Fprintf(w, "from %.2f %9d %6.3f %6.3f\n", b.From, b.Values, b.Confidence, part(b.Right, b.Values))
		}
	}
	if b, ok := Worst(bins, 200); ok {
		fmt.Fprintf(w, "worst bin of 200 values or more: from %.2f, off by %.1f points\n", b.From, 100*b.Off())
	}
}

// PrintMistakes writes each wrong answer with at least this confidence, why files were not
// read, and from 0 on the values without any answer. It shows values of papers, so it is not for authors of rules.
func PrintMistakes(w io.Writer, groups []Group, from float64) {
	for _, g := range groups {
		for _, m := range g.Mistakes {
			if m.Confidence >= from {
				fmt.Fprintf(w, "%.2f %s %s: %q, true is %q\n", m.Confidence, m.Document, m.Field, m.Answer, m.Truth)
			}
		}
		for _, f := range g.Failures {
			fmt.Fprintf(w, "failed: %s\n", f)
		}
		for _, m := range g.Missing {
			if from == 0 {
				fmt.Fprintf(w, "missed: %s %s: %q\n", m.Document, m.Field, m.Truth)
			}
		}
	}
}

func quantile(times []time.Duration, q float64) string {
	if len(times) == 0 {
		return "-"
	}
	sorted := slices.Sorted(slices.Values(times))
	t := sorted[min(int(q*float64(len(sorted))), len(sorted)-1)]
	return fmt.Sprintf("%.1f ms", float64(t.Microseconds())/1000)
}
