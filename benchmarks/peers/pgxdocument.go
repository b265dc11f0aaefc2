package main

import (
	"encoding/json"
	"strconv"
)

// The documents of the server on pgx are appended to a buffer piece by piece.

// The names of the attributes, as they stand before their values.
var (
	shipmentNames  = memberNames(shipmentAttributes{})
	containerNames = memberNames(containerAttributes{})
	portNames      = memberNames(portAttributes{})
	terminalNames  = memberNames(terminalAttributes{})
)

func memberNames(attributes any) (names []string) {
	for _, name := range columns(attributes) {
		names = append(names, `"`+name+`":`)
	}
	return names
}

func (p *pageRows) append(b []byte) []byte {
	of := make(map[string][]string, len(p.shipments))
	for _, c := range p.containers {
		of[c.Shipment] = append(of[c.Shipment], c.ID)
	}
	b = append(b, `{"data":[`...)
	for i, s := range p.shipments {
		b = s.append(comma(b, i), of[s.ID])
	}
	b = append(b, `],"included":[`...)
	n := 0
	for _, c := range p.containers {
		b = c.append(comma(b, n))
		n++
	}
	for _, r := range p.ports {
		b = appendEnd(appendStart(comma(b, n), "port", r.ID), "ports", r.ID, portNames, r.portAttributes.fields())
		n++
	}
	for _, t := range p.terminals {
		b = append(appendStart(comma(b, n), "terminal", t.ID), `"relationships":{`...)
		b = append(appendOne(b, `"port":`, "port", t.Port), `},`...)
		b = appendEnd(b, "terminals", t.ID, terminalNames, t.terminalAttributes.fields())
		n++
	}
	b = append(b, `],"links":{`...)
	for i, l := range pageLinks(p.query, p.total) {
		b = append(appendText(comma(b, i), l[0]), ':')
		b = appendText(b, l[1])
	}
	b = append(b, `},"meta":{"size":`...)
	b = strconv.AppendInt(b, int64(p.query.size), 10)
	b = append(b, `,"total":`...)
	b = strconv.AppendInt(b, int64(p.total), 10)
	return append(b, `}}`...)
}

func (s *shipmentRow) append(b []byte, boxes []string) []byte {
	b = append(appendStart(b, "shipment", s.ID), `"relationships":{`...)
	for _, to := range []struct {
		name, typ string
		id        *string
	}{
		{`"port_of_lading":`, "port", s.PortOfLading}, {`"port_of_discharge":`, "port", s.PortOfDischarge},
		{`"pod_terminal":`, "terminal", s.PODTerminal}, {`"destination":`, "port", s.Destination},
		{`"destination_terminal":`, "terminal", s.DestinationTerminal}, {`"line_tracking_stopped_by_user":`, "user", s.StoppedBy},
	} {
		b = append(appendOne(b, to.name, to.typ, to.id), ',')
	}
	b = append(b, `"containers":{"data":[`...)
	for i, id := range boxes {
		b = appendReference(comma(b, i), "container", id)
	}
	b = append(b, `]}},`...)
	return appendEnd(b, "shipments", s.ID, shipmentNames, s.shipmentAttributes.fields())
}

func (c *containerRow) append(b []byte) []byte {
	b = append(appendStart(b, "container", c.ID), `"relationships":{`...)
	b = append(appendOne(b, `"shipment":`, "shipment", &c.Shipment), ',')
	b = append(appendOne(b, `"pickup_facility":`, "terminal", c.PickupFacility), ',')
	b = append(appendOne(b, `"pod_terminal":`, "terminal", c.PODTerminal), `},`...)
	return appendEnd(b, "containers", c.ID, containerNames, c.containerAttributes.fields())
}

func comma(b []byte, i int) []byte {
	if i > 0 {
		b = append(b, ',')
	}
	return b
}

// appendStart begins a resource.
func appendStart(b []byte, typ, id string) []byte {
	b = append(append(b, `{"id":"`...), id...)
	b = append(append(b, `","type":"`...), typ...)
	return append(b, `",`...)
}

// appendEnd ends a resource with its attributes and its link.
func appendEnd(b []byte, path, id string, names []string, fields []any) []byte {
	b = append(b, `"attributes":{`...)
	for i, name := range names {
		b = appendValue(append(comma(b, i), name...), fields[i])
	}
	b = append(append(b, `},"links":{"self":"/v2/`...), path...)
	b = append(append(append(b, '/'), id...), `"}}`...)
	return b
}

func appendReference(b []byte, typ, id string) []byte {
	b = append(append(b, `{"id":"`...), id...)
	return append(append(append(b, `","type":"`...), typ...), `"}`...)
}

func appendOne(b []byte, name, typ string, id *string) []byte {
	b = append(append(b, name...), `{"data":`...)
	if id == nil {
		return append(b, `null}`...)
	}
	return append(appendReference(b, typ, *id), '}')
}

// appendValue appends what a pointer to a field points to.
func appendValue(b []byte, field any) []byte {
	switch v := field.(type) {
	case *string:
		return appendText(b, *v)
	case **string:
		if *v != nil {
			return appendText(b, **v)
		}
	case *bool:
		return strconv.AppendBool(b, *v)
	case *int:
		return strconv.AppendInt(b, int64(*v), 10)
	case **int:
		if *v != nil {
			return strconv.AppendInt(b, int64(**v), 10)
		}
	case **float64:
		if *v != nil {
			return strconv.AppendFloat(b, **v, 'f', -1, 64)
		}
	case *[]byte:
		return append(b, *v...)
	}
	return append(b, `null`...)
}

// appendText appends a text, as it is unless it has what JSON must escape.
func appendText(b []byte, s string) []byte {
	for i := range len(s) {
		if s[i] < ' ' || s[i] == '"' || s[i] == '\\' {
			text, _ := json.Marshal(s) // it cannot fail
			return append(b, text...)
		}
	}
	return append(append(append(b, '"'), s...), '"')
}
