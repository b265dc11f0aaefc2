package tracking

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// Corrector is a Classifier that knows the fields of its types when people correct them. Of
// a Classifier that is none, people can set any field, as text.
type Corrector interface {
	Classifier
	// Correct returns the field of a type with a value that a person entered, as printed or
	// in its normal form. The error is a sentence for people why it is no such value, or
	// that the type has no such field.
	Correct(documentType, name, value string) (DocumentField, error)
}

// FieldCorrection is a value that a person entered for a field of a document. It takes the
// place of what is read, in every reading after it.
type FieldCorrection struct {
	// Field is the name of a field of the document's type that is no table: "eta".
	Field string `json:"field"`
	// Value as it was entered.
	Value string `json:"value"`
	// By is the user who entered it; nil (null) for a key of no user. What an update says of
	// it is ignored, as of the time.
	By *ID `json:"corrected_by"`
	// At is when it was entered, UTC.
	At time.Time `json:"corrected_at"`
}

const (
	maxCorrections    = 100
	maxCorrectedValue = 2_000 // characters
)

// correctedField is the field with the value of a correction.
func (e *engine) correctedField(documentType string, c FieldCorrection) (DocumentField, error) {
	corrector, ok := e.config.Classifier.(Corrector)
	if !ok {
		return DocumentField{Name: c.Field, Kind: FieldText, Value: c.Value, Normal: c.Value}, nil
	}
	return corrector.Correct(documentType, c.Field, c.Value)
}

// applyCorrections changes, adds and takes back corrections. One with the value that it has
// already keeps its time and user.
func (d *Document) applyCorrections(tx *transaction, by ID, changes []FieldCorrection) error {
	all := slices.Clone(d.Corrections)
	for _, c := range changes {
		c.Value = strings.TrimSpace(c.Value)
		i := slices.IndexFunc(all, func(o FieldCorrection) bool { return o.Field == c.Field })
		switch {
		case c.Value == "" && i >= 0:
			all = slices.Delete(all, i, i+1)
			if err := d.learn(tx, c); err != nil {
				return err
			}
			continue
		case c.Value == "" || i >= 0 && all[i].Value == c.Value:
			continue
		}
		if d.Type() == "" {
			return invalid("corrected_fields", "invalid", "The document has no type, and therefore no fields: set document_type_manual first")
		}
		if _, err := tx.engine.correctedField(d.Type(), c); err != nil {
			return invalid("corrected_fields", "invalid", "%s: %s", abbreviate(c.Field, 64), err)
		}
		made := correctionBy(tx, by, c.Field, c.Value)
		if err := d.learn(tx, made); err != nil {
			return err
		}
		if i >= 0 {
			all[i] = made
		} else {
			all = append(all, made)
		}
	}
	if len(all) > maxCorrections {
		return invalid("corrected_fields", "too_many", "A document has at most %d corrected fields", maxCorrections)
	}
	slices.SortFunc(all, func(a, b FieldCorrection) int { return cmp.Compare(a.Field, b.Field) })
	d.Corrections = all
	return nil
}

func correctionBy(tx *transaction, by ID, field, value string) FieldCorrection {
	c := FieldCorrection{Field: field, Value: value, At: tx.Now}
	if by != (ID{}) {
		c.By = &by
	}
	return c
}

// checkCorrections refuses what no document can have.
func checkCorrections(changes []FieldCorrection) (faults Errors) {
	for _, c := range changes {
		switch {
		case c.Field == "" || len(c.Field) > 64:
			faults = append(faults, invalid("corrected_fields", "blank", "Each of corrected_fields needs the name of a field"))
		case len([]rune(c.Value)) > maxCorrectedValue:
			faults = append(faults, invalid("corrected_fields", "too_long", "%s has more than %d characters", c.Field, maxCorrectedValue))
		}
	}
	return faults
}

// correct puts the corrections of the document in place of what was read. A field that was
// not read is given the first page of the document, and an empty box. Corrections that the
// type has no field for, because the type has changed since, wait for it.
func (t *Tracker) correct(d *Document, r *reading) {
	for _, c := range d.Corrections {
		f, err := t.correctedField(r.typ, c)
		if err != nil {
			continue
		}
		f.Confidence, f.Corrected = 1, true
		i := slices.IndexFunc(r.fields, func(o DocumentField) bool { return o.Name == c.Field })
		if i < 0 {
			f.Page = max(1, d.FirstPage)
			r.fields = append(r.fields, f)
			continue
		}
		f.Page, f.Box = r.fields[i].Page, r.fields[i].Box
		r.fields[i] = f
	}
}
