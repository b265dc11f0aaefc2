package score

import (
	"bytes"
	"context"
	"fmt"
	"strconv"

	"github.com/landfallhq/tracking"
)

// Of calls a tracking.Classifier as the engine does: text, also that in pictures if e is a
// tracking.Recognizer; type, and the fields of that type if there is one. The file has no name,
// which could reveal the type. A value without a normal form is answered as printed.
func Of(e tracking.Extractor, c tracking.Classifier) Classifier {
	return func(pdf []byte) (Answer, error) {
		ctx := context.Background()
		file := tracking.DocumentFile{Content: bytes.NewReader(pdf), Size: int64(len(pdf))}
		text, err := extracted(ctx, e, file)
		if err != nil {
			return Answer{}, err
		}
		return answer(ctx, c, file, text)
	}
}

// extracted is the text of a file, also that in pictures if e recognises it.
func extracted(ctx context.Context, e tracking.Extractor, file tracking.DocumentFile) (tracking.DocumentText, error) {
	text, err := e.Extract(ctx, file)
	if r, ok := e.(tracking.Recognizer); ok && err == nil && text.Pictures > 0 {
		return r.Recognize(ctx, file)
	}
	return text, err
}

func answer(ctx context.Context, c tracking.Classifier, file tracking.DocumentFile, text tracking.DocumentText) (Answer, error) {
	class, err := c.Classify(ctx, file, text)
	if err != nil || class.Type == "" {
		return Answer{}, err
	}
	fields, err := c.Fields(ctx, file, text, class.Type)
	return Answer{Type: class.Type, Confidence: class.Confidence, Fields: Flat(fields)}, err
}

// Split makes a Reader of a tracking.Splitter, as the engine uses it: each document is read
// as if its pages were all of the file.
func Split(e tracking.Extractor, c tracking.Splitter) Reader {
	return func(content []byte) ([]Piece, error) {
		ctx := context.Background()
		file := tracking.DocumentFile{Content: bytes.NewReader(content), Size: int64(len(content))}
		text, err := extracted(ctx, e, file)
		if err != nil {
			return nil, err
		}
		firsts, err := c.Split(ctx, file, text)
		if err != nil {
			return nil, err
		}
		if len(firsts) < 2 {
			a, err := answer(ctx, c, file, text)
			return []Piece{{Answer: a}}, err
		}
		var pieces []Piece
		for i, first := range firsts {
			last := len(text.Pages)
			if i+1 < len(firsts) {
				last = firsts[i+1] - 1
			}
			part := text
			part.Pages = text.Pages[first-1 : last]
			a, err := answer(ctx, c, file, part)
			if err != nil {
				return nil, err
			}
			pieces = append(pieces, Piece{First: first, Last: last, Answer: a})
		}
		return pieces, nil
	}
}

// Flat names the cells of tables like "containers.seal".
func Flat(fields tracking.DocumentFields) (all []Field) {
	for _, f := range fields {
		if f.Kind != tracking.FieldTable {
			v := Field{Name: f.Name, Value: normal(f), Confidence: f.Confidence}
			for _, other := range f.Alternatives {
				v.Alternatives = append(v.Alternatives, normal(tracking.DocumentField{Normal: other}))
			}
			all = append(all, v)
		}
		for i, row := range f.Rows {
			for _, cell := range row {
				all = append(all, Field{Name: f.Name + "." + cell.Name, Value: normal(cell), Row: i, Confidence: cell.Confidence})
			}
		}
	}
	return all
}

func normal(f tracking.DocumentField) string {
	switch v := f.Normal.(type) {
	case nil:
		return f.Value
	case tracking.Quantity:
		return strconv.FormatFloat(v.Value, 'f', -1, 64) + " " + v.Unit
	case tracking.Money:
		return v.Currency + " " + v.Amount
	default:
		return fmt.Sprint(v)
	}
}
