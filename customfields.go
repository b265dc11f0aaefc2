package tracking

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/landfallhq/tracking/internal/fieldtype"
	"github.com/landfallhq/tracking/internal/inclusion"
	"github.com/landfallhq/tracking/internal/search"
	"github.com/landfallhq/tracking/internal/table"
	"github.com/landfallhq/tracking/store"
)

// EntityType is a resource type with custom fields, as in definitions.
type EntityType string

// The entity types.
const (
	ShipmentEntity        EntityType = "Shipment"
	ContainerEntity       EntityType = "Container"
	TrackingRequestEntity EntityType = "TrackingRequest"
)

var entityTypes = []EntityType{ShipmentEntity, ContainerEntity, TrackingRequestEntity}

// entityKinds are the records behind the entity types.
var entityKinds = map[EntityType]*store.Kind{
	ShipmentEntity: shipments.Kind, ContainerEntity: containers.Kind, TrackingRequestEntity: trackingRequests.Kind,
}

// entityTypeOf returns the entity type of a resource type: Shipment for shipment.
// Empty if it has no custom fields.
func entityTypeOf(resource string) EntityType {
	for e, kind := range entityKinds {
		if kind.Name == resource {
			return e
		}
	}
	return ""
}

// Entity is the resource of a custom field.
type Entity struct {
	Type EntityType
	ID   ID
}

func (e Entity) ref() Ref { return Ref{Type: entityKinds[e.Type].Name, ID: e.ID} }

// ChangeSource is how a value was set.
type ChangeSource string

// The sources. Actor.Via decides; the engine itself uses SetByTrackingRequest and
// SetByDefault.
const (
	SetByAPI             ChangeSource = "api"
	SetByImport          ChangeSource = "import"           // a file of the operator's, also where the request of a row brought it
	SetByTrackingRequest ChangeSource = "tracking_request" // it came with the request that led to the shipment
	SetByLibrary         ChangeSource = "library"          // a program that embeds the engine
	SetByDefault         ChangeSource = "default"          // the definition's default_value
)

// CustomField is the value of a custom field on one entity (see
// docs/customfields.md).
type CustomField struct {
	Meta
	// Entity of the value: a shipment, a container or a tracking request.
	Entity     Ref `rel:"entity,shipment|container|tracking_request"`
	Definition ID  `rel:"definition,custom_field_definition"`
	// UpdatedBy is the user who set the value last; zero (null) for a key without a
	// user and for a default value.
	UpdatedBy ID `rel:"updated_by,user"`

	APISlug string `attr:"api_slug"` // of the definition
	// Value in the canonical form of the data type, as JSON; nil (null) for none.
	Value json.RawMessage `attr:"value,null"`
	// DisplayValue is the formatted value; empty (null) for no value.
	DisplayValue string `attr:"display_value,null"`
	// Source (own) is how the value was last set.
	Source ChangeSource `attr:"source"`
	// CreatedAt and UpdatedAt (own) are when a value was first and last set, UTC. A
	// new format or label does not change them.
	CreatedAt time.Time `attr:"created_at"`
	UpdatedAt time.Time `attr:"updated_at"`

	customFieldInternals
}

// customFieldInternals is what the engine stores with a value and does not show.
type customFieldInternals struct {
	// Changes counts the entries of its history; see CustomFieldChange.
	Changes int `private:"changes"`
	// Searched values are found by Search; see CustomFieldDefinition.searched.
	Searched bool `private:"searched"`
}

var customFields = newKind("custom_field", []column[CustomField]{
	table.IDColumn("entity", func(f *CustomField) ID { return f.Entity.ID }),
	table.TextColumn("entity_type", func(f *CustomField) string { return f.Entity.Type }),
	table.IDColumn("definition", func(f *CustomField) ID { return f.Definition }),
}, func(f *CustomField) []store.Term {
	if !f.Searched || f.DisplayValue == "" {
		return nil
	}
	return nameTerms(f.DisplayValue)
}, nil).Counted("entity_type").TermsVersion(search.TermsVersion)

