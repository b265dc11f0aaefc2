package client

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freetime"
	"github.com/landfallhq/tracking/freetime/invoice"
)

// Charges returns what a container costs, day by day and with the fact behind each day: now,
// or with a time as it was known at the end of that second. Errors: NotFound; Invalid on as_of
// for a time in the future.
func (c *Client) Charges(ctx context.Context, container tracking.ID, when ...time.Time) (*freetime.Charges, error) {
	return getPlain[freetime.Charges](ctx, c, request{method: http.MethodGet, path: recordPath(containersPath, container, "charges")}, when)
}

// Sheet compares an invoice with the charges of the containers that its lines name, as
// tracking.Tariffs.Sheet does. [invoice.Sheet.WriteCSV] and package invoicepdf write it to a
// file. Errors: Invalid on members such as lines[2].rate, and on as_of for a time in the
// future.
func (c *Client) Sheet(ctx context.Context, inv *invoice.Invoice, when ...time.Time) (*invoice.Sheet, error) {
	return getPlain[invoice.Sheet](ctx, c, request{method: http.MethodPost, path: "/charges/sheet", body: inv, idempotent: true}, when)
}

// ContainerSheet returns the charges of a container in the form of a sheet, without an
// invoice. Errors as Charges.
func (c *Client) ContainerSheet(ctx context.Context, container tracking.ID, when ...time.Time) (*invoice.Sheet, error) {
	return getPlain[invoice.Sheet](ctx, c, request{method: http.MethodGet, path: recordPath(containersPath, container, "charges", "sheet")}, when)
}

// getPlain returns a body that is no document: of now, or as of the first time.
func getPlain[T any](ctx context.Context, c *Client, r request, when []time.Time) (*T, error) {
	r.query = url.Values{}
	if len(when) > 0 {
		r = asOf(r, when[0])
	}
	answer, err := c.do(ctx, r)
	if err != nil {
		return nil, err
	}
	read := new(T)
	return read, json.Unmarshal(answer.body, read)
}
