package classify

import (
	"fmt"
	"testing"

	"github.com/landfallhq/tracking"
)

func TestDates(t *testing.T) {
	american, european := numbers{monthFirst: true}, numbers{}
	for _, c := range []struct {
		how  numbers
		say  string
		want string
	}{
		{european, "2026-03-04", "2026-03-04"},
		{european, "2026/3/4 16:00", "2026-03-04T16:00"},
		{european, "04 MAR 2026", "2026-03-04"},
		{european, "4 maart 2026", "2026-03-04"},
		{european, "4-Mar-26", "2026-03-04"},
		{european, "4th of March, 2026", "2026-03-04"},
		{european, "Mar 04, 2026 1600 HRS", "2026-03-04T16:00"},
		{european, "March 4, 2026 at 4:30 PM", "2026-03-04T16:30"},
		{european, "12:05 AM", ""},
		{european, "04.03.2026", "2026-03-04"},
		{european, "04/03/2026", "2026-03-04"},
		{american, "04/03/2026", "2026-04-03"},
		{american, "04.03.2026", "2026-03-04"},
		{american, "25/03/2026", "2026-03-25"},
		{european, "03/25/26", "2026-03-25"},
		{european, "14 de marzo de 2026", "2026-03-14"},
		{european, "31 FEB 2026", ""},
		{european, "2026年8月5日", "2026-08-05"},
		{european, "2026 年 8 月 5 日 16:00", "2026-08-05T16:00"},
		{european, "99/99/2026", ""},
		{european, "IN ABOUT 30 DAYS", ""},
		{european, "", ""},
	} {
		if got, _, _ := c.how.date(c.say); got != c.want {
			t.Errorf("%q, month first %v: %q, want %q", c.say, c.how.monthFirst, got, c.want)
		}
	}
}

func TestDecimals(t *testing.T) {
	point, comma := numbers{}, numbers{comma: true}
	for _, c := range []struct {
		how       numbers
		say, want string
	}{
		{point, "1,250.50", "1250.5"}, {point, "1,250", "1250"}, {point, "1.250", "1.25"}, {point, "1.250,50", "1250.5"}, {point, "12,5", "12.5"},
		{comma, "1.250", "1250"}, {comma, "1.250,50", "1250.5"}, {comma, "12,500", "12.5"}, {comma, "1,250.50", "1250.5"},
		{point, "1 250", "1250"}, {point, "3 589,200", "3589.2"}, {point, "1.250.000", "1250000"}, {point, "0.50", "0.5"}, {point, "000", "0"}, {point, "12A", ""}, {point, ".", ""}, {point, "1.2.3,4.5", ""},
	} {
		if got, _ := c.how.decimal(c.say); got != c.want {
			t.Errorf("%q, comma %v: %q, want %q", c.say, c.how.comma, got, c.want)
		}
	}
}

func TestQuantities(t *testing.T) {
	for _, c := range []struct {
		say, bare string
		volume    bool
		want      tracking.Quantity
	}{
		{"18,250.50 KGS", "", false, tracking.Quantity{Value: 18250.5, Unit: "kg"}},
		{"40,234.5 lbs", "", false, tracking.Quantity{Value: 40234.5, Unit: "lb"}},
		{"18250", "kg", false, tracking.Quantity{Value: 18250, Unit: "kg"}},
		{"18250", "", false, tracking.Quantity{}},
		{"18250 KGS 67.5 CBM", "", true, tracking.Quantity{Value: 67.5, Unit: "m3"}},
		{"67.5 m³", "", true, tracking.Quantity{Value: 67.5, Unit: "m3"}},
		{"2,383 CU.FT", "", true, tracking.Quantity{Value: 2383, Unit: "ft3"}},
		{"20 CARTONS", "kg", false, tracking.Quantity{}},
		{"1,314 CBM", "", true, tracking.Quantity{Value: 1314, Unit: "m3"}},
		{"2,640 CBM", "", true, tracking.Quantity{Value: 2640, Unit: "m3"}},
		{"1,314.13 CBM", "", true, tracking.Quantity{Value: 1314.13, Unit: "m3"}},
	} {
		if got, _ := (numbers{}).quantity(c.say, c.bare, c.volume); got != c.want {
			t.Errorf("%q: %v, want %v", c.say, got, c.want)
		}
	}
}

