package tracking

import (
	"fmt"
	"slices"
	"strings"

	"github.com/landfallhq/tracking/internal/fieldtype"
	"github.com/landfallhq/tracking/store"
)

// FieldOp is the comparison of a FieldCondition.
type FieldOp string

// The comparisons. An entity without a value meets only FieldPresent with "false".
// FieldAfter to FieldTo are for numbers, dates and datetimes.
const (
	FieldIs      FieldOp = ""        // equal to one of the values; of an enum_multi, one of its items is
	FieldIn      FieldOp = "in"      // the same
	FieldAfter   FieldOp = "gt"      // greater or later than the value
	FieldFrom    FieldOp = "gte"     // the same, or equal to it
	FieldBefore  FieldOp = "lt"      // less or earlier than the value
	FieldTo      FieldOp = "lte"     // the same, or equal to it
	FieldPresent FieldOp = "present" // "true": there is a value; "false": there is none
)

// FieldCondition is one condition of a query on a custom field.
type FieldCondition struct {
	// Slug of a filterable definition of the listed entity type. For tracking requests,
	// definitions of tracking requests, shipments and containers are tried in this order.
	Slug string
	Op   FieldOp
	// Values in the form of a query, without quotes: "7.5", "2026-03-01", "true", the value
	// of an option, the ID of a record. FieldIs and FieldIn accept several and match any of
	// them; the others accept one.
	Values []string
}

// parameter returns the name of the condition in the interface.
func (c FieldCondition) parameter() string {
	name := "filter[custom_fields][" + c.Slug + "]"
	if c.Op != FieldIs {
		name += "[" + string(c.Op) + "]"
	}
	return name
}

// fieldSort is the prefix of the name of an Order by a custom field.
const fieldSort = "custom_fields."

// byFields adds to a filter the conditions on custom fields of a query, and its orders with
// the prefix custom_fields.
//
// Errors: BadQuery on filter[custom_fields][slug] and on sort if the entity type has no
// such slug, if it is not filterable, or if its data type does not support the comparison;
// Invalid on the former for an impossible value.
func byFields(tx *transaction, of EntityType, conds []FieldCondition, f *store.Filter) error {
	sorted := slices.ContainsFunc(f.Sort, func(o Order) bool { return strings.HasPrefix(o.Name, fieldSort) })
	if len(conds) == 0 && !sorted {
		return nil
	}
	fields, err := askedFields(tx, of, conds, f.Sort)
	if err != nil {
		return err
	}
	f.Where, f.Sort = slices.Clone(f.Where), slices.Clone(f.Sort)
	for i, o := range f.Sort {
		slug, ok := strings.CutPrefix(o.Name, fieldSort)
		if !ok {
			continue
		}
		field, err := fields.find(of, slug, "sort")
		if err != nil {
			return err
		}
		if !field.typ.Sortable {
			return badQuery("sort", "%s is %s, and lists cannot be sorted by it.", slug, field.typ)
		}
		f.Sort[i] = Order{Name: fieldMark(field.ID), Desc: o.Desc, Mark: true}
	}
	var ranges fieldRanges
	for _, c := range conds {
		field, err := fields.find(of, c.Slug, c.parameter())
		if err != nil {
			return err
		}
		if err := ranges.add(f, field, c); err != nil {
			return err
		}
	}
	f.Where = append(f.Where, ranges...)
	return nil
}

// askedField is a definition in a query.
type askedField struct {
	*CustomFieldDefinition
	typ *fieldtype.Type
}

type askedFieldList []askedField

// askedFields reads the definitions of all slugs in a query. Options are not checked,
// because lists can be filtered by the value of a deleted one.
func askedFields(tx *transaction, of EntityType, conds []FieldCondition, sort []Order) (list askedFieldList, err error) {
	var keys []string
	for _, meant := range alternativeTypes(of) {
		for _, c := range conds {
			keys = append(keys, slugKey(meant, c.Slug))
		}
		for _, o := range sort {
			if slug, ok := strings.CutPrefix(o.Name, fieldSort); ok {
				keys = append(keys, slugKey(meant, slug))
			}
		}
	}
	slices.Sort(keys)
	var w where[CustomFieldDefinition]
	w.Text("slug", slices.Compact(keys), func(d *CustomFieldDefinition) string { return slugKey(d.EntityType, d.APISlug) })
	definitions, err := customFieldDefinitions.All(tx, w)
	if err != nil {
		return nil, err
	}
	for _, d := range definitions {
		if d.deleted() {
			continue
		}
		typ, err := d.typeWith(nil)
		if err != nil {
			return nil, fmt.Errorf("tracking: the definition %s does not hold: %w", d.ID, err)
		}
		list = append(list, askedField{d, typ})
	}
	return list, nil
}

