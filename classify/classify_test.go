package classify_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/classify"
	"github.com/landfallhq/tracking/classify/extract"
	"github.com/landfallhq/tracking/storage"
)

func TestMain(m *testing.M) {
	extract.Main()
	os.Exit(m.Run())
}

// TestSamples reads the papers in testdata, each of another make than the corpus, and
// holds what is told of them in the file of the same name. Fields that are not listed
// there are wrong.
func TestSamples(t *testing.T) {
	e, err := extract.New(extract.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	samples, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(samples) == 0 {
		t.Fatalf("no samples, error %v", err)
	}
	for _, name := range samples {
		f := file(t, name)
		text, err := e.Extract(context.Background(), f)
		if err != nil {
			t.Fatal(err)
		}
		is, fields := read(t, f, text)
		got := "type " + is.Type + "\n" + strings.Join(told("", fields), "")
		golden := strings.TrimSuffix(name, ".txt") + ".golden"
		if os.Getenv("LANDFALL_GOLDEN") != "" {
			if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("%s:\n%s\nwant:\n%s", name, got, want)
		}
	}
}

func file(t *testing.T, name string) tracking.DocumentFile {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return tracking.DocumentFile{Name: name, Content: bytes.NewReader(b), Size: int64(len(b))}
}

func read(t *testing.T, f tracking.DocumentFile, text tracking.DocumentText) (tracking.Classification, tracking.DocumentFields) {
	t.Helper()
	c := classify.New()
	is, err := c.Classify(context.Background(), f, text)
	if err != nil {
		t.Fatal(err)
	}
	fields, err := c.Fields(context.Background(), f, text, is.Type)
	if err != nil {
		t.Fatal(err)
	}
	return is, fields
}

func told(before string, fields tracking.DocumentFields) (lines []string) {
	for _, f := range fields {
		for i, row := range f.Rows {
			lines = append(lines, told(fmt.Sprintf("%s[%d].", f.Name, i+1), row)...)
		}
		if f.Kind != tracking.FieldTable {
			lines = append(lines, fmt.Sprintf("%s%s %s\n", before, f.Name, strings.ReplaceAll(fmt.Sprint(f.Normal), "\n", " | ")))
		}
	}
	return lines
}

// TestSchemas holds what is read to the published schema of its type, and the schemas
// to their own form.
func TestSchemas(t *testing.T) {
	schemas := map[string]*jsonschema.Schema{}
	for _, typ := range classify.New().Types() {
		document, err := jsonschema.UnmarshalJSON(bytes.NewReader(typ.Schema))
		if err != nil {
			t.Fatal(err)
		}
		c := jsonschema.NewCompiler()
		if err := c.AddResource(typ.Code, document); err != nil {
			t.Fatal(err)
		}
		if schemas[typ.Code], err = c.Compile(typ.Code); err != nil {
			t.Fatal(err)
		}
	}
	e, err := extract.New(extract.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	samples, _ := filepath.Glob("testdata/*.txt")
	for _, name := range samples {
		f := file(t, name)
		text, err := e.Extract(context.Background(), f)
		if err != nil {
			t.Fatal(err)
		}
		is, fields := read(t, f, text)
		b, err := json.Marshal(fields)
		if err != nil {
			t.Fatal(err)
		}
		payload, err := jsonschema.UnmarshalJSON(bytes.NewReader(b))
		if err != nil {
			t.Fatal(err)
		}
		if err := schemas[is.Type].Validate(payload); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	f := printed("ARRIVAL NOTICE\nVessel: MSC ANNA\nShipper: ACME LTD\nETA: 05/08/2026")
	fields, err := classify.New().Fields(context.Background(), tracking.DocumentFile{}, f, "arrival_notice")
	b, fault := json.Marshal(fields)
	if err != nil || fault != nil || !bytes.Contains(b, []byte(`"alternatives":["2026-05-08"]`)) {
		t.Fatalf("%s %v %v", b, err, fault)
	}
	if payload, err := jsonschema.UnmarshalJSON(bytes.NewReader(b)); err != nil || schemas["arrival_notice"].Validate(payload) != nil {
		t.Errorf("a date of two readings: %s", b)
	}
	if err := schemas["packing_list"].Validate(map[string]any{"vessel": map[string]any{}}); err == nil {
		t.Error("a schema takes any field")
	}
}

func TestTypes(t *testing.T) {
	var codes []string
	for _, typ := range classify.New().Types() {
		codes = append(codes, typ.Code)
		if typ.Label == "" || typ.Version == "" || typ.Description == "" {
			t.Errorf("%s lacks something: %+v", typ.Code, typ)
		}
	}
	want := []string{"bill_of_lading", "house_bill_of_lading", "sea_waybill", "arrival_notice", "delivery_order", "booking_confirmation", "commercial_invoice", "packing_list", "customs_entry", "certificate_of_origin", "freight_invoice", "other"}
	if !slices.Equal(codes, want) {
		t.Errorf("%v, want %v", codes, want)
	}
	// People choose among the same types where there is no Classifier.
	s, err := storage.Open("memory:")
	if err != nil {
		t.Fatal(err)
	}
	engine, err := tracking.New(tracking.Config{Store: s})
	if err != nil {
		t.Fatal(err)
	}
	defer engine.Close()
	account, _, err := engine.EnsureAccount(context.Background(), "acme")
	if err != nil {
		t.Fatal(err)
	}
	without, err := engine.For(tracking.Actor{Account: account.Scope()}).DocumentTypes(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	codes = nil
	for _, typ := range without {
		codes = append(codes, typ.Code)
	}
	if !slices.Equal(codes, want) {
		t.Errorf("without a Classifier %v, want %v", codes, want)
	}
}

// TestNoGuess holds that little evidence, or evidence for two types, gives no type.
func TestNoGuess(t *testing.T) {
	e, err := extract.New(extract.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	for name, c := range map[string]struct{ text, typ, notes string }{
		"few words":     {"HELLO WORLD", "", "too little"},
		"a number":      {"B/L NO.: MAEU123456789", "", "too little"},
		"nothing known": {strings.Repeat("the quick brown fox jumps over the lazy dog\n", 5), "other", "no evidence"},
		"two headings":  {"ARRIVAL NOTICE\n\nDELIVERY ORDER\n", "", "may be"},
	} {
		content := []byte(c.text)
		f := tracking.DocumentFile{Content: bytes.NewReader(content), Size: int64(len(content))}
		text, err := e.Extract(context.Background(), f)
		if err != nil {
			t.Fatal(err)
		}
		if is, _ := read(t, f, text); is.Type != c.typ || !strings.Contains(is.Notes, c.notes) {
			t.Errorf("%s: %+v", name, is)
		}
	}
	is, fields := read(t, tracking.DocumentFile{}, tracking.DocumentText{Unreadable: "It is a picture."})
	if is.Type != "" || is.Notes != "unreadable: It is a picture." || fields != nil {
		t.Errorf("unreadable: %+v, %v", is, fields)
	}
}

// FuzzText holds that no text, whatever its words and boxes, breaks the rules.
func FuzzText(f *testing.F) {
	samples, _ := filepath.Glob("testdata/*.txt")
	for _, name := range samples {
		b, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(b), 6.0, 12.0)
	}
	c := classify.New()
	f.Fuzz(func(t *testing.T, s string, wide, high float64) {
		page := tracking.TextPage{Width: 595, Height: 842}
		for i, line := range strings.Split(s, "\n") {
			for j, w := range strings.Fields(line) {
				x, y := float64(j)*wide*8, float64(i)*high
				page.Words = append(page.Words, tracking.TextWord{Text: w, Box: tracking.TextBox{Left: x, Top: y, Right: x + wide*float64(len(w)), Bottom: y + high}})
			}
		}
		text := tracking.DocumentText{ContentType: "text/plain", Pages: []tracking.TextPage{page}}
		if _, err := c.Classify(context.Background(), tracking.DocumentFile{}, text); err != nil {
			t.Fatal(err)
		}
		for _, typ := range c.Types() {
			if _, err := c.Fields(context.Background(), tracking.DocumentFile{}, text, typ.Code); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// TestTitles holds which type a title alone shows, and that papers of the trade with a
// word of it in their titles stay other.
func TestTitles(t *testing.T) {
	e, err := extract.New(extract.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	c := classify.New()
	for title, want := range map[string]string{
		"CUSTOMER ADVISORY": "other", "ZAHLUNGSAVIS": "other", "OFFERTE ZEEVRACHT": "other", "AVVISO DI PAGAMENTO": "other", "PRESUPUESTO": "other", "NOTE DE CRÉDIT": "other", "ORÇAMENTO": "other", "RATE CONFIRMATION": "other", "CUSTOMS ENTRY": "customs_entry", "ENTRY SUMMARY": "customs_entry", "ENTRY/IMMEDIATE DELIVERY": "customs_entry", "IMPORT DECLARATION": "customs_entry", "ZOLLANMELDUNG": "customs_entry",
		"CERTIFICATE OF ORIGIN": "certificate_of_origin", "CERTIFICADO DE ORIGEN": "certificate_of_origin", "CERTIFICAT D'ORIGINE": "certificate_of_origin", "CERTIFICATO DI ORIGINE": "certificate_of_origin", "CERTIFICADO DE ORIGEM": "certificate_of_origin", "URSPRUNGSZEUGNIS": "certificate_of_origin", "MOVEMENT CERTIFICATE EUR.1": "certificate_of_origin",
		"FREIGHT INVOICE": "freight_invoice", "DEMURRAGE INVOICE": "freight_invoice", "PER DIEM INVOICE": "freight_invoice", "FRACHTRECHNUNG": "freight_invoice", "DEBIT NOTE": "freight_invoice",
		"CERTIFICATE OF INSURANCE": "other", "PHYTOSANITARY CERTIFICATE": "other", "EXPORT DECLARATION": "other", "CREDIT NOTE": "other", "STATEMENT OF ACCOUNT": "other", "RATE QUOTATION": "other",
		"COMMERCIAL INVOICE": "commercial_invoice", "ARRIVAL NOTICE / FREIGHT INVOICE": "arrival_notice",
	} {
		content := []byte(strings.Repeat(" ", 30) + title + "\n\n" + strings.Repeat("the quick brown fox jumps over the lazy dog\n", 5))
		f := tracking.DocumentFile{Content: bytes.NewReader(content), Size: int64(len(content))}
		text, err := e.Extract(context.Background(), f)
		if err != nil {
			t.Fatal(err)
		}
		if is, err := c.Classify(context.Background(), f, text); err != nil || is.Type != want {
			t.Errorf("%s: %+v, error %v, want %s", title, is, err, want)
		}
	}
}
