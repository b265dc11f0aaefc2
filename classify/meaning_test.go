package classify

import (
	"slices"
	"strings"
	"testing"

	"github.com/landfallhq/tracking"
)

// TestMeanings: each line has captions of one meaning, and no two lines the same.
func TestMeanings(t *testing.T) {
	lines := map[string][]string{}
	for _, said := range []string{
		"B/L No.; Bill of Lading Number; B/L #; BOL nbr",
		"House B/L No.; HBL number; House Bill of Lading Nr.",
		"No. of original B(s)/L; Number of Original Bills of Lading",
		"Port of Loading; LOADING PORT; Port of lading; P.O.L.; Load port; POL",
		"Port of Discharge; Discharging port; Port of unlading; POD",
		"Place of Delivery; Delivery place",
		"Delivery date",
		"Vessel; Name of vessel; Vessel's name; VSL",
		"Vessel / Voyage No.; Voyage number and vessel; VSL/VOY #",
		"Gross Weight; G.W. (kgs); Weight, gross; GROSS WT KG",
		"Net weight; N.W.; Nett weight (KGS)",
		"No. of packages; Number of pkgs; NO. & KIND OF PACKAGES",
		"Package No.; Pkg #",
		"VGM cut-off; VGM closing date/time; Deadline VGM",
		"ETA; Estimated time of arrival; Expected arrival; Date of arrival",
		"Shipper; Shipper (full name and address)",
		"Shipper's ref.",
		"Invoice date; Date of invoice",
		"Invoice No.; Invoice number; Inv. Nr.",
	} {
		for _, c := range strings.Split(said, ";") {
			c = strings.NewReplacer("#", "No", "(", " ", ")", " ").Replace(strings.ReplaceAll(c, "B(s)/L", "BSL"))
			m := meaning(pieces(c))
			if !slices.Contains(lines[m], said) {
				lines[m] = append(lines[m], said)
			}
			if other := meaning(pieces(strings.NewReplacer("#", "No", "(", " ", ")", " ").Replace(strings.ReplaceAll(strings.Split(said, ";")[0], "B(s)/L", "BSL")))); m != other {
				t.Errorf("%q means %q, %q means %q", strings.Split(said, ";")[0], other, c, m)
			}
		}
	}
	for m, said := range lines {
		if len(said) > 1 {
			t.Errorf("%q is what all these mean: %q", m, said)
		}
	}
}

// setAt sets words in one line from a place on, in a size.
func setAt(page *tracking.TextPage, x, y, size float64, s string) {
	for _, w := range strings.Fields(s) {
		right := x + 0.5*size*float64(len([]rune(w)))
		page.Words = append(page.Words, tracking.TextWord{Text: w, Box: tracking.TextBox{Left: x, Right: right, Top: y, Bottom: y + size}})
		x = right + 0.3*size
	}
}

// TestCaptionsOfTwoLines: a caption that goes on below leads to the value below both.
func TestCaptionsOfTwoLines(t *testing.T) {
	page := tracking.TextPage{Width: 600, Height: 800}
	setAt(&page, 50, 100, 7, "Place of")
	setAt(&page, 50, 108, 7, "receipt")
	setAt(&page, 50, 118, 9, "SHANGHAI")
	setAt(&page, 200, 100, 7, "Port of")
	setAt(&page, 200, 108, 7, "discharge")
	setAt(&page, 200, 118, 9, "HAMBURG")
	fields, err := New().Fields(t.Context(), tracking.DocumentFile{}, tracking.DocumentText{Pages: []tracking.TextPage{page}}, "bill_of_lading")
	if err != nil {
		t.Fatal(err)
	}
	receipt, _ := fields.Get("place_of_receipt")
	discharge, _ := fields.Get("port_of_discharge")
	if receipt.Normal != "CNSHA" || discharge.Normal != "DEHAM" {
		t.Errorf("%v and %v", receipt.Normal, discharge.Normal)
	}
}

