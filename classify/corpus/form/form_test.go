package form_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/landfallhq/tracking/classify/corpus/form"
	"github.com/landfallhq/tracking/classify/corpus/truth"
)

func build(draw func(*form.Form)) ([]truth.Document, error) {
	return form.Build("train", []form.Layout{{Name: "test", Type: truth.DeliveryOrder, Copies: 1, Draw: draw}})
}

// TestIllegible holds that a layout is refused that prints one text over another, or
// beyond the paper.
func TestIllegible(t *testing.T) {
	for _, c := range []struct {
		name, fault string
		draw        func(*form.Form)
	}{
		{"apart", "", func(f *form.Form) { f.Say(20, 20, 9, "", "DELIVERY"); f.Say(20, 24, 9, "", "ORDER") }},
		{"over another", `"ORDER" lies over "DELIVERY"`, func(f *form.Form) { f.Say(20, 20, 9, "", "DELIVERY"); f.Say(25, 21, 9, "", "ORDER") }},
		{"too wide", "is off the page", func(f *form.Form) { f.Say(190, 20, 12, "", "DELIVERY ORDER") }},
		{"too deep", "is off the page", func(f *form.Form) { f.Say(20, 296, 12, "", "DELIVERY ORDER") }},
		{"on an earlier page", "is off the page", func(f *form.Form) { f.Say(1, 20, 12, "", "DELIVERY"); f.Page("A4") }},
	} {
		_, err := build(func(f *form.Form) { f.Page("A4"); c.draw(f) })
		if got := fmt.Sprint(err); (err == nil) != (c.fault == "") || !strings.Contains(got, c.fault) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// TestFit holds that what is filled in grows smaller until it fits.
func TestFit(t *testing.T) {
	long := strings.Repeat("PIER ", 20)
	if _, err := build(func(f *form.Form) {
		f.Page("A4")
		f.Fill(20, 20, 170, 20, long)
		f.FillRight(200, 40, 190, 20, long)
		f.Label(20, 60, 5, 170, 12, "B", "A CAPTION THAT IS LONGER THAN ITS GAP", long)
		f.Captioned(20, 80, 30, 40, 6, long, "A VALUE BELOW")
	}); err != nil {
		t.Error(err)
	}
}

// A layout prints a field through the method that also puts it into the truth.
func Example() {
	documents, err := build(func(f *form.Form) {
		f.Page("A4")
		f.Say(12, 10, 16, "B", "DELIVERY ORDER")
		f.Box(12, 20, 60, 12, "Order No.", f.Number("do_number", "DO-4711"))
	})
	fmt.Println(documents[0].Name, documents[0].Fields, err)
	// Output: train-test-01 map[do_number:DO4711] <nil>
}
