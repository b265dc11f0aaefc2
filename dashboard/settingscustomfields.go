package dashboard

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/landfallhq/tracking"
)

const definitionsPath, newDefinitionPath = "/settings/custom-fields", "/settings/new-custom-field"

func definitionRoutes() []route {
	one := definitionsPath + "/{id}"
	return []route{
		{pattern: "GET " + definitionsPath, permission: tracking.Show, serve: listDefinitions},
		{pattern: "GET " + newDefinitionPath, permission: tracking.Admin, serve: newDefinition},
		{pattern: "POST " + definitionsPath, permission: tracking.Admin, serve: createDefinition},
		{pattern: "GET " + one, permission: tracking.Show, serve: showDefinition},
		{pattern: "POST " + one, permission: tracking.Admin, serve: updateDefinition},
		{pattern: "GET " + one + "/delete", permission: tracking.Admin, serve: askToDeleteDefinition},
		{pattern: "POST " + one + "/delete", permission: tracking.Admin, serve: deleteDefinition},
		{pattern: "POST " + one + "/options", permission: tracking.Admin, serve: createOption},
		{pattern: "POST " + one + "/options/{option}", permission: tracking.Admin, serve: updateOption},
		{pattern: "GET " + one + "/options/{option}/delete", permission: tracking.Admin, serve: askToDeleteOption},
		{pattern: "POST " + one + "/options/{option}/delete", permission: tracking.Admin, serve: deleteOption},
	}
}

func definitionPath(id tracking.ID) string { return definitionsPath + "/" + id.String() }

// definitionRow is a custom field in a list.
type definitionRow struct {
	*tracking.CustomFieldDefinition
}

func (r definitionRow) recordID() tracking.ID { return r.ID }

func definitionColumns(req *request) []column[definitionRow] {
	c := req.texts
	return []column[definitionRow]{
		{name: "name", cell: func(r definitionRow) cell {
			return cell{Text: r.DisplayName, Href: req.link(definitionPath(r.ID)), Note: r.APISlug, Long: true}
		}},
		{name: "entity_type", cell: func(r definitionRow) cell { return text(c.word("entity_type", string(r.EntityType))) }},
		{name: "data_type", cell: func(r definitionRow) cell { return text(c.word("data_type", string(r.DataType))) }},
		{name: "description", cell: func(r definitionRow) cell { return text(r.Description) }},
	}
}

func listDefinitions(req *request) error {
	var rows []definitionRow
	for _, of := range tracking.Describe().EntityTypes {
		list, err := req.definedFields(req.r.Context(), of)
		if err != nil {
			return err
		}
		for _, d := range list {
			rows = append(rows, definitionRow{d})
		}
	}
	c := req.texts
	p := settingsList{
		Crumbs: req.settingsCrumbs(), Table: fill(req, definitionColumns(req), rows),
		None: c.get("fields.none"), Lead: c.get("settings.custom-fields.lead"), NewAs: c.get("definition.new"),
	}
	if req.can(tracking.Admin) {
		p.New = req.link(newDefinitionPath)
	}
	return req.render(http.StatusOK, "settings-list", c.get("settings.custom-fields"), p)
}

func (req *request) definitionCrumbs(pairs ...string) []crumb {
	return req.settingsCrumbs(append([]string{definitionsPath, req.texts.get("settings.custom-fields")}, pairs...)...)
}

// rules are those that values of each data type can have, in the order of the form.
var rules = []struct {
	name string
	of   []tracking.DataType
	kind string
}{
	{"required", tracking.Describe().DataTypes, inputCheck},
	{"min_length", []tracking.DataType{tracking.ShortTextField}, inputNumber},
	{"max_length", []tracking.DataType{tracking.ShortTextField}, inputNumber},
	{"pattern", []tracking.DataType{tracking.ShortTextField}, inputText},
	{"min", []tracking.DataType{tracking.NumberField}, inputText},
	{"max", []tracking.DataType{tracking.NumberField}, inputText},
	{"scale", []tracking.DataType{tracking.NumberField}, inputNumber},
	{"earliest", []tracking.DataType{tracking.DateField, tracking.DatetimeField}, inputText},
	{"latest", []tracking.DataType{tracking.DateField, tracking.DatetimeField}, inputText},
	{"max_items", []tracking.DataType{tracking.EnumMultiField}, inputNumber},
}

// rulePrefix begins the names of inputs of rules, as it does those of their errors.
const rulePrefix = "validation."

