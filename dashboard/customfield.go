package dashboard

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/landfallhq/tracking"
)

// fieldForm are the custom fields of a record, with a form for each where it may be changed.
type fieldForm struct {
	Action string
	CSRF   string
	Edit   bool
	Fields []fieldView
}

// fieldView is a custom field of a record.
type fieldView struct {
	Slug, Label, Description string
	// Input is the control: text, number, date, choice or several.
	Input   string
	Value   string
	Options []option
	// Display is the value as it is shown where it cannot be changed.
	Display string
	Note    string
	// Problem is why what was entered is refused.
	Problem string
	History string
}

// refusedField is a value that was refused, and why.
type refusedField struct {
	slug     string
	values   []string
	sentence string
}

// fieldForm reads the custom fields of a record.
func (req *request) fieldForm(ctx context.Context, of tracking.EntityType, id tracking.ID, refused *refusedField) (f fieldForm, err error) {
	f = fieldForm{Action: req.r.URL.Path, CSRF: req.sessions.GetString(ctx, sessionCSRF), Edit: req.can(tracking.Update)}
	f.Action = strings.TrimSuffix(f.Action, "/fields") + "/fields"
	definitions, err := req.definedFields(ctx, of)
	if err != nil {
		return f, err
	}
	values, err := req.valuesOf(ctx, definitions, []tracking.ID{id})
	if err != nil {
		return f, err
	}
	for _, d := range definitions {
		v, err := req.fieldView(ctx, d, values[id][d.APISlug])
		if err != nil {
			return f, err
		}
		if refused != nil && refused.slug == d.APISlug {
			v.Problem, v.Value = refused.sentence, strings.Join(refused.values, ",")
			for i := range v.Options {
				v.Options[i].Chosen = slices.Contains(refused.values, v.Options[i].Value)
			}
		}
		f.Fields = append(f.Fields, v)
	}
	return f, nil
}

// inputs are the controls of data types; text for others.
var inputs = map[tracking.DataType]string{tracking.BooleanField: "choice", tracking.EnumField: "choice", tracking.EnumMultiField: "several", tracking.DateField: "date"}

func (req *request) fieldView(ctx context.Context, d *tracking.CustomFieldDefinition, set *tracking.CustomField) (v fieldView, err error) {
	v = fieldView{Slug: d.APISlug, Label: d.DisplayName, Description: d.Description, Input: inputs[d.DataType]}
	if v.Options, err = req.optionsOf(ctx, d); err != nil || set == nil {
		return v, err
	}
	given := entered(d, set.Value)
	v.Value, v.Display = strings.Join(given, ","), set.DisplayValue
	for i := range v.Options {
		v.Options[i].Chosen = slices.Contains(given, v.Options[i].Value)
	}
	v.Note = req.texts.get("field.set", req.texts.word("changed_by", string(set.Source)), req.texts.moment(set.UpdatedAt, "").Text)
	v.History = req.link("/custom-fields/" + set.ID.String())
	return v, nil
}

// entered is a stored value as a person would enter it.
func entered(d *tracking.CustomFieldDefinition, stored json.RawMessage) []string {
	var v any
	if json.Unmarshal(stored, &v) != nil || v == nil {
		return nil
	}
	switch v := v.(type) {
	case string:
		return []string{v}
	case []any:
		var list []string
		for _, item := range v {
			if s, ok := item.(string); ok {
				list = append(list, s)
			}
		}
		return list
	case map[string]any:
		id, _ := v["id"].(string)
		return []string{id}
	}
	return []string{string(stored)} // a number or a boolean, in its stored form
}

// stored is what a person has entered, as the value of a field; the engine checks it.
func stored(d *tracking.CustomFieldDefinition, entered []string) (json.RawMessage, error) {
	entered = slices.DeleteFunc(slices.Clone(entered), func(s string) bool { return strings.TrimSpace(s) == "" })
	var v any
	switch {
	case len(entered) == 0:
		// null is no value
	case d.DataType == tracking.EnumMultiField:
		v = entered
	case d.DataType == tracking.ReferenceField:
		v = map[string]string{"type": d.ReferenceType, "id": strings.TrimSpace(entered[0])}
	case d.DataType == tracking.BooleanField && (entered[0] == "true" || entered[0] == "false"):
		v = entered[0] == "true"
	default:
		v = strings.TrimSpace(entered[0])
	}
	return json.Marshal(v)
}

