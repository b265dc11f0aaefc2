package classify

import (
	"slices"
	"strings"
	"testing"

	"github.com/landfallhq/tracking"
)

func TestMisreadWords(t *testing.T) {
	s := spellings()
	for p, want := range map[string]string{
		"SHLPPER": "SHIPPER", "VESSEI": "VESSEL", "N0TIFY": "NOTIFY", "DLSCHARGE": "DISCHARGE", "COMMERCIAI": "COMMERCIAL", "CONSLGNFE": "CONSIGNEE",
		"PORTOFLOADING": "PORT OF LOADING", "PACKINGLIST": "PACKING LIST", "CONTAINERNO": "CONTAINER NO", "HSCODE": "HS CODE", "OTY": "QTY", "LLC": "LLC", "DOES": "DOCS",
		"HAMBURG": "HAMBURG", "FRANCE": "FRANCE", "SPEDITION": "SPEDITION", "NETWORK": "NETWORK", "ISLAND": "ISLAND", "BUYERS": "BUYERS", "CHARGER": "CHARGER", "ETB": "ETB", "MSKU": "MSKU", "20260504": "20260504",
	} {
		if got := strings.Join(s.meant(p), " "); got != want {
			t.Errorf("%s: %s, want %s", p, got, want)
		}
	}
}

