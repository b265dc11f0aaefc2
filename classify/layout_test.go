package classify

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/landfallhq/tracking"
)

// spread are the letters of a text, each 5 points wide, with so much space between them and
// between words.
func spread(text string, between, words float64) (all []*word) {
	at := 0.0
	for _, part := range strings.Fields(text) {
		for _, letter := range part {
			all = append(all, &word{TextWord: tracking.TextWord{Text: string(letter), Box: tracking.TextBox{Left: at, Right: at + 5, Bottom: 10}}})
			at += 5 + between
		}
		at += words - between
	}
	return all
}

func TestLettersWithSpaces(t *testing.T) {
	for text, words := range map[string]float64{"NOTICE OF ARRIVAL": 8, "A B": 8, "NOTICEOFARRIVAL": 8} {
		want := text
		if text != "NOTICE OF ARRIVAL" {
			want = textOf(spread(text, 3, words)) // unknown where words begin, or a list of letters
		}
		if got := textOf(joined(spread(text, 3, words))); got != want {
			t.Errorf("%s is read as %q", text, got)
		}
	}
}

// The space between cells is wider on pages whose words stand wide apart.
func TestCellsOfWideType(t *testing.T) {
	var words []*word
	for i := range 60 {
		at := float64(i%6) * 40
		words = append(words, &word{TextWord: tracking.TextWord{Text: "SILVER", Box: tracking.TextBox{Left: at, Right: at + 31, Top: float64(20 * (i / 6)), Bottom: float64(20*(i/6) + 10)}}})
	}
	for _, l := range linesOf(words) {
		if len(l.cells) != 1 {
			t.Fatalf("a line of words 9 points apart has %d cells", len(l.cells))
		}
	}
}

func TestChinesePapers(t *testing.T) {
	holds(t, fieldsOf(t, "bill_of_lading", 8,
		"提单号：COSU6123456780|船名：CORAL WIND|航次：045E", "",
		"装货港：上海港|卸货港：汉堡", "",
		"签发日期：2026-05-14|正本份数：3",
	), map[string]any{
		"bl_number": "COSU6123456780", "vessel": "CORAL WIND", "voyage": "045E", "port_of_lading": "CNSHA", "port_of_discharge": "DEHAM", "issue_date": "2026-05-14", "originals": int64(3),
	})
}

// Titles of recognised pages are titles, though their letters are low.
func TestLowTitles(t *testing.T) {
	p := printedAt("40|60|COSCO SHIPPING LINES CO., LTD.", "40|120|Vessel: EVER MARLOW", "300|120|Voyage: 78J4N", "40|140|Shipper: KESTREL FOODS INC.", "40|160|Description: CANNED ASPARAGUS")
	setAt(&p, 200, 80, 6.4, "BILL OF LADING")
	for _, recognized := range []bool{true, false} {
		p.Recognized = recognized
		s, err := newLayout(t.Context(), tracking.DocumentText{Pages: []tracking.TextPage{p}})
		if err != nil {
			t.Fatal(err)
		}
		if heading, _ := s.findPhrase([]string{"BILL", "OF", "LADING"}); heading > 0 != recognized {
			t.Errorf("recognised %t: %v", recognized, heading)
		}
	}
}

// A title with wide spaces is a title.
func TestWideTitles(t *testing.T) {
	p := printedAt("200|60|BILL OF", "260|60|LADING", "40|120|Vessel: EVER MARLOW", "40|140|Shipper: KESTREL FOODS INC.", "40|160|Description: CANNED ASPARAGUS")
	s, err := newLayout(t.Context(), tracking.DocumentText{Pages: []tracking.TextPage{p}})
	if err != nil {
		t.Fatal(err)
	}
	if heading, said := s.findPhrase([]string{"BILL", "OF", "LADING"}); heading == 0 || !said {
		t.Errorf("heading %v, said %t", heading, said)
	}
}

// An invoice of charges, without goods, is one for freight, whatever its title says of tax.
func TestTaxInvoicesOfCharges(t *testing.T) {
	p := printedAt("40|40|Wexcombe Forwarding Ltd", "40|52|Trimley House, Dock Spur Road, Felixstowe IP11 3TG   VAT Reg. GB 800187759", "40|80|Thornley & Wick Ltd", "300|80|SALES INVOICE",
		"40|92|Prospect House, 9 Mill Lane", "300|92|Number: SI26-13463", "300|104|Tax point: 30/09/2026", "300|116|Due: 30/10/2026", "300|128|Job: IMP800187",
		"40|160|Details", "300|160|VAT", "440|160|GBP", "40|176|UK THC", "300|176|Z", "440|176|293.23", "40|190|Port Health Fee", "300|190|Z", "440|190|602.02", "40|204|Documentation", "300|204|S", "440|204|569.40",
		"300|232|Net", "440|232|1,464.65", "300|246|Invoice total", "440|246|GBP 1,464.65")
	got, err := New().Classify(t.Context(), tracking.DocumentFile{}, tracking.DocumentText{Pages: []tracking.TextPage{p}})
	if err != nil || got.Type != "freight_invoice" {
		t.Error(got, err)
	}
}

