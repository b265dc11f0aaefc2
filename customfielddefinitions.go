package tracking

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/landfallhq/tracking/internal/fieldtype"
	"github.com/landfallhq/tracking/internal/naturalkey"
	"github.com/landfallhq/tracking/internal/table"
	"github.com/landfallhq/tracking/store"
)

// DataType is the data type of the values of a custom field (see
// docs/customfields.md#data-types). The data type of a definition never changes.
type DataType string

// The data types, with the JSON form of their values.
const (
	ShortTextField DataType = "short_text" // a string of one line
	NumberField    DataType = "number"     // an exact decimal: a JSON number, or a string with one
	DateField      DataType = "date"       // a calendar day, "2026-03-01"
	DatetimeField  DataType = "datetime"   // an instant, "2026-03-01T08:00:00Z"
	BooleanField   DataType = "boolean"    // true or false
	EnumField      DataType = "enum"       // the value of one option
	EnumMultiField DataType = "enum_multi" // a list of values of options
	ReferenceField DataType = "reference"  // {"type", "id"} of a record of the account
)

// dataTypes are all data types, in the order of the published interface.
func dataTypes() []DataType {
	names := fieldtype.Names()
	types := make([]DataType, len(names))
	for i, name := range names {
		types[i] = DataType(name)
	}
	return types
}

// CustomFieldDefinition defines a custom field: its entity type, its slug, and its data
// type with rules (see docs/customfields.md#definitions). Entity type, slug, data type,
// reference type and Filterable never change.
type CustomFieldDefinition struct {
	Meta
	// EntityType is the kind of resource that has such fields.
	EntityType EntityType `attr:"entity_type"`
	// APISlug is the name of the field for programs: lower-case words joined by _, unique
	// among the definitions of the entity type in the account.
	APISlug string `attr:"api_slug"`
	// DisplayName is the name for people. Several definitions can have the same.
	DisplayName string   `attr:"display_name"`
	DataType    DataType `attr:"data_type"`
	// Description for people; empty (null) for none.
	Description string `attr:"description,null"`
	// ReferenceType is the resource type of the records that values of DataType reference
	// refer to; empty (null) for other data types.
	ReferenceType string `attr:"reference_type,null"`
	// Validation has the rules for values, as a JSON object (see docs/customfields.md); nil
	// (null) for none.
	Validation json.RawMessage `attr:"validation,null"`
	// DefaultFormat is the format of display values; empty (null) for the default one.
	DefaultFormat string `attr:"default_format,null"`
	// DefaultValue is the value of new entities, as JSON in canonical form; nil (null) for
	// none.
	DefaultValue json.RawMessage `attr:"default_value,null"`
	// Filterable (own): lists can be filtered and sorted by the field.
	Filterable bool `attr:"filterable"`

	// CreatedAt and DeletedAt, UTC; DeletedAt is zero unless it is deleted. A deleted
	// definition is invisible, and is stored until a job has deleted its values.
	CreatedAt time.Time `private:"created_at"`
	DeletedAt time.Time `private:"deleted_at"`
}

func (d *CustomFieldDefinition) deleted() bool { return !d.DeletedAt.IsZero() }

// slugKey is unique among the definitions that are not deleted.
func slugKey(e EntityType, slug string) string { return string(e) + "/" + slug }

var customFieldDefinitions = newKind("custom_field_definition", []column[CustomFieldDefinition]{
	table.TextColumn("slug", func(d *CustomFieldDefinition) string { return slugKey(d.EntityType, d.APISlug) }),
	table.TextColumn("entity_type", func(d *CustomFieldDefinition) string { return string(d.EntityType) }),
	table.TextColumn("data_type", func(d *CustomFieldDefinition) string { return string(d.DataType) }),
	table.BoolColumn("deleted", (*CustomFieldDefinition).deleted),
	table.BoolColumn("has_default", (*CustomFieldDefinition).hasDefault),
}, func(d *CustomFieldDefinition) []store.Term {
	return table.Terms("name", d.names())
}, nil)

func (d *CustomFieldDefinition) hasDefault() bool { return len(d.DefaultValue) > 0 }

// names returns the terms for the filter by the prefix of a display name.
func (d *CustomFieldDefinition) names() []string { return []string{naturalkey.FoldName(d.DisplayName)} }

// CustomFieldDefinitionQuery selects definitions, last created first. A list matches any of
// its members; an empty one matches all.
type CustomFieldDefinitionQuery struct {
	EntityTypes []EntityType
	DataTypes   []DataType
	// DisplayName is a prefix of the display name, regardless of case.
	DisplayName string
	// Slugs select by the whole slug.
	Slugs []string
}

