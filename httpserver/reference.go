package httpserver

import (
	"slices"
	"strings"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/jsonapi"
)

// Reference resources go by their ID or by the code that everybody knows.

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

// What lists of reference entities can be filtered by.
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
	if err != nil { // what is read next fails in the same way
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

// shippingLines answers with all lines at once.
func shippingLines(req *request) error {
	q, err := req.readQuery()
	if err != nil {
		return err
	}
	s, err := req.t.Select(req.ctx(), tracking.ShippingLineQuery{}, tracking.Page{}, q.Include)
	if err != nil {
		return err
	}
	req.respondUnpaged(s, len(q.Include) > 0)
	return nil
}
