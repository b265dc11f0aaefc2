package form_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

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

// TestWritten holds how values are printed that only some layouts ask for.
func TestWritten(t *testing.T) {
	day := time.Date(2026, 5, 4, 0, 0, 0, 0, time.UTC)
	months := strings.Fields("ENE FEB MAR ABR MAY JUN JUL AGO SEP OCT NOV DIC")
	var printed []string
	all, err := build(func(f *form.Form) {
		f.Page("A4")
		f.Style.Day, f.Style.Upper, f.Style.Months, f.Style.Thousands, f.Style.Point = "2 de January de 2006", false, months, ".", ","
		row := f.Row("containers")
		printed = append(printed, f.Day("issue_date", day), row.Tonnes("gross_weight", 18250.4))
		for f.Style.Gap = 4; f.Style.Gap < 7; f.Style.Gap++ {
			printed = append(printed, f.Container("", "CSQU3054383"))
		}
	})
	want := []string{"4 de MAY de 2026", "18,250 MT", "CSQU 305438/3", "CSQU-305438-3", "CSQU 305 438 3"}
	if err != nil || !slices.Equal(printed, want) {
		t.Errorf("%q, want %q; error %v", printed, want, err)
	}
	if got := fmt.Sprint(all[0].Fields); got != "map[containers:[map[gross_weight:18250 kg]] issue_date:2026-05-04]" {
		t.Error(got)
	}
}

// TestInColumns holds that cells stay within their columns.
func TestInColumns(t *testing.T) {
	if _, err := build(func(f *form.Form) {
		f.Page("A4")
		stops := []float64{12, 60, 110, 198}
		f.Heads(20, 7, stops, "lrl", "GOODS", "PACKAGES", "MARKS")
		y := f.Spread(25, 9, stops, "lrl", strings.Repeat("PIER ", 12), strings.Repeat("9", 40), "N/M")
		y = f.Cells(12, y+2, 12, []float64{60, 60}, [2]string{"VESSEL", strings.Repeat("STAR ", 14)}, [2]string{"VOYAGE", "026S"})
		f.Below(12, y+2, 50, 9, strings.Repeat("QUAY ", 14), "TERMINAL")
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
