package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/source/sandbox"
)

// trackedSheet: track this sheet. The carrier is the sandbox: it answers that a booking is
// cancelled without any fact, so that the request fails.
var trackedSheet = officeTask{name: "3 track this sheet", history: func(o *office) {
	o.sandbox = true
	o.at("2026-06-10T15:59Z", func(h history) { // the sandbox is asked every five seconds
		h.define("po", "buyer")
		for series := range 2 {
			tracked := []int{11}
			if !h.acme { // who may track the numbers that Acme does not track yet
				tracked = []int{1, 2, 9}
			}
			for _, row := range tracked {
				o.must(errorOf(h.CreateTrackingRequest(o.t.Context(), tracking.NewTrackingRequest{Number: sheetNumber(series, row), Type: tracking.BillOfLading, SCAC: sandbox.SCAC})))
			}
		}
	})
}, do: func(t *testing.T, o *office) {
	ann, dora := o.signIn(t, "Ann"), o.signIn(t, "Dora")
	for series, file := range [2]func(*testing.T, [][]string) string{workbook, germanCSV} {
		o.trackSheet(t, ann, dora, series, file(t, sheetRows(series)))
	}
}}

// sheetNumber is the bill of lading of a row of the sheet; the sheet has two series.
func sheetNumber(series, row int) string {
	switch row {
	case 8:
		return "TEST-TR-CANCELLED" // in both: a failed request does not keep its number
	case 10:
		row = 1
	}
	return fmt.Sprintf("TEST-VOYAGE-AT-SEA-%d", 30*(1+series)+row)
}

// sheetRows are the rows of the sheet with its headings.
func sheetRows(series int) [][]string {
	rows := [][]string{{"B/L no.", "Carrier", "Our order", "Buyer"}}
	for n := 1; n <= 12; n++ {
		carrier, order := sandbox.SCAC, fmt.Sprintf("PO-%04d", 100*(1+series)+n)
		switch n {
		case 9:
			carrier = ""
		case 12:
			order = "7781"
		}
		rows = append(rows, []string{sheetNumber(series, n), carrier, order, "Müller"})
	}
	return rows
}

