package fresh_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/classify/corpus/fresh"
	"github.com/landfallhq/tracking/classify/corpus/truth"
	"github.com/landfallhq/tracking/classify/extract"
	"github.com/landfallhq/tracking/refdata"
)

func TestMain(m *testing.M) {
	extract.Main()
	os.Exit(m.Run())
}

// documents draws the part once for all tests.
var documents = sync.OnceValues(func() ([]truth.Document, error) { return fresh.Documents() })

func drawn(t *testing.T) []truth.Document {
	t.Helper()
	if testing.Short() {
		t.Skip("SKIPPED: draws the whole part")
	}
	all, err := documents()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestPart holds how many papers and layouts there are of each type, that truths are
// in their normal form, and that dates are from all the year.
func TestPart(t *testing.T) {
	layouts, months := map[string]map[string]bool{}, map[string]bool{}
	all := drawn(t)
	date := regexp.MustCompile(`"20\d\d-(\d\d)-\d\d`)
	for _, d := range all {
		if err := truth.Check(d); err != nil {
			t.Errorf("%s: %v", d.Name, err)
		}
		if layouts[d.Type] == nil {
			layouts[d.Type] = map[string]bool{}
		}
		layouts[d.Type][d.Layout] = true
		text, _ := json.Marshal(d.Fields)
		for _, m := range date.FindAllSubmatch(text, -1) {
			months[string(m[1])] = true
		}
	}
	if len(all) != 80 || len(fresh.Layouts()) != 40 || len(months) != 12 {
		t.Errorf("%d documents, %d layouts, dates of %d months; want 80, 40, 12", len(all), len(fresh.Layouts()), len(months))
	}
	for _, typ := range truth.Types {
		if truth.DrawnAs(typ) == typ && len(layouts[typ]) < 4 {
			t.Errorf("%s: %d layouts", typ, len(layouts[typ]))
		}
	}
}

// TestSame holds that a layout is drawn alike each time, alone or among the others.
func TestSame(t *testing.T) {
	all := drawn(t)
	again, err := fresh.Documents("bl-rider", "ci-system", "ot-freight")
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range again {
		for _, b := range all {
			if a.Name == b.Name && (a.Drawn != b.Drawn || !bytes.Equal(a.PDF, b.PDF) || fmt.Sprint(a.Fields) != fmt.Sprint(b.Fields)) {
				t.Errorf("%s differs", a.Name)
			}
		}
	}
}

// TestPrinted holds that each true value can be read on its paper.
func TestPrinted(t *testing.T) {
	all := drawn(t)
	e, err := extract.New(extract.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	for _, d := range all {
		text, err := e.Extract(context.Background(), tracking.DocumentFile{Content: bytes.NewReader(d.PDF), Size: int64(len(d.PDF))})
		if err != nil {
			t.Fatalf("%s: %v", d.Name, err)
		}
		var words strings.Builder
		for _, page := range text.Pages {
			for _, w := range page.Words {
				words.WriteString(plain(w.Text))
			}
		}
		missing(t, d.Name, truth.Vocabulary[d.Type], "", d.Fields, words.String())
	}
}

// plain leaves letters and digits alone.
func plain(s string) string {
	return strings.Map(func(c rune) rune {
		if !unicode.IsLetter(c) && !unicode.IsDigit(c) {
			return -1
		}
		return unicode.ToUpper(c)
	}, s)
}

func missing(t *testing.T, document string, names truth.Names, prefix string, fields truth.Fields, page string) {
	for name, value := range fields {
		switch v := value.(type) {
		case []truth.Fields:
			for _, row := range v {
				missing(t, document, names, name+".", row, page)
			}
		case truth.Company:
			for _, part := range append(strings.Split(v.Address, ", "), v.Name) {
				if !strings.Contains(page, plain(part)) {
					t.Errorf("%s: %s: no %q", document, prefix+name, part)
				}
			}
		case string:
			if line, ok := refdata.LineBySCAC(v); name == "scac" && ok && (strings.Contains(page, plain(line.Name)) || strings.Contains(page, plain(line.ShortName))) {
				continue // the code of the line that is named
			}
			if !printed(names[prefix+name], v, page) {
				t.Errorf("%s: %s: no %q", document, prefix+name, v)
			}
		}
	}
}

// printed tells whether a value is on a page in one of the ways in which it is written.
func printed(kind truth.Kind, value, page string) bool {
	var ways []string
	switch kind {
	case truth.Number:
		ways = []string{value}
	case truth.Place:
		p, _ := refdata.PortByCode(value)
		name, _, _ := strings.Cut(p.Name, " (")
		ways = []string{name}
	case truth.Date:
		day, err := time.Parse("2006-01-02T15:04", value)
		clock := " 15:04"
		if err != nil {
			day, _ = time.Parse("2006-01-02", value)
			clock = ""
		}
		for _, way := range []string{"02 Jan 2006", "2006-01-02", "Jan 02 2006", "02 January 2006", "2 January 2006", "2 Jan 2006", "Jan 2 2006", "02 Jan 06", "01/02/2006", "01/02/06", "02/01/2006", "02.01.06"} {
			ways = append(ways, day.Format(way+clock))
		}
	case truth.Mass, truth.Volume, truth.Quantity, truth.Money:
		number := strings.Fields(strings.TrimLeft(value, "ABCDEFGHIJKLMNOPQRSTUVWXYZ "))[0]
		x, _ := strconv.ParseFloat(number, 64)
		for figures := range 4 {
			if way := strconv.FormatFloat(x, 'f', figures, 64); strings.HasPrefix(way+"000", number) || strings.HasPrefix(number, way) && x == float64(int(x)) {
				ways = append(ways, way)
			}
		}
	case truth.Text, truth.Prose:
		for _, word := range strings.Fields(value) {
			if !strings.Contains(page, plain(word)) {
				return false
			}
		}
		return true
	default:
		return true // a code stands for words
	}
	for _, way := range ways {
		if strings.Contains(page, plain(way)) {
			return true
		}
	}
	return false
}

// frozen is a hash of what is drawn and of what is true of it. It is not renewed: who
// changes a layout makes another part.
const frozen = "5eb3c1ec023ab4405e02c3af5b86c73d6ab2647c9ba4ad3bdea92b8aa41add61"

func TestFrozen(t *testing.T) {
	h := sha256.New()
	for _, d := range drawn(t) {
		fields, err := json.Marshal(d.Fields)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(h, "%s %s %s %s\n", d.Name, truth.DrawnAs(d.Type), d.Drawn, fields)
	}
	if got := hex.EncodeToString(h.Sum(nil)); got != frozen {
		t.Errorf("the part is %s, not %s as it was frozen", got, frozen)
	}
}

// Layouts can be drawn by name.
func Example() {
	documents, err := fresh.Documents("an-mail")
	fmt.Println(len(documents), documents[0].Name, documents[0].Type, err)
	// Output: 2 fresh-an-mail-01 arrival_notice <nil>
}
