package classify

import (
	"fmt"
	"strings"
	"testing"

	"github.com/landfallhq/tracking"
)

// TestPrintedForms has how papers print what the rules read, each in its smallest form.
func TestPrintedForms(t *testing.T) {
	for name, test := range map[string]struct {
		typ  string
		rows []string // see fieldsOf
		want map[string]any
	}{
		"a ship with its voyage right behind it": {"bill_of_lading", []string{"Ocean vessel|Port of loading", "BREMEN SPARROW 678W|LA SPEZIA"},
			map[string]any{"vessel": "BREMEN SPARROW", "voyage": "678W", "port_of_lading": "ITSPE"}},
		"a voyage with a letter among its figures": {"bill_of_lading", []string{"Ocean vessel|Port of loading", "BREMEN SPARROW 09S9N|LA SPEZIA"},
			map[string]any{"vessel": "BREMEN SPARROW", "voyage": "09S9N"}},
		"captions that share a cell": {"bill_of_lading", []string{"Vessel CAP LENA Voyage 485E|Port of loading SANTOS Port of discharge LEIXOES", "", "B/L No.|MEDU1234567"},
			map[string]any{"vessel": "CAP LENA", "voyage": "485E", "port_of_lading": "BRSSZ", "port_of_discharge": "PTLEI"}},
		"a carrier by its name":              {"arrival_notice", []string{"Naviera|HMM CO., LTD.", "", "Buque|CAP LENA"}, map[string]any{"scac": "HDMU"}},
		"the code behind the carrier's name": {"arrival_notice", []string{"Carrier / SCAC:|YANG MING / YMLU"}, map[string]any{"scac": "YMLU"}},
		"an operator that is no line":        {"house_bill_of_lading", []string{"SCAC:|QXYZ"}, map[string]any{"scac": "QXYZ"}},
		"a name and address in one line": {"arrival_notice", []string{"To: KESTREL FOODS LTD., 12 DOCK STREET, HULL HU1 1AA, UNITED KINGDOM"},
			map[string]any{"consignee": "KESTREL FOODS LTD., 12 DOCK STREET, HULL HU1 1AA, UNITED KINGDOM"}},
		"weights that look like a partnership": {"arrival_notice", []string{"HARBOUR LINE LTD", "", "", "The units are as follows, with their weights", "", "23,227.72 kg", "18,428.47 kg", "21,017.45 kg"},
			map[string]any{"consignee": nil}},
		"a carrier in another script":            {"arrival_notice", []string{"船公司：|中远海运", "", "SCAC:|$"}, map[string]any{"scac": nil}},
		"a name that begins as that of a line":   {"arrival_notice", []string{"Carrier:|ONE STOP LOGISTICS"}, map[string]any{"scac": nil}},
		"conditions for freight":                 {"bill_of_lading", []string{"OCEAN FREIGHT COLLECT UNLESS STATED TO BE PREPAID ON THE FACE OF THIS BILL.", "Where freight prepaid is not marked the carrier has a lien on all of the goods."}, map[string]any{"freight_terms": nil}},
		"a part of one":                          {"packing_list", []string{"Total packages:|0.125"}, map[string]any{"packages": nil}},
		"all of twenty":                          {"packing_list", []string{"Total packages:|20/20"}, map[string]any{"packages": int64(20)}},
		"a party with a semicolon":               {"bill_of_lading", []string{"Shipper:|ACME LTD, DOCK 4; Hall 7, HAMBURG"}, map[string]any{"shipper": "ACME LTD, DOCK 4; Hall 7, HAMBURG"}},
		"a voyage of many figures":               {"bill_of_lading", []string{"Vessel:|SANTA ELVIRA 0TX7NE1MA"}, map[string]any{"vessel": "SANTA ELVIRA", "voyage": "0TX7NE1MA"}},
		"free time in a remark":                  {"arrival_notice", []string{"Mercadoria: LED CEILING LAMPS 24W. Free time até 05/03/2026."}, map[string]any{"last_free_day": "2026-03-05"}},
		"titles of columns for freight":          {"bill_of_lading", []string{"Freight and charges|Amount|Prepaid|Collect", "", "FREIGHT COLLECT"}, map[string]any{"freight_terms": "collect"}},
		"an hour below its date":                 {"booking_confirmation", []string{"CY closing:|12 May 2026", "|20:00"}, map[string]any{"cy_cutoff": "2026-05-12T20:00"}},
		"a haulier whose name ends as a caption": {"delivery_order", []string{"INLAND CARRIER|PICK UP AT", "COPPERLINE TRUCKING CO.|WEST BASIN TERMINALS", "51 CENTRAL AVE|FIRMS: W291"}, map[string]any{"trucker": "COPPERLINE TRUCKING CO.\n51 CENTRAL AVE"}},
		"freight in a sentence":                  {"bill_of_lading", []string{"Laden on board the vessel 2026-03-02 in apparent good order. OCEAN FREIGHT PREPAID."}, map[string]any{"freight_terms": "prepaid"}},
		"a count with a point between thousands": {"packing_list", []string{"Total packages:|1.291"}, map[string]any{"packages": int64(1291)}},
		"a list with semicolons": {"packing_list", []string{"TOTAL: Cartons 400; Net weight (kg) 4,672.5; Gross weight (kg) 5,046.4; Volume (m3) 18.98"},
			map[string]any{"net_weight": tracking.Quantity{Value: 4672.5, Unit: "kg"}, "gross_weight": tracking.Quantity{Value: 5046.4, Unit: "kg"}}},
		"a number behind the title": {"commercial_invoice", []string{"Commercial Invoice|#67695"}, map[string]any{"invoice_number": "67695"}},
	} {
		t.Run(name, func(t *testing.T) { holds(t, fieldsOf(t, test.typ, 8, test.rows...), test.want) })
	}
}

