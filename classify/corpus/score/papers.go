package score

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/landfallhq/tracking/classify/corpus/papers"
	"github.com/landfallhq/tracking/classify/corpus/truth"
)

// Piece is one document that a reader found in a file.
type Piece struct {
	First, Last int // pages, from 1; zero for the whole file
	Answer
}

// Reader reads all documents of one file, of any kind.
type Reader func(content []byte) ([]Piece, error)

// Whole makes a Reader that takes a file for one document.
func Whole(c Classifier) Reader {
	return func(content []byte) ([]Piece, error) {
		a, err := c(content)
		return []Piece{{Answer: a}}, err
	}
}

// Group is the result of one group of papers.
type Group struct {
	Name   string
	Files  int
	Report // of its documents
	Rows   Rows
	Splits Splits
	Dates  Dates
	Times  []time.Duration // of each page, as the mean of its file
}

// Splits counts the documents of files that have several.
type Splits struct {
	Files, Exact             int // files, and those whose documents all have their true pages
	Documents, Found, Pieces int // true documents, those that a piece covers exactly, and pieces
}

// Dates counts dates. Open are those that nothing on the paper decides: Right if all readings
// were offered with less confidence than Sure.
type Dates struct{ Decided, Open Tally }

// RunPapers scores a reader on papers, group by group. A file that it cannot read has no answers.
func RunPapers(all []papers.Paper, read Reader) []Group {
	byName := map[string]*Group{}
	var groups []*Group
	for _, p := range all {
		g := byName[p.Group]
		if g == nil {
			g = &Group{Name: p.Group, Report: Report{Types: map[string]Outcome{}, All: Outcome{ByField: map[string]Tally{}}}}
			byName[p.Group] = g
			groups = append(groups, g)
		}
		g.file(p, read)
	}
	slices.SortFunc(groups, func(a, b *Group) int { return strings.Compare(a.Name, b.Name) })
	var sorted []Group
	for _, g := range groups {
		g.sort()
		sorted = append(sorted, *g)
	}
	return sorted
}

func (g *Group) file(p papers.Paper, read Reader) {
	g.Files++
	start := time.Now()
	var answers []Answer
	if p.Documents[0].Attachment != "" {
		answers = g.attachments(p, read)
	} else {
		pieces, err := read(p.Content)
		if err != nil {
			g.Failures, pieces = append(g.Failures, p.File+": "+err.Error()), nil
		}
		answers = pair(p.Documents, pieces)
		if p.Documents[0].Pages[0] > 0 {
			g.Splits.count(p.Documents, pieces)
		}
	}
	perPage := time.Since(start) / time.Duration(p.Pages)
	for range p.Pages {
		g.Times = append(g.Times, perPage)
	}
	for i, d := range p.Documents {
		g.document(d, answers[i])
	}
}

// attachments reads each attachment as a file of its own, as the engine does with mails.
func (g *Group) attachments(p papers.Paper, read Reader) []Answer {
	var answers []Answer
	for _, d := range p.Documents {
		content, err := p.Attached(d.Attachment)
		var pieces []Piece
		if err == nil {
			pieces, err = read(content)
		}
		if err != nil {
			g.Failures, pieces = append(g.Failures, p.File+", "+d.Attachment+": "+err.Error()), nil
		}
		answers = append(answers, pair([]papers.Document{d}, pieces)...)
	}
	return answers
}

func (g *Group) document(d papers.Document, a Answer) {
	a.Fields = slices.DeleteFunc(slices.Clone(a.Fields), func(f Field) bool { return slices.Contains(d.Unjudged, f.Name) })
	g.count(d.Document, a)
	g.Rows.count(d.Document, a.Fields)
	g.Dates.count(d.Document, compare(d.Document, a.Fields).byField)
}

// pair gives each document the piece that shares most pages with it; no piece is given twice.
func pair(documents []papers.Document, pieces []Piece) []Answer {
	type couple struct{ document, piece, shared int }
	var couples []couple
	for i, d := range documents {
		for k, p := range pieces {
			if n := shared(d, p); n > 0 {
				couples = append(couples, couple{i, k, n})
			}
		}
	}
	slices.SortStableFunc(couples, func(a, b couple) int { return cmp.Compare(b.shared, a.shared) })
	answers, given, answered := make([]Answer, len(documents)), map[int]bool{}, map[int]bool{}
	for _, c := range couples {
		if !given[c.piece] && !answered[c.document] {
			given[c.piece], answered[c.document] = true, true
			answers[c.document] = pieces[c.piece].Answer
		}
	}
	return answers
}

// shared is the number of pages that a document and a piece have in common.
func shared(d papers.Document, p Piece) int {
	if d.Pages[0] == 0 || p.First == 0 {
		return 1
	}
	return min(d.Pages[1], p.Last) - max(d.Pages[0], p.First) + 1
}

func (s *Splits) count(documents []papers.Document, pieces []Piece) {
	found := 0
	for _, d := range documents {
		if slices.ContainsFunc(pieces, func(p Piece) bool { return [2]int{p.First, p.Last} == d.Pages }) {
			found++
		}
	}
	s.Files++
	if found == len(documents) && found == len(pieces) {
		s.Exact++
	}
	s.Documents, s.Found, s.Pieces = s.Documents+len(documents), s.Found+found, s.Pieces+len(pieces)
}

func (s *Dates) count(d truth.Document, byField map[string]Tally) {
	names, _ := truth.NamesOf(d)
	for name, t := range byField {
		switch _, open := d.Fields[name].(truth.Readings); {
		case names[name] != truth.Date:
		case open:
			s.Open.add(t)
		default:
			s.Decided.add(t)
		}
	}
}