func TestWhereCaptionsEnd(t *testing.T) {
	// Each caption with its values, in one cell that strokes part.
	holds(t, fieldsOf(t, "packing_list", 8,
		"Invoice: FA 26-2207 — Date: 8 July 2026 — Your purchase order of our sales department: PO-90331, as agreed with you",
		"Total packages: 18,750 m3",
	), map[string]any{"invoice_number": "FA262207", "issue_date": "2026-07-08", "packages": nil})
	// In brackets that the line above opens is no caption.
	holds(t, fieldsOf(t, "bill_of_lading", 8, "Description of goods (as declared by the", "shipper)", "RATTAN BASKETS"), map[string]any{"shipper": nil})
	// Boards on pallets are goods, and not what is on board.
	holds(t, fieldsOf(t, "house_bill_of_lading", 8, "Description of goods", "FIBRE CEMENT BOARDS ON PALLETS"), map[string]any{"description": "FIBRE CEMENT BOARDS ON PALLETS"})
	// A stroke without captions on both sides is part of a value.
	holds(t, fieldsOf(t, "packing_list", 8, "Marks: AML — PUSAN"), map[string]any{"marks": "AML — PUSAN"})
}

// A wide space within a caption does not end it, and what brackets say decides.
func TestWideCaptions(t *testing.T) {
	for _, test := range []struct {
		document, title string
		want            map[string]any
	}{
		{"customs_entry", "B/L or AWB", map[string]any{"bl_number": "HLCUUAB8399818455"}},
		{"house_bill_of_lading", "DOCUMENT NUMBER (MASTER B/L)", map[string]any{"bl_number": "HLCUUAB8399818455", "hbl_number": nil}},
	} {
		p := tracking.TextPage{Width: 600, Height: 800}
		setAt(&p, 40, 100, 8, test.title)
		if test.document == "customs_entry" {
			setAt(&p, p.Words[len(p.Words)-1].Box.Right+6, 100, 8, "Number")
		}
		setAt(&p, 40, 112, 8, "HLCUUAB83998 18455")
		fields, err := New().Fields(t.Context(), tracking.DocumentFile{}, tracking.DocumentText{Pages: []tracking.TextPage{p}}, test.document)
		if err != nil {
			t.Fatal(err)
		}
		holds(t, fields, test.want)
	}
}

// Values right above the titles of a table are no part of them, and titles are no goods.
func TestLinesAtTables(t *testing.T) {
	goods := printedAt("40|100|BED LINEN PRINTED COTTON", "40|110|HS CODE 6302.21", "40|120|Container No. / Type", "300|120|Packages", "450|120|Gross weight",
		"40|130|MSKU6011672 / 40HC", "300|130|143 CARTONS", "450|130|15931.41 KGS")
	places := printedAt("40|100|Port of discharge", "200|100|Place of delivery", "400|100|Freight payable", "40|110|HAMBURG, GERMANY", "200|110|MUNICH, GERMANY", "400|110|FREIGHT PREPAID",
		"40|120|Marks and numbers", "200|120|Number and kind of packages", "400|120|Gross weight", "500|120|Measurement",
		"40|130|MSKU6011672", "200|130|143 CARTONS", "400|130|15931.41 KGS", "500|130|37.96 CBM")
	for _, test := range []struct {
		page tracking.TextPage
		want map[string]any
	}{
		{goods, map[string]any{"description": "BED LINEN PRINTED COTTON\nHS CODE 6302.21"}},
		{places, map[string]any{"port_of_discharge": "DEHAM", "place_of_delivery": "DEMUC"}},
	} {
		fields, err := New().Fields(t.Context(), tracking.DocumentFile{}, tracking.DocumentText{Pages: []tracking.TextPage{test.page}}, "bill_of_lading")
		if err != nil {
			t.Fatal(err)
		}
		holds(t, fields, test.want)
	}
}