// setField changes a custom field of the record in the path, and shows its page again.
func setField(of tracking.EntityType, noun string, show func(*request, int, *refusedField) error) func(*request) error {
	return func(req *request) error {
		ctx, form := req.r.Context(), req.r.PostForm
		slug := form.Get("slug")
		list, _, err := req.t.CustomFieldDefinitions(ctx, tracking.CustomFieldDefinitionQuery{EntityTypes: []tracking.EntityType{of}, Slugs: []string{slug}}, tracking.Page{})
		if err != nil {
			return err
		}
		if len(list) == 0 {
			return req.notFound()
		}
		v, err := stored(list[0], form["value"])
		if err != nil {
			return err
		}
		entity := tracking.Entity{Type: of, ID: req.pathID()}
		_, err = req.t.SetCustomField(ctx, tracking.NewCustomField{Entity: entity, APISlug: slug, Value: v})
		var fault *tracking.Error
		switch {
		case errors.As(err, &fault) && fault.Kind == tracking.Invalid:
			return show(req, http.StatusUnprocessableEntity, &refusedField{slug, form["value"], sentence(fault)})
		case err != nil:
			return err
		}
		req.sessions.Put(ctx, sessionFlash, req.texts.get("field.saved", list[0].DisplayName))
		return req.redirect(req.link("/"+noun+"/"+entity.ID.String()) + "#field-" + slug)
	}
}

// fieldPage is the history of a custom field.
type fieldPage struct {
	Name, Slug string
	Record     cell
	Table      table
}

// fieldChangeRow is a change, with the value before it.
type fieldChangeRow struct {
	*tracking.CustomFieldChange
	before string
}

func (r fieldChangeRow) recordID() tracking.ID { return r.ID }

// showField shows who has set a custom field, when and by which way, the last first.
func showField(req *request) error {
	ctx := req.r.Context()
	f, err := req.t.CustomField(ctx, req.pathID())
	if err != nil {
		return err
	}
	d, err := req.t.CustomFieldDefinition(ctx, f.Definition)
	if err != nil {
		return err
	}
	req.about(f.ID, d.ID)
	list, _, err := req.t.CustomFieldChanges(ctx, tracking.CustomFieldChangeQuery{CustomField: f.ID}, tracking.Page{})
	if err != nil {
		return err
	}
	names, err := req.t.Users().Names(ctx)
	if err != nil {
		return err
	}
	rows := make([]fieldChangeRow, 0, len(list))
	for i, change := range list {
		row := fieldChangeRow{CustomFieldChange: change}
		if i+1 < len(list) {
			row.before = list[i+1].DisplayValue
		}
		rows = append(rows, row)
	}
	p := fieldPage{Name: d.DisplayName, Slug: d.APISlug, Table: fill(req, fieldChangeColumns(req.texts, names), rows)}
	if p.Record, err = req.recordOf(ctx, f.Entity); err != nil {
		return err
	}
	return req.render(http.StatusOK, "custom-field", p.Name, p)
}

// recordOf links to the record of a custom field.
func (req *request) recordOf(ctx context.Context, of tracking.Ref) (cell, error) {
	switch of.Type {
	case "shipment":
		s, err := req.places.shipment(ctx, of.ID)
		if err != nil {
			return cell{}, err
		}
		return linked(shipmentName(s), req.toShipment(s.ID)), nil
	case "container":
		b, err := req.places.container(ctx, of.ID)
		if err != nil {
			return cell{}, err
		}
		return linked(b.Number, req.toContainer(b.ID)), nil
	}
	r, err := req.t.TrackingRequest(ctx, of.ID)
	if err != nil {
		return cell{}, err
	}
	return text(r.RequestNumber), nil
}

func fieldChangeColumns(c catalog, names map[tracking.ID]string) []column[fieldChangeRow] {
	return []column[fieldChangeRow]{
		{name: "changed_at", cell: func(r fieldChangeRow) cell { return c.moment(r.ChangedAt, "") }},
		{name: "before", cell: func(r fieldChangeRow) cell { return text(r.before) }},
		{name: "after", cell: func(r fieldChangeRow) cell { return text(r.DisplayValue) }},
		{name: "actor", cell: func(r fieldChangeRow) cell {
			if r.UpdatedBy == (tracking.ID{}) {
				return text(c.get("user.none"))
			}
			return text(cmp.Or(names[r.UpdatedBy], r.UpdatedBy.String()))
		}},
		{name: "way", cell: func(r fieldChangeRow) cell { return text(c.word("changed_by", string(r.Source))) }},
	}
}
