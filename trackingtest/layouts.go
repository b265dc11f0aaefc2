package trackingtest

import (
	"context"
	"strings"

	"github.com/landfallhq/tracking"
)

// Fingerprint implements tracking.LayoutReader: files have the same layout if their first pages
// have fields of the same names in the same order, at least two.
func (*DocumentReader) Fingerprint(text tracking.DocumentText) []byte {
	var names []string
	for _, w := range text.Pages[0].Words {
		if name, _, ok := strings.Cut(w.Text, ": "); ok && name != "type" {
			names = append(names, name)
		}
	}
	if len(names) < 2 {
		return nil
	}
	return []byte(strings.Join(names, " "))
}

// Similarity implements tracking.LayoutReader.
func (*DocumentReader) Similarity(a, b []byte) float64 {
	if string(a) == string(b) {
		return 1
	}
	return 0
}

// lineHeight is that of a line in the boxes of Locate, in points.
const lineHeight = 12

// Locate implements tracking.LayoutReader: a value stands in the first line that has it under any
// name.
func (*DocumentReader) Locate(_ context.Context, text tracking.DocumentText, _ string, corrections []tracking.FieldCorrection) (all []tracking.FieldPosition, err error) {
	for _, c := range corrections {
	search:
		for page, p := range text.Pages {
			for i, w := range p.Words {
				name, value, ok := strings.Cut(w.Text, ": ")
				if !ok || value != c.Value || c.Field == "" {
					continue
				}
				top := float64(i * lineHeight)
				all = append(all, tracking.FieldPosition{
					Field: c.Field, Page: page + 1, Lines: 1, Box: tracking.TextBox{Top: top, Right: p.Width, Bottom: top + lineHeight},
					Captions: []tracking.FieldCaption{{Text: name, Top: top}},
				})
				break search
			}
		}
	}
	return all, nil
}

// ReadAt implements tracking.LayoutReader.
func (r *DocumentReader) ReadAt(_ context.Context, text tracking.DocumentText, documentType string, positions []tracking.FieldPosition) (fields tracking.DocumentFields, err error) {
	for _, p := range positions {
		i := int(p.Box.Top) / lineHeight
		if p.Page > len(text.Pages) || i >= len(text.Pages[p.Page-1].Words) {
			continue
		}
		_, value, _ := strings.Cut(text.Pages[p.Page-1].Words[i].Text, ": ")
		if f, err := r.Correct(documentType, p.Field, value); err == nil {
			f.Page, f.Box, f.Confidence = p.Page, p.Box, 0.9
			fields = append(fields, f)
		}
	}
	return fields, nil
}
