package classify

import (
	"fmt"
	"strings"
	"testing"

	"github.com/landfallhq/tracking"
)

// boxed adds a drawn table to a page: rows of cells, whose lines are divided by "/ ". The texts
// of a cell are centred in the height of its row; in a form they begin at its top.
func boxed(p *tracking.TextPage, top float64, form bool, rows ...string) {
	const width, leading, size = 120.0, 10.0, 8.0
	table := 1
	for _, c := range p.Cells {
		table = c.Table + 1
	}
	for n, row := range rows {
		cells := strings.Split(row, "|")
		most := 1
		for _, text := range cells {
			most = max(most, len(strings.Split(text, "/ ")))
		}
		height := float64(most)*leading + 6
		for k, text := range cells {
			left := 30 + width*float64(k)
			p.Cells = append(p.Cells, tracking.TextCell{Box: tracking.TextBox{Left: left, Top: top, Right: left + width, Bottom: top + height}, Table: table, Row: n + 1, Column: k + 1, Rows: 1, Columns: 1})
			lines := strings.Split(text, "/ ")
			y := top + 4
			if !form {
				y = top + (height-leading*float64(len(lines)))/2
			}
			for _, line := range lines {
				x := left + 3
				for _, w := range strings.Fields(line) {
					right := x + 0.5*size*float64(len(w))
					p.Words = append(p.Words, tracking.TextWord{Text: w, Box: tracking.TextBox{Left: x, Top: y, Right: right, Bottom: y + size}, Cell: len(p.Cells)})
					x = right + 3
				}
				y += leading
			}
		}
		top += height
	}
}

func fieldsOfPage(t *testing.T, typ string, p tracking.TextPage) tracking.DocumentFields {
	t.Helper()
	fields, err := New().Fields(t.Context(), tracking.DocumentFile{}, tracking.DocumentText{Pages: []tracking.TextPage{p}}, typ)
	if err != nil {
		t.Fatal(err)
	}
	return fields
}

