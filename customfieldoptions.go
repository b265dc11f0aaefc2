package tracking

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/landfallhq/tracking/internal/table"
	"github.com/landfallhq/tracking/store"
)

// CustomFieldOption is a possible value of fields of data type enum and enum_multi (see
// docs/customfields.md#definitions).
type CustomFieldOption struct {
	Meta
	// Label is the text for people.
	Label string `attr:"label"`
	// Value is the value for programs: unique among the options of the definition, and never
	// changed.
	Value string `attr:"value"`
	// Position orders the options, smallest first; equal ones are in the order of creation.
	Position int `attr:"position"`

	// Definition of the option.
	Definition ID        `private:"definition"`
	CreatedAt  time.Time `private:"created_at"` // UTC
}

var customFieldOptions = newKind("custom_field_option", []column[CustomFieldOption]{
	table.IDColumn("definition", func(o *CustomFieldOption) ID { return o.Definition }),
	table.NewColumn("position", store.IntColumn, func(o *CustomFieldOption) any { return int64(o.Position) }),
}, nil, nil)

// CustomFieldOptionQuery selects options in their order.
type CustomFieldOptionQuery struct {
	// Definition of the options.
	Definition ID
}

func (q CustomFieldOptionQuery) resourceType() *table.Schema { return customFieldOptions.Schema }
func (q CustomFieldOptionQuery) filter() store.Filter {
	w := q.where()
	return w.Filter(customFieldOptions)
}

// list selects. A definition that does not exist is an error.
func (q CustomFieldOptionQuery) list(tx *transaction, p Page, to []store.Record) ([]store.Record, int, error) {
	if _, err := definition(tx, q.Definition); err != nil {
		return to, 0, err
	}
	return tx.Records.List(tx, customFieldOptions.Kind, q.filter(), p, to)
}

func (q CustomFieldOptionQuery) where() (w where[CustomFieldOption]) {
	w.IDs("definition", []ID{q.Definition}, func(o *CustomFieldOption) ID { return o.Definition })
	w.Sort = []Order{{Name: "position"}}
	return w
}

// NewCustomFieldOption has the arguments of CreateCustomFieldOption.
type NewCustomFieldOption struct {
	// Label, 1 to 255 characters.
	Label string
	// Value, 1 to 255 characters, unique in the definition.
	Value string
	// Position, 0 to 1,000,000. If not set, it is after all others.
	Position Opt[int]
}

// CustomFieldOptionUpdate changes an option. Fields that are not set stay.
type CustomFieldOptionUpdate struct {
	Label    Opt[string]
	Position Opt[int]
	// Value cannot change. Any other than the present one is refused.
	Value     Opt[string]
	IfVersion int64
}

const (
	maxOptions  = 500 // of one definition
	maxPosition = 1_000_000
)

// CreateCustomFieldOption adds an option to a definition. Needs admin.
//
// Errors: NotFound; Invalid on label and value (blank, too_long, invalid), value (taken),
// position (out_of_range), relationships/definition (invalid) if its data type has no
// options, and with the code too_many if it has 500.
func (t *Tracker) CreateCustomFieldOption(ctx context.Context, definition ID, n NewCustomFieldOption, once ...Once) (*CustomFieldOption, error) {
	if err := t.allow(Admin); err != nil {
		return nil, err
	}
	o := &CustomFieldOption{Label: strings.TrimSpace(n.Label), Value: strings.TrimSpace(n.Value), Position: n.Position.Value, Definition: definition}
	if err := o.check(); err != nil {
		return nil, err
	}
	return createOnce(ctx, t, once, customFieldOptions, func(tx *transaction) (*CustomFieldOption, error) {
		made := *o
		made.CreatedAt = tx.Now
		others, err := made.admit(tx)
		if err != nil {
			return nil, err
		}
		if !n.Position.Set {
			made.Position = nextPosition(others)
		}
		return &made, customFieldOptions.Put(tx, &made)
	})
}