// Number and size of booked containers may have a caption each; what is in them is no number of theirs.
func TestBookedContainers(t *testing.T) {
	for rows, want := range map[string]string{
		"Number of containers:|2/Container type:|40HC":                                                   "2 40HC;",
		"Container type:|40HC/Pieces:|1200":                                                              "",
		"No. of containers:|2/Container type:|40HC/No. of containers:|3/Container type:|20GP":            "2 40HC;3 20GP;",
		"Number of containers:|2/Vessel:|CAP LENA/Voyage:|12E/ETA:|2026-05-12/Remarks:|Type:/Type:|40HC": "",
	} {
		equipment, _ := fieldsOf(t, "booking_confirmation", 8, strings.Split(rows, "/")...).Get("equipment")
		got := ""
		for _, row := range equipment.Rows {
			quantity, _ := row.Get("quantity")
			size, _ := row.Get("size_type")
			got += fmt.Sprintf("%v %v;", quantity.Normal, size.Normal)
		}
		if got != want {
			t.Errorf("%s is read as %q, want %q", rows, got, want)
		}
	}
}

func TestCountriesOfOrigin(t *testing.T) {
	for value, sure := range map[string]bool{"Italy": true, "ESPAÑA": true, "criterion": false} {
		got, _ := fieldsOf(t, "certificate_of_origin", 8, "Country of origin:|"+value).Get("country_of_origin")
		if got.Confidence > 0.85 != sure {
			t.Errorf("%s has the confidence %v", value, got.Confidence)
		}
	}
}

