package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/landfallhq/tracking"
)

// fieldColumn is the prefix of the columns of custom fields, in imports and
// exports: custom_fields.po.
const fieldColumn = "custom_fields."

// definedFields returns the custom fields of an entity type, by slug.
func definedFields(ctx context.Context, tr *tracking.Tracker, of tracking.EntityType) ([]*tracking.CustomFieldDefinition, error) {
	list, _, err := tr.CustomFieldDefinitions(ctx, tracking.CustomFieldDefinitionQuery{EntityTypes: []tracking.EntityType{of}}, tracking.Page{})
	slices.SortFunc(list, func(a, b *tracking.CustomFieldDefinition) int { return strings.Compare(a.APISlug, b.APISlug) })
	return list, err
}

// findFields reads the custom fields of the account's shipments.
func (r *rowImport) findFields(ctx context.Context) error {
	r.fields = map[string]*tracking.CustomFieldDefinition{}
	list, err := definedFields(ctx, r.tracker, tracking.ShipmentEntity)
	for _, d := range list {
		r.fields[d.APISlug] = d
	}
	return err
}

// knowFields refuses a file with a column for an unknown field: every row would be
// refused.
func (r *rowImport) knowFields(columns map[string]int) error {
	var faults []error
	for _, name := range slices.Sorted(maps.Keys(columns)) {
		if slug, ok := strings.CutPrefix(name, fieldColumn); ok && r.fields[slug] == nil {
			faults = append(faults, fmt.Errorf("the first line has a column %q, but shipments have no custom field %q", name, slug))
		}
	}
	return errors.Join(faults...)
}

// fieldsOfRow returns the custom field values of a row; an empty cell is none.
func (r *rowImport) fieldsOfRow(columns map[string]int, cell func(string) string) (list []tracking.InitialCustomField) {
	for _, name := range slices.Sorted(maps.Keys(columns)) {
		slug, ok := strings.CutPrefix(name, fieldColumn)
		if text := cell(name); ok && text != "" {
			list = append(list, tracking.InitialCustomField{APISlug: slug, Value: fieldOfCell(r.fields[slug], text)})
		}
	}
	return list
}

// fieldOfCell converts a cell to the value of a field. The engine validates it.
func fieldOfCell(d *tracking.CustomFieldDefinition, text string) json.RawMessage {
	var value any = text
	switch typ := d.DataType; {
	case typ == tracking.EnumMultiField:
		value = listOf(text)
	case typ == tracking.ReferenceField:
		value = map[string]string{"type": d.ReferenceType, "id": text}
	case typ == tracking.BooleanField && slices.Contains([]string{"true", "yes", "1"}, strings.ToLower(text)):
		value = true
	case typ == tracking.BooleanField && slices.Contains([]string{"false", "no", "0"}, strings.ToLower(text)):
		value = false
	}
	data, _ := json.Marshal(value) // cannot fail for texts and booleans
	return data
}

// cellOfField renders the value of a field as a cell for fieldOfCell.
func cellOfField(d *tracking.CustomFieldDefinition, value json.RawMessage) (string, error) {
	if d.DataType != tracking.ReferenceField || value == nil {
		return cellOf(value)
	}
	var to struct{ ID string }
	err := json.Unmarshal(value, &to)
	return to.ID, err
}
