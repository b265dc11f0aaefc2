package invoicepdf

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/classify/extract"
	"github.com/landfallhq/tracking/freetime"
	"github.com/landfallhq/tracking/freetime/invoice"
)

func TestMain(m *testing.M) {
	extract.Main()
	os.Exit(m.Run())
}

// sheet is of an invoice that charges a container for 70 days from 5 March, of which those
// up to the 6th are free, and another one that the account does not have.
func sheet(t testing.TB) *invoice.Sheet {
	t.Helper()
	charges, asked := computed(t)
	inv, err := invoice.ReadJSON([]byte(`{"invoice_number":"INV-7","billed_by":"上海 Línea (West)","invoice_date":"2026-05-16","total":"13000",
		"lines":[{"container_number":"MRKU9465770","clock":"demurrage","from":"2026-03-05","to":"2026-05-13","rate":"185","currency":"USD","free_days":2},
		{"container_number":"MSKU0000000","clock":"demurrage","from":"2026-03-05","to":"2026-03-05","rate":"185","currency":"USD"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	return invoice.NewSheet(inv, []freetime.Charges{charges}, asked)
}

func computed(t testing.TB) (freetime.Charges, time.Time) {
	t.Helper()
	zone, err := time.LoadLocation("America/Los_Angeles")
	if err != nil {
		t.Fatal(err)
	}
	terms := freetime.DefaultTerms()
	terms.Name, terms.Clock, terms.FreeDays, terms.Currency = "Oakland import", freetime.Demurrage, 4, "USD"
	terms.Tiers = []freetime.TierTerms{{From: 1, Amount: "185"}}
	tariff, err := terms.Tariff(nil)
	if err != nil {
		t.Fatal(err)
	}
	discharged, asked := time.Date(2026, 3, 2, 10, 0, 0, 0, zone), time.Date(2026, 5, 20, 12, 0, 0, 0, zone)
	h := freetime.History{Place: "USOAK", Zone: zone, Facts: []freetime.Fact{{Name: "0190-off", Type: freetime.Discharged, At: discharged, Place: "USOAK"}}}
	charges := freetime.NewCharges([]freetime.Ledger{freetime.NewLedger(freetime.Demurrage, h, []freetime.Tariff{tariff}, asked)})
	charges.ContainerID, charges.ContainerNumber = "c1", "MRKU9465770"
	charges.Facts = []freetime.Evidence{{ID: "0190-off", Event: "discharge", Source: "maersk", DataSource: "shipping_line", HappenedAt: &discharged, RecordedAt: discharged.Add(time.Hour), ReceivedAt: discharged.Add(2 * time.Hour)}}
	return charges, asked
}

func TestWrite(t *testing.T) {
	var b, again bytes.Buffer
	if err := Write(&b, sheet(t)); err != nil {
		t.Fatal(err)
	}
	if err := Write(&again, sheet(t)); err != nil || !bytes.Equal(b.Bytes(), again.Bytes()) {
		t.Errorf("another time it has other bytes: %v", err)
	}
	if path := os.Getenv("SHEET_PDF"); path != "" { // to look at it
		if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	flat := textOf(t, b.Bytes())
	for _, want := range []string{
		"Charged against computed", "INV-7", `\u4e0a\u6d77 Línea (West)`, "the stated total 13000.00 differs from the sum of the lines, 13135.00, by -135.00",
		"Line 1: container MRKU9465770, demurrage, 2026-03-05 to 2026-05-13", "2026-05-13", "no such container in the account",
		"Charged 12950.00 USD, computed 12580.00 USD, difference 370.00", "2026-03-02 18:00 UTC", "0190-off", "maersk",
		"541.6(a)(1)", "541.6(e)(2)", "missing in line 2", "not applicable",
	} {
		if !strings.Contains(strings.ReplaceAll(flat, " ", ""), strings.ReplaceAll(want, " ", "")) {
			t.Errorf("without %q", want)
		}
	}
	if t.Failed() {
		t.Log(flat)
	}
	if n := strings.Count(strings.ReplaceAll(flat, " ", ""), "Reasonforthedifference"); n < 4 { // 71 rows, of which a page has about 30
		t.Errorf("the names of the columns are there %d times: each page repeats them", n)
	}
}

// textOf is the text of all pages; each has its number.
func textOf(t testing.TB, data []byte) string {
	t.Helper()
	e, err := extract.New(extract.Config{Children: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	text, err := e.Extract(context.Background(), tracking.DocumentFile{Content: bytes.NewReader(data), Size: int64(len(data))})
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for n, p := range text.Pages {
		var page []string
		for _, w := range p.Words {
			page = append(page, w.Text)
		}
		if want := fmt.Sprintf("Page %d of %d", n+1, len(text.Pages)); !strings.Contains(strings.Join(page, " "), want) {
			t.Errorf("page %d is without %q", n+1, want)
		}
		all = append(all, page...)
	}
	return strings.Join(all, " ")
}

// A sheet of a container has what was computed, and nothing that an invoice would state.
func TestWriteContainer(t *testing.T) {
	charges, _ := computed(t)
	var b bytes.Buffer
	if err := Write(&b, invoice.NewContainerSheet(&charges)); err != nil {
		t.Fatal(err)
	}
	flat := strings.ReplaceAll(textOf(t, b.Bytes()), " ", "")
	for _, want := range []string{"Computed charges", "Container MRKU9465770", "Line 1: container MRKU9465770, demurrage, 2026-03-02 to 2026-05-20", "Computed 13875.00 USD.", "2026-05-13", "0190-off"} {
		if !strings.Contains(flat, strings.ReplaceAll(want, " ", "")) {
			t.Errorf("without %q", want)
		}
	}
	for _, none := range []string{"Charged", "ifference", "541.6", "Invoice"} {
		if strings.Contains(flat, none) {
			t.Errorf("with %q", none)
		}
	}
	if t.Failed() {
		t.Log(flat)
	}
	b.Reset()
	if err := Write(&b, invoice.NewContainerSheet(&freetime.Charges{})); err != nil || !strings.Contains(textOf(t, b.Bytes()), "No ledger") {
		t.Errorf("a container without ledgers: %v", err)
	}
}

// Every text is written: what the font lacks as its code points.
func TestEncoded(t *testing.T) {
	for text, want := range map[string]string{"a.b": "a.b", "Zürich": "Z\xfcrich", "5 €": "5 \x80", "上": `\u4e0a`, "a\nb": `a\u000ab`, "\x7f": `\u007f`, "…": "\x85", "\U0001f6a2": `\u1f6a2`} {
		if got := encoded(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
