package client_test

import (
	"cmp"
	"encoding/json"
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/client"
)

// everyField calls all operations on custom fields.
func (b *bench) everyField(t *testing.T, s *tracking.Shipment, container *tracking.Container, r *tracking.TrackingRequest) {
	t.Helper()
	ctx, engine := t.Context(), b.Tracker
	define := func(n tracking.NewCustomFieldDefinition) *tracking.CustomFieldDefinition {
		t.Helper()
		return must[*tracking.CustomFieldDefinition](t)(b.Client.CreateCustomFieldDefinition(ctx, n))
	}
	po := define(tracking.NewCustomFieldDefinition{
		EntityType: tracking.ShipmentEntity, DisplayName: "Purchase order", DataType: tracking.ShortTextField,
		Description: "of the buyer", Validation: json.RawMessage(`{"max_length":20}`), DefaultValue: json.RawMessage(`"none"`),
	})
	weight := define(tracking.NewCustomFieldDefinition{EntityType: tracking.ShipmentEntity, APISlug: "tons", DisplayName: "Weight", DataType: tracking.NumberField, DefaultFormat: "0.00"})
	grade := define(tracking.NewCustomFieldDefinition{EntityType: tracking.ContainerEntity, DisplayName: "Grade", DataType: tracking.EnumField})
	desk := define(tracking.NewCustomFieldDefinition{EntityType: tracking.TrackingRequestEntity, DisplayName: "Desk", DataType: tracking.ReferenceField, ReferenceType: "shipment", NotFilterable: true})
	for _, d := range []*tracking.CustomFieldDefinition{po, weight, grade, desk} {
		compareRecords(t, d.DisplayName, must[*tracking.CustomFieldDefinition](t)(b.Client.CustomFieldDefinition(ctx, d.ID)), must[*tracking.CustomFieldDefinition](t)(engine.CustomFieldDefinition(ctx, d.ID)))
	}
	if po.APISlug != "purchase_order" || !po.Filterable || desk.Filterable || weight.APISlug != "tons" || string(po.DefaultValue) != `"none"` {
		t.Errorf("the definitions are %+v, %+v, %+v", po, weight, desk)
	}
	if found := all(t, b.Client.CustomFieldDefinitions(tracking.CustomFieldDefinitionQuery{
		EntityTypes: []tracking.EntityType{tracking.ShipmentEntity, tracking.ContainerEntity}, DataTypes: []tracking.DataType{tracking.ShortTextField}, DisplayName: "purch",
	})); len(found) != 1 || found[0].ID != po.ID {
		t.Errorf("%d definitions are found", len(found))
	}
	renamed := must[*tracking.CustomFieldDefinition](t)(b.Client.UpdateCustomFieldDefinition(ctx, po.ID, tracking.CustomFieldDefinitionUpdate{
		DisplayName: tracking.Set("PO"), Description: tracking.Set(""), Validation: tracking.Set(json.RawMessage(nil)), DefaultValue: tracking.Set(json.RawMessage(nil)), DefaultFormat: tracking.Set(""),
		EntityType: tracking.Set(tracking.ShipmentEntity), APISlug: tracking.Set("purchase_order"), DataType: tracking.Set(tracking.ShortTextField), ReferenceType: tracking.Set(""), Filterable: tracking.Set(true),
		IfVersion: po.Version,
	}))
	if renamed.DisplayName != "PO" || renamed.Description != "" || renamed.Validation != nil || renamed.DefaultValue != nil {
		t.Errorf("changed, it is %+v", renamed)
	}
	_, err := b.Client.UpdateCustomFieldDefinition(ctx, po.ID, tracking.CustomFieldDefinitionUpdate{DataType: tracking.Set(tracking.NumberField)})
	faulty(t, "another data type", err, http.StatusUnprocessableEntity, "immutable", "/data/attributes/data_type")
	_, err = b.Client.CreateCustomFieldDefinition(ctx, tracking.NewCustomFieldDefinition{EntityType: tracking.ShipmentEntity, APISlug: "tons", DisplayName: "Tons", DataType: tracking.NumberField})
	faulty(t, "the same slug", err, http.StatusUnprocessableEntity, "taken", "/data/attributes/api_slug")

	b.everyOption(t, grade)
	b.everyValue(t, s, container, r)
	b.everyFieldAtOnce(t, s, container)
	b.listsByFields(t, s)
	if err := b.Client.DeleteCustomFieldDefinition(ctx, weight.ID); err != nil {
		t.Error(err)
	}
	if err := errorOf(b.Client.CustomFieldDefinition(ctx, weight.ID)); !errors.Is(err, tracking.ErrNotFound) {
		t.Errorf("deleted, it is %v", err)
	}
}