func workbook(t *testing.T, rows [][]string) string {
	t.Helper()
	f, path := excelize.NewFile(), filepath.Join(t.TempDir(), "list.xlsx")
	for i, cells := range rows {
		if err := f.SetSheetRow("Sheet1", fmt.Sprintf("A%d", i+1), &cells); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.SaveAs(path); err != nil {
		t.Fatal(err)
	}
	return path
}

// germanCSV is a sheet as Excel writes it in Germany.
func germanCSV(t *testing.T, rows [][]string) string {
	t.Helper()
	text := "sep=;\r\n"
	for _, cells := range rows {
		text += strings.Join(cells, ";") + "\r\n"
	}
	path := filepath.Join(t.TempDir(), "list.csv")
	if err := os.WriteFile(path, bytes.ReplaceAll([]byte(text), []byte("ü"), []byte{0xfc}), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// trackSheet does the task with a file.
func (o *office) trackSheet(t *testing.T, ann, dora *clerk, series int, file string) {
	t.Helper()
	acme, ctx := o.acme(), t.Context()
	requests := func(numbers ...string) []*tracking.TrackingRequest {
		list, _, err := acme.TrackingRequests(ctx, tracking.TrackingRequestQuery{}, tracking.Page{})
		o.must(err)
		var found []*tracking.TrackingRequest
		for _, r := range list {
			for _, number := range numbers {
				if r.RequestNumber == number || number == "" {
					found = append(found, r)
				}
			}
		}
		return found
	}
	before := len(requests(""))
	ann.begin()
	ann.follow("Track")
	ann.file("CSV or Excel file", file)
	ann.press("Check Track a sheet")
	ann.sees("not recognised")
	ann.choose("Our order", "Purchase order")
	ann.press("Check")
	ann.sees("9 will be tracked, 3 will not")
	for n := 1; n <= 12; n++ {
		row := ann.sheetRow(n)
		want := []string{sheetNumber(series, n), "Müller", "Can be tracked"}
		switch n {
		case 9:
			want = append(want, sandbox.SCAC, "found by its number")
		case 10:
			want[2] = "Repeats line"
		case 11:
			want[2] = "already exists"
		case 12:
			want[2] = "7781"
		}
		for _, text := range want {
			if !strings.Contains(row, text) {
				t.Errorf("row %d does not show %q: %s", n, text, row)
			}
		}
		if n >= 10 && strings.Contains(row, "Can be tracked") {
			t.Errorf("row %d: %s", n, row)
		}
	}
	if now := len(requests("")); now != before {
		t.Fatalf("%d requests were made before she confirms", now-before)
	}
	ann.sends("Track 9 numbers")
	ann.press("Track 9 numbers") // twice, which tracks once
	ann.sees("of 12 rows are done")
	ann.becomes("12 of 12 rows are done")
	ann.becomes("Booking cancelled")
	ann.done()
	for n := 1; n <= 9; n++ {
		want := "Tracked"
		if n == 8 {
			want = "Failed Booking cancelled"
		}
		ann.sheetRowBecomes(n, want)
	}
	ann.reopens(dora, "12 of 12 rows are done", "Booking cancelled", "Müller")
	dora.open("/")
	dora.follow("Failed requests")
	if row := dora.row(sheetNumber(series, 8)); !strings.Contains(row, "Booking cancelled") {
		t.Errorf("from Today the request of row 8: %s", row)
	}

	made := requests("")
	if len(made) != before+9 {
		t.Errorf("%d requests were made, want 9", len(made)-before)
	}
	for n := 1; n <= 9; n++ {
		list := requests(sheetNumber(series, n))
		if len(list) != 1 && (n != 8 || len(list) != 1+series) {
			t.Errorf("row %d has %d requests", n, len(list))
			continue
		}
		if n == 8 {
			if list[0].Status != tracking.RequestFailed || list[0].FailedReason != "booking_cancelled" {
				t.Errorf("row 8: %+v", list[0])
			}
			continue
		}
		if list[0].Status != tracking.RequestCreated || list[0].SCAC != sandbox.SCAC {
			t.Errorf("row %d: %+v", n, list[0])
			continue
		}
		for slug, want := range map[string]string{"po": fmt.Sprintf(`"PO-%04d"`, 100*(1+series)+n), "buyer": `"Müller"`} {
			if f, err := acme.CustomFieldOf(ctx, tracking.Entity{Type: tracking.ShipmentEntity, ID: list[0].TrackedObject}, slug); err != nil || string(f.Value) != want {
				t.Errorf("row %d: %s is %+v, not %s: error %v", n, slug, f, want, err)
			}
		}
	}
	acme.audited(t, "Ann", "tracking_request.")

	// Sent again, the sheet has nothing left to track but the number whose request has failed.
	ann.open("/track")
	ann.file("CSV or Excel file", file)
	ann.press("Check Track a sheet")
	ann.choose("Our order", "Purchase order")
	ann.press("Check")
	ann.sees("1 will be tracked, 11 will not")
	ann.open("/track")
	if now := len(requests("")); now != before+9 {
		t.Errorf("sent again, the sheet makes %d requests", now-before)
	}
}

// sheetRow is the text of a row of the sheet, counted without the headings.
func (c *clerk) sheetRow(n int) string {
	c.t.Helper()
	return evaluate[string](c, fmt.Sprintf(`([...document.querySelectorAll("tbody tr")][%d] || {innerText: ""}).innerText.replace(/\s+/g, " ")`, n-1))
}

func (c *clerk) sheetRowBecomes(n int, want string) {
	c.t.Helper()
	eventually(c.t, patience, func() error {
		if row := c.sheetRow(n); !strings.Contains(row, want) {
			return fmt.Errorf("row %d does not become %q: %s", n, want, row)
		}
		return nil
	})
}