// customFieldID is the ID of the value of a definition on an entity.
func customFieldID(entity, definition ID) ID {
	return table.NamedID("custom_field", entity.String()+"/"+definition.String())
}

// CustomFieldQuery selects values, last created first. A list matches any of its
// members; an empty one matches all.
type CustomFieldQuery struct {
	EntityTypes []EntityType
	// Entities are shipments, containers and tracking requests.
	Entities    []ID
	Definitions []ID
	// Entity selects the values of one entity; the zero Entity makes no condition. An
	// entity that does not exist is an error of kind NotFound.
	Entity Entity
	// buried are deleted definitions whose values still exist; live are the others.
	buried bool
	live   []ID
}

func (q CustomFieldQuery) resourceType() *table.Schema { return customFields.Schema }
func (q CustomFieldQuery) filter() store.Filter        { w := q.where(); return w.Filter(customFields) }

func (q CustomFieldQuery) list(tx *transaction, p Page, to []store.Record) ([]store.Record, int, error) {
	if q.Entity != (Entity{}) {
		if err := entityExists(tx, q.Entity); err != nil {
			return to, 0, err
		}
	}
	buried, err := deletedDefinitions(tx)
	if err != nil {
		return to, 0, err
	}
	if q.buried = len(buried) > 0; q.buried {
		standing, err := customFieldDefinitions.All(tx, CustomFieldDefinitionQuery{}.where())
		if err != nil {
			return to, 0, err
		}
		for _, d := range standing {
			q.live = append(q.live, d.ID)
		}
	}
	return tx.Records.List(tx, customFields.Kind, q.filter(), p, to)
}

func (q CustomFieldQuery) where() (w where[CustomField]) {
	if len(q.EntityTypes) > 0 {
		names := make([]string, len(q.EntityTypes))
		for i, e := range q.EntityTypes {
			if kind := entityKinds[e]; kind != nil {
				names[i] = kind.Name
			}
		}
		w.Text("entity_type", names, func(f *CustomField) string { return f.Entity.Type })
	}
	w.IDs("entity", q.Entities, func(f *CustomField) ID { return f.Entity.ID })
	w.IDs("definition", q.Definitions, func(f *CustomField) ID { return f.Definition })
	if q.Entity != (Entity{}) {
		w.IDs("entity", []ID{q.Entity.ID}, func(f *CustomField) ID { return f.Entity.ID })
	}
	if q.buried {
		w.Add(store.Cond{Name: "definition", Op: store.Is, Values: table.Values(q.live)}, func(f *CustomField) bool { return slices.Contains(q.live, f.Definition) })
	}
	return w
}

// deletedDefinitions are deleted definitions whose values are not yet removed.
func deletedDefinitions(tx *transaction) ([]*CustomFieldDefinition, error) {
	var w where[CustomFieldDefinition]
	w.Bool("deleted", true, (*CustomFieldDefinition).deleted)
	return customFieldDefinitions.All(tx, w)
}

// NewCustomField is a value for SetCustomField.
type NewCustomField struct {
	Entity Entity
	// APISlug of a definition. For a tracking request, definitions of tracking
	// requests, shipments and containers are tried in this order.
	APISlug string
	// Value as JSON; FieldJSON converts a Go value. null is no value.
	Value json.RawMessage
}

// FieldJSON converts a Go value to the JSON of a custom field: a string, a number,
// a bool, a list of strings, a time.Time, nil. Errors: Invalid on value if JSON
// cannot represent it, such as NaN.
func FieldJSON(v any) (json.RawMessage, error) {
	raw, err := fieldtype.Encode(v)
	return raw, asFieldError(err)
}

// CustomFieldUpdate is a new value for a custom field.
type CustomFieldUpdate struct {
	Value     json.RawMessage
	IfVersion int64
}

