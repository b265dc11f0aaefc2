package client

import (
	"context"
	"encoding/json"
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
// Errors: Invalid on data (too_long) for none or too many.
func (c *Client) CreateTrackingRequests(ctx context.Context, list []tracking.NewTrackingRequest, once tracking.Once) ([]tracking.BulkRequestResult, error) {
	items := make([]resource, len(list))
	for i, n := range list {
		items[i] = newRequest(n)
	}
	answer, err := object[struct {
		Results []struct {
			Status string
			Data   json.RawMessage
			Errors []Fault
		}
	}](ctx, c, request{method: http.MethodPost, path: requestsPath + "/bulk", body: map[string]any{"data": items}, once: once})
	if err != nil {
		return nil, err
	}
	results := make([]tracking.BulkRequestResult, len(answer.Results))
	for i, r := range answer.Results {
		if len(r.Errors) > 0 {
			status, _ := strconv.Atoi(r.Status) // 0 where it is none
			results[i].Err = &Error{Status: status, Faults: r.Errors}
			continue
		}
		if results[i].Request, err = decode[tracking.TrackingRequest](r.Data); err != nil {
			return nil, err
		}
	}
	return results, nil
}
