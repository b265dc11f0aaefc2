package client

import (
	"time"

	"github.com/landfallhq/tracking"
)

// What shipments and containers have in common.

// tracked adds the conditions that both can be asked by, and the order.
func (v *values) tracked(q *tracking.TrackedQuery) {
	v.fields(q.CustomFields)
	v.any("scac", q.SCACs)
	v.any("pol_locode", q.POLs)
	v.any("pod_locode", q.PODs)
	v.ids("pod_terminal", q.PODTerminals)
	v.any("vessel_imo", q.VesselIMOs)
	v.ids("customer_id", q.CustomerIDs)
	v.any("tags", q.Tags)
	v.any("ref_number", q.RefNumbers)
	v.times("created_at", q.Created)
	v.times("updated_at", q.Updated)
	v.times("pod_eta_at", q.PODETA)
	v.sort(q.Sort)
}

// asOf asks for a record as it was.
func asOf(r request, when time.Time) request {
	r.query.Set("as_of", instant(when))
	return r
}

// revisions are what was revised of a record; of the attributes, where any are given.
func (c *Client) revisions(path string, of []tracking.RevisedAttribute, include []string) List[tracking.Revision] {
	v := newValues(include)
	v.any("attribute", texts(of))
	return listOf[tracking.Revision](c, path, v)
}