func TestUnitsAreNoQuantities(t *testing.T) {
	for say, want := range map[string]string{"VOLUME (M3) 18.98": "18.98 m3", "M3 60.6": "60.6 m3", "M3": ""} {
		q, ok := numbers{}.quantity(say, "m3", true)
		if got := fmt.Sprintf("%v %s", q.Value, q.Unit); ok != (want != "") || ok && got != want {
			t.Errorf("%s is read as %s, %v", say, got, ok)
		}
	}
}

func TestPlaces(t *testing.T) {
	for say, want := range map[string]string{
		"SHANGHAI": "CNSHA", "Shanghai, China": "CNSHA", "CNSHA": "CNSHA", "CNSHA SHANGHAI": "CNSHA", "SHANGHAI (CNSHA)": "CNSHA", "CN SHA": "CNSHA",
		"LOS ANGELES, CA": "USLAX", "Port of Los Angeles": "USLAX", "NEW YORK, NY, USA": "USNYC", "HO CHI MINH CITY, VIETNAM": "VNSGN", "Antwerpen": "BEANR", "MÜNCHEN": "DEMUC",
		"VALENCIA, SPAIN": "ESVLC", "TOTAL": "", "NOWHERE AT ALL": "", "": "",
	} {
		if got, _ := place(say); got != want {
			t.Errorf("%q: %q, want %q", say, got, want)
		}
	}
}

func TestContainerNumbers(t *testing.T) {
	for say, want := range map[string]string{
		"CSQU3054383": "CSQU3054383", "CSQU 305438-3": "CSQU3054383", "CSQU305438-3": "CSQU3054383", "CSQU 305438 3": "CSQU3054383", "CSQU 305 438 3": "CSQU3054383", "(CSQU3054383/40HC)": "CSQU3054383",
		"CSQU3054384": "", "CSQU30543831": "", "CSQX3054383": "",
	} {
		got := ""
		if all, _ := containersIn(say); len(all) > 0 {
			got = all[0]
		}
		if got != want {
			t.Errorf("%q: %q, want %q", say, got, want)
		}
	}
}

func TestSizes(t *testing.T) {
	for say, want := range map[string]string{
		"40HC": "40HC", "40' HC": "40HC", "45G1": "40HC", "40' HIGH CUBE": "40HC", "40HQ": "40HC", "L5G1": "45HC", "20' DRY": "20GP", "22G1": "20GP", "20DV": "20GP", "1X40' DV STC": "40GP", "40'HIGHCUBE": "40HC",
		"40' HIGH CUBE REEFER": "40RH", "45R1": "40RH", "40RF": "40RF", "20' OPEN TOP": "20OT", "40FR": "40FR", "FORTY": "", "20": "",
	} {
		if got := sizeType(say); got != want {
			t.Errorf("%q: %q, want %q", say, got, want)
		}
	}
}

func TestVesselsWithVoyages(t *testing.T) {
	for say, want := range map[string][2]string{
		"CAPE HERON / 123E": {"CAPE HERON", "123E"}, "CAPE HERON 123E": {"CAPE HERON", "123E"}, "MV CAPE HERON V.123E": {"CAPE HERON", "123E"}, "CAPE HERON/123E": {"CAPE HERON", "123E"},
		"CAPE HERON VOY 0AB1MA": {"CAPE HERON", "0AB1MA"}, "CAPE HERON": {"CAPE HERON", ""}, "CAPE HERON / 1391-013W": {"CAPE HERON", "1391013W"},
	} {
		s, _ := newLayout(t.Context(), tracking.DocumentText{Pages: []tracking.TextPage{{Width: 600, Height: 800, Words: printed(say)}}})
		all := splitVoyage(s.lines[0].words)
		voyage, _ := all["voyage"].normal.(string)
		if all["vessel"].value != want[0] || voyage != want[1] {
			t.Errorf("%q: %q and %q, want %q", say, all["vessel"].value, voyage, want)
		}
	}
}

// printed sets words in one line, with usual blanks.
func printed(s string) (words []tracking.TextWord) {
	x := 50.0
	var word []rune
	end := func() {
		if len(word) > 0 {
			words = append(words, tracking.TextWord{Text: string(word), Box: tracking.TextBox{Left: x, Right: x + 5*float64(len(word)), Top: 100, Bottom: 110}})
			x += 5*float64(len(word)) + 3
			word = nil
		}
	}
	for _, r := range s {
		if r == ' ' {
			end()
			continue
		}
		word = append(word, r)
	}
	end()
	return words
}
