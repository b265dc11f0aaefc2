package classify

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/landfallhq/tracking"
)

// printedAt is a page with cells "x|y|text".
func printedAt(cells ...string) tracking.TextPage {
	p := tracking.TextPage{Width: 800, Height: 800}
	for _, c := range cells {
		part := strings.SplitN(c, "|", 3)
		x, _ := strconv.ParseFloat(part[0], 64)
		y, _ := strconv.ParseFloat(part[1], 64)
		setAt(&p, x, y, 8, part[2])
	}
	return p
}

func TestContainerTables(t *testing.T) {
	titles := []string{"30|100|Container No.", "150|100|Seal No.", "250|100|Packages", "350|100|Gross Weight (kg)"}
	for name, test := range map[string]struct {
		pages []tracking.TextPage
		want  string
	}{
		"cells in the middle of their rows": {[]tracking.TextPage{printedAt(append(titles,
			"250|120|1,078", "30|125|MSKU6011672", "150|125|ML4711001", "350|125|4,310.5", "250|130|cartons",
			"250|145|2,120", "30|150|HLBU7170615", "150|150|ML4712002", "350|150|2,990.0", "250|155|cartons",
		)...)}, "MSKU6011672 ML4711001 1078 4310.5 kg; HLBU7170615 ML4712002 2120 2990 kg"},
		"cells at the bottom, figures of the next row near": {[]tracking.TextPage{printedAt(append(titles,
			"250|120|1,078", "30|130|MSKU6011672", "150|130|ML4711001", "250|130|cartons", "350|130|4,310.5",
			"250|142|2,120", "30|152|HLBU7170615", "150|152|ML4712002", "250|152|cartons", "350|152|2,990.0",
		)...)}, "MSKU6011672 ML4711001 1078 4310.5 kg; HLBU7170615 ML4712002 2120 2990 kg"},
		"a number in two lines": {[]tracking.TextPage{printedAt(append(titles,
			"30|120|MSKU", "30|130|6011672", "150|130|ML4711001", "250|130|12", "350|130|4,310.5",
			"30|145|HLBU", "30|155|7170615", "150|155|ML4712002", "250|155|13", "350|155|2,990.0",
		)...)}, "MSKU6011672 ML4711001 12 4310.5 kg; HLBU7170615 ML4712002 13 2990 kg"},
		"the container itself, and its packages in the load": {[]tracking.TextPage{printedAt(
			"30|100|Container No.", "150|100|Seal No.", "250|100|No. of pkgs", "350|100|Description of goods", "550|100|Gross Weight (kg)",
			"30|120|MSKU6011672", "150|120|ML4711001", "250|120|1", "350|120|40' HC STC 392 CARTONS", "550|120|4,310.5",
			"30|144|HLBU7170615", "150|144|ML4712002", "250|144|1", "350|144|40' HC STC 14 PALLETS", "550|144|2,990.0",
		)}, "MSKU6011672 ML4711001 40HC 392 4310.5 kg; HLBU7170615 ML4712002 40HC 14 2990 kg"},
		"a second page without titles": {[]tracking.TextPage{
			printedAt(append(titles, "30|120|MSKU6011672", "150|120|ML4711001", "250|120|12", "350|120|4,310.5")...),
			printedAt("30|40|Page 2", "30|60|HLBU7170615", "150|60|ML4712002", "250|60|13", "350|60|2,990.0"),
		}, "MSKU6011672 ML4711001 12 4310.5 kg; HLBU7170615 ML4712002 13 2990 kg"},
		"a sum between": {[]tracking.TextPage{printedAt(append(titles,
			"30|120|MSKU6011672", "150|120|ML4711001", "250|120|12", "350|120|4,310.5",
			"30|132|Subtotal", "250|132|12", "350|132|4,310.5",
			"30|144|HLBU7170615", "150|144|ML4712002", "250|144|13", "350|144|2,990.0",
			"30|156|Total", "250|156|25", "350|156|7,300.5",
		)...)}, "MSKU6011672 ML4711001 12 4310.5 kg; HLBU7170615 ML4712002 13 2990 kg"},
		"a sum far below the titles": {[]tracking.TextPage{printedAt(append(titles,
			"30|120|MSKU6011672", "150|120|ML4711001", "250|120|12", "350|120|4,310.5",
			"30|144|CSQU3054383", "150|144|ML4711002", "250|144|11", "350|144|4,100.5",
			"30|168|Subtotal", "250|168|23", "350|168|8,411",
			"30|192|HLBU7170615", "150|192|ML4712002", "250|192|13", "350|192|2,990.0",
		)...)}, "MSKU6011672 ML4711001 12 4310.5 kg; CSQU3054383 ML4711002 11 4100.5 kg; HLBU7170615 ML4712002 13 2990 kg"},
		"weights of empty containers": {[]tracking.TextPage{printedAt(
			"30|100|Container No.", "150|100|Seal No.", "350|100|Tare Weight",
			"30|120|MSKU6011672", "150|120|ML4711001", "350|120|3,750 kg",
		)}, "MSKU6011672 ML4711001"},
		"two titles as near as words": {[]tracking.TextPage{printedAt(
			"30|100|Weight kg Type", "150|100|Container No.",
			"30|120|4,310", "70|120|22G1", "150|120|MSKU6011672",
			"30|132|2,990", "70|132|45G1", "150|132|HLBU7170615",
		)}, "MSKU6011672 20GP 4310 kg; HLBU7170615 40HC 2990 kg"},
		"all titles in one run": {[]tracking.TextPage{printedAt(
			"30|100|Container No. Packages Tare (kg) Cubic Meters (m3)",
			"30|120|MSKU6011672", "90|120|1,881", "125|120|2,280", "170|120|32.2",
			"30|132|HLBU7170615", "90|132|2,077", "125|132|2,280", "170|132|33.1",
		)}, "MSKU6011672 1881 32.2 m3; HLBU7170615 2077 33.1 m3"},
		"a unit below its title, with the next title": {[]tracking.TextPage{printedAt(
			"30|100|Cargo weight", "150|100|Container No.", "30|110|KGS", "46|110|Temp",
			"22|122|10,375", "50|122|-18", "150|122|MSKU6011672",
			"22|134|11,156", "50|134|-18", "150|134|HLBU7170615",
		)}, "MSKU6011672 10375 kg; HLBU7170615 11156 kg"},
		"a volume that no container has": {[]tracking.TextPage{printedAt(
			"30|100|Container No.", "150|100|Packages", "250|100|Volume (m3)",
			"30|120|MSKU6011672", "150|120|1,881", "250|120|15,284",
		)}, "MSKU6011672 1881 15.284 m3"},
		"sizes under a title that says nothing": {[]tracking.TextPage{printedAt(
			"30|100|Model", "150|100|Container No.", "250|100|Packages",
			"30|120|HC40", "150|120|MSKU6011672", "250|120|12",
			"30|132|DV20", "150|132|HLBU7170615", "250|132|13",
		)}, "MSKU6011672 40HC 12; HLBU7170615 20GP 13"},
		"columns that their values name": {[]tracking.TextPage{printedAt(
			"30|100|Container No.", "150|100|Size", "250|100|Zeta", "350|100|Theta", "450|100|Kappa", "550|100|Sigma",
			"30|120|MSKU6011672", "150|120|40HC", "250|120|ML4711001", "350|120|412", "450|120|18,310.5", "550|120|44.25",
			"30|132|HLBU7170615", "150|132|20GP", "250|132|ML4712002", "350|132|398", "450|132|12,990.0", "550|132|28.70",
		)}, "MSKU6011672 ML4711001 40HC 412 18310.5 kg 44.25 m3; HLBU7170615 ML4712002 20GP 398 12990 kg 28.7 m3"},
		"two columns that may be the weight": {[]tracking.TextPage{printedAt(
			"30|100|Container No.", "150|100|Size", "250|100|Zeta", "350|100|Theta",
			"30|120|MSKU6011672", "150|120|40HC", "250|120|18,310.5", "350|120|17,800.0",
			"30|132|HLBU7170615", "150|132|20GP", "250|132|12,990.0", "350|132|12,500.0",
		)}, "MSKU6011672 40HC; HLBU7170615 20GP"},
		"figures to the right of their title": {[]tracking.TextPage{printedAt(append(titles, "520|100|CFT",
			"30|120|MSKU6011672", "150|120|ML4711001", "250|120|12", "350|120|4,310.5", "545|120|1,956",
		)...)}, "MSKU6011672 ML4711001 12 4310.5 kg 1956 ft3"},
		"remarks between": {[]tracking.TextPage{printedAt(append(titles,
			"30|120|MSKU6011672", "150|120|ML4711001", "250|120|12", "350|120|4,310.5",
			"250|132|ETA: 2026-05-14", "30|144|HLBU7170615", "150|144|ML4712002", "250|144|13", "350|144|2,990.0",
		)...)}, "MSKU6011672 ML4711001 12 4310.5 kg; HLBU7170615 ML4712002 13 2990 kg"},
		"a row again at the head of the next page": {[]tracking.TextPage{
			printedAt(append(titles, "30|120|MSKU6011672", "150|120|ML4711001", "250|120|12", "350|120|4,310.5")...),
			printedAt("30|60|MSKU6011672", "150|60|ML4711001", "250|60|12", "350|60|4,310.5", "30|72|HLBU7170615", "150|72|ML4712002", "250|72|13", "350|72|2,990.0"),
		}, "MSKU6011672 ML4711001 12 4310.5 kg; HLBU7170615 ML4712002 13 2990 kg"},
		"a row twice on a page": {[]tracking.TextPage{printedAt(append(titles,
			"30|120|MSKU6011672", "150|120|ML4711001", "250|120|12", "350|120|4,310.5",
			"30|132|MSKU6011672", "150|132|ML4711001", "250|132|12", "350|132|4,310.5",
		)...)}, "MSKU6011672 ML4711001 12 4310.5 kg; MSKU6011672 ML4711001 12 4310.5 kg"},
		"a volume in a line that no container has": {[]tracking.TextPage{printedAt("30|100|1 x 40' HC MSKU6011672 21,640.0 KGS 54,400 CBM")}, "MSKU6011672 40HC 21640 kg 54.4 m3"},
		"the only container, whose load has titles of its own": {[]tracking.TextPage{printedAt(
			"30|60|1 x 40' HC", "30|100|Marks", "150|100|Packages", "350|100|Gross Weight (kg)", "450|100|Measurement", "150|108|(19)", "350|108|(21)", "450|108|(22)",
			"30|120|CHC", "150|120|736 CTNS", "350|120|7,842.60", "450|120|66.120",
			"30|150|Container No.", "150|150|Seal No.", "30|165|MSKU6011672", "150|165|ML4711001",
		)}, "MSKU6011672 ML4711001 40HC 736 7842.6 kg 66.12 m3"},
		"sizes before numbers": {[]tracking.TextPage{printedAt(
			"30|100|1 x 40' HC MSKU6011672 / SEAL ML4711001", "30|120|1 x 20' DC HLBU7170615 / SEAL ML4712002",
		)}, "MSKU6011672 ML4711001 40HC; HLBU7170615 ML4712002 20GP"},
		"several loads": {[]tracking.TextPage{printedAt(
			"30|100|Marks", "150|100|Packages", "350|100|Gross Weight (kg)",
			"30|120|CHC", "150|120|736 CTNS", "350|120|7,842.60", "30|132|CHD", "150|132|12 CTNS", "350|132|842.60",
			"30|160|Container No.", "150|160|Seal No.", "30|175|MSKU6011672", "150|175|ML4711001",
		)}, "MSKU6011672 ML4711001"},
	} {
		fields, err := New().Fields(t.Context(), tracking.DocumentFile{}, tracking.DocumentText{Pages: test.pages}, "arrival_notice")
		if err != nil {
			t.Fatal(err)
		}
		containers, _ := fields.Get("containers")
		if got := rowsText(containers); got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

// TestContainersOfFewColumns: invoices and packing lists have no sizes or loads of containers.
func TestContainersOfFewColumns(t *testing.T) {
	titles := []string{"30|60|1 x 40' HC", "30|100|Marks", "150|100|Packages", "350|100|Gross Weight (kg)", "30|120|CHC", "150|120|736 CTNS", "350|120|7,842.60"}
	for typ, want := range map[string]string{"commercial_invoice": "MSKU6011672", "packing_list": "MSKU6011672 ML4711001"} {
		for _, container := range [][]string{
			{"30|150|Container No.", "150|150|Seal No.", "30|165|MSKU6011672", "150|165|ML4711001"},
			{"30|150|MSKU6011672 / SEAL ML4711001"},
		} {
			containers, _ := fieldsOfPage(t, typ, printedAt(append(container, titles...)...)).Get("containers")
			if got := rowsText(containers); got != want {
				t.Errorf("%s, %s: %q, want %q", typ, container[0], got, want)
			}
		}
	}
}

// TestRepeats: a row of a table is read once if it is printed again on the next page.
func TestRepeats(t *testing.T) {
	row := func(page int, name, normal string) tracking.DocumentFields {
		return tracking.DocumentFields{{Name: name, Normal: normal, Page: page}}
	}
	for _, c := range []struct {
		before, row tracking.DocumentFields
		want        bool
	}{
		{row(1, "number", "MSKU6011672"), row(2, "number", "MSKU6011672"), true},
		{row(1, "number", "MSKU6011672"), row(1, "number", "MSKU6011672"), false},
		{row(2, "number", "MSKU6011672"), row(1, "number", "MSKU6011672"), false},
		{row(1, "number", "MSKU6011672"), row(2, "number", "HLBU7170615"), false},
		{row(1, "size_type", "40HC"), row(2, "size_type", "40HC"), false},
		{nil, nil, false},
	} {
		if got := repeats(c.row, c.before); got != c.want {
			t.Errorf("%v and %v: %v", c.before, c.row, got)
		}
	}
}

// rowsText is the rows of a table as text: the normal forms of their cells.
func rowsText(table tracking.DocumentField) string {
	var rows []string
	for _, row := range table.Rows {
		var cells []string
		for _, c := range row {
			cells = append(cells, strings.Trim(fmt.Sprint(c.Normal), "{}"))
		}
		rows = append(rows, strings.Join(cells, " "))
	}
	return strings.Join(rows, "; ")
}