func TestMisreadNumbers(t *testing.T) {
	for text, want := range map[string]string{
		"CSQU3O54383": "CSQU3054383", "C5QU3054383": "CSQU3054383", "ICSQU3054383": "CSQU3054383", "ICSQU3054384": "ICSQU3054384", "CSQUA3054383": "CSQU3054383", "CS0QU3054383": "CSQU3054383", "CSQU30543833": "CSQU30543833", "2O26-O5-14": "2026-05-14", "l5.O3.2026": "15.03.2026", "4O,5OO.00": "40,500.00",
		"CSQU3054383": "CSQU3054383", "CSQU1111111": "CSQU1111111", "V3ISSO": "V3ISSO", "OOLU": "OOLU", "SI": "SI", "O1": "O1",
	} {
		if got := mendNumber(text); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
	// Two digits would make the check digit right.
	if got := mendContainer("CSQU3064388"); got != "" && !containerForm.MatchString(got) {
		t.Error(got)
	}
}

func TestMisreadVoyages(t *testing.T) {
	for text, want := range map[string]string{"O45E": "045E", "OZL2YE1MP": "0ZL2YE1MP", "1O2W": "102W", "55KON": "55K0N", "4I2N": "412N", "045E": "045E", "OCEAN": "OCEAN", "OM412W": "OM412W", "FO12": "FO12"} {
		if got := mendVoyage(text); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

func TestMisreadReferences(t *testing.T) {
	for name, want := range map[string]string{"seal": "RM07911", "hbl_number": "RM07911", "booking_number": "RMO7911"} {
		kind := tracking.FieldReference
		if name == "hbl_number" {
			kind = tracking.FieldHouseBL
		}
		if got := mendReference(&field{name: name, kind: kind}, "RMO7911"); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// page is a page of words in one line, each of letters that are six points wide, with a space of
// one letter between; words that begin with "+" touch the one before.
func page(recognized bool, words ...string) tracking.DocumentText {
	p := tracking.TextPage{Width: 600, Height: 800, Recognized: recognized}
	left := 40.0
	for _, w := range words {
		left += 6
		if text, ok := strings.CutPrefix(w, "+"); ok {
			left, w = left-5, text
		}
		right := left + 6*float64(len(w))
		p.Words = append(p.Words, tracking.TextWord{Text: w, Box: tracking.TextBox{Left: left, Top: 100, Right: right, Bottom: 106.6}})
		left = right
	}
	return tracking.DocumentText{Pages: []tracking.TextPage{p}}
}

func TestRecognizedWordsAreMended(t *testing.T) {
	for _, recognized := range []bool{true, false} {
		s, err := newLayout(t.Context(), page(recognized, "V", "+ESSEL", "CAPE", "HORN", "C5QU3054383"))
		if err != nil {
			t.Fatal(err)
		}
		words := s.lines[0].words
		mended := slices.Equal(s.lines[0].cells[0].pieces, []string{"VESSEL", "CAPE", "HORN", "CSQU3054383"}) && words[len(words)-1].Confidence == unsure
		if mended != recognized {
			t.Errorf("recognised %t: %q", recognized, s.lines[0].cells[0].pieces)
		}
	}
}

// Remains of lines and dust are no words, and no letters of the words that they touch.
func TestSpecksOfRecognizedPages(t *testing.T) {
	s, err := newLayout(t.Context(), page(true, "|", "\u201cCY", "CLOSING", "~", "[12|", "40\u2019", "HC\u2018", "_", "A/B", ":", "m?"))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := textOf(s.lines[0].words), "CY CLOSING 12 40\u2019 HC A/B : m\u00b3"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// Words are cut at drawn lines, numbers joined, and abbreviations and hyphens read as what they are.
func TestWordsOfRecognizedPages(t *testing.T) {
	s, err := newLayout(t.Context(), page(true, "total]1,240.00", "CSQU3054", "383", "G.0.", "INV—2026-0229"))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := strings.Join(piecesOf(s.lines[0].words), " "), "TOTAL 1 240 00 CSQU3054383 GO INV 2026 0229"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := textOf(s.lines[0].words), "total 1,240.00 CSQU3054383 G.0. INV-2026-0229"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// Numbers of boxes are no part of captions, also the last of a line and misread ones.
func TestNumbersOfBoxes(t *testing.T) {
	p := printedAt("40|100|2 Entry type", "150|100|TI. Import date", "300|100|14, Entry No.", "450|100|7 Entry date",
		"40|112|01 ABI", "150|112|10/04/2026", "300|112|9Q2-5463472-8", "450|112|10/15/2026")
	p.Recognized = true
	fields, err := New().Fields(t.Context(), tracking.DocumentFile{}, tracking.DocumentText{Pages: []tracking.TextPage{p}}, "customs_entry")
	if err != nil {
		t.Fatal(err)
	}
	holds(t, fields, map[string]any{"import_date": "2026-10-04", "entry_number": "9Q254634728", "entry_date": "2026-10-15"})
}

// What is likelier wrong than right is left out, but for numbers with a check digit.
func TestImprobableValues(t *testing.T) {
	p := printedAt("40|100|Vessel", "40|112|CAPE HORN", "300|100|Booking No.", "300|112|7788990011", "40|200|Container", "200|200|Seal No.", "40|215|CSQU3054383", "200|215|ML4711001")
	p.Recognized = true
	for i, w := range p.Words {
		switch w.Text {
		case "CAPE", "CSQU3054383", "ML4711001":
			p.Words[i].Confidence = 0.4
		case "7788990011":
			p.Words[i].Confidence = 0.6
		}
	}
	fields, err := New().Fields(t.Context(), tracking.DocumentFile{}, tracking.DocumentText{Pages: []tracking.TextPage{p}}, "bill_of_lading")
	if err != nil {
		t.Fatal(err)
	}
	containers, _ := fields.Get("containers")
	if got, want := rowsText(containers), "CSQU3054383"; got != want {
		t.Errorf("containers %q, want %q", got, want)
	}
	holds(t, fields, map[string]any{"vessel": nil, "booking_number": "7788990011"})
}

// A line right below a caption is its value on a recognised page, where heights are not sure.
func TestValuesOfRecognizedPages(t *testing.T) {
	p := printedAt("40|100|Shipper", "300|100|Voyage", "40|112|Hagenau maschinen", "300|112|O45E", "40|122|86153 Augsburg", "40|132|Germany",
		"40|200|Reihe", "200|200|Type", "300|200|Seal No.", "40|215|MSKU 6011672", "200|215|4561", "300|215|ML4711001")
	p.Recognized = true
	for i, w := range p.Words {
		if w.Text == "Hagenau" || w.Text == "maschinen" {
			p.Words[i].Box.Top += 1.5
		}
		if w.Text == "6011672" {
			p.Words[i].Box.Left, p.Words[i].Box.Right = w.Box.Left+8, w.Box.Right+8
		}
	}
	fields, err := New().Fields(t.Context(), tracking.DocumentFile{}, tracking.DocumentText{Pages: []tracking.TextPage{p}}, "bill_of_lading")
	if err != nil {
		t.Fatal(err)
	}
	shipper, _ := fields.Get("shipper")
	voyage, _ := fields.Get("voyage")
	containers, _ := fields.Get("containers")
	if got, want := shipper.Value, "Hagenau maschinen\n86153 Augsburg\nGermany"; got != want {
		t.Errorf("shipper %q, want %q", got, want)
	}
	if voyage.Normal != "045E" || voyage.Confidence > unsure {
		t.Errorf("voyage %v, %v", voyage.Normal, voyage.Confidence)
	}
	if got, want := rowsText(containers), "MSKU6011672 ML4711001 40HC"; got != want {
		t.Errorf("containers %q, want %q", got, want)
	}
}
