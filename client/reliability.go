package client

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/reliability"
)

// ReportCard returns the report card of the lines: how well their ETAs and ETDs foretold what
// happened to the account's shipments. Errors: Invalid on as_of for a time in the future.
func (c *Client) ReportCard(ctx context.Context, q tracking.ReportCardQuery) (*reliability.Card, error) {
	v := newValues(nil)
	v.filterList("scac", q.SCACs)
	v.filterList("pol_locode", q.POLs)
	v.filterList("pod_locode", q.PODs)
	if v.err != nil {
		return nil, v.err
	}
	r := request{method: http.MethodGet, path: "/report_card", query: v.Values}
	if !q.AsOf.IsZero() {
		r = asOf(r, q.AsOf)
	}
	answer, err := c.do(ctx, r)
	if err != nil {
		return nil, err
	}
	card := &reliability.Card{}
	return card, json.Unmarshal(answer.body, card)
}
