package client

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freetime"
)

// Charges returns what a container costs, day by day and with the fact behind each day: now,
// or with a time as it was known at the end of that second. Errors: NotFound; Invalid on as_of
// for a time in the future.
func (c *Client) Charges(ctx context.Context, container tracking.ID, when ...time.Time) (*freetime.Charges, error) {
	r := request{method: http.MethodGet, path: recordPath(containersPath, container, "charges"), query: url.Values{}}
	if len(when) > 0 {
		r = asOf(r, when[0])
	}
	answer, err := c.do(ctx, r)
	if err != nil {
		return nil, err
	}
	charges := &freetime.Charges{}
	return charges, json.Unmarshal(answer.body, charges)
}
