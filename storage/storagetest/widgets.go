package storagetest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/landfallhq/tracking/store"
)

// widget is the record of the tests. It has a column of every type and two names of
// terms. A nil pointer is no value.
type widget struct {
	ID     store.ID
	Name   *string
	Size   *int64
	Live   *bool
	At     *time.Time
	Owner  *store.ID
	Tags   []string   // terms "tag"
	Refs   []store.ID // terms "ref"
	Secret string     // the private part
	// Marks are the marks of the widget, by name. The document has them too, for
	// the model.
	Marks map[string][]string
}

// attributes are those of the document. Texts are []byte, which JSON encodes in
// base64, because JSON cannot represent texts that are not UTF-8.
type attributes struct {
	Name  *[]byte             `json:"name"`
	Size  *int64              `json:"size"`
	Live  *bool               `json:"live"`
	At    *time.Time          `json:"at"`
	Owner *store.ID           `json:"owner"`
	Tags  [][]byte            `json:"tags"`
	Refs  []store.ID          `json:"refs"`
	Marks map[string][][]byte `json:"marks,omitempty"`
}

type document struct {
	ID         store.ID   `json:"id"`
	Type       string     `json:"type"`
	Attributes attributes `json:"attributes"`
}

var widgetColumns = []store.Column{
	{Name: "name", Type: store.TextColumn, Counted: true},
	{Name: "size", Type: store.IntColumn, Counted: true},
	{Name: "live", Type: store.BoolColumn, Counted: true},
	{Name: "at", Type: store.TimeColumn, Counted: true},
	{Name: "owner", Type: store.IDColumn},
}

func widgetKind() *store.Kind {
	return &store.Kind{
		Name:     "widget",
		Columns:  widgetColumns,
		Revision: "1",
		Render: func(r store.Record) (store.Write, error) {
			return decode(r).write(), nil
		},
	}
}

// widgetNamed returns a widget whose name is name and whose ID belongs to it.
func widgetNamed(name string) widget { return widget{ID: id(name), Name: &name} }

func ptr[T any](v T) *T { return &v }

func value[T any](p *T) any {
	if p == nil {
		return nil
	}
	return *p
}

func (w widget) write() store.Write {
	d := document{ID: w.ID, Type: "widget"}
	if w.Name != nil {
		d.Attributes.Name = ptr([]byte(*w.Name))
	}
	d.Attributes.Size, d.Attributes.Live, d.Attributes.Owner, d.Attributes.Refs = w.Size, w.Live, w.Owner, w.Refs
	if w.At != nil {
		d.Attributes.At = ptr(time.UnixMicro(w.At.UnixMicro()).UTC())
	}
	var terms []store.Term
	for _, tag := range w.Tags {
		d.Attributes.Tags = append(d.Attributes.Tags, []byte(tag))
		terms = append(terms, store.Term{Name: "tag", Value: tag})
	}
	for _, ref := range w.Refs {
		terms = append(terms, store.Term{Name: "ref", Value: ref.String()})
	}
	for name, values := range w.Marks {
		if d.Attributes.Marks == nil {
			d.Attributes.Marks = map[string][][]byte{}
		}
		for _, v := range values {
			d.Attributes.Marks[name] = append(d.Attributes.Marks[name], []byte(v))
		}
	}
	doc, err := json.Marshal(d)
	if err != nil {
		panic(err)
	}
	var private []byte
	if w.Secret != "" {
		private = fmt.Appendf(nil, `{"secret":%q}`, w.Secret)
	}
	return store.Write{
		ID: w.ID, Doc: doc, Private: private,
		Cols:  []any{value(w.Name), value(w.Size), value(w.Live), value(w.At), value(w.Owner)},
		Terms: terms,
	}
}

