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

// fieldColumn begins the names of columns for the account's own fields of
// shipments: custom_fields.po.
const fieldColumn = "custom_fields."

// findFields reads which fields of shipments the account has, by slug.
func (r *rowImport) findFields(ctx context.Context) error {
	r.fields = map[string]tracking.DataType{}
	list, _, err := r.tracker.CustomFieldDefinitions(ctx, tracking.CustomFieldDefinitionQuery{EntityTypes: []tracking.EntityType{tracking.ShipmentEntity}}, tracking.Page{})
	for _, d := range list {
		r.fields[d.APISlug] = d.DataType
	}
	return err
}

// knowFields refuses a file with a column for a field that there is not: every row
// would be refused for it.
func (r *rowImport) knowFields(columns map[string]int) error {
	var faults []error
	for _, name := range slices.Sorted(maps.Keys(columns)) {
		if slug, ok := strings.CutPrefix(name, fieldColumn); ok && r.fields[slug] == "" {
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
			list = append(list, tracking.InitialCustomField{APISlug: slug, Value: fieldCell(r.fields[slug], text)})
		}
	}
	return list
}

// fieldCell is a cell as the value of a field. What it should not be, the rules of
// the field refuse.
func fieldCell(typ tracking.DataType, text string) json.RawMessage {
	var value any = text
	switch {
	case typ == tracking.EnumMultiField:
		value = listOf(text)
	case typ == tracking.BooleanField && slices.Contains([]string{"true", "yes", "1"}, strings.ToLower(text)):
		value = true
	case typ == tracking.BooleanField && slices.Contains([]string{"false", "no", "0"}, strings.ToLower(text)):
		value = false
	}
	data, _ := json.Marshal(value) // texts, lists of them and booleans
	return data
}
