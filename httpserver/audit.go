package httpserver

import (
	"slices"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/jsonapi"
)

var acceptAudit = jsonapi.Accept{
	Page: true, Include: true, PageSize: 25,
	Filters: slices.Concat([]string{"resource_type", "resource_id", "key_id"}, createdAt),
}

func auditQuery(f *filters) tracking.Query {
	return tracking.AuditEventQuery{
		ResourceTypes: f.list("resource_type"), Resources: f.ids("resource_id"), Keys: f.ids("key_id"), Created: f.times(createdAt),
	}
}
