package httpserver

import (
	"encoding/json"
	"net/http"
	"reflect"
)

// What bodies about custom fields hold beside the attributes of the resources.
type (
	newDefinitionBody struct {
		// EntityType is what the fields are of: Shipment, Container or TrackingRequest.
		EntityType string `json:"entity_type"`
		// DisplayName is the name for people.
		DisplayName string `json:"display_name"`
		// DataType of the values.
		DataType string `json:"data_type"`
		// APISlug is the name for programs. Defaults to one made of display_name.
		APISlug *string `json:"api_slug,omitempty"`
	}
	newCustomFieldBody struct {
		// APISlug of the definition.
		APISlug string `json:"api_slug"`
		// Value of the type that the definition has; null for none.
		Value json.RawMessage `json:"value"`
	}
	customFieldValueBody struct {
		// Value of the type that the definition has; null for none.
		Value json.RawMessage `json:"value"`
	}
	bulkCustomFieldsBody struct {
		// Atomic: all are set, or none.
		Atomic *bool `json:"atomic,omitempty"`
		// Data has 1 to 1,000 custom fields, each as the data of POST /custom_fields.
		Data []map[string]any `json:"data"`
	}
)

const (
	tagDefinitions  = "Custom field definitions"
	tagFields       = "Custom fields"
	setFieldDetails = "Made, or changed where the entity has the field already: 201 in both cases."
)

var (
	setCustomFieldBody    = &requestBody{typ: customFieldType, extra: reflect.TypeFor[newCustomFieldBody]()}
	updateCustomFieldBody = &requestBody{typ: customFieldType, extra: reflect.TypeFor[customFieldValueBody](), plainAllowed: true}
)

