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

var takesDefinitions = jsonapi.Accept{
	Page: true, PageSize: 25, Include: true,
	Filters: []string{"entity_type", "data_type", "display_name"},
}

func definitionQuery(f *filters) tracking.Query {
	q := tracking.CustomFieldDefinitionQuery{EntityTypes: f.entityTypes(), DisplayName: f.String("display_name").Value}
	names := make([]string, 0, len(tracking.DataTypes()))
	for _, t := range tracking.DataTypes() {
		names = append(names, string(t))
	}
	for _, name := range f.OneOf("data_type", names...).Value {
		q.DataTypes = append(q.DataTypes, tracking.DataType(name))
	}
	return q
}

// entityTypes reads filter[entity_type].
func (f *filters) entityTypes() (types []tracking.EntityType) {
	var names []string
	for _, e := range tracking.EntityTypes() {
		names = append(names, string(e))
	}
	for _, name := range f.OneOf("entity_type", names...).Value {
		types = append(types, tracking.EntityType(name))
	}
	return types
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
		Once:          in.once,
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

// deleteDefinition answers 200 without a body (see docs/contract.md#writing).
func deleteDefinition(c *call) error {
	id, err := c.acted(definitionType)
	if err != nil {
		return err
	}
	if err := c.t.DeleteCustomFieldDefinition(c.ctx(), id); err != nil {
		return err
	}
	c.answer(http.StatusOK, nil)
	return nil
}

// takesNested is what the lists below another resource take.
var takesNested = jsonapi.Accept{Page: true, PageSize: 25, Include: true}

// nested answers with a page of what belongs to another resource.
func (c *call) nested(of func() (tracking.Query, error)) error {
	q, err := c.query()
	if err != nil {
		return err
	}
	selects, err := of()
	if err != nil {
		return err
	}
	s, err := c.t.Select(c.ctx(), selects, tracking.Page{Number: q.Number, Size: q.Size}, q.Include)
	if err != nil {
		return err
	}
	c.page(s, q, len(q.Include) > 0)
	return nil
}

func options(c *call) error {
	return c.nested(func() (tracking.Query, error) {
		d, err := c.t.CustomFieldDefinition(c.ctx(), c.idNamed("definition_id"))
		if err != nil {
			return nil, err
		}
		return tracking.CustomFieldOptionQuery{Definition: d.ID}, nil
	})
}

func createOption(c *call) error {
	in, err := c.resource()
	if err != nil {
		return err
	}
	in.Type(optionType)
	n := tracking.NewCustomFieldOption{
		Label: in.String("label").Value, Value: in.String("value").Value, Position: position(in), Once: in.once,
	}
	if err := in.Err(); err != nil {
		return err
	}
	made, err := c.t.CreateCustomFieldOption(c.ctx(), c.idNamed("definition_id"), n)
	if err != nil {
		return err
	}
	c.w.Header().Set("Location", c.self(optionType)+made.ID.String())
	return c.written(http.StatusCreated, optionType, made.ID)
}

// position reads where an option stands; null says nothing.
func position(in *input) tracking.Opt[int] {
	at := in.Int("position")
	if !at.Given() {
		return tracking.Opt[int]{}
	}
	// As an int a huge number could come out as a small one.
	return tracking.Set(int(max(-1, min(at.Value, 1<<30))))
}

func showOption(c *call) error {
	q, err := c.query()
	if err != nil {
		return err
	}
	o, err := c.t.CustomFieldOption(c.ctx(), c.idNamed("definition_id"), c.idNamed("option_id"))
	if err != nil {
		return err
	}
	return c.show(optionType, o.ID, q)
}

func updateOption(c *call) error {
	in, err := c.resource()
	if err != nil {
		return err
	}
	id := c.idNamed("option_id")
	if err := in.meant(id); err != nil {
		return err
	}
	in.Type(optionType)
	u := tracking.CustomFieldOptionUpdate{
		Label: opt(in.String("label")), Value: opt(in.String("value")), Position: position(in), IfVersion: in.ifVersion,
	}
	if err := in.Err(); err != nil {
		return err
	}
	if _, err := c.t.UpdateCustomFieldOption(c.ctx(), c.idNamed("definition_id"), id, u); err != nil {
		return err
	}
	return c.written(http.StatusOK, optionType, id)
}

// deleteOption answers 200 without a body (see docs/contract.md#writing).
func deleteOption(c *call) error {
	id, err := c.actedOn(optionType, c.idNamed("option_id"))
	if err != nil {
		return err
	}
	if err := c.t.DeleteCustomFieldOption(c.ctx(), c.idNamed("definition_id"), id); err != nil {
		return err
	}
	c.answer(http.StatusOK, nil)
	return nil
}