// SetCustomField sets a value on an entity, or replaces it. The same value again
// changes nothing. Needs update.
//
// Errors: Invalid on relationships/entity (not_found), api_slug (blank, not_found,
// entity_type_mismatch) and value (blank, required, and those of the data type in
// docs/customfields.md).
func (t *Tracker) SetCustomField(ctx context.Context, n NewCustomField, once ...Once) (*CustomField, error) {
	if err := t.allow(Update); err != nil {
		return nil, err
	}
	return createOnce(ctx, t, once, customFields, func(tx *transaction) (*CustomField, error) { return t.setCustomField(tx, n) })
}

func (t *Tracker) setCustomField(tx *transaction, n NewCustomField) (*CustomField, error) {
	s, err := t.newSetting(tx, n)
	if err != nil {
		return nil, err
	}
	return s.check(tx, n.Value)
}

// CheckCustomField returns the error of SetCustomField, and writes nothing: what sets a value
// on many entities can show first why it would be refused. Needs update.
func (t *Tracker) CheckCustomField(ctx context.Context, n NewCustomField) error {
	if err := t.allow(Update); err != nil {
		return err
	}
	return t.view(ctx, t.actor.Account, func(tx *transaction) error {
		s, err := t.newSetting(tx, n)
		if err == nil {
			_, _, err = s.parse(tx, n.Value)
		}
		return err
	})
}

// newSetting finds the entity and the definition of a value.
func (t *Tracker) newSetting(tx *transaction, n NewCustomField) (s fieldSetting, err error) {
	if err := entityExists(tx, n.Entity); isNotFound(err) {
		return s, invalid("relationships/entity", "not_found", "Entity is no shipment, container or tracking request of this account")
	} else if err != nil {
		return s, err
	}
	d, err := definitionFor(tx, n.Entity.Type, n.APISlug)
	if err != nil {
		return s, err
	}
	return t.setting(d, n.Entity.ref()), nil
}

func entityExists(tx *transaction, e Entity) error {
	kind := entityKinds[e.Type]
	if kind == nil {
		return notFound()
	}
	_, err := tx.Records.Get(tx, kind, e.ID)
	return asNotFound(err)
}

// definitionFor returns the definition for a slug on an entity.
func definitionFor(tx *transaction, e EntityType, slug string) (*CustomFieldDefinition, error) {
	if slug == "" {
		return nil, invalid("api_slug", "blank", "Api slug can't be blank")
	}
	called, err := customFieldDefinitions.All(tx, CustomFieldDefinitionQuery{Slugs: []string{slug}}.where())
	if err != nil {
		return nil, err
	}
	for _, meant := range alternativeTypes(e) {
		for _, d := range called {
			if d.EntityType == meant {
				return d, nil
			}
		}
	}
	if len(called) > 0 {
		return nil, invalid("api_slug", "entity_type_mismatch", "'%s' is a custom field of %s, not of %s", slug, called[0].EntityType, e)
	}
	return nil, invalid("api_slug", "not_found", "There is no custom field '%s' of %s", shorten(slug), e)
}

// alternativeTypes are the entity types whose definitions are tried, in order.
func alternativeTypes(e EntityType) []EntityType {
	if e == TrackingRequestEntity {
		return []EntityType{TrackingRequestEntity, ShipmentEntity, ContainerEntity}
	}
	return []EntityType{e}
}

// shorten bounds a caller's text in an error.
func shorten(s string) string {
	if r := []rune(s); len(r) > fieldtype.MaxSlug {
		return string(r[:fieldtype.MaxSlug]) + "..."
	}
	return s
}

// fieldSetting sets a value on an entity, for a user.
type fieldSetting struct {
	definition *CustomFieldDefinition
	entity     Ref
	by         ID
	source     ChangeSource
}

func (t *Tracker) setting(d *CustomFieldDefinition, entity Ref) fieldSetting {
	return fieldSetting{definition: d, entity: entity, by: t.actor.User, source: cmp.Or(t.actor.Via, SetByLibrary)}
}