// faulty checks the first fault of an error.
func faulty(t *testing.T, what string, err error, status int, code, pointer string) {
	t.Helper()
	var refused *client.Error
	if !errors.As(err, &refused) || refused.Status != status || len(refused.Faults) == 0 || refused.Faults[0].Code != code || refused.Faults[0].Pointer != pointer {
		t.Errorf("%s: %v", what, err)
	}
}

func (b *bench) everyOption(t *testing.T, of *tracking.CustomFieldDefinition) {
	t.Helper()
	ctx := t.Context()
	high := must[*tracking.CustomFieldOption](t)(b.Client.CreateCustomFieldOption(ctx, of.ID, tracking.NewCustomFieldOption{Label: "High", Value: "high"}))
	low := must[*tracking.CustomFieldOption](t)(b.Client.CreateCustomFieldOption(ctx, of.ID, tracking.NewCustomFieldOption{Label: "Low", Value: "low", Position: tracking.Set(0)}))
	if list := all(t, b.Client.CustomFieldOptions(of.ID)); len(list) != 2 || list[0].ID != low.ID || list[1].ID != high.ID {
		t.Errorf("the options are %+v", list)
	}
	compareRecords(t, "option", must[*tracking.CustomFieldOption](t)(b.Client.CustomFieldOption(ctx, of.ID, high.ID)), high)
	raised := must[*tracking.CustomFieldOption](t)(b.Client.UpdateCustomFieldOption(ctx, of.ID, high.ID, tracking.CustomFieldOptionUpdate{
		Label: tracking.Set("Highest"), Value: tracking.Set("high"), Position: tracking.Set(9), IfVersion: high.Version,
	}))
	if raised.Label != "Highest" || raised.Position != 9 {
		t.Errorf("the option is %+v", raised)
	}
	if _, err := b.Client.UpdateCustomFieldOption(ctx, of.ID, high.ID, tracking.CustomFieldOptionUpdate{Label: tracking.Set("?"), IfVersion: high.Version}); !errors.Is(err, tracking.ErrStale) {
		t.Errorf("with a version of before: %v", err)
	}
	_, err := b.Client.CreateCustomFieldOption(ctx, of.ID, tracking.NewCustomFieldOption{Label: "Low", Value: "low"})
	faulty(t, "the same option", err, http.StatusUnprocessableEntity, "taken", "/data/attributes/value")
	if err := b.Client.DeleteCustomFieldOption(ctx, of.ID, low.ID); err != nil {
		t.Error(err)
	}
	if list := all(t, b.Client.CustomFieldOptions(of.ID)); len(list) != 1 {
		t.Errorf("%d options are left", len(list))
	}
}

