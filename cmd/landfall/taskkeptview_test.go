package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/browser"
	"github.com/xuri/excelize/v2"

	"github.com/landfallhq/tracking"
)

// keptView: keep a view for every morning.
var keptView = officeTask{name: "9 keep a view for every morning", history: func(o *office) {
	o.at("2026-06-08T08:00Z", func(h history) {
		h.define("buyer", "remark")
		for i, row := range []struct{ arrival, buyer, remark string }{
			{"2026-06-11", "Müller", "call before"}, {"2026-06-12", "Müller", "=1+1"}, {"2026-06-13", "Müller", ""}, {"2026-06-12", "Meyer", ""}, {"2026-06-17", "Müller", ""}, {"2026-06-12", "", ""}, {"2026-06-12", "Müller", ""},
		} {
			number := viewedNumber(i + 1)
			h.report(number, []string{boxNumber(1100 + i)}, `
				actual load CNSHA 2026-05-10T10:00 ship=Lyra
				actual depart CNSHA 2026-05-11T10:00 ship=Lyra
				estimated arrive NLRTM `+row.arrival+`T12:00 ship=Lyra`)
			entity := tracking.Entity{Type: tracking.ShipmentEntity, ID: h.shipment(number).ID}
			for slug, value := range map[string]string{"buyer": row.buyer, "remark": row.remark} {
				if value == "" {
					continue
				}
				raw, err := tracking.FieldJSON(value)
				o.must(err)
				o.must(errorOf(h.SetCustomField(o.t.Context(), tracking.NewCustomField{Entity: entity, APISlug: slug, Value: raw})))
			}
		}
	})
	o.at("2026-06-09T08:00Z", func(h history) {
		if h.acme {
			o.must(errorOf(h.by("Ben").StopTracking(o.t.Context(), h.shipment(viewedNumber(7)).ID)))
		}
	})
}, do: func(t *testing.T, o *office) {
	one, two, three := viewedNumber(1), viewedNumber(2), viewedNumber(3)
	others := []string{viewedNumber(4), viewedNumber(5), viewedNumber(6), viewedNumber(7), "MAEUF"}
	ann := o.signIn(t, "Ann")
	ann.begin()
	ann.follow("Shipments")
	ann.unfold("Filters and columns")
	ann.choose("Estimated arrival in a period", "This week")
	ann.choose("Tracking", "Tracked")
	ann.tick("Remark")
	ann.write("Buyer", "Müller")
	ann.enter()
	ann.follow("Estimated arrival", "Containers") // the heading: sorted by it
	ann.sees("3 shipments", one, two, three)
	ann.write("Name of the view", "Müller this week")
	ann.enter()
	ann.sees("Müller this week", "3 shipments", "Remark", one, "call before", two, "=1+1", three)
	ann.seesNot(others...)
	ann.done()
	view := ann.path()

	ben := o.signIn(t, "Ben")
	ben.begin()
	ben.follow("Müller this week")
	ben.sees("Müller this week", "3 shipments", one, two, three)
	ben.seesNot(others...)
	ben.open(ben.path() + "&size=2")
	ben.sees("1–2 of 3")
	workbook := ben.downloads("Excel", ".xlsx")
	ben.done()
	rows := readWorkbook(t, workbook)
	headings := ben.columns()
	if len(rows) != 4 || !slices.Equal(rows[0], headings) || !slices.Contains(headings, "Remark") {
		t.Fatalf("the columns are %q, and the file has %q", headings, rows)
	}
	arrival, remark := slices.Index(headings, "Estimated arrival"), slices.Index(headings, "Remark")
	for i, want := range [][3]string{{one, "2026-06-11 12:00 UTC+2", "call before"}, {two, "2026-06-12 12:00 UTC+2", "=1+1"}, {three, "2026-06-13 12:00 UTC+2", ""}} {
		if got := [3]string{rows[i+1][0], rows[i+1][arrival], rows[i+1][remark]}; got != want {
			t.Errorf("row %d of the file is %q, not %q", i+1, got, want)
		}
	}
	ben.open(strings.Replace(view, "size=2", "", 1))
	ben.unfold("Filters and columns")
	ben.write("Buyer", "Meyer")
	ben.enter()
	ben.sees("The view stays as it is", viewedNumber(4))
	ann.begin()
	ann.follow("Müller this week")
	ann.sees("3 shipments", one, two, three)
	ann.seesNot(others...)

	ann.begin()
	ann.open("/shipments?tracking_stopped=true")
	ann.tick("Only I see it")
	ann.write("Name of the view", "What ended")
	ann.enter()
	ann.sees("What ended")
	ann.seesOwn(t, "What ended")
	acme := o.acme()
	list, err := acme.by("Ann").Views().List(t.Context())
	o.must(err)
	for _, v := range list {
		if v.Owner != o.users["Ann"].ID || v.Shared != (v.Name == "Müller this week") || v.Name == "Müller this week" && strings.Contains(v.Parameters, "2026-06") {
			t.Errorf("the view is %+v", v)
		}
	}
	if len(list) != 2 {
		t.Errorf("%d views", len(list))
	}
	acme.audited(t, "Ann", "view.create")
	for _, name := range []string{"Ben", "Dora", "Eve"} {
		other := o.signIn(t, name)
		other.begin()
		other.seesNot("What ended")
		for _, v := range list {
			other.open("/views/" + v.ID.String())
			if shared := v.Shared && name != "Eve"; shared {
				other.sees(v.Name, "3 shipments", one)
			} else {
				other.seesNot(v.Name, one)
				other.sees("not found")
			}
		}
	}
	o.signIn(t, "Dora").offersNoView(t, view)
}, later: func(t *testing.T, o *office) {
	o.later("2026-06-15T08:00Z")
	for _, name := range []string{"Ben", "Ann"} {
		c := o.signIn(t, name)
		c.begin()
		c.follow("Müller this week")
		c.sees("1 shipment", viewedNumber(5))
		c.seesNot(viewedNumber(1), viewedNumber(2), viewedNumber(3), viewedNumber(7))
	}
}}