// ruleInputs are the inputs of the rules that a data type has; of a new field, of all types.
func (c catalog) ruleInputs(d *tracking.CustomFieldDefinition) (inputs []input) {
	has := map[string]json.RawMessage{}
	_ = json.Unmarshal(d.Validation, &has) // null has none
	for _, r := range rules {
		if d.DataType != "" && !slices.Contains(r.of, d.DataType) {
			continue
		}
		in := input{ID: "rule-" + r.name, Name: rulePrefix + r.name, Label: c.get("rule_name." + r.name), Kind: r.kind}
		in.Hint = c["rule_hint."+r.name]
		if v := has[r.name]; r.kind == inputCheck {
			in.Checked = string(v) == "true"
		} else if json.Unmarshal(v, &in.Value) != nil {
			in.Value = string(v)
		}
		inputs = append(inputs, in)
	}
	return inputs
}

// sentRules are the rules of a form as JSON; nil for none.
func (req *request) sentRules() (json.RawMessage, error) {
	has := map[string]any{}
	for _, r := range rules {
		sent := strings.TrimSpace(req.r.PostForm.Get(rulePrefix + r.name))
		_, err := strconv.ParseFloat(sent, 64)
		switch {
		case sent == "":
		case r.kind == inputCheck:
			has[r.name] = true
		case slices.Contains(r.of, tracking.NumberField) && err == nil, r.kind == inputNumber && err == nil:
			has[r.name] = json.Number(sent)
		default:
			has[r.name] = sent
		}
	}
	if len(has) == 0 {
		return nil, nil
	}
	return json.Marshal(has)
}

// defaultInput is the default value of a field, as a person enters it.
func (c catalog) defaultInput(d *tracking.CustomFieldDefinition) input {
	return input{Name: "default_value", Label: c.get("column.default_value"), Kind: inputText, Value: strings.Join(entered(d, d.DefaultValue), ", "), Hint: c.get("definition.default.hint")}
}

// sentDefault is the default value of a form as JSON; nil for none.
func (req *request) sentDefault(d *tracking.CustomFieldDefinition) (json.RawMessage, error) {
	words := []string{req.r.PostForm.Get("default_value")}
	if d.DataType == tracking.EnumMultiField {
		words = strings.Split(words[0], ",")
		for i := range words {
			words[i] = strings.TrimSpace(words[i])
		}
	}
	v, err := stored(d, words)
	if string(v) == "null" {
		return nil, err
	}
	return v, err
}

// definitionForm is the form of a custom field; one that is not stored yet has no ID.
func (req *request) definitionForm(d *tracking.CustomFieldDefinition) form {
	c, isNew := req.texts, d.ID == (tracking.ID{})
	inputs := []input{{Name: "display_name", Label: c.get("column.name"), Kind: inputText, Value: d.DisplayName, Required: true}}
	if isNew {
		var entities, types []string
		for _, e := range tracking.Describe().EntityTypes {
			entities = append(entities, string(e))
		}
		for _, t := range tracking.Describe().DataTypes {
			types = append(types, string(t))
		}
		inputs = append(inputs,
			input{Name: "entity_type", Label: c.get("column.entity_type"), Kind: inputSelect, Options: c.options("entity_type", entities)},
			input{Name: "data_type", Label: c.get("column.data_type"), Kind: inputSelect, Options: c.options("data_type", types), Hint: c.get("definition.type.hint")},
			input{Name: "api_slug", Label: c.get("column.api_slug"), Kind: inputText, Hint: c.get("definition.slug.hint")},
			input{Name: "reference_type", Label: c.get("column.reference_type"), Kind: inputText, Hint: c.get("definition.reference.hint")})
	}
	inputs = append(inputs, input{Name: "description", Label: c.get("column.description"), Kind: inputLines, Value: d.Description})
	inputs = append(inputs, c.ruleInputs(d)...)
	inputs = append(inputs, input{Name: "default_format", Label: c.get("column.default_format"), Kind: inputText, Value: d.DefaultFormat, Hint: c.get("definition.format.hint")}, c.defaultInput(d))
	if isNew {
		return req.newForm(definitionsPath, "definition.create", req.link(definitionsPath), inputs...)
	}
	f := req.newForm(definitionPath(d.ID), "form.save", "", inputs...)
	f.Version = d.Version
	return f
}

func newDefinition(req *request) error {
	return req.renderForm(req.texts.get("definition.new"), formPage{Crumbs: req.definitionCrumbs(), Form: req.definitionForm(&tracking.CustomFieldDefinition{})})
}

