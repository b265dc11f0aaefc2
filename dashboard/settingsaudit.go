package dashboard

import (
	"context"

	"github.com/landfallhq/tracking"
)

const (
	auditNoun = "settings/audit"
	auditPath = "/" + auditNoun
)

func auditRoutes() []route {
	list := listingRoutes(auditPath, auditListing)
	for i := range list {
		list[i].permission = tracking.Admin
	}
	return list
}

// eventRow is an entry of the audit log, with who made the change.
type eventRow struct {
	*tracking.AuditEvent
	user *tracking.User // nil if none is known
}

func (r eventRow) recordID() tracking.ID { return r.ID }

// pagesOf are the pages of records, by their resource type.
var pagesOf = map[string]string{"shipment": "/shipments/", "container": "/containers/", "webhook": webhooksPath + "/", "user": usersPath + "/", "custom_field_definition": definitionsPath + "/", "tariff": tariffsPath + "/"}

func eventColumns(req *request) []column[eventRow] {
	c := req.texts
	return []column[eventRow]{
		{name: "created_at", shown: true, cell: func(r eventRow) cell { return c.moment(r.CreatedAt, "") }},
		{name: "operation", shown: true, cell: func(r eventRow) cell { return cell{Text: c.word("operation", r.Operation), Note: r.Operation} }},
		{name: "changed", shown: true, cell: func(r eventRow) cell { return joined(r.Changed) }},
		{name: "object", shown: true, cell: func(r eventRow) cell { return req.eventObject(r.AuditEvent) }},
		{name: "actor", shown: true, cell: func(r eventRow) cell {
			if r.user != nil {
				return linked(userName(r.user), req.link(auditPath, map[string][]string{"user": {r.User.String()}}))
			}
			return cell{Text: c.word("actor", r.ActorType), Note: joined(nonEmpty(shown(r.User), shown(r.Key))).Text}
		}},
		{name: "client_address", shown: true, cell: func(r eventRow) cell { return text(r.ClientAddress) }},
		{name: "key", cell: func(r eventRow) cell { return text(shown(r.Key)) }},
		{name: "request_id", cell: func(r eventRow) cell { return text(r.RequestID) }},
	}
}

// eventObject is what was changed: a link to the record, or the number of records.
func (req *request) eventObject(e *tracking.AuditEvent) cell {
	n := e.Counts["resources"]
	if n == 0 {
		n = len(e.ResourceIDs)
	}
	if n != 1 || len(e.ResourceIDs) != 1 {
		return cell{Text: req.texts.count("audit.resources", n)}
	}
	id := e.ResourceIDs[0].String()
	c := cell{Text: req.texts.word("resource", e.ResourceType), Note: id}
	if page := pagesOf[e.ResourceType]; page != "" && e.Operation != e.ResourceType+".delete" {
		c.Href = req.link(page + id)
	}
	return c
}

func auditListing(req *request) (l listing[eventRow], err error) {
	users, err := req.usersByID(req.r.Context())
	var names []option
	for _, u := range users {
		names = append(names, option{Value: u.ID.String(), Label: userName(u)})
	}
	sortOptions(names)
	l = listing[eventRow]{
		noun: auditNoun, columns: eventColumns(req),
		filters: []filter{
			{name: "user", kind: flagFilter, options: names}, {name: "operation", kind: textFilter}, {name: "resource_type", kind: textFilter},
			{name: "resource", kind: textFilter}, {name: "key", kind: textFilter}, {name: "created_at", kind: rangeFilter},
		},
		frame: func(_ context.Context, _ *query, p *listPage) error { p.Crumbs = req.settingsCrumbs(); return nil },
	}
	l.rows = func(ctx context.Context, q *query, _ []column[eventRow], p tracking.Page) ([]eventRow, int, error) {
		aq := tracking.AuditEventQuery{
			ResourceTypes: q.list("resource_type"), Operations: q.list("operation"), Resources: q.ids("resource"),
			Keys: q.ids("key"), Users: q.ids("user"), Created: q.days("created_at"),
		}
		if err := q.err(); err != nil {
			return nil, 0, err
		}
		list, total, err := req.t.AuditEvents(ctx, aq, p)
		rows := make([]eventRow, len(list))
		for i, e := range list {
			rows[i] = eventRow{e, users[e.User]}
		}
		return rows, total, err
	}
	return l, err
}
