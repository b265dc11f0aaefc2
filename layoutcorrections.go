package tracking

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/landfallhq/tracking/internal/table"
	"github.com/landfallhq/tracking/store"
)

// LayoutReader is a Corrector that recognises papers of one layout, and reads what is printed on
// one where a person corrected a field of another. Of a Classifier that is none, corrections are
// not remembered for other documents.
//
// It is called with upright pages. After an error of Locate or ReadAt the reading is repeated
// later.
type LayoutReader interface {
	Corrector
	// Fingerprint is the form of the document's first page, at most 4 KiB; nil if that has too
	// few words.
	Fingerprint(text DocumentText) []byte
	// Similarity of two fingerprints, above 0 and up to 1; 0 if the layouts differ.
	Similarity(a, b []byte) float64
	// Locate returns where the values of corrections are printed on a document of the type.
	// Those that are not printed are left out.
	Locate(ctx context.Context, text DocumentText, documentType string, corrections []FieldCorrection) ([]FieldPosition, error)
	// ReadAt reads fields of the type at positions that Locate found on another document of the
	// layout. Those whose position has no value of the field's kind are left out.
	ReadAt(ctx context.Context, text DocumentText, documentType string, positions []FieldPosition) (DocumentFields, error)
}

// FieldPosition is where the value of a field is printed on papers of a layout.
type FieldPosition struct {
	Field string `json:"field"` // its name
	// Page counts from 1 within the document; Box is on the upright page.
	Page int     `json:"page"`
	Box  TextBox `json:"box"`
	// Lines of the value, at least 1.
	Lines int `json:"lines"`
	// Captions are words to the left of the value and above it, at most two. Box moves with
	// the first of them that is on the page.
	Captions []FieldCaption `json:"captions,omitempty"`
	// Until is the mark that ends the value within its line, such as "/"; empty for none.
	Until string `json:"until,omitempty"`
	// MonthFirst says how a date in figures is read; nil if the value is none.
	MonthFirst *bool `json:"month_first,omitempty"`
}

// FieldCaption is words near a value.
type FieldCaption struct {
	Text string  `json:"text"` // in capitals, without marks
	Left float64 `json:"left"` // of the first word, in points
	Top  float64 `json:"top"`  // of the first word, in points
}

// LayoutCorrection is a correction of one document that is applied to later ones of the same
// layout: of where a field is printed, or of the type.
type LayoutCorrection struct {
	Meta
	// Document that was corrected; it may be deleted since.
	Document ID `rel:"document,document"`
	// User who corrected it; zero for a key of no user.
	User ID `rel:"user,user"`

	// DocumentType of the documents that it is applied to; of a corrected type the type that
	// they are given.
	DocumentType string `attr:"document_type"`
	// Field that is read; empty (null) of a corrected type.
	Field string `attr:"field,null"`
	// Value that was entered, which other documents do not get; empty (null) of a corrected
	// type.
	Value string `attr:"value,null"`
	// InsteadOf is the type that the classifier found, and must find again; empty (null) for
	// none, and of a field.
	InsteadOf string `attr:"instead_of,null"`
	// Page that the value is on, from 1 within its document; zero (null) of a corrected type.
	Page int `attr:"page,null"`
	// Box of the value on the upright page, in points: left, top, right, bottom; empty of a
	// corrected type.
	Box []float64 `attr:"box"`
	// Captions near the value, which say where it is on other documents; may be empty.
	Captions []string `attr:"captions"`
	// TimesUsed counts the readings that it was applied in; LastUsedAt is the last of them,
	// UTC, and zero (null) before the first.
	TimesUsed  int       `attr:"times_used"`
	LastUsedAt time.Time `attr:"last_used_at,null"`
	CreatedAt  time.Time `attr:"created_at"` // UTC

	layoutCorrectionInternals
}

// layoutCorrectionInternals is what the engine stores with a correction and does not show.
type layoutCorrectionInternals struct {
	Fingerprint []byte        `private:"fingerprint"`
	Position    FieldPosition `private:"position"`
}

// maxLayoutCorrections bounds those of an account: each reading compares its document with all.
const maxLayoutCorrections = 1_000

var layoutCorrections = newKind("layout_correction", []column[LayoutCorrection]{
	table.TextColumn("document_type", func(c *LayoutCorrection) string { return c.DocumentType }),
	table.TimeColumn("used_at", (*LayoutCorrection).usedAt),
}, nil, nil)

// usedAt is when it was last used, or made.
func (c *LayoutCorrection) usedAt() time.Time {
	if c.LastUsedAt.IsZero() {
		return c.CreatedAt
	}
	return c.LastUsedAt
}

// LayoutCorrections has the operations on what was learned from corrections: see
// [Tracker.LayoutCorrections].
type LayoutCorrections struct{ t *Tracker }

// LayoutCorrections returns the layout corrections of the account: Get, List and Delete are its
// operations.
func (t *Tracker) LayoutCorrections() LayoutCorrections { return LayoutCorrections{t} }