func (b *bench) everyValue(t *testing.T, s *tracking.Shipment, container *tracking.Container, r *tracking.TrackingRequest) {
	t.Helper()
	ctx, engine := t.Context(), b.Tracker
	set := must[*tracking.CustomField](t)
	po := set(b.Client.SetCustomField(ctx, tracking.NewCustomField{Entity: tracking.Entity{Type: tracking.ShipmentEntity, ID: s.ID}, APISlug: "purchase_order", Value: json.RawMessage(`"PO-1"`)}))
	shown := must[client.Answer[tracking.CustomField]](t)(b.Client.CustomField(ctx, po.ID, "definition", "entity"))
	compareRecords(t, "value", shown.Record, set(engine.CustomField(ctx, po.ID)))
	if d, e := find[tracking.CustomFieldDefinition](shown.Included, po.Definition), find[tracking.Shipment](shown.Included, po.Entity.ID); d == nil || d.APISlug != "purchase_order" || e == nil {
		t.Errorf("the value comes with %v, %v", d, e)
	}
	set(b.Client.UpdateCustomField(ctx, po.ID, tracking.CustomFieldUpdate{Value: json.RawMessage(`"PO-2"`), IfVersion: po.Version}))
	if _, err := b.Client.UpdateCustomField(ctx, po.ID, tracking.CustomFieldUpdate{Value: json.RawMessage(`"PO-3"`), IfVersion: po.Version}); !errors.Is(err, tracking.ErrStale) {
		t.Errorf("with a version of before: %v", err)
	}
	_, err := b.Client.UpdateCustomField(ctx, po.ID, tracking.CustomFieldUpdate{})
	faulty(t, "no value", err, http.StatusUnprocessableEntity, "blank", "/data/attributes/value")
	_, err = b.Client.SetCustomField(ctx, tracking.NewCustomField{APISlug: "purchase_order", Value: json.RawMessage(`"x"`)})
	faulty(t, "of nothing", err, http.StatusUnprocessableEntity, "blank", "/data/relationships/entity")
	history := all(t, b.Client.CustomFieldHistory(po.ID, "custom_field"))
	if len(history) != 2 || string(history[0].Value) != `"PO-2"` || history[1].Number != 1 || history[0].Source != tracking.SetByAPI {
		t.Errorf("the history is %+v", history)
	}

	id, _ := json.Marshal(map[string]any{"type": "shipment", "id": s.ID})
	for _, row := range []struct {
		entity        tracking.Entity
		slug          string
		first, second string
	}{
		{tracking.Entity{Type: tracking.ShipmentEntity, ID: s.ID}, "purchase_order", `"PO-4"`, `null`},
		{tracking.Entity{Type: tracking.ContainerEntity, ID: container.ID}, "grade", `null`, `"high"`},
		{tracking.Entity{Type: tracking.TrackingRequestEntity, ID: r.ID}, "desk", string(id), `null`},
	} {
		f := set(b.Client.SetCustomField(ctx, tracking.NewCustomField{Entity: row.entity, APISlug: row.slug, Value: json.RawMessage(row.first)}))
		changed := set(b.Client.UpdateCustomFieldOf(ctx, row.entity, row.slug, tracking.CustomFieldUpdate{Value: json.RawMessage(row.second), IfVersion: f.Version}))
		if got := cmp.Or(string(changed.Value), "null"); got != row.second || changed.ID != f.ID {
			t.Errorf("%s became %s", row.slug, got)
		}
		of := all(t, b.Client.CustomFields(tracking.CustomFieldQuery{Entity: row.entity}, "definition"))
		if len(of) != 1 || of[0].ID != f.ID {
			t.Errorf("%s has %d values", row.entity.Type, len(of))
		}
		listed := all(t, b.Client.CustomFields(tracking.CustomFieldQuery{
			EntityTypes: []tracking.EntityType{row.entity.Type}, Entities: []tracking.ID{row.entity.ID}, Definitions: []tracking.ID{f.Definition},
		}))
		compareRecords(t, "values of "+string(row.entity.Type), listed, of)
		if err := b.Client.DeleteCustomFieldOf(ctx, row.entity, row.slug); err != nil {
			t.Error(err)
		}
		if left := all(t, b.Client.CustomFields(tracking.CustomFieldQuery{Entity: row.entity})); len(left) != 0 {
			t.Errorf("%d values are left of %s", len(left), row.entity.Type)
		}
	}
	again := set(b.Client.SetCustomField(ctx, tracking.NewCustomField{Entity: tracking.Entity{Type: tracking.ShipmentEntity, ID: s.ID}, APISlug: "purchase_order", Value: json.RawMessage(`"PO-5"`)}))
	if err := b.Client.DeleteCustomField(ctx, again.ID); err != nil {
		t.Error(err)
	}
	if err := first(t, b.Client.CustomFields(tracking.CustomFieldQuery{Entity: tracking.Entity{Type: tracking.ContainerEntity, ID: uuid.New()}})); !errors.Is(err, tracking.ErrNotFound) {
		t.Errorf("the values of nothing are %v", err)
	}
}

