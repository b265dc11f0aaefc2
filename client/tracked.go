package client

import (
	"time"

	"github.com/landfallhq/tracking"
)

// What shipments and containers have in common.

// filterTracked adds the conditions that both can be asked by, and the order.
func (v *values) filterTracked(q *tracking.TrackedQuery) {
	v.filterCustomFields(q.CustomFields)
	v.filterList("scac", q.SCACs)
	v.filterList("pol_locode", q.POLs)
	v.filterList("pod_locode", q.PODs)
	v.filterIDs("pod_terminal", q.PODTerminals)
	v.filterList("vessel_imo", q.VesselIMOs)
	v.filterIDs("customer_id", q.CustomerIDs)
	v.filterList("tags", q.Tags)
	v.filterList("ref_number", q.RefNumbers)
	v.filterTimes("created_at", q.Created)
	v.filterTimes("updated_at", q.Updated)
	v.filterTimes("pod_eta_at", q.PODETA)
	v.sort(q.Sort)
}

// asOf asks for a record as it was.
func asOf(r request, when time.Time) request {
	r.query.Set("as_of", formatTime(when))
	return r
}

// revisions are what was revised of a record; of the attributes, where any are given.
func (c *Client) revisions(path string, of []tracking.RevisedAttribute, include []string) List[tracking.Revision] {
	v := newValues(include)
	v.filterList("attribute", stringsOf(of))
	return listOf[tracking.Revision](c, path, v)
}
