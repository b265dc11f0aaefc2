package client

import (
	"context"
	"net/http"
	"strings"

	"github.com/landfallhq/tracking"
)

// SetCustomFields sets up to tracking.MaxBulkFields values, and returns one result
// for each, in their order. With Atomic one that is refused has none of them set,
// and is the error. Of b.Once the key alone is used, and nothing of the Once of the
// items.
//
// Errors: Invalid on data (blank, too_long); when Atomic, of the items as
// SetCustomField: a Fault points to "/data/3/attributes/value".
func (c *Client) SetCustomFields(ctx context.Context, b tracking.BulkCustomFields) ([]tracking.BulkFieldResult, error) {
	items := make([]resource, len(b.Items))
	for i, n := range b.Items {
		items[i] = newCustomField(n)
	}
	body := struct {
		Atomic bool       `json:"atomic"`
		Data   []resource `json:"data"`
	}{b.Atomic, items}
	r := request{method: http.MethodPost, path: allCustomFieldsPath + "/bulk", body: body, once: b.Once}
	answer, err := getObject[struct {
		Results []struct {
			Data   struct{ ID tracking.ID }
			Errors []Fault
		}
	}](ctx, c, r)
	if err != nil {
		return nil, err
	}
	if err := checkResultCount(r, len(items), len(answer.Results)); err != nil {
		return nil, err
	}
	results := make([]tracking.BulkFieldResult, len(answer.Results))
	for i, r := range answer.Results {
		results[i].ID = r.Data.ID
		for _, f := range r.Errors {
			results[i].Faults = append(results[i].Faults, itemError(f))
		}
	}
	return results, nil
}

// itemError is a fault of one item as the engine tells it: with its field in the
// place of a pointer into the list. All that an item is refused for is Invalid.
func itemError(f Fault) *tracking.Error {
	field := f.Pointer
	for range 2 { // "/data" and the number of the item
		_, field, _ = strings.Cut(strings.TrimPrefix(field, "/"), "/")
	}
	return &tracking.Error{Kind: tracking.Invalid, Field: strings.TrimPrefix(field, "attributes/"), Code: f.Code, Detail: f.Detail, Meta: f.Meta}
}
