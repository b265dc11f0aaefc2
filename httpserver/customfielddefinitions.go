package httpserver

import (
	"encoding/json"
	"net/http"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/jsonapi"
)

const (
	definitionType = "custom_field_definition"
	optionType     = "custom_field_option"
)

var acceptDefinitions = jsonapi.Accept{
	Page: true, PageSize: 25, Include: true,
	Filters: []string{"entity_type", "data_type", "display_name"},
}

func definitionQuery(f *filters) tracking.Query {
	q := tracking.CustomFieldDefinitionQuery{EntityTypes: f.entityTypes(), DisplayName: f.String("display_name").Value}
	for _, name := range f.OneOf("data_type", textsOf(tracking.Describe().DataTypes)...).Value {
		q.DataTypes = append(q.DataTypes, tracking.DataType(name))
	}
	return q
}

// entityTypes reads filter[entity_type].
func (f *filters) entityTypes() (types []tracking.EntityType) {
	for _, name := range f.OneOf("entity_type", textsOf(tracking.Describe().EntityTypes)...).Value {
		types = append(types, tracking.EntityType(name))
	}
	return types
}

func textsOf[S ~string](list []S) []string {
	texts := make([]string, len(list))
	for i, s := range list {
		texts[i] = string(s)
	}
	return texts
}

func definitionID(d *tracking.CustomFieldDefinition) tracking.ID { return d.ID }

func newDefinition(in *input) tracking.NewCustomFieldDefinition {
	in.Type(definitionType)
	return tracking.NewCustomFieldDefinition{
		EntityType:    tracking.EntityType(in.String("entity_type").Value),
		APISlug:       in.String("api_slug").Value,
		DisplayName:   in.String("display_name").Value,
		DataType:      tracking.DataType(in.String("data_type").Value),
		Description:   in.String("description").Value,
		ReferenceType: in.String("reference_type").Value,
		Validation:    in.Raw("validation").Value,
		DefaultFormat: in.String("default_format").Value,
		DefaultValue:  in.Raw("default_value").Value,
		NotFilterable: !in.Bool("filterable").Or(true),
	}
}

func definitionUpdate(in *input) tracking.CustomFieldDefinitionUpdate {
	in.Type(definitionType)
	entity, data := in.String("entity_type"), in.String("data_type")
	return tracking.CustomFieldDefinitionUpdate{
		DisplayName:   opt(in.String("display_name")),
		Description:   opt(in.String("description")),
		Validation:    opt[json.RawMessage](in.Raw("validation")),
		DefaultFormat: opt(in.String("default_format")),
		DefaultValue:  opt[json.RawMessage](in.Raw("default_value")),
		EntityType:    tracking.Opt[tracking.EntityType]{Set: entity.Set, Value: tracking.EntityType(entity.Value)},
		APISlug:       opt(in.String("api_slug")),
		DataType:      tracking.Opt[tracking.DataType]{Set: data.Set, Value: tracking.DataType(data.Value)},
		ReferenceType: opt(in.String("reference_type")),
		Filterable:    opt(in.Bool("filterable")),
		IfVersion:     in.ifVersion,
	}
}

// deleteDefinition responds 200 without a body (see docs/contract.md#writing).
func deleteDefinition(req *request) error {
	id, err := req.readAction(definitionType)
	if err != nil {
		return err
	}
	if err := req.t.DeleteCustomFieldDefinition(req.ctx(), id); err != nil {
		return err
	}
	req.respond(http.StatusOK, nil)
	return nil
}

// acceptNested is for lists below another resource.
var acceptNested = jsonapi.Accept{Page: true, PageSize: 25, Include: true}

// respondNested responds with a page of the records of another resource.
func (req *request) respondNested(selects tracking.Query) error {
	q, err := req.readQuery()
	if err != nil {
		return err
	}
	s, err := req.t.Rendered().List(req.ctx(), selects, tracking.Page{Number: q.Number, Size: q.Size}, q.Include)
	if err != nil {
		return err
	}
	req.respondPage(s, q, len(q.Include) > 0)
	return nil
}

func listOptions(req *request) error {
	return req.respondNested(tracking.CustomFieldOptionQuery{Definition: req.pathIDNamed("definition_id")})
}

func createOption(req *request) error {
	in, err := req.readResource()
	if err != nil {
		return err
	}
	in.Type(optionType)
	n := tracking.NewCustomFieldOption{
		Label: in.String("label").Value, Value: in.String("value").Value, Position: readPosition(in),
	}
	if err := in.Err(); err != nil {
		return err
	}
	record, err := req.t.CreateCustomFieldOption(req.ctx(), req.pathIDNamed("definition_id"), n, in.once)
	if err != nil {
		return err
	}
	req.w.Header().Set("Location", req.resourcePath(optionType)+record.ID.String())
	return req.respondRecord(http.StatusCreated, optionType, record.ID)
}

// readPosition reads the position of an option; null means that it is not given.
func readPosition(in *input) tracking.Opt[int] {
	at := in.Int("position")
	if !at.Given() {
		return tracking.Opt[int]{}
	}
	// Limit it first: the conversion to int could turn a huge number into a small one.
	return tracking.Set(int(max(-1, min(at.Value, 1<<30))))
}

func showOption(req *request) error {
	q, err := req.readQuery()
	if err != nil {
		return err
	}
	o, err := req.t.CustomFieldOption(req.ctx(), req.pathIDNamed("definition_id"), req.pathIDNamed("option_id"))
	if err != nil {
		return err
	}
	return req.show(optionType, o.ID, q)
}

func updateOption(req *request) error {
	in, err := req.readResource()
	if err != nil {
		return err
	}
	id := req.pathIDNamed("option_id")
	if err := in.checkID(id); err != nil {
		return err
	}
	in.Type(optionType)
	u := tracking.CustomFieldOptionUpdate{
		Label: opt(in.String("label")), Value: opt(in.String("value")), Position: readPosition(in), IfVersion: in.ifVersion,
	}
	if err := in.Err(); err != nil {
		return err
	}
	if _, err := req.t.UpdateCustomFieldOption(req.ctx(), req.pathIDNamed("definition_id"), id, u); err != nil {
		return err
	}
	return req.respondRecord(http.StatusOK, optionType, id)
}

// deleteOption responds 200 without a body (see docs/contract.md#writing).
func deleteOption(req *request) error {
	id, err := req.readActionOn(optionType, req.pathIDNamed("option_id"))
	if err != nil {
		return err
	}
	if err := req.t.DeleteCustomFieldOption(req.ctx(), req.pathIDNamed("definition_id"), id); err != nil {
		return err
	}
	req.respond(http.StatusOK, nil)
	return nil
}