// A text that wraps makes its row higher, and figures stand in the middle of it: they are of
// this row, however near the next one is.
func TestRowsAreDrawn(t *testing.T) {
	p := tracking.TextPage{Width: 800, Height: 800}
	boxed(&p, 100, false,
		"Container/ number|Seal no.|Description of goods|Packages|Gross weight/ (kg)",
		"MSKU6011672|ML4711|GARDEN CHAIRS OF STEEL,/ POWDER COATED, WITH/ CUSHIONS|120|4,310.5",
		"HLBU7170615/ 40HC|ML4712|LAMPS|85|2,990.0",
		"MAEU5996283|ML4713|TOWELS OF COTTON,/ BLEACHED|7|99.0",
	)
	containers, _ := fieldsOfPage(t, "arrival_notice", p).Get("containers")
	var got []string
	for _, row := range containers.Rows {
		var cells []string
		for _, name := range []string{"number", "seal", "packages", "gross_weight"} {
			c, _ := row.Get(name)
			cells = append(cells, fmt.Sprint(c.Normal))
		}
		got = append(got, strings.Join(cells, " "))
	}
	want := []string{"MSKU6011672 ML4711 120 {4310.5 kg}", "HLBU7170615 ML4712 85 {2990 kg}", "MAEU5996283 ML4713 7 {99 kg}"}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("rows\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// A value is in the box of its caption, or in the one next to it. An empty box has none, whatever
// is below it.
func TestValuesInBoxes(t *testing.T) {
	p := tracking.TextPage{Width: 800, Height: 800}
	boxed(&p, 100, true,
		"Shipper/ ADRIA TRADING LLC/ 14 PIER ROAD|B/L No./ MEDUAB123456",
		"Pre-carriage by/ FEEDER ONE|Place of receipt/  ",
		"Vessel/ CORAL WIND|Port of loading/ Hamburg",
	)
	boxed(&p, 300, false, "Port of discharge|Santos", "Place of delivery|Antwerp", "Voyage no.|045E")
	holds(t, fieldsOfPage(t, "bill_of_lading", p), map[string]any{
		"shipper": "ADRIA TRADING LLC\n14 PIER ROAD", "bl_number": "MEDUAB123456", "vessel": "CORAL WIND", "port_of_lading": "DEHAM",
		"place_of_receipt": nil, "port_of_discharge": "BRSSZ", "place_of_delivery": "BEANR", "voyage": "045E",
	})
}

// A number with its caption behind the value of a box is no part of that value, though it is as large.
func TestNumbersBehindValues(t *testing.T) {
	p := tracking.TextPage{Width: 800, Height: 800}
	boxed(&p, 100, true, "Last free day/ 05/17/2026", "Terminal/ Pier A", "Trucker/ ANVIL LLC 90744", "Deliver to/ GRIFFIN LLC 90810", "Vessel/ CORAL WIND", "B/L No./ MEDUAB123456", "House B/L/ PAFSHA2609650")
	for i := range p.Words {
		if w := &p.Words[i]; int(w.Box.Top-104)%26 == 0 {
			w.Box.Bottom -= 3
		}
	}
	setAt(&p, 95, 114, 8, "PICKUP NO. 10397")
	for i := range p.Words[len(p.Words)-3:] {
		p.Words[len(p.Words)-3+i].Cell = 1
	}
	holds(t, fieldsOfPage(t, "delivery_order", p), map[string]any{"last_free_day": "2026-05-17", "pickup_number": "10397"})
}

// Texts of several lines stand next to figures in their middle, also where no row is drawn: a
// line belongs to the row that it is nearer to.
func TestTextAboveItsFigures(t *testing.T) {
	p := tracking.TextPage{Width: 800, Height: 800}
	y := 100.0
	for _, row := range []string{"Description|Cartons|Net weight kg|Gross weight kg", "", "GARDEN CHAIRS OF STEEL|||", "POWDER COATED|120|4,000.5|4,310.5", "WITH CUSHIONS|||", "", "TOWELS OF COTTON|||", "BLEACHED|7|90.0|99.0", "IN BAGS|||"} {
		for k, text := range strings.Split(row, "|") {
			setAt(&p, 40+150*float64(k), y, 8, text)
		}
		y += 9
	}
	lines, _ := fieldsOfPage(t, "packing_list", p).Get("lines")
	var got []string
	for _, row := range lines.Rows {
		d, _ := row.Get("description")
		w, _ := row.Get("gross_weight")
		got = append(got, fmt.Sprint(d.Normal, w.Normal))
	}
	if want := "[GARDEN CHAIRS OF STEEL POWDER COATED WITH CUSHIONS{4310.5 kg} TOWELS OF COTTON BLEACHED IN BAGS{99 kg}]"; fmt.Sprint(got) != want {
		t.Errorf("%v, want %s", got, want)
	}
}

func TestContainersUnderAnyTitle(t *testing.T) {
	fields := fieldsOf(t, "bill_of_lading", 8,
		"Konnossement Nr. ZK-88123", "", "",
		"Nummer|Siegel|Packstücke|Bruttogewicht|m3", "",
		"MSKU6011672|HLD324111|939|11.737,5|54,46", "",
		"HLBU7170615|HLD324112|12|23.184|8,10",
	)
	containers, _ := fields.Get("containers")
	if len(containers.Rows) != 2 {
		t.Fatalf("%d rows", len(containers.Rows))
	}
	if w, _ := containers.Rows[1].Get("gross_weight"); fmt.Sprint(w.Normal) != "{23184 kg}" {
		t.Errorf("the weight is %v", w.Normal)
	}
}

func TestNumbersInHeads(t *testing.T) {
	for text, want := range map[string]map[string]any{
		"Ankunftsavis Nr. HV-033342": {"notice_number": "HV033342"},
		"Arrival notice NO 62911888": {"notice_number": "62911888"},
		"ARRIVAL NOTICE UO-157755":   {"notice_number": "UO157755"},
		"Cargo of MEDUYY736342":      {"notice_number": nil, "bl_number": "MEDUYY736342"},
		"We await the vessel N HV-3": {"notice_number": nil},
	} {
		holds(t, fieldsOf(t, "arrival_notice", 8, text, "", "", "Vessel: CORAL WIND", "", "Voyage: 045E"), want)
	}
}

func TestFiguresBehindUnits(t *testing.T) {
	raise := []tracking.TextWord{{Text: "m", Box: tracking.TextBox{Left: 10, Right: 16, Top: 10, Bottom: 18}}, {Text: "3", Box: tracking.TextBox{Left: 16, Right: 19, Top: 8, Bottom: 13}}, {Text: "3", Box: tracking.TextBox{Left: 40, Right: 44, Top: 10, Bottom: 18}}}
	if got := raised(raise); len(got) != 2 || got[0].Text != "m3" || got[1].Text != "3" {
		t.Errorf("words %v", got)
	}
	for text, want := range map[string]float64{"20 680 kg": 20680, "1 250": 1250, "38,9 mc": 38.9} {
		if q, ok := (numbers{comma: true}).quantity(text, "kg", strings.HasSuffix(text, "mc")); !ok || q.Value != want {
			t.Errorf("%s is %v", text, q)
		}
	}
}

// TestManyFigures: a figure is compared with its neighbours, not with every word of the page.
// Otherwise this would run for minutes.
func TestManyFigures(t *testing.T) {
	words := make([]tracking.TextWord, 200_000)
	for i := range words {
		words[i] = tracking.TextWord{Text: "3", Box: tracking.TextBox{Right: 5, Bottom: 10}}
	}
	if got := raised(words); len(got) != len(words) {
		t.Errorf("%d words of %d", len(got), len(words))
	}
}
