package classify

import (
	"encoding/json"

	"github.com/landfallhq/tracking"
)

type object = map[string]any

// schema makes the JSON Schema of a type's fields from its rules.
func schema(r rules) json.RawMessage {
	s := object{
		"$schema":     "https://json-schema.org/draft/2020-12/schema",
		"$id":         r.code + "@" + r.version,
		"title":       r.label,
		"description": r.description,
		"type":        "object",
		"properties":  properties(r.fields),
		// No field is required: a document has what it has.
		"additionalProperties": false,
	}
	b, err := json.Marshal(s)
	if err != nil {
		panic(err) // the rules are constants
	}
	return b
}

func properties(fields []field) object {
	all := object{}
	for _, f := range fields {
		switch {
		case f.parts != nil:
		case f.kind == tracking.FieldTable:
			all[f.name] = object{"title": f.label, "type": "array", "items": object{
				"type": "object", "properties": properties(f.columns), "additionalProperties": false,
			}}
		default:
			members := object{
				"read_confidence":   object{"type": "number", "minimum": 0, "maximum": 1, "description": "confidence of the reading alone, where a check of the value has changed it"},
				"corrected":         object{"const": true, "description": "a person entered the value; page and box are those of what was read"},
				"layout_correction": object{"type": "string", "format": "uuid", "description": "the correction of another document of the same layout that says where the value is printed"},
				"value":             object{"type": "string", "description": "as printed"},
				"normalized":        normalSchema(f),
				"confidence":        object{"type": "number", "minimum": 0, "maximum": 1},
				"page":              object{"type": "integer", "minimum": 1},
				"box":               object{"type": "array", "items": object{"type": "number"}, "minItems": 4, "maxItems": 4, "description": "left, top, right and bottom in points from the page's top left corner"},
			}
			if f.kind == tracking.FieldDate || f.kind == tracking.FieldTime {
				members["alternatives"] = object{"type": "array", "items": normalSchema(f), "minItems": 1, "description": "other dates that the same print can be, where nothing on the document decides"}
			}
			all[f.name] = object{"title": f.label, "type": "object",
				"properties": members,
				"required":   []string{"value", "normalized", "confidence", "page", "box"}, "additionalProperties": false,
			}
		}
	}
	return all
}

// normalSchema is the form of a field's normalized value.
func normalSchema(f field) object {
	text := func(pattern string) object { return object{"type": []string{"string", "null"}, "pattern": pattern} }
	switch f.kind {
	case tracking.FieldDate:
		return object{"type": []string{"string", "null"}, "format": "date"}
	case tracking.FieldTime:
		return text(`^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2})?$`)
	case tracking.FieldPlace:
		return object{"type": []string{"string", "null"}, "pattern": `^[A-Z]{2}[A-Z0-9]{3}$`, "description": "UN/LOCODE"}
	case tracking.FieldCarrier:
		return object{"type": []string{"string", "null"}, "pattern": `^[A-Z0-9]{4}$`, "description": "SCAC"}
	case tracking.FieldShip:
		return object{"type": []string{"string", "null"}, "pattern": `^\d{7}$`, "description": "IMO number"}
	case tracking.FieldContainer:
		return object{"type": []string{"string", "null"}, "pattern": `^[A-Z]{3}[UJZ]\d{7}$`, "description": "ISO 6346"}
	case tracking.FieldCount:
		kind := "integer"
		if f.loose {
			kind = "number"
		}
		return object{"type": []string{kind, "null"}, "minimum": 0}
	case tracking.FieldQuantity:
		units := []string{"kg", "lb"}
		if f.name == "volume" {
			units = []string{"m3", "ft3"}
		}
		return object{"type": []string{"object", "null"}, "properties": object{"value": object{"type": "number"}, "unit": object{"enum": units}},
			"required": []string{"value", "unit"}, "additionalProperties": false}
	case tracking.FieldMoney:
		return object{"type": []string{"object", "null"}, "properties": object{
			"amount": object{"type": "string", "pattern": `^\d+(\.\d+)?$`}, "currency": object{"type": "string", "pattern": "^[A-Z]{3}$"},
		}, "required": []string{"amount"}, "additionalProperties": false}
	}
	return object{"type": []string{"string", "null"}}
}