func (q CustomFieldDefinitionQuery) resourceType() *table.Schema {
	return customFieldDefinitions.Schema
}
func (q CustomFieldDefinitionQuery) filter() store.Filter {
	w := q.where()
	return w.Filter(customFieldDefinitions)
}

func (q CustomFieldDefinitionQuery) where() (w where[CustomFieldDefinition]) {
	w.Bool("deleted", false, (*CustomFieldDefinition).deleted)
	if len(q.Slugs) > 0 {
		var keys []string
		for _, e := range entityTypes {
			for _, slug := range q.Slugs {
				keys = append(keys, slugKey(e, slug))
			}
		}
		w.Text("slug", keys, func(d *CustomFieldDefinition) string { return slugKey(d.EntityType, d.APISlug) })
	}
	w.Text("entity_type", textsOf(q.EntityTypes), func(d *CustomFieldDefinition) string { return string(d.EntityType) })
	w.Text("data_type", textsOf(q.DataTypes), func(d *CustomFieldDefinition) string { return string(d.DataType) })
	if q.DisplayName != "" {
		w.HasPrefix("name", naturalkey.FoldName(q.DisplayName), (*CustomFieldDefinition).names)
	}
	return w
}

func textsOf[S ~string](list []S) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = string(s)
	}
	return out
}

// NewCustomFieldDefinition has the arguments of CreateCustomFieldDefinition.
type NewCustomFieldDefinition struct {
	EntityType EntityType
	// APISlug: 1 to 64 lower-case letters and digits in words joined by single _.
	// Derived from DisplayName when empty.
	APISlug string
	// DisplayName, 1 to 255 characters.
	DisplayName string
	DataType    DataType
	// Description, at most 1,000 characters.
	Description string
	// ReferenceType is required for DataType reference and for no other.
	ReferenceType string
	// Validation and DefaultFormat as in docs/customfields.md; nil and empty for none.
	Validation    json.RawMessage
	DefaultFormat string
	// DefaultValue is a JSON value of the data type; nil or null for none. For an enum it
	// can be the value of an option that does not exist yet, and has no effect until it
	// does.
	DefaultValue json.RawMessage
	// NotFilterable: lists cannot be filtered and sorted by the field, and it needs no
	// index.
	NotFilterable bool
}

// CustomFieldDefinitionUpdate changes a definition. Fields that are not set stay.
type CustomFieldDefinitionUpdate struct {
	DisplayName   Opt[string]
	Description   Opt[string]
	Validation    Opt[json.RawMessage] // nil clears it
	DefaultFormat Opt[string]
	DefaultValue  Opt[json.RawMessage] // nil clears it
	// The members below cannot change. Any other value than the present one is refused.
	EntityType    Opt[EntityType]
	APISlug       Opt[string]
	DataType      Opt[DataType]
	ReferenceType Opt[string]
	Filterable    Opt[bool]
	IfVersion     int64
}

// Limits of an account.
const (
	maxDefinitions = 200 // of one entity type
	maxDescription = 1_000
)

// CreateCustomFieldDefinition defines a custom field. Needs admin.
//
// Errors: Invalid on entity_type (inclusion), api_slug (blank, invalid,
// too_long, taken), display_name (blank, too_long, invalid), data_type
// (inclusion), description (too_long, invalid), reference_type (blank,
// inclusion, not_allowed), on validation, default_format and default_value and
// their members, and with the code too_many when the entity type has 200.
func (t *Tracker) CreateCustomFieldDefinition(ctx context.Context, n NewCustomFieldDefinition, once ...Once) (*CustomFieldDefinition, error) {
	if err := t.allow(Admin); err != nil {
		return nil, err
	}
	d := &CustomFieldDefinition{
		EntityType: n.EntityType, APISlug: n.APISlug, DisplayName: strings.TrimSpace(n.DisplayName), DataType: n.DataType,
		Description: strings.TrimSpace(n.Description), ReferenceType: n.ReferenceType,
		Validation: fieldtype.Compact(n.Validation), DefaultFormat: n.DefaultFormat, DefaultValue: fieldtype.Compact(n.DefaultValue), Filterable: !n.NotFilterable,
	}
	if d.APISlug == "" {
		d.APISlug = fieldtype.SlugOf(d.DisplayName)
	}
	if err := d.check(); err != nil {
		return nil, err
	}
	if err := d.settleLimits(); err != nil {
		return nil, err
	}
	return createOnce(ctx, t, once, customFieldDefinitions, func(tx *transaction) (*CustomFieldDefinition, error) {
		made := *d
		made.CreatedAt = tx.Now
		if err := made.admit(tx); err != nil {
			return nil, err
		}
		return &made, customFieldDefinitions.Put(tx, &made)
	})
}

