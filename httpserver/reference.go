package httpserver

import (
	"slices"
	"strings"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/jsonapi"
)

// Reference resources go by their ID or by the code that everybody knows.

func portID(c *call) tracking.ID {
	if id := c.pathID(); id != (tracking.ID{}) {
		return id
	}
	return c.t.PortID(c.r.PathValue("id"))
}

func metroAreaID(c *call) tracking.ID {
	if id := c.pathID(); id != (tracking.ID{}) {
		return id
	}
	return c.t.MetroAreaID(c.r.PathValue("id"))
}

// What lists of reference entities can be filtered by.
var (
	takesPorts     = jsonapi.Accept{Page: true, Include: true, Filters: []string{"code", "country_code", "name"}}
	takesTerminals = jsonapi.Accept{Page: true, Include: true, Filters: []string{"code", "name", "port"}}
	takesVessels   = jsonapi.Accept{Page: true, Include: true, Filters: []string{"imo", "name"}}
)

func portQuery(f *filters) tracking.Query {
	return tracking.PortQuery{Codes: f.upper("code"), Countries: f.upper("country_code"), Name: f.one("name")}
}

func terminalQuery(f *filters) tracking.Query {
	return tracking.TerminalQuery{Codes: f.text("code"), Name: f.one("name"), Ports: f.ids("port")}
}

func vesselQuery(f *filters) tracking.Query {
	return tracking.VesselQuery{IMOs: f.text("imo"), Name: f.one("name")}
}

func vesselID(c *call) tracking.ID {
	if id := c.pathID(); id != (tracking.ID{}) {
		return id
	}
	return tracking.VesselID(c.r.PathValue("id"))
}

func lineID(c *call) tracking.ID {
	id := c.pathID()
	if id != (tracking.ID{}) {
		return id
	}
	lines, err := c.t.ShippingLines(c.ctx())
	if err != nil { // what is read next fails in the same way
		return id
	}
	scac := strings.ToUpper(c.r.PathValue("id"))
	for _, l := range lines {
		if l.SCAC == scac || slices.Contains(l.AlternativeSCACs, scac) {
			return l.ID
		}
	}
	return id
}

// shippingLines answers with all lines at once.
func shippingLines(c *call) error {
	q, err := c.query()
	if err != nil {
		return err
	}
	s, err := c.t.Select(c.ctx(), tracking.ShippingLineQuery{}, tracking.Page{}, q.Include)
	if err != nil {
		return err
	}
	c.whole(s, len(q.Include) > 0)
	return nil
}
