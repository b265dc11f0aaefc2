package httpserver

import (
	"slices"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/jsonapi"
)

var acceptAudit = jsonapi.Accept{
	Page: true, Include: true, PageSize: 25,
	Filters: slices.Concat([]string{"resource_type", "operation", "resource_id", "key_id", "user_id"}, createdAt),
}

func auditQuery(f *filters) tracking.Query {
	return tracking.AuditEventQuery{
		ResourceTypes: f.list("resource_type"), Resources: f.ids("resource_id"), Keys: f.ids("key_id"), Created: f.times(createdAt),
		Operations: f.list("operation"), Users: f.ids("user_id"),
	}
}
