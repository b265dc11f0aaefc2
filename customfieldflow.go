package tracking

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/internal/fieldtype"
	"github.com/landfallhq/tracking/internal/inference"
)

// InitialCustomFields are values that a tracking request sets on its shipment and
// containers (see docs/customfields.md#tracking-requests).
type InitialCustomFields struct {
	// Shipment values, by slugs of Shipment.
	Shipment []InitialCustomField
	// Containers values, by slugs of Container.
	Containers []InitialCustomField
}

// InitialCustomField is one of these values.
type InitialCustomField struct {
	APISlug string
	Value   json.RawMessage
	// Number of the container that gets the value, in any spelling; empty for all
	// containers, including later ones.
	Number string
}

// maxInitial bounds the values of a request.
const maxInitial = 1_000

// maxInitialFaults bounds the errors about such values in one response.
const maxInitialFaults = 20

// initialValue is a valid value of a request.
type initialValue struct {
	Definition ID         `json:"definition"`
	Of         EntityType `json:"of"`               // of the definition
	Number     string     `json:"number,omitempty"` // of its container; empty for all containers, and for shipments
	// Value as stored; nil for no value.
	Value json.RawMessage `json:"value,omitempty"`
	By    ID              `json:"by"` // the user who gave it to the request
	// Via is SetByImport for values from a file; empty otherwise.
	Via ChangeSource `json:"via,omitempty"`
}

// carriedSource is the source of a value that a request passes on.
func carriedSource(via ChangeSource) ChangeSource {
	if via == SetByImport {
		return via
	}
	return ""
}

// setInitialFields validates the values of a new request and stores them in it,
// with their source.
func (r *TrackingRequest) setInitialFields(tx *transaction, initial InitialCustomFields, via ChangeSource) error {
	if len(initial.Shipment)+len(initial.Containers) > maxInitial {
		return invalid("initial_custom_fields", "too_long", "Initial custom fields are more than %d", maxInitial)
	}
	var faults Errors
	for _, part := range []struct {
		field string
		of    EntityType
		list  []InitialCustomField
	}{{"shipment", ShipmentEntity, initial.Shipment}, {"containers", ContainerEntity, initial.Containers}} {
		for i, f := range part.list {
			at := fmt.Sprintf("initial_custom_fields.%s[%d].", part.field, i)
			err := r.setInitialField(tx, part.of, f, via)
			if fault := (*Error)(nil); errors.As(err, &fault) && fault.Kind == Invalid {
				again := *fault
				again.Field = at + fault.Field
				if faults = append(faults, &again); len(faults) == maxInitialFaults {
					return faults
				}
			} else if err != nil {
				return err
			}
		}
	}
	return faults.or()
}

func (r *TrackingRequest) setInitialField(tx *transaction, of EntityType, f InitialCustomField, via ChangeSource) error {
	number := freight.FoldNumber(f.Number)
	if f.Number != "" && of == ShipmentEntity {
		return invalid("number", "not_allowed", "Number names a container; the shipment has none")
	}
	if len(f.Number) > maxNumber || f.Number != "" && !inference.IsContainer(number) {
		return invalid("number", "invalid", "Number must be that of a container, four letters and seven digits, or empty for all containers")
	}
	d, typ, err := tx.initialField(of, f.APISlug)
	if err != nil {
		return err
	}
	if len(f.Value) == 0 {
		return invalid("value", "blank", "Value is missing; null is no value")
	}
	v, err := typ.Parse(f.Value, tx.lookUp)
	if err != nil {
		return asFieldError(err)
	}
	carried := initialValue{Definition: d.ID, Of: of, Number: number, Value: fieldtype.Compact(v.JSON), By: r.User, Via: carriedSource(via)}
	if slices.ContainsFunc(r.InitialFields, carried.same) {
		return invalid("api_slug", "taken", "'%s' is there twice", f.APISlug)
	}
	r.InitialFields = append(r.InitialFields, carried)
	return nil
}

// initialField is a definition with its type, read once per transaction.
type initialField struct {
	definition *CustomFieldDefinition
	typ        *fieldtype.Type
}

// initialField returns the definition for a slug. A hundred requests may have a
// hundred thousand values, so each definition is read once.
func (tx *transaction) initialField(of EntityType, slug string) (*CustomFieldDefinition, *fieldtype.Type, error) {
	key := string(of) + "/" + slug
	if known, ok := tx.initialFields[key]; ok {
		return known.definition, known.typ, nil
	}
	d, err := definitionFor(tx, of, slug)
	if err != nil {
		return nil, nil, err
	}
	typ, err := d.fieldType(tx)
	if err != nil {
		return nil, nil, err
	}
	if tx.initialFields == nil {
		tx.initialFields = map[string]initialField{}
	}
	tx.initialFields[key] = initialField{d, typ}
	return d, typ, nil
}

