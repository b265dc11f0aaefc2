package classify_test

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/classify"
	"github.com/landfallhq/tracking/refdata"
)

// sentence is a page of one line of the words.
func sentence(words ...string) tracking.DocumentText {
	page := tracking.TextPage{Width: 600, Height: 800}
	x := 0.0
	for _, w := range words {
		page.Words = append(page.Words, tracking.TextWord{Text: w, Box: tracking.TextBox{Left: x, Right: x + 10, Top: 100, Bottom: 110}})
		x += 12
	}
	return tracking.DocumentText{Pages: []tracking.TextPage{page}}
}

// TestOneWordOfManyPieces: the work grows as the pieces of a word do. Did it grow as
// their square, this would run for minutes, until the test is ended.
func TestOneWordOfManyPieces(t *testing.T) {
	var b strings.Builder
	for i := range 200_000 {
		b.WriteString(strconv.Itoa(i))
		b.WriteByte('.')
	}
	text := sentence("BILL", "OF", "LADING", b.String())
	if _, err := classify.New().Classify(context.Background(), tracking.DocumentFile{}, text); err != nil {
		t.Fatal(err)
	}
}

// TestLongValues: whatever stands beside a caption, a field's text has an end.
func TestLongValues(t *testing.T) {
	text := sentence("SHIPPER:", strings.Repeat("\u00e9A", 50_000))
	fields, err := classify.New().Fields(t.Context(), tracking.DocumentFile{}, text, "bill_of_lading")
	if err != nil {
		t.Fatal(err)
	}
	shipper, _ := fields.Get("shipper")
	normal, _ := shipper.Normal.(string)
	if want := strings.Repeat("\u00e9A", 1000); shipper.Value != want || normal != want {
		t.Errorf("%d and %d bytes, want %d", len(shipper.Value), len(normal), len(want))
	}
}

// TestCallsThatAreOver: neither method goes on with a document nobody waits for.
func TestCallsThatAreOver(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	c, text := classify.New(), sentence("BILL", "OF", "LADING", "NO:", "MAEU123456789")
	if is, err := c.Classify(ctx, tracking.DocumentFile{}, text); !errors.Is(err, context.Canceled) {
		t.Errorf("Classify: %v, %v", is, err)
	}
	if fields, err := c.Fields(ctx, tracking.DocumentFile{}, text, "bill_of_lading"); !errors.Is(err, context.Canceled) {
		t.Errorf("Fields: %v, %v", fields, err)
	}
}

// TestUnknownSpellings: of a recognised page each word is compared with known ones, in time
// that grows as their number.
func TestUnknownSpellings(t *testing.T) {
	var words []string
	for i := range 20_000 {
		words = append(words, "QWZXKJVBPM"+strings.Map(func(r rune) rune { return r - '0' + 'A' }, strconv.Itoa(1_000_000+i))+"XQZWKJV")
	}
	text := sentence(words...)
	text.Pages[0].Recognized = true
	if _, err := classify.New().Classify(t.Context(), tracking.DocumentFile{}, text); err != nil {
		t.Fatal(err)
	}
}

// TestContainersInOneLine: the work grows as the number of containers in a line. Did it grow as
// their square, this would run for minutes.
func TestContainersInOneLine(t *testing.T) {
	words := []string{"BILL", "OF", "LADING"}
	for i := 0; len(words) < 5_003; i++ {
		number := "MSKU" + strconv.Itoa(1_000_000+i)
		if valid, _ := refdata.CheckDigit(number); valid {
			words = append(words, number)
		}
	}
	fields, err := classify.New().Fields(t.Context(), tracking.DocumentFile{}, sentence(words...), "bill_of_lading")
	if err != nil {
		t.Fatal(err)
	}
	if containers, _ := fields.Get("containers"); len(containers.Rows) == 0 {
		t.Error("no container is read")
	}
}