// check validates the value and writes it.
func (s fieldSetting) check(tx *transaction, value json.RawMessage) (*CustomField, error) {
	typ, v, err := s.parse(tx, value)
	if err != nil {
		return nil, err
	}
	return s.write(tx, typ, v)
}

// parse validates the value.
func (s fieldSetting) parse(tx *transaction, value json.RawMessage) (typ *fieldtype.Type, v fieldtype.Value, err error) {
	if len(value) == 0 {
		return nil, v, invalid("value", "blank", "Value is missing; null is no value")
	}
	if typ, err = s.definition.fieldType(tx); err != nil {
		return nil, v, err
	}
	v, err = typ.Parse(value, tx.lookUp)
	return typ, v, asFieldError(err)
}

// reapply writes a value that was validated before, with its present display.
func (s fieldSetting) reapply(tx *transaction, value json.RawMessage) error {
	typ, err := s.definition.fieldType(tx)
	if err != nil {
		return err
	}
	v, err := typ.Restore(value, tx.lookUp)
	if err != nil {
		return err
	}
	_, err = s.write(tx, typ, v)
	return err
}

// write writes a valid value. If it is stored with the same user and source,
// nothing changes.
func (s fieldSetting) write(tx *transaction, typ *fieldtype.Type, v fieldtype.Value) (*CustomField, error) {
	id := customFieldID(s.entity.ID, s.definition.ID)
	f, err := customFields.Get(tx, id)
	switch {
	case isNotFound(err):
		f = &CustomField{Meta: Meta{ID: id}, Entity: s.entity, Definition: s.definition.ID, APISlug: s.definition.APISlug, CreatedAt: tx.Now}
		if f.Changes, err = lastChange(tx, id); err != nil {
			return nil, err
		}
	case err != nil:
		return nil, err
	case sameValue(f.Value, v.JSON) && !s.confirms(f):
		return f, nil
	}
	f.Value, f.DisplayValue, f.Searched = fieldtype.Compact(v.JSON), v.Display, s.definition.searched()
	f.UpdatedBy, f.Source, f.UpdatedAt = s.by, s.source, tx.Now
	if err := f.revise(tx, ValueSet); err != nil {
		return nil, err
	}
	return f, putCustomField(tx, s.definition, f, typ, v)
}

// confirms reports whether setting the same value again changes its user and
// source. A user's call does. The engine itself replaces only a default.
func (s fieldSetting) confirms(f *CustomField) bool {
	switch s.source {
	case SetByDefault:
		return false
	case SetByTrackingRequest:
		return f.Source == SetByDefault
	}
	return s.by != f.UpdatedBy || s.source != f.Source
}

// sameValue compares canonical JSON.
func sameValue(a, b json.RawMessage) bool {
	return bytes.Equal(fieldtype.Compact(a), fieldtype.Compact(b))
}

// putCustomField writes a value and its index on the entity.
func putCustomField(tx *transaction, d *CustomFieldDefinition, f *CustomField, typ *fieldtype.Type, v fieldtype.Value) error {
	if err := customFields.Put(tx, f); err != nil || !d.Filterable {
		return err
	}
	return indexField(tx, registry[f.Entity.Type].Kind, f.Entity.ID, d.ID, typ, v.Keys)
}

// removeCustomField deletes a value and its index on the entity.
func removeCustomField(tx *transaction, d *CustomFieldDefinition, f *CustomField, typ *fieldtype.Type) error {
	if err := customFields.Delete(tx, f.ID); err != nil || !d.Filterable {
		return err
	}
	return indexField(tx, registry[f.Entity.Type].Kind, f.Entity.ID, d.ID, typ, nil)
}

// lookUp finds the record of a reference and its label. It is a fieldtype.Lookup.
func (tx *transaction) lookUp(typ string, id ID) (label string, ok bool, err error) {
	labelOf := labels[typ]
	if labelOf == nil {
		return "", false, nil
	}
	if label, err = labelOf(tx, id); isNotFound(err) {
		return "", false, nil
	}
	return label, err == nil, err
}