// decode reads a widget from a record.
func decode(r store.Record) widget {
	var d document
	if err := json.Unmarshal(r.Doc, &d); err != nil {
		panic(fmt.Sprintf("document %q: %v", r.Doc, err))
	}
	a := d.Attributes
	w := widget{ID: r.ID, Size: a.Size, Live: a.Live, At: a.At, Owner: a.Owner, Refs: a.Refs}
	if a.Name != nil {
		w.Name = ptr(string(*a.Name))
	}
	for _, tag := range a.Tags {
		w.Tags = append(w.Tags, string(tag))
	}
	for name, values := range a.Marks {
		if w.Marks == nil {
			w.Marks = map[string][]string{}
		}
		for _, v := range values {
			w.Marks[name] = append(w.Marks[name], string(v))
		}
	}
	var p struct{ Secret string }
	if len(r.Private) > 0 {
		if err := json.Unmarshal(r.Private, &p); err != nil {
			panic(fmt.Sprintf("private part %q: %v", r.Private, err))
		}
	}
	w.Secret = p.Secret
	return w
}

// column returns the value of a column; nil for none.
func (w widget) column(name string) any {
	switch name {
	case "name":
		return value(w.Name)
	case "size":
		return value(w.Size)
	case "live":
		return value(w.Live)
	case "at":
		return value(w.At)
	case "owner":
		return value(w.Owner)
	}
	panic("no column " + name)
}

// least returns the mark that the widget is sorted by; nil for none.
func (w widget) least(name string) any {
	if len(w.Marks[name]) == 0 {
		return nil
	}
	return slices.Min(w.Marks[name])
}

func (w widget) terms(name string) []string {
	if name == "ref" {
		var texts []string
		for _, ref := range w.Refs {
			texts = append(texts, ref.String())
		}
		return texts
	}
	return w.Tags
}

// compare compares two values of one column; neither is nil.
func compare(a, b any) int {
	switch a := a.(type) {
	case string:
		return strings.Compare(a, b.(string))
	case int64:
		return cmp.Compare(a, b.(int64))
	case bool:
		number := map[bool]int{true: 1}
		return cmp.Compare(number[a], number[b.(bool)])
	case time.Time:
		return cmp.Compare(a.UnixMicro(), b.(time.Time).UnixMicro())
	}
	x, y := a.(store.ID), b.(store.ID)
	return bytes.Compare(x[:], y[:])
}

// match returns the meaning of the conditions, decided on the record itself.
func match(conds []store.Cond) func(store.Record) bool {
	return func(r store.Record) bool {
		w := decode(r)
		for _, c := range conds {
			if !w.holds(c) {
				return false
			}
		}
		return true
	}
}

func (w widget) holds(c store.Cond) bool {
	if len(c.Values) == 0 {
		return false
	}
	switch c.Op {
	case store.Is:
		have := w.column(c.Name)
		return slices.ContainsFunc(c.Values, func(v any) bool {
			if have == nil || v == nil {
				return have == nil && v == nil
			}
			return compare(have, v) == 0
		})
	case store.From:
		have := w.column(c.Name)
		return have != nil && c.Values[0] != nil && compare(have, c.Values[0]) >= 0
	case store.To:
		have := w.column(c.Name)
		return have != nil && c.Values[0] != nil && compare(have, c.Values[0]) <= 0
	case store.Has:
		return slices.ContainsFunc(w.terms(c.Name), func(have string) bool { return slices.Contains(c.Values, any(have)) })
	case store.HasPrefix:
		return slices.ContainsFunc(w.terms(c.Name), func(have string) bool { return strings.HasPrefix(have, c.Values[0].(string)) })
	case store.Marked:
		have := w.Marks[c.Name]
		return slices.ContainsFunc(c.Values, func(v any) bool {
			if v == nil {
				return len(have) == 0
			}
			return slices.Contains(have, v.(string))
		})
	case store.MarkedBetween:
		return slices.ContainsFunc(w.Marks[c.Name], func(have string) bool {
			return (c.Values[0] == nil || have >= c.Values[0].(string)) && (c.Values[1] == nil || have < c.Values[1].(string))
		})
	}
	panic(fmt.Sprintf("no comparison %d", c.Op))
}
