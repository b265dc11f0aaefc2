package tracking

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/landfallhq/tracking/store"
)

// CustomFieldChange is one change of a custom field: what it became, when, by
// whom and by which way. It is written with the change itself and never changed.
type CustomFieldChange struct {
	Meta
	CustomField ID `rel:"custom_field,custom_field"`
	// UpdatedBy is who made the change; zero (null) for a key without a user and
	// for a default value.
	UpdatedBy ID `rel:"updated_by,user"`

	// Number counts the changes of the field, from 1.
	Number int `attr:"number"`
	// Action says whether the value was set or deleted.
	Action ChangeAction `attr:"action"`
	// Value and DisplayValue are what the change made of it, as it was displayed
	// then; nil and empty (null) for no value.
	Value        json.RawMessage `attr:"value,null"`
	DisplayValue string          `attr:"display_value,null"`
	Source       ChangeSource    `attr:"source"`
	ChangedAt    time.Time       `attr:"changed_at"` // UTC

	// Definition of the field: a history goes with it.
	Definition ID `private:"definition"`
}

// ChangeAction is what a change did.
type ChangeAction string

// The actions.
const (
	ValueSet     ChangeAction = "set"
	ValueDeleted ChangeAction = "deleted"
)

var customFieldChanges = newKind("custom_field_change", []column[CustomFieldChange]{
	{"custom_field", store.IDColumn, func(r *CustomFieldChange) any { return r.CustomField }},
	{"definition", store.IDColumn, func(r *CustomFieldChange) any { return r.Definition }},
}, nil, nil)

// maxChanges is how many changes of a field are kept: the last ones.
const maxChanges = 1_000

func customFieldChangeID(field ID, number int) ID {
	return named("custom_field_change", fmt.Sprintf("%s/%d", field, number))
}

// CustomFieldChangeQuery selects changes, the last first.
type CustomFieldChangeQuery struct {
	// CustomField whose changes are asked for.
	CustomField ID
}

func (q CustomFieldChangeQuery) resourceType() resourceType { return customFieldChanges }
func (q CustomFieldChangeQuery) filter() store.Filter {
	w := q.where()
	return w.filter(customFieldChanges)
}

func (q CustomFieldChangeQuery) where() (w where[CustomFieldChange]) {
	w.ids("custom_field", []ID{q.CustomField}, func(r *CustomFieldChange) ID { return r.CustomField })
	return w
}

// revise writes the next entry of the history: the field as it is now. The
// caller writes the field.
func (f *CustomField) revise(tx *Tx, action ChangeAction) error {
	f.Changes++
	if f.Changes > maxChanges {
		err := table(tx, customFieldChanges).Delete(customFieldChangeID(f.ID, f.Changes-maxChanges))
		if err != nil && !isNotFound(err) {
			return err
		}
	}
	return table(tx, customFieldChanges).Put(&CustomFieldChange{
		Meta:        Meta{ID: customFieldChangeID(f.ID, f.Changes)},
		CustomField: f.ID, Definition: f.Definition, UpdatedBy: f.UpdatedBy, Number: f.Changes, Action: action,
		Value: f.Value, DisplayValue: f.DisplayValue, Source: f.Source, ChangedAt: tx.Now,
	})
}

// lastChange is the number of the last change of a field that has no value now.
func lastChange(tx *Tx, field ID) (int, error) {
	last, _, err := table(tx, customFieldChanges).List(CustomFieldChangeQuery{CustomField: field}.where(), Page{Number: 1, Size: 1})
	if err != nil || len(last) == 0 {
		return 0, err
	}
	return last[0].Number, nil
}

// CustomFieldHistory returns a page of the changes of a custom field, the last
// first, and how many there are in all: the last 1,000 are kept. The history of a
// deleted value stays until its definition is deleted. Needs show. Errors:
// NotFound.
func (t *Tracker) CustomFieldHistory(ctx context.Context, id ID, p Page) ([]*CustomFieldChange, int, error) {
	q, err := t.CustomFieldHistoryOf(ctx, id)
	if err != nil {
		return nil, 0, err
	}
	return list(ctx, t, customFieldChanges, q, p)
}

// CustomFieldHistoryOf is the query of CustomFieldHistory, for servers.
func (t *Tracker) CustomFieldHistoryOf(ctx context.Context, id ID) (CustomFieldChangeQuery, error) {
	q := CustomFieldChangeQuery{CustomField: id}
	if err := t.allow(Show); err != nil {
		return q, err
	}
	err := t.view(ctx, t.actor.Account, func(tx *Tx) error {
		last, _, err := table(tx, customFieldChanges).List(q.where(), Page{Number: 1, Size: 1})
		if err != nil {
			return err
		}
		if len(last) == 0 {
			return notFound()
		}
		_, err = definition(tx, last[0].Definition)
		return err
	})
	return q, err
}