// admit checks a new option against its definition, and returns the other options.
func (o *CustomFieldOption) admit(tx *transaction) ([]*CustomFieldOption, error) {
	d, err := definition(tx, o.Definition)
	if err != nil {
		return nil, err
	}
	if !d.hasOptions() {
		return nil, invalid("relationships/definition", "invalid", "Only fields of data type enum and enum_multi have options; '%s' is a %s", d.APISlug, d.DataType)
	}
	others, err := optionsOf(tx, d.ID)
	if err != nil {
		return nil, err
	}
	if slices.ContainsFunc(others, func(other *CustomFieldOption) bool { return other.Value == o.Value }) {
		return nil, invalid("value", "taken", "Value '%s' is an option of '%s' already", o.Value, d.APISlug)
	}
	if len(others) >= maxOptions {
		return nil, &Error{Kind: Invalid, Code: "too_many", Detail: fmt.Sprintf("the definition has %d options, which is the most there can be", maxOptions)}
	}
	return others, nil
}

// nextPosition is the position after all others.
func nextPosition(others []*CustomFieldOption) int {
	if len(others) == 0 {
		return 1
	}
	return min(others[len(others)-1].Position+1, maxPosition)
}

func (o *CustomFieldOption) check() error {
	faults := appendFault(nil, checkText("label", o.Label, 255))
	faults = appendFault(faults, checkText("value", o.Value, 255))
	if o.Position < 0 || o.Position > maxPosition {
		faults = append(faults, invalid("position", "out_of_range", "Position must be 0 to %d", maxPosition))
	}
	return faults.or()
}

// UpdateCustomFieldOption changes label or position of an option. A background job copies a
// new label to the display values. Needs admin. Errors as CreateCustomFieldOption,
// NotFound, Stale, and Invalid on value (immutable).
func (t *Tracker) UpdateCustomFieldOption(ctx context.Context, definition, id ID, u CustomFieldOptionUpdate) (*CustomFieldOption, error) {
	if err := t.allow(Admin); err != nil {
		return nil, err
	}
	return updateFound(ctx, t, "custom_field_option.update", u.IfVersion, withOption(definition, id), func(tx *transaction, o *CustomFieldOption) error {
		if differs(u.Value, o.Value) {
			return invalid("value", "immutable", "Value cannot change: it is '%s' for as long as the option lives", o.Value)
		}
		label, position := o.Label, o.Position
		if u.Label.Set {
			o.Label = strings.TrimSpace(u.Label.Value)
		}
		setIfGiven(&o.Position, u.Position)
		if err := o.check(); err != nil {
			return err
		}
		if err := customFieldOptions.Put(tx, o); err != nil || o.Label == label && o.Position == position {
			return err
		}
		return enqueueRerender(tx, definition)
	})
}

// DeleteCustomFieldOption deletes an option. Fields that have it keep it, and display its
// value instead of its label. It cannot be set any more. Needs admin. Errors: NotFound.
func (t *Tracker) DeleteCustomFieldOption(ctx context.Context, definition, id ID) error {
	if err := t.allow(Admin); err != nil {
		return err
	}
	return t.change(ctx, "custom_field_option.delete", t.actor.Account, func(tx *transaction) error {
		if _, err := withOption(definition, id)(tx); err != nil {
			return err
		}
		if err := customFieldOptions.Delete(tx, id); err != nil {
			return err
		}
		return enqueueRerender(tx, definition)
	})
}

// CustomFieldOption returns one option of a definition. Needs show. Errors:
// NotFound.
func (t *Tracker) CustomFieldOption(ctx context.Context, definition, id ID) (*CustomFieldOption, error) {
	if err := t.allow(Show); err != nil {
		return nil, err
	}
	return viewing(ctx, t.engine, t.actor.Account, withOption(definition, id))
}

// CustomFieldOptions returns a page of the options of a definition, in their order, and
// their total number. Needs show. Errors: NotFound.
func (t *Tracker) CustomFieldOptions(ctx context.Context, q CustomFieldOptionQuery, p Page) ([]*CustomFieldOption, int, error) {
	return list(ctx, t, customFieldOptions, q, p)
}

// withOption returns a function that reads an option of a definition that is not deleted.
func withOption(of, id ID) func(*transaction) (*CustomFieldOption, error) {
	return func(tx *transaction) (*CustomFieldOption, error) {
		if _, err := definition(tx, of); err != nil {
			return nil, err
		}
		o, err := customFieldOptions.Get(tx, id)
		if err == nil && o.Definition != of {
			return nil, notFound()
		}
		return o, err
	}
}

// optionsOf returns all options of a definition in their order.
func optionsOf(tx *transaction, definition ID) ([]*CustomFieldOption, error) {
	return customFieldOptions.All(tx, CustomFieldOptionQuery{Definition: definition}.where())
}
