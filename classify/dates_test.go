package classify_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/classify"
)

// TestOrderOfDates reads dates in figures where something decides their order, and where
// nothing does.
func TestOrderOfDates(t *testing.T) {
	classifier := classify.New()
	const notice = "ARRIVAL NOTICE\nVessel: MSC ANNA\nShipper: ACME LTD\n"
	for name, c := range map[string]struct {
		lines       string
		eta         string
		alternative []any
	}{
		"nothing":        {"ETA: 05/08/2026", "2026-08-05", []any{"2026-05-08"}},
		"points":         {"ETA: 05.08.2026", "2026-08-05", nil},
		"another date":   {"ETA: 05/08/2026\nLast free day: 05/21/2026", "2026-05-08", nil},
		"name of a day":  {"ETA: Fri 05/08/2026", "2026-05-08", nil},
		"departure":      {"ETD: 07/09/2026\nETA: 08/05/2026", "2026-08-05", nil},
		"free time":      {"ETA: 07/08/2026\nLast free day: 11 July 2026", "2026-07-08", nil},
		"order in both":  {"ETD: 01/02/2026\nETA: 03/04/2026", "2026-04-03", []any{"2026-03-04"}},
		"another tongue": {"Fecha de la nota\nLos contenedores del buque\nPara retirar el contenedor\nETA: 05/08/2026", "2026-08-05", nil},
	} {
		t.Run(name, func(t *testing.T) {
			of := "arrival_notice"
			if strings.Contains(c.lines, "ETD") {
				of = "booking_confirmation"
			}
			fields, err := classifier.Fields(context.Background(), tracking.DocumentFile{}, printed(notice+c.lines), of)
			if err != nil {
				t.Fatal(err)
			}
			f, _ := fields.Get("eta")
			if f.Normal != c.eta || !slices.Equal(f.Alternatives, c.alternative) || (len(f.Alternatives) > 0) != (f.Confidence < 0.85) {
				t.Errorf("got %v or %v, confidence %v", f.Normal, f.Alternatives, f.Confidence)
			}
		})
	}
}

// TestPlaceAndDate reads the place and date of issue without captions.
func TestPlaceAndDate(t *testing.T) {
	classifier := classify.New()
	for _, line := range []string{"Hamburg, den 05.08.2026", "Hamburg, 5 August 2026"} {
		fields, err := classifier.Fields(context.Background(), tracking.DocumentFile{}, printed("BILL OF LADING\n\n\n\n"+line), "bill_of_lading")
		if err != nil {
			t.Fatal(err)
		}
		day, _ := fields.Get("issue_date")
		if at, _ := fields.Get("issue_place"); day.Normal != "2026-08-05" || at.Normal != "DEHAM" {
			t.Errorf("%s: %v at %v", line, day.Normal, at.Normal)
		}
	}
}

// printed is a page of A4 with these lines, in letters of one width.
func printed(text string) tracking.DocumentText {
	page := tracking.TextPage{Width: 595, Height: 842}
	for i, line := range strings.Split(text, "\n") {
		left, top := 50.0, 60+20*float64(i)
		for _, w := range strings.Fields(line) {
			right := left + 5*float64(len(w))
			page.Words = append(page.Words, tracking.TextWord{Text: w, Box: tracking.TextBox{Left: left, Top: top, Right: right, Bottom: top + 10}})
			left = right + 4
		}
	}
	return tracking.DocumentText{Pages: []tracking.TextPage{page}}
}
