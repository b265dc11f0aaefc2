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

// fieldColumn begins the names of columns for the account's own fields, in what is
// imported and what is exported: custom_fields.po.
const fieldColumn = "custom_fields."

// definedFields are the account's own fields of an entity type, by their slugs.
func definedFields(ctx context.Context, tr *tracking.Tracker, of tracking.EntityType) ([]*tracking.CustomFieldDefinition, error) {
	list, _, err := tr.CustomFieldDefinitions(ctx, tracking.CustomFieldDefinitionQuery{EntityTypes: []tracking.EntityType{of}}, tracking.Page{})
	slices.SortFunc(list, func(a, b *tracking.CustomFieldDefinition) int { return strings.Compare(a.APISlug, b.APISlug) })
	return list, err
}

// findFields reads which fields of shipments the account has, by slug.
func (r *rowImport) findFields(ctx context.Context) error {
	r.fields = map[string]*tracking.CustomFieldDefinition{}
	list, err := definedFields(ctx, r.tracker, tracking.ShipmentEntity)
	for _, d := range list {
		r.fields[d.APISlug] = d
	}
	return err
}

// knowFields refuses a file with a column for a field that there is not: every row
// would be refused for it.
func (r *rowImport) knowFields(columns map[string]int) error {
	var faults []error
	for _, name := range slices.Sorted(maps.Keys(columns)) {
		if slug, ok := strings.CutPrefix(name, fieldColumn); ok && r.fields[slug] == nil {
			faults = append(faults, fmt.Errorf("the first line names a column %q; shipments have no custom field %q", name, slug))
		}
	}
	return errors.Join(faults...)
}

// fieldsOfRow are the values in the cells of a row; an empty cell is none.
func (r *rowImport) fieldsOfRow(columns map[string]int, cell func(string) string) (list []tracking.InitialCustomField) {
	for _, name := range slices.Sorted(maps.Keys(columns)) {
		slug, ok := strings.CutPrefix(name, fieldColumn)
		if text := cell(name); ok && text != "" {
			list = append(list, tracking.InitialCustomField{APISlug: slug, Value: fieldOfCell(r.fields[slug], text)})
		}
	}
	return list
}

// fieldOfCell is a cell as the value of a field. What it should not be, the rules of
// the field refuse.
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
	data, _ := json.Marshal(value) // texts, several of them and booleans
	return data
}

// cellOfField is the value of a field as a cell, which fieldOfCell reads.
func cellOfField(d *tracking.CustomFieldDefinition, value json.RawMessage) (string, error) {
	if d.DataType != tracking.ReferenceField || value == nil {
		return cellOf(value)
	}
	var to struct{ ID string }
	err := json.Unmarshal(value, &to)
	return to.ID, err
}
