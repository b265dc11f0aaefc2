package classify

import (
	"context"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/landfallhq/tracking"
)

// The bounds of the search for a value that was entered.
const (
	mostSearched = 2_000 // words of a document
	mostJoined   = 8     // words of a value that is no text
)

// The confidences of values read at a position, by how often they were right on copies of the
// layouts in the training part.
const (
	formAtPosition = 0.98 // the value is of a form that can be recognised
	textAtPosition = 0.95
	withoutCaption = 0.94 // of both, if no caption near it is on the page
)

// Locate implements tracking.LayoutReader. Of several places it takes one with a caption of the
// field, or else with words near it that are no caption of another.
func (c *Classifier) Locate(ctx context.Context, text tracking.DocumentText, documentType string, corrections []tracking.FieldCorrection) ([]tracking.FieldPosition, error) {
	r, err := c.readerOf(ctx, text, documentType)
	if r == nil || err != nil {
		return nil, err
	}
	var all []tracking.FieldPosition
	for _, x := range corrections {
		entered, err := c.Correct(documentType, x.Field, x.Value)
		if err != nil {
			continue
		}
		if p, ok := r.locate(ctx, c.fieldOf(documentType, x.Field), entered); ok {
			all = append(all, p)
		}
	}
	return all, ctx.Err()
}

// ReadAt implements tracking.LayoutReader.
func (c *Classifier) ReadAt(ctx context.Context, text tracking.DocumentText, documentType string, positions []tracking.FieldPosition) (tracking.DocumentFields, error) {
	r, err := c.readerOf(ctx, text, documentType)
	if r == nil || err != nil {
		return nil, err
	}
	var all tracking.DocumentFields
	marks := r.marks
	for _, p := range positions {
		f := c.fieldOf(documentType, p.Field)
		if f == nil {
			continue
		}
		r.marks = marks
		if p.MonthFirst != nil {
			r.marks.monthFirst, r.marks.open = *p.MonthFirst, false
		}
		if v, ok := r.readAt(f, p); ok {
			all = append(all, r.finish(tracking.DocumentFields{v.field(f)})...)
		}
	}
	return all, ctx.Err()
}

// readerOf reads a document as one of a type; nil if the type has no fields.
func (c *Classifier) readerOf(ctx context.Context, text tracking.DocumentText, documentType string) (*reader, error) {
	of := c.rulesOf(documentType)
	if of == nil || text.Unreadable != "" {
		return nil, nil
	}
	s, err := newLayout(ctx, text)
	if err != nil {
		return nil, err
	}
	return c.reader(s, of), nil
}

// locate returns the best position of a value.
func (r *reader) locate(ctx context.Context, f *field, entered tracking.DocumentField) (best tracking.FieldPosition, ok bool) {
	rank, searched := 0, 0
	for _, l := range r.lines {
		if searched += len(l.words); searched > mostSearched || ctx.Err() != nil {
			break
		}
		for i, c := range l.cells {
			for from := range c.words {
				words, monthFirst := r.printed(f, entered, l, c.words[from:])
				if len(words) == 0 {
					continue
				}
				if p, n := r.position(f, l, i, from, words); n > rank {
					best, rank, ok = p, n, true
					best.MonthFirst = monthFirst
				}
			}
		}
	}
	return best, ok
}

// printed are the words at the start of others that print a value. monthFirst is how a date in
// figures has that value, either as the document writes dates or the other way.
func (r *reader) printed(f *field, entered tracking.DocumentField, l *line, words []*word) (value []*word, monthFirst *bool) {
	if f.kind == tracking.FieldText {
		return r.printedText(strings.Join(pieces(entered.Value), ""), l, words), nil
	}
	for n := 1; n <= min(len(words), mostJoined); n++ {
		if numeric(f) && !containsDigit(textOf(words[:n])) {
			continue
		}
		marks, flipped := r.marks, r.marks
		flipped.monthFirst = !flipped.monthFirst
		for _, m := range []numbers{marks, flipped} {
			r.marks = m
			v, ok := r.value(f, words[:n], &caption{field: f, phrase: "SCAC"})
			r.marks = marks
			if !ok || !sameNormal(v.normal, entered.Normal) {
				continue
			}
			if numericDate.MatchString(v.value) && (f.kind == tracking.FieldDate || f.kind == tracking.FieldTime) {
				monthFirst = &m.monthFirst
			}
			return words[:n], monthFirst
		}
	}
	return nil, nil
}

