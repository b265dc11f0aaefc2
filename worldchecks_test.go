package tracking_test

import (
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/landfallhq/tracking/internal/simulation"
)

// judge has each value that is shown compared with what is expected of it.
func (v *worldVerdict) judge(e simulation.Expectation, shown *shownWorld) {
	found := make([]*shownShipment, len(e.Shipments))
	for i, want := range e.Shipments {
		s := shown.shipment(want)
		found[i] = s
		if s != nil {
			v.take("shipment "+s.number, want.Judge(s.onWay(want)))
			v.count(want, s.ShownShipment)
		} else if len(want.Containers) > 0 {
			v.wrong("shipment", "missing", want.BillOfLading+" is not shown")
		}
	}
	for _, s := range shown.shipments {
		if !slices.Contains(found, s) {
			v.wrong("shipment", "extra", s.number+" is shown besides")
		}
	}
	for _, want := range e.Containers {
		if s := found[want.Shipment]; s != nil && s.containers[want.Number] != nil {
			c := s.containers[want.Number]
			v.take("container "+want.Number, want.Judge(*c))
			v.count(want, *c)
		}
	}
}

// judgeTold adds what was announced otherwise than it is shown.
func (v *worldVerdict) judgeTold(shown *shownWorld) {
	for _, text := range shown.told {
		name, _, _ := strings.Cut(text, ":")
		v.wrong("told", name, text)
	}
}

func (v *worldVerdict) wrong(kind, name, detail string) {
	v.differences = append(v.differences, worldDifference{kind, name, detail})
}

// kindsOfFields are the kinds of what the findings name; times are the rest.
var kindsOfFields = map[string]string{
	"port_of_lading": "role", "port_of_discharge": "role", "destination": "role", "transshipment_ports": "role",
	"pod_vessel_imo": "ship", "pod_vessel_name": "ship", "line_tracking_stopped_reason": "stop", "containers": "shipment",
	"current_status": "status", "availability_known": "status", "available_for_pickup": "status",
	"pod_terminal": "place", "milestones": "milestone",
}

// take adds the findings about one thing.
func (v *worldVerdict) take(of string, list []simulation.Finding) {
	for _, f := range list {
		kind, name := kindsOfFields[f.Field], f.Field
		switch {
		case kind == "milestone":
			name, _, _ = strings.Cut(f.Shown, " at ")
		case f.Shown == "null" || f.Shown == `""`:
			name += ", missing"
		}
		if kind == "" {
			kind = "time"
		}
		v.wrong(kind, name, of+": "+f.String())
	}
}

// count adds the values to the shares of those that are unknown or left open.
// What is shown and what is expected have the same names.
func (v *worldVerdict) count(want, shown any) {
	w, s := reflect.ValueOf(want), reflect.ValueOf(shown)
	for i := range w.NumField() {
		got := s.FieldByName(w.Type().Field(i).Name)
		switch want := w.Field(i).Interface().(type) {
		case simulation.Text:
			happened := slices.ContainsFunc(want.OneOf, func(word string) bool { return word != "" })
			v.countValue(want.Grade, happened && got.IsZero())
		case simulation.Time:
			v.countValue(want.Grade, len(want.OneOf) > 0 && got.Interface().(time.Time).IsZero())
		case simulation.Flag:
			v.countValue(want.Grade, false)
		}
	}
}

func (v *worldVerdict) countValue(grade simulation.Grade, unknown bool) {
	v.values++
	switch {
	case grade == simulation.Open:
		v.open++
	case unknown:
		v.unknown++
	}
}