// A title may stand behind the company that issues the paper.
func TestTitlesBehindCompanies(t *testing.T) {
	for line, want := range map[string]bool{
		"CORRIVEAU GLOBAL LOGISTICS LLC - ARRIVAL NOTICE": true, "SEE OUR TERMS ON FREIGHT AND CHARGES - ARRIVAL NOTICE": false,
	} {
		p := printedAt("40|60|"+line, "40|120|Vessel: EVER MARLOW", "40|140|Shipper: KESTREL FOODS INC.", "40|160|Description: CANNED ASPARAGUS")
		s, err := newLayout(t.Context(), tracking.DocumentText{Pages: []tracking.TextPage{p}})
		if err != nil {
			t.Fatal(err)
		}
		if heading, _ := s.findPhrase([]string{"ARRIVAL", "NOTICE"}); heading > 0 != want {
			t.Errorf("%s: %v", line, heading)
		}
	}
}

// Conditions in small print on the back do not make captions of the face headings.
func TestConditionsOnTheBack(t *testing.T) {
	face := printedAt("40|40|Vessel", "40|50|CORAL WIND", "300|40|Port of discharge", "300|50|Santos", "40|70|Shipper", "40|80|KESTREL FOODS INC.", "40|90|14 PIER ROAD", "300|70|Place of delivery", "300|80|Antwerp", "40|120|Said to contain canned asparagus in cartons of twelve")
	back := tracking.TextPage{Width: 800, Height: 800}
	for i := range 60 {
		setAt(&back, 30, 40+6*float64(i), 4.5, strings.Repeat("the carrier shall not be liable for delay or loss ", 3))
	}
	fields, err := New().Fields(t.Context(), tracking.DocumentFile{}, tracking.DocumentText{Pages: []tracking.TextPage{face, back}}, "bill_of_lading")
	if err != nil {
		t.Fatal(err)
	}
	holds(t, fields, map[string]any{"vessel": "CORAL WIND", "port_of_discharge": "BRSSZ", "place_of_delivery": "BEANR"})
}

// The unit of a title is no title of its own, however it was recognised.
func TestUnitsOfTitles(t *testing.T) {
	for _, row := range []struct {
		unit  string
		room  float64
		cells int
	}{{"(M3)", 9, 1}, {"(kg)", 9, 1}, {"(M3)", 20, 2}, {"(NET)", 9, 2}} {
		var p tracking.TextPage
		setAt(&p, 40, 100, 8, "VOLUME")
		setAt(&p, p.Words[0].Box.Right+row.room, 100, 8, row.unit)
		l := linesOf([]*word{{TextWord: p.Words[0], pieces: pieces("VOLUME"), page: 1}, {TextWord: p.Words[1], pieces: pieces(row.unit), page: 1}})
		if len(l) != 1 || len(l[0].cells) != row.cells {
			t.Errorf("%s after %v: %d lines, want one of %d cells", row.unit, row.room, len(l), row.cells)
		}
	}
}

// Where no title says the type, the fields that are found decide.
func TestTypeByFields(t *testing.T) {
	var page tracking.TextPage
	page.Width, page.Height = 595, 842
	for i, line := range []string{"Importer: KESTREL TEXTILES LTD.", "Entry No.: 9XK 3345325", "Entry date: 14 May 2026", "Import date: 12 May 2026", "Goods as listed in the papers of the line, of the quality and the quantity that were agreed"} {
		for k, w := range strings.Fields(line) {
			page.Words = append(page.Words, tracking.TextWord{Text: w, Box: tracking.TextBox{Left: float64(40 + 45*k), Right: float64(40 + 45*k + 43), Top: float64(100 + 30*i), Bottom: float64(110 + 30*i)}})
		}
	}
	got, err := New().Classify(context.Background(), tracking.DocumentFile{}, tracking.DocumentText{Pages: []tracking.TextPage{page}})
	if err != nil || got.Type != "customs_entry" || !strings.Contains(got.Notes, "(field)") {
		t.Error(fmt.Sprint(got), err)
	}
}
