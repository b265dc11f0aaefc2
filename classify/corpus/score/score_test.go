package score

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/landfallhq/tracking/classify/corpus/truth"
)

func TestSame(t *testing.T) {
	for _, c := range []struct {
		kind   truth.Kind
		value  any
		answer string
		want   bool
	}{
		{truth.Number, "MAEU123456789", "MAEU 123-456789", true},
		{truth.Number, "MAEU123456789", "123456789", false},
		{truth.Text, "PIER 21 TERMINAL", "Pier 21 Terminal.", true},
		{truth.Text, "PIER 21 TERMINAL", "PIER 21", false},
		{truth.Prose, "10 CARTONS LED LAMP 12W", "10 cartons led lamp 12w FREIGHT", true},
		{truth.Prose, "10 CARTONS LED LAMP 12W", "10 cartons led", false},
		{truth.Prose, "LAMP", "", false},
		{truth.Party, truth.Company{Name: "KESTREL FOODS INC.", Address: "1 KING STREET, LEEDS"}, "Kestrel Foods Inc", true},
		{truth.Party, truth.Company{Name: "KESTREL FOODS INC.", Address: "1 KING STREET, LEEDS"}, "KESTREL FOODS INC., 1 KING STREET", true},
		{truth.Party, truth.Company{Name: "KESTREL FOODS INC.", Address: "1 KING STREET, LEEDS"}, "KESTREL FOODS INC., TEL 5", false},
		{truth.Party, truth.Company{Name: "KESTREL FOODS INC."}, "KESTREL", false},
		{truth.Place, "CNSHA", "CNSHA", true},
		{truth.Place, "CNSHA", "CNSHG", true}, // another code of the same place
		{truth.Place, "CNSHA", "CNNGB", false},
		{truth.Date, "2026-03-04", "2026-03-04", true},
		{truth.Date, "2026-03-04", "2026-04-03", false},
		{truth.Date, "2026-03-04", "04 MAR 2026", false},
		{truth.Date, "2026-03-04T16:00", "2026-03-04T16:00:00", true},
		{truth.Date, "2026-03-04T16:00", "2026-03-04", false},
		{truth.Mass, "18250.5 kg", "18250.50 KG", true},
		{truth.Mass, "18250.5 kg", "18250.5", false},
		{truth.Mass, "18250.5 kg", "18250.5 lb", false},
		{truth.Volume, "67.5 m3", "67.5 m3", true},
		{truth.Money, "USD 1200.5", "1200.50 USD", true},
		{truth.Money, "USD 1200.5", "EUR 1200.5", false},
		{truth.Money, "USD 1200.5", "1,200.50", false},
		{truth.Quantity, "12", "12.0", true},
		{truth.Quantity, "0", "", false},
		{truth.Code, "prepaid", "PREPAID", true},
		{truth.Code, "40HC", "40GP", false},
	} {
		if got := same(c.kind, c.value, c.answer); got != c.want {
			t.Errorf("%s %v, answered %q: %v", c.kind, c.value, c.answer, got)
		}
	}
}

// bill is a document with two containers.
var bill = truth.Document{Name: "bill", Type: truth.BillOfLading, PDF: []byte("bill"), Fields: truth.Fields{
	"bl_number": "MAEU123456789",
	"shipper":   truth.Company{Name: "KESTREL FOODS"},
	"containers": []truth.Fields{
		{"number": "CSQU3054383", "seal": "S1", "packages": "7"},
		{"number": "MSKU1234565", "seal": "S2", "packages": "7"},
	},
}}

var letter = truth.Document{Name: "letter", Type: truth.Other, PDF: []byte("letter")}

// knows answers what it is told to.
func knows(answers map[string]Answer) Classifier {
	return func(pdf []byte) (Answer, error) {
		a, ok := answers[string(pdf)]
		if !ok {
			return a, errors.New("never seen")
		}
		return a, nil
	}
}