// Get returns one. Needs show. Errors: NotFound.
func (l LayoutCorrections) Get(ctx context.Context, id ID) (*LayoutCorrection, error) {
	return get(ctx, l.t, layoutCorrections, id)
}

// List returns a page of those of any of the document types, or of all types if there is none,
// last created first, and their total number. Needs show. Errors: Invalid on
// filter[document_types] (inclusion).
func (l LayoutCorrections) List(ctx context.Context, types []string, p Page) ([]*LayoutCorrection, int, error) {
	return list(ctx, l.t, layoutCorrections, l.Query(types), p)
}

// Query is what List selects, for Rendered.
func (l LayoutCorrections) Query(types []string) Query { return layoutCorrectionQuery{types} }

// Delete deletes one. Documents that were read with it stay as they are. Needs delete. Errors:
// NotFound.
func (l LayoutCorrections) Delete(ctx context.Context, id ID) error {
	if err := l.t.allow(Delete); err != nil {
		return err
	}
	return l.t.change(ctx, "layout_correction.delete", l.t.actor.Account, func(tx *transaction) error {
		return layoutCorrections.Delete(tx, id)
	})
}

type layoutCorrectionQuery struct{ types []string }

func (layoutCorrectionQuery) resourceType() *table.Schema { return layoutCorrections.Schema }
func (q layoutCorrectionQuery) filter() store.Filter {
	w := q.where()
	return w.Filter(layoutCorrections)
}

func (q layoutCorrectionQuery) where() (w where[LayoutCorrection]) {
	w.Text("document_type", q.types, func(c *LayoutCorrection) string { return c.DocumentType })
	return w
}

func (q layoutCorrectionQuery) check(e *engine) error { return e.checkTypes(q.types) }

// layoutReader is the Classifier, if it recognises layouts; else nil.
func (e *engine) layoutReader() LayoutReader {
	r, _ := e.config.Classifier.(LayoutReader)
	return r
}

// layoutCorrectionID is that of what is learned from a field of a document; of its type if the
// field is empty.
func layoutCorrectionID(document ID, field string) ID {
	return table.NamedID("layout_correction", document.String()+"/"+field)
}

// learn keeps a correction of the document until its text is read, in place of what was learned
// from the field before. The field of a corrected type is empty; an empty value takes the
// correction back.
func (d *Document) learn(tx *transaction, c FieldCorrection) error {
	if tx.engine.layoutReader() == nil {
		return nil
	}
	d.Unlearned = slices.DeleteFunc(slices.Clone(d.Unlearned), func(o FieldCorrection) bool { return o.Field == c.Field })
	if c.Value != "" {
		d.Unlearned = append(d.Unlearned, c)
		return nil
	}
	return ignoreNotFound(layoutCorrections.Delete(tx, layoutCorrectionID(d.ID, c.Field)))
}

// layoutReading is what a reading has to do with layouts.
type layoutReading struct {
	known       []*LayoutCorrection // of the account
	fingerprint []byte
	alike       []*LayoutCorrection // those of the document's layout, the most similar first
	used        []ID
	seen        []FieldCorrection // those of the document that were looked for
	learned     []*LayoutCorrection
}

// knownLayouts are the layout corrections of an account; none if the Classifier reads none.
func (t *Tracker) knownLayouts(ctx context.Context, a AccountID) (known []*LayoutCorrection, err error) {
	if t.layoutReader() == nil {
		return nil, nil
	}
	err = t.view(ctx, a, func(tx *transaction) (err error) {
		known, err = layoutCorrections.All(tx, where[LayoutCorrection]{})
		return err
	})
	return known, err
}

// recognise finds the corrections of the document's layout.
func (t *Tracker) recognise(text DocumentText, d *Document, r *reading) {
	reader := t.layoutReader()
	if reader == nil || len(r.layout.known)+len(d.Unlearned) == 0 {
		return
	}
	l := &r.layout
	if l.fingerprint = reader.Fingerprint(text); l.fingerprint == nil {
		return
	}
	similarity := map[ID]float64{}
	for _, c := range l.known {
		if s := reader.Similarity(l.fingerprint, c.Fingerprint); s > 0 && c.Document != d.ID {
			similarity[c.ID] = s
			l.alike = append(l.alike, c)
		}
	}
	slices.SortStableFunc(l.alike, func(a, b *LayoutCorrection) int { return cmp.Compare(similarity[b.ID], similarity[a.ID]) })
}

// correctType applies a corrected type of the layout to what the Classifier has found.
func (l *layoutReading) correctType(class *Classification) {
	for _, c := range l.alike {
		if c.Field == "" && c.InsteadOf == class.Type {
			class.Type, class.Notes = c.DocumentType, "The type was corrected on a document of the same layout. "+class.Notes
			l.used = append(l.used, c.ID)
			return
		}
	}
}

