package httpserver

import (
	"encoding/json"
	"net/http"
	"reflect"
)

// What bodies about custom fields hold beside the attributes of the resources.
type (
	definitionMade struct {
		// EntityType is what the fields are of: Shipment, Container or TrackingRequest.
		EntityType string `json:"entity_type"`
		// DisplayName is the name for people.
		DisplayName string `json:"display_name"`
		// DataType of the values.
		DataType string `json:"data_type"`
		// APISlug is the name for programs. Defaults to one made of display_name.
		APISlug *string `json:"api_slug,omitempty"`
	}
	customFieldSet struct {
		// APISlug of the definition.
		APISlug string `json:"api_slug"`
		// Value of the type that the definition has; null for none.
		Value json.RawMessage `json:"value"`
	}
	customFieldChange struct {
		// Value of the type that the definition has; null for none.
		Value json.RawMessage `json:"value"`
	}
	customFieldsBulk struct {
		// Atomic: all are set, or none.
		Atomic *bool `json:"atomic,omitempty"`
		// Data has 1 to 1,000 custom fields, each as the data of POST /custom_fields.
		Data []map[string]any `json:"data"`
	}
)

const (
	tagDefinitions = "Custom field definitions"
	tagFields      = "Custom fields"
	setsField      = "Made, or changed where the entity has the field already: 201 in both cases."
)

var (
	setsCustomField    = &body{typ: customFieldType, own: reflect.TypeFor[customFieldSet]()}
	changesCustomField = &body{typ: customFieldType, own: reflect.TypeFor[customFieldChange](), plain: true}
)

