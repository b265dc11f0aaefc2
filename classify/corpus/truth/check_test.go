package truth_test

import (
	"fmt"
	"testing"

	"github.com/landfallhq/tracking/classify/corpus/truth"
)

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		name  string
		typ   string
		field string
		value any
		right bool
	}{
		{"date", truth.BillOfLading, "issue_date", "2026-03-04", true},
		{"date with its time", truth.BookingConfirmation, "si_cutoff", "2026-03-04T16:00", true},
		{"date as printed", truth.BillOfLading, "issue_date", "04 MAR 2026", false},
		{"mass", truth.PackingList, "gross_weight", "18250.5 kg", true},
		{"mass with idle zeros", truth.PackingList, "gross_weight", "18250.50 kg", false},
		{"mass without unit", truth.PackingList, "gross_weight", "18250.5", false},
		{"money", truth.CommercialInvoice, "total", "USD 100", true},
		{"party", truth.BillOfLading, "shipper", truth.Company{Name: "KESTREL FOODS"}, true},
		{"party as text", truth.BillOfLading, "shipper", "KESTREL FOODS", false},
		{"number with a space", truth.BillOfLading, "bl_number", "MAEU 1234", false},
		{"container", truth.BillOfLading, "containers", []truth.Fields{{"number": "CSQU3054383"}}, true},
		{"container's check digit", truth.BillOfLading, "containers", []truth.Fields{{"number": "CSQU3054384"}}, false},
		{"date with two readings", truth.PackingList, "issue_date", truth.Readings{"2026-03-04", "2026-04-03"}, true},
		{"one reading", truth.PackingList, "issue_date", truth.Readings{"2026-03-04"}, false},
		{"readings of a number", truth.PackingList, "po_number", truth.Readings{"A1", "B2"}, false},
		{"field of another type", truth.PackingList, "vessel", "CAPE HERON", false},
		{"unknown type", "manifest", "vessel", "CAPE HERON", false},
	} {
		err := truth.Check(truth.Document{Type: c.typ, Fields: truth.Fields{c.field: c.value}})
		if (err == nil) != c.right {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// TestNamesOf checks that the later types have fields in unseen parts alone.
func TestNamesOf(t *testing.T) {
	fields := truth.Fields{"entry_date": "2026-03-04"}
	if err := truth.Check(truth.Document{Part: "seen5", Type: truth.CustomsEntry, Fields: fields}); err != nil {
		t.Error(err)
	}
	if err := truth.Check(truth.Document{Part: "train", Type: truth.CustomsEntry, Fields: fields}); err == nil {
		t.Error("the training part knows fields of a customs entry")
	}
}

func ExampleCheck() {
	fmt.Println(truth.Check(truth.Document{Type: truth.DeliveryOrder, Fields: truth.Fields{"last_free_day": "4 MAR 2026"}}))
	// Output: last_free_day is no date in its normal form: 4 MAR 2026
}
