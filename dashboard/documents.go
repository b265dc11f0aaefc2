package dashboard

import (
	"context"
	"slices"

	"github.com/landfallhq/tracking"
)

func documentRoutes() []route {
	return slices.Concat(listingRoutes("/documents", documentListing), []route{
		{pattern: "POST /documents", permission: tracking.Create, files: true, serve: upload},
		{pattern: "GET /documents/{id}", permission: tracking.Show, serve: showDocument},
		{pattern: "GET /documents/{id}/pages/{page}", permission: tracking.Show, serve: showDocumentPage},
		{pattern: "GET /documents/{id}/file", permission: tracking.Show, serve: downloadDocument},
		{pattern: "POST /documents/{id}/field", permission: tracking.Update, serve: correctDocument},
		{pattern: "POST /documents/{id}/type", permission: tracking.Update, serve: setDocumentType},
		{pattern: "POST /documents/{id}/read", permission: tracking.Update, serve: readDocumentAgain},
		{pattern: "POST /documents/{id}/links", permission: tracking.Update, serve: linkDocument},
	})
}

// documentRow is a document in a list.
type documentRow struct{ *tracking.Document }

func (r documentRow) recordID() tracking.ID { return r.ID }

func (req *request) documentRows(ctx context.Context, q tracking.DocumentQuery, p tracking.Page) ([]documentRow, int, error) {
	list, total, err := req.t.Documents(ctx, q, p)
	rows := make([]documentRow, 0, len(list))
	for _, d := range list {
		rows = append(rows, documentRow{d})
	}
	return rows, total, err
}

var documentTones = map[tracking.DocumentState]string{
	tracking.DocumentWaiting: "info", tracking.DocumentRead: "good", tracking.DocumentUntyped: "warn", tracking.DocumentUnreadable: "warn", tracking.DocumentFailed: "bad",
}

func (c catalog) documentState(d *tracking.Document) cell {
	return cell{Text: c.get("document_state." + string(d.State())), Tone: documentTones[d.State()]}
}

func (req *request) toDocument(id tracking.ID) string { return req.link("/documents/" + id.String()) }

func documentColumns(req *request) []column[documentRow] {
	c := req.texts
	return []column[documentRow]{
		{name: "name", shown: true, cell: func(r documentRow) cell {
			made := linked(r.Name, req.toDocument(r.ID))
			if r.FileName != r.Name {
				made.Note = r.FileName
			}
			return made
		}},
		{name: "document_type", sort: "document_type", shown: true, cell: func(r documentRow) cell { return text(c.word("document_type", r.Type())) }},
		{name: "state", shown: true, cell: func(r documentRow) cell { return c.documentState(r.Document) }},
		{name: "discrepancies", shown: true, numeric: true, cell: func(r documentRow) cell {
			if len(r.Discrepancies) == 0 {
				return cell{Numeric: true}
			}
			return cell{Text: grouped(len(r.Discrepancies)), Tone: "warn", Numeric: true}
		}},
		{name: "shipments", shown: true, numeric: true, cell: func(r documentRow) cell { return number(len(r.Shipments)) }},
		{name: "added_by", sort: "added_by", shown: true, cell: func(r documentRow) cell { return text(r.AddedBy) }},
		{name: "document_source", cell: func(r documentRow) cell { return text(c.word("document_source", string(r.Source))) }},
		{name: "file_type", cell: func(r documentRow) cell { return text(r.FileContentType) }},
		{name: "created_at", sort: "created_at", shown: true, cell: func(r documentRow) cell { return c.moment(r.CreatedAt, "") }},
		{name: "updated_at", cell: func(r documentRow) cell { return c.moment(r.UpdatedAt, "") }},
	}
}

func documentListing(req *request) (l listing[documentRow], err error) {
	types, err := req.documentTypes(req.r.Context(), "")
	if err != nil {
		return l, err
	}
	states := make([]string, 0, len(tracking.DocumentStates))
	for _, s := range tracking.DocumentStates {
		states = append(states, string(s))
	}
	l = listing[documentRow]{
		noun: "documents", upload: true,
		filters: []filter{
			{name: "q", kind: textFilter}, {name: "reference", kind: textFilter}, {name: "type", kind: choiceFilter, options: types},
			{name: "state", kind: choiceFilter, options: req.texts.options("document_state", states)},
			{name: "discrepancies", kind: flagFilter, options: req.texts.flags()}, {name: "shipment", kind: textFilter},
		},
		columns: documentColumns(req),
	}
	l.rows = func(ctx context.Context, q *query, _ []column[documentRow], p tracking.Page) ([]documentRow, int, error) {
		codes := make([]string, 0, len(types))
		for _, t := range types {
			codes = append(codes, t.Value)
		}
		dq := tracking.DocumentQuery{
			FileName: q.Get("q"), References: q.list("reference"), Types: q.choices("type", codes), Discrepant: q.tri("discrepancies"), Shipments: q.ids("shipment"), Sort: q.orders(),
		}
		for _, s := range q.choices("state", states) {
			dq.States = append(dq.States, tracking.DocumentState(s))
		}
		if err := q.err(); err != nil {
			return nil, 0, err
		}
		return req.documentRows(ctx, dq, p)
	}
	return l, nil
}

// documentTypes are the types that a document can have.
func (req *request) documentTypes(ctx context.Context, chosen string) ([]option, error) {
	types, err := req.t.DocumentTypes(ctx)
	list := make([]option, 0, len(types))
	for _, t := range types {
		label := req.texts["document_type."+t.Code]
		if label == "" {
			label = t.Label
		}
		list = append(list, option{t.Code, label, t.Code == chosen})
	}
	return list, err
}