// printedText are the words of a text, which may go on in the lines below.
func (r *reader) printedText(text string, l *line, words []*word) (value []*word) {
	if len(text) < 2 {
		return nil
	}
	first, rest := words[0], text
	for {
		for _, w := range words {
			said := strings.Join(w.pieces, "")
			if !strings.HasPrefix(rest, said) {
				return nil
			}
			value = append(value, w)
			if rest = rest[len(said):]; rest == "" {
				return value
			}
		}
		if words, l = r.alignedBelow(l, first); len(words) == 0 {
			return nil
		}
	}
}

// alignedBelow is the cell in the lines right below one that starts where a word does.
func (r *reader) alignedBelow(l *line, first *word) ([]*word, *line) {
	for _, next := range r.lines[l.at+1:] {
		if next.page != l.page || next.top-l.bottom > heightOf(first) {
			break
		}
		for _, c := range next.cells {
			if abs(c.left()-first.Box.Left) < 0.5*heightOf(first) {
				return c.words, next
			}
		}
	}
	return nil, nil
}

// sameNormal compares normal forms. An amount without a currency has that of the document.
func sameNormal(printed, entered any) bool {
	p, ok := printed.(tracking.Money)
	e, both := entered.(tracking.Money)
	if !ok || !both {
		return printed != nil && reflect.DeepEqual(printed, entered)
	}
	a, _ := strconv.ParseFloat(p.Amount, 64)
	b, _ := strconv.ParseFloat(e.Amount, 64)
	return a == b && (p.Currency == "" || e.Currency == "" || p.Currency == e.Currency)
}

// position describes where a value stands, with a rank of the place, from 1: it is lower near
// the caption of another field, and higher near that of its own.
func (r *reader) position(f *field, l *line, cell, from int, words []*word) (p tracking.FieldPosition, rank int) {
	p = tracking.FieldPosition{Field: f.name, Page: l.page, Box: roundBox(boxAround(words)), Lines: len(rowsOf(words))}
	rank = 2
	for _, near := range [][]*word{leftOf(l, cell, from), r.aboveOf(l, boxAround(words))} {
		if len(near) == 0 {
			continue
		}
		box := roundBox(boxAround(near))
		p.Captions = append(p.Captions, tracking.FieldCaption{Text: strings.Join(piecesOf(near), " "), Left: box.Left, Top: box.Top})
		known := r.captionOf[near[0]]
		switch {
		case known != nil && (known.field == f || slices.Contains(known.also, f)):
			rank = 4
		case known == nil && rank == 2:
			rank = 3
		case known != nil && known.field != nil && rank < 4:
			rank = 1
		}
	}
	if rest := l.cells[cell].words[from:]; p.Lines == 1 && len(rest) > len(words) && len(rest[len(words)].pieces) == 0 {
		p.Until = rest[len(words)].Text
	}
	return p, rank
}

// captionLike reports whether words may be a caption: they have letters and no digits.
func captionLike(words []*word) bool {
	text := textOf(words)
	return len(words) <= longestCaption && letters(text) >= 2 && !containsDigit(text)
}

// leftOf are the words to the left of a value, in its cell or in the one before.
func leftOf(l *line, cell, from int) []*word {
	if before := trimmed(l.cells[cell].words[:from]); captionLike(before) {
		return before
	}
	if from == 0 && cell > 0 && captionLike(l.cells[cell-1].words) {
		return l.cells[cell-1].words
	}
	return nil
}