var customFieldOperations = map[string]operation{
	"GET /custom_field_definitions": {id: "listCustomFieldDefinitions", tag: tagDefinitions, does: "List custom field definitions", gives: many("custom_field_definition")},
	"POST /custom_field_definitions": {id: "createCustomFieldDefinition", tag: tagDefinitions, does: "Create a custom field definition", gives: made("custom_field_definition"),
		body: makes("custom_field_definition", "description", "reference_type", "validation", "default_format", "default_value", "filterable").with(false, reflect.TypeFor[definitionMade]())},
	"GET /custom_field_definitions/{id}": {id: "getCustomFieldDefinition", tag: tagDefinitions, does: "Get a custom field definition", gives: one("custom_field_definition")},
	"PATCH /custom_field_definitions/{id}": {id: "updateCustomFieldDefinition", tag: tagDefinitions, does: "Update a custom field definition", gives: one("custom_field_definition"),
		body: changes("custom_field_definition", "entity_type", "api_slug", "data_type", "reference_type", "display_name", "description", "validation", "default_format", "default_value", "filterable"),
		more: "entity_type, api_slug, data_type and reference_type cannot change: they may be sent as they are."},
	"DELETE /custom_field_definitions/{id}": {id: "deleteCustomFieldDefinition", tag: tagDefinitions, does: "Delete a custom field definition", gives: nothing(http.StatusOK), body: acts("custom_field_definition"), more: "Its values go with it."},

	"GET /custom_field_definitions/{definition_id}/options": {id: "listCustomFieldOptions", tag: tagDefinitions, does: "List the options of a definition", gives: many("custom_field_option")},
	"POST /custom_field_definitions/{definition_id}/options": {id: "createCustomFieldOption", tag: tagDefinitions, does: "Create an option of a definition", gives: made("custom_field_option"),
		body: makes("custom_field_option", "label*", "value*", "position")},
	"GET /custom_field_definitions/{definition_id}/options/{option_id}": {id: "getCustomFieldOption", tag: tagDefinitions, does: "Get an option of a definition", gives: one("custom_field_option")},
	"PATCH /custom_field_definitions/{definition_id}/options/{option_id}": {id: "updateCustomFieldOption", tag: tagDefinitions, does: "Update an option of a definition", gives: one("custom_field_option"),
		body: changes("custom_field_option", "label", "value", "position")},
	"DELETE /custom_field_definitions/{definition_id}/options/{option_id}": {id: "deleteCustomFieldOption", tag: tagDefinitions, does: "Delete an option of a definition", gives: nothing(http.StatusOK), body: acts("custom_field_option"),
		more: "Values that are stored stay."},

	"GET /custom_fields": {id: "listCustomFields", tag: tagFields, does: "List custom fields", gives: many(customFieldType)},
	"POST /custom_fields": {id: "setCustomField", tag: tagFields, does: "Set a custom field", gives: made(customFieldType), more: setsField,
		body: &body{typ: customFieldType, own: reflect.TypeFor[customFieldSet](), related: "entity"}},
	"POST /custom_fields/bulk": {id: "setCustomFields", tag: tagFields, does: "Set custom fields in bulk", gives: object[bulkAnswer](), body: bare[customFieldsBulk](),
		more: "The results are in the order of the items."},
	"GET /custom_fields/{id}":         {id: "getCustomField", tag: tagFields, does: "Get a custom field", gives: one(customFieldType)},
	"GET /custom_fields/{id}/history": {id: "listCustomFieldChanges", tag: tagFields, does: "List the changes of a custom field", gives: many("custom_field_change"), more: "The last first."},
	"PATCH /custom_fields/{id}":       {id: "updateCustomField", tag: tagFields, does: "Update a custom field", gives: one(customFieldType), body: changesCustomField},
	"DELETE /custom_fields/{id}":      {id: "deleteCustomField", tag: tagFields, does: "Delete a custom field", gives: nothing(http.StatusOK), body: acts(customFieldType)},

	"GET /shipments/{shipment_id}/custom_fields":                               {id: "listShipmentCustomFields", tag: tagFields, does: "List the custom fields of a shipment", gives: many(customFieldType)},
	"POST /shipments/{shipment_id}/custom_fields":                              {id: "setShipmentCustomField", tag: tagFields, does: "Set a custom field of a shipment", gives: made(customFieldType), body: setsCustomField, more: setsField},
	"PATCH /shipments/{shipment_id}/custom_fields/{api_slug}":                  {id: "updateShipmentCustomField", tag: tagFields, does: "Update a custom field of a shipment", gives: one(customFieldType), body: changesCustomField},
	"DELETE /shipments/{shipment_id}/custom_fields/{api_slug}":                 {id: "deleteShipmentCustomField", tag: tagFields, does: "Delete a custom field of a shipment", gives: nothing(http.StatusNoContent), body: acts(customFieldType)},
	"GET /containers/{container_id}/custom_fields":                             {id: "listContainerCustomFields", tag: tagFields, does: "List the custom fields of a container", gives: many(customFieldType)},
	"POST /containers/{container_id}/custom_fields":                            {id: "setContainerCustomField", tag: tagFields, does: "Set a custom field of a container", gives: made(customFieldType), body: setsCustomField, more: setsField},
	"PATCH /containers/{container_id}/custom_fields/{api_slug}":                {id: "updateContainerCustomField", tag: tagFields, does: "Update a custom field of a container", gives: one(customFieldType), body: changesCustomField},
	"DELETE /containers/{container_id}/custom_fields/{api_slug}":               {id: "deleteContainerCustomField", tag: tagFields, does: "Delete a custom field of a container", gives: nothing(http.StatusNoContent), body: acts(customFieldType)},
	"GET /tracking_requests/{tracking_request_id}/custom_fields":               {id: "listTrackingRequestCustomFields", tag: tagFields, does: "List the custom fields of a tracking request", gives: many(customFieldType)},
	"POST /tracking_requests/{tracking_request_id}/custom_fields":              {id: "setTrackingRequestCustomField", tag: tagFields, does: "Set a custom field of a tracking request", gives: made(customFieldType), body: setsCustomField, more: setsField},
	"PATCH /tracking_requests/{tracking_request_id}/custom_fields/{api_slug}":  {id: "updateTrackingRequestCustomField", tag: tagFields, does: "Update a custom field of a tracking request", gives: one(customFieldType), body: changesCustomField},
	"DELETE /tracking_requests/{tracking_request_id}/custom_fields/{api_slug}": {id: "deleteTrackingRequestCustomField", tag: tagFields, does: "Delete a custom field of a tracking request", gives: nothing(http.StatusNoContent), body: acts(customFieldType)},
}