func createDefinition(req *request) error {
	sent := req.r.PostForm
	n := tracking.NewCustomFieldDefinition{
		EntityType: tracking.EntityType(sent.Get("entity_type")), APISlug: strings.TrimSpace(sent.Get("api_slug")), DisplayName: sent.Get("display_name"),
		DataType: tracking.DataType(sent.Get("data_type")), Description: oneLine(sent.Get("description")), ReferenceType: strings.TrimSpace(sent.Get("reference_type")), DefaultFormat: sent.Get("default_format"),
	}
	var err error
	if n.Validation, err = req.sentRules(); err != nil {
		return err
	}
	if n.DefaultValue, err = req.sentDefault(&tracking.CustomFieldDefinition{DataType: n.DataType, ReferenceType: n.ReferenceType}); err != nil {
		return err
	}
	d, err := req.t.CreateCustomFieldDefinition(req.r.Context(), n, req.once())
	if err == nil {
		return req.done(definitionPath(d.ID), "definition.created", d.DisplayName)
	}
	f := req.definitionForm(&tracking.CustomFieldDefinition{})
	f.fill(sent)
	if err := req.refuse(&f, err); err != nil {
		return err
	}
	return req.renderForm(req.texts.get("definition.new"), formPage{Crumbs: req.definitionCrumbs(), Form: f})
}

// oneLine joins the lines that a browser sends of a text.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// definitionPage is a custom field with its options.
type definitionPage struct {
	Crumbs     []crumb
	Attributes []attribute
	// Form changes it; nil for those who may not. Delete is empty for them.
	Form   *form
	Delete string
	// HasOptions: values are options.
	HasOptions bool
	Options    []optionView
	Add        *form
}

// optionView is an option with the form that changes it.
type optionView struct {
	Label, Value string
	Form         *form // nil for those who may not change it
	Delete       string
}

func showDefinition(req *request) error { return req.renderDefinition(nil, nil) }

// renderDefinition shows a custom field. refused is why the form that refusedForm returns was
// refused; nil for none.
func (req *request) renderDefinition(refused error, refusedForm func(*definitionPage) *form) error {
	ctx, c := req.r.Context(), req.texts
	d, err := req.t.CustomFieldDefinition(ctx, req.pathID())
	if err != nil {
		return err
	}
	p := definitionPage{
		Crumbs: req.definitionCrumbs(), HasOptions: d.DataType == tracking.EnumField || d.DataType == tracking.EnumMultiField,
		Attributes: present([]attribute{
			{"entity_type", text(c.word("entity_type", string(d.EntityType)))}, {"data_type", text(c.word("data_type", string(d.DataType)))},
			{"api_slug", text(d.APISlug)}, {"reference_type", text(c.word("resource", d.ReferenceType))}, {"description", text(d.Description)}, {"filterable", c.yesOrNo(d.Filterable)},
		}),
	}
	if req.can(tracking.Admin) {
		f := req.definitionForm(d)
		p.Form, p.Delete = &f, req.link(definitionPath(d.ID)+"/delete")
	}
	if p.HasOptions {
		if err := req.readOptions(&p, d); err != nil {
			return err
		}
	}
	status := http.StatusOK
	if refused != nil {
		status = http.StatusUnprocessableEntity
		f := refusedForm(&p)
		f.fill(req.r.PostForm)
		if err := req.refuse(f, refused); err != nil {
			return err
		}
	}
	return req.render(status, "definition", d.DisplayName, p)
}

// readOptions adds the options of a custom field, and the form for another one.
func (req *request) readOptions(p *definitionPage, d *tracking.CustomFieldDefinition) error {
	c, at := req.texts, definitionPath(d.ID)+"/options"
	list, _, err := req.t.CustomFieldOptions(req.r.Context(), tracking.CustomFieldOptionQuery{Definition: d.ID}, tracking.Page{})
	if err != nil {
		return err
	}
	inputs := func(id, label string, position string, value ...input) []input {
		return append(append([]input{{ID: "label-" + id, Name: "label", Label: c.get("option.label"), Kind: inputText, Value: label, Required: true}}, value...),
			input{ID: "position-" + id, Name: "position", Label: c.get("option.position"), Kind: inputNumber, Value: position})
	}
	for _, o := range list {
		v := optionView{Label: o.Label, Value: o.Value}
		if req.can(tracking.Admin) {
			f := req.newForm(at+"/"+o.ID.String(), "form.save", "", inputs(o.ID.String(), o.Label, strconv.Itoa(o.Position))...)
			f.Version, v.Form, v.Delete = o.Version, &f, req.link(at+"/"+o.ID.String()+"/delete")
		}
		p.Options = append(p.Options, v)
	}
	if req.can(tracking.Admin) {
		f := req.newForm(at, "option.add", "", inputs("new", "", "", input{ID: "value-new", Name: "value", Label: c.get("option.value"), Kind: inputText, Required: true, Hint: c.get("option.value.hint")})...)
		p.Add = &f
	}
	return nil
}

