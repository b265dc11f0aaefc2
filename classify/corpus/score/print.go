package score

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"text/tabwriter"

	"github.com/landfallhq/tracking/classify/corpus/truth"
)

// Print writes the report for people: a row for each type, the fields that were not always
// right, and each wrong answer with a confidence of Sure or more.
func (r Report) Print(w io.Writer) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "type\tdocuments\tright\topen\taccuracy\tfields\tprecision\trecall\t")
	for _, typ := range truth.Types {
		if o, ok := r.Types[typ]; ok {
			o.print(table, typ)
		}
	}
	r.All.print(table, "all")
	fmt.Fprintln(table, "\nfield\tright\twrong\tmissed\tprecision\trecall\t")
	for _, typ := range truth.Types {
		o := r.Types[typ]
		for _, name := range slices.Sorted(maps.Keys(o.ByField)) {
			if t := o.ByField[name]; t.Wrong+t.Missed > 0 {
				fmt.Fprintf(table, "%s %s\t%d\t%d\t%d\t%s\t%s\t\n", typ, name, t.Right, t.Wrong, t.Missed, percent(t.Precision()), percent(t.Recall()))
			}
		}
	}
	if err := table.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(w, "\nwrong, with confidence of %.2f or more: %d of %d\n", Sure, len(r.Sure()), len(r.Mistakes))
	for _, m := range r.Sure() {
		name := m.Field
		if name == "" {
			name = "type"
		}
		fmt.Fprintf(w, "  %.2f %s %s: %q, true is %q\n", m.Confidence, m.Document, name, m.Answer, m.Truth)
	}
	for _, f := range r.Failures {
		fmt.Fprintf(w, "failed: %s\n", f)
	}
	return nil
}

func (o Outcome) print(w io.Writer, name string) {
	fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%s\t%d\t%s\t%s\t\n", name, o.Documents, o.Right, o.Unsaid, percent(o.Accuracy()),
		o.Fields.Right+o.Fields.Missed, percent(o.Fields.Precision()), percent(o.Fields.Recall()))
}

func percent(x float64) string { return fmt.Sprintf("%.1f %%", 100*x) }