// Boxes of small captions hold values in larger type, though their words are captions elsewhere.
func TestValuesThatLookLikeCaptions(t *testing.T) {
	p := tracking.TextPage{Width: 800, Height: 800}
	for i, cell := range []string{"CARGO LOCATION|PORT NEWARK CONTAINER/TERMINAL", "ETA|12 MAY 2026", "FIRMS|E365", "LAST FREE DAY|20 MAY 2026", "NOTICE DATE|10 MAY 2026", "MASTER B/L|MEDU1234567", "VOYAGE|326E"} {
		caption, value, _ := strings.Cut(cell, "|")
		x := 40 + 100*float64(i)
		first := len(p.Words)
		setAt(&p, x, 60, 5, caption)
		for k, line := range strings.Split(value, "/") {
			setAt(&p, x, 70+11*float64(k), 8, line)
		}
		for k := range p.Words[first:] {
			p.Words[first+k].Cell = i + 1
		}
		p.Cells = append(p.Cells, tracking.TextCell{Table: 1, Row: 1, Column: i + 1, Rows: 1, Columns: 1, Box: tracking.TextBox{Left: x - 2, Top: 58, Right: x + 98, Bottom: 95}})
	}
	holds(t, fieldsOfPage(t, "arrival_notice", p), map[string]any{"terminal": "PORT NEWARK CONTAINER TERMINAL", "eta": "2026-05-12"})
}

// A column of values, each with its caption below it: the nearer caption is its own.
func TestCaptionsNearBelowValues(t *testing.T) {
	var cells []string
	y := 60.0
	for _, pair := range []string{"NKSN379299|house bill number", "Ningbo, China|port of loading", "Long Beach, CA|port of discharge", "Chicago, IL|place of delivery", "MAEU1234567|master bill of lading number", "31 MAR 2026|date of issue"} {
		value, caption, _ := strings.Cut(pair, "|")
		cells = append(cells, fmt.Sprintf("300|%v|%s", y, value), fmt.Sprintf("300|%v|%s", y+15, caption))
		y += 33
	}
	for i, line := range []string{"KESTREL ELECTRONICS CO., LTD.", "4/F, FUYONG PARK", "SHENZHEN 518103", "CHINA", "shipper"} {
		cells = append(cells, fmt.Sprintf("40|%v|%s", 62+14*i, line))
	}
	holds(t, fieldsOfPage(t, "house_bill_of_lading", printedAt(cells...)), map[string]any{
		"port_of_lading": "CNNGB", "port_of_discharge": "USLGB", "place_of_delivery": "USCHI", "shipper": "KESTREL ELECTRONICS CO., LTD.\n4/F, FUYONG PARK\nSHENZHEN 518103\nCHINA",
	})
}

// Containers outside of tables have seal and count in the order of their lines.
func TestLoadsWithoutTitles(t *testing.T) {
	for _, test := range []struct{ other, row, want string }{
		{"1,234.50 USD", "MSKU6011672|20RF|1797161|1,313|15,993.05 KGS|21.97 CBM", "MSKU6011672 1797161 20RF 1313 15993.05 kg 21.97 m3"},
		{"1,234.50 USD", "MSKU6011672|SITT164879|40'HQ|166 BALES|10,292.00 KGS", "MSKU6011672 SITT164879 40HC 166 10292 kg"},
		{"1,234.50 USD", "MSKU6011672|40' HIGH CUBE|1012418|1,308 pallets|25,207 kg", "MSKU6011672 1012418 40HC 1308 25207 kg"},
		{"14 713,2 kg", "MSKU6011672|40 200 CARTONS", "MSKU6011672 200"},
		{"14 713,2 kg", "MSKU6011672|40HC|0590748|1 057 colis|15 785 kg", "MSKU6011672 0590748 40HC 1057 15785 kg"},
	} {
		containers, _ := fieldsOf(t, "arrival_notice", 8, test.other, "", "", test.row).Get("containers")
		if got := rowsText(containers); got != test.want {
			t.Errorf("%s is read as %q, want %q", test.row, got, test.want)
		}
	}
}

// Charges right below the only row of a table of containers are none of its load.
func TestChargesBelowContainers(t *testing.T) {
	charges, _ := fieldsOf(t, "arrival_notice", 8,
		"CONTAINER|SEAL|PKGS|WEIGHT (KG)", "MSKU6011672|ML4711001|24|23,388.8", "CHARGES", "Port Service Charge|112.86 GBP", "Documentation|599.63 GBP", "TOTAL CHARGES|712.49 GBP",
	).Get("charges")
	if len(charges.Rows) != 2 {
		t.Errorf("%d charges: %v", len(charges.Rows), charges.Rows)
	}
}

