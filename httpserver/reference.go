package httpserver

import (
	"slices"
	"strings"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/jsonapi"
)

// Reference resources can be named by their ID or their public code.

func portID(req *request) tracking.ID {
	if id := req.pathID(); id != (tracking.ID{}) {
		return id
	}
	return req.t.PortID(req.r.PathValue("id"))
}

func metroAreaID(req *request) tracking.ID {
	if id := req.pathID(); id != (tracking.ID{}) {
		return id
	}
	return req.t.MetroAreaID(req.r.PathValue("id"))
}

var (
	acceptPorts     = jsonapi.Accept{Page: true, Include: true, Filters: []string{"code", "country_code", "name"}}
	acceptTerminals = jsonapi.Accept{Page: true, Include: true, Filters: []string{"code", "name", "port"}}
	acceptVessels   = jsonapi.Accept{Page: true, Include: true, Filters: []string{"imo", "name"}}
)

func portQuery(f *filters) tracking.Query {
	return tracking.PortQuery{Codes: f.upper("code"), Countries: f.upper("country_code"), Name: f.text("name")}
}

func terminalQuery(f *filters) tracking.Query {
	return tracking.TerminalQuery{Codes: f.list("code"), Name: f.text("name"), Ports: f.ids("port")}
}

func vesselQuery(f *filters) tracking.Query {
	return tracking.VesselQuery{IMOs: f.list("imo"), Name: f.text("name")}
}

func vesselID(req *request) tracking.ID {
	if id := req.pathID(); id != (tracking.ID{}) {
		return id
	}
	return tracking.VesselID(req.r.PathValue("id"))
}

func lineID(req *request) tracking.ID {
	id := req.pathID()
	if id != (tracking.ID{}) {
		return id
	}
	lines, err := req.t.ShippingLines(req.ctx())
	if err != nil { // the next read fails in the same way
		return id
	}
	scac := strings.ToUpper(req.r.PathValue("id"))
	for _, l := range lines {
		if l.SCAC == scac || slices.Contains(l.AlternativeSCACs, scac) {
			return l.ID
		}
	}
	return id
}

// shippingLines lists the lines that search finds, unpaged.
func shippingLines(req *request) error {
	q, err := req.readQuery()
	if err != nil {
		return err
	}
	f := &filters{FilterReader: jsonapi.Filters(*q), query: q}
	selects := tracking.ShippingLineQuery{Search: f.param("search")}
	if err := f.err(); err != nil {
		return err
	}
	s, err := req.t.Rendered().List(req.ctx(), selects, tracking.Page{}, q.Include)
	if err != nil {
		return err
	}
	req.respondUnpaged(s, len(q.Include) > 0)
	return nil
}

func partyQuery(*filters) tracking.Query { return tracking.PartyQuery{} }

func partyID(p *tracking.Party) tracking.ID { return p.ID }

func newParty(in *input) tracking.NewParty {
	in.TypeIfSet("party")
	return tracking.NewParty{CompanyName: in.String("company_name").Value}
}

func partyUpdate(in *input) tracking.PartyUpdate {
	in.TypeIfSet("party")
	return tracking.PartyUpdate{CompanyName: opt(in.String("company_name")), IfVersion: in.ifVersion}
}
