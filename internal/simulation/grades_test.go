package simulation

import (
	"reflect"
	"testing"
)

// leastDetermined is of how many of 100 shipments or containers one single value must
// be known for the field: an oracle that leaves it open would accept anything.
var leastDetermined = map[string]int{
	"shipment POL": 90, "shipment POD": 85, "shipment Destination": 85, "container Status": 90,
}

// TestGrades counts how sharply each field is judged.
func TestGrades(t *testing.T) {
	counts := map[string]map[string]int{}
	required, optional, statements, containers := 0, 0, 0, 0
	for seed := range uint64(1_000) {
		w := New(seed)
		expected := w.Expect()
		statements += len(w.Statements())
		for _, shipment := range expected.Shipments {
			countGrades(counts, "shipment ", reflect.ValueOf(shipment))
		}
		for _, container := range expected.Containers {
			containers++
			countGrades(counts, "container ", reflect.ValueOf(container))
			for _, milestone := range container.Milestones {
				if milestone.Required {
					required++
				} else {
					optional++
				}
			}
		}
	}
	for field, grades := range counts {
		t.Logf("%-40s %v", field, grades)
	}
	for field, least := range leastDetermined {
		all := 0
		for _, n := range counts[field] {
			all += n
		}
		if all == 0 || counts[field]["determined"]*100 < least*all {
			t.Errorf("%s: %v, want %d %% determined", field, counts[field], least)
		}
	}
	t.Logf("%d statements, %d containers, %d milestones required, %d optional", statements, containers, required, optional)
}

func countGrades(counts map[string]map[string]int, prefix string, value reflect.Value) {
	for i := range value.NumField() {
		field := value.Field(i)
		if field.Kind() != reflect.Struct || !field.FieldByName("Grade").IsValid() {
			continue
		}
		name := prefix + value.Type().Field(i).Name
		if counts[name] == nil {
			counts[name] = map[string]int{}
		}
		grade := field.FieldByName("Grade").String()
		if grade == "determined" && field.FieldByName("OneOf").Len() > 1 {
			grade = "choice"
		}
		counts[name][grade]++
	}
}
