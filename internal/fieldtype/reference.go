package fieldtype

import (
	"encoding/json"
	"slices"

	"github.com/google/uuid"
)

// referenceTypes are the resource types that a reference may point to.
var referenceTypes = []string{"shipment", "container", "tracking_request", "party", "document"}

// reference is what a reference points to.
type reference struct {
	Type string    `json:"type"`
	ID   uuid.UUID `json:"id"`
}

// referenceField has no rules except the resource type.
type referenceField struct{ to string }

func newReferenceField(r *ruleReader) codec {
	r.noFormat()
	switch to := r.spec.ReferenceType; {
	case to == "":
		r.fail("reference_type", "blank", "Reference type can't be blank for a reference; there are %s", JoinNames(referenceTypes))
	case !slices.Contains(referenceTypes, to):
		r.fail("reference_type", "inclusion", "'%s' is no type that a reference can point to; there are %s", shortened(to), JoinNames(referenceTypes))
	}
	return fieldCodec[reference]{referenceField{r.spec.ReferenceType}}
}

// parse takes an object with type and id, as relationships have them.
func (f referenceField) parse(raw json.RawMessage) (reference, *Error) {
	if kind := jsonKind(raw); kind != "an object" {
		return reference{}, valueError("invalid_type", "Value must be an object with type and id, not %s", kind)
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(raw, &members); err != nil {
		return reference{}, valueError("invalid", "Value is not JSON")
	}
	var texts [2]string
	for i, name := range []string{"type", "id"} {
		text, fault := decodeString(members[name], "a string")
		if fault != nil {
			return reference{}, valueError("invalid_type", "Value must have the members type and id, and both must be strings")
		}
		texts[i] = text
	}
	if len(members) > 2 {
		return reference{}, valueError("invalid", "Value must have no members but type and id")
	}
	if texts[0] != f.to {
		return reference{}, valueError("inclusion", "Value must refer to a %s, not to a '%s'", f.to, shortened(texts[0]))
	}
	return f.parseText(texts[1])
}

func (f referenceField) parseText(text string) (reference, *Error) {
	id, err := uuid.Parse(text)
	if err != nil || len(text) != 36 {
		return reference{}, valueError("invalid", "Value must name its record by a UUID")
	}
	return reference{f.to, id}, nil
}

func (f referenceField) check(v reference, look Lookup) error {
	_, ok, err := look(v.Type, v.ID)
	if err == nil && !ok {
		return valueError("not_found", "There is no %s with the ID %s", f.to, v.ID)
	}
	return err
}

func (referenceField) empty(reference) bool { return false }
func (referenceField) store(v reference) json.RawMessage {
	return json.RawMessage(`{"type":"` + v.Type + `","id":"` + v.ID.String() + `"}`)
}
func (referenceField) keys(v reference) []string { return []string{v.ID.String()} }

// show returns the label of the record, or its ID if there is none.
func (f referenceField) show(v reference, look Lookup) (string, error) {
	if look == nil {
		return v.ID.String(), nil
	}
	label, ok, err := look(v.Type, v.ID)
	if err != nil || !ok || label == "" {
		label = v.ID.String()
	}
	return label, err
}