// What refers to another paper is no title, a reply says nothing of its own paper, and a caption in a
// row of captions is none.
func TestNoTitles(t *testing.T) {
	for _, test := range []struct {
		cells  []string
		phrase string
	}{
		{[]string{"100|60|AS PER INVOICE"}, "INVOICE"},
		{[]string{"40|40|Subject: RE: booking request"}, "BOOKING REQUEST"},
		{[]string{"40|60|OCEAN BILL OF LADING", "240|60|HOUSE BILL OF LADING", "440|60|VESSEL / VOYAGE"}, "HOUSE BILL OF LADING"},
	} {
		s, err := newLayout(t.Context(), tracking.DocumentText{Pages: []tracking.TextPage{printedAt(test.cells...)}})
		if err != nil {
			t.Fatal(err)
		}
		if heading, _ := s.findPhrase(strings.Fields(test.phrase)); heading > 0 {
			t.Errorf("%s in %q is a title with %v", test.phrase, test.cells, heading)
		}
	}
}

// A company that calls itself a line is one, wherever its list is kept.
func TestIsLine(t *testing.T) {
	for name, want := range map[string]bool{"HELVORIA LINE": true, "NORDKAP CONTAINER LINE A/S": true, "KEYSTONE LINER AGENCIES INC.": false, "GULF LINE FORWARDING LTD": false, "BLUE LINE LOGISTICS": false, "LINE 4": false} {
		p := printedAt("40|40|" + name)
		s, err := newLayout(t.Context(), tracking.DocumentText{Pages: []tracking.TextPage{p}})
		if err != nil {
			t.Fatal(err)
		}
		if got := isLine(s.lines[0]); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestUnwrappedNumbers(t *testing.T) {
	var p tracking.TextPage
	setAt(&p, 40, 100, 8, "MSKU601167")
	setAt(&p, 140, 100, 8, "ML4711")
	setAt(&p, 40, 110, 8, "2")
	setAt(&p, 40, 130, 8, "HLBU717061") // its check digit would be 5
	setAt(&p, 40, 140, 8, "4")
	var got []string
	for _, w := range unwrapped(p.Words) {
		got = append(got, w.Text)
	}
	if want := "MSKU6011672 ML4711 HLBU717061 4"; strings.Join(got, " ") != want {
		t.Errorf("%s, want %s", strings.Join(got, " "), want)
	}
}

// A title with wide spaces between its words names the type, the titles of a table do not.
func TestSpreadTitles(t *testing.T) {
	for text, want := range map[string]bool{"BILL|OF|LADING": true, "BILL|OF|LADING|NO. 4711": false} {
		p := tracking.TextPage{Width: 800, Height: 800}
		for i, word := range strings.Split(text, "|") {
			setAt(&p, 200+80*float64(i), 40, 10, word)
		}
		s, err := newLayout(t.Context(), tracking.DocumentText{Pages: []tracking.TextPage{p}})
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := s.findPhrase([]string{"BILL", "OF", "LADING"}); got > 0 != want {
			t.Errorf("%s is a heading with %v", text, got)
		}
	}
}

// A description may end with its country of origin.
func TestOriginBehindDescription(t *testing.T) {
	lines, _ := fieldsOf(t, "commercial_invoice", 8, "Description|Quantity|Unit price|Amount", "CAST IRON VALVES C/O CN|10|5.00|50.00").Get("lines")
	if len(lines.Rows) != 1 {
		t.Fatalf("%d lines are read, want 1", len(lines.Rows))
	}
	description, _ := lines.Rows[0].Get("description")
	origin, _ := lines.Rows[0].Get("origin")
	if got := fmt.Sprintf("%v of %v", description.Normal, origin.Normal); got != "CAST IRON VALVES of CN" {
		t.Errorf("%q is read", got)
	}
}