// admit checks a new definition against the others and its default value.
func (d *CustomFieldDefinition) admit(tx *transaction) error {
	same, err := definitionBySlug(tx, d.EntityType, d.APISlug)
	if err != nil {
		return err
	}
	if same != nil {
		return invalid("api_slug", "taken", "a custom field of %s has the slug '%s' already", d.EntityType, d.APISlug)
	}
	_, total, err := customFieldDefinitions.List(tx, CustomFieldDefinitionQuery{EntityTypes: []EntityType{d.EntityType}}.where(), Page{Number: 1, Size: 1})
	if err != nil {
		return err
	}
	if total >= maxDefinitions {
		return &Error{Kind: Invalid, Code: "too_many", Detail: fmt.Sprintf("%s has %d custom fields, which is the most there can be", d.EntityType, maxDefinitions)}
	}
	return d.settleDefault(tx)
}

// check validates a definition as far as that does not depend on stored records.
func (d *CustomFieldDefinition) check() error {
	var faults Errors
	if !slices.Contains(entityTypes, d.EntityType) {
		faults = append(faults, invalid("entity_type", "inclusion", "'%s' is no entity type; there are %s", d.EntityType, fieldtype.JoinNames(textsOf(entityTypes))))
	}
	faults = appendFault(faults, checkText("display_name", d.DisplayName, 255))
	faults = appendFault(faults, asFieldError(fieldtype.CheckSlug(d.APISlug, d.DisplayName)))
	if d.Description != "" {
		faults = appendFault(faults, checkText("description", d.Description, maxDescription))
	}
	_, err := d.typeWith(nil)
	return appendFault(faults, err).or()
}

// appendFault adds the error of a check.
func appendFault(faults Errors, err error) Errors {
	var many Errors
	var one *Error
	switch {
	case errors.As(err, &many):
		return append(faults, many...)
	case errors.As(err, &one):
		return append(faults, one)
	}
	return faults
}

// fieldType returns the data type with the rules of the definition and its present options.
func (d *CustomFieldDefinition) fieldType(tx *transaction) (*fieldtype.Type, error) {
	if !d.hasOptions() {
		return d.typeWith(nil)
	}
	options, err := optionsOf(tx, d.ID)
	if err != nil {
		return nil, err
	}
	return d.typeWith(options)
}

func (d *CustomFieldDefinition) typeWith(options []*CustomFieldOption) (*fieldtype.Type, error) {
	rules := fieldtype.Definition{Type: string(d.DataType), ReferenceType: d.ReferenceType, Validation: d.Validation, DefaultFormat: d.DefaultFormat}
	for _, o := range options {
		rules.Options = append(rules.Options, fieldtype.Option{Value: o.Value, Label: o.Label})
	}
	typ, err := fieldtype.New(rules)
	return typ, asFieldError(err)
}

// asFieldError converts the errors of package fieldtype; others are returned as they are.
func asFieldError(err error) error {
	var many fieldtype.Errors
	if one := (*fieldtype.Error)(nil); errors.As(err, &one) {
		many = fieldtype.Errors{one}
	} else if !errors.As(err, &many) {
		return err
	}
	faults := make(Errors, len(many))
	for i, e := range many {
		faults[i] = &Error{Kind: Invalid, Field: e.Field, Code: e.Code, Detail: e.Detail}
	}
	return faults.or()
}

func (d *CustomFieldDefinition) hasOptions() bool {
	return d.DataType == EnumField || d.DataType == EnumMultiField
}

// settleLimits converts the limits of the validation to the canonical form of values, so
// that a limit remains the same day when the format changes.
func (d *CustomFieldDefinition) settleLimits() error {
	typ, err := d.typeWith(nil)
	if err == nil {
		d.Validation = typ.Validation
	}
	return err
}

// settleDefault validates the default value, and converts it to canonical form.
func (d *CustomFieldDefinition) settleDefault(tx *transaction) error {
	if !d.hasDefault() {
		return nil
	}
	typ, err := d.fieldType(tx)
	if err != nil {
		return err
	}
	value, err := typ.ParseDefault(d.DefaultValue, tx.lookUp)
	d.DefaultValue = fieldtype.Compact(value)
	return asFieldError(err)
}

// UpdateCustomFieldDefinition changes a definition. Existing values do not change, even if
// the new validation would refuse them. A background job renders their display values with
// the new format. Needs admin. Errors as CreateCustomFieldDefinition, NotFound, Stale, and
// Invalid with the code immutable on entity_type, api_slug, data_type, reference_type,
// filterable.
func (t *Tracker) UpdateCustomFieldDefinition(ctx context.Context, id ID, u CustomFieldDefinitionUpdate) (*CustomFieldDefinition, error) {
	if err := t.allow(Admin); err != nil {
		return nil, err
	}
	return updateFound(ctx, t, "custom_field_definition.update", u.IfVersion, withDefinition(id), func(tx *transaction, d *CustomFieldDefinition) error {
		if err := u.keeps(d); err != nil {
			return err
		}
		format := d.DefaultFormat
		if err := d.settleLimits(); err != nil { // with the old format
			return err
		}
		u.apply(d)
		if err := d.check(); err != nil {
			return err
		}
		if err := d.settleLimits(); err != nil {
			return err
		}
		if u.DefaultValue.Set || u.Validation.Set {
			if err := d.settleDefault(tx); err != nil {
				return err
			}
		}
		if err := customFieldDefinitions.Put(tx, d); err != nil || d.DefaultFormat == format {
			return err
		}
		return enqueueRerender(tx, d.ID)
	})
}