// same reports whether both are for the same field of the same containers.
func (c initialValue) same(other initialValue) bool {
	return c.Definition == other.Definition && c.Number == other.Number
}

// passInitialFields adds the initial values of the request, and the values it was given
// since, to the shipment's owed values. The shipment stores those for containers, because
// later containers get them too. The caller writes the shipment and then calls
// applyInitialFields.
func (r *TrackingRequest) passInitialFields(tx *transaction, s *Shipment) error {
	carried := slices.Clone(r.InitialFields)
	own, err := customFields.All(tx, CustomFieldQuery{Entities: []ID{r.ID}}.where())
	if err != nil {
		return err
	}
	for _, f := range slices.Backward(own) { // in the order in which they were made
		d, err := definition(tx, f.Definition)
		if isNotFound(err) {
			continue
		}
		if err != nil {
			return err
		}
		if d.EntityType != TrackingRequestEntity {
			carried = append(carried, initialValue{Definition: d.ID, Of: d.EntityType, Value: f.Value, By: f.UpdatedBy, Via: carriedSource(f.Source)})
		}
	}
	// A value for one container counts before one for all.
	slices.SortStableFunc(carried, func(a, b initialValue) int { return min(len(a.Number), 1) - min(len(b.Number), 1) })
	for _, c := range carried {
		s.owed = append(slices.DeleteFunc(slices.Clone(s.owed), c.same), c)
		if c.Of == ContainerEntity {
			s.BoxFields = append(slices.DeleteFunc(slices.Clone(s.BoxFields), c.same), c)
		}
	}
	return nil
}

// applyInitialFields writes the owed values of a shipment and its containers, and the
// default values of new ones: made reports whether the shipment is new, fresh which
// containers are. All of them are stored already.
func (s *Shipment) applyInitialFields(tx *transaction, made bool, fresh map[ID]bool) error {
	owed := s.owed
	s.owed = nil
	if len(owed) == 0 && !made && len(fresh) == 0 {
		return nil // as in nearly every update
	}
	self := Ref{Type: shipments.Kind.Name, ID: s.ID}
	if err := applyInitialValues(tx, owed, self, ShipmentEntity, ""); err != nil {
		return err
	}
	if made {
		if err := applyDefaults(tx, ShipmentEntity, self); err != nil {
			return err
		}
	}
	var begin []Ref
	for i, id := range s.Containers {
		container, list := Ref{Type: containers.Kind.Name, ID: id}, owed
		if fresh[id] {
			begin, list = append(begin, container), s.BoxFields
		}
		if err := applyInitialValues(tx, list, container, ContainerEntity, s.ContainerNumbers[i]); err != nil {
			return err
		}
	}
	if len(begin) == 0 {
		return nil
	}
	return applyDefaults(tx, ContainerEntity, begin...)
}

// applyInitialValues sets the values of a list that are for an entity; the last one for
// each field counts. They are not validated again, and those of deleted definitions are
// skipped.
func applyInitialValues(tx *transaction, list []initialValue, entity Ref, of EntityType, number string) error {
	if len(list) == 0 {
		return nil
	}
	given := map[ID]bool{}
	for _, c := range slices.Backward(list) {
		if c.Of != of || c.Number != "" && c.Number != number || given[c.Definition] {
			continue
		}
		given[c.Definition] = true
		d, err := definition(tx, c.Definition)
		if isNotFound(err) {
			continue
		}
		if err != nil {
			return err
		}
		to := fieldSetting{definition: d, entity: entity, by: c.By, source: cmp.Or(c.Via, SetByTrackingRequest)}
		if err := to.reapply(tx, c.Value); err != nil {
			return err
		}
	}
	return nil
}

// applyDefaults sets the default values of new entities that have no value yet. A default
// that its definition does not allow now is skipped.
func applyDefaults(tx *transaction, e EntityType, to ...Ref) error {
	q := CustomFieldDefinitionQuery{EntityTypes: []EntityType{e}}.where()
	q.Bool("has_default", true, (*CustomFieldDefinition).hasDefault)
	list, err := customFieldDefinitions.All(tx, q)
	if err != nil {
		return err
	}
	for _, d := range slices.Backward(list) {
		for _, entity := range to {
			_, err := tx.Records.Get(tx, customFields.Kind, customFieldID(entity.ID, d.ID))
			if err == nil {
				continue
			}
			if !isNotFound(err) {
				return err
			}
			_, err = fieldSetting{definition: d, entity: entity, source: SetByDefault}.check(tx, d.DefaultValue)
			if err != nil && !errors.As(err, new(*Error)) {
				return err
			}
		}
	}
	return nil
}