func TestRun(t *testing.T) {
	r := Run([]truth.Document{bill, letter}, knows(map[string]Answer{
		"letter": {Type: truth.BillOfLading, Confidence: 0.9, Fields: []Field{{Name: "bl_number", Value: "X"}}},
		"bill": {Type: truth.BillOfLading, Confidence: 0.99, Fields: []Field{
			{Name: "bl_number", Value: "maeu 123456789", Confidence: 1},
			{Name: "bl_number", Value: "MAEU999999999", Confidence: 0.4},   // said twice
			{Name: "voyage", Value: "12E", Confidence: 0.95},               // not on the paper
			{Name: "colour", Value: "blue", Confidence: 1},                 // no field of bills
			{Name: "containers.number", Value: "MSKU1234565", Row: 4},      // the second row, first
			{Name: "containers.seal", Value: "S2", Row: 4},                 //
			{Name: "containers.packages", Value: "8", Row: 4},              // wrong
			{Name: "containers.number", Value: "CSQU3054383", Row: 9},      // its seal is missed, and
			{Name: "containers.packages", Value: "7", Row: 9},              //
			{Name: "containers.number", Value: "TGHU0000000", Row: 11},     // no such row
			{Name: "containers.seal", Value: "S1", Row: 11, Confidence: 1}, // in the wrong row
		}},
	}))
	want := map[string]Tally{
		"bl_number": {Right: 1, Wrong: 1}, "shipper": {Missed: 1}, "voyage": {Wrong: 1},
		"containers.number": {Right: 2, Wrong: 1}, "containers.seal": {Right: 1, Wrong: 1, Missed: 1}, "containers.packages": {Right: 1, Wrong: 1, Missed: 1},
	}
	got := r.Types[truth.BillOfLading].ByField
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("by field %v, want %v", got, want)
	}
	if all := r.All; all.Documents != 2 || all.Right != 1 || all.Accuracy() != 0.5 || all.Fields != (Tally{Right: 5, Wrong: 5, Missed: 3}) {
		t.Errorf("all: %+v", all)
	}
	var sure []string
	for _, m := range r.Sure() {
		sure = append(sure, m.Document+" "+m.Field)
	}
	if wrong := []string{"bill containers.seal", "bill voyage", "letter "}; !slices.Equal(sure, wrong) {
		t.Errorf("sure and wrong: %q, want %q", sure, wrong)
	}
}

func TestRunOfFailures(t *testing.T) {
	r := Run([]truth.Document{bill}, knows(nil))
	if o := r.Types[truth.BillOfLading]; o.Unsaid != 1 || o.Right != 0 || o.Fields != (Tally{Missed: 8}) || len(r.Failures) != 1 || len(r.Mistakes) != 0 {
		t.Errorf("%+v, failures %q", o, r.Failures)
	}
}

func TestPrint(t *testing.T) {
	r := Run([]truth.Document{bill, letter}, knows(map[string]Answer{
		"bill":   {Type: truth.SeaWaybill, Confidence: 0.97, Fields: []Field{{Name: "bl_number", Value: "MAEU1", Confidence: 0.5}}},
		"letter": {Type: truth.Other, Confidence: 1},
	}))
	var b bytes.Buffer
	if err := r.Print(&b); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"bill_of_lading bl_number", "50.0 %", "wrong, with confidence of 0.85 or more: 1 of 2", `bill type: "sea_waybill", true is "bill_of_lading"`} {
		if !strings.Contains(b.String(), line) {
			t.Errorf("no %q in\n%s", line, b.String())
		}
	}
}

func ExampleRun() {
	documents := []truth.Document{{Name: "one", Type: truth.DeliveryOrder, Fields: truth.Fields{"do_number": "DO7", "trucker": truth.Company{Name: "IRON MULE CARTAGE"}}}}
	report := Run(documents, func([]byte) (Answer, error) {
		return Answer{Type: truth.DeliveryOrder, Confidence: 0.9, Fields: []Field{{Name: "do_number", Value: "DO-7"}}}, nil
	})
	fmt.Println(report.All.Accuracy(), report.All.Fields.Precision(), report.All.Fields.Recall())
	// Output: 1 1 0.5
}
