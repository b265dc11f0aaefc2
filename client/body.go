package client

import (
	"encoding/json"

	"github.com/landfallhq/tracking"
)

// resource is a resource as bodies hold it.
type resource struct {
	Type          string         `json:"type"`
	ID            string         `json:"id,omitempty"`
	Attributes    attributes     `json:"attributes,omitempty"`
	Relationships map[string]any `json:"relationships,omitempty"`
}

type attributes map[string]any

// dataDocument is a document with the resource.
func dataDocument(r resource) any { return map[string]any{"data": r} }

// setOpt adds an attribute that is to be changed.
func setOpt[T any](a attributes, name string, o tracking.Opt[T]) {
	if o.Set {
		a[name] = o.Value
	}
}

// setNonEmpty adds an attribute of a new record, unless it is empty.
func setNonEmpty(a attributes, name, value string) {
	if value != "" {
		a[name] = value
	}
}

// setJSON is give for what is JSON already: nil is nothing, and null is null.
func setJSON(a attributes, name string, value json.RawMessage) {
	if len(value) > 0 {
		a[name] = value
	}
}

// setOptList is set for a list: none is an empty one.
func setOptList[T any](a attributes, name string, o tracking.Opt[[]T]) {
	if o.Set {
		a[name] = append([]T{}, o.Value...)
	}
}

// toOne is a relationship to one record; the zero ID means to none.
func toOne(name, typ string, id tracking.ID) map[string]any {
	if id == (tracking.ID{}) {
		return map[string]any{name: map[string]any{"data": nil}}
	}
	return map[string]any{name: map[string]any{"data": resourceRef{typ, id.String()}}}
}

type resourceRef struct {
	Type string `json:"type"`
	ID   string `json:"id"`
}

func customer(o tracking.Opt[tracking.ID]) map[string]any {
	if !o.Set {
		return nil
	}
	return toOne("customer", "party", o.Value)
}
