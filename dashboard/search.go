package dashboard

import (
	"net/http"
	"strings"

	"github.com/landfallhq/tracking"
)

// searchPage is what was found.
type searchPage struct {
	Query string
	Table table
	Total int
}

// found is a record that was found.
type found struct {
	*tracking.SearchResult
	href string
}

func (f found) recordID() tracking.ID { return f.ID }

// search shows what was found, or the page of the one record that was.
func search(req *request) error {
	p := searchPage{Query: strings.TrimSpace(req.r.URL.Query().Get("q"))}
	var rows []found
	if p.Query != "" {
		list, err := req.t.Search(req.r.Context(), p.Query)
		if err != nil {
			return err
		}
		for _, r := range list {
			rows = append(rows, found{r, req.toResult(r)})
		}
	}
	if len(rows) == 1 && rows[0].href != "" {
		return req.redirect(rows[0].href)
	}
	p.Table, p.Total = fill(req, searchColumns(req), rows), len(rows)
	return req.render(http.StatusOK, "search", req.texts.get("search.title"), p)
}

// toResult is the page of a result; empty for a request without a shipment.
func (req *request) toResult(r *tracking.SearchResult) string {
	switch {
	case r.EntityType == "shipment":
		return req.toShipment(r.ID)
	case r.EntityType == "cargo":
		return req.toContainer(r.ID)
	case r.ShipmentID != nil:
		return req.toShipment(*r.ShipmentID)
	}
	return ""
}

func searchColumns(req *request) []column[found] {
	c := req.texts
	return []column[found]{
		{name: "number", cell: func(r found) cell { return linked(r.Number, r.href) }},
		{name: "kind", cell: func(r found) cell { return text(c.word("entity", r.EntityType)) }},
		{name: "scac", cell: func(r found) cell { return text(r.SCAC) }},
		{name: "port_of_lading", cell: func(r found) cell { return text(r.PortOfLadingName) }},
		{name: "port_of_discharge", cell: func(r found) cell { return text(r.PortOfDischargeName) }},
		{name: "status", cell: func(r found) cell {
			return cell{Text: c.word("request_status", string(r.Status)), Tone: requestTones[r.Status]}
		}},
		{name: "ref_numbers", cell: func(r found) cell { return joined(r.RefNumbers) }},
		{name: "updated_at", cell: func(r found) cell { return c.moment(r.UpdatedAt, "") }},
	}
}
