package tracking

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/landfallhq/tracking/internal/eventcatalog"
	"github.com/landfallhq/tracking/internal/journey"
	"github.com/landfallhq/tracking/internal/record"
)

// TestIncludesOfEvents: nothing is included that the reference object does not have.
func TestIncludesOfEvents(t *testing.T) {
	for _, e := range eventcatalog.Events() {
		if _, err := includePaths(e.Reference, e.Include); err != nil {
			t.Errorf("%s: %v", e.Name, err)
		}
	}
}

// TestOnlyMilestonesAreDerived: the milestones of a journey and the changes of values are
// two sorts of transport events.
func TestOnlyMilestonesAreDerived(t *testing.T) {
	for _, row := range eventcatalog.Events() {
		e := TransportEvent{Event: row.Name}
		if _, derived := journey.MilestoneOrder[row.Name]; row.Reference == "transport_event" && derived != e.milestone() {
			t.Errorf("%s: derived %t, a milestone %t", row.Name, derived, e.milestone())
		}
	}
}

// TestExampleFile: the voyage has each event once, in order of time, and names no member
// that its documents do not have.
func TestExampleFile(t *testing.T) {
	var v exampleVoyage
	if err := json.Unmarshal(exampleFile, &v); err != nil {
		t.Fatal(err)
	}
	known := func(of string, typ string, attributes, relationships exampleMembers) {
		t.Helper()
		has := map[record.FieldKind]map[string]bool{record.Attribute: {}, record.Relationship: {}}
		for _, f := range registry[typ].Fields {
			if m := has[f.Kind]; m != nil && !f.Inverse {
				m[f.Name] = true
			}
		}
		for kind, members := range map[record.FieldKind]exampleMembers{record.Attribute: attributes, record.Relationship: relationships} {
			for name := range members {
				if !has[kind][name] {
					t.Errorf("%s: %s is not in a %s", of, name, typ)
				}
			}
		}
	}
	for name, d := range v.Documents {
		if d.Type != "" {
			known(name, d.Type, d.Attributes, d.Relationships)
		}
	}
	var names []EventName
	for i, e := range v.Events {
		names = append(names, e.Event)
		if i > 0 && e.At.Before(v.Events[i-1].At) {
			t.Errorf("%s comes before %s", e.Event, v.Events[i-1].Event)
		}
		known(string(e.Event), "shipment", e.Shipment, nil)
		known(string(e.Event), "container", e.Container, nil)
		d := v.referenceObject(&e)
		known(string(e.Event), d.Type, d.Attributes, d.Relationships)
		if want := eventcatalog.Find(e.Event); want == nil || want.Reference != d.Type {
			t.Errorf("%s has a %s", e.Event, d.Type)
		}
	}
	all := Describe().AllEvents
	if slices.Sort(names); !slices.Equal(names, slices.Sorted(slices.Values(all))) {
		t.Errorf("the voyage has the events %q", names)
	}
}
