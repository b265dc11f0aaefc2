package client

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"reflect"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freetime"
)

const (
	tariffsPath = "/tariffs"
	tariffType  = "tariff"
)

// Tariffs lists tariffs by what they state and by the time of their last change, newest
// first unless there is a sort.
func (c *Client) Tariffs(of freetime.Filter, updated tracking.TimeRange, sort ...tracking.Order) List[tracking.Tariff] {
	v := newValues(nil)
	v.filterList("clock", stringsOf(of.Clocks))
	v.filterList("scac", of.Lines)
	v.filterList("location_locode", of.Places)
	v.filterList("terminal_code", of.Terminals)
	v.filterTimes("updated_at", updated)
	v.sort(sort)
	return listOf[tracking.Tariff](c, tariffsPath, v)
}

// Tariff returns a tariff. Errors: NotFound.
func (c *Client) Tariff(ctx context.Context, id tracking.ID) (*tracking.Tariff, error) {
	return getRecord[tracking.Tariff](ctx, c, get(tariffsPath, id, nil))
}

// CreateTariff creates a tariff. Members that are zero, and a nil Weekend, are left out, so
// that they get the defaults of freetime.DefaultTerms.
//
// Errors: Invalid on each member that is not allowed, and with the code overlaps if another
// tariff has its clock, its scope and a day.
func (c *Client) CreateTariff(ctx context.Context, terms freetime.Terms, once ...tracking.Once) (*tracking.Tariff, error) {
	a := termsAttributes(terms)
	for name, value := range a {
		if v := reflect.ValueOf(value); name != "free_days" && v.IsZero() {
			delete(a, name)
		}
	}
	return getRecord[tracking.Tariff](ctx, c, post(tariffsPath, resource{Type: tariffType, Attributes: a}, once))
}

// UpdateTariff changes a tariff to the terms, all of them. ifVersion is the version that
// they were made from, or 0 for any. Errors: NotFound; Stale; Invalid as CreateTariff.
func (c *Client) UpdateTariff(ctx context.Context, id tracking.ID, terms freetime.Terms, ifVersion int64) (*tracking.Tariff, error) {
	a := termsAttributes(terms)
	a["weekend"] = append([]string{}, terms.Weekend...)
	body := resource{Type: tariffType, ID: id.String(), Attributes: a}
	return getRecord[tracking.Tariff](ctx, c, patch(tariffsPath, id, body, ifVersion))
}

// termsAttributes returns the members of terms by name.
func termsAttributes(terms freetime.Terms) attributes {
	a, v := attributes{}, reflect.ValueOf(terms)
	for i, name := range freetime.TermsMembers() {
		a[name] = v.Field(i).Interface()
	}
	return a
}

// DeleteTariff deletes a tariff. Errors: NotFound.
func (c *Client) DeleteTariff(ctx context.Context, id tracking.ID) error {
	_, err := c.do(ctx, remove(tariffsPath, id))
	return err
}

// ExportTariffs returns the terms of all tariffs, in order of creation.
func (c *Client) ExportTariffs(ctx context.Context) ([]freetime.Terms, error) {
	answer, err := c.do(ctx, request{method: http.MethodGet, path: tariffsPath + "/export"})
	if err != nil {
		return nil, err
	}
	var doc struct{ Tariffs []freetime.Terms }
	return doc.Tariffs, json.Unmarshal(answer.body, &doc)
}

// ImportTariffs adds tariffs, all or none. With replace the account has these tariffs and
// no others afterwards. An empty Weekend is none; other members that are zero get the
// defaults of freetime.DefaultTerms. Errors as CreateTariff, on members such as tariffs[2].free_days;
// the Detail names row and column.
func (c *Client) ImportTariffs(ctx context.Context, list []freetime.Terms, replace bool, once ...tracking.Once) (done freetime.Imported, err error) {
	var text bytes.Buffer
	if err := freetime.WriteCSV(&text, list); err != nil {
		return done, err
	}
	r := request{method: http.MethodPost, path: tariffsPath + "/import", content: text.Bytes(), header: http.Header{"Content-Type": {"text/csv"}}, key: keyOf(once)}
	if replace {
		r.query = url.Values{"replace": {"true"}}
	}
	answer, err := c.do(ctx, r)
	if err != nil {
		return done, err
	}
	return done, json.Unmarshal(answer.body, &done)
}
