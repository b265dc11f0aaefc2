// Package score measures how well a classifier reads the documents of the corpus: how often
// the type is right, and for each type the precision (right answers of all answers) and
// recall (right answers of all true values) of the fields. A classifier is a function; Of
// returns that of a tracking.Classifier.
package score

import (
	"cmp"
	"slices"
	"strings"

	"github.com/landfallhq/tracking/classify/corpus/truth"
)

// Sure is the confidence from which answers are not reviewed by people. Wrong answers with it
// are listed one by one.
const Sure = 0.85

// Classifier reads one PDF.
type Classifier func(pdf []byte) (Answer, error)

// Answer is the answer of a classifier for a document.
type Answer struct {
	Type       string  `json:"type"` // empty where it does not know
	Confidence float64 `json:"confidence"`
	Fields     []Field `json:"fields"`
}

// Field is one value that was read. Names and normal forms are those of package truth;
// members of lists are named like "containers.seal".
type Field struct {
	Name       string  `json:"name"`
	Value      string  `json:"value"` // in the normal form
	Row        int     `json:"row"`   // of members of lists: those of one row have the same
	Confidence float64 `json:"confidence"`

	// Alternatives are the other readings of the same print, in the normal form: 2026-08-05
	// where Value is 2026-05-08. Judged only where the truth has Readings.
	Alternatives []string `json:"alternatives,omitempty"`
}

// Tally counts fields: right answers, wrong answers, and missed values. A wrong value in place
// of a true one counts as wrong and as missed.
type Tally struct{ Right, Wrong, Missed int }

func (t *Tally) add(other Tally) {
	t.Right, t.Wrong, t.Missed = t.Right+other.Right, t.Wrong+other.Wrong, t.Missed+other.Missed
}

// Precision is the share of right answers; 1 if there are none.
func (t Tally) Precision() float64 { return part(t.Right, t.Right+t.Wrong) }

// Recall is the share of true values with a right answer; 1 if there are none.
func (t Tally) Recall() float64 { return part(t.Right, t.Right+t.Missed) }

func part(n, of int) float64 {
	if of == 0 {
		return 1
	}
	return float64(n) / float64(of)
}

// Outcome is the result of the documents of one type.
type Outcome struct {
	Documents, Right int
	Unsaid           int // the type was left open
	Fields           Tally
	ByField          map[string]Tally
}

// Accuracy is the share of documents with the right type; no answer is not right.
func (o Outcome) Accuracy() float64 { return part(o.Right, o.Documents) }

// Mistake is one wrong answer; of the type if Field is empty.
type Mistake struct {
	Document, Field, Answer, Truth string
	Confidence                     float64
}

// Report is the result of all documents.
type Report struct {
	Types    map[string]Outcome // by true type
	All      Outcome
	Mistakes []Mistake // all wrong answers, the surest first
	Missing  []Mistake // the true values without any answer, by document and field
	Failures []string  // documents that the classifier refused, with its error
	Graded   []Graded  // the values of fields that were answered
}

// Graded is a value of a field that was answered, with its confidence.
type Graded struct {
	Confidence float64
	Right      bool
}

// Run scores a classifier on documents. An error counts as no answer.
func Run(documents []truth.Document, classify Classifier) Report {
	r := Report{Types: map[string]Outcome{}, All: Outcome{ByField: map[string]Tally{}}}
	for _, d := range documents {
		answer, err := classify(d.PDF)
		if err != nil {
			r.Failures = append(r.Failures, d.Name+": "+err.Error())
			answer = Answer{}
		}
		r.count(d, answer)
	}
	r.sort()
	return r
}

func (r *Report) sort() {
	slices.SortStableFunc(r.Missing, func(a, b Mistake) int {
		return cmp.Or(strings.Compare(a.Document, b.Document), strings.Compare(a.Field, b.Field), strings.Compare(a.Truth, b.Truth))
	})
	slices.SortStableFunc(r.Mistakes, func(a, b Mistake) int {
		return cmp.Or(cmp.Compare(b.Confidence, a.Confidence), strings.Compare(a.Document, b.Document), strings.Compare(a.Field, b.Field), strings.Compare(a.Answer, b.Answer))
	})
}

func (r *Report) count(d truth.Document, a Answer) {
	o, ok := r.Types[d.Type]
	if !ok {
		o.ByField = map[string]Tally{}
	}
	for _, o := range []*Outcome{&o, &r.All} {
		o.Documents++
		switch a.Type {
		case d.Type:
			o.Right++
		case "":
			o.Unsaid++
		}
	}
	if a.Type != d.Type && a.Type != "" {
		r.Mistakes = append(r.Mistakes, Mistake{d.Name, "", a.Type, d.Type, a.Confidence})
	}
	j := compare(d, a.Fields)
	r.Mistakes = append(r.Mistakes, j.mistakes...)
	r.Missing = append(r.Missing, j.missing...)
	r.Graded = append(r.Graded, j.graded...)
	for name, t := range j.byField {
		for _, o := range []*Outcome{&o, &r.All} {
			o.Fields.add(t)
			sum := o.ByField[name]
			sum.add(t)
			o.ByField[name] = sum
		}
	}
	r.Types[d.Type] = o
}

// Sure are the mistakes with a confidence of Sure or more.
func (r Report) Sure() []Mistake {
	i := slices.IndexFunc(r.Mistakes, func(m Mistake) bool { return m.Confidence < Sure })
	if i < 0 {
		return r.Mistakes
	}
	return r.Mistakes[:i]
}