// labels return the label of a record, by resource type.
var labels = map[string]func(*transaction, ID) (string, error){
	shipments.Kind.Name:        labelBy(shipments, func(s *Shipment) string { return s.BillOfLadingNumber }),
	containers.Kind.Name:       labelBy(containers, func(c *Container) string { return c.Number }),
	trackingRequests.Kind.Name: labelBy(trackingRequests, func(r *TrackingRequest) string { return r.RequestNumber }),
	parties.Kind.Name:          labelBy(parties, func(p *Party) string { return p.CompanyName }),
	documents.Kind.Name:        labelBy(documents, func(d *Document) string { return d.Name }),
}

func labelBy[T any](n *resource[T], label func(*T) string) func(*transaction, ID) (string, error) {
	return func(tx *transaction, id ID) (string, error) {
		v, err := n.Get(tx, id)
		if err != nil {
			return "", err
		}
		return label(v), nil
	}
}

// UpdateCustomField replaces the value of a custom field. Needs update. Errors as
// SetCustomField on value, and NotFound, Stale.
func (t *Tracker) UpdateCustomField(ctx context.Context, id ID, u CustomFieldUpdate) (*CustomField, error) {
	return t.changeCustomField(ctx, u, func(tx *transaction) (*CustomField, error) { return customField(tx, id) })
}

// UpdateCustomFieldOf is UpdateCustomField by entity and slug; NotFound if there is
// no value.
func (t *Tracker) UpdateCustomFieldOf(ctx context.Context, e Entity, slug string, u CustomFieldUpdate) (*CustomField, error) {
	return t.changeCustomField(ctx, u, func(tx *transaction) (*CustomField, error) { return customFieldOf(tx, e, slug) })
}

func (t *Tracker) changeCustomField(ctx context.Context, u CustomFieldUpdate, find func(*transaction) (*CustomField, error)) (*CustomField, error) {
	if err := t.allow(Update); err != nil {
		return nil, err
	}
	var set *CustomField
	_, err := updateFound(ctx, t, "custom_field.update", u.IfVersion, find, func(tx *transaction, f *CustomField) error {
		d, err := definition(tx, f.Definition)
		if err != nil {
			return err
		}
		set, err = t.setting(d, f.Entity).check(tx, u.Value)
		return err
	})
	if err != nil {
		return nil, err
	}
	return set, nil
}

// DeleteCustomField deletes a value, even a required one. Its history stays. Needs
// update. Errors: NotFound.
func (t *Tracker) DeleteCustomField(ctx context.Context, id ID) error {
	return t.dropCustomField(ctx, func(tx *transaction) (*CustomField, error) { return customField(tx, id) })
}

// DeleteCustomFieldOf is DeleteCustomField by entity and slug.
func (t *Tracker) DeleteCustomFieldOf(ctx context.Context, e Entity, slug string) error {
	return t.dropCustomField(ctx, func(tx *transaction) (*CustomField, error) { return customFieldOf(tx, e, slug) })
}

func (t *Tracker) dropCustomField(ctx context.Context, find func(*transaction) (*CustomField, error)) error {
	if err := t.allow(Update); err != nil {
		return err
	}
	return t.change(ctx, "custom_field.delete", t.actor.Account, func(tx *transaction) error {
		f, err := find(tx)
		if err != nil {
			return err
		}
		d, err := definition(tx, f.Definition)
		if err != nil {
			return err
		}
		typ, err := d.fieldType(tx)
		if err != nil {
			return err
		}
		s := t.setting(d, f.Entity)
		f.Value, f.DisplayValue = nil, ""
		f.UpdatedBy, f.Source, f.UpdatedAt = s.by, s.source, tx.Now
		if err := f.revise(tx, ValueDeleted); err != nil {
			return err
		}
		return removeCustomField(tx, d, f, typ)
	})
}

// CustomField returns one value. Needs show. Errors: NotFound.
func (t *Tracker) CustomField(ctx context.Context, id ID) (*CustomField, error) {
	return t.readCustomField(ctx, func(tx *transaction) (*CustomField, error) { return customField(tx, id) })
}