var customFieldOperations = map[string]operation{
	"GET /custom_field_definitions": {id: "listCustomFieldDefinitions", tag: tagDefinitions, summary: "List custom field definitions", response: listOf("custom_field_definition")},
	"POST /custom_field_definitions": {id: "createCustomFieldDefinition", tag: tagDefinitions, summary: "Create a custom field definition", response: created("custom_field_definition"),
		body: resourceBody("custom_field_definition", "description", "reference_type", "validation", "default_format", "default_value", "filterable").with(false, reflect.TypeFor[newDefinitionBody]())},
	"GET /custom_field_definitions/{id}": {id: "getCustomFieldDefinition", tag: tagDefinitions, summary: "Get a custom field definition", response: resourceOf("custom_field_definition")},
	"PATCH /custom_field_definitions/{id}": {id: "updateCustomFieldDefinition", tag: tagDefinitions, summary: "Update a custom field definition", response: resourceOf("custom_field_definition"),
		body:    resourceBody("custom_field_definition", "entity_type", "api_slug", "data_type", "reference_type", "display_name", "description", "validation", "default_format", "default_value", "filterable"),
		details: "entity_type, api_slug, data_type and reference_type cannot change: they may be sent as they are."},
	"DELETE /custom_field_definitions/{id}": {id: "deleteCustomFieldDefinition", tag: tagDefinitions, summary: "Delete a custom field definition", response: noContent(http.StatusOK), body: actionBody("custom_field_definition"), details: "Its values go with it."},

	"GET /custom_field_definitions/{definition_id}/options": {id: "listCustomFieldOptions", tag: tagDefinitions, summary: "List the options of a definition", response: listOf("custom_field_option")},
	"POST /custom_field_definitions/{definition_id}/options": {id: "createCustomFieldOption", tag: tagDefinitions, summary: "Create an option of a definition", response: created("custom_field_option"),
		body: resourceBody("custom_field_option", "label*", "value*", "position")},
	"GET /custom_field_definitions/{definition_id}/options/{option_id}": {id: "getCustomFieldOption", tag: tagDefinitions, summary: "Get an option of a definition", response: resourceOf("custom_field_option")},
	"PATCH /custom_field_definitions/{definition_id}/options/{option_id}": {id: "updateCustomFieldOption", tag: tagDefinitions, summary: "Update an option of a definition", response: resourceOf("custom_field_option"),
		body: resourceBody("custom_field_option", "label", "value", "position")},
	"DELETE /custom_field_definitions/{definition_id}/options/{option_id}": {id: "deleteCustomFieldOption", tag: tagDefinitions, summary: "Delete an option of a definition", response: noContent(http.StatusOK), body: actionBody("custom_field_option"),
		details: "Values that are stored stay."},

	"GET /custom_fields": {id: "listCustomFields", tag: tagFields, summary: "List custom fields", response: listOf(customFieldType)},
	"POST /custom_fields": {id: "setCustomField", tag: tagFields, summary: "Set a custom field", response: created(customFieldType), details: setFieldDetails,
		body: &requestBody{typ: customFieldType, extra: reflect.TypeFor[newCustomFieldBody](), relationship: "entity"}},
	"POST /custom_fields/bulk": {id: "setCustomFields", tag: tagFields, summary: "Set custom fields in bulk", response: plainObject[bulkFieldsDoc](), body: plainBody[bulkCustomFieldsBody](),
		details: "The results are in the order of the items."},
	"GET /custom_fields/{id}":         {id: "getCustomField", tag: tagFields, summary: "Get a custom field", response: resourceOf(customFieldType)},
	"GET /custom_fields/{id}/history": {id: "listCustomFieldChanges", tag: tagFields, summary: "List the changes of a custom field", response: listOf("custom_field_change"), details: "The last first."},
	"PATCH /custom_fields/{id}":       {id: "updateCustomField", tag: tagFields, summary: "Update a custom field", response: resourceOf(customFieldType), body: updateCustomFieldBody},
	"DELETE /custom_fields/{id}":      {id: "deleteCustomField", tag: tagFields, summary: "Delete a custom field", response: noContent(http.StatusOK), body: actionBody(customFieldType)},

	"GET /shipments/{shipment_id}/custom_fields":                               {id: "listShipmentCustomFields", tag: tagFields, summary: "List the custom fields of a shipment", response: listOf(customFieldType)},
	"POST /shipments/{shipment_id}/custom_fields":                              {id: "setShipmentCustomField", tag: tagFields, summary: "Set a custom field of a shipment", response: created(customFieldType), body: setCustomFieldBody, details: setFieldDetails},
	"PATCH /shipments/{shipment_id}/custom_fields/{api_slug}":                  {id: "updateShipmentCustomField", tag: tagFields, summary: "Update a custom field of a shipment", response: resourceOf(customFieldType), body: updateCustomFieldBody},
	"DELETE /shipments/{shipment_id}/custom_fields/{api_slug}":                 {id: "deleteShipmentCustomField", tag: tagFields, summary: "Delete a custom field of a shipment", response: noContent(http.StatusNoContent), body: actionBody(customFieldType)},
	"GET /containers/{container_id}/custom_fields":                             {id: "listContainerCustomFields", tag: tagFields, summary: "List the custom fields of a container", response: listOf(customFieldType)},
	"POST /containers/{container_id}/custom_fields":                            {id: "setContainerCustomField", tag: tagFields, summary: "Set a custom field of a container", response: created(customFieldType), body: setCustomFieldBody, details: setFieldDetails},
	"PATCH /containers/{container_id}/custom_fields/{api_slug}":                {id: "updateContainerCustomField", tag: tagFields, summary: "Update a custom field of a container", response: resourceOf(customFieldType), body: updateCustomFieldBody},
	"DELETE /containers/{container_id}/custom_fields/{api_slug}":               {id: "deleteContainerCustomField", tag: tagFields, summary: "Delete a custom field of a container", response: noContent(http.StatusNoContent), body: actionBody(customFieldType)},
	"GET /tracking_requests/{tracking_request_id}/custom_fields":               {id: "listTrackingRequestCustomFields", tag: tagFields, summary: "List the custom fields of a tracking request", response: listOf(customFieldType)},
	"POST /tracking_requests/{tracking_request_id}/custom_fields":              {id: "setTrackingRequestCustomField", tag: tagFields, summary: "Set a custom field of a tracking request", response: created(customFieldType), body: setCustomFieldBody, details: setFieldDetails},
	"PATCH /tracking_requests/{tracking_request_id}/custom_fields/{api_slug}":  {id: "updateTrackingRequestCustomField", tag: tagFields, summary: "Update a custom field of a tracking request", response: resourceOf(customFieldType), body: updateCustomFieldBody},
	"DELETE /tracking_requests/{tracking_request_id}/custom_fields/{api_slug}": {id: "deleteTrackingRequestCustomField", tag: tagFields, summary: "Delete a custom field of a tracking request", response: noContent(http.StatusNoContent), body: actionBody(customFieldType)},
}
