package main

import (
	"encoding/json"
	"net/url"
	"strconv"
)

// document is a page in JSON:API, as ours has it.
type document struct {
	Data     []resource        `json:"data"`
	Included []resource        `json:"included"`
	Links    map[string]string `json:"links"`
	Meta     meta              `json:"meta"`
}

type meta struct {
	Size  int `json:"size"`
	Total int `json:"total"`
}

type singleDocument struct {
	Data resource `json:"data"`
}

type resource struct {
	ID            string                  `json:"id"`
	Type          string                  `json:"type"`
	Relationships map[string]relationship `json:"relationships,omitempty"`
	Attributes    any                     `json:"attributes"`
	Links         map[string]string       `json:"links"`
}

type relationship struct {
	Data any `json:"data"`
}

type reference struct {
	ID   string `json:"id"`
	Type string `json:"type"`
}

// pageRows are the rows of a page.
type pageRows struct {
	query      pageQuery
	total      int
	shipments  []*shipmentRow
	containers []*containerRow
	ports      []*portRow
	terminals  []*terminalRow
}

// encode writes the page by encoding/json.
func (p *pageRows) encode() ([]byte, error) {
	doc := document{Data: []resource{}, Meta: meta{p.query.size, p.total}, Links: map[string]string{}}
	of := map[string][]reference{}
	for _, c := range p.containers {
		of[c.Shipment] = append(of[c.Shipment], reference{c.ID, "container"})
		doc.Included = append(doc.Included, c.resource())
	}
	for _, s := range p.shipments {
		doc.Data = append(doc.Data, s.resource(append([]reference{}, of[s.ID]...)))
	}
	for _, r := range p.ports {
		doc.Included = append(doc.Included, r.resource())
	}
	for _, t := range p.terminals {
		doc.Included = append(doc.Included, t.resource())
	}
	for _, l := range pageLinks(p.query, p.total) {
		doc.Links[l[0]] = l[1]
	}
	return json.Marshal(doc)
}

// pageLinks are the links of a page, in the order of their names.
func pageLinks(q pageQuery, total int) (links [][2]string) {
	last := max(1, (total+q.size-1)/q.size)
	link := func(name string, page int) {
		v := url.Values{}
		for key, values := range q.query {
			v[key] = values
		}
		v.Set("page[number]", strconv.Itoa(page))
		links = append(links, [2]string{name, "http://" + q.host + "/v2/shipments?" + v.Encode()})
	}
	link("current", q.number)
	link("first", 1)
	link("last", last)
	if q.number < last {
		link("next", q.number+1)
	}
	if q.number > 1 {
		link("prev", q.number-1)
	}
	link("self", q.number)
	return links
}

// addText adds a text that the list does not have.
func addText(list []string, s *string) []string {
	if s == nil {
		return list
	}
	for _, have := range list {
		if have == *s {
			return list
		}
	}
	return append(list, *s)
}

// wanted are the IDs of what a page of shipments includes besides its containers.
func wanted(rows []*shipmentRow) (shipments, ports, terminals []string) {
	for _, s := range rows {
		shipments = append(shipments, s.ID)
		ports = addText(addText(ports, s.PortOfLading), s.PortOfDischarge)
		terminals = addText(terminals, s.PODTerminal)
	}
	return shipments, ports, terminals
}

func toOne(typ string, id *string) relationship {
	if id == nil {
		return relationship{}
	}
	return relationship{reference{*id, typ}}
}

func resourceOf(typ, id string, attributes any, relationships map[string]relationship) resource {
	return resource{id, typ, relationships, attributes, map[string]string{"self": "/v2/" + typ + "s/" + id}}
}

func (s *shipmentRow) resource(boxes []reference) resource {
	return resourceOf("shipment", s.ID, &s.shipmentAttributes, map[string]relationship{
		"port_of_lading": toOne("port", s.PortOfLading), "port_of_discharge": toOne("port", s.PortOfDischarge),
		"pod_terminal": toOne("terminal", s.PODTerminal), "destination": toOne("port", s.Destination),
		"destination_terminal":          toOne("terminal", s.DestinationTerminal),
		"line_tracking_stopped_by_user": toOne("user", s.StoppedBy), "containers": {boxes},
	})
}

func (c *containerRow) resource() resource {
	return resourceOf("container", c.ID, &c.containerAttributes, map[string]relationship{
		"shipment": toOne("shipment", &c.Shipment), "pickup_facility": toOne("terminal", c.PickupFacility), "pod_terminal": toOne("terminal", c.PODTerminal),
	})
}

func (p *portRow) resource() resource { return resourceOf("port", p.ID, &p.portAttributes, nil) }

func (t *terminalRow) resource() resource {
	return resourceOf("terminal", t.ID, &t.terminalAttributes, map[string]relationship{"port": toOne("port", t.Port)})
}
