package classify_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/classify"
	"github.com/landfallhq/tracking/classify/extract"
)

// A notice as plain text. PDFs are read alike, in a process of their own.
func Example() {
	notice := strings.NewReader(`
                    ARRIVAL NOTICE

B/L No.:     MAEU123456789        Vessel / Voyage:  CAPE HERON / 123E
ETA:         04 MAR 2026          Last free day:    09 MAR 2026
Container:   CSQU 305438-3
`)
	ctx := context.Background()
	file := tracking.DocumentFile{Name: "notice.txt", Content: notice, Size: notice.Size()}
	extractor, err := extract.New(extract.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer extractor.Close()
	text, err := extractor.Extract(ctx, file)
	if err != nil {
		fmt.Println(err)
		return
	}
	classifier := classify.New()
	is, err := classifier.Classify(ctx, file, text)
	if err != nil {
		fmt.Println(err)
		return
	}
	fields, err := classifier.Fields(ctx, file, text, is.Type)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(is.Type)
	for _, name := range []string{"bl_number", "vessel", "voyage", "eta", "last_free_day"} {
		field, _ := fields.Get(name)
		fmt.Println(name, field.Normal)
	}
	// Output:
	// arrival_notice
	// bl_number MAEU123456789
	// vessel CAPE HERON
	// voyage 123E
	// eta 2026-03-04
	// last_free_day 2026-03-09
}

// A file with a notice of two pages and an invoice is two documents. A form feed ends a page.
func ExampleClassifier_Split() {
	bundle := strings.NewReader(`
                    ARRIVAL NOTICE

B/L No.:     MAEU123456789        Vessel / Voyage:  CAPE HERON / 123E
Last free day: 09 MAR 2026        Page 1 of 2
` + "\f" + `
Storage is charged from the day after the last free day.
                                  Page 2 of 2
` + "\f" + `
                    COMMERCIAL INVOICE

Invoice No.: 4711                 Invoice date:     02 MAR 2026
Seller:      Kirsch GmbH          Buyer:            Acme Ltd
Terms:       FOB Shanghai         Total amount:     USD 4,200.00
`)
	ctx := context.Background()
	file := tracking.DocumentFile{Name: "bundle.txt", Content: bundle, Size: bundle.Size()}
	extractor, err := extract.New(extract.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer extractor.Close()
	text, err := extractor.Extract(ctx, file)
	if err != nil {
		fmt.Println(err)
		return
	}
	firsts, err := classify.New().Split(ctx, file, text)
	fmt.Println(firsts, err)
	// Output: [1 3] <nil>
}