func (l askedFieldList) find(of EntityType, slug, parameter string) (askedField, error) {
	for _, meant := range alternativeTypes(of) {
		for _, f := range l {
			if f.APISlug != slug || f.EntityType != meant {
				continue
			}
			if !f.Filterable {
				return f, badQuery(parameter, "The custom field %s is not filterable.", slug)
			}
			return f, nil
		}
	}
	return askedField{}, badQuery(parameter, "There is no custom field %s of %s.", shorten(slug), of)
}

// fieldRanges are conditions MarkedBetween, one per definition, so that both limits of a
// field make one range of the index.
type fieldRanges []store.Cond

// add adds a condition to the filter, or to the range of its field.
func (r *fieldRanges) add(f *store.Filter, field askedField, c FieldCondition) error {
	mark := fieldMark(field.ID)
	if c.Op == FieldPresent {
		switch {
		case slices.Equal(c.Values, []string{"true"}):
			r.narrow(mark, nil, nil)
		case slices.Equal(c.Values, []string{"false"}):
			f.Where = append(f.Where, store.Cond{Name: mark, Op: store.Marked, Values: []any{nil}})
		default:
			return impossible(c, "The value must be true or false.")
		}
		return nil
	}
	keys := make([]any, len(c.Values))
	for i, text := range c.Values {
		key, err := field.typ.Key(text)
		if err != nil {
			return impossible(c, err.Error()+".")
		}
		keys[i] = key
	}
	if c.Op == FieldIs || c.Op == FieldIn {
		if len(keys) == 0 {
			return impossible(c, "The filter needs a value.")
		}
		f.Where = append(f.Where, store.Cond{Name: mark, Op: store.Marked, Values: keys})
		return nil
	}
	switch {
	case !field.typ.Ordered:
		return badQuery(c.parameter(), "%s is %s, whose values are not before or after each other; it can be filtered by its value, by [in] and by [present].", c.Slug, field.typ)
	case len(keys) != 1:
		return impossible(c, "The filter needs one value.")
	}
	// The next larger key is the key with the smallest character added.
	key := keys[0].(string)
	switch c.Op {
	case FieldAfter:
		r.narrow(mark, key+"\x00", nil)
	case FieldFrom:
		r.narrow(mark, key, nil)
	case FieldBefore:
		r.narrow(mark, nil, key)
	case FieldTo:
		r.narrow(mark, nil, key+"\x00")
	default:
		return badQuery(c.parameter(), "Custom fields have no comparison %s; there are gt, gte, lt, lte, in and present.", shorten(string(c.Op)))
	}
	return nil
}

// narrow narrows the range of a mark.
func (r *fieldRanges) narrow(mark string, from, before any) {
	i := slices.IndexFunc(*r, func(c store.Cond) bool { return c.Name == mark })
	if i < 0 {
		*r = append(*r, store.Cond{Name: mark, Op: store.MarkedBetween, Values: []any{from, before}})
		return
	}
	ends := (*r)[i].Values
	if from != nil && (ends[0] == nil || from.(string) > ends[0].(string)) {
		ends[0] = from
	}
	if before != nil && (ends[1] == nil || before.(string) < ends[1].(string)) {
		ends[1] = before
	}
}

// impossible refuses a value of a known filter.
func impossible(c FieldCondition, detail string) *Error {
	e := invalid(c.parameter(), "", "%s", detail)
	e.Title = "Invalid " + strings.TrimPrefix(strings.Replace(c.parameter(), "[custom_fields]", "custom_fields", 1), "filter")
	return e
}

// fieldMark is the name of the marks by which the values of a definition are found; see
// store.RecordTx.Mark. It has the ID of the definition and not the slug, so that a new
// definition with the slug of a deleted one has none of the old values.
func fieldMark(definition ID) string { return fieldMarks + definition.String() }

// fieldMarks is what the names of these marks begin with.
const fieldMarks = "cf."

// indexField writes the index of an entity by the value of a field: with the keys of
// fieldtype.Value, or with none when the value is deleted or the definition is not
// filterable. It must be called in the transaction that writes or deletes the value. The
// entity itself is not written.
func indexField(tx *transaction, entity *store.Kind, id, definition ID, typ *fieldtype.Type, keys []string) error {
	return asNotFound(tx.Records.Mark(tx, entity, id, store.Mark{Name: fieldMark(definition), Values: keys, Counted: typ.Counted}))
}