// withDefinition returns a function that reads a definition that is not deleted.
func withDefinition(id ID) func(*transaction) (*CustomFieldDefinition, error) {
	return func(tx *transaction) (*CustomFieldDefinition, error) { return definition(tx, id) }
}

// keeps refuses other values of the members that cannot change.
func (u *CustomFieldDefinitionUpdate) keeps(d *CustomFieldDefinition) error {
	var faults Errors
	for _, m := range []struct {
		name    string
		changes bool
		now     any
	}{
		{"entity_type", differs(u.EntityType, d.EntityType), d.EntityType},
		{"api_slug", differs(u.APISlug, d.APISlug), d.APISlug},
		{"data_type", differs(u.DataType, d.DataType), d.DataType},
		{"reference_type", differs(u.ReferenceType, d.ReferenceType), d.ReferenceType},
		{"filterable", differs(u.Filterable, d.Filterable), d.Filterable},
	} {
		if m.changes {
			faults = append(faults, invalid(m.name, "immutable", "%s cannot change: it is '%v' for as long as the definition lives", fieldLabel(m.name), m.now))
		}
	}
	return faults.or()
}

func differs[V comparable](o Opt[V], now V) bool { return o.Set && o.Value != now }

func (u *CustomFieldDefinitionUpdate) apply(d *CustomFieldDefinition) {
	if u.DisplayName.Set {
		d.DisplayName = strings.TrimSpace(u.DisplayName.Value)
	}
	if u.Description.Set {
		d.Description = strings.TrimSpace(u.Description.Value)
	}
	if u.Validation.Set {
		d.Validation = fieldtype.Compact(u.Validation.Value)
	}
	setIfGiven(&d.DefaultFormat, u.DefaultFormat)
	if u.DefaultValue.Set {
		d.DefaultValue = fieldtype.Compact(u.DefaultValue.Value)
	}
}

// DeleteCustomFieldDefinition deletes a definition with its options and all its values.
// They are invisible at once; a background job deletes them from the store. The slug can be
// used again. Needs admin. Errors: NotFound.
func (t *Tracker) DeleteCustomFieldDefinition(ctx context.Context, id ID) error {
	if err := t.allow(Admin); err != nil {
		return err
	}
	return t.change(ctx, "custom_field_definition.delete", t.actor.Account, func(tx *transaction) error {
		d, err := definition(tx, id)
		if err != nil {
			return err
		}
		d.DeletedAt = tx.Now
		if err := customFieldDefinitions.Put(tx, d); err != nil {
			return err
		}
		return enqueueClearing(tx, d.ID)
	})
}

// CustomFieldDefinition returns one definition. Needs show. Errors: NotFound.
func (t *Tracker) CustomFieldDefinition(ctx context.Context, id ID) (*CustomFieldDefinition, error) {
	if err := t.allow(Show); err != nil {
		return nil, err
	}
	return viewing(ctx, t.engine, t.actor.Account, withDefinition(id))
}

// CustomFieldDefinitions returns a page of definitions, last created first, and their total
// number. Needs show.
func (t *Tracker) CustomFieldDefinitions(ctx context.Context, q CustomFieldDefinitionQuery, p Page) ([]*CustomFieldDefinition, int, error) {
	return list(ctx, t, customFieldDefinitions, q, p)
}

// definition returns a definition that is not deleted.
func definition(tx *transaction, id ID) (*CustomFieldDefinition, error) {
	d, err := customFieldDefinitions.Get(tx, id)
	if err == nil && d.deleted() {
		return nil, notFound()
	}
	return d, err
}

// definitionBySlug returns the definition of an entity type, or nil.
func definitionBySlug(tx *transaction, e EntityType, slug string) (*CustomFieldDefinition, error) {
	found, err := customFieldDefinitions.All(tx, CustomFieldDefinitionQuery{EntityTypes: []EntityType{e}, Slugs: []string{slug}}.where())
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return found[0], nil
}

// searched reports whether Search finds records by values of the field. Values of other
// data types are the same in many records.
func (d *CustomFieldDefinition) searched() bool {
	return d.Filterable && (d.DataType == ShortTextField || d.DataType == NumberField)
}
