package score

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/landfallhq/tracking/classify/corpus/truth"
)

// row is one member of a list, or all plain fields, by full name.
type row[T any] map[string]T

// compare scores the answers. Fields outside the vocabulary of the document's true type are
// ignored.
func compare(d truth.Document, fields []Field) judge {
	names, _ := truth.NamesOf(d)
	j := judge{document: d.Name, names: names, byField: map[string]Tally{}}
	plain, answers := row[Field]{}, map[string]map[int]row[Field]{}
	for _, f := range fields {
		if _, ok := j.names[f.Name]; !ok {
			continue
		}
		in := plain
		if list, _, ok := strings.Cut(f.Name, "."); ok {
			if answers[list] == nil {
				answers[list] = map[int]row[Field]{}
			}
			if answers[list][f.Row] == nil {
				answers[list][f.Row] = row[Field]{}
			}
			in = answers[list][f.Row]
		}
		if _, twice := in[f.Name]; twice {
			j.wrong(f, "another value of the same field")
			continue
		}
		in[f.Name] = f
	}
	trueFields, trueLists := sorted(d.Fields)
	j.rows(trueFields, plain)
	lists := slices.Concat(slices.Collect(maps.Keys(trueLists)), slices.Collect(maps.Keys(answers)))
	slices.Sort(lists)
	for _, list := range slices.Compact(lists) {
		j.list(trueLists[list], ordered(answers[list]))
	}
	return j
}

// sorted separates plain fields from lists.
func sorted(fields truth.Fields) (row[any], map[string][]row[any]) {
	plain, lists := row[any]{}, map[string][]row[any]{}
	for name, value := range fields {
		members, ok := value.([]truth.Fields)
		if !ok {
			plain[name] = value
			continue
		}
		for _, m := range members {
			full := row[any]{}
			for member, value := range m {
				full[name+"."+member] = value
			}
			lists[name] = append(lists[name], full)
		}
	}
	return plain, lists
}

func ordered(rows map[int]row[Field]) (list []row[Field]) {
	for _, n := range slices.Sorted(maps.Keys(rows)) {
		list = append(list, rows[n])
	}
	return list
}

// judge has the counts of one document.
type judge struct {
	document string
	names    truth.Names
	byField  map[string]Tally
	mistakes []Mistake
	missing  []Mistake
	graded   []Graded
}

func (j *judge) add(name string, t Tally) {
	sum := j.byField[name]
	sum.add(t)
	j.byField[name] = sum
}

func (j *judge) wrong(f Field, truth string) {
	j.add(f.Name, Tally{Wrong: 1})
	j.graded = append(j.graded, Graded{f.Confidence, false})
	j.mistakes = append(j.mistakes, Mistake{j.document, f.Name, f.Value, truth, f.Confidence})
}

// list pairs the rows that agree best, in any order, and scores the pairs. The other rows
// are missed or wrong.
func (j *judge) list(want []row[any], got []row[Field]) {
	for len(want) > 0 || len(got) > 0 {
		t, a, best := -1, -1, 0
		for i := range want {
			for k := range got {
				if n := j.agreement(want[i], got[k]); n > best {
					t, a, best = i, k, n
				}
			}
		}
		if best == 0 {
			for _, row := range want {
				j.rows(row, nil)
			}
			for _, row := range got {
				j.rows(nil, row)
			}
			return
		}
		j.rows(want[t], got[a])
		want, got = slices.Delete(slices.Clone(want), t, t+1), slices.Delete(slices.Clone(got), a, a+1)
	}
}

func (j *judge) agreement(want row[any], got row[Field]) (n int) {
	for name, value := range want {
		if a, ok := got[name]; ok && right(j.names[name], value, a) {
			n++
		}
	}
	return n
}

func (j *judge) rows(want row[any], got row[Field]) {
	for name, value := range want {
		a, ok := got[name]
		switch {
		case !ok:
			j.add(name, Tally{Missed: 1})
			j.missing = append(j.missing, Mistake{Document: j.document, Field: name, Truth: shown(value)})
		case right(j.names[name], value, a):
			j.add(name, Tally{Right: 1})
			if _, open := value.(truth.Readings); !open {
				j.graded = append(j.graded, Graded{a.Confidence, true})
			}
		default:
			j.add(name, Tally{Missed: 1})
			j.wrong(a, shown(value))
		}
	}
	for name, a := range got {
		if _, ok := want[name]; !ok {
			j.wrong(a, "nothing")
		}
	}
}

func shown(value any) string {
	if c, ok := value.(truth.Company); ok {
		return c.Name
	}
	return fmt.Sprint(value)
}
