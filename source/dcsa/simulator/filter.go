package simulator

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// filter is the filter of a call or a subscription: alternatives for each
// parameter.
type filter map[string][]string

// The parameters with numbers, including deprecated names.
var numbers = map[string]string{
	"carrierBookingReference":    "carrierBookingReference",
	"bookingReference":           "carrierBookingReference",
	"transportDocumentReference": "transportDocumentReference",
	"transportDocumentID":        "transportDocumentReference",
	"equipmentReference":         "equipmentReference",
}

// values are the other parameters, with the value of an event that they match.
var values = map[string]func(reportedEvent) string{
	"eventType":              func(t reportedEvent) string { return t.Type },
	"shipmentEventTypeCode":  func(t reportedEvent) string { return t.Shipment },
	"documentTypeCode":       func(t reportedEvent) string { return t.Document },
	"transportEventTypeCode": func(t reportedEvent) string { return t.Transport },
	"equipmentEventTypeCode": func(t reportedEvent) string { return t.Equipment },
	"transportCallID":        func(t reportedEvent) string { return t.Call.ID },
	"vesselIMONumber":        func(t reportedEvent) string { return t.Call.Vessel.IMO },
	"exportVoyageNumber":     func(t reportedEvent) string { return t.Call.Voyage },
	"carrierVoyageNumber":    func(t reportedEvent) string { return t.Call.Voyage },
	"UNLocationCode":         func(t reportedEvent) string { return t.Call.LOCODE },
	"carrierServiceCode":     func(reportedEvent) string { return "" },
	"scheduleID":             func(reportedEvent) string { return "" },
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

// add adds a parameter, or returns an error if it is invalid.
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
		return fmt.Errorf("%s is not a parameter of the standard", name)
	}
	f[name] = list
	return nil
}

// number returns the number in the filter; empty if there is none.
func (f filter) number() string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(f)) {
		if numbers[name] != "" {
			parts = append(parts, strings.Join(f[name], ","))
		}
	}
	return strings.Join(parts, " ")
}

// shipments returns the shipments to search.
func (f filter) shipments(c *Carrier) []*shipment {
	found, limited := c.shipments, false
	for name, list := range f {
		if numbers[name] == "" {
			continue
		}
		var these []*shipment
		for _, number := range list {
			for _, s := range c.byNumber[number] {
				if s.hasNumber(name, number) && (!limited || slices.Contains(found, s)) {
					these = append(these, s)
				}
			}
		}
		found, limited = these, true
	}
	return found
}

// hasNumber reports whether the shipment has that number of that kind.
func (s *shipment) hasNumber(parameter, number string) bool {
	switch parameter {
	case "carrierBookingReference":
		return s.Booking == number
	case "transportDocumentReference":
		return s.TransportDocument == number
	}
	return slices.Contains(s.Containers, number)
}

// match reports whether an event of one of these shipments matches.
func (f filter) match(t reportedEvent) bool {
	for name, list := range f {
		switch {
		case name == "equipmentReference":
			if t.Box != "" && !slices.Contains(list, t.shipment.containerOf(t.event)) {
				return false // it is about another container
			}
		case numbers[name] != "":
			if !slices.ContainsFunc(list, func(number string) bool { return t.shipment.hasNumber(name, number) }) {
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
