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
		text, err := e.Extract(ctx, file)
		if r, ok := e.(tracking.Recognizer); ok && err == nil && text.Pictures > 0 {
			text, err = r.Recognize(ctx, file)
		}
		if err != nil {
			return Answer{}, err
		}
		class, err := c.Classify(ctx, file, text)
		if err != nil || class.Type == "" {
			return Answer{}, err
		}
		fields, err := c.Fields(ctx, file, text, class.Type)
		return Answer{Type: class.Type, Confidence: class.Confidence, Fields: flat(fields)}, err
	}
}

// flat names the cells of tables like "containers.seal".
func flat(fields tracking.DocumentFields) (all []Field) {
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