func viewedNumber(n int) string { return fmt.Sprintf("MAEUK%04d", n) }

// seesOwn checks that a view stands on Today as the user's own.
func (c *clerk) seesOwn(t *testing.T, name string) {
	t.Helper()
	c.open("/")
	c.sees(name, "only you")
}

// offersNoView checks that a view cannot be changed by who may only look.
func (c *clerk) offersNoView(t *testing.T, view string) {
	t.Helper()
	c.open(view)
	c.sees("Müller this week")
	for _, button := range []string{"Save the view", "Keep", "Delete this view"} {
		if evaluate[bool](c, element("button", button, nil)+` !== null`) {
			t.Errorf("%s is offered %q", c.name, button)
		}
	}
}

// downloads follows a link to a file, and returns it.
func (c *clerk) downloads(link, extension string) []byte {
	c.t.Helper()
	dir := c.t.TempDir()
	c.do("keep downloads", browser.SetDownloadBehavior(browser.SetDownloadBehaviorBehaviorAllow).WithDownloadPath(dir))
	c.activate("link", link, nil)
	var data []byte
	eventually(c.t, patience, func() error {
		files, err := filepath.Glob(filepath.Join(dir, "*"+extension))
		if err == nil && len(files) != 1 {
			err = fmt.Errorf("%d files", len(files))
		}
		if err == nil {
			data, err = os.ReadFile(files[0])
		}
		return err
	})
	c.looked()
	return data
}

// columns are the headings of the list.
func (c *clerk) columns() []string {
	c.t.Helper()
	return evaluate[[]string](c, `[...document.querySelectorAll("table.list thead th")].filter(h => !h.querySelector(".hidden")).map(h => h.innerText.replace(/[↑↓↕]/g, "").trim())`)
}

// readWorkbook returns the rows of a workbook as a spreadsheet program shows them. It may have no
// formula.
func readWorkbook(t *testing.T, data []byte) [][]string {
	t.Helper()
	f, err := excelize.OpenReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	name := f.GetSheetName(0)
	rows, err := f.GetRows(name)
	if err != nil {
		t.Fatal(err)
	}
	for y, row := range rows {
		for len(rows[y]) < len(rows[0]) { // empty cells at the end
			rows[y] = append(rows[y], "")
		}
		for x := range row {
			cell, err := excelize.CoordinatesToCellName(x+1, y+1)
			if err != nil {
				t.Fatal(err)
			}
			if formula, err := f.GetCellFormula(name, cell); err != nil || formula != "" {
				t.Errorf("%s has the formula %q, error %v", cell, formula, err)
			}
		}
	}
	return rows
}