func updateDefinition(req *request) error {
	ctx, sent := req.r.Context(), req.r.PostForm
	d, err := req.t.CustomFieldDefinition(ctx, req.pathID())
	if err != nil {
		return err
	}
	validation, err := req.sentRules()
	if err != nil {
		return err
	}
	value, err := req.sentDefault(d)
	if err != nil {
		return err
	}
	_, err = req.t.UpdateCustomFieldDefinition(ctx, d.ID, tracking.CustomFieldDefinitionUpdate{
		DisplayName: tracking.Set(sent.Get("display_name")), Description: tracking.Set(oneLine(sent.Get("description"))), Validation: tracking.Set(validation),
		DefaultFormat: tracking.Set(sent.Get("default_format")), DefaultValue: tracking.Set(value), IfVersion: req.version(),
	})
	if err == nil {
		return req.done(definitionPath(d.ID), "definition.saved")
	}
	return req.renderDefinition(err, func(p *definitionPage) *form { return p.Form })
}

func askToDeleteDefinition(req *request) error {
	d, err := req.t.CustomFieldDefinition(req.r.Context(), req.pathID())
	if err != nil {
		return err
	}
	at := definitionPath(d.ID)
	return req.question("definition.delete", at+"/delete", at, req.definitionCrumbs(at, d.DisplayName), d.DisplayName)
}

func deleteDefinition(req *request) error {
	if err := req.t.DeleteCustomFieldDefinition(req.r.Context(), req.pathID()); err != nil {
		return err
	}
	return req.done(definitionsPath, "definition.deleted")
}

// optionID returns the ID of the option in the path.
func (req *request) optionID() tracking.ID { return parseID(req.r.PathValue("option")) }

// sentPosition is the position of an option in a form; not set if it is left open.
func (req *request) sentPosition() tracking.Opt[int] {
	sent := strings.TrimSpace(req.r.PostForm.Get("position"))
	if sent == "" {
		return tracking.Opt[int]{}
	}
	n, err := strconv.Atoi(sent)
	if err != nil {
		n = -1 // which is refused
	}
	return tracking.Set(n)
}

func createOption(req *request) error {
	sent, id := req.r.PostForm, req.pathID()
	if _, err := req.t.CustomFieldDefinition(req.r.Context(), id); err != nil {
		return err
	}
	o, err := req.t.CreateCustomFieldOption(req.r.Context(), id, tracking.NewCustomFieldOption{Label: sent.Get("label"), Value: sent.Get("value"), Position: req.sentPosition()}, req.once())
	if err == nil {
		return req.done(definitionPath(id), "option.added", o.Label)
	}
	return req.renderDefinition(err, func(p *definitionPage) *form {
		if p.Add == nil { // its values are no options
			return p.Form
		}
		return p.Add
	})
}

func updateOption(req *request) error {
	id := req.pathID()
	o, err := req.t.CustomFieldOption(req.r.Context(), id, req.optionID())
	if err != nil {
		return err
	}
	_, err = req.t.UpdateCustomFieldOption(req.r.Context(), id, o.ID, tracking.CustomFieldOptionUpdate{Label: tracking.Set(req.r.PostForm.Get("label")), Position: req.sentPosition(), IfVersion: req.version()})
	if err == nil {
		return req.done(definitionPath(id), "option.saved")
	}
	return req.renderDefinition(err, func(p *definitionPage) *form {
		i := slices.IndexFunc(p.Options, func(v optionView) bool { return v.Value == o.Value })
		return p.Options[i].Form
	})
}

func askToDeleteOption(req *request) error {
	id := req.pathID()
	o, err := req.t.CustomFieldOption(req.r.Context(), id, req.optionID())
	if err != nil {
		return err
	}
	return req.question("option.delete", fmt.Sprintf("%s/options/%s/delete", definitionPath(id), o.ID), definitionPath(id), req.definitionCrumbs(), o.Label)
}

func deleteOption(req *request) error {
	if err := req.t.DeleteCustomFieldOption(req.r.Context(), req.pathID(), req.optionID()); err != nil {
		return err
	}
	return req.done(definitionPath(req.pathID()), "option.deleted")
}