// CustomFieldOf returns the value of an entity by slug. Needs show. Errors:
// NotFound.
func (t *Tracker) CustomFieldOf(ctx context.Context, e Entity, slug string) (*CustomField, error) {
	return t.readCustomField(ctx, func(tx *transaction) (*CustomField, error) { return customFieldOf(tx, e, slug) })
}

func (t *Tracker) readCustomField(ctx context.Context, find func(*transaction) (*CustomField, error)) (*CustomField, error) {
	if err := t.allow(Show); err != nil {
		return nil, err
	}
	return viewing(ctx, t.engine, t.actor.Account, find)
}

// CustomFields returns a page of values, last created first, and their total
// number. Needs show. Errors: NotFound for the Entity of q.
func (t *Tracker) CustomFields(ctx context.Context, q CustomFieldQuery, p Page) ([]*CustomField, int, error) {
	return list(ctx, t, customFields, q, p)
}

// customField returns a value whose definition is not deleted.
func customField(tx *transaction, id ID) (*CustomField, error) {
	f, err := customFields.Get(tx, id)
	if err != nil {
		return nil, err
	}
	_, err = definition(tx, f.Definition)
	return f, err
}

// customFieldOf returns the value of an entity by slug.
func customFieldOf(tx *transaction, e Entity, slug string) (*CustomField, error) {
	if err := entityExists(tx, e); err != nil {
		return nil, err
	}
	called, err := customFieldDefinitions.All(tx, CustomFieldDefinitionQuery{Slugs: []string{slug}}.where())
	if err != nil || slug == "" {
		return nil, cmp.Or(err, error(notFound()))
	}
	for _, meant := range alternativeTypes(e.Type) {
		for _, d := range called {
			if d.EntityType != meant {
				continue
			}
			// A request may have the value that a shipment is to get, and a field of
			// its own by that name since.
			if f, err := customFields.Get(tx, customFieldID(e.ID, d.ID)); !isNotFound(err) {
				return f, err
			}
		}
	}
	return nil, notFound()
}

// linkedCustomFields are the values of entities, first created first, without those
// of deleted definitions.
func linkedCustomFields(tx *transaction, rows []inclusion.Row) (map[ID][]ID, error) {
	by, err := linked(tx, customFields.Kind, "entity", idsOf(rows))
	if err != nil || len(by) == 0 {
		return by, err
	}
	buried, err := deletedDefinitions(tx)
	if err != nil || len(buried) == 0 {
		return by, err
	}
	for of, ids := range by {
		by[of] = slices.DeleteFunc(ids, func(id ID) bool {
			return slices.ContainsFunc(buried, func(d *CustomFieldDefinition) bool { return id == customFieldID(of, d.ID) })
		})
	}
	return by, nil
}

// isOfDeletedDefinition reports whether a stored record belongs to a deleted
// definition.
func isOfDeletedDefinition(tx *transaction, k *store.Kind, r store.Record) (bool, error) {
	switch k {
	case customFieldDefinitions.Kind:
		d, err := customFieldDefinitions.Decode(r)
		return err == nil && d.deleted(), err
	case customFields.Kind:
		f, err := customFields.Decode(r)
		if err != nil {
			return false, err
		}
		_, err = definition(tx, f.Definition)
		if isNotFound(err) {
			return true, nil
		}
		return false, err
	}
	return false, nil
}

// MaxBulkFields is the largest number of items of SetCustomFields.
const MaxBulkFields = 1_000

// bulkBatch is the number of items per transaction unless Atomic is set, so that
// other writers do not wait for all.
const bulkBatch = 100

// maxBulkFaults bounds the errors of an atomic bulk.
const maxBulkFaults = 100

// BulkCustomFields is a list of values for SetCustomFields.
type BulkCustomFields struct {
	// Items, 1 to MaxBulkFields. If two set the same field, the later counts.
	Items []NewCustomField
	// Atomic sets all items, or none if one is refused.
	Atomic bool
}