// readLayout puts what is printed where fields of the layout were corrected in place of what was
// read, but for the fields that are corrected on the document itself.
func (t *Tracker) readLayout(ctx context.Context, text DocumentText, d *Document, r *reading) error {
	by, positions := map[string]ID{}, []FieldPosition(nil)
	for _, c := range r.layout.alike {
		own := slices.ContainsFunc(d.Corrections, func(o FieldCorrection) bool { return o.Field == c.Field })
		if c.Field == "" || c.DocumentType != r.typ || own || by[c.Field] != (ID{}) {
			continue
		}
		by[c.Field], positions = c.ID, append(positions, c.Position)
	}
	if len(positions) == 0 {
		return nil
	}
	fields, err := t.layoutReader().ReadAt(ctx, text, r.typ, positions)
	for _, f := range fields {
		f.LayoutCorrection = by[f.Name]
		r.layout.used = append(r.layout.used, f.LayoutCorrection)
		if i := slices.IndexFunc(r.fields, func(o DocumentField) bool { return o.Name == f.Name }); i >= 0 {
			r.fields[i] = f
		} else {
			r.fields = append(r.fields, f)
		}
	}
	return err
}

// locateCorrections finds out what the document's own corrections say of its layout. A value that
// is not printed says nothing.
func (t *Tracker) locateCorrections(ctx context.Context, text DocumentText, d *Document, r *reading) error {
	l := &r.layout
	if l.fingerprint == nil || len(d.Unlearned) == 0 {
		return nil
	}
	l.seen = d.Unlearned
	positions, err := t.layoutReader().Locate(ctx, text, r.typ, d.Unlearned)
	if err != nil {
		return err
	}
	for _, c := range d.Unlearned {
		made := &LayoutCorrection{
			Meta: Meta{ID: layoutCorrectionID(d.ID, c.Field)}, Document: d.ID, DocumentType: r.typ,
			layoutCorrectionInternals: layoutCorrectionInternals{Fingerprint: l.fingerprint},
		}
		if c.By != nil {
			made.User = *c.By
		}
		i := slices.IndexFunc(positions, func(p FieldPosition) bool { return p.Field == c.Field })
		switch {
		case c.Field == "" && c.Value == r.typ && r.typ != d.DocumentType:
			made.InsteadOf = d.DocumentType
		case c.Field == "" || i < 0:
			continue
		default:
			made.Field, made.Value = c.Field, c.Value
			made.place(positions[i])
		}
		l.learned = append(l.learned, made)
	}
	return nil
}

// place sets where the value is, and what is shown of it.
func (c *LayoutCorrection) place(p FieldPosition) {
	c.Position, c.Page, c.Box = p, p.Page, []float64{p.Box.Left, p.Box.Top, p.Box.Right, p.Box.Bottom}
	for _, near := range p.Captions {
		c.Captions = append(c.Captions, near.Text)
	}
}

// write stores what was learned, unless the correction has changed meanwhile, and that others were
// used.
func (l *layoutReading) write(tx *transaction, d *Document) error {
	for _, id := range l.used {
		c, err := layoutCorrections.Get(tx, id)
		if isNotFound(err) { // deleted in the meantime
			continue
		}
		if err != nil {
			return err
		}
		c.TimesUsed, c.LastUsedAt = c.TimesUsed+1, tx.Now
		if err := layoutCorrections.Put(tx, c); err != nil {
			return err
		}
	}
	for _, c := range l.seen {
		i := slices.IndexFunc(d.Unlearned, func(o FieldCorrection) bool {
			return o.Field == c.Field && o.Value == c.Value && o.At.Equal(c.At)
		})
		if i < 0 {
			continue
		}
		d.Unlearned = slices.Delete(slices.Clone(d.Unlearned), i, i+1)
		id := layoutCorrectionID(d.ID, c.Field)
		if i := slices.IndexFunc(l.learned, func(o *LayoutCorrection) bool { return o.ID == id }); i >= 0 {
			if err := l.store(tx, l.learned[i]); err != nil {
				return err
			}
		} else if err := ignoreNotFound(layoutCorrections.Delete(tx, id)); err != nil {
			return err
		}
	}
	return nil
}

// store writes a learned correction in place of those of the same field and layout. Of too many
// it deletes the one that was not used for longest.
func (l *layoutReading) store(tx *transaction, made *LayoutCorrection) error {
	for _, c := range l.alike {
		if c.Field == made.Field && (c.DocumentType == made.DocumentType || c.Field == "" && c.InsteadOf == made.InsteadOf) {
			if err := ignoreNotFound(layoutCorrections.Delete(tx, c.ID)); err != nil {
				return err
			}
		}
	}
	w := where[LayoutCorrection]{Sort: []Order{{Name: "used_at"}}}
	oldest, total, err := layoutCorrections.List(tx, w, Page{Number: 1, Size: 1})
	if err != nil {
		return err
	}
	if _, err := layoutCorrections.Get(tx, made.ID); isNotFound(err) && total >= maxLayoutCorrections {
		if err := layoutCorrections.Delete(tx, oldest[0].ID); err != nil {
			return err
		}
	} else if ignoreNotFound(err) != nil {
		return err
	}
	made.CreatedAt = tx.Now
	return layoutCorrections.Put(tx, made)
}