// everyFieldAtOnce checks the result of each item of a bulk request.
func (b *bench) everyFieldAtOnce(t *testing.T, s *tracking.Shipment, c *tracking.Container) {
	t.Helper()
	ctx, engine := t.Context(), b.Tracker
	shipment, container := tracking.Entity{Type: tracking.ShipmentEntity, ID: s.ID}, tracking.Entity{Type: tracking.ContainerEntity, ID: c.ID}
	items := []tracking.NewCustomField{
		{Entity: shipment, APISlug: "purchase_order", Value: json.RawMessage(`"PO-6"`)},
		{Entity: container, APISlug: "grade", Value: json.RawMessage(`"best"`)},
		{Entity: tracking.Entity{Type: tracking.ShipmentEntity, ID: uuid.New()}, APISlug: "purchase_order", Value: json.RawMessage(`"x"`)},
		{Entity: shipment, APISlug: "purchase", Value: json.RawMessage(`1`)},
		{Entity: shipment, APISlug: "tons"},
		{Entity: shipment, APISlug: "tons", Value: json.RawMessage(`7.5`)},
	}
	bulk := must[[]tracking.BulkFieldResult](t)
	got := bulk(b.Client.SetCustomFields(ctx, tracking.BulkCustomFields{Items: items}, tracking.Once{Key: "bulk"}))
	compareRecords(t, "bulk", got, bulk(engine.SetCustomFields(ctx, tracking.BulkCustomFields{Items: items})))
	for i, refused := range []bool{false, true, true, true, true, false} {
		if r := got[i]; refused != (len(r.Faults) == 1 && r.Faults[0].Kind == tracking.Invalid) || refused == (r.ID != tracking.ID{}) {
			t.Errorf("item %d: %+v", i, r)
		}
	}
	compareRecords(t, "bulk again", bulk(b.Client.SetCustomFields(ctx, tracking.BulkCustomFields{Items: items}, tracking.Once{Key: "bulk"})), got)
	_, err := b.Client.SetCustomFields(ctx, tracking.BulkCustomFields{Items: items, Atomic: true})
	faulty(t, "all or none", err, http.StatusUnprocessableEntity, got[1].Faults[0].Code, "/data/1/attributes/value")
	_, err = b.Client.SetCustomFields(ctx, tracking.BulkCustomFields{})
	faulty(t, "none at all", err, http.StatusUnprocessableEntity, "blank", "/data")
}

// listsByFields checks that conditions on custom fields select the same records as in
// the engine.
func (b *bench) listsByFields(t *testing.T, s *tracking.Shipment) {
	t.Helper()
	ctx := t.Context()
	for name, row := range map[string]struct {
		conds []tracking.FieldCondition
		found int
	}{
		"is":           {[]tracking.FieldCondition{{Slug: "purchase_order", Values: []string{"PO-6"}}}, 1},
		"is not":       {[]tracking.FieldCondition{{Slug: "purchase_order", Values: []string{"PO-7"}}}, 0},
		"with a comma": {[]tracking.FieldCondition{{Slug: "purchase_order", Values: []string{"PO-6,PO-7"}}}, 0},
		"is any":       {[]tracking.FieldCondition{{Slug: "purchase_order", Values: []string{"PO-5", "PO-6"}}}, 1},
		"in":           {[]tracking.FieldCondition{{Slug: "tons", Op: tracking.FieldIn, Values: []string{"7.5"}}}, 1},
		"between":      {[]tracking.FieldCondition{{Slug: "tons", Op: tracking.FieldAfter, Values: []string{"7"}}, {Slug: "tons", Op: tracking.FieldTo, Values: []string{"7.5"}}}, 1},
		"above":        {[]tracking.FieldCondition{{Slug: "tons", Op: tracking.FieldAfter, Values: []string{"7.5"}}}, 0},
		"there":        {[]tracking.FieldCondition{{Slug: "tons", Op: tracking.FieldPresent, Values: []string{"true"}}}, 1},
		"not there":    {[]tracking.FieldCondition{{Slug: "tons", Op: tracking.FieldPresent, Values: []string{"false"}}}, 0},
	} {
		q := tracking.ShipmentQuery{TrackedQuery: tracking.TrackedQuery{CustomFields: row.conds, Sort: []tracking.Order{{Name: "custom_fields.tons", Desc: true}}}}
		got := all(t, b.Client.Shipments(q, "custom_fields"))
		want, _, err := b.Tracker.Shipments(ctx, q, tracking.Page{})
		if err != nil || len(want) != row.found || len(got) != row.found {
			t.Errorf("%s: %d shipments, the engine has %d; %v", name, len(got), len(want), err)
		}
		for _, found := range got {
			if found.ID != s.ID {
				t.Errorf("%s: %s is found", name, found.ID)
			}
		}
	}
}

// Tracking requests are sorted as requested.
func TestRequestsAreSorted(t *testing.T) {
	b, ctx := newBench(t), t.Context()
	for _, number := range []string{"MAEU77001", "MAEU77002", "MAEU77003"} {
		must[*tracking.TrackingRequest](t)(b.Client.CreateTrackingRequest(ctx, tracking.NewTrackingRequest{Number: number, Type: tracking.BillOfLading, SCAC: "MAEU"}))
		b.Clock.Advance(time.Minute)
	}
	for desc, want := range map[bool]string{false: "MAEU77001", true: "MAEU77003"} {
		got := all(t, b.Client.TrackingRequests(tracking.TrackingRequestQuery{Sort: []tracking.Order{{Name: "created_at", Desc: desc}}}))
		if len(got) != 3 || got[0].RequestNumber != want {
			t.Errorf("the first of %d is %s", len(got), got[0].RequestNumber)
		}
	}
}
