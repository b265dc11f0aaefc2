package httpserver

import (
	"encoding/json"
	"errors"
	"net/http"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/jsonapi"
)

const customFieldType = "custom_field"

var acceptCustomFields = jsonapi.Accept{
	Page: true, PageSize: 25, Include: true,
	Filters: []string{"entity_type", "entity_id", "definition_id"},
}

func customFieldQuery(f *filters) tracking.Query {
	return tracking.CustomFieldQuery{EntityTypes: f.entityTypes(), Entities: f.ids("entity_id"), Definitions: f.ids("definition_id")}
}

// entityTypes are the resource types that have custom fields, in the order of an error's
// detail, and entityTypeOf the same as definitions name them.
var (
	entityTypes  = []string{"shipment", "container", "tracking_request"}
	entityTypeOf = map[string]tracking.EntityType{
		"shipment": tracking.ShipmentEntity, "container": tracking.ContainerEntity, "tracking_request": tracking.TrackingRequestEntity,
	}
)

// entityPathNames are the path variables of the entities.
var entityPathNames = map[tracking.EntityType]string{
	tracking.ShipmentEntity: "shipment_id", tracking.ContainerEntity: "container_id", tracking.TrackingRequestEntity: "tracking_request_id",
}

// entity returns the entity in the path.
func (req *request) entity(e tracking.EntityType) tracking.Entity {
	return tracking.Entity{Type: e, ID: req.pathIDNamed(entityPathNames[e])}
}

func customFieldsOf(e tracking.EntityType) func(*request) error {
	return func(req *request) error {
		return req.respondNested(tracking.CustomFieldQuery{Entity: req.entity(e)})
	}
}

func customFieldHistory(req *request) error {
	return req.respondNested(tracking.CustomFieldChangeQuery{CustomField: req.pathID()})
}

// rawValue converts a value for the engine; nil if it is missing.
func rawValue(o jsonapi.Optional[json.RawMessage]) json.RawMessage {
	if o.Null {
		return json.RawMessage("null")
	}
	return o.Value
}

// newCustomField reads everything except the entity.
func newCustomField(in *input) tracking.NewCustomField {
	in.Type(customFieldType)
	return tracking.NewCustomField{APISlug: in.String("api_slug").Value, Value: rawValue(in.Raw("value"))}
}

// setCustomFieldOf sets a value of the entity in the path. The status is 201 even if
// there was a value, for compatibility.
func setCustomFieldOf(e tracking.EntityType) func(*request) error {
	return func(req *request) error {
		in, err := req.readResource()
		if err != nil {
			return err
		}
		if err := refuseEntity(in); err != nil {
			return err
		}
		n := newCustomField(in)
		n.Entity = req.entity(e)
		err = req.setCustomField(in, n)
		if engineErr := (*tracking.Error)(nil); errors.As(err, &engineErr) && engineErr.Field == "relationships/entity" {
			return &tracking.Error{Kind: tracking.NotFound} // the entity is in the path
		}
		return err
	}
}

// refuseEntity refuses a body with an entity if the path has one.
func refuseEntity(in *input) error {
	if !in.ToOne("entity").Set {
		return nil
	}
	return &tracking.Error{Kind: tracking.Invalid, Field: "relationships/entity", Code: "not_allowed",
		Detail: "The path names the entity: send no relationships.entity."}
}

// setCustomField sets a value of the entity in the body.
func setCustomField(req *request) error {
	in, err := req.readResource()
	if err != nil {
		return err
	}
	n := newCustomField(in)
	if n.Entity, err = readEntity(in); err != nil {
		return err
	}
	return req.setCustomField(in, n)
}

// readEntity reads relationships.entity.
func readEntity(in *input) (tracking.Entity, error) {
	entity := in.ToOne("entity", entityTypes...)
	if err := in.Err(); err != nil {
		return tracking.Entity{}, err
	}
	if !entity.Given() {
		return tracking.Entity{}, &tracking.Error{Kind: tracking.Invalid, Field: "relationships/entity", Code: "blank",
			Detail: "relationships.entity is required: a shipment, container or tracking_request."}
	}
	return tracking.Entity{Type: entityTypeOf[entity.Value.Type], ID: parseID(entity.Value.ID)}, nil
}

func (req *request) setCustomField(in *input, n tracking.NewCustomField) error {
	if err := in.Err(); err != nil {
		return err
	}
	f, err := req.t.SetCustomField(req.ctx(), n, in.once)
	if err != nil {
		return err
	}
	req.w.Header().Set("Location", req.resourcePaths[customFieldType]+f.ID.String())
	return req.respondRecord(http.StatusCreated, customFieldType, f.ID)
}

// readNewValue reads {"value": ...}, as a plain object or as the attributes of a
// resource.
func (req *request) readNewValue() (*input, tracking.CustomFieldUpdate, error) {
	in, err := req.readVersionedMembers(customFieldType)
	if err != nil {
		return nil, tracking.CustomFieldUpdate{}, err
	}
	u := tracking.CustomFieldUpdate{Value: rawValue(in.Raw("value")), IfVersion: in.ifVersion}
	return in, u, in.Err()
}

func updateCustomField(req *request) error {
	in, u, err := req.readNewValue()
	if err != nil {
		return err
	}
	id := req.pathID()
	if err := in.checkID(id); err != nil {
		return err
	}
	if _, err := req.t.UpdateCustomField(req.ctx(), id, u); err != nil {
		return err
	}
	return req.respondRecord(http.StatusOK, customFieldType, id)
}

func updateCustomFieldOf(e tracking.EntityType) func(*request) error {
	return func(req *request) error {
		in, u, err := req.readNewValue()
		if err == nil {
			err = refuseEntity(in)
		}
		if err != nil {
			return err
		}
		f, err := req.t.UpdateCustomFieldOf(req.ctx(), req.entity(e), req.r.PathValue("api_slug"), u)
		if err != nil {
			return err
		}
		return req.respondRecord(http.StatusOK, customFieldType, f.ID)
	}
}

// deleteCustomField responds 200 without a body, and deleteCustomFieldOf 204, for
// compatibility (see docs/contract.md#writing).
func deleteCustomField(req *request) error {
	id, err := req.readAction(customFieldType)
	if err != nil {
		return err
	}
	if err := req.t.DeleteCustomField(req.ctx(), id); err != nil {
		return err
	}
	req.respond(http.StatusOK, nil)
	return nil
}

func deleteCustomFieldOf(e tracking.EntityType) func(*request) error {
	return func(req *request) error {
		if _, err := req.readAction(customFieldType); err != nil {
			return err
		}
		if err := req.t.DeleteCustomFieldOf(req.ctx(), req.entity(e), req.r.PathValue("api_slug")); err != nil {
			return err
		}
		req.respondNoContent()
		return nil
	}
}
