package classify_test

import (
	"testing"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/classify"
)

// TestCorrect reads values as people enter them; nil is refused.
func TestCorrect(t *testing.T) {
	for _, row := range []struct {
		typ, field, value string
		want              any
	}{
		{"arrival_notice", "eta", "2026-08-05", "2026-08-05"},
		{"arrival_notice", "eta", "5 AUG 2026", "2026-08-05"},
		{"arrival_notice", "eta", "tomorrow", nil},
		{"arrival_notice", "vessel", "MSC ANNA", "MSC ANNA"},
		{"arrival_notice", "port_of_discharge", "DEHAM", "DEHAM"},
		{"arrival_notice", "port_of_discharge", "Hamburg", "DEHAM"},
		{"arrival_notice", "scac", "MAEU", "MAEU"},
		{"arrival_notice", "scac", "no", nil},
		{"arrival_notice", "bl_number", "MAEU 123456789", "MAEU123456789"},
		{"packing_list", "gross_weight", "18,400 KGS", tracking.Quantity{Value: 18400, Unit: "kg"}},
		{"packing_list", "gross_weight", "heavy", nil},
		{"commercial_invoice", "total", "USD 4,200.00", tracking.Money{Amount: "4200", Currency: "USD"}},
		{"arrival_notice", "containers", "MSKU1234565", nil},
		{"arrival_notice", "colour", "red", nil},
		{"poem", "eta", "2026-08-05", nil},
	} {
		f, err := classify.New().Correct(row.typ, row.field, row.value)
		if (err != nil) != (row.want == nil) || err == nil && f.Normal != row.want {
			t.Errorf("%s of %s, %q: %v, %v; want %v", row.field, row.typ, row.value, f.Normal, err, row.want)
		}
	}
}