// BulkFieldResult is the result of one item.
type BulkFieldResult struct {
	// ID of the value; zero if the item was refused.
	ID ID `json:"id"`
	// Faults are the errors of a refused item, with fields as in SetCustomField.
	Faults Errors `json:"faults,omitempty"`
}

// SetCustomFields is SetCustomField for up to 1,000 values. It returns one result
// per item, in order. If Atomic is set and an item is refused, nothing is written
// and up to a hundred errors are returned as Errors, with fields that name the item
// ("items[3].value"). Needs update.
//
// Errors: Invalid on items (blank, too_long), and as above.
func (t *Tracker) SetCustomFields(ctx context.Context, b BulkCustomFields, once ...Once) ([]BulkFieldResult, error) {
	if err := t.allow(Update); err != nil {
		return nil, err
	}
	switch n := len(b.Items); {
	case n == 0:
		return nil, invalid("items", "blank", "Items must hold 1 to %d values", MaxBulkFields)
	case n > MaxBulkFields:
		return nil, invalid("items", "too_long", "Items must hold 1 to %d values, and hold %d", MaxBulkFields, n)
	}
	size := bulkBatch
	if b.Atomic {
		size = MaxBulkFields
	}
	results := make([]BulkFieldResult, 0, len(b.Items))
	for batch := range slices.Chunk(b.Items, size) {
		done, err := t.setBatch(ctx, b.Atomic, batch, onceForPart(once, len(results)))
		if err != nil {
			return nil, err
		}
		results = append(results, done...)
	}
	return results, nil
}

// setBatch sets items in one transaction.
func (t *Tracker) setBatch(ctx context.Context, atomic bool, items []NewCustomField, once []Once) (results []BulkFieldResult, err error) {
	err = t.change(ctx, "custom_field.set_many", t.actor.Account, func(tx *transaction) (err error) {
		results, _, err = remembered(tx, once, "custom_fields_bulk", func() ([]BulkFieldResult, error) {
			return t.setItems(tx, items, atomic)
		})
		return err
	})
	return results, err
}

// onceForPart is the Once of a part of the call, so that a repeated call continues where
// the first was interrupted. The first part has the key itself, which detects other
// uses of it.
func onceForPart(once []Once, from int) []Once {
	o := onceOf(once)
	if o.Key == "" || from == 0 {
		return once
	}
	sum := sha256.Sum256([]byte(o.Key))
	return []Once{{Key: fmt.Sprintf("%s/%d", hex.EncodeToString(sum[:]), from), Fingerprint: o.Fingerprint}}
}

func (t *Tracker) setItems(tx *transaction, items []NewCustomField, atomic bool) ([]BulkFieldResult, error) {
	results := make([]BulkFieldResult, len(items))
	var all Errors
	for i, item := range items {
		f, err := t.setCustomField(tx, item)
		faults := appendFault(nil, err)
		switch {
		case err == nil:
			results[i].ID = f.ID
		case len(faults) == 0:
			return nil, err
		}
		results[i].Faults = faults
		for _, fault := range faults {
			again := *fault
			again.Field = fmt.Sprintf("items[%d].%s", i, fault.Field)
			all = append(all, &again)
		}
		if atomic && len(all) >= maxBulkFaults {
			break
		}
	}
	if atomic && len(all) > 0 {
		return nil, all
	}
	return results, nil
}

// CustomFieldChange is one change of a custom field. It is written with the change
// and never changes.
type CustomFieldChange struct {
	Meta
	CustomField ID `rel:"custom_field,custom_field"` // the one that changed
	// UpdatedBy is the user who made the change; zero (null) for a key without a
	// user and for a default value.
	UpdatedBy ID `rel:"updated_by,user"`

	// Number counts the changes of the field, from 1.
	Number int `attr:"number"`
	// Action is whether the value was set or deleted.
	Action ChangeAction `attr:"action"`
	// Value and DisplayValue after the change, as displayed then; nil and empty
	// (null) for no value.
	Value        json.RawMessage `attr:"value,null"`
	DisplayValue string          `attr:"display_value,null"`
	Source       ChangeSource    `attr:"source"`
	ChangedAt    time.Time       `attr:"changed_at"` // UTC

	// Definition of the field. Deleting it deletes the history.
	Definition ID `private:"definition"`
}

