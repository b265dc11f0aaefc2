package simulator

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// filter is what a call or a subscription limits events to: for each parameter
// the values of which one must hold.
type filter map[string][]string

// The parameters of the standard that are about a number, with the deprecated
// names of the same.
var numbers = map[string]string{
	"carrierBookingReference":    "carrierBookingReference",
	"bookingReference":           "carrierBookingReference",
	"transportDocumentReference": "transportDocumentReference",
	"transportDocumentID":        "transportDocumentReference",
	"equipmentReference":         "equipmentReference",
}

// values are the standard's other parameters, by what they look at.
var values = map[string]func(told) string{
	"eventType":              func(t told) string { return t.Type },
	"shipmentEventTypeCode":  func(t told) string { return t.Shipment },
	"documentTypeCode":       func(t told) string { return t.Document },
	"transportEventTypeCode": func(t told) string { return t.Transport },
	"equipmentEventTypeCode": func(t told) string { return t.Equipment },
	"transportCallID":        func(t told) string { return t.Call.ID },
	"vesselIMONumber":        func(t told) string { return t.Call.Vessel.IMO },
	"exportVoyageNumber":     func(t told) string { return t.Call.Voyage },
	"carrierVoyageNumber":    func(t told) string { return t.Call.Voyage },
	"UNLocationCode":         func(t told) string { return t.Call.LOCODE },
	"carrierServiceCode":     func(told) string { return "" },
	"scheduleID":             func(told) string { return "" },
}

// times compare the time of creation with that of the parameter.
var times = map[string]func(sign int) bool{
	"eventCreatedDateTime":     func(sign int) bool { return sign == 0 },
	"eventCreatedDateTime:eq":  func(sign int) bool { return sign == 0 },
	"eventCreatedDateTime:gte": func(sign int) bool { return sign >= 0 },
	"eventCreatedDateTime:gt":  func(sign int) bool { return sign > 0 },
	"eventCreatedDateTime:lte": func(sign int) bool { return sign <= 0 },
	"eventCreatedDateTime:lt":  func(sign int) bool { return sign < 0 },
}

// add adds a parameter, or says what is wrong with it.
func (f filter) add(name string, list []string) error {
	if current, ok := numbers[name]; ok {
		name = current
	} else if times[name] != nil {
		if len(list) != 1 {
			return fmt.Errorf("%s takes one time", name)
		}
		if _, err := time.Parse(time.RFC3339, list[0]); err != nil {
			return fmt.Errorf("%s must be a time such as 2026-01-05T00:00:00Z", name)
		}
	} else if values[name] == nil {
		return fmt.Errorf("%s is no parameter of the standard", name)
	}
	f[name] = list
	return nil
}

// about says what number the filter is about; empty for none.
func (f filter) about() string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(f)) {
		if numbers[name] != "" {
			parts = append(parts, strings.Join(f[name], ","))
		}
	}
	return strings.Join(parts, " ")
}

// shipments are those that events are looked for in.
func (f filter) shipments(c *Carrier) []*shipment {
	found, limited := c.shipments, false
	for name, list := range f {
		if numbers[name] == "" {
			continue
		}
		var these []*shipment
		for _, number := range list {
			for _, s := range c.byNumber[number] {
				if s.goesBy(name, number) && (!limited || slices.Contains(found, s)) {
					these = append(these, s)
				}
			}
		}
		found, limited = these, true
	}
	return found
}

// goesBy says whether the number is one of the shipment's of that kind.
func (s *shipment) goesBy(parameter, number string) bool {
	switch parameter {
	case "carrierBookingReference":
		return s.Booking == number
	case "transportDocumentReference":
		return s.TransportDocument == number
	}
	return slices.Contains(s.Containers, number)
}

// match says whether an event of one of the filter's shipments passes it.
func (f filter) match(t told) bool {
	for name, list := range f {
		switch {
		case name == "equipmentReference":
			if t.Box != "" && !slices.Contains(list, t.of.box(t.event)) {
				return false // it happened to another box
			}
		case numbers[name] != "":
			if !slices.ContainsFunc(list, func(number string) bool { return t.of.goesBy(name, number) }) {
				return false
			}
		case times[name] != nil:
			bound, err := time.Parse(time.RFC3339, list[0])
			if err != nil || !times[name](t.created().Compare(bound)) {
				return false
			}
		default:
			if value := values[name](t); value == "" || !slices.Contains(list, value) {
				return false
			}
		}
	}
	return true
}
