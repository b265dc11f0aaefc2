package extract_test

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/classify/extract"
)

// A file that cannot be read is reported by a code and a sentence.
func Example() {
	e, err := extract.New(extract.Config{Limits: extract.Limits{Pages: 50}})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer e.Close()
	for _, content := range []string{"B/L NO.: MAEU123456789", ""} {
		r := strings.NewReader(content)
		text, err := e.Extract(context.Background(), tracking.DocumentFile{Content: r, Size: r.Size()})
		var fault *tracking.FileError
		if errors.As(err, &fault) {
			fmt.Println(fault.Code+":", fault.Detail)
			continue
		}
		fmt.Println(text.ContentType, len(text.Pages[0].Words), "words")
	}
	// Output:
	// text/plain 3 words
	// empty: The file is empty.
}

func ExampleSniff() {
	fmt.Println(extract.Sniff([]byte("\x89PNG\r\n\x1a\n")))
	// Output: image/png
}