// ChangeAction is the kind of a change.
type ChangeAction string

// The actions.
const (
	ValueSet     ChangeAction = "set"
	ValueDeleted ChangeAction = "deleted"
)

var customFieldChanges = newKind("custom_field_change", []column[CustomFieldChange]{
	table.IDColumn("custom_field", func(r *CustomFieldChange) ID { return r.CustomField }),
	table.IDColumn("definition", func(r *CustomFieldChange) ID { return r.Definition }),
}, nil, nil)

// maxChanges is the number of changes of a field that are kept: the last ones.
const maxChanges = 1_000

func customFieldChangeID(field ID, number int) ID {
	return table.NamedID("custom_field_change", fmt.Sprintf("%s/%d", field, number))
}

// CustomFieldChangeQuery selects changes, last first.
type CustomFieldChangeQuery struct {
	// CustomField of the changes.
	CustomField ID
}

func (q CustomFieldChangeQuery) resourceType() *table.Schema { return customFieldChanges.Schema }
func (q CustomFieldChangeQuery) filter() store.Filter {
	w := q.where()
	return w.Filter(customFieldChanges)
}

// list selects. A field that was never set, or whose definition is deleted, is an error.
func (q CustomFieldChangeQuery) list(tx *transaction, p Page, to []store.Record) ([]store.Record, int, error) {
	last, _, err := customFieldChanges.List(tx, q.where(), Page{Number: 1, Size: 1})
	if err != nil {
		return to, 0, err
	}
	if len(last) == 0 {
		return to, 0, notFound()
	}
	if _, err := definition(tx, last[0].Definition); err != nil {
		return to, 0, err
	}
	return tx.Records.List(tx, customFieldChanges.Kind, q.filter(), p, to)
}

func (q CustomFieldChangeQuery) where() (w where[CustomFieldChange]) {
	w.IDs("custom_field", []ID{q.CustomField}, func(r *CustomFieldChange) ID { return r.CustomField })
	return w
}

// revise writes the present state of the field to its history. The caller writes
// the field.
func (f *CustomField) revise(tx *transaction, action ChangeAction) error {
	f.Changes++
	if f.Changes > maxChanges {
		if err := ignoreNotFound(customFieldChanges.Delete(tx, customFieldChangeID(f.ID, f.Changes-maxChanges))); err != nil {
			return err
		}
	}
	return customFieldChanges.Put(tx, &CustomFieldChange{
		Meta:        Meta{ID: customFieldChangeID(f.ID, f.Changes)},
		CustomField: f.ID, Definition: f.Definition, UpdatedBy: f.UpdatedBy, Number: f.Changes, Action: action,
		Value: f.Value, DisplayValue: f.DisplayValue, Source: f.Source, ChangedAt: tx.Now,
	})
}

// lastChange is the number of the last change of a field without a value.
func lastChange(tx *transaction, field ID) (int, error) {
	last, _, err := customFieldChanges.List(tx, CustomFieldChangeQuery{CustomField: field}.where(), Page{Number: 1, Size: 1})
	if err != nil || len(last) == 0 {
		return 0, err
	}
	return last[0].Number, nil
}

// CustomFieldChanges returns a page of the changes of a custom field, last first, and
// their total number. The last 1,000 are kept. The history of a deleted value stays
// until its definition is deleted. Needs show. Errors: NotFound.
func (t *Tracker) CustomFieldChanges(ctx context.Context, q CustomFieldChangeQuery, p Page) ([]*CustomFieldChange, int, error) {
	return list(ctx, t, customFieldChanges, q, p)
}