// aboveOf are the nearest words above a value that may be its caption.
func (r *reader) aboveOf(l *line, box tracking.TextBox) []*word {
	const most = 12 // heights of the value
	for i := l.at - 1; i >= 0; i-- {
		up := r.lines[i]
		if up.page != l.page || box.Top-up.bottom > most*l.height() {
			break
		}
		for _, c := range up.cells {
			if c.left() < box.Right && box.Left < c.right() && captionLike(c.words) {
				return c.words
			}
		}
	}
	return nil
}

// readAt reads a field at a position.
func (r *reader) readAt(f *field, p tracking.FieldPosition) (found, bool) {
	if p.Page < 1 || p.Page > len(r.pages) {
		return found{}, false
	}
	box, before := r.moved(p)
	l, cell := r.cellAt(p, box)
	if l == nil {
		return found{}, false
	}
	words := l.cells[cell].words
	if i := slices.Index(words, before); before != nil && i >= 0 {
		words = words[i+1:]
	} else if abs(l.cells[cell].right()-box.Right) > 3 {
		words = words[max(0, slices.IndexFunc(words, func(w *word) bool { return w.Box.Right > box.Left+1 })):]
	}
	if i := slices.IndexFunc(words, func(w *word) bool { return p.Until != "" && w.Text == p.Until }); i > 0 {
		words = words[:i]
	}
	if words = trimmed(words); len(words) == 0 || f.kind != tracking.FieldCode && r.captionAt(l, words[0]) != nil {
		return found{}, false
	}
	own := &caption{field: f, line: l, cell: cell, words: words[:1], after: len(l.cells[cell].words), phrase: "SCAC"}
	if f.kind != tracking.FieldCode {
		words = r.until(own, words)
	}
	if p.Lines > 1 {
		words = r.appendLinesBelow(own, words)
	}
	v, ok := r.value(f, words, own)
	v.confidence = textAtPosition
	if f.kind != tracking.FieldText {
		ok, v.confidence = ok && v.normal != nil, formAtPosition
	}
	if before == nil {
		v.confidence *= withoutCaption
	}
	return v, ok
}

// moved is the box of a position, moved as the first of its captions that is on the page, and
// the last word of that; nil if none is.
func (r *reader) moved(p tracking.FieldPosition) (box tracking.TextBox, last *word) {
	const aside, along = 36.0, 200.0 // points that a caption may move
	box = p.Box
	for _, c := range p.Captions {
		phrase, least := strings.Fields(c.Text), aside+along
		if len(phrase) == 0 {
			continue
		}
		for _, x := range r.byPiece[phrase[0]] {
			for i, w := range x.words {
				n, dx, dy := covers(x.words[i:], phrase), w.Box.Left-c.Left, w.Box.Top-c.Top
				if n == 0 || w.page != p.Page || abs(dx) > aside || abs(dy) > along || abs(dx)+abs(dy) >= least {
					continue
				}
				least, last = abs(dx)+abs(dy), x.words[i+n-1]
				box = tracking.TextBox{Left: p.Box.Left + dx, Top: p.Box.Top + dy, Right: p.Box.Right + dx, Bottom: p.Box.Bottom + dy}
			}
		}
		if last != nil {
			break
		}
	}
	return box, last
}

// cellAt is the cell in the first line of a box; nil for none.
func (r *reader) cellAt(p tracking.FieldPosition, box tracking.TextBox) (at *line, cell int) {
	height := (box.Bottom - box.Top) / float64(max(p.Lines, 1))
	nearest, widest := 0.6*max(height, 4), 0.0
	for _, l := range r.lines {
		off := abs((l.top+l.bottom)/2 - box.Top - height/2)
		if l.page != p.Page || off > nearest {
			continue
		}
		for i, c := range l.cells {
			if common := min(c.right(), box.Right) - max(c.left(), box.Left); common > 0 && (at != l || common > widest) {
				at, cell, widest, nearest = l, i, common, off
			}
		}
	}
	return at, cell
}
