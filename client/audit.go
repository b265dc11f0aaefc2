package client

import "github.com/landfallhq/tracking"

// AuditEvents lists what keys, users and the operator have changed in the account, last
// first. The key needs the permission admin.
func (c *Client) AuditEvents(q tracking.AuditEventQuery) List[tracking.AuditEvent] {
	v := newValues(nil)
	v.filterList("resource_type", q.ResourceTypes)
	v.filterList("operation", q.Operations)
	v.filterIDs("resource_id", q.Resources)
	v.filterIDs("user_id", q.Users)
	v.filterIDs("key_id", q.Keys)
	v.filterTimes("created_at", q.Created)
	return listOf[tracking.AuditEvent](c, "/audit_events", v)
}
