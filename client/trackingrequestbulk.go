package client

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"

	"github.com/landfallhq/tracking"
)

// CreateTrackingRequests begins to follow up to tracking.MaxBulkRequests numbers, and
// returns what became of each, in their order: its Err is the *Error that
// CreateTrackingRequest would have returned, but that its faults point into the list
// ("/data/3/attributes/scac"). Each counts in the rate limit, which must have room
// for all. Of once the key alone is used, and nothing of the Once of the requests.
//
// Errors: Invalid on data (too_long) for none or too many, and for more than the rate
// limit has for a whole minute.
func (c *Client) CreateTrackingRequests(ctx context.Context, list []tracking.NewTrackingRequest, once tracking.Once) ([]tracking.BulkRequestResult, error) {
	items := make([]resource, len(list))
	for i, n := range list {
		items[i] = newTrackingRequest(n)
	}
	r := request{method: http.MethodPost, path: trackingRequestsPath + "/bulk", body: map[string]any{"data": items}, once: once}
	answer, err := c.do(ctx, r)
	if err != nil {
		return nil, err
	}
	var made struct{ Results []bulkResult }
	if err := json.Unmarshal(answer.body, &made); err != nil {
		return nil, fmt.Errorf("client: the answer to %s %s: %w", r.method, r.path, err)
	}
	if err := checkResultCount(r, len(items), len(made.Results)); err != nil {
		return nil, err
	}
	results := make([]tracking.BulkRequestResult, len(items))
	for i, one := range made.Results {
		results[i].Request, results[i].Err = one.decode(answer.header.Get("X-Request-Id"))
	}
	return results, nil
}

// bulkResult is what became of one of several requests.
type bulkResult struct {
	Status string
	Data   json.RawMessage
	Errors []Fault
}

// decode is its request or its error. One that cannot be read has been made all the
// same, and so does not hide the others.
func (b *bulkResult) decode(requestID string) (*tracking.TrackingRequest, error) {
	if len(b.Errors) > 0 {
		status, _ := strconv.Atoi(b.Status) // 0 where it is none
		return nil, &Error{Status: status, Faults: b.Errors, RequestID: requestID}
	}
	return decode[tracking.TrackingRequest](b.Data)
}

// checkResultCount: of each of the items there must be a result, or nobody knows whose each
// is.
func checkResultCount(r request, items, results int) error {
	if results != items {
		return fmt.Errorf("client: the answer to %s %s has %d results for %d items", r.method, r.path, results, items)
	}
	return nil
}
