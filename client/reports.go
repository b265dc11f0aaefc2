package client

import (
	"context"
	"net/http"

	"github.com/landfallhq/tracking"
)

// Report hands facts in. The IDs of containers are not in the receipt; Once need
// not be given for a report to be taken once. Errors: Invalid on source, scac and
// facts, to which faults point as "/facts/3/at".
func (c *Client) Report(ctx context.Context, r tracking.Report, once tracking.Once) (tracking.Receipt, error) {
	body := struct {
		tracking.Report
		Announce bool `json:"announce"`
	}{r, !r.Silent}
	if body.Facts == nil {
		body.Facts = []tracking.Fact{}
	}
	answer, err := getObject[receiptDoc](ctx, c, request{method: http.MethodPost, path: "/reports", body: body, once: once})
	if err != nil {
		return tracking.Receipt{}, err
	}
	receipt := answer.Data.Attributes
	for _, s := range answer.Data.Relationships.Shipments.Data {
		receipt.ShipmentIDs = append(receipt.ShipmentIDs, s.ID)
	}
	return receipt, nil
}

// receiptDoc is a receipt as the interface has it.
type receiptDoc struct {
	Data struct {
		Attributes    tracking.Receipt
		Relationships struct {
			Shipments struct{ Data []struct{ ID tracking.ID } }
		}
	}
}
