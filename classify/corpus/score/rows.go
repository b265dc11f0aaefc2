package score

import "github.com/landfallhq/tracking/classify/corpus/truth"

// Rows counts the rows of containers.
type Rows struct {
	All   int
	Whole int // every cell right
	Mixed int // right number, and in another cell the value of another row
}

// Recall is the share of rows that are whole; 1 if there are none.
func (r Rows) Recall() float64 { return part(r.Whole, r.All) }

func (r *Rows) count(d truth.Document, fields []Field) {
	_, lists := sorted(d.Fields)
	names, _ := truth.NamesOf(d)
	answers := map[int]row[Field]{}
	for _, f := range fields {
		if answers[f.Row] == nil {
			answers[f.Row] = row[Field]{}
		}
		if _, twice := answers[f.Row][f.Name]; !twice {
			answers[f.Row][f.Name] = f
		}
	}
	want := lists["containers"]
	for _, w := range want {
		r.All++
		got := numbered(names, w, answers)
		if got == nil {
			continue
		}
		whole, mixed := true, false
		for name, value := range w {
			a, ok := got[name]
			if ok && right(names[name], value, a) {
				continue
			}
			whole = false
			mixed = mixed || ok && inAnother(names, want, name, a)
		}
		if whole {
			r.Whole++
		}
		if mixed {
			r.Mixed++
		}
	}
}

// numbered returns the answered row with the number of a true row.
func numbered(names truth.Names, want row[any], answers map[int]row[Field]) row[Field] {
	for _, a := range answers {
		if n, ok := a["containers.number"]; ok && right(names["containers.number"], want["containers.number"], n) {
			return a
		}
	}
	return nil
}

func inAnother(names truth.Names, rows []row[any], name string, a Field) bool {
	for _, w := range rows {
		if value, ok := w[name]; ok && right(names[name], value, a) {
			return true
		}
	}
	return false
}
