package main

import (
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
