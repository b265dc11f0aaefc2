package dashboard

import (
	"context"
	"slices"
	"strings"

	"github.com/landfallhq/tracking"
)

// definedFields returns the custom fields of an entity type, by their names.
func (req *request) definedFields(ctx context.Context, of tracking.EntityType) ([]*tracking.CustomFieldDefinition, error) {
	list, _, err := req.t.CustomFieldDefinitions(ctx, tracking.CustomFieldDefinitionQuery{EntityTypes: []tracking.EntityType{of}}, tracking.Page{})
	slices.SortFunc(list, func(a, b *tracking.CustomFieldDefinition) int {
		return strings.Compare(strings.ToLower(a.DisplayName), strings.ToLower(b.DisplayName))
	})
	return list, err
}

// fieldValues are the custom fields of a record, by slug.
type fieldValues map[string]*tracking.CustomField

// valuesOf returns the values of records, by record. Without fields it reads nothing.
func (req *request) valuesOf(ctx context.Context, fields []*tracking.CustomFieldDefinition, ids []tracking.ID) (map[tracking.ID]fieldValues, error) {
	if len(fields) == 0 || len(ids) == 0 {
		return nil, nil //nolint:nilnil // there are none
	}
	q := tracking.CustomFieldQuery{Entities: ids}
	for _, d := range fields {
		q.Definitions = append(q.Definitions, d.ID)
	}
	list, _, err := req.t.CustomFields(ctx, q, tracking.Page{})
	values := map[tracking.ID]fieldValues{}
	for _, v := range list {
		if values[v.Entity.ID] == nil {
			values[v.Entity.ID] = fieldValues{}
		}
		values[v.Entity.ID][v.APISlug] = v
	}
	return values, err
}

// fieldColumns are the columns of custom fields.
func fieldColumns[R record](fields []*tracking.CustomFieldDefinition, values func(R) fieldValues) []column[R] {
	list := make([]column[R], 0, len(fields))
	for _, d := range fields {
		c := column[R]{name: fieldPrefix + d.APISlug, label: d.DisplayName, numeric: d.DataType == tracking.NumberField}
		if d.Filterable && d.DataType != tracking.EnumMultiField && d.DataType != tracking.ReferenceField {
			c.sort = fieldPrefix + d.APISlug
		}
		c.cell = func(r R) cell {
			v := values(r)[d.APISlug]
			if v == nil {
				return cell{Numeric: c.numeric}
			}
			return cell{Text: v.DisplayValue, Numeric: c.numeric}
		}
		list = append(list, c)
	}
	return list
}

// fieldsOf returns the definitions of the chosen columns.
func fieldsOf[R record](fields []*tracking.CustomFieldDefinition, chosen []column[R]) []*tracking.CustomFieldDefinition {
	return slices.DeleteFunc(slices.Clone(fields), func(d *tracking.CustomFieldDefinition) bool {
		return !slices.ContainsFunc(chosen, func(c column[R]) bool { return c.name == fieldPrefix+d.APISlug })
	})
}

// fieldFilters are the filters of custom fields.
func (req *request) fieldFilters(ctx context.Context, fields []*tracking.CustomFieldDefinition) ([]filter, error) {
	var list []filter
	for _, d := range fields {
		if !d.Filterable {
			continue
		}
		f := filter{name: fieldPrefix + d.APISlug, label: d.DisplayName, kind: fieldFilter}
		options, err := req.optionsOf(ctx, d)
		if err != nil {
			return nil, err
		}
		f.options = options
		list = append(list, f)
	}
	return list, nil
}

// optionsOf returns the values that a field can have; nil if it can have others.
func (req *request) optionsOf(ctx context.Context, d *tracking.CustomFieldDefinition) (list []option, err error) {
	switch d.DataType {
	case tracking.BooleanField:
		return req.texts.flags(), nil
	case tracking.EnumField, tracking.EnumMultiField:
		options, _, err := req.t.CustomFieldOptions(ctx, tracking.CustomFieldOptionQuery{Definition: d.ID}, tracking.Page{})
		for _, o := range options {
			list = append(list, option{Value: o.Value, Label: o.Label})
		}
		return list, err
	}
	return nil, nil
}