func TestTextBesideTables(t *testing.T) {
	// A figure that is wider than its title ends no description.
	page := printedAt("30|100|Container No.", "130|100|Description of goods", "260|100|Gross weight", "30|115|MSKU6011672", "130|115|ROLLER BEARINGS FOR SHIPS", "246|115|16,204.00 KGS")
	holds(t, fieldsOfPage(t, "sea_waybill", page), map[string]any{"description": "ROLLER BEARINGS FOR SHIPS"})
	// A line of values in a form is no title of the table below it.
	page = printedAt("33|128|PARTICULARS FURNISHED", "270|128|Weight", "390|128|Measurement", "33|136|Packages; Container No./Seal No.", "33|149|MRKU4162723 40 DRY 8'6 880 BAGS", "270|149|22,440 KGS")
	boxed(&page, 100, true, "Port of loading/ Rotterdam|Port of discharge/ Baltimore")
	holds(t, fieldsOfPage(t, "sea_waybill", page), map[string]any{"port_of_lading": "NLRTM", "port_of_discharge": "USBAL"})
}

func TestAddressesAroundTheirCaption(t *testing.T) {
	page := printedAt("30|105|Shipper", "150|100|MERSIN BOARDS A.S.", "150|110|Tarsus, Turkiye", "30|129|Consignee", "150|124|LEVANT BUILD SAE", "150|134|Port Said, Egypt", "30|150|Vessel", "150|150|EVER LUMEN")
	holds(t, fieldsOfPage(t, "sea_waybill", page), map[string]any{
		"shipper": "MERSIN BOARDS A.S.\nTarsus, Turkiye", "consignee": "LEVANT BUILD SAE\nPort Said, Egypt", "vessel": "EVER LUMEN",
	})
}

// TestForeignCaptions: what is set as all captions of a paper are ends a value, though
// no type knows it.
func TestForeignCaptions(t *testing.T) {
	page := tracking.TextPage{Width: 600, Height: 800}
	for i, p := range [][2]string{{"Vessel", "CAPE HERON"}, {"Voyage", "123E"}, {"Port of loading", "SHANGHAI"}, {"B/L No.", "MAEU123456789"}, {"Booking No.", "987654321"}, {"Date of issue", "2026-03-04"}} {
		x := 50 + 180*float64(i%3)
		y := 100 + 40*float64(i/3)
		setAt(&page, x, y, 6, p[0])
		setAt(&page, x, y+9, 9, p[1])
	}
	setAt(&page, 50, 190, 6, "Shipper")
	setAt(&page, 50, 199, 9, "KESTREL FOODS INC.")
	setAt(&page, 50, 210, 6, "Merchant's wharf mark")
	setAt(&page, 50, 219, 9, "BLUE ANCHOR 77")
	setAt(&page, 300, 190, 9, "2026-05-06 7788 9900 MSKU1234565")
	fields, err := New().Fields(t.Context(), tracking.DocumentFile{}, tracking.DocumentText{Pages: []tracking.TextPage{page}}, "bill_of_lading")
	if err != nil {
		t.Fatal(err)
	}
	if shipper, _ := fields.Get("shipper"); shipper.Normal != "KESTREL FOODS INC." {
		t.Errorf("%q", shipper.Normal)
	}
}

// TestPartiesEndAtContacts: who somebody is ends where how to reach him begins.
func TestPartiesEndAtContacts(t *testing.T) {
	for said, want := range map[string]string{
		"KESTREL FOODS INC.|12 DOCK STREET|TEL. +1 201 555 0100":         "KESTREL FOODS INC.|12 DOCK STREET",
		"KESTREL FOODS INC.|12 DOCK STREET, LEEDS Phone: 0113 496|UK":    "KESTREL FOODS INC.|12 DOCK STREET, LEEDS",
		"KESTREL FOODS INC.|12 DOCK STREET|VAT GB123|import@kestrel.com": "KESTREL FOODS INC.|12 DOCK STREET",
		"PHONE HOUSE LTD|12 CELL STREET":                                 "PHONE HOUSE LTD|12 CELL STREET",
	} {
		page := tracking.TextPage{Width: 600, Height: 800}
		for i, line := range strings.Split(said, "|") {
			setAt(&page, 50, 100+11*float64(i), 9, line)
		}
		s, err := newLayout(t.Context(), tracking.DocumentText{Pages: []tracking.TextPage{page}})
		if err != nil {
			t.Fatal(err)
		}
		var words []*word
		for _, l := range s.lines {
			words = append(words, l.words...)
		}
		if got := strings.ReplaceAll(sayLines(trimParty(words)), "\n", "|"); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
