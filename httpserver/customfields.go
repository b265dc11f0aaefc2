package httpserver

import (
	"encoding/json"
	"errors"
	"net/http"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/jsonapi"
)

const customFieldType = "custom_field"

var takesCustomFields = jsonapi.Accept{
	Page: true, PageSize: 25, Include: true,
	Filters: []string{"entity_type", "entity_id", "definition_id"},
}

func customFieldQuery(f *filters) tracking.Query {
	return tracking.CustomFieldQuery{EntityTypes: f.entityTypes(), Entities: f.ids("entity_id"), Definitions: f.ids("definition_id")}
}

// entityTypes are the resource types that have custom fields.
var entityTypes = []string{"shipment", "container", "tracking_request"}

// entityKeys name the entities in paths.
var entityKeys = map[tracking.EntityType]string{
	tracking.ShipmentEntity: "shipment_id", tracking.ContainerEntity: "container_id", tracking.TrackingRequestEntity: "tracking_request_id",
}

// entity is the one that the path names.
func (c *call) entity(e tracking.EntityType) tracking.Entity {
	return tracking.Entity{Type: e, ID: c.idNamed(entityKeys[e])}
}

func customFieldsOf(e tracking.EntityType) func(*call) error {
	return func(c *call) error {
		return c.nested(func() (tracking.Query, error) { return c.t.CustomFieldsOf(c.ctx(), c.entity(e)) })
	}
}

func customFieldHistory(c *call) error {
	return c.nested(func() (tracking.Query, error) { return c.t.CustomFieldHistoryOf(c.ctx(), c.pathID()) })
}

// rawValue is a value as the engine takes it: nil when it is missing.
func rawValue(o jsonapi.Optional[json.RawMessage]) json.RawMessage {
	if o.Null {
		return json.RawMessage("null")
	}
	return o.Value
}

// newCustomField reads a value without its entity.
func newCustomField(in *input) tracking.NewCustomField {
	in.Type(customFieldType)
	return tracking.NewCustomField{APISlug: in.String("api_slug").Value, Value: rawValue(in.Raw("value")), Once: in.once}
}

// setCustomFieldOf sets a value of the entity in the path. The answer is 201 whether
// there was a value or not, as in the published interface.
func setCustomFieldOf(e tracking.EntityType) func(*call) error {
	return func(c *call) error {
		in, err := c.resource()
		if err != nil {
			return err
		}
		if err := noEntity(in); err != nil {
			return err
		}
		n := newCustomField(in)
		n.Entity = c.entity(e)
		err = c.setCustomField(in, n)
		if fault := (*tracking.Error)(nil); errors.As(err, &fault) && fault.Field == "relationships/entity" {
			return &tracking.Error{Kind: tracking.NotFound} // it is the path that is wrong
		}
		return err
	}
}

// noEntity refuses a body that names an entity: the path names it.
func noEntity(in *input) error {
	if !in.ToOne("entity").Set {
		return nil
	}
	return &tracking.Error{Kind: tracking.Invalid, Field: "relationships/entity", Code: "not_allowed",
		Detail: "The entity is the one of the path: send no relationships.entity."}
}

// setCustomField sets a value of the entity that the body names.
func setCustomField(c *call) error {
	in, err := c.resource()
	if err != nil {
		return err
	}
	n := newCustomField(in)
	if n.Entity, err = entityOf(in); err != nil {
		return err
	}
	return c.setCustomField(in, n)
}

// entityOf reads relationships.entity.
func entityOf(in *input) (tracking.Entity, error) {
	entity := in.ToOne("entity", entityTypes...)
	if err := in.Err(); err != nil {
		return tracking.Entity{}, err
	}
	if !entity.Given() {
		return tracking.Entity{}, &tracking.Error{Kind: tracking.Invalid, Field: "relationships/entity", Code: "blank",
			Detail: "relationships.entity is required: the shipment, container or tracking_request that the value is of."}
	}
	return tracking.Entity{Type: tracking.EntityTypeOf(entity.Value.Type), ID: parseID(entity.Value.ID)}, nil
}

func (c *call) setCustomField(in *input, n tracking.NewCustomField) error {
	if err := in.Err(); err != nil {
		return err
	}
	f, err := c.t.SetCustomField(c.ctx(), n)
	if err != nil {
		return err
	}
	c.w.Header().Set("Location", c.selves[customFieldType]+f.ID.String())
	return c.written(http.StatusCreated, customFieldType, f.ID)
}

// newValue reads another value for a field: {"value": ...}, as the attributes of a
// document or as a plain object.
func (c *call) newValue() (*input, tracking.CustomFieldUpdate, error) {
	in, err := c.versionedMembers(customFieldType)
	if err != nil {
		return nil, tracking.CustomFieldUpdate{}, err
	}
	u := tracking.CustomFieldUpdate{Value: rawValue(in.Raw("value")), IfVersion: in.ifVersion}
	return in, u, in.Err()
}

func updateCustomField(c *call) error {
	in, u, err := c.newValue()
	if err != nil {
		return err
	}
	id := c.pathID()
	if err := in.meant(id); err != nil {
		return err
	}
	if _, err := c.t.UpdateCustomField(c.ctx(), id, u); err != nil {
		return err
	}
	return c.written(http.StatusOK, customFieldType, id)
}

func updateCustomFieldOf(e tracking.EntityType) func(*call) error {
	return func(c *call) error {
		in, u, err := c.newValue()
		if err == nil {
			err = noEntity(in)
		}
		if err != nil {
			return err
		}
		f, err := c.t.UpdateCustomFieldOf(c.ctx(), c.entity(e), c.r.PathValue("api_slug"), u)
		if err != nil {
			return err
		}
		return c.written(http.StatusOK, customFieldType, f.ID)
	}
}

// deleteCustomField answers 200 without a body, and deleteCustomFieldOf 204, as in
// the published interface (see docs/contract.md#writing).
func deleteCustomField(c *call) error {
	id, err := c.acted(customFieldType)
	if err != nil {
		return err
	}
	if err := c.t.DeleteCustomField(c.ctx(), id); err != nil {
		return err
	}
	c.answer(http.StatusOK, nil)
	return nil
}

func deleteCustomFieldOf(e tracking.EntityType) func(*call) error {
	return func(c *call) error {
		if _, err := c.acted(customFieldType); err != nil {
			return err
		}
		if err := c.t.DeleteCustomFieldOf(c.ctx(), c.entity(e), c.r.PathValue("api_slug")); err != nil {
			return err
		}
		c.nothing()
		return nil
	}
}
